// Dialogs: exports, the funnel, statistics of a collection, keyboard shortcuts.

import { isOfFile, saveData, type Backend, type Collection, type GameFault, type Lacking, type Place, type Progress, type Query, type Selection } from "./backend";
import { bytes, count, counted, dialog, failure, h, icon, message, replace, s, settled, toast } from "./dom";
import { fileName, isolated } from "./words";

const FORMATS: [string, string, string][] = [
  ["pgn", "PGN", "matching games, with the comments of the query; names, dates and ratings are normalized"],
  ["csv", "CSV", "a table for spreadsheets"],
  ["tsv", "TSV", "a table with tabs"],
  ["jsonl", "JSON Lines", "for programs"],
  ["games.jsonl", "JSON of games", "an object for each game, with its moves"],
  ["parquet", "Parquet", "a table for DuckDB, pandas and others"],
  ["epd", "EPD", "matching positions with their games"],
  ["fen", "FEN", "matching positions"],
  ["html", "Report", "a page with boards to step through"],
  ["txt", "Counts", "number of games and positions"],
];

function progressBar(stop: () => void): { element: HTMLElement; tell: (progress: Progress) => void } {
  const fill = h("i");
  const words = h("p", { class: "told", role: "status" });
  const bar = h("div", { class: "progress on", role: "progressbar", "aria-label": "progress", "aria-valuemin": 0, "aria-valuemax": 100 }, fill);
  return {
    element: h("div", { class: "busy" }, bar, h("div", { class: "row" }, words, h("span", { class: "grow" }), h("button", { type: "button", class: "small", onclick: stop }, icon("stop"), "Stop"))),
    tell: (progress) => {
      const share = progress.size > 0 ? Math.min(100, (progress.bytes / progress.size) * 100) : 0;
      fill.style.width = `${share}%`;
      bar.setAttribute("aria-valuenow", String(Math.round(share)));
      words.textContent = `${counted(progress.games, "game")} read`;
    },
  };
}

/** Runs work while a dialog is open, and shows its progress there, with a button that stops it. Returns null if it
 * was stopped, or has failed. */
export async function whileOpen<T>(box: HTMLDialogElement, place: HTMLElement, work: (tell: (progress: Progress) => void, signal: AbortSignal) => Promise<T>): Promise<T | null> {
  const controller = new AbortController();
  box.addEventListener("close", () => controller.abort());
  const bar = progressBar(() => controller.abort());
  replace(place, bar.element);
  try {
    return await work(bar.tell, controller.signal);
  } catch (error) {
    replace(place, controller.signal.aborted ? h("p", { class: "told", role: "status" }, "Stopped.") : failure(error));
    return null;
  }
}

/** Shows issues of games, of which there are `n`, below a text. */
export function faultsDialog(faults: GameFault[], n: number, words = ""): void {
  dialog("Notes on games", words && h("p", { role: "alert" }, message(words)), h("ul", { class: "faults", tabindex: 0 }, ...faults.map((fault) => {
    const place = `${fault.input}${fault.line ? `, line ${count(fault.line)}` : ""}${fault.game ? ` (game ${count(fault.game)})` : ""}: `;
    return h("li", {}, h("b", {}, place), message(fault.message), fault.game && !fault.searched && !fault.message.includes("left out") ? " (left out)" : "");
  })), n > faults.length && h("p", { class: "told" }, `and ${count(n - faults.length)} more`));
}

/** Says that a file is written, and what is missing from it. */
function tellWritten(words: string, { faults, told, leftOut }: Lacking): void {
  if (faults === 0) return toast(words);
  const broken = told.filter(isOfFile);
  const n = leftOut - broken.length;
  const lost = [...broken.map((fault) => `${fileName(fault.input)}: ${fault.message}`), ...(n > 0 ? [`${counted(n, "game")} could not be read`] : [])];
  if (lost.length > 0) return faultsDialog(told, faults, `${[words, ...lost].join(". ")}.`);
  toast(`${words} `, "note", h("button", { type: "button", class: "quiet", onclick: () => faultsDialog(told, faults) }, `${count(faults)} ${faults === 1 ? "note" : "notes"} on games`));
}

/** Number of games or rows, and bytes of a report, from which an export asks before it begins. */
const MANY = 10_000;
const LARGE = 20e6;

/** Bytes of a game in a report with boards. */
const REPORT_GAME = 9200;

/** Number of games that are offered in place of a large export. */
const BEST = 500;

/** What an export tells of the list. */
export interface Listed {
  /** Name of the query of the list, if the text is another one. */
  other?: string;
  /** The order in which games are written, and whether the list has another one. */
  order?: string;
  isOtherOrder?: boolean;
  groups?: { by: string; csv: string } | null;
  /** Number of its matching positions. */
  positions?: number;
}

/** Formats with a row for each matching position or game, as the user chooses, and those with one for each position. */
const TABLES = ["csv", "tsv", "jsonl", "parquet"];
const OF_POSITIONS = ["epd", "fen"];

/** Says which games are written, if not all that match the text, and in which order, if not in that of the list. */
function told({ games }: Selection, words: string, { order, isOtherOrder, other }: Listed): (HTMLElement | false)[] {
  return [
    other !== undefined && h("p", { class: "told" }, `The query has changed since the search. The games of the list are written, under the name of its query (${other}); search again for those of the new one.`),
    games !== undefined && h("p", { class: "told" }, `Only ${words} ${games.length === 1 ? "is" : "are"} written.`),
    isOtherOrder === true && h("p", { class: "told" }, `The games are written in ${order}, not in that of the list.`),
  ];
}

/** Exports the results, which are `words`; `matches` is their number. */
export function exportDialog(backend: Backend, query: Query, on: Selection, words: string, name: string, matches: number, listed: Listed): void {
  const { order = "the order of the query", groups, positions = 0 } = listed;
  const place = h("div");
  const large = h("fieldset", { class: "stages", hidden: true });
  let isAsked = false;
  const perGame = h("select", { name: "per" }, h("option", { value: "" }, "matching position"), h("option", { value: "game" }, "game"));
  const columns = h("input", { name: "columns", placeholder: "default", spellcheck: "false", "aria-describedby": "columns-hint" });
  const table = h("fieldset", { class: "row" }, h("label", {}, "One row per ", perGame), h("label", {}, "Columns ", columns), h("small", { id: "columns-hint" }, "such as white, black, year, san, fen"));
  const submit = h("button", { class: "main" }, "Export");
  const formats = groups ? [["groups", "Groups", `the table of groups (${groups.by}), as CSV`], ...FORMATS] : FORMATS;
  const choices = formats.map(([format, title, words]) => h("label", {}, h("input", { type: "radio", name: "format", value: format, checked: format === "pgn" }), h("span", {}, h("b", {}, title), h("small", {}, words))));
  const form = h("form", {}, h("fieldset", { class: "formats" }, h("legend", { class: "unseen" }, "format"), ...choices), table, ...told(on, words, listed), large, place, h("div", { class: "row end" }, h("button", { type: "button", onclick: () => box.close() }, "Cancel"), submit));
  const format = () => new FormData(form).get("format") as string;
  const showTable = () => (table.hidden = !TABLES.includes(format()));
  form.addEventListener("change", (event) => {
    showTable();
    if ((event.target as HTMLInputElement).name !== "limit") {
      large.hidden = true;
      isAsked = false;
    }
  });
  const title = () => FORMATS.find(([one]) => one === format())![1];
  /** Asks whether a large export is meant. Returns whether it must wait for the answer. */
  const ask = (): boolean => {
    const isOfRows = OF_POSITIONS.includes(format()) || (TABLES.includes(format()) && perGame.value === "");
    const n = isOfRows ? positions : matches;
    const size = matches * (format() === "html" ? REPORT_GAME : 0);
    if (isAsked || format() === "txt" || (n <= MANY && size <= LARGE)) return false;
    isAsked = true;
    const choice = (value: number, words: string) => h("label", { class: "row" }, h("input", { type: "radio", name: "limit", value: String(value), checked: value > 0 }), words);
    replace(large, h("legend", {}, `Export ${isOfRows ? `${counted(n, "row")} of ` : ""}${counted(matches, "game")} as ${title()}?`),
      size > LARGE && h("p", { class: "told" }, `The report would have about ${bytes(size)}. Browsers open such pages slowly.`),
      choice(BEST, `The first ${BEST} games in ${order}`), choice(0, `All ${counted(matches, "game")}`));
    large.hidden = false;
    large.querySelector("input")?.focus();
    return true;
  };
  const box = dialog("Export the matches", form);
  showTable();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (format() === "groups") {
      saveData(groups!.csv, `${name}, ${groups!.by}.csv`);
      return box.close();
    }
    if (ask()) return;
    submit.disabled = true;
    const limit = large.hidden ? 0 : Number(new FormData(form).get("limit"));
    const wanted = columns.value.split(",").map((column) => column.trim()).filter(Boolean);
    const options = { format: format(), per_game: perGame.value === "game", columns: wanted, name, ...(limit > 0 ? { limit } : {}) };
    const made = await whileOpen(box, place, (tell, signal) => backend.save(query, on, options, tell, signal));
    submit.disabled = false;
    if (!made) return;
    box.close();
    tellWritten(`${made.name}, ${bytes(made.bytes)}`, made);
  });
}

/** The start position. */
export const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/** Whether a FEN tells the side to move. */
export function tellsTurn(fen: string): boolean {
  return /\s[wb](?![^\s"])/.test(fen);
}

/** Asks for a position. */
export function positionDialog(backend: Backend, fen: string, use: (fen: string, hasTurn: boolean) => void): void {
  const field = h("input", { "aria-label": "position as FEN", value: fen, spellcheck: "false" });
  const told = h("div");
  const form = h("form", {}, h("label", { class: "stacked" }, "FEN", field), told, h("div", { class: "row end" },
    h("button", { type: "button", onclick: () => (box.close(), use(START, true)) }, "Start position"), h("button", { class: "main" }, "Set position")));
  const box = dialog("Set position", form);
  field.select();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (field.value.trim() === "") return replace(told, failure("Write a position in FEN."));
    try {
      const { fen } = await backend.moves(field.value);
      box.close();
      use(fen, tellsTurn(field.value));
    } catch (error) {
      replace(told, failure(error));
      // Below the text, the message has marks.
      const [, text, before, mark] = /\n {2}(.*)\n {2}( *)(\^+)/.exec((error as Error).message) ?? [];
      if (mark === undefined) return;
      const from = field.value.indexOf(text.split(" ")[0]) + before.length;
      field.focus();
      field.setSelectionRange(from, from + mark.length);
    }
  });
}

/** Makes a query of a passage of the open game. */
export function passageDialog(backend: Backend, pgn: string, passage: { from: string; to: string }, use: (query: string) => void): void {
  const [from, to] = [["From move", passage.from], ["To move", passage.to]].map(([label, value]) => h("input", { value, "aria-label": label, title: "A number, with one dot for White and three for Black", spellcheck: "false" }));
  const steps = h("fieldset", { class: "stages" }, h("legend", {}, "How alike"));
  const text = h("pre", { class: "drawn", role: "region", "aria-label": "query", tabindex: 0 });
  const unread = h("p", { class: "error", role: "status", hidden: true }, "Some words of this game could not be read as moves, so moves may be missing. Check the games, in the menu Reports, lists these words.");
  const submit = h("button", { class: "main" }, "Use as query");
  let query = "";
  let asked = 0;
  const show = async () => {
    const number = ++asked;
    try {
      const { examples, lacksWords } = await backend.passage!(pgn, `${from.value}-${to.value}`);
      if (number !== asked) return;
      unread.hidden = !lacksWords;
      const whole = examples.filter((one) => one.leftOut === 0);
      const shown = [...whole, ...examples.filter((one) => one.leftOut > 0).slice(0, 3)];
      const choose = (one: (typeof shown)[0]) => {
        query = one.query;
        text.textContent = query;
      };
      const words = (one: (typeof shown)[0]) => (one.leftOut > 0 ? `Without ${counted(one.leftOut, "move")}, ${one.words}` : one.words.charAt(0).toUpperCase() + one.words.slice(1));
      replace(steps, h("legend", {}, "How alike"), ...shown.map((one, i) => h("label", { class: "row" }, h("input", { type: "radio", name: "stage", checked: i === 0, onchange: () => choose(one) }), words(one))));
      choose(shown[0]);
      submit.disabled = false;
    } catch (error) {
      if (number !== asked) return;
      replace(steps, h("legend", {}, "How alike"), failure(error));
      text.textContent = "";
      submit.disabled = true;
    }
  };
  const later = settled(250, () => void show());
  for (const field of [from, to]) field.addEventListener("input", later);
  const form = h("form", {}, h("p", { class: "told" }, "The moves before the position on the board become a query. Choose how alike other games have to be."),
    h("div", { class: "row fields" }, h("label", { class: "stacked" }, "From move", from), h("label", { class: "stacked" }, "To move", to)), unread, steps, text,
    h("div", { class: "row end" }, h("button", { type: "button", onclick: () => box.close() }, "Cancel"), submit));
  const box = dialog("Search from this passage", form);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    box.close();
    use(query);
  });
  void show();
}

/** Keeps the results, which are `words`, as a collection. */
export function saveDialog(backend: Backend, query: Query, on: Selection, words: string, name: string, listed: Listed, done: (collections: Collection[], id: number) => void): void {
  const field = h("input", { value: name, maxlength: 60, required: true });
  const place = h("div");
  const comments = h("input", { type: "checkbox" });
  const submit = h("button", { class: "main" }, "Save");
  const form = h("form", {}, h("label", { class: "stacked" }, "Name", field),
    h("p", { class: "told" }, `The matching games become a collection of their own, which alone is searched then. ${backend.whereFilesGo} To keep them longer, export them. Names, dates and ratings are normalized, and comments after “;” are left out.`),
    h("label", { class: "check" }, comments, "Add the comments of the query to the games"),
    ...told(on, words, listed), place, h("div", { class: "row end" }, h("button", { type: "button", onclick: () => box.close() }, "Cancel"), submit));
  const box = dialog("Save results as a collection", form);
  field.select();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const made = await whileOpen(box, place, (tell, signal) => backend.saveCollection(query, on, { name: field.value.trim() || "Results", plain: !comments.checked }, tell, signal));
    submit.disabled = false;
    if (!made) return;
    box.close();
    done(made.collections, made.id);
    tellWritten(`${field.value.trim() || "Results"} is a collection now, and the only one that is searched`, made);
  });
}

export function funnelDialog(backend: Backend, query: Query, on: Selection, select: (place: Place) => void): void {
  const place = h("div", { class: "funnel" });
  const box = dialog("Matches after each condition", place);
  void whileOpen(box, place, (tell, signal) => backend.funnel(query, on, tell, signal)).then((funnel) => {
    if (!funnel) return;
    const most = Math.max(1, funnel.rows[0]?.games ?? 1);
    replace(place, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Condition"), h("th", {}, "Games"), h("th", {}, "Positions"), h("th", {}, h("span", { class: "unseen" }, "share")))),
      h("tbody", {}, ...funnel.rows.map((row, i) => h("tr", {},
        h("td", {}, i === 0 ? (on.games ? "the listed games" : "all games") : h("button", { type: "button", class: "link", onclick: () => (box.close(), select(row)) }, h("code", {}, row.text))),
        h("td", { class: "n" }, count(row.games)), h("td", { class: "n" }, count(row.positions)),
        h("td", { class: "share" }, h("i", { style: `width:${(row.games / most) * 100}%` })))))),
      h("p", { class: "told" }, "Each line counts the games and positions that meet its condition and all conditions above it."));
  });
}

function bars(title: string, pairs: [string | number, number][], note = ""): HTMLElement | null {
  if (pairs.length === 0) return null;
  const most = Math.max(...pairs.map(([, n]) => n));
  return h("section", {}, h("h3", {}, title, note && h("small", {}, ` ${note}`)), h("ul", { class: "plain-bars" }, ...pairs.map(([name, n]) =>
    h("li", {}, h("span", { title: String(name) }, isolated(String(name))), h("i", { style: `--share:${(n / most) * 100}%` }), h("b", {}, count(n))))));
}

/** Draws a column chart for ordered keys, such as years. */
function columns(title: string, pairs: [number, number][], step: number): HTMLElement | null {
  if (pairs.length === 0) return null;
  const [first, last] = [pairs[0][0], pairs[pairs.length - 1][0]];
  const n = Math.min(400, (last - first) / step + 1);
  const most = Math.max(...pairs.map(([, count]) => count));
  const parts = pairs.map(([key, value]) => {
    const height = (value / most) * 60;
    return s("rect", { x: (key - first) / step, y: 60 - height, width: 0.9, height: Math.max(height, 0.5) }, s("title", {}, `${key}: ${count(value)}`));
  });
  return h("section", {}, h("h3", {}, title), s("svg", { class: "columns", viewBox: `0 0 ${n} 60`, preserveAspectRatio: "none", role: "img", "aria-label": `${title}, ${first} to ${last}` }, ...parts), h("p", { class: "axis" }, h("span", {}, String(first)), h("span", {}, String(last))));
}

export function statsDialog(backend: Backend, title: string, on: Selection): void {
  const place = h("div", { class: "stats", role: "region", "aria-label": "statistics", tabindex: 0 });
  const box = dialog(title, place);
  void whileOpen(box, place, (tell, signal) => backend.stats(on, tell, signal)).then((stats) => {
    if (!stats) return;
    const order = ["1-0", "1/2-1/2", "0-1", "*"];
    const found = [...stats.results].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
    const results = found.map(([name, n]): [string, number] => [name.replace("1/2-1/2", "½–½").replace("-", "–").replace("*", "unknown"), n]);
    const others = stats.games - results.reduce((sum, [, n]) => sum + n, 0);
    if (others > 0) results.push(["left out", others]);
    replace(place,
      h("p", { class: "large" }, counted(stats.games, "game"), stats.nPlayers > 0 && `, ${counted(stats.nPlayers, "player")}`),
      ...stats.failures.map((why) => h("p", { class: "error" }, message(why))),
      bars("Results", results), columns("Years", stats.years, 1), columns("Ratings", stats.elos, 100), bars("Players", stats.players), bars("Events", stats.events, `${count(stats.nEvents)} in all`), bars("Openings", stats.openings, `${count(stats.nOpenings)} in all`));
  });
}

/** Builds the archive of a collection; closing the dialog stops it. `wantsThemes` says whether it was opened to
 * store all themes. */
export function archiveDialog(backend: Backend, collection: Collection, wantsThemes: boolean, changed: (isMade: boolean) => void): void {
  const place = h("div");
  const hasThemes = (collection.archive?.themes?.length ?? 0) > 0;
  const themes = h("input", { type: "checkbox", checked: hasThemes || wantsThemes });
  // A box that is left as it was changes nothing: an archive may store some themes.
  const wanted = () => (themes.checked === hasThemes && !wantsThemes ? undefined : themes.checked);
  const submit = h("button", { class: "main" }, collection.archive?.state === "none" ? "Build" : "Bring up to date");
  const form = h("form", {},
    h("p", {}, "Searches here and in a terminal read the archive instead of the text and take a fraction of the time. The archive is stored next to the games."),
    h("label", { class: "check" }, themes, "Store the themes of the games, too: takes longer once, and makes searches for themes quick"),
    place, h("div", { class: "row end" }, h("button", { type: "button", onclick: () => box.close() }, "Close"), submit));
  const box = dialog(`Archive of ${collection.name}`, form);
  submit.focus();
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    submit.disabled = true;
    const made = await whileOpen(box, place, (tell, signal) => backend.archive(collection.id, wanted(), tell, signal));
    submit.disabled = false;
    if (made) replace(place, h("p", { role: "status" }, `${made.name} has ${counted(made.games, "game")}.`), made.unused && h("p", { class: "error" }, message(`Searches read the games all the same: ${made.unused}.`)));
    changed(made !== null);
  });
}

export function helpDialog(): void {
  // A site has the book next to the playground.
  const book = document.querySelector<HTMLLinkElement>('link[rel="help"]');
  const keys: [string, string][] = [
    ["Ctrl+Enter", "search"], ["Ctrl+K", "find a theme, recipe or word"], ["Esc", "stop the search"], ["← →", "previous, next move"], ["Home End", "start and end of the game; first and last game in the list"], ["n p", "next, previous match in the game"],
    ["↑ ↓, k j", "previous, next game"], ["f", "flip the board"], ["l", "positions like this one"], ["1 2 3", "mask, position, query"], ["F6", "next part of the page"], ["e", "go to the query"], ["Tab", "leave the query"], ["Ctrl+]", "indent lines"], ["/", "search within the games"], ["Ctrl+Space", "complete"], ["Ctrl+.", "edits and rewrites of the query"],
    ["F2, F12", "rename, go to the definition"], ["Shift+Alt+F", "format"], ["Ctrl+S", "export"], ["Ctrl+Z", "take the last step of the drawing back"],
    ["Shift+← →", "select squares to draw on; Enter draws"], ["K Q R B N P", "draw a white piece; small letters black ones"], ["A a _", "draw any white piece, any black piece, an empty square"], ["Delete", "erase what is drawn on the square"],
  ];
  dialog("Keys and hints",
    h("dl", { class: "keys" }, ...keys.map(([key, words]) => h("div", {}, h("dt", {}, ...key.split(/( |, )/).map((part) => (part.trim() && part !== ", " ? h("kbd", {}, part) : part))), h("dd", {}, words)))),
    h("p", {}, "Hover over a word of the query to read about it. If you put the cursor on a piece such as Ra1, the board highlights its squares. If you point at a condition next to the game, the board highlights the squares of its value."),
    h("p", {}, "Move a piece to try a move. Drag with the right mouse button to draw an arrow, click with it to draw a circle."),
    book && h("p", {}, h("a", { href: book.href }, "Read the book"), ": a tour, a cookbook, a reference, and all about the program."),
    h("p", {}, "Everything stays on this machine. Queries cannot read or write files here. ", h("a", { href: "licenses.txt", target: "_blank" }, "Licenses")));
}

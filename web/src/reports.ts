// Reports about games, each a dialog with its options and then its result, to look at and to save.

import { saveAs, saveData, type Backend, type Made, type Query, type Selection } from "./backend";
import { bytes, count, counted, dialog, h, icon, menu, message, replace } from "./dom";
import { statsDialog, whileOpen } from "./dialogs";
import { themeNamed, themeWords } from "./mask";
import { themeNames } from "./mask-text";
import { NO_GAMES, isolated, compared } from "./words";

/** Games of a report. */
export interface ReportGames {
  on: Selection;
  /** Says which they are: "the 9 games found". */
  words: string;
  /** Their number, if it is known. */
  n?: number;
}

/** A choice of games, with the query whose matches count; without it, the query of the list. */
interface Choice extends ReportGames {
  query?: Query;
}

/** The query that all positions match. */
const EVERY: Query = { query: "true", values: [] };

export interface ReportSource {
  /** The query of the list, whose matches are the positions of exercises. */
  query(): Query;
  /** Whether the query was changed since the search of the list. */
  isChanged(): boolean;
  /** The games that the list shows; null without a search. */
  found(): ReportGames | null;
  /** All games of the selected collections; null if none are selected. */
  all(): ReportGames | null;
  /** The player and the opening of the mask; the color is empty if the mask has none. */
  asked(): { player: string; color: "" | "white" | "black"; opening: string };
}

/** Greatest number of exercises, and of diagrams on a sheet. */
const MOST_DIAGRAMS = 2000;

type Child = Node | string | false;

function field(label: string, element: HTMLElement): HTMLElement {
  return h("label", { class: "stacked" }, label, element);
}

function choice(options: [string, string][]): HTMLSelectElement {
  return h("select", {}, ...options.map(([value, words]) => h("option", { value }, words)));
}

/** Returns the themes that a query names, in words; empty if it names none. */
function themesIn({ query }: Query): string {
  return themeNames(query).map(themeWords).join(" or ");
}

function number(value: number, min: number, max: number): HTMLInputElement {
  return h("input", { type: "number", value: String(value), min, max, required: true });
}

export class Reports {
  readonly element: HTMLDetailsElement;

  constructor(private readonly backend: Backend, private readonly source: ReportSource) {
    const item = (words: string, about: string, open: () => void) => h("button", { type: "button", class: "quiet report", onclick: () => ((this.element.open = false), open()) }, h("b", {}, words), h("small", {}, about));
    const made = this.backend.report !== undefined;
    this.element = menu("reports", h("summary", { title: "Reports about the games" }, icon("chart"), h("span", {}, "Reports")), ...[
      made && item("Prepare…", "an opponent or an opening", () => this.prepare()),
      made && item("Exercises…", "positions with one solution", () => this.puzzles()),
      made && item("Sheet…", "diagrams to print", () => this.sheet()),
      item("Statistics", "players, years, openings", () => this.stats()),
      made && item("Duplicates…", "games that are there twice", () => this.duplicates()),
      made && item("Check the games…", "issues, and their repair", () => this.doctor()),
    ]);
  }

  /** The games of a report about games: all, or those found. */
  private get allOrFound(): Choice[] {
    return [this.source.all(), this.source.found()].filter((one) => one !== null);
  }

  /** Opens the dialog of a report. The first one of `games` is chosen before. A report that is made in several ways has a
   * button for each of the `verbs`; `main` is the one that Enter in a field presses, or -1 if the user has to choose.
   * `options` receives the index of the button. */
  private open(title: string, games: Choice[], fields: Child[], verbs: string[], main: number, options: (verb: number) => object, show: (made: Made, again: (more: object) => void) => Child[]): void {
    if (!this.source.all()) return void dialog(title, h("p", { class: "told" }, NO_GAMES));
    const which = choice(games.map(({ words }, i) => [String(i), words.charAt(0).toUpperCase() + words.slice(1)]));
    const chosen = () => games[Number(which.value)];
    const place = h("div", { class: "made" });
    const old = h("p", { class: "told", role: "status" });
    const tellOld = () => (old.textContent = this.source.isChanged() && chosen().on.games ? "The query was changed since the search: these are the games of the query before." : "");
    which.addEventListener("change", tellOld);
    tellOld();
    const buttons = verbs.map((verb, i) => h("button", { class: i === main || main < 0 ? "main" : null }, verb));
    const form = h("form", { class: "report-form" }, ...fields, field(games[0]?.query || games[1]?.query ? "Positions" : "Games", which), old, h("div", { class: "row end" }, ...buttons));
    const box = dialog(title, form, place);
    let verb = main;
    const make = async (more: object) => {
      for (const button of buttons) button.disabled = true;
      const made = await whileOpen(box, place, (tell, signal) => this.backend.report!(chosen().query ?? this.source.query(), chosen().on, { ...options(verb), ...more }, tell, signal));
      for (const button of buttons) button.disabled = false;
      if (!made) return;
      box.classList.toggle("wide", made.texts?.html !== undefined);
      replace(place, ...made.notes.map((note) => h("p", { class: "error" }, message(note))), ...show(made, (more) => void make(more)));
      place.scrollIntoView({ block: "start" });
      if (made.file) saveAs(made.file.address, made.file.name);
    };
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      // Enter in a field presses the first button.
      const isInField = document.activeElement?.matches("input, select") ?? false;
      verb = isInField ? main : buttons.indexOf(event.submitter as HTMLButtonElement);
      if (verb < 0) return buttons[0].focus();
      void make({});
    });
  }

  private prepare(): void {
    const { player, color, opening } = this.source.asked();
    const name = h("input", { value: player, list: "players", spellcheck: "false", autocomplete: "off", placeholder: "Part of a name" });
    const line = h("input", { value: opening, spellcheck: "false", placeholder: "Any; or a name, codes, moves", title: "A name such as Sicilian, codes such as B20-B99, moves, or a FEN; empty for all" });
    let isBlack = false;
    const since = h("input", { type: "number", min: 1500, max: 2047, placeholder: "none" });
    this.open("Prepare for an opponent or an opening", this.allOrFound, [
      h("p", { class: "told" }, "The report is about the games of a player with White or with Black: openings with scores, structures, endings, time trouble, mistakes, model games, and what is new."),
      h("div", { class: "pair" }, field("Player", name), field("Opening", line), field("New since the year", since)),
    ], ["Report as White", "Report as Black"], ["white", "black"].indexOf(color), (verb) => ({ kind: "prepare", player: compared(name.value), is_black: (isBlack = verb === 1), opening: line.value, since: Number(since.value) || 0 }),
      (made) => [h("p", { class: "told", role: "status" }, `Report of ${counted(made.games ?? 0, "game")}`), ...this.page(made, `${name.value || line.value || "report"}, ${isBlack ? "black" : "white"}`)]);
  }

  private puzzles(): void {
    const mate = choice([["3", "Mates in up to 3"], ["2", "Mates in up to 2"], ["1", "Mates in 1"], ["0", "No mates, only mistakes"]]);
    const theme = h("input", { spellcheck: "false", placeholder: "any, or fork" });
    const mistakes = h("input", { type: "checkbox" });
    const limit = number(60, 1, MOST_DIAGRAMS);
    const themes = themesIn(this.source.query());
    const [found, all] = [this.source.found(), this.source.all()];
    const games: Choice[] = found ? [{ ...found, words: `${themes ? "those before the theme" : "those that match"}, in ${found.words}` }] : [];
    if (all) games.push({ ...all, words: `all positions of ${all.words}`, query: EVERY });
    const need = h("p", { class: "told", role: "status" });
    const tellNeed = () => {
      const isOfMistakes = theme.value.trim() !== "" || mistakes.checked || mate.value === "0";
      replace(need, isOfMistakes && message("Mates show few themes: most exercises with a theme, and all others, are mistakes that the next move punishes. For these, the games need the comments `[%eval …]`, as games of Lichess have them and `cql annotate` writes them."));
    };
    for (const field of [theme, mistakes, mate]) field.addEventListener("input", tellNeed);
    this.open("Exercises: positions with one solution", games, [
      h("p", { class: "told" }, message("Mates are proved by trying all moves; other exercises are mistakes by the `[%eval]` comments of the games, which the next move punishes. The side to move solves. No engine is asked; `cql puzzles -engine` asks one.")),
      h("div", { class: "pair" }, field("Look for", mate), field("Theme", theme), field("At most", limit), h("label", { class: "check" }, mistakes, "Only after mistakes")), need,
    ], ["Find exercises"], 0, () => ({ kind: "puzzles", mate: Number(mate.value), theme: themeNamed(theme.value), only_mistakes: mistakes.checked, limit: Number(limit.value) }), (made) => {
      const { exercises, mates, by_evaluations, positions, refused } = made.counts!;
      const reasons = Object.entries(refused).map(([why, n]) => h("li", {}, `${count(n)} refused: ${why}`));
      return [
        h("p", { role: "status" }, h("b", {}, counted(exercises, "exercise")), ` (${counted(mates, "mate")}, ${count(by_evaluations)} after mistakes) in ${counted(positions, "position")}`),
        reasons.length > 0 && h("details", {}, h("summary", {}, "Refused positions"), h("ul", { class: "faults" }, ...reasons)),
        ...(exercises > 0 ? this.page(made, "exercises") : [h("p", { class: "told" }, message(theme.value.trim() || mistakes.checked ? "No mate shows it, and no mistake by the `[%eval …]` comments of the games." : themes ? `Before the theme (${themes}), no mate can be proved, and no mistake is punished by the \`[%eval …]\` comments of the games. The report “Sheet” takes the moves of the game as solution.` : "After a mate there is nothing to solve: choose positions before it, such as all with `wtm`."))]),
      ];
    });
  }

  private sheet(): void {
    const themes = themesIn(this.source.query());
    const title = h("input", { value: themes ? themes.charAt(0).toUpperCase() + themes.slice(1) : "Positions" });
    const half = (n: number) => counted(n, "half-move");
    const before = choice([["", themes ? "Before the theme" : "At the match"], ...(themes ? [["0", "At the match, after the theme"] as [string, string]] : []), ...[1, 2, 3, 4, 5, 6].map((n): [string, string] => [String(n), `${half(n)} before the match`])]);
    const dense = choice([["6", "6 on a page"], ["12", "12 on a page"]]);
    const limit = number(60, 1, MOST_DIAGRAMS);
    const moves = number(3, 1, 20);
    const flip = h("input", { type: "checkbox" });
    const found = this.source.found();
    this.open("Sheet of diagrams", found ? [found] : this.allOrFound, [
      h("p", { class: "told" }, `A board for each game, with its first match. The next moves of the game are the solution, on pages of their own.${themes ? ` The query matches after the last move of a theme (${themes}): the board shows the position before its first one. Some themes are longer in one game than in another: the board then goes back by their usual number of moves.` : ""}`),
      h("div", { class: "pair" }, field("Title", title), field("Diagrams", dense), field("At most", limit), field("Moves of the solution", moves), field("Board", before), h("label", { class: "check" }, flip, "Boards from the side to move")),
    ], ["Lay it out"], 0, () => ({ kind: "sheet", title: title.value, is_dense: dense.value === "12", is_flipped: flip.checked, limit: Number(limit.value), moves: Number(moves.value), before: before.value === "" ? null : Number(before.value) }),
      (made) => [h("p", { class: "told", role: "status" }, counted(made.games ?? 0, "diagram"), made.before ? `, ${count(made.before)} of them from before the match` : "", this.leftOut((found?.n ?? 0) - (made.games ?? 0) - (made.other ?? 0))), ...(made.games ? this.page(made, title.value || "sheet") : [])]);
  }

  /** Says how many games the sheet has no room for. */
  private leftOut(n: number): string {
    return n > 0 ? `. ${counted(n, "further game")} that ${n === 1 ? "matches is" : "match are"} left out: “At most” sets how many the sheet takes, up to ${count(MOST_DIAGRAMS)}` : "";
  }

  private stats(): void {
    const games = this.source.found() ?? this.source.all();
    if (games) statsDialog(this.backend, `Statistics of ${games.words}`, games.on);
    else dialog("Statistics", h("p", { class: "told" }, NO_GAMES));
  }

  private duplicates(): void {
    const moves = h("input", { type: "checkbox" });
    this.open("Duplicate games", this.allOrFound, [
      h("p", { class: "told" }, "Games are equal if they have the same moves, and players and years that fit. Of several, the longest with the most comments is kept. No file of yours is changed."),
      h("label", { class: "check" }, moves, "Compare only the moves"),
    ], ["Find duplicates"], 0, () => ({ kind: "duplicates", moves_only: moves.checked, writes: false }), ({ totals, rows = [], file }, again) => {
      const { games, equal, near, same_moves, unreadable, other_rules, without_start } = totals!;
      const others = [[same_moves, "with the moves of another game, but other players or another year"], [unreadable, "cannot be read"], [other_rules, "have rules that cql cannot play"], [without_start, "have a FEN from which no game begins"]] as const;
      return [
        h("p", { role: "status" }, h("b", {}, `${count(equal)} equal`), `, ${count(near)} nearly equal to another, of ${counted(games, "game")}`),
        ...others.filter(([n]) => n > 0).map(([n, words]) => h("p", { class: "told" }, `${count(n)} ${words}`)),
        h("div", { class: "row" }, file ? h("p", { role: "status" }, `${file.name}, ${bytes(file.bytes)}`) : equal > 0 && h("button", { type: "button", onclick: () => again({ writes: true }) }, "Save the games without the equal ones")),
        table(["Game", "Players", "Date", "Kind", "Kept"], rows.map((row) => {
          const of = row.of as { input: string; game: number };
          return [`${row.game} of ${fileName(row.input)}`, `${isolated(String(row.white))} – ${isolated(String(row.black))}`, String(row.date), row.kind === "near" ? "nearly equal" : "equal", `${of.game} of ${fileName(of.input)}`];
        }), equal + near),
      ];
    });
  }

  private doctor(): void {
    this.open("Check the games", this.allOrFound.slice(0, 1), [
      h("p", { class: "told" }, "Finds what a search cannot read as it is written. A repaired copy keeps every word, and games without issues byte for byte. Only PGN can be checked."),
    ], ["Check"], 0, () => ({ kind: "doctor", writes: false }), ({ sums, rows = [], file }, again) => {
      const { games, faulty_games, games_not_repaired, faults } = sums!;
      return [
        h("p", { role: "status" }, h("b", {}, counted(faulty_games, "game")), ` with issues, of ${count(games)}`, games_not_repaired > 0 && `; ${count(games_not_repaired)} could not be repaired`),
        h("ul", { class: "faults" }, ...faults.map((fault) => h("li", {}, `${count(fault.count)} ${fault.name}, in ${counted(fault.games, "game")}`))),
        h("div", { class: "row" }, file ? h("p", { role: "status" }, `${file.name}, ${bytes(file.bytes)}`) : faults.length > 0 && h("button", { type: "button", onclick: () => again({ writes: true }) }, "Save a repaired copy")),
        table(["Place", "Issue", "What a search does"], rows.map((row) => [`${fileName(row.file)}, line ${row.line}${row.game ? `, game ${row.game}` : ""}`, String(row.what), String(row.done)]), faults.reduce((sum, fault) => sum + fault.count, 0)),
      ];
    });
  }

  /** Returns a page to look at, and buttons to save it and to print it. */
  private page({ texts = {} }: Made, name: string): Child[] {
    const frame = h("iframe", { class: "page-of-report", title: name, sandbox: "allow-same-origin allow-modals", srcdoc: texts.html ?? "" });
    const words: Record<string, string> = { html: "page", pgn: "PGN", epd: "EPD", csv: "table of Lichess", "anki.csv": "cards for Anki", json: "JSON" };
    const plain = name.replace(/[^\p{L}\p{N} _,-]/gu, "-");
    return [
      h("div", { class: "row save" }, h("span", { class: "told" }, "Save as"),
        ...Object.entries(texts).map(([end, text]) => h("button", { type: "button", class: "small", onclick: () => saveData(text, `${plain}.${end}`) }, words[end] ?? end)),
        h("span", { class: "grow" }), h("button", { type: "button", class: "small", onclick: () => frame.contentWindow?.print() }, "Print…")),
      frame,
    ];
  }
}

function fileName(path: unknown): string {
  return String(path).split(/[/\\]/).pop() ?? "";
}

/** Shows rows of a report, which has `all` of them. */
function table(heads: string[], rows: string[][], all: number): HTMLElement | false {
  return rows.length > 0 && h("div", { class: "scroll" }, h("table", {}, h("thead", {}, h("tr", {}, ...heads.map((head) => h("th", {}, head)))), h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell) => h("td", {}, cell)))))),
    all > rows.length && h("p", { class: "told" }, `The first ${count(rows.length)} of ${count(all)} are shown.`));
}

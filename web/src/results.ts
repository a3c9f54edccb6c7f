// The matching games: a list of any length, sorted, filtered, grouped and counted.

import type { Cell, Cells, Heading, Row } from "./backend";
import { count, counted, h, replace, s } from "./dom";
import { resultBar } from "./opening-tree";

const enum At {
  Number, InInput, Offset, White, Black, Date, Event, Eco, Opening, WhiteElo, BlackElo, Result, Matches, Comment, Sort, Values,
}

/** Height of a row of the list in pixels. */
const HEIGHT = 52;

/** Greatest number of groups in a chart. */
const MOST_GROUPS = 60;

export const RESULTS = ["*", "1–0", "0–1", "½–½"];

export interface Key {
  name: string;
  of(row: Cells): Cell;
  /** Whether the greatest value comes first. */
  descending?: boolean;
  /** Words for a value, if it is not written as it is. */
  words?(value: Cell): string;
}

function wordsOf(key: Key, value: Cell): string {
  return value === null ? "none" : (key.words?.(value) ?? String(value));
}

const year = (row: Cells): number | null => {
  const found = /^\d{4}/.exec(row[At.Date]);
  return found && found[0] !== "0000" ? Number(found[0]) : null;
};
const mean = (row: Cells): number | null => {
  const elos = [row[At.WhiteElo], row[At.BlackElo]].filter((elo) => elo > 0);
  return elos.length > 0 ? Math.round(elos.reduce((a, b) => a + b) / elos.length) : null;
};
const step = (value: number | null, size: number): number | null => (value === null ? null : Math.floor(value / size) * size);
const text = (value: string): string | null => value || null;

const SORTS: Key[] = [
  { name: "Date", of: (row) => text(row[At.Date].replaceAll("?", "0")), descending: true },
  { name: "White", of: (row) => text(row[At.White]) },
  { name: "Black", of: (row) => text(row[At.Black]) },
  { name: "Rating", of: mean, descending: true },
  { name: "Opening", of: (row) => text(row[At.Eco]) },
  { name: "Matching positions", of: (row) => row[At.Matches], descending: true },
];

/** Needs rows with the names of openings. */
const OPENING: Key = { name: "Opening by name", of: (row) => text(row[At.Opening]) };

const GROUPS: Key[] = [
  { name: "Result", of: (row) => RESULTS[row[At.Result]] },
  { name: "Year", of: year },
  { name: "Decade", of: (row) => step(year(row), 10), words: (decade) => `${decade}s` },
  { name: "Rating", of: (row) => step(mean(row), 100) },
  { name: "Opening", of: (row) => text(row[At.Eco].slice(0, 3)) },
  OPENING,
  { name: "White", of: (row) => text(row[At.White]) },
  { name: "Black", of: (row) => text(row[At.Black]) },
  { name: "Event", of: (row) => text(row[At.Event]) },
  { name: "Matching positions", of: (row) => row[At.Matches] },
  { name: "Comment of the query", of: (row) => text(row[At.Comment]) },
];

interface Group {
  key: Cell;
  games: number;
  /** Number of games per result, in the order of `RESULTS`. */
  results: [number, number, number, number];
}

export class Results {
  readonly element: HTMLElement;
  rows: Row[] = [];
  inputs: string[] = [];
  /** Rows that pass the filter, in the current order. */
  private shown: Row[] = this.rows;
  /** The numbers of the shown games, as last asked for. */
  private numbered: { shown: Row[]; length: number; games: number[] } | null = null;
  private sorts: Key[] = [];
  private values: string[] = [];
  private sort = -1;
  private isDescending = false;
  private filter = "";
  /** Words that were searched within the games before. */
  private steps: string[] = [];
  private chosenGroup: { key: Key; value: Cell } | null = null;
  private selected = -1;
  private readonly list: HTMLElement;
  private readonly canvas: HTMLElement;
  private readonly chart: HTMLElement;
  private readonly empty: HTMLElement;
  private readonly sortSelect: HTMLSelectElement;
  private readonly direction: HTMLButtonElement;
  private readonly groupSelect: HTMLSelectElement;
  private readonly filterInput: HTMLInputElement;
  private readonly chip: HTMLElement;
  private readonly pool = new Map<number, ShownRow>();
  private total = -1;
  /** Scroll offset and height of the list, as of its last events: reading them would force a layout. */
  private top = 0;
  private height = 0;
  private isScheduled = false;
  /** Names of the sort keys and groups that are offered. */
  private choices = "";
  private hasOpenings = false;
  private areOfGames = false;
  /** How the list is narrowed, as last told. */
  private narrowing = "";

  /** `search` repeats the search, to get the names of openings; `narrowed` is called when the list shows
   * fewer games, or more. */
  constructor(private readonly open: (row: Row, isAsked: boolean) => void, private readonly search: () => void, private readonly narrowed: () => void) {
    this.canvas = h("div", { class: "canvas" });
    this.list = h("div", { class: "list", tabindex: 0, role: "listbox", "aria-label": "matching games", onscroll: () => this.scrolled(), onkeydown: (event: KeyboardEvent) => this.key(event) }, this.canvas);
    this.empty = h("div", { class: "empty" });
    this.chart = h("div", { class: "chart", hidden: true, tabindex: 0, role: "region", "aria-label": "groups of games" });
    this.sortSelect = h("select", { "aria-label": "sort by", onchange: () => this.sortBy(Number(this.sortSelect.value)) });
    this.direction = h("button", { type: "button", class: "quiet small", onclick: () => this.turn() });
    this.groupSelect = h("select", { "aria-label": "group by", onchange: () => this.showChart() });
    this.filterInput = h("input", { type: "search", placeholder: "Search within", title: "Names, dates, openings of the games that are listed; Enter keeps the words and takes others", "aria-label": "search within the games", class: "filter", oninput: () => this.filterBy(this.filterInput.value), onkeydown: (event: KeyboardEvent) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && this.keepWords() });
    this.chip = h("div", { class: "chips" });
    this.element = h("div", { class: "results" },
      h("div", { class: "tools" }, this.filterInput,
        this.sortSelect, this.direction, this.groupSelect),
      this.chip, this.chart, this.list, this.empty);
    new ResizeObserver(([{ contentRect }]) => {
      this.height = contentRect.height;
      this.scrolled();
    }).observe(this.list);
    this.keys();
  }

  /** Whether games are grouped by the name of the opening. */
  get wantsOpenings(): boolean {
    return this.allGroups()[Number(this.groupSelect.value)] === OPENING;
  }

  /** Removes all rows. Those to come may have names of openings, and are from the files `inputs`. If they are
   * `ofGames`, the numbers of their matches are those of all of their positions, and are not shown. */
  clear(hasOpenings: boolean, inputs: string[], ofGames: boolean): void {
    this.hasOpenings = hasOpenings;
    this.areOfGames = ofGames;
    this.rows = [];
    this.shown = this.rows;
    this.numbered = null;
    this.inputs = inputs;
    this.selected = -1;
    this.chosenGroup = null;
    this.filter = "";
    this.steps = [];
    this.filterInput.value = "";
    this.narrowing = "";
    this.sorts = [];
    this.values = [];
    this.sort = -1;
    this.scrollTo(0);
    this.tellEmpty(null);
    this.list.setAttribute("aria-busy", "true");
    for (const row of this.pool.values()) row.element.remove();
    this.pool.clear();
    this.keys();
    this.chips();
    this.schedule();
  }

  /** Sets the sort keys and values of the rows to come. */
  start({ sort, ascending, values }: Heading): void {
    this.sorts = sort.map((name, i) => ({ name: name || "value", of: (row) => row[At.Sort][i] ?? null, descending: !ascending[i] }));
    this.values = values;
    if (sort.length > 0) {
      this.sort = 0;
      this.isDescending = !ascending[0];
    }
    this.keys();
  }

  add(rows: Row[]): void {
    const isPlain = this.shown === this.rows;
    for (const row of rows) this.rows.push(row);
    if (!isPlain) {
      for (const row of rows) if (this.passes(row)) this.shown.push(row);
    }
    this.schedule();
  }

  /** Ends the list: no more rows come. */
  finish(nothing: Node | null): void {
    if (this.sort >= 0 || this.shown !== this.rows || !this.chart.hidden) this.arrange();
    else this.schedule();
    this.list.setAttribute("aria-busy", "false");
    if (this.rows.length === 0) this.tellEmpty(nothing);
  }

  /** Shows a text in place of the list. */
  private tellEmpty(words: Node | null): void {
    replace(this.empty, words);
    this.list.hidden = words !== null;
  }

  /** Names of the players of the first `n` games. */
  names(n: number): string[] {
    return this.rows.slice(0, n).flatMap(({ cells }) => [cells[At.White], cells[At.Black]]).filter(Boolean);
  }

  get length(): number {
    return this.rows.length;
  }

  private allSorts(): Key[] {
    const values = this.values.map((name, i): Key => ({ name, of: (row) => row[At.Values][i] ?? null, descending: true }));
    return [...this.sorts, ...values, ...SORTS];
  }

  private allGroups(): Key[] {
    const values = this.values.map((name, i): Key => ({ name, of: (row) => row[At.Values][i] ?? null }));
    const sorts = this.sorts.map((key): Key => ({ name: key.name, of: key.of }));
    return [...values, ...sorts, ...GROUPS];
  }

  private keys(): void {
    const [sorts, groups] = [this.allSorts(), this.allGroups()].map((keys) => keys.map((key) => key.name));
    const choices = JSON.stringify([sorts, groups]);
    if (choices !== this.choices) {
      this.choices = choices;
      const option = (name: string, i: number) => h("option", { value: String(i) }, name);
      const group = this.groupSelect.selectedOptions[0]?.textContent ?? "";
      replace(this.sortSelect, option("File order", -1), ...sorts.map(option));
      replace(this.groupSelect, option("Group by…", -1), ...groups.map(option));
      this.groupSelect.value = String(groups.indexOf(group));
    }
    this.sortSelect.value = String(this.sort);
    this.tellDirection();
  }

  private tellDirection(): void {
    const arrow = this.isDescending ? "↓" : "↑";
    if (this.direction.textContent !== arrow) this.direction.textContent = arrow;
    this.direction.title = this.isDescending ? "Greatest first" : "Smallest first";
    this.direction.setAttribute("aria-label", this.direction.title);
    this.direction.disabled = this.sort < 0;
  }

  private sortBy(sort: number): void {
    this.sort = sort;
    this.isDescending = this.allSorts()[sort]?.descending ?? false;
    this.tellDirection();
    this.arrange();
  }

  private turn(): void {
    this.isDescending = !this.isDescending;
    this.tellDirection();
    this.arrange();
  }

  private filterBy(text: string): void {
    this.filter = text.trim().toLowerCase();
    this.arrange();
  }

  private passes({ cells: row }: Row): boolean {
    const group = this.chosenGroup;
    if (group && group.key.of(row) !== group.value) return false;
    if (this.filter === "" && this.steps.length === 0) return true;
    const all = `${row[At.White]} ${row[At.Black]} ${row[At.Event]} ${row[At.Opening]} ${row[At.Eco]} ${row[At.Date]} ${row[At.Comment]}`.toLowerCase();
    return [this.filter, ...this.steps].every((step) => step.toLowerCase().split(" ").every((word) => all.includes(word)));
  }

  private arrange(): void {
    const selected = this.shown[this.selected];
    const isFiltered = this.filter !== "" || this.steps.length > 0 || this.chosenGroup !== null;
    let shown = isFiltered ? this.rows.filter((row) => this.passes(row)) : this.rows;
    const key = this.allSorts()[this.sort];
    if (key) {
      const direction = this.isDescending ? -1 : 1;
      const keyed = shown.map((row): [Cell, Row] => [key.of(row.cells), row]);
      keyed.sort(([a, x], [b, y]) => order(a, b, direction) || x.cells[At.Number] - y.cells[At.Number]);
      shown = keyed.map(([, row]) => row);
    }
    this.shown = shown;
    this.selected = selected ? shown.indexOf(selected) : -1;
    const state = isFiltered ? `${shown.length} of ${this.rows.length}` : "";
    if (state !== this.narrowing) {
      this.narrowing = state;
      this.narrowed();
    }
    for (const row of this.pool.values()) row.element.remove();
    this.pool.clear();
    if (!this.chart.hidden) this.showChart();
    this.schedule();
  }

  private scrolled(): void {
    this.top = this.list.scrollTop;
    this.schedule();
  }

  private scrollTo(top: number): void {
    // A hidden list cannot be scrolled.
    if (top === this.top || this.height === 0) return;
    this.list.scrollTop = top;
    this.top = top;
  }

  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    requestAnimationFrame(() => {
      this.isScheduled = false;
      this.render();
    });
  }

  private render(): void {
    const total = this.shown.length;
    if (total !== this.total) {
      this.total = total;
      this.canvas.style.height = `${total * HEIGHT}px`;
      for (const row of this.pool.values()) row.element.setAttribute("aria-setsize", String(total));
    }
    // A list that has become shorter may end above the scroll offset.
    const top = Math.max(0, Math.min(this.top, total * HEIGHT - this.height));
    const from = Math.max(0, Math.floor(top / HEIGHT) - 3);
    const to = Math.min(total, Math.ceil((top + this.height) / HEIGHT) + 3);
    // Rows that are scrolled out of sight are reused.
    const free: ShownRow[] = [];
    for (const [index, row] of this.pool) {
      if (index >= from && index < to) continue;
      this.pool.delete(index);
      free.push(row);
    }
    for (let index = from; index < to; index++) {
      if (this.pool.has(index)) continue;
      const row = free.pop() ?? new ShownRow(this.canvas, (at) => this.select(at));
      const { cells } = this.shown[index];
      row.show(cells, index, this.factsOf(cells), this.areOfGames ? 1 : cells[At.Matches]);
      row.element.setAttribute("aria-setsize", String(total));
      this.pool.set(index, row);
    }
    for (const row of free) row.element.remove();
    for (const [index, row] of this.pool) row.choose(index === this.selected);
    if (this.pool.has(this.selected)) this.list.setAttribute("aria-activedescendant", `row-${this.selected}`);
    else this.list.removeAttribute("aria-activedescendant");
  }

  /** Returns the sort keys and values of a game, by name. */
  private factsOf(row: Cells): [string, string][] {
    const sorted = this.sorts.map((key): [string, Cell] => [key.name, key.of(row)]);
    const values = this.values.map((name, i): [string, Cell] => [name, row[At.Values][i] ?? null]);
    return [...sorted, ...values].filter(([, value]) => value !== null).map(([name, value]) => [name, String(value)]);
  }

  /** Opens a game of the list; `isAsked` says whether the user wants to see it. */
  select(index: number, isAsked = true): void {
    if (index < 0 || index >= this.shown.length) return;
    this.selected = index;
    const top = index * HEIGHT;
    if (top < this.top) this.scrollTo(top);
    else if (top + HEIGHT > this.top + this.height) this.scrollTo(top + HEIGHT - this.height);
    this.schedule();
    this.open(this.shown[index], isAsked);
  }

  /** Marks a game as the open one. */
  mark(number: number): void {
    this.selected = this.shown.findIndex((row) => row.cells[At.Number] === number);
    if (this.selected >= 0) this.scrollTo(Math.max(0, this.selected * HEIGHT - this.height / 3));
    this.schedule();
  }

  /** Words that were searched within the games. */
  get within(): string[] {
    return [...this.steps, ...(this.filter ? [this.filterInput.value.trim()] : [])];
  }

  set within(steps: string[]) {
    this.steps = steps;
    this.filter = "";
    this.filterInput.value = "";
    this.chips();
    this.arrange();
  }

  move(by: number): void {
    this.select(Math.max(0, Math.min(this.shown.length - 1, this.selected + by)));
  }

  focusFilter(): void {
    this.filterInput.focus();
  }

  /** The chosen group; empty for none. */
  get group(): string {
    return this.chosenGroup ? `${this.chosenGroup.key.name} ${this.chosenGroup.value}` : "";
  }

  /** Number of games that the list shows. */
  get nShown(): number {
    return this.shown.length;
  }

  /** Whether the list shows only some of the games that match. */
  get isNarrowed(): boolean {
    return this.shown.length < this.rows.length;
  }

  /** Numbers of the games that the list shows, each as the difference from the one before it. */
  get games(): number[] {
    const { shown, numbered } = this;
    // The list only grows until it is arranged anew.
    if (numbered?.shown === shown && numbered.length === shown.length) return numbered.games;
    const isShown = this.isNarrowed ? new Set(shown) : null;
    let last = 0;
    const games = this.rows.filter((row) => isShown?.has(row) ?? true).map(({ number }) => {
      const step = number - last;
      last = number;
      return step;
    });
    this.numbered = { shown, length: shown.length, games };
    return games;
  }

  get isSorted(): boolean {
    return this.sort >= 0;
  }

  get hasSelection(): boolean {
    return this.selected >= 0;
  }

  private key(event: KeyboardEvent): void {
    const page = Math.max(1, Math.floor(this.height / HEIGHT) - 1);
    const moves: Record<string, number> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -this.shown.length, End: this.shown.length };
    const by = moves[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.move(by);
  }

  // Groups.

  private showChart(): void {
    const key = this.allGroups()[Number(this.groupSelect.value)];
    this.chart.hidden = !key;
    if (!key) return;
    if (key === OPENING && !this.hasOpenings && this.rows.length > 0) return this.search();
    const groups = new Map<Cell, Group>();
    // With a group chosen, the chart still shows all groups.
    const rows = this.chosenGroup ? this.rows : this.shown;
    for (const { cells: row } of rows) {
      const value = key.of(row);
      let group = groups.get(value);
      if (!group) groups.set(value, (group = { key: value, games: 0, results: [0, 0, 0, 0] }));
      group.games += 1;
      group.results[row[At.Result]] += 1;
    }
    let all = [...groups.values()];
    const isNumeric = all.every((group) => typeof group.key !== "string");
    all.sort((a, b) => (isNumeric ? order(a.key, b.key, 1) : b.games - a.games || order(a.key, b.key, 1)));
    let left: Group[] = [];
    if (all.length > MOST_GROUPS) {
      const most = [...all].sort((a, b) => b.games - a.games).slice(0, MOST_GROUPS);
      left = all.filter((group) => !most.includes(group));
      all = all.filter((group) => most.includes(group));
    }
    replace(this.chart, h("table", {}, h("thead", {}, h("tr", {}, ...[[key.name, ""], ["Games", "n"], ["Results", ""], ["White's score", "n"], ["95 % interval", ""]].map(([words, className]) => h("th", { class: className }, words)))),
      h("tbody", {}, ...all.map((group) => this.groupRow(key, group)))),
      left.length > 0 && h("p", { class: "told" }, `These are the ${MOST_GROUPS} groups with the most games. The other ${count(left.length)}, with ${counted(left.reduce((sum, group) => sum + group.games, 0), "game")}, are not shown; words in “Search within” narrow the list to some of them.`));
  }

  private groupRow(key: Key, group: Group): HTMLElement {
    const isChosen = this.chosenGroup?.value === group.key && this.chosenGroup.key.name === key.name;
    const name = wordsOf(key, group.key);
    const [, white, black, draws] = group.results;
    const interval = scoreOf(white, draws, black);
    const choose = () => {
      this.chosenGroup = isChosen ? null : { key, value: group.key };
      this.chips();
      this.arrange();
    };
    const words = `${name}: ${counted(group.games, "game")}, ${count(white)} won by White, ${count(draws)} drawn, ${count(black)} won by Black`;
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    return h("tr", { class: "bar", onclick: choose },
      h("td", { class: "cut" }, h("button", { type: "button", class: "link name", title: words, "aria-pressed": String(isChosen), onclick: (event: Event) => (event.stopPropagation(), choose()) }, name)),
      h("td", { class: "n" }, count(group.games)), h("td", {}, resultBar(white, draws, black)),
      h("td", { class: "n", title: "Points of White" }, interval ? percent(interval.score) : ""),
      h("td", {}, interval && s("svg", { class: "interval", viewBox: "0 0 100 12", preserveAspectRatio: "none", role: "img", "aria-label": `${percent(interval.low)} to ${percent(interval.high)}` },
        s("title", {}, `${percent(interval.low)} to ${percent(interval.high)}`), s("path", { class: "middle", d: "M50 0v12" }), s("path", { class: "range", d: `M${interval.low * 100} 6H${interval.high * 100}` }), s("path", { class: "score", d: `M${interval.score * 100} 2v8` }))));
  }

  private chips(): void {
    const group = this.chosenGroup;
    const chip = (words: string, remove: () => void) => h("button", {
      type: "button", class: "chip", title: "Remove this step only", onclick: () => {
        remove();
        this.chips();
        this.arrange();
      },
    }, `${words}  ×`);
    replace(this.chip, ...this.steps.map((step, i) => chip(`“${step}”`, () => this.steps.splice(i, 1))),
      group && chip(`${group.key.name}: ${wordsOf(group.key, group.value)}`, () => (this.chosenGroup = null)));
  }

  /** Keeps the words of the field, so that others can be searched within the games that have them. */
  private keepWords(): void {
    const words = this.filterInput.value.trim();
    if (!words) return;
    this.steps.push(words);
    this.filterInput.value = "";
    this.filter = "";
    this.chips();
    this.arrange();
  }
}

/** Returns the score of White and its 95 % interval by Wilson's formula; null without results. */
export function scoreOf(white: number, draws: number, black: number): { score: number; low: number; high: number } | null {
  const n = white + draws + black;
  if (n === 0) return null;
  const score = (white + draws / 2) / n;
  const z = 1.96;
  const middle = (score + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z / (1 + (z * z) / n)) * Math.sqrt((score * (1 - score)) / n + (z * z) / (4 * n * n));
  return { score, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** A visible row. It keeps its few elements when it shows another game, so that scrolling is quick. */
class ShownRow {
  readonly element: HTMLElement;
  private index = -1;
  private isChosen = false;
  private readonly result = h("span", { class: "result" });
  private readonly players = h("span", { class: "players" });
  private readonly about = h("span", { class: "about" });
  private readonly badge = h("span", { class: "badge" });

  constructor(canvas: HTMLElement, choose: (index: number) => void) {
    this.element = h("div", { class: "row-game", role: "option", "aria-selected": "false", onclick: () => choose(this.index) }, this.result, this.players, this.about, this.badge);
    canvas.append(this.element);
  }

  /** Shows a game with `n` matches to tell. */
  show(row: Cells, index: number, facts: [string, string][], n: number): void {
    this.index = index;
    this.element.id = `row-${index}`;
    this.element.setAttribute("aria-posinset", String(index + 1));
    this.element.style.top = `${index * HEIGHT}px`;
    this.result.className = `result r${row[At.Result]}`;
    this.result.textContent = RESULTS[row[At.Result]];
    const elo = (elo: number) => (elo > 0 ? h("small", {}, ` ${elo}`) : null);
    replace(this.players, row[At.White] || "?", elo(row[At.WhiteElo]), " – ", row[At.Black] || "?", elo(row[At.BlackElo]));
    const told = [row[At.Date].replace(/\.\?\?/g, ""), row[At.Event], row[At.Eco]].filter(Boolean).join(" · ") || `game ${count(row[At.Number])}`;
    // The first value is at the right, or else the number of matches.
    const [first, ...others] = facts;
    // Values stand before the date and the event, which may be long.
    const parts = [...others, ...(first && n > 1 ? [["matches", count(n)]] : [])].flatMap(([name, value]) => [`${name} `, h("b", {}, value), " · "]);
    // The automatic comment of a path is shown in the game only.
    const comment = row[At.Comment].startsWith("Start path") ? "" : row[At.Comment];
    replace(this.about, ...parts, told, comment && h("i", {}, ` · ${comment}`));
    const [value, name] = first ? [first[1], first[0]] : n > 1 ? [count(n), "matches"] : ["", ""];
    this.element.classList.toggle("several", value !== "");
    this.badge.hidden = value === "";
    replace(this.badge, h("b", {}, value), h("small", {}, name));
  }

  choose(is: boolean): void {
    if (is === this.isChosen) return;
    this.isChosen = is;
    this.element.setAttribute("aria-selected", String(is));
  }
}

/** Compares two values; null comes last in both directions. */
function order(a: Cell, b: Cell, direction: number): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (typeof a === "string" && typeof b === "string") return (a < b ? -1 : 1) * direction;
  return (Number(a) - Number(b)) * direction;
}

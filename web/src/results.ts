// The matching games: a list of any length, sorted, filtered, grouped and counted.

import type { Cell, Cells, Heading, Row } from "./backend";
import { Columns, type Column } from "./columns";
import { OneStop, count, counted, h, put, removable, replace, s } from "./dom";
import { resultBar } from "./opening-tree";
import { isolated } from "./words";

export const enum At {
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
  /** Whether the values are names, which have the order of a dictionary. */
  isName?: boolean;
  /** Words for a value, if it is not written as it is. */
  words?(value: Cell): string;
}

function plainWordsOf(key: Key, value: Cell): string {
  return value === null ? "none" : (key.words?.(value) ?? String(value));
}

function wordsOf(key: Key, value: Cell): string {
  return isolated(plainWordsOf(key, value));
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
  { name: "White", of: (row) => text(row[At.White]), isName: true },
  { name: "Black", of: (row) => text(row[At.Black]), isName: true },
  { name: "Rating", of: mean, descending: true },
  { name: "Opening", of: (row) => text(row[At.Eco]) },
  { name: "Matching positions", of: (row) => row[At.Matches], descending: true },
];

/** Keys that need rows with the names and codes of openings by their moves, as the mask compares them. */
const OPENINGS: Key[] = [{ name: "Opening", of: (row) => text(row[At.Eco]) }, { name: "Opening by name", of: (row) => text(row[At.Opening]) }];

const GROUPS: Key[] = [
  { name: "Result", of: (row) => RESULTS[row[At.Result]] },
  { name: "Year", of: year },
  { name: "Decade", of: (row) => step(year(row), 10), words: (decade) => `${decade}s` },
  { name: "Rating", of: (row) => step(mean(row), 100) },
  ...OPENINGS,
  { name: "White", of: (row) => text(row[At.White]) },
  { name: "Black", of: (row) => text(row[At.Black]) },
  { name: "Event", of: (row) => text(row[At.Event]) },
  { name: "Matching positions", of: (row) => row[At.Matches] },
  { name: "Comment of the query", of: (row) => text(row[At.Comment]) },
];

/** How the list is narrowed, sorted and grouped. What is not there stays as it is. */
export interface Look {
  /** Words that were searched within the games, and those in the field. */
  steps: string[];
  words?: string;
  /** Name of the sort key; empty for the order of the files. */
  sort?: string;
  isDescending?: boolean;
  /** Name of the key by which the games are grouped; empty for none. */
  group?: string;
  /** The chosen group: the name of its key, and its value. */
  chosen?: { key: string; value: Cell };
}

interface Group {
  key: Cell;
  games: number;
  /** Number of games per result, in the order of `RESULTS`. */
  results: [number, number, number, number];
}

export class Results {
  readonly element: HTMLElement;
  /** Place of the columns that the user has added. */
  readonly added = h("div", { class: "values", hidden: true });
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
  /** The order that the user has chosen, for the lists to come; `of` are the sort keys of the query. */
  private chosenSort: { name: string; isDescending: boolean; of: string } | null = null;
  private filter = "";
  /** Words that were searched within the games before. */
  private steps: string[] = [];
  private chosenGroup: { key: Key; value: Cell } | null = null;
  private selected = -1;
  /** The open game, which may be out of sight. */
  private opened: Row | null = null;
  private readonly list: HTMLElement;
  private readonly canvas: HTMLElement;
  private readonly chart: HTMLElement;
  private readonly empty: HTMLElement;
  private readonly sortSelect: HTMLSelectElement;
  private readonly direction: HTMLButtonElement;
  private readonly groupSelect: HTMLSelectElement;
  private readonly groupStop: OneStop;
  private readonly columns: Columns;
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
  /** Whether the rows have the names of their openings. */
  private openings: "unknown" | "asked" | "known" | "failed" = "unknown";
  /** Whether rows may still come. */
  private isFilling = false;
  private areOfGames = false;
  /** Says of which part of the games the list is; empty for all. */
  private part = "";
  /** How the list is narrowed, as last told. */
  private narrowing = "";

  /** `ask` asks for the names of openings; `arranged` is called when the list may have another look, and when it
   * shows fewer games, or more; `addColumn` asks which column is wanted; `step` makes a change that the
   * back button takes back. */
  constructor(private readonly open: (row: Row, isAsked: boolean) => void, private readonly ask: () => void, private readonly arranged: (isNarrowed: boolean) => void, addColumn: () => void, private readonly step: (change: () => void) => void) {
    this.canvas = h("div", { class: "canvas" });
    this.list = h("div", { class: "list", tabindex: 0, role: "listbox", "aria-label": "matching games", onscroll: () => this.scrolled(), onkeydown: (event: KeyboardEvent) => this.key(event) }, this.canvas);
    this.empty = h("div", { class: "empty" });
    this.chart = h("div", { class: "chart", hidden: true, tabindex: 0, role: "region", "aria-label": "groups of games" });
    this.groupStop = new OneStop(this.chart, ".name");
    this.sortSelect = h("select", { "aria-label": "sort by", onchange: () => this.sortBy(Number(this.sortSelect.value)) });
    this.direction = h("button", { type: "button", class: "quiet small", onclick: () => this.turn() });
    this.groupSelect = h("select", { "aria-label": "group by", onchange: () => this.groupBy() });
    this.filterInput = h("input", { type: "search", placeholder: "Search within", title: "Looks at names, events, dates, openings and comments of the query in the games that are listed; Enter keeps the words and takes others", "aria-label": "search within the games", class: "filter", oninput: () => this.filterBy(this.filterInput.value), onkeydown: (event: KeyboardEvent) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && this.keepWords() });
    this.chip = h("div", { class: "chips" });
    this.element = h("div", { class: "results" });
    this.columns = new Columns(this.element, (sort) => (sort === this.sort ? this.turn() : this.sortBy(sort)));
    put(this.element,
      h("div", { class: "tools" }, this.filterInput,
        this.sortSelect, this.direction, this.groupSelect,
        h("button", { type: "button", title: "Show the value of an expression for each game", onclick: addColumn }, "Column…")),
      h("div", { class: "shaped" }, this.added, this.chip), this.chart, this.columns.head, this.list, this.empty);
    new ResizeObserver(([{ contentRect }]) => {
      this.height = contentRect.height;
      if (this.columns.fit(contentRect.width, this.list.offsetWidth - contentRect.width)) this.drawAnew();
      this.scrolled();
    }).observe(this.list);
    this.keys();
  }

  /** Whether games are grouped by their openings. */
  get wantsOpenings(): boolean {
    return OPENINGS.includes(this.allGroups()[Number(this.groupSelect.value)]);
  }

  /** Removes all rows. Those to come may have names of openings, and are from the files `inputs`. If they are
   * `ofGames`, the numbers of their matches are those of all of their positions, and are not shown. */
  clear(hasOpenings: boolean, inputs: string[], ofGames: boolean): void {
    this.openings = hasOpenings ? "known" : "unknown";
    this.isFilling = true;
    this.areOfGames = ofGames;
    this.part = "";
    this.rows = [];
    this.shown = this.rows;
    this.numbered = null;
    this.inputs = inputs;
    this.selected = -1;
    this.opened = null;
    this.chosenGroup = null;
    this.filter = "";
    this.steps = [];
    this.filterInput.value = "";
    this.narrowing = "";
    this.sorts = [];
    this.values = [];
    this.sort = -1;
    this.columns.set([]);
    this.scrollTo(0);
    this.tellEmpty(null);
    this.list.setAttribute("aria-busy", "true");
    this.drawAnew();
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
    const chosen = this.chosenSort;
    const isOfQuery = sort.length > 0 && this.ownSorts !== chosen?.of;
    const place = this.allSorts().findIndex(({ name }) => name === chosen?.name);
    if (chosen && !isOfQuery && (place >= 0 || chosen.name === "")) [this.sort, this.isDescending] = [place, chosen.isDescending];
    this.columns.set(this.allSorts().slice(0, sort.length + values.length));
    this.keys();
  }

  add(rows: Row[]): void {
    const isPlain = this.shown === this.rows;
    for (const row of rows) this.rows.push(row);
    if (!isPlain) {
      for (const row of rows) if (this.passes(row)) this.shown.push(row);
    }
    if (this.columns.take(rows.map(({ cells }) => cells))) this.drawAnew();
    this.schedule();
  }

  /** Ends the list: no more rows come. If the search was stopped, `part` says after which games. */
  finish(nothing: Node | null, part = ""): void {
    this.isFilling = false;
    this.part = part;
    if (this.sort >= 0 || this.shown !== this.rows || !this.chart.hidden) this.arrange();
    else this.schedule();
    this.list.setAttribute("aria-busy", "false");
    if (this.rows.length === 0) this.tellEmpty(nothing);
    this.askForOpenings();
  }

  /** Asks for the names of openings once the list is narrowed by words, or grouped by them. */
  private askForOpenings(): void {
    const areWanted = this.filter !== "" || this.steps.length > 0 || this.wantsOpenings;
    if (!areWanted || this.openings !== "unknown" || this.isFilling || this.rows.length === 0) return;
    this.openings = "asked";
    this.ask();
  }

  /** Takes the names and codes of openings, by the numbers of the games. They may be those of some games only. */
  nameOpenings(openings: Map<number, [string, string]>, areAll: boolean): void {
    this.openings = areAll ? "known" : "failed";
    for (const { cells } of this.rows) [cells[At.Opening], cells[At.Eco]] = openings.get(cells[At.Number]) ?? [cells[At.Opening], cells[At.Eco]];
    this.arrange();
    if (this.chart.hidden) this.showChart();
  }

  /** Shows a text in place of the list. */
  private tellEmpty(words: Node | null): void {
    replace(this.empty, words);
    this.list.hidden = words !== null;
    this.element.classList.toggle("without-list", this.list.hidden);
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

  /** Names of the sort keys of the query. */
  private get ownSorts(): string {
    return JSON.stringify(this.sorts.map(({ name }) => name));
  }

  private noteSort(): void {
    this.chosenSort = { name: this.allSorts()[this.sort]?.name ?? "", isDescending: this.isDescending, of: this.ownSorts };
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
    this.columns.tellSort(this.sort, this.isDescending);
  }

  private sortBy(sort: number): void {
    this.sort = sort;
    this.sortSelect.value = String(sort);
    this.isDescending = this.allSorts()[sort]?.descending ?? false;
    this.noteSort();
    this.tellDirection();
    this.arrange();
  }

  private turn(): void {
    this.isDescending = !this.isDescending;
    this.noteSort();
    this.tellDirection();
    this.arrange();
  }

  private filterBy(text: string): void {
    this.filter = text.trim().toLowerCase();
    this.arrange();
  }

  private passes(row: Row): boolean {
    const group = this.chosenGroup;
    return (!group || group.key.of(row.cells) === group.value) && this.hasWords(row);
  }

  /** Whether a game has the words that are searched within the games. */
  private hasWords({ cells: row }: Row): boolean {
    if (this.filter === "" && this.steps.length === 0) return true;
    const all = `${row[At.White]} ${row[At.Black]} ${row[At.Event]} ${row[At.Opening]} ${row[At.Eco]} ${row[At.Date]} ${row[At.Comment]}`.toLowerCase();
    return [this.filter, ...this.steps].every((step) => step.toLowerCase().split(" ").every((word) => all.includes(word)));
  }

  private arrange(): void {
    const isFiltered = this.filter !== "" || this.steps.length > 0 || this.chosenGroup !== null;
    let shown = isFiltered ? this.rows.filter((row) => this.passes(row)) : this.rows;
    const key = this.allSorts()[this.sort];
    if (key) {
      const direction = this.isDescending ? -1 : 1;
      const keyed = shown.map((row): [Cell, Row] => [key.of(row.cells), row]);
      // Games with the same value are in the order of the other sort keys of the query, as in an export.
      const others = this.isAsWritten ? this.sorts.slice(1) : [];
      const byOthers = (x: Row, y: Row) => others.reduce((by, { of, descending }) => by || order(of(x.cells), of(y.cells), descending ? -1 : 1), 0);
      keyed.sort(([a, x], [b, y]) => order(a, b, direction, key.isName) || byOthers(x, y) || x.number - y.number);
      shown = keyed.map(([, row]) => row);
    }
    this.shown = shown;
    this.selected = this.opened ? shown.indexOf(this.opened) : -1;
    const state = isFiltered ? `${shown.length} of ${this.rows.length}` : "";
    const isNarrowed = state !== this.narrowing;
    this.narrowing = state;
    this.arranged(isNarrowed);
    this.drawAnew();
    if (!this.chart.hidden) this.showChart();
    if (this.rows.length > 0 && !this.isFilling) this.tellEmpty(shown.length === 0 ? h("p", {}, "None of the games found fits “Search within” or the chosen group.") : null);
    this.schedule();
    this.askForOpenings();
  }

  /** Draws all rows anew with the next frame. */
  private drawAnew(): void {
    for (const row of this.pool.values()) row.element.remove();
    this.pool.clear();
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
      const row = free.pop() ?? new ShownRow(this.canvas, total, (at) => this.select(at));
      const { cells } = this.shown[index];
      row.show(cells, index, this.columns, this.areOfGames ? 1 : cells[At.Matches]);
      this.pool.set(index, row);
    }
    for (const row of free) row.element.remove();
    for (const [index, row] of this.pool) row.choose(index === this.selected);
    if (this.pool.has(this.selected)) this.list.setAttribute("aria-activedescendant", `row-${this.selected}`);
    else this.list.removeAttribute("aria-activedescendant");
  }

  /** Opens a game of the list; `isAsked` says whether the user wants to see it. */
  select(index: number, isAsked = true): void {
    if (index < 0 || index >= this.shown.length) return;
    this.selected = index;
    this.opened = this.shown[index];
    const top = index * HEIGHT;
    if (top < this.top) this.scrollTo(top);
    else if (top + HEIGHT > this.top + this.height) this.scrollTo(top + HEIGHT - this.height);
    this.schedule();
    this.open(this.shown[index], isAsked);
  }

  /** Marks a game as the open one. */
  mark(number: number): void {
    this.opened = this.rows.find((row) => row.number === number) ?? null;
    this.selected = this.opened ? this.shown.indexOf(this.opened) : -1;
    if (this.selected >= 0) this.scrollTo(Math.max(0, this.selected * HEIGHT - this.height / 3));
    this.schedule();
  }

  /** Words that were searched within the games. */
  get within(): string[] {
    return [...this.steps, ...(this.filter ? [this.filterInput.value.trim()] : [])];
  }

  get look(): Look {
    const chosen = this.chosenGroup;
    return {
      steps: [...this.steps], words: this.filterInput.value.trim(), sort: this.allSorts()[this.sort]?.name ?? "", isDescending: this.isDescending,
      group: this.allGroups()[Number(this.groupSelect.value)]?.name ?? "", ...(chosen && { chosen: { key: chosen.key.name, value: chosen.value } }),
    };
  }

  set look(look: Look) {
    const before = this.look;
    const { steps, words = "", sort = before.sort, isDescending = before.isDescending === true, group = before.group, chosen } = look;
    const { chosen: old, ...others } = before;
    if (JSON.stringify({ steps, words, sort, isDescending, group, chosen }) === JSON.stringify({ ...others, chosen: old })) return;
    const place = (keys: Key[], name?: string) => keys.findIndex((key) => key.name === name);
    this.steps = [...steps];
    this.filterInput.value = words;
    this.filter = words.toLowerCase();
    this.sort = place(this.allSorts(), sort);
    this.isDescending = isDescending;
    if (sort !== before.sort || isDescending !== before.isDescending) this.noteSort();
    const groups = this.allGroups();
    this.groupSelect.value = String(place(groups, group));
    this.chart.hidden = !groups[place(groups, group)];
    const key = groups[place(groups, chosen?.key)];
    this.chosenGroup = chosen && key ? { key, value: chosen.value } : null;
    this.keys();
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

  /** Number of the matching positions of these games. */
  get nPositions(): number {
    return this.shown.reduce((sum, { cells }) => sum + cells[At.Matches], 0);
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
    const games = numbersOf(this.rows.filter((row) => isShown?.has(row) ?? true));
    this.numbered = { shown, length: shown.length, games };
    return games;
  }

  /** Numbers of all games that match. */
  get allGames(): number[] {
    return numbersOf(this.rows);
  }

  get isSorted(): boolean {
    return this.sort >= 0;
  }

  /** The order in which games are written. */
  get writtenOrder(): string {
    return `the order of the ${this.sorts.length > 0 ? "query" : "files"}`;
  }

  /** Whether the list has the order in which games are written. */
  get isAsWritten(): boolean {
    const [first] = this.sorts;
    return first ? this.sort === 0 && this.isDescending === first.descending : this.sort < 0;
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

  private groupBy(): void {
    this.showChart();
    this.arranged(false);
  }

  private showChart(): void {
    const key = this.allGroups()[Number(this.groupSelect.value)];
    this.askForOpenings();
    this.chart.hidden = !key;
    if (!key) return;
    if (!this.isKnown(key)) return replace(this.chart, h("p", { class: "told", role: "status" }, this.openings === "failed" ? "The names of the openings are not known." : this.openings === "asked" ? `Finding the openings of ${counted(this.rows.length, "game")}…` : "The openings are counted when the search ends."));
    let all = this.groupsBy(key);
    let left: Group[] = [];
    if (all.length > MOST_GROUPS) {
      const most = [...all].sort((a, b) => b.games - a.games).slice(0, MOST_GROUPS);
      left = all.filter((group) => !most.includes(group));
      all = all.filter((group) => most.includes(group));
    }
    this.chart.style.setProperty("--digits", String(Math.max(1, ...all.map(({ games }) => count(games).length))));
    replace(this.chart, this.part && h("p", { class: "told" }, `The groups are ${this.part}: the search was stopped.`), h("table", {}, h("thead", {}, h("tr", {}, ...[[key.name, ""], ["Games", "n"], ["Results", ""], ["White's score", "n"], ["95 % interval", ""]].map(([words, className]) => h("th", { class: className }, words)))),
      h("tbody", {}, ...all.map((group) => this.groupRow(key, group)))),
      left.length > 0 && h("p", { class: "told" }, `These are the ${MOST_GROUPS} groups with the most games. The other ${count(left.length)}, with ${counted(left.reduce((sum, group) => sum + group.games, 0), "game")}, are not shown; words in “Search within” narrow the list to some of them.`));
    this.groupStop.update();
  }

  /** Whether the rows have the values of a key. */
  private isKnown(key: Key): boolean {
    return !OPENINGS.includes(key) || this.openings === "known" || this.rows.length === 0;
  }

  /** The groups of the games, and what they are called. */
  private groupsBy(key: Key): Group[] {
    const groups = new Map<Cell, Group>();
    // With a group chosen, the chart still shows all groups: those of the list without the choice.
    const rows = this.chosenGroup ? this.rows.filter((row) => this.hasWords(row)) : this.shown;
    for (const { cells: row } of rows) {
      const value = key.of(row);
      let group = groups.get(value);
      if (!group) groups.set(value, (group = { key: value, games: 0, results: [0, 0, 0, 0] }));
      group.games += 1;
      group.results[row[At.Result]] += 1;
    }
    const all = [...groups.values()];
    const isNumeric = all.every((group) => typeof group.key !== "string");
    return all.sort((a, b) => (isNumeric ? order(a.key, b.key, 1) : b.games - a.games || order(a.key, b.key, 1)));
  }

  /** The table of all groups as CSV, and by what they are made; null if the games are not grouped, or not yet. */
  get groupTable(): { by: string; csv: string } | null {
    const key = this.allGroups()[Number(this.groupSelect.value)];
    if (!key || !this.isKnown(key)) return null;
    const lines = this.groupsBy(key).map((group) => {
      const [, white, black, draws] = group.results;
      const score = scoreOf(white, draws, black);
      return [plainWordsOf(key, group.key), group.games, white, draws, black, ...(score ? [score.score, score.low, score.high].map((share) => share.toFixed(3)) : ["", "", ""])];
    });
    const head = [key.name, "games", "white wins", "draws", "black wins", "white's score", "95 % from", "95 % to"];
    const field = (value: string | number) => (/[",\r\n]/.test(String(value)) ? `"${String(value).replaceAll('"', '""')}"` : value);
    return { by: key.name, csv: [head, ...lines].map((line) => `${line.map(field).join(",")}\r\n`).join("") };
  }

  private groupRow(key: Key, group: Group): HTMLElement {
    const isChosen = this.chosenGroup?.value === group.key && this.chosenGroup.key.name === key.name;
    const name = wordsOf(key, group.key);
    const [, white, black, draws] = group.results;
    const interval = scoreOf(white, draws, black);
    const choose = () => this.step(() => {
      this.chosenGroup = isChosen ? null : { key, value: group.key };
      const { scrollTop } = this.chart;
      this.chips();
      this.arrange();
      // The groups are drawn anew, and have less room above a narrowed list.
      this.chart.scrollTop = scrollTop;
      this.chart.querySelector('[aria-pressed="true"]')?.closest("tr")?.scrollIntoView({ block: "nearest" });
    });
    const words = `${name}: ${counted(group.games, "game")}, ${count(white)} won by White, ${count(draws)} drawn, ${count(black)} won by Black`;
    const percent = (share: number) => `${Math.round(share * 100)} %`;
    return h("tr", { class: "bar", onclick: choose },
      h("td", { class: "cut" }, h("button", { type: "button", class: "link name", title: words, "aria-pressed": String(isChosen), onclick: (event: Event) => (event.stopPropagation(), choose()) }, h("span", {}, name))),
      h("td", { class: "n" }, count(group.games)), h("td", {}, resultBar(white, draws, black)),
      h("td", { class: "n", title: "Points of White" }, interval ? percent(interval.score) : ""),
      h("td", {}, interval && s("svg", { class: "interval", viewBox: "0 0 100 12", preserveAspectRatio: "none", role: "img", "aria-label": `${percent(interval.low)} to ${percent(interval.high)}` },
        s("title", {}, `${percent(interval.low)} to ${percent(interval.high)}`), s("path", { class: "middle", d: "M50 0v12" }), s("path", { class: "range", d: `M${interval.low * 100} 6H${interval.high * 100}` }), s("path", { class: "score", d: `M${interval.score * 100} 2v8` }))));
  }

  private chips(): void {
    const group = this.chosenGroup;
    const chip = (words: string, remove: () => void) => removable(words, "Remove this step only", () => {
      remove();
      this.chips();
      this.arrange();
    });
    replace(this.chip, (group || this.steps.length > 0) && h("small", {}, "Within"), ...this.steps.map((step, i) => chip(`“${step}”`, () => this.steps.splice(i, 1))),
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

/** Returns the numbers of games, each as the difference from the one before it. */
function numbersOf(rows: Row[]): number[] {
  let last = 0;
  return rows.map(({ number }) => {
    const step = number - last;
    last = number;
    return step;
  });
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

function valueOf(column: Column, row: Cells): string {
  const value = column.of(row);
  return value === null ? "" : String(value);
}

/** A text that is written only if it has changed. */
class ShownText {
  readonly node = new Text();

  set(text: string): void {
    if (this.node.data !== text) this.node.data = text;
  }
}

/** A visible row. It keeps its elements and texts when it shows another game, so that scrolling is quick. */
class ShownRow {
  readonly element: HTMLElement;
  private index = -1;
  private isChosen = false;
  private isPlain = true;
  private readonly texts = { result: new ShownText(), white: new ShownText(), whiteElo: new ShownText(), black: new ShownText(), blackElo: new ShownText(), told: new ShownText(), matches: new ShownText() };
  private readonly result = h("span", { class: "result" }, this.texts.result.node);
  private readonly players = h("span", { class: "players" }, this.texts.white.node, h("small", {}, this.texts.whiteElo.node), " – ", this.texts.black.node, h("small", {}, this.texts.blackElo.node));
  private readonly about = h("span", { class: "about" }, this.texts.told.node);
  private readonly nMatches = [h("b", {}, this.texts.matches.node), h("small", {}, "matches")];
  private readonly badge = h("span", { class: "badge", hidden: true }, ...this.nMatches);

  constructor(canvas: HTMLElement, total: number, choose: (index: number) => void) {
    this.element = h("div", { class: "row-game", role: "option", "aria-selected": "false", "aria-setsize": total, onclick: () => choose(this.index) }, this.result, this.players, this.about, this.badge);
    canvas.append(this.element);
  }

  /** Shows a game with `n` matches to tell. */
  show(row: Cells, index: number, columns: Columns, n: number): void {
    this.index = index;
    this.element.id = `row-${index}`;
    this.element.setAttribute("aria-posinset", String(index + 1));
    this.element.style.top = `${index * HEIGHT}px`;
    const { texts } = this;
    const result = `result r${row[At.Result]}`;
    if (this.result.className !== result) this.result.className = result;
    texts.result.set(RESULTS[row[At.Result]]);
    const elo = (elo: number) => (elo > 0 ? ` ${elo}` : "");
    texts.white.set(isolated(row[At.White]) || "?");
    texts.whiteElo.set(elo(row[At.WhiteElo]));
    texts.black.set(isolated(row[At.Black]) || "?");
    texts.blackElo.set(elo(row[At.BlackElo]));
    const told = [row[At.Date].replace(/\.\?\?/g, ""), isolated(row[At.Event]), row[At.Eco]].filter(Boolean).join(" · ") || `game ${count(row[At.Number])}`;
    const hasColumns = columns.shown.length + columns.rest.length > 0;
    const others = columns.rest.map((column) => [column.name, isolated(valueOf(column, row))]).filter(([, value]) => value !== "");
    // Values without a column stand before the date and the event, which may be long.
    const parts = [...others, ...(hasColumns && n > 1 ? [["matches", count(n)]] : [])].flatMap(([name, value]) => [`${name} `, h("b", {}, value), " · "]);
    // The automatic comment of a path is shown in the game only.
    const comment = row[At.Comment].startsWith("Start path") ? "" : row[At.Comment];
    texts.told.set(told);
    const isPlain = parts.length === 0 && !comment;
    if (!isPlain || !this.isPlain) replace(this.about, ...parts, texts.told.node, comment && h("i", {}, ` · ${isolated(comment)}`));
    this.isPlain = isPlain;
    const hadColumns = this.badge.className === "cells";
    if (hasColumns !== hadColumns) {
      this.badge.className = hasColumns ? "cells" : "badge";
      if (!hasColumns) replace(this.badge, ...this.nMatches);
    }
    const isHidden = hasColumns ? columns.shown.length === 0 : n <= 1;
    if (this.badge.hidden !== isHidden) this.badge.hidden = isHidden;
    this.element.classList.toggle("celled", hasColumns);
    this.element.classList.toggle("several", !isHidden && !hasColumns);
    if (!hasColumns) return texts.matches.set(count(n));
    replace(this.badge, ...columns.shown.map((column) => {
      const value = isolated(valueOf(column, row));
      return h("span", { class: columns.isText(column) ? "text" : null, title: `${column.name}: ${value || "none"}` }, h("small", { class: "unseen" }, `${column.name} `), h("b", {}, value));
    }));
  }

  choose(is: boolean): void {
    if (is === this.isChosen) return;
    this.isChosen = is;
    this.element.setAttribute("aria-selected", String(is));
  }
}

const DICTIONARY = new Intl.Collator("en");

/** Compares two values; null comes last in both directions. */
function order(a: Cell, b: Cell, direction: number, areNames = false): number {
  if (a === b) return 0;
  if (a === null) return 1;
  if (b === null) return -1;
  if (areNames) return DICTIONARY.compare(String(a), String(b)) * direction;
  if (typeof a === "string" && typeof b === "string") return (a < b ? -1 : 1) * direction;
  return (Number(a) - Number(b)) * direction;
}

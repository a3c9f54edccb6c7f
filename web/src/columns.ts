// The columns of the list of games: the sort keys of the query and the values that the user has added. Each is as
// wide as its values. The players keep most of the row. The second line of a game
// shows those without room beside the names.

import type { Cell, Cells } from "./backend";
import { h, replace } from "./dom";

export interface Column {
  name: string;
  of(row: Cells): Cell;
}

/** Size of the letters of a header among those of values, and pixels around texts and of the narrowest column. */
const HEADER = 12 / 14;
const AROUND = 8;
const LEAST = 24;

/** Greatest number of pixels of a line; longer texts end in “…”, and are told in full by the mouse. */
const MOST = 200;

/** Greatest number of lines of a header. */
const LINES = 2;

/** The share of a row that the players keep, and the pixels before them and at the edge. */
const PLAYERS = 0.6;
const EDGES = 100;

export class Columns {
  readonly head = h("div", { class: "list-head", hidden: true });
  /** The columns that have room. */
  shown: Column[] = [];
  /** The columns that have none. */
  rest: Column[] = [];
  private all: Column[] = [];
  /** Letters of the longest value of each column, and its pixels. */
  private letters: number[] = [];
  private pixels: number[] = [];
  private pen: CanvasRenderingContext2D | null = null;
  /** Whether a column has texts. */
  private readonly texts = new Set<Column>();
  private width = 0;
  private sort = -1;
  private isDescending = false;

  /** `place` has the list and the header. */
  constructor(private readonly place: HTMLElement, private readonly choose: (sort: number) => void) {}

  set(all: Column[]): void {
    this.all = all;
    this.letters = all.map(() => 0);
    this.pixels = all.map(() => 0);
    this.texts.clear();
    this.lay();
  }

  /** Notes the lengths of the values of rows. Returns whether the columns have changed. */
  take(rows: Cells[]): boolean {
    let isMore = false;
    this.all.forEach((column, i) => {
      for (const row of rows) {
        const value = column.of(row);
        if (value === null) continue;
        if (typeof value === "string") this.texts.add(column);
        const text = String(value);
        // Measuring takes longer than comparing.
        if (text.length < this.letters[i] || (text.length === this.letters[i] && typeof value !== "string")) continue;
        this.letters[i] = text.length;
        const pixels = this.measured(text);
        if (pixels <= this.pixels[i]) continue;
        this.pixels[i] = pixels;
        isMore = true;
      }
    });
    return isMore && this.lay();
  }

  /** Notes the width of the list, and that of its scroll bar. Returns whether the columns have changed. */
  fit(width: number, bar: number): boolean {
    this.head.style.marginRight = `${bar}px`;
    if (width === this.width) return false;
    this.width = width;
    return this.lay();
  }

  isText(column: Column): boolean {
    return this.texts.has(column);
  }

  /** Marks the column by which the list is sorted; -1 for none. */
  tellSort(sort: number, isDescending: boolean): void {
    if (sort === this.sort && isDescending === this.isDescending) return;
    [this.sort, this.isDescending] = [sort, isDescending];
    this.showHead();
  }

  private measured(text: string): number {
    if (!this.pen) {
      this.pen = document.createElement("canvas").getContext("2d")!;
      this.pen.font = `650 14px ${getComputedStyle(document.body).fontFamily}`;
    }
    return Math.min(MOST, Math.ceil(this.pen.measureText(text).width) + 1);
  }

  /** The width of the values of a column. */
  private valueWidth(i: number): number {
    return Math.ceil(Math.max(LEAST, this.pixels[i]) + AROUND);
  }

  /** The width of a text in the small letters of the header. */
  private headerPixels(text: string): number {
    return this.measured(text) * HEADER;
  }

  /** The width with which the header has room in its lines, which are filled by words; the arrow of the order is
   * beside them. */
  private headerWidth({ name }: Column): number {
    const line = Math.max(...name.split(" ").map((word) => this.headerPixels(word)), (1.25 * this.headerPixels(name)) / LINES);
    return Math.ceil(line + this.headerPixels("\u00a0↓") + AROUND);
  }

  /** Gives each column its width: that of its values, and of its header as far as there is room. The header of the
   * first one also has the place to its left, where the players have no header. Returns whether anything has
   * changed. */
  private lay(): boolean {
    let room = (1 - PLAYERS) * this.width - EDGES;
    const widths: number[] = [];
    for (const i of this.all.keys()) {
      const width = this.valueWidth(i);
      if (width > room) break;
      widths.push(width);
      room -= width;
    }
    // A text begins where its header does.
    const isWide = widths.length > 0 && !this.isText(this.all[0]);
    widths.forEach((width, i) => {
      if (i === 0 && isWide) return;
      const more = Math.floor(Math.max(0, Math.min(room, this.headerWidth(this.all[i]) - width)));
      widths[i] += more;
      room -= more;
    });
    const first = isWide ? Math.max(widths[0], Math.min(MOST, Math.ceil(this.headerPixels(`${this.all[0].name}\u00a0↓`) + AROUND))) : widths[0];
    this.head.style.gridTemplateColumns = [first, ...widths.slice(1)].map((width) => `${width}px`).join(" ");
    const used = widths.reduce((sum, width) => sum + width, 0);
    const n = widths.length;
    const isSame = this.shown.length === n && this.shown.every((one, i) => one === this.all[i]) && this.rest.length === this.all.length - n;
    const text = widths.map((width) => `${width}px`).join(" ");
    if (isSame && this.place.style.getPropertyValue("--columns") === text) return false;
    this.shown = this.all.slice(0, n);
    this.rest = this.all.slice(n);
    this.place.style.setProperty("--columns", text);
    this.place.style.setProperty("--columns-width", `${used}px`);
    this.showHead();
    return true;
  }

  private showHead(): void {
    this.head.hidden = this.shown.length === 0;
    replace(this.head, ...this.shown.map((column, i) => {
      const arrow = this.sort !== i ? "" : this.isDescending ? " ↓" : " ↑";
      return h("button", { type: "button", class: this.isText(column) ? "text" : null, title: column.name, "aria-label": `sort by ${column.name}`, onclick: () => this.choose(i) }, h("span", {}, column.name), arrow);
    }));
  }
}

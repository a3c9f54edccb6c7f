// The board of the page: its frame, and the strokes and keys on it. Its user, the game or
// the drawing, decides what it shows and what a stroke does.

import { SQUARES, boardElement, draw, squareAt, squareWords, type Shown } from "./board";
import { h } from "./dom";

/** A user of the board. */
export interface Face {
  /** How to use the board, for screen readers. */
  readonly usage: string;
  readonly flipped: boolean;
  shown(): Shown;
  down(square: string): void;
  over(square: string): void;
  /** The stroke ends; null if it ends outside the board. */
  up(square: string | null): void;
  cancel(): void;
  /** Returns whether the key means something. */
  key(event: KeyboardEvent): boolean;
  focused(is: boolean): void;
  wheel?(by: number): void;
  /** The right button was pressed on a square and released on another one, or on the same. */
  note?(from: string, to: string): void;
}

export class BoardPlace {
  readonly element: HTMLElement;
  private readonly board = boardElement();
  /** The squares for screen readers, in the order of the lines on the screen. */
  private readonly cells = SQUARES.map(() => h("div", { role: "gridcell" }));
  private face: Face | null = null;
  private isDown = false;
  /** Square on which the right button was pressed. */
  private noted: string | null = null;

  constructor() {
    this.element = h("div", {
      class: "board-frame", tabindex: 0, role: "application",
      onkeydown: (event: KeyboardEvent) => {
        if (event.ctrlKey || event.metaKey || event.altKey || !this.face?.key(event)) return;
        event.preventDefault();
        event.stopPropagation();
      },
      onfocus: () => this.face?.focused(this.element.matches(":focus-visible")),
      onblur: () => this.face?.focused(false),
    }, this.board, h("div", { class: "unseen", role: "grid", "aria-label": "squares" }, ...[0, 1, 2, 3, 4, 5, 6, 7].map((line) => h("div", { role: "row" }, ...this.cells.slice(8 * line, 8 * line + 8)))));
    this.board.addEventListener("pointerdown", (event) => this.down(event as PointerEvent));
    this.board.addEventListener("pointermove", (event) => this.isDown && this.at(event as PointerEvent, (square) => square && this.face?.over(square)));
    this.board.addEventListener("pointerup", (event) => this.endNote(event as PointerEvent));
    this.board.addEventListener("pointerup", (event) => this.isDown && this.at(event as PointerEvent, (square) => ((this.isDown = false), this.face?.up(square))));
    this.board.addEventListener("pointercancel", () => ((this.isDown = false), this.face?.cancel()));
    this.board.addEventListener("contextmenu", (event) => event.preventDefault());
    this.board.addEventListener("wheel", (event) => {
      if (!this.face?.wheel || event.ctrlKey) return;
      event.preventDefault();
      this.face.wheel(event.deltaY < 0 ? -1 : 1);
    }, { passive: false });
  }

  /** Gives the board to a user. */
  use(face: Face): void {
    if (face === this.face) return;
    if (this.isDown) this.face?.cancel();
    this.isDown = false;
    this.face = face;
    this.element.setAttribute("aria-label", face.usage);
    this.paint(face);
  }

  /** Draws what a user of the board shows, if the board is in its use. */
  paint(face: Face): void {
    if (face !== this.face) return;
    const shown = face.shown();
    draw(this.board, shown);
    this.tell(shown);
  }

  /** Tells screen readers what is on each square, and which one the keyboard is at. */
  private tell(shown: Shown): void {
    this.cells.forEach((cell, i) => {
      const square = SQUARES[shown.flipped ? i ^ 7 : i ^ 56];
      const words = squareWords(shown, square);
      if (cell.getAttribute("aria-label") === words) return;
      cell.id = `square-${square}`;
      cell.setAttribute("aria-label", words);
    });
    if (shown.cursor) this.element.setAttribute("aria-activedescendant", `square-${shown.cursor}`);
    else this.element.removeAttribute("aria-activedescendant");
  }

  private at(event: PointerEvent, work: (square: string | null) => void): void {
    work(squareAt(this.board, event, this.face?.flipped ?? false));
  }

  private endNote(event: PointerEvent): void {
    const { noted } = this;
    if (event.button !== 2 || !noted) return;
    this.noted = null;
    this.at(event, (square) => square && this.face?.note?.(noted, square));
  }

  private down(event: PointerEvent): void {
    if (event.button === 2) this.at(event, (square) => (this.noted = square));
    if (event.button !== 0 || !event.isPrimary) return;
    this.at(event, (square) => {
      if (!square) return;
      event.preventDefault();
      this.board.setPointerCapture(event.pointerId);
      this.isDown = true;
      this.face?.down(square);
    });
  }
}

type Steps = Record<string, [number, number]>;

export const STRAIGHT: Steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/** Also the keys that lie diagonally on a number pad. */
export const ALL_WAYS: Steps = { ...STRAIGHT, Home: [-1, 1], PageUp: [1, 1], End: [-1, -1], PageDown: [1, -1] };

/** Returns the square that a key leads to, the same one at the edge; null for other keys. */
export function stepFrom(square: string, key: string, flipped: boolean, steps = STRAIGHT): string | null {
  const step = steps[key];
  if (!step) return null;
  const by = flipped ? -1 : 1;
  const to = String.fromCharCode(square.charCodeAt(0) + by * step[0]) + (Number(square[1]) + by * step[1]);
  return SQUARES.includes(to) ? to : square;
}

// A board on which a query is drawn, and the conversion of the drawing to a query.
//
// The user paints squares, each with the pieces that may stand there. Squares painted in one stroke
// form a region that contains such a piece. The query states everything that is drawn, in lines that
// a user can read.

import { SQUARES, boardElement, draw, piecesOf, squareAt, type Arrow, type Pieces } from "./board";
import { h, iconButton, replace, s } from "./dom";

/** Pieces on a square or in a region. */
export interface Mark {
  /** One square, or the squares of a region. */
  squares: string[];
  /** The letters of a designator: `QR`, `A`, `_`. */
  pieces: string;
  /** Whether none of these pieces may be there. */
  isNot: boolean;
}

export interface Drawing {
  marks: Mark[];
  arrows: Arrow[];
  toMove: "" | "wtm" | "btm";
  transforms: string[];
}

export const TRANSFORMS: [string, string, string][] = [
  ["flipcolor", "either color", "also match with colors exchanged"],
  ["flipvertical", "mirrored", "also match with left and right exchanged"],
  ["rotate90", "rotated", "also match on the board rotated by 90°, 180° and 270°"],
  ["shifthorizontal", "any files", "also match on other files"],
  ["shiftvertical", "any ranks", "also match on other ranks"],
];

/** Returns squares as a designator writes them, with ranges for rectangles. */
export function squaresText(squares: string[]): string {
  if (squares.length === 64) return "";
  const left = new Set(squares);
  const units: string[] = [];
  const has = (file: number, rank: number) => left.has("abcdefgh"[file] + (rank + 1));
  while (left.size > 0) {
    let best: [number, number, number, number] = [0, 0, 0, 0];
    let area = 0;
    for (let file = 0; file < 8; file++) {
      for (let rank = 0; rank < 8; rank++) {
        let height = 8;
        for (let to = file; to < 8; to++) {
          let top = rank;
          while (top < 8 && has(to, top)) top++;
          height = Math.min(height, top - rank);
          if (height === 0) break;
          if ((to - file + 1) * height > area) {
            area = (to - file + 1) * height;
            best = [file, to, rank, rank + height - 1];
          }
        }
      }
    }
    const [a, b, c, d] = best;
    for (let file = a; file <= b; file++) for (let rank = c; rank <= d; rank++) left.delete("abcdefgh"[file] + (rank + 1));
    const files = a === b ? "abcdefgh"[a] : `${"abcdefgh"[a]}-${"abcdefgh"[b]}`;
    units.push(files + (c === d ? `${c + 1}` : `${c + 1}-${d + 1}`));
  }
  return units.length === 1 ? units[0] : `[${units.join(",")}]`;
}

export function piecesText(pieces: string): string {
  const both = pieces.includes("A") && pieces.includes("a") ? "Aa" : pieces;
  return both.length === 1 ? both : `[${both}]`;
}

function markText(mark: Mark): string {
  return piecesText(mark.pieces) + squaresText(mark.squares);
}

/** Returns the query of a drawing. */
export function queryOf(drawing: Drawing): string {
  const lines: string[] = [];
  if (drawing.toMove) lines.push(drawing.toMove);
  const rank = (mark: Mark) => (mark.isNot ? 2 : mark.squares.length > 1 ? 1 : 0);
  for (const mark of [...drawing.marks].sort((a, b) => rank(a) - rank(b))) lines.push((mark.isNot ? "not " : "") + markText(mark));
  const at = (square: string) => {
    const mark = drawing.marks.find((mark) => !mark.isNot && mark.pieces !== "_" && mark.squares.includes(square));
    return mark ? markText(mark) : square;
  };
  for (const arrow of drawing.arrows) {
    if (arrow.kind === "attack") lines.push(`${at(arrow.from)} -> ${at(arrow.to)}`);
    else {
      const target = drawing.marks.find((mark) => !mark.isNot && mark.pieces !== "_" && mark.squares.includes(arrow.to));
      lines.push(target ? `${at(arrow.from)}[x]${markText(target)}` : `${at(arrow.from)}--${arrow.to}`);
    }
  }
  if (lines.length === 0) return "cql()\n";
  const transforms = drawing.transforms.join(" ");
  return transforms ? `cql()\n${transforms} {\n${lines.map((line) => `  ${line}\n`).join("")}}\n` : `cql()\n${lines.join("\n")}\n`;
}

/** A tool of the palette. */
type Tool = { kind: "pieces" } | { kind: "erase" } | { kind: "attack" | "move" };

const LETTERS = ["K", "Q", "R", "B", "N", "P", "A", "_", "k", "q", "r", "b", "n", "p", "a"];
const WORDS: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn", a: "any piece" };

function letterName(letter: string): string {
  if (letter === "_") return "empty square";
  const words = WORDS[letter.toLowerCase()];
  return `${letter === letter.toUpperCase() ? "white" : "black"} ${words}`.replace(/(white|black) any piece/, "any $1 piece");
}

export class Draw {
  readonly element: HTMLElement;
  private drawing: Drawing = { marks: [], arrows: [], toMove: "", transforms: [] };
  private tool: Tool = { kind: "pieces" };
  private chosen = "Q";
  private isNot = false;
  /** Whether choosing a piece adds it to the chosen ones. */
  private isSeveral = false;
  private past: Drawing[] = [];
  private stroke: string[] | null = null;
  private cursor = "e4";
  private hasCursor = false;
  private from: string | null = null;
  private readonly board = boardElement();
  private readonly palette = h("div", { class: "palette", role: "group", "aria-label": "drawing tools" });
  private readonly options = h("div", { class: "draw-options" });
  private readonly text = h("pre", { class: "drawn", "aria-label": "drawn query", role: "status" });

  constructor(private readonly open: (query: string, name: string) => void) {
    const frame = h("div", { class: "draw-board", tabindex: 0, role: "application", "aria-label": "board to draw on: arrow keys move, Enter draws", onkeydown: (event: KeyboardEvent) => this.key(event),
      onfocus: () => ((this.hasCursor = true), this.paint()), onblur: () => ((this.hasCursor = false), this.paint()) }, this.board);
    this.element = h("div", { class: "draw" },
      h("div", { class: "draw-left" }, frame, this.text),
      h("div", { class: "draw-right" }, this.palette, this.options,
        h("p", { class: "told" }, "Click a square to place a piece there; drag over several squares for a piece anywhere in that region. Use “any of”, or Shift, to select several pieces."),
        h("div", { class: "row" },
          h("button", { type: "button", class: "main", onclick: () => this.open(queryOf(this.drawing), "Drawn query") }, "Search for it"),
          iconButton("undo", "Undo the last step", () => this.undo()),
          h("button", { type: "button", class: "quiet", onclick: () => this.change({ marks: [], arrows: [], toMove: "", transforms: [] }) }, "Clear"))));
    this.board.addEventListener("pointerdown", (event) => this.down(event as PointerEvent));
    this.board.addEventListener("pointermove", (event) => this.over(event as PointerEvent));
    this.board.addEventListener("pointerup", (event) => this.up(event as PointerEvent));
    this.board.addEventListener("pointercancel", () => ((this.stroke = null), this.paint()));
    this.board.addEventListener("contextmenu", (event) => event.preventDefault());
    this.show();
  }

  /** Starts a drawing with the pieces of a position. */
  take(fen: string): void {
    const marks = [...piecesOf(fen)].map(([square, piece]): Mark => ({ squares: [square], pieces: piece, isNot: false }));
    this.change({ marks, arrows: [], toMove: "", transforms: [] });
  }

  private change(drawing: Drawing): void {
    this.past.push(this.drawing);
    if (this.past.length > 200) this.past.shift();
    this.drawing = drawing;
    this.show();
  }

  private undo(): void {
    this.drawing = this.past.pop() ?? this.drawing;
    this.show();
  }

  private show(): void {
    this.showPalette();
    this.showOptions();
    this.text.textContent = queryOf(this.drawing);
    this.paint();
  }

  private showPalette(): void {
    const letter = (piece: string) => {
      const isChosen = this.tool.kind === "pieces" && this.chosen.includes(piece);
      const lower = piece.toLowerCase();
      const shape = WORDS[lower] && lower !== "a"
        ? s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, s("use", { href: `#${lower}`, class: piece === lower ? "b" : "w" }))
        : h("b", {}, piece === "_" ? "□" : piece === "A" ? "△" : "▲");
      return h("button", {
        type: "button", class: "piece", "aria-pressed": String(isChosen), title: `${letterName(piece)} (Shift: one of several)`, "aria-label": letterName(piece),
        onclick: (event: MouseEvent) => {
          const others = this.chosen.replace(piece, "");
          if ((this.isSeveral || event.shiftKey) && this.tool.kind === "pieces") this.chosen = isChosen ? others || piece : this.chosen + piece;
          else this.chosen = piece;
          this.tool = { kind: "pieces" };
          this.showPalette();
        },
      }, shape);
    };
    const tool = (kind: Tool["kind"], words: string, title: string) => h("button", {
      type: "button", class: "small", "aria-pressed": String(this.tool.kind === kind), title,
      onclick: () => ((this.tool = { kind } as Tool), (this.from = null), this.showPalette()),
    }, words);
    replace(this.palette, h("div", { class: "pieces" }, ...LETTERS.map(letter)),
      h("div", { class: "chips" },
        tool("pieces", `Draw ${piecesText(this.chosen)}`, "Draw the selected pieces"),
        h("button", { type: "button", class: "small", "aria-pressed": String(this.isSeveral), title: "Select several pieces, any of which may be on this square", onclick: () => ((this.isSeveral = !this.isSeveral), (this.tool = { kind: "pieces" }), this.showPalette()) }, "any of"),
        h("button", { type: "button", class: "small", "aria-pressed": String(this.isNot), title: "No selected piece on this square", onclick: () => ((this.isNot = !this.isNot), (this.tool = { kind: "pieces" }), this.showPalette()) }, "not"),
        tool("attack", "attacks →", "Draw from a square to a square attacked from it"),
        tool("move", "moves ⇢", "Draw the next move"),
        tool("erase", "Erase", "Erase the drawing on a square")));
  }

  private showOptions(): void {
    const { toMove, transforms } = this.drawing;
    const select = h("select", { "aria-label": "side to move", onchange: () => this.change({ ...this.drawing, toMove: select.value as Drawing["toMove"] }) },
      ...[["", "either side to move"], ["wtm", "White to move"], ["btm", "Black to move"]].map(([value, words]) => h("option", { value }, words)));
    select.value = toMove;
    replace(this.options, select, ...TRANSFORMS.map(([name, words, title]) => h("label", { title }, h("input", {
      type: "checkbox", checked: transforms.includes(name),
      onchange: () => this.change({ ...this.drawing, transforms: TRANSFORMS.map(([other]) => other).filter((other) => (other === name) !== transforms.includes(other)) }),
    }), words)));
  }

  private paint(): void {
    const pieces: Pieces = new Map();
    const texts = new Map<string, string>();
    const lights: string[] = [];
    for (const mark of this.drawing.marks) {
      const isPlain = mark.squares.length === 1 && !mark.isNot && mark.pieces.length === 1 && !"Aa_".includes(mark.pieces);
      if (isPlain) pieces.set(mark.squares[0], mark.pieces);
      else if (mark.squares.length === 1) texts.set(mark.squares[0], (mark.isNot ? "¬" : "") + mark.pieces.replace("_", "□").replace("A", "△").replace("a", "▲"));
      if (mark.squares.length > 1) {
        lights.push(...mark.squares);
        const middle = mark.squares[Math.floor(mark.squares.length / 2)];
        texts.set(middle, (mark.isNot ? "¬" : "") + mark.pieces.replace("_", "□").replace("A", "△").replace("a", "▲"));
      }
    }
    const marks = [...(this.stroke ?? []), ...(this.hasCursor ? [this.cursor] : []), ...(this.from ? [this.from] : [])];
    draw(this.board, { pieces, texts, lights, marks, flipped: false, arrows: this.drawing.arrows, label: `drawing: ${queryOf(this.drawing).replace(/\s+/g, " ")}` });
  }

  private down(event: PointerEvent): void {
    const square = squareAt(this.board, event, false);
    if (!square) return;
    event.preventDefault();
    this.board.setPointerCapture(event.pointerId);
    this.stroke = [square];
    this.paint();
  }

  private over(event: PointerEvent): void {
    const square = this.stroke && squareAt(this.board, event, false);
    if (!this.stroke || !square || this.stroke.includes(square)) return;
    if (this.tool.kind === "attack" || this.tool.kind === "move") this.stroke = [this.stroke[0], square];
    else this.stroke.push(square);
    this.paint();
  }

  private up(event: PointerEvent): void {
    const squares = this.stroke;
    this.stroke = null;
    if (!squares) return;
    const end = squareAt(this.board, event, false);
    this.put(squares, end ?? squares[squares.length - 1]);
  }

  /** Draws with the current tool. */
  private put(squares: string[], end: string): void {
    const { marks, arrows } = this.drawing;
    const [first] = squares;
    const kind = this.tool.kind;
    if (kind === "attack" || kind === "move") {
      // An arrow takes two clicks or one stroke.
      const from = first === end ? this.from : first;
      if (!from) {
        this.from = first;
        return this.paint();
      }
      this.from = null;
      if (from === end) return this.paint();
      const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== end);
      // A drawing has at most one move.
      const kept = kind === "move" ? others.filter((arrow) => arrow.kind !== "move") : others;
      return this.change({ ...this.drawing, arrows: others.length < arrows.length ? others : [...kept, { from, to: end, kind }] });
    }
    if (kind === "erase") {
      const isFree = (square: string) => !squares.includes(square);
      return this.change({
        ...this.drawing,
        marks: marks.map((mark) => ({ ...mark, squares: mark.squares.filter(isFree) })).filter((mark) => mark.squares.length > 0),
        arrows: arrows.filter((arrow) => isFree(arrow.from) && isFree(arrow.to)),
      });
    }
    const ordered = SQUARES.filter((square) => squares.includes(square));
    const same = (mark: Mark) => mark.squares.join() === ordered.join();
    const old = marks.find(same);
    const isAgain = old && old.pieces === this.chosen && old.isNot === this.isNot;
    const others = marks.filter((mark) => !same(mark) || mark.isNot !== this.isNot);
    this.change({ ...this.drawing, marks: isAgain ? others : [...others, { squares: ordered, pieces: this.chosen, isNot: this.isNot }] });
  }

  private key(event: KeyboardEvent): void {
    const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const step = steps[event.key];
    const letter = event.key.length === 1 && LETTERS.includes(event.key) ? event.key : null;
    if (step) {
      const file = Math.max(0, Math.min(7, this.cursor.charCodeAt(0) - 97 + step[0]));
      const rank = Math.max(1, Math.min(8, Number(this.cursor[1]) + step[1]));
      this.cursor = "abcdefgh"[file] + rank;
      this.paint();
    } else if (event.key === "Enter" || event.key === " ") this.put([this.cursor], this.cursor);
    else if (event.key === "Delete" || event.key === "Backspace") {
      const tool = this.tool;
      this.tool = { kind: "erase" };
      this.put([this.cursor], this.cursor);
      this.tool = tool;
      this.showPalette();
    } else if (letter && !event.ctrlKey && !event.metaKey) {
      this.chosen = letter;
      this.tool = { kind: "pieces" };
      this.put([this.cursor], this.cursor);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

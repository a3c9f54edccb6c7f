// Drawing on the board: the tools beside it, and what strokes and keys do.
//
// The user paints squares, each with the pieces that may stand there. Squares painted in one stroke
// form a region that contains such a piece. The query states everything that is drawn, in lines that
// a user can read.

import { SQUARES, boardField, pieceName, piecesOf, squareWords, type Pieces, type Several, type Shown } from "./board";
import { ALL_WAYS, stepFrom, type BoardPlace, type Face } from "./board-place";
import { TRANSFORMS, TRANSFORM_NAMES, isPlain, squaresText, type Drawing, type Mark } from "./drawing";
import { OneStop, h, icon, replace, s, say } from "./dom";
import { drawingLines, emptyDrawing, impossible } from "./mask-text";

/** A tool of the palette. */
type Tool = { kind: "pieces" } | { kind: "erase" } | { kind: "attack" | "move" };

const LETTERS = ["K", "Q", "R", "B", "N", "P", "k", "q", "r", "b", "n", "p"];
const OTHERS: [string, string, string][] = [["_", "Empty", "empty square"], ["A", "Any white", "any white piece"], ["a", "Any black", "any black piece"]];

function letterName(letter: string): string {
  return OTHERS.find(([other]) => other === letter)?.[2] ?? pieceName(letter);
}

/** Says in words what a mark means: `any of: white queen, white rook`. */
function markWords({ squares, pieces, isNot }: Mark): string {
  const names = [...pieces].map(letterName).join(", ");
  const what = isNot ? `none of: ${names}` : pieces.length > 1 ? `any of: ${names}` : names;
  return squares.length > 1 ? `${what}, in the region ${squaresText(squares) || "of all squares"}` : what;
}

/** Returns the squares on the line from one square to another. */
function lineOf(from: string, to: string): string[] {
  const [files, ranks] = [0, 1].map((i) => to.charCodeAt(i) - from.charCodeAt(i));
  const n = Math.max(Math.abs(files), Math.abs(ranks));
  const at = (i: number, step: number) => String.fromCharCode(from.charCodeAt(i) + Math.round(step));
  return Array.from({ length: n + 1 }, (_, i) => at(0, (files * i) / n || 0) + at(1, (ranks * i) / n || 0));
}

export interface DrawEvents {
  /** The drawing was changed by the user. */
  changed(drawing: Drawing): void;
  /** The user wants to erase the drawing, which `erase` does. */
  erase(erase: () => void): void;
  /** The user wants to see the game again. */
  back(): void;
  /** The user wants to draw a position that is given as FEN. */
  asked(): void;
  /** The user has taken a tool: the board is to show the drawing. */
  taken(): void;
}

export class Draw implements Face {
  readonly usage = "Board to draw on: arrow keys move, also with Home, End and the page keys diagonally; Shift selects several squares; Enter draws, letters draw pieces, Delete erases";
  readonly flipped = false;
  readonly head = h("header", { class: "game-head" }, h("div", { class: "names" }, h("h2", {}, "Position to find"), h("p", { class: "about" }, "Click, drag, or use arrow keys (with Shift) and Enter.")));
  /** Why no game can have the drawing. */
  readonly problem = h("p", { class: "under problem error", role: "status" });
  readonly tools: HTMLElement;
  /** Where the controls are if there is no room for them below the board. */
  readonly controlsPlace = h("div");
  readonly controls: HTMLElement;
  private drawing: Drawing = emptyDrawing();
  private tool: Tool = { kind: "pieces" };
  private chosen = "Q";
  private isNot = false;
  /** Whether choosing a piece adds it to the chosen ones. */
  private isSeveral = false;
  /** Whether the next piece is chosen alone: *None of* is about other pieces than those chosen before. */
  private isAnew = false;
  private past: Drawing[] = [];
  private stroke: string[] | null = null;
  /** Square of the stroke that the pointer was on last. */
  private last = "";
  private cursor = "e4";
  private hasCursor = false;
  private from: string | null = null;
  private readonly palette = h("div", { class: "palette", role: "toolbar", "aria-label": "drawing tools", onclick: () => this.events.taken() });
  private readonly toolStop = new OneStop(this.palette, "button", true);
  private readonly options = h("div", { class: "draw-options", onclick: () => this.events.taken() });

  constructor(private readonly place: BoardPlace, private readonly events: DrawEvents) {
    const button = (words: string, title: string, onclick: () => void, name = "") => h("button", { type: "button", title, onclick }, name && icon(name), words);
    this.controls = h("div", { class: "controls" },
      button("Undo", "Take the last step of the drawing back", () => this.undo(), "undo"),
      button("Clear", "Erase the whole drawing; other conditions stay", () => this.erase()),
      button("FEN…", "Draw the pieces of a FEN, or of the start position. Ctrl+V on the board draws a copied one", () => this.events.asked()),
      h("span", { class: "grow" }),
      button("Back to the game", "Show the game on the board", () => this.events.back()));
    this.tools = h("div", { class: "draw" }, this.controlsPlace, h("button", { type: "button", class: "to-drawing", onclick: () => this.events.taken() }, icon("edit"), "Back to the drawing"), this.palette,
      h("p", { class: "told" }, "Click a square, or drag over several for a region. With “Any of”, or Shift, select several pieces."),
      this.options);
    this.show();
  }

  /** Shows another drawing, without a step to take back. */
  set(drawing: Drawing): void {
    if (JSON.stringify(drawing) === JSON.stringify(this.drawing)) return;
    this.drawing = drawing;
    // The steps were those of another text.
    this.past = [];
    this.from = null;
    this.show();
  }

  /** Draws the pieces of a position, and its side to move, if it tells one; positions like it have either. */
  take(fen: string, isSimilar = false, hasTurn = !isSimilar): void {
    const marks = [...piecesOf(fen)].map(([square, piece]): Mark => ({ squares: [square], pieces: piece, isNot: false }));
    const toMove = !hasTurn ? "" : fen.split(" ")[1] === "b" ? "btm" : "wtm";
    this.change({ ...emptyDrawing(), marks, toMove, isSimilar });
    say(`Drawn: ${this.lines}`);
  }

  /** The position that is drawn: the pieces that stand on one square each. */
  get fen(): string {
    const { marks, toMove } = this.drawing;
    const pieces = new Map(marks.filter(isPlain).map(({ squares: [square], pieces: piece }) => [square, piece]));
    return `${boardField(pieces)} ${toMove === "btm" ? "b" : "w"} - - 0 1`;
  }

  private change(drawing: Drawing): void {
    this.past.push(this.drawing);
    if (this.past.length > 200) this.past.shift();
    this.drawing = drawing;
    this.show();
    this.events.changed(drawing);
  }

  private erase(): void {
    this.isNot = false;
    this.isSeveral = false;
    this.isAnew = false;
    this.tool = { kind: "pieces" };
    this.from = null;
    this.chosen = "Q";
    this.events.erase(() => {
      this.change(emptyDrawing());
      say("The drawing is erased");
    });
  }

  undo(): void {
    const last = this.past.pop();
    if (!last) return;
    this.drawing = last;
    this.show();
    say(`The last step is taken back: ${this.lines}`);
    this.events.changed(last);
  }

  /** What is drawn, as the lines of the query. */
  private get lines(): string {
    return drawingLines(this.drawing).join(", ") || "nothing";
  }

  private show(): void {
    this.showPalette();
    this.showOptions();
    this.problem.textContent = impossible(this.drawing) ?? "";
    this.paint();
  }

  private choose(piece: string, isMore: boolean): void {
    // “None of” with an empty square would be a square that is not empty.
    const isEmpty = piece === "_" && this.isNot;
    isMore &&= !this.isAnew && !isEmpty;
    this.isNot &&= !isEmpty;
    this.isAnew = false;
    const others = this.chosen.replace(piece, "");
    if (isMore && this.tool.kind === "pieces") this.chosen = this.chosen.includes(piece) ? others || piece : this.chosen + piece;
    else this.chosen = piece;
    this.tool = { kind: "pieces" };
    this.showPalette();
  }

  private showPalette(): void {
    const isDrawing = this.tool.kind === "pieces";
    const choice = (piece: string, className: string, child: Node | string) => h("button", {
      type: "button", class: className, "aria-pressed": String(isDrawing && this.chosen.includes(piece)), title: `${letterName(piece)} (Shift: one of several)`, "aria-label": letterName(piece),
      onclick: (event: MouseEvent) => this.choose(piece, this.isSeveral || event.shiftKey),
    }, child);
    const shape = (piece: string) => s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, s("use", { href: `#${piece.toLowerCase()}`, class: piece === piece.toLowerCase() ? "b" : "w" }));
    const turn = (words: string, title: string, is: boolean, onclick: () => void) => h("button", { type: "button", "aria-pressed": String(is), title, onclick }, words);
    const tool = (kind: "attack" | "move" | "erase", words: string, title: string) =>
      turn(words, title, this.tool.kind === kind, () => ((this.tool = { kind: this.tool.kind === kind ? "pieces" : kind } as Tool), (this.from = null), this.showPalette(), this.paint()));
    const again = () => ((this.tool = { kind: "pieces" }), this.showPalette());
    replace(this.palette, h("div", { class: "pieces" }, ...LETTERS.map((piece) => choice(piece, "piece", shape(piece)))),
      h("div", { class: "tool-grid" },
        turn("Any of", "Select several pieces, any of which may be on the square", isDrawing && this.isSeveral, () => ((this.isSeveral = !(isDrawing && this.isSeveral)), again())),
        turn("None of", "No selected piece on the square", isDrawing && this.isNot, () => ((this.isNot = !(isDrawing && this.isNot)), (this.isAnew = true), again())),
        ...OTHERS.map(([piece, words]) => choice(piece, "", words)),
        tool("attack", "Attacks →", "Draw from a square to a square attacked from it"),
        tool("move", "Moves ⇢", "Draw the next move"),
        tool("erase", "Erase", "Erase the drawing on a square")));
    this.toolStop.update();
  }

  private showOptions(): void {
    const { toMove, transforms, isSimilar } = this.drawing;
    const select = h("select", { "aria-label": "side to move", onchange: () => this.change({ ...this.drawing, toMove: select.value as Drawing["toMove"] }) },
      ...[["", "Either side to move"], ["wtm", "White to move"], ["btm", "Black to move"]].map(([value, words]) => h("option", { value }, words)));
    select.value = toMove;
    const find = (words: string, title: string, is: boolean) =>
      h("button", { type: "button", title, "aria-pressed": String(is === isSimilar), onclick: () => this.change({ ...this.drawing, isSimilar: is }) }, words);
    replace(this.options,
      h("div", { class: "field" }, h("span", { class: "label" }, "To move"), select),
      h("div", { class: "field" }, h("span", { class: "label" }, "Find"), h("div", { class: "pair" },
        find("These pieces", "Find positions with everything that is drawn; on the other squares there may be anything", false), find("Similar", "Find positions like this one, the most alike first", true))),
      h("div", { class: "field", role: "group", "aria-label": "also find" }, h("span", { class: "label" }, "Also find"), h("div", { class: "checks" }, ...TRANSFORMS.map(([names, words, title]) => h("label", { title }, h("input", {
        type: "checkbox", checked: names.every((name) => transforms.includes(name)),
        onchange: (event: Event) => this.change({ ...this.drawing, transforms: TRANSFORM_NAMES.filter((other) => (names.includes(other) ? (event.target as HTMLInputElement).checked : transforms.includes(other))) }),
      }), words)))));
  }

  shown(): Shown {
    const pieces: Pieces = new Map();
    const several = new Map<string, Several[]>();
    const lights: string[] = [];
    const { marks: drawn } = this.drawing;
    const singles = new Set(drawn.filter(({ squares }) => squares.length === 1).map(({ squares }) => squares[0]));
    const isFree = (square: string) => !singles.has(square) && !several.has(square);
    // Pieces come last, so that they find what shares their squares.
    for (const mark of [...drawn.filter((mark) => !isPlain(mark)), ...drawn.filter(isPlain)]) {
      const { squares, isNot, pieces: letters } = mark;
      if (isPlain(mark) && !several.has(squares[0])) pieces.set(squares[0], letters);
      else {
        const isRegion = squares.length > 1;
        if (isRegion) lights.push(...squares);
        const tag = isNot ? "none" : isRegion ? "any" : letters.length > 1 && !/^[Aa]+$/.test(letters) ? "or" : "";
        // A region tells its pieces on a square with nothing else, as near to its middle as there is one.
        const middle = Math.floor(squares.length / 2);
        const nearest = squares.map((_, i) => squares[(middle + (i % 2 ? -1 : 1) * Math.ceil(i / 2) + squares.length) % squares.length]);
        const square = nearest.find(isFree) ?? nearest[0];
        several.set(square, [...(several.get(square) ?? []), { pieces: letters, tag }]);
      }
    }
    const marks = [...(this.stroke ?? []), ...(this.from ? [this.from] : [])];
    return { pieces, several, lights, marks, cursor: this.hasCursor ? this.cursor : null, flipped: false, arrows: this.drawing.arrows, words: (square) => this.wordsOf(square), label: `drawing: ${this.lines}` };
  }

  /** Says what is drawn on a square. */
  private wordsOf(square: string): string {
    const { marks, arrows } = this.drawing;
    const parts = marks.filter(({ squares }) => squares.includes(square)).map(markWords);
    for (const { from, to, kind } of arrows) {
      if (from === square) parts.push(`${kind === "attack" ? "attacks" : "moves to"} ${to}`);
      if (to === square) parts.push(`${kind === "attack" ? "attacked" : "reached"} from ${from}`);
    }
    if (parts.length === 0) parts.push("nothing drawn");
    if (this.stroke?.includes(square)) parts.push("selected");
    if (this.from === square) parts.push("an arrow begins here");
    return parts.join("; ");
  }

  /** Announces what is drawn on squares now. */
  private tell(squares: string[]): void {
    const [first] = squares;
    const words = this.wordsOf(first);
    const place = squaresText(squares) || "all squares";
    // The words of a region tell its squares.
    say(squares.length === 1 ? squareWords(this.shown(), first) : words.includes(`in the region ${squaresText(squares) || "of all squares"}`) ? words : `${place}: ${words}`);
  }

  private paint(): void {
    this.place.paint(this);
  }

  focused(is: boolean): void {
    this.hasCursor = is;
    this.paint();
  }

  cancel(): void {
    this.stroke = null;
    this.paint();
  }

  down(square: string): void {
    this.stroke = [square];
    this.last = square;
    this.paint();
  }

  over(square: string): void {
    if (!this.stroke || square === this.last) return;
    if (this.tool.kind === "attack" || this.tool.kind === "move") this.stroke = [this.stroke[0], square];
    // A quick pointer tells only some of the squares that it crosses.
    else this.stroke = [...new Set([...this.stroke, ...lineOf(this.last, square)])];
    this.last = square;
    this.paint();
  }

  up(square: string | null): void {
    if (square) this.over(square);
    const squares = this.stroke;
    this.stroke = null;
    if (squares) this.put(squares, square ?? squares[squares.length - 1]);
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
        this.tell([first]);
        return this.paint();
      }
      this.from = null;
      if (from === end) return this.paint();
      const others = arrows.filter((arrow) => arrow.from !== from || arrow.to !== end);
      // A drawing has at most one move.
      const kept = kind === "move" ? others.filter((arrow) => arrow.kind !== "move") : others;
      this.change({ ...this.drawing, arrows: others.length < arrows.length ? others : [...kept, { from, to: end, kind }] });
      return this.tell([from]);
    }
    if (kind === "erase") {
      const isFree = (square: string) => !squares.includes(square);
      const isDrawn = marks.some((mark) => !mark.squares.every(isFree)) || arrows.some((arrow) => !isFree(arrow.from) || !isFree(arrow.to));
      if (isDrawn) {
        this.change({
          ...this.drawing,
          marks: marks.map((mark) => ({ ...mark, squares: mark.squares.filter(isFree) })).filter((mark) => mark.squares.length > 0),
          arrows: arrows.filter((arrow) => isFree(arrow.from) && isFree(arrow.to)),
        });
      } else this.paint();
      return this.tell(squares);
    }
    const ordered = SQUARES.filter((square) => squares.includes(square));
    // Each square of a stroke is empty, while a region contains a piece on one of them.
    const areas = this.chosen === "_" && !this.isNot ? ordered.map((square) => [square]) : [ordered];
    const drawn = areas.map((squares): Mark => ({ squares, pieces: this.chosen, isNot: this.isNot }));
    const isOn = (mark: Mark, area: string[]) => mark.squares.join() === area.join();
    const isAgain = drawn.every((one) => marks.some((mark) => isOn(mark, one.squares) && mark.pieces === one.pieces && mark.isNot === one.isNot));
    // A region is drawn over a piece to let it stand elsewhere: what is narrower would hold it fast.
    const hasPiece = (piece: string) => this.chosen.includes(piece) || (piece !== "_" && this.chosen.includes(piece === piece.toUpperCase() ? "A" : "a"));
    const isNarrower = (mark: Mark) => areas[0].length > 1 && !mark.isNot && !this.isNot && mark.squares.every((square) => ordered.includes(square)) && [...mark.pieces].every(hasPiece);
    const others = marks.filter((mark) => !isNarrower(mark) && (mark.isNot !== this.isNot || !areas.some((area) => isOn(mark, area))));
    this.change({ ...this.drawing, marks: isAgain ? others : [...others, ...drawn] });
    this.tell(ordered);
  }

  key(event: KeyboardEvent): boolean {
    const next = stepFrom(this.cursor, event.key, false, ALL_WAYS);
    const letter = event.key.length === 1 && [...LETTERS, "A", "a", "_"].includes(event.key) ? event.key : null;
    this.hasCursor = true;
    if (next) {
      // With Shift, the keys draw a stroke, which Enter or a letter ends.
      if (!event.shiftKey) this.stroke = null;
      else if (!this.stroke) this.down(this.cursor);
      this.cursor = next;
      this.over(next);
      this.paint();
    } else if (event.key === "Enter" || event.key === " ") this.finish();
    else if (event.key === "Delete" || event.key === "Backspace") {
      const { tool } = this;
      this.tool = { kind: "erase" };
      this.finish();
      this.tool = tool;
      this.showPalette();
    } else if (letter) {
      this.choose(letter, false);
      this.finish();
    } else if (event.key === "Escape" && (this.stroke || this.from)) {
      this.from = null;
      this.cancel();
    } else return false;
    return true;
  }

  /** Draws on the squares that the keyboard has selected, or on the one that it is at. */
  private finish(): void {
    if (!this.stroke) this.down(this.cursor);
    this.up(this.cursor);
  }
}

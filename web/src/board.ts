// The board: 320 by 320, drawn with the shapes of the reports.

import { replace, s } from "./dom";

export type Pieces = Map<string, string>;

/** Names of the squares, from a1. */
export const SQUARES = Array.from({ length: 64 }, (_, i) => "abcdefgh"[i % 8] + (1 + Math.floor(i / 8)));

/** Pieces of a FEN by square. Crazyhouse adds pieces in hand and marks of promoted pieces: ignored. */
export function piecesOf(fen: string): Pieces {
  const pieces: Pieces = new Map();
  const board = fen.split(/[ []/)[0].replaceAll("~", "");
  board.split("/").slice(0, 8).forEach((line, row) => {
    let file = 0;
    for (const c of line) {
      if (c >= "1" && c <= "8") file += Number(c);
      else pieces.set("abcdefgh"[file++] + (8 - row), c);
    }
  });
  return pieces;
}

/** The first field of the FEN with these pieces. */
export function boardField(pieces: Pieces): string {
  const lines = [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => [..."abcdefgh"].map((file) => pieces.get(file + rank) ?? "1").join(""));
  return lines.join("/").replace(/1+/g, (empty) => String(empty.length));
}

export interface Arrow {
  from: string;
  to: string;
  kind: "attack" | "move" | "note";
}

export interface Shown {
  pieces: Pieces;
  flipped: boolean;
  /** Squares of the last move. */
  marks?: string[];
  /** Highlighted squares. */
  lights?: string[];
  arrows?: Arrow[];
  /** Squares that a piece can move to. */
  targets?: string[];
  /** Squares with a circle. */
  circles?: string[];
  /** Square that the keyboard is at. */
  cursor?: string | null;
  /** What is drawn small on a square: pieces of which any or none is there, and what shares the square with others. */
  several?: Map<string, Several[]>;
  /** Says what is on a square; without it, the piece that stands there. */
  words?(square: string): string;
  label: string;
}

/** Pieces drawn small into a square. */
export interface Several {
  pieces: string;
  /** Words in the corner. */
  tag: string;
}

/** Returns the coordinates at which a square is drawn. */
function place(square: string, flipped: boolean): [number, number] {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return flipped ? [(7 - file) * 40, rank * 40] : [file * 40, (7 - rank) * 40];
}

/** Returns the square under the pointer; null outside the board. */
export function squareAt(board: Element, event: { clientX: number; clientY: number }, flipped: boolean): string | null {
  const box = board.getBoundingClientRect();
  const file = Math.floor(((event.clientX - box.left) / box.width) * 8);
  const row = Math.floor(((event.clientY - box.top) / box.height) * 8);
  if (file < 0 || file > 7 || row < 0 || row > 7) return null;
  return flipped ? "abcdefgh"[7 - file] + (row + 1) : "abcdefgh"[file] + (8 - row);
}

export function boardElement(): SVGElement {
  return s("svg", { class: "board", viewBox: "0 0 320 320", role: "img", "aria-label": "board" });
}

export function draw(board: SVGElement, shown: Shown): void {
  const { flipped } = shown;
  const layers: SVGElement[] = [s("use", { href: "#board" })];
  const rect = (className: string) => (square: string) => {
    const [x, y] = place(square, flipped);
    layers.push(s("rect", { class: className, x, y, width: 40, height: 40 }));
  };
  (shown.marks ?? []).forEach(rect("mark"));
  (shown.lights ?? []).forEach(rect("lit"));
  layers.push(s("use", { class: "names", href: flipped ? "#names-b" : "#names-w" }));
  for (const [square, piece] of shown.pieces) {
    const [x, y] = place(square, flipped);
    const lower = piece.toLowerCase();
    if ("kqrbnp".includes(lower)) layers.push(s("use", { href: `#${lower}`, class: piece === lower ? "b" : "w", x, y }));
  }
  for (const [square, drawn] of shown.several ?? []) {
    const [x, y] = place(square, flipped);
    drawn.forEach((one, i) => layers.push(...severalElements(one, x, y + (40 * i) / drawn.length, 40 / drawn.length)));
  }
  for (const square of shown.targets ?? []) {
    const [x, y] = place(square, flipped);
    layers.push(shown.pieces.has(square) ? s("circle", { class: "target ring", cx: x + 20, cy: y + 20, r: 17 }) : s("circle", { class: "target", cx: x + 20, cy: y + 20, r: 6 }));
  }
  for (const square of shown.circles ?? []) {
    const [x, y] = place(square, flipped);
    layers.push(s("circle", { class: "circle", cx: x + 20, cy: y + 20, r: 17.5 }));
  }
  if (shown.cursor) {
    const [x, y] = place(shown.cursor, flipped);
    layers.push(s("rect", { class: "cursor", x: x + 1.5, y: y + 1.5, width: 37, height: 37 }));
  }
  for (const arrow of shown.arrows ?? []) layers.push(arrowElement(arrow, flipped));
  replace(board, ...layers);
  board.setAttribute("aria-label", shown.label);
}

function arrowElement(arrow: Arrow, flipped: boolean): SVGElement {
  const [x1, y1] = place(arrow.from, flipped).map((v) => v + 20);
  const [x2, y2] = place(arrow.to, flipped).map((v) => v + 20);
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const [sx, sy] = [x1 + dx * 12, y1 + dy * 12];
  const [ex, ey] = [x2 - dx * 10, y2 - dy * 10];
  const [bx, by] = [ex - dx * 9, ey - dy * 9];
  const head = `M${ex} ${ey}L${bx - dy * 6} ${by + dx * 6}L${bx + dy * 6} ${by - dx * 6}z`;
  return s("g", { class: `arrow ${arrow.kind}` }, s("path", { class: "shaft", d: `M${sx} ${sy}L${bx} ${by}` }), s("path", { class: "head", d: head }));
}

/** Signs of what is no piece, as in the notation of designators. */
const SIGNS: Record<string, string> = { A: "△", a: "▲", _: "□" };

/** Draws pieces, as many as there are, and their tag into a square, or into a part of it that is `height` high. */
function severalElements({ pieces, tag }: Several, x: number, y: number, height: number): SVGElement[] {
  const elements: SVGElement[] = [];
  const isWhole = height === 40;
  const tagWidth = 6.2 * tag.length + 3;
  // The tag is above the pieces, or beside them if there is more in the square.
  const top = tag && isWhole ? 11 : 0;
  const [width, room] = [tag && !isWhole ? 40 - tagWidth : 40, height - top];
  const words = /^[Aa_]+$/.test(pieces) ? wordsOf(pieces) : "";
  if (words) elements.push(s("text", { class: "in-square", style: isWhole ? null : "font-size: 9px", x: x + width / 2, y: y + top + room / 2 + (isWhole ? 8 - top / 2 : 3) }, words));
  else {
    const shapes = [...pieces];
    const n = shapes.length;
    // The number of columns that leaves the pieces largest.
    const sizeWith = (columns: number) => Math.min(width / columns, room / Math.ceil(n / columns), 28);
    const columns = shapes.map((_, i) => i + 1).reduce((best, columns) => (sizeWith(columns) > sizeWith(best) ? columns : best), 1);
    const size = sizeWith(columns);
    const [left, above] = [x + (width - size * columns) / 2, y + top + (room - size * Math.ceil(n / columns)) / 2];
    shapes.forEach((piece, i) => {
      const lower = piece.toLowerCase();
      const at = { x: left + (i % columns) * size, y: above + Math.floor(i / columns) * size, width: size, height: size, viewBox: "0 0 40 40" };
      const shape = SIGNS[piece] ? s("text", { class: "in-square sign-of", x: 20, y: 32 }, SIGNS[piece]) : s("use", { href: `#${lower}`, class: piece === lower ? "b" : "w" });
      elements.push(s("svg", at, shape));
    });
  }
  if (tag) elements.push(s("rect", { class: "tag-box", x: x + 40 - tagWidth, y, width: tagWidth, height: 11, rx: 3 }), s("text", { class: "tag", x: x + 38, y: y + 8.5 }, tag));
  return elements;
}

function wordsOf(pieces: string): string {
  if (pieces === "_") return "empty";
  const colors = [pieces.includes("A") && "white", pieces.includes("a") && "black"].filter(Boolean);
  const words = colors.length === 2 ? "any" : (colors[0] as string);
  return pieces.includes("_") ? `□ ${words}` : words;
}

/** Names of the pieces. */
export const NAMES: Record<string, string> = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };

/** Names a piece by its letter: `white knight`. */
export function pieceName(letter: string): string {
  const lower = letter.toLowerCase();
  return `${letter === lower ? "black" : "white"} ${NAMES[lower] ?? "piece"}`;
}

/** Says what is on a square, for screen readers: `e4, white knight`. */
export function squareWords({ pieces, targets, words }: Shown, square: string): string {
  const piece = pieces.get(square);
  const what = words?.(square) ?? (piece ? pieceName(piece) : "empty");
  return `${square}, ${what}${targets?.includes(square) ? ", a move leads here" : ""}`;
}

/** Describes a position in words, for screen readers. */
export function inWords(pieces: Pieces): string {
  const side = (isWhite: boolean) => {
    const found = [...pieces].filter(([, piece]) => (piece === piece.toUpperCase()) === isWhite);
    found.sort(([, a], [, b]) => "kqrbnp".indexOf(a.toLowerCase()) - "kqrbnp".indexOf(b.toLowerCase()));
    return found.map(([square, piece]) => `${NAMES[piece.toLowerCase()]} ${square}`).join(", ") || "nothing";
  };
  return `White: ${side(true)}. Black: ${side(false)}.`;
}

const UNICODE: Record<string, string> = {
  "♔": "K", "♕": "Q", "♖": "R", "♗": "B", "♘": "N", "♙": "P", "♚": "k", "♛": "q", "♜": "r", "♝": "b", "♞": "n", "♟": "p",
  "△": "A", "▲": "a", "□": "_",
};

/** Returns whether a square is among those that a designator names: `e4`, `a-c1-2`, `d4,e5`. */
function inSquares(text: string): (square: string) => boolean {
  const units = text.split(",").map((unit) => /^([a-h])(?:-([a-h]))?([1-8])(?:-([1-8]))?$/.exec(unit));
  return (square) => units.some((range) => {
    if (!range) return false;
    const [, a, b = a, c, d = c] = range;
    return square[0] >= a && square[0] <= b && square[1] >= c && square[1] <= d;
  });
}

/** Returns the squares that a designator names, in its brackets or not; all if it names none. */
export function squaresOf(text: string): string[] {
  return SQUARES.filter(inSquares(text.replace(/[[\]]/g, "") || "a-h1-8"));
}

/** Returns the squares of a board that match a piece designator; null for other texts. */
export function designated(text: string, pieces: Pieces): string[] | null {
  const unicode = text.replaceAll("◭", "△▲");
  const parts = /^(?:\[([KQRBNPkqrbnpAa_]+)\]|([KQRBNPkqrbnpAa_])|([♔♕♖♗♘♙♚♛♜♝♞♟△▲□]+))?(?:\[([a-h1-8,-]+)\]|([a-h](?:-[a-h])?[1-8](?:-[1-8])?))?$/u.exec(unicode);
  if (!parts || text === "") return null;
  const letters = parts[1] ?? parts[2] ?? [...(parts[3] ?? "")].map((c) => UNICODE[c]).join("");
  const inUnits = inSquares(parts[4] ?? parts[5] ?? "a-h1-8");
  const fits = (square: string) => {
    if (letters === "") return true;
    const piece = pieces.get(square);
    if (piece === undefined) return letters.includes("_");
    return letters.includes(piece) || letters.includes(piece === piece.toUpperCase() ? "A" : "a");
  };
  return SQUARES.filter((square) => inUnits(square) && fits(square));
}

// Drawings on the board: marks on squares, arrows, and how they become text.

import type { Arrow } from "./board";

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
  /** Whether games with positions like this one are wanted, the most alike first. */
  isSimilar: boolean;
}

export const TRANSFORMS: [string[], string, string][] = [
  [["flipcolor"], "Either color", "Also find it with colors exchanged"],
  [["flipvertical"], "Mirrored", "Also find it with left and right exchanged"],
  [["rotate90"], "Rotated", "Also find it on the board rotated by 90°, 180° and 270°"],
  [["shifthorizontal", "shiftvertical"], "Shifted", "Also find it on other files and ranks"],
];

/** Names of the transforms, in the order in which they are written. */
export const TRANSFORM_NAMES = TRANSFORMS.flatMap(([names]) => names);

/** Whether a mark says which piece is on one square, as a position does. */
export function isPlain({ squares, pieces, isNot }: Mark): boolean {
  return squares.length === 1 && !isNot && pieces.length === 1 && !"Aa_".includes(pieces);
}

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

export function markText(mark: Mark): string {
  return piecesText(mark.pieces) + squaresText(mark.squares);
}

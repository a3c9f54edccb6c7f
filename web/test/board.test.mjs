// The board: tests without a browser.

import assert from "node:assert";
import { test } from "node:test";
import { source } from "./source.mjs";

const { piecesOf } = await source("src/board.ts");

test("men in hand and marks of promoted men stand on no square", () => {
  const pieces = (fen) => [...piecesOf(fen)].flat().join(" ");
  assert.equal(pieces("8/8/8/8/8/8/P7/4K2R w K - 0 1"), "a2 P e1 K h1 R");
  assert.equal(pieces("q~1r5/8/8/8/8/8/8/7B[QPpp] w - - 0 1"), "a8 q c8 r h1 B");
  assert.equal(pieces("7k/8/8/8/8/8/8/7B/Qn w - - 0 1"), "h8 k h1 B");
  assert.equal(pieces("7k/8/8/8/8/8/8/7B w - - 3+2 0 1"), "h8 k h1 B");
});

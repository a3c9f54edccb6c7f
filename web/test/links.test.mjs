// What a link holds besides the query: tests without a browser.

import assert from "node:assert";
import { test } from "node:test";
import { source } from "./source.mjs";

const { linkedOf } = await source("src/workspace.ts");

/** The view of a link as JSON has it. */
function viewOf(found) {
  const { view } = linkedOf({ query: "check", view: found });
  return view && JSON.parse(JSON.stringify(view));
}

test("a view of any content has values of the right types", () => {
  const view = { way: "mask", isSearched: true, steps: ["a"], words: "b", sort: "date", isDescending: true, group: "result", chosen: { key: "result", value: "1-0" }, game: { input: "x.pgn", number: 3, in_input: 3, offset: 17 }, ply: 5, fen: "8/8", tried: ["e4"], depth: 1, isGame: true };
  assert.deepEqual(viewOf(view), view);
  const nothing = { way: "query", isSearched: false, steps: [], isDescending: false, game: null, ply: 0, fen: "", tried: [], isGame: false };
  for (const found of [null, undefined, 7, "x"]) assert.equal(viewOf(found), undefined);
  assert.deepEqual(viewOf({}), nothing);
  assert.deepEqual(viewOf({ way: "dance", isSearched: "yes", steps: 4, words: 5, sort: [], group: {}, chosen: { key: 1 }, game: [], ply: -1, tried: {}, depth: "x", isGame: 1 }), nothing);
  assert.deepEqual(viewOf({ game: { input: "x", number: 1e99, in_input: "2", offset: NaN } }).game, { input: "x", number: 0, in_input: 0, offset: 0 });
  assert.equal(viewOf({ tried: Array(100_000).fill("Ke2") }).tried.length, 300);
});

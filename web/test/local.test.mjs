// What the playground stores in the browser: tests without a browser.

import assert from "node:assert";
import { test } from "node:test";
import { source } from "./source.mjs";

const { Local } = await source("src/local.ts");

/** Stores a state where there is room for so many letters, and returns what is told and what is stored. */
async function keep(room, state) {
  let stored = null;
  globalThis.localStorage = {
    getItem: () => stored,
    setItem: (_, text) => {
      if (text.length > room) throw new Error("full");
      stored = text;
    },
  };
  const local = Object.create(Local.prototype);
  return { told: await local.keep({ version: 0, state }), kept: await local.kept() };
}

test("a storage without room for earlier searches has the queries", async () => {
  const state = { docs: [{ id: "a", name: "A", text: "mate" }], history: Array(50).fill({ query: "check" }) };
  const whole = await keep(10_000, state);
  assert.deepEqual(whole.told, { version: 1, lost: undefined });
  assert.deepEqual(whole.kept.state, state);
  const part = await keep(200, state);
  assert.deepEqual(part.told, { version: 1, lost: "earlier searches" });
  assert.deepEqual(part.kept.state, { ...state, history: [] });
  await assert.rejects(keep(20, state), /does not store queries here/);
});

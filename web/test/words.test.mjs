// The words of messages: tests without a browser, against the texts of the program.

import assert from "node:assert";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { source } from "./source.mjs";

const { here, compared, edited } = await source("src/words.ts");

/** Returns the texts of all files of these crates, with strings in one line. */
function sources(...crates) {
  const texts = crates.flatMap((crate) => {
    const folder = join(import.meta.dirname, "../../crates", crate, "src");
    return readdirSync(folder, { recursive: true }).filter((name) => name.endsWith(".rs")).map((name) => readFileSync(join(folder, name), "utf8"));
  });
  return texts.join("\n").replace(/\\\n\s*/g, "");
}

test("messages name the parts of the page in place of commands", () => {
  const all = sources("archive", "compiler", "syntax", "ide", "input");
  for (const [told, expected] of [
    ["read games differently: build it again with `cql index`", /: its button in the menu of games builds it again$/],
    ["keep the themes again with --themes, or remove them with --drop-themes", /^“Store the themes”/],
    ["neither text nor compressed in a known format; if it does hold games, use `--input-format pgn`", /known format$/],
    ["this is correct CQL 5: `-dialect cql5` runs it, `cql migrate` translates it", /^this is correct CQL 5: `cql migrate`, in a terminal/],
    ["if this is CQL 6, say so with -dialect cql6", /^if this is CQL 6, `cql -dialect cql6`, in a terminal, reads it so$/],
    ["is a word of CQL 6: `-dialect cql6` reads the query as CQL 6", /: `cql -dialect cql6`, in a terminal, reads the query/],
    ["read as such; `-dialect cql6` reads it as CQL 6", /; `cql -dialect cql6`, in a terminal, reads it/],
    ["`cql help a library of themes` lists all of them", /^the cookbook lists all of them$/],
    ["`cql like` searches for the most similar ones", /^“Like this”/],
  ]) {
    // The message is still that of the program.
    assert.ok(all.includes(told), told);
    assert.match(here(told), expected);
    assert.doesNotMatch(here(told), /`cql (?!migrate|-dialect)|--\w|[`h] ?-dialect/);
  }
  assert.equal(here('a query: "Windmill" in the cookbook (`cql cookbook windmill`)'), 'a query: "Windmill" in the cookbook');
  assert.equal(here("start `cql studio` with its name"), "start `cql studio` with its name");
});

test("names are sought as they are compared", () => {
  for (const [text, expected] of [["nakamura,hi", "nakamura, hi"], ["Carlsen,", "Carlsen,"], ["Carlsen, M", "Carlsen, M"], ["Sicre,JM.", "Sicre, JM"], ["van Wely, L", "van wely, l"], ["Van Der Berg", "van der berg"], ["Van der Berg", "Van der Berg"], ["..", ".."]]) assert.equal(compared(text), expected);
});

test("edits are made in a text", () => {
  assert.equal(edited("maet btm", [{ from: 0, to: 4, insert: "mate" }, { from: 5, to: 8, insert: "wtm" }]), "mate wtm");
});

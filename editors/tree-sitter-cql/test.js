// npm test: the packages for npm and Cargo agree, and hold the grammar, the parser and the queries.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");

const read = (name) => fs.readFileSync(path.join(__dirname, name), "utf8");
const about = JSON.parse(read("package.json"));

test("all descriptions agree", () => {
  const { metadata, bindings, grammars } = JSON.parse(read("tree-sitter.json"));
  const cargo = Object.fromEntries([...read("Cargo.toml").matchAll(/^([\w-]+) = "(.*)"$/gm)].reverse().map((found) => found.slice(1)));
  for (const field of ["version", "license", "description"]) {
    assert.equal(metadata[field], about[field], field);
    assert.equal(cargo[field], about[field], field);
  }
  assert.equal(cargo.name, about.name);
  for (const url of [metadata.links.repository, cargo.repository]) assert.equal(url, about.repository.url);
  assert.equal(about.private, undefined);
  // Each binding of the list is there, and no other.
  for (const [name, isThere] of Object.entries(bindings)) {
    assert.equal(fs.existsSync(path.join(__dirname, "bindings", name)), isThere, name);
  }
  assert.ok(fs.existsSync(path.join(__dirname, grammars[0].highlights)));
});

test("the package of npm holds what editors need", () => {
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: __dirname, encoding: "utf8" }));
  const expected = ["README.md", "grammar.js", "package.json", "queries/folds.scm", "queries/highlights.scm", "src/grammar.json", "src/node-types.json", "src/parser.c", "src/tree_sitter/parser.h", "tree-sitter.json"];
  assert.deepEqual(packed.files.map((file) => file.path).sort(), expected.sort());
});

test("the package of Cargo holds the same, and the bindings", () => {
  const files = execFileSync("cargo", ["package", "--list", "--allow-dirty", "--offline", "--target-dir", path.join(__dirname, "../../target/tree-sitter")], { cwd: __dirname, encoding: "utf8" }).trim().split(/\r?\n/);
  for (const file of ["bindings/rust/lib.rs", "bindings/rust/build.rs", "src/parser.c", "src/tree_sitter/parser.h", "src/node-types.json", "queries/highlights.scm", "queries/folds.scm"]) {
    assert.ok(files.includes(file), `${file}: ${files}`);
  }
  assert.ok(!files.includes("test.js"));
});

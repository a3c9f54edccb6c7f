// npm test: the files that the package names exist, and the program accepts the command line of a
// search. The variable CQL names the program.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { searchArguments } = require("./search");

const root = path.join(__dirname, "..", "..");

test("every command is registered, every file is there", () => {
  const { contributes } = require("./package.json");
  const code = fs.readFileSync(path.join(__dirname, "extension.js"), "utf8");
  for (const { command } of contributes.commands) {
    assert.ok(code.includes(`command("${command}"`), command);
  }
  for (const name of Object.keys(contributes.configuration.properties)) {
    assert.ok(code.includes(`setting("${name.replace("cql.", "")}")`), name);
  }
  const [language] = contributes.languages;
  const [grammar] = contributes.grammars;
  for (const file of [language.configuration, grammar.path]) {
    JSON.parse(fs.readFileSync(path.join(__dirname, file), "utf8"));
  }
});

test("a search makes a report", { skip: !process.env.CQL }, () => {
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "cql-"));
  const report = path.join(place, "report.html");
  const games = ["historic.pgn", "miniatures.pgn"].map((name) => path.join(root, "examples", name));
  const query = path.join(root, "examples", "pawn-mate.cql");
  execFileSync(process.env.CQL, searchArguments(query, games, report, "cql6"));
  assert.match(fs.readFileSync(report, "utf8"), /<html/);
  fs.rmSync(place, { recursive: true });
});

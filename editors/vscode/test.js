// npm test: the package has what a marketplace asks for, the bundle starts, and the program accepts
// the command line of a search. The variable CQL names the program.

const assert = require("node:assert");
const { execFileSync } = require("node:child_process");
const fs = require("node:fs");
const Module = require("node:module");
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

test("the package has what a marketplace asks for", () => {
  const about = require("./package.json");
  for (const field of ["name", "displayName", "description", "version", "publisher", "license", "homepage"]) {
    assert.match(about[field], /^\S.*\S$/, field);
  }
  assert.match(about.repository.url, /^https:.*\.git$/);
  assert.equal(path.join(root, about.repository.directory), __dirname);
  assert.ok(about.engines.vscode && about.categories.length > 0 && about.keywords.length <= 30);
  // A package that is private, or whose icon is no PNG of 128 pixels, is refused.
  assert.equal(about.private, undefined);
  const icon = fs.readFileSync(path.join(__dirname, about.icon));
  assert.equal(icon.toString("latin1", 1, 4), "PNG");
  assert.ok(icon.readUInt32BE(16) >= 128 && icon.readUInt32BE(16) === icon.readUInt32BE(20));
  const [language] = about.contributes.languages;
  const [grammar] = about.contributes.grammars;
  for (const file of [about.main, about.icon, language.configuration, grammar.path]) {
    assert.ok(about.files.includes(file.replace("./", "")), file);
  }
  const { stdout } = require("node:child_process").spawnSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], { cwd: __dirname, encoding: "utf8" });
  const packed = JSON.parse(stdout)[0].files.map((file) => file.path);
  const unwanted = packed.filter((file) => !about.files.includes(file) && !["README.md", "package.json"].includes(file));
  assert.deepEqual(unwanted, []);
});

const hasPackages = fs.existsSync(path.join(__dirname, "node_modules")) && fs.existsSync(path.join(root, "web/node_modules"));

test("the bundle needs only VS Code", { skip: !hasPackages && "npm ci, here and in web, installs the packages" }, async () => {
  execFileSync(process.execPath, ["bundle.mjs"], { cwd: __dirname });
  assert.match(fs.readFileSync(path.join(__dirname, "LICENSE.txt"), "utf8"), /^vscode-languageclient .*: MIT$/m);
  // In a folder without packages.
  const place = fs.mkdtempSync(path.join(os.tmpdir(), "cql-"));
  const bundle = path.join(place, "extension.js");
  fs.copyFileSync(path.join(__dirname, "dist/extension.js"), bundle);
  const commands = [];
  const anything = (known) => new Proxy(class {}, { get: (own, name) => known[name] ?? own[name] ?? (name === "then" ? undefined : anything({})) });
  const vscode = anything({
    version: "1.91.0",
    commands: anything({ registerCommand: (name) => commands.push(name) }),
    workspace: anything({ getConfiguration: () => ({ get: () => "" }), registerTextDocumentContentProvider: () => {} }),
    EventEmitter: class {},
  });
  const load = Module._load;
  try {
    Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
    const extension = require(bundle);
    assert.deepEqual(Object.keys(extension).sort(), ["activate", "deactivate"]);
    // The server cannot start here: all commands are registered before that.
    await (async () => extension.activate({ subscriptions: [] }))().catch(() => {});
    assert.deepEqual(commands.sort(), require("./package.json").contributes.commands.map((one) => one.command).sort());
  } finally {
    Module._load = load;
    fs.rmSync(place, { recursive: true });
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

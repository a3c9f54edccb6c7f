// Tests of the npm package of the engine, from the folder that ENGINE names: in node, and in Chromium.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { browserPath, historic } from "./studio.mjs";
import { serve } from "./playground.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");
const folder = process.env.ENGINE;
const skip = folder && existsSync(join(folder, "engine.wasm")) ? false : "ENGINE does not name the package of the engine";
const it = (name, work) => test(name, { skip, timeout: 120_000 }, work);

let engine;
let package_;
before(async () => {
  if (skip) return;
  package_ = await import(pathToFileURL(join(folder, "index.js")));
  engine = new package_.Engine(new WebAssembly.Module(readFileSync(join(folder, "engine.wasm"))));
  engine.add(1, "historic.pgn", Buffer.from(historic));
});

it("the package holds what it needs, and nothing else", () => {
  const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: folder, encoding: "utf8" }));
  const files = packed.files.map((file) => file.path).sort();
  const types = ["answer", "client", "engine", "index", "types", "worker"].map((name) => `${name}.d.ts`);
  assert.deepEqual(files, ["LICENSE-APACHE", "LICENSE-MIT", "LICENSES-OF-OTHERS.txt", "README.md", "engine.wasm", "index.js", "package.json", "worker.js", ...types].sort());
  assert.ok(packed.size < 1_500_000, `${packed.size} bytes packed`);
  const { version, exports } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  assert.match(readFileSync(join(web, "engine/Cargo.toml"), "utf8"), new RegExp(`^version = "${version}"$`, "m"));
  for (const target of Object.values(exports).flatMap((one) => (typeof one === "string" ? one : Object.values(one)))) {
    assert.ok(files.includes(target.replace("./", "")), target);
  }
});

it("games are searched in node", () => {
  const { games, end, heading, faults } = engine.search({ query: "cql() mate sort \"men\" #[Aa]", values: ["movenumber"] }, [1]);
  assert.equal(games.length, 11);
  assert.deepEqual([end.games, end.matches, faults], [40, 11, []]);
  assert.deepEqual([heading.sort, heading.values], [["men"], ["movenumber"]]);
  assert.match(engine.search("cql() message(\"♔\") false", [1]).said, /^Game: 1 .*: ♔$/m);
  assert.throws(() => engine.search("cql() maet", [1]), (error) => error instanceof package_.Refusal && /maet/.test(error.message));
  assert.throws(() => engine.search("cql() mate", [2]), package_.Refusal);
});

it("queries are checked, and ideas found", () => {
  const { diagnostics } = engine.value("/api/ask", { what: "check", text: "cql() maet" });
  assert.equal(diagnostics[0].code, "E0201");
  const { ideas } = engine.value("/api/find", { words: "exchange sacrifice" });
  assert.deepEqual([ideas[0].title, ideas[0].kind], ["Exchange sacrifice", "recipe"]);
  assert.throws(() => engine.value("/api/nothing"), package_.Refusal);
});

/** Makes a folder with the package in node_modules. */
function user() {
  const place = mkdtempSync(join(tmpdir(), "engine-test-"));
  cpSync(folder, join(place, "node_modules/babson-engine"), { recursive: true });
  symlinkSync(join(web, "node_modules/typescript"), join(place, "node_modules/typescript"));
  return place;
}

it("the types fit the examples of the README", () => {
  const place = user();
  const read = readFileSync(join(folder, "README.md"), "utf8");
  const examples = [...read.matchAll(/^```js\n([^]*?)^```$/gm)].map((found) => found[1]);
  assert.equal(examples.length, 4);
  const [browser, elsewhere, node, check] = examples;
  const declared = 'declare module "node:fs" { export function readFileSync(name: string | URL): Uint8Array<ArrayBuffer> }\ndeclare const file: Blob;\n';
  writeFileSync(join(place, "globals.d.ts"), declared);
  const files = {
    "browser.mts": browser + check.replace("{ diagnostics }", "{ diagnostics }: import(\"babson-engine\").Checked"), "elsewhere.mts": elsewhere, "node.mts": node,
    "wrong.mts": 'import { startEngine } from "babson-engine";\nawait startEngine().search(1, 2);\n',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(place, name), text);
  const compile = (...names) => {
    const options = ["--noEmit", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable", "--types", ""];
    execFileSync(process.execPath, [join(place, "node_modules/typescript/bin/tsc"), ...options, "globals.d.ts", ...names], { cwd: place, encoding: "utf8", stdio: "pipe" });
  };
  compile("browser.mts", "elsewhere.mts", "node.mts");
  assert.throws(() => compile("wrong.mts"), (error) => /TS2345/.test(error.stdout));
  // The example for node also runs.
  writeFileSync(join(place, "games.pgn"), historic);
  writeFileSync(join(place, "run.mjs"), `${node}console.log(end.matches, games.length);\n`);
  assert.equal(execFileSync(process.execPath, ["run.mjs"], { cwd: place, encoding: "utf8" }), "11 11\n");
  rmSync(place, { recursive: true });
});

test("a worker answers in the browser", { skip: skip || (!browserPath() && "there is no Chromium"), timeout: 120_000 }, async () => {
  const server = await serve(folder);
  try {
    const page = await (await server.browser.newContext()).newPage();
    await page.goto(`${server.link}package.json`);
    const told = await page.evaluate(async ({ historic, link }) => {
      const { startEngine, Refusal } = await import(`${link}index.js`);
      const engine = startEngine();
      engine.add(1, "historic.pgn", new Blob([historic]));
      const [found, checked, refused] = await Promise.all([
        engine.search("cql() mate", [1]), engine.value("/api/ask", { what: "check", text: "cql() maet" }), engine.search("cql() maet", [1]).catch((error) => error instanceof Refusal),
      ]);
      const slow = engine.search("cql() x = 0 while (x < 100000) { x = x + 1 } false", [1]).catch((error) => error.message);
      engine.end();
      return [found.end.matches, found.games.length, checked.diagnostics[0].code, refused, await slow, await engine.value("/api/find", { words: "x" }).catch((error) => error.message)];
    }, { historic, link: server.link });
    const ended = "The engine has ended; reload the page.";
    assert.deepEqual(told, [11, 11, "E0201", true, ended, ended]);
  } finally {
    await server.end();
  }
});

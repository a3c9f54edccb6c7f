// Tests of the playground in Chromium, and of its engine, from the folder that PLAYGROUND names.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { AxeBuilder } from "./axe.mjs";
import { folder, missing, start } from "./playground.mjs";
import { source } from "./source.mjs";
import { PHONE, find, findIdeas, historic, kept, open, program, suite, write } from "./studio.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const playground = {};
const it = suite(playground, start, missing());

/** Loads the engine outside a page. */
async function engine() {
  const { Engine } = await source("engine/js/engine.ts");
  const module = new WebAssembly.Module(readFileSync(join(folder, "engine.wasm")));
  /** Returns the lines and the refusals of a request. */
  const ask = (engine, path, body) => {
    let [text, refusal] = ["", null];
    engine.call(path, JSON.stringify(body), { tell: (what, bytes) => (what === 1 ? (refusal = Buffer.from(bytes).toString()) : (text += Buffer.from(bytes).toString())) });
    return { lines: text.split("\n").filter(Boolean).map((line) => JSON.parse(line)), refusal };
  };
  return { Engine, module, ask };
}

it("queries find in the page what the program finds", async () => {
  const page = await open(playground);
  assert.match(await find(page, "cql() mate sort \"men\" #[Aa]"), /^11 of 40 games/);
  await page.waitForSelector(".moves [aria-current].match");
  await page.waitForSelector(".conditions li.holds");
  await page.hover(".tok-keyword:has-text('mate')");
  await page.waitForSelector(".cm-tooltip");
  await page.click('.games-head button:has-text("Conditions…")');
  await page.waitForSelector("dialog .funnel tbody tr:nth-child(3)");
  await page.keyboard.press("Escape");

  await page.keyboard.press("ControlOrMeta+s");
  await page.check('dialog input[value="csv"]');
  await page.fill('dialog input[name="columns"]', "game,white,result");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const written = readFileSync(await download.path(), "utf8");
  assert.equal(written.split("\n").length, 13);
  if (program) {
    const expected = execFileSync(program, ["--stdout", "--format", "csv", "--columns", "game,white,result", "-i", join(root, "examples/historic.pgn"), "-cql", "mate sort \"men\" #[Aa]"], { stdio: ["ignore", "pipe", "ignore"] });
    assert.equal(written, expected.toString());
  }
  await kept(page);
  await page.reload();
  await page.waitForSelector(".tok-keyword");
  assert.match(await page.locator(".cm-content").innerText(), /mate sort/);
  assert.deepEqual(playground.asked.filter((path) => !path.startsWith("/playground/")), [], "nothing is asked of elsewhere");
});

for (const [name, options] of [["", {}], [" on a phone", PHONE]]) {
  it(`ideas are found by words${name}`, async () => findIdeas(await open(playground, options), options === PHONE));
}

it("a search that would never end is stopped, and others go on", async () => {
  const page = await open(playground);
  await write(page, "cql() x = 0 while (x < 100000) { x = x + 1 } false");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector(".search.running");
  await page.waitForSelector(".progress.on");
  // A request during the search is answered.
  await page.hover(".tok-keyword:has-text('while')");
  await page.waitForSelector(".cm-tooltip");
  await page.click(".search");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("stopped"));
  assert.match(await find(page, "cql() mate"), /^11 of 40 games/);
});

it("files are dropped, packed ones too", async () => {
  const page = await open(playground);
  const game = '[White "Dropped"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n';
  await page.setInputFiles('input[type="file"]', [
    { name: "dropped.pgn", mimeType: "text/plain", buffer: Buffer.from(game) },
    { name: "packed.pgn.gz", mimeType: "application/gzip", buffer: gzipSync(Buffer.from(game)) },
  ]);
  await page.waitForSelector('.library summary:has-text("3 of 3")');
  assert.match(await find(page, "cql() player \"Dropped\" mate"), /^2 of 42 games/);
  await page.waitForSelector('.game-head:has-text("Dropped")');
  await page.click(".library summary");
  await page.click('button[aria-label="Remove dropped.pgn"]');
  await page.waitForSelector('.library summary:has-text("2 of 2")');
  await page.keyboard.press("Escape");
  assert.match(await find(page, "cql() player \"Dropped\" mate // again"), /^1 of 41 games/);
  for (const name of ["games.pgn.zst", "games.tar.gz", "games.si4"]) {
    await page.setInputFiles('input[type="file"]', { name, mimeType: "application/octet-stream", buffer: Buffer.from("x") });
    await page.waitForSelector(`.toast:has-text("${name} cannot be read in the playground")`);
  }
});

it("queries of the book are run by a link", async () => {
  const book = await open(playground);
  await book.setContent('<pre><code class="language-cql hljs">mate // 100 % ♔ &amp; #</code></pre><pre><code class="language-sh">ls</code></pre>');
  await book.evaluate((base) => { window.path_to_root = base; }, new URL("../book/", playground.link).href);
  await book.evaluate(readFileSync(join(root, "docs/run.js"), "utf8"));
  assert.equal(await book.locator("pre a").count(), 1);
  const link = await book.locator("pre a").getAttribute("href");
  await book.hover("pre a");
  // The largest files are requested before the click.
  await book.waitForSelector('link[rel="prefetch"][href$="/playground/engine.wasm"]', { state: "attached" });
  const page = await open(playground);
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector('.status[data-state="done"]');
  assert.match(await page.textContent(".status"), /^11 of 40 games/);
  assert.equal(await page.locator(".cm-content").innerText(), "cql()\nmate // 100 % ♔ & #");
});

it("the query of a link is searched with the columns of the reader, and may be wrong", async () => {
  const page = await open(playground);
  await page.click('button:has-text("Column…")');
  await page.fill('[aria-label="expression"]', "movenumber");
  await page.click("dialog button.main");
  await page.waitForSelector('html[data-kept="all"]');
  const follow = async (query) => {
    await page.goto("about:blank");
    await page.goto(`${playground.link}#run=${encodeURIComponent(query)}`);
    await page.waitForSelector('.status[data-state="done"]');
  };
  await follow("mate");
  assert.match(await page.textContent(".status"), /^11 of 40 games/);
  assert.match(await page.textContent(".row-game"), /movenumber \d+/);
  await follow("mate attaks k");
  assert.match(await page.textContent(".status"), /unknown name attaks/);
  await page.waitForSelector(".strip.error:has-text('attaks')");
});

it("a file that is missing is named", async () => {
  for (const name of ["engine.wasm", "historic.pgn"]) {
    const page = await (await playground.browser.newContext()).newPage();
    await page.route(`**/${name}`, (route) => route.fulfill({ status: 404 }));
    await page.goto(playground.link);
    await page.waitForSelector(`[role="alert"]:has-text("${name} is missing next to the page (404)")`);
  }
});

it("a page whose editor cannot be loaded says so, and searches", async () => {
  const page = await (await playground.browser.newContext()).newPage();
  await page.route("**/editor.js", (route) => route.abort());
  await page.goto(`${playground.link}#run=mate`);
  await page.waitForSelector('[role="alert"]:has-text("The editor could not be loaded")');
  await page.waitForSelector('.status[data-state="done"]');
  assert.match(await page.textContent(".status"), /^11 of 40 games/);
  await page.evaluate(() => (document.querySelector(".status").dataset.state = "before"));
  await page.click("button.search");
  await page.waitForSelector('.status[data-state="done"]');
});

it("a panic takes one game, and too many take the search", async () => {
  const { Engine, module, ask } = await engine();
  const search = { query: "cql() mate", values: [], collections: [1] };
  const run = (breaks) => {
    class Breaking extends Engine {
      mayEvaluate(number) {
        const may = super.mayEvaluate(number);
        if (may && breaks(number)) throw new WebAssembly.RuntimeError("unreachable");
        return may;
      }
    }
    const engine = new Breaking(module);
    engine.add(1, "historic.pgn", Buffer.from(historic));
    return ask(engine, "/api/search", search);
  };
  const numbers = ({ lines }) => lines.filter(Array.isArray).map((row) => row[0]);
  const whole = run(() => false);
  assert.equal(numbers(whole).length, 11);
  const broken = [numbers(whole)[0], numbers(whole)[5], 40];
  const found = run((number) => broken.includes(number));
  assert.deepEqual(numbers(found), numbers(whole).filter((number) => !broken.includes(number)));
  const faults = found.lines.filter((line) => line.fault).map((line) => line.fault);
  assert.deepEqual(faults.map((fault) => fault.game), broken);
  assert.match(faults[0].message, /defect/);
  assert.equal(found.lines.at(-1).end.games, 40);
  assert.match(run(() => true).refusal, /defect/);
});

it("the queries of the book find in the page what the book says", async () => {
  const { Engine, module, ask } = await engine();
  const { whole } = await source("src/workspace.ts");
  const engine_ = new Engine(module);
  engine_.add(1, "historic.pgn", Buffer.from(historic));
  const base = join(root, "docs/src");
  let n = 0;
  for (const name of readdirSync(base, { recursive: true }).filter((name) => name.endsWith(".md"))) {
    const text = readFileSync(join(base, name), "utf8");
    for (const [, info, query] of text.matchAll(/^```cql (.*)\n([^]*?)^```$/gm)) {
      const promises = Object.fromEntries(info.split(" ").map((promise) => promise.split("=")));
      if (promises.file || !(promises.games || promises.matches)) continue;
      const { lines, refusal } = ask(engine_, "/api/search", { query: whole(query), values: [], collections: [1] });
      // Queries that may read files need the program.
      if (/similarposition|readfile|import/.test(query)) continue;
      assert.equal(refusal, null, `${name}: ${query}`);
      const found = lines.filter(Array.isArray).map((row) => row[0]);
      if (promises.games) assert.deepEqual(found, promises.games.split(",").map(Number), `${name}: ${query}`);
      else assert.equal(found.length, Number(promises.matches), `${name}: ${query}`);
      n += 1;
    }
  }
  assert.ok(n > 100, `${n} queries`);
});

it("what makes no sense is refused", async () => {
  const { Engine, module, ask } = await engine();
  const engine_ = new Engine(module);
  for (const [path, body] of [["/api/nothing", {}], ["/api/ask", { what: "x", text: "" }], ["/api/search", {}], ["/api/search", { query: "cql() maet", collections: [] }],
    ["/api/search", { query: "cql() mate", collections: [7] }], ["/api/book/x.md", ""], ["/api/stats", {}],
    ["/api/game", { query: "", game: { collections: [], input: "x", number: 1, in_input: 1, offset: 0 } }]]) {
    const { refusal } = ask(engine_, path, body);
    assert.ok(refusal && !refusal.includes("defect"), `${path}: ${refusal}`);
  }
});

for (const [name, options] of Object.entries({ desktop: {}, dark: { colorScheme: "dark" }, phone: { viewport: { width: 390, height: 844 }, hasTouch: true } })) {
  it(`everybody can use the playground: ${name}`, async () => {
    const page = await open(playground, options);
    const check = async (where) => {
      const found = await new AxeBuilder(page).violations();
      assert.deepEqual(found.map((one) => `${where}: ${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`), []);
    };
    await check("at the start");
    await page.fill('[role="combobox"]', "pawn");
    await page.waitForSelector('.idea');
    await check("ideas");
    await find(page, "cql() mate");
    await check("games");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, "nothing sticks out");
  });
}

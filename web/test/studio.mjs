// Starts a studio with generated games, and opens it in a browser.

import assert from "node:assert";
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");

/** Path of the program, which must have been built with the studio. */
export const program = process.env.CQL;

/** Path of the browser; null if there is none. */
export function browserPath() {
  const usual = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
  const found = [process.env.CHROMIUM, ...usual].find((path) => path && existsSync(path));
  if (found) return found;
  const own = chromium.executablePath();
  return existsSync(own) ? own : null;
}

/** Reason why the tests cannot run here; false if they can. */
export function missing() {
  if (!program) return "CQL does not name the program";
  return browserPath() ? false : "there is no Chromium (CHROMIUM names one)";
}

export const historic = readFileSync(join(root, "examples/historic.pgn"), "utf8");

/** A UCI engine that finds two lines, ends at once after the mate of a fool, and dies if it is asked about a board without black
 * pieces but the king, or about castling rights that the pieces do not allow. */
const ENGINE = `
const say = (text) => process.stdout.write(text + "\\n");
let rest = "", fen = "";
process.stdin.on("data", (data) => {
  const lines = (rest + data).split("\\n");
  rest = lines.pop();
  for (const line of lines) {
    if (line === "uci") say("id name Fake 1\\noption name Threads type spin\\noption name MultiPV type spin\\nuciok");
    if (line === "isready") say("readyok");
    if (line.startsWith("position")) fen = line;
    if (line.startsWith("go")) {
      if (/fen [^ ]*k7\\/8\\/8/.test(fen) || fen.includes("K2R w KQ")) process.exit(3);
      if (fen.includes("6Pq")) {
        say("info depth 0 score mate 0\\nbestmove (none)");
        continue;
      }
      if (fen.includes("K2R")) say("info depth 7 score cp 600 pv h1h8");
      else say("info depth 7 multipv 1 score cp 31 pv e2e4 e7e5 g1f3\\ninfo depth 7 multipv 2 score mate -4 pv f2f3 e7e5");
    }
    if (line === "stop") say("bestmove e2e4");
    if (line === "quit") process.exit(0);
  }
});
`;

/** Starts the browser. */
export function launch() {
  return chromium.launch({
    executablePath: browserPath(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

/** What is to be looked at or ended after the test that is running. */
const pages = [];
const ends = [];

/** Starts what all tests of a file share before the first of them, and puts it into `shared`. Returns what defines a test,
 * which also fails if a page had an error that its `permits` does not match. */
export function suite(shared, begin = start, skip = missing()) {
  before(async () => skip || Object.assign(shared, await begin()), { timeout: 60_000 });
  after(() => shared.end?.());
  return (name, work) => test(name, { skip, timeout: 300_000 }, async () => {
    try {
      await work();
      for (const page of pages) assert.deepEqual(page.faults.filter((fault) => !page.permits?.test(fault)), []);
    } finally {
      pages.length = 0;
      for (const end of ends.splice(0)) await end();
    }
  });
}

/** Starts a studio for one test, as [`start`] does. */
export async function own(...given) {
  const studio = await start(...given);
  ends.push(() => studio.end());
  return studio;
}

/** Starts the program and a browser, with 10,000 games or those of the given files; `isWithEngine` says whether it has an engine. */
export async function start(given = null, isWithEngine = false) {
  const folder = mkdtempSync(join(tmpdir(), "studio-test-"));
  const games = given ?? join(folder, "games.pgn");
  if (!given) writeFileSync(games, historic.repeat(250));
  const engine = join(folder, "engine.mjs");
  if (isWithEngine) writeFileSync(engine, ENGINE);
  const options = isWithEngine ? ["--engine", `"${process.execPath}" "${engine}"`] : [];
  const child = spawn(program, ["studio", "--no-open", ...options, ...[games].flat()], { env: { ...process.env, XDG_DATA_HOME: folder, HOME: folder, LOCALAPPDATA: folder } });
  let said = "";
  const link = await new Promise((resolve, reject) => {
    child.stdout.on("data", (data) => {
      said += data;
      const found = /http:\S+/.exec(said);
      if (found) resolve(found[0]);
    });
    child.stderr.on("data", (data) => (said += data));
    child.on("exit", () => reject(new Error(`the studio does not start: ${said}`)));
  });
  const browser = await launch();
  return {
    link, folder, games, browser, child,
    async end() {
      await browser.close();
      const ended = child.exitCode !== null ? Promise.resolve() : new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Serves the files of the folder ASSETS in place of those in the program, with the headers of the program. */
async function useAssets(context) {
  for (const name of ["index.html", "app.js", "editor.js", "app.css"]) {
    await context.route((url) => url.pathname === `/${name}` || (name === "index.html" && url.pathname === "/"), async (route) => {
      const response = await route.fetch();
      const body = readFileSync(join(process.env.ASSETS, name), "utf8");
      await route.fulfill({ response, body });
    });
  }
}

/** Selects the games which the studio was started with, without columns, as it does at first: an earlier test may have
 * left others. */
async function forgetChoices(studio) {
  const { origin, hash } = new URL(studio.link);
  const token = /token=(\w+)/.exec(hash)?.[1];
  // The playground has no server, and each context stores its own.
  if (!token) return;
  const headers = { "x-studio-token": token };
  for (let isStored = false; !isStored; ) {
    const { version, state } = await (await fetch(`${origin}/api/workspace`, { headers })).json();
    if (!state) return;
    const body = JSON.stringify({ version, state: { ...state, on: [], off: [], values: [] } });
    // A page that was closed may have stored its own meanwhile.
    isStored = (await fetch(`${origin}/api/workspace`, { method: "PUT", headers, body })).ok;
  }
}

/** Slows the pages of a context as often as the variable SLOW says: a test that needs a quick page is a race. */
function slow(context) {
  const rate = Number(process.env.SLOW ?? 1);
  if (rate > 1) context.on("page", async (page) => (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate }));
}

/** Opens a page of the studio; an error in it fails the test. */
export async function open(studio, options = {}, way = "query") {
  // Pages of earlier tests would store their queries later.
  for (const earlier of studio.browser.contexts()) await earlier.close();
  await forgetChoices(studio);
  const context = await studio.browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  if (process.env.ASSETS) await useAssets(context);
  slow(context);
  const page = await context.newPage();
  page.faults = [];
  pages.push(page);
  page.on("console", (message) => {
    const fault = `${message.text()} ${message.location().url}`;
    // So a window learns what another one has stored.
    if (message.type() === "error" && !/409 .*workspace/.test(fault)) page.faults.push(fault);
  });
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.goto(studio.link);
  await page.waitForSelector(".cm-content", { state: "attached" });
  await page.click(`[data-tab="${way}"]`);
  return page;
}

/** Puts a text into the editor. */
export async function write(page, text) {
  // A list of completions may cover the place of a click.
  await page.focus(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Returns the text of the query, without empty lines at its end. */
export const text = async (page) => (await page.locator(".cm-content").innerText()).trimEnd();

/** Makes the games of the list a collection, which alone is selected then. */
export async function save(page, name) {
  await page.click('button:has-text("Save…")');
  await page.fill('dialog input[maxlength="60"]', name);
  await page.keyboard.press("Enter");
  await page.waitForSelector(`.library summary:has-text("${name}.pgn")`);
  await page.waitForSelector('.status[data-state="done"]');
}

/** Waits until the state of the page is stored. */
export async function kept(page) {
  await page.waitForSelector('html[data-kept="all"]', { state: "attached" });
}

/** Writes a query, and returns once the program searches with it: until then the page checks the text, and *Stop* ends a
 * search of which no list is left. */
export async function begin(page, text) {
  await write(page, text);
  const answer = page.waitForResponse((response) => response.url().endsWith("/api/search") && response.request().postDataJSON().query === text);
  await page.keyboard.press("ControlOrMeta+Enter");
  await answer;
  await page.waitForSelector(".search.running");
}

/** Starts a search that takes minutes, and returns when the list shows games of it; until then, it shows those of the search before. */
export async function searchSlowly(page) {
  const before = await page.getAttribute(".row-game", "aria-setsize");
  await begin(page, "cql() initial x = 0 while (x < 30000) { x = x + 1 }");
  await page.waitForFunction((before) => (document.querySelector(".row-game")?.getAttribute("aria-setsize") ?? before) !== before, before, { timeout: 8000 });
}

/** Searches, waits for the end, and returns the status. */
export async function search(page) {
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status[data-state="done"]', { timeout: 120_000 });
  return page.textContent(".status");
}

/** Writes a query, searches with it, and returns the status. */
export async function find(page, query) {
  await write(page, query);
  return search(page);
}

/** Copies a link to the page, and returns it. */
export async function linkOf(page) {
  await page.click('.top button:has-text("Link")');
  await page.waitForSelector(".toast");
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Waits for something in the opening tree. After a slow count, the page counts the next moves only when it is asked. */
export async function treeHas(page, selector) {
  const wanted = page.locator(selector).first();
  const count = page.locator('.tree button:has-text("Count")');
  for (;;) {
    await wanted.or(count).first().waitFor();
    if (await wanted.isVisible()) return;
    // The moves may come meanwhile.
    await count.click({ timeout: 1000 }).catch(() => {});
  }
}

/** Removes a saved collection from the list of games, which is open. */
export async function removeSaved(page, name) {
  await page.click(`button[aria-label="Remove ${name}"]`);
  await page.click('.library .question button:has-text("Delete")');
}

/** Finds ideas by words, by keyboard and by click, in the studio or in the playground. */
export async function findIdeas(page, isPhone = false) {
  const field = page.locator('[role="combobox"]');
  const chosen = () => page.locator('.idea[aria-selected="true"]');
  const query = () => page.locator(".cm-content").innerText();
  const back = () => isPhone && page.tap('.part-bar [data-part="query"]');
  await page.keyboard.press("ControlOrMeta+k");
  await page.keyboard.type("exchange sacrifice");
  // While the words are typed, other ideas are shown.
  const first = '.idea[aria-selected="true"]:has-text("Exchange sacrifice recipe")';
  await page.waitForSelector(first);
  assert.match(await chosen().innerText(), /^Exchange sacrifice recipe\n\w.*/);
  assert.equal(await field.getAttribute("aria-activedescendant"), "idea-0");
  assert.match(await page.locator(".unseen[aria-live]").textContent(), /^\d+ ideas?$/);
  // The list is a ring: the last idea is before the first.
  const last = (await page.locator('.idea').count()) - 1;
  await page.keyboard.press("ArrowUp");
  assert.equal(await chosen().getAttribute("id"), `idea-${last}`);
  await page.keyboard.press("ArrowDown");
  assert.equal(await chosen().getAttribute("id"), "idea-0");
  await page.keyboard.press("Escape");
  assert.equal(await field.inputValue(), "");
  assert.equal(await field.getAttribute("aria-expanded"), "false");
  await page.waitForSelector(".contents");

  await page.keyboard.type("exchange sacrifice");
  await page.waitForSelector(first);
  await page.keyboard.press("Enter");
  await page.waitForSelector('.status[data-state="done"]');
  await back();
  await page.waitForFunction(() => document.querySelector(".tabs [aria-current]").textContent === "Exchange sacrifice");
  assert.match(await query(), /^cql\(\)\n[^]*\w/);
  await page.waitForSelector('.page h3:has-text("Exchange sacrifice")');
  await page.click('button:has-text("← Found")');
  await page.waitForSelector('.idea:has-text("Exchange sacrifice")');

  // A theme of the library, by a click.
  await field.fill("rook endgame");
  const theme = page.locator('.idea:has-text("rookendgame")');
  await (isPhone ? theme.tap() : theme.click());
  await page.waitForFunction(() => document.querySelector(".tabs [aria-current]").textContent === "rookendgame");
  await page.waitForSelector('.status[data-state="done"]');
  assert.match(await page.textContent(".status"), /^\d[\d,]* of [\d,]+ games/);
  await back();
  assert.equal(await query(), 'cql()\ntheme("rookendgame")');

  // A word that is no query by itself has only its page.
  await field.fill("attacks");
  const word = page.locator('.idea:has(small:text-is("word")):has(code:text-is("attacks"))').first();
  await (isPhone ? word.tap() : word.click());
  await page.waitForSelector('.page h2:has-text("Attacks, rays")');
  assert.equal(await query(), 'cql()\ntheme("rookendgame")');
  await field.fill("nosuchtheme");
  await page.waitForSelector('.told:has-text("Nothing is found")');
}

export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };

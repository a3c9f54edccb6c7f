// Starts a studio with generated games, and opens it in a browser.

import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
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

/** Starts the program with 10,000 games and a browser. */
export async function start() {
  const folder = mkdtempSync(join(tmpdir(), "studio-test-"));
  const games = join(folder, "games.pgn");
  writeFileSync(games, historic.repeat(250));
  const child = spawn(program, ["studio", "--no-open", games], { env: { ...process.env, XDG_DATA_HOME: folder, HOME: folder, LOCALAPPDATA: folder } });
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
  const browser = await chromium.launch({
    executablePath: browserPath(),
    args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
  return {
    link, folder, browser, child,
    async end() {
      await browser.close();
      const ended = child.exitCode !== null ? Promise.resolve() : new Promise((resolve) => child.on("exit", resolve));
      child.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Opens a page of the studio; an error in it fails the test. */
export async function open(studio, options = {}) {
  const context = await studio.browser.newContext({ viewport: { width: 1440, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  page.faults = [];
  page.on("console", (message) => message.type() === "error" && page.faults.push(message.text()));
  page.on("pageerror", (error) => page.faults.push(error.message));
  await page.goto(studio.link);
  await page.waitForSelector(".cm-content");
  return page;
}

/** Puts a text into the editor. */
export async function write(page, text) {
  await page.click(".cm-content");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Waits until the state of the page is stored. */
export async function kept(page) {
  await page.waitForSelector('html[data-kept="all"]', { state: "attached" });
}

/** Searches, waits for the end, and returns the status. */
export async function search(page) {
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status[data-state="done"]', { timeout: 120_000 });
  return page.textContent(".status");
}

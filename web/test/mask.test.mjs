// Tests of the mask, of the groups and the order of the list, and of the selected collections, in Chromium, with the program
// that the variable CQL names.

import assert from "node:assert";
import { find, open, removeSaved, save, suite, text, write } from "./studio.mjs";

const studio = {};
const it = suite(studio);

const groups = (page) => page.locator(".chart tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent).join(" ")));

it("the ratings in the mask are those of the text, whatever is chosen in whatever order", async () => {
  const page = await open(studio, {}, "mask");
  const from = '[aria-label="ratings from"]';
  const is = async (lines) => assert.equal(await text(page), ["cql()", ...lines].join("\n"));
  await page.click('button[aria-label="Clear the whole query"]');
  await page.fill(from, "2700");
  await is(["elo white >= 2700", "elo black >= 2700"]);
  // The focus stays in the field.
  await page.selectOption('[aria-label="whose ratings"]', "one");
  await is(["elo >= 2700"]);
  await page.fill(from, "");
  await is(["true"]);
  await page.fill(from, "2800");
  await is(["elo >= 2800"]);
  await page.selectOption('[aria-label="whose ratings"]', "both");
  await is(["elo white >= 2800", "elo black >= 2800"]);
  await page.selectOption('[aria-label="whose ratings"]', "one");
  await page.selectOption('[aria-label="whose ratings"]', "both");
  await is(["elo white >= 2800", "elo black >= 2800"]);
  // A condition that the field cannot show beside another is told below it.
  await page.click('[data-tab="query"]');
  await write(page, "cql()\nelo >= 2700\nelo white >= 2800\nelo black >= 2800\n");
  await page.click('[data-tab="mask"]');
  assert.equal(await page.inputValue(from), "2700");
  assert.match(await page.textContent(".also pre"), /^elo white >= 2800\nelo black >= 2800$/);
});

it("groups are those of the list without the chosen group", async () => {
  const page = await open(studio);
  await find(page, "cql()\ninitial");
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  const all = await groups(page);
  await page.fill('[aria-label="search within the games"]', "morphy");
  await page.waitForFunction((all) => document.querySelector(".chart tbody").textContent && document.querySelectorAll(".chart tbody tr td.n")[0].textContent !== all, all[0].split(" ")[1]);
  const within = await groups(page);
  assert.notDeepEqual(within, all);
  await page.click(".chart tbody .name >> nth=0");
  await page.waitForSelector('.chart [aria-pressed="true"]');
  assert.deepEqual(await groups(page), within);
  await page.waitForTimeout(400);
  await page.reload();
  await page.waitForSelector('.chart [aria-pressed="true"]', { timeout: 60_000 });
  assert.deepEqual(await groups(page), within);
});

it("a chosen order stays for the next lists that have it", async () => {
  const page = await open(studio, {}, "mask");
  const sort = () => page.locator('select[aria-label="sort by"]').evaluate((select) => select.selectedOptions[0].textContent);
  await page.click('button[aria-label="Clear the whole query"]');
  await page.waitForSelector('.status:has-text("10,000")', { timeout: 60_000 });
  await page.selectOption('select[aria-label="sort by"]', { label: "White" });
  await page.fill('[aria-label="player"]', "Morphy");
  await page.waitForFunction(() => !/10,000<\/b>/.test(document.querySelector(".status").innerHTML) && document.querySelector('.status[data-state="done"]'));
  assert.equal(await sort(), "White");
  await save(page, "Kept");
  assert.equal(await sort(), "White");
  // The keys of a query come first, until another order is chosen for them.
  await page.click('[data-tab="query"]');
  await find(page, 'cql()\nsort "men" #[Aa]\nmate');
  assert.equal(await sort(), "men");
  await find(page, "cql()\nmate");
  assert.equal(await sort(), "White");
});

it("other collections are searched at once in the mask", async () => {
  const page = await open(studio);
  await find(page, "cql()\nmate");
  await save(page, "Mates");
  await page.click('[data-tab="mask"]');
  // In the mask, other collections are searched at once.
  await page.click('[data-tab="mask"]');
  const before = await page.textContent(".status");
  await page.click(".library summary");
  await page.check('.library li:has-text("games.pgn") input');
  await page.waitForFunction((before) => document.querySelector('.status[data-state="done"]') && document.querySelector(".status b").textContent !== before.match(/^[\d,]+/)?.[0], before);
});

it("saved games are deleted after a question", async () => {
  const page = await open(studio);
  await find(page, "cql()\nmate");
  await save(page, "Asked");
  await page.click(".library summary");
  await page.click('button[aria-label="Remove Asked.pgn"]');
  assert.equal(await page.locator(".library .question").textContent(), "Delete the saved games Asked.pgn?DeleteKeep");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Keep");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "Remove Asked.pgn");
  await removeSaved(page, "Asked.pgn");
  await page.waitForSelector('.library li:has-text("Asked.pgn")', { state: "detached" });
});

it("a browser whose storage is full says so, and a reload leads back", async () => {
  const page = await open(studio);
  await page.evaluate(() => {
    localStorage.clear();
    for (let size = 4e6; size > 0; size = Math.floor(size / 2)) {
      for (let n = 0; ; n++) {
        try {
          localStorage.setItem(`full ${size} ${n}`, "x".repeat(size));
        } catch {
          break;
        }
      }
    }
  });
  const other = await page.context().newPage();
  await other.goto(studio.link);
  await other.waitForSelector('.toast:has-text("storage of the browser is full")');
  await other.waitForSelector(".cm-content", { state: "attached" });
  await other.reload();
  await other.waitForSelector(".cm-content", { state: "attached" });
});

it("the contents of a collection count the games that are left out", async () => {
  const page = await open(studio);
  const buffer = Buffer.from('[Event "y"]\n\n1. e4 e5 1-0\n\n[Event "z"]\n\n{only a comment\n');
  await page.setInputFiles('[aria-label="files with games"]', { name: "cut.pgn", mimeType: "text/plain", buffer });
  await page.click(".library summary");
  await page.click('[aria-label="Contents of cut.pgn"]');
  await page.waitForSelector('dialog .stats .large:has-text("2 games")');
  assert.deepEqual(await page.locator("dialog .stats section >> nth=0 >> li").allTextContents(), ["1–01", "left out1"]);
});

// Tests of what the page keeps: reload, back, links, collections and tabs. They run in Chromium, with the program that the
// variable CQL names.

import assert from "node:assert";
import { find, kept, open, removeSaved, save, searchSlowly, suite, text, write } from "./studio.mjs";

const studio = {};
const it = suite(studio);

/** Opens another window of the studio. */
async function openOther(page) {
  const other = await page.context().newPage();
  await other.goto(new URL(studio.link).origin);
  await other.waitForSelector(".cm-content", { state: "attached" });
  await other.click('[data-tab="query"]');
  return other;
}

/** Returns how the list is narrowed, sorted and grouped. */
function look(page) {
  return page.evaluate(async () => {
    document.querySelector(".list").scrollTop = 0;
    await new Promise((resolve) => setTimeout(resolve, 200));
    const chosen = (label) => document.querySelector(`select[aria-label="${label}"]`).selectedOptions[0].textContent;
    return {
      steps: [...document.querySelectorAll(".shaped > .chips .chip")].map((chip) => chip.textContent),
      words: document.querySelector('[aria-label="search within the games"]').value,
      sort: chosen("sort by"), direction: document.querySelector('.results [aria-label$="first"]').textContent, group: chosen("group by"),
      shown: document.querySelector(".status b")?.textContent, groups: document.querySelectorAll(".chart .bar").length,
      // The codes of the openings come a moment later.
      first: document.querySelector("#row-0")?.textContent.replace(/ · [A-E]\d\d$/, ""),
    };
  });
}

it("a reload, the back button and a link restore how the list is narrowed, sorted and grouped", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await find(page, "cql() mate // look");
  const field = page.locator('[aria-label="search within the games"]');
  await field.fill("18");
  await field.press("Enter");
  await field.fill("a");
  await page.selectOption('select[aria-label="sort by"]', { label: "White" });
  await page.click('.results [aria-label="Smallest first"]');
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  await page.click('.chart .name:has-text("1–0")');
  const expected = await look(page);
  assert.deepEqual([expected.steps.length, expected.words, expected.sort, expected.direction, expected.group], [2, "a", "White", "↓", "Result"]);
  assert.ok(expected.groups > 1 && expected.shown !== "2,750", JSON.stringify(expected));
  const isThere = async (page) => {
    await page.waitForSelector(".list", { state: "attached" });
    const end = performance.now() + 60_000;
    while (JSON.stringify(await look(page)) !== JSON.stringify(expected) && performance.now() < end);
    assert.deepEqual(await look(page), expected);
  };
  await kept(page);
  await page.waitForFunction(() => history.state.view.chosen?.key === "Result");
  await page.reload();
  await isThere(page);
  // Another search, at once after the one before, and back.
  await find(page, "cql() check");
  await page.goBack();
  await isThere(page);
  // A column is added to the list as it is.
  await page.click('button:has-text("Column…")');
  await page.fill('dialog input[aria-label="expression"]', "movenumber");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.values .chip:has-text("movenumber")');
  await page.waitForSelector('#row-0:has-text("movenumber")');
  assert.deepEqual({ ...(await look(page)), first: "" }, { ...expected, first: "" });
  await page.click('.values .chip');
  await page.waitForSelector('.values .chip', { state: "detached" });
  await isThere(page);
  // A link says what it does not have, and whose games it is of.
  await page.click('header button:has-text("Link")');
  await page.waitForSelector('.toast:has-text("no files: the reader needs games.pgn")');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await page.goto("about:blank");
  await page.goto(link);
  await isThere(page);
  // It restores the same in a studio that is open already.
  await find(page, "cql() check");
  await page.evaluate((link) => (location.hash = new URL(link).hash), link);
  await isThere(page);
});

it("the back button returns to a drawing that was cleared", async () => {
  const page = await open(studio, {}, "position");
  await page.click('.text-head button:has-text("Clear")');
  const board = await page.locator(".board-frame .board").boundingBox();
  const click = (square) => page.mouse.click(board.x + ((square.charCodeAt(0) - 96.5) * board.width) / 8, board.y + ((8.5 - square[1]) * board.height) / 8);
  const drawn = (words) => page.waitForSelector(`.board-frame .board[aria-label="drawing: ${words}"]`, { timeout: 10_000 });
  const found = () => page.waitForFunction(() => document.querySelector(".sum").textContent.includes("Updated"));
  await page.click('.piece[aria-label="white rook"]');
  await click("d8");
  await drawn("Rd8");
  await found();
  const status = await page.textContent(".status b");
  // Cleared at once after a search that the user has asked for.
  await page.click("button.search");
  await found();
  await page.click('.controls button:has-text("Clear")');
  await drawn("nothing");
  await page.waitForFunction((status) => document.querySelector(".status b")?.textContent !== status, status);
  await page.goBack();
  await drawn("Rd8");
  await page.waitForFunction((status) => document.querySelector(".status b")?.textContent === status, status);
  await page.goForward();
  await drawn("nothing");
  await page.goBack();
  await drawn("Rd8");
  // Another drawing after that, which only the page has searched. *Clear* has let the tool go.
  await page.click('.piece[aria-label="white rook"]');
  await click("e8");
  await drawn("Rd8, Re8");
  await found();
  await page.click('.text-head button:has-text("Clear")');
  await drawn("nothing");
  await page.goBack();
  await drawn("Rd8, Re8");
  await page.goBack();
  await drawn("Rd8");
});

it("a step back to a tab that was closed overwrites no other one", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy" // closed');
  await page.click('button[aria-label="New query"]');
  await find(page, "cql() check mate // stays");
  const closed = page.locator('.tab:not(:has([aria-current])) .name').last();
  await closed.focus();
  const name = await closed.textContent();
  await page.keyboard.press("Delete");
  await page.goBack();
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent.includes("// closed"));
  await page.click('.tab .name:text-is("check mate")');
  assert.match(await text(page), /stays/);
  assert.ok(name);
});

it("saved results are selected in no other window, however often these store what they select", async () => {
  const page = await open(studio);
  const before = await openOther(page);
  await find(page, 'cql() player "Morphy" mate');
  await save(page, "Kept here");
  await kept(page);
  assert.match(await find(before, "cql() mate"), /^2,750 of 10,000 games/);
  await kept(before);
  const after = await openOther(page);
  await after.waitForSelector('.library summary:has-text("1 of 2"), .library summary:has-text("games.pgn")');
  assert.match(await find(after, "cql() mate"), /^2,750 of 10,000 games/);
  await after.click(".library summary");
  assert.equal(await after.isChecked('.library li:has-text("Kept here.pgn") input'), false);
  await removeSaved(after, "Kept here.pgn");
  await after.waitForSelector('.library li:has-text("Kept here.pgn")', { state: "detached" });
  await kept(after);
});

it("a collection that was removed in another window is told, and so is a link to it", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await find(page, 'cql() player "Morphy" mate');
  await save(page, "Gone");
  await page.click('header button:has-text("Link")');
  await page.waitForSelector(".toast:has-text('Gone.pgn')");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  // The other window selects what this one has stored: the saved games alone, and none once they are removed.
  await kept(page);
  const other = await openOther(page);
  await other.click(".library summary");
  await removeSaved(other, "Gone.pgn");
  await other.waitForSelector('.library li:has-text("Gone.pgn")', { state: "detached" });
  // The window with its list says so, without being asked.
  await page.bringToFront();
  await page.waitForSelector('.status:has-text("Gone.pgn was removed: the games of this list can no longer be opened")', { timeout: 20_000 });
  await page.waitForSelector('.status:has-text("Select other games at the top")');
  await page.click(".library summary");
  assert.equal(await page.locator('.library li:has-text("Gone.pgn")').count(), 0);
  await page.check('.library li:has-text("games.pgn") input');
  await page.keyboard.press("Escape");
  await page.click('.status button:has-text("Search again")');
  await page.waitForSelector('.status:has-text("of 10,000 games")');

  // A search that begins before the window knows says which is gone.
  await save(page, "Gone too");
  await page.evaluate(() => {
    // This window learns of nothing by itself.
    const { fetch } = window;
    window.fetch = (path, options) => (path === "/api/changed" ? new Promise(() => {}) : fetch(path, options));
    for (const name of ["visibilitychange", "focus"]) window.addEventListener(name, (event) => event.stopImmediatePropagation(), true);
  });
  await other.evaluate(async () => {
    const headers = { "x-studio-token": localStorage.getItem("token") };
    const { collections } = await (await fetch("/api/state", { headers })).json();
    const { id } = collections.find(({ name }) => name === "Gone too.pgn");
    await fetch(`/api/collections/${id}`, { method: "DELETE", headers });
  });
  await write(page, "cql() check");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status [role="alert"]:has-text("Gone too.pgn was removed from the studio: select other games at the top")');
  await page.waitForSelector('.library summary:has-text("0 of 1")');

  // A link to it.
  await other.goto("about:blank");
  await other.goto(link);
  const told = '.status:has-text("Gone.pgn is not in this studio: drop its file on the page")';
  await other.waitForSelector(told);
  await other.waitForSelector('.toast.error:has-text("Gone.pgn is not in this studio")');
  await other.click(".library summary");
  await other.check('.library li:has-text("games.pgn") input');
  await other.keyboard.press("Escape");
  await other.click("button.search");
  await other.waitForSelector('.status:has-text("of 10,000 games")');
  await other.waitForSelector(told, { state: "detached" });
  page.permits = /404/;
});

it("counts of a search that was stopped say of which games they are", async () => {
  const page = await open(studio);
  await find(page, "cql() true");
  await searchSlowly(page);
  await page.click(".search.running");
  await page.waitForSelector('.status:has-text("stopped")');
  const [part] = /[\d,]+ of 10,000 games/.exec(await page.textContent(".status"));
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  await page.waitForSelector(`.chart:has-text("The groups are of the first ${part}")`);
  await page.click('[data-tab="tree"]');
  await page.waitForSelector(`.tree-games:has-text("in the first ${part}")`);
  await page.click('[data-tab="history"]');
  await page.waitForSelector(`.history li:first-child:has-text("of the first ${part.split(" ")[0]}")`);
  // A search to the end says nothing of it.
  await find(page, "cql() mate");
  assert.ok(!(await page.textContent(".chart")).includes("first"));
});

it("the name of a tab follows its query until the user names it", async () => {
  const page = await open(studio);
  const ask = async (query) => {
    await write(page, query);
    // Completions are over the text.
    await page.keyboard.press("Escape");
  };
  const name = (words) => page.waitForSelector(`.tabs [aria-current]:text-is("${words}")`);
  await page.click('button[aria-label="New query"]');
  await name("Query");
  await ask("// Mates of Morphy.\ncql()\nmate");
  await name("Mates of Morphy");
  await ask('cql()\nplayer "Morphy"\nyear >= 1850\nimport "themes" fork()');
  await name("Morphy, from 1850, fork");
  await ask("cql()\nbtm mate power A < power a");
  await name("btm mate power A < power a");
  await page.dblclick(".tabs [aria-current]");
  await page.fill("dialog input", "Mine");
  await page.keyboard.press("Enter");
  await name("Mine");
  await ask("cql() check");
  await page.waitForTimeout(300);
  await name("Mine");
  await kept(page);
  await page.reload();
  await page.waitForSelector(".cm-content", { state: "attached" });
  await name("Mine");
  // Without a name of the user, it follows the text again.
  await page.dblclick(".tabs [aria-current]");
  await page.fill("dialog input", "");
  await page.keyboard.press("Enter");
  await name("check");
});

it("a message with a mark below a line keeps the places of both", async () => {
  for (const width of [1280, 360]) {
    const page = await open(studio, { viewport: { width, height: 720 } }, "mask");
    await page.click('.reports summary');
    await page.click('.report:has-text("Prepare")');
    await page.fill('dialog label:has-text("Opening") input', "1.e4 e5 2.Nf6");
    await page.click("dialog button.main");
    const marked = page.locator("dialog .error .marked");
    await marked.waitFor();
    const [line, mark] = (await marked.textContent()).split("\n");
    assert.equal(line.slice(mark.indexOf("^"), mark.lastIndexOf("^") + 1), "Nf6");
    assert.equal(await marked.evaluate((element) => getComputedStyle(element).whiteSpace), "pre");
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), `${width}`);
  }
});

// Tests of the page in Chromium, with the program that the variable CQL names.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AxeBuilder } from "./axe.mjs";
import { PHONE, findIdeas, historic, kept, missing, open, program, search, start, write } from "./studio.mjs";

const skip = missing();
let studio;
before(async () => {
  if (!skip) studio = await start();
}, { timeout: 60_000 });
after(async () => studio?.end());

const it = (name, work) => test(name, { skip, timeout: 300_000 }, work);

/** Breaks the connection of the next search after its first lines. */
async function breakNextSearch(page) {
  await page.evaluate(() => {
    const { fetch } = window;
    window.fetch = async (path, options) => {
      const response = await fetch(path, options);
      if (path !== "/api/search") return response;
      window.fetch = fetch;
      const reader = response.body.getReader();
      const body = new ReadableStream({
        async pull(to) {
          const { value } = await reader.read();
          to.enqueue(value);
          to.error(new TypeError("network error"));
          void reader.cancel();
        },
      });
      return new Response(body);
    };
  });
}

it("a mistake is mended by the edit that is proposed, and found in 10,000 games", async () => {
  const page = await open(studio);
  assert.ok(!page.url().includes("token"), "the token is no longer in the address");
  await write(page, "cql()\nmaet");
  await page.waitForSelector(".strip.error");
  assert.ok(await page.isDisabled("button.search"));
  await page.click(".strip .fix");
  await page.waitForSelector(".strip:not(.error)");
  assert.ok(await page.isEnabled("button.search"));
  assert.match(await page.locator(".cm-content").innerText(), /^cql\(\)\nmate$/);
  await page.click(".cm-content");
  assert.match(await search(page), /^2,750 of 10,000 games/);
  assert.ok((await page.locator(".row-game").count()) < 40, "only rows in sight are there");

  // The first game is shown at its match; keys go through it.
  await page.waitForSelector(".moves [aria-current].match");
  await page.click('[data-tab="conditions"]');
  await page.click(".caption");
  const caption = () => page.textContent(".caption");
  const match = await caption();
  assert.match(match, /match$/);
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await caption(), match);
  assert.match(await page.locator(".conditions li").getAttribute("class"), /fails/);
  await page.keyboard.press("ArrowRight");
  assert.equal(await caption(), match);
  assert.match(await page.locator(".conditions li").getAttribute("class"), /holds/);
  await page.keyboard.press("Home");
  assert.equal(await caption(), "start");
  await page.keyboard.press("n");
  assert.equal(await caption(), match);
  const title = await page.textContent(".game-head h2");
  await page.keyboard.press("j");
  await page.waitForFunction((old) => document.querySelector(".game-head h2").textContent !== old, title);

  // Groups are counted, and chosen.
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  const bars = await page.locator(".bar td:nth-child(2)").allTextContents();
  assert.equal(bars.reduce((sum, n) => sum + Number(n.replace(",", "")), 0), 2750);
  await page.locator(".bar").first().click();
  await page.waitForSelector(".results > .chips .chip");
  assert.match(await page.textContent(".status"), /of 10,000 games, from 2,750 found/);

  // The score says whose it is.
  const isWhole = (header) => header.textContent === "White's score" && header.scrollWidth <= header.clientWidth;
  assert.ok(await page.locator(".chart th:nth-child(4)").evaluate(isWhole), "the header is in sight");

  // The search is repeated with the names of openings when they are counted.
  await page.click(".results > .chips .chip");
  await page.selectOption('select[aria-label="group by"]', { label: "Decade" });
  assert.match(await page.textContent(".bar .name"), /^1\d\d0s$/);
  await page.selectOption('select[aria-label="group by"]', { label: "Opening by name" });
  await page.waitForSelector('.bar .name[title^="Philidor Defense:"]');
  assert.equal(await page.locator('.bar .name[title^="none:"]').count(), 0);
  await page.selectOption('select[aria-label="group by"]', { label: "Group by…" });
  await page.waitForSelector('.status[data-state="done"]');

  // An export is what the program itself writes.
  await page.keyboard.press("ControlOrMeta+s");
  await page.check('dialog input[value="csv"]');
  await page.selectOption("dialog select", "game");
  await page.fill('dialog input[name="columns"]', "game,white,result");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const file = join(studio.folder, "found.csv");
  await download.saveAs(file);
  const expected = execFileSync(program, ["--stdout", "--format", "csv", "--per", "game", "--columns", "game,white,result", "-i", join(studio.folder, "games.pgn"), "-cql", "mate"], { stdio: ["ignore", "pipe", "ignore"] });
  assert.equal(readFileSync(file, "utf8"), expected.toString());

  // The stored query is there again.
  await kept(page);
  await page.reload();
  await page.waitForSelector(".tok-keyword");
  assert.match(await page.locator(".cm-content").innerText(), /^cql\(\)\nmate$/);
  assert.deepEqual(page.faults, []);
});

for (const [name, options] of [["", {}], [" on a phone", PHONE]]) {
  it(`ideas are found by words${name}`, async () => findIdeas(await open(studio, options), options === PHONE));
}

it("a search that would never end is stopped", async () => {
  const page = await open(studio);
  await write(page, "cql() x = 0 while (x < 100000) { x = x + 1 } false");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector(".search.running");
  await page.waitForSelector('.sum:has-text("Searching…")');
  // The second click is not for the button that searches again.
  await page.dblclick(".search");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("stopped"));
  assert.equal(await page.getAttribute(".status", "data-state"), "done");
  // What was found before is written, and no more.
  await write(page, "cql() if gamenumber > 5000 then { x = 0 while (x < 100000) { x = x + 1 } false } else initial");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector(".row-game");
  await page.click(".search.running");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("stopped"));
  for (const words of ["", "morphy"]) {
    await page.fill('[aria-label="search within the games"]', words);
    const n = await page.textContent(".status b");
    await page.click('button:has-text("Export…")');
    await page.waitForSelector(`dialog .told:has-text("Only the ${n} games")`);
    await page.keyboard.press("Escape");
  }
  await write(page, "cql() mate");
  assert.match(await search(page), /^2,750 of/);
  assert.deepEqual(page.faults, []);
});

it("a query that fails on every game says so", async () => {
  const page = await open(studio);
  await write(page, 'cql() readfile("games.pgn") == "x"');
  assert.match(await search(page), /^the query failed on every game on which it was evaluated; .*readfile/);
  assert.deepEqual(page.faults, []);
});

/** Returns functions that click and drag on the board. */
async function onBoard(page) {
  const board = await page.locator(".board-frame .board").boundingBox();
  const at = (square) => [board.x + ((square.charCodeAt(0) - 96.5) * board.width) / 8, board.y + ((8.5 - square[1]) * board.height) / 8];
  const click = (square) => page.mouse.click(...at(square));
  const drag = async (from, to) => {
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at(to), { steps: 20 });
    await page.mouse.up();
  };
  return { board, at, click, drag };
}

/** Returns the text of the query, without empty lines at its end. */
const text = async (page) => (await page.locator(".cm-content").innerText()).trimEnd();

it("a position is drawn and found", async () => {
  const page = await open(studio, {}, "position");
  await page.click('button:has-text("Clear") >> nth=0');
  const { click, drag } = await onBoard(page);
  await page.click('.piece[aria-label="white rook"]');
  await click("d8");
  await page.click('.piece[aria-label="black king"]');
  await drag("e8", "g8");
  await page.click('.palette button:has-text("Attacks")');
  await drag("d8", "e8");
  await page.check('.draw-options label:has-text("Either color") input');
  assert.equal(await text(page), "cql()\nflipcolor {\n  Rd8\n  ke-g8\n  Rd8 -> ke-g8\n}");
  await page.click("button.search");
  await page.waitForSelector('.sum:has-text("of 10,000 games")');
  const counted = execFileSync(program, ["--count", "-i", join(studio.folder, "games.pgn"), "-cql", "flipcolor { Rd8 ke-g8 Rd8 -> ke-g8 }"], { stdio: ["ignore", "pipe", "ignore"] }).toString();
  const games = Number(counted.split("\n")[1].trim().split(/\s+/)[0]);
  assert.ok(games > 0);
  assert.equal((await page.textContent(".status b")).replace(",", ""), String(games));

  // Undo takes steps back, also in the text.
  await page.click('[data-tab="position"]');
  await page.click('.controls button:has-text("Undo")');
  assert.equal(await text(page), "cql()\nRd8\nke-g8\nRd8 -> ke-g8");

  // The drawing is read from the text, and the designator at the cursor is highlighted on the board.
  await page.click('[data-tab="query"]');
  await page.waitForSelector(".moves [aria-current]");
  await page.click('.tok-designator:has-text("ke-g8")');
  await page.waitForSelector(".board-frame .lit");
  await write(page, "cql()\nbtm\nQd1\nnot [RB]e-g4");
  await page.click('[data-tab="position"]');
  assert.equal(await page.inputValue('[aria-label="side to move"]'), "btm");
  assert.match(await page.getAttribute(".board-frame .board", "aria-label"), /Qd1.*not \[RB\]e-g4/);

  // An impossible position is said.
  await page.click('.piece[aria-label="white king"]');
  await click("e1");
  await click("e8");
  await page.waitForSelector('.problem:has-text("Two white kings (e1, e8)")');
  await page.waitForSelector('.sum:has-text("cannot match")');
  await page.waitForSelector('.status:has-text("This list is of the query before the last change")');
  assert.equal(await page.locator(':text("Two white kings"):visible').count(), 1);
  assert.deepEqual(page.faults, []);
});

it("any of several pieces is drawn on a phone", async () => {
  const page = await open(studio, PHONE, "query");
  await write(page, "cql()");
  await page.tap('[data-tab="position"]');
  await page.tap('.palette button:has-text("Any of")');
  await page.tap('.piece[aria-label="white rook"]');
  const { board } = await onBoard(page);
  assert.ok(board.y + board.height < 844, "all of the board is in sight");
  await page.touchscreen.tap(board.x + board.width * (4.5 / 8), board.y + board.height * (4.5 / 8));
  await page.tap('.palette button:has-text("Any of")');
  await page.tap('.piece[aria-label="black king"]');
  // Drawing with a finger does not scroll.
  const touch = await page.context().newCDPSession(page);
  for (const [type, file] of [["touchStart", 4.5], ["touchMove", 5.5], ["touchMove", 6.5], ["touchEnd"]]) {
    const touchPoints = file ? [{ x: board.x + (board.width * file) / 8, y: board.y + board.height / 16 }] : [];
    await touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
  // Chromium takes no tap that follows a stroke more quickly than a finger can.
  await page.waitForTimeout(400);
  await page.tap('[data-tab="query"]');
  assert.equal(await text(page), "cql()\n[QR]e4\nke-g8");
  await page.tap("button.search");
  await page.waitForSelector('.status[data-state="done"]');
  assert.deepEqual(page.faults, []);
});

it("moves are tried on the board and taken back", async () => {
  const page = await open(studio);
  await write(page, 'cql() player "Morphy" mate');
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click(".caption");
  await page.keyboard.press("Home");
  const { click, drag } = await onBoard(page);
  const caption = () => page.textContent(".caption");
  // A move of the game leads there; another one is tried.
  await drag("e2", "e4");
  await page.waitForSelector('.caption:text-is("1. e4")');
  await click("c7");
  await page.waitForSelector(".board-frame .target");
  await click("c5");
  await page.waitForSelector('.caption:text-is("1… c5 · tried")');
  assert.match(await page.textContent(".moves .tried"), /1…c5/);
  await drag("g1", "f3");
  await page.waitForSelector('.caption:text-is("2. Nf3 · tried")');
  await page.click('button:has-text("Take back")');
  assert.equal(await caption(), "1… c5 · tried");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await caption(), "1. e4");
  assert.equal(await page.locator(".moves .tried").count(), 0);
  // The right button draws arrows and circles, which the next move removes.
  const { at } = await onBoard(page);
  await page.mouse.move(...at("g1"));
  await page.mouse.down({ button: "right" });
  await page.mouse.move(...at("f3"));
  await page.mouse.up({ button: "right" });
  await page.mouse.click(...at("e4"), { button: "right" });
  assert.equal(await page.locator(".board-frame .arrow.note").count(), 1);
  assert.equal(await page.locator(".board-frame .circle").count(), 1);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.locator(".board-frame :is(.arrow, .circle)").count(), 0);
  await page.keyboard.press("ArrowRight");
  // An illegal move puts the piece back.
  await drag("e7", "e4");
  await page.waitForTimeout(200);
  assert.equal(await caption(), "1. e4");
  assert.equal(await page.locator(".board-frame .target").count(), 0);
  // Moves of the opening tree are played, and its counts are those of the program.
  await page.keyboard.press("Home");
  await page.click('[data-tab="tree"]');
  // The games are those of the search, and all of them by a click.
  await page.waitForSelector('.tree-games:has-text("the 250 games found")');
  await page.waitForSelector(`.tree th:text-is("White's score")`);
  const counted = async (games) => {
    await page.waitForSelector(`.tree-games:has-text("${games}")`);
    // After a slow count, the next one is begun by a click.
    await page.waitForFunction(() => {
      [...document.querySelectorAll(".tree button")].find((button) => button.textContent.startsWith("Count"))?.click();
      return document.querySelector(".tree tbody tr");
    });
  };
  await counted("found");
  assert.equal(await page.textContent(".tree tbody tr td:nth-child(2)"), "250");
  await page.click('.tree-games button:has-text("All games")');
  await counted("all games of the selected collections");
  const tree = JSON.parse(execFileSync(program, ["tree", "--json", join(studio.folder, "games.pgn")], { stdio: ["ignore", "pipe", "ignore"] }).toString());
  // Until the games of the start are counted, the table is that of the position before.
  const counts = tree.moves.map((move) => move.games).join(" ");
  await page.waitForFunction((counts) => {
    const cells = [...document.querySelectorAll(".tree tbody tr td:nth-child(2)")];
    return cells.map((cell) => cell.textContent.replace(",", "")).join(" ") === counts;
  }, counts);
  await page.click('.tree .link:has-text("1.d4")');
  await page.waitForSelector('.caption:text-is("1. d4 · tried")');
  // From a position that no game has, back to one that several have.
  await page.keyboard.press("Home");
  await drag("a2", "a4");
  await page.waitForSelector('.caption:text-is("1. a4 · tried")');
  await page.locator('.tree button:has-text("last shared"), .tree button:has-text("Count")').first().waitFor();
  if ((await page.locator('.tree button:has-text("Count")').count()) > 0) await page.click('.tree button:has-text("Count")');
  await page.click('.tree button:has-text("last shared")');
  await page.waitForSelector('.caption:text-is("start")');
  // By keyboard: from the king to d2, two files away.
  await page.keyboard.press("Home");
  await page.focus(".board-frame");
  for (const key of ["Enter", "ArrowUp", "Enter", "ArrowUp", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.waitForSelector('.caption:text-is("1. e4")');
  // A position of one's own, with a promotion, and an impossible one.
  const set = async (fen) => {
    await page.click('button:has-text("Set position")');
    await page.fill('[aria-label="position as FEN"]', fen);
    await page.keyboard.press("Enter");
  };
  await set("7k/P7/8/8/8/8/8/K7 w - - 0 1");
  await page.waitForSelector('.game-head:has-text("Position")');
  await drag("a7", "a8");
  await page.click('dialog button:has-text("Knight")');
  await page.waitForSelector('.caption:text-is("1. a8=N · tried")');
  await set("nonsense");
  await page.waitForSelector('dialog [role="alert"]:has-text("no FEN")');
  await page.keyboard.press("Escape");
  await set("kk6/8/8/8/8/8/8/K7 w - - 0 1");
  await page.waitForSelector('.problem:has-text("more than one black king")');
  assert.deepEqual(page.faults.filter((fault) => !fault.includes("400")), []);
});

it("the mask fills in the query, and shows what it cannot say", async () => {
  const page = await open(studio, {}, "query");
  await write(page, "cql()");
  await page.click('[data-tab="mask"]');
  await page.fill('[aria-label="player"]', "Morphy");
  await page.fill('[aria-label="years to"]', "1860");
  await page.click('[aria-label="result"] button:has-text("1–0")');
  assert.equal(await text(page), 'cql()\nplayer "Morphy"\nyear <= 1860\nresult 1-0');
  // A slow program does not search by itself.
  await page.waitForTimeout(800);
  if (!(await page.textContent(".sum")).includes("Updated")) await page.click("button.search");
  await page.waitForSelector('.sum:has-text("250 of 10,000 games")');
  // All positions of these games match, so none is marked; one of each does.
  await page.waitForSelector('.status:has-text("all of their positions")');
  await page.waitForSelector('.caption:text-is("start")');
  assert.equal(await page.locator(".badge:visible, .match-button:visible, .moves .match").count(), 0);
  await page.click('.status button:has-text("One position each")');
  await page.waitForSelector('.also pre:has-text("initial")');
  await page.waitForFunction(() => !document.querySelector(".status").textContent.includes("position") && document.querySelector(".status b")?.textContent === "250");
  await page.click('.also button:has-text("Remove")');
  await page.check('.check-grid label:has-text("Sacrifice") input');
  await page.click('.fold summary:has-text("Material")');
  await page.locator('[aria-label="At least"]').fill("-3");
  assert.match(await text(page), /power A - power a >= -3\nresult 1-0\ntheme\("sacrifice"\)$/);
  // The text leads back to the mask.
  await page.click('[data-tab="query"]');
  await write(page, 'cql()\nopeningcode "C4"\n1000 < elo\nyear >= 1900\n');
  await page.click('[data-tab="mask"]');
  assert.equal(await page.inputValue('[aria-label="opening"]'), "C4");
  assert.equal(await page.inputValue('[aria-label="player"]'), "");
  assert.match(await page.textContent(".also pre"), /1000 < elo\nyear >= 1900/);
  await page.selectOption('[aria-label="color of the player"]', "black");
  await page.fill('[aria-label="player"]', 'a"b\\');
  assert.equal(await text(page), 'cql()\n("a\\" + \\" + "b\\\\") in lowercase player black\nopeningcode "C4"\n1000 < elo\nyear >= 1900');
  await page.click('.also button:has-text("Remove")');
  assert.equal(await text(page), 'cql()\n("a\\" + \\" + "b\\\\") in lowercase player black\nopeningcode "C4"');
  assert.deepEqual(page.faults, []);
});

it("a passage becomes a query, and results become a collection", async () => {
  const page = await open(studio);
  await write(page, 'cql() player "Morphy" mate');
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click('button:has-text("From passage")');
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "From move");
  await page.waitForSelector(".stages label >> nth=3");
  assert.match(await page.textContent("dialog .drawn"), /path/);
  await page.fill('dialog [aria-label="From move"]', "99.");
  await page.waitForSelector("dialog [role=alert]");
  await page.fill('dialog [aria-label="From move"]', "15.");
  await page.click('dialog button:has-text("Use as query")');
  await page.waitForSelector('.status[data-state="done"]');
  assert.match(await page.textContent(".status b"), /^[1-9]/);
  // What a path says of itself does not hide the event.
  assert.match(await page.textContent(".row-game .about"), /1858 · The Opera Game/);
  await page.click('button:has-text("Save…")');
  assert.equal(await page.evaluate(() => document.activeElement.tagName), "INPUT");
  await page.keyboard.type("Opera");
  await page.keyboard.press("Enter");
  // The new collection alone is searched, at once, and says what it is.
  await page.waitForSelector('.library summary:has-text("Opera.pgn, saved results")');
  await page.waitForSelector('.status:has-text("250 of 250 games")');
  await page.click(".library summary");
  assert.equal(await page.isChecked('.library li:has-text("games.pgn") input'), false);
  assert.match(await page.textContent('.library li:has-text("Opera.pgn")'), /saved results/);
  await page.click(".library summary");
  await write(page, "cql()\nmate");
  assert.match(await search(page), /^250 of 250 games/);
  await page.click(".library summary");
  await page.check('.library li:has-text("games.pgn") input');
  await page.click('button[aria-label="Remove Opera.pgn"]');
  await page.waitForSelector('.library summary:has-text("games.pgn")');

  // Like this: the best positions first.
  await page.click(".library summary");
  await page.click('button:has-text("Like this")');
  await page.waitForFunction(() => /likeness\("/.test(document.querySelector(".cm-content").textContent));
  assert.equal(await page.getAttribute('button:has-text("Similar")', "aria-pressed"), "true");
  // The next page has the games again.
  await kept(page);
  assert.deepEqual(page.faults.filter((fault) => !fault.includes("400")), []);
});

it("a reload, the back button and a link restore search, game and position", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, 'cql() player "Morphy" mate // restored');
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click(".caption");
  await page.keyboard.press("Home");
  const { drag } = await onBoard(page);
  await drag("d2", "d4");
  await page.waitForSelector('.caption:text-is("1. d4 · tried")');
  await kept(page);
  // The page stores what it shows a moment after the last change.
  await page.waitForFunction(() => history.state?.view.tried.join() === "d4");
  const isThere = async (page) => {
    await page.waitForSelector('.caption:text-is("1. d4 · tried")', { timeout: 60_000 });
    assert.match(await page.textContent(".status"), /^250 of 10,000 games/);
    assert.match(await page.textContent(".game-head h2"), /Morphy/);
    assert.match(await text(page), /restored/);
    assert.equal(await page.locator('.row-game[aria-selected="true"]').count(), 1);
  };
  await page.reload();
  await isThere(page);
  // Another game, and back.
  await page.waitForTimeout(1200);
  await page.click(".row-game >> nth=3");
  await page.waitForSelector(".moves [aria-current].match");
  await page.waitForTimeout(500);
  await page.goBack();
  await isThere(page);
  await page.click('.top button:has-text("Link")');
  await page.waitForSelector(".toast");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes("token") && !link.includes(studio.folder));
  await page.goto("about:blank");
  await page.goto(link);
  await isThere(page);
  assert.deepEqual(page.faults, []);
});

it("a link that is opened where the studio already is opens its query", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "cql() mate check");
  await page.click('header button:has-text("Link")');
  await page.waitForSelector(".toast");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  await write(page, "cql()");
  await page.evaluate((link) => (location.hash = new URL(link).hash), link);
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent === "cql() mate check");
  assert.deepEqual(page.faults, []);
});

it("a large export asks first", async () => {
  const page = await open(studio);
  await write(page, "cql() initial");
  await search(page);
  await page.click('button:has-text("Export…")');
  await page.check('dialog input[value="html"]');
  await page.click("dialog button.main");
  await page.waitForSelector('dialog legend:has-text("Export 10,000 games as Report?")');
  await page.waitForSelector('dialog .told:has-text("about 92 MB")');
  // Another format is another question.
  await page.check('dialog input[value="fen"]');
  assert.equal(await page.locator('dialog input[name="limit"]:visible').count(), 0);
  await page.check('dialog input[value="html"]');
  await page.click("dialog button.main");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const file = join(studio.folder, "report.html");
  await download.saveAs(file);
  assert.ok(readFileSync(file).length < 10e6);
  assert.deepEqual(page.faults, []);
});

it("an export writes the games of the list, also after the query has changed", async () => {
  const page = await open(studio);
  await write(page, "cql() mate");
  await search(page);
  await page.fill('[aria-label="search within the games"]', "morphy");
  const n = Number(await page.textContent(".status b"));
  assert.ok(n > 0 && n < 2750);
  await write(page, "cql() check");
  await page.click('button:has-text("Export…")');
  await page.waitForSelector('dialog .told:has-text("The query has changed since the search. The games of the list are written")');
  await page.waitForSelector(`dialog .told:has-text("Only the ${n} games")`);
  await page.check('dialog input[value="fen"]');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const file = join(studio.folder, "listed.fen");
  await download.saveAs(file);
  // A game has one mate, and several checks.
  assert.equal(readFileSync(file, "utf8").trim().split("\n").length, n);
  // A list without games is not written.
  await page.fill('[aria-label="search within the games"]', "nobody");
  for (const button of ["Export…", "Save…"]) {
    await page.click(`button:has-text("${button}")`);
    await page.waitForSelector('.toast:has-text("The list shows no game")');
    assert.equal(await page.locator("dialog").count(), 0);
  }
  assert.deepEqual(page.faults, []);
});

it("games are searched within games, step by step", async () => {
  const page = await open(studio);
  await write(page, "cql() mate");
  await search(page);
  const field = page.locator('[aria-label="search within the games"]');
  await field.fill("morphy");
  await field.press("Enter");
  await field.fill("1858");
  await field.press("Enter");
  assert.match(await page.textContent(".status"), /of 10,000 games, from 2,750 found/);
  assert.equal(await page.locator(".results > .chips .chip").count(), 2);
  // Counts, exports, conditions, the tree and reports are those of the list.
  const n = Number(/^(\d+) of 10,000 games, from 2,750 found/.exec(await page.textContent(".status"))[1]);
  assert.ok(n > 0 && n < 2750);
  await page.click('button:has-text("Export…")');
  await page.check('dialog input[value="csv"]');
  await page.selectOption("dialog select", "game");
  await page.fill('dialog input[name="columns"]', "white,year");
  await page.waitForSelector(`dialog .told:has-text("Only the ${n} games")`);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const file = join(studio.folder, "narrowed.csv");
  await download.saveAs(file);
  const rows = readFileSync(file, "utf8").trim().split(/\r?\n/).slice(1);
  assert.equal(rows.length, n);
  assert.ok(rows.every((row) => /Morphy.*1858/.test(row)), rows[0]);
  await page.click('.status button:has-text("conditions")');
  await page.waitForSelector(`dialog tr:has-text("the listed games"):has-text("${n}")`);
  await page.keyboard.press("Escape");
  await page.click('[data-tab="tree"]');
  await page.waitForSelector(`.tree-games:has-text("the ${n} games listed")`);
  const only = page.locator('.tree-games button:has-text("Only the")');
  if ((await only.count()) > 0) await only.click();
  await field.fill("no such game");
  await page.waitForSelector('.tree :text("There is no game to count")');
  await field.fill("");
  await page.click('.chip:has-text("morphy")');
  assert.equal(await page.locator(".results > .chips .chip").count(), 1);
  assert.match(await page.textContent(".status"), /of 10,000 games, from 2,750 found/);
  await page.click('.chip:has-text("1858")');
  assert.equal(await page.locator(".results > .chips .chip").count(), 0);
  assert.match(await page.textContent(".status"), /^2,750 of 10,000 games/);
  assert.deepEqual(page.faults, []);
});

it("a condition needs no header, and a name no capital letters", async () => {
  const page = await open(studio);
  await write(page, "btm maet");
  await page.click(".strip.error .fix");
  await page.waitForSelector(".strip:not(.error)");
  assert.equal(await text(page), "btm mate");
  await write(page, "btm   mate");
  await page.click('button:has-text("Format")');
  await page.waitForFunction(() => /^btm\nmate\s*$/.test(document.querySelector(".cm-content").innerText));
  assert.match(await search(page), /^[1-9][\d,]* of 10,000 games/);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click('[data-tab="conditions"]');
  await page.waitForSelector(".conditions li >> nth=1");
  await write(page, "cql()");
  await page.click('[data-tab="mask"]');
  await page.fill('[aria-label="player"]', "morphy");
  assert.equal(await text(page), 'cql()\n"morphy" in lowercase player');
  await page.click("button.search");
  await page.waitForSelector('.status[data-state="done"]');
  const n = await page.textContent(".status b");
  await page.fill('[aria-label="player"]', "Morphy");
  assert.equal(await text(page), 'cql()\nplayer "Morphy"');
  await page.click("button.search");
  await page.waitForSelector('.status[data-state="done"]');
  assert.equal(await page.textContent(".status b"), n);
  assert.match(n, /^[1-9]/);
  // The proposals are not renewed while the field is written in.
  await page.focus('[aria-label="player"]');
  await page.evaluate(() => (document.querySelector("#players").isSame = document.querySelector("#players").firstChild));
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status[data-state="done"]');
  assert.ok(await page.evaluate(() => document.querySelector("#players").isSame === document.querySelector("#players").firstChild));
  assert.deepEqual(page.faults, []);
});

it("reports are made, looked at and saved", async () => {
  const page = await open(studio, {}, "mask");
  await page.click('.text-head button:has-text("Clear")');
  await page.fill('[aria-label="player"]', "Morphy");
  await page.click("button.search");
  await page.waitForSelector('.status[data-state="done"]');
  const menu = async (name) => {
    await page.click(".reports summary");
    await page.click(`.reports button:has-text("${name}")`);
  };
  const saved = async (button) => {
    const [download] = await Promise.all([page.waitForEvent("download", { timeout: 120_000 }), page.click(button)]);
    const file = join(studio.folder, "saved");
    await download.saveAs(file);
    return [download.suggestedFilename(), readFileSync(file, "utf8")];
  };
  const close = () => page.keyboard.press("Escape");
  // The player is that of the mask.
  await menu("Prepare");
  assert.equal(await page.inputValue('dialog input[list="players"]'), "Morphy");
  await page.click("dialog button.main");
  await page.waitForSelector("dialog .page-of-report", { timeout: 120_000 });
  assert.match(await page.frameLocator(".page-of-report").locator("h1").first().textContent(), /Morphy/);
  const [name, html] = await saved('dialog .save button:has-text("page")');
  assert.match(name, /Morphy, white\.html/);
  assert.ok(html.startsWith("<!") && html.includes("Morphy"));
  await page.fill('dialog input[list="players"]', "Morphi");
  await page.click("dialog button.main");
  await page.waitForSelector('dialog [role="alert"]:has-text("did you mean")', { timeout: 120_000 });
  await close();

  await menu("Exercises");
  await page.selectOption('dialog select >> nth=0', "1");
  await page.fill('dialog input[type="number"]', "5");
  await page.click("dialog button.main");
  await page.waitForSelector('dialog .made p:has-text("exercise")', { timeout: 120_000 });
  const [, pgn] = await saved('dialog .save button:has-text("PGN")');
  assert.match(pgn, /\[FEN "/);
  await close();

  await menu("Sheet");
  await page.fill('dialog input >> nth=0', "Morphy at work");
  await page.fill('dialog input[type="number"] >> nth=0', "4");
  await page.click("dialog button.main");
  await page.waitForSelector('dialog .made p:has-text("4 diagrams")', { timeout: 120_000 });
  const sheet = page.frameLocator(".page-of-report");
  assert.match(await sheet.locator("h1").first().textContent(), /Morphy at work/);
  await close();

  await menu("Statistics");
  await page.waitForSelector("dialog .stats .large");
  const n = await page.textContent(".status b");
  assert.ok((await page.textContent("dialog .large")).startsWith(`${n} game`));
  await close();

  await menu("Duplicates");
  await page.click("dialog button.main");
  await page.waitForSelector('dialog .made b:has-text("9,960 equal")', { timeout: 120_000 });
  assert.equal(await page.locator("dialog .made tbody tr").count(), 200);
  await page.waitForSelector('dialog .made .told:has-text("The first 200 of 9,960")');
  const [, without] = await saved('dialog button:has-text("Save the games without")');
  assert.equal(without.match(/\[White "/g).length, 40);
  await close();

  const file = join(studio.folder, "damaged.pgn");
  writeFileSync(file, '[White "Damaged"]\n\n1. e4 e5 2. Zz9 Nf3 *\n');
  await page.setInputFiles('input[type="file"]', file);
  await page.waitForSelector('.library summary:has-text("2 of 2")');
  await menu("Check");
  await page.click("dialog button.main");
  await page.waitForSelector("dialog .made td:has-text('damaged.pgn')", { timeout: 120_000 });
  const [, repaired] = await saved('dialog button:has-text("Save a repaired copy")');
  assert.ok(repaired.includes("Zz9") && repaired.includes("Damaged"));
  await close();
  await page.click(".library summary");
  await page.click('button[aria-label="Remove damaged.pgn"]');
  assert.deepEqual(page.faults.filter((fault) => !/40[04]/.test(fault)), []);
});

it("a sheet of a theme begins before it, and a preparation takes the codes of the mask", async () => {
  const file = join(studio.folder, "themes.pgn");
  writeFileSync(file, '[White "Fork"]\n[FEN "q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1"]\n\n1... h1=N 2. Nc7+ Kd7 3. Nxa8 *\n\n[White "Rook"]\n\n1. e4 c5 2. Nf3 d6 *\n\n[White "Rook"]\n\n1. d4 d5 2. c4 e6 *\n');
  const other = await start(false, file);
  try {
    const page = await open(other, {}, "mask");
    const menu = async (name) => {
      await page.click(".reports summary");
      await page.click(`.reports button:has-text("${name}")`);
    };
    await page.click('.text-head button:has-text("Clear")');
    await page.check('.check-grid label:has-text("Fork") input');
    await page.waitForSelector('.status:has-text("1 of 3 games")');
    await menu("Sheet");
    assert.equal(await page.inputValue("dialog input >> nth=0"), "Fork");
    await page.click("dialog button.main");
    const sheet = page.frameLocator(".page-of-report").locator("body");
    await sheet.locator(':text("2.Nc7+")').first().waitFor();
    await page.waitForSelector('dialog .made :text("1 of them from before the match")');
    await page.selectOption("dialog select >> nth=1", "0");
    await page.click("dialog button.main");
    await sheet.locator(':text("2...Kd7")').first().waitFor();
    await page.keyboard.press("Escape");
    await menu("Exercises");
    await page.click("dialog button.main");
    await page.waitForSelector('dialog .made :text("Before the theme (fork)")');
    await page.keyboard.press("Escape");
    // A query that is written is not searched by itself.
    await page.click('[data-tab="query"]');
    await write(page, "cql()\ntrue");
    await menu("Sheet");
    await page.waitForSelector('dialog :text("these are the games of the query before")');
    await page.keyboard.press("Escape");
    await page.click('[data-tab="mask"]');
    await page.fill('[aria-label="opening"]', "B20-B99");
    await page.waitForSelector('.status:has-text("1 of 3 games")');
    // A string after the word `player` would be a condition.
    await page.fill('[aria-label="player"]', "rook");
    await page.waitForFunction(() => /in \(lowercase player\)/.test(document.querySelector(".cm-content").textContent));
    assert.match(await search(page), /^1 of 3 games/);
    await menu("Prepare");
    assert.equal(await page.inputValue('dialog input[list="players"]'), "rook");
    await page.selectOption('dialog select >> nth=1', { index: 0 });
    await page.click("dialog button.main");
    await page.waitForSelector('dialog .made :text-is("Report of 1 game")');
    assert.match(await page.frameLocator(".page-of-report").locator("body").textContent(), /B20–B99/);
    await page.keyboard.press("Escape");
    assert.deepEqual(page.faults, []);
  } finally {
    await other.end();
  }
});

it("a report can be stopped", async () => {
  const page = await open(studio);
  await page.click(".reports summary");
  await page.route("**/api/report", (route) => new Promise((resolve) => setTimeout(resolve, 3000)).then(() => route.continue().catch(() => {})));
  await page.click('.reports button:has-text("Duplicates")');
  await page.click("dialog button.main");
  await page.click('dialog button:has-text("Stop")');
  await page.waitForSelector('dialog .made :text("Stopped.")');
  await page.waitForSelector("dialog button.main:enabled");
  assert.deepEqual(page.faults, []);
});

it("the loss of one of several files is told, and the others are searched", async () => {
  const files = ["here.pgn", "gone.pgn"].map((name) => join(studio.folder, name));
  for (const file of files) writeFileSync(file, historic);
  const other = await start(false, files);
  try {
    const page = await open(other);
    await write(page, "cql() mate");
    assert.match(await search(page), /of 80 games/);
    rmSync(files[1]);
    await write(page, "cql() check");
    assert.match(await search(page), /^gone\.pgn: .*of 40 games/);
    await page.click('.status button:has-text("note")');
    await page.waitForSelector('dialog li:has-text("gone.pgn")');
    assert.deepEqual(page.faults, []);
  } finally {
    await other.end();
  }
});

it("a game that cannot be shown leaves no other on the board", async () => {
  const file = join(studio.folder, "few.pgn");
  writeFileSync(file, historic);
  const other = await start(false, file);
  try {
    const page = await open(other);
    await write(page, "cql() mate");
    await search(page);
    await page.waitForSelector(".moves [aria-current].match");
    writeFileSync(file, historic.slice(0, 300));
    await page.click(".row-game >> nth=3");
    await page.waitForSelector('.game-head h2:text-is("The game cannot be shown")');
    assert.deepEqual(page.faults.filter((fault) => !/404/.test(fault)), []);
  } finally {
    await other.end();
  }
});

it("a browser that stores nothing returns to its last search", async () => {
  const page = await open(studio);
  await page.route("**/api/workspace", (route) => (route.request().method() === "PUT" ? route.fulfill({ status: 507, contentType: "application/json", body: '{"error":"no space left"}' }) : route.continue()));
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.reload();
  await page.waitForSelector(".cm-content");
  await page.click('[data-tab="query"]');
  await write(page, 'cql() player "Anderssen" // kept');
  await search(page);
  const before = await page.textContent(".status b");
  await page.waitForFunction(() => history.state?.query.includes("// kept"));
  await page.reload();
  await page.waitForSelector('.toast.error:has-text("last search")');
  await page.waitForSelector(`.status b:text-is("${before}")`);
  assert.equal(await text(page), 'cql() player "Anderssen" // kept');
});

it("results become a collection of the games as they are", async () => {
  const page = await open(studio);
  await write(page, 'cql()\nplayer "Morphy"\nyear <= 1858\nmate comment("here")');
  await search(page);
  await page.waitForSelector(".moves .note");
  for (const [hasComments, name] of [[false, "Morphy, to 1858"], [true, "Annotated"]]) {
    await write(page, 'cql()\nplayer "Morphy"\nyear <= 1858\nmate comment("here")');
    await search(page);
    await page.click('button:has-text("Save…")');
    assert.equal(await page.inputValue("dialog input >> nth=0"), "Morphy, to 1858");
    await page.fill("dialog input >> nth=0", name);
    if (hasComments) await page.check('dialog label:has-text("comments of the query") input');
    await page.click("dialog button.main");
    await page.waitForSelector(`.library summary:has-text("${name}.pgn, saved results")`);
    await page.waitForSelector('.status[data-state="done"]');
    await write(page, "cql() mate");
    await search(page);
    await page.waitForSelector(".moves [aria-current].match");
    assert.equal((await page.locator(".moves").textContent()).includes("here"), hasComments);
    await page.click(".library summary");
    await page.click(`button[aria-label="Remove ${name}.pgn"]`);
    await page.check(".library li input");
    await page.click(".library summary");
  }
  await kept(page);
  assert.deepEqual(page.faults.filter((fault) => !/40[04]/.test(fault)), []);
});

it("a copied position is pasted on the board", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "cql()\nflipcolor { wtm Qd8 kg8 }");
  await page.click('[data-tab="position"]');
  const label = () => page.getAttribute(".board-frame .board", "aria-label");
  assert.match(await label(), /Qd8/);
  const paste = async (text) => {
    await page.evaluate((text) => navigator.clipboard.writeText(text), text);
    await page.focus(".board-frame");
    await page.keyboard.press("ControlOrMeta+v");
  };
  await paste("8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
  await page.waitForFunction(() => /Ra1/.test(document.querySelector(".cm-content").textContent));
  assert.match(await label(), /Ke1.*Ra1|Ra1.*Ke1/);
  await paste("no position");
  await page.waitForSelector('.toast.error:has-text("no position in FEN")');
  assert.deepEqual(page.faults.filter((fault) => !/400/.test(fault)), []);
});

it("the color of the player is cleared with all else", async () => {
  const page = await open(studio, {}, "mask");
  await page.selectOption('[aria-label="color of the player"]', "black");
  await page.click('.text-head button:has-text("Clear")');
  assert.equal(await page.inputValue('[aria-label="color of the player"]'), "player");
  assert.deepEqual(page.faults, []);
});

it("nothing moves when a move is tried and taken back", async () => {
  const page = await open(studio);
  await write(page, 'cql() player "Morphy" mate');
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click(".caption");
  await page.keyboard.press("Home");
  for (const width of [1440, 1280, 900, 390]) {
    await page.setViewportSize({ width, height: 800 });
    if (width < 640) await page.click('.part-bar [data-part="game"]');
    await page.waitForTimeout(200);
    const height = () => page.locator(".board-controls").evaluate((element) => element.clientHeight);
    const before = await height();
    const { drag } = await onBoard(page);
    await drag("d2", "d4");
    await page.waitForSelector('button:has-text("Take back")');
    assert.equal(await height(), before, String(width));
    await page.click('button:has-text("Take back")');
    await page.waitForSelector('button:has-text("Take back")', { state: "hidden" });
  }
  assert.deepEqual(page.faults, []);
});

it("an engine shows its lines, and its end is told", async () => {
  const other = await start(true);
  try {
    const page = await open(other);
    await page.click('[data-tab="engine"]');
    await page.click(".caption");
    const set = async (fen) => {
      await page.click('button:has-text("Set position")');
      await page.fill('[aria-label="position as FEN"]', fen);
      await page.keyboard.press("Enter");
    };
    await set("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    await page.waitForSelector('.engine li:has-text("+0.31"):has-text("1.e4 e5 2.Nf3")');
    await page.waitForSelector('.engine li:has-text("#−4")');
    await page.click('.engine button:has-text("1.e4")');
    await page.waitForSelector('.caption:text-is("1. e4 · tried")');
    // After mate it has nothing to think about.
    await set("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3");
    await page.waitForSelector('.engine :text("finds no move here")');
    // It dies, says so, and lives again.
    await set("k7/8/8/8/8/8/8/K6Q b - - 0 1");
    await page.waitForSelector('.engine [role="alert"]:has-text("ended without an answer")');
    await set("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    await page.waitForSelector('.engine li:has-text("+0.31")');
    await set("kk6/8/8/8/8/8/8/K7 w - - 0 1");
    await page.waitForSelector('.engine [role="alert"]:has-text("more than one black king")');
    assert.deepEqual(page.faults.filter((fault) => !fault.includes("400")), []);
  } finally {
    await other.end();
  }
});

it("games that change are told, and what is asked about them is refused", async () => {
  const other = await start();
  try {
    const page = await open(other);
    await write(page, "cql() mate");
    await search(page);
    await page.fill('[aria-label="search within the games"]', "morphy");
    writeFileSync(other.games, historic.repeat(3));
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.waitForSelector('.status:has-text("The games have changed since this search")');
    await page.click('button:has-text("Export…")');
    await page.click("dialog button.main");
    await page.waitForSelector('dialog [role="alert"]:has-text("the games have changed")');
    await page.keyboard.press("Escape");
    await page.click('.status button:has-text("Search again")');
    await page.waitForSelector('.status:has-text("of 120 games")');
    assert.equal(await page.locator('.status:has-text("have changed")').count(), 0);
    assert.match(await page.textContent(".status"), /of 120 games, from 33 found/);
    // What is searched for while the page waits to search again is not narrowed.
    writeFileSync(other.games, historic.repeat(2));
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page.waitForSelector('.status:has-text("The games have changed since this search")');
    await write(page, "cql() check");
    await breakNextSearch(page);
    await page.click('.status button:has-text("Search again")');
    await page.waitForSelector('.status:has-text("The connection broke")');
    await page.click("button.search");
    await page.waitForSelector('.status:has-text("of 80 games")');
    await page.waitForTimeout(800);
    assert.equal(await page.locator(".results > .chips .chip").count(), 0);
    assert.doesNotMatch(await page.textContent(".status"), /found/);
    // The opening tree counts the files as they are, even if only the search has noticed that they changed.
    for (const [n, query] of [[2, "true"], [1, "true // again"]]) {
      writeFileSync(other.games, historic.repeat(n));
      await write(page, query);
      await page.click("button.search");
      await page.waitForSelector(`.status:has-text("of ${n * 40} games")`);
      await page.waitForSelector(".moves [aria-current]");
      await page.click(".caption");
      await page.keyboard.press("Home");
      await page.click('[data-tab="tree"]');
      await page.waitForSelector(`.tree > .told:last-child:text-is("${n * 40} games")`);
    }
    assert.deepEqual(page.faults, []);
  } finally {
    await other.end();
  }
});

it("a search that a sleep interrupts begins anew", async () => {
  const page = await open(studio, {}, "query");
  await write(page, "cql() mate");
  await breakNextSearch(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("The connection broke")');
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")', { timeout: 60_000 });
  // It does not, if it is stopped before.
  await breakNextSearch(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("The connection broke")');
  await page.keyboard.press("Escape");
  await page.waitForSelector('.status:has-text("stopped")');
  assert.equal(await page.locator(".search.running").count(), 0);
  assert.deepEqual(page.faults, []);
});

it("a full storage and a link of a newer version are told, once", async () => {
  const page = await open(studio);
  await page.route("**/api/workspace", (route) => (route.request().method() === "PUT" ? route.fulfill({ status: 507, contentType: "application/json", body: '{"error":"cannot save the queries: no space left"}' }) : route.continue()));
  await write(page, "cql() check");
  await page.waitForSelector('.toast.error:has-text("no space left")');
  await write(page, "cql() stalemate");
  await page.waitForTimeout(900);
  assert.equal(await page.locator(".toast").count(), 1);
  await page.click(".toast");
  assert.equal(await page.locator(".toast").count(), 0);
  // Searches go on.
  assert.match(await search(page), /^0 of 10,000 games/);
  const link = await page.evaluate(async () => {
    const text = JSON.stringify({ query: "cql() check", name: "New", lens: 1, view: { way: "mask", isSearched: false, zoom: 2 } });
    const packed = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  });
  await page.goto("about:blank");
  await page.goto(`${new URL(studio.link).origin}/#q=${link}`);
  await page.waitForSelector('.toast:has-text("newer version: lens, zoom")');
  await page.click('[data-tab="query"]');
  assert.equal(await text(page), "cql() check");
});

it("a sorted game opens at the position that put it first", async () => {
  const page = await open(studio);
  await write(page, 'cql() player "Morphy" sort "men" #[Aa]');
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  const value = Number(await page.textContent(".row-game .badge b"));
  // All positions match; only those with this value are marked.
  assert.ok((await page.locator(".moves .match").count()) < (await page.locator(".moves a").count()));
  await page.click('[data-tab="conditions"]');
  await page.waitForSelector(`.conditions li:has-text("sort") .value:text-is("${value}")`);
  // A long condition leaves its value room.
  await write(page, 'cql() player "Morphy" sort "likeness" likeness("rnb1kb1r/p4ppp/2p5/1p2p3/4n3/1QN5/PPP2PPP/R1B1K2R")');
  await search(page);
  await page.waitForSelector('.conditions li:has-text("likeness") .value:not(:empty)');
  assert.ok(await page.locator('.conditions li:has-text("likeness") .value').evaluate((told) => told.scrollWidth <= told.clientWidth));
  assert.deepEqual(page.faults, []);
});

it("a file is dropped, and what is broken is said", async () => {
  const page = await open(studio);
  const file = join(studio.folder, "dropped.pgn");
  writeFileSync(file, '[White "Dropped"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n');
  await page.setInputFiles('input[type="file"]', file);
  await page.waitForSelector('.library summary:has-text("2 of 2")');
  await write(page, "cql() player \"Dropped\" mate");
  assert.match(await search(page), /^1 of 10,001 games/);
  await page.click(".library summary");
  await page.click('button[aria-label="Remove dropped.pgn"]');
  await page.waitForSelector('.library summary:has-text("games.pgn")');
  await page.click(".library summary");
  await page.setInputFiles('input[type="file"]', { name: "nothing.pgn", mimeType: "text/plain", buffer: Buffer.alloc(10_000) });
  await page.waitForSelector('.toast:has-text("nothing.pgn was not added")');
  // The open game is no longer in the list, and other games are found as before.
  await write(page, "cql() mate");
  assert.match(await search(page), /^2,750 of 10,000 games/);
  // A question about the open game can be on its way when its file is removed.
  assert.deepEqual(page.faults.filter((fault) => !/40[04]/.test(fault)), []);
});

it("an archive is built by a click", async () => {
  const page = await open(studio);
  await page.click(".library summary");
  await page.click('button[aria-label="Build an archive of games.pgn"]');
  await page.click('dialog button:has-text("Build")');
  await page.waitForSelector('dialog :text("games.cqa has 10,000 games")');
  assert.ok(existsSync(join(studio.folder, "games.cqa/manifest.json")));
  await page.click('dialog button:has-text("Close")');
  await page.click(".library summary");
  await page.waitForSelector('.library li:has-text("has an archive")');
  await page.waitForSelector('button[aria-label="Update the archive of games.pgn"]');
  // After a long search for a theme, the page proposes to store it.
  await page.route("**/api/search", async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(/"seconds":[\d.e-]+/, '"seconds":2.5') });
  });
  await write(page, 'cql() theme("fork")');
  await search(page);
  await page.click('.status button:has-text("Store them")');
  assert.ok(await page.isChecked('dialog input[type="checkbox"]'));
  await page.click('dialog button:has-text("Bring up to date")');
  await page.waitForSelector('dialog :text("games.cqa has 10,000 games")', { timeout: 120_000 });
  await page.click('dialog button:has-text("Close")');
  await search(page);
  assert.equal(await page.locator('.status button:has-text("Store them")').count(), 0);
  assert.deepEqual(page.faults, []);
});

it("two windows overwrite nothing of each other", async () => {
  const first = await open(studio);
  const second = await first.context().newPage();
  await second.goto(new URL(studio.link).origin);
  await second.waitForSelector(".cm-content");
  await write(first, "cql() check // first");
  await kept(first);
  await write(second, "cql() stalemate // second");
  await kept(second);
  await first.reload();
  await first.waitForSelector(".cm-content");
  const texts = [];
  for (const tab of await first.locator('.tabs .name').all()) {
    await tab.click();
    texts.push(await first.locator(".cm-content").innerText());
  }
  assert.ok(texts.some((text) => text.includes("// first")), texts.join("\n---\n"));
  assert.ok(texts.some((text) => text.includes("// second")), texts.join("\n---\n"));
});

it("a link holds the query", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "cql() stalemate // ♔ ü");
  await page.click('.top button:has-text("Link")');
  await page.waitForSelector(".toast");
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.ok(!link.includes("token"));
  const other = await page.context().newPage();
  await other.goto(link);
  await other.waitForSelector(".cm-content");
  assert.match(await other.locator(".cm-content").innerText(), /stalemate \/\/ ♔ ü/);

  // A browser without the token waits until it has one.
  const context = await studio.browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const waiting = await context.newPage();
  await waiting.goto(link);
  assert.match(await waiting.textContent('[role="alert"]'), /printed.*The link then opens here/);
  const entering = await context.newPage();
  await entering.goto(studio.link);
  await waiting.waitForSelector(".cm-content");
  assert.match(await waiting.locator(".cm-content").innerText(), /stalemate \/\/ ♔ ü/);

  // An open page survives a restart of the studio.
  await waiting.evaluate(() => (window.isSame = true));
  for (const token of ["another", studio.link.split("token=")[1]]) {
    await entering.evaluate((token) => localStorage.setItem("token", token), token);
    await waiting.waitForTimeout(300);
    assert.ok(await waiting.evaluate(() => window.isSame));
  }
  assert.match(await search(waiting), /^0 of 10,000 games/);

  // A link of a studio with another port opens, too.
  await entering.evaluate((link) => navigator.clipboard.writeText(link), link.replace(/:\d+/, ":1"));
  await write(entering, "cql() check");
  const tab = await entering.getAttribute(".tabs [aria-current]", "id");
  await entering.keyboard.press("ControlOrMeta+v");
  await entering.waitForFunction(() => /stalemate/.test(document.querySelector(".cm-content").textContent));
  await entering.click(`#${tab}`);
  assert.equal(await entering.locator(".cm-content").innerText(), "cql() check");
});

it("a keyboard stays where it is while something changes there", async () => {
  const page = await open(studio);
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
  await write(page, "cql()");
  await page.focus('[data-tab="query"]');
  await page.keyboard.press("ArrowLeft");
  assert.equal(await focused(), "Position");
  await page.focus('.palette button:has-text("Any of")');
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "Any of");
  for (const piece of ["white queen", "white rook"]) {
    await page.focus(`.piece[aria-label="${piece}"]`);
    await page.keyboard.press("Enter");
    assert.equal(await focused(), piece);
  }
  await page.focus(".draw-options input >> nth=1");
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => document.activeElement.closest("label").textContent), "Mirrored");
  await page.focus(".board-frame");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("k");
  assert.equal(await text(page), "cql()\nflipvertical {\n  [QR]e5\n  kd5\n}");
  // Areas are reached by F6, and the mask by its number.
  await page.keyboard.press("F6");
  assert.ok(await page.evaluate(() => document.querySelector(".games").contains(document.activeElement)));
  await page.keyboard.press("1");
  await page.waitForSelector('[data-tab="mask"][aria-selected="true"]');
  await page.focus('[aria-label="player"]');
  await page.keyboard.type("123");
  assert.equal(await page.inputValue('[aria-label="player"]'), "123");
  assert.deepEqual(page.faults, []);
});

it("everything is done by keyboard", async () => {
  const page = await open(studio);
  await write(page, "cql()\nmate");
  const { keyboard } = page;
  const tabTo = async (name) => {
    for (let i = 0; i < 40; i++) {
      const found = await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
      if (found.startsWith(name)) return;
      await keyboard.press("Tab");
    }
    assert.fail(`${name} is not reached`);
  };
  const done = () => page.waitForSelector('.status[data-state="done"]', { timeout: 120_000 });
  // The search: the mask, without what the text has besides.
  await page.focus('[data-tab="query"]');
  await keyboard.press("ArrowLeft");
  await keyboard.press("ArrowLeft");
  await tabTo("Remove");
  await keyboard.press("Enter");
  await tabTo("player");
  await keyboard.type("morphy");
  await keyboard.press("ControlOrMeta+Enter");
  await done();
  assert.match(await page.textContent(".status b"), /^[1-9]/);
  // The board: another game, its start, and a move.
  await keyboard.press("F6");
  const title = await page.textContent(".game-head h2");
  await keyboard.press("j");
  await page.waitForFunction((old) => document.querySelector(".game-head h2").textContent !== old, title);
  // All positions of a search for a player match: none is marked, and the game opens at its start.
  await page.waitForFunction(() => document.querySelector(".moves").textContent.includes("1."));
  await keyboard.press("Home");
  for (const key of ["Enter", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowUp", "Enter", "ArrowUp", "Enter"]) await keyboard.press(key);
  await page.waitForSelector('.caption:text-is("1. a3 · tried")');
  // The list: words within, and away with them.
  await keyboard.press("/");
  await keyboard.type("duke");
  await keyboard.press("Enter");
  await page.waitForSelector('.status:has-text("found")');
  await tabTo("“duke”");
  await keyboard.press("Enter");
  assert.equal(await page.locator('.status:has-text("found")').count(), 0);
  // A report.
  await page.focus(".library summary");
  await tabTo("Reports");
  await keyboard.press("Enter");
  await tabTo("Sheet");
  await keyboard.press("Enter");
  await page.waitForSelector("dialog");
  await keyboard.type("By keyboard");
  await keyboard.press("Enter");
  await page.waitForSelector("dialog .page-of-report", { timeout: 60_000 });
  await keyboard.press("Escape");
  await keyboard.press("ControlOrMeta+s");
  await page.waitForSelector('dialog :text("Export the matches")');
  await keyboard.press("Escape");
  // The query, and its edit.
  await keyboard.press("3");
  await keyboard.press("e");
  await keyboard.press("ControlOrMeta+a");
  await keyboard.insertText("maet");
  await page.waitForSelector(".strip.error");
  // Closes the list of completions.
  await keyboard.press("Escape");
  await tabTo("Write mate");
  await keyboard.press("Enter");
  await page.waitForSelector(".strip:not(.error)");
  assert.equal(await text(page), "mate");
  assert.deepEqual(page.faults, []);
});

it("nobody is let in without the token", async () => {
  const context = await studio.browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(studio.link).origin);
  assert.match(await page.textContent('[role="alert"]'), /printed in the terminal/);
});

it("a link with the token of another studio shuts nobody out", async () => {
  const page = await open(studio);
  const other = await page.context().newPage();
  await other.goto(`${new URL(studio.link).origin}/#token=zzz`);
  await other.waitForSelector(".cm-content");
  await page.reload();
  await page.waitForSelector(".cm-content");
});

it("the page opens if the storage of the browser is full", async () => {
  const context = await studio.browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.goto(studio.link);
  await page.waitForSelector(".cm-content");
});

it("a studio that ends says so, and takes nothing with it", async () => {
  const other = await start();
  const page = await open(other);
  await write(page, "cql() check // kept");
  other.child.kill("SIGINT");
  await new Promise((resolve) => (other.child.exitCode === null ? other.child.on("exit", resolve) : resolve()));
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("does not answer")');
  assert.match(await page.locator(".cm-content").innerText(), /kept/);
  await other.end();
});

for (const [width, height, side] of [[360, 740, 344], [768, 1024, 400], [1280, 720, 416], [1440, 900, 576]]) {
  it(`a coach, a composer and an engineer find games: ${width} px`, async () => {
    const isPhone = width < 640;
    const page = await open(studio, { viewport: { width, height }, hasTouch: width < 1152 });
    const part = async (name) => width < 1152 && (isPhone || name !== "game") && page.click(`.part-bar [data-part="${name}"]`);
    const done = () => page.waitForSelector('.status[data-state="done"]', { state: "attached", timeout: 120_000 });
    // The engineer takes the edit of an error.
    await write(page, "cql()\nmaet");
    await page.click(".strip.error .fix");
    await page.waitForSelector(".strip:not(.error)");
    assert.equal(await text(page), "cql()\nmate");
    // The coach uses the mask alone.
    await page.click('[data-tab="mask"]');
    await page.click('.also button:has-text("Remove")');
    await page.click('[aria-label="result"] button:has-text("0–1")');
    await page.fill('[aria-label="player"]', "Najdorf");
    await page.click("button.search");
    await done();
    await part("games");
    await page.click(".row-game >> nth=0");
    await page.waitForSelector('.game-head h2:has-text("Najdorf")');
    await part("game");
    const board = await page.locator(".board-frame").boundingBox();
    assert.equal(board.width, side);
    assert.ok(board.x >= 0 && board.x + board.width <= width && board.y + board.height <= height, "the board is in sight");
    // The composer draws on the same board.
    await part("query");
    await page.click('[data-tab="position"]');
    await page.click('.piece[aria-label="black king"]');
    const { click } = await onBoard(page);
    await click("g8");
    if (isPhone) await page.click('[data-tab="query"]');
    assert.equal(await text(page), 'cql()\nplayer "Najdorf"\nresult 0-1\nkg8');
    await page.click("button.search");
    await done();
    assert.match(await page.textContent(".status b"), /^[1-9]/);
    // He loosens it, opens the third match, and tries a move.
    await part("query");
    await page.click('[data-tab="mask"]');
    await page.click('.text-head button:has-text("Clear")');
    await page.click('[data-tab="position"]');
    await page.click('.piece[aria-label="black king"]');
    const again = await onBoard(page);
    await again.drag("g8", "h8");
    await page.check('.draw-options label:has-text("Either color") input');
    if (isPhone) await page.click('[data-tab="query"]');
    assert.equal(await text(page), "cql()\nflipcolor {\n  kg-h8\n}");
    await page.click("button.search");
    await done();
    await part("games");
    await page.click(".row-game >> nth=2");
    await page.waitForSelector(".moves [aria-current].match", { state: "attached" });
    await part("game");
    await page.click(".caption");
    await page.keyboard.press("Home");
    const game = await onBoard(page);
    await game.click("a2");
    await page.waitForSelector(".board-frame .target");
    await game.click("a3");
    await page.waitForSelector('.caption:text-is("1. a3 · tried")');
    // A reload restores it; then the results become a collection, and a sheet.
    await kept(page);
    await page.waitForFunction(() => history.state?.view.tried.join() === "a3");
    await page.reload();
    await page.waitForSelector('.caption:text-is("1. a3 · tried")', { state: "attached", timeout: 60_000 });
    await part("games");
    await page.click('button:has-text("Save…")');
    await page.keyboard.type(`Kings ${width}`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.library summary:has-text("Kings ${width}.pgn")`, { state: "attached", timeout: 60_000 });
    await page.waitForSelector('.status[data-state="done"]');
    await page.click(".reports summary");
    await page.click('.reports button:has-text("Sheet")');
    await page.fill('dialog input[type="number"] >> nth=0', "6");
    await page.click("dialog button.main");
    await page.waitForSelector('dialog .made p:has-text("6 diagrams")', { timeout: 60_000 });
    const sticksOut = await page.frameLocator(".page-of-report").locator("html").evaluate((html) => html.scrollWidth - html.clientWidth);
    assert.equal(sticksOut, 0, "no diagram sticks out of the sheet");
    await page.keyboard.press("Escape");
    await page.click(".library summary");
    await page.check('.library li:has-text("games.pgn") input');
    await page.click(`button[aria-label="Remove Kings ${width}.pgn"]`);
    await page.waitForSelector('.library summary:has-text("games.pgn")');
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, "nothing sticks out");
    assert.deepEqual(page.faults, []);
  });
}

for (const [name, options] of Object.entries({
  desktop: {},
  dark: { colorScheme: "dark" },
  small: { viewport: { width: 1280, height: 720 } },
  tablet: { viewport: { width: 768, height: 1024 }, hasTouch: true },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true },
})) {
  it(`everybody can use the page: ${name}`, async () => {
    const isNarrow = (options.viewport?.width ?? 1440) < 1152;
    const page = await open(studio, options);
    const check = async (where) => {
      const found = await new AxeBuilder(page).violations();
      const told = found.map((one) => `${where}: ${one.id}: ${one.help}\n  ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n  ")}`);
      assert.deepEqual(told, []);
    };
    await check("at the start");
    await page.fill('[role="combobox"]', "pawn");
    await page.waitForSelector('.idea');
    await check("ideas");
    await write(page, "cql() mate sort \"men\" #[Aa]");
    await search(page);
    await check("games");
    if (isNarrow) await page.click(".row-game");
    await page.waitForSelector(".moves [aria-current]", { state: "attached" });
    await check("a tree");
    await page.click('[data-tab="conditions"]');
    await page.waitForSelector(".conditions li");
    await check("a game");
    if (isNarrow) await page.click('.part-bar [data-part="games"]');
    await page.selectOption('select[aria-label="group by"]', { label: "Year" });
    await check("a chart");
    if (isNarrow) await page.click('.part-bar [data-part="query"]');
    for (const side of ["Manual", "In words", "History"]) {
      await page.click(`.side-tabs [role="tab"]:has-text("${side}")`);
      await page.waitForTimeout(150);
      await check(side);
    }
    await write(page, "cql() maet");
    await page.waitForSelector(".strip.error");
    await check("a mistake");
    for (const way of ["mask", "position"]) {
      await page.click(`[data-tab="${way}"]`);
      await check(way);
    }
    await page.click('.top button[title^="Keys and hints"]');
    await check("help");
    await page.keyboard.press("Escape");
    await page.click(".reports summary");
    await check("reports");
    await page.click('.reports button:has-text("Sheet")');
    await page.fill('dialog input[type="number"] >> nth=0', "2");
    await page.click("dialog button.main");
    await page.waitForSelector("dialog .page-of-report", { timeout: 60_000 });
    await check("a sheet");
    await page.keyboard.press("Escape");
    if (isNarrow) await page.click('.part-bar [data-part="games"]');
    await page.click('button:has-text("Export…")');
    await check("export");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, "nothing sticks out");
  });
}

it("what the mask cannot use is said at its field, and quotes are written as tags have them", async () => {
  const page = await open(studio, {}, "mask");
  await page.click('button:has-text("Clear")');
  const years = page.getByLabel("years from");
  const text = () => page.locator(".cm-content").innerText();
  for (const wrong of ["9e99", "abc", "-5", "99999"]) {
    await years.fill("1850");
    await years.fill(wrong);
    assert.equal(await years.getAttribute("aria-invalid"), "true");
    const problem = page.locator(`[id="${await years.getAttribute("aria-describedby")}"]`);
    assert.equal(await problem.textContent(), `${wrong} is no number from 0 to 9999, so it is left out.`);
    assert.doesNotMatch(await text(), /year/);
  }
  // It is still said after the mask is shown anew.
  await page.getByLabel("Fork").check();
  assert.match(await text(), /theme/);
  assert.equal(await years.inputValue(), "99999");
  assert.match(await page.textContent(".mask"), /99999 is no number/);
  await page.getByLabel("Fork").uncheck();
  await years.fill("1850");
  assert.equal(await years.getAttribute("aria-invalid"), "false");
  assert.match(await text(), /year >= 1850/);
  await years.fill("");
  await page.getByLabel("opening", { exact: true }).fill('a"b');
  assert.match(await page.textContent(".mask"), /No opening has such a sign/);
  await page.getByLabel("opening", { exact: true }).fill("");
  await page.getByLabel("player", { exact: true }).fill('Mor"phy');
  await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes('("Mor\\" + \\" + "phy") in player'));
  await page.waitForSelector('.strip:has-text("No errors")', { state: "attached" });
  assert.deepEqual(page.faults, []);
});

it("Tab leaves the editor, small and large, in both directions", async () => {
  const page = await open(studio, {}, "mask");
  for (const way of ["mask", "query"]) {
    await page.click(`[data-tab="${way}"]`);
    await page.locator(".cm-content").focus();
    const before = await page.locator(".cm-content").innerText();
    for (const key of ["Tab", "Shift+Tab"]) {
      await page.locator(".cm-content").focus();
      await page.keyboard.press(key);
      assert.ok(await page.evaluate(() => document.activeElement !== document.body && !document.activeElement.closest(".cm-content")), `${way}, ${key}`);
    }
    assert.equal(await page.locator(".cm-content").innerText(), before);
  }
});

it("a search without matches leaves no game on the board, and says what finds more", async () => {
  const page = await open(studio);
  await write(page, "cql() mate");
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await write(page, 'cql() player "Nobody"');
  assert.match(await search(page), /^0 of 10,000 games/);
  await page.waitForSelector('.game-head h2:text-is("Start position")');
  await page.click('[data-tab="mask"]');
  await page.getByLabel("player", { exact: true }).fill("nobody");
  await page.waitForSelector('.games :text("A field of the mask that is cleared finds more games")');
  // A position that the user has set is shown again.
  await page.click('button:has-text("Set position")');
  await page.fill('[aria-label="position as FEN"]', "8/8/8/4k3/8/8/8/R3K3 w - - 0 1");
  await page.click('dialog button:has-text("Set position")');
  await page.getByLabel("player", { exact: true }).fill("morphy");
  await page.waitForSelector('.game-head:has-text("Morphy")');
  await page.getByLabel("player", { exact: true }).fill("nobody");
  await page.waitForSelector('.game-head h2:text-is("Position")');
  assert.deepEqual(page.faults, []);
});

it("each window returns to its own search, and a list of other games is marked", async () => {
  const page = await open(studio);
  await write(page, "cql() mate");
  await search(page);
  await kept(page);
  // The first window stores its query again in the tab that both have.
  const other = await page.context().newPage();
  await other.goto(studio.link);
  await other.waitForSelector(".cm-content", { state: "attached" });
  await other.click('[data-tab="query"]');
  await write(other, 'cql() player "Morphy"');
  await search(other);
  await kept(other);
  for (const [window, expected] of [[page, "cql() mate"], [other, 'cql() player "Morphy"'], [page, "cql() mate"]]) {
    await window.reload();
    await window.waitForSelector('.status[data-state="done"]', { timeout: 60_000 });
    await window.waitForSelector(".cm-line");
    assert.equal(await text(window), expected);
    await kept(window);
  }
  assert.match(await page.textContent(".status"), /^2,750 of 10,000 games/);
  await other.close();

  // A file that changes while the page stays in front of the user.
  const before = readFileSync(studio.games, "utf8");
  try {
    writeFileSync(studio.games, `${before}\n\n[White "New"]\n\n1. e4 *\n`);
    await page.waitForSelector('.status:has-text("The games have changed since this search")', { timeout: 20_000 });
    await page.waitForSelector('.sum:has-text("The games have changed")');
  } finally {
    writeFileSync(studio.games, before);
  }
  await page.click('.status button:has-text("Search again")');
  await page.waitForSelector('.status [role="alert"]', { state: "detached" });
  assert.match(await page.textContent(".status"), /^2,750 of 10,000/);
  // Another choice of collections.
  await page.setInputFiles('input[type="file"]', { name: "new.pgn", mimeType: "text/plain", buffer: Buffer.from('[White "New"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n') });
  await page.waitForSelector('.status:has-text("The list is of other collections")');
  await page.click('.status button:has-text("Search again")');
  await page.waitForSelector('.status:has-text("2,751 of 10,001")');
  await page.click(".library summary");
  await page.uncheck('.library li:has-text("new.pgn") input');
  await page.waitForSelector('.status:has-text("The list is of other collections")');
  await page.click('button[aria-label="Remove new.pgn"]');
  assert.deepEqual(page.faults, []);
});

it("reports say what they need and what they leave out", async () => {
  const file = join(studio.folder, "few.pgn");
  writeFileSync(file, historic);
  const other = await start(false, file);
  try {
    const page = await open(other);
    const menu = async (name) => {
      await page.click(".reports summary");
      await page.click(`.reports button:has-text("${name}")`);
    };
    await write(page, "cql() mate");
    assert.match(await search(page), /^11 of 40 games/);
    await menu("Exercises");
    const need = page.locator('dialog .told[role="status"]').first();
    assert.equal(await need.textContent(), "");
    await page.getByLabel("Theme", { exact: true }).fill("fork");
    assert.match(await need.textContent(), /need the comments \[%eval …\]/);
    await page.getByLabel("Theme", { exact: true }).fill("");
    assert.equal(await need.textContent(), "");
    // After a mate there is nothing to solve, but all positions have something.
    await page.selectOption("dialog select >> nth=0", "1");
    await page.click("dialog button.main");
    await page.waitForSelector('dialog .made:has-text("0 exercises")', { timeout: 60_000 });
    await page.locator('dialog label:has-text("Positions") select').selectOption({ label: "All positions of all games of the selected collections" });
    await page.click("dialog button.main");
    await page.waitForSelector("dialog .page-of-report", { timeout: 60_000 });
    assert.match(await page.textContent("dialog .made b"), /^[1-9]\d* exercises?$/);
    await page.keyboard.press("Escape");
    await menu("Sheet");
    assert.deepEqual(await page.locator(`dialog label:has-text("Games") option`).allTextContents(), ["The 11 games found"]);
    await page.getByRole("spinbutton", { name: "At most" }).fill("4");
    await page.click("dialog button.main");
    await page.waitForSelector('dialog .made :text("4 diagrams. 7 further games that match are left out")', { timeout: 60_000 });
    await page.keyboard.press("Escape");
    assert.deepEqual(page.faults, []);
  } finally {
    await other.end();
  }
});

it("nothing covers the bar of a small phone, and the buttons below the board stay in a row", async () => {
  const phone = await open(studio, { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true });
  await write(phone, "cql() check");
  await phone.tap("button.search");
  await phone.waitForSelector('.status[data-state="done"]');
  await phone.tap('.part-bar [data-part="games"]');
  await phone.tap(".row-game");
  await phone.waitForSelector(".moves [aria-current].match", { state: "attached" });
  // Playwright refuses to tap what something else covers.
  await phone.tap('.part-bar [data-part="query"]', { timeout: 5000 });
  const cut = await phone.evaluate(() => [...document.querySelectorAll(".top, .part-bar")].map((bar) => bar.scrollWidth - bar.clientWidth));
  assert.deepEqual(cut, [0, 0]);

  const page = await open(studio, { viewport: { width: 1280, height: 720 } });
  await write(page, "cql() check");
  await search(page);
  await page.waitForSelector(".match-button:visible");
  const rows = () => page.evaluate(() => new Set([...document.querySelectorAll(".controls button")].filter((one) => one.offsetParent).map((one) => one.offsetTop)).size);
  assert.equal(await rows(), 1);
  await page.keyboard.press("F6");
  await page.keyboard.press("Home");
  for (const key of ["Enter", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowLeft", "ArrowUp", "Enter", "ArrowUp", "Enter"]) await page.keyboard.press(key);
  await page.waitForSelector('button:has-text("Take back"):visible');
  assert.equal(await rows(), 1);
});

it("conditions are not evaluated at a tried position", async () => {
  const page = await open(studio);
  await write(page, 'cql() player "Morphy"\nwtm');
  await search(page);
  await page.waitForSelector(".moves [aria-current]");
  await page.click('[data-tab="conditions"]');
  await page.waitForSelector(".conditions li.holds");
  await page.click(".caption");
  await page.keyboard.press("Home");
  const words = () => page.locator(".conditions li").allInnerTexts();
  assert.ok((await words()).every((line) => !line.includes("not evaluated")));
  const { drag } = await onBoard(page);
  await drag("a2", "a4");
  await page.waitForSelector('.caption:text-is("1. a4 · tried")');
  for (const line of await words()) assert.match(line, /not evaluated at a tried position$/);
  assert.equal(await page.locator(".conditions li:is(.fails, .holds)").count(), 0);
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector(".conditions li.holds");
  assert.deepEqual(page.faults, []);
});

it("positions like this one are also found with colors exchanged", async () => {
  const page = await open(studio);
  await write(page, 'cql() player "Morphy"\nmate');
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click('button:has-text("Like this")');
  const box = page.locator('.draw-options label:has-text("Either color") input');
  await box.check();
  assert.match(await text(page), /\nsort "likeness" flipcolor likeness\("[^"]+"\)/);
  await page.waitForSelector('.sum:has-text("of 10,000 games")');
  // With a region beside it, both have images or neither.
  await page.click('.piece[aria-label="black king"]');
  const { drag } = await onBoard(page);
  await drag("a8", "h8");
  assert.match(await text(page), /\nsort "likeness" flipcolor \{\n  ka-h8\n  likeness\("[^"]+"\)\n\}/);
  await page.click("button.search");
  await page.waitForSelector('.status[data-state="done"]');
  await page.click('button:has-text("Back to the game")');
  // The game opens where its value is that of the list.
  await page.click('[data-tab="conditions"]');
  await page.waitForFunction(() => {
    const values = [...document.querySelectorAll(".conditions li .value")].map((value) => value.textContent);
    return values.includes(document.querySelector(".facts .fact b").textContent);
  });
  assert.deepEqual(page.faults, []);
});

it("a column is checked, searched and shown at once", async () => {
  const page = await open(studio);
  await write(page, "mate");
  await search(page);
  await page.click('button:has-text("Column…")');
  await page.fill('dialog input[aria-label="expression"]', "pwer A");
  await page.click('dialog button:has-text("Add")');
  await page.waitForSelector('dialog .error code:text-is("pwer")');
  await page.click("dialog .fix");
  assert.equal(await page.inputValue('dialog input[aria-label="expression"]'), "power A");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForSelector('.row-game .badge small:text-is("power A")');
  await page.waitForSelector('.values:has-text("at the first match of each game")');
  // So is its removal.
  await page.click(".values .chip");
  await page.waitForFunction(() => document.querySelector(".row-game")?.textContent.includes("power A") === false);
  // A column of a link may be wrong: the error shows it as code.
  await page.evaluate(() => history.replaceState({ ...history.state, values: ["pwer A"] }, ""));
  await page.reload();
  await page.waitForSelector('.status .error code:text-is("pwer A")');
  assert.doesNotMatch(await page.textContent(".status"), /`/);
  await page.click(".values .chip");
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")');
  assert.deepEqual(page.faults, []);
});

for (const width of [1440, 800]) {
  it(`the moves stay at the current one when another tab is opened, ${width} wide`, async () => {
    const page = await open(studio, { viewport: { width, height: 700 } });
    await write(page, 'cql() player "Lasker" movenumber >= 15');
    await search(page);
    await page.waitForSelector(".moves [aria-current].match");
    await page.click(".caption");
    await page.keyboard.press("End");
    const isInSight = () => page.waitForFunction(() => {
      const [box, frame] = [".moves [aria-current]", ".moves"].map((one) => document.querySelector(one).getBoundingClientRect());
      return frame.height > 0 && box.top >= frame.top - 1 && box.bottom <= frame.bottom + 1;
    });
    await isInSight();
    const tabs = page.locator('[aria-label="below the board"][role="tablist"] [role="tab"]');
    await tabs.last().click();
    await tabs.first().click();
    await isInSight();
    assert.deepEqual(page.faults, []);
  });
}

it("the focus returns to the menu from which a dialog was opened", async () => {
  const page = await open(studio);
  await write(page, "mate");
  await search(page);
  const isAt = (menu) => page.waitForFunction((menu) => document.activeElement === document.querySelector(`${menu} summary`), menu);
  const items = await page.locator(".reports .report").count();
  for (let i = 0; i < items; i++) {
    await page.focus(".reports summary");
    await page.keyboard.press("Enter");
    await page.locator(".reports .report").nth(i).focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await isAt(".reports");
  }
  // An earlier test may have built the archive.
  for (const label of ["Contents of", " archive of "]) {
    await page.focus(".library summary");
    await page.keyboard.press("Enter");
    await page.locator(`.library [aria-label*="${label}"]`).first().focus();
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await isAt(".library");
  }
  assert.deepEqual(page.faults, []);
});

it("a quick stroke leaves no square out", async () => {
  const page = await open(studio, {}, "position");
  await page.click('button:has-text("Clear") >> nth=0');
  const { at } = await onBoard(page);
  const stroke = async (...squares) => {
    await page.mouse.move(...at(squares[0]));
    await page.mouse.down();
    for (const square of squares.slice(1)) await page.mouse.move(...at(square));
    await page.mouse.up();
  };
  await page.click('.piece[aria-label="white rook"]');
  await stroke("a1", "a8");
  await page.click('.piece[aria-label="white bishop"]');
  await stroke("e1", "h4", "h1");
  assert.equal(await text(page), "cql()\nRa1-8\nB[h1-4,e1,f2,g3]");
  // Each square of a stroke is empty, until the stroke is drawn again.
  await page.click('.palette button:has-text("Empty")');
  await stroke("f7", "g7");
  assert.equal(await text(page), "cql()\n_f7\n_g7\nRa1-8\nB[h1-4,e1,f2,g3]");
  await stroke("g7", "f7");
  assert.equal(await text(page), "cql()\nRa1-8\nB[h1-4,e1,f2,g3]");
  await page.focus(".board-frame");
  await page.keyboard.press("ControlOrMeta+z");
  assert.equal(await text(page), "cql()\n_f7\n_g7\nRa1-8\nB[h1-4,e1,f2,g3]");
  // An arrow takes no pieces, whatever was chosen for them.
  const none = page.locator('.palette button:has-text("None of")');
  await none.click();
  assert.equal(await none.getAttribute("aria-pressed"), "true");
  await page.click('.palette button:has-text("Attacks")');
  assert.equal(await none.getAttribute("aria-pressed"), "false");
  assert.deepEqual(page.faults, []);
});

it("what the board does not draw is said, and stays after Clear until it is removed", async () => {
  const page = await open(studio);
  await write(page, 'cql()\nplayer "Morphy"\nKg1 kg8\nKe6 & Pe5\nflipcolor { mate }');
  await page.click('[data-tab="position"]');
  const also = () => page.locator(".also pre").innerText();
  assert.equal(await also(), 'player "Morphy"\nKe6 & Pe5\nflipcolor { mate }');
  assert.equal(await page.getAttribute(".board-frame .board", "aria-label"), "drawing: Kg1, kg8");
  await page.click('.palette button:has-text("None of")');
  await page.click('.controls button:has-text("Clear")');
  assert.equal(await text(page), 'cql()\nplayer "Morphy"\nKe6 & Pe5\nflipcolor { mate }');
  assert.equal(await page.getAttribute('.palette button:has-text("None of")', "aria-pressed"), "false");
  await page.waitForSelector('.toast:has-text("The other conditions of the query stay")');
  await page.click('.toast button:has-text("Remove them")');
  assert.equal(await text(page), "cql()\ntrue");
  assert.equal(await page.locator(".also:visible").count(), 0);
  // The mask shows what is drawn.
  await page.click('[data-tab="query"]');
  await write(page, 'cql()\nyear >= 1800\nKe1 Ke8');
  await page.waitForSelector('.sum:has-text("This query cannot match"):has-text("Two white kings (e1, e8)")');
  await page.click('[data-tab="mask"]');
  assert.equal(await also(), "Ke1\nKe8");
  await page.click('button:has-text("Like this")');
  await page.waitForSelector('.toast:has-text("The other conditions of the query stay")');
  assert.equal(await also(), "year >= 1800");
  assert.deepEqual(page.faults, []);
});

it("a small phone reaches the text and the controls of a drawing", async () => {
  const page = await open(studio, { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });
  await write(page, 'cql()\nplayer "Morphy"\nRd8');
  await page.tap('[data-tab="position"]');
  const label = () => page.getAttribute(".board-frame .board", "aria-label");
  await page.tap('.controls button:has-text("FEN…")');
  await page.tap('dialog button:has-text("Start position")');
  assert.match(await label(), /Ke1/);
  assert.equal(await page.inputValue('[aria-label="side to move"]'), "wtm");
  await page.tap('.controls button:has-text("Undo")');
  assert.equal(await label(), "drawing: Rd8");
  await page.tap('.controls button:has-text("Clear")');
  await page.tap('.toast:has-text("The other conditions of the query stay")', { position: { x: 4, y: 4 } });
  await page.locator(".cm-content").scrollIntoViewIfNeeded();
  assert.equal(await text(page), 'cql()\nplayer "Morphy"');
  // Neither the board nor the bar with the button to search covers the text.
  const isTop = await page.evaluate(() => {
    const line = document.querySelector(".cm-line");
    const box = line.getBoundingClientRect();
    return line.contains(document.elementFromPoint(box.left + 4, box.top + box.height / 2));
  });
  assert.ok(isTop);
  await page.tap('.text-head button:has-text("Clear")');
  assert.equal(await text(page), "cql()\ntrue");
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
  assert.deepEqual(page.faults, []);
});

it("a name that the mask proposes finds its games", async () => {
  const file = join(studio.folder, "names.pgn");
  writeFileSync(file, historic.replace(/\[White "[^"]*"\]/, '[White "Nakamura,Hi."]'));
  const other = await start(false, file);
  try {
    const page = await open(other, {}, "mask");
    await page.click('.text-head button:has-text("Clear")');
    await page.waitForSelector('.status:has-text("40 of 40 games")');
    const names = () => page.evaluate(() => [...document.querySelectorAll("#players option")].map((one) => one.value));
    await page.waitForFunction(() => document.querySelector("#players option"));
    const [name] = (await names()).filter((name) => name.startsWith("Nakamura"));
    await page.fill('.mask [aria-label="player"]', name);
    await page.waitForSelector('.status:has-text("1 of 40 games")');
    // So does the name as the file has it.
    await page.fill('.mask [aria-label="player"]', "Nakamura,Hi");
    await page.waitForTimeout(500);
    assert.match(await page.textContent(".status"), /^1 of 40 games/);
    assert.deepEqual(page.faults, []);
  } finally {
    await other.end();
  }
});

it("the editor shows what messages and changes have in backticks as code", async () => {
  const page = await open(studio);
  await write(page, "cql()\nmaet");
  await page.waitForSelector(".strip.error");
  await page.hover(".cm-lintRange");
  await page.waitForSelector('.cm-diagnostic code:text-is("maet")');
  assert.doesNotMatch(await page.textContent(".cm-diagnostic"), /`/);
  await page.mouse.move(0, 0);
  await page.keyboard.press("ControlOrMeta+.");
  await page.waitForSelector("dialog .choices code");
  assert.doesNotMatch(await page.textContent("dialog .choices"), /`/);
  assert.deepEqual(page.faults, []);
});

it("the back button returns from a change of the mask, and a reload to a search that was running", async () => {
  const page = await open(studio, {}, "mask");
  await page.click('.text-head button:has-text("Clear")');
  await page.fill('[aria-label="event"]', "Casual game");
  await page.waitForSelector('.status:not(:has-text("10,000 of"))');
  await page.waitForSelector('.sum:has-text("Updated")');
  const status = await page.textContent(".status b");
  await page.click(".row-game >> nth=1");
  await page.waitForTimeout(1200);
  await page.click(".caption");
  await page.keyboard.press("Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => history.state.view.ply === 3);
  const [head, caption] = [await page.textContent(".game-head h2"), await page.textContent(".caption")];
  await page.fill('[aria-label="years from"]', "1900");
  await page.waitForFunction((status) => document.querySelector(".status b")?.textContent !== status, status);
  await page.waitForTimeout(500);
  await page.goBack();
  await page.waitForFunction(([head, caption]) => document.querySelector(".game-head h2").textContent === head && document.querySelector(".caption").textContent === caption, [head, caption]);
  assert.equal(await page.textContent(".status b"), status);
  // A reload during a search begins it again.
  await page.click('[data-tab="query"]');
  await write(page, "cql() x = 0 while (x < 3000) { x = x + 1 } mate");
  await kept(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector(".search.running");
  await page.reload();
  await page.waitForSelector(".search.running");
  await page.click(".search.running");
  assert.deepEqual(page.faults, []);
});

it("the head of a section of the mask says what its sliders choose", async () => {
  const page = await open(studio, {}, "mask");
  await page.click('.text-head button:has-text("Clear")');
  await page.click('.fold summary:has-text("Material")');
  await page.focus('[aria-label="Most men"]');
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  assert.equal(await text(page), "cql()\n#[Aa] <= 30");
  assert.equal(await page.textContent('.fold summary:has-text("Material") .value'), "1 chosen");
  assert.deepEqual(page.faults, []);
});

it("exercises take a theme in the words of the mask", async () => {
  const page = await open(studio);
  await write(page, "mate");
  await search(page);
  await page.click(".reports summary");
  await page.click('.reports button:has-text("Exercises")');
  await page.getByLabel("Theme", { exact: true }).fill("Back rank mate");
  const [request] = await Promise.all([page.waitForRequest((request) => request.url().endsWith("/api/report")), page.click("dialog button.main")]);
  assert.match(request.postData(), /"theme":"backrankmate"/);
  await page.waitForSelector("dialog .made b", { timeout: 60_000 });
  assert.deepEqual(page.faults, []);
});

// Tests of the page in Chromium, with the program that the variable CQL names.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { AxeBuilder } from "./axe.mjs";
import { PHONE, findIdeas, kept, missing, open, program, search, start, write } from "./studio.mjs";

const skip = missing();
let studio;
before(async () => {
  if (!skip) studio = await start();
}, { timeout: 60_000 });
after(async () => studio?.end());

const it = (name, work) => test(name, { skip, timeout: 300_000 }, work);

it("a mistake is mended by the edit that is proposed, and found in 10,000 games", async () => {
  const page = await open(studio);
  assert.ok(!page.url().includes("token"), "the token is no longer in the address");
  await write(page, "cql()\nmaet");
  await page.waitForSelector(".strip.error");
  await page.click(".strip .fix");
  await page.waitForSelector(".strip:not(.error)");
  assert.match(await page.locator(".cm-content").innerText(), /^cql\(\)\nmate$/);
  await page.click(".cm-content");
  assert.match(await search(page), /^2,750 of 10,000 games/);
  assert.ok((await page.locator(".row-game").count()) < 40, "only rows in sight are there");

  // The first game is shown at its match; keys go through it.
  await page.waitForSelector(".moves [aria-current].match");
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
  await page.selectOption('select[aria-label="count by"]', { label: "Result" });
  const bars = await page.locator(".bar .n").allTextContents();
  assert.equal(bars.reduce((sum, n) => sum + Number(n.replace(",", "")), 0), 2750);
  await page.locator(".bar").first().click();
  await page.waitForSelector(".results > .chips .chip");
  assert.match(await page.textContent(".results > .told"), /of 2,750 shown/);

  // The search is repeated with the names of openings when they are counted.
  await page.click(".results > .chips .chip");
  await page.selectOption('select[aria-label="count by"]', { label: "Opening by name" });
  await page.waitForSelector('.bar[title^="none: 2,750 games"]');
  await page.selectOption('select[aria-label="count by"]', { label: "Count by…" });
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
  await page.click(".search");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("stopped"));
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

it("a position is drawn and found", async () => {
  const page = await open(studio);
  await page.click('.side-tabs [role="tab"]:has-text("Draw")');
  const board = await page.locator(".draw-board .board").boundingBox();
  const at = (square) => [board.x + ((square.charCodeAt(0) - 96.5) * board.width) / 8, board.y + ((8.5 - square[1]) * board.height) / 8];
  const click = (square) => page.mouse.click(...at(square));
  const drag = async (from, to) => {
    await page.mouse.move(...at(from));
    await page.mouse.down();
    await page.mouse.move(...at(to), { steps: 20 });
    await page.mouse.up();
  };
  await page.click('.piece[aria-label="white rook"]');
  await click("d8");
  await page.click('.piece[aria-label="black king"]');
  await drag("e8", "g8");
  await page.click('.palette button:has-text("attacks")');
  await drag("d8", "e8");
  await page.check('.draw-options input >> nth=0');
  const drawn = await page.textContent(".drawn");
  assert.equal(drawn, "cql()\nflipcolor {\n  Rd8\n  ke-g8\n  Rd8 -> ke-g8\n}\n");
  await page.click('button:has-text("Search for it")');
  await page.waitForSelector('.status[data-state="done"]');
  const counted = execFileSync(program, ["--count", "-i", join(studio.folder, "games.pgn"), "-cql", "flipcolor { Rd8 ke-g8 Rd8 -> ke-g8 }"], { stdio: ["ignore", "pipe", "ignore"] }).toString();
  const games = Number(counted.split("\n")[1].trim().split(/\s+/)[0]);
  assert.ok(games > 0);
  assert.equal((await page.textContent(".status b")).replace(",", ""), String(games));

  // Conversely, the designator at the cursor is highlighted on the board.
  await page.waitForSelector(".moves [aria-current]");
  await page.click('.tok-designator:has-text("ke-g8")');
  await page.waitForSelector(".board-frame .lit");
  assert.deepEqual(page.faults, []);
});

it("any of several pieces is drawn on a phone", async () => {
  const page = await open(studio, PHONE);
  await page.tap('.side-tabs [role="tab"]:has-text("Draw")');
  await page.tap('.palette button:has-text("any of")');
  await page.tap('.piece[aria-label="white rook"]');
  const board = await page.locator(".draw-board .board").boundingBox();
  assert.ok(board.y + board.height < 844, "all of the board is in sight");
  await page.touchscreen.tap(board.x + board.width * (4.5 / 8), board.y + board.height * (4.5 / 8));
  await page.tap('.palette button:has-text("any of")');
  await page.tap('.piece[aria-label="black king"]');
  // Drawing with a finger does not scroll.
  const touch = await page.context().newCDPSession(page);
  for (const [type, file] of [["touchStart", 4.5], ["touchMove", 5.5], ["touchMove", 6.5], ["touchEnd"]]) {
    const touchPoints = file ? [{ x: board.x + (board.width * file) / 8, y: board.y + board.height / 16 }] : [];
    await touch.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
  assert.equal(await page.textContent(".drawn"), "cql()\n[QR]e4\nke-g8\n");
  // Chromium takes no tap that follows a stroke more quickly than a finger can.
  await page.waitForTimeout(400);
  await page.tap('button:has-text("Search for it")');
  await page.waitForSelector('.status[data-state="done"]');
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
  await page.waitForSelector('.library summary:has-text("2 of 2")');
  await write(page, "cql() check");
  assert.match(await search(page), /of 10,000 games.*1 note on games/);
  await page.click(".library summary");
  await page.click('button[aria-label="Remove nothing.pgn"]');
  await page.waitForSelector('.library summary:has-text("games.pgn")');
  // The open game is no longer in the list, and other games are found as before.
  await write(page, "cql() mate");
  assert.match(await search(page), /^2,750 of 10,000 games/);
  assert.deepEqual(page.faults, []);
});

it("an archive is built by a click", async () => {
  const page = await open(studio);
  await page.click(".library summary");
  await page.click('button[aria-label="Build an archive of games.pgn"]');
  await page.waitForSelector('dialog :text("games.cqa has 10,000 games")');
  assert.ok(existsSync(join(studio.folder, "games.cqa/manifest.json")));
  await page.click('dialog button:has-text("Close")');
  await page.click(".library summary");
  await page.waitForSelector('.library li:has-text("has an archive")');
  await page.waitForSelector('button[aria-label="Update the archive of games.pgn"]');
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
  await page.click('button[aria-label="Copy a link to the query"]');
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
  await page.focus('.side-tabs [role="tab"]:has-text("Draw")');
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "Draw");
  await page.focus('.palette button:has-text("any of")');
  await page.keyboard.press("Enter");
  assert.equal(await focused(), "any of");
  for (const piece of ["white queen", "white rook"]) {
    await page.focus(`.piece[aria-label="${piece}"]`);
    await page.keyboard.press("Enter");
    assert.equal(await focused(), piece);
  }
  await page.focus(".draw-options input >> nth=1");
  await page.keyboard.press("Space");
  assert.equal(await page.evaluate(() => document.activeElement.closest("label").textContent), "mirrored");
  await page.focus(".draw-board");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("k");
  assert.equal(await page.textContent(".drawn"), "cql()\nflipvertical {\n  [QR]e5\n  kd5\n}\n");
  assert.deepEqual(page.faults, []);
});

it("nobody is let in without the token", async () => {
  const context = await studio.browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(studio.link).origin);
  assert.match(await page.textContent('[role="alert"]'), /printed in the terminal/);
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

for (const [name, options] of Object.entries({
  desktop: {},
  dark: { colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, hasTouch: true },
})) {
  it(`everybody can use the page: ${name}`, async () => {
    const page = await open(studio, options);
    const check = async (where) => {
      const found = await new AxeBuilder(page).violations();
      const told = found.map((one) => `${where}: ${one.id}: ${one.help}\n  ${one.nodes.map((node) => `${node.html} ${node.failureSummary}`).join("\n  ")}`);
      assert.deepEqual(told, []);
    };
    await check("at the start");
    await page.fill('[role="combobox"]', "pawn");
    await page.waitForSelector('[role="option"]');
    await check("ideas");
    await write(page, "cql() mate sort \"men\" #[Aa]");
    await search(page);
    await check("games");
    if (name === "phone") await page.click(".row-game");
    await page.waitForSelector(".moves [aria-current]");
    await page.waitForSelector(".conditions li");
    await check("a game");
    if (name === "phone") await page.click('.part-bar [data-part="games"]');
    await page.selectOption('select[aria-label="count by"]', { label: "Year" });
    await check("a chart");
    if (name === "phone") await page.click('.part-bar [data-part="query"]');
    for (const side of ["Manual", "Meaning", "Draw", "History"]) {
      await page.click(`.side-tabs [role="tab"]:has-text("${side}")`);
      await page.waitForTimeout(150);
      await check(side);
    }
    await write(page, "cql() maet");
    await page.waitForSelector(".strip.error");
    await check("a mistake");
    await page.click('button[aria-label="Keys and hints"]');
    await check("help");
    await page.keyboard.press("Escape");
    await page.click('button[aria-label="Export the matches"]');
    await check("export");
    const width = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    assert.equal(width, 0, "nothing sticks out");
  });
}

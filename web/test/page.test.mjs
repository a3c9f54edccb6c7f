// Tests of the page in Chromium, with the program that the variable CQL names.

import assert from "node:assert";
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { AxeBuilder } from "./axe.mjs";
import { PHONE, begin, find, findIdeas, historic, kept, linkOf, open, own, program, removeSaved, save, search, searchSlowly, suite, text, treeHas, write } from "./studio.mjs";

const studio = {};
const it = suite(studio);

/** Waits until the editor has a text. */
const isWritten = (page, text) => page.waitForFunction((text) => document.querySelector(".cm-content")?.textContent === text, text);

/** Changes the answer to the next search: breaks its connection after the first lines, or holds it back for some
 * milliseconds from `window.began` on. */
async function changeNextSearch(page, delay = null) {
  await page.evaluate((delay) => {
    const broken = (body) => {
      const reader = body.getReader();
      return new ReadableStream({
        async pull(to) {
          const { value } = await reader.read();
          to.enqueue(value);
          to.error(new TypeError("network error"));
          void reader.cancel();
        },
      });
    };
    const { fetch } = window;
    window.fetch = async (path, options) => {
      const response = await fetch(path, options);
      if (path !== "/api/search") return response;
      window.fetch = fetch;
      if (delay === null) return new Response(broken(response.body));
      window.began = performance.now();
      const text = await response.text();
      await new Promise((resolve) => setTimeout(resolve, delay));
      return new Response(text, response);
    };
  }, delay);
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
  await page.waitForSelector(".shaped > .chips .chip");
  assert.match(await page.textContent(".status"), /of 10,000 games, from 2,750 found/);

  // The score says whose it is.
  const isWhole = (header) => header.textContent === "White's score" && header.scrollWidth <= header.clientWidth;
  assert.ok(await page.locator(".chart th:nth-child(4)").evaluate(isWhole), "the header is in sight");

  // The search is repeated with the names of openings when they are counted.
  await page.click(".shaped > .chips .chip");
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
});

for (const [name, options] of [["", {}], [" on a phone", PHONE]]) {
  it(`ideas are found by words${name}`, async () => findIdeas(await open(studio, options), options === PHONE));
}

it("a search that would never end is stopped", async () => {
  const page = await open(studio);
  await begin(page, "cql() x = 0 while (x < 100000) { x = x + 1 } false");
  await page.waitForSelector('.sum:has-text("Searching…")');
  // The second click is not for the button that searches again.
  await page.dblclick(".search");
  await page.waitForFunction(() => document.querySelector(".status").textContent.includes("stopped"));
  assert.equal(await page.getAttribute(".status", "data-state"), "done");
  // What was found before is written, and no more.
  await begin(page, "cql() if gamenumber > 5000 then { x = 0 while (x < 100000) { x = x + 1 } false } else initial");
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
  assert.match(await find(page, "cql() mate"), /^2,750 of/);
});

it("a search is told at once, and can be stopped while its query is checked", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  await page.route("**/api/ask", async (route) => {
    if (route.request().postDataJSON().what === "check") await new Promise((resolve) => setTimeout(resolve, 700));
    await route.continue();
  });
  const requests = [];
  page.on("request", (request) => request.url().endsWith("/api/search") && requests.push(request));
  const told = () => page.evaluate(async () => {
    document.querySelector("button.search").click();
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return [".search", ".sum b, .sum span"].map((one) => document.querySelector(one).textContent);
  });
  await write(page, "cql() check");
  // A click is not taken for one on what the button said a moment ago.
  await page.waitForTimeout(600);
  assert.deepEqual(await told(), ["Stop", "Searching…"]);
  await page.waitForTimeout(50);
  assert.deepEqual(await told(), ["Search", "The query has changed"]);
  await page.waitForTimeout(1000);
  assert.equal(requests.length, 0);
  // A double click begins one search, and does not end it.
  await page.dblclick("button.search");
  await page.waitForSelector('.status[data-state="done"]');
  assert.equal(requests.length, 1);
  assert.doesNotMatch(await page.textContent(".status"), /stopped/);
});

it("a slow search lists its games as they are found, and keeps them when it is stopped", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  await searchSlowly(page);
  await page.click(".search.running");
  await page.waitForSelector('.status:has-text("stopped")');
  const found = /^([\d,]+) found, stopped after ([\d,]+) of 10,000 games/.exec(await page.textContent(".status"));
  const [n, read] = found.slice(1).map((text) => Number(text.replace(",", "")));
  assert.ok(n > 0 && n === read && n < 10_000, found[0]);
  assert.equal(Number(await page.getAttribute(".row-game", "aria-setsize")), n);
  assert.match(await page.textContent(".sum"), /found, stopped after/);
  // They are written, and no others.
  await page.click('button:has-text("Export…")');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const file = join(studio.folder, "stopped.pgn");
  await download.saveAs(file);
  assert.equal(readFileSync(file, "utf8").split("[Event ").length - 1, n);
});

it("the back button returns to the collections that were searched", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy" mate');
  await page.waitForTimeout(1100);
  await page.click('button:has-text("Save…")');
  await page.fill('dialog input[maxlength="60"]', "Back");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.status:has-text("250 of 250 games")');
  await page.goBack();
  await page.waitForSelector('.status:has-text("250 of 10,000 games")', { timeout: 60_000 });
  await page.waitForSelector('.library summary:has-text("games.pgn")');
  await page.goForward();
  await page.waitForSelector('.status:has-text("250 of 250 games")', { timeout: 60_000 });
  await page.waitForSelector('.library summary:has-text("Back.pgn, saved results")');
  // The mask proposes the names of these games alone.
  await page.click('[data-tab="mask"]');
  const names = await page.locator("#players option").evaluateAll((all) => all.map((one) => one.value));
  assert.ok(names.some((name) => name.startsWith("Morphy")) && !names.some((name) => name.startsWith("Lasker")), names.join("; "));
  // It is told if they are no longer there.
  await page.goBack();
  await page.waitForSelector('.status:has-text("250 of 10,000 games")', { timeout: 60_000 });
  await page.click(".library summary");
  await removeSaved(page, "Back.pgn");
  await page.waitForSelector('.library li:has-text("Back.pgn")', { state: "detached" });
  await page.goForward();
  await page.waitForSelector('.toast:has-text("Back.pgn is not in this studio")');
  await page.waitForSelector('.status:has-text("250 of 10,000 games")', { timeout: 60_000 });
});

it("games are searched by the names of their openings within those found", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  const requests = [];
  page.on("request", (request) => request.url().endsWith("/api/search") && requests.push(JSON.parse(request.postData())));
  await page.fill('[aria-label="search within the games"]', "philidor defense");
  await page.waitForFunction(() => /^[1-9]\d* of 10,000 games, from 2,750 found/.test(document.querySelector(".status").textContent));
  // The query is not evaluated again, and only the games of the list are looked at.
  await page.fill('[aria-label="search within the games"]', "morphy");
  assert.equal(requests.length, 1);
  assert.ok(requests[0].query === "" && requests[0].games.length === 2750 && requests[0].openings);
  await page.selectOption('select[aria-label="group by"]', { label: "Opening by name" });
  await page.waitForSelector('.bar .name[title^="Philidor Defense"]');
  assert.equal(requests.length, 1);
  await page.selectOption('select[aria-label="group by"]', { label: "Group by…" });
});

it("an export says which games it lacks", async () => {
  const file = join(studio.folder, "cut.pgn.gz");
  // A file of gzip without its end: a block that is not the last one, with the plain text.
  const text = Buffer.from(`${historic}\n\n[White "Odd"]\n[Variant "Bughouse"]\n\n1. e4 *\n\n`, "latin1");
  const head = Buffer.alloc(15);
  head.set([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 0]);
  head.writeUInt16LE(text.length, 11);
  head.writeUInt16LE(0xffff - text.length, 13);
  assert.ok(text.length < 0xffff);
  writeFileSync(file, Buffer.concat([head, text]));
  const page = await open(await own(file));
  await find(page, "cql() mate");
  await page.click('button:has-text("Export…")');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  await download.saveAs(join(studio.folder, "lacking.pgn"));
  assert.equal(readFileSync(join(studio.folder, "lacking.pgn"), "latin1").split("[Event ").length - 1, 11);
  await page.waitForSelector('dialog [role="alert"]:has-text("cut.pgn.gz: "):has-text("1 game could not be read")');
  await page.waitForSelector('dialog li:has-text("Bughouse"):has-text("left out")');
  await page.keyboard.press("Escape");
  await page.click('button:has-text("Save…")');
  await page.click("dialog button.main");
  await page.waitForSelector('dialog [role="alert"]:has-text("is a collection now"):has-text("cut.pgn.gz: ")');
});

it("a query that fails on every game says so", async () => {
  const page = await open(studio);
  assert.match(await find(page, 'cql() readfile("games.pgn") == "x"'), /^the query failed on every game on which it was evaluated; .*readfile/);
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
it("the dialog for a FEN has the position that is drawn", async () => {
  const page = await open(studio);
  await write(page, "cql()\nbtm\nKg1 Qd4 kg8\n[pn]a7\nRe1-8");
  await page.click('[data-tab="position"]');
  await page.click('.controls button:has-text("FEN…")');
  assert.equal(await page.inputValue("dialog input"), "6k1/8/8/8/3Q4/8/8/6K1 b - - 0 1");
});

it("each way to ask is scrolled by itself", async () => {
  const page = await open(studio, { viewport: { width: 1280, height: 620 } }, "mask");
  await page.click('.text-head button:has-text("Clear")');
  const panel = page.locator(".way-panel");
  const offset = await panel.evaluate((panel) => ((panel.scrollTop = 60), panel.scrollTop));
  assert.ok(offset > 0, "the mask can be scrolled");
  await page.click('[data-tab="position"]');
  assert.equal(await panel.evaluate((panel) => panel.scrollTop), 0);
  await page.click('[data-tab="mask"]');
  assert.equal(await panel.evaluate((panel) => panel.scrollTop), offset);
  await kept(page);
});

it("the tree shows no moves of the search before, and says that it is not of the drawing", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  await page.waitForSelector(".moves [aria-current].match");
  await page.click(".caption");
  await page.keyboard.press("Home");
  await page.waitForSelector('.tree-games:has-text("2,750 games found")');
  await treeHas(page, ".tree tbody tr");
  // The count of the next games takes a while.
  await page.route("**/api/tree", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 250));
    await route.continue();
  });
  await find(page, 'cql() player "Morphy" mate');
  const rows = await page.waitForFunction(() => /^(?!2,750).* found/.test(document.querySelector(".tree-games").textContent) && `${document.querySelectorAll(".tree tbody tr").length} rows`);
  assert.equal(await rows.jsonValue(), "0 rows");
  assert.equal(await page.locator(".of-game:visible").count(), 0);
  await page.click('[data-tab="position"]');
  assert.equal(await page.locator(".of-game:visible").innerText(), "Below: the open game, which the drawing hides");
  await kept(page);
});

it("the list is no narrower on a wider screen, and has four games beside groups", async () => {
  const widths = [];
  for (const [width, height] of [[1280, 720], [1440, 900], [1920, 1080]]) {
    const page = await open(studio, { viewport: { width, height } });
    await find(page, "cql() initial");
    await page.selectOption('select[aria-label="group by"]', { label: "Event" });
    await page.waitForSelector(".chart tbody tr");
    const list = await page.locator(".list").boundingBox();
    widths.push(list.width);
    assert.ok(list.height >= 4 * 52, `${list.height} pixels of games at ${width}`);
    // Many groups take a third of the column.
    await page.selectOption('select[aria-label="group by"]', { label: "White" });
    await page.waitForFunction(() => document.querySelectorAll(".chart tbody tr").length > 12);
    const [chart, column] = await page.evaluate(() => [".chart", ".games"].map((one) => document.querySelector(one).getBoundingClientRect().height));
    assert.ok(chart >= column / 3 - 8, `${chart} of ${column} pixels for groups at ${width}`);
    await page.selectOption('select[aria-label="group by"]', { label: "Group by…" });
    await kept(page);
  }
  assert.deepEqual([...widths].sort((a, b) => a - b), widths);
});

it("on a phone, a message covers neither the count nor the search, and Undo stands above the tools", async () => {
  const page = await open(studio, { ...PHONE, viewport: { width: 360, height: 740 } });
  await write(page, "cql()\nKg1\nmate");
  await page.tap('[data-tab="position"]');
  const [controls, palette] = await Promise.all([".draw .controls", ".palette"].map((name) => page.locator(name).boundingBox()));
  assert.ok(controls.y + controls.height <= palette.y);
  await page.tap('.text-head button:has-text("Clear")');
  await page.waitForSelector('.toast:has-text("The whole query was cleared")');
  const [toast, go] = await Promise.all([".toast", ".go"].map((name) => page.locator(name).boundingBox()));
  assert.ok(toast.y + toast.height <= go.y, `the message ends at ${toast.y + toast.height}, the count begins at ${go.y}`);
  await kept(page);
});

it("the focus goes to a neighbour when its control goes away", async () => {
  const page = await open(studio);
  const { keyboard } = page;
  const focused = () => page.evaluate(() => {
    const { activeElement: control } = document;
    return control === document.body ? "nothing" : (control.getAttribute("aria-label") ?? control.textContent);
  });
  /** Presses a control by keyboard, and returns where the focus is once it is gone. */
  const after = async (selector, isGone) => {
    await page.focus(selector);
    await keyboard.press("Enter");
    await isGone();
    await page.waitForTimeout(300);
    return focused();
  };
  const gone = (selector) => () => page.waitForSelector(selector, { state: "hidden" });
  await find(page, "cql()\nmate");
  await page.waitForSelector(".moves [aria-current].match");
  // A step of “Search within”, and the last column.
  await page.fill('[aria-label="search within the games"]', "Morphy");
  await keyboard.press("Enter");
  assert.notEqual(await after(".shaped > .chips .chip", gone(".shaped > .chips .chip")), "nothing");
  await page.click('button:has-text("Column…")');
  await page.fill('dialog input[aria-label="expression"]', "year");
  await keyboard.press("Enter");
  await page.waitForSelector(".values .chip");
  assert.notEqual(await after(".values .chip", gone(".values .chip")), "nothing");
  await page.waitForSelector('.status[data-state="done"]');
  // The tree: other games, and the end of the game.
  await page.waitForSelector(".moves [aria-current].match");
  await page.click(".caption");
  await keyboard.press("Home");
  await treeHas(page, ".tree tbody tr");
  assert.equal(await after('.tree-games button:has-text("All games")', gone('.tree-games button:has-text("All games")')), "Only those listed");
  await page.click('.tree-games button:has-text("Only those listed")');
  await page.waitForSelector('.tree-games button:has-text("All games")');
  await treeHas(page, '.tree button:has-text("1.e4")');
  await page.focus(".tree tbody .link >> nth=0");
  await keyboard.press("End");
  await treeHas(page, '.tree .told:has-text("in this position"), .tree .told:has-text("None of these")');
  await page.waitForTimeout(300);
  assert.notEqual(await focused(), "nothing");
  // What is beside the mask.
  await page.click('[data-tab="query"]');
  await write(page, "cql()\nyear >= 1800\nmate & true");
  await page.click('[data-tab="mask"]');
  assert.equal(await after('.also button:has-text("Edit")', gone(".also")), "query");
  await page.click('[data-tab="mask"]');
  assert.notEqual(await after('.also button:has-text("Remove")', gone(".also")), "nothing");
  // A tab, and a drawing.
  await page.click('[data-tab="query"]');
  await page.click('button[aria-label="New query"]');
  const name = await page.textContent(".tabs [aria-current]");
  await page.focus(".tab:has([aria-current]) .close");
  await keyboard.press("Enter");
  await page.waitForTimeout(300);
  assert.notEqual(await focused(), "nothing", `after ${name}`);
  await after('button:has-text("Like this")', () => page.waitForSelector('[data-tab="position"][aria-selected="true"]'));
  assert.notEqual(await focused(), "nothing");
  // Who clicks beside all controls has left them.
  await page.click('[data-tab="mask"]');
  await page.mouse.click(700, 24);
  await page.keyboard.press("3");
  await page.waitForTimeout(300);
  assert.equal(await focused(), "nothing");
  await kept(page);
});

it("a new query is written below its first line", async () => {
  const page = await open(studio);
  await page.click('button[aria-label="New query"]');
  await page.keyboard.insertText("mate");
  assert.equal(await text(page), "cql()\nmate");
  await page.keyboard.press("Escape");
  await page.click('.tab:has([aria-current]) .close');
  await kept(page);
});

it("the board draws every piece of a choice, and every mark that shares its squares", async () => {
  const page = await open(studio);
  await write(page, "cql()\n[QRBNqrb]a1\nnot [KQRBNPkqrbnp]h8\n[QA_]c8");
  await page.click('[data-tab="position"]');
  const shapes = (name) => page.locator(`.board svg use[href="#${name}"]`).count();
  const all = () => page.locator(".board svg :is(use, text)").count();
  assert.equal(await all(), 7 + 12 + 3);
  assert.equal(await shapes("b"), 2 + 2);
  // Whatever is drawn stays in its square.
  const board = await page.locator(".board-frame .board").boundingBox();
  for (const one of await page.locator(".board svg").all()) {
    const box = await one.boundingBox();
    assert.ok(box.x >= board.x - 1 && box.x + box.width <= board.x + board.width + 1 && box.y >= board.y - 1 && box.y + box.height <= board.y + board.height + 1);
  }
  // A region and the empty square in its middle, and a region without a free square.
  await page.click('[data-tab="query"]');
  await write(page, "cql()\nBb-f4\n_d4\n[na]g-h1\nRg1\nKh1");
  await page.click('[data-tab="position"]');
  assert.equal(await page.locator(".board .in-square:text-is('empty')").count(), 1);
  assert.equal(await shapes("b"), 1);
  assert.equal(await shapes("n"), 1);
  assert.deepEqual([await page.locator('.board use.w[href="#r"]').count(), await page.locator('.board use.w[href="#k"]').count()], [1, 1]);
});

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
  await page.waitForSelector('.sum:has-text("No game of chess can match")');
  await page.waitForSelector('.status:has-text("0 of 10,000 games")');
  assert.equal(await page.locator(':text("Two white kings"):visible').count(), 1);
  // The reason is said beside the count when the game is on the board.
  await page.click('button:has-text("Back to the game")');
  await page.waitForSelector('.sum:has-text("Two white kings (e1, e8)")');
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
});

it("moves are tried on the board and taken back", async () => {
  const page = await open(studio);
  page.permits = /400/;
  await find(page, 'cql() player "Morphy" mate');
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
  assert.match(await page.textContent(".moves .tried"), /^\(1…c5\) $/);
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
  await page.waitForSelector('.tree-games:has-text("250 games found")');
  await treeHas(page, `.tree th:text-is("White's score")`);
  const counted = async (games) => {
    await page.waitForSelector(`.tree-games:has-text("${games}")`);
    await treeHas(page, ".tree tbody tr");
  };
  await counted("found");
  assert.equal(await page.textContent(".tree tbody tr td:nth-child(2)"), "250");
  await page.click('.tree-games button:has-text("All games")');
  await counted("all selected games");
  const tree = JSON.parse(execFileSync(program, ["tree", "--json", join(studio.folder, "games.pgn")], { stdio: ["ignore", "pipe", "ignore"] }).toString());
  // Until the games of the start are counted, the table is that of the position before.
  const counts = tree.moves.map((move) => move.games).join(" ");
  await page.waitForFunction((counts) => {
    const cells = [...document.querySelectorAll(".tree tbody tr td:nth-child(2)")];
    return cells.map((cell) => cell.textContent.replace(",", "")).join(" ") === counts;
  }, counts);
  await page.click('.tree .link:has-text("1.d4")');
  await page.waitForSelector('.caption:text-is("1. d4 · tried")');
  await treeHas(page, `.tree th:text-is("Black's score")`);
  // From a position that no game has, back to one that several have.
  await page.keyboard.press("Home");
  await drag("a2", "a4");
  await page.waitForSelector('.caption:text-is("1. a4 · tried")');
  await treeHas(page, '.tree button:has-text("last shared")');
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
  await page.waitForSelector('dialog [role="alert"]:has-text("not a FEN")');
  await page.keyboard.press("Escape");
  await set("kk6/8/8/8/8/8/8/K7 w - - 0 1");
  await page.waitForSelector('.problem:has-text("more than one black king")');
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
  await page.locator('[aria-label="At least, lead of White in pawns"]').fill("-3");
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
});

it("a passage becomes a query, and results become a collection", async () => {
  const page = await open(studio);
  page.permits = /400|404.*tree/;
  await find(page, 'cql() player "Morphy" mate');
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
  assert.match(await find(page, "cql()\nmate"), /^250 of 250 games/);
  await page.click(".library summary");
  await page.check('.library li:has-text("games.pgn") input');
  await removeSaved(page, "Opera.pgn");
  await page.waitForSelector('.library summary:has-text("games.pgn")');

  // Like this: the best positions first.
  await page.click(".library summary");
  await page.click('button:has-text("Like this")');
  await page.waitForFunction(() => /likeness\("/.test(document.querySelector(".cm-content").textContent));
  assert.equal(await page.getAttribute('button:has-text("Similar")', "aria-pressed"), "true");
  // The next page has the games again.
  await kept(page);
  // The tree may be asked for while its collection is removed.
});

it("a reload, the back button and a link restore search, game and position", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await find(page, 'cql() player "Morphy" mate // restored');
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
  const link = await linkOf(page);
  assert.ok(!link.includes("token") && !link.includes(studio.folder));
  await page.goto("about:blank");
  await page.goto(link);
  await isThere(page);
});

it("a link that is opened where the studio already is opens its query", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "cql() mate check");
  const link = await linkOf(page);
  await write(page, "cql()");
  await page.evaluate((link) => (location.hash = new URL(link).hash), link);
  await page.waitForFunction(() => document.querySelector(".cm-content").textContent === "cql() mate check");
});

it("a large export asks first", async () => {
  const page = await open(studio);
  await find(page, "cql() initial");
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
  await page.waitForSelector('dialog legend:has-text("as Report?")');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  const file = join(studio.folder, "report.html");
  await download.saveAs(file);
  assert.ok(readFileSync(file).length < 10e6);
});

it("a tab has the name of its text after a reload, also if the studio had stored neither", async () => {
  const page = await open(studio);
  const name = () => page.textContent(".tabs [aria-current]");
  await write(page, "cql() mate");
  await kept(page);
  const stored = await name();
  // As when the studio has ended, and is started again.
  await page.route("**/api/workspace", (route) => route.request().method() === "PUT" ? route.abort() : route.fallback());
  await write(page, "cql() stalemate unsaved");
  await page.waitForFunction((stored) => document.querySelector(".tabs [aria-current]").textContent !== stored, stored);
  const expected = await name();
  await page.unroute("**/api/workspace");
  // The page stores what it has when it is left: that fails, too.
  await page.evaluate(() => (window.fetch = () => Promise.reject(new TypeError("gone"))));
  await page.reload();
  await isWritten(page, "cql() stalemate unsaved");
  assert.equal(await name(), expected);
  assert.match(expected, /^stalemate unsaved/);
});

it("the question before a large export counts the rows that are written", async () => {
  const page = await open(studio);
  await find(page, "cql() check");
  const [games, positions] = /^([\d,]+) of 10,000 games, ([\d,]+) positions/.exec(await page.textContent(".status")).slice(1);
  assert.ok(Number(games.replace(",", "")) < 10_000 && Number(positions.replace(",", "")) > 10_000, `${games} ${positions}`);
  await page.click('button:has-text("Export…")');
  await page.check('dialog input[value="csv"]');
  await page.click("dialog button.main");
  await page.waitForSelector(`dialog legend:text-is("Export ${positions} rows of ${games} games as CSV?")`);
  await page.waitForSelector(`dialog fieldset:has-text("All ${games} games")`);
  // A row for each game is no large export.
  await page.selectOption("dialog select", "game");
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  assert.equal(download.suggestedFilename(), "check.csv");
});

it("an export writes the games of the list, also after the query has changed", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
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
});

it("names and links are those of the query of the list, also after its text has changed", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "// Mates of the list\ncql() mate");
  const found = /^[\d,]+ of 10,000 games/.exec(await search(page))[0];
  const draft = 'cql() theme("fork") stalemate';
  await write(page, draft);
  for (const words of ["games of the list are written", "under the name of its query"]) {
    for (const button of ["Save…", "Export…"]) {
      await page.click(`button:has-text("${button}")`);
      await page.waitForSelector(`dialog .told:has-text("${words}")`);
      if (button === "Save…") assert.equal(await page.inputValue('dialog input[maxlength="60"]'), "Mates of the list");
      await page.keyboard.press("Escape");
      await page.waitForSelector("dialog", { state: "detached" });
    }
  }
  await page.click('button:has-text("Export…")');
  await page.check('dialog input[value="fen"]');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  assert.equal(download.suggestedFilename(), "Mates of the list.fen");
  // A link has the list, and the text besides.
  await page.click('.top button:has-text("Link")');
  await page.waitForSelector('.toast:has-text("the list, the text that has changed since the search,")');
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const other = await page.context().newPage();
  await other.goto(link);
  await other.waitForSelector(`.status[data-state="done"]:has-text("${found}")`);
  await isWritten(other, draft);
  await other.click('button:has-text("Save…")');
  assert.equal(await other.inputValue('dialog input[maxlength="60"]'), "Mates of the list");
  await other.close();
});

it("a reload keeps the list and its narrowing when its text has changed", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  await page.fill('[aria-label="search within the games"]', "morphy");
  const list = await page.textContent(".status b");
  await page.waitForFunction(() => history.state?.view?.words === "morphy");
  await write(page, "cql() stalemate");
  await kept(page);
  await page.reload();
  await page.waitForSelector(`.status[data-state="done"] b:text-is("${list}")`);
  assert.equal(await page.inputValue('[aria-label="search within the games"]'), "morphy");
  await isWritten(page, "cql() stalemate");
  await page.waitForSelector('.sum:has-text("The query has changed")');
});

it("names from right to left turn nothing around", async () => {
  const file = join(studio.folder, "turned.pgn");
  const game = (white, black) => `[Event "כנס"]\n[White "${white}"]\n[Black "${black}"]\n[WhiteElo "2500"]\n[BlackElo "2600"]\n[Date "1960.01.02"]\n[ECO "C20"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n\n`;
  writeFileSync(file, game("טל, מיכאיל", "بوتفينيك") + game("A\u202etrawets\u2069", "Black"));
  const turned = await own(file);
  const page = await open(turned);
  await find(page, "cql() true");
  /** Returns the texts of an element as they stand from left to right. */
  const seen = (selector) => page.locator(selector).first().evaluate((element) => {
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      for (const word of node.data.matchAll(/[^\s·\u2068\u2069]+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        found.push([range.getBoundingClientRect().left, word[0]]);
      }
    }
    return found.sort(([a], [b]) => a - b).map(([, word]) => word).join(" ");
  });
  assert.equal(await seen(".row-game .players"), "מיכאיל טל, 2500 – بوتفينيك 2600");
  assert.equal(await seen(".row-game .about"), "1960.01.02 כנס C20");
  await page.waitForSelector(".game-head h2:has-text('2500')");
  assert.equal(await seen(".game-head h2 .cut"), "מיכאיל טל, 2500 – بوتفينيك 2600");
  assert.match(await seen(".game-head .about"), /^כנס 1960\.01\.02 C20 game 1/);
  await page.click("#row-1");
  await page.waitForSelector(".game-head h2:has-text('Black')");
  assert.match(await seen(".game-head h2 .cut"), /^A\u202etrawets 2500 – Black 2600$/);
});

it("a list of the query before the last change says so while the query is written", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  const told = page.locator('.status:has-text("This list is of the query before the last change")');
  assert.equal(await told.count(), 0);
  await write(page, "cql() stalemate");
  await told.waitFor();
  // It is that of the list again.
  await write(page, "cql() mate");
  await told.waitFor({ state: "detached" });
  // Below another query it says so, also below one that is not written yet, and after a reload.
  const other = page.locator('.status:has-text("This list is of another query, mate")');
  await page.click('button[title="New query"]');
  await page.waitForSelector('.sum:has-text("An empty query")');
  await other.waitFor();
  await kept(page);
  await page.reload();
  await other.waitFor();
  for (const button of ["Save…", "Export…"]) {
    await page.click(`button:text-is("${button}")`);
    // Another tab may have the name already, so that a number follows.
    await page.waitForSelector('dialog .told:has-text("under the name of its query (mate")');
    await page.click('dialog button:has-text("Cancel")');
  }
  await write(page, "cql() check");
  await other.waitFor();
});

it("the mask searches after a change that came during a search which the browser showed late, or marks the list", async () => {
  const page = await open(studio, {}, "mask");
  const told = page.locator('.status:has-text("This list is of the query before the last change")');
  await page.click('button[aria-label="Clear the whole query"]');
  await changeNextSearch(page, 3000);
  await page.getByRole("textbox", { name: "opening" }).fill("sicilian");
  await page.waitForFunction(() => performance.now() - window.began > 1000);
  await page.getByRole("button", { name: "0–1" }).click();
  await isWritten(page, 'cql()opening "Sicilian"result 0-1');
  await page.waitForSelector('.status[data-state="done"]');
  const counted = execFileSync(program, ["--count", "-i", studio.games, "-cql", 'opening "Sicilian" result 0-1'], { stdio: ["ignore", "pipe", "ignore"] }).toString();
  const games = Number(counted.split("\n")[1].trim().split(/\s+/)[0]);
  await page.waitForFunction((games) => document.querySelector(".status b")?.textContent.replace(",", "") === String(games), games);
  await page.waitForSelector('.sum:has-text("Updated as you change it")');
  assert.equal(await told.count(), 0);
  // Nothing searches after a change of the text.
  await page.click('.text-head button:text-is("Edit")');
  await write(page, "cql() check");
  await told.waitFor();
});

it("an error stays in sight while the help of a call is", async () => {
  const page = await open(studio);
  await write(page, 'cql() settag("White" "x")');
  await page.click(".cm-content");
  await page.keyboard.press("End");
  await page.waitForSelector(".strip.error .message");
  // Into the call, and out of it.
  await page.keyboard.press("ArrowLeft");
  await page.waitForSelector(".strip.error .signature");
  assert.equal(await page.locator(".strip.error .message:visible").count(), 1);
  await page.keyboard.press("End");
  await page.waitForSelector(".strip .signature", { state: "detached" });
  // The next page begins with the query that is stored.
  await write(page, "cql() mate");
  await kept(page);
});

it("the sentence about a word is in sight beside the list of completions, or below it", async () => {
  for (const [options, isBelow] of [[{}, false], [{ viewport: { width: 360, height: 740 } }, true]]) {
    const page = await open(studio, options);
    await write(page, "cql() check mate");
    await page.keyboard.press("Control+ ");
    const info = page.locator(".cm-completionInfo");
    await info.waitFor();
    const isSeen = await info.evaluate((one) => {
      const { left, top, width, height } = one.getBoundingClientRect();
      return one.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    });
    assert.ok(isSeen);
    const list = await page.locator(".cm-tooltip-autocomplete ul").boundingBox();
    const { x, y } = await info.boundingBox();
    assert.ok(isBelow ? y >= list.y + list.height : x >= list.x + list.width, JSON.stringify({ isBelow, x, y, list }));
  }
});

it("a bracket is closed by a click", async () => {
  const page = await open(studio);
  await write(page, "cql() {(check");
  await page.click('.strip .fix:has-text("Write )}")');
  await page.waitForSelector('.strip:has-text("No errors")');
  assert.equal(await page.locator(".cm-content").innerText(), "cql() {(check)}");
});

it("an export says its order if the list has another one, and writes the groups", async () => {
  const page = await open(studio);
  await find(page, "cql() mate sort \"pieces\" power A");
  const order = page.locator('dialog .told:has-text("not in that of the list")');
  const tells = async (button, words) => {
    await page.click(`button:has-text("${button}")`);
    await page.waitForSelector("dialog");
    assert.deepEqual(await order.allTextContents(), words, button);
    await page.keyboard.press("Escape");
  };
  await tells("Export…", []);
  await page.selectOption('[aria-label="sort by"]', { label: "White" });
  for (const button of ["Export…", "Save…"]) await tells(button, ["The games are written in the order of the query, not in that of the list."]);
  await find(page, "cql() mate");
  await tells("Export…", ["The games are written in the order of the files, not in that of the list."]);
  await page.selectOption('[aria-label="sort by"]', { label: "File order" });
  await tells("Export…", []);

  await page.selectOption('[aria-label="group by"]', { label: "White" });
  const n = await page.locator(".chart tbody tr").count();
  await page.click('button:has-text("Export…")');
  await page.check('dialog input[value="groups"]');
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("dialog button.main")]);
  assert.match(download.suggestedFilename(), /, White\.csv$/);
  const file = join(studio.folder, "groups.csv");
  await download.saveAs(file);
  const lines = readFileSync(file, "utf8").trim().split("\r\n");
  assert.equal(lines[0], "White,games,white wins,draws,black wins,white's score,95 % from,95 % to");
  assert.equal(lines.length, n + 1);
  assert.match(lines.join("\n"), /^"Morphy, Paul",\d+,\d+,\d+,\d+,\d\.\d{3},/m);
  assert.equal(await page.locator("dialog").count(), 0);
});

it("games are searched within games, step by step", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  const field = page.locator('[aria-label="search within the games"]');
  // The field looks where its title says.
  const places = ["names", "events", "dates", "openings", "comments of the query"];
  for (const place of places) assert.ok((await field.getAttribute("title")).includes(place), place);
  await field.fill("opera game");
  await page.waitForSelector('.row-game .about:has-text("The Opera Game")');
  assert.equal(await page.locator('.row-game .about:not(:has-text("The Opera Game"))').count(), 0);
  await field.fill("nobody is called so");
  await page.waitForSelector('.empty:has-text("None of the games found")');
  await field.fill("morphy");
  await page.waitForSelector(".row-game");
  await field.press("Enter");
  await field.fill("1858");
  await field.press("Enter");
  assert.match(await page.textContent(".status"), /of 10,000 games, from 2,750 found/);
  assert.equal(await page.locator(".shaped > .chips .chip").count(), 2);
  assert.match(await page.locator(".shaped").innerText(), /^\s*Within\s+“morphy”/);
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
  await page.click('.games-head button:has-text("Conditions…")');
  await page.waitForSelector(`dialog tr:has-text("the listed games"):has-text("${n}")`);
  await page.keyboard.press("Escape");
  await page.click('[data-tab="tree"]');
  await page.waitForSelector(".tree-games button");
  const only = page.locator('.tree-games button:has-text("Only those")');
  if ((await only.count()) > 0) await only.click();
  await page.waitForSelector(`.tree-games:has-text("${n} games listed")`);
  await field.fill("no such game");
  await page.waitForSelector('.tree :text("There is no game to count")');
  await field.fill("");
  await page.click('.chip:has-text("morphy")');
  assert.equal(await page.locator(".shaped > .chips .chip").count(), 1);
  assert.match(await page.textContent(".status"), /of 10,000 games, from 2,750 found/);
  await page.click('.chip:has-text("1858")');
  assert.equal(await page.locator(".shaped > .chips .chip").count(), 0);
  assert.match(await page.textContent(".status"), /^2,750 of 10,000 games/);
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
});

it("reports are made, looked at and saved", async () => {
  const page = await open(studio, {}, "mask");
  page.permits = /40[04]/;
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
  // The mask has no color: Enter leads to the buttons that name both, and makes no report of one of them.
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  await page.press('dialog input[list="players"]', "Enter");
  assert.equal(await focused(), "Report as White");
  await page.keyboard.press("Tab");
  assert.equal(await focused(), "Report as Black");
  assert.equal(await page.locator("dialog .made > *").count(), 0);
  await page.keyboard.press("Enter");
  const isOf = (color) => page.frameLocator(".page-of-report").locator(`h1:has-text("Morphy"):has-text("${color}")`).first().waitFor({ timeout: 120_000 });
  await isOf("Black");
  await page.waitForSelector('dialog .save button:has-text("page")');
  await page.click('dialog button:has-text("Report as White")');
  await isOf("White");
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
});

it("a sheet of a theme begins before it, and a preparation takes the codes of the mask", async () => {
  const file = join(studio.folder, "themes.pgn");
  writeFileSync(file, '[White "Fork"]\n[FEN "q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1"]\n\n1... h1=N 2. Nc7+ Kd7 3. Nxa8 *\n\n[White "Rook"]\n\n1. e4 c5 2. Nf3 d6 *\n\n[White "Rook"]\n\n1. d4 d5 2. c4 e6 *\n');
  const page = await open(await own(file), {}, "mask");
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
  await page.selectOption("dialog select", { index: 0 });
  await page.click('dialog button:has-text("Report as White")');
  await page.waitForSelector('dialog .made :text-is("Report of 1 game")');
  assert.match(await page.frameLocator(".page-of-report").locator("body").textContent(), /B20–B99/);
  await page.keyboard.press("Escape");
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
});

it("the loss of one of several files is told, and the others are searched", async () => {
  const files = ["here.pgn", "gone.pgn"].map((name) => join(studio.folder, name));
  for (const file of files) writeFileSync(file, historic);
  const page = await open(await own(files));
  assert.match(await find(page, "cql() mate"), /of 80 games/);
  rmSync(files[1]);
  assert.match(await find(page, "cql() check"), /^gone\.pgn.*of 40 games/);
  await page.waitForSelector('.status:has-text("gone.pgn is no longer there: this list is without its games.")');
  assert.doesNotMatch(await page.textContent(".status"), /os error/, "the file is named once");
  await page.click('.status button:has-text("note")');
  await page.waitForSelector('dialog li:has-text("gone.pgn")');
});

it("a game that cannot be shown leaves no other on the board", async () => {
  const file = join(studio.folder, "few.pgn");
  writeFileSync(file, historic);
  const page = await open(await own(file));
  page.permits = /404/;
  await find(page, "cql() mate");
  await page.waitForSelector(".moves [aria-current].match");
  writeFileSync(file, historic.slice(0, 300));
  await page.click(".row-game >> nth=3");
  await page.waitForSelector('.game-head h2:text-is("The game cannot be shown")');
});

it("a browser that stores nothing returns to its last search", async () => {
  const page = await open(studio);
  page.permits = /507/;
  await page.route("**/api/workspace", (route) => (route.request().method() === "PUT" ? route.fulfill({ status: 507, contentType: "application/json", body: '{"error":"no space left"}' }) : route.continue()));
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("full", "QuotaExceededError");
    };
  });
  await page.reload();
  await page.waitForSelector(".cm-content");
  await page.click('[data-tab="query"]');
  await find(page, 'cql() player "Anderssen" // kept');
  const before = await page.textContent(".status b");
  await page.waitForFunction(() => history.state?.query.includes("// kept"));
  await page.reload();
  await page.waitForSelector('.toast.error:has-text("last search")');
  await page.waitForSelector(`.status b:text-is("${before}")`);
  assert.equal(await text(page), 'cql() player "Anderssen" // kept');
});

it("results become a collection of the games as they are", async () => {
  const page = await open(studio);
  page.permits = /40[04]/;
  await find(page, 'cql()\nplayer "Morphy"\nyear <= 1858\nmate comment("here")');
  await page.waitForSelector(".moves .note");
  for (const [hasComments, name] of [[false, "Morphy, to 1858"], [true, "Annotated"]]) {
    await find(page, 'cql()\nplayer "Morphy"\nyear <= 1858\nmate comment("here")');
    await page.click('button:has-text("Save…")');
    assert.equal(await page.inputValue("dialog input >> nth=0"), "Morphy, to 1858");
    await page.fill("dialog input >> nth=0", name);
    if (hasComments) await page.check('dialog label:has-text("comments of the query") input');
    await page.click("dialog button.main");
    await page.waitForSelector(`.library summary:has-text("${name}.pgn, saved results")`);
    await page.waitForSelector('.status[data-state="done"]');
    await find(page, "cql() mate");
    await page.waitForSelector(".moves [aria-current].match");
    assert.equal((await page.locator(".moves").textContent()).includes("here"), hasComments);
    await page.click(".library summary");
    await removeSaved(page, `${name}.pgn`);
    await page.check(".library li input");
    await page.click(".library summary");
  }
  await kept(page);
});

it("a copied position is pasted on the board", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  page.permits = /400/;
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
  // The text of a query has only the squares.
  await paste("8/8/8/4k3/8/8/8/Q3K3");
  await page.waitForFunction(() => /Qa1/.test(document.querySelector(".cm-content").textContent));
  await paste("no position");
  await page.waitForSelector('.toast.error:has-text("no position in FEN")');
  // What is wrong with a position is said under the board, until another one is drawn there.
  const wrong = "8/8/pp3pppp/4k3/8/8/8/R3K3 w - - 0 1";
  await paste(wrong);
  const told = page.locator('.one-game p.problem:visible');
  await page.waitForSelector('.one-game p.problem:has-text("rank 6 has 9 squares, not 8. The board stays as it was.")');
  assert.match(await label(), /Qa1/);
  await paste("8/8/8/4k3/8/8/8/R3K3");
  await page.waitForFunction(() => /Ra1/.test(document.querySelector(".cm-content").textContent));
  assert.equal(await told.textContent(), "");
  // The same with a game on the board.
  await page.click('button:has-text("Back to the game")');
  await paste(wrong);
  await page.waitForSelector('.one-game p.problem:visible:has-text("rank 6 has 9 squares, not 8")');
  await page.keyboard.press("Home");
  await page.waitForFunction(() => ![...document.querySelectorAll(".one-game p.problem")].some((one) => one.offsetParent && one.textContent));
});

it("the color of the player is cleared with all else", async () => {
  const page = await open(studio, {}, "mask");
  await page.selectOption('[aria-label="color of the player"]', "black");
  await page.click('.text-head button:has-text("Clear")');
  assert.equal(await page.inputValue('[aria-label="color of the player"]'), "player");
});

it("nothing moves when a move is tried and taken back", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy" mate');
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
});

it("an engine shows its lines, and its end is told", async () => {
  const file = join(studio.folder, "rights.pgn");
  const rights = '[White "Rights"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w Kq - 0 1"]\n\n1. Rh8+ Ke7 *\n';
  writeFileSync(file, historic + rights);
  const page = await open(await own(file, true));
  page.permits = /400/;
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
  // Castling rights that the pieces do not allow are left out, and told.
  await set("4k3/8/8/8/8/8/8/4K2R w KQkq - 0 1");
  const isTold = (rights) => page.waitForSelector(`.problem:has-text("do not allow the castling rights ${rights}: an engine is asked without them")`);
  await isTold("Qkq");
  await page.waitForSelector('.engine li:has-text("Rh8+")');
  await set("kk6/8/8/8/8/8/8/K7 w - - 0 1");
  await page.waitForSelector('.engine [role="alert"]:has-text("more than one black king")');
  // Those of a game are told at each of its positions.
  await find(page, 'cql() player "Rights" initial');
  await isTold("q");
  await page.keyboard.press("Escape");
  await page.click('.moves a:has-text("Rh8+")');
  await isTold("q");
  await page.click('.moves a:has-text("Ke7")');
  await page.waitForSelector('.problem:has-text("castling")', { state: "hidden" });
});

it("games that change are told, and what is asked about them is refused", async () => {
  const other = await own();
  const page = await open(other);
  await find(page, "cql() mate");
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
  await changeNextSearch(page);
  await page.click('.status button:has-text("Search again")');
  await page.waitForSelector('.status:has-text("The connection broke")');
  await page.click("button.search");
  await page.waitForSelector('.status:has-text("of 80 games")');
  await page.waitForTimeout(800);
  assert.equal(await page.locator(".shaped > .chips .chip").count(), 0);
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
    await treeHas(page, `.tree > .told:last-child:text-is("${n * 40} games")`);
  }
});

it("a search that a sleep interrupts begins anew", async () => {
  const page = await open(studio, {}, "query");
  await write(page, "cql() mate");
  await changeNextSearch(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("The connection broke")');
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")', { timeout: 60_000 });
  // It does not, if it is stopped before.
  await changeNextSearch(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("The connection broke")');
  await page.keyboard.press("Escape");
  await page.waitForSelector('.status:has-text("stopped")');
  assert.equal(await page.locator(".search.running").count(), 0);
});

it("a full storage and a link of a newer version are told, once", async () => {
  const page = await open(studio);
  page.permits = /507/;
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
    const text = JSON.stringify({ query: "cql() check", name: "New", lens: 1, version: 3, view: { way: "sound", isSearched: false, zoom: 2 } });
    const packed = new Uint8Array(await new Response(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  });
  await page.goto("about:blank");
  await page.goto(`${new URL(studio.link).origin}/#q=${link}`);
  await page.waitForSelector('.toast:has-text("newer version: lens, version, zoom, way sound")');
  await page.click('[data-tab="query"]');
  assert.equal(await text(page), "cql() check");
});

it("a sorted game opens at the position that put it first", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy" sort "men" #[Aa]');
  await page.waitForSelector(".moves [aria-current].match");
  const value = Number(await page.textContent(".row-game .cells b"));
  // All positions match; only those with this value are marked.
  assert.ok((await page.locator(".moves .match").count()) < (await page.locator(".moves a").count()));
  await page.click('[data-tab="conditions"]');
  await page.waitForSelector(`.conditions li:has-text("sort") .value:text-is("${value}")`);
  // A long condition leaves its value room.
  await find(page, 'cql() player "Morphy" sort "likeness" likeness("rnb1kb1r/p4ppp/2p5/1p2p3/4n3/1QN5/PPP2PPP/R1B1K2R")');
  await page.waitForSelector('.conditions li:has-text("likeness") .value:not(:empty)');
  assert.ok(await page.locator('.conditions li:has-text("likeness") .value').evaluate((told) => told.scrollWidth <= told.clientWidth));
});

it("a column has the value of the position at which a sorted game opens", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy" sort min "men" #[Aa]');
  await page.click('button:has-text("Column…")');
  await page.fill('dialog input[aria-label="expression"]', "#[Aa] + 100");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.row-game .cells:has-text("#[Aa] + 100")');
  // Until the end of the search, rows change.
  await page.waitForSelector('.status[data-state="done"]');
  const rows = await page.locator(".row-game .cells").evaluateAll((all) => all.map((cells) => [...cells.querySelectorAll("b")].map((value) => Number(value.textContent))));
  assert.ok(rows.length > 0);
  for (const [men, more] of rows) assert.equal(more, men + 100);
  await page.click(".values .chip");
  await page.waitForSelector(".values", { state: "hidden" });
});

it("a file is dropped, and what is broken is said", async () => {
  const page = await open(studio);
  page.permits = /40[04]/;
  const file = join(studio.folder, "dropped.pgn");
  writeFileSync(file, '[White "Dropped"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n');
  await page.setInputFiles('input[type="file"]', file);
  await page.waitForSelector('.library summary:has-text("2 of 2")');
  assert.match(await find(page, "cql() player \"Dropped\" mate"), /^1 of 10,001 games/);
  await page.click(".library summary");
  await page.click('button[aria-label="Remove dropped.pgn"]');
  await page.waitForSelector('.library summary:has-text("games.pgn")');
  await page.click(".library summary");
  await page.setInputFiles('input[type="file"]', { name: "nothing.pgn", mimeType: "text/plain", buffer: Buffer.alloc(10_000) });
  await page.waitForSelector('.toast:has-text("nothing.pgn was not added")');
  // The open game is no longer in the list, and other games are found as before.
  assert.match(await find(page, "cql() mate"), /^2,750 of 10,000 games/);
  // A question about the open game can be on its way when its file is removed.
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
  await find(page, 'cql() theme("fork")');
  await page.click('.status button:has-text("Store them")');
  assert.ok(await page.isChecked('dialog input[type="checkbox"]'));
  await page.click('dialog button:has-text("Bring up to date")');
  await page.waitForSelector('dialog :text("games.cqa has 10,000 games")', { timeout: 120_000 });
  await page.click('dialog button:has-text("Close")');
  await search(page);
  assert.equal(await page.locator('.status button:has-text("Store them")').count(), 0);
});

it("an archive that is older than its games is brought up to date from the count", async () => {
  const file = join(studio.folder, "older.pgn");
  writeFileSync(file, historic);
  const page = await open(await own(file));
  await page.click(".library summary");
  await page.click('button[aria-label="Build an archive of older.pgn"]');
  await page.click('dialog button:has-text("Build")');
  await page.waitForSelector('dialog :text("older.cqa has 40 games")');
  await page.click('dialog button:has-text("Close")');
  writeFileSync(file, historic.repeat(2));
  assert.match(await find(page, "cql() mate"), /^22 of 80 games/);
  // No game is missing, so it is no error.
  await page.waitForSelector('.status small:has-text("older.cqa was not used: its games have changed")');
  assert.equal(await page.locator(".status .error").count(), 0);
  await page.click('.status button:has-text("Update the archive")');
  await page.click('dialog button:has-text("Bring up to date")');
  await page.waitForSelector('dialog :text("older.cqa has 80 games")');
  await page.click('dialog button:has-text("Close")');
  await page.waitForSelector('.status:has-text("was not used")', { state: "detached" });
  await page.waitForSelector('.status:has-text("22 of 80 games")');
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

it("each of two windows has its own tabs, and the list of collections is that of both", async () => {
  const first = await open(studio);
  const second = await first.context().newPage();
  await second.goto(new URL(studio.link).origin);
  await second.waitForSelector(".cm-content", { state: "attached" });
  await second.click('[data-tab="query"]');
  const tabs = (page) => page.locator(".tabs .name").allTextContents();
  await write(first, "cql() mate // 0");
  await kept(first);
  await write(second, "cql() check // 0");
  await kept(second);
  const before = [await tabs(first), await tabs(second)];
  for (let n = 1; n < 4; n++) {
    await write(first, `cql() mate // ${n}`);
    await kept(first);
    await write(second, `cql() check // ${n}`);
    await kept(second);
  }
  assert.deepEqual([await tabs(first), await tabs(second)], before);
  assert.deepEqual([await text(first), await text(second)], ["cql() mate // 3", "cql() check // 3"]);

  await search(first);
  await search(second);
  await first.bringToFront();
  await first.click('button:has-text("Save…")');
  await first.fill('dialog input[maxlength="60"]', "Of the first");
  await first.keyboard.press("Enter");
  await first.waitForSelector('.status:has-text("2,750 of 2,750 games")');
  await second.bringToFront();
  await second.click(".library summary");
  await second.waitForSelector('.library li:has-text("Of the first.pgn")');
  assert.equal(await second.isChecked('.library li:has-text("Of the first.pgn") input'), false);
  // The list shows sizes as they are.
  const size = () => second.textContent('.library li:has-text("games.pgn") small');
  const games = readFileSync(studio.games);
  const earlier = await size();
  await second.click(".library summary");
  try {
    writeFileSync(studio.games, games.subarray(0, games.length / 2));
    await second.click(".library summary");
    await second.waitForFunction((earlier) => document.querySelector(".library li small").textContent !== earlier, earlier);
  } finally {
    writeFileSync(studio.games, games);
  }
  await removeSaved(second, "Of the first.pgn");
  await second.waitForSelector('.library li:has-text("Of the first.pgn")', { state: "detached" });
  await first.bringToFront();
  await first.click(".library summary");
  await first.waitForSelector('.library li:has-text("Of the first.pgn")', { state: "detached" });
  await first.check('.library li:has-text("games.pgn") input');
});

it("a link holds the query", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "cql() stalemate // ♔ ü");
  const link = await linkOf(page);
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
});

/** Presses a key until what has the focus begins with a name. */
async function pressUntil(page, key, name) {
  for (let i = 0; i < 40; i++) {
    const found = await page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent);
    if (found.startsWith(name)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${name} is not reached`);
}

it("a position is drawn by keyboard alone, and each square and each step is told", async () => {
  const page = await open(studio);
  await write(page, "cql()");
  const { keyboard } = page;
  const press = async (...keys) => {
    for (const key of keys) await keyboard.press(key);
  };
  /** What a screen reader says of the square that the keyboard is at. */
  const here = () => page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).getAttribute("aria-label"));
  // The count of a search that the page begins may come at any time.
  await page.evaluate(() => {
    const speaker = document.querySelector(".unseen[aria-live]");
    new MutationObserver(() => {
      if (!/games match$/.test(speaker.textContent)) window.lastSaid = speaker.textContent;
    }).observe(speaker, { childList: true, characterData: true, subtree: true });
  });
  const said = () => page.evaluate(() => window.lastSaid);
  await page.focus('[data-tab="query"]');
  await press("ArrowLeft");
  await pressUntil(page, "Tab", "white queen");
  await pressUntil(page, "ArrowRight", "Any of");
  await press("Enter");
  await pressUntil(page, "ArrowLeft", "white rook");
  // Up and down lead to the row below.
  for (const [key, name] of [["ArrowDown", "black rook"], ["ArrowUp", "white rook"], ["ArrowUp", "white rook"]]) {
    await press(key);
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), name);
  }
  await press("Enter", "F6");
  // One of two pieces on a square, and one piece in a region.
  assert.equal(await here(), "e4, nothing drawn");
  await press("Enter");
  assert.equal(await here(), "e4, any of: white queen, white rook");
  assert.equal(await said(), "e4, any of: white queen, white rook");
  await press("ArrowUp", "ArrowUp", "ArrowUp", "ArrowUp", "Shift+ArrowRight", "Shift+ArrowRight");
  assert.equal(await here(), "g8, nothing drawn; selected");
  await press("k");
  assert.equal(await here(), "g8, black king, in the region e-g8");
  assert.equal(await said(), "black king, in the region e-g8", "the squares are told once");
  // A stroke goes diagonally, too, and is given up.
  await press("Shift+End", "Escape");
  assert.equal(await here(), "f7, nothing drawn");
  // An attack.
  await press("Shift+F6");
  await pressUntil(page, "Tab", "black king");
  await pressUntil(page, "ArrowRight", "Attacks");
  await press("Enter", "F6", "ArrowLeft", "ArrowDown", "ArrowDown", "ArrowDown", "Enter");
  assert.equal(await said(), "e4, any of: white queen, white rook; an arrow begins here");
  await press("ArrowUp", "ArrowUp", "ArrowUp", "PageUp", "Enter");
  assert.equal(await here(), "f8, black king, in the region e-g8; attacked from e4");
  assert.equal(await text(page), "cql()\n[QR]e4\nke-g8\n[QR]e4 -> ke-g8");
  await press("ControlOrMeta+z");
  assert.equal(await here(), "f8, black king, in the region e-g8");
  assert.match(await said(), /taken back: \[QR\]e4, ke-g8$/);
  await press("Delete");
  assert.equal(await said(), "f8, nothing drawn");
  // Nothing is erased, so there is no step to take back.
  await press("Delete", "ControlOrMeta+z");
  assert.equal(await here(), "f8, black king, in the region e-g8");
  await press("Delete");
  assert.equal(await text(page), "cql()\n[QR]e4\nk[e8,g8]");
  // All squares are there to be read, from a8; so are those of a game.
  await search(page);
  await page.waitForSelector(".moves [aria-current].match");
  await page.click('button:has-text("Back to the game")');
  await page.focus(".board-frame");
  await press("Home", "Enter");
  assert.equal(await here(), "e1, white king");
  await press("ArrowUp");
  assert.equal(await here(), "e2, white pawn");
  const names = await page.locator('.board-frame [role="gridcell"]').evaluateAll((cells) => cells.map((cell) => cell.getAttribute("aria-label")));
  assert.deepEqual([names.length, names[0], names[63]], [64, "a8, black rook", "h1, white rook"]);
});

it("everything is done by keyboard", async () => {
  const page = await open(studio);
  await write(page, "cql()\nmate");
  const { keyboard } = page;
  const tabTo = (name) => pressUntil(page, "Tab", name);
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
});

it("nobody is let in without the token", async () => {
  const context = await studio.browser.newContext();
  const page = await context.newPage();
  await page.goto(new URL(studio.link).origin);
  assert.match(await page.textContent('[role="alert"]'), /printed in the terminal/);
  // Only the part after # changes: the page is not loaded anew by the browser.
  await page.evaluate((link) => (location.href = link), studio.link);
  await page.waitForSelector(".cm-content");
});

it("a link that waits for the token opens when the printed address is opened in its tab", async () => {
  const page = await open(studio, { permissions: ["clipboard-read", "clipboard-write"] });
  await write(page, "cql() stalemate // waits");
  const link = await linkOf(page);
  await page.evaluate(() => localStorage.clear());
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector('.lonely:has-text("The link then opens here")');
  // The heading stands above the text.
  const gap = await page.evaluate(() => {
    const box = (selector) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(selector));
      return range.getBoundingClientRect();
    };
    return box(".lonely p").top - box(".lonely h1").bottom;
  });
  assert.ok(gap >= 0, String(gap));
  await page.goto(studio.link);
  await isWritten(page, "cql() stalemate // waits");
  // It was opened once.
  await write(page, "cql() mate // later");
  await kept(page);
  await page.goto("about:blank");
  await page.goto(studio.link);
  await isWritten(page, "cql() mate // later");
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
  const other = await own();
  const page = await open(other);
  page.permits = /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE/;
  await write(page, "cql() check // kept");
  other.child.kill("SIGINT");
  await new Promise((resolve) => (other.child.exitCode === null ? other.child.on("exit", resolve) : resolve()));
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("does not answer")');
  assert.match(await page.locator(".cm-content").innerText(), /kept/);
});

for (const [width, height, side] of [[360, 740, 344], [768, 1024, 400], [1280, 720, 384], [1440, 900, 504]]) {
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
    // The page would search both after a moment, and open a game of those that are removed.
    await removeSaved(page, `Kings ${width}.pgn`);
    await page.check('.library li:has-text("games.pgn") input');
    await page.waitForSelector('.library summary:has-text("games.pgn")');
    await page.keyboard.press("Escape");
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, "nothing sticks out");
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
    await page.click('button[aria-label="New query"]');
    await check("two tabs");
    await page.fill('[role="combobox"]', "pawn");
    await page.waitForSelector('.idea');
    await check("ideas");
    await find(page, "cql() mate sort \"men\" #[Aa]");
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
    await page.click(".reports summary");
    await page.click('.reports button:has-text("Statistics")');
    await page.waitForSelector("dialog .large");
    await check("statistics");
    await page.keyboard.press("Escape");
    if (!isNarrow) {
      await page.click('[data-tab="query"]');
      await page.click('button:has-text("From passage")');
      await page.waitForSelector("dialog .drawn:not(:empty)");
      await check("a passage");
      await page.keyboard.press("Escape");
    }
    if (isNarrow) await page.click('.part-bar [data-part="query"]');
    await write(page, "// A comment\ncql() mate\n");
    await page.click('[data-tab="mask"]');
    await page.focus(".cm-content");
    await page.keyboard.press("ControlOrMeta+Home");
    await check("a comment");
    if (isNarrow) await page.click('.part-bar [data-part="games"]');
    await page.click('button:has-text("Export…")');
    await check("export");
    await page.keyboard.press("Escape");
    await save(page, `Axe ${name}`);
    await page.click(".library summary");
    await page.click(`button[aria-label="Remove Axe ${name}.pgn"]`);
    await check("a question");
    await page.click('.library .question button:has-text("Delete")');
    await page.check('.library li:has-text("games.pgn") input');
    await page.keyboard.press("Escape");
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
  await page.getByRole("checkbox", { name: "Fork" }).check();
  assert.match(await text(), /theme/);
  assert.equal(await years.inputValue(), "99999");
  assert.match(await page.textContent(".mask"), /99999 is no number/);
  await page.getByRole("checkbox", { name: "Fork" }).uncheck();
  await years.fill("1850");
  assert.equal(await years.getAttribute("aria-invalid"), "false");
  assert.match(await text(), /year >= 1850/);
  await years.fill("");
  await page.getByLabel("opening", { exact: true }).fill('a"b');
  await page.waitForSelector('.mask .wrong:has-text("No opening is called")');
  await page.getByLabel("opening", { exact: true }).fill("");
  await page.getByLabel("player", { exact: true }).fill('Mor"phy');
  await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes('("Mor\\" + \\" + "phy") in player'));
  await page.waitForSelector('.strip:has-text("No errors")', { state: "attached" });
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
  await find(page, "cql() mate");
  await page.waitForSelector(".moves [aria-current].match");
  assert.match(await find(page, 'cql() player "Nobody"'), /^0 of 10,000 games/);
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
});

it("each window returns to its own search, and a list of other games is marked", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  await kept(page);
  // The first window stores its query again in the tab that both have.
  const other = await page.context().newPage();
  await other.goto(studio.link);
  await other.waitForSelector(".cm-content", { state: "attached" });
  await other.click('[data-tab="query"]');
  await find(other, 'cql() player "Morphy"');
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
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")');
  // Another choice of collections.
  await page.setInputFiles('input[type="file"]', { name: "new.pgn", mimeType: "text/plain", buffer: Buffer.from('[White "New"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n') });
  await page.waitForSelector('.status:has-text("The list is of other collections")');
  await page.click('.status button:has-text("Search again")');
  await page.waitForSelector('.status:has-text("2,751 of 10,001")');
  await page.click(".library summary");
  await page.uncheck('.library li:has-text("new.pgn") input');
  await page.waitForSelector('.status:has-text("The list is of other collections")');
  await page.click('button[aria-label="Remove new.pgn"]');
});

it("reports say what they need and what they leave out", async () => {
  const file = join(studio.folder, "few.pgn");
  writeFileSync(file, historic);
  const page = await open(await own(file));
  const menu = async (name) => {
    await page.click(".reports summary");
    await page.click(`.reports button:has-text("${name}")`);
  };
  assert.match(await find(page, "cql() mate"), /^11 of 40 games/);
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
  await page.locator('dialog label:has-text("Positions") select').selectOption({ label: "All positions of all selected games" });
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
  await find(page, "cql() check");
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
  await find(page, 'cql() player "Morphy"\nwtm');
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
});

it("positions like this one are also found with colors exchanged", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy"\nmate');
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
    return values.includes(document.querySelector(".game-head .fact b").textContent);
  });
});

it("a column is checked, searched and shown at once", async () => {
  const page = await open(studio);
  await find(page, "mate");
  await page.click('button:has-text("Column…")');
  await page.fill('dialog input[aria-label="expression"]', "pwer A");
  await page.click('dialog button:has-text("Add")');
  await page.waitForSelector('dialog .error code:text-is("pwer")');
  await page.click("dialog .fix");
  assert.equal(await page.inputValue('dialog input[aria-label="expression"]'), "power A");
  await page.keyboard.press("Enter");
  await page.waitForSelector("dialog", { state: "detached" });
  await page.waitForSelector('.row-game .cells small:text-is("power A")');
  // The chip moves when the search ends and its count needs more room.
  await page.waitForSelector('.status[data-state="done"]');
  // So is its removal.
  await page.click(".values .chip");
  await page.waitForFunction(() => document.querySelector(".row-game")?.textContent.includes("power A") === false);
  // A column of a link may be wrong: the error shows it as code.
  await page.evaluate(() => {
    history.replaceState({ ...history.state, values: ["pwer A"] }, "");
    // The page stores its own state a moment after each change, until it is gone.
    history.replaceState = () => {};
  });
  await page.reload();
  await page.waitForSelector('.status .error code:text-is("pwer A")');
  assert.doesNotMatch(await page.textContent(".status"), /`/);
  assert.match(await page.getAttribute('.games-head button:has-text("Export…")', "title"), /^Search first/);
  await page.click(".values .chip");
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")');
  await kept(page);
});

it("columns are as wide as their values and leave most of the row to the players, also on a phone", async () => {
  for (const options of [{ viewport: { width: 1280, height: 720 } }, { ...PHONE, viewport: { width: 360, height: 740 } }]) {
    const isPhone = options.viewport.width === 360;
    const LONG = "power A - power a + power Q - power q + power R - power r";
    const page = await open(studio, options);
    await find(page, 'cql() mate sort "men on the board" #[Aa]');
    if (isPhone) await page.tap('.part-bar [data-part="games"]');
    for (const value of ["player white", "power A - power a", LONG]) {
      await page.click('button:has-text("Column…")');
      await page.fill('dialog input[aria-label="expression"]', value);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`.values .chip[title^="${value}. "]`);
      await page.waitForSelector(`.row-game:has-text("${value}")`);
      await page.waitForSelector('.status[data-state="done"]');
    }
    const state = await page.evaluate(() => ({
      cut: [...document.querySelectorAll(".list-head button > span, .cells > span")].filter((one) => one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 1).map((one) => one.textContent),
      titles: [...document.querySelectorAll(".list-head button")].map((one) => one.title),
      sides: [".list-head", ".row-game .cells"].map((one) => [...document.querySelector(one).children].map((cell) => Math.round(cell.getBoundingClientRect().right))),
      players: document.querySelector(".row-game .players").clientWidth / document.querySelector(".row-game").clientWidth,
      chips: [...document.querySelectorAll(".values .chip")].map((chip) => chip.scrollWidth - chip.clientWidth),
      sticksOut: document.documentElement.scrollWidth - innerWidth,
    }));
    assert.deepEqual(state.cut, []);
    assert.deepEqual(state.sides[0], state.sides[1], "headers stand above their values");
    assert.ok(state.players >= 0.6, `${state.players} of the row for the players`);
    assert.ok(Math.max(...state.chips) <= 1, "the words of a chip stay in it");
    assert.equal(state.sticksOut, 0);
    assert.deepEqual(state.titles, ["men on the board"]);
    for (const value of ["player white", "power A - power a"]) await page.waitForSelector(`.row-game .about:has-text("${value}")`);
    // A header sorts, and turns the order around.
    const first = () => page.locator(".row-game >> nth=0").locator(".cells b").first().textContent();
    const before = Number(await first());
    await page.click(".list-head button >> nth=0");
    await page.waitForFunction((before) => Number(document.querySelector('.row-game[aria-posinset="1"] .cells b')?.textContent ?? before) < before, before);
    for (const value of ["player white", "power A - power a", LONG]) {
      await page.click(`.values .chip:has-text("${value}")`);
      await page.waitForSelector('.status[data-state="done"]');
    }
    await kept(page);
  }
});

for (const width of [1440, 800]) {
  it(`the moves stay at the current one when another tab is opened, ${width} wide`, async () => {
    const page = await open(studio, { viewport: { width, height: 700 } });
    await find(page, 'cql() player "Lasker" movenumber >= 15');
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
  });
}

it("the focus returns to the menu from which a dialog was opened", async () => {
  const page = await open(studio);
  await find(page, "mate");
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
  const isOpen = (menu) => page.locator(`${menu}[open]`).count();
  for (const menu of [".reports", ".library"]) {
    await page.click(`${menu} summary`);
    await page.locator(`${menu} button:visible`).last().focus();
    await page.keyboard.press("Tab");
    assert.equal(await isOpen(menu), 0, "Tab closes the menu that it leaves");
    assert.equal(await page.locator(`${menu} :focus`).count(), 0);
    await page.click(`${menu} summary`);
    // As after a click in a browser that does not focus buttons.
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press("Escape");
    assert.equal(await isOpen(menu), 0);
    await isAt(menu);
    await page.click(`${menu} summary`);
    await page.click(".board-head h2");
    assert.equal(await isOpen(menu), 0);
    await isAt(menu);
  }
});

it("menus have arrow keys, Home, End and letters", async () => {
  const page = await open(studio);
  await find(page, "mate");
  const focused = () => page.evaluate(() => document.activeElement.getAttribute("aria-label") ?? document.activeElement.closest("label, button, summary").textContent);
  const begins = async (key, name) => {
    await page.keyboard.press(key);
    assert.ok((await focused()).startsWith(name), `${key} leads to ${await focused()}, not to ${name}`);
  };
  await page.focus(".reports summary");
  for (const [key, name] of [["ArrowDown", "Prepare"], ["ArrowDown", "Exercises"], ["End", "Check"], ["ArrowDown", "Prepare"], ["ArrowUp", "Check"], ["Home", "Prepare"], ["s", "Sheet"], ["s", "Statistics"], ["s", "Sheet"], ["f", "Sheet"], ["Escape", "Reports"]]) await begins(key, name);
  assert.equal(await page.locator("details.menu[open]").count(), 0);
  // The letters are not those of the board: f does not flip it.
  assert.equal(await page.locator('.board use[href="#names-w"]').count(), 1);
  await begins("ArrowUp", "Check");
  await page.keyboard.press("Enter");
  await page.waitForSelector('dialog[aria-label="Check the games"]');
  await page.keyboard.press("Escape");
  // In the list of collections, left and right lead through the buttons of a line.
  await page.focus(".library summary");
  await begins("ArrowDown", "games.pgn");
  await page.keyboard.press("ArrowRight");
  assert.match(await focused(), /(Contents|archive) of games\.pgn$/);
  await begins("ArrowLeft", "games.pgn");
  await begins("End", "Add files…");
  await page.keyboard.press("Escape");
  // So have the edits of a query.
  await write(page, "check & mate");
  await page.waitForSelector(".strip.error");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.press("ControlOrMeta+.");
  await page.waitForSelector("dialog .choices button");
  assert.ok((await page.locator("dialog .choices button").count()) > 1);
  const last = await page.locator("dialog .choices button").last().textContent();
  await page.keyboard.press("End");
  assert.equal(await focused(), last);
});

it("lists are one stop of Tab, with keys from entry to entry", async () => {
  // Few games, so that moves are counted at once.
  const few = join(studio.folder, "few.pgn");
  writeFileSync(few, historic);
  const page = await open(await own(few));
  await find(page, "cql() mate");
  await page.waitForSelector(".moves [aria-current].match");
  const stops = (list) => page.locator(`${list} :is(a, button, [tabindex]):not([tabindex="-1"]):visible`).count();
  const focused = () => page.evaluate(() => document.activeElement.textContent);
  // The move on the board is the stop; the keys of the game lead on, up and down also into variations.
  assert.equal(await stops(".moves"), 1);
  assert.ok((await page.locator(".moves a").count()) > 10);
  await page.focus(".moves [aria-current]");
  const match = await focused();
  await page.keyboard.press("ArrowLeft");
  assert.notEqual(await focused(), match);
  assert.equal(await page.locator(".moves [aria-current]").textContent(), await focused());
  await page.keyboard.press("ArrowDown");
  assert.equal(await focused(), match);
  await page.keyboard.press("Home");
  assert.equal(await focused(), "Start");
  await page.keyboard.press("ArrowDown");
  assert.match(await focused(), /^1\./);
  assert.equal(await page.locator(".moves a").first().evaluate((move) => move.tagName), "A", "moves are read as links");
  assert.equal(await stops(".moves"), 1);
  // The cookbook, the tree, the conditions and the tools.
  await page.waitForSelector(".contents .link");
  assert.equal(await stops(".book"), 1);
  await page.focus(".contents .link");
  await page.keyboard.press("End");
  assert.equal(await focused(), await page.locator(".contents .link").last().textContent());
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Shift+Tab");
  assert.equal(await focused(), await page.locator(".contents .link").nth(-2).textContent());
  await page.keyboard.press("Enter");
  await page.waitForSelector(".page h3");
  await treeHas(page, ".tree tbody .link");
  await page.focus(".tree tbody .link");
  const played = await focused();
  await page.keyboard.press("Enter");
  await page.waitForFunction((played) => {
    const { activeElement: focused } = document;
    return focused.closest(".tree tbody") && focused.textContent !== played && document.querySelectorAll('.tree tbody [tabindex="0"]').length === 1;
  }, played);
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  await page.waitForSelector(".bar .name");
  assert.equal(await stops(".chart tbody"), 1);
  await page.click('[data-tab="position"]');
  assert.equal(await stops(".palette"), 1);
  await page.focus(".palette [aria-pressed=true]");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  assert.equal(await page.getAttribute('.piece[aria-label="white rook"]', "aria-pressed"), "true");
  assert.equal(await stops(".palette"), 1);
});

it("five moves of the opening tree are in sight below the board", async () => {
  for (const [width, height] of [[1280, 720], [1440, 900], [768, 1024]]) {
    const page = await open(studio, { viewport: { width, height } });
    await find(page, "cql() mate");
    await page.click('[data-tab="tree"]');
    await page.waitForSelector(".caption.is-match");
    await page.focus(".board-frame");
    await page.keyboard.press("Home");
    await treeHas(page, ".tree tbody tr");
    const room = await page.evaluate(() => {
      const [body, below] = [".tree tbody", ".below"].map((one) => document.querySelector(one).getBoundingClientRect());
      return (Math.min(below.bottom, innerHeight) - body.top) / document.querySelector(".tree tbody tr").offsetHeight;
    });
    assert.ok(room >= 5, `${room} moves are in sight at ${width} × ${height}`);
    if (width < 1152) continue;
    const [said, tabs] = await page.evaluate(() => [".tree-games", ".tab-line"].map((one) => document.querySelector(one).getBoundingClientRect().top));
    assert.ok(Math.abs(said - tabs) < 12, "which games are counted is said beside the tabs");
  }
});

it("the board keeps its place when another way to ask is chosen", async () => {
  for (const [width, height] of [[1280, 720], [1440, 900], [768, 1024]]) {
    const page = await open(studio, { viewport: { width, height } });
    await find(page, 'cql() sort "men" #[Aa] >= 3');
    await page.waitForSelector(".game-head .fact");
    if (width === 768) await page.click('.part-bar [data-part="query"]');
    const places = [];
    for (const way of ["mask", "position", "query"]) {
      await page.click(`[data-tab="${way}"]`);
      places.push(JSON.stringify(await page.locator(".board-frame .board").boundingBox()));
    }
    assert.deepEqual(places, places.map(() => places[0]), `${width}`);
    if (width === 1280) {
      // What is said above the list leaves room for it.
      const list = await page.locator(".list").boundingBox();
      assert.ok(list.height >= 340, `the list has ${list.height} pixels`);
      await page.selectOption('select[aria-label="group by"]', { label: "Opening by name" });
      await page.waitForFunction(() => document.querySelector(".bar td")?.getBoundingClientRect().width >= 150);
    }
  }
});

it("an opening is a name, codes or moves, and a range that is turned around is swapped", async () => {
  const page = await open(studio, {}, "mask");
  await page.click('button:has-text("Clear")');
  const opening = page.getByLabel("opening", { exact: true });
  const says = (words) => page.waitForFunction((words) => document.querySelector(".cm-content").innerText.trimEnd() === words, words);
  for (const [text, line] of [
    ["b20-b99", '"B20" <= openingcode <= "B99"'], ["sicilian", 'opening "Sicilian"'], ["philidor", 'opening "Philidor"'],
    ["1.e4 e5", 'wtm fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR" // 1.e4 e5'],
  ]) {
    await opening.fill(text);
    await says(`cql()\n${line}`);
    assert.equal(await opening.getAttribute("aria-invalid"), "false");
  }
  // The field has the moves again after the text was read.
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector(".status b")?.textContent));
  await page.click('[data-tab="query"]');
  await page.click('[data-tab="mask"]');
  assert.equal(await opening.inputValue(), "1.e4 e5");
  // What means nothing is said, and the list is marked.
  await opening.fill("sicillian");
  await page.waitForSelector('.wrong:has-text("No opening is called “sicillian”; the nearest is “Sicilian”. This is left out.")');
  // Whether the list is of an earlier query depends on the pause before a search.
  await page.waitForSelector('.status:has-text("This list is"):has-text(": opening cannot be used.")');
  await page.waitForSelector('.sum:has-text("Without the field opening")');
  await opening.fill("");
  await page.waitForFunction(() => !/cannot be used/.test(document.querySelector(".status").textContent));
  // A search that is begun at once has the opening.
  await opening.fill("italian");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForFunction(() => document.querySelector('.status[data-state="done"]') && /^cql\(\)\nopening "Italian"/.test(document.querySelector(".cm-content").innerText));
  await opening.fill("");
  await says("cql()\ntrue");
  const years = [page.getByLabel("years from"), page.getByLabel("years to")];
  await years[0].fill("2020");
  await years[1].fill("2010");
  await page.waitForSelector('.turned:has-text("The first is greater than the second, so nothing matches.")');
  await page.click('.turned button:has-text("Swap them")');
  await says("cql()\nyear >= 2010\nyear <= 2020");
  assert.equal(await page.evaluate(() => document.activeElement.getAttribute("aria-label")), "years from");
  assert.equal(await page.locator(".turned:not(:empty)").count(), 0);
  await page.getByLabel("ratings from").fill("2600");
  await page.getByLabel("ratings to").pressSequentially("2");
  assert.equal(await page.locator(".turned:not(:empty)").count(), 0, "more digits may come");
  await page.keyboard.press("Tab");
  await page.waitForSelector(".turned:not(:empty)");
  await page.getByLabel("ratings to").fill("2700");
  await page.waitForFunction(() => !document.querySelector(".turned:not(:empty)"));
  await page.click('summary:has-text("Material")');
  await page.getByLabel("Fewest men").fill("20");
  await page.getByLabel("Most men").fill("10");
  await page.click('.turned button');
  assert.match(await text(page), /#\[Aa\] >= 10\n#\[Aa\] <= 20/);
});

it("messages and help fit a phone, and buttons a finger", async () => {
  const page = await open(studio, { ...PHONE, viewport: { width: 360, height: 740 } });
  await write(page, "cql()\nmate");
  await page.tap('.part-bar [data-part="game"]');
  await page.tap('.controls button:has-text("Like this")');
  await page.tap('.part-bar [data-part="game"]');
  const low = await page.evaluate(() => [...document.querySelectorAll(".top summary, .controls button, .part-bar button")].filter((one) => one.offsetParent && one.offsetHeight < 44).map((one) => one.textContent));
  assert.deepEqual(low, []);
  await page.tap('button[title^="Keys"]');
  const places = await page.locator("dialog > :not(header)").evaluateAll((parts) => parts.map((part) => [part.getBoundingClientRect().top, part.getBoundingClientRect().top + part.scrollHeight]));
  for (const [i, [top]] of places.entries()) assert.ok(i === 0 || places[i - 1][1] <= top + 1, "no part of the help covers another");
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
});

it("what the board does not draw is said, and stays after Clear until it is removed", async () => {
  const page = await open(studio);
  await write(page, 'cql()\nplayer "Morphy"\nKg1 kg8\nKe6 & Pe5\nflipcolor { mate }');
  await page.click('[data-tab="position"]');
  const also = () => page.locator(".also pre").innerText();
  assert.equal(await also(), 'player "Morphy"\nKe6 & Pe5\nflipcolor { mate }');
  assert.equal(await page.getAttribute(".board-frame .board", "aria-label"), "drawing: Kg1, kg8");
  await page.click('.palette button:has-text("None of")');
  await page.click('.palette button:has-text("Attacks")');
  await page.click('.controls button:has-text("Clear")');
  assert.equal(await page.getAttribute('.palette button:has-text("Attacks")', "aria-pressed"), "false");
  assert.equal(await text(page), 'cql()\nplayer "Morphy"\nKe6 & Pe5\nflipcolor { mate }');
  assert.equal(await page.getAttribute('.palette button:has-text("None of")', "aria-pressed"), "false");
  await page.waitForSelector('.toast:has-text("The other conditions of the query stay")');
  await page.click('.toast button:has-text("Remove them")');
  assert.equal(await text(page), "cql()\ntrue");
  assert.equal(await page.locator(".also:visible").count(), 0);
  // The button of the text removes everything, and takes it back.
  await write(page, "cql()\nkg8\nmate");
  await page.click('[data-tab="position"]');
  await page.click('.text-head button:has-text("Clear")');
  assert.equal(await text(page), "cql()\ntrue");
  await page.click('.toast button:has-text("Undo")');
  assert.equal(await text(page), "cql()\nkg8\nmate");
  await page.waitForSelector('.board-frame .board[aria-label="drawing: kg8"]');
  // The mask shows what is drawn.
  await page.click('[data-tab="query"]');
  await write(page, 'cql()\nyear >= 1800\nKe1 Ke8');
  await page.waitForSelector('.sum:has-text("No game of chess can match"):has-text("Two white kings (e1, e8)")');
  await page.click('[data-tab="mask"]');
  assert.equal(await also(), "Ke1\nKe8");
  // Positions like one are drawn in a tab of their own.
  const names = () => page.locator(".tabs .name").allTextContents();
  const before = await names();
  await page.click('button:has-text("Like this")');
  assert.match(await text(page), /^cql\(\)\nsort "likeness" likeness\("[^"]+"\)$/);
  assert.equal((await names()).length, before.length + 1);
  assert.equal(await page.locator(".also:visible").count(), 0);
  await page.goBack();
  await page.waitForSelector('.also pre:has-text("Ke1")');
  assert.equal(await text(page), "cql()\nyear >= 1800\nKe1 Ke8");
  // In a query without conditions, there is nothing to keep.
  await page.click('.text-head button:has-text("Clear")');
  const there = (await names()).length;
  await page.keyboard.press("l");
  await page.waitForFunction(() => /likeness\("/.test(document.querySelector(".cm-content").textContent));
  assert.equal((await names()).length, there);
});

it("a game has the moves of the mask, and a theme anywhere", async () => {
  const page = await open(studio, {}, "mask");
  await page.click('button[aria-label="Clear the whole query"]');
  const says = (words) => page.waitForFunction((words) => document.querySelector(".cm-content").innerText.trimEnd() === words, words);
  const fen = 'wtm fen "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"';
  await page.getByLabel("opening", { exact: true }).fill("1.e4 e5");
  await says(`cql()\n${fen} // 1.e4 e5`);
  // What the mask does not show is told as it is written.
  await page.click('[data-tab="position"]');
  await page.waitForSelector(`.also pre:text-is('${fen} // 1.e4 e5')`);
  await page.click('[data-tab="mask"]');
  await page.check('label:has-text("Fork") input');
  await says(`cql()\ninitialposition:find {${fen}} // 1.e4 e5\ntheme("fork")`);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForFunction(() => /^500 of 10,000 games/.test(document.querySelector(".sum").textContent), null, { timeout: 60_000 });
  await page.uncheck('label:has-text("Fork") input');
  await says(`cql()\n${fen} // 1.e4 e5`);
});

it("a new query is no error before anything is asked", async () => {
  const page = await open(studio);
  await page.click('button[aria-label="New query"]');
  for (const [way, words] of [["position", "Draw on the board"], ["mask", "Fill in a field of the mask"], ["query", "Write one, or take a recipe"]]) {
    await page.click(`[data-tab="${way}"]`);
    await page.waitForSelector(`.sum:has-text("An empty query"):has-text("${words}")`);
    // Until the text is checked, no error could be there.
    await page.waitForTimeout(500);
    assert.deepEqual((await page.locator(".error:visible, .cm-lintRange-error").allTextContents()).filter(Boolean), []);
    assert.equal(await page.textContent(".strip"), "");
    assert.ok(await page.locator(".go button").isDisabled());
  }
  await write(page, "cql()\nmate");
  await page.waitForSelector(".go button:enabled");
  // What is written and wrong is an error. Proposals may cover the text.
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("cql()\nmate (");
  await page.waitForSelector(".strip.error");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText("cql()");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.toast.note:has-text("The query is empty. Write one, or take a recipe")');
});

it("groups by openings say that these are being found", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  let go = () => {};
  const held = new Promise((resolve) => (go = resolve));
  await page.route("**/api/search", async (route) => {
    await held;
    await route.continue();
  });
  await page.selectOption('select[aria-label="group by"]', { label: "Opening by name" });
  await page.waitForSelector('.chart [role="status"]:text-is("Finding the openings of 2,750 games…")');
  assert.equal(await page.locator(".chart tr").count(), 0);
  go();
  await page.waitForSelector('.bar .name[title^="Philidor Defense"]');
  assert.equal(await page.locator('.chart [role="status"], .bar .name[title^="none:"]').count(), 0);
  await page.selectOption('select[aria-label="group by"]', { label: "Group by…" });
});

it("a variant that no opening tree counts is told, and not below a drawing", async () => {
  const page = await open(await own([new URL("../../examples/variants.pgn", import.meta.url).pathname]));
  await find(page, "cql()\nterminal");
  for (const variant of ["Crazyhouse", "Atomic"]) {
    await page.click(`.row-game:has-text("${variant}")`);
    await page.waitForSelector(`.no-tree:text-is("There is no opening tree for ${variant}: it counts games whose pieces move as in chess.")`);
  }
  await page.click('[data-tab="position"]');
  await page.waitForSelector(".no-tree", { state: "hidden" });
  await page.click('[data-tab="query"]');
  await page.click('.row-game:has-text("Three-check")');
  await treeHas(page, ".tree :is(tbody, .told:not(.no-tree))");
});

it("a long message leaves room for the mask", async () => {
  for (const options of [{ viewport: { width: 1280, height: 720 } }, { ...PHONE, viewport: { width: 360, height: 740 } }]) {
    const page = await open(studio, options);
    await write(page, "cql()");
    await page.click('[data-tab="mask"]');
    await page.fill('[aria-label="opening"]', "sicilian");
    await page.waitForSelector('.strip.warning:has-text("Sicilian")');
    const [panel, strip] = await page.evaluate(() => [".way-panel", ".strip"].map((one) => document.querySelector(one).getBoundingClientRect().height));
    assert.ok(strip <= 100 && panel >= 2 * strip, `${panel} pixels for the mask, ${strip} for the message`);
    // It can be scrolled, and so can its edit.
    await page.click(".strip .fix");
    await page.waitForSelector(".strip:not(.warning)", { state: "attached" });
  }
});

it("the head of the list has one line, a header of a column two, and a chosen group leaves four games", async () => {
  for (const [width, height] of [[1280, 720], [1440, 900]]) {
    const page = await open(studio, { viewport: { width, height } });
    const size = async (selector) => (await page.locator(selector).boundingBox()).height;
    await find(page, "cql() mate");
    assert.ok((await size(".games-head")) <= 44, `${await size(".games-head")} pixels for the count at ${width}`);
    for (const value of ["movenumber", "power A - power a"]) {
      await page.click('button:has-text("Column…")');
      await page.fill('dialog input[aria-label="expression"]', value);
      await page.keyboard.press("Enter");
      await page.waitForSelector(`.list-head button[title="${value}"]`);
    }
    await page.waitForSelector('.status[data-state="done"]');
    // A header by which the list is sorted has an arrow besides.
    await page.click('.list-head button[title="movenumber"]');
    await page.click('.list-head button[title="power A - power a"]');
    assert.ok((await size(".list-head")) <= 2 * 16 + 5, `${await size(".list-head")} pixels for headers at ${width}`);
    assert.equal(await page.locator('.list-head [title="movenumber"] > span').evaluate((one) => one.clientHeight), 16);
    await page.selectOption('select[aria-label="group by"]', { label: "White" });
    await page.click(".chart tbody .name >> nth=0");
    await page.waitForSelector('.shaped .chip:has-text("White: ")');
    assert.ok((await size(".list")) >= 4 * 52, `${await size(".list")} pixels of games at ${width}`);
    await page.click('.shaped button:has-text("Remove all")');
    await page.waitForSelector(".values", { state: "hidden" });
    await page.selectOption('select[aria-label="group by"]', { label: "Group by…" });
    await kept(page);
  }
});

it("columns stay with the next query, which the page says, until all are removed at once", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  for (const value of ["movenumber", "year"]) {
    await page.click('button:has-text("Column…")');
    await page.waitForSelector('dialog :text("stays in the lists of the next searches until you remove it")');
    await page.fill('dialog input[aria-label="expression"]', value);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`.list-head button[title="${value}"]`);
  }
  await page.waitForSelector('.status[data-state="done"]');
  await find(page, 'cql() player "Morphy"');
  await page.waitForSelector('.list-head button[title="year"]');
  assert.match(await page.getAttribute(".values .chip >> nth=1", "title"), /^year\. It stays in the lists/);
  await page.click('.values button:has-text("Remove all")');
  await page.waitForSelector(".values", { state: "hidden" });
  await page.waitForSelector(".list-head", { state: "hidden" });
  await page.waitForSelector('.status[data-state="done"]:has-text("750 of")');
  await kept(page);
});

it("rows that are scrolled into sight take the elements and texts of others", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  const made = await page.evaluate(async () => {
    const list = document.querySelector(".list");
    const frame = () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    // Above the first row, and below the last one, fewer are in reserve.
    list.scrollTop = 5200;
    await frame();
    let n = 0;
    const seen = new MutationObserver((all) => all.forEach(({ addedNodes }) => (n += addedNodes.length)));
    seen.observe(document.querySelector(".canvas"), { childList: true, subtree: true });
    for (let i = 0; i < 20; i++) {
      list.scrollTop += 520;
      await frame();
    }
    return n;
  });
  assert.ok(made <= 4, `${made} new nodes for 200 rows`);
  // They show what the game has.
  const row = page.locator('.row-game[aria-posinset="302"]');
  const [white] = (await row.locator(".players").textContent()).split(" – ");
  await row.click();
  await page.waitForSelector(`.game-head:has-text("${white}")`);
});

it("what is wrong in a FEN is selected", async () => {
  const page = await open(studio);
  page.permits = /400/;
  await page.click('[data-tab="position"]');
  await page.click('.controls button:has-text("FEN…")');
  const field = page.locator('[aria-label="position as FEN"]');
  await field.fill("");
  await page.keyboard.press("Enter");
  await page.waitForSelector('dialog [role="alert"]:has-text("Write a position in FEN.")');
  for (const [text, wrong, says] of [
    ["rnbqkbnr/pppppppp/8/8/4P4/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", "4P4", "rank 4 has 9 squares"],
    ['[FEN "8/8/8/8/8/8/7/K1k5 w - - 0 1"]', "7", "rank 2 has 7 squares"],
    ["8/8/8/8/8/x7/8/K1k5", "x", "invalid sign"],
    ["8/8/8/8/8/8/8/K1k5 x - - 0 1", "x", "side to move"],
  ]) {
    await field.fill(text);
    await page.keyboard.press("Enter");
    await page.waitForSelector(`dialog [role="alert"]:has-text("${says}")`);
    assert.equal(await field.evaluate((one) => document.activeElement === one && one.value.slice(one.selectionStart, one.selectionEnd)), wrong, text);
  }
  // Without a side to move, either may be.
  for (const [position, move] of [["8/8/8/8/8/8/8/K1k5", ""], ["8/8/8/8/8/8/8/K2k4 b", "btm"]]) {
    await field.fill(position);
    await page.keyboard.press("Enter");
    await page.waitForFunction((move) => !document.querySelector("dialog") && document.querySelector('[aria-label="side to move"]').value === move, move);
    await page.click('.controls button:has-text("FEN…")');
  }
  await page.keyboard.press("Escape");
});

it("a file that is lost, one that is there already and one that is no book are told in words", async () => {
  const folder = mkdtempSync(join(studio.folder, "studio-words-"));
  const [here, lost] = ["here.pgn", "lost.pgn"].map((name) => join(folder, name));
  const game = (name) => `[White "${name}"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`;
  writeFileSync(here, game("Here"));
  writeFileSync(lost, game("Lost"));
  const other = await own([here, lost]);
  const page = await open(other);
  page.permits = /400/;
  assert.match(await find(page, "cql() mate"), /^2 of 2 games/);
  rmSync(lost);
  for (const query of ["cql() check", "cql() mate"]) {
    await find(page, query);
    await page.waitForSelector('.status:has-text("lost.pgn"):has-text("no longer there"):has-text("1 of 1 game")');
    assert.doesNotMatch(await page.textContent(".status"), /os error/);
  }
  const drop = (name, text) => page.setInputFiles('input[type="file"]', { name, mimeType: "text/plain", buffer: Buffer.from(text) });
  await drop("dup.pgn", game("One"));
  await page.waitForSelector('.toast:has-text("dup.pgn added")');
  await drop("dup.pgn", game("Two"));
  await page.waitForSelector('.toast:has-text("dup.pgn added as dup (2).pgn")');
  await drop("again.pgn", game("One"));
  await page.waitForSelector('.toast:has-text("The games of again.pgn are there already: dup.pgn")');
  await page.click(".library summary");
  assert.equal(await page.locator(".library li").count(), 4);
  await page.keyboard.press("Escape");
  await drop("other.bin", Buffer.from(Array.from({ length: 64 }, (_, i) => 31 - (i % 32))));
  await page.waitForSelector('.toast:has-text("other.bin was not added"):has-text("neither text nor compressed")');
  assert.doesNotMatch(await page.textContent(".toast.error"), /opening book|input-format/);
  // Of several files, the page tells what became of each.
  await page.locator(".toast").first().waitFor({ state: "detached" });
  const file = (name, text) => ({ name, mimeType: "text/plain", buffer: text === undefined ? Buffer.from([1, 2, 3, 0, 255]) : Buffer.from(text) });
  await page.setInputFiles('input[type="file"]', [file("three.pgn", game("Three")), file("one.bin"), file("like.pgn", game("One")), file("two.bin")]);
  await page.waitForSelector('.toast:has-text("three.pgn added. The games of like.pgn are there already: dup.pgn")');
  await page.waitForSelector('.toast.error:has-text("one.bin, two.bin were not added: ")');
  assert.equal(await page.locator(".toast.error").count(), 1);
});

it("a variation has no blank before its end, and a tried move stands behind the one that it replaces", async () => {
  const file = join(studio.folder, "varied.pgn");
  writeFileSync(file, '[White "Varied"]\n[Result "*"]\n\n1. e4 e5 (1... c5 2. Nf3 {the main line}) 2. Nc3 *\n');
  const page = await open(await own(file));
  await find(page, "cql() initial");
  await page.waitForSelector('.moves:has-text("Nc3")');
  const moves = async () => (await page.textContent(".moves")).replace(/\s+/g, " ").trim();
  assert.equal(await moves(), "Start 1.e4 e5 (1…c5 2.Nf3 the main line) 2.Nc3 *");
  await page.click('.moves a:has-text("e4")');
  await page.click('[data-tab="tree"]');
  const board = page.locator(".board-frame");
  await board.focus();
  // The knight, to c6.
  const click = async (file, rank) => {
    const { x, y, width, height } = await board.boundingBox();
    await page.mouse.click(x + (width * (file + 0.5)) / 8, y + (height * (7.5 - rank)) / 8);
  };
  await click(1, 7);
  await page.waitForSelector(".board-frame .target");
  await click(2, 5);
  await page.waitForSelector(".moves .tried");
  assert.equal(await moves(), "Start 1.e4 e5 (1…Nc6) (1…c5 2.Nf3 the main line) 2.Nc3 *");
});

it("nothing is kept or exported before there is a list, which the buttons say, and no collection is made of no games", async () => {
  const page = await open(studio);
  const told = async (button) => {
    const one = page.locator(`.games-head button:has-text("${button}")`);
    return [await one.isDisabled(), await one.getAttribute("title")];
  };
  await begin(page, "cql() x = 0 while (x < 100000) { x = x + 1 } false");
  for (const button of ["Conditions…", "Save…", "Export…"]) {
    const [isOff, why] = await told(button);
    assert.ok(isOff && why.startsWith("Wait for the end of the search, or stop it"), `${button} ${why}`);
  }
  await page.keyboard.press("ControlOrMeta+s");
  await page.waitForSelector('.toast:has-text("Wait for the end of the search, or stop it")');
  await page.click(".search.running");
  await page.waitForSelector('.status:has-text("stopped")');
  assert.deepEqual(await told("Save…"), [false, "Keep the games as a collection"]);
  assert.match(await find(page, "cql() mate not mate"), /^0 of 10,000 games/);
  await page.click('button:has-text("Save…")');
  await page.waitForSelector('.toast:has-text("No game matches: there is none to keep")');
  assert.equal(await page.locator("dialog").count(), 0);
});

it("a group that is clicked stays in sight", async () => {
  const page = await open(studio, { viewport: { width: 1440, height: 700 } });
  await find(page, "cql() mate");
  await page.selectOption('select[aria-label="group by"]', { label: "White" });
  const last = page.locator(".bar").last();
  await last.scrollIntoViewIfNeeded();
  assert.ok(await page.locator(".chart").evaluate((chart) => chart.scrollTop > 0), "the groups are scrolled");
  await last.click();
  await page.waitForSelector('.bar .name[aria-pressed="true"]');
  const isSeen = await page.locator('.bar:has([aria-pressed="true"])').evaluate((row) => {
    const [box, chart] = [row.getBoundingClientRect(), row.closest(".chart").getBoundingClientRect()];
    return box.top >= chart.top - 1 && box.bottom <= chart.bottom + 1;
  });
  assert.ok(isSeen);
});

it("a link that cannot be read says so", async () => {
  const page = await open(studio);
  const { origin } = new URL(studio.link);
  for (const hash of ["#q=%F0%9F%A6%84", "#q=abc", "#q="]) {
    await page.goto("about:blank");
    await page.goto(`${origin}/${hash}`);
    await page.waitForSelector('.toast:has-text("The link does not hold a query")');
  }
});

it("a file that leaves its folder is named, in the list and in the next one", async () => {
  const folder = mkdtempSync(join(studio.folder, "studio-folder-"));
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, `${name}.pgn`), `[White "${name.toUpperCase()}"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`);
  const page = await open(await own(folder));
  page.permits = /404/;
  assert.match(await find(page, "cql() mate"), /^3 of 3 games/);
  rmSync(join(folder, "b.pgn"));
  // Its game says so, too.
  await page.click('.row-game:has-text("B – ")');
  await page.waitForSelector('.game-head:has-text("b.pgn is no longer there")');
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.waitForSelector('.status:has-text("b.pgn is no longer there: its games can no longer be opened")');
  await page.click('button:has-text("Export…")');
  await page.click("dialog button.main");
  await page.waitForSelector('dialog [role="alert"]:has-text("no longer there since the search: b.pgn")');
  await page.keyboard.press("Escape");
  await page.click('.status button:has-text("Search again")');
  await page.waitForSelector('.status:has-text("b.pgn is no longer there: this list is without its games")');
  await page.waitForSelector('.status:has-text("2 of 2 games")');
  // The next search has nothing to tell.
  assert.match(await find(page, "cql() check"), /^2 of 2 games/);
  // A search that is the first to miss it says so.
  rmSync(join(folder, "a.pgn"));
  await find(page, "cql() mate");
  await page.waitForSelector('.status:has-text("a.pgn is no longer there: this list is without its games"):has-text("1 of 1 game")');
});

it("files that come back are no longer told as lost, and are searched if there was nothing else", async () => {
  const [here, gone] = ["here.pgn", "back.pgn"].map((name) => join(studio.folder, name));
  writeFileSync(here, '[White "Here"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n');
  writeFileSync(gone, historic);
  const page = await open(await own([here, gone]));
  page.permits = /404/;
  const look = () => page.evaluate(() => window.dispatchEvent(new Event("focus")));
  const turn = async (isThere, ...files) => {
    for (const file of files) renameSync(...(isThere ? [`${file}.away`, file] : [file, `${file}.away`]));
    await look();
  };
  const told = (words) => page.waitForSelector(`.status:has-text("${words}")`);
  const untold = (words) => page.waitForSelector(`.status:has-text("${words}")`, { state: "detached" });
  await find(page, "cql() mate");
  // The list is right again, and so is the game.
  await turn(false, gone);
  await told("back.pgn is no longer there: its games can no longer be opened");
  await page.click(".row-game >> nth=1");
  await page.waitForSelector('.game-head:has-text("cannot be shown")');
  await turn(true, gone);
  await untold("no longer there");
  await page.waitForSelector('.game-head:has-text("of back.pgn")');
  // A list without its games says that there are others.
  await turn(false, gone);
  await told("back.pgn is no longer there");
  await find(page, "cql() check");
  await told("back.pgn is no longer there: this list is without its games");
  await turn(true, gone);
  await told("The games have changed since this search");
  await told("back.pgn was no longer there: this list is without its games");
  await page.click('.status button:has-text("Search again")');
  await told("of 41 games");
  await untold("no longer there");
  // Without any games there is no list to keep.
  await turn(false, here, gone);
  await told("back.pgn, here.pgn are no longer there");
  await find(page, "cql() stalemate or mate");
  await told("The page searches again once the games can be read");
  await look();
  await told("The page searches again once the games can be read");
  await turn(true, here);
  await told("of 1 game");
});

it("names of groups have two lines in a narrow list", async () => {
  for (const options of [{ viewport: { width: 1440, height: 900 } }, { viewport: { width: 768, height: 1024 } }, { ...PHONE, viewport: { width: 360, height: 740 } }]) {
    const page = await open(studio, options);
    await find(page, "cql() mate");
    if (options.viewport.width < 1152) await page.click('.part-bar [data-part="games"]');
    await page.selectOption('select[aria-label="group by"]', { label: "Opening by name" });
    await page.waitForSelector('.bar .name[title^="Philidor Defense:"]');
    const cut = await page.locator(".chart th, .bar .name").evaluateAll((all) => all.filter((one) => one.checkVisibility() && (one.scrollWidth > one.clientWidth + 1 || one.clientHeight > 44)).map((one) => one.textContent));
    assert.deepEqual(cut, []);
    assert.ok(await page.locator(".bar .name").evaluateAll((all) => all.some((one) => one.clientHeight >= 40)), "a long name has two lines");
  }
});

it("what the mask and the board do not show is in sight on a phone", async () => {
  const page = await open(studio, { ...PHONE, viewport: { width: 360, height: 740 } });
  await write(page, 'cql()\nplayer "Morphy"\nRd8\nmate\ncheck');
  for (const [way, words] of [["mask", "Rd8 mate check"], ["position", 'player "Morphy" mate check']]) {
    await page.tap(`[data-tab="${way}"]`);
    const box = await page.locator(".also").boundingBox();
    const floor = await page.locator(".go").boundingBox();
    assert.ok(box.y >= 0 && box.y + box.height <= floor.y, `${way}: ${JSON.stringify(box)}`);
    assert.equal((await page.locator(".also pre").textContent()).replaceAll("\n", " "), words);
    for (const button of await page.locator(".also button").all()) assert.ok((await button.boundingBox()).height >= 44);
  }
  await page.tap('.also button:has-text("Remove")');
  assert.equal(await text(page), 'cql()\nplayer "Morphy"\nRd8');
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 360);
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
});

it("a name that the mask proposes finds its games", async () => {
  const file = join(studio.folder, "names.pgn");
  writeFileSync(file, historic.replace(/\[White "[^"]*"\]/, '[White "Nakamura,Hi."]'));
  const page = await open(await own(file), {}, "mask");
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
  await begin(page, "cql() x = 0 while (x < 3000) { x = x + 1 } mate");
  await kept(page);
  await page.reload();
  await page.waitForSelector(".search.running");
  await page.click(".search.running");
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
});

it("a dark page is printed light", async () => {
  const page = await open(studio, { colorScheme: "dark" });
  const ink = () => page.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue("--ink"));
  for (const theme of ["", "dark"]) {
    await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
    await page.emulateMedia({ media: "screen" });
    assert.equal(await ink(), "#e6e3dc");
    await page.emulateMedia({ media: "print" });
    assert.equal(await ink(), "#23262b");
  }
});

it("exercises take a theme in the words of the mask", async () => {
  const page = await open(studio);
  await find(page, "mate");
  await page.click(".reports summary");
  await page.click('.reports button:has-text("Exercises")');
  await page.getByLabel("Theme", { exact: true }).fill("Back rank mate");
  const [request] = await Promise.all([page.waitForRequest((request) => request.url().endsWith("/api/report")), page.click("dialog button.main")]);
  assert.match(request.postData(), /"theme":"backrankmate"/);
  await page.waitForSelector("dialog .made b", { timeout: 60_000 });
});

it("in a low window the whole part is scrolled, and the search stays in sight", async () => {
  const page = await open(studio, { viewport: { width: 640, height: 360 } }, "mask");
  const query = page.locator(".part.query");
  for (const [width, height] of [[640, 360], [683, 384], [844, 390], [800, 450], [1280, 500]]) {
    await page.setViewportSize({ width, height });
    for (const way of ["mask", "position", "query"]) {
      await page.click(`[data-tab="${way}"]`);
      const [room, button, wide] = await page.evaluate(() => [
        document.querySelector(".go").getBoundingClientRect().top - document.querySelector(".part.query").getBoundingClientRect().top,
        document.querySelector(".search").getBoundingClientRect().bottom, Math.max(document.documentElement.scrollWidth, document.querySelector(".top").scrollWidth)]);
      assert.ok(room >= 200, `${way} has ${room} pixels at ${width} x ${height}`);
      assert.ok(button <= height && wide <= width, `all buttons are in sight at ${width} x ${height}`);
      assert.ok((await page.locator(".board-box").boundingBox()).width >= 200, `the board is large enough at ${width} x ${height}`);
    }
  }
  // Each way to ask is scrolled by itself here, too.
  await page.keyboard.press("1");
  await query.evaluate((query) => query.scrollTo(0, 60));
  await page.locator(".brand").focus();
  await page.keyboard.press("2");
  assert.equal(await query.evaluate((query) => query.scrollTop), 0);
  await page.keyboard.press("1");
  assert.equal(await query.evaluate((query) => query.scrollTop), 60);
  // With an error, the button is in sight as well.
  await page.setViewportSize({ width: 683, height: 384 });
  await page.click('[data-tab="query"]');
  await write(page, "cql()\nmaet");
  await page.waitForSelector(".strip.error");
  const { y, height } = await page.locator(".search").boundingBox();
  assert.ok(y + height <= 384);
});

it("a long list of collections is scrolled, long names are broken, and all are selected at once", async () => {
  const folder = mkdtempSync(join(studio.folder, "studio-many-"));
  const names = Array.from({ length: 26 }, (_, i) => join(folder, `file-${i}${i === 1 ? "x".repeat(70) : i === 2 ? "y".repeat(230) : ""}.pgn`));
  names.forEach((name, i) => writeFileSync(name, `[White "${i}"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n`));
  const other = await own(names);
  for (const [width, height] of [[1280, 720], [360, 640]]) {
    const page = await open(other, { viewport: { width, height } }, "mask");
    await page.click(".library summary");
    for (const selector of [".library .add", ".library li:last-child input", ".library li:nth-child(3) button:last-child"]) {
      await page.locator(selector).scrollIntoViewIfNeeded();
      const box = await page.locator(selector).boundingBox();
      assert.ok(box.x >= 0 && box.x + box.width <= width && box.y >= 0 && box.y + box.height <= height, `${selector} is reached at ${width}`);
    }
    await page.click('.library button:has-text("Select none")');
    assert.equal(await page.locator(".library li :checked").count(), 0);
    await page.waitForSelector('.library summary:has-text("0 of 26 collections")');
    await page.check(".library li:first-child input");
    await page.click('.library button:has-text("Select all")');
    await page.waitForSelector('.library summary:has-text("26 of 26 collections")');
    assert.ok(await page.locator(".library .menu-box").isVisible());
  }
});

it("a long name of a file pushes nothing out of the window", async () => {
  const folder = mkdtempSync(join(studio.folder, "studio-long-"));
  const name = join(folder, `${"n".repeat(236)}.pgn`);
  writeFileSync(name, historic);
  const other = await own(name);
  for (const width of [1280, 800, 360]) {
    const page = await open(other, { viewport: { width, height: 720 } }, "mask");
    await page.waitForSelector('.status[data-state="done"]', { state: "attached" });
    const outside = () => page.evaluate(() => [...document.querySelectorAll("button, summary, select, input, .toast")].filter((one) => one.checkVisibility() && one.getBoundingClientRect().right > innerWidth).map((one) => one.outerHTML.slice(0, 200)));
    assert.deepEqual(await outside(), []);
    await page.setInputFiles('input[type="file"]', [{ name: `${"d".repeat(230)}${width}.pgn`, mimeType: "text/plain", buffer: Buffer.from(`[White "${width}"]\n\n1. e4 *\n`) }]);
    await page.waitForSelector('.toast:has-text("added")');
    assert.deepEqual(await outside(), []);
  }
});

it("an untouched first query gives way to the mask and to the board, and no comment of a removed text stays", async () => {
  for (const way of ["mask", "position"]) {
    const page = await open(await own(), {}, way);
    assert.match(await text(page), /^\/\/ Mate by the side that has less/);
    if (way === "mask") await page.click('label:has-text("Smothered mate")');
    else {
      await page.click('.piece[aria-label="white king"]');
      await page.locator(".board-frame").focus();
      await page.keyboard.press("Enter");
    }
    assert.equal(await text(page), way === "mask" ? 'cql()\ntheme("smotheredmate")' : "cql()\nKe4");
    assert.equal(await page.locator(".also:visible").count(), 0);
    assert.equal(await page.textContent(".tabs [aria-current]"), way === "mask" ? "smotheredmate" : "Ke4");
    // A query of the user stays.
    await write(page, "// Mine.\ncql()\nmate");
    await page.click(`[data-tab="${way}"]`);
    await page.waitForSelector('.also pre:has-text("mate")');
    assert.equal(await page.textContent(".tabs [aria-current]"), "Mine");
    await page.click('.also button:has-text("Remove")');
    assert.equal(await text(page), "cql()\ntrue");
    assert.equal(await page.textContent(".tabs [aria-current]"), "All games");
  }
});

it("a position that only games of variants have is searched by itself", async () => {
  const page = await open(await own(join(import.meta.dirname, "../../examples/variants.pgn")), {}, "mask");
  await page.click('.text-head button:has-text("Clear")');
  await page.click('[data-tab="position"]');
  await page.click('.controls button:has-text("FEN…")');
  await page.fill("dialog input", "rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1");
  await page.keyboard.press("Enter");
  await page.waitForSelector('.problem:has-text("no game of chess has this")');
  await page.waitForSelector('.status:has-text("1 of ")');
  await page.waitForSelector('.sum:has-text("1 of "):not(:has-text("No game"))');
});

it("what failed without a connection is done again once there is one", async () => {
  const page = await open(studio);
  page.permits = /ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
  await find(page, "cql() mate");
  const head = (text) => page.waitForSelector(`.game-head:has-text("${text}")`);
  // A game that is opened, and a search that is begun.
  const second = await page.locator(".row-game .players").nth(1).textContent();
  await page.context().setOffline(true);
  await page.locator(".row-game").nth(1).click();
  await head("The game cannot be shown");
  await page.context().setOffline(false);
  await head(second.split(" – ")[1].split(",")[0]);
  await page.context().setOffline(true);
  await write(page, "cql() check mate");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("does not answer"):has-text("The page searches again when the studio answers")');
  await page.context().setOffline(false);
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")', { timeout: 60_000 });
  await kept(page);
  // A connection that is away for some seconds, of which the browser tells nothing.
  await write(page, "cql() mate");
  await changeNextSearch(page);
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.status:has-text("The connection broke")');
  await page.route("**/api/**", (route) => route.abort());
  await page.waitForSelector('.status:has-text("does not answer")');
  await page.waitForTimeout(2000);
  await page.unroute("**/api/**");
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")', { timeout: 60_000 });
});

it("the query, the mask and the book are checked and read again once there is a connection", async () => {
  const page = await open(studio);
  page.permits = /ERR_INTERNET_DISCONNECTED/;
  const away = (is) => page.context().setOffline(is);
  await page.waitForSelector(".contents .link");
  await away(true);
  await write(page, "cql() maet");
  await page.click('.contents .link:has-text("gambit") >> nth=0');
  await page.waitForSelector('.page [role="alert"]:has-text("does not answer")');
  assert.equal(await page.locator(".strip.error").count(), 0);
  await away(false);
  await page.waitForSelector(".strip.error");
  await page.waitForSelector(".page h3");
  await page.click('[data-tab="meaning"]');
  await write(page, "cql() mate");
  await page.waitForSelector('.meaning:has-text("mated")');
  await away(true);
  await page.click('[data-tab="history"]');
  await page.click('[data-tab="meaning"]');
  await page.waitForSelector('.side-panel [role="alert"]:has-text("does not answer")');
  await away(false);
  await page.waitForSelector('.meaning:has-text("mated")');
  // The field of the opening says why it is left out as long as it is.
  await page.click('[data-tab="mask"]');
  await page.click('button[aria-label="Clear the whole query"]');
  await away(true);
  await page.fill('[aria-label="opening"]', "1.e4 e5 2.f4");
  await page.waitForSelector('.wrong:has-text("does not answer")');
  await away(false);
  await page.waitForSelector('.wrong:has-text("does not answer")', { state: "detached" });
  await page.waitForFunction(() => document.querySelector(".cm-content").innerText.includes("4PP2"));
});

it("a long query leaves the search in sight, and the tabs below it are not cut", async () => {
  const page = await open(studio);
  const lines = (n) => Array.from({ length: n }, (_, i) => `// line ${i}\n`).join("");
  for (const [width, height] of [[360, 640], [768, 1024], [1280, 720], [1440, 900]]) {
    await page.setViewportSize({ width, height });
    for (const n of [0, 9, 60]) {
      await write(page, `${lines(n)}cql() maet`);
      await page.waitForSelector('.side-tabs [data-tab="problems"]');
      const [search, tabs, panel, cut] = await page.evaluate(() => {
        const box = (name) => document.querySelector(name).getBoundingClientRect();
        const tabs = document.querySelector(".side-tabs");
        return [box(".search").bottom, box(".side-tabs").bottom, box(".go").top - box(".side-panel").top, tabs.scrollWidth - tabs.clientWidth];
      });
      const where = `${n} lines at ${width} x ${height}`;
      assert.ok(search <= height && tabs < height && panel >= 64, `${where}: ${[search, tabs, panel]}`);
      assert.equal(cut, 0, where);
    }
  }
});

it("an engine thinks about the first position, also if no game was opened, and groups of no games have no head", async () => {
  const page = await open(await own(null, true), PHONE);
  await page.tap('.part-bar [data-part="game"]');
  await page.tap('[data-tab="engine"]');
  await page.waitForSelector('.engine li:has-text("+0.31")');
  await page.tap('.part-bar [data-part="games"]');
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  await page.waitForSelector(".chart");
  await page.tap('.part-bar [data-part="query"]');
  await find(page, 'cql() player "Nobody"');
  await page.waitForSelector('.empty:has-text("No game matches")');
  await page.waitForSelector(".chart", { state: "hidden" });
});

it("a reload keeps the place among tried moves, and the game that hides a drawing", async () => {
  const page = await open(studio);
  await find(page, 'cql() player "Morphy" mate');
  await page.waitForSelector(".moves [aria-current].match");
  await page.click(".caption");
  await page.keyboard.press("Home");
  const { drag } = await onBoard(page);
  for (const [from, to, name] of [["d2", "d4", "1. d4"], ["d7", "d5", "1… d5"], ["c2", "c4", "2. c4"]]) {
    await drag(from, to);
    await page.waitForSelector(`.caption:text-is("${name} · tried")`);
  }
  await page.click(".caption");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => history.state?.view.depth === 2 && history.state.view.tried.length === 3);
  await kept(page);
  await page.reload();
  await page.waitForSelector('.moves .tried:has-text("2.c4")');
  await page.waitForSelector('.caption:text-is("1… d5 · tried")');
  // The board shows the game again, in place of the drawing.
  await page.click('[data-tab="position"]');
  await page.waitForSelector('.studio[data-board="drawing"]');
  await page.click('button:has-text("Back to the game")');
  await page.waitForFunction(() => history.state?.view.isGame);
  await kept(page);
  await page.reload();
  await page.waitForSelector('.studio[data-way="position"][data-board="game"]');
  await page.waitForSelector('.caption:text-is("1… d5 · tried")');
  assert.equal(await page.getAttribute(".studio", "data-board"), "game");
});

it("a link says what this version has not got, and a huge one is refused", async () => {
  const page = await open(studio);
  const { origin } = new URL(studio.link);
  const packed = (content) => page.evaluate(async (content) => {
    const bytes = new Uint8Array(await new Response(new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"))).arrayBuffer());
    return btoa([...bytes].map((byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  }, content);
  const view = { way: "query", isSearched: true, steps: [], sort: "Beauty", isDescending: false, group: "Weather", game: null, ply: 0, fen: "", tried: [] };
  for (const [hash, words] of [
    [`#q=${await packed(JSON.stringify({ query: "cql() mate", name: "New", view }))}`, "newer version: order Beauty, group Weather are left out"],
    ["#q2=abc", "newer version, which this one cannot open"],
    [`#q=${await packed(JSON.stringify({ query: `cql() mate // ${"x".repeat(30_000_000)}`, name: "Huge" }))}`, "more than a query can be"],
  ]) {
    await page.goto("about:blank");
    await page.goto(`${origin}/${hash}`);
    await page.waitForSelector(`.toast.error:has-text("${words}")`);
  }
});

it("the button of a quick fix stands above those of the editor on a small phone", async () => {
  const page = await open(studio, { ...PHONE, viewport: { width: 360, height: 640 } });
  await write(page, "cql()\nplayer Carlsen");
  // In one step, since the strip is drawn anew while the query is checked.
  await page.waitForFunction(() => {
    const fix = document.querySelector(".strip .fix");
    const format = [...document.querySelectorAll("button")].find((button) => button.textContent.includes("Format"));
    return fix && format && fix.getBoundingClientRect().bottom <= format.getBoundingClientRect().top;
  });
});

it("the tab of the query stays in sight while its name changes", async () => {
  const page = await open(studio);
  for (let i = 0; i < 5; i++) {
    await page.click('button[aria-label="New query"]');
    await write(page, `// A query with a long name ${i}\ncql()\nmate`);
  }
  // The last name grows, also while the text has an error.
  for (const name of ["b", "brilliant", "brilliant and long ago"]) {
    await write(page, `// The ${name} game of a master\ncql()\nmaet`);
    await page.waitForSelector(".strip.error");
    const isInSight = () => {
      const [tab, strip] = [".tab:has([aria-current])", ".tabs"].map((selector) => document.querySelector(selector).getBoundingClientRect());
      return tab.left >= strip.left - 1 && tab.right <= strip.right + 1;
    };
    await page.waitForFunction(isInSight, null, { timeout: 2000 });
  }
});

it("the back button takes a click on a group back", async () => {
  const page = await open(studio);
  await find(page, "cql() mate");
  await page.selectOption('select[aria-label="group by"]', { label: "Result" });
  await page.locator(".bar").first().click();
  await page.waitForSelector('.status:has-text("from 2,750 found")');
  await page.goBack();
  await page.waitForSelector('.status:has-text("2,750 of 10,000 games")');
  await page.waitForSelector(".bar");
  assert.equal(await page.locator('.bar [aria-pressed="true"]').count(), 0);
  await page.goForward();
  await page.waitForSelector('.status:has-text("from 2,750 found")');
});

it("comments in other scripts leave the moves and the result in their places", async () => {
  const file = join(studio.folder, "scripts.pgn");
  const game = '[White "לוי, דוד"]\n[Black "כהן, משה"]\n[WhiteElo "2100"]\n[Result "0-1"]\n\n1. f3 {مرحبا} e5 2. g4 {\u202elive} {תשובה 12} Qh4# {משחק מצוין: 0-1} 0-1\n';
  writeFileSync(file, game + game.replace("{مرحبا}", `{${"x".repeat(480)}}`));
  const page = await open(await own([file]));
  await find(page, 'cql() mate comment("x")');
  /** The left edges of the characters of texts in one line. */
  const edges = (selector) => page.evaluate((selector) => [...document.querySelectorAll(selector)].flatMap((element) => {
    const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
    return [...text.data].map((_, i) => {
      const range = document.createRange();
      range.setStart(text, i);
      range.setEnd(text, i + 1);
      return range.getBoundingClientRect().left;
    });
  }), selector);
  const areInOrder = (all) => assert.deepEqual(all, [...all].sort((a, b) => a - b));
  await page.waitForSelector(".moves .note");
  areInOrder(await edges(".moves a[data-at]"));
  areInOrder(await edges(".moves .end"));
  const players = await page.$$eval(".game-head .player, .game-head .result", (all) => all.map((one) => one.getBoundingClientRect().left));
  areInOrder(players);
  assert.equal((await page.locator(".game-head .player").allTextContents())[0].replace(/[\u2068\u2069]/g, ""), "לוי, דוד 2100");
  await page.click(".row-game >> nth=1");
  await page.waitForSelector(`.comment:has-text("${"x".repeat(480)}")`);
  assert.ok(await page.$eval(".moves", (moves) => moves.scrollWidth <= moves.clientWidth), "a long word is broken");
});

it("a region lets a drawn piece stand elsewhere, and other tools take no pieces along", async () => {
  const page = await open(studio, {}, "position");
  await page.click('button:has-text("Clear") >> nth=0');
  const { click, drag } = await onBoard(page);
  const tool = (words) => page.click(`.palette button:has-text("${words}")`);
  const piece = (name) => page.click(`.piece[aria-label="${name}"]`);
  await piece("black king");
  await click("h4");
  await drag("h4", "h2");
  assert.equal(await text(page), "cql()\nkh2-4");
  // A piece in a region stays one, and so does another piece below a region.
  await click("h3");
  assert.equal(await text(page), "cql()\nkh3\nkh2-4");
  await drag("h4", "h2");
  await drag("h4", "h2");
  await click("h4");
  await piece("white rook");
  await drag("h4", "g4");
  assert.equal(await text(page), "cql()\nkh4\nkh2-4\nRg-h4");
  await tool("Any white");
  await drag("h4", "g4");
  await page.click('.controls button:has-text("Clear")');
  // “None of” begins anew, and an empty square is empty.
  await tool("Any of");
  await piece("black knight");
  await tool("None of");
  await piece("white queen");
  await click("d1");
  assert.equal(await text(page), "cql()\nnot Qd1");
  await piece("white rook");
  await click("d2");
  assert.equal(await text(page), "cql()\nnot Qd1\nnot [QR]d2");
  await tool("Empty");
  await click("d4");
  assert.equal(await text(page), "cql()\n_d4\nnot Qd1\nnot [QR]d2");
  // A region in which no pawn can stand.
  await page.click('.controls button:has-text("Clear")');
  await piece("white pawn");
  await drag("a1", "c1");
  await page.waitForSelector('.problem:has-text("A pawn on a-c1")');
});

it("a tool, or a button, leads from the open game back to the drawing", async () => {
  const page = await open(studio);
  await find(page, "cql()\nmate");
  await page.click('[data-tab="position"]');
  const { click } = await onBoard(page);
  const openGame = async () => {
    await page.click(".row-game >> nth=0");
    await page.waitForSelector('.studio[data-board="game"]');
  };
  await openGame();
  await page.click('.piece[aria-label="black queen"]');
  await page.waitForSelector('.studio[data-board="drawing"]');
  await click("d5");
  assert.match(await text(page), /^qd5$/m);
  await page.waitForSelector('.status[data-state="done"]');
  await page.focus(".board-frame");
  await page.keyboard.press("ControlOrMeta+z");
  await page.waitForFunction(() => !document.querySelector(".cm-content").innerText.includes("qd5"));
  await page.waitForSelector(".row-game");
  await openGame();
  await page.click('button:has-text("Back to the drawing")');
  await page.waitForSelector('.studio[data-board="drawing"]');
  await page.waitForSelector('button:has-text("Back to the drawing")', { state: "hidden" });
});

it("an engine is not asked about variants, and their analysis board is that of the variant", async () => {
  const page = await open(await own([new URL("../../examples/variants.pgn", import.meta.url).pathname], true));
  await find(page, "cql()\nterminal");
  await page.click('[data-tab="engine"]');
  for (const [tag, name, board] of [["Atomic", "Atomic", "atomic"], ["Three-check", "Three-Check", "threeCheck"], ["Crazyhouse", "Crazyhouse", "crazyhouse"]]) {
    await page.click(`.row-game:has-text("${tag}")`);
    await page.waitForSelector(`.engine .told:text-is("The engine is not asked about ${name}: it would judge the position by the rules of chess.")`);
    assert.match(await page.getAttribute('a:has-text("Analyze")', "href"), new RegExp(`/analysis/${board}/\\w`));
  }
  await page.click('button:has-text("Set position")');
  await page.click('button:has-text("Start position")');
  await page.waitForSelector('.engine li:has-text("+0.31")');
  assert.match(await page.getAttribute('a:has-text("Analyze")', "href"), /\/analysis\/standard\/rnbqkbnr/);
});

it("a message goes with its cause", async () => {
  const empty = join(studio.folder, "empty.pgn");
  writeFileSync(empty, "\n");
  const page = await open(await own([studio.games, empty]));
  await write(page, "cql() 1wtm");
  await page.keyboard.press("ControlOrMeta+Enter");
  await page.waitForSelector('.toast.error:has-text("Not searched")');
  await find(page, "cql() mate");
  assert.equal(await page.locator(".toast.error").count(), 0);
  // The error of a search is that of its query.
  await find(page, 'cql() similarposition "a.pgn"');
  await page.waitForSelector('.status [role="alert"]:has-text("may not read a.pgn")');
  await write(page, "cql() mate btm wtmx");
  await page.waitForSelector('.status:has-text("This error is of the query before the last change.")');
  // Files that a header names are told.
  await find(page, "cql(input nowhere.pgn output found.pgn) mate");
  const said = await page.textContent(".status");
  assert.match(said, /input of the header is not read: the selected games are searched.*output of the header is not written/);
  // A collection without games is told.
  await page.click(".library summary");
  await page.click('.library button:has-text("Select none")');
  await page.click('.library label:has-text("empty.pgn")');
  await page.keyboard.press("Escape");
  await find(page, "cql() mate");
  await page.waitForSelector('.empty h2:text-is("The selected collections have no games")');
  assert.equal(await page.locator('.empty button:has-text("Matches after each condition")').count(), 0);
});

it("a name as the list shows it finds its games, and openings are grouped as the mask compares them", async () => {
  const file = join(studio.folder, "names.pgn");
  const game = (white, eco, moves) => `[White "${white}"]\n[Black "Morphy, Paul"]\n[ECO "${eco}"]\n\n${moves} *\n\n`;
  writeFileSync(file, game("Sicre, JM.", "A34", "1. e4 c5 2. Nf3 Nc6 3. Bb5") + game("van Wely, L", "B20", "1. e4 c5") + game("Ängström, K", "B20", "1. e4 c5") + game("Zukertort, J", "B20", "1. e4 c5"));
  const page = await open(await own([file]), {}, "mask");
  for (const name of ["Sicre, JM.", "sicre, jm.", "van Wely, L", "van Wely", "Van Wely"]) {
    await page.fill('[aria-label="player"]', name);
    await page.waitForSelector('.sum:has-text("1 of 4 games")');
    assert.equal(await page.inputValue('[aria-label="player"]'), name);
    await page.fill('[aria-label="player"]', "");
    await page.waitForSelector('.sum:has-text("4 of 4 games")');
  }
  await page.selectOption('select[aria-label="sort by"]', { label: "White" });
  const names = async () => (await page.locator(".row-game .players").allTextContents()).map((name) => name.split(",")[0]);
  await page.waitForFunction(() => document.querySelector("#row-0")?.textContent.includes("Ängström"));
  assert.deepEqual((await names()).sort((a, b) => a.localeCompare(b, "en")), ["Ängström", "Sicre", "van Wely", "Zukertort"]);
  assert.match(await page.textContent("#row-2"), /van Wely/);
  await page.selectOption('select[aria-label="group by"]', { label: "Opening" });
  await page.waitForSelector('.bar .name[title^="B30:"]');
  assert.equal(await page.locator('.bar .name[title^="A34:"]').count(), 0);
  await page.fill('[aria-label="opening"]', "B30");
  await page.waitForSelector('.sum:has-text("1 of 4 games")');
});

it("F6 goes round a page without games, and a dropped query is opened", async () => {
  const empty = join(studio.folder, "none.pgn");
  writeFileSync(empty, "\n");
  const page = await open(await own([empty]));
  await search(page);
  const areas = [];
  for (let i = 0; i < 4; i++) {
    await page.keyboard.press("F6");
    areas.push(await page.evaluate(() => document.activeElement.closest(".top, .part")?.classList[1] ?? "top"));
  }
  assert.equal(new Set(areas).size, 4, areas.join());
  await page.setInputFiles('[aria-label="files with games"]', { name: "mates.cql", mimeType: "text/plain", buffer: Buffer.from("cql() mate") });
  await page.waitForSelector('.tab:has([aria-current]):has-text("mates")');
  await isWritten(page, "cql() mate");
  // Added games are searched at once where changes are.
  await page.click('[data-tab="mask"]');
  await page.setInputFiles('[aria-label="files with games"]', { name: "historic.pgn", mimeType: "text/plain", buffer: Buffer.from(historic) });
  await page.waitForSelector('.sum:has-text("of 40 games")');
});

it("forced colors tell what is chosen", async () => {
  const page = await open(studio, { forcedColors: "active" });
  await find(page, "cql() mate");
  await page.waitForSelector(".moves [aria-current].match");
  const differ = async (one, other, ...properties) => {
    const [a, b] = await page.evaluate(([selectors, properties]) => selectors.map((selector) => properties.map((property) => getComputedStyle(document.querySelector(selector))[property]).join()), [[one, other], properties]);
    assert.notEqual(a, b, `${one} is marked`);
  };
  for (const tabs of [".tab-line", ".side-tabs"]) await differ(`${tabs} [aria-selected="true"]`, `${tabs} [aria-selected="false"]`, "borderBottomColor");
  await differ('.row-game[aria-selected="true"]', '.row-game[aria-selected="false"]', "outlineStyle");
  await differ(".moves .match", ".moves a:not(.match)", "textDecorationLine");
  await differ(".moves [aria-current]", ".moves a:not([aria-current])", "outlineStyle");
  await page.click('[data-tab="position"]');
  await differ('.piece[aria-pressed="true"]', '.piece[aria-pressed="false"]', "outlineStyle");
  await differ(".piece", ".palette .tool-grid button", "backgroundColor");
});

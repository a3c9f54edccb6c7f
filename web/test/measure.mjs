// Measures the page of the studio in Chromium. Prints medians; nothing is asserted, since times depend on the machine.
//
//   CQL=target/dist/cql node test/measure.mjs GAMES [QUERY]

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { open, program, search, start, write } from "./studio.mjs";

const RUNS = 10;
const [games, query = "mate"] = process.argv.slice(2);
const median = (all) => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)];
const ms = (n) => `${n.toFixed(1)} ms`;
const studio = await start(games);

/** Milliseconds for which the main thread of a page has used a processor so far. */
async function work(page) {
  if (!page.client) {
    page.client = await page.context().newCDPSession(page);
    await page.client.send("Performance.enable", { timeDomain: "threadTicks" });
  }
  const { metrics } = await page.client.send("Performance.getMetrics");
  return metrics.find(({ name }) => name === "TaskDuration").value * 1000;
}

/** Milliseconds for which a process has used processors so far, or those of its children that have ended; Linux counts them. */
function used(pid, ofChildren = false) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  const [own, system] = fields.slice(ofChildren ? 13 : 11).map(Number);
  return (own + system) * 10;
}

async function firstBoard() {
  const context = (await open(studio)).context();
  const [wall, busy] = [[], []];
  for (let i = 0; i < RUNS; i++) {
    const page = await context.newPage();
    await page.addInitScript(() => {
      const look = () => (document.querySelector('.board [href="#k"]') ? (window.boardAt = performance.now()) : requestAnimationFrame(look));
      requestAnimationFrame(look);
    });
    const before = await work(page);
    await page.goto(new URL(studio.link).origin, { waitUntil: "commit" });
    await page.waitForFunction(() => window.boardAt);
    busy.push((await work(page)) - before);
    wall.push(await page.evaluate(() => window.boardAt));
    await page.close();
  }
  console.log(`first board: ${ms(median(wall))} after the request, ${ms(median(busy))} of the main thread`);
}

async function searches() {
  const page = await open(studio);
  // The opening tree would be counted meanwhile.
  await page.click('[data-tab="conditions"]');
  const [there, here, usedThere, usedHere] = [[], [], [], []];
  for (let i = 0; i < RUNS; i++) {
    await write(page, `${query} // ${i}`);
    await page.waitForTimeout(300);
    // The page begins with a search of its own, unless there are many games.
    await page.waitForSelector('.status:not([data-state="busy"])', { timeout: 120_000 });
    const before = used(studio.child.pid);
    there.push(await page.evaluate(() => new Promise((resolve) => {
      const status = document.querySelector(".status");
      const began = performance.now();
      const seen = new MutationObserver(() => status.dataset.state === "done" && resolve(performance.now() - began));
      seen.observe(status, { attributes: true });
      document.querySelector("button.search").click();
    })));
    usedThere.push(used(studio.child.pid) - before);
    const begun = performance.now();
    const usedBefore = used("self", true);
    spawnSync(program, ["--count", "-i", games, "-cql", query]);
    here.push(performance.now() - begun);
    usedHere.push(used("self", true) - usedBefore);
  }
  console.log(`search: ${ms(median(there))} in the page, ${ms(median(here))} by the command; of processors, ${ms(median(usedThere))} and ${ms(median(usedHere))}`);
}

async function frames() {
  const page = await open(studio);
  await write(page, "true");
  await search(page);
  const status = (await page.locator(".status > *").allInnerTexts()).filter(Boolean).join(", ");
  const before = await work(page);
  const steps = await page.evaluate(async () => {
    const list = document.querySelector(".list");
    const steps = [];
    let last = performance.now();
    for (let i = 0; i < 300; i++) {
      list.scrollTop += i % 30 === 0 ? list.scrollHeight / 12 : 180;
      await new Promise((resolve) => requestAnimationFrame(resolve));
      steps.push(performance.now() - last);
      last = performance.now();
    }
    return steps;
  });
  const busy = ((await work(page)) - before) / steps.length;
  const late = steps.filter((step) => step > 17.5).length;
  console.log(`scrolling (${status}): ${ms(median(steps))} a frame, ${late} of ${steps.length} late, ${ms(busy)} of the main thread each`);
}

async function size() {
  const sizes = [];
  for (const name of ["", "app.js", "app.css", "editor.js"]) {
    const text = Buffer.from(await (await fetch(new URL(`/${name}`, studio.link))).arrayBuffer());
    sizes.push(`${name || "index.html"} ${text.length} (${gzipSync(text).length} by gzip)`);
  }
  console.log(`bytes: ${sizes.join(", ")}`);
}

try {
  for (const measured of [size, firstBoard, searches, frames]) if ((process.env.ONLY ?? measured.name) === measured.name) await measured();
} finally {
  await studio.end();
}

// Makes the picture of the studio in the book, docs/src/images/studio.png.
//
//   CQL=target/dist/cql node test/image.mjs

import { fileURLToPath } from "node:url";
import { open, start } from "./studio.mjs";

const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const studio = await start(at("examples/historic.pgn"));
try {
  const page = await open(studio, {}, "mask");
  await page.click('button:has-text("Clear")');
  await page.getByLabel("Sacrifice").check();
  await page.click('[aria-label="result"] button:has-text("1–0")');
  await page.waitForSelector('.sum:has-text("11 of 40 games")');
  await page.click('.row-game:has-text("Opera")');
  await page.click('.moves a:has-text("e5")');
  await page.waitForSelector('.tree tbody tr:has-text("2.Nf3")');
  // The message that the query was cleared.
  await page.waitForSelector(".toast", { state: "detached" });
  await page.mouse.move(0, 0);
  await page.evaluate(() => document.activeElement.blur());
  await page.screenshot({ path: at("docs/src/images/studio.png") });
} finally {
  await studio.end();
}

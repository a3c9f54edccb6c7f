// Tests of the site that .ci/site builds in the folder SITE: its pages, in Chromium, and its check of links.

import assert from "node:assert";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { AxeBuilder } from "./axe.mjs";
import { serve } from "./playground.mjs";
import { PHONE, browserPath } from "./studio.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const folder = process.env.SITE;
const skip = folder && existsSync(join(folder, "sitemap.xml")) ? false : "SITE does not name the site";
const read = (name) => readFileSync(join(folder, name), "utf8");
const ADDRESS = "https://babson.example/";

test("a link that is dead is named", () => {
  const place = mkdtempSync(join(tmpdir(), "site-test-"));
  mkdirSync(join(place, "book"));
  const check = (link, isDead) => {
    writeFileSync(join(place, "index.html"), `<a href="${link}">x</a><a name="below"></a>`);
    const { status, stderr } = spawnSync(process.env.PYTHON ?? "python3", [join(root, ".ci/site"), "--check", place, "--address", "https://x.example/at/"], { encoding: "utf8" });
    assert.equal(status, isDead ? 1 : 0, `${link}: ${stderr}`);
    if (isDead) assert.ok(stderr.includes(`the link ${link} is dead`), stderr);
  };
  writeFileSync(join(place, "book/index.html"), '<h2 id="a-b">x</h2><code>&lt;a href="no.html"></code>');
  for (const link of ["book/", "book/index.html#a-b", "#below", "/at/book/", "https://x.example/at/book/", "https://elsewhere.example/no", "mailto:x@y.example"]) check(link, false);
  for (const link of ["no.html", "book/index.html#no", "#no", "/book/", "https://x.example/at/no", "../no.html", "book/no.png"]) check(link, true);
  rmSync(place, { recursive: true });
});

test("engines find every page by its title and a description of its own", { skip }, () => {
  const places = [...read("sitemap.xml").matchAll(/<loc>(.*?)<\/loc>/g)].map((found) => found[1]);
  assert.ok(places.length > 60 && places.every((place) => place.startsWith(ADDRESS)), places.join(" "));
  const abouts = new Map();
  for (const place of places) {
    const name = place.slice(ADDRESS.length).replace(/(^|\/)$/, "$1index.html");
    const text = read(name);
    const title = /<title>(.+?)<\/title>/.exec(text)[1];
    const about = /<meta name="description" content="(.*?)">/.exec(text)[1];
    assert.ok(about.length > 20, `${name}: ${about}`);
    if (!name.startsWith("api/")) {
      assert.ok(!abouts.has(about), `${name}: the description of ${abouts.get(about)}`);
      assert.ok(!/`|\]\(|\*\*/.test(about), `${name}: ${about}`);
      assert.ok(read(name).includes('<link rel="canonical" href="https:'), name);
    }
    assert.ok(title.length > 5, name);
    abouts.set(about, name);
  }
  assert.match(read("robots.txt"), /^Sitemap: https:\/\/babson\.example\/sitemap\.xml$/m);
  assert.match(read("404.html"), /<base href="\/book\/">[^]*noindex/);
  assert.ok(existsSync(join(folder, "book/sources/crates/syntax/src/library/themes.cql.txt")));
});

const inBrowser = (name, work) => test(name, { skip: skip || (!browserPath() && "there is no Chromium"), timeout: 120_000 }, work);
let site;
before(async () => {
  if (!skip && browserPath()) site = await serve(folder, "/");
}, { timeout: 60_000 });
after(async () => site?.end());

inBrowser("the book is searched, and its queries run", async () => {
  const context = await site.browser.newContext();
  const page = await context.newPage();
  await page.goto(`${site.link}book/cookbook/tactics.html`);
  await page.keyboard.press("s");
  await page.keyboard.type("zugzwang");
  await page.waitForSelector("#mdbook-searchresults a, #searchresults a");
  await page.keyboard.press("Escape");
  await page.hover("pre:has(.run-query)");
  const [run] = await Promise.all([context.waitForEvent("page"), page.click(".run-query >> nth=0")]);
  await run.waitForSelector('.status[data-state="done"]');
  assert.match(await run.textContent(".status"), /of 40 games/);
  await run.click('header button:has-text("Help")');
  await run.click('dialog a:has-text("Read the book")');
  await run.waitForURL("**/book/introduction.html");
  await run.click('.right-buttons a:has-text("API")');
  await run.click('a:text-is("babson")');
  await run.click('a:text-is("Playground")');
  await run.waitForSelector(".cm-content");
});

for (const [name, options] of Object.entries({ desktop: {}, dark: { colorScheme: "dark" }, phone: PHONE })) {
  inBrowser(`everybody can use the first pages: ${name}`, async () => {
    const page = await (await site.browser.newContext(options)).newPage();
    for (const place of ["", "api/"]) {
      await page.goto(site.link + place);
      const found = await new AxeBuilder(page).violations();
      assert.deepEqual(found.map((one) => `${place}: ${one.id}: ${one.nodes.map((node) => node.html).join(" ")}`), []);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth), 0, "nothing sticks out");
    }
    await page.goto(`${site.link}book/searches.html`);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);
  });
}

// axe-core in a page. Its code runs through the browser's tools, which the page's policy does not restrict.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

export class AxeBuilder {
  constructor(page) {
    this.page = page;
  }

  async violations() {
    await this.page.evaluate(source);
    const rules = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
    return (await this.page.evaluate((values) => window.axe.run(document, { runOnly: { type: "tag", values } }), rules)).violations;
  }
}

// Makes the picture of a terminal in the book, docs/src/images/terminal.png, from what the program prints there.
//
//   CQL=target/dist/cql node test/terminal.mjs

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { browserPath, program } from "./studio.mjs";

const WIDTH = 100;
const at = (path) => fileURLToPath(new URL(`../../${path}`, import.meta.url));
const COMMANDS = ["cql -i examples/historic.pgn -cql 'path [x]Q --{,4} mate'", "cql --count-by 'year/50*50' -i examples/historic.pgn -cql mate", "cql -i examples/historic.pgn queen.cql"];
const QUERY = "// A sacrifice of the queen?\ncql()\n  wtm\n  powr A < power a\n";

/** Colors by their codes; 9x are the bright ones of 3x. */
const COLORS = { 31: "#ff7b72", 32: "#7ee787", 33: "#e3b341", 34: "#79c0ff", 35: "#d2a8ff", 36: "#76e3ea" };
const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

/** Returns the lines that a terminal shows, as HTML. */
function shown(output) {
  let style = "";
  const lines = output.split(/\r*\n/).map((line) => {
    // A line that is written anew takes the place of what was there.
    const last = line.split("\r").findLast((part) => part.replace(/\x1b\[2K/g, "") !== "") ?? "";
    return last.replace(/\x1b\[\d?K/g, "").split(/(\x1b\[[\d;]*m)/).map((part) => {
      const codes = /^\x1b\[([\d;]*)m$/.exec(part);
      if (!codes) return part && `<span style="${style}">${escaped(part)}</span>`;
      for (const code of codes[1].split(";").map(Number)) {
        if (code === 0) style = "";
        else if (code === 1) style += "font-weight: bold;";
        else style += `color: ${COLORS[code] ?? COLORS[code - 60] ?? "inherit"};`;
      }
      return "";
    }).join("");
  });
  return lines.join("\n");
}

const folder = mkdtempSync(join(tmpdir(), "terminal-"));
const browser = await chromium.launch({ executablePath: browserPath(), args: ["--no-sandbox"] });
try {
  symlinkSync(at("examples"), join(folder, "examples"));
  symlinkSync(program, join(folder, "cql"));
  writeFileSync(join(folder, "queen.cql"), QUERY);
  const session = COMMANDS.map((command) => {
    const output = execFileSync("script", ["-qec", `stty cols ${WIDTH} rows 50; ${command} || true`, "/dev/null"], { cwd: folder, env: { ...process.env, PATH: `${folder}:${process.env.PATH}`, TERM: "xterm-256color", NO_COLOR: undefined }, encoding: "utf8" });
    return `<b>$</b> ${escaped(command)}\n${shown(output)}`;
  });
  const page = await browser.newPage();
  await page.setContent(`<style>pre { display: inline-block; margin: 0; padding: 20px 24px; background: #0d1117; color: #e6edf3; font: 14px/20px "DejaVu Sans Mono", monospace; } pre > b { color: #7ee787; }</style><pre>${session.join("")}<b>$</b> </pre>`);
  await page.locator("pre").screenshot({ path: at("docs/src/images/terminal.png") });
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

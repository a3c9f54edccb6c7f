// Builds the page into crates/studio/assets, from where it becomes part of the program.
//
//   npm ci && npm run build            writes the files
//   npm ci && npm run build -- --check fails if the files there differ
//   npm ci && npm run build -- --engine PACKAGE
//                                      writes the package of web/engine, without engine.wasm
//   npm ci && npm run build -- --playground FOLDER PACKAGE
//                                      writes the page of the playground over that package
//
// .ci/engine and .ci/playground add the engine.

import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { build } from "esbuild";
import { copyFileSync, readFileSync, writeFileSync, existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { licenses } from "./licenses.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../crates/studio/assets");
const shapes = join(here, "../crates/table/src/html");

/** Returns the licenses of all packages in the page. */
function licensesOfPage(inputs) {
  const texts = licenses(inputs, here).map(({ name, license, text }) => {
    if (license !== "MIT") throw new Error(`${name} is under ${license}`);
    return `${text}\n`;
  });
  return `The page of cql studio holds these packages.\n\n${texts.join("\n\n")}`;
}

const [mode, folder, engine] = process.argv.slice(2);

const OPTIONS = { absWorkingDir: here, bundle: true, format: "esm", minify: true, target: "es2022", metafile: true, write: false, alias: { "babson-engine": engine ? join(engine, "index.js") : join(here, "engine/js/index.ts") } };
const bundle = (entry, options = {}) => build({ ...OPTIONS, ...options, entryPoints: [join(here, "src", entry)] });
const textOf = (bundled) => bundled.outputFiles[0].text;

/** Builds the files of a page whose entry is a script. */
async function page(entry, change = (html) => html) {
  // The page says what it is for before the editor is there.
  const bundled = await bundle(entry, { external: ["./editor.js"] });
  const editor = await bundle("editor.ts");
  const html = readFileSync(join(here, "src/index.html"), "utf8");
  return {
    "app.js": textOf(bundled),
    "editor.js": textOf(editor),
    "app.css": textOf(await bundle("style.css")),
    // Shapes of the pieces, as in the reports.
    "index.html": change(html).replace("{{pieces}}", () => readFileSync(join(shapes, "pieces.svg"), "utf8").trim()),
    "icon.svg": readFileSync(join(here, "src/icon.svg"), "utf8"),
    "licenses.txt": licensesOfPage({ ...bundled.metafile.inputs, ...editor.metafile.inputs }),
  };
}

const size = (text) => `${(text.length / 1000).toFixed(0)} kB`;
const told = (files) => Object.entries(files).map(([name, text]) => `${name} ${size(text)}`).join(", ");

/** Content security policy of the page: nothing from other origins, and only one inline script. */
const policy = (script) => `default-src 'none'; script-src 'self' 'wasm-unsafe-eval' 'sha256-${createHash("sha256").update(script).digest("base64")}'; worker-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'`;

/** Links to the files that the script fetches; `docs/run.js` reads them to fetch the files early. */
const preloads = ["engine.wasm", "historic.pgn"].map((name) => `<link rel="preload" href="${name}" as="fetch" crossorigin>\n`).join("");

/** Writes the files, and says how large they are. */
function write(folder, files) {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  console.log(told(files));
}

if (mode === "--engine") {
  const source = join(here, "engine");
  write(folder, {
    "index.js": textOf(await bundle("../engine/js/index.ts", { minify: false })),
    "worker.js": textOf(await bundle("../engine/js/worker.ts")),
  });
  for (const name of ["package.json", "README.md"]) copyFileSync(join(source, name), join(folder, name));
  for (const name of ["LICENSE-MIT", "LICENSE-APACHE"]) copyFileSync(join(here, "..", name), join(folder, name));
  execFileSync(join(here, "node_modules/.bin/tsc"), ["-p", source, "--outDir", folder], { stdio: "inherit" });
  process.exit(0);
}

if (mode === "--playground") {
  // The script is no module, so it cannot know its address; it names the worker.
  const begin = textOf(await bundle("begin.ts", { format: "iife", logOverride: { "empty-import-meta": "silent" } })).trim();
  const files = await page("playground.ts", (html) => html
    .replaceAll("cql studio", "cql playground")
    .replaceAll("The studio", "The playground")
    .replace("<title>", `<meta http-equiv="Content-Security-Policy" content="${policy(begin)}">\n${preloads}<script>${begin}</script>\n<title>`));
  files["historic.pgn"] = readFileSync(join(here, "../examples/historic.pgn"), "utf8");
  write(folder, files);
  for (const name of ["worker.js", "engine.wasm"]) copyFileSync(join(engine, name), join(folder, name));
  process.exit(0);
}

const files = await page("main.ts");
const differing = Object.keys(files).filter((name) => {
  const file = join(out, name);
  return !existsSync(file) || readFileSync(file, "utf8") !== files[name];
});
if (mode === "--check") {
  if (differing.length > 0) {
    console.error(`crates/studio/assets is not what web/src makes: ${differing.join(", ")}; run npm run build in web`);
    process.exit(1);
  }
  console.log("crates/studio/assets is what web/src makes");
} else {
  for (const name of differing) writeFileSync(join(out, name), files[name]);
  console.log(told(files));
}

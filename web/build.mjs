// Builds the page into crates/studio/assets, from where it becomes part of the program.
//
//   npm ci && npm run build            writes the files
//   npm ci && npm run build -- --check says whether those that are there are the same

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const out = join(here, "../crates/studio/assets");
const shapes = join(here, "../crates/table/src/html");

/** The licenses of everything that is part of the page. */
function licenses(inputs) {
  const packages = new Set();
  for (const path of Object.keys(inputs)) {
    const name = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path);
    if (name) packages.add(name[1]);
  }
  const texts = [...packages].sort().map((name) => {
    const folder = join(here, "node_modules", name);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    if (license !== "MIT") throw new Error(`${name} is under ${license}`);
    const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
    const text = file ? readFileSync(join(folder, file), "utf8").trim() : "(The package holds no text of it.)";
    return `${name} ${version}: ${license}\n\n${text}\n`;
  });
  return `The page of cql studio holds these packages.\n\n${texts.join("\n\n")}`;
}

const bundled = await build({
  entryPoints: [join(here, "src/main.ts")],
  absWorkingDir: here,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  metafile: true,
  write: false,
});
const style = await build({
  entryPoints: [join(here, "src/style.css")],
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: "es2022",
  write: false,
});
const page = readFileSync(join(here, "src/index.html"), "utf8");
const files = {
  "app.js": bundled.outputFiles[0].text,
  "app.css": style.outputFiles[0].text,
  // The pieces of the reports.
  "index.html": page.replace("{{pieces}}", () => readFileSync(join(shapes, "pieces.svg"), "utf8").trim()),
  "icon.svg": readFileSync(join(here, "src/icon.svg"), "utf8"),
  "licenses.txt": licenses(bundled.metafile.inputs),
};
const differing = Object.keys(files).filter((name) => {
  const file = join(out, name);
  return !existsSync(file) || readFileSync(file, "utf8") !== files[name];
});
if (process.argv.includes("--check")) {
  if (differing.length > 0) {
    console.error(`crates/studio/assets is not what web/src makes: ${differing.join(", ")}; run npm run build in web`);
    process.exit(1);
  }
  console.log("crates/studio/assets is what web/src makes");
} else {
  for (const name of differing) writeFileSync(join(out, name), files[name]);
  const size = (text) => `${(text.length / 1000).toFixed(0)} kB`;
  console.log(Object.entries(files).map(([name, text]) => `${name} ${size(text)}`).join(", "));
}

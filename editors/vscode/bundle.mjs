// npm run bundle: writes dist/extension.js, the extension with the packages that it uses, and
// LICENSE.txt with all licenses. Needs the packages of this folder and of ../../web (npm ci in both).

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { licenses } from "../../web/licenses.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const esbuild = createRequire(join(root, "web/package.json"))("esbuild");

const { metafile } = await esbuild.build({
  absWorkingDir: here, entryPoints: ["extension.js"], outfile: "dist/extension.js",
  bundle: true, minify: true, metafile: true, platform: "node", format: "cjs", target: "node20", external: ["vscode"],
});

const read = (path) => readFileSync(path, "utf8").trim();
const parts = licenses(metafile.inputs, here).map(({ text }) => text);
const own = ["LICENSE-MIT", "LICENSE-APACHE"].map((name) => read(join(root, name)));
const texts = ["The extension may be used under either of these licenses, at your choice.", ...own, "It holds these packages.", ...parts];
writeFileSync(join(here, "LICENSE.txt"), `${texts.join("\n\n\n")}\n`);

// Loads modules of the page, and of its engine, without a browser.

import { buildSync } from "esbuild";

const web = new URL("..", import.meta.url).pathname;

/** Loads a module by its path in `web`. */
export function source(path) {
  const built = buildSync({ entryPoints: [web + path], alias: { "babson-engine": `${web}engine/js/index.ts` }, bundle: true, write: false, format: "esm", logOverride: { "empty-import-meta": "silent" } });
  return import(`data:text/javascript;base64,${Buffer.from(built.outputFiles[0].contents).toString("base64")}`);
}

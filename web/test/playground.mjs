// Serves the playground as static files, and opens it in a browser.

import { createReadStream, existsSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { browserPath, launch } from "./studio.mjs";

/** Folder with the playground. */
export const folder = process.env.PLAYGROUND;

/** Reason why the tests cannot run here; false if they can. */
export function missing() {
  if (!folder || !existsSync(join(folder, "engine.wasm"))) return "PLAYGROUND does not name a playground";
  return browserPath() ? false : "there is no Chromium (CHROMIUM names one)";
}

const KINDS = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".json": "application/json" };

/** Serves the playground. */
export const start = () => serve(folder);

/** Serves a folder unchanged below a path, to a browser. */
export async function serve(folder, at = "/playground/") {
  const asked = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    asked.push(path);
    const name = normalize(path.slice(at.length).replace(/(^|\/)$/, "$1index.html"));
    const file = join(folder, name);
    if (!path.startsWith(at) || name.startsWith("..") || !existsSync(file)) {
      response.writeHead(404).end();
      return;
    }
    response.writeHead(200, { "content-type": KINDS[extname(file)] ?? "application/octet-stream" });
    createReadStream(file).pipe(response);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const browser = await launch();
  return {
    link: `http://127.0.0.1:${server.address().port}${at}`, browser, asked,
    async end() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

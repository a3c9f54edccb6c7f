// The page without a server: files of any web server, and the engine in the page itself.
//
// This is little, so that the engine and its workers are on their way before the rest of the page
// has been read.

import { h, replace } from "./dom";
import { Local } from "./local";

async function fetched(name: string): Promise<Response> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} is not beside the page (${response.status})`);
  return response;
}

async function compiled(): Promise<WebAssembly.Module> {
  const response = await fetched("engine.wasm");
  // Not every server knows what it is.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

async function begin(): Promise<void> {
  try {
    const module = compiled();
    const games = async () => (await fetched("historic.pgn")).blob();
    const local = new Local(module, "historic.pgn", games());
    // What becomes of the engine is waited for below.
    module.catch(() => {});
    const { Studio } = await import("./studio");
    await Promise.all([module, new Studio(local, "playground").start(location.hash)]);
  } catch (error) {
    replace(document.querySelector("#app")!, h("div", { class: "lonely", role: "alert" }, h("h1", {}, "cql playground"), h("p", {}, (error as Error).message)));
  }
}

void begin();

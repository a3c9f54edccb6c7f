// Runs in the head of the playground, so that the engine and a worker load while the page is parsed:
// a busy page has no time to start workers.

import { startWorker, type Begun } from "./engine-worker";

async function fetched(name: string): Promise<Response> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} is missing next to the page (${response.status})`);
  return response;
}

async function compiled(): Promise<WebAssembly.Module> {
  const response = await fetched("engine.wasm");
  // Not every server sends this type, which streaming requires.
  if (response.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

const module = compiled();
const games = fetched("historic.pgn").then((response) => response.blob());
// The page handles the error.
games.catch(() => {});
Object.assign(window, { begun: { module, games, worker: startWorker(module) } satisfies Begun });

// Runs in the head of the playground, so that the engine and a worker load while the page is parsed:
// a busy page has no time to start workers.

import { EngineWorker, compile } from "babson-engine";
import type { Begun } from "./local";

async function fetched(name: string): Promise<Response> {
  const response = await fetch(name);
  if (!response.ok) throw new Error(`${name} is missing next to the page (${response.status})`);
  return response;
}

const module = compile(fetched("engine.wasm"));
const games = fetched("historic.pgn").then((response) => response.blob());
// The page handles the error.
games.catch(() => {});
const worker = new EngineWorker(module, new Worker("worker.js", { type: "module" }));
Object.assign(window, { begun: { module, games, worker } satisfies Begun });

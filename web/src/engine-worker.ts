// A worker with the engine, which may start before the page that it works for.

import type { ToWorker } from "./worker";

export interface EngineWorker {
  readonly worker: Worker;
  /** It has failed, or was ended. */
  hasEnded: boolean;
}

/** Starts a worker, which gets the engine when that is there. */
export function startWorker(module: Promise<WebAssembly.Module>): EngineWorker {
  const engine = { worker: new Worker("worker.js", { type: "module" }), hasEnded: false };
  engine.worker.addEventListener("error", () => (engine.hasEnded = true));
  module.then((module) => engine.worker.postMessage({ module } satisfies ToWorker), () => {});
  return engine;
}

/** What takes the playground longest, as it is begun while the page is still being read. */
export interface Begun {
  module: Promise<WebAssembly.Module>;
  games: Promise<Blob>;
  worker: EngineWorker;
}

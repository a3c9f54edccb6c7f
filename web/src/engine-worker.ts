// A worker with the engine, which may start before the page.

import type { ToWorker } from "./worker";

export interface EngineWorker {
  readonly worker: Worker;
  /** Whether the worker has failed or was terminated. */
  hasEnded: boolean;
}

/** Starts a worker, which receives the engine once that is compiled. */
export function startWorker(module: Promise<WebAssembly.Module>): EngineWorker {
  const engine = { worker: new Worker("worker.js", { type: "module" }), hasEnded: false };
  engine.worker.addEventListener("error", () => (engine.hasEnded = true));
  module.then((module) => engine.worker.postMessage({ module } satisfies ToWorker), () => {});
  return engine;
}

/** The slowest parts of the playground, which start to load while the page is parsed. */
export interface Begun {
  module: Promise<WebAssembly.Module>;
  games: Promise<Blob>;
  worker: EngineWorker;
}

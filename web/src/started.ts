// A worker with the engine, which may start before the page that it works for.

import type { ToWorker } from "./worker";

export interface Started {
  readonly worker: Worker;
  /** It has failed before anybody listened. */
  hasEnded: boolean;
}

/** Starts a worker, which gets the engine when that is there. */
export function start(module: Promise<WebAssembly.Module>): Started {
  const started = { worker: new Worker("worker.js", { type: "module" }), hasEnded: false };
  started.worker.addEventListener("error", () => (started.hasEnded = true));
  module.then((module) => started.worker.postMessage({ module } satisfies ToWorker), () => {});
  return started;
}

/** What takes the playground longest, as it is begun while the page is still being read. */
export interface Begun {
  module: Promise<WebAssembly.Module>;
  games: Promise<Blob>;
  worker: Started;
}

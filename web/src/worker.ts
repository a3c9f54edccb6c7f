// The worker with the engine, and what goes from it to the page.

import { Engine, What } from "./engine";

/** What the page sends. */
export type ToWorker =
  | { module: WebAssembly.Module }
  | { add: number; name: string; file: Blob }
  | { call: number; path: string; body: string; size: number };

/** What comes back. */
export type FromWorker = { call: number } & ({ text: string } | { refusal: string } | { file: Uint8Array<ArrayBuffer> } | { isOver: true });

/** Time between two lines that say how far a pass is. */
const TICK = 100;

let begin: (engine: Engine) => void;
const begun = new Promise<Engine>((resolve) => (begin = resolve));

async function carryOut(message: Exclude<ToWorker, { module: unknown }>): Promise<void> {
  const engine = await begun;
  if ("add" in message) engine.add(message.add, message.name, new Uint8Array(await message.file.arrayBuffer()));
  else {
    const { call, path, body, size } = message;
    const answer = (told: FromWorker) => postMessage(told);
    const progress = { bytes: 0, size, games: 0, matches: 0 };
    let last = performance.now();
    const decoder = new TextDecoder();
    engine.call(path, body, {
      tell(what, bytes) {
        if (what === What.File) answer({ call, file: bytes });
        else if (what === What.Refusal) answer({ call, refusal: decoder.decode(bytes) });
        else answer({ call, text: decoder.decode(bytes) });
      },
      read(bytes, games, matches) {
        progress.bytes += bytes;
        progress.games += games;
        progress.matches += matches;
        if (performance.now() - last < TICK) return;
        last = performance.now();
        answer({ call, text: `${JSON.stringify({ progress })}\n` });
      },
    });
    answer({ call, isOver: true });
  }
}

let before: Promise<void> = Promise.resolve();
addEventListener("message", ({ data }: MessageEvent<ToWorker>) => {
  // What is asked before the engine is there waits for it.
  if ("module" in data) begin(new Engine(data.module));
  else before = before.then(() => carryOut(data));
});

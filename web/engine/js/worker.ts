// The worker with the engine, and its messages to the page.

import { Engine, What } from "./engine.js";

/** Messages from the page. */
export type ToWorker =
  | { module: WebAssembly.Module }
  | { add: number; name: string; file: Blob }
  | { call: number; path: string; body: string; size: number };

/** Part of an answer. */
export type Part = { text: string } | { refusal: string } | { file: Uint8Array<ArrayBuffer> };

/** Messages to the page. */
export type FromWorker = { call: number } & (Part | { isOver: true });

/** Milliseconds between two reports of progress. */
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
  // Requests that arrive before the engine wait for it.
  if ("module" in data) begin(new Engine(data.module));
  else before = before.then(() => carryOut(data));
});

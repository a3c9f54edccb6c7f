// The engine in a worker of the browser, and its requests.

import { Answer, searchOf } from "./answer.js";
import type { Found, Query } from "./types.js";
import type { FromWorker, Part, ToWorker } from "./worker.js";

/** The engine in a worker. It receives requests at once, and answers one after the other. */
export class EngineWorker {
  private readonly waiting = new Map<number, (answer: FromWorker | null) => void>();
  private last = 0;
  private hasEnded = false;

  /** The worker runs `worker.js` of this package, as a module. The engine may still be compiling. */
  constructor(module: WebAssembly.Module | Promise<WebAssembly.Module>, private readonly worker: Worker) {
    worker.addEventListener("message", ({ data }: MessageEvent<FromWorker>) => this.waiting.get(data.call)?.(data));
    worker.addEventListener("error", () => this.end());
    Promise.resolve(module).then((module) => this.send({ module }), () => this.end());
  }

  private send(message: ToWorker): void {
    this.worker.postMessage(message);
  }

  /** Adds a file with games in PGN, under a number for requests. */
  add(file: number, name: string, games: Blob): void {
    this.send({ add: file, name, file: games });
  }

  /** Sends a request, and passes the parts of its answer to `take` until the last one. For a pass over
   * games, `size` is the number of their bytes; lines with the progress are then part of the answer. */
  request(path: string, body: unknown, take: (part: Part) => void, size = 0): Promise<void> {
    const call = ++this.last;
    return new Promise((resolve, reject) => {
      this.waiting.set(call, (answer) => {
        if (answer === null) return reject(new Error("The engine has ended; reload the page."));
        if (!("isOver" in answer)) return take(answer);
        this.waiting.delete(call);
        resolve();
      });
      this.send({ call, path, body: typeof body === "string" ? body : JSON.stringify(body), size });
      if (this.hasEnded) this.end();
    });
  }

  /** Returns the value that answers a request. */
  async value<T>(path: string, body: unknown = {}): Promise<T> {
    return (await this.answer(path, body)).value;
  }

  /** Searches files by their numbers. */
  async search(query: string | Query, files: number[]): Promise<Found> {
    return (await this.answer("/api/search", searchOf(query, files))).found;
  }

  private async answer(path: string, body: unknown): Promise<Answer> {
    const answer = new Answer();
    await this.request(path, body, (part) => {
      if ("text" in part) answer.text += part.text;
      if ("refusal" in part) answer.refusal = part.refusal;
    });
    return answer;
  }

  /** Ends the worker, also in the middle of a request. */
  end(): void {
    this.hasEnded = true;
    this.worker.terminate();
    for (const tell of this.waiting.values()) tell(null);
    this.waiting.clear();
  }
}

/** Compiles the engine from a response, whatever its type: not every server sends the one that
 * streaming requires. */
export async function compile(response: Response | Promise<Response>): Promise<WebAssembly.Module> {
  const got = await response;
  if (!got.ok) throw new Error(`${got.url} is missing (${got.status})`);
  if (got.headers.get("content-type") === "application/wasm") return WebAssembly.compileStreaming(got);
  return WebAssembly.compile(await got.arrayBuffer());
}

/** Starts the engine from the files of this package. */
export function startEngine(): EngineWorker {
  const module = compile(fetch(new URL("./engine.wasm", import.meta.url)));
  return new EngineWorker(module, new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
}

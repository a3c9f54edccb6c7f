// The engine in WebAssembly. A panic ends it: it is then started again, and repeats the request
// without the game that caused the panic.

import { Answer, searchOf } from "./answer.js";
import type { Found, Query } from "./types.js";

/** Kinds of messages, as in src/outside.rs. */
export enum What {
  Answer, Refusal, File, Panic,
}

interface Exports {
  memory: WebAssembly.Memory;
  room(length: number): number;
  call(): void;
}

/** Number of games that may panic before a request is refused. */
const MOST_BROKEN = 20;

/** Receives the answer of a request while it is found. */
export interface Told {
  tell(what: What, bytes: Uint8Array<ArrayBuffer>): void;
  /** Called with the bytes, games and matches read since the last call. */
  read?(bytes: number, games: number, matches: number): void;
}

/** The engine in this thread, which waits for its answers. */
export class Engine {
  private exports!: Exports;
  private readonly files = new Map<number, [string, Uint8Array]>();
  private told: Told = { tell() {} };
  /** Number of the game that is being evaluated; 0 if none is. */
  private number = 0;
  private broken = new Set<number>();
  /** Number of bytes of the answer that were passed on before a panic, and are still to be skipped. */
  private known = 0;
  private panic = "";

  constructor(private readonly module: WebAssembly.Module) {
    this.start();
  }

  private start(): void {
    const page = {
      tell: (what: What, from: number, length: number) => this.tell(what, new Uint8Array(this.exports.memory.buffer, from, length)),
      read: (bytes: number, games: number, matches: number) => this.told.read?.(bytes, games, matches),
      may_evaluate: (number: number) => this.mayEvaluate(number),
      seconds: () => performance.now() / 1000,
    };
    this.exports = new WebAssembly.Instance(this.module, { page }).exports as unknown as Exports;
    for (const [id, [name, bytes]] of this.files) this.once(`add ${id} ${name}\n`, bytes);
  }

  /** Called before each game. Returns false for a game that has caused a panic. */
  protected mayEvaluate(number: number): boolean {
    this.number = number;
    return !this.broken.has(number);
  }

  private tell(what: What, bytes: Uint8Array): void {
    if (what === What.Panic) {
      this.panic = new TextDecoder().decode(bytes);
      return;
    }
    let from = 0;
    if (what === What.Answer) {
      // A repeated request repeats the start of its answer, which is skipped.
      from = Math.min(this.known, bytes.length);
      this.known -= from;
    }
    if (from < bytes.length) this.told.tell(what, bytes.slice(from));
  }

  private once(head: string, body: Uint8Array): void {
    const start = new TextEncoder().encode(head);
    const place = this.exports.room(start.length + body.length);
    const room = new Uint8Array(this.exports.memory.buffer, place, start.length + body.length);
    room.set(start);
    room.set(body, start.length);
    this.exports.call();
  }

  /** Adds a file with games. */
  add(id: number, name: string, bytes: Uint8Array): void {
    this.files.set(id, [name, bytes]);
    this.once(`add ${id} ${name}\n`, bytes);
  }

  /** Returns the value that answers a request. */
  value<T>(path: string, body: unknown = {}): T {
    return this.answer(path, body).value;
  }

  /** Searches files by their numbers. */
  search(query: string | Query, files: number[]): Found {
    return this.answer("/api/search", searchOf(query, files)).found;
  }

  private answer(path: string, body: unknown): Answer {
    const answer = new Answer();
    const decoder = new TextDecoder();
    this.call(path, JSON.stringify(body), {
      tell(what, bytes) {
        if (what === What.Answer) answer.text += decoder.decode(bytes, { stream: true });
        if (what === What.Refusal) answer.refusal = new TextDecoder().decode(bytes);
      },
    });
    return answer;
  }

  /** Handles a request, at an address of the server. */
  call(path: string, body: string, told: Told): void {
    const bytes = new TextEncoder().encode(body);
    let n = 0;
    this.broken = new Set();
    this.known = 0;
    for (;;) {
      this.told = { tell: (what, bytes) => ((n += what === What.Answer ? bytes.length : 0), told.tell(what, bytes)), read: told.read?.bind(told) };
      this.number = 0;
      try {
        return this.once(`${path}\n`, bytes);
      } catch (error) {
        console.warn(`game ${this.number}: ${this.panic || String(error)}`);
        const { number } = this;
        this.told = { tell() {} };
        this.known = 0;
        this.start();
        if (number === 0 || this.broken.has(number) || this.broken.size >= MOST_BROKEN) {
          return told.tell(What.Refusal, new TextEncoder().encode(`a defect of cql: ${this.panic || String(error)}`));
        }
        this.broken.add(number);
        this.known = n;
      } finally {
        this.told = { tell() {} };
      }
    }
  }
}

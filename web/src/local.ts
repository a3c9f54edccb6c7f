// The backend in the page itself: one worker answers the requests of the editor, and each pass over
// the games has a worker of its own, which is terminated after the pass.

import { Answers, Lines, Refused, saveData, type Backend, type Collection, type ExportOptions, type Kept, type Progress, type Query, type Saved, type Selection, type State } from "./backend";
import { EngineWorker, Refusal, type Part } from "babson-engine";

/** Greatest size of a file in bytes; larger ones need the program. */
const LARGEST = 200e6;

/** Key of the state in the browser's storage. */
const KEPT = "cql-playground";

interface Held {
  collection: Collection;
  file: Blob;
}

/** The slowest parts of the playground, which start to load while the page is parsed. */
export interface Begun {
  module: Promise<WebAssembly.Module>;
  games: Promise<Blob>;
  worker: EngineWorker;
}

/** Adds games to a worker, under their unique name. */
function give(worker: EngineWorker | null, { collection, file }: Held): void {
  worker?.add(collection.id, collection.name, file);
}

/** A pass over games. */
interface Pass {
  request: string;
  post: EngineWorker;
  over: Promise<void>;
  /** Receives the answers. */
  take(answer: Part): void;
}

export class Local extends Answers implements Backend {
  readonly runsLinks = true;
  readonly whereFilesGo = "They stay in the browser while the page is open.";
  private readonly held = new Map<number, Held>();
  /** Worker that was started before the first request; null once it is used. */
  private first: EngineWorker | null;
  private asking: EngineWorker | null = null;
  /** Worker that is ready for the next pass. */
  private spare: EngineWorker | null = null;
  /** A search started before the page requests it, and its results so far. */
  private ahead: { pass: Pass; found: Part[] } | null = null;
  private lastId = 0;
  /** The file that was written last. */
  private made = new Blob();
  /** Resolves once the first file of games is loaded. */
  private readonly begun: Promise<void>;

  private readonly module: Promise<WebAssembly.Module>;

  /** The engine, its worker and the games may still be loading. */
  constructor({ module, games, worker }: Begun, name: string) {
    super();
    this.module = module;
    this.first = worker;
    this.begun = games.then((file) => {
      const held = this.hold(name, file, "file");
      give(this.asking, held);
      give(this.spare, held);
    });
    // `collections` reports the error.
    this.begun.catch(() => {});
  }

  private hold(name: string, file: Blob, kind: Collection["kind"]): Held {
    const names = [...this.held.values()].map((held) => held.collection.name);
    let unique = name;
    for (let n = 2; names.includes(unique); n++) unique = name.replace(/(\.[^.]+(\.gz)?)?$/, ` (${n})$1`);
    const held = { collection: { id: ++this.lastId, name: unique, kind, path: unique, bytes: file.size, archive: null }, file };
    this.held.set(held.collection.id, held);
    return held;
  }

  private get all(): Collection[] {
    return [...this.held.values()].map((held) => held.collection);
  }

  private newPost(): EngineWorker {
    const post = this.first ?? new EngineWorker(this.module, new Worker("worker.js", { type: "module" }));
    this.first = null;
    for (const held of this.held.values()) give(post, held);
    return post;
  }

  private prepare(): void {
    this.spare?.end();
    this.spare = this.newPost();
  }

  /** Starts a search of all games, which the page will request. */
  async begin(query: Query): Promise<void> {
    const collections = (await this.collections()).map((collection) => collection.id);
    const found: Part[] = [];
    const pass = this.beginPass("/api/search", { ...query, collections });
    pass.take = (answer) => found.push(answer);
    // The page reports the error when it requests the search.
    pass.over.catch(() => {});
    this.ahead = { pass, found };
  }

  private beginPass(path: string, body: { collections?: number[] }): Pass {
    const ids = body.collections ?? [...this.held.keys()];
    const size = ids.reduce((size, id) => size + (this.held.get(id)?.file.size ?? 0), 0);
    const post = this.spare ?? this.newPost();
    this.spare = null;
    const text = JSON.stringify(body);
    const pass: Pass = { request: path + text, post, over: Promise.resolve(), take: () => {} };
    pass.over = post.request(path, text, (answer) => pass.take(answer), size);
    return pass;
  }

  private async answer(path: string, body: unknown): Promise<any> {
    this.asking ??= this.newPost();
    try {
      return await this.asking.value(path, body);
    } catch (error) {
      throw error instanceof Refusal ? new Refused(400, error.message) : error;
    }
  }

  protected get(path: string): Promise<any> {
    return this.answer(path, {});
  }

  protected post<T>(path: string, body: unknown): Promise<T> {
    return this.answer(path, body);
  }

  protected lines(path: string, body: unknown, signal: AbortSignal, take: (line: any) => void): Promise<any> {
    return this.pass(path, body, signal, take);
  }

  private async pass(path: string, body: any, signal: AbortSignal, take: (line: any) => void): Promise<any> {
    const { ahead } = this;
    this.ahead = null;
    const isAhead = ahead !== null && ahead.pass.request === path + JSON.stringify(body);
    if (!isAhead) ahead?.pass.post.end();
    const pass = isAhead ? ahead.pass : this.beginPass(path, body);
    const lines = new Lines(signal, take);
    let before: Promise<void> = Promise.resolve();
    let refusal: string | null = null;
    const stopped = new Promise<never>((_, reject) => {
      const stop = () => reject(new DOMException("stopped", "AbortError"));
      if (signal.aborted) stop();
      signal.addEventListener("abort", stop);
    });
    pass.take = (answer) => {
      if ("refusal" in answer) refusal = answer.refusal;
      else if ("file" in answer) this.made = new Blob([answer.file]);
      else if ("text" in answer) before = before.then(() => lines.add(answer.text));
    };
    if (isAhead) ahead.found.forEach(pass.take);
    try {
      await Promise.race([pass.over.then(() => before), stopped]);
    } finally {
      pass.over.catch(() => {});
      before.catch(() => {});
      pass.post.end();
      this.prepare();
    }
    if (refusal !== null) throw new Refused(200, refusal);
    return lines.end;
  }

  async collections(): Promise<Collection[]> {
    await this.begun;
    return this.all;
  }

  async state(): Promise<State> {
    const collections = await this.collections();
    const state = { ...(await this.get("/api/state")), collections };
    if (!this.spare) this.prepare();
    return state;
  }

  async save(query: Query, on: Selection, options: ExportOptions, progress: (p: Progress) => void, signal: AbortSignal) {
    const end = await this.written("/api/export", { ...query, ...on, ...options }, progress, signal);
    saveData(this.made, end.name);
    return end;
  }

  async saveCollection(query: Query, on: Selection, saved: Saved, progress: (p: Progress) => void, signal: AbortSignal) {
    const end = await this.written("/api/export", { ...query, ...on, ...saved, format: "pgn" }, progress, signal);
    return { ...end, ...this.take(`${saved.name}.pgn`, this.made, "saved") };
  }

  async add(file: File): Promise<{ id: number; collections: Collection[] }> {
    if (file.size > LARGEST) throw new Refused(400, `${file.name} is too large for the playground; \`cql studio\` searches files of any size`);
    if (/\.(zst|bz2|xz|lz4|zip|tar|tar\.gz|tgz|7z|cqa|parquet|cbh|cbv|si4|si5)$/i.test(file.name)) throw new Refused(400, `${file.name} cannot be read in the playground; use \`cql studio\``);
    let bytes: Blob = file;
    if (/\.gz$/i.test(file.name)) bytes = await new Response(file.stream().pipeThrough(new DecompressionStream("gzip"))).blob();
    return this.take(file.name, bytes, "dropped");
  }

  private take(name: string, bytes: Blob, kind: Collection["kind"]): { id: number; collections: Collection[] } {
    const held = this.hold(name, bytes, kind);
    give(this.asking, held);
    this.prepare();
    return { id: held.collection.id, collections: this.all };
  }

  async remove(collection: number): Promise<Collection[]> {
    this.held.delete(collection);
    this.prepare();
    return this.all;
  }

  async kept(): Promise<Kept> {
    try {
      return JSON.parse(localStorage.getItem(KEPT) ?? "") as Kept;
    } catch {
      return { version: 0, state: null };
    }
  }

  async keep(kept: Kept): Promise<{ version: number; theirs?: Kept; lost?: string }> {
    const there = await this.kept();
    if (there.version !== kept.version) return { version: there.version, theirs: there };
    const version = kept.version + 1;
    const { state } = kept;
    const attempts: [unknown, string?][] = [[state], [{ ...(state as object), history: [] }, "earlier searches"]];
    for (const [state, lost] of attempts) {
      try {
        localStorage.setItem(KEPT, JSON.stringify({ version, state }));
        return { version, lost };
      } catch {
        // There is no room for this much.
      }
    }
    throw new Refused(0, "The browser does not store queries here: they are lost when you close the page.");
  }
}

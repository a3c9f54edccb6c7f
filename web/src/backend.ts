// The interface between the page and its backend, which knows the language and has the games: the
// server of `cql studio`, or workers in the page itself.

import type {
  BookPage, Cells, ExportOptions, Funnel, Game, GameFault, GameReference, Heading, Holds, Ideas, LegalMoves, Passage, Progress, Query, SearchEnd, Stats,
} from "babson-engine";

export type * from "babson-engine";

export interface Collection {
  id: number;
  name: string;
  kind: "file" | "folder" | "archive" | "dropped" | "saved";
  path: string;
  bytes: number | null;
  /** State of its archive; null if it cannot have one. */
  archive: { state: "none" | "unfinished" | "there" | "broken"; message?: string; themes?: string[] } | null;
}

/** Collections, and the games chosen among theirs. */
export interface Selection {
  collections: number[];
  /** Numbers of the chosen games, each as the difference from the one before it; undefined for all. */
  games?: number[];
  /** State of the files when their games were numbered. */
  stamp?: string;
}

/** A file that the server has made, at its address. */
export interface MadeFile {
  name: string;
  address: string;
  bytes: number;
}

/** Whether an issue is that of a file which cannot be read to its end. */
export function isOfFile(fault: GameFault): boolean {
  return fault.game === undefined;
}

/** Whether an issue is that of an archive which is not used. */
export function isOfArchive(fault: GameFault): boolean {
  return fault.game === 0 && !fault.encoding;
}

/** What is missing from a file that was written. */
export interface Lacking {
  /** Number of issues of games, and the first of them. */
  faults: number;
  told: GameFault[];
  /** Number of games among them that are left out, and of files that cannot be read to their end. */
  leftOut: number;
}

/** How results become a collection. */
export interface Saved {
  name: string;
  /** Whether the games stay as they are, without the comments of the query. */
  plain: boolean;
}

/** What a report consists of. */
export interface Made {
  /** Texts to save, by the extensions of their files. `html` is also shown. */
  texts?: Record<string, string>;
  file?: MadeFile | null;
  /** Sentences about games that were not read as they should be. */
  notes: string[];
  games?: number;
  /** Number of matching games without a diagram, and of diagrams from before the match. */
  other?: number;
  before?: number;
  counts?: { exercises: number; mates: number; by_evaluations: number; positions: number; refused: Record<string, number> };
  totals?: { games: number; equal: number; near: number; same_moves: number; unreadable: number; other_rules: number; without_start: number };
  sums?: { games: number; faulty_games: number; games_not_repaired: number; faults: { name: string; count: number; games: number }[] };
  rows?: Record<string, unknown>[];
}

/** The lines that an engine finds best, with scores of White. */
export interface EngineLines {
  depth: number;
  lines: { score: number | null; mate: number | null; moves: string[] }[];
}

export interface State {
  version: string;
  threads: number;
  /** Name of the engine that shows its lines; null if there is none. */
  engine?: string | null;
  collections: Collection[];
  book: BookPage[];
  columns: string[];
}

/** A game of the list, with the index of its input. It stays a line of text until its cells are
 * needed: most games are never shown. */
export class Row {
  private parsed: Cells | null = null;

  constructor(private line: string, readonly input: number) {}

  /** Number of the game. */
  get number(): number {
    return this.parsed ? this.parsed[0] : Number.parseInt(this.line.slice(1, 24), 10);
  }

  get cells(): Cells {
    if (this.parsed === null) {
      this.parsed = JSON.parse(this.line) as Cells;
      this.line = "";
    }
    return this.parsed;
  }
}

export interface Listener {
  start(told: Heading): void;
  /** Receives the state of the files that are searched. */
  stamp?(stamp: string): void;
  rows(rows: Row[]): void;
  input(name: string): void;
  progress(progress: Progress): void;
  fault(fault: GameFault): void;
  said(text: string): void;
}

/** Games with a position, and those that continue with each move. */
export interface OpeningTree {
  opening?: string;
  games: number;
  ends: number;
  moves: { move: string; uci: string; opening?: string; games: number; white: number; draws: number; black: number; score: number | null }[];
  /** Sentences about files that were not read as they should be. */
  notes: string[];
}

export interface Kept {
  version: number;
  state: unknown;
}

export interface Backend {
  /** Whether a link may start a search, which is safe if everybody has the same games. */
  readonly runsLinks: boolean;
  /** Sentence that says where dropped files go. */
  readonly whereFilesGo: string;
  state(): Promise<State>;
  /** Returns the collections of the state, possibly earlier than `state` does. */
  collections(): Promise<Collection[]>;
  ask<T>(what: string, text: string, at?: number, to?: number, name?: string): Promise<T>;
  search(query: Query, on: Selection, listener: Listener, signal: AbortSignal): Promise<SearchEnd>;
  funnel(query: Query, on: Selection, progress: (p: Progress) => void, signal: AbortSignal): Promise<Funnel>;
  stats(on: Selection, progress: (p: Progress) => void, signal: AbortSignal): Promise<Stats>;
  /** Builds the archive of a collection. `themes` says whether it stores the themes of its games, and is
   * undefined if it stores those that it already has. `unused` says why no search uses the archive. */
  archive(collection: number, themes: boolean | undefined, progress: (p: Progress) => void, signal: AbortSignal): Promise<{ name: string; games: number; unused: string | null }>;
  game(query: Query, game: GameReference): Promise<{ game: Game; pgn: string; isMatch: boolean }>;
  holds(query: Query, game: GameReference): Promise<Holds>;
  /** Exports to a file, and has the browser save it. */
  save(query: Query, on: Selection, options: ExportOptions, progress: (p: Progress) => void, signal: AbortSignal): Promise<{ name: string; bytes: number } & Lacking>;
  /** Returns the legal moves of a position. */
  moves(fen: string): Promise<LegalMoves>;
  /** Returns the queries of a passage of a game; undefined if the backend makes none. */
  passage?(pgn: string, range: string): Promise<Passage>;
  /** Counts the moves played from a position; undefined if the backend cannot. */
  tree?(position: string, on: Selection, signal: AbortSignal): Promise<OpeningTree>;
  /** Makes a report; undefined if the backend makes none. */
  report?(query: Query, on: Selection, report: object, progress: (p: Progress) => void, signal: AbortSignal): Promise<Made>;
  /** Asks the engine about a position until it has thought long enough. */
  engine?(fen: string, tell: (lines: EngineLines) => void, signal: AbortSignal): Promise<void>;
  /** Tells whether files have changed since a search, and the names of those that are no longer there; undefined if
   * they cannot change. */
  changed?(on: Selection): Promise<{ changed: boolean; gone: string[] }>;
  /** Makes a collection of the results. */
  saveCollection(query: Query, on: Selection, saved: Saved, progress: (p: Progress) => void, signal: AbortSignal): Promise<{ id: number; collections: Collection[] } & Lacking>;
  page(name: string): Promise<string>;
  /** Finds ideas by words. */
  find(words: string): Promise<Ideas>;
  /** Adds a file. `isThere` says that a collection with these games is there already, whose id this is. */
  add(file: File): Promise<{ id: number; collections: Collection[]; isThere?: boolean }>;
  remove(collection: number): Promise<Collection[]>;
  kept(): Promise<Kept>;
  /** Stores the state. Returns the stored version, the state of another window if that stored one meanwhile, and
   * what could not be stored. */
  keep(kept: Kept): Promise<{ version: number; theirs?: Kept; lost?: string }>;
}

/** Milliseconds between two updates of the results, and until the page shows that a search has found
 * nothing yet. Drawing more often would take processor time from the search. */
export const PACE = 250;

/** The connection broke in the middle of an answer, as when a phone sleeps. */
export class Interrupted extends Error {}

/** A request was refused or has failed. */
export class Refused extends Error {
  constructor(readonly status: number, message: string) {
    super(message);
  }
}

/** A backend that answers requests at the addresses of the server, as one value or in lines. */
export abstract class Answers {
  abstract readonly runsLinks: boolean;
  abstract readonly whereFilesGo: string;

  abstract state(): Promise<State>;
  protected abstract get(path: string): Promise<any>;
  protected abstract post<T>(path: string, body: unknown): Promise<T>;

  /** Passes the lines of an answer to `take` (rows of the list as text), and returns the last one. */
  protected abstract lines(path: string, body: unknown, signal: AbortSignal, take: (line: any) => void): Promise<any>;

  async collections(): Promise<Collection[]> {
    return (await this.state()).collections;
  }

  ask<T>(what: string, text: string, at = 0, to?: number, name = ""): Promise<T> {
    return this.post("/api/ask", { what, text, at, to, name });
  }

  search(query: Query, on: Selection, listener: Listener, signal: AbortSignal): Promise<SearchEnd> {
    let batch: Row[] = [];
    let progress: Progress | null = null;
    let input = -1;
    let shown = -Infinity;
    let timer = 0;
    let isFirst = true;
    const began = performance.now();
    const look = () => {
      const passed = performance.now() - began;
      // A search that will end before the next update is shown only once, at that time.
      const isShort = !!progress?.size && passed < PACE && passed * progress.size < PACE * progress.bytes;
      if (isShort) timer = setTimeout(look, PACE - passed);
      else show();
    };
    const show = () => {
      timer = 0;
      shown = performance.now();
      if (progress) listener.progress(progress);
      if (batch.length > 0) listener.rows(batch);
      progress = null;
      batch = [];
    };
    const showSoon = () => (timer ||= setTimeout(look, Math.max(0, shown + PACE - performance.now())));
    const take = (line: any) => {
      if (typeof line === "string") {
        batch.push(new Row(line, input));
        // The user waits for the first games.
        if (isFirst) {
          isFirst = false;
          shown = -Infinity;
          clearTimeout(timer);
          timer = 0;
        }
        showSoon();
      } else if (line.progress) {
        progress = line.progress;
        showSoon();
      } else if (line.start) listener.start(line.start);
      else if (line.stamp) listener.stamp?.(line.stamp);
      else if (line.input !== undefined) {
        input += 1;
        listener.input(line.input);
      } else if (line.fault) listener.fault(line.fault);
      else if (line.said) listener.said(line.said);
    };
    return this.lines("/api/search", { ...query, ...on }, signal, take).finally(() => {
      clearTimeout(timer);
      show();
    });
  }

  /** Has a file written from games. Returns the last line of the answer, with the issues that were told before. */
  protected async written(path: string, body: unknown, progress: (p: Progress) => void, signal: AbortSignal): Promise<any> {
    const told: GameFault[] = [];
    const end = await this.lines(path, body, signal, (line) => (line.fault ? told.push(line.fault) : line.progress && progress(line.progress)));
    return { ...end, told };
  }

  funnel(query: Query, on: Selection, progress: (p: Progress) => void, signal: AbortSignal): Promise<Funnel> {
    return this.lines("/api/funnel", { ...query, ...on }, signal, (line) => line.progress && progress(line.progress));
  }

  stats(on: Selection, progress: (p: Progress) => void, signal: AbortSignal): Promise<Stats> {
    return this.lines("/api/stats", on, signal, (line) => line.progress && progress(line.progress));
  }

  archive(collection: number, themes: boolean | undefined, progress: (p: Progress) => void, signal: AbortSignal): Promise<{ name: string; games: number; unused: string | null }> {
    return this.lines(`/api/collections/${collection}/archive`, { themes }, signal, (line) => line.progress && progress(line.progress));
  }

  game(query: Query, game: GameReference): Promise<{ game: Game; pgn: string; isMatch: boolean }> {
    return this.post("/api/game", { ...query, game });
  }

  holds(query: Query, game: GameReference): Promise<Holds> {
    return this.post("/api/holds", { ...query, game });
  }

  moves(fen: string): Promise<LegalMoves> {
    return this.post("/api/moves", { fen });
  }

  async page(name: string): Promise<string> {
    return (await this.get(`/api/book/${name}`)).text;
  }

  find(words: string): Promise<Ideas> {
    return this.post("/api/find", { words });
  }
}

/** Splits text that arrives in pieces into lines, and yields now and then so that the page responds. */
export class Lines {
  /** Last line, once it has arrived. */
  end: any;
  private rest = "";
  private started = performance.now();

  constructor(private readonly signal: AbortSignal, private readonly take: (line: any) => void) {}

  async add(text: string): Promise<void> {
    this.rest += text;
    let from = 0;
    for (let to; (to = this.rest.indexOf("\n", from)) >= 0; from = to + 1) {
      const text = this.rest.slice(from, to);
      if (text.startsWith("[")) this.take(text);
      else {
        const line = JSON.parse(text);
        if (line.error !== undefined) throw new Refused(200, line.error);
        if (line.end !== undefined) this.end = line.end;
        else this.take(line);
      }
      if (performance.now() - this.started > 6) {
        await others();
        if (this.signal.aborted) throw new DOMException("stopped", "AbortError");
        this.started = performance.now();
      }
    }
    this.rest = this.rest.slice(from);
  }
}

/** Has the browser save a file. */
export function saveAs(address: string, name: string): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

/** Has the browser save data that the page has. */
export function saveData(data: BlobPart, name: string): void {
  const address = URL.createObjectURL(new Blob([data]));
  saveAs(address, name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/** Yields to other tasks of the page. It requests no frame, since most would show nothing new. */
function others(): Promise<void> {
  const { scheduler } = globalThis as { scheduler?: { yield?(): Promise<void> } };
  return scheduler?.yield?.() ?? new Promise((resolve) => setTimeout(resolve, 0));
}

// The backend that is the server of the page, `cql studio`.

import { Answers, Interrupted, Lines, Refused, saveAs, type Backend, type Collection, type EngineLines, type ExportOptions, type Kept, type Made, type OpeningTree, type Passage, type Progress, type Query, type Saved, type Selection, type State } from "./backend";

const GONE = "The studio does not answer. Is `cql studio` still running? Your queries stay here while the page is open.";

/** Requests to the server of this page. */
export class Server extends Answers implements Backend {
  readonly runsLinks = false;
  readonly whereFilesGo = "Copies are kept while the studio runs.";

  constructor(public token: string) {
    super();
  }

  private async fetch(method: string, path: string, body?: BodyInit, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
    let response;
    try {
      response = await fetch(path, { method, body, headers: { "x-studio-token": this.token, ...headers }, signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      throw new Refused(0, GONE);
    }
    if (!response.ok && response.status !== 409) {
      const told = await response.json().catch(() => ({}));
      throw new Refused(response.status, told.error ?? `The studio answered with status ${response.status}`);
    }
    return response;
  }

  protected async get(path: string): Promise<any> {
    return (await this.fetch("GET", path)).json();
  }

  protected async post<T>(path: string, body: unknown): Promise<T> {
    return (await this.fetch("POST", path, JSON.stringify(body))).json();
  }

  protected async lines(path: string, body: unknown, signal: AbortSignal, take: (line: any) => void): Promise<any> {
    const response = await this.fetch("POST", path, JSON.stringify(body), {}, signal);
    const reader = response.body!.getReader();
    const decoder = new TextDecoder();
    const lines = new Lines(signal, take);
    for (;;) {
      const { value, done } = await reader.read().catch((error) => {
        if (signal.aborted) throw error;
        throw new Interrupted("The connection broke before the answer was complete.");
      });
      if (done) break;
      await lines.add(decoder.decode(value, { stream: true }));
    }
    if (lines.end === undefined) throw new Refused(200, "The answer of the studio is incomplete, which is a defect of the studio.");
    return lines.end;
  }

  async state(): Promise<State> {
    return this.get("/api/state");
  }

  async save(query: Query, on: Selection, options: ExportOptions, progress: (p: Progress) => void, signal: AbortSignal) {
    const end = await this.written("/api/export", { ...query, ...on, ...options }, progress, signal);
    saveAs(end.address, end.name);
    return end;
  }

  tree(position: string, on: Selection, signal: AbortSignal): Promise<OpeningTree> {
    return this.lines("/api/tree", { position, ...on }, signal, () => {});
  }

  report(query: Query, on: Selection, report: object, progress: (p: Progress) => void, signal: AbortSignal): Promise<Made> {
    return this.lines("/api/report", { ...query, ...on, report }, signal, (line) => line.progress && progress(line.progress));
  }

  engine(fen: string, tell: (lines: EngineLines) => void, signal: AbortSignal): Promise<void> {
    return this.lines("/api/engine", { fen }, signal, (line) => line.lines && tell(line));
  }

  changed(on: Selection): Promise<{ changed: boolean; gone: string[] }> {
    return this.post("/api/changed", on);
  }

  passage(pgn: string, range: string): Promise<Passage> {
    return this.post("/api/passage", { pgn, range });
  }

  saveCollection(query: Query, on: Selection, saved: Saved, progress: (p: Progress) => void, signal: AbortSignal) {
    return this.written("/api/save", { ...query, ...on, ...saved, format: "pgn" }, progress, signal);
  }

  async add(file: File): Promise<{ id: number; collections: Collection[]; isThere?: boolean }> {
    return (await this.fetch("POST", "/api/collections", file, { "x-studio-name": encodeURIComponent(file.name) })).json();
  }

  async remove(collection: number): Promise<Collection[]> {
    return (await (await this.fetch("DELETE", `/api/collections/${collection}`)).json()).collections;
  }

  async kept(): Promise<Kept> {
    return this.get("/api/workspace");
  }

  async keep(kept: Kept): Promise<{ version: number; theirs?: Kept }> {
    const response = await this.fetch("PUT", "/api/workspace", JSON.stringify(kept));
    const told = await response.json();
    return response.status === 409 ? { version: told.version, theirs: told } : told;
  }
}

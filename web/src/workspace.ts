// The queries in their tabs, and the settings, which the backend stores between two visits.

import { Refused, type Backend, type Kept } from "./backend";
import { settled, toast } from "./dom";

export interface Doc {
  id: string;
  name: string;
  text: string;
}

export interface Past {
  query: string;
  when: number;
  matches: number;
  games: number;
  /** Whether the page searched by itself after a change: the next search replaces it. */
  isQuiet?: boolean;
}

export interface Settings {
  docs: Doc[];
  current: string;
  /** Expressions whose values are columns. */
  values: string[];
  /** Names of the collections that are not searched. */
  off: string[];
  theme: "auto" | "light" | "dark";
  flipped: boolean;
  /** Whether the opening tree counts all games, and not only those of the search. */
  isTreeOfAll: boolean;
  /** How the query is asked. */
  way: "mask" | "position" | "query";
  history: Past[];
}

/** What belongs to a window of the browser, which stores it until the window is closed. */
interface Own extends Pick<Settings, "values" | "off" | "isTreeOfAll" | "way"> {
  doc: Doc;
  /** Text of the query when it was stored last. */
  stored: string;
}

/** Name under which the browser stores this. */
const OWN = "own";

const FIRST = `// Mate by the side that has less.
// Ctrl+Enter searches; hover a word to read about it.
cql()
flipcolor {
  mate
  btm
  power A < power a
  comment("mate, points down: " (power a) - (power A))
}
`;

export function newId(): string {
  return Math.random().toString(36).slice(2, 10);
}

function fresh(): Settings {
  const doc = { id: newId(), name: "First query", text: FIRST };
  return { docs: [doc], current: doc.id, values: [], off: [], theme: "auto", flipped: false, isTreeOfAll: false, way: "mask", history: [] };
}

function isDoc(doc?: Doc): doc is Doc {
  return typeof doc?.id === "string" && typeof doc.name === "string" && typeof doc.text === "string";
}

/** Returns a stored state as settings; null if its queries are malformed. */
function understood(state: unknown): Settings | null {
  const found = state as Partial<Settings> | null;
  if (!found || !Array.isArray(found.docs) || !found.docs.every(isDoc) || found.docs.length === 0) return null;
  const settings = { ...fresh(), ...found };
  if (!settings.docs.some((doc) => doc.id === settings.current)) settings.current = settings.docs[0].id;
  return settings;
}

function forgetOwn(): void {
  try {
    sessionStorage.removeItem(OWN);
  } catch {
    // The browser stores nothing here.
  }
}

export class Workspace {
  settings = fresh();
  private version = 0;
  private isSaving = false;
  private isChanged = false;
  private isLost = false;
  /** Whether the query of this window was stored. */
  hasOwn = false;
  /** Whether any queries were stored. */
  hasStored = false;
  /** Texts of the queries when they were stored last, by their ids. */
  private stored = new Map<string, string>();
  private readonly later = settled(400, () => void this.save());

  constructor(private readonly backend: Backend, private readonly reload: () => void) {
    window.addEventListener("pagehide", () => this.isChanged && void this.save());
  }

  async open(): Promise<void> {
    const kept = await this.backend.kept();
    this.version = kept.version;
    const stored = understood(kept.state);
    this.hasStored = stored !== null;
    this.settings = stored ?? fresh();
    this.noteStored(this.settings.docs);
    this.takeOwn();
  }

  /** Returns to the query of this window, which another one may have changed or closed meanwhile. */
  private takeOwn(): void {
    let own: Partial<Own> | null = null;
    try {
      own = JSON.parse(sessionStorage.getItem(OWN) ?? "null");
    } catch {
      // The browser stores nothing here: the window begins with what was stored last.
    }
    this.hasOwn = isDoc(own?.doc);
    if (own && isDoc(own.doc)) {
      const { doc: mine, stored, values, off, isTreeOfAll, way } = own;
      const { docs } = this.settings;
      const isMine = (doc: Doc) => doc.id === mine.id && (doc.text === mine.text || doc.text === stored);
      let doc = docs.find(isMine) ?? docs.find((other) => other.text === mine.text);
      if (!doc) {
        const isTaken = docs.some(({ id }) => id === mine.id);
        let { name } = mine;
        for (let n = 2; docs.some((other) => other.name === name); n++) name = `${mine.name} ${n}`;
        docs.push((doc = { ...mine, name, id: isTaken ? newId() : mine.id }));
      }
      const isNew = this.stored.get(doc.id) !== mine.text;
      doc.text = mine.text;
      this.settings.current = doc.id;
      if (Array.isArray(values)) this.settings.values = values.map(String);
      if (Array.isArray(off)) this.settings.off = off.map(String);
      this.settings.isTreeOfAll = isTreeOfAll === true;
      if (way === "mask" || way === "position" || way === "query") this.settings.way = way;
      if (isNew) this.changed();
    }
    this.keepOwn();
  }

  private keepOwn(): void {
    const { doc, settings } = this;
    const { values, off, isTreeOfAll, way } = settings;
    const own: Own = { doc, stored: this.stored.get(doc.id) ?? "", values, off, isTreeOfAll, way };
    try {
      sessionStorage.setItem(OWN, JSON.stringify(own));
    } catch {
      // The browser stores no more here. An older query would be taken for that of the window.
      forgetOwn();
    }
  }

  private noteStored(docs: Doc[]): void {
    this.stored = new Map(docs.map(({ id, text }) => [id, text]));
  }

  get doc(): Doc {
    return this.settings.docs.find((doc) => doc.id === this.settings.current) ?? this.settings.docs[0];
  }

  changed(): void {
    this.isChanged = true;
    this.keepOwn();
    document.documentElement.dataset.kept = "not yet";
    this.later();
  }

  private async save(): Promise<void> {
    if (this.isSaving) return this.later();
    this.isSaving = true;
    this.isChanged = false;
    const sent = this.settings.docs.map((doc) => ({ ...doc }));
    try {
      const { version, theirs, lost } = await this.backend.keep({ version: this.version, state: this.settings });
      this.version = version;
      if (lost && !this.isLost) toast(`The storage of the browser is full: ${lost} are lost when you close the page`, "error");
      this.isLost = lost !== undefined;
      if (theirs) this.merge(theirs);
      else this.noteStored(sent);
      this.keepOwn();
      if (!this.isChanged) document.documentElement.dataset.kept = "all";
    } catch (error) {
      this.isChanged = true;
      // Reports only the first of several failures.
      if (!this.isLost) toast(error instanceof Refused ? error.message : String(error), "error");
      this.isLost = true;
    } finally {
      this.isSaving = false;
    }
  }

  /** Merges the state that another window has stored, so that the queries of both are kept. */
  private merge(theirs: Kept): void {
    const other = understood(theirs.state);
    if (!other) return this.changed();
    const docs = other.docs.map((doc) => ({ ...doc }));
    for (const mine of this.settings.docs) {
      const same = docs.find((doc) => doc.id === mine.id);
      if (!same) docs.push(mine);
      else if (same.text !== mine.text && mine.id === this.settings.current) {
        docs.push({ ...same, id: newId(), name: `${same.name} (other window)` });
        same.text = mine.text;
        same.name = mine.name;
      }
    }
    this.settings.docs = docs;
    this.changed();
    this.reload();
  }
}

// Links that hold a query and what belongs to it.

export interface Linked {
  query: string;
  name: string;
  /** Expressions whose values are columns; undefined if the link does not set them. */
  values?: string[];
  /** Whether to search with the query at once. */
  isRun?: boolean;
  /** What was on the page besides the query; undefined if the link has only that. */
  view?: View;
}

/** What is on the page besides the query: a link, a reload and the back button restore it. */
export interface View {
  way: Settings["way"];
  isSearched: boolean;
  /** Words that were searched within the results. */
  steps: string[];
  /** The open game, with the name of its file; null if a position is shown alone. */
  game: { input: string; number: number; in_input: number; offset: number } | null;
  /** The shown move of the game, and the position if there is no game. */
  ply: number;
  fen: string;
  /** Moves that were tried. */
  tried: string[];
}

/** Returns a view with values of the right types; undefined if it is none. */
export function viewOf(found: unknown): View | undefined {
  const read = found as Partial<View> | null;
  if (typeof read !== "object" || read === null) return undefined;
  const { way, game } = read;
  const number = (value: unknown) => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0);
  const texts = (value: unknown) => (Array.isArray(value) ? value.map(String).slice(0, 300) : []);
  return {
    way: way === "mask" || way === "position" ? way : "query", isSearched: read.isSearched === true, steps: texts(read.steps),
    game: game && typeof game.input === "string" ? { input: game.input, number: number(game.number), in_input: number(game.in_input), offset: number(game.offset) } : null,
    ply: number(read.ply), fen: String(read.fen ?? ""), tried: texts(read.tried),
  };
}

async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair)).arrayBuffer());
}

export async function linkTo(linked: Linked): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(linked)), new CompressionStream("deflate-raw"));
  const text = btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.href.split("#")[0]}#q=${text}`;
}

/** Returns a query of the book with a header, which is added if it has none. */
export function whole(text: string): string {
  return text.includes("cql(") || text.includes("(match") ? text : `cql()\n${text}`;
}

/** Returns the query of a link: `#q=` is written by the page and compressed, `#run=` is plain text. */
export async function linked(hash: string): Promise<Linked | null> {
  const run = /[#&]run=([^&]+)/.exec(hash);
  if (run) {
    try {
      return { query: whole(decodeURIComponent(run[1])), name: "Linked query", isRun: true };
    } catch {
      toast("The link does not hold a query", "error");
      return null;
    }
  }
  const found = /[#&]q=([\w-]+)/.exec(hash);
  if (!found) return null;
  try {
    const packed = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const read = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
    if (typeof read.query !== "string") return null;
    const unknown = (found: unknown, known: string[]) => Object.keys(typeof found === "object" && found ? found : {}).filter((key) => !known.includes(key));
    const others = [...unknown(read, ["query", "name", "values", "view"]), ...unknown(read.view, ["way", "isSearched", "steps", "game", "ply", "fen", "tried"])];
    if (others.length > 0) toast(`The link is of a newer version: ${others.join(", ")} is left out`);
    return { query: read.query, name: String(read.name ?? "Linked query"), values: Array.isArray(read.values) ? read.values.map(String) : [], view: viewOf(read.view) };
  } catch {
    toast("The link does not hold a query", "error");
    return null;
  }
}

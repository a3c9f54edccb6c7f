// The queries in their tabs, and the settings, which the backend stores between two visits.

import { again } from "./again";
import { Refused, type Backend, type Collection, type Kept } from "./backend";
import { settled, toast } from "./dom";
import { queryName } from "./mask-text";
import type { Look } from "./results";

export interface Doc {
  id: string;
  name: string;
  text: string;
  /** Whether the user has named it. The name of any other follows its text. */
  isNamed?: boolean;
}

export interface Past {
  query: string;
  when: number;
  matches: number;
  games: number;
  /** Whether the search was stopped: the games are the first ones. */
  isStopped?: boolean;
  /** Whether the page searched by itself after a change: the next search replaces it. */
  isQuiet?: boolean;
}

export interface Settings {
  docs: Doc[];
  current: string;
  /** Expressions whose values are columns. */
  values: string[];
  /** Names of the given collections that are not searched. */
  off: string[];
  /** Names of the saved and dropped collections that are searched. */
  on: string[];
  theme: "auto" | "light" | "dark";
  flipped: boolean;
  /** Whether the opening tree counts all games, and not only those of the search. */
  isTreeOfAll: boolean;
  /** How the query is asked. */
  way: "mask" | "position" | "query";
  history: Past[];
}

/** What belongs to a window of the browser, which stores it until the window is closed. */
interface Own extends Pick<Settings, "values" | "off" | "on" | "isTreeOfAll" | "way"> {
  doc: Doc;
  /** Text of the query when it was stored last. */
  stored: string;
}

/** Greatest number of earlier searches that are kept. */
export const MOST_SEARCHES = 60;

/** Name under which the browser stores this. */
const OWN = "own";

/** The query of a new studio. */
export const FIRST = `// Mate by the side that has less.
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
  return { docs: [doc], current: doc.id, values: [], off: [], on: [], theme: "auto", flipped: false, isTreeOfAll: false, way: "mask", history: [] };
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
  /** Queries in the tabs of other windows. They are stored with those of this window, which shows them when it opens. */
  private others: Doc[] = [];
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
      const { doc: mine, stored, values, off, on, isTreeOfAll, way } = own;
      const { docs } = this.settings;
      const isMine = (doc: Doc) => doc.id === mine.id && (doc.text === mine.text || doc.text === stored);
      let doc = docs.find(isMine) ?? docs.find((other) => other.text === mine.text);
      if (!doc) {
        const isTaken = docs.some(({ id }) => id === mine.id);
        docs.push((doc = { ...mine, name: this.free(mine.name), id: isTaken ? newId() : mine.id }));
      }
      const isNew = this.stored.get(doc.id) !== mine.text;
      // The name belongs to the text.
      if (isNew && doc.id === mine.id) {
        doc.isNamed = mine.isNamed;
        this.rename(doc, mine.name);
      }
      doc.text = mine.text;
      this.settings.current = doc.id;
      if (Array.isArray(values)) this.settings.values = values.map(String);
      if (Array.isArray(off)) this.settings.off = off.map(String);
      if (Array.isArray(on)) this.settings.on = on.map(String);
      this.settings.isTreeOfAll = isTreeOfAll === true;
      if (way === "mask" || way === "position" || way === "query") this.settings.way = way;
      if (isNew) this.changed();
    }
    this.keepOwn();
  }

  private keepOwn(): void {
    const { doc, settings } = this;
    const { values, off, on, isTreeOfAll, way } = settings;
    const own: Own = { doc, stored: this.stored.get(doc.id) ?? "", values, off, on, isTreeOfAll, way };
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

  /** The list that names a collection, and whether it names those that are searched. A collection that was saved or
   * dropped in another window is in no list of this one, and is not searched. */
  private listOf({ kind }: Collection): ["on" | "off", boolean] {
    return kind === "saved" || kind === "dropped" ? ["on", true] : ["off", false];
  }

  /** Whether a collection is not searched. */
  isOff(collection: Collection): boolean {
    const [list, isOn] = this.listOf(collection);
    return this.settings[list].includes(collection.name) !== isOn;
  }

  /** Selects a collection to be searched, or not. */
  turn(collection: Collection, isOff: boolean): void {
    const [list, isOn] = this.listOf(collection);
    const others = this.settings[list].filter((name) => name !== collection.name);
    this.settings[list] = isOff !== isOn ? [...others, collection.name] : others;
    this.changed();
  }

  /** Forgets the saved and dropped collections that are no longer there: later ones may have their names. */
  keepOnly(names: string[]): void {
    this.settings.on = this.settings.on.filter((name) => names.includes(name));
  }

  get doc(): Doc {
    return this.settings.docs.find((doc) => doc.id === this.settings.current) ?? this.settings.docs[0];
  }

  /** Sets the text of the current query. Returns whether its name has changed with it. */
  write(text: string): boolean {
    const { doc } = this;
    if (text === doc.text) return false;
    doc.text = text;
    const isRenamed = !doc.isNamed && this.rename(doc, queryName(text));
    this.changed();
    return isRenamed;
  }

  /** Names a query, with a number if another one has this name. Returns whether the name has changed. */
  private rename(doc: Doc, name: string): boolean {
    if (doc.name === name || (doc.name.startsWith(`${name} `) && /^\d+$/.test(doc.name.slice(name.length + 1)))) return false;
    doc.name = this.free(name);
    return true;
  }

  /** Returns a name that no query has. */
  private free(name: string): string {
    const isTaken = (name: string) => this.settings.docs.some((doc) => doc.name === name);
    let free = name;
    for (let n = 2; isTaken(free); n++) free = `${name} ${n}`;
    return free;
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
    const sent = [...this.settings.docs, ...this.others].map((doc) => ({ ...doc }));
    try {
      const { version, theirs, lost } = await this.backend.keep({ version: this.version, state: { ...this.settings, docs: sent } });
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
      again.after(error, "queries", () => void this.save());
    } finally {
      this.isSaving = false;
    }
  }

  /** Merges the state that another window has stored, so that the queries and searches of both are kept. Each window
   * has its own tabs: if both have changed a query, this one goes on with a copy. */
  private merge(theirs: Kept): void {
    const other = understood(theirs.state);
    if (!other) return this.changed();
    const { settings } = this;
    const isTaken = (name: string, mine: Doc) => [...settings.docs, ...other.docs].some((doc) => doc !== mine && doc.name === name);
    this.others = [];
    for (const doc of other.docs) {
      const mine = settings.docs.find(({ id }) => id === doc.id);
      const before = this.stored.get(doc.id);
      if (!mine) this.others.push(doc);
      else if (doc.text === mine.text || doc.text === before) continue;
      else if (mine.text === before && mine.id !== settings.current) Object.assign(mine, doc);
      else {
        const id = newId();
        if (mine.id === settings.current) settings.current = id;
        let { name } = mine;
        for (let n = 2; isTaken(name, mine); n++) name = `${mine.name.replace(/ \d+$/, "")} ${n}`;
        Object.assign(mine, { id, name });
        this.others.push(doc);
      }
    }
    this.noteStored(other.docs);
    const searches = [...settings.history, ...other.history].sort((a, b) => b.when - a.when);
    settings.history = searches.filter((past, i) => searches.findIndex(({ query }) => query === past.query) === i).slice(0, MOST_SEARCHES);
    this.changed();
    this.reload();
  }
}

// The state of the page that a link, a reload and the back button restore.

/** A query, and what belongs to it. */
export interface Linked {
  query: string;
  name: string;
  /** The text of the tab, if it has changed since the search with the query. */
  draft?: string;
  /** Expressions whose values are columns; undefined if the link does not set them. */
  values?: string[];
  /** Names of the collections that are searched; undefined for those that are selected. */
  collections?: string[];
  /** Whether to search with the query at once. */
  isRun?: boolean;
  /** What was on the page besides the query; undefined if the link has only that. */
  view?: View;
}

/** What is on the page besides the query. */
export interface View extends Look {
  way: Settings["way"];
  isSearched: boolean;
  /** The open game, with the name of its file; null if a position is shown alone. */
  game: { input: string; number: number; in_input: number; offset: number } | null;
  /** The shown move of the game, and the position if there is no game. */
  ply: number;
  fen: string;
  /** Moves that were tried, and how many of them lead to the shown position; undefined for all. */
  tried: string[];
  depth?: number;
  /** Whether the board shows the game in place of the drawing. */
  isGame?: boolean;
}

/** Names of the parts of a link, and of its view. */
const PARTS = [["query", "name", "draft", "values", "collections", "view"], ["way", "isSearched", "steps", "words", "sort", "isDescending", "group", "chosen", "game", "ply", "fen", "tried", "depth", "isGame"]];

/** Greatest number of bytes that a link unpacks to: a short one could fill the memory. */
const MOST_UNPACKED = 1_000_000;

/** Returns texts of a stored list; undefined if there is none. */
function texts(found: unknown): string[] | undefined {
  return Array.isArray(found) ? found.map(String).slice(0, 300) : undefined;
}

/** Returns a view with values of the right types; undefined if it is none. */
function viewOf(found: unknown): View | undefined {
  const read = found as Partial<View> | null | undefined;
  if (typeof read !== "object" || read === null) return undefined;
  const { way, game, chosen } = read;
  const number = (value: unknown) => (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0);
  const text = (value: unknown) => (typeof value === "string" ? value : undefined);
  return {
    way: way === "mask" || way === "position" ? way : "query", isSearched: read.isSearched === true,
    steps: texts(read.steps) ?? [], words: text(read.words), sort: text(read.sort), isDescending: read.isDescending === true, group: text(read.group),
    chosen: typeof chosen?.key === "string" && (chosen.value === null || /string|number|boolean/.test(typeof chosen.value)) ? { key: chosen.key, value: chosen.value } : undefined,
    game: game && typeof game.input === "string" ? { input: game.input, number: number(game.number), in_input: number(game.in_input), offset: number(game.offset) } : null,
    ply: number(read.ply), fen: String(read.fen ?? ""), tried: texts(read.tried) ?? [],
    depth: typeof read.depth === "number" ? number(read.depth) : undefined, isGame: read.isGame === true,
  };
}

/** Returns what a link or the history of the browser holds, with values of the right types; null if that is none. */
export function linkedOf(found: unknown): Linked | null {
  const read = found as Partial<Linked> | null;
  if (typeof read !== "object" || read === null || typeof read.query !== "string") return null;
  const draft = typeof read.draft === "string" ? read.draft : undefined;
  return { query: read.query, name: String(read.name ?? queryName(read.query)), draft, values: texts(read.values), collections: texts(read.collections), view: viewOf(read.view) };
}

/** Packs or unpacks bytes, as far as they are no more than [`MOST_UNPACKED`]. */
async function through(bytes: Uint8Array<ArrayBuffer>, stream: GenericTransformStream): Promise<Uint8Array> {
  const reader = new Blob([bytes]).stream().pipeThrough(stream as ReadableWritablePair<Uint8Array<ArrayBuffer>>).getReader();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (let size = 0; ; ) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
    if ((size += value.length) > MOST_UNPACKED) {
      void reader.cancel();
      throw new RangeError("too long");
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** Returns a link; undefined if this would be too long to be opened. */
export async function linkTo(linked: Linked): Promise<string | undefined> {
  const bytes = new TextEncoder().encode(JSON.stringify(linked));
  if (bytes.length > MOST_UNPACKED) return undefined;
  const packed = await through(bytes, new CompressionStream("deflate-raw"));
  const text = btoa([...packed].map((byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `${location.href.split("#")[0]}#q=${text}`;
}

/** Returns a query of the book with a header, which is added if it has none. */
export function whole(text: string): string {
  return text.includes("cql(") || text.includes("(match") ? text : `cql()\n${text}`;
}

/** Says what a link asks for that this version has not got. */
export function tellLeftOut(what: string[]): void {
  const shown = what.slice(0, 5).map((one) => one.slice(0, 40)).join(", ");
  if (what.length > 0) toast(`The link is of a newer version: ${shown} ${what.length === 1 ? "is" : "are"} left out`, "error");
}

/** Returns the query of a link: `#q=` is written by the page and compressed, `#run=` is plain text. */
export async function linked(hash: string): Promise<Linked | null> {
  const run = /[#&]run=([^&]+)/.exec(hash);
  if (run) {
    try {
      const query = whole(decodeURIComponent(run[1]));
      return { query, name: queryName(query), isRun: true };
    } catch {
      toast("The link does not hold a query", "error");
      return null;
    }
  }
  const found = /[#&]q=([^&]*)/.exec(hash);
  if (!found) {
    if (/[#&]q\d+=/.test(hash)) toast("The link is of a newer version, which this one cannot open", "error");
    return null;
  }
  try {
    const packed = Uint8Array.from(atob(found[1].replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const read = JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw"))));
    const link = linkedOf(read);
    if (!link) throw new TypeError("no query");
    const unknown = (found: unknown, i: number) => Object.keys(typeof found === "object" && found ? found : {}).filter((key) => !PARTS[i].includes(key));
    const others = [...unknown(read, 0), ...unknown(read.view, 1)];
    if (typeof read.view?.way === "string" && read.view.way !== link.view?.way) others.push(`way ${read.view.way}`);
    tellLeftOut(others);
    return { ...link, values: link.values ?? [] };
  } catch (error) {
    toast(error instanceof RangeError ? "The link holds more than a query can be, so it is not opened" : "The link does not hold a query", "error");
    return null;
  }
}

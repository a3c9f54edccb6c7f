// The collections: the choice of those to search, and files that are dropped on the page.

import type { Backend, Collection } from "./backend";
import { bytes, counted, h, icon, iconButton, menu, message, replace, toast } from "./dom";
import { fileName } from "./words";

export interface LibraryEvents {
  changed(): void;
  added(): void;
  /** The user has dropped a query. */
  query(name: string, text: string): void;
  /** The list is another one, since another window has changed it. */
  refreshed(): void;
  isOff(collection: Collection): boolean;
  turn(collection: Collection, isOff: boolean): void;
  /** The user has selected other collections. */
  selected(): void;
  stats(collection: Collection): void;
  archive(collection: Collection): void;
}

/** What a collection is, by its kind. */
const KINDS: Record<Collection["kind"], string> = { file: "", folder: "folder", archive: "archive", dropped: "dropped on the page", saved: "saved results" };

/** Size in bytes from which a file should be named to the studio rather than copied. */
const LARGE = 300e6;

/** Number of files whose addition is told one by one. */
const MOST_TOLD = 5;

export class Library {
  readonly element: HTMLElement;
  private collections: Collection[] = [];
  /** Names of all collections that were ever there. */
  private readonly named = new Map<number, string>();
  /** The saved collection that is removed if the user says so once more. */
  private doubted: number | null = null;
  private readonly summary = h("span", {}, "Games");
  private readonly list = h("ul", {});
  /** Selects all collections or none, if there are several. */
  private readonly several = h("span", { class: "row" });
  private readonly menu: HTMLDetailsElement;
  private readonly input = h("input", { type: "file", multiple: true, class: "unseen", tabindex: -1, "aria-label": "files with games", onchange: () => this.addAll([...(this.input.files ?? [])]) });

  constructor(private readonly backend: Backend, private readonly events: LibraryEvents) {
    this.menu = menu("library", h("summary", {}, icon("games"), this.summary),
      this.list, h("div", { class: "row" }, this.chooseButton(), h("span", { class: "grow" }), this.several), h("p", { class: "told" }, `Files can be dropped anywhere on the page. ${this.backend.whereFilesGo}`));
    this.element = h("div", {}, this.menu, this.input);
    this.menu.addEventListener("toggle", () => {
      if (this.menu.open) void this.refresh();
      else if (this.doubted !== null) this.doubt(null);
    });
  }

  chooseButton(): HTMLElement {
    return h("button", { type: "button", class: "add", onclick: () => this.input.click() }, icon("plus"), "Add files…");
  }

  set(collections: Collection[]): void {
    this.collections = collections;
    for (const { id, name } of collections) this.named.set(id, name);
    this.show();
  }

  /** Reads the list anew, which another window may have changed. Collections that it has added are not selected here. */
  async refresh(): Promise<void> {
    const { collections } = this;
    const found = await this.backend.collections().catch(() => null);
    if (!found || this.collections !== collections || JSON.stringify(found) === JSON.stringify(collections)) return;
    for (const one of found) if (!this.has(one.id) && !this.isEmpty) this.events.turn(one, true);
    this.set(found);
    this.events.refreshed();
  }

  /** Adds a collection to the chosen ones. */
  private choose(id: number): void {
    for (const one of this.collections) if (one.id === id) this.events.turn(one, false);
    this.show();
  }

  /** Chooses a collection, and no other. */
  chooseOnly(id: number): void {
    for (const one of this.collections) this.events.turn(one, one.id !== id);
    this.show();
  }

  /** Names of collections, also of removed ones. */
  names(ids: number[]): string[] {
    return ids.map((id) => this.named.get(id) ?? "").filter(Boolean);
  }

  /** Chooses the collections with these names, and no other. Returns the names of those that are not there; if none
   * is, the choice stays. */
  chooseNamed(names: string[]): string[] {
    const lost = names.filter((name) => !this.collections.some((one) => one.name === name));
    if (lost.length === names.length) return lost;
    for (const one of this.collections) {
      const isOff = !names.includes(one.name);
      if (this.events.isOff(one) !== isOff) this.events.turn(one, isOff);
    }
    this.show();
    return lost;
  }

  get isEmpty(): boolean {
    return this.collections.length === 0;
  }

  /** Number of bytes of the collections to search; null if it is not known. */
  get size(): number | null {
    const sizes = this.collections.filter((one) => !this.events.isOff(one)).map((one) => one.bytes);
    return sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }

  /** Collections to search. */
  get chosen(): number[] {
    return this.collections.filter((one) => !this.events.isOff(one)).map((one) => one.id);
  }

  /** Whether the collection was not removed. */
  has(id: number): boolean {
    return this.collections.some((one) => one.id === id);
  }

  /** The first chosen collection whose archive does not store all of these themes. */
  lacking(themes: string[]): Collection | undefined {
    return this.collections.find((one) => !this.events.isOff(one) && one.kind !== "archive" && one.archive?.state === "there" && themes.some((theme) => !one.archive!.themes?.includes(theme)));
  }

  /** The chosen collection that has this archive, if the page can bring it up to date. */
  withArchive(path: string): Collection | undefined {
    const stem = fileName(path).replace(/\.cqa$/, "");
    const hasIt = (one: Collection) => one.kind !== "archive" && (one.name === stem || one.name.startsWith(`${stem}.`));
    return this.collections.find((one) => hasIt(one) && !this.events.isOff(one) && /there|unfinished/.test(one.archive?.state ?? ""));
  }

  /** Selects all collections, or none, as the user has said. */
  private turnAll(isOff: boolean): void {
    for (const one of this.collections) this.events.turn(one, isOff);
    this.show();
    this.events.selected();
  }

  private show(): void {
    const chosen = this.collections.filter((one) => !this.events.isOff(one));
    this.summary.textContent = this.isEmpty ? "No games" : chosen.length === 1 ? `${chosen[0].name}${chosen[0].kind === "saved" ? `, ${KINDS.saved}` : ""}` : `${chosen.length} of ${this.collections.length} collections`;
    const turn = (words: string, isOff: boolean) => h("button", { type: "button", class: "link", onclick: () => this.turnAll(isOff) }, words);
    replace(this.several, ...(this.collections.length > 1 ? [turn("Select all", false), turn("Select none", true)] : []));
    replace(this.list, ...this.collections.map((one) => one.id === this.doubted ? this.question(one) : h("li", {},
      h("label", { title: one.path }, h("input", { type: "checkbox", checked: !this.events.isOff(one), onchange: (event: Event) => {
        this.events.turn(one, !(event.target as HTMLInputElement).checked);
        this.show();
        this.events.selected();
      } }), h("span", {}, one.name, h("small", {}, [KINDS[one.kind], one.bytes === null ? "" : bytes(one.bytes), one.kind !== "archive" && one.archive?.state === "there" ? "has an archive" : ""].filter(Boolean).join(", ")),
        one.archive?.state === "broken" && h("small", { class: "error" }, message(one.archive.message ?? "")))),
      this.archiveButton(one),
      iconButton("chart", `Contents of ${one.name}`, () => {
        this.menu.open = false;
        this.events.stats(one);
      }),
      (one.kind === "dropped" || one.kind === "saved") && iconButton("close", `Remove ${one.name}`, () => (one.kind === "saved" ? this.doubt(one.id) : void this.remove(one))))));
  }

  /** Asks whether saved games are to be deleted, which cannot be undone; or, with null, asks no more. */
  private doubt(id: number | null): void {
    this.doubted = id;
    this.show();
    this.list.querySelector<HTMLElement>(".question button:last-child")?.focus();
  }

  private question(one: Collection): HTMLElement {
    const answer = (words: string, work: () => void) => h("button", { type: "button", class: "small", onclick: work }, words);
    const keep = () => {
      this.doubt(null);
      this.list.querySelector<HTMLElement>(`[aria-label="Remove ${CSS.escape(one.name)}"]`)?.focus();
    };
    return h("li", {}, h("div", { class: "question", role: "group", "aria-label": "question" }, h("span", {}, `Delete the saved games ${one.name}?`), answer("Delete", () => void this.remove(one)), answer("Keep", keep)));
  }

  private archiveButton(one: Collection): HTMLElement | null {
    const { archive } = one;
    if (one.kind === "archive" || archive === null || archive.state === "broken") return null;
    const words = { none: "Build an archive of", unfinished: "Resume the archive of", there: "Update the archive of" }[archive.state];
    return iconButton("archive", `${words} ${one.name}`, () => {
      this.menu.open = false;
      this.events.archive(one);
    });
  }

  private async remove(collection: Collection): Promise<void> {
    this.doubted = null;
    try {
      const collections = await this.backend.remove(collection.id);
      // Another one may have its name later.
      this.events.turn(collection, true);
      this.set(collections);
      this.events.added();
    } catch (error) {
      toast((error as Error).message, "error");
    }
  }

  private async addAll(files: File[]): Promise<void> {
    this.input.value = "";
    const added: string[] = [];
    /** Names of refused files by their reason, which may be long. */
    const refused = new Map<string, string[]>();
    for (const file of files) {
      if (/\.cql$/i.test(file.name)) {
        this.events.query(file.name.slice(0, -4), await file.text());
        continue;
      }
      if (file.size > LARGE) toast(`Copying ${file.name} (${bytes(file.size)}); to avoid the copy, start \`cql studio\` with its name`);
      try {
        const { id, collections, isThere } = await this.backend.add(file);
        this.set(collections);
        this.choose(id);
        this.events.added();
        const [name] = this.names([id]);
        added.push(isThere ? `The games of ${file.name} are there already: ${name}` : name === file.name ? `${name} added` : `${file.name} added as ${name}`);
      } catch (error) {
        const text = (error as Error).message || `${file.name} could not be read`;
        const why = text.startsWith(`${file.name} `) ? text.slice(file.name.length) : `: ${text}`;
        refused.set(why, [...(refused.get(why) ?? []), file.name]);
      }
    }
    for (const [why, names] of refused) toast(`${names.join(", ")}${names.length > 1 ? why.replace(/^ was /, " were ") : why}`, "error");
    // A note gives way to every message after it.
    const more = added.length - MOST_TOLD;
    if (added.length === 0) return;
    this.events.selected();
    toast([...added.slice(0, MOST_TOLD), more > 0 && `The list of games has ${counted(more, "other file")}, too`].filter(Boolean).join(". "));
  }

  /** Accepts files that are dropped on an element. */
  dropOn(element: HTMLElement): void {
    let depth = 0;
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const mark = (by: number) => {
      depth = Math.max(0, depth + by);
      element.classList.toggle("dropping", depth > 0);
    };
    element.addEventListener("dragenter", (event) => hasFiles(event) && (event.preventDefault(), mark(1)));
    element.addEventListener("dragleave", (event) => hasFiles(event) && mark(-1));
    element.addEventListener("dragover", (event) => hasFiles(event) && event.preventDefault());
    element.addEventListener("drop", (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      mark(-depth);
      const items = [...(event.dataTransfer?.items ?? [])];
      if (items.some((item) => item.webkitGetAsEntry?.()?.isDirectory)) return toast("Folders and archives cannot be dropped: start `cql studio` with their names", "error");
      void this.addAll([...(event.dataTransfer?.files ?? [])]);
    });
  }
}

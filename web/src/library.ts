// The collections: the choice of those to search, and files that are dropped on the page.

import type { Backend, Collection } from "./backend";
import { bytes, closes, h, icon, iconButton, message, replace, toast } from "./dom";

export interface LibraryEvents {
  changed(): void;
  added(): void;
  isOff(name: string): boolean;
  turn(name: string, isOff: boolean): void;
  stats(collection: Collection): void;
  archive(collection: Collection): void;
}

/** What a collection is, by its kind. */
const KINDS: Record<Collection["kind"], string> = { file: "", folder: "folder", archive: "archive", dropped: "dropped on the page", saved: "saved results" };

/** Size in bytes from which a file should be named to the studio rather than copied. */
const LARGE = 300e6;

export class Library {
  readonly element: HTMLElement;
  private collections: Collection[] = [];
  private readonly summary = h("span", {}, "Games");
  private readonly list = h("ul", {});
  private readonly menu: HTMLDetailsElement;
  private readonly input = h("input", { type: "file", multiple: true, class: "unseen", tabindex: -1, "aria-label": "files with games", onchange: () => this.addAll([...(this.input.files ?? [])]) });

  constructor(private readonly backend: Backend, private readonly events: LibraryEvents) {
    this.menu = h("details", { class: "menu library" },
      h("summary", {}, icon("games"), this.summary),
      h("div", { class: "menu-box" }, this.list, this.chooseButton(), h("p", { class: "told" }, `Files can be dropped anywhere on the page. ${this.backend.whereFilesGo}`)));
    this.element = h("div", {}, this.menu, this.input);
    closes(this.menu);
  }

  chooseButton(): HTMLElement {
    return h("button", { type: "button", class: "add", onclick: () => this.input.click() }, icon("plus"), "Add files…");
  }

  set(collections: Collection[]): void {
    this.collections = collections;
    this.show();
  }

  /** Adds a collection to the chosen ones. */
  private choose(id: number): void {
    for (const one of this.collections) if (one.id === id) this.events.turn(one.name, false);
    this.show();
  }

  /** Chooses a collection, and no other. */
  chooseOnly(id: number): void {
    for (const one of this.collections) this.events.turn(one.name, one.id !== id);
    this.show();
  }

  get isEmpty(): boolean {
    return this.collections.length === 0;
  }

  /** Number of bytes of the collections to search; null if it is not known. */
  get size(): number | null {
    const sizes = this.collections.filter((one) => !this.events.isOff(one.name)).map((one) => one.bytes);
    return sizes.includes(null) ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
  }

  /** Collections to search. */
  get chosen(): number[] {
    return this.collections.filter((one) => !this.events.isOff(one.name)).map((one) => one.id);
  }

  /** Whether the collection was not removed. */
  has(id: number): boolean {
    return this.collections.some((one) => one.id === id);
  }

  /** The first chosen collection whose archive does not store all of these themes. */
  lacking(themes: string[]): Collection | undefined {
    return this.collections.find((one) => !this.events.isOff(one.name) && one.kind !== "archive" && one.archive?.state === "there" && themes.some((theme) => !one.archive!.themes?.includes(theme)));
  }

  private show(): void {
    const chosen = this.collections.filter((one) => !this.events.isOff(one.name));
    this.summary.textContent = this.isEmpty ? "No games" : chosen.length === 1 ? `${chosen[0].name}${chosen[0].kind === "saved" ? `, ${KINDS.saved}` : ""}` : `${chosen.length} of ${this.collections.length} collections`;
    replace(this.list, ...this.collections.map((one) => h("li", {},
      h("label", { title: one.path }, h("input", { type: "checkbox", checked: !this.events.isOff(one.name), onchange: (event: Event) => {
        this.events.turn(one.name, !(event.target as HTMLInputElement).checked);
        this.show();
      } }), h("span", {}, one.name, h("small", {}, [KINDS[one.kind], one.bytes === null ? "" : bytes(one.bytes), one.kind !== "archive" && one.archive?.state === "there" ? "has an archive" : ""].filter(Boolean).join(", ")),
        one.archive?.state === "broken" && h("small", { class: "error" }, message(one.archive.message ?? "")))),
      this.archiveButton(one),
      iconButton("chart", `Contents of ${one.name}`, () => {
        this.menu.open = false;
        this.events.stats(one);
      }),
      (one.kind === "dropped" || one.kind === "saved") && iconButton("close", `Remove ${one.name}`, () => void this.remove(one)))));
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
    try {
      this.set(await this.backend.remove(collection.id));
      this.events.added();
    } catch (error) {
      toast((error as Error).message, "error");
    }
  }

  private async addAll(files: File[]): Promise<void> {
    for (const file of files) {
      if (file.size > LARGE) toast(`Copying ${file.name} (${bytes(file.size)}); to avoid the copy, start \`cql studio\` with its name`);
      try {
        const { id, collections } = await this.backend.add(file);
        this.set(collections);
        this.choose(id);
        this.events.added();
        toast(`${file.name} added`);
      } catch (error) {
        toast((error as Error).message || `${file.name} could not be read`, "error");
      }
    }
    this.input.value = "";
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

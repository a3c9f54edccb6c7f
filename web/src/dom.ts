// Elements, and helpers that all parts of the page use.

import { capital, here } from "./words";

type Child = Node | string | number | null | undefined | false;
type Attributes = Record<string, unknown>;

const SVG = "http://www.w3.org/2000/svg";

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on") && typeof value === "function") {
      element.addEventListener(name.slice(2), value as EventListener);
    } else if (name === "value" || name === "checked") {
      Object.assign(element, { [name]: value });
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  put(element, ...children);
  return element;
}

/** Creates an HTML element. */
export function h<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return fill(document.createElement(name), attributes, children);
}

/** Creates an SVG element. */
export function s(name: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  return fill(document.createElementNS(SVG, name) as SVGElement, attributes, children);
}

/** Appends children, and skips empty ones. */
export function put(parent: Element, ...children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    parent.append(child instanceof Node ? child : String(child));
  }
}

/** Returns the accessible name of a field or a button. */
function nameOf(element: Element): string {
  return element.getAttribute("aria-label") ?? element.getAttribute("title") ?? (element.closest("label") ?? element).textContent ?? "";
}

/** Replaces the children of an element. If one of them had the keyboard focus, the new child of the same
 * name receives it. */
export function replace(parent: Element, ...children: Child[]): void {
  const { activeElement: focused } = document;
  const name = focused !== null && focused !== parent && parent.contains(focused) ? nameOf(focused) : null;
  parent.replaceChildren();
  put(parent, ...children);
  if (name === null) return;
  const successor = [...parent.querySelectorAll<HTMLElement>(focused!.tagName)].find((element) => nameOf(element) === name);
  successor?.focus({ preventScroll: true });
}

const ICONS: Record<string, string> = {
  play: "M5 3l14 9-14 9z",
  stop: "M5 5h14v14H5z",
  first: "M6 5v14M19 5l-9 7 9 7z",
  previous: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M5 5l9 7-9 7z",
  flip: "M7 4v14m0 0l-4-4m4 4l4-4M17 20V6m0 0l-4 4m4-4l4 4",
  plus: "M12 5v14M5 12h14",
  close: "M6 6l12 12M18 6L6 18",
  sun: "M12 7a5 5 0 100 10 5 5 0 000-10M12 1v3M12 20v3M1 12h3M20 12h3M4 4l2 2M18 18l2 2M4 20l2-2M18 6l2-2",
  moon: "M20 14A8.5 8.5 0 0110 4a8.5 8.5 0 1010 10z",
  auto: "M12 3a9 9 0 100 18 9 9 0 000-18M12 3v18",
  help: "M9 9a3 3 0 115 2c-1.500 1-2 1.500-2 3M12 18v.5",
  download: "M12 4v11m0 0l-5-5m5 5l5-5M4 20h16",
  link: "M10 14a4 4 0 006 0l3-3a4 4 0 00-6-6l-1 1M14 10a4 4 0 00-6 0l-3 3a4 4 0 006 6l1-1",
  tidy: "M4 6h16M8 12h12M8 18h9",
  chart: "M5 20V10M12 20V4M19 20v-7",
  archive: "M3 5h18v4H3zM5 9v11h14V9M10 13h4",
  up: "M12 19V5m0 0l-6 6m6-6l6 6",
  down: "M12 5v14m0 0l-6-6m6 6l6-6",
  board: "M4 4h16v16H4zM4 12h16M12 4v16",
  games: "M5 5h14M5 12h14M5 19h14",
  edit: "M4 20l1-5L16 4l4 4L9 19z",
  search: "M10 4a6 6 0 100 12 6 6 0 000-12M15 15l6 6",
  undo: "M4 9h10a5 5 0 010 11H9M4 9l5-5M4 9l5 5",
};

/** Returns the picture of a button, which has no text of its own. */
export function icon(name: string): SVGElement {
  const solid = ["play", "stop"].includes(name);
  return s(
    "svg",
    { class: solid ? "icon solid" : "icon", viewBox: "0 0 24 24", "aria-hidden": "true", focusable: "false" },
    s("path", { d: ICONS[name] }),
  );
}

/** Creates a button with a picture; its tooltip is its name. */
export function iconButton(name: string, title: string, onclick: () => void, extra: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "quiet", title, "aria-label": title.replace(/ \(.*\)$/, ""), onclick, ...extra }, icon(name));
}

/** Creates a button with a picture and words. */
export function wordButton(name: string, words: string, title: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "quiet", title, onclick }, icon(name), h("span", {}, words));
}

/** Creates a button that removes what it says, which is cut off if it is long, and told in full by the mouse. */
export function removable(words: string, title: string, onclick: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "chip", title: `${words}. ${title}`, onclick }, h("span", { class: "cut" }, words), " ×");
}

/** Tabs, of which one is chosen. Arrow keys lead from one to the next; only the chosen one is a stop of Tab. */
export class Tabs<T extends string> {
  readonly element: HTMLElement;
  private tabs: [T, string][] = [];

  constructor(label: string, className: string, private readonly choose: (name: T) => void) {
    this.element = h("div", { class: className, role: "tablist", "aria-label": label });
  }

  show(tabs: [T, string][], current: T): void {
    this.tabs = tabs;
    replace(this.element, ...tabs.map(([name, words]) => h("button", {
      type: "button", role: "tab", "data-tab": name, "aria-selected": String(name === current), tabindex: name === current ? 0 : -1,
      onclick: () => this.choose(name), onkeydown: (event: KeyboardEvent) => this.key(event, name),
    }, words)));
  }

  private key(event: KeyboardEvent, name: T): void {
    const n = this.tabs.length;
    const place = this.tabs.findIndex(([other]) => other === name);
    const to = { ArrowRight: (place + 1) % n, ArrowLeft: (place + n - 1) % n, Home: 0, End: n - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    this.choose(this.tabs[to][0]);
    this.element.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }
}

/** Makes the controls of a list one stop of Tab: arrow keys lead from one to the next, Home and End to the first and
 * the last. */
export class OneStop {
  /** `selector` finds the controls; those in a row have the keys left and right, too. Below the board, Home and
   * End are those of the game. */
  constructor(private readonly list: HTMLElement, private readonly selector: string, private readonly isRow = false, private readonly hasEnds = true) {
    list.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("focusin", (event) => {
      const control = (event.target as HTMLElement).closest<HTMLElement>(selector);
      if (control) this.set(control);
    });
  }

  private get controls(): HTMLElement[] {
    return [...this.list.querySelectorAll<HTMLElement>(this.selector)];
  }

  /** Chooses the stop among new controls: the one with the focus, or else the chosen or the first one. */
  update(): void {
    const { controls } = this;
    const isChosen = (control: HTMLElement) => control.getAttribute("aria-pressed") === "true";
    const stop = controls.find((control) => control === document.activeElement) ?? controls.find(isChosen) ?? controls[0];
    if (stop) this.set(stop);
  }

  private set(stop: HTMLElement): void {
    for (const control of this.controls) control.tabIndex = control === stop ? 0 : -1;
  }

  /** Returns the place of the control below another one, or above it; the next one if all are in one row. */
  private inNextRow(controls: HTMLElement[], place: number, by: 1 | -1): number {
    const boxes = controls.map((control) => control.getBoundingClientRect());
    const { left, top, width, height } = boxes[place];
    const distance = (box: DOMRect) => by * (box.top - top);
    const beyond = boxes.filter((box) => distance(box) >= height / 2);
    const nearest = Math.min(...beyond.map(distance));
    const off = (box: DOMRect) => Math.abs(box.left + box.width / 2 - left - width / 2);
    const row = beyond.filter((box) => distance(box) < nearest + height / 2).sort((a, b) => off(a) - off(b));
    if (row.length > 0) return boxes.indexOf(row[0]);
    return boxes.every((box) => Math.abs(distance(box)) < height / 2) ? place + by : place;
  }

  private key(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const { controls } = this;
    const place = controls.findIndex((control) => control === event.target);
    if (place < 0) return;
    const beside = this.isRow ? { ArrowRight: place + 1, ArrowLeft: place - 1, ArrowDown: this.inNextRow(controls, place, 1), ArrowUp: this.inNextRow(controls, place, -1) } : {};
    const ends = this.hasEnds ? { Home: 0, End: controls.length - 1 } : {};
    const to = ({ ArrowDown: place + 1, ArrowUp: place - 1, ...ends, ...beside } as Record<string, number>)[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    controls[to]?.focus();
  }
}

/** Returns a message as the page says it, with the parts in backticks as code. Lines of a text with a mark below
 * keep their places. */
export function message(text: string): HTMLElement {
  const words = here(text);
  const marked = /\n( {2}.*\n +\^[^]*)$/.exec(words);
  const said = marked ? words.slice(0, marked.index) : words;
  return h("span", {}, ...said.split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part)), marked && h("span", { class: "marked" }, marked[1]));
}

/** Returns the paragraph that says why something failed. */
export function failure(error: unknown): HTMLElement {
  return h("p", { class: "error", role: "alert" }, message(error instanceof Error ? error.message : String(error)));
}

/** Formats 57400 as 57,400. */
export function count(n: number): string {
  // The first call of `toLocaleString` takes longer than a search.
  return String(n).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** "1 game", "2 games". */
export function counted(n: number, what: string): string {
  return `${count(n)} ${what}${n === 1 ? "" : "s"}`;
}

/** Formats a number of bytes with its unit. */
export function bytes(n: number): string {
  for (const [size, unit] of [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]] as const) {
    if (n >= size) return `${(n / size).toFixed(n >= 10 * size ? 0 : 1)} ${unit}`;
  }
  return `${n} bytes`;
}

/** Returns a function that runs `work` once it has not been called for `wait` milliseconds. */
export function settled(wait: number, work: () => void): () => void {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = window.setTimeout(work, wait);
  };
}

let speaker: HTMLElement | undefined;

/** Announces a text to screen readers. */
export function say(text: string): void {
  if (!speaker) {
    speaker = h("div", { class: "unseen", role: "status", "aria-live": "polite" });
    document.body.append(speaker);
  }
  speaker.textContent = text;
}

/** Shows a message as [`shownToast`] does. */
export function toast(...told: Parameters<typeof shownToast>): void {
  shownToast(...told);
}

/** Shows a short message for a moment, or until it is clicked, and returns it. It takes the place of notes before it, and
 * of a message with the same words. */
export function shownToast(text: string, kind: "note" | "error" = "note", action: HTMLElement | null = null): HTMLElement {
  const element = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status", onclick: () => element.remove() }, message(text), action);
  let place = document.querySelector(".toasts");
  if (!place) document.body.append((place = h("div", { class: "toasts" })));
  for (const other of [...place.children]) if (other.textContent === element.textContent || !other.classList.contains("error")) other.remove();
  place.append(element);
  setTimeout(() => element.remove(), kind === "error" || action ? 6000 : 3000);
  return element;
}

/** Returns the entry of a menu that a key leads to: up and down from line to line, left and right within one, Home
 * and End to the first and the last, a letter to the next line that begins with it. */
function entryFor(key: string, box: HTMLElement): HTMLElement | undefined {
  const lines: HTMLElement[][] = [];
  const isOfLine = (entry: HTMLElement) => lines.at(-1)?.[0].closest("li")?.contains(entry);
  for (const entry of box.querySelectorAll<HTMLElement>("button, input, a")) isOfLine(entry) ? lines.at(-1)!.push(entry) : lines.push([entry]);
  const focused = document.activeElement as HTMLElement;
  const at = lines.findIndex((line) => line.includes(focused));
  const column = Math.max(0, lines[at]?.indexOf(focused) ?? 0);
  const below = [...lines.slice(at + 1), ...lines.slice(0, at + 1)];
  const above = at < 0 ? lines.at(-1) : lines.at(at - 1);
  const inColumn = (line?: HTMLElement[]) => line?.[Math.min(column, line.length - 1)];
  const begins = ([entry]: HTMLElement[]) => (entry.closest("li") ?? entry).textContent!.toLowerCase().startsWith(key.toLowerCase());
  const to: Record<string, HTMLElement | undefined> = {
    ArrowDown: inColumn(below[0]), ArrowUp: inColumn(above), ArrowRight: lines[at]?.[column + 1], ArrowLeft: lines[at]?.[column - 1], Home: lines[0]?.[0], End: lines.at(-1)?.[0],
  };
  return key in to ? to[key] : below.find(begins)?.[0];
}

/** Creates a menu: a button that opens a box with entries, which have the keys of [`entryFor`]. Escape, a click elsewhere
 * and Tab close it; the focus returns to its button unless it has gone elsewhere. */
export function menu(className: string, button: HTMLElement, ...entries: Child[]): HTMLDetailsElement {
  const box = h("div", { class: "menu-box" }, ...entries);
  const menu = h("details", { class: `menu ${className}` }, button, box);
  menu.addEventListener("keydown", (event) => {
    const { key } = event;
    const isOpening = key === "ArrowDown" || key === "ArrowUp";
    const isKey = isOpening || (menu.open && (/^(?:Arrow(?:Left|Right)|Home|End)$/.test(key) || /^\p{L}$/u.test(key)));
    if (!isKey || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    menu.open = true;
    entryFor(key, box)?.focus();
  });
  const close = () => {
    menu.open = false;
    const { activeElement: focused } = document;
    if (!focused || focused === document.body || menu.contains(focused)) menu.querySelector("summary")?.focus();
  };
  document.addEventListener("click", (event) => {
    // An entry that was clicked may be gone by now.
    if (menu.open && !event.composedPath().includes(menu)) close();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    close();
    event.stopImmediatePropagation();
  });
  menu.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !menu.contains(event.relatedTarget as Node)) menu.open = false;
  });
  return menu;
}

/** Opens a dialog with a title, which is removed when it is closed. The keyboard focus returns to where it
 * was, or to the menu from which the dialog was opened. */
export function dialog(title: string, ...children: Child[]): HTMLDialogElement {
  const menu = document.activeElement?.closest<HTMLDetailsElement>("details.menu");
  const element = h(
    "dialog",
    { "aria-label": title },
    h("header", { role: "none" }, h("h2", {}, title), iconButton("close", "Close (Esc)", () => element.close())),
    ...children,
  );
  element.addEventListener("close", () => {
    element.remove();
    // The browser cannot return it into a menu that is closed.
    const { activeElement: focused } = document;
    if (!focused || focused === document.body) menu?.querySelector("summary")?.focus();
  });
  element.addEventListener("click", (event) => {
    if (event.target === element) element.close();
  });
  document.body.append(element);
  element.showModal();
  // The first field has the focus, not the button that closes the dialog.
  const first = ["input:not([type=hidden], [type=radio]:not(:checked)), select, textarea", "button.main", "button:not([aria-label=Close])"].map((selector) => element.querySelector<HTMLElement>(selector)).find(Boolean);
  first?.focus();
  return element;
}

/** Copies a text, and says so; `note` says more about it. */
export async function copyText(text: string, what: string, note = ""): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${capital(what)} copied${note}`);
  } catch {
    dialog(`Copy the ${what}${note}`, h("textarea", { rows: 8, readonly: true, "aria-label": what, value: text }));
  }
}

// Elements, and helpers that all parts of the page use.

import { here } from "./words";

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
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const place = this.tabs.findIndex(([other]) => other === name);
    this.choose(this.tabs[(place + by + this.tabs.length) % this.tabs.length][0]);
    this.element.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
  }
}

/** Returns a message as the page says it, with the parts in backticks as code. */
export function message(text: string): HTMLElement {
  return h("span", {}, ...here(text).split("`").map((part, i) => (i % 2 === 1 ? h("code", {}, part) : part)));
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

/** Shows a short message for a moment, or until it is clicked. It takes the place of notes before it, and
 * of a message with the same words. */
export function toast(text: string, kind: "note" | "error" = "note", action: HTMLElement | null = null): void {
  const element = h("div", { class: `toast ${kind}`, role: kind === "error" ? "alert" : "status", onclick: () => element.remove() }, message(text), action);
  let place = document.querySelector(".toasts");
  if (!place) document.body.append((place = h("div", { class: "toasts" })));
  for (const other of [...place.children]) if (other.textContent === element.textContent || !other.classList.contains("error")) other.remove();
  place.append(element);
  setTimeout(() => element.remove(), kind === "error" || action ? 6000 : 3000);
}

/** Closes a menu on Escape, and on a click elsewhere. */
export function closes(menu: HTMLDetailsElement): void {
  document.addEventListener("click", (event) => {
    if (!menu.contains(event.target as Node)) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
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
  const first = ["input:not([type=hidden]), select, textarea", "button.main", "button:not([aria-label=Close])"].map((selector) => element.querySelector<HTMLElement>(selector)).find(Boolean);
  first?.focus();
  return element;
}

export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied`);
  } catch {
    dialog(`Copy the ${what}`, h("textarea", { rows: 8, readonly: true, "aria-label": what, value: text }));
  }
}

// The book beside the query: the cookbook, the tour, the reference, and the query in words.

import type { Backend, BookPage, Place, Sentence } from "./backend";
import { h, icon, replace } from "./dom";
import { anchor, markdown } from "./markdown";
import { whole } from "./workspace";

export interface BookEvents {
  /** Opens a query of the book in a tab of its own. */
  take(query: string, name: string): void;
}

export class Book {
  readonly element: HTMLElement;
  private readonly content = h("div", { class: "page", tabindex: 0, role: "region", "aria-label": "page of the book" });
  private readonly find: HTMLInputElement;
  private pages: BookPage[] = [];
  private group: BookPage["group"] = "cookbook";
  private readonly texts = new Map<string, string>();

  constructor(private readonly backend: Backend, private readonly events: BookEvents) {
    this.find = h("input", { type: "search", class: "filter", oninput: () => this.showContents() });
    this.element = h("div", { class: "book" }, this.find, this.content);
  }

  set contents(pages: BookPage[]) {
    this.pages = pages;
  }

  /** Shows the table of contents of a part of the book. */
  show(group: "cookbook" | "manual"): void {
    this.group = group === "manual" ? "reference" : group;
    this.find.placeholder = group === "cookbook" ? "Find a query by theme" : "Find a chapter";
    this.find.setAttribute("aria-label", this.find.placeholder);
    this.find.value = "";
    this.showContents();
  }

  private showContents(): void {
    const words = this.find.value.toLowerCase().split(" ").filter(Boolean);
    const fits = (text: string) => words.every((word) => text.toLowerCase().includes(word));
    const groups = this.group === "cookbook" ? ["cookbook"] : ["tour", "reference"];
    const sections = this.pages
      .filter((page) => groups.includes(page.group))
      .map((page) => {
        const headings = page.headings.filter((heading) => fits(`${page.title} ${heading}`));
        if (headings.length === 0 && !fits(page.title)) return null;
        const link = (title: string, heading?: string) => h("button", { type: "button", class: "link", onclick: () => void this.open(page.page, heading && anchor(heading)) }, plainTitle(title));
        const isOpen = words.length > 0 || this.group === "cookbook";
        return h("section", {}, h("h2", {}, link(page.title)), isOpen && h("ul", {}, ...headings.map((heading) => h("li", {}, link(heading, heading)))));
      });
    const list = sections.filter((section) => section !== null);
    replace(this.content, h("div", { class: "contents" }, ...(list.length > 0 ? list : [h("p", { class: "told" }, "No page with that title.")])));
    this.content.scrollTop = 0;
  }

  /** Opens a page at a heading. */
  async open(name: string, at?: string): Promise<void> {
    let text = this.texts.get(name);
    if (text === undefined) {
      text = await this.backend.page(name);
      this.texts.set(name, text);
    }
    const folder = name.split("/")[0];
    const page = markdown(text, {
      query: (query, _, heading) => h("button", { type: "button", class: "take", onclick: () => this.events.take(whole(query), plainTitle(heading)) }, icon("play"), "Try it"),
      link: (target) => this.follow(folder, name, target),
    });
    const back = h("button", { type: "button", class: "link back", onclick: () => this.showContents() }, "← Contents");
    replace(this.content, back, page);
    const place = at ? this.content.querySelector<HTMLElement>(`[id="book-${CSS.escape(at)}"]`) : null;
    this.content.scrollTop = place ? place.offsetTop - 8 : 0;
    this.content.focus({ preventScroll: true });
  }

  private follow(folder: string, current: string, target: string): (() => void) | null {
    if (/^[a-z]+:/.test(target)) return null;
    const [path, at] = target.split("#");
    const name = path === "" ? current : path.startsWith("../") ? path.slice(3) : `${folder}/${path}`;
    if (!this.pages.some((page) => page.page === name)) return null;
    return () => void this.open(name, at);
  }
}

function plainTitle(title: string): string {
  return title.replace(/[`*]/g, "");
}

/** Shows a query in words. */
export function meaning(
  explained: { header: string[]; filters: Sentence[] } | null,
  light: (place: Place | null) => void,
  select: (place: Place) => void,
): HTMLElement {
  if (!explained) return h("p", { class: "told" }, "The meaning of the query appears here once it has no errors. It must be in CQL 6.");
  const one = (sentence: Sentence): HTMLElement => {
    const { place } = sentence;
    const words = [sentence.label && h("b", {}, `${sentence.label} `), sentence.text];
    const text = place
      ? h("button", { type: "button", class: "link", onmouseenter: () => light(place), onmouseleave: () => light(null), onfocus: () => light(place), onblur: () => light(null), onclick: () => select(place) }, ...words)
      : h("span", {}, ...words);
    return h("li", {}, text, sentence.below.length > 0 && h("ul", {}, ...sentence.below.map(one)));
  };
  return h("div", { class: "meaning" },
    h("p", {}, explained.header.length > 0 ? explained.header.join("; ") : "Games with a position where:"),
    h("ul", {}, ...explained.filters.map(one)));
}

// The book beside the query: the cookbook, the tour, the reference, and the query in words.

import { again } from "./again";
import type { Backend, BookPage, Idea, Place, Sentence } from "./backend";
import { OneStop, failure, h, icon, replace } from "./dom";
import { Finder } from "./finder";
import { anchor, markdown } from "./markdown";
import { here } from "./words";
import { whole } from "./workspace";

export interface BookEvents {
  /** Opens a query of the book in a tab of its own. */
  take(query: string, name: string): void;
}

export class Book {
  readonly element: HTMLElement;
  private readonly content = h("div", { class: "page", tabindex: 0, role: "region", "aria-label": "page of the book" });
  private readonly entries = new OneStop(this.content, ".contents .link");
  private readonly finder: Finder;
  private pages: BookPage[] = [];
  private group: BookPage["group"] = "cookbook";
  private readonly texts = new Map<string, string>();

  constructor(private readonly backend: Backend, private readonly events: BookEvents) {
    this.finder = new Finder(backend, {
      show: (found) => (found ? this.fill(found) : this.showContents()),
      take: (idea, words) => this.take(idea, words),
    });
    this.element = h("div", { class: "book" }, this.finder.field, this.content);
  }

  set contents(pages: BookPage[]) {
    this.pages = pages;
  }

  /** Goes to the field that finds ideas. */
  find(): void {
    this.finder.field.select();
  }

  /** Shows the table of contents of a part of the book. */
  show(group: "cookbook" | "manual"): void {
    this.group = group === "manual" ? "reference" : group;
    this.finder.clear();
  }

  /** Shows a text, which is a stop of Tab, so that it can be scrolled by keyboard. */
  private fill(...children: Node[]): void {
    replace(this.content, ...children);
    this.content.tabIndex = 0;
  }

  private showContents(): void {
    const groups = this.group === "cookbook" ? ["cookbook"] : ["tour", "reference"];
    const link = (page: BookPage, title: string, heading?: string) => h("button", { type: "button", class: "link", onclick: () => void this.open(page.page, heading && anchor(heading)) }, plainTitle(title));
    const sections = this.pages.filter((page) => groups.includes(page.group)).map((page) => h("section", {}, h("h2", {}, link(page, page.title)),
      this.group === "cookbook" && h("ul", {}, ...page.headings.map((heading) => h("li", {}, link(page, heading, heading))))));
    this.fill(h("div", { class: "contents" }, ...sections));
    // The entries have a stop of their own.
    this.content.tabIndex = -1;
    this.entries.update();
    this.content.scrollTop = 0;
  }

  /** Puts the query of an idea into the editor, and shows its page of the book. */
  private take({ kind, title, query, place }: Idea, words: string): void {
    if (place && this.pages.some((page) => page.page === place.page)) void this.open(place.page, place.heading ? anchor(place.heading) : undefined);
    if (query) this.events.take(whole(query), kind === "query" ? words : title);
  }

  /** Opens a page at a heading. */
  async open(name: string, at?: string): Promise<void> {
    let text = this.texts.get(name);
    if (text === undefined) {
      text = await this.backend.page(name).catch((error) => {
        const shown = failure(error);
        this.fill(this.back(), shown);
        again.after(error, "page", () => void (shown.isConnected && this.open(name, at)));
        return undefined;
      });
      if (text === undefined) return;
      this.texts.set(name, text);
    }
    const folder = name.split("/")[0];
    const page = markdown(text, {
      query: (query, _, heading) => h("button", { type: "button", class: "take", onclick: () => this.events.take(whole(query), plainTitle(heading)) }, icon("play"), "Try it"),
      link: (target) => this.follow(folder, name, target),
    });
    this.fill(this.back(), page);
    const place = at ? this.content.querySelector<HTMLElement>(`[id="book-${CSS.escape(at)}"]`) : null;
    this.content.scrollTop = place ? place.offsetTop - 8 : 0;
    this.content.focus({ preventScroll: true });
  }

  private back(): HTMLElement {
    return h("button", { type: "button", class: "link back", onclick: () => void this.finder.look() }, this.finder.isEmpty ? "← Contents" : "← Found");
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
    const words = [sentence.label && h("b", {}, `${sentence.label} `), here(sentence.text)];
    const text = place
      ? h("button", { type: "button", class: "link", onmouseenter: () => light(place), onmouseleave: () => light(null), onfocus: () => light(place), onblur: () => light(null), onclick: () => select(place) }, ...words)
      : h("span", {}, ...words);
    return h("li", {}, text, sentence.below.length > 0 && h("ul", {}, ...sentence.below.map(one)));
  };
  return h("div", { class: "meaning" },
    h("p", {}, explained.header.length > 0 ? explained.header.join("; ") : "Games with a position where:"),
    h("ul", {}, ...explained.filters.map(one)));
}

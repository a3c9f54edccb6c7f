// The field that finds ideas by words: recipes, themes, words of the language, sections of the manual.

import { again } from "./again";
import type { Backend, Idea } from "./backend";
import { counted, failure, h, message, say, settled } from "./dom";

export interface FinderEvents {
  /** Shows what was found; null if the field is empty. */
  show(found: HTMLElement | null): void;
  take(idea: Idea, words: string): void;
}

const NAME = "Find a theme, recipe or word";

export class Finder {
  readonly field: HTMLInputElement;
  private list: HTMLElement[] = [];
  private current = 0;
  /** Number of the last request; answers to earlier ones come too late. */
  private asked = 0;

  constructor(private readonly backend: Backend, private readonly events: FinderEvents) {
    this.field = h("input", {
      type: "search", class: "filter", role: "combobox", placeholder: NAME, "aria-label": NAME, "aria-autocomplete": "list", "aria-expanded": "false",
      autocomplete: "off", spellcheck: "false", title: `${NAME} (Ctrl+K)`, oninput: settled(80, () => void this.look()), onkeydown: (event: KeyboardEvent) => this.key(event),
    });
  }

  private get words(): string {
    return this.field.value.trim();
  }

  get isEmpty(): boolean {
    return this.words === "";
  }

  clear(): void {
    this.field.value = "";
    void this.look();
  }

  /** Shows the ideas that have the words of the field. */
  async look(): Promise<void> {
    const { words } = this;
    const number = ++this.asked;
    this.set([]);
    if (words === "") return this.events.show(null);
    try {
      const { ideas, more, without } = await this.backend.find(words);
      if (number !== this.asked) return;
      this.set(ideas.map((idea, i) => this.option(idea, i, words)));
      say(this.list.length > 0 ? counted(ideas.length + more, "idea") : "nothing found");
      this.events.show(ideas.length === 0 ? h("p", { class: "told" }, "Nothing is found by these words. Try fewer, or others.") : h("div", {},
        without.length > 0 && h("p", { class: "told" }, `Nothing has all of these words. Without “${without.join("”, “")}”:`),
        h("div", { role: "listbox", id: "ideas", "aria-label": "ideas" }, ...this.list),
        more > 0 && h("p", { class: "told" }, `${more} more; another word leaves fewer.`)));
      this.choose(0);
    } catch (error) {
      if (number !== this.asked) return;
      again.after(error, "ideas", () => void (number === this.asked && this.look()));
      this.events.show(failure(error));
    }
  }

  private set(list: HTMLElement[]): void {
    this.list = list;
    this.field.setAttribute("aria-expanded", String(list.length > 0));
    if (list.length > 0) this.field.setAttribute("aria-controls", "ideas");
    else for (const name of ["aria-controls", "aria-activedescendant"]) this.field.removeAttribute(name);
  }

  private option(idea: Idea, i: number, words: string): HTMLElement {
    const isCode = idea.kind !== "recipe" && idea.kind !== "section";
    return h("div", { role: "option", id: `idea-${i}`, class: "idea", "aria-selected": "false", onclick: () => this.events.take(idea, words) },
      h(isCode ? "code" : "b", {}, idea.title.replace(/[`*]/g, "")), " ", h("small", {}, idea.label), idea.line && h("span", {}, message(idea.line)));
  }

  private choose(i: number): void {
    this.list[this.current]?.setAttribute("aria-selected", "false");
    this.current = i;
    const chosen = this.list[i];
    if (!chosen) return;
    chosen.setAttribute("aria-selected", "true");
    this.field.setAttribute("aria-activedescendant", chosen.id);
    chosen.scrollIntoView({ block: "nearest" });
  }

  private key(event: KeyboardEvent): void {
    const n = this.list.length;
    const by = { ArrowDown: 1, ArrowUp: n - 1 }[event.key];
    if (event.key === "Escape" && this.field.value !== "") this.clear();
    else if (n > 0 && by !== undefined) this.choose((this.current + by) % n);
    else if (n > 0 && event.key === "Enter" && !event.ctrlKey && !event.metaKey) this.list[this.current]?.click();
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

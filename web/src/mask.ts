// The mask: fields for players, ratings, years and the like. Each fills in lines of the query.

import { again } from "./again";
import { h, message, replace } from "./dom";
import { LEAD, maskOfRatings, ratingsOf, type Mask, type Ratings } from "./mask-text";
import { capital, compared } from "./words";

/** What a text says about an opening: codes, a name, or a condition for the position after moves. */
export type OpeningMeant = { code: string } | { name: string } | { position: string } | { problem: string };

const THEMES: [string, string][] = [
  ["fork", "Fork"], ["skewer", "Skewer"], ["absolutepin", "Pin"], ["discoveredattack", "Discovered attack"], ["doublecheck", "Double check"], ["deflection", "Deflection"],
  ["attraction", "Attraction"], ["sacrifice", "Sacrifice"], ["hangingpiece", "Hanging piece"], ["trappedpiece", "Trapped piece"], ["intermezzo", "Intermezzo"], ["zugzwang", "Zugzwang"],
  ["backrankmate", "Back rank mate"], ["smotheredmate", "Smothered mate"], ["greekgift", "Greek gift"], ["windmill", "Windmill"], ["underpromotion", "Underpromotion"], ["quietmove", "Quiet move"],
];

/** Returns the name of a theme, which may be given in the words of the mask. */
export function themeNamed(text: string): string {
  const words = text.trim().toLowerCase();
  return THEMES.find(([, label]) => label.toLowerCase() === words)?.[0] ?? text.trim();
}

/** Returns the words of the mask for a theme. */
export function themeWords(name: string): string {
  return THEMES.find(([other]) => other === name)?.[1].toLowerCase() ?? name;
}

const ENDINGS: [string, string][] = [
  ["pawn", "Pawns"], ["knight", "Knights"], ["bishop", "Bishops"], ["same-bishops", "Bishops of the same color"], ["opposite-bishops", "Bishops of opposite colors"], ["minor", "Minor pieces"],
  ["rook", "Rooks"], ["queen", "Queens"], ["major", "Rooks and queens"], ["bishop-knight", "Bishop against knight"], ["rook-minor", "Rook against minor piece"], ["queen-rook", "Queen against rook"],
  ["rook+minor", "Rook and minor piece each"], ["queen+minor", "Queen and minor piece each"], ["queen+rook", "Queen and rook each"],
];

const RESULTS: [string, string, string][] = [["1-0", "1–0", "White wins"], ["1/2-1/2", "½–½", "Draw"], ["0-1", "0–1", "Black wins"], ["*", "Other", "No result, or another one"]];

/** Greatest number of names that the field of players proposes. */
const MOST_NAMES = 2000;

/** The ends of a range, and the values of the mask for others. */
interface Range {
  ends(): [string, string];
  mask(from: string, to: string): Mask;
}

function nameOf(field: HTMLInputElement): string {
  return field.getAttribute("aria-label") ?? "";
}

export class MaskView {
  readonly element = h("div", { class: "mask" });
  private mask: Mask = {};
  /** Titles of the sections that were open when the mask was drawn. */
  private readonly open = new Set(["Themes"]);
  private who: Ratings["who"] = "both";
  /** Side of the player, which may be chosen before the name. */
  private color = "player";
  /** What is written in the fields whose text is no value, by their labels: their conditions are left out. */
  private readonly wrong = new Map<string, { text: string; problem: string }>();
  /** What looks again whether the ends of a range are turned around. */
  private looks: (() => void)[] = [];
  /** Number of the last text in the field of the opening; the meaning of an earlier one comes too late. */
  private asked = 0;
  /** Resolves once the text in the field of the opening is in the mask. */
  settled: Promise<void> = Promise.resolve();
  private readonly names = new Set<string>();
  /** Where these names are from. */
  private place = "";
  /** Names as they are in the games. */
  private readonly seen = new Set<string>();
  private hasNewNames = false;
  private readonly players = h("datalist", { id: "players" });

  constructor(private readonly changed: (mask: Mask) => void, private readonly ask: <T>(what: string, text: string) => Promise<T>) {}

  /** Labels of the fields whose texts are left out. */
  get leftOut(): string[] {
    return [...this.wrong.keys()];
  }

  /** Adds names that the field of players proposes, as they are compared; those of other games are
   * forgotten. While it is written in, they wait: the browser would open its list again. */
  async propose(names: string[], place: string): Promise<void> {
    if (place !== this.place) {
      this.place = place;
      this.names.clear();
      this.seen.clear();
      this.hasNewNames = true;
    }
    const unseen = [...new Set(names)].filter((name) => !this.seen.has(name)).slice(0, MOST_NAMES - this.seen.size);
    for (const name of unseen) this.seen.add(name);
    // Names that are not proposed can be written.
    const proposed = unseen.length === 0 ? [] : await this.ask<string[]>("players", unseen.join("\n")).catch((error) => {
      for (const name of unseen) this.seen.delete(name);
      again.after(error, "players", () => void (place === this.place && this.propose(names, place)));
      return [];
    });
    if (place !== this.place) return;
    for (const name of proposed) this.names.add(name);
    this.hasNewNames ||= proposed.length > 0;
    if (document.activeElement?.getAttribute("list") !== this.players.id) this.showNames();
  }

  private showNames(): void {
    if (!this.hasNewNames) return;
    this.hasNewNames = false;
    replace(this.players, ...[...this.names].sort().map((value) => h("option", { value })));
  }

  /** Shows the mask of a query. */
  show(mask: Mask): void {
    this.wrong.clear();
    this.asked += 1;
    if (Object.keys(mask).length === 0) [this.color, this.who] = ["player", "both"];
    this.fill(mask);
  }

  private fill(mask: Mask): void {
    this.mask = mask;
    this.looks = [];
    this.who = ratingsOf(mask, this.who).who;
    // The event of a section that opens comes later than the click, and the page may be drawn between them.
    for (const fold of this.element.querySelectorAll<HTMLDetailsElement>("details[data-title]")) {
      if (fold.open) this.open.add(fold.dataset.title!);
      else this.open.delete(fold.dataset.title!);
    }
    replace(this.element, this.players, ...this.game(), this.themes(), this.moment(), this.material(), this.ending());
  }

  /** Sets values, and shows the mask. A field in which they are `written` stays as it is. */
  private set(values: Mask, written?: HTMLInputElement): void {
    const mask = { ...this.mask, ...values };
    for (const [name, value] of Object.entries(mask)) if (value === "") delete mask[name];
    this.mask = mask;
    this.changed(mask);
    if (!written || document.activeElement !== written) this.fill(mask);
    for (const look of this.looks) look();
  }

  private text(name: string, label: string, placeholder: string, extra: Record<string, unknown> = {}): HTMLInputElement {
    const field: HTMLInputElement = h("input", { value: this.mask[name] ?? "", placeholder, "aria-label": label, spellcheck: "false", autocomplete: "off", oninput: () => this.set({ [name]: field.value.trim() }, field), ...extra });
    return field;
  }

  private number(label: string, value: string, take: (text: string, field: HTMLInputElement) => void): HTMLInputElement {
    const field: HTMLInputElement = h("input", { value, placeholder: "any", "aria-label": label, inputmode: "numeric", class: "number" });
    return this.checked(field, (text) => (/^\d{0,4}$/.test(text) ? null : `${text} is no number from 0 to 9999, so it is left out.`), (text) => take(text, field));
  }

  /** Has a field say what is wrong with its text, in place of which `take` receives none. */
  private checked(field: HTMLInputElement, problemOf: (text: string) => string | null, take: (text: string) => void): HTMLInputElement {
    const text = () => field.value.trim();
    const look = () => this.tell(field, problemOf(text()));
    field.value = this.wrong.get(nameOf(field))?.text ?? field.value;
    field.addEventListener("input", () => take(look() ? text() : ""));
    look();
    return field;
  }

  /** Notes what is wrong with the text of a field, and has its line say it. Returns whether nothing is. */
  private tell(field: HTMLInputElement, problem: string | null): boolean {
    field.setAttribute("aria-invalid", String(problem !== null));
    if (problem === null) this.wrong.delete(nameOf(field));
    else this.wrong.set(nameOf(field), { text: field.value.trim(), problem });
    field.dispatchEvent(new Event("told"));
    return problem === null;
  }

  private field(label: string, ...children: (Node | string)[]): HTMLElement {
    const inputs = children.filter((child) => child instanceof HTMLInputElement);
    const problem = h("small", { class: "error wrong", role: "status", id: `wrong-${label}` });
    const tell = () => {
      const problems = inputs.map((input) => this.wrong.get(nameOf(input))?.problem).filter((one) => one !== undefined);
      replace(problem, ...problems.flatMap((one, i) => [i > 0 && " ", message(one)]));
    };
    for (const input of inputs) {
      input.setAttribute("aria-describedby", problem.id);
      input.addEventListener("told", tell);
    }
    tell();
    return h("div", { class: "field" }, h("span", { class: "label" }, label), h("div", { class: "row" }, ...children), problem);
  }

  /** Returns two fields for the ends of a range, with what says that they are turned around. */
  private range(label: string, name: string, range: Range, ...before: HTMLElement[]): HTMLElement[] {
    const ends = [0, 1].map((i) => this.number(`${name} ${["from", "to"][i]}`, range.ends()[i], (text, field) => {
      const [from, to] = range.ends();
      this.set(i === 0 ? range.mask(text, to) : range.mask(from, text), field);
    }));
    return [this.field(label, ...before, ends[0], "to", ends[1]), this.turned(ends, range)];
  }

  /** Returns the range of two values of the mask. */
  private rangeOf(from: string, to: string): Range {
    return { ends: () => [this.mask[from] ?? "", this.mask[to] ?? ""], mask: (first, last) => ({ [from]: first, [to]: last }) };
  }

  /** Returns the line that says that the first of two fields is greater than the second, and swaps them. */
  private turned(fields: HTMLInputElement[], { ends, mask }: Range): HTMLElement {
    const line = h("small", { class: "error wrong turned", role: "status" });
    const swap = () => {
      const [first, last] = ends();
      this.set(mask(last, first));
      this.element.querySelector<HTMLElement>(`[aria-label="${nameOf(fields[0])}"]`)?.focus();
    };
    const look = () => {
      const [first, last] = ends();
      // The first digits of a number that is being written are none to judge by.
      const isWritten = document.activeElement !== fields[1] || first.length <= last.length;
      if (!first || !last || Number(first) <= Number(last)) replace(line);
      else if (isWritten && !line.firstChild) replace(line, "The first is greater than the second, so nothing matches. ", h("button", { type: "button", class: "link", onclick: swap }, "Swap them"));
    };
    for (const field of fields) field.addEventListener("blur", look);
    this.looks.push(look);
    look();
    return line;
  }

  private select(label: string, options: [string, string][], value: string, choose: (value: string) => void): HTMLSelectElement {
    const select: HTMLSelectElement = h("select", { "aria-label": label, onchange: () => choose(select.value) }, ...options.map(([value, words]) => h("option", { value }, words)));
    select.value = value;
    return select;
  }

  private game(): HTMLElement[] {
    for (const name of ["player", "white", "black"]) if (this.mask[name]) this.color = name;
    const { color } = this;
    const player: HTMLInputElement = h("input", {
      value: this.mask[color] ?? "", placeholder: "Any player", "aria-label": "player", list: "players", spellcheck: "false", autocomplete: "off",
      title: "A part of the name. Small letters find capital ones, too", onblur: () => this.showNames(), oninput: () => this.set({ player: "", white: "", black: "", [colors.value]: compared(player.value.trim()) }, player),
    });
    const colors = this.select("color of the player", [["player", "Any color"], ["white", "White"], ["black", "Black"]], color, (value) => {
      this.color = value;
      this.set({ player: "", white: "", black: "", [value]: compared(player.value.trim()) });
    });
    const ratings = (): Ratings => ratingsOf(this.mask, this.who);
    const range: Range = { ends: () => [ratings().from, ratings().to], mask: (from, to) => maskOfRatings({ who: this.who, from, to }) };
    const who = this.select("whose ratings", [["both", "Both"], ["one", "Higher"]], this.who, (value) => {
      const { from, to } = ratings();
      this.who = value as Ratings["who"];
      this.set(range.mask(from, to));
    });
    const chosen = (this.mask.results ?? "").split(" ").filter(Boolean);
    const results = RESULTS.map(([value, words, title]) => h("button", {
      type: "button", title, "aria-pressed": String(chosen.includes(value)),
      onclick: () => this.set({ results: RESULTS.map(([other]) => other).filter((other) => (other === value) !== chosen.includes(other)).join(" ") }),
    }, words));
    return [
      this.field("Player", player, colors),
      ...this.range("Ratings", "ratings", range, who),
      ...this.range("Years", "years", this.rangeOf("yearFrom", "yearTo")),
      h("div", { class: "field", role: "group", "aria-label": "result" }, h("span", { class: "label" }, "Result"), h("div", { class: "result-grid" }, ...results)),
      this.field("Opening", this.opening()),
      this.field("Event", this.text("event", "event", "Any event", { title: "A part of the name. Small letters find capital ones, too" })),
    ];
  }

  private opening(): HTMLInputElement {
    const { opening, code, moves, position } = this.mask;
    const field: HTMLInputElement = h("input", {
      value: this.wrong.get("opening")?.text ?? opening ?? code ?? moves ?? position ?? "", placeholder: "Name, B20-B99, or 1.e4 c5", "aria-label": "opening", spellcheck: "false", autocomplete: "off",
      title: "A name or a part of it, codes, or moves, after which the position is sought", oninput: () => (this.settled = this.takeOpening(field)),
    });
    field.setAttribute("aria-invalid", String(this.wrong.has("opening")));
    return field;
  }

  /** Takes what the text in the field of the opening says. */
  private async takeOpening(field: HTMLInputElement): Promise<void> {
    const number = ++this.asked;
    const text = field.value.trim();
    const meant = text && (await this.ask<OpeningMeant>("opening", text).catch((error: Error): OpeningMeant => {
      again.after(error, "opening", () => {
        // The mask may have been drawn anew meanwhile.
        const field = this.element.querySelector<HTMLInputElement>('[aria-label="opening"]');
        if (field && number === this.asked) this.settled = this.takeOpening(field);
      });
      return { problem: error.message };
    }));
    if (number !== this.asked) return;
    const none = { opening: "", code: "", moves: "", position: "", isHere: "" };
    this.tell(field, meant && "problem" in meant ? `${capital(meant.problem)}. This is left out.` : null);
    if (!meant || "problem" in meant) this.set(none, field);
    else if ("position" in meant) this.set({ ...none, position: meant.position, moves: text }, field);
    else this.set({ ...none, ...("code" in meant ? { code: meant.code } : { opening: meant.name }) }, field);
  }

  /** Returns a section that opens and closes, with its value at the right. */
  private section(title: string, value: string, ...children: Node[]): HTMLElement {
    return h("details", { class: "fold", open: this.open.has(title), "data-title": title },
      h("summary", {}, h("b", {}, title), h("span", { class: "value" }, value)), ...children);
  }

  private themes(): HTMLElement {
    const chosen = (this.mask.themes ?? "").split(" ").filter(Boolean);
    // Themes of the text that are not among the usual ones are shown, too.
    const all: [string, string][] = [...THEMES, ...chosen.filter((name) => !THEMES.some(([other]) => other === name)).map((name): [string, string] => [name, name])];
    return this.section("Themes", chosen.length > 0 ? `${chosen.length} chosen` : "Any", h("div", { class: "check-grid" }, ...all.map(([name, words]) => h("label", {}, h("input", {
      type: "checkbox", checked: chosen.includes(name),
      onchange: (event: Event) => this.set({ themes: (event.target as HTMLInputElement).checked ? [...chosen, name].join(" ") : chosen.filter((other) => other !== name).join(" ") }),
    }), words))));
  }

  private moment(): HTMLElement {
    const { moveFrom, moveTo } = this.mask;
    return this.section("Moment", moveFrom || moveTo ? `Move ${moveFrom ?? 1}–${moveTo ?? "…"}` : "Any",
      ...this.range("Moves", "moves", this.rangeOf("moveFrom", "moveTo")));
  }

  /** Returns two sliders for the ends of a range. */
  private sliders(labels: string[], names: string[], min: number, max: number, words: (n: number) => string, of = ""): HTMLElement[] {
    const lines = [min, max].map((any, i) => this.slider(labels[i], of, names[i], min, max, any, words));
    const fields = lines.map((line) => line.querySelector("input")!);
    return [...lines, this.turned(fields, this.rangeOf(names[0], names[1]))];
  }

  private slider(label: string, of: string, name: string, min: number, max: number, any: number, words: (n: number) => string): HTMLElement {
    const value = this.mask[name] === undefined ? any : Number(this.mask[name]);
    const told = h("output", {}, value === any ? "Any" : words(value));
    const field: HTMLInputElement = h("input", {
      type: "range", min, max, step: 1, "aria-label": label + of, "aria-valuetext": told.textContent,
      oninput: () => {
        const n = Number(field.value);
        told.textContent = n === any ? "Any" : words(n);
        field.setAttribute("aria-valuetext", told.textContent);
      },
      onchange: () => this.set({ [name]: Number(field.value) === any ? "" : field.value }),
    });
    field.value = String(value);
    return h("div", { class: "slider" }, h("span", { class: "label" }, label), field, told);
  }

  private material(): HTMLElement {
    const lead = (n: number) => (n === 0 ? "Equal" : n > 0 ? `White +${n}` : `Black +${-n}`);
    const n = ["leadFrom", "leadTo", "menFrom", "menTo", "queens"].filter((name) => this.mask[name]).length;
    return this.section("Material", n > 0 ? `${n} chosen` : "Any",
      ...this.sliders(["At least", "At most"], ["leadFrom", "leadTo"], -LEAD, LEAD, lead, ", lead of White in pawns"), ...this.sliders(["Fewest men", "Most men"], ["menFrom", "menTo"], 2, 32, String),
      this.field("Queens", this.select("queens", [["", "Any"], ["on", "On both sides"], ["off", "None"]], this.mask.queens ?? "", (queens) => this.set({ queens }))));
  }

  private ending(): HTMLElement {
    const value = this.mask.ending ?? "";
    const known = ENDINGS.some(([name]) => name === value) || value === "" ? ENDINGS : [...ENDINGS, [value, value] as [string, string]];
    return this.section("Ending", known.find(([name]) => name === value)?.[1] ?? "Any",
      this.field("Pieces", this.select("class of the ending", [["", "Any"], ...known], value, (ending) => this.set({ ending }))));
  }
}

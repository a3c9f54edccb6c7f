// The mask: fields for players, ratings, years and the like. Each fills in lines of the query.

import { h, replace } from "./dom";
import type { Mask } from "./mask-text";
import { spaced, standardName } from "./words";

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

/** Greatest lead that the sliders show, in pawns. */
const LEAD = 15;

/** Greatest number of names that the field of players proposes. */
const MOST_NAMES = 2000;

export class MaskView {
  readonly element = h("div", { class: "mask" });
  private mask: Mask = {};
  private readonly open = new Set(["Themes"]);
  private who: "both" | "one" = "both";
  /** Side of the player, which may be chosen before the name. */
  private color = "player";
  /** What is written in the fields whose text is no value, by their labels: their conditions are left out. */
  private readonly wrong = new Map<string, string>();
  private readonly names = new Set<string>();
  private hasNewNames = false;
  private readonly players = h("datalist", { id: "players" });

  constructor(private readonly changed: (mask: Mask) => void) {}

  /** Adds names that the field of players proposes. While it is written in, they wait: the browser would
   * open its list again. */
  propose(names: string[]): void {
    const before = this.names.size;
    for (const name of names) if (this.names.size < MOST_NAMES) this.names.add(standardName(name));
    this.hasNewNames ||= this.names.size > before;
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
    if (Object.keys(mask).length === 0) [this.color, this.who] = ["player", "both"];
    this.fill(mask);
  }

  private fill(mask: Mask): void {
    this.mask = mask;
    if (mask.eloFrom || mask.eloTo) this.who = "one";
    if (mask.whiteFrom || mask.whiteTo || mask.blackFrom || mask.blackTo) this.who = "both";
    replace(this.element, this.players, ...this.game(), this.themes(), this.moment(), this.material(), this.ending());
  }

  private set(values: Mask): void {
    const mask = { ...this.mask, ...values };
    for (const [name, value] of Object.entries(mask)) if (value === "") delete mask[name];
    this.mask = mask;
    this.changed(mask);
    // A field that is being written in stays as it is.
    const isWriting = document.activeElement instanceof HTMLInputElement && !["checkbox", "range"].includes(document.activeElement.type);
    if (!isWriting) this.fill(mask);
  }

  private text(name: string, label: string, placeholder: string, extra: Record<string, unknown> = {}): HTMLInputElement {
    const field: HTMLInputElement = h("input", { value: this.mask[name] ?? "", placeholder, "aria-label": label, spellcheck: "false", autocomplete: "off", oninput: () => this.set({ [name]: field.value.trim() }), ...extra });
    return field;
  }

  private number(label: string, names: string[], placeholder = "any"): HTMLInputElement {
    const value = names.map((name) => this.mask[name]).find(Boolean) ?? "";
    const field: HTMLInputElement = h("input", { value, placeholder, "aria-label": label, inputmode: "numeric", class: "number" });
    return this.checked(field, (text) => (/^\d{0,4}$/.test(text) ? null : `${text} is no number from 0 to 9999, so it is left out.`), (text) => this.set(Object.fromEntries(names.map((name) => [name, text]))));
  }

  /** Has a field say what is wrong with its text, in place of which `take` receives none. */
  private checked(field: HTMLInputElement, problemOf: (text: string) => string | null, take: (text: string) => void): HTMLInputElement {
    const label = field.getAttribute("aria-label")!;
    const tell = () => {
      const text = field.value.trim();
      const problem = problemOf(text);
      field.setAttribute("aria-invalid", String(problem !== null));
      field.dataset.problem = problem ?? "";
      if (problem === null) this.wrong.delete(label);
      else this.wrong.set(label, text);
      return problem === null ? text : "";
    };
    field.value = this.wrong.get(label) ?? field.value;
    field.addEventListener("input", () => take(tell()));
    tell();
    return field;
  }

  private field(label: string, ...children: (Node | string)[]): HTMLElement {
    const inputs = children.filter((child) => child instanceof HTMLInputElement);
    const problem = h("small", { class: "error wrong", role: "status", id: `wrong-${label}` });
    const tell = () => (problem.textContent = inputs.map((input) => input.dataset.problem ?? "").filter(Boolean).join(" "));
    for (const input of inputs) {
      input.setAttribute("aria-describedby", problem.id);
      input.addEventListener("input", tell);
    }
    tell();
    return h("div", { class: "field" }, h("span", { class: "label" }, label), h("div", { class: "row" }, ...children), problem);
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
      title: "A part of the name. Small letters find capital ones, too", onblur: () => this.showNames(), oninput: () => this.set({ player: "", white: "", black: "", [colors.value]: spaced(player.value.trim()) }),
    });
    const colors = this.select("color of the player", [["player", "Any color"], ["white", "White"], ["black", "Black"]], color, (value) => {
      this.color = value;
      this.set({ player: "", white: "", black: "", [value]: spaced(player.value.trim()) });
    });
    const ends = this.who === "both" ? [["whiteFrom", "blackFrom"], ["whiteTo", "blackTo"]] : [["eloFrom"], ["eloTo"]];
    const who = this.select("whose ratings", [["both", "Both"], ["one", "Higher"]], this.who, (value) => {
      const [from, to] = ends.map(([name]) => this.mask[name] ?? "");
      this.who = value as "both" | "one";
      const [both, one] = value === "both" ? [[from, to], ["", ""]] : [["", ""], [from, to]];
      this.set({ whiteFrom: both[0], blackFrom: both[0], whiteTo: both[1], blackTo: both[1], eloFrom: one[0], eloTo: one[1] });
    });
    const chosen = (this.mask.results ?? "").split(" ").filter(Boolean);
    const results = RESULTS.map(([value, words, title]) => h("button", {
      type: "button", title, "aria-pressed": String(chosen.includes(value)),
      onclick: () => this.set({ results: RESULTS.map(([other]) => other).filter((other) => (other === value) !== chosen.includes(other)).join(" ") }),
    }, words));
    const opening: HTMLInputElement = h("input", {
      value: this.mask.opening ?? this.mask.code ?? "", placeholder: "Name, B90, or B20-B99", "aria-label": "opening", spellcheck: "false", autocomplete: "off",
    });
    this.checked(opening, (text) => (/["\\]/.test(text) ? "No opening has such a sign in its name, so this is left out." : null), (value) => {
      const isCode = /^[A-E]\d{0,2}(\s*[-–]\s*[A-E]\d\d)?$/.test(value);
      this.set({ opening: isCode ? "" : value, code: isCode ? value : "" });
    });
    return [
      this.field("Player", player, colors),
      this.field("Ratings", who, this.number("ratings from", ends[0]), "to", this.number("ratings to", ends[1])),
      this.field("Years", this.number("years from", ["yearFrom"]), "to", this.number("years to", ["yearTo"])),
      h("div", { class: "field", role: "group", "aria-label": "result" }, h("span", { class: "label" }, "Result"), h("div", { class: "result-grid" }, ...results)),
      this.field("Opening", opening),
      this.field("Event", this.text("event", "event", "Any event", { title: "A part of the name. Small letters find capital ones, too" })),
    ];
  }

  /** Returns a section that opens and closes, with its value at the right. */
  private section(title: string, value: string, ...children: Node[]): HTMLElement {
    const details: HTMLDetailsElement = h("details", { class: "fold", open: this.open.has(title), ontoggle: () => (details.open ? this.open.add(title) : this.open.delete(title)) },
      h("summary", {}, h("b", {}, title), h("span", { class: "value" }, value)), ...children);
    return details;
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
      this.field("Moves", this.number("moves from", ["moveFrom"]), "to", this.number("moves to", ["moveTo"])));
  }

  private slider(label: string, name: string, min: number, max: number, any: number, words: (n: number) => string): HTMLElement {
    const value = this.mask[name] === undefined ? any : Number(this.mask[name]);
    const told = h("output", {}, value === any ? "Any" : words(value));
    const field: HTMLInputElement = h("input", {
      type: "range", min, max, step: 1, "aria-label": label, "aria-valuetext": told.textContent,
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
      this.slider("At least", "leadFrom", -LEAD, LEAD, -LEAD, lead), this.slider("At most", "leadTo", -LEAD, LEAD, LEAD, lead),
      this.slider("Fewest men", "menFrom", 2, 32, 2, String), this.slider("Most men", "menTo", 2, 32, 32, String),
      this.field("Queens", this.select("queens", [["", "Any"], ["on", "On both sides"], ["off", "None"]], this.mask.queens ?? "", (queens) => this.set({ queens }))));
  }

  private ending(): HTMLElement {
    const value = this.mask.ending ?? "";
    const known = ENDINGS.some(([name]) => name === value) || value === "" ? ENDINGS : [...ENDINGS, [value, value] as [string, string]];
    return this.section("Ending", known.find(([name]) => name === value)?.[1] ?? "Any",
      this.field("Pieces", this.select("class of the ending", [["", "Any"], ...known], value, (ending) => this.set({ ending }))));
  }
}

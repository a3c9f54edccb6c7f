// The editor. It asks the backend about the language.

import { autocompletion, closeBrackets, closeBracketsKeymap, closeCompletion, completionKeymap, snippet, type Completion, type CompletionContext } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching } from "@codemirror/language";
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { searchKeymap, highlightSelectionMatches } from "@codemirror/search";
import { EditorState, StateEffect, StateField, type Extension, type Range, type StateEffectType } from "@codemirror/state";
import {
  Decoration, EditorView, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers,
  placeholder, type DecorationSet,
} from "@codemirror/view";

import type { Backend, Checked, Edit, Fault, Place, Proposal } from "./backend";
import { OneStop, dialog, h, message, settled, toast } from "./dom";
import { markdown } from "./markdown";
import { asksNothing } from "./mask-text";
import { capital, fixName, here } from "./words";

/** Events for the rest of the page. */
export interface EditorEvents {
  /** The text was changed by the user. */
  changed(text: string): void;
  checked(checked: Checked): void;
  /** The text could not be checked. */
  unchecked(error: unknown): void;
  /** The designator at the cursor has changed; null if there is none. */
  designator(text: string | null): void;
  signature(label: HTMLElement | null): void;
  search(): void;
  /** A text is pasted. Returns whether the page has handled it. */
  pasted(text: string): boolean;
}

const setTokens = StateEffect.define<[number, number, string][]>();
const setLit = StateEffect.define<Place | null>();

/** Marks in the text, which an effect sets and changes of the text move. */
const marks = <T>(effect: StateEffectType<T>, marksOf: (value: T, end: number) => Range<Decoration>[]) => StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (old, { changes, effects, state }) => effects.reduce((now, one) => (one.is(effect) ? Decoration.set(marksOf(one.value, state.doc.length)) : now), old.map(changes)),
  provide: (field) => EditorView.decorations.from(field),
});

/** Returns the mark of a place that the text has. */
const mark = (from: number, to: number, end: number, name: string) => (from < to && to <= end ? [Decoration.mark({ class: name }).range(from, to)] : []);

const tokens = marks(setTokens, (all, end) => all.flatMap(([from, to, kind]) => mark(from, to, end, `tok-${kind}`)));
const lit = marks(setLit, (place, end) => (place ? mark(place.from, place.to, end, "lit-text") : []));

/** The codes of the errors that a query has no conditions. */
const EMPTY = ["E0101", "E0104"];

export class Editor {
  readonly view: EditorView;
  private checked: Checked | null = null;
  private states = new Map<string, EditorState>();
  private current = "";
  private version = 0;
  /** Latest check, which may have ended. */
  private checking: Promise<void> = Promise.resolve();
  private checkingVersion = -1;
  private readonly check = settled(90, () => void this.settle());
  private readonly look = settled(60, () => void this.lookAround());

  constructor(parent: HTMLElement, private readonly backend: Backend, private readonly events: EditorEvents) {
    this.view = new EditorView({ parent, state: this.newState("") });
  }

  private extensions(): Extension[] {
    return [
      lineNumbers(), highlightActiveLine(), highlightActiveLineGutter(), history(), bracketMatching(), closeBrackets(),
      highlightSelectionMatches(), lintGutter(), tokens, lit,
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ tabindex: "0", "aria-label": "query", spellcheck: "false" }),
      placeholder("Write a query, or take one from the cookbook.\nWithout a query, all games are shown."),
      autocompletion({ override: [(context) => this.complete(context)], icons: false }),
      hoverTooltip((_, at) => this.hover(at), { hoverTime: 350 }),
      keymap.of([
        { key: "Mod-Enter", run: () => (closeCompletion(this.view), this.events.search(), true), preventDefault: true },
        { key: "Shift-Alt-f", run: () => (void this.format(), true) },
        { key: "Mod-.", run: () => (void this.actions(), true) },
        { key: "F2", run: () => (void this.rename(), true) },
        { key: "F12", run: () => (void this.definition(), true) },
        // Tab is not among them: it leaves the editor.
        ...closeBracketsKeymap, ...defaultKeymap, ...searchKeymap, ...historyKeymap, ...completionKeymap, ...lintKeymap,
      ]),
      EditorView.domEventHandlers({ paste: (event) => this.events.pasted(event.clipboardData?.getData("text/plain") ?? "") }),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) {
          this.version += 1;
          this.events.changed(this.text);
          this.check();
        }
        if (update.docChanged || update.selectionSet) this.look();
      }),
    ];
  }

  private newState(text: string): EditorState {
    return EditorState.create({ doc: text, extensions: this.extensions() });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Shows another text, with its own undo history. */
  show(id: string, text: string): void {
    if (this.current) this.states.set(this.current, this.view.state);
    this.current = id;
    const known = this.states.get(id);
    this.view.setState(known && known.doc.toString() === text ? known : this.newState(text));
    this.version += 1;
    void this.settle();
  }

  forget(id: string): void {
    this.states.delete(id);
    if (this.current === id) this.current = "";
  }

  /** Replaces the whole text. */
  replace(text: string): void {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text }, userEvent: "input" });
  }

  apply(edits: Edit[]): void {
    const length = this.view.state.doc.length;
    if (edits.length > 0 && edits.every((edit) => edit.to <= length)) {
      this.view.dispatch({ changes: edits, userEvent: "input" });
    }
    this.view.focus();
  }

  select(place: Place): void {
    const length = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(place.from, length), head: Math.min(place.to, length) }, scrollIntoView: true });
    this.view.focus();
  }

  light(place: Place | null): void {
    this.view.dispatch({ effects: setLit.of(place) });
  }

  private async ask<T>(what: string, at = 0, to?: number, name?: string): Promise<T | null> {
    const version = this.version;
    try {
      const answer = await this.backend.ask<T>(what, this.text, at, to, name);
      return version === this.version ? answer : null;
    } catch (error) {
      if (what !== "check") toast((error as Error).message, "error");
      else if (version === this.version) this.events.unchecked(error);
      return null;
    }
  }

  /** Checks the current text, at most once per version. */
  settle(): Promise<void> {
    if (this.checkingVersion !== this.version) {
      this.checkingVersion = this.version;
      this.checking = this.checkText();
    }
    return this.checking;
  }

  private async checkText(): Promise<void> {
    if (this.text.trim() === "") {
      this.showChecked({ diagnostics: [], tokens: [] });
      return;
    }
    const { version } = this;
    const checked = await this.ask<Checked>("check");
    // An empty query is no error before anything is written.
    if (checked) this.showChecked(asksNothing(this.text) ? { ...checked, diagnostics: checked.diagnostics.filter((fault) => !EMPTY.includes(fault.code)) } : checked);
    else if (this.checkingVersion === version) this.checkingVersion = -1;
  }

  private showChecked(checked: Checked): void {
    this.checked = checked;
    const diagnostics = checked.diagnostics.map((fault) => this.diagnostic(fault));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    this.view.dispatch({ effects: setTokens.of(checked.tokens) });
    this.events.checked(checked);
    this.look();
  }

  private diagnostic(fault: Fault): Diagnostic {
    const length = this.view.state.doc.length;
    const edit = fault.edit;
    return {
      from: Math.min(fault.from, length),
      to: Math.min(Math.max(fault.to, fault.from), length),
      severity: fault.severity,
      message: here(fault.help ? `${fault.message}\n${fault.help}` : fault.message),
      renderMessage: () => h("span", {}, message(fault.message), fault.help && "\n", fault.help && message(fault.help)),
      source: fault.code,
      actions: edit ? [{ name: fixName(edit), apply: () => this.apply(edit) }] : [],
    };
  }

  private async lookAround(): Promise<void> {
    const at = this.view.state.selection.main.head;
    const token = this.checked?.tokens.find(([from, to, kind]) => kind === "designator" && from <= at && at <= to);
    this.events.designator(token ? this.view.state.sliceDoc(token[0], token[1]) : null);
    const before = this.view.state.sliceDoc(Math.max(0, at - 400), at);
    if (!before.includes("(")) return this.events.signature(null);
    const found = await this.ask<{ label: string; sentence: string; parameters: [number, number][]; active: number | null }>("signature", at);
    if (!found) return this.events.signature(null);
    const range = found.active === null ? undefined : found.parameters[found.active];
    const label = range
      ? h("code", {}, found.label.slice(0, range[0]), h("b", {}, found.label.slice(...range)), found.label.slice(range[1]))
      : h("code", {}, found.label);
    this.events.signature(h("span", { class: "signature" }, label, found.sentence ? ` ${found.sentence}` : null));
  }

  private async complete(context: CompletionContext) {
    const word = context.matchBefore(/[\w$-]+/);
    if (!context.explicit && (!word || word.text.length < 2)) return null;
    const found = await this.ask<Proposal[]>("complete", context.pos);
    // The user may have moved on meanwhile.
    if (context.aborted || !this.view.hasFocus) return null;
    if (!found || found.length === 0) return null;
    const options = found.map((one): Completion => ({
      label: one.label,
      detail: one.detail,
      type: one.kind,
      boost: -one.rank,
      info: one.sentence ? () => h("div", {}, one.sentence) : undefined,
      apply: one.template === one.label ? one.label : snippet(one.template.replace(/\\([$}])/g, "$1")),
    }));
    return { from: found[0].from, to: found[0].to, options, validFor: /^[\w$-]*$/ };
  }

  private async hover(at: number) {
    const found = await this.ask<Place & { markdown: string }>("hover", at);
    if (!found) return null;
    return {
      pos: found.from,
      end: found.to,
      above: true,
      create: () => ({ dom: h("div", { class: "hover" }, markdown(found.markdown)) }),
    };
  }

  async format(): Promise<void> {
    const found = await this.ask<{ edits?: Edit[]; error?: string }>("format");
    if (found?.error) toast(`Not formatted: ${found.error}`, "error");
    else if (found?.edits) this.apply(found.edits);
  }

  /** Shows the quick fixes and other actions at the cursor. */
  async actions(): Promise<void> {
    const { from, to } = this.view.state.selection.main;
    const found = await this.ask<{ title: string; kind: string; edits: Edit[] }[]>("actions", from, to);
    if (!found) return;
    if (found.length === 0) return toast("No edits here");
    const list = h("ul", { class: "choices" }, ...found.map((action) =>
      h("li", {}, h("button", { type: "button", onclick: () => (box.close(), this.apply(action.edits)) }, message(capital(action.title))))));
    new OneStop(list, "button").update();
    const box = dialog("Changes", list);
  }

  private async rename(): Promise<void> {
    const at = this.view.state.selection.main.head;
    const name = await this.ask<{ text: string }>("names", at);
    if (!name) return toast("No name to rename here");
    const input = h("input", { value: name.text, "aria-label": "new name", autofocus: true });
    const form = h("form", { method: "dialog", class: "row" }, input, h("button", { class: "main" }, "Rename"));
    const box = dialog(`Rename ${name.text}`, form);
    input.select();
    form.addEventListener("submit", async () => {
      box.close();
      const found = await this.ask<{ edits: Edit[] }>("rename", at, undefined, input.value);
      if (found) this.apply(found.edits);
    });
  }

  private async definition(): Promise<void> {
    const name = await this.ask<{ definition: Place }>("names", this.view.state.selection.main.head);
    if (name) this.select(name.definition);
  }
}

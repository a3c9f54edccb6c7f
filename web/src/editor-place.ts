// Placeholder of the editor. It shows the query at once; the editor, which is most of the code of the
// page, is loaded later.

import type { Backend, Edit, Place } from "./backend";
import { h, replace } from "./dom";
import type { Editor, EditorEvents } from "./editor";

export class EditorPlace {
  readonly element = h("div", { class: "editor" });
  private editor: Editor | null = null;
  private shown = { id: "", text: "" };
  private isWanted = false;
  /** Whether the cursor is wanted behind the text. */
  private isAtEnd = false;
  private loaded: Promise<Editor | null> | null = null;

  constructor(private readonly backend: Backend, private readonly events: EditorEvents) {}

  /** Loads the editor; returns null if it cannot be loaded. */
  load(): Promise<Editor | null> {
    return (this.loaded ??= this.begin());
  }

  private async begin(): Promise<Editor | null> {
    try {
      const { Editor } = await import("./editor.js");
      replace(this.element);
      this.editor = new Editor(this.element, this.backend, this.events);
    } catch {
      replace(this.element, h("p", { class: "waiting", role: "alert" }, "The editor could not be loaded. Reload the page."));
      return null;
    }
    this.editor.show(this.shown.id, this.shown.text);
    // Takes the focus only if nothing else has received it meanwhile.
    if (this.isWanted && document.activeElement === document.body) this.isAtEnd ? this.focusEnd() : this.focus();
    return this.editor;
  }

  get text(): string {
    return this.editor?.text ?? this.shown.text;
  }

  /** Shows another text, with its own undo history. */
  show(id: string, text: string): void {
    this.shown = { id, text };
    if (this.editor) this.editor.show(id, text);
    else replace(this.element, h("pre", { class: "waiting" }, text));
  }

  /** Replaces the text by what the mask or the board says, which the editor can undo. */
  set(text: string): void {
    if (text === this.text) return;
    if (this.editor) this.editor.replace(text);
    else {
      this.shown.text = text;
      replace(this.element, h("pre", { class: "waiting" }, text));
      this.events.changed(text);
    }
  }

  forget(id: string): void {
    this.editor?.forget(id);
  }

  apply(edits: Edit[]): void {
    this.editor?.apply(edits);
  }

  select(place: Place): void {
    this.editor?.select(place);
  }

  light(place: Place | null): void {
    this.editor?.light(place);
  }

  focus(): void {
    this.isWanted = true;
    this.editor?.view.focus();
  }

  /** Puts the cursor behind the text, to write there. */
  focusEnd(): void {
    const to = this.text.length;
    if (this.editor) this.editor.select({ from: to, to });
    else {
      this.isAtEnd = true;
      this.focus();
    }
  }

  async format(): Promise<void> {
    await (await this.load())?.format();
  }

  async actions(): Promise<void> {
    await (await this.load())?.actions();
  }

  /** Waits until the current text has been checked. */
  async settle(): Promise<void> {
    await (await this.load())?.settle();
  }
}

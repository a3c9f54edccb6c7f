// The opening tree under the board: the moves that were played from the position in the collections.

import type { Backend, OpeningTree } from "./backend";
import { count, counted, h, replace, settled } from "./dom";

/** Milliseconds of a count after which others are not begun without being asked for. */
const SLOW = 1500;

export class TreeView {
  readonly element = h("div", { class: "tree" });
  private fen = "";
  private isShown = false;
  private running: AbortController | null = null;
  private isSlow = false;
  private readonly known = new Map<string, OpeningTree>();
  private readonly soon = settled(120, () => void this.count(false));

  constructor(private readonly backend: Backend, private readonly collections: () => number[], private readonly play: (uci: string) => void) {}

  /** Whether the backend counts moves. */
  get isThere(): boolean {
    return this.backend.tree !== undefined;
  }

  /** Shows the tree of a position as soon as it is in sight. */
  show(fen: string): void {
    this.fen = fen;
    if (this.isShown && this.isThere) this.soon();
  }

  set visible(is: boolean) {
    this.isShown = is;
    if (is) this.soon();
  }

  /** The games have changed. */
  forget(): void {
    this.known.clear();
    this.isSlow = false;
    if (this.isShown) this.soon();
  }

  private async count(isAsked: boolean): Promise<void> {
    this.running?.abort();
    const collections = this.collections();
    const { fen } = this;
    const key = `${collections} ${fen.split(" ").slice(0, 4).join(" ")}`;
    const known = this.known.get(key);
    if (known) return this.tell(known);
    if (collections.length === 0) return replace(this.element, h("p", { class: "told" }, "No games are selected."));
    if (this.isSlow && !isAsked) return replace(this.element, h("button", { type: "button", onclick: () => void this.count(true) }, "Count the moves played here"));
    const controller = new AbortController();
    this.running = controller;
    const began = performance.now();
    const waiting = setTimeout(() => replace(this.element, h("p", { class: "told", role: "status" }, "Counting… ", h("button", { type: "button", class: "link", onclick: () => (controller.abort(), (this.isSlow = true), void this.count(false)) }, "Stop"))), 300);
    try {
      const tree = await this.backend.tree!(fen, collections, controller.signal);
      if (controller.signal.aborted) return;
      this.isSlow = performance.now() - began > SLOW;
      if (this.known.size > 300) this.known.clear();
      this.known.set(key, tree);
      this.tell(tree);
    } catch (error) {
      if (!controller.signal.aborted) replace(this.element, h("p", { class: "error", role: "alert" }, (error as Error).message));
    } finally {
      clearTimeout(waiting);
    }
  }

  private tell(tree: OpeningTree): void {
    const [, turn, , , , number] = this.fen.split(" ");
    const prefix = `${number ?? 1}${turn === "b" ? "…" : "."}`;
    const percent = (n: number) => `${Math.round(n * 100)} %`;
    if (tree.moves.length === 0) {
      return replace(this.element, h("p", { class: "told" }, tree.games > 0 ? `${counted(tree.games, "game")} ${tree.games === 1 ? "ends" : "end"} in this position.` : "No game of the selected collections has this position. Step back to see the moves played, or move a piece to try one."));
    }
    replace(this.element, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Move"), h("th", { class: "n" }, "Games"), h("th", { class: "n" }, "Share"), h("th", {}, "Results"), h("th", { class: "n" }, "Score"), h("th", {}, "Name"))),
      h("tbody", {}, ...tree.moves.map((move) => h("tr", { onclick: () => this.play(move.uci) },
        h("td", {}, h("button", { type: "button", class: "link", "aria-label": `${prefix}${move.move}, play it`, onclick: (event: Event) => (event.stopPropagation(), this.play(move.uci)) }, `${prefix}${move.move}`)),
        h("td", { class: "n" }, count(move.games)), h("td", { class: "n soft" }, percent(move.games / Math.max(1, tree.games))),
        h("td", {}, resultBar(move.white, move.draws, move.black)),
        h("td", { class: "n" }, move.score === null ? "" : percent(move.score)), h("td", { class: "soft cut", title: move.opening ?? "" }, move.opening ?? ""))))),
      h("p", { class: "told" }, [tree.opening, counted(tree.games, "game")].filter(Boolean).join(" · ")));
  }
}

/** Draws the shares of wins, draws and losses. */
export function resultBar(white: number, draws: number, black: number): HTMLElement {
  const all = Math.max(1, white + draws + black);
  const words = `${count(white)} won by White, ${count(draws)} drawn, ${count(black)} won by Black`;
  return h("span", { class: "wdb", role: "img", "aria-label": words, title: words }, ...[white, draws, black].map((n) => h("i", { style: `width:${(n / all) * 100}%` })));
}

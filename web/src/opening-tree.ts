// The opening tree under the board: the moves that were played from the position in the collections.

import { again } from "./again";
import type { Backend, OpeningTree, Selection } from "./backend";
import { OneStop, count, counted, failure, h, message, replace, settled } from "./dom";
import { NO_GAMES } from "./words";

/** The moves on the board. */
export interface Line {
  play(uci: string): void;
  /** The positions from the start to the shown one. */
  positions(): string[];
  /** The variant of the game, if no tree counts its games. */
  without(): string | null;
  /** Shows one of these positions. */
  goTo(index: number): void;
}

/** The games that a tree counts. */
export interface TreeGames {
  on: Selection;
  /** Text that differs for other games. */
  key: string;
  /** Says which games these are: "the 9 games found". */
  words: string;
  /** Counts others instead: its words, and what it does; null if there are no others. */
  other: { words: string; choose(): void } | null;
}

/** Milliseconds of a count after which others are not begun without being asked for. */
const SLOW = 1500;

export class TreeView {
  readonly element = h("div", { class: "tree" });
  /** Says which games are counted, and counts others by a click. */
  readonly head = h("p", { class: "told tree-games" });
  private readonly moveStop = new OneStop(this.element, "tbody .link", false, false);
  private fen = "";
  private isShown = false;
  private running: AbortController | null = null;
  private isSlow = false;
  /** Whether the focus was here when the last count began. */
  private hadFocus = false;
  /** The games whose moves are shown. */
  private shownKey = "";
  private readonly known = new Map<string, OpeningTree>();
  private readonly soon = settled(120, () => void this.count(false));

  constructor(private readonly backend: Backend, private readonly games: () => TreeGames, private readonly line: Line) {}

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
    this.head.hidden = !is;
    if (is) this.soon();
  }

  /** The games have changed. */
  forget(): void {
    this.known.clear();
    this.isSlow = false;
    this.refresh();
  }

  /** Other games may be meant. */
  refresh(): void {
    if (this.isShown && this.isThere) this.soon();
  }

  private async count(isAsked: boolean): Promise<void> {
    this.running?.abort();
    this.hadFocus ||= this.element.contains(document.activeElement);
    const games = this.games();
    const { fen } = this;
    this.tellGames(games);
    const without = this.line.without();
    if (without !== null) return replace(this.element, h("p", { class: "told no-tree" }, `There is no opening tree for ${without}: it counts games whose pieces move as in chess.`));
    const known = this.known.get(this.keyOf(games, fen));
    const isOther = games.key !== this.shownKey;
    this.shownKey = games.key;
    if (known) return this.tell(known);
    // Moves of other games would stand below the number of these.
    if (isOther) replace(this.element, h("p", { class: "told" }, "Counting…"));
    if (games.on.collections.length === 0) return replace(this.element, h("p", { class: "told" }, NO_GAMES));
    if (games.on.games?.length === 0) return replace(this.element, h("p", { class: "told" }, "There is no game to count."));
    if (this.isSlow && !isAsked) return replace(this.element, h("button", { type: "button", onclick: () => void this.count(true) }, "Count the moves played here"));
    const controller = new AbortController();
    this.running = controller;
    const began = performance.now();
    const waiting = setTimeout(() => replace(this.element, h("p", { class: "told", role: "status" }, "Counting… ", h("button", { type: "button", class: "link", onclick: () => (controller.abort(), (this.isSlow = true), void this.count(false)) }, "Stop"))), 300);
    try {
      const tree = await this.treeOf(fen, games, controller.signal);
      if (controller.signal.aborted) return;
      this.isSlow = performance.now() - began > SLOW;
      this.tell(tree);
    } catch (error) {
      if (controller.signal.aborted) return;
      replace(this.element, failure(error));
      again.after(error, "tree", () => this.refresh());
    } finally {
      clearTimeout(waiting);
    }
  }

  private keyOf(games: TreeGames, fen: string): string {
    return `${games.key} ${fen.split(" ").slice(0, 4).join(" ")}`;
  }

  private async treeOf(fen: string, games: TreeGames, signal: AbortSignal): Promise<OpeningTree> {
    const key = this.keyOf(games, fen);
    const known = this.known.get(key) ?? (await this.backend.tree!(fen, games.on, signal));
    if (this.known.size > 300) this.known.clear();
    this.known.set(key, known);
    return known;
  }

  /** Steps back to the last position that several games have. */
  private async toShared(): Promise<void> {
    const games = this.games();
    const positions = this.line.positions();
    const controller = new AbortController();
    this.running?.abort();
    this.running = controller;
    // A later position is in no more games than an earlier one, except after transpositions.
    let [from, to] = [0, positions.length - 1];
    try {
      while (from < to) {
        const middle = Math.ceil((from + to) / 2);
        if ((await this.treeOf(positions[middle], games, controller.signal)).games > 1) from = middle;
        else to = middle - 1;
      }
    } catch {
      // The user went on, or the count failed, which the next one says.
      return;
    }
    if (!controller.signal.aborted) this.line.goTo(from);
  }

  private tellGames({ on, words, other }: TreeGames): void {
    replace(this.head, on.collections.length > 0 && h("span", { class: "cut", title: `Moves played in ${words}` }, words.replace(/^the /, "")),
      other && h("button", { type: "button", class: "link", onclick: () => other.choose() }, other.words));
  }

  private tell(tree: OpeningTree): void {
    const [, turn, , , , number] = this.fen.split(" ");
    const prefix = `${number ?? 1}${turn === "b" ? "…" : "."}`;
    const percent = (n: number) => `${Math.round(n * 100)} %`;
    const shared = tree.games < 2 && this.line.positions().length > 1 && h("button", { type: "button", onclick: () => void this.toShared() }, "Go to the last shared position");
    const notes = tree.notes.map((note) => h("p", { class: "error" }, message(note)));
    if (tree.moves.length === 0) {
      return replace(this.element, ...notes, h("p", { class: "told" }, tree.games > 0 ? `${counted(tree.games, "game")} ${tree.games === 1 ? "ends" : "end"} in this position.` : "None of these games has this position. Step back to see the moves played, or move a piece to try one."), shared);
    }
    replace(this.element, ...notes, h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "Move"), h("th", { class: "n" }, "Games"), h("th", { class: "n" }, "Share"), h("th", {}, "Results"), h("th", { class: "n" }, `${turn === "b" ? "Black" : "White"}'s score`), h("th", {}, "Name"))),
      h("tbody", {}, ...tree.moves.map((move) => h("tr", { onclick: () => this.line.play(move.uci) },
        h("td", {}, h("button", { type: "button", class: "link", "aria-label": `${prefix}${move.move}, play it`, onclick: (event: Event) => (event.stopPropagation(), this.line.play(move.uci)) }, `${prefix}${move.move}`)),
        h("td", { class: "n" }, count(move.games)), h("td", { class: "n soft" }, percent(move.games / Math.max(1, tree.games))),
        h("td", {}, resultBar(move.white, move.draws, move.black)),
        h("td", { class: "n" }, move.score === null ? "" : percent(move.score)), h("td", { class: "soft cut", title: move.opening ?? "" }, move.opening ?? ""))))),
      h("p", { class: "told" }, [tree.opening, counted(tree.games, "game")].filter(Boolean).join(" · ")), shared);
    this.moveStop.update();
    // A player who plays a move by keyboard goes on to the next one.
    if (this.hadFocus && document.activeElement?.contains(this.element)) this.element.querySelector<HTMLElement>("tbody .link")?.focus();
    this.hadFocus = false;
  }
}

/** Draws the shares of wins, draws and losses. */
export function resultBar(white: number, draws: number, black: number): HTMLElement {
  const all = Math.max(1, white + draws + black);
  const words = `${count(white)} won by White, ${count(draws)} drawn, ${count(black)} won by Black`;
  return h("span", { class: "wdb", role: "img", "aria-label": words, title: words }, ...[white, draws, black].map((n) => h("i", { style: `width:${(n / all) * 100}%` })));
}

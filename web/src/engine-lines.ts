// The lines of the engine below the board. It thinks only while they are in sight.

import { again } from "./again";
import type { Backend, EngineLines } from "./backend";
import { failure, h, replace, settled } from "./dom";

export class EngineView {
  readonly element = h("div", { class: "engine" });
  private fen = "";
  private variant: string | null = null;
  private isShown = false;
  private running: AbortController | null = null;
  private readonly soon = settled(150, () => void this.think());

  /** `play` plays a move of the position on the board. */
  constructor(private readonly backend: Backend, private readonly play: (san: string) => void) {
    document.addEventListener("visibilitychange", () => (document.hidden ? this.running?.abort() : this.isShown && this.soon()));
  }

  set visible(is: boolean) {
    if (is === this.isShown) return;
    this.isShown = is;
    if (is) this.soon();
    else this.running?.abort();
  }

  /** Shows the lines of a position, unless it is of a variant: the engine knows the rules of chess alone. */
  show(fen: string, variant: string | null): void {
    if (fen === this.fen && variant === this.variant) return;
    this.fen = fen;
    this.variant = variant;
    this.running?.abort();
    if (this.isShown) this.soon();
  }

  private async think(): Promise<void> {
    this.running?.abort();
    if (!this.isShown || document.hidden) return;
    if (this.variant !== null) return replace(this.element, h("p", { class: "told", role: "status" }, `The engine is not asked about ${this.variant}: it would judge the position by the rules of chess.`));
    const controller = new AbortController();
    this.running = controller;
    const { fen } = this;
    replace(this.element, h("p", { class: "told", role: "status" }, "The engine thinks…"));
    let hasMove = false;
    const tell = (found: EngineLines) => {
      if (controller.signal.aborted || !found.lines.some(({ moves }) => moves.length > 0)) return;
      hasMove = true;
      this.tell(found);
    };
    try {
      await this.backend.engine!(fen, tell, controller.signal);
      if (!hasMove && !controller.signal.aborted) replace(this.element, h("p", { class: "told", role: "status" }, "The engine finds no move here, as after mate and stalemate."));
    } catch (error) {
      if (controller.signal.aborted) return;
      again.after(error, "engine", () => void (fen === this.fen && this.think()));
      replace(this.element, failure(error), h("button", { type: "button", onclick: () => void this.think() }, "Ask again"));
    }
  }

  private tell({ depth, lines }: EngineLines): void {
    const [, turn, , , , first] = this.fen.split(" ");
    const numbered = (moves: string[]) => {
      let number = Number(first) || 1;
      let isWhite = turn !== "b";
      return moves.slice(0, 12).map((san, i) => {
        const prefix = isWhite ? `${number}.` : i === 0 ? `${number}…` : "";
        if (!isWhite) number += 1;
        isWhite = !isWhite;
        return `${prefix}${san}`;
      });
    };
    replace(this.element, h("ol", {}, ...lines.filter(({ moves }) => moves.length > 0).map(({ score, mate, moves }) => {
      const [move, ...rest] = numbered(moves);
      return h("li", {}, h("b", { class: "score" }, scoreText(score, mate)), h("button", { type: "button", class: "link", title: "Try the move", onclick: () => this.play(moves[0]) }, move), ` ${rest.join(" ")}`);
    })), h("p", { class: "told" }, `Depth ${depth}. Scores are those of White.`));
  }
}

/** Formats a score of White: in pawns, or as the number of moves to mate. */
export function scoreText(score: number | null, mate: number | null): string {
  if (mate !== null) return `#${mate < 0 ? "−" : ""}${Math.abs(mate)}`;
  const pawns = (score ?? 0) / 100;
  return `${pawns < 0 ? "−" : "+"}${Math.abs(pawns).toFixed(2)}`;
}

// A game: its board, its moves, and the conditions of the query that hold at each position.

import type { Backend, Condition, Game, GameReference, Holds, Move, MoveItem, Place, Query } from "./backend";
import { boardElement, designated, draw, inWords, piecesOf, type Pieces } from "./board";
import { copyText, count, h, iconButton, put, replace, s, say, toast } from "./dom";

/** A move with the one before it. */
interface Node {
  move: Move;
  parent: number;
  pieces: Pieces;
  isMainLine: boolean;
  clock?: string;
  evaluation?: number;
}

const GLYPHS: Record<number, string> = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+",
};

export interface GameEvents {
  /** The user points at a condition of the query; null when that ends. */
  light(place: Place | null): void;
  flipped(flipped: boolean): void;
  toQuery(fen: string): void;
}

export class GameView {
  readonly element: HTMLElement;
  flipped = false;
  private game: Game | null = null;
  private pgn = "";
  private nodes: Node[] = [];
  private next: number[] = [];
  private matches: number[] = [];
  private at = 0;
  private holds: Holds | null = null;
  private designator: string | null = null;
  private lit: string[] | null = null;
  private turn = 0;
  private readonly board = boardElement();
  private readonly head = h("header", { class: "game-head" });
  private readonly caption = h("p", { class: "caption", "aria-live": "polite" });
  private readonly moves = h("div", { class: "moves", tabindex: 0, role: "region", "aria-label": "moves" });
  private readonly conditions = h("section", { class: "conditions", "aria-label": "conditions at this position" });
  private readonly white = h("span", { class: "clock" });
  private readonly black = h("span", { class: "clock" });
  private readonly bar = h("div", { class: "evaluation", hidden: true });
  private readonly matchButton = h("button", { type: "button", class: "match-button", onclick: () => this.nextMatch(1) }, "Next match");
  private readonly controls: HTMLElement;
  private readonly empty = h("div", { class: "empty" });
  private readonly body: HTMLElement;
  private readonly analysis = h("a", { class: "button quiet", target: "_blank", rel: "noreferrer noopener", title: "Open the position in an analysis board on the web (lichess.org)" }, "Analyze");

  constructor(private readonly backend: Backend, private readonly events: GameEvents) {
    this.controls = h("div", { class: "controls" },
      iconButton("first", "To the start (Home)", () => this.show(0)),
      iconButton("previous", "Back (←)", () => this.step(-1)),
      iconButton("next", "Forward (→)", () => this.step(1)),
      iconButton("last", "To the end (End)", () => this.end()),
      this.matchButton,
      iconButton("flip", "Flip the board (f)", () => this.flip()));
    this.body = h("div", { class: "game-body" },
      h("div", { class: "board-side" },
        h("div", { class: "board-frame" }, this.bar, this.board),
        h("div", { class: "under" }, this.black, this.caption, this.white),
        this.controls,
        h("div", { class: "row tools" },
          h("button", { type: "button", class: "quiet", onclick: () => this.copyFen() }, "Copy FEN"),
          h("button", { type: "button", class: "quiet", onclick: () => copyText(this.pgn, "PGN") }, "Copy PGN"),
          h("button", { type: "button", class: "quiet", title: "Draw a query that begins with this position", onclick: () => this.game && this.events.toQuery(this.fen) }, "Draw"),
          this.analysis)),
      h("div", { class: "moves-side" }, this.moves, this.conditions));
    this.element = h("div", { class: "game" }, this.head, this.body, this.empty);
    this.board.addEventListener("click", (event) => {
      const box = this.board.getBoundingClientRect();
      this.step((event as MouseEvent).clientX < box.left + box.width / 2 ? -1 : 1);
    });
    this.board.addEventListener("wheel", (event) => {
      if (!this.game || event.ctrlKey) return;
      event.preventDefault();
      this.step(event.deltaY < 0 ? -1 : 1);
    }, { passive: false });
    this.clear();
  }

  /** Shows no game. */
  clear(): void {
    this.turn += 1;
    this.game = null;
    this.body.hidden = true;
    this.head.replaceChildren();
    replace(this.empty,
      s("svg", { class: "big", viewBox: "0 0 40 40", "aria-hidden": "true" }, s("use", { href: "#n", class: "ghost" })),
      h("p", {}, "Choose a game from the list to see it here at its first matching position."));
  }

  get fen(): string {
    return this.nodes[this.at]?.move.fen ?? "";
  }

  async open(query: Query, reference: GameReference): Promise<void> {
    const turn = ++this.turn;
    this.holds = null;
    try {
      const { game, pgn, isMatch } = await this.backend.game(query, reference);
      if (turn !== this.turn) return;
      this.game = game;
      this.pgn = pgn;
      this.body.hidden = false;
      this.empty.replaceChildren();
      this.read(game);
      this.showHead(game, reference, isMatch);
      this.showMoves(game);
      this.showConditions();
      this.show(this.matches[0] ?? (query.query.trim() ? this.mainEnd() : 0), false);
      this.holds = await this.backend.holds(query, reference);
      if (turn !== this.turn) return;
      this.showConditions();
      this.scroll();
    } catch (error) {
      if (turn !== this.turn) return;
      this.clear();
      replace(this.empty, h("p", { role: "alert" }, (error as Error).message));
    }
  }

  private read(game: Game): void {
    this.nodes = [];
    const lines: number[] = [-1];
    for (const item of game.moves) {
      if ("open" in item) lines.push(this.nodes[lines[lines.length - 1]]?.parent ?? -1);
      else if ("close" in item) lines.pop();
      else {
        const comment = item.comment ?? "";
        const clock = /\[%clk\s+([\d:.]+)\]/.exec(comment)?.[1];
        const evaluation = /\[%eval\s+(#?-?[\d.]+)/.exec(comment)?.[1];
        this.nodes.push({
          move: item, parent: lines[lines.length - 1], pieces: piecesOf(item.fen), isMainLine: lines.length === 1, clock,
          evaluation: evaluation === undefined ? undefined : evaluation.startsWith("#") ? (evaluation.includes("-") ? -99 : 99) : Number(evaluation),
        });
        lines[lines.length - 1] = this.nodes.length - 1;
      }
    }
    this.next = [];
    for (let i = this.nodes.length - 1; i > 0; i--) this.next[this.nodes[i].parent] = i;
    const ids = new Set(game.matches.map((match) => match.id));
    this.matches = this.nodes.flatMap(({ move }, i) => (move.id !== null && ids.has(move.id) ? [i] : []));
  }

  private showHead(game: Game, reference: GameReference, isMatch: boolean): void {
    const tag = (name: string) => {
      const value = game.tags.find(([found]) => found === name)?.[1] ?? "";
      return /^[?-]?$|^\?\?\?\?/.test(value.trim()) ? "" : value;
    };
    const player = (side: string) => h("span", { class: "player" }, tag(side) || "?", tag(`${side}Elo`) && h("small", {}, tag(`${side}Elo`)));
    const about = [tag("Event"), tag("Site"), tag("Date").replace(/\.\?\?/g, ""), tag("Round") && `round ${tag("Round")}`, tag("ECO"), tag("Opening"), tag("TimeControl")];
    const file = reference.input.split(/[/\\]/).pop();
    const facts = game.sort.filter(([, value]) => value !== null).map(([name, value]) => h("span", { class: "fact" }, `${name || "value"} `, h("b", {}, String(value))));
    replace(this.head,
      h("h2", {}, player("White"), " – ", player("Black"), h("span", { class: "result" }, game.result.replace("1/2-1/2", "½–½").replace("-", "–"))),
      h("p", { class: "about" }, about.filter(Boolean).join(" · ") || "no tags", ` · game ${count(reference.in_input)} of ${file}`),
      (facts.length > 0 || !isMatch) && h("p", { class: "facts" }, ...facts, !isMatch && h("span", { class: "fact" }, "The query does not match this game.")));
    this.matchButton.hidden = this.matches.length === 0;
    this.matchButton.textContent = this.matches.length === 1 ? "The match" : `Next of ${this.matches.length} matches`;
  }

  private showMoves(game: Game): void {
    const out: Element[] = [h("span", { class: "line" })];
    let index = 0;
    let needsNumber = true;
    const here = () => out[out.length - 1];
    const comment = (text: string | null | undefined, className: string) => {
      const words = text?.replace(/\[%[^\]]*\]/g, "").trim();
      if (!words) return false;
      put(here(), h("span", { class: className }, words), " ");
      return true;
    };
    game.moves.forEach((item: MoveItem) => {
      if ("open" in item) {
        const variation = h("span", { class: "variation" }, "(");
        put(here(), variation);
        out.push(variation);
        comment(item.open, "comment");
        needsNumber = true;
      } else if ("close" in item) {
        put(out.pop()!, ")");
        put(here(), " ");
        needsNumber = true;
      } else {
        this.putMove(here(), item, index, needsNumber);
        index += 1;
        needsNumber = item.san === null;
        needsNumber = comment(item.comment, "comment") || needsNumber;
        for (const note of game.comments.filter((note) => note.id === item.id)) needsNumber = comment(note.text, "note") || needsNumber;
      }
    });
    put(out[0], h("b", { class: "end" }, game.result.replace("1/2-1/2", "½–½").replace("-", "–")));
    replace(this.moves, out[0]);
  }

  private putMove(parent: Element, move: Move, index: number, needsNumber: boolean): void {
    const isMatch = this.matches.includes(index);
    const number = move.san !== null && (needsNumber || move.white) ? `${move.number}${move.white ? "." : "…"}` : "";
    const glyphs = (move.nags ?? []).map((nag) => GLYPHS[nag] ?? `$${nag}`).join("");
    put(parent, h("a", {
      href: "#", "data-at": index, class: isMatch ? "match" : null, draggable: "false",
      title: isMatch ? "This position matches" : null,
      onclick: (event: Event) => (event.preventDefault(), this.show(index)),
    }, number, move.san ?? "Start", glyphs), " ");
  }

  /** Shows the position after a move. */
  show(at: number, speak = true): void {
    const node = this.nodes[at];
    if (!node) return;
    this.at = at;
    const previous = this.moves.querySelector("[aria-current]");
    previous?.removeAttribute("aria-current");
    const element = this.moves.querySelector<HTMLElement>(`[data-at="${at}"]`);
    element?.setAttribute("aria-current", "true");
    this.scroll();
    this.paint();
    const { move } = node;
    const words = move.san ? `${move.number}${move.white ? "." : "…"} ${move.san}` : "start";
    const isMatch = this.matches.includes(at);
    this.caption.textContent = isMatch ? `${words} · match` : words;
    this.caption.classList.toggle("is-match", isMatch);
    if (speak && isMatch) say(`${words} matches`);
    this.analysis.href = `https://lichess.org/analysis/${move.fen.replaceAll(" ", "_")}`;
    this.showClocks();
    this.markConditions();
  }

  /** Scrolls to the current move. */
  private scroll(): void {
    const element = this.moves.querySelector("[aria-current]");
    if (!element) return;
    const [box, frame] = [element.getBoundingClientRect(), this.moves.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.moves.scrollTop += box.top - frame.top - frame.height / 3;
  }

  private paint(): void {
    const node = this.nodes[this.at];
    if (!node) return;
    const before = this.nodes[node.parent]?.pieces;
    const marks = before ? [...new Set([...before.keys(), ...node.pieces.keys()])].filter((square) => before.get(square) !== node.pieces.get(square)) : [];
    const lights = this.lit ?? (this.designator ? designated(this.designator, node.pieces) : null) ?? [];
    draw(this.board, { pieces: node.pieces, flipped: this.flipped, marks, lights, label: inWords(node.pieces) });
  }

  private showClocks(): void {
    const line: Node[] = [];
    for (let i = this.at; i >= 0; i = this.nodes[i].parent) line.push(this.nodes[i]);
    const clock = (isWhite: boolean) => line.find((node) => node.clock && node.move.white === isWhite && node.move.san !== null)?.clock;
    const [top, bottom] = this.flipped ? [this.white, this.black] : [this.black, this.white];
    const tell = (element: HTMLElement, isWhite: boolean) => {
      const time = clock(isWhite);
      element.textContent = time ? `${isWhite ? "White" : "Black"} ${time}` : "";
      element.hidden = !time;
    };
    tell(top, this.flipped);
    tell(bottom, !this.flipped);
    const evaluation = this.nodes[this.at].evaluation;
    this.bar.hidden = !this.nodes.some((node) => node.evaluation !== undefined);
    if (evaluation !== undefined) {
      const share = 50 + 50 * (2 / (1 + Math.exp(-0.4 * evaluation)) - 1);
      this.bar.style.setProperty("--white", `${share.toFixed(1)}%`);
      this.bar.title = `evaluation ${evaluation > 90 ? "mate" : evaluation < -90 ? "−mate" : evaluation}`;
    }
    this.bar.classList.toggle("flipped", this.flipped);
  }

  private copyFen(): void {
    void copyText(this.fen, "FEN");
  }

  step(by: number): void {
    if (!this.game) return;
    const to = by < 0 ? this.nodes[this.at].parent : this.next[this.at];
    if (to !== undefined && to >= 0) this.show(to);
  }

  private mainEnd(): number {
    return this.nodes.reduce((last, node, i) => (node.isMainLine ? i : last), 0);
  }

  end(): void {
    let at = this.at;
    while (this.next[at] !== undefined) at = this.next[at];
    this.show(at);
  }

  nextMatch(by: number): void {
    if (this.matches.length === 0) return;
    const behind = this.matches.filter((match) => (by > 0 ? match > this.at : match < this.at));
    const to = by > 0 ? behind[0] ?? this.matches[0] : behind[behind.length - 1] ?? this.matches[this.matches.length - 1];
    this.show(to);
  }

  flip(): void {
    this.flipped = !this.flipped;
    this.events.flipped(this.flipped);
    this.paint();
    if (this.game) this.showClocks();
  }

  /** Highlights the designator at the cursor of the editor. */
  lightDesignator(text: string | null): void {
    if (text === this.designator) return;
    this.designator = text;
    this.paint();
  }

  // Conditions.

  private showConditions(): void {
    const conditions = this.holds?.conditions ?? [];
    if (conditions.length < 2) {
      this.conditions.replaceChildren();
      return;
    }
    replace(this.conditions, h("h3", {}, "Conditions at this position"), h("ol", {}, ...conditions.slice(1).map((condition, i) => this.conditionElement(condition, i + 1))));
    this.markConditions();
  }

  private conditionElement(condition: Condition, index: number): HTMLElement {
    const point = (is: boolean) => {
      this.events.light(is ? condition : null);
      this.lit = is ? this.squaresOf(index) : null;
      this.paint();
    };
    return h("li", { "data-condition": index },
      h("button", {
        type: "button", class: "condition", onmouseenter: () => point(true), onmouseleave: () => point(false), onfocus: () => point(true), onblur: () => point(false),
        onclick: () => this.nextHolding(condition), title: "Go to the next position where it holds",
      }, h("span", { class: "sign", "aria-hidden": "true" }), h("span", { class: "unseen state" }), h("code", {}, condition.text), h("span", { class: "value" })));
  }

  private valueOf(index: number): unknown {
    const id = this.nodes[this.at]?.move.id;
    const place = this.holds?.valued?.indexOf(index) ?? -1;
    if (id === null || place < 0) return undefined;
    return this.holds?.values?.find(([found]) => found === id)?.[1][place];
  }

  private squaresOf(index: number): string[] | null {
    const value = this.valueOf(index);
    return value && typeof value === "object" && "squares" in value ? (value as { squares: string[] }).squares : null;
  }

  private markConditions(): void {
    const id = this.nodes[this.at]?.move.id;
    let failed = false;
    for (const element of this.conditions.querySelectorAll<HTMLElement>("[data-condition]")) {
      const index = Number(element.dataset.condition);
      const condition = this.holds!.conditions[index];
      const holds = id !== null && condition.ids.includes(id);
      const state = holds ? "holds" : failed ? "unreached" : "fails";
      failed ||= !holds;
      element.className = state;
      const words = { holds: "holds: ", fails: "does not hold: ", unreached: "not evaluated: " };
      element.querySelector(".state")!.textContent = words[state];
      element.querySelector(".value")!.textContent = valueText(this.valueOf(index));
    }
  }

  private nextHolding(condition: Condition): void {
    const all = this.nodes.flatMap(({ move }, i) => (move.id !== null && condition.ids.includes(move.id) ? [i] : []));
    const to = all.find((at) => at > this.at) ?? all[0];
    if (to === undefined) toast("It does not hold at any position of this game");
    else this.show(to);
  }
}

function valueText(value: unknown): string {
  if (value === undefined || typeof value === "boolean") return "";
  if (value === null) return "";
  if (typeof value === "object" && "squares" in value) {
    const squares = (value as { squares: string[] }).squares;
    if (squares.length === 0) return "no square";
    return squares.length > 6 ? `${squares.length} squares` : squares.join(" ");
  }
  if (typeof value === "object" && "position" in value) return `position ${(value as { position: number }).position}`;
  return String(value);
}

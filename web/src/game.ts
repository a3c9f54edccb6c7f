// A game on the board, or a position alone: moves that were played and that are tried, and the
// conditions of the query that hold at each position.

import { again, isUnreached } from "./again";
import type { Backend, Condition, Game, GameReference, Holds, LegalMove, LegalMoves, Move, MoveItem, Place, Query } from "./backend";
import { designated, inWords, piecesOf, type Arrow, type Pieces, type Shown } from "./board";
import { stepFrom, type BoardPlace, type Face } from "./board-place";
import { START, positionDialog } from "./dialogs";
import { isolated } from "./words";
import { OneStop, copyText, count, dialog, h, icon, iconButton, put, replace, say, toast } from "./dom";


/** A move with the one before it. */
interface Node {
  move: Move;
  parent: number;
  pieces: Pieces;
  isMainLine: boolean;
  clock?: string;
  evaluation?: number;
  /** Whether the user has tried the move. */
  isTried?: boolean;
}

const GLYPHS: Record<number, string> = {
  1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+",
};

export interface GameEvents {
  /** The user points at a condition of the query; null when that ends. */
  light(place: Place | null): void;
  flipped(flipped: boolean): void;
  /** Another position is shown. */
  moved(): void;
  /** Games with positions like this one are wanted. */
  like(fen: string): void;
  /** A query of the moves before this position is wanted. */
  passage(): void;
}

const NAMES: Record<string, string> = { Q: "Queen", R: "Rook", B: "Bishop", N: "Knight" };

export class GameView implements Face {
  readonly usage = "Board: left and right step through the game; Enter begins a move, then arrow keys and Enter";
  flipped = false;
  readonly head = h("header", { class: "game-head" });
  readonly controls: HTMLElement;
  readonly moves = h("div", { class: "moves", role: "region", "aria-label": "moves", onkeydown: (event: KeyboardEvent) => this.moveKey(event) });
  readonly conditions = h("section", { class: "conditions", "aria-label": "conditions at this position" });
  private readonly conditionStop = new OneStop(this.conditions, ".condition", false, false);
  readonly moveTools: HTMLElement;
  readonly clocks: HTMLElement;
  readonly bar = h("div", { class: "evaluation", hidden: true });
  private game: Game | null = null;
  pgn = "";
  /** Where the game is; null if there is none. */
  reference: GameReference | null = null;
  private nodes: Node[] = [];
  private next: number[] = [];
  private matches: number[] = [];
  /** Whether all positions match, so that only those with the sort value of the game are marked. */
  private isMatchedWhole = false;
  private at = 0;
  /** Whether a query can be made of a passage of the game. */
  private hasPassage = false;
  private holds: Holds | null = null;
  private designator: string | null = null;
  private lit: string[] | null = null;
  private turn = 0;
  /** The position that the board has without a game. */
  private alone = START;
  /** Opens the game that could not be shown, unless the user has gone on. */
  reopen: () => void = () => {};
  /** Square of the piece that is picked up. */
  private picked: string | null = null;
  private targets: string[] = [];
  /** Whether the picked piece was picked before this stroke. */
  private wasPicked = false;
  private cursor: string | null = null;
  /** Arrows and circles that the user has drawn on this position. */
  private arrows: Arrow[] = [];
  private circles: string[] = [];
  private readonly legal = new Map<string, Promise<LegalMoves>>();
  private readonly caption = h("p", { class: "caption", "aria-live": "polite" });
  readonly problem = h("p", { class: "problem error", role: "status", hidden: true });
  private readonly white = h("span", { class: "clock" });
  private readonly black = h("span", { class: "clock" });
  private readonly matchButton = h("button", { type: "button", class: "match-button", title: "Go to the next match (n)", hidden: true, onclick: () => this.nextMatch(1) });
  private readonly takeBack = h("button", { type: "button", title: "Take the tried move back (←)", hidden: true, onclick: () => this.step(-1) }, icon("undo"), "Take back");
  private readonly passageButton = h("button", { type: "button", title: "Make a query of the last moves", onclick: () => this.events.passage() }, "From passage");
  private readonly analysis = h("a", { class: "link", target: "_blank", rel: "noreferrer noopener", title: "Open the position in an analysis board on the web (lichess.org)" }, "Analyze");

  constructor(private readonly backend: Backend, private readonly place: BoardPlace, private readonly events: GameEvents) {
    this.controls = h("div", { class: "controls" },
      iconButton("first", "To the start (Home)", () => this.show(0)),
      iconButton("previous", "Back (←)", () => this.step(-1)),
      iconButton("next", "Forward (→)", () => this.step(1)),
      iconButton("last", "To the end (End)", () => this.end()),
      this.matchButton,
      h("span", { class: "grow" }),
      h("button", { type: "button", title: "Find positions like this one (l)", onclick: () => this.events.like(this.fen) }, "Like this"),
      // One takes the place of the other, so that nothing moves.
      h("span", { class: "stack" }, this.passageButton, this.takeBack));
    const link = (words: string, onclick: () => void) => h("button", { type: "button", class: "link", onclick }, words);
    this.moveTools = h("span", { class: "links" },
      link("Copy PGN", () => copyText(this.pgn, "PGN")), link("Copy FEN", () => copyText(this.fen, "FEN")), link("Set position", () => positionDialog(this.backend, this.fen.replace(/\[.*?\]|~/g, ""), (fen) => this.free(fen))), this.analysis);
    this.clocks = h("div", { class: "under" }, this.black, this.caption, this.white, this.problem);
    this.free(START);
  }

  /** Shows no game any more, but the position that was there before. */
  leave(): void {
    this.turn += 1;
    if (!this.isFree) this.free(this.alone);
  }

  /** Shows a position without a game. */
  free(fen: string): void {
    this.turn += 1;
    this.alone = fen;
    this.game = null;
    this.reference = null;
    this.holds = null;
    this.pgn = "";
    this.matches = [];
    const fields = fen.trim().split(/\s+/);
    const [, turn = "w", , , , number = "1"] = fields;
    const move: Move = { san: null, number: Number(number) || 1, white: turn === "b", fen, id: null };
    this.nodes = [{ move, parent: -1, pieces: piecesOf(fen), isMainLine: true }];
    this.next = [];
    const isStart = fen === START;
    this.showTitle(h("h2", {}, isStart ? "Start position" : "Position"), "Move a piece, or choose a game from the list.");
    this.matchButton.hidden = true;
    this.hasPassage = false;
    this.showMoves();
    this.showConditions();
    this.show(0, false);
  }

  /** Whether the shown position is one without a game. */
  get isFree(): boolean {
    return this.game === null;
  }

  private showTitle(title: HTMLElement, about: string, facts: Element[] = []): void {
    replace(this.head, h("div", { class: "names" }, title, h("p", { class: "about", title: about }, ...facts.flatMap((fact) => [fact, " · "]), about)),
      iconButton("flip", "Flip the board (f)", () => this.flip(), { class: "quiet icon-button" }));
  }

  /** Says why the position cannot occur, if it was set by the user, and which of its castling rights cannot be. */
  private async tellProblem(): Promise<void> {
    const { fen } = this;
    const isSet = this.isFree && this.at === 0 && fen !== START;
    const problem = isSet && (await this.legalMoves(fen).then((legal) => legal.problem, (error) => {
      again.after(error, "problem", () => void (fen === this.fen && this.tellProblem()));
      return isUnreached(error) ? null : (error as Error).message;
    }));
    const lost = impossibleRights(fen);
    if (fen !== this.fen || (!problem && !lost)) return;
    this.problem.textContent = problem ? `This position is impossible: ${problem}.` : `The pieces do not allow the castling rights ${lost}: an engine is asked without them.`;
    this.problem.hidden = false;
  }

  get fen(): string {
    return this.nodes[this.at]?.move.fen ?? "";
  }

  /** The position at the start of the moves. */
  get start(): string {
    return this.nodes[0].move.fen;
  }

  /** Opens a game at `at`, or else at its best match. */
  async open(query: Query, reference: GameReference, at?: number, tried: string[] = [], depth?: number): Promise<void> {
    const turn = ++this.turn;
    try {
      const { game, pgn, isMatch } = await this.backend.game(query, reference);
      if (turn !== this.turn) return;
      this.game = game;
      this.reference = reference;
      this.pgn = pgn;
      this.holds = null;
      this.problem.hidden = true;
      this.read(game);
      this.showHead(game, reference, isMatch);
      this.hasPassage = this.backend.passage !== undefined && this.hasChessRules;
      this.showMoves();
      this.showConditions();
      const first = this.matches[0] ?? (query.query.trim() && !this.isMatchedWhole ? this.mainEnd() : 0);
      this.show(at ?? first, false);
      await this.tryAll(tried, depth);
      const holds = await this.backend.holds(query, reference);
      if (turn !== this.turn) return;
      this.holds = holds;
      // A sorted game is opened where its value is that of the list.
      const best = this.bestMatches();
      const isMarked = this.isMatchedWhole && best.length > 0;
      if (isMarked) {
        this.matches = best;
        this.showMoves();
      }
      if (at === undefined && this.at === first) this.show(best[0] ?? first, false);
      else if (isMarked) this.show(this.at, false);
      this.showConditions();
      this.scroll();
    } catch (error) {
      if (turn !== this.turn) return;
      // A user would take the game of before for the chosen one.
      this.free(this.alone);
      this.showTitle(h("h2", {}, "The game cannot be shown"), (error as Error).message);
      const now = this.turn;
      this.reopen = () => void (now === this.turn && this.open(query, reference, at, tried, depth));
      again.after(error, "game", this.reopen);
      toast((error as Error).message, "error");
    }
  }

  /** Whether the game has the rules of chess, so that moves can be tried. */
  private get hasChessRules(): boolean {
    return this.game === null || this.game.board === "standard";
  }

  /** The variant of the game, if its rules are not those that engines know. */
  get variant(): string | null {
    return this.game?.variant ?? null;
  }

  /** The variant of the game, if no opening tree counts its games. */
  get withoutTree(): string | null {
    return this.game?.hasTree === false ? this.variant : null;
  }

  /** Returns the matches with the sort value of the game; none if that is not known. */
  private bestMatches(): number[] {
    const [, best] = this.game?.sort[0] ?? [];
    const index = this.holds?.conditions.findIndex(({ text }) => /^sort\b/.test(text)) ?? -1;
    if (best === undefined || best === null || index < 0) return [];
    const among = this.isMatchedWhole ? [...this.nodes.keys()] : this.matches;
    return among.filter((match) => this.valueAt(index, match) === best);
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
    const found = this.nodes.flatMap(({ move }, i) => (move.id !== null && ids.has(move.id) ? [i] : []));
    this.isMatchedWhole = found.length > 1 && this.nodes.every(({ move }) => move.id === null || ids.has(move.id));
    this.matches = this.isMatchedWhole ? [] : found;
  }

  private showHead(game: Game, reference: GameReference, isMatch: boolean): void {
    const tag = (name: string) => {
      const value = game.tags.find(([found]) => found === name)?.[1] ?? "";
      return /^[?-]?$|^\?\?\?\?/.test(value.trim()) ? "" : isolated(value);
    };
    const player = (side: string) => h("span", { class: "player" }, tag(side) || "?", tag(`${side}Elo`) && " ", tag(`${side}Elo`) && h("small", {}, tag(`${side}Elo`)));
    const about = [tag("Event"), tag("Site"), tag("Date").replace(/\.\?\?/g, ""), tag("Round") && `round ${tag("Round")}`, tag("ECO"), tag("Opening"), tag("TimeControl")];
    const file = reference.input.split(/[/\\]/).pop();
    const facts = game.sort.filter(([, value]) => value !== null).map(([name, value]) => h("span", { class: "fact" }, `${name || "value"} `, h("b", {}, String(value))));
    this.showTitle(
      h("h2", {}, h("span", { class: "cut" }, player("White"), " – ", player("Black")), h("span", { class: "result" }, game.result.replace("1/2-1/2", "½–½").replace("-", "–"))),
      `${about.filter(Boolean).join(" · ") || "no tags"} · game ${count(reference.in_input)} of ${file}`,
      isMatch ? facts : [...facts, h("span", { class: "fact" }, "The query does not match this game")]);
    this.matchButton.hidden = this.matches.length === 0;
  }

  private tellMatch(): void {
    const n = this.matches.length;
    const place = this.matches.indexOf(this.at) + 1;
    this.matchButton.textContent = n === 1 ? "Match" : `Match ${place || "–"}/${n}`;
    this.matchButton.setAttribute("aria-label", `${this.matchButton.textContent}: go to ${n === 1 ? "it" : "the next"}`);
  }

  private showMoves(): void {
    const { game } = this;
    const out: Element[] = [h("span", { class: "line" })];
    let index = 0;
    let needsNumber = true;
    const here = () => out[out.length - 1];
    if (!game) {
      this.putMove(here(), this.nodes[0].move, 0, true);
      return replace(this.moves, out[0]);
    }
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
        close(out.pop()!);
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
      href: "#", "data-at": index, class: isMatch ? "match" : null, draggable: "false", tabindex: -1,
      title: isMatch ? "This position matches" : null,
      onclick: (event: Event) => (event.preventDefault(), this.show(index)),
    }, number, move.san ?? "Start", glyphs), " ");
  }

  /** Shows the position after a move. */
  show(at: number, speak = true): void {
    const node = this.nodes[at];
    if (!node) return;
    this.at = at;
    this.problem.hidden = true;
    void this.tellProblem();
    this.arrows = [];
    this.circles = [];
    this.drop();
    if (!node.isTried) this.forgetTried();
    const hasFocus = this.moves.contains(document.activeElement);
    this.showTried();
    const before = this.moves.querySelector<HTMLElement>("[aria-current]");
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    // Only the current move is a stop of Tab, and keeps the focus when it becomes another one.
    const current = this.moves.querySelector<HTMLElement>(`[data-at="${at}"]`);
    current?.setAttribute("aria-current", "true");
    current?.setAttribute("tabindex", "0");
    if (hasFocus) current?.focus({ preventScroll: true });
    this.scroll();
    this.place.paint(this);
    const { move } = node;
    const words = move.san ? `${move.number}${move.white ? "." : "…"} ${move.san}` : "start";
    const isMatch = this.matches.includes(at);
    this.caption.textContent = isMatch ? `${words} · match` : node.isTried ? `${words} · tried` : words;
    this.caption.classList.toggle("is-match", isMatch);
    if (speak && isMatch) say(`${words} matches`);
    // A tried line has no matches, and the room of their button.
    this.takeBack.hidden = !node.isTried;
    this.passageButton.hidden = node.isTried || !this.hasPassage;
    this.matchButton.hidden = this.matches.length === 0;
    const board = this.game ? this.game.board : "standard";
    this.analysis.hidden = board === null;
    this.analysis.href = `https://lichess.org/analysis/${board}/${move.fen.replaceAll(" ", "_")}`;
    this.showClocks();
    this.tellMatch();
    this.markConditions();
    this.events.moved();
  }

  /** Goes to the next or the previous move as they are written, also into variations. */
  private moveKey(event: KeyboardEvent): void {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const all = [...this.moves.querySelectorAll<HTMLElement>("[data-at]")];
    const to = all[all.findIndex((move) => move.hasAttribute("aria-current")) + by];
    if (to) this.show(Number(to.dataset.at));
  }

  /** Scrolls to the current move. */
  scroll(): void {
    const element = this.moves.querySelector("[aria-current]");
    if (!element) return;
    const [box, frame] = [element.getBoundingClientRect(), this.moves.getBoundingClientRect()];
    if (box.top < frame.top || box.bottom > frame.bottom) this.moves.scrollTop += box.top - frame.top - frame.height / 3;
  }

  shown(): Shown {
    const node = this.nodes[this.at];
    const before = this.nodes[node.parent]?.pieces;
    const marks = before ? [...new Set([...before.keys(), ...node.pieces.keys()])].filter((square) => before.get(square) !== node.pieces.get(square)) : [];
    if (this.picked) marks.push(this.picked);
    const lights = this.lit ?? (this.designator ? designated(this.designator, node.pieces) : null) ?? [];
    return { pieces: node.pieces, flipped: this.flipped, marks, lights, arrows: this.arrows, circles: this.circles, targets: this.targets, cursor: this.cursor, label: inWords(node.pieces) };
  }

  // Moves on the board.

  private legalMoves(fen: string): Promise<LegalMoves> {
    let known = this.legal.get(fen);
    if (!known) {
      if (this.legal.size > 500) this.legal.clear();
      this.legal.set(fen, (known = this.backend.moves(fen)));
      known.catch(() => this.legal.delete(fen));
    }
    return known;
  }

  /** Puts a piece that is picked up back. */
  private drop(): void {
    this.picked = null;
    this.targets = [];
  }

  private async pick(square: string): Promise<void> {
    const { fen } = this;
    this.picked = square;
    this.targets = [];
    this.place.paint(this);
    const legal = await this.legalMoves(fen).catch((error: Error) => void toast(error.message, "error"));
    if (!legal || fen !== this.fen || this.picked !== square) return;
    this.targets = legal.moves.filter((move) => move.from === square).map((move) => move.to);
    if (this.targets.length === 0 && legal.moves.length === 0) say("There is no legal move in this position");
    this.place.paint(this);
  }

  private async move(from: string, to: string): Promise<void> {
    const { fen } = this;
    const legal = await this.legalMoves(fen).catch(() => null);
    if (!legal || fen !== this.fen) return;
    const moves = legal.moves.filter((move) => move.from === from && move.to === to);
    if (moves.length > 1) return this.askPromotion(moves);
    if (moves.length === 1) this.try(moves[0]);
    else {
      this.drop();
      this.place.paint(this);
    }
  }

  private askPromotion(moves: LegalMove[]): void {
    const list = h("div", { class: "row choices" }, ..."QRBN".split("").map((letter) => h("button", {
      type: "button", onclick: () => {
        box.close();
        const move = moves.find(({ promotion }) => promotion === letter);
        if (move) this.try(move);
      },
    }, NAMES[letter])));
    new OneStop(list, "button", true).update();
    const box = dialog("The pawn becomes", list);
    box.addEventListener("close", () => (this.drop(), this.place.paint(this)));
  }

  /** Plays a move: one of the game if it is there, otherwise a tried one. */
  private try({ san, fen }: LegalMove): void {
    this.cursor = null;
    const board = fen.split(" ")[0];
    const known = this.nodes.findIndex((node) => node.parent === this.at && node.move.fen.split(" ")[0] === board);
    if (known >= 0) return this.show(known);
    const { number, white, san: before } = this.nodes[this.at].move;
    const isWhite = before === null ? this.fen.split(" ")[1] === "w" : !white;
    const move: Move = { san, number: before !== null && isWhite ? number + 1 : number, white: isWhite, fen, id: null };
    if (!this.nodes[this.at].isTried) this.forgetTried();
    else this.nodes.length = this.at + 1;
    this.nodes.push({ move, parent: this.at, pieces: piecesOf(fen), isMainLine: false, isTried: true });
    this.show(this.nodes.length - 1);
  }

  /** Plays a legal move by its name or its squares. Returns whether there is one. */
  async trySan(text: string): Promise<boolean> {
    const { fen } = this;
    const legal = await this.legalMoves(fen).catch(() => null);
    const found = legal?.moves.find(({ san, from, to, promotion }) => san === text || from + to + (promotion?.toLowerCase() ?? "") === text);
    if (!found || fen !== this.fen) return false;
    this.try(found);
    return true;
  }

  /** Plays moves by their names, up to one that is not legal, or until another game is opened; and goes back to the
   * position after the first `depth` of them. */
  async tryAll(names: string[], depth = names.length): Promise<void> {
    const { turn } = this;
    for (const san of names) if (!(await this.trySan(san)) || turn !== this.turn) return;
    for (let n = names.length; n > Math.max(1, depth); n--) this.step(-1);
  }

  private forgetTried(): void {
    const first = this.nodes.findIndex((node) => node.isTried);
    if (first >= 0) this.nodes.length = first;
  }

  /** Names of the tried moves. */
  get tried(): string[] {
    return this.nodes.filter((node) => node.isTried).map((node) => node.move.san ?? "");
  }

  /** Number of the tried moves that lead to the shown position; undefined if none is tried. */
  get depth(): number | undefined {
    const first = this.nodes.findIndex((node) => node.isTried);
    return first >= 0 ? this.at - first + 1 : undefined;
  }

  /** The shown move of the game, before those that are tried. */
  get ply(): number {
    const first = this.nodes.findIndex((node) => node.isTried);
    return first >= 0 ? this.nodes[first].parent : this.at;
  }

  private showTried(): void {
    this.moves.querySelector(".tried")?.remove();
    const first = this.nodes.findIndex((node) => node.isTried);
    if (first < 0) return;
    const line = h("span", { class: "variation tried" }, "(");
    for (let i = first; i < this.nodes.length; i++) this.putMove(line, this.nodes[i].move, i, i === first);
    close(line);
    put(line, " ");
    const { parent } = this.nodes[first];
    // A variation stands after the move that it replaces.
    const before = this.moves.querySelector(`[data-at="${this.next[parent] ?? parent}"]`);
    const blank = before?.nextSibling;
    (blank?.nodeValue === " " ? (blank as Text) : before)?.after(line);
  }

  private isOwn(square: string): boolean {
    const piece = this.nodes[this.at].pieces.get(square);
    const turn = this.fen.split(" ")[1];
    return piece !== undefined && (piece === piece.toUpperCase()) === (turn === "w");
  }

  down(square: string): void {
    this.cursor = null;
    this.arrows = [];
    this.circles = [];
    if (!this.hasChessRules) return;
    this.wasPicked = this.picked === square;
    if (this.picked && this.picked !== square && !this.isOwn(square)) return;
    if (this.isOwn(square)) void this.pick(square);
    else {
      this.drop();
      this.place.paint(this);
    }
  }

  over(): void {}

  note(from: string, to: string): void {
    const others = this.arrows.filter((arrow) => arrow.from !== from || arrow.to !== to);
    if (from === to) this.circles = this.circles.includes(from) ? this.circles.filter((square) => square !== from) : [...this.circles, from];
    else this.arrows = others.length < this.arrows.length ? others : [...others, { from, to, kind: "note" }];
    this.place.paint(this);
  }

  up(square: string | null): void {
    const { picked } = this;
    if (!picked) return;
    if (square && square !== picked) void this.move(picked, square);
    else if (this.wasPicked || !square) {
      this.drop();
      this.place.paint(this);
    }
  }

  cancel(): void {
    this.drop();
    this.place.paint(this);
  }

  key(event: KeyboardEvent): boolean {
    if (event.key === "Enter" || event.key === " ") {
      const { cursor, picked } = this;
      if (!cursor) this.cursor = [...this.nodes[this.at].pieces.keys()].find((square) => this.isOwn(square) && /k/i.test(this.nodes[this.at].pieces.get(square)!)) ?? "e1";
      else if (picked && picked !== cursor && !this.isOwn(cursor)) void this.move(picked, cursor);
      else if (this.isOwn(cursor) && this.hasChessRules) void this.pick(cursor);
      this.place.paint(this);
      return true;
    }
    if (!this.cursor) return false;
    const next = stepFrom(this.cursor, event.key, this.flipped);
    if (next) this.cursor = next;
    else if (event.key === "Escape") {
      this.cursor = null;
      this.drop();
    } else return false;
    this.place.paint(this);
    return true;
  }

  focused(is: boolean): void {
    if (is || !this.cursor) return;
    this.cursor = null;
    this.place.paint(this);
  }

  wheel(by: number): void {
    this.step(by);
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

  /** Indices of the nodes from the start to the shown one. */
  private get path(): number[] {
    const path = [];
    for (let i = this.at; i >= 0; i = this.nodes[i].parent) path.unshift(i);
    return path;
  }

  /** The positions from the start to the shown one. */
  get positions(): string[] {
    return this.path.map((i) => this.nodes[i].move.fen);
  }

  /** Shows one of these positions. */
  goTo(index: number): void {
    this.show(this.path[index] ?? 0);
  }

  /** The numbers of the last five half-moves of the main line, as a passage; null if there are none. */
  get passage(): { from: string; to: string } | null {
    let last = this.at;
    while (last > 0 && !this.nodes[last].isMainLine) last = this.nodes[last].parent;
    if (last <= 0) return null;
    let first = last;
    for (let i = 0; i < 4 && this.nodes[first].parent > 0; i++) first = this.nodes[first].parent;
    const name = ({ move }: Node) => `${move.number}${move.white ? "." : "..."}`;
    return { from: name(this.nodes[first]), to: name(this.nodes[last]) };
  }

  step(by: number): void {
    const node = this.nodes[this.at];
    const forward = this.nodes[this.at + 1]?.isTried && node.isTried ? this.at + 1 : this.next[this.at];
    const to = by < 0 ? node.parent : forward;
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
    this.place.paint(this);
    this.showClocks();
  }

  /** Highlights the designator at the cursor of the editor. */
  lightDesignator(text: string | null): void {
    if (text === this.designator) return;
    this.designator = text;
    this.place.paint(this);
  }

  // Conditions.

  private showConditions(): void {
    const conditions = this.holds?.conditions ?? [];
    if (conditions.length < 2) {
      replace(this.conditions, h("p", { class: "told" }, "Open a matching game to see here which conditions of the query hold at each of its positions."));
      return;
    }
    replace(this.conditions, h("ol", {}, ...conditions.slice(1).map((condition, i) => this.conditionElement(condition, i + 1))));
    this.conditionStop.update();
    this.markConditions();
  }

  private conditionElement(condition: Condition, index: number): HTMLElement {
    const point = (is: boolean) => {
      this.events.light(is ? condition : null);
      this.lit = is ? this.squaresOf(index) : null;
      this.place.paint(this);
    };
    return h("li", { "data-condition": index },
      h("button", {
        type: "button", class: "condition", onmouseenter: () => point(true), onmouseleave: () => point(false), onfocus: () => point(true), onblur: () => point(false),
        onclick: () => this.nextHolding(condition), title: "Go to the next position where it holds",
      }, h("span", { class: "sign", "aria-hidden": "true" }), h("span", { class: "unseen state" }), h("code", {}, condition.text), h("span", { class: "value" })));
  }

  private valueOf(index: number): unknown {
    return this.valueAt(index, this.at);
  }

  private valueAt(index: number, at: number): unknown {
    const { id } = this.nodes[at].move;
    const place = this.holds?.valued?.indexOf(index) ?? -1;
    if (id === null || place < 0) return undefined;
    return this.holds?.values?.find(([found]) => found === id)?.[1][place];
  }

  private squaresOf(index: number): string[] | null {
    const value = this.valueOf(index);
    return value && typeof value === "object" && "squares" in value ? (value as { squares: string[] }).squares : null;
  }

  private markConditions(): void {
    const { move, isTried } = this.nodes[this.at];
    const { id } = move;
    // Neither positions of tried moves nor those of variations that a query does not search have a number.
    const why = isTried ? "not evaluated at a tried position" : id === null ? "not evaluated in this variation" : null;
    let failed = false;
    for (const element of this.conditions.querySelectorAll<HTMLElement>("[data-condition]")) {
      const index = Number(element.dataset.condition);
      const condition = this.holds!.conditions[index];
      const holds = id !== null && condition.ids.includes(id);
      const state = holds ? "holds" : failed || why ? "unreached" : "fails";
      failed ||= !holds;
      element.className = state;
      const words = { holds: "holds: ", fails: "does not hold: ", unreached: why ? "" : "not evaluated: " };
      element.querySelector(".state")!.textContent = words[state];
      element.querySelector(".value")!.textContent = why ?? valueText(this.valueOf(index));
    }
  }

  private nextHolding(condition: Condition): void {
    const all = this.nodes.flatMap(({ move }, i) => (move.id !== null && condition.ids.includes(move.id) ? [i] : []));
    const to = all.find((at) => at > this.at) ?? all[0];
    if (to === undefined) toast("It does not hold at any position of this game");
    else this.show(to);
  }
}

/** Returns the castling rights of a FEN without a king on its first rank, or without a rook on their side of it. */
function impossibleRights(fen: string): string {
  const pieces = piecesOf(fen);
  const isPossible = (right: string) => {
    const isWhite = right === right.toUpperCase();
    const home = [..."abcdefgh"].map((file) => pieces.get(file + (isWhite ? "1" : "8")));
    const king = home.indexOf(isWhite ? "K" : "k");
    return king >= 0 && (/k/i.test(right) ? home.slice(king) : home.slice(0, king)).includes(isWhite ? "R" : "r");
  };
  return (fen.split(" ")[2] ?? "").replace(/[kq]/gi, (right) => (isPossible(right) ? "" : right)).replace(/[^kq]/gi, "");
}

/** Ends a variation, without the blank behind its last move. */
function close(variation: Element): void {
  const { lastChild } = variation;
  if (lastChild?.nodeValue === " ") lastChild.remove();
  put(variation, ")");
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

// The page: its parts, and the events between them.

import { again, isUnreached } from "./again";
import { Interrupted, PACE, Refused, isOfArchive, isOfFile, type Backend, type Checked, type Collection, type Fault, type GameFault, type Heading, type Place, type Progress, type Query, type Row, type SearchEnd, type Selection, type Sentence } from "./backend";
import { Book, meaning } from "./book";
import { Draw } from "./draw";
import { BoardPlace } from "./board-place";
import { Tabs, copyText, count, counted, dialog, failure, h, icon, iconButton, message, put, removable, replace, s, say, settled, shownToast, toast, wordButton } from "./dom";
import { EditorPlace } from "./editor-place";
import { archiveDialog, exportDialog, faultsDialog, funnelDialog, helpDialog, passageDialog, positionDialog, saveDialog, statsDialog, tellsTurn } from "./dialogs";
import { EngineView } from "./engine-lines";
import { keepFocus } from "./focus";
import { GameView } from "./game";
import { Library } from "./library";
import { MaskView } from "./mask";
import { asksNothing, drawingLines, emptyDrawing, impossible, isAboutGames, linesOfMask, queryName, partsOf, textOf, titleOf, withoutComments, type Parts } from "./mask-text";
import { TreeView, type TreeGames } from "./opening-tree";
import { Reports, type ReportGames } from "./reports";
import { At, Results } from "./results";
import { NO_GAMES, capital, edited, fileName, fixName } from "./words";
import { FIRST, MOST_SEARCHES, Workspace, linkTo, linked, tellLeftOut, linkedOf, newId, type Doc, type Linked, type View } from "./workspace";

type Part = "query" | "games" | "game";
type Way = "mask" | "position" | "query";
type Below = "moves" | "tree" | "conditions" | "engine";
type Side = "problems" | "meaning" | "cookbook" | "manual" | "history";

/** What a user can do about a query without conditions. */
const BEGIN: Record<Way, string> = { mask: "Fill in a field of the mask", position: "Draw on the board", query: "Write one, or take a recipe" };

const WAYS: [Way, string][] = [["mask", "Mask"], ["position", "Position"], ["query", "Query"]];

/** What finds more games, by the way to ask. */
const LOOSER: Record<Way, string> = {
  mask: "A field of the mask that is cleared finds more games, and so does a name in small letters.",
  position: "A piece that may stand on several squares finds more games, and so does “Like this” below a board.",
  query: "",
};

/** Milliseconds after the last change of the mask or the board until the page searches. */
const REST = 400;

/** Milliseconds after which a search has a button to stop it. */
const SHORT = 250;

/** Milliseconds after the end of a search in which a click on its button still means to stop it. */
const MEANT = 400;

/** Milliseconds after which a search is long: a game is opened, or the rest of the page is built, while it
 * runs. */
const LONG = 1000;

/** Seconds of a search after which a change of the mask or the board waits for the button. */
const QUICK = 3;

/** Milliseconds between two looks whether files have changed, while the page is in sight. */
const LOOK = 5000;

/** Size in bytes of games that are searched when the page opens. */
const SMALL = 20e6;

/** Milliseconds that this search takes at most if the size of the games is not known. */
const LONGEST_FIRST = 2000;

/** Number of connections that break in the middle of a search until the page gives it up. */
const MOST_BROKEN = 6;

/** Formats a time as dates of games are. */
function dateOf(time: number): string {
  const date = new Date(time);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${date.getFullYear()}.${two(date.getMonth() + 1)}.${two(date.getDate())} ${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** Waits until the page is in sight, and a moment for the connection. */
async function awake(): Promise<void> {
  while (document.hidden) await new Promise((resolve) => document.addEventListener("visibilitychange", resolve, { once: true }));
  await new Promise((resolve) => setTimeout(resolve, 500));
}

export class Studio {
  private readonly workspace: Workspace;
  private readonly library: Library;
  private readonly results: Results;
  private readonly board = new BoardPlace();
  private readonly game: GameView;
  private readonly tree: TreeView;
  private readonly engine: EngineView;
  private readonly reports: Reports;
  private readonly mask: MaskView;
  private readonly book: Book;
  private readonly draw: Draw;
  private readonly editor: EditorPlace;
  private readonly root: HTMLElement;
  private readonly tabs = h("div", { class: "tabs", role: "group", "aria-label": "queries" });
  private readonly strip = h("div", { class: "strip", role: "status" });
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly funnelButton = h("button", { type: "button", onclick: () => this.funnel() }, "Conditions…");
  private readonly saveButton = h("button", { type: "button", onclick: () => this.saveResults() }, "Save…");
  private readonly exportButton = h("button", { type: "button", onclick: () => this.export() }, "Export…");
  private readonly progress = h("div", { class: "progress", role: "progressbar", "aria-label": "search", "aria-valuemin": 0, "aria-valuemax": 100 }, h("i"));
  private readonly ways = new Tabs<Way>("ways to ask", "segments", (way) => this.showWay(way));
  private readonly belowTabs = new Tabs<Below>("below the board", "tab-line", (below) => this.showBelow(below));
  private readonly below = h("div", { class: "below", role: "tabpanel", "aria-label": "below the board", tabindex: 0 });
  private readonly boardHead = h("div", { class: "board-head" });
  private readonly boardControls = h("div", { class: "board-controls" });
  private readonly movesBelow = h("div", { class: "moves-box" });
  private readonly movesBeside = h("section", { class: "moves-box beside", "aria-label": "moves of the game" });
  private readonly sum = h("p", { class: "sum" });
  /** Conditions that the mask or the drawing do not show. */
  private readonly also = h("section", { class: "also", "aria-label": "Also in the text" });
  private readonly wayPanel = h("div", { class: "way-panel" });
  /** How far each way to ask is scrolled. */
  private readonly offsets = new Map<Way, number>();
  private readonly partButtons = new Map<Part, HTMLElement>();
  private readonly searchAfterRest = settled(REST, () => void this.searchIfQuick());
  private readonly markAfterRest = settled(REST + SHORT, () => this.markIfLeft());
  /** When the search after the last change of the mask or the board has begun at the latest, unless something is in its way. */
  private due = -Infinity;
  /** Whether the search after a change was put off, since the one before it took long in this page. */
  private isPutOff = false;
  private readonly searchButton = h("button", { type: "button", class: "main search", title: "Search (Ctrl+Enter)", onclick: (event: MouseEvent) => this.pressed(event.detail) });
  private readonly sidePanel = h("div", { class: "side-panel" });
  private readonly sideTabs = new Tabs<Side>("panels of the query", "side-tabs", (side) => this.showSide(side));
  private readonly themeButton = wordButton("auto", "Theme", "", () => this.nextTheme());
  private side: Side = "cookbook";
  private faults: Fault[] = [];
  private signature: HTMLElement | null = null;
  private running: AbortController | null = null;
  /** The request for the names of openings. */
  private naming: AbortController | null = null;
  private searched: Query = { query: "", values: [] };
  private searchedIn: number[] = [];
  /** The tab of the query that was searched. */
  private searchedTab: Pick<Doc, "id" | "name"> = { id: "", name: "" };
  /** State of the files that were searched. */
  private stamp: string | undefined;
  /** States of the files of earlier searches, by their collections. */
  private readonly stamps = new Map<string, string>();
  /** Numbers of the games of earlier searches that read all, by their collections and the state of the files. */
  private readonly totals = new Map<string, number>();
  /** Number of searches without an end since the last one that had one. */
  private nBroken = 0;
  /** Number of the search, which tells its games from those of others. */
  private nth = 0;
  /** Names of collections that a link or the history has, and that are not there. */
  private absent: string[] = [];
  /** Whether files have changed since the search. */
  private isOutdated = false;
  /** Names of files of this list that are no longer there. */
  private gone: string[] = [];
  /** Names of files of the list before this one that were no longer there. */
  private without: string[] = [];
  /** Why the last search failed. */
  private failed: string | null = null;
  /** Whether none of the files could be read when the page looked last. */
  private isUnread = false;
  private hasEngine = false;
  private gameFaults: GameFault[] = [];
  private said = "";
  private ended: SearchEnd | null = null;
  private began = 0;
  /** What `isLeft` was when the status was told. */
  private wasLeft = false;
  /** When the button said last what it says no longer, and the user may click for it. */
  private meant = -Infinity;
  /** When the user began a search. */
  private pressedAt = -Infinity;
  /** The message why the last search did not begin. */
  private refusal: HTMLElement | null = null;
  /** The search that the user wants, while it waits for the check of the query. */
  private asked: AbortController | null = null;
  /** Seconds of the last search. */
  private took = 0;
  private parts: Parts = partsOf("cql()");
  private belowShown: Below = "tree";
  /** The game, the move and the words to restore after the search. */
  private pending: View | null = null;
  /** What the last link has besides the query. */
  private linkedView: View | null = null;
  /** Whether changes of the page belong to its history. */
  private isStarted = false;
  private pushed = 0;
  /** Whether the user has asked for this search, or has opened a game of it: the back button returns to it. */
  private isKept = false;
  /** Whether the history has the text of the query, and not the search of before. */
  private isDraft = false;
  private readonly rememberSoon = settled(200, () => this.remember(false));
  /** Whether the board shows the drawing. */
  private isDrawing = false;

  /** `name` is the title of the page. */
  constructor(private readonly backend: Backend, private readonly name: string) {
    again.start(() => backend.collections());
    this.workspace = new Workspace(backend, () => this.showTabs());
    this.library = new Library(backend, {
      changed: () => this.workspace.changed(),
      isOff: (collection) => this.workspace.isOff(collection),
      turn: (collection, isOff) => {
        this.workspace.turn(collection, isOff);
        this.tree.refresh();
        this.showStatus();
        this.showSum();
      },
      selected: () => this.workspace.settings.way !== "query" && this.searchSoon(),
      stats: (collection) => statsDialog(this.backend, `Contents of ${collection.name}`, { collections: [collection.id] }),
      archive: (collection) => this.buildArchive(collection),
      added: () => this.gamesChanged(),
      query: (name, text) => this.newTab(name, text, false),
      refreshed: () => {
        this.showStatus();
        this.showSum();
      },
    });
    this.results = new Results((row, isAsked) => this.openGame(row, isAsked), () => void this.nameOpenings(), (isNarrowed) => {
      this.rememberSoon();
      if (!this.ended || !isNarrowed) return;
      this.showStatus();
      this.tellGames();
      this.tree.refresh();
    }, () => this.addValue(), (change) => this.narrow(change));
    this.tree = new TreeView(backend, () => this.treeGames(), {
      play: (uci) => {
        this.showGame();
        void this.game.trySan(uci);
      },
      positions: () => this.game.positions,
      without: () => this.game.withoutTree,
      goTo: (index) => {
        this.showGame();
        this.game.goTo(index);
      },
    });
    this.engine = new EngineView(backend, (san) => {
      this.showGame();
      void this.game.trySan(san);
    });
    this.reports = new Reports(backend, {
      query: () => this.searched,
      isChanged: () => this.isOther,
      found: () => this.foundGames(),
      all: () => this.allGames(),
      asked: () => {
        const { player = "", white = "", black = "", opening = "", code = "", moves = "" } = this.parts.mask;
        return { player: player || white || black, color: player ? "" : white ? "white" : black ? "black" : "", opening: opening || code || moves };
      },
    });
    this.mask = new MaskView((mask) => this.changeParts({ ...this.withoutFirst, mask }), (what, text) => this.backend.ask(what, text));
    this.game = new GameView(backend, this.board, {
      light: (place) => this.lightCondition(place),
      flipped: (flipped) => {
        this.workspace.settings.flipped = flipped;
        this.workspace.changed();
      },
      moved: () => this.moved(),
      like: (fen) => this.like(fen),
      passage: () => this.passage(),
    });
    this.board.use(this.game);
    this.moved();
    this.book = new Book(backend, { take: (text, name) => this.newTab(name, text, true) });
    this.draw = new Draw(this.board, {
      changed: (drawing) => this.changeParts({ ...this.withoutFirst, drawing }),
      erase: (erase) => {
        this.step(erase);
        this.tellOthers("The drawing is erased");
      },
      asked: () => positionDialog(this.backend, this.draw.fen, (fen, hasTurn) => this.step(() => this.draw.take(fen, false, hasTurn))),
      back: () => {
        this.showGame();
        this.showPart("game");
      },
      taken: () => {
        if (this.isDrawing) return;
        this.boardShows(true);
        this.showSum();
      },
    });
    this.editor = new EditorPlace(backend, {
      changed: (text) => {
        if (this.workspace.write(text)) this.showTabs();
        if (text !== textOf(this.parts)) this.readParts(text);
        if (this.running) this.showSearchButton();
        else this.markIfLeft();
      },
      checked: (checked) => this.showChecked(checked),
      unchecked: (error) => again.after(error, "check", () => void this.editor.settle()),
      designator: (text) => this.game.lightDesignator(text),
      signature: (label) => {
        this.signature = label;
        this.showStrip();
      },
      search: () => this.searchNow(),
      pasted: (text) => this.pasteLink(text),
    });
    this.root = this.layout();
    keepFocus();
    // Screen readers announce only what is written into a place that is there before.
    say("");
    document.addEventListener("keydown", (event) => this.key(event));
    document.addEventListener("paste", (event) => void this.pastePosition(event));
    this.library.dropOn(document.body);
  }

  private layout(): HTMLElement {
    put(this.wayPanel, this.also, this.mask.element, this.draw.tools);
    const header = h("header", { class: "top" },
      h("a", { class: "brand", href: "#", onclick: (event: Event) => event.preventDefault(), "aria-hidden": "true", tabindex: -1 },
        s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, s("rect", { width: 40, height: 40, rx: 9 }), s("use", { href: "#n", class: "knight" })), h("span", {}, "cql ", h("b", {}, this.name))),
      h("h1", { class: "unseen" }, `cql ${this.name}`),
      this.library.element,
      this.reports.element,
      h("span", { class: "grow" }),
      wordButton("link", "Link", "Copy a link to the search, the game and the position", () => void this.copyLink()),
      this.themeButton,
      wordButton("help", "Help", "Keys and hints (?)", () => helpDialog()));
    const search = h("section", { class: "part query", "aria-label": "search" },
      this.ways.element,
      this.wayPanel,
      h("div", { class: "text-part" },
        h("div", { class: "tab-bar" }, this.tabs, iconButton("plus", "New query", () => this.newTab("Query", "cql()\n", false))),
        h("div", { class: "text-head" }, h("h2", {}, "Query text"), h("button", { type: "button", class: "link", "aria-label": "Clear the whole query", title: "Clear the whole query", onclick: () => this.clear() }, "Clear"), h("button", { type: "button", class: "link", onclick: () => this.edit() }, "Edit")),
        this.editor.element,
        this.strip,
        h("div", { class: "row actions" },
          h("button", { type: "button", class: "small", title: "Format (Shift+Alt+F)", onclick: () => void this.editor.format() }, icon("tidy"), "Format"),
          h("button", { type: "button", class: "small", title: "Edits and rewrites (Ctrl+.)", onclick: () => void this.editor.actions() }, icon("edit"), "Edits…"),
          h("span", { class: "grow" }))),
      h("div", { class: "side" }, this.sideTabs.element, this.sidePanel),
      h("div", { class: "go" }, this.sum, this.searchButton));
    const board = h("section", { class: "part one-game", "aria-label": "board" },
      this.boardHead, h("div", { class: "board-box" }, this.game.bar, this.board.element), this.game.clocks, this.draw.problem, this.boardControls, h("div", { class: "below-head" }, h("p", { class: "told of-game" }, "Below: the open game, which the drawing hides"), this.belowTabs.element, this.tree.head), this.below);
    const games = h("section", { class: "part games", "aria-label": "games" }, this.progress,
      h("div", { class: "games-head" }, this.status, h("div", { class: "row" }, this.funnelButton, this.saveButton, this.exportButton)),
      this.results.element, this.movesBeside);
    const parts: [Part, string, string][] = [["query", "Search", "search"], ["games", "Games", "games"], ["game", "Board", "board"]];
    const bar = h("nav", { class: "part-bar", "aria-label": "parts of the page" }, ...parts.map(([part, words, name]) => {
      const button = h("button", { type: "button", "data-part": part, onclick: () => this.showPart(part) }, icon(name), h("span", {}, words));
      this.partButtons.set(part, button);
      return button;
    }));
    for (const query of ["(min-width: 72rem)", "(min-width: 40rem)"]) window.matchMedia(query).addEventListener("change", () => this.arrange());
    return h("div", { class: "studio", "data-part": "query" }, header, h("main", {}, search, board, games, bar));
  }

  // The board, and what is below it.

  /** Puts the moves beside the list or below the board, as the width has it. */
  private arrange(): void {
    const [place, other] = this.isWide ? [this.movesBeside, this.movesBelow] : [this.movesBelow, this.movesBeside];
    // Moves that stay where they are stay where they are scrolled to.
    if (this.game.moves.parentElement !== place) {
      replace(other);
      replace(place, h("header", {}, h("h2", {}, "Moves"), this.game.moveTools), this.game.moves);
    }
    const tabs: [Below, string][] = [];
    if (!this.isWide) tabs.push(["moves", "Moves"]);
    if (this.tree.isThere) tabs.push(["tree", "Opening tree"]);
    tabs.push(["conditions", "Conditions"]);
    if (this.hasEngine) tabs.push(["engine", "Engine"]);
    if (!tabs.some(([name]) => name === this.belowShown)) this.belowShown = tabs[0][0];
    this.belowTabs.show(tabs, this.belowShown);
    replace(this.below, { moves: this.movesBelow, tree: this.tree.element, conditions: this.game.conditions, engine: this.engine.element }[this.belowShown]);
    this.engine.visible = this.belowShown === "engine";
    this.tree.visible = this.belowShown === "tree" && this.tree.isThere;
    this.root.dataset.below = this.belowShown;
    this.boardShows(this.isDrawing);
    this.game.scroll();
  }

  private showBelow(below: Below): void {
    this.belowShown = below;
    this.arrange();
  }

  private boardShows(isDrawing: boolean): void {
    this.isDrawing = isDrawing;
    this.root.dataset.board = isDrawing ? "drawing" : "game";
    replace(this.boardHead, isDrawing ? this.draw.head : this.game.head);
    replace(this.boardControls, isDrawing ? this.draw.controls : this.game.controls);
    replace(this.draw.controlsPlace, isDrawing && this.isPhone && this.draw.controls);
    this.game.clocks.hidden = isDrawing;
    this.draw.problem.hidden = !isDrawing;
    this.board.use(isDrawing ? this.draw : this.game);
    this.rememberSoon();
  }

  /** Shows the game on the board. */
  private showGame(): void {
    if (!this.isDrawing) return;
    this.boardShows(false);
    this.showSum();
  }

  /** The board shows another position. */
  private moved(): void {
    // The game is not there yet while it is created.
    if (!(this.game as GameView | undefined)) return;
    this.tree.show(this.game.fen);
    this.engine.show(this.game.fen, this.game.variant);
    this.rememberSoon();
  }

  private showWay(way: Way): void {
    const before = this.workspace.settings.way;
    if (way !== before) this.offsets.set(before, this.scroller.scrollTop);
    this.workspace.settings.way = way;
    this.workspace.changed();
    this.root.dataset.way = way;
    this.ways.show(WAYS, way);
    this.boardShows(way === "position");
    this.showParts();
    this.showSum();
    if (way !== before) this.scroller.scrollTop = this.offsets.get(way) ?? 0;
  }

  /** What scrolls the fields of a way to ask: the whole part in a low window. */
  private get scroller(): HTMLElement {
    return getComputedStyle(this.wayPanel).overflowY === "visible" ? this.wayPanel.parentElement! : this.wayPanel;
  }

  /** Shows the query as text, to change it. */
  private edit(): void {
    this.showWay("query");
    this.editor.focus();
  }

  // State that a reload, the back button and links restore.

  private get view(): View {
    // The game on the board is that of the search before while one is running.
    const isRunning = this.running !== null;
    const reference = isRunning ? null : this.game.reference;
    const game = reference && { input: fileName(reference.input), number: reference.number, in_input: reference.in_input, offset: reference.offset };
    const { group } = this.results.look;
    return {
      ...(isRunning ? { steps: [], group } : this.results.look), way: this.workspace.settings.way, isSearched: this.ended !== null || isRunning,
      game, ply: isRunning ? 0 : this.game.ply, fen: isRunning ? "" : this.game.start, tried: isRunning ? [] : this.game.tried,
      depth: isRunning ? undefined : this.game.depth, isGame: this.workspace.settings.way === "position" && !this.isDrawing,
    };
  }

  /** What is on the page, with the query of the list or else with the text: what the history of the browser and links
   * hold. */
  private pageWith(isOfSearch: boolean): Linked {
    const { doc, settings } = this.workspace;
    const [query, { name }] = isOfSearch ? [this.searched.query, this.searchedTab] : [doc.text, doc];
    return { query, name, values: settings.values, collections: this.library.names(this.hasSearched ? this.searchedIn : this.library.chosen), view: this.view };
  }

  /** Whether there is a list, or one begins. */
  private get hasSearched(): boolean {
    return this.ended !== null || this.running !== null;
  }

  /** Whether the text is no longer the query of the list. */
  private get isOther(): boolean {
    return this.editor.text !== this.searched.query;
  }

  /** Name of the query of the list, if the text is no longer that. */
  private get otherName(): string | undefined {
    return this.isOther ? this.searchedTab.name : undefined;
  }

  /** Stores what is on the page in the history of the browser. */
  private remember(isNew: boolean): void {
    if (!this.isStarted || this.pending) return;
    const isOfSearch = !this.isDraft && this.hasSearched;
    const page = this.pageWith(isOfSearch);
    const { id } = isOfSearch ? this.searchedTab : this.workspace.doc;
    const state = { ...page, doc: id, view: { ...page.view, isSearched: isOfSearch } };
    const isOther = linkedOf(history.state)?.query !== page.query;
    // Games that are leafed through are no steps of their own.
    const isPush = isNew && history.state !== null && (isOther || performance.now() - this.pushed > 1000);
    if (isPush) this.pushed = performance.now();
    try {
      history[isPush ? "pushState" : "replaceState"](state, "", location.pathname);
    } catch {
      // The browser stores no more: the page works without it.
    }
  }

  /** Narrows the list by a click, which the back button takes back. */
  private narrow(change: () => void): void {
    this.remember(false);
    change();
    this.pushed = -Infinity;
    this.remember(true);
  }

  /** Takes a part of the query away, or replaces it. This is a step of the history, so that the back button undoes it. */
  private step(change: () => void): void {
    this.isDraft = this.ended === null || this.isOther;
    this.remember(this.isDraft);
    change();
    this.isDraft = true;
    this.remember(true);
    this.isKept = false;
  }

  /** Shows what the history of the browser has; `draft` is the text that was written since, which stays. Returns whether
   * it has anything. */
  private async recall(state: unknown, draft?: string): Promise<boolean> {
    const found = linkedOf(state);
    if (!found?.view) return false;
    const { query, name, values, collections, view } = found;
    const { settings } = this.workspace;
    if (values) settings.values = values;
    this.showValues();
    const { doc } = state as { doc?: unknown };
    if (draft === undefined) {
      const tab = settings.docs.find(({ id }) => id === doc) ?? [this.workspace.doc, ...settings.docs].find(({ text }) => text === query);
      if (tab && tab.id !== settings.current) this.openTab(tab.id);
      // Its tab was closed: the text of another one stays.
      else if (!tab) this.newTab(name, query, false);
      this.editor.set(query);
    }
    if (collections) this.chooseAgain(collections);
    await this.show(draft === undefined ? view : { ...view, way: settings.way }, query, { id: String(doc), name });
    this.isKept = true;
    return true;
  }

  /** Selects the collections that were searched, by their names. */
  private chooseAgain(names: string[]): void {
    this.absent = this.library.chooseNamed(names);
    if (this.absent.length > 0) toast(this.whyAbsent, "error");
    this.showStatus();
  }

  /** Says which of the collections that were searched are not there; empty if all are. */
  private get whyAbsent(): string {
    const { absent } = this;
    if (absent.length === 0) return "";
    const [is, it] = absent.length === 1 ? ["is", "its file"] : ["are", "their files"];
    const now = this.library.chosen.length > 0 ? ". Until then, the selected games are searched." : ", or select other games at the top.";
    return `${absent.join(", ")} ${is} not in this studio: drop ${it} on the page${now} `;
  }

  /** Shows a view of a query, which is that of a tab unless its text has changed since. */
  private async show(view: View, query: string, tab: Pick<Doc, "id" | "name">): Promise<void> {
    this.showWay(view.way);
    if (view.isGame && !this.isPhone) this.showGame();
    this.isDraft = !view.isSearched;
    if (view.isSearched && this.library.chosen.length > 0) {
      this.pending = view;
      if (this.ended && this.searched.query === query && !this.running && this.whyOld === null) await this.showPending();
      else {
        this.searchedTab = tab;
        await this.search({ ...this.query(), query }, true);
      }
      return;
    }
    // The list is of another query.
    if (this.ended && view.way !== "query") this.searchSoon();
    if (view.game || !view.fen) return;
    this.game.free(view.fen);
    await this.game.tryAll(view.tried, view.depth);
  }

  private async showPending(): Promise<void> {
    const view = this.pending;
    if (!view) return;
    this.results.look = view;
    const { sort, group } = this.results.look;
    const lacks = (name: string, wanted?: string, found?: string) => (wanted && wanted !== found ? [`${name} ${wanted}`] : []);
    if (view === this.linkedView) tellLeftOut([...lacks("order", view.sort, sort), ...lacks("group", view.group, group)]);
    const { game } = view;
    const input = game && this.results.inputs.find((name) => fileName(name) === game.input);
    if (game && !input) toast(`${game.input} is not among the selected games`, "error");
    if (game && input) {
      this.results.mark(game.number);
      await this.game.open(this.searched, { collections: this.searchedIn, input, number: game.number, in_input: game.in_input, offset: game.offset }, view.ply, view.tried, view.depth);
    } else if (view.fen && !game) {
      this.game.free(view.fen);
      await this.game.tryAll(view.tried, view.depth);
    }
    if (this.pending === view) this.pending = null;
    // The search was running when the view was stored.
    if (!game && !view.fen) this.openFirst();
  }

  // The mask and the drawing, and the text of the query.

  private readParts(text: string): void {
    this.parts = partsOf(text);
    this.showParts();
  }

  private showParts(): void {
    const { way } = this.workspace.settings;
    const wasUnlike = this.leftOut.length > 0;
    if (way === "mask") this.mask.show(this.parts.mask);
    if (wasUnlike && this.ended) this.showStatus();
    if (way === "position") this.draw.set(this.parts.drawing);
    this.showOthers();
  }

  /** Shows the conditions that the mask or the drawing does not show. */
  private showOthers(): void {
    const { others } = this;
    this.also.hidden = others.length === 0;
    replace(this.also,
      h("header", {}, h("h2", {}, "Also in the text"), this.parts.rest && h("button", { type: "button", class: "link", onclick: () => this.step(() => this.change(this.withoutRest)) }, "Remove"), h("button", { type: "button", class: "link", onclick: () => this.edit() }, "Edit")),
      h("pre", {}, others.slice(0, 4).join("\n") + (others.length > 4 ? `\n… ${counted(others.length - 4, "more line")}` : "")));
  }

  /** Lines of the query that the mask or the drawing does not show, whichever is in sight. */
  private get others(): string[] {
    const { drawing, rest } = this.parts;
    return [...(this.workspace.settings.way === "position" ? linesOfMask(this.parts) : drawingLines(drawing)), ...rest.split("\n").filter((line) => line.trim())];
  }

  /** The query without the text that neither the mask nor the board shows. The comments before it were about this text,
   * and name the query. */
  private get withoutRest(): Parts {
    return { ...this.parts, header: withoutComments(this.parts.header).trim(), rest: "" };
  }

  /** The query to which the mask and the board add: an untouched first query gives way to what the user asks. */
  private get withoutFirst(): Parts {
    return this.editor.text === FIRST ? this.withoutRest : this.parts;
  }

  /** Changes parts of the query, and shows them. */
  private change(parts: Partial<Parts>): void {
    this.changeParts({ ...this.parts, ...parts });
    this.showParts();
  }

  /** Says that conditions beside the drawing stay, if there are any, and offers to remove them. */
  private tellOthers(done: string): void {
    if (this.others.length === 0) return;
    const remove = h("button", { type: "button", class: "quiet", onclick: () => this.step(() => this.change({ ...this.withoutRest, mask: {} })) }, "Remove them");
    toast(`${done}. The other conditions of the query stay. `, "note", remove);
  }

  /** Writes what the mask or the board says into the query. */
  private changeParts(parts: Parts): void {
    const isShown = parts.rest === this.parts.rest;
    this.parts = parts;
    this.searchSoon();
    this.editor.set(textOf(parts));
    if (!isShown) this.showOthers();
    this.showSum();
    this.showStatus();
  }

  private clear(): void {
    const { text } = this.editor;
    this.step(() => this.change({ header: "cql()", mask: {}, drawing: emptyDrawing(), rest: "" }));
    const undo = h("button", { type: "button", class: "quiet", onclick: () => (this.change(partsOf(text)), this.editor.set(text)) }, icon("undo"), "Undo");
    if (partsOf(text).rest !== "") toast("The whole query was cleared ", "note", undo);
  }

  /** Searches after a pause, as far as that is quick; until then, the list is that of the search before. */
  private searchSoon(): void {
    this.due = performance.now() + REST + SHORT;
    this.searchAfterRest();
    this.markAfterRest();
  }

  /** Searches again if that is quick. */
  private async searchIfQuick(): Promise<void> {
    if (this.running) this.took = (performance.now() - this.began) / 1000;
    this.isPutOff = this.running !== null && this.took > QUICK;
    if (this.took > QUICK) {
      this.showSum();
      return this.showStatus();
    }
    await this.editor.settle();
    const isWrong = asksNothing(this.editor.text) || this.faults.some((fault) => fault.severity === "error") || this.leftOut.length > 0;
    const { chosen } = this.library;
    const isOther = this.isOther || chosen.join() !== this.searchedIn.join();
    if (!isWrong && chosen.length > 0 && isOther) await this.search(undefined, true);
  }

  private like(fen: string): void {
    this.step(() => {
      if (textOf(this.parts) !== textOf(partsOf(""))) this.addTab("Like this", "cql()\n");
      this.showWay("position");
      this.showPart("query");
      this.draw.take(fen, true);
    });
  }

  private passage(): void {
    const { passage } = this.game;
    if (!passage) return toast("Step to a move first: the passage ends there", "error");
    passageDialog(this.backend, this.game.pgn, passage, (query) => {
      this.showWay("query");
      this.newTab("Passage", query, true);
    });
  }

  // The games of the search, and of the list.

  /** Whether the list is that of a whole search: neither narrowed nor stopped. */
  private get isWhole(): boolean {
    return !this.results.isNarrowed && this.ended?.stopped !== true;
  }

  /** The games among which the matches of the list are found: the listed ones, unless the list is whole. */
  private get listed(): Selection {
    const { searchedIn: collections, stamp } = this;
    return this.isWhole ? { collections, stamp } : { collections, games: this.results.games, stamp };
  }

  /** The games of the list, for reports and for the opening tree, which count games and not matches; null
   * without a search, and after one in a collection that was removed since. */
  private foundGames(): ReportGames | null {
    const { ended, searchedIn: collections, stamp } = this;
    if (!ended || !collections.every((id) => this.library.has(id))) return null;
    // A search that was stopped knows of no others.
    const part = ended.stopped ? ` in the first ${this.readUntil}` : "";
    if (this.isWhole && ended.matches === ended.games) return { on: { collections, stamp }, words: `all ${counted(ended.games, "game")}`, n: ended.games };
    // A very long list ends before the last match.
    const hasAll = this.isWhole && ended.rows === ended.matches;
    return { on: { collections, games: this.results.games, stamp }, words: `the ${counted(this.results.nShown, "game")} ${hasAll ? "found" : "listed"}${part}`, n: this.results.nShown };
  }

  private allGames(): ReportGames | null {
    const collections = this.library.chosen;
    return collections.length > 0 ? { on: { collections }, words: "all selected games" } : null;
  }

  private treeGames(): TreeGames {
    const found = this.foundGames();
    const all = this.allGames() ?? { on: { collections: [] }, words: "no games" };
    const { settings } = this.workspace;
    const choose = (isTreeOfAll: boolean) => {
      settings.isTreeOfAll = isTreeOfAll;
      this.workspace.changed();
      this.tree.refresh();
    };
    if (!found || settings.isTreeOfAll) {
      return { ...all, key: `all ${all.on.collections}`, other: found && found.on.games ? { words: "Only those listed", choose: () => choose(false) } : null };
    }
    const isSame = found.on.games === undefined;
    return { ...found, key: isSame ? `all ${found.on.collections}` : `${this.nth} ${found.on.games!.length} ${this.results.within} ${this.results.group}`, other: isSame ? null : { words: "All games", choose: () => choose(true) } };
  }

  /** Looks whether files have changed since the search, are gone, or are there again, and says so. */
  private async lookForChanges(): Promise<void> {
    const { nth, stamp, isOutdated } = this;
    // A search that failed without a state found no games that can be read, or was refused.
    const isOver = this.ended ? stamp !== undefined : this.failed !== null && stamp === undefined;
    if (document.hidden || !isOver || !this.searchedIn.every((id) => this.library.has(id))) return;
    const found = await this.backend.changed?.({ collections: this.searchedIn, stamp }).catch(() => null);
    if (!found || nth !== this.nth || isOutdated !== this.isOutdated) return;
    if (!this.ended) {
      // The change is then that there are games to be read.
      if (found.changed && this.isUnread) return this.searchAgain(this.searched);
      if (found.changed || this.isUnread) return;
      this.isUnread = true;
      this.failed += ". The page searches again once the games can be read.";
      return this.showStatus();
    }
    if (found.changed === isOutdated && found.gone.join() === this.gone.join()) return;
    this.isOutdated = found.changed;
    this.gone = found.gone;
    // A collection may have been removed in another window.
    await this.library.refresh();
    this.gamesChanged();
    if (!found.changed) this.game.reopen();
  }

  /** The collections of the search, with the state of their files. */
  private get place(): string {
    return `${this.searchedIn} ${this.stamp}`;
  }

  /** The number of games that a search has read before it was stopped, of how many if that is known. */
  private get readUntil(): string {
    const { games } = this.ended!;
    const all = this.totals.get(this.place) ?? 0;
    return all > games ? `${count(games)} of ${counted(all, "game")}` : counted(games, "game");
  }

  /** Says why the list is not that of the games which a search would read now; null if it is. */
  private get whyOld(): string | null {
    const { chosen } = this.library;
    const gone = this.searchedIn.filter((id) => !this.library.has(id));
    if (gone.length > 0) return `${this.library.names(gone).join(", ")} ${gone.length === 1 ? "was" : "were"} removed: the games of this list can no longer be opened, counted or written.${chosen.length > 0 ? "" : " Select other games at the top."}`;
    if (this.isOutdated) return this.gone.length > 0 ? this.whyGone(this.gone, (their) => `${their} games can no longer be opened, and those of this list no longer counted or written`) : "The games have changed since this search.";
    return chosen.length > 0 && chosen.join() !== this.searchedIn.join() ? "The list is of other collections than those that are selected." : null;
  }

  /** Says which files are no longer there, or were not when their games were searched, and what follows for these. */
  private whyGone(gone: string[], follows: (their: string) => string, wasSearched = false): string {
    const more = gone.length - 3;
    const [are, their] = gone.length === 1 ? [wasSearched ? "was" : "is", "its"] : [wasSearched ? "were" : "are", "their"];
    return `${gone.slice(0, 3).join(", ")}${more > 0 ? ` and ${counted(more, "other file")}` : ""} ${are} no longer there: ${follows(their)}.`;
  }

  /** Shows that other games are there to be searched. */
  private gamesChanged(): void {
    this.tree.forget();
    this.showStatus();
    this.showSum();
  }

  private buildArchive(collection: Collection, wantsThemes = false): void {
    archiveDialog(this.backend, collection, wantsThemes, async (isMade) => {
      this.library.set(await this.backend.collections());
      if (isMade && this.ended && this.gameFaults.some(isOfArchive)) void this.searchAgain(this.searched);
    });
  }

  /** Whether the list is narrowed to no game, which the user is told. */
  private isListEmpty(): boolean {
    const isEmpty = this.results.isNarrowed && this.results.nShown === 0;
    if (isEmpty) toast("The list shows no game: clear “Search within” first", "error");
    return isEmpty;
  }

  private get order(): { order: string; isOtherOrder: boolean } {
    return { order: this.results.writtenOrder, isOtherOrder: !this.results.isAsWritten };
  }

  private saveResults(): void {
    if (!this.ended) return;
    if (this.ended.matches === 0) return toast("No game matches: there is none to keep", "error");
    if (this.isListEmpty()) return;
    const { name } = this.searchedTab;
    const title = titleOf(partsOf(this.searched.query), /^(First query|(Query|All games)( \d+)?)$/.test(name) ? "Results" : name);
    saveDialog(this.backend, this.searched, this.listed, this.foundGames()?.words ?? "the games of the list", title, { ...this.order, other: this.otherName }, (collections, id) => {
      this.library.set(collections);
      this.library.chooseOnly(id);
      this.tree.forget();
      void this.search(this.searched, true);
    });
  }

  /** Fields of the mask in sight whose texts are left out. */
  private get leftOut(): string[] {
    return this.workspace.settings.way === "mask" ? this.mask.leftOut : [];
  }

  /** Whether a change of the mask or the drawing is not searched by itself. */
  private get waits(): boolean {
    return this.took > QUICK && this.workspace.settings.way !== "query";
  }

  /** Number of errors in the query. */
  private get nErrors(): number {
    return this.editor.text.trim() ? this.faults.filter((fault) => fault.severity === "error").length : 0;
  }

  /** Shows below the search how many games match, or why none can. */
  private showSum(): void {
    const errors = this.nErrors;
    const isBlank = asksNothing(this.editor.text);
    this.searchButton.disabled = (errors > 0 || isBlank) && !this.searchButton.classList.contains("running");
    const told = (first: Node | string, second: string) => replace(this.sum, h("span", {}, first), h("small", {}, second));
    if (errors > 0) return told(h("b", { class: "error" }, counted(errors, "error")), `Search is off until ${errors === 1 ? "it is" : "they are"} fixed`);
    if (isBlank) return told("An empty query", BEGIN[this.workspace.settings.way]);
    if (this.library.isEmpty) return told("No games open", "Add files at the top, or drop them here");
    if (this.isStoppable) return told("Searching…", "Press Stop, or Esc, to end it");
    const { ended } = this;
    const isSame = ended !== null && !this.isOther;
    // A game of a variant may have it.
    const problem = isSame && ended.matches > 0 ? null : impossible(this.parts.drawing);
    if (problem) return told(h("b", { class: "error" }, "No game of chess can match"), this.isDrawing ? "The reason is below the board" : problem);
    const isOld = ended !== null && this.whyOld !== null;
    const without = this.leftOut.length > 0 && `Without the field ${this.leftOut.join(" and ")}`;
    if (without && !isSame) return told(h("b", { class: "error" }, without), "Mend it, or press Search");
    if (!ended || !isSame || isOld) return told(!ended ? "Ready" : isSame ? "The games have changed" : "The query has changed", this.isPhone ? "Press Search" : "Press Search, or Ctrl+Enter");
    replace(this.sum, h("span", {}, h("b", {}, count(ended.matches)), ended.stopped ? ` found, stopped after ${this.readUntil}` : ` of ${counted(ended.games, "game")}`), h("small", {}, without ? without : this.workspace.settings.way === "query" ? `${ended.seconds.toFixed(2)} s` : this.waits ? "Press Search after a change" : "Updated as you change it"));
  }

  /** Shows the page, with the query of a link if it was opened by one. */
  async start(link: Linked | null): Promise<void> {
    const isRun = link?.isRun === true && this.backend.runsLinks;
    const [known] = await Promise.all([isRun ? null : this.backend.state(), this.workspace.open()]);
    if (!isRun) void this.editor.load();
    this.game.flipped = this.workspace.settings.flipped;
    this.theme();
    if (link) this.openLink(link);
    else {
      this.showTabs();
      this.editor.show(this.workspace.doc.id, this.workspace.doc.text);
    }
    this.showValues();
    this.readParts(this.workspace.doc.text);
    this.showWay(this.workspace.settings.way);
    if (!this.isWide) this.belowShown = "moves";
    this.arrange();
    this.showPart("query");
    this.showSearchButton();
    // The page appears only now, so that nothing is typed before the stored queries are loaded.
    document.querySelector("#app")!.replaceChildren(this.root);
    if (isRun) {
      // The user waits for the search of the link, not for the rest of the page.
      this.library.set(await this.backend.collections());
      await Promise.race([this.search(this.query()), new Promise((resolve) => setTimeout(resolve, LONG))]);
      void this.editor.load();
    }
    const { collections, book, engine } = known ?? (await this.backend.state());
    this.workspace.keepOnly(collections.map(({ name }) => name));
    this.library.set(collections);
    this.hasEngine = this.backend.engine !== undefined && Boolean(engine);
    if (this.hasEngine) this.arrange();
    this.book.contents = book;
    if (!isRun) {
      this.showStatus();
      this.results.finish(this.firstHint());
    }
    this.showSide("cookbook");
    this.showSum();
    await this.begin(link);
    this.isStarted = true;
    this.remember(false);
    window.addEventListener("popstate", (event) => void this.recall(event.state));
    // A link may be opened in the address bar of this tab.
    window.addEventListener("hashchange", () => void this.followLink(location.hash));
    setInterval(() => void this.lookForChanges(), LOOK);
    for (const event of ["visibilitychange", "focus"]) {
      window.addEventListener(event, () => {
        if (document.hidden) return;
        void this.library.refresh();
        void this.lookForChanges();
      });
    }
  }

  /** Restores what was on the page, or shows an answer before the first question. */
  private async begin(link: Linked | null): Promise<void> {
    if (link?.isRun) return;
    if (link?.view) return this.showLinked(link);
    // Text written since the last search is newer than the history, which has the list.
    const past = linkedOf(history.state);
    const { hasOwn, hasStored, doc } = this.workspace;
    const isSame = past?.query === doc.text;
    // A browser whose storage is full still has the last search.
    if (!link && (isSame || !hasOwn || past?.view?.isSearched) && (await this.recall(history.state, isSame || !hasOwn ? undefined : doc.text))) {
      if (!isSame && this.workspace.settings.way !== "query") this.searchSoon();
      if (!hasOwn) toast(hasStored ? "The storage of the browser is full: this is the last search of this window" : "The browser stores no queries here: only the last search of this window is there", "error");
      return;
    }
    const bytes = this.library.size;
    // The user may have been quicker.
    if (this.status.dataset.state !== undefined || this.library.isEmpty || (bytes !== null && bytes > SMALL)) return;
    const searching = this.search(this.query(), true);
    const { running } = this;
    // Folders and archives may be large: an answer in part will do.
    if (bytes === null) setTimeout(() => running?.abort(), LONGEST_FIRST);
    await searching;
  }

  private openLink(link: Linked): void {
    if (link.values) this.workspace.settings.values = link.values;
    const { name, query, draft } = link;
    this.newTab(draft === undefined ? name : queryName(draft), draft ?? query, false);
  }

  /** Shows what a link has besides the query. */
  private async showLinked({ query, name, collections, view }: Linked): Promise<void> {
    if (collections) this.chooseAgain(collections);
    this.linkedView = view ?? null;
    if (view) await this.show(view, query, { id: this.workspace.doc.id, name });
  }

  /** Opens a pasted link, whatever its host and port: those of another studio differ. */
  private pasteLink(text: string): boolean {
    const found = /^\s*https?:\S+?(#q\d*=[\w-]+)\s*$/.exec(text);
    if (!found) return false;
    void this.followLink(found[1]);
    return true;
  }

  private async followLink(hash: string): Promise<void> {
    const link = await linked(hash);
    if (!link) return;
    this.openLink(link);
    this.showValues();
    await this.showLinked(link);
  }

  /** Shows a copied position on the board, unless it is pasted into a text. */
  private async pastePosition(event: ClipboardEvent): Promise<void> {
    const text = event.clipboardData?.getData("text").trim() ?? "";
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || target.closest?.("input, textarea, dialog, .cm-editor") || !text) return;
    try {
      const { fen } = await this.backend.moves(text);
      if (this.isDrawing) this.step(() => this.draw.take(fen, false, tellsTurn(text)));
      else this.game.free(fen);
    } catch (error) {
      if (!/^(\[FEN ")?\w+\/[\w/]*/.test(text)) return toast("What was pasted is no position in FEN", "error");
      const place = this.isDrawing ? this.draw.problem : this.game.problem;
      const [why] = (error as Error).message.split("\n");
      place.textContent = `${capital(why)}. The board stays as it was.`;
      place.hidden = false;
    }
  }

  private firstHint(): Node {
    if (!this.library.isEmpty && this.library.chosen.length === 0) return h("div", {}, h("h2", {}, "No games are selected"), h("p", {}, "Select collections by the button above: those that were selected are no longer there."));
    return h("div", {},
      h("h2", {}, this.library.isEmpty ? "No games yet" : "Games that match appear here"),
      h("p", {}, message(this.library.isEmpty ? "Add files of games, drop them anywhere on this page, or start `cql studio` with their names." : "Choose something in the mask, draw a position, or write a query. Without any of these, all games are shown.")),
      this.library.isEmpty && this.library.chooseButton());
  }

  // Tabs.

  private showTabs(): void {
    const { docs } = this.workspace.settings;
    const tab = (id: string, name: string) => {
      const isCurrent = id === this.workspace.settings.current;
      return h("div", { class: "tab" },
        h("button", {
          type: "button", class: "name", id: `tab-${id}`, "aria-current": isCurrent ? "true" : null, tabindex: isCurrent ? 0 : -1, title: "Double-click to rename",
          onclick: () => this.openTab(id), ondblclick: () => this.renameTab(id),
          onkeydown: (event: KeyboardEvent) => this.tabKey(event, id),
        }, name),
        docs.length > 1 && h("button", { type: "button", class: "quiet close", title: `Close ${name}`, "aria-label": `Close ${name}`, onclick: () => this.closeTab(id) }, icon("close")));
    };
    const { scrollLeft } = this.tabs;
    replace(this.tabs, ...docs.map((doc) => tab(doc.id, doc.name)));
    this.tabs.scrollLeft = scrollLeft;
    // Scrolling now would force a layout.
    requestAnimationFrame(() => this.tabs.querySelector(".tab:has([aria-current])")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
  }

  private tabKey(event: KeyboardEvent, id: string): void {
    const { docs } = this.workspace.settings;
    const place = docs.findIndex((doc) => doc.id === id);
    const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (event.key === "F2") this.renameTab(id);
    if (event.key === "Delete" && docs.length > 1) this.closeTab(id);
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const next = docs[(place + by + docs.length) % docs.length];
    this.openTab(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  }

  private openTab(id: string): void {
    this.workspace.settings.current = id;
    this.workspace.changed();
    this.showTabs();
    this.editor.show(id, this.workspace.doc.text);
    this.readParts(this.workspace.doc.text);
    if (this.isOver) this.showStatus();
  }

  /** Opens a query in a tab of its own, to search with it or to write on. */
  private newTab(name: string, text: string, search: boolean): void {
    this.addTab(name, text);
    if (search) void this.search();
    else this.editor.focusEnd();
  }

  private addTab(name: string, text: string): void {
    const { docs } = this.workspace.settings;
    let unique = name;
    for (let n = 2; docs.some((doc) => doc.name === unique && doc.text !== text); n++) unique = `${name} ${n}`;
    let doc = docs.find((doc) => doc.name === unique && doc.text === text);
    if (!doc) docs.push((doc = { id: newId(), name: unique, text }));
    this.openTab(doc.id);
  }

  private renameTab(id: string): void {
    const doc = this.workspace.settings.docs.find((doc) => doc.id === id);
    if (!doc) return;
    const input = h("input", { value: doc.name, "aria-label": "name of the query", maxlength: 60 });
    const form = h("form", { method: "dialog", class: "row" }, input, h("button", { class: "main" }, "Rename"), h("p", { class: "told" }, "Without a name, the tab is called after its text."));
    const box = dialog("Name of the query", form);
    input.select();
    form.addEventListener("submit", () => {
      doc.isNamed = input.value.trim() !== "";
      doc.name = input.value.trim() || queryName(doc.text);
      if (doc.isNamed && doc.id === this.searchedTab.id) this.searchedTab.name = doc.name;
      this.workspace.changed();
      this.showTabs();
      box.close();
    });
  }

  private closeTab(id: string): void {
    const { settings } = this.workspace;
    const place = settings.docs.findIndex((doc) => doc.id === id);
    const [closed] = settings.docs.splice(place, 1);
    this.editor.forget(id);
    const undo = h("button", { type: "button", class: "quiet", onclick: () => {
      settings.docs.splice(place, 0, closed);
      this.openTab(closed.id);
    } }, icon("undo"), "Undo");
    if (settings.current === id) this.openTab(settings.docs[Math.min(place, settings.docs.length - 1)].id);
    else this.showTabs();
    this.workspace.changed();
    if (closed.text.trim().length > 10) toast(`${closed.name} closed `, "note", undo);
  }

  // Diagnostics of the query.

  private showChecked(checked: Checked): void {
    const hadErrors = this.nErrors > 0;
    this.faults = checked.diagnostics;
    this.showStrip();
    if (this.side === "problems" || this.side === "meaning") this.showSide(this.side);
    this.showSideTabs();
    this.showSum();
    if (this.isOver && hadErrors !== this.nErrors > 0) this.showStatus();
  }

  private showStrip(): void {
    const [first] = this.faults;
    this.strip.className = `strip ${first?.severity ?? ""}`;
    if (!first) return replace(this.strip, this.signature ?? h("span", { class: "fine" }, this.editor.text.trim() && !asksNothing(this.editor.text) ? "No errors" : ""));
    const { edit } = first;
    replace(this.strip,
      h("button", { type: "button", class: "link message", title: "Show in the query", onclick: () => this.editor.select(first) },
        message(capital(first.message)), first.help && h("small", {}, " — ", message(first.help))),
      edit && h("button", { type: "button", class: "fix", onclick: () => this.editor.apply(edit) }, fixName(edit)),
      this.faults.length > 1 && h("button", { type: "button", class: "link", onclick: () => this.showSide("problems") }, `${this.faults.length - 1} more`),
      this.signature);
  }

  private showSideTabs(): void {
    const tabs: [Side, string][] = [["cookbook", "Cookbook"], ["manual", "Manual"], ["meaning", "In words"], ["history", "History"]];
    if (this.faults.length > 0 || this.side === "problems") tabs.unshift(["problems", `Errors ${this.faults.length || ""}`]);
    this.sideTabs.show(tabs, this.side);
  }

  /** Goes to the field that finds ideas. */
  private find(): void {
    this.showPart("query");
    this.showWay("query");
    if (this.side !== "manual") this.showSide("cookbook");
    this.book.find();
  }

  private showSide(side: Side): void {
    const isNew = side !== this.side || this.sidePanel.childElementCount === 0;
    this.side = side;
    this.showSideTabs();
    if (side === "cookbook" || side === "manual") {
      if (!isNew) return;
      this.book.show(side);
      replace(this.sidePanel, this.book.element);
    } else if (side === "meaning") void this.showMeaning();
    else if (side === "problems") {
      replace(this.sidePanel, h("ul", { class: "problems" }, ...this.faults.map((fault) => {
        const { edit } = fault;
        return h("li", { class: fault.severity },
          h("button", { type: "button", class: "link", onclick: () => this.editor.select(fault) }, h("code", {}, fault.code), " ", message(capital(fault.message)), fault.help && h("small", {}, message(fault.help))),
          edit && h("button", { type: "button", class: "fix", onclick: () => this.editor.apply(edit) }, fixName(edit)));
      }), this.faults.length === 0 && h("li", { class: "told" }, "The query has no errors.")));
    } else this.showHistory();
  }

  private async showMeaning(): Promise<void> {
    const text = this.editor.text;
    const asked = text.trim() ? this.backend.ask<{ header: string[]; filters: Sentence[] } | null>("explain", text) : null;
    const panel = await Promise.resolve(asked).then((explained) => meaning(explained, (place) => this.editor.light(place), (place) => this.editor.select(place)), (error) => {
      again.after(error, "meaning", () => void (this.side === "meaning" && this.showMeaning()));
      return failure(error);
    });
    if (this.side === "meaning" && text === this.editor.text) replace(this.sidePanel, panel);
  }

  private showHistory(): void {
    const { history } = this.workspace.settings;
    replace(this.sidePanel, h("ul", { class: "history" }, ...history.map((past) => h("li", {},
      h("button", { type: "button", class: "link", onclick: () => this.newTab(queryName(past.query), past.query, false) },
        h("code", {}, past.query.replace(/\/\/.*/g, "").replace(/\s+/g, " ").trim().slice(0, 140) || "all games"),
        h("small", {}, `${counted(past.matches, "match").replace(/matchs$/, "matches")} of ${past.isStopped ? "the first " : ""}${count(past.games)} · ${dateOf(past.when)}`)))),
      history.length === 0 && h("li", { class: "told" }, "Your searches appear here.")));
  }

  // Columns.

  private showValues(): void {
    const { values } = this.workspace.settings;
    this.results.added.hidden = values.length === 0;
    replace(this.results.added, h("small", { title: "They stay in the lists of the next searches" }, "Columns"),
      ...values.map((value) => removable(value, "It stays in the lists of the next searches. Remove this column", () => this.setValues(values.filter((other) => other !== value)))),
      values.length > 1 && h("button", { type: "button", class: "link", onclick: () => this.setValues([]) }, "Remove all"));
  }

  /** Sets the columns, and searches as before, with them. */
  private setValues(values: string[]): void {
    this.workspace.settings.values = values;
    this.workspace.changed();
    this.showValues();
    if (this.nth > 0) void this.searchAgain({ ...this.searched, values });
    else if (values.length > 0) toast("The next search shows the column");
  }

  private addValue(): void {
    const input = h("input", { "aria-label": "expression", placeholder: "power A - power a", spellcheck: "false" });
    const form = h("form", { class: "row" }, input, h("button", { class: "main" }, "Add"));
    const problem = h("p", { class: "row error", role: "alert" });
    const examples = ["power A - power a", "#[Aa]", "movenumber", "elo white", "year"];
    const box = dialog("Add a column with the value of an expression",
      h("p", {}, "Any CQL expression, evaluated at the position at which the game opens. You can sort and count the list by it. The column stays in the lists of the next searches until you remove it, above the list."),
      form, problem, h("div", { class: "chips" }, ...examples.map((example) => h("button", { type: "button", class: "chip", onclick: () => write(example) }, example))));
    const write = (text: string) => {
      input.value = text;
      replace(problem);
      input.focus();
    };
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const text = input.value;
      const checked = text.trim() ? await this.backend.ask<Checked>("check", text).catch((error: Error) => error) : null;
      if (text !== input.value) return;
      if (checked instanceof Error) return replace(problem, message(checked.message));
      const fault = checked?.diagnostics.find(({ severity }) => severity === "error");
      if (fault) {
        const { edit } = fault;
        input.focus();
        return replace(problem, h("span", {}, message(capital(fault.message)), fault.help && h("small", {}, " — ", message(fault.help))),
          edit && h("button", { type: "button", class: "fix", onclick: () => write(edited(text, edit)) }, fixName(edit)));
      }
      box.close();
      const { values } = this.workspace.settings;
      const value = text.trim();
      if (value && !values.includes(value)) this.setValues([...values, value]);
    });
  }

  // Searches.

  private query(): Query {
    return { query: this.editor.text, values: this.workspace.settings.values, openings: this.results.wantsOpenings };
  }

  /** Says why the search that the user wants does not begin, until the next one is wanted. */
  private refuse(why: string, kind: "note" | "error" = "error"): void {
    this.status.dataset.state = "refused";
    this.asks(null);
    this.refusal = shownToast(why, kind);
  }

  /** Searches with the query in the editor if it has no errors, or with a known query, unchecked. */
  private async search(known?: Query, isQuiet = false, isAgain = false): Promise<void> {
    this.status.dataset.state = "busy";
    this.refusal?.remove();
    const collections = this.library.chosen;
    if (collections.length === 0) return this.refuse(NO_GAMES);
    if (!known) {
      const { asked } = this;
      await this.mask.settled;
      await this.editor.settle();
      // The user has stopped it meanwhile.
      if (asked?.signal.aborted) {
        this.status.dataset.state = "refused";
        return;
      }
    }
    if (!known && asksNothing(this.editor.text)) return this.refuse(`The query is empty. ${BEGIN[this.workspace.settings.way]}`, "note");
    const errors = this.faults.filter((fault) => fault.severity === "error");
    if (!known && errors.length > 0 && this.editor.text.trim()) {
      this.editor.select(errors[0]);
      return this.refuse(`Not searched: ${errors[0].message}`);
    }
    this.running?.abort();
    again.forget("search");
    const query = known ?? this.query();
    // The back button leads from another query to the game that was looked at, and to other collections.
    const isElsewhere = this.searchedIn.length > 0 && collections.join() !== this.searchedIn.join();
    const isNew = (!isQuiet && !isAgain) || isElsewhere || (this.isKept && query.query !== this.searched.query);
    // The text of the history has a step of its own.
    const isStep = isNew && !this.isDraft;
    if (isStep) this.remember(false);
    this.isDraft = false;
    this.naming?.abort();
    const controller = new AbortController();
    this.running = controller;
    this.asked = null;
    this.searched = query;
    this.searchedIn = collections;
    const { id, name } = this.workspace.doc;
    // The query of the list that is searched again keeps its name.
    if (query.query === this.editor.text) this.searchedTab = { id, name };
    this.gameFaults = [];
    this.said = "";
    this.ended = null;
    this.showListButtons();
    this.stamp = undefined;
    this.isOutdated = false;
    this.gone = [];
    this.without = [];
    this.failed = null;
    this.isUnread = false;
    if (!isQuiet) this.absent = [];
    this.nth += 1;
    this.isKept = !isQuiet || (this.isKept && !isNew);
    this.remember(isStep);
    const began = performance.now();
    this.began = began;
    let last: Progress = { bytes: 0, size: 0, games: 0, matches: 0 };
    const isCurrent = () => this.running === controller;
    const inputs: string[] = [];
    let told: Heading | null = null;
    // The previous results stay visible until there are new ones, or the search takes longer than `PACE`.
    let isShown = false;
    const show = () => {
      if (isShown) return;
      isShown = true;
      this.results.clear(this.searched.openings ?? false, inputs, isAboutGames(partsOf(this.searched.query)));
      if (told) this.results.start(told);
    };
    const showProgress = () => {
      if (!isCurrent()) return;
      show();
      this.tellProgress(last);
    };
    setTimeout(() => isShown || showProgress(), PACE);
    // A sorted list changes its order at the end, so its first game is not opened early.
    const openFirst = () => isShown && isCurrent() && !this.pending && !this.results.isSorted && this.openFirst();
    setTimeout(openFirst, LONG);
    let message: string | null = null;
    let isBroken = false;
    let isLost = false;
    try {
      const searching = this.backend.search(this.searched, { collections }, {
        start: (now) => {
          told = now;
          if (isShown && isCurrent()) this.results.start(now);
        },
        rows: (rows) => {
          if (!isCurrent()) return;
          if (!isShown) showProgress();
          this.results.add(rows);
          if (performance.now() - began > LONG) openFirst();
        },
        input: (name) => inputs.push(name),
        stamp: (stamp) => isCurrent() && void this.tellStamp(stamp),
        progress: (progress) => {
          last = progress;
          showProgress();
        },
        fault: (fault) => this.gameFaults.push(fault),
        said: (text) => (this.said += text),
      }, controller.signal);
      this.showSearchButton();
      setTimeout(() => isCurrent() && this.showSum(), SHORT);
      if (!isQuiet && !isAgain) this.showPart("games");
      this.ended = await searching;
      this.nBroken = 0;
    } catch (error) {
      if (!controller.signal.aborted) message = (error as Error).message;
      // A collection was removed in another window.
      if (error instanceof Refused && error.status === 404) await this.library.refresh();
      isBroken = error instanceof Interrupted;
      this.nBroken = isBroken ? this.nBroken + 1 : 0;
      isLost = isUnreached(error) || (isBroken && this.nBroken < MOST_BROKEN);
    }
    if (!isCurrent()) return;
    if (isBroken && !isAgain) {
      // As after a sleep: the page searches again once it is awake.
      replace(this.status, h("span", { role: "status" }, "The connection broke during the search. Searching again…"));
      await awake();
      if (!isCurrent()) return;
      if (!controller.signal.aborted) return this.search(this.searched, isQuiet, true);
      // The user has stopped it meanwhile.
      message = null;
    }
    show();
    this.running = null;
    this.showSearchButton();
    this.progress.classList.remove("on");
    if (controller.signal.aborted) {
      this.ended = { games: last.games, matches: this.results.length, positions: 0, rows: this.results.length, faults: this.gameFaults.length, leftOut: 0, seconds: (performance.now() - began) / 1000, stopped: true };
    }
    if (isLost && message !== null) {
      const { pending } = this;
      message = `${message} The page searches again when the studio answers.`;
      again.later("search", () => {
        this.pending = pending;
        void this.search(this.searched, isQuiet, true);
      });
    }
    this.finish(message, isQuiet);
    if (message === null) await this.showPending();
    this.pending = null;
    this.remember(false);
  }

  /** Notes the state of the files that are searched. Counts of files that have changed since are forgotten. */
  private async tellStamp(stamp: string): Promise<void> {
    this.stamp = stamp;
    const place = this.searchedIn.join();
    const before = this.stamps.get(place) ?? stamp;
    this.stamps.set(place, stamp);
    if (before === stamp) return;
    this.tree.forget();
    const { nth } = this;
    const found = await this.backend.changed?.({ collections: this.searchedIn, stamp: before }).catch(() => null);
    if (!found || nth !== this.nth) return;
    this.without = found.gone;
    this.showStatus();
  }

  /** Finds the names of the openings of the games in the list, which a search finds only if they are wanted. */
  private async nameOpenings(): Promise<void> {
    const naming = (this.naming = new AbortController());
    const found = new Map<number, [string, string]>();
    const nothing = () => {};
    let areAll = true;
    const rows = (rows: Row[]) => rows.forEach(({ cells }) => found.set(cells[At.Number], [cells[At.Opening], cells[At.Eco]]));
    try {
      const listener = { start: nothing, input: nothing, progress: nothing, fault: nothing, said: nothing, rows };
      await this.backend.search({ query: "", values: [], openings: true }, { collections: this.searchedIn, games: this.results.allGames, stamp: this.stamp }, listener, naming.signal);
    } catch (error) {
      if (naming.signal.aborted) return;
      areAll = false;
      again.after(error, "openings", () => void (naming === this.naming && this.nameOpenings()));
      toast(`The names of the openings are not known: ${(error as Error).message}`, "error");
    }
    if (!naming.signal.aborted) this.results.nameOpenings(found, areAll);
  }

  /** Searches with the same query, and arranges the list as before. */
  private async searchAgain(query: Query): Promise<void> {
    const { look } = this.results;
    await this.search(query, true);
    // Another search may have begun meanwhile.
    if (this.searched === query) this.results.look = look;
  }

  /** Shows the end of a search, which may have failed. */
  private finish(failure: string | null, isQuiet: boolean): void {
    const end = this.ended;
    // The next search waits for the check of its query.
    this.status.dataset.state = this.asked ? "busy" : "done";
    this.failed = failure;
    this.took = end?.seconds ?? 0;
    // A busy browser shows a short search late.
    if (this.isPutOff && failure === null && end && !end.stopped && this.took <= QUICK && this.isOther) this.searchSoon();
    this.isPutOff = false;
    if (this.results.length === 0 && !this.pending) this.game.leave();
    this.showSum();
    this.tellGames();
    this.tree.refresh();
    if (failure === null) void this.mask.propose(this.results.names(1000), this.searchedIn.join());
    if (failure !== null) {
      this.showStatus();
      void this.lookForChanges();
      return this.results.finish(h("p", {}, "The search failed."));
    }
    if (end) {
      const { history } = this.workspace.settings;
      const past = { query: this.searched.query, when: Date.now(), matches: end.matches, games: end.games, isStopped: end.stopped, isQuiet };
      const others = history[0]?.isQuiet ? history.slice(1) : history;
      this.workspace.settings.history = [past, ...others.filter((other) => other.query !== past.query)].slice(0, MOST_SEARCHES);
      this.workspace.changed();
      if (this.side === "history") this.showHistory();
      if (!end.stopped) this.totals.set(this.place, Math.max(end.games, this.totals.get(this.place) ?? 0));
      say(end.stopped ? `${count(end.matches)} found, stopped after ${this.readUntil}` : `${count(end.matches)} of ${counted(end.games, "game")} match`);
    }
    this.showStatus();
    // `leftOut` also counts files that cannot be read, which are no games.
    const ofGames = this.gameFaults.filter((fault) => fault.game);
    const leftOut = end && end.leftOut - this.gameFaults.filter(isOfFile).length;
    const failed = end && !end.stopped && end.games > 0 && leftOut! >= end.games ? ofGames.find((fault) => !fault.searched) : undefined;
    if (failed) return this.results.finish(h("p", { role: "alert" }, "No game could be searched: ", message(failed.message)));
    const hasNone = end?.games === 0 && !end.stopped;
    const none = end?.stopped ? h("p", {}, "Stopped before a game matched.") : h("h2", {}, hasNone ? "The selected collections have no games" : "No game matches");
    const near = hasNone ? [] : end?.near ?? [];
    const isNarrow = !end?.stopped && !hasNone && this.searched.query.trim() !== "";
    this.results.finish(h("div", {}, none, ...near.map((line) => h("p", {}, message(line))), isNarrow && h("p", {}, `One of the conditions may be too narrow. The counts after each of them show which. ${LOOSER[this.workspace.settings.way]}`),
      isNarrow && h("button", { type: "button", onclick: () => this.funnel() }, "Matches after each condition")), end?.stopped ? `of the first ${this.readUntil}` : "");
    if (!this.pending) this.openFirst();
  }

  /** Shows the number of games at their button. */
  private tellGames(): void {
    const n = this.ended ? ` ${count(this.results.isNarrowed ? this.results.nShown : this.ended.matches)}` : "";
    this.partButtons.get("games")!.lastElementChild!.textContent = `Games${n}`;
  }

  /** Opens the first game if the board is in sight and no game is selected. */
  private openFirst(): void {
    if (!this.isPhone && !this.results.hasSelection) this.results.select(0, false);
  }

  private stop(): void {
    this.running?.abort();
    this.asked?.abort();
    if (this.asked) this.asks(null);
  }

  /** The button was pressed, which searches or stops, as it says; `nth` is the number of the click, 2 for the second
   * one of a double click. */
  private pressed(nth: number): void {
    if (nth > 1) return;
    // A click that was meant for what the button said a moment ago. The search runs or has ended: either way, its games are
    // there. Another query is a new wish.
    const isLate = performance.now() - this.meant < MEANT && !this.isOther;
    if (isLate) return this.showPart("games");
    if (this.searchButton.classList.contains("running")) this.stop();
    // The search runs already: the page begins one after a change of the mask.
    else if (this.isStoppable) {
      this.absent = [];
      this.showPart("games");
    }
    else this.searchNow();
  }

  /** Searches because the user asked for it, and says so at once. */
  private searchNow(): void {
    this.pressedAt = performance.now();
    // The button says what the user has just done: a click on it is meant.
    this.meant = -Infinity;
    this.asks(new AbortController());
    void this.search();
  }

  private asks(asked: AbortController | null): void {
    this.asked = asked;
    this.showSearchButton();
    this.showSum();
  }

  private tellProgress(progress: Progress): void {
    this.progress.classList.add("on");
    this.status.dataset.state = "busy";
    const share = progress.size > 0 ? Math.min(1, progress.bytes / progress.size) : 0;
    (this.progress.firstElementChild as HTMLElement).style.transform = `scaleX(${share.toFixed(3)})`;
    this.progress.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    // The counts mean nothing before the first games have been searched.
    if (progress.games === 0) return replace(this.status, h("span", {}, "Searching…"));
    replace(this.status, h("span", {}, h("b", {}, count(progress.matches)), ` of ${count(progress.games)} so far…`));
  }

  /** Whether the list is that of another query, and stays so. In the mask and on the board, a search follows each change by
   * itself after a pause, unless something is in its way. */
  private get isLeft(): boolean {
    const waits = this.workspace.settings.way === "query" || asksNothing(this.editor.text) || this.nErrors > 0 || this.waits;
    return this.isOther && (waits || performance.now() >= this.due);
  }

  /** Whether a search has ended, with a list or with an error. */
  private get isOver(): boolean {
    return this.ended !== null || this.failed !== null;
  }

  /** Says that the list is that of another query, or no longer says it. */
  private markIfLeft(): void {
    if (this.isOver && this.isLeft !== this.wasLeft) this.showStatus();
  }

  /** Says of which query the list or the error is, if not that of the text. A new query has no error. */
  private whoseList(): HTMLElement {
    const what = this.ended ? "list" : "error";
    return this.searchedTab.id === this.workspace.doc.id
      ? h("span", { class: "error" }, `This ${what} is of the query before the last change. `)
      : h("span", { class: "told" }, `This ${what} is of another query, ${this.searchedTab.name}. `);
  }

  private showStatus(): void {
    if (this.running) return;
    const end = this.ended;
    this.wasLeft = this.isLeft;
    this.showListButtons();
    const absent = this.whyAbsent && h("span", { class: "error", role: "alert" }, this.whyAbsent);
    if (!end && this.failed !== null) return replace(this.status, this.wasLeft && this.whoseList(), h("span", { class: "error", role: "alert" }, message(this.failed)));
    if (!end) return replace(this.status, absent, this.library.isEmpty ? "No games yet" : "Ready");
    const faults = this.gameFaults.length;
    // A file that is gone is named already.
    const lost = this.isOutdated ? [] : this.gameFaults.filter((fault) => isOfFile(fault) && !this.without.includes(fileName(fault.input)));
    const { isNarrowed } = this.results;
    const isOfGames = isAboutGames(partsOf(this.searched.query));
    replace(this.status,
      absent,
      this.whyOld && h("span", { class: "error", role: "alert" }, `${this.whyOld} `, this.library.chosen.length > 0 && h("button", { type: "button", class: "link", onclick: () => void this.searchAgain(this.searched) }, "Search again")),
      this.without.length > 0 && h("span", { class: "error", role: "alert" }, this.whyGone(this.without, (their) => `this list is without ${their} games`, this.isOutdated)),
      this.leftOut.length > 0 ? h("span", { class: "error" }, `This list is ${!this.isOther ? "not of the whole mask" : "of the query before the last change"}: ${this.leftOut.join(" and ")} cannot be used. `)
        : this.wasLeft && this.whoseList(),
      lost.length > 0 && h("span", { class: "error", role: "alert" }, message(`${fileName(lost[0].input)}: ${lost[0].message}${lost.length > 1 ? `; and ${counted(lost.length - 1, "other file")}` : ""}. `)),
      h("span", {}, h("b", {}, count(isNarrowed ? this.results.nShown : end.matches)), end.stopped ? (isNarrowed ? ` of ${count(end.matches)} found` : " found") : ` of ${counted(end.games, "game")}`, !end.stopped && isNarrowed && `, from ${count(end.matches)} found`, !isNarrowed && end.positions > end.matches && (isOfGames ? ", all of their positions" : `, ${count(end.positions)} positions`),
        end.stopped ? `, stopped after ${this.readUntil}` : "", h("small", {}, ` ${end.seconds < 0.095 ? end.seconds.toFixed(2) : end.seconds.toFixed(1)} s`)),
      isOfGames && end.positions > end.matches && !this.isOther && h("button", { type: "button", class: "link", title: "All conditions are about games. Take the first position of each game", onclick: () => this.takeFirst() }, "One position each"),
      this.archiveHint(),
      this.headerHint(),
      this.themeHint(end),
      end.rows < end.matches && h("small", {}, `only the first ${count(end.rows)} are listed; an export has all`),
      h("span", { class: "grow" }),
      this.said && h("button", { type: "button", class: "link", onclick: () => dialog("Messages of the query", h("pre", { tabindex: 0 }, this.said)) }, "messages"),
      faults > 0 && h("button", { type: "button", class: "link", onclick: () => faultsDialog(this.gameFaults, end.faults) }, `${count(end.faults)} ${end.faults === 1 ? "note" : "notes"} on games`));
  }

  /** Says why there is no list to keep or to write; empty if there is one. */
  private get whyNoList(): string {
    if (this.ended) return "";
    return this.running ? "Wait for the end of the search, or stop it: the games found until then are listed" : "Search first: the list has the games that match";
  }

  /** Turns the buttons of the list on, or has them say why they are off. */
  private showListButtons(): void {
    const why = this.whyNoList;
    const show = (button: HTMLButtonElement, title: string, reason: string) => Object.assign(button, { disabled: reason !== "", title: reason || title });
    show(this.funnelButton, "Matches after each condition", why || (this.searched.query.trim() ? "" : "The query of the list has no conditions"));
    show(this.saveButton, "Keep the games as a collection", why);
    show(this.exportButton, "Export the matches (Ctrl+S)", why);
  }

  /** Adds to a query about games that the first position of each is wanted, and searches. */
  private takeFirst(): void {
    this.change({ rest: "initial" });
    void this.search();
  }

  /** Says that an archive could not be used, and how that is mended. */
  private archiveHint(): HTMLElement | null {
    const unused = this.gameFaults.find(isOfArchive);
    if (!unused) return null;
    const collection = unused.mendedByBuild ? this.library.withArchive(unused.input) : undefined;
    return h("small", {}, message(`${fileName(unused.input)} was not used: ${unused.message}. `), collection && h("button", { type: "button", class: "link", onclick: () => this.buildArchive(collection) }, "Update the archive…"));
  }

  /** Says that the files which the header of the query names are neither read nor written here. */
  private headerHint(): HTMLElement | null {
    const header = partsOf(this.searched.query).header.replace(/"[^"]*"/g, '""');
    const hints = [[/\binput\s/, "`input` of the header is not read: the selected games are searched. "], [/\boutput\s/, "`output` of the header is not written: Export writes the games. "]] as const;
    const said = hints.filter(([word]) => word.test(header)).map(([, words]) => words).join("");
    return said ? h("span", { class: "error" }, message(said)) : null;
  }

  /** Says why a search for themes took its time, if an archive could store them. */
  private themeHint(end: SearchEnd): HTMLElement | null {
    const themes = [...this.searched.query.matchAll(/\btheme\("(\w+)"\)/g)].map(([, name]) => name);
    const lacking = end.seconds > 1 && themes.length > 0 && this.library.lacking(themes);
    return lacking ? h("small", {}, `The archive of ${lacking.name} does not store these themes. `, h("button", { type: "button", class: "link", onclick: () => this.buildArchive(lacking, true) }, "Store them…")) : null;
  }

  private funnel(): void {
    funnelDialog(this.backend, this.searched, this.listed, (place) => !this.isOther && this.editor.select(place));
  }

  /** Whether the page is wide enough to show all parts at once. */
  private get isWide(): boolean {
    return window.matchMedia("(min-width: 72rem)").matches;
  }

  /** Whether the page is so narrow that it shows one part at a time. */
  private get isPhone(): boolean {
    return !window.matchMedia("(min-width: 40rem)").matches;
  }

  private openGame(row: Row, isAsked: boolean): void {
    if (isAsked) {
      this.remember(true);
      this.isKept = true;
    }
    const [number, inInput, offset] = row.cells;
    const input = this.results.inputs[row.input] ?? "";
    void this.game.open(this.searched, { collections: this.searchedIn, input, number, in_input: inInput, offset });
    // A drawing stays on the board until the user wants to see a game.
    if (isAsked) this.showGame();
    if (isAsked && this.isPhone) this.showPart("game");
  }

  private lightCondition(place: Place | null): void {
    if (!this.isOther) this.editor.light(place);
  }

  /** Whether a search with the present query is running. */
  private get isStoppable(): boolean {
    return this.asked !== null || (this.running !== null && !this.isOther);
  }

  private showSearchButton(): void {
    const isRunning = this.isStoppable;
    const show = () => {
      if (isRunning !== this.isStoppable) return;
      const now = performance.now();
      const wasRunning = this.searchButton.classList.contains("running");
      // A click that was to begin a search must not stop one that the page has just begun.
      if (isRunning ? !wasRunning && now - this.pressedAt > 2 * SHORT : wasRunning) this.meant = now;
      replace(this.searchButton, icon(isRunning ? "stop" : "play"), isRunning ? "Stop" : "Search");
      this.searchButton.classList.toggle("running", isRunning);
    };
    // A short search that the page begins needs no button to stop it.
    if (isRunning && !this.asked) setTimeout(show, SHORT);
    else show();
  }

  // The rest.

  private export(): void {
    const { ended } = this;
    // By the key.
    if (!ended) return toast(this.whyNoList, "error");
    if (this.isListEmpty()) return;
    const positions = this.isWhole ? ended.positions : this.results.nPositions;
    const listed = { ...this.order, other: this.otherName, groups: this.results.groupTable, positions };
    exportDialog(this.backend, this.searched, this.listed, this.foundGames()?.words ?? "the games of the list", this.searchedTab.name, this.isWhole ? ended.matches : this.results.nShown, listed);
  }

  private async copyLink(): Promise<void> {
    const page = this.pageWith(this.hasSearched);
    const draft = this.hasSearched && this.isOther ? this.editor.text : undefined;
    const names = page.collections ?? [];
    const games = names.length > 0 && names.length <= 3 ? names.join(", ") : "the same games";
    const link = await linkTo({ ...page, draft });
    if (link === undefined) return toast("The query is too long for a link", "error");
    await copyText(link, "link", `. It has the query, the list${draft === undefined ? "" : ", the text that has changed since the search,"} and the game on the board, but no files: the reader needs ${games}, too`);
  }

  private nextTheme(): void {
    const themes = ["auto", "light", "dark"] as const;
    const { settings } = this.workspace;
    settings.theme = themes[(themes.indexOf(settings.theme) + 1) % 3];
    this.workspace.changed();
    this.theme();
  }

  private theme(): void {
    const { theme } = this.workspace.settings;
    if (theme === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    const words = { auto: "Colors: system", light: "Colors: light", dark: "Colors: dark" }[theme];
    this.themeButton.title = words;
    replace(this.themeButton, icon({ auto: "auto", light: "sun", dark: "moon" }[theme]), h("span", {}, "Theme"));
  }

  private showPart(part: Part): void {
    // On a tablet, the board is always in sight.
    if (part === "game" && !this.isPhone && !this.isWide) return;
    if (part === "game") this.showGame();
    else if (part === "query" && this.isPhone) this.boardShows(this.workspace.settings.way === "position");
    this.root.dataset.part = part;
    for (const button of this.root.querySelectorAll<HTMLElement>(".part-bar button")) {
      if (button.dataset.part === part) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isWriting = target.closest("input:not([type=checkbox], [type=radio]), textarea, select, .cm-editor") !== null;
    if (document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const act = (work: () => void) => {
      event.preventDefault();
      work();
    };
    if (event.key === "F6") return act(() => this.nextArea(event.shiftKey ? -1 : 1));
    if (isCommand && event.key === "Enter") return act(() => this.searchNow());
    if (isCommand && event.key === "k" && !event.defaultPrevented) return act(() => this.find());
    if (isCommand && event.key === "s") return act(() => this.export());
    if (isCommand && event.key === "z" && this.isDrawing && !isWriting) return act(() => this.draw.undo());
    if (event.key === "Escape" && (this.running || this.asked)) return act(() => this.stop());
    if (isWriting || isCommand || event.altKey) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.game.step(-1), ArrowRight: () => this.game.step(1), Home: () => this.game.show(0), End: () => this.game.end(),
      n: () => this.game.nextMatch(1), p: () => this.game.nextMatch(-1), f: () => this.game.flip(),
      j: () => this.results.move(1), k: () => this.results.move(-1), ArrowDown: () => this.results.move(1), ArrowUp: () => this.results.move(-1),
      "/": () => this.results.focusFilter(), "?": () => helpDialog(), e: () => this.edit(),
      l: () => this.like(this.game.fen), "1": () => this.showWay("mask"), "2": () => this.showWay("position"), "3": () => this.showWay("query"),
    };
    const isInPage = target.closest(".page, .moves, .chart, .below, .way-panel, .menu, dialog") !== null && event.key.startsWith("Arrow") && /Up|Down/.test(event.key);
    const action = actions[event.key];
    if (action && !isInPage) act(action);
  }

  /** Goes to the next part of the page. */
  private nextArea(by: number): void {
    const areas = [this.root.querySelector<HTMLElement>(".top")!, ...this.root.querySelectorAll<HTMLElement>(".part")].filter((area) => area.offsetParent !== null);
    const place = areas.findIndex((area) => area.contains(document.activeElement));
    const main = [".board-frame", ".list", '[aria-selected="true"][role="tab"]', "summary", "button:enabled", "input"];
    const controlOf = (area: HTMLElement) => main.flatMap((selector) => [...area.querySelectorAll<HTMLElement>(selector)]).find((element) => element.offsetParent !== null);
    const order = areas.map((_, i) => areas[(place + by * (i + 1) + 2 * areas.length) % areas.length]);
    order.map(controlOf).find((control) => control !== undefined)?.focus();
  }
}

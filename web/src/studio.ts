// The page: its parts, and the events between them.

import { PACE, type Backend, type Checked, type Fault, type GameFault, type Heading, type Place, type Progress, type Query, type Row, type SearchEnd, type Sentence } from "./backend";
import { Book, meaning } from "./book";
import { Draw } from "./draw";
import { copyText, count, counted, dialog, h, icon, iconButton, message, replace, s, say, toast } from "./dom";
import { EditorPlace } from "./editor-place";
import { archiveDialog, exportDialog, funnelDialog, helpDialog, statsDialog } from "./dialogs";
import { GameView } from "./game";
import { Library } from "./library";
import { Results } from "./results";
import { capital, fixName } from "./words";
import { Workspace, linkTo, linked, newId, type Linked } from "./workspace";

type Part = "query" | "games" | "game";
type Side = "problems" | "meaning" | "cookbook" | "manual" | "draw" | "history";

/** Milliseconds after which a search has a button to stop it. */
const SHORT = 250;

/** Milliseconds after which a search is long: a game is opened, or the rest of the page is built, while it
 * runs. */
const LONG = 1000;

export class Studio {
  private readonly workspace: Workspace;
  private readonly library: Library;
  private readonly results: Results;
  private readonly game: GameView;
  private readonly book: Book;
  private readonly draw: Draw;
  private readonly editor: EditorPlace;
  private readonly root: HTMLElement;
  private readonly tabs = h("div", { class: "tabs", role: "group", "aria-label": "queries" });
  private readonly strip = h("div", { class: "strip", role: "status" });
  private readonly status = h("div", { class: "status", role: "status" });
  private readonly progress = h("div", { class: "progress", role: "progressbar", "aria-label": "search", "aria-valuemin": 0, "aria-valuemax": 100 }, h("i"));
  private readonly searchButton = h("button", { type: "button", class: "main search", title: "Search (Ctrl+Enter)", onclick: () => (this.running ? this.stop() : void this.search()) });
  private readonly sidePanel = h("div", { class: "side-panel" });
  private readonly sideTabs = h("div", { class: "side-tabs", role: "tablist", "aria-label": "panels of the query" });
  private readonly themeButton = h("button", { type: "button", class: "quiet", onclick: () => this.nextTheme() });
  private readonly valueList = h("div", { class: "values" });
  private side: Side = "cookbook";
  private faults: Fault[] = [];
  private signature: HTMLElement | null = null;
  private running: AbortController | null = null;
  private searched: Query = { query: "", values: [] };
  private searchedIn: number[] = [];
  private gameFaults: GameFault[] = [];
  private said = "";
  private ended: SearchEnd | null = null;

  /** `name` is the title of the page. */
  constructor(private readonly backend: Backend, private readonly name: string) {
    this.workspace = new Workspace(backend, () => this.showTabs());
    this.library = new Library(backend, {
      changed: () => this.workspace.changed(),
      isOff: (name) => this.workspace.settings.off.includes(name),
      turn: (name, isOff) => {
        const off = this.workspace.settings.off.filter((other) => other !== name);
        this.workspace.settings.off = isOff ? [...off, name] : off;
        this.workspace.changed();
      },
      stats: (collection) => statsDialog(this.backend, collection),
      archive: (collection) => archiveDialog(this.backend, collection, async () => this.library.set((await this.backend.state()).collections)),
      added: () => this.showStatus(),
    });
    this.results = new Results((row) => this.openGame(row), () => void this.search({ ...this.searched, openings: true }));
    this.game = new GameView(backend, {
      light: (place) => this.lightCondition(place),
      flipped: (flipped) => {
        this.workspace.settings.flipped = flipped;
        this.workspace.changed();
      },
      toQuery: (fen) => {
        this.showSide("draw");
        this.showPart("query");
        this.draw.take(fen);
      },
    });
    this.book = new Book(backend, { take: (text, name) => this.newTab(name, text, true) });
    this.draw = new Draw((text, name) => this.newTab(name, text, true));
    this.editor = new EditorPlace(backend, {
      changed: (text) => {
        this.workspace.doc.text = text;
        this.workspace.changed();
      },
      checked: (checked) => this.showChecked(checked),
      designator: (text) => this.game.lightDesignator(text),
      signature: (label) => {
        this.signature = label;
        this.showStrip();
      },
      search: () => void this.search(),
      pasted: (text) => this.pasteLink(text),
    });
    this.root = this.layout();
    document.addEventListener("keydown", (event) => this.key(event));
    this.library.dropOn(document.body);
  }

  private layout(): HTMLElement {
    const header = h("header", { class: "top" },
      h("a", { class: "brand", href: "#", onclick: (event: Event) => event.preventDefault(), "aria-hidden": "true", tabindex: -1 },
        s("svg", { viewBox: "0 0 40 40", "aria-hidden": "true" }, s("rect", { width: 40, height: 40, rx: 9 }), s("use", { href: "#n", class: "knight" })), "cql ", h("b", {}, this.name)),
      h("h1", { class: "unseen" }, `cql ${this.name}`),
      this.library.element,
      h("span", { class: "grow" }),
      iconButton("link", "Copy a link to the query", () => void this.copyLink()),
      iconButton("download", "Export the matches (Ctrl+S)", () => this.export()),
      this.themeButton,
      iconButton("help", "Keys and hints (?)", () => helpDialog()));
    const addValue = h("button", { type: "button", class: "quiet small", title: "Show the value of an expression for each game", onclick: () => this.addValue() }, icon("plus"), "Column");
    const query = h("section", { class: "part query", "aria-label": "query" },
      h("div", { class: "tab-bar" }, this.tabs, iconButton("plus", "New query", () => this.newTab("Query", "cql()\n", false))),
      this.editor.element,
      this.strip,
      h("div", { class: "row actions" }, this.searchButton,
        iconButton("tidy", "Format (Shift+Alt+F)", () => void this.editor.format()),
        iconButton("edit", "Edits and rewrites (Ctrl+.)", () => void this.editor.actions()),
        h("span", { class: "grow" }), this.valueList, addValue),
      h("div", { class: "side" }, this.sideTabs, this.sidePanel));
    const games = h("section", { class: "part games", "aria-label": "games" }, this.progress, this.status, this.results.element);
    const game = h("section", { class: "part one-game", "aria-label": "game" }, this.game.element);
    const parts: [Part, string, string][] = [["query", "Query", "edit"], ["games", "Games", "games"], ["game", "Board", "board"]];
    const bar = h("nav", { class: "part-bar", "aria-label": "parts of the page" }, ...parts.map(([part, words, name]) =>
      h("button", { type: "button", "data-part": part, onclick: () => this.showPart(part) }, icon(name), words)));
    return h("div", { class: "studio", "data-part": "query" }, header, h("main", {}, query, games, game), bar);
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
    const { collections, book } = known ?? (await this.backend.state());
    this.library.set(collections);
    this.book.contents = book;
    if (!isRun) {
      this.showStatus();
      this.results.finish(this.firstHint());
    }
    this.showSide("cookbook");
  }

  private openLink(link: Linked): void {
    if (link.values) this.workspace.settings.values = link.values;
    this.newTab(link.name, link.query, false);
  }

  /** Opens a pasted link, whatever its host and port: those of another studio differ. */
  private pasteLink(text: string): boolean {
    const found = /^\s*https?:\S+?(#q=[\w-]+)\s*$/.exec(text);
    if (!found) return false;
    void linked(found[1]).then((link) => {
      if (!link) return;
      this.openLink(link);
      this.showValues();
    });
    return true;
  }

  private firstHint(): Node {
    return h("div", {},
      s("svg", { class: "big", viewBox: "0 0 40 40", "aria-hidden": "true" }, s("use", { href: "#k", class: "ghost" })),
      h("p", {}, this.library.isEmpty ? "Drop files of games anywhere on this page, or start `cql studio` with their names." : "Matching games appear here as they are found."),
      this.library.isEmpty && this.library.chooseButton());
  }

  // Tabs.

  private showTabs(): void {
    const { docs } = this.workspace.settings;
    const tab = (id: string, name: string) => {
      const isCurrent = id === this.workspace.settings.current;
      return h("div", { class: "tab" },
        h("button", {
          type: "button", class: "name", id: `tab-${id}`, "aria-current": isCurrent ? "true" : null, title: "Double-click to rename",
          onclick: () => this.openTab(id), ondblclick: () => this.renameTab(id),
          onkeydown: (event: KeyboardEvent) => this.tabKey(event, id),
        }, name),
        docs.length > 1 && h("button", { type: "button", class: "quiet close", title: `Close ${name}`, "aria-label": `Close ${name}`, onclick: () => this.closeTab(id) }, icon("close")));
    };
    replace(this.tabs, ...docs.map((doc) => tab(doc.id, doc.name)));
    // Scrolling now would force a layout.
    requestAnimationFrame(() => this.tabs.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }));
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
  }

  private newTab(name: string, text: string, search: boolean): void {
    const { docs } = this.workspace.settings;
    let unique = name;
    for (let n = 2; docs.some((doc) => doc.name === unique && doc.text !== text); n++) unique = `${name} ${n}`;
    let doc = docs.find((doc) => doc.name === unique && doc.text === text);
    if (!doc) docs.push((doc = { id: newId(), name: unique, text }));
    this.openTab(doc.id);
    if (search) void this.search();
    else this.editor.focus();
  }

  private renameTab(id: string): void {
    const doc = this.workspace.settings.docs.find((doc) => doc.id === id);
    if (!doc) return;
    const input = h("input", { value: doc.name, "aria-label": "name of the query", maxlength: 60 });
    const form = h("form", { method: "dialog", class: "row" }, input, h("button", { class: "main" }, "Rename"));
    const box = dialog("Name of the query", form);
    input.select();
    form.addEventListener("submit", () => {
      doc.name = input.value.trim() || doc.name;
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
      undo.parentElement?.remove();
    } }, icon("undo"), "Undo");
    if (settings.current === id) this.openTab(settings.docs[Math.min(place, settings.docs.length - 1)].id);
    else this.showTabs();
    this.workspace.changed();
    if (closed.text.trim().length > 10) {
      toast(`${closed.name} closed `);
      document.querySelector(".toasts")?.lastElementChild?.append(undo);
    }
  }

  // Diagnostics of the query.

  private showChecked(checked: Checked): void {
    this.faults = checked.diagnostics;
    this.showStrip();
    if (this.side === "problems" || this.side === "meaning") this.showSide(this.side);
    this.showSideTabs();
  }

  private showStrip(): void {
    const [first] = this.faults;
    this.strip.className = `strip ${first?.severity ?? ""}`;
    if (this.signature) return replace(this.strip, this.signature);
    if (!first) return replace(this.strip, h("span", { class: "fine" }, this.editor.text.trim() ? "No mistakes" : ""));
    const { edit } = first;
    replace(this.strip,
      h("button", { type: "button", class: "link message", title: "Show in the query", onclick: () => this.editor.select(first) },
        message(capital(first.message)), first.help && h("small", {}, " — ", message(first.help))),
      edit && h("button", { type: "button", class: "fix", onclick: () => this.editor.apply(edit) }, fixName(edit)),
      this.faults.length > 1 && h("button", { type: "button", class: "link", onclick: () => this.showSide("problems") }, `${this.faults.length - 1} more`));
  }

  private showSideTabs(): void {
    const tabs: [Side, string][] = [["cookbook", "Cookbook"], ["manual", "Manual"], ["meaning", "Meaning"], ["draw", "Draw"], ["history", "History"]];
    if (this.faults.length > 0 || this.side === "problems") tabs.unshift(["problems", `Problems ${this.faults.length || ""}`]);
    replace(this.sideTabs, ...tabs.map(([side, words]) =>
      h("button", {
        type: "button", role: "tab", "aria-selected": String(side === this.side), tabindex: side === this.side ? 0 : -1, onclick: () => this.showSide(side),
        onkeydown: (event: KeyboardEvent) => {
          const by = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
          if (by === 0) return;
          event.preventDefault();
          event.stopPropagation();
          const place = tabs.findIndex(([other]) => other === side);
          this.showSide(tabs[(place + by + tabs.length) % tabs.length][0]);
          this.sideTabs.querySelector<HTMLElement>('[aria-selected="true"]')?.focus();
        },
      }, words)));
  }

  /** Goes to the field that finds ideas. */
  private find(): void {
    this.showPart("query");
    if (this.side !== "manual") this.showSide("cookbook");
    this.book.find();
  }

  private showSide(side: Side): void {
    const isNew = side !== this.side || this.sidePanel.childElementCount === 0;
    this.side = side;
    this.sidePanel.closest<HTMLElement>(".query")!.dataset.side = side;
    this.showSideTabs();
    if (side === "cookbook" || side === "manual") {
      if (!isNew) return;
      this.book.show(side);
      replace(this.sidePanel, this.book.element);
    } else if (side === "draw") replace(this.sidePanel, this.draw.element);
    else if (side === "meaning") void this.showMeaning();
    else if (side === "problems") {
      replace(this.sidePanel, h("ul", { class: "problems" }, ...this.faults.map((fault) => {
        const { edit } = fault;
        return h("li", { class: fault.severity },
          h("button", { type: "button", class: "link", onclick: () => this.editor.select(fault) }, h("code", {}, fault.code), " ", message(capital(fault.message)), fault.help && h("small", {}, message(fault.help))),
          edit && h("button", { type: "button", class: "fix", onclick: () => this.editor.apply(edit) }, fixName(edit)));
      }), this.faults.length === 0 && h("li", { class: "told" }, "The query has no problems.")));
    } else this.showHistory();
  }

  private async showMeaning(): Promise<void> {
    const text = this.editor.text;
    const explained = text.trim() ? await this.backend.ask<{ header: string[]; filters: Sentence[] } | null>("explain", text) : null;
    if (this.side !== "meaning" || text !== this.editor.text) return;
    replace(this.sidePanel, meaning(explained, (place) => this.editor.light(place), (place) => this.editor.select(place)));
  }

  private showHistory(): void {
    const { history } = this.workspace.settings;
    replace(this.sidePanel, h("ul", { class: "history" }, ...history.map((past) => h("li", {},
      h("button", { type: "button", class: "link", onclick: () => this.newTab("From the history", past.query, false) },
        h("code", {}, past.query.replace(/\/\/.*/g, "").replace(/\s+/g, " ").trim().slice(0, 140) || "all games"),
        h("small", {}, `${counted(past.matches, "match").replace(/matchs$/, "matches")} of ${count(past.games)} · ${new Date(past.when).toLocaleString()}`)))),
      history.length === 0 && h("li", { class: "told" }, "Your searches appear here.")));
  }

  // Columns.

  private showValues(): void {
    const { values } = this.workspace.settings;
    replace(this.valueList, ...values.map((value) => h("button", { type: "button", class: "chip", title: "Remove this column", onclick: () => {
      this.workspace.settings.values = values.filter((other) => other !== value);
      this.workspace.changed();
      this.showValues();
    } }, value, " ×")));
  }

  private addValue(): void {
    const input = h("input", { "aria-label": "expression", placeholder: "power A - power a", spellcheck: "false" });
    const form = h("form", { method: "dialog", class: "row" }, input, h("button", { class: "main" }, "Add"));
    const examples = ["power A - power a", "#[Aa]", "movenumber", "elo white", "year"];
    const box = dialog("Add a column with the value of an expression",
      h("p", {}, "Any CQL expression, evaluated at the first matching position. You can sort and count the list by it."),
      form, h("div", { class: "chips" }, ...examples.map((example) => h("button", { type: "button", class: "chip", onclick: () => (input.value = example) }, example))));
    form.addEventListener("submit", () => {
      const value = input.value.trim();
      const { values } = this.workspace.settings;
      if (value && !values.includes(value)) values.push(value);
      this.workspace.changed();
      this.showValues();
      box.close();
    });
  }

  // Searches.

  private query(): Query {
    return { query: this.editor.text, values: this.workspace.settings.values, openings: this.results.wantsOpenings };
  }

  /** Searches with the query in the editor if it has no errors, or with a known query, unchecked. */
  private async search(known?: Query): Promise<void> {
    this.status.dataset.state = "busy";
    const collections = this.library.chosen;
    if (collections.length === 0) {
      this.status.dataset.state = "refused";
      return toast(this.library.isEmpty ? "There are no games: drop a file on the page" : "No games are selected: select some at the top", "error");
    }
    if (!known) await this.editor.settle();
    const errors = this.faults.filter((fault) => fault.severity === "error");
    if (!known && errors.length > 0 && this.editor.text.trim()) {
      this.status.dataset.state = "refused";
      this.editor.select(errors[0]);
      return toast(`Not searched: ${errors[0].message}`, "error");
    }
    this.stop();
    const controller = new AbortController();
    this.running = controller;
    this.searched = known ?? this.query();
    this.searchedIn = collections;
    this.gameFaults = [];
    this.said = "";
    this.ended = null;
    const began = performance.now();
    let last: Progress = { bytes: 0, size: 0, games: 0, matches: 0 };
    const isCurrent = () => this.running === controller;
    const inputs: string[] = [];
    let told: Heading | null = null;
    // The previous results stay visible until there are new ones, or the search takes longer than `PACE`.
    let isShown = false;
    const show = () => {
      if (isShown) return;
      isShown = true;
      this.results.clear(this.searched.openings ?? false, inputs);
      if (told) this.results.start(told);
    };
    const showProgress = () => {
      if (!isCurrent()) return;
      show();
      this.tellProgress(last);
    };
    setTimeout(() => isShown || showProgress(), PACE);
    // A sorted list changes its order at the end, so its first game is not opened early.
    const openFirst = () => isShown && isCurrent() && !this.results.isSorted && this.openFirst();
    setTimeout(openFirst, LONG);
    let message: string | null = null;
    try {
      const searching = this.backend.search(this.searched, collections, {
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
        progress: (progress) => {
          last = progress;
          showProgress();
        },
        fault: (fault) => this.gameFaults.push(fault),
        said: (text) => (this.said += text),
      }, controller.signal);
      this.showSearchButton();
      this.showPart("games");
      this.ended = await searching;
    } catch (error) {
      if (!controller.signal.aborted) message = (error as Error).message;
    }
    if (!isCurrent()) return;
    show();
    this.running = null;
    this.showSearchButton();
    this.progress.classList.remove("on");
    if (controller.signal.aborted) {
      this.ended = { games: last.games, matches: this.results.length, positions: 0, rows: this.results.length, faults: this.gameFaults.length, leftOut: 0, seconds: (performance.now() - began) / 1000, stopped: true };
    }
    this.finish(message);
  }

  /** Shows the end of a search, which may have failed. */
  private finish(failure: string | null): void {
    const end = this.ended;
    this.status.dataset.state = "done";
    if (failure !== null) {
      replace(this.status, h("span", { class: "error", role: "alert" }, failure));
      return this.results.finish(h("p", {}, "The search failed."));
    }
    if (end) {
      const { history } = this.workspace.settings;
      const past = { query: this.searched.query, when: Date.now(), matches: end.matches, games: end.games };
      this.workspace.settings.history = [past, ...history.filter((other) => other.query !== past.query)].slice(0, 60);
      this.workspace.changed();
      if (this.side === "history") this.showHistory();
      say(`${count(end.matches)} of ${counted(end.games, "game")} match`);
    }
    this.showStatus();
    // `leftOut` also counts files that cannot be read, which are no games.
    const ofGames = this.gameFaults.filter((fault) => fault.game);
    const leftOut = end && end.leftOut - (this.gameFaults.length - ofGames.length);
    const failed = end && !end.stopped && end.games > 0 && leftOut! >= end.games ? ofGames.find((fault) => !fault.searched) : undefined;
    if (failed) return this.results.finish(h("p", { role: "alert" }, "No game could be searched: ", message(failed.message)));
    const none = end?.stopped ? h("p", {}, "Stopped before a game matched.") : h("p", {}, "No game matches.");
    this.results.finish(h("div", {}, none, !end?.stopped && this.searched.query.trim() && h("button", { type: "button", onclick: () => this.funnel() }, "Why? Count matches by condition")));
    this.openFirst();
  }

  /** Opens the first game if the page is wide and no game is selected. */
  private openFirst(): void {
    if (this.isWide && !this.results.hasSelection) this.results.select(0);
  }

  private stop(): void {
    this.running?.abort();
  }

  private tellProgress(progress: Progress): void {
    this.progress.classList.add("on");
    this.status.dataset.state = "busy";
    const share = progress.size > 0 ? Math.min(1, progress.bytes / progress.size) : 0;
    (this.progress.firstElementChild as HTMLElement).style.transform = `scaleX(${share.toFixed(3)})`;
    this.progress.setAttribute("aria-valuenow", String(Math.round(share * 100)));
    // The counts mean nothing before the first games have been searched.
    if (progress.games === 0) return replace(this.status, h("span", {}, "Searching…"));
    replace(this.status, h("span", {}, h("b", {}, count(progress.matches)), ` of ${counted(progress.games, "game")} so far…`));
  }

  private showStatus(): void {
    const end = this.ended;
    if (!end) return replace(this.status, this.library.isEmpty ? "No games yet" : "Ready");
    const faults = this.gameFaults.length;
    replace(this.status,
      h("span", {}, h("b", {}, count(end.matches)), ` of ${counted(end.games, "game")}`, end.positions > end.matches && `, ${count(end.positions)} positions`,
        end.stopped ? ", stopped" : "", h("small", {}, ` ${end.seconds < 0.095 ? end.seconds.toFixed(2) : end.seconds.toFixed(1)} s`)),
      end.rows < end.matches && h("small", {}, `only the first ${count(end.rows)} are listed; an export has all`),
      h("span", { class: "grow" }),
      this.said && h("button", { type: "button", class: "link", onclick: () => dialog("Messages of the query", h("pre", {}, this.said)) }, "messages"),
      faults > 0 && h("button", { type: "button", class: "link", onclick: () => this.showFaults(end) }, `${count(end.faults)} ${end.faults === 1 ? "note" : "notes"} on games`),
      this.searched.query.trim() && h("button", { type: "button", class: "link", title: "Number of games that remain after each condition", onclick: () => this.funnel() }, "funnel"));
  }

  private showFaults(end: SearchEnd): void {
    dialog("Notes on games", h("ul", { class: "faults" }, ...this.gameFaults.map((fault) => {
      const place = fault.game ? `game ${count(fault.game)}${fault.line ? `, line ${count(fault.line)}` : ""}: ` : `${fault.input}: `;
      return h("li", {}, h("b", {}, place), fault.message, fault.game && !fault.searched ? " (left out)" : "");
    })), end.faults > this.gameFaults.length && h("p", { class: "told" }, `and ${count(end.faults - this.gameFaults.length)} more`));
  }

  private funnel(): void {
    funnelDialog(this.backend, this.searched, this.searchedIn, (place) => this.editor.text === this.searched.query && this.editor.select(place));
  }

  /** Whether the page is wide enough to show all parts at once. */
  private get isWide(): boolean {
    return window.matchMedia("(min-width: 64.01rem)").matches;
  }

  private openGame(row: Row): void {
    const [number, inInput, offset] = row.cells;
    const input = this.results.inputs[row.input] ?? "";
    void this.game.open(this.searched, { collections: this.searchedIn, input, number, in_input: inInput, offset });
    if (!this.isWide) this.showPart("game");
  }

  private lightCondition(place: Place | null): void {
    if (this.editor.text === this.searched.query) this.editor.light(place);
  }

  private showSearchButton(): void {
    const isRunning = this.running !== null;
    const show = () => {
      if (isRunning !== (this.running !== null)) return;
      replace(this.searchButton, icon(isRunning ? "stop" : "play"), isRunning ? "Stop" : "Search");
      this.searchButton.classList.toggle("running", isRunning);
    };
    // A short search needs no button to stop it.
    if (isRunning) setTimeout(show, SHORT);
    else show();
  }

  // The rest.

  private export(): void {
    const collections = this.library.chosen;
    if (collections.length === 0) return toast("There are no games to export", "error");
    exportDialog(this.backend, this.query(), collections, this.workspace.doc.name);
  }

  private async copyLink(): Promise<void> {
    const { doc, settings } = this.workspace;
    await copyText(await linkTo({ query: doc.text, name: doc.name, values: settings.values }), "link");
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
    this.themeButton.setAttribute("aria-label", words);
    replace(this.themeButton, icon({ auto: "auto", light: "sun", dark: "moon" }[theme]));
  }

  private showPart(part: Part): void {
    this.root.dataset.part = part;
    for (const button of this.root.querySelectorAll<HTMLElement>(".part-bar button")) {
      if (button.dataset.part === part) button.setAttribute("aria-current", "page");
      else button.removeAttribute("aria-current");
    }
  }

  private key(event: KeyboardEvent): void {
    const target = event.target as HTMLElement;
    const isWriting = target.closest("input, textarea, select, .cm-editor") !== null;
    if (document.querySelector("dialog[open]")) return;
    const isCommand = event.ctrlKey || event.metaKey;
    const act = (work: () => void) => {
      event.preventDefault();
      work();
    };
    if (isCommand && event.key === "Enter") return act(() => void this.search());
    if (isCommand && event.key === "k" && !event.defaultPrevented) return act(() => this.find());
    if (isCommand && event.key === "s") return act(() => this.export());
    if (event.key === "Escape" && this.running) return act(() => this.stop());
    if (isWriting || isCommand || event.altKey) return;
    const actions: Record<string, () => void> = {
      ArrowLeft: () => this.game.step(-1), ArrowRight: () => this.game.step(1), Home: () => this.game.show(0), End: () => this.game.end(),
      n: () => this.game.nextMatch(1), p: () => this.game.nextMatch(-1), f: () => this.game.flip(),
      j: () => this.results.move(1), k: () => this.results.move(-1), ArrowDown: () => this.results.move(1), ArrowUp: () => this.results.move(-1),
      "/": () => this.results.focusFilter(), "?": () => helpDialog(), e: () => this.editor.focus(),
    };
    const isInPage = target.closest(".page, .moves, .chart, dialog") !== null && event.key.startsWith("Arrow") && /Up|Down/.test(event.key);
    const action = actions[event.key];
    if (action && !isInPage) act(action);
  }
}

"use strict";
// Every position of a game is stored as the squares that differ from the position before its move
// ("e2.e4P": e2 is empty, a white pawn on e4), with the rest of its FEN if that is not as expected.
// Nothing here knows the rules of chess.

const SVG = "http://www.w3.org/2000/svg";
const games = [...document.querySelectorAll(".game")];
const views = new Map();
let active = null;

/** Returns the coordinates of a square; without `flipped` as White sees the board. */
function place(square, flipped) {
  const file = square.charCodeAt(0) - 97;
  const rank = square.charCodeAt(1) - 49;
  return flipped ? [(7 - file) * 40, rank * 40] : [file * 40, (7 - rank) * 40];
}

/** Parses "e2.e4P" as [["e2", "."], ["e4", "P"]]. */
function changes(text) {
  const list = [];
  for (let i = 0; i + 2 < text.length; i += 3) list.push([text.slice(i, i + 2), text[i + 2]]);
  return list;
}

function draw(name, attributes, parent) {
  const element = document.createElementNS(SVG, name);
  for (const key in attributes) element.setAttribute(key, attributes[key]);
  parent.append(element);
  return element;
}

/** Inserts the parts of a game that are in `noscript` elements into the page. */
function fill(game) {
  for (const held of game.querySelectorAll("noscript")) {
    const content = document.createElement("template");
    content.innerHTML = held.textContent;
    held.replaceWith(content.content);
  }
}

/** Returns the part of the FEN after the board that most moves lead to, given that before the move. */
function expectedState(before) {
  const [turn, castling, , halfmoves, number] = before.split(" ");
  const isWhite = turn === "w";
  return `${isWhite ? "b" : "w"} ${castling} - ${+halfmoves + 1} ${isWhite ? number : +number + 1}`;
}

/** A game whose board can be stepped through. */
class View {
  constructor(game) {
    fill(game);
    this.game = game;
    this.board = game.querySelector(".board");
    this.caption = game.querySelector("figcaption");
    this.moves = [...game.querySelectorAll(".moves [data-d]")];
    this.parent = this.moves.map((move, i) => ("p" in move.dataset ? +move.dataset.p : i - 1));
    this.next = [];
    for (let i = this.moves.length - 1; i > 0; i--) this.next[this.parent[i]] = i;
    this.matches = this.moves.flatMap((move, i) => (move.localName === "mark" ? [i] : []));
    this.flipped = false;
    game.querySelector("figure").append(document.getElementById("controls").content.cloneNode(true));
    const next = game.querySelector('[data-do="match"]');
    if (this.matches.length === 0) next.hidden = true;
    next.textContent = this.matches.length === 1 ? "Show the match" : "Next match";
    this.caption.setAttribute("aria-live", "polite");
    game.classList.add("open");
    this.at = +this.board.dataset.at;
  }

  /** The moves from the start of the game to this one. */
  line(at) {
    const line = [];
    for (let i = at; i >= 0; i = this.parent[i]) line.push(i);
    return line.reverse();
  }

  /** The pieces by their squares after a move. */
  position(at) {
    const pieces = new Map();
    for (const i of this.line(at)) {
      for (const [square, piece] of changes(this.moves[i].dataset.d)) {
        if (piece === ".") pieces.delete(square);
        else pieces.set(square, piece);
      }
    }
    return pieces;
  }

  /** The position on the board in Forsyth-Edwards Notation. */
  fen() {
    const pieces = this.position(this.at);
    const rank = (number) =>
      [..."abcdefgh"].map((file) => pieces.get(file + number) ?? ".").join("").replace(/\.+/g, (empty) => empty.length);
    let state = "";
    for (const i of this.line(this.at)) state = this.moves[i].dataset.f ?? expectedState(state);
    return `${[8, 7, 6, 5, 4, 3, 2, 1].map(rank).join("/")} ${state}`;
  }

  show(at) {
    this.at = at;
    const move = this.moves[at];
    for (const old of this.game.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    move.setAttribute("aria-current", "true");
    const list = move.closest(".moves");
    const [top, bottom] = [move.offsetTop, move.offsetTop + move.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top - 40;
    else if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight + 40;

    this.board.replaceChildren();
    draw("use", { href: "#board" }, this.board);
    if (at > 0) {
      for (const [square] of changes(move.dataset.d)) {
        const [x, y] = place(square, this.flipped);
        draw("rect", { class: "mark", x, y, width: 40, height: 40 }, this.board);
      }
    }
    draw("use", { class: "names", href: this.flipped ? "#names-b" : "#names-w" }, this.board);
    for (const [square, piece] of this.position(at)) {
      const [x, y] = place(square, this.flipped);
      const lower = piece.toLowerCase();
      draw("use", { href: "#" + lower, class: piece === lower ? "b" : "w", x, y }, this.board);
    }
    const name = at > 0 ? "after " + (move.dataset.m ?? move.textContent) : "at the start";
    const text = name + (move.localName === "mark" ? " (match)" : "");
    this.caption.textContent = text;
    this.board.setAttribute("aria-label", "position " + text);
    const rules = this.game.dataset.variant ?? "standard";
    const analysis = this.game.querySelector(".analysis");
    analysis.hidden = rules === "";
    analysis.href = `https://lichess.org/analysis/${rules}/${encodeURI(this.fen().replaceAll(" ", "_"))}`;
  }

  copy(what) {
    const text = what === "copy-fen" ? this.fen() : this.game.querySelector(".pgn pre").textContent;
    const said = this.game.querySelector(".said");
    toClipboard(text).then(
      () => { said.textContent = what === "copy-fen" ? "FEN copied" : "PGN copied"; },
      () => { said.textContent = "The browser does not let this page copy."; },
    );
    setTimeout(() => { said.textContent = ""; }, 2500);
  }

  match(step) {
    if (this.matches.length === 0) return;
    const later = step > 0 ? this.matches.find((i) => i > this.at) : this.matches.findLast((i) => i < this.at);
    this.show(later ?? this.matches.at(step > 0 ? 0 : -1));
  }

  act(what) {
    switch (what) {
      case "first": return this.show(0);
      case "back": return this.show(Math.max(this.parent[this.at], 0));
      case "forward": return this.show(this.next[this.at] ?? this.at);
      case "last": {
        let at = this.at;
        while (this.next[at] !== undefined) at = this.next[at];
        return this.show(at);
      }
      case "match": return this.match(1);
      case "match-before": return this.match(-1);
      case "flip":
        this.flipped = !this.flipped;
        return this.show(this.at);
      case "copy-fen":
      case "copy-pgn":
        return this.copy(what);
    }
  }
}

/** Copies a text. Some browsers have no clipboard for pages opened from a disk, but can still copy. */
async function toClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    if (!copied) throw new Error("not copied");
  }
}

/** Makes a game the active one, to which keys apply. */
function open(game) {
  let view = views.get(game);
  if (!view) {
    view = new View(game);
    views.set(game, view);
    view.show(view.at);
  }
  active?.game.classList.remove("active");
  game.classList.add("active");
  active = view;
  // the address of the page shall lead to the game
  history.replaceState(null, "", "#" + game.id);
  return view;
}

/** Opens the game that the address of the page names. */
function openAddressed() {
  const game = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!game?.matches(".game")) return;
  open(game);
  game.scrollIntoView({ block: "start" });
}

document.addEventListener("click", (event) => {
  const game = event.target.closest(".game");
  if (!game) return;
  const move = event.target.closest(".moves [data-d]");
  const button = event.target.closest("[data-do]");
  if (move) {
    const view = open(game);
    view.show(view.moves.indexOf(move));
  } else if (button) {
    open(game).act(button.dataset.do);
  } else if (event.target.closest(".play")) {
    open(game);
    game.querySelector('[data-do="forward"]').focus({ preventScroll: true });
    game.scrollIntoView({ block: "nearest" });
  } else if (event.target.closest(".board")) {
    const view = open(game);
    const board = event.target.closest(".board");
    if (board !== view.board) view.show(+board.dataset.at);
  }
});

const KEYS = {
  ArrowLeft: "back", ArrowRight: "forward", Home: "first", End: "last",
  n: "match", p: "match-before", f: "flip", c: "copy-fen",
};

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input") || event.altKey || event.ctrlKey || event.metaKey) return;
  const step = { j: 1, k: -1 }[event.key];
  if (step) {
    const shown = games.filter((game) => !game.hidden);
    const at = active ? shown.indexOf(active.game) : -1;
    const game = shown[active ? at + step : 0];
    if (!game) return;
    open(game);
    game.scrollIntoView({ block: "nearest" });
  } else if (KEYS[event.key] && active) {
    active.act(KEYS[event.key]);
  } else {
    return;
  }
  event.preventDefault();
});

const filter = document.getElementById("filter");
const shown = document.getElementById("shown");
const texts = new Map();
const CHARACTERS = { "&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'" };

/** Returns the text in which the filter searches: everything shown of a game except its moves. */
function textOf(game) {
  if (!texts.has(game)) {
    const parts = [...game.querySelectorAll("h2, .about, dl, .comment, .note")].map((part) => part.textContent);
    for (const held of game.querySelectorAll("noscript")) {
      for (const [, text] of held.textContent.matchAll(/<span class="(?:comment|note)">([^<]*)/g)) {
        parts.push(text.replace(/&(?:amp|lt|gt|quot|#39);/g, (name) => CHARACTERS[name]));
      }
    }
    texts.set(game, parts.join(" ").toLowerCase());
  }
  return texts.get(game);
}

function applyFilter() {
  const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
  let n = 0;
  for (const game of games) {
    game.hidden = !words.every((word) => textOf(game).includes(word));
    n += !game.hidden;
  }
  shown.textContent = words.length ? `${n} of ${games.length} games` : "";
}

let waiting = 0;
filter.addEventListener("input", () => {
  clearTimeout(waiting);
  waiting = setTimeout(applyFilter, games.length > 500 ? 150 : 0);
});
filter.form.addEventListener("submit", (event) => event.preventDefault());
document.documentElement.classList.add("js");

// A browser takes seconds to lay out thousands of games, so each is filled in when it comes near the
// window. A few games are all filled in at once, so that the browser's own search finds their text.
const AT_ONCE = 200;
if (games.length <= AT_ONCE) {
  games.forEach(fill);
} else {
  const near = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      near.unobserve(entry.target);
      fill(entry.target);
    }
  }, { rootMargin: "1500px 0px" });
  for (const game of games) near.observe(game);
}
addEventListener("beforeprint", () => games.forEach(fill));
addEventListener("hashchange", openAddressed);
openAddressed();

// Wording of diagnostics.

import type { Edit } from "./backend";

/** Names a quick fix by its effect. */
export function fixName(edit: Edit[]): string {
  const [first] = edit;
  if (first.insert === "") return "Remove it";
  return first.insert.length <= 24 && !first.insert.includes("\n") ? `Write ${first.insert.trim()}` : "Fix it";
}

/** Returns a text after edits. */
export function edited(text: string, edits: Edit[]): string {
  const fromEnd = [...edits].sort((a, b) => b.from - a.from);
  return fromEnd.reduce((text, { from, to, insert }) => text.slice(0, from) + insert + text.slice(to), text);
}

/** What messages for a terminal say, and what they say on the page: its parts that do the same. */
const HERE: [RegExp, string][] = [
  [/build it again with `cql index`/g, "its button in the menu of games builds it again"],
  [/; if it does hold games, use `--input-format pgn`/g, ""],
  [/keep the themes again with --themes, or remove them with [^;,:]*/g, "“Store the themes”, when the archive is updated from the menu of games, decides again"],
  [/`-dialect cql5` runs it, `cql migrate` translates it/g, "`cql migrate`, in a terminal, translates it"],
  [/say so with -dialect cql6/g, "`cql -dialect cql6`, in a terminal, reads it so"],
  [/`-dialect cql6` reads/g, "`cql -dialect cql6`, in a terminal, reads"],
  [/`cql help a library of themes` lists all of them/g, "the cookbook lists all of them"],
  [/ \(`cql cookbook [^`]*`\)/g, ""],
  [/`cql like` searches for the most similar ones/g, "“Like this”, below a board, searches for the most similar ones"],
  [/ \(`cql migrate` shows why\)/g, ""],
];

/** Returns a message with the parts of the page in place of commands and options. */
export function here(text: string): string {
  return HERE.reduce((text, [words, button]) => text.replace(words, button), text);
}

export function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Letters that run from right to left, and marks that turn what follows. */
const TURNING = /[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Returns a name as it stands beside others: it must not turn what follows. Where elements stand, `<bdi>` would do
 * the same; names also stand in titles, labels and messages. */
export function isolated(name: string): string {
  // A mark of the name would end the isolation.
  return TURNING.test(name) ? `\u2068${name.replace(/[\u2066-\u2069]/g, "")}\u2069` : name;
}

/** Returns a name of a list as names are compared: with a blank after each comma and no dot at the end. Those that begin
 * with `van` are compared with a capital letter there: in small letters, all forms are found. */
export function compared(name: string): string {
  const text = name.replace(/,(?=[^\s,])/g, ", ").replace(/(?<=[^\s.])\.+$/, "");
  return /^(?:van |Van D(?:er|en|e) )/.test(text) ? text.toLowerCase() : text;
}

/** Returns the name of a file without its folder. */
export function fileName(path: string): string {
  return path.split(/[/\\]/).pop() ?? path;
}

/** Says what to do where games are needed. */
export const NO_GAMES = "No games are selected: select some at the top, or add files there.";

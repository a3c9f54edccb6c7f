// The text of a query as mask, drawing and the rest: what the mask and the board can show is read
// from the lines at the start of the query, and written back there. All other text stays as it is.

import { piecesOf, squaresOf, type Arrow } from "./board";
import { TRANSFORM_NAMES, isPlain, markText, squaresText, type Drawing, type Mark } from "./drawing";

/** Values of the mask by the names of its fields. `position` is that after the moves of an opening, through which a game
 * comes; with `isHere`, as in texts of users, the other conditions hold at that position. */
export type Mask = Record<string, string>;

export interface Parts {
  /** Comments before the query, and `cql(…)`. */
  header: string;
  mask: Mask;
  drawing: Drawing;
  /** Text that neither shows. */
  rest: string;
}

/** Greatest lead that the mask shows, in pawns. */
export const LEAD = 15;

/** Fields with one line each, or several with the same value: name, text before the value on each line, whether the value
 * is a text in quotes. */
const FIELDS: [string, string, boolean][] = [
  ["player", "player", true], ["white", "player white", true], ["black", "player black", true], ["event", "event", true],
  ["yearFrom", "year >=", false], ["yearTo", "year <=", false],
  ["eloFrom", "elo >=", false], ["eloTo", "elo <=", false],
  ["bothFrom", "elo white >=\nelo black >=", false], ["bothTo", "elo white <=\nelo black <=", false],
  ["opening", "opening", true], ["code", "openingcode", true],
  ["moveFrom", "movenumber >=", false], ["moveTo", "movenumber <=", false],
  ["leadFrom", "power A - power a >=", false], ["leadTo", "power A - power a <=", false],
  ["menFrom", "#[Aa] >=", false], ["menTo", "#[Aa] <=", false],
  ["ending", "endgame", true],
];

/** Fields about games. Those that are not here are about positions. */
const OF_GAMES = ["player", "white", "black", "event", "yearFrom", "yearTo", "eloFrom", "eloTo", "bothFrom", "bothTo", "opening", "code", "results"];

/** What one field of the mask shows: values of one of these lists, not of several. */
const FIELDS_OF_ONE: string[][][] = [[["opening"], ["code"], ["position", "moves", "isHere"]], [["player"], ["white"], ["black"]], [["eloFrom", "eloTo"], ["bothFrom", "bothTo"]]];

/** Whether the mask can show a value of this name beside those that it has. */
function canShow(name: string, mask: Mask): boolean {
  if (name in mask) return false;
  const lists = FIELDS_OF_ONE.find((lists) => lists.flat().includes(name)) ?? [];
  return !lists.some((list) => !list.includes(name) && list.some((other) => other in mask));
}

/** Least and greatest numbers that a field of the mask tells from others. */
const BOUNDS: Record<string, [number, number]> = { leadFrom: [1 - LEAD, LEAD], leadTo: [-LEAD, LEAD - 1], menFrom: [3, 32], menTo: [2, 31] };

/** Whether the field of this name can show a number. */
function isNumber(name: string, text: string): boolean {
  const [least, greatest] = BOUNDS[name] ?? [0, 9999];
  return /^-?\d{1,4}$/.test(text) && Number(text) >= least && Number(text) <= greatest;
}

/** What the field for ratings shows. */
export interface Ratings {
  /** Whether both players have such a rating, or the one with the higher rating. */
  who: "both" | "one";
  from: string;
  to: string;
}

/** Returns the ratings of a mask; `who` is what is chosen if it has none. */
export function ratingsOf({ eloFrom, eloTo, bothFrom, bothTo }: Mask, who: Ratings["who"]): Ratings {
  if (eloFrom || eloTo) return { who: "one", from: eloFrom ?? "", to: eloTo ?? "" };
  return { who: bothFrom || bothTo ? "both" : who, from: bothFrom ?? "", to: bothTo ?? "" };
}

/** Returns the values of a mask for ratings. */
export function maskOfRatings({ who, from, to }: Ratings): Mask {
  const [both, one] = who === "both" ? [[from, to], ["", ""]] : [["", ""], [from, to]];
  return { bothFrom: both[0], bothTo: both[1], eloFrom: one[0], eloTo: one[1] };
}

/** Fields whose small letters find capital ones, too. A capital letter finds only itself, so that a name
 * that is spelled as in the games is the plain condition. */
const SMALL = ["player", "white", "black", "event"];

function isSmall(name: string, value: string): boolean {
  return SMALL.includes(name) && /\p{Ll}/u.test(value) && !/\p{Lu}/u.test(value);
}

/** Whether a text is meant as a regular expression, rather than as a name with one of its signs. */
function isPattern(value: string): boolean {
  return /\.[*+?]|\[[^\]]+\]|\w\|\w|^\^.|.\$$/.test(value) && !/["\\]/.test(value);
}

/** What joins the strings of a query to a text with `"`. */
const JOINT = ' + \\" + ';

/** Writes a text as it stands in tags, where a backslash precedes `"` and `\`. A string of a query has
 * no `"`, so the text is joined of several. */
function quoted(text: string): string {
  const parts = text.replace(/["\\]/g, "\\$&").split('"').map((part) => `"${part}"`);
  return parts.length > 1 ? `(${parts.join(JOINT)})` : parts[0];
}

/** Reads what [`quoted`] writes. */
function unquoted(text: string): string | undefined {
  const parts = text.replace(/^\(|\)$/g, "").split(JOINT);
  if (!parts.every((part) => /^"[^"]*"$/.test(part))) return undefined;
  return parts.map((part) => part.slice(1, -1)).join('"').replace(/\\(["\\])/g, "$1");
}

/** Returns a line about a name without the parentheses that a quote in the next line needs: `player "A"` is a
 * condition of its own. */
function bare(line: string): string {
  return line.replace(/ in \(((?:lowercase )?(?:player|event)[a-z ]*)\)$/, " in $1");
}

/** Joins lines, with the parentheses that they need. */
function joined(lines: string[]): string {
  const isQuoted = (line?: string) => line !== undefined && /^(?:\s*\/\/.*\n)*\s*"/.test(line);
  return lines.map((line, i) => (isQuoted(lines[i + 1]) ? line.replace(/ in ((?:lowercase )?(?:player|event)[a-z ]*)$/, " in ($1)") : line)).join("\n");
}

/** Lines of fixed choices: name, value, line. */
const CHOICES: [string, string, string][] = [["queens", "off", "[Qq] == 0"], ["queens", "on", "Q q"]];

export const RESULTS: [string, string][] = [["1-0", "result 1-0"], ["1/2-1/2", "result 1/2-1/2"], ["0-1", "result 0-1"], ["*", 'result "*"']];

/** The condition of a query without others: a query needs one. */
const ANY = "true";

export function emptyDrawing(): Drawing {
  return { marks: [], arrows: [], toMove: "", transforms: [], isSimilar: false };
}

/** Returns how many of these lines a field with several of them has at the start, once they are read into the mask; 0 if
 * none. */
function readSeveral(lines: string[], mask: Mask): number {
  for (const [name, before] of FIELDS) {
    const starts = before.split("\n");
    if (starts.length === 1) continue;
    const values = starts.map((start, i) => (lines[i]?.trim().startsWith(`${start} `) ? lines[i].trim().slice(start.length + 1) : ""));
    if (values.some((value) => value !== values[0] || !isNumber(name, value)) || !canShow(name, mask)) continue;
    mask[name] = values[0];
    return starts.length;
  }
  return 0;
}

/** Reads one line into the mask. Returns whether it is a line of the mask. */
function readMask(line: string, mask: Mask): boolean {
  line = bare(line);
  const set = (name: string, value: string) => canShow(name, mask) && ((mask[name] = value), true);
  for (const [name, before, isText] of FIELDS) {
    if (!line.startsWith(`${before} `)) continue;
    const value = line.slice(before.length + 1).trim();
    const found = !isText ? isNumber(name, value) && value : SMALL.includes(name) ? unquoted(value) : /^"([^"\\]+)"$/.exec(value)?.[1];
    if (found) return set(name, found);
  }
  const pattern = /^(?:\(lowercase (.+)\)|(.+)) ~~ "([^"]+)"$/.exec(line);
  const matched = pattern && FIELDS.find(([name, before]) => before === (pattern[1] ?? pattern[2]) && SMALL.includes(name));
  if (matched) return set(matched[0], pattern[3]);
  const within = /^(\(?".*"\)?) in (?:lowercase )?(.+)$/.exec(line);
  const field = within && FIELDS.find(([name, before]) => before === within[2] && SMALL.includes(name));
  const text = field && unquoted(within[1]);
  if (field && text) return set(field[0], text);
  for (const [name, value, text] of CHOICES) if (line === text) return set(name, value);
  const position = /^(initialposition:find \{)?([wb]tm fen "[^"\n]+")(\})?(?: \/\/ (.+))?$/.exec(line);
  if (position && !position[1] === !position[3]) return set("position", position[2]) && (position[1] !== undefined || set("isHere", "yes")) && (!position[4] || set("moves", position[4]));
  const codes = /^"([A-E]\d\d)" <= openingcode <= "([A-E]\d\d)"$/.exec(line);
  if (codes) return set("code", `${codes[1]}-${codes[2]}`);
  const parts = line.split(" or ");
  const results = parts.map((part) => RESULTS.find(([, text]) => text === part)?.[0]);
  if (results.every((one) => one !== undefined)) return set("results", results.join(" "));
  const themes = parts.map((part) => /^theme\("(\w+)"\)$/.exec(part)?.[1]);
  return themes.every((one) => one !== undefined) && set("themes", themes.join(" "));
}

/** Returns the lines of a mask as they are beside other conditions. */
function maskLines(mask: Mask): string[] {
  const lines: string[] = [];
  for (const [name, before, isText] of FIELDS) {
    const value = mask[name]?.replace(SMALL.includes(name) ? /\n/g : /["\\\n]/g, "").trim();
    const range = name === "code" && /^([A-E]\d\d)\s*[-–]\s*([A-E]\d\d)$/.exec(value ?? "");
    if (range) lines.push(`"${range[1]}" <= openingcode <= "${range[2]}"`);
    else if (value && SMALL.includes(name) && isPattern(value)) lines.push(`${isSmall(name, value) ? `(lowercase ${before})` : before} ~~ "${value}"`);
    else if (value && SMALL.includes(name) && /[*+?[\]]/.test(value) && !isSmall(name, value)) lines.push(`${quoted(value)} in ${before}`);
    else if (value && isSmall(name, value)) lines.push(`${quoted(value)} in lowercase ${before}`);
    else if (value?.includes('"')) lines.push(`${quoted(value)} in ${before}`);
    else if (value) lines.push(...before.split("\n").map((start) => `${start} ${isText ? quoted(value) : value}`));
  }
  // The comment has the moves, which the position does not tell.
  const position = mask.isHere ? mask.position : `initialposition:find {${mask.position}}`;
  if (mask.position) lines.push(position + (mask.moves ? ` // ${mask.moves.replace(/\s+/g, " ").trim()}` : ""));
  for (const [name, value, text] of CHOICES) if (mask[name] === value) lines.push(text);
  const results = mask.results?.split(" ") ?? [];
  if (results.length > 0 && mask.results) lines.push(RESULTS.filter(([name]) => results.includes(name)).map(([, text]) => text).join(" or "));
  if (mask.themes) lines.push(mask.themes.split(" ").map((theme) => `theme("${theme}")`).join(" or "));
  return lines;
}

/** Returns what games are about that match the mask of a query, as the name of a collection; `name` if it says
 * nothing. */
export function titleOf({ mask }: Parts, name: string): string {
  const { player, white, black, event, opening, code, moves, yearFrom, yearTo, themes, ending } = mask;
  const years = yearFrom && yearTo && yearFrom !== yearTo ? `${yearFrom}–${yearTo}` : yearFrom && !yearTo ? `from ${yearFrom}` : !yearFrom && yearTo ? `to ${yearTo}` : yearFrom;
  const parts = [player ?? white ?? black, event, opening ?? code ?? moves, years, themes?.replace(/ /g, " or "), ending && `${ending} ending`];
  return parts.filter(Boolean).join(", ") || name;
}

/** Returns the themes that a query names, each once. */
export function themeNames(query: string): string[] {
  const called = /\bimport\s+"themes"/.test(query) ? [...query.matchAll(/\b(?!cql\b)(\w+)\(\)/g)] : [];
  const found = [...query.matchAll(/\btheme\("(\w+)"\)/g), ...called];
  return [...new Set(found.map(([, name]) => name))];
}

/** Returns a query without its comments; what looks like one in a text stays. */
export function withoutComments(query: string): string {
  return query.replace(/("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g, (_, text) => text ?? " ");
}

/** Greatest number of letters of the name of a query. */
const LONGEST_NAME = 40;

/** Returns the name of a query: the comment at its start, or what it asks for in the mask and by themes, or its first
 * words. */
export function queryName(query: string): string {
  const text = query.replace(/^(?:\s*cql\s*\([^()]*\))?\s*/, "");
  const comment = (/^\/\/+([^\n]*)/.exec(text) ?? /^\/\*+\s*([^\n]*?)\s*(?:\*\/|\n)/.exec(text))?.[1].replace(/[\s.]+$/, "").trim();
  const themes = themeNames(withoutComments(query)).join(", ");
  const { mask, ...others } = partsOf(query);
  const title = titleOf({ mask: { ...mask, themes: "" }, ...others }, "");
  const words = withoutComments(text).replace(/\bcql\s*\([^()]*\)|\bimport\s+"[^"]*"/g, " ").replace(/\s+/g, " ").trim();
  const name = comment || ([title, themes].filter(Boolean).join(", ") || (words === ANY ? "" : words) || "All games");
  if (name.length <= LONGEST_NAME) return name;
  return name.slice(0, LONGEST_NAME + 1).replace(/[\s,]*\s\S*$/, "").slice(0, LONGEST_NAME);
}

const MARK = /^(\[[KQRBNPkqrbnpAa_]+\]|[KQRBNPkqrbnpAa_])(\[[a-h1-8,-]+\]|[a-h](?:-[a-h])?[1-8](?:-[1-8])?)?$/;

function readMark(text: string, isNot: boolean): Mark | null {
  const found = MARK.exec(text);
  if (!found) return null;
  const squares = squaresOf(found[2] ?? "");
  return squares.length > 0 ? { squares, pieces: found[1].replace(/[[\]]/g, ""), isNot } : null;
}

/** Reads one line into a drawing. Returns whether it is a line of a drawing. */
function readDrawing(line: string, drawing: Drawing): boolean {
  if (line === "wtm" || line === "btm") return drawing.toMove === "" && ((drawing.toMove = line), true);
  const similar = /^sort "likeness" likeness\("([^"]+)"\)$/.exec(line);
  if (similar) {
    if (drawing.isSimilar) return false;
    drawing.isSimilar = true;
    for (const [square, pieces] of piecesOf(similar[1])) drawing.marks.push({ squares: [square], pieces, isNot: false });
    return true;
  }
  const mark = readMark(line.replace(/^not /, ""), line.startsWith("not "));
  if (mark) return (drawing.marks.push(mark), true);
  const ends = /^(\S+) -> (\S+)$/.exec(line) ?? /^(\S+?)\[x\](\S+)$/.exec(line) ?? /^(\S+?)--([a-h][1-8])$/.exec(line);
  if (!ends) return false;
  const [from, to] = [ends[1], ends[2]].map((text) => {
    const squares = /^[a-h][1-8]$/.test(text) ? [text] : readMark(text, false)?.squares;
    return squares?.[Math.floor(squares.length / 2)];
  });
  if (!from || !to) return false;
  const arrow: Arrow = { from, to, kind: line.includes("->") ? "attack" : "move" };
  return (drawing.arrows.push(arrow), true);
}

/** Returns how many braces and parentheses a line opens, without those in texts and comments. */
function depthOf(line: string): number {
  const plain = line.replace(/"[^"]*"|\\"/g, "").replace(/\/\/.*/, "");
  return [...plain].reduce((depth, c) => depth + ("({[".includes(c) ? 1 : ")}]".includes(c) ? -1 : 0), 0);
}

/** Whether a line that was read is written again as it is: `a -> Q` has no squares that an arrow could have. */
function isWritten(line: string, { mask, drawing }: Parts): boolean {
  return [...maskLines(mask), ...drawingLines(drawing)].some((other) => other.trim() === bare(line));
}

/** Reads a line of several pieces into a drawing. Returns whether it is one. */
function readPieces(line: string, parts: Parts): boolean {
  return isPieces(line) && line.split(/\s+/).every((text) => readDrawing(text, parts.drawing) && isWritten(text, parts));
}

/** Whether a line has several pieces, as `Kg5 Pg4 kg7`. */
function isPieces(line: string): boolean {
  return line.split(/\s+/).every((text) => /^[wb]tm$/.test(text) || readMark(text, false) !== null);
}

/** Whether a line goes on with what the line before it says. */
const GOES_ON = /^\s*(?:or|and|in|->|<-|--|\[x\]|[-+*/%<>=|&:~.,)}\]])/;

/** Divides the text of a query. */
export function partsOf(text: string): Parts {
  const header = /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*cql\s*\([^()]*\)[ \t]*\n?/.exec(text)?.[0];
  const parts: Parts = { header: header?.trim() ?? "cql()", mask: {}, drawing: emptyDrawing(), rest: "" };
  const lines = (header ? text.slice(header.length) : text).split("\n");
  let at = 0;
  // The state before each line that was read.
  const before: string[] = [];
  const snapshot = () => JSON.stringify([parts.mask, parts.drawing]);
  const restore = (state: string) => ([parts.mask, parts.drawing] = JSON.parse(state));
  const starts: number[] = [];
  while (at < lines.length) {
    const line = lines[at].trim();
    before.push(snapshot());
    starts.push(at);
    const block = /^(sort "likeness" )?(\w+(?: \w+)*) ?\{(?:(.+)\})?$/.exec(line);
    const image = /^sort "likeness" (\w+(?: \w+)*) (likeness\(.*\))$/.exec(line);
    const several = readSeveral(lines.slice(at), parts.mask);
    if (line === "") at += 1;
    else if (several > 0) at += several;
    else if ((block || image) && parts.drawing.transforms.length === 0 && parts.drawing.marks.length + parts.drawing.arrows.length === 0 && !parts.drawing.toMove) {
      const one = block?.[3]?.trim();
      const end = image || one ? at : lines.findIndex((other, i) => i > at && other.trim() === "}");
      const names = (image?.[1] ?? block![2]).split(" ");
      const inside = image ? [image[2]] : one ? (isPieces(one) ? one.split(/\s+/) : [one]) : lines.slice(at + 1, end).map((other) => other.trim());
      // A likeness ends what is sorted by it.
      const isSort = Boolean(image || block![1]);
      if (isSort && inside.length > 0) inside.push(`sort "likeness" ${inside.pop()}`);
      const isRead = end >= at && names.every((name) => TRANSFORM_NAMES.includes(name)) && inside.every((other) => readDrawing(other, parts.drawing) && isWritten(other, parts)) && parts.drawing.isSimilar === isSort;
      if (!isRead) {
        restore(before[before.length - 1]);
        break;
      }
      parts.drawing.transforms = names;
      at = end + 1;
    } else if (depthOf(line) === 0 && (readMask(line, parts.mask) || (parts.drawing.transforms.length === 0 && readDrawing(line, parts.drawing))) && isWritten(line, parts)) at += 1;
    else {
      restore(before[before.length - 1]);
      if (parts.drawing.transforms.length === 0 && readPieces(line, parts)) {
        at += 1;
        continue;
      }
      restore(before[before.length - 1]);
      break;
    }
  }
  // A line that the next one continues is not understood alone.
  if (at < lines.length && GOES_ON.test(lines[at]) && starts.length > 1) {
    const last = starts.length - 2;
    restore(before[last]);
    at = starts[last];
  }
  parts.rest = lines.slice(at).join("\n").trim();
  if (parts.rest === ANY) parts.rest = "";
  if (isOnlyPosition(parts)) delete parts.mask.isHere;
  return parts;
}

/** Whether the position after the moves of an opening is all that a query says about positions. The text then has no
 * `initialposition:find`, with which the same games match, so that a game opens at this position. */
function isOnlyPosition({ mask, drawing, rest }: Parts): boolean {
  return "position" in mask && rest === "" && drawingLines(drawing).length === 0 && Object.keys(mask).every((name) => ["position", "moves", "isHere", ...OF_GAMES].includes(name));
}

/** Returns the lines of a drawing. */
export function drawingLines(drawing: Drawing): string[] {
  const lines: string[] = [];
  if (drawing.toMove) lines.push(drawing.toMove);
  const { isSimilar } = drawing;
  const rank = (mark: Mark) => (mark.isNot ? 2 : mark.squares.length > 1 ? 1 : 0);
  const marks = [...drawing.marks].sort((a, b) => rank(a) - rank(b));
  for (const mark of marks) if (!isSimilar || !isPlain(mark)) lines.push((mark.isNot ? "not " : "") + markText(mark));
  const at = (square: string) => {
    const mark = drawing.marks.find((mark) => !mark.isNot && mark.pieces !== "_" && mark.squares.includes(square));
    return mark ? markText(mark) : square;
  };
  for (const { from, to, kind } of drawing.arrows) {
    if (kind === "attack") lines.push(`${at(from)} -> ${at(to)}`);
    else lines.push(at(to) === to ? `${at(from)}--${to}` : `${at(from)}[x]${at(to)}`);
  }
  const transforms = drawing.transforms.join(" ");
  const block = (before: string, inside: string[]) => [`${before}${transforms} {`, ...inside.map((line) => `  ${line}`), "}"];
  const likeness = isSimilar && marks.some(isPlain) ? `likeness("${placement(marks.filter(isPlain))}")` : null;
  if (!likeness) return transforms && lines.length > 0 ? block("", lines) : lines;
  if (!transforms) return [...lines, `sort "likeness" ${likeness}`];
  // The images of a position have those of the conditions beside it: one transform is around all.
  return lines.length > 0 ? block('sort "likeness" ', [...lines, likeness]) : [`sort "likeness" ${transforms} ${likeness}`];
}

/** Returns the first field of a FEN. */
function placement(marks: Mark[]): string {
  const rows: string[] = [];
  for (let rank = 8; rank >= 1; rank--) {
    let row = "";
    for (const file of "abcdefgh") row += marks.find((mark) => mark.squares[0] === file + rank)?.pieces ?? "1";
    rows.push(row.replace(/1+/g, (ones) => String(ones.length)));
  }
  return rows.join("/");
}

/** Returns the lines of the mask in the text of a query. */
export function linesOfMask(parts: Parts): string[] {
  return maskLines(isOnlyPosition(parts) ? { ...parts.mask, isHere: "yes" } : parts.mask);
}

/** Returns the text of a query. */
export function textOf(parts: Parts): string {
  const { header, drawing, rest } = parts;
  const lines = [...linesOfMask(parts), ...drawingLines(drawing), rest].filter(Boolean);
  return `${joined([header, ...(lines.length > 0 ? lines : [ANY])])}\n`;
}

/** Whether a text has a header or comments, and no conditions. An empty text is a query for all games. */
export function asksNothing(text: string): boolean {
  return text.trim() !== "" && /^(?:cql\s*\([^()]*\))?$/.test(text.replace(/\/\/[^\n]*|\/\*[^]*?\*\//g, " ").trim());
}

/** Whether the conditions of a query are about games alone, so that all positions of a game match. */
export function isAboutGames({ header, mask, drawing, rest }: Parts): boolean {
  return /cql\s*\(\s*\)$/.test(header) && rest === "" && drawingLines(drawing).length === 0 && Object.keys(mask).every((name) => OF_GAMES.includes(name));
}

/** Returns why no game of chess can have what is drawn; null if one may. A game of a variant may have it. */
export function impossible({ marks, isSimilar, toMove }: Drawing): string | null {
  const plain = isSimilar ? [] : marks.filter(isPlain);
  for (const [letter, name] of [["K", "white"], ["k", "black"]]) {
    const kings = plain.filter((mark) => mark.pieces === letter).map((mark) => mark.squares[0]);
    if (kings.length > 1) return `Two ${name} kings (${kings.join(", ")}): no game of chess has this.`;
  }
  const pawn = isSimilar ? undefined : marks.find(({ squares, pieces, isNot }) => !isNot && /^[Pp]+$/.test(pieces) && squares.every((square) => "18".includes(square[1])));
  if (pawn) return `A pawn on ${squaresText(pawn.squares)}: no game of chess has this.`;
  for (const [letter, name] of [["P", "white"], ["p", "black"]]) {
    if (plain.filter((mark) => mark.pieces === letter).length > 8) return `More than eight ${name} pawns: no game of chess has this.`;
  }
  const [white, black] = ["K", "k"].map((letter) => plain.find((mark) => mark.pieces === letter)?.squares[0]);
  if (white && black && Math.abs(white.charCodeAt(0) - black.charCodeAt(0)) < 2 && Math.abs(Number(white[1]) - Number(black[1])) < 2) return `The kings on ${white} and ${black} touch: no game of chess has this.`;
  return tooMany(plain) ?? checkBefore(plain, marks, toMove);
}

/** Men of a side at the start, without those that a pawn may become. */
const AT_START: Record<string, number> = { q: 1, r: 2, b: 2, n: 2 };

/** Returns why a side has more men than a game can give it; null if it has not. */
function tooMany(plain: Mark[]): string | null {
  for (const [isSide, name] of [[/[A-Z]/, "white"], [/[a-z]/, "black"]] as const) {
    const men = plain.filter((mark) => isSide.test(mark.pieces)).map((mark) => mark.pieces.toLowerCase());
    const pawns = men.filter((man) => man === "p").length;
    const promoted = Object.entries(AT_START).reduce((sum, [man, n]) => sum + Math.max(0, men.filter((other) => other === man).length - n), 0);
    if (men.length > 16) return `More than 16 ${name} men: no game of chess has this.`;
    if (pawns + promoted > 8) return `With ${pawns} ${name} ${pawns === 1 ? "pawn" : "pawns"}, ${promoted === 1 ? "one further piece" : `${promoted} further pieces`} cannot be there: each was a pawn. No game of chess has this.`;
  }
  return null;
}

const LINES = [[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [1, -1], [-1, -1], [-1, 1]];
const JUMPS = [[1, 2], [2, 1], [2, -1], [1, -2], [-1, -2], [-2, -1], [-2, 1], [-1, 2]];

/** Returns the square that a piece of the other side checks the king from, whatever stands on squares that are not drawn:
 * nothing can stand between. */
function checkerOf(king: string, plain: Mark[], marks: Mark[]): string | undefined {
  const square = plain.find((mark) => mark.pieces === king)?.squares[0];
  if (!square) return undefined;
  const isWhite = king === "K";
  const at = ([file, rank]: number[], n: number) => `${String.fromCharCode(square.charCodeAt(0) + n * file)}${Number(square[1]) + n * rank}`;
  // Letters of the other side, as those of Black.
  const pieceOn = (place: string) => {
    const found = plain.find((mark) => mark.squares[0] === place)?.pieces ?? "";
    return (found === found.toLowerCase()) === isWhite ? found.toLowerCase() : "";
  };
  const isEmpty = (place: string) => marks.some((mark) => !mark.isNot && mark.pieces === "_" && mark.squares.length === 1 && mark.squares[0] === place);
  const jump = JUMPS.map((by) => at(by, 1)).find((place) => pieceOn(place) === "n");
  if (jump) return jump;
  for (const by of LINES) {
    let n = 1;
    while (n < 8 && isEmpty(at(by, n))) n += 1;
    const piece = pieceOn(at(by, n));
    const isPawn = piece === "p" && n === 1 && by[0] !== 0 && by[1] === (isWhite ? 1 : -1);
    if (isPawn || piece === "q" || piece === (by[0] !== 0 && by[1] !== 0 ? "b" : "r")) return at(by, n);
  }
  return undefined;
}

/** Returns why the side that has moved cannot have left its king in check; null if it is in none. */
function checkBefore(plain: Mark[], marks: Mark[], toMove: Drawing["toMove"]): string | null {
  const [white, black] = ["K", "k"].map((king) => checkerOf(king, plain, marks));
  if (white && black) return `Both kings are in check (from ${white} and ${black}): no game of chess has this.`;
  const [side, mover, checker] = toMove === "wtm" ? ["black", "White", black] : ["white", "Black", white];
  return toMove && checker ? `${mover} is to move, and the ${side} king is in check from ${checker}: no game of chess has this.` : null;
}



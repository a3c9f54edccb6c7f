// The text of a query as mask, drawing and the rest: what the mask and the board can show is read
// from the lines at the start of the query, and written back there. All other text stays as it is.

import { piecesOf, squaresOf, type Arrow } from "./board";
import { TRANSFORM_NAMES, isPlain, markText, type Drawing, type Mark } from "./drawing";

/** Values of the mask by the names of its fields. */
export type Mask = Record<string, string>;

export interface Parts {
  /** Comments before the query, and `cql(…)`. */
  header: string;
  mask: Mask;
  drawing: Drawing;
  /** Text that neither shows. */
  rest: string;
}

/** Fields with one line each: name, text before the value, whether the value is a text in quotes. */
const FIELDS: [string, string, boolean][] = [
  ["player", "player", true], ["white", "player white", true], ["black", "player black", true], ["event", "event", true],
  ["yearFrom", "year >=", false], ["yearTo", "year <=", false],
  ["eloFrom", "elo >=", false], ["eloTo", "elo <=", false],
  ["whiteFrom", "elo white >=", false], ["blackFrom", "elo black >=", false], ["whiteTo", "elo white <=", false], ["blackTo", "elo black <=", false],
  ["opening", "opening", true], ["code", "openingcode", true],
  ["moveFrom", "movenumber >=", false], ["moveTo", "movenumber <=", false],
  ["leadFrom", "power A - power a >=", false], ["leadTo", "power A - power a <=", false],
  ["menFrom", "#[Aa] >=", false], ["menTo", "#[Aa] <=", false],
  ["ending", "endgame", true],
];

/** Fields about games. Those that are not here are about positions. */
const OF_GAMES = ["player", "white", "black", "event", "yearFrom", "yearTo", "eloFrom", "eloTo", "whiteFrom", "blackFrom", "whiteTo", "blackTo", "opening", "code", "results"];

/** Fields whose small letters find capital ones, too. A capital letter finds only itself, so that a name
 * that is spelled as in the games is the plain condition. */
const SMALL = ["player", "white", "black", "event"];

function isSmall(name: string, value: string): boolean {
  return SMALL.includes(name) && /\p{Ll}/u.test(value) && !/\p{Lu}/u.test(value);
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

/** Reads one line into the mask. Returns whether it is a line of the mask. */
function readMask(line: string, mask: Mask): boolean {
  line = bare(line);
  const set = (name: string, value: string) => !(name in mask) && ((mask[name] = value), true);
  for (const [name, before, isText] of FIELDS) {
    if (!line.startsWith(`${before} `)) continue;
    const value = line.slice(before.length + 1).trim();
    const found = !isText ? /^-?\d{1,5}$/.exec(value)?.[0] : SMALL.includes(name) ? unquoted(value) : /^"([^"\\]+)"$/.exec(value)?.[1];
    if (found) return set(name, found);
  }
  const within = /^(\(?".*"\)?) in (?:lowercase )?(.+)$/.exec(line);
  const field = within && FIELDS.find(([name, before]) => before === within[2] && SMALL.includes(name));
  const text = field && unquoted(within[1]);
  if (field && text) return set(field[0], text);
  for (const [name, value, text] of CHOICES) if (line === text) return set(name, value);
  const codes = /^"([A-E]\d\d)" <= openingcode <= "([A-E]\d\d)"$/.exec(line);
  if (codes) return set("code", `${codes[1]}-${codes[2]}`);
  const parts = line.split(" or ");
  const results = parts.map((part) => RESULTS.find(([, text]) => text === part)?.[0]);
  if (results.every((one) => one !== undefined)) return set("results", results.join(" "));
  const themes = parts.map((part) => /^theme\("(\w+)"\)$/.exec(part)?.[1]);
  return themes.every((one) => one !== undefined) && set("themes", themes.join(" "));
}

/** Returns the lines of a mask. */
export function maskLines(mask: Mask): string[] {
  const lines: string[] = [];
  for (const [name, before, isText] of FIELDS) {
    const value = mask[name]?.replace(SMALL.includes(name) ? /\n/g : /["\\\n]/g, "").trim();
    const range = name === "code" && /^([A-E]\d\d)\s*[-–]\s*([A-E]\d\d)$/.exec(value ?? "");
    if (range) lines.push(`"${range[1]}" <= openingcode <= "${range[2]}"`);
    else if (value && isSmall(name, value)) lines.push(`${quoted(value)} in lowercase ${before}`);
    else if (value?.includes('"')) lines.push(`${quoted(value)} in ${before}`);
    else if (value) lines.push(isText ? `${before} ${quoted(value)}` : `${before} ${value}`);
  }
  for (const [name, value, text] of CHOICES) if (mask[name] === value) lines.push(text);
  const results = mask.results?.split(" ") ?? [];
  if (results.length > 0 && mask.results) lines.push(RESULTS.filter(([name]) => results.includes(name)).map(([, text]) => text).join(" or "));
  if (mask.themes) lines.push(mask.themes.split(" ").map((theme) => `theme("${theme}")`).join(" or "));
  return lines;
}

/** Returns what games are about that match the mask of a query, as the name of a collection; `name` if it says
 * nothing. */
export function titleOf({ mask }: Parts, name: string): string {
  const { player, white, black, event, opening, code, yearFrom, yearTo, themes, ending } = mask;
  const years = yearFrom && yearTo && yearFrom !== yearTo ? `${yearFrom}–${yearTo}` : yearFrom && !yearTo ? `from ${yearFrom}` : !yearFrom && yearTo ? `to ${yearTo}` : yearFrom;
  const parts = [player ?? white ?? black, event, opening ?? code, years, themes?.replace(/ /g, " or "), ending && `${ending} ending`];
  return parts.filter(Boolean).join(", ") || name;
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
  const header = /^(?:\s|\/\/[^\n]*\n|\/\*[^]*?\*\/)*cql\s*\([^()]*\)[ \t]*\n?/.exec(text)?.[0];
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
    if (line === "") at += 1;
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
  return parts;
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

/** Returns the text of a query. */
export function textOf({ header, mask, drawing, rest }: Parts): string {
  const lines = [...maskLines(mask), ...drawingLines(drawing), rest].filter(Boolean);
  return `${joined([header, ...(lines.length > 0 ? lines : [ANY])])}\n`;
}

/** Whether the conditions of a query are about games alone, so that all positions of a game match. */
export function isAboutGames({ header, mask, drawing, rest }: Parts): boolean {
  return /cql\s*\(\s*\)$/.test(header) && rest === "" && drawingLines(drawing).length === 0 && Object.keys(mask).every((name) => OF_GAMES.includes(name));
}

/** Returns why no game can have what is drawn; null if one may. */
export function impossible({ marks, isSimilar }: Drawing): string | null {
  const plain = isSimilar ? [] : marks.filter(isPlain);
  for (const [letter, name] of [["K", "white"], ["k", "black"]]) {
    const kings = plain.filter((mark) => mark.pieces === letter).map((mark) => mark.squares[0]);
    if (kings.length > 1) return `Two ${name} kings (${kings.join(", ")}): no game has this.`;
  }
  const pawn = plain.find((mark) => mark.pieces.toLowerCase() === "p" && "18".includes(mark.squares[0][1]));
  if (pawn) return `A pawn on ${pawn.squares[0]}: no game has this.`;
  for (const [letter, name] of [["P", "white"], ["p", "black"]]) {
    if (plain.filter((mark) => mark.pieces === letter).length > 8) return `More than eight ${name} pawns: no game has this.`;
  }
  const [white, black] = ["K", "k"].map((letter) => plain.find((mark) => mark.pieces === letter)?.squares[0]);
  if (white && black && Math.abs(white.charCodeAt(0) - black.charCodeAt(0)) < 2 && Math.abs(Number(white[1]) - Number(black[1])) < 2) return `The kings on ${white} and ${black} touch: no game has this.`;
  return null;
}



// Requests to the engine, and its answers. `cql studio` answers the same requests over HTTP.

export interface Place {
  from: number;
  to: number;
}

export interface Edit extends Place {
  insert: string;
}

export interface Fault extends Place {
  severity: "error" | "warning";
  code: string;
  message: string;
  help: string | null;
  edit?: Edit[];
}

export interface Checked {
  diagnostics: Fault[];
  /** Start, end, and kind of each token. */
  tokens: [number, number, string][];
}

export interface Proposal extends Place {
  label: string;
  detail: string;
  sentence: string;
  template: string;
  rank: number;
  kind: string;
}

export interface Sentence {
  label: string;
  text: string;
  below: Sentence[];
  place?: Place;
}

export interface BookPage {
  group: "tour" | "cookbook" | "reference";
  page: string;
  title: string;
  headings: string[];
}

/** Something that words can find. */
export interface Idea {
  kind: "recipe" | "theme" | "query" | "word" | "section";
  /** The kind in words, with what a section is part of. */
  label: string;
  title: string;
  /** Its purpose, in a sentence. */
  line: string;
  query: string | null;
  /** Its page of the book, and the heading there. */
  place: { page: string; heading: string | null } | null;
}

export interface Ideas {
  /** The ideas that answer best, the best first. */
  ideas: Idea[];
  /** Number of others. */
  more: number;
  /** The words of the question that they lack. */
  without: string[];
}

export interface LegalMove {
  san: string;
  from: string;
  to: string;
  /** Letter of the piece that a pawn becomes. */
  promotion: string | null;
  /** The position after the move. */
  fen: string;
}

export interface LegalMoves {
  fen: string;
  moves: LegalMove[];
  check: boolean;
  /** Why the position cannot occur in a game. */
  problem: string | null;
}

/** Queries made of a passage of a game, each looser than the one before. */
export interface Passage {
  examples: { leftOut: number; stage: number; words: string; query: string }[];
  /** Whether words of the game could not be read as moves, so that some may be missing. */
  lacksWords: boolean;
}

/** A query, and the data wanted besides its matches. */
export interface Query {
  query: string;
  values: string[];
  /** Whether rows include the names of openings. */
  openings?: boolean;
}

export type Cell = string | number | boolean | null;

/** Cells of a game of the list: number, number in its file, offset, White, Black, date, event, ECO,
 * opening, their ratings, result, matching positions, first comment, sort values, values. */
export type Cells = [
  number, number, number, string, string, string, string, string, string, number, number, number, number, string,
  (string | number | null)[], Cell[],
];

export interface Progress {
  bytes: number;
  size: number;
  games: number;
  matches: number;
}

export interface GameFault {
  input: string;
  /** Number of the game; undefined for a file that cannot be read to its end, 0 for an archive that is not used and for an encoding. */
  game?: number;
  line?: number;
  message: string;
  searched?: boolean;
  /** Whether searches use the archive once it is built anew. */
  mendedByBuild?: boolean;
  /** Whether the message is about the encoding that is assumed of the file. */
  encoding?: boolean;
}

export interface SearchEnd {
  games: number;
  matches: number;
  positions: number;
  rows: number;
  faults: number;
  leftOut: number;
  /** Names of the games that may have been meant, in lines. */
  near?: string[];
  seconds: number;
  stopped: boolean;
}

/** Names of the sort keys and values of a search. */
export interface Heading {
  sort: string[];
  ascending: boolean[];
  values: string[];
}

export interface GameReference {
  collections: number[];
  input: string;
  number: number;
  in_input: number;
  offset: number;
}

export interface Move {
  san: string | null;
  number: number;
  white: boolean;
  fen: string;
  id: number | null;
  nags?: number[];
  comment?: string;
}

export type MoveItem = Move | { open: string | null } | { close: true };

export interface Game {
  /** The variant, if its rules are not those of chess. */
  variant: string | null;
  /** Whether opening trees count the game. */
  hasTree: boolean;
  /** Name of the analysis board of lichess.org; null if it has none with these rules. */
  board: string | null;
  input: string;
  number: number;
  result: string;
  tags: [string, string][];
  matches: { id: number; values: unknown[] }[];
  comments: { id: number; text: string }[];
  sort: [string, string | number | null][];
  moves: MoveItem[];
}

export interface Condition extends Place {
  text: string;
  /** Positions at which the condition and all before it hold. */
  ids: number[];
}

export interface Holds {
  conditions: Condition[];
  /** Indices of the conditions that have values. */
  valued?: number[];
  /** Values of these conditions at every position. */
  values?: [number, unknown[]][];
}

export interface Funnel {
  rows: (Place & { text: string; games: number; positions: number })[];
  games: number;
  stopped: boolean;
}

export interface Stats {
  games: number;
  results: [string, number][];
  years: [number, number][];
  elos: [number, number][];
  players: [string, number][];
  nPlayers: number;
  events: [string, number][];
  nEvents: number;
  openings: [string, number][];
  nOpenings: number;
  failures: string[];
}

export interface ExportOptions {
  format: string;
  per_game: boolean;
  columns: string[];
  counts?: string[];
  /** Maximum number of games, the first ones in the order of the query. */
  limit?: number;
  name: string;
}

/** Results of a search. */
export interface Found {
  heading: Heading;
  /** The games that match. */
  games: Cells[];
  faults: GameFault[];
  /** What the query has written with `message`. */
  said: string;
  end: SearchEnd;
}

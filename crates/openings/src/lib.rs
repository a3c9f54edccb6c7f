//! Names of chess openings, found by position.
//!
//! An opening is a row of a table: an ECO code, a name, and the moves that lead to its position. A
//! game has the opening of the last of its positions in the table, so transpositions get the name
//! that they lead to, and games without the tag `ECO` have a name, too.
//!
//! ```
//! use openings::Openings;
//! use pgn::{GameTree, TagIndex};
//!
//! let mut index = TagIndex::default();
//! index.scan(b"1. Nf3 d5 2. d4 *");
//! let mut tree = GameTree::default();
//! tree.parse(index.tags(b"1. Nf3 d5 2. d4 *"));
//! let opening = Openings::default();
//! let opening = opening.of_game(&tree).expect("has a name");
//! assert_eq!(opening.name(), "Queen's Pawn Game: Zukertort Variation");
//! ```

use std::cmp::Reverse;
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::sync::{Arc, LazyLock};

use board::{Position, Rules, polyglot_key};
use pgn::{CodedLine, Eco, GameTree, Stop, TagIndex, plain_words};

/// The table that is part of the program.
const BUILT_IN: &str = include_str!("openings.tsv");

/// Columns of a table, in any order. Other columns are ignored.
const COLUMNS: [&str; 3] = ["eco", "name", "pgn"];

/// Number of half-moves by which a transposition to an opening may be longer than the moves of the
/// table. A position of an opening is not looked for in later moves.
const DETOUR: usize = 8;

/// Opening: a row of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opening {
    eco: Box<str>,
    name: Box<str>,
    moves: Box<str>,
}

impl Opening {
    /// Returns the ECO code, such as `B90`.
    #[must_use]
    pub fn eco(&self) -> &str {
        &self.eco
    }

    /// Returns the name, such as `Sicilian Defense: Najdorf Variation`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of its family, such as `Sicilian Defense`.
    #[must_use]
    pub fn family(&self) -> &str {
        family_of(&self.name)
    }

    /// Returns the moves from the start, such as `1. e4 c5`.
    #[must_use]
    pub fn moves(&self) -> &str {
        &self.moves
    }
}

/// Returns the name of the family of an opening, which is before the colon.
#[must_use]
pub fn family_of(name: &str) -> &str {
    name.split(':').next().unwrap_or_default()
}

/// Table of openings; by default the one that is part of the program. Clones share it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Openings(Option<Arc<Table>>);

#[derive(Default, PartialEq, Eq)]
struct Table {
    rows: Vec<Opening>,
    /// Index of the row by key of the position.
    by_position: HashMap<u64, usize>,
    /// Bits of [`place_of`] the occupied squares of these positions. Most other positions have none of
    /// these bits, and need no key.
    occupied: Vec<u64>,
    /// Number of half-moves of the longest row.
    longest: usize,
}

/// Fault of a table of openings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Reason.
    pub message: String,
}

impl Display for TableError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for TableError {}

impl Openings {
    /// Reads a table: tab-separated lines, the first of which names the columns `eco`, `name` and
    /// `pgn`, the moves from the start. The tables of `lichess-org/chess-openings` have this form.
    /// If two rows have the same position, the later one counts.
    ///
    /// # Errors
    /// If a column is missing, a code is malformed, or a move is illegal.
    pub fn parse(text: &str) -> Result<Openings, TableError> {
        Ok(Openings(Some(Arc::new(Table::parse(text)?))))
    }

    /// Returns the table. The table of the program is read at its first use.
    fn table(&self) -> &Table {
        // A test reads the table, so it has no faults.
        static TABLE: LazyLock<Table> =
            LazyLock::new(|| Table::parse(BUILT_IN).unwrap_or_default());
        self.0.as_deref().unwrap_or(&TABLE)
    }

    /// Returns the rows.
    #[must_use]
    pub fn rows(&self) -> &[Opening] {
        &self.table().rows
    }

    /// Returns the opening with this position, if it has a name.
    #[must_use]
    pub fn at(&self, position: &Position) -> Option<&Opening> {
        self.table().at(position)
    }

    /// Returns the opening of a game: that of the last position of the main line that has one.
    /// Games with rules other than those of chess have none.
    #[must_use]
    pub fn of_game(&self, game: &GameTree) -> Option<&Opening> {
        self.last_named(game).map(|(_, opening)| opening)
    }

    /// Returns the opening of a game, and the number of half-moves of the main line that lead to the
    /// last position with a name.
    #[must_use]
    pub fn last_named(&self, game: &GameTree) -> Option<(usize, &Opening)> {
        if game.rules() != Rules::Chess {
            return None;
        }
        let main_line = std::iter::successors(Some(0), |&node| game.next(node));
        self.table().last_in(main_line.map_while(|node| game.positions().get(node).copied()))
    }

    /// Returns the opening of a game of chess without variations, as [`of_game`](Self::of_game)
    /// does.
    #[must_use]
    pub fn of_line(&self, line: CodedLine<'_>) -> Option<&Opening> {
        self.table().last_in(line.positions()).map(|(_, opening)| opening)
    }

    /// Returns the openings whose names contain the text in any case, the most likely one first:
    /// the one with this name, else those that begin with it, else the one with the shortest name
    /// in the family (the words before the colon) that has most of them. Parts of words count only
    /// if no name has the text as whole words: `Tal` is no part of `Italian`.
    #[must_use]
    pub fn called(&self, part: &str) -> Vec<&Opening> {
        let named = self.spelled(part).or_else(|| self.with_words(part));
        let part = named.unwrap_or(part).to_lowercase();
        let placed = |row| Some((Place::of(&part, &Opening::name(row).to_lowercase())?, row));
        let mut found: Vec<(Place, &Opening)> = self.rows().iter().filter_map(placed).collect();
        if found.iter().any(|(place, _)| *place < Place::InWord) {
            found.retain(|(place, _)| *place < Place::InWord);
        }
        let mut families: HashMap<&str, usize> = HashMap::new();
        for (_, row) in &found {
            *families.entry(row.family()).or_default() += 1;
        }
        found.sort_by_cached_key(|(place, row)| {
            let of_family = families.get(row.family()).copied().unwrap_or(0);
            (*place, Reverse(of_family), row.family(), row.name.chars().count())
        });
        found.into_iter().map(|(_, row)| row).collect()
    }

    /// Returns the part of a name that is spelled like the text: whole words, in any case, without
    /// regard to accents, hyphens and apostrophes (`grunfeld`, `caro kann`, `kings indian`), or in
    /// another usual spelling (`petroff`). A whole text may also be another name of an opening
    /// (`Russian Game`). A word such as `opening` may be there besides (`Sicilian opening`).
    #[must_use]
    pub fn spelled(&self, part: &str) -> Option<&str> {
        if part.len() > LONGEST_PART {
            return None;
        }
        let words = usual_words(part);
        self.spelled_words(&words).or_else(|| {
            let mut rest = words;
            KINDS.iter().find_map(|kind| {
                let n_words = rest.len();
                rest.retain(|word| word != kind);
                (rest.len() < n_words).then(|| self.spelled_words(&rest)).flatten()
            })
        })
    }

    /// Returns the part of a name that is spelled like these words. It does not begin with the kind
    /// of another opening: `Opening: Sicilian` is none.
    fn spelled_words(&self, wanted: &[String]) -> Option<&str> {
        let begins_with_kind = wanted.len() > 1 && KINDS.contains(&wanted[0].as_str());
        let wanted = wanted.concat();
        if let Some(name) = self.usual_name(&wanted) {
            return Some(name);
        }
        if wanted.is_empty() || begins_with_kind {
            return None;
        }
        self.rows().iter().find_map(|row| {
            let words: Vec<(usize, usize)> = words(&row.name, &[' ', '-']).collect();
            let plain =
                |&(start, end): &(usize, usize)| plain_words(&row.name[start..end]).concat();
            // Most words begin with another letter, which is seen without spelling them.
            let may_begin = |first: &usize| {
                let start = row.name[words[*first].0..].chars().next();
                start.is_some_and(|c| {
                    !c.is_ascii_alphanumeric() || wanted.starts_with(c.to_ascii_lowercase())
                })
            };
            (0..words.len()).filter(may_begin).find_map(|first| {
                let mut rest = wanted.as_str();
                let run = words[first..].iter().map(plain).take_while(|word| {
                    let next = rest.strip_prefix(word.as_str()).filter(|_| !rest.is_empty());
                    rest = next.unwrap_or(rest);
                    next.is_some()
                });
                let last = first + run.count().checked_sub(1)?;
                let name = row.name.get(words[first].0..words[last].1)?;
                rest.is_empty().then(|| name.trim_end_matches([':', ',']))
            })
        })
    }

    /// Returns the name in the table of an opening whose other name is the whole text: Ruy Lopez for
    /// `Spanish`.
    #[must_use]
    pub fn of_other_name(&self, text: &str) -> Option<&str> {
        let is_short = text.len() <= LONGEST_PART;
        is_short.then(|| self.usual_name(&usual_words(text).concat())).flatten()
    }

    /// Returns the families that a text is the name of, whole or without its last word, as `French` is
    /// that of the French Defense, and the names of openings of other families that contain it. Both
    /// are empty if it is the name of no family.
    #[must_use]
    pub fn families_called(&self, text: &str) -> (Vec<&str>, Vec<&str>) {
        let more_words = |row: &Opening| {
            let more = row.family().strip_prefix(text)?;
            (more.is_empty() || more.starts_with(' ')).then(|| more.split_whitespace().count())
        };
        let mut families = Vec::new();
        let mut others = Vec::new();
        for row in self.rows() {
            match more_words(row) {
                Some(0 | 1) if families.contains(&row.family()) => {}
                Some(0 | 1) => families.push(row.family()),
                Some(_) => return (Vec::new(), Vec::new()),
                None if row.name.contains(text) => others.push(&*row.name),
                None => {}
            }
        }
        if families.is_empty() {
            others.clear();
        }
        (families, others)
    }

    /// Returns the families of the openings that have a text in their names, each with its shortest
    /// such name and the number of them; the one with most comes first.
    #[must_use]
    pub fn families_with(&self, text: &str) -> Vec<(&str, &str, usize)> {
        let mut found: Vec<(&str, &str, usize)> = Vec::new();
        for row in self.rows().iter().filter(|row| row.name.contains(text)) {
            match found.iter_mut().find(|(family, ..)| *family == row.family()) {
                Some((_, name, n)) => {
                    *n += 1;
                    if row.name.len() < name.len() {
                        *name = &row.name;
                    }
                }
                None => found.push((row.family(), &row.name, 1)),
            }
        }
        found.sort_by_cached_key(|(.., n)| !(*n as u32));
        found
    }

    /// Returns the number of names in a family.
    #[must_use]
    pub fn n_of_family(&self, family: &str) -> usize {
        self.rows().iter().filter(|row| row.family() == family).count()
    }

    /// Returns the number of openings that are lines of the one with this name: their names have more
    /// after a colon or a comma.
    #[must_use]
    pub fn n_of_lines(&self, name: &str) -> usize {
        let is_line = |row: &&Opening| {
            row.name.strip_prefix(name).is_some_and(|more| more.starts_with([':', ',']))
        };
        self.rows().iter().filter(is_line).count()
    }

    /// Returns the name of an opening whose other name has these letters.
    fn usual_name(&self, plain: &str) -> Option<&str> {
        let (_, name) = OTHER_NAMES.iter().find(|(other, _)| *other == plain)?;
        self.rows().iter().map(|row| &*row.name).find(|known| known == name)
    }

    /// Returns the shortest name with all of several words, such as that of the Najdorf for
    /// `Sicilian Najdorf`. Some of the words may be another name of an opening, as in
    /// `Spanish Berlin`.
    #[must_use]
    pub fn with_words(&self, text: &str) -> Option<&str> {
        let wanted = usual_words(text);
        if wanted.len() < 2 || text.len() > LONGEST_PART {
            return None;
        }
        let shortest = |wanted: &[String]| {
            let has_all = |name: &&str| {
                wanted.iter().all(|word| may_have(name, word)) && {
                    let words = plain_words(name);
                    wanted.iter().all(|word| words.contains(word))
                }
            };
            self.rows().iter().map(|row| &*row.name).filter(has_all).min_by_key(|name| name.len())
        };
        let with_usual_name = || {
            let ends = (1..=wanted.len()).rev();
            let mut runs = ends.flat_map(|n| (0..=wanted.len() - n).map(move |at| at..at + n));
            runs.find_map(|run| {
                let mut usual = plain_words(self.usual_name(&wanted[run.clone()].concat())?);
                usual.extend_from_slice(&wanted[..run.start]);
                usual.extend_from_slice(&wanted[run.end..]);
                shortest(&usual)
            })
        };
        let without_kind = || {
            let mut rest = wanted.clone();
            rest.retain(|word| !KINDS.contains(&word.as_str()));
            let is_shorter = rest.len() < wanted.len() && rest.len() >= 2;
            is_shorter.then(|| shortest(&rest)).flatten()
        };
        without_kind().or_else(|| shortest(&wanted)).or_else(with_usual_name)
    }

    /// Returns the openings with an ECO code.
    pub fn with_code(&self, code: &str) -> impl Iterator<Item = &Opening> {
        self.rows().iter().filter(move |row| row.eco.eq_ignore_ascii_case(code))
    }

    /// Whether the name of an opening contains the text.
    #[must_use]
    pub fn has_name(&self, part: &str) -> bool {
        self.rows().iter().any(|row| row.name.contains(part))
    }

    /// Whether an opening has exactly this name.
    #[must_use]
    pub fn has_whole_name(&self, name: &str) -> bool {
        self.rows().iter().any(|row| &*row.name == name)
    }

    /// Whether the ECO code of an opening contains the text.
    #[must_use]
    pub fn has_code(&self, part: &str) -> bool {
        self.rows().iter().any(|row| row.eco.contains(part))
    }

    /// Returns the part of a name that is [spelled](Self::spelled) like the text or nearest to it: a
    /// word or several of a name, as many as the text has, or one fewer. A hyphen counts as a blank.
    #[must_use]
    pub fn nearest(&self, part: &str) -> Option<&str> {
        if let Some(named) = self.spelled(part).or_else(|| self.with_words(part)) {
            return Some(named);
        }
        let plain = |text: &str| text.to_lowercase().replace('-', " ");
        let wanted = plain(part);
        let length = wanted.chars().count();
        let n_words = part.split_whitespace().count().max(1);
        let is_end = |c: char| c == ':' || c == ',';
        let candidates = self.rows().iter().flat_map(|row| {
            let words: Vec<(usize, usize)> = words(&row.name, &[' ']).collect();
            let of = |n: usize| words.windows(n).map(move |run| run[0].0..run[n - 1].1);
            let runs = of(n_words).chain(of(n_words.saturating_sub(1).max(1)));
            runs.map(|run| row.name[run].trim_end_matches(is_end)).collect::<Vec<_>>()
        });
        candidates
            // Long texts are not near anything, and cost much to compare.
            .filter(|name| name.chars().count().abs_diff(length) * 3 <= name.chars().count())
            .map(|name| (strsim::osa_distance(&wanted, &plain(name)), name))
            .filter(|&(distance, name)| distance * 3 <= name.chars().count())
            .min()
            .map(|(_, name)| name)
    }
}

/// Maximum length of a text that may be a part of a name.
const LONGEST_PART: usize = 100;

/// Words for a kind of opening, in plain letters: beside a name they say nothing more.
const KINDS: [&str; 4] = ["opening", "variation", "game", "defense"];

/// Place of a text in a name, the most telling one first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// It is the whole name.
    Whole,
    /// The name begins with its words.
    First,
    /// Its words are in the name.
    Within,
    /// It is in a word, or in several in part.
    InWord,
}

impl Place {
    /// Returns the place of a text in a name, both in lower case.
    fn of(part: &str, name: &str) -> Option<Place> {
        let is_word = |at: &usize| {
            let (before, after) = (&name[..*at], &name[at + part.len()..]);
            !before.ends_with(char::is_alphanumeric) && !after.starts_with(char::is_alphanumeric)
        };
        let mut places = name.match_indices(part).map(|(at, _)| at).peekable();
        places.peek()?;
        Some(match places.find(is_word) {
            Some(_) if name == part => Place::Whole,
            Some(0) => Place::First,
            Some(_) => Place::Within,
            None => Place::InWord,
        })
    }
}

/// Other spellings of words of names, and those of the table, both in plain letters.
const SPELLINGS: &[(&str, &str)] = &[
    ("petrov", "petrovs"),
    ("petroff", "petrovs"),
    ("petroffs", "petrovs"),
    ("defence", "defense"),
    ("centre", "center"),
    ("alekhines", "alekhine"),
    ("philidors", "philidor"),
    ("birds", "bird"),
    ("nimzowitschs", "nimzowitsch"),
];

/// Other names of openings, in plain letters without blanks, and those of the table.
const OTHER_NAMES: &[(&str, &str)] = &[
    ("russian", "Petrov's Defense"),
    ("russiangame", "Petrov's Defense"),
    ("russiandefense", "Petrov's Defense"),
    ("spanish", "Ruy Lopez"),
    ("spanishgame", "Ruy Lopez"),
    ("spanishopening", "Ruy Lopez"),
    ("centercounter", "Scandinavian Defense"),
    ("centercounterdefense", "Scandinavian Defense"),
    ("volga", "Benko Gambit"),
    ("volgagambit", "Benko Gambit"),
    ("orangutan", "Polish Opening"),
    ("sokolsky", "Polish Opening"),
    ("sokolskyopening", "Polish Opening"),
    ("larsensopening", "Nimzo-Larsen Attack"),
    ("robatsch", "Modern Defense"),
    ("robatschdefense", "Modern Defense"),
    ("ufimtsev", "Pirc Defense"),
    ("ufimtsevdefense", "Pirc Defense"),
    ("nordicgambit", "Danish Gambit"),
    ("pelikan", "Sicilian Defense: Sveshnikov Variation"),
    ("laskerpelikan", "Sicilian Defense: Sveshnikov Variation"),
    ("qga", "Queen's Gambit Accepted"),
    ("qgd", "Queen's Gambit Declined"),
    ("kid", "King's Indian Defense"),
    ("qid", "Queen's Indian Defense"),
];

/// Returns the words of a text in plain letters, in their usual spelling.
fn usual_words(text: &str) -> Vec<String> {
    let usual = |word: String| {
        let row = SPELLINGS.iter().find(|(other, _)| *other == word);
        row.map_or(word, |(_, usual)| (*usual).to_owned())
    };
    plain_words(text).into_iter().map(usual).collect()
}

/// Returns the start and end of each word between separators, which have one byte each.
fn words<'t>(
    text: &'t str,
    separators: &'static [char],
) -> impl Iterator<Item = (usize, usize)> + 't {
    text.split(separators).scan(0, |at, word| {
        let start = *at;
        *at += word.len() + 1;
        Some((start, start + word.len()))
    })
}

/// Codes of openings, such as `B20-B99` or `B9`, from the first to the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRange([String; 2]);

impl CodeRange {
    /// Parses a code, a part of one, or two with a dash between them, in either order. The letter of
    /// a part is a capital one: `c4` is a move, while `c44` is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<CodeRange> {
        let (first, last) = text.split_once(['-', '–']).unwrap_or((text, text));
        let whole = |code: &str, rest: &str| {
            let code = code.trim();
            let digits = code.strip_prefix(|c: char| matches!(c, 'A'..='E' | 'a'..='e'))?;
            let is_code = digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
            let is_code = is_code && (digits.len() == 2 || code.starts_with(char::is_uppercase));
            is_code.then(|| format!("{}{}", code.to_ascii_uppercase(), &rest[digits.len()..]))
        };
        let range = [whole(first, "00")?, whole(last, "99")?];
        if range[0] <= range[1] {
            return Some(CodeRange(range));
        }
        Some(CodeRange([whole(last, "00")?, whole(first, "99")?]))
    }

    /// Returns the filter for the games with these codes.
    #[must_use]
    pub fn filter(&self) -> String {
        match &self.0 {
            [first, last] if first == last => format!("openingcode == \"{first}\""),
            [first, last] => format!("\"{first}\" <= openingcode <= \"{last}\""),
        }
    }
}

impl Display for CodeRange {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&if self.0[0] == self.0[1] { self.0[0].clone() } else { self.0.join("–") })
    }
}

/// Number of words of [`Table::occupied`].
const N_WORDS: usize = 1 << 10;

/// Returns the word and the bit of [`Table::occupied`] for the occupied squares of a position.
fn place_of(position: &Position) -> (usize, u64) {
    let mixed = position.board.occupied().0.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 48;
    (mixed as usize % N_WORDS, 1 << (mixed >> 10))
}

/// Returns the key of a position in [`Table::by_position`]. As for a repetition, a square for capturing
/// en passant counts only if the capture is legal.
fn key_of(position: &Position) -> u64 {
    polyglot_key(&Position { en_passant: position.en_passant_capture(), ..*position })
}

/// The rows alone: two tables with the same text are the same in every process, which tells whether
/// two jobs have the same options.
impl fmt::Debug for Table {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.rows).finish()
    }
}

impl Table {
    fn parse(text: &str) -> Result<Table, TableError> {
        let mut lines = text.lines().enumerate();
        let header = lines.next().map_or("", |(_, line)| line);
        let names: Vec<&str> = header.trim_start_matches('\u{feff}').split('\t').collect();
        let mut columns = [0; 3];
        for (column, name) in columns.iter_mut().zip(COLUMNS) {
            *column = names.iter().position(|found| found.trim() == name).ok_or_else(|| {
                let message = format!(
                    "there is no column `{name}`: the first line must name the columns `eco`, \
                     `name` and `pgn`, separated by tabs"
                );
                TableError { line: 1, message }
            })?;
        }
        let mut table = Table::default();
        for (index, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
            let cells: Vec<&str> = line.split('\t').collect();
            let [eco, name, moves] =
                columns.map(|column| cells.get(column).map_or("", |cell| cell.trim()));
            (table.add(eco, name, moves))
                .map_err(|message| TableError { line: index + 1, message })?;
        }
        Ok(table)
    }

    fn at(&self, position: &Position) -> Option<&Opening> {
        let (word, bit) = place_of(position);
        if self.occupied.get(word)? & bit == 0 {
            return None;
        }
        self.by_position.get(&key_of(position)).and_then(|&row| self.rows.get(row))
    }

    /// Returns the opening of a line: that of the last early position that has one, with the number
    /// of half-moves before it.
    fn last_in(&self, line: impl Iterator<Item = Position>) -> Option<(usize, &Opening)> {
        let early = line.take(self.longest + DETOUR + 1).enumerate();
        early.filter_map(|(at, position)| Some((at, self.at(&position)?))).last()
    }

    fn add(&mut self, eco: &str, name: &str, moves: &str) -> Result<(), String> {
        if Eco::parse(eco.as_bytes()).is_none_or(|code| code.as_bytes() != eco.as_bytes()) {
            return Err(format!("`{eco}` is no ECO code"));
        }
        if name.is_empty() {
            return Err("the opening has no name".to_owned());
        }
        let mut index = TagIndex::default();
        index.scan(moves.as_bytes());
        let mut tree = GameTree::default();
        tree.parse(index.tags(moves.as_bytes()));
        let is_whole = tree.stop() == Stop::End && !tree.may_lack_moves() && tree.is_linear();
        if !is_whole || tree.len() < 2 {
            return Err(format!("`{moves}` is not a line of legal moves from the start"));
        }
        let Some(last) = tree.positions().last() else {
            return Err("the opening has no moves".to_owned());
        };
        self.longest = self.longest.max(tree.len() - 1);
        self.by_position.insert(key_of(last), self.rows.len());
        let (word, bit) = place_of(last);
        self.occupied.resize(N_WORDS, 0);
        self.occupied[word] |= bit;
        self.rows.push(Opening { eco: eco.into(), name: name.into(), moves: moves.into() });
        Ok(())
    }
}

/// Whether a plain word may be one of a name: a word of the name begins with its letter, or with a
/// sign that may be spelled so. Most names are ruled out before they are spelled.
fn may_have(name: &str, word: &str) -> bool {
    let first = word.chars().next();
    let mut before = ' ';
    name.chars().any(|letter| {
        let begins = !before.is_alphanumeric();
        before = letter;
        begins && (!letter.is_ascii() || first == Some(letter.to_ascii_lowercase()))
    })
}

#[cfg(test)]
mod tests;

//! Games of a segment, stored column by column.

use std::ops::Range;

use board::{SquareSet, Start};
use pgn::summary::{Kinds, NORMAL_COUNTS, PieceCounts, Summary, SummaryTag, counts};
use pgn::{CodedLine, Date, GameResult, GameTree, MoveCode, Stop};

use crate::column::{Column, Lists, Numbers, Texts};
use crate::ipc::{ColumnType, Strips, checksum};
use crate::themes::ThemeCells;

/// Largest number of games in a segment, so that 16 bits number them.
pub const SEGMENT_GAMES: usize = 1 << 16;

/// Completeness of the columns for a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Coverage {
    /// Everything: a main line without variations, from a start given by at most one tag.
    Plain,
    /// All moves including variations. Comments and glyphs are only in the text.
    Annotated,
    /// Only the tags. The text is malformed, or its moves cannot be stored in columns.
    Text,
    /// Nothing: every search skips the game, because its end or its moves cannot be found.
    Skipped,
}

/// Properties of a game, stored as bits.
///
/// Bits 0–1 are the class and bits 9–19 the first [`Kinds`] of the main line. If there are
/// variations, bits 20–30 are those of the whole game. If there are none, bits 22–25 are the
/// remaining kinds, which are about few moves. The other bits have names below.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Flags(pub u32);

impl Flags {
    /// The game has variations, even if they are empty.
    pub const VARIATIONS: Flags = Flags(1 << 2);
    /// The game has comments or glyphs.
    pub const ANNOTATIONS: Flags = Flags(1 << 3);
    /// The texts in the columns equal the tags byte for byte, not converted to UTF-8.
    pub const EXACT_TEXTS: Flags = Flags(1 << 4);
    /// The columns contain all tags: they are in the order of the columns in the text, each at most
    /// once.
    pub const ALL_TAGS: Flags = Flags(1 << 5);
    /// The tag with White's rating is present but empty. Otherwise a missing rating means a missing
    /// tag. Only meaningful together with `ALL_TAGS`.
    pub const EMPTY_WHITE_ELO: Flags = Flags(1 << 6);
    /// The tag with Black's rating is present but empty. See `EMPTY_WHITE_ELO`.
    pub const EMPTY_BLACK_ELO: Flags = Flags(1 << 7);
    /// The game starts from a position given by a FEN tag.
    pub const FEN: Flags = Flags(1 << 8);
    /// The text has the moves exactly as this program writes them, see [`pgn::Verbatim`]. In games
    /// with variations this bit belongs to their kinds.
    const AS_WRITTEN: Flags = Flags(1 << Flags::WHOLE);
    /// The columns represent the whole game, and `cql doctor` finds no issue in it. If the bit is
    /// not set, this is unknown.
    pub const SOUND: Flags = Flags(1 << 31);

    const MAINLINE: u32 = 9;
    const WHOLE: u32 = Flags::MAINLINE + Kinds::FEW;
    const KINDS: u32 = (1 << Kinds::FEW) - 1;

    /// The kinds about few moves are known. Older archives lack them, and games with variations
    /// have no room for them.
    const KNOWS_FEW: Flags = Flags(1 << (Flags::WHOLE + 1));
    const FEW: u32 = Flags::WHOLE + 2;
    const FEW_KINDS: u32 = (1 << Kinds::BITS) - 1 - Flags::KINDS;

    pub(crate) fn of_class(class: Coverage) -> Flags {
        Flags(class as u32)
    }

    pub(crate) fn set(&mut self, flag: Flags, is_set: bool) {
        if is_set {
            self.0 |= flag.0;
        }
    }

    /// Sets the kinds of the main line and, if there are variations, of the whole game.
    pub(crate) fn set_kinds(&mut self, mainline: Kinds, whole: Option<Kinds>) {
        let of_events = |kinds: Kinds| u32::from(kinds.0) & Flags::KINDS;
        self.set(Flags::VARIATIONS, whole.is_some());
        self.0 |= of_events(mainline) << Flags::MAINLINE;
        match whole {
            Some(whole) => self.0 |= of_events(whole) << Flags::WHOLE,
            None => {
                let few = (u32::from(mainline.0) & Flags::FEW_KINDS) >> Kinds::FEW;
                self.0 |= Flags::KNOWS_FEW.0 | few << Flags::FEW;
            }
        }
    }

    /// Records that the text has the moves of a game without variations exactly as this program
    /// writes them.
    pub(crate) fn set_as_written(&mut self) {
        debug_assert!(!self.has(Flags::VARIATIONS));
        self.0 |= Flags::AS_WRITTEN.0;
    }

    fn is_as_written(self) -> bool {
        self.has(Flags::AS_WRITTEN) && !self.has(Flags::VARIATIONS)
    }

    /// Whether one of these bits is set.
    #[inline]
    #[must_use]
    pub const fn has(self, flag: Flags) -> bool {
        self.0 & flag.0 != 0
    }

    /// Returns how completely the columns describe this game.
    #[inline]
    #[must_use]
    pub const fn class(self) -> Coverage {
        match self.0 & 3 {
            0 => Coverage::Plain,
            1 => Coverage::Annotated,
            2 => Coverage::Text,
            _ => Coverage::Skipped,
        }
    }

    /// Kinds of events in the game, with or without its variations. Kinds of which nothing is known
    /// count as happening.
    #[inline]
    #[must_use]
    pub const fn kinds(self, variations: bool) -> Kinds {
        let has_variations = self.has(Flags::VARIATIONS);
        let shift = if variations && has_variations { Flags::WHOLE } else { Flags::MAINLINE };
        let few = if !has_variations && self.has(Flags::KNOWS_FEW) {
            self.0 >> Flags::FEW << Kinds::FEW & Flags::FEW_KINDS
        } else {
            Flags::FEW_KINDS
        };
        Kinds((self.0 >> shift & Flags::KINDS | few) as u16)
    }
}

/// A set of columns.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Columns(u32);

impl Columns {
    pub(crate) const ALL: Columns = Columns(u32::MAX);

    /// Columns whose lists can be read for some rows alone. The other columns have few bytes.
    pub(crate) const IN_STRIPS: Columns = Columns(1 << MOVES | 1 << VARIATION_SQUARES);

    /// Returns the columns with matching names.
    pub fn of(is_such: impl Fn(&str) -> bool) -> Columns {
        let names = Rows::NAMES.iter().enumerate();
        let such = names.filter(|(_, name)| is_such(name));
        Columns(such.fold(0, |columns, (number, _)| columns | 1 << number))
    }

    /// Returns the columns of squares of these pieces, with a bit for each piece by
    /// [`Piece::index`](board::Piece::index), and if `variations` is set, the column of squares in
    /// variations.
    #[must_use]
    pub const fn of_squares(kinds: u16, variations: bool) -> Columns {
        let of_kinds = (kinds as u32 & 0xFFF) << SQUARES;
        Columns(of_kinds | (variations as u32) << VARIATION_SQUARES)
    }

    /// Returns the columns that only serve to rule out games. The moves imply all of them.
    #[must_use]
    pub const fn of_summaries() -> Columns {
        Columns(Columns::of_squares(u16::MAX, true).0 | 1 << MATERIAL)
    }

    /// Returns all columns except `others`.
    #[must_use]
    pub const fn all_but(others: Columns) -> Columns {
        Columns(!others.0)
    }

    /// Whether the column with this number is in the set.
    pub(crate) fn has(self, number: usize) -> bool {
        self.0 >> number & 1 != 0
    }

    /// Returns the union of two sets.
    #[must_use]
    pub fn with(self, others: Columns) -> Columns {
        Columns(self.0 | others.0)
    }
}

/// Number of the column with this name.
const fn number_of(name: &str) -> usize {
    let mut number = 0;
    while number < Rows::NAMES.len() {
        if is_same(Rows::NAMES[number].as_bytes(), name.as_bytes()) {
            return number;
        }
        number += 1;
    }
    panic!("there is no such column")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// The parts of a segment that the rows currently hold.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct RowSource {
    /// Segment whose texts are loaded, identified by the checksum of its footer.
    pub(crate) segment: Option<u64>,
    /// Block of that segment.
    pub(crate) block: Option<usize>,
    /// Columns whose distinct texts are loaded.
    pub(crate) texts: Columns,
    /// For each column, the strips of the block whose cells are loaded.
    pub(crate) strips: [Strips; Rows::NAMES.len()],
}

impl RowSource {
    /// Everything, while games are added.
    const WHOLE: RowSource = RowSource {
        segment: None,
        block: None,
        texts: Columns::ALL,
        strips: [Strips::ALL; Rows::NAMES.len()],
    };

    /// Whether the cell of a column is loaded for a row.
    pub(crate) fn has(&self, column: usize, row: usize) -> bool {
        self.strips[column].has(row)
    }
}

/// Defines each column once: its name in memory and in files, in this order.
macro_rules! columns {
    ($($(#[$doc:meta])* $name:ident: $type:ty = $new:expr,)*) => {
        /// Games of a segment, stored column by column.
        #[derive(Debug)]
        pub struct Rows {
            $($(#[$doc])* pub $name: $type,)*
            /// For each of the twelve pieces, by [`Piece::index`](board::Piece::index), the set of
            /// squares that such a piece occupies at any time in the main line. Each piece has a
            /// column of its own, because most searches need few of them.
            pub squares: [Numbers<u64>; 12],
            /// The themes of the games, if they have been read.
            pub(crate) themes: ThemeCells,
            /// Number of games.
            pub(crate) n_rows: usize,
            pub(crate) shown: RowSource,
        }

        impl Default for Rows {
            fn default() -> Rows {
                Rows {
                    $($name: $new,)*
                    squares: Default::default(),
                    themes: ThemeCells::default(),
                    n_rows: 0,
                    shown: RowSource::WHOLE,
                }
            }
        }

        impl PartialEq for Rows {
            fn eq(&self, other: &Rows) -> bool {
                self.n_rows == other.n_rows
                    && $(self.$name == other.$name)&&*
                    && self.squares == other.squares
            }
        }

        impl Rows {
            /// Names of all columns in files.
            pub const NAMES: &[&str] = &[
                $(stringify!($name),)*
                "white_pawns", "white_knights", "white_bishops",
                "white_rooks", "white_queens", "white_kings",
                "black_pawns", "black_knights", "black_bishops",
                "black_rooks", "black_queens", "black_kings",
            ];

            pub(crate) fn columns(&self) -> Vec<&dyn Column> {
                let mut columns: Vec<&dyn Column> = vec![$(&self.$name),*];
                columns.extend(self.squares.iter().map(|column| column as &dyn Column));
                columns
            }

            pub(crate) fn columns_mut(&mut self) -> Vec<&mut dyn Column> {
                let mut columns: Vec<&mut dyn Column> = vec![$(&mut self.$name),*];
                let of_squares = self.squares.iter_mut();
                columns.extend(of_squares.map(|column| column as &mut dyn Column));
                columns
            }

            /// Appends games of other rows.
            pub(crate) fn append(&mut self, other: &Rows, rows: Range<usize>) {
                self.n_rows += rows.len();
                $(self.$name.append(&other.$name, rows.clone());)*
                for (own, other) in self.squares.iter_mut().zip(&other.squares) {
                    own.append(other, rows.clone());
                }
            }
        }
    };
}

columns! {
    /// Name of the source in the manifest.
    source: Texts = Texts::of_few(),
    /// Byte offset of the game's text in its source. For a source with one game per line, that of
    /// the line.
    offset: Numbers<u64> = Numbers::default(),
    /// Length of the text in bytes. For a source with one game per line, that of the PGN text made
    /// from the line.
    length: Numbers<u32> = Numbers::default(),
    /// Lower half of the checksum of the text (XXH3, 64 bits).
    checksum: Numbers<u32> = Numbers::default(),
    /// Properties stored as bits, see [`Flags`].
    flags: Numbers<u32> = Numbers::default(),
    /// White's rating.
    white_elo: Numbers<u16> = Numbers::with_missing(),
    /// Black's rating.
    black_elo: Numbers<u16> = Numbers::with_missing(),
    /// The Event tag. If a tag occurs twice, columns have the last one.
    event: Texts = Texts::default(),
    /// The Site tag.
    site: Texts = Texts::default(),
    /// The Date tag.
    date: Texts = Texts::default(),
    /// The Round tag.
    round: Texts = Texts::default(),
    /// The White tag.
    white: Texts = Texts::default(),
    /// The Black tag.
    black: Texts = Texts::default(),
    /// Result from the end of the movetext, or from the tag if that is missing.
    result: Texts = Texts::of_few(),
    /// The ECO tag.
    eco: Texts = Texts::default(),
    /// The FEN tag.
    fen: Texts = Texts::of_few(),
    /// Moves with variations, see [`MoveCode`].
    moves: Lists<u16> = Lists::default(),
    /// Codes of captures and promotions, see [`MaterialEvent`](pgn::summary::MaterialEvent).
    material: Lists<u16> = Lists::default(),
    /// For games with variations, the set of squares that each of the twelve pieces occupies at any
    /// time in the whole game.
    variation_squares: Lists<u64> = Lists::default(),
}

impl Rows {
    /// Number of games.
    #[must_use]
    pub fn len(&self) -> usize {
        self.n_rows
    }

    /// Whether there are no games.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.n_rows == 0
    }

    pub(crate) fn clear(&mut self) {
        (self.n_rows, self.shown) = (0, RowSource::WHOLE);
        self.themes.clear();
        self.columns_mut().into_iter().for_each(|column| column.clear());
    }

    /// Removes the games and keeps the distinct texts.
    pub(crate) fn clear_cells(&mut self) {
        self.n_rows = 0;
        self.themes.clear();
        self.columns_mut().into_iter().for_each(|column| column.clear_cells());
    }

    /// Names and types of the columns.
    pub(crate) fn schema(&self) -> Vec<(&'static str, ColumnType)> {
        let kinds = self.columns().into_iter().map(|column| column.kind());
        Rows::NAMES.iter().copied().zip(kinds).collect()
    }

    /// Returns the game of a row.
    #[must_use]
    pub fn game(&self, row: usize) -> StoredGame<'_> {
        StoredGame { rows: self, row }
    }
}

pub(crate) const MOVES: usize = number_of("moves");
const _: () = assert!(Rows::NAMES.len() <= u32::BITS as usize, "a bit for each");
const VARIATION_SQUARES: usize = number_of("variation_squares");
const SQUARES: usize = number_of("white_pawns");
const MATERIAL: usize = number_of("material");
const FEN: usize = number_of("fen");

/// One game of the columns.
#[derive(Clone, Copy)]
pub struct StoredGame<'a> {
    rows: &'a Rows,
    row: usize,
}

impl<'a> StoredGame<'a> {
    /// Properties of the game stored as bits.
    #[must_use]
    pub fn flags(self) -> Flags {
        Flags(self.rows.flags.get(self.row))
    }

    /// Returns how completely the columns describe this game.
    #[must_use]
    pub fn class(self) -> Coverage {
        self.flags().class()
    }

    /// Codes of the moves; empty if they are not in the columns.
    #[must_use]
    pub fn moves(self) -> &'a [u16] {
        self.rows.moves.get(self.row)
    }

    /// Returns the number of positions of the main line with a theme, by its number in the library
    /// of themes; `None` if it is not known or its column has not been read.
    #[inline]
    #[must_use]
    pub fn theme_positions(self, theme: usize) -> Option<u8> {
        self.rows.themes.get(theme, self.row)
    }

    /// Whether this text has the checksum of the game's text.
    #[must_use]
    pub fn is_of(self, text: &[u8]) -> bool {
        self.rows.checksum.get(self.row) == checksum(text) as u32
    }

    /// Result of the game.
    #[must_use]
    pub fn result(self) -> GameResult {
        match self.rows.result.get(self.row) {
            Some(b"1-0") => GameResult::WhiteWins,
            Some(b"0-1") => GameResult::BlackWins,
            Some(b"1/2-1/2") => GameResult::Draw,
            _ => GameResult::Unknown,
        }
    }

    /// Start position of the game, if the columns have its moves.
    #[must_use]
    pub fn start(self) -> Start {
        let fen = self.rows.fen.get(self.row).filter(|_| self.flags().has(Flags::FEN));
        let start = fen.and_then(|fen| Start::parse(fen, false).ok());
        start.unwrap_or_else(|| Start::normal(false))
    }

    /// Plays the moves into a tree. The columns must have them; comments and glyphs are missing.
    ///
    /// # Errors
    /// Damaged columns can have more moves than a game may have, or a variation without a move to
    /// replace.
    pub fn fill(self, tree: &mut GameTree) -> Result<(), Stop> {
        let has_fen = self.flags().has(Flags::FEN);
        tree.read_codes(self.start(), has_fen, self.moves(), self.result())?;
        if self.flags().is_as_written() {
            tree.note_as_written();
        }
        Ok(())
    }

    /// Returns the start and the moves, if the archive has them and the game has no variations. Their
    /// columns must have been read.
    #[must_use]
    pub fn line(self) -> Option<CodedLine<'a>> {
        let has_moves = self.class() <= Coverage::Annotated;
        let is_line = has_moves && !self.flags().has(Flags::VARIATIONS);
        is_line.then(|| CodedLine { start: self.start().position, codes: self.moves() })
    }

    /// Returns the facts known without replaying the moves, or `None` if the columns do not have
    /// the moves. Columns that have not been read give no information, so the caller must load the
    /// columns of the tags that it queries.
    #[inline]
    #[must_use]
    pub fn summary(self) -> Option<RowSummary<'a>> {
        let (game, flags) = (self, self.flags());
        (flags.class() <= Coverage::Annotated).then_some(RowSummary { game, flags })
    }

    /// Whether the columns have all tags, in the order of the text.
    #[must_use]
    pub fn has_all_tags(self) -> bool {
        self.flags().has(Flags::ALL_TAGS)
    }

    /// Calls `visit` with the name and value of each tag that the columns have.
    pub fn visit_tags(self, visit: impl FnMut(&'static str, &[u8])) {
        self.visit_tags_of(u16::MAX, visit);
    }

    /// Does the same as [`Self::visit_tags`] for the tags whose bits are set in `wanted`, by their
    /// place in that order. The columns of other tags need not have been read.
    #[inline]
    pub fn visit_tags_of(self, wanted: u16, mut visit: impl FnMut(&'static str, &[u8])) {
        let (rows, row, flags) = (self.rows, self.row, self.flags());
        let mut bits = wanted;
        let mut is_wanted = || {
            let is_wanted = bits & 1 != 0;
            bits >>= 1;
            is_wanted
        };
        let mut text = |name, texts: &Texts| {
            if is_wanted()
                && let Some(value) = texts.get(row)
            {
                visit(name, value);
            }
        };
        text("Event", &rows.event);
        text("Site", &rows.site);
        text("Date", &rows.date);
        text("Round", &rows.round);
        text("White", &rows.white);
        text("Black", &rows.black);
        text("Result", &rows.result);
        for (name, elos, is_empty) in [
            ("WhiteElo", &rows.white_elo, Flags::EMPTY_WHITE_ELO),
            ("BlackElo", &rows.black_elo, Flags::EMPTY_BLACK_ELO),
        ] {
            if !is_wanted() {
                continue;
            }
            match elos.get(row) {
                0 if flags.has(is_empty) => visit(name, b""),
                0 => {}
                elo => visit(name, digits(elo, &mut [0; 5])),
            }
        }
        let mut text = |name, texts: &Texts| {
            if is_wanted()
                && let Some(value) = texts.get(row)
            {
                visit(name, value);
            }
        };
        text("ECO", &rows.eco);
        text("FEN", &rows.fen);
    }

    /// Returns all tags in the order of the text, or `None` if the columns do not have all of them.
    #[must_use]
    pub fn all_tags(self) -> Option<Vec<(&'static str, Vec<u8>)>> {
        let mut tags = Vec::new();
        self.visit_tags(|name, value| tags.push((name, value.to_vec())));
        self.has_all_tags().then_some(tags)
    }
}

/// Returns a number above 0 in digits, written into `room`.
fn digits(mut number: u16, room: &mut [u8; 5]) -> &[u8] {
    let mut at = room.len();
    while number > 0 {
        at -= 1;
        room[at] = b'0' + (number % 10) as u8;
        number /= 10;
    }
    &room[at..]
}

/// Facts about a game, taken from its columns.
#[derive(Clone, Copy)]
pub struct RowSummary<'a> {
    game: StoredGame<'a>,
    flags: Flags,
}

impl RowSummary<'_> {
    /// Whether a column has been read for this game.
    fn is_there(&self, column: usize) -> bool {
        self.game.rows.shown.has(column, self.game.row)
    }
}

impl Summary for RowSummary<'_> {
    fn text(&self, tag: SummaryTag) -> Option<Option<&[u8]>> {
        let (rows, row) = (self.game.rows, self.game.row);
        let column = match tag {
            SummaryTag::Event => &rows.event,
            SummaryTag::Site => &rows.site,
            SummaryTag::White => &rows.white,
            SummaryTag::Black => &rows.black,
            SummaryTag::Eco => &rows.eco,
        };
        self.flags.has(Flags::EXACT_TEXTS).then(|| column.get(row))
    }

    fn date(&self) -> Date {
        let text = self.game.rows.date.get(self.game.row);
        text.map_or(Date::default(), Date::parse)
    }

    fn ratings(&self) -> [u16; 2] {
        let (rows, row) = (self.game.rows, self.game.row);
        [rows.white_elo.get(row), rows.black_elo.get(row)]
    }

    fn result(&self) -> GameResult {
        self.game.result()
    }

    fn has_fen(&self) -> bool {
        self.flags.has(Flags::FEN)
    }

    fn has_variations(&self) -> bool {
        self.flags.has(Flags::VARIATIONS)
    }

    fn has_annotations(&self) -> bool {
        self.flags.has(Flags::ANNOTATIONS)
    }

    fn start(&self) -> Option<PieceCounts> {
        if self.has_fen() {
            self.is_there(FEN).then(|| counts(&self.game.start().position.board))
        } else {
            Some(NORMAL_COUNTS)
        }
    }

    #[inline]
    fn kinds(&self, variations: bool) -> Kinds {
        self.flags.kinds(variations)
    }

    #[inline]
    fn squares(&self, piece: usize, variations: bool) -> SquareSet {
        let (rows, row) = (self.game.rows, self.game.row);
        let squares = if variations && self.has_variations() {
            rows.variation_squares.get(row).get(piece)
        } else {
            rows.squares[piece].cells().get(row)
        };
        squares.map_or(SquareSet::ALL, |squares| SquareSet(*squares))
    }

    fn plies(&self, variations: bool) -> Option<u16> {
        if !self.has_variations() {
            // known even if the moves themselves have not been read
            return self.game.rows.moves.length(self.game.row).map(|n| n as u16);
        }
        let (mainline, longest) = plies(self.moves()?);
        Some(if variations { longest } else { mainline })
    }

    fn material(&self) -> Option<&[u16]> {
        self.is_there(MATERIAL).then(|| self.game.rows.material.get(self.game.row))
    }

    fn moves(&self) -> Option<&[u16]> {
        self.is_there(MOVES).then(|| self.game.moves())
    }

    #[inline]
    fn theme_positions(&self, theme: usize) -> Option<u8> {
        self.game.theme_positions(theme)
    }
}

/// Returns the lengths in plies of the main line and of the longest line, variations included.
fn plies(moves: &[u16]) -> (u16, u16) {
    let (mut ply, mut longest, mut open) = (0_u16, 0, Vec::new());
    for &code in moves {
        match MoveCode(code) {
            MoveCode::OPEN => {
                open.push(ply);
                ply = ply.saturating_sub(1);
            }
            MoveCode::CLOSE => ply = open.pop().unwrap_or(ply),
            _ => ply = ply.saturating_add(1),
        }
        longest = longest.max(ply);
    }
    (ply, longest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_about_few_moves_are_known_or_count_as_happening() {
        let few = Kinds(Flags::FEW_KINDS as u16);
        let of = |mainline: u16, whole: Option<u16>| {
            let mut flags = Flags::of_class(Coverage::Plain);
            flags.set_kinds(Kinds(mainline), whole.map(Kinds));
            if whole.is_none() {
                flags.set_as_written();
            }
            [flags.kinds(false), flags.kinds(true)]
        };
        let all = Kinds((1 << Kinds::BITS) - 1);
        assert_eq!(of(0, None), [Kinds(0); 2]);
        assert_eq!(of(all.0, None), [all; 2]);
        let some = Kinds::MATE.0 | Kinds::BLACK_HAS_ONE.0 | Kinds::WHITE_HAS_TWO.0;
        assert_eq!(of(some, None), [Kinds(some); 2]);
        assert_eq!(of(some, Some(0)), [Kinds(Kinds::MATE.0 | few.0), few]);
        // an archive of version 5
        assert_eq!(Flags(0).kinds(false), few);
    }
}

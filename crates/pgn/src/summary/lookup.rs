//! The facts that a summary provides.

use std::borrow::Cow;

use board::SquareSet;

use super::{GameSummary, Happenings, Kinds, PieceCounts};
use crate::names::standard_name;
use crate::values::{Date, GameResult};

/// A tag whose value summaries may contain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the tags")]
pub enum SummaryTag {
    Event,
    Site,
    White,
    Black,
    Eco,
}

/// Facts that are known of a game without replaying it, computed on request: most games need few of
/// them. Expensive facts may be unknown.
pub trait Summary {
    /// Returns the value of a tag as written, `Some(None)` if there is no such tag. `None` if an
    /// archive does not know the value, because the text has bytes that are not UTF-8.
    fn text(&self, tag: SummaryTag) -> Option<Option<&[u8]>>;

    /// Returns the date of the game.
    fn date(&self) -> Date;

    /// Returns the ratings of White and Black, 0 if unknown.
    fn ratings(&self) -> [u16; 2];

    /// Returns the result of the game: the token at the end of the moves, or else the tag.
    fn result(&self) -> GameResult;

    /// Whether the game begins with a position of its own.
    fn has_fen(&self) -> bool;

    /// Whether there are variations, even if they are empty.
    fn has_variations(&self) -> bool;

    /// Whether there are comments or annotation glyphs.
    fn has_annotations(&self) -> bool;

    /// Returns the pieces at the start, if known.
    fn start(&self) -> Option<PieceCounts>;

    /// Returns the things that happen at least once, with or without variations.
    fn kinds(&self, variations: bool) -> Kinds;

    /// Returns the squares that such a piece, by [`Piece::index`](board::Piece::index), is on at
    /// any time; all squares if that is not known.
    fn squares(&self, piece: usize, variations: bool) -> SquareSet;

    /// Returns the length of the longest line in half-moves, if known.
    fn plies(&self, variations: bool) -> Option<u16>;

    /// Returns captures and promotions in the order of the moves, see
    /// [`any_material`](super::any_material), if known.
    fn material(&self) -> Option<&[u16]>;

    /// Returns the moves as [`MoveCode`](crate::MoveCode)s, if known.
    fn moves(&self) -> Option<&[u16]>;

    /// Returns the number of positions of the main line with a theme, by its number in the library
    /// of themes, if known.
    fn theme_positions(&self, theme: usize) -> Option<u8> {
        let _ = theme;
        None
    }
}

impl GameSummary<'_> {
    fn happenings(&self, variations: bool) -> &Happenings<'_> {
        if variations { &self.whole } else { &self.mainline }
    }
}

impl Summary for GameSummary<'_> {
    fn text(&self, tag: SummaryTag) -> Option<Option<&[u8]>> {
        let texts = self.texts.as_ref()?;
        Some(match tag {
            SummaryTag::Event => texts.event,
            SummaryTag::Site => texts.site,
            SummaryTag::White => texts.white,
            SummaryTag::Black => texts.black,
            SummaryTag::Eco => texts.eco,
        })
    }

    fn date(&self) -> Date {
        self.date
    }

    fn ratings(&self) -> [u16; 2] {
        self.ratings
    }

    fn result(&self) -> GameResult {
        self.result
    }

    fn has_fen(&self) -> bool {
        self.has_fen
    }

    fn has_variations(&self) -> bool {
        self.has_variations
    }

    fn has_annotations(&self) -> bool {
        self.has_annotations
    }

    fn start(&self) -> Option<PieceCounts> {
        self.start
    }

    fn kinds(&self, variations: bool) -> Kinds {
        self.happenings(variations).kinds
    }

    fn squares(&self, piece: usize, variations: bool) -> SquareSet {
        let reach = self.happenings(variations).reach;
        reach.map_or(SquareSet::ALL, |reach| SquareSet(reach[piece]))
    }

    fn plies(&self, variations: bool) -> Option<u16> {
        self.happenings(variations).plies
    }

    fn material(&self) -> Option<&[u16]> {
        self.material
    }

    fn moves(&self) -> Option<&[u16]> {
        self.moves
    }
}

/// Returns a player's normalized name for the text of the tag; `?` if it is missing.
#[must_use]
pub fn player_name(text: Option<&[u8]>) -> Cow<'_, [u8]> {
    standard_name(text.unwrap_or(b"?"))
}

//! What is asked of a summary.

use std::borrow::Cow;

use board::SquareSet;

use super::{GameSummary, Happenings, Kinds, PieceCounts};
use crate::names::standard_name;
use crate::values::{Date, GameResult};

/// A tag that summaries have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the names are those of the tags")]
pub enum SummaryTag {
    Event,
    Site,
    White,
    Black,
    Eco,
}

/// What is known of a game without replaying it, looked up as it is asked for: of most games that is
/// little. What is dear to get at may be unknown.
pub trait Summary {
    /// The value of a tag as it stands in the text, if there is such a tag. None if that is not
    /// known, since the text has bytes that are not UTF-8 and an archive has not.
    fn text(&self, tag: SummaryTag) -> Option<Option<&[u8]>>;

    /// The date of the game.
    fn date(&self) -> Date;

    /// The ratings of White and Black, 0 if unknown.
    fn ratings(&self) -> [u16; 2];

    /// How the game ended: by the token at the end of the moves, else by the tag.
    fn result(&self) -> GameResult;

    /// Whether the game begins with a position of its own.
    fn has_fen(&self) -> bool;

    /// Whether there are variations, be they empty.
    fn has_variations(&self) -> bool;

    /// Whether there are comments or annotation glyphs.
    fn has_annotations(&self) -> bool;

    /// The pieces at the start, if that is known.
    fn start(&self) -> Option<PieceCounts>;

    /// What happens at least once, with or without variations.
    fn kinds(&self, variations: bool) -> Kinds;

    /// The squares that such a piece, by [`Piece::index`](board::Piece::index), stands on at any
    /// time; all where that is not known.
    fn squares(&self, piece: usize, variations: bool) -> SquareSet;

    /// The length of the longest line in half-moves, if it is known.
    fn plies(&self, variations: bool) -> Option<u16>;

    /// Captures and promotions in the order of the moves, see [`visit_material`](super::visit_material),
    /// if they are known.
    fn material(&self) -> Option<&[u16]>;

    /// The moves as [`MoveCode`](crate::MoveCode)s, if they are known.
    fn moves(&self) -> Option<&[u16]>;
}

impl GameSummary<'_> {
    fn happenings(&self, variations: bool) -> &Happenings<'_> {
        match variations {
            true => &self.whole,
            false => &self.mainline,
        }
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

/// A player's name by the text of the tag, normalized; `?` if missing.
#[must_use]
pub fn player_name(text: Option<&[u8]>) -> Cow<'_, [u8]> {
    standard_name(text.unwrap_or(b"?"))
}

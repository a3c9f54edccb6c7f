//! What can be wrong with a game file, as plain values.
//!
//! The reference implementation (CQL 6.2) ends the whole run at each of these. Here a fault belongs
//! to one game: it is repaired, or that game is skipped, and whoever reads the file decides what to
//! make of it.

use std::fmt;

/// What is wrong with a game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum FaultKind {
    /// A byte 0; read as white space.
    NulByte,
    /// Blank lines between tags; read as one tag section.
    BlankLineInTags,
    /// A tag line without `]`.
    UnclosedTag,
    /// A `[` among the moves; the moves are read up to it.
    BracketInMoves,
    /// The next game begins before a result; the result is that of the Result tag.
    MissingResult,
    /// The input ends before a result; the result is that of the Result tag.
    MissingEnd,
    /// A game without tags; it gets the default ones.
    MissingTags,
    /// Text at the end of the input that has neither tags nor a result and does not begin with a
    /// move; skipped.
    TrailingText,
    /// A comment that is never closed, or not within the size of a game; the game is skipped.
    UnclosedComment,
    /// More than [`GAME_LIMIT`](crate::split::GAME_LIMIT) bytes; the game is skipped.
    GameTooLong,
}

impl FaultKind {
    /// Whether the game cannot be read at all.
    #[must_use]
    pub fn skips_game(self) -> bool {
        matches!(
            self,
            FaultKind::TrailingText | FaultKind::UnclosedComment | FaultKind::GameTooLong
        )
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FaultKind::NulByte => "NUL byte read as white space",
            FaultKind::BlankLineInTags => "blank line between tags",
            FaultKind::UnclosedTag => "tag line without `]`",
            FaultKind::BracketInMoves => "`[` among the moves",
            FaultKind::MissingResult => "no result before the next game",
            FaultKind::MissingEnd => "no result before the end of the input",
            FaultKind::MissingTags => "game without tags",
            FaultKind::TrailingText => "text after the last game skipped",
            FaultKind::UnclosedComment => "comment never closed, game skipped",
            FaultKind::GameTooLong => "game too long, skipped",
        })
    }
}

/// A fault and its place in the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault {
    /// What is wrong.
    pub kind: FaultKind,
    /// Offset of the offending byte in the input.
    pub offset: u64,
    /// Its line, from 1.
    pub line: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, byte {}: {}", self.line, self.offset, self.kind)
    }
}

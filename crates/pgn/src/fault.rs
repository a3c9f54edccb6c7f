//! Kinds of faults in a game file, as plain values.
//!
//! The reference implementation (CQL 6.2) ends the whole run at each of these. Here a fault belongs
//! to one game: that game is repaired or skipped, and the caller decides how to report it.

use std::fmt;

/// Kind of a fault in a game.
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
    /// Whether the fault makes the game unreadable.
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

/// Kind of a loss: text that is read otherwise than it was meant, although the game has no fault.
/// The reference reads it in the same way, without a report.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum LossKind {
    /// A tag with a name or value beyond the limit of the reference; not read.
    LongTag,
    /// A tag line without a name or without a value between quotes; not read.
    UnreadTag,
    /// Words in a tag besides its name and its value; not read.
    WordsInTag,
    /// Signs around the name of a tag; they count as part of it.
    SignsInName,
    /// Text after a tag on its line, such as another tag; not read.
    TextBehindTag,
    /// So many games that begin after a tag on its line, or have only CR as line ends; not read.
    GamesBehindTag(u32),
    /// A tag that does not begin its line, before the tags of a game; read as text.
    TagWithinLine,
    /// A tag after a byte order mark, which is at the start of a file that was added to another one;
    /// read as text.
    TagAfterMark,
    /// Text after a result on the same line; not read as part of the game.
    TextOnLineOfResult,
    /// A second tag of a name with another value; one of them counts.
    RepeatedTag,
    /// Moves before the first tags of the input; read as a comment.
    MovesBeforeTags,
    /// The first tag of another game, at the start of a line in a comment; that game is not read.
    TagsInComment,
    /// Text between the result of a game and the tags of the next, above all moves; read as a
    /// comment of the latter.
    TextAfterResult,
}

impl fmt::Display for LossKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LossKind::LongTag => "a tag of more than 252 bytes is not read",
            LossKind::UnreadTag => "a tag without a name or a value between quotes is not read",
            LossKind::WordsInTag => "words in a tag outside of its name and value are not read",
            LossKind::GamesBehindTag(1) => {
                "a game that begins on the line of a tag of another is left out"
            }
            LossKind::GamesBehindTag(n) => {
                return write!(
                    f,
                    "{n} games that begin on the line of a tag of another are left out"
                );
            }
            LossKind::SignsInName => {
                "signs around the name of a tag are read as part of it, which makes it another tag"
            }
            LossKind::TextBehindTag => "what follows a tag in its line is not read",
            LossKind::TagWithinLine => "a tag that does not begin its line is read as text",
            LossKind::TagAfterMark => {
                "a tag after a byte order mark, as between joined files, is read as text"
            }
            LossKind::TextOnLineOfResult => {
                "text after the result on its line is not read as part of the game"
            }
            LossKind::RepeatedTag => {
                "a tag occurs again with another value; the last one counts, of ratings the first"
            }
            LossKind::MovesBeforeTags => {
                "moves before the tags are read as a comment before the first move"
            }
            LossKind::TagsInComment => {
                "a comment contains the tags of another game, and is not closed before"
            }
            LossKind::TextAfterResult => {
                "text after the result of the game before; it is read as a comment to this game"
            }
        })
    }
}

/// A fault or a loss with its place in the input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fault<K = FaultKind> {
    /// Kind of the fault.
    pub kind: K,
    /// Offset of the offending byte in the input.
    pub offset: u64,
    /// Line of that byte, from 1.
    pub line: u64,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, byte {}: {}", self.line, self.offset, self.kind)
    }
}

/// A place in a game from which on its moves are not read as they were meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loss {
    /// Byte offset in the text of the game.
    pub at: usize,
    /// Description of the issue; lower case, no full stop.
    pub what: String,
    /// Number of written moves that are lost, including those of variations.
    pub n_moves: u32,
}

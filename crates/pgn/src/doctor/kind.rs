//! The kinds of findings, with how a search reads each and how a repair changes it.

use std::fmt;

use crate::fault::FaultKind;

/// Defines [`FindingKind`] and its table with a row for each kind.
macro_rules! kinds {
    ($($kind:ident $name:literal, $reading:literal, $repair:literal;)*) => {
        /// Kind of an issue in a game.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        #[non_exhaustive]
        pub enum FindingKind {
            $(#[doc = $name] $kind,)*
        }

        const TABLE: &[(FindingKind, &str, &str, &str)] = &[$(($kind, $name, $reading, $repair),)*];
    };
}

use FindingKind::*;

// For each kind: name, reading of a search, change by a repair. The table of
// `docs/src/damaged-games.md` is this one.
kinds! {
    ControlByte "control byte", "read as it stands, NUL as a blank", "replaced by a blank";
    NotUtf8 "not UTF-8", "kept as it stands", "converted from Windows-1252 (Latin-1)";
    LoneCarriageReturn "line end of CR alone",
        "a line end where all lines of the file end so, else a blank",
        "replaced by LF, within a tag by a blank";
    MixedLineEnds "mixed line ends", "read as they stand", "every line ends with LF";
    UnclosedTag "tag without `]`", "read up to the end of the line", "closed";
    BrokenTag "broken tag", "dropped, or read with what stands beside it",
        "put in order, what is no tag becomes a comment";
    LongTag "tag value too long", "dropped", "cut at 252 bytes, the whole tag becomes a comment";
    DuplicateTag "duplicate tag", "the last one counts, of ratings the first",
        "the others become a comment, or are removed if they say the same";
    BlankLineInTags "blank line between tags", "read as one tag section", "removed";
    NoBlankLine "no blank line after the tags", "read as it stands", "inserted";
    TextBeforeTags "text before the tags", "read as a comment before the first move",
        "becomes that comment";
    TextBetweenTags "text between the tags", "the tags and moves after it are not read",
        "becomes a comment before the first move";
    MissingTags "game without tags", "read with default tags", "the seven default tags are added";
    BadFen "invalid FEN",
        "the game is left out, or read from the normal start if its moves are possible there and it has no `SetUp` tag",
        "none: the game is kept as it is";
    EmptyFen "empty FEN tag", "counts as none; other programs give the game up",
        "becomes a comment";
    OddFen "FEN in an odd spelling", "read as far as it is clear; other programs give the game up",
        "written as it is read, the old FEN becomes a comment";
    StandingCheck "FEN with the other side in check",
        "read as it stands; other programs give the game up", "none: it is kept as it is";
    UnknownVariant "moves of an unknown variant", "the game is left out",
        "none: the game is kept as it is";
    ResultTag "Result tag", "the result after the moves counts",
        "set to the result that is read, what it said becomes a comment";
    BlankLineInMoves "blank line among the moves, or several before them",
        "read as it stands; other programs end the game there", "removed";
    HiddenText "`%` within a line, or a remark that does not begin its line",
        "the rest of the line is ignored; other programs read it", "put at the start of a line";
    NestedComment "brace within a comment", "read as `_`", "replaced by a parenthesis";
    UnclosedComment "comment never closed", "the game is left out",
        "closed in front of the result, or at the end";
    SwallowedGame "comment with the tags of another game", "that game is not read",
        "closed before these tags if more positions are read then";
    LostComment "several comments of a move", "the last one is kept", "joined";
    LongComment "comment too long", "cut at 16,000 bytes", "none: it is kept as it is";
    StrayBrace "`}` outside of a comment", "ignored", "removed";
    StrayParenthesis "`)` without `(`", "ignored", "removed";
    UnclosedVariation "variation never closed", "closed at the end of the moves", "closed there";
    EarlyVariation "variation without a move before it", "the moves end there", "becomes a comment";
    BracketInMoves "`[` among the moves", "the moves end there", "becomes a comment";
    OddMove "move in an odd spelling", "as an illegal move, or not at all", "spelled as usual";
    LooseMove "move in a loose spelling",
        "read as the move that is possible; other programs may not read it", "spelled as usual";
    ForeignMove "move with the letters of another language",
        "ignored, or read as the move of another piece", "translated";
    GluedMove "no blank before or after a move",
        "the move, or the comment after an annotation, is lost", "a blank or dot is inserted";
    NoBreakSpace "white space beyond ASCII", "a move before or after it is lost",
        "replaced by a blank";
    UnreadableWord "unreadable word", "ignored", "becomes a comment";
    LostGlyph "glyph without a move, or more than seven of one", "not read", "becomes a comment";
    LostMove "unreadable word in place of a move",
        "ignored: the moves after it may be read as those of the other side",
        "it and the rest of the line become a comment";
    IllegalMove "illegal move", "no further move of the game is read",
        "the rest of the line becomes a comment";
    AmbiguousMove "ambiguous move", "no further move of the game is read",
        "the rest of the line becomes a comment";
    TooManyPositions "too many positions", "the moves end there", "the rest becomes a comment";
    GluedResult "result glued to the last move", "not seen as the result", "a blank is inserted";
    OddResult "result in an odd spelling", "does not end the game",
        "spelled as usual, or a comment if PGN has none like it";
    EarlyResult "text after the result", "ignored",
        "becomes a comment; of a variation the result does";
    SecondResult "second result", "read as a game without moves",
        "removed, or a comment if it is another one";
    LateText "text between a result and the next game",
        "read as a comment to the next game, or as another game",
        "becomes a comment before the result";
    MissingResult "no result", "that of the Result tag", "added";
    GluedGame "next game on the same line", "not seen as a game", "a blank line is inserted";
    TouchingGame "no blank line before a game",
        "read as it stands; other programs may miss the game", "inserted";
    ContinuedGame "game cut in two by a result in a variation", "read as another game",
        "joined with the game before";
    TrailingText "text that is no game", "left out", "becomes comments to the end of the line";
    GameTooLong "game too long", "the game is left out", "none: the game is kept as it is";
}

impl FindingKind {
    /// Returns all kinds in their order.
    pub fn all() -> impl Iterator<Item = FindingKind> {
        TABLE.iter().map(|row| row.0)
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        let row = TABLE.iter().find(|row| row.0 == self);
        row.map_or(("", "", ""), |row| (row.1, row.2, row.3))
    }

    /// Returns how a search reads it.
    #[must_use]
    pub fn reading(self) -> &'static str {
        self.row().1
    }

    /// Returns how a repair changes it.
    #[must_use]
    pub fn repair(self) -> &'static str {
        self.row().2
    }

    /// Whether a search skips something that may have been meant as a move.
    pub(super) fn is_loss(self) -> bool {
        self.loses_moves() && self != EarlyResult
            || matches!(self, HiddenText | UnreadableWord | LostMove | NoBreakSpace)
    }

    /// Whether the moves from there on are not read as they were meant.
    pub(super) fn loses_moves(self) -> bool {
        matches!(
            self,
            OddMove
                | ForeignMove
                | GluedMove
                | IllegalMove
                | AmbiguousMove
                | TooManyPositions
                | EarlyVariation
                | BracketInMoves
                | GluedResult
                | EarlyResult
        )
    }

    /// Whether the repair spells words in another way, or keeps only one of two equal ones.
    pub(super) fn respells(self) -> bool {
        matches!(
            self,
            OddMove
                | LooseMove
                | ForeignMove
                | GluedMove
                | OddResult
                | SecondResult
                | ResultTag
                | DuplicateTag
        )
    }

    /// Returns the order of repair, lowest first: bytes, tags, moves.
    pub(super) fn layer(self) -> u8 {
        match self {
            ControlByte | NotUtf8 | LoneCarriageReturn | MixedLineEnds => 0,
            UnclosedTag | BrokenTag | LongTag | DuplicateTag | BlankLineInTags | NoBlankLine => 1,
            SwallowedGame | TextBeforeTags | TextBetweenTags | MissingTags | BadFen | EmptyFen
            | OddFen | TouchingGame => 1,
            _ => 2,
        }
    }

    /// Whether a word was not understood, so that a foreign language may explain it.
    pub(super) fn is_unread(self) -> bool {
        matches!(self, UnreadableWord | LostMove | IllegalMove | AmbiguousMove)
    }

    /// Returns the kind for a fault of the scanner.
    pub(super) fn of_fault(kind: FaultKind) -> FindingKind {
        match kind {
            FaultKind::NulByte => ControlByte,
            FaultKind::BlankLineInTags => BlankLineInTags,
            FaultKind::UnclosedTag => UnclosedTag,
            FaultKind::BracketInMoves => BracketInMoves,
            FaultKind::MissingResult | FaultKind::MissingEnd => MissingResult,
            FaultKind::MissingTags => MissingTags,
            FaultKind::TrailingText => TrailingText,
            FaultKind::UnclosedComment => UnclosedComment,
            FaultKind::GameTooLong => GameTooLong,
        }
    }
}

/// Displays the name.
impl fmt::Display for FindingKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.row().0)
    }
}

//! Filters with a string as their value, and what is printed.

use ecma_regex::Regex;
use syntax::Span;
use syntax::builtin::{PositionText, SetToText, TextToText};
use syntax::token::Group;
use syntax::tree::{DictionaryId, EngineLimit, HhdbText, Relation, VariableId};

use super::flow::Flow;
use super::game::GameText;
use super::id::{BoolId, NumId, PosId, SetId, TextId};

/// A string of bytes, or no value.
#[derive(Debug, Clone)]
pub enum TextFilter {
    /// The same everywhere.
    Constant(Box<[u8]>),
    /// The value of a variable; a fault where it has none.
    Variable(VariableId, Span),
    /// A fact of the game.
    Game(GameText),
    /// The names of both players.
    Players,
    /// `fen`
    Fen,
    /// A word for the position.
    OfPosition(PositionText),
    /// The comment that the position has in the input.
    OriginalComment,
    /// A text of a problem in the Harold van der Heijden database.
    Hhdb(HhdbText),
    /// `+`
    Concatenate(TextId, TextId),
    /// `S[…]`
    Substring(TextId, Slice),
    /// `S ~~ "pattern"`
    Match(TextId, Pattern),
    /// Every match of the expression in the first string becomes the second.
    Replace(TextId, Pattern, TextId),
    /// A group of the last match.
    Group(Group, Span),
    /// `str`
    Str(Box<[Item]>),
    /// A word with a text behind it.
    OfText(TextToText, TextId),
    /// `ascii` of a number.
    AsciiCharacter(NumId),
    /// A word with a set behind it.
    OfSet(SetToText, SetId),
    /// `readfile`
    ReadFile(TextId, Span),
    /// `commandpipe`: the name of the program, and what it is told.
    CommandPipe(Box<str>, Box<[Item]>, Span),
    /// The best move.
    Engine(EngineLimit, Span),
    /// The left text, where the two compare so.
    Relation(Relation, TextId, TextId),
    /// `max`, `min`
    Extremum {
        /// The greatest, else the least.
        max: bool,
        /// Of these.
        items: Box<[TextId]>,
    },
    /// Blocks and their like.
    Flow(Flow<TextId>),
}

/// What `S[…]` selects.
pub type Slice = syntax::tree::Slice<NumId>;

/// What `comment`, `message`, `str` print.
#[derive(Debug, Clone)]
pub enum Item {
    /// A string in quotes.
    Literal(Box<[u8]>),
    /// `true` or `false`.
    Bool(BoolId),
    /// The names of its squares.
    Set(SetId),
    /// A number.
    Num(NumId),
    /// A text.
    Text(TextId),
    /// Where a position is.
    Pos(PosId),
    /// A variable by itself: may be unbound.
    Variable(VariableId),
    /// All entries of a dictionary.
    Dictionary(DictionaryId),
}

/// A regular expression.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// Known before the query runs.
    Fixed(Box<Regex>),
    /// The value of a string.
    Computed(TextId, Span),
}

//! Filters with a string as their value, and items that are printed.

use ecma_regex::Regex;
use syntax::Span;
use syntax::builtin::{PositionText, SetToText, TextToText};
use syntax::token::Group;
use syntax::tree::{DictionaryId, EngineQuestion, HhdbText, Relation, VariableId};

use super::flow::Flow;
use super::game::GameText;
use super::id::{BoolId, NumId, PosId, SetId, TextId};

/// A string of bytes, or no value.
#[derive(Debug, Clone)]
pub enum TextFilter {
    /// A constant.
    Constant(Box<[u8]>),
    /// The value of a variable; an evaluation error if it has none.
    Variable(VariableId, Span),
    /// A fact of the game.
    Game(GameText),
    /// The names of both players.
    Players,
    /// `fen`
    Fen,
    /// A word that describes the position.
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
    Str(Box<[PrintItem]>),
    /// A word followed by a text.
    OfText(TextToText, TextId),
    /// `ascii` of a number.
    AsciiCharacter(NumId),
    /// A word followed by a set.
    OfSet(SetToText, SetId),
    /// `readfile`
    ReadFile(TextId, Span),
    /// `commandpipe`: the name of the program, and the items that are sent to it.
    CommandPipe(Box<str>, Box<[PrintItem]>, Span),
    /// The best move.
    Engine(EngineQuestion, Span),
    /// The left text, if the two are in this relation.
    Relation(Relation, TextId, TextId),
    /// `max`, `min`
    Extremum {
        /// Whether the greatest operand is the value, else the least.
        max: bool,
        /// The operands.
        items: Box<[TextId]>,
    },
    /// Blocks and their like.
    Flow(Flow<TextId>),
}

/// The part of a string that `S[…]` selects.
pub type Slice = syntax::tree::Slice<NumId>;

/// Items that `comment`, `message`, `str` print.
#[derive(Debug, Clone)]
pub enum PrintItem {
    /// A string in quotes.
    Literal(Box<[u8]>),
    /// `true` or `false`.
    Bool(BoolId),
    /// The names of the squares of a set.
    Set(SetId),
    /// A number.
    Num(NumId),
    /// A text.
    Text(TextId),
    /// The location of a position in the game.
    Pos(PosId),
    /// A variable alone, which may be unbound.
    Variable(VariableId),
    /// All entries of a dictionary.
    Dictionary(DictionaryId),
}

/// A regular expression.
#[derive(Debug, Clone)]
pub enum Pattern {
    /// Known before the query runs.
    Fixed(Box<Regex>),
    /// The value of a string filter.
    Computed(TextId, Span),
}

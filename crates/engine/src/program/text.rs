//! Filters with a string as their value, and what is printed.

use ecma_regex::Regex;
use syntax::Span;
use syntax::builtin::{PositionText, SetToText, TextToText};
use syntax::tree::{DictionaryId, HhdbText, Relation, VariableId};

use super::flow::Flow;
use super::game::GameText;
use super::id::{BoolId, NumId, PosId, SetId, TextId};

/// A string of bytes, or no value.
#[derive(Debug, Clone)]
pub(crate) enum TextFilter {
    Constant(Box<[u8]>),
    Variable(VariableId, Span),
    Game(GameText),
    Players,
    Fen,
    OfPosition(PositionText),
    OriginalComment,
    Hhdb(HhdbText),
    Concatenate(TextId, TextId),
    Substring(TextId, Slice),
    Match(TextId, Box<Regex>),
    Group(u8, Span),
    Str(Box<[Item]>),
    OfText(TextToText, TextId),
    AsciiCharacter(NumId),
    OfSet(SetToText, SetId),
    ReadFile(TextId, Span),
    Relation(Relation, TextId, TextId),
    Extremum { max: bool, items: Box<[TextId]> },
    Flow(Flow<TextId>),
}

/// What `S[…]` selects.
pub(crate) type Slice = syntax::tree::Slice<NumId>;

/// What `comment`, `message`, `str` print.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Literal(Box<[u8]>),
    Bool(BoolId),
    Set(SetId),
    Num(NumId),
    Text(TextId),
    Pos(PosId),
    /// A variable by itself: may be unbound.
    Variable(VariableId),
    Dictionary(DictionaryId),
}

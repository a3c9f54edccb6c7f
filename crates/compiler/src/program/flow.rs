//! Constructs that exist for every type of value.

use syntax::tree::{DictionaryId, SortId, VariableId};

use super::id::{BoolId, DashId, PosId, Value};
use super::moves::TrialFilter;
use super::position::Imagine;

/// Constructs that exist for every type of value; `V` is the id type of the value.
#[derive(Debug, Clone)]
pub enum Flow<V> {
    /// `{ F… V }`: all conditions, then the value.
    Block(Box<[BoolId]>, V),
    /// `if C then V else V`
    If(BoolId, V, V),
    /// `P : V`
    At(PosId, V),
    /// A function call: binds hidden variables, then evaluates the body.
    Call(Box<[(VariableId, Value)]>, V),
    /// `D[k]`
    Lookup(DictionaryId, Value),
    /// The value of the target of a dash, for a move that follows in the game.
    Dash(DashId, V),
    /// The value of the target of a dash, for moves that could be played.
    Tried(Box<TrialFilter>, V),
    /// `imagine … : V`
    Imagine(Box<Imagine>, V),
    /// The value of the target of a dash, for the move that led here.
    CurrentMove(DashId, V),
    /// `sort`
    Sort(SortId, SortFilter<V>),
}

/// Settings and argument of a `sort` filter.
#[derive(Debug, Clone, Copy)]
pub struct SortFilter<V> {
    /// Whether the least value is kept.
    pub ascending: bool,
    /// The argument.
    pub body: V,
    /// Index among the `sort` filters, each of which keeps comments of its own.
    pub index: u32,
}

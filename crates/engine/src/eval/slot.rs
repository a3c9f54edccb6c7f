//! Types of values: computed ones, values of variables, and keys of dictionaries.

use board::SquareSet;

/// A value of any type, for assignments, dictionaries and `equal`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Computed {
    Bool(bool),
    Set(SquareSet),
    Num(i32),
    Text(Vec<u8>),
    Pos(u32),
}

/// The value of a variable.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) enum Slot {
    #[default]
    Unbound,
    Set(SquareSet),
    Number(i32),
    Text(Vec<u8>),
    Position(u32),
    Piece(u8),
}

impl Slot {
    /// Returns the number of bytes of its text, or 0 if it is no text.
    #[inline]
    pub(crate) fn text_len(&self) -> usize {
        match self {
            Slot::Text(text) => text.len(),
            _ => 0,
        }
    }
}

impl From<Computed> for Slot {
    fn from(value: Computed) -> Slot {
        match value {
            // Booleans are rejected where values are bound
            Computed::Bool(_) => Slot::Unbound,
            Computed::Set(set) => Slot::Set(set),
            Computed::Num(number) => Slot::Number(number),
            Computed::Text(text) => Slot::Text(text),
            Computed::Pos(position) => Slot::Position(position),
        }
    }
}

/// A key of a dictionary, in the order of iteration.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Key {
    Number(i32),
    Text(Vec<u8>),
    Set(u64),
    Position(u32),
}

impl Key {
    /// Returns the approximate number of bytes that the key takes.
    pub(crate) fn size(&self) -> usize {
        size_of::<Key>() + self.text_len()
    }

    /// Returns the number of bytes of its text, or 0 if it is no text.
    pub(crate) fn text_len(&self) -> usize {
        match self {
            Key::Text(text) => text.len(),
            _ => 0,
        }
    }
}

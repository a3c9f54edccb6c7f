//! Types of filters.

/// The static type of a filter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Type {
    /// No value: the filter matches or does not.
    Boolean,
    /// A set of squares; never fails, may be empty.
    Set,
    /// A signed 32-bit number, or no value.
    Numeric,
    /// A string of bytes, or no value.
    String,
    /// A position of the current game, or no value.
    Position,
}

//! Ids of filters: their indices in the arenas of a program.

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {
        $(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
            pub struct $name(pub u32);
        )*
    };
}

ids! {
    /// A condition, which matches or does not.
    BoolId,
    /// A filter with a set of squares as its value.
    SetId,
    /// A filter with a number as its value.
    NumId,
    /// A filter with a string as its value.
    TextId,
    /// A filter with a position as its value.
    PosId,
    /// A dash with its operands.
    DashId,
    /// A path.
    PathId,
}

/// A filter of any type, where the type does not matter or is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Whether a filter matches.
    Bool(BoolId),
    /// A set of squares.
    Set(SetId),
    /// A number.
    Num(NumId),
    /// A text.
    Text(TextId),
    /// A position.
    Pos(PosId),
}

//! Groups the filters of CQL 5 by their types, for functions that leave some to others. Filters in
//! no group (`attack`, `or` …) can have several types, and `move` is a set or a condition. A user
//! of a group must import the filters as `K`.

/// Filters that are neither sets nor numbers.
macro_rules! conditions {
    () => {
        K::Nullary(_)
            | K::Block(_)
            | K::Player(..)
            | K::Site(_)
            | K::Event(_)
            | K::Result(_)
            | K::HasComment(_)
            | K::Relation(_)
            | K::Comment(_)
            | K::CommentSet(_)
    };
}

/// Filters that are sets whatever their operands are.
macro_rules! sets {
    () => {
        K::Designator { .. }
            | K::All
            | K::SquareColor { .. }
            | K::On(_)
            | K::Between(..)
            | K::Direction { .. }
            | K::Origin(_)
    };
}

/// Numbers in a range.
macro_rules! numbers {
    () => {
        K::CountSquares(..)
            | K::Power(..)
            | K::PowerDifference(..)
            | K::MoveNumber(_)
            | K::Year(_)
            | K::Elo(..)
    };
}

pub(super) use {conditions, numbers, sets};

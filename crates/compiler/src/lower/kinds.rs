//! Groups the filters of the tree by the types that their values can have.
//!
//! Every function that lowers filters of one type names the groups that it leaves to others, so
//! that a new filter in the tree cannot be forgotten: no function has an arm for it. The filters in
//! no group (`find`, `move`, `path` …) have several types.
//!
//! A user of a group must import the filters as `K` and the classes of words by their names.

/// Filters that exist for every type of value.
macro_rules! composed {
    () => {
        K::At(..)
            | K::Block(_)
            | K::Call { .. }
            | K::CurrentMove(_)
            | K::Dash(_)
            | K::If(..)
            | K::Imagine(_)
            | K::Lookup(..)
            | K::NoTransform(_)
            | K::Sort { .. }
            | K::Tried(_)
    };
}

/// Filters that have no value.
macro_rules! conditions {
    () => {
        K::And(_)
            | K::Assert(_)
            | K::Assign { .. }
            | K::AssignEntry(..)
            | K::AssignPiece(..)
            | K::AssignSlice { .. }
            | K::Comment(_)
            | K::Contains(..)
            | K::Dictionary(_)
            | K::DictionaryDeclaration(_)
            | K::DictionaryLoop { .. }
            | K::Equal(..)
            | K::FenPattern(_)
            | K::Classed { .. }
            | K::FunctionDefinition
            | K::HasNag(_)
            | K::HhdbFlag(_)
            | K::In(..)
            | K::IsBound(_)
            | K::Loop(_)
            | K::Message { .. }
            | K::Not(_)
            | K::Or(_)
            | K::Result(_)
            | K::RemoveTag(_)
            | K::SetTag(..)
            | K::SimilarPosition { .. }
            | K::Unbind(_)
            | K::UnbindDictionary(_)
            | K::UnbindEntry(..)
            | K::While(..)
            | K::WhileMatch { .. }
            | K::WriteFile(..)
            | K::Nullary(Nullary::Constant(_) | Nullary::Turn(_) | Nullary::Predicate(_))
            | K::Binary(Binary::PositionsToBoolean(_), ..)
            | K::RemoveComment
    };
}

/// Filters that can only be sets.
macro_rules! sets {
    () => {
        K::AttackedBy(..)
            | K::Attacks(..)
            | K::Complement(_)
            | K::Designator(_)
            | K::Direction { .. }
            | K::FenSet(_)
            | K::Intersect(..)
            | K::Legal(_)
            | K::MakeSquare(..)
            | K::MakeSquareFromText(_)
            | K::Pin(_)
            | K::Ray(_)
            | K::SameContent(..)
            | K::SquareColor { .. }
            | K::SquareLoop(_)
            | K::Union(..)
            | K::Nullary(
                Nullary::MoveEnd(_)
                    | Nullary::PawnStructure(_)
                    | Nullary::SetSource(_)
                    | Nullary::Drawn(_),
            )
            | K::Unary(Unary::SetToSet(_), _)
            | K::Binary(Binary::SetsToSet(_), ..)
            | K::AllSquares
            | K::NoSquares
    };
}

/// Filters that can only be numbers.
macro_rules! numbers {
    () => {
        K::Arithmetic(..)
            | K::AsciiCode(_)
            | K::ConsecutiveMoves(_)
            | K::CountMoves(_)
            | K::DictionarySize(_)
            | K::Echo(_)
            | K::GroupIndex(_)
            | K::HhdbAward(_)
            | K::Length(_)
            | K::Likeness(_)
            | K::Negate(_)
            | K::Number(_)
            | K::PieceIdOf(_)
            | K::Nullary(
                Nullary::ColorNumber(_) | Nullary::NumberSource(_) | Nullary::PathNumber(_),
            )
            | K::Unary(Unary::SetToNumber(_) | Unary::NumberToNumber(_) | Unary::TextToNumber(_), _)
            | K::Binary(Binary::TextsToNumber(_) | Binary::PositionsToNumber(_), ..)
            | K::Cardinality(_)
            | K::Elo(_)
            | K::HhdbEgDiagram
    };
}

/// Filters that can only be strings.
macro_rules! texts {
    () => {
        K::AsciiCharacter(_)
            | K::Concatenate(..)
            | K::CommandPipe { .. }
            | K::Group(_)
            | K::Match { .. }
            | K::ReadFile(_)
            | K::Replace { .. }
            | K::Str(_)
            | K::Substring(..)
            | K::Text(_)
            | K::TextSource(_)
            | K::Nullary(Nullary::PositionText(_))
            | K::Unary(Unary::TextToText(_) | Unary::SetToText(_), _)
    };
}

/// Filters that can only be positions.
macro_rules! positions {
    () => {
        K::ChildPosition(_)
            | K::Nullary(Nullary::PositionSource(_) | Nullary::PathPosition(_))
            | K::Unary(Unary::NumberToPosition(_), _)
            | K::Binary(Binary::PositionsToPosition(_), ..)
    };
}

pub(super) use {composed, conditions, numbers, positions, sets, texts};

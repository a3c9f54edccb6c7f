//! The filters of the tree by the types that their values can have.
//!
//! Every function that lowers filters of one type names the groups that it leaves to others, so
//! that a filter which is new in the tree cannot be forgotten: no function has an arm for it. The
//! filters in no group (`find`, `move`, `path` …) have several types.

/// Filters that exist for every type of value.
macro_rules! composed {
    () => {
        syntax::tree::FilterKind::At(..)
            | syntax::tree::FilterKind::Block(_)
            | syntax::tree::FilterKind::Call { .. }
            | syntax::tree::FilterKind::CurrentMove(_)
            | syntax::tree::FilterKind::Dash(_)
            | syntax::tree::FilterKind::If { .. }
            | syntax::tree::FilterKind::Lookup(..)
            | syntax::tree::FilterKind::NoTransform(_)
            | syntax::tree::FilterKind::Sort { .. }
    };
}

/// Filters that have no value.
macro_rules! conditions {
    () => {
        syntax::tree::FilterKind::And(_)
            | syntax::tree::FilterKind::Assert(_)
            | syntax::tree::FilterKind::Assign { .. }
            | syntax::tree::FilterKind::AssignEntry(..)
            | syntax::tree::FilterKind::AssignPiece(..)
            | syntax::tree::FilterKind::AssignSlice { .. }
            | syntax::tree::FilterKind::Comment(_)
            | syntax::tree::FilterKind::Contains(..)
            | syntax::tree::FilterKind::Dictionary(_)
            | syntax::tree::FilterKind::DictionaryDeclaration(_)
            | syntax::tree::FilterKind::DictionaryLoop { .. }
            | syntax::tree::FilterKind::Equal(..)
            | syntax::tree::FilterKind::FenPattern(_)
            | syntax::tree::FilterKind::FunctionDefinition
            | syntax::tree::FilterKind::HasNag(_)
            | syntax::tree::FilterKind::HhdbFlag(_)
            | syntax::tree::FilterKind::In(..)
            | syntax::tree::FilterKind::IsBound(_)
            | syntax::tree::FilterKind::Loop(_)
            | syntax::tree::FilterKind::Message { .. }
            | syntax::tree::FilterKind::Not(_)
            | syntax::tree::FilterKind::Or(_)
            | syntax::tree::FilterKind::Result(_)
            | syntax::tree::FilterKind::SetTag(..)
            | syntax::tree::FilterKind::SimilarPosition { .. }
            | syntax::tree::FilterKind::Unbind(_)
            | syntax::tree::FilterKind::UnbindDictionary(_)
            | syntax::tree::FilterKind::UnbindEntry(..)
            | syntax::tree::FilterKind::While(..)
            | syntax::tree::FilterKind::WhileMatch { .. }
            | syntax::tree::FilterKind::WriteFile(..)
            | syntax::tree::FilterKind::Nullary(
                syntax::builtin::Nullary::Constant(_)
                    | syntax::builtin::Nullary::Turn(_)
                    | syntax::builtin::Nullary::Predicate(_),
            )
            | syntax::tree::FilterKind::Binary(syntax::builtin::Binary::PositionsToBoolean(_), ..)
            | syntax::tree::FilterKind::RemoveComment
    };
}

/// Filters that can only be sets.
macro_rules! sets {
    () => {
        syntax::tree::FilterKind::AttackedBy(..)
            | syntax::tree::FilterKind::Attacks(..)
            | syntax::tree::FilterKind::Complement(_)
            | syntax::tree::FilterKind::Designator(_)
            | syntax::tree::FilterKind::Direction { .. }
            | syntax::tree::FilterKind::Intersect(..)
            | syntax::tree::FilterKind::Legal(_)
            | syntax::tree::FilterKind::MakeSquare(..)
            | syntax::tree::FilterKind::MakeSquareFromText(_)
            | syntax::tree::FilterKind::Pin { .. }
            | syntax::tree::FilterKind::Ray { .. }
            | syntax::tree::FilterKind::SameContent(..)
            | syntax::tree::FilterKind::SquareColor { .. }
            | syntax::tree::FilterKind::SquareLoop(_)
            | syntax::tree::FilterKind::Union(..)
            | syntax::tree::FilterKind::Nullary(
                syntax::builtin::Nullary::MoveEnd(_)
                    | syntax::builtin::Nullary::PawnStructure(_)
                    | syntax::builtin::Nullary::SetSource(_),
            )
            | syntax::tree::FilterKind::Binary(syntax::builtin::Binary::SetsToSet(_), ..)
            | syntax::tree::FilterKind::AllSquares
            | syntax::tree::FilterKind::NoSquares
    };
}

/// Filters that can only be numbers.
macro_rules! numbers {
    () => {
        syntax::tree::FilterKind::Arithmetic(..)
            | syntax::tree::FilterKind::AsciiCode(_)
            | syntax::tree::FilterKind::ConsecutiveMoves { .. }
            | syntax::tree::FilterKind::CountMoves(_)
            | syntax::tree::FilterKind::DictionarySize(_)
            | syntax::tree::FilterKind::Echo { .. }
            | syntax::tree::FilterKind::GroupIndex(_)
            | syntax::tree::FilterKind::HhdbAward(_)
            | syntax::tree::FilterKind::Length(_)
            | syntax::tree::FilterKind::Negate(_)
            | syntax::tree::FilterKind::Number(_)
            | syntax::tree::FilterKind::PieceIdOf(_)
            | syntax::tree::FilterKind::Nullary(
                syntax::builtin::Nullary::ColorNumber(_)
                    | syntax::builtin::Nullary::NumberSource(_)
                    | syntax::builtin::Nullary::PathNumber(_),
            )
            | syntax::tree::FilterKind::Unary(
                syntax::builtin::Unary::SetToNumber(_)
                    | syntax::builtin::Unary::NumberToNumber(_)
                    | syntax::builtin::Unary::TextToNumber(_),
                _,
            )
            | syntax::tree::FilterKind::Binary(
                syntax::builtin::Binary::TextsToNumber(_)
                    | syntax::builtin::Binary::PositionsToNumber(_),
                ..,
            )
            | syntax::tree::FilterKind::Cardinality(_)
            | syntax::tree::FilterKind::Elo(_)
            | syntax::tree::FilterKind::HhdbEgDiagram
    };
}

/// Filters that can only be strings.
macro_rules! texts {
    () => {
        syntax::tree::FilterKind::AsciiCharacter(_)
            | syntax::tree::FilterKind::Concatenate(..)
            | syntax::tree::FilterKind::Group(_)
            | syntax::tree::FilterKind::Match { .. }
            | syntax::tree::FilterKind::ReadFile(_)
            | syntax::tree::FilterKind::Str(_)
            | syntax::tree::FilterKind::Substring(..)
            | syntax::tree::FilterKind::Text(_)
            | syntax::tree::FilterKind::TextSource(_)
            | syntax::tree::FilterKind::Unary(
                syntax::builtin::Unary::TextToText(_) | syntax::builtin::Unary::SetToText(_),
                _,
            )
    };
}

/// Filters that can only be positions.
macro_rules! positions {
    () => {
        syntax::tree::FilterKind::ChildPosition(_)
            | syntax::tree::FilterKind::Nullary(
                syntax::builtin::Nullary::PositionSource(_)
                    | syntax::builtin::Nullary::PathPosition(_),
            )
            | syntax::tree::FilterKind::Unary(syntax::builtin::Unary::NumberToPosition(_), _)
            | syntax::tree::FilterKind::Binary(syntax::builtin::Binary::PositionsToPosition(_), ..)
    };
}

pub(super) use {composed, conditions, numbers, positions, sets, texts};

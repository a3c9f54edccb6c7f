//! Filters on two positions, and on a game as a whole.

use board::SquareSet;
use syntax::Span;
use syntax::tree::{Measure, SortId, VariableId};

use super::id::{BoolId, SetId};
use crate::board_map::BoardMap;

/// A range that is known at compile time, both ends included.
pub(super) type Counts = std::ops::RangeInclusive<i32>;

/// `similarposition`.
#[derive(Debug, Clone)]
pub struct Similar {
    /// The sort variable, unless games keep their order.
    pub sort: Option<SortId>,
    /// Whether positions are compared under transforms as well.
    pub transforms: bool,
    /// The name of the file with the positions.
    pub file: Box<[u8]>,
    /// Span for messages.
    pub span: Span,
}

/// Some other position of the game, the target, is related to the current one, the source.
#[derive(Debug, Clone)]
pub struct PositionRelation {
    /// Index among the filters that keep state.
    pub index: u32,
    /// Whether the filter adds no comments of its own.
    pub quiet: bool,
    /// Whether all targets are evaluated, because something is done at each of them.
    pub exhaustive: bool,
    /// Condition that must match at the target.
    pub target: BoolId,
    /// Whether `target` has the same result whatever the source, and no effect: it is evaluated
    /// once for every position.
    pub target_is_fixed: bool,
    /// Relations between the two positions.
    pub parameters: Box<[RelationParameter]>,
}

/// A relation between source and target.
#[derive(Debug, Clone)]
pub enum RelationParameter {
    /// Numbers of equal and of different squares.
    Squares(SquareComparison),
    /// Whether the same side is to move, or the other.
    SameTurn(bool),
    /// The target comes before the source.
    Ancestor,
    /// The target comes after the source.
    Descendant,
    /// Distance from their last common ancestor.
    Distance {
        /// Way of measuring the distance.
        measure: Measure,
        /// Range of the distance, both ends included.
        range: (i32, i32),
        /// The sort key that the distance sets, if games are sorted by it.
        sort: Option<SortId>,
    },
}

/// Counts the squares on which two positions have the same content, and the others.
#[derive(Debug, Clone)]
pub struct SquareComparison {
    /// The squares compared, as the source sees them …
    pub source: SetId,
    /// … and as the target sees them.
    pub target: SetId,
    /// Maps of which one is applied to the target before it is compared; empty for none.
    pub maps: Box<[BoardMap]>,
    /// Range of the number of equal squares, both ends included.
    pub matches: (i32, i32),
    /// Range of the number of different squares, both ends included.
    pub mismatches: (i32, i32),
}

/// A later position of the game resembles the current one, square by square, perhaps after it has
/// been moved on the board.
#[derive(Debug, Clone)]
pub struct LaterPosition {
    /// Region of the later position.
    pub region: Region,
    /// Whether the same side is to move there; `None` for either side.
    pub same_side: Option<bool>,
    /// The squares that are compared; `None` for all.
    pub squares: Option<SetId>,
    /// Whether the later position may be shifted.
    pub shift: bool,
    /// Whether the later position may be turned and mirrored.
    pub flip: bool,
    /// Number of squares with different content, before the later position is moved.
    pub different: Option<Counts>,
    /// Number of squares with the same piece, before the later position is moved.
    pub same: Option<Counts>,
    /// The pieces that the later position lacks.
    pub missing: CountedMen,
    /// The pieces that it has on squares that are empty here.
    pub new: CountedMen,
}

/// A number of pieces of these types on these squares; no other pieces are allowed.
#[derive(Debug, Clone)]
pub struct CountedMen {
    /// Mask of piece types: bit 0–5 white pawn … king, 6–11 black.
    pub kinds: u16,
    /// Squares of the pieces.
    pub squares: SquareSet,
    /// Range of the number of pieces.
    pub count: Counts,
}

/// Positions of a game that are searched.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The game with its variations.
    Everything,
    /// The moves that were played.
    MainLine,
    /// The moves that were not played.
    Variations,
}

/// Conditions that must each match somewhere in the game, in any order, for some choice of pieces.
/// Matches at the positions where one of them does.
#[derive(Debug, Clone)]
pub struct WholeGame {
    /// The pieces that are chosen, all different.
    pub men: Box<[ChosenMan]>,
    /// The conditions.
    pub conditions: Box<[Anywhere]>,
}

/// A piece that is followed through the whole game.
#[derive(Debug, Clone, Copy)]
pub struct ChosenMan {
    /// Variable that holds the piece.
    pub variable: VariableId,
    /// Types that the piece has at some time (bit 0–5 white pawn … king, 6–11 black).
    pub kinds: u16,
}

/// A condition that must match somewhere in the game.
#[derive(Debug, Clone)]
pub struct Anywhere {
    /// Region of the game that is searched.
    pub region: Region,
    /// The condition.
    pub condition: BoolId,
    /// Number of chosen pieces that must be known: the condition uses no later ones.
    pub n_men: usize,
    /// Range of the number of positions in which it must match; `None` for at least one.
    pub count: Option<Counts>,
    /// Images of which one must match in a given number of positions; `condition` can match only
    /// where such an image does.
    pub images: Option<CountedImages>,
    /// Positions that are marked.
    pub marking: Marking,
}

/// Images of a condition under transforms, each counted on its own.
#[derive(Debug, Clone)]
pub struct CountedImages {
    /// The condition under each transform.
    pub images: Box<[BoolId]>,
    /// Range of the number of positions.
    pub count: Counts,
    /// Whether the positions count in which the image does not match.
    pub negated: bool,
}

/// Matching positions that carry the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marking {
    /// All of them.
    All,
    /// The first one.
    First,
    /// None of them.
    None,
}

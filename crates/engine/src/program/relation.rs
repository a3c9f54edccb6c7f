//! What is asked of two positions, and of a game as a whole.

use board::SquareSet;
use syntax::Span;
use syntax::tree::{Measure, SortId, VariableId};

use super::id::{BoolId, SetId};
use crate::board_map::BoardMap;

/// A range that is known when compiling, both ends included.
pub(crate) type Counts = std::ops::RangeInclusive<i32>;

/// `similarposition`.
#[derive(Debug, Clone)]
pub(crate) struct Similar {
    /// The variable by which games are sorted, unless they are not.
    pub(crate) sort: Option<SortId>,
    /// Not only equal positions.
    pub(crate) transforms: bool,
    pub(crate) file: Box<[u8]>,
    pub(crate) span: Span,
}

/// Some other position of the game, the target, is related to the current one, the source.
#[derive(Debug, Clone)]
pub(crate) struct PositionRelation {
    /// Index among the filters that keep state.
    pub(crate) index: u32,
    pub(crate) quiet: bool,
    /// All targets are looked at, because something is done at each of them.
    pub(crate) exhaustive: bool,
    /// What must match at the target.
    pub(crate) target: BoolId,
    /// What `target` says is the same whatever the source, and it does nothing: it is asked once
    /// for every position.
    pub(crate) target_is_fixed: bool,
    pub(crate) parameters: Box<[RelationParameter]>,
}

/// How source and target are related.
#[derive(Debug, Clone)]
pub(crate) enum RelationParameter {
    Squares(SquareComparison),
    /// The same side is to move, or the other.
    SameTurn(bool),
    /// The target comes before the source.
    Ancestor,
    /// The target comes behind the source.
    Descendant,
    /// How far they are from their last common ancestor.
    Distance {
        measure: Measure,
        range: (i32, i32),
        sort: Option<SortId>,
    },
}

/// Counts the squares on which two positions have the same content and those on which not.
#[derive(Debug, Clone)]
pub(crate) struct SquareComparison {
    /// The squares compared, as the source sees them …
    pub(crate) source: SetId,
    /// … and as the target sees them.
    pub(crate) target: SetId,
    /// The target is compared as one of these maps carries it; in place where there is none.
    pub(crate) maps: Box<[BoardMap]>,
    pub(crate) matches: (i32, i32),
    pub(crate) mismatches: (i32, i32),
}

/// A later position of the game resembles the current one, square by square, perhaps after it has
/// been moved about on the board.
#[derive(Debug, Clone)]
pub(crate) struct LaterPosition {
    /// Where the later position stands.
    pub(crate) region: Region,
    /// Whether the same side is to move there; either where nothing is said.
    pub(crate) same_side: Option<bool>,
    /// The squares that are compared; all where nothing is said.
    pub(crate) squares: Option<SetId>,
    pub(crate) shift: bool,
    pub(crate) flip: bool,
    /// Number of squares with different content, before the later position is moved.
    pub(crate) different: Option<Counts>,
    /// Number of squares with the same man, before the later position is moved.
    pub(crate) same: Option<Counts>,
    /// The men that the later position lacks.
    pub(crate) missing: CountedMen,
    /// The men that it has on squares that are empty here.
    pub(crate) new: CountedMen,
}

/// Men of these kinds on these squares, in this number; no others.
#[derive(Debug, Clone)]
pub(crate) struct CountedMen {
    /// Bit 0–5 white pawn … king, 6–11 black.
    pub(crate) kinds: u16,
    pub(crate) squares: SquareSet,
    pub(crate) count: Counts,
}

/// Which positions of a game are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Region {
    Everything,
    MainLine,
    Variations,
}

/// Conditions that must each match somewhere in the game, in any order, for some choice of men.
/// Matches at the positions where one of them does.
#[derive(Debug, Clone)]
pub(crate) struct WholeGame {
    /// The men that are chosen, all different.
    pub(crate) men: Box<[ChosenMan]>,
    pub(crate) conditions: Box<[Somewhere]>,
}

/// A man who goes through the whole game.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ChosenMan {
    /// Holds him.
    pub(crate) variable: VariableId,
    /// What he is at some time (bit 0–5 white pawn … king, 6–11 black).
    pub(crate) kinds: u16,
}

/// What must match somewhere in the game.
#[derive(Debug, Clone)]
pub(crate) struct Somewhere {
    pub(crate) region: Region,
    pub(crate) condition: BoolId,
    /// How many of the chosen men must be known: it looks at none behind.
    pub(crate) n_men: usize,
    /// In how many positions it must match; at least one where nothing is said.
    pub(crate) count: Option<Counts>,
    /// One of these must match in so many positions; only where such a one does can
    /// `condition` match.
    pub(crate) images: Option<CountedImages>,
    pub(crate) marking: Marking,
}

/// Images of a condition under transforms, each counted by itself.
#[derive(Debug, Clone)]
pub(crate) struct CountedImages {
    pub(crate) images: Box<[BoolId]>,
    pub(crate) count: Counts,
    /// Positions count where that is not so.
    pub(crate) negated: bool,
}

/// Which of the positions that match carry the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Marking {
    All,
    First,
    None,
}

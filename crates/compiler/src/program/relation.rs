//! What is asked of two positions, and of a game as a whole.

use board::SquareSet;
use syntax::Span;
use syntax::tree::{Measure, SortId, VariableId};

use super::id::{BoolId, SetId};
use crate::board_map::BoardMap;

/// A range that is known when compiling, both ends included.
pub(super) type Counts = std::ops::RangeInclusive<i32>;

/// `similarposition`.
#[derive(Debug, Clone)]
pub struct Similar {
    /// The variable by which games are sorted, unless they are not.
    pub sort: Option<SortId>,
    /// Not only equal positions.
    pub transforms: bool,
    /// The name of the file with the positions.
    pub file: Box<[u8]>,
    /// For messages.
    pub span: Span,
}

/// Some other position of the game, the target, is related to the current one, the source.
#[derive(Debug, Clone)]
pub struct PositionRelation {
    /// Index among the filters that keep state.
    pub index: u32,
    /// Adds no comments of its own.
    pub quiet: bool,
    /// All targets are looked at, because something is done at each of them.
    pub exhaustive: bool,
    /// What must match at the target.
    pub target: BoolId,
    /// What `target` says is the same whatever the source, and it does nothing: it is asked once
    /// for every position.
    pub target_is_fixed: bool,
    /// How the two are related.
    pub parameters: Box<[RelationParameter]>,
}

/// How source and target are related.
#[derive(Debug, Clone)]
pub enum RelationParameter {
    /// So many squares are equal, so many not.
    Squares(SquareComparison),
    /// The same side is to move, or the other.
    SameTurn(bool),
    /// The target comes before the source.
    Ancestor,
    /// The target comes behind the source.
    Descendant,
    /// How far they are from their last common ancestor.
    Distance {
        /// What is counted.
        measure: Measure,
        /// How far, both ends included.
        range: (i32, i32),
        /// The key that it is for games, if they are sorted by it.
        sort: Option<SortId>,
    },
}

/// Counts the squares on which two positions have the same content and those on which not.
#[derive(Debug, Clone)]
pub struct SquareComparison {
    /// The squares compared, as the source sees them …
    pub source: SetId,
    /// … and as the target sees them.
    pub target: SetId,
    /// The target is compared as one of these maps carries it; in place where there is none.
    pub maps: Box<[BoardMap]>,
    /// How many squares are equal, both ends included.
    pub matches: (i32, i32),
    /// How many are not, both ends included.
    pub mismatches: (i32, i32),
}

/// A later position of the game resembles the current one, square by square, perhaps after it has
/// been moved about on the board.
#[derive(Debug, Clone)]
pub struct LaterPosition {
    /// Where the later position stands.
    pub region: Region,
    /// Whether the same side is to move there; either where nothing is said.
    pub same_side: Option<bool>,
    /// The squares that are compared; all where nothing is said.
    pub squares: Option<SetId>,
    /// The later position may be shifted.
    pub shift: bool,
    /// The later position may be turned and mirrored.
    pub flip: bool,
    /// Number of squares with different content, before the later position is moved.
    pub different: Option<Counts>,
    /// Number of squares with the same man, before the later position is moved.
    pub same: Option<Counts>,
    /// The men that the later position lacks.
    pub missing: CountedMen,
    /// The men that it has on squares that are empty here.
    pub new: CountedMen,
}

/// Men of these kinds on these squares, in this number; no others.
#[derive(Debug, Clone)]
pub struct CountedMen {
    /// Bit 0–5 white pawn … king, 6–11 black.
    pub kinds: u16,
    /// Where they stand.
    pub squares: SquareSet,
    /// How many.
    pub count: Counts,
}

/// Which positions of a game are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// The game with its variations.
    Everything,
    /// The moves that were played.
    MainLine,
    /// What was not played.
    Variations,
}

/// Conditions that must each match somewhere in the game, in any order, for some choice of men.
/// Matches at the positions where one of them does.
#[derive(Debug, Clone)]
pub struct WholeGame {
    /// The men that are chosen, all different.
    pub men: Box<[ChosenMan]>,
    /// What must match.
    pub conditions: Box<[Somewhere]>,
}

/// A man who goes through the whole game.
#[derive(Debug, Clone, Copy)]
pub struct ChosenMan {
    /// Holds him.
    pub variable: VariableId,
    /// What he is at some time (bit 0–5 white pawn … king, 6–11 black).
    pub kinds: u16,
}

/// What must match somewhere in the game.
#[derive(Debug, Clone)]
pub struct Somewhere {
    /// Where.
    pub region: Region,
    /// What must match there.
    pub condition: BoolId,
    /// How many of the chosen men must be known: it looks at none behind.
    pub n_men: usize,
    /// In how many positions it must match; at least one where nothing is said.
    pub count: Option<Counts>,
    /// One of these must match in so many positions; only where such a one does can
    /// `condition` match.
    pub images: Option<CountedImages>,
    /// Which positions are marked.
    pub marking: Marking,
}

/// Images of a condition under transforms, each counted by itself.
#[derive(Debug, Clone)]
pub struct CountedImages {
    /// The condition as each transform makes it.
    pub images: Box<[BoolId]>,
    /// How many positions.
    pub count: Counts,
    /// Positions count where that is not so.
    pub negated: bool,
}

/// Which of the positions that match carry the marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Marking {
    /// All of them.
    All,
    /// The first one.
    First,
    /// None of them.
    None,
}

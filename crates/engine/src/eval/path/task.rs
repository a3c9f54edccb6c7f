//! Pending tasks of the search of a path.

use super::sketch::SketchQuery;
use compiler::automaton::State;
use compiler::facts::Operands;
use compiler::program::id::DashId;

/// A pending task of the search.
#[derive(Debug)]
pub(crate) enum PathTask {
    /// Goes on in a state at the position reached.
    Visit(State),
    /// Tries the remaining moves.
    Moves(DashMoves),
    /// Tries the pattern after a gap at the remaining positions.
    Cross(Crossing),
}

/// The candidates for a dash, with the values to be restored after each.
#[derive(Debug, Clone)]
pub(crate) struct DashMoves {
    pub(super) dash: DashId,
    /// State after the move.
    pub(super) next: State,
    /// The position at which the dash is tried.
    pub(super) from: u32,
    /// Number of moves made up to that position.
    pub(super) count: i32,
    pub(super) operands: Operands,
    /// The next position to test.
    pub(super) candidate: u32,
    pub(super) end: u32,
    /// Number of comments before the first candidate.
    pub(super) mark: usize,
    /// Whether a candidate has been entered, so that comments must be dropped and atomic variables
    /// restored.
    pub(super) entered: bool,
}

/// The positions at which the pattern after a gap is still to be tried.
#[derive(Debug, Clone)]
pub(crate) struct Crossing {
    /// Index of the gap in the pattern.
    pub(super) gap: u32,
    /// State after the gap.
    pub(super) exit: State,
    pub(super) start: u32,
    /// Number of moves at the start.
    pub(super) count: i32,
    /// The next position to test.
    pub(super) next: u32,
    pub(super) end: u32,
    /// Ply of the last positions within the gap.
    pub(super) last_ply: u32,
    pub(super) sought: Option<SketchQuery>,
}

//! What the search of a path has still to do.

use super::sketch::Sought;
use compiler::automaton::State;
use compiler::facts::Operands;
use compiler::program::id::DashId;

/// Something that is still to be done.
#[derive(Debug)]
pub(crate) enum Task {
    /// Goes on in a state at the position reached.
    Visit(State),
    /// Tries the moves that are left.
    Moves(Moves),
    /// Tries what is behind a gap at the positions that are left.
    Cross(Crossing),
}

/// The candidates for a dash, and what is to be restored after each.
#[derive(Debug, Clone)]
pub(crate) struct Moves {
    pub(super) dash: DashId,
    /// Behind the move.
    pub(super) next: State,
    /// The position where the dash stands.
    pub(super) from: u32,
    /// The number of moves there.
    pub(super) count: i32,
    pub(super) operands: Operands,
    /// The next position to look at.
    pub(super) candidate: u32,
    pub(super) end: u32,
    /// The comments there were.
    pub(super) mark: usize,
    /// The comments must be dropped and the atomic variables restored.
    pub(super) entered: bool,
}

/// The positions where what is behind a gap is still to be tried.
#[derive(Debug, Clone)]
pub(crate) struct Crossing {
    /// Index among the gaps of the pattern.
    pub(super) gap: u32,
    /// Behind the gap.
    pub(super) exit: State,
    pub(super) start: u32,
    /// The number of moves at the start.
    pub(super) count: i32,
    /// The next position to look at.
    pub(super) next: u32,
    pub(super) end: u32,
    /// Positions at a later ply are not reached.
    pub(super) last_ply: u32,
    pub(super) sought: Option<Sought>,
}

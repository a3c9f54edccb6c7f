//! What the search of a path has still to do.

use crate::automaton::State;
use crate::facts::Operands;
use crate::program::id::DashId;

/// Something that is still to be done.
#[derive(Debug)]
pub(crate) enum Task {
    /// Goes on in a state at the position reached.
    Visit(State),
    /// Tries the moves that are left.
    Moves(Moves),
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

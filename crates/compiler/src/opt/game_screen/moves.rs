//! Describes the moves of a path as a chain of moves that must follow one another.
//!
//! The codes of a game's moves tell which piece moves from where to where, but not what it
//! captures, so the conditions of a dash are relaxed accordingly.

use std::collections::HashSet;

use board::{Color, Role, SquareSet};

use crate::automaton::{Automaton, Instr, State};
use crate::facts::{ALL_PIECES, kind};
use crate::program::plan::{ChainMove, MoveChain, PieceMask};
use crate::program::{BoolId, DashId};

/// Largest number of different moves of a pattern: one bit each.
const MAX_MOVES: usize = 64;

/// Largest number of states of a pattern that are visited.
const MAX_PLACES: usize = 1024;

/// Largest length of a path that is considered; conditions on longer ones are ignored.
const ROOM: u32 = 1024;

/// Properties required of a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct MovePattern {
    pub(super) capture: bool,
    pub(super) left: PieceMask,
    pub(super) right: PieceMask,
    /// Roles to which a pawn must promote, if it must: bit 0 is the pawn, bit 5 the king.
    pub(super) promotion: Option<u8>,
}

impl MovePattern {
    /// Returns pieces on squares that must occur before or after such a move.
    pub(super) fn places(self) -> [PieceMask; 3] {
        let mut arriving = self.left;
        arriving.squares = self.right.squares;
        for color in Color::ALL {
            let of = |role| kind(board::Piece { color, role });
            if self.left.kinds & of(Role::Pawn) == 0 {
                continue;
            }
            // The pawn may promote, and an en passant capture ends on another square.
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                arriving.kinds |= of(role);
            }
            if self.capture {
                arriving.squares = SquareSet::ALL;
            }
        }
        [self.left, self.right, arriving]
    }
}

impl MoveChain {
    /// Creates a chain of one move.
    pub(super) fn of_move(wanted: MovePattern) -> MoveChain {
        MoveChain { moves: vec![wanted.into()], first: 1, last: 1, has_gaps: false }
    }

    /// Creates the chain of a path, or `None` if it has too many moves. `wanted` returns the
    /// properties required by a dash.
    pub(super) fn of_path(
        automaton: &Automaton,
        has_gaps: bool,
        mut wanted: impl FnMut(DashId) -> MovePattern,
    ) -> Option<MoveChain> {
        // The numbered moves, each with the state that follows it.
        let mut moves: Vec<(DashId, State)> = Vec::new();
        let start = followers(automaton, Automaton::START, &mut moves)?;
        let mut chain = MoveChain { moves: Vec::new(), first: start.moves, last: 0, has_gaps };
        while let Some(&(dash, behind)) = moves.get(chain.moves.len()) {
            let followers = followers(automaton, behind, &mut moves)?;
            if followers.may_end {
                chain.last |= 1 << chain.moves.len();
            }
            chain.moves.push(ChainMove { next: followers.moves, ..wanted(dash).into() });
        }
        Some(chain)
    }
}

impl From<MovePattern> for ChainMove {
    fn from(wanted: MovePattern) -> ChainMove {
        ChainMove {
            capture: wanted.capture,
            movers: wanted.left.kinds & ALL_PIECES,
            from: wanted.left.squares,
            to: wanted.right.squares,
            promotion: wanted.promotion,
            next: 0,
        }
    }
}

/// Moves that may follow at some point of a pattern.
struct Followers {
    moves: u64,
    may_end: bool,
}

/// Returns the moves that may follow in a state. A move without a number gets one. `None` if there
/// are too many moves.
fn followers(
    automaton: &Automaton,
    from: State,
    moves: &mut Vec<(DashId, State)>,
) -> Option<Followers> {
    let mut found = Followers { moves: 0, may_end: false };
    walk(automaton, from, |step| {
        match step {
            Instr::Move(dash, behind) => {
                let known = moves.iter().position(|mv| *mv == (dash, behind));
                let number = known.unwrap_or(moves.len());
                if number >= MAX_MOVES {
                    return None;
                }
                if known.is_none() {
                    moves.push((dash, behind));
                }
                found.moves |= 1 << number;
            }
            Instr::End => found.may_end = true,
            // Paths have no such step.
            Instr::Take(_) => return None,
            Instr::Test(_, next) => return Some(Some(next)),
            Instr::Fork(..) | Instr::Fail => {}
        }
        Some(None)
    })?;
    Some(found)
}

/// Calls `each` with the step of a state and then with those of the states that it returns or that
/// a fork leads to. Returns `None` if `each` does, or if there are too many states.
fn walk(
    automaton: &Automaton,
    from: State,
    mut each: impl FnMut(Instr) -> Option<Option<State>>,
) -> Option<()> {
    let mut seen: HashSet<State> = HashSet::new();
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        if !seen.insert(state) {
            continue;
        }
        if seen.len() > MAX_PLACES {
            return None;
        }
        let step = automaton.step(state, ROOM);
        if let Instr::Fork(one, other) = step {
            pending.extend([one, other]);
        }
        pending.extend(each(step)?);
    }
    Some(())
}

/// Returns the filters that are evaluated in every match of a pattern; none if the pattern is too
/// large.
pub(super) fn required(
    automaton: &Automaton,
    candidates: &[BoolId],
    target: impl Fn(DashId) -> Option<BoolId>,
) -> Vec<BoolId> {
    let is_required = |filter: &&BoolId| ends_without(automaton, **filter, &target) == Some(false);
    candidates.iter().filter(is_required).copied().collect()
}

/// Whether a pattern can match without evaluating a filter. `None` if the pattern is too large.
fn ends_without(
    automaton: &Automaton,
    filter: BoolId,
    target: &impl Fn(DashId) -> Option<BoolId>,
) -> Option<bool> {
    let mut ends = false;
    walk(automaton, Automaton::START, |step| {
        Some(match step {
            Instr::End => {
                ends = true;
                None
            }
            Instr::Move(dash, behind) => (target(dash) != Some(filter)).then_some(behind),
            Instr::Take(take) => (take.filter != filter).then_some(take.next),
            Instr::Test(test, next) => (test != filter).then_some(next),
            Instr::Fork(..) | Instr::Fail => None,
        })
    })?;
    Some(ends)
}

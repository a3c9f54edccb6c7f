//! The constituents of a path or a line as a flat automaton.
//!
//! A [`State`] is a location in the pattern: a node, and the counters of repetitions with bounds.
//! It determines everything that is still to be matched, so searches need no list of pending
//! constituents, and two ways to the same state at the same position of a game have the same
//! future. Alternatives are ordered as the language orders them: fewer repetitions first.
//!
//! Repetitions become loops. `*` and `+` over a body that takes a move need no counter; other
//! bounds count in a digit of the state, which repetitions beside each other share. An iteration
//! without a bound that takes no move would go on forever: a flag remembers whether the iteration
//! has taken one, and an iteration that has not and was not required fails.

pub(crate) mod build;
#[cfg(test)]
mod tests;

use std::collections::HashSet;

use syntax::tree::VariableId;

use crate::program::id::{BoolId, DashId};
use crate::program::plan::{Gap, Needs};

/// Number of states that are tried in search of the shortest match.
const MAX_TRIED: usize = 1_000;

/// Number of moves of which a search asks whether every way makes them. Each looks at all nodes.
const MAX_ASKED: usize = 64;

/// A part of the pattern. Unless its description says otherwise, the next node follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PatternNode {
    /// A filter that takes no move and no position.
    Test(BoolId),
    /// A move of a path.
    Move(DashId),
    /// A position of a line.
    Take {
        /// Condition on the position.
        filter: BoolId,
        /// Whether the filter and the rest of the pattern see the same child.
        linearize: bool,
    },
    /// The node with this index, or else the next one.
    Fork(u32),
    /// The node with this index.
    Jump(u32),
    /// The head of a counted repetition; its body follows.
    Head(u32),
    /// The end of the body of a counted repetition.
    Tail(u32),
    /// The pattern is complete.
    End,
}

/// A repetition that counts.
#[derive(Debug, Clone, Copy)]
struct LoopCounter {
    head: u32,
    exit: u32,
    min: u32,
    /// Greatest number of iterations; `None` if there is no bound.
    max: Option<u32>,
    /// The digit of the counter is `digits / stride % radix`.
    stride: u64,
    radix: u64,
    /// Whether the body may match without taking anything.
    nullable: bool,
    /// Flag that is set when the iteration has taken something; an iteration without it fails. 0 if
    /// iterations need not take anything.
    flag: u32,
}

/// A location in the pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    node: u32,
    flags: u32,
    digits: u64,
}

/// The next step of a search in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instr {
    /// A filter must match.
    Test(BoolId, State),
    /// A move must match; the search goes on in the state.
    Move(DashId, State),
    /// A position must match.
    Take(Take),
    /// Either state, in this order.
    Fork(State, State),
    /// The pattern is complete.
    End,
    /// The search fails here.
    Fail,
}

/// A position of a line that must match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Take {
    /// Condition on the position.
    pub filter: BoolId,
    /// Whether the filter and the rest of the pattern see the same child.
    pub linearize: bool,
    /// State in which the search goes on after the position.
    pub next: State,
}

/// Method of searching a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Strategy {
    /// Depth first, as the language defines it: for filters with side effects, and for patterns
    /// that reach each state in one way only.
    Plain,
    /// Each state is searched only once.
    Tabled {
        /// Whether results hold for all starts in the game rather than for one.
        whole_game: bool,
        /// Whether filters make comments: the way to the best match is then followed again for
        /// them.
        comments: bool,
    },
}

/// A compiled pattern.
#[derive(Debug, Clone)]
pub struct Automaton {
    nodes: Box<[PatternNode]>,
    counters: Box<[LoopCounter]>,
    /// For each node, its index among the nodes that follow a move or a taken position.
    arrivals: Box<[u32]>,
    n_arrivals: u32,
    /// The digits of all counters make a number below this one.
    digits: u64,
    /// Whether a table pays: states may be reached in several ways, or from many starts.
    pub wants_table: bool,
    /// Whether a state can be reached in several ways without taking anything.
    pub nullable_repeats: bool,
    /// Whether there are so many states that only few of them can be searched.
    pub is_large: bool,
    /// Index among the automata of the program.
    pub index: u32,
    /// Method of searching the pattern.
    pub strategy: Strategy,
    /// A dash that every match begins with and that can be tried beforehand.
    pub opening: Option<DashId>,
    /// Least and greatest number of moves, if the pattern is any moves and nothing else, of which
    /// most are best.
    pub any_moves: Option<(u32, u32)>,
    /// Moves that a match needs, if a search may be left out without them.
    pub needs: Option<Box<Needs>>,
    /// Variables on whose values the entries of a table for the whole game depend.
    pub variables: Box<[VariableId]>,
    /// Repetitions that a search skips at once.
    pub gaps: Box<[Gap]>,
}

/// A repetition of one dash and nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatedDash {
    /// The node of the dash.
    pub node: u32,
    /// The dash.
    pub dash: DashId,
    /// The node after the repetition.
    pub exit: u32,
}

impl Automaton {
    /// State in which matching starts.
    pub const START: State = State { node: 0, flags: 0, digits: 0 };

    /// The nodes of the pattern.
    #[inline]
    pub fn nodes(&self) -> &[PatternNode] {
        &self.nodes
    }

    /// Whether every way through the pattern contains a dash for which `is_it` returns `true`.
    pub fn requires(&self, mut is_it: impl FnMut(DashId) -> bool) -> bool {
        let mut reached = vec![false; self.nodes.len()];
        let mut pending = vec![0];
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            match self.nodes[node as usize] {
                PatternNode::End => return false,
                PatternNode::Move(dash) if is_it(dash) => {}
                PatternNode::Test(_) | PatternNode::Take { .. } | PatternNode::Move(_) => {
                    pending.push(node + 1)
                }
                PatternNode::Fork(other) => pending.extend([other, node + 1]),
                PatternNode::Jump(other) => pending.push(other),
                PatternNode::Head(counter) => {
                    let counter = &self.counters[counter as usize];
                    pending.push(node + 1);
                    pending.extend((counter.min == 0).then_some(counter.exit));
                }
                PatternNode::Tail(counter) => {
                    let counter = &self.counters[counter as usize];
                    pending.extend([counter.head, counter.exit]);
                }
            }
        }
        true
    }

    /// The moves that every way through the pattern makes, among the first of those for which
    /// `is_wanted` returns `true`.
    pub fn required_moves(&self, mut is_wanted: impl FnMut(DashId) -> bool) -> Vec<DashId> {
        let moves = self.nodes.iter().filter_map(|node| match *node {
            PatternNode::Move(dash) if is_wanted(dash) => Some(dash),
            _ => None,
        });
        let mut asked: Vec<DashId> = moves.take(MAX_ASKED).collect();
        asked.sort_by_cached_key(|dash| dash.0);
        asked.dedup();
        asked.retain(|dash| self.requires(|other| other == *dash));
        asked
    }

    /// The repetitions of single dashes that may end before each iteration, or after some of them.
    pub fn repeated_dashes(&self) -> impl Iterator<Item = RepeatedDash> + '_ {
        let bodies = self.nodes.windows(3).enumerate();
        bodies.filter_map(|(index, nodes)| {
            let head = index as u32;
            let &[first, PatternNode::Move(dash), last] = nodes else {
                return None;
            };
            let exit = match (first, last) {
                (PatternNode::Fork(exit), PatternNode::Jump(back)) if back == head => exit,
                (PatternNode::Head(counter), PatternNode::Tail(_)) => {
                    self.counters[counter as usize].exit
                }
                _ => return None,
            };
            let node = head + 1;
            Some(RepeatedDash { node, dash, exit })
        })
    }

    /// The dash of a pattern that repeats it and does nothing else, with the least and the greatest
    /// number of its moves.
    pub(crate) fn only_dash(&self) -> Option<(DashId, u32, u32)> {
        use PatternNode::{End, Fork, Head, Jump, Move, Tail};
        match self.nodes[..] {
            [Head(counter), Move(dash), Tail(_), End]
            | [Head(counter), Move(dash), Jump(_), Tail(_), End] => {
                let counter = &self.counters[counter as usize];
                Some((dash, counter.min, counter.max.unwrap_or(u32::MAX)))
            }
            [Fork(_), Move(dash), Jump(_), End] => Some((dash, 0, u32::MAX)),
            [Jump(_), Fork(_), Move(dash), Jump(_), End] => Some((dash, 1, u32::MAX)),
            _ => None,
        }
    }

    /// The nodes that a search may reach from a node, this one included, before anything is taken.
    pub fn before_taking(&self, node: u32) -> Vec<PatternNode> {
        self.from(node, |node| matches!(node, PatternNode::Test(_)))
    }

    /// All nodes that a search may reach from a node, this one included.
    pub fn behind(&self, node: u32) -> Vec<PatternNode> {
        self.from(node, |node| node != PatternNode::End)
    }

    /// The nodes that a search may reach from a node, going past those for which `goes_on` returns
    /// `true`. Forks, jumps and counters are left out.
    fn from(&self, node: u32, goes_on: impl Fn(PatternNode) -> bool) -> Vec<PatternNode> {
        let mut reached = vec![false; self.nodes.len()];
        let mut pending = vec![node];
        let mut asked = Vec::new();
        while let Some(node) = pending.pop() {
            if std::mem::replace(&mut reached[node as usize], true) {
                continue;
            }
            match self.nodes[node as usize] {
                PatternNode::Fork(other) => pending.extend([other, node + 1]),
                PatternNode::Jump(other) => pending.push(other),
                PatternNode::Head(counter) => {
                    pending.extend([self.counters[counter as usize].exit, node + 1]);
                }
                PatternNode::Tail(counter) => {
                    let counter = &self.counters[counter as usize];
                    pending.extend([counter.head, counter.exit]);
                }
                other => {
                    asked.push(other);
                    pending.extend(goes_on(other).then_some(node + 1));
                }
            }
        }
        asked
    }

    /// Returns the index of the gap whose dash a state is at.
    #[inline]
    pub fn gap(&self, state: State) -> Option<u32> {
        let mut gaps = self.gaps.iter();
        let index = gaps.position(|gap| gap.node == state.node)?;
        Some(index as u32)
    }

    /// Number of further iterations that a repeated dash may have, if there is a bound.
    #[inline]
    pub fn iterations_left(&self, state: State) -> Option<u32> {
        let PatternNode::Head(counter) = self.nodes[state.node as usize - 1] else {
            return None;
        };
        let counter = &self.counters[counter as usize];
        let max = counter.max?;
        Some(max.saturating_sub(counter.digit(state)))
    }

    /// Returns the next step in a state. At most `room` moves or positions can be taken from here.
    #[inline]
    pub fn step(&self, mut state: State, room: u32) -> Instr {
        loop {
            let next = State { node: state.node + 1, ..state };
            match self.nodes[state.node as usize] {
                PatternNode::Test(filter) => return Instr::Test(filter, next),
                PatternNode::Move(dash) => return Instr::Move(dash, next.taken()),
                PatternNode::Take { filter, linearize } => {
                    let next = next.taken();
                    return Instr::Take(Take { filter, linearize, next });
                }
                PatternNode::Fork(node) => return Instr::Fork(State { node, ..state }, next),
                PatternNode::Jump(node) => state.node = node,
                PatternNode::Head(counter) => {
                    let counter = &self.counters[counter as usize];
                    let k = counter.digit(state);
                    let exit = State {
                        node: counter.exit,
                        digits: state.digits - u64::from(k) * counter.stride,
                        ..state
                    };
                    let may_repeat = counter.max.is_none_or(|max| k < max);
                    match (k >= counter.min, may_repeat) {
                        (true, true) => return Instr::Fork(exit, next),
                        (true, false) => state = exit,
                        (false, true) => state = next,
                        (false, false) => return Instr::Fail,
                    }
                }
                PatternNode::Tail(counter) => {
                    match self.counters[counter as usize].next_iteration(state, room) {
                        Some(next) => state = next,
                        None => return Instr::Fail,
                    }
                }
                PatternNode::End => return Instr::End,
            }
        }
    }

    /// Returns the least number of moves or positions that a match takes, or a lower one if the
    /// pattern has many states.
    pub fn least(&self) -> u32 {
        let mut seen = HashSet::new();
        let (mut here, mut beyond, mut n_taken) = (vec![Automaton::START], Vec::new(), 0);
        while seen.len() < MAX_TRIED {
            let Some(state) = here.pop() else {
                if beyond.is_empty() {
                    break;
                }
                (here, beyond) = (beyond, here);
                n_taken += 1;
                continue;
            };
            if !seen.insert(state) {
                continue;
            }
            match self.step(state, u32::MAX) {
                Instr::Test(_, next) => here.push(next),
                Instr::Move(_, next) => beyond.push(next),
                Instr::Take(take) => beyond.push(take.next),
                Instr::Fork(one, other) => here.extend([one, other]),
                Instr::End => break,
                Instr::Fail => {}
            }
        }
        n_taken
    }

    /// Whether the pattern is complete if nothing more is taken. Only for lines, in which no
    /// repeated part can match nothing.
    #[inline]
    pub fn can_end(&self, mut state: State) -> bool {
        loop {
            match self.step(state, u32::MAX) {
                Instr::Fork(exit, _) => state = exit,
                Instr::End => return true,
                _ => return false,
            }
        }
    }

    /// Whether the state is at the end of the pattern.
    #[inline]
    pub fn is_end(&self, state: State) -> bool {
        self.nodes[state.node as usize] == PatternNode::End
    }

    /// Maximum number of states that can follow a move or a taken position.
    #[inline]
    pub fn n_arrivals(&self) -> u64 {
        u64::from(self.n_arrivals).saturating_mul(self.digits)
    }

    /// The number of a state that follows a move or a taken position, below [`Self::n_arrivals`].
    #[inline]
    pub fn arrival(&self, state: State) -> u64 {
        let arrival = u64::from(self.arrivals[state.node as usize]);
        arrival.wrapping_mul(self.digits).wrapping_add(state.digits)
    }
}

impl LoopCounter {
    #[inline]
    fn digit(&self, state: State) -> u32 {
        (state.digits / self.stride % self.radix) as u32
    }

    #[inline]
    fn next_iteration(&self, mut state: State, room: u32) -> Option<State> {
        let k = self.digit(state);
        if self.flag != 0 && k >= self.min && state.flags & self.flag == 0 {
            return None;
        }
        let takes = !self.nullable || self.flag != 0;
        // if there is no room to reach the upper bound, all numbers above the lower one are alike
        let next = match self.max {
            Some(max) if !takes || max.saturating_sub(k + 1) < room => (k + 1).min(max),
            _ => (k + 1).min(self.min),
        };
        state.digits -= u64::from(k) * self.stride;
        state.digits += u64::from(next) * self.stride;
        state.node = self.head;
        state.flags &= !self.flag;
        Some(state)
    }
}

impl State {
    /// Notes that all iterations around have taken something. After a move or a taken position, the
    /// flags are always the same, so states need not differ in them.
    #[inline]
    pub fn taken(self) -> State {
        State { flags: u32::MAX, ..self }
    }
}

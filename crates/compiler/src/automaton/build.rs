//! Builds automata from constituents.

use syntax::tree::{LineItem, Repeat};

use super::{Automaton, LoopCounter, PatternNode, Strategy};
use crate::program::pattern::{Constituent, LineConstituent, Taken};

/// The greatest bound that can be written; it also stands for the missing bound of `{n,}`.
const UNBOUNDED: u32 = 100_000;

/// If a nest of counters has more states than this, iterations that take nothing are left out, as
/// they are without a bound. The reference does not survive them.
const MANY: u64 = 1000;

/// If a nest of counters has more states than this, searching takes a multiple of the steps.
const LARGE: u64 = 1 << 16;

/// With at most this many iterations in all, a pattern without alternatives needs no table.
const FEW: u64 = 64;

/// The counters of nested repetitions do not fit into a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooDeep;

/// Compiles the constituents of a path.
pub(crate) fn of_path(constituents: &[Constituent]) -> Result<Automaton, TooDeep> {
    let mut builder = Builder { bounds_are_pending: true, ..Builder::default() };
    builder.constituents(constituents)?;
    Ok(builder.finish())
}

/// Compiles the constituents of a line.
pub(crate) fn of_line(constituents: &[LineConstituent]) -> Result<Automaton, TooDeep> {
    let mut builder = Builder::default();
    builder.line_constituents(constituents)?;
    Ok(builder.finish())
}

impl Default for Automaton {
    /// The empty pattern.
    fn default() -> Automaton {
        Builder::default().finish()
    }
}

#[derive(Default)]
struct Builder {
    nodes: Vec<PatternNode>,
    counters: Vec<LoopCounter>,
    /// Product of the radices of the enclosing counters.
    stride: Stride,
    /// Maximum of that product.
    digits: Stride,
    /// Number of flags of the enclosing repetitions.
    n_flags: u32,
    /// Number of enclosing repetitions.
    depth: u32,
    /// Product of the numbers of iterations of the enclosing repetitions.
    iterations: Stride,
    wants_table: bool,
    nullable_repeats: bool,
    n_choices: u32,
    /// Whether a repetition with bounds is visited once more after its last iteration, even if the
    /// bounds leave nothing to count: the pattern is not complete before.
    bounds_are_pending: bool,
}

/// A product, initially 1.
#[derive(Clone, Copy)]
struct Stride(u64);

impl Default for Stride {
    fn default() -> Stride {
        Stride(1)
    }
}

impl Builder {
    fn finish(mut self) -> Automaton {
        self.nodes.push(PatternNode::End);
        let mut arrivals = vec![u32::MAX; self.nodes.len()];
        let mut n_arrivals = 0;
        for (i, node) in self.nodes.iter().enumerate() {
            if matches!(node, PatternNode::Move(_) | PatternNode::Take { .. }) {
                arrivals[i + 1] = n_arrivals;
                n_arrivals += 1;
            }
        }
        for counter in &mut self.counters {
            if counter.max.is_some() && (!counter.nullable || self.digits.0 <= MANY) {
                counter.flag = 0;
            }
        }
        Automaton {
            nodes: self.nodes.into(),
            counters: self.counters.into(),
            arrivals: arrivals.into(),
            n_arrivals,
            digits: self.digits.0,
            wants_table: self.wants_table || self.n_choices > 1,
            nullable_repeats: self.nullable_repeats,
            is_large: self.digits.0 > LARGE,
            index: 0,
            strategy: Strategy::Plain,
            opening: None,
            any_moves: None,
            needs: None,
            variables: Box::default(),
            gaps: Box::default(),
        }
    }

    fn push(&mut self, node: PatternNode) -> u32 {
        self.nodes.push(node);
        (self.nodes.len() - 1) as u32
    }

    fn here(&self) -> u32 {
        self.nodes.len() as u32
    }

    fn constituents(&mut self, constituents: &[Constituent]) -> Result<(), TooDeep> {
        for constituent in constituents {
            match constituent {
                Constituent::Filter(filter) => {
                    self.push(PatternNode::Test(*filter));
                }
                Constituent::Dash(dash, repeat) => {
                    let repeats = repeat.as_slice();
                    self.repeated(repeats, false, &mut |b| {
                        b.push(PatternNode::Move(*dash));
                        Ok(())
                    })?;
                }
                Constituent::Group(members, repeat) => {
                    let nullable = members.iter().all(is_nullable);
                    let repeats = repeat.as_slice();
                    self.repeated(repeats, nullable, &mut |b| b.constituents(members))?;
                }
            }
        }
        Ok(())
    }

    fn line_constituents(&mut self, constituents: &[LineConstituent]) -> Result<(), TooDeep> {
        for constituent in constituents {
            let repeats = &constituent.repeats;
            match &constituent.item {
                LineItem::Filter(Taken { filter, linearize }) => {
                    self.repeated(repeats, false, &mut |b| {
                        b.push(PatternNode::Take { filter: *filter, linearize: *linearize });
                        Ok(())
                    })?;
                }
                LineItem::Group(members) => {
                    let nullable = members.iter().all(LineConstituent::may_be_empty);
                    self.repeated(repeats, nullable, &mut |b| b.line_constituents(members))?;
                }
            }
        }
        Ok(())
    }

    /// Compiles a body with its suffixes; the last suffix is the outermost.
    fn repeated(
        &mut self,
        repeats: &[Repeat],
        nullable: bool,
        body: &mut dyn FnMut(&mut Builder) -> Result<(), TooDeep>,
    ) -> Result<(), TooDeep> {
        let Some((&repeat, inner)) = repeats.split_last() else {
            return body(self);
        };
        let nullable_body = nullable || inner.iter().any(|repeat| repeat.allows_none());
        self.repeat(repeat, nullable_body, &mut |b| b.repeated(inner, nullable, body))
    }

    fn repeat(
        &mut self,
        repeat: Repeat,
        nullable: bool,
        body: &mut dyn FnMut(&mut Builder) -> Result<(), TooDeep>,
    ) -> Result<(), TooDeep> {
        let (min, max) = bounds(repeat);
        let is_pending = self.bounds_are_pending && matches!(repeat, Repeat::Times { .. });
        let mut once = |b: &mut Builder| {
            if max != Some(0) {
                body(b)?;
            }
            if is_pending {
                b.push(PatternNode::Jump(b.here() + 1));
            }
            Ok(())
        };
        if let (_, Some(0)) | (1, Some(1)) = (min, max) {
            return once(self);
        }
        self.nullable_repeats |= nullable;
        if max != Some(min) {
            self.n_choices += 1;
            self.wants_table |= self.depth > 0;
        }
        let iterations = self.iterations;
        match max {
            None => self.wants_table = true,
            Some(max) => {
                self.iterations.0 = iterations.0.saturating_mul(u64::from(max));
                self.wants_table |= self.iterations.0 > FEW;
            }
        }
        self.depth += 1;
        let result = match (min, max) {
            (0, Some(1)) => self.optional(&mut once),
            (0 | 1, None) if !nullable => self.uncounted(min == 1, body),
            _ => self.counted(min, max, nullable, body),
        };
        self.depth -= 1;
        self.iterations = iterations;
        result
    }

    fn optional(
        &mut self,
        body: &mut dyn FnMut(&mut Builder) -> Result<(), TooDeep>,
    ) -> Result<(), TooDeep> {
        let fork = self.push(PatternNode::Fork(0));
        body(self)?;
        self.nodes[fork as usize] = PatternNode::Fork(self.here());
        Ok(())
    }

    /// Compiles `*` or `+` over a body that takes a move.
    fn uncounted(
        &mut self,
        plus: bool,
        body: &mut dyn FnMut(&mut Builder) -> Result<(), TooDeep>,
    ) -> Result<(), TooDeep> {
        if plus {
            let behind_fork = self.here() + 2;
            self.push(PatternNode::Jump(behind_fork));
        }
        let fork = self.push(PatternNode::Fork(0));
        body(self)?;
        self.push(PatternNode::Jump(fork));
        self.nodes[fork as usize] = PatternNode::Fork(self.here());
        Ok(())
    }

    fn counted(
        &mut self,
        min: u32,
        max: Option<u32>,
        nullable: bool,
        body: &mut dyn FnMut(&mut Builder) -> Result<(), TooDeep>,
    ) -> Result<(), TooDeep> {
        let index = self.counters.len() as u32;
        let stride = self.stride;
        let radix = u64::from(max.unwrap_or(min)) + 1;
        let inner = stride.0.checked_mul(radix).ok_or(TooDeep)?;
        let flag = if nullable { 1u32.checked_shl(self.n_flags).ok_or(TooDeep)? } else { 0 };
        let head = self.push(PatternNode::Head(index));
        self.counters.push(LoopCounter {
            head,
            exit: 0,
            min,
            max,
            stride: stride.0,
            radix,
            nullable,
            flag,
        });
        self.stride.0 = inner;
        self.digits.0 = self.digits.0.max(inner);
        self.n_flags += u32::from(nullable);
        body(self)?;
        self.n_flags -= u32::from(nullable);
        self.stride = stride;
        self.push(PatternNode::Tail(index));
        self.counters[index as usize].exit = self.here();
        Ok(())
    }
}

fn bounds(repeat: Repeat) -> (u32, Option<u32>) {
    match repeat {
        Repeat::Optional => (0, Some(1)),
        Repeat::Star => (0, None),
        Repeat::Plus => (1, None),
        Repeat::Times { min, max } => (min, (max < UNBOUNDED || min == max).then_some(max)),
    }
}

fn is_nullable(constituent: &Constituent) -> bool {
    match constituent {
        Constituent::Filter(_) => true,
        Constituent::Dash(_, repeat) => repeat.is_some_and(Repeat::allows_none),
        Constituent::Group(members, repeat) => {
            repeat.is_some_and(Repeat::allows_none) || members.iter().all(is_nullable)
        }
    }
}

//! Lowers CQL 5 trees to programs.
//!
//! Almost everything has a node that CQL 6 uses, too; words that both dialects have are lowered as
//! the CQL 6 filter of that name. A filter is lowered as a condition ([`condition`]), as a set of
//! squares ([`set`]) or, for `sort`, as a number ([`number`]); the effect of `not` and `or` on sets
//! depends on which of these is needed.
//!
//! [`condition`]: Lowering::condition
//! [`set`]: Lowering::set
//! [`number`]: Lowering::number

mod condition;
mod elsewhere;
mod kinds;
mod value;

use syntax::Span;
use syntax::cql5::tree::{self as cql5, Range as Range5};
use syntax::tree::{self, FilterKind, Query, SortId, SortVariable, Type, Variable, VariableId};

use super::{Lowered, Lowerer, lower_with};
use crate::limits::Limits;
use crate::program::*;

/// Lowers a CQL 5 query after the CQL 6 filters of `query`, which were given on the command line.
/// The names of the CQL 5 query are added to `query`.
pub(crate) fn lower_cql5(
    query: &mut Query,
    cql5: &cql5::Query,
    transforms: &[tree::TransformFamily],
    limits: &Limits,
) -> Lowered {
    let base = Base {
        variables: query.variables.len() as u32,
        sorts: query.sorts.len() as u32,
        trackers: query.n_trackers,
    };
    query.variables.extend(cql5.variables.iter().map(|variable| Variable {
        name: variable.name.clone(),
        kind: variable.kind,
        persistent: None,
        atomic: false,
    }));
    query.sorts.extend(cql5.sorts.iter().map(|field| SortVariable {
        label: field.name.clone(),
        ascending: field.ascending,
        quiet: false,
        ty: Type::Numeric,
    }));
    query.n_trackers += cql5.n_trackers;
    let query = &*query;
    lower_with(query, transforms, limits, |lowerer| {
        let mut items: Vec<BoolId> = query.filters.iter().map(|f| lowerer.condition(f)).collect();
        let mut lowering = Lowering { lowerer, base };
        for filter in cql5.header.game.iter().chain(&cql5.filters) {
            items.push(lowering.condition(filter));
        }
        let first = cql5.filters.first().map_or(Span::default(), |f| f.span);
        lowerer.standing_at(first, |l| l.all(items))
    })
}

/// Numbers of names of each kind before those of the CQL 5 query.
#[derive(Debug, Clone, Copy)]
struct Base {
    variables: u32,
    sorts: u32,
    trackers: u32,
}

struct Lowering<'l, 'q> {
    lowerer: &'l mut Lowerer<'q>,
    base: Base,
}

impl<'q> Lowering<'_, 'q> {
    fn variable(&self, id: VariableId) -> VariableId {
        VariableId(self.base.variables + id.0)
    }

    fn sort(&self, id: SortId) -> SortId {
        SortId(self.base.sorts + id.0)
    }

    fn tracker(&self, index: u32) -> u32 {
        self.base.trackers + index
    }

    fn new_bool(&mut self, filter: BoolFilter) -> BoolId {
        self.lowerer.new_bool(filter)
    }

    fn new_set(&mut self, filter: SetFilter) -> SetId {
        self.lowerer.new_set(filter)
    }

    fn new_num(&mut self, filter: NumFilter) -> NumId {
        self.lowerer.new_num(filter)
    }

    fn constant(&mut self, number: i32) -> NumId {
        self.new_num(NumFilter::Constant(number))
    }

    /// Lowers all of `filters`, in order, to one condition.
    fn conjunction(&mut self, filters: &[cql5::Filter]) -> BoolId {
        let items = filters.iter().map(|f| self.condition(f)).collect();
        self.lowerer.all(items)
    }

    /// The images of `body` under a family, each lowered with `lower`. Transforms without a range
    /// that are the whole argument of another one are composed with it.
    fn orbit<T>(
        &mut self,
        family: tree::TransformFamily,
        body: &cql5::Filter,
        mut lower: impl FnMut(&mut Lowering<'_, 'q>, &cql5::Filter) -> T,
    ) -> Vec<T> {
        let base = self.base;
        let mut members = crate::transform::single_steps(family);
        let mut body = body;
        while let cql5::FilterKind::Transform { family, range: None, body: inner } = &body.kind {
            let steps = crate::transform::members(*family);
            members = members
                .iter()
                .flat_map(|outer| {
                    steps.iter().map(move |&step| [&[step], outer.as_slice()].concat())
                })
                .collect();
            body = inner;
        }
        self.lowerer.transformed = body.span;
        self.lowerer.orbit_with(&members, |lowerer| lower(&mut Lowering { lowerer, base }, body))
    }

    /// The images of `body` that a range counts: one for every member of the family, even if they
    /// are equal. The list of the eight symmetries has the identity twice.
    fn counted_images(
        &mut self,
        family: tree::TransformFamily,
        body: &cql5::Filter,
    ) -> Vec<BoolId> {
        let base = self.base;
        let mut members = crate::transform::single_steps(family);
        if family == tree::TransformFamily::Flip {
            members.insert(0, members[0].clone());
        }
        self.lowerer.transformed = body.span;
        self.lowerer
            .orbit_with_multiplicity(&members, |lowerer| Lowering { lowerer, base }.condition(body))
    }
}

/// A CQL 6 filter without operands of CQL 5.
fn filter(kind: FilterKind, ty: Type, span: Span) -> tree::Filter {
    tree::Filter { kind, ty, span }
}

fn range(range: Range5) -> Range {
    Range::constant(range.min, range.max)
}

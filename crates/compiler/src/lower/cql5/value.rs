//! Lowers filters to sets of squares, and to numbers.

use board::SquareSet;
use syntax::Span;
use syntax::builtin::{Nullary, NumberSource, SetToNumber, SetsToSet};
use syntax::cql5::tree::{Filter, FilterKind as K, Range as Range5, SquareLoop as Loop5};
use syntax::designator::{Designator, PieceSet};
use syntax::tree::{Arithmetic, Color, FilterKind, Relation, Type, VariableId, VariableKind};

use super::kinds::{conditions, numbers, sets};
use super::{Lowering, filter, range};
use crate::program::*;

impl Lowering<'_, '_> {
    pub(super) fn set(&mut self, f: &Filter) -> SetId {
        let span = f.span;
        let node = match &f.kind {
            K::Designator { pieces, squares, variables } => {
                return self.designator(*pieces, *squares, variables, span);
            }
            K::All => SetFilter::Constant(SquareSet::ALL),
            // The designator stands for squares, which a shift takes off the board, not for their
            // color.
            K::SquareColor { light } => {
                let squares = if *light { SquareSet::LIGHT } else { SquareSet::DARK };
                return self.designator(PieceSet::ANYTHING, squares.0, &[], span);
            }
            K::On(items) => {
                let sets = self.sets(items);
                return self.joined(sets, SetFilter::Intersect);
            }
            K::Or(items) => {
                let sets = self.sets(items);
                return self.joined(sets, SetFilter::Union);
            }
            K::Not(operand) => SetFilter::Complement(self.set(operand)),
            K::Attack { from, to, .. } => {
                let from = self.set(from);
                SetFilter::AttackedBy(self.set(to), from)
            }
            K::Between(a, b) => SetFilter::OfSets(SetsToSet::Between, self.set(a), self.set(b)),
            K::Ray { .. } => SetFilter::Ray(Box::new(self.ray(&f.kind))),
            K::Direction { direction, range: steps, operand } => {
                let directions = self.lowerer.transformed_directions(direction.steps());
                SetFilter::Direction(directions, range(*steps), self.set(operand), span)
            }
            K::Loop(square_loop) => SetFilter::Loop(self.square_loop(square_loop, span)),
            K::Origin(variable) => SetFilter::Variable(self.variable(*variable), span),
            K::Move(filter) => return self.move_set(filter),
            K::Transform { family, body, .. } => {
                SetFilter::Orbit(self.orbit(*family, body, |l, f| l.set(f)).into())
            }
            // the parser does not accept these in the place of a set
            conditions!() | numbers!() | K::Sequence(_) | K::Search(_) | K::Sort { .. } => {
                SetFilter::Constant(board::SquareSet::EMPTY)
            }
        };
        self.new_set(node)
    }

    /// Joins the sets one after the other; returns the empty set if there are none.
    fn joined(&mut self, sets: Vec<SetId>, join: fn(SetId, SetId) -> SetFilter) -> SetId {
        let joined = sets.into_iter().reduce(|all, set| self.new_set(join(all, set)));
        joined.unwrap_or_else(|| self.new_set(SetFilter::Constant(board::SquareSet::EMPTY)))
    }

    fn sets(&mut self, items: &[Filter]) -> Vec<SetId> {
        items.iter().map(|f| self.set(f)).collect()
    }

    fn designator(
        &mut self,
        pieces: PieceSet,
        squares: u64,
        variables: &[VariableId],
        span: Span,
    ) -> SetId {
        let designator = Designator::new(pieces, squares);
        let mut sets: Vec<SetId> = Vec::new();
        if designator.has_squares || designator.has_pieces || variables.is_empty() {
            let designator = FilterKind::Designator(designator);
            sets.push(self.lowerer.set(&filter(designator, Type::Set, span)));
        }
        for &variable in variables {
            let id = self.variable(variable);
            let node = match self.lowerer.kind_of(id) {
                VariableKind::Piece => SetFilter::PieceVariable(id, span),
                _ => SetFilter::Variable(id, span),
            };
            sets.push(self.new_set(node));
        }
        self.joined(sets, SetFilter::Intersect)
    }

    fn ray(&mut self, kind: &K) -> Ray {
        let K::Ray { attack, steps, operands, .. } = kind else {
            return Ray { attack: false, steps: Vec::new(), operands: Vec::new(), first: false };
        };
        let steps = if steps.len() == 8 {
            steps.clone()
        } else {
            self.lowerer.transformed_directions(steps)
        };
        Ray { attack: *attack, steps, operands: self.sets(operands), first: false }
    }

    /// The squares or pieces of a loop for which its body matches.
    pub(super) fn square_loop(&mut self, square_loop: &Loop5, span: Span) -> SquareLoop {
        let variable = self.variable(square_loop.variable);
        let domain = match &square_loop.domain {
            Some(domain) => self.set(domain),
            None => self.new_set(SetFilter::Constant(board::SquareSet::ALL)),
        };
        let mut body = self.conjunction(&square_loop.body);
        if let Some(origin) = square_loop.origin {
            // the square of the piece when it is bound
            let square = self.new_set(SetFilter::PieceVariable(variable, span));
            let binding = (self.variable(origin), Value::Set(square));
            body = self.new_bool(BoolFilter::Call(Box::new([binding]), body));
        }
        SquareLoop {
            variable,
            piece: square_loop.piece,
            domain,
            body,
            condition: None,
            least: None,
            by_move: None,
            span,
        }
    }

    /// The value of a filter that `sort` can use, if it is in its range.
    pub(super) fn number(&mut self, f: &Filter) -> NumId {
        let span = f.span;
        let node = match &f.kind {
            K::Sort { field, body } => {
                let field = self.sort(*field);
                let body = self.number(body);
                let index = self.lowerer.n_sort_filters;
                self.lowerer.n_sort_filters += 1;
                let ascending = self.lowerer.query.sorts[field.0 as usize].ascending;
                NumFilter::Flow(Flow::Sort(field, SortFilter { ascending, body, index }))
            }
            K::Transform { family, range: Some(counted), body } => {
                let images = self.counted_images(*family, body);
                NumFilter::OrbitCount(images.into(), range(*counted), span)
            }
            K::Sequence(sequence) => NumFilter::Line(Box::new(self.sequence(sequence, span))),
            K::Search(search) => NumFilter::Find(self.search(search)),
            // either rating may be in the range; the value is White's in any case
            K::Elo(None, _) => {
                let condition = self.condition(f);
                let rating = self.rating(Color::White, f);
                NumFilter::Flow(Flow::Block(Box::new([condition]), rating))
            }
            K::CountSquares(range, _)
            | K::Power(range, _)
            | K::PowerDifference(range, ..)
            | K::MoveNumber(range)
            | K::Year(range)
            | K::Elo(_, range)
            | K::Attack { range: Some(range), .. }
            | K::Ray { range: Some(range), .. }
            | K::Loop(Loop5 { range: Some(range), .. }) => return self.bounded(f, *range),
            // the parser does not accept these in the place of a number
            conditions!()
            | sets!()
            | K::Or(_)
            | K::Not(_)
            | K::Move(_)
            | K::Attack { range: None, .. }
            | K::Ray { range: None, .. }
            | K::Loop(Loop5 { range: None, .. })
            | K::Transform { range: None, .. } => NumFilter::Constant(0),
        };
        self.new_num(node)
    }

    fn bounded(&mut self, f: &Filter, range: Range5) -> NumId {
        let number = self.plain_number(f);
        let max = self.constant(range.max);
        let bounded = self.new_num(NumFilter::Relation(Relation::LessEqual, number, max));
        let min = self.constant(range.min);
        self.new_num(NumFilter::Relation(Relation::GreaterEqual, bounded, min))
    }

    /// The counted number, whether or not it is in its range.
    pub(super) fn plain_number(&mut self, f: &Filter) -> NumId {
        let span = f.span;
        let node = match &f.kind {
            K::CountSquares(_, operand) => NumFilter::Cardinality(self.set(operand)),
            K::Loop(square_loop) => {
                let node = SetFilter::Loop(self.square_loop(square_loop, span));
                NumFilter::Cardinality(self.new_set(node))
            }
            K::Attack { from, to, .. } => {
                let from = self.set(from);
                NumFilter::AttackPairs(from, self.set(to))
            }
            K::Ray { .. } => NumFilter::RayCount(Box::new(self.ray(&f.kind))),
            K::Power(_, operand) => NumFilter::OfSet(SetToNumber::Power, self.set(operand)),
            K::PowerDifference(_, a, b) => {
                let a = self.set(a);
                let a = self.new_num(NumFilter::OfSet(SetToNumber::Power, a));
                let b = self.set(b);
                let b = self.new_num(NumFilter::OfSet(SetToNumber::Power, b));
                NumFilter::Arithmetic(Arithmetic::Subtract, a, b)
            }
            // whichever side began, the first two positions belong to move 1
            K::MoveNumber(_) => {
                let ply = self.new_num(NumFilter::Source(NumberSource::Ply));
                let two = self.constant(2);
                let half = self.new_num(NumFilter::Arithmetic(Arithmetic::Divide, ply, two));
                let one = self.constant(1);
                NumFilter::Arithmetic(Arithmetic::Add, half, one)
            }
            K::Year(_) => {
                let year = FilterKind::Nullary(Nullary::NumberSource(NumberSource::Year));
                return self.lowerer.number(&filter(year, Type::Numeric, span));
            }
            K::Elo(Some(color), _) => return self.rating(*color, f),
            // nothing else is counted
            conditions!()
            | sets!()
            | K::Elo(None, _)
            | K::Or(_)
            | K::Not(_)
            | K::Move(_)
            | K::Transform { .. }
            | K::Sequence(_)
            | K::Search(_)
            | K::Sort { .. } => NumFilter::Constant(0),
        };
        self.new_num(node)
    }
}

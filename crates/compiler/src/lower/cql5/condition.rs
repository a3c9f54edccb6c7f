//! Lowers filters to conditions.

use syntax::cql5::tree::{Filter, FilterKind as K, Range as Range5, SquareLoop as Loop5};
use syntax::tree::{Color, FilterKind, Relation, TextSource, Type};

use super::kinds::sets;
use super::{Lowering, filter};
use crate::program::*;

/// The least value of a count, and the greatest if there is one.
#[derive(Clone, Copy)]
struct Limits(Option<i32>, Option<i32>);

const ANY_NUMBER: Limits = Limits(None, None);
const NOT_NEGATIVE: Limits = Limits(Some(0), None);
const SQUARES: Limits = Limits(Some(0), Some(64));

impl Lowering<'_, '_> {
    pub(super) fn condition(&mut self, f: &Filter) -> BoolId {
        let base = self.base;
        self.lowerer.standing_at(f.span, |lowerer| Lowering { lowerer, base }.condition_here(f))
    }

    fn condition_here(&mut self, f: &Filter) -> BoolId {
        let span = f.span;
        let node = match &f.kind {
            K::Nullary(word) => {
                let word = FilterKind::Nullary(*word);
                return self.lowerer.condition(&filter(word, Type::Boolean, span));
            }
            K::Result(result) => {
                let result = FilterKind::Result(*result);
                return self.lowerer.condition(&filter(result, Type::Boolean, span));
            }
            K::Player(Some(color), text) => {
                return self.contains(text, TextSource::Player(*color), f);
            }
            K::Player(None, text) => {
                let colors = [Color::White, Color::Black];
                let either = colors.map(|color| self.contains(text, TextSource::Player(color), f));
                BoolFilter::Any(either.into())
            }
            K::Site(text) => return self.contains(text, TextSource::Site, f),
            K::Event(text) => return self.contains(text, TextSource::Event, f),
            K::HasComment(text) => return self.contains(text, TextSource::OriginalComment, f),

            K::Block(items) => return self.conjunction(items),
            K::Or(items) => BoolFilter::Any(items.iter().map(|f| self.condition(f)).collect()),
            K::Not(operand) => BoolFilter::Not(self.condition(operand)),
            K::Loop(square_loop) if square_loop.all => {
                BoolFilter::ForAll(self.square_loop(square_loop, span))
            }
            K::Transform { family, range: None, body } => {
                BoolFilter::Orbit(self.orbit(*family, body, |l, f| l.condition(f)).into())
            }
            K::Transform { range: Some(_), .. } => BoolFilter::HasNumber(self.number(f)),

            K::Attack { range: Some(range), .. } | K::Ray { range: Some(range), .. } => {
                let number = self.plain_number(f);
                return self.in_range(number, *range, NOT_NEGATIVE);
            }
            K::CountSquares(range, _) | K::Loop(Loop5 { range: Some(range), .. }) => {
                let number = self.plain_number(f);
                return self.in_range(number, *range, SQUARES);
            }
            K::Power(range, _) => {
                let number = self.plain_number(f);
                return self.in_range(number, *range, NOT_NEGATIVE);
            }
            K::PowerDifference(range, ..) | K::MoveNumber(range) | K::Year(range) => {
                let number = self.plain_number(f);
                return self.in_range(number, *range, ANY_NUMBER);
            }
            K::Elo(Some(color), range) => return self.elo_in_range(*color, *range, f),
            K::Elo(None, range) => {
                let colors = [Color::White, Color::Black];
                let either = colors.map(|color| self.elo_in_range(color, *range, f));
                BoolFilter::Any(either.into())
            }
            K::Sort { .. } => BoolFilter::HasNumber(self.number(f)),

            K::Comment(text) => {
                BoolFilter::Comment(Box::new([PrintItem::Literal(text.as_slice().into())]))
            }
            K::CommentSet(operand) => {
                BoolFilter::Comment(Box::new([PrintItem::Set(self.set(operand))]))
            }
            K::Move(filter) => return self.move_condition(filter),
            K::Sequence(sequence) => BoolFilter::Line(Box::new(self.sequence(sequence, span))),
            K::Search(search) => BoolFilter::Find(self.search(search)),
            K::Relation(relation) => BoolFilter::Relation(Box::new(self.relation(relation))),

            sets!() | K::Attack { .. } | K::Ray { .. } | K::Loop(_) => {
                BoolFilter::NonEmpty(self.set(f))
            }
        };
        self.new_bool(node)
    }

    /// Whether `text` occurs in a text of the game.
    fn contains(&mut self, text: &[u8], source: TextSource, f: &Filter) -> BoolId {
        let source = filter(FilterKind::TextSource(source), Type::String, f.span);
        let contains = FilterKind::Contains(text.to_vec(), Box::new(source));
        self.lowerer.condition(&filter(contains, Type::Boolean, f.span))
    }

    /// Whether a number that always has a value is in the range.
    fn in_range(&mut self, number: NumId, range: Range5, limits: Limits) -> BoolId {
        let Limits(least, greatest) = limits;
        let node = if range.min == range.max {
            let value = self.constant(range.min);
            BoolFilter::CompareNumbers(Relation::Equal, number, value)
        } else {
            let max = self.constant(range.max);
            let min = self.constant(range.min);
            if least.is_some_and(|least| range.min <= least) {
                BoolFilter::CompareNumbers(Relation::LessEqual, number, max)
            } else if greatest.is_some_and(|greatest| greatest <= range.max) {
                BoolFilter::CompareNumbers(Relation::GreaterEqual, number, min)
            } else {
                let bounded = NumFilter::Relation(Relation::LessEqual, number, max);
                let bounded = self.new_num(bounded);
                BoolFilter::CompareNumbers(Relation::GreaterEqual, bounded, min)
            }
        };
        self.new_bool(node)
    }

    /// Whether a rating is in the range; a missing rating counts as 0.
    fn elo_in_range(&mut self, color: Color, range: Range5, f: &Filter) -> BoolId {
        let number = if range.min <= 0 && 0 <= range.max {
            self.rating(color, f)
        } else {
            self.known_rating(color, f)
        };
        self.in_range(number, range, ANY_NUMBER)
    }

    pub(super) fn known_rating(&mut self, color: Color, f: &Filter) -> NumId {
        let elo = FilterKind::Elo(Some(color));
        self.lowerer.number(&filter(elo, Type::Numeric, f.span))
    }

    /// The rating, or 0 if it is missing.
    pub(super) fn rating(&mut self, color: Color, f: &Filter) -> NumId {
        let known = self.known_rating(color, f);
        let zero = self.constant(0);
        self.new_num(NumFilter::Extremum { max: true, items: Box::new([known, zero]) })
    }
}

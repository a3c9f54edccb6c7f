//! Lowers designators and the conditions on a single position.

use board::{Color, Direction, SquareSet};
use syntax::builtin::{NumberSource, Predicate, SetToNumber, Turn};
use syntax::classic::tree::{Condition, Designator, Men, Range, Ray, RayKind};
use syntax::designator::PieceSet;
use syntax::token::GameResult;
use syntax::tree::Arithmetic;

use super::Lowerer;
use super::arena::{BoolKey, NumKey, SetKey};
use crate::lower::orbit::place_of;
use crate::lower::value::designator_node;
use crate::program;
use crate::program::*;

impl Lowerer {
    /// The squares of a designator under the current maps.
    pub(super) fn image_of_squares(&self, designator: &Designator) -> SquareSet {
        let squares = SquareSet(designator.squares);
        let maps = self.maps.iter().rev();
        maps.fold(squares, |squares, map| map.squares(squares))
    }

    /// The piece types under the current maps.
    pub(super) fn image_of_kinds(&self, kinds: PieceSet) -> PieceSet {
        let maps = self.maps.iter().rev();
        maps.fold(kinds, |kinds, map| map.kinds(kinds))
    }

    /// The squares that match a designator.
    pub(super) fn men(&mut self, designator: &Designator) -> SetId {
        let squares = self.image_of_squares(designator);
        match designator.men {
            Men::Kinds(kinds) => self.kinds_on(self.image_of_kinds(kinds), squares),
            Men::Tag(tag) => {
                let man = self.man(usize::from(tag.0), designator.span);
                if squares == SquareSet::ALL {
                    return man;
                }
                let squares = self.nodes.squares(squares);
                self.nodes.intersect(man, squares)
            }
        }
    }

    fn kinds_on(&mut self, kinds: PieceSet, squares: SquareSet) -> SetId {
        let key = SetKey::Kinds(kinds, squares);
        self.nodes.set(key, || designator_node(kinds, squares))
    }

    /// The pieces of a color.
    pub(super) fn all_men(&mut self, color: Color) -> SetId {
        let kinds = match color {
            Color::White => PieceSet::WHITE,
            Color::Black => PieceSet::BLACK,
        };
        self.kinds_on(kinds, SquareSet::ALL)
    }

    /// The square of the piece with a tag.
    fn man(&mut self, tag: usize, span: syntax::Span) -> SetId {
        let variable = self.men[tag];
        let key = SetKey::Man(variable);
        self.nodes.set(key, || SetFilter::PieceVariable(variable, span))
    }

    /// Lowers a designator to a condition.
    pub(super) fn occurs(&mut self, designator: &Designator) -> BoolId {
        let men = self.men(designator);
        self.nodes.non_empty(men)
    }

    pub(super) fn result(&mut self, result: GameResult) -> BoolId {
        use GameResult as R;
        let result = match (result, self.swaps_colors()) {
            (R::WhiteWins, true) => R::BlackWins,
            (R::BlackWins, true) => R::WhiteWins,
            (result, _) => result,
        };
        self.nodes.bool(BoolKey::Result(result), || BoolFilter::Result(result))
    }

    /// Lowers a condition without lists in it.
    pub(super) fn condition(&mut self, condition: &Condition) -> BoolId {
        match condition {
            Condition::Predicate(predicate) => self.nodes.predicate(*predicate),
            Condition::Turn(Turn::Wtm) => self.turn(Color::White),
            Condition::Turn(Turn::Btm) => self.turn(Color::Black),
            Condition::NoCheck => {
                let check = self.nodes.predicate(Predicate::Check);
                self.nodes.not(check)
            }
            Condition::MoveNumber(range) => {
                let ply = self.nodes.source(NumberSource::Ply);
                let (one, two) = (self.nodes.number(1), self.nodes.number(2));
                let moves = self.nodes.arithmetic(Arithmetic::Divide, ply, two);
                let number = self.nodes.arithmetic(Arithmetic::Add, moves, one);
                self.in_range(number, range)
            }
            Condition::PieceCount(designator, range) => {
                let men = self.men(designator);
                let count =
                    self.nodes.num(NumKey::Cardinality(men), || NumFilter::Cardinality(men));
                self.in_range(count, range)
            }
            Condition::AttackCount(attackers, attacked, range) => {
                let (men, squares) = (self.men(attackers), self.men(attacked));
                let key = NumKey::AttackPairs(men, squares);
                let count = self.nodes.num(key, || NumFilter::AttackPairs(men, squares));
                self.in_range(count, range)
            }
            Condition::Power(designator, range) => {
                let men = self.men(designator);
                let power = self.power(men);
                self.in_range(power, range)
            }
            Condition::PowerDifference(designator, range) => {
                let men = self.men(designator);
                let [own, other] = [Color::White, Color::Black].map(|color| {
                    let color = self.color(color);
                    let of_color = self.all_men(color);
                    let men = self.nodes.intersect(men, of_color);
                    self.power(men)
                });
                let difference = self.nodes.arithmetic(Arithmetic::Subtract, own, other);
                self.in_range(difference, range)
            }
            Condition::Ray(ray) => self.ray(ray),
            Condition::Elo(range) => {
                let players = Color::ALL.map(|color| self.elo(color, range));
                self.nodes.any(players.to_vec())
            }
            Condition::WhiteElo(range) => self.elo(self.color(Color::White), range),
            Condition::BlackElo(range) => self.elo(self.color(Color::Black), range),
            Condition::Result(result) => self.result(*result),
            Condition::TagMatch(tag, designator) => {
                let man = self.man(usize::from(tag.0), designator.span);
                let men = self.men(designator);
                let both = self.nodes.intersect(man, men);
                self.nodes.non_empty(both)
            }
            Condition::And(_) | Condition::Or(_) => self.nodes.constant(true),
        }
    }

    fn turn(&mut self, color: Color) -> BoolId {
        let color = self.color(color);
        self.nodes.bool(BoolKey::Turn(color), || BoolFilter::Turn(color))
    }

    fn power(&mut self, men: SetId) -> NumId {
        let key = NumKey::OfSet(SetToNumber::Power, men);
        self.nodes.num(key, || NumFilter::OfSet(SetToNumber::Power, men))
    }

    fn in_range(&mut self, number: NumId, range: &Range) -> BoolId {
        self.nodes.in_range(number, range.min, range.max)
    }

    /// Whether a rating is in a range; a missing rating counts as 0.
    fn elo(&mut self, color: Color, range: &Range) -> BoolId {
        let elo = self.nodes.num(NumKey::Elo(color), || NumFilter::Elo(Some(color)));
        let inside = self.in_range(elo, range);
        if !(range.min..=range.max).contains(&0) {
            return inside;
        }
        let key = BoolKey::HasNumber(elo);
        let known = self.nodes.bool(key, || BoolFilter::HasNumber(elo));
        let unknown = self.nodes.not(known);
        self.nodes.any(vec![inside, unknown])
    }

    fn ray(&mut self, ray: &Ray) -> BoolId {
        let operands: Vec<SetId> = ray.designators.iter().map(|d| self.men(d)).collect();
        if operands.iter().any(|&set| self.nodes.is_empty(set)) && ray.range.is_none() {
            return self.nodes.constant(false);
        }
        let mut steps: Vec<(i8, i8)> = Direction::ALL
            .into_iter()
            .filter(|&direction| runs(ray.kind, direction))
            .map(|direction| {
                let maps = self.maps.iter().rev();
                let image = maps.fold(direction, |direction, map| map.direction(direction));
                image.delta()
            })
            .collect();
        steps.sort_by_cached_key(|&step| place_of(step));
        let node =
            program::Ray { attack: ray.kind == RayKind::Attack, steps, operands, first: false };
        let key = node.clone();
        match &ray.range {
            Some(range) => {
                let count =
                    self.nodes.num(NumKey::Rays(key), || NumFilter::RayCount(Box::new(node)));
                self.in_range(count, range)
            }
            None => {
                let squares = self.nodes.set(SetKey::Ray(key), || SetFilter::Ray(Box::new(node)));
                self.nodes.non_empty(squares)
            }
        }
    }
}

/// Whether a kind of ray may run in a direction.
fn runs(kind: RayKind, direction: Direction) -> bool {
    let (dx, dy) = direction.delta();
    match kind {
        RayKind::Any | RayKind::Attack => true,
        RayKind::Orthogonal => !direction.is_diagonal(),
        RayKind::Diagonal => direction.is_diagonal(),
        RayKind::Horizontal => dy == 0,
        RayKind::Vertical => dx == 0,
    }
}

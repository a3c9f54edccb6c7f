//! Finds conditions on attacks and pins that depend on the board alone.
//!
//! A condition that looks at nothing but the board, has no effect and cannot end in an error needs
//! no evaluator: it is a test of a [screen](super::screen). The test pays only if the condition is
//! about more than pieces on squares. Its conditions on pieces alone have cheaper tests, which come
//! first.

mod wide;

use board::{RayKind, SquareSet};
use syntax::tree::Relation;

pub(super) use wide::Widener;

use super::peephole::{designator, steps};
use crate::facts::{ALL_PIECES, KINGS};
use crate::program::plan::{BoardChoice, BoardCondition, BoardSet, MAX_POINTS, SquareCondition};
use crate::program::{BoolFilter, NumFilter, NumId, Program, Ray, SetFilter, SetId};

/// A comparison of a number that depends on sets with a constant.
enum Compared {
    /// The number of squares of a set.
    Count(Relation, SetId, i32),
    /// The number of pairs of a piece of the first set and a square of the second that it attacks.
    Pairs(Relation, [SetId; 2], i32),
}

impl Compared {
    fn of(program: &Program, filter: &BoolFilter) -> Option<Compared> {
        let number = |id: NumId| &program.nums[id.0 as usize];
        let of = |relation: Relation, left, right| {
            let NumFilter::Constant(n) = *number(right) else {
                return None;
            };
            match *number(left) {
                NumFilter::Cardinality(set) => Some(Compared::Count(relation, set, n)),
                NumFilter::AttackPairs(men, squares) => {
                    Some(Compared::Pairs(relation, [men, squares], n))
                }
                _ => None,
            }
        };
        match *filter {
            BoolFilter::CompareCount(relation, set, n) => Some(Compared::Count(relation, set, n)),
            BoolFilter::CompareNumbers(relation, left, right) => of(relation, left, right),
            BoolFilter::HasNumber(id) => match *number(id) {
                // `!=` has no value.
                NumFilter::Relation(relation, left, right) if relation != Relation::NotEqual => {
                    of(relation, left, right)
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl BoardCondition {
    /// Returns the filter as a condition on the board, if it is one and is about more than pieces on
    /// squares.
    pub(super) fn of(program: &Program, filter: &BoolFilter) -> Option<BoardCondition> {
        let of = |id: SetId| BoardSet::of(program, id);
        let asking = |id: SetId| of(id).filter(BoardSet::asks_for_more);
        if let BoolFilter::NonEmpty(set) = filter {
            return Some(BoardCondition::NotEmpty(asking(*set)?));
        }
        Some(match Compared::of(program, filter)? {
            Compared::Count(relation, set, n) => BoardCondition::Count(relation, asking(set)?, n),
            Compared::Pairs(relation, [men, squares], n) => {
                BoardCondition::Pairs(relation, Box::new([of(men)?, of(squares)?]), n)
            }
        })
    }
}

impl BoardSet {
    fn of(program: &Program, id: SetId) -> Option<BoardSet> {
        let of = |id: &SetId| BoardSet::of(program, *id);
        let filter = &program.sets[id.0 as usize];
        if let SetFilter::Piece(piece, squares) = filter {
            return Some(BoardSet::Piece(*piece, *squares));
        }
        if let Some((kinds, squares)) = designator(filter) {
            return Some(BoardSet::Kinds(kinds, squares));
        }
        Some(match filter {
            SetFilter::Constant(squares) => BoardSet::Constant(*squares),
            SetFilter::Union(left, right) => BoardSet::Union([of(left)?, of(right)?].into()),
            SetFilter::Intersect(left, right) => {
                BoardSet::Intersect(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::Complement(operand) => BoardSet::Complement(Box::new(of(operand)?)),
            SetFilter::Attacks(left, right) => {
                BoardSet::Attackers(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::AttackedBy(left, right) => {
                BoardSet::Attacked(Box::new([of(left)?, of(right)?]))
            }
            SetFilter::Pin(pin) => {
                let or_all = |id: &Option<SetId>| match id {
                    Some(id) => of(id),
                    None => Some(BoardSet::Constant(SquareSet::ALL)),
                };
                let to = match &pin.to {
                    Some(to) => of(to)?,
                    None => BoardSet::Kinds(KINGS, SquareSet::ALL),
                };
                let sets = [or_all(&pin.from)?, or_all(&pin.through)?, to];
                BoardSet::Pins(Box::new(sets), pin.value)
            }
            SetFilter::Ray(ray) => BoardSet::rays(program, ray, |id| of(&id))?,
            SetFilter::Loop(square_loop) if !square_loop.piece => {
                let condition = square_loop.condition.as_ref()?;
                let choice = BoardChoice::of(program, condition)?;
                BoardSet::Chosen(Box::new(of(&square_loop.domain)?), Box::new(choice))
            }
            SetFilter::Orbit(images) => {
                BoardSet::Union(images.iter().map(of).collect::<Option<_>>()?)
            }
            SetFilter::PawnStructure(structure) => BoardSet::Structure(*structure),
            SetFilter::Direction(directions, range, operand, _) => {
                BoardSet::Shifted(steps(directions, *range)?, Box::new(of(operand)?))
            }
            _ => return None,
        })
    }

    /// Returns the squares of rays whose points between the first and the last are pieces, since
    /// empty squares may be passed over. `end` returns the first and the last.
    fn rays(
        program: &Program,
        ray: &Ray,
        mut end: impl FnMut(SetId) -> Option<BoardSet>,
    ) -> Option<BoardSet> {
        let (&last, before) = ray.operands.split_last()?;
        let (&first, between) = before.split_first()?;
        if ray.operands.len() > MAX_POINTS {
            return None;
        }
        let mut points = vec![end(first)?];
        for point in between {
            let (kinds, squares) = designator(&program.sets[point.0 as usize])?;
            if kinds & ALL_PIECES != kinds {
                return None;
            }
            points.push(BoardSet::Kinds(kinds, squares));
        }
        points.push(end(last)?);
        let kind = RayKind::new(&ray.steps, ray.attack, ray.first);
        Some(BoardSet::Rays(kind, points.into()))
    }

    /// Whether the set is about more than pieces on squares.
    fn asks_for_more(&self) -> bool {
        match self {
            BoardSet::Constant(_) | BoardSet::Piece(..) | BoardSet::Kinds(..) => false,
            BoardSet::Union(sets) => sets.iter().any(BoardSet::asks_for_more),
            BoardSet::Intersect(sets) => sets.iter().any(BoardSet::asks_for_more),
            BoardSet::Complement(set) => set.asks_for_more(),
            BoardSet::Attackers(_)
            | BoardSet::Attacked(_)
            | BoardSet::Chosen(..)
            | BoardSet::Pins(..)
            | BoardSet::Rays(..)
            | BoardSet::Structure(_)
            | BoardSet::Shifted(..)
            | BoardSet::Played(_) => true,
        }
    }
}

impl BoardChoice {
    fn of(program: &Program, condition: &SquareCondition) -> Option<BoardChoice> {
        let set = |id: &SetId| BoardSet::of(program, *id);
        let all = |conditions: &[SquareCondition]| {
            let of = |condition| BoardChoice::of(program, condition);
            conditions.iter().map(of).collect::<Option<_>>()
        };
        Some(match condition {
            SquareCondition::Fixed(_)
            | SquareCondition::Is(_)
            | SquareCondition::AttackersAre(..)
            | SquareCondition::Between(_)
            | SquareCondition::At(..)
            | SquareCondition::Others(_) => return None,
            SquareCondition::In(id) => BoardChoice::In(set(id)?),
            SquareCondition::AttackedBy(id) => BoardChoice::AttackedBy(set(id)?),
            SquareCondition::Attacks(id) => BoardChoice::Attacks(set(id)?),
            SquareCondition::AttackedSoOften(id, relation, n) => {
                BoardChoice::AttackedSoOften(set(id)?, *relation, *n)
            }
            SquareCondition::All(conditions) => BoardChoice::All(all(conditions)?),
            SquareCondition::Any(conditions) => BoardChoice::Any(all(conditions)?),
            SquareCondition::Not(condition) => {
                BoardChoice::Not(Box::new(BoardChoice::of(program, condition)?))
            }
            SquareCondition::Shifted(steps, condition) => {
                let choice = Box::new(BoardChoice::of(program, condition)?);
                BoardChoice::Shifted(steps.clone(), choice)
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use crate::program::plan::{PositionScreen, Test};

    #[test]
    fn what_asks_for_attacks_alone_is_tested_by_the_screen() {
        let check = |query: &str, n_tests: usize, is_exact: bool| {
            let program = testing::compiled(query);
            let tests = program.screen.tests.iter();
            let n_found = tests.filter(|test| matches!(test, Test::Board(_))).count();
            assert_eq!((n_found, program.screen.is_exact), (n_tests, is_exact), "{query}");
        };
        check("A attacks k", 1, true);
        check("#(A attacks [qr]) > 2 pin from B through q to k", 2, true);
        check("pin", 1, true);
        check("square x in N { x attacks k x attacks q }", 1, true);
        check("square x in [qr] { #(A attacks x) > 2 not a attacks x }", 1, true);
        check("A attacks k ply > 10", 1, true);
        check("A attacks k depth > 10", 1, false);
        check("A attacks [qr] >= 3", 1, true);
        check("up 1 [Pp] & R", 1, true);
        check("passedpawns & (R attacks a-h4)", 1, true);
        check("[BRQ] -> k -> [qr]", 1, true);
        check(
            "square s in P { p attacks up 1 s not P & down 0 7 (left 1 s | right 1 s) }",
            1,
            true,
        );
        // There is a cheaper test, the test would cost more, or the condition is not on the board.
        check("Q", 0, true);
        check("Ka1 or A attacks k", 0, true);
        check("x = k A attacks x", 0, false);
        check("square x in N { x attacks k wtm }", 0, false);
        check("path focus A attacks k --", 0, false);
        check("up 1 to & R", 0, false);
        // An empty square may be a point of a ray, or not.
        check("R -> _ -> q", 0, false);
    }

    #[test]
    fn what_follows_for_attacks_is_tested_side_by_side() {
        let check = |query: &str, n_tests: usize| {
            let program = testing::compiled(query);
            let of = |screen: &PositionScreen| {
                let tests = screen.tests.iter();
                tests.filter(|test| matches!(test, Test::Board(_))).count()
            };
            let found = (of(&program.screen), of(&program.wide_screen));
            assert_eq!(found, (0, n_tests), "{query}");
        };
        check("currentmove N--", 1);
        check("currentmove N--d5", 2);
        check("currentmove --", 0);
        check("[kqr] attackedby (N & to)", 1);
        check("square s in [BRQ] { s attacks q parent:{not s attacks q} wtm }", 1);
        check("square s in [BRQ] { s attacks q comment(s) }", 1);
        check("square s in q { A attacks s square t in r { A attacks t comment(s) } }", 1);
        // Nothing follows.
        check("not a attacks to", 0);
        check("#(a attacks to) == 0", 0);
        check("x = k A attacks x", 0);
        check("parent:{A attacks k}", 0);
    }
}

//! Collects necessary conditions for a match that can be tested without replaying a game.
//!
//! A query can only match in a game that contains what the query requires: a mate, a queen on h7, a
//! rook ending, certain moves in a row. The [`GameConditions`] of a program are such conditions in
//! terms of a [`Summary`](pgn::summary::Summary) of the game. A game that fails one of them is
//! skipped.
//!
//! Skipping must not be observable. Conditions are therefore collected in evaluation order, and
//! only up to the first filter that has an effect or may fail ([`collect`]), as for position
//! screens. A filter under `not` contributes no condition, nor does an alternative (`or`) if one of
//! its branches requires nothing that a summary can disprove.

mod collect;
mod moves;
mod tags;

use board::{Piece, Start};
use pgn::summary::Kinds;

use crate::facts::pieces_of;
use crate::program::Program;
use crate::program::plan::{
    GameConditions, GameFact, GameTest, MaterialSum, PawnCondition, PieceMask, Sum, TagCondition,
    Unscreened,
};

/// Notes the conditions of a program on a game, and the parts of the query that have none.
pub(super) fn find(program: &mut Program) {
    if let Some(reason) = program.needs_every_game() {
        program.unscreened.push(Unscreened { span: None, reason });
        return;
    }
    (program.game_conditions, program.unscreened) = collect::conditions(program);
}

impl GameConditions {
    /// Whether there are no conditions, so that every game passes.
    pub fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.material.is_empty()
    }

    /// Splits the tests into those before and those after the material. Going through the states of
    /// the material costs more than looking at square sets and less than following moves.
    pub(crate) fn around_material(&self) -> (&[GameTest], &[GameTest]) {
        self.tests.split_at(self.n_cheap)
    }

    /// Returns the conditions that pay when the positions of the game are available: not those on
    /// the squares of pawns, which cost as much as looking at the positions, nor those on themes and
    /// on few moves, which only an archive knows.
    #[must_use]
    pub fn for_texts(mut self) -> GameConditions {
        self.keep_for_texts();
        self
    }

    fn keep_for_texts(&mut self) {
        self.tests.retain_mut(|test| match test {
            GameTest::Fact(GameFact::Pawns(_) | GameFact::Theme(_) | GameFact::Recurs(_)) => false,
            GameTest::Fact(GameFact::Happens(kinds)) => kinds.0 >> Kinds::FEW == 0,
            GameTest::Any(alternatives) => {
                alternatives.iter_mut().for_each(GameConditions::keep_for_texts);
                !alternatives.iter().any(GameConditions::is_empty)
            }
            GameTest::Elsewhere(conditions) => {
                conditions.keep_for_texts();
                !conditions.is_empty()
            }
            GameTest::Fact(_) | GameTest::Moves(_) => true,
        });
        self.finish();
    }

    fn take(&mut self, test: GameTest) {
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
    }

    fn take_pawns(&mut self, condition: &PawnCondition) {
        let known = self.tests.iter_mut().find_map(|test| match test {
            GameTest::Fact(GameFact::Pawns(conditions)) => Some(conditions),
            _ => None,
        });
        match known {
            Some(conditions) if conditions.contains(condition) => {}
            Some(conditions) => conditions.push(condition.clone()),
            None => self.tests.push(GameTest::Fact(GameFact::Pawns(vec![condition.clone()]))),
        }
    }

    fn take_sum(&mut self, sum: &Sum) {
        let sum = MaterialSum::new(sum);
        match sum.is_always() {
            Some(true) => {}
            Some(false) => self.take(GameTest::Fact(GameFact::Never)),
            None => self.take_material(sum),
        }
    }

    fn take_material(&mut self, sum: MaterialSum) {
        if !self.material.contains(&sum) {
            self.material.push(sum);
        }
    }

    /// Sorts the tests by cost and then by rarity, and removes redundant ones. Call this after the
    /// last condition has been added.
    fn finish(&mut self) {
        self.tests.sort_by_cached_key(|test| test.cost() << 20 | test.commonness());
        let is_cheap = |test: &GameTest| test.cost() < MATERIAL_COST;
        self.n_cheap = self.tests.partition_point(is_cheap);
        // Drop a condition that another one implies: `#Q >= 2` makes `#Q >= 1` redundant.
        for at in (0..self.material.len()).rev() {
            let sum = &self.material[at];
            let mut others = self.material.iter().enumerate();
            if others.any(|(other, stronger)| other != at && stronger.implies_presence(sum)) {
                self.material.remove(at);
            }
        }
    }

    /// Whether all conditions can be tested with a few comparisons.
    fn are_cheap(&self) -> bool {
        self.material.is_empty() && self.n_cheap == self.tests.len()
    }
}

/// Cost of testing the material, on the scale of [`GameTest::cost`].
const MATERIAL_COST: u32 = 10;

impl GameTest {
    /// Returns the relative cost of the test; only the order of the numbers matters.
    fn cost(&self) -> u32 {
        match self {
            GameTest::Fact(fact) => fact.cost(),
            GameTest::Any(_) => MATERIAL_COST + 2,
            GameTest::Elsewhere(all) if all.are_cheap() => MATERIAL_COST - 1,
            GameTest::Elsewhere(_) => MATERIAL_COST + 3,
            GameTest::Moves(_) => MATERIAL_COST + 5,
        }
    }

    /// Returns a sort key that puts rare placements first; equal for tests other than placements.
    fn commonness(&self) -> u32 {
        match self {
            GameTest::Fact(GameFact::Stands(men)) => commonness(*men),
            _ => 0,
        }
    }
}

impl GameFact {
    fn cost(&self) -> u32 {
        match self {
            GameFact::Never => 0,
            GameFact::Happens(_) | GameFact::HasVariations | GameFact::IsAnnotated => 1,
            GameFact::Plies(_) => 2,
            GameFact::Tags(condition) => 3 + condition.cost(),
            GameFact::Theme(_) => 3,
            GameFact::Stands(_) => 4 + TagCondition::MOST_COST,
            GameFact::Images(_) => MATERIAL_COST + 1,
            GameFact::Board(_) => MATERIAL_COST + 4,
            GameFact::Pawns(_) => MATERIAL_COST + 6,
            GameFact::Recurs(_) => MATERIAL_COST + 7,
        }
    }
}

/// Returns a sort key for placements, rare ones first: placements of the normal start are the most
/// common, then those with many possible piece-square pairs.
fn commonness(men: PieceMask) -> u32 {
    let board = Start::normal(false).position.board;
    let is_at_start = pieces_of(men.kinds).any(|piece| {
        let Piece { color, role } = Piece::ALL[piece];
        board.pieces(color, role).intersects(men.squares)
    });
    let n_placements = men.kinds.count_ones() * men.squares.len();
    u32::from(is_at_start) << 16 | n_placements
}

#[cfg(test)]
mod tests {
    use super::super::testing::compiled;
    use crate::program::plan::GameConditions;

    fn conditions(query: &str) -> GameConditions {
        compiled(query).game_conditions.clone()
    }

    #[test]
    fn cheap_conditions_come_first_and_implied_ones_are_dropped() {
        let check = |query: &str, expected: &[&str]| {
            assert_eq!(conditions(query).words(), expected, "{query}");
        };
        let two_queens = "at some time the number of white queens is at least 2";
        check("Q #Q>=2 mate", &["there is a mate", two_queens]);
        let (rooks, moves) = (
            "there are white rooks on h7 at some time",
            "the moves of the path follow one another",
        );
        check("path R--h7 #Q>=2", &[rooks, two_queens, moves]);
        check("mate mate", &["there is a mate"]);
        check("#Q+#q>=#q+#Q", &[]);
        check("mate or wtm", &[]);
        let annotated = "there are comments or glyphs";
        check("abs eval > 500 wtm", &[annotated]);
        check("wtm parent:{evalmate < 0}", &[annotated]);
        check("eval - parent:eval > 200", &[annotated]);
        check("not clock < 10", &[]);
        check("message(\"\") mate", &[]);
    }

    #[test]
    fn conditions_on_pawns_are_left_out_with_alternatives_of_nothing_else() {
        for (query, left) in [
            ("passedpawns & Pa7 mate", "Pa7 [Pp] mate"),
            ("mate find { passedpawns & Pa7 }", "mate find { Pa7 [Pp] }"),
            ("mate (passedpawns & Pa7 or check)", "mate ({Pa7 [Pp]} or check)"),
            ("mate find {not check forced}", "mate"),
        ] {
            let all = conditions(query);
            assert_ne!(all, conditions(left), "{query}");
            assert_eq!(all.for_texts(), conditions(left), "{query}");
        }
    }

    #[test]
    fn what_a_move_or_a_mate_requires_is_a_condition() {
        let check = |query: &str, expected: &[&str]| {
            assert_eq!(conditions(query).words(), expected, "{query}");
        };
        let (mate, promotion) = ("there is a mate", "there is a promotion");
        let moves = "the moves of the path follow one another";
        check("idealmate", &[mate]);
        check("currentmove --=Q", &[promotion, moves]);
        check("path --=Q --", &[promotion, moves]);
        check("--(find quiet mate)", &[mate, moves]);
        // The conditions of all alternatives are tested once, before them.
        let alternatives = "one of these: there is a mate and there are white queens on h5 at some \
                            time; or there is a mate and there are white queens on h4 at some time";
        check("({mate Qh5} or {mate Qh4})", &[mate, alternatives]);
    }
}

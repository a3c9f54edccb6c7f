//! Compares evaluations of engines.

use engine::EngineAnswer;
use pgn::command::Evaluation;

/// Value of a mate, in centipawns: more than that of any other score.
const MATE: i32 = 1500;

/// Greatest value of a score that is no mate: what is more wins, too.
const MOST: i32 = 1000;

/// Value from which a move wins on its own.
const WINNING: i32 = 200;

/// Least value of a move that holds the game.
const HOLDS: i32 = -50;

/// Relation of the best move to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Uniqueness {
    /// It alone is good.
    Only,
    /// Another one is nearly as good, or wins as well.
    Several,
    /// It is not good.
    Lost,
}

/// Compares the value of a move with that of its alternative.
pub(super) fn uniqueness(best: i32, other: i32, margin: i32) -> Uniqueness {
    if best < HOLDS {
        Uniqueness::Lost
    } else if best - other >= margin && other < WINNING {
        Uniqueness::Only
    } else {
        Uniqueness::Several
    }
}

/// Returns the value of an evaluation, as it is written.
pub(super) fn value(evaluation: Evaluation) -> i32 {
    match evaluation {
        Evaluation::Centipawns(score) => score.clamp(-MOST, MOST),
        Evaluation::Mate(n) if n > 0 => MATE,
        Evaluation::Mate(_) => -MATE,
    }
}

/// Returns the evaluation in an answer of an engine, from the side to move.
pub(super) fn of_answer(answer: &EngineAnswer) -> Option<Evaluation> {
    match (answer.mate, answer.score) {
        (Some(mate), _) => Some(Evaluation::Mate(mate)),
        (None, Some(score)) => Some(Evaluation::Centipawns(score)),
        (None, None) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_move_that_changes_the_result_is_the_only_one() {
        let check = |best: i32, other: i32, expected: Uniqueness| {
            assert_eq!(uniqueness(best, other, 200), expected, "{best} {other}");
        };
        check(300, 50, Uniqueness::Only);
        check(0, -300, Uniqueness::Only);
        check(300, 150, Uniqueness::Several);
        // Both win.
        check(900, 300, Uniqueness::Several);
        check(MATE, 250, Uniqueness::Several);
        check(MATE, 100, Uniqueness::Only);
        check(-200, -900, Uniqueness::Lost);
    }

    #[test]
    fn mates_are_worth_more_than_scores() {
        assert_eq!(value(Evaluation::Centipawns(5000)), MOST);
        assert_eq!(value(Evaluation::Mate(3)), MATE);
        assert_eq!(value(Evaluation::Mate(-3)), -MATE);
        assert_eq!(value(Evaluation::Mate(0)), -MATE);
    }
}

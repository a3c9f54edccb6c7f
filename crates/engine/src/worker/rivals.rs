//! Leaves out games that cannot be among the best, from their boards alone.
//!
//! Pawns and material stay the same for several moves, and show of most games that none of their
//! boards is similar enough.

use board::{Board, Color, Likeness, LikenessRun, Position};
use compiler::program::plan::Ranking;
use compiler::program::{NumFilter, NumId, Program};
use pgn::CodedLine;
use pgn::summary::any_pawns;

/// Finds out whether games are rivals of the best ones. Its memory is reused for the next game.
#[derive(Debug, Default)]
pub(super) struct Rivals {
    /// Points of the current run of boards, for each image.
    runs: Vec<LikenessRun>,
}

/// The number by which games are ranked, and the value that it must exceed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hurdle<'p> {
    pub(super) program: &'p Program,
    pub(super) ranking: &'p Ranking,
    pub(super) floor: i64,
}

impl<'p> Hurdle<'p> {
    /// Returns the images, each with the points that it must exceed.
    fn images(self) -> impl Iterator<Item = (&'p Likeness, i32)> {
        let image = move |&(id, penalty): &'p (NumId, i32)| -> Option<(&'p Likeness, i32)> {
            let NumFilter::Likeness(measure) = &self.program.nums[id.0 as usize] else {
                return None;
            };
            // Points are never negative.
            let least = self.floor.saturating_add(penalty.into()).clamp(-1, i32::MAX.into());
            Some((measure, least as i32))
        };
        self.ranking.images.iter().filter_map(image)
    }
}

impl Rivals {
    /// Whether a position of a game that was read before is above the hurdle.
    pub(super) fn has_one_in(&mut self, hurdle: Hurdle<'_>, line: CodedLine<'_>) -> bool {
        // Following the pawns takes a fifth of the time of all pieces.
        let is_normal = line.start.board == Board::START && line.start.turn == Color::White;
        let may_have = !is_normal
            || any_pawns(line.codes, false, |pawns| {
                hurdle.images().any(|(measure, least)| measure.may_exceed(least, pawns))
            });
        may_have && self.has_one(hurdle, line.positions())
    }

    /// Whether one of the positions of a game is above the hurdle.
    pub(super) fn has_one(
        &mut self,
        hurdle: Hurdle<'_>,
        mut line: impl Iterator<Item = Position>,
    ) -> bool {
        let images = || hurdle.images();
        let (mut is_begun, mut may_have) = (false, false);
        line.any(|Position { board, halfmove_clock, .. }| {
            // The clock is reset by moves of pawns and captures.
            if halfmove_clock == 0 || !is_begun {
                is_begun = true;
                self.runs.clear();
                self.runs.extend(images().map(|(measure, least)| measure.run(&board, least)));
                may_have = images().zip(&self.runs).any(|((_, least), run)| run.most() > least);
            }
            may_have
                && images().zip(&self.runs).any(|((measure, least), run)| {
                    run.most() > least && measure.of_run(&board, run) > least
                })
        })
    }
}

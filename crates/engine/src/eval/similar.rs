//! Evaluates `similarposition`.

use std::fmt::Write;

use board::Color;

use super::evaluator::Evaluator;
use compiler::program::Similar;

impl Evaluator<'_> {
    /// Whether the current position is similar to a position of the file. Adds a comment for each
    /// similar position, which repeats the text of the comments before it.
    pub(super) fn similar_position(&mut self, similar: &Similar) -> bool {
        let Some(index) = self.program.similar.get().cloned() else {
            self.fault(similar.span, "similarposition: its file has not been loaded");
            return false;
        };
        self.charge(64);
        let position = self.here();
        let side = match position.turn {
            Color::White => "wtm",
            Color::Black => "btm",
        };
        let hits = index.hits(&position.board, position.turn, similar.transforms);
        let file = String::from_utf8_lossy(&similar.file);
        let mut text = String::new();
        for hit in &hits {
            let (game, move_number, transform) = (hit.game, hit.move_number, &hit.transform);
            let _ =
                write!(text, "see {file} game: {game} at move: {move_number} {side} {transform}");
            self.comment(text.clone().into_bytes());
            if let Some(sort) = similar.sort {
                self.offer_sort(sort, hit.game as i32);
            }
        }
        !hits.is_empty()
    }
}

//! Counts how often a position occurred before in its line.
//!
//! Two positions are the same if they have the same board, side to move, rights to castle, and
//! possible capture en passant, as the rules of chess define it; in a variant, the same pieces in
//! hand and checks to give, too.

use board::Role;

use super::evaluator::Evaluator;

/// Number of earlier positions that are compared in the time of a step.
const POSITIONS_PER_STEP: u64 = 8;

impl Evaluator<'_> {
    /// Evaluates `repetition`.
    // Not inlined, so that other numbers need no space for its situations.
    #[inline(never)]
    pub(super) fn repetition(&mut self) -> i32 {
        let positions = self.positions;
        let board = &self.here().board;
        let men = (board.role(Role::Pawn), board.occupied().len());
        // Neither a pawn nor a captured piece comes back, unless it is dropped or imagined.
        let comes_back = positions.is_imagined(self.at) || positions.rules().have_drops();
        let (mut count, mut n_compared) = (0, 0);
        for id in self.ancestry().skip(1) {
            n_compared += 1;
            let before = &positions.position(id).board;
            if before == board {
                count += i32::from(self.has_same_moves(id));
            } else if !comes_back && men != (before.role(Role::Pawn), before.occupied().len()) {
                break;
            }
        }
        self.charge(1 + n_compared / POSITIONS_PER_STEP);
        count
    }

    /// Whether a position with the board of the current one has the same side to move with the same
    /// rights.
    fn has_same_moves(&self, id: u32) -> bool {
        let (here, before) = (self.here(), self.positions.position(id));
        if here.turn != before.turn || here.en_passant_capture() != before.en_passant_capture() {
            return false;
        }
        if self.positions.rules().are_of_chess() && self.positions.castling_setup().is_none() {
            return here.castling_at_home() == before.castling_at_home();
        }
        let [here, before] = [self.at, id].map(|id| self.positions.situation(id));
        here.rights() == before.rights() && here.extra == before.extra
    }
}

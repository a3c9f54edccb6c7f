//! Losers: kings are what they are in the normal game, and who has nothing but the king, is mated
//! or cannot move wins. Captures are compulsory as far as checks permit.

use super::{Ending, keep_captures, winner};
use crate::moves::MoveList;
use crate::position::Position;

pub(super) fn moves(pos: &Position, out: &mut MoveList) {
    pos.legal_moves(out);
    keep_captures(pos, out);
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    winner(|color| pos.board.color(color).is_subset(pos.board.kings(color)))
}

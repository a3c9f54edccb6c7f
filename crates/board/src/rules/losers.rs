//! Losers: kings are as in the normal game, and a side that has only its king, is mated or cannot
//! move wins. Captures are compulsory as far as checks permit.

use super::kind::{Ending, winner};
use super::shared::keep_captures;
use super::situation::Situation;
use crate::moves::MoveList;
use crate::position::Position;

pub(super) fn moves(situation: &Situation, out: &mut MoveList) {
    situation.moves_of_chess(out);
    keep_captures(&situation.position, out);
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    winner(|color| pos.board.color(color).is_subset(pos.board.kings(color)))
}

//! Giveaway (antichess) and suicide chess: the side that loses all its pieces wins, and captures
//! are compulsory.
//!
//! Kings are ordinary pieces. There is no castling, as is usual in most of these games.

use super::kind::{Ending, winner};
use super::shared::{PROMOTIONS, keep_captures, push_moves};
use crate::moves::MoveList;
use crate::piece::Role;
use crate::position::Position;

pub(super) fn pseudolegal(pos: &Position, out: &mut MoveList) {
    out.clear();
    let [queen, rook, bishop, knight] = PROMOTIONS;
    push_moves(pos, &[queen, rook, bishop, knight, Role::King], out);
}

pub(super) fn moves(pos: &Position, out: &mut MoveList) {
    pseudolegal(pos, out);
    keep_captures(pos, out);
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    winner(|color| pos.board.color(color).is_empty())
}

/// Ends suicide chess if the side to move has no move: the side with fewer pieces wins.
pub(super) fn fewer_men(pos: &Position) -> Ending {
    let (us, them) = (pos.us().len(), pos.them().len());
    match us.cmp(&them) {
        std::cmp::Ordering::Less => Ending::Win(pos.turn),
        std::cmp::Ordering::Equal => Ending::Draw,
        std::cmp::Ordering::Greater => Ending::Win(!pos.turn),
    }
}

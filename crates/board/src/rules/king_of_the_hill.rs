//! King of the Hill: the normal game, in which a king on d4, e4, d5 or e5 wins, too.

use super::kind::{Ending, winner};
use crate::position::Position;
use crate::set::SquareSet;

const HILL: SquareSet = SquareSet(0x0000_0018_1800_0000);

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    winner(|color| pos.board.kings(color).intersects(HILL))
}

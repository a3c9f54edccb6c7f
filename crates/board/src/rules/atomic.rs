//! Atomic chess: a capture removes the captured piece, the capturing one, and all pieces around
//! except pawns. A side without its king has lost, so no move may explode the own king, and a move
//! that explodes the other king may ignore checks. Kings do not capture; kings beside each other
//! are not in check.

use super::kind::{Ending, winner};
use super::shared::{PROMOTIONS, push_moves};
use super::situation::Situation;
use crate::attacks::{between, king_attacks};
use crate::moves::{Move, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::setup::CastlingSetup;
use crate::square::Square;

/// Removes the pieces that explode when a move captures.
pub(super) fn explode(before: &Position, mv: Move, next: &mut Position) {
    if mv.captured_square(&before.board).is_none() {
        return;
    }
    let around = king_attacks(mv.to()) - next.board.role(Role::Pawn);
    let gone = around | mv.to().set();
    for sq in gone & next.board.occupied() {
        next.castling = next.castling.after(sq, sq);
    }
    next.board.clear(gone);
}

pub(super) fn pseudolegal(situation: &Situation, out: &mut MoveList) {
    let pos = &situation.position;
    out.clear();
    push_moves(pos, &PROMOTIONS, out);
    let them = pos.them();
    out.retain(|mv| mv.role() != Role::King || !them.contains(mv.to()));
    let sides = [true, false].into_iter();
    out.extend(sides.filter_map(|king_side| castling(situation, king_side)));
}

pub(super) fn moves(situation: &Situation, out: &mut MoveList) {
    pseudolegal(situation, out);
    out.retain(|&mv| is_legal(&situation.position, mv));
}

fn is_legal(pos: &Position, mv: Move) -> bool {
    let (us, mut next) = (pos.turn, pos.play(mv));
    explode(pos, mv, &mut next);
    let kings = |position: &Position, color| !position.board.kings(color).is_empty();
    if kings(pos, us) && !kings(&next, us) {
        return false;
    }
    kings(pos, !us) && !kings(&next, !us) || !is_attacked(&next, us)
}

/// Whether a king of a color is attacked and not beside an enemy king.
pub(super) fn is_attacked(pos: &Position, color: Color) -> bool {
    let mut kings = pos.board.kings(color).into_iter();
    kings.any(|king| is_hot(pos, king, color, pos.board.occupied()))
}

/// Whether a king may not stand on a square because it would be captured.
fn is_hot(pos: &Position, sq: Square, color: Color, occupied: SquareSet) -> bool {
    !king_attacks(sq).intersects(pos.board.kings(!color))
        && pos.board.is_attacked(sq, !color, occupied)
}

/// Castling, if it is possible: as in chess, but the squares beside the other king are safe.
fn castling(situation: &Situation, king_side: bool) -> Option<Move> {
    let pos = &situation.position;
    let mv = match &situation.setup {
        Some(setup) => setup.free_castling(pos, king_side),
        None if !pos.castling.has(pos.turn, king_side) => None,
        None => (CastlingSetup::NORMAL.free_castling(pos, king_side))
            .map(|_| Move::castle(pos.turn, king_side)),
    }?;
    // Beside the other king the square that the king leaves is safe, and it shields no other.
    let occupied = pos.board.occupied() - mv.from().set();
    let way = between(mv.from(), mv.to()) | mv.from().set();
    let is_hot = |sq| is_hot(pos, sq, pos.turn, occupied);
    (!way.into_iter().any(is_hot) && !is_attacked(&pos.play(mv), pos.turn)).then_some(mv)
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    winner(|color| pos.board.kings(!color).is_empty())
}

//! Atomic chess: a capture takes away the captured man, the one that captures, and all around but
//! pawns. Whose king is gone has lost, so no move may explode one's own, and one that explodes the
//! other needs to heed no check. Kings do not capture; beside each other, they are in no check.

use super::Ending;
use super::men::{PROMOTIONS, push_moves};
use crate::attacks::{between, king_attacks};
use crate::castling::{king_squares, partners_at_home, rook_squares};
use crate::moves::{Move, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::square::Square;

/// Takes away what explodes when a move captures.
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

pub(super) fn pseudolegal(pos: &Position, out: &mut MoveList) {
    out.clear();
    push_moves(pos, &PROMOTIONS, out);
    let them = pos.them();
    out.retain(|mv| mv.role() != Role::King || !them.contains(mv.to()));
    for king_side in [true, false] {
        if pos.castling.has(pos.turn, king_side) && is_castling_free(pos, king_side) {
            out.push(Move::castle(pos.turn, king_side));
        }
    }
}

pub(super) fn moves(pos: &Position, out: &mut MoveList) {
    pseudolegal(pos, out);
    out.retain(|&mv| is_legal(pos, mv));
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

/// Whether a king of a color is attacked, and not beside an enemy king.
pub(super) fn is_attacked(pos: &Position, color: Color) -> bool {
    let mut kings = pos.board.kings(color).into_iter();
    kings.any(|king| is_hot(pos, king, color))
}

/// Whether a king may not stand on a square because it would be captured.
fn is_hot(pos: &Position, sq: Square, color: Color) -> bool {
    !king_attacks(sq).intersects(pos.board.kings(!color))
        && pos.board.is_attacked(sq, !color, pos.board.occupied())
}

/// As [`castling_path_clear`](crate::castling_path_clear), with squares beside the other king safe.
fn is_castling_free(pos: &Position, king_side: bool) -> bool {
    let (king, king_to) = king_squares(pos.turn, king_side);
    let (rook, _) = rook_squares(pos.turn, king_side);
    let way = between(king, king_to) | king.set() | king_to.set();
    partners_at_home(pos, pos.turn, king_side)
        && !between(king, rook).intersects(pos.board.occupied())
        && !way.into_iter().any(|sq| is_hot(pos, sq, pos.turn))
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    super::winner(|color| pos.board.kings(!color).is_empty())
}

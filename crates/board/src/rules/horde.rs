//! Horde: White has 36 pawns and no king, Black the normal army. White wins by mate, Black by
//! capturing all pieces.

use super::kind::{Ending, winner};
use super::situation::Situation;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::moves::{Move, MoveList};
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;

/// The start: four full ranks, and pawns on b5, c5, f5 and g5.
pub(super) fn start() -> Position {
    let mut position = Position::START;
    let horde = SquareSet(0x0000_0066_FFFF_FFFF);
    let old = position.board;
    position.board =
        Board::EMPTY.relocated(Color::White, Role::Pawn.index(), SquareSet::EMPTY, horde);
    for sq in old.color(Color::Black) {
        if let Some(piece) = old.piece_at(sq) {
            position.board.put(sq, piece);
        }
    }
    position.castling = CastlingRights::ALL;
    for king_side in [true, false] {
        position.castling.remove(Color::White, king_side);
    }
    position
}

pub(super) fn pseudolegal(situation: &Situation, out: &mut MoveList) {
    situation.pseudolegal_moves_of_chess(out);
    push_first_rank(&situation.position, out);
}

pub(super) fn moves(situation: &Situation, out: &mut MoveList) {
    situation.moves_of_chess(out);
    let (pos, n) = (&situation.position, out.len());
    push_first_rank(pos, out);
    let mut index = 0;
    out.retain(|&mv| {
        index += 1;
        index <= n || pos.is_safe(mv)
    });
}

/// Appends the double steps of White's pawns on the first rank; they cannot be captured en passant.
fn push_first_rank(pos: &Position, out: &mut MoveList) {
    if pos.turn != Color::White {
        return;
    }
    let empty = !pos.board.occupied();
    let pawns = pos.board.pieces(Color::White, Role::Pawn) & SquareSet::rank(0);
    let targets = ((pawns.shift_up() & empty).shift_up()) & empty;
    out.extend(targets.into_iter().filter_map(|to| {
        let from = to.offset(0, -2)?;
        Some(Move::normal(Role::Pawn, from, to))
    }));
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    winner(|color| pos.board.color(!color).is_empty())
}

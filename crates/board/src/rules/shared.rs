//! Moves that several variants share: those with captures of kings (atomic chess, giveaway and
//! suicide chess), and captures that are compulsory.

use crate::attacks::pawn_attacks;
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// Roles that pawns become in the normal game, in the order in which moves are listed.
pub(super) const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight];

/// Appends all moves except castling; captures of kings are included.
pub(super) fn push_moves(pos: &Position, promotions: &[Role], out: &mut MoveList) {
    let passing = pos.en_passant_pawns();
    for role in Role::ALL {
        for from in pos.board.pieces(pos.turn, role) {
            let targets = match role {
                Role::Pawn => pos.pawn_targets(from) | pawn_attacks(pos.turn, from) & pos.them(),
                _ => pos.board.attacks_from(from) - pos.us(),
            };
            push_to(pos, role, from, targets, promotions, out);
            if let Some(to) = pos.en_passant.filter(|_| passing.contains(from)) {
                out.push(Move::en_passant(from, to));
            }
        }
    }
}

fn push_to(
    pos: &Position,
    role: Role,
    from: Square,
    targets: SquareSet,
    promotions: &[Role],
    out: &mut MoveList,
) {
    for to in targets {
        if role == Role::Pawn && to.rank() == pos.turn.promotion_rank() {
            out.extend(promotions.iter().map(|&role| Move::promoting(from, to, role)));
        } else if role == Role::Pawn && from.rank().abs_diff(to.rank()) == 2 {
            out.push(Move::double_step(from, to));
        } else {
            out.push(Move::normal(role, from, to));
        }
    }
}

/// Keeps only captures, if there are any.
pub(super) fn keep_captures(pos: &Position, moves: &mut MoveList) {
    let captures = |mv: &Move| mv.captured_square(&pos.board).is_some();
    if moves.iter().any(captures) {
        moves.retain(captures);
    }
}

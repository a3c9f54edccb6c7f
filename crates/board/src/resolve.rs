//! From written moves to moves: the reading half of SAN.
//!
//! A piece move is found backward, as the own pieces of the role among the squares attacked from
//! the destination; no list of moves is made. What is written must leave exactly one *legal* move.
//! The functions take the parts of a move, not its text: what text is accepted is the reader's
//! business.

use crate::attacks::{bishop_attacks, king_attacks, knight_attacks, rook_attacks};
use crate::castling::{castling_path_clear, king_squares};
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// Finds the only legal move of a piece to a square; `None` if there is none or more than one.
///
/// The hints restrict the origin, but those of king moves are ignored. `Kg1` and `Kc1` mean
/// castling if the king has the right and is not next to the square. Pawns have functions of
/// their own; asked for one, this gives `None`.
#[inline]
#[must_use]
pub fn resolve_piece(
    pos: &Position,
    role: Role,
    to: Square,
    from_file: Option<u8>,
    from_rank: Option<u8>,
) -> Option<Move> {
    let occupied = pos.board.occupied();
    let reverse = match role {
        Role::Knight => knight_attacks(to),
        Role::Bishop => bishop_attacks(to, occupied),
        Role::Rook => rook_attacks(to, occupied),
        Role::Queen => bishop_attacks(to, occupied) | rook_attacks(to, occupied),
        Role::King => return resolve_king(pos, to),
        Role::Pawn => return None,
    };
    if !pos.enterable().contains(to) {
        return None;
    }
    let mut candidates = reverse & pos.board.pieces(pos.turn, role);
    if let Some(file) = from_file {
        candidates &= SquareSet::file(file);
    }
    if let Some(rank) = from_rank {
        candidates &= SquareSet::rank(rank);
    }
    only_safe(pos, candidates, |from| Move::normal(role, from, to))
}

/// The move of the only candidate that leaves the kings safe.
#[inline(always)]
fn only_safe(pos: &Position, candidates: SquareSet, make: impl Fn(Square) -> Move) -> Option<Move> {
    let mut found = None;
    for from in candidates {
        let mv = make(from);
        if pos.is_safe(mv) {
            if found.is_some() {
                return None;
            }
            found = Some(mv);
        }
    }
    found
}

fn resolve_king(pos: &Position, to: Square) -> Option<Move> {
    if !pos.enterable().contains(to) {
        return None;
    }
    let candidates = king_attacks(to) & pos.board.kings(pos.turn);
    if candidates.is_empty() {
        return castling_to(pos, to);
    }
    only_safe(pos, candidates, |from| Move::normal(Role::King, from, to))
}

/// Castling with the right, written as a move of the king.
fn castling_to(pos: &Position, to: Square) -> Option<Move> {
    let king_side = to == king_squares(pos.turn, true).1;
    let is_target = king_side || to == king_squares(pos.turn, false).1;
    (is_target && pos.castling.has(pos.turn, king_side)).then(|| castling(pos, king_side))?
}

/// Finds castling, whether there is a right to it or not.
#[must_use]
pub fn castling(pos: &Position, king_side: bool) -> Option<Move> {
    castling_path_clear(pos, pos.turn, king_side).then(|| Move::castle(pos.turn, king_side))
}

/// Makes the null move; without a king it is written on a1.
#[must_use]
pub fn null_move(pos: &Position) -> Move {
    Move::null(pos.board.kings(pos.turn).first().unwrap_or(Square::A1))
}

/// Finds a legal pawn move: a push if no origin file or the one of the destination is given, else
/// a capture from that file. Reaching the last rank needs a promotion, other ranks allow none.
#[inline]
#[must_use]
pub fn resolve_pawn(
    pos: &Position,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    // Seen from the mover, "up" is the direction of its pawns.
    let forward: i8 = if pos.turn == Color::White { 1 } else { -1 };
    let pawns = pos.board.pieces(pos.turn, Role::Pawn);
    let occupied = pos.board.occupied();
    let file = from_file.unwrap_or(to.file());
    let back = to.offset(0, -forward)?;
    let from = if file == to.file() {
        if occupied.contains(to) {
            return None;
        }
        if pawns.contains(back) {
            back
        } else {
            let start = back.offset(0, -forward)?;
            let start_rank = if forward > 0 { 1 } else { 6 };
            if occupied.contains(back) || start.rank() != start_rank {
                return None;
            }
            start
        }
    } else {
        if file > 7 || file.abs_diff(to.file()) != 1 {
            return None;
        }
        Square::from_coords(file, back.rank())
    };
    if !pawns.contains(from) || from_rank.is_some_and(|rank| rank != from.rank()) {
        return None;
    }
    let is_last = to.rank() == pos.turn.promotion_rank();
    let mv = match promotion {
        Some(Role::Pawn | Role::King) => return None,
        Some(role) if is_last => Move::promoting(from, to, role),
        None if !is_last => pos.move_to(Role::Pawn, from, to),
        _ => return None,
    };
    let captures = from.file() != to.file();
    let reachable = !captures
        || (pos.them() - pos.board.role(Role::King)).contains(to)
        || (pos.en_passant == Some(to) && pos.en_passant_pawns().contains(from));
    (reachable && pos.is_safe(mv)).then_some(mv)
}

/// Finds a pawn capture written by two files (`ed`): the first legal one from rank 1 upward.
#[must_use]
pub fn resolve_pawn_files(
    pos: &Position,
    from_file: u8,
    to_file: u8,
    promotion: Option<Role>,
) -> Option<Move> {
    if from_file == to_file || to_file > 7 {
        return None;
    }
    (0..8).find_map(|rank| {
        resolve_pawn(
            pos,
            Some(from_file),
            None,
            Square::from_coords(to_file, rank),
            promotion,
        )
    })
}

/// Finds a legal move written by its two squares, for any piece of the side to move. Castling is
/// written as the king's move and needs the right.
#[must_use]
pub fn resolve_coordinate(
    pos: &Position,
    from: Square,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    if !pos.us().contains(from) {
        return None;
    }
    let role = pos.board.role_at_occupied(from);
    if role == Role::Pawn {
        return resolve_pawn(pos, Some(from.file()), Some(from.rank()), to, promotion);
    }
    if promotion.is_some() {
        return None;
    }
    if !pos.targets(role, from).contains(to) {
        let castles = role == Role::King && from == king_squares(pos.turn, true).0;
        return if castles { castling_to(pos, to) } else { None };
    }
    let mv = Move::normal(role, from, to);
    pos.is_safe(mv).then_some(mv)
}

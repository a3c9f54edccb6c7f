//! From written moves to moves: the reading half of SAN.
//!
//! A piece move is found backward, as the own pieces of the role among the squares attacked from
//! the destination; no list of moves is made. What is written must leave exactly one *legal* move.
//! The functions take the parts of a move, not its text: what text is accepted is the reader's
//! business.

use std::hint::select_unpredictable;

use crate::attacks::{between, pawn_attacks, reach};
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
    let file = from_file.map_or(SquareSet::ALL, SquareSet::file);
    let rank = from_rank.map_or(SquareSet::ALL, SquareSet::rank);
    resolve_piece_from(
        pos,
        role,
        to,
        if role == Role::King {
            SquareSet::ALL
        } else {
            file & rank
        },
    )
}

/// As [`resolve_piece`] with the squares the piece may come from.
#[must_use]
pub fn resolve_piece_from(
    pos: &Position,
    role: Role,
    to: Square,
    origins: SquareSet,
) -> Option<Move> {
    find_piece_move(pos, role, to, origins).filter(|&mv| pos.is_safe(mv))
}

/// As [`resolve_piece_from`], but a move found alone may leave the king attacked.
#[inline(always)]
pub(crate) fn find_piece_move(
    pos: &Position,
    role: Role,
    to: Square,
    origins: SquareSet,
) -> Option<Move> {
    // Geometry alone leaves one candidate nearly always: bishops have their color, and writers
    // disambiguate. Then looking at the squares between replaces the attacks of a slider, and no
    // branch depends on the role, which comes in no order.
    let candidates = reach(role, to) & pos.board.pieces(pos.turn, role) & origins;
    if candidates.is_several() || !pos.enterable().contains(to) {
        return resolve_among(pos, candidates, role, to);
    }
    let Some(from) = candidates.first() else {
        return if role == Role::King {
            castling_to(pos, to)
        } else {
            None
        };
    };
    let is_open = !between(from, to).intersects(pos.board.occupied());
    is_open.then(|| Move::normal(role, from, to))
}

/// The only move among several candidates that is legal.
#[cold]
#[inline(never)]
fn resolve_among(pos: &Position, candidates: SquareSet, role: Role, to: Square) -> Option<Move> {
    if !pos.enterable().contains(to) {
        return None;
    }
    let occupied = pos.board.occupied();
    let open = candidates
        .into_iter()
        .filter(|&from| !between(from, to).intersects(occupied));
    let mut safe = open
        .map(|from| Move::normal(role, from, to))
        .filter(|&mv| pos.is_safe(mv));
    let found = safe.next();
    if safe.next().is_some() { None } else { found }
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
#[must_use]
pub fn resolve_pawn(
    pos: &Position,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let found = find_pawn_move(pos, from_file, from_rank, to, promotion);
    found.filter(|&mv| pos.is_safe(mv))
}

/// As [`resolve_pawn`], but the move may leave the king attacked.
#[inline(always)]
pub(crate) fn find_pawn_move(
    pos: &Position,
    from_file: Option<u8>,
    from_rank: Option<u8>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let (us, rank) = (pos.turn, to.rank());
    let pawns = pos.board.pieces(us, Role::Pawn);
    // The pawn stands one rank back, toward its home.
    let (back_rank, double_rank) = match us {
        Color::White => (rank.wrapping_sub(1), 3),
        Color::Black => (rank + 1, 4),
    };
    let file = from_file.unwrap_or(to.file());
    if back_rank > 7 || file > 7 {
        return None;
    }
    let back = Square::from_coords(file, back_rank);
    if file != to.file() {
        return find_pawn_capture(pos, back, from_rank, to, promotion);
    }
    // One step or two is decided without a branch: openings mix them.
    let (occupied, start) = (pos.board.occupied(), back.toward_home(us));
    let is_double = !pawns.contains(back);
    let from = select_unpredictable(is_double, start, back);
    let reaches =
        !is_double | ((rank == double_rank) & !occupied.contains(back) & pawns.contains(start));
    if !reaches | occupied.contains(to) || from_rank.is_some_and(|rank| rank != from.rank()) {
        return None;
    }
    match promotion {
        None if rank == us.promotion_rank() => None,
        None => Some(Move::pawn_step(from, to, is_double)),
        Some(role) => promoting(us, from, to, role),
    }
}

#[inline(always)]
fn find_pawn_capture(
    pos: &Position,
    from: Square,
    from_rank: Option<u8>,
    to: Square,
    promotion: Option<Role>,
) -> Option<Move> {
    let pawns = pos.board.pieces(pos.turn, Role::Pawn);
    let victims = pos.them() - pos.board.role(Role::King);
    if !(pawn_attacks(!pos.turn, to) & pawns).contains(from)
        || from_rank.is_some_and(|rank| rank != from.rank())
    {
        return None;
    }
    let mv = if !victims.contains(to) {
        let is_en_passant = pos.en_passant == Some(to)
            && pos.en_passant_pawns().contains(from)
            && promotion.is_none();
        if !is_en_passant {
            return None;
        }
        Move::en_passant(from, to)
    } else {
        match promotion {
            None if to.rank() == pos.turn.promotion_rank() => return None,
            None => Move::normal(Role::Pawn, from, to),
            Some(role) => promoting(pos.turn, from, to, role)?,
        }
    };
    Some(mv)
}

/// A promotion, if the rank is the last and the role one a pawn may become.
#[inline]
fn promoting(us: Color, from: Square, to: Square, role: Role) -> Option<Move> {
    let is_allowed = to.rank() == us.promotion_rank() && !matches!(role, Role::Pawn | Role::King);
    is_allowed.then(|| Move::promoting(from, to, role))
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

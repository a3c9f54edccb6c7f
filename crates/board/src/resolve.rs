//! Finds the move that a written move means: the reading half of SAN.
//!
//! A piece move is found backward, among the own pieces of the role on the squares attacked from
//! the destination; no list of moves is made. The written parts must leave exactly one *legal*
//! move. The functions take the parts of a move, not its text: the caller decides which texts are
//! accepted.

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
/// castling if the king has the right and is not next to the square. Pawns have functions of their
/// own; for a pawn this returns `None`.
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
    let origins = match role {
        Role::King => SquareSet::ALL,
        _ => file & rank,
    };
    find_piece_move(pos, role, to, origins).filter(|&mv| pos.is_safe(mv))
}

/// As [`resolve_piece`] with a set of squares that the piece may come from, for kings as well. If
/// geometry leaves only one candidate, the move may leave the king attacked.
#[inline(always)]
#[must_use]
pub fn find_piece_move(pos: &Position, role: Role, to: Square, origins: SquareSet) -> Option<Move> {
    // Geometry alone nearly always leaves one candidate: bishops have their color, and writers
    // disambiguate. Then looking at the squares between replaces the attacks of a slider, and no
    // branch depends on the role, which is hard to predict.
    let candidates = reach(role, to) & pos.board.pieces(pos.turn, role) & origins;
    if candidates.is_several() || !pos.enterable().contains(to) {
        return resolve_among(pos, candidates, role, to);
    }
    let Some(from) = candidates.first() else {
        return if role == Role::King { castling_to(pos, to) } else { None };
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
    let open = candidates.into_iter().filter(|&from| !between(from, to).intersects(occupied));
    let mut safe = open.map(|from| Move::normal(role, from, to)).filter(|&mv| pos.is_safe(mv));
    let found = safe.next();
    if safe.next().is_some() { None } else { found }
}

/// Castling that is written as a move of the king and needs the right.
fn castling_to(pos: &Position, to: Square) -> Option<Move> {
    let king_side = to == king_squares(pos.turn, true).1;
    let is_target = king_side || to == king_squares(pos.turn, false).1;
    (is_target && pos.castling.has(pos.turn, king_side)).then(|| castling(pos, king_side))?
}

/// Finds castling, whether or not there is a right to it.
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
#[must_use]
pub fn find_pawn_move(
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

/// A promotion, if the rank is the last one and a pawn may become the role.
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
        resolve_pawn(pos, Some(from_file), None, Square::from_coords(to_file, rank), promotion)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{any_position, played_position, position};
    use crate::{MoveKind, MoveList};

    /// The only move that fits, if there is exactly one.
    fn only(moves: &[Move], fits: impl Fn(&Move) -> bool) -> Option<Move> {
        let mut fitting = moves.iter().copied().filter(|mv| fits(mv));
        fitting.next().filter(|_| fitting.next().is_none())
    }

    fn check_pieces(pos: &Position, moves: &[Move]) -> Result<(), TestCaseError> {
        for to in Square::ALL {
            for role in Role::ALL {
                let is_it = |mv: &Move| mv.role() == role && mv.to() == to;
                let mut want = only(moves, |mv| is_it(mv) && role != Role::Pawn);
                if role == Role::King {
                    // Castling is meant only where no king can step to the square.
                    let steps = |mv: &Move| is_it(mv) && !mv.is_castle();
                    let near = crate::king_attacks(to).intersects(pos.board.kings(pos.turn));
                    want = if near { only(moves, steps) } else { want };
                }
                let got = resolve_piece(pos, role, to, None, None);
                prop_assert_eq!(got, want, "{} {:?} {}", pos.fen(), role, to);
                if matches!(role, Role::Pawn | Role::King) {
                    continue;
                }
                for hint in 0..8 {
                    let want = only(moves, |mv| is_it(mv) && mv.from().file() == hint);
                    prop_assert_eq!(resolve_piece(pos, role, to, Some(hint), None), want);
                    let want = only(moves, |mv| is_it(mv) && mv.from().rank() == hint);
                    prop_assert_eq!(resolve_piece(pos, role, to, None, Some(hint)), want);
                }
            }
        }
        Ok(())
    }

    fn check_pawns(pos: &Position, moves: &[Move]) -> Result<(), TestCaseError> {
        for promotion in [None, Some(Role::Queen), Some(Role::Knight), Some(Role::King)] {
            let is_it = |mv: &Move, file: u8, to: Square| {
                mv.role() == Role::Pawn
                    && (mv.from().file(), mv.to(), mv.promotion()) == (file, to, promotion)
            };
            for to in Square::ALL {
                for file in 0..8 {
                    let want = only(moves, |mv| is_it(mv, file, to));
                    let got = resolve_pawn(pos, Some(file), None, to, promotion);
                    prop_assert_eq!(got, want, "{} {} {}", pos.fen(), file, to);
                    if file == to.file() {
                        prop_assert_eq!(resolve_pawn(pos, None, None, to, promotion), want);
                    }
                    for rank in 0..8 {
                        let want = want.filter(|mv| mv.from().rank() == rank);
                        let got = resolve_pawn(pos, Some(file), Some(rank), to, promotion);
                        prop_assert_eq!(got, want);
                    }
                }
            }
            for (from, to) in (0..8).flat_map(|from| (0..9).map(move |to| (from, to))) {
                let captures =
                    |mv: &&Move| from != to && mv.to().file() == to && is_it(mv, from, mv.to());
                let want = moves.iter().filter(captures).min_by_key(|mv| mv.to().rank());
                prop_assert_eq!(resolve_pawn_files(pos, from, to, promotion), want.copied());
            }
        }
        Ok(())
    }

    fn check_coordinates(pos: &Position, moves: &[Move]) -> Result<(), TestCaseError> {
        for from in Square::ALL {
            for to in Square::ALL {
                for promotion in [None, Some(Role::Rook)] {
                    let fits =
                        |mv: &&Move| (mv.from(), mv.to(), mv.promotion()) == (from, to, promotion);
                    // A king next to the castling square steps there, it does not castle.
                    let want = moves.iter().filter(fits).min_by_key(|mv| mv.is_castle());
                    let got = resolve_coordinate(pos, from, to, promotion);
                    prop_assert_eq!(got, want.copied(), "{} {}{}", pos.fen(), from, to);
                }
            }
        }
        Ok(())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn every_question_is_answered_from_the_legal_moves(
            played in played_position(),
            any in any_position(),
        ) {
            for pos in [played, any] {
                let mut moves = MoveList::new();
                pos.legal_moves(&mut moves);
                check_pieces(&pos, &moves)?;
                check_pawns(&pos, &moves)?;
                check_coordinates(&pos, &moves)?;
            }
        }
    }

    #[test]
    fn castling_needs_no_right_unless_written_as_a_king_move() {
        let castles = |mv: Option<Move>| mv.is_some_and(|mv| mv.kind() == MoveKind::Castle);
        let check = |fen: &str, with_right: bool, without: bool| {
            let pos = position(fen);
            let g1 = Square::G1;
            assert_eq!(castles(castling(&pos, true)), without, "{fen}");
            assert_eq!(castles(resolve_piece(&pos, Role::King, g1, None, None)), with_right);
            assert_eq!(castles(resolve_coordinate(&pos, Square::E1, g1, None)), with_right);
        };
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", true, true);
        check("4k3/8/8/8/8/8/8/4K2R w - - 0 1", false, true);
        check("4k3/8/8/8/8/8/8/4KB1R w K - 0 1", false, false);
        check("4kr2/8/8/8/8/8/8/4K2R w K - 0 1", false, false);
        check("4k3/8/8/8/8/8/8/4K3 w K - 0 1", false, false);
    }

    #[test]
    fn null_moves_stand_on_the_king() {
        let check = |fen: &str, want: Square| {
            let pos = crate::parse_position(fen.as_bytes()).unwrap();
            let mv = null_move(&pos);
            assert!(mv.is_null());
            assert_eq!((mv.from(), mv.to()), (want, want), "{fen}");
        };
        check("4k3/8/8/8/8/8/8/6K1 w - - 0 1", Square::G1);
        check("4k3/8/8/8/8/8/8/6K1 b - - 0 1", Square::E8);
        check("8/8/8/8/8/8/8/8 w - - 0 1", Square::A1);
    }
}

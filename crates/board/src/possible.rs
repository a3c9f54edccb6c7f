//! Detects positions that cannot occur in a game: by the pieces on the board, and by what would
//! have had to happen before.
//!
//! Both tests prove impossibility only: a position that passes may still be out of reach.

use std::ops::ControlFlow;

use crate::attacks::{between, pawn_attacks};
use crate::board::Board;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

impl Position {
    /// Whether each side has one king, no pawn is on the first or last rank, and the side that has
    /// just moved is not in check.
    #[must_use]
    pub fn is_playable(&self) -> bool {
        let board = &self.board;
        let ends = SquareSet::rank(0) | SquareSet::rank(7);
        match [self.turn, !self.turn].map(|color| board.kings(color).single()) {
            [Some(_), Some(other)] => {
                !board.role(Role::Pawn).intersects(ends)
                    && !board.is_attacked(other, self.turn, board.occupied())
            }
            _ => false,
        }
    }

    /// Whether nothing on the board is against the rules: one king each, no pawn on the first or
    /// last rank, the side that has just moved not in check, no check that no move can give, an en
    /// passant square only behind a pawn that may have passed it, and not more pieces than the
    /// missing pawns allow.
    #[must_use]
    pub fn is_legal_position(&self) -> bool {
        let board = &self.board;
        self.is_playable()
            && board.kings(self.turn).single().is_some_and(|king| self.can_be_in_such_check(king))
            && self.en_passant.is_none_or(|to| self.may_have_passed(to))
            && Color::ALL.into_iter().all(|color| has_enough_pawns(board, color))
    }

    /// Whether one move can give the check at hand. A pawn on its first square cannot give check,
    /// nor can three pieces. A check by one other piece passes without a test; checks by two
    /// pieces, and checks after a double step, are tested by retracting moves.
    fn can_be_in_such_check(&self, king: Square) -> bool {
        let board = &self.board;
        let checkers = board.attackers_to(king, board.occupied()) & self.them();
        let start = match self.turn {
            Color::White => SquareSet::rank(6),
            Color::Black => SquareSet::rank(1),
        };
        let at_home = checkers & board.role(Role::Pawn) & start;
        match checkers.len() {
            0 => true,
            1 if self.en_passant.is_none() => at_home.is_empty(),
            1 | 2 => at_home.is_empty() && self.comes_into_check(king),
            _ => false,
        }
    }

    /// Whether some move that may have led here was made while the king was not in check.
    fn comes_into_check(&self, king: Square) -> bool {
        let visited = self.visit_before(|_, before| {
            let board = &before.board;
            if board.is_attacked(king, !self.turn, board.occupied()) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        visited.is_break()
    }

    /// Whether a pawn may have passed the square with the last move.
    #[must_use]
    pub fn may_have_passed(&self, to: Square) -> bool {
        let (rank, forward) = match self.turn {
            Color::White => (5, -1),
            Color::Black => (2, 1),
        };
        let (Some(pawn), Some(start)) = (to.offset(0, forward), to.offset(0, -forward)) else {
            return false;
        };
        to.rank() == rank
            && self.board.pieces(!self.turn, Role::Pawn).contains(pawn)
            && !self.board.occupied().intersects(to.set() | start.set())
    }

    /// Whether the position passes three tests that every position of a game from the normal start
    /// passes: it is [legal](Position::is_legal_position); it is the start, or some legal position
    /// leads to it in one move; and enough pieces are missing for the captures that brought the
    /// pawns to their files.
    #[must_use]
    pub fn is_reachable_position(&self) -> bool {
        if !self.is_legal_position() {
            return false;
        }
        if self.board == Board::START && self.turn == Color::White {
            return true;
        }
        let pawns_have_come = Color::ALL.into_iter().all(|color| {
            let missing = 16u32.saturating_sub(self.board.color(!color).len());
            captures_of_pawns(&self.board, color).is_some_and(|captures| captures <= missing)
        });
        pawns_have_come && self.visit_predecessors(|_, _| ControlFlow::Break(())).is_break()
    }
}

/// Whether the pieces beyond those of the start are not more than the missing pawns.
fn has_enough_pawns(board: &Board, color: Color) -> bool {
    let pawns = board.pieces(color, Role::Pawn);
    let beyond = |role, n: u32| board.pieces(color, role).len().saturating_sub(n);
    let bishops = |shade| {
        let bishops = board.pieces(color, Role::Bishop) & shade;
        bishops.len().saturating_sub(first_bishops(board, color, shade))
    };
    let promoted = beyond(Role::Queen, 1)
        + beyond(Role::Rook, 2)
        + beyond(Role::Knight, 2)
        + bishops(SquareSet::LIGHT)
        + bishops(SquareSet::DARK);
    pawns.len() + promoted <= 8
}

/// Number of bishops of a color and shade that may be the one of the start: 0 if pawns have never
/// let it out and it is not on its square, otherwise 1.
fn first_bishops(board: &Board, color: Color, shade: SquareSet) -> u32 {
    let home = color.home_rank();
    let start = [2, 5]
        .map(|file| Square::from_coords(file, home))
        .into_iter()
        .find(|&sq| shade.contains(sq));
    let is_locked_out = start.is_some_and(|sq| {
        let locks = pawn_attacks(color, sq);
        locks.is_subset(board.pieces(color, Role::Pawn))
            && board.piece_at(sq) != Some(Piece::new(color, Role::Bishop))
    });
    u32::from(!is_locked_out)
}

/// The least number of captures by which the pawns of a color reach their squares, each from a file
/// of its own; `None` if they cannot.
fn captures_of_pawns(board: &Board, color: Color) -> Option<u32> {
    // For each set of files that pawns have come from, the least number of captures.
    let mut least: [Option<u32>; 256] = [None; 256];
    least[0] = Some(0);
    for pawn in board.pieces(color, Role::Pawn) {
        let steps = pawn.rank().abs_diff(color.home_rank()).saturating_sub(1);
        let mut next = [None; 256];
        for (files, captures) in least.iter().enumerate() {
            let Some(captures) = captures else { continue };
            for file in (0..8u8).filter(|file| files >> file & 1 == 0) {
                let needed = pawn.file().abs_diff(file);
                if needed <= steps {
                    let sum = captures + u32::from(needed);
                    let place: &mut Option<u32> = &mut next[files | 1 << file];
                    *place = Some(place.map_or(sum, |best| best.min(sum)));
                }
            }
        }
        least = next;
    }
    least.into_iter().flatten().min()
}

/// Whether nothing stands between two squares.
pub(crate) fn is_clear(board: &Board, a: Square, b: Square) -> bool {
    !between(a, b).intersects(board.occupied())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use crate::parse_position;
    use crate::testing::played_position;

    #[test]
    fn legal_and_reachable() {
        for (fen, legal, reachable) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", true, true),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", true, true),
            // kings and pawns
            ("4k3/8/8/8/8/8/8/8 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", false, false),
            ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", false, false),
            ("8/8/8/8/8/4k3/4K3/8 w - - 0 1", false, false),
            // the side that has moved is in check
            ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", true, true),
            // checks: two knights, three pieces; two rooks on two lines may be a promotion
            ("4k3/8/3N1N2/8/8/8/8/4K3 b - - 0 1", false, false),
            ("4k3/8/3N4/8/B7/8/8/4K3 b - - 0 1", true, true),
            ("4k3/8/3N4/8/B7/8/4R3/4K3 b - - 0 1", false, false),
            // … neither of which uncovers the other: queens beside and on the file, rooks from two
            // sides, a bishop and a rook
            ("3qK3/8/1k6/8/8/8/4q3/8 w - - 0 1", false, false),
            ("4k3/8/8/8/R3K2r/8/8/r7 w - - 0 1", true, true),
            ("8/k7/8/8/r3K2r/8/8/8 w - - 0 1", false, false),
            ("4k3/8/8/1B6/4R3/8/8/6K1 b - - 0 1", false, false),
            ("4k3/8/8/8/B3R3/8/8/6K1 b - - 0 1", false, false),
            ("4k3/3R4/8/1B6/8/8/8/6K1 b - - 0 1", true, true),
            // a pawn at home, one that has moved, and one that has made a double step
            ("8/8/8/8/8/4k3/3P4/6K1 b - - 0 1", false, false),
            ("8/8/8/8/4k3/3P4/8/6K1 b - - 0 1", true, true),
            ("8/8/8/4k3/3P4/8/8/6K1 b - d3 0 1", true, true),
            ("8/8/8/4k3/3P4/8/8/4R1K1 b - d3 0 1", false, false),
            // nine queens and eight pawns
            ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", false, false),
            ("4k3/8/8/8/8/QQ6/PPPPPPP1/4K3 w - - 0 1", true, true),
            // the bishop cannot have left f1
            ("4k3/8/8/8/8/3B4/PPPPPPPP/RNBQK1NR w - - 0 1", false, false),
            ("4k3/8/8/8/8/8/PPPPPPPP/RNBQK1NR w - - 0 1", true, true),
            ("4k3/8/8/8/8/3B4/PPPPPP1P/RNBQK1NR w - - 0 1", true, true),
            // en passant
            ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", true, true),
            ("4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1", false, false),
            ("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1", false, false),
            // doubled pawns need a capture, and nothing is missing
            ("rnbqkbnr/pppppppp/8/8/8/2P5/P1PPPPPP/RNBQKBNR b KQkq - 0 1", true, false),
            // doubled pawns, and pieces are missing
            ("4k3/8/8/8/8/P7/P7/4K3 w - - 0 1", true, true),
            // stalemate
            ("k7/P7/K7/8/8/8/8/8 b - - 0 1", true, true),
        ] {
            let pos = parse_position(fen.as_bytes()).unwrap();
            assert_eq!(pos.is_legal_position(), legal, "{fen}");
            assert_eq!(pos.is_reachable_position(), reachable, "{fen}");
        }
    }

    proptest! {
        #[test]
        fn what_was_played_is_not_impossible(pos in played_position()) {
            prop_assert!(pos.is_legal_position());
        }
    }
}

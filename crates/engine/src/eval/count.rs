//! Counting attacks.

use board::{Board, SquareSet};

/// Returns the number of pairs of a piece on `men` and a square of `squares` that it attacks.
pub(super) fn attack_pairs(board: &Board, men: SquareSet, squares: SquareSet) -> i32 {
    let men = men & board.occupied();
    let pairs: u32 = if squares.len() < men.len() {
        let attackers = |square| board.attackers_to(square, board.occupied()) & men;
        squares.into_iter().map(|square| attackers(square).len()).sum()
    } else {
        let attacked = |man| board.attacks_from(man) & squares;
        men.into_iter().map(|man| attacked(man).len()).sum()
    };
    pairs as i32
}

#[cfg(test)]
mod tests {
    use board::{Color, Role, Square};

    use super::*;

    #[test]
    fn pairs_are_counted_from_either_side() {
        // the rooks see each other, the queen sees both, the pawn its two squares
        let position = board::parse_fen(b"4k3/8/8/3p4/8/Q7/8/R3R2K w - - 0 1").expect("a FEN");
        let board = &position.board;
        let rooks = board.pieces(Color::White, Role::Rook);
        let queens = board.pieces(Color::White, Role::Queen);
        let pawns = board.pieces(Color::Black, Role::Pawn);
        let kings = board.pieces(Color::Black, Role::King);
        for (men, squares, want) in [
            (rooks, rooks, 2),
            (queens, rooks, 1),
            (rooks, kings, 1),
            (rooks | queens, kings | rooks | queens, 5),
            (pawns, SquareSet::ALL, 2),
            (pawns, Square::from_coords(3, 3).set(), 0),
            (Square::from_coords(3, 3).set(), SquareSet::ALL, 0),
            (rooks, SquareSet::EMPTY, 0),
        ] {
            assert_eq!(attack_pairs(board, men, squares), want, "{men:?} {squares:?}");
        }
    }
}

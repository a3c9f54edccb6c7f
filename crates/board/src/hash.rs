//! Zobrist keys.
//!
//! Two positions have equal keys if placement, turn, castling rights and the square on which en
//! passant is legal are equal, as for a repetition; other positions have different keys except by
//! coincidence. The table comes from a fixed generator, so keys may be stored.

use crate::piece::Piece;
use crate::position::Position;

/// One number for each piece and square, then 16 for castling rights, 8 for the en passant file
/// and one for Black to move.
static KEYS: [u64; 768 + 16 + 8 + 1] = {
    let mut keys = [0; 768 + 16 + 8 + 1];
    let mut state: u64 = 0;
    let mut i = 0;
    while i < keys.len() {
        // The splitmix64 generator.
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        keys[i] = z ^ z >> 31;
        i += 1;
    }
    keys
};

const CASTLING: usize = 768;
const EN_PASSANT: usize = CASTLING + 16;
const TURN: usize = EN_PASSANT + 8;

/// The key of a position.
#[must_use]
pub fn zobrist(pos: &Position) -> u64 {
    let mut key = KEYS[CASTLING + usize::from(pos.castling.bits())];
    for piece in Piece::ALL {
        for sq in pos.board.pieces(piece.color, piece.role) {
            key ^= KEYS[piece.index() * 64 + sq.index()];
        }
    }
    if let Some(sq) = pos.en_passant_capture() {
        key ^= KEYS[EN_PASSANT + usize::from(sq.file())];
    }
    if pos.turn == crate::Color::Black { key ^ KEYS[TURN] } else { key }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{any_position, position};

    fn check(a: &str, b: &str, equal: bool) {
        let (x, y) = (zobrist(&position(a)), zobrist(&position(b)));
        assert_eq!(x == y, equal, "{a} | {b}");
    }

    #[test]
    fn what_counts() {
        let base = "4k3/8/8/8/4p3/8/3P4/R3K2R w KQ - 0 1";
        check(base, "4k3/8/8/8/4p3/8/3P4/R3K2R w KQ - 40 70", true);
        check(base, "4k3/8/8/8/4p3/8/3P4/R3K2R b KQ - 0 1", false);
        check(base, "4k3/8/8/8/4p3/8/3P4/R3K2R w K - 0 1", false);
        check(base, "4k3/8/8/8/4P3/8/3P4/R3K2R w KQ - 0 1", false);
        // An en passant square counts if the capture is legal.
        let passed = "4k3/8/8/8/3Pp3/8/8/4K3 b - d3 0 1";
        check(passed, "4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1", false);
        check("4k3/8/8/8/3P1p2/8/8/4K3 b - d3 0 1", "4k3/8/8/8/3P1p2/8/8/4K3 b - - 0 1", true);
        let pinned = "8/8/8/8/k2Pp2R/8/8/4K3 b - d3 0 1";
        check(pinned, "8/8/8/8/k2Pp2R/8/8/4K3 b - - 0 1", true);
    }

    #[test]
    fn keys_are_fixed() {
        assert_eq!(KEYS[0], 0xE220_A839_7B1D_CDAF, "first number of splitmix64 with seed 0");
    }

    proptest! {
        #[test]
        fn the_clocks_do_not_count(pos in any_position(), clock: u16, number: u16) {
            let other = Position { halfmove_clock: clock, fullmove_number: number, ..pos };
            prop_assert_eq!(zobrist(&other), zobrist(&pos));
        }

        #[test]
        fn the_board_counts(pos in any_position(), sq in 0u8..64) {
            let mut other = Position { en_passant: None, ..pos };
            let before = zobrist(&other);
            let taken = other.board.take(crate::Square::new(sq)).is_some();
            prop_assert_eq!(zobrist(&other) != before, taken);
        }
    }
}

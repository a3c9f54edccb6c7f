//! Boards and positions for property tests, and the usual perft positions.

use proptest::collection::vec;
use proptest::prelude::*;

use crate::{Board, CastlingRights, Color, MoveList, Piece, Position, Role, Square, parse_fen};

/// Positions with known move counts, together reaching every rule of chess.
pub(crate) const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1",
];

/// Tests a check that finds mates on positions with a strong and a weak side, on any, and on those of
/// games.
macro_rules! no_mate_is_left_out {
    ($check:ident) => {
        proptest::proptest! {
            #[test]
            fn no_near_mate_is_left_out(pos in crate::testing::lopsided_position()) {
                $check(&pos);
            }

            #[test]
            fn no_mate_is_left_out(pos in crate::testing::any_position()) {
                $check(&pos);
            }

            #[test]
            fn no_mate_of_a_game_is_left_out(pos in crate::testing::played_position()) {
                $check(&pos);
            }
        }
    };
}
pub(crate) use no_mate_is_left_out;

pub(crate) fn position(fen: &str) -> Position {
    parse_fen(fen.as_bytes()).unwrap()
}

pub(crate) fn any_piece() -> impl Strategy<Value = Piece> {
    (0usize..12).prop_map(|i| Piece::ALL[i])
}

/// Any placement: mostly none, one or two kings of a color, sometimes many.
pub(crate) fn any_board() -> impl Strategy<Value = Board> {
    vec((0u8..64, any_piece()), 0..48).prop_map(|pieces| {
        let mut board = Board::EMPTY;
        for (sq, piece) in pieces {
            board.put(Square::new(sq), piece);
        }
        board
    })
}

/// Any placement with any rights and any en passant square.
pub(crate) fn any_position() -> impl Strategy<Value = Position> {
    let state = (any::<bool>(), 0u8..16, proptest::option::of(0u8..16));
    (any_board(), state, any::<u16>(), any::<u16>()).prop_map(|(board, state, clock, number)| {
        let (white, rights, en_passant) = state;
        Position {
            board,
            turn: if white { Color::White } else { Color::Black },
            castling: CastlingRights::from_bits(rights),
            en_passant: en_passant.map(|n| Square::from_coords(n & 7, if n < 8 { 2 } else { 5 })),
            halfmove_clock: clock,
            fullmove_number: number,
        }
    })
}

/// Positions in which the side to move has many pieces and the other few, so that mates are near.
pub(crate) fn lopsided_position() -> impl Strategy<Value = Position> {
    let strong = (0u8..64, 0usize..6).prop_map(|(sq, i)| (sq, Piece::ALL[i]));
    let weak = (0u8..64, 6usize..12).prop_map(|(sq, i)| (sq, Piece::ALL[i]));
    let pieces = (vec(strong, 2..12), vec(weak, 0..8), (0u8..64, 0u8..64));
    pieces.prop_map(|(strong, weak, kings)| {
        let mut board = Board::EMPTY;
        let of = |color, sq| (sq, Piece { color, role: Role::King });
        let kings = [of(Color::White, kings.0), of(Color::Black, kings.1)];
        let men = strong.into_iter().chain(weak).filter(|man| man.1.role != Role::King);
        for (sq, piece) in men.chain(kings) {
            board.put(Square::new(sq), piece);
        }
        Position::new(board, Color::White)
    })
}

/// Positions reached by random legal moves from one of [`FENS`].
pub(crate) fn played_position() -> impl Strategy<Value = Position> {
    (0..FENS.len(), vec(any::<usize>(), 0..80)).prop_map(|(start, choices)| {
        let mut pos = position(FENS[start]);
        let mut moves = MoveList::new();
        for choice in choices {
            pos.legal_moves(&mut moves);
            if moves.is_empty() {
                break;
            }
            pos.play_mut(moves[choice % moves.len()]);
        }
        pos
    })
}

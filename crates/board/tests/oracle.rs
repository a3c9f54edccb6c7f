//! Random games compared with cozy-chess, an independent move generator.

use board::{MoveList, Position, parse_fen};

const FENS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/3p4/8/K1P4r/8/2k5/4P3/8 b - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

/// A small fixed generator: failures repeat.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// A move as we write it; the oracle writes castling as the king capturing its own rook.
fn theirs(board: &cozy_chess::Board, mv: cozy_chess::Move) -> String {
    let own_rooks = board.colored_pieces(board.side_to_move(), cozy_chess::Piece::Rook);
    let castles = board.piece_on(mv.from) == Some(cozy_chess::Piece::King) && own_rooks.has(mv.to);
    if !castles {
        return mv.to_string();
    }
    let file = if mv.to.file() > mv.from.file() { 'g' } else { 'c' };
    let from = mv.from.to_string();
    format!("{from}{file}{}", &from[1..])
}

fn compare(pos: &Position, oracle: &cozy_chess::Board, moves: &mut MoveList) {
    pos.legal_moves(moves);
    let mut got: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let mut want = Vec::new();
    oracle.generate_moves(|of_piece| {
        want.extend(of_piece.into_iter().map(|mv| theirs(oracle, mv)));
        false
    });
    got.sort();
    want.sort();
    let fen = pos.fen();
    assert_eq!(got, want, "{fen}");
    assert_eq!(pos.count_legal() as usize, want.len(), "{fen}");
    assert_eq!(pos.has_legal_move(), !want.is_empty(), "{fen}");
    assert_eq!(pos.is_check(), !oracle.checkers().is_empty(), "{fen}");
    assert_eq!(pos.checkers().0, oracle.checkers().0, "{fen}");
    // The oracle also counts enemy pieces that shield our king.
    assert_eq!(pos.pinned().0, oracle.pinned().0 & pos.us().0, "{fen}");
    let mate = oracle.status() == cozy_chess::GameStatus::Won;
    assert_eq!(pos.is_mate(), mate, "{fen}");
    assert_eq!(pos.is_stalemate(), want.is_empty() && !mate, "{fen}");
    assert_eq!(fen, oracle.to_string());
}

#[test]
fn random_games() {
    let mut random = Random(0x2545_F491_4F6C_DD1D);
    let mut moves = MoveList::new();
    let mut positions = 0;
    for game in 0..400 {
        let fen = FENS[game % FENS.len()];
        let mut pos = parse_fen(fen.as_bytes()).expect("the FEN is correct");
        let mut oracle: cozy_chess::Board = fen.parse().expect("the oracle reads it");
        for _ in 0..120 {
            compare(&pos, &oracle, &mut moves);
            positions += 1;
            if moves.is_empty() || pos.halfmove_clock >= 99 {
                break;
            }
            let mv = moves[random.below(moves.len())];
            let text = mv.to_string();
            let mut played = None;
            oracle.generate_moves(|of_piece| {
                played = of_piece.into_iter().find(|&mv| theirs(&oracle, mv) == text);
                played.is_some()
            });
            oracle.play_unchecked(played.expect("the lists were equal"));
            pos.play_mut(mv);
        }
    }
    assert!(positions > 20_000, "{positions}");
}

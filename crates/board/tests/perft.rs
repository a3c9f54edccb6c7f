//! Move counts of well-known positions, to the depth a debug build affords.
//!
//! The leaves are counted by masks and the inner moves are listed, so each line proves both.

use board::{Move, MoveList, Position, Role, parse_fen};

fn perft(pos: &Position, depth: usize) -> u64 {
    if depth == 1 {
        return u64::from(pos.count_legal());
    }
    let mut moves = MoveList::new();
    pos.legal_moves(&mut moves);
    assert_eq!(moves.len() as u32, pos.count_legal(), "{}", pos.fen());
    let promotes_again = |mv: &&Move| mv.promotion().is_some_and(|role| role != Role::Queen);
    let pairs = moves.len() - moves.iter().filter(promotes_again).count();
    assert_eq!(pairs as u32, pos.count_legal_pairs(), "{}", pos.fen());
    for limit in 1..=4 {
        let count = pos.count_legal_pairs_up_to(limit);
        assert_eq!(count.min(limit), limit.min(pairs as u32), "{}", pos.fen());
    }
    moves.iter().map(|&mv| perft(&pos.play(mv), depth - 1)).sum()
}

#[track_caller]
fn check(fen: &str, depth: usize, want: u64) {
    let pos = parse_fen(fen.as_bytes()).expect("the FEN is correct");
    assert_eq!(perft(&pos, depth), want, "{fen}");
}

#[test]
fn start() {
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609);
}

#[test]
fn kiwipete() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    check(fen, 1, 48);
    check(fen, 2, 2_039);
    check(fen, 3, 97_862);
    check(fen, 4, 4_085_603);
    check(fen, 5, 193_690_690);
}

#[test]
fn rook_ending() {
    check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083);
}

#[test]
fn promotions_and_checks() {
    check("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 4, 422_333);
    check("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1", 4, 422_333);
    check("n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1", 5, 3_605_103);
}

#[test]
fn middle_games() {
    check("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8", 4, 2_103_487);
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        5,
        164_075_551,
    );
}

#[test]
fn single_rules() {
    // En passant that would uncover an attack along a rank, and along a diagonal.
    check("3k4/3p4/8/K1P4r/8/8/8/8 b - - 0 1", 6, 1_134_888);
    check("8/8/1k6/8/2pP4/8/5BK1/8 b - d3 0 1", 6, 824_064);
    // En passant that gives check.
    check("8/8/1k6/2b5/2pP4/8/5K2/8 b - d3 0 1", 6, 1_440_467);
    // Castling that gives check, to either side.
    check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 6, 661_072);
    check("3k4/8/8/8/8/8/8/R3K3 w Q - 0 1", 6, 803_711);
    // Castling rights lost by capture; castling prevented by attack.
    check("r3k2r/1b4bq/8/8/8/8/7B/R3K2R w KQkq - 0 1", 4, 1_274_206);
    check("r3k2r/8/3Q4/8/8/5q2/8/R3K2R b KQkq - 0 1", 4, 1_720_476);
    // Promotion out of check, promotion that gives check, under-promotion.
    check("2K2r2/4P3/8/8/8/8/8/3k4 w - - 0 1", 6, 3_821_001);
    check("4k3/1P6/8/8/8/8/K7/8 w - - 0 1", 6, 217_342);
    check("8/P1k5/K7/8/8/8/8/8 w - - 0 1", 6, 92_683);
    // Discovered check, self stalemate, stalemate and mate.
    check("8/8/1P2K3/8/2n5/1q6/8/5k2 b - - 0 1", 5, 1_004_658);
    check("K1k5/8/P7/8/8/8/8/8 w - - 0 1", 6, 2_217);
    check("8/k1P5/8/1K6/8/8/8/8 w - - 0 1", 7, 567_584);
    check("8/8/2k5/5q2/5n2/8/5K2/8 b - - 0 1", 4, 23_527);
}

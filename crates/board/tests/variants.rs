//! Compares variants with move counts of published positions, and with python-chess in random
//! games.
//!
//! The comparison with python-chess is skipped if there is no python3 with it. `PYTHON` names
//! another interpreter, `GAMES` the number of games of each variant.

use std::process::Command;

use board::{Ending, Move, MoveList, Rules, Situation};

fn perft(situation: &Situation, depth: usize) -> u64 {
    let mut moves = MoveList::new();
    situation.legal_moves(&mut moves);
    match depth {
        1 => moves.len() as u64,
        _ => (moves.iter()).map(|&mv| perft(&situation.play(mv), depth - 1)).sum(),
    }
}

#[track_caller]
fn check(rules: Rules, fen: &str, want: &[u64]) {
    let situation = match fen {
        "start" => Situation::start(rules),
        _ => Situation::parse(rules, fen.as_bytes()).expect("a FEN"),
    };
    let counts: Vec<u64> = (1..=want.len()).map(|n| perft(&situation, n)).collect();
    assert_eq!(counts, want, "{rules} {fen}");
}

#[test]
fn atomic() {
    check(Rules::Atomic, "start", &[20, 400, 8_902, 197_326]);
    let fen = "rn2kb1r/1pp1p2p/p2q1pp1/3P4/2P3b1/4PN2/PP3PPP/R2QKB1R b KQkq - 0 1";
    check(Rules::Atomic, fen, &[40, 1_238, 45_237]);
    let fen = "rn1qkb1r/p5pp/2p5/3p4/N3P3/5P2/PPP4P/R1BQK3 w Qkq - 0 1";
    check(Rules::Atomic, fen, &[28, 833, 23_353, 714_499]);
}

#[test]
fn castling_of_chess960_in_variants() {
    let check = |rules: Rules, fen: &str, want: &[&str]| {
        let here = Situation::parse(rules, fen.as_bytes()).expect("a FEN");
        assert_eq!(here.fen(), fen, "{rules}");
        let mut moves = MoveList::new();
        here.legal_moves(&mut moves);
        let castlings = moves.into_iter().filter(|mv| mv.is_castle());
        let ends: Vec<String> =
            castlings.map(|mv| format!("{} {}", here.san(mv), here.play(mv).fen())).collect();
        assert_eq!(ends, want, "{rules} {fen}");
    };
    use Rules::{Atomic, Crazyhouse, Losers};
    let fen = "8/k7/8/8/8/8/8/1R1K2R1 w KQ - 0 1";
    let short = "O-O 8/k7/8/8/8/8/8/1R3RK1 b - - 1 1";
    let long = "O-O-O 8/k7/8/8/8/8/8/2KR2R1 b - - 1 1";
    check(Atomic, fen, &[short, long]);
    let with_pawn = |text: &str| text.replace("k7/8", "k7/p7");
    let (short, long) = (with_pawn(short), with_pawn(long));
    check(Losers, &with_pawn(fen), &[&short, &long]);
    // An attack on the way forbids it, but not beside the other king.
    check(Atomic, "5q2/8/8/8/8/8/8/k2K2RR w G - 0 1", &[]);
    let fen = "5q2/8/8/8/8/8/6k1/3K2R1 w K - 0 1";
    check(Atomic, fen, &["O-O 5q2/8/8/8/8/8/6k1/5RK1 b - - 1 1"]);
    // A capture is compulsory.
    check(Losers, "8/k7/8/8/8/8/6p1/1R1K2R1 w KQ - 0 1", &[]);
    let fen = "8/1k6/8/8/8/8/8/R1R1K1RR[] w GC - 0 1";
    let ends =
        ["O-O 8/1k6/8/8/8/8/8/R1R2RKR[] b - - 1 1", "O-O-O 8/1k6/8/8/8/8/8/R1KR2RR[] b - - 1 1"];
    check(Crazyhouse, fen, &ends);
    // There is no castling with a rook that has exploded.
    let here = Situation::parse(Atomic, b"1k5r/8/8/8/8/8/7P/1R1K2R1 b KQ - 0 1");
    let [from, to] = [b"h8", b"h2"].map(|name| board::Square::parse(name).expect("a square"));
    let next = (here.expect("a FEN")).play(Move::normal(board::Role::Rook, from, to));
    assert_eq!(next.fen(), "1k6/8/8/8/8/8/8/1R1K4 w Q - 0 2");
}

#[test]
fn crazyhouse() {
    check(Rules::Crazyhouse, "start", &[20, 400, 8_902, 197_281]);
    let fen = "2k5/8/8/8/8/8/8/4K3[QRBNPqrbnp] w - - 0 1";
    check(Rules::Crazyhouse, fen, &[301, 75_353]);
    let fen = "r1bqk2r/pppp1ppp/2n1p3/4P3/1b1Pn3/2NB1N2/PPP2PPP/R1BQK2R[] b KQkq - 0 1";
    check(Rules::Crazyhouse, fen, &[42, 1_347, 58_057]);
    let fen = "4k3/1Q~6/8/8/4b3/8/Kpp5/8/ b - - 0 1";
    check(Rules::Crazyhouse, fen, &[20, 360, 5_445, 132_758]);
}

#[test]
fn giveaway_and_suicide() {
    check(Rules::Giveaway, "start", &[20, 400, 8_067, 153_299]);
    let fen = "8/1p6/8/8/8/8/P7/8 w - - 0 1";
    check(Rules::Giveaway, fen, &[2, 4, 4, 3, 1, 0]);
    let fen = "8/2p5/8/8/8/8/P7/8 b - - 0 1";
    check(Rules::Suicide, fen, &[2, 4, 4, 4, 4, 4]);
    let fen = "r1b1k3/pPpp4/8/1K6/8/8/2p1P1p1/1N3K2 b - - 0 1";
    check(Rules::Giveaway, fen, &[11, 106, 653, 2_532]);
}

#[test]
fn horde() {
    check(Rules::Horde, "start", &[8, 128, 1_274, 23_310, 265_223]);
    let fen = "4k3/pp4q1/3P2p1/8/P3PP2/PPP2r2/PPP5/PPPP4 b - - 0 1";
    check(Rules::Horde, fen, &[30, 241, 6_633, 56_539]);
    let fen = "k7/5p2/4p2P/3p2P1/2p2P2/1p2P2P/p2P2P1/2P2P2 w - - 0 1";
    check(Rules::Horde, fen, &[13, 172, 2_205, 33_781]);
}

#[test]
fn racing_kings() {
    check(Rules::RacingKings, "start", &[21, 421, 11_264, 296_242]);
    let fen = "4brn1/2K2k2/8/8/8/8/8/8 w - - 0 1";
    check(Rules::RacingKings, fen, &[6, 33, 178, 3_151, 12_981]);
}

#[test]
fn variants_that_end_earlier() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 1+1 0 1";
    check(Rules::ThreeCheck, fen, &[48, 2_039, 97_848]);
    let fen = "r1bq1bnr/pppp2pp/2n2k2/4pp2/3PP3/4K3/PPP2PPP/RNBQ1BNR w - - 0 1";
    check(Rules::KingOfTheHill, fen, &[38, 1_206, 42_302]);
}

#[test]
fn losers_must_capture_and_keep_their_kings() {
    let moves = |fen: &str| {
        let situation = Situation::parse(Rules::Losers, fen.as_bytes()).expect("a FEN");
        let mut moves = MoveList::new();
        situation.legal_moves(&mut moves);
        let mut moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
        moves.sort();
        (moves.join(" "), situation.ending(), situation.is_mate())
    };
    let win = |color| Some(Ending::Win(color));
    use board::Color::{Black, White};
    // A pawn may be taken, so it is; the pinned knight may not take.
    let fen = "4k3/8/8/3p4/4P3/8/8/4K2N w - - 0 1";
    assert_eq!(moves(fen), ("e4d5".to_owned(), None, false));
    let fen = "4r2k/8/8/8/3p4/8/4N3/4K3 w - - 0 1";
    assert_eq!(moves(fen).0, "e1d1 e1d2 e1f1 e1f2");
    // In check only captures that answer it count.
    let fen = "4r2k/8/8/3p4/2P5/8/8/4K3 w - - 0 1";
    assert_eq!(moves(fen).0, "e1d1 e1d2 e1f1 e1f2");
    assert_eq!(moves("4k3/8/8/8/8/8/P7/4K3 w - - 0 1").1, win(Black));
    // The mated and the stalemated side wins.
    let mated = "6k1/8/8/8/8/8/5PPP/4r1K1 w - - 0 1";
    assert_eq!(moves(mated), (String::new(), win(White), true));
    let stuck = "7k/8/8/8/8/p7/P1n5/K7 w - - 0 1";
    assert_eq!(moves(stuck).1, None, "the king takes no part in that");
    let stuck = "7k/8/8/8/p7/P7/2q5/K7 w - - 0 1";
    assert_eq!(moves(stuck), (String::new(), win(White), false));
}

/// Random games of every variant as python-chess plays them, a line for each position.
fn python_chess() -> Option<String> {
    let name = std::env::var_os("PYTHON").unwrap_or_else(|| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/variants.py");
    let mut command = Command::new(name);
    let output = command.arg(script).args(std::env::var_os("GAMES")).output();
    let output = output.ok()?;
    if output.status.success() { String::from_utf8(output.stdout).ok() } else { None }
}

/// A move as the script writes it.
fn uci(mv: Move) -> String {
    match mv.rook_from_to() {
        Some((rook, _)) => format!("{}{rook}", mv.from()),
        None => mv.to_string(),
    }
}

/// Facts about a position, in the words of the script.
fn facts(situation: &Situation) -> String {
    let us = situation.position.turn;
    let ending = situation.ending();
    let facts = [
        (situation.is_check(), "check"),
        (situation.is_mate() && ending.is_none(), "mate"),
        (ending == Some(Ending::Win(us)), "win"),
        (ending == Some(Ending::Win(!us)), "loss"),
        (ending == Some(Ending::Draw), "draw"),
    ];
    let names = facts.into_iter().filter(|fact| fact.0).map(|fact| fact.1);
    names.collect::<Vec<_>>().join(" ")
}

#[test]
fn random_games_are_those_of_python_chess() {
    let Some(lines) = python_chess() else {
        eprintln!("skipped: there is no python3 with python-chess");
        return;
    };
    let (mut n, mut n_castlings) = (0, 0);
    for line in lines.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let rules = Rules::ALL.into_iter().find(|r| r.to_string() == fields[0]);
        let rules = rules.expect("a variant");
        let here = Situation::parse(rules, fields[1].as_bytes()).expect("a FEN");
        assert_eq!(here.fen(), fields[1], "{line}");
        let mut moves = MoveList::new();
        here.legal_moves(&mut moves);
        let mut names: Vec<String> = moves.iter().map(|&mv| uci(mv)).collect();
        names.sort();
        assert_eq!(names.join(" "), fields[2], "{line}");
        assert_eq!(facts(&here), fields[3], "{line}");
        n += 1;
        if let [_, _, _, _, played, san, next] = fields[..] {
            let mv = moves.iter().find(|&&mv| uci(mv) == played);
            let mv = *mv.expect("a legal move");
            n_castlings += usize::from(here.setup.is_some() && mv.is_castle());
            let written = here.san(mv).to_string();
            let bare =
                |san: &str| san.trim_start_matches('P').trim_end_matches(['+', '#']).to_owned();
            assert_eq!(bare(&written), bare(san), "{line}");
            assert_eq!(here.play(mv).fen(), next, "{line}");
        }
    }
    assert!(n > 1000, "{n} positions");
    assert!(n_castlings > 10, "{n_castlings} castlings of Chess960");
}

#[test]
fn odd_fens_of_all_variants_do_not_panic() {
    let check = |text: &str| {
        for rules in Rules::ALL {
            let Ok(situation) = Situation::parse(rules, text.as_bytes()) else {
                continue;
            };
            let mut moves = MoveList::new();
            situation.pseudolegal_moves(&mut moves);
            situation.legal_moves(&mut moves);
            for &mv in &moves {
                let next = situation.play(mv);
                assert!(situation.is_legal(mv), "{rules} {text} {mv}");
                let _ = (situation.san(mv), next.fen(), next.ending());
                let _ = (next.is_mate(), next.is_stalemate());
            }
            let again = Situation::parse(rules, situation.fen().as_bytes());
            assert_eq!(again, Ok(situation), "{rules} {text}");
        }
    };
    check("8/8/8/8/8/8/8/8 w - - 0 1");
    check("K7/8/8/8/8/8/8/7k w KQkq e3 0 1");
    check("KKKKKKKK/8/8/8/8/8/8/kkkkkkkk[QQQQqqqq] b KQkq - 0 1");
    check("PPPPPPPP/8/3kk3/8/8/3KK3/8/pppppppp/PPPPp w HAha - 9+9 65535 65535 +9+9");
    check("q~q~q~q~4/Q~7/8/8/8/8/8/R3K2R[] w KQbg - 0+0 0 1");
    check("~8/8/8/8/8/8/8/k6K~~[p w");
    check("r3k2r/8/8/8/8/8/8/R3K2R b - - +3+3");
    check("1rk3r1/8/8/8/8/8/8/RR1K1RR1 w KQkq - 3+3 0 1");
    check("1rk3r1/8/8/8/8/8/8/RR1K1RR1[] b BGfbGg - 0 1");
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[K] w - - 0 1");
    check("8/8/8/8/8/8/8/8/8/8 w");
    check("");
}

//! Tests `endgame` and `phase`.

mod support;

use support::{game, holds_at, ids, is_refused, refusal};

/// Pieces of White and Black, and all classes that they belong to.
const ENDINGS: &[(&str, &[&str])] = &[
    ("4k3/8/8/8/8/8/8/4K3", &[]),
    ("4k3/8/8/8/8/8/4P3/4K3", &["pawn"]),
    ("4k1n1/8/8/8/8/8/4P3/4K1N1", &["knight", "minor"]),
    ("4k1n1/8/8/8/8/8/4P3/4K1B1", &["bishop-knight", "minor"]),
    ("4k1b1/8/8/8/8/8/4P3/4K1N1", &["bishop-knight", "minor"]),
    ("4kbb1/8/8/8/8/8/4P3/4K1B1", &["bishop", "minor"]),
    ("4k1b1/8/8/8/8/8/4P3/4K1B1", &["bishop", "opposite-bishops", "minor"]),
    ("4kb2/8/8/8/8/8/4P3/4K1B1", &["bishop", "same-bishops", "minor"]),
    ("4k1b1/8/8/8/8/8/4P3/4KB2", &["bishop", "same-bishops", "minor"]),
    ("4knb1/8/8/8/8/8/4P3/4KB2", &["minor"]),
    ("4k1r1/8/8/8/8/8/4P3/4K1R1", &["rook", "major"]),
    ("4krr1/8/8/8/8/8/4P3/4K1R1", &["rook", "major"]),
    ("4k1r1/8/8/8/8/8/4P3/4K1N1", &["rook-minor"]),
    ("4k1b1/8/8/8/8/8/4P3/4K1R1", &["rook-minor"]),
    ("4k1r1/8/8/8/8/8/4P3/4K3", &[]),
    ("4krb1/8/8/8/8/8/4P3/4K1R1", &[]),
    ("4krb1/8/8/8/8/8/4P3/4KNR1", &["rook+minor"]),
    ("4k1q1/8/8/8/8/8/4P3/4K1Q1", &["queen", "major"]),
    ("4k1q1/8/8/8/8/8/4P3/4K1R1", &["queen-rook", "major"]),
    ("4k1r1/8/8/8/8/8/4P3/4K1Q1", &["queen-rook", "major"]),
    ("4kbq1/8/8/8/8/8/4P3/4KNQ1", &["queen+minor"]),
    ("4krq1/8/8/8/8/8/4P3/4KRQ1", &["queen+rook", "major"]),
    ("rnbqkbnr/8/8/8/8/8/8/RNBQKBNR", &[]),
];

const CLASSES: [&str; 15] = [
    "pawn",
    "knight",
    "bishop",
    "same-bishops",
    "opposite-bishops",
    "bishop-knight",
    "minor",
    "rook",
    "rook-minor",
    "rook+minor",
    "queen",
    "queen-rook",
    "queen+minor",
    "queen+rook",
    "major",
];

#[test]
fn an_ending_belongs_to_its_classes() {
    for (board, want) in ENDINGS {
        for class in CLASSES {
            let query = format!("endgame \"{class}\"");
            let fen = format!("{board} w - - 0 1");
            holds_at(&fen, &query, want.contains(&class));
            // All classes are the same for both sides.
            holds_at(&fen, &format!("reversecolor {{{query}}}"), want.contains(&class));
        }
    }
}

#[test]
fn each_position_is_in_one_phase() {
    let phases = ["opening", "middlegame", "endgame"];
    for (fen, want) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "opening"),
        // two minor pieces less on each side: 50
        ("r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w KQkq - 0 1", "opening"),
        ("r1bqkb1r/pppppppp/8/8/8/8/PPPPPPPP/R2QKB1R w KQkq - 0 1", "middlegame"),
        // 13 against 13, and 13 against 14
        ("rr2kb2/8/8/8/8/8/8/RR2KB2 w - - 0 1", "endgame"),
        ("rq2k3/8/8/8/8/8/8/RR2KB2 w - - 0 1", "middlegame"),
        ("rr2kb2/8/8/8/8/8/8/RQ2K3 w - - 0 1", "middlegame"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "endgame"),
    ] {
        for phase in phases {
            holds_at(fen, &format!("phase \"{phase}\""), phase == want);
        }
    }
    // After twelve moves, the opening is over.
    let moves: Vec<String> = (1..=13)
        .map(|n| format!("{n}.{}", if n % 2 == 1 { "Nf3 Nf6" } else { "Ng1 Ng8" }))
        .collect();
    let pgn = game(&moves.join(" "));
    assert_eq!(ids("phase \"opening\"", &pgn), (0..24).collect::<Vec<_>>());
    assert_eq!(ids("phase \"middlegame\"", &pgn), [24, 25, 26]);
}

#[test]
fn a_name_that_is_none_is_answered() {
    assert!(refusal("endgame \"rooks\"").contains("\"rook\""));
    assert!(refusal("phase \"midlegame\"").contains("\"middlegame\""));
    assert!(refusal("endgame \"xyzzy\"").contains("\"opposite-bishops\""));
    for query in ["endgame", "phase", "endgame rook", "phase 1", "phase \"\""] {
        assert!(is_refused(query), "{query}");
    }
    assert_eq!(ids("endgame=1 phase=2 endgame+phase==3 initial", &game("1.e4")), [0]);
}

//! Tests the library of themes: each function at a position where it holds and at one where it does
//! not.

mod support;

use std::collections::BTreeSet;

use support::{game_from, ids};
use syntax::library::Library;

/// A theme, a position, moves from there, and the ids of the positions where it holds.
type Case = (&'static str, &'static str, &'static str, &'static [u32]);

const CASES: &[Case] = &[
    ("fork", "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "1.Nc7+", &[1]),
    ("fork", "r2qk3/8/8/3N4/8/8/8/4K3 w - - 0 1", "1.Nc7+", &[]),
    ("fork", "4k3/8/8/2n1n3/8/8/3P4/4K3 w - - 0 1", "1.d4", &[1]),
    ("skewer", "8/8/8/8/q2k4/8/8/6KR w - - 0 1", "1.Rh4+", &[1]),
    ("skewer", "8/8/8/8/3k4/8/8/6KR w - - 0 1", "1.Rh4+", &[]),
    ("absolutepin", "4k3/4r3/8/8/8/8/8/K2Q4 w - - 0 1", "1.Qe2", &[1]),
    ("absolutepin", "4k3/4r3/4p3/8/8/8/8/K2Q4 w - - 0 1", "1.Qe2", &[]),
    ("relativepin", "q3k3/8/8/r7/8/8/8/1R2K3 w - - 0 1", "1.Ra1", &[1]),
    ("relativepin", "4k3/8/8/r7/8/8/8/1R2K3 w - - 0 1", "1.Ra1", &[]),
    ("discoveredattack", "q3k3/8/8/8/N7/8/8/R3K3 w - - 0 1", "1.Nc5", &[1]),
    ("discoveredattack", "q3k3/8/8/8/N7/8/8/R3K3 w - - 0 1", "1.Kd2", &[]),
    ("discoveredcheck", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "1.Nc5+", &[1]),
    ("discoveredcheck", "4k3/8/8/8/4N3/8/8/3R1K2 w - - 0 1", "1.Nf6+", &[]),
    ("doublecheck", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "1.Nf6+", &[1]),
    ("doublecheck", "4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "1.Nc5+", &[]),
    ("crosscheck", "3k4/8/8/8/6Q1/8/8/r3K3 w - - 0 1", "1.Qd1+", &[1]),
    ("crosscheck", "3k4/8/8/8/6Q1/8/8/r3K3 w - - 0 1", "1.Kf2", &[]),
    ("xrayattack", "4k3/q7/8/r7/8/8/8/1R2K3 w - - 0 1", "1.Ra1", &[1]),
    ("xrayattack", "4k3/8/8/r7/8/8/8/1R2K3 w - - 0 1", "1.Ra1", &[]),
    ("interference", "r3n3/8/B6k/8/8/8/8/4R2K w - - 0 1", "1.Bc8", &[1]),
    ("interference", "r3n3/5k2/B7/8/8/8/8/4R2K w - - 0 1", "1.Bc8", &[]),
    ("quietmove", "6k1/5ppp/8/8/8/1P6/1R6/K7 w - - 0 1", "1.Rd2", &[1]),
    ("quietmove", "6k1/5ppp/8/8/8/1P6/1R6/K7 w - - 0 1", "1.Kb1", &[]),
    ("underpromotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=N", &[1]),
    ("underpromotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=Q", &[]),
    ("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=Q", &[1]),
    ("promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.Kb1", &[]),
    (
        "attackonf7",
        "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 1",
        "1.Nxf7",
        &[1],
    ),
    (
        "attackonf7",
        "r1bqkb1r/pppp1ppp/2n2n2/4p1N1/2B1P3/8/PPPP1PPP/RNBQK2R w KQkq - 0 1",
        "1.d3",
        &[],
    ),
    ("hanging", "4k3/8/8/8/8/n7/8/R3K3 w - - 0 1", "", &[0]),
    ("hanging", "4kb2/8/8/8/8/n7/8/R3K3 w - - 0 1", "", &[]),
    ("trapped", "8/8/8/4K3/p7/1p6/B6k/7r w - - 0 1", "", &[0]),
    ("trapped", "8/8/8/4K3/p7/1p6/B6k/8 w - - 0 1", "", &[]),
    ("overloaded", "1b1r3k/8/8/8/3n4/8/8/KR1R4 w - - 0 1", "", &[0]),
    ("overloaded", "1b1r3k/8/8/8/8/8/8/KR1R4 w - - 0 1", "", &[]),
    ("zugzwang", "8/8/8/8/8/7p/5K2/5N1k b - - 0 1", "", &[0]),
    ("zugzwang", "8/8/8/8/p7/7p/5K2/5N1k b - - 0 1", "", &[]),
    ("battery", "4k3/8/8/8/4r3/8/4Q3/K3R3 w - - 0 1", "", &[0]),
    ("battery", "4k3/8/8/8/8/8/4Q3/K2R4 w - - 0 1", "", &[]),
    ("deflection", "3r3k/8/8/8/3q4/8/8/1R1R3K w - - 0 1", "1.Rb8 Rxb8 2.Rxd4", &[0]),
    ("deflection", "3r3k/8/8/8/3q4/8/8/1R1R3K w - - 0 1", "1.Rb8 Kg7 2.Rxd4", &[]),
    ("decoy", "5r1k/4Nppp/8/8/8/3R4/8/K6Q w - - 0 1", "1.Qxh7+ Kxh7 2.Rh3#", &[0]),
    ("decoy", "5r1k/4Nppp/8/8/8/3R4/8/K6Q w - - 0 1", "1.Qxh7+ Kxh7 2.Rd1", &[]),
    ("removal", "3r3k/8/8/8/3q3B/8/8/3R3K w - - 0 1", "1.Bxd8 Kg8 2.Rxd4", &[0]),
    ("removal", "3r3k/8/8/8/3q3B/8/8/3R3K w - - 0 1", "1.Bxd8 Qxd1+", &[]),
    ("clearance", "6k1/8/8/8/8/8/4N3/K3R3 w - - 0 1", "1.Nc3 Kf7 2.Re7+", &[0]),
    ("clearance", "6k1/8/8/8/8/8/4N3/K3R3 w - - 0 1", "1.Kb1 Kf7 2.Nc3", &[]),
    ("zwischenzug", "3rkb2/8/8/8/3n4/8/8/3RK3 w - - 0 1", "1.Rxd4 Bb4+ 2.Kf1 Rxd4", &[0]),
    ("zwischenzug", "3rkb2/8/8/8/3n4/8/8/3RK3 w - - 0 1", "1.Rxd4 Rxd4", &[]),
    (
        "windmill",
        "r5k1/pb6/5B2/8/8/8/6R1/6K1 w - - 0 1",
        "1.Rg7+ Kh8 2.Rxb7+ Kg8 3.Rg7+ Kh8 4.Rxa7+ Kg8",
        &[0],
    ),
    ("windmill", "r5k1/pb6/5B2/8/8/8/6R1/6K1 w - - 0 1", "1.Rg7+ Kh8 2.Rxb7+ Kg8", &[]),
    ("desperado", "3qk3/8/8/8/3Q3p/8/8/4K3 w - - 0 1", "1.Qxh4 Qxh4+", &[0]),
    ("desperado", "3qk3/8/8/8/3Q3p/8/8/4K3 w - - 0 1", "1.Qxd8+", &[]),
    ("sacrifice", "4k3/2b5/8/2R5/8/8/8/4K3 w - - 0 1", "1.Re5+ Bxe5 2.Kd1 Kd7 3.Kc1 Kc7", &[0]),
    ("sacrifice", "4k3/2b5/8/2R5/8/8/8/4K3 w - - 0 1", "1.Re5+ Kd7 2.Kd1 Kd6 3.Kc1 Kc6", &[]),
    (
        "greekgift",
        "r1bq1rk1/ppp2ppp/8/8/8/3B1N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
        "1.Bxh7+ Kxh7 2.Ng5+",
        &[0],
    ),
    (
        "greekgift",
        "r1bq1rk1/ppp2ppp/8/8/8/3B1N2/PPP2PPP/R1BQ1RK1 w - - 0 1",
        "1.Bxh7+ Kh8 2.Ng5",
        &[],
    ),
    ("backrank", "6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "1.Rd8#", &[1]),
    ("backrank", "6k1/5pp1/8/8/8/8/8/K2R4 w - - 0 1", "1.Rd8+", &[]),
    ("smothered", "6rk/6pp/7N/8/8/8/8/K7 w - - 0 1", "1.Nf7#", &[1]),
    ("smothered", "7k/6pp/7N/8/8/8/8/K7 w - - 0 1", "1.Nf7+", &[]),
    ("anastasia", "5r2/4Nppk/8/8/8/3R4/8/K7 w - - 0 1", "1.Rh3#", &[1]),
    ("anastasia", "5r2/5ppk/8/8/8/3R4/8/K7 w - - 0 1", "1.Rh3+", &[]),
    ("arabian", "7k/R7/5N2/8/8/8/8/K7 w - - 0 1", "1.Rh7#", &[1]),
    ("arabian", "7k/R7/8/6N1/8/8/8/K7 w - - 0 1", "1.Rh7+", &[]),
    ("boden", "2kr4/3p4/8/8/5B2/8/8/K4B2 w - - 0 1", "1.Ba6#", &[1]),
    ("boden", "2kr4/8/8/8/5B2/8/8/K4B2 w - - 0 1", "1.Ba6+", &[]),
    ("hook", "7k/R7/5N2/4P3/8/8/8/K7 w - - 0 1", "1.Rh7#", &[1]),
    ("hook", "7k/R7/5N2/8/8/8/8/K7 w - - 0 1", "1.Rh7#", &[]),
    ("epaulette", "3rkr2/8/8/8/8/8/4Q3/K7 w - - 0 1", "1.Qe6#", &[1]),
    ("epaulette", "4kr2/8/8/8/8/8/4Q3/K7 w - - 0 1", "1.Qe6+", &[]),
    ("passedpawn", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "", &[0]),
    ("passedpawn", "4k3/4p3/8/3P4/8/8/8/4K3 w - - 0 1", "", &[]),
    ("advancedpawn", "4k3/8/3P4/8/8/8/8/4K3 w - - 0 1", "", &[0]),
    ("advancedpawn", "4k3/8/8/3P4/8/8/8/4K3 w - - 0 1", "", &[]),
];

/// Returns the position with colors exchanged and the board upside down, as a FEN.
fn mirrored(fen: &str, moves: &str) -> Option<String> {
    // moves cannot be mirrored as easily
    if !moves.is_empty() {
        return None;
    }
    let position = board::parse_fen(fen.as_bytes()).ok()?.flip_colors();
    Some(game_from(&position.fen(), ""))
}

#[test]
fn themes_hold_where_they_should() {
    let mut wrong = Vec::new();
    for (theme, fen, moves, want) in CASES {
        let query = format!("import \"themes\" {theme}()");
        let found = ids(&query, &game_from(fen, moves));
        if found != *want {
            wrong.push(format!("{theme} at {fen} {moves}: {found:?}, not {want:?}"));
        }
        if let Some(mirrored) = mirrored(fen, moves) {
            assert_eq!(ids(&query, &mirrored), *want, "{theme} at {mirrored}");
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn every_theme_has_a_position_for_it_and_one_against_it() {
    let library = Library::named(b"themes").expect("the library");
    for (theme, _) in library.functions() {
        let of_theme = || CASES.iter().filter(|case| case.0 == theme);
        assert!(of_theme().any(|case| !case.3.is_empty()), "{theme}");
        assert!(of_theme().any(|case| case.3.is_empty()), "{theme}");
    }
    let known: BTreeSet<&str> = library.functions().map(|(theme, _)| theme).collect();
    let named: BTreeSet<&str> = CASES.iter().map(|case| case.0).collect();
    assert_eq!(named, known);
}

#[test]
fn all_themes_can_be_asked_together() {
    let library = Library::named(b"themes").expect("the library");
    let calls: Vec<String> = (library.functions()).map(|(theme, _)| format!("{theme}()")).collect();
    let query = format!("import \"themes\" {}", calls.join(" or "));
    let pgn = game_from("6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1", "1.Rd8#");
    assert_eq!(ids(&query, &pgn), [0, 1]);
}

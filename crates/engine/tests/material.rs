//! Tests `material`.

mod support;

use support::{game_from, holds_at, ids, is_refused};

/// Compares whether a condition holds with these pieces on the board.
fn check(query: &str, fen: &str, want: bool) {
    for fen in [fen.to_owned(), fen.replace(" w ", " b ")] {
        holds_at(&fen, query, want);
    }
}

/// A rook and a pawn against a rook.
const LUCENA: &str = "3K4/3P1k2/8/8/8/8/2r5/4R3 w - - 0 1";

#[test]
fn exactly_these_men_are_on_the_board() {
    check("material \"KRPKR\"", LUCENA, true);
    check("material \"KRPvKR\"", LUCENA, true);
    check("material \"KPRKR\"", LUCENA, true);
    for other in ["KRKR", "KRPPKR", "KRPKRP", "KRKRP", "KQPKR", "KRPKQ", "KRPKRN", "KRPK", "KK"] {
        check(&format!("material \"{other}\""), LUCENA, false);
    }
    check("material \"KK\"", "8/8/3k4/8/8/3K4/8/8 w - - 0 1", true);
    check("material \"KBNK\"", "8/8/3k4/8/8/3KBN2/8/8 w - - 0 1", true);
}

#[test]
fn transforms_exchange_the_sides() {
    check("material \"KRKRP\"", LUCENA, false);
    check("flipcolor {material \"KRKRP\"}", LUCENA, true);
    check("flipvertical {material \"KRPKR\"}", LUCENA, true);
    check("not material \"KRKRP\"", LUCENA, true);
}

#[test]
fn pieces_of_either_side() {
    let queen = "3k4/2rr4/8/8/8/8/4PPP1/3QK3 w - - 0 1";
    check("material \"Q:RR\"", queen, true);
    check("material \"RR:Q\"", queen, true);
    check("material \"Q:R\" or material \"Q:RRN\" or material \"QR:RR\"", queen, false);
    check("material \"R:R\"", LUCENA, true);
    check("material \"R:\" or material \":R\"", LUCENA, false);
    check("material \"R:\"", "8/8/3k4/8/8/3K4/8/7R w - - 0 1", true);
    check("material \":R\"", "8/8/3k4/8/8/3K4/p7/7r w - - 0 1", true);
}

#[test]
fn it_is_found_in_the_game_and_gives_way_to_names() {
    let pgn = game_from(LUCENA, "1.Re4 Rc1 2.Rc4 Rxc4");
    assert_eq!(ids("material \"KRPKR\"", &pgn), [0, 1, 2, 3]);
    assert_eq!(ids("material \"KPKR\"", &pgn), [4]);
    assert_eq!(ids("material = 3 material == 3 initial", &pgn), [0]);
    for query in
        ["material", "material KRPKR", "material \"KRXKR\"", "material \"R\"", "material 3"]
    {
        assert!(is_refused(query), "{query}");
    }
}

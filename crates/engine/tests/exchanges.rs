//! Tests `see`, `hanging`, `defended`, `quiescent` and `forced`.

mod support;

use support::{game_from, holds_at, ids, is_refused, program};

/// A rook on d5, taken by a rook and guarded by a pawn.
const GUARDED: &str = "4k3/8/4p3/3r4/8/8/8/3RK3 w - - 0 1";

/// This rook without its guard.
const FREE: &str = "4k3/8/8/3r4/8/8/8/3RK3 w - - 0 1";

fn check(query: &str, fen: &str, want: bool) {
    for fen in [fen.to_owned(), fen.replace(" w ", " b ")] {
        holds_at(&fen, query, want);
    }
}

#[test]
fn the_enemies_of_a_man_take_it_whoever_is_to_move() {
    check("see d5==0 see r==0 see[Aa]==0 defended r==d5 not hanging a", GUARDED, true);
    check("see d5==5 see a==5 see .==5 hanging .==d5 defended .==d1", FREE, true);
    check("see e4==0 see k==0 see[]==0 not hanging k", GUARDED, true);
    check("flipcolor {hanging R}", FREE, true);
    // `see` always has a value, so as a condition it says nothing.
    check("see e4", GUARDED, true);
}

#[test]
fn positions_with_one_move_or_without_gains() {
    check("quiescent", GUARDED, true);
    // White wins the rook, but if it is Black's turn, his rook cannot take the guarded one.
    holds_at(FREE, "quiescent", false);
    holds_at(&FREE.replace(" w ", " b "), "quiescent", true);
    holds_at("k7/8/1K6/8/8/8/8/2R5 b - - 0 1", "forced", true);
    // Only a promotion, which is four moves.
    holds_at("8/P7/3b4/8/8/8/5k1p/7K w - - 0 1", "forced", false);
}

#[test]
fn a_query_may_use_the_words_as_names() {
    check("see=1 forced=2 see+forced==3", GUARDED, true);
    // Only parentheses make a call, so a function does not hide the word.
    check("function hanging() {see r>=5} not hanging() not hanging r", GUARDED, true);
}

#[test]
fn an_operand_of_another_type_is_an_error() {
    for query in ["see", "see 3", "hanging \"q\"", "defended check", "quiescent>1"] {
        assert!(is_refused(query), "{query}");
    }
}

#[test]
fn other_rules_have_other_exchanges() {
    let atomic = format!("[Variant \"Atomic\"]\n{}", game_from(FREE, ""));
    for query in ["see r==5", "hanging r", "defended r", "quiescent"] {
        let program = program("", query);
        let mut found = engine::search(&program, atomic.as_bytes());
        let fault = found.next().and_then(Result::err).map(|fault| fault.message);
        assert!(fault.is_some_and(|message| message.contains("no meaning")), "{query}");
    }
    assert_eq!(ids("not forced", &atomic), [0]);
}

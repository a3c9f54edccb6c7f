//! "Contextual castling" of the CQL 6.2 manual, statement by statement.
//!
//! If the text and the reference implementation differ, the result of the reference is asserted,
//! and a comment names the difference.

use crate::support::{comment, game, game_from, ids, is_refused};

/// White castles short with the move that leads to position 7.
fn castling() -> String {
    game("1.e4 e5 2.Nf3 Nc6 3.Bc4 Bc5 4.O-O Nf6")
}

/// White castles short with check.
fn castling_with_check() -> String {
    game_from("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "1.O-O+ Ke7")
}

#[test]
fn from_and_to_have_both_squares() {
    // "if the current move is white kingside castling, then from will have value of [e1,g1]":
    // a slip in the text, whose own line of code says [e1,h1]
    assert_eq!(ids("from==[e1,h1] to==[f1,g1]", &castling()), [7]);
    assert!(ids("from==[e1,g1]", &castling()).is_empty());
}

#[test]
fn a_dash_can_be_followed_by_a_target_filter() {
    // "to match a position from which White has a rook move that gives check, one can use
    // ♖――(check)"
    assert_eq!(ids("♖――(check)", &castling_with_check()), [0]);
    assert!(ids("♖――(check)", &castling()).is_empty());
}

#[test]
fn from_and_to_in_a_target_are_in_the_scope_of_the_dash() {
    // "each from or to below is in the scope of the containing ―― filter": without operands both
    // pieces are meant, so neither filter matches a castling move
    assert!(ids("――(from==h1)", &castling()).is_empty());
    assert!(ids("――(from==h1 to==f1)", &castling()).is_empty());
    assert_eq!(ids("――(from==[e1,h1])", &castling()), [6]);
    assert_eq!(ids("h1――(from==h1)", &castling()), [6]);
}

#[test]
fn a_filter_that_changes_the_position_ends_the_scope() {
    // "――(initialposition:from)": no move led to the initial position
    assert!(ids("――(initialposition:from)", &castling()).is_empty());
    assert_eq!(ids("h1――(currentposition:from==[e1,h1])", &castling()), [6]);
}

#[test]
fn the_scope_of_a_constituent_reaches_to_the_next_dash() {
    // "⊢ ―― ♕≥2 from==a1 check to==c1"
    let pgn = game_from("6k1/8/8/8/8/8/1Q6/Q3K3 w - - 0 1", "1.Qac1 Kf7");
    assert!(ids("⊢ ―― ♕≥2 from==a1 check to==c1", &pgn).is_empty());
    assert_eq!(ids("⊢ ―― ♕≥2 from==a1 to==c1", &pgn), [0]);
}

#[test]
fn operands_restrict_the_moves() {
    // "―― // any move  ♖―― // any ♖ move  ♖――a2 // any ♖ move to a2"
    let pgn = game("1.a4 h6 2.Ra2 h5 3.Ra1 h4");
    assert_eq!(ids("――", &pgn), [0, 1, 2, 3, 4, 5]);
    assert_eq!(ids("♖――", &pgn), [2, 4]);
    assert_eq!(ids("♖――a2", &pgn), [2]);
}

#[test]
fn from_respects_the_operands_of_its_dash() {
    // "x= ――(from) //x==[h1,e1]   x= h1――(from) //x==h1 …"
    for (dash, want) in [
        ("――(from)", "[e1,h1]"),
        ("h1――(from)", "h1"),
        ("♖――(from)", "h1"),
        ("――f1(from)", "h1"),
        ("♖――f1(from)", "h1"),
        ("♔――(from)", "e1"),
    ] {
        let body = format!("currentposition==position 6 x={dash} comment(x)");
        assert_eq!(comment(&body, &castling()).as_deref(), Some(want), "{dash}");
    }
    // "x= ♔―― // x==e1" has no target and so no value
    assert!(is_refused("x=♔――"));
}

#[test]
fn from_respects_the_operands_in_a_path() {
    // "⊢ ♖―― check x=from //x=h1  ♔―― x=from //x=e1"
    let body = "⊢ quiet ♖―― check x=from\n\n comment(x)";
    assert_eq!(comment(body, &castling_with_check()).as_deref(), Some("h1"));
    let body = "⊢ quiet ♔―― x=from\n\n comment(x)";
    assert_eq!(comment(body, &castling_with_check()).as_deref(), Some("e1"));
}

#[test]
fn from_respects_the_focus_of_its_path() {
    // "⊢◎♖ ―― x=from //x=h1"
    let body = "⊢ quiet ◎♖ ―― x=from\n\n comment(x)";
    assert_eq!(comment(body, &castling_with_check()).as_deref(), Some("h1"));
}

#[test]
fn to_respects_the_operands_likewise() {
    // "⊢ ♖―― x=to // x=f1"
    let body = "⊢ quiet ♖―― x=to\n\n comment(x)";
    assert_eq!(comment(body, &castling_with_check()).as_deref(), Some("f1"));
}

#[test]
fn castling_counts_as_a_rook_move() {
    // "to find positions where a white rook gives at least 4 checks, use ⊢◎♖ ―― check {4,}"
    let pgn =
        game_from("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "1.O-O+ Ke7 2.Re1+ Kd7 3.Rd1+ Kc7 4.Rc1+ Kb7");
    assert_eq!(ids("⊢◎♖ ―― check {4,}", &pgn), [0]);
    assert!(ids("⊢◎♖ ―― check {5,}", &pgn).is_empty());
}

//! Conditions of a single position.

use super::*;

#[test]
fn designators_name_men_and_squares() {
    const FEN: &str = "r3k3/1p6/8/3n4/8/B7/6Q1/4K2R w";
    for (items, want) in [
        ("Ke1", true),
        ("Ke2", false),
        ("K?1 k?8 re? ", false),
        ("K?1 ka? ", false),
        ("A[h1,h8] a[a8,b1]", true),
        ("Mh1 mg2", false),
        ("Mg2 ma8 Ia3 id5", true),
        ("Ug2 Ub7 .a1 ?a1 ?a8", true),
        ("Ub8", false),
        ("[QR]h1 [nb]d5", true),
        ("K[]", false),
        ("[]e1", false),
        ("Q[a-h1-3] Q[f-h?]", true),
        ("Q[a-f1-3]", false),
    ] {
        assert_eq!(holds(items, FEN), want, "{items}");
    }
}

#[test]
fn states_of_the_game() {
    let pgn = scholars_mate();
    for (items, want) in [
        (":mate", vec![7]),
        (":check", vec![7]),
        (":nocheck :btm", vec![1, 3, 5]),
        (":initial", vec![0]),
        (":terminal", vec![7]),
        (":movenumber 2", vec![2, 3]),
        (":movenumber 1 2 :wtm", vec![0, 2]),
        (":wtm :not", vec![1, 3, 5, 7]),
    ] {
        assert_eq!(ids(items, &pgn), want, "{items}");
    }
    assert!(holds(":stalemate", "7k/5Q2/6K1/8/8/8/8/8 b"));
}

#[test]
fn ratings_that_are_missing_are_zero() {
    let pgn = "[White \"A\"]\n[WhiteElo \"2700\"]\n\n1.e4 *\n";
    for (items, want) in [
        (":whiteelo 2600 2800", true),
        (":blackelo 2600 2800", false),
        (":blackelo 0", true),
        (":blackelo 0 2800", true),
        (":elo 2600 2800", true),
        (":elo 0", true),
        (":elo 1 100", false),
        (":whiteelo 0 100 :flipcolor", true),
        (":blackelo 2700 :flipcolor", true),
    ] {
        assert_eq!(!ids(items, pgn).is_empty(), want, "{items}");
    }
}

#[test]
fn results_are_exchanged_by_flipcolor() {
    let pgn = "[White \"A\"]\n[Result \"0-1\"]\n\n1.e4 0-1\n";
    assert_eq!(ids(":initial :result 0-1", pgn), [0]);
    assert_eq!(ids(":initial :result 1-0", pgn), []);
    assert_eq!(ids(":initial :result 1-0 :flipcolor", pgn), [0]);
}

#[test]
fn moves_are_described_by_what_was_there_before() {
    let pgn = game("1.e4 d5 2.exd5 Qxd5 3.Nc3 Qd8 4.d4 c5 5.d5 e5 6.dxe6");
    for (items, want) in [
        (":movefrom P", vec![0, 2, 6, 8, 10]),
        (":movefrom Pe4", vec![2]),
        (":moveto p", vec![2]),
        (":moveto P", vec![3]),
        (":moveto .d5", vec![1, 8]),
        (":moveto ?d5", vec![1, 2, 3, 8]),
        (":movefrom P :moveto .", vec![0, 6, 8, 10]),
        (":movefrom N :moveto p", vec![]),
        (":enpassant", vec![10]),
        (":enpassant :movefrom p", vec![]),
        (":noenpassant :movefrom P", vec![0, 2, 6, 8]),
        (":noenpassant :wtm", vec![0, 2, 4, 6, 8]),
        // under flipcolor the pawn of the other side moves
        (":movefrom Pe2 :flipcolor", vec![0, 9]),
    ] {
        assert_eq!(ids(items, &pgn), want, "{items}");
    }
}

#[test]
fn promotions() {
    let pgn = game_from("7k/P7/8/8/8/8/8/4K3 w", "1.a8=N Kg7");
    for (items, want) in [
        (":promote N", true),
        // the color is that of the pawn, as in CQL 6
        (":promote n", true),
        (":promote Na8", true),
        (":promote [QR]", false),
        (":promote Nb8", false),
        (":promote U :movefrom P", true),
        (":promote I", true),
        (":promote Nh1 :flip", true),
        (":promote .", false),
    ] {
        assert_eq!(ids(items, &pgn) == [0], want, "{items}");
    }
}

#[test]
fn counts() {
    const FEN: &str = "4k3/8/8/3p4/8/Q7/8/R3R2K w";
    for (items, want) in [
        (":piececount R 2", true),
        (":piececount U 3 5", false),
        (":piececount U 0 6", true),
        (":piececount n 0", true),
        (":piececount .[a1-8] 6", true),
        (":piececount ? 64", true),
        // the rooks see each other, the queen sees a rook
        (":attackcount A R 3", true),
        (":attackcount R k 1", true),
        (":attackcount p . 2", true),
        (":attackcount r k 0", true),
        (":power A 19", true),
        (":power U 20 unlimited", true),
        (":power K 0", true),
        (":powerdifference U 18", true),
        (":powerdifference [Rp] 9", true),
        (":powerdifference U -18", false),
        (":powerdifference U -18 :flipcolor", true),
        (":powerdifference p -1", true),
        (":powerdifference P 1 :flipcolor", true),
    ] {
        assert_eq!(holds(items, FEN), want, "{items}");
    }
}

#[test]
fn rays_meet_their_men_in_order() {
    const FEN: &str = "4k3/8/8/4p3/8/b3R3/8/2B1R2K w";
    for (items, want) in [
        (":ray (R p k)", true),
        (":ray (R k)", false),
        (":ray (R . p)", true),
        (":ray (R R p k)", true),
        (":rayvertical (R p k)", true),
        (":rayhorizontal (R p k)", false),
        (":rayorthogonal (R p k)", true),
        (":raydiagonal (B b)", true),
        (":raydiagonal (B . b)", true),
        (":raydiagonal (B k)", false),
        (":rayattack (R p)", true),
        (":rayattack (k p)", false),
        // from e3 along the rank to a3, from e1 along the rank to c1 and h1; from e3 to c1
        (":rayorthogonal (R [bBK]) 3", true),
        (":rayorthogonal (R [bBK]) 4 9", false),
        (":ray (R [bBK]) 4", true),
        (":ray (R q) 0", true),
        // the direction turns with the board
        (":rayhorizontal (R p k) :flip", true),
        (":rayhorizontal (R p k) :fliphorizontal", false),
    ] {
        assert_eq!(holds(items, FEN), want, "{items}");
    }
}

#[test]
fn lists_within_lists() {
    let pgn = scholars_mate();
    for (items, want) in [
        (":and ((position :wtm) (position :movenumber 2))", vec![2]),
        (":or ((position :mate) (position :initial))", vec![0, 7]),
        (":or ((position :mate) (position :initial)) :not :btm", vec![0, 1, 2, 3, 4, 5, 6]),
        (":wtm :and ((position :initial :not) (position :movenumber 1 2))", vec![2]),
        (":or ((position Qh5 :and ((position :wtm))) (position Qf7))", vec![6, 7]),
    ] {
        assert_eq!(ids(items, &pgn), want, "{items}");
    }
}

//! "Square variables" of the CQL 5 manual, statement by statement.

use crate::cql5::{game_from, ids, refused, squares};

/// The manual's diagram: the h file has qh3, nh6, Nh4 and Bh7, among other pieces. Rooks on a3 and
/// a7 attack h3 and h7; qh3, nh6 and Bh7 … attack the white king's square.
const DIAGRAM: &str = "k7/R6B/8/5K2/7N/R6q/8/8 w - - 0 1";

#[test]
fn the_example() {
    // "square $x in h1-8 attack (R $x) attack ($x K): the set of squares on the h file that are
    // both attacked by a white rook and contain a piece that attacks the square occupied by the
    // white King"
    let pgn = game_from(DIAGRAM, "");
    assert_eq!(squares("square $x in h1-8 attack (R $x) attack ($x K)", &pgn), "[h3,h7]");
    // "The result is that filter matches when $x is either h3 or h7"
    for (square, want) in [("h3", true), ("h4", false), ("h5", false), ("h7", true)] {
        let body = format!("square $x in {square} attack (R $x) attack ($x K)");
        assert_eq!(!ids(&body, &pgn).is_empty(), want, "{square}");
    }
    // "Nh4 attacks the white king's square but is NOT attacked by the white rook - no match"
    assert_eq!(squares("square $x in h4 attack ($x K)", &pgn), "h4");
    assert_eq!(squares("square $x in h4 attack (R $x)", &pgn), "[]");
}

#[test]
fn a_knight_that_no_rook_attacks() {
    // "nh6 attacks the white king's square but is NOT attacked by the white rook - no match"
    let pgn = game_from("k7/8/7n/5K2/8/R7/8/8 w - - 0 1", "");
    assert_eq!(squares("square $x in h1-8 attack ($x K)", &pgn), "h6");
    assert_eq!(squares("square $x in h1-8 attack (R $x)", &pgn), "h3");
    assert!(ids("square $x in h1-8 attack (R $x) attack ($x K)", &pgn).is_empty());
}

#[test]
fn names_begin_with_a_dollar() {
    // "The name of the variable must begin with '$'"
    assert!(refused("square x in h1-8 check"));
    assert!(refused("square in h1-8 check"));
    let pgn = game_from(DIAGRAM, "");
    assert_eq!(squares("square $forkingSquare2 in h3 q$forkingSquare2", &pgn), "h3");
}

#[test]
fn the_variable_is_introduced_by_square() {
    // "A square variable is introduced using the square filter"; "$x is used to refer to a square
    // within the body of the square filter"
    assert!(refused("attack (R $x)"));
    assert!(refused("{square $x in h1-8 R$x} attack (R $x)"));
}

#[test]
fn a_square_is_in_the_set_if_every_filter_of_the_body_is_true() {
    // "A square s is in S if, when the variable is replaced by the square s in each of the forms
    // filter_1, filter_2..., then each of those filters are true"
    let pgn = game_from(DIAGRAM, "");
    for (body, want) in [
        ("square $x in h1-8 A on $x", "[h4,h7]"),
        ("square $x in h1-8 A on $x N on $x", "h4"),
        ("square $x in h1-8 A on $x wtm", "[h4,h7]"),
        ("square $x in h1-8 A on $x btm", "[]"),
        ("square $x in R or q a-h1-8$x", "[a3,h3,a7]"),
        ("square $x in attack (K .) _ on $x attack (q $x)", "g4"),
    ] {
        assert_eq!(squares(body, &pgn), want, "{body}");
    }
}

#[test]
fn the_second_filter_can_be_missing() {
    // "As usual, by 'filter_1 filter_2...' we just mean one or more filters"
    let pgn = game_from(DIAGRAM, "");
    assert_eq!(squares("square $x in [RB] A on $x", &pgn), "[a3,a7,h7]");
    assert!(refused("square $x in [RB]"));
}

#[test]
fn attacks_on_empty_squares_and_by_them() {
    // "attack(R h5) is true … the first clause could be true if h5 was an empty square, but the
    // second clause can only be true if h5 has any piece of any color except a king"
    let empty = game_from("k7/8/8/R7/8/8/8/5K2 w - - 0 1", "");
    assert_eq!(ids("attack (R h5)", &empty), [0]);
    assert!(ids("attack (h5 K)", &empty).is_empty());
    for (fen, want) in [
        ("k7/8/8/7r/8/8/8/7K w - - 0 1", true),
        ("k7/8/8/7R/8/8/8/7K w - - 0 1", true),
        ("k7/8/8/7q/8/8/4K3/8 w - - 0 1", true),
        ("k7/8/8/7n/8/6K1/8/8 w - - 0 1", true),
        ("k7/8/8/7N/8/6K1/8/8 w - - 0 1", true),
        ("k7/8/8/7p/6K1/8/8/8 w - - 0 1", true),
        ("k7/8/8/7b/6K1/8/8/8 w - - 0 1", true),
        ("k7/8/8/7p/7K/8/8/8 w - - 0 1", false),
    ] {
        let got = !ids("attack (h5 K)", &game_from(fen, "")).is_empty();
        assert_eq!(got, want, "{fen}");
    }
}

#[test]
fn counted_by_countsquares() {
    // "countsquares 0 square $x in A attack ($x k) means that the black King is not in check"
    let body = "countsquares 0 square $x in A attack ($x k)";
    assert_eq!(ids(body, &game_from("k7/8/8/8/8/8/8/1R5K b - - 0 1", "")), [0]);
    assert!(ids(body, &game_from("k7/8/8/8/8/8/8/R6K b - - 0 1", "")).is_empty());
}

#[test]
fn the_long_and_the_short_way_of_counting_rooks() {
    // "countsquares 2 3 square $x in h1-8 R on $x … can be more simply written as
    // countsquares 2 3 Rh1-8"
    for (rooks, want) in [(0, false), (1, false), (2, true), (3, true), (4, false)] {
        let file: Vec<&str> = (0..6).map(|i| if i < rooks { "7R" } else { "8" }).collect();
        let fen = format!("k7/{}/K7 w - - 0 1", file.join("/"));
        let pgn = game_from(&fen, "");
        for body in [
            "countsquares 2 3 square $x in h1-8 R on $x",
            "countsquares 2 3 Rh1-8",
            "square 2 3 $x in h1-8 R on $x",
        ] {
            assert_eq!(!ids(body, &pgn).is_empty(), want, "{body} {fen}");
        }
    }
}

#[test]
fn a_range_behind_the_word_square() {
    // "square 2 5 $x in h1-8 attack (R $x) attack ($x K) matches the current position only if
    // there are between 2 and 5 squares on the h file … This is equivalent to: countsquares 2 5
    // square $x in h1-8 attack (R $x) attack ($x K)"
    let pgn = game_from(DIAGRAM, "");
    for (range, want) in [("2 5", true), ("0 1", false), ("2", true), ("3 5", false)] {
        let rest = "$x in h1-8 attack (R $x) attack ($x K)";
        for body in
            [format!("square {range} {rest}"), format!("countsquares {range} square {rest}")]
        {
            assert_eq!(!ids(&body, &pgn).is_empty(), want, "{body}");
        }
    }
    // the filter is a condition now, no longer a set
    assert!(refused("countsquares 1 square 2 5 $x in h1-8 R$x"));
}

/// Mate on the back rank: the rook covers the only empty square of the king's field, g8.
const MATE: &str = "R6k/6pp/8/8/8/8/8/K7 b - - 0 1";

#[test]
fn all_squares() {
    // "square all $x in attack (k _) attack (A $x) means that each empty square in the black
    // king's field is attacked by a white piece"
    let body = "mate square all $x in attack (k _) attack (A $x)";
    assert_eq!(ids(body, &game_from(MATE, "")), [0]);
    // from d1 the rook does not cover g8
    let free = "7k/6pp/8/8/8/8/8/K2R4 b - - 0 1";
    let body = "square all $x in attack (k _) attack (A $x)";
    assert!(ids(body, &game_from(free, "")).is_empty());
    // "equivalent to the number of elements in the set following the word in": none of none
    assert_eq!(ids("square all $x in Q btm wtm", &game_from(MATE, "")), [0]);
    assert!(ids("square all $x in R btm wtm", &game_from(MATE, "")).is_empty());
}

#[test]
fn pure_mates() {
    // "To find pure mates, where each such square is attacked only once, we would use:
    // square all $x in attack (k _) attack 1 (A $x)"
    let body = "mate square all $x in attack (k _) attack 1 (A $x)";
    assert_eq!(ids(body, &game_from(MATE, "")), [0]);
    let twice = "R6k/6pp/8/8/2B5/8/8/K7 b - - 0 1";
    assert_eq!(ids("mate", &game_from(twice, "")), [0]);
    assert!(ids(body, &game_from(twice, "")).is_empty());
    assert_eq!(squares("attack (k _)", &game_from(twice, "")), "g8");
    for (n, want) in [(1, "[]"), (2, "g8"), (3, "[]")] {
        let counted = format!("square $x in attack (k _) attack {n} (A $x)");
        assert_eq!(squares(&counted, &game_from(twice, "")), want, "{n}");
    }
    // a smothered mate: the field has no empty square
    let smothered = "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1";
    assert_eq!(ids(body, &game_from(smothered, "")), [0]);
}

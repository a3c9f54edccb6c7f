//! "relation square parameters" of the CQL 5 manual, statement by statement.

use crate::cql5::{game, game_from, ids, ids_with_variations, is_translated, refused};

/// Positions: 0 the start, 1–8 after each move.
fn shuffle() -> String {
    game("1.Nf3 Nf6 2.Ng1 Ng8 3.e4 e5 4.Ke2 Ke7")
}

/// Whether the parameter holds between the start and the end of 1.e4 e5 2.d4 d5.
fn pawns(parameter: &str) -> bool {
    let pgn = game("1.e4 e5 2.d4 d5");
    !ids(&format!("initial relation terminal {parameter}"), &pgn).is_empty()
}

#[test]
fn every_other_position_becomes_the_target() {
    // "When a relation filter is evaluated at a particular position, that position is called the
    // source or source position. Every other position in the game successively becomes the target"
    let pgn = shuffle();
    assert_eq!(ids("initial relation terminal (match 0 64)", &pgn), [0]);
    assert_eq!(ids("terminal relation initial (match 0 64)", &pgn), [8]);
    assert!(ids("initial relation initial (match 0 64)", &pgn).is_empty());
    // the same board twice: the source does not count, its repetition does
    assert_eq!(ids("relation (mismatch 0)", &pgn), [0, 4]);
}

#[test]
fn each_parameter_must_match() {
    // "For the relation filter to match at a target, each of its relation parameters must also
    // match that target"
    let pgn = shuffle();
    assert_eq!(ids("relation (mismatch 0) (tomove match)", &pgn), [0, 4]);
    assert!(ids("relation (mismatch 0) (tomove mismatch)", &pgn).is_empty());
    // one parameter holds for one target, the other for another target: that is not enough
    assert!(ids("initial relation (mismatch 0) (match 62)", &pgn).is_empty());
    assert_eq!(ids("initial relation (match 62)", &pgn), [0]);
}

#[test]
fn parts_are_optional_and_have_defaults() {
    // "If sourcesquares set1 is missing, it is taken to be sourcesquares any", and so on for
    // targetsquares any, match 0 64, mismatch 0 64
    for (parameter, default_parts) in [
        ("mismatch 8", "sourcesquares any targetsquares any match 0 64"),
        ("match 56", "sourcesquares any targetsquares any mismatch 0 64"),
        ("sourcesquares P mismatch 2", "targetsquares any match 0 64"),
        ("targetsquares [pP] match 12", "sourcesquares any mismatch 0 64"),
        ("sourcesquares P match 6", "targetsquares any mismatch 0 64"),
    ] {
        let (number, rest) = parameter
            .rsplit_once(' ')
            .map(|(rest, number)| (number.parse::<i32>().expect("a number"), rest))
            .expect("a blank");
        for (n, want) in [(number, true), (number - 1, false), (number + 1, false)] {
            assert_eq!(pawns(&format!("({rest} {n})")), want, "{parameter}");
            let full = format!("({rest} {n} {default_parts})");
            assert_eq!(pawns(&full), want, "{full}");
        }
    }
    // sets alone accept everything
    assert!(pawns("(sourcesquares N)") && pawns("(targetsquares N)"));
}

#[test]
fn parts_come_in_any_order() {
    let parts = ["sourcesquares P", "targetsquares _", "match 0", "mismatch 2"];
    for shift in 0..4 {
        let mut parts = parts;
        parts.rotate_left(shift);
        assert!(pawns(&format!("({})", parts.join(" "))), "{parts:?}");
        parts.swap(1, 2);
        assert!(pawns(&format!("({})", parts.join(" "))), "{parts:?}");
    }
}

#[test]
fn source_squares_are_evaluated_at_the_source() {
    // "Evaluate the sourcesquares set filter set1 at the source position … the current position
    // is actually equal to target when the square parameter is assessed"
    let pgn = game("1.e4 e5 2.d4 d5");
    // at the source the pawn is on e2, at the end it is not
    let query = |set: &str| format!("initial relation terminal (sourcesquares {set} mismatch 1)");
    assert_eq!(ids(&query("Pe2"), &pgn), [0]);
    assert!(ids(&query("Pe4"), &pgn).is_empty());
    let query = |set: &str| format!("initial relation terminal (targetsquares {set} mismatch 1)");
    assert_eq!(ids(&query("Pe4"), &pgn), [0]);
    assert!(ids(&query("Pe2"), &pgn).is_empty());
}

#[test]
fn the_intersection_is_compared() {
    // "Take the intersection of the sourcesquares square set and the targetsquares square set to
    // get a new set of squares called the comparison set"
    // P at the source: rank 2; not occupied at the target: d2 and e2 of them
    assert!(pawns("(sourcesquares P targetsquares _ mismatch 2)"));
    assert!(pawns("(sourcesquares P targetsquares P match 6 mismatch 0)"));
    // an empty comparison set has no matches and no mismatches
    assert!(pawns("(sourcesquares P targetsquares k match 0 mismatch 0)"));
    assert!(!pawns("(sourcesquares P targetsquares k match 1 64)"));
}

#[test]
fn contents_are_compared() {
    // "If the contents are equal, then they match. Otherwise, they mismatch"
    let pgn = game("1.e4 d5 2.exd5 Qxd5");
    let holds =
        |parameter: &str| !ids(&format!("initial relation terminal {parameter}"), &pgn).is_empty();
    // empty in both, the same piece in both, a piece in one, different pieces
    assert!(holds("(sourcesquares e5 match 1)"));
    assert!(holds("(sourcesquares e1 match 1)"));
    assert!(holds("(sourcesquares e2 mismatch 1)"));
    assert!(holds("(sourcesquares d5 mismatch 1)"));
    assert!(holds("(sourcesquares [e5,e1,e2,d5] match 2 mismatch 2)"));
}

#[test]
fn matches_and_mismatches_add_up_to_the_comparison_set() {
    // "the sum of the number of mismatches and the number matches must equal the number of
    // squares in the comparison set"
    for mismatches in 0..=64 {
        let matches = 64 - mismatches;
        let holds = mismatches == 8;
        assert_eq!(pawns(&format!("(mismatch {mismatches})")), holds);
        assert_eq!(pawns(&format!("(match {matches})")), holds);
        assert_eq!(pawns(&format!("(match {matches} mismatch {mismatches})")), holds);
    }
}

#[test]
fn ranges_bound_both_counts() {
    // "Check that the numbers of matches lies within the match range … If the numbers of matches
    // and mismatches each lie with their corresponding ranges, the square parameter matches"
    for (parameter, want) in [
        ("(match 50 60)", true),
        ("(match 56)", true),
        ("(match 57 64)", false),
        ("(mismatch 0 8)", true),
        ("(mismatch 9 64)", false),
        ("(match 56 mismatch 8)", true),
        ("(match 56 mismatch 7)", false),
        ("(match 55 mismatch 8)", false),
    ] {
        assert_eq!(pawns(parameter), want, "{parameter}");
    }
}

#[test]
fn a_square_variable_in_a_square_parameter() {
    // "the contents of every square in the source position is exactly the same as the
    // corresponding square's contents in the target position, except for the $forkingsquare":
    // in the main line the bishop is lost on c7, in the variation he stays on d6
    let body = "mainline square $forkingsquare in a-h1-8 \
                move from N to {$forkingsquare on _} \
                relation wtm variation A on $forkingsquare \
                (sourcesquares not $forkingsquare mismatch 0)";
    let fen = "3k4/8/3B4/8/4N3/8/8/4K3 w - - 0 1";
    let pgn = game_from(fen, "1.Bc7+ (1.Kf1 Ke8 2.Ke2 Kd8) 1...Kxc7 2.Ke2 Kd8 3.Nd6");
    assert_eq!(ids_with_variations(body, &pgn), [4]);
    // another difference
    let pgn = game_from(fen, "1.Bc7+ (1.Kf1 Ke8 2.Ke2 Kd7) 1...Kxc7 2.Ke2 Kd8 3.Nd6");
    assert!(ids_with_variations(body, &pgn).is_empty());
    // the knight goes to another square
    let pgn = game_from(fen, "1.Bc7+ (1.Kf1 Ke8 2.Ke2 Kd8) 1...Kxc7 2.Ke2 Kd8 3.Nf6");
    assert!(ids_with_variations(body, &pgn).is_empty());
}

#[test]
fn the_target_filters_are_evaluated_at_the_target() {
    // "have white to move and are in a variation (the wtm variation are the two target filters";
    // "have a white piece on the square $forkingsquare"
    let pgn = game("1.e4 (1.d4 d5) 1...e5");
    assert_eq!(ids_with_variations("initial relation wtm variation (mismatch 4)", &pgn), [0]);
    assert!(ids_with_variations("initial relation btm variation (mismatch 4)", &pgn).is_empty());
    assert_eq!(
        ids_with_variations(
            "initial square $x in d4 relation variation A on $x (mismatch 2)",
            &pgn
        ),
        [0]
    );
    assert!(
        ids_with_variations(
            "initial square $x in e4 relation variation A on $x (mismatch 2)",
            &pgn
        )
        .is_empty()
    );
}

/// The pawn promotes to a queen, in the variation to a knight.
fn underpromotion() -> String {
    game_from("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=Q (1.a8=N Kg7) (1.Kb1 Kg6) 1...Kg7")
}

#[test]
fn underpromotions() {
    // "a white piece is some [RNBQ] in the mainline and is a different [RNBQ] in the variation.
    // There must be no differences in the position other than that changed White piece"
    let body = "mainline relation variation \
                (sourcesquares [RNBQ] targetsquares [RNBQ] mismatch 1) (mismatch 1)";
    assert_eq!(ids_with_variations(body, &underpromotion()), [1, 2]);
}

#[test]
fn the_default_match_range_of_the_example() {
    // "the first relation parameter is actually equivalent to … match 0 64 mismatch 1" and
    // "(mismatch 1) … is equivalent to: (sourcesquares any targetsquares any match 0 64
    // mismatch 1)"
    let body = "mainline relation variation \
                (sourcesquares [RNBQ] targetsquares [RNBQ] match 0 64 mismatch 1) \
                (sourcesquares any targetsquares any match 0 64 mismatch 1)";
    assert_eq!(ids_with_variations(body, &underpromotion()), [1, 2]);
}

#[test]
fn the_second_parameter_excludes_other_differences() {
    // "The effect of the (mismatch 1) square parameter is therefore to insure that that square
    // is the only square that has different contents"
    let first = "mainline relation variation \
                 (sourcesquares [RNBQ] targetsquares [RNBQ] mismatch 1)";
    let without = ids_with_variations(first, &underpromotion());
    let with =
        ids_with_variations(&format!("{first} (tomove mismatch) (mismatch 1)"), &underpromotion());
    assert_eq!(without, [1, 2]);
    assert!(with.is_empty());
    // the king has moved as well
    let pgn = game_from("8/P6k/8/8/8/8/8/K7 w - - 0 1", "1.a8=Q (1.a8=N Kg7) 1...Kg6");
    assert_eq!(ids_with_variations(first, &pgn), [1, 2]);
    assert_eq!(ids_with_variations(&format!("{first} (mismatch 1)"), &pgn), [1]);
}

const MOVED_PIECE: &str = "mainline relation variation (tomove match) \
                           (sourcesquares a targetsquares _ mismatch 1) \
                           (sourcesquares _ targetsquares a mismatch 1) \
                           (mismatch 2)";

#[test]
fn a_single_changed_black_piece() {
    // "This CQL file seeks a target in the variations that is the same as the source except that
    // a single black piece has changed position": Bd7 against Bb7, twice
    let pgn = game_from("2b1k3/8/8/8/8/8/R7/K7 b - - 0 1", "1...Bd7 (1...Bb7 2.Ra3) 2.Ra3 Bc8");
    assert_eq!(ids_with_variations(MOVED_PIECE, &pgn), [1, 2]);
}

#[test]
fn the_side_to_move_must_be_the_same() {
    // "This relation parameter matches if source and target have the same side to move"
    let pgn = game_from("2b1k3/8/8/8/8/8/R7/K7 b - - 0 1", "1...Bd7 (1...Bb7 2.Ra3) 2.Ra3 Bc8");
    let other = MOVED_PIECE.replace("tomove match", "tomove mismatch");
    // the start (Bc8) against Bb7
    assert_eq!(ids_with_variations(&other, &pgn), [0, 3]);
}

#[test]
fn the_old_and_the_new_square() {
    // "In our diagrams this is square c8": a at the source, empty at the target;
    // "this single mismatch corresponds to the new square": empty at the source, a at the target
    let pgn = game_from("2b1k3/8/8/8/8/8/R7/K7 b - - 0 1", "1...Bb7");
    let holds =
        |parameter: &str| !ids(&format!("initial relation terminal {parameter}"), &pgn).is_empty();
    for (parameter, want) in [
        ("(sourcesquares a targetsquares _ mismatch 1)", true),
        ("(sourcesquares a targetsquares _c8 mismatch 1)", true),
        ("(sourcesquares ac8 targetsquares _c8 mismatch 1)", true),
        ("(sourcesquares a targetsquares _b7 mismatch 1)", false),
        ("(sourcesquares _ targetsquares a mismatch 1)", true),
        ("(sourcesquares _ targetsquares ab7 mismatch 1)", true),
        ("(sourcesquares _ targetsquares ac8 mismatch 1)", false),
        ("(mismatch 2)", true),
        ("(mismatch 1)", false),
        ("(mismatch 3)", false),
    ] {
        assert_eq!(holds(parameter), want, "{parameter}");
    }
}

#[test]
fn no_other_differences() {
    // "Finally, (mismatch 2) square parameter just makes sure there are no other differences"
    let pgn = game_from("2b1k3/8/8/8/8/8/R7/K7 b - - 0 1", "1...Bd7 (1...Bb7 2.Ra4) 2.Ra3 Bc8");
    let rest = MOVED_PIECE.replace("(mismatch 2)", "");
    assert_eq!(ids_with_variations(&rest, &pgn), [0, 1, 2, 3]);
    assert_eq!(ids_with_variations(MOVED_PIECE, &pgn), [1]);
}

#[test]
fn sets_and_ranges_are_what_the_syntax_wants() {
    // "set1 and set2 are each set filters. Likewise, range1 and range2 are ranges."
    for body in [
        "relation (sourcesquares wtm)",
        "relation (targetsquares mate)",
        "relation (match R)",
        "relation (mismatch)",
        "relation ()",
        "relation mainline",
        "relation (mismatch 1",
        "relation (mismatch 2 1)",
    ] {
        assert!(refused(body), "{body}");
    }
}

#[test]
fn every_example_can_be_said_in_cql_6() {
    // the test helper compares the results of translations with those of the originals
    let fork = "square $forkingsquare in a-h1-8 relation wtm variation A on $forkingsquare \
                (sourcesquares not $forkingsquare mismatch 0)";
    let underpromotion = "mainline relation variation \
                          (sourcesquares [RNBQ] targetsquares [RNBQ] mismatch 1) (mismatch 1)";
    for body in [
        fork,
        underpromotion,
        MOVED_PIECE,
        "relation (sourcesquares any targetsquares any match 0 64 mismatch 0 64)",
    ] {
        assert!(is_translated(body), "{body}");
    }
}

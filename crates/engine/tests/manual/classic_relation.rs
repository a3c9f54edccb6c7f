//! "The :relation keyword" of the ChessQuery manual (classic CQL), statement by statement.

use engine::{CompileOptions, Source, compile, search};

/// Returns the ids of the positions of the only game of `pgn` that a position list marks.
fn ids(items: &str, pgn: &str) -> Vec<u32> {
    let text = format!("(match (position :markall {items}))");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let compiled = compile(&source, &[], &CompileOptions::default());
    let Some(program) = compiled.program else {
        panic!("{text}: {:?}", compiled.diagnostics);
    };
    let found = search(&program, pgn.as_bytes())
        .flat_map(|game| game.expect("no fault").row.positions)
        .map(|position| position.id)
        .collect();
    assert_eq!(ids_of_translation(&text, pgn), found, "{text}");
    found
}

/// Does the same as [`ids`] with the translation into CQL 6.2, which exists for every list of this
/// file.
fn ids_of_translation(text: &str, pgn: &str) -> Vec<u32> {
    let translation = match syntax::migrate::migrate(text.as_bytes(), syntax::Dialect::Classic) {
        Ok(translation) => translation,
        Err(diagnostics) => panic!("{text}: {diagnostics:?}"),
    };
    let source = Source { name: "translation.cql", text: &translation.text };
    let compiled = compile(&source, &[], &CompileOptions::default());
    let Some(program) = compiled.program else {
        panic!("{text}: {:?}", compiled.diagnostics);
    };
    search(&program, pgn.as_bytes())
        .flat_map(|game| game.expect("no fault").row.positions)
        .map(|position| position.id)
        .collect()
}

fn is_refused(items: &str) -> bool {
    let text = format!("(match (position {items}))");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    compile(&source, &[], &CompileOptions::default()).program.is_none()
}

fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"{fen} - - 0 1\"]\n\n{moves} *\n")
}

/// The rook takes the knight and goes home: position 8 is position 0 without the knight.
fn lost_knight() -> String {
    let moves = "1.Ke2 Rxa1 2.Ke3 Ra8 3.Kd2 Kd8 4.Ke1 Ke8";
    game_from("r3k3/8/8/8/8/8/8/N3K3 w", moves)
}

/// Positions 0 and 5 have the same board, with White and with Black to move.
fn triangulation() -> String {
    let moves = "1.Kd1 Kb3 2.Kd2 Ka3 3.Ke1";
    game_from("8/8/8/8/8/k7/8/4K3 w", moves)
}

/// The four pieces of the manual's example, two files further left at the end.
fn wandering_pattern() -> String {
    let moves = "1.Ng3 Bd3 2.Nh1 Bc4 3.Ng3 Nc7+ 4.Kd7 Nb5 5.Nh1 Bd8 6.Kc6 Bc7";
    game_from("8/4b3/4K3/3n4/4b3/8/8/k6N w", moves)
}

#[test]
fn a_relation_takes_a_list() {
    // "It takes one parameter, a relation specifier. A relation specifier is a list denoting
    // parameters to the relation keyword."
    assert!(is_refused(":relation"));
    assert!(is_refused(":relation :shift"));
    assert!(!is_refused(":relation ()"));
    assert!(!is_refused(":relation (:shift)"));
}

#[test]
fn men_are_missing_later() {
    // "searches for games in which two positions are the same except that the later one is
    // missing one or more white pieces"
    assert_eq!(ids(":relation (:missingpiececount A 1 100)", &lost_knight()), [0]);
    assert_eq!(ids(":relation (:missingpiececount a 1 100)", &lost_knight()), []);
    assert_eq!(ids(":relation (:missingpiececount A 2 100)", &lost_knight()), []);
}

#[test]
fn the_earlier_position_matches() {
    // "A position list with a relation tag matches a position P1 if and only if at some later
    // point in the current game there is a position P2 such that the relationship between P1 and
    // P2 matches"
    let pgn = game("1.Nf3 Nf6 2.Ng1 Ng8 3.e4");
    assert_eq!(ids(":relation ()", &pgn), [0]);
    assert_eq!(ids(":initial :relation ()", &pgn), [0]);
    assert_eq!(ids("Nf3 :relation ()", &pgn), []);
}

#[test]
fn the_pattern_defines_the_allowable_squares() {
    // "The :pattern keyword signifies that all piece designators that occur at the top level of
    // the position list that encloses the current relation list define the allowable squares.
    // Only allowable squares are considered in the comparisons."
    assert_eq!(ids("ka3 :relation (:pattern)", &triangulation()), [0, 1]);
    // designators elsewhere do not count
    assert_eq!(ids("ka3 :piececount K[a-h1-8] 1 :relation (:pattern)", &triangulation()), [0, 1]);
    assert_eq!(ids(":and ((position Ke1)) ka3 :relation (:pattern)", &triangulation()), [0]);
    // "By default all squares are allowable."
    assert_eq!(ids("ka3 :relation ()", &triangulation()), []);
}

#[test]
fn different_squares_are_counted() {
    // ":originaldifferentcount … matches if the number of allowable squares that are different
    // between P1 and P2 lies within the range specifier."
    let with = |range: &str| {
        let others = ":ignoresidetomove :missingpiececount U 0 2 :newpiececount U 0 2";
        let items = format!(":relation (:originaldifferentcount {range} {others})");
        ids(&items, &triangulation())
    };
    // one king has moved
    assert_eq!(with("2"), [0, 1, 2, 3, 4]);
    // both have: 0 and 2, 1 and 3
    assert_eq!(with("4"), [0, 1, 2, 3]);
    assert_eq!(with("0"), [0]);
    assert_eq!(with("1"), []);
    // only the square of the white king
    assert_eq!(
        ids(
            "K :relation (:pattern :originaldifferentcount 1 :missingpiececount K 1)",
            &triangulation()
        ),
        [0, 1, 2, 3]
    );
}

#[test]
fn same_men_are_counted() {
    // ":originalsamecount … matches if the number of nonempty allowable squares that are the same
    // between P1 and P2 lies within the range specifier."
    let with = |range: &str| {
        let others = ":ignoresidetomove :missingpiececount U 0 2 :newpiececount U 0 2";
        let items = format!(":relation (:originalsamecount {range} {others})");
        ids(&items, &triangulation())
    };
    assert_eq!(with("2"), [0]);
    assert_eq!(with("1"), [0, 1, 2, 3, 4]);
    assert_eq!(with("3 64"), []);
}

/// Position 6 is position 0 with the ranks exchanged.
fn flipped_rooks() -> String {
    let moves = "1.Rc2 Rb5 2.Rc7 Kg8 3.Rb7 Kh8";
    game_from("7k/8/8/8/1r6/8/1R6/7K w", moves)
}

#[test]
fn the_later_position_may_be_shifted() {
    // ":shift: Allow P2 to be shifted before the comparison."
    let pgn = game_from("7k/8/8/8/1r6/8/1R6/7K w", "1.Rc2 Rc4 2.Rc3 Rc5 3.Rd3 Rd5");
    assert_eq!(ids("Rb2 rb4 :relation (:pattern)", &pgn), []);
    assert_eq!(ids("Rb2 rb4 :relation (:pattern :shift)", &pgn), [0]);
    assert_eq!(ids("Rb2 rb4 :relation (:pattern :flip)", &pgn), []);
    assert_eq!(ids("Rb2 rb4 :relation (:pattern :shift)", &flipped_rooks()), []);
}

#[test]
fn the_later_position_may_be_flipped() {
    // ":flip: Allow P2 to be flipped before the comparison."
    assert_eq!(ids("Rb2 rb4 :relation (:pattern)", &flipped_rooks()), []);
    assert_eq!(ids("Rb2 rb4 :relation (:pattern :flip)", &flipped_rooks()), [0]);
    assert_eq!(ids("Rb2 rb4 :relation (:pattern :flip :shift)", &flipped_rooks()), [0]);
}

#[test]
fn a_different_man_on_a_square_is_never_allowed() {
    // "However, in no case is P2 allowed to have a different piece on a square than P1 after the
    // transform is applied."
    let anything = ":ignoresidetomove :missingpiececount U 0 64 :newpiececount U 0 64";
    let items = format!(":relation ({anything})");
    let capture = game_from("r3k3/8/8/8/8/8/8/R3K3 w", "1.Rxa8+");
    let quiet = game_from("r3k3/8/8/8/8/8/8/R3K3 w", "1.Ra7");
    assert_eq!(ids(&items, &capture), []);
    assert_eq!(ids(&items, &quiet), [0]);
    // a shift far enough leaves only new pieces
    let shifted = format!(":relation (:shift {anything})");
    assert_eq!(ids(&shifted, &capture), [0]);
}

#[test]
fn side_to_move() {
    // ":samesidetomove: P2 must have the same side to move as P1. This is the default."
    assert_eq!(ids(":relation (:samesidetomove)", &triangulation()), []);
    assert_eq!(ids(":relation ()", &triangulation()), []);
    // ":changesidetomove: P2 must have a different side to move as does P1."
    assert_eq!(ids(":relation (:changesidetomove)", &triangulation()), [0]);
    let repetition = game("1.Nf3 Nf6 2.Ng1 Ng8");
    assert_eq!(ids(":relation (:changesidetomove)", &repetition), []);
    // ":ignoresidetomove: Side to move information is ignored."
    assert_eq!(ids(":relation (:ignoresidetomove)", &triangulation()), [0]);
    assert_eq!(ids(":relation (:ignoresidetomove)", &repetition), [0]);
}

#[test]
fn missing_men_are_counted() {
    // "A missing piece is a piece that occurs in P1 on a square that is empty on P2. P2 matches if
    // the number of these missing pieces lies within the range specifier."
    let with = |men: &str| ids(&format!(":relation (:missingpiececount {men})"), &lost_knight());
    assert_eq!(with("N 1"), [0]);
    assert_eq!(with("Na1 1"), [0]);
    assert_eq!(with("U 0 5"), [0]);
    assert_eq!(with("Nb1 1"), []);
    assert_eq!(with("R 1"), []);
    // "The default piece designator for :missingpiececount is U and the default range is 0. That
    // is, by default there can be no missing pieces."
    assert_eq!(ids(":relation ()", &lost_knight()), []);
    assert_eq!(with("U 0"), []);
}

#[test]
fn transforms_leave_the_counted_men_alone() {
    // "No shift or flip transformation specifiers in the containing position list affect the piece
    // designator in this keyword."
    let with = |transform: &str, men: &str| {
        let items = format!("{transform} :relation (:missingpiececount {men} 1)");
        ids(&items, &lost_knight())
    };
    assert_eq!(with(":shift", "Na1"), [0]);
    assert_eq!(with(":shift", "Nb1"), []);
    assert_eq!(with(":flip", "Nh8"), []);
    assert_eq!(with(":flipcolor", "N"), [0]);
    assert_eq!(with(":flipcolor", "n"), []);
}

#[test]
fn new_men_are_counted() {
    // "A new piece is a piece that occurs in P2 on a square that is empty on P1. P2 matches if the
    // number of these new pieces lies within the range specifier."
    let pgn = game("1.Nf3 Nf6 2.Ng1");
    let with = |new: &str| {
        let items = format!(":relation (:changesidetomove :missingpiececount n 1 {new})");
        ids(&items, &pgn)
    };
    assert_eq!(with(":newpiececount n 1"), [0, 1]);
    assert_eq!(with(":newpiececount nf6 0 1"), [0, 1]);
    assert_eq!(with(":newpiececount nh6 1"), []);
    assert_eq!(with(":newpiececount N 1"), []);
    // "by default there can be no new pieces"
    assert_eq!(with(""), []);
}

#[test]
fn each_count_may_stand_once() {
    // "Unlike the case of the :pieccount keyword, at most one :missingpiececount specifier can
    // occur." – likewise for :newpiececount
    for key in [":missingpiececount", ":newpiececount"] {
        assert!(is_refused(&format!(":relation ({key} A 1 {key} a 1)")));
    }
    assert!(!is_refused(":piececount A 1 :piececount a 1"));
}

#[test]
fn variations_are_searched_on_demand() {
    // ":variations: Search for P2 within variations and in the main line. By default, P2 must be
    // in the main line."
    let in_variation = game("1.Nf3 Nf6 2.e4 (2.Ng1 Ng8) 2...e5");
    let in_main_line = game("1.Nf3 Nf6 2.Ng1 (2.e4 e5) 2...Ng8");
    assert_eq!(ids(":relation ()", &in_variation), []);
    assert_eq!(ids(":relation (:variations)", &in_variation), [0]);
    assert_eq!(ids(":relation ()", &in_main_line), [0]);
    assert_eq!(ids(":relation (:variations)", &in_main_line), [0]);
    // ":variationsonly: Search for P2 only within variations."
    assert_eq!(ids(":relation (:variationsonly)", &in_variation), [0]);
    assert_eq!(ids(":relation (:variationsonly)", &in_main_line), []);
}

#[test]
fn mutual_zugzwang() {
    // "To search games in which the same position occurs with white and black to move - for
    // example, this is useful in looking for mutual zugzwangs"
    assert_eq!(ids(":relation (:changesidetomove)", &triangulation()), [0]);
}

#[test]
fn the_configuration_of_the_study() {
    // "The following position list searches for studies in which the configuration Ke6 be7 be4
    // nd5 occurs shifted or flipped, but in which no pieces from the original position are on the
    // same square as the pattern"
    let with = |count: &str| {
        format!(
            "Ke6 be7 be4 nd5 :shift :flip :relation (:pattern :shift :flip \
             :originalsamecount {count} :samesidetomove :variations)"
        )
    };
    assert_eq!(ids(&with("0"), &wandering_pattern()), [0]);
    // "If one modified the :originalsamecount parameter to, say, 0 3 … then the pattern in the
    // second position would be allowed to overlap with at most three squares of the pattern in
    // the original position."
    assert_eq!(ids(&with("0 3"), &wandering_pattern()), [0]);
    let staying = game_from("8/4b3/4K3/3n4/4b3/8/8/k6N w", "1.Ng3 Kb1 2.Nh1 Ka1");
    assert_eq!(ids(&with("0 3"), &staying), []);
    assert_eq!(ids(&with("0 4"), &staying), [0, 1, 2]);
}

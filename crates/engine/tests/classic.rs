//! Classic CQL: what each keyword means, and the worked examples of its description.

use engine::{CompileOptions, MatchedGame, Program, Source, compile, search};

fn program(text: &str, options: &CompileOptions) -> Program {
    let source = Source {
        name: "test.cql",
        text: text.as_bytes(),
    };
    let compiled = compile(&source, &[], options);
    match compiled.program {
        Some(program) => program,
        None => panic!("{text}: {:?}", compiled.diagnostics),
    }
}

/// The games of `pgn` that match, without faults.
fn run(text: &str, pgn: &str) -> Vec<MatchedGame> {
    search(&program(text, &CompileOptions::default()), pgn.as_bytes())
        .map(|game| game.unwrap_or_else(|fault| panic!("{text}: {fault:?}")))
        .collect()
}

/// The ids of the positions of `pgn` that a position list matches.
fn ids(items: &str, pgn: &str) -> Vec<u32> {
    run(&format!("(match (position :markall {items}))"), pgn)
        .iter()
        .flat_map(|game| &game.positions)
        .map(|position| position.id)
        .collect()
}

/// Whether a position list matches the only position of a game.
fn holds(items: &str, fen: &str) -> bool {
    !ids(items, &game_from(fen, "")).is_empty()
}

/// The ids of the positions that carry the marker.
fn marked(text: &str, pgn: &str) -> Vec<u32> {
    run(text, pgn)
        .iter()
        .flat_map(|game| &game.positions)
        .filter(|position| position.comments.iter().any(|comment| comment == b"MATCH"))
        .map(|position| position.id)
        .collect()
}

fn n_games(text: &str, pgn: &str) -> usize {
    run(text, pgn).len()
}

fn game(moves: &str) -> String {
    format!("[Event \"?\"]\n\n{moves} *\n")
}

fn game_from(fen: &str, moves: &str) -> String {
    format!("[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"{fen} - - 0 1\"]\n\n{moves} *\n")
}

fn scholars_mate() -> String {
    game("1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7#")
}

#[test]
fn keywords_of_the_match_list() {
    let pgn = "[White \"Short, Nigel\"]\n[Black \"Timman, Jan\"]\n[Date \"1991.08.??\"]\n\
               [Result \"1-0\"]\n\n1.e4 e5 1-0\n\n\
               [White \"Anand\"]\n[Black \"SHORT\"]\n[Date \"1994.??.??\"]\n\
               [Result \"1/2-1/2\"]\n\n1.d4 d5 1/2-1/2\n";
    let numbers = |keys: &str| -> Vec<u64> {
        run(&format!("(match {keys} (position))"), pgn)
            .iter()
            .map(|game| game.number)
            .collect()
    };
    assert_eq!(numbers(""), [1, 2]);
    assert_eq!(numbers(":year 1991"), [1]);
    assert_eq!(numbers(":year 1992 2000"), [2]);
    assert_eq!(numbers(":result 1/2"), [2]);
    assert_eq!(numbers(":result 1-0"), [1]);
    assert_eq!(numbers(":player short"), [1, 2]);
    assert_eq!(numbers(":player timman"), [1]);
    assert_eq!(numbers(":player \"short, n\""), [1]);
    assert_eq!(numbers(":player short :year 1994 :result 0-1"), [0; 0]);
}

#[test]
fn file_names_are_handed_out() {
    let source = Source {
        name: "test.cql",
        text: b"(match :output out.pgn :pgn in.pgn :gamenumber 3 4 (position))",
    };
    let header = compile(&source, &[], &CompileOptions::default()).header;
    assert_eq!(header.input.expect("a name").0, "in.pgn");
    assert_eq!(header.output.expect("a name").0, "out.pgn");
    assert_eq!(header.gamenumber, Some((3, 4)));
}

#[test]
fn every_list_must_match_somewhere() {
    // each its own position, in any order
    let text = "(match (position :markall :mate) (position :markall :initial))";
    assert_eq!(marked(text, &scholars_mate()), [0, 7]);
    let text = "(match (position :markall :stalemate) (position :markall :initial))";
    assert_eq!(n_games(text, &scholars_mate()), 0);
}

#[test]
fn the_first_match_of_each_list_is_marked() {
    let pgn = scholars_mate();
    let text = |word: &str| format!("(match (position :wtm {word}) (position :btm :markall))");
    assert_eq!(marked(&text(""), &pgn), [0, 1, 3, 5, 7]);
    assert_eq!(marked(&text(":markall"), &pgn), [0, 1, 2, 3, 4, 5, 6, 7]);
    assert_eq!(marked(&text(":noannotate"), &pgn), [1, 3, 5, 7]);
    assert_eq!(n_games("(match (position :mate :noannotate))", &pgn), 1);
}

#[test]
fn the_marker_can_be_chosen() {
    let options = CompileOptions {
        matchstring: Some(b"here".to_vec()),
        ..CompileOptions::default()
    };
    let program = program("(match (position :wtm))", &options);
    let comments: Vec<Vec<u8>> = search(&program, scholars_mate().as_bytes())
        .flat_map(|game| game.expect("no fault").positions)
        .flat_map(|position| position.comments)
        .collect();
    assert_eq!(comments, [b"here".to_vec()]);
}

#[test]
fn variations_are_looked_at_on_demand() {
    // ids: 0, 1.e4 1, 1...e5 2, 1.d4 3, 1...d5 4
    let pgn = game("1.e4 (1.d4 d5) 1...e5");
    assert_eq!(ids(":btm", &pgn), [1]);
    assert_eq!(ids(":btm :variations", &pgn), [1, 3]);
    assert_eq!(ids(":btm :variationsonly", &pgn), [3]);
    // each list by itself
    let text = "(match (position :markall :btm) (position :markall pd5 :variations))";
    assert_eq!(marked(text, &pgn), [1, 4]);
    // in a list within a list the word is a condition of its own
    assert_eq!(
        ids(":variations :and ((position :variationsonly))", &pgn),
        [3, 4]
    );
    assert_eq!(
        ids(":variations :and ((position :variationsonly :not))", &pgn),
        [0, 1, 2]
    );
    // next moves are those that the list can see
    let text = "(match (position :markall :movefrom Pd2) (position :variations))";
    assert_eq!(n_games(text, &pgn), 0);
    assert_eq!(ids(":variations :movefrom Pd2", &pgn), [0]);
}

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
        // with the board the direction turns
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
        (
            ":or ((position :mate) (position :initial)) :not :btm",
            vec![0, 1, 2, 3, 4, 5, 6],
        ),
        (
            ":wtm :and ((position :initial :not) (position :movenumber 1 2))",
            vec![2],
        ),
        (
            ":or ((position Qh5 :and ((position :wtm))) (position Qf7))",
            vec![6, 7],
        ),
    ] {
        assert_eq!(ids(items, &pgn), want, "{items}");
    }
}

#[test]
fn flips() {
    const FEN: &str = "8/8/8/8/8/2k5/8/K4R2 w";
    for (items, want) in [
        ("Ka1", true),
        ("Ka8", false),
        ("Ka8 :fliphorizontal", true),
        ("Kh1 :flipvertical", true),
        ("Ra6 :flipdiagonal", true),
        ("Rh3 :flipdiagonal", false),
        ("Rh3 :flipoffdiagonal", true),
        ("Rh6 :flip", true),
        ("Rh6 Ka1 :flip", false),
        ("Rh6 Kh8 :flip", false),
        ("Rh6 Kh1 :flip", true),
        ("Rh6 Kh1 :flipdihedral", true),
        ("rf8 :flipcolor", true),
        ("rf8 ka8 Kc6 :flipcolor :btm", true),
        ("rf8 :flipcolor :wtm", false),
        ("Rc8 :fliphorizontal :flipvertical", true),
    ] {
        assert_eq!(holds(items, FEN), want, "{items}");
    }
}

#[test]
fn shifts_keep_edges() {
    // "(position Pa4 Nd4 :shifthorizontal)": a white knight on d4…h4 and a white pawn on rank 4
    // at least three files to its left
    for (pawn, knight, want) in [
        ("a", "d", true),
        ("a", "e", true),
        ("a", "h", true),
        ("e", "h", true),
        ("f", "h", false),
        ("a", "c", false),
    ] {
        assert_eq!(
            holds("Pa4 Nd4 :shifthorizontal", &on_rank_4(pawn, knight)),
            want
        );
    }
    // "(position Pb4 Ne4 :shifthorizontal)": exactly three
    for (pawn, knight, want) in [
        ("a", "d", true),
        ("b", "e", true),
        ("e", "h", true),
        ("a", "e", false),
        ("a", "h", false),
    ] {
        assert_eq!(
            holds("Pb4 Ne4 :shifthorizontal", &on_rank_4(pawn, knight)),
            want
        );
    }
}

fn on_rank_4(pawn: &str, knight: &str) -> String {
    let rank: String = ('a'..='h')
        .map(|file| match file.to_string() {
            file if file == pawn => 'P',
            file if file == knight => 'N',
            _ => '1',
        })
        .collect();
    format!("k7/8/8/8/{rank}/8/8/K7 w")
}

#[test]
fn shifts_in_all_directions() {
    const FEN: &str = "8/8/3k4/8/8/6N1/8/K7 w";
    for (items, want) in [
        ("Nd3 :shifthorizontal", true),
        ("Nd4 :shifthorizontal", false),
        ("Ng5 :shiftvertical", true),
        ("Nd4 ka7 :shift", true),
        ("Nd4 kb7 :shift", false),
        ("Ne1 :shiftmaindiagonal", true),
        ("Ne5 :shiftmaindiagonal", false),
        ("Ne5 :shiftoffdiagonal", true),
        ("Ne5 :shiftdiagonal", true),
        ("Ne1 :shiftdiagonal", true),
        ("Ne4 :shiftdiagonal", false),
        // what a shift takes off the board matches nothing, but can be counted
        ("Nd4 :piececount Kh1 0 :shift", true),
    ] {
        assert_eq!(holds(items, FEN), want, "{items}");
    }
}

#[test]
fn not_is_applied_behind_the_transforms() {
    const FEN: &str = "7k/8/8/8/3P4/8/8/K7 w";
    assert!(!holds("Pd2 :shiftvertical :not", FEN));
    assert!(holds("Pe2 :shiftvertical :not", FEN));
    assert!(holds(":and ((position Pe2 :shiftvertical :not)) Ka1", FEN));
}

#[test]
fn transforms_reach_into_lists() {
    const FEN: &str = "8/8/3k4/8/8/6N1/8/K7 w";
    assert!(holds("Nd4 :shift :and ((position ka7))", FEN));
    assert!(!holds("Nd4 :shift :and ((position kb7))", FEN));
    assert!(holds("Nd4 :shift :or ((position kb7) (position ka7))", FEN));
    assert!(holds(
        "Nd4 :shift :and ((position kb7 :shiftvertical :not))",
        FEN
    ));
    // a transform in the list goes on top of it
    assert!(holds(
        "Nd4 :shift :and ((position ka4 :shiftvertical))",
        FEN
    ));
}

#[test]
fn three_passed_pawns() {
    // "(position Pd2 :piececount [pP][d3-7] 0 :piececount p[c3-7,e3-7] 0 :shift :accumulate w
    // :sumrange w 3 8)"
    let with = |range: &str| {
        format!(
            "Pd2 :piececount [pP][d3-7] 0 :piececount p[c3-7,e3-7] 0 \
             :shift :accumulate w :sumrange w {range}"
        )
    };
    const THREE: &str = "4k3/7p/8/1P1P4/5P2/8/6P1/4K3 w";
    const TWO: &str = "4k3/7p/8/1P1P4/8/8/6P1/4K3 w";
    assert!(holds(&with("3 8"), THREE));
    assert!(holds(&with("3"), THREE));
    assert!(!holds(&with("3 8"), TWO));
    assert!(holds(&with("2"), TWO));
    // a list that asks for its own counter may ask for none
    assert!(holds(&with("0"), "4k3/7p/8/8/8/8/6P1/4K3 w"));
    assert!(!holds(&with("0"), TWO));
}

#[test]
fn counters_of_lists_add_up() {
    let with = |range: &str| {
        format!(
            ":sumrange w {range} :and ((position Pd4 :shift :accumulate w) \
             (position nd4 :shift :accumulate w))"
        )
    };
    const FEN: &str = "4k3/8/8/1P1P4/5n2/8/6P1/4K3 w";
    assert!(holds(&with("4"), FEN));
    assert!(!holds(&with("3"), FEN));
    let either = |range: &str| {
        format!(
            ":sumrange w {range} :or ((position Pd4 :shift :accumulate w) \
             (position nd4 :shift :accumulate w))"
        )
    };
    assert!(holds(&either("4"), FEN), "both lists are evaluated");
    // from position to position they start at 0
    let pgn = game_from("4k3/8/8/8/8/8/6P1/4K3 w", "1.g4 Ke7");
    assert_eq!(
        ids("Pd4 :shift :accumulate w :sumrange w 1", &pgn),
        [0, 1, 2]
    );
}

#[test]
fn sequences_follow_the_moves() {
    let pgn = scholars_mate();
    for (items, want) in [
        (":sequence ((position :nocheck) (position :mate))", vec![6]),
        (":sequence ((position :mate))", vec![7]),
        (
            ":sequence ((position :movefrom Q :moveto p) (position :mate))",
            vec![6],
        ),
        (
            ":sequence ((position :movefrom Q) (position :movefrom n))",
            vec![4],
        ),
        (
            ":sequence ((position) (position) (position :mate))",
            vec![5],
        ),
        (
            ":initial :gappedsequence ((position Qh5) (position :mate))",
            vec![0],
        ),
        (
            ":initial :gappedsequence ((position :mate) (position Qh5))",
            vec![],
        ),
        // gaps may be empty, elements may not coincide
        (
            ":gappedsequence ((position Qh5) (position :mate)) :movenumber 4",
            vec![6],
        ),
        (
            ":gappedsequence ((position :mate) (position :mate))",
            vec![],
        ),
        (":gappedsequence ((position :mate)) :btm", vec![1, 3, 5, 7]),
        (
            ":sequence ((position :sequence ((position) (position :check))) (position Qf7))",
            vec![6],
        ),
    ] {
        assert_eq!(ids(items, &pgn), want, "{items}");
    }
}

#[test]
fn transforms_of_sequences() {
    let pgn = game_from("7k/8/8/8/8/8/3Q4/K7 w", "1.Qe2 Kg8 2.Qe3 Kh8");
    let steps = "(position :movefrom Qc2 :moveto .d2) (position) \
                 (position :movefrom Qd2 :moveto .d3)";
    assert_eq!(ids(&format!(":sequence ({steps})"), &pgn), []);
    assert_eq!(ids(&format!(":shift :sequence ({steps})"), &pgn), [0]);
}

#[test]
fn sequences_enter_variations_on_demand() {
    // ids: 0, 1.e4 1, 1...e5 2, 1...d5 3, 2.exd5 4
    let pgn = game("1.e4 e5 (1...d5 2.exd5)");
    let steps = ":sequence ((position) (position) (position Pd5))";
    let all: Vec<u32> = ids(&format!(":variations {steps}"), &pgn);
    assert_eq!(all, [1]);
    assert_eq!(ids(steps, &pgn), []);
    let text = format!("(match (position :markall {steps}) (position :variations))");
    assert_eq!(n_games(&text, &pgn), 0);
}

#[test]
fn match_counts_are_counted_per_list() {
    let pgn = scholars_mate();
    let n = |lists: &str| n_games(&format!("(match {lists})"), &pgn);
    assert_eq!(n("(position :btm :matchcount 4)"), 1);
    assert_eq!(n("(position :btm :matchcount 5 9)"), 0);
    assert_eq!(
        n("(position :check :matchcount 1) (position :wtm :matchcount 4 9)"),
        1
    );
    assert_eq!(
        n("(position :check :matchcount 1) (position :wtm :matchcount 5 9)"),
        0
    );
    // "0 allowed: then the list matches the game although no position is marked"
    assert_eq!(n("(position :stalemate :matchcount 0)"), 1);
    assert_eq!(n("(position :check :matchcount 0)"), 0);
    let text = "(match (position :stalemate :matchcount 0) (position :mate))";
    assert_eq!(marked(text, &pgn), [7]);
}

#[test]
fn one_transform_by_itself_is_counted() {
    // captures on d5: two; on f7: one
    let pgn = game("1.e4 d5 2.exd5 Qxd5 3.Qh5 Nf6 4.Qxf7+");
    let items = |range: &str| format!(":moveto Ud4 :shift :pretransformmatchcount {range}");
    assert_eq!(ids(&items("2"), &pgn), [2, 3]);
    assert_eq!(ids(&items("1"), &pgn), [6]);
    assert_eq!(ids(&items("1 2"), &pgn), [2, 3, 6]);
    assert_eq!(ids(&items("3 9"), &pgn), []);
    let text = |range: &str| format!("(match (position {}))", items(range));
    assert_eq!(n_games(&text("3 9"), &pgn), 0);
    assert_eq!(n_games(&text("0"), &pgn), 1);
}

#[test]
fn tags_name_one_man() {
    // "one rook on all four corners"
    let corners = "(match :forany rook [Rr] (position $rook[a1]) (position $rook[h1]) \
                   (position $rook[h8]) (position $rook[a8]))";
    let tour = "1.Ra8+ Kd7 2.Rh8 Kd6 3.Rh1 Kd5 4.Kd2 Kd4";
    let one = game_from("4k3/8/8/8/8/8/8/R3K3 w", tour);
    assert_eq!(n_games(corners, &one), 1);
    // two rooks that share the corners do not do
    let two = game_from("4k3/8/8/8/8/8/8/R3K2R w", "1.Ra8+ Kd7 2.Rh8 Kd6");
    assert_eq!(n_games(corners, &two), 0);
    // squares of the tag's designator say nothing
    assert_eq!(n_games(&corners.replace("[Rr] ", "[Rr]d4 "), &one), 1);
    assert_eq!(n_games(&corners.replace("[Rr] ", "[Qq] "), &one), 0);
}

#[test]
fn excelsior() {
    let text = "(match :forany pawn P (position :initial :tagmatch pawn P?2 \
                :gappedsequence ((position :movefrom $pawn :promote U))))";
    let far = game_from(
        "4k3/8/8/8/8/8/P7/4K3 w",
        "1.a4 Kd7 2.a5 Kd6 3.a6 Kd5 4.a7 Kd4 5.a8=Q",
    );
    assert_eq!(marked(text, &far), [0]);
    let near = game_from("4k3/8/P7/8/8/8/7P/4K3 w", "1.a7 Kd7 2.a8=Q Kd6");
    assert_eq!(n_games(text, &near), 0);
}

#[test]
fn tags_stand_in_any_designator() {
    let pgn = game("1.Nf3 Nc6 2.Ne5 Nxe5");
    let with = |list: &str| marked(&format!("(match :forany m [Nn] (position {list}))"), &pgn);
    assert_eq!(with("$m[g1] :markall"), [0]);
    assert_eq!(with(":movefrom $m :initial"), [0]);
    assert_eq!(with(":moveto $m"), [3]);
    // the first one of each knight: those of Black stand beside their own pawns
    assert_eq!(with("$m :attackcount $m p 1 9"), [0, 3]);
    assert_eq!(with("$m :piececount $m 0"), []);
    // he who is captured matches nothing
    assert_eq!(
        with(":markall :tagmatch m N :terminal $m :movenumber 3"),
        [4]
    );
    assert_eq!(with(":markall :tagmatch m Ne5 $m"), [3]);
    assert_eq!(with(":markall :tagmatch m Nf3 $m[f3,e5]"), [1, 2]);
    // under flipcolor the description is exchanged, the man stays
    assert_eq!(
        with("$m :tagmatch m N :markall :btm :flipcolor :movenumber 1 :initial"),
        [0]
    );
}

#[test]
fn two_tags_are_two_men() {
    let pgn = game_from("4k3/8/8/8/8/8/8/R3K2R w", "1.Rh8+ Kd7 2.Rhh1 Kd6");
    let text = "(match :forany a R :forany b R (position $a[h1] :attackcount $a $b 0) \
                (position $b[h8]))";
    assert_eq!(n_games(text, &pgn), 0, "only one rook gets to h1 and h8");
    let text = "(match :forany a R :forany b R (position $a[a1]) (position $b[h8]))";
    assert_eq!(n_games(text, &pgn), 1);
    // counts are made for each choice of men
    let text = "(match :forany a R (position :movefrom $a :matchcount 2))";
    assert_eq!(n_games(text, &pgn), 1);
    let text = "(match :forany a R (position :movefrom $a :matchcount 1))";
    assert_eq!(n_games(text, &pgn), 0);
}

#[test]
fn a_promoted_man_keeps_his_identity() {
    let pgn = game_from("4k3/P7/8/8/8/8/8/4K3 w", "1.a8=Q+ Kd7 2.Qa1 Kd6");
    // he is a queen at some time, and a pawn at another
    for kinds in ["Q", "P", "[QP]"] {
        let text = format!("(match :forany m {kinds} (position $m[a7]) (position $m[a1]))");
        assert_eq!(n_games(&text, &pgn), 1, "{kinds}");
    }
    let text = "(match :forany m R (position $m[a7]))";
    assert_eq!(n_games(text, &pgn), 0);
}

#[test]
fn transforms_of_the_command_line_surround_every_list() {
    let options = CompileOptions {
        transforms: vec![syntax::tree::TransformFamily::FlipColor],
        ..CompileOptions::default()
    };
    let program = program("(match (position :markall ke8 :wtm))", &options);
    let ids: Vec<u32> = search(&program, scholars_mate().as_bytes())
        .flat_map(|game| game.expect("no fault").positions)
        .map(|position| position.id)
        .collect();
    assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn filters_of_the_command_line_restrict_every_list() {
    let source = |name, text| Source { name, text };
    let query = source("test.cql", b"(match (position :markall))".as_slice());
    let filters = [source("-wtm", b"wtm".as_slice())];
    let program = compile(&query, &filters, &CompileOptions::default())
        .program
        .expect("a program");
    let ids: Vec<u32> = search(&program, scholars_mate().as_bytes())
        .flat_map(|game| game.expect("no fault").positions)
        .map(|position| position.id)
        .collect();
    assert_eq!(ids, [0, 2, 4, 6]);
}

#[test]
fn variations_of_the_command_line_are_for_lists_that_say_nothing() {
    let pgn = game("1.e4 (1.d4 d5) 1...e5");
    let with = |variations, items: &str| -> Vec<u32> {
        let options = CompileOptions {
            variations: Some(variations),
            ..CompileOptions::default()
        };
        let text = format!("(match (position :markall {items}))");
        search(&program(&text, &options), pgn.as_bytes())
            .flat_map(|game| game.expect("no fault").positions)
            .map(|position| position.id)
            .collect()
    };
    assert_eq!(with(true, ":btm"), [1, 3]);
    assert_eq!(with(true, ":btm :variationsonly"), [3]);
    assert_eq!(with(false, ":btm :variations"), [1]);
}

#[test]
fn too_many_images_are_refused() {
    let list = "(position Kd4 :shift :flip :flipcolor :and ((position Nd4 :shift :flip)))";
    let text = format!("(match {list})");
    let source = Source {
        name: "test.cql",
        text: text.as_bytes(),
    };
    let compiled = compile(&source, &[], &CompileOptions::default());
    assert!(compiled.program.is_none());
    let codes: Vec<&str> = compiled.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0721"]);
}

#[test]
fn the_dialect_is_told_from_the_text() {
    let bare = "; a comment\n(position :mate)";
    assert_eq!(n_games(bare, &scholars_mate()), 1);
    let named = "; dialect: classic\n(match (position :mate))";
    assert_eq!(n_games(named, &scholars_mate()), 1);
}

#[test]
fn optimizing_makes_no_difference() {
    let pgn = scholars_mate();
    for items in [
        "Kd4 ke7 :shift :flip",
        "Qd4 kd6 :shift :attackcount A k 0 3",
        "Nd4 :shift :accumulate w :sumrange w 2",
        ":shift :sequence ((position :movefrom Qd4) (position Qd4 :not))",
        "Pd4 :shift :relation (:pattern :shift)",
    ] {
        let text = format!("(match (position :markall {items}))");
        let with = |optimize| -> Vec<u32> {
            let options = CompileOptions {
                optimize,
                ..CompileOptions::default()
            };
            search(&program(&text, &options), pgn.as_bytes())
                .flat_map(|game| game.expect("no fault").positions)
                .map(|position| position.id)
                .collect()
        };
        assert_eq!(with(true), with(false), "{items}");
    }
}

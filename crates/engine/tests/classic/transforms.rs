//! Transforms, and the counters that count them.

use super::*;

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
        assert_eq!(holds("Pa4 Nd4 :shifthorizontal", &on_rank_4(pawn, knight)), want);
    }
    // "(position Pb4 Ne4 :shifthorizontal)": exactly three
    for (pawn, knight, want) in
        [("a", "d", true), ("b", "e", true), ("e", "h", true), ("a", "e", false), ("a", "h", false)]
    {
        assert_eq!(holds("Pb4 Ne4 :shifthorizontal", &on_rank_4(pawn, knight)), want);
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
        // a requirement that a shift takes off the board matches nothing, but can be counted
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
    assert!(holds("Nd4 :shift :and ((position kb7 :shiftvertical :not))", FEN));
    // a transform in the list is applied in addition
    assert!(holds("Nd4 :shift :and ((position ka4 :shiftvertical))", FEN));
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
    // a list that tests its own counter may require zero
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
    // counters start at 0 in every position
    let pgn = game_from("4k3/8/8/8/8/8/6P1/4K3 w", "1.g4 Ke7");
    assert_eq!(ids("Pd4 :shift :accumulate w :sumrange w 1", &pgn), [0, 1, 2]);
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
fn images_of_designators_alone_are_counted_one_by_one() {
    let pgn = game_from("8/8/8/8/3K4/8/k7/8 w", "1.Kd5 Ka3 2.Ke5");
    let items = |range: &str| format!("Kd4 :shift :pretransformmatchcount {range}");
    // d4: 0; d5: 1, 2; e5: 3
    assert_eq!(ids(&items("2"), &pgn), [1, 2]);
    assert_eq!(ids(&items("1"), &pgn), [0, 3]);
    assert_eq!(ids(&items("3 9"), &pgn), []);
    // an image that cannot match matches at no position
    let text = |items: &str| format!("(match (position {items}))");
    assert_eq!(n_games(&text("R[] :pretransformmatchcount 0"), &pgn), 1);
    assert_eq!(n_games(&text("R[] :pretransformmatchcount 1"), &pgn), 0);
}

#[test]
fn too_many_images_are_refused() {
    let list = "(position Kd4 :shift :flip :flipcolor :and ((position Nd4 :shift :flip)))";
    let text = format!("(match {list})");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let compiled = compile(&source, &[], &CompileOptions::default());
    assert!(compiled.program.is_none());
    let codes: Vec<&str> = compiled.diagnostics.iter().map(|d| d.code).collect();
    assert_eq!(codes, ["E0721"]);
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
            let options = CompileOptions { optimize, ..CompileOptions::default() };
            search(&program(&text, &options), pgn.as_bytes())
                .flat_map(|game| game.expect("no fault").row.positions)
                .map(|position| position.id)
                .collect()
        };
        assert_eq!(with(true), with(false), "{items}");
    }
}

//! Results of the reference implementation that no rule of the language explains.

mod support;

use support::{comment, game_from, ids};

#[test]
fn images_of_a_transform_share_the_arguments_of_max() {
    let pgn = game_from("8/P6k/8/8/8/8/6K1/8 w - - 0 1", "1.Kf3");
    // the white king is on the seventh file, the black one on the eighth: the first image matches,
    // but the arguments have been transformed for the second one
    let body = "flipcolor {P==1 comment(max(file k 0) \" \" file k)}";
    assert_eq!(comment(body, &pgn).as_deref(), Some("7 8"));
    let body = "P==1 comment(max(file k 0) \" \" file k)";
    assert_eq!(comment(body, &pgn).as_deref(), Some("8 8"));
}

#[test]
fn arguments_of_max_undergo_the_transforms_of_every_image_that_is_made() {
    let pgn = game_from("8/P6k/8/8/8/8/6K1/8 w - - 0 1", "1.Kf3");
    let value = "comment(max(file k 0))";
    for (body, file) in [
        // the inner images are made once for either outer one
        (format!("flipcolor {{P==1 flipcolor {{true {value}}}}}"), "8"),
        (format!("rotate90 {{true flipcolor {{true {value}}}}} P==1"), "8"),
        // those in the focus of a path are made twice
        (format!("path quiet focus {{flipcolor {{P==1 {value}}} A}} --"), "8"),
        (format!("flipcolor {{P==1 path quiet focus {{{value} A}} --}}"), "7"),
    ] {
        assert_eq!(comment(&body, &pgn).as_deref(), Some(file), "{body}");
    }
}

#[test]
fn transforms_of_the_command_line_are_merged_with_that_of_the_query() {
    use engine::{CompileOptions, search};
    use support::compiled;
    use syntax::tree::TransformFamily;
    let pgn = game_from("8/7p/8/8/8/8/P7/K6k w - - 0 1", "");
    let n_games = |body: &str, transforms: Vec<TransformFamily>| {
        let options = CompileOptions { transforms, ..CompileOptions::default() };
        let program = compiled(&format!("cql() {body}"), &options).program.expect(body);
        search(&program, pgn.as_bytes()).count()
    };
    let given = vec![TransformFamily::FlipColor];
    assert_eq!(n_games("flip 2 Pa2", Vec::new()), 0);
    assert_eq!(n_games("flip 2 Pa2", given.clone()), 1);
    for (query, wrapped) in [
        // one image of four matches as it is, two of eight with both colors
        ("flip 2 Pa2", "flipcolor flip 2 Pa2"),
        ("flip 1 Pa2", "flipcolor flip 1 Pa2"),
        ("flip 1 2 {Pa2 wtm}", "flipcolor flip 1 2 {Pa2 wtm}"),
        ("flip {Pa2 wtm}", "flipcolor {flip {Pa2 wtm}}"),
        ("wtm flip 1 Pa2", "flipcolor {wtm flip 1 Pa2}"),
    ] {
        let merged = n_games(query, given.clone());
        assert_eq!(merged, n_games(wrapped, Vec::new()), "{query}");
    }
}

#[test]
fn a_board_that_is_shifted_loses_a_square() {
    let pgn = game_from("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "");
    let empty = "......../".repeat(7);
    let fen = |rank: &str| format!("fen \"{empty}{rank}\"");
    for (body, matches) in [
        (fen("....K..."), true),
        (fen("...K...."), false),
        (format!("shift {}", fen("....K...")), true),
        (format!("shift {}", fen("...K....")), false),
        (format!("shifthorizontal {}", fen("...K....")), false),
        (format!("1==shift 1 {}", fen("....K...")), true),
        (format!("flipvertical {}", fen("...K....")), true),
    ] {
        assert_eq!(!ids(&body, &pgn).is_empty(), matches, "{body}");
    }
}

#[test]
fn the_first_diagram_number_counts() {
    for (text, number) in [("see EG#x and EG#12a", "12"), ("EG#7 EG#8", "7")] {
        let pgn = format!("[Event \"?\"]\n\n{{{text}}} 1.e4 *\n");
        let found = comment("initial comment(hhdb egdiagram)", &pgn);
        assert_eq!(found.as_deref(), Some(number), "{text}");
    }
}

#[test]
fn descendant_or_equal_is_not_equal() {
    let pgn = game_from("8/P6k/8/8/8/8/6K1/8 w - - 0 1", "1.Kf3");
    assert!(ids("currentposition [>=] currentposition", &pgn).is_empty());
    assert_eq!(ids("currentposition [<=] currentposition", &pgn), [0, 1]);
}

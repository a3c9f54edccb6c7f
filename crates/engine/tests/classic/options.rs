//! Options that the caller sets in addition to the query.

use super::*;

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
fn the_marker_can_be_chosen() {
    let options =
        CompileOptions { matchstring: Some(b"here".to_vec()), ..CompileOptions::default() };
    let program = program("(match (position :wtm))", &options);
    let comments: Vec<Vec<u8>> = search(&program, scholars_mate().as_bytes())
        .flat_map(|game| game.expect("no fault").row.positions)
        .flat_map(|position| position.comments)
        .collect();
    assert_eq!(comments, [b"here".to_vec()]);
}

#[test]
fn transforms_of_the_command_line_surround_every_list() {
    let options = CompileOptions {
        transforms: vec![syntax::tree::TransformFamily::FlipColor],
        ..CompileOptions::default()
    };
    let program = program("(match (position :markall ke8 :wtm))", &options);
    let ids: Vec<u32> = search(&program, scholars_mate().as_bytes())
        .flat_map(|game| game.expect("no fault").row.positions)
        .map(|position| position.id)
        .collect();
    assert_eq!(ids, [0, 1, 2, 3, 4, 5, 6, 7]);
}

#[test]
fn filters_of_the_command_line_restrict_every_list() {
    let source = |name, text| Source { name, text };
    let query = source("test.cql", b"(match (position :markall))".as_slice());
    let filters = [source("-wtm", b"wtm".as_slice())];
    let program = compile(&query, &filters, &CompileOptions::default()).program.expect("a program");
    let ids: Vec<u32> = search(&program, scholars_mate().as_bytes())
        .flat_map(|game| game.expect("no fault").row.positions)
        .map(|position| position.id)
        .collect();
    assert_eq!(ids, [0, 2, 4, 6]);
}

#[test]
fn variations_of_the_command_line_are_for_lists_that_say_nothing() {
    let pgn = game("1.e4 (1.d4 d5) 1...e5");
    let with = |variations, items: &str| -> Vec<u32> {
        let options = CompileOptions { variations: Some(variations), ..CompileOptions::default() };
        let text = format!("(match (position :markall {items}))");
        search(&program(&text, &options), pgn.as_bytes())
            .flat_map(|game| game.expect("no fault").row.positions)
            .map(|position| position.id)
            .collect()
    };
    assert_eq!(with(true, ":btm"), [1, 3]);
    assert_eq!(with(true, ":btm :variationsonly"), [3]);
    assert_eq!(with(false, ":btm :variations"), [1]);
}

#[test]
fn the_dialect_is_told_from_the_text() {
    let bare = "; a comment\n(position :mate)";
    assert_eq!(n_games(bare, &scholars_mate()), 1);
    let named = "; dialect: classic\n(match (position :mate))";
    assert_eq!(n_games(named, &scholars_mate()), 1);
}

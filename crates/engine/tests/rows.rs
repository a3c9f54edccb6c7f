//! Tests rows: the values of named expressions, and the moves before and after a position.

use engine::{CompileOptions, NamedExpression, RowValue, Source, ValueType, compile, search};

const PGN: &[u8] = b"[White \"Fool\"]\n\n1.f3 e5 2.g4 (2.e4 d5) 2...Qh4# 0-1\n";

fn options(text: &str) -> CompileOptions {
    CompileOptions {
        values: vec![NamedExpression {
            name: "x".to_owned(),
            source: "x".to_owned(),
            text: text.as_bytes().to_vec(),
        }],
        ..CompileOptions::default()
    }
}

/// Returns the values of an expression at the matching positions.
fn values(query: &str, options: &CompileOptions) -> (ValueType, Vec<RowValue>) {
    let source = Source { name: "q", text: query.as_bytes() };
    let compiled = compile(&source, &[], options);
    let program = compiled.program.expect("a correct query");
    let value_type = program.values()[0].1;
    let rows = search(&program, PGN).map(|game| game.expect("no fault").row);
    let values = rows.flat_map(|row| row.positions).map(|p| p.values[0].clone());
    (value_type, values.collect())
}

fn check(query: &str, text: &str, value_type: ValueType, expected: &[&str]) {
    let (found, values) = values(query, &options(text));
    let values: Vec<String> = values
        .iter()
        .map(|value| match value.to_text() {
            Some(text) => String::from_utf8(text).expect("UTF-8"),
            None => "none".to_owned(),
        })
        .collect();
    assert_eq!(
        (found, values),
        (value_type, expected.iter().map(|&v| v.to_owned()).collect()),
        "{text}"
    );
}

#[test]
fn values_of_every_type() {
    use ValueType as T;
    check("cql() ply < 3", "ply", T::Number, &["0", "1", "2"]);
    check("cql() mate", "k", T::Squares, &["e8"]);
    check("cql() mate", "k | K", T::Squares, &["[e1,e8]"]);
    check("cql() ply < 2", "wtm", T::Boolean, &["true", "false"]);
    check("cql() mate", "player white", T::Text, &["Fool"]);
    check("cql() mate", "parent", T::Position, &["3"]);
    check("cql() ply < 2", "ply == 1", T::Number, &["none", "1"]);
    check("cql() mate", "ply movenumber", T::Number, &["3"]);
}

/// A game has the values of the position that `sort` has found, as [`engine::GameRow::shown`].
#[test]
fn values_of_a_game_are_those_of_the_position_that_stands_for_it() {
    let check = |query: &str, text: &str, expected: i64| {
        let source = Source { name: "q", text: query.as_bytes() };
        let program = compile(&source, &[], &options(text)).program.expect("a correct query");
        let row = search(&program, PGN).next().expect("a game").expect("no fault").row;
        assert_eq!(row.values, [RowValue::Number(expected)], "{query}");
        let shown = row.shown().expect("a position");
        assert_eq!(shown.values, row.values, "{query}");
    };
    check("cql() ply > 0", "ply", 1);
    check("cql() ply > 0 sort \"n\" ply", "ply", 4);
    check("cql() ply > 0 sort min \"n\" ply", "ply", 1);
    check("cql() ply > 0 sort \"n\" {ply == 2 7}", "ply", 2);
    check("cql(sort matchcount 1 99) ply > 0", "ply", 1);
}

#[test]
fn names_of_the_query_are_known() {
    check("cql() mate here = ply", "here + 1", ValueType::Number, &["5"]);
    check("cql() function f(x) {x * 2} mate", "f(ply)", ValueType::Number, &["8"]);
}

#[test]
fn values_leave_nothing_behind() {
    check("cql() mate comment(\"a\")", "{comment(\"b\") ply}", ValueType::Number, &["4"]);
    let source = Source { name: "q", text: b"cql() mate comment(\"a\")" };
    let program = compile(&source, &[], &options("{comment(\"b\") ply}"));
    let program = program.program.expect("a correct query");
    let game = search(&program, PGN).next().expect("a game").expect("no fault");
    assert_eq!(game.row.positions[0].comments, [b"a".to_vec(), b"CQL".to_vec()]);
    assert!(String::from_utf8_lossy(&game.pgn).contains("{a CQL}"));
}

#[test]
fn older_dialects_and_transforms() {
    // in CQL 5 and classic queries, too
    check("(match (position :mate))", "ply", ValueType::Number, &["4"]);
    let transformed = CompileOptions {
        transforms: vec![syntax::tree::TransformFamily::FlipColor],
        ..options("power Q")
    };
    let (_, found) = values("cql() mate q attacks K", &transformed);
    assert_eq!(found, [RowValue::Number(9)]);
}

#[test]
fn moves_around_a_position() {
    let source = Source { name: "q", text: b"cql(variations) true" };
    let program = compile(&source, &[], &CompileOptions::default()).program.expect("a query");
    let game = search(&program, PGN).next().expect("a game").expect("no fault");
    let text = |mv: &Option<engine::MoveRow>| {
        mv.as_ref().map_or("-".to_owned(), |mv| format!("{} {}", mv.san, mv.uci))
    };
    let rows: Vec<String> = game
        .row
        .positions
        .iter()
        .map(|p| {
            format!(
                "{} {} {}: {} / {}",
                p.id,
                p.ply,
                p.move_number,
                text(&p.last_move),
                text(&p.next_move)
            )
        })
        .collect();
    assert_eq!(
        rows,
        [
            "0 0 1: - / f3 f2f3",
            "1 1 1: f3 f2f3 / e5 e7e5",
            "2 2 2: e5 e7e5 / g4 g2g4",
            "3 3 2: g4 g2g4 / Qh4# d8h4",
            "4 4 3: Qh4# d8h4 / -",
            "5 3 2: e4 e2e4 / d5 d7d5",
            "6 4 3: d5 d7d5 / -",
        ]
    );
}

/// A game of which only a part can be read is not excluded.
#[test]
fn a_game_that_is_read_in_part_may_match() {
    let source = Source { name: "q", text: b"cql() ply==1" };
    let program = compile(&source, &[], &CompileOptions::default()).program;
    let program = program.expect("a correct query");
    let games = b"[Event \"a\"]\n\n1.e4 e5 2.Ke3 *\n\n[Event \"b\"]\n\n1.e4{x} e5 *\n";
    let found = search(&program, games).map(|game| game.expect("no fault").row.number);
    assert_eq!(found.collect::<Vec<u64>>(), [1]);
}

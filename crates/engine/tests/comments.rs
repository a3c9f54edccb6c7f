//! Tests which comments are kept, and in what order.

mod support;

use support::{game, game_from, run};

/// Returns the comments of the position `id` of the first game, joined with blanks, without the
/// marker and the first comment of the game.
fn comments(header: &str, body: &str, pgn: &str, id: u32) -> String {
    let games = run(&format!("matchstring \"\" {header}"), body, pgn);
    let positions = &games.first().expect(body).row.positions;
    let position = positions.iter().find(|position| position.id == id);
    let texts = &position.expect(body).comments;
    String::from_utf8_lossy(&texts.join(&b' ')).into_owned()
}

#[test]
fn an_or_that_fails_drops_what_it_has_made() {
    let pgn = game("1.e4");
    for (body, kept) in [
        ("(R&{comment(\"a\") []} or comment(\"z\"))", "a z"),
        ("(R&{comment(\"a\") []} or false or comment(\"z\"))", "z"),
        ("((R&{comment(\"a\") []} or false) or comment(\"z\"))", "z"),
        ("(R&{comment(\"a\") []} or (false or comment(\"z\")))", "a z"),
    ] {
        assert_eq!(comments("", &format!("initial {body}"), &pgn, 0), kept, "{body}");
    }
}

#[test]
fn a_sort_without_a_value_drops_what_its_argument_has_made() {
    let body = "initial ((sort \"s\" {comment(\"a\") 1}/0) or comment(\"z\"))";
    assert_eq!(comments("", body, &game("1.e4"), 0), "z");
}

#[test]
fn an_image_without_a_value_keeps_what_it_keeps_by_itself() {
    let pgn = game_from("7k/8/8/8/8/8/8/K7 w - - 0 1", "");
    let body = "comment(\"v=\" flipcolor file {comment(\"c\" currenttransform) Ka-d1-8})";
    assert_eq!(comments("", body, &pgn, 0), "c<> c<invertcolor reflect_h> v=1");
    // but not if no image has a value
    let body = "((0<flipcolor file {comment(\"c\") Kb2}) or comment(\"z\"))";
    assert_eq!(comments("", body, &pgn, 0), "z");
}

#[test]
fn a_better_value_drops_what_came_before_it() {
    let pgn = game("1.e4");
    for (arguments, kept) in [
        ("max({comment(\"a\") 1} {comment(\"b\") 2})", "b"),
        ("max({comment(\"a\") 2} {comment(\"b\") 1})", "a"),
        ("min({comment(\"a\") 2} {comment(\"b\") 1})", "b"),
        ("max({comment(\"a\") 2} {comment(\"b\") 2})", "a b"),
        ("max({comment(\"a\") \"x\"} {comment(\"b\") \"y\"})", "b"),
        // without a value no comparison takes place
        ("max({comment(\"a\") 1}/0 {comment(\"b\") 1} {comment(\"c\") 1}/0)", "a b c"),
        ("max({comment(\"a\") 1}/0 {comment(\"b\") 1} {comment(\"c\") 2})", "c"),
        ("max({comment(\"a\") 1} {comment(\"b\") 1}/0 {comment(\"c\") 0})", "a b"),
        ("max({comment(\"a\") 1}/0 {comment(\"b\") 1}/0)", "a b"),
    ] {
        let body = format!("initial (x={arguments} or true)");
        assert_eq!(comments("", &body, &pgn, 0), kept, "{body}");
    }
    let body = "initial (max({comment(\"a\") 1}/0 {comment(\"b\") 1}/0)>0 or comment(\"z\"))";
    assert_eq!(comments("", body, &pgn, 0), "z");
}

#[test]
fn square_all_keeps_what_its_domain_has_made() {
    let pgn = game("1.e4");
    for (body, kept) in [
        ("square all q1 in {comment(\"c\") R} comment(\"d\" q1)", "c da1 dh1"),
        ("piece all q1 in {comment(\"c\") Ra1} comment(\"d\")", "c d"),
        ("square all q1 in {comment(\"c\") []} true", "c"),
        ("piece all q1 in {comment(\"c\") R} {file q1==1 comment(\"d\")}", ""),
        ("not square all q1 in {comment(\"c\") R} false", ""),
    ] {
        let body = format!("initial (({body}) or true)");
        assert_eq!(comments("", &body, &pgn, 0), kept, "{body}");
    }
}

#[test]
fn positions_are_evaluated_from_the_later_to_the_earlier() {
    let pgn = game("1.e4 e5");
    let position = |text: &str, id: &str| format!("{{comment(\"{text}\") {id}}}");
    let (a, b) = (position("a", "position 0"), position("b", "curpos"));
    let nowhere = "position {comment(\"n\") 9}";
    for (body, kept) in [
        (format!("descendant({a} {b})"), "a b"),
        (format!("ancestor({a} {b})"), "b a"),
        (format!("descendant({nowhere} {b})"), "n"),
        (format!("descendant({b} {nowhere})"), "b n"),
        (format!("ancestor({a} {nowhere})"), "n"),
        (format!("ancestor({nowhere} {b})"), "b n"),
    ] {
        let body = format!("ply==1 ({body} or true)");
        assert_eq!(comments("", &body, &pgn, 1), kept, "{body}");
    }
}

#[test]
fn the_rank_of_makesquare_is_evaluated_if_there_is_a_file() {
    let pgn = game("1.e4");
    for (file, kept) in [
        ("{comment(\"a\") 1}/0", "a"),
        ("{comment(\"a\") 9}", "a b"),
        ("{comment(\"a\") 1}", "a b"),
    ] {
        let body = format!("initial (makesquare({file} {{comment(\"b\") 9}}) or true)");
        assert_eq!(comments("", &body, &pgn, 0), kept, "{body}");
    }
}

#[test]
fn below_a_sort_an_echo_without_a_number_leaves_nothing() {
    let pgn = game("1.e4 e5 2.Nf3");
    let echo = "echo (s1 t2) {s1:ply+1==ply comment(\"b\")}";
    for (body, kept) in [
        (format!("(({echo}) or true)"), "s1 <--move 1(btm)"),
        (format!("sort {{comment(\"a\") {echo} 3}}"), "a"),
        (format!("sort find quiet all {{{echo}}}"), ""),
        (format!("sort {{(not not {echo}) 3}}"), ""),
        // an echo with a number keeps the comments of its best target
        ("sort echo (s1 t2) {s1:ply<ply ply}".to_owned(), "s1 <--move 2(btm)"),
    ] {
        let body = format!("initial {body}");
        assert_eq!(comments("", &body, &pgn, 0), kept, "{body}");
    }
    // an echo outside of the sort keeps its comments
    let body = format!("initial sort ply {echo}");
    assert_eq!(comments("", &body, &pgn, 0), "s1 <--move 1(btm)");
}

#[test]
fn with_smart_comments_off_the_marker_has_its_place_among_the_texts() {
    use engine::{CompileOptions, search};
    let mut options = CompileOptions::default();
    options.writing.always_comment = true;
    let compiled =
        support::compiled("cql() comment(\"a\") (parent:comment(\"b\") or true)", &options);
    let program = compiled.program.expect("a query");
    let pgn = game("1.e4 e5");
    let games: Vec<_> = search(&program, pgn.as_bytes()).collect();
    let text = String::from_utf8_lossy(&games[0].as_ref().expect("no fault").pgn).into_owned();
    assert!(text.contains("{Game number 1 a CQL b}\n1.e4 {a CQL b} 1...e5 {a CQL} *"), "{text}");
}

#[test]
fn a_best_end_that_is_reached_twice_is_an_alternative() {
    let pgn = game("1.e4 e5 2.Nf3 Nc6");
    let games = run("", "initial path keepallbest --* btm --*", &pgn);
    let text = String::from_utf8_lossy(&games[0].pgn).replace('\n', " ");
    assert!(text.contains("starts at move 1(wtm) alternative}"), "{text}");
}

#[test]
fn behind_a_counted_move_a_path_is_not_at_its_end() {
    let pgn = game("1.e4 (1.d4) 1...e5");
    let alternatives = |path: &str| {
        let body = format!("initial path firstmatch keepallbest {path}");
        let games = run("variations", &body, &pgn);
        let text = String::from_utf8_lossy(&games[0].pgn).into_owned();
        text.matches("alternative").count()
    };
    for path in ["--", "(--)", "--?"] {
        assert_eq!(alternatives(path), 1, "{path}");
    }
    for path in ["--{1}", "--{0,1}", "--{,1}", "--{1,2}", "-- --{0}", "(-- --{0})"] {
        assert_eq!(alternatives(path), 0, "{path}");
    }
}

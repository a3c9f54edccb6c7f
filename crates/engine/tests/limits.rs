//! Tests that queries that would take forever, or too much memory, end with a message.

mod support;

use std::sync::Arc;

use engine::{CompileOptions, GameWorker, Limits, QueryRun, QueryWorker, search};
use flow::{Cancel, FaultKind, Output, Worker};
use pgn::RawGame;

/// A long game with variations.
const GAME: &str = "[Event \"?\"]\n\n1.e4 e5 2.Nf3 (2.Bc4 Bc5 3.Qh5 (3.Nf3 Nc6) 3...Nc6 4.Qxf7#) \
2...Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7 11.c4 c6 \
12.cxb5 axb5 13.Nc3 Bb7 14.Bg5 b4 15.Nb1 h6 16.Bh4 c5 17.dxe5 Nxe4 18.Bxe7 Qxe7 19.exd6 Qf6 \
20.Nbd2 Nxd6 21.Nc4 Nxc4 22.Bxc4 Nb6 23.Ne5 Rae8 24.Bxf7+ Rxf7 25.Nxf7 Rxe1+ 26.Qxe1 Kxf7 *\n";

/// Returns the result of `body` on the game with these limits: the number of matching positions, or
/// the message of the fault.
fn outcome_within(body: &str, limits: Limits) -> Result<usize, String> {
    outcome_of(&format!("cql(variations) {body}"), limits)
}

/// Does the same as [`outcome_within`] for a whole query.
fn outcome_of(text: &str, limits: Limits) -> Result<usize, String> {
    let options = CompileOptions { limits, ..CompileOptions::default() };
    let compiled = support::compiled(text, &options);
    let program = compiled.program.ok_or_else(|| {
        let first = compiled.diagnostics.first();
        first.map_or_else(String::new, |first| first.message.clone())
    })?;
    match search(&program, GAME.as_bytes()).next() {
        None => Ok(0),
        Some(Ok(game)) => Ok(game.row.positions.len()),
        Some(Err(fault)) => {
            assert_eq!(fault.kind, FaultKind::Limit, "{}", fault.message);
            Err(fault.message)
        }
    }
}

/// Does the same as [`outcome_within`] with a limit on steps only.
fn outcome(body: &str, steps: u64) -> Result<usize, String> {
    let limits = Limits { steps, ..Limits::default() };
    outcome_within(body, limits)
}

/// Checks that each query exceeds the limit that `set` sets, but not the default.
fn check(name: &str, set: impl Fn(&mut Limits), bodies: &[&str]) {
    for body in bodies {
        let mut limits = Limits::default();
        set(&mut limits);
        let found = outcome_within(body, limits);
        assert!(found.as_ref().is_err_and(|message| message.contains(name)), "{body}: {found:?}");
        let found = outcome_within(body, Limits::default());
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn repetitions_within_repetitions_end_with_a_result() {
    for body in [
        "path (--)*(--)*(--)*",
        "path ((--)+)+",
        "path (-- --?)+ check",
        "path ((--)? check)+",
        "path ((--)*)* mate",
        "path (--{2,5}){3,9}",
        "path (--)*(--)*(--)*(--)*(--)*(--)* mate",
    ] {
        let found = outcome(body, 2_000_000);
        assert!(found.as_ref().is_ok_and(|&n| n > 0), "{body}: {found:?}");
    }
}

#[test]
fn an_iteration_without_a_move_ends() {
    for body in ["path (true)* --", "path (--?)* check", "path ((true)+)+ --"] {
        let found = outcome(body, 2_000_000);
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn nested_searches_end_with_a_result() {
    for body in [
        "echo (s t) echo (u v) {s<t u<v s:check v:mate}",
        "find all find all check",
        "shift flip flipcolor rotate90 {Ra1 Nb3 kc5 pd4 Pe4 Qh8}",
    ] {
        let found = outcome(body, 20_000_000);
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn an_echo_that_leaves_no_trace_ends_at_its_first_target() {
    for body in ["echo quiet (s t) s<t", "sort \"s\" {echo (s t) s<t 1}"] {
        let found = outcome(body, 1_000);
        assert!(found.as_ref().is_ok_and(|&n| n > 50), "{body}: {found:?}");
    }
    // Each target has a comment.
    let found = outcome("echo quiet (s t) {s<t comment(t)}", 1_000);
    assert!(found.is_err(), "{found:?}");
}

#[test]
fn comments_count_as_what_they_take() {
    // The least number of steps that is enough.
    let least = |body: &str| {
        let (mut too_few, mut enough) = (0, 1_000_000);
        while enough - too_few > 1 {
            let middle = (too_few + enough) / 2;
            match outcome(body, middle) {
                Ok(_) => enough = middle,
                Err(_) => too_few = middle,
            }
        }
        enough
    };
    let (quiet, told) = (least("find all quiet true"), least("find all true"));
    assert!(told > 15 * quiet, "{told} steps, {quiet} without comments");
}

#[test]
fn what_never_ends_is_stopped_with_a_message() {
    for body in [
        "nn=0 while (true) nn+=1",
        "loop true",
        "path (-- sort \"x\" ply)*(--)*(--)*(--)*(--)*(--)*(--)* false",
        "xx=\"a\" while (true) xx+=xx",
        "square all xa in a-h1-8 square all xb in a-h1-8 square all xc in a-h1-8 \
         square all xd in a-h1-8 true",
        "xx=\"a\" yy=0 while (yy<24) {yy+=1 xx+=xx} while (true) xx~~\"b\"",
    ] {
        let found = outcome(body, 1_000_000);
        assert!(
            found.as_ref().is_err_and(|m| m.contains("too many steps") || m.contains("too long")),
            "{body}: {found:?}"
        );
    }
}

/// Returns a loop of a thousand rounds with this body.
fn rounds(body: &str) -> String {
    format!("initial xx=\"\" nn=0 while (nn<1000) {{nn+=1 {body}}}")
}

#[test]
fn a_round_counts_what_it_evaluates() {
    assert_eq!(outcome(&rounds("true"), 5000), Ok(1));
    let wide = |filter: &str, joined: &str, n: usize| vec![filter; n].join(joined);
    for body in [
        wide("nn+=0", " ", 10),
        // Equal conditions are evaluated once, so these differ.
        (1..=8).map(|rank| format!("Q attacks ra-h{rank} or ")).collect::<String>() + "true",
        format!(
            "if {} then true",
            (1..=10).map(|n| format!("ply<{n}")).collect::<Vec<_>>().join(" and ")
        ),
        format!("nn={}-ply", wide("nn", "+0*", 10)),
        format!("nn=nn+0*#({})", wide("Q", "|up ", 10)),
        format!("nn=nn+0*max({})", wide("ply", " ", 10)),
        "shift {Ra1 kb2} or true".to_owned(),
        "{flipcolor flip {#(Q attacks r)>70}} or true".to_owned(),
        // single filters that take long
        "xx=fen".to_owned(),
        "xx=str(currentposition)".to_owned(),
        "xx=str(A)".to_owned(),
        "{between(A a)} or true".to_owned(),
        "{ray(A . a)} or true".to_owned(),
        "{xray(A . a)} or true".to_owned(),
        "countmoves legal -- >70 or true".to_owned(),
        "legalposition or reachableposition or true".to_owned(),
        "comment(\"a\")".to_owned(),
    ] {
        let found = outcome(&rounds(&body), 7500);
        let message = found.as_ref().err();
        let is_counted = message.is_some_and(|message| message.contains("too many steps"));
        assert!(is_counted, "{body}: {found:?}");
    }
}

#[test]
fn what_is_not_evaluated_does_not_count() {
    let wide = vec!["nn+=0"; 1000].join(" ");
    for body in [
        format!("{{false {wide}}} or true"),
        format!("true or {{{wide}}}"),
        format!("if false then {{{wide}}}"),
    ] {
        assert_eq!(outcome(&rounds(&body), 15_000), Ok(1));
    }
}

#[test]
fn what_texts_hold_counts_where_they_are_changed() {
    let fill = "initial xx=\"0123456789abcdef\" nn=0 while (nn<10) {nn+=1 xx+=xx} mm=0 ";
    for body in ["xx[0]=\"b\"", "yy=xx", "#xx>0", "yy=str(xx)", "\"q\" in xx or true"] {
        let body = format!("{fill} while (mm<100) {{mm+=1 {body}}}");
        let found = outcome(&body, 50_000);
        let message = found.as_ref().err();
        let is_counted = message.is_some_and(|message| message.contains("too many steps"));
        assert!(is_counted, "{body}: {found:?}");
    }
}

#[test]
fn what_is_looked_for_in_texts_counts() {
    let fill = "initial xx=\"0123456789abcdef\" nn=0 while (nn<10) {nn+=1 xx+=xx} mm=0 ";
    // a letter of two bytes, none of which is a letter
    let odd = "cc=\"é\" xx[0]=cc[0]";
    for (prepare, body, steps) in [
        ("", "indexof(\"q\" xx)>=0", 250_000),
        ("", "indexof(xx \"q\")>=0", 850_000),
        ("", "\"q\" in xx", 250_000),
        ("", "xx in \"q\"", 850_000),
        ("", "int xx>0", 250_000),
        (odd, "cc[1] in xx", 1_800_000),
        (odd, "xx ~~ \"q\"", 1_700_000),
        (odd, "xx==\"q\"", 1_600_000),
    ] {
        let text = format!("{fill} {prepare} while (mm<100) {{mm+=1 {body} or true}}");
        let found = outcome(&text, steps);
        let message = found.as_ref().err();
        let is_counted = message.is_some_and(|message| message.contains("too many steps"));
        assert!(is_counted, "{body}: {found:?}");
        assert_eq!(outcome(&text, 2 * steps), Ok(1), "{body}");
    }
    for flag in ["cooked", "sound"] {
        let text = format!("initial mm=0 while (mm<100) {{mm+=1 hhdb {flag} or true}}");
        let found = outcome(&text, 1200);
        assert!(found.is_err(), "{flag}: {found:?}");
    }
}

#[test]
fn a_cancelled_run_gives_up_its_game_before_the_limit() {
    for body in [
        "nn=0 while (true) nn+=1",
        "path (-- sort \"x\" ply)*(--)*(--)*(--)*(--)*(--)*(--)* false",
        "square all xa in a-h1-8 square all xb in a-h1-8 square all xc in a-h1-8 \
         square all xd in a-h1-8 true",
        "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\" ~~ \"(a*)*b\"",
    ] {
        let options = CompileOptions::default();
        let program = support::compiled(&format!("cql(variations) {body}"), &options).program;
        let cancel = Cancel::default();
        let run = Arc::new(QueryRun::new(&cancel));
        let mut worker = GameWorker::new([QueryWorker::new(program.expect("a query"), run)]);
        let mut out = Output::default();
        cancel.cancel();
        worker.game(&RawGame::of(GAME.as_bytes()), 1, &mut out);
        assert_eq!(out.faults, [], "{body}");
        assert_eq!(
            out.failure.map(|error| error.to_string()).as_deref(),
            Some("interrupted"),
            "{body}"
        );
        assert_eq!(out.results[0].matches.len(), 0);
    }
}

#[test]
fn too_many_images_are_refused() {
    for (transforms, refused) in [
        ("shift shift R", false),
        ("shift flip flipcolor {Ra1 kb2}", false),
        ("shift shift shift R", true),
        ("flip flip flip flip flip flip flip R", true),
        ("shift {shift a1 shift {shift b1 shift c1}}", true),
    ] {
        assert_eq!(support::is_refused(transforms), refused, "{transforms}");
    }
}

#[test]
fn no_regular_expression_takes_forever() {
    let long = "xx=\"a\" nn=0 while (nn<12) {nn+=1 xx+=xx} ";
    for regex in ["(a*)*b", "(a|a)*b", "(a+a+)+b", "(a|aa)+$b", "((a+)+)+b", "(.*)(.*)(.*)(.*)b"] {
        for body in [
            format!("{long} xx ~~ \"{regex}\""),
            format!("{long} not xx ~~ \"{regex}\""),
            format!("{long} while (xx ~~ \"{regex}\") true"),
        ] {
            let found = outcome(&body, 2_000_000);
            assert!(
                found.as_ref().is_err_and(|m| m.contains("too many steps")),
                "{body}: {found:?}"
            );
        }
    }
}

#[test]
fn strings_have_a_greatest_length() {
    check(
        "string=40",
        |limits| limits.string = 40,
        &[
            "xx=\"0123456789\" xx+=xx xx+=xx xx+=xx",
            "xx=\"0123456789\" xx=xx+xx+xx+xx+xx",
            "xx=\"0123456789\" yy=str(xx xx xx xx xx)",
            "xx=\"0123456789\" xx[0:2]=\"0123456789012345678901234567890123456789\"",
            "local dictionary Dict Dict[\"0123456789\"]=1 Dict[\"1123456789\"]=1 yy=str(Dict)",
        ],
    );
}

#[test]
fn variables_and_dictionaries_hold_so_much_and_no_more() {
    let fill = "xx=\"0123456789\" nn=0 while (nn<6) {nn+=1 xx+=xx} mm=0 ";
    let bodies = [
        "yy=xx zz=xx",
        "dictionary Dict while (mm<20) {mm+=1 Dict[mm]=xx}",
        "local dictionary Dict while (mm<20) {mm+=1 Dict[str(xx mm)]=mm}",
    ];
    let bodies: Vec<String> = bodies.iter().map(|body| format!("{fill}{body}")).collect();
    let bodies: Vec<&str> = bodies.iter().map(String::as_str).collect();
    check("memory=1500", |limits| limits.memory = 1500, &bodies);
}

#[test]
fn what_is_given_up_is_not_held_any_longer() {
    for body in [
        "xx=\"0123456789\" mm=0 while (mm<100) {mm+=1 xx=\"9876543210\"}",
        "mm=0 local dictionary Dict while (mm<100) {mm+=1 Dict[mm]=1 unbind Dict[mm]}",
        "mm=0 local dictionary Dict while (mm<100) {mm+=1 Dict[mm]=1 unbind Dict}",
        "mm=0 local dictionary Dict Dict[0]=\"a\" while (mm<100) {mm+=1 Dict[0]=str(mm)}",
    ] {
        let limits = Limits { memory: 200, ..Limits::default() };
        let found = outcome_within(body, limits);
        assert!(found.is_ok(), "{body}: {found:?}");
    }
}

#[test]
fn persistent_dictionaries_count_over_all_games() {
    let text = "cql() dictionary Dict initial Dict[gamenumber]=1";
    let options = CompileOptions {
        limits: Limits { memory: 650, ..Limits::default() },
        ..CompileOptions::default()
    };
    let compiled = support::compiled(text, &options);
    let program = compiled.program.expect("correct");
    let games = GAME.repeat(15);
    let outcomes: Vec<bool> = search(&program, games.as_bytes()).map(|game| game.is_ok()).collect();
    let expected: Vec<bool> = (0..15).map(|i| i < 10).collect();
    assert_eq!(outcomes, expected);
}

#[test]
fn comments_are_counted_and_measured() {
    let bodies = [
        "nn=0 while (nn<200) {nn+=1 comment (nn)}",
        "sort \"x\" {nn=0 while (nn<200) {nn+=1 comment (nn)} 1}",
    ];
    check("comments=100", |limits| limits.comments = 100, &bodies);
    check("comment-bytes=300", |limits| limits.comment_bytes = 300, &bodies);
    // dropped comments do not count
    let dropped = "nn=0 while (nn<200) {nn+=1 not comment (nn)}";
    let limits = Limits { comments: 100, ..Limits::default() };
    assert_eq!(outcome_within(dropped, limits).map(|n| n > 0), Ok(true));
}

#[test]
fn a_game_writes_so_much_and_no_more() {
    check(
        "output=2000",
        |limits| limits.output = 2000,
        &[
            "initial nn=0 while (nn<200) {nn+=1 message (\"twenty bytes, not more\")}",
            "initial nn=0 while (nn<200) {nn+=1 settag(\"X\" \"twenty bytes, not more\")}",
            "nn=0 while (nn<9) {nn+=1 comment (\"twenty bytes, not more \" nn)}",
        ],
    );
}

#[test]
fn what_shows_before_the_first_game_is_an_error_of_the_query() {
    check("images", |limits| limits.images = 100, &["shift R"]);
    check("filters", |limits| limits.filters = 1000, &["shift {R attacks [NB] and k attacks r}"]);
    for (most, levels, [before, open, inner, close, after]) in [
        (20, 30, ["cql() ", "{", "R", "}", ""]),
        (20, 30, ["; dialect: cql5\ncql() ", "not ", "R", "", ""]),
        (5, 10, ["(match ", "(position :and (", "(position R)", "))", ")"]),
    ] {
        let (open, close) = (open.repeat(levels), close.repeat(levels));
        let text = [before, &open, inner, &close, after].concat();
        let limits = Limits { nesting: most, ..Limits::default() };
        let refused = outcome_of(&text, limits).expect_err(&text);
        assert!(refused.contains("nested too deeply"), "{text}: {refused}");
        assert_eq!(outcome_of(&text, Limits::default()).err(), None, "{text}");
    }
    check("regex", |limits| limits.regex = 10, &["event ~~ \"a{2,3}b{2,3}\""]);
}

#[test]
fn the_message_names_the_place_whatever_the_filter() {
    for (limit, value, text, filter) in [
        ("string", 40, r#"cql() xx="0123456789" sort "s" #(xx+xx+xx+xx+xx)>9"#, "xx+xx"),
        ("string", 40, r#"cql() wtm xx="0123456789" yy=str(xx xx xx xx xx)"#, "str"),
        ("memory", 15, r#"cql() xx="0123456789" yy=xx"#, "yy"),
        ("memory", 70, r#"cql() dictionary Dict Dict["a"]="0123456789""#, "Dict["),
        ("imagined", 30, "cql() wtm legal --(false) or {countmoves legal --(check)} > 3", "legal"),
        (
            "imagined",
            1,
            "cql() wtm true imagine remove Q : {not Q imagine remove R : not R}",
            "imagine remove R",
        ),
        ("comments", 1, r#"cql() true comment("a") comment("b")"#, r#"comment("b")"#),
        ("comment-bytes", 5, r#"cql() {wtm comment("0123456789")}"#, "comment"),
        ("output", 5, r#"cql() not btm message("0123456789")"#, "message"),
        ("steps", 5, r#"cql() wtm event ~~ "a*b*c*$""#, "event"),
        ("steps", 30, "cql(silent) wtm relation (match 1)", "relation"),
        (
            "steps",
            70,
            "(match (position R) (position :sequence ((position Q) (position q))))",
            "(position :seq",
        ),
        (
            "steps",
            70,
            "(match (position R) (position :relation (:newpiececount A 1 1)))",
            "(position :rel",
        ),
    ] {
        let mut limits = Limits::default();
        for (name, limit_of) in limits.each() {
            if name == limit {
                *limit_of = value;
            }
        }
        let message = outcome_of(text, limits).expect_err(text);
        let column = text.find(filter).expect(filter) + 1;
        let place = format!("test.cql:1:{column}: ");
        assert!(message.starts_with(&place), "{text}: {message}");
        let limit = format!("limit is {limit}={value}");
        assert!(message.contains(&limit), "{text}: {message}");
    }
}

#[test]
fn the_message_names_the_place() {
    let limits = Limits { steps: 1000, ..Limits::default() };
    for (body, place) in [
        ("nn=0 while (true) nn+=1", "test.cql:1:22"),
        ("path (-- sort \"x\" ply)*(--)*(--)*(--)* false", "test.cql:1:17"),
        ("find all find all find all check", "test.cql:1:"),
        ("square all x in A {loop true}", "test.cql:1:36"),
    ] {
        let message = outcome_within(body, limits.clone()).expect_err(body);
        assert!(message.starts_with(place), "{body}: {message}");
        assert!(message.contains("(the limit is steps=1000)"), "{message}");
    }
}

#[test]
fn the_library_touches_no_files() {
    for body in ["message(readfile \"Cargo.toml.pgn\")", "writefile(\"limits-test.cqo\" \"x\")"] {
        let program = support::program("", body);
        let fault = search(&program, GAME.as_bytes()).next().expect("a fault");
        let message = fault.expect_err("no files").message;
        assert!(message.contains("here"), "{message}");
    }
    assert!(!std::path::Path::new("limits-test.cqo").exists());
}

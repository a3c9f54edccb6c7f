//! Errors and trees of small examples.

use crate::cql5::tree::{Filter, FilterKind as K, Item};
use crate::cql5::{MAX_DEPTH, parse};

/// Returns the tree in prefix form, or the diagnostics as `code line:column`.
fn show(text: &str) -> String {
    let parsed = parse(text.as_bytes(), MAX_DEPTH);
    if !parsed.is_ok() {
        let shown: Vec<String> = parsed
            .diagnostics
            .iter()
            .map(|d| {
                let start = d.span.start as usize;
                let (line, column) = crate::span::line_and_column(text.as_bytes(), start);
                format!("{} {line}:{column}", d.code)
            })
            .collect();
        return shown.join(", ");
    }
    parsed.query.filters.iter().map(tree).collect::<Vec<_>>().join(" ")
}

fn tree(filter: &Filter) -> String {
    let name = match &filter.kind {
        K::Designator { pieces, squares, variables } => {
            let mut text = format!("{:x}", pieces.0);
            if *squares != u64::MAX {
                text = format!("{text}@{}", squares.count_ones());
            }
            for variable in variables {
                text = format!("{text}${}", variable.0);
            }
            return text;
        }
        K::Sequence(sequence) => {
            let mut parts = Vec::new();
            for constituent in &sequence.constituents {
                let item = match &constituent.item {
                    Item::Filter(filter) => tree(filter),
                    Item::Group(members) => format!("group{}", members.len()),
                };
                parts.push(format!("{item}{:?}", constituent.repeats));
            }
            return format!("sequence({})", parts.join(" "));
        }
        K::Nullary(word) => return word.row().word.to_owned(),
        K::Or(_) => "or",
        K::On(_) => "on",
        K::Not(_) => "not",
        K::Block(_) => "block",
        K::Loop(_) => "loop",
        K::Direction { .. } => "direction",
        K::Relation(relation) => {
            return format!(
                "relation({} filters, {:?})",
                relation.filters.len(),
                relation.parameters.len()
            );
        }
        K::CountSquares(..) => "countsquares",
        K::Attack { .. } => "attack",
        K::Move(_) => "move",
        _ => "other",
    };
    let mut children = Vec::new();
    filter.for_each_child(&mut |child| children.push(tree(child)));
    format!("{name}({})", children.join(" "))
}

fn check(body: &str, want: &str) {
    assert_eq!(show(&format!("cql()\n{body}")), want, "{body}");
}

#[test]
fn operands_take_the_whole_chain() {
    check("not check or mate", "not(or(check mate))");
    check("up 1 K or Q", "direction(or(20 10))");
    check("A on B or R", "on(3f or(4 8))");
    check("A or B on R", "or(3f on(4 8))");
    check("A on B on R", "on(3f 4 8)");
    check("{A on B} or R", "or(on(3f 4) 8)");
    check("check or mate or wtm", "or(check mate wtm)");
}

#[test]
fn braces_around_one_filter_leave_no_trace() {
    check("countsquares 1 {{R}}", "countsquares(8)");
    check("{check mate} wtm", "block(check mate) wtm");
}

#[test]
fn the_body_of_a_loop_ends_with_its_list() {
    check("square $x in R check mate", "loop(8 check mate)");
    check("{square $x in R check} mate", "loop(8 check) mate");
    check("square $x in R or Q check", "loop(or(8 10) check)");
    check("square all $x check", "loop(check)");
    check("square all $x", "loop()");
    check("next (square $x in R check* mate)", "sequence(loop(8 check)[Star] mate[])");
    check("relation square $x in R R$x (mismatch 1)", "relation(1 filters, 1)");
}

#[test]
fn repetitions_are_no_groups() {
    check(
        "next (check{2 3} {mate wtm} (btm)+?)",
        "sequence(check[Times { min: 2, max: 3 }] block(mate wtm)[] group1[Plus, Optional])",
    );
}

#[test]
fn move_takes_each_parameter_once() {
    check("move from R to B move", "move(8 4) move()");
    check("move from R from B", "E0604 2:13");
    check("move primary primary", "E0604 2:14");
}

#[test]
fn faults_of_meaning_are_all_reported() {
    check("attack(wtm check) power 5 3 A power B", "E0606 2:8, E0606 2:12, E0605 2:25, E0605 2:37");
    check("R on check", "E0606 2:6");
    check("sort attack(A k)", "E0606 2:6");
    check("silent mate", "E0606 2:8");
    check("ray up up (R k)", "E0604 2:8");
    check("ray (R)", "E0604 2:5");
    check("up 8 K", "E0605 2:4");
}

#[test]
fn faults_of_syntax_end_their_list() {
    check("initial {}", "E0604 2:9");
    check("{check elo} {mate year}", "E0605 2:11, E0605 2:23");
    check("{check (} {mate to}", "E0604 2:8");
    check("{check or} {mate to}", "E0604 2:10, E0604 2:18");
    check("mate to check\nfrom wtm", "E0604 2:6, E0604 3:1");
    check("mate ) check", "E0604 2:6");
    check("", "E0604 2:1");
}

#[test]
fn variables() {
    check("square $x in R B$x", "loop(8 4$0)");
    check("square $x in R {square $y in N$x B$y$x}", "loop(8 loop(2$0 4$1$0))");
    check("$x", "E0607 2:1");
    check("{square $x in R $x} $x", "E0607 2:21");
    check("square $x in R square $x in B check", "E0607 2:23");
    check("square $x in R piece $x in R check", "E0607 2:22");
    check("square $x in R origin $x", "E0607 2:23");
    check("square x in R check", "E0604 2:8");
    check("square $x R", "E0604 2:11");
    check("square $x in R", "E0604 2:15");
}

#[test]
fn relations() {
    check("relation ()", "E0610 2:10");
    check("relation check", "E0604 2:15");
    check("relation (tomove)", "E0604 2:17");
    check("relation (mismatch 1", "E0604 2:21");
    check("relation (lcasubstring 0 3)", "E0605 2:11");
    check("relation echoflip (ancestor)", "E0610 2:19");
    check("relation echoflip (mismatch 1)", "relation(0 filters, 1)");
}

#[test]
fn sequences_and_searches() {
    check("next ()", "E0611 2:6");
    check("previous nestban (check)", "E0611 2:10");
    check("next (check{-1 2})", "E0611 2:12");
    check("next* depth -1 check", "E0611 2:13");
    check("next* depth 1 2 check", "E0611 2:13");
    check("sort min \"a\" movenumber 1 sort \"a\" year 2", "E0611 2:27");
}

#[test]
fn words_that_are_no_filters() {
    check("connectedpawns", "E0601 2:1");
    check("chek", "E0601 2:1");
    check("R==2", "E0601 2:1");
    check("variations", "E0604 2:1");
}

#[test]
fn headers() {
    for (text, want) in [
        ("mate", "E0604 1:1"),
        ("cql mate", "E0604 1:5"),
        ("cql(quiet) mate", "E0608 1:5"),
        ("cql(output a.pgn output b.pgn) mate", "E0608 1:18"),
        ("cql(input a.txt) mate", "E0608 1:11"),
        ("cql(result 1-1) mate", "E0604 1:12"),
        ("cql(matchcount 3 2) mate", "E0605 1:16"),
        ("cql(matchcount) mate", "E0605 1:15"),
        ("cql(input b1.pgn output R sort matchcount 2 silent variations) mate", "mate"),
        ("cql(player white \"x\" elo 2000 year 1999 site \"s\" event \"e\") mate", "mate"),
    ] {
        assert_eq!(show(text), want, "{text}");
    }
}

#[test]
fn images_have_a_limit() {
    check("flip shift flipcolor check", "other(other(other(check)))");
    check("shift {mate shift shift check}", "E0612 2:19");
    check("{shift shift check} shift check", "other(other(check)) other(check)");
}

#[test]
fn so_many_errors_are_reported_and_no_more() {
    for unit in ["//x\n", "x=1 ", "path --\n", "\"\" "] {
        let text = format!("cql() {}", unit.repeat(9999));
        let n = parse(text.as_bytes(), MAX_DEPTH).diagnostics.len();
        assert!((1..=100).contains(&n), "{unit}: {n}");
    }
}

#[test]
fn nesting_has_a_limit() {
    for (open, close) in
        [("{", "}"), ("not ", ""), ("next(", ")"), ("flip ", ""), ("R on R or ", "R")]
    {
        let deep = format!("cql() {}check{}", open.repeat(9999), close.repeat(9999));
        assert!(show(&deep).contains("E0612"), "{open}");
    }
}

proptest::proptest! {
    /// Parsing ends for every text, and the spans of diagnostics are within the text.
    #[test]
    fn any_words_can_be_parsed(words in proptest::collection::vec(any_word(), 0..40)) {
        let text = format!("cql() {}", words.join(" "));
        let parsed = parse(text.as_bytes(), MAX_DEPTH);
        for diagnostic in &parsed.diagnostics {
            assert!(diagnostic.span.start <= diagnostic.span.end);
            assert!(diagnostic.span.end as usize <= text.len(), "{text}");
        }
        assert!(!parsed.is_ok() || !parsed.query.filters.is_empty());
    }

    #[test]
    fn any_bytes_can_be_parsed(text: Vec<u8>) {
        parse(&text, MAX_DEPTH);
    }
}

fn any_word() -> impl proptest::strategy::Strategy<Value = &'static str> {
    use proptest::prelude::*;
    let words = crate::cql5::word::Word::ALL.iter().map(|word| word.text());
    let others = [
        "(", ")", "{", "}", "(", ")", "{", "}", "*", "+", "?", "1", "2", "-3", "R", "a1", "$x",
        "R$x", "\"s\"", "up", "1-0", "x.pgn", "or", "on", "in", ";", "é", "\n",
    ];
    let all: Vec<&'static str> = words.chain(others).chain(others).chain(others).collect();
    proptest::sample::select(all).boxed()
}

#[test]
fn spellings_of_cql_5_1_are_told() {
    let check = |body: &str, expected: &[&str]| {
        let text = format!("cql()\n{body}");
        let parsed = parse(text.as_bytes(), MAX_DEPTH);
        let mended = parsed.diagnostics.iter().map(|d| {
            assert_eq!((d.code, parsed.is_ok()), ("W0420", true), "{d:?}");
            let edit = d.edit.as_ref().expect("an edit");
            let mut text = text.clone();
            let place = edit.span.start as usize..edit.span.end as usize;
            text.replace_range(place, &edit.text);
            text.split_off("cql()\n".len())
        });
        let mended: Vec<String> = mended.collect();
        assert_eq!(mended, expected, "{body}");
    };
    check("square all $empty attack (k .)", &["square all $empty in attack (k _)"]);
    check(
        "square all $x attack ( . k ) attack (A $x)",
        &["square all $x in attack ( _ k ) attack (A $x)"],
    );
    check("square all $x in attack (k _) attack (A $x)", &[]);
    check("square all $x attack (A $x)", &[]);
    check("square all $x not attack (A $x)", &[]);
    check("square all $x wtm", &[]);
    check("countsquares 1 R on .", &["countsquares 1 R on _"]);
    check("R on {up 1 .}", &[]);
}

#[test]
fn edits_are_proposed() {
    for (body, edited) in [
        ("atack (R k)", "attack (R k)"),
        ("next* chek", "next* check"),
        ("flipcolour mate", "flipcolor mate"),
        (".a1", "_a1"),
        ("power 5 3 A", "power 3 5 A"),
        ("relation (sourcesquare R mismatch 1)", "relation (sourcesquares R mismatch 1)"),
        ("relation (tomove mach)", "relation (tomove match)"),
        ("countsquares R", ""),
        ("relation (tomove same)", ""),
        ("next (check) variations", ""),
    ] {
        let text = format!("cql()\n{body}");
        let parsed = parse(text.as_bytes(), MAX_DEPTH);
        let edit = parsed.diagnostics.first().and_then(|d| d.edit.as_deref());
        let found = edit.map_or(String::new(), |edit| {
            let (start, end) = (edit.span.start as usize, edit.span.end as usize);
            format!("{}{}{}", &text[6..start], edit.text, &text[end..])
        });
        assert_eq!(found, edited, "{body}");
    }
}

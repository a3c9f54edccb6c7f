//! Tests the results of searches for paths and lines, that they end, and that tables change
//! nothing.

mod support;

use std::sync::Arc;

use board::{MoveList, Position};
use engine::{CompileOptions, Limits, Program, Source, compile, search};
use proptest::prelude::*;

/// `1.A B 2.C (2.c d) 2...D`: ids 0 start, 1 A, 2 B, 3 C, 4 D, 5 c, 6 d.
const TREE: &str = "[Event \"?\"]\n\n1. e4 e5 2. Nf3 (2. Nc3 Nf6) 2... Nc6 *\n";

fn compiled(header: &str, body: &str, step_limit: u64, optimize: bool) -> Arc<Program> {
    let text = format!("cql({header}) {body}");
    let source = Source { name: "test.cql", text: text.as_bytes() };
    let options = CompileOptions {
        limits: Limits { steps: step_limit, ..Limits::default() },
        optimize,
        ..CompileOptions::default()
    };
    let compiled = compile(&source, &[], &options);
    match compiled.program {
        Some(program) => program,
        None => panic!("{text}\n{:#?}", compiled.diagnostics),
    }
}

/// Returns the matching games as PGN, or the fault.
fn outcome(program: &Arc<Program>, pgn: &str) -> Vec<String> {
    search(program, pgn.as_bytes())
        .map(|game| match game {
            Ok(game) => String::from_utf8_lossy(&game.pgn).into_owned(),
            Err(fault) => format!("{fault:?}"),
        })
        .collect()
}

/// Returns the comments that `body` writes into the first game of `pgn`, joined with `|` by
/// position, without those that the engine writes into every matching game; `-` if the game does
/// not match.
fn written(header: &str, body: &str, pgn: &str) -> String {
    let marked = format!("variations {header}");
    let games = |optimize| {
        let program = compiled(&marked, body, 1_000_000, optimize);
        outcome(&program, pgn)
    };
    let text = games(true);
    assert_eq!(text, games(false), "{body}");
    let Some(text) = text.into_iter().next() else {
        return "-".to_owned();
    };
    let moves = text.split("\n\n").nth(1).unwrap_or_default();
    let comments = moves.split('{').skip(1).map(|part| {
        let comment = part.split('}').next().unwrap_or_default();
        comment.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    let all: Vec<String> = comments.collect();
    all.join("|").replace("Game number 1", "").trim().to_owned()
}

#[test]
fn worked_examples() {
    for (body, want) in [
        // ends are tried in the order 1 2 3 4 5 6
        ("initial x={path --+} pathlastposition==position 4 comment(x)", "4"),
        ("initial x={path firstmatch --+} comment(x)", "1"),
        ("initial path 3 3 --+", "-"),
        ("initial path max {0-positionid} --+\n\npathlastposition==position 1", ""),
        // only comments of the best line, and of shorter attempts on it
        ("initial path -- comment(\"x\" pathcount) --{2}", "|x1"),
        ("initial path (--)+ comment(\"c\")", "|c|c|c|c"),
        ("initial line --> true+", ""),
        ("initial x={line --> true+} comment(x)", "5"),
        ("initial x={line singlecolor --> true+} comment(x)", "3"),
        ("initial x={line lastposition --> true+} x==position 4", ""),
        ("positionid==4 x={line <-- true+} comment(x)", "|5"),
        // a path has at least one move, a line may have none
        ("initial path (--)*\n\ncomment(pathcount)", "4"),
        ("terminal path (--)*", "-"),
        ("initial x={line --> initial} comment(x)", "1"),
        // only the best match is compared with the range
        ("initial path 3 (--){1,3} secondary", ""),
        ("initial path 2 (--){1,3}", "-"),
    ] {
        let got = written("quiet", body, TREE);
        assert_eq!(got, want, "{body}");
    }
}

#[test]
fn automatic_comments() {
    let start = "Start path that ends at move 3(wtm)";
    let end = "End path of length 4 that starts at move 1(wtm)";
    for (params, want) in [
        ("", format!("{start} CQL|{end}")),
        ("quiet", "CQL".to_owned()),
        ("quiet title \"t\"", "t CQL".to_owned()),
        ("quiet verbose", "CQL|move 1 of 4|move 2 of 4|move 3 of 4|move 4 of 4".to_owned()),
        (
            "title \"t\" max depth",
            "t Start path that ends at move 2(btm)[5] CQL|End path of length 3 that starts at \
             move 1(wtm) Max value: 1 id:5"
                .to_owned(),
        ),
        (
            "keepallbest",
            format!(
                "{start} Start path that ends at move 3(wtm)[6] CQL|{end} id:6 alternative|{end}"
            ),
        ),
    ] {
        let got = written("", &format!("initial path {params} --+"), TREE);
        assert_eq!(got, want, "{params}");
    }
}

#[test]
fn groups_moves_and_filters_are_told_apart() {
    for (body, want) in [
        // parentheses are a filter, braces are a constituent with moves
        ("initial path (P)-- (n)-- comment(\"k\")", "|k"),
        ("initial path {P}-- {n}--", "-"),
        ("initial path {P}-- {p}-- comment(\"k\")", "|k"),
        ("initial path -- comment(\"x\") (P)-- comment(\"k\")", "|x|k"),
        ("initial path -- {P}--", "-"),
        ("initial path -- (p)--{2}-- comment(\"k\")", "|k"),
        ("initial path ({P}-- p--)+-- comment(\"k\")", "|k"),
        // moves within filters do not belong to the path
        ("initial path -- not --", "-"),
        ("initial path --+ not -- comment(\"e\")", "|e"),
        ("initial path -- comment((--)) --", "|<true>"),
        ("initial path --(#(--(to))==1)+ not --(N) comment(\"e\")", "-"),
        ("ply==1 path -- x=N--(to) comment(x)", "|f3"),
        ("initial path --{2} -- if wtm then -- else b7 comment(\"k\")", "|k"),
        // the end of a path
        ("initial {path --{9} or comment(\"o\")}", "o"),
        ("initial if path --{9} then comment(\"y\") else comment(\"n\")", "n"),
        ("initial x={path lastposition -- {+}:ply} comment(x)", "4"),
        ("initial path -- <2", ""),
        ("initial path --+ ==4", ""),
        ("initial path --+ <4", "-"),
        ("initial path (ply)<3 --", "-"),
        ("terminal path (wtm) or comment(\"o\")", "|o|o"),
    ] {
        assert_eq!(written("quiet", body, TREE), want, "{body}");
    }
}

#[test]
fn comments_of_the_focus_go_where_the_path_is_a_condition() {
    for (body, want) in [
        ("initial path quiet focus {comment(\"f\") A} --", "f"),
        ("initial {path focus {comment(\"f\") A} -- mate} or true", ""),
        ("initial not path focus {comment(\"f\") A} -- mate", ""),
        ("initial comment(path focus {comment(\"f\") A} -- mate)", "f <false>"),
        ("initial {x=path focus {comment(\"f\") A} -- mate} or true", "f"),
    ] {
        assert_eq!(written("quiet", body, TREE), want, "{body}");
    }
}

#[test]
fn images_ban_positions_of_their_own() {
    for (body, want) in [
        ("flipcolor {path nestban A-- comment(\"w\") a--}", "|w|w|w"),
        ("flipcolor {line nestban --> wtm --> {btm comment(\"b\")}}", "|b|b|b|b|b"),
        // without transforms
        ("path nestban -- comment(\"w\") --", "|w|w"),
    ] {
        assert_eq!(written("quiet", body, TREE), want, "{body}");
    }
}

#[test]
fn tracks_are_parted_behind_the_first() {
    for (focus, want) in [
        ("Pe2", "Pe2-e4"),
        ("[a1,e2,h8]", "Pe2-e4 "),
        ("[b1,g1,e2,e7]", "Ng1-f3 Pe2-e4 pe7-e5"),
        ("[g1,a2,b2,e2,a7]", "Ng1-f3   Pe2-e4 "),
    ] {
        let body = format!("initial path piecepath focus {focus} --+");
        let program = compiled("quiet", &body, 1_000_000, true);
        let text = outcome(&program, TREE).concat();
        let want = format!("{{Game number 1 Focus path: {want}}}");
        assert!(text.contains(&want), "{want}: {text}");
    }
}

#[test]
fn a_target_whose_squares_are_wanted_keeps_its_comments() {
    for (body, want) in [
        ("initial x=--(comment(\"d\") false to) comment(x)", "[]|d"),
        ("ply==1 x=previous --(comment(\"d\") secondary to)", "|d"),
        ("initial x=--({comment(\"d\") false} to)", ""),
        ("initial x=--=.(comment(\"d\") to) comment(x)", "[]"),
        ("initial --(comment(\"d\") false to) or true", ""),
        ("initial {x=--(comment(\"d\") false ply)} or true", ""),
        ("initial x=a1--(comment(\"d\") to) comment(x)", "[]"),
    ] {
        assert_eq!(written("quiet", body, TREE), want, "{body}");
    }
}

#[test]
fn a_sort_that_begins_a_part_counts_twice() {
    for (body, want) in [
        ("path {sort ply} --", "<sort-id-1>: none <sort-id-2>: 4}"),
        ("path {sort ply} -- {sort #A}", "<sort-id-1>: none <sort-id-2>: 4 <sort-id-3>: 16}"),
        ("path -- {sort ply}", "CQL <sort-id-1>: 4}"),
        ("path {sort \"p\" ply} --", "CQL p: 4}"),
    ] {
        let program = compiled("", body, 1_000_000, true);
        let text = outcome(&program, TREE).concat();
        let words: Vec<&str> = text.split_whitespace().collect();
        assert!(words.join(" ").contains(want), "{body}: {text}");
    }
}

/// Returns a game of `n` moves that moves a knight back and forth.
fn long_game(n: usize) -> String {
    let moves = ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "];
    let moves: String = moves.iter().cycle().take(n).copied().collect();
    format!("[Event \"?\"]\n\n{moves}*\n")
}

#[test]
fn iterations_that_take_no_move_end() {
    for (body, want) in [
        ("path (true)* --", ""),
        ("path (true)+ --{6} terminal", ""),
        ("path (--?)* terminal", ""),
        ("path ((--?)*)* terminal", ""),
        ("path ((((true)*)*)+)* --", ""),
        // a required constituent may match no moves
        ("path (--?){2,} (--){6} terminal", ""),
        ("path (--?)+ (--){6} terminal", ""),
        ("path (--?){3} (--){6} terminal", ""),
        ("path (--?){3} (--){2} terminal", "-"),
        ("path ((--?){0,40}){0,40} terminal", ""),
        ("path (((--)? true)* ply>2 (--)?)+ terminal", ""),
    ] {
        let body = format!("initial {body}");
        assert_eq!(written("quiet", &body, &long_game(6)), want, "{body}");
    }
}

#[test]
fn nested_repetitions_do_not_explode() {
    for (body, n_steps) in [
        ("path (--)*(--)*(--)*", 100_000),
        ("path --* --* --* --* --* --* mate", 100_000),
        ("path ((--)+)+", 100_000),
        ("path (((--)+)+)+ comment(\"c\" pathcount) mate", 3_000_000),
        ("path (-- --?)+ check", 100_000),
        ("path ((--)? check)+", 100_000),
        ("path ((--)? comment(\"a\") wtm)+ mate", 100_000),
        ("path ((--){1,5}){2,7}", 1_000_000),
        ("path ((--){1,100000}){1,100000} mate", 100_000),
        ("path singlecolor ((--)*(--)*)* mate", 10_000_000),
        ("path focus N ((--)+)+ mate", 10_000_000),
        ("path keepallbest ((--)+)+", 10_000_000),
        ("path max ply ((--)+)+ mate", 100_000),
        ("path firstmatch ((--)+)+ mate", 100_000),
        ("line --> true* --> true* --> true* --> mate", 100_000),
        ("line --> ((wtm --> btm)+ --> true?)+ --> mate", 100_000),
    ] {
        let program = compiled("", body, n_steps, true);
        for game in search(&program, long_game(300).as_bytes()) {
            assert!(game.is_ok(), "{body}: {game:?}");
        }
    }
}

#[test]
fn searches_with_effects_are_given_up() {
    let program = compiled("", "x=0 path ((--)+ x+=1)+", 1_000_000, true);
    let games: Vec<_> = search(&program, long_game(300).as_bytes()).collect();
    assert!(matches!(games.as_slice(), [Err(_)]), "{games:?}");
}

#[test]
fn a_very_long_game_does_not_go_deep() {
    let pgn = long_game(40_000);
    let body = |body: &str| format!("initial {body} comment(pathcount)");
    for body in [
        body("path (--)*(--)*\n\n"),
        body("path (-- {true or x=1})*\n\n"),
        "initial x={line --> true+} comment(x)".to_owned(),
    ] {
        let thread = std::thread::Builder::new().stack_size(2 << 20);
        let (pgn, text) = (pgn.clone(), body.clone());
        let run = thread.spawn(move || {
            let program = compiled("quiet", &text, 100_000_000, true);
            outcome(&program, &pgn).concat()
        });
        let text = run.expect("a thread").join().expect("no overflow");
        assert!(text.contains(" 40000}") || text.contains(" 40001}"), "{body}");
    }
}

/// Generates a filter; some filters make comments or depend on the progress of the path.
fn filter(path: bool) -> BoxedStrategy<String> {
    let everywhere = prop::sample::select(vec![
        "wtm",
        "{positionid % 3 == 1}",
        "{positionid % 4 < 3}",
        "{ply < 4}",
        "secondary",
        "{not terminal}",
        "true",
        "comment(\"a\")",
        "comment(\"b\" positionid)",
        "{find quiet {positionid % 7 == 0}}",
    ]);
    let in_paths = prop::sample::select(vec![
        "{pathcount < 3}",
        "{pathcount != 2}",
        "comment(\"n\" pathcount)",
        "{pathstart:positionid < 4}",
    ]);
    if path {
        prop_oneof![3 => everywhere, 1 => in_paths].prop_map(str::to_owned).boxed()
    } else {
        everywhere.prop_map(str::to_owned).boxed()
    }
}

fn suffix() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["{1}", "{1}", "?", "*", "+", "{2}", "{0,2}", "{1,3}", "{2,}", "{,3}"])
        .prop_map(str::to_owned)
}

/// Generates a constituent of a path that may follow any other.
fn constituent(depth: u32) -> BoxedStrategy<String> {
    let filters = prop::collection::vec(filter(true), 0..2).prop_map(|f| f.join(" "));
    let dash = prop::sample::select(vec!["--", "--", "--a-d1-8", "[Nn]--", "×"]);
    let dash = (dash, filters, suffix()).prop_map(|(d, f, s)| format!("({d} {f}){s}"));
    let test = filter(true).prop_map(|f| format!("({f}){{1}}"));
    if depth == 0 {
        return prop_oneof![3 => dash, 1 => test].boxed();
    }
    let inner = prop::collection::vec(constituent(depth - 1), 1..3);
    let group = (inner, suffix()).prop_map(|(inner, s)| format!("({}){s}", inner.join(" ")));
    prop_oneof![3 => dash, 1 => test, 2 => group].boxed()
}

fn path() -> impl Strategy<Value = String> {
    let focus = prop::sample::select(vec!["", "", "singlecolor", "focus [Nn]", "focus capture P"]);
    let options = prop::sample::subsequence(
        vec!["firstmatch", "keepallbest", "max {positionid % 5}", "nestban", "verbose", "quiet"],
        0..3,
    );
    let constituents = prop::collection::vec(constituent(2), 1..4);
    (focus, options, constituents).prop_map(|(focus, options, constituents)| {
        format!("path {focus} {} {}", options.join(" "), constituents.join(" "))
    })
}

/// Comments at a position are in the order of the last visits of the states of the pattern.
#[test]
fn what_is_passed_twice_has_the_comments_of_the_last_time() {
    let path =
        "path singlecolor keepallbest ((-- comment(\"b\" positionid)){1} (-- comment(\"a\")){,3})*";
    let tree = tree(&[400, 1, 112, 421, 0, 15546, 12356, 22821, 21, 1, 536]);
    let (fast, plain) = both_outcomes(path, &tree);
    assert!(plain.concat().contains("{a b14 End"), "{plain:?}");
    assert_eq!(fast, plain);
}

/// Generates a constituent of a line. Suffixes need a body that matches something.
fn line_constituent(depth: u32) -> BoxedStrategy<String> {
    let one = (filter(false), suffix()).prop_map(|(f, s)| format!("{{{f} true}}{s}"));
    if depth == 0 {
        return one.boxed();
    }
    let inner = (filter(false), prop::collection::vec(line_constituent(depth - 1), 0..2));
    let group = (inner, suffix()).prop_map(|((first, rest), s)| {
        let rest: String = rest.iter().map(|r| format!(" --> {r}")).collect();
        format!("({first}{rest}){s}")
    });
    prop_oneof![one, group].boxed()
}

fn line() -> impl Strategy<Value = String> {
    let options = prop::sample::subsequence(
        vec!["singlecolor", "firstmatch", "nestban", "quiet", "primary"],
        0..3,
    );
    let constituents = prop::collection::vec(line_constituent(2), 1..4);
    (options, constituents).prop_map(|(options, constituents)| {
        let constituents: String = constituents.iter().map(|c| format!(" --> {c}")).collect();
        format!("line {}{constituents}", options.join(" "))
    })
}

/// Returns the PGN of a random game tree with at most `choices.len()` moves.
fn tree(choices: &[u16]) -> String {
    let mut text = String::from("[Event \"?\"]\n\n");
    let mut choices = choices.iter();
    branch(&Position::START, &mut choices, 0, &mut text);
    text.push_str("*\n");
    text
}

fn branch(
    position: &Position,
    choices: &mut std::slice::Iter<'_, u16>,
    depth: u32,
    text: &mut String,
) {
    let mut position = *position;
    while let Some(&choice) = choices.next() {
        if depth > 0 && choice % 5 == 0 {
            return;
        }
        let mut moves = MoveList::default();
        position.legal_moves(&mut moves);
        let n = moves.len();
        if n == 0 {
            return;
        }
        let mv = moves[usize::from(choice) % n];
        text.push_str(&format!("{} ", board::san(&position, mv)));
        if depth < 3 && choice % 3 == 0 {
            let other = moves[(usize::from(choice) + 1) % n];
            text.push_str(&format!("( {} ", board::san(&position, other)));
            branch(&position.play(other), choices, depth + 1, text);
            text.push_str(") ");
        }
        position = position.play(mv);
    }
}

/// Returns the results with and without a table.
fn both_outcomes(body: &str, pgn: &str) -> (Vec<String>, Vec<String>) {
    let fast = compiled("variations", body, 10_000_000, true);
    let plain = compiled("variations", body, 10_000_000, false);
    (outcome(&fast, pgn), outcome(&plain, pgn))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 3000, ..ProptestConfig::default() })]

    #[test]
    fn a_table_changes_no_path(path in path(), choices in prop::collection::vec(any::<u16>(), 1..14)) {
        let (fast, plain) = both_outcomes(&path, &tree(&choices));
        // only the search without a table may take too long
        prop_assume!(!plain.concat().contains("too many steps"));
        prop_assert_eq!(fast, plain, "{}", tree(&choices));
    }

    #[test]
    fn a_table_changes_no_line(line in line(), choices in prop::collection::vec(any::<u16>(), 1..14)) {
        let (fast, plain) = both_outcomes(&line, &tree(&choices));
        prop_assert_eq!(fast, plain, "{}", tree(&choices));
    }
}

//! Counts after each condition: the line of a search that found nothing, and `cql explain QUERY
//! GAMES`.

mod support;

use std::fs;

use support::Place;

const GAMES: &str = "\
[White \"Scholar\"]\n\n1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
[White \"Draw\"]\n\n1.e4 e5 1/2-1/2\n\n\
[White \"Fool\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place
    }
}

#[test]
fn a_search_of_unreadable_games_blames_no_option() {
    let place = Place::empty();
    place.write("text.pgn", "x\n");
    let ran = place.run("text.pgn -cql true");
    let expected = "error: none of 1 game could be searched: nothing is written\n";
    assert!(ran.out.ends_with(expected), "{} {}", ran.out, ran.err);
}

#[test]
fn a_search_that_sorts_says_how_many_games_it_left_out() {
    let place = Place::empty();
    place.write("g.pgn", GAMES.replace("[White \"Fool\"]", "[White \"Fool\"]\n[WhiteElo \"900\"]"));
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!((ran.status, &*ran.err), (Some(0), expected), "{line}: {}", ran.out);
    };
    let without = "1 game without a value of `sort \"elo\" elo` is left out; `{sort \"elo\" elo} or \
                   true` keeps them, after all others\n";
    check("g.pgn -cql mate_sort_\"elo\"_elo", without);
    check("g.pgn -cql mate_sort_\"elo\"_elo_sort_\"moves\"_ply -o o.pgn", without);
    check(
        "g.pgn -cql terminal_sort_elo --limit 1",
        &without.replace("1 game", "2 games").replace(" is ", " are ").replace("\"elo\" ", ""),
    );
    check("g.pgn -cql mate_sort_\"moves\"_ply", "");
    check("g.pgn -cql mate_{{sort_\"elo\"_elo}_or_true}", "");
    check("g.pgn -cql sort_\"elo\"_elo_mate", "");
    check("g.pgn -cql mate_sort_\"elo\"_elo --quiet", "");
}

#[test]
fn a_search_that_found_nothing_says_where_the_games_were_lost() {
    let place = Place::new();
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {}{}", ran.out, ran.err);
        assert!(ran.out.contains("0 matches of 3 games"), "{line}: {}", ran.out);
        let expected = match expected {
            "" => String::new(),
            expected => format!("no matches: {expected}\n"),
        };
        assert_eq!(ran.err, expected, "{line}");
    };
    check(
        "g.pgn -cql mate_wtm_Q==2",
        "the conditions before `Q==2` hold in 1 game, together with it in none",
    );
    check("g.pgn -cql stalemate", "`stalemate` holds in none of 3 games");
    check("g.pgn -cql mate -cql Q==2", "`mate` holds in 2 games, together with `Q==2` in none");
    check(
        "g.pgn -cql path_--_check_--",
        "the path reaches `path -- check` in 2 games, and `--` in none",
    );
    check("g.pgn -year 1900 -cql mate", "none of 3 games fits `-year 1900`");
    check(
        "g.pgn -matchcount 5 6 -cql mate",
        "all conditions hold in 2 of 3 games, but at fewer or more positions than matchcount permits",
    );
    place.write("x.cql", "cql() x=Q\nflipcolor { check x==Q\n  #x==5 }\n");
    check("x.cql g.pgn", "the conditions before `#x==5` hold in 2 games, together with it in none");
    check("g.pgn -cql stalemate -nooutputstatus", "");
    // Older queries, the second and the third without a translation.
    for (query, expected) in [
        ("(match (position :stalemate))", "`:stalemate` holds in none of 3 games"),
        (
            "(match (position :mate :shiftdiagonal Qf7) (position Qa1 :check))",
            "the conditions before `Qa1` hold in 1 game, together with it in none",
        ),
        (
            "cql() attack 1 9 (A a) flipcolor {mate attack (R k)}",
            "the conditions before `attack (R k)` hold in 1 game, together with it in none",
        ),
        (
            "cql(player \"Fool\") next* stalemate",
            "`next* stalemate` holds in none of the 1 game \
            that fits the header",
        ),
    ] {
        place.write("old.cql", query);
        check("old.cql g.pgn", expected);
    }
    let quiet = place.run("g.pgn -cql stalemate --progress=none");
    assert_eq!((quiet.status, &*quiet.out, &*quiet.err), (Some(0), "", ""));
    let scholar = "`player \"Schollar\"` holds in none of 3 games\n\
                   no matches: no game that was read has \"Schollar\" there; did you mean \"Scholar\" (1 game)?";
    check("g.pgn -cql player_\"Schollar\"", scholar);
    check(
        "g.pgn -cql tag_\"Termination\"_~~_\"ime\"",
        "`tag \"Termination\" ~~ \"ime\"` holds in none of 3 games\n\
         no matches: no game that was read has a tag Termination",
    );
    check(
        "g.pgn -cql elapsed>40",
        "`elapsed>40` holds in none of 3 games\n\
         no matches: no game that was read has a comment `[%emt …]`: from clocks, the time used \
         without increments is `parent:parent:clock - clock`",
    );
    check(
        "g.pgn -cql player_\"Scholar\" -cql stalemate",
        "`player \"Scholar\"` holds in 1 game, together with `stalemate` in none",
    );
    // Not a word where something was found, or was not to be found.
    for line in ["g.pgn -cql mate", "g.pgn -cql true --exclude"] {
        assert_eq!(place.run(line).err, "", "{line}");
    }
}

#[test]
fn the_line_says_which_games_were_judged() {
    let place = Place::new();
    let game = |name: &str, year: u32| {
        format!("[White \"{name}\"]\n[Date \"{year}.01.02\"]\n\n1.e4 e5 1-0\n\n")
    };
    place.write("years.pgn", game("Carlsen", 2012) + &game("Anand", 2013) + &game("So", 2013));
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!(ran.err.lines().next(), Some(expected), "{line}");
    };
    check(
        "years.pgn -white Carlsen -year 2013",
        "no matches: `player white \"Carlsen\"` of -white holds in none of the 2 games that fit `-year 2013`",
    );
    check(
        "years.pgn -white Anand -year 2013 2014 -cql mate",
        "no matches: of the 2 games that fit `-year 2013 2014`, `player white \"Anand\"` of -white holds in \
         1 game, together with `mate` in none",
    );
    // Nobody typed the filter of an option.
    let warned = place.run("years.pgn -white carlsen").out;
    assert!(warned.contains("the option -white adds this filter before the query"), "{warned}");
    let typed = place.run("years.pgn -cql player_white_\"carlsen\"").out;
    assert!(typed.contains("W0410") && !typed.contains("adds this filter"), "{typed}");
    // The games that are evaluated again are a matter of bytes, and not of time.
    place.write("many.pgn", game("Anand", 2013).repeat(200_000));
    let first = place.run("many.pgn -cql mate").err;
    assert!(first.contains("`mate` holds in none of the first "), "{first}");
}

#[test]
fn a_match_in_a_variation_is_reported() {
    let place = Place::empty();
    let game = "[Result \"*\"]\n\n1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 (3...g6) 4.d3 (4.Qxf7#) *\n\n";
    place.write("g.pgn", game.repeat(2));
    let said = |line: &str| place.run(line).err;
    let variations = "no matches: 2 games match in variations, which --variations searches, too\n";
    let err = said("g.pgn -cql path_--f7_mate");
    assert!(err.ends_with(variations) && err.lines().count() == 2, "{err}");
    place.write("q.cql", "cql() path Q--f7 mate");
    assert!(said("g.pgn q.cql").ends_with(variations));
    for line in ["--variations -cql path_--f7_stalemate", "-cql path_--f7_stalemate"] {
        let err = said(&format!("g.pgn {line}"));
        assert!(err.starts_with("no matches: ") && !err.contains("variations"), "{line}: {err}");
    }
    assert!(!said("g.pgn -novariations -cql path_--f7_mate").contains("variations"));
}

#[test]
fn the_line_keeps_out_of_the_way() {
    let place = Place::new();
    place.write("q.cql", "cql() stalemate");
    let ran = place.run("--stdout q.cql g.pgn");
    assert_eq!(ran.out, "");
    assert!(ran.err.contains("no matches: `stalemate` holds in none"), "{}", ran.err);
    let ran = place.run_on("-guipgnstdin -guipgnstdout q.cql", GAMES);
    assert!(!ran.out.contains("no matches") && ran.err.is_empty(), "{}", ran.err);
    let ran = place.run_on("q.cql -", GAMES);
    assert!(ran.err.contains("`cql explain QUERY GAMES`"), "{}", ran.err);
    // The effects of the query are not repeated.
    place.write(
        "w.cql",
        "cql() initial writefile(\"w.cqo\" \"x\") message(\"m\") persistent seen += 1 false",
    );
    let ran = place.run("w.cql g.pgn");
    assert!(ran.err.contains("together with it in none"), "{}", ran.err);
    assert_eq!(ran.out.matches(": m").count(), 3, "{}", ran.out);
    assert!(ran.out.ends_with("\nseen: 3\n"), "{}", ran.out);
    let written = fs::read_to_string(place.dir().join("w.cqo"));
    assert_eq!(written.ok().as_deref(), Some("xxx"));
}

#[test]
fn every_condition_is_counted() {
    let place = Place::new();
    place.write(
        "q.cql",
        "cql()\n// first\nnot initial\nflipcolor {\n  mate\n  btm }\npower A\n  > power a\n",
    );
    let expected = "\
Games of g.pgn that remain after each condition: 3

    games    positions   line  condition
        3           16         (none)
        3           13      3  not initial
        2            2      4  flipcolor { mate }
        2            2      6  btm
        1            1      7  power A > power a
";
    for line in ["q.cql g.pgn", "q -input=g.pgn -threads 2"] {
        let ran = place.run(&format!("explain {line}"));
        assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected, ""), "{line}");
        assert_eq!(ran.status, Some(0), "{line}");
    }
    let ran = place.run_on("explain q.cql -", GAMES);
    assert!(ran.out.contains("13      3  not initial"), "{}{}", ran.out, ran.err);
    let ran = place.run("explain --json q.cql g.pgn");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["games"], 3);
    assert_eq!(json["conditions"][3]["condition"], "power A > power a");
    assert_eq!(json["conditions"][3]["line"], 7);
    assert_eq!(json["conditions"][3]["games"], 1);
    assert_eq!(json["conditions"].as_array().map(Vec::len), Some(4));
}

#[test]
fn the_header_has_rows() {
    let place = Place::new();
    place.write("q.cql", "cql(gamenumber 1 2 matchcount 3 9)\nwtm\n");
    let expected = "\
Games 1 to 2 of g.pgn that remain after each condition

    games    positions   line  condition
        2           11         (header)
        2            6      2  wtm
        1            4         matchcount 3 9
";
    let ran = place.run("explain q.cql g.pgn");
    assert_eq!((ran.out.as_str(), ran.err.as_str()), (expected, ""));
    let ran = place.run("q.cql g.pgn -o out.pgn");
    assert!(ran.out.contains("1 matches of 3 games"), "{}", ran.out);
    let ran = place.run("explain --json q.cql g.pgn");
    let json: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(json["header"]["positions"], 11);
    assert_eq!(json["conditions"][1]["condition"], "matchcount 3 9");
    assert_eq!(json["conditions"][1]["games"], 1);
    place.write("r.cql", "cql(result 1-0) true");
    let ran = place.run("explain r.cql g.pgn");
    assert!(ran.out.contains("        1            8         (header)\n"), "{}", ran.out);
}

#[test]
fn the_figures_are_those_of_searches() {
    let place = Place::new();
    // An older query without a translation, one that needs the number of games, and one that
    // fails.
    place.write(
        "old.cql",
        "(match (position :mate :shiftdiagonal Qf7\n :flipcolor :markall) :result 1-0)",
    );
    let ran = place.run("explain old.cql g.pgn");
    let expected = "
        1            8         (header)
        1            1      1  :mate
        1            1      1  Qf7
";
    assert!(ran.out.ends_with(expected), "{}{}", ran.out, ran.err);
    place.write("last.cql", "cql() gamenumber == lastgamenumber mate");
    let ran = place.run("explain last.cql g.pgn");
    assert!(ran.out.contains("        1            1      1  mate\n"), "{}", ran.out);
    place.write("fails.cql", "cql() mate while (true) ply\n");
    let ran = place.run("explain fails.cql g.pgn --limits steps=1000");
    assert_eq!(ran.status, Some(1), "{}", ran.out);
    assert!(ran.err.ends_with("faulty games: 2 on which the query exceeds a limit\n"), "{ran:?}");
    assert_eq!(ran.err.matches("takes too many steps on this game").count(), 2, "{ran:?}");
    // The messages about damaged games and variants are those of a search.
    place.write("bad.pgn", format!("{GAMES}[Event \"x\"]\n[Variant \"Bughouse\"]\n\n1. e4 *\n"));
    let searched = place.run("bad.pgn -cql mate -o o.pgn --progress none");
    let ran = place.run("explain last.cql bad.pgn");
    assert!(ran.err.contains("variants that cql cannot play"), "{ran:?}");
    assert_eq!((ran.status, &ran.err), (searched.status, &searched.err), "{ran:?}");
    // Too many steps on each of ten games end it, as they end a search.
    place.write("ten.pgn", GAMES.repeat(4));
    let given_up = "the query takes too many steps on each of the first games";
    place.write("endless.cql", "cql() while (true) ply\n");
    for line in ["explain endless.cql ten.pgn", "endless.cql ten.pgn -o out.pgn"] {
        let ran = place.run(&format!("{line} --limits steps=1000"));
        assert_eq!(ran.status, Some(1), "{line}: {}", ran.out);
        let said = ran.out + &ran.err;
        assert!(said.contains(given_up), "{line}: {said}");
    }
    let ran = place.run("explain fails.cql none.pgn");
    assert!(ran.err.contains("error: cannot read none.pgn"), "{}", ran.err);
}

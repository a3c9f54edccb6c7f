//! The subcommands as processes: exit status, files, messages and their streams.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use support::{Place, files_in};

impl Place {
    fn new(files: &[(&str, &[u8])]) -> Place {
        let place = Place::empty();
        for (name, text) in files {
            place.write(name, text);
        }
        place
    }
}

/// Runs a command in an empty directory. Its output must contain these texts, or be empty.
fn check(line: &str, status: i32, out: &[&str], err: &[&str]) {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let ran = Place::new(&[]).cql(&arguments);
    assert_eq!(ran.status, Some(status), "{line}: {}{}", ran.out, ran.err);
    for (text, expected) in [(&ran.out, out), (&ran.err, err)] {
        assert_eq!(text.is_empty(), expected.is_empty(), "{line}: {text}");
        for part in expected {
            assert!(text.contains(part), "{line}: {part}\n{text}");
        }
    }
}

#[test]
fn the_help_is_good_enough_to_work_from() {
    let everything = ["-matchstring TEXT", "  migrate  ", "Exit status"];
    for line in ["help", "--help", "-help"] {
        check(line, 0, &everything, &[]);
    }
    for line in ["-h", ""] {
        check(line, 0, &["-cql mate", "-o FILE", "Subcommands (", "--help"], &[]);
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let screen = Place::new(&[]).cql(&arguments).out;
        // A terminal of 24 lines shows the prompt, too.
        assert!(screen.lines().count() <= 23, "{screen}");
        assert!(screen.lines().all(|line| line.chars().count() <= 80), "{screen}");
    }
    for line in ["help migrate", "migrate --help"] {
        check(line, 0, &["Usage: cql migrate [OPTIONS] <QUERY>"], &[]);
    }
}

#[test]
fn wrong_arguments_have_a_status_of_their_own() {
    let check = |line: &str, expected: &str| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ran = Place::new(&[]).cql(&arguments);
        let said = (ran.status, &*ran.out, &*ran.err);
        assert_eq!(said, (Some(2), "", &*format!("error: {expected}\n")));
    };
    check("migrate", "`cql migrate` needs QUERY; `cql help migrate` says more");
    check(
        "puzzles",
        "`cql puzzles` needs --output OUT and GAMES, as in `cql puzzles games.pgn -o exercises.pgn`; \
         `cql help puzzles` says more",
    );
    check(
        "sheet g.pgn",
        "`cql sheet` needs --output OUT, as in `cql sheet exercises.pgn -o handout.html`; `cql help \
         sheet` says more",
    );
    check(
        "tree g.pgn --best 3",
        "unknown option --best; write --top N: the number of rows that are shown; `cql help tree` \
         says more",
    );
    check("migrate a.cql b.cql", "unexpected argument 'b.cql' found; `cql help migrate` says more");
    check(
        "stats --jsn a.pgn",
        "unexpected argument '--jsn' found; a similar argument exists: '--json'; `cql help stats` \
         says more",
    );
}

#[test]
fn arguments_that_cannot_be_used_have_this_status_too() {
    let place = Place::new(&[("g.pgn", b"1.e4 *\n"), ("masters.pgn", b"1.e4 *\n")]);
    for (line, said) in [
        ("like g.pgn", "give a position after g.pgn"),
        ("sheet g.pgn -o n.doc", "does not tell the form of the sheet"),
        ("puzzles g.pgn -o n.doc", "does not tell the format"),
        ("prepare g.pgn --player X --as white", "-o REPORT.html"),
        ("prepare g.pgn --player X --as white -o n.doc", "does not tell the format"),
        ("split g.pgn -o -", "-o names the folder"),
        ("check -cql mate", "a query is an argument itself: `cql check 'mate'`"),
        ("run -cql mate g.pgn", "a query without a file is an argument itself: 'mate'"),
        ("tree g.pgn --limit x", "--limit needs a whole number"),
    ] {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(2), "{line}: {ran:?}");
        assert!(ran.err.contains(said), "{line}: {ran:?}");
    }
    // Nothing is found, which is no error.
    for line in ["tree g.pgn -player Nobody", "stats g.pgn -player Nobody"] {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        assert!(ran.err.contains("no matches: no game is chosen"), "{line}: {ran:?}");
    }
    for (line, said) in [
        ("master.pgn -cql mate", "did you mean masters.pgn?"),
        ("stats master.pgn", "did you mean masters.pgn?"),
        ("g.pgn -n 3 -cql mate", "write cql games.pgn -cql mate -limit 10: the first 10 games"),
        ("g.pgn -cql mate --limit 0", "--limit needs a number of 1 or more, not 0"),
        ("g.pgn -cql mate --limit -1", "--limit needs a positive whole number, not '-1'"),
    ] {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!((ran.out.clone() + &ran.err).contains(said), "{line}: {ran:?}");
        assert!(!ran.err.contains("not read to their end"), "{line}: {ran:?}");
    }
    // Each of several queries has its number.
    let ran = place.cql(&["check", "mate mtae", "check foo"]);
    assert!(ran.out.contains("query 1:1:") && ran.out.contains("query 2:1:"), "{ran:?}");
}

#[test]
fn words_are_explained() {
    let explains = |line: &str, part: &str| check(line, 0, &[part], &[]);
    for word in ["mate", "stalemate", "⬓", "->", "--"] {
        for subcommand in ["help", "explain"] {
            let line = format!("{subcommand} {word}");
            match (subcommand, word) {
                // After other subcommands, it ends the options.
                ("explain", "->" | "--") => {}
                _ => explains(&line, &format!("{word}: ")),
            }
        }
    }
    explains("help mate", "check  Boolean  its king is attacked");
    explains("explain check", "check: Board and pieces");
    explains("help check", "Usage: cql check");
    explains("help check", "also a word of the language: cql explain check");
    explains("help --limit", "--limit N\n    write only the first N matching games");
    explains("help -o", "-o, -output FILE\n");
    explains("help E0203", "E0203: ");
    check("help mte", 1, &[], &["error: ", "`cql help mate`"]);
    check("help statz", 1, &[], &["`cql help stats`"]);
    check("help --limt", 1, &[], &["`cql help -limit`"]);
    check("help nosuchword", 1, &[], &["no help about 'nosuchword'", "`cql cookbook`"]);
    // A page, a section, and queries after a word of the language.
    explains("help smotherd mate", "For 'smothered mate':\n\nSmothered mate (recipe)");
    explains("help KRPPKR", "cql games.pgn -cql 'flipcolor material \"KRPPKR\"'");
    explains("help Qh8", "cql games.pgn -cql 'Qh8'");
    for words in ["live broadcast", "live", "broadcast", "watch"] {
        explains(&format!("help {words}"), "cql watch");
    }
    explains("help which squares pawns promote on", "--count-by to");
    explains("help outputs", "What a search writes, Reports\n");
    explains("help side to move", "Board and pieces, Side to move\n");
    explains("help stalemate", "Stalemate as a rescue (recipe): ");
    check("explain mte", 1, &[], &["no query or word 'mte'", "`cql explain mate`"]);
    // A file takes precedence.
    let place = Place::new(&[("mate.cql", b"cql() check")]);
    let ran = place.cql(&["explain", "mate"]);
    assert!(ran.out.contains("the side to move is in check"), "{}", ran.out);
}

#[test]
fn ideas_are_found_by_words_and_can_be_tried() {
    let place = Place::new(&[]);
    for idea in [
        "sacrifice",
        "fork",
        "zugzwang",
        "opposite colored bishops",
        "king walk",
        "lost on time",
        "mate in 2",
        "exchange sacrifice",
        "opposite side castling",
        "stalemate",
        "rook endgame",
        "underpromotion",
        "queen trade",
        "passed pawn",
        "smothered mate",
    ] {
        let mut line = vec!["help"];
        line.extend(idea.split(' '));
        let found = place.cql(&line);
        assert_eq!((found.status, &*found.err), (Some(0), ""), "{idea}");
        let mut tried = found.out.lines().filter_map(|line| line.strip_prefix("    cql "));
        let command = tried.next().unwrap_or_else(|| panic!("{idea}: {}", found.out));
        let checked = match command.strip_prefix("games.pgn -cql ") {
            Some(query) => place.cql(&["-parse", "g.pgn", "-cql", query.trim_matches('\'')]),
            None => {
                let recipe = command.strip_suffix(" | cql - games.pgn").expect(command);
                let recipe: Vec<&str> = recipe.split(' ').collect();
                let shown = place.cql(&recipe);
                assert_eq!((shown.status, &*shown.err), (Some(0), ""), "{command}");
                place.cql_on(&["-parse", "-"], shown.out.as_bytes())
            }
        };
        assert_eq!(checked.status, Some(0), "{idea}: {}", checked.out);
        // A query of these words is no query, and its message helps.
        if idea != "stalemate" {
            let refused = place.cql(&["-parse", "-cql", idea, "g.pgn"]);
            assert_eq!(refused.status, Some(1), "{idea}: {}", refused.out);
            let helps = ["`cql cookbook ", "+ "].iter().any(|sign| refused.out.contains(sign));
            assert!(helps, "{idea}: {}", refused.out);
        }
    }
    // The best answer is whole, and the others are a line each.
    let short = place.cql(&["help", "smothered", "mate"]).out;
    let whole = place.cql(&["help", "--all", "smothered", "mate"]).out;
    let commands = |text: &str| text.matches("\n    cql ").count();
    assert!(commands(&short) == 1 && commands(&whole) > 3, "{short}{whole}");
    let (best, others) = short.split_once("\nAlso:\n").expect("others");
    assert!(whole.starts_with(best), "{short}");
    assert!(others.lines().filter(|line| line.starts_with("  ")).count() == commands(&whole) - 1);
    assert!(others.lines().all(|line| line.chars().count() <= 80), "{others}");
    assert!(others.contains("`cql help --all smothered mate`"), "{others}");
    // A list is no query, and so nothing for a pipe.
    check("cookbook fork", 1, &[], &["Knight fork (recipe): ", "Pawn fork (recipe): "]);
    let without = "Without 'White':\n\nKnight fork (recipe): ";
    check("cookbook knight fork by White", 1, &[], &[without]);
    check("cookbook fork pawn", 0, &["// Pawn fork (Tactics)\n", "cql()\n"], &[]);
    check("cookbook tactics", 1, &[], &["Tactics: Knight fork; "]);
    check("cookbook exelsior", 1, &[], &["did you mean `cql cookbook excelsior`?"]);
    check("cookbook", 0, &["Tactics: Knight fork; Pawn fork;"], &[]);
    check("cookbook nosuchtheme", 1, &[], &["`cql help nosuchtheme`"]);
}

#[test]
fn words_that_find_one_recipe_print_it() {
    let place = Place::new(&[]);
    let shown = place.cql(&["cookbook", "bristol"]);
    assert_eq!((shown.status, &*shown.err), (Some(0), ""), "{}", shown.out);
    let checked = place.cql_on(&["-parse", "-"], shown.out.as_bytes());
    assert_eq!(checked.status, Some(0), "{}", checked.out);
}

#[test]
fn plain_words_lead_to_something() {
    for (line, expected) in [
        ("help Najdorf", "    cql games.pgn -cql 'opening \"Najdorf\"'\n"),
        ("help Najdorf", "    cql tree games.pgn Najdorf\n"),
        ("help King's Indian", "    cql tree games.pgn \"King's Indian\"\n"),
        ("help openings", "--openings FILE\n"),
        ("help openings", "Openings\n\n"),
        ("help sql", "Questions in SQL\n"),
        ("help python", "Python\n"),
        ("help themes", "    cql help a library of themes\n"),
        ("help outposts", "a knight on an outpost"),
        ("help zugswang", ""),
        ("help fix pgn", "    cql help doctor\n"),
        ("help --all 1,000 games", "    cql help -sample\n"),
        ("help --all top 1,000", "    cql help -limit\n"),
        ("help --all 50 random games", "    cql help -sample\n"),
        ("help KRPKR", "    cql games.pgn -cql 'material \"KRPKR\"'\n"),
        ("help krpkr", "    cql games.pgn -cql 'material \"KRPKR\"'\n"),
        ("help KRP KR", "    cql games.pgn -cql 'material \"KRPKR\"'\n"),
        ("help KRP vs. KR", "    cql games.pgn -cql 'flipcolor material \"KRPKR\"'\n"),
        ("help q:rr", "    cql games.pgn -cql 'material \"Q:RR\"'\n"),
        ("help find 2 {check}", "    cql games.pgn -cql 'find 2 {check}'\n"),
        ("help Qa1 attacks k", "    cql games.pgn -cql 'Qa1 attacks k'\n"),
        ("help --themes", "    cql help index\n"),
    ] {
        match expected {
            "" => check(line, 1, &[], &["did you mean `cql help zugzwang`?"]),
            _ => check(line, 0, &[expected], &[]),
        }
    }
    let place = Place::new(&[]);
    let material = place.cql(&["help", "material"]).out;
    assert!(material.contains("material \"Q:RR\"") && !material.contains("KRPXR"), "{material}");
    for line in ["help -openings", "help -exit-status"] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let text = place.cql(&arguments).out;
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    }
}

#[test]
fn a_query_is_explained_without_a_file() {
    let games = b"[White \"a\"]\n\n1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n";
    let place = Place::new(&[("g.pgn", games)]);
    let explains = |line: &[&str], expected: &str| {
        let ran = place.cql(line);
        assert_eq!((ran.status, &*ran.err), (Some(0), ""), "{line:?}");
        assert!(ran.out.contains(expected), "{line:?}: {}", ran.out);
    };
    let expected = "the side to move is mated";
    explains(&["explain", "mate castle"], expected);
    explains(&["explain", "cql() mate castle"], expected);
    explains(&["explain", "-cql", "mate"], expected);
    explains(&["explain", "mate castle", "g.pgn"], "castle");
    explains(&["explain", "-cql", "mate", "g.pgn"], "mate");
    let ran = place.cql(&["explain", "-cql", "mate chek"]);
    assert_eq!(ran.status, Some(1), "{}", ran.err);
    assert!(ran.err.contains("unknown name `chek`"), "{}", ran.err);
    explains(&["explain", "--(check) --(mate)"], "check");
    explains(&["explain", "-- check"], "check");
    for (query, fault) in [
        ("no such query", "unknown name `such`"),
        ("mate pawwns", "unknown name `pawwns`"),
        ("P >= p", "E0"),
        ("check {", "E0"),
    ] {
        for subcommand in ["explain", "check"] {
            let ran = place.cql(&[subcommand, query]);
            assert_eq!(ran.status, Some(1), "{}", ran.err);
            let said = ran.out + &ran.err;
            assert!(said.contains(fault) && !said.contains("cannot read"), "{query}: {said}");
        }
    }
}

#[test]
fn the_doctor_writes_where_o_says() {
    let place = Place::new(&[("bad.pgn", b"1.e4 e5 {never closed\n")]);
    for option in ["-o", "-output", "--output", "-repair"] {
        let name = format!("{}.pgn", option.trim_start_matches('-'));
        let ran = place.cql(&["doctor", "bad.pgn", option, &name]);
        assert_eq!(ran.status, Some(1), "{}", ran.err);
        assert!(place.read(&name).contains("never closed"), "{option}: {}", ran.out);
    }
}

/// Texts of the program name no file of its sources.
#[test]
fn no_message_names_a_file_that_an_installed_program_lacks() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut folders: Vec<PathBuf> = fs::read_dir(crates)
        .expect("the crates")
        .map(|entry| entry.expect("a crate").path().join("src"))
        .collect();
    let mut n = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("an entry").path();
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let name = name.unwrap_or_default();
            if path.is_dir() && name != "tests" {
                folders.push(path);
                continue;
            }
            let is_text = [".rs", ".txt", ".cql"].iter().any(|end| name.ends_with(end));
            if !is_text || name == "tests.rs" {
                continue;
            }
            n += 1;
            let text = fs::read_to_string(&path).expect("text");
            let program = text.split("#[cfg(test)]").next().unwrap_or_default();
            for line in program.lines() {
                let is_of_sources =
                    ["//", "*", "#!"].iter().any(|start| line.trim_start().starts_with(start))
                        || ["include_str!", "include!", "CARGO_MANIFEST_DIR", ".replace("]
                            .iter()
                            .any(|part| line.contains(part));
                let names =
                    ["docs/", "examples/", "crates/"].iter().any(|part| line.contains(part));
                assert!(is_of_sources || !names, "{}: {line}", path.display());
            }
        }
    }
    assert!(n > 300, "{n} files");
}

#[test]
fn options_of_subcommands_look_like_those_of_a_search() {
    let games = b"[White \"Fool\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n";
    let place = Place::new(&[("q.cql", b"cql() mate"), ("g.pgn", games)]);
    let expected = place.cql(&["stats", "--json", "--top=3", "g.pgn"]);
    assert_eq!(expected.status, Some(0), "{}", expected.err);
    for line in ["-json g.pgn -top 3", "g.pgn -JSON --Top 3", "-top=3 -json g.pgn"] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ran = place.cql(&[&["stats"], &arguments[..]].concat());
        assert_eq!((ran.status, ran.out), (Some(0), expected.out.clone()), "{line}");
    }
}

#[test]
fn games_stand_behind_queries_everywhere() {
    let games = b"[White \"Fool\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n";
    let place = Place::new(&[("q.cql", b"cql() mate"), ("g.pgn", games)]);
    for line in ["q.cql g.pgn", "q g.pgn", "g.pgn q.cql", "q -i g.pgn", "-input=g.pgn q.cql"] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let ran = place.cql(&arguments);
        assert!(ran.out.contains("1 matches of 1 games"), "{line}: {}", ran.out);
        let ran = place.cql(&[&["run"], &arguments[..]].concat());
        assert!(ran.out.contains("q          1        1          1"), "{line}: {}", ran.out);
        let ran = place.cql(&[&["bench", "-runs", "1"], &arguments[..]].concat());
        assert_eq!(ran.status, Some(0), "{line}: {}", ran.err);
        assert!(ran.out.contains("  1/5/1/1\n"), "{line}: {}", ran.out);
    }
    for subcommand in ["run", "bench"] {
        let ran = place.cql(&[subcommand, "q.cql"]);
        assert_eq!(ran.status, Some(2), "{}", ran.err);
        assert!(ran.err.contains("error: no games to search"), "{}", ran.err);
    }
}

#[test]
fn places_in_texts_of_arguments_are_those_of_the_user() {
    let place = Place::new(&[("g.pgn", b"1.e4 e5 *\n")]);
    for arguments in [
        &["check", "mate foo"][..],
        &["explain", "mate foo"],
        &["explain", "-cql", "mate foo"],
        &["bench", "mate foo", "g.pgn"],
        &["run", "mate foo", "g.pgn"],
        &["run", "--cql", "mate foo", "mate", "g.pgn"],
        &["watch", "g.pgn", "mate foo"],
        &["g.pgn", "-cql", "mate foo"],
        &["tree", "g.pgn", "-cql", "mate foo"],
    ] {
        let ran = place.cql(arguments);
        let said = ran.out + &ran.err;
        assert_eq!(ran.status, Some(1), "{arguments:?}: {said}");
        assert!(said.contains(":1:6\n") && !said.contains("cql()"), "{arguments:?}: {said}");
    }
    let ran = place.cql(&["check", "--json", "mate foo"]);
    assert!(ran.out.contains("\"column\":6,"), "{}", ran.out);
    // A text that begins like a query of older dialects is one in CQL 6.
    let ran = place.cql(&["explain", "(mate or check) btm"]);
    assert!(ran.out.contains("Black is to move"), "{ran:?}");
}

#[test]
fn a_name_that_no_file_has_is_read_as_a_query() {
    let place = Place::new(&[]);
    for subcommand in ["check", "explain"] {
        let ran = place.cql(&[subcommand, "Caro-Kann"]);
        assert_eq!(ran.status, Some(1), "{ran:?}");
        let said = ran.out + &ran.err;
        for part in ["no file 'Caro-Kann'", "read as a query", "`opening \"Caro-Kann Defense\"`"] {
            assert!(said.contains(part), "{subcommand}: {said}");
        }
        let ran = place.cql(&[subcommand, "nosuch.cql"]);
        assert!(ran.err.contains("cannot read nosuch.cql"), "{ran:?}");
    }
}

#[test]
fn the_help_is_asked_about_unknown_names() {
    let place = Place::new(&[]);
    for (query, command) in [
        ("perpetual check", "perpetual check"),
        ("albino", "albino"),
        ("check albino", "albino"),
        ("windmill", "cookbook windmill"),
    ] {
        let ran = place.cql(&["check", query]);
        assert_eq!(ran.status, Some(1), "{query}: {ran:?}");
        assert!(ran.out.contains(&format!("{command}`")), "{query}: {}", ran.out);
        assert!(!ran.out.contains("did you mean"), "{query}: {}", ran.out);
        let help: Vec<&str> = std::iter::once("help").chain(query.split(' ')).collect();
        assert_eq!(place.cql(&help).status, Some(0), "{query}");
    }
    let ran = place.cql(&["check", "stalmate"]);
    assert!(ran.out.contains("did you mean `stalemate`?"), "{ran:?}");
}

#[test]
fn options_before_a_subcommand_are_told() {
    let place = Place::new(&[("g.pgn", b"1.e4 e5 *\n")]);
    for line in ["--quiet tree g.pgn", "-limit 3 stats g.pgn"] {
        let ran = place.cql(&line.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, Some(1), "{ran:?}");
        assert!((ran.out + &ran.err).contains("a subcommand comes first"), "{line}");
    }
}

#[test]
fn limits_of_lists_and_of_games_are_told_apart() {
    let game = "[White \"A\"]\n\n1.e4 e5 *\n\n";
    let place = Place::new(&[("g.pgn", game.repeat(20).as_bytes())]);
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
    let ran = place.cql(&["like", "g.pgn", board, "--limit", "3"]);
    assert_eq!((ran.status, ran.out.lines().count()), (Some(0), 4), "{ran:?}");
    let ran = place.cql(&["tree", "g.pgn", "--limit", "3"]);
    assert!(ran.err.contains("counts 3 games; --top 3 shows 3 moves"), "{ran:?}");
    let ran = place.cql(&["tree", "g.pgn", "--limit", "3", "--top", "2"]);
    assert_eq!(ran.err, "");
}

#[test]
fn games_that_are_left_out_show_in_the_status_everywhere() {
    let games = b"[White \"A\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n[White \"B\"]\n\n1.e4 {never closed\n";
    let place = Place::new(&[("g.pgn", games), ("q.cql", b"cql() mate")]);
    let board = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w";
    for arguments in [
        &["q.cql", "g.pgn"][..],
        &["run", "q.cql", "g.pgn"],
        &["explain", "q.cql", "g.pgn"],
        &["stats", "g.pgn"],
        &["stats", "g.pgn", "--compare", "mate", "check"],
        &["stats", "g.pgn", "-cql", "mate"],
        &["tree", "g.pgn"],
        &["tree", "g.pgn", "--book", "b.bin"],
        &["dedup", "g.pgn"],
        &["prepare", "g.pgn", "--player", "A", "--as", "white", "--format", "json"],
        &["like", "g.pgn", board],
        &["puzzles", "g.pgn", "-o", "p.csv"],
        &["doctor", "g.pgn"],
    ] {
        let ran = place.cql(arguments);
        assert_eq!(ran.status, Some(1), "{arguments:?}: {ran:?}");
    }
    // An archive stores such games, too.
    let ran = place.cql(&["index", "g.pgn"]);
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.err.contains("1 game with faults; `cql doctor` shows where"), "{ran:?}");
    let ran = place.cql(&["stats", "g.pgn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
}

#[test]
fn a_query_is_not_taken_for_games() {
    let place = Place::new(&[("q.cql", b"cql() mate")]);
    for subcommand in
        [&["stats"][..], &["doctor"], &["index"], &["dedup"], &["split", "-o", "shards"]]
    {
        let ran = place.cql(&[subcommand, &["q.cql"]].concat());
        assert_eq!(ran.status, Some(1), "{subcommand:?}: {}", ran.err);
        let expected = "error: expected games, found the query q.cql\n";
        assert_eq!(ran.err, expected, "{subcommand:?}");
        assert_eq!(files_in(place.dir()), ["q.cql"], "{subcommand:?}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let place = Place::new(&[]);
    fs::create_dir(place.dir().join("dir.cql")).expect("made");
    for (argument, said) in [("none.cql", "none.cql"), ("dir.cql", "dir.cql")] {
        let ran = place.cql(&["migrate", argument]);
        assert_eq!(ran.status, Some(1), "{argument}: {}", ran.err);
        assert_eq!(ran.out, "", "{argument}");
        let expected = format!("error: cannot read {said}");
        assert!(ran.err.starts_with(&expected), "{argument}: {}", ran.err);
    }
}

#[test]
fn queries_come_from_files_or_standard_input() {
    let place = Place::new(&[("q.cql", b"cql() countsquares 2 3 R\n")]);
    let expected = "cql()\n{2<=#R<=3}\n";
    for name in ["q.cql", "q"] {
        let ran = place.cql(&["migrate", name]);
        assert_eq!((ran.status, &*ran.out), (Some(0), expected), "{name}");
    }
    let ran = place.cql_on(&["migrate", "-"], b"cql() countsquares 2 3 R\n");
    assert_eq!((ran.status, &*ran.out), (Some(0), expected));
}

#[test]
fn a_query_with_the_name_of_a_subcommand_can_be_run() {
    let games = b"[White \"Fool\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n";
    let place = Place::new(&[("migrate.cql", b"cql(input g.pgn) mate"), ("g.pgn", games)]);
    for arguments in [&["./migrate"][..], &["migrate.cql"], &["-s", "migrate"]] {
        let ran = place.cql(arguments);
        assert!(ran.out.contains("1 matches of 1 games"), "{}", ran.out);
    }
}

#[test]
fn queries_are_checked_without_being_run() {
    let place = Place::new(&[
        ("good.cql", b"cql(input none.pgn) mate"),
        ("bad.cql", b"cql()\nmate chek"),
        ("empty.cql", b""),
        ("latin.cql", b"cql() chek // na\xefve"),
    ]);
    let check = |names: &[&str], status, out: &[&str], err: &str| {
        let ran = place.cql(&[&["check"], names].concat());
        assert_eq!(ran.status, Some(status), "{names:?}: {}{}", ran.out, ran.err);
        assert_eq!(ran.out.is_empty(), out.is_empty(), "{names:?}: {}", ran.out);
        for part in out {
            assert!(ran.out.contains(part), "{names:?}: {part}\n{}", ran.out);
        }
        assert!(ran.err.ends_with(err), "{names:?}: {}", ran.err);
    };
    check(&["good"], 0, &[], "no errors in 1 query\n");
    check(&["bad.cql", "good.cql"], 1, &["bad.cql:2:6", "`check`"], "errors in 1 of 2 queries\n");
    let lines = place.cql(&["check", "--message-format", "json", "bad.cql"]);
    assert!(lines.out.starts_with("{\"code\":\"E0201\""), "{}", lines.out);
    assert_eq!(place.cql(&["check", "bad.cql", "--json"]).out, lines.out);
    check(&["empty.cql"], 1, &["empty"], "errors in 1 of 1 query\n");
    check(&["latin.cql"], 1, &["latin.cql:1:7"], "errors in 1 of 1 query\n");
    let ran = place.cql(&["check", "none.cql", ".", "bad.cql"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("cannot read none.cql"), "{}", ran.err);
    assert!(ran.err.contains("cannot read ."), "{}", ran.err);
    assert!(ran.out.contains("bad.cql:2:6"), "{}", ran.out);

    for (text, dialect, status) in [
        ("(match (position Ra1))", "auto", 0),
        ("(match (position Ra1))", "cql6", 1),
        ("cql() mate", "classic", 1),
        ("cql() R==1", "cql6", 0),
    ] {
        let ran = place.cql_on(&["check", "--dialect", dialect, "-"], text.as_bytes());
        assert_eq!(ran.status, Some(status), "{text} {dialect}: {}", ran.out);
        assert_eq!(status == 1, ran.out.contains("standard input:1:"), "{text}");
    }
    assert_eq!(place.cql(&["check", "--dialect", "cql9", "-"]).status, Some(2));
}

#[test]
fn shells_complete_subcommands_and_options() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = Place::new(&[]).cql(&["completions", shell]);
        assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{shell}");
        for word in ["migrate", "matchstring", "flipcolor", "dialect"] {
            assert!(ran.out.contains(word), "{shell}: {word}");
        }
    }
    check("completions tcsh", 2, &[], &["tcsh", "fish"]);
}

#[test]
fn the_manual_pages_describe_everything() {
    let place = Place::new(&[("file", b"")]);
    let ran = place.cql(&["man"]);
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    let page = ran.out.replace("\\-", "-");
    let help = place.cql(&["help"]).out;
    for option in help.split_whitespace().filter(|word| word.starts_with('-')) {
        let option = option.trim_end_matches([',', ']']);
        assert!(page.contains(option), "{option}");
    }
    for part in [".TH cql 1", ".SH SYNOPSIS", "cql migrate", ".SS General", "EXIT STATUS"] {
        assert!(page.contains(part), "{part}");
    }
    let (_, statuses) = page.split_once("EXIT STATUS").expect("a section");
    assert!(statuses.contains("with -exit-status, no game matches"), "{statuses}");

    let ran = place.cql(&["man", "--dir", "pages/man1"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let read = |name: &str| fs::read_to_string(place.dir().join("pages/man1").join(name));
    assert_eq!(read("cql.1").ok(), Some(place.cql(&["man"]).out));
    let page = read("cql-check.1").expect("a page").replace("\\-", "-");
    assert!(page.contains(".TH cql-check 1") && page.contains("--dialect"), "{page}");

    let ran = place.cql(&["man", "--dir", "file/man1"]);
    assert_eq!(ran.status, Some(1));
    assert!(ran.err.contains("cannot create file/man1"), "{}", ran.err);
}

#[test]
fn queries_are_laid_out_in_place() {
    let place = Place::new(&[
        ("long.cql", "cql()  mate   { R\n♖――k }".as_bytes()),
        ("done.cql", b"cql()\nmate\n"),
        ("bad.cql", b"cql()\nmate chek"),
        ("old.cql", b"(match (position Ra1))"),
        ("five.cql", b"cql() countsquares 2 3 R"),
        ("empty.cql", b""),
        ("latin.cql", b"cql()  mate // na\xefve"),
    ]);
    let read = |name: &str| fs::read(place.dir().join(name)).expect("read");
    let check = |line: &str, status, out: &str, err: &[&str]| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ran = place.cql(&arguments);
        assert_eq!(ran.status, Some(status), "{line}: {}", ran.err);
        assert_eq!(ran.out, out, "{line}");
        assert_eq!(ran.err.is_empty(), err.is_empty(), "{line}: {}", ran.err);
        for part in err {
            assert!(ran.err.contains(part), "{line}: {part}\n{}", ran.err);
        }
    };
    check("fmt --check long.cql done.cql", 1, "long.cql\n", &[]);
    check("fmt --check done.cql", 0, "", &[]);
    check("fmt --stdout long", 0, "cql()\nmate\n{ R ♖――k }\n", &[]);
    check("fmt --stdout --ascii long", 0, "cql()\nmate\n{ R R--k }\n", &[]);
    check("fmt --stdout --unicode long", 0, "cql()\nmate\n{ ♖ ♖――♚ }\n", &[]);
    assert!(read("long.cql").starts_with(b"cql()  mate"));
    check(
        "fmt bad.cql none.cql . old.cql five.cql empty.cql long.cql latin.cql",
        1,
        "",
        &[
            "bad.cql:2:6",
            "cannot read none.cql",
            "cannot read .",
            "old.cql is a query in classic CQL",
            "five.cql is a query in CQL 5",
            "`cql migrate`",
            "empty.cql",
        ],
    );
    assert_eq!(read("bad.cql"), b"cql()\nmate chek");
    assert_eq!(read("old.cql"), b"(match (position Ra1))");
    assert_eq!(read("latin.cql"), b"cql()\nmate // na\xefve\n");
    assert_eq!(read("long.cql"), "cql()\nmate\n{ R ♖――k }\n".as_bytes());
    check("fmt --ascii long", 0, "", &[]);
    assert_eq!(read("long.cql"), b"cql()\nmate\n{ R R--k }\n");
    check("fmt --ascii --unicode long", 2, "", &["--unicode"]);
    check("fmt", 2, "", &["needs QUERIES"]);

    let ran = place.cql_on(&["fmt", "-"], b"cql() {mate}");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "cql()\n{ mate }\n"));
    let ran = place.cql_on(&["fmt", "--check", "-"], b"cql() {mate}");
    assert_eq!((ran.status, ran.out.as_str()), (Some(1), "standard input\n"));
}

#[test]
fn the_page_on_tools_is_true() {
    let page = include_str!("../../../docs/src/tools.md");
    let blocks: Vec<&str> =
        page.split("```cql\n").skip(1).filter_map(|block| block.split("```").next()).collect();
    let [before, after, explained] = blocks[..] else {
        panic!("the page shows a query, its layout, and one that is explained");
    };
    let ran = Place::new(&[]).cql_on(&["fmt", "-"], before.as_bytes());
    assert_eq!(ran.out, after);
    let ran = Place::new(&[]).cql_on(&["explain", "-"], explained.as_bytes());
    let words = page.split("```text\n").nth(1).expect("words");
    assert_eq!(Some(ran.out.as_str()), words.split("```").next());
}

#[test]
fn queries_are_explained_in_words() {
    let place = Place::new(&[
        ("q.cql", b"cql(input g.pgn)\nflipcolor {\n  year > 1900\n  R attacks k\n}\nsort \"n\" #R"),
        ("bad.cql", b"cql()\nmate chek"),
        ("five.cql", b"cql() countsquares 2 3 R"),
        ("list.cql", b"(match (position Ra1 :shift))"),
        ("relation.cql", b"cql()\nrelation (sourcesquares a targetsquares _ mismatch 1)"),
        ("shifted.cql", b"(match (position Ra1 :shift :relation (:missingpiececount A 1 64)))"),
        ("empty.cql", b""),
        ("latin.cql", b"cql() comment(\"na\xefve\")"),
    ]);
    let check = |line: &str, status, out: &[&str], err: &[&str]| {
        let arguments: Vec<&str> = line.split_whitespace().collect();
        let ran = place.cql(&arguments);
        assert_eq!(ran.status, Some(status), "{line}: {}", ran.err);
        for (text, expected) in [(&ran.out, out), (&ran.err, err)] {
            assert_eq!(text.is_empty(), expected.is_empty(), "{line}: {text}");
            for part in expected {
                assert!(text.contains(part), "{line}: {part}\n{text}");
            }
        }
    };
    check(
        "explain q",
        0,
        &[
            "- the games of g.pgn are searched\n",
            "A position matches if all of these conditions hold\n",
            "   4     - there are white rooks that attack the black king [set]\n",
            "games are sorted by the number of white rooks, the greatest first (\"n\") [number]",
            "Evaluation plan\n",
            "A transform makes 2 forms",
            "Games are sorted by \"n\", greatest first.",
        ],
        &[],
    );
    check("explain five", 0, &["{2<=#R<=3}", "which is at most 3"], &[]);
    check("explain list", 0, &["has no translation", "Evaluation plan"], &[]);
    // A comparison of two positions, with a translation and without.
    check(
        "explain relation",
        0,
        &[
            "Meaning of the relation\n",
            "   2 - this position (the source) and another one of the main line (the target)",
            "- of the squares that are black pieces in the source and empty squares in the target,",
            "In CQL 6.2 this query is:\n\ncql()\n{echo quiet (source target) {\n",
            "Evaluation plan",
        ],
        &[],
    );
    check(
        "explain shifted",
        0,
        &[
            "Meaning of the relation\n",
            "- at least 1 piece of the source must be missing in the target",
            "and has no translation into CQL 6.2",
            "Evaluation plan",
        ],
        &[],
    );
    check("explain latin", 0, &["a comment is written here"], &[]);
    check("explain --dialect cql6 five", 1, &[], &["five.cql:1:7"]);
    check("explain bad", 1, &[], &["bad.cql:2:6"]);
    check("explain empty", 1, &[], &["empty.cql"]);
    check("explain none.cql", 1, &[], &["cannot read none.cql"]);
    check("explain .", 1, &[], &["cannot read ."]);
    check("explain --words q", 2, &[], &["--words"]);
    let ran = place.cql_on(&["explain", "-"], b"cql() mate");
    assert!(ran.out.contains("the side to move is mated [condition]"), "{}", ran.out);
}

#[test]
fn errors_of_queries_look_as_is_asked_for() {
    let place = Place::new(&[
        ("q.cql", b"cql() mat\n"),
        ("old.cql", b"(match :forany x R (position $x))"),
        ("g.pgn", b"1.e4 *\n"),
    ]);
    for (line, code) in [
        ("check q", "E0201"),
        ("explain q", "E0201"),
        ("fmt q", "E0201"),
        ("migrate old", "E0801"),
        ("run q -i g.pgn", "E0201"),
        ("bench q -i g.pgn", "E0201"),
    ] {
        let with = |look: &str| {
            let line = format!("{line} {look}");
            let ran = place.cql(&line.split_whitespace().collect::<Vec<&str>>());
            assert_eq!(ran.status, Some(1), "{line}: {}{}", ran.out, ran.err);
            ran.out + &ran.err
        };
        let json = with("--message-format json");
        let json = json.lines().next().expect("a line");
        let json: serde_json::Value = serde_json::from_str(json).expect("JSON");
        assert_eq!(json["code"], code, "{line}");
        assert!(with("--color always").contains("\u{1b}["), "{line}");
        assert!(!with("--color never").contains("\u{1b}["), "{line}");
        assert!(!with("").contains("\u{1b}["), "{line}");
    }
}

#[test]
fn older_forms_are_named_to_those_who_ask() {
    let place = Place::new(&[("q.cql", b"cql() R attacks k\n")]);
    let ran = place.cql(&["check", "q"]);
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), ""));
    let ran = place.cql(&["check", "q", "--warn", "deprecated"]);
    assert_eq!(ran.status, Some(0), "{}", ran.err);
    assert!(ran.out.starts_with("warning[W0601]"), "{}", ran.out);
    assert!(ran.out.contains("X -> Y"), "{}", ran.out);
}

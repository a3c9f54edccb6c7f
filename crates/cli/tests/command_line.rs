//! The program as a process: exit status, files, messages and their streams.

mod support;

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use support::{Place, Ran, files_in};

const GAMES: &str = "\
[White \"Scholar\"]\n\n1.e4 e5 2.Bc4 Nc6 3.Qh5 Nf6 4.Qxf7# 1-0\n\n\
[White \"Draw\"]\n\n1.e4 e5 1/2-1/2\n\n\
[White \"Fool\"]\n\n1.f3 e5 2.g4 Qh4# 0-1\n\n";

const FAULTY: &str = "\
[Event \"a\"]\n\n1.e4 *\n\n[Event \"b\"]\n\n1.d4\n\n[Event \"c\"]\n\n1.c4 {never\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES);
        place.write("faulty.pgn", FAULTY);
        place.write("mate.cql", "cql(input g.pgn) mate");
        place.write("bad.cql", "cql()\nmate chek");
        place
    }

    fn found(&self, name: &str) -> Option<String> {
        let bytes = fs::read(self.path(name)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    /// Returns the files that did not exist at the beginning, sorted.
    fn new_files(&self) -> Vec<String> {
        let mut names = files_in(self.dir());
        names.retain(|name| {
            !["g.pgn", "faulty.pgn", "mate.cql", "bad.cql"].contains(&name.as_str())
        });
        names
    }
}

#[test]
fn filters_of_options_are_shown_as_they_were_typed() {
    let place = Place::new();
    let check = |filter: &str, expected: &str, status: i32| {
        let ran = place.run(&format!("-i g.pgn -o o.pgn -cql {filter}"));
        assert!(ran.out.contains(expected), "{filter}: {}", ran.out);
        assert_eq!(ran.status, Some(status), "{filter}");
    };
    let text =
        "error[E0201]: unknown name `chek`\n --> -cql:1:6\n  |\n1 | mate chek\n  |      ^^^^";
    check("mate_chek", text, 1);
    check("wtm)", "-cql:1:4\n  |\n1 | wtm)\n", 1);
    check("//_x", "error[E0104]: expected at least one filter", 1);
    // Warnings are reported as for a query file, and the query runs.
    let text = "warning[W0405]: `e4` is a set of squares, whatever stands there, so it always matches\n \
                --> -cql:1:1\n  |\n1 | e4\n";
    check("e4", text, 0);
    check("mate_///_\"x\"", "2 matches of 3 games", 0);
    let ran = place.run("-i g.pgn -o o.pgn -cql mate");
    assert!(!ran.out.contains("warning"), "{}", ran.out);
    // Several filters are one query: a variable assigned in one is known in the next.
    let ran = place.run("-i g.pgn -o o.pgn -cql x=3_wtm -cql x==3 mate");
    assert_eq!(ran.status, Some(0), "{}", ran.out);
}

#[test]
fn a_run_prints_what_the_reference_prints() {
    let place = Place::new();
    let ran = place.run("-s -showmatches -lineincrement 2 mate");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let (banner, rest) = ran.out.split_once('\n').expect("lines");
    assert!(banner.starts_with("CQL version 6.2 (build "), "{banner}");
    let (progress, summary) = rest.split_once("\n\n").expect("an empty line");
    assert_eq!(progress, ".<1>[2]\n.<3>");
    assert!(summary.starts_with("2 matches of 3 games in "), "{summary}");
    assert!(summary.ends_with(" seconds using 1 thread to mate-out.pgn\n"), "{summary}");
    assert_eq!(ran.err, "");
    let written = place.found("mate-out.pgn").expect("a result");
    assert!(written.contains("4.Qxf7# {CQL} 1-0\n\n\n[Event"), "{written}");

    let ran = place.run("-threads 3 -nooutputstatus -o o.pgn mate");
    assert!(ran.out.contains(" seconds using 3 threads to o.pgn\n"), "{ran:?}");
    assert_eq!(place.found("o.pgn"), Some(written));
}

#[test]
fn without_a_query_every_game_matches() {
    let place = Place::new();
    let ran = place.run("-i g.pgn");
    assert!(ran.out.contains("3 matches of 3 games"), "{ran:?}");
    assert_eq!(place.new_files(), ["cqldefault-out.pgn"]);
    let ran = place.run("-i g.pgn -cql mate -g 2 3");
    assert!(ran.out.contains("1 matches of 3 games"), "{ran:?}");
    let ran = place.run("-i g.pgn -g 1");
    assert!(ran.out.contains("1 matches of 2 games"), "{ran:?}");
}

#[test]
fn a_comment_that_would_become_too_long_is_named() {
    let place = Place::new();
    let comment = "x".repeat(4495);
    place.write("long.pgn", format!("[Event \"a\"]\n\n{{{comment}}} 1.e4 *\n"));
    let ran = place.run("-i long.pgn -nooutputstatus");
    let notice = "\n\nIgnoring long comment in game: 1\n\n1 matches of 1 games in ";
    assert!(ran.out.contains(notice), "{ran:?}");
    let written = place.found("cqldefault-out.pgn").expect("a result");
    assert!(written.contains(&format!("{{\n{comment}}}\n1.e4")), "{written}");
}

#[test]
fn the_query_may_come_from_standard_input() {
    let place = Place::new();
    let ran = place.run_on("- g.pgn", "cql() mate");
    assert!(ran.out.contains("2 matches of 3 games"), "{ran:?}");
    assert_eq!(place.new_files(), ["stdin-out.pgn"]);
    let ran = place.run_on("- g.pgn", "cql() mat");
    assert!(ran.out.contains("standard input:1:7"), "{ran:?}");
    let ran = place.run_on("-cql mate -", GAMES);
    assert!(ran.out.contains("2 matches of 3 games"), "{ran:?}");
}

#[test]
fn a_run_without_matches_leaves_an_empty_file() {
    let place = Place::new();
    place.write("o.pgn", "[Event \"old\"]\n");
    let ran = place.run("-o o.pgn -cql false mate");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(ran.out.contains("\n0 matches of 3 games in "), "{ran:?}");
    assert_eq!(place.found("o.pgn").as_deref(), Some(""));
}

#[test]
fn errors_leave_no_file() {
    let check = |line: &str, what: &str| {
        let place = Place::new();
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.out.contains(what), "{line}: {ran:?}");
        assert_eq!(place.new_files(), [""; 0], "{line}");
    };
    check("-i g.pgn bad", "bad.cql:2:6");
    check("-i g.pgn -cql chek mate", "-cql:1:1");
    check("-nosuch", "error: unknown option -nosuch");
    check("none", "cannot read none.cql");
    check("-i none.pgn mate", "cannot read none.pgn");
    check("-o no/such.pgn mate", "cannot write no/such.pgn");
    check("-o g.pgn mate", "would overwrite the input");
    check("-o ./g.pgn mate", "would overwrite the input");
    check("-wtm", "no games to search");
    check("-parse", "no query");
    check("-parse -cql maet", "`mate`");
    check("-strict -i faulty.pgn -o o.pgn mate", "-strict is given");
    check("-player ( mate", "regular expression");
}

#[test]
fn an_old_result_survives_an_error() {
    let place = Place::new();
    place.write("o.pgn", "old");
    let ran = place.run("-strict -i faulty.pgn -o o.pgn -cql true mate");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(place.found("o.pgn").as_deref(), Some("old"));
    assert_eq!(place.new_files(), ["o.pgn"]);
}

#[test]
fn faulty_games_are_named() {
    let place = Place::new();
    let ran = place.run("-i faulty.pgn -o o.pgn -cql true mate");
    assert_eq!(ran.status, Some(1), "a game was left out: {ran:?}");
    let lines: Vec<&str> = ran.err.lines().collect();
    assert_eq!(lines.len(), 4, "{ran:?}");
    assert!(lines[0].starts_with("faulty.pgn:9: game 2 (byte "), "{ran:?}");
    assert!(lines[0].ends_with("; the game was kept"), "{ran:?}");
    assert!(lines[1].starts_with("faulty.pgn:11: game 3 (byte "), "{ran:?}");
    assert_eq!(lines[2], "faulty games: 1 read as far as possible, 1 left out");
    assert!(ran.out.contains("of 3 games"), "{ran:?}");
}

#[test]
fn the_header_gives_way_to_the_command_line() {
    let place = Place::new();
    place.write("q.cql", "cql(input g.pgn output h.pgn) mate");
    let ran = place.run("q");
    assert!(ran.out.contains(" to h.pgn\n"), "{ran:?}");
    let ran = place.run("-o o.pgn q");
    assert!(ran.out.contains("Using command line argument for filename: o.pgn\n"), "{ran:?}");
    assert_eq!(place.new_files(), ["h.pgn", "o.pgn", "q.cql"]);
}

#[test]
fn sorted_games_are_written_in_order() {
    let place = Place::new();
    let ran = place.run("-i g.pgn -o o.pgn -cql sort_\"moves\"_ply");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let written = place.found("o.pgn").expect("a result");
    let at = |name: &str| written.find(name).expect("the game");
    assert!(at("Scholar") < at("Fool") && at("Fool") < at("Draw"), "{written}");
    assert!(written.contains("moves: 7"), "{written}");
}

#[test]
fn persistent_variables_are_printed_at_the_end() {
    let place = Place::new();
    let ran = place.run("-i g.pgn -o o.pgn -cql {mate_persistent_total+=1}");
    assert!(ran.out.contains("CQL: running single-threaded because "), "{ran:?}");
    assert!(ran.out.contains(" using 1 thread to o.pgn\n"), "{ran:?}");
    assert!(ran.out.ends_with("\ntotal: 2\n"), "{ran:?}");
}

#[test]
fn messages_come_in_the_order_of_the_games() {
    let place = Place::new();
    let many = GAMES.repeat(3000);
    place.write("many.pgn", &many);
    let ran = place.run("-threads 4 -nooutputstatus -i many.pgn -o o.pgn -cql initial_message_quiet_(\"m\"_gamenumber)");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let numbers: Vec<u32> =
        ran.out.lines().filter_map(|line| line.strip_prefix('m')?.parse().ok()).collect();
    assert_eq!(numbers, (1..=9000).collect::<Vec<_>>());
}

#[test]
fn files_of_a_query_stand_in_the_current_directory() {
    let place = Place::new();
    let ran = place.run("-i g.pgn -o o.pgn -cql {mate_writefile(\"x.cqo\"_\"mate_\")}");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert_eq!(place.found("x.cqo").as_deref(), Some("mate mate "));
}

#[test]
fn the_number_of_games_is_counted_if_asked_for() {
    let place = Place::new();
    let ran = place.run("-i g.pgn -o o.pgn -cql gamenumber==lastgamenumber");
    assert!(ran.out.contains("1 matches of 3 games"), "{ran:?}");
    assert!(place.found("o.pgn").expect("a result").contains("Fool"));
    // It is at most the last number in the header.
    place.write("q.cql", "cql(gamenumber 1 2) gamenumber == lastgamenumber lastgamenumber == 2");
    let ran = place.run("q.cql -i g.pgn -o o2.pgn");
    assert!(ran.out.contains("1 matches of 3 games"), "{ran:?}");
    // Games without a White tag do not count, and without any that does there is no last one.
    place.write("none.pgn", "[Event \"x\"]\n\n1. e4 *\n");
    let none = "error: lastgamenumber: there is no game with a White tag in none.pgn\n";
    let missing = "error: cannot read nosuch.pgn: ";
    for line in ["q.cql GAMES", "run q.cql GAMES", "explain q.cql GAMES", "bench q.cql GAMES"] {
        for (games, expected) in [("none.pgn", none), ("nosuch.pgn", missing)] {
            let ran = place.run(&line.replace("GAMES", games));
            assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
            assert!((ran.out.clone() + &ran.err).contains(expected), "{line}: {ran:?}");
        }
    }
}

#[test]
fn games_may_come_from_standard_input_and_go_to_standard_output() {
    let place = Place::new();
    let mut child = place
        .line("-guipgnstdin -guipgnstdout -nooutputstatus mate")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    let mut stdin = child.stdin.take().expect("its input");
    stdin.write_all(GAMES.as_bytes()).expect("written");
    drop(stdin);
    let ran = Ran::of(&child.wait_with_output().expect("the program ends"));
    assert_eq!(ran.status, Some(0), "{ran:?}");
    let (_, rest) = ran.out.split_once("<CqlGuiPgn numbergames=2 numberbytes=").expect("games");
    let (n_bytes, rest) = rest.split_once(">\n").expect("a number");
    let (games, _) = rest.split_once("</CqlGuiPgn>\n").expect("the end");
    assert_eq!(games.len().to_string(), n_bytes);
    assert!(games.contains("Fool"), "{games}");
    assert!(place.new_files().is_empty());
}

#[test]
fn a_reader_that_goes_away_is_no_disaster() {
    let place = Place::new();
    let mut child = place
        .line("-showmatches -i g.pgn -o o.pgn mate")
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let ran = Ran::of(&child.wait_with_output().expect("the program ends"));
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""));
    assert!(place.found("o.pgn").is_some());
}

#[test]
fn queries_are_respelled() {
    let place = Place::new();
    place.write("q.cql", "cql() R->k // R->k\n");
    let ran = place.run("-utf8 q");
    assert_eq!((ran.status, ran.out.as_str()), (Some(0), "cql() ♖→♚ // R->k\n"));
    assert_eq!(place.run("-utf8 q -o u.cql").status, Some(0));
    assert_eq!(place.found("u.cql").as_deref(), Some("cql() ♖→♚ // R->k\n"));
    assert_eq!(place.run("-u q.cql").status, Some(0));
    assert_eq!(place.found("q.cql"), place.found("u.cql"));
    assert_eq!(place.run("-a q.cql").status, Some(0));
    assert_eq!(place.found("q.cql").as_deref(), Some("cql() R->k // R->k\n"));
    assert_eq!(place.run("-html q").status, Some(0));
    let page = place.found("q-cql.html").expect("a page");
    assert!(page.contains("<span class=") && page.contains("R-&gt;k"), "{page}");
    assert_eq!(place.run("-a none").status, Some(1));
    place.write("q.cql", "\u{feff}cql() R\n");
    assert_eq!(place.run("-u q.cql").status, Some(0));
    assert_eq!(place.found("q.cql").as_deref(), Some("cql() ♖\n"));
    place.write("q.cql", "cql() § R\n");
    let ran = place.run("-u q.cql");
    assert_eq!(ran.status, Some(1));
    assert!(ran.out.contains("q.cql is unchanged"), "{ran:?}");
    assert_eq!(place.found("q.cql").as_deref(), Some("cql() § R\n"));
    for (file, line) in [("notes.cql", "-utf8 q -o notes.cql"), ("q-cql.html", "-html q")] {
        place.write(file, "<my> notes");
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.out.contains("--force"), "{line}: {ran:?}");
        assert_eq!(place.found(file).as_deref(), Some("<my> notes"), "{line}");
        let ran = place.run(&format!("{line} --force"));
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        assert_ne!(place.found(file).as_deref(), Some("<my> notes"), "{line}");
    }
}

#[test]
fn a_query_can_be_checked_alone() {
    let place = Place::new();
    let ran = place.run("-parse mate");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    assert!(place.new_files().is_empty());
    assert_eq!(place.run("-parse bad").status, Some(1));
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_leaves_nothing() {
    use std::time::Duration;
    let place = Place::new();
    place.write("many.pgn", GAMES.repeat(200_000));
    for (signal, status, word) in [("-INT", 130, "interrupted"), ("-TERM", 143, "terminated")] {
        let child = place
            .line("-i many.pgn -o o.pgn -cql message_quiet_ply mate")
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        // Nobody reads the output, so the program cannot end before the signal.
        std::thread::sleep(Duration::from_millis(300));
        let id = child.id().to_string();
        let sent = Command::new("kill").args([signal, &id]).status();
        assert!(sent.expect("kill runs").success());
        let ran = Ran::of(&child.wait_with_output().expect("the program ends"));
        assert_eq!(ran.status, Some(status), "{signal}");
        let text = format!("{word}: no output was written\n");
        assert!(ran.out.ends_with(&text), "{signal}");
        assert_eq!(place.new_files(), ["many.pgn"], "{signal}");
    }
}

#[test]
fn queries_are_trusted_with_files_as_far_as_they_are_told() {
    let place = Place::new();
    place.write("write.cql", "cql(input g.pgn) mate writefile(\"mates.cqo\" \"x\")");
    let elsewhere = tempfile::tempdir().expect("a directory");
    let elsewhere = elsewhere.path().display();
    let away = format!("cql(input g.pgn) mate writefile(\"{elsewhere}/m.cqo\" \"x\")");
    place.write("away.cql", &away);
    place.write("into.cql", "cql(input g.pgn) mate writefile(\"sub/m.cqo\" \"x\")");
    place.write("names.cql", "cql(input g.pgn output x.pgn) mate");
    place.write("similar.cql", "cql() similarposition \"g.pgn\"");
    fs::create_dir(place.path("sub")).expect("made");
    let check = |line: &str, succeeds: bool, says: &str| {
        let output = place.line(line).output().expect("the program runs");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert_eq!(output.status.success(), succeeds, "{line}: {said}");
        assert!(said.contains(says), "{line}: {said}");
    };
    check("write", true, "2 matches");
    check("into", true, "2 matches");
    check("away", false, "outside the working directory");
    check(&format!("--allow-write {elsewhere} away"), true, "2 matches");
    check("--secure -i g.pgn write", false, "--secure forbids writing mates.cqo");
    check("--secure names", false, "use -input on the command line");
    // The output may be in the working directory only.
    check("--secure -i g.pgn names", true, "2 matches");
    check("--secure -i g.pgn names", true, "does not read the `input` of the header");
    place.write("beyond.cql", "cql(output ../x.pgn) mate");
    check("--secure -i g.pgn beyond", false, "outside the working directory");
    check("--secure -i g.pgn -o y.pgn names", true, "2 matches");
    check("--secure -i g.pgn similar", false, "forbids the query to read g.pgn");
    check("--secure -i g.pgn -similarposition g.pgn", true, "3 matches");
}

#[test]
fn games_are_shown_on_the_screen() {
    let place = Place::new();
    let ran = place.run("-i g.pgn --board mate.cql");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    for part in ["Fool – ?", "2...Qh4#", "8  r n b . k b n r\n", "to keep them: -o games.pgn"] {
        assert!(ran.out.contains(part), "{part}: {}", ran.out);
    }
    assert!(!place.path("mate-out.pgn").exists());
    // The first move of a path, and the position before it.
    for query in ["path_p--e5_P--g4", "flipcolor_{path_p--e5_P--g4}", "p--e5", "sort_path_p--e5_--"]
    {
        let ran = place.run(&format!("g.pgn --board -cql {query}"));
        assert!(ran.out.contains("1...e5"), "{query}: {ran:?}");
        assert!(ran.out.contains("7  p p p p p p p p\n"), "{query}: {ran:?}");
    }
    for query in ["currentmove_p--e5", "path_P--f3_p--e5"] {
        let ran = place.run(&format!("g.pgn --board -cql {query}"));
        assert_eq!(ran.out.contains("1...e5"), query.starts_with("current"), "{query}: {ran:?}");
    }
    let ran = place.run("-i g.pgn --board -o a.pgn mate.cql");
    assert!(ran.out.contains("no other output can be given"), "{ran:?}");
}

/// Runs the program on a terminal of this width. Requires the program `script` of util-linux.
#[cfg(target_os = "linux")]
fn on_terminal(place: &Place, width: usize, line: &str) -> Option<String> {
    let line =
        format!("stty rows 24 cols {width}; NO_COLOR=1 {} {line}", env!("CARGO_BIN_EXE_cql"));
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(place.dir());
    let Ok(ran) = script.stdin(Stdio::null()).output() else {
        eprintln!("skipped: there is no script");
        return None;
    };
    Some(String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[cfg(target_os = "linux")]
#[test]
fn lines_of_explanations_fit_the_terminal() {
    let place = Place::new();
    let query = "'flipcolor {square s in [QRB] & ~to {s -> q parent:{not s -> q} \
                 sort \"attackers\" #([Aa] -> s) >= 3}}'";
    let explain = format!("explain {query}");
    for line in [
        &*explain,
        "explain path",
        "explain E0203",
        "help sacrifice",
        "help material",
        "help -limit",
        "help --themes",
        "help index",
        "explain --help",
        "help",
    ] {
        for width in [80, 120] {
            let Some(shown) = on_terminal(&place, width, line) else { return };
            // A command stays in one line, to be copied, and so does a line of a query.
            let prose = shown.lines().filter(|line| !line.trim_start().starts_with("cql "));
            let wide: Vec<&str> =
                prose.filter(|line| line.trim_end().chars().count() > width).collect();
            assert!(wide.is_empty(), "{line}, {width} columns: {wide:#?}");
        }
    }
    let longest = |width| {
        let shown = on_terminal(&place, width, &explain)?;
        shown.lines().map(|line| line.trim_end().chars().count()).max()
    };
    assert!(longest(80) > Some(70) && longest(120) > Some(80), "the width is used");
}

#[cfg(target_os = "linux")]
#[test]
fn a_terminal_shows_games_and_a_pipe_gets_a_file() {
    let place = Place::new();
    let Some(shown) = on_terminal(&place, 80, "g.pgn -cql mate") else { return };
    assert!(shown.contains("Qh4#") && shown.contains("to keep them: "), "{shown}");
    assert!(!place.path("cqldefault-out.pgn").exists(), "{shown}");
    for line in ["g.pgn -cql mate -o a.pgn", "mate.cql g.pgn"] {
        let shown = on_terminal(&place, 80, line).expect("it ran before");
        assert!(!shown.contains("Qh4#") && shown.contains(".pgn\r\n"), "{line}: {shown}");
    }
    assert!(place.path("a.pgn").exists() && place.path("mate-out.pgn").exists());
    let ran = place.run("g.pgn -cql mate");
    assert!(ran.out.ends_with("to cqldefault-out.pgn\n"), "{ran:?}");
}

#[test]
fn a_quiet_run_says_nothing_and_may_tell_by_its_status() {
    let place = Place::new();
    for line in ["--quiet -o a.pgn mate.cql", "--progress none -o b.pgn mate.cql"] {
        let ran = place.run(&format!("-i g.pgn {line}"));
        assert_eq!((ran.status, &*ran.out, &*ran.err), (Some(0), "", ""), "{line}");
    }
    assert!(place.read("b.pgn").contains("CQL}"));
    let ran = place.run("-i g.pgn -quiet -o a.pgn mate.cql");
    assert!(ran.out.contains(" to a.pgn"), "{ran:?}");
    place.write("none.cql", "cql() mate not mate");
    for (line, status) in [
        ("-i g.pgn mate.cql --exit-status", 0),
        ("-i g.pgn none.cql", 0),
        ("-i g.pgn none.cql -exit-status", 1),
        ("-i g.pgn nosuch.cql --exit-status", 2),
        ("-i nosuch.pgn mate.cql --exit-status", 2),
        ("-nosuch --exit-status", 2),
        ("-i g.pgn nosuch.cql", 1),
        ("-i g.pgn nosuch.cql -event -exit-status", 1),
    ] {
        let ran = place.run(&format!("{line} --quiet"));
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
    }
}

#[test]
fn slips_of_the_command_line_are_recognized() {
    let place = Place::new();
    fs::create_dir(place.path("queries.cql")).expect("a directory");
    let check = |line: &str, expected: &str| {
        let ran = place.run(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        // No error is written to standard output among counts.
        let told = if line.contains("--count") { &ran.err } else { &ran.out };
        assert!(told.contains(expected), "{line}: {ran:?}");
    };
    check("stat g.pgn", "did you mean the subcommand `cql stats`?");
    check("-i g.pgn queries.cql", "`cql run` accepts directories of queries");
    check("-o none/a.pgn mate.cql", "there is no directory none: create it first");
    check("-o a.csv --columns whit mate.cql", "did you mean 'white'?");
    fs::create_dir(place.path("games")).expect("a directory");
    check("-cql mate", "error: no games to search: name their files");
    check("g.pgn --count", "there is no query for 'g.pgn': give it with -cql, as in -cql 'mate'");
    check("g.pgn check", "give it with -cql, as in -cql 'check'");
    check("stalemate g.pgn", "No such file or directory (os error 2); to give the query");
    check("smothered mate g.pgn", "; `cql help smothered mate` finds queries for these words");
    check("g.pgn -cql mate and check", "-cql has one value: put the query in quotes, as in");
    check("g.pgn -cql path [x]Q -- check", "in quotes, as in -cql 'path [x]Q -- check'");
    check("nosuchword g.pgn", "cannot read nosuchword.cql: No such file");
    check("chek mate.cql", "did you mean the subcommand `cql check`?");
    check("searh g.pgn", "write cql games.pgn -cql mate");
    fs::copy(place.path("g.pgn"), place.path("my games.pgn")).expect("copied");
    check("my games.pgn -cql mate", "a name with blanks is quoted: cql \"my games.pgn\"");
    // One line, without the help.
    for (line, expected) in [
        ("--limt 3 mate", "unknown option --limt; did you mean --limit?"),
        ("mate -nosuch", "unknown option -nosuch; `cql help` lists all options"),
        (
            "--format=cvs mate",
            "invalid value 'cvs' for '--format <FORMAT>' [possible values: pgn, jsonl, json-games, \
             csv, tsv, epd, fen, html, parquet, count]",
        ),
    ] {
        let ran = place.run(line);
        assert_eq!(ran.out, format!("error: {expected}\n"), "{line}");
    }
    place.write("near.cql", "cql() mat");
    check("-i g.pgn near.cql", "did you mean `mate`?");
}

#[test]
fn games_that_exist_are_games_in_any_place() {
    let place = Place::new();
    fs::create_dir(place.path("games")).expect("a directory");
    place.write("games/a.pgn", GAMES);
    place.write("plain", GAMES);
    place.write("mate", GAMES);
    let check = |line: &str, n_matches: usize| {
        let ran = place.run(&format!("{line} --count -json"));
        assert_eq!(ran.status, Some(0), "{line}: {ran:?}");
        assert!(ran.out.contains(&format!("\"games\":{n_matches}")), "{line}: {ran:?}");
    };
    check("games -cql mate", 2);
    check("-cql mate games", 2);
    check("plain -cql mate", 2);
    // A name without extension is that of the query, as ever, if there is one.
    check("mate g.pgn", 2);
    check("g.pgn -player Fool", 1);
    check("games -white Fool", 1);
    check("g.pgn -year 1900", 0);
    check("g.pgn -g 2", 1);
}

#[test]
fn a_fault_behind_a_limit_is_none() {
    let place = Place::new();
    place.write("late.pgn", format!("{GAMES}[Event \"c\"]\n\n1.c4 {{never\n"));
    let ran = place.run("-i late.pgn -o a.pgn mate.cql");
    assert!(ran.err.contains("late.pgn:"), "{ran:?}");
    let ran = place.run("-i late.pgn -o a.pgn --limit 2 mate.cql");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{ran:?}");
    // A file that is damaged after the games within the limit.
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(GAMES.as_bytes()).expect("memory");
    let mut packed = encoder.finish().expect("memory");
    packed.truncate(packed.len() - 12);
    fs::write(place.path("cut.pgn.gz"), packed).expect("written");
    let ran = place.run("-i cut.pgn.gz -o a.pgn mate.cql");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ran = place.run("-i cut.pgn.gz -o a.pgn --limit 1 mate.cql");
    assert_eq!((ran.status, ran.err.as_str()), (Some(0), ""), "{ran:?}");
}

/// Requires qemu-user, which emulates other processors than that of the test machine.
#[cfg(all(unix, target_arch = "x86_64", target_feature = "avx2"))]
#[test]
fn an_old_processor_is_told_why_nothing_happens() {
    let run_on = |processor: &str| {
        let mut emulator = Command::new("qemu-x86_64");
        emulator.args(["-cpu", processor, env!("CARGO_BIN_EXE_cql"), "--version"]);
        emulator.output()
    };
    if run_on("max").is_err() {
        eprintln!("skipped: there is no qemu-x86_64");
        return;
    }
    for (processor, status, said) in [
        ("max", Some(0), ""),
        ("Nehalem", Some(1), "built for processors since 2013"),
        ("core2duo", Some(1), "RUSTFLAGS=\"-C target-cpu=x86-64\""),
    ] {
        let ran = run_on(processor).expect("it ran before");
        let err = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), status, "{processor}: {err}");
        assert!(err.contains(said), "{processor}: {err}");
    }
}

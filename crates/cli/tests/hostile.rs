//! Malicious queries, games and names: their effect on a terminal, on files, and on memory.
#![cfg(target_os = "linux")]

mod support;

use std::fs;

use support::{Place, files_in};

/// Terminal commands in the middle of a name.
const COMMANDS: &str = "a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\u{7}e";

/// Games with terminal commands in tags, comments and moves, one of them damaged.
const GAMES: &str = "[Event \"a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\u{7}e\"]\n\
[White \"a\u{1b}[2Jb\u{9b}2Jc\u{202e}d\u{7}e\"]\n[Odd\u{1b} \"a\"]\n\n\
1.e4 {a\u{1b}[2Jb\u{9b}2Jc} Qa\u{1b}[2J\u{9b}2J *\n\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("q.cql", "cql() initial");
        place.write("g.pgn", GAMES);
        place
    }
}

fn has_commands(text: &str) -> bool {
    let is_command = |c: char| {
        c.is_control() && !matches!(c, '\n' | '\t' | '\r') || matches!(c, '\u{202a}'..='\u{202e}')
    };
    text.contains(is_command)
}

#[test]
fn nothing_that_is_said_commands_a_terminal() {
    let place = Place::new();
    let name = format!("{COMMANDS}\nx");
    let (games, query) = (format!("{name}.pgn"), format!("{name}.cql"));
    place.write(&games, GAMES);
    let said = format!("cql() initial message(\"{COMMANDS}\" event) persistent xx=\"{COMMANDS}\"");
    place.write(&query, &said);
    place.write("tag.cql", "cql() initial message(event) comment(event)");
    place.write("bad.cql", format!("cql() {COMMANDS} \"{COMMANDS}\" {COMMANDS}"));
    place.write("read.cql", format!("cql() initial message(readfile \"{COMMANDS}\")"));
    place.write("empty.pgn", "");
    fs::write(place.path("broken.zip"), zip_of(&format!("{COMMANDS}.zst"))).expect("written");
    let run: &[&[&str]] = &[
        &["-o", "o.pgn", &query, &games],
        &["-o", "o.pgn", "tag.cql", "g.pgn"],
        &["-o", "o.pgn", "bad.cql", "g.pgn"],
        &["-o", "o.pgn", "read.cql", "g.pgn"],
        &["-o", "o.pgn", "q.cql", &name],
        &["-o", "o.pgn", "q.cql", "broken.zip", "g.pgn"],
        &["-o", "o.pgn", "-cql", COMMANDS, "q.cql", "g.pgn"],
        &["-message-format", "json", "-o", "o.pgn", "bad.cql", "g.pgn"],
        &["-o", COMMANDS, "q.cql", "g.pgn"],
        &[COMMANDS],
        &["--format", COMMANDS, "q.cql", "g.pgn"],
        &["run", &query, "tag.cql", "bad.cql", "--keep-going", "-i", "g.pgn", "-i", &games],
        &["run", &query, "-i", &name],
        &["check", &query, "bad.cql", &name],
        &["check", "--message-format", "json", "bad.cql"],
        &["check", "--color", "never", COMMANDS, "--odd\u{1b}[2J"],
        &["explain", &query],
        &["explain", "bad.cql"],
        &["explain", "--code", COMMANDS],
        &["doctor", &games, &name, "broken.zip"],
        &["stats", &games, &name, "broken.zip"],
        &["stats", "--json", "--top", "20", &games],
        &["bench", &query, "-i", &games, "--runs", "1"],
        &["bench", &query, "-i", "g.pgn", "--runs", "1", "--json"],
        &["fmt", "--check", &query, "bad.cql"],
        &["help", COMMANDS],
    ];
    for arguments in run {
        let ran = place.cql(arguments);
        assert!(!ran.out.is_empty() || !ran.err.is_empty(), "{arguments:?}");
        assert!(!has_commands(&ran.out), "{arguments:?}: {:?}", ran.out);
        assert!(!has_commands(&ran.err), "{arguments:?}: {:?}", ran.err);
    }
    // The commands are shown escaped, and other text is unchanged.
    let ran = place.cql(&["-o", "o.pgn", &query, "g.pgn"]);
    assert!(ran.out.contains("a\\x1b[2Jb\\x9b2Jc\\u{202e}d\\x07e"), "{ran:?}");
    place.write("plain.cql", "cql() initial message(\"Müller\\t♔\\n\" \"雪\")");
    let ran = place.cql(&["-o", "o.pgn", "plain.cql", "g.pgn"]);
    assert!(
        ran.out.contains("Müller\\t♔\\n雪\n") || ran.out.contains("Müller\t♔\n雪\n"),
        "{ran:?}"
    );
    // Results are not escaped.
    let ran = place.cql(&["--stdout", "q.cql", "g.pgn"]);
    assert!(ran.out.contains(&format!("[Event \"{COMMANDS}\"]")), "{ran:?}");
    assert!(!has_commands(&ran.err), "{ran:?}");
}

/// Returns an archive with an empty member of this name.
fn zip_of(name: &str) -> Vec<u8> {
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options = zip::write::SimpleFileOptions::default();
    archive.start_file(name, options).expect("a member");
    archive.finish().expect("packed").into_inner()
}

/// Ways to name an output file, one for each kind of output.
const OUTPUTS: [&str; 13] = [
    "-o x.pgn q.cql g.pgn",
    "-o x.csv q.cql g.pgn",
    "-o x.tsv --per game q.cql g.pgn",
    "-o x.csv --columns ply,v --value v=ply q.cql g.pgn",
    "-o x.jsonl --columns v --value v=ply q.cql g.pgn",
    "-o x.html q.cql g.pgn",
    "-o x.parquet q.cql g.pgn",
    "-o x.epd q.cql g.pgn",
    "-o x.fen q.cql g.pgn",
    "-o x.csv --count-by ply q.cql g.pgn",
    "run q.cql -i g.pgn --summary x.csv",
    "run q.cql -i g.pgn -o x.csv",
    "doctor g.pgn --repair x.pgn",
];

#[test]
fn what_is_neither_games_nor_a_result_is_kept() {
    for line in OUTPUTS {
        let place = Place::new();
        let name = line.split(' ').find(|word| word.starts_with("x.")).expect("a name");
        place.write(name, "a letter\n");
        let ran = place.shell(&format!("cql {line}"));
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        let said = [ran.out, ran.err].concat();
        assert!(said.contains(name) && said.contains("--force"), "{line}: {said}");
        assert_eq!(place.read(name), "a letter\n", "{line}");

        let forced = if line.starts_with('-') {
            format!("cql --force {line}")
        } else {
            format!("cql {line} --force")
        };
        // The status of `cql doctor` says that there are issues.
        let status = i32::from(line.starts_with("doctor"));
        let ran = place.shell(&forced);
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
        let result = fs::read(place.path(name)).expect("a result");
        assert!(!result.starts_with(b"a letter"), "{line}");
        // A result may be replaced by another one, even if it is empty.
        for _ in 0..2 {
            let ran = place.shell(&format!("cql {line}"));
            assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
            place.write(name, "");
        }
    }
}

#[test]
fn a_query_names_results_only() {
    let place = Place::new();
    fs::create_dir(place.path("sub")).expect("made");
    fs::create_dir(place.path("work")).expect("made");
    for (output, is_permitted) in
        [("sub/o.pgn", true), ("o.csv", true), (".bashrc", false), ("o.sh", false), ("o", false)]
    {
        place.write("h.cql", format!("cql(output {output}) initial"));
        place.write(output, "");
        let before = files_in(place.dir());
        let ran = place.cql(&["h.cql", "g.pgn"]);
        assert_eq!(ran.status, Some(i32::from(!is_permitted)), "{output}: {ran:?}");
        assert_eq!(!place.read(output).is_empty(), is_permitted, "{output}");
        assert_eq!(files_in(place.dir()), before);
        if !is_permitted {
            assert!(ran.out.contains(output) && ran.out.contains(".pgn"), "{ran:?}");
        }
    }
    // The command line may name any output; with `--secure`, a query may only name one in the
    // working directory.
    place.write("h.cql", "cql(output ../out.pgn) initial");
    for (line, status) in [
        ("cql ../h.cql ../g.pgn", 0),
        ("cql -secure ../h.cql ../g.pgn", 1),
        ("cql -secure -allow-write .. ../h.cql ../g.pgn", 1),
        ("cql -secure -o o.pgn ../h.cql ../g.pgn", 0),
    ] {
        let ran = place.shell(&format!("cd work; {line}"));
        let status = if line.contains("-allow-write") { 0 } else { status };
        assert_eq!(ran.status, Some(status), "{line}: {ran:?}");
    }
    place.write("h.cql", "cql(output inside.pgn) initial");
    assert_eq!(place.cql(&["-secure", "h.cql", "g.pgn"]).status, Some(0));
    assert!(place.path("inside.pgn").exists());
}

#[test]
fn a_hard_link_of_the_input_is_called_so() {
    let place = Place::new();
    fs::hard_link(place.path("g.pgn"), place.path("hard.pgn")).expect("linked");
    for (line, expected) in [
        ("-o hard.pgn q.cql g.pgn", "overwrite the input: hard.pgn, which is a hard link to g.pgn"),
        ("doctor g.pgn --repair hard.pgn", "hard.pgn, which is a hard link to g.pgn"),
    ] {
        let ran = place.shell(&format!("cql {line}"));
        let said = [ran.out, ran.err].concat();
        assert!(said.contains(expected), "{line}: {said}");
    }
    let ran = place.cql(&["-o", "g.pgn", "q.cql", "g.pgn"]);
    assert!(!ran.out.contains("hard link"), "{ran:?}");
}

#[test]
fn results_do_not_go_to_a_closed_output() {
    let place = Place::new();
    for line in [
        "cql --stdout q.cql g.pgn >&-",
        "cql -o - --format csv q.cql g.pgn >&-",
        "cql --count q.cql g.pgn >&-",
        "cql run q.cql -i g.pgn --stdout --format csv >&-",
        "cql run q.cql -i g.pgn >&-",
        "cql run q.cql -i g.pgn --json >&-",
        "cql --board q.cql g.pgn >&-",
        "cql -parse q.cql >&-",
    ] {
        let ran = place.shell(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.err.contains("standard output, which is closed"), "{line}: {ran:?}");
    }
    for line in [
        "stats g.pgn",
        "tree g.pgn --json",
        "dedup g.pgn",
        "explain mate",
        "help",
        "doctor g.pgn",
        "-help",
        "-h",
        "-v",
    ] {
        let ran = place.shell(&format!("cql {line} >&-"));
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.err.contains("standard output: it is closed"), "{line}: {ran:?}");
    }
    for line in [
        r#"printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' | cql mcp >&-"#,
        r#"printf '{"jsonrpc":"2.0","id":1,"method":"ping"}\n' | cql mcp >/dev/full"#,
    ] {
        let ran = place.shell(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.err.contains("standard output: "), "{line}: {ran:?}");
    }
    // A word of the language is a query if there are games.
    let ran = place.shell("cql explain mate g.pgn");
    assert!(ran.out.contains("remain after each condition"), "{ran:?}");
    // The error goes to standard error.
    let ran = place.shell("cql nosuch.cql g.pgn >&-");
    assert!(ran.err.contains("nosuch.cql"), "{ran:?}");
    let ran = place.shell("cql -o found.pgn q.cql g.pgn >&-");
    assert_eq!(ran.status, Some(0), "{ran:?}");
    // Programs in Python open it for reading and writing.
    for target in [">/dev/null", "1<>/dev/null", "<&- >/dev/null", "<&- 1<>/dev/null"] {
        let ran = place.shell(&format!("cql --stdout q.cql g.pgn {target}"));
        assert_eq!(ran.status, Some(0), "{target}: {ran:?}");
    }
}

#[test]
fn long_names_are_cut() {
    let place = Place::new();
    let name = "a".repeat(9_000_000);
    for query in [
        format!("cql() {name}"),
        format!("cql() initial \"{name}\"=3"),
        format!("cql() initial message(readfile \"{name}\")"),
        format!("cql() function {name}(x) {{x}} {name}()"),
        format!("cql(output {name}) initial"),
    ] {
        place.write("q.cql", &query);
        let ran = place.cql(&["-o", "o.pgn", "q.cql", "g.pgn"]);
        let n = ran.out.len() + ran.err.len();
        assert!(n < 10_000, "{}: {n}", &query[..30]);
    }
}

#[test]
fn memory_for_messages_and_comments_is_bounded() {
    let place = Place::new();
    place.write("g.pgn", "[Event \"x\"]\n\n1.e4 e5 *\n");
    for (limit, body) in [
        ("output=40M", "message(\"x\")"),
        ("comment-bytes=40M", "{xx+=1 comment(xx)}"),
        ("comment-bytes=40M", "comment(\"x\")"),
    ] {
        let query = format!("cql() initial xx=0 while (true) {body}");
        place.write("q.cql", &query);
        let line = format!(
            "ulimit -v 400000; cql -threads 1 -limits comments=1G,steps=10G,{limit} -o o.pgn \
             q.cql g.pgn"
        );
        let ran = place.shell(&line);
        assert_eq!(ran.status, Some(1), "{body}: {ran:?}");
        let name = limit.split('=').next().expect("a name");
        assert!(ran.err.contains(&format!("{name}=40000000")), "{body}: {ran:?}");
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_in_a_folder_is_told() {
    let place = Place::new();
    let ran = place.shell("mkdir d && cp g.pgn d && mkfifo d/f.pgn && cql --count q.cql d");
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("f.pgn") && ran.err.contains("it is not a file"), "{ran:?}");
}

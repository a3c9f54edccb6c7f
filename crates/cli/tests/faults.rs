//! Failures around a search: games on which cql fails, full disks, closed pipes, unreadable files,
//! signals, outputs that are inputs. A run leaves a complete output or none, a message and the
//! right status, and no other files.
#![cfg(target_os = "linux")]

mod support;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{Place, Ran, files_in};

const GAME: &str = "[White \"A\"]\n[Black \"B\"]\n\n1.e4 e5 2.Nf3 Nc6 *\n\n";
const FAULTY: &str = "[White \"A\"]\n[InjectedFault \"\"]\n\n1.e4 e5 *\n\n";

impl Place {
    /// Creates a place with queries and games.
    fn new() -> Place {
        let place = Place::empty();
        place.write("q.cql", b"cql() initial");
        place.write("mate.cql", b"cql() mate");
        place.write("g.pgn", GAME.repeat(300).as_bytes());
        place
    }

    fn n_games(&self, name: &str) -> usize {
        let text = fs::read_to_string(self.path(name)).expect("an output");
        text.matches("[White").count()
    }

    /// Returns the names of all files, including hidden ones.
    fn files(&self) -> Vec<String> {
        files_in(self.dir())
    }
}

#[test]
fn a_panic_loses_one_game() {
    let place = Place::new();
    let games = [GAME, FAULTY, GAME, GAME].concat();
    place.write("f.pgn", games.as_bytes());
    let check = |ran: &Ran, name: &str| {
        assert_eq!(ran.status, Some(1), "{ran:?}");
        let line = "f.pgn:6: game 2 (byte 46): ";
        let defect = "this is a defect of cql; the game does not match";
        assert!(ran.err.contains(line) && ran.err.contains(defect), "{ran:?}");
        assert!(ran.err.contains("1 on which cql failed"), "{ran:?}");
        assert!(ran.err.contains("please report this defect"), "{ran:?}");
        assert_eq!(place.n_games(name), 3, "{ran:?}");
    };
    for threads in ["1", "2"] {
        let ran = place.cql(&["-threads", threads, "-o", "out.pgn", "q.cql", "f.pgn"]);
        check(&ran, "out.pgn");
        let ran = place.cql(&[
            "run",
            "q.cql",
            "mate.cql",
            "-i",
            "f.pgn",
            "--output-dir",
            "d",
            "--threads",
            threads,
        ]);
        check(&ran, "d/q.pgn");
        assert_eq!(place.n_games("d/mate.pgn"), 0);
    }
}

/// Commands that write, each with its output file.
const WRITERS: [(&str, &str); 6] = [
    ("-o out.pgn q.cql g.pgn", "out.pgn"),
    ("-o out.html q.cql g.pgn", "out.html"),
    ("-o out.parquet --columns fen,white,ply q.cql r.pgn", "out.parquet"),
    ("run q.cql mate.cql -i g.pgn --output-dir .", "q.pgn"),
    ("run q.cql mate.cql -i g.pgn -o out.csv", "out.csv"),
    ("doctor g.pgn --repair out.pgn", "out.pgn"),
];

#[test]
fn a_query_that_fails_on_every_game_leaves_no_output() {
    let place = Place::new();
    place.write("q.cql", b"cql() initial up 8 K");
    place.write("g.pgn", GAME.repeat(3).as_bytes());
    let ran = place.cql(&["-o", "out.pgn", "q.cql", "g.pgn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("q.cql:1:15: "), "{ran:?}");
    assert!(ran.out.contains("error: the query failed on every game"), "{ran:?}");
    place.write("mate.cql", b"cql() mate");
    let run = ["run", "q.cql", "mate.cql", "-i", "g.pgn", "--output-dir", "d"];
    let ran = place.cql(&run);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.out.contains("failed"), "{ran:?}");
    assert!(!place.path("out.pgn").exists() && !place.path("d/q.pgn").exists());
    assert!(place.path("d/mate.pgn").exists());
    // One game on which the query succeeds is enough for an output.
    place.write("q.cql", b"cql() if gamenumber==1 then true else up 8 K");
    let ran = place.cql(&["-o", "out.pgn", "q.cql", "g.pgn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert_eq!(place.n_games("out.pgn"), 1);
}

#[test]
fn a_query_that_fails_and_finds_nothing_leaves_no_output() {
    let place = Place::new();
    let text = b"cql() persistent n0+=1 ply==1 gamenumber==2 up 8 K";
    place.write("q.cql", text);
    place.write("g.pgn", GAME.repeat(3).as_bytes());
    place.write("out.pgn", b"; an earlier result\n");
    let ran = place.cql(&["--force", "-o", "out.pgn", "q.cql", "g.pgn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    let ending = "no output: the query failed, and no game matches\n";
    assert!(ran.err.ends_with(ending), "{ran:?}");
    // The counts are shown nevertheless.
    assert!(ran.out.contains("\n0 matches of 3 games"), "{ran:?}");
    assert!(ran.out.contains("\nn0: "), "{ran:?}");
    assert_eq!(place.read("out.pgn"), "; an earlier result\n");
    assert_eq!(place.files(), ["g.pgn", "mate.cql", "out.pgn", "q.cql"]);
}

#[test]
fn a_full_disk_leaves_nothing_behind() {
    for (arguments, output) in WRITERS {
        let place = Place::new();
        // Different games, since Parquet is compressed.
        let mut random = 1u64;
        let games: String = (0..3000)
            .map(|_| {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                format!("[White \"{random:x}\"]\n\n1.e4 *\n\n")
            })
            .collect();
        place.write("r.pgn", games.as_bytes());
        let before = place.files();
        // With a limit on file sizes, writing more raises a signal, unless it is blocked.
        let ran = place.shell(&format!("ulimit -f 8; cql {arguments}"));
        assert_eq!(ran.status, Some(1), "{arguments}: {ran:?}");
        let said = [ran.out, ran.err].concat();
        assert!(said.contains("File too large"), "{arguments}: {said}");
        assert!(said.contains(output) && !said.contains(".tmp"), "{arguments}: {said}");
        assert_eq!(place.files(), before, "{arguments}: {said}");
        let ran = place.shell(&format!("cql {arguments}"));
        assert!(matches!(ran.status, Some(0 | 1)), "{arguments}: {ran:?}");
        assert!(place.path(output).exists(), "{arguments}: {ran:?}");
    }
}

#[test]
fn what_cannot_be_written_to_standard_output_is_an_error() {
    let place = Place::new();
    place.write("bad.cql", b"cql() chek");
    for line in [
        "cql -o out.pgn q.cql g.pgn > /dev/full",
        "cql --stdout q.cql g.pgn > /dev/full",
        "cql --count q.cql g.pgn > /dev/full",
        "cql run q.cql -i g.pgn > /dev/full",
        "cql run q.cql -i g.pgn --stdout --format csv > /dev/full",
        "cql stats g.pgn > /dev/full",
        "cql doctor g.pgn > /dev/full",
        "cql fmt --stdout q.cql > /dev/full",
        "cql check bad.cql > /dev/full",
        "cql explain q.cql > /dev/full",
        "cql help > /dev/full",
        "cql help run > /dev/full",
        "cql -o /dev/full --format pgn q.cql g.pgn >&2",
    ] {
        let ran = place.shell(line);
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        assert!(ran.err.contains("No space left on device"), "{line}: {ran:?}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let place = Place::new();
    place.write("g.pgn", GAME.repeat(20_000).as_bytes());
    let ended = |mut child: Child| child.wait().expect("an end").code();
    // The results.
    let mut child = place
        .command(&["--stdout", "q.cql", "g.pgn"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("cql runs");
    let mut line = String::new();
    let out = child.stdout.take().expect("piped");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let mut err = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut err).expect("text");
    assert_eq!(ended(child), Some(0), "{err}");
    assert!(!err.contains("error") && !err.contains("panic"), "{err}");
    // All messages.
    for (arguments, status) in [
        (&["-o", "out.pgn", "q.cql", "g.pgn"][..], 0),
        (&["run", "q.cql", "-i", "g.pgn"], 0),
        (&["run", "none.cql", "-i", "g.pgn"], 1),
        (&["-o", "out.pgn", "q.cql", "none.pgn"], 1),
        (&["help"], 0),
        (&["fmt", "none.cql"], 1),
    ] {
        let child = place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("cql runs");
        drop((child.stdout.take(), child.stderr.take()));
        assert_eq!(ended(child), Some(status), "{arguments:?}");
    }
    assert_eq!(place.n_games("out.pgn"), 20_000);
}

#[test]
fn files_that_cannot_be_read_do_not_keep_others_from_being_searched() {
    let place = Place::new();
    let text = GAME.repeat(5000);
    let mut zst = zstd::encode_all(text.as_bytes(), 1).expect("packed");
    let middle = zst.len() / 2;
    zst[middle..middle + 20].fill(0xff);
    place.write("damaged.pgn.zst", &zst);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(text.as_bytes()).expect("packed");
    let gz = gz.finish().expect("packed");
    place.write("short.pgn.gz", &gz[..gz.len() / 2]);
    for threads in ["1", "2"] {
        let files = ["g.pgn", "damaged.pgn.zst", "none.pgn", "short.pgn.gz", "g.pgn"];
        let arguments = ["-threads", threads, "-o", "out.pgn", "q.cql"];
        let ran = place.cql(&[&arguments[..], &files[..]].concat());
        assert_eq!(ran.status, Some(1), "{ran:?}");
        for name in &files[1..4] {
            assert!(ran.err.contains(name), "{name}: {ran:?}");
        }
        assert!(
            ran.err.contains("files that cannot be read: 2\nfiles not read to their end: 1"),
            "{ran:?}"
        );
        assert!(place.n_games("out.pgn") >= 600, "{ran:?}");
        fs::remove_file(place.path("out.pgn")).expect("removed");
        let strict = place.cql(&[&["-strict"], &arguments[..], &files[..]].concat());
        assert_eq!(strict.status, Some(1), "{strict:?}");
        assert!(!place.path("out.pgn").exists());
    }
}

/// Waits until the program has started to write a file, which may have no name yet.
fn wait_for_output(place: &Place, child: &mut Child) {
    let start = Instant::now();
    let own = place.dir().to_string_lossy().into_owned();
    let open_files = PathBuf::from(format!("/proc/{}/fd", child.id()));
    let has_begun = || {
        let open = fs::read_dir(&open_files).into_iter().flatten().flatten();
        let mut targets = open.filter_map(|entry| fs::read_link(entry.path()).ok());
        let is_output = |name: &str| {
            name.starts_with(&own) && (name.ends_with(" (deleted)") || name.ends_with(".tmp"))
        };
        targets.any(|target| is_output(&target.to_string_lossy()))
    };
    while !has_begun() {
        assert!(child.try_wait().expect("a child").is_none(), "it ended too soon");
        assert!(start.elapsed() < Duration::from_secs(60), "it does not begin to write");
        thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill").args([name, &child.id().to_string()]).status();
    assert!(status.expect("kill runs").success());
}

#[test]
fn signals_end_a_run_without_half_a_file() {
    for (name, status, word) in [("-INT", 130, "interrupted"), ("-TERM", 143, "terminated")] {
        for arguments in [
            &["-o", "out.pgn", "q.cql", "-"][..],
            &["-threads", "1", "-o", "out.html", "q.cql", "-"],
            &["run", "q.cql", "mate.cql", "-i", "-", "-o", "out.parquet"],
        ] {
            let place = Place::new();
            let before = place.files();
            let child = place
                .command(arguments)
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn();
            let mut child = child.expect("cql runs");
            let mut games = child.stdin.take().expect("piped");
            games.write_all(GAME.repeat(50).as_bytes()).expect("written");
            games.flush().expect("written");
            wait_for_output(&place, &mut child);
            signal(&child, name);
            // The pipe is still open.
            let ran = Ran::of(&child.wait_with_output().expect("an end"));
            drop(games);
            assert_eq!(ran.status, Some(status), "{arguments:?}: {ran:?}");
            let said = [ran.out, ran.err].concat();
            let text = format!("{word}: no output was written\n");
            assert!(said.contains(&text), "{arguments:?}: {said}");
            assert_eq!(place.files(), before, "{arguments:?}: {said}");
        }
    }
}

#[test]
fn a_signal_ends_a_query_that_does_not() {
    for (name, status, word) in [("-INT", 130, "interrupted"), ("-TERM", 143, "terminated")] {
        let place = Place::new();
        // A file that the query writes shows that it has started.
        let query = b"cql() writefile(\"begun.cqo\" \"x\") while (true) true";
        place.write("q.cql", query);
        place.write("begun.cqo", b"");
        let before = place.files();
        let child = place
            .command(&["-limits", "steps=1000000000G", "-o", "out.pgn", "q.cql", "g.pgn"])
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.expect("cql runs");
        wait_for_output(&place, &mut child);
        let start = Instant::now();
        while fs::read(place.path("begun.cqo")).expect("a file").is_empty() {
            assert!(start.elapsed() < Duration::from_secs(60), "no game begins");
            thread::sleep(Duration::from_millis(10));
        }
        let start = Instant::now();
        signal(&child, name);
        let ran = Ran::of(&child.wait_with_output().expect("an end"));
        // Far less if nothing else runs.
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(ran.status, Some(status), "{ran:?}");
        let said = format!("{word}: no output was written\n");
        assert!(ran.out.ends_with(&said), "{ran:?}");
        assert_eq!(place.files(), before);
    }
}

#[test]
fn a_signal_ends_whoever_waits() {
    let place = Place::new();
    let made = Command::new("mkfifo").arg(place.path("pipe")).status();
    assert!(made.expect("mkfifo runs").success());
    place.write("last.cql", b"cql() lastgamenumber==3");
    // Nobody writes into the pipe or reads the results.
    for arguments in [
        &["-o", "out.pgn", "q.cql", "pipe"][..],
        &["-o", "out.pgn", "last.cql", "pipe"],
        &["--stdout", "q.cql", "g.pgn", "g.pgn.many"],
        &["doctor", "pipe"],
        &["stats", "pipe"],
        &["bench", "q.cql", "-i", "pipe"],
    ] {
        place.write("g.pgn.many", GAME.repeat(20_000).as_bytes());
        let child = place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let child = child.expect("cql runs");
        // Before the program handles signals, they end it in the default way.
        thread::sleep(Duration::from_millis(500));
        let start = Instant::now();
        signal(&child, "-INT");
        let mut child = child;
        let ended = child.wait().expect("an end");
        assert!(start.elapsed() < Duration::from_secs(5), "{arguments:?}");
        assert!(matches!(ended.code(), Some(130) | None), "{arguments:?}");
        assert!(!place.path("out.pgn").exists());
    }
}

#[test]
fn a_killed_run_leaves_nothing_behind() {
    for sorted in ["cql() initial", "cql() initial sort \"x\" ply"] {
        let place = Place::new();
        place.write("q.cql", sorted.as_bytes());
        place.write("old.pgn", b"[Event \"old\"]\n");
        let before = place.files();
        let child = place
            .command(&["-o", "old.pgn", "q.cql", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn();
        let mut child = child.expect("cql runs");
        let mut games = child.stdin.take().expect("piped");
        games.write_all(GAME.repeat(50).as_bytes()).expect("written");
        wait_for_output(&place, &mut child);
        signal(&child, "-KILL");
        child.wait().expect("an end");
        assert_eq!(place.files(), before);
        let old = fs::read_to_string(place.path("old.pgn")).expect("a file");
        assert_eq!(old, "[Event \"old\"]\n");
    }
}

#[test]
fn what_is_read_is_never_overwritten() {
    let place = Place::new();
    std::os::unix::fs::symlink(place.path("g.pgn"), place.path("soft.pgn")).expect("linked");
    fs::hard_link(place.path("g.pgn"), place.path("hard.pgn")).expect("linked");
    fs::hard_link(place.path("g.pgn"), place.path("q.pgn")).expect("linked");
    fs::create_dir(place.path("sub")).expect("made");
    let before = place.files();
    for line in [
        "-o g.pgn q.cql g.pgn",
        "-o ./sub/../g.pgn q.cql g.pgn",
        "-o soft.pgn q.cql g.pgn",
        "-o hard.pgn q.cql g.pgn",
        "-o g.pgn q.cql soft.pgn",
        "-o g.pgn --format html q.cql g.pgn",
        "-o hard.pgn --format parquet --columns ply q.cql g.pgn",
        "-o q.cql --format pgn q.cql g.pgn",
        "-o g.pgn -similarposition g.pgn q.cql soft.pgn",
        "run q.cql -i g.pgn -o soft.pgn --format csv",
        "run q.cql -i g.pgn --output-dir .",
        "run q.cql -i g.pgn --summary hard.pgn",
        "run q.cql mate.cql -i g.pgn --summary mate.cql",
        "doctor g.pgn --repair hard.pgn",
        "doctor g.pgn --repair sub/../soft.pgn",
    ] {
        let ran = place.shell(&format!("cql {line}"));
        assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
        let said = [ran.out, ran.err].concat();
        assert!(said.contains("overwrite"), "{line}: {said}");
        assert_eq!(place.files(), before, "{line}: {said}");
    }
    assert_eq!(place.n_games("g.pgn"), 300);
    let query = fs::read_to_string(place.path("q.cql")).expect("a query");
    assert_eq!(query, "cql() initial");
}

#[test]
fn queries_do_not_write_over_what_is_read() {
    let place = Place::new();
    for target in ["q.cql", "./q.cql"] {
        let text = format!("cql() writefile(\"{target}\" \"x\")");
        place.write("q.cql", text.as_bytes());
        for line in ["-o out.pgn q.cql g.pgn", "run q.cql -i g.pgn --output-dir d"] {
            let ran = place.shell(&format!("cql {line}"));
            assert_eq!(ran.status, Some(1), "{line}: {ran:?}");
            assert!(ran.err.contains("would overwrite the input"), "{line}: {ran:?}");
        }
        assert_eq!(fs::read(place.path("q.cql")).expect("a query"), text.as_bytes());
    }
}

/// A search that finds nothing evaluates the conditions once more, to say which one never held.
#[test]
fn a_secure_run_does_not_read_files_to_say_why_nothing_matches() {
    let place = Place::new();
    place.write("secret.pgn", GAME.as_bytes());
    place.write("two.pgn", GAME.repeat(2).as_bytes());
    place.write("q.cql", b"cql() gamenumber == 2 readfile \"secret.pgn\" == \"x\"");
    for (option, is_said) in [("--color=never", true), ("--secure", false)] {
        let ran = place.cql(&[option, "--stdout", "q.cql", "two.pgn"]);
        assert_eq!(ran.err.contains("no matches: "), is_said, "{ran:?}");
        assert_eq!(ran.err.contains("--secure forbids"), !is_said, "{ran:?}");
    }
}

#[test]
fn a_secure_run_touches_no_files_for_its_query() {
    let place = Place::new();
    place.write("secret.pgn", GAME.as_bytes());
    place.write("all.cql", b"cql() initial");
    for (query, word) in [
        ("cql() message(readfile \"secret.pgn\")", "secret.pgn"),
        ("cql() writefile(\"new.cql\" \"x\")", "new.cql"),
        ("cql() similarposition \"secret.pgn\"", "secret.pgn"),
        ("cql(input secret.pgn) initial", "-input"),
        ("cql(output /tmp/new.pgn) initial", "-output"),
    ] {
        place.write("q.cql", query.as_bytes());
        let in_header = word.starts_with('-');
        let before = place.files();
        let line = match word {
            "-input" => "-secure -o out.pgn q.cql",
            "-output" => "-secure q.cql g.pgn",
            _ => "-secure -o out.pgn q.cql g.pgn",
        };
        let ran = place.shell(&format!("cql {line}; status=$?; rm -f out.pgn; exit $status"));
        assert_eq!(ran.status, Some(1), "{query}: {ran:?}");
        let said = [ran.out, ran.err].concat();
        assert!(said.contains("--secure forbids") && said.contains(word), "{query}: {said}");
        assert_eq!(place.files(), before, "{query}: {said}");
        // `cql run` ignores the files in headers.
        let ran = place.cql(&["run", "--secure", "q.cql", "all.cql", "-i", "g.pgn"]);
        assert_eq!(ran.status, Some(i32::from(!in_header)), "{query}: {ran:?}");
        assert_eq!(ran.err.contains("--secure forbids"), !in_header, "{query}: {ran:?}");
        assert_eq!(place.files(), before, "{query}: {ran:?}");
        // `cql bench` does not write files either.
        let ran = place.cql(&["bench", "q.cql", "-i", "g.pgn", "--runs", "1"]);
        assert!(matches!(ran.status, Some(0 | 1)), "{query}: {ran:?}");
        assert_eq!(place.files(), before, "{query}: {ran:?}");
    }
}

//! Limits: each can be set, and exceeding it is reported, skips a game or ends the run.

mod support;

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::process::Command;

use support::{Place, Ran, files_in};

/// The second game has a variation, and more positions than the others.
const GAMES: &str = "\
[Event \"short\"]\n\n1.e4 e5 *\n\n\
[Event \"long\"]\n\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O *\n\n\
[Event \"short\"]\n\n1.d4 d5 *\n";

impl Place {
    fn new() -> Place {
        let place = Place::empty();
        place.write("g.pgn", GAMES.as_bytes());
        place
    }

    fn query(&self, text: &str) {
        self.write("q.cql", text.as_bytes());
    }
}

/// For each limit of a game, a query that exceeds it on the second game only.
const EXCEEDED: [(&str, &str); 8] = [
    ("steps=100", "cql() terminal yy=0 while (yy<ply*ply) yy+=1"),
    ("string=40", "cql() xx=\"\" terminal yy=0 while (yy<ply) {yy+=1 xx+=\"1234\"}"),
    ("memory=60", "cql() xx=\"\" terminal yy=0 while (yy<ply) {yy+=1 xx+=\"12345\"}"),
    ("imagined=70", "cql() not legal --(false)"),
    ("saved=3", "cql() x = imagine remove Q : saveposition"),
    ("comments=8", "cql() comment(\"here\")"),
    ("comment-bytes=600", "cql() comment(\"here\")"),
    ("output=400", "cql() comment(\"a comment of some length\")"),
];

#[test]
fn a_game_beyond_a_limit_is_reported_and_skipped_or_fatal() {
    for (limit, query) in EXCEEDED {
        let place = Place::new();
        place.query(query);
        let arguments = ["-limits", limit, "-o", "out.pgn", "q.cql", "g.pgn"];
        let ran = place.cql(&arguments);
        assert_eq!(ran.status, Some(1), "{limit}: {ran:?}");
        assert_eq!(ran.err.matches(": game ").count(), 1, "{limit}: {ran:?}");
        assert!(ran.err.starts_with("g.pgn:5: game 2 (byte 28): "), "{limit}: {ran:?}");
        assert!(ran.err.contains(&format!("(the limit is {limit})")), "{limit}: {ran:?}");
        assert!(
            ran.err.contains("faulty games: 1 on which the query exceeds a limit\n"),
            "{limit}: {ran:?}"
        );
        let out = fs::read_to_string(place.path("out.pgn")).expect("written");
        assert_eq!(out.matches("short").count(), 2, "{limit}: {out}");
        assert!(!out.contains("long"), "{limit}: {out}");

        // The limit holds in a run of several queries, too.
        place.write("all.cql", b"cql() initial");
        let several = ["run", "q.cql", "all.cql", "-i", "g.pgn", "--output-dir", "d"];
        let ran = place.cql(&[&several[..], &["--limits", limit]].concat());
        assert_eq!(ran.status, Some(1), "{limit}: {ran:?}");
        assert!(ran.err.contains("q: g.pgn:5: game 2 (byte 28): "), "{limit}: {ran:?}");
        let out = fs::read_to_string(place.path("d/q.pgn")).expect("written");
        assert_eq!(out.matches("[Event").count(), 2, "{limit}: {out}");
        let out = fs::read_to_string(place.path("d/all.pgn")).expect("written");
        assert_eq!(out.matches("[Event").count(), 3, "{limit}: {out}");

        let place = Place::new();
        place.query(query);
        place.write("all.cql", b"cql() initial");
        let strict = place.cql(&[&["-strict"], &arguments[..]].concat());
        assert_eq!(strict.status, Some(1), "{limit}: {strict:?}");
        assert!(
            strict.out.contains("exceeds a limit on a game, and -strict is given"),
            "{strict:?}"
        );
        let strict = place.cql(&[&several[..], &["--strict", "--limits", limit]].concat());
        assert_eq!(strict.status, Some(1), "{limit}: {strict:?}");
        assert!(
            strict.err.contains("exceeds a limit on a game, and -strict is given"),
            "{strict:?}"
        );
        let left: Vec<String> = files_in(place.dir());
        assert_eq!(left, ["all.cql", "d", "g.pgn", "q.cql"], "{limit}");
        assert_eq!(files_in(&place.path("d")), [""; 0], "{limit}");

        let unlimited = place.cql(&["-o", "out.pgn", "q.cql", "g.pgn"]);
        assert_eq!(unlimited.status, Some(0), "{limit}: {unlimited:?}");
    }
}

#[test]
fn what_shows_in_the_query_is_an_error_with_its_place() {
    let place = Place::new();
    for (limit, query, place_of_it) in [
        ("images=10", "cql()\nshift R", "q.cql:2:"),
        ("filters=100", "cql()\nshift {R attacks k}", "q.cql:2:"),
        ("nesting=5", "cql()\n{{{{{{check}}}}}}", "q.cql:2:"),
        ("regex=5", "cql()\nevent ~~ \"abcdef\"", "q.cql:2:"),
    ] {
        place.query(query);
        let ran = place.cql(&["-limits", limit, "-o", "out.pgn", "q.cql", "g.pgn"]);
        assert_eq!(ran.status, Some(1), "{limit}: {ran:?}");
        assert!(ran.out.contains(place_of_it) && ran.out.contains('^'), "{limit}: {ran:?}");
        let name = limit.split('=').next().expect("a name");
        assert!(ran.out.contains(name) || name == "nesting", "{limit}: {ran:?}");
        assert!(!place.path("out.pgn").exists(), "{limit}");
    }
}

#[test]
fn names_of_players_are_searched_within_the_limit() {
    let place = Place::new();
    let name = "a".repeat(200);
    place.write("g.pgn", format!("[White \"{name}\"]\n\n1.e4 *\n").as_bytes());
    place.query("cql() initial");
    let ran = place.cql(&["-player", "(a*)*b", "-steps", "1000000", "q.cql", "g.pgn"]);
    assert_eq!(ran.status, Some(1), "{ran:?}");
    assert!(ran.err.contains("game 1 (byte 0): the query takes too many steps"), "{ran:?}");
}

#[test]
fn limits_that_do_not_exist_are_refused() {
    let place = Place::new();
    place.query("cql() initial");
    for (limit, part) in [("speed=1", "unknown limit 'speed'"), ("steps=x", "needs a number")] {
        let ran = place.cql(&["-limits", limit, "q.cql", "g.pgn"]);
        assert!(ran.status == Some(1) && ran.out.contains(part), "{ran:?}");
        let ran = place.cql(&["run", "q.cql", "-i", "g.pgn", "--limits", limit]);
        assert!(ran.status == Some(1) && ran.err.contains(part), "{ran:?}");
    }
}

/// Returns games followed by `n` blanks.
fn bomb(n: u64) -> impl Read {
    GAMES.as_bytes().chain(io::repeat(b' ').take(n))
}

#[test]
fn files_that_unpack_to_more_than_games_do_are_given_up() {
    const SIZE: u64 = 120_000_000;
    let place = Place::new();
    place.query("cql() initial");
    let create = |name: &str| File::create(place.path(name)).expect("a file");
    zstd::stream::copy_encode(bomb(SIZE), create("b.pgn.zst"), 1).expect("packed");
    let mut gz = flate2::write::GzEncoder::new(create("b.pgn.gz"), flate2::Compression::fast());
    io::copy(&mut bomb(SIZE), &mut gz).expect("packed");
    gz.finish().expect("packed");
    let mut bz2 = bzip2::write::BzEncoder::new(create("b.pgn.bz2"), bzip2::Compression::fast());
    io::copy(&mut bomb(SIZE), &mut bz2).expect("packed");
    bz2.finish().expect("packed");
    let mut lz4 = lz4_flex::frame::FrameEncoder::new(create("b.pgn.lz4"));
    io::copy(&mut bomb(SIZE), &mut lz4).expect("packed");
    lz4.finish().expect("packed");
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut xz = lzma_rust2::XzWriter::new(create("b.pgn.xz"), options).expect("an encoder");
    io::copy(&mut bomb(SIZE), &mut xz).expect("packed");
    xz.finish().expect("packed");
    let mut zip = zip::ZipWriter::new(create("b.zip"));
    let options = zip::write::SimpleFileOptions::default().compression_level(Some(1));
    // Two members that only together exceed the limit.
    for name in ["a.pgn", "b.pgn"] {
        zip.start_file(name, options).expect("a member");
        io::copy(&mut bomb(SIZE / 2), &mut zip).expect("packed");
    }
    zip.finish().expect("packed");
    for name in ["b.pgn.zst", "b.pgn.gz", "b.pgn.bz2", "b.pgn.lz4", "b.pgn.xz", "b.zip"] {
        let ran = place.cql(&["-limits", "unpacked=100", "-o", "out.pgn", "q.cql", name, "g.pgn"]);
        assert_eq!(ran.status, Some(1), "{name}: {ran:?}");
        assert!(
            ran.err.contains("its decompressed text is more than 100 times its size")
                && ran.err.contains("unpacked=N"),
            "{name}: {ran:?}"
        );
        // The other file is searched.
        assert!(ran.out.contains(" games in "), "{name}: {ran:?}");
        let out = fs::read_to_string(place.path("out.pgn")).expect("written");
        assert!(out.matches("[Event").count() >= 6, "{name}: {out}");
        let permitted = ["-limits", "unpacked=1000000", "-o", "out.pgn", "q.cql", name];
        assert_eq!(place.cql(&permitted).status, Some(0), "{name}");
    }
    for subcommand in [
        &["stats", "b.pgn.zst"][..],
        &["doctor", "b.pgn.zst"],
        &["bench", "q.cql", "-i", "b.pgn.zst", "--runs", "1"],
        &["run", "q.cql", "-i", "b.pgn.zst"],
    ] {
        let within = |limit: &str| place.cql(&[subcommand, &["--limits", limit]].concat());
        let ran = within("unpacked=100");
        assert!(
            ran.err.contains("its decompressed text is more than 100 times its size"),
            "{subcommand:?}: {ran:?}"
        );
        let ran = within("unpacked=1M");
        assert!(!ran.err.contains("unpack"), "{subcommand:?}: {ran:?}");
        let ran = within("unpack=1M");
        assert!(ran.err.contains("unknown limit"), "{subcommand:?}: {ran:?}");
    }
}

/// Runs the program with a limit on its memory.
#[cfg(target_os = "linux")]
fn within_memory(place: &Place, kilobytes: u32, arguments: &[&str]) -> Ran {
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("ulimit -v {kilobytes}; exec \"$0\" \"$@\""))
        .arg(env!("CARGO_BIN_EXE_cql"))
        .args(arguments)
        .current_dir(place.dir())
        .output()
        .expect("cql runs");
    Ran::of(&output)
}

#[cfg(target_os = "linux")]
#[test]
fn a_want_of_memory_is_called_so() {
    let place = Place::empty();
    let games = include_str!("../../../examples/historic.pgn").repeat(40);
    place.write("g.pgn", games.as_bytes());
    // A compression window of some megabytes.
    let file = File::create(place.path("g.pgn.zst")).expect("a file");
    let mut packed = zstd::Encoder::new(file, 12).expect("an encoder");
    packed.write_all(games.as_bytes()).expect("packed");
    packed.finish().expect("packed");
    let indexed = place.cql(&["index", "--self-contained", "-o", "a.cqa", "g.pgn"]);
    assert_eq!(indexed.status, Some(0), "{indexed:?}");
    let mut n_failed = 0;
    // The system must be able to map the program and the stack of its first thread: the build of the
    // program decides how much that takes.
    let starts = |megabytes: &u32| {
        let ran = within_memory(&place, megabytes * 1000, &["index", "--check", "missing.cqa"]);
        ran.err.contains("missing.cqa")
    };
    let least = (24..80).find(starts).expect("cql starts in 80 MB");
    let sizes = (least..least + 8).chain((least + 8..least + 32).step_by(4));
    for megabytes in sizes.chain([120, 400, 2000]) {
        for arguments in [
            "-cql mate -i g.pgn -o o.pgn",
            "-cql mate -i g.pgn.zst -o o.pgn",
            "-cql mate -i a.cqa -o o.pgn",
            "index --check a.cqa",
            "doctor g.pgn",
        ] {
            let kilobytes = megabytes * 1000;
            let arguments: Vec<&str> = arguments.split(' ').collect();
            let ran = within_memory(&place, kilobytes, &arguments);
            let (status, said) = (ran.status, ran.out + &ran.err);
            let is_named = ["memory", "allocate", "failed to map", "cannot map"]
                .iter()
                .any(|word| said.to_lowercase().contains(word));
            assert!(
                status == Some(0) || is_named,
                "{megabytes} MB, {arguments:?}: {status:?}, {said}"
            );
            assert!(!said.contains("damaged"), "{megabytes} MB, {arguments:?}: {said}");
            n_failed += usize::from(status != Some(0));
            assert!(megabytes < 2000 || status == Some(0), "{arguments:?}: {said}");
        }
    }
    assert!(n_failed > 0, "the limits are too wide to show anything");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_is_bounded_whatever_is_in_a_file() {
    // Greater than the limit on memory.
    const SIZE: usize = 310_000_000;
    let place = Place::new();
    place.query("cql() initial");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    for (name, head, fill) in [
        ("moves.pgn", "[Event \"?\"]\n\n1.e4 e5 ", b'1'),
        ("comment.pgn", "[Event \"?\"]\n\n1.e4 e5 {", b'x'),
        ("tag.pgn", "[Event \"?\"]\n[Site \"", b'x'),
        ("variations.pgn", "[Event \"?\"]\n\n1.e4 e5 ", b'('),
        ("blank.pgn", "", b' '),
        ("lines.pgn", "[Event \"?\"]\n\n1.e4 e5 ", b'\n'),
        ("line.epd", start, b' '),
    ] {
        let mut file = File::create(place.path(&format!("{name}.zst"))).expect("a file");
        let text = head.as_bytes().chain(io::repeat(fill).take(SIZE as u64));
        zstd::stream::copy_encode(text, &mut file, 1).expect("packed");
        file.flush().expect("written");
        let name = format!("{name}.zst");
        let ran = within_memory(
            &place,
            300_000,
            &["-limits", "unpacked=1G", "-threads", "2", "-o", "out.pgn", "q.cql", &name, "g.pgn"],
        );
        assert!(matches!(ran.status, Some(0 | 1)), "{name}: {ran:?}");
        let out = fs::read_to_string(place.path("out.pgn")).expect("written");
        assert!(out.matches("short").count() == 2, "{name}: {out}");
    }
}

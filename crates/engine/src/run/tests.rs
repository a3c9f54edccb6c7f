use std::ops::Range;
use std::sync::atomic::AtomicU64;

use pgn::Splitter;
use proptest::prelude::*;

use super::*;

/// Writes down each game as it sees it; panics where a game asks for it.
struct Recorder;

impl Worker for Recorder {
    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut ChunkOutput) {
        let start = out.text.len();
        let place = format!("{number} {} ", raw.offset);
        out.text.extend_from_slice(place.as_bytes());
        out.text.extend_from_slice(raw.text);
        out.messages.extend_from_slice(place.as_bytes());
        assert!(!contains(raw.text, "PANIC"), "asked to");
        out.matches.push(Match {
            number,
            text: start..out.text.len(),
            n_positions: 0,
            sort_keys: Vec::new(),
        });
    }
}

fn contains(text: &[u8], word: &str) -> bool {
    text.windows(word.len())
        .any(|window| window == word.as_bytes())
}

/// All that a run gave, put together.
#[derive(Debug, PartialEq, Eq, Default)]
struct Record {
    games: Vec<(u64, String)>,
    faults: Vec<GameFault>,
    messages: String,
    n_games: u64,
}

fn record(text: &[u8], set: impl FnOnce(&mut RunOptions<'_>)) -> Record {
    let cancel = AtomicBool::new(false);
    let mut options = RunOptions::new(&cancel);
    set(&mut options);
    let mut record = Record::default();
    let mut sink = |out: ChunkOutput| {
        assert_eq!(out.first_game, record.n_games + 1);
        record.n_games += out.n_games;
        for found in &out.matches {
            let text = String::from_utf8_lossy(&out.text[found.text.clone()]);
            record.games.push((found.number, text.into_owned()));
        }
        record.faults.extend_from_slice(&out.faults);
        record.messages += &String::from_utf8_lossy(&out.messages);
        Ok(())
    };
    let (summary, _) = run(&text, &options, || Recorder, &mut sink).expect("reading from memory");
    assert_eq!(summary.n_games, record.n_games);
    assert_eq!(summary.n_matches, record.games.len() as u64);
    assert!(!summary.cancelled);
    record
}

/// What one pass of the splitter over the whole text gives.
fn one_pass(text: &[u8]) -> Record {
    let mut record = Record::default();
    let mut out = ChunkOutput::default();
    for raw in Splitter::default().split(text, true) {
        record.n_games += 1;
        out.pgn_faults(&raw, record.n_games, |line| line);
        if !raw.is_skipped() {
            let place = format!("{} {} ", record.n_games, raw.offset);
            record.messages += &place;
            let text = place + &String::from_utf8_lossy(raw.text);
            record.games.push((record.n_games, text));
        }
    }
    record.faults = out.faults;
    record
}

fn games(range: Range<usize>) -> String {
    range
        .map(|i| format!("[Event \"{i}\"]\n\n1. e4 e5 *\n\n"))
        .collect()
}

fn check_all(text: &[u8], threads: usize, chunk_bytes: usize) {
    let got = record(text, |options| {
        options.threads = threads;
        options.chunk_bytes = chunk_bytes;
    });
    let expected = one_pass(text);
    assert_eq!(
        got, expected,
        "{threads} threads, chunks of {chunk_bytes} bytes"
    );
}

#[test]
fn chunks_and_threads_do_not_matter() {
    let text = games(0..300);
    for threads in [1, 2, 5] {
        for chunk_bytes in [1, 7, 64, 1000, 1 << 20] {
            check_all(text.as_bytes(), threads, chunk_bytes);
        }
    }
}

#[test]
fn files_without_games() {
    for text in ["", "\n\n", "; nothing\n"] {
        for threads in [1, 3] {
            assert_eq!(record(text.as_bytes(), |o| o.threads = threads).n_games, 0);
        }
    }
}

#[test]
fn boundaries_that_are_none() {
    let tricky = [
        // Within a comment.
        "[Event \"a\"]\n\n1. e4 {\n\n[Event \"no\"]\n\n1. d4 *\n\n} e5 *\n\n".repeat(40),
        // Behind text that belongs to the next game.
        "[Event \"a\"]\n\n1. e4 *\n\nsome words\n\n[Event \"b\"]\n\n1. d4 *\n\n".repeat(40),
        // A comment that never ends.
        games(0..50) + "[Event \"a\"]\n\n1. e4 { never\n\n" + &games(50..99),
        // No boundary at all.
        "1. e4 e5 ".repeat(200),
        "[".repeat(500),
        "\n\n[".repeat(200),
    ];
    for text in &tricky {
        for threads in [1, 2, 4] {
            for chunk_bytes in [3, 50, 400] {
                check_all(text.as_bytes(), threads, chunk_bytes);
            }
        }
    }
}

#[test]
fn a_game_beyond_the_limit_does_not_swallow_the_rest() {
    let text = format!(
        "{}[Event \"a\"]\n\n1. e4 {{{}\n\n{}",
        games(0..20),
        "never \n\n[Event ".repeat(100_000),
        games(20..40)
    );
    for threads in [1, 3] {
        for chunk_bytes in [40_000, 1 << 20] {
            check_all(text.as_bytes(), threads, chunk_bytes);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_text_in_any_chunks(
        parts in prop::collection::vec(
            prop::sample::select(vec![
                "[Event \"a\"]\n", "[White \"b\"]\n", "\n", "\n\n", "\r\n", " ", "1. e4 e5 ",
                "1-0", "*", "1/2-1/2\n", "{", "}", "{a comment}", "; a line\n", "[", "]", "(", ")",
                "words", "\n\n[Event \"c\"]\n\n1. d4 *\n\n", "%x\n", "\u{feff}", "\0", "\"",
            ]),
            0..200,
        ),
        threads in 1usize..4,
        chunk_bytes in 1usize..300,
    ) {
        check_all(parts.concat().as_bytes(), threads, chunk_bytes);
    }
}

#[test]
fn only_the_games_asked_for() {
    let text = games(0..100);
    let check = |first: u64, last: Option<u64>, evaluated: Range<u64>, n_read: u64| {
        for threads in [1, 3] {
            for chunk_bytes in [40, 1000] {
                let got = record(text.as_bytes(), |options| {
                    options.threads = threads;
                    options.chunk_bytes = chunk_bytes;
                    options.first_game = first;
                    options.last_game = last;
                });
                let numbers: Vec<u64> = got.games.iter().map(|game| game.0).collect();
                assert_eq!(
                    numbers,
                    evaluated.clone().collect::<Vec<_>>(),
                    "{first} {last:?}"
                );
                assert_eq!(got.n_games, n_read, "{first} {last:?}");
            }
        }
    };
    check(1, None, 1..101, 100);
    check(98, None, 98..101, 100);
    check(3, Some(8), 3..9, 9);
    check(8, Some(3), 0..0, 4);
    check(1, Some(99), 1..100, 100);
    check(1, Some(100), 1..101, 100);
    check(1, Some(500), 1..101, 100);
    check(200, Some(500), 0..0, 100);
}

#[test]
fn a_panic_costs_one_game() {
    let text = games(0..10) + "[Event \"PANIC\"]\n\n*\n\n" + &games(10..20);
    for threads in [1, 3] {
        let got = record(text.as_bytes(), |options| {
            options.threads = threads;
            options.chunk_bytes = 100;
        });
        assert_eq!(got.n_games, 21);
        assert_eq!(got.games.len(), 20);
        assert!(
            !got.messages.contains("11 "),
            "the message of that game is dropped"
        );
        let [fault] = got.faults.as_slice() else {
            panic!("faults: {:?}", got.faults);
        };
        assert_eq!((fault.number, fault.kind), (11, FaultKind::Internal));
        assert_eq!(fault.line, 41);
        assert!(fault.message.contains("asked to"), "{}", fault.message);
    }
}

#[test]
fn workers_come_back() {
    struct Counter(u64);
    impl Worker for Counter {
        fn game(&mut self, _: &RawGame<'_>, _: u64, _: &mut ChunkOutput) {
            self.0 += 1;
        }
    }
    let text = games(0..200);
    for threads in [1, 4] {
        let cancel = AtomicBool::new(false);
        let mut options = RunOptions::new(&cancel);
        options.threads = threads;
        options.chunk_bytes = 100;
        let (_, workers) = run(&text.as_bytes(), &options, || Counter(0), &mut |_| Ok(()))
            .expect("reading from memory");
        assert_eq!(workers.len(), threads);
        assert_eq!(workers.iter().map(|worker| worker.0).sum::<u64>(), 200);
    }
}

#[test]
fn a_run_can_be_cancelled() {
    struct Cancel<'a>(&'a AtomicBool);
    impl Worker for Cancel<'_> {
        fn game(&mut self, _: &RawGame<'_>, number: u64, _: &mut ChunkOutput) {
            if number == 50 {
                self.0.store(true, Ordering::Relaxed);
            }
        }
    }
    let text = games(0..20_000);
    for threads in [1, 4] {
        let cancel = AtomicBool::new(false);
        let mut options = RunOptions::new(&cancel);
        options.threads = threads;
        options.chunk_bytes = 200;
        let (summary, _) = run(&text.as_bytes(), &options, || Cancel(&cancel), &mut |_| {
            Ok(())
        })
        .expect("reading from memory");
        assert!(summary.cancelled);
        assert!(summary.n_games < 20_000, "{}", summary.n_games);
    }
}

#[test]
fn faults_of_the_outside_world_end_the_run() {
    struct Broken {
        size: u64,
        n_reads: AtomicU64,
    }
    impl Input for Broken {
        fn size(&self) -> u64 {
            self.size
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            if self.n_reads.fetch_add(1, Ordering::Relaxed) == 5 {
                return Err(io::Error::other("the disk is gone"));
            }
            let text = b"[Event \"a\"]\n\n1. e4 *\n\n";
            for (at, byte) in (offset as usize..).zip(buffer.iter_mut()) {
                *byte = text[at % text.len()];
            }
            Ok(buffer.len())
        }
    }
    for threads in [1, 4] {
        let cancel = AtomicBool::new(false);
        let mut options = RunOptions::new(&cancel);
        options.threads = threads;
        options.chunk_bytes = 100;
        let broken = Broken {
            size: 100_000,
            n_reads: AtomicU64::new(0),
        };
        let error = run(&broken, &options, || Recorder, &mut |_| Ok(()))
            .map(|_| ())
            .unwrap_err();
        assert!(error.to_string().contains("the disk is gone"), "{error}");

        let text = games(0..5_000);
        let mut full = |_: ChunkOutput| Err(io::Error::other("the disk is full"));
        let error = run(&text.as_bytes(), &options, || Recorder, &mut full)
            .map(|_| ())
            .unwrap_err();
        assert!(error.to_string().contains("the disk is full"), "{error}");
    }
}

#[test]
fn counts_are_those_of_the_games_whatever_the_threads() {
    // 120 games of three positions, 100 of them with White and a variation.
    let text: String = (0..120)
        .map(|i| match i % 6 {
            0 => "[Event \"a\"]\n\n1. e4 e5 *\n\n",
            _ => "[White \"a\"]\n\n1. e4 (1. d4) e5 *\n\n",
        })
        .collect();
    let check = |query: &str, expected: (u64, u64, u64)| {
        let source = crate::Source {
            name: "query",
            text: query.as_bytes(),
        };
        let program = crate::compile(&source, &[], &crate::CompileOptions::default()).program;
        let program = program.expect("a correct query");
        for threads in [1, 3] {
            for chunk_bytes in [90, 1 << 20] {
                let cancel = AtomicBool::new(false);
                let mut options = RunOptions::new(&cancel);
                options.threads = threads;
                options.chunk_bytes = chunk_bytes;
                let worker = || crate::GameWorker::new(&program);
                let (summary, _) = run(&text.as_bytes(), &options, worker, &mut |_| Ok(()))
                    .expect("reading from memory");
                let counts = (
                    summary.n_positions,
                    summary.n_matches,
                    summary.n_matching_positions,
                );
                assert_eq!(counts, expected, "{query} {threads} {chunk_bytes}");
            }
        }
    };
    check("cql() false", (0, 0, 0));
    check("cql() Kg1", (360, 0, 0));
    check("cql() wtm", (360, 120, 240));
    check("cql(variations) wtm", (460, 120, 240));
    check("cql() player \"a\" btm", (300, 100, 100));
    check("cql(matchcount 2) wtm", (360, 120, 240));
    check("cql(matchcount 3) wtm", (360, 0, 0));
}

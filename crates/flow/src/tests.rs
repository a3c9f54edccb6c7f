use std::collections::VecDeque;
use std::io::Read;
use std::iter;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Barrier, Condvar, Mutex};
use std::thread;
use std::time::Duration;

use pgn::Splitter;
use proptest::prelude::*;

use super::*;

mod pieces;

/// Records each game; panics if the text of the game requests it.
struct Recorder;

/// Games with their numbers.
#[derive(Debug, Default)]
struct Written(Vec<(u64, String)>);

impl Results for Written {
    fn forget(&mut self, number: u64) {
        self.0.retain(|game| game.0 != number);
    }
}

impl Worker for Recorder {
    type Results = Written;

    fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Written>) {
        let text = format!("{number} {} ", raw.offset) + &String::from_utf8_lossy(raw.text);
        out.results.0.push((number, text));
        assert!(!contains(raw.text, "PANIC"), "asked to");
    }
}

fn options(threads: usize, chunk_bytes: usize) -> RunOptions {
    RunOptions { threads, chunk_bytes, ..RunOptions::default() }
}

fn contains(text: &[u8], word: &str) -> bool {
    text.windows(word.len()).any(|window| window == word.as_bytes())
}

/// Everything that a run delivers, combined.
#[derive(Debug, PartialEq, Eq, Default)]
struct Record {
    games: Vec<(u64, String)>,
    faults: Vec<GameFault>,
    n_games: u64,
    n_bytes: u64,
    /// For each source with output: name, number of games and failure.
    sources: Vec<(String, u64, Option<String>)>,
}

fn record(text: &[u8], set: impl FnOnce(&mut RunOptions)) -> Record {
    record_all(GameSource::pgn("a", text).alone(), set)
}

fn record_all(sources: Box<Sources<'_>>, set: impl FnOnce(&mut RunOptions)) -> Record {
    let mut options = RunOptions::default();
    set(&mut options);
    let mut record = Record::default();
    let mut sink = |out: Output<Written>| {
        assert!(out.first_game > record.n_games);
        record.n_games += out.n_games;
        record.n_bytes += out.n_bytes;
        record.games.extend(out.results.0);
        record.faults.extend_from_slice(&out.faults);
        let name = out.origin.name.to_string();
        if record.sources.last().is_none_or(|last| last.0 != name) {
            assert!(out.origin.games_before < out.first_game);
            record.sources.push((name, 0, None));
        }
        if let Some(last) = record.sources.last_mut() {
            assert_eq!(last.2, None, "nothing follows a failure");
            last.1 += out.n_games;
            last.2 = out.failure.map(|error| error.to_string());
        }
        Ok(())
    };
    let (summary, _) = run(sources, &options, || Recorder, &mut sink).expect("reading from memory");
    assert_eq!(summary.n_games, record.n_games);
    assert!(!summary.cancelled);
    record
}

/// Result of one pass of the splitter over the whole text.
fn one_pass(text: &[u8]) -> Record {
    let mut record = Record::default();
    let mut out = Output::<()>::default();
    for raw in Splitter::default().split(text, true) {
        record.n_games += 1;
        out.pgn_faults(&raw, record.n_games, |line| line);
        if !raw.is_skipped() {
            let place = format!("{} {} ", record.n_games, raw.offset);
            let text = place + &String::from_utf8_lossy(raw.text);
            record.games.push((record.n_games, text));
        }
    }
    record.faults = out.faults;
    record.n_bytes = text.len() as u64;
    record.sources = vec![("a".to_owned(), record.n_games, None)];
    record
}

/// Returns a few bytes at a time, and fails at the end if `fails` is set.
struct Drops<'a> {
    rest: &'a [u8],
    most: usize,
    fails: bool,
}

impl Read for Drops<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() && self.fails {
            return Err(io::Error::other("the pipe is broken"));
        }
        let most = buffer.len().min(self.most);
        self.rest.read(&mut buffer[..most])
    }
}

fn in_order<'a>(name: &str, text: &'a [u8], most: usize, fails: bool) -> GameSource<'a> {
    let rest = text;
    GameSource::new(name, Bytes::InOrder(Box::new(Drops { rest, most, fails })), SourceFormat::Pgn)
}

/// Number of games that a sink has received.
#[derive(Default)]
struct Given(Mutex<u64>, Condvar);

/// Returns each piece only after the given number of earlier games has been delivered. A reader
/// that waits for the next piece before passing games on waits forever.
struct Pauses {
    pieces: VecDeque<(&'static str, u64)>,
    given: Arc<Given>,
}

impl Read for Pauses {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some((piece, n)) = self.pieces.pop_front() else {
            return Ok(0);
        };
        let Given(given, changed) = &*self.given;
        let given = given.lock().expect("nobody panics");
        let long = Duration::from_secs(60);
        let waited = changed.wait_timeout_while(given, long, |given| *given < n);
        let (given, _) = waited.expect("nobody panics");
        assert!(*given >= n, "{} games before {piece:?}", *given);
        piece.as_bytes().read(buffer)
    }
}

#[test]
fn games_are_handed_on_while_somebody_pauses() {
    const PIECES: [(&str, u64); 7] = [
        ("[Event \"1\"]\n\n1. e4 *\n", 0),
        ("\n[Event \"2\"]\n\n1. e4 {a * ", 1),
        ("comment} e5 1-0\n\n", 1),
        ("[Event \"3\"]\n\n1. e4\n\n[Event", 2),
        (" \"4\"]\n\n1. d4 1/2-1/2\n\n[Event \"5\"]\n", 2),
        ("\n1. c4 0-1", 4),
        ("\n\n", 4),
    ];
    let text = PIECES.map(|(piece, _)| piece).concat();
    let expected = one_pass(text.as_bytes());
    for threads in [1, 3] {
        for chunk_bytes in [60, 512 << 10] {
            let given: Arc<Given> = Arc::default();
            let pauses = Pauses { pieces: PIECES.into(), given: given.clone() };
            let source = GameSource::new("a", Bytes::InOrder(Box::new(pauses)), SourceFormat::Pgn);
            let options = RunOptions { threads, chunk_bytes, ..RunOptions::default() };
            let mut found = Vec::new();
            let mut sink = |out: Output<Written>| {
                *given.0.lock().expect("nobody panics") += out.n_games;
                given.1.notify_all();
                found.extend(out.results.0);
                Ok(())
            };
            run(source.alone(), &options, || Recorder, &mut sink).expect("reading from memory");
            assert_eq!(found, expected.games, "{threads} {chunk_bytes}");
        }
    }
}

fn games(range: Range<usize>) -> String {
    range.map(|i| format!("[Event \"{i}\"]\n\n1. e4 e5 *\n\n")).collect()
}

fn check_all(text: &[u8], threads: usize, chunk_bytes: usize) {
    let expected = one_pass(text);
    let kinds = [
        ("anywhere", GameSource::pgn("a", text).alone()),
        ("in order", in_order("a", text, 1 << 16, false).alone()),
        ("in drops", in_order("a", text, 7, false).alone()),
    ];
    for (kind, sources) in kinds {
        let got = record_all(sources, |options| {
            options.threads = threads;
            options.chunk_bytes = chunk_bytes;
            options.size = Some(text.len() as u64);
        });
        assert_eq!(got, expected, "{kind}, {threads} threads, chunks of {chunk_bytes} bytes");
    }
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
fn only_chosen_games_are_evaluated_and_have_issues() {
    // Every game lacks its result, which is an issue.
    let text = games(0..100).replace(" *", "");
    let chosen: Arc<GameSet> = Arc::new([2, 3, 70].into_iter().collect());
    for threads in [1, 3] {
        let record = record(text.as_bytes(), |options| {
            options.threads = threads;
            options.chunk_bytes = 64;
            options.chosen = Some(chosen.clone());
        });
        let numbers: Vec<u64> = record.games.iter().map(|game| game.0).collect();
        let faults: Vec<u64> = record.faults.iter().map(|fault| fault.number).collect();
        assert_eq!((numbers, faults), (vec![2, 3, 70], vec![2, 3, 70]), "{threads}");
        assert_eq!(record.n_games, 100);
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
        // A boundary inside a comment.
        "[Event \"a\"]\n\n1. e4 {\n\n[Event \"no\"]\n\n1. d4 *\n\n} e5 *\n\n".repeat(40),
        // A boundary after text that belongs to the next game.
        "[Event \"a\"]\n\n1. e4 *\n\nsome words\n\n[Event \"b\"]\n\n1. d4 *\n\n".repeat(40),
        // A comment that never ends.
        games(0..50) + "[Event \"a\"]\n\n1. e4 { never\n\n" + &games(50..99),
        // No boundary.
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

/// Parts of texts that may contain games.
const PARTS: &[&str] = &[
    "[Event \"a\"]\n",
    "[White \"b\"]\n",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "1. e4 e5 ",
    "1-0",
    "*",
    "1/2-1/2\n",
    "{",
    "}",
    "{a comment}",
    "; a line\n",
    "[",
    "]",
    "(",
    ")",
    "words",
    "\n\n[Event \"c\"]\n\n1. d4 *\n\n",
    "%x\n",
    "\u{feff}",
    "\0",
    "\"",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_text_in_any_chunks(
        parts in prop::collection::vec(
            prop::sample::select(PARTS),
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
                assert_eq!(numbers, evaluated.clone().collect::<Vec<_>>(), "{first} {last:?}");
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
        let numbers: Vec<u64> = got.games.iter().map(|game| game.0).collect();
        assert!(!numbers.contains(&11), "what was noted of it is dropped");
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
        type Results = ();

        fn game(&mut self, _: &RawGame<'_>, _: u64, _: &mut Output<()>) {
            self.0 += 1;
        }
    }
    let text = games(0..200);
    for threads in [1, 4] {
        let options = options(threads, 100);
        let sources = GameSource::pgn("a", text.as_bytes()).alone();
        let (_, workers) =
            run(sources, &options, || Counter(0), &mut |_| Ok(())).expect("reading from memory");
        assert_eq!(workers.len(), threads);
        assert_eq!(workers.iter().map(|worker| worker.0).sum::<u64>(), 200);
    }
}

#[test]
fn results_of_slow_games_do_not_wait_for_their_chunk() {
    /// Takes its time for each game.
    struct Slow;
    impl Worker for Slow {
        type Results = Written;

        fn game(&mut self, raw: &RawGame<'_>, number: u64, out: &mut Output<Written>) {
            thread::sleep(Duration::from_millis(2));
            Recorder.game(raw, number, out);
        }
    }
    let word = |n| if n == 20 { "PANIC" } else { "e4" };
    let text: String =
        (1..=40).map(|n| format!("[White \"{n}\"]\n\n1. {} *\n\n", word(n))).collect();
    for threads in [1, 3] {
        // Of how many results the first ones come, and how many in all.
        let run = |patience, stops_at: usize| {
            let options = RunOptions { patience, ..options(threads, 1 << 20) };
            let (mut n_first, mut numbers, mut faults) = (None, Vec::new(), Vec::new());
            let mut sink = |out: Output<Written>| {
                numbers.extend(out.results.0.iter().map(|game| game.0));
                faults.extend(out.faults.iter().map(|fault| (fault.number, fault.line)));
                n_first.get_or_insert(out.n_games);
                if numbers.len() >= stops_at {
                    options.cancel.cancel();
                }
                Ok(())
            };
            let sources = GameSource::pgn("a", text.as_bytes()).alone();
            let (summary, _) = super::run(sources, &options, || Slow, &mut sink).expect("a text");
            (n_first, numbers, faults, summary)
        };
        let all: Vec<u64> = (1..=40).filter(|&number| number != 20).collect();
        let faults = vec![(20, 77)];
        let summary = Summary { n_games: 40, cancelled: false };
        assert_eq!(run(None, 100), (Some(40), all.clone(), faults.clone(), summary));
        assert_eq!(run(Some(Duration::ZERO), 100), (Some(1), all.clone(), faults, summary));
        // The games before the one at which the run is cancelled are there.
        let (_, numbers, _, summary) = run(Some(Duration::ZERO), 3);
        assert!(summary.cancelled && (3..30).contains(&numbers.len()), "{summary:?}");
        assert_eq!(numbers, all[..numbers.len()]);
    }
}

#[test]
fn a_run_can_be_cancelled() {
    struct Canceller(Cancel);
    impl Worker for Canceller {
        type Results = ();

        fn game(&mut self, _: &RawGame<'_>, number: u64, _: &mut Output<()>) {
            if number == 50 {
                self.0.cancel();
            }
        }
    }
    // The last game may be unfinished, so the run tells nothing of its chunk.
    let (text, options) = (games(0..50), options(1, 1 << 20));
    let sources = GameSource::pgn("a", text.as_bytes()).alone();
    let worker = || Canceller(options.cancel.clone());
    let (summary, _) = run(sources, &options, worker, &mut |_| Ok(())).expect("from memory");
    assert_eq!(summary, Summary { n_games: 0, cancelled: true });

    let text = games(0..20_000);
    for threads in [1, 4] {
        let options = RunOptions { threads, chunk_bytes: 200, ..RunOptions::default() };
        let sources = GameSource::pgn("a", text.as_bytes()).alone();
        let (summary, _) =
            run(sources, &options, || Canceller(options.cancel.clone()), &mut |_| Ok(()))
                .expect("reading from memory");
        assert!(summary.cancelled);
        assert!(summary.n_games < 20_000, "{}", summary.n_games);
    }
}

/// Waits for another run at a game, and then cancels its own run if it has a handle.
struct Meets<'a>(&'a Barrier, Option<Cancel>);

impl Worker for Meets<'_> {
    type Results = ();

    fn game(&mut self, _: &RawGame<'_>, number: u64, _: &mut Output<()>) {
        if number == 50 {
            self.0.wait();
            self.1.iter().for_each(Cancel::cancel);
        }
    }
}

#[test]
fn of_two_runs_at_once_one_is_cancelled() {
    let text = games(0..5_000);
    let search = |threads, meets: &Barrier, is_cancelled: bool| {
        let options = options(threads, 200);
        let worker = || Meets(meets, is_cancelled.then(|| options.cancel.clone()));
        let sources = GameSource::pgn("a", text.as_bytes()).alone();
        run(sources, &options, worker, &mut |_| Ok(())).expect("reading from memory").0
    };
    for threads in [1, 3] {
        let meets = Barrier::new(2);
        let [ended, whole] = thread::scope(|scope| {
            let ended = scope.spawn(|| search(threads, &meets, true));
            let whole = scope.spawn(|| search(threads, &meets, false));
            [ended, whole].map(|run| run.join().expect("no panic"))
        });
        assert!(ended.cancelled);
        assert!(ended.n_games < 5_000, "{}", ended.n_games);
        let expected = Summary { n_games: 5_000, cancelled: false };
        assert_eq!(whole, expected);
    }
}

#[test]
fn a_full_disk_ends_the_run() {
    let text = games(0..5_000);
    for threads in [1, 4] {
        let options = options(threads, 100);
        let mut full = |_: Output<Written>| Err(io::Error::other("the disk is full"));
        let sources = GameSource::pgn("a", text.as_bytes()).alone();
        let error = run(sources, &options, || Recorder, &mut full).map(|_| ()).unwrap_err();
        assert!(error.to_string().contains("the disk is full"), "{error}");
    }
}

#[test]
fn a_panic_of_the_sink_ends_the_run() {
    let text = games(0..5_000);
    for threads in [1, 3] {
        let options = options(threads, 100);
        let sources = GameSource::pgn("a", text.as_bytes()).alone();
        let mut dies = |_: Output<Written>| panic!("asked to");
        let run = || run(sources, &options, || Recorder, &mut dies).map(|_| ());
        let result = catch_unwind(AssertUnwindSafe(run));
        assert_eq!(panic_message(&*result.unwrap_err()), "asked to");
    }
}

fn missing() -> Result<GameSource<'static>, SourceError> {
    Err(SourceError { name: "missing".into(), error: io::Error::other("no such file").into() })
}

#[test]
fn sources_are_searched_one_after_the_other() {
    let texts = [games(0..30), String::new(), games(30..31), games(31..99)];
    let all = games(0..99);
    let expected: Vec<String> = one_pass(all.as_bytes())
        .games
        .into_iter()
        .map(|(_, text)| text.split_once('[').map(|parts| parts.1.to_owned()))
        .map(Option::unwrap_or_default)
        .collect();
    for threads in [1, 2, 4] {
        for chunk_bytes in [20, 200, 1 << 20] {
            for reads_in_order in [false, true] {
                let sources: Vec<_> = texts
                    .iter()
                    .zip(["a", "b", "c", "d"])
                    .map(|(text, name)| {
                        if reads_in_order {
                            in_order(name, text.as_bytes(), 100, false)
                        } else {
                            GameSource::pgn(name, text.as_bytes())
                        }
                    })
                    .collect();
                let mut sources: Vec<_> = sources.into_iter().map(Ok).collect();
                sources.insert(2, missing());
                sources.push(missing());
                let got = record_all(Box::new(sources.into_iter()), |options| {
                    options.threads = threads;
                    options.chunk_bytes = chunk_bytes;
                });
                let found: Vec<String> = got
                    .games
                    .iter()
                    .map(|(_, text)| text.split_once('[').map(|parts| parts.1.to_owned()))
                    .map(Option::unwrap_or_default)
                    .collect();
                assert_eq!(found, expected);
                let numbers: Vec<u64> = got.games.iter().map(|game| game.0).collect();
                assert_eq!(numbers, (1..100).collect::<Vec<_>>());
                let failure = || Some("no such file".to_owned());
                assert_eq!(
                    got.sources,
                    [
                        ("a".to_owned(), 30, None),
                        ("b".to_owned(), 0, None),
                        ("missing".to_owned(), 0, failure()),
                        ("c".to_owned(), 1, None),
                        ("d".to_owned(), 68, None),
                        ("missing".to_owned(), 0, failure()),
                    ]
                );
            }
        }
    }
}

#[test]
fn every_source_ends_its_last_game_and_counts_its_own_lines() {
    let open = "[Event \"a\"]\n\n1. e4";
    for threads in [1, 3] {
        let sources = ["a", "b", "c"].map(|name| Ok(GameSource::pgn(name, open.as_bytes())));
        let got = record_all(Box::new(sources.into_iter()), |o| o.threads = threads);
        assert_eq!(got.n_games, 3);
        let places: Vec<_> = got.faults.iter().map(|f| (f.number, f.line)).collect();
        assert_eq!(places, [(1, 3), (2, 3), (3, 3)]);
    }
}

#[test]
fn a_source_that_fails_costs_what_follows_in_it() {
    /// Fails to read bytes from an offset on.
    struct Bad<'a>(&'a [u8], u64);
    impl Input for Bad<'_> {
        fn size(&self) -> u64 {
            self.0.size()
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            if offset >= self.1 {
                return Err(io::Error::other("bad sector"));
            }
            let most = buffer.len().min((self.1 - offset) as usize);
            self.0.read_at(offset, &mut buffer[..most])
        }
    }
    /// Ends before its reported size.
    struct Short<'a>(&'a [u8], u64);
    impl Input for Short<'_> {
        fn size(&self) -> u64 {
            self.0.size()
        }
        fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
            let short = &self.0[..self.1 as usize];
            short.read_at(offset, buffer)
        }
    }
    let text = games(0..200);
    let after = games(200..230);
    // The failure is in the middle of game 100.
    let whole = games(0..100).len();
    let at = whole + 5;
    for threads in [1, 2, 4] {
        for chunk_bytes in [20, 300, 1 << 20] {
            let bad: [(_, GameSource<'_>); 3] = [
                ("bad sector", GameSource::pgn("a", Bad(text.as_bytes(), at as u64))),
                ("the pipe is broken", in_order("a", &text.as_bytes()[..at], 50, true)),
                ("became shorter", GameSource::pgn("a", Short(text.as_bytes(), at as u64))),
            ];
            for (message, source) in bad {
                let sources = [Ok(source), Ok(GameSource::pgn("b", after.as_bytes()))];
                let got = record_all(Box::new(sources.into_iter()), |options| {
                    options.threads = threads;
                    options.chunk_bytes = chunk_bytes;
                });
                let [(_, n, failure), (_, 30, None)] = got.sources.as_slice() else {
                    panic!("{:?}", got.sources);
                };
                assert_eq!(*n, 100, "{message} {threads} {chunk_bytes}");
                let failure = failure.as_deref().unwrap_or_default();
                assert!(failure.contains(message), "{failure}");
                assert_eq!(got.faults, []);
                assert_eq!(got.n_games, 130);
            }
        }
    }
}

#[test]
fn an_open_brace_before_a_failure_costs_no_other_game() {
    let text =
        [games(0..20), games(20..21).replace("1. e4", "1. e4 {open"), games(21..60)].concat();
    for threads in [1, 2] {
        for chunk_bytes in [20, 300, 1 << 20] {
            let source = in_order("a", text.as_bytes(), 50, true);
            let got = record_all(Box::new(iter::once(Ok(source))), |options| {
                options.threads = threads;
                options.chunk_bytes = chunk_bytes;
            });
            // The last game may be incomplete.
            assert_eq!(got.n_games, 59, "{threads} {chunk_bytes}");
        }
    }
}

/// Every line is a game, except the first, empty lines and those that begin with `#`; `bad` is
/// malformed.
struct Plain;

impl LineFormat for Plain {
    fn is_game(&self, line: &[u8], is_first: bool) -> bool {
        !is_first && !line.is_empty() && !line.starts_with(b"#")
    }
    fn write_pgn(&self, line: &[u8], pgn: &mut Vec<u8>) -> Result<(), LineError> {
        if line == b"bad" {
            return Err("bad line".into());
        }
        pgn.extend_from_slice(b"[Event \"");
        pgn.extend_from_slice(line);
        pgn.extend_from_slice(b"\"]\n\n*\n");
        Ok(())
    }
}

#[test]
fn lines_become_games() {
    let mut text = String::from("title\n");
    let mut expected = Vec::new();
    let mut expected_faults = Vec::new();
    for i in 1..100 {
        let offset = text.len();
        let number = expected.len() + expected_faults.len() + 1;
        match i % 10 {
            3 => text += "# remark\n",
            5 => text += "\r\n",
            7 => {
                expected_faults.push((number as u64, i + 1, offset as u64));
                text += "bad\n";
            }
            _ => {
                let name = "x".repeat(i as usize);
                expected.push(format!("{number} {offset} [Event \"{name}\"]\n\n*"));
                text += &format!("{name}\r\n");
            }
        }
    }
    text.truncate(text.trim_end().len());
    for threads in [1, 2, 4] {
        for chunk_bytes in [1, 10, 300, 1 << 20] {
            let anywhere = Bytes::Anywhere(Arc::new(text.as_bytes()));
            let rest = text.as_bytes();
            let drops = Box::new(Drops { rest, most: 9, fails: false });
            for bytes in [anywhere, Bytes::InOrder(drops)] {
                let source = GameSource::new("a", bytes, SourceFormat::Lines(Arc::new(Plain)));
                let got = record_all(source.alone(), |options| {
                    options.threads = threads;
                    options.chunk_bytes = chunk_bytes;
                });
                let games: Vec<String> = got.games.into_iter().map(|game| game.1).collect();
                assert_eq!(games, expected);
                let faults: Vec<_> =
                    got.faults.iter().map(|f| (f.number, f.line, f.offset)).collect();
                assert_eq!(faults, expected_faults);
            }
        }
    }
}

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use super::*;
use crate::{Cancel, GameFault};

/// Records the numbers of games that are not multiples of 3. Other events depend on the number.
#[derive(Default)]
struct Recorder {
    games: Range<u64>,
    panics_at: Option<u64>,
    fails_at: Option<u64>,
    /// Time that each game takes.
    pause: Duration,
}

#[derive(Debug, Default)]
struct Numbers(Vec<u64>);

impl Results for Numbers {
    fn forget(&mut self, number: u64) {
        self.0.retain(|&other| other != number);
    }
}

impl RangeWorker for Recorder {
    type Results = Numbers;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<Numbers>) -> Vec<u64> {
        self.games = games.clone();
        out.n_bytes += 10 * (games.end - games.start);
        assert!(games.start != 1000, "not this range");
        games.clone().filter(|number| number % 3 != 0).collect()
    }

    fn game(&mut self, number: u64, out: &mut Output<Numbers>) {
        assert!(self.games.contains(&number), "it has begun with the range");
        thread::sleep(self.pause);
        out.results.0.push(number);
        assert_ne!(self.panics_at, Some(number), "asked to");
        if self.fails_at == Some(number) {
            // The result of this game is not wanted.
            out.failure = Some(io::Error::other("it is gone").into());
        }
    }
}

/// Everything that a run delivers.
#[derive(Debug, Default, PartialEq)]
struct Record {
    numbers: Vec<u64>,
    n_games: u64,
    n_bytes: u64,
    faults: Vec<GameFault>,
    failure: Option<String>,
}

fn in_tens(games: Range<u64>) -> Box<Ranges<'static>> {
    let starts = games.clone().step_by(10);
    Box::new(starts.map(move |start| start..(start + 10).min(games.end)))
}

fn record(
    games: Range<u64>,
    set: impl FnOnce(&mut RunOptions),
    make_worker: impl Fn() -> Recorder + Sync,
) -> Record {
    let mut options = RunOptions::default();
    set(&mut options);
    let mut record = Record::default();
    let origin = Origin { name: "games".into(), games_before: games.start - 1 };
    let mut sink = |out: Output<Numbers>| {
        assert_eq!(record.failure, None, "nothing follows a failure");
        assert_eq!(out.first_game, games.start + record.n_games);
        assert_eq!(out.origin, origin);
        record.numbers.extend(out.results.0);
        record.n_games += out.n_games;
        record.n_bytes += out.n_bytes;
        record.faults.extend(out.faults);
        record.failure = out.failure.map(|error| error.to_string());
        Ok(())
    };
    let (summary, workers) =
        run_ranges(&origin, in_tens(games.clone()), &options, make_worker, &mut sink)
            .expect("nothing is read");
    assert!(workers.len() <= options.threads.max(1) && !workers.is_empty());
    assert_eq!((summary.n_games, summary.cancelled), (record.n_games, false));
    record
}

/// Checks that any number of threads gives this result.
fn check(
    games: Range<u64>,
    make_worker: impl Fn() -> Recorder + Sync,
    set: impl Fn(&mut RunOptions),
    numbers: impl Iterator<Item = u64>,
    n_games: u64,
) -> Record {
    let run = |threads| {
        let set = |options: &mut RunOptions| {
            set(options);
            options.threads = threads;
        };
        record(games.clone(), set, &make_worker)
    };
    let alone = run(1);
    assert_eq!(alone.numbers, numbers.collect::<Vec<_>>());
    assert_eq!(alone.n_games, n_games);
    for threads in [2, 5, 30] {
        assert_eq!(run(threads), alone, "{threads} threads");
    }
    alone
}

fn not_threes(games: Range<u64>) -> impl Iterator<Item = u64> {
    games.filter(|number| number % 3 != 0)
}

#[test]
fn results_come_in_the_order_of_the_games() {
    for end in [5, 6, 15, 16, 778] {
        let n = end - 5;
        let got = check(5..end, Recorder::default, |_| {}, not_threes(5..end), n);
        assert_eq!(got, Record { n_bytes: 10 * n, ..got_numbers(&got) });
    }
}

/// The numbers alone, to check that nothing else was delivered.
fn got_numbers(record: &Record) -> Record {
    Record { numbers: record.numbers.clone(), n_games: record.n_games, ..Record::default() }
}

#[test]
fn only_chosen_games_are_evaluated() {
    let chosen: std::sync::Arc<crate::GameSet> =
        std::sync::Arc::new([7, 9, 40].into_iter().collect());
    let set = |options: &mut RunOptions| options.chosen = Some(chosen.clone());
    check(5..50, Recorder::default, set, [7, 40].into_iter(), 45);
}

#[test]
fn only_games_that_are_asked_for_are_evaluated() {
    let set = |options: &mut RunOptions| {
        options.first_game = 23;
        options.last_game = Some(57);
    };
    // one more is read, as in a text
    check(1..500, Recorder::default, set, not_threes(23..58), 58);
    let set = |options: &mut RunOptions| options.last_game = Some(57);
    check(1..58, Recorder::default, set, not_threes(1..58), 57);
    check(101..200, Recorder::default, set, 0..0, 0);
}

#[test]
fn a_panic_is_a_fault_of_its_game() {
    let make_worker = || Recorder { panics_at: Some(44), ..Recorder::default() };
    let numbers = not_threes(1..100).filter(|&number| number != 44);
    let got = check(1..100, make_worker, |_| {}, numbers, 99);
    assert_eq!(got.n_bytes, 990, "what the range begins with counts once");
    let faults: Vec<_> = got.faults.iter().map(|fault| (fault.number, fault.kind)).collect();
    assert_eq!(faults, [(44, FaultKind::Internal)]);
    assert!(got.faults[0].message.contains("asked to"));
}

#[test]
fn nothing_follows_a_failure() {
    let make_worker = || Recorder { fails_at: Some(44), ..Recorder::default() };
    let got = check(1..500, make_worker, |_| {}, not_threes(1..44), 43);
    assert_eq!(got.failure.as_deref(), Some("it is gone"));
    // A worker that cannot start the range.
    let got = check(990..1500, Recorder::default, |_| {}, not_threes(990..1000), 10);
    assert_eq!(got.failure.as_deref(), Some("not this range"));
}

#[test]
fn a_run_ends_when_it_is_cancelled_or_its_sink_fails() {
    for threads in [1, 4] {
        let cancel = Cancel::default();
        let options = RunOptions { threads, ..RunOptions::new(cancel.clone()) };
        let n = AtomicU64::new(0);
        let mut sink = |out: Output<Numbers>| {
            cancel.cancel();
            n.fetch_add(out.n_games, Ordering::Relaxed);
            Ok(())
        };
        let origin = Origin::default();
        let endless = || in_tens(1..u64::MAX);
        let (summary, _) = run_ranges(&origin, endless(), &options, Recorder::default, &mut sink)
            .expect("no error");
        assert!(summary.cancelled);
        assert_eq!(summary.n_games, n.into_inner());

        let options = RunOptions { threads, ..RunOptions::default() };
        let mut sink = |_: Output<Numbers>| Err(io::Error::other("full"));
        let run = run_ranges(&origin, endless(), &options, Recorder::default, &mut sink);
        assert_eq!(run.err().map(|error| error.to_string()).as_deref(), Some("full"));
    }
}

#[test]
fn results_of_slow_games_do_not_wait_for_their_range() {
    let pause = Duration::from_millis(2);
    let set = |options: &mut RunOptions| options.patience = Some(Duration::ZERO);
    let make_worker = || Recorder { panics_at: Some(14), pause, ..Recorder::default() };
    let numbers = not_threes(1..40).filter(|&number| number != 14);
    let got = check(1..40, make_worker, set, numbers, 39);
    assert_eq!((got.n_bytes, got.faults.len()), (390, 1));
    let make_worker = || Recorder { fails_at: Some(25), pause, ..Recorder::default() };
    check(1..40, make_worker, set, not_threes(1..25), 24);

    // The games before the one at which the run is cancelled are there.
    for threads in [1, 3] {
        let options = RunOptions { threads, ..RunOptions::default() };
        let options = RunOptions { patience: Some(Duration::ZERO), ..options };
        let mut numbers = Vec::new();
        let mut sink = |out: Output<Numbers>| {
            numbers.extend(out.results.0);
            if numbers.len() > 2 {
                options.cancel.cancel();
            }
            Ok(())
        };
        let make_worker = || Recorder { pause, ..Recorder::default() };
        let ranges: Box<Ranges<'_>> = Box::new(std::iter::once(1..1000));
        let run = run_ranges(&Origin::default(), ranges, &options, make_worker, &mut sink);
        let (summary, _) = run.expect("no error");
        assert!(summary.cancelled && (3..900).contains(&summary.n_games), "{summary:?}");
        assert_eq!(numbers, not_threes(1..summary.n_games + 1).collect::<Vec<_>>());
    }
}

//! Runs the program over the conformance corpus, see `conformance/README.md`.

mod corpus;
mod level;
mod program;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use corpus::{Case, KnownFailures};
use level::Level;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../conformance")
}

#[test]
fn the_program_agrees_with_the_reference() {
    let root = root();
    let filter = std::env::var("CASE").unwrap_or_default();
    let known = KnownFailures::read(&root);
    let cases: Vec<Case> = corpus::read(&root)
        .into_iter()
        .filter(|case| !known.leaves_out(&case.area) && case.id().contains(&filter))
        .collect();
    assert!(!cases.is_empty(), "no case is called like '{filter}'");
    let levels = run_all(&cases, !filter.is_empty());
    print_table(&cases, &levels);
    for area in known.areas_left_out() {
        println!("{area:28} left out: {}", known.reason(area));
    }
    if std::env::var_os("UPDATE_KNOWN_FAILURES").is_some() {
        known.raise(&root, &cases, &levels);
        return;
    }
    let complaints = known.compare(&cases, &levels);
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

/// Returns the levels of all cases, in their order.
fn run_all(cases: &[Case], show: bool) -> Vec<Option<Level>> {
    let next = AtomicUsize::new(0);
    let n_threads = thread::available_parallelism().map_or(1, usize::from);
    let mut levels = vec![None; cases.len()];
    thread::scope(|scope| {
        let workers: Vec<_> = (0..n_threads)
            .map(|_| {
                scope.spawn(|| {
                    let mut done = Vec::new();
                    loop {
                        let i = next.fetch_add(1, Ordering::Relaxed);
                        let Some(case) = cases.get(i) else {
                            return done;
                        };
                        let outcome = program::run(case);
                        let level = level::reached(&case.expected, &outcome);
                        if show && level != Some(Level::Bytes) {
                            println!("{}", level::explain(case, &outcome, level));
                        }
                        done.push((i, level));
                    }
                })
            })
            .collect();
        for worker in workers {
            for (i, level) in worker.join().expect("a worker finishes") {
                levels[i] = level;
            }
        }
    });
    levels
}

fn print_table(cases: &[Case], levels: &[Option<Level>]) {
    let mut areas: BTreeMap<&str, [usize; 5]> = BTreeMap::new();
    for (case, level) in cases.iter().zip(levels) {
        for area in [case.area.as_str(), "~all"] {
            let row = areas.entry(area).or_default();
            row[0] += 1;
            for (i, at_least) in Level::ALL.iter().enumerate() {
                row[i + 1] += usize::from(level.is_some_and(|level| level >= *at_least));
            }
        }
    }
    println!(
        "{:28}{:>8}{:>8}{:>8}{:>10}{:>8}",
        "area", "runs", "parse", "games", "comments", "bytes"
    );
    for (area, row) in areas {
        let [n, parse, games, comments, bytes] = row;
        let area = area.trim_start_matches('~');
        println!("{area:28}{n:8}{parse:8}{games:8}{comments:10}{bytes:8}");
    }
}

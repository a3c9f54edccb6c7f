//! Finds names in the games that are similar to names of the query that no game has.

use std::time::{Duration, Instant};

use engine::{NamesAsked, NamesSeen, NamesWorker};
use flow::{Output, RunOptions};
use input::Inputs;

/// Size of a chunk, in bytes; small, since there is little time.
const CHUNK: usize = 256 << 10;

/// Returns lines with the names that may have been meant. Names are read for at most `time`.
pub(crate) fn near(
    asked: &NamesAsked,
    inputs: &Inputs,
    threads: usize,
    time: Duration,
) -> Vec<String> {
    if asked.is_empty() {
        return Vec::new();
    }
    let end = Instant::now() + time;
    let options =
        RunOptions { threads, size: inputs.size(), chunk_bytes: CHUNK, ..RunOptions::default() };
    let stop = options.cancel.clone();
    let mut seen = NamesSeen::default();
    let mut sink = |out: Output<NamesSeen>| {
        seen.add(out.results);
        if Instant::now() > end {
            stop.cancel();
        }
        Ok(())
    };
    let make = || -> NamesWorker { asked.worker() };
    match flow::run(inputs.sources(), &options, make, &mut sink) {
        Ok(_) => asked.proposals(&seen),
        // The search has read these inputs, so later errors are not reported.
        Err(_) => Vec::new(),
    }
}

//! Names that no game has: which names of the games are near them.

use std::time::{Duration, Instant};

use engine::{NamesAsked, NamesSeen, NamesWorker};
use flow::{Output, RunOptions};
use input::Inputs;

/// Bytes that are read together: there is little time.
const CHUNK: usize = 256 << 10;

/// What was probably meant, in lines. The names are read for so much time at most.
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
    let options = RunOptions {
        threads,
        size: inputs.size(),
        chunk_bytes: CHUNK,
        ..RunOptions::default()
    };
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
        // The search has read them; whatever has changed since is not its business.
        Err(_) => Vec::new(),
    }
}

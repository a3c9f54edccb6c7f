//! Finds names in the games that are similar to names of the query that no game has.

use std::time::{Duration, Instant};

use engine::{NamesAsked, Source};
use flow::RunOptions;
use input::Inputs;

use crate::args::Options;

/// Size of a chunk, in bytes; small, since there is little time.
const CHUNK: usize = 256 << 10;

/// Returns the names that a query and the options of a search ask for.
pub(crate) fn names_asked(
    options: &Options,
    query: &Source<'_>,
    preamble: &[Source<'_>],
) -> NamesAsked {
    let mut asked = NamesAsked::of(query, preamble);
    asked.add_player(options.compile.player.as_deref());
    asked
}

/// Returns lines with the names that may have been meant. Names are read for at most `time`.
pub(crate) fn similar_names(
    asked: &NamesAsked,
    inputs: &Inputs,
    threads: usize,
    time: Duration,
) -> Vec<String> {
    let end = Instant::now() + time;
    let options =
        RunOptions { threads, size: inputs.size(), chunk_bytes: CHUNK, ..RunOptions::default() };
    asked.similar(inputs.sources(), options, || Instant::now() > end)
}

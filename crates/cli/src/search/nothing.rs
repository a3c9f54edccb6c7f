//! A search that found nothing: one line says which condition never held.
//!
//! The search itself does not count what its conditions leave, since most of its speed comes from
//! not asking. Only when it has found nothing, and its games lie in files, the beginning of them is
//! evaluated once more, for a small part of the time that the search took.

use std::time::{Duration, Instant};

use input::Inputs;
use syntax::Dialect;
use syntax::dialect::older_dialect;

use super::funnel::Funnel;
use super::query::{compile_options, empty_query};
use crate::args::Options;
use crate::output::Progress;
use crate::report::SourceText;

/// It takes a tenth of the time of the search, so much at least, and so much at most.
const TIME: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// Files of up to so many bytes are evaluated as a whole, unless that takes longer than this: some
/// hundred times what it takes as a rule, so that a busy machine says the same as an idle one.
const SMALL: (u64, Duration) = (1 << 20, Duration::from_secs(1));

/// Steps that a game may take.
const MOST_STEPS: u64 = 1_000_000;

/// The line, if there is something to say. `sources` are the query, if there is one, and the
/// filters of options; the search took `took`.
pub(super) fn reason(
    options: &Options,
    sources: &[SourceText],
    inputs: &Inputs,
    threads: usize,
    took: Duration,
) -> Option<String> {
    if !is_wanted(options) {
        return None;
    }
    let empty = empty_query();
    let (query, preamble) = match &options.query {
        Some(_) => sources.split_first()?,
        None => (&empty, sources),
    };
    let is_older = match options.compile.dialect {
        Some(dialect) => dialect != Dialect::Cql6,
        None => older_dialect(&query.text).is_some(),
    };
    if is_older {
        return None;
    }
    let Some(size) = inputs.size() else {
        let text = "games from a pipe are read once; with a file of them, `cql explain QUERY GAMES` \
                    says how far they come";
        return options.query.as_ref().map(|_| text.to_owned());
    };
    let mut compile = compile_options(options);
    compile.limits.steps = compile.limits.steps.min(MOST_STEPS);
    let time = match size <= SMALL.0 {
        true => SMALL.1,
        false => (took / 10).clamp(TIME.0, TIME.1),
    };
    let end = Instant::now() + time;
    let funnel = Funnel::new(query, preamble, &compile, Some(end))?;
    if funnel.needs_last_game_number() {
        return None;
    }
    funnel.provide_file().ok()?;
    // Of an archive, a piece is too long to be evaluated in so little time.
    let figures = funnel
        .count((inputs, &[]), threads, Some(end), |_| ())
        .ok()?;
    funnel.reason(&figures)
}

/// Whether people read what is said of the run.
fn is_wanted(options: &Options) -> bool {
    let is_front_end = options.gui || options.pgn_from_stdin || options.pgn_to_stdout;
    let is_quiet = options.progress == Some(false)
        || matches!(
            options.outputs.progress,
            Some(Progress::None | Progress::Json)
        );
    !(is_front_end || is_quiet || options.outputs.exclude)
}

//! A search that found nothing: one line says which condition never held, others which names of
//! the games are near those that it asks for.
//!
//! A search does not count the games after each condition, since its speed comes from skipping
//! conditions. If it finds nothing in games from files, the beginning of the games is evaluated
//! once more, for a small part of the time that the search took.

use std::time::{Duration, Instant};

use input::Inputs;

use super::funnel::{FirstPart, Funnel};
use super::names;
use super::query::{compile_options, empty_query};
use crate::args::Options;
use crate::output::ProgressDisplay;
use crate::report::SourceText;

/// Least and greatest number of bytes of games that are evaluated again, which are a small part of
/// a large input. As it is no matter of time, most searches say the same whenever they run.
const BYTES: (u64, u64) = (8 << 20, 32 << 20);

/// Least and greatest time for the second evaluation, which ends it only on a busy machine and for
/// slow queries.
const AGAIN: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(1));

/// Least and greatest time for the names, which take a tenth of the time of the search.
const TIME: (Duration, Duration) = (Duration::from_millis(10), Duration::from_millis(500));

/// In inputs of up to this many bytes, all names are read within this time. It is about a
/// hundred times the usual one, so that a busy machine reports the same as an idle one.
const SMALL: (u64, Duration) = (1 << 20, Duration::from_secs(1));

/// Upper bound on the step limit in the second evaluation.
const MOST_STEPS: u64 = 1_000_000;

/// Returns the lines to print: the condition that never held, and names of the games that may have
/// been meant. `sources` are the query, if there is one, and the filters of options; the search
/// took `took`.
pub(super) fn reasons(
    options: &Options,
    sources: &[SourceText],
    inputs: &Inputs,
    threads: usize,
    took: Duration,
) -> Vec<String> {
    if !is_wanted(options) {
        return Vec::new();
    }
    let empty = empty_query();
    let (query, preamble) = match (&options.query, sources.split_first()) {
        (Some(_), Some((query, preamble))) => (query, preamble),
        _ => (&empty, sources),
    };
    let reason = reason(options, (query, preamble), inputs, threads, took);
    let mut lines: Vec<String> = reason.into_iter().collect();
    let front: Vec<_> = preamble.iter().map(SourceText::as_source).collect();
    let asked = names::names_asked(options, &query.as_source(), &front);
    if let Some(size) = inputs.size() {
        lines.extend(names::similar_names(&asked, inputs, threads, time(size, took)));
    }
    lines
}

/// Returns the time for reading the names.
fn time(size: u64, took: Duration) -> Duration {
    if size <= SMALL.0 { SMALL.1 } else { (took / 10).clamp(TIME.0, TIME.1) }
}

fn reason(
    options: &Options,
    (query, preamble): (&SourceText, &[SourceText]),
    inputs: &Inputs,
    threads: usize,
    took: Duration,
) -> Option<String> {
    let Some(size) = inputs.size() else {
        let text = "games from a pipe are read only once; save them to a file and run `cql \
                    explain QUERY GAMES` to see which condition fails";
        return options.query.as_ref().map(|_| text.to_owned());
    };
    let mut compile = compile_options(options);
    compile.limits.steps = compile.limits.steps.min(MOST_STEPS);
    let end = Instant::now() + took.clamp(AGAIN.0, AGAIN.1);
    let bytes = (size / 16).clamp(BYTES.0, BYTES.1);
    let mut funnel = Funnel::new(query, preamble, &compile, Some(end))?;
    funnel.choice = choice(options);
    if funnel.needs_last_game_number() {
        return None;
    }
    funnel.file_rules = options.file_rules.clone();
    funnel.provide_file().ok()?;
    // Without archives: even a part of one takes too long to evaluate.
    let part = Some(FirstPart { bytes, end });
    let figures = funnel.count((inputs, &[]), threads, part, |_| ()).ok()?;
    funnel.reason(&figures)
}

/// Returns what chooses games before any condition, if that is known: the header of the query and
/// options.
fn choice(options: &Options) -> Option<String> {
    let range = |name: &str, (first, last): (i32, i32)| {
        if first == last { format!("`{name} {first}`") } else { format!("`{name} {first} {last}`") }
    };
    let compile = &options.compile;
    let mut parts = Vec::new();
    parts.extend(options.query.as_ref().map(|_| "the header".to_owned()));
    parts.extend(compile.year.map(|years| range("-year", years)));
    parts.extend(compile.gamenumber.map(|numbers| range("-gamenumber", numbers)));
    parts.extend(compile.player.as_ref().map(|_| "`-player`".to_owned()));
    let last = parts.pop()?;
    Some(if parts.is_empty() { last } else { format!("{} and {last}", parts.join(", ")) })
}

/// Whether a person reads the messages of the run.
fn is_wanted(options: &Options) -> bool {
    let is_front_end = options.gui || options.pgn_from_stdin || options.pgn_to_stdout;
    let is_quiet = options.is_quiet
        || options.progress == Some(false)
        || matches!(options.outputs.progress, Some(ProgressDisplay::None | ProgressDisplay::Json));
    !(is_front_end || is_quiet || options.outputs.exclude)
}

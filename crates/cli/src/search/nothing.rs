//! A search that found nothing: one line says which condition never held, others which names of
//! the games are near those that it asks for. If one sorts, a line says how many games it left out
//! for lack of a value.
//!
//! A search does not count the games after each condition, since its speed comes from skipping
//! conditions. If it finds nothing in games from files, the beginning of the games is evaluated
//! once more, for a small part of the time that the search took.

use std::time::{Duration, Instant};

use engine::{CommentLevel, Program};
use input::Inputs;

use super::funnel::{Figures, FirstPart, Funnel};
use super::names;
use super::query::{compile_options, empty_query};
use crate::args::Options;
use crate::games;
use crate::output::ProgressDisplay;
use crate::report::SourceText;

/// Inputs of up to this many bytes are evaluated again as a whole; of a compressed one, this many
/// bytes of its text.
const WHOLE: u64 = 8 << 20;

/// Least and greatest number of bytes of larger inputs that are evaluated again, which are a
/// sixteenth. As it is no matter of time, most searches say the same whenever they run.
const BYTES: (u64, u64) = (1 << 20, 32 << 20);

/// Least and greatest time for the second evaluation, which ends it only on a busy machine and for
/// slow queries.
const AGAIN: (Duration, Duration) = (Duration::from_millis(300), Duration::from_secs(1));

/// Least and greatest time for the names in larger inputs, which take a tenth of the time of the
/// search.
const TIME: (Duration, Duration) = (Duration::from_millis(100), Duration::from_millis(500));

/// In inputs of up to [`WHOLE`] bytes, all names are read within this time. It is many times the
/// usual one, so that a busy machine reports the same as an idle one.
const NAMES: Duration = Duration::from_secs(1);

/// Upper bound on the step limit in the second evaluation.
const MOST_STEPS: u64 = 1_000_000;

/// Reports what a search with so many matches did not find, and why: the condition that never held,
/// names of the games that may have been meant, and the games that it left out because it sorts.
/// `sources` are the query, if there is one, and the filters of options; the search took `took`.
pub(super) fn tell(
    options: &Options,
    (program, sources): (&Program, &[SourceText]),
    n_matches: u64,
    (inputs, threads): (&Inputs, usize),
    took: Duration,
) {
    if n_matches == 0 {
        for reason in reasons(options, sources, inputs, threads, took) {
            say(&reason);
        }
    } else if !program.sort_directions().is_empty()
        && let Some(line) = unsorted(options, sources, inputs, threads, took)
    {
        tell_line!("{line}");
    }
}

/// Says why a command found nothing.
pub(crate) fn say(reason: &str) {
    tell_line!("no matches: {reason}");
}

fn reasons(
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
    let (query, preamble) = texts(options, sources, &empty);
    let reasons = if inputs.size().is_none() {
        let text = "games from a pipe are read only once; save them to a file and run `cql \
                    explain QUERY GAMES` to see which condition fails";
        [options.query.as_ref().map(|_| text.to_owned()), None]
    } else {
        let counted = counted(options, (query, preamble), inputs, threads, took, true);
        counted.map_or([None, None], |(funnel, figures)| {
            let reason = funnel.reason(&figures).map(|reason| games::advised(&reason, inputs));
            [reason, Funnel::only_in_variations(&figures)]
        })
    };
    let mut lines: Vec<String> = reasons.into_iter().flatten().collect();
    let front: Vec<_> = preamble.iter().map(SourceText::as_source).collect();
    let asked = names::names_asked(options, &query.as_source(), &front);
    if let Some(size) = inputs.size() {
        lines.extend(names::similar_names(&asked, inputs, threads, time(size, took)));
    }
    lines
}

/// Returns the line about the games that a query would have found if it did not sort: they have no
/// value to sort by. `None` if there is no such game, or not all games can be counted.
fn unsorted(
    options: &Options,
    sources: &[SourceText],
    inputs: &Inputs,
    threads: usize,
    took: Duration,
) -> Option<String> {
    let is_small = inputs.size().is_some_and(|size| size <= WHOLE);
    if !is_wanted(options) || !is_small {
        return None;
    }
    let empty = empty_query();
    let texts = texts(options, sources, &empty);
    let (funnel, figures) = counted(options, texts, inputs, threads, took, false)?;
    funnel.unsorted(&figures)
}

/// Returns the query and the filters of options before it.
fn texts<'s>(
    options: &Options,
    sources: &'s [SourceText],
    empty: &'s SourceText,
) -> (&'s SourceText, &'s [SourceText]) {
    match (&options.query, sources.split_first()) {
        (Some(_), Some((query, preamble))) => (query, preamble),
        _ => (empty, sources),
    }
}

/// Returns the time for reading the names.
fn time(size: u64, took: Duration) -> Duration {
    if size <= WHOLE { NAMES } else { (took / 10).clamp(TIME.0, TIME.1) }
}

/// Counts the games after each condition, or those of the beginning of the inputs; if
/// `in_variations`, also those that match only in variations.
fn counted(
    options: &Options,
    (query, preamble): (&SourceText, &[SourceText]),
    inputs: &Inputs,
    threads: usize,
    took: Duration,
    in_variations: bool,
) -> Option<(Funnel, Figures)> {
    let size = inputs.size()?;
    let mut compile = compile_options(options);
    compile.limits.steps = compile.limits.steps.min(MOST_STEPS);
    // Nobody sees the comments.
    compile.level = Some(CommentLevel::Silent);
    let end = Instant::now() + took.clamp(AGAIN.0, AGAIN.1);
    let bytes = if size <= WHOLE { WHOLE } else { (size / 16).clamp(BYTES.0, BYTES.1) };
    let mut funnel = Funnel::new(query, preamble, &compile, Some(end))?;
    if in_variations && options.compile.variations.is_none() {
        funnel = funnel.with_variations(query, preamble, &compile);
    }
    funnel.choice = choice(options);
    if funnel.needs_last_game_number() {
        return None;
    }
    funnel.file_rules = options.file_rules.clone();
    funnel.provide_file().ok()?;
    // Without archives: even a part of one takes too long to evaluate.
    let part = Some(FirstPart { bytes, end });
    let figures = funnel.count((inputs, &[]), threads, part, |_| ()).ok()?;
    Some((funnel, figures))
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

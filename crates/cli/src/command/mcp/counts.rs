//! Counts what is in the games: statistics, and the moves played from a position.

use flow::{FaultKind, Output, RunOptions};
use pgn::VariantNames;
use serde_json::{Value, json};
use survey::target::Target;
use survey::tree::TreeOptions;
use survey::{Collection, Error, Watch, stats, tree};

use super::asked::{Asked, ProgressNotifier};
use super::call::{Outcome, ToolArgs};
use super::games::{CHUNK, CUT_SHORT, Faults, deadline};
use super::shown::bounded;
use crate::args::Threads;
use crate::search::threads;

/// Number of names of each kind in the text; the value has all of them.
const NAMES_IN_WORDS: usize = 10;

/// Reports the progress, and collects what could not be read.
struct Watcher<'a> {
    progress: ProgressNotifier<'a>,
    faults: Faults,
}

impl Watch for Watcher<'_> {
    fn read(&mut self, chunk: &Output<()>, _: survey::PassProgress) {
        self.progress.note(chunk);
    }

    fn report(&mut self, chunk: &Output<()>) {
        let defects = chunk.faults.iter().filter(|fault| fault.kind == FaultKind::Internal);
        self.faults.note(&Output::<()> {
            origin: chunk.origin.clone(),
            failure: chunk.failure.clone(),
            faults: defects.cloned().collect(),
            ..Output::default()
        });
    }

    /// Does nothing, since an unused archive does not change the results.
    fn unused(&mut self, _: &babson::UnusedArchive) {}
}

/// Counts the games until the time is over.
fn counted<T>(
    given: &ToolArgs<'_>,
    asked: &Asked<'_>,
    count: impl FnOnce(&mut Collection<'_>, &mut dyn Watch) -> Result<T, Error>,
) -> Result<(T, Faults), String> {
    let games = asked.games()?;
    let (cancel, _deadline) = deadline(asked, given.number("seconds"))?;
    let groups = games.groups(false, &cancel, &mut |_| {});
    let progress = ProgressNotifier::new(asked, games, &groups);
    let options = RunOptions {
        threads: threads(Threads::Default),
        chunk_bytes: CHUNK,
        ..RunOptions::new(cancel)
    };
    let variants = VariantNames::default();
    let mut collection = Collection::new(&games.inputs, groups, options, variants);
    let mut watcher = Watcher { progress, faults: Faults::default() };
    let result = count(&mut collection, &mut watcher).map_err(|error| error.to_string())?;
    if asked.cancel.is_cancelled() {
        return Err(CUT_SHORT.to_owned());
    }
    Ok((result, watcher.faults))
}

/// Returns a report and its text, with texts of bounded length and without missing values.
fn outcome(
    report: serde_json::Result<Value>,
    is_late: bool,
    faults: &Faults,
    in_words: impl FnOnce(&Value) -> String,
) -> Result<Outcome, String> {
    let mut told = bounded(report.map_err(|error| error.to_string())?);
    if let Value::Object(fields) = &mut told {
        fields.retain(|_, value| !value.is_null());
    }
    let mut text = in_words(&told);
    if is_late {
        told["ended_by"] = json!("time");
        text += "\ntime ran out before the last game";
    }
    faults.add_to(&mut told, &mut text);
    Ok(Outcome::Value(told, text))
}

/// Returns the statistics of the games.
pub(super) fn stats(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let (counts, faults) = counted(given, asked, stats::count)?;
    let top = usize::try_from(given.number("top")).unwrap_or(usize::MAX);
    let report = serde_json::to_value(counts.report(top)).map(|mut report| {
        report["kinds_of_faults"] = report["faults"].take();
        report
    });
    outcome(report, counts.is_cancelled, &faults, |told| {
        let mut text = format!("{} games, {} half-moves", told["games"], told["plies"]);
        if let (Some(first), Some(last)) = (told["first_date"].as_str(), told["last_date"].as_str())
        {
            text += &format!(", {first} to {last}");
        }
        for name in ["results", "players", "events", "openings", "variants"] {
            let counts = told[name].as_array().into_iter().flatten().take(NAMES_IN_WORDS);
            let counts = counts.map(|one| {
                format!("{} ({})", one["name"].as_str().unwrap_or_default(), one["count"])
            });
            let counts: Vec<String> = counts.collect();
            if !counts.is_empty() {
                text += &format!("\n{name}: {}", counts.join("; "));
            }
        }
        text
    })
}

/// Returns the moves played from a position.
pub(super) fn tree(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let target = Target::parse(given.text("position")).map_err(|error| error.to_string())?;
    let size = |name: &str| usize::try_from(given.number(name)).unwrap_or(usize::MAX);
    let options = TreeOptions { depth: size("depth"), ..TreeOptions::default() };
    let (tree, faults) =
        counted(given, asked, |games, watch| tree::count(games, &target, options, watch))?;
    let min_games = tree.games_of_most(size("limit"));
    let report = serde_json::to_value(tree.report(&target, min_games)).map(|mut report| {
        report["searched"] = json!(tree.n_read);
        if min_games > 1 {
            report["min_games"] = json!(min_games);
        }
        report
    });
    outcome(report, tree.is_cancelled, &faults, |told| {
        let (games, searched) = (&told["games"], &told["searched"]);
        let mut text = format!("{games} of {searched} games have the position");
        add_moves(told, "\n", &mut text);
        if min_games > 1 {
            text += &format!("\nmoves in fewer than {min_games} games are not listed");
        }
        text
    })
}

/// Adds a line for each move.
fn add_moves(told: &Value, start: &str, text: &mut String) {
    for one in told["moves"].as_array().into_iter().flatten() {
        let san = one["move"].as_str().unwrap_or_default();
        let (white, draws, black) = (&one["white"], &one["draws"], &one["black"]);
        *text += &format!("{start}{san}: {} games, +{white} ={draws} -{black}", one["games"]);
        add_moves(one, &format!("{start}  "), text);
    }
}

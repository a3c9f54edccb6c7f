//! Lists the inputs of the server with the numbers of their games, and the archives.

use std::sync::Arc;

use babson::{Games, InputGroup, sources_of};
use flow::{Cancel, Output, RunOptions, Worker};
use pgn::RawGame;
use serde_json::{Value, json};
use table::counted;

use super::asked::{Asked, ProgressNotifier};
use super::call::{Outcome, ToolArgs};
use super::games::{Faults, deadline};
use crate::args::Threads;
use crate::search::threads;

/// Maximum number of inputs that are listed.
const MOST_INPUTS: usize = 200;

/// Returns the list of inputs.
pub(super) fn inputs(given: &ToolArgs<'_>, asked: &Asked<'_>) -> Result<Outcome, String> {
    let told = listed(given.number("seconds"), asked)?;
    let number = |value: &Value, noun: &str| counted(value.as_u64().unwrap_or_default(), noun);
    let mut text =
        format!("{} in {}", number(&told["games"], "game"), number(&told["total"], "input"));
    if !told["ended_by"].is_null() {
        text += "; time ran out before all were counted";
    }
    for input in told["inputs"].as_array().into_iter().flatten() {
        let name = input["input"].as_str().unwrap_or_default();
        text += &format!("\n{name}: {}", number(&input["games"], "game"));
    }
    Ok(Outcome::Value(told, text))
}

/// Returns the list of inputs as a value.
pub(super) fn listed(seconds: u64, asked: &Asked<'_>) -> Result<Value, String> {
    let games = asked.games()?;
    let (cancel, _deadline) = deadline(asked, seconds)?;
    let groups = games.groups(false, &cancel, &mut |_| {});
    let mut counted = Counted::default();
    let mut progress = ProgressNotifier::new(asked, games, &groups);
    let mut archives = Vec::new();
    for group in &groups {
        match group {
            InputGroup::Archive(archived, _) => {
                let (n, bytes) = archived.size();
                archives.push(json!({ "archive": archived.name(), "games": n, "bytes": bytes }));
                archived.sources().for_each(|(name, n)| counted.add(&name, n));
            }
            InputGroup::Text(files) => {
                let sources = sources_of(&games.inputs, files, 0);
                counted.read(games, sources, &cancel, &mut progress)?;
            }
        }
    }
    let sizes: Vec<(String, u64)> = games.inputs.files().filter_map(Result::ok).map(size).collect();
    let inputs = counted.inputs.iter().take(MOST_INPUTS).map(|(name, n)| {
        let mut told = json!({ "input": &**name, "games": n });
        let size = sizes.iter().find(|(file, _)| **file == **name);
        if let Some((_, bytes)) = size {
            told["bytes"] = json!(bytes);
        }
        told
    });
    let mut told = json!({
        "inputs": inputs.collect::<Vec<Value>>(),
        "total": counted.inputs.len(),
        "games": counted.inputs.iter().map(|(_, n)| n).sum::<u64>(),
    });
    archives.truncate(MOST_INPUTS);
    if !archives.is_empty() {
        told["archives"] = archives.into();
    }
    if let Some(bytes) = games.inputs.size() {
        told["bytes"] = json!(bytes);
    }
    if cancel.is_cancelled() {
        told["ended_by"] = json!("time");
    }
    counted.faults.add_to(&mut told, &mut String::new());
    Ok(told)
}

fn size((path, bytes): (&std::path::Path, u64)) -> (String, u64) {
    (path.display().to_string(), bytes)
}

/// Inputs in order, each with the number of its games.
#[derive(Default)]
struct Counted {
    inputs: Vec<(Arc<str>, u64)>,
    /// Inputs that cannot be read.
    faults: Faults,
}

impl Counted {
    fn add(&mut self, name: &Arc<str>, n_games: u64) {
        match self.inputs.last_mut() {
            Some((last, n)) if last == name => *n += n_games,
            _ => self.inputs.push((name.clone(), n_games)),
        }
    }

    /// Counts the games of sources, numbered as in a search.
    fn read(
        &mut self,
        games: &Games,
        sources: Box<flow::Sources<'_>>,
        cancel: &Cancel,
        progress: &mut ProgressNotifier<'_>,
    ) -> Result<(), String> {
        let options = RunOptions {
            threads: threads(Threads::Default),
            size: games.inputs.size(),
            ..RunOptions::new(cancel.clone())
        };
        let mut sink = |mut out: Output<()>| {
            progress.note(&out);
            self.add(&out.origin.name, out.n_games);
            // Issues of games are reported by searches.
            out.faults.clear();
            self.faults.note(&out);
            Ok(())
        };
        let ran = flow::run(sources, &options, || Nothing, &mut sink);
        ran.map(|_| ()).map_err(|error| error.to_string())
    }
}

/// Evaluates nothing: the games are only counted.
struct Nothing;

impl Worker for Nothing {
    type Results = ();

    fn game(&mut self, _: &RawGame<'_>, _: u64, _: &mut Output<()>) {}
}

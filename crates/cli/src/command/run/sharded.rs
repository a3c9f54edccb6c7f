//! Runs queries on shards of games, each shard separately.

mod divided;

use std::ops::Range;
use std::path::{Path, PathBuf};

use shards::Fraction;
use table::Family;

use super::super::job::{ResultsManifest, listed};
use super::{RunArgs, request};
use crate::failure::Failure;
use crate::interrupt;
use crate::place;
use crate::search::several::{self, NamedQuery, Request, Results, RunInput, ShardOfGames};
use divided::Divided;

/// Searches the requested shards of a manifest.
pub(super) fn of_manifest(
    arguments: &RunArgs,
    manifest: &Path,
    queries: &[NamedQuery],
) -> Result<(), Failure> {
    let fraction = arguments.shard.unwrap_or(Fraction::ALL);
    let mut run = ShardedRun::new(arguments, queries)?;
    run.games = Divided::by_manifest(manifest)?;
    let n_shards = run.games.len();
    several::check(&run.request(0)?, n_shards > 1)?;
    interrupt::listen();
    run.search_all(fraction, fraction.range(n_shards))
}

/// Searches a part of games that are not split into files.
pub(super) fn of_files(
    arguments: &RunArgs,
    fraction: Fraction,
    names: &[PathBuf],
    queries: &[NamedQuery],
) -> Result<(), Failure> {
    let mut run = ShardedRun::new(arguments, queries)?;
    // Errors of queries show before cutting, which reads all games.
    let needs_last_game_number = several::check(&run.request(0)?, true)?;
    interrupt::listen();
    refuse_results_among(names, run.folder)?;
    let (games, places) = divided::cut(arguments, fraction, names, needs_last_game_number)?;
    run.games = games;
    run.search_all(fraction, places)
}

/// Refuses a folder for results inside a folder of games: the next job would read the results.
fn refuse_results_among(names: &[PathBuf], folder: &Path) -> Result<(), Failure> {
    let full = |path: &Path| {
        if remote::is_address(path) {
            Some(path.to_owned())
        } else {
            let path = std::path::absolute(path).ok()?;
            let mut known = path.ancestors();
            known.find_map(|known| {
                let rest = path.strip_prefix(known).ok()?;
                Some(known.canonicalize().ok()?.join(rest))
            })
        }
    };
    let folder_of_results = full(folder);
    let holds_results = |name: &&PathBuf| {
        let is_folder = name.is_dir() || remote::is_of_several(name);
        let name = full(name).filter(|_| is_folder);
        matches!((&folder_of_results, name), (Some(folder), Some(name)) if folder.starts_with(&name))
    };
    match names.iter().find(holds_results) {
        None => Ok(()),
        Some(name) => Err(Failure::Message(format!(
            "the results would be inside the games of {}: give another folder",
            remote::shown(name)
        ))),
    }
}

/// Refuses options whose results are not available for shards, or cannot be merged.
fn check(arguments: &RunArgs) -> Result<(), &'static str> {
    let outputs = &arguments.outputs;
    let refused = [
        (
            arguments.reading.json || arguments.summary.is_some(),
            "each shard has its own summary: --json and --summary cannot be combined with \
             --manifest and --shard",
        ),
        (
            outputs.limit.is_some() || outputs.sample.is_some(),
            "--limit and --sample need all games, but shards are searched separately",
        ),
        (
            outputs.format().family() == Family::Report,
            "reports of shards cannot be merged: write another format, and make a report of the \
             result",
        ),
        (
            outputs.forms_counts(),
            "counts of shards are added up: --scores, --score-of, --by, --order and --top cannot be \
             given",
        ),
        (
            outputs.counts() && outputs.format().separator().is_none(),
            "counts of shards are added up as tables: --format csv is needed, or another table",
        ),
    ];
    match refused.iter().find(|(is_wanted, _)| *is_wanted) {
        Some((_, message)) => Err(message),
        None => Ok(()),
    }
}

/// Queries, and the shards that they are run on.
struct ShardedRun<'a> {
    arguments: &'a RunArgs,
    queries: &'a [NamedQuery],
    folder: &'a Path,
    games: Divided,
}

impl<'a> ShardedRun<'a> {
    /// Creates a run; its games are set later.
    fn new(arguments: &'a RunArgs, queries: &'a [NamedQuery]) -> Result<ShardedRun<'a>, Failure> {
        check(arguments).map_err(|message| Failure::Message(message.to_owned()))?;
        let Some(folder) = &arguments.output_dir else {
            return Err(Failure::Message(
                "the results of shards need a directory: give --output-dir DIR".to_owned(),
            ));
        };
        Ok(ShardedRun { arguments, queries, folder, games: Divided::default() })
    }

    /// Searches the shards at these indexes that are not done yet. The search continues after a
    /// shard that fails.
    fn search_all(&self, fraction: Fraction, places: Range<usize>) -> Result<(), Failure> {
        self.job()?.claim(self.folder)?;
        let (n_shards, n_places) = (self.games.len(), places.len());
        let (mut n_before, mut failed, mut is_sound) = (0, Vec::new(), true);
        for number in places {
            if place::exists(&ResultsManifest::summary(self.folder, number)) {
                n_before += 1;
                continue;
            }
            match self.search(number) {
                Ok(()) => {}
                Err(Failure::Reported) => is_sound = false,
                Err(Failure::Message(message)) => {
                    tell_line!("error: {message}");
                    failed.push(number + 1);
                }
                Err(other) => return Err(other),
            }
        }
        tell_line!(
            "part {fraction} has {n_places} of {n_shards} shards: {} searched, {n_before} done \
             earlier",
            n_places - n_before - failed.len()
        );
        if !failed.is_empty() {
            return Err(Failure::Message(format!("shards that failed: {}", listed(&failed))));
        }
        if is_sound { Ok(()) } else { Err(Failure::Reported) }
    }

    fn search(&self, place: usize) -> Result<(), Failure> {
        self.games.check(place)?;
        several::run(self.request(place)?).map_err(|failure| match failure {
            Failure::Message(message) => {
                Failure::Message(format!("shard {}: {message}", place + 1))
            }
            other => other,
        })
    }

    fn request(&self, place: usize) -> Result<Request<'a>, Failure> {
        let shard = ShardOfGames {
            tag: ResultsManifest::tag(place),
            is_one_of_several: self.games.len() > 1,
            ..self.games.shard(place)
        };
        let results = Results::Directory(self.folder);
        let queries = self.queries.to_vec();
        request(self.arguments, queries, results, RunInput::Shard(shard))
    }

    /// Returns the description of the job, which covers everything that the results depend on.
    fn job(&self) -> Result<ResultsManifest, Failure> {
        let request = self.request(0)?;
        let outputs = &self.arguments.outputs;
        let texts = request.queries.iter().map(|query| &query.source.text);
        let described = format!(
            "{:?}",
            (
                texts.collect::<Vec<_>>(),
                request.filters.iter().map(|filter| &filter.text).collect::<Vec<_>>(),
                (&request.compile, request.strict, request.keep_going),
                (request.file_rules.secure, request.how.unpacked),
                (outputs.format(), outputs.per(), outputs.columns()),
                (outputs.counts(), &outputs.count_by, outputs.exclude),
                (env!("CARGO_PKG_VERSION"), self.games.id()),
            )
        );
        let id = shards::id(described.as_bytes());
        let mut job = ResultsManifest::new(id, self.games.id(), self.games.len());
        job.queries = request.queries.iter().map(|query| query.name.clone()).collect();
        job.extension = outputs.format().extension().to_owned();
        job.count_by = outputs.counts().then_some(outputs.count_by.len());
        Ok(job)
    }
}

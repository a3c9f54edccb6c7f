//! Queries on shards of games, each shard by itself.

use std::path::Path;

use input::Part;
use shards::{Fraction, Manifest};
use table::Format;

use super::super::job::{Job, listed};
use super::{Arguments, request};
use crate::failure::Failure;
use crate::interrupt;
use crate::place;
use crate::search::several::{self, NamedQuery, Request, Results, ShardOfGames, Wanted};

/// Searches the shards that are asked for and not done yet. One that fails does not keep the others
/// from being searched.
pub(super) fn run(
    arguments: &Arguments,
    manifest: &Path,
    queries: &[NamedQuery],
) -> Result<(), Failure> {
    check(arguments).map_err(|message| Failure::Message(message.to_owned()))?;
    let Some(folder) = &arguments.output_dir else {
        return Err(Failure::Message(
            "--output-dir says where the results of shards go".to_owned(),
        ));
    };
    let read = Manifest::read(manifest, interrupt::cancel());
    let (manifest, games) = read.map_err(|error| Failure::Message(error.to_string()))?;
    let run = Run {
        arguments,
        queries,
        folder,
        manifest: &manifest,
        games: &games,
    };
    let fraction = arguments.shard.unwrap_or(Fraction::ALL);
    let n_shards = manifest.shards.len();
    let places = fraction.range(n_shards);
    several::check(&run.request(0)?, n_shards > 1)?;
    interrupt::listen();
    run.job()?.claim(folder)?;
    let (n_places, mut n_before) = (places.len(), 0);
    let (mut failed, mut is_sound) = (Vec::new(), true);
    for number in places {
        if place::exists(&Job::summary(folder, number)) {
            n_before += 1;
            continue;
        }
        match run.search(number) {
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
        "part {fraction} has {n_places} of {n_shards} shards: {} searched, {n_before} done before",
        n_places - n_before - failed.len()
    );
    if !failed.is_empty() {
        let failed = listed(&failed);
        return Err(Failure::Message(format!("shards that failed: {failed}")));
    }
    match is_sound {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// What cannot be had of shards, or not put together.
fn check(arguments: &Arguments) -> Result<(), &'static str> {
    let outputs = &arguments.outputs;
    let refused = [
        (
            arguments.reading.json || arguments.summary.is_some(),
            "each shard has a summary of its own: --json and --summary do not go with --manifest",
        ),
        (
            outputs.limit.is_some() || outputs.sample.is_some(),
            "--limit and --sample are about all games, and shards are searched each by itself",
        ),
        (
            outputs.format() == Format::Html,
            "reports of shards cannot be put together: write another format, and make a report of \
             the result",
        ),
        (
            outputs.counts() && !matches!(outputs.format(), Format::Csv | Format::Tsv),
            "counts of shards are added up as tables: --format csv or --format tsv is needed",
        ),
    ];
    match refused.iter().find(|(is_wanted, _)| *is_wanted) {
        Some((_, message)) => Err(message),
        None => Ok(()),
    }
}

/// Queries, and the shards that they are run on.
struct Run<'a> {
    arguments: &'a Arguments,
    queries: &'a [NamedQuery],
    folder: &'a Path,
    manifest: &'a Manifest,
    /// Where the shards are.
    games: &'a Path,
}

impl<'a> Run<'a> {
    fn request(&self, place: usize) -> Result<Request<'a>, Failure> {
        let shard = Wanted::Shard(self.shard(place));
        let results = Results::Directory(self.folder);
        request(self.arguments, self.queries.to_vec(), results, shard)
    }

    fn search(&self, place: usize) -> Result<(), Failure> {
        let checked = self.manifest.check(self.games, place);
        checked.map_err(|error| Failure::Message(error.to_string()))?;
        several::run(self.request(place)?).map_err(|failure| match failure {
            Failure::Message(message) => {
                Failure::Message(format!("shard {}: {message}", place + 1))
            }
            other => other,
        })
    }

    fn shard(&self, place: usize) -> ShardOfGames {
        let Some(shard) = self.manifest.shards.get(place) else {
            return ShardOfGames::default();
        };
        ShardOfGames {
            part: Part {
                path: remote::join(self.games, &shard.name),
                name: self.manifest.source(shard).to_owned(),
                start: shard.start(),
                end: None,
                games_before: shard.games_before_source(),
            },
            tag: Job::tag(place),
            n_games: shard.games,
            last_game_number: self.manifest.last_game_number,
        }
    }

    /// What is run: everything that the results depend on.
    fn job(&self) -> Result<Job, Failure> {
        let request = self.request(0)?;
        let outputs = &self.arguments.outputs;
        let texts = request.queries.iter().map(|query| &query.source.text);
        let described = format!(
            "{:?}",
            (
                texts.collect::<Vec<_>>(),
                request
                    .filters
                    .iter()
                    .map(|filter| &filter.text)
                    .collect::<Vec<_>>(),
                (&request.compile, request.strict, request.keep_going),
                (request.file_rules.secure, request.how.unpacked),
                (outputs.format(), outputs.per(), &outputs.columns),
                (outputs.counts(), &outputs.count_by, outputs.exclude),
                (env!("CARGO_PKG_VERSION"), self.manifest.id()),
            )
        );
        let id = shards::id(described.as_bytes());
        let mut job = Job::new(id, self.manifest.id(), self.manifest.shards.len());
        job.queries = request
            .queries
            .iter()
            .map(|query| query.name.clone())
            .collect();
        job.extension = outputs.format().extension().to_owned();
        job.count_by = outputs.counts().then_some(outputs.count_by.len());
        Ok(job)
    }
}

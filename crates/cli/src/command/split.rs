//! `cql split GAMES… -o FOLDER`: cuts games into shards, which several machines can search.

use std::fs;
use std::path::{Path, PathBuf};

use shards::{MOST_TEXT, Size, Splitting};

use super::reading::ReadingArgs;
use super::text;
use crate::failure::{Failure, wrong_argument};
use crate::games;
use crate::interrupt;
use crate::output::{ProgressDisplay, directory};
use crate::progress::{self, Done, Live, ProgressMode};

/// Cut games into shards for many machines to search
///
/// Each shard is a compressed file of consecutive games of one input. The file manifest.json next
/// to the shards records their places in the collection, so that `cql run --manifest` finds in each
/// shard what a search of all games finds there. The games do not change.
#[derive(clap::Args)]
pub(super) struct SplitArgs {
    /// Games: files, directories, patterns
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the shards to FOLDER
    ///
    /// The folder is created if it is missing.
    #[arg(short, long, value_name = "FOLDER", value_hint = clap::ValueHint::DirPath)]
    output: PathBuf,
    /// Limit the number of games in a shard
    #[arg(long, value_name = "N", default_value_t = 100_000,
        value_parser = clap::value_parser!(u64).range(1..))]
    games_per_shard: u64,
    /// Replace the shards in the folder
    #[arg(long)]
    force: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    reading: ReadingArgs,
}

/// Report about the shards.
#[derive(serde::Serialize)]
struct SplitReport {
    folder: String,
    shards: usize,
    games: u64,
    bytes: u64,
    text_bytes: u64,
}

/// Writes the shards.
pub(super) fn run(arguments: &SplitArgs) -> Result<(), Failure> {
    if arguments.output == Path::new("-") {
        let message = "-o names the folder of the shards, and - is standard output (./- is a folder \
                       of this name)";
        return Err(wrong_argument(message));
    }
    if remote::is_address(&arguments.output) {
        return Err(wrong_argument(format_args!(
            "{}: shards can be written only to a local folder: write them here and copy them \
             there, manifest.json last",
            remote::shown(&arguments.output)
        )));
    }
    interrupt::listen();
    let inputs = games::find_all(&arguments.games, arguments.reading.how()?)?;
    let full = |path: &Path| path.canonicalize().ok();
    let folder = full(&arguments.output);
    let mut folders = inputs.paths().flatten().map(directory).map(full);
    if folder.is_some() && folders.any(|other| other == folder) {
        return Err(Failure::Message(format!(
            "the games are in {}: give another folder for the shards",
            arguments.output.display()
        )));
    }
    // An input may be a shard of an earlier run under another name, or on standard input.
    let read = inputs.originals();
    for entry in fs::read_dir(&arguments.output).into_iter().flatten().flatten() {
        let refused = read.refuse(&entry.path());
        refused.map_err(|error| Failure::Message(error.to_string()))?;
    }
    let size = Size { games: arguments.games_per_shard, bytes: MOST_TEXT };
    let mut splitting =
        Splitting::begin(&arguments.output, size, arguments.force).map_err(Failure::from)?;
    let (_, kind) = progress::kind(ProgressMode {
        dots: None,
        live: arguments.progress,
        results_on_stdout: true,
    });
    let mut live = Live::new(kind, inputs.size());
    let meter = inputs.meter();
    for source in inputs.sources() {
        let source = source.map_err(|error| Failure::Message(error.to_string()))?;
        let games = splitting.n_games();
        let mut go_on = |_| {
            live.draw(Done { bytes: meter.read(), games, ..Done::default() });
            !interrupt::cancel().is_cancelled()
        };
        splitting.add(source, &mut go_on).map_err(Failure::from)?;
    }
    live.finish(Done { bytes: meter.read(), games: splitting.n_games(), ..Done::default() });
    let manifest = splitting.finish().map_err(Failure::from)?;
    let report = SplitReport {
        folder: arguments.output.display().to_string(),
        shards: manifest.shards.len(),
        games: manifest.games,
        bytes: manifest.shards.iter().map(|shard| shard.bytes).sum(),
        text_bytes: manifest.shards.iter().map(|shard| shard.text_bytes).sum(),
    };
    show(&report, arguments.reading.json)
}

fn show(report: &SplitReport, as_json: bool) -> Result<(), Failure> {
    if as_json {
        let json = serde_json::to_string_pretty(report);
        let json = json.expect("numbers and text, with text for keys");
        return text::show(&format!("{}\n", crate::visible::visible_json(&json)));
    }
    let SplitReport { folder, shards, games, .. } = report;
    let of_shards = if *shards == 1 { "shard" } else { "shards" };
    let of_games = if *games == 1 { "game" } else { "games" };
    text::show(&format!("{games} {of_games} in {shards} {of_shards}: {folder}\n"))
}

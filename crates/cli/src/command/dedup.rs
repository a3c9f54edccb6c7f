//! `cql dedup GAMES…`: finds duplicates, and writes the games without them.

mod page;

use std::io::{self, Write};
use std::path::PathBuf;

use babson::ScanPlan;
use survey::duplicates::{Duplicates, Listed, Rules, Writing, find};
use table::OutputFormat;

use super::choosing::{Choice, chosen};
use super::counting::{Watcher, collection};
use super::reading::{Aliases, ReadingArgs};
use crate::args::ChoiceArgs;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{self, NewFile, ProgressDisplay};
use page::Page;

/// Find duplicate games and write the games without them
///
/// Two games are equal if they have the same moves, and players and years that are compatible;
/// short games need equal tags, too. Two games are nearly equal if one begins with all moves of the
/// other, and players, date, round and result are compatible. Of several games the longest one is
/// kept, of these the one with most comments, variations and tags.
#[derive(clap::Args)]
pub(super) struct DedupArgs {
    /// Games: files, directories, patterns, archives; - is stdin
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the games without duplicates to a new file
    #[arg(short, long, value_name = "OUT.pgn", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Omit nearly equal games, too
    #[arg(long, requires = "output")]
    near: bool,
    /// Choose which of several duplicates to keep
    #[arg(long, value_enum, value_name = "WHICH", default_value = "best")]
    keep: Keep,
    /// Compare only the moves of the games
    #[arg(long)]
    moves_only: bool,
    /// Replace OUT.pgn whatever it holds
    ///
    /// Without this option, only a file with games or an earlier result is replaced.
    #[arg(long, requires = "output")]
    force: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    aliases: Aliases,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Choice of the game to keep among several equal ones.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Keep {
    /// The longest game, of these the one with most comments, variations and tags
    Best,
    /// The first game
    First,
}

/// Finds and lists the duplicates, and writes the other games.
pub(super) fn run(arguments: &DedupArgs) -> Result<(), Failure> {
    interrupt::listen();
    let target = arguments.output.as_deref();
    let how = arguments.reading.how()?;
    let only_named = how.is_said();
    let mut names = arguments.games.clone();
    let limits = arguments.reading.limits()?.query;
    let choice = Choice::new(&arguments.choice, limits, &mut names)?;
    let mut games = games::find_with_archives(&names, how, target)?;
    let out = match target {
        None => None,
        Some(target) => {
            let originals = games.inputs.originals();
            Some(output::create(target, Some(OutputFormat::Pgn), &originals, arguments.force)?)
        }
    };
    games::keep(&mut games.inputs)?;
    let variants = arguments.aliases.variants()?;
    let groups = games::groups(&games, only_named);
    let plan = ScanPlan { inputs: &games.inputs, groups: &groups };
    let threads = arguments.reading.threads();
    let chosen = chosen(choice.as_ref(), &plan, threads, arguments.progress)?;
    let games_in = collection(&games.inputs, groups, &arguments.reading, variants);
    let mut games_in = games_in.choosing(chosen.games);
    let mut watcher = Watcher::new(&games.inputs, arguments.progress);
    watcher.refusal = target.map(|_| "no games are written because some could not be read");
    let rules =
        Rules { moves_only: arguments.moves_only, keeps_first: arguments.keep == Keep::First };
    let found =
        find(&mut games_in, rules, &mut watcher).map_err(|error| watcher.failure(&error))?;
    let said = watcher.sources.finish()? + &watcher.summary();
    let mut last =
        Last { found: &found, page: Page::new(arguments.reading.json), out, n_written: 0 };
    if last.out.is_some() || !found.is_empty() {
        let writing = last.out.as_ref().map(|_| Writing { omits_near: arguments.near });
        let mut failure = None;
        let listed = found.list(&mut games_in, writing, &mut watcher, &mut |listed| {
            last.take(listed).map_err(|what| {
                failure = Some(what);
                io::Error::other("ended")
            })
        });
        listed.map_err(|error| failure.unwrap_or_else(|| watcher.failure(&error)))?;
    }
    let shown = target.map(|target| target.display().to_string());
    let n_written = last.out.as_ref().map(|_| last.n_written);
    if let (Some(out), Some(name)) = (last.out, &shown) {
        out.finish().map_err(|error| context(format!("cannot write {name}"), &error))?;
    }
    last.page.finish(&found.totals, n_written, shown.as_deref(), &games.inputs)?;
    tell!("{said}");
    let n_missing = found.totals.unreadable + found.totals.other_rules;
    let is_complete = watcher.is_complete() && n_missing == 0;
    if is_complete && !chosen.has_failed { Ok(()) } else { Err(Failure::Reported) }
}

/// State of the last pass.
struct Last<'a> {
    found: &'a Duplicates,
    page: Page,
    out: Option<NewFile>,
    n_written: u64,
}

impl Last<'_> {
    fn take(&mut self, listed: &Listed) -> Result<(), Failure> {
        for named in &listed.rows {
            self.page.row(&self.found.row(named))?;
        }
        self.n_written += listed.n_written;
        match &mut self.out {
            Some(out) => out
                .write_all(&listed.text)
                .map_err(|error| context("cannot write the games", &error)),
            None => Ok(()),
        }
    }
}

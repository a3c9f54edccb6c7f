//! `cql doctor GAMES…`: reports the issues of games, and writes a file in which they are repaired.

mod report;

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use babson::ScanPlan;
use input::{Meter, ReadOptions};
use survey::doctor::{DoctorError, LAST_OF_BROKEN, Listener, Remark, examine};
use table::{OutputFormat, counted};

use super::choosing::{Choice, chosen};
use super::reading::Aliases;
use crate::args::{ChoiceArgs, LimitsArgument, Threads};
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{self, ProgressDisplay};
use crate::progress::{self, Done, Live, ProgressMode};
use crate::visible::visible_name;
use report::Page;

/// Find and repair faults in the games of PGN files
///
/// Every fault is printed with its place, how a search reads it, and with --repair how it was
/// repaired; a summary follows. The exit status is 1 if there are faults.
#[derive(clap::Args)]
pub(super) struct DoctorArgs {
    /// Games: files, directories, patterns, or - for standard input
    ///
    /// Files may be compressed.
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the repaired games to a new file
    ///
    /// Games without faults are copied byte for byte. No word is lost: text that cannot be read
    /// becomes a comment. A game that cannot be repaired is copied unchanged and reported. The new
    /// file is not compressed, and holds the games of all files.
    #[arg(short = 'o', long, visible_alias = "output", value_name = "OUT.pgn", value_hint = clap::ValueHint::FilePath)]
    repair: Option<PathBuf>,
    /// Replace OUT.pgn whatever it holds
    ///
    /// Without this option, only a file with games or an earlier result is replaced.
    #[arg(long, requires = "repair")]
    force: bool,
    /// Print only the summary
    #[arg(long)]
    summary: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    aliases: Aliases,
    #[command(flatten)]
    limits: LimitsArgument,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Examines one file after the other.
pub(super) fn run(arguments: &DoctorArgs) -> Result<(), Failure> {
    interrupt::listen();
    let target = arguments.repair.as_deref();
    let limits = arguments.limits.get()?;
    let mut names = arguments.games.clone();
    let choice = Choice::new(&arguments.choice, limits.query.clone(), &mut names)?;
    if choice.is_some() && target.is_some() {
        let message = "--repair writes all games: choose them afterwards, with `cql OUT.pgn -o`";
        return Err(Failure::Message(message.to_owned()));
    }
    // A search cuts games at other line ends, so games are chosen in the text that it reads.
    let keeps_old_line_ends = choice.is_none();
    let how = ReadOptions { keeps_old_line_ends, ..limits.how(None, None) };
    let mut inputs = games::find(&names, how, target)?;
    if choice.is_some() {
        games::keep(&mut inputs)?;
    }
    let inputs = inputs;
    let plan = ScanPlan { inputs: &inputs, groups: &[] };
    let chosen = chosen(choice.as_ref(), &plan, crate::search::threads(Threads::Default), None)?;
    let cannot_write = |error: io::Error| {
        context(format!("cannot write {}", target.unwrap_or("".as_ref()).display()), &error)
    };
    let create = |target| {
        output::create(target, Some(OutputFormat::Pgn), &inputs.originals(), arguments.force)
    };
    let mut file = target.map(create).transpose()?;
    // Lines and a bar would be in each other's way.
    let has_lines = !arguments.summary && io::stdout().is_terminal();
    let (_, kind) = progress::kind(ProgressMode {
        dots: None,
        live: has_lines.then_some(ProgressDisplay::None),
        results_on_stdout: true,
    });
    let mut reporter = Reporter {
        page: Page::new(!arguments.summary, arguments.json),
        live: Live::new(kind, inputs.size()),
        meter: inputs.meter(),
        done: Done::default(),
    };
    let out = file.as_mut().map(|file| file as &mut dyn Write);
    let variants = arguments.aliases.variants()?;
    let chosen_games = chosen.games.as_deref();
    let examined =
        examine(&inputs, variants, chosen_games, out, &mut reporter, interrupt::cancel());
    let mut sums = examined.map_err(|error| match error {
        DoctorError::Cancelled => Failure::Interrupted,
        DoctorError::Unwritable(error) => cannot_write(error),
        error @ DoctorError::Unreadable(..) => Failure::Message(error.to_string()),
    })?;
    reporter.live.finish(reporter.done);
    if sums.files == 0 {
        return Err(Failure::Reported);
    }
    if let Some(file) = file {
        file.finish().map_err(cannot_write)?;
        sums.repaired = target.map(|target| target.display().to_string());
    }
    reporter.page.finish(&sums);
    let is_sound = sums.faults.is_empty() && sums.files_not_read == 0 && !chosen.has_failed;
    if is_sound { Ok(()) } else { Err(Failure::Reported) }
}

/// Prints what is found, and the progress.
struct Reporter {
    page: Page,
    live: Live,
    meter: Meter,
    done: Done,
}

impl Listener for Reporter {
    fn remark(&mut self, remark: &Remark<'_>) {
        self.page.remark(remark);
    }

    fn unread(&mut self, name: &str, message: &str, n_games: u64) {
        let name = visible_name(name);
        self.live.say(&match n_games {
            0 => format!("error: cannot read {name}: {message}\n"),
            n => {
                let games = counted(n, "game");
                format!("{name}: {message}; examined the {games} before that; {LAST_OF_BROKEN}\n")
            }
        });
    }

    fn empty(&mut self, name: &str) {
        self.live.say(&format!("{}: contains no games\n", visible_name(name)));
    }

    fn progress(&mut self, survey::PassProgress { games, faulty }: survey::PassProgress) {
        self.done = Done { bytes: self.meter.read(), games, matches: None, faulty };
        self.live.draw(self.done);
    }
}

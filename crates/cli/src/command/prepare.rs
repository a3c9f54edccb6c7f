//! `cql prepare GAMES… --player NAME`: a report for preparation against a player or an opening.

use std::io::Write;
use std::path::{Path, PathBuf};

use babson::ScanPlan;
use board::Color;
use input::Inputs;
use pgn::Date;
use survey::Collection;
use survey::prepare::{Omissions, PrepareReport, Question, page, prepare, why_none};
use survey::target::Target;
use table::counted;

use super::choosing::{Choice, chosen};
use super::counting::{Watcher, collection};
use super::reading::{Aliases, ReadingArgs};
use super::text;
use super::tree::{date, tell_others};
use crate::args::ChoiceArgs;
use crate::failure::{Failure, context, wrong_argument};
use crate::games;
use crate::interrupt;
use crate::output::{self, ProgressDisplay, player_name};

/// Number of half-moves of the tree.
const DEPTH: u8 = 16;

/// Color of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Side {
    /// The player with the white pieces
    White,
    /// The player with the black pieces
    Black,
}

/// Format of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ReportFormat {
    /// A page that prints well
    Html,
    /// An object with the same facts
    Json,
}

/// Prepare for an opponent or an opening: a report of their games
///
/// For example: cql prepare games.pgn --player Carlsen --as white -o carlsen.html
///
/// The report has the opening tree with scores and 95 % intervals, years and ratings of opponents,
/// where the games leave the named openings, pawn structures and endings with results, time trouble,
/// mistakes by phase, model games, and what is new since a date.
#[derive(clap::Args)]
pub(super) struct PrepareArgs {
    /// Games: files, directories, patterns, archives, or - for standard input
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Prepare for this player
    ///
    /// A part of the name is enough, in any case of letters. Several names, each after --player, are
    /// those of one player.
    #[arg(long, value_name = "NAME", value_parser = player_name, required_unless_present = "opening")]
    player: Vec<String>,
    /// Prepare for this opening: its name, moves or a FEN
    ///
    /// With --player, the games of this player with the opening count.
    #[arg(long, value_name = "OPENING")]
    opening: Option<String>,
    /// Take the side of White or Black [default for an opening: white]
    ///
    /// The player has this color, and all scores are those of this side.
    #[arg(
        long = "as",
        value_enum,
        ignore_case = true,
        value_name = "COLOR",
        required_unless_present = "opening"
    )]
    side: Option<Side>,
    /// Write the report to FILE, or to standard output for -
    #[arg(short, long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Set the format [default: that of the name of FILE: .html or .json]
    #[arg(long, value_enum, value_name = "FORMAT", conflicts_with = "json")]
    format: Option<ReportFormat>,
    /// Replace FILE, whatever it is
    #[arg(long, requires = "output")]
    force: bool,
    /// Set the title of the page
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Report what is new since DATE
    ///
    /// DATE is a year, a month or a day: 2020, 2020-06 or 2020-06-15.
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<Date>,
    /// Count N moves in the tree
    #[arg(long, value_name = "N", default_value_t = DEPTH, value_parser = clap::value_parser!(u8).range(1..=40))]
    depth: u8,
    /// Omit moves of the tree with fewer games [default: 2 %, at least 2]
    #[arg(long, value_name = "N")]
    min_games: Option<u64>,
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

impl PrepareArgs {
    /// Returns the file of the report; `None` for standard output.
    fn file(&self) -> Option<&Path> {
        self.output.as_deref().filter(|file| *file != Path::new("-"))
    }

    /// Returns the format that an option names, or else that of the ending of the file.
    fn format(&self) -> Result<ReportFormat, Failure> {
        if self.reading.json {
            return Ok(ReportFormat::Json);
        }
        let (Some(file), None) = (self.file(), self.format) else {
            return Ok(self.format.unwrap_or(ReportFormat::Html));
        };
        let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("html" | "htm") => Ok(ReportFormat::Html),
            Some("json") => Ok(ReportFormat::Json),
            _ => Err(wrong_argument(format_args!(
                "the name of {} does not tell the format: end it with .html or .json, or use \
                 --format html or json; a browser prints the page as PDF",
                file.display()
            ))),
        }
    }
}

/// Reads the games and writes the report.
pub(super) fn run(arguments: &PrepareArgs) -> Result<(), Failure> {
    interrupt::listen();
    let format = arguments.format()?;
    if arguments.output.is_none() && format == ReportFormat::Html {
        let message =
            "name the page: -o REPORT.html (- prints it); or print the facts: --format json";
        return Err(wrong_argument(message));
    }
    let opening = arguments.opening.as_deref();
    let target = Target::parse(opening.unwrap_or_default())
        .map_err(|error| Failure::Message(error.to_string()))?;
    tell_others(&target);
    let mut names = arguments.games.clone();
    let limits = arguments.reading.limits()?.query;
    let choice = Choice::new(&arguments.choice, limits, &mut names)?;
    let variants = arguments.aliases.variants()?;
    let how = arguments.reading.how()?;
    let only_named = how.is_said();
    let output = arguments.file();
    let mut found = games::find_with_archives(&names, how, output)?;
    games::keep(&mut found.inputs)?;
    let out = match output {
        Some(file) => Some((create(file, format, arguments.force, &found.inputs)?, file)),
        None => None,
    };
    let groups = games::groups(&found, only_named);
    let plan = ScanPlan { inputs: &found.inputs, groups: &groups };
    let threads = arguments.reading.threads();
    let chosen = chosen(choice.as_ref(), &plan, threads, arguments.progress)?;
    let games = collection(&found.inputs, groups, &arguments.reading, variants);
    let mut games = games.choosing(chosen.games);
    let mut watcher = Watcher::new(&found.inputs, arguments.progress);
    let question = Question {
        target: &target,
        side: if arguments.side == Some(Side::Black) { Color::Black } else { Color::White },
        players: &arguments.player,
        since: arguments.since,
        depth: arguments.depth.into(),
        min_games: arguments.min_games,
    };
    let report =
        prepare(&mut games, question, &mut watcher).map_err(|error| watcher.failure(&error))?;
    tell!("{}", watcher.sources.finish()?);
    if report.figures.games == 0 {
        tell!("{}", watcher.summary());
        return Err(nothing(arguments, &report, &mut games, &mut watcher));
    }
    let written = match format {
        ReportFormat::Html => page(&report, arguments.title.as_deref()),
        ReportFormat::Json => text::json(&report)?,
    };
    match out {
        None => text::print(written.as_bytes())?,
        Some((mut out, file)) => {
            let written = out.write_all(written.as_bytes()).and_then(|()| out.finish());
            written.map_err(|error| context(format!("cannot write {}", file.display()), &error))?;
            let n = report.figures.games;
            let games = if n == 1 { "game" } else { "games" };
            let of = report.opening.as_ref().map_or(String::new(), |name| format!(" of {name}"));
            text::show(&format!("report of {n} {games}{of} written to {}\n", file.display()))?;
        }
    }
    tell_gaps(&report);
    tell!("{}", watcher.summary());
    let is_complete = watcher.is_complete() && report.omitted.skipped == 0;
    if is_complete && !chosen.has_failed { Ok(()) } else { Err(Failure::Reported) }
}

/// Creates the file of the report.
fn create(
    file: &Path,
    format: ReportFormat,
    force: bool,
    inputs: &Inputs,
) -> Result<output::NewFile, Failure> {
    let (kind, beginning) = match format {
        ReportFormat::Html => (Some(table::OutputFormat::Html), None),
        ReportFormat::Json => (None, Some(PrepareReport::BEGINNING)),
    };
    output::create_like(file, kind, beginning, &inputs.originals(), force)
}

/// Explains why there are no games.
fn nothing(
    arguments: &PrepareArgs,
    report: &PrepareReport,
    games: &mut Collection<'_>,
    watcher: &mut Watcher<'_>,
) -> Failure {
    let names = &arguments.player;
    if names.is_empty() {
        return Failure::Message("no game has this position in its main line".to_owned());
    }
    // The first pass has told the issues.
    watcher.is_told = true;
    match why_none(names, report.side, report.omitted.elsewhere, games, watcher) {
        Ok((message, Some(other))) => Failure::Message(format!("{message}: use --as {other}")),
        Ok((message, None)) => Failure::Message(message),
        Err(error) => watcher.failure(&error),
    }
}

/// Reports what the games do not have, and which are not counted.
fn tell_gaps(report: &PrepareReport) {
    let names = &report.players;
    if report.player.is_some() && names.len() > 1 {
        let names: Vec<String> =
            names.iter().map(|count| format!("{} ({})", count.name, count.count)).collect();
        tell_line!("several players are meant: {}", names.join("; "));
    }
    for name in &report.absent {
        tell_line!("no counted game has '{name}' as {}", report.side);
    }
    if !report.other_spellings.is_empty() {
        let others = report.other_spellings.iter();
        let others: Vec<String> =
            others.map(|other| format!("--player '{}' ({})", other.name, other.count)).collect();
        tell_line!("perhaps other spellings of the name, not counted: {}", others.join(" "));
    }
    if report.time.is_none() {
        tell_line!("no game has clocks: nothing about time trouble");
    }
    if report.mistakes.is_none() {
        tell_line!("no game has evaluations: nothing about mistakes; `cql annotate` adds them");
    }
    let Omissions { assumed, other_rules, skipped, elsewhere } = report.omitted;
    tell!("{}", crate::report::assumed(assumed));
    // Without a player, nearly all games of a collection have other openings.
    let elsewhere = if report.player.is_some() { elsewhere } else { 0 };
    let reasons =
        [(other_rules, "other rules"), (skipped, "faults"), (elsewhere, "a different opening")];
    for (n, why) in reasons.into_iter().filter(|reason| reason.0 > 0) {
        tell_line!("{} not counted because of {why}", counted(n, "game"));
    }
}

//! `cql stats GAMES…`: counts tags, results, moves and issues of games.

mod compare;

use std::path::PathBuf;

use survey::stats::{StatsReport, count};

use babson::ScanPlan;

use super::choosing::{Choice, chosen};
use super::counting::{Watcher, collection};
use super::reading::{Aliases, ReadingArgs};
use super::text;
use crate::args::ChoiceArgs;
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::output::{ProgressDisplay, player_name};

/// Count players, dates, results, tags and issues of games
///
/// One report covers all files together, in any format that a search reads: PGN, puzzles and
/// positions, compressed or not. `cql doctor` shows where the issues are.
#[derive(clap::Args)]
pub(super) struct StatsArgs {
    /// Games: files, directories, patterns, or - for standard input
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Compare the scores of the games of two queries instead
    ///
    /// A and B are filters in CQL, or files that end in .cql. The score is White's, or that of the
    /// player that --score-of names.
    #[arg(long, num_args = 2, value_names = ["A", "B"], allow_hyphen_values = true)]
    compare: Option<Vec<String>>,
    /// Compare games of like ratings and move numbers, too
    ///
    /// Games are alike if the difference of the ratings is in the same step of 100 points, and the
    /// first matching position in the same step of 5 moves.
    #[arg(long, requires = "compare")]
    matched: bool,
    /// Compare the scores of a player, with either color
    #[arg(long, value_name = "NAME", value_parser = player_name, requires = "compare")]
    score_of: Option<String>,
    /// List the N most frequent players, events, openings, tags
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
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

/// Reads all files and prints the report.
pub(super) fn run(arguments: &StatsArgs) -> Result<(), Failure> {
    interrupt::listen();
    let how = arguments.reading.how()?;
    let variants = arguments.aliases.variants()?;
    let only_named = how.is_said();
    let mut names = arguments.games.clone();
    let limits = arguments.reading.limits()?.query;
    let choice = Choice::new(&arguments.choice, limits, &mut names)?;
    let mut found = games::find_with_archives(&names, how, None)?;
    if choice.is_some() || arguments.compare.is_some() {
        games::keep(&mut found.inputs)?;
    }
    let groups = games::groups(&found, only_named);
    let plan = ScanPlan { inputs: &found.inputs, groups: &groups };
    let threads = arguments.reading.threads();
    let chosen = chosen(choice.as_ref(), &plan, threads, arguments.progress)?;
    if let Some(queries) = &arguments.compare {
        return compare::run(arguments, queries, &plan, chosen);
    }
    let games = collection(&found.inputs, groups, &arguments.reading, variants);
    let mut games = games.choosing(chosen.games);
    let mut watcher = Watcher::new(&found.inputs, arguments.progress);
    let stats = count(&mut games, &mut watcher).map_err(|error| watcher.failure(&error))?;
    if stats.is_cancelled {
        return Err(Failure::Interrupted);
    }
    tell!("{}", watcher.sources.finish()?);
    let report = stats.report(arguments.top);
    let shown = if arguments.reading.json {
        text::json(&report)?
    } else {
        games::advised(&table(&report), &found.inputs) + "\n"
    };
    text::show(&shown)?;
    tell!("{}", watcher.summary());
    let n_missing = report.games_left_out + report.games_of_unknown_rules;
    let is_complete = watcher.is_complete() && n_missing == 0;
    if is_complete && !chosen.has_failed { Ok(()) } else { Err(Failure::Reported) }
}

/// Formats the report as a table.
fn table(report: &StatsReport) -> String {
    let mut lines = vec![
        row("games", report.games),
        row("bytes", report.bytes),
        row("positions", report.positions),
        format!(
            "{:<22}{:>14}  (main lines; {} a game, {} the longest)",
            "plies", report.plies, report.average_plies, report.longest_game_plies
        ),
        format!(
            "{:<22}{:>14}  (in {} games)",
            "variations", report.variations, report.games_with_variations
        ),
        row("comments", report.comments),
        row("annotation glyphs", report.annotation_glyphs),
        row("games from a FEN", report.games_from_fen),
    ];
    if report.games_of_unknown_rules > 0 {
        let row = row("moves not counted", report.games_of_unknown_rules);
        lines.push(row + "  (games of variants that cql cannot play)");
    }
    if let (Some(first), Some(last)) = (&report.first_date, &report.last_date) {
        let with = report.games_with_date;
        lines.push(format!("{:<22}{first} to {last}  ({with} games)", "dates"));
    }
    if report.games_left_out > 0 {
        lines.push(row("games left out", report.games_left_out));
    }
    lines.push(row("faulty games", report.faulty_games));
    let players = format!("players ({} in all)", report.distinct_players);
    let events = format!("events ({} in all)", report.distinct_events);
    let lists = [
        ("results", &report.results),
        (&players, &report.players),
        (&events, &report.events),
        ("openings", &report.openings),
        ("variants", &report.variants),
        ("tags", &report.tags),
        ("faults; `cql doctor` shows where", &report.faults),
    ];
    for (title, counts) in lists {
        if counts.is_empty() {
            continue;
        }
        lines.push(format!("\n{title}"));
        let items = counts.iter();
        lines.extend(items.map(|item| format!("{:>10}  {}", item.count, item.name)));
    }
    lines.join("\n")
}

fn row(name: &str, value: u64) -> String {
    format!("{name:<22}{value:>14}")
}

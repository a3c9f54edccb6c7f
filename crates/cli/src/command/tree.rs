//! `cql tree GAMES… [POSITION]`: counts the moves played from a position (opening tree).

mod book;
mod order;
mod report;

use std::ffi::OsString;
use std::path::PathBuf;

use babson::ScanPlan;
use engine::{CodeRange, Openings};
use input::Inputs;
use pgn::Date;
use serde::Serialize;
use survey::target::Target;
use survey::tree::{Line, Omitted, ScoreOf, Tree, TreeOptions, TreeReport, count};
use table::Day;

use super::choosing::{Choice, chosen};
use super::counting::{Watcher, collection};
use super::names::looks_like_fen;
use super::reading::{Aliases, ReadingArgs};
use super::text;
use crate::args::ChoiceArgs;
use crate::failure::{Failure, wrong_argument};
use crate::games;
use crate::interrupt;
use crate::output::{ProgressDisplay, player_name};
use crate::terminal;
use crate::visible::visible_name;
use order::Order;
use report::{csv, csv_of_lines, table, table_of_lines};

/// Number of other openings of the same name that are listed.
const FEW_OTHERS: usize = 3;

/// Maximum number of moves that are shown after the position.
const DEEPEST: u8 = 12;

/// Number of moves of whole continuations.
const WHOLE: u8 = 6;

/// Count the moves played from a position (opening tree)
///
/// For example: cql tree games.pgn Najdorf
///
/// Each move that was played in the position has a row: games, share, results, the average rating
/// of its players, their performance, and the year of the last game. A game counts if it has the
/// position, whatever the moves that lead to it.
#[derive(clap::Args)]
pub(super) struct TreeArgs {
    /// Games, then the position: moves or a FEN
    ///
    /// Games are files, directories, patterns, archives, or - for standard input. The position is
    /// written as moves such as 1.e4 c5 2.Nf3, as the name of an opening such as Najdorf, with or
    /// without moves after it (Najdorf 6.h3), or as a FEN; without it, the tree begins at the
    /// normal start.
    #[arg(required = true, value_name = "GAMES… [POSITION]", value_hint = clap::ValueHint::AnyPath)]
    words: Vec<OsString>,
    /// Show N moves after the position [default: 1, with --lines 6, with --book 20]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=100))]
    depth: Option<u8>,
    /// Write the moves as an opening book of Polyglot
    ///
    /// The book has the moves of the main lines after the position, as many as --depth says, and of
    /// positions that are reached in several ways all moves together.
    #[arg(long, value_name = "OUT.bin", value_hint = clap::ValueHint::FilePath,
        conflicts_with_all = ["lines", "json", "csv", "variations"])]
    book: Option<PathBuf>,
    /// Replace OUT.bin
    #[arg(long, requires = "book")]
    force: bool,
    /// Show whole continuations, the most frequent ones first
    ///
    /// A continuation has as many moves as --depth says, or less if no game goes on, or with
    /// --min-games too few.
    #[arg(long)]
    lines: bool,
    /// Show the first N moves or continuations
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Set the order of the moves
    #[arg(long, value_enum, value_name = "COLUMN", default_value_t)]
    order: Order,
    /// Mark moves that were not played before DATE
    ///
    /// DATE is a year, a month or a day: 2020, 2020-06 or 2020-06-15. The first game with each of
    /// these moves is named. A move of a game without a date is not new.
    #[arg(long, value_name = "DATE", value_parser = date)]
    since: Option<Date>,
    /// Show the score of a player, with either color
    ///
    /// A part of the name is enough, in any case of letters. Ratings, score and performance are
    /// then those of this player.
    #[arg(long, value_name = "NAME", value_parser = player_name)]
    score_of: Option<String>,
    /// Omit moves with fewer games
    #[arg(long, value_name = "N", default_value_t = 1)]
    min_games: u64,
    /// Count variations, too
    ///
    /// A game then counts once for each different move.
    #[arg(long)]
    variations: bool,
    /// Print a table in CSV
    #[arg(long, conflicts_with = "json")]
    csv: bool,
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

/// Tells the user which other openings have the name of the position.
pub(super) fn tell_others(target: &Target) {
    let others = target.others();
    if !others.is_empty() {
        let others = others[..others.len().min(FEW_OTHERS)].join("; ");
        tell_line!("to count another opening of this name, give its whole name: {others}");
    }
}

/// Counts the games and prints the tree.
pub(super) fn run(arguments: &TreeArgs) -> Result<(), Failure> {
    interrupt::listen();
    let mut words: Vec<PathBuf> = arguments.words.iter().map(PathBuf::from).collect();
    let limits = arguments.reading.limits()?.query;
    let choice = Choice::new(&arguments.choice, limits, &mut words)?;
    if let Some(n) = choice.as_ref().and_then(Choice::limit).filter(|_| arguments.top.is_none()) {
        tell_line!("--limit {n} counts {n} games; --top {n} shows {n} moves of all games");
    }
    let (names, position) = split(&words);
    let target = Target::parse(&position).map_err(|error| Failure::Message(error.to_string()))?;
    refuse_words(&names)?;
    tell_others(&target);
    let variants = arguments.aliases.variants()?;
    let how = arguments.reading.how()?;
    let only_named = how.is_said();
    let mut found = games::resolve(&names, how, arguments.book.as_deref())?;
    if choice.is_some() {
        games::keep(&mut found.inputs)?;
    }
    for (name, _) in found.inputs.repeated() {
        let name = remote::shown(name);
        tell_line!("{} is given more than once; counting it once", visible_name(&name));
    }
    let groups = found.groups(only_named, interrupt::cancel(), &mut |unused| {
        let name = visible_name(&unused.archive);
        tell_line!("{name}: {}", unused.with_instead("reading"));
    });
    let plan = ScanPlan { inputs: &found.inputs, groups: &groups };
    let threads = arguments.reading.threads();
    let chosen = chosen(choice.as_ref(), &plan, threads, arguments.progress)?;
    let games = collection(&found.inputs, groups, &arguments.reading, variants);
    let mut games = games.choosing(chosen.games);
    let mut watcher = Watcher::new(&found.inputs, arguments.progress);
    if let Some(file) = &arguments.book {
        let inputs = &found.inputs;
        let omitted = book::write(arguments, file, &target, &mut games, &mut watcher, inputs)?;
        tell!("{}", watcher.summary());
        let is_complete = watcher.is_complete() && omitted.skipped == 0;
        return if is_complete && !chosen.has_failed { Ok(()) } else { Err(Failure::Reported) };
    }
    let depth = arguments.depth.unwrap_or(if arguments.lines { WHOLE } else { 1 });
    if depth > DEEPEST {
        let message = format!("--depth shows up to {DEEPEST} moves; only a --book may have more");
        return Err(wrong_argument(message));
    }
    let options = TreeOptions {
        depth: depth.into(),
        variations: arguments.variations,
        since: arguments.since,
        score_of: match &arguments.score_of {
            Some(name) => ScoreOf::Player(name),
            None if arguments.lines => ScoreOf::First,
            None => ScoreOf::Mover,
        },
    };
    let tree = count(&mut games, &target, options, &mut watcher)
        .map_err(|error| watcher.failure(&error))?;
    if tree.is_cancelled {
        return Err(Failure::Interrupted);
    }
    tell!("{}", watcher.sources.finish()?);
    show(arguments, tree.report(&target, arguments.min_games))?;
    if arguments.score_of.is_some() {
        tell_unknown_player(arguments, &tree);
    }
    tell_omitted(tree.omitted(), &found.inputs);
    tell!("{}", watcher.summary());
    let is_complete = watcher.is_complete() && tree.omitted().skipped == 0;
    if is_complete && !chosen.has_failed { Ok(()) } else { Err(Failure::Reported) }
}

/// Report with whole continuations in place of moves, as written in JSON.
#[derive(Serialize)]
struct LinesReport<'r> {
    #[serde(flatten)]
    report: &'r TreeReport,
    lines: &'r [Line],
}

/// Prints the report.
fn show(arguments: &TreeArgs, mut report: TreeReport) -> Result<(), Failure> {
    let top = arguments.top.map_or(usize::MAX, |n| n as usize);
    let mut lines = if arguments.lines { report.lines() } else { Vec::new() };
    if arguments.lines {
        report.moves.clear();
        arguments.order.arrange_lines(&mut lines, top);
    } else {
        arguments.order.arrange(&mut report.moves, top);
    }
    let width = terminal::width();
    let shown = match (arguments.reading.json, arguments.csv, arguments.lines) {
        (true, _, true) => {
            let report = LinesReport { report: &report, lines: &lines };
            return text::print(text::json(&report)?.as_bytes());
        }
        (true, _, false) => return text::print(text::json(&report)?.as_bytes()),
        (_, true, true) => return text::print(csv_of_lines(&lines).as_bytes()),
        (_, true, false) => return text::print(csv(&report).as_bytes()),
        (_, _, true) => table_of_lines(&report, &lines, width),
        (_, _, false) => table(&report, width),
    };
    text::show(&terminal::in_width(&shown.head, width))?;
    text::show_table(&shown.rows)?;
    text::show(&terminal::in_width(&shown.note, width))
}

/// Reports the games that are not counted, or only by an assumption.
fn tell_omitted(Omitted { assumed, other_rules, skipped }: Omitted, inputs: &Inputs) {
    tell!("{}", crate::report::assumed(assumed));
    let n_games = |n: u64| match n {
        1 => "1 game is".to_owned(),
        n => format!("{n} games are"),
    };
    if other_rules > 0 {
        tell_line!("{} not counted because of other rules", n_games(other_rules));
    }
    if skipped > 0 {
        let text = format!("{} skipped as unreadable; `cql doctor` shows why", n_games(skipped));
        tell_line!("{}", games::advised(&text, inputs));
    }
}

/// Reports a player who takes part in no game with the position.
fn tell_unknown_player(arguments: &TreeArgs, tree: &Tree) {
    if let Some(name) = arguments.score_of.as_ref().filter(|_| !tree.has_scores()) {
        tell_line!(
            "no game with the position and a result has a player whose name contains {name}"
        );
    }
}

/// Reads a date: a year, and perhaps a month and a day.
pub(super) fn date(text: &str) -> Result<Date, String> {
    let wrong = || format!("'{text}' is no date: write 2020, 2020-06 or 2020-06-15");
    let parts = text.split(['-', '.']).map(|part| part.parse::<u16>().ok());
    let parts: Vec<u16> = parts.collect::<Option<_>>().ok_or_else(wrong)?;
    let (year, rest) = parts.split_first().ok_or_else(wrong)?;
    let of = |at: usize, most: u8| match rest.get(at) {
        None => Ok(0),
        Some(&n) => u8::try_from(n).ok().filter(|n| (1..=most).contains(n)).ok_or_else(wrong),
    };
    let date = Date { year: *year, month: of(0, 12)?, day: of(1, 31)? };
    // A missing part is 0.
    let exists = Day::new(date.year, date.month.max(1), date.day.max(1)).is_some();
    if !exists || date.year > 2047 || rest.len() > 2 {
        return Err(wrong());
    }
    Ok(date)
}

/// Separates the games from the text of the position, which starts at the first word that looks
/// like one and is not a file.
fn split(words: &[PathBuf]) -> (Vec<PathBuf>, String) {
    let is_position = |word: &PathBuf| {
        let text = word.to_str().filter(|_| !word.exists());
        text.is_some_and(|text| {
            looks_like_position(text) || names_opening(text) || CodeRange::parse(text).is_some()
        })
    };
    let rest = words.get(1..).unwrap_or_default();
    let n_games = 1 + rest.iter().position(is_position).unwrap_or(rest.len());
    let (games, position) = words.split_at(n_games.min(words.len()));
    let position: Vec<_> = position.iter().map(|word| word.to_string_lossy()).collect();
    (games.to_vec(), position.join(" "))
}

/// Refuses a word that is neither a file nor a likely file name: it was meant as the position.
fn refuse_words(games: &[PathBuf]) -> Result<(), Failure> {
    let is_word = |name: &&PathBuf| {
        let text = name.to_str().unwrap_or_default();
        let is_plain = text.bytes().all(|b| b.is_ascii_alphanumeric() || b" '-:,".contains(&b));
        !text.is_empty() && text != "-" && is_plain && !name.exists()
    };
    // The first word is surely meant as games.
    let Some(word) = games.iter().skip(1).find(is_word) else {
        return Ok(());
    };
    let word = word.to_string_lossy();
    let near = match Openings::default().nearest(&word) {
        Some(name) => format!("; did you mean '{name}'?"),
        None => String::new(),
    };
    Err(Failure::Message(format!(
        "{word} is neither a file nor a position: give a position after the games, as moves \
         (1.e4 c5), the name of an opening, or a FEN{near}"
    )))
}

/// Whether a word is a part of the name of an opening.
fn names_opening(word: &str) -> bool {
    word.chars().count() > 2 && !Openings::default().called(word).is_empty()
}

/// Whether a word looks like a position or a part of one: a FEN, a move or a move number.
fn looks_like_position(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    let is_fen = first.split('/').count() == 8 && looks_like_fen(first);
    let is_move = || {
        let digits = first.bytes().take_while(u8::is_ascii_digit).count();
        let rest = first[digits..].trim_start_matches(['.', '…']);
        let is_number = digits > 0 && rest.len() < first.len() - digits;
        let mv = if is_number { rest } else { first };
        let of_move = |byte: u8| b"abcdefgh12345678KQRBNOo0x-=+#!?nqr".contains(&byte);
        let is_plain = mv.bytes().all(of_move) && (2..=9).contains(&mv.len());
        let is_castling = ["O-O", "o-o", "0-0"].iter().any(|side| mv.starts_with(side));
        let has = |kind: fn(&u8) -> bool| mv.bytes().any(|byte| kind(&byte));
        let has_square = has(u8::is_ascii_digit) && has(u8::is_ascii_lowercase);
        is_number && mv.is_empty() || is_plain && (is_castling || has_square)
    };
    is_fen || is_move()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_looks_like_a_position_ends_the_games() {
        let check = |line: &str, games: usize, position: &str| {
            let words: Vec<PathBuf> = line.split_whitespace().map(PathBuf::from).collect();
            let (found, text) = split(&words);
            assert_eq!((found.len(), &*text), (games, position), "{line}");
        };
        check("a.pgn", 1, "");
        check("a.pgn 1.e4", 1, "1.e4");
        check("a.pgn b.cqa - e4 c5", 3, "e4 c5");
        check("e4 e5", 1, "e5");
        check("a.pgn 1. e4", 1, "1. e4");
        check("a.pgn O-O", 1, "O-O");
        check("a.pgn games abc 12", 4, "");
        check("a.pgn ./e4", 2, "");
        check("a.pgn King's Indian", 1, "King's Indian");
        check("a.pgn Najdorff", 2, "");
        check("a.pgn St. George Defense", 1, "St. George Defense");
        check(
            "a.pgn rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            1,
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        );
    }
}

//! `cql sheet PUZZLES -o sheet.html`: prints diagrams of exercises, with the solutions at the end.
//!
//! The threads of the search read the exercises of each game (`survey::puzzle`), and this thread
//! lays all of them out (`table::Sheet`).

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use engine::GameRow;
use serde::Serialize;
use survey::puzzle::{FoundWriter, Handouts, Matched};
use table::{Exercise, OutputFormat, PerPage, Sheet, counted};

use super::exercises::GamesOfExercises;
use super::reading::ReadingArgs;
use super::text;
use crate::args::{ChoiceArgs, is_query_file};
use crate::failure::{Failure, context, wrong_argument};
use crate::interrupt;
use crate::output::{
    NewFile, Originals, ProgressDisplay, Replace, Rules, put_together, refuse_name, tell_replaced,
};
use crate::programs::ProgramArgs;
use crate::report::ReportStyle;

/// Print diagrams of exercises, with the solutions at the end
///
/// For example: cql sheet exercises.pgn -o handout.html
///
/// Exercises are games that begin with a position, such as those of `cql puzzles`, tables of
/// Lichess, and positions in EPD. With a query, they are the positions of games that match, with
/// the next moves of the game as solution. A page fits on A4 and on letter paper.
#[derive(clap::Args)]
pub(super) struct SheetArgs {
    /// Exercises or games, and a query file if you like
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the sheet to this file: .html, .typ or .svg; or a picture of each board to a directory
    ///
    /// Pages in SVG are numbered if there are several: sheet-1.svg. A directory exists or ends with
    /// a slash.
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Set the number of diagrams on a page
    #[arg(long, value_enum, value_name = "N", default_value_t)]
    per_page: Many,
    /// Set the title
    #[arg(long, default_value = "Exercises")]
    title: String,
    /// Show the themes and the difficulty below each diagram
    #[arg(long)]
    hints: bool,
    /// Show the boards from the side to move
    #[arg(long)]
    flip: bool,
    /// Take N moves of the game as solution of a match
    #[arg(long, value_name = "N", default_value_t = 3,
        value_parser = clap::value_parser!(u8).range(1..=20))]
    moves: u8,
    /// Begin N half-moves before a match
    ///
    /// Without it, exercises begin at the match; at a theme, such as theme("fork"), before its first
    /// move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=40))]
    before: Option<u8>,
    /// Stop after N exercises
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Replace OUT whatever it holds
    #[arg(long)]
    force: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    look: ReportStyle,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Number of diagrams on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, ValueEnum)]
enum Many {
    /// Two columns of three
    #[default]
    #[value(name = "6")]
    Six,
    /// Three columns of four
    #[value(name = "12")]
    Twelve,
}

/// Form of the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum SheetFormat {
    Html,
    Typst,
    Svg,
    /// A picture of each board.
    Boards,
}

impl SheetFormat {
    /// Whether the sheet is one file. The names of several depend on their number.
    fn is_one_file(self) -> bool {
        matches!(self, SheetFormat::Html | SheetFormat::Typst)
    }

    /// Returns the format, if searches write it.
    fn format(self) -> Option<OutputFormat> {
        matches!(self, SheetFormat::Html).then_some(OutputFormat::Html)
    }
}

/// Largest number of diagrams: a sheet is laid out in memory.
const MOST: usize = 10_000;

/// Counts of a run.
#[derive(Default, Serialize)]
struct SheetReport {
    exercises: usize,
    without_solution: usize,
    games_without_position: u64,
    games_of_other_rules: u64,
    positions_in_variations: u64,
    before_the_match: u64,
    without_variations: u64,
    files: Vec<String>,
}

/// Lays the exercises out and writes the sheet.
pub(super) fn run(arguments: &SheetArgs) -> Result<(), Failure> {
    interrupt::listen();
    let form = form_of(&arguments.output)?;
    let given = ChoiceArgs { look: arguments.look, ..arguments.choice.clone() };
    let has_positions = arguments.has_positions(&given);
    if arguments.before.is_some() && !has_positions {
        let message = "--before counts from a match: choose positions with a query (--cql)";
        return Err(wrong_argument(message));
    }
    let names = (arguments.games.as_slice(), arguments.output.as_path());
    let reading = &arguments.reading;
    // A query of this kind may ask no other programs.
    let games = GamesOfExercises::new(given, &ProgramArgs::default(), reading, false, names)?;
    let originals = games.originals();
    if form.is_one_file() {
        // Refused before the search if it cannot be written.
        create(&arguments.output, form.format(), None, &originals, arguments.force)?;
    }
    let start = games.start.clone().before(arguments.before);
    let matched = has_positions.then_some(Matched { moves: arguments.moves, start });
    let writer = move || {
        let matched = matched.clone();
        FoundWriter(move |row: &GameRow| Handouts::new(row, matched.as_ref()))
    };
    let mut collector =
        Collector { arguments, exercises: Vec::new(), report: SheetReport::default() };
    let each = &mut |handouts: &[u8]| collector.add(handouts);
    let is_sound = games.search(reading, arguments.progress, None, writer, each)?;
    let report = collector.write(form, &originals)?;
    report.show(arguments)?;
    if is_sound { Ok(()) } else { Err(Failure::Reported) }
}

impl SheetArgs {
    /// Whether a query chooses positions, and not only games.
    fn has_positions(&self, given: &ChoiceArgs) -> bool {
        let filters = given.options.iter().flat_map(|options| &options.preamble);
        let mut options = filters.map(|filter| filter.option.trim_start_matches('-'));
        options.any(|option| ["cql", "query", "fen"].contains(&option))
            || self.games.iter().any(|name| is_query_file(name.as_os_str()))
    }
}

/// Returns the form that a sheet gets by its name.
fn form_of(target: &Path) -> Result<SheetFormat, Failure> {
    let name = target.as_os_str().to_string_lossy();
    if target.is_dir() || name.ends_with('/') || name.ends_with(std::path::MAIN_SEPARATOR) {
        return Ok(SheetFormat::Boards);
    }
    let extension = target.extension().map(|text| text.to_ascii_lowercase());
    match extension.as_deref().and_then(std::ffi::OsStr::to_str) {
        Some("html" | "htm") => Ok(SheetFormat::Html),
        Some("typ") => Ok(SheetFormat::Typst),
        Some("svg") => Ok(SheetFormat::Svg),
        _ => Err(wrong_argument(format_args!(
            "the name of {} does not tell the form of the sheet: end it with .html, .typ or .svg, \
             or with / for a directory of boards{}",
            target.display(),
            if extension.as_deref().is_some_and(|extension| extension == "pdf") {
                "; a browser prints the .html as PDF"
            } else {
                ""
            }
        ))),
    }
}

/// Collects the exercises.
struct Collector<'a> {
    arguments: &'a SheetArgs,
    exercises: Vec<Exercise>,
    report: SheetReport,
}

impl Collector<'_> {
    /// Adds the exercises of a game. `Break` says that there are enough.
    fn add(&mut self, handouts: &[u8]) -> io::Result<ControlFlow<()>> {
        let handouts: Handouts = serde_json::from_slice(handouts).map_err(io::Error::other)?;
        self.report.games_without_position += handouts.n_without_position;
        self.report.games_of_other_rules += handouts.n_other_rules;
        self.report.positions_in_variations += handouts.n_in_variations;
        self.report.before_the_match += handouts.n_before;
        self.report.without_variations += handouts.n_without_variations;
        for handout in handouts.exercises {
            if self.exercises.len() == MOST {
                return Err(io::Error::other(format!(
                    "a sheet has at most {MOST} exercises: choose some with --limit or a query"
                )));
            }
            self.exercises.extend(handout.exercise(self.arguments.hints));
            if self.arguments.limit == Some(self.exercises.len() as u64) {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Writes the sheet.
    fn write(mut self, form: SheetFormat, read: &Originals) -> Result<SheetReport, Failure> {
        let arguments = self.arguments;
        self.report.exercises = self.exercises.len();
        let unsolved = self.exercises.iter().filter(|exercise| exercise.solution.is_empty());
        self.report.without_solution = unsolved.count();
        if self.exercises.is_empty() {
            self.report.show(arguments)?;
            return Err(Failure::Message("there is nothing to print".to_owned()));
        }
        let sheet = Sheet {
            title: &arguments.title,
            exercises: &self.exercises,
            per_page: match arguments.per_page {
                Many::Six => PerPage::Six,
                Many::Twelve => PerPage::Twelve,
            },
            flip: arguments.flip,
        };
        let target = arguments.output.as_path();
        let files = match form {
            SheetFormat::Html => vec![(target.to_owned(), sheet.html())],
            SheetFormat::Typst => vec![(target.to_owned(), sheet.typst())],
            SheetFormat::Svg => numbered(target, sheet.pictures()),
            SheetFormat::Boards => {
                let boards = numbered(Path::new("board.svg"), sheet.diagrams());
                boards.into_iter().map(|(name, board)| (target.join(name), board)).collect()
            }
        };
        write_all(&files, form.format(), read, arguments.force)?;
        self.report.files = files.iter().map(|(name, _)| name.display().to_string()).collect();
        Ok(self.report)
    }
}

/// Returns texts with the names of their files, numbered if there are several: `sheet-01.svg`.
pub(super) fn numbered(target: &Path, texts: Vec<String>) -> Vec<(PathBuf, String)> {
    let n_digits = texts.len().to_string().len();
    let is_one = texts.len() == 1;
    let name = |number: usize| {
        let stem = target.file_stem().unwrap_or_default().to_string_lossy();
        target.with_file_name(format!("{stem}-{number:0n_digits$}.svg"))
    };
    let named = texts.into_iter().enumerate();
    named.map(|(at, text)| (if is_one { target.to_owned() } else { name(at + 1) }, text)).collect()
}

/// Writes files of a format, `None` for one that searches do not write: all of them or none. Missing
/// directories are created.
///
/// # Errors
/// A file is one of those that are read, its name is that of another format, it holds something else,
/// or it cannot be written.
pub(super) fn write_all(
    files: &[(PathBuf, String)],
    format: Option<OutputFormat>,
    read: &Originals,
    force: bool,
) -> Result<(), Failure> {
    let mut held = Vec::new();
    for (target, text) in files {
        let failed = |error: io::Error| cannot_write(target, &error);
        // Pages and Typst name the program; only it writes this first line of a picture.
        let first_line = text.lines().next().filter(|line| line.starts_with("<svg "));
        let mut file = create(target, format, first_line, read, force)?;
        tell_replaced(&file, target);
        file.write_all(text.as_bytes()).map_err(failed)?;
        held.push(file.hold().map_err(failed)?);
    }
    put_together(held).map_err(|error| context("cannot write the files", &error))?;
    Ok(())
}

/// Creates a file, and its directory when it is complete.
fn create(
    target: &Path,
    format: Option<OutputFormat>,
    first_line: Option<&str>,
    read: &Originals,
    force: bool,
) -> Result<NewFile, Failure> {
    refuse_name(target, format)?;
    let replace = Replace::results(force, first_line);
    let rules = Rules { make_directories: true, ..Rules::new(replace, read) };
    NewFile::create(target, rules).map_err(|error| cannot_write(target, &error))
}

fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    context(format!("cannot write {}", target.display()), error)
}

impl SheetReport {
    fn show(&self, arguments: &SheetArgs) -> Result<(), Failure> {
        if arguments.reading.json {
            return text::print(text::json(self)?.as_bytes());
        }
        let mut said = String::new();
        if let Some(first) = self.files.first() {
            let n = counted(self.exercises as u64, "exercise");
            said += &match self.files.len() {
                1 => format!("{n} written to {first}\n"),
                files => format!("{n} written to {files} files, {first} and following\n"),
            };
        }
        let mut add = |n: u64, what: &str, why: &str| {
            if n > 0 {
                said += &format!("{} {why}\n", counted(n, what));
            }
        };
        add(self.without_solution as u64, "exercise", "without a known solution");
        add(
            self.games_without_position,
            "game",
            "left out: from the normal start, where a query must choose positions (--cql)",
        );
        add(self.before_the_match, "exercise", "begun before the match");
        add(self.without_variations, "exercise", "without the variations of the game");
        add(self.games_of_other_rules, "game", "left out: other rules than those of chess");
        add(self.positions_in_variations, "position", "left out: in variations");
        text::show(&said)
    }
}

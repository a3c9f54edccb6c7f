//! `cql puzzles GAMES… [QUERY]`: writes positions of games as exercises with their solutions.
//!
//! The threads of the search look for exercises in the matching games (`survey::puzzle`), and pass
//! them on in place of the text of the game. The main thread leaves out positions that it already
//! has, and writes the others.

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex};

use engine::{EngineAnswer, EngineLimit, EngineValue, GameRow};
use serde::Serialize;
use survey::puzzle::{
    Analyst, Collector, Counts, ExerciseFormat, FoundWriter, LONGEST_MATE, PuzzleFinder,
    PuzzleOptions, Rejection, ThemeFinder, exercise_theme, exercise_themes, longest_mate,
};
use table::{OutputFormat, counted};

use super::exercises::GamesOfExercises;
use super::reading::ReadingArgs;
use super::text;
use crate::args::ChoiceArgs;
use crate::failure::{Failure, context, wrong_argument};
use crate::interrupt;
use crate::output::{self, ProgressDisplay, one_of};
use crate::programs::{EngineLimitArgs, EngineOfWorker, ProgramArgs, SharedEngine};
use crate::report::ReportStyle;
use crate::terminal::lock;

/// Make exercises of positions with one solution
///
/// For example: cql puzzles games.pgn -o exercises.pgn
///
/// Without an engine, these are mates that are proved by trying all moves, and mistakes that the
/// next move punishes by the [%eval] comments of the game. With -engine, the best move must be
/// better than the second one by --margin. A query restricts the positions; the side to move there
/// is the one that solves. Solutions come with their themes and an estimate of the difficulty.
#[derive(clap::Args)]
pub(super) struct PuzzlesArgs {
    /// Games, and a query file if you like
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the exercises to this new file
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Set the format [default: by the name of OUT]
    #[arg(long, value_parser = one_of(ExerciseFormat::ALL.to_vec()))]
    format: Option<ExerciseFormat>,
    /// Take only positions after a mistake by the [%eval] comments
    #[arg(long)]
    from_eval: bool,
    /// Look for mates in up to N moves; 0 for none; for mates in 2 alone, use --theme mateIn2
    #[arg(long, value_name = "N", default_value_t = 3,
        value_parser = clap::value_parser!(u8).range(0..=i64::from(LONGEST_MATE)))]
    mate: u8,
    /// Set by how much the best move is better, and the size of a mistake
    #[arg(long, value_name = "PAWNS", default_value = "2", value_parser = centipawns)]
    margin: i32,
    /// Take only exercises that show this theme, such as fork or mateIn2, or one of several
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = exercise_theme,
        long_help = themes_help())]
    theme: Vec<String>,
    /// Stop after N exercises
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    #[command(flatten)]
    engine_limit: EngineLimitArgs,
    /// Replace OUT whatever it holds
    #[arg(long)]
    force: bool,
    /// Search the text even if there is an archive of the games
    #[arg(long)]
    no_index: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    look: ReportStyle,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Returns the format that a file gets by its name.
fn format_of(target: &Path) -> Result<ExerciseFormat, Failure> {
    match OutputFormat::of_name(target) {
        Some(OutputFormat::Pgn) => Ok(ExerciseFormat::Pgn),
        Some(OutputFormat::Epd) => Ok(ExerciseFormat::Epd),
        Some(OutputFormat::Csv) => Ok(ExerciseFormat::Csv),
        _ => Err(wrong_argument(format_args!(
            "the name of {} does not tell the format: end it with .pgn, .epd or .csv, or use \
             --format pgn, epd, csv or anki",
            target.display()
        ))),
    }
}

/// Returns the format whose extension files of exercises have.
fn file_format(format: ExerciseFormat) -> OutputFormat {
    match format {
        ExerciseFormat::Pgn => OutputFormat::Pgn,
        ExerciseFormat::Epd => OutputFormat::Epd,
        ExerciseFormat::Csv | ExerciseFormat::Anki => OutputFormat::Csv,
    }
}

/// Greatest margin, in pawns: more than any score.
const MOST_PAWNS: f64 = 20.0;

fn centipawns(text: &str) -> Result<i32, String> {
    match text.parse::<f64>() {
        Ok(pawns) if (0.1..=MOST_PAWNS).contains(&pawns) => Ok((pawns * 100.0).round() as i32),
        _ => Err(format!("expected a number of pawns from 0.1 to {MOST_PAWNS}, not '{text}'")),
    }
}

/// Returns the help on `--theme`, with all names.
fn themes_help() -> &'static str {
    static HELP: LazyLock<String> = LazyLock::new(|| {
        let names: Vec<String> = exercise_themes().collect();
        format!(
            "Take only exercises that show a theme; can be repeated\n\nThe themes are {}.",
            names.join(", ")
        )
    });
    &HELP
}

/// Bytes of games that are read at once if an engine is asked, which takes its time.
const CHUNK: usize = 16 << 10;

/// Engine that compares the moves of a position.
struct Comparing {
    engine: EngineOfWorker,
    limit: EngineLimit,
}

impl fmt::Debug for Comparing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparing").field("limit", &self.limit).finish_non_exhaustive()
    }
}

impl Analyst for Comparing {
    fn lines(&mut self, fen: &str) -> Option<Vec<EngineAnswer>> {
        self.engine.lines(fen, self.limit, 2)
    }
}

/// Counts of a run.
#[derive(Serialize)]
struct PuzzleReport {
    #[serde(flatten)]
    counts: Counts,
    output: String,
}

/// Looks for exercises and writes them.
pub(super) fn run(arguments: &PuzzlesArgs) -> Result<(), Failure> {
    interrupt::listen();
    let target = arguments.output.as_path();
    let format = arguments.format.map_or_else(|| format_of(target), Ok)?;
    let given = ChoiceArgs { look: arguments.look, ..arguments.choice.clone() };
    let names = (arguments.games.as_slice(), target);
    let (reading, programs) = (&arguments.reading, &arguments.programs);
    let games = GamesOfExercises::new(given, programs, reading, arguments.no_index, names)?;
    let mut read = games.originals();
    programs.add_store(&mut read);
    let head = format.head();
    let mut out = output::create_like(
        target,
        Some(file_format(format)),
        head.lines().next(),
        &read,
        arguments.force,
    )?;
    let finder = arguments.finder()?;
    programs.refuse_store(target)?;
    let start = games.start.clone();
    let writer = move || {
        let mut finder = finder().starting(start.clone());
        FoundWriter(move |row: &GameRow| finder.find(row))
    };
    let chunk_bytes = programs.engine.as_ref().map(|_| CHUNK);
    let cannot_write =
        |error: &io::Error| context(format!("cannot write {}", target.display()), error);
    out.write_all(head.as_bytes()).map_err(|error| cannot_write(&error))?;
    let mut collector = Collector::new(format, arguments.theme.clone(), arguments.limit);
    // An error of a write ends the search.
    let mut unwritten = None;
    let each = &mut |found: &[u8]| {
        collector.add(found, &mut |_, text| {
            out.write_all(text.as_bytes()).map_err(|error| {
                let kind = error.kind();
                unwritten = Some(error);
                kind.into()
            })
        })
    };
    let searched = games.search(reading, arguments.progress, chunk_bytes, writer, each);
    if let Some(error) = unwritten {
        return Err(cannot_write(&error));
    }
    let is_sound = searched?;
    out.finish().map_err(|error| cannot_write(&error))?;
    let report = PuzzleReport { counts: collector.finish(), output: target.display().to_string() };
    report.show(arguments)?;
    let is_answered = !report.counts.refused.contains_key(Rejection::Unanswered.reason());
    if is_sound && is_answered { Ok(()) } else { Err(Failure::Reported) }
}

impl PuzzlesArgs {
    /// Returns a function that creates the finder of a thread.
    fn finder(&self) -> Result<impl Fn() -> PuzzleFinder + Send + Sync + 'static, Failure> {
        let mate = self.mate.max(longest_mate(&self.theme));
        let options = PuzzleOptions { mate, margin: self.margin, only_mistakes: self.from_eval };
        let engine = match (&self.programs.engine, self.engine_limit.is_given()) {
            (None, false) => None,
            (None, true) => {
                let message = "--depth, --nodes and --time are limits of an engine: name one with \
                               -engine COMMAND";
                return Err(wrong_argument(message));
            }
            (Some(_), _) => {
                let limit = self.engine_limit.get(&self.programs)?;
                let store = self.programs.engine_store.as_deref();
                let shared = SharedEngine::start(&self.programs, store, 2, EngineValue::Score)?;
                Some((Arc::new(Mutex::new(shared)), limit))
            }
        };
        let themes = ThemeFinder::new();
        Ok(move || {
            let analyst = engine.as_ref().map(|(shared, limit)| {
                let engine = lock(shared).of_worker();
                Box::new(Comparing { engine, limit: *limit }) as Box<dyn Analyst>
            });
            PuzzleFinder::new(options, themes.clone(), analyst)
        })
    }
}

impl PuzzleReport {
    fn show(&self, arguments: &PuzzlesArgs) -> Result<(), Failure> {
        if arguments.reading.json {
            return text::print(text::json(self)?.as_bytes());
        }
        let counts = &self.counts;
        let mut said =
            format!("{} written to {}", counted(counts.exercises, "exercise"), self.output);
        let kinds = [
            (counts.mates, "with a proved mate"),
            (counts.by_engine, "by the engine"),
            (counts.by_evaluations, "by the evaluations of the games"),
        ];
        let kinds = kinds.iter().filter(|kind| kind.0 > 0);
        let kinds: Vec<String> = kinds.map(|(n, what)| format!("{n} {what}")).collect();
        if !kinds.is_empty() {
            said += &format!(": {}", kinds.join(", "));
        }
        let refused: u64 = counts.refused.values().sum();
        said += &format!(
            "\n{} examined, {} refused{}\n",
            counted(counts.positions, "position"),
            counted(refused, "candidate"),
            if refused == 0 { "" } else { ":" }
        );
        for (why, n) in &counts.refused {
            said += &format!("{n:>8}  {why}\n");
        }
        if counts.not_in_format > 0 {
            said += &format!(
                "{} left out: at the start of a game, there is no move before it, which the table \
                 of Lichess needs\n",
                counted(counts.not_in_format, "exercise")
            );
        }
        if counts.exercises == 0 && refused == 0 && arguments.from_eval {
            said += "no position comes after a mistake by [%eval] comments: `cql annotate` writes \
                     these into games\n";
        }
        text::show(&said)
    }
}

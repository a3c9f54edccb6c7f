//! `cql annotate GAMES…`: writes the evaluations of an engine into games.
//!
//! One thread reads the games and writes them in their order; the threads of a [`Crew`] ask the
//! engine about positions. The answers are kept in a store, so that a run that was stopped goes on
//! from there, and the new file appears when it is complete.

mod crew;
mod kept;
mod questions;

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use babson::ScanPlan;
use flow::{Output, RunOptions};
use input::Meter;
use pgn::command::Evaluation;
use serde::Serialize;
use table::OutputFormat;

use super::choosing::{Choice, chosen};
use super::counting::Watcher;
use super::reading::{Aliases, ReadingArgs};
use super::text;
use crate::args::ChoiceArgs;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{self, NewFile, ProgressDisplay};
use crate::programs::{EngineLimitArgs, ProgramArgs, SharedEngine};
use crate::report::ReportStyle;
use crate::visible::visible_name;
use crew::{Crew, Finished, with_crew};
use kept::{KeptText, KeptTexts};
use questions::{AskedGame, AskedGames, Reader, Wanted};

/// Write the evaluations of an engine into games
///
/// Every position of the main line gets a comment such as [%eval 0.17], from White's side, which
/// `eval` and `evalmate` read without an engine. Everything else is copied byte for byte.
/// Evaluations that a game has are kept. The answers of the engine are stored in OUT.pgn.answers,
/// or in the file of --enginestore: a run that was stopped goes on from there.
#[derive(clap::Args)]
pub(super) struct AnnotateArgs {
    /// Games: files, directories, patterns, or - for standard input
    #[arg(required = true, value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write the games to this new file
    #[arg(short, long, value_name = "OUT.pgn", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    #[command(flatten)]
    limit: EngineLimitArgs,
    /// Evaluate the positions of variations, too
    #[arg(long)]
    variations: bool,
    /// Replace the evaluations that the games have
    #[arg(long)]
    again: bool,
    /// Replace OUT.pgn whatever it holds
    ///
    /// Without this option, only a file with games or an earlier result is replaced.
    #[arg(long)]
    force: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    aliases: Aliases,
    #[command(flatten)]
    look: ReportStyle,
    #[command(flatten)]
    choice: ChoiceArgs,
}

/// Bytes of games that are read at once: few, since the engine takes its time for each of them.
const CHUNK: usize = 16 << 10;

/// Totals of a run.
#[derive(Default, Serialize)]
struct Totals {
    /// Number of games that were written.
    games: u64,
    /// Number of evaluations that were added.
    evaluations: u64,
    /// Number of evaluations that the games had and that were kept.
    kept: u64,
    /// Number of positions for which the engine has no value.
    without_value: u64,
    /// Number of games that were copied because the engine does not know their rules.
    variants: u64,
    /// Number of games that were copied because evaluations would change how they are read.
    without_place: u64,
    /// Number of games that could not be read, and were copied if all games were wanted.
    skipped: u64,
    #[serde(skip)]
    copies_all: bool,
    output: String,
}

/// Asks the engine about all positions, and writes the games.
pub(super) fn run(arguments: &AnnotateArgs) -> Result<(), Failure> {
    interrupt::listen();
    let limit = arguments.limit.get(&arguments.programs)?;
    let target = arguments.output.as_path();
    let mut names = arguments.games.clone();
    let choice = arguments.choice(&mut names)?;
    let mut inputs = games::find(&names, arguments.reading.how()?, Some(target))?;
    if let Some(missing) = inputs.missing() {
        return Err(Failure::Message(missing.to_string()));
    }
    if choice.is_some() {
        games::keep(&mut inputs)?;
    }
    let inputs = inputs;
    let out =
        output::create(target, Some(OutputFormat::Pgn), &inputs.originals(), arguments.force)?;
    let own_store = own_store(target);
    let store = arguments.programs.engine_store.as_deref().unwrap_or(&own_store);
    let shared =
        SharedEngine::start(&arguments.programs, Some(store), 1, engine::EngineValue::Score)?;
    arguments.programs.refuse_store(target)?;
    let choice = choice.map(|choice| choice.with_programs(&arguments.programs)).transpose()?;
    let n_known = shared.n_known();
    if n_known > 0 {
        let name = store.display().to_string();
        tell_line!("{} has {n_known} answers of an earlier run", visible_name(&name));
    }
    let wanted = Wanted {
        variations: arguments.variations,
        again: arguments.again,
        variants: arguments.aliases.variants()?,
    };
    let n_threads = arguments.reading.threads();
    let plan = ScanPlan { inputs: &inputs, groups: &[] };
    let chosen = chosen(choice.as_ref(), &plan, n_threads, arguments.progress)?;
    let mut watcher = Watcher::new(&inputs, arguments.progress);
    watcher.start();
    let copies_all = chosen.games.is_none();
    let written = with_crew(&shared, n_threads, limit, |crew| {
        let options = RunOptions {
            chunk_bytes: CHUNK,
            size: inputs.size(),
            chosen: chosen.games,
            ..RunOptions::new(interrupt::cancel().clone())
        };
        let kept = KeptTexts::default();
        let mut pass = Pass {
            crew,
            kept: kept.clone(),
            source: None,
            out,
            target,
            n_added: 0,
            meter: inputs.meter(),
            n_bytes_read: 0,
            totals: Totals {
                output: target.display().to_string(),
                copies_all,
                skipped: chosen.n_skipped,
                ..Totals::default()
            },
            watcher: &mut watcher,
            is_ended: false,
            failure: None,
        };
        let sources = inputs.sources();
        // The text between games is copied only with all of them.
        let sources = if copies_all { kept.keep(sources) } else { sources };
        let ran =
            flow::run(sources, &options, || Reader::new(&wanted), &mut |chunk| pass.take(chunk));
        pass.finish(ran.map(|_| ()), store)
    });
    watcher.stop();
    let (out, totals) = written?;
    let said = watcher.sources.finish()? + &watcher.sources.summary();
    watcher.refuse_nothing()?;
    tell!("{said}");
    if !watcher.is_sound() {
        let message = "some games could not be read";
        return Err(Failure::Message(format!("{message}; {}", unwritten(target, store))));
    }
    out.finish().map_err(|error| cannot_write(target, &error))?;
    if store == own_store {
        // Its answers are in the games now.
        let _ = fs::remove_file(store);
    }
    totals.show(arguments.reading.json)?;
    // An engine that failed and was started again has answered everything.
    if chosen.has_failed { Err(Failure::Reported) } else { Ok(()) }
}

fn cannot_write(target: &Path, error: &io::Error) -> Failure {
    context(format!("cannot write {}", target.display()), error)
}

/// Returns the end of a message about a run that cannot be completed.
fn unwritten(target: &Path, store: &Path) -> String {
    let (target, store) = (target.display(), store.display());
    format!("{target} is not written, and the answers so far are kept in {store}")
}

/// Returns the store of a run without `--enginestore`.
fn own_store(target: &Path) -> PathBuf {
    let mut name = target.as_os_str().to_owned();
    name.push(".answers");
    PathBuf::from(name)
}

impl AnnotateArgs {
    /// Returns the choice of the games to write. Removes its query file from the names.
    fn choice(&self, names: &mut Vec<PathBuf>) -> Result<Option<Choice>, Failure> {
        let given = ChoiceArgs { look: self.look, ..self.choice.clone() };
        Choice::new(&given, self.reading.limits()?.query, names)
    }
}

/// Reads games, and writes those whose positions are evaluated.
struct Pass<'p, 'g> {
    crew: Crew,
    kept: KeptTexts,
    /// Name of the source that is read, and its text between games.
    source: Option<(Arc<str>, Option<KeptText>)>,
    out: NewFile,
    target: &'p Path,
    /// Number of games that were passed to the crew.
    n_added: u64,
    meter: Meter,
    /// State of the meter up to the last game that was added.
    n_bytes_read: u64,
    totals: Totals,
    watcher: &'p mut Watcher<'g>,
    /// Whether the pass ended the reading of games.
    is_ended: bool,
    failure: Option<Failure>,
}

impl Pass<'_, '_> {
    /// Passes the games of a chunk to the crew, and writes those that are finished.
    fn take(&mut self, mut chunk: Output<AskedGames>) -> io::Result<()> {
        let AskedGames { games, n_skipped } = std::mem::take(&mut chunk.results);
        self.watcher.tell(&chunk, &chunk.faults);
        let n_new = chunk.n_games - games.len() as u64;
        self.watcher.advance(n_new, self.n_bytes_read);
        self.totals.skipped += n_skipped;
        let name = &chunk.origin.name;
        if self.source.as_ref().is_none_or(|source| !Arc::ptr_eq(&source.0, name)) {
            let is_first = self.source.is_none();
            self.end_source(!is_first);
            self.source = Some((Arc::clone(name), self.kept.next(name)));
        }
        // Each game counts its share of the bytes that were read with the chunk.
        let (start, end) = (self.n_bytes_read, self.meter.read());
        let total: u64 = games.iter().map(|game| game.text.len() as u64).sum();
        let mut passed = 0;
        for game in games {
            passed += game.text.len() as u64;
            let share = (end - start) as f64 * passed as f64 / total.max(1) as f64;
            self.n_bytes_read = start + share as u64;
            self.add(game, name)?;
        }
        self.n_bytes_read = end;
        Ok(())
    }

    /// Adds the text after the last game of a source, and the blank line between it and another
    /// source.
    fn end_source(&mut self, has_next: bool) {
        let Some((name, Some(kept))) = self.source.take() else {
            return;
        };
        let mut text = kept.take_rest();
        if has_next {
            let n_line_ends = text.iter().rev().take_while(|byte| b"\r\n".contains(byte));
            let n_line_ends = n_line_ends.filter(|byte| **byte == b'\n').count();
            text.extend(std::iter::repeat_n(b'\n', 2_usize.saturating_sub(n_line_ends)));
        }
        self.crew.add(AskedGame::nothing(), text, &name, self.n_bytes_read);
    }

    fn add(&mut self, mut game: AskedGame, input: &Arc<str>) -> io::Result<()> {
        let mut before = Vec::new();
        if let Some((_, Some(kept))) = &self.source {
            before = kept.take(game.offset);
            // The text of the game, which the worker has copied.
            kept.take(game.offset + game.text.len() as u64);
            let mark = b"\xef\xbb\xbf";
            if self.n_added > 0 && before.starts_with(mark) {
                before.drain(..mark.len());
            }
        } else {
            game.after = b"\n\n";
        }
        self.n_added += 1;
        self.totals.kept += game.n_kept;
        self.totals.variants += u64::from(game.is_of_variant);
        self.totals.without_place += u64::from(game.has_no_place);
        self.crew.add(game, before, input, self.n_bytes_read);
        self.write_finished()?;
        while self.crew.is_busy() {
            self.wait()?;
        }
        Ok(())
    }

    /// Waits for an answer, and writes the games that are complete with it.
    fn wait(&mut self) -> io::Result<()> {
        if interrupt::cancel().is_cancelled() {
            return Err(self.end_with(Failure::Interrupted));
        }
        if let Err(unanswered) = self.crew.hear() {
            let name = visible_name(&unanswered.input);
            let message = format!(
                "game {} of {name}: the engine has no answer for the position {}",
                unanswered.game, unanswered.fen
            );
            return Err(self.end_with(Failure::Message(message)));
        }
        self.write_finished()
    }

    fn write_finished(&mut self) -> io::Result<()> {
        while let Some(finished) = self.crew.next_finished() {
            self.write(&finished)?;
        }
        Ok(())
    }

    /// Returns the error that ends the reading of games.
    fn end(&mut self) -> io::Error {
        self.is_ended = true;
        io::Error::other("ended")
    }

    fn end_with(&mut self, failure: Failure) -> io::Error {
        self.failure.get_or_insert(failure);
        self.end()
    }

    fn write(&mut self, game: &Finished) -> io::Result<()> {
        let Finished { before, text, after, values, n_bytes_read } = game;
        let n_values = values.iter().filter(|value| value.1.is_some()).count();
        let n_games = u64::from(!text.is_empty());
        self.totals.games += n_games;
        self.totals.evaluations += n_values as u64;
        self.totals.without_value += (values.len() - n_values) as u64;
        let known: Vec<_> =
            (values.iter()).filter_map(|(place, value)| Some((place.clone(), (*value)?))).collect();
        let new = pgn::with_evaluations(text, &known);
        for part in [before, &*new, after] {
            if let Err(error) = self.out.write_all(part) {
                return Err(self.end_with(cannot_write(self.target, &error)));
            }
        }
        self.watcher.advance(n_games, *n_bytes_read);
        Ok(())
    }

    /// Waits for the last answers. Returns the file, which is complete, and the totals.
    fn finish(mut self, ran: io::Result<()>, store: &Path) -> Result<(NewFile, Totals), Failure> {
        if let Err(error) = ran
            && !self.is_ended
        {
            self.end_with(context("cannot read the games", &error));
        }
        self.end_source(false);
        while self.failure.is_none() && !self.crew.is_idle() {
            // The reason of an error is the failure.
            let _ = self.wait();
        }
        if interrupt::cancel().is_cancelled() {
            self.failure = Some(Failure::Interrupted);
        }
        match self.failure {
            None => Ok((self.out, self.totals)),
            Some(Failure::Message(message)) => {
                Err(Failure::Message(format!("{message}; {}", unwritten(self.target, store))))
            }
            Some(failure) => Err(failure),
        }
    }
}

impl Totals {
    fn show(&self, json: bool) -> Result<(), Failure> {
        if json {
            return text::print(text::json(self)?.as_bytes());
        }
        let count = |n: u64, one: &str, several: &str| {
            format!("{n} {}", if n == 1 { one } else { several })
        };
        let mut said = format!(
            "{} with {} written to {}\n",
            count(self.games, "game", "games"),
            count(self.evaluations, "new evaluation", "new evaluations"),
            self.output
        );
        let mut add = |n: u64, one: &str, several: &str, what: &str| {
            if n > 0 {
                said += &format!("{} {what}\n", count(n, one, several));
            }
        };
        add(self.kept, "evaluation", "evaluations", "kept");
        let position = "position without a value of the engine";
        add(
            self.without_value,
            position,
            "positions without a value of the engine",
            "left as it is",
        );
        add(self.variants, "game", "games", "of other variants copied unchanged");
        let reason = "copied unchanged, since comments would change how moves are read";
        add(self.without_place, "game", "games", reason);
        let skipped = if self.copies_all { "copied unchanged" } else { "left out" };
        let skipped = format!("{skipped}, since the moves cannot be found");
        add(self.skipped, "game", "games", &skipped);
        text::show(&said)
    }
}

/// Returns the value of an answer from White's side.
fn of_white(answer: &engine::EngineAnswer, is_white: bool) -> Option<Evaluation> {
    let sign = if is_white { 1 } else { -1 };
    match (answer.mate, answer.score) {
        (Some(mate), _) => Some(Evaluation::Mate(sign * mate)),
        (_, Some(score)) => Some(Evaluation::Centipawns(sign * score)),
        _ => None,
    }
}

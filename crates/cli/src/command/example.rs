//! `cql example GAMES PASSAGE`: makes a query from a passage of a game, and loosens it until it
//! finds enough games.

use std::io;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use babson::{Games, Query, ScanPlan, Search};
use board::{Square, SquareSet};
use engine::{CompileOptions, Program};
use flow::{Output, Results, RunOptions, Worker};
use pgn::{GameTree, RawGame, TagIndex, VariantNames};
use serde::Serialize;
use survey::example::{Example, PassageRange, examples};

use super::counting::Watcher;
use super::reading::ReadingArgs;
use super::text;
use crate::failure::{Failure, context};
use crate::games::{self, tell_unused};
use crate::interrupt;
use crate::output::ProgressDisplay;
use crate::report::{ReportStyle, SourceText};
use crate::search::pass::Context;
use crate::search::sources::SourceFaults;
use crate::visible::visible_name;

/// Make a query from a passage of a game (query by example)
///
/// The query has the pieces that matter where they stand, and the moves as a path. With --loosen,
/// moves are left out and loosened step by step until enough games match.
#[derive(clap::Args)]
pub(super) struct ExampleArgs {
    /// Games with the game of the passage: a file, an archive, or - for standard input
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    file: PathBuf,
    /// Numbers of the moves: 18-24, 18 24, 18, or 18...-24. from Black's move to White's
    passage: PassageRange,
    /// Last move of the passage, if it is an argument of its own
    #[arg(hide = true)]
    last: Option<PassageRange>,
    /// Take the passage from game number N [default: 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    game: Option<u64>,
    /// Name the pieces that matter by their squares at the start, such as a6,e1
    ///
    /// By default, these are the pieces that move or are captured, and kings in check.
    #[arg(long, value_name = "SQUARES", value_parser = squares, default_value = "",
        hide_default_value = true)]
    pieces: SquareSet,
    /// Loosen the query until at least N games match
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    loosen: Option<u64>,
    /// Search these games in place of those of the file; can be repeated
    #[arg(long = "in", value_name = "GAMES", value_hint = clap::ValueHint::AnyPath,
        requires = "loosen")]
    collection: Vec<PathBuf>,
    /// Search the text even if there is an archive of the games
    #[arg(long)]
    no_index: bool,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
    #[command(flatten)]
    reading: ReadingArgs,
    #[command(flatten)]
    look: ReportStyle,
}

fn squares(text: &str) -> Result<SquareSet, String> {
    let mut names = text.split([',', ' ']).filter(|name| !name.is_empty());
    names.try_fold(SquareSet::EMPTY, |all, name| {
        let square = Square::parse(name.as_bytes());
        Ok(all | square.ok_or_else(|| format!("'{name}' is not a square"))?.set())
    })
}

/// Output: the query, and those that were tried before it.
#[derive(Serialize)]
struct ExampleReport {
    query: String,
    steps: Vec<TriedQuery>,
}

/// A query that was tried, with the number of games that it finds.
#[derive(Serialize)]
struct TriedQuery {
    left_out: usize,
    stage: &'static str,
    games: u64,
    query: String,
}

/// Prints the query.
pub(super) fn run(arguments: &ExampleArgs) -> Result<(), Failure> {
    interrupt::listen();
    let how = arguments.reading.how()?;
    let mut found = games::find_with_archives(std::slice::from_ref(&arguments.file), how, None)?;
    if arguments.loosen.is_some() && arguments.collection.is_empty() {
        games::keep(&mut found.inputs)?;
    }
    let game = game(&found, arguments)?;
    let examples = game.examples(arguments)?;
    let Some(wanted) = arguments.loosen else {
        game.programs(&examples[..1.min(examples.len())], arguments)?;
        let query = examples.into_iter().next().map(|example| example.query);
        return arguments
            .show(&ExampleReport { query: query.unwrap_or_default(), steps: Vec::new() });
    };
    let others = match arguments.collection.as_slice() {
        [] => found,
        names => games::find_with_archives(names, how, None)?,
    };
    let only_named = arguments.no_index || how.is_said();
    let groups = games::groups(&others, only_named);
    let plan = ScanPlan { inputs: &others.inputs, groups: &groups };
    let mut counting = Counting { plan, arguments, sources: None, is_complete: true };
    let steps = counting.steps(&game, &examples, wanted)?;
    // Enough games are better than too few, then those that are nearest to the number.
    let rank = |step: &&TriedQuery| (step.games < wanted, step.games.abs_diff(wanted));
    let best = steps.iter().min_by_key(rank);
    if let Some(TriedQuery { games, .. }) = best.filter(|step| step.games < wanted) {
        tell_line!("no query of this passage finds {wanted} games; this one finds {games}");
    }
    let query = best.map(|step| step.query.clone()).unwrap_or_default();
    arguments.show(&ExampleReport { query, steps })?;
    let sources = counting.sources.unwrap_or_default();
    tell!("{}", sources.summary());
    if counting.is_complete { Ok(()) } else { Err(Failure::Reported) }
}

impl ExampleArgs {
    /// Prints the query, or as JSON all that were tried as well.
    fn show(&self, report: &ExampleReport) -> Result<(), Failure> {
        if !self.reading.json {
            return text::show(&report.query);
        }
        text::print(text::json(report)?.as_bytes())
    }
}

/// The game of the passage.
struct Game {
    name: String,
    text: Vec<u8>,
    /// Message for words that are no moves.
    unread: String,
}

impl Game {
    /// Returns the queries of the passage.
    fn examples(&self, arguments: &ExampleArgs) -> Result<Vec<Example>, Failure> {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(&self.text);
        let tags = index.tags(&self.text);
        let variant = VariantNames::default().variant_of(tags);
        let refuse = |why: &dyn std::fmt::Display| context(&self.name, why);
        tree.parse_as(tags, variant);
        if !tree.rules_read(tags, variant).moves_as_chess() {
            return Err(refuse(&survey::example::PassageError::OtherRules));
        }
        if let Some(error) = tree.impossible_start(tags) {
            return Err(refuse(&error));
        }
        let passage = arguments.passage;
        let passage = arguments.last.map_or(passage, |last| passage.through(last));
        let made = examples(&tree, passage, arguments.pieces);
        let made = made.map_err(|error| refuse(&error))?;
        if tree.lacks_words() {
            tell_line!("{}: {}", self.name, self.unread);
        }
        Ok(made)
    }

    /// Compiles queries, each of which must find the game.
    fn programs(
        &self,
        examples: &[Example],
        arguments: &ExampleArgs,
    ) -> Result<Vec<Arc<Program>>, Failure> {
        let limits = arguments.reading.limits()?.query;
        let compile = |example: &Example| {
            let source = SourceText::new("example", &*example.query);
            let options = CompileOptions { limits: limits.clone(), ..CompileOptions::default() };
            let compiled = engine::compile(&source.as_source(), &[], &options);
            let Some(program) = compiled.program else {
                return Err(text::complain(source, &compiled.diagnostics, arguments.look));
            };
            match engine::search(&program, &self.text).next() {
                Some(Ok(_)) => Ok(program),
                Some(Err(fault)) => Err(context(&self.name, &fault.message)),
                None => Err(Failure::Message(format!(
                    "a query does not find the passage it was made of, which is a defect of cql: {}",
                    example.query.split_whitespace().collect::<Vec<_>>().join(" ")
                ))),
            }
        };
        examples.iter().map(compile).collect()
    }
}

/// Keeps the text of the only game that is evaluated.
#[derive(Default)]
struct Keeper(Vec<u8>);

#[derive(Default)]
struct Text(Option<Vec<u8>>);

impl Results for Text {}

impl Worker for Keeper {
    type Results = Text;

    fn game(&mut self, raw: &RawGame<'_>, _: u64, out: &mut Output<Text>) {
        out.results.0 = Some(raw.clean_text(&mut self.0).to_vec());
    }
}

/// Reads the game of the passage.
fn game(games: &Games, arguments: &ExampleArgs) -> Result<Game, Failure> {
    let (inputs, number) = (&games.inputs, arguments.game.unwrap_or(1));
    let is_one_of_several = |out: &Output<Text>| arguments.game.is_none() && out.n_games > 1;
    let options = RunOptions {
        first_game: number,
        last_game: Some(number),
        size: inputs.size(),
        ..RunOptions::new(interrupt::cancel().clone())
    };
    let (mut text, mut last, mut n_games) = (None, None, 0);
    let mut sources = SourceFaults::default();
    let mut sink = |out: Output<Text>| {
        tell!("{}", sources.begin(&out) + &sources.end(&out));
        if n_games == 0 && is_one_of_several(&out) {
            tell_line!("the passage is that of game 1; --game N takes another one");
        }
        n_games += out.n_games;
        // A game may be left out, with a reason.
        let mut faults = out.faults.into_iter();
        last = last.take().or_else(|| faults.find(|fault| fault.number == number));
        text = text.take().or(out.results.0);
        Ok(())
    };
    let ran = flow::run(inputs.sources(), &options, Keeper::default, &mut sink);
    let name = visible_name(inputs.name()).into_owned();
    let summary = ran.map_err(|error| context(format!("reading {name}"), &error))?.0;
    if summary.cancelled {
        return Err(Failure::Interrupted);
    }
    tell!("{}", sources.finish()?);
    match (text, last) {
        (Some(text), _) => {
            let unread = "some words were not read as moves; `cql doctor` shows them";
            let unread = games::advised(unread, inputs);
            Ok(Game { name: format!("game {number} of {name}"), text, unread })
        }
        (None, Some(fault)) => Err(context(format!("game {number} of {name}"), &fault.message)),
        (None, None) if n_games == 0 => {
            Err(Failure::Message(format!("there are no games in {name}")))
        }
        (None, None) => Err(Failure::Message(format!("there is no game {number} in {name}"))),
    }
}

/// Counts the games that queries find.
struct Counting<'a> {
    plan: ScanPlan<'a>,
    arguments: &'a ExampleArgs,
    /// Issues of the first pass; others have the same.
    sources: Option<SourceFaults>,
    /// Whether all games could be searched.
    is_complete: bool,
}

impl Counting<'_> {
    /// Counts the games of the queries, up to those of a cost at which one finds enough. Prints the
    /// counts.
    fn steps(
        &mut self,
        game: &Game,
        examples: &[Example],
        wanted: u64,
    ) -> Result<Vec<TriedQuery>, Failure> {
        let mut steps: Vec<TriedQuery> = Vec::new();
        for same_cost in examples.chunk_by(|a, b| a.cost() == b.cost()) {
            let counts = self.count(game.programs(same_cost, self.arguments)?)?;
            if steps.is_empty() {
                if counts.first() == Some(&0) {
                    tell_line!("{} is not in {}", game.name, visible_name(self.plan.inputs.name()));
                }
                tell_line!("   games  left out  moves");
            }
            for (example, games) in same_cost.iter().zip(counts) {
                let (left_out, stage) = (example.left_out, example.stage.description());
                tell_line!("{games:>8}  {left_out:>8}  {stage}");
                steps.push(TriedQuery { left_out, stage, games, query: example.query.clone() });
            }
            if steps.iter().any(|step| step.games >= wanted) {
                break;
            }
        }
        Ok(steps)
    }

    fn count(&mut self, programs: Vec<Arc<Program>>) -> Result<Vec<u64>, Failure> {
        let inputs = self.plan.inputs;
        let mut watcher = Watcher::new(inputs, self.arguments.progress);
        watcher.is_told = self.sources.is_some();
        watcher.start();
        let search = Search::new(&self.plan, programs.into_iter().map(Query::new))
            .threads(self.arguments.reading.threads())
            .cancel(interrupt::cancel());
        let counted = search.run(&mut tell_unused, &mut |chunk| {
            watcher.see(&chunk.output, &chunk.output.faults);
            Ok::<_, io::Error>(ControlFlow::Continue(()))
        });
        watcher.stop();
        let summary = counted.map_err(|error| Context::reading(inputs).failure(error))?;
        let of_sources = watcher.sources.finish()?;
        if !watcher.is_told {
            tell!("{of_sources}");
        }
        tell!("{}", watcher.defects.summary());
        self.is_complete &= watcher.is_complete();
        if !watcher.is_told {
            watcher.refuse_nothing()?;
            self.sources = Some(watcher.sources);
        }
        Ok(summary.queries.iter().map(|query| query.state.n_matches).collect())
    }
}

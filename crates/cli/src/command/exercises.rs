//! Searches games for `cql puzzles` and `cql sheet`.
//!
//! The threads of the search write what they find in a game as JSON, which the command collects in
//! the order of the games.

use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use babson::{Games, ScanPlan, Search};
use engine::{NamedExpression, RowWriter};
use input::Originals;
use pgn::decode;
use survey::puzzle::ExerciseStart;

use super::choosing::Choice;
use super::counting::Watcher;
use super::reading::ReadingArgs;
use super::text;
use crate::args::{ChoiceArgs, is_query_file};
use crate::failure::Failure;
use crate::games;
use crate::interrupt;
use crate::output::ProgressDisplay;
use crate::programs::ProgramArgs;
use crate::search::pass::Context;

/// Games, and the query for their positions.
pub(super) struct GamesOfExercises {
    choice: Choice,
    games: Games,
    only_named: bool,
    /// Position in which the exercises begin.
    pub(super) start: ExerciseStart,
}

impl GamesOfExercises {
    /// Finds the games, and compiles the query that options and a query file among the names make.
    ///
    /// # Errors
    /// The query has errors or chooses games without positions, or there are no games.
    pub(super) fn new(
        mut given: ChoiceArgs,
        programs: &ProgramArgs,
        reading: &ReadingArgs,
        no_index: bool,
        (names, target): (&[PathBuf], &Path),
    ) -> Result<GamesOfExercises, Failure> {
        let mut names = names.to_vec();
        let options = given.options.get_or_insert_default();
        let mut texts: Vec<String> = Vec::new();
        for name in names.iter().filter(|name| is_query_file(name.as_os_str())) {
            texts.push(decode(&text::read(name)?.text).into_owned());
        }
        texts.extend(options.preamble.iter().map(|filter| decode(&filter.text).into_owned()));
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        let start = ExerciseStart::of(&texts);
        options.compile.values.extend(start.values().map(|text| NamedExpression {
            name: text.clone(),
            source: text.clone(),
            text: text.into_bytes(),
        }));
        let choice = Choice::new(&given, reading.limits()?.query, &mut names)?;
        let choice = choice.ok_or_else(|| Failure::Message("there is no query".to_owned()))?;
        if choice.excludes() {
            let message = "--exclude chooses games without positions that match, so there are no \
                           exercises in them";
            return Err(Failure::Message(message.to_owned()));
        }
        let how = reading.how()?;
        let mut games = games::find_with_archives(&names, how, Some(target))?;
        if let Some(missing) = games.inputs.missing() {
            return Err(Failure::Message(missing.to_string()));
        }
        if choice.needs_last_game_number() {
            games::keep(&mut games.inputs)?;
        }
        let choice = choice.with_programs(programs)?;
        Ok(GamesOfExercises { choice, games, only_named: no_index || how.is_said(), start })
    }

    /// Returns the files that are read.
    pub(super) fn originals(&self) -> Originals {
        self.games.inputs.originals()
    }

    /// Searches the games with writers that `writer` returns, one for each thread. `each` gets what
    /// these write for a game, in the order of the games, and a `Break` ends the search.
    /// Returns whether all games could be searched.
    ///
    /// # Errors
    /// There are no games, the query fails on all of them, or `each` fails.
    pub(super) fn search<W: RowWriter + 'static>(
        &self,
        reading: &ReadingArgs,
        progress: Option<ProgressDisplay>,
        chunk_bytes: Option<usize>,
        writer: impl Fn() -> W + Send + Sync + 'static,
        each: &mut dyn FnMut(&[u8]) -> io::Result<ControlFlow<()>>,
    ) -> Result<bool, Failure> {
        let query = self.choice.query().with_writer(move || Some(Box::new(writer())));
        let groups = games::groups(&self.games, self.only_named);
        let inputs = &self.games.inputs;
        let plan = ScanPlan { inputs, groups: &groups };
        let mut search =
            Search::new(&plan, [query]).threads(reading.threads()).cancel(interrupt::cancel());
        if let Some(n) = chunk_bytes {
            search = search.chunk_bytes(n);
        }
        let mut watcher = Watcher::new(inputs, progress);
        let searched = watcher.matches(&search, &mut |game| each(&game.pgn));
        searched.map_err(|error| Context::reading(inputs).failure(error))?;
        tell!("{}{}", watcher.sources.finish()?, watcher.summary());
        watcher.refuse_nothing()?;
        Ok(watcher.is_complete() && !self.choice.had_trouble())
    }
}

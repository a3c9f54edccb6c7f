//! External programs that a query uses: `commandpipe`, `engine`, and the reader of tablebases.
//!
//! A query only knows names; the command line says which program has which name. Every thread has
//! its own processes. A program that is late, dies or sends an invalid answer is reported once with
//! its name, and the filter gets no answer. A search never waits longer than the time limit of a
//! program.

mod arguments;
mod engine_process;
mod pipe;
mod process;
mod store;
mod tablebases;

use std::collections::HashSet;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
#[cfg(feature = "studio")]
use std::time::Duration;

use engine::{
    EngineAnswer, EngineLimit, EngineQuestion, EngineValue, PipeQuestion, Program, Programs,
    TablebaseProbe,
};

pub(crate) use arguments::{EngineLimitArgs, ProgramArgs, named_value};
use engine_process::{Engine, MOST_ENDS, Needs};
use pipe::Pipe;
use store::Store;
pub(crate) use tablebases::tablebase_error;
#[cfg(feature = "tablebases")]
pub(crate) use tablebases::{SERVE, TABLE_ANSWER, parse_table_value};
use tablebases::{TableReader, Tablebases};

use crate::failure::Failure;

/// A program with its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CommandLine(Vec<String>);

impl CommandLine {
    /// Splits a text into words at blanks; double quotes keep blanks within a word. No shell is
    /// involved, so no other character is special.
    pub(crate) fn parse(text: &str) -> Result<CommandLine, String> {
        let (mut words, mut word, mut quoted) = (Vec::new(), None, false);
        for c in text.chars() {
            match c {
                '"' => {
                    quoted = !quoted;
                    word.get_or_insert_with(String::new);
                }
                c if c.is_whitespace() && !quoted => words.extend(word.take()),
                c => word.get_or_insert_with(String::new).push(c),
            }
        }
        words.extend(word);
        match words.first() {
            _ if quoted => Err(format!("a double quote is not closed in '{text}'")),
            Some(program) if !program.is_empty() => Ok(CommandLine(words)),
            _ => Err("the command of a program is missing".to_owned()),
        }
    }
}

/// Warnings about external programs, each reported once.
#[derive(Default)]
struct ProgramWarnings {
    said: Mutex<HashSet<String>>,
    any: AtomicBool,
}

impl ProgramWarnings {
    /// Reports a problem with a program, unless it was reported before. `what` identifies the kind
    /// of problem, `more` adds details.
    fn tell(&self, program: &str, what: &'static str, more: &str) {
        self.any.store(true, Ordering::Relaxed);
        self.note(program, what, more);
    }

    /// Reports something about a program that is no problem.
    fn note(&self, program: &str, what: &'static str, more: &str) {
        if crate::terminal::lock(&self.said).insert(format!("{program}\n{what}")) {
            tell_line!("{program} {what}{more}");
        }
    }
}

/// External programs of a run, before they are given to its threads.
pub(crate) struct ExternalPrograms {
    pipes: Mutex<Vec<Pipe>>,
    engine: Mutex<Option<Engine>>,
    tablebases: Option<Arc<Tablebases>>,
    troubles: Arc<ProgramWarnings>,
}

impl ExternalPrograms {
    /// Starts the programs as [`ExternalPrograms::new`] does, for queries that alone ask them: reports
    /// the options about programs that none of the queries asks.
    ///
    /// # Errors
    /// Those of [`ExternalPrograms::new`].
    pub(crate) fn for_queries<'a>(
        arguments: &ProgramArgs,
        secure: bool,
        queries: impl Iterator<Item = &'a Program> + Clone,
    ) -> Result<Option<Arc<ExternalPrograms>>, Failure> {
        Self::tell_unused(arguments, queries.clone());
        Self::new(arguments, secure, queries)
    }

    fn tell_unused<'a>(
        arguments: &ProgramArgs,
        queries: impl Iterator<Item = &'a Program> + Clone,
    ) {
        let asks = |verb: &str| match queries.clone().count() {
            1 => format!("the query does not {verb}"),
            _ => format!("no query {verb}s"),
        };
        let ask = asks("ask");
        let names: Vec<&str> = queries.clone().flat_map(Program::asked_programs).collect();
        for (name, _) in arguments.pipe.iter().filter(|(name, _)| !names.contains(&&**name)) {
            tell_line!("-pipe {name} has no effect: {ask} it by `commandpipe(\"{name}\")`");
        }
        if let Some(option) = arguments.of_engine()
            && !queries.clone().any(Program::asks_engine)
        {
            tell_line!("{option} has no effect: {ask} the engine by `engine`");
        }
        if arguments.tablebases.is_some()
            && queries.clone().all(|query| query.tablebase_span().is_none())
        {
            tell_line!("-tablebases has no effect: {} tables by `tablebase`", asks("read"));
        }
    }

    /// Starts the programs that the queries use, to see that they exist. Returns `None` if the
    /// queries use none. [`tablebase_error`] has found no error.
    ///
    /// # Errors
    /// A program is unknown, cannot be started, or is forbidden by `--secure`.
    pub(crate) fn new<'a>(
        arguments: &ProgramArgs,
        secure: bool,
        queries: impl Iterator<Item = &'a Program> + Clone,
    ) -> Result<Option<Arc<ExternalPrograms>>, Failure> {
        let mut names: Vec<&str> = queries.clone().flat_map(Program::asked_programs).collect();
        names.sort_unstable();
        names.dedup();
        let asks_engine = queries.clone().any(Program::asks_engine);
        let reads_tables = queries.clone().any(|query| query.tablebase_span().is_some());
        let asks_programs = asks_engine || !names.is_empty();
        if !asks_programs && !reads_tables {
            return Ok(None);
        }
        if secure && asks_programs {
            let message = "--secure forbids the query to run other programs";
            return Err(Failure::Message(message.to_owned()));
        }
        let troubles = Arc::new(ProgramWarnings::default());
        let mut pipes = Vec::new();
        for name in names {
            let command = arguments.pipe(name).ok_or_else(|| {
                Failure::Message(format!(
                    "the query uses a program named '{name}': give its command with -pipe \
                     {name}=COMMAND"
                ))
            })?;
            let pipe = Pipe::start(name, command, arguments.pipe_timeout(), troubles.clone());
            pipes.push(pipe.map_err(Failure::Message)?);
        }
        let engine = match (asks_engine, &arguments.engine) {
            (false, _) => None,
            (true, None) => {
                let message = "the query uses an engine: give its command with -engine COMMAND";
                return Err(Failure::Message(message.to_owned()));
            }
            (true, Some(command)) => {
                let store = arguments.engine_store.as_deref();
                let needs = Needs::of(queries.flat_map(Program::engine_questions));
                Some(start_engine(command, arguments, needs, store, &troubles)?)
            }
        };
        let directory = arguments.tablebases.as_deref().filter(|_| reads_tables);
        let tablebases = directory.map(|directory| Tablebases::new(directory, troubles.clone()));
        let tablebases = tablebases.transpose().map_err(Failure::Message)?;
        Ok(Some(Arc::new(ExternalPrograms {
            pipes: Mutex::new(pipes),
            engine: Mutex::new(engine),
            tablebases: tablebases.map(Arc::new),
            troubles,
        })))
    }

    /// Returns the programs for one worker.
    pub(crate) fn of_worker(&self) -> Box<dyn Programs> {
        Box::new(WorkerPrograms {
            pipes: crate::terminal::lock(&self.pipes).iter().map(Pipe::another).collect(),
            engine: crate::terminal::lock(&self.engine).as_ref().map(Engine::another),
            tablebases: self.tablebases.clone().map(TableReader::new),
        })
    }

    /// Reports the positions that the tablebases do not have.
    pub(crate) fn tell_end(&self) {
        self.tablebases.iter().filter_map(|of| of.summary()).for_each(|line| tell_line!("{line}"));
    }

    /// Whether a problem with one of them was reported.
    pub(crate) fn had_trouble(&self) -> bool {
        self.troubles.any.load(Ordering::Relaxed)
    }
}

/// Starts an engine, whose answers are stored in a file if one is given.
fn start_engine(
    command: &CommandLine,
    arguments: &ProgramArgs,
    needs: Needs,
    store: Option<&Path>,
    troubles: &Arc<ProgramWarnings>,
) -> Result<Engine, Failure> {
    let options = &arguments.engine_option;
    let engine =
        Engine::start(command, options, needs, arguments.engine_timeout(), Arc::clone(troubles));
    let mut engine = engine.map_err(Failure::Message)?;
    if let Some(file) = store {
        let store = Store::open(file, engine.identity()).map_err(Failure::Message)?;
        engine.keep_in(Arc::new(store));
    }
    Ok(engine)
}

/// The engine of a subcommand that asks it without a query.
pub(crate) struct SharedEngine(Engine);

impl SharedEngine {
    /// Starts the engine of the command line, whose answers are stored in a file if one is given.
    /// `n_lines` is the number of lines for each position, `value` what callers ask of them.
    ///
    /// # Errors
    /// There is no engine, it cannot be started, lacks an option, or the file is no store.
    pub(crate) fn start(
        arguments: &ProgramArgs,
        store: Option<&Path>,
        n_lines: u32,
        value: EngineValue,
    ) -> Result<SharedEngine, Failure> {
        let Some(command) = &arguments.engine else {
            let message = "no engine is given: name a UCI engine with -engine COMMAND";
            return Err(Failure::Message(message.to_owned()));
        };
        let limit = EngineLimit::Depth(1);
        let question = EngineQuestion { n_lines, ..EngineQuestion::new(value, limit) };
        let needs = Needs::of([question].into_iter());
        start_engine(command, arguments, needs, store, &Arc::default()).map(SharedEngine)
    }

    /// Returns the name of the engine, as it says it.
    #[cfg(feature = "studio")]
    pub(crate) fn name(&self) -> &str {
        self.0.identity().split(';').next().unwrap_or_default()
    }

    /// Number of answers that were in the store at the start.
    pub(crate) fn n_known(&self) -> usize {
        self.0.n_known()
    }

    /// Returns the engine for one worker.
    pub(crate) fn of_worker(&self) -> EngineOfWorker {
        EngineOfWorker(self.0.another())
    }
}

/// Engine of one worker.
pub(crate) struct EngineOfWorker(Engine);

impl EngineOfWorker {
    /// Analyzes a position for a while: see [`Engine::follow`].
    #[cfg(feature = "studio")]
    pub(crate) fn follow(
        &mut self,
        fen: &str,
        n_lines: u32,
        time: Duration,
        tell: &mut ::studio::TellLines<'_>,
    ) -> Result<(), String> {
        self.0.follow(fen, n_lines, time, tell)
    }

    /// Returns the answer of the engine, which is started again if it fails; `None` if it has no
    /// answer even then.
    pub(crate) fn analyze(&mut self, fen: &str, limit: EngineLimit) -> Option<EngineAnswer> {
        let question = EngineQuestion::new(EngineValue::Score, limit);
        (0..MOST_ENDS).find_map(|_| self.0.analyze(fen, question))
    }

    /// Returns the best `n_lines` lines, the best one first; fewer if there are no more, and `None`
    /// if the engine has no answer.
    pub(crate) fn lines(
        &mut self,
        fen: &str,
        limit: EngineLimit,
        n_lines: u32,
    ) -> Option<Vec<EngineAnswer>> {
        let question = EngineQuestion { n_lines, ..EngineQuestion::new(EngineValue::Score, limit) };
        let best = (0..MOST_ENDS).find_map(|_| self.0.analyze(fen, question))?;
        let others = (2..=n_lines)
            .map_while(|line| self.0.analyze(fen, EngineQuestion { line, ..question }));
        Some(std::iter::once(best).chain(others).collect())
    }
}

/// External programs of one worker.
struct WorkerPrograms {
    pipes: Vec<Pipe>,
    engine: Option<Engine>,
    tablebases: Option<TableReader>,
}

impl Programs for WorkerPrograms {
    fn ask(&mut self, name: &str, question: &PipeQuestion<'_>) -> Result<Option<Vec<u8>>, String> {
        match self.pipes.iter_mut().find(|pipe| pipe.name() == name) {
            Some(pipe) => Ok(pipe.ask(question)),
            None => Err(format!("there is no program named '{name}'")),
        }
    }

    fn analyze(
        &mut self,
        fen: &str,
        question: EngineQuestion,
    ) -> Result<Option<EngineAnswer>, String> {
        match &mut self.engine {
            Some(engine) => Ok(engine.analyze(fen, question)),
            None => Err("there is no engine".to_owned()),
        }
    }

    fn tablebases(&mut self) -> Option<&mut dyn TablebaseProbe> {
        self.tablebases.as_mut().map(|tables| tables as _)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words() {
        for (text, words) in [
            ("a", &["a"][..]),
            ("  a b  c ", &["a", "b", "c"]),
            ("\"C:/Program Files/x\" -n \"\"", &["C:/Program Files/x", "-n", ""]),
            ("a\"b c\"d $HOME ; x", &["ab cd", "$HOME", ";", "x"]),
        ] {
            let command = CommandLine::parse(text).expect("a command");
            assert_eq!(command.0, words, "{text}");
        }
        for text in ["", "  ", "\"\" a", "\"a"] {
            assert!(CommandLine::parse(text).is_err(), "{text}");
        }
    }
}

//! Questions to tablebases, which another process reads.
//!
//! Every thread has a process of its own, which it starts for the first question. A process that
//! dies costs one value; the next question starts another one.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::{Diagnostic, Program, TableValue, TablebaseProbe};

use super::engine_process::MOST_ENDS;
use super::process::{LineOutcome, Process};
use super::{CommandLine, ProgramArgs, ProgramWarnings};
use crate::terminal::lock;

/// The hidden argument that makes the program answer questions about the tables in a directory.
pub(crate) const SERVE: &str = "--serve-tablebases";

/// First word of an answer. The library that reads tables may write other lines.
pub(crate) const TABLE_ANSWER: &str = "tablebases:";

/// Time for an answer, before which large tables may have to be checked.
const TIMEOUT: Duration = Duration::from_secs(600);

/// Number of answers that are stored.
const MOST_STORED: usize = 1 << 18;

/// Number of positions without a table that are counted once each.
const MOST_LACKING: usize = 1 << 20;

/// Number of names of missing tables in a message.
const NAMES_SHOWN: usize = 3;

/// Words for the values in questions.
const WORDS: [(TableValue, &str); 2] = [(TableValue::Wdl, "wdl"), (TableValue::Dtz, "dtz")];

/// Parses the kind of value in a question.
#[cfg(feature = "tablebases")]
pub(crate) fn parse_table_value(word: &str) -> Option<TableValue> {
    WORDS.iter().find(|kind| kind.1 == word).map(|kind| kind.0)
}

/// Returns the error about a query that reads tablebases if the program cannot read them.
pub(crate) fn tablebase_error(
    program: &Program,
    arguments: &ProgramArgs,
    secure: bool,
) -> Option<Diagnostic> {
    let span = program.tablebase_span()?;
    let error = |message: String, help: &str| {
        Some(Diagnostic::error("E0507", span, message).with_help(help))
    };
    if !cfg!(feature = "tablebases") {
        let help = "use a released program, or build it with `--features tablebases`";
        return error("this program was built without tablebases".to_owned(), help);
    }
    if secure {
        return error(
            "--secure forbids the query to read tablebases".to_owned(),
            "run a query that you trust without --secure",
        );
    }
    let Some(directory) = &arguments.tablebases else {
        let help = "name the directory of Syzygy tables with --tablebases DIR";
        return error("no tablebases are given".to_owned(), help);
    };
    let shown = directory.display();
    let help = "name a directory with Syzygy tables, such as KRPvKR.rtbw and KRPvKR.rtbz";
    match std::fs::read_dir(directory) {
        Err(fault) => error(format!("cannot read the tablebases in {shown}: {fault}"), help),
        Ok(entries) => {
            let mut names = entries.filter_map(|entry| Some(entry.ok()?.file_name()));
            let has_tables =
                names.any(|name| Path::new(&name).extension().is_some_and(|end| end == "rtbw"));
            if has_tables {
                None
            } else {
                error(format!("there are no tablebases in {shown}"), help)
            }
        }
    }
}

/// Tablebases of a run.
pub(super) struct Tablebases {
    directory: String,
    troubles: Arc<ProgramWarnings>,
    memory: Mutex<Memory>,
}

/// Answers to earlier questions.
#[derive(Default)]
struct Memory {
    answers: HashMap<String, Option<i32>>,
    /// Hashes of positions without a table.
    lacking: HashSet<u64>,
    hasher: RandomState,
    /// Names of missing tables.
    missing: BTreeSet<String>,
}

impl Tablebases {
    /// Returns the tablebases in a directory, whose name must be UTF-8.
    ///
    /// # Errors
    /// It is not.
    pub(super) fn new(
        directory: &Path,
        troubles: Arc<ProgramWarnings>,
    ) -> Result<Tablebases, String> {
        let Some(directory) = directory.to_str() else {
            return Err(format!("the name of the directory {} is not UTF-8", directory.display()));
        };
        Ok(Tablebases { directory: directory.to_owned(), troubles, memory: Mutex::default() })
    }

    /// Returns a message about the positions without a table, if there were any.
    pub(super) fn summary(&self) -> Option<String> {
        let memory = lock(&self.memory);
        let n = memory.lacking.len();
        let names: Vec<&str> = memory.missing.iter().map(String::as_str).collect();
        let shown = names[..names.len().min(NAMES_SHOWN)].join(", ");
        let more = match names.len().saturating_sub(NAMES_SHOWN) {
            0 => String::new(),
            n => format!(" and {n} more"),
        };
        let positions = match n {
            0 => return None,
            1 => "1 position has".to_owned(),
            MOST_LACKING.. => format!("{n} positions or more have"),
            n => format!("{n} positions have"),
        };
        Some(format!("{positions} no table in {}: {shown}{more}", self.directory))
    }
}

/// Tablebases of one worker.
pub(super) struct TableReader {
    tables: Arc<Tablebases>,
    process: Option<Process>,
    n_ends: u32,
}

impl TablebaseProbe for TableReader {
    fn probe(&mut self, fen: &str, value: TableValue) -> Option<i32> {
        // The clocks do not matter to the tables.
        let mut fields = fen.splitn(5, ' ');
        let board: Vec<&str> = fields.by_ref().take(4).collect();
        let board = board.join(" ");
        let word = WORDS.iter().find(|kind| kind.0 == value)?.1;
        let question = format!("{word} {board} 0 1");
        if let Some(&known) = lock(&self.tables.memory).answers.get(&question) {
            return known;
        }
        if self.n_ends >= MOST_ENDS {
            return None;
        }
        let answer = match self.ask(&question) {
            Ok(answer) => answer,
            Err(None) => return None,
            Err(Some((what, more))) => {
                let title =
                    format!("the process that reads the tablebases in {}", self.tables.directory);
                self.tables.troubles.tell(&title, what, &more);
                self.process = None;
                self.n_ends += 1;
                return None;
            }
        };
        self.n_ends = 0;
        let mut memory = lock(&self.tables.memory);
        let value = match answer.split_once(' ') {
            Some(("value", value)) => value.parse().ok(),
            Some(("missing", table)) => {
                let hash = memory.hasher.hash_one(&board);
                if memory.lacking.len() < MOST_LACKING {
                    memory.lacking.insert(hash);
                }
                memory.missing.insert(table.to_owned());
                None
            }
            Some(("damaged", table)) => {
                let (table, reason) = table.split_once(' ').unwrap_or((table, ""));
                let title = format!("the tablebase {table}");
                let more = format!(" ({reason}): positions that need it have no value");
                self.tables.troubles.tell(&title, "is damaged", &more);
                None
            }
            _ => {
                let more = format!(": {}", answer.trim_start_matches("failed "));
                self.tables.troubles.tell("the tablebases", "give no value", &more);
                None
            }
        };
        if memory.answers.len() >= MOST_STORED {
            memory.answers.clear();
        }
        memory.answers.insert(question, value);
        value
    }
}

impl TableReader {
    pub(super) fn new(tables: Arc<Tablebases>) -> TableReader {
        TableReader { tables, process: None, n_ends: 0 }
    }

    /// Asks the process. An error says what is wrong with it, or nothing if the run was stopped.
    fn ask(&mut self, question: &str) -> Result<String, Option<(&'static str, String)>> {
        let process = match &mut self.process {
            Some(process) => process,
            none => none.insert(start(&self.tables.directory)?),
        };
        process.say(question);
        let until = Instant::now() + TIMEOUT;
        loop {
            let trouble = match process.hear(until) {
                LineOutcome::Line(line) => match line.strip_prefix(TABLE_ANSWER) {
                    Some(answer) => return Ok(answer.trim().to_owned()),
                    None => continue,
                },
                LineOutcome::Stopped => return Err(None),
                LineOutcome::Late => ("does not answer", String::new()),
                LineOutcome::Deaf => ("does not read its input", String::new()),
                LineOutcome::Endless => ("sends an endless line", String::new()),
                LineOutcome::Gone => ("ended without an answer", process.end()),
            };
            return Err(Some(trouble));
        }
    }
}

/// Starts this program as a reader of tables.
fn start(directory: &str) -> Result<Process, Option<(&'static str, String)>> {
    let started = std::env::current_exe().and_then(|program| {
        let program = program.into_os_string().into_string();
        let program = program.map_err(|_| std::io::ErrorKind::InvalidFilename)?;
        Process::start_silent(&CommandLine(vec![program, SERVE.to_owned(), directory.to_owned()]))
    });
    started.map_err(|error| Some(("cannot be started", format!(": {error}"))))
}

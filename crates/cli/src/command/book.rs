//! `cql book FILE.md -o OUT`: runs the queries of a study and fills in their results.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use babson::{Games, Query, ScanPlan, Search};
use engine::{CompileOptions, GameRow, Program};
use input::{Inputs, ReadOptions};
use sha2::{Digest, Sha256};
use survey::study::{Block, Findings, Study, StudyError};
use table::Day;

use super::counting::Watcher;
use super::text;
use crate::failure::{Failure, context};
use crate::games;
use crate::interrupt;
use crate::output::{self, ProgressDisplay};
use crate::report::{ReportStyle, SourceText};
use crate::search::pass::Context;

/// Maximum size of a study in bytes.
const LARGEST: u64 = 16 << 20;

/// Number of seconds of a day.
const DAY: u64 = 86_400;

/// Fill in a study: run the queries of a text in Markdown
///
/// For example: cql book study.md -o study.html
///
/// A block ```cql holds a query. Words after cql say what is shown of its result: boards=N,
/// table=COLUMN,COLUMN, rows=N, count, games=FILE, hide. The games are those of the block or of
/// `games:` in the front matter, in the folder of the study. Each result has the checksum of the
/// games and the date.
#[derive(clap::Args)]
pub(super) struct BookArgs {
    /// Text in Markdown
    #[arg(value_name = "FILE.md", value_hint = clap::ValueHint::FilePath)]
    file: PathBuf,
    /// Write to OUT: a page (.html), Markdown (.md), or source for Typst (.typ)
    #[arg(short, long, value_name = "OUT", value_hint = clap::ValueHint::FilePath)]
    output: PathBuf,
    /// Replace OUT, whatever it is
    #[arg(long)]
    force: bool,
    /// Search these games where a block names none; can be repeated
    #[arg(long, value_name = "GAMES", value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Write this date in place of that of today
    #[arg(long, value_name = "DATE")]
    date: Option<String>,
    /// Use N threads [default: number of processors]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// Set how to show progress
    #[arg(long, value_enum, value_name = "HOW")]
    progress: Option<ProgressDisplay>,
}

/// Form of the output.
#[derive(Clone, Copy)]
enum BookFormat {
    Html,
    Markdown,
    Typst,
}

/// Runs the queries and writes the study.
pub(super) fn run(arguments: &BookArgs) -> Result<(), Failure> {
    interrupt::listen();
    let end = arguments.output.extension().and_then(|end| end.to_str()).unwrap_or_default();
    let form = match &*end.to_ascii_lowercase() {
        "html" | "htm" => BookFormat::Html,
        "md" | "markdown" => BookFormat::Markdown,
        "typ" => BookFormat::Typst,
        _ => {
            let message = "-o needs a file name that ends in .html, .md or .typ";
            return Err(Failure::Message(message.to_owned()));
        }
    };
    let text = read(&arguments.file)?;
    let study = Study::parse(&text);
    if study.blocks.is_empty() && study.errors.is_empty() {
        let message =
            format!("{} has no query: write one in a block ```cql", arguments.file.display());
        return Err(Failure::Message(message));
    }
    let mut runner =
        Runner { arguments, study: &study, text: &text, sums: HashMap::new(), leaves_out: false };
    let mut questions = runner.questions()?;
    let mut originals = output::Originals::default();
    originals.add(&arguments.file);
    questions.iter().for_each(|question| originals.append(question.games.inputs.originals()));
    let kind = matches!(form, BookFormat::Html).then_some(table::OutputFormat::Html);
    let mut out = output::create(&arguments.output, kind, &originals, arguments.force)?;
    let results: Vec<Findings> = questions
        .iter_mut()
        .map(|question| runner.run(question))
        .collect::<Result<_, Failure>>()?;
    let written = match form {
        BookFormat::Html => study.html(&results),
        BookFormat::Markdown => study.markdown(&results),
        BookFormat::Typst => study.typst(&results),
    };
    let file = arguments.output.display();
    let done = out.write_all(written.as_bytes()).and_then(|()| out.finish());
    done.map_err(|error| context(format!("cannot write {file}"), &error))?;
    let n = results.len();
    let queries = if n == 1 { "query" } else { "queries" };
    text::show(&format!("{n} {queries} filled in: {file}\n"))?;
    if runner.leaves_out { Err(Failure::Reported) } else { Ok(()) }
}

/// Reads a study.
fn read(file: &Path) -> Result<String, Failure> {
    let cannot = |error| context(format!("cannot read {}", file.display()), &error);
    let mut text = String::new();
    let read = File::open(file).and_then(|file| file.take(LARGEST + 1).read_to_string(&mut text));
    read.map_err(cannot)?;
    if text.len() as u64 > LARGEST {
        let message = format!("{} is too large: more than {LARGEST} bytes", file.display());
        return Err(Failure::Message(message));
    }
    Ok(text)
}

/// Query of a block that has no errors, and its games.
struct Question<'s> {
    block: &'s Block,
    program: Arc<Program>,
    games: Games,
    /// Names of the games, as shown.
    names: String,
}

/// Returns an error of a study with its place.
fn told(file: &Path, text: &str, error: &StudyError) -> Failure {
    let before = &text[..error.offset.min(text.len())];
    let line = before.matches('\n').count();
    let column = before.chars().rev().take_while(|&c| c != '\n').count();
    let shown = text.lines().nth(line).unwrap_or_default().replace('\t', " ");
    Failure::Message(format!(
        "{}:{}:{}: {}\n  {shown}\n  {}^",
        file.display(),
        line + 1,
        column + 1,
        error.message,
        " ".repeat(column)
    ))
}

/// Runs the queries of a study.
struct Runner<'a> {
    arguments: &'a BookArgs,
    study: &'a Study<'a>,
    text: &'a str,
    /// Checksums of the games of earlier queries, by the files.
    sums: HashMap<Vec<Option<PathBuf>>, String>,
    /// Whether a game was left out.
    leaves_out: bool,
}

impl<'a> Runner<'a> {
    /// Returns the queries of all blocks. Reports the errors of all of them before any search.
    fn questions(&self) -> Result<Vec<Question<'a>>, Failure> {
        let wrong = self.study.errors.iter().map(|error| Err(self.told(error)));
        let asked = self.study.blocks.iter().map(|block| self.question(block));
        let (mut questions, mut failures) = (Vec::new(), Vec::new());
        for question in wrong.chain(asked) {
            match question {
                Ok(question) => questions.push(question),
                Err(failure @ (Failure::Message(_) | Failure::Reported)) => {
                    // Several blocks may lack the same games.
                    if let Failure::Message(message) = &failure
                        && !failures.contains(&failure)
                    {
                        tell_line!("error: {message}");
                    }
                    failures.push(failure);
                }
                Err(failure) => return Err(failure),
            }
        }
        if failures.is_empty() { Ok(questions) } else { Err(Failure::Reported) }
    }

    fn question(&self, block: &'a Block) -> Result<Question<'a>, Failure> {
        let name = self.arguments.file.display().to_string();
        let source = SourceText::new(name, self.study.query(block));
        let look = ReportStyle::default();
        let program = text::compile(&[source], &CompileOptions::default(), look)?;
        // Reports wrong columns before the search.
        block.findings(&program, &[]).map_err(|error| self.told(&error))?;
        let (paths, names) = self.names(block)?;
        let games = games::find_all_with_archives(&paths, ReadOptions::default())?;
        Ok(Question { block, program, games, names })
    }

    fn told(&self, error: &StudyError) -> Failure {
        told(&self.arguments.file, self.text, error)
    }

    fn run(&mut self, question: &mut Question<'_>) -> Result<Findings, Failure> {
        let Question { block, program, games: found, names } = question;
        if program.needs_last_game_number() {
            games::keep(&mut found.inputs)?;
        }
        let groups = games::groups(found, false);
        let plan = ScanPlan { inputs: &found.inputs, groups: &groups };
        let search = Search::new(&plan, [Query::new(program.clone())])
            .threads(self.arguments.threads.map_or(0, usize::from))
            .cancel(interrupt::cancel());
        let mut watcher = Watcher::new(&found.inputs, self.arguments.progress);
        let mut rows: Vec<GameRow> = Vec::new();
        let searched = watcher.matches(&search, &mut |game| {
            if rows.len() < block.wanted() {
                rows.push(game.row);
            }
            Ok(ControlFlow::Continue(()))
        });
        let summary = searched.map_err(|error| Context::reading(&found.inputs).failure(error))?;
        tell!("{}{}", watcher.sources.finish()?, watcher.summary());
        if !watcher.is_sound() || watcher.defects.in_query() {
            return Err(Failure::Reported);
        }
        self.leaves_out |= watcher.defects.leaves_out();
        let mut findings = block.findings(program, &rows).map_err(|error| self.told(&error))?;
        let state = summary.queries.first().map(|query| query.state).unwrap_or_default();
        let sum = self.checksum(&found.inputs)?;
        findings.searched = summary.n_games;
        findings.matching = state.n_matches;
        findings.positions = state.n_positions;
        findings.source = format!("{names} (SHA-256 {sum}), {}", self.date());
        Ok(findings)
    }

    /// Returns the games of a block: their paths, and their names as they are shown.
    fn names(&self, block: &Block) -> Result<(Vec<PathBuf>, String), Failure> {
        let own = if block.games.is_empty() { &self.study.games } else { &block.games };
        if block.games.is_empty() && !self.arguments.games.is_empty() {
            let names = self.arguments.games.clone();
            let shown: Vec<String> = names.iter().map(|name| name.display().to_string()).collect();
            return Ok((names, shown.join(", ")));
        }
        if own.is_empty() {
            let message =
                "no games: write games=FILE after cql, games: FILE in the front matter, or \
                           --games FILE"
                    .to_owned();
            let error = StudyError { offset: block.offset(), message };
            return Err(self.told(&error));
        }
        let folder = self.arguments.file.parent().unwrap_or(Path::new(""));
        let path = |name: &String| {
            if name.contains("://") { PathBuf::from(name) } else { folder.join(name) }
        };
        Ok((own.iter().map(path).collect(), own.join(", ")))
    }

    /// Returns the checksum of all files, one after the other.
    fn checksum(&mut self, inputs: &Inputs) -> Result<String, Failure> {
        let paths: Vec<_> = inputs.paths().map(|path| path.map(Path::to_owned)).collect();
        if let Some(known) = self.sums.get(&paths) {
            return Ok(known.clone());
        }
        let sum = checksum(&paths)?;
        self.sums.insert(paths, sum.clone());
        Ok(sum)
    }

    fn date(&self) -> String {
        self.arguments.date.clone().unwrap_or_else(today)
    }
}

/// Returns the SHA-256 checksum of files, one after the other, or the reason why there is none.
fn checksum(paths: &[Option<PathBuf>]) -> Result<String, Failure> {
    let mut sum = Sha256::new();
    for path in paths {
        let path = path.as_ref().filter(|path| path.is_file());
        let Some(path) = path else {
            return Ok("not known, since the games are no files".to_owned());
        };
        let cannot = |error: io::Error| context(format!("cannot read {}", path.display()), &error);
        io::copy(&mut File::open(path).map_err(cannot)?, &mut Writing(&mut sum)).map_err(cannot)?;
    }
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Writer into a checksum.
struct Writing<'s>(&'s mut Sha256);

impl Write for Writing<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the date of today in universal time.
fn today() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    date_of(i32::try_from(now.as_secs() / DAY).unwrap_or_default())
}

/// Returns the date that is some days after January 1, 1970.
fn date_of(days: i32) -> String {
    let is_past = |day: &Day| day.days_since_1970() <= days;
    let is_past_year = |&year: &u16| Day::new(year, 1, 1).as_ref().is_some_and(is_past);
    let year = (1970..=9999).rev().find(is_past_year).unwrap_or(1970);
    let mut all =
        (1..=12).flat_map(|month| (1..=31).filter_map(move |day| Day::new(year, month, day)));
    all.rfind(is_past).map_or_else(String::new, |day| day.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_have_dates() {
        let check = |days: i32, expected: &str| assert_eq!(date_of(days), expected);
        check(0, "1970-01-01");
        check(19_722, "2023-12-31");
        check(19_782, "2024-02-29");
        check(20_783, "2026-11-26");
    }
}

//! Searches games with several queries in one pass: each game is read once.

mod query;
mod results;
mod searched;
pub(crate) mod summary;
mod view;

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use engine::CompileOptions;
use table::{OutputFormat, Table};

use super::pass::Common;
use super::{Stdout, last_game_number};
use crate::console::{Console, StderrSink};
use crate::failure::{Failure, context};
use crate::files::FileRules;
use crate::games;
use crate::interrupt;
use crate::output::{Originals, OutputArgs, Replace, Rules, refuse_name};
use crate::place;
use crate::programs::{ExternalPrograms, ProgramArgs};
use crate::report::{ReportStyle, SourceText};
use babson::{Partition, Query, ScanPlan};
use input::{Inputs, ReadOptions};
pub(crate) use query::NamedQuery;
use query::{PreparedQuery, compile_all};
use results::file_of;
use searched::{PassSummary, search};
use summary::{OutputFiles, QuerySummary};

/// Queries, games and options of a run.
pub(crate) struct Request<'a> {
    pub(crate) queries: Vec<NamedQuery>,
    /// Filters in front of each query.
    pub(crate) filters: Vec<SourceText>,
    pub(crate) compile: CompileOptions,
    pub(crate) games: RunInput<'a>,
    pub(crate) how: ReadOptions,
    /// Whether archives next to the games are ignored.
    pub(crate) no_index: bool,
    /// Style of diagnostics.
    pub(crate) look: ReportStyle,
    pub(crate) outputs: &'a OutputArgs,
    pub(crate) results: Results<'a>,
    /// File for the summary, JSON or CSV by its name, in place of the default one next to the results.
    pub(crate) summary: Option<&'a Path>,
    /// Whether the summary is printed as JSON.
    pub(crate) json: bool,
    /// Whether the other queries run if some have errors.
    pub(crate) keep_going: bool,
    pub(crate) threads: usize,
    pub(crate) strict: bool,
    /// Rules for the files that queries may read and write.
    pub(crate) file_rules: FileRules,
    /// The file for the table of puzzles with the names of the matching queries.
    pub(crate) tag_puzzles: Option<&'a Path>,
    /// External programs that the queries may use.
    pub(crate) programs: &'a ProgramArgs,
}

/// Games to search.
pub(crate) enum RunInput<'a> {
    /// The games with these names.
    Named(&'a [PathBuf]),
    /// A part of a collection.
    Shard(ShardOfGames),
}

/// A shard that is searched on its own.
#[derive(Default)]
pub(crate) struct ShardOfGames {
    pub(crate) piece: Partition,
    /// Suffix of the names of result files, after the name of the query.
    pub(crate) tag: String,
    /// Number of games in the shard.
    pub(crate) n_games: u64,
    /// Whether other shards have other games.
    pub(crate) is_one_of_several: bool,
    /// Value of `lastgamenumber` for all shards together.
    pub(crate) last_game_number: u64,
}

/// Destination of the results.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Results<'a> {
    /// A file for each query in this directory.
    Directory(&'a Path),
    /// One table, on standard output if there is no file.
    Table(Option<&'a Path>),
    /// No results: matches are only counted.
    SummaryOnly,
}

impl Request<'_> {
    fn results_on_stdout(&self) -> bool {
        matches!(self.results, Results::Table(None))
    }

    /// Returns the file of the summary.
    fn summary_file(&self) -> Option<PathBuf> {
        match (self.summary, self.results) {
            (Some(file), _) => Some(file.to_owned()),
            (None, Results::Directory(directory)) => {
                Some(remote::join(directory, &format!("summary{}.csv", self.tag())))
            }
            (None, _) => None,
        }
    }

    /// Returns the suffix of the names of result files, after the name of the query.
    fn tag(&self) -> &str {
        match &self.games {
            RunInput::Named(_) => "",
            RunInput::Shard(shard) => &shard.tag,
        }
    }
}

/// Reports the diagnostics of the queries, and fails if they cannot be run. `is_divided` says
/// whether each will be run on several shards. Returns whether one of them needs the total number
/// of games.
pub(crate) fn check(request: &Request<'_>, is_divided: bool) -> Result<bool, Failure> {
    let queries = compile_all(request, true);
    refuse_errors(request, &queries)?;
    let mut ready = queries.iter().flatten();
    if is_divided && !ready.all(|query| query.permits_shards(request)) {
        return Err(Failure::Reported);
    }
    let mut ready = queries.iter().flatten();
    Ok(ready.any(|query| query.program.needs_last_game_number()))
}

/// Reports the number of queries with errors and returns it. Fails if the others must not run.
fn refuse_errors(
    request: &Request<'_>,
    queries: &[Result<PreparedQuery, String>],
) -> Result<usize, Failure> {
    let n_bad = queries.iter().filter(|query| query.is_err()).count();
    if n_bad > 0 {
        let all = count(queries.len(), "query", "queries");
        tell_line!("errors in {n_bad} of {all}");
        if !request.keep_going || n_bad == queries.len() {
            return Err(Failure::Reported);
        }
    }
    Ok(n_bad)
}

/// Runs all queries and writes their results.
pub(crate) fn run(request: Request<'_>) -> Result<(), Failure> {
    if request.results_on_stdout() {
        crate::terminal::keep_stdout_for_results()?;
    } else if matches!(request.results, Results::SummaryOnly) {
        crate::terminal::refuse_closed_stdout()?;
    }
    let out: Box<dyn Write> = if request.results_on_stdout() || request.json {
        Box::new(StderrSink)
    } else {
        Box::new(BufWriter::new(io::stdout()))
    };
    let mut console = Console::new(out);
    let result = run_on(&request, &mut console);
    match result {
        Err(Failure::OutputIsRead(_)) => console.discard(),
        _ => console.flush(),
    }
    result
}

fn run_on(request: &Request<'_>, console: &mut Stdout) -> Result<(), Failure> {
    let start = Instant::now();
    // For shards, the diagnostics were reported before the first one.
    let is_whole = matches!(request.games, RunInput::Named(_));
    let mut queries = compile_all(request, is_whole);
    let n_bad = refuse_errors(request, &queries)?;
    interrupt::listen();
    let files = output_files(request, &queries);
    let older = files.iter().map(PathBuf::as_path);
    let mut games = match &request.games {
        RunInput::Named(names) => games::find_with_archives(names, request.how, older)?,
        RunInput::Shard(shard) => games::piece(&shard.piece, request.how)?,
    };
    let mut read = games.inputs.originals();
    for query in queries.iter().flatten() {
        read.add(Path::new(&query.source.name));
        let required = query.program.required_file();
        required.iter().for_each(|name| read.add(Path::new(name)));
    }
    request.filters.iter().for_each(|text| read.add(Path::new(&text.name)));
    refuse_overwriting(request, &files, &read)?;
    if request.tag_puzzles.is_some() {
        games::keep(&mut games.inputs)?;
    }
    let last_of_all = prepare(request, &mut queries, &mut games.inputs)?;
    let ready: Vec<&PreparedQuery> = queries.iter().flatten().collect();
    if !ready.iter().all(|query| query.permits_tablebases(request)) {
        return Err(Failure::Reported);
    }
    prepare_results(request, &ready)?;
    let programs = ready.iter().map(|query| &*query.program);
    let secure = request.file_rules.secure;
    let programs = ExternalPrograms::for_queries(request.programs, secure, programs)?;
    request.programs.add_store(&mut read);
    let read = Arc::new(read);
    let inputs = &games.inputs;
    let only_named = request.no_index || request.how.is_said();
    let groups = games::groups(&games, only_named);
    let walk = ScanPlan { inputs, groups: &groups };
    let common = Common {
        outputs: request.outputs,
        file_rules: FileRules { originals: Arc::clone(&read), ..request.file_rules.clone() },
        programs: programs.clone(),
    };
    let wanted = ready.iter().map(|query| {
        let wanted = common.query(&query.program, &query.table);
        match request.results {
            Results::Directory(_) => wanted,
            // The rows of all queries are in the order of the games.
            Results::Table(_) | Results::SummaryOnly => wanted.unsorted(),
        }
    });
    let wanted: Vec<(&PreparedQuery, Query)> = ready.iter().copied().zip(wanted).collect();
    let passed = search(request, &wanted, (&walk, &common, last_of_all), console)?;
    let PassSummary { lines, n_games, threads, is_sound } = passed;
    let mut lines = lines.into_iter();
    // In the order of the command line, including queries with errors.
    let lines: Vec<QuerySummary> = queries
        .iter()
        .filter_map(|query| match query {
            Ok(_) => lines.next(),
            Err(name) => Some(QuerySummary::with_errors(name)),
        })
        .collect();
    let seconds = start.elapsed().as_secs_f64();
    let json = || {
        let files = lines.iter().zip(&request.queries).map(|(line, query)| OutputFiles {
            query: &query.source.name,
            output: output_of(line, request),
        });
        summary::json(&lines, files, n_games, threads, seconds)
    };
    if let Some(file) = request.summary_file() {
        let is_json = file.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        let text = if is_json { json() } else { summary::csv(&lines) };
        summary::write(&file, &text, request.outputs.force, &read)?;
    }
    console.fresh_line();
    if request.json {
        crate::terminal::say(&json());
    } else if is_whole {
        console.print(summary::table(&lines).as_bytes());
    }
    console.flush();
    tell_line!(
        "{} of {} in {seconds:.2} seconds using {}",
        count(ready.len(), "query", "queries"),
        table::counted(n_games, "game"),
        count(threads, "thread", "threads"),
    );
    programs.iter().for_each(|programs| programs.tell_end());
    let had_trouble = programs.is_some_and(|programs| programs.had_trouble());
    if is_sound && n_bad == 0 && !had_trouble { Ok(()) } else { Err(Failure::Reported) }
}

/// Reads the files of the queries and makes their tables. Returns the value of `lastgamenumber`, if
/// a query needs it.
fn prepare(
    request: &Request<'_>,
    queries: &mut [Result<PreparedQuery, String>],
    inputs: &mut Inputs,
) -> Result<u64, Failure> {
    let mut last_of_all = 0;
    for query in queries.iter_mut().flatten() {
        query.provide_file(&request.file_rules)?;
        if query.program.needs_last_game_number() && last_of_all == 0 {
            last_of_all = match &request.games {
                RunInput::Named(_) => last_game_number(inputs)?,
                RunInput::Shard(shard) => shard.last_game_number,
            };
        }
        query.table = table(query, request)
            .map_err(|message| Failure::Message(format!("{}: {message}", query.name)))?;
    }
    Ok(last_of_all)
}

/// Checks that the rows of all queries fit into one table, or creates the directory of results.
fn prepare_results(request: &Request<'_>, queries: &[&PreparedQuery]) -> Result<(), Failure> {
    match request.results {
        Results::Table(_) => {
            let tables = queries.iter().map(|query| &query.table);
            Table::check_types(tables).map_err(|error| Failure::Message(error.to_string()))
        }
        Results::Directory(directory) => place::make_folder(directory).map_err(|error| {
            let directory = directory.display();
            context(format!("cannot create the directory {directory}"), &error)
        }),
        Results::SummaryOnly => Ok(()),
    }
}

fn count(n: usize, one: &str, several: &str) -> String {
    match n {
        1 => format!("1 {one}"),
        n => format!("{n} {several}"),
    }
}

/// Checks that outputs are not inputs and differ from each other, and that the summary, which is
/// written at the end, may be.
fn refuse_overwriting(
    request: &Request<'_>,
    files: &[PathBuf],
    read: &Originals,
) -> Result<(), Failure> {
    for (i, file) in files.iter().enumerate() {
        let refused = read.refuse(file);
        refused.map_err(|error| context(format!("cannot write {}", file.display()), &error))?;
        if files[..i].contains(file) {
            return Err(Failure::Message(format!(
                "the summary and the results cannot be the same file: {}",
                file.display()
            )));
        }
    }
    if let Some(file) = request.tag_puzzles {
        refuse_name(file, Some(OutputFormat::Csv))?;
    }
    if let Some(file) = request.summary_file() {
        let rules = Rules::new(Replace::results(request.outputs.force, None), read);
        let checked = rules.check(&file);
        checked.map_err(|error| context(format!("cannot write {}", file.display()), &error))?;
    }
    Ok(())
}

/// Returns all files that will be written.
fn output_files(request: &Request<'_>, queries: &[Result<PreparedQuery, String>]) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> = match request.results {
        Results::Directory(directory) => {
            queries.iter().flatten().map(|query| file_of(&query.name, directory, request)).collect()
        }
        Results::Table(file) => file.map(Path::to_owned).into_iter().collect(),
        Results::SummaryOnly => Vec::new(),
    };
    files.extend(request.summary_file());
    files.extend(request.tag_puzzles.map(Path::to_owned));
    files
}

/// Returns the file with the results of a query, if it has any.
fn output_of(line: &QuerySummary, request: &Request<'_>) -> Option<String> {
    let file = match request.results {
        Results::Directory(directory) => Some(file_of(&line.query, directory, request)),
        Results::Table(file) => file.map(Path::to_owned),
        Results::SummaryOnly => None,
    };
    let file = file.filter(|_| line.status.has_output())?;
    Some(remote::shown(&file))
}

/// Returns the table that writes the results of a query.
fn table(query: &PreparedQuery, request: &Request<'_>) -> Result<Table, String> {
    let program = &query.program;
    match request.results {
        Results::Directory(_) => {
            let source = std::slice::from_ref(&query.source);
            request.outputs.table(program, source)
        }
        Results::Table(_) => request.outputs.table_of_query(program, &query.name),
        // Nothing is written, so the rows are not built.
        Results::SummaryOnly => Ok(Table::nothing()),
    }
}

//! `cql run QUERY… GAMES…`: evaluates several queries on the same games, which are read once.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::CompileOptions;
use table::OutputFormat;

mod sharded;

use shards::Fraction;

use super::check::DialectArgument;
use super::reading::ReadingArgs;
use super::{library, names, text};
use crate::failure::{Failure, context};
use crate::files::FileRules;
use crate::output::OutputArgs;
use crate::programs::ProgramArgs;
use crate::report::{ReportStyle, SourceText};
use crate::search::several::{self, NamedQuery, Request, Results, RunInput};

/// Run several queries over games in one pass
///
/// Every game is read once, and each query is evaluated on it. A query has the same matches as in a
/// search on its own.
///
/// With --output-dir, each query has its own output, named after it (fork.cql writes fork.pgn), and
/// summary.csv lists the counts of all queries. With -o, the results of all queries are one table
/// with a column `query`. Without either, only the summary is printed. Input and output files in
/// the headers of queries are ignored.
#[derive(clap::Args)]
pub(super) struct RunArgs {
    /// Queries to run, then games to search
    ///
    /// Queries are files that end in .cql, directories with such files, themes:* for all themes of
    /// the library, or themes:fork for one; the first may be a text, such as 'mate btm'. Games are files, directories, patterns, or - for
    /// standard input.
    #[arg(required = true, value_name = "QUERY… GAMES", value_hint = clap::ValueHint::AnyPath)]
    names: Vec<PathBuf>,
    /// Search these games, as if listed after the queries
    ///
    /// Can be repeated.
    #[arg(short, long, value_name = "GAMES",
        value_hint = clap::ValueHint::AnyPath)]
    input: Vec<PathBuf>,
    /// Search shards of games made by `cql split`
    ///
    /// Each shard has its own outputs in the output directory. Shards whose outputs exist are not
    /// searched again.
    #[arg(long, value_name = "FILE", conflicts_with = "input", requires = "output_dir",
        value_hint = clap::ValueHint::FilePath)]
    manifest: Option<PathBuf>,
    /// Search only one part of the shards or games, such as 3/8
    ///
    /// 3/8 is the third of eight parts.
    #[arg(long, value_name = "I/N", requires = "output_dir")]
    shard: Option<Fraction>,
    /// Write an output for each query and the summary to DIR
    ///
    /// The directory is created if it is missing.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    output_dir: Option<PathBuf>,
    /// Write the summary to FILE, as JSON if its name ends in .json, else as CSV
    ///
    /// By default, it is summary.csv in the output directory.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    summary: Option<PathBuf>,
    /// Write a table of puzzles with a column of matching queries
    ///
    /// The input is a table of Lichess puzzles; the new column lists the queries that match in each
    /// puzzle, such as `fork pin` for themes:*.
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath,
        conflicts_with_all = ["output_dir", "output", "stdout", "limit"])]
    tag_puzzles: Option<PathBuf>,
    /// Run the other queries if some have errors
    #[arg(long)]
    keep_going: bool,
    /// Search only games with these numbers: 1-100, or one number
    #[arg(long, value_name = "N-M", value_parser = numbers)]
    gamenumber: Option<(i32, i32)>,
    /// Search variations, whatever the queries say
    #[arg(long, conflicts_with = "mainline")]
    variations: bool,
    /// Search no variations, whatever the queries say
    #[arg(long)]
    mainline: bool,
    /// Add a filter before every query; can be repeated
    #[arg(long, alias = "query", value_name = "FILTER")]
    cql: Vec<String>,
    /// Limit the steps of loops and searches in a game
    ///
    /// The limit applies to each query.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    steps: Option<u64>,
    #[command(flatten)]
    reading: ReadingArgs,
    /// End the run with an error if a game is faulty
    ///
    /// A game is faulty if it cannot be read as written or exceeds a limit.
    #[arg(long)]
    strict: bool,
    /// Search the text even if there is an archive of the games
    #[arg(long)]
    no_index: bool,
    /// Forbid queries to access files or run other programs
    #[arg(long)]
    secure: bool,
    /// Let queries write to DIR, too; can be repeated
    ///
    /// They may always write to the working directory.
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    allow_write: Vec<PathBuf>,
    #[command(flatten)]
    programs: ProgramArgs,
    #[command(flatten)]
    dialect: DialectArgument,
    #[command(flatten)]
    look: ReportStyle,
    #[command(flatten)]
    outputs: OutputArgs,
}

/// Parses `N` or `N-M`.
fn numbers(text: &str) -> Result<(i32, i32), String> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok((first, last)),
        _ => Err("expected a number of at least 1, or a range such as 1-100".to_owned()),
    }
}

/// Runs all queries.
pub(super) fn run(arguments: &RunArgs) -> Result<(), Failure> {
    let results = arguments.results().map_err(Failure::Message)?;
    if let Some(manifest) = &arguments.manifest {
        let queries = find_queries(&arguments.names)?;
        refuse_equal_names(&queries, &results, arguments.outputs.format())?;
        return sharded::of_manifest(arguments, manifest, &queries);
    }
    let names = names::sort(&arguments.names, &arguments.input)?;
    let queries = find_queries(&names.queries)?;
    refuse_equal_names(&queries, &results, arguments.outputs.format())?;
    if let Some(fraction) = arguments.shard {
        return sharded::of_files(arguments, fraction, &names.games, &queries);
    }
    several::run(request(arguments, queries, results, RunInput::Named(&names.games))?)
}

/// Creates the request that the options describe.
fn request<'a>(
    arguments: &'a RunArgs,
    queries: Vec<NamedQuery>,
    results: Results<'a>,
    games: RunInput<'a>,
) -> Result<Request<'a>, Failure> {
    let filters = arguments.cql.iter().map(|filter| SourceText::new("--cql", filter.as_str()));
    let variations = match (arguments.variations, arguments.mainline) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    };
    let mut limits = arguments.reading.limits()?;
    if let Some(steps) = arguments.steps {
        limits.query.steps = steps;
    }
    let only_counts = match (&games, results) {
        // Shards are refused if the query sorts.
        (RunInput::Shard(_), _) | (_, Results::Table(_)) => false,
        (_, Results::Directory(_)) => arguments.outputs.only_counts(),
        (_, Results::SummaryOnly) => arguments.outputs.limit.is_none(),
    };
    Ok(Request {
        queries,
        filters: filters.collect(),
        compile: CompileOptions {
            variations,
            gamenumber: arguments.gamenumber,
            values: arguments.outputs.expressions(),
            dialect: arguments.dialect.get(),
            limits: limits.query,
            only_counts,
            ..CompileOptions::default()
        },
        games,
        no_index: arguments.no_index,
        look: arguments.look,
        how: arguments.reading.how()?,
        outputs: &arguments.outputs,
        results,
        summary: arguments.summary.as_deref(),
        json: arguments.reading.json,
        keep_going: arguments.keep_going,
        threads: arguments.reading.threads(),
        strict: arguments.strict,
        tag_puzzles: arguments.tag_puzzles.as_deref(),
        programs: &arguments.programs,
        file_rules: FileRules {
            secure: arguments.secure,
            allow_write: arguments.allow_write.clone(),
            originals: Arc::default(),
        },
    })
}

impl RunArgs {
    /// Returns the destination of the results, or an error if the options contradict each other.
    fn results(&self) -> Result<Results<'_>, String> {
        let outputs = &self.outputs;
        outputs.check()?;
        let one = if outputs.to_stdout() { Some(None) } else { outputs.file().map(Some) };
        if self.reading.json && outputs.to_stdout() {
            return Err(
                "--json prints the summary, --stdout prints the results: give only one of them"
                    .to_owned(),
            );
        }
        let results = match (&self.output_dir, one) {
            (Some(_), Some(_)) => {
                return Err(
                    "--output-dir writes a file for each query, -o and --stdout write one table \
                     for all: give only one of them"
                        .to_owned(),
                );
            }
            (Some(directory), None) => Results::Directory(directory),
            (None, Some(file)) => Results::Table(file),
            (None, None) => Results::SummaryOnly,
        };
        match results {
            Results::Directory(_) => {}
            Results::Table(_) => {
                if outputs.counts() {
                    return Err(
                        "counts of several queries cannot share a file: --output-dir writes \
                                one for each query, --summary the numbers of all"
                            .to_owned(),
                    );
                }
                if !outputs.format().has_columns() {
                    return Err(format!(
                        "the results of several queries in one file are a table: its name must \
                         end in one of {}, unless --format is given; --output-dir writes a file \
                         of any format for each query",
                        OutputFormat::extensions(OutputFormat::has_columns)
                    ));
                }
                if outputs.sample.is_some() {
                    return Err("--sample needs --output-dir, where each query has its own output"
                        .to_owned());
                }
            }
            Results::SummaryOnly => {
                let defaults = OutputArgs {
                    progress: outputs.progress,
                    force: outputs.force,
                    exclude: outputs.exclude,
                    limit: outputs.limit,
                    count: outputs.count,
                    ..OutputArgs::default()
                };
                if *outputs != defaults {
                    return Err(
                        "these options need an output: give --output-dir DIR or -o FILE".to_owned()
                    );
                }
            }
        }
        Ok(results)
    }
}

/// Reads all queries, those in directories in alphabetical order.
fn find_queries(names: &[PathBuf]) -> Result<Vec<NamedQuery>, Failure> {
    let mut queries = Vec::new();
    let mut complaints = Vec::new();
    for argument in names {
        match library::queries(argument) {
            None => {}
            Some(Ok(of_library)) => {
                queries.extend(of_library);
                continue;
            }
            Some(Err(message)) => {
                complaints.push(message);
                continue;
            }
        }
        let files = if argument.is_dir() {
            match queries_in(argument) {
                Ok(files) => files,
                Err(message) => {
                    complaints.push(message);
                    continue;
                }
            }
        } else {
            vec![argument.clone()]
        };
        for file in files {
            let named = match text::of_text(&file) {
                Some(source) => Ok((name_of_words(&file), source)),
                None => text::read(&file).map(|source| (name_of(&file), source)),
            };
            match named {
                Ok((name, source)) => queries.push(NamedQuery { name, source }),
                Err(Failure::Message(message)) => complaints.push(message),
                Err(other) => return Err(other),
            }
        }
    }
    let Some(last) = complaints.pop() else {
        return Ok(queries);
    };
    for complaint in complaints {
        tell_line!("error: {complaint}");
    }
    Err(Failure::Message(last))
}

/// Returns the name of a query that is a text, after which its output is named: the words of the
/// text, or `query` if it has only symbols.
fn name_of_words(text: &Path) -> String {
    let text = text.to_string_lossy();
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let name: String = words.collect::<Vec<_>>().join("-").chars().take(LONGEST_NAME).collect();
    if name.is_empty() { "query".to_owned() } else { name }
}

/// Returns the name of a query in a file, after which its output is named.
fn name_of(file: &Path) -> String {
    match file.file_stem() {
        Some(stem) if file != Path::new("-") => stem.to_string_lossy().into_owned(),
        _ => "stdin".to_owned(),
    }
}

/// Maximum length of the name of a query that is named by its text.
const LONGEST_NAME: usize = 40;

/// Returns the query files in a directory and below it, except hidden ones.
fn queries_in(directory: &Path) -> Result<Vec<PathBuf>, String> {
    let mut files = Vec::new();
    collect(directory, &mut files)
        .map_err(|error| format!("cannot read {}: {error}", directory.display()))?;
    if files.is_empty() {
        return Err(format!(
            "{} holds no queries: expected names that end in .cql",
            directory.display()
        ));
    }
    files.sort();
    Ok(files)
}

fn collect(directory: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        let path = entry.path();
        if entry.file_name().as_encoded_bytes().starts_with(b".") {
            continue;
        }
        // links to directories are skipped, since they may form cycles
        if entry.file_type()?.is_dir() {
            collect(&path, files)?;
        } else if path.extension() == Some(OsStr::new("cql")) && path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Refuses queries with equal names, since outputs and rows of the summary are named after them.
fn refuse_equal_names(
    queries: &[NamedQuery],
    results: &Results<'_>,
    format: OutputFormat,
) -> Result<(), Failure> {
    // some file systems ignore the case of letters
    let key = |query: &NamedQuery| query.name.to_lowercase();
    for (i, query) in queries.iter().enumerate() {
        let mut before = queries[..i].iter();
        if let Some(other) = before.find(|other| key(other) == key(query)) {
            return Err(Failure::Message(format!(
                "two queries have the name '{}': {} and {}; rename one of the files",
                query.name, other.source.name, query.source.name
            )));
        }
        if matches!(results, Results::Directory(_))
            && format == OutputFormat::Csv
            && key(query) == "summary"
        {
            return Err(context(
                query.source.name.as_str(),
                &"its output would be summary.csv, the summary of all queries; rename it",
            ));
        }
    }
    Ok(())
}

//! Reads and compiles the query of a search, and determines its input and output files.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use engine::{CompileOptions, Compiled, Program};
use syntax::help::finds_all;
use syntax::parse::Source;
use table::OutputFormat;

use super::Stdout;
use crate::args::{Options, default_output};
use crate::failure::{Failure, context};
use crate::games;
use crate::programs::tablebase_error;
use crate::report::{self, Reporter, SourceText, is_query};
use crate::subcommands::Subcommands;

/// The query if none is given: it matches every position.
const EMPTY_QUERY: &[u8] = b"cql().";

/// Name of [`EMPTY_QUERY`].
const NO_QUERY: &str = "(no query file)";

/// Size in bytes from which query texts are refused. No more than this is read.
const LARGEST_QUERY: u64 = 10_000_000;

/// Input and output files of a search.
pub(super) struct FileNames {
    /// Inputs to search; standard input if there are none.
    pub(super) inputs: Vec<PathBuf>,
    /// The output file; standard output or the screen if `None`.
    pub(super) output: Option<PathBuf>,
    /// Whether the games are shown on the screen.
    pub(super) is_on_screen: bool,
    /// Number of warnings about the query.
    pub(super) n_warnings: usize,
}

impl FileNames {
    pub(super) fn output_name(&self) -> String {
        name(self.output.as_deref(), "standard output")
    }
}

fn name(path: Option<&Path>, otherwise: &str) -> String {
    path.map_or_else(|| otherwise.to_owned(), |path| path.display().to_string())
}

/// Reads and compiles the query. Returns its texts as well.
pub(super) fn compile(
    options: &Options,
    subcommands: Subcommands,
    console: &mut Stdout,
) -> Result<(Arc<Program>, FileNames, Vec<SourceText>), Failure> {
    let mut sources = sources(options, subcommands)?;
    let n_filters = sources.len();
    if sources[0].text.starts_with(b"\xef\xbb\xbf") {
        console.line(format!("{} begins with a byte order mark", sources[0].name));
    }
    let Compiled { program, diagnostics, header } =
        compile_texts(&mut sources, &compile_options(options));
    // Diagnostics of the query go to standard output, too.
    if let Some((file, _)) = &header.input {
        games::refuse_stdout_in_games(&[PathBuf::from(file)])?;
    }
    let reporter = Reporter::new(&sources, options.look, &io::stdout());
    for text in reporter.reports(&diagnostics) {
        console.colored_line(&text);
    }
    if let Some(line) = report::more(&diagnostics, options.look) {
        console.line(line);
    }
    let n_warnings = diagnostics.len();
    let program = program.ok_or(Failure::Reported)?;
    if !options.check_only
        && let Some(error) = tablebase_error(&program, &options.programs, options.file_rules.secure)
    {
        console.colored_line(&reporter.report(&error));
        return Err(Failure::Reported);
    }

    if options.file_rules.secure && header.input.is_some() {
        let on_command_line = !options.inputs.is_empty() || options.pgn_from_stdin;
        if !on_command_line {
            return Err(Failure::Message(
                "--secure forbids the query to name the games: use -input on the command line"
                    .to_owned(),
            ));
        }
        console.note(
            "--secure does not read the `input` of the header: the games of the command line are \
             searched",
        );
    }
    let inputs = match header.input {
        _ if options.pgn_from_stdin || options.check_only => Vec::new(),
        _ if !options.inputs.is_empty() => options.inputs.clone(),
        Some((file, _)) if remote::is_address(Path::new(&file)) => {
            return Err(Failure::Message(format!(
                "the query names {}: give an address on the command line, since the author of a \
                 query is not trusted",
                remote::shown(Path::new(&file))
            )));
        }
        Some((file, _)) => vec![file.into()],
        None => {
            return Err(Failure::Message(
                "no games to search: list them after the query, use -input, or write 'input' in \
                 its header"
                    .to_owned(),
            ));
        }
    };
    let format = options.outputs.format();
    let is_on_screen = header.output.is_none() || options.board;
    let is_on_screen = is_on_screen && options.is_on_screen(io::stdout().is_terminal());
    if is_on_screen && header.output.is_some() {
        console.note("--board shows the games: the output that the header names is not written");
    }
    let output = match (options.outputs.file(), header.output) {
        _ if is_on_screen => None,
        _ if options.pgn_to_stdout || options.results_on_stdout() => None,
        (Some(file), in_header) => {
            if in_header.is_some() {
                console
                    .note(format!("Using command line argument for filename: {}", file.display()));
            }
            Some(file.to_owned())
        }
        (None, Some((file, _))) => {
            // A name in the header is that of a PGN file.
            let file = match format {
                OutputFormat::Pgn => PathBuf::from(file),
                other => Path::new(&file).with_extension(other.extension()),
            };
            permit_output(&file, options)?;
            Some(file)
        }
        (None, None) => Some(default_output(options.query.as_deref(), format.extension())),
    };
    sources.truncate(n_filters);
    sources.retain(|source| source.name != NO_QUERY);
    Ok((program, FileNames { inputs, output, is_on_screen, n_warnings }, sources))
}

/// Compiles a query with the filters in front of it. The expressions of the options are added to
/// `sources`.
pub(super) fn compile_texts(sources: &mut Vec<SourceText>, options: &CompileOptions) -> Compiled {
    let n_filters = sources.len();
    sources
        .extend(options.values.iter().map(|value| SourceText::new(&*value.source, &*value.text)));
    let texts: Vec<Source<'_>> = sources[1..n_filters].iter().map(SourceText::as_source).collect();
    sources[0].compile(&texts, options)
}

/// Checks the output file that a query names. It must have the extension of a result format, and
/// must not be an address. With `--secure`, it must also be in a directory that the query may write
/// to.
fn permit_output(file: &Path, options: &Options) -> Result<(), Failure> {
    let name = remote::shown(file);
    if remote::is_address(file) {
        return Err(Failure::Message(format!(
            "the query names {name} for its output: give an address on the command line, since \
             the author of a query is not trusted"
        )));
    }
    if OutputFormat::of_name(file).is_none() {
        return Err(Failure::Message(format!(
            "the query names {name} for its output, which does not end in {}: use -output on the \
             command line",
            OutputFormat::extensions(OutputFormat::has_files)
        )));
    }
    if options.file_rules.secure {
        let permitted = options.file_rules.permit_writing(&name);
        permitted.map_err(|message| {
            Failure::Message(format!(
                "--secure forbids the output that the query names: {message}; use -output on the \
                 command line"
            ))
        })?;
    }
    Ok(())
}

/// Returns the text of the query, followed by the filters of options.
fn sources(options: &Options, subcommands: Subcommands) -> Result<Vec<SourceText>, Failure> {
    if let Some(path) = &options.query {
        games::refuse_stdout_in_query(path)?;
    }
    let query = match &options.query {
        None => empty_query(),
        Some(path) if path == Path::new("-") => {
            let text = read(io::stdin().lock());
            let text = text.map_err(|error| context("cannot read standard input", &error))?;
            SourceText::new("standard input", text)
        }
        Some(path) => {
            let text = File::open(path).and_then(read);
            let text = text.map_err(|error| unreadable(path, options, subcommands, &error))?;
            SourceText::new(path.display().to_string(), text)
        }
    };
    let mut sources = vec![query];
    for filter in &options.preamble {
        sources.push(SourceText::new(&*filter.option, &*filter.text));
    }
    Ok(sources)
}

fn read(from: impl Read) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    from.take(LARGEST_QUERY).read_to_end(&mut text)?;
    Ok(text)
}

/// Returns an error that says why the query cannot be read, and what may have been meant.
fn unreadable(
    path: &Path,
    options: &Options,
    subcommands: Subcommands,
    error: &io::Error,
) -> Failure {
    let name = path.display();
    let hint = if let Some(whole) = name_in_parts(path, &options.inputs) {
        format!("; a name with blanks is quoted: cql \"{whole}\"")
    } else if path.is_dir() {
        "; `cql run` accepts directories of queries".to_owned()
    } else {
        let word = path.file_stem().and_then(OsStr::to_str).unwrap_or_default();
        let is_plain = path.components().count() == 1;
        match subcommands.hint(word) {
            _ if !is_plain => String::new(),
            Some(hint) => hint,
            None if word.contains(' ') && !is_query(word) => {
                format!("; there is no file or directory '{word}', either")
            }
            None if is_query(word) => {
                format!("; to give the query itself, write -cql '{word}'")
            }
            None => {
                let missing = options.inputs.iter().take_while(|input| !input.exists());
                let mut words = word.to_owned();
                missing.for_each(|input| words += &format!(" {}", input.display()));
                finds_all(&words).map_or_else(String::new, |found| format!("; {found}"))
            }
        }
    };
    Failure::Message(format!("cannot read {name}: {error}{hint}"))
}

/// Returns the name of a file with blanks that the shell has taken for several names: `my games.pgn`.
fn name_in_parts(first: &Path, others: &[PathBuf]) -> Option<String> {
    let mut whole = first.with_extension("").display().to_string();
    others.iter().find_map(|part| {
        whole += &format!(" {}", part.display());
        Path::new(&whole).is_file().then(|| whole.clone())
    })
}

/// Returns the query that is used if none is given.
pub(super) fn empty_query() -> SourceText {
    SourceText::new(NO_QUERY, EMPTY_QUERY)
}

pub(super) fn compile_options(options: &Options) -> CompileOptions {
    CompileOptions {
        values: options.outputs.expressions(),
        limits: options.limits.query.clone(),
        only_counts: options.outputs.only_counts(),
        ..options.compile.clone()
    }
}

//! Parses the command line of a search.
//!
//! [`parse`] turns arguments into a [`Command`]. It prints nothing, and opens only a table of openings;
//! of other files it asks whether they exist. Every option of the reference implementation is accepted
//! with one dash or two, in any case of letters, next to options of our own.

mod choice;
mod cursor;
mod fault;
pub(crate) mod help;
mod hhdb;
mod limits;
mod names;
mod options;
mod remarks;
mod slips;
mod values;

use std::ffi::{OsStr, OsString};
use std::mem;
use std::path::{Path, PathBuf};

use engine::CompileOptions;
use table::OutputFormat;

use crate::files::FileRules;
use crate::output::OutputArgs;
use crate::programs::ProgramArgs;
use crate::report::ReportStyle;
use crate::subcommands::Subcommands;
pub(crate) use choice::{ChoiceArgs, RANGE};
use cursor::Cursor;
use fault::{Parsed, fault, shown};
pub(crate) use hhdb::HELP as HHDB_HELP;
use input::{InputFormat, TextEncoding};
pub(crate) use limits::{LimitArgs, LimitsArgument};
pub(crate) use names::{default_output, is_query_file, is_surely_games};
use names::{games_name, is_games, query_name};
pub(crate) use options::GROUPS;
use options::{Effect, OptionRow};
use remarks::{Asked, remarks};

/// A parsed command line.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// `-help`
    Help,
    /// `-h`, or no arguments.
    ShortHelp,
    /// `-version`
    Version,
    /// `-hhdb help`
    HhdbHelp,
    /// Search games.
    Search(Box<Options>),
    /// `-a` and `-u`: respell a query in place.
    Respell {
        /// Whether to use Unicode signs instead of ASCII.
        unicode: bool,
        /// The query file.
        file: PathBuf,
    },
    /// `-utf8`: write a query in Unicode spelling to a file or to standard output.
    Utf8 {
        /// The query file.
        file: PathBuf,
        /// The file to write; standard output if `None`.
        output: Option<PathBuf>,
        /// Whether an existing file may be replaced.
        force: bool,
    },
    /// `-html`: write a query as a web page.
    Html {
        /// The query file.
        file: PathBuf,
        /// Whether an existing file may be replaced.
        force: bool,
    },
}

/// A filter given by an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Preamble {
    /// The option as it was typed, for error messages.
    pub(crate) option: String,
    /// The text of the filter.
    pub(crate) text: Vec<u8>,
}

/// Number of threads to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Threads {
    /// One for each processor.
    #[default]
    Default,
    /// This number.
    Exactly(usize),
}

/// Options of a search.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
    pub(crate) query: Option<PathBuf>,
    /// Inputs to search, in order; `-` is standard input.
    pub(crate) inputs: Vec<PathBuf>,
    /// Format of the inputs; `None` to detect it from their first bytes.
    pub(crate) input_format: Option<InputFormat>,
    /// Text encoding of the inputs; `None` to detect it from their bytes.
    pub(crate) encoding: Option<TextEncoding>,
    /// Output of the search and its format.
    pub(crate) outputs: OutputArgs,
    pub(crate) preamble: Vec<Preamble>,
    /// Options for compiling the query, without limits and named expressions.
    pub(crate) compile: CompileOptions,
    /// Style of the diagnostics of the query.
    pub(crate) look: ReportStyle,
    pub(crate) show_matches: bool,
    /// Whether to print progress dots; `None` if no option says so.
    pub(crate) progress: Option<bool>,
    pub(crate) line_increment: u64,
    pub(crate) threads: Threads,
    pub(crate) gui: bool,
    pub(crate) pgn_from_stdin: bool,
    pub(crate) pgn_to_stdout: bool,
    pub(crate) check_only: bool,
    /// Whether games are shown on the screen, with boards.
    pub(crate) board: bool,
    /// Whether nothing is printed about a run without trouble.
    pub(crate) is_quiet: bool,
    /// Whether the exit status tells whether games match.
    pub(crate) exit_status: bool,
    /// Whether counts are written as JSON.
    json: bool,
    pub(crate) strict: bool,
    /// Whether archives next to the games are ignored.
    pub(crate) no_index: bool,
    pub(crate) file_rules: FileRules,
    /// External programs that the query may use.
    pub(crate) programs: ProgramArgs,
    /// Limits on evaluation and decompression.
    pub(crate) limits: LimitArgs,
    /// Lines to print about options that do not do what was typed.
    pub(crate) remarks: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            query: None,
            inputs: Vec::new(),
            input_format: None,
            encoding: None,
            outputs: OutputArgs::default(),
            preamble: Vec::new(),
            compile: CompileOptions::default(),
            look: ReportStyle::default(),
            show_matches: false,
            progress: None,
            line_increment: 10_000,
            threads: Threads::Default,
            gui: false,
            pgn_from_stdin: false,
            pgn_to_stdout: false,
            check_only: false,
            board: false,
            is_quiet: false,
            exit_status: false,
            json: false,
            strict: false,
            no_index: false,
            file_rules: FileRules::default(),
            programs: ProgramArgs::default(),
            limits: LimitArgs::default(),
            remarks: Vec::new(),
        }
    }
}

impl Options {
    /// Whether standard output holds results only. Counts go there unless a file is named.
    pub(crate) fn results_on_stdout(&self) -> bool {
        self.outputs.to_stdout() || (self.outputs.counts() && self.outputs.file().is_none())
    }

    /// Returns what the options ask for, as far as others depend on it.
    fn asked(&self) -> Asked {
        Asked {
            check_only: self.check_only,
            format: self.outputs.format(),
            counts: self.outputs.counts(),
            groups: self.outputs.groups().next().is_some(),
            results_on_stdout: self.results_on_stdout(),
        }
    }

    /// Whether options alone say which games or positions to find, so that no query is needed.
    fn chooses_games(&self) -> bool {
        let compile = &self.compile;
        !self.preamble.is_empty()
            || compile.player.is_some()
            || compile.year.is_some()
            || compile.gamenumber.is_some()
            || compile.matchcount.is_some()
    }

    /// Adds a filter of the current option.
    fn add_filter(&mut self, cursor: &Cursor<'_>, text: Vec<u8>) {
        self.preamble.push(Preamble { option: cursor.option.clone(), text });
    }

    /// Whether matching games are shown on the screen: if an option says so, or if the query is in
    /// no file, nothing says where and how to write, and standard output is a terminal.
    pub(crate) fn is_on_screen(&self, is_terminal: bool) -> bool {
        let has_file = self.query.as_deref().is_some_and(|query| query != Path::new("-"));
        self.board || is_terminal && !has_file && !self.is_written()
    }

    /// Whether an option says where or how to write the results.
    fn is_written(&self) -> bool {
        self.outputs.format.is_some()
            || self.outputs.output.is_some()
            || self.results_on_stdout()
            || self.pgn_to_stdout
            || self.gui
    }
}

/// Whether there is an option of a search with this name, which has no dashes.
pub(crate) fn is_option(name: &str) -> bool {
    options::named(name).is_some()
}

/// Parses the arguments after the name of the program. Also returns whether they contain
/// `-exit-status`, which counts even if they have a fault.
pub(crate) fn parse(arguments: &[OsString], subcommands: Subcommands) -> (Parsed<Command>, bool) {
    let mut cursor = Cursor::new(arguments, subcommands);
    let mut options = Options::default();
    let instead = read(&mut cursor, &mut options);
    // An argument after a fault counts even if it is the value of another option.
    let exit_status = options.exit_status || cursor.has_option("exit-status");
    let search = || Command::Search(Box::new(options));
    (instead.map(|instead| instead.unwrap_or_else(search)), exit_status)
}

/// Whether arguments with a fault seem to ask for results on standard output. Nobody must read the
/// message about the fault as a result.
pub(crate) fn ask_for_stdout(arguments: &[OsString], subcommands: Subcommands) -> bool {
    let all = Cursor::new(arguments, subcommands);
    let output = all.value_of("o").or_else(|| all.value_of("output"));
    all.has_option("stdout")
        || output.map_or_else(
            || all.has_option("count") || all.has_option("count-by"),
            |output| output == "-",
        )
}

/// Reads the options of a search, or returns the command that replaces it.
fn read(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<Option<Command>> {
    if cursor.peek().is_none() {
        return Ok(Some(Command::ShortHelp));
    }
    let first = cursor.peek_option().and_then(|name| options::named(&name));
    if let Some(OptionRow { effect: Effect::First(read), .. }) = first {
        cursor.advance();
        return read(cursor).map(Some);
    }
    let mut names = Vec::new();
    loop {
        if let Some(name) = cursor.peek_option() {
            cursor.advance();
            if let Some(command) = option(&name, cursor, options)? {
                return Ok(Some(command));
            }
            cursor.finish_option()?;
        } else if cursor.ends_options() {
            names.extend(cursor.take_all());
            break;
        } else {
            match cursor.take() {
                Some(name) => names.push(name),
                None => break,
            }
        }
    }
    arrange(&names, options, cursor.subcommands)?;
    let output = options.outputs.output.take();
    let outputs = mem::take(&mut cursor.outputs).finish()?;
    options.outputs = OutputArgs { output, ..outputs };
    if options.json {
        options.outputs.write_json()?;
    }
    options.outputs.check()?;
    check_together(options)?;
    options.remarks = remarks(&cursor.given, options.asked());
    options.remarks.extend(late_assignments(&options.preamble));
    Ok(None)
}

/// Assigns the names on the command line to the query and the inputs.
fn arrange(names: &[&OsStr], options: &mut Options, subcommands: Subcommands) -> Parsed<()> {
    let has_filters = options.chooses_games();
    let is_lone_input = names == [OsStr::new("-")] && has_filters && options.inputs.is_empty();
    // Games may precede the query file, since their names are unambiguous.
    let query = match names.first() {
        None => return Ok(()),
        Some(_) if is_lone_input => None,
        Some(first) if !is_games(first) => Some(0),
        Some(_) => match names.iter().position(|name| is_query_file(name)) {
            None if has_filters => None,
            None => {
                let whole = if options.outputs.output.is_some() { "true" } else { "mate" };
                return fault(no_query(names, whole, subcommands));
            }
            place => place,
        },
    };
    if let Some(place) = query {
        options.query = Some(query_name(names[place])?);
    }
    for (place, name) in names.iter().enumerate() {
        if query == Some(place) {
            continue;
        }
        let games = games_name(name, "after the query file").map_err(|message| {
            let first = names[0].to_string_lossy();
            let hint = subcommands.hint(&first).filter(|_| !is_query_file(names[0]));
            message + &hint.unwrap_or_else(|| "; `cql run` runs several".to_owned())
        })?;
        options.inputs.push(games);
    }
    Ok(())
}

/// Returns the message for games without a query. Names of no files among them were probably meant
/// as the query; without any, `example` is proposed.
fn no_query(names: &[&OsStr], example: &str, subcommands: Subcommands) -> String {
    let first = names[0].to_string_lossy();
    let is_query = |name: &&&OsStr| !is_games(name);
    let query: Vec<_> = names.iter().filter(is_query).map(|name| name.to_string_lossy()).collect();
    let query = if query.is_empty() { example.to_owned() } else { query.join(" ") };
    format!(
        "there is no query for {}: give it with -cql, as in -cql '{query}', or in a file, whose name \
         must end in .cql{}",
        shown(names[0]),
        subcommands.hint(&first).unwrap_or_default()
    )
}

/// Returns the lines about assignments after filters that use their names.
fn late_assignments(preamble: &[Preamble]) -> Vec<String> {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$".contains(byte);
    let assigned = |filter: &Preamble| {
        let is_assigned = filter.option.to_ascii_lowercase().ends_with("-assign");
        let name = filter.text.split(|byte| *byte == b'=').next();
        name.filter(|_| is_assigned).map(<[u8]>::to_vec)
    };
    let mut lines = Vec::new();
    for (at, later) in preamble.iter().enumerate() {
        let Some(name) = assigned(later) else {
            continue;
        };
        let uses_it =
            |filter: &&Preamble| filter.text.split(|byte| !is_word(byte)).any(|word| word == name);
        if let Some(user) = preamble[..at].iter().find(uses_it) {
            let is_again = assigned(user).as_ref() == Some(&name);
            let (option, user) = (&later.option, &user.option);
            let name = String::from_utf8_lossy(&name);
            lines.push(if is_again {
                format!("{option} {name} is given more than once: the last one counts")
            } else {
                format!("{option} {name} has no effect on {user} before it: write {option} first")
            });
        }
    }
    lines
}

/// Checks combinations of options after all of them are known.
fn check_together(options: &Options) -> Parsed<()> {
    if options.pgn_from_stdin && !options.inputs.is_empty() {
        return fault("-guipgnstdin reads standard input: no other games can be given");
    }
    if options.pgn_to_stdout && options.outputs.output.is_some() {
        return fault("-guipgnstdout writes standard output: -o cannot be given as well");
    }
    if options.pgn_to_stdout
        && (options.outputs.stdout || options.outputs.format() != OutputFormat::Pgn)
    {
        return fault("-guipgnstdout writes PGN for front ends: no other output can be given");
    }
    if options.board && options.is_written() {
        return fault("--board shows games on the screen: no other output can be given");
    }
    let is_checked_alone = options.check_only && options.chooses_games();
    if options.query.is_none()
        && options.inputs.is_empty()
        && !options.pgn_from_stdin
        && !is_checked_alone
    {
        return fault(if options.chooses_games() {
            "no games to search: name their files, directories or archives, or - for standard input"
        } else {
            "no query: name its file, or give its filters with -cql"
        });
    }
    let takes_query = options.query.as_deref() == Some(Path::new("-"));
    if takes_query
        && (options.pgn_from_stdin || options.inputs.iter().any(|name| name == Path::new("-")))
    {
        return fault("standard input cannot hold both the query and the games");
    }
    Ok(())
}

/// Applies one option. Returns a command if the option replaces the search, such as `-help`.
fn option(name: &str, cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<Option<Command>> {
    let Some(row) = options::named(name) else {
        return if options::is_ignored(name) {
            Ok(None)
        } else {
            fault(slips::unknown_option(&cursor.option, cursor.subcommands))
        };
    };
    let unread = cursor.unread();
    match row.effect {
        Effect::Set(set) => set(options),
        Effect::Read(read) | Effect::Replace(read) => read(cursor, options)?,
        Effect::Filter(read) => {
            let text = read(cursor)?;
            options.add_filter(cursor, text);
        }
        Effect::Transform(family) => options.compile.transforms.push(family),
        Effect::Output => {
            let value = match row.value {
                "" => None,
                value if cursor.lacks_value(is_option) => {
                    return fault(format!("{0} needs a value: {0} {value}", cursor.option));
                }
                _ => Some(cursor.value("a value")?),
            };
            cursor.outputs.add(name, value);
        }
        Effect::Program(what, set) | Effect::AddProgram(what, set) => {
            program_option(what, set, cursor, options)?;
        }
        Effect::Instead(read) => return read(cursor, options),
        Effect::First(_) => return fault(slips::not_first(&cursor.option, row)),
    }
    cursor.note(row.bare_names().next().unwrap_or_default(), row.replaces(), unread);
    Ok(None)
}

/// Applies an option about external programs, whose value is `what`.
fn program_option(
    what: &str,
    set: fn(&mut ProgramArgs, &str) -> Result<(), String>,
    cursor: &mut Cursor<'_>,
    options: &mut Options,
) -> Parsed<()> {
    let value = cursor.value(what)?;
    let option = &cursor.option;
    let value = value.to_str().ok_or_else(|| format!("{option} needs a value in UTF-8"))?;
    set(&mut options.programs, value).map_err(|message| format!("{option}: {message}"))
}

#[cfg(test)]
mod tests;

//! Parses the command line of a search.
//!
//! [`parse`] is a pure function from arguments to a [`Command`]: it opens nothing and prints
//! nothing. Every option of the reference implementation is accepted with one dash or two, in any
//! case of letters, next to options of our own.

mod cursor;
pub(crate) mod described;
mod hhdb;
mod limits;
mod names;
mod slips;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use engine::CompileOptions;
use syntax::Dialect;
use syntax::tree::{CommentLevel, TransformFamily};
use table::Format;

use crate::files::FileRules;
use crate::output::{ByName, OutputArgs};
use crate::programs::ProgramArgs;
use crate::report::Look;
use cursor::Cursor;
pub(crate) use hhdb::HELP as HHDB_HELP;
use input::{InputFormat, TextEncoding};
pub(crate) use limits::{LimitArgs, LimitsArgument};
pub(crate) use names::{default_output, is_query_file, is_surely_games};
use names::{games_name, query_name};
pub(crate) use slips::short;

/// A parsed command line.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// `-help`, or no arguments.
    Help,
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
    pub(crate) look: Look,
    pub(crate) show_matches: bool,
    /// Whether to print progress dots; `None` if no option says so.
    pub(crate) progress: Option<bool>,
    pub(crate) line_increment: u64,
    pub(crate) threads: Threads,
    pub(crate) gui: bool,
    pub(crate) pgn_from_stdin: bool,
    pub(crate) pgn_to_stdout: bool,
    pub(crate) check_only: bool,
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
            look: Look::default(),
            show_matches: false,
            progress: None,
            line_increment: 10_000,
            threads: Threads::Default,
            gui: false,
            pgn_from_stdin: false,
            pgn_to_stdout: false,
            check_only: false,
            json: false,
            strict: false,
            no_index: false,
            file_rules: FileRules::default(),
            programs: ProgramArgs::default(),
            limits: LimitArgs::default(),
        }
    }
}

impl Options {
    /// Whether standard output holds results only. Counts go there unless a file is named.
    pub(crate) fn results_on_stdout(&self) -> bool {
        self.outputs.to_stdout() || (self.outputs.counts() && self.outputs.file().is_none())
    }
}

/// Result of parsing. The error message is lower case, without a full stop.
type Parsed<T> = Result<T, String>;

fn fault<T>(message: impl Into<String>) -> Parsed<T> {
    Err(message.into())
}

/// Lookups of subcommands for error messages: a misspelled argument may be meant for one.
#[derive(Clone, Copy)]
pub(crate) struct Subcommands {
    /// Returns the subcommand whose name is nearest to a word.
    pub(crate) nearest: fn(&str) -> Option<String>,
    /// Returns the subcommand that has an option of this name.
    pub(crate) with_option: fn(&str) -> Option<String>,
}

/// Parses the arguments after the name of the program.
pub(crate) fn parse(arguments: &[OsString], subcommands: Subcommands) -> Parsed<Command> {
    let mut cursor = Cursor::new(arguments, subcommands);
    match cursor.peek_option().as_deref() {
        None if arguments.is_empty() => return Ok(Command::Help),
        Some(name @ ("a" | "u")) => {
            let unicode = name == "u";
            cursor.advance();
            let file = query_name(cursor.value("a query file")?)?;
            return Ok(Command::Respell { unicode, file });
        }
        Some("utf8") => {
            cursor.advance();
            return utf8(&mut cursor);
        }
        Some("html") => {
            cursor.advance();
            let file = query_name(cursor.value("a query file")?)?;
            let force = force(&mut cursor);
            return Ok(Command::Html { file, force });
        }
        _ => {}
    }
    let mut options = Options::default();
    let mut names = Vec::new();
    loop {
        if let Some(name) = cursor.peek_option() {
            cursor.advance();
            if let Some(command) = option(&name, &mut cursor, &mut options)? {
                return Ok(command);
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
    arrange(&names, &mut options, subcommands)?;
    let output = options.outputs.output.take();
    let outputs = cursor.outputs.finish()?;
    options.outputs = OutputArgs { output, ..outputs };
    if options.json {
        options.outputs.write_json()?;
    }
    options.outputs.check()?;
    check_together(&options)?;
    Ok(Command::Search(Box::new(options)))
}

/// Assigns the names on the command line to the query and the inputs.
fn arrange(names: &[&OsStr], options: &mut Options, subcommands: Subcommands) -> Parsed<()> {
    let has_filters = !options.preamble.is_empty();
    let is_lone_input = names == [OsStr::new("-")] && has_filters && options.inputs.is_empty();
    // Games may precede the query file, since their names are unambiguous.
    let query = match names.first() {
        None => return Ok(()),
        Some(_) if is_lone_input => None,
        Some(first) if !is_surely_games(first) => Some(0),
        Some(_) => match names.iter().position(|name| is_query_file(name)) {
            None if has_filters => None,
            place => Some(place.unwrap_or(0)),
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
            match (subcommands.nearest)(&first).filter(|_| !is_query_file(names[0])) {
                Some(near) => format!("{message}; did you mean the subcommand `cql {near}`?"),
                None => format!("{message}; `cql run` runs several"),
            }
        })?;
        options.inputs.push(games);
    }
    Ok(())
}

fn utf8(cursor: &mut Cursor<'_>) -> Parsed<Command> {
    let file = query_name(cursor.value("a query file")?)?;
    let output = match cursor.peek_option().as_deref() {
        Some("o" | "output") => {
            cursor.advance();
            Some(query_name(cursor.value("a query file to write")?)?)
        }
        Some(other) => {
            return fault(format!("-utf8 FILE can be followed only by -o, not by -{other}"));
        }
        None => None,
    };
    let force = force(cursor);
    if let Some(extra) = cursor.peek() {
        return fault(format!("-utf8 FILE can be followed only by -o: found {}", shown(extra)));
    }
    Ok(Command::Utf8 { file, output, force })
}

/// Consumes the next argument if it is `-force`. Returns whether it was.
fn force(cursor: &mut Cursor<'_>) -> bool {
    let is_next = cursor.peek_option().as_deref() == Some("force");
    if is_next {
        cursor.advance();
    }
    is_next
}

/// Checks combinations of options after all of them are known.
fn check_together(options: &Options) -> Parsed<()> {
    if options.pgn_from_stdin && !options.inputs.is_empty() {
        return fault("-guipgnstdin reads standard input: no other games can be given");
    }
    if options.pgn_to_stdout && options.outputs.output.is_some() {
        return fault("-guipgnstdout writes standard output: -o cannot be given as well");
    }
    if options.pgn_to_stdout && (options.outputs.stdout || options.outputs.format() != Format::Pgn)
    {
        return fault("-guipgnstdout writes PGN for front ends: no other output can be given");
    }
    if options.query.is_none() && options.inputs.is_empty() && !options.pgn_from_stdin {
        return fault("no query: name its file, or give its filters with -cql");
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
    match name {
        "help" | "h" => return Ok(Some(Command::Help)),
        "version" | "v" => return Ok(Some(Command::Version)),
        "hhdb" => return hhdb_option(cursor, options),

        // Files.
        "i" | "input" => {
            let file = cursor.value("a file of games")?;
            options.inputs.push(games_name(file, &cursor.option)?);
        }
        "vi" => options.inputs.push("hhdbvi.pgn".into()),
        "vii" => options.inputs.push("hhdbvii.pgn".into()),
        "input-format" => options.input_format = input_format(cursor)?,
        "encoding" => options.encoding = encoding(cursor)?,
        "o" | "output" => {
            let file = cursor.value("a file")?;
            if options.outputs.output.is_some() {
                return fault("more than one output file is given on the command line");
            }
            options.outputs.output = Some(PathBuf::from(file));
        }

        // Options that the header can set, too.
        "g" | "gamenumber" => options.compile.gamenumber = Some(cursor.range(1)?),
        "matchcount" => options.compile.matchcount = Some(cursor.range(0)?),
        "variations" => options.compile.variations = Some(true),
        "mainline" => options.compile.variations = Some(false),
        "matchstring" => {
            let text = cursor.value("a string")?;
            options.compile.matchstring = Some(text.as_encoded_bytes().to_vec());
        }
        "quiet" => set_level(options, CommentLevel::Quiet)?,
        "silent" => set_level(options, CommentLevel::Silent)?,

        // Writing of matching games.
        "noheader" | "noheaders" => options.compile.writing.no_header = true,
        "noremovecomment" => options.compile.writing.no_removecomment = true,
        "nosettag" => options.compile.writing.no_settag = true,
        "nosortcomments" => options.compile.writing.no_sort_comments = true,
        "uniquecomments" => options.compile.writing.unique_comments = true,
        "nouniquecomments" => options.compile.writing.unique_comments = false,
        "allcomments" => options.compile.writing.all_comments = true,
        "elidecomments" => options.compile.writing.elided.comments = true,
        "noelidecomments" => options.compile.writing.elided.comments = false,
        "elidenags" => options.compile.writing.elided.nags = true,
        "noelidenags" => options.compile.writing.elided.nags = false,
        "elidevariations" => options.compile.writing.elided.variations = true,
        "noelidevariations" => options.compile.writing.elided.variations = false,
        "pgnlinewidth" => {
            options.compile.writing.line_width = cursor.number(1, i32::MAX)? as usize;
        }
        "includetagpattern" => {
            let pattern = cursor.value("a regular expression")?;
            options.compile.include_tags = Some(pattern.as_encoded_bytes().to_vec());
        }
        "excludetagpattern" => {
            let pattern = cursor.value("a regular expression")?;
            options.compile.exclude_tags = Some(pattern.as_encoded_bytes().to_vec());
        }
        "alwayscomment" => options.compile.writing.always_comment = true,
        "outputbuffer" => {
            let most = engine::LARGEST_OUTPUT_BUFFER as i32;
            options.compile.output_buffer = Some(cursor.number(100_001, most)? as usize);
        }

        // Selection of games.
        "player" => {
            let name = cursor.value("a regular expression")?;
            if options.compile.player.is_some() {
                return fault("-player can be given only once");
            }
            options.compile.player = Some(name.as_encoded_bytes().to_vec());
        }
        "year" => options.compile.year = Some(cursor.range(1)?),

        // The run.
        "showmatches" => options.show_matches = true,
        "showoutput" => options.progress = Some(true),
        "nooutputstatus" => options.progress = Some(false),
        "lineincrement" => {
            options.line_increment = cursor.number(1, i32::MAX)? as u64;
            options.progress = Some(true);
        }
        "s" | "singlethreaded" => options.threads = Threads::Exactly(1),
        "m" | "multithreaded" => options.threads = Threads::Default,
        "threads" => options.threads = Threads::Exactly(cursor.number(1, 4096)? as usize),
        "strict" => options.strict = true,
        "no-index" => options.no_index = true,
        "secure" => options.file_rules.secure = true,
        "allow-write" => {
            let directory = PathBuf::from(cursor.value("a directory")?);
            options.file_rules.allow_write.push(directory);
        }
        "steps" => options.limits.query.steps = cursor.large_number()?,
        "limits" => {
            let value = cursor.value("NAME=N")?.to_string_lossy();
            options.limits.set(&value)?;
        }
        "variantalias" => {
            let value = cursor.value("NAME=VARIANT")?.to_string_lossy();
            let (name, variant) = value
                .split_once('=')
                .ok_or_else(|| format!("{} needs NAME=VARIANT, not '{value}'", cursor.option))?;
            let names = &mut options.compile.variants;
            names.add(name.as_bytes(), variant.as_bytes())?;
        }
        "parse" => options.check_only = true,
        "json" => options.json = true,
        "dialect" => options.compile.dialect = dialect(cursor)?,
        "message-format" | "messageformat" => options.look.format = cursor.choice()?,
        "color" => options.look.color = cursor.choice()?,
        "gui" => options.gui = true,
        "guipgnstdin" => options.pgn_from_stdin = true,
        "guipgnstdout" => options.pgn_to_stdout = true,

        // Debugging aids of the reference, accepted without effect.
        "lex" | "d" | "debug" | "showfromstring" | "echo" | "colorize" | "nolinearize"
        | "showthread" => {}

        "a" | "u" | "html" | "utf8" => {
            return fault(format!("{} must be the first argument", cursor.option));
        }
        _ if program_option(name, cursor, options)? => {}
        _ => {
            if let Some(takes_value) = ByName::takes_value(name) {
                let value = match takes_value {
                    true => Some(cursor.value("a value")?),
                    false => None,
                };
                cursor.outputs.add(name, value);
            } else if let Some(family) = transform(name) {
                options.compile.transforms.push(family);
            } else if let Some(filters) = preamble(name, cursor, options)? {
                options.preamble.push(Preamble { option: cursor.option.clone(), text: filters });
            } else {
                return fault(slips::unknown_option(&cursor.option, cursor.subcommands));
            }
        }
    }
    Ok(None)
}

/// Applies an option about external programs. Returns whether `name` is such an option.
fn program_option(name: &str, cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<bool> {
    let option = cursor.option.clone();
    let value = |what: &'static str| {
        cursor
            .value(what)?
            .to_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("{option} needs a value in UTF-8"))
    };
    let taken = options.programs.add(name, value);
    taken.map_err(|message| match message.starts_with(&option) {
        true => message,
        false => format!("{option}: {message}"),
    })
}

/// Reads the name of an encoding; `None` for `auto`.
fn encoding(cursor: &mut Cursor<'_>) -> Parsed<Option<TextEncoding>> {
    let value = cursor.value("the name of an encoding")?;
    let encoding = TextEncoding::from_option(&value.to_string_lossy());
    encoding.map_err(|message| format!("{}: {message}", cursor.option))
}

/// Reads the name of an input format; `None` for `auto`.
fn input_format(cursor: &mut Cursor<'_>) -> Parsed<Option<InputFormat>> {
    let value = cursor.value("the name of a format")?;
    let name = value.to_string_lossy().to_ascii_lowercase();
    match InputFormat::from_name(&name) {
        Some(format) => Ok(Some(format)),
        None if name == "auto" => Ok(None),
        None => fault(format!(
            "{} needs one of auto, {}, not {}",
            cursor.option,
            InputFormat::names(", "),
            shown(value)
        )),
    }
}

fn set_level(options: &mut Options, level: CommentLevel) -> Parsed<()> {
    if options.compile.level.is_some() {
        return fault("only one of -quiet and -silent can be given, and only once");
    }
    options.compile.level = Some(level);
    Ok(())
}

/// Reads the name of a dialect; `None` for `auto`.
fn dialect(cursor: &mut Cursor<'_>) -> Parsed<Option<Dialect>> {
    let value = cursor.value("the name of a dialect")?;
    let name = value.to_string_lossy().to_ascii_lowercase();
    match Dialect::from_name(&name) {
        Some(dialect) => Ok(Some(dialect)),
        None if name == "auto" => Ok(None),
        None => fault(format!("-dialect needs auto, cql6, cql5 or classic, not {}", shown(value))),
    }
}

fn transform(name: &str) -> Option<TransformFamily> {
    let mut families = TransformFamily::ALL.iter().copied();
    families.find(|family| family.word() == name)
}

/// Returns the filter that an option stands for, or `None` if there is no such option.
fn preamble(name: &str, cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<Option<Vec<u8>>> {
    let text = match name {
        "wtm" | "btm" => name.as_bytes().to_vec(),
        "virtualmainline" => {
            options.compile.variations = Some(true);
            b"virtualmainline".to_vec()
        }
        "white" | "black" => {
            cursor.quoted(&format!("player {name} ~~ "), "a regular expression")?
        }
        "event" | "site" | "fen" => cursor.quoted(&format!("{name} "), "a string")?,
        "result" => {
            let value = cursor.value("a result")?;
            match value.as_encoded_bytes() {
                result @ (b"1-0" | b"0-1" | b"1/2-1/2" | b"*") => quote("result ", result),
                _ => {
                    return fault(format!(
                        "-result needs 1-0, 0-1, 1/2-1/2 or *, not {}",
                        shown(value)
                    ));
                }
            }
        }
        // Unchanged, so that messages show it as typed; the parser makes one block of each text.
        "cql" => cursor.value("a query")?.as_encoded_bytes().to_vec(),
        "assign" => assignment(cursor)?,
        "similarposition" => {
            let mut text = "similarposition ".to_owned();
            while let Some(word) = cursor.take_word(&["nosort", "notransform"]) {
                text += word;
                text.push(' ');
            }
            let file = cursor.value("a PGN file")?;
            cursor.pgn_file(file)?;
            quote(&text, cursor.unquoted(file)?)
        }
        _ => return Ok(None),
    };
    Ok(Some(text))
}

/// Reads `-assign ID V` as the filter `ID=V`.
fn assignment(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let name = cursor.value("the name of a variable")?;
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty() || !bytes.iter().all(|&b| b.is_ascii_alphanumeric() || b"_$".contains(&b)) {
        return fault(format!(
            "-assign needs the name of a variable (letters, digits, _ and $), not {}",
            shown(name)
        ));
    }
    let value = cursor.value("the value of a variable")?;
    let digits = value.as_encoded_bytes();
    let digits = digits.strip_prefix(b"-").unwrap_or(digits);
    let head = [bytes, b"="].concat();
    if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
        Ok([&head, value.as_encoded_bytes()].concat())
    } else {
        Ok([&head, quote("", cursor.unquoted(value)?).as_slice()].concat())
    }
}

fn hhdb_option(cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<Option<Command>> {
    if cursor.take_word(&["help", "info"]).is_some() {
        return Ok(Some(Command::HhdbHelp));
    }
    let text = hhdb::filters(cursor)?;
    options.preamble.push(Preamble { option: cursor.option.clone(), text });
    Ok(None)
}

/// Returns `PREFIX"VALUE"`.
fn quote(prefix: &str, value: &[u8]) -> Vec<u8> {
    [prefix.as_bytes(), b"\"", value, b"\""].concat()
}

/// Returns an argument in quotes for a message.
fn shown(argument: &OsStr) -> String {
    format!("'{}'", argument.to_string_lossy())
}

#[cfg(test)]
mod tests;

//! The command line of a search as a value.
//!
//! [`parse`] is a pure function from arguments to a [`Command`]: it opens nothing and prints
//! nothing. Every option of the reference implementation exists with one dash and with two, in
//! any case of letters; options of our own stand beside them.

mod hhdb;
mod limits;
mod names;

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use clap::ValueEnum;
use syntax::Dialect;
use syntax::tree::{CommentLevel, TransformFamily};

use crate::files::FileRules;
use crate::output::{ByName, Format, OutputArgs};
use crate::report::Look;
pub(crate) use hhdb::HELP as HHDB_HELP;
use input::InputFormat;
pub(crate) use limits::{LimitArgs, LimitsArgument};
pub(crate) use names::default_output;
use names::{games_name, is_pgn_name, query_name};

/// What to print for `-help`; [`crate::command::help`] puts the subcommands in.
pub(crate) const HELP: &str = include_str!("args/help.txt");

/// What the program is asked to do.
#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// `-help`, or no arguments at all.
    Help,
    /// `-version`
    Version,
    /// `-hhdb help`
    HhdbHelp,
    /// Search games.
    Search(Box<Options>),
    /// `-a` and `-u`: respell a query in place.
    Respell {
        /// To the signs of Unicode, else to ASCII.
        unicode: bool,
        /// The query file.
        file: PathBuf,
    },
    /// `-utf8`: a query in Unicode spelling, to a file or to standard output.
    Utf8 {
        /// The query file.
        file: PathBuf,
        /// Where to write.
        output: Option<PathBuf>,
    },
    /// `-html`: a query as a web page.
    Html {
        /// The query file.
        file: PathBuf,
    },
}

/// A filter given by an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Preamble {
    /// The option, as errors name it.
    pub(crate) option: String,
    /// The text of the filter.
    pub(crate) text: Vec<u8>,
}

/// How many threads to use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Threads {
    /// One for each processor.
    #[default]
    Default,
    /// This many.
    Exactly(usize),
}

/// Everything that a search is told on the command line.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Options {
    pub(crate) query: Option<PathBuf>,
    /// What to search, in order; `-` is standard input.
    pub(crate) inputs: Vec<PathBuf>,
    /// Told from the first bytes where nothing is said.
    pub(crate) input_format: Option<InputFormat>,
    /// Where the result goes, and as what.
    pub(crate) outputs: OutputArgs,
    pub(crate) preamble: Vec<Preamble>,
    pub(crate) gamenumber: Option<(i32, i32)>,
    pub(crate) matchcount: Option<(i32, i32)>,
    pub(crate) variations: Option<bool>,
    pub(crate) level: Option<CommentLevel>,
    pub(crate) matchstring: Option<Vec<u8>>,
    pub(crate) no_header: bool,
    pub(crate) no_removecomment: bool,
    pub(crate) no_settag: bool,
    pub(crate) no_sort_comments: bool,
    pub(crate) unique_comments: bool,
    pub(crate) always_comment: bool,
    pub(crate) player: Option<Vec<u8>>,
    pub(crate) year: Option<(i32, i32)>,
    /// The first one is applied last: it is outermost.
    pub(crate) transforms: Vec<TransformFamily>,
    /// Told from the query where nothing is said.
    pub(crate) dialect: Option<Dialect>,
    /// How diagnostics of the query are shown.
    pub(crate) look: Look,
    pub(crate) show_matches: bool,
    /// On by default; `Some` if it was asked for or forbidden.
    pub(crate) progress: Option<bool>,
    pub(crate) line_increment: u64,
    pub(crate) threads: Threads,
    pub(crate) output_buffer: Option<usize>,
    pub(crate) gui: bool,
    pub(crate) pgn_from_stdin: bool,
    pub(crate) pgn_to_stdout: bool,
    pub(crate) check_only: bool,
    pub(crate) strict: bool,
    pub(crate) file_rules: FileRules,
    /// How much may be taken of what there is.
    pub(crate) limits: LimitArgs,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            query: None,
            inputs: Vec::new(),
            input_format: None,
            outputs: OutputArgs::default(),
            preamble: Vec::new(),
            gamenumber: None,
            matchcount: None,
            variations: None,
            level: None,
            matchstring: None,
            no_header: false,
            no_removecomment: false,
            no_settag: false,
            no_sort_comments: false,
            unique_comments: true,
            always_comment: false,
            player: None,
            year: None,
            transforms: Vec::new(),
            dialect: None,
            look: Look::default(),
            show_matches: false,
            progress: None,
            line_increment: 10_000,
            threads: Threads::Default,
            output_buffer: None,
            gui: false,
            pgn_from_stdin: false,
            pgn_to_stdout: false,
            check_only: false,
            strict: false,
            file_rules: FileRules::default(),
            limits: LimitArgs::default(),
        }
    }
}

impl Options {
    /// Whether standard output is for the result alone. Counts go there unless a file is named.
    pub(crate) fn results_on_stdout(&self) -> bool {
        self.outputs.to_stdout() || (self.outputs.counts() && self.outputs.file().is_none())
    }
}

/// Why a command line cannot be carried out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct UsageError {
    /// What is wrong: lower case, no full stop.
    pub(crate) message: String,
    /// The fault is an option that does not exist, so that the help is worth printing.
    pub(crate) unknown_option: bool,
}

type Parsed<T> = Result<T, UsageError>;

fn fault<T>(message: impl Into<String>) -> Parsed<T> {
    Err(UsageError {
        message: message.into(),
        unknown_option: false,
    })
}

fn usage(message: String) -> UsageError {
    UsageError {
        message,
        unknown_option: false,
    }
}

/// Reads the arguments that follow the name of the program.
pub(crate) fn parse(arguments: &[OsString]) -> Parsed<Command> {
    let mut cursor = Cursor {
        rest: arguments,
        option: String::new(),
        outputs: ByName::default(),
    };
    match cursor.peek_option().as_deref() {
        None if cursor.rest.is_empty() => return Ok(Command::Help),
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
            return Ok(Command::Html { file });
        }
        _ => {}
    }
    let mut options = Options::default();
    while let Some(name) = cursor.peek_option() {
        cursor.advance();
        if let Some(command) = option(&name, &mut cursor, &mut options)? {
            return Ok(command);
        }
    }
    // An empty argument ends the options.
    if cursor.rest.first().is_some_and(|next| next.is_empty()) {
        cursor.rest = &cursor.rest[1..];
    }
    if let Some((file, rest)) = cursor.rest.split_first() {
        options.query = Some(query_name(file)?);
        for games in rest {
            if is_option(games) {
                return fault(format!(
                    "options come before the query file: found {} after {}",
                    shown(games),
                    shown(file)
                ));
            }
            options
                .inputs
                .push(games_name(games, "behind the query file")?);
        }
    }
    let output = options.outputs.output.take();
    let outputs = cursor.outputs.finish().map_err(usage)?;
    options.outputs = OutputArgs { output, ..outputs };
    options.outputs.check().map_err(usage)?;
    check_together(&options)?;
    Ok(Command::Search(Box::new(options)))
}

fn utf8(cursor: &mut Cursor<'_>) -> Parsed<Command> {
    let file = query_name(cursor.value("a query file")?)?;
    let output = match cursor.peek_option().as_deref() {
        Some("o" | "output") => {
            cursor.advance();
            Some(query_name(cursor.value("a query file to write")?)?)
        }
        Some(other) => {
            return fault(format!(
                "-utf8 FILE can only be followed by -o, not -{other}"
            ));
        }
        None => None,
    };
    if let Some(extra) = cursor.rest.first() {
        return fault(format!(
            "nothing can follow -utf8 FILE but -o: found {}",
            shown(extra)
        ));
    }
    Ok(Command::Utf8 { file, output })
}

/// Faults that only show when all options are known.
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
        return fault("no query file: name it behind the options");
    }
    Ok(())
}

/// Carries out one option; the result is a command that replaces the search.
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
        "o" | "output" => {
            let file = cursor.value("a file")?;
            if options.outputs.output.is_some() {
                return fault("more than one output file is given on the command line");
            }
            options.outputs.output = Some(PathBuf::from(file));
        }

        // What the header can say as well.
        "g" | "gamenumber" => options.gamenumber = Some(cursor.range(1)?),
        "matchcount" => options.matchcount = Some(cursor.range(0)?),
        "variations" => options.variations = Some(true),
        "mainline" => options.variations = Some(false),
        "matchstring" => {
            let text = cursor.value("a string")?;
            options.matchstring = Some(text.as_encoded_bytes().to_vec());
        }
        "quiet" => set_level(options, CommentLevel::Quiet)?,
        "silent" => set_level(options, CommentLevel::Silent)?,

        // What becomes of a game.
        "noheader" | "noheaders" => options.no_header = true,
        "noremovecomment" => options.no_removecomment = true,
        "nosettag" => options.no_settag = true,
        "nosortcomments" => options.no_sort_comments = true,
        "uniquecomments" => options.unique_comments = true,
        "nouniquecomments" => options.unique_comments = false,
        "alwayscomment" => options.always_comment = true,
        "outputbuffer" => {
            let most = engine::LARGEST_OUTPUT_BUFFER as i32;
            options.output_buffer = Some(cursor.number(100_001, most)? as usize);
        }

        // Which games are searched at all.
        "player" => {
            let name = cursor.value("a regular expression")?;
            if options.player.is_some() {
                return fault("-player can be given only once");
            }
            options.player = Some(name.as_encoded_bytes().to_vec());
        }
        "year" => options.year = Some(cursor.range(1)?),

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
        "secure" => options.file_rules.secure = true,
        "allow-write" => {
            let directory = PathBuf::from(cursor.value("a directory")?);
            options.file_rules.allow_write.push(directory);
        }
        "steps" => options.limits.query.steps = cursor.number(1, i32::MAX)? as u64,
        "limits" => {
            let value = cursor.value("NAME=N")?.to_string_lossy();
            options.limits.set(&value).map_err(usage)?;
        }
        "parse" => options.check_only = true,
        "dialect" => options.dialect = dialect(cursor)?,
        "message-format" | "messageformat" => options.look.format = cursor.choice()?,
        "color" => options.look.color = cursor.choice()?,
        "gui" => options.gui = true,
        "guipgnstdin" => options.pgn_from_stdin = true,
        "guipgnstdout" => options.pgn_to_stdout = true,

        // Aids for the developers of the reference; here they have nothing to show.
        "lex" | "d" | "debug" | "showfromstring" | "echo" | "colorize" | "nolinearize"
        | "showthread" => {}

        "a" | "u" | "html" | "utf8" => {
            return fault(format!("{} must be the first argument", cursor.option));
        }
        _ => {
            if let Some(takes_value) = ByName::takes_value(name) {
                let value = match takes_value {
                    true => Some(cursor.value("a value")?.as_os_str()),
                    false => None,
                };
                cursor.outputs.add(name, value);
            } else if let Some(family) = transform(name) {
                options.transforms.push(family);
            } else if let Some(filters) = preamble(name, cursor, options)? {
                options.preamble.push(Preamble {
                    option: cursor.option.clone(),
                    text: filters,
                });
            } else {
                return Err(UsageError {
                    message: format!("unknown option {}", cursor.option),
                    unknown_option: true,
                });
            }
        }
    }
    Ok(None)
}

/// `None` for `auto`.
fn input_format(cursor: &mut Cursor<'_>) -> Parsed<Option<InputFormat>> {
    let value = cursor.value("the name of a format")?;
    let name = value.to_string_lossy().to_ascii_lowercase();
    match InputFormat::from_name(&name) {
        Some(format) => Ok(Some(format)),
        None if name == "auto" => Ok(None),
        None => fault(format!(
            "{} needs auto, {}, not {}",
            cursor.option,
            InputFormat::NAMES,
            shown(value)
        )),
    }
}

fn set_level(options: &mut Options, level: CommentLevel) -> Parsed<()> {
    if options.level.is_some() {
        return fault("only one of -quiet and -silent can be given, and only once");
    }
    options.level = Some(level);
    Ok(())
}

/// `None` for `auto`.
fn dialect(cursor: &mut Cursor<'_>) -> Parsed<Option<Dialect>> {
    let value = cursor.value("the name of a dialect")?;
    let name = value.to_string_lossy().to_ascii_lowercase();
    match Dialect::from_name(&name) {
        Some(dialect) => Ok(Some(dialect)),
        None if name == "auto" => Ok(None),
        None => fault(format!(
            "-dialect needs auto, cql6, cql5 or classic, not {}",
            shown(value)
        )),
    }
}

fn transform(name: &str) -> Option<TransformFamily> {
    Some(match name {
        "flip" => TransformFamily::Flip,
        "flipcolor" => TransformFamily::FlipColor,
        "flipvertical" => TransformFamily::FlipVertical,
        "fliphorizontal" => TransformFamily::FlipHorizontal,
        "shift" => TransformFamily::Shift,
        "shifthorizontal" => TransformFamily::ShiftHorizontal,
        "shiftvertical" => TransformFamily::ShiftVertical,
        "rotate90" => TransformFamily::Rotate90,
        "rotate45" => TransformFamily::Rotate45,
        "reversecolor" => TransformFamily::ReverseColor,
        _ => return None,
    })
}

/// The filter that an option stands for, or nothing where it is no such option.
fn preamble(name: &str, cursor: &mut Cursor<'_>, options: &mut Options) -> Parsed<Option<Vec<u8>>> {
    let text = match name {
        "wtm" | "btm" => name.as_bytes().to_vec(),
        "virtualmainline" => {
            options.variations = Some(true);
            b"virtualmainline".to_vec()
        }
        "white" | "black" => {
            cursor.quoted(&format!("player {name} ~~ "), "a regular expression")?
        }
        "event" | "site" | "fen" => cursor.quoted(&format!("{name} "), "a string")?,
        "result" => {
            let value = cursor.value("a result")?;
            match value.as_encoded_bytes() {
                result @ (b"1-0" | b"0-1" | b"1/2-1/2") => quote("result ", result),
                _ => {
                    return fault(format!(
                        "-result needs 1-0, 0-1 or 1/2-1/2, not {}",
                        shown(value)
                    ));
                }
            }
        }
        // as it was typed, so that messages show it so; the parser makes one block of each text
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

/// `-assign ID V`
fn assignment(cursor: &mut Cursor<'_>) -> Parsed<Vec<u8>> {
    let name = cursor.value("the name of a variable")?;
    let bytes = name.as_encoded_bytes();
    if bytes.is_empty()
        || !bytes
            .iter()
            .all(|&b| b.is_ascii_alphanumeric() || b"_$".contains(&b))
    {
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
    options.preamble.push(Preamble {
        option: cursor.option.clone(),
        text,
    });
    Ok(None)
}

/// `PREFIX"VALUE"`
fn quote(prefix: &str, value: &[u8]) -> Vec<u8> {
    [prefix.as_bytes(), b"\"", value, b"\""].concat()
}

/// Whether an argument is written as an option. A lone dash is standard input.
fn is_option(argument: &OsStr) -> bool {
    let bytes = argument.as_encoded_bytes();
    bytes.starts_with(b"-") && bytes != b"-"
}

/// An argument as messages show it.
fn shown(argument: &OsStr) -> String {
    format!("'{}'", argument.to_string_lossy())
}

/// The arguments that have not been read yet.
struct Cursor<'a> {
    rest: &'a [OsString],
    /// The option being read, as it was typed.
    option: String,
    /// The options about the output.
    outputs: ByName,
}

impl<'a> Cursor<'a> {
    /// The name of the option that comes next: without dashes, in lower case.
    fn peek_option(&self) -> Option<String> {
        let text = self.rest.first()?.to_str()?;
        let name = text.strip_prefix('-')?;
        Some(name.strip_prefix('-').unwrap_or(name).to_ascii_lowercase())
    }

    /// Steps over the name of an option.
    fn advance(&mut self) {
        if let Some((first, rest)) = self.rest.split_first() {
            self.option = first.to_string_lossy().into_owned();
            self.rest = rest;
        }
    }

    /// The value of the current option.
    fn value(&mut self, what: &str) -> Parsed<&'a OsString> {
        match self.rest.split_first() {
            Some((first, rest)) => {
                self.rest = rest;
                Ok(first)
            }
            None => fault(format!("{} needs {what}", self.option)),
        }
    }

    /// The next argument, if it is one of these words in any case.
    fn take_word(&mut self, words: &[&'static str]) -> Option<&'static str> {
        let next = self.rest.first()?.to_str()?;
        let word = words.iter().find(|word| word.eq_ignore_ascii_case(next))?;
        self.rest = &self.rest[1..];
        Some(word)
    }

    /// A value that a string literal can hold.
    fn unquoted(&self, value: &'a OsStr) -> Parsed<&'a [u8]> {
        if value.as_encoded_bytes().contains(&b'"') {
            return fault(format!(
                "the value of {} cannot contain a double quote: {}",
                self.option,
                shown(value)
            ));
        }
        Ok(value.as_encoded_bytes())
    }

    fn quoted(&mut self, prefix: &str, what: &str) -> Parsed<Vec<u8>> {
        let value = self.value(what)?;
        Ok(quote(prefix, self.unquoted(value)?))
    }

    fn pgn_file(&self, file: &OsStr) -> Parsed<PathBuf> {
        if is_pgn_name(file.as_encoded_bytes()) {
            Ok(PathBuf::from(file))
        } else {
            fault(format!(
                "{} needs a file name that ends in .pgn, not {}",
                self.option,
                shown(file)
            ))
        }
    }

    fn number(&mut self, min: i32, max: i32) -> Parsed<i32> {
        let value = self.value("a number")?;
        match decimal(value).filter(|n| (min..=max).contains(n)) {
            Some(n) => Ok(n),
            None if max == i32::MAX => fault(format!(
                "{} needs a whole number of at least {min}, not {}",
                self.option,
                shown(value)
            )),
            None => fault(format!(
                "{} needs a whole number from {min} to {max}, not {}",
                self.option,
                shown(value)
            )),
        }
    }

    /// One of a few words.
    fn choice<T: ValueEnum>(&mut self) -> Parsed<T> {
        let value = self.value("a word")?;
        T::from_str(&value.to_string_lossy(), true).map_err(|_| {
            let names = T::value_variants().iter().filter_map(T::to_possible_value);
            let names: Vec<String> = names.map(|name| name.get_name().to_owned()).collect();
            UsageError {
                message: format!(
                    "{} needs {}, not {}",
                    self.option,
                    names.join(" or "),
                    shown(value)
                ),
                unknown_option: false,
            }
        })
    }

    /// `N [M]`, both at least `min`; `M` is taken whenever it is such a number.
    fn range(&mut self, min: i32) -> Parsed<(i32, i32)> {
        let low = self.number(min, i32::MAX)?;
        let Some(high) = self
            .rest
            .first()
            .and_then(|next| decimal(next))
            .filter(|&n| n >= min)
        else {
            return Ok((low, low));
        };
        self.rest = &self.rest[1..];
        if low > high {
            return fault(format!("{}: {low} is greater than {high}", self.option));
        }
        Ok((low, high))
    }
}

/// A number written with nothing but digits.
fn decimal(argument: &OsStr) -> Option<i32> {
    let text = argument.to_str()?;
    if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests;

//! The subcommands: everything the program does besides searching.
//!
//! A first argument that is exactly the name of a subcommand begins one; every other command line
//! is a search. Each subcommand has a module with its arguments and a `run`. Results go to
//! standard output and errors to standard error, so that both can be redirected.

mod annotate;
mod bench;
mod book;
mod check;
mod choosing;
mod client_output;
mod compatible;
mod completions;
mod cookbook;
mod counting;
mod dedup;
mod diagram;
mod doctor;
mod example;
mod exercises;
mod explain;
mod fmt;
mod help;
mod ideas;
mod index;
mod job;
mod library;
mod like;
mod lsp;
mod man;
mod mcp;
mod merge;
mod message;
mod migrate;
mod names;
mod prepare;
mod puzzles;
mod reading;
mod run;
mod sheet;
mod split;
mod stats;
mod studio;
mod text;
mod tree;
mod watch;
mod words;

use std::ffi::{OsStr, OsString};
use std::iter;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, Parser, Subcommand};

use crate::args::RANGE;
use crate::failure::{Failure, short};
use crate::subcommands::{Subcommands, has_option, is_called};
use crate::terminal;
use crate::wished;
pub(crate) use help::found as help_found;

/// The first screen of help.
pub(crate) const SHORT_HELP: &str = include_str!("args/short.txt");

/// The exit status when a subcommand does not understand its arguments.
pub(crate) const USAGE_STATUS: u8 = 2;

/// The program as far as clap knows it.
#[derive(Parser)]
#[command(name = "cql", version, disable_help_subcommand = true, term_width = terminal::help_width())]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// The first line of each is what the help shows.
#[derive(Subcommand)]
enum Command {
    /// Explain a subcommand, an option or a word, or find ideas by words
    Help {
        /// Subcommand, option, word or sign, a code such as E0203, or words such as 'queen trade'
        words: Vec<String>,
    },
    Cookbook(cookbook::Arguments),
    Run(Box<run::RunArgs>),
    Bench(bench::BenchArgs),
    Check(check::CheckArgs),
    Explain(explain::ExplainArgs),
    Fmt(fmt::FmtArgs),
    Migrate(migrate::MigrateArgs),
    Stats(stats::StatsArgs),
    Doctor(doctor::DoctorArgs),
    Annotate(Box<annotate::AnnotateArgs>),
    Index(index::IndexArgs),
    Split(split::SplitArgs),
    Merge(merge::MergeArgs),
    Tree(tree::TreeArgs),
    Watch(Box<watch::WatchArgs>),
    Prepare(Box<prepare::PrepareArgs>),
    Book(book::BookArgs),
    Like(Box<like::LikeArgs>),
    Example(Box<example::ExampleArgs>),
    Dedup(dedup::DedupArgs),
    Puzzles(Box<puzzles::PuzzlesArgs>),
    Sheet(Box<sheet::SheetArgs>),
    Diagram(diagram::DiagramArgs),
    Lsp(lsp::LspArgs),
    Mcp(mcp::McpArgs),
    Studio(studio::StudioArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// Whether an argument, if it comes first, begins a subcommand.
pub(crate) fn name_of(first: &OsStr) -> bool {
    // Most searches begin with something else, and need not know all subcommands.
    let is_word = |text: &&str| text.bytes().all(|byte| byte.is_ascii_lowercase());
    first.to_str().filter(is_word).is_some_and(|name| SUBCOMMANDS.has(name))
}

/// The table of subcommands.
pub(crate) const SUBCOMMANDS: Subcommands = Subcommands::new(Program::command);

/// The arguments of a subcommand with its options as clap wants them: like those of a search they
/// may be written with one dash, and in any case of letters, and a range may have two numbers.
fn spelled_out(arguments: &[OsString]) -> Vec<OsString> {
    let program = Program::command();
    let subcommand = arguments.first().and_then(|name| program.find_subcommand(name));
    let Some(subcommand) = subcommand else {
        return arguments.to_vec();
    };
    let spell = |argument: &OsString| {
        let text = argument.to_str()?;
        let (option, value) = match text.find('=') {
            Some(sign) => text.split_at(sign),
            None => (text, ""),
        };
        let option = option.strip_prefix('-')?;
        let option = option.strip_prefix('-').unwrap_or(option);
        let option = option.to_ascii_lowercase();
        let is_long = option == "help" || has_option(subcommand, &option);
        is_long.then(|| OsString::from(format!("--{option}{value}")))
    };
    let spelled = |argument: &OsString| match argument.to_str() {
        // The blank makes it a value.
        Some(text) if begins_with_move(text) => OsString::from(format!(" {text}")),
        _ => spell(argument).unwrap_or_else(|| argument.clone()),
    };
    let mut is_option = true;
    let spelled = arguments.iter().map(|argument| {
        is_option &= argument != "--";
        if is_option { spelled(argument) } else { argument.clone() }
    });
    join_ranges(subcommand, spelled)
}

/// Whether an argument is a query that begins with a move, `--(check)`, and no option.
fn begins_with_move(argument: &str) -> bool {
    let rest = argument.strip_prefix("--").unwrap_or_default().as_bytes();
    match rest {
        [] | [b'-', ..] => false,
        [b'a'..=b'h', b'1'..=b'8', ..] => true,
        [first, ..] => !first.is_ascii_alphabetic(),
    }
}

/// Joins the numbers of each range, `--year 1990 1999`, which are one value for clap.
fn join_ranges(
    subcommand: &clap::Command,
    arguments: impl Iterator<Item = OsString>,
) -> Vec<OsString> {
    let is_number = |argument: &OsString| {
        let text = argument.to_str().unwrap_or_default();
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
    };
    let takes_range = |argument: &OsString| {
        let name = argument.to_str().and_then(|text| text.strip_prefix("--"));
        let name = name.map(|name| name.split('=').next().unwrap_or_default());
        name.is_some_and(|name| {
            let mut own = subcommand.get_arguments();
            let is_range = |argument: &clap::Arg| {
                argument.get_value_names().is_some_and(|names| names[..] == [RANGE])
            };
            own.any(|own| is_range(own) && is_called(own, name))
        })
    };
    let (mut joined, mut rest) = (Vec::new(), arguments.peekable());
    while let Some(argument) = rest.next() {
        let mut value = argument;
        if takes_range(&value) {
            if !value.to_string_lossy().contains('=')
                && let Some(first) = rest.next()
            {
                joined.push(std::mem::replace(&mut value, first));
            }
            if let Some(second) = rest.next_if(|next| is_number(next)) {
                value.push(" ");
                value.push(second);
            }
        }
        joined.push(value);
    }
    joined
}

/// Carries out the subcommand that the first argument names.
pub(crate) fn run(arguments: &[OsString]) -> Result<(), Failure> {
    // The word may look like an option, such as a dash of the language.
    if let [first, words @ ..] = arguments
        && first == "help"
        && words != ["--help"]
        && words != ["-h"]
    {
        let words: Vec<String> =
            words.iter().map(|word| word.to_string_lossy().into_owned()).collect();
        return help::run(&words, SUBCOMMANDS);
    }
    let name = OsString::from("cql");
    let spelled = spelled_out(arguments);
    let program = match Program::try_parse_from(iter::once(name).chain(spelled)) {
        Ok(program) => program,
        Err(error) => return Err(refuse(&error, arguments)),
    };
    match program.command {
        Command::Help { words } => help::run(&words, SUBCOMMANDS),
        Command::Cookbook(arguments) => cookbook::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, SUBCOMMANDS),
        Command::Man(arguments) => man::run(&arguments, SUBCOMMANDS),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Stats(arguments) => stats::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Annotate(arguments) => annotate::run(&arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::Split(arguments) => split::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments),
        Command::Watch(arguments) => watch::run(&arguments),
        Command::Prepare(arguments) => prepare::run(&arguments),
        Command::Book(arguments) => book::run(&arguments),
        Command::Like(arguments) => like::run(&arguments),
        Command::Example(arguments) => example::run(&arguments),
        Command::Dedup(arguments) => dedup::run(&arguments),
        Command::Puzzles(arguments) => puzzles::run(&arguments),
        Command::Sheet(arguments) => sheet::run(&arguments),
        Command::Diagram(arguments) => diagram::run(&arguments),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments, SUBCOMMANDS),
        Command::Studio(arguments) => studio::run(&arguments),
    }
}

/// Prints what clap has to say in place of carrying something out.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> Failure {
    if error.use_stderr() {
        let subcommand = arguments.first().map(|name| name.to_string_lossy());
        let subcommand = subcommand.unwrap_or_default();
        let message = unknown(error, arguments).or_else(|| missing(error, arguments));
        let message = message.unwrap_or_else(|| short(error));
        let stop = if message.ends_with('?') { "" } else { ";" };
        tell_line!("error: {message}{stop} `cql help {subcommand}` says more");
        return Failure::Usage;
    }
    terminal::say_help(error);
    Failure::Shown
}

/// Returns the message about an option that the subcommand has not got: what to write instead, or
/// at least its whole name, which clap may read as several letters.
fn unknown(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let is_unknown = error.kind() == clap::error::ErrorKind::UnknownArgument;
    let program = Program::command();
    let subcommand = program.find_subcommand(arguments.first().filter(|_| is_unknown)?)?;
    let options = arguments[1..].iter().take_while(|argument| *argument != "--");
    let mut unknown = options.enumerate().filter_map(|(at, argument)| {
        let (typed, value) = match argument.to_str()? {
            text if text.contains('=') => text.split_once('=').map(|(name, v)| (name, Some(v)))?,
            text => (text, arguments.get(at + 2).and_then(|next| next.to_str())),
        };
        let name = typed.trim_start_matches('-').to_ascii_lowercase();
        let is_option = name.len() < typed.len() && (name.len() > 1 || name == "o");
        (is_option && !has_option(subcommand, &name)).then_some((typed, name, value))
    });
    let (typed, name, value) = unknown.next()?;
    let has = |name: &str| has_option(subcommand, name);
    if let Some(instead) = wished::in_subcommand(subcommand.get_name(), has, &name, value) {
        return Some(format!("unknown option {typed}; {instead}"));
    }
    if name.len() == 1 {
        return None;
    }
    if let Some(instead) = wished::for_option(&name) {
        return Some(format!("unknown option {typed}; {instead}"));
    }
    if crate::args::is_option(&name) {
        return Some(format!(
            "{typed} is an option of a search, not of `cql {}`: `cql help -{name}`",
            subcommand.get_name()
        ));
    }
    let is_cut = !typed.starts_with("--");
    let names = subcommand.get_arguments().filter_map(clap::Arg::get_long);
    is_cut.then(|| match syntax::parse::nearest(&name, names) {
        Some(near) => format!("unknown option {typed}; did you mean --{near}?"),
        None => format!("unknown option {typed}"),
    })
}

/// Returns the message about arguments that a subcommand needs, with the example of its help.
fn missing(error: &clap::Error, arguments: &[OsString]) -> Option<String> {
    let is_missing = error.kind() == clap::error::ErrorKind::MissingRequiredArgument;
    let name = arguments.first().filter(|_| is_missing)?;
    let Some(ContextValue::Strings(needed)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let needed = needed.iter().map(|one| one.trim_end_matches("...").replace(['<', '>'], ""));
    let needed = needed.collect::<Vec<String>>().join(" and ");
    let program = Program::command();
    let about = program.find_subcommand(name)?.get_long_about()?.to_string();
    let example = about.lines().find_map(|line| line.strip_prefix("For example: "));
    let example = example.map(|example| format!(", as in `{example}`"));
    Some(format!("`cql {}` needs {needed}{}", name.to_string_lossy(), example.unwrap_or_default()))
}

/// Whether the arguments of a subcommand can be read.
#[cfg(test)]
pub(crate) fn understands(arguments: Vec<OsString>) -> bool {
    let spelled = spelled_out(&arguments);
    Program::try_parse_from(iter::once(OsString::from("cql")).chain(spelled)).is_ok()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Program::command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_one_line_in_the_help() {
        let help = crate::args::help::text(SUBCOMMANDS, None);
        for (name, about) in SUBCOMMANDS.all() {
            assert!(!about.is_empty() && about.len() <= 72, "{name}: {about:?}");
            assert!(help.contains(&format!("  {name} ")), "{name}");
            let list = SHORT_HELP.split_once("Subcommands (").map_or("", |parts| parts.1);
            assert!(list.split_whitespace().any(|word| word == name), "{name}");
            assert!(name_of(OsStr::new(&name)), "{name}");
        }
    }

    #[test]
    fn the_book_has_each_subcommand_and_option() {
        let book = book();
        let mut missing = Vec::new();
        for (forms, ..) in crate::args::help::all() {
            let mut options = forms.split(", ").filter_map(|form| form.split(' ').next());
            if !options.any(|option| has_word(&book, option)) {
                missing.push(forms);
            }
        }
        for command in Program::command().get_subcommands() {
            let subcommand = format!("cql {}", command.get_name());
            let options = command.get_arguments().filter(|argument| !argument.is_hide_set());
            let options = options.filter_map(clap::Arg::get_long);
            let options = options.filter(|option| !has_word(&book, &format!("-{option}")));
            missing.extend(options.map(|option| format!("{subcommand} --{option}")));
            if !has_word(&book, &subcommand) {
                missing.push(subcommand);
            }
        }
        assert!(missing.is_empty(), "{missing:?}");
    }

    #[test]
    fn an_unknown_option_has_its_whole_name() {
        let check = |line: &str, expected: &str| {
            let arguments: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let command = iter::once(OsString::from("cql")).chain(spelled_out(&arguments));
            let error = Program::try_parse_from(command).err().expect(line);
            let said = unknown(&error, &arguments).unwrap_or_default();
            assert!(said.starts_with(expected) && said.is_empty() == expected.is_empty(), "{said}");
        };
        check("tree g.pgn -color white", "unknown option -color; write -white NAME: ");
        check("tree g.pgn --as=white", "unknown option --as; write -white NAME: ");
        check("tree g.pgn --min-elo 2700", "unknown option --min-elo; write -elo 2700: ");
        check("tree g.pgn -dept 3", "unknown option -dept; did you mean --depth?");
        check("tree g.pgn -zzz", "unknown option -zzz");
        check("tree g.pgn --month 6", "unknown option --month; write -cql 'date \"2020.06\"': ");
        check("run g.pgn -year 2020 q", "-year is an option of a search, not of `cql run`: ");
        check("run g.pgn --white A q", "--white is an option of a search, not of `cql run`: ");
        check("tree g.pgn --nosuch", "");
        assert!(understands(vec![
            "tree".into(),
            "g.pgn".into(),
            "-g".into(),
            "1".into(),
            "5".into()
        ]));
    }

    /// Returns the pages of the book in small letters.
    fn book() -> String {
        let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/src")];
        let mut book = String::new();
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("a folder of the book") {
                let path = entry.expect("an entry").path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "md") {
                    book += &fs::read_to_string(path).expect("a page").to_lowercase();
                }
            }
        }
        book
    }

    /// Whether a text has a word; that of an option begins with one dash, but may have two.
    fn has_word(text: &str, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '-';
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].strip_suffix('-').unwrap_or(&text[..at]);
            !before.ends_with(is_part) && !text[at + word.len()..].starts_with(is_part)
        })
    }

    #[test]
    fn only_names_begin_subcommands() {
        let check = |argument: &str, expected: bool| {
            assert_eq!(name_of(OsStr::new(argument)), expected, "{argument}");
        };
        check("migrate", true);
        check("help", true);
        check("./migrate", false);
        check("migrate.cql", false);
        check("Migrate", false);
        check("-help", false);
        check("", false);
    }
}

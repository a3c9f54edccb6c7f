//! The subcommands: everything the program does besides searching.
//!
//! A first argument that is exactly the name of a subcommand begins one; every other command line
//! is a search. Each subcommand has a module with its arguments and a `run`. Results go to
//! standard output and errors to standard error, so that both can be redirected.

mod bench;
mod check;
mod client_output;
mod compatible;
mod completions;
mod cookbook;
mod counting;
mod dedup;
mod diagram;
mod doctor;
mod explain;
mod fmt;
mod games;
mod help;
mod ideas;
mod index;
mod job;
mod library;
mod lsp;
mod man;
mod mcp;
mod merge;
mod message;
mod migrate;
mod names;
mod reading;
mod run;
mod split;
mod stats;
mod studio;
mod text;
mod tree;
mod words;

use std::ffi::{OsStr, OsString};
use std::iter;

use clap::{CommandFactory, Parser, Subcommand};

use crate::args::{self, Subcommands};
use crate::failure::{Failure, short};

/// The first screen of help.
pub(crate) const SHORT_HELP: &str = include_str!("args/short.txt");

/// The exit status when a subcommand does not understand its arguments.
pub(crate) const USAGE_STATUS: u8 = 2;

/// The program as far as clap knows it.
#[derive(Parser)]
#[command(name = "cql", version, disable_help_subcommand = true, max_term_width = 100)]
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
    Index(index::IndexArgs),
    Split(split::SplitArgs),
    Merge(merge::MergeArgs),
    Tree(tree::TreeArgs),
    Dedup(dedup::DedupArgs),
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
    first.to_str().filter(is_word).is_some_and(has_subcommand)
}

fn has_subcommand(name: &str) -> bool {
    let program = Program::command();
    program.get_subcommands().any(|command| name == command.get_name())
}

/// Functions about subcommands for the arguments of a search.
pub(crate) const SUBCOMMANDS: Subcommands =
    Subcommands { nearest, with_option: subcommand_with_option };

/// The subcommand that a word is nearly the name of.
fn nearest(word: &str) -> Option<String> {
    let program = Program::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    syntax::parse::nearest(word, names).map(str::to_owned)
}

/// The subcommand that has an option of this name.
fn subcommand_with_option(name: &str) -> Option<String> {
    let program = Program::command();
    let mut subcommands = program.get_subcommands();
    let has_option = |command: &&clap::Command| has_option(command, name);
    let found = subcommands.find(has_option)?;
    Some(found.get_name().to_owned())
}

fn has_option(command: &clap::Command, name: &str) -> bool {
    let mut arguments = command.get_arguments();
    arguments.any(|argument| argument.get_long() == Some(name))
}

/// The arguments of a subcommand with its options as clap wants them: like those of a search they
/// may be written with one dash, and in any case of letters.
fn spelled_out(arguments: &[OsString]) -> Vec<OsString> {
    let program = Program::command();
    let name = arguments.first();
    let subcommand = program
        .get_subcommands()
        .find(|command| name.is_some_and(|name| name == command.get_name()));
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
    let spelled = |argument| spell(argument).unwrap_or_else(|| argument.clone());
    let mut is_option = true;
    let spelled = arguments.iter().map(|argument| {
        is_option &= argument != "--";
        if is_option { spelled(argument) } else { argument.clone() }
    });
    spelled.collect()
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
        return help::run(&words);
    }
    let name = OsString::from("cql");
    let spelled = spelled_out(arguments);
    let program = match Program::try_parse_from(iter::once(name).chain(spelled)) {
        Ok(program) => program,
        Err(error) => return Err(refuse(&error, arguments)),
    };
    match program.command {
        Command::Help { words } => help::run(&words),
        Command::Cookbook(arguments) => cookbook::run(&arguments),
        Command::Run(arguments) => run::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Check(arguments) => check::run(&arguments),
        Command::Explain(arguments) => explain::run(&arguments),
        Command::Fmt(arguments) => fmt::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments),
        Command::Man(arguments) => man::run(&arguments),
        Command::Migrate(arguments) => migrate::run(&arguments),
        Command::Stats(arguments) => stats::run(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Index(arguments) => index::run(&arguments),
        Command::Split(arguments) => split::run(&arguments),
        Command::Merge(arguments) => merge::run(&arguments),
        Command::Tree(arguments) => tree::run(&arguments),
        Command::Dedup(arguments) => dedup::run(&arguments),
        Command::Diagram(arguments) => diagram::run(&arguments),
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Mcp(arguments) => mcp::run(&arguments),
        Command::Studio(arguments) => studio::run(&arguments),
    }
}

/// The help of the program: the options of a search and the subcommands.
pub(crate) fn help() -> String {
    let lines = subcommands().map(|(name, about)| format!("  {name:<26}{about}"));
    let lines: Vec<String> = lines.collect();
    args::help::text(&lines.join("\n"))
}

/// The names of the subcommands, each with its description.
fn subcommands() -> impl Iterator<Item = (String, String)> {
    let program = Program::command();
    let lines = program.get_subcommands().map(|command| {
        let about = command.get_about().map(ToString::to_string);
        (command.get_name().to_owned(), about.unwrap_or_default())
    });
    lines.collect::<Vec<_>>().into_iter()
}

/// Prints the help of a subcommand.
fn help_of(name: &str) -> Result<(), Failure> {
    // Asking the subcommand itself makes its usage line complete.
    match Program::try_parse_from(["cql", name, "--help"]).map_err(|error| refuse(&error, &[])) {
        Ok(_) | Err(Failure::Shown) => Ok(()),
        Err(failure) => Err(failure),
    }
}

/// Prints what clap has to say in place of carrying something out.
fn refuse(error: &clap::Error, arguments: &[OsString]) -> Failure {
    if error.use_stderr() {
        let subcommand = arguments.first().map(|name| name.to_string_lossy());
        let subcommand = subcommand.unwrap_or_default();
        let message = short(error);
        tell_line!("error: {message}; `cql help {subcommand}` says more");
        return Failure::Usage;
    }
    if let Err(failure) = error.print() {
        crate::terminal::lose_output(&failure);
    }
    Failure::Shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_is_consistent() {
        Program::command().debug_assert();
    }

    #[test]
    fn every_subcommand_has_one_line_in_the_help() {
        for command in Program::command().get_subcommands() {
            let about = command.get_about().map(ToString::to_string);
            let about = about.unwrap_or_default();
            let name = command.get_name();
            assert!(!about.is_empty() && about.len() <= 72, "{name}: {about:?}");
            assert!(help().contains(&format!("  {name} ")), "{name}");
            let list = SHORT_HELP.split_once("Subcommands:").map_or("", |parts| parts.1);
            assert!(list.split_whitespace().any(|word| word == name), "{name}");
            assert!(name_of(OsStr::new(name)), "{name}");
        }
    }

    #[test]
    fn slips_are_near_subcommands() {
        let text = |found: Option<&str>| found.map(str::to_owned);
        assert_eq!((SUBCOMMANDS.nearest)("chek"), text(Some("check")));
        assert_eq!((SUBCOMMANDS.nearest)("mate"), None);
        let with_option = SUBCOMMANDS.with_option;
        assert_eq!(with_option("output-dir"), text(Some("run")));
        assert_eq!(with_option("nosuch"), None);
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

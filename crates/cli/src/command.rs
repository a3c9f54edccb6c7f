//! The subcommands: everything the program does besides searching.
//!
//! A first argument that is exactly the name of a subcommand begins one; every other command line
//! is a search. Each subcommand has a module with its arguments and a `run`. Results go to
//! standard output and errors to standard error, so that both can be redirected.

mod bench;
mod check;
mod compatible;
mod completions;
mod doctor;
mod explain;
mod fmt;
mod games;
mod man;
mod migrate;
mod run;
mod stats;
mod text;

use std::ffi::{OsStr, OsString};
use std::iter;

use clap::{CommandFactory, Parser, Subcommand};

use crate::args;
use crate::failure::Failure;
use crate::visible::visible_text;

/// The exit status when a subcommand does not understand its arguments.
pub(crate) const USAGE_STATUS: u8 = 2;

/// The program as far as clap knows it.
#[derive(Parser)]
#[command(
    name = "cql",
    version,
    disable_help_subcommand = true,
    max_term_width = 100
)]
struct Program {
    #[command(subcommand)]
    command: Command,
}

/// The first line of each is what the help shows.
#[derive(Subcommand)]
enum Command {
    /// Say how the program, or one of its subcommands, is used
    Help {
        /// The subcommand to explain
        subcommand: Option<String>,
    },
    Run(Box<run::Arguments>),
    Bench(bench::Arguments),
    Check(check::Arguments),
    Explain(explain::Arguments),
    Fmt(fmt::Arguments),
    Migrate(migrate::Arguments),
    Stats(stats::Arguments),
    Doctor(doctor::Arguments),
    Completions(completions::Arguments),
    Man(man::Arguments),
}

/// Whether an argument, if it comes first, begins a subcommand.
pub(crate) fn name_of(first: &OsStr) -> bool {
    Program::command()
        .get_subcommands()
        .any(|command| first == command.get_name())
}

/// The subcommand that a word is nearly the name of.
pub(crate) fn nearest(word: &str) -> Option<String> {
    let program = Program::command();
    let names = program.get_subcommands().map(clap::Command::get_name);
    syntax::parse::nearest(word, names).map(str::to_owned)
}

/// Carries out the subcommand that the first argument names.
pub(crate) fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let name = OsString::from("cql");
    let program = match Program::try_parse_from(iter::once(&name).chain(arguments)) {
        Ok(program) => program,
        Err(error) => {
            print(&error);
            return match error.use_stderr() {
                true => Err(Failure::Usage),
                false => Ok(()),
            };
        }
    };
    match program.command {
        Command::Help { subcommand: None } => {
            crate::say(&help());
            Ok(())
        }
        Command::Help {
            subcommand: Some(name),
        } => help_of(&name),
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
    }
}

/// The help of the program: the options of a search and the subcommands.
pub(crate) fn help() -> String {
    let program = Program::command();
    let lines = program.get_subcommands().map(|command| {
        let about = command.get_about().map(ToString::to_string);
        format!("  {:<26}{}", command.get_name(), about.unwrap_or_default())
    });
    let lines: Vec<String> = lines.collect();
    args::HELP.replace("{subcommands}", &lines.join("\n"))
}

/// Prints the help of a subcommand.
fn help_of(name: &str) -> Result<(), Failure> {
    // Asking the subcommand itself makes its usage line complete.
    let error = match Program::try_parse_from(["cql", name, "--help"]) {
        Ok(_) => return Ok(()),
        Err(error) => error,
    };
    print(&error);
    match error.use_stderr() {
        true => Err(Failure::Usage),
        false => Ok(()),
    }
}

/// Prints what clap has to say; in colors, unless an argument in it has some of its own.
fn print(error: &clap::Error) {
    let text = error.render().to_string();
    let shown = visible_text(&text);
    if error.use_stderr() && shown != text {
        tell!("{shown}");
        return;
    }
    if let Err(failure) = error.print()
        && !error.use_stderr()
    {
        crate::lose_output(&failure);
    }
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
        }
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

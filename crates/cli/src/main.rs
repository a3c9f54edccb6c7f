//! The `cql` program: arguments in, exit status out.
//!
//! The only crate that knows terminals and signals. If the first argument is the name of a
//! subcommand, `command` runs it; every other command line is a search in the syntax of the
//! reference implementation (`args`). Errors of a search go to standard output, where the reference
//! writes them and front ends look for them, unless results go there. Issues of single games and the
//! errors of subcommands go to standard error.

/// Prints to standard error like `eprint`, with control characters escaped. Write errors are
/// ignored, such as those of a closed stream.
macro_rules! tell {
    ($($text:tt)*) => {
        $crate::visible::tell(format_args!($($text)*))
    };
}

/// Prints a line to standard error, like `tell`.
macro_rules! tell_line {
    ($($text:tt)*) => {
        $crate::visible::tell(format_args!("{}\n", format_args!($($text)*)))
    };
}

mod args;
mod closed;
mod command;
mod console;
mod failure;
mod files;
mod games;
mod interrupt;
mod output;
mod place;
mod programs;
mod progress;
mod report;
mod respell;
mod search;
mod subcommands;
#[cfg(feature = "tablebases")]
mod tablebases;
mod terminal;
mod visible;
mod wished;

use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU8, Ordering};

use args::Command;
use command::SUBCOMMANDS;
use failure::Failure;
use terminal::{complain, last_panic, say, say_interrupted};

/// Exit status after an error.
const FAILURE: u8 = 1;

/// Exit status after an error, with `-exit-status`.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    terminal::note_panics();
    syntax::help::set_finder(command::help_found);
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    #[cfg(feature = "tablebases")]
    if let [first, directory] = arguments.as_slice()
        && first == programs::SERVE
    {
        return match tablebases::serve(directory) {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => {
                tell_line!("error: cannot read tablebases: {error}");
                ExitCode::from(FAILURE)
            }
        };
    }
    let is_subcommand = arguments.first().is_some_and(|first| command::name_of(first));
    if is_subcommand {
        terminal::begin_subcommand();
    }
    // Set once the options are known, and used even if the search panics.
    let failure = AtomicU8::new(FAILURE);
    let carry_out =
        || if is_subcommand { command::run(&arguments) } else { run(&arguments, &failure) };
    let done = panic::catch_unwind(carry_out);
    games::tell_remarks();
    let failure = failure.into_inner();
    let status = match done {
        Ok(Ok(()) | Err(Failure::Closed | Failure::Shown)) => 0,
        // After a signal, every failure is taken for a consequence of it.
        Ok(Err(_)) if interrupt::is_requested() => {
            say_interrupted();
            interrupt::status()
        }
        Ok(Err(Failure::Reported)) => failure,
        Ok(Err(Failure::ReportedAs(status))) => status,
        Ok(Err(Failure::Usage)) => command::USAGE_STATUS,
        Ok(Err(Failure::Message(message))) => {
            complain(&format!("error: {message}\n"));
            failure
        }
        Ok(Err(Failure::OutputIsRead(message))) => {
            tell_line!("error: {message}");
            failure
        }
        Ok(Err(Failure::Interrupted)) => {
            say_interrupted();
            interrupt::status()
        }
        Err(_) => {
            let what = last_panic().unwrap_or_default();
            let text = format!("error: this is a defect of cql: {what}\n");
            complain(&text);
            failure
        }
    };
    match terminal::lost_output() {
        Some(error) => {
            tell_line!("error: cannot write to standard output: {error}");
            ExitCode::from(status.max(failure))
        }
        None => ExitCode::from(status),
    }
}

/// Carries out a search, or what replaces it. Sets the exit status of a failure.
fn run(arguments: &[OsString], failure: &AtomicU8) -> Result<(), Failure> {
    let (command, exit_status) = args::parse(arguments, SUBCOMMANDS);
    if exit_status {
        failure.store(TROUBLE, Ordering::Relaxed);
    }
    if command.is_err() && args::ask_for_stdout(arguments, SUBCOMMANDS) {
        terminal::keep_stdout_for_results()?;
    }
    match command.map_err(Failure::Message)? {
        Command::Help => say(&args::help::text(SUBCOMMANDS, terminal::width())),
        Command::ShortHelp => say(command::SHORT_HELP),
        Command::Version => say(&format!("{}\n", search::BANNER)),
        Command::HhdbHelp => say(args::HHDB_HELP),
        Command::Search(options) => search::search(&options, SUBCOMMANDS)?,
        Command::Respell { unicode, file } => respell::in_place(&file, unicode)?,
        Command::Utf8 { file, output, force } => respell::utf8(&file, output.as_deref(), force)?,
        Command::Html { file, force } => {
            let page = respell::page(&file, force)?;
            say(&format!("wrote {}\n", page.display()));
        }
    }
    Ok(())
}

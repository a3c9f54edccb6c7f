//! The `cql` program: arguments in, exit status out.
//!
//! The only crate that knows terminals and signals. If the first argument is the name of a
//! subcommand, `command` runs it; every other command line is a search in the syntax of the
//! reference implementation (`args`). Errors of a search go to standard output, where the reference
//! writes them and front ends look for them. Issues of single games and the errors of subcommands
//! go to standard error.

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
mod visible;
mod wrap;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use args::Command;
use command::SUBCOMMANDS;
use failure::Failure;
use output::Originals;

/// Exit status after an error.
const FAILURE: u8 = 1;

/// Message and location of the last panic.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Error of the first failed write to standard output, except for a closed pipe.
static LOST_OUTPUT: Mutex<Option<String>> = Mutex::new(None);

/// Whether the command line starts with a subcommand, whose errors go to standard error.
static IS_SUBCOMMAND: AtomicBool = AtomicBool::new(false);

/// Whether the interruption of the run has been reported.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Whether standard output holds the results of the search, so that errors go to standard error.
static STDOUT_HAS_RESULTS: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    // Panics on a game are reported with the game, not when they happen.
    panic::set_hook(Box::new(|info| {
        *lock(&LAST_PANIC) = Some(info.to_string().replace('\n', " "));
    }));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let is_subcommand = arguments.first().is_some_and(|first| command::name_of(first));
    IS_SUBCOMMAND.store(is_subcommand, Ordering::Relaxed);
    let carry_out = || match is_subcommand {
        true => command::run(&arguments),
        false => run(&arguments),
    };
    let status = match panic::catch_unwind(carry_out) {
        Ok(Ok(()) | Err(Failure::Closed | Failure::Shown)) => 0,
        // After a signal, every failure is taken for a consequence of it.
        Ok(Err(_)) if interrupt::is_requested() => {
            say_interrupted();
            interrupt::status()
        }
        Ok(Err(Failure::Reported)) => FAILURE,
        Ok(Err(Failure::ReportedAs(status))) => status,
        Ok(Err(Failure::Usage)) => command::USAGE_STATUS,
        Ok(Err(Failure::Message(message))) => {
            complain(&format!("error: {message}\n"));
            FAILURE
        }
        Ok(Err(Failure::OutputIsRead(message))) => {
            tell_line!("error: {message}");
            FAILURE
        }
        Ok(Err(Failure::Interrupted)) => {
            say_interrupted();
            interrupt::status()
        }
        Err(_) => {
            let what = last_panic().unwrap_or_default();
            let text = format!("error: this is a defect of cql: {what}\n");
            complain(&text);
            FAILURE
        }
    };
    match lock(&LOST_OUTPUT).as_deref() {
        Some(error) => {
            tell_line!("error: cannot write to standard output: {error}");
            ExitCode::from(status.max(FAILURE))
        }
        None => ExitCode::from(status),
    }
}

fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let command = args::parse(arguments, SUBCOMMANDS).map_err(Failure::Message)?;
    match command {
        Command::Help => say(&command::help()),
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

/// Reports why there is no result: on standard output, where front ends of the compatible call look
/// for it, or on standard error if standard output may hold results.
fn complain(text: &str) {
    let is_for_results =
        IS_SUBCOMMAND.load(Ordering::Relaxed) || STDOUT_HAS_RESULTS.load(Ordering::Relaxed);
    match is_for_results || stdout_is_named() {
        true => tell!("{text}"),
        false => say(text),
    }
}

/// Whether standard output is a file that the command line names or that is read on standard input.
/// A message would be written into that file.
fn stdout_is_named() -> bool {
    let mut named = Originals::default();
    named.add_stdin();
    std::env::args_os().for_each(|argument| named.add(Path::new(&argument)));
    named.refuse_stdout().is_err()
}

/// Reports once that the run was stopped, and which output is complete.
fn say_interrupted() {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        return;
    }
    let what = match (STDOUT_HAS_RESULTS.load(Ordering::Relaxed), output::n_written()) {
        (true, _) => "the output is not complete".to_owned(),
        (_, 0) => "no output was written".to_owned(),
        (_, 1) => "1 complete file was written; others may be missing".to_owned(),
        (_, n) => format!("{n} complete files were written; others may be missing"),
    };
    complain(&format!("{}: {what}\n", interrupt::name()));
}

/// Reserves standard output for results: from now on, errors go to standard error. Fails if
/// standard output is closed.
fn keep_stdout_for_results() -> Result<(), Failure> {
    STDOUT_HAS_RESULTS.store(true, Ordering::Relaxed);
    match closed::stdout_is_closed() {
        true => {
            Err(Failure::Message("the results go to standard output, which is closed".to_owned()))
        }
        false => Ok(()),
    }
}

/// Writes to standard output, with control characters escaped.
fn say(text: &str) {
    let text = visible::visible(text.as_bytes());
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(&text).and_then(|()| out.flush()) {
        lose_output(&error);
    }
}

/// Records that a write to standard output failed. A closed pipe is not an error: the reader has
/// seen enough.
fn lose_output(error: &io::Error) {
    if error.kind() != io::ErrorKind::BrokenPipe {
        lock(&LOST_OUTPUT).get_or_insert_with(|| error.to_string());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the message and location of the last panic.
fn last_panic() -> Option<String> {
    lock(&LAST_PANIC).clone()
}

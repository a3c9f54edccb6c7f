//! The `cql` program: arguments in, exit status out.
//!
//! The only crate that knows files, terminals and signals. A first argument that is the name of a
//! subcommand begins one (`command`); everything else is a search, as the reference implementation
//! is called (`args`). Errors of a search go to standard output, where the reference writes them
//! and front ends look for them; what is wrong with single games, and the errors of subcommands,
//! go to standard error.

/// Prints to standard error, as `eprint` does; nobody is told if it is closed.
macro_rules! tell {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = write!(std::io::stderr(), $($text)*);
    }};
}

/// The same with the end of a line.
macro_rules! tell_line {
    ($($text:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($text)*);
    }};
}

mod args;
mod command;
mod console;
mod failure;
mod files;
mod interrupt;
mod output;
mod progress;
mod report;
mod respell;
mod search;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use args::Command;
use failure::Failure;

/// The exit status after an error.
const FAILURE: u8 = 1;

/// What the last panic was, and where.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

/// Why something could not be written to standard output.
static LOST_OUTPUT: Mutex<Option<String>> = Mutex::new(None);

/// Standard output is for the results of the search; errors go elsewhere.
static STDOUT_HAS_RESULTS: AtomicBool = AtomicBool::new(false);

fn main() -> ExitCode {
    // Panics on a game are reported with the game, not when they happen.
    panic::set_hook(Box::new(|info| {
        *lock(&LAST_PANIC) = Some(info.to_string().replace('\n', " "));
    }));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let is_subcommand = arguments
        .first()
        .is_some_and(|first| command::name_of(first));
    let carry_out = || match is_subcommand {
        true => command::run(&arguments),
        false => run(&arguments),
    };
    let status = match panic::catch_unwind(carry_out) {
        Ok(Ok(()) | Err(Failure::Closed)) => 0,
        Ok(Err(Failure::Reported)) => FAILURE,
        Ok(Err(Failure::Usage)) => command::USAGE_STATUS,
        Ok(Err(Failure::Message(message))) => {
            complain(is_subcommand, &format!("error: {message}\n"));
            FAILURE
        }
        Ok(Err(Failure::Interrupted)) => {
            let what = match STDOUT_HAS_RESULTS.load(Ordering::Relaxed) {
                true => "the output is not complete",
                false => "no output was written",
            };
            let text = format!("{}: {what}\n", interrupt::name());
            complain(is_subcommand, &text);
            interrupt::status()
        }
        Err(_) => {
            let what = last_panic().unwrap_or_default();
            let text = format!("error: this is a defect of cql: {what}\n");
            complain(is_subcommand, &text);
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
    let command = args::parse(arguments).map_err(|error| {
        if error.unknown_option {
            say(&command::help());
        }
        Failure::Message(error.message)
    })?;
    match command {
        Command::Help => say(&command::help()),
        Command::Version => say(&format!("{}\n", search::BANNER)),
        Command::HhdbHelp => say(args::HHDB_HELP),
        Command::Search(options) => search::search(&options)?,
        Command::Respell { unicode, file } => respell::in_place(&file, unicode)?,
        Command::Utf8 { file, output } => respell::utf8(&file, output.as_deref())?,
        Command::Html { file } => {
            let page = respell::page(&file)?;
            say(&format!("wrote {}\n", page.display()));
        }
    }
    Ok(())
}

/// Says why there is no result: where front ends of the compatible call look for it, or where the
/// results of a subcommand are not.
fn complain(is_subcommand: bool, text: &str) {
    match is_subcommand || STDOUT_HAS_RESULTS.load(Ordering::Relaxed) {
        true => tell!("{text}"),
        false => say(text),
    }
}

/// From now on errors are said on standard error.
fn keep_stdout_for_results() {
    STDOUT_HAS_RESULTS.store(true, Ordering::Relaxed);
}

/// Writes to standard output.
fn say(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        lose_output(&error);
    }
}

/// Takes note that something could not be written to standard output. That nobody reads it any
/// more is no fault.
fn lose_output(error: &io::Error) {
    if error.kind() != io::ErrorKind::BrokenPipe {
        lock(&LOST_OUTPUT).get_or_insert_with(|| error.to_string());
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What the last panic was, and where.
fn last_panic() -> Option<String> {
    lock(&LAST_PANIC).clone()
}

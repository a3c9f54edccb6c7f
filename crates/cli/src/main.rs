//! The `cql` program: arguments in, exit status out.
//!
//! The only crate that knows files, terminals and signals. Errors go to standard output, where
//! the reference implementation writes them and front ends look for them; what is wrong with
//! single games goes to standard error.

mod args;
mod console;
mod failure;
mod files;
mod input;
mod interrupt;
mod migrate;
mod output;
mod report;
mod respell;
mod search;

use std::ffi::OsString;
use std::io::{self, Write};
use std::panic;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};

use args::Command;
use failure::Failure;

/// What the last panic was, and where.
static LAST_PANIC: Mutex<Option<String>> = Mutex::new(None);

fn main() -> ExitCode {
    // Panics on a game are reported with the game, not when they happen.
    panic::set_hook(Box::new(|info| {
        let mut last = LAST_PANIC.lock().unwrap_or_else(PoisonError::into_inner);
        *last = Some(info.to_string().replace('\n', " "));
    }));
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    match panic::catch_unwind(|| run(&arguments)) {
        Ok(Ok(())) => ExitCode::SUCCESS,
        Ok(Err(Failure::Reported)) => ExitCode::FAILURE,
        Ok(Err(Failure::Message(message))) => {
            say(&format!("error: {message}\n"));
            ExitCode::FAILURE
        }
        Ok(Err(Failure::Interrupted)) => {
            say("interrupted: no output was written\n");
            ExitCode::from(interrupt::STATUS)
        }
        Err(_) => {
            let what = last_panic().unwrap_or_default();
            say(&format!("error: this is a defect of cql: {what}\n"));
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[OsString]) -> Result<(), Failure> {
    let command = args::parse(arguments).map_err(|error| {
        if error.unknown_option {
            say(args::HELP);
        }
        Failure::Message(error.message)
    })?;
    match command {
        Command::Help => say(args::HELP),
        Command::Version => say(&format!("{}\n", search::BANNER)),
        Command::HhdbHelp => say(args::HHDB_HELP),
        Command::Search(options) => search::search(&options)?,
        Command::Respell { unicode, file } => respell::in_place(&file, unicode)?,
        Command::Utf8 { file, output } => respell::utf8(&file, output.as_deref())?,
        Command::Migrate { file } => migrate::migrate(&file)?,
        Command::Html { file } => {
            let page = respell::page(&file)?;
            say(&format!("wrote {}\n", page.display()));
        }
    }
    Ok(())
}

/// Writes to standard output; nobody is told if it is closed.
fn say(text: &str) {
    let _ = io::stdout().lock().write_all(text.as_bytes());
}

/// What the last panic was, and where.
fn last_panic() -> Option<String> {
    LAST_PANIC
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

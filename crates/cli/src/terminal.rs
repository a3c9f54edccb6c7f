//! Messages of the program on its streams, and what the exit status depends on besides results.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use ide::wrap::wrapped;
use output::Originals;
use terminal_size::{Width, terminal_size};

use crate::failure::Failure;
use crate::{closed, interrupt, visible};

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

/// Records panics instead of printing them: a panic on a game is reported with the game.
pub(crate) fn note_panics() {
    panic::set_hook(Box::new(|info| {
        *lock(&LAST_PANIC) = Some(info.to_string().replace('\n', " "));
    }));
}

/// Directs errors to standard error, as those of subcommands.
pub(crate) fn begin_subcommand() {
    IS_SUBCOMMAND.store(true, Ordering::Relaxed);
}

/// Returns the error of the first failed write to standard output.
pub(crate) fn lost_output() -> Option<String> {
    lock(&LOST_OUTPUT).clone()
}

/// Reports why there is no result: on standard output, where front ends of the compatible call look
/// for it, or on standard error if standard output may hold results.
pub(crate) fn complain(text: &str) {
    let is_for_results =
        IS_SUBCOMMAND.load(Ordering::Relaxed) || STDOUT_HAS_RESULTS.load(Ordering::Relaxed);
    if is_for_results || stdout_is_named() || closed::stdout_is_closed() {
        tell!("{text}")
    } else {
        say(&in_width(text, width()))
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
pub(crate) fn say_interrupted() {
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
pub(crate) fn keep_stdout_for_results() -> Result<(), Failure> {
    STDOUT_HAS_RESULTS.store(true, Ordering::Relaxed);
    refuse_closed_stdout()
}

/// Fails if standard output, to which results go, is closed.
pub(crate) fn refuse_closed_stdout() -> Result<(), Failure> {
    if closed::stdout_is_closed() {
        Err(Failure::Message("the results go to standard output, which is closed".to_owned()))
    } else {
        Ok(())
    }
}

/// Writes to standard output, with control characters escaped.
pub(crate) fn say(text: &str) {
    let text = visible::visible(text.as_bytes());
    let mut out = closed::Stdout::new();
    if let Err(error) = out.write_all(&text).and_then(|()| out.flush()) {
        lose_output(&error);
    }
}

/// Prints what clap says in place of carrying something out, such as help.
pub(crate) fn say_help(help: &clap::Error) {
    if let Err(error) = help.print() {
        lose_output(&error);
    }
}

/// Records that a write to standard output failed. A closed pipe is not an error: the reader has
/// seen enough.
pub(crate) fn lose_output(error: &io::Error) {
    if error.kind() != io::ErrorKind::BrokenPipe {
        lock(&LOST_OUTPUT).get_or_insert_with(|| error.to_string());
    }
}

/// Returns the width of the terminal that standard output is; `None` for a file or a pipe.
pub(crate) fn width() -> Option<usize> {
    io::stdout().is_terminal().then(screen_width)
}

/// Returns the maximum width of lines of prose: that of the terminal, at most what is still legible,
/// or `usual` in a file or a pipe. Commands stay in one line, to be copied.
pub(crate) fn prose_width(usual: usize) -> usize {
    width().map_or(usual, |width| width.clamp(40, 100))
}

/// Returns the maximum width of the lines of help: that of [`prose_width`], 80 in a file or a pipe.
pub(crate) fn help_width() -> usize {
    prose_width(80)
}

/// Returns the width of the terminal, whichever stream it is.
pub(crate) fn screen_width() -> usize {
    /// Width of a terminal that does not tell it.
    const USUAL: usize = 80;
    terminal_size().map_or(USUAL, |(Width(width), _)| usize::from(width))
}

/// Returns the width of the terminal that standard error is; `None` for a file or a pipe.
pub(crate) fn width_of_messages() -> Option<usize> {
    io::stderr().is_terminal().then(screen_width)
}

/// Returns a text with each line in several that is longer than a terminal is wide. Indented lines,
/// such as those of an excerpt, and objects of JSON stay as they are.
pub(crate) fn in_width(text: &str, width: Option<usize>) -> Cow<'_, str> {
    let is_long = |line: &str, width| {
        line.chars().count() > width && !line.starts_with([' ', '\t', '{', '['])
    };
    let Some(width) = width.filter(|&width| text.lines().any(|line| is_long(line, width))) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        let (bare, end) = line.strip_suffix('\n').map_or((line, ""), |bare| (bare, "\n"));
        if is_long(bare, width) {
            wrapped(&mut out, "", 4, width, bare.split(' '));
            out.truncate(out.len() - 1);
            out += end;
        } else {
            out += line;
        }
    }
    Cow::Owned(out)
}

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns the message and location of the last panic.
pub(crate) fn last_panic() -> Option<String> {
    lock(&LAST_PANIC).clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_of_messages_are_divided() {
        let check = |text: &str, width: Option<usize>, expected: &str| {
            assert_eq!(in_width(text, width), expected);
        };
        check("one two three\n", Some(9), "one two\n    three\n");
        check("one  two three\n", None, "one  two three\n");
        check("one two three", Some(9), "one two\n    three");
        check("a b\none two three\nc d\n", Some(9), "a b\none two\n    three\nc d\n");
        for same in ["  one two three\n", "{\"a\": \"b c d e\"}\n", "", "\n\n"] {
            check(same, Some(9), same);
        }
    }
}

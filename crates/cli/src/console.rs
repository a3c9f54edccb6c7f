//! Prints to standard output during a search, in the format of the reference implementation.
//!
//! A closed standard output (`cql … | head`) ends the printing, not the search. After any other
//! write error, the run also fails in the end.

use std::io::{self, Write};
use std::ops::Range;

use engine::QueryResults;

use crate::visible::visible;

/// Writer to standard error that ignores errors, for messages while standard output holds results.
pub(crate) struct StderrSink;

impl Write for StderrSink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let _ = io::stderr().write_all(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Standard output.
pub(crate) struct Console<W: Write> {
    out: W,
    is_closed: bool,
    at_line_start: bool,
    is_quiet: bool,
}

impl<W: Write> Console<W> {
    pub(crate) fn new(out: W) -> Console<W> {
        Console { out, is_closed: false, at_line_start: true, is_quiet: false }
    }

    /// Suppresses [notes](Console::note).
    pub(crate) fn quiet(mut self, is_quiet: bool) -> Console<W> {
        self.is_quiet = is_quiet;
        self
    }

    /// Writes a line about a run without trouble.
    pub(crate) fn note(&mut self, text: impl AsRef<[u8]>) {
        if !self.is_quiet {
            self.line(text);
        }
    }

    /// Writes a text with control characters escaped.
    pub(crate) fn print(&mut self, text: &[u8]) {
        self.write_as_it_is(&visible(text));
    }

    fn write_as_it_is(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.last() else { return };
        self.at_line_start = *last == b'\n';
        if !self.is_closed {
            let result = self.out.write_all(bytes);
            self.close_after(result);
        }
    }

    /// Writes a line, after ending an unfinished one.
    pub(crate) fn line(&mut self, text: impl AsRef<[u8]>) {
        self.fresh_line();
        self.print(text.as_ref());
        self.print(b"\n");
    }

    /// Writes a line that contains color codes, which are not escaped.
    pub(crate) fn colored_line(&mut self, text: &str) {
        self.fresh_line();
        self.write_as_it_is(text.as_bytes());
        self.print(b"\n");
    }

    /// Ends the current line if it is unfinished.
    pub(crate) fn fresh_line(&mut self) {
        if !self.at_line_start {
            self.print(b"\n");
        }
    }

    /// Leaks the console, so that its buffered text is never written.
    pub(crate) fn discard(self) {
        std::mem::forget(self);
    }

    /// Writes the buffered text.
    pub(crate) fn flush(&mut self) {
        if !self.is_closed {
            let result = self.out.flush();
            self.close_after(result);
        }
    }

    fn close_after(&mut self, result: io::Result<()>) {
        if let Err(error) = result {
            self.is_closed = true;
            crate::terminal::lose_output(&error);
        }
    }
}

/// Writes results, without escaping anything.
impl<W: Write> Write for Console<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.write_as_it_is(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Console::flush(self);
        Ok(())
    }
}

/// Output printed for the games as they complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ConsoleMode {
    /// Number of games between two `[N]`, with dots between; `None` for no progress.
    pub(crate) progress: Option<u64>,
    /// Whether to print `<N>` for each match.
    pub(crate) matches: bool,
}

impl<W: Write> Console<W> {
    /// Prints the progress, messages and matches of these games, in their order.
    pub(crate) fn games(&mut self, numbers: Range<u64>, found: &QueryResults, shown: ConsoleMode) {
        let mut ticks = shown.progress.map(|increment| Ticks {
            increment,
            step: (increment / 10).max(1),
            next: 0,
        });
        if let Some(ticks) = &mut ticks {
            ticks.next = ticks.after(numbers.start - 1);
        }
        let mut messages = found.messages_of_games().peekable();
        let mut matches = found.matches.iter().peekable();
        loop {
            let tick = ticks.as_ref().map(|ticks| ticks.next).filter(|n| numbers.contains(n));
            let message = messages.peek().map(|message| message.0);
            let game = matches.peek().map(|game| game.number).filter(|_| shown.matches);
            let Some(number) = [tick, message, game].into_iter().flatten().min() else {
                break;
            };
            if tick == Some(number)
                && let Some(ticks) = &mut ticks
            {
                if number % ticks.increment == 0 {
                    self.print(format!("[{number}]\n").as_bytes());
                } else {
                    self.print(b".");
                }
                ticks.next = ticks.after(number);
            }
            if message == Some(number)
                && let Some((_, text)) = messages.next()
            {
                self.print(text);
            }
            if game == Some(number) {
                matches.next();
                self.print(format!("<{number}>").as_bytes());
            }
        }
        self.flush();
    }
}

/// Game numbers at which progress is printed.
struct Ticks {
    increment: u64,
    step: u64,
    next: u64,
}

impl Ticks {
    /// Returns the first of these numbers after `number`.
    fn after(&self, number: u64) -> u64 {
        let step = (number / self.step + 1) * self.step;
        let whole = (number / self.increment + 1) * self.increment;
        step.min(whole)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::Match;

    fn output(
        first_game: u64,
        n_games: u64,
        messages: &[(u64, &str)],
        found: &[u64],
    ) -> (Range<u64>, QueryResults) {
        let mut out = QueryResults::default();
        for &(number, text) in messages {
            out.messages.extend_from_slice(text.as_bytes());
            out.message_ends.push((number, out.messages.len()));
        }
        for &number in found {
            out.matches.push(Match {
                number,
                text: 0..0,
                n_positions: 0,
                lost_comments: pgn::LostComments::default(),
                sort_keys: Vec::new(),
            });
        }
        (first_game..first_game + n_games, out)
    }

    fn check(
        outs: &[(Range<u64>, QueryResults)],
        progress: Option<u64>,
        matches: bool,
        expected: &str,
    ) {
        let mut text = Vec::new();
        let mut console = Console::new(&mut text);
        for (numbers, found) in outs {
            console.games(numbers.clone(), found, ConsoleMode { progress, matches });
        }
        assert_eq!(String::from_utf8_lossy(&text), expected);
    }

    #[test]
    fn progress_in_dots_and_numbers() {
        let games = |first, n| output(first, n, &[], &[]);
        check(&[games(1, 4)], Some(2), false, ".[2]\n.[4]\n");
        check(&[games(1, 1), games(2, 2), games(4, 1)], Some(2), false, ".[2]\n.[4]\n");
        check(&[games(1, 45)], Some(20), false, ".........[20]\n.........[40]\n..");
        check(&[games(1, 6)], Some(3), false, "..[3]\n..[6]\n");
        check(&[games(1, 60)], Some(25), false, "............[25]\n............[50]\n.....");
        check(&[games(1, 9)], None, true, "");
        check(&[games(1, 0)], Some(1), true, "");
    }

    #[test]
    fn everything_in_the_order_of_the_games() {
        let out = output(5, 6, &[(6, "six\n"), (8, "eight\n")], &[5, 6, 10]);
        check(&[out], Some(2), true, ".<5>[6]\nsix\n<6>.[8]\neight\n.[10]\n<10>");
        let out = output(5, 6, &[(6, "six\n"), (8, "eight\n")], &[5, 6, 10]);
        check(&[out], None, false, "six\neight\n");
    }

    #[test]
    fn messages_are_made_visible_and_results_are_not() {
        let out = output(1, 1, &[(1, "\x1b[2J\u{9b}2J Müller\n")], &[]);
        check(&[out], None, false, "\\x1b[2J\\x9b2J Müller\n");
        let mut text = Vec::new();
        let mut console = Console::new(&mut text);
        console.line("\x1b");
        console.write_all(b"\x1b\n").expect("written");
        assert_eq!(text, b"\\x1b\n\x1b\n");
    }

    #[test]
    fn lines_begin_at_line_starts() {
        let mut text = Vec::new();
        let mut console = Console::new(&mut text);
        console.line("a");
        console.print(b"..");
        console.line("b");
        console.fresh_line();
        assert_eq!(text, b"a\n..\nb\n");
    }

    #[test]
    fn a_closed_output_is_no_error() {
        struct Closed;
        impl Write for Closed {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
            fn flush(&mut self) -> io::Result<()> {
                Err(io::ErrorKind::BrokenPipe.into())
            }
        }
        let mut console = Console::new(Closed);
        console.line("a");
        assert!(console.is_closed);
        console.line("b");
        console.flush();
    }
}

//! How far a run has come, on standard error: a bar for people, or lines for programs.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::Progress;

/// Time between two lines for programs.
const LINE_INTERVAL: Duration = Duration::from_millis(500);

/// Pictures of the bar in a second.
const REDRAWS: u8 = 10;

/// What a run has come to.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Done {
    /// Bytes of the input.
    pub(crate) bytes: u64,
    pub(crate) games: u64,
    /// Games found, by what searches.
    pub(crate) matches: Option<u64>,
    /// Games that could not be read or evaluated as they stand.
    pub(crate) faulty: u64,
}

/// Shows a run while it goes on.
pub(crate) enum Live {
    Nothing,
    Bar(ProgressBar),
    Lines(Lines),
}

/// Lines for programs.
pub(crate) struct Lines {
    size: Option<u64>,
    start: Instant,
    last: Instant,
}

impl Live {
    /// For an input of this size, if that is known.
    pub(crate) fn new(kind: Progress, size: Option<u64>) -> Live {
        match kind {
            Progress::None => Live::Nothing,
            Progress::Json => {
                let now = Instant::now();
                Live::Lines(Lines {
                    size,
                    start: now,
                    last: now,
                })
            }
            Progress::Bar => {
                let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
                let bar = ProgressBar::with_draw_target(size, target);
                let template = match size {
                    // The bar takes what the figures leave of the line.
                    Some(_) => {
                        "{wide_bar} {percent:>3} %  {bytes} of {total_bytes}  {msg}  \
                         {bytes_per_sec}  {eta} left"
                    }
                    None => "{spinner} {bytes}  {msg}  {bytes_per_sec}  {elapsed}",
                };
                if let Ok(style) = ProgressStyle::with_template(template) {
                    bar.set_style(style);
                }
                Live::Bar(bar)
            }
        }
    }

    /// Shows how far the run has come, unless that was shown just now.
    pub(crate) fn draw(&mut self, done: Done) {
        match self {
            Live::Nothing => {}
            Live::Bar(bar) => {
                let mut message = format!("{} games", done.games);
                if let Some(matches) = done.matches {
                    let _ = write!(message, "  {matches} matches");
                }
                bar.set_message(message);
                bar.set_position(known(done.bytes, bar.length()));
            }
            Live::Lines(lines) => {
                if lines.last.elapsed() >= LINE_INTERVAL {
                    lines.last = Instant::now();
                    lines.write("progress", done);
                }
            }
        }
    }

    /// Writes to standard error without harm to the bar.
    pub(crate) fn say(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self {
            Live::Bar(bar) => bar.suspend(|| tell!("{text}")),
            Live::Nothing | Live::Lines(_) => tell!("{text}"),
        }
    }

    /// Prints something where the bar may be in the way.
    pub(crate) fn around(&self, print: impl FnOnce()) {
        match self {
            Live::Bar(bar) if io::stdout().is_terminal() => bar.suspend(print),
            _ => print(),
        }
    }

    /// Takes the bar off the terminal, or writes the last line.
    pub(crate) fn finish(&mut self, done: Done) {
        match self {
            Live::Nothing => {}
            Live::Bar(bar) => bar.finish_and_clear(),
            Live::Lines(lines) => lines.write("done", done),
        }
    }
}

impl Lines {
    fn write(&self, event: &str, done: Done) {
        let line = line(event, done, self.size, self.start.elapsed());
        // Nobody is told if standard error is closed.
        let _ = io::stderr().lock().write_all(line.as_bytes());
    }
}

/// Bytes of the input, a few of which are read twice.
fn known(bytes: u64, size: Option<u64>) -> u64 {
    size.map_or(bytes, |size| bytes.min(size))
}

/// A line with its end. The fields are documented in the book, on the page on outputs.
fn line(event: &str, done: Done, size: Option<u64>, elapsed: Duration) -> String {
    let Done {
        bytes,
        games,
        matches,
        faulty,
    } = done;
    let bytes = known(bytes, size);
    let seconds = elapsed.as_secs_f64();
    let mut line = format!("{{\"event\":\"{event}\",\"bytes\":{bytes},\"total_bytes\":");
    let left = size
        .filter(|_| bytes > 0)
        .map(|size| seconds * size.saturating_sub(bytes) as f64 / bytes as f64);
    let _ = match size {
        Some(size) => write!(line, "{size}"),
        None => write!(line, "null"),
    };
    let _ = write!(line, ",\"games\":{games}");
    if let Some(matches) = matches {
        let _ = write!(line, ",\"matches\":{matches}");
    }
    let _ = write!(
        line,
        ",\"faulty\":{faulty},\"seconds\":{seconds:.1},\"seconds_left\":"
    );
    let _ = match left {
        Some(left) => write!(line, "{left:.1}"),
        None => write!(line, "null"),
    };
    line.push_str("}\n");
    line
}

/// What the command line says about progress.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// Dots as the reference prints them.
    pub(crate) dots: Option<bool>,
    pub(crate) live: Option<Progress>,
    /// Standard output is for the result.
    pub(crate) results_on_stdout: bool,
}

/// Whether dots are shown, and what besides.
pub(crate) fn kind(wanted: Wanted) -> (bool, Progress) {
    let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
    kind_on(wanted, out, err)
}

/// The same with what is known of the terminal. On one terminal for everything the bar takes the
/// place of the dots, unless they were asked for.
fn kind_on(wanted: Wanted, out: bool, err: bool) -> (bool, Progress) {
    let alone = wanted.live.is_some() || wanted.results_on_stdout || (out && err);
    let dots = wanted.dots.unwrap_or(!alone);
    let bar = match wanted.live {
        None if wanted.dots == Some(false) => false,
        // both would be on the same line
        _ => err && !(dots && (out || wanted.results_on_stdout)),
    };
    match wanted.live {
        Some(Progress::Json) => (dots, Progress::Json),
        None | Some(Progress::Bar) if bar => (dots, Progress::Bar),
        _ => (dots, Progress::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_the_bar_do_not_meet() {
        use Progress::{Bar, Json, None as Nothing};
        let check = |dots, live, out, err, expected| {
            let wanted = Wanted {
                dots,
                live,
                results_on_stdout: false,
            };
            assert_eq!(
                kind_on(wanted, out, err),
                expected,
                "{wanted:?} {out} {err}"
            );
        };
        check(None, None, false, false, (true, Nothing));
        check(None, None, true, true, (false, Bar));
        check(None, None, false, true, (true, Bar));
        check(None, None, true, false, (true, Nothing));
        check(Some(true), None, true, true, (true, Nothing));
        check(Some(false), None, true, true, (false, Nothing));
        check(None, Some(Json), false, false, (false, Json));
        check(Some(true), Some(Json), true, true, (true, Json));
        check(None, Some(Nothing), true, true, (false, Nothing));
        check(None, Some(Bar), false, false, (false, Nothing));
        check(Some(false), Some(Bar), true, true, (false, Bar));
        let results = Wanted {
            results_on_stdout: true,
            ..Wanted::default()
        };
        assert_eq!(kind_on(results, false, true), (false, Bar));
        assert_eq!(kind_on(results, false, false), (false, Nothing));
    }

    #[test]
    fn lines_for_programs() {
        let done = Done {
            bytes: 25,
            games: 3,
            matches: Some(2),
            faulty: 1,
        };
        let second = Duration::from_secs(1);
        assert_eq!(
            line("progress", done, Some(100), second),
            "{\"event\":\"progress\",\"bytes\":25,\"total_bytes\":100,\"games\":3,\"matches\":2,\
             \"faulty\":1,\"seconds\":1.0,\"seconds_left\":3.0}\n"
        );
        assert_eq!(
            line("done", Done::default(), None, second),
            "{\"event\":\"done\",\"bytes\":0,\"total_bytes\":null,\"games\":0,\"faulty\":0,\
             \"seconds\":1.0,\"seconds_left\":null}\n"
        );
    }
}

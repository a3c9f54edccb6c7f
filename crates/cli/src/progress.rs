//! Shows the progress of a run on standard error: a bar for people, or JSON lines for programs.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use table::counted;

use crate::output::ProgressDisplay;

/// Least time between two JSON lines.
const LINE_INTERVAL: Duration = Duration::from_millis(500);

/// Redraws of the bar per second.
const REDRAWS: u8 = 10;

/// Progress of a run.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Done {
    /// Bytes of the input read so far.
    pub(crate) bytes: u64,
    pub(crate) games: u64,
    /// Matching games; `None` if the run is not a search.
    pub(crate) matches: Option<u64>,
    /// Games that could not be read or evaluated without an issue.
    pub(crate) faulty: u64,
}

impl Done {
    /// Returns the numbers of games and matches in words.
    fn words(self) -> String {
        let games = counted(self.games, "game");
        match self.matches {
            None => games,
            Some(1) => format!("{games}  1 match"),
            Some(n) => format!("{games}  {n} matches"),
        }
    }
}

/// Display of the progress.
pub(crate) enum Live {
    Nothing,
    Bar(ProgressBar),
    Lines(JsonProgress),
}

/// Progress as JSON lines.
pub(crate) struct JsonProgress {
    size: Option<u64>,
    start: Instant,
    last: Instant,
}

impl Live {
    /// Creates the display for an input of this size in bytes, if the size is known.
    pub(crate) fn new(kind: ProgressDisplay, size: Option<u64>) -> Live {
        match kind {
            ProgressDisplay::None => Live::Nothing,
            ProgressDisplay::Json => {
                let now = Instant::now();
                Live::Lines(JsonProgress { size, start: now, last: now })
            }
            ProgressDisplay::Bar => {
                let target = ProgressDrawTarget::stderr_with_hz(REDRAWS);
                let bar = ProgressBar::with_draw_target(size, target);
                let template = match size {
                    // The bar takes the width that the figures leave.
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

    /// Shows the progress. JSON lines are skipped if the last one is recent.
    pub(crate) fn draw(&mut self, done: Done) {
        match self {
            Live::Nothing => {}
            Live::Bar(bar) => {
                bar.set_message(done.words());
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

    /// Writes a text to standard error, above the bar.
    pub(crate) fn say(&self, text: &str) {
        if text.is_empty() {
            return;
        }
        match self {
            Live::Bar(bar) => bar.suspend(|| tell!("{text}")),
            Live::Nothing | Live::Lines(_) => tell!("{text}"),
        }
    }

    /// Calls `print` while the bar is hidden, if both are on a terminal.
    pub(crate) fn around(&self, print: impl FnOnce()) {
        match self {
            Live::Bar(bar) if io::stdout().is_terminal() => bar.suspend(print),
            _ => print(),
        }
    }

    /// Removes the bar, or writes the last JSON line.
    pub(crate) fn finish(&mut self, done: Done) {
        match self {
            Live::Nothing => {}
            Live::Bar(bar) => bar.finish_and_clear(),
            Live::Lines(lines) => lines.write("done", done),
        }
    }
}

impl JsonProgress {
    fn write(&self, event: &str, done: Done) {
        let line = line(event, done, self.size, self.start.elapsed());
        // Errors are ignored, such as those of a closed standard error.
        let _ = io::stderr().lock().write_all(line.as_bytes());
    }
}

/// Returns the bytes read, at most the size of the input: a few bytes are read twice.
fn known(bytes: u64, size: Option<u64>) -> u64 {
    size.map_or(bytes, |size| bytes.min(size))
}

/// Returns a JSON line with its newline. The page on outputs in the book documents the fields.
fn line(event: &str, done: Done, size: Option<u64>, elapsed: Duration) -> String {
    let Done { bytes, games, matches, faulty } = done;
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
    let _ = write!(line, ",\"faulty\":{faulty},\"seconds\":{seconds:.1},\"seconds_left\":");
    let _ = match left {
        Some(left) => write!(line, "{left:.1}"),
        None => write!(line, "null"),
    };
    line.push_str("}\n");
    line
}

/// Options of the command line about progress.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ProgressMode {
    /// Whether to print dots as the reference does; `None` if no option says so.
    pub(crate) dots: Option<bool>,
    pub(crate) live: Option<ProgressDisplay>,
    /// Whether standard output holds results.
    pub(crate) results_on_stdout: bool,
}

/// Returns whether dots are printed, and which display is shown.
pub(crate) fn kind(wanted: ProgressMode) -> (bool, ProgressDisplay) {
    let (out, err) = (io::stdout().is_terminal(), io::stderr().is_terminal());
    kind_on(wanted, out, err)
}

/// Like [`kind`], given which streams are terminals. If standard output and standard error are both
/// terminals, the bar replaces the dots unless an option requests them.
fn kind_on(wanted: ProgressMode, out: bool, err: bool) -> (bool, ProgressDisplay) {
    let alone = wanted.live.is_some() || wanted.results_on_stdout || (out && err);
    let dots = wanted.dots.unwrap_or(!alone);
    let bar = match wanted.live {
        None if wanted.dots == Some(false) => false,
        // Both would share a line.
        _ => err && !(dots && (out || wanted.results_on_stdout)),
    };
    match wanted.live {
        Some(ProgressDisplay::Json) => (dots, ProgressDisplay::Json),
        None | Some(ProgressDisplay::Bar) if bar => (dots, ProgressDisplay::Bar),
        _ => (dots, ProgressDisplay::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_the_bar_do_not_meet() {
        use ProgressDisplay::{Bar, Json, None as Nothing};
        let check = |dots, live, out, err, expected| {
            let wanted = ProgressMode { dots, live, results_on_stdout: false };
            assert_eq!(kind_on(wanted, out, err), expected, "{wanted:?} {out} {err}");
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
        let results = ProgressMode { results_on_stdout: true, ..ProgressMode::default() };
        assert_eq!(kind_on(results, false, true), (false, Bar));
        assert_eq!(kind_on(results, false, false), (false, Nothing));
    }

    #[test]
    fn one_game_is_not_several() {
        let check = |games, matches, expected: &str| {
            assert_eq!(Done { games, matches, ..Done::default() }.words(), expected);
        };
        check(1, None, "1 game");
        check(1, Some(0), "1 game  0 matches");
        check(2, Some(1), "2 games  1 match");
    }

    #[test]
    fn lines_for_programs() {
        let done = Done { bytes: 25, games: 3, matches: Some(2), faulty: 1 };
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

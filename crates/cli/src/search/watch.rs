//! Shows a search while it is active, and ends it early after certain issues.

use std::io;

use engine::QueryResults;
use flow::Output;

use super::Stdout;
use super::sources::SourceFaults;
use crate::args::Options;
use crate::console::ConsoleMode;
use crate::failure::Failure;
use crate::output::ProgressDisplay;
use crate::progress::{self, Done, Live, ProgressMode};
use crate::report::GameFaults;
use input::{Inputs, Meter};

/// Reason to end a run before the last game.
#[derive(Debug)]
pub(super) enum StopCause {
    /// A game with an issue, in a strict run.
    Strict,
    /// A game that exceeds a limit, in a strict run.
    Limit,
    /// A game that is written in part, in a strict run.
    Truncated,
    /// A file that cannot be read to its end, in a strict run.
    Unreadable(String),
}

impl std::fmt::Display for StopCause {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            StopCause::Strict => "a game cannot be read as written, and -strict is given",
            StopCause::Limit => "the query exceeds a limit on a game, and -strict is given",
            StopCause::Truncated => "a game exceeds the output buffer, and -strict is given",
            StopCause::Unreadable(what) => return write!(f, "{what}, and -strict is given"),
        })
    }
}

impl std::error::Error for StopCause {}

impl StopCause {
    /// Fails in a strict run if a query exceeded a limit or a game was written in part.
    pub(super) fn check_strict_query(strict: bool, faults: &GameFaults) -> io::Result<()> {
        if strict && faults.beyond_limits() {
            return Err(io::Error::other(StopCause::Limit));
        }
        if strict && faults.in_output() {
            return Err(io::Error::other(StopCause::Truncated));
        }
        Ok(())
    }

    /// Fails in a strict run if a game had an issue or its source could not be read to its end.
    pub(super) fn check_strict<R>(
        strict: bool,
        faults: &GameFaults,
        out: &Output<R>,
    ) -> io::Result<()> {
        if strict && faults.in_file() {
            return Err(io::Error::other(StopCause::Strict));
        }
        StopCause::check_strict_query(strict, faults)?;
        match &out.failure {
            Some(failure) if strict => {
                let what = format!("cannot read {}: {failure}", out.origin.name);
                Err(io::Error::other(StopCause::Unreadable(what)))
            }
            _ => Ok(()),
        }
    }
}

/// Results of a search.
pub(super) struct Seen {
    /// Number of games read; with a limit, up to the last game that was wanted.
    pub(super) n_games: u64,
    pub(super) n_matches: u64,
    pub(super) faults: GameFaults,
    pub(super) sources: SourceFaults,
}

/// Display of the search while it is active.
pub(super) struct SearchDisplay<'a> {
    console: &'a mut Stdout,
    shown: ConsoleMode,
    live: Live,
    meter: Meter,
    faults: GameFaults,
    sources: SourceFaults,
    strict: bool,
    gui: bool,
    n_games: u64,
    n_matches: u64,
}

impl<'a> SearchDisplay<'a> {
    pub(super) fn new(
        options: &Options,
        inputs: &Inputs,
        console: &'a mut Stdout,
    ) -> SearchDisplay<'a> {
        let live = options.outputs.progress.or(options.is_quiet.then_some(ProgressDisplay::None));
        let (dots, live) = progress::kind(ProgressMode {
            dots: options.progress,
            live,
            results_on_stdout: options.results_on_stdout(),
        });
        console.flush();
        SearchDisplay {
            console,
            shown: ConsoleMode {
                progress: dots.then_some(options.line_increment),
                matches: options.show_matches,
            },
            live: Live::new(live, inputs.size()),
            meter: inputs.meter(),
            faults: GameFaults::new(inputs.name()),
            sources: SourceFaults::default(),
            strict: options.strict,
            gui: options.gui,
            n_games: 0,
            n_matches: 0,
        }
    }

    pub(super) fn see<R>(&mut self, out: &Output<R>, found: &QueryResults) -> io::Result<()> {
        self.n_games += out.n_games;
        self.n_matches += found.matches.len() as u64;
        let mut faults = self.sources.begin(out);
        faults += &self.faults.add(&out.origin.name, &out.faults);
        faults += &self.sources.end(out);
        self.faults.add_lost_comments(found);
        self.live.say(&faults);
        self.live.draw(self.done());
        let (live, console, shown) = (&self.live, &mut *self.console, self.shown);
        let numbers = out.first_game..out.first_game + out.n_games;
        live.around(|| console.games(numbers, found, shown));
        if self.gui {
            let (games, matches) = (self.n_games, self.n_matches);
            self.console
                .line(format!("<CqlGuiStatus numbergames={games} numbermatches={matches}>"));
            self.console.flush();
        }
        StopCause::check_strict(self.strict, &self.faults, out)
    }

    fn done(&self) -> Done {
        Done {
            bytes: self.meter.read(),
            games: self.n_games,
            matches: Some(self.n_matches),
            faulty: self.faults.n_games(),
        }
    }

    /// Returns the results of the search; fails if no input or no game could be read.
    pub(super) fn finish(mut self) -> Result<Seen, Failure> {
        self.live.finish(self.done());
        match self.sources.finish() {
            Ok(text) => tell!("{text}"),
            Err(failure) => {
                tell!("{}{}", self.faults.summary(), self.sources.summary());
                return Err(failure);
            }
        }
        Ok(Seen {
            n_games: self.n_games,
            n_matches: self.n_matches,
            faults: self.faults,
            sources: self.sources,
        })
    }
}

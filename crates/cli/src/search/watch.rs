//! What is shown of a search while it goes on, and what ends it early.

use std::io;
use std::path::Path;

use engine::run::ChunkOutput;

use super::Stdout;
use super::query::FileNames;
use crate::args::Options;
use crate::console::Shown;
use crate::progress::{self, Done, Live, Wanted};
use crate::report::GameFaults;

/// Why a run ends before the last game.
#[derive(Debug)]
pub(super) enum Ended {
    /// A fault in the file, in a strict run.
    Strict,
    /// The query takes too many steps.
    TooManySteps,
}

impl std::fmt::Display for Ended {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Ended::Strict => "a game cannot be read as it stands, and -strict is given",
            Ended::TooManySteps => {
                "the query takes too many steps on each of the first games; it may never end, or \
                 need a greater limit (-steps)"
            }
        })
    }
}

impl std::error::Error for Ended {}

/// What a run came to.
pub(super) struct Seen {
    /// Games read; with a limit those up to the last that was wanted.
    pub(super) n_games: u64,
    pub(super) n_matches: u64,
    pub(super) faults: GameFaults,
}

/// Shows the run while it goes on.
pub(super) struct Watcher<'a> {
    console: &'a mut Stdout,
    shown: Shown,
    live: Live,
    bytes: u64,
    faults: GameFaults,
    strict: bool,
    gui: bool,
    n_games: u64,
    n_matches: u64,
}

impl<'a> Watcher<'a> {
    pub(super) fn new(
        options: &Options,
        files: &FileNames,
        size: u64,
        console: &'a mut Stdout,
    ) -> Watcher<'a> {
        let (dots, live) = progress::kind(Wanted {
            dots: options.progress,
            live: options.outputs.progress,
            results_on_stdout: options.results_on_stdout(),
        });
        console.flush();
        Watcher {
            console,
            shown: Shown {
                progress: dots.then_some(options.line_increment),
                matches: options.show_matches,
            },
            live: Live::new(live, Some(size)),
            bytes: 0,
            faults: GameFaults::new(Path::new(&files.input_name())),
            strict: options.strict,
            gui: options.gui,
            n_games: 0,
            n_matches: 0,
        }
    }

    pub(super) fn see(&mut self, out: &ChunkOutput) -> io::Result<()> {
        self.n_games += out.n_games;
        self.n_matches += out.matches.len() as u64;
        self.bytes = out.end;
        let faults = self.faults.add(&out.faults);
        self.live.say(&faults);
        self.live.draw(self.done());
        let (live, console, shown) = (&self.live, &mut *self.console, self.shown);
        live.around(|| console.games(out, shown));
        if self.gui {
            let (games, matches) = (self.n_games, self.n_matches);
            self.console.line(format!(
                "<CqlGuiStatus numbergames={games} numbermatches={matches}>"
            ));
            self.console.flush();
        }
        if self.strict && self.faults.in_file() {
            return Err(io::Error::other(Ended::Strict));
        }
        Ok(())
    }

    fn done(&self) -> Done {
        Done {
            bytes: self.bytes,
            games: self.n_games,
            matches: self.n_matches,
            faulty: self.faults.n_games(),
        }
    }

    pub(super) fn finish(mut self) -> Seen {
        self.live.finish(self.done());
        Seen {
            n_games: self.n_games,
            n_matches: self.n_matches,
            faults: self.faults,
        }
    }
}

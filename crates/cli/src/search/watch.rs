//! What is shown of a search while it goes on, and what ends it early.

use std::io;
use std::path::Path;

use engine::run::ChunkOutput;

use super::Stdout;
use super::query::FileNames;
use crate::args::Options;
use crate::console::{LiveLine, Shown, progress_kind};
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

/// Shows the run while it goes on.
pub(super) struct Watcher<'a> {
    console: &'a mut Stdout,
    shown: Shown,
    live: Option<LiveLine>,
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
        let (dots, live) = progress_kind(options.progress);
        console.flush();
        Watcher {
            console,
            shown: Shown {
                progress: dots.then_some(options.line_increment),
                matches: options.show_matches,
            },
            live: live.then(|| LiveLine::new(size)),
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
        let faults = self.faults.add(&out.faults);
        if let Some(live) = &mut self.live {
            if !faults.is_empty() {
                live.clear();
            }
            live.draw(out.end, self.n_games, self.n_matches);
        }
        eprint!("{faults}");
        self.console.games(out, self.shown);
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

    pub(super) fn finish(mut self) -> GameFaults {
        if let Some(live) = &mut self.live {
            live.clear();
        }
        self.faults
    }
}

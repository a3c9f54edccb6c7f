//! Shows progress and issues of the games, apart from what the queries find in them.

use std::io;

use flow::Output;

use super::results::Running;
use super::{Request, RunInput};
use crate::failure::Failure;
use crate::progress::{self, Done, Live, ProgressMode};
use crate::report::GameFaults;
use crate::search::sources::SourceFaults;
use crate::search::watch::StopCause;
use input::{Inputs, Meter};

/// Display of the run while it is active.
pub(super) struct View {
    live: Live,
    meter: Meter,
    faults: GameFaults,
    sources: SourceFaults,
    strict: bool,
    n_games: u64,
}

impl View {
    pub(super) fn new(request: &Request<'_>, inputs: &Inputs) -> View {
        let is_part = matches!(&request.games, RunInput::Shard(part) if part.is_one_of_several);
        // Without dots, which would be printed among the results.
        let (_, live) = progress::kind(ProgressMode {
            dots: None,
            live: request.outputs.progress,
            results_on_stdout: true,
        });
        View {
            live: Live::new(live, inputs.size()),
            meter: inputs.meter(),
            faults: GameFaults::new(inputs.name()),
            sources: SourceFaults::of_part(is_part),
            strict: request.strict,
            n_games: 0,
        }
    }

    /// Records what a chunk says about the games themselves, and reports their issues together with
    /// what the queries say, each line with the number of its game.
    pub(super) fn see<R>(
        &mut self,
        out: &Output<R>,
        of_queries: Vec<(u64, String)>,
    ) -> io::Result<()> {
        self.n_games += out.n_games;
        let mut faults = self.sources.begin(out);
        let mut lines = self.faults.add_each(&out.origin.name, &out.faults);
        lines.extend(of_queries);
        // The ends of chunks depend on the threads; no line may depend on them.
        lines.sort_by_key(|(number, _)| *number);
        faults.extend(lines.into_iter().map(|(_, line)| line));
        faults += &self.sources.end(out);
        self.live.say(&faults);
        StopCause::check_strict(self.strict, &self.faults, out)
    }

    /// Shows the progress.
    pub(super) fn draw(&mut self, running: &[Running<'_>]) {
        let done = self.done(running);
        self.live.draw(done);
    }

    fn done(&self, running: &[Running<'_>]) -> Done {
        Done {
            bytes: self.meter.read(),
            games: self.n_games,
            matches: Some(running.iter().map(Running::n_matches).sum()),
            faulty: self.faults.n_games() + running.iter().map(Running::n_faulty).sum::<u64>(),
        }
    }

    /// Returns the number of games read.
    pub(super) fn n_games(&self) -> u64 {
        self.n_games
    }

    /// Whether every input could be read to its end.
    pub(super) fn is_whole(&self) -> bool {
        self.sources.n_failed == 0
    }

    /// Fails for a shard that could not be read to its end or has another number of games than when
    /// it was cut: nothing is written for it.
    pub(super) fn check_whole(&self, n_wanted: Option<u64>) -> Result<(), String> {
        if !self.is_whole() {
            return Err("the shard could not be read to its end: nothing was written".to_owned());
        }
        match n_wanted {
            Some(n) if n != self.n_games => Err(format!(
                "the shard has {} games, but had {n} when it was cut: nothing was written",
                self.n_games
            )),
            _ => Ok(()),
        }
    }

    /// Reports the issues. Returns whether all games could be read; fails if no input or no game could.
    pub(super) fn finish(mut self, running: &[Running<'_>]) -> Result<bool, Failure> {
        let done = self.done(running);
        self.live.finish(done);
        let finished = self.sources.finish();
        tell!("{}", finished.as_deref().unwrap_or_default());
        tell!("{}{}", self.faults.summary(), self.sources.summary());
        finished?;
        Ok(self.sources.n_failed == 0 && !self.faults.leaves_out())
    }
}

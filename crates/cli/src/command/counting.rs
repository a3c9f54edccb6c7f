//! Counts, compares and searches games for several subcommands: progress, and issues of files and
//! games.

use std::io;
use std::ops::ControlFlow;

use babson::{
    InputGroup, MatchedGame, Scan, Search, SearchError, Summary, UnusedArchive, for_each_match,
};
use flow::{FaultKind, GameFault, Output, RunOptions};
use input::{Inputs, Meter};
use pgn::VariantNames;
use survey::{Collection, Error, Watch};

use super::reading::ReadingArgs;
use crate::failure::{Failure, context};
use crate::games::tell_unused;
use crate::interrupt;
use crate::output::ProgressDisplay;
use crate::progress::{self, Done, Live, ProgressMode};
use crate::report::GameFaults;
use crate::search::sources::SourceFaults;
use crate::visible::visible_name;

/// Returns the games, to be counted with the options of a subcommand.
pub(super) fn collection<'g>(
    inputs: &'g Inputs,
    groups: Vec<InputGroup<'g>>,
    reading: &ReadingArgs,
    variants: VariantNames,
) -> Collection<'g> {
    let options =
        RunOptions { threads: reading.threads(), ..RunOptions::new(interrupt::cancel().clone()) };
    Collection::new(inputs, groups, options, variants)
}

/// Shows the progress and the issues of a count or a search.
pub(super) struct Watcher<'g> {
    inputs: &'g Inputs,
    /// Style of the progress display.
    progress: Option<ProgressDisplay>,
    meter: Meter,
    /// Number of bytes that were read before this pass.
    bytes_before: u64,
    live: Live,
    done: Done,
    pub(super) sources: SourceFaults,
    pub(super) defects: GameFaults,
    /// Message for games that could not be read, if they end the run.
    pub(super) refusal: Option<&'static str>,
    failure: Option<Failure>,
    /// Whether an earlier pass has told the issues of the files and games, so that only those of
    /// queries are new.
    pub(super) is_told: bool,
}

impl<'g> Watcher<'g> {
    pub(super) fn new(inputs: &'g Inputs, progress: Option<ProgressDisplay>) -> Watcher<'g> {
        Watcher {
            inputs,
            progress,
            meter: inputs.meter(),
            bytes_before: 0,
            live: Live::Nothing,
            done: Done::default(),
            sources: SourceFaults::default(),
            defects: GameFaults::new(inputs.name()),
            refusal: None,
            failure: None,
            is_told: false,
        }
    }

    /// Begins a pass over the games.
    pub(super) fn start(&mut self) {
        let (_, kind) = progress::kind(ProgressMode {
            dots: None,
            live: self.progress,
            results_on_stdout: true,
        });
        self.live = Live::new(kind, self.inputs.size());
        self.bytes_before = self.meter.read();
        self.done = Done::default();
    }

    /// Ends a pass over the games.
    pub(super) fn stop(&mut self) {
        self.live.finish(self.done);
    }

    /// Searches, with progress, and passes the games that match the first query to `each`, in the
    /// order of the query; a `Break` ends the search. The issues that it shows are those of all chunks.
    ///
    /// # Errors
    /// Those of [`for_each_match`].
    pub(super) fn matches<S: Scan>(
        &mut self,
        search: &Search<'_, S>,
        each: &mut dyn FnMut(MatchedGame) -> io::Result<ControlFlow<()>>,
    ) -> Result<Summary, SearchError> {
        self.start();
        let searched = for_each_match(
            search,
            &mut tell_unused,
            &mut |chunk| {
                self.see(&chunk.output, &chunk.output.faults);
                Ok(())
            },
            each,
        );
        self.stop();
        searched
    }

    /// Shows the progress of a search, and the issues of a chunk: those of its source, and the
    /// given ones of its games.
    pub(super) fn see<'f, R>(
        &mut self,
        chunk: &Output<R>,
        faults: impl IntoIterator<Item = &'f GameFault>,
    ) {
        self.tell(chunk, faults);
        self.advance(chunk.n_games, self.meter.read());
    }

    /// Shows the progress of a search that chooses games, the issues of its query, and the games
    /// that cannot be chosen. Another pass tells the issues of the sources.
    pub(super) fn see_choice<R>(&mut self, chunk: &Output<R>) {
        let faults = chunk.faults.iter();
        let faults = faults.filter(|fault| fault.part.is_some() || !fault.is_searched());
        let said = self.defects.add(&chunk.origin.name, faults);
        self.live.say(&said);
        self.advance(chunk.n_games, self.meter.read());
    }

    /// Shows the progress of games that are written later than they are read; `bytes` is the state
    /// of the [`Meter`] when the last of them was read.
    pub(super) fn advance(&mut self, n_games: u64, bytes: u64) {
        self.done.games += n_games;
        self.done.bytes = bytes.saturating_sub(self.bytes_before);
        self.live.draw(self.done);
    }

    /// Reports the source of a chunk and its issues, and the given ones of its games.
    pub(super) fn tell<'f, R>(
        &mut self,
        chunk: &Output<R>,
        faults: impl IntoIterator<Item = &'f GameFault>,
    ) {
        let begun = self.sources.begin(chunk);
        let is_new = |fault: &&GameFault| !self.is_told || fault.part.is_some();
        let faults = faults.into_iter().filter(is_new);
        let said = self.defects.add(&chunk.origin.name, faults);
        let ended = self.sources.end(chunk);
        self.live.say(&if self.is_told { said } else { begun + &said + &ended });
    }

    /// Fails if a search has read no games.
    pub(super) fn refuse_nothing(&self) -> Result<(), Failure> {
        if self.done.games > 0 {
            return Ok(());
        }
        Err(Failure::Message(format!("there are no games in {}", self.inputs.name())))
    }

    /// Whether all games could be read, without errors of the program.
    pub(super) fn is_sound(&self) -> bool {
        !self.defects.in_program() && self.sources.n_failed == 0
    }

    /// Whether all games were also searched: none was left out, and the query failed on none.
    pub(super) fn is_complete(&self) -> bool {
        self.is_sound() && !self.defects.leaves_out() && !self.defects.in_query()
    }

    /// Returns the lines to print after the result.
    pub(super) fn summary(&self) -> String {
        self.defects.summary() + &self.sources.summary()
    }

    /// Converts an error of the count.
    pub(super) fn failure(&mut self, error: &Error) -> Failure {
        match error {
            Error::Cancelled => Failure::Interrupted,
            Error::Damaged(UnusedArchive { archive, reason }) => {
                Failure::Message(format!("{}: {reason}", visible_name(archive)))
            }
            Error::Failed(error) => self
                .failure
                .take()
                .unwrap_or_else(|| context(format!("reading {}", self.inputs.name()), error)),
            _ => Failure::Message(error.to_string()),
        }
    }
}

impl Watch for Watcher<'_> {
    fn begin(&mut self) {
        self.start();
    }

    fn read(
        &mut self,
        _: &Output<()>,
        survey::PassProgress { games, faulty }: survey::PassProgress,
    ) {
        let bytes = self.meter.read() - self.bytes_before;
        self.done = Done { bytes, games, faulty, ..Done::default() };
        self.live.draw(self.done);
    }

    fn report(&mut self, chunk: &Output<()>) {
        self.tell(chunk, chunk.faults.iter().filter(|fault| fault.kind == FaultKind::Internal));
    }

    fn unused(&mut self, unused: &UnusedArchive) {
        let said = unused.with_instead("reading");
        self.live.say(&format!("{}: {said}\n", visible_name(&unused.archive)));
    }

    fn end(&mut self) -> io::Result<()> {
        self.stop();
        match self.refusal.filter(|_| !self.is_sound()) {
            None => Ok(()),
            Some(message) => {
                let failure = match self.sources.finish() {
                    Err(failure) => failure,
                    Ok(said) => {
                        tell!("{said}{}", self.summary());
                        Failure::Message(message.to_owned())
                    }
                };
                self.failure = Some(failure);
                Err(io::Error::other(message))
            }
        }
    }
}

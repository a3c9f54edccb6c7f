//! Passes the progress of a count on to the page, and collects what it has to say.

use std::sync::atomic::Ordering;

use babson::{Games, UnusedArchive};
use flow::{Output, RunOptions};
use pgn::VariantNames;
use survey::{Collection, Watch};

use crate::lines::LineSender;
use crate::wanted::WantedGames;

/// Receiver of progress and issues.
pub(crate) struct Watcher<'l> {
    lines: &'l LineSender,
    /// Sentences about files and games that were not read as they should be.
    pub(crate) notes: Vec<String>,
}

impl<'l> Watcher<'l> {
    pub(crate) fn new(lines: &'l LineSender) -> Watcher<'l> {
        Watcher { lines, notes: Vec::new() }
    }

    /// Returns the wanted games, to be counted.
    pub(crate) fn collection<'g>(
        &mut self,
        games: &'g Games,
        wanted: &WantedGames,
        threads: usize,
    ) -> Collection<'g> {
        let cancel = &self.lines.cancel;
        let groups = games.groups(false, cancel, &mut |unused| {
            self.notes.push(note_of(unused));
        });
        let options = RunOptions { threads, ..RunOptions::new(cancel.clone()) };
        Collection::new(&games.inputs, groups, options, VariantNames::default())
            .choosing(wanted.chosen.clone())
    }

    /// Notes that a file could not be read to its end.
    pub(crate) fn note_failure<R>(&mut self, chunk: &Output<R>) {
        let failure = chunk.failure.iter();
        self.notes.extend(failure.map(|why| format!("{}: {why}", chunk.origin.name)));
    }

    /// Passes the number of games that were read on.
    pub(crate) fn games(&self, n: u64) {
        self.lines.progress.games.store(n, Ordering::Relaxed);
    }
}

impl Watch for Watcher<'_> {
    fn read(&mut self, _: &Output<()>, so_far: survey::PassProgress) {
        self.games(so_far.games);
    }

    fn report(&mut self, chunk: &Output<()>) {
        self.note_failure(chunk);
    }

    fn unused(&mut self, unused: &UnusedArchive) {
        self.notes.push(note_of(unused));
    }
}

pub(crate) fn note_of(UnusedArchive { archive, reason }: &UnusedArchive) -> String {
    format!("{archive}: {reason}; the text was read instead")
}

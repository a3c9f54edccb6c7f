//! Searches all games: one group of inputs after the other, each by its archive or by its text.

use std::io;
use std::ops::Range;

use engine::KnownWorker;
use flow::{GameSource, Origin, Output, RunOptions, Sink, SourceError, Sources, Summary};
use input::Inputs;

use super::groups::InputGroup;
use super::reader::ArchiveReader;
use super::searcher::ArchiveCursor;
use crate::{Prefilter, Scan, UnusedArchive};

/// Games to search.
#[derive(Clone, Copy)]
pub struct ScanPlan<'a> {
    /// All inputs.
    pub inputs: &'a Inputs,
    /// The inputs divided by how they are searched.
    pub groups: &'a [InputGroup<'a>],
}

/// A search in progress.
struct ActiveSearch<'a, F> {
    walk: ScanPlan<'a>,
    screens: &'a Prefilter,
    options: &'a RunOptions,
    make_worker: &'a F,
}

impl Scan for ScanPlan<'_> {
    fn sources(&self) -> Box<Sources<'_>> {
        self.inputs.sources()
    }

    fn size(&self) -> Option<u64> {
        self.inputs.size()
    }

    fn name(&self) -> &str {
        self.inputs.name()
    }

    fn source(&self, name: &str) -> Option<GameSource<'_>> {
        self.groups.iter().find_map(|group| group.source(self.inputs, name))
    }

    /// Evaluates the games that pass the screens. If an archive turns out to be damaged, the search
    /// continues with the text from that game on.
    ///
    /// # Errors
    /// Those of the sink, a thread that cannot be created, and a query that keeps values from game
    /// to game while slices of archives are searched.
    fn scan<W: KnownWorker>(
        &self,
        screens: &Prefilter,
        options: &RunOptions,
        make_worker: &(impl Fn() -> W + Sync),
        tell: &mut dyn FnMut(&UnusedArchive),
        sink: &mut Sink<'_, W::Results>,
    ) -> io::Result<(Summary, Vec<W>)> {
        let is_cut = self.groups.len() > 1 && screens.is_sequential();
        let mut groups = self.groups.iter();
        let has_slices = groups.any(|group| match group {
            InputGroup::Archive(archived, _) => archived.only.is_some(),
            InputGroup::Text(_) => false,
        });
        if is_cut && has_slices {
            let message = "the query keeps values from game to game, which is impossible in parts \
                           of an archive: search the archive itself";
            return Err(io::Error::new(io::ErrorKind::Unsupported, message));
        }
        if is_cut || matches!(self.groups, [] | [InputGroup::Text(_)]) {
            return flow::run(self.inputs.sources(), options, make_worker, sink);
        }
        let run = ActiveSearch { walk: *self, screens, options, make_worker };
        let mut workers = Vec::new();
        let mut n_games = 0;
        for group in self.groups {
            let is_over = options.last_game.is_some_and(|last| n_games > last);
            if is_over || options.cancel.is_cancelled() {
                break;
            }
            let before = n_games;
            let mut count = |out: Output<W::Results>| {
                n_games += out.n_games;
                sink(out)
            };
            workers = match group {
                InputGroup::Text(files) => {
                    let sources = sources_of(self.inputs, files, before);
                    flow::run(sources, options, make_worker, &mut count)?.1
                }
                InputGroup::Archive(archived, files) => {
                    let before = archived.games_before(before);
                    // As in the text, a file without games is heard of, once the search is there.
                    let mut empty = archived.empty_sources(before).peekable();
                    let mut in_order = |out: Output<W::Results>| {
                        while let Some(next) =
                            empty.next_if(|next| next.first_game <= out.first_game)
                        {
                            count(next)?;
                        }
                        count(out)
                    };
                    let workers = run.archive((archived, files), before, tell, &mut in_order)?;
                    // The text of a damaged archive has told of them.
                    if !options.cancel.is_cancelled() && archived.damage().is_none() {
                        empty.try_for_each(&mut count)?;
                    }
                    workers
                }
            };
        }
        let cancelled = options.cancel.is_cancelled();
        Ok((Summary { n_games, cancelled }, workers))
    }
}

impl<F> ActiveSearch<'_, F> {
    /// Evaluates games by their archive. `before` is the number of games before them.
    fn archive<W: KnownWorker>(
        &self,
        (archived, files): (&ArchiveReader<'_>, &Range<usize>),
        before: u64,
        tell: &mut dyn FnMut(&UnusedArchive),
        sink: &mut Sink<'_, W::Results>,
    ) -> io::Result<Vec<W>>
    where
        F: Fn() -> W + Sync,
    {
        let (options, make_worker) = (self.options, self.make_worker);
        let mut damaged_at = None;
        let mut guarded = |mut out: Output<W::Results>| {
            archived.see(out.n_games);
            let is_damaged = out.failure.is_some() && archived.damage().is_some();
            // The offset of a slice's games in the text is unknown.
            if is_damaged && !self.screens.is_sequential() && archived.only.is_none() {
                out.failure = None;
                let next = out.first_game + out.n_games;
                damaged_at = Some(next);
                // Reading the text reports these issues again.
                out.faults.retain(|fault| fault.number < next);
                if out.n_games == 0 {
                    return Ok(());
                }
            }
            sink(out)
        };
        let make_searcher = || ArchiveCursor::new(archived, before, self.screens, make_worker());
        let origin = Origin::default();
        let ranges = archived.ranges(before);
        let (_, searchers) =
            flow::run_ranges(&origin, ranges, options, make_searcher, &mut guarded)?;
        let Some(next) = damaged_at else {
            return Ok(searchers.into_iter().map(ArchiveCursor::into_worker).collect());
        };
        if let Some(reason) = archived.damage() {
            tell(&UnusedArchive { archive: archived.name().to_owned(), reason: reason.clone() });
        }
        let mut options = options.clone();
        options.first_game = options.first_game.max(next);
        let mut behind = |mut out: Output<W::Results>| {
            if forget_before(&mut out, next) { sink(out) } else { Ok(()) }
        };
        let sources = sources_of(self.walk.inputs, files, before);
        Ok(flow::run(sources, &options, make_worker, &mut behind)?.1)
    }
}

/// Returns the sources of a range of inputs. `before` is the number of games before them; parts
/// have this number themselves.
pub fn sources_of<'i>(inputs: &'i Inputs, files: &Range<usize>, before: u64) -> Box<Sources<'i>> {
    let (end, mut is_first) = (files.end, true);
    let sources = inputs.sources_from(files.start);
    let sources = sources.take_while(move |(file, _)| *file < end);
    Box::new(sources.map(move |(_, source)| {
        let mut source: Result<GameSource<'_>, SourceError> = source;
        if let Ok(source) = &mut source
            && std::mem::take(&mut is_first)
        {
            source.games_before.get_or_insert(before);
        }
        source
    }))
}

/// Removes the games before `first`, whose results come from another run. Returns whether any games
/// are left.
fn forget_before<R>(out: &mut Output<R>, first: u64) -> bool {
    let n_before = first.saturating_sub(out.first_game).min(out.n_games);
    if n_before > 0 && n_before == out.n_games {
        return false;
    }
    out.first_game += n_before;
    out.n_games -= n_before;
    out.faults.retain(|fault| fault.number >= first);
    true
}

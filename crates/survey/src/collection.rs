//! Passes over the games of a collection: by the columns of archives where these suffice, otherwise
//! by their text.

use std::error;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use archive::{Columns, Rows};
use babson::{
    ArchiveReadError, ArchiveReader, ArchiveRows, InputGroup, Query, ScanPlan, Search, SearchError,
    UnusedArchive, sources_of,
};
use engine::QueryResults;
use flow::{
    FaultKind, GameSet, Origin, Output, RangeWorker, ReadError, Results, RunOptions, Worker,
};
use input::Inputs;
use pgn::VariantNames;

/// Games to count.
pub struct Collection<'g> {
    inputs: &'g Inputs,
    groups: Vec<InputGroup<'g>>,
    options: RunOptions,
    pub(crate) variants: VariantNames,
}

/// Receiver of the progress of a count, and of issues of the games.
pub trait Watch {
    /// Called before each pass over the games.
    fn begin(&mut self) {}

    /// Receives the numbers of games and bytes of a chunk that was read, and the progress with it.
    fn read(&mut self, chunk: &Output<()>, so_far: PassProgress);

    /// Receives the source, the issues and the failure of games that are counted, in their order.
    /// Only the first pass reports them. Games of an archive come by sources, and have no issues.
    fn report(&mut self, chunk: &Output<()>);

    /// Called when the text is read in place of an archive.
    fn unused(&mut self, unused: &UnusedArchive);

    /// Called after each pass.
    ///
    /// # Errors
    /// The issues are reason enough to end the count.
    fn end(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Progress of a pass over the games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PassProgress {
    /// Number of games that were read.
    pub games: u64,
    /// Number of games with issues among them, if they are counted.
    pub faulty: u64,
}

/// Reason why games cannot be counted.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The count was cancelled.
    Cancelled,
    /// A file changed between two passes.
    Changed,
    /// An archive turned out to be damaged after results were given out.
    Damaged(UnusedArchive),
    /// Threads are lacking, or the receiver fails.
    Failed(io::Error),
}

impl Display for Error {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Error::Cancelled => f.write_str("the count was ended"),
            Error::Changed => f.write_str("a file changed while it was read"),
            Error::Damaged(UnusedArchive { archive, reason }) => write!(f, "{archive}: {reason}"),
            Error::Failed(error) => error.fmt(f),
        }
    }
}

impl error::Error for Error {
    fn source(&self) -> Option<&(dyn error::Error + 'static)> {
        match self {
            Error::Failed(error) => Some(error),
            Error::Cancelled | Error::Changed | Error::Damaged(_) => None,
        }
    }
}

/// Results that can be added.
pub(crate) trait Sum: Results {
    /// Adds the results of other games.
    fn add(&mut self, other: Self);

    /// Counts games that were skipped because they cannot be read.
    fn add_skipped(&mut self, n: u64) {
        let _ = n;
    }

    /// Number of games with issues, if they are counted.
    fn n_faulty(&self) -> u64 {
        0
    }
}

/// Worker that also evaluates the rows of archives.
pub(crate) trait RowWorker: Worker<Results: Sum> {
    /// Whether results are passed on before it is known that the archive is intact.
    const IS_STREAM: bool = false;

    /// Returns the columns that are needed.
    fn columns() -> Columns;

    /// Evaluates a game by its columns. Returns `false` if they do not suffice; then its text is
    /// read.
    ///
    /// # Errors
    /// The columns are damaged.
    fn row(
        &mut self,
        rows: &Rows,
        row: usize,
        number: u64,
        out: &mut Output<Self::Results>,
    ) -> Result<bool, ArchiveReadError>;

    /// Called with the last rows of a segment, whose texts are available no longer.
    fn leave_segment(&mut self, rows: &Rows) {
        let _ = rows;
    }

    /// Returns results of rows that are not part of any chunk.
    fn finish(self) -> Self::Results
    where
        Self: Sized,
    {
        Self::Results::default()
    }
}

/// Receiver of results, and of the source and the numbers of games and bytes that they belong to.
pub(crate) type Take<'t, R> = dyn FnMut(R, &Output<()>) -> io::Result<()> + 't;

/// Totals of a pass.
#[derive(Default)]
pub(crate) struct Passed {
    /// Number of games that were chosen.
    pub(crate) n_games: u64,
    /// Number of games that were read, chosen or not.
    pub(crate) n_read: u64,
    /// Number of sources that could be read, at least in part.
    pub(crate) n_sources: u64,
    pub(crate) is_cancelled: bool,
}

impl<'g> Collection<'g> {
    /// Creates a collection of inputs, which are divided into groups. `options` have the number
    /// of threads and the cancellation.
    pub fn new(
        inputs: &'g Inputs,
        groups: Vec<InputGroup<'g>>,
        options: RunOptions,
        variants: VariantNames,
    ) -> Collection<'g> {
        let options = RunOptions { size: inputs.size(), ..options };
        Collection { inputs, groups, options, variants }
    }

    /// Counts only these games; `None` stands for all.
    #[must_use]
    pub fn choosing(mut self, chosen: Option<Arc<GameSet>>) -> Collection<'g> {
        self.options.chosen = chosen;
        self
    }

    /// Counts only these games from now on.
    pub(crate) fn choose(&mut self, chosen: GameSet) {
        self.options.chosen = Some(Arc::new(chosen));
    }

    /// Searches the games with these queries.
    pub(crate) fn search(
        &self,
        queries: Vec<Query>,
        watch: &mut dyn Watch,
        take: &mut dyn FnMut(Output<Vec<QueryResults>>),
    ) -> Result<(), Error> {
        let plan = ScanPlan { inputs: self.inputs, groups: &self.groups };
        let search = Search::new(&plan, queries)
            .threads(self.options.threads)
            .choosing(self.options.chosen.clone())
            .cancel(&self.options.cancel);
        watch.begin();
        let mut so_far = PassProgress::default();
        let searched = search.run(&mut |_| {}, &mut |chunk| {
            so_far.games += chunk.output.n_games;
            let Output { first_game, n_games, n_bytes, ref origin, .. } = chunk.output;
            let origin = origin.clone();
            watch.read(
                &Output { first_game, n_games, n_bytes, origin, ..Output::default() },
                so_far,
            );
            take(chunk.output);
            Ok(ControlFlow::Continue(()))
        });
        watch.end().map_err(Error::Failed)?;
        match searched {
            Ok(_) => Ok(()),
            Err(SearchError::Cancelled(_)) => Err(Error::Cancelled),
            Err(SearchError::Failed(error)) => Err(Error::Failed(error)),
            Err(error) => Err(Error::Failed(io::Error::other(error.to_string()))),
        }
    }

    /// Inputs, divided by how they are read.
    #[must_use]
    pub fn groups(&self) -> &[InputGroup<'g>] {
        &self.groups
    }

    /// Reads all games as text from now on. Returns `false` if they already were.
    pub(crate) fn forget_archives(&mut self) -> bool {
        let has_archives = !matches!(self.groups[..], [] | [InputGroup::Text(_)]);
        self.groups = vec![InputGroup::Text(0..self.inputs.paths().count())];
        has_archives
    }

    /// Evaluates all games, and passes the results to `take` in their order. An archive that turns
    /// out to be damaged is replaced by the text, and nothing of it is counted.
    pub(crate) fn pass<W: RowWorker>(
        &mut self,
        reports: bool,
        make: &(impl Fn() -> W + Sync),
        watch: &mut dyn Watch,
        take: &mut Take<'_, W::Results>,
    ) -> Result<Passed, Error> {
        watch.begin();
        let mut pass = Pass {
            options: &self.options,
            reports,
            make,
            watch,
            passed: Passed::default(),
            so_far: PassProgress::default(),
            source: SourceState::default(),
        };
        let mut ran = Ok(());
        for group in &mut self.groups {
            ran = pass.read_group(self.inputs, group, take);
            if ran.is_err() || pass.passed.is_cancelled {
                break;
            }
        }
        let mut passed = pass.passed;
        passed.n_sources += pass.source.n_read();
        let chosen = self.options.chosen.as_ref();
        passed.n_games = chosen.map_or(passed.n_read, |chosen| chosen.len_up_to(passed.n_read));
        let ended = watch.end();
        ran?;
        ended.map_err(Error::Failed)?;
        Ok(passed)
    }
}

/// Pass over the games.
struct Pass<'p, F> {
    options: &'p RunOptions,
    reports: bool,
    make: &'p F,
    watch: &'p mut dyn Watch,
    passed: Passed,
    so_far: PassProgress,
    source: SourceState,
}

/// Source of the last chunk.
#[derive(Default)]
struct SourceState {
    name: Option<Arc<str>>,
    n_games: u64,
    has_failed: bool,
}

impl SourceState {
    /// Returns 1 if the source could be read, at least in part.
    fn n_read(&self) -> u64 {
        u64::from(self.name.is_some() && (self.n_games > 0 || !self.has_failed))
    }
}

impl<W: RowWorker, F: Fn() -> W + Sync> Pass<'_, F> {
    fn read_group(
        &mut self,
        inputs: &Inputs,
        group: &mut InputGroup<'_>,
        take: &mut Take<'_, W::Results>,
    ) -> Result<(), Error> {
        if let InputGroup::Archive(archived, files) = group {
            let Some(reason) = self.archive(archived, take)? else {
                return Ok(());
            };
            let unused = UnusedArchive { archive: archived.name().to_owned(), reason };
            if W::IS_STREAM {
                return Err(Error::Damaged(unused));
            }
            self.watch.unused(&unused);
            *group = InputGroup::Text(files.clone());
        }
        match group {
            InputGroup::Text(files) => self.text(inputs, files, take),
            InputGroup::Archive(..) => Ok(()),
        }
    }

    /// Evaluates games by their text.
    fn text(
        &mut self,
        inputs: &Inputs,
        files: &Range<usize>,
        take: &mut Take<'_, W::Results>,
    ) -> Result<(), Error> {
        let sources = sources_of(inputs, files, self.passed.n_read);
        let (options, make) = (self.options, self.make);
        let mut sink = |out: Output<W::Results>| {
            let (results, chunk) = divided(out);
            self.so_far.games += chunk.n_games;
            self.so_far.faulty += results.n_faulty();
            self.take(results, &chunk, take)?;
            self.watch.read(&chunk, self.so_far);
            Ok(())
        };
        let ran = flow::run(sources, options, make, &mut sink);
        self.passed.is_cancelled = ran.map_err(Error::Failed)?.0.cancelled;
        Ok(())
    }

    /// Passes on the results of games of one source.
    fn take(
        &mut self,
        results: W::Results,
        chunk: &Output<()>,
        take: &mut Take<'_, W::Results>,
    ) -> io::Result<()> {
        let name = &chunk.origin.name;
        if self.source.name.as_ref().is_none_or(|last| last != name) {
            self.passed.n_sources += self.source.n_read();
            self.source = SourceState { name: Some(name.clone()), ..SourceState::default() };
        }
        self.source.n_games += chunk.n_games;
        self.source.has_failed |= chunk.failure.is_some();
        self.passed.n_read += chunk.n_games;
        take(results, chunk)?;
        if self.reports {
            self.watch.report(chunk);
        }
        Ok(())
    }

    /// Evaluates games by their archive. Returns the reason if it is damaged.
    fn archive(
        &mut self,
        archived: &ArchiveReader<'_>,
        take: &mut Take<'_, W::Results>,
    ) -> Result<Option<ReadError>, Error> {
        let before = archived.games_before(self.passed.n_read);
        let so_far = self.so_far;
        let mut all = W::Results::default();
        let (mut read, mut damage) = (Vec::<Output<()>>::new(), None);
        let mut sink = |mut out: Output<W::Results>| {
            damage = damage_of(&mut out);
            if damage.is_some() {
                return Err(io::Error::other("the archive is damaged"));
            }
            archived.see(out.n_games);
            let (results, chunk) = divided(out);
            self.so_far.games += chunk.n_games;
            self.so_far.faulty += results.n_faulty();
            self.watch.read(&chunk, self.so_far);
            let Output { n_games, origin, is_not_utf8, .. } = chunk;
            match read.last_mut() {
                Some(last) if Arc::ptr_eq(&last.origin.name, &origin.name) => {
                    last.n_games += n_games
                }
                _ => read.push(Output { n_games, origin, is_not_utf8, ..Output::default() }),
            }
            if W::IS_STREAM {
                take(results, &Output::default())
            } else {
                all.add(results);
                Ok(())
            }
        };
        let make = || ByColumns {
            make: self.make,
            worker: (self.make)(),
            blocks: ArchiveRows::new(archived, before),
            columns: W::columns(),
            options: self.options,
            segment: None,
            from_text: Vec::new(),
        };
        let ranges = archived.ranges(before);
        let ran = flow::run_ranges(&Origin::default(), ranges, self.options, make, &mut sink);
        self.passed.is_cancelled = self.options.cancel.is_cancelled();
        if damage.is_some() {
            self.so_far = so_far;
            // Reading also fails because it was cancelled.
            return Ok(damage.filter(|_| !self.passed.is_cancelled));
        }
        for worker in ran.map_err(Error::Failed)?.1 {
            all.add(worker.finish());
        }
        let n_bytes = if self.passed.is_cancelled { 0 } else { archived.n_bytes() };
        take(all, &Output { n_bytes, ..Output::default() }).map_err(Error::Failed)?;
        let mut read = read.into_iter().peekable();
        let mut games_before = before;
        for (name, n) in archived.sources() {
            let of_source = read.next_if(|chunk| Arc::ptr_eq(&chunk.origin.name, &name));
            let is_read = of_source.as_ref().is_some_and(|chunk| chunk.n_games > 0);
            if is_read || n == 0 {
                let origin = Origin { name, games_before };
                let chunk = Output { origin, ..of_source.unwrap_or_default() };
                self.take(W::Results::default(), &chunk, take).map_err(Error::Failed)?;
            }
            games_before += n;
        }
        Ok(None)
    }
}

/// Separates the results of a chunk, which include the number of skipped games.
fn divided<R: Sum>(out: Output<R>) -> (R, Output<()>) {
    let Output { first_game, n_games, n_bytes, origin, is_not_utf8, failure, faults, mut results } =
        out;
    let skipped = faults.iter().filter(|fault| fault.kind == FaultKind::Skipped);
    let mut numbers: Vec<u64> = skipped.map(|fault| fault.number).collect();
    numbers.dedup();
    let swallowed = faults.iter().map(|fault| match fault.kind {
        FaultKind::Swallowed(n) => u64::from(n),
        _ => 0,
    });
    results.add_skipped(numbers.len() as u64 + swallowed.sum::<u64>());
    let out =
        Output { first_game, n_games, n_bytes, origin, is_not_utf8, failure, faults, results: () };
    (results, out)
}

/// Returns what is wrong with games that were read from columns, if anything.
fn damage_of<R>(out: &mut Output<R>) -> Option<ReadError> {
    let mut faults = out.faults.iter();
    let has_defect = faults.any(|fault| fault.kind == FaultKind::Internal);
    let defect = has_defect.then(|| ArchiveReadError::Game.into());
    out.failure.take().or(defect)
}

/// Evaluates games by the columns of an archive, or by their text if the columns do not suffice.
struct ByColumns<'a, W, F> {
    make: &'a F,
    worker: W,
    blocks: ArchiveRows<'a>,
    columns: Columns,
    options: &'a RunOptions,
    /// Segment of the last rows.
    segment: Option<usize>,
    from_text: Vec<usize>,
}

impl<W: RowWorker, F: Fn() -> W + Sync> ByColumns<'_, W, F> {
    fn range(
        &mut self,
        games: &Range<u64>,
        out: &mut Output<W::Results>,
    ) -> Result<(), ArchiveReadError> {
        // The texts of a segment are available until the first block of another one is read.
        let segment = self.blocks.segment_of(games);
        if segment != self.segment {
            self.worker.leave_segment(self.blocks.rows());
            self.segment = segment;
        }
        let chosen = self.blocks.read(games, self.columns, out)?;
        self.from_text.clear();
        for row in chosen.rows.clone() {
            let number = chosen.shift + row as u64;
            if self.options.chooses(number)
                && !self.worker.row(self.blocks.rows(), row, number, out)?
            {
                self.from_text.push(row);
            }
        }
        self.blocks.read_text(&chosen, &self.from_text, self.make, |read| {
            out.faults.extend(read.faults);
            out.results.add(read.results);
        })
    }

    fn finish(mut self) -> W::Results {
        self.worker.leave_segment(self.blocks.rows());
        self.worker.finish()
    }
}

impl<W: RowWorker, F: Fn() -> W + Sync> RangeWorker for ByColumns<'_, W, F> {
    type Results = W::Results;

    fn begin(&mut self, games: &Range<u64>, out: &mut Output<W::Results>) -> Vec<u64> {
        if let Err(error) = self.range(games, out) {
            out.failure = Some(error.into());
        }
        Vec::new()
    }

    fn game(&mut self, _: u64, _: &mut Output<W::Results>) {}
}

//! A compiled query with its output and the selection of its games.

use std::fmt;
use std::sync::Arc;

use engine::{
    FileAccess, GameWorker, Program, Programs, QueryRun, QueryWorker, RowWriter, SortFloor,
};
use flow::Cancel;
use table::Table;

type Maker<T> = Arc<dyn Fn() -> T + Send + Sync>;

/// A compiled query, with the output and the selection of the games that match. Clones are cheap.
#[derive(Clone)]
pub struct Query {
    program: Arc<Program>,
    rows: Option<Maker<Option<Box<dyn RowWriter>>>>,
    files: Option<Maker<Box<dyn FileAccess>>>,
    programs: Option<Maker<Box<dyn Programs>>>,
    keeps_rows: bool,
    is_complement: bool,
    selection: Selection,
    floor: Option<Arc<SortFloor>>,
}

/// Selection and order of the matching games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Selection {
    /// Maximum number of games: the first ones, or the best ones if the query sorts.
    pub limit: Option<u64>,
    /// A random sample in place of the limit: its size, and the seed that determines it.
    pub sample: Option<(u64, u64)>,
    /// Whether the games keep the order of the input although the query sorts.
    pub is_unsorted: bool,
}

impl fmt::Debug for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Query").field("selection", &self.selection).finish_non_exhaustive()
    }
}

/// Creates the state of each of these queries in a search that `cancel` cancels.
pub(crate) fn runs_of(queries: &[Query], cancel: &Cancel) -> Vec<Arc<QueryRun>> {
    queries.iter().map(|_| Arc::new(QueryRun::new(cancel))).collect()
}

/// Creates the worker of a thread for these queries. The workers of a search share `runs`.
pub(crate) fn worker_of(
    queries: &[Query],
    runs: &[Arc<QueryRun>],
    last_game_number: u64,
) -> GameWorker {
    let pairs = queries.iter().zip(runs);
    GameWorker::new(pairs.map(|(query, run)| query.worker(run.clone(), last_game_number)))
}

impl Query {
    /// Creates a query for all matching games as PGN, in the order of the query. It has no access
    /// to files and other programs.
    pub fn new(program: Arc<Program>) -> Query {
        Query {
            program,
            rows: None,
            files: None,
            programs: None,
            keeps_rows: false,
            is_complement: false,
            selection: Selection::default(),
            floor: None,
        }
    }

    /// Writes the matching games with the writer that `rows` returns; `None` stands for PGN. `rows`
    /// is called once for each thread.
    pub fn with_writer(
        mut self,
        rows: impl Fn() -> Option<Box<dyn RowWriter>> + Send + Sync + 'static,
    ) -> Query {
        self.rows = Some(Arc::new(rows));
        self
    }

    /// Writes the matching games as rows of a table.
    pub fn with_table(self, table: &Table) -> Query {
        let table = table.clone();
        self.with_writer(move || table.row_writer())
    }

    /// Keeps each matching game as plain data
    /// ([`QueryResults::rows`](engine::QueryResults::rows)) beside its text.
    pub fn with_rows(mut self) -> Query {
        self.keeps_rows = true;
        self
    }

    /// Permits `readfile` and `writefile`. `files` is called once for each thread.
    pub fn with_files(
        mut self,
        files: impl Fn() -> Box<dyn FileAccess> + Send + Sync + 'static,
    ) -> Query {
        self.files = Some(Arc::new(files));
        self
    }

    /// Permits `commandpipe` and `engine`. `programs` is called once for each thread.
    pub fn with_programs(
        mut self,
        programs: impl Fn() -> Box<dyn Programs> + Send + Sync + 'static,
    ) -> Query {
        self.programs = Some(Arc::new(programs));
        self
    }

    /// Selects the games that do not match. They keep the order of the input.
    pub fn with_complement(mut self) -> Query {
        self.is_complement = true;
        self
    }

    /// Sets the selection and order of the matching games.
    pub fn with_selection(mut self, selection: Selection) -> Query {
        self.selection = selection;
        self
    }

    /// Selects the first games, in the order of the input, although the query sorts.
    pub fn unsorted(mut self) -> Query {
        self.selection = Selection { sample: None, is_unsorted: true, ..self.selection };
        self
    }

    /// Sets the maximum number of games; `None` selects all of them.
    pub fn with_limit(mut self, limit: Option<u64>) -> Query {
        self.selection.limit = limit;
        self
    }

    /// Selects the `n` games with the greatest numbers of the only `sort`, which is not ascending,
    /// and in each the position with this number ([`for_each_match`](crate::for_each_match)). Other
    /// matches are not counted.
    #[cfg(feature = "files")]
    pub fn with_best(self, n: u64) -> Query {
        Query { floor: Some(Arc::default()), ..self.with_limit(Some(n)) }
    }

    /// Returns the value that games of [`with_best`](Query::with_best) must exceed.
    #[cfg(feature = "files")]
    pub(crate) fn floor(&self) -> Option<&SortFloor> {
        self.floor.as_deref()
    }

    /// The program.
    pub fn program(&self) -> &Arc<Program> {
        &self.program
    }

    /// Whether the query selects the games that do not match.
    pub(crate) fn is_complement(&self) -> bool {
        self.is_complement
    }

    /// Returns the direction of each sort key, `true` for ascending; none if the games keep the
    /// order of the input.
    pub(crate) fn ascending(&self) -> Vec<bool> {
        // Games that do not match have no sort keys.
        if self.is_complement || self.selection.is_unsorted {
            Vec::new()
        } else {
            self.program.sort_directions()
        }
    }

    pub(crate) fn selection(&self) -> Selection {
        self.selection
    }

    /// Returns the number of matching games after which the search can end.
    pub(crate) fn first_games(&self) -> Option<u64> {
        let Selection { limit, sample, .. } = self.selection;
        if sample.is_some() || !self.ascending().is_empty() {
            // A later game may be better, or be drawn for the sample, unless the limit is 0.
            limit.filter(|&limit| limit == 0)
        } else {
            limit
        }
    }

    fn worker(&self, run: Arc<QueryRun>, last_game_number: u64) -> QueryWorker {
        let mut worker =
            QueryWorker::new(self.program.clone(), run).with_last_game_number(last_game_number);
        if let Some(files) = &self.files {
            worker = worker.with_files(files());
        }
        if let Some(programs) = &self.programs {
            worker = worker.with_programs(programs());
        }
        if let Some(writer) = self.rows.as_ref().and_then(|rows| rows()) {
            worker = worker.with_writer(writer);
        }
        if self.keeps_rows {
            worker = worker.with_rows();
        }
        if let Some(floor) = &self.floor {
            worker = worker.with_floor(floor.clone());
        }
        if self.is_complement { worker.with_complement() } else { worker }
    }
}

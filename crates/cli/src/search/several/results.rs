//! Writes the results of each query and counts them.

use std::io;
use std::path::{Path, PathBuf};

use babson::{FAILED_EVERYWHERE, Query, QueryEnd, QueryState};
use engine::{Match, QueryResults};
use flow::Output;
use input::Inputs;

use super::query::PreparedQuery;
use super::summary::{QuerySummary, Status};
use super::{Request, Results};
use crate::failure::{Failure, context};
use crate::output::{Destination, Originals, OutputTarget};
use crate::report::GameFaults;
use crate::search::Stdout;
use crate::search::pass::given_up;
use crate::search::watch::StopCause;

/// State of a query during the pass.
pub(super) struct Running<'q> {
    query: &'q PreparedQuery,
    /// Output of this query alone, if it has one.
    output: Option<(PathBuf, Destination)>,
    faults: GameFaults,
    line: QuerySummary,
    strict: bool,
}

/// Returns the result file of a query in this directory.
pub(super) fn file_of(name: &str, directory: &Path, request: &Request<'_>) -> PathBuf {
    let extension = request.outputs.format().extension();
    remote::join(directory, &format!("{name}{}.{extension}", request.tag()))
}

impl<'q> Running<'q> {
    /// Opens the output of the query on these inputs, which are files as well.
    pub(super) fn new(
        query: &'q PreparedQuery,
        wanted: &Query,
        request: &Request<'_>,
        (inputs, read): (&Inputs, &Originals),
    ) -> Result<Running<'q>, Failure> {
        let output = match request.results {
            Results::Directory(directory) => {
                let file = file_of(&query.name, directory, request);
                let place = OutputTarget::File(&file);
                let destination =
                    Destination::new(read, &place, request.outputs, &query.table, wanted)?;
                Some((file, destination))
            }
            Results::Table(_) | Results::SummaryOnly => None,
        };
        Ok(Running {
            query,
            output,
            faults: GameFaults::new(inputs.name()),
            line: QuerySummary::new(&query.name),
            strict: request.strict,
        })
    }

    /// Whether the query needs no more games.
    pub(super) fn is_over(&self) -> bool {
        self.line.status != Status::Complete
    }

    /// Takes the results of a chunk, after which the query has this state. Returns the results for
    /// the common table, and the lines to print about issues of the games, each with the number of
    /// its game. The texts that the query prints are added to `messages` in the same way.
    pub(super) fn take(
        &mut self,
        part: Output<QueryResults>,
        state: &QueryState,
        messages: &mut Vec<(u64, Vec<u8>)>,
    ) -> io::Result<(QueryResults, Vec<(u64, String)>)> {
        if self.is_over() {
            return Ok((QueryResults::default(), Vec::new()));
        }
        let Output { first_game, n_games, origin, faults, results: mut found, .. } = part;
        let name = &self.query.name;
        let mut said = self.faults.add_each(&origin.name, &faults);
        said.iter_mut().for_each(|(_, line)| line.insert_str(0, &format!("{name}: ")));
        if let Err(ended) = StopCause::check_strict_query(self.strict, &self.faults) {
            said.iter().for_each(|(_, line)| tell!("{line}"));
            return Err(ended);
        }
        match state.end {
            Some(QueryEnd::GivenUp) => {
                self.line.status = Status::TooManySteps;
                self.output = None;
                let text = format!("{name}: {}; its search ends without output\n", given_up());
                said.push((state.last_game, text));
                return Ok((QueryResults::default(), said));
            }
            Some(QueryEnd::Limit) => self.line.status = Status::Limited,
            None => {}
        }
        messages.extend(found.messages_of_games().map(|(number, text)| (number, text.to_vec())));
        let line = &mut self.line;
        line.n_games = state.n_games;
        line.n_matches = state.n_matches;
        line.n_positions = state.n_positions;
        line.n_faulty = self.faults.n_games();
        if self.output.is_some() {
            self.faults.add_lost_comments(&found);
        }
        if let Some((file, destination)) = &mut self.output {
            let n_games = n_games.min((state.last_game + 1).saturating_sub(first_game));
            let result = destination.add(std::mem::take(&mut found), n_games);
            result.map_err(|error| {
                let message = format!("cannot write {}: {error}", file.display());
                io::Error::new(error.kind(), message)
            })?;
        }
        Ok((found, said))
    }

    /// Whether the query could not be evaluated on every game.
    pub(super) fn has_failed(&self) -> bool {
        self.line.status == Status::TooManySteps
            || self.faults.in_query()
            || self.faults.in_program()
    }

    /// Whether cql itself failed on a game.
    pub(super) fn is_defect(&self) -> bool {
        self.faults.in_program()
    }

    pub(super) fn n_matches(&self) -> u64 {
        self.line.n_matches
    }

    pub(super) fn n_faulty(&self) -> u64 {
        self.line.n_faulty
    }

    /// Completes the output. Returns the summary of the query, which may have failed on every game.
    /// `is_whole` says whether every input could be read to its end.
    pub(super) fn finish(
        mut self,
        has_only_failed: bool,
        is_whole: bool,
        console: &mut Stdout,
    ) -> Result<QuerySummary, Failure> {
        for line in self.faults.summary().lines() {
            tell_line!("{}: {line}", self.line.query);
        }
        if !is_whole && self.line.status == Status::Complete {
            self.line.status = Status::Incomplete;
        }
        if has_only_failed {
            tell_line!("{}: {FAILED_EVERYWHERE}: no output was written", self.line.query);
            self.line.status = Status::Failed;
        } else if let Some((file, destination)) = self.output {
            destination
                .finish(console)
                .map_err(|error| context(format!("cannot write {}", file.display()), &error))?;
        }
        Ok(self.line)
    }
}

/// The table that all queries share.
pub(super) struct CombinedTable(Destination);

impl CombinedTable {
    /// Opens the table; `None` if the request is for other results.
    pub(super) fn new(
        queries: &[(&PreparedQuery, Query)],
        request: &Request<'_>,
        read: &Originals,
    ) -> Result<Option<CombinedTable>, Failure> {
        let Results::Table(file) = request.results else {
            return Ok(None);
        };
        let place = match file {
            Some(file) => OutputTarget::File(file),
            None => OutputTarget::Stdout,
        };
        let Some((first, wanted)) = queries.first() else {
            return Ok(None);
        };
        let destination = Destination::new(read, &place, request.outputs, &first.table, wanted)?;
        Ok(Some(CombinedTable(destination)))
    }

    /// Adds the results of all queries on the same games. Rows are in the order of the games, and
    /// those of one game in the order of the queries.
    pub(super) fn add(&mut self, parts: &[QueryResults]) -> io::Result<()> {
        let mut found: Vec<(&QueryResults, &Match)> = parts
            .iter()
            .flat_map(|part| part.matches.iter().map(move |found| (part, found)))
            .collect();
        // A stable sort: the queries keep their order.
        found.sort_by_key(|(_, found)| found.number);
        let mut all = QueryResults::default();
        for (part, found) in found {
            let start = all.text.len();
            all.text.extend_from_slice(&part.text[found.text.clone()]);
            all.matches.push(Match { text: start..all.text.len(), ..found.clone() });
        }
        self.0.add(all, 0)
    }

    /// Completes the table.
    pub(super) fn finish(self, console: &mut Stdout) -> io::Result<()> {
        self.0.finish(console).map(|_| ())
    }
}

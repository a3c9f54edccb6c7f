//! Writes the results of each query and counts them.

use std::io;
use std::path::{Path, PathBuf};

use engine::{Found, Match};
use flow::Output;

use super::query::Ready;
use super::summary::{Line, Status};
use super::{Request, Results};
use crate::failure::{Failure, context};
use crate::output::{Destination, Originals, Place, cut_behind, forget_behind};
use crate::report::GameFaults;
use crate::search::watch::Ended;
use crate::search::{FAILED_EVERYWHERE, Stdout};

/// State of a query during the pass.
pub(super) struct Running<'q> {
    query: &'q Ready,
    /// Output of this query alone, if it has one.
    output: Option<(PathBuf, Destination)>,
    /// Number of matches still wanted, if the query has no output of its own; `None` without a
    /// limit.
    left: Option<u64>,
    /// Number of the last game that was searched for this query.
    last_game: u64,
    faults: GameFaults,
    line: Line,
    strict: bool,
}

/// Returns the result file of a query in this directory.
pub(super) fn file_of(name: &str, directory: &Path, request: &Request<'_>) -> PathBuf {
    let extension = request.outputs.format().extension();
    remote::join(directory, &format!("{name}{}.{extension}", request.tag()))
}

impl<'q> Running<'q> {
    /// Opens the output of the query.
    pub(super) fn new(
        query: &'q Ready,
        request: &Request<'_>,
        read: &Originals,
    ) -> Result<Running<'q>, Failure> {
        let mut left = request.outputs.limit;
        let output = match request.results {
            Results::Directory(directory) => {
                let file = file_of(&query.name, directory, request);
                let place = Place::File(&file);
                let job = &query.job;
                let destination =
                    Destination::new(read, &place, request.outputs, &job.table, &job.program)?;
                left = None;
                Some((file, destination))
            }
            Results::Table(_) | Results::SummaryOnly => None,
        };
        Ok(Running {
            query,
            output,
            left,
            last_game: 0,
            faults: GameFaults::new(&query.name),
            line: Line::new(&query.name),
            strict: request.strict,
        })
    }

    /// Whether the query needs no more games.
    pub(super) fn is_over(&self) -> bool {
        self.line.status != Status::Complete
    }

    /// Takes the results of a chunk. Returns the results for the common table, and the lines to
    /// print about issues of the games.
    pub(super) fn take(
        &mut self,
        mut part: Output<Found>,
        console: &mut Stdout,
    ) -> io::Result<(Found, String)> {
        if self.is_over() {
            return Ok((Found::default(), String::new()));
        }
        let found = &mut part.results;
        let last = match (&mut self.output, &mut self.left) {
            (Some((_, destination)), _) => destination.cut(found),
            (None, Some(left)) => {
                let last = cut_behind(found, *left);
                *left -= found.matches.len() as u64;
                last
            }
            (None, None) => None,
        };
        if let Some(last) = last {
            forget_behind(&mut part, last);
        }
        self.last_game = (part.first_game + part.n_games).saturating_sub(1);
        let name = &self.query.name;
        let mut said: String = self
            .faults
            .add(&part.origin.name, &part.faults)
            .lines()
            .map(|line| format!("{name}: {line}\n"))
            .collect();
        if let Err(ended) = Ended::check_strict_query(self.strict, &self.faults) {
            tell!("{said}");
            return Err(ended);
        }
        if self.query.job.run.is_endless() {
            self.line.status = Status::TooManySteps;
            self.output = None;
            said += &format!("{name}: {}; its search ends without output\n", Ended::TooManySteps);
            return Ok((Found::default(), said));
        }
        if last.is_some() {
            self.line.status = Status::Limited;
            self.query.job.run.end();
        }
        let Output { first_game, n_games, results: mut found, .. } = part;
        console.print(&found.messages);
        let line = &mut self.line;
        line.n_games += self.query.n_searched(first_game, n_games);
        line.n_matches += found.matches.len() as u64;
        line.n_positions += found.n_matching_positions;
        line.n_faulty = self.faults.n_games();
        if self.output.is_some() {
            self.faults.add_unwritten(&found);
        }
        if let Some((file, destination)) = &mut self.output {
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

    /// Returns the number of the last game that was searched for this query.
    pub(super) fn last_game(&self) -> u64 {
        self.last_game
    }

    pub(super) fn n_matches(&self) -> u64 {
        self.line.n_matches
    }

    pub(super) fn n_faulty(&self) -> u64 {
        self.line.n_faulty
    }

    /// Completes the output. Returns the summary of the query.
    pub(super) fn finish(mut self, console: &mut Stdout) -> Result<Line, Failure> {
        for line in self.faults.summary().lines() {
            tell_line!("{}: {line}", self.line.query);
        }
        if self.query.job.run.has_only_failed() {
            tell_line!("{}: {FAILED_EVERYWHERE}", self.line.query);
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
pub(super) struct Table(Destination);

impl Table {
    /// Opens the table; `None` if the request is for other results.
    pub(super) fn new(
        queries: &[&Ready],
        request: &Request<'_>,
        read: &Originals,
    ) -> Result<Option<Table>, Failure> {
        let Results::Table(file) = request.results else {
            return Ok(None);
        };
        let place = match file {
            Some(file) => Place::File(file),
            None => Place::Stdout,
        };
        let Some(first) = queries.first() else {
            return Ok(None);
        };
        let job = &first.job;
        let destination =
            Destination::table(read, &place, request.outputs, &job.table, &job.program)?;
        Ok(Some(Table(destination)))
    }

    /// Adds the results of all queries on the same games. Rows are in the order of the games, and
    /// those of one game in the order of the queries.
    pub(super) fn add(&mut self, parts: &[Found]) -> io::Result<()> {
        let mut found: Vec<(&Found, &Match)> = parts
            .iter()
            .flat_map(|part| part.matches.iter().map(move |found| (part, found)))
            .collect();
        // A stable sort: the queries keep their order.
        found.sort_by_key(|(_, found)| found.number);
        let mut all = Found::default();
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

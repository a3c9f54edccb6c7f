//! Searches, and reports results while the search runs.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;

use babson::Scan;
use engine::{NamesAsked, QueryResults, Source};
use flow::Output;
use serde_json::Value;

use crate::error::Error;
use crate::fault::FaultReporter;
use crate::pass::{Host, options, pass, tell};
use crate::query::QueryRequest;
use crate::row::ListWriter;

/// Maximum number of rows sent to the page; further matches are only counted.
const MOST_ROWS: u64 = 500_000;

/// Seconds in which names are read that a query may have meant.
const HINT_SECONDS: f64 = 0.5;

/// Bytes of messages of the query that are shown.
const MOST_MESSAGES: usize = 200_000;

/// Searches, and sends a row for every matching game.
///
/// # Errors
/// The query has errors, or the games cannot be read.
pub fn search<H: Host>(query: &QueryRequest, host: &H) -> Result<(), Error> {
    let program = query.compile_list()?;
    let start = object! { "start": object! {
        "sort": program.sort_labels(),
        "ascending": program.sort_directions(),
        "values": query.values,
    } };
    tell(host, &start)?;
    let mut teller = SearchReporter::new(host);
    let list = ListWriter { openings: query.openings };
    let wanted = babson::Query::new(program).with_writer(move || Some(Box::new(list)));
    let mut unused = Vec::new();
    let passed = pass(host, [wanted], &mut |one| unused.push(one.clone()), &mut |chunk| {
        teller.tell(chunk.output)?;
        Ok(ControlFlow::Continue(()))
    });
    let passed = passed?;
    // Not among the results, where an issue belongs to games.
    unused.iter().try_for_each(|unused| teller.faults.tell_unused(unused))?;
    let near = if teller.n_matches == 0 && !passed.is_cancelled {
        similar_names(query, host)
    } else {
        Vec::new()
    };
    Ok(tell(host, &teller.end(passed.summary.n_games, passed.is_cancelled, &near))?)
}

/// Names of the games that a query without matches may have meant, in lines.
fn similar_names<H: Host>(query: &QueryRequest, host: &H) -> Vec<String> {
    let source = Source { name: "query", text: query.text().as_bytes() };
    let asked = NamesAsked::of(&source, &[]);
    let end = host.seconds() + HINT_SECONDS;
    asked.similar(host.games().sources(), options(host), || host.seconds() > end)
}

/// Sends results to the page.
struct SearchReporter<'a, H> {
    host: &'a H,
    /// File that is being searched.
    input: Arc<str>,
    n_rows: u64,
    n_matches: u64,
    n_positions: u64,
    faults: FaultReporter<'a, H>,
    n_message_bytes: usize,
}

impl<'a, H: Host> SearchReporter<'a, H> {
    fn new(host: &'a H) -> SearchReporter<'a, H> {
        SearchReporter {
            host,
            input: Arc::from(""),
            n_rows: 0,
            n_matches: 0,
            n_positions: 0,
            faults: FaultReporter::new(host),
            n_message_bytes: 0,
        }
    }

    fn tell(&mut self, mut out: Output<Vec<QueryResults>>) -> io::Result<()> {
        let mut found = out.results.pop().unwrap_or_default();
        if !found.matches.is_empty() && out.origin.name != self.input {
            self.input = out.origin.name.clone();
            tell(self.host, &object! { "input": &*self.input })?;
        }
        self.faults.tell(&out)?;
        self.tell_messages(&found)?;
        self.n_matches += found.matches.len() as u64;
        self.n_positions += found.n_matching_positions;
        let room = MOST_ROWS.saturating_sub(self.n_rows);
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        if found.matches.len() > room {
            found.matches.truncate(room);
            let end = found.matches.last().map_or(0, |last| last.text.end);
            found.text.truncate(end);
        }
        self.n_rows += found.matches.len() as u64;
        self.host.tell(found.text)
    }

    fn tell_messages(&mut self, found: &QueryResults) -> io::Result<()> {
        let room = MOST_MESSAGES.saturating_sub(self.n_message_bytes);
        let said = &found.messages[..found.messages.len().min(room)];
        self.n_message_bytes += said.len();
        if said.is_empty() {
            Ok(())
        } else {
            tell(self.host, &object! { "said": pgn::decode(said) })
        }
    }

    fn end(&self, n_games: u64, is_cancelled: bool, near: &[String]) -> Value {
        object! { "end": object! {
            "games": n_games, "matches": self.n_matches, "positions": self.n_positions,
            "rows": self.n_rows, "faults": self.faults.n_faults,
            "leftOut": self.faults.n_left_out,
            "seconds": self.host.seconds(), "stopped": is_cancelled, "near": near,
        } }
    }
}

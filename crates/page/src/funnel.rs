//! Counts the games and positions that remain after each condition of a query.

use std::ops::ControlFlow;

use babson::SearchError;
use serde_json::Value;
use syntax::steps::label;
use table::Table;

use crate::ask::Units;
use crate::error::Error;
use crate::holds::conditions;
use crate::pass::{Host, Passed, pass, tell};
use crate::query::QueryRequest;

/// Counts the games and positions that remain after each condition.
///
/// # Errors
/// The query has no conditions, or the games cannot be read.
pub fn funnel<H: Host>(query: &QueryRequest, host: &H) -> Result<(), Error> {
    let text = query.text();
    let conditions = conditions(text);
    if conditions.is_empty() {
        return Err(Error::NoConditions);
    }
    let mut left = vec![[0_u64; 2]; conditions.len()];
    let nothing = Table::nothing();
    let queries =
        conditions.iter().map(|one| babson::Query::new(one.program.clone()).with_table(&nothing));
    let passed = pass(host, queries, &mut |_| {}, &mut |chunk| {
        for (left, found) in left.iter_mut().zip(&chunk.output.results) {
            left[0] += found.matches.len() as u64;
            left[1] += found.n_matching_positions;
        }
        Ok(ControlFlow::Continue(()))
    });
    let passed = match passed {
        // The conditions before the one that fails have counts.
        Err(SearchError::FailedEverywhere(_, summary)) => Passed { summary, is_cancelled: false },
        passed => passed?,
    };
    let units = Units::of(text);
    let rows = conditions.iter().zip(&left).map(|(condition, left)| {
        let (from, to) = (condition.span.start, condition.span.end);
        object! {
            "from": units.of_byte(from), "to": units.of_byte(to),
            "text": label(&text[from as usize..to as usize]),
            "games": left[0], "positions": left[1],
        }
    });
    let end = object! { "end": object! {
        "rows": rows.collect::<Value>(), "games": passed.summary.n_games, "stopped": passed.is_cancelled,
    } };
    Ok(tell(host, &end)?)
}

//! Counts the games and positions that remain after each condition of a query.

use engine::RowWriter;
use serde_json::{Value, json};
use syntax::steps::label;
use table::Table;

use crate::ask::Units;
use crate::holds::conditions;
use crate::pass::{Host, Pass, tell};
use crate::query::Query;

/// Counts the games and positions that remain after each condition.
///
/// # Errors
/// The query has no conditions, or the games cannot be read.
pub fn funnel(query: &Query, host: &dyn Host) -> Result<(), String> {
    let text = query.text();
    let conditions = conditions(text);
    if conditions.is_empty() {
        return Err("the conditions of the query cannot be counted one by one".to_owned());
    }
    let mut left = vec![[0_u64; 2]; conditions.len()];
    let mut pass = Pass::new(conditions.iter().map(|one| one.program.clone()));
    let table = Table::nothing();
    let writer = || -> Option<Box<dyn RowWriter>> { table.row_writer() };
    let summary = pass.run(host, &writer, &mut |out| {
        for (left, found) in left.iter_mut().zip(&out.results) {
            left[0] += found.matches.len() as u64;
            left[1] += found.n_matching_positions;
        }
        Ok(())
    })?;
    let units = Units::of(text);
    let rows = conditions.iter().zip(&left).map(|(condition, left)| {
        let (from, to) = (condition.span.start, condition.span.end);
        json!({
            "from": units.of_byte(from), "to": units.of_byte(to),
            "text": label(&text[from as usize..to as usize]),
            "games": left[0], "positions": left[1],
        })
    });
    let end = json!({ "end": {
        "rows": rows.collect::<Value>(), "games": summary.n_games, "stopped": summary.cancelled,
    } });
    tell(host, &end)
}

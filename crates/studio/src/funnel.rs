//! How many games and positions each condition of a query leaves.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use engine::RowWriter;
use serde::Deserialize;
use serde_json::{Value, json};
use table::Table;

use crate::api::{Refusal, read};
use crate::ask::Units;
use crate::holds::{conditions, label};
use crate::job::Job;
use crate::library::inputs;
use crate::lines::respond;
use crate::query::Query;
use crate::server::{App, lock};

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    #[serde(flatten)]
    query: Query,
    collections: Vec<u32>,
}

/// Counts what each condition leaves.
pub(crate) async fn funnel(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, Refusal> {
    let request: Request = read(&body)?;
    let paths = lock(&app.library).paths(&request.collections)?;
    let threads = app.threads;
    respond(&app, move |lines| {
        let text = request.query.text();
        let conditions = conditions(text);
        if conditions.is_empty() {
            return Err("the query has no conditions that can be told apart".to_owned());
        }
        let inputs = inputs(&paths, &lines.cancel)?;
        let mut left = vec![[0_u64; 2]; conditions.len()];
        let mut job = Job::new(conditions.iter().map(|one| one.program.clone()));
        let table = Table::nothing();
        let writer = || -> Option<Box<dyn RowWriter>> { table.row_writer() };
        let summary = job.run(&inputs, threads, lines, &writer, &mut |out| {
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
        lines.line(&end).map_err(|error| error.to_string())
    })
}

//! Lines of a chess engine for the position on the board.
//!
//! The program starts the engine, if the user has named one; the server only passes its lines on,
//! until the page closes the connection.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::response::Response;
use board::{Color, Position, parse_position};
use engine::EngineAnswer;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::api_error::{ApiError, read};
use crate::app::App;
use crate::lines::respond;

/// Position to analyze.
#[derive(Deserialize)]
struct EngineRequest {
    fen: String,
}

/// Streams the lines of the engine, each time it has searched deeper.
pub(crate) async fn lines(State(app): State<Arc<App>>, body: Bytes) -> Result<Response, ApiError> {
    let EngineRequest { fen } = read(&body)?;
    let position = parse_position(fen.as_bytes());
    let position = position.map_err(|error| ApiError::bad(format!("this is no FEN: {error}")))?;
    // Engines may crash on what no game can have.
    if let Some(problem) = page::problem(&position) {
        return Err(ApiError::bad(format!("the engine is not asked: {problem}")));
    }
    let engine = app.engine.clone();
    let engine = engine.ok_or_else(|| {
        ApiError::bad("no engine is given; start `cql studio` with `--engine COMMAND`")
    })?;
    respond(&app, move |lines| {
        engine.follow(&position.fen(), &mut |answers| {
            let sent = answers.map_or(Ok(()), |(depth, answers)| {
                let answers = answers.iter().map(|answer| told(&position, answer));
                let answers = answers.collect::<Value>();
                lines.line(&json!({ "depth": depth, "lines": answers }))
            });
            sent.is_ok() && !lines.cancel.is_cancelled()
        })?;
        lines.line(&json!({ "end": {} })).map_err(|error| error.to_string())
    })
}

/// Returns a line of the engine, with its score from the view of White.
fn told(position: &Position, answer: &EngineAnswer) -> Value {
    let sign = if position.turn == Color::White { 1 } else { -1 };
    let best = answer.best_move.as_deref();
    json!({
        "score": answer.score.map(|score| score * sign),
        "mate": answer.mate.map(|mate| mate * sign),
        "moves": page::sans(position, answer.pv.as_deref().or(best).unwrap_or_default()),
    })
}

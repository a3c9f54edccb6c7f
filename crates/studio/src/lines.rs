//! Answers that come in lines of JSON while they are found.
//!
//! Whoever works does so on a thread of its own and waits while nobody reads. When the page goes
//! away, or does not want more, what is left of the answer is dropped, and with it the work is
//! cancelled.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use flow::Cancel;
use futures_core::Stream;
use input::Meter;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use crate::api::Refusal;
use crate::server::App;

/// Pieces of an answer that may wait to be sent.
const WAITING: usize = 32;

/// Time between two lines that say how far the work is.
const TICK: Duration = Duration::from_millis(100);

/// How far something is.
#[derive(Default)]
pub(crate) struct Progress {
    pub(crate) meter: OnceLock<Meter>,
    /// Bytes of all files; 0 if that is not known.
    pub(crate) size: AtomicU64,
    pub(crate) games: AtomicU64,
    pub(crate) matches: AtomicU64,
}

impl Progress {
    fn line(&self) -> Value {
        let number = |value: &AtomicU64| value.load(Ordering::Relaxed);
        json!({ "progress": {
            "bytes": self.meter.get().map_or(0, Meter::read),
            "size": number(&self.size),
            "games": number(&self.games),
            "matches": number(&self.matches),
        } })
    }
}

/// Where the lines of an answer go.
pub(crate) struct Lines {
    sender: Sender<Bytes>,
    /// What ends the work.
    pub(crate) cancel: Cancel,
    /// What is said of it meanwhile.
    pub(crate) progress: Arc<Progress>,
}

impl Lines {
    /// Sends lines that are complete.
    pub(crate) fn bytes(&self, bytes: Vec<u8>) -> io::Result<()> {
        if bytes.is_empty() {
            return Ok(());
        }
        let gone = |_| io::Error::other("nobody listens");
        self.sender.blocking_send(bytes.into()).map_err(gone)
    }

    /// Sends a line.
    pub(crate) fn line(&self, value: &Value) -> io::Result<()> {
        self.bytes(format!("{value}\n").into_bytes())
    }
}

/// An answer whose lines come from a thread of its own. What goes wrong is its last line.
pub(crate) fn respond(
    app: &App,
    work: impl FnOnce(&Lines) -> Result<(), String> + Send + 'static,
) -> Result<Response, Refusal> {
    let (sender, receiver) = channel(WAITING);
    let cancel = app.cancel();
    let progress = Arc::<Progress>::default();
    let ticker = tokio::spawn(tick(sender.clone(), progress.clone()));
    let lines = Lines {
        sender,
        cancel: cancel.clone(),
        progress,
    };
    let carry_out = move || {
        let result = work(&lines);
        ticker.abort();
        if let Err(message) = result {
            // Where nobody listens, nobody needs to know.
            let _ = lines.line(&json!({ "error": message }));
        }
        lines.cancel.cancel();
    };
    let thread = std::thread::Builder::new().name("studio".to_owned());
    thread.spawn(carry_out).map_err(|error| {
        Refusal::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            format!("there is no thread to be had: {error}"),
        )
    })?;
    let body = Body::from_stream(Answer { receiver, cancel });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, body).into_response())
}

async fn tick(sender: Sender<Bytes>, progress: Arc<Progress>) {
    loop {
        tokio::time::sleep(TICK).await;
        let line = format!("{}\n", progress.line());
        if sender.send(line.into()).await.is_err() {
            return;
        }
    }
}

/// The lines on their way to the browser.
struct Answer {
    receiver: Receiver<Bytes>,
    cancel: Cancel,
}

impl Stream for Answer {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|next| next.map(Ok))
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

//! Answers that come in lines of JSON while they are found.
//!
//! Whoever works does so on a thread of its own and waits while nobody reads. When the page goes
//! away, or does not want more, what is left of the answer is dropped, and with it the work is
//! cancelled. Lines are sent some at a time: each piece of an answer takes the browser longer than the
//! lines in it.

use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, TryLockError};
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
use crate::server::{App, lock};

/// Pieces of an answer that may wait to be sent.
const WAITING: usize = 32;

/// The length that a piece has at least, unless it is the first one or no other has been sent for a
/// while.
const PIECE: usize = 1 << 16;

/// The time between two pieces at most.
const TICK: Duration = Duration::from_millis(50);

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

/// Lines that are not sent yet, and where they go.
struct Waiting {
    sender: Sender<Bytes>,
    lines: Vec<u8>,
    /// Whether any piece has been sent.
    has_sent: bool,
    progress: Arc<Progress>,
}

impl Waiting {
    /// What is to be sent now, if there is enough of it.
    fn take_due(&mut self) -> Option<Bytes> {
        match self.has_sent {
            true => (self.lines.len() >= PIECE).then(|| self.take_with_progress()),
            false => (!self.lines.is_empty()).then(|| self.take()),
        }
    }

    /// What is to be sent, and before it how far the work is.
    fn take_with_progress(&mut self) -> Bytes {
        let mut piece = format!("{}\n", self.progress.line()).into_bytes();
        piece.append(&mut self.lines);
        piece.into()
    }

    fn take(&mut self) -> Bytes {
        self.has_sent = true;
        std::mem::take(&mut self.lines).into()
    }

    /// Sends a piece, once there is room for it.
    fn send(&self, piece: Bytes) -> io::Result<()> {
        let gone = |_| io::Error::other("nobody listens");
        self.sender.blocking_send(piece).map_err(gone)
    }
}

/// Where the lines of an answer go.
pub(crate) struct Lines {
    waiting: Arc<Mutex<Waiting>>,
    /// What ends the work.
    pub(crate) cancel: Cancel,
    /// What is said of it meanwhile.
    pub(crate) progress: Arc<Progress>,
}

impl Lines {
    /// Sends lines that are complete, perhaps with later ones.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut waiting = lock(&self.waiting);
        waiting.lines.extend_from_slice(bytes);
        match waiting.take_due() {
            Some(piece) => waiting.send(piece),
            None => Ok(()),
        }
    }

    /// Sends a line, perhaps with later ones.
    pub(crate) fn line(&self, value: &Value) -> io::Result<()> {
        self.bytes(format!("{value}\n").as_bytes())
    }

    /// Sends all that is left.
    fn finish(&self) {
        let mut waiting = lock(&self.waiting);
        if !waiting.lines.is_empty() {
            let rest = waiting.take();
            // Where nobody listens, nobody needs to know.
            let _ = waiting.send(rest);
        }
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
    let waiting = Arc::new(Mutex::new(Waiting {
        sender,
        lines: Vec::new(),
        has_sent: false,
        progress: progress.clone(),
    }));
    let ticker = tokio::spawn(tick(waiting.clone()));
    let lines = Lines {
        waiting,
        cancel: cancel.clone(),
        progress,
    };
    let carry_out = move || {
        let result = work(&lines);
        ticker.abort();
        if let Err(message) = result {
            let _ = lines.line(&json!({ "error": message }));
        }
        lines.finish();
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

/// Says how far the work is, and sends what nothing follows for a while.
async fn tick(waiting: Arc<Mutex<Waiting>>) {
    loop {
        tokio::time::sleep(TICK).await;
        // Whoever works holds it no longer than a moment, unless nobody reads: then there is no hurry.
        let mut waiting = match waiting.try_lock() {
            Ok(waiting) => waiting,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => continue,
        };
        if waiting.sender.capacity() == 0 {
            continue;
        }
        // Nobody else sends, so there is still room for it.
        let piece = waiting.take_with_progress();
        if waiting.sender.try_send(piece).is_err() {
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

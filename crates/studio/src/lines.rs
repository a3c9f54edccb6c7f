//! Answers that are streamed as lines of JSON.
//!
//! The work runs on a thread of its own and pauses while the page does not read. If the page closes
//! the connection, the rest of the answer is dropped and the work is cancelled. Several lines are
//! sent at a time: each chunk of an answer costs the browser more time than the lines in it.

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

use crate::api_error::ApiError;
use crate::app::{App, lock};

/// Number of chunks of an answer that may wait to be sent.
const WAITING: usize = 32;

/// Minimum length of a chunk in bytes, except for the first one and those that [`tick`] sends.
const PIECE: usize = 1 << 16;

/// Maximum time between two chunks.
const TICK: Duration = Duration::from_millis(50);

/// Progress of the work.
#[derive(Default)]
pub(crate) struct SharedProgress {
    pub(crate) meter: OnceLock<Meter>,
    /// Number of bytes of all files; 0 if it is not known.
    pub(crate) size: AtomicU64,
    pub(crate) games: AtomicU64,
    pub(crate) matches: AtomicU64,
}

impl SharedProgress {
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

/// Lines that are not sent yet, and their receiver.
struct QueuedLines {
    sender: Sender<Bytes>,
    lines: Vec<u8>,
    /// Whether a chunk has been sent.
    has_sent: bool,
    progress: Arc<SharedProgress>,
}

impl QueuedLines {
    /// Returns the chunk that is to be sent now, if it is long enough.
    fn take_due(&mut self) -> Option<Bytes> {
        if self.has_sent {
            (self.lines.len() >= PIECE).then(|| self.take_with_progress())
        } else {
            (!self.lines.is_empty()).then(|| self.take())
        }
    }

    /// Returns the waiting lines after a line with the progress.
    fn take_with_progress(&mut self) -> Bytes {
        let mut piece = format!("{}\n", self.progress.line()).into_bytes();
        piece.append(&mut self.lines);
        piece.into()
    }

    fn take(&mut self) -> Bytes {
        self.has_sent = true;
        std::mem::take(&mut self.lines).into()
    }

    /// Sends a chunk, once there is room for it.
    fn send(&self, piece: Bytes) -> io::Result<()> {
        let gone = |_| io::Error::other("the receiver is gone");
        self.sender.blocking_send(piece).map_err(gone)
    }
}

/// Sender of the lines of an answer.
pub(crate) struct LineSender {
    waiting: Arc<Mutex<QueuedLines>>,
    /// Cancels the work.
    pub(crate) cancel: Cancel,
    /// Counts that the progress lines report.
    pub(crate) progress: Arc<SharedProgress>,
}

impl LineSender {
    /// Sends complete lines, possibly together with later ones.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> io::Result<()> {
        let mut waiting = lock(&self.waiting);
        waiting.lines.extend_from_slice(bytes);
        match waiting.take_due() {
            Some(piece) => waiting.send(piece),
            None => Ok(()),
        }
    }

    /// Sends a line, possibly together with later ones.
    pub(crate) fn line(&self, value: &Value) -> io::Result<()> {
        self.bytes(format!("{value}\n").as_bytes())
    }

    /// Sends all remaining lines.
    fn finish(&self) {
        let mut waiting = lock(&self.waiting);
        if !waiting.lines.is_empty() {
            let rest = waiting.take();
            // The page may be gone, which is no error.
            let _ = waiting.send(rest);
        }
    }
}

/// Returns an answer whose lines come from a thread of its own. An error of the work is its last
/// line.
pub(crate) fn respond(
    app: &App,
    work: impl FnOnce(&LineSender) -> Result<(), String> + Send + 'static,
) -> Result<Response, ApiError> {
    let (sender, receiver) = channel(WAITING);
    let cancel = app.cancel();
    let progress = Arc::<SharedProgress>::default();
    let waiting = Arc::new(Mutex::new(QueuedLines {
        sender,
        lines: Vec::new(),
        has_sent: false,
        progress: progress.clone(),
    }));
    let ticker = tokio::spawn(tick(waiting.clone()));
    let lines = LineSender { waiting, cancel: cancel.clone(), progress };
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
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, format!("cannot start a thread: {error}"))
    })?;
    let body = Body::from_stream(Answer { receiver, cancel });
    let kind = [(header::CONTENT_TYPE, "application/x-ndjson")];
    Ok((kind, body).into_response())
}

/// Regularly sends the progress with the lines that wait.
async fn tick(waiting: Arc<Mutex<QueuedLines>>) {
    loop {
        tokio::time::sleep(TICK).await;
        // The work holds the lock only briefly, except while the page does not read; the next tick
        // is early enough then.
        let mut waiting = match waiting.try_lock() {
            Ok(waiting) => waiting,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => continue,
        };
        if waiting.sender.capacity() == 0 {
            continue;
        }
        // No other sender is active, so there is still room.
        let piece = waiting.take_with_progress();
        if waiting.sender.try_send(piece).is_err() {
            return;
        }
    }
}

/// Lines on their way to the browser.
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

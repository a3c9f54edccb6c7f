//! Sends messages to the client from any thread.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::command::client_output::ChunkedStdout;

/// Client, to which messages are sent one at a time.
#[derive(Default)]
pub(super) struct Client(Mutex<()>);

impl Client {
    pub(super) fn send(&self, message: &Value) {
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // If the client is gone, its input ends, too, and so does the server.
        let _ = ChunkedStdout.write_all(format!("{message}\n").as_bytes());
    }
}

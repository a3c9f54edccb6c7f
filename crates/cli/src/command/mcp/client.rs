//! The messages to the client, from every thread.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

use serde_json::Value;

use crate::command::client_output::Pieces;

/// The client; messages come to it one after the other.
#[derive(Default)]
pub(super) struct Client(Mutex<()>);

impl Client {
    pub(super) fn send(&self, message: &Value) {
        let _alone = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // A client that is gone reads nothing any more; its input ends, too.
        let _ = Pieces.write_all(format!("{message}\n").as_bytes());
    }
}

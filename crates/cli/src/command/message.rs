//! Messages of JSON-RPC 2.0, the protocol of the servers for editors and assistants.

use serde_json::Value;

/// Message of the client.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// Request, which needs an answer.
    Request { id: Value, method: String, params: Value },
    /// Notification, which needs none.
    Notification { method: String, params: Value },
    /// Answer of the client, although it was asked nothing.
    Response,
}

impl Message {
    /// Creates a message with a method: a request if it has an id, else a notification.
    pub(super) fn of(method: String, params: Value, id: Option<&Value>) -> Message {
        match id {
            None => Message::Notification { method, params },
            Some(id) => Message::Request { id: id.clone(), method, params },
        }
    }
}

//! The messages of JSON-RPC 2.0, which the servers for editors and for assistants speak.

use serde_json::Value;

/// What the client says.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    /// It wants an answer.
    Request {
        id: Value,
        method: String,
        params: Value,
    },
    /// It wants none.
    Notification { method: String, params: Value },
    /// It answers; nothing has been asked of it.
    Response,
}

impl Message {
    /// What has a method: a request where it has an id, too.
    pub(super) fn of(method: String, params: Value, id: Option<&Value>) -> Message {
        match id {
            None => Message::Notification { method, params },
            Some(id) => Message::Request {
                id: id.clone(),
                method,
                params,
            },
        }
    }
}

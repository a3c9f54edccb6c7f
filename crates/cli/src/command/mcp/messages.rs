//! Messages of the protocol: JSON-RPC, one per line.

use std::io::{BufRead, Read};
use std::sync::{Mutex, MutexGuard, PoisonError};

use flow::Cancel;
use serde_json::Value;

use crate::command::message::Message;

/// Maximum size of a message in bytes; a query has at most ten million.
const LARGEST: u64 = 20_000_000;

/// Line sent by the client.
#[derive(Debug, PartialEq)]
pub(super) enum Incoming {
    One(Message),
    /// Batch of messages, as in older versions of the protocol.
    Several(Vec<Result<Message, (ErrorCode, String)>>),
    /// Line that is not a valid message.
    Broken(ErrorCode, String),
}

/// Error codes of the protocol.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ErrorCode {
    ParseError = -32700,
    InvalidRequest = -32600,
    MethodNotFound = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
    ResourceNotFound = -32002,
}

/// Result of a request, or an error.
pub(super) type Answer = Result<Value, (ErrorCode, String)>;

/// Reads the next line; `None` at the end of the input.
pub(super) fn read(input: &mut impl BufRead) -> Option<Incoming> {
    loop {
        let mut line = Vec::new();
        let n = input.take(LARGEST).read_until(b'\n', &mut line).ok()?;
        if n == 0 {
            return None;
        }
        if n as u64 == LARGEST && line.last() != Some(&b'\n') {
            pass_over(input)?;
            let message = format!("the message is larger than {LARGEST} bytes");
            return Some(Incoming::Broken(ErrorCode::InvalidRequest, message));
        }
        if !line.trim_ascii().is_empty() {
            return Some(understood(&line));
        }
    }
}

/// Skips the rest of a line.
fn pass_over(input: &mut impl BufRead) -> Option<()> {
    loop {
        let part = input.fill_buf().ok()?;
        let end = part.iter().position(|&byte| byte == b'\n');
        let n = end.map_or(part.len(), |end| end + 1);
        input.consume(n);
        if end.is_some() || n == 0 {
            return Some(());
        }
    }
}

fn understood(line: &[u8]) -> Incoming {
    let value = match serde_json::from_slice(line) {
        Ok(value) => value,
        Err(error) => {
            let message = format!("not valid JSON: {error}");
            return Incoming::Broken(ErrorCode::ParseError, message);
        }
    };
    match value {
        Value::Array(all) if !all.is_empty() => {
            Incoming::Several(all.into_iter().map(message).collect())
        }
        other => match message(other) {
            Ok(message) => Incoming::One(message),
            Err((code, message)) => Incoming::Broken(code, message),
        },
    }
}

fn message(mut value: Value) -> Result<Message, (ErrorCode, String)> {
    let invalid = |what: &str| Err((ErrorCode::InvalidRequest, what.to_owned()));
    if !value.is_object() {
        return invalid("expected an object as message");
    }
    if value["jsonrpc"] != "2.0" {
        return invalid("expected a message with `\"jsonrpc\": \"2.0\"`");
    }
    let params = value["params"].take();
    let method = match value.get("method") {
        Some(Value::String(method)) => method.clone(),
        Some(_) => return invalid("expected a string as method"),
        None if value.get("result").is_some() || value.get("error").is_some() => {
            return Ok(Message::Response);
        }
        None => return invalid("expected a request with a method"),
    };
    match value.get("id") {
        id @ (None | Some(Value::String(_) | Value::Number(_))) => {
            Ok(Message::of(method, params, id))
        }
        Some(_) => invalid("expected a string or a number as id"),
    }
}

/// Requests that have no answer yet, each with its cancellation.
#[derive(Debug, Default)]
pub(super) struct Open(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    requests: Vec<(Value, Cancel)>,
    /// Whether the client is gone.
    is_over: bool,
}

impl Open {
    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Records requests that have been read, and cancels those that a notification cancels.
    pub(super) fn notice(&self, incoming: &Incoming) {
        match incoming {
            Incoming::One(message) => self.notice_one(message),
            Incoming::Several(messages) => {
                let messages = messages.iter().flatten();
                messages.for_each(|message| self.notice_one(message));
            }
            Incoming::Broken(..) => {}
        }
    }

    fn notice_one(&self, message: &Message) {
        let mut state = self.state();
        match message {
            Message::Request { id, .. } => state.requests.push((id.clone(), Cancel::default())),
            Message::Notification { method, params } if method == "notifications/cancelled" => {
                let taken_back = state.requests.iter().filter(|(id, _)| *id == params["requestId"]);
                taken_back.for_each(|(_, cancel)| cancel.cancel());
            }
            Message::Notification { .. } | Message::Response => {}
        }
    }

    /// Cancels all requests, since the client is gone.
    pub(super) fn end(&self) {
        let mut state = self.state();
        state.is_over = true;
        let open = state.requests.iter();
        open.for_each(|(_, cancel)| cancel.cancel());
    }

    /// Starts a request and returns its cancellation; `None` if it has been cancelled already.
    pub(super) fn begin(&self, id: &Value) -> Option<Cancel> {
        let mut state = self.state();
        let place = state.requests.iter().position(|(open, _)| open == id)?;
        let cancel = state.requests[place].1.clone();
        if cancel.is_cancelled() && !state.is_over {
            state.requests.remove(place);
            return None;
        }
        Some(cancel)
    }

    /// Ends a request and returns whether its answer is wanted.
    pub(super) fn end_of(&self, id: &Value) -> bool {
        let mut state = self.state();
        let mut open = state.requests.iter();
        let Some(place) = open.position(|(open, _)| open == id) else {
            return false;
        };
        let (_, cancel) = state.requests.remove(place);
        state.is_over || !cancel.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn read_all(text: &[u8]) -> Vec<String> {
        let mut input = text;
        let found = std::iter::from_fn(|| read(&mut input));
        let one = |message: &Message| match message {
            Message::Request { id, method, .. } => format!("{method} {id}"),
            Message::Notification { method, .. } => method.clone(),
            Message::Response => "response".to_owned(),
        };
        let found = found.map(|incoming| match incoming {
            Incoming::One(message) => one(&message),
            Incoming::Several(messages) => {
                let messages = messages.iter().map(|message| match message {
                    Ok(message) => one(message),
                    Err((code, _)) => format!("{code:?}"),
                });
                messages.collect::<Vec<String>>().join("+")
            }
            Incoming::Broken(code, _) => format!("{code:?}"),
        });
        found.collect()
    }

    #[test]
    fn every_line_is_a_message_or_says_why_not() {
        let check = |text: &str, expected: &[&str]| {
            assert_eq!(read_all(text.as_bytes()), expected, "{text}");
        };
        check("", &[]);
        check("\n \r\n", &[]);
        let two = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"}\r\n{\"jsonrpc\":\"2.0\",\"method\":\"♔\"}";
        check(two, &["a 1", "♔"]);
        check("{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}", &["response"]);
        check("{\"id\":", &["ParseError"]);
        check("\u{1}", &["ParseError"]);
        let invalid = [
            "7",
            "[]",
            "null",
            "{}",
            "{\"jsonrpc\":\"1.0\",\"id\":1,\"method\":\"a\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":1}",
            "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":2}",
            "{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"a\"}",
            "{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"a\"}",
        ];
        for text in invalid {
            check(text, &["InvalidRequest"]);
        }
        let several = "[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"a\"},3]";
        check(several, &["a 1+InvalidRequest"]);
        assert_eq!(read_all(b"\xff\xfe\n"), ["ParseError"]);
    }

    #[test]
    fn a_line_that_is_too_long_is_passed_over() {
        let mut text = vec![b' '; LARGEST as usize + 5];
        text.extend(b"x\n{\"jsonrpc\":\"2.0\",\"method\":\"a\"}\n");
        assert_eq!(read_all(&text), ["InvalidRequest", "a"]);
    }

    #[test]
    fn requests_are_taken_back_before_and_while_they_run() {
        let open = Open::default();
        let come = |id: Value| {
            let (method, params) = ("ping".to_owned(), Value::Null);
            open.notice(&Incoming::One(Message::Request { id, method, params }));
        };
        let take = |id: Value| {
            let params = json!({ "requestId": id });
            let method = "notifications/cancelled".to_owned();
            open.notice(&Incoming::One(Message::Notification { method, params }));
        };
        // Cancelling a request that has not arrived has no effect.
        take(json!(1));
        come(json!(1));
        come(json!("1"));
        let first = open.begin(&json!(1)).expect("it is wanted");
        take(json!("1"));
        assert!(open.begin(&json!("1")).is_none());
        assert!(!first.is_cancelled());
        assert!(open.end_of(&json!(1)));
        come(json!(2));
        let second = open.begin(&json!(2)).expect("it is wanted");
        take(json!(2));
        assert!(second.is_cancelled());
        assert!(!open.end_of(&json!(2)));
        come(json!(3));
        let last = open.begin(&json!(3)).expect("it is wanted");
        open.end();
        assert!(last.is_cancelled() && open.end_of(&json!(3)));
    }
}

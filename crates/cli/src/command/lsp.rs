//! `cql lsp`: a language server on standard input and output.
//!
//! The crate `ide` computes the answers; this module handles the messages. Messages are handled in
//! order. Diagnostics are computed only after no message has arrived for about as long as the last
//! computation took, so that typing never waits for more than one analysis. A request that is
//! canceled before its turn gets an error instead of an answer.

mod answers;
mod client;
mod messages;
mod shapes;

use std::collections::HashMap;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use ide::{Document, Settings};
use serde_json::{Value, json};
use syntax::Dialect;

use super::client_output::{self, ChunkedStdout};
use super::message::Message;
use crate::failure::{Failure, context};
use answers::Answer;
use client::Client;
use messages::{ErrorCode, Incoming, Reader, ResponseError};

/// Start a language server for editors
///
/// Speaks the Language Server Protocol on standard input and output, until the editor ends it or
/// closes standard input. Editors start it themselves; the book explains how to set them up.
#[derive(clap::Args)]
pub(super) struct LspArgs {
    /// Use standard input and output
    ///
    /// Accepted for editors that pass this option; nothing else is supported.
    #[arg(long, hide = true)]
    stdio: bool,
}

/// Time without a message before diagnostics are computed: the minimum, and the maximum if
/// computing them takes long.
const PAUSES: [Duration; 2] = [Duration::from_millis(2), Duration::from_millis(400)];

/// Serves until the client disconnects.
pub(super) fn run(_: &LspArgs) -> Result<(), Failure> {
    let (sender, receiver) = mpsc::channel();
    // The thread reads ahead, so that messages sent together are handled together.
    thread::spawn(move || {
        let mut reader = Reader::new(io::stdin().lock());
        while let Some(message) = reader.read().transpose() {
            let is_last = message.is_err();
            if sender.send(message).is_err() || is_last {
                break;
            }
        }
        drop(sender);
        client_output::end_unless_read();
    });
    serve(&receiver).map_err(|error| context("cannot understand the editor", &error))
}

fn serve(receiver: &Receiver<io::Result<Incoming>>) -> io::Result<()> {
    let Some(mut server) = introduced(receiver)? else {
        return Ok(());
    };
    loop {
        let next = if server.is_behind() {
            receiver.recv_timeout(server.pause)
        } else {
            receiver.recv().map_err(Into::into)
        };
        match next {
            Ok(first) => {
                let messages = std::iter::once(first).chain(receiver.try_iter());
                let messages: io::Result<Vec<Incoming>> = messages.collect();
                if server.carry_out(messages?).is_break() {
                    break;
                }
            }
            Err(RecvTimeoutError::Timeout) => server.publish(),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    Ok(())
}

/// Waits for the client to send `initialize`.
fn introduced(receiver: &Receiver<io::Result<Incoming>>) -> io::Result<Option<Server>> {
    while let Ok(message) = receiver.recv() {
        match message? {
            Ok(Message::Request { id, method, params }) if method == "initialize" => {
                let client = Client::new(&params);
                answer(&id, Ok(client.capabilities()));
                return Ok(Some(Server {
                    settings: client::settings(&params["initializationOptions"]),
                    client,
                    documents: HashMap::new(),
                    pause: PAUSES[0],
                    is_over: false,
                }));
            }
            Ok(Message::Request { id, .. }) => {
                let code = ErrorCode::ServerNotInitialized;
                answer(&id, Err((code, "expected `initialize` first".to_owned())));
            }
            Ok(Message::Notification { method, .. }) if method == "exit" => break,
            Ok(_) => {}
            Err(refusal) => refuse(refusal),
        }
    }
    Ok(None)
}

/// Writes a message. Errors are ignored: if the client is gone, its input ends as well.
fn send(message: &Value) {
    let _ = messages::write(&mut ChunkedStdout, &message.to_string());
}

fn answer(id: &Value, answer: Answer) {
    let (name, value) = match answer {
        Ok(result) => ("result", result),
        Err((code, message)) => ("error", json!({ "code": code as i32, "message": message })),
    };
    send(&json!({ "jsonrpc": "2.0", "id": id, (name): value }));
}

/// Answers with the reason why a message cannot be understood.
fn refuse(refusal: ResponseError) {
    answer(&refusal.id, Err((refusal.code, refusal.message)));
}

/// A text that is open in the client.
struct Open {
    document: Document,
    /// Version number that the client gave this text.
    version: Value,
    /// Whether the text has changed since diagnostics were computed.
    is_fresh: bool,
}

struct Server {
    client: Client,
    settings: Settings,
    /// Open documents, by their URIs.
    documents: HashMap<String, Open>,
    /// Time without a message before diagnostics are computed.
    pause: Duration,
    /// Whether the client has sent `shutdown`.
    is_over: bool,
}

impl Server {
    fn carry_out(&mut self, messages: Vec<Incoming>) -> ControlFlow<()> {
        let understood = messages.iter().flatten();
        let cancelled: Vec<Value> = understood.filter_map(taken_back).collect();
        for message in messages {
            let message = match message {
                Ok(message) => message,
                Err(refusal) => {
                    refuse(refusal);
                    continue;
                }
            };
            match message {
                Message::Request { id, .. } if cancelled.contains(&id) => {
                    let code = ErrorCode::RequestCancelled;
                    answer(&id, Err((code, "cancelled".to_owned())));
                }
                Message::Request { id, method, params } => {
                    answer(&id, self.guarded_answer(&method, &params));
                }
                Message::Notification { method, .. } if method == "exit" => {
                    return ControlFlow::Break(());
                }
                Message::Notification { method, params } => self.notified(&method, &params),
                Message::Response => {}
            }
        }
        ControlFlow::Continue(())
    }

    fn guarded_answer(&mut self, method: &str, params: &Value) -> Answer {
        if method == "shutdown" {
            self.is_over = true;
            return Ok(Value::Null);
        }
        if self.is_over {
            let message = "the server is shutting down".to_owned();
            return Err((ErrorCode::InvalidRequest, message));
        }
        // A defect that affects one answer must not end the server.
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(method, params)));
        let defect = || Err((ErrorCode::InternalError, "a defect of the server".to_owned()));
        answer.unwrap_or_else(|_| defect())
    }

    fn notified(&mut self, method: &str, params: &Value) {
        let document = &params["textDocument"];
        let Some(uri) = document["uri"].as_str() else {
            if method == "workspace/didChangeConfiguration" {
                self.set(client::settings(&params["settings"]["cql"]));
            }
            return;
        };
        match method {
            "textDocument/didOpen" => {
                let text = document["text"].as_str().unwrap_or_default();
                let open = Open {
                    document: Document::new(text, self.settings),
                    version: document["version"].clone(),
                    is_fresh: true,
                };
                self.documents.insert(uri.to_owned(), open);
            }
            "textDocument/didChange" => {
                let Some(open) = self.documents.get_mut(uri) else {
                    return;
                };
                open.version = document["version"].clone();
                open.is_fresh = true;
                for change in params["contentChanges"].as_array().into_iter().flatten() {
                    apply(&mut open.document, change, self.client.encoding);
                }
            }
            "textDocument/didClose" => {
                self.documents.remove(uri);
                tell_faults(uri, &Value::Null, Vec::new());
            }
            _ => {}
        }
    }

    fn set(&mut self, settings: Settings) {
        self.settings = settings;
        for open in self.documents.values_mut() {
            open.document = Document::new(open.document.text(), settings);
            open.is_fresh = true;
        }
    }

    /// Whether diagnostics are missing for a text that has changed.
    fn is_behind(&self) -> bool {
        self.documents.values().any(|open| open.is_fresh)
    }

    /// Sends the diagnostics of the texts that have changed.
    fn publish(&mut self) {
        let start = Instant::now();
        for open in self.documents.values_mut() {
            // The result is kept, both for the messages sent below and for later requests.
            let check = || open.document.diagnostics().len();
            if open.is_fresh && catch_unwind(AssertUnwindSafe(check)).is_err() {
                open.is_fresh = false;
            }
        }
        let fresh = self.documents.iter().filter(|(_, open)| open.is_fresh);
        for (uri, open) in fresh {
            let faults = shapes::diagnostics(&open.document, uri, self.client.encoding);
            tell_faults(uri, &open.version, faults);
        }
        for open in self.documents.values_mut() {
            open.is_fresh = false;
        }
        self.pause = start.elapsed().clamp(PAUSES[0], PAUSES[1]);
    }
}

fn tell_faults(uri: &str, version: &Value, faults: Vec<Value>) {
    let mut params = json!({ "uri": uri, "diagnostics": faults });
    if version.is_number() {
        params["version"] = version.clone();
    }
    let method = "textDocument/publishDiagnostics";
    send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
}

/// Returns the ID of the request that a message cancels.
fn taken_back(message: &Message) -> Option<Value> {
    match message {
        Message::Notification { method, params } if method == "$/cancelRequest" => {
            Some(params["id"].clone())
        }
        _ => None,
    }
}

/// Applies a change; a change without a range replaces the whole text.
fn apply(document: &mut Document, change: &Value, encoding: ide::Encoding) {
    let text = change["text"].as_str().unwrap_or_default();
    let range = match shapes::range_of(document, &change["range"], encoding) {
        Some(range) => range,
        None => 0..document.text().len(),
    };
    document.replace(range, text);
}

/// Returns the dialect named in the settings of a client; `None` for `auto`.
fn dialect_of(settings: &Value) -> Option<Dialect> {
    settings["dialect"].as_str().and_then(Dialect::from_name)
}

//! `cql mcp GAMES…`: the Model Context Protocol on standard input and output, for assistants.
//!
//! One thread reads messages, so that a request can be cancelled while it runs. Short requests are
//! answered at once. Searches, and requests about queries and the language, have separate threads,
//! so that neither waits for the other. Only games named on the command line can be read, queries
//! cannot access files, and time and results are limited.

mod asked;
mod call;
mod client;
mod counts;
mod games;
mod inputs;
mod messages;
mod one;
mod queries;
mod shown;
mod tools;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, Scope};

use babson::Games;
use serde_json::{Value, json};

use super::client_output;
use super::message::Message;
use crate::failure::{Failure, context};
use crate::games as named;
use crate::subcommands::Subcommands;
use asked::Asked;
use client::Client;
use input::ReadOptions;
use messages::{Answer, ErrorCode, Incoming, Open};

/// Start an MCP server for assistants
///
/// Speaks the Model Context Protocol on standard input and output. Assistants start it themselves;
/// the book explains how to set them up. They can check and explain queries, search, count, show
/// games, and read the manual and the cookbook. They can read only the games that are named here,
/// and write nothing.
#[derive(clap::Args)]
pub(super) struct McpArgs {
    /// Games: files, directories, patterns, archives
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
}

/// Supported versions of the protocol, the latest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// First version in which tools return structured values besides text.
const FIRST_WITH_VALUES: &str = "2025-06-18";

/// Number of threads for searches; each search uses as many further threads as there are
/// processors.
const N_SEARCHES: usize = 4;

/// Number of threads for requests about queries and the language.
const N_OTHERS: usize = 2;

/// Stack size of a thread in bytes; the compilation and evaluation of nested queries need it.
const STACK_BYTES: usize = 16 << 20;

/// Instructions that an assistant receives at the start.
const INSTRUCTIONS: &str = "CQL (Chess Query Language) describes positions and moves; a query \
                            finds the games that have them. Write a query, check it (`check`), \
                            and search the games (`search`, `count`). Before you write one, read \
                            the cookbook (`cookbook`) and the words of the language (`words`): \
                            CQL is not SQL, and not the search of a web site. `explain` shows the \
                            meaning of a query; read it before you trust the results. `game` \
                            shows a game of a search by its number, and `inputs` lists the files \
                            that are searched.";

/// Serves until the client closes the input.
pub(super) fn run(arguments: &McpArgs, subcommands: Subcommands) -> Result<(), Failure> {
    let games = if arguments.games.is_empty() {
        None
    } else {
        Some(named::find_all_with_archives(&arguments.games, ReadOptions::default())?)
    };
    let open = Arc::<Open>::default();
    let (sender, receiver) = mpsc::channel();
    let noticed = open.clone();
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        while let Some(incoming) = messages::read(&mut input) {
            noticed.notice(&incoming);
            if sender.send(incoming).is_err() {
                break;
            }
        }
        noticed.end();
        drop(sender);
        client_output::end_unless_read();
    });
    let server =
        Server { games, subcommands, open, client: Client::default(), version: Mutex::default() };
    thread::scope(|scope| {
        let searches = server.threads(scope, N_SEARCHES)?;
        let others = server.threads(scope, N_OTHERS)?;
        for incoming in receiver {
            match Lane::of(&incoming) {
                Lane::Now => server.carry_out(incoming),
                Lane::Others => hand_on(incoming, &others),
                Lane::Searches => hand_on(incoming, &searches),
            }
        }
        Ok(())
    })
}

/// Thread that handles a message.
enum Lane {
    /// The main thread, since the message takes no time.
    Now,
    Others,
    Searches,
}

impl Lane {
    fn of(incoming: &Incoming) -> Lane {
        match incoming {
            Incoming::Broken(..) => Lane::Now,
            // The answers of a batch are sent together.
            Incoming::Several(_) => Lane::Searches,
            Incoming::One(Message::Request { method, params, .. }) => match method.as_str() {
                "tools/call" if tools::reads_games(params) => Lane::Searches,
                "tools/call" => Lane::Others,
                "resources/read" => Lane::Searches,
                _ => Lane::Now,
            },
            Incoming::One(_) => Lane::Now,
        }
    }
}

struct Server {
    games: Option<Games>,
    subcommands: Subcommands,
    open: Arc<Open>,
    client: Client,
    /// Version of the protocol; `None` before the client has introduced itself.
    version: Mutex<Option<&'static str>>,
}

impl Server {
    /// Starts threads that handle the messages sent to them, each one after the other.
    fn threads<'scope, 'env>(
        &'env self,
        scope: &'scope Scope<'scope, 'env>,
        n: usize,
    ) -> Result<Sender<Incoming>, Failure> {
        let (sender, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        for _ in 0..n {
            let receiver = receiver.clone();
            let thread = thread::Builder::new().stack_size(STACK_BYTES);
            let work = move || {
                while let Some(incoming) = next(&receiver) {
                    self.carry_out(incoming);
                }
            };
            let started = thread.spawn_scoped(scope, work);
            started.map_err(|error| context("cannot start a thread", &error))?;
        }
        Ok(sender)
    }

    fn carry_out(&self, incoming: Incoming) {
        let answer = match incoming {
            Incoming::Broken(code, message) => Some(error(&Value::Null, code, &message)),
            Incoming::One(message) => self.one(message),
            Incoming::Several(messages) => {
                let answers = messages.into_iter().filter_map(|message| match message {
                    Ok(message) => self.one(message),
                    Err((code, message)) => Some(error(&Value::Null, code, &message)),
                });
                let answers: Vec<Value> = answers.collect();
                (!answers.is_empty()).then(|| answers.into())
            }
        };
        if let Some(answer) = answer {
            self.client.send(&answer);
        }
    }

    fn one(&self, message: Message) -> Option<Value> {
        // A notification that cancels a request has been handled by the reader.
        let Message::Request { id, method, params } = message else {
            return None;
        };
        let cancel = self.open.begin(&id)?;
        let asked = Asked {
            games: self.games.as_ref(),
            subcommands: self.subcommands,
            cancel: &cancel,
            client: &self.client,
            progress: params["_meta"].get("progressToken"),
        };
        // A panic during one request must not affect the others.
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, &params, &asked)));
        if !self.open.end_of(&id) {
            return None;
        }
        let answer = answer.unwrap_or_else(|_| {
            let message = "a defect of the server".to_owned();
            Err((ErrorCode::InternalError, message))
        });
        Some(match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, message)) => error(&id, code, &message),
        })
    }

    fn answer(&self, method: &str, params: &Value, asked: &Asked<'_>) -> Answer {
        let mut known = self.version.lock().unwrap_or_else(PoisonError::into_inner);
        let version = match (method, *known) {
            ("ping", _) => return Ok(json!({})),
            ("initialize", _) => {
                let version = version(params);
                *known = Some(version);
                return Ok(introduction(version));
            }
            (_, Some(version)) => version,
            (_, None) => {
                let message = "expected `initialize` first".to_owned();
                return Err((ErrorCode::InvalidRequest, message));
            }
        };
        drop(known);
        let has_values = version >= FIRST_WITH_VALUES;
        match method {
            "tools/list" => Ok(json!({ "tools": tools::list(has_values) })),
            "tools/call" => tools::call(params, asked, has_values),
            "resources/list" => Ok(one::resources()),
            "resources/templates/list" => Ok(one::templates()),
            "resources/read" => one::read(params, asked),
            _ => {
                let message = format!("there is no `{method}`");
                Err((ErrorCode::MethodNotFound, message))
            }
        }
    }
}

fn hand_on(incoming: Incoming, lane: &Sender<Incoming>) {
    // The threads run as long as their senders exist, so sending succeeds.
    let _ = lane.send(incoming);
}

/// Waits for the next message of a thread; `None` if there are no more.
fn next(receiver: &Mutex<Receiver<Incoming>>) -> Option<Incoming> {
    let receiver = receiver.lock().unwrap_or_else(PoisonError::into_inner);
    receiver.recv().ok()
}

/// Returns the version of the protocol that the client requests if it is supported, else the
/// latest.
fn version(params: &Value) -> &'static str {
    let asked = params["protocolVersion"].as_str();
    let known = VERSIONS.into_iter().find(|version| asked == Some(version));
    known.unwrap_or(VERSIONS[0])
}

/// Returns the introduction of the server.
fn introduction(version: &str) -> Value {
    json!({
        "protocolVersion": version,
        "capabilities": { "tools": {}, "resources": {} },
        "serverInfo": { "name": "cql", "title": "Chess Query Language", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

fn error(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}

//! `cql mcp GAMES…`: the Model Context Protocol on standard input and output, for assistants.
//!
//! A thread reads what comes, so that a request can be taken back while it is carried out; one after
//! the other is. Games are read where the command line names them, queries may touch no files, and
//! time and results have bounds.

mod games;
mod messages;
mod queries;
mod tools;

use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;

use archived::Games;
use flow::Cancel;
use serde_json::{Value, json};

use super::client_output::{self, Pieces};
use super::message::Message;
use crate::failure::Failure;
use crate::games as named;
use input::How;
use messages::{Answer, ErrorCode, Incoming, TakenBack};

/// Answer the questions of an assistant (a server for the protocol MCP)
///
/// Speaks the Model Context Protocol on standard input and output. Assistants start it by
/// themselves; the book says how to tell them. They can check and explain queries, search, count,
/// and read the manual and the cookbook. Nothing can be read but the games that are named here, and
/// nothing is written.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The games: files, directories, patterns, archives
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
}

/// The versions of the protocol that are spoken, the latest first.
const VERSIONS: [&str; 3] = ["2025-06-18", "2025-03-26", "2024-11-05"];

/// What an assistant is told before anything else.
const INSTRUCTIONS: &str = "CQL (Chess Query Language) describes positions and moves; a query \
    finds the games that have them. Write a query, have it checked (`check`), and search the games \
    (`search`, `count`). Before writing one, look into the cookbook (`cookbook`) and at the words \
    of the language (`words`): CQL is not SQL, and not the search of a web site. `explain` says \
    what a query means, and is worth a look before its results are believed.";

/// Serves until the client goes.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let games = match arguments.games.is_empty() {
        true => None,
        false => Some(named::find_all_with_archives(
            &arguments.games,
            How::default(),
        )?),
    };
    let taken_back = Arc::<TakenBack>::default();
    let (sender, receiver) = mpsc::channel();
    let noticed = taken_back.clone();
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
    let mut server = Server {
        games,
        taken_back,
        is_known: false,
    };
    for incoming in receiver {
        if let Some(answer) = server.carry_out(incoming) {
            // A client that is gone reads nothing any more; its input ends, too.
            let _ = Pieces.write_all(format!("{answer}\n").as_bytes());
        }
    }
    Ok(())
}

struct Server {
    games: Option<Games>,
    taken_back: Arc<TakenBack>,
    /// The client has said who it is.
    is_known: bool,
}

impl Server {
    fn carry_out(&mut self, incoming: Incoming) -> Option<Value> {
        match incoming {
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
        }
    }

    fn one(&mut self, message: Message) -> Option<Value> {
        // Of notifications, the one that takes something back has been noticed.
        let Message::Request { id, method, params } = message else {
            return None;
        };
        let cancel = self.taken_back.begin(&id)?;
        // A defect in one answer is no reason to take the others away.
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, &params, &cancel)));
        if self.taken_back.end_of(&id) {
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

    fn answer(&mut self, method: &str, params: &Value, cancel: &Cancel) -> Answer {
        match method {
            "initialize" => {
                self.is_known = true;
                Ok(introduction(params))
            }
            "ping" => Ok(json!({})),
            _ if !self.is_known => {
                let message = "`initialize` comes first".to_owned();
                Err((ErrorCode::InvalidRequest, message))
            }
            "tools/list" => Ok(json!({ "tools": tools::list() })),
            "tools/call" => tools::call(params, self.games.as_ref(), cancel),
            _ => {
                let message = format!("there is no `{method}`");
                Err((ErrorCode::MethodNotFound, message))
            }
        }
    }
}

/// Who the server is, in the version of the protocol that the client speaks if it is known here.
fn introduction(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str();
    let known = VERSIONS.into_iter().find(|version| asked == Some(version));
    json!({
        "protocolVersion": known.unwrap_or(VERSIONS[0]),
        "capabilities": { "tools": {} },
        "serverInfo": { "name": "cql", "title": "Chess Query Language", "version": env!("CARGO_PKG_VERSION") },
        "instructions": INSTRUCTIONS,
    })
}

fn error(id: &Value, code: ErrorCode, message: &str) -> Value {
    json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code as i32, "message": message } })
}

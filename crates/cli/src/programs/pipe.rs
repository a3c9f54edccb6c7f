//! Programs that answer each line of JSON with a line of JSON.

use std::borrow::Cow;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use engine::PipeQuestion;
use serde::Serialize;
use serde_json::Value;

use super::process::{LineOutcome, Process};
use super::{CommandLine, ProgramWarnings};

/// Number of consecutive failures after which a program is not started again.
const MOST_ENDS: u32 = 3;

/// A question in the form that is sent.
#[derive(Serialize)]
struct RequestLine<'a> {
    game: u64,
    ply: u32,
    fen: &'a str,
    args: Vec<Cow<'a, str>>,
}

/// A program of `commandpipe`.
pub(super) struct Pipe {
    name: String,
    command: CommandLine,
    timeout: Duration,
    troubles: Arc<ProgramWarnings>,
    process: Option<Process>,
    /// A process started in advance, for the first thread that needs one.
    spare: Arc<Mutex<Option<Process>>>,
    n_ends: u32,
}

impl Pipe {
    /// Starts the program.
    ///
    /// # Errors
    /// The program cannot be started.
    pub(super) fn start(
        name: &str,
        command: &CommandLine,
        timeout: Duration,
        troubles: Arc<ProgramWarnings>,
    ) -> Result<Pipe, String> {
        let process = Process::start(command)
            .map_err(|error| format!("cannot start {} for '{name}': {error}", command.0[0]))?;
        Ok(Pipe {
            name: name.to_owned(),
            command: command.clone(),
            timeout,
            troubles,
            process: None,
            spare: Arc::new(Mutex::new(Some(process))),
            n_ends: 0,
        })
    }

    /// Returns the same program for another thread.
    pub(super) fn another(&self) -> Pipe {
        Pipe {
            name: self.name.clone(),
            command: self.command.clone(),
            troubles: Arc::clone(&self.troubles),
            process: None,
            spare: Arc::clone(&self.spare),
            ..*self
        }
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Asks the program. Returns `None` if it answers `null` or `false`, or does not answer.
    pub(super) fn ask(&mut self, question: &PipeQuestion<'_>) -> Option<Vec<u8>> {
        let arguments = question.arguments.iter();
        let arguments: Vec<_> = arguments.map(|text| String::from_utf8_lossy(text)).collect();
        let line = serde_json::to_string(&RequestLine {
            game: question.game,
            ply: question.ply,
            fen: question.fen,
            args: arguments,
        });
        let timeout = self.timeout;
        let process = self.process()?;
        process.say(&line.ok()?);
        let heard = process.hear(Instant::now() + timeout);
        match heard {
            LineOutcome::Line(line) => {
                self.n_ends = 0;
                self.answer(&line)
            }
            LineOutcome::Stopped => None,
            LineOutcome::Late => {
                let seconds = format!(" within {} s", self.timeout.as_secs());
                self.end("does not answer", &seconds)
            }
            LineOutcome::Deaf => self.end("does not read its input", ""),
            LineOutcome::Endless => self.end("sends an endless line", ""),
            LineOutcome::Gone => {
                let status = self.process.as_mut().map(Process::end);
                self.end("ended without an answer", &status.unwrap_or_default())
            }
        }
    }

    /// Returns the process, after starting one if there is none.
    fn process(&mut self) -> Option<&Process> {
        if self.process.is_none() && self.n_ends < MOST_ENDS {
            self.process = crate::terminal::lock(&self.spare).take();
            if self.process.is_none() {
                match Process::start(&self.command) {
                    Ok(process) => self.process = Some(process),
                    Err(error) => self.end("cannot be started", &format!(": {error}"))?,
                }
            }
        }
        self.process.as_ref()
    }

    /// Reports that the process is unusable, and drops it.
    fn end<T>(&mut self, what: &'static str, more: &str) -> Option<T> {
        self.troubles.tell(&self.title(), what, more);
        self.process = None;
        self.n_ends += 1;
        None
    }

    fn title(&self) -> String {
        format!("commandpipe \"{}\" ({})", self.name, self.command.0[0])
    }

    fn answer(&self, line: &str) -> Option<Vec<u8>> {
        match serde_json::from_str(line) {
            Ok(Value::Null | Value::Bool(false)) => None,
            Ok(Value::Bool(true)) => Some(b"true".to_vec()),
            Ok(Value::Number(number)) => Some(number.to_string().into_bytes()),
            Ok(Value::String(text)) => Some(text.into_bytes()),
            Ok(Value::Array(_) | Value::Object(_)) | Err(_) => {
                let beginning: String = line.chars().take(60).collect();
                let what = "does not answer with a string, a number, true, false or null";
                self.troubles.tell(&self.title(), what, &format!(": {beginning}"));
                None
            }
        }
    }
}

//! Lists duplicates as text or as JSON, line by line.

use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use super::same::Kind;
use crate::failure::{Failure, context};
use crate::visible::{visible_json, visible_text};

/// List on standard output.
pub(super) struct Page {
    out: BufWriter<StdoutLock<'static>>,
    is_json: bool,
    n_rows: u64,
}

/// Game of an input.
#[derive(Serialize)]
pub(super) struct Place<'a> {
    pub(super) input: &'a str,
    pub(super) game: u64,
}

/// Duplicate in the list.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    #[serde(flatten)]
    pub(super) place: Place<'a>,
    pub(super) white: &'a str,
    pub(super) black: &'a str,
    pub(super) date: String,
    pub(super) result: &'a str,
    pub(super) kind: &'a str,
    /// Game that is kept.
    pub(super) of: Place<'a>,
}

/// Counts of the whole run.
#[derive(Serialize)]
pub(super) struct Sums {
    pub(super) games: u64,
    pub(super) equal: u64,
    pub(super) near: u64,
    /// Number of games with the same moves as another one that are not duplicates.
    pub(super) same_moves: u64,
    pub(super) unreadable: u64,
    /// Number of games of unknown variants.
    pub(super) other_rules: u64,
    pub(super) written: Option<u64>,
}

impl Kind {
    pub(super) fn name(self) -> &'static str {
        match self {
            Kind::Equal => "equal",
            Kind::Near => "near",
        }
    }
}

impl Page {
    pub(super) fn new(is_json: bool) -> Page {
        Page { out: BufWriter::new(io::stdout().lock()), is_json, n_rows: 0 }
    }

    pub(super) fn row(&mut self, row: &Row<'_>) -> Result<(), Failure> {
        self.n_rows += 1;
        let text = match (self.is_json, self.n_rows) {
            (true, 1) => format!("{{\"duplicates\": [\n{}", json(row)?),
            (true, _) => format!(",\n{}", json(row)?),
            (false, _) => row.line(),
        };
        self.say(&text)
    }

    pub(super) fn finish(mut self, sums: &Sums, target: Option<&str>) -> Result<(), Failure> {
        let text = if self.is_json {
            let front = match self.n_rows {
                0 => "{\"duplicates\": [],\n",
                _ => "\n],\n",
            };
            // The counts are further members of the same object.
            let sums = json(sums)?;
            format!("{front}{}\n", sums.strip_prefix('{').unwrap_or(&sums))
        } else {
            sums.text(target)
        };
        self.say(&text)?;
        self.out.flush().or_else(|error| cannot_write(&error))
    }

    fn say(&mut self, text: &str) -> Result<(), Failure> {
        let text = visible_text(text);
        let written = self.out.write_all(text.as_bytes());
        written.or_else(|error| cannot_write(&error))
    }
}

/// Converts an error of standard output. A reader that is gone ends the run without a message.
fn cannot_write(error: &io::Error) -> Result<(), Failure> {
    Err(match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::Closed,
        _ => context("cannot write to standard output", error),
    })
}

fn json(value: &impl Serialize) -> Result<String, Failure> {
    let json = serde_json::to_string(value);
    let json = json.map_err(|error| context("cannot write JSON", &error))?;
    Ok(visible_json(&json).into_owned())
}

impl Row<'_> {
    fn line(&self) -> String {
        let year = self.date.get(..4).filter(|year| *year != "????");
        let year = year.map_or(String::new(), |year| format!(" {year}"));
        let what = match self.kind {
            "equal" => "equal to",
            _ => "nearly equal to",
        };
        let (place, of) = (&self.place, &self.of);
        let of_input = match of.input == place.input {
            true => String::new(),
            false => format!(" of {}", of.input),
        };
        format!(
            "{}: game {}, {} - {}{year}, {}: {what} game {}{of_input}\n",
            place.input, place.game, self.white, self.black, self.result, of.game
        )
    }
}

impl Sums {
    fn text(&self, target: Option<&str>) -> String {
        let games = |n: u64| match n {
            1 => "1 game".to_owned(),
            n => format!("{n} games"),
        };
        let mut text = format!(
            "{}: {} equal to another, {} nearly equal\n",
            games(self.games),
            self.equal,
            self.near
        );
        if self.same_moves > 0 {
            let n = games(self.same_moves);
            text += &format!(
                "{n} with the moves of another game, but different players or a different year\n"
            );
        }
        if self.unreadable > 0 {
            let n = games(self.unreadable);
            text += &format!("{n} skipped as unreadable; `cql doctor` shows why\n");
        }
        if self.other_rules > 0 {
            let n = games(self.other_rules);
            text += &format!("{n} not compared: cql cannot play their variant\n");
        }
        if let (Some(n), Some(target)) = (self.written, target) {
            text += &format!("{} written to {target}\n", games(n));
        }
        text
    }
}

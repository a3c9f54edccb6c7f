//! Prints the findings of the doctor, as lines or as JSON.
//!
//! Lines and objects are written while the games are read, since a file may have issues everywhere;
//! the totals follow at the end.

use std::fmt;
use std::io::{self, BufWriter, StdoutLock, Write};

use serde::Serialize;

use crate::visible::{visible_json, visible_name, visible_text};

/// Standard output.
pub(super) struct Page {
    out: BufWriter<StdoutLock<'static>>,
    is_closed: bool,
    /// Whether remarks are printed, and not only their totals.
    lists_all: bool,
    is_json: bool,
    n_remarks: u64,
}

impl Page {
    pub(super) fn new(lists_all: bool, is_json: bool) -> Page {
        Page {
            out: BufWriter::new(io::stdout().lock()),
            is_closed: false,
            lists_all,
            is_json,
            n_remarks: 0,
        }
    }

    /// Prints a remark, unless only the summary is wanted.
    pub(super) fn remark(&mut self, remark: &Remark<'_>) {
        if !self.lists_all {
            return;
        }
        if self.is_json {
            let front = match self.n_remarks {
                0 => "{\"remarks\": [\n",
                _ => ",\n",
            };
            self.say(&format!("{front}{}", json(remark)));
        } else {
            self.say(&format!("{remark}\n"));
        }
        self.n_remarks += 1;
    }

    /// Prints the totals of the remarks.
    pub(super) fn finish(&mut self, sums: &Sums) {
        if self.is_json {
            let remarks = match (self.lists_all, self.n_remarks) {
                (false, _) => "{",
                (true, 0) => "{\"remarks\": [],\n",
                (true, _) => "\n],\n",
            };
            // The totals are further members of the same object.
            let sums = json(sums);
            let sums = sums.strip_prefix('{').unwrap_or(&sums);
            self.say(&format!("{remarks}{sums}\n"));
        } else {
            self.say(&(sums.lines().join("\n") + "\n"))
        }
        if !self.is_closed
            && let Err(error) = self.out.flush()
        {
            crate::terminal::lose_output(&error);
        }
    }

    /// Prints a text; a closed standard output is no error.
    fn say(&mut self, text: &str) {
        if !self.is_closed
            && let Err(error) = self.out.write_all(visible_text(text).as_bytes())
        {
            self.is_closed = true;
            crate::terminal::lose_output(&error);
        }
    }
}

/// Returns the value as JSON on one line.
fn json(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value);
    let json = json.expect("numbers and text, with text for keys");
    visible_json(&json).into_owned()
}

/// A remark on a game of a file.
#[derive(Serialize)]
pub(super) struct Remark<'a> {
    pub(super) file: &'a str,
    pub(super) line: u64,
    pub(super) column: usize,
    /// Number of the game; `None` for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<u64>,
    pub(super) byte: u64,
    /// Name of the kind of fault.
    pub(super) fault: &'a str,
    /// Description of the fault.
    pub(super) what: &'a str,
    /// Consequence of the fault: what this repair, or else a search, does about it.
    pub(super) done: String,
}

impl fmt::Display for Remark<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}:", visible_name(self.file), self.line, self.column)?;
        if let Some(game) = self.game {
            write!(f, " game {game} (byte {}):", self.byte)?;
        }
        write!(f, " {}; {}", self.what, self.done)
    }
}

/// Totals of all remarks.
#[derive(Serialize)]
pub(super) struct Sums {
    pub(super) files: u64,
    /// Number of files that could not be read, or not to their end.
    pub(super) files_not_read: u64,
    pub(super) games: u64,
    pub(super) faulty_games: u64,
    /// Number of games that are in the new file with their faults.
    pub(super) games_not_repaired: u64,
    /// Path of the new file.
    pub(super) repaired: Option<String>,
    pub(super) faults: Vec<Count>,
}

/// Number of faults of one kind.
#[derive(Serialize)]
pub(super) struct Count {
    pub(super) name: String,
    pub(super) count: u64,
    /// Number of games with this fault.
    pub(super) games: u64,
}

impl Sums {
    /// Returns the summary as lines of text.
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if !self.faults.is_empty() {
            lines.push("\n   faults  in games".to_owned());
            let counts = self.faults.iter();
            lines.extend(counts.map(|c| format!("{:>9} {:>9}  {}", c.count, c.games, c.name)));
            lines.push(String::new());
        }
        let games = if self.games == 1 { "game" } else { "games" };
        lines.push(match self.faulty_games {
            0 if self.faults.is_empty() => format!("{} {games}, no faults", self.games),
            0 => format!("{} {games}, none of them faulty", self.games),
            n => format!("{} {games}, {n} of them faulty", self.games),
        });
        if let Some(target) = &self.repaired {
            let kept = match self.games_not_repaired {
                0 => String::new(),
                n => format!("; {n} could not be repaired completely and still have faults"),
            };
            lines.push(format!("wrote {target}{kept}"));
        }
        lines
    }
}

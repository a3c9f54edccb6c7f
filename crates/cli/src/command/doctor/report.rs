//! Prints the findings of the doctor, as lines or as JSON.
//!
//! Lines and objects are written while the games are read, since a file may have issues everywhere;
//! the totals follow at the end.

use std::io::{BufWriter, Write};

use serde::Serialize;
use survey::doctor::{Remark, Sums};

use crate::closed::Stdout;
use crate::terminal;
use crate::visible::{visible_json, visible_name, visible_text};

/// Standard output.
pub(super) struct Page {
    out: BufWriter<Stdout>,
    is_closed: bool,
    /// Whether remarks are printed, and not only their totals.
    lists_all: bool,
    is_json: bool,
    /// Width of the terminal, if there is one.
    width: Option<usize>,
    n_remarks: u64,
}

impl Page {
    pub(super) fn new(lists_all: bool, is_json: bool) -> Page {
        Page {
            out: BufWriter::new(Stdout::new()),
            is_closed: false,
            lists_all,
            is_json,
            width: terminal::width(),
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
            self.say(&terminal::in_width(&format!("{}\n", line(remark)), self.width));
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
            self.say(&(lines(sums).join("\n") + "\n"))
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

/// Returns a remark as a line of text.
fn line(remark: &Remark<'_>) -> String {
    let mut line = format!("{}:{}:{}:", visible_name(remark.file), remark.line, remark.column);
    if let Some(game) = remark.game {
        line += &format!(" game {game} (byte {}):", remark.byte);
    }
    line + &format!(" {}; {}", remark.what, remark.done)
}

/// Returns the summary as lines of text.
fn lines(sums: &Sums) -> Vec<String> {
    let mut lines = Vec::new();
    if !sums.faults.is_empty() {
        lines.push("\n   faults  in games".to_owned());
        let counts = sums.faults.iter();
        lines.extend(counts.map(|c| format!("{:>9} {:>9}  {}", c.count, c.games, c.name)));
        lines.push(String::new());
    }
    let games = if sums.games == 1 { "game" } else { "games" };
    lines.push(match sums.faulty_games {
        0 if sums.faults.is_empty() => format!("{} {games}, no faults", sums.games),
        0 => format!("{} {games}, none of them faulty", sums.games),
        n => format!("{} {games}, {n} of them faulty", sums.games),
    });
    if let Some(target) = &sums.repaired {
        let kept = match sums.games_not_repaired {
            0 => String::new(),
            1 => "; 1 could not be repaired completely and still has faults".to_owned(),
            n => format!("; {n} could not be repaired completely and still have faults"),
        };
        lines.push(format!("wrote {target}{kept}"));
    }
    lines
}

//! Lists duplicates as text or as JSON, line by line.

use std::io::{self, BufWriter, Write};

use input::Inputs;
use serde::Serialize;
use survey::duplicates::{DuplicateKind, DuplicateRow, Totals};

use crate::closed::Stdout;
use crate::failure::{Failure, context};
use crate::games;
use crate::visible::{visible_json, visible_text};

/// List on standard output.
pub(super) struct Page {
    out: BufWriter<Stdout>,
    is_json: bool,
    n_rows: u64,
}

/// Counts of the whole run.
#[derive(Serialize)]
struct Sums<'t> {
    #[serde(flatten)]
    totals: &'t Totals,
    written: Option<u64>,
}

impl Page {
    pub(super) fn new(is_json: bool) -> Page {
        Page { out: BufWriter::new(Stdout::new()), is_json, n_rows: 0 }
    }

    pub(super) fn row(&mut self, row: &DuplicateRow<'_>) -> Result<(), Failure> {
        self.n_rows += 1;
        let text = match (self.is_json, self.n_rows) {
            (true, 1) => format!("{{\"duplicates\": [\n{}", json(row)?),
            (true, _) => format!(",\n{}", json(row)?),
            (false, _) => line(row),
        };
        self.say(&text)
    }

    /// Writes the counts and ends the list. `written` is the number of games in `target`.
    pub(super) fn finish(
        mut self,
        totals: &Totals,
        written: Option<u64>,
        target: Option<&str>,
        inputs: &Inputs,
    ) -> Result<(), Failure> {
        let text = if self.is_json {
            let front = match self.n_rows {
                0 => "{\"duplicates\": [],\n",
                _ => "\n],\n",
            };
            // The counts are further members of the same object.
            let sums = json(&Sums { totals, written })?;
            format!("{front}{}\n", sums.strip_prefix('{').unwrap_or(&sums))
        } else {
            games::advised(&text(totals, written.zip(target)), inputs)
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

fn line(row: &DuplicateRow<'_>) -> String {
    let year = row.date.get(..4).filter(|year| *year != "????");
    let year = year.map_or(String::new(), |year| format!(" {year}"));
    let what = match row.kind {
        DuplicateKind::Equal => "equal to",
        DuplicateKind::Near => "nearly equal to",
    };
    let (place, of) = (row.place, row.of);
    let of_input =
        if of.input == place.input { String::new() } else { format!(" of {}", of.input) };
    format!(
        "{}: game {}, {} - {}{year}, {}: {what} game {}{of_input}\n",
        place.input, place.game, row.white, row.black, row.result, of.game
    )
}

fn text(totals: &Totals, written: Option<(u64, &str)>) -> String {
    let games = |n: u64| match n {
        1 => "1 game".to_owned(),
        n => format!("{n} games"),
    };
    let mut text = format!(
        "{}: {} equal to another, {} nearly equal\n",
        games(totals.games),
        totals.equal,
        totals.near
    );
    if totals.same_moves > 0 {
        let n = games(totals.same_moves);
        text += &format!(
            "{n} with the moves of another game, but different players or a different year\n"
        );
    }
    if totals.unreadable > 0 {
        let n = games(totals.unreadable);
        text += &format!("{n} skipped as unreadable; `cql doctor` shows why\n");
    }
    if totals.other_rules > 0 {
        let n = games(totals.other_rules);
        text += &format!("{n} not compared: cql cannot play their variant\n");
    }
    if totals.without_start > 0 {
        let n = games(totals.without_start);
        text +=
            &format!("{n} not compared: no game begins from their FEN; `cql doctor` shows why\n");
    }
    text += &crate::report::assumed(totals.assumed);
    if let Some((n, target)) = written {
        text += &format!("{} written to {target}\n", games(n));
    }
    text
}

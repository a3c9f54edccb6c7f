//! Prints the games that were found.

use engine::{GameRow, PositionRow};
use serde::Serialize;
use table::{cut, field};

use super::POINTS;
use crate::command::text;
use crate::failure::Failure;
use crate::output::{aligned, drawn, known, last_move, players, year};
use crate::terminal;
use crate::visible::visible_name;

/// Form of the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ListFormat {
    /// An array of objects
    Json,
    /// A table with a line of names
    Csv,
}

/// A game with its best position.
pub(super) struct BestPosition<'r> {
    /// Points of [`POINTS`].
    pub(super) points: i64,
    /// The image that is like the position; empty for the position as it was given.
    pub(super) image: String,
    pub(super) row: &'r GameRow,
    pub(super) position: &'r PositionRow,
}

/// Widths that players and events may have.
const WIDTHS: [usize; 2] = [36, 24];

/// Their widths on a narrow terminal, so that there is room for the position.
const NARROW: [usize; 2] = [20, 10];

/// Width of a terminal below which it is narrow.
const WIDE: usize = 120;

/// A game as an object or a line of a table.
#[derive(Serialize)]
struct Entry<'f> {
    likeness: f64,
    image: &'f str,
    input: &'f str,
    game: u64,
    white: String,
    black: String,
    event: String,
    year: Option<u16>,
    result: String,
    eco: String,
    ply: u32,
    #[serde(rename = "move")]
    last_move: String,
    fen: &'f str,
}

impl BestPosition<'_> {
    fn entry(&self) -> Entry<'_> {
        let row = self.row;
        Entry {
            likeness: self.likeness(),
            image: &self.image,
            input: &row.input,
            game: row.number,
            white: known(row, b"White"),
            black: known(row, b"Black"),
            event: known(row, b"Event"),
            year: year(row).parse().ok(),
            result: known(row, b"Result"),
            eco: known(row, b"ECO"),
            ply: self.position.ply,
            last_move: last_move(self.position),
            fen: &self.position.fen,
        }
    }

    /// Returns the points, of 100.
    fn likeness(&self) -> f64 {
        self.points as f64 * 100.0 / f64::from(POINTS)
    }

    fn cells(&self, widths: [usize; 2]) -> Vec<String> {
        let row = self.row;
        let cells = [
            // Rounded down, so that only equal boards have 100.0.
            format!("{:.1}", (self.likeness() * 10.0).floor() / 10.0),
            self.image.clone(),
            row.number.to_string(),
            cut(&players(row), widths[0]).into_owned(),
            cut(&known(row, b"Event"), widths[1]).into_owned(),
            year(row),
            self.position.ply.to_string(),
            self.position.fen.clone(),
        ];
        cells.iter().map(|cell| visible_name(cell).into_owned()).collect()
    }
}

/// Returns the games as JSON.
pub(super) fn json(found: &[BestPosition<'_>]) -> Result<String, Failure> {
    text::json(&found.iter().map(BestPosition::entry).collect::<Vec<_>>())
}

/// Returns the games as CSV.
pub(super) fn csv(found: &[BestPosition<'_>]) -> String {
    let mut text =
        "likeness,image,input,game,white,black,event,year,result,eco,ply,move,fen\n".to_owned();
    for found in found {
        let entry = found.entry();
        let fields = [
            format!("{:.2}", entry.likeness),
            field(entry.image, ','),
            field(entry.input, ','),
            entry.game.to_string(),
            field(&entry.white, ','),
            field(&entry.black, ','),
            field(&entry.event, ','),
            entry.year.map_or_else(String::new, |year| year.to_string()),
            field(&entry.result, ','),
            field(&entry.eco, ','),
            entry.ply.to_string(),
            field(&entry.last_move, ','),
            field(entry.fen, ','),
        ];
        text += &(fields.join(",") + "\n");
    }
    text
}

/// Returns the games as lines, with boards if they are wanted.
pub(super) fn lines(found: &[BestPosition<'_>], has_boards: bool, has_images: bool) -> String {
    let heads = ["like", "image", "game", "players", "event", "year", "ply", "position"];
    let heads = heads.map(str::to_owned).to_vec();
    let is_narrow = terminal::width().is_some_and(|width| width < WIDE);
    let widths = if is_narrow { NARROW } else { WIDTHS };
    let rows: Vec<Vec<String>> = found.iter().map(|found| found.cells(widths)).collect();
    let widest = |column: usize| {
        let rows = std::iter::once(&heads).chain(&rows);
        rows.map(|row| row[column].chars().count()).max().unwrap_or(0)
    };
    let mut widths: Vec<usize> = (0..heads.len()).map(widest).collect();
    if !has_images {
        widths[1] = 0;
    }
    let line = |row: &[String]| aligned(row, &widths, &[0, 2, 6]);
    let mut text = line(&heads);
    for (row, found) in rows.iter().zip(found) {
        text += &line(row);
        if has_boards {
            text += &drawn(&found.position.fen);
        }
    }
    text
}

//! Writes games as JSON, one object per line, with the comments of the query. The crate `input`
//! reads them back to the same games.

use engine::{GameRow, MovetextMove, RowWriter};
use pgn::{command, decode};

use crate::cell::Cell;
use crate::html::{notes, pgn_text};

/// Start of an object.
pub(crate) const FIRST: &str = "{\"tags\":";

/// Writer of games as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct GameObjects;

impl RowWriter for GameObjects {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let mut text = String::new();
        Cell::Object(fields(row)).write_json(&mut text);
        out.extend_from_slice(text.as_bytes());
        out.push(b'\n');
    }

    fn wants_positions(&self) -> bool {
        false
    }

    fn wants_movetext(&self) -> bool {
        true
    }
}

/// Returns the members of a game. Lists have an item for each move of the main line, or none.
fn fields(row: &GameRow) -> Vec<(String, Cell)> {
    let line: Vec<_> = row.main_line().collect();
    let (start, moves) =
        line.split_first().map_or((None, &[][..]), |(start, rest)| (Some(start), rest));
    let of_comment = |value: fn(&[u8]) -> Option<Cell>| {
        let values = moves.iter().map(|mv| value_in(mv, value));
        list(values.map(|value| value.unwrap_or(Cell::Null)))
    };
    let tags = row.tags.iter();
    let tags =
        tags.map(|(name, value)| (decode(name).into_owned(), Cell::Text(decode(value).into())));
    let fields = [
        ("tags", Cell::Object(tags.collect())),
        ("result", Cell::text(Some(row.result.as_str()))),
        ("fen", Cell::text(start.map(|start| start.fen.as_str()))),
        ("comment", start.map_or(Cell::Null, |start| comment(row, start))),
        ("moves", list(moves.iter().map(|mv| Cell::text(mv.san.as_deref())))),
        ("nags", list(moves.iter().map(|mv| nags(mv)))),
        ("comments", list(moves.iter().map(|mv| comment(row, mv)))),
        ("clocks", of_comment(|text| command::clock(text).map(|n| Cell::Number(n.into())))),
        (
            "evals",
            of_comment(|text| command::evaluation(text).map(|eval| Cell::Text(eval.to_string()))),
        ),
        ("pgn", Cell::text((row.n_variations() > 0).then(|| pgn_text(row)))),
    ];
    fields.map(|(name, cell)| (name.to_owned(), cell)).into()
}

/// Returns the value of a command in the comments after a move; the last one counts.
fn value_in(mv: &MovetextMove, value: fn(&[u8]) -> Option<Cell>) -> Option<Cell> {
    mv.comments.iter().rev().find_map(|comment| value(comment))
}

/// Returns a list, without items if all of them are missing.
fn list(cells: impl Iterator<Item = Cell>) -> Cell {
    let cells: Vec<Cell> = cells.collect();
    let is_empty = cells.iter().all(|cell| *cell == Cell::Null);
    Cell::List(if is_empty { Vec::new() } else { cells })
}

fn nags(mv: &MovetextMove) -> Cell {
    match &mv.nags[..] {
        [] => Cell::Null,
        nags => Cell::List(nags.iter().map(|nag| Cell::Number((*nag).into())).collect()),
    }
}

/// Returns the comments after a move, those of the query last.
fn comment(row: &GameRow, mv: &MovetextMove) -> Cell {
    let texts = mv.comments.iter().chain(notes(row, mv.id));
    let texts: Vec<String> = texts.map(|text| decode(text).into_owned()).collect();
    if texts.is_empty() { Cell::Null } else { Cell::Text(texts.join(" ")) }
}

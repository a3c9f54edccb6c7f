//! Describes games for an assistant, with the columns that tables have, and within limits.

use engine::{Color, GameRow, PositionRow, Program, RowWriter};
use pgn::decode;
use serde_json::{Map, Value, json};
use table::{OutputFormat, Per, Table, TableOptions, counted};

/// Maximum number of positions per game.
const MOST_POSITIONS: usize = 5;

/// Maximum number of comments per game or position.
const MOST_COMMENTS: usize = 10;

/// Maximum length of a text from a game, in characters.
const LONGEST_TEXT: usize = 200;

/// Columns of a game.
const COLUMNS: &str = "input game game_in_input event site round date year white black white_elo \
                       black_elo eco result";

/// Writes the columns of a game as an object.
#[derive(Debug)]
pub(super) struct Columns(Box<dyn RowWriter>);

impl Columns {
    /// Creates a writer of the columns of all games, and of those in `more`.
    pub(super) fn new(program: &Program, more: &str) -> Result<Columns, String> {
        let names = COLUMNS.split(' ').chain(more.split_whitespace());
        let options = TableOptions {
            format: OutputFormat::Jsonl,
            per: Per::Game,
            columns: names.map(str::to_owned).collect(),
            ..TableOptions::default()
        };
        let table = Table::new(program, &options).map_err(|error| error.to_string())?;
        let writer = table.row_writer().ok_or("a table has rows")?;
        Ok(Columns(writer))
    }

    /// Returns the columns that have a value.
    pub(super) fn of(&mut self, row: &GameRow) -> Map<String, Value> {
        let mut text = Vec::new();
        self.0.game(row, &mut text);
        let object: Value = serde_json::from_slice(&text).unwrap_or_default();
        match bounded(object) {
            Value::Object(mut columns) => {
                columns.retain(|_, value| !value.is_null() && value != "?" && value != "");
                columns
            }
            _ => Map::new(),
        }
    }

    pub(super) fn wants_all_tags(&self) -> bool {
        self.0.wants_all_tags()
    }
}

/// Writes a matching game as an object.
#[derive(Debug)]
pub(super) struct Teller(Columns);

impl Teller {
    pub(super) fn new(program: &Program) -> Result<Teller, String> {
        let more = if program.sort_labels().is_empty() { "positions" } else { "positions sort" };
        Columns::new(program, more).map(Teller)
    }
}

impl RowWriter for Teller {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let mut told = self.0.of(row);
        let positions = row.positions.iter().take(MOST_POSITIONS).map(position);
        told.insert("first_positions".to_owned(), positions.collect());
        let comments = texts(row.comments.iter().map(|comment| &*comment.text));
        if !comments.is_empty() {
            told.insert("comments".to_owned(), json!(comments));
        }
        out.extend(Value::from(told).to_string().bytes());
    }

    fn wants_all_tags(&self) -> bool {
        self.0.wants_all_tags()
    }
}

/// Returns the fields of a position.
fn position(row: &PositionRow) -> Value {
    let mut told = json!({
        "ply": row.ply, "move_number": row.move_number, "side": side(row.side), "fen": row.fen,
    });
    for (name, found) in [("san", &row.last_move), ("next_san", &row.next_move)] {
        if let Some(found) = found {
            told[name] = json!(found.san);
        }
    }
    let comments = texts(row.comments.iter().map(Vec::as_slice));
    if !comments.is_empty() {
        told["comments"] = json!(comments);
    }
    told
}

/// Returns the name of a side, as in its column.
pub(super) fn side(side: Color) -> &'static str {
    match side {
        Color::White => "white",
        Color::Black => "black",
    }
}

fn texts<'a>(all: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
    all.take(MOST_COMMENTS).map(text).collect()
}

/// Returns a text from a game, shortened to the limit.
pub(super) fn text(bytes: &[u8]) -> String {
    decode(bytes).chars().take(LONGEST_TEXT).collect()
}

/// Returns a value with all texts shortened to the limit.
pub(super) fn bounded(value: Value) -> Value {
    match value {
        Value::String(long) => Value::String(text(long.as_bytes())),
        Value::Array(all) => all.into_iter().map(bounded).collect(),
        Value::Object(fields) => {
            let fields = fields.into_iter();
            Value::Object(fields.map(|(name, value)| (name, bounded(value))).collect())
        }
        other => other,
    }
}

/// Returns a number of games with the verb: `1 game matches`, `2 games match`.
pub(super) fn matching(number: u64) -> String {
    let end = if number == 1 { "es" } else { "" };
    format!("{} match{end}", counted(number, "game"))
}

/// Describes a game in a line.
pub(super) fn line(game: &Value) -> String {
    let text = |name: &str| game[name].as_str();
    let mut line = format!(
        "game {}: {} – {}",
        game["game"],
        text("white").unwrap_or("?"),
        text("black").unwrap_or("?")
    );
    let year = game["year"].as_u64().map(|year| year.to_string());
    let facts = [text("event"), year.as_deref(), text("result")];
    for fact in facts.into_iter().flatten() {
        line += &format!(", {fact}");
    }
    let first = &game["first_positions"][0];
    if first.is_object() {
        line += &format!("; ply {}", first["ply"]);
        if let Some(san) = first["san"].as_str() {
            line += &format!(" ({san})");
        }
    }
    for (label, value) in game["sort"].as_object().into_iter().flatten() {
        line += &format!("; {label} {value}");
    }
    line
}

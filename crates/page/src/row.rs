//! Writes matching games for the page: a row of the list, and a whole game.

use engine::{
    Color, GameResult, GameRow, MovetextItem, MovetextMove, RowValue, RowWriter, SortKey,
};
use pgn::decode;
use pgn::tags::Ratings;
use serde_json::{Value, json};

use crate::cells::{write_number, write_text};
use crate::query::OPENING;

/// Maximum number of bytes of a comment that the list shows.
const LONGEST_COMMENT: usize = 160;

/// Writes a row of the list for each game: an array whose indexes the page knows.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ListWriter {
    /// Whether the last two values are the name and the code of the opening.
    pub(crate) openings: bool,
}

impl RowWriter for ListWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let tag = |name: &str| row.tag(name.as_bytes()).unwrap_or_default();
        let is_known = |value: &[u8]| !matches!(value, b"?" | b"-" | b"????.??.??");
        out.push(b'[');
        for number in [row.number, row.number_in_input, row.offset] {
            write_number(i64::try_from(number).unwrap_or(i64::MAX), out);
            out.push(b',');
        }
        let n_last = if self.openings { OPENING.len() } else { 0 };
        let (values, opening) = row.values.split_at(row.values.len().saturating_sub(n_last));
        let of_opening = |at: usize| opening.get(at).and_then(RowValue::to_text);
        let (name, code) = (of_opening(0).unwrap_or_default(), of_opening(1).unwrap_or_default());
        let [white, black, date, event, eco] = ["White", "Black", "Date", "Event", "ECO"].map(tag);
        // A list with openings has the code of the moves, as `openingcode` has it.
        let eco = if self.openings { &*code } else { eco };
        for value in [white, black, date, event, eco, &name] {
            write_text(if is_known(value) { value } else { b"" }, out);
            out.push(b',');
        }
        // An archive has only the rating, which may come from one of several tags.
        let mut ratings = Ratings::default();
        for (name, value) in &row.tags {
            ratings.see(name, value);
        }
        for color in [Color::White, Color::Black] {
            write_number(shown_rating(ratings.of(color).value), out);
            out.push(b',');
        }
        write_number(row.result as i64, out);
        out.push(b',');
        write_number(i64::try_from(row.n_positions).unwrap_or(i64::MAX), out);
        out.push(b',');
        let comment = row.comments.first().map_or(&b""[..], |c| &c.text);
        write_text(shortened(comment), out);
        out.extend(b",[");
        for (index, sorted) in row.sort_values.iter().enumerate() {
            separate(index, out);
            match &sorted.value {
                SortKey::None => out.extend(b"null"),
                SortKey::Number(number) => write_number(*number, out),
                SortKey::Text(text) => write_text(text, out),
            }
        }
        out.extend(b"],[");
        for (index, value) in values.iter().enumerate() {
            separate(index, out);
            write_value(value, out);
        }
        out.extend(b"]]\n");
    }

    fn wants_positions(&self) -> bool {
        false
    }

    fn wants_all_tags(&self) -> bool {
        false
    }
}

fn separate(index: usize, out: &mut Vec<u8>) {
    if index > 0 {
        out.push(b',');
    }
}

/// Returns a rating; 0 if there is none, or an impossible one.
fn shown_rating(rating: u16) -> i64 {
    match rating {
        1..10_000 => rating.into(),
        _ => 0,
    }
}

fn shortened(text: &[u8]) -> &[u8] {
    match text.get(..LONGEST_COMMENT) {
        Some(beginning) if std::str::from_utf8(text).is_ok() => {
            // A character is not cut.
            let end = (0..=LONGEST_COMMENT).rev().find(|&end| text[end] & 0xc0 != 0x80);
            &beginning[..end.unwrap_or(0)]
        }
        Some(beginning) => beginning,
        None => text,
    }
}

fn write_value(value: &RowValue, out: &mut Vec<u8>) {
    match value {
        RowValue::Number(number) => write_number(*number, out),
        RowValue::Boolean(value) => out.extend(value.to_string().bytes()),
        value => match value.to_text() {
            Some(text) => write_text(&text, out),
            None => out.extend(b"null"),
        },
    }
}

/// Returns the value of an expression.
pub(crate) fn value(value: &RowValue) -> Value {
    match value {
        RowValue::None => Value::Null,
        RowValue::Boolean(value) => json!(value),
        RowValue::Number(number) => json!(number),
        RowValue::Text(text) => json!(decode(text)),
        RowValue::Squares(squares) => {
            let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
            object! { "squares": names }
        }
        RowValue::Position(id) => object! { "position": id },
    }
}

/// Writes a whole game: tags, moves with their positions, and matches.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WholeWriter;

impl RowWriter for WholeWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let tags: Vec<Value> =
            row.tags.iter().map(|(name, value)| json!([decode(name), decode(value)])).collect();
        let matches: Vec<Value> = row
            .positions
            .iter()
            .map(|position| {
                let values: Vec<Value> = position.values.iter().map(value).collect();
                object! { "id": position.id, "values": values }
            })
            .collect();
        let comments: Vec<Value> = row
            .comments
            .iter()
            .map(|comment| object! { "id": comment.id, "text": decode(&comment.text) })
            .collect();
        let sorted: Vec<Value> = row
            .sort_values
            .iter()
            .map(|sorted| {
                let value = match &sorted.value {
                    SortKey::None => Value::Null,
                    SortKey::Number(number) => json!(number),
                    SortKey::Text(text) => json!(decode(text)),
                };
                json!([sorted.label, value])
            })
            .collect();
        // Engines know the rules of chess, and opening trees its moves.
        let variant = (!row.rules.are_of_chess()).then(|| row.rules.to_string());
        let game = object! {
            "variant": variant,
            "hasTree": row.rules.move_as_chess(),
            "board": table::analysis_board(row),
            "input": &*row.input,
            "number": row.number,
            "result": result(row.result),
            "tags": tags,
            "matches": matches,
            "comments": comments,
            "sort": sorted,
            "moves": row.movetext.iter().map(item).collect::<Vec<Value>>(),
        };
        out.extend(game.to_string().bytes());
    }

    fn wants_movetext(&self) -> bool {
        true
    }
}

fn result(result: GameResult) -> &'static str {
    result.as_str()
}

fn item(item: &MovetextItem) -> Value {
    match item {
        MovetextItem::Open { comments } => object! { "open": joined(comments) },
        MovetextItem::Close => object! { "close": true },
        MovetextItem::Move(mv) => one_move(mv),
    }
}

fn one_move(mv: &MovetextMove) -> Value {
    let mut value = object! {
        "san": mv.san, "number": mv.number, "white": mv.side == Color::White,
        "fen": mv.fen, "id": mv.id,
    };
    if !mv.nags.is_empty() {
        value["nags"] = json!(mv.nags);
    }
    if let Some(comment) = joined(&mv.comments) {
        value["comment"] = json!(comment);
    }
    value
}

/// Returns comments as one text; `None` if there are none.
fn joined(comments: &[Vec<u8>]) -> Option<String> {
    let texts: Vec<_> = comments.iter().map(|comment| decode(comment)).collect();
    (!texts.is_empty()).then(|| texts.join(" "))
}

/// Writes the ids of the matching positions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IdWriter;

impl RowWriter for IdWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let ids: Vec<u32> = row.positions.iter().map(|position| position.id).collect();
        out.extend(json!(ids).to_string().bytes());
    }
}

/// Writes the values at the matching positions, by their ids.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ValueWriter;

impl RowWriter for ValueWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let values = row.positions.iter().map(|position| {
            let values: Vec<Value> = position.values.iter().map(value).collect();
            json!([position.id, values])
        });
        out.extend(values.collect::<Value>().to_string().bytes());
    }
}

#[cfg(test)]
mod tests {
    use board::Rules;

    use super::*;

    #[test]
    fn comments_are_cut_between_characters() {
        let check = |text: &[u8], expected: usize| {
            assert_eq!(shortened(text).len(), expected);
        };
        check(b"short", 5);
        check(&[b'a'; 200], 160);
        check("aü".repeat(80).as_bytes(), 160);
        check("ü".repeat(100).as_bytes(), 160);
        check(format!("a{}", "ü".repeat(100)).as_bytes(), 159);
        check(&[0xfc; 161], 160);
    }

    #[test]
    fn variants_are_told() {
        let program = babson::Program::new("initial").expect("a query");
        let check = |tag: &str, rules: Rules, expected: (Value, bool, Value)| {
            let text = format!("[Variant \"{tag}\"]\n\n*\n");
            let found = program.search(text.as_bytes()).next().expect("a game").expect("no issue");
            let row = GameRow { rules, ..found.row };
            let mut written = Vec::new();
            WholeWriter.game(&row, &mut written);
            let game: Value = serde_json::from_slice(&written).expect("JSON");
            let (variant, has_tree, board) = expected;
            assert_eq!([&game["variant"], &game["board"]], [&variant, &board], "{tag}");
            assert_eq!(game["hasTree"], has_tree, "{tag}");
        };
        let none = Value::Null;
        check("", Rules::Chess, (none.clone(), true, json!("standard")));
        check("Chess960", Rules::Chess, (none.clone(), true, json!("chess960")));
        let hill = (json!("King of the Hill"), true, json!("kingOfTheHill"));
        check("KOTH", Rules::KingOfTheHill, hill);
        check("Five-check", Rules::FiveCheck, (json!("Five-Check"), true, none));
        check("Crazyhouse", Rules::Crazyhouse, (json!("Crazyhouse"), false, json!("crazyhouse")));
        check("Antichess", Rules::Giveaway, (json!("Giveaway"), false, json!("antichess")));
    }

    #[test]
    fn ratings_are_those_of_players() {
        assert_eq!([2700, 0, 9999, 10_000].map(shown_rating), [2700, 0, 9999, 0]);
    }
}

//! Values of a row, written as JSON, as fields of CSV and in a stored form.

use std::borrow::Cow;
use std::fmt::Write as _;

use crate::day::Day;

/// Value in a column of a row.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cell {
    /// Truth value.
    Bool(bool),
    /// Number.
    Number(i64),
    /// Share, in ten-thousandths.
    Share(i64),
    /// Day.
    Date(Day),
    /// Text.
    Text(String),
    /// Several values.
    List(Vec<Cell>),
    /// Several texts without spaces, separated by spaces: a list that takes little memory.
    Words(String),
    /// Named values.
    Object(Vec<(String, Cell)>),
    /// No value; it sorts after all others.
    Null,
}

/// Returns a text as a field of a table.
pub fn field(text: &str, separator: char) -> String {
    let cell = match text {
        "" => Cell::Null,
        text => Cell::Text(text.to_owned()),
    };
    let mut field = String::new();
    cell.write_field(separator, &mut field);
    field
}

impl Cell {
    /// Creates a text cell, or [`Cell::Null`] for `None`.
    pub fn text(text: Option<impl Into<String>>) -> Cell {
        text.map_or(Cell::Null, |text| Cell::Text(text.into()))
    }

    /// Appends the value as JSON.
    pub fn write_json(&self, out: &mut String) {
        match self {
            Cell::Null => out.push_str("null"),
            Cell::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Cell::Number(value) => {
                let _ = write!(out, "{value}");
            }
            Cell::Share(_) => out.push_str(&self.to_plain()),
            Cell::Date(_) => write_json_string(&self.to_plain(), out),
            Cell::Text(text) => write_json_string(text, out),
            Cell::List(items) => {
                out.push('[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    item.write_json(out);
                }
                out.push(']');
            }
            Cell::Words(words) => {
                out.push('[');
                for (i, word) in words.split_ascii_whitespace().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    write_json_string(word, out);
                }
                out.push(']');
            }
            Cell::Object(fields) => {
                let fields = fields.iter().map(|(name, value)| (name.as_str(), value));
                write_json_object(fields, out);
            }
        }
    }

    /// Returns the value as plain text: empty for no value, lists separated by `; `, objects as
    /// JSON.
    pub fn to_plain(&self) -> String {
        match self {
            Cell::Null => String::new(),
            Cell::Bool(value) => value.to_string(),
            Cell::Number(value) => value.to_string(),
            Cell::Share(n) => {
                let sign = if *n < 0 { "-" } else { "" };
                let n = n.unsigned_abs();
                format!("{sign}{}.{:04}", n / 10_000, n % 10_000)
            }
            // yyyy-mm-dd
            Cell::Date(date) => date.to_string(),
            Cell::Text(text) => text.clone(),
            Cell::List(items) => {
                let items: Vec<String> = items.iter().map(Cell::to_plain).collect();
                items.join("; ")
            }
            Cell::Words(words) => words.replace(' ', "; "),
            Cell::Object(_) => {
                let mut text = String::new();
                self.write_json(&mut text);
                text
            }
        }
    }

    /// Appends the value as a field of a table whose fields are separated by `separator`, quoted
    /// according to RFC 4180.
    pub fn write_field(&self, separator: char, out: &mut String) {
        let text = self.to_plain();
        let special = |c: char| c == separator || matches!(c, '"' | '\n' | '\r');
        // a text is never mistaken for a missing value
        if text.contains(special) || (text.is_empty() && *self != Cell::Null) {
            out.push('"');
            out.push_str(&text.replace('"', "\"\""));
            out.push('"');
        } else {
            out.push_str(&text);
        }
    }

    /// The stored form of no value.
    pub(crate) const STORED_NULL: u8 = 0;

    /// Appends the value in a form that [`Cell::read`] reads back.
    pub(crate) fn store(&self, out: &mut Vec<u8>) {
        match self {
            Cell::Null => out.push(Cell::STORED_NULL),
            Cell::Bool(value) => out.push(1 + u8::from(*value)),
            Cell::Number(value) => {
                out.push(3);
                out.extend(value.to_le_bytes());
            }
            Cell::Text(value) => store_text_cell(value, out),
            Cell::Date(date) => {
                out.push(5);
                out.extend(i64::from(date.packed()).to_le_bytes());
            }
            Cell::Share(n) => {
                out.push(8);
                out.extend(n.to_le_bytes());
            }
            Cell::List(items) => {
                out.push(6);
                out.extend((items.len() as u64).to_le_bytes());
                items.iter().for_each(|item| item.store(out));
            }
            Cell::Words(words) => {
                out.push(9);
                store_text(words, out);
            }
            Cell::Object(fields) => {
                out.push(7);
                out.extend((fields.len() as u64).to_le_bytes());
                for (name, value) in fields {
                    store_text(name, out);
                    value.store(out);
                }
            }
        }
    }

    /// Passes over the next cell of stored bytes. `None` if there is none.
    pub(crate) fn skip(stored: &mut &[u8]) -> Option<()> {
        let (&tag, rest) = stored.split_first()?;
        match tag {
            0..=2 => *stored = rest,
            3 | 5 | 8 => *stored = rest.get(8..)?,
            4 | 9 => {
                *stored = rest;
                read_text(stored)?;
            }
            _ => {
                Cell::read(stored)?;
            }
        }
        Some(())
    }

    /// Reads the next cell of bytes that a [`RowWriter`](engine::RowWriter) for Parquet has
    /// written: rows with a cell for each column. `None` at the end.
    pub fn read(stored: &mut &[u8]) -> Option<Cell> {
        let (&tag, rest) = stored.split_first()?;
        *stored = rest;
        Some(match tag {
            0 => Cell::Null,
            1 => Cell::Bool(false),
            2 => Cell::Bool(true),
            3 => Cell::Number(read_number(stored)?),
            4 => Cell::Text(read_text(stored)?.into_owned()),
            5 => {
                let packed = u32::try_from(read_number(stored)?).ok()?;
                Cell::Date(Day::unpacked(packed)?)
            }
            8 => Cell::Share(read_number(stored)?),
            9 => Cell::Words(read_text(stored)?.into_owned()),
            6 => {
                let n = read_number(stored)?;
                let items: Option<Vec<Cell>> = (0..n).map(|_| Cell::read(stored)).collect();
                Cell::List(items?)
            }
            _ => {
                let n = read_number(stored)?;
                let mut field = || Some((read_text(stored)?.into_owned(), Cell::read(stored)?));
                let fields: Option<Vec<(String, Cell)>> = (0..n).map(|_| field()).collect();
                Cell::Object(fields?)
            }
        })
    }
}

/// Reads the next cell of stored bytes, if it is a text.
pub(crate) fn read_text_cell<'s>(stored: &mut &'s [u8]) -> Option<Cow<'s, str>> {
    read_text_of(4, stored)
}

/// Reads the next cell of stored bytes, if it is a list of words.
pub(crate) fn read_words<'s>(stored: &mut &'s [u8]) -> Option<Cow<'s, str>> {
    read_text_of(9, stored)
}

fn read_text_of<'s>(tag: u8, stored: &mut &'s [u8]) -> Option<Cow<'s, str>> {
    let mut rest = stored.strip_prefix(&[tag])?;
    let text = read_text(&mut rest)?;
    *stored = rest;
    Some(text)
}

/// Reads the number of items of the next cell of stored bytes, if it is a list.
pub(crate) fn read_list_start(stored: &mut &[u8]) -> Option<u64> {
    let mut rest = stored.strip_prefix(&[6])?;
    let n = u64::try_from(read_number(&mut rest)?).ok()?;
    *stored = rest;
    Some(n)
}

fn read_number(stored: &mut &[u8]) -> Option<i64> {
    let (bytes, rest) = stored.split_first_chunk::<8>()?;
    *stored = rest;
    Some(i64::from_le_bytes(*bytes))
}

/// Appends a text in the form that [`read_text`] reads.
fn store_text(text: &str, out: &mut Vec<u8>) {
    out.extend((text.len() as u64).to_le_bytes());
    out.extend_from_slice(text.as_bytes());
}

/// Appends a text as [`Cell::store`] does.
pub(crate) fn store_text_cell(text: &str, out: &mut Vec<u8>) {
    out.push(4);
    store_text(text, out);
}

fn read_text<'s>(stored: &mut &'s [u8]) -> Option<Cow<'s, str>> {
    let length = usize::try_from(read_number(stored)?).ok()?;
    let (text, rest) = stored.split_at_checked(length)?;
    *stored = rest;
    Some(match str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(text),
    })
}

/// Appends `{"NAME":VALUE,…}`.
pub(crate) fn write_json_object<'a>(
    fields: impl Iterator<Item = (&'a str, &'a Cell)>,
    out: &mut String,
) {
    out.push('{');
    for (i, (name, value)) in fields.enumerate() {
        if i > 0 {
            out.push(',');
        }
        write_json_string(name, out);
        out.push(':');
        value.write_json(out);
    }
    out.push('}');
}

fn write_json_string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\0'..='\x1f' => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> Cell {
        Cell::Text(text.to_owned())
    }

    fn check(cell: &Cell, json: &str, field: &str) {
        let mut out = String::new();
        cell.write_json(&mut out);
        assert_eq!(out, json);
        out.clear();
        cell.write_field(',', &mut out);
        assert_eq!(out, field);
    }

    #[test]
    fn every_cell_as_json_and_as_a_field() {
        check(&Cell::Null, "null", "");
        check(&Cell::Bool(true), "true", "true");
        check(&Cell::Number(-3), "-3", "-3");
        check(&Cell::Share(5833), "0.5833", "0.5833");
        check(&Cell::Share(-10_050), "-1.0050", "-1.0050");
        let date = Day::new(1851, 6, 21).map(Cell::Date);
        check(&date.expect("a day"), "\"1851-06-21\"", "1851-06-21");
        check(&text(""), "\"\"", "\"\"");
        check(&text("a,b"), "\"a,b\"", "\"a,b\"");
        check(&text("a\tb"), "\"a\\tb\"", "a\tb");
        check(&text("say \"x\"\n"), "\"say \\\"x\\\"\\n\"", "\"say \"\"x\"\"\n\"");
        check(&text("a\\\u{1}é"), "\"a\\\\\\u0001é\"", "a\\\u{1}é");
        check(&Cell::List(vec![text("a"), Cell::Number(1)]), "[\"a\",1]", "a; 1");
        check(
            &Cell::Object(vec![("k".to_owned(), Cell::Null)]),
            "{\"k\":null}",
            "\"{\"\"k\"\":null}\"",
        );
    }

    #[test]
    fn stored_cells_come_back() {
        let cells = [
            Cell::Null,
            Cell::Bool(false),
            Cell::Bool(true),
            Cell::Number(i64::MIN),
            Cell::Share(-3),
            text("ü"),
            Cell::Date(Day::new(1620, 2, 29).expect("a day")),
            Cell::List(vec![text("a"), Cell::List(Vec::new()), Cell::Null]),
            Cell::Words("e4 e5".to_owned()),
            Cell::Object(vec![("k".to_owned(), Cell::Number(1)), (String::new(), text(""))]),
        ];
        let mut stored = Vec::new();
        cells.iter().for_each(|cell| cell.store(&mut stored));
        let mut rest = &*stored;
        let back: Vec<Cell> = std::iter::from_fn(|| Cell::read(&mut rest)).collect();
        assert_eq!(back, cells);
        assert_eq!(Cell::read(&mut &[4, 255, 0, 0, 0, 0, 0, 0, 0, 1][..]), None);
    }
}

//! Writes cells as the text of a row: an object of JSON Lines, or a line of a table.

use crate::cell::{Cell, write_json_object};

/// Form in which cells are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One object per line.
    Json,
    /// Fields separated by a character.
    Table(char),
    /// Bytes that a file of columns, such as Parquet, is made of.
    Stored,
}

/// Appends a row, with the end of its line in text forms.
pub(crate) fn write_row<'a>(
    names: impl Iterator<Item = &'a str>,
    cells: &'a [Cell],
    layout: Layout,
    out: &mut Vec<u8>,
) {
    let mut text = String::new();
    match layout {
        Layout::Json => {
            write_json_object(names.zip(cells), &mut text);
            text.push('\n');
        }
        Layout::Table(separator) => write_fields(cells, separator, &mut text),
        Layout::Stored => cells.iter().for_each(|cell| cell.store(out)),
    }
    out.extend_from_slice(text.as_bytes());
}

/// Returns the first line of a table.
pub(crate) fn header<'a>(names: impl Iterator<Item = &'a str>, separator: char) -> String {
    let cells: Vec<Cell> = names.map(|name| Cell::text(Some(name))).collect();
    let mut text = String::new();
    write_fields(&cells, separator, &mut text);
    text
}

fn write_fields(cells: &[Cell], separator: char, text: &mut String) {
    let start = text.len();
    for (i, cell) in cells.iter().enumerate() {
        if i > 0 {
            text.push(separator);
        }
        cell.write_field(separator, text);
    }
    if text.len() == start && !cells.is_empty() {
        // an empty line would not be a row
        text.push_str("\"\"");
    }
    text.push('\n');
}

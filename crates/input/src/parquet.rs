//! Tables in Apache Parquet with a column of moves. Each row becomes a game in PGN: its other columns
//! of texts, numbers and dates are tags.
//!
//! A column is read page by page, all columns side by side, so memory is that of a page of each.

mod bits;
mod codec;
mod pages;
mod schema;
mod thrift;

use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::vec::IntoIter;

use flow::{Input, ReadError};

use super::compressed::Ratio;
use super::converted::GameConverter;
use super::error::{Error, NO_MOVES};
use super::file::CountedInput;
use super::json::{day, time};
use super::tag::push_tag;
use pages::{Column, Value};
use schema::{Footer, Leaf, Meaning, Physical, RowGroup};

/// Names of columns with moves. The first one that a table has is read.
const MOVES: [&str; 3] = ["pgn", "movetext", "moves"];

/// Largest size of a footer.
const MOST_FOOTER: u64 = 16 << 20;

/// A table that is being read.
pub(super) struct Table {
    groups: IntoIter<RowGroup>,
    n_rows: u64,
    /// Columns that become tags, with their names.
    tags: Vec<(String, Column)>,
    moves: Column,
    /// Rows read, for messages.
    n_read: u64,
    ratio: Ratio,
    size: u64,
}

/// Opens a table. Its text may be `most` times as large.
pub(super) fn open(input: CountedInput, most: u64) -> Result<Table, ReadError> {
    let footer = Footer::read(&footer(input.clone())?).map_err(Error::TableFooter)?;
    let is_called = |leaf: &&Leaf, name: &str| {
        leaf.physical == Physical::Text
            && leaf.name.eq_ignore_ascii_case(name)
            && (leaf.is_flat || leaf.repetition == 1)
    };
    let found =
        MOVES.iter().find_map(|name| footer.leaves.iter().find(|leaf| is_called(leaf, name)));
    let Some(moves) = found else {
        let has = |name: &str| footer.names.iter().any(|other| other.eq_ignore_ascii_case(name));
        let why = if has("movedata") {
            "its moves (`movedata`) are in an encoding of their own: write them as text"
        } else if MOVES.iter().any(|name| has(name)) {
            "its moves are neither texts nor lists of texts"
        } else {
            NO_MOVES
        };
        return Err(Error::TableWithoutMoves(why).into());
    };
    let held = Arc::new(AtomicU64::new(0));
    let is_tag =
        |leaf: &&Leaf| leaf.is_flat && leaf.index != moves.index && leaf.meaning != Meaning::Other;
    let tags = footer.leaves.iter().filter(is_tag);
    let tags = tags.map(|leaf| (tag_of(&leaf.name), Column::new(leaf, &input, &held))).collect();
    Ok(Table {
        moves: Column::new(moves, &input, &held),
        tags,
        groups: footer.groups.into_iter(),
        n_rows: 0,
        n_read: 0,
        ratio: Ratio::new(most),
        size: input.size(),
    })
}

/// Reads the footer, which is before its length and the signature.
fn footer(input: CountedInput) -> io::Result<Vec<u8>> {
    let size = input.size();
    let mut file = input.reader();
    let mut end = [0; 8];
    if size < 12 {
        return Err(Error::TableCutOff.into());
    }
    file.seek(SeekFrom::Start(size - 8))?;
    file.read_exact(&mut end)?;
    let [a, b, c, d, signature @ ..] = end;
    if signature != *b"PAR1" {
        return Err(Error::TableCutOff.into());
    }
    let n = u64::from(u32::from_le_bytes([a, b, c, d]));
    if n > MOST_FOOTER || n + 12 > size {
        return Err(Error::TableFooterSize(n).into());
    }
    file.seek(SeekFrom::Start(size - 8 - n))?;
    let mut footer = Vec::new();
    file.take(n).read_to_end(&mut footer)?;
    Ok(footer)
}

/// Returns the tag of a column. Names in small letters are those of other programs.
fn tag_of(column: &str) -> String {
    let is_fit = |letter: char| letter.is_ascii_alphanumeric() || "_+#=:-".contains(letter);
    let name = column.replace(|letter: char| !is_fit(letter), "_");
    if name.starts_with(|letter: char| letter.is_ascii_uppercase()) {
        return name;
    }
    let words = name.split('_').map(|word| match word {
        "eco" | "fen" | "utc" => word.to_ascii_uppercase(),
        "rating" if !name.ends_with("diff") => "Elo".to_owned(),
        _ => {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters).collect()
        }
    });
    words.collect()
}

impl GameConverter for Table {
    fn write_next(&mut self, pgn: &mut Vec<u8>) -> io::Result<bool> {
        let before = pgn.len();
        let is_game = self.write_row(pgn).map_err(|error| {
            if flow::is_shortage(&error) {
                return error;
            }
            Error::TableRow { n_read: self.n_read, error }.into()
        })?;
        self.n_read += 1;
        self.ratio.count(pgn.len() - before, self.size)?;
        Ok(is_game)
    }
}

impl Table {
    fn write_row(&mut self, pgn: &mut Vec<u8>) -> io::Result<bool> {
        while self.n_rows == 0 {
            let Some(group) = self.groups.next() else {
                return Ok(false);
            };
            self.n_rows = group.n_rows;
            for column in self.tags.iter_mut().map(|(_, column)| column).chain([&mut self.moves]) {
                let chunk = group.chunks.get(column.leaf.index);
                column.start(chunk.ok_or(io::ErrorKind::UnexpectedEof)?)?;
            }
        }
        self.n_rows -= 1;
        let mut moves = Vec::new();
        if self.moves.leaf.is_flat {
            if let Some(Value::Text(text)) = self.moves.next()? {
                moves.extend_from_slice(text.trim_ascii());
            }
        } else {
            self.moves.next_list(&mut |mv| {
                moves.extend_from_slice(if moves.is_empty() { b"" } else { b" " });
                moves.extend_from_slice(mv);
            })?;
        }
        // A whole game has tags of its own.
        let own = if moves.starts_with(b"[") { &moves[..] } else { &[] };
        let has = |tag: &str| {
            let start = format!("[{tag} \"");
            own.windows(start.len()).any(|part| part == start.as_bytes())
        };
        let before = pgn.len();
        let mut result = "*";
        let mut has_date = false;
        let is_dated = self.tags.iter().any(|(tag, _)| tag == "Date") || has("Date");
        for (tag, column) in &mut self.tags {
            let meaning = column.leaf.meaning;
            let Some(value) = column.next()? else { continue };
            let text = shown(value, meaning);
            match tag.as_str() {
                _ if text.is_empty() || has(tag) => continue,
                "Result" => {
                    let known = ["1-0", "0-1", "1/2-1/2"].into_iter();
                    result = known.clone().find(|known| known.as_bytes() == &*text).unwrap_or("*");
                }
                "Date" => has_date = true,
                // As Lichess writes them in PGN.
                "UTCDate" if !is_dated => {
                    has_date = true;
                    push_tag(pgn, "Date", &text);
                }
                "Year" if !has_date && !has("Date") => {
                    push_tag(pgn, "Date", &[&text, &b".??.??"[..]].concat());
                    continue;
                }
                "FEN" if !has("SetUp") => push_tag(pgn, "SetUp", b"1"),
                _ => {}
            }
            push_tag(pgn, tag, &text);
        }
        if own.is_empty() {
            if pgn.len() == before {
                push_tag(pgn, "Event", b"?");
            }
            pgn.push(b'\n');
        }
        pgn.extend_from_slice(&moves);
        let last = moves.rsplit(|byte| byte.is_ascii_whitespace()).next().unwrap_or_default();
        if ![&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&last) {
            pgn.extend_from_slice(if moves.is_empty() { b"" } else { b" " });
            pgn.extend_from_slice(result.as_bytes());
        }
        pgn.extend_from_slice(b"\n\n");
        Ok(true)
    }
}

/// Value as in a tag.
fn shown(value: Value<'_>, meaning: Meaning) -> std::borrow::Cow<'_, [u8]> {
    let second = |number: i64, parts: i64| number.div_euclid(parts);
    let text = match (value, meaning) {
        (Value::Text(text), _) => return text.trim_ascii().into(),
        (Value::Number(days), Meaning::Date) => day(days),
        (Value::Number(parts), Meaning::Time(n)) => time(second(parts, n)),
        (Value::Number(parts), Meaning::Moment(n)) => {
            let seconds = second(parts, n);
            format!("{} {}", day(seconds.div_euclid(86_400)), time(seconds))
        }
        (Value::Number(number), _) => number.to_string(),
        (Value::Float(number), _) => number.to_string(),
        (Value::Bool(is_true), _) => is_true.to_string(),
    };
    text.into_bytes().into()
}

#[cfg(test)]
mod tests;

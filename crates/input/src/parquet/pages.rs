//! Values of a column, page by page.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::super::bytes::append;
use super::super::file::{CountedInput, FileReader};
use super::bits::{Deltas, Runs};
use super::schema::{Chunk, Leaf, Physical};
use super::thrift::{STRUCT, TRUE, Thrift};

/// Number of bytes that the pages in memory may take together.
const MOST: u64 = 512 << 20;

/// Value of a row.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Value<'a> {
    Text(&'a [u8]),
    Number(i64),
    Float(f64),
    Bool(bool),
}

/// Encodings of the values of a page.
enum Values {
    /// Values one after the other, from this byte on.
    Plain(usize),
    /// Truth values, from this bit on.
    Bits(u64),
    Truths(Runs),
    /// Numbers of values of the dictionary.
    Indexes(Runs),
    Deltas(Deltas),
    /// First bytes of all values from a place on, then second bytes, and so on; the number of values
    /// already read.
    Split(usize, usize),
    /// Lengths of texts, and the place of the next text.
    Lengths(Deltas, usize),
    /// Numbers of bytes that a text shares with the one before it, lengths of what follows, the
    /// place of the next of these, and the last text.
    Prefixes(Deltas, Deltas, usize, Vec<u8>),
}

/// A column of the current row group.
pub(super) struct Column {
    pub(super) leaf: Leaf,
    pages: Thrift<io::Take<BufReader<FileReader>>>,
    codec: i64,
    /// The current page, without compression.
    page: Vec<u8>,
    /// Number of entries that are left in it.
    n_left: u64,
    repetitions: Runs,
    definitions: Runs,
    values: Values,
    /// Page with the dictionary, and the places of its texts.
    dictionary: Vec<u8>,
    texts: Vec<(u32, u32)>,
    /// Repetition and definition of an entry that was read ahead.
    ahead: Option<(u64, u64)>,
    /// Number of bytes in memory, of this column and of all.
    n_held: u64,
    held: Arc<AtomicU64>,
}

/// Description of a page.
#[derive(Debug, Default)]
struct Header {
    kind: i64,
    n_unpacked: i64,
    n_packed: i64,
    n_values: i64,
    encoding: i64,
    level_encodings: [i64; 2],
    /// Lengths of definitions and repetitions in the second version.
    level_bytes: [i64; 2],
    is_plain: bool,
}

impl Column {
    pub(super) fn new(leaf: &Leaf, input: &CountedInput, held: &Arc<AtomicU64>) -> Column {
        Column {
            leaf: leaf.clone(),
            pages: Thrift { from: BufReader::new(input.clone().reader()).take(0) },
            codec: 0,
            page: Vec::new(),
            n_left: 0,
            repetitions: Runs::default(),
            definitions: Runs::default(),
            values: Values::Plain(0),
            dictionary: Vec::new(),
            texts: Vec::new(),
            ahead: None,
            n_held: 0,
            held: held.clone(),
        }
    }

    /// Goes to the column of the next row group.
    pub(super) fn start(&mut self, chunk: &Chunk) -> io::Result<()> {
        self.pages.from.get_mut().seek(SeekFrom::Start(chunk.start))?;
        self.pages.from.set_limit(chunk.n_bytes);
        self.codec = chunk.codec;
        (self.n_left, self.ahead) = (0, None);
        (self.dictionary, self.texts) = (Vec::new(), Vec::new());
        Ok(())
    }

    /// Reads the value of the next row; `None` if the row has none.
    pub(super) fn next(&mut self) -> io::Result<Option<Value<'_>>> {
        let (_, definition) = self.entry()?;
        if definition < self.leaf.definition { Ok(None) } else { self.value().map(Some) }
    }

    /// Passes on the texts of the next row, which is a list.
    pub(super) fn next_list(&mut self, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        let mut is_first = true;
        loop {
            let (repetition, definition) = match self.ahead.take() {
                Some(entry) => entry,
                None if is_first || self.n_left > 0 || self.pages.from.limit() > 0 => {
                    self.entry()?
                }
                None => return Ok(()),
            };
            if repetition == 0 && !is_first {
                self.ahead = Some((repetition, definition));
                return Ok(());
            }
            is_first = false;
            if definition == self.leaf.definition
                && let Value::Text(text) = self.value()?
            {
                take(text);
            }
        }
    }

    /// Reads the levels of the next entry.
    fn entry(&mut self) -> io::Result<(u64, u64)> {
        while self.n_left == 0 {
            self.next_page()?;
        }
        self.n_left -= 1;
        let level = |runs: &mut Runs, most: u64| match most {
            0 => Some(0),
            _ => runs.next(&self.page),
        };
        let repetition = level(&mut self.repetitions, self.leaf.repetition);
        let definition = level(&mut self.definitions, self.leaf.definition);
        Ok((repetition.ok_or_else(damaged)?, definition.ok_or_else(damaged)?))
    }

    fn value(&mut self) -> io::Result<Value<'_>> {
        let (physical, page) = (self.leaf.physical, &self.page);
        let value = match &mut self.values {
            Values::Plain(at) => plain(physical, page, at),
            Values::Bits(bit) => {
                let byte = usize::try_from(*bit / 8).ok().and_then(|byte| page.get(byte));
                let value = byte.map(|byte| Value::Bool(byte >> (*bit % 8) & 1 == 1));
                *bit += 1;
                value
            }
            Values::Truths(runs) => runs.next(page).map(|value| Value::Bool(value == 1)),
            Values::Indexes(runs) => {
                let index = runs.next(page).and_then(|index| usize::try_from(index).ok());
                let size = physical.size();
                index.and_then(|index| match physical {
                    Physical::Text => {
                        let &(start, len) = self.texts.get(index)?;
                        let text = self.dictionary.get(start as usize..)?.get(..len as usize)?;
                        Some(Value::Text(text))
                    }
                    _ => plain(physical, &self.dictionary, &mut index.checked_mul(size)?),
                })
            }
            Values::Split(start, n_read) => {
                let streams = page.get(*start..).unwrap_or_default();
                let n = streams.len() / physical.size();
                let bytes = streams.chunks_exact(n.max(1)).map_while(|stream| stream.get(*n_read));
                let bytes: Vec<u8> = bytes.copied().collect();
                *n_read += 1;
                fixed(physical, &bytes)
            }
            Values::Deltas(deltas) => deltas.next(page).map(Value::Number),
            Values::Lengths(lengths, at) => next_text(lengths, page, at).map(Value::Text),
            Values::Prefixes(prefixes, lengths, at, last) => {
                let shared = prefixes.next(page).and_then(|n| usize::try_from(n).ok());
                let shared = shared.filter(|n| *n <= last.len());
                shared.zip(next_text(lengths, page, at)).map(|(shared, rest)| {
                    last.truncate(shared);
                    last.extend_from_slice(rest);
                    Value::Text(last)
                })
            }
        };
        value.ok_or_else(damaged)
    }

    fn next_page(&mut self) -> io::Result<()> {
        let header = self.header()?;
        let size = |n: i64| usize::try_from(n).map_err(|_| damaged());
        let (n_packed, n_unpacked) = (size(header.n_packed)?, size(header.n_unpacked)?);
        let held = self.held.fetch_sub(self.n_held, Ordering::Relaxed) - self.n_held;
        self.n_held = (self.dictionary.len() + 8 * self.texts.len() + n_packed + n_unpacked) as u64;
        self.held.fetch_add(self.n_held, Ordering::Relaxed);
        if held + self.n_held > MOST {
            return Err(io::Error::other("its pages take more than 512 MiB"));
        }
        let mut packed = Vec::new();
        append(&mut self.pages.from, n_packed as u64, &mut packed)?;
        let [n_definitions, n_repetitions] = header.level_bytes.map(size);
        let n_levels = n_definitions?.checked_add(n_repetitions?).ok_or_else(damaged)?;
        let (levels, packed) = packed.split_at_checked(n_levels).ok_or_else(damaged)?;
        let mut page = levels.to_vec();
        let n = n_unpacked.checked_sub(n_levels).ok_or_else(damaged)?;
        let codec = if header.is_plain { 0 } else { self.codec };
        super::codec::unpack(codec, packed, n, &mut page)?;
        if page.len() != n_unpacked {
            return Err(damaged());
        }
        let n_values = u64::try_from(header.n_values).map_err(|_| damaged())?;
        match header.kind {
            0 | 3 => {
                self.page = page;
                self.n_left = n_values;
                self.start_page(&header).ok_or_else(damaged)??;
            }
            2 => self.start_dictionary(page, n_values, header.encoding)?,
            // An index, which no writer writes.
            _ => {}
        }
        Ok(())
    }

    fn header(&mut self) -> io::Result<Header> {
        if self.pages.from.limit() == 0 {
            return Err(io::Error::other(format!(
                "the column {} has too few values",
                self.leaf.name
            )));
        }
        let mut header = Header { level_encodings: [3; 2], ..Header::default() };
        self.pages.structure(&mut |thrift, field, kind| {
            match (field, kind) {
                (1, _) => header.kind = thrift.integer()?,
                (2, _) => header.n_unpacked = thrift.integer()?,
                (3, _) => header.n_packed = thrift.integer()?,
                // Pages of the first version, of dictionaries and of the second version.
                (5 | 7 | 8, STRUCT) => thrift.structure(&mut |thrift, inner, kind| {
                    match (field, inner) {
                        (_, 1) => header.n_values = thrift.integer()?,
                        (5 | 7, 2) | (8, 4) => header.encoding = thrift.integer()?,
                        (5, 3 | 4) => {
                            header.level_encodings[inner as usize - 3] = thrift.integer()?;
                        }
                        (8, 5 | 6) => header.level_bytes[inner as usize - 5] = thrift.integer()?,
                        (8, 7) => header.is_plain = kind != TRUE,
                        _ => return Ok(false),
                    }
                    // The last one has no bytes.
                    Ok(true)
                })?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(header)
    }

    /// Finds the levels and the values of a page.
    fn start_page(&mut self, header: &Header) -> Option<io::Result<()>> {
        let page = &self.page;
        let mut at = 0;
        let is_second = header.kind == 3;
        // Repetitions come before definitions.
        for (i, most) in [(1, self.leaf.repetition), (0, self.leaf.definition)] {
            let runs = if i == 1 { &mut self.repetitions } else { &mut self.definitions };
            let n_bytes = match (most, is_second) {
                (_, true) => usize::try_from(header.level_bytes[i]).ok()?,
                (0, false) => continue,
                (_, false) if header.level_encodings[i] != 3 => {
                    return Some(Err(unknown_encoding(header.level_encodings[i])));
                }
                (_, false) => {
                    at += 4;
                    u32::from_le_bytes(page.get(at - 4..at)?.try_into().ok()?) as usize
                }
            };
            *runs = Runs::new(at, u64::BITS - most.leading_zeros());
            at = at.checked_add(n_bytes)?;
        }
        let is_bool = self.leaf.physical == Physical::Bool;
        self.values = match (header.encoding, self.leaf.physical) {
            (0, _) if is_bool => Values::Bits(at as u64 * 8),
            (0, _) => Values::Plain(at),
            // The length of the runs comes first.
            (3, _) if is_bool => Values::Truths(Runs::new(at + 4, 1)),
            (2 | 8, _) => {
                // Without values, there may be no width.
                let width = page.get(at).map_or(0, |width| u32::from(*width));
                if width > 32 {
                    return None;
                }
                Values::Indexes(Runs::new(at + 1, width))
            }
            (5, Physical::Int32 | Physical::Int64) => Values::Deltas(Deltas::new(page, at)?),
            (9, Physical::Float | Physical::Double | Physical::Int32 | Physical::Int64) => {
                Values::Split(at, 0)
            }
            (6, Physical::Text) => {
                let place = Deltas::new(page, at)?.end(page)?;
                Values::Lengths(Deltas::new(page, at)?, place)
            }
            (7, Physical::Text) => {
                let lengths = Deltas::new(page, at)?.end(page)?;
                let place = Deltas::new(page, lengths)?.end(page)?;
                let (prefixes, lengths) = (Deltas::new(page, at)?, Deltas::new(page, lengths)?);
                Values::Prefixes(prefixes, lengths, place, Vec::new())
            }
            (encoding, _) => return Some(Err(unknown_encoding(encoding))),
        };
        Some(Ok(()))
    }

    fn start_dictionary(&mut self, page: Vec<u8>, n: u64, encoding: i64) -> io::Result<()> {
        if !matches!(encoding, 0 | 2) {
            return Err(unknown_encoding(encoding));
        }
        self.texts.clear();
        if self.leaf.physical == Physical::Text {
            let mut at = 0;
            for _ in 0..n {
                let Some(Value::Text(text)) = plain(Physical::Text, &page, &mut at) else {
                    return Err(damaged());
                };
                self.texts.push(((at - text.len()) as u32, text.len() as u32));
            }
        }
        self.dictionary = page;
        Ok(())
    }
}

/// Reads a value at a place, and moves the place after it.
fn plain<'p>(physical: Physical, page: &'p [u8], at: &mut usize) -> Option<Value<'p>> {
    let rest = page.get(*at..)?;
    let (bytes, rest) = rest.split_at_checked(physical.size())?;
    *at += bytes.len();
    if physical != Physical::Text {
        return fixed(physical, bytes);
    }
    let text = rest.get(..u32::from_le_bytes(bytes.try_into().ok()?) as usize)?;
    *at += text.len();
    Some(Value::Text(text))
}

/// Reads a text whose length is the next of `lengths`, and moves the place after it.
fn next_text<'p>(lengths: &mut Deltas, page: &'p [u8], at: &mut usize) -> Option<&'p [u8]> {
    let len = usize::try_from(lengths.next(page)?).ok()?;
    let text = page.get(*at..)?.get(..len)?;
    *at += len;
    Some(text)
}

/// Returns the value of the bytes of a number.
fn fixed(physical: Physical, bytes: &[u8]) -> Option<Value<'static>> {
    Some(match physical {
        Physical::Int32 => Value::Number(i64::from(i32::from_le_bytes(bytes.try_into().ok()?))),
        Physical::Int64 => Value::Number(i64::from_le_bytes(bytes.try_into().ok()?)),
        Physical::Float => Value::Float(f64::from(f32::from_le_bytes(bytes.try_into().ok()?))),
        Physical::Double => Value::Float(f64::from_le_bytes(bytes.try_into().ok()?)),
        Physical::Bool | Physical::Text => return None,
    })
}

fn damaged() -> io::Error {
    io::Error::other("a page is damaged")
}

fn unknown_encoding(encoding: i64) -> io::Error {
    let name = match encoding {
        4 => "BIT_PACKED".to_owned(),
        other => format!("with the number {other}"),
    };
    io::Error::other(format!("the encoding {name} is not read: write the table with another one"))
}

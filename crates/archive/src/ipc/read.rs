//! Reads files: locates the buffers of each column in bytes that may be damaged.

use std::ops::{Deref, Range};

use flow::Input;
use xxhash_rust::xxh3::Xxh3;

use super::field::{batch, column, dictionary, encoding, footer, message, schema};
use super::flat::FlatTable;
use super::{
    BLOCK_ROWS, COLUMN, CONTINUATION, ColumnType, MAGIC, MESSAGES, STRIPS, Strips, checksum,
    items_of, tag,
};
use crate::error::Error;

/// Whether checksums are verified. Fuzzing skips this, to reach the code after it.
const IS_CHECKED: bool = !cfg!(fuzzing);

/// Location of every column in a file.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) n_rows: usize,
    columns: Vec<ColumnLocation>,
}

/// Location of a column.
#[derive(Debug)]
struct ColumnLocation {
    name: String,
    kind: ColumnType,
    /// Number of distinct texts, and their buffers.
    dictionary: Option<(usize, Vec<Buffer>)>,
    buffers: Vec<Buffer>,
    /// Checksum of the distinct texts, if there are any. Like those below it is kept in hexadecimal
    /// digits, since few are ever used.
    text_sum: [u8; 16],
    /// Checksums of the blocks of rows.
    sums: Vec<[u8; 16]>,
    /// For a column with strips: for each block, the checksum of the bounds of its lists and those
    /// of the items of each strip.
    strips: Vec<[u8; 8]>,
}

/// A range of bytes of a file.
#[derive(Debug, Clone, Copy)]
struct Buffer {
    start: u64,
    length: usize,
}

/// The distinct texts of a column, in memory that is reused.
#[derive(Debug, Default)]
pub(crate) struct TextBytes {
    /// Number of texts.
    pub(crate) n_texts: usize,
    pub(crate) buffers: [Bytes; 3],
}

/// The bytes of a column for some rows, in memory that is reused.
#[derive(Debug, Default)]
pub(crate) struct BlockBytes {
    pub(crate) n_rows: usize,
    /// For lists, the strips whose items have been read.
    pub(crate) strips: Strips,
    buffers: [Bytes; ColumnType::MOST_BUFFERS],
    n_buffers: usize,
}

impl BlockBytes {
    /// The bytes of each buffer of the column.
    pub(crate) fn buffers(&self) -> &[Bytes] {
        &self.buffers[..self.n_buffers]
    }
}

/// Bytes that were read. The memory is neither released nor cleared between reads, because blocks
/// are read by the thousand.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    memory: Vec<u8>,
    length: usize,
}

impl Bytes {
    /// Removes the contents.
    fn clear(&mut self) {
        self.length = 0;
    }

    /// Returns room for `length` bytes with arbitrary contents, in place of those before.
    fn room(&mut self, length: usize) -> Result<&mut [u8], Error> {
        self.length = 0;
        self.more_room(length)
    }

    /// Returns room for `length` more bytes.
    fn more_room(&mut self, length: usize) -> Result<&mut [u8], Error> {
        let start = self.length;
        let end = start + length;
        if self.memory.len() < end {
            let grown = flow::resize(&mut self.memory, end);
            grown.map_err(|error| Error::unreadable("", error))?;
        }
        self.length = end;
        Ok(&mut self.memory[start..end])
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.memory[..self.length]
    }
}

impl Layout {
    /// Reads the footer, whose checksum is known, and the messages that it locates.
    pub(crate) fn read(input: &dyn Input, footer_sum: u64) -> Result<Layout, Error> {
        let size = input.size();
        let end = size.checked_sub(4 + MAGIC.len() as u64);
        let end = end.ok_or_else(|| damaged("it is too short"))?;
        let [n @ .., b'A', b'R', b'R', b'O', b'W', b'1'] = &read(input, end, 10)?[..] else {
            return Err(damaged("it does not end as it should"));
        };
        let n = n.first_chunk().map_or(0, |n| u32::from_le_bytes(*n));
        let start = end.checked_sub(u64::from(n));
        let start = start.ok_or_else(|| damaged("its footer is too long"))?;
        let bytes = read(input, start, n as usize)?;
        if IS_CHECKED && checksum(&bytes) != footer_sum {
            return Err(damaged("its footer was changed"));
        }
        let footer = FlatTable::root(&bytes).ok_or_else(nonsense)?;
        let mut reader =
            FooterReader { input, sums: sums(footer).ok_or_else(nonsense)?, messages: Xxh3::new() };
        let layout = reader.layout(footer)?;
        let messages = format!("{:016x}", reader.messages.digest());
        if !IS_CHECKED || reader.sum(MESSAGES) == Some(&messages) {
            Ok(layout)
        } else {
            Err(damaged("the list of its columns is damaged"))
        }
    }

    /// Whether the file has these columns in this order. The number of bits of a text column may
    /// differ, because it depends on the number of distinct texts.
    pub(crate) fn has(&self, columns: &[(&str, ColumnType)]) -> bool {
        let is_alike = |own: ColumnType, kind: ColumnType| match (own, kind) {
            (ColumnType::Text(bits), ColumnType::Text(_)) => bits == 8 || bits == 16,
            _ => own == kind,
        };
        let mut pairs = self.columns.iter().zip(columns);
        self.columns.len() == columns.len()
            && pairs.all(|(own, (name, kind))| own.name == *name && is_alike(own.kind, *kind))
    }

    /// Number of bytes of a column, including its dictionary.
    pub(crate) fn n_bytes(&self, number: usize) -> u64 {
        let Some(place) = self.columns.get(number) else {
            return 0;
        };
        let dictionary = place.dictionary.iter().flat_map(|(_, buffers)| buffers);
        let buffers = dictionary.chain(&place.buffers);
        buffers.map(|buffer| buffer.length as u64).sum()
    }

    /// Number of blocks of rows.
    pub(crate) fn n_blocks(&self) -> usize {
        self.n_rows.div_ceil(BLOCK_ROWS)
    }

    /// Rows of consecutive blocks.
    fn rows_of(&self, blocks: &Range<usize>) -> Range<usize> {
        blocks.start * BLOCK_ROWS..self.n_rows.min(blocks.end * BLOCK_ROWS)
    }

    /// Byte ranges of blocks of a column in the file, with those of its distinct texts if `texts`
    /// is set. Items of lists are missing, since their range is not known before reading.
    pub(crate) fn bytes_of(
        &self,
        number: usize,
        texts: bool,
        blocks: Range<usize>,
    ) -> impl Iterator<Item = Range<u64>> {
        let rows = self.rows_of(&blocks);
        let place = self.columns.get(number);
        let texts = place.filter(|_| texts).and_then(|place| place.dictionary.as_ref());
        let texts = texts.into_iter().flat_map(|(_, buffers)| buffers);
        let texts = texts.map(|buffer| (*buffer, 0..buffer.length));
        let buffers = place.into_iter().flat_map(move |place| {
            let buffers = place.buffers.iter().enumerate();
            let rows = rows.clone();
            buffers.map(move |(number, buffer)| {
                (*buffer, place.kind.bytes_of(number, buffer.length, &rows))
            })
        });
        texts.chain(buffers).map(|(Buffer { start, .. }, bytes)| {
            start + bytes.start as u64..start + bytes.end as u64
        })
    }

    /// Reads the distinct texts of a column and verifies their checksum. Returns whether it is a
    /// column of texts.
    pub(crate) fn read_texts(
        &self,
        input: &dyn Input,
        number: usize,
        bytes: &mut TextBytes,
    ) -> Result<bool, Error> {
        let place = self.columns.get(number).ok_or_else(nonsense)?;
        let Some((n_texts, buffers)) = &place.dictionary else {
            return Ok(false);
        };
        let mut hash = Xxh3::new();
        bytes.n_texts = *n_texts;
        for (buffer, bytes) in buffers.iter().zip(&mut bytes.buffers) {
            read_into(input, buffer.start, buffer.length, bytes)?;
            hash.update(bytes);
        }
        place.check(hash.digest(), &place.text_sum)?;
        Ok(true)
    }

    /// Reads a block of rows of a column and verifies its checksum.
    pub(crate) fn read_block(
        &self,
        input: &dyn Input,
        number: usize,
        block: usize,
        bytes: &mut BlockBytes,
    ) -> Result<(), Error> {
        let place = self.columns.get(number).ok_or_else(nonsense)?;
        let sum = *place.sums.get(block).ok_or_else(nonsense)?;
        let rows = self.rows_of(&(block..block + 1));
        let mut hash = Xxh3::new();
        (bytes.n_rows, bytes.strips) = (rows.len(), Strips::ALL);
        bytes.n_buffers = place.buffers.len();
        for (number, buffer) in place.buffers.iter().enumerate() {
            let own = match (place.kind, number) {
                (ColumnType::List(bits), 3) => {
                    items_of(bits, &bytes.buffers[1]).ok_or_else(nonsense)?
                }
                _ => place.kind.bytes_of(number, buffer.length, &rows),
            };
            let bytes = &mut bytes.buffers[number];
            if own.end > buffer.length {
                return Err(nonsense());
            }
            if own.is_empty() {
                bytes.clear();
                continue;
            }
            read_into(input, buffer.start + own.start as u64, own.len(), bytes)?;
            hash.update(bytes);
        }
        place.check(hash.digest(), &sum)
    }

    /// Reads the lists of some strips of a block and verifies their checksums. Reads the whole
    /// block if the column has no strips, or if most strips are wanted.
    pub(crate) fn read_strips(
        &self,
        input: &dyn Input,
        number: usize,
        block: usize,
        strips: Strips,
        bytes: &mut BlockBytes,
    ) -> Result<(), Error> {
        let place = self.columns.get(number).ok_or_else(nonsense)?;
        let strips = strips.worthwhile();
        if place.strips.is_empty() || strips == Strips::ALL {
            return self.read_block(input, number, block, bytes);
        }
        let (ColumnType::List(bits), [_, bounds, _, items]) = (place.kind, &place.buffers[..])
        else {
            return Err(nonsense());
        };
        let rows = self.rows_of(&(block..block + 1));
        (bytes.n_rows, bytes.strips) = (rows.len(), strips);
        bytes.n_buffers = place.buffers.len();
        let [validity, own_bounds, of_items, own_items] = &mut bytes.buffers;
        validity.clear();
        of_items.clear();
        own_items.clear();
        let own = place.kind.bytes_of(1, bounds.length, &rows);
        if own.end > bounds.length {
            return Err(nonsense());
        }
        read_into(input, bounds.start + own.start as u64, own.len(), own_bounds)?;
        let sums = place.strips.chunks(1 + Strips::IN_BLOCK).nth(block);
        let (of_bounds, sums) = sums.and_then(<[_]>::split_first).ok_or_else(nonsense)?;
        place.check_strip(own_bounds, of_bounds)?;
        let size = usize::from(bits / 8);
        let bound = |row: usize| {
            let bytes = own_bounds.as_chunks().0.get(row.min(rows.len()));
            let bytes = bytes.ok_or_else(nonsense)?;
            Ok::<usize, Error>(u32::from_le_bytes(*bytes) as usize * size)
        };
        for run in strips.runs() {
            let first = bound(run.start * Strips::ROWS)?;
            let end = bound(run.end * Strips::ROWS)?;
            if first > end || end > items.length {
                return Err(nonsense());
            }
            let mut read = own_items.more_room(end - first)?;
            fill(input, items.start + first as u64, read)?;
            for strip in run {
                let from = bound(strip * Strips::ROWS)?;
                let to = bound((strip + 1) * Strips::ROWS)?;
                let n = to.checked_sub(from).ok_or_else(nonsense)?;
                let (own, rest) = read.split_at_mut_checked(n).ok_or_else(nonsense)?;
                match sums.get(strip) {
                    Some(sum) => place.check_strip(own, sum)?,
                    // The last block can end before this strip.
                    None if own.is_empty() => {}
                    None => return Err(nonsense()),
                }
                read = rest;
            }
        }
        Ok(())
    }
}

impl ColumnLocation {
    fn check_strip(&self, bytes: &[u8], expected: &[u8; 8]) -> Result<(), Error> {
        self.check(checksum(bytes) & u64::from(u32::MAX), expected)
    }

    fn damaged(&self) -> Error {
        damaged(format!("its column {} is damaged", self.name))
    }

    /// Compares a checksum with the hexadecimal digits of the expected one.
    fn check(&self, found: u64, expected: &[u8]) -> Result<(), Error> {
        let expected = str::from_utf8(expected).ok();
        let expected = expected.and_then(|digits| u64::from_str_radix(digits, 16).ok());
        if !IS_CHECKED || expected == Some(found) { Ok(()) } else { Err(self.damaged()) }
    }
}

/// Follows the footer of a file to its messages.
struct FooterReader<'i> {
    input: &'i dyn Input,
    sums: Vec<(String, String)>,
    messages: Xxh3,
}

impl FooterReader<'_> {
    fn sum(&self, name: &str) -> Option<&String> {
        let mut sums = self.sums.iter();
        sums.find(|sum| sum.0 == name).map(|sum| &sum.1)
    }

    fn layout(&mut self, footer: FlatTable<'_>) -> Result<Layout, Error> {
        let kinds = kinds(footer).ok_or_else(nonsense)?;
        let mut dictionaries = Vec::new();
        let blocks = footer.structures(footer::DICTIONARIES);
        for block in blocks.ok_or_else(nonsense)? {
            dictionaries.push(self.dictionary(block)?);
        }
        let blocks = footer.structures(footer::BATCHES).ok_or_else(nonsense)?;
        let [block] = blocks[..] else {
            return Err(damaged("it does not have exactly one batch of rows"));
        };
        let (bytes, start) = self.message(block)?;
        let batch = header(&bytes, tag::RECORD_BATCH).ok_or_else(nonsense)?;
        let n_rows = batch.long(batch::LENGTH).unwrap_or(0);
        let n_rows = usize::try_from(n_rows).map_err(|_| nonsense())?;
        let mut buffers = self.buffers(batch, start, block[2])?.into_iter();
        let mut columns = Vec::new();
        for (number, (name, kind)) in kinds.into_iter().enumerate() {
            let sum = self.sum(&format!("{COLUMN}{name}"));
            let of_column = |found: &(i64, usize, Vec<Buffer>)| found.0 == number as i64;
            let dictionary = dictionaries.iter().position(of_column);
            let dictionary = dictionary.map(|at| dictionaries.swap_remove(at));
            if dictionary.is_some() != matches!(kind, ColumnType::Text(_)) {
                return Err(nonsense());
            }
            let sums = sum.and_then(|sum| sums_of_column(sum)).ok_or_else(nonsense)?;
            let strips = self.sum(&format!("{STRIPS}{name}"));
            let strips = strips.map_or(&[][..], |sums| sums.as_bytes().as_chunks().0);
            let strips = strips.to_vec();
            let (of_texts, sums) = sums.split_at(usize::from(dictionary.is_some()).min(sums.len()));
            columns.push(ColumnLocation {
                name,
                kind,
                dictionary: dictionary.map(|(_, n_texts, buffers)| (n_texts, buffers)),
                buffers: buffers.by_ref().take(kind.n_buffers()).collect(),
                text_sum: of_texts.first().copied().unwrap_or_default(),
                sums: sums.to_vec(),
                strips,
            });
        }
        let is_whole = |place: &ColumnLocation| place.buffers.len() == place.kind.n_buffers();
        if columns.iter().all(is_whole) && buffers.next().is_none() {
            Ok(Layout { n_rows, columns })
        } else {
            Err(nonsense())
        }
    }

    /// Returns the number of a column, its number of distinct texts, and their location.
    fn dictionary(&mut self, block: [i64; 3]) -> Result<(i64, usize, Vec<Buffer>), Error> {
        let (bytes, start) = self.message(block)?;
        let header = header(&bytes, tag::DICTIONARY_BATCH).ok_or_else(nonsense)?;
        let data = header.table(dictionary::DATA).ok_or_else(nonsense)?;
        let id = header.long(dictionary::ID).unwrap_or(0);
        let n_texts = usize::try_from(data.long(batch::LENGTH).unwrap_or(0));
        let buffers = self.buffers(data, start, block[2])?;
        match (n_texts, buffers.len()) {
            (Ok(n_texts), 3) => Ok((id, n_texts, buffers)),
            _ => Err(nonsense()),
        }
    }

    /// Returns a message and the offset of its body.
    fn message(&mut self, [start, length, _]: [i64; 3]) -> Result<(Vec<u8>, u64), Error> {
        let place = (u64::try_from(start), usize::try_from(length));
        let (Ok(start), Ok(length)) = place else {
            return Err(nonsense());
        };
        let mut bytes = read(self.input, start, length)?;
        if bytes.len() < 8 || !bytes.starts_with(&CONTINUATION) {
            return Err(damaged("a message is missing"));
        }
        bytes.drain(..8);
        self.messages.update(&bytes);
        let body = start.checked_add(length as u64).ok_or_else(nonsense)?;
        Ok((bytes, body))
    }

    /// Returns the location of each buffer of a batch, after checking that all are within its body.
    fn buffers(&self, batch: FlatTable<'_>, body: u64, length: i64) -> Result<Vec<Buffer>, Error> {
        let places = batch.structures(batch::BUFFERS).ok_or_else(nonsense)?;
        let buffer = |[start, size]: [i64; 2]| {
            let end = start.checked_add(size)?;
            let start = body.checked_add(u64::try_from(start).ok()?)?;
            let is_within =
                end <= length && start.checked_add(size.try_into().ok()?)? <= self.input.size();
            let length = usize::try_from(size).ok()?;
            is_within.then_some(Buffer { start, length })
        };
        let buffers: Option<Vec<Buffer>> = places.into_iter().map(buffer).collect();
        buffers.ok_or_else(nonsense)
    }
}

/// Returns the header of a message, if it is of this kind.
fn header(bytes: &[u8], tag: u8) -> Option<FlatTable<'_>> {
    let message = FlatTable::root(bytes)?;
    let is_such = message.byte(message::HEADER_TYPE) == Some(tag);
    message.table(message::HEADER).filter(|_| is_such)
}

/// Names and values of the checksums in a footer.
fn sums(footer: FlatTable<'_>) -> Option<Vec<(String, String)>> {
    let pairs = footer.tables(footer::METADATA)?.into_iter();
    pairs.map(|pair| Some((pair.text(0)?.to_owned(), pair.text(1)?.to_owned()))).collect()
}

/// Splits the checksums of a column.
fn sums_of_column(text: &str) -> Option<&[[u8; 16]]> {
    let (sums, rest) = text.as_bytes().as_chunks();
    rest.is_empty().then_some(sums)
}

/// Names and types of the columns in the schema of a footer.
fn kinds(footer: FlatTable<'_>) -> Option<Vec<(String, ColumnType)>> {
    let fields = footer.table(footer::SCHEMA)?.tables(schema::FIELDS)?;
    let bits = |field: FlatTable<'_>| field.table(column::TYPE)?.int(0)?.try_into().ok();
    let kind = |field: FlatTable<'_>| {
        Some(match field.byte(column::TYPE_TAG)? {
            tag::INT => ColumnType::Number(bits(field)?),
            tag::UTF8 => {
                let index = field.table(column::DICTIONARY)?.table(encoding::INDEX)?;
                ColumnType::Text(index.int(0)?.try_into().ok()?)
            }
            tag::LIST => match field.tables(column::CHILDREN)?[..] {
                [item] if item.byte(column::TYPE_TAG)? == tag::INT => ColumnType::List(bits(item)?),
                _ => return None,
            },
            _ => return None,
        })
    };
    let named = |field: FlatTable<'_>| Some((field.text(column::NAME)?.to_owned(), kind(field)?));
    fields.into_iter().map(named).collect()
}

/// Reads exactly `length` bytes, or fails.
fn read(input: &dyn Input, start: u64, length: usize) -> Result<Vec<u8>, Error> {
    let mut bytes = Bytes::default();
    read_into(input, start, length, &mut bytes)?;
    Ok(bytes.memory)
}

fn read_into(input: &dyn Input, start: u64, length: usize, bytes: &mut Bytes) -> Result<(), Error> {
    // Memory is only allocated for bytes that the file has.
    let end = start.checked_add(length as u64);
    if end.is_none_or(|end| end > input.size()) {
        return Err(damaged("it is too short"));
    }
    fill(input, start, bytes.room(length)?)
}

fn fill(input: &dyn Input, start: u64, room: &mut [u8]) -> Result<(), Error> {
    match input.fill_at(start, room) {
        Ok(n) if n == room.len() => Ok(()),
        Ok(_) => Err(damaged("it became shorter while it was read")),
        Err(error) => Err(Error::unreadable("", error)),
    }
}

fn damaged(what: impl Into<String>) -> Error {
    Error::Damaged(what.into())
}

fn nonsense() -> Error {
    damaged("it does not have the layout of a segment")
}

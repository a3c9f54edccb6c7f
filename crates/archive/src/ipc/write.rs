//! Writes files: one column after the other, then the footer that locates them.

use std::io::{self, Write};
use std::ops::Range;

use xxhash_rust::xxh3::Xxh3;

use super::flat::{self, Value};
use super::{
    ALIGNMENT, BLOCK_ROWS, COLUMN, CONTINUATION, ColumnType, MAGIC, MESSAGES, STRIPS, Strips, V5,
    checksum, items_of, tag,
};

/// Buffers of a batch.
#[derive(Default)]
pub(crate) struct Body {
    bytes: Vec<u8>,
    /// Offset and length of each buffer.
    buffers: Vec<i64>,
    /// Number of cells and of missing cells for each column; for lists, then those of the items.
    nodes: Vec<i64>,
}

impl Body {
    /// Adds a buffer. `write` appends its bytes.
    pub(crate) fn buffer(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let start = self.bytes.len();
        write(&mut self.bytes);
        let length = self.bytes.len() - start;
        self.buffers.extend([start as i64, length as i64]);
        let end = self.bytes.len().next_multiple_of(ALIGNMENT as usize);
        self.bytes.resize(end, 0);
    }

    /// Adds the bitmap of present cells among `n`. The bitmap is empty if no cell is missing.
    pub(crate) fn validity(&mut self, n: usize, is_there: impl Fn(usize) -> bool) {
        let n_missing = (0..n).filter(|&at| !is_there(at)).count();
        self.node(n, n_missing);
        self.buffer(|bytes| {
            if n_missing > 0 {
                let start = bytes.len();
                bytes.resize(start + n.div_ceil(8), 0);
                for at in (0..n).filter(|&at| is_there(at)) {
                    bytes[start + at / 8] |= 1 << (at % 8);
                }
            }
        });
    }

    fn node(&mut self, n: usize, n_missing: usize) {
        self.nodes.extend([n as i64, n_missing as i64]);
    }

    /// Returns the header of the batch with this number of rows.
    fn batch(&self, n_rows: usize) -> Vec<Value<'static>> {
        vec![
            Value::Long(n_rows as i64),
            Value::Structures(2, self.nodes.clone()),
            Value::Structures(2, self.buffers.clone()),
        ]
    }

    /// Iterates over the bytes of the buffers from `first` on.
    fn buffers_from(&self, first: usize) -> impl Iterator<Item = &[u8]> {
        let places = self.buffers[first..].chunks_exact(2);
        places.map(|place| {
            let (start, length) = (place[0] as usize, place[1] as usize);
            &self.bytes[start..start + length]
        })
    }

    /// Returns the checksum of all buffers.
    fn sum(&self) -> u64 {
        let mut hash = Xxh3::new();
        self.buffers_from(0).for_each(|bytes| hash.update(bytes));
        hash.digest()
    }

    /// Returns the checksum of some rows of a column whose buffers begin at `first`.
    fn sum_of_rows(&self, kind: ColumnType, first: usize, rows: &Range<usize>) -> u64 {
        let mut hash = Xxh3::new();
        for bytes in self.bytes_of_rows(kind, first, rows) {
            hash.update(bytes);
        }
        hash.digest()
    }

    /// Returns the bytes of some rows in each buffer of a column whose buffers begin at `first`.
    fn bytes_of_rows(&self, kind: ColumnType, first: usize, rows: &Range<usize>) -> Vec<&[u8]> {
        let mut own: Vec<&[u8]> = Vec::new();
        for (number, bytes) in self.buffers_from(first).enumerate() {
            let range = match (kind, number) {
                (ColumnType::List(bits), 3) => items_of(bits, own[1]).unwrap_or_default(),
                _ => kind.bytes_of(number, bytes.len(), rows),
            };
            own.push(&bytes[range]);
        }
        own
    }

    /// Returns the checksums of a block of a column of lists: that of the bounds, and those of the
    /// items of each strip.
    fn sums_of_strips(&self, kind: ColumnType, first: usize, block: &Range<usize>) -> Vec<u32> {
        let bounds = self.bytes_of_rows(kind, first, block);
        let mut sums = vec![checksum(bounds[1]) as u32];
        for start in block.clone().step_by(Strips::ROWS) {
            let rows = start..block.end.min(start + Strips::ROWS);
            let strip = self.bytes_of_rows(kind, first, &rows);
            sums.push(checksum(strip[3]) as u32);
        }
        sums
    }
}

/// A file being written.
pub(crate) struct IpcWriter<'n, W> {
    out: W,
    at: u64,
    n_rows: usize,
    /// The batch with all columns, written last.
    body: Body,
    columns: Vec<(&'n str, ColumnType)>,
    /// Number of columns written so far.
    n_columns: usize,
    /// For each dictionary: its offset, the size of its message, and the size of its body.
    dictionaries: Vec<i64>,
    messages: Xxh3,
    /// Names and values of the checksums.
    sums: Vec<(String, String)>,
}

impl<'n, W: Write> IpcWriter<'n, W> {
    /// Starts a file with these columns.
    pub(crate) fn begin(
        out: W,
        n_rows: usize,
        columns: Vec<(&'n str, ColumnType)>,
    ) -> io::Result<IpcWriter<'n, W>> {
        let mut writer = IpcWriter {
            out,
            at: 0,
            n_rows,
            body: Body::default(),
            columns,
            n_columns: 0,
            dictionaries: Vec::new(),
            messages: Xxh3::new(),
            sums: Vec::new(),
        };
        writer.put(MAGIC)?;
        writer.put(&[0; 2])?;
        let schema = writer.schema();
        writer.message(tag::SCHEMA, schema, &Body::default())?;
        Ok(writer)
    }

    /// Writes the next column: its dictionary, if it has one, and its cells. A column with strips
    /// has lists that can be read for some rows alone.
    pub(crate) fn column(
        &mut self,
        dictionary: Option<(usize, Body)>,
        has_strips: bool,
        cells: impl FnOnce(&mut Body),
    ) -> io::Result<()> {
        let number = self.n_columns;
        self.n_columns += 1;
        let (mut sums, mut strips) = (Vec::new(), String::new());
        if let Some((n_texts, body)) = dictionary {
            let header = vec![Value::Long(number as i64), Value::Table(body.batch(n_texts))];
            let place = self.message(tag::DICTIONARY_BATCH, header, &body)?;
            self.dictionaries.extend(place);
            sums.push(body.sum());
        }
        let first = self.body.buffers.len();
        cells(&mut self.body);
        let (name, kind) = self.columns[number];
        for start in (0..self.n_rows).step_by(BLOCK_ROWS) {
            let rows = start..self.n_rows.min(start + BLOCK_ROWS);
            sums.push(self.body.sum_of_rows(kind, first, &rows));
            if has_strips {
                let of_block = self.body.sums_of_strips(kind, first, &rows);
                strips.extend(of_block.iter().map(|sum| format!("{sum:08x}")));
            }
        }
        let sums: String = sums.iter().map(|sum| format!("{sum:016x}")).collect();
        self.sums.push((format!("{COLUMN}{name}"), sums));
        if has_strips {
            self.sums.push((format!("{STRIPS}{name}"), strips));
        }
        Ok(())
    }

    /// Finishes the file. Returns its size and the checksum of its footer.
    pub(crate) fn finish(mut self) -> io::Result<(u64, u64)> {
        let body = std::mem::take(&mut self.body);
        let place = self.message(tag::RECORD_BATCH, body.batch(self.n_rows), &body)?;
        // End marker of the stream format.
        self.put(&CONTINUATION)?;
        self.put(&[0; 4])?;
        let messages = format!("{:016x}", self.messages.digest());
        self.sums.push((MESSAGES.to_owned(), messages));
        let sums = self.sums.iter();
        let sums = sums.map(|(name, sum)| vec![Value::Text(name), Value::Text(sum)]);
        let footer = flat::write(&[
            Value::Short(V5),
            Value::Table(self.schema()),
            Value::Structures(3, self.dictionaries.clone()),
            Value::Structures(3, place.to_vec()),
            Value::Tables(sums.collect()),
        ]);
        self.put(&footer)?;
        self.put(&(footer.len() as u32).to_le_bytes())?;
        self.put(MAGIC)?;
        self.out.flush()?;
        Ok((self.at, checksum(&footer)))
    }

    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.out.write_all(bytes)
    }

    /// Writes a message and its body. Returns its offset, the size of the part before the body, and
    /// the size of the body.
    fn message(&mut self, tag: u8, header: Vec<Value<'_>>, body: &Body) -> io::Result<[i64; 3]> {
        let start = self.at;
        let length = body.bytes.len() as i64;
        let mut bytes = flat::write(&[
            Value::Short(V5),
            Value::Byte(tag),
            Value::Table(header),
            Value::Long(length),
        ]);
        while !(start + 8 + bytes.len() as u64).is_multiple_of(ALIGNMENT) {
            bytes.push(0);
        }
        if tag != self::tag::SCHEMA {
            self.messages.update(&bytes);
        }
        self.put(&CONTINUATION)?;
        self.put(&(bytes.len() as u32).to_le_bytes())?;
        self.put(&bytes)?;
        self.put(&body.bytes)?;
        Ok([start as i64, 8 + bytes.len() as i64, length])
    }

    fn schema(&self) -> Vec<Value<'n>> {
        let columns = self.columns.iter().enumerate();
        let fields = columns.map(|(number, &(name, kind))| field(number, name, kind));
        vec![Value::Short(0), Value::Tables(fields.collect())]
    }
}

/// Describes a column for the schema.
fn field(number: usize, name: &str, kind: ColumnType) -> Vec<Value<'_>> {
    let number_type = |bits| vec![Value::Int(i32::from(bits)), Value::Bool(false)];
    let plain = |name, tag, kind, dictionary, children| {
        vec![
            Value::Text(name),
            Value::Bool(true),
            Value::Byte(tag),
            Value::Table(kind),
            dictionary,
            Value::Tables(children),
        ]
    };
    match kind {
        ColumnType::Number(bits) => {
            plain(name, tag::INT, number_type(bits), Value::Nothing, Vec::new())
        }
        ColumnType::Text(bits) => {
            let encoding = vec![Value::Long(number as i64), Value::Table(number_type(bits))];
            plain(name, tag::UTF8, Vec::new(), Value::Table(encoding), Vec::new())
        }
        ColumnType::List(bits) => {
            let item = plain("item", tag::INT, number_type(bits), Value::Nothing, Vec::new());
            plain(name, tag::LIST, Vec::new(), Value::Nothing, vec![item])
        }
    }
}

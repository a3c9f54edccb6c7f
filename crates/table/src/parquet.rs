//! Writes rows as a table in Apache Parquet.
//!
//! Rows are collected column by column (`gathered`) and written as a row group at a fixed size, so
//! that memory does not depend on their number. Each column of a group is one compressed page of
//! plain values: dictionaries would make files smaller by one or two percent. The footer of the
//! file describes the columns and their locations (`schema`, `thrift`).

mod gathered;
mod schema;
mod thrift;

use std::borrow::Cow;
use std::io::{self, Write};

use crate::MAKER;
use crate::column::CellType;
use gathered::Column;
use schema::{Element, Leaf};
use thrift::Thrift;

/// Maximum number of rows in a row group.
const GROUP_ROWS: usize = 100_000;

/// Number of stored bytes at which a row group ends.
const GROUP_BYTES: usize = 32 << 20;

/// Bytes at the start and at the end of a file.
const MAGIC: &[u8] = b"PAR1";

// Numbers defined by the format.
const PLAIN: i32 = 0;
const RUNS_AND_BITS: i32 = 3;
const DATA_PAGE: i32 = 0;
/// Compression of pages: Zstandard or none.
const CODEC: i32 = if cfg!(feature = "zstd") { 6 } else { 0 };

/// Parquet file that is being written.
pub(crate) struct ParquetFile<W: Write> {
    to: W,
    /// Number of bytes written.
    at: u64,
    columns: Vec<Column>,
    /// Number of rows not yet written.
    n_rows: usize,
    n_bytes: usize,
    groups: Vec<RowGroup>,
}

/// Row group that was written.
struct RowGroup {
    n_rows: usize,
    /// One chunk per leaf.
    chunks: Vec<Chunk>,
}

/// Leaf of a row group in the file.
struct Chunk {
    column: usize,
    leaf: Leaf,
    n_entries: usize,
    start: u64,
    /// Number of bytes before compression.
    n_raw: usize,
    n_packed: usize,
}

impl<W: Write> ParquetFile<W> {
    /// Starts a file with these columns.
    pub(crate) fn new<'n>(
        to: W,
        columns: impl Iterator<Item = (&'n str, CellType)>,
    ) -> io::Result<ParquetFile<W>> {
        let columns = columns.map(|(name, cell_type)| Column::new(name, cell_type));
        let mut file = ParquetFile {
            to,
            at: 0,
            columns: columns.collect(),
            n_rows: 0,
            n_bytes: 0,
            groups: Vec::new(),
        };
        file.write(MAGIC)?;
        Ok(file)
    }

    /// Adds rows that were stored cell by cell.
    pub(crate) fn add(&mut self, mut stored: &[u8]) -> io::Result<()> {
        self.n_bytes += stored.len();
        while !stored.is_empty() {
            for column in &mut self.columns {
                let message = "a row came back without all its columns";
                let added = column.push_stored(&mut stored);
                added.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, message))?;
            }
            self.n_rows += 1;
            if self.n_rows >= GROUP_ROWS {
                self.write_group()?;
            }
        }
        if self.n_bytes >= GROUP_BYTES { self.write_group() } else { Ok(()) }
    }

    pub(crate) fn get_mut(&mut self) -> &mut W {
        &mut self.to
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.at += bytes.len() as u64;
        self.to.write_all(bytes)
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.n_rows == 0 {
            return Ok(());
        }
        let mut chunks = Vec::new();
        for column in 0..self.columns.len() {
            for leaf in 0..self.columns[column].leaves.len() {
                chunks.push(self.write_chunk(column, leaf)?);
            }
        }
        self.groups.push(RowGroup { n_rows: self.n_rows, chunks });
        (self.n_rows, self.n_bytes) = (0, 0);
        Ok(())
    }

    fn write_chunk(&mut self, column: usize, leaf: usize) -> io::Result<Chunk> {
        let gathered = &mut self.columns[column].leaves[leaf];
        let leaf = gathered.leaf;
        let (page, n_entries) = gathered.take_page();
        let packed = pack(&page)?;
        let [n_entries_32, n_page, n_packed] = [n_entries, page.len(), packed.len()].map(int32);
        let (n_entries_32, n_page, n_packed) = (n_entries_32?, n_page?, n_packed?);
        let header = Thrift::of(|t| {
            t.int32(1, DATA_PAGE);
            t.int32(2, n_page);
            t.int32(3, n_packed);
            t.structure(5, |t| {
                t.int32(1, n_entries_32);
                t.int32(2, PLAIN);
                t.int32(3, RUNS_AND_BITS);
                t.int32(4, RUNS_AND_BITS);
            });
        });
        let start = self.at;
        self.write(&header)?;
        self.write(&packed)?;
        Ok(Chunk {
            column,
            leaf,
            n_entries,
            start,
            n_raw: header.len() + page.len(),
            n_packed: header.len() + packed.len(),
        })
    }

    /// Writes the rest and returns the output.
    pub(crate) fn finish(mut self) -> io::Result<W> {
        self.write_group()?;
        let footer = self.footer();
        let length = int32(footer.len())?;
        self.write(&footer)?;
        self.write(&length.to_le_bytes())?;
        self.write(MAGIC)?;
        Ok(self.to)
    }

    /// Returns the footer, which describes the columns and their locations.
    fn footer(&self) -> Vec<u8> {
        let mut schema = vec![Element::root(self.columns.len())];
        for column in &self.columns {
            schema.extend(schema::elements(&column.name, column.cell_type));
        }
        let n_rows: usize = self.groups.iter().map(|group| group.n_rows).sum();
        Thrift::of(|t| {
            t.int32(1, 1);
            t.structures(2, &schema, |t, element| element.write(t));
            t.int64(3, n_rows as i64);
            t.structures(4, &self.groups, |t, group| {
                t.structures(1, &group.chunks, |t, chunk| {
                    t.int64(2, chunk.start as i64);
                    t.structure(3, |t| chunk.write(&self.columns[chunk.column].name, t));
                });
                let n_raw: usize = group.chunks.iter().map(|chunk| chunk.n_raw).sum();
                t.int64(2, n_raw as i64);
                t.int64(3, group.n_rows as i64);
            });
            t.text(6, MAKER);
        })
    }
}

impl Chunk {
    fn write(&self, column: &str, t: &mut Thrift) {
        t.int32(1, self.leaf.physical as i32);
        t.int32s(2, &[PLAIN, RUNS_AND_BITS]);
        t.texts(3, &[&[column], self.leaf.path].concat());
        t.int32(4, CODEC);
        t.int64(5, self.n_entries as i64);
        t.int64(6, self.n_raw as i64);
        t.int64(7, self.n_packed as i64);
        t.int64(9, self.start as i64);
    }
}

/// Compresses a page.
#[cfg(feature = "zstd")]
fn pack(page: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    /// Fast level, as usual for tables.
    const LEVEL: i32 = 1;
    zstd::bulk::compress(page, LEVEL).map(Cow::Owned)
}

/// Returns the page as it is, since this build has no compression.
#[cfg(not(feature = "zstd"))]
fn pack(page: &[u8]) -> io::Result<Cow<'_, [u8]>> {
    Ok(Cow::Borrowed(page))
}

/// Converts a length to the integer type of the format.
fn int32(n: usize) -> io::Result<i32> {
    let message = "the results in one game are too large for a table";
    i32::try_from(n).map_err(|_| io::Error::new(io::ErrorKind::FileTooLarge, message))
}

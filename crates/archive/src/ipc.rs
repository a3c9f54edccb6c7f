//! Arrow IPC files with one record batch, readable by any Arrow library.
//!
//! A file consists of a schema, a dictionary for each column of texts, the batch with all columns,
//! and a footer with the locations of these. The footer also has checksums for each column, one per
//! [`BLOCK_ROWS`] rows, and one for the messages that locate the buffers of the columns. So the
//! checksum of the footer identifies the whole file. Buffers are not compressed and begin at
//! multiples of 64 bytes: reading a column, or a block of it, means reading its bytes. A column of
//! long lists may also have checksums for the [strips](Strips) of each block, so that the lists of
//! some rows can be read without the others.

mod flat;
mod read;
mod strips;
mod write;

use std::ops::Range;

pub(crate) use read::{BlockBytes, Layout, TextBytes};
pub use strips::Strips;
pub(crate) use write::{Body, IpcWriter};

/// First and last bytes of a file.
const MAGIC: &[u8] = b"ARROW1";

/// Marker before the size of each message.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Alignment of buffers in bytes.
const ALIGNMENT: u64 = 64;

/// Metadata version V5, encoded as 4.
const V5: i16 = 4;

/// Number of rows that share one checksum in each column. Their moves take about as much memory as
/// a processor's nearest cache. A multiple of 8, so that no byte of a bitmap belongs to two blocks.
pub const BLOCK_ROWS: usize = 1024;

/// Names of checksums in the footer: that of the messages, and the prefixes of those of columns and
/// of strips.
const MESSAGES: &str = "babson:messages";
const COLUMN: &str = "babson:column:";
const STRIPS: &str = "babson:strips:";

/// Tags of the union members in use.
mod tag {
    pub(super) const SCHEMA: u8 = 1;
    pub(super) const DICTIONARY_BATCH: u8 = 2;
    pub(super) const RECORD_BATCH: u8 = 3;
    pub(super) const INT: u8 = 2;
    pub(super) const UTF8: u8 = 5;
    pub(super) const LIST: u8 = 12;
}

/// Numbers of the table fields in use.
mod field {
    pub(super) mod message {
        pub(in super::super) const HEADER_TYPE: usize = 1;
        pub(in super::super) const HEADER: usize = 2;
    }
    pub(super) mod schema {
        pub(in super::super) const FIELDS: usize = 1;
    }
    pub(super) mod column {
        pub(in super::super) const NAME: usize = 0;
        pub(in super::super) const TYPE_TAG: usize = 2;
        pub(in super::super) const TYPE: usize = 3;
        pub(in super::super) const DICTIONARY: usize = 4;
        pub(in super::super) const CHILDREN: usize = 5;
    }
    pub(super) mod footer {
        pub(in super::super) const SCHEMA: usize = 1;
        pub(in super::super) const DICTIONARIES: usize = 2;
        pub(in super::super) const BATCHES: usize = 3;
        pub(in super::super) const METADATA: usize = 4;
    }
    pub(super) mod batch {
        pub(in super::super) const LENGTH: usize = 0;
        pub(in super::super) const BUFFERS: usize = 2;
    }
    pub(super) mod dictionary {
        pub(in super::super) const ID: usize = 0;
        pub(in super::super) const DATA: usize = 1;
    }
    pub(super) mod encoding {
        pub(in super::super) const INDEX: usize = 1;
    }
}

/// Type of the cells of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ColumnType {
    /// Unsigned integers with this number of bits.
    Number(u8),
    /// Texts, each distinct one stored once and numbered with this number of bits.
    Text(u8),
    /// Lists of unsigned integers with this number of bits.
    List(u8),
}

impl ColumnType {
    /// Largest number of buffers of a column in the batch.
    const MOST_BUFFERS: usize = 4;

    /// Number of buffers of the column in the batch.
    fn n_buffers(self) -> usize {
        match self {
            ColumnType::Number(_) | ColumnType::Text(_) => 2,
            ColumnType::List(_) => 4,
        }
    }

    /// Returns the bytes of a buffer that belong to these rows; `length` is the size of the buffer.
    /// Empty for the items of lists, whose range depends on the bounds in the buffer before.
    fn bytes_of(self, buffer: usize, length: usize, rows: &Range<usize>) -> Range<usize> {
        let sized = |bits: u8, end: usize| {
            let size = usize::from(bits / 8);
            rows.start * size..end * size
        };
        match (self, buffer) {
            (_, 0) if length == 0 => 0..0,
            (_, 0) => rows.start / 8..rows.end.div_ceil(8),
            (ColumnType::Number(bits) | ColumnType::Text(bits), _) => sized(bits, rows.end),
            (ColumnType::List(_), 1) => sized(32, rows.end + 1),
            (ColumnType::List(_), _) => 0..0,
        }
    }
}

/// Returns the bytes of the items of consecutive rows, given the bounds of exactly these rows.
fn items_of(bits: u8, bounds: &[u8]) -> Option<Range<usize>> {
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) as usize;
    let size = usize::from(bits / 8);
    let (first, last) = (number(bounds.first_chunk()?), number(bounds.last_chunk()?));
    (first <= last).then(|| first * size..last * size)
}

/// Checksum of bytes: XXH3 with 64 bits.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

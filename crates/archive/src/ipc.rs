//! Arrow IPC files with one batch of rows, as any Arrow library reads them.
//!
//! A file is a schema, the dictionary of each column of texts, the batch with all columns, and a
//! footer that says where these are. The footer also has the checksums of each column, one for every
//! [`BLOCK_ROWS`] rows, and one for the messages that say where the buffers of the columns are;
//! whoever knows the checksum of the footer knows the file. Buffers are not compressed and begin at
//! multiples of 64 bytes, so that a column, or a block of it, is read by reading its bytes. A column
//! of long lists may have checksums of the [strips](Strips) of each block besides, so that the lists
//! of some rows can be read without the others.

mod flat;
mod read;
mod strips;
mod write;

use std::ops::Range;

pub(crate) use read::{BlockBytes, Layout, TextBytes};
pub use strips::Strips;
pub(crate) use write::{Body, Writer};

/// How a file begins, and how it ends.
const MAGIC: &[u8] = b"ARROW1";

/// What stands before the size of each message.
const CONTINUATION: [u8; 4] = [0xff; 4];

/// Buffers begin at multiples of this.
const ALIGNMENT: u64 = 64;

/// The version of the metadata, number 5.
const V5: i16 = 4;

/// So many rows have a checksum of their own in each column: their moves take about as much memory
/// as a processor has close by. A multiple of 8, so that no byte of bits belongs to two blocks.
pub const BLOCK_ROWS: usize = 1024;

/// Names of the checksums in the footer: that of the messages, and how those of columns and those of
/// the strips of columns begin.
const MESSAGES: &str = "babson:messages";
const COLUMN: &str = "babson:column:";
const STRIPS: &str = "babson:strips:";

/// The members of the unions that are used.
mod tag {
    pub(super) const SCHEMA: u8 = 1;
    pub(super) const DICTIONARY_BATCH: u8 = 2;
    pub(super) const RECORD_BATCH: u8 = 3;
    pub(super) const INT: u8 = 2;
    pub(super) const UTF8: u8 = 5;
    pub(super) const LIST: u8 = 12;
}

/// The numbers of the fields of the tables that are used.
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

/// What the cells of a column are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Numbers of so many bits, none of which is negative.
    Number(u8),
    /// Texts, each different one noted once. So many bits say which it is.
    Text(u8),
    /// Lists of such numbers.
    List(u8),
}

impl Kind {
    /// No column has more buffers in the batch.
    const MOST_BUFFERS: usize = 4;

    /// How many buffers a column has in the batch.
    fn n_buffers(self) -> usize {
        match self {
            Kind::Number(_) | Kind::Text(_) => 2,
            Kind::List(_) => 4,
        }
    }

    /// The bytes of a buffer of so many bytes that belong to some rows. Which of the items of lists
    /// do stands in the buffer before.
    fn bytes_of(self, buffer: usize, length: usize, rows: &Range<usize>) -> Range<usize> {
        let sized = |bits: u8, end: usize| {
            let size = usize::from(bits / 8);
            rows.start * size..end * size
        };
        match (self, buffer) {
            (_, 0) if length == 0 => 0..0,
            (_, 0) => rows.start / 8..rows.end.div_ceil(8),
            (Kind::Number(bits) | Kind::Text(bits), _) => sized(bits, rows.end),
            (Kind::List(_), 1) => sized(32, rows.end + 1),
            (Kind::List(_), _) => 0..0,
        }
    }
}

/// The items that some rows have together, from the bytes that say where lists begin and end: those
/// of these rows alone.
fn items_of(bits: u8, bounds: &[u8]) -> Option<Range<usize>> {
    let number = |bytes: &[u8; 4]| u32::from_le_bytes(*bytes) as usize;
    let size = usize::from(bits / 8);
    let (first, last) = (number(bounds.first_chunk()?), number(bounds.last_chunk()?));
    (first <= last).then(|| first * size..last * size)
}

/// The checksum of bytes.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

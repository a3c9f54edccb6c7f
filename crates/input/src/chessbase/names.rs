//! Files of names: players, tournaments, annotators, sources and teams. A name is found by the
//! number of its record. The records also form a tree that orders them, which is not needed here.

use std::io;
use std::ops::Range;

use flow::Input;

use crate::bytes::Bytes;
use crate::file::CountedInput;

/// Bytes of each record before its data: its place in the tree.
const NODE: usize = 9;

/// Size of the header, without the bytes that newer versions add to it.
const HEADER: usize = 28;

/// Largest size of a record. The largest known one has 1,608 bytes.
const LARGEST: u64 = 1 << 16;

/// A file of names.
pub(super) struct Names {
    file: CountedInput,
    header: u64,
    /// Size of a record.
    size: usize,
    record: Vec<u8>,
}

impl Names {
    /// Opens a file whose records have at least `least` bytes of data; `None` if it is damaged.
    pub(super) fn open(file: CountedInput, least: usize) -> io::Result<Option<Names>> {
        let head = file.head(HEADER)?;
        let mut head = Bytes(&head);
        let mut read = || {
            head.take(8)?;
            let is_marked = head.word(4)? == 1_234_567_890;
            let size = head.word(4)?;
            head.take(8)?;
            let more = head.word(4)?;
            let is_sound = is_marked && (least as u64..LARGEST).contains(&size) && more < LARGEST;
            is_sound.then_some((size as usize, more))
        };
        Ok(read().map(|(size, more)| Names {
            file,
            header: HEADER as u64 + more,
            size: NODE + size,
            record: Vec::new(),
        }))
    }

    /// Returns the data of the record with this number; `None` if there is none.
    pub(super) fn record(&mut self, number: u32) -> io::Result<Option<&[u8]>> {
        let at = self.header + u64::from(number) * self.size as u64;
        self.record.resize(self.size, 0);
        let n = self.file.fill_at(at, &mut self.record)?;
        // The left branch of a deleted record.
        let is_there = n == self.size && self.record[..4] != (-999_i32).to_le_bytes();
        Ok(is_there.then(|| &self.record[NODE..]))
    }
}

/// Returns a text in a record, which ends with a zero byte or fills its place. A letter of UTF-8
/// that is cut off at the end is left out.
pub(super) fn text(record: &[u8], place: Range<usize>) -> &[u8] {
    let field = record.get(place).unwrap_or_default();
    let field = field.split(|byte| *byte == 0).next().unwrap_or_default();
    let field = match str::from_utf8(field) {
        Err(error) if error.error_len().is_none() && !field[..error.valid_up_to()].is_ascii() => {
            &field[..error.valid_up_to()]
        }
        _ => field,
    };
    field.trim_ascii()
}

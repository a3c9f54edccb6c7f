//! Records of games in an index.

use std::io::{self, Read};

use super::super::error::Error;
use super::Version;

/// Size of the header of version 4.
pub(super) const HEADER: usize = 182;
/// Sizes of a record.
const RECORD_4: usize = 47;
pub(super) const RECORD_5: usize = 56;

/// Returns the number of games in a header of version 4.
pub(super) fn n_games(header: &[u8; HEADER]) -> Result<u64, Error> {
    match u16::from_be_bytes([header[8], header[9]]) {
        400 => Ok(u64::from(u32::from_be_bytes([0, header[14], header[15], header[16]]))),
        version => Err(Error::ScidVersion(version)),
    }
}

/// Record of a game.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// Place of its moves in their file.
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) white: u32,
    pub(super) black: u32,
    pub(super) event: u32,
    pub(super) site: u32,
    pub(super) round: u32,
    /// 1 if White won, 2 if Black won, 3 for a draw.
    pub(super) result: u8,
    /// Year, month and day in 11, 4 and 5 bits; zeros are unknown.
    pub(super) date: u32,
    pub(super) event_date: u32,
    pub(super) eco: u16,
    /// Ratings and their kinds.
    pub(super) ratings: [(u16, u8); 2],
    /// Three flags about the moves, those of the user from the fourth bit on.
    pub(super) flags: u32,
    pub(super) is_chess960: bool,
}

impl Entry {
    pub(super) fn read(version: Version, from: &mut impl Read) -> io::Result<Entry> {
        Ok(match version {
            Version::Four => {
                let mut record = [0; RECORD_4];
                from.read_exact(&mut record)?;
                Entry::of_version_4(&record)
            }
            Version::Five => {
                let mut record = [0; RECORD_5];
                from.read_exact(&mut record)?;
                Entry::of_version_5(&record)
            }
        })
    }

    fn of_version_4(record: &[u8; RECORD_4]) -> Entry {
        let byte = |at: usize| u32::from(record[at]);
        let short = |at: usize| u16::from_be_bytes([record[at], record[at + 1]]);
        let long = |high: u32, at: usize| high << 16 | u32::from(short(at));
        let dates = long(u32::from(short(25)), 27);
        let date = dates & 0xf_ffff;
        // The year of the event is stored by its distance from that of the game, plus 4.
        let event_date = match dates >> 20 {
            0 => 0,
            near => ((date >> 9) + (near >> 9)).saturating_sub(4) << 9 | near & 0x1ff,
        };
        let rating = |at| (short(at) & 0xfff, (short(at) >> 12) as u8 & 7);
        Entry {
            offset: u64::from(long(u32::from(short(0)), 2)),
            length: long(byte(6) >> 7, 4),
            flags: long(byte(6) & 0x3f, 7),
            white: long(byte(9) >> 4, 10),
            black: long(byte(9) & 15, 12),
            event: long(byte(14) >> 5, 15),
            site: long(byte(14) >> 2 & 7, 17),
            round: long(byte(14) & 3, 19),
            result: record[21] >> 4,
            eco: short(23),
            date,
            event_date,
            ratings: [rating(29), rating(31)],
            is_chess960: false,
        }
    }

    fn of_version_5(record: &[u8; RECORD_5]) -> Entry {
        let word = |at: usize| {
            let bytes = &record[4 * at..4 * at + 4];
            bytes.iter().rev().fold(0, |word: u32, &byte| word << 8 | u32::from(byte))
        };
        const ID: u32 = (1 << 28) - 1;
        let rating = |at, kind: u32| ((word(at) >> 20) as u16, (kind & 7) as u8);
        Entry {
            white: word(0) & ID,
            black: word(1) & ID,
            event: word(2) & ID,
            site: word(3),
            round: word(4) & 0x7fff_ffff,
            is_chess960: word(4) >> 31 == 1,
            date: word(5) & 0xf_ffff,
            event_date: word(6) & 0xf_ffff,
            flags: word(7) & 0x3f_ffff,
            length: word(8) >> 15,
            offset: u64::from(word(8) & 0x7fff) << 32 | u64::from(word(9)),
            ratings: [rating(5, word(11) >> 21), rating(6, word(11) >> 18)],
            result: (word(11) >> 16 & 3) as u8,
            eco: (word(11) & 0xffff) as u16,
        }
    }
}

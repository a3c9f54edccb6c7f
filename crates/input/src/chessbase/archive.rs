//! Archives of ChessBase: a list of members, and their data in blocks. A block is stored as it is,
//! or compressed by repetitions, by a Huffman code, or by both. The files of a database need random
//! access, so they are unpacked to temporary files first.

use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::sync::Arc;
use std::vec::IntoIter;

use flow::{Cancel, Input, Interruption, ReadError};

use super::Database;
use crate::bytes::Bytes;
use crate::compressed::Ratio;
use crate::converted::GameConverter;
use crate::error::Error;
use crate::file::{CountedInput, FileReader};
use crate::remarks::Remarks;
use crate::{Meter, Reading};

/// Size of the record of a member: its name in 128 bytes, then its place and sizes, twice.
const RECORD: usize = 173;

/// Number of bytes before the first record: a mark, the number of members, and the size of a record.
const HEADER: usize = 8;

/// Number of bytes from which repetitions are copied. The farthest is 4,098 bytes back.
const WINDOW: usize = 1 << 13;

/// Largest number of bytes from which repetitions of a block may go on.
const LARGEST: usize = 8 << 20;

/// Longest path in a Huffman code, in bits.
const LONGEST: usize = 15;

/// A file in an archive.
#[derive(Debug, Clone)]
struct Member {
    name: String,
    at: u64,
    n_packed: u64,
    size: u64,
}

impl Member {
    fn read(record: &[u8]) -> Option<Member> {
        let name = record.split(|byte| *byte == 0).next()?;
        // The second time, the numbers have eight bytes.
        let mut numbers = Bytes(record.get(149..)?);
        let name = String::from_utf8_lossy(name).into_owned();
        Some(Member {
            name,
            at: numbers.word(8)?,
            n_packed: numbers.word(8)?,
            size: numbers.word(8)?,
        })
    }

    /// Name without its ending, and the ending.
    fn parts(&self) -> Option<(&str, &str)> {
        self.name.rsplit_once('.')
    }
}

/// An archive whose databases are read one after the other.
pub(crate) struct Archive {
    file: CountedInput,
    members: Vec<Member>,
    indexes: IntoIter<Member>,
    /// The database that is read, with its name.
    current: Option<(String, Database)>,
    /// Names and errors of databases, which are returned after the last one.
    failed: Vec<(String, io::Error)>,
    /// Names of members that are damaged.
    damaged: Vec<String>,
    ratio: Ratio,
    cancel: Cancel,
    remarks: Remarks,
}

impl Archive {
    /// Opens an archive.
    pub(crate) fn open(
        file: CountedInput,
        reading: &Reading,
        remarks: &Remarks,
    ) -> Result<Archive, ReadError> {
        let head = file.head(HEADER)?;
        let n = Bytes(head.get(2..).unwrap_or_default()).word(2).unwrap_or(0);
        let mut list = vec![0; n as usize * RECORD];
        let len = file.fill_at(HEADER as u64, &mut list)?;
        if len < list.len() {
            return Err(Error::ChessBaseArchiveCutOff.into());
        }
        let members: Vec<Member> = list.chunks_exact(RECORD).filter_map(Member::read).collect();
        let is_index = |member: &&Member| {
            member.parts().is_some_and(|(_, ending)| ending.eq_ignore_ascii_case("cbh"))
        };
        let indexes: Vec<Member> = members.iter().filter(is_index).cloned().collect();
        if indexes.is_empty() {
            return Err(Error::ChessBaseArchiveEmpty.into());
        }
        Ok(Archive {
            file,
            members,
            indexes: indexes.into_iter(),
            current: None,
            failed: Vec::new(),
            damaged: Vec::new(),
            ratio: Ratio::new(reading.how.unpacked),
            cancel: reading.cancel.clone(),
            remarks: remarks.clone(),
        })
    }

    /// Unpacks a database.
    fn database(&mut self, index: &Member) -> io::Result<Database> {
        let (stem, _) = index.parts().unwrap_or_default();
        let remarks = self.remarks.clone();
        let file = self.unpack(index)?;
        let find = |wanted: &str| {
            let is_it = |member: &&Member| {
                member.parts().is_some_and(|(other, ending)| {
                    other.eq_ignore_ascii_case(stem) && ending.eq_ignore_ascii_case(wanted)
                })
            };
            let member = self.members.iter().find(is_it).cloned();
            member.map(|member| self.unpack(&member)).transpose()
        };
        Database::open(file, find, &remarks)
    }

    /// Unpacks a member, as far as it is not damaged.
    fn unpack(&mut self, member: &Member) -> io::Result<CountedInput> {
        // No more is unpacked than the list of members states.
        let most = usize::try_from(member.size).unwrap_or(usize::MAX);
        self.ratio.count(most.min(isize::MAX as usize), self.file.size())?;
        let mut packed = self.file.clone().reader();
        packed.seek(SeekFrom::Start(member.at.min(self.file.size())))?;
        let mut file = tempfile::tempfile()?;
        let mut unpacker =
            Unpacker { packed: BufReader::new(packed).take(member.n_packed), out: Vec::new() };
        let mut size = 0;
        loop {
            if self.cancel.is_cancelled() {
                return Err(Interruption::Cancelled.into());
            }
            let start = unpacker.out.len();
            let is_more = unpacker.block();
            let end = unpacker.out.len().min(start.saturating_add(most - size));
            file.write_all(&unpacker.out[start..end])?;
            size += end - start;
            let old = unpacker.out.len().saturating_sub(WINDOW);
            unpacker.out.drain(..old);
            match is_more {
                Ok(true) if size < most => {}
                Ok(_) => break,
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                    self.damaged.push(member.name.clone());
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(CountedInput::of_file(Arc::new(file), size as u64, &Meter::default()))
    }

    /// Keeps the error of a database until the others have been read. Fails if it concerns the
    /// whole archive.
    fn keep(&mut self, name: String, error: io::Error) -> io::Result<()> {
        let cause = error.get_ref().and_then(|error| error.downcast_ref());
        if matches!(cause, None | Some(Error::Implausible(_))) {
            return Err(error);
        }
        self.failed.push((name, error));
        Ok(())
    }

    /// Fails if a member is damaged or a database has an error.
    fn end(&mut self) -> io::Result<bool> {
        let members = std::mem::take(&mut self.damaged);
        let mut databases = std::mem::take(&mut self.failed);
        match (members.is_empty(), databases.len()) {
            (true, 0) => Ok(false),
            (true, 1) => databases.pop().map_or(Ok(false), |(_, error)| Err(error)),
            _ => Err(Error::ChessBaseArchiveDamaged { members, databases }.into()),
        }
    }
}

impl GameConverter for Archive {
    fn write_next(&mut self, pgn: &mut Vec<u8>) -> io::Result<bool> {
        loop {
            if let Some((name, mut database)) = self.current.take() {
                match database.write_next(pgn) {
                    Ok(true) => {
                        self.current = Some((name, database));
                        return Ok(true);
                    }
                    Ok(false) => {}
                    Err(error) => self.keep(name, error)?,
                }
            } else if let Some(index) = self.indexes.next() {
                match self.database(&index) {
                    Ok(database) => self.current = Some((index.name, database)),
                    Err(error) => self.keep(index.name, error)?,
                }
            } else {
                return self.end();
            }
        }
    }
}

/// Unpacks the blocks of a member.
struct Unpacker {
    packed: io::Take<BufReader<FileReader>>,
    /// The last bytes that were unpacked.
    out: Vec<u8>,
}

impl Unpacker {
    /// Unpacks the next block and returns whether there was one. Damage is an unexpected end.
    fn block(&mut self) -> io::Result<bool> {
        // Its size in two bytes, and two bytes whose meaning is not known.
        let mut head = [0; 4];
        if self.packed.limit() == 0 {
            return Ok(false);
        }
        self.packed.read_exact(&mut head)?;
        let mut block = vec![0; usize::from(u16::from_le_bytes([head[0], head[1]]))];
        self.packed.read_exact(&mut block)?;
        let end = || io::Error::from(io::ErrorKind::UnexpectedEof);
        let (method, block) = block.split_first().ok_or_else(end)?;
        match method {
            0 => self.out.extend_from_slice(block),
            1 => repeat(block, &mut self.out).ok_or_else(end)?,
            2 => decode(block, &mut self.out).ok_or_else(end)?,
            3 => {
                let mut repeated = Vec::new();
                decode(block, &mut repeated).ok_or_else(end)?;
                repeat(&repeated, &mut self.out).ok_or_else(end)?;
            }
            _ => return Err(end()),
        }
        Ok(true)
    }
}

/// Carries out repetitions: groups of sixteen items, each a byte or a copy of what is before. The
/// bits of a word before the group tell which is which. Returns `None` if a copy begins before the
/// first byte, or if there is too much.
fn repeat(packed: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut bytes = Bytes(packed);
    while let Some(bits) = bytes.word(2) {
        if out.len() > LARGEST {
            return None;
        }
        for bit in (0..16).rev() {
            // The last group may be short.
            let Some(byte) = bytes.byte() else { return Some(()) };
            if bits >> bit & 1 == 0 {
                out.push(byte);
                continue;
            }
            let (kind, low) = (byte >> 4, usize::from(byte & 15));
            let Some(next) = bytes.byte() else { return Some(()) };
            let far = (usize::from(next) << 4) + low;
            let mut last = || bytes.byte().map(usize::from);
            let (distance, n) = match kind {
                // A byte several times.
                0 => {
                    out.resize(out.len() + low + 3, next);
                    continue;
                }
                1 => {
                    let Some(byte) = last() else { return Some(()) };
                    out.resize(out.len() + far + 19, byte as u8);
                    continue;
                }
                2 => {
                    let Some(n) = last() else { return Some(()) };
                    (far + 3, n + 16)
                }
                n => (far + 3, usize::from(n)),
            };
            let start = out.len().checked_sub(distance)?;
            // A copy may overlap itself.
            for from in start..start + n {
                out.push(out[from]);
            }
        }
    }
    // A single byte at the end is a literal.
    out.extend(bytes.byte());
    Some(())
}

/// Decodes bytes in a Huffman code: their number in two bytes, the code, and the bytes. The code has
/// for each byte the length of its path in four bits, 0 if it does not occur, and the path.
fn decode(packed: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let mut bits = Bits { bytes: packed, n_read: 0 };
    let n = bits.take(16)?;
    if n == 0 {
        return Some(());
    }
    // Length and byte of each path, which is filled up to the longest one.
    let mut paths = vec![(0_u8, 0_u8); 1 << LONGEST];
    for byte in 0..=u8::MAX {
        let len = bits.take(4)?;
        if len > 0 {
            let rest = LONGEST - len;
            let first = bits.take(len)? << rest;
            paths[first..first + (1 << rest)].fill((len as u8, byte));
        }
    }
    for _ in 0..n {
        // The last path may be followed by fewer bits than the longest one has.
        let (len, byte) = paths[bits.peek(LONGEST)];
        if len == 0 || bits.n_read >= packed.len() * 8 {
            return None;
        }
        bits.n_read += usize::from(len);
        out.push(byte);
    }
    Some(())
}

/// Bits, the highest one of a byte first.
struct Bits<'a> {
    bytes: &'a [u8],
    n_read: usize,
}

impl Bits<'_> {
    /// Returns the next `n` bits, at most 16; zeros after the end.
    fn peek(&self, n: usize) -> usize {
        let (at, shift) = (self.n_read / 8, self.n_read % 8);
        let byte = |i: usize| self.bytes.get(at + i).copied().unwrap_or(0);
        let word = u32::from_be_bytes([byte(0), byte(1), byte(2), 0]) << shift;
        (word >> (32 - n)) as usize
    }

    fn take(&mut self, n: usize) -> Option<usize> {
        let bits = self.peek(n);
        self.n_read += n;
        (self.n_read <= self.bytes.len() * 8).then_some(bits)
    }
}

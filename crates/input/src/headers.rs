//! Members of a zip archive by their own headers, each of which is before its member: for an archive
//! whose list of members, at its end, is cut off, damaged, or not read completely by the library.

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Crc;
use zip::result::ZipError;

use super::bytes::Bytes;
use super::compressed::{Checked, Counted, Ratio, Unpacked};
use super::decode::{Decompressed, Inflate};
use super::error::Error;
use super::file::FileReader;
use super::in_order::{InOrder, Member};

/// Signature of a header, that of a row of the list, and that of what may follow a member: its checksum
/// and sizes.
const HEADER: &[u8] = b"PK\x03\x04";
const ROW: &[u8] = b"PK\x01\x02";
const DESCRIPTOR: &[u8] = b"PK\x07\x08";

/// Stands for a number that has no place in four bytes.
const LARGE: u64 = u32::MAX as u64;

/// Methods of compression.
const STORED: u64 = 0;
const DEFLATED: u64 = 8;

/// An archive between two reads.
pub(super) struct Headers {
    file: FileReader,
    /// Offset of the next header, or that of the current member.
    at: u64,
    member: Option<Current>,
    /// The error of the list, which follows the members.
    error: Option<ZipError>,
    /// Offsets of the headers that are still to be read, if they are known.
    listed: Option<std::vec::IntoIter<u64>>,
    ratio: Ratio,
    /// Number of members so far.
    n_members: usize,
}

/// The current member.
struct Current {
    reader: Box<dyn Read + Send>,
    /// Number of its bytes in the archive; `None` if they have to be read to know it.
    n_packed: Option<u64>,
    used: Arc<AtomicU64>,
}

impl Headers {
    pub(super) fn new(file: FileReader, error: ZipError, ratio: Ratio) -> Headers {
        let error = Some(error);
        Headers { file, at: 0, member: None, error, listed: None, ratio, n_members: 0 }
    }

    /// Reads the members with headers at these offsets.
    pub(super) fn listed(file: FileReader, offsets: Vec<u64>, ratio: Ratio) -> Headers {
        let listed = Some(offsets.into_iter());
        Headers { file, at: 0, member: None, error: None, listed, ratio, n_members: 0 }
    }

    /// Goes to the end of the current member.
    fn leave(&mut self) -> io::Result<()> {
        let Some(mut member) = self.member.take() else {
            return Ok(());
        };
        if let Some(n) = member.n_packed {
            self.at = self.at.saturating_add(n);
            return Ok(());
        }
        io::copy(&mut member.reader, &mut io::sink())?;
        self.at += member.used.load(Ordering::Relaxed);
        let mut behind = self.bytes(24)?;
        // The checksum, and two sizes of four or eight bytes, may have a signature before them.
        let lengths = if behind.starts_with(DESCRIPTOR) { [16, 24] } else { [12, 20] };
        behind.extend(self.bytes_at(self.at + 24, 4)?);
        let ends =
            |n: &&u64| behind.get(**n as usize..).is_some_and(|rest| rest.starts_with(b"PK"));
        self.at += lengths.iter().find(ends).unwrap_or(&0);
        Ok(())
    }

    fn bytes(&self, n: u64) -> io::Result<Vec<u8>> {
        self.bytes_at(self.at, n)
    }

    /// Returns bytes, fewer at the end of the file.
    fn bytes_at(&self, at: u64, n: u64) -> io::Result<Vec<u8>> {
        bytes_at(&self.file, at, n)
    }

    /// Reads the header at the next of the known offsets.
    fn next_listed(&mut self, offset: Option<u64>) -> io::Result<Option<Member>> {
        self.member = None;
        let Some(offset) = offset else {
            return Ok(None);
        };
        self.at = offset;
        let member = self.header()?;
        let missing =
            Error::Zip(ZipError::InvalidArchive("a member is not where its list says".into()));
        member.map(Some).ok_or_else(|| missing.into())
    }

    /// Reads the next header; `None` if there is none.
    fn header(&mut self) -> io::Result<Option<Member>> {
        let head = self.bytes(30)?;
        let Some(mut fields) = head.strip_prefix(HEADER).map(Bytes) else {
            return Ok(None);
        };
        // The version, flags, the method, time and date, the checksum, two sizes and two lengths.
        let mut next = |n: usize| fields.word(n);
        let read = (|| {
            next(2)?;
            let (flags, method) = (next(2)?, next(2)?);
            next(4)?;
            let (crc, packed, _, name, extra) = (next(4)?, next(4)?, next(4)?, next(2)?, next(2)?);
            Some((flags, method, crc, packed, name, extra))
        })();
        let Some((flags, method, crc, mut n_packed, n_name, n_extra)) = read else {
            return Ok(None);
        };
        let name = self.bytes_at(self.at + 30, n_name)?;
        let extra = self.bytes_at(self.at + 30 + n_name, n_extra)?;
        self.at += 30 + n_name + n_extra;
        let mut fields = Bytes(&extra);
        while let (Some(kind), Some(n)) = (fields.word(2), fields.word(2)) {
            let Some(field) = fields.take(n) else {
                break;
            };
            // The sizes of a large member, the one in the archive after the other.
            if let (1, Some(size)) = (kind, field.get(8..16)) {
                n_packed = Bytes(size).word(8).unwrap_or(n_packed);
            }
        }
        let (is_encrypted, is_sized) = (flags & 1 != 0, flags & 8 == 0);
        let why = match method {
            _ if is_encrypted => Some(ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED)),
            DEFLATED => None,
            STORED if is_sized => None,
            _ => Some(ZipError::UnsupportedArchive("Compression method not supported")),
        };
        let mut file = self.file.clone();
        file.seek(SeekFrom::Start(self.at))?;
        let used = Arc::new(AtomicU64::new(0));
        let packed = file.take(if is_sized { n_packed } else { u64::MAX });
        let packed = Counted::new(BufReader::new(packed), used.clone());
        let member: Box<dyn Read + Send> = match method {
            DEFLATED => Box::new(Decompressed::new(packed, Inflate::raw())),
            _ => Box::new(packed),
        };
        let expected = is_sized.then_some(crc as u32);
        let checked = Checked { member, crc: Crc::new(), expected };
        let (ratio, n_all) = (self.ratio.clone(), self.file.size());
        let reader = Box::new(Unpacked { unpacked: checked, ratio, n_packed: n_all });
        self.member = Some(Current { reader, n_packed: is_sized.then_some(n_packed), used });
        let path = String::from_utf8_lossy(&name).into_owned();
        let is_file = !path.ends_with('/');
        Ok(Some(Member { path, is_file, why: why.map(Error::Zip) }))
    }
}

/// Returns bytes, fewer at the end of the file.
fn bytes_at(file: &FileReader, at: u64, n: u64) -> io::Result<Vec<u8>> {
    let (mut file, mut bytes) = (file.clone(), Vec::new());
    file.seek(SeekFrom::Start(at))?;
    file.take(n).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Whether a file begins with a member of a zip archive.
pub(super) fn starts_with_header(file: &FileReader) -> io::Result<bool> {
    Ok(bytes_at(file, 0, 4)? == HEADER)
}

/// Returns the offsets of the headers in the list at `start`, which is at the end of an archive that
/// begins after `before` bytes. The rows are counted, whatever number the end of the archive says.
pub(super) fn offsets_in_list(file: &FileReader, start: u64, before: u64) -> io::Result<Vec<u64>> {
    let mut list = file.clone();
    list.seek(SeekFrom::Start(start))?;
    let mut list = BufReader::new(list);
    let mut offsets = Vec::new();
    loop {
        let mut row = Vec::new();
        list.by_ref().take(46).read_to_end(&mut row)?;
        let Some(offset) = row.strip_prefix(ROW).and_then(|row| offset_in_row(row, &mut list))
        else {
            return Ok(offsets);
        };
        offsets.push(offset.saturating_add(before));
    }
}

/// Returns the offset in a row of the list, and reads the row to its end; `None` if it is cut off.
fn offset_in_row(row: &[u8], rest: &mut impl Read) -> Option<u64> {
    let mut fields = Bytes(row);
    fields.take(16usize)?;
    let (packed, unpacked) = (fields.word(4)?, fields.word(4)?);
    let (n_name, n_extra, n_comment) = (fields.word(2)?, fields.word(2)?, fields.word(2)?);
    fields.take(8usize)?;
    let offset = fields.word(4)?;
    let mut texts = Vec::new();
    rest.take(n_name + n_extra + n_comment).read_to_end(&mut texts).ok()?;
    let mut texts = Bytes(&texts);
    texts.take(n_name)?;
    let mut extra = Bytes(texts.take(n_extra)?);
    texts.take(n_comment)?;
    // The numbers that have no place in four bytes, in this order.
    while let (Some(kind), Some(n)) = (extra.word(2), extra.word(2)) {
        let mut field = Bytes(extra.take(n)?);
        if kind == 1 && offset == LARGE {
            let n_sizes = [packed, unpacked].iter().filter(|size| **size == LARGE).count();
            field.take(8 * n_sizes)?;
            return field.word(8);
        }
    }
    Some(offset)
}

impl InOrder for Headers {
    fn next(&mut self) -> io::Result<Option<Member>> {
        if let Some(listed) = &mut self.listed {
            let offset = listed.next();
            return self.next_listed(offset);
        }
        let left = self.leave();
        let next = left.and_then(|()| self.header());
        match (next, self.error.take()) {
            (Ok(Some(member)), error) => {
                self.error = error;
                self.n_members += usize::from(member.is_file);
                Ok(Some(member))
            }
            (_, Some(error)) if self.n_members == 0 => Err(Error::Zip(error).into()),
            (_, Some(error)) => Err(Error::ZipList(error, self.n_members).into()),
            (next, None) => next,
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.member.as_mut().map_or(Ok(0), |member| member.reader.read(buffer))
    }
}

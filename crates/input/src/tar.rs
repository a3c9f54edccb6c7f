//! Tar archives: headers and what is between them.

use std::io::{self, Read};

use super::error::Error;
use super::in_order::{InOrder, Member};
use super::stream::Stream;

/// Size of a block, such as a header.
const BLOCK: usize = 512;

/// Largest size of a header that extends another one.
const LONGEST: u64 = 64 << 10;

/// Whether this is the beginning of an archive: a header with its checksum.
pub(super) fn is_header(head: &[u8]) -> bool {
    let Some(header) = head.first_chunk::<BLOCK>() else {
        return false;
    };
    let sum = |bytes: &[u8]| bytes.iter().map(|byte| u64::from(*byte)).sum::<u64>();
    let blanks = 8 * u64::from(b' ');
    number(&header[148..156]) == Some(sum(&header[..148]) + blanks + sum(&header[156..]))
}

/// An archive between two reads.
pub(super) struct Tar {
    stream: Stream,
    /// Number of bytes before the next header.
    left: u64,
    /// Number of bytes of the current member that have not been read.
    n_member: u64,
    /// Whether the last block was one of those that end an archive.
    is_ended: bool,
}

/// A member as its headers describe it.
struct Header {
    path: String,
    kind: u8,
    size: u64,
}

impl Tar {
    pub(super) fn new(stream: Stream) -> Tar {
        Tar { stream, left: 0, n_member: 0, is_ended: false }
    }

    /// Reads the headers of the next member.
    fn header(&mut self) -> io::Result<Option<Header>> {
        let (mut path, mut size) = (None, None);
        while let Some(block) = self.block()? {
            if block.iter().all(|byte| *byte == 0) {
                self.is_ended = true;
                continue;
            }
            let own = number(&block[124..136]).filter(|_| is_header(&block));
            let own = own.ok_or(Error::DamagedTar("no member begins after the last one"))?;
            self.is_ended = false;
            let kind = block[156];
            if !b"xL".contains(&kind) {
                let size = size.unwrap_or(own);
                self.left = size.checked_next_multiple_of(BLOCK as u64).unwrap_or(u64::MAX);
                let path = path.unwrap_or_else(|| path_of(&block));
                return Ok(Some(Header { path, kind, size }));
            }
            if own > LONGEST {
                return Err(Error::DamagedTar("a name is too long").into());
            }
            self.left = own.next_multiple_of(BLOCK as u64);
            let mut text = Vec::new();
            self.read(own, &mut text)?;
            if kind == b'L' {
                path = Some(until_nul(&text));
            }
            let records = text.split(|byte| *byte == b'\n').filter(|_| kind == b'x');
            for record in records {
                let mut parts = record.splitn(2, |byte| *byte == b'=');
                let key = parts.next().unwrap_or_default();
                let value = String::from_utf8_lossy(parts.next().unwrap_or_default());
                if key.ends_with(b" path") {
                    path = Some(value.into_owned());
                } else if key.ends_with(b" size") {
                    size = value.parse().ok();
                }
            }
        }
        if self.is_ended { Ok(None) } else { Err(Error::TarCutOff.into()) }
    }

    /// Skips the rest of a member and reads a block; `None` at the end.
    fn block(&mut self) -> io::Result<Option<[u8; BLOCK]>> {
        let mut block = Vec::new();
        let skipped = io::copy(&mut (&mut self.stream).take(self.left), &mut io::sink())?;
        if skipped < self.left {
            return Err(Error::TarCutOff.into());
        }
        self.left = 0;
        (&mut self.stream).take(BLOCK as u64).read_to_end(&mut block)?;
        if block.is_empty() {
            return Ok(None);
        }
        block.try_into().map(Some).map_err(|_| Error::TarCutOff.into())
    }

    /// Reads bytes of a member.
    fn read(&mut self, n: u64, text: &mut Vec<u8>) -> io::Result<()> {
        let read = (&mut self.stream).take(n).read_to_end(text);
        self.left -= n;
        if (read? as u64) < n { Err(Error::TarCutOff.into()) } else { Ok(()) }
    }
}

impl InOrder for Tar {
    fn next(&mut self) -> io::Result<Option<Member>> {
        let Some(Header { path, kind, size }) = self.header()? else {
            return Ok(None);
        };
        self.n_member = size;
        // Directories, links and the like have no bytes of their own.
        let is_file = b"\x000S7".contains(&kind);
        let why = (kind == b'S').then_some(Error::SparseMember);
        Ok(Some(Member { path, is_file, why }))
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let most = buffer.len().min(usize::try_from(self.n_member).unwrap_or(usize::MAX));
        let n = self.stream.read(&mut buffer[..most])?;
        if n == 0 && most > 0 {
            return Err(Error::TarCutOff.into());
        }
        self.n_member -= n as u64;
        self.left -= n as u64;
        Ok(n)
    }
}

/// Reads a number: octal digits between blanks, or bytes after one with the highest bit.
fn number(field: &[u8]) -> Option<u64> {
    if field.first().is_some_and(|first| first & 0x80 != 0) && field.len() >= 8 {
        let (high, low) = field.split_at(field.len() - 8);
        let is_small = high
            .split_first()
            .is_some_and(|(first, rest)| *first == 0x80 && rest.iter().all(|byte| *byte == 0));
        return Some(u64::from_be_bytes(low.try_into().ok()?)).filter(|_| is_small);
    }
    let digits = until_nul(field);
    u64::from_str_radix(digits.trim(), 8).ok()
}

/// Path of a member, in one or two fields.
fn path_of(header: &[u8; BLOCK]) -> String {
    let name = until_nul(&header[..100]);
    match &header[257..263] {
        b"ustar\0" if header[345] != 0 => format!("{}/{name}", until_nul(&header[345..500])),
        _ => name,
    }
}

fn until_nul(field: &[u8]) -> String {
    let text = field.split(|byte| *byte == 0).next().unwrap_or_default();
    String::from_utf8_lossy(text).into_owned()
}

//! The list of folders and members, as the documents of the LZMA SDK describe it.

use std::io::{self, Read, Seek, SeekFrom};

use flate2::Crc;

use super::super::bytes::Bytes;
use super::super::error::Error;
use super::super::file::FileReader;
use super::{MOST_HEADER, decoder};

/// A member.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Packed {
    pub(super) name: String,
    pub(super) size: u64,
    pub(super) crc: Option<u32>,
}

/// Members that are compressed together.
#[derive(Debug)]
pub(super) struct Folder {
    pub(super) method: Method,
    pub(super) start: u64,
    pub(super) n_packed: u64,
    pub(super) n_unpacked: u64,
    pub(super) members: Vec<Packed>,
    crc: Option<u32>,
    /// Number of parts of the file that it takes.
    n_parts: usize,
    /// Number of streams that its methods produce, and the one that is the result.
    n_streams: usize,
    last: usize,
}

/// Method of compression, with its properties.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Method {
    Copy,
    /// Byte with the numbers of bits, and the size of the dictionary.
    Lzma(u8, u32),
    Lzma2(u32),
    Bzip2,
    Deflate,
    Zstd,
    Encrypted,
    /// Another one, which is not read.
    Other(String),
}

/// Largest number of methods and streams of a folder.
const MOST_STREAMS: u64 = 32;

/// Reads the folders of an archive with their members.
pub(super) fn read(mut file: FileReader) -> io::Result<Vec<Folder>> {
    let size = file.size();
    let mut head = Vec::new();
    (&mut file).take(32).read_to_end(&mut head)?;
    // After the signature, the version and a checksum.
    let mut head = Bytes(head.get(12..).unwrap_or_default());
    let place = (|| Some((head.word(8)?, head.word(8)?, head.word(4)?)))();
    let (after, n, crc) = place.ok_or(Error::SevenZipCutOff)?;
    if n == 0 {
        return Ok(Vec::new());
    }
    let start =
        after.checked_add(32).filter(|start| start.checked_add(n).is_some_and(|end| end <= size));
    let start = start.ok_or(Error::SevenZipCutOff)?;
    let mut header = part(&file, start, n)?;
    if sum(&header) != crc as u32 {
        return Err(damaged());
    }
    // The list may be compressed itself.
    for _ in 0..4 {
        let mut bytes = Bytes(&header);
        match bytes.byte() {
            Some(1) => return members(&mut bytes).ok_or_else(damaged),
            Some(0x17) => {
                let folder = streams(&mut bytes).and_then(|mut folders| folders.pop());
                let folder = folder.ok_or_else(damaged)?;
                if folder.n_unpacked > MOST_HEADER {
                    return Err(damaged());
                }
                let unpacked = decoder(&folder, file.clone())?;
                let mut text = Vec::new();
                unpacked.take(folder.n_unpacked).read_to_end(&mut text).map_err(|_| damaged())?;
                if folder.crc.is_some_and(|crc| crc != sum(&text)) {
                    return Err(damaged());
                }
                header = text;
            }
            _ => break,
        }
    }
    Err(damaged())
}

fn damaged() -> io::Error {
    Error::DamagedSevenZip.into()
}

/// Reads a part of the file.
fn part(file: &FileReader, start: u64, n: u64) -> io::Result<Vec<u8>> {
    let mut part = Vec::new();
    if n > MOST_HEADER {
        return Err(damaged());
    }
    let mut file = file.clone();
    file.seek(SeekFrom::Start(start))?;
    file.take(n).read_to_end(&mut part)?;
    Ok(part)
}

fn sum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// Reads folders and the names of their members.
fn members(bytes: &mut Bytes<'_>) -> Option<Vec<Folder>> {
    let mut folders = Vec::new();
    loop {
        match bytes.byte()? {
            0 => return Some(folders),
            // Facts about the archive, of a kind and a size each.
            2 => {
                while bytes.byte()? != 0 {
                    let n = bytes.number()?;
                    bytes.take(n)?;
                }
            }
            3 => drop(streams(bytes)?),
            4 => folders = streams(bytes)?,
            5 => names(bytes, &mut folders)?,
            _ => return None,
        }
    }
}

/// Reads where folders are and how they are compressed.
fn streams(bytes: &mut Bytes<'_>) -> Option<Vec<Folder>> {
    let (mut folders, mut parts) = (Vec::new(), Vec::new());
    let mut has_members = false;
    loop {
        match bytes.byte()? {
            0 => break,
            6 => parts = places(bytes)?,
            7 => folders = methods(bytes)?,
            8 => {
                sizes(bytes, &mut folders)?;
                has_members = true;
            }
            _ => return None,
        }
    }
    let mut parts = parts.into_iter();
    for folder in &mut folders {
        (folder.start, folder.n_packed) = parts.next()?;
        for _ in 1..folder.n_parts {
            parts.next()?;
        }
        if !has_members {
            let size = folder.n_unpacked;
            folder.members.push(Packed { size, crc: folder.crc, ..Packed::default() });
        }
    }
    Some(folders)
}

/// Reads the places and sizes of the compressed parts.
fn places(bytes: &mut Bytes<'_>) -> Option<Vec<(u64, u64)>> {
    let mut start = bytes.number()?.checked_add(32)?;
    let n = bytes.number()?;
    let mut parts = Vec::new();
    loop {
        match bytes.byte()? {
            0 => return Some(parts),
            9 => {
                for _ in 0..n {
                    let size = bytes.number()?;
                    parts.push((start, size));
                    start = start.checked_add(size)?;
                }
            }
            10 => drop(bytes.digests(n)?),
            _ => return None,
        }
    }
}

/// Reads the methods of folders, and the sizes of what they hold.
fn methods(bytes: &mut Bytes<'_>) -> Option<Vec<Folder>> {
    bytes.expect(11)?;
    let n = bytes.number()?;
    bytes.expect(0)?;
    let mut folders = Vec::new();
    for _ in 0..n {
        folders.push(folder(bytes)?);
    }
    bytes.expect(12)?;
    for folder in &mut folders {
        for i in 0..folder.n_streams {
            let size = bytes.number()?;
            if i == folder.last {
                folder.n_unpacked = size;
            }
        }
    }
    loop {
        match bytes.byte()? {
            0 => return Some(folders),
            10 => {
                let digests = bytes.digests(n)?;
                folders.iter_mut().zip(digests).for_each(|(folder, crc)| folder.crc = crc);
            }
            _ => return None,
        }
    }
}

fn folder(bytes: &mut Bytes<'_>) -> Option<Folder> {
    let n_methods = bytes.number().filter(|n| (1..=MOST_STREAMS).contains(n))?;
    let (mut n_in, mut n_out) = (0, 0);
    let mut methods = Vec::new();
    for _ in 0..n_methods {
        let flags = bytes.byte()?;
        let id = bytes.take(flags & 15)?;
        let (ins, outs) = match flags & 0x10 {
            0 => (1, 1),
            _ => (bytes.number()?, bytes.number()?),
        };
        if ins > MOST_STREAMS || outs > MOST_STREAMS {
            return None;
        }
        (n_in, n_out) = (n_in + ins, n_out + outs);
        let properties = match flags & 0x20 {
            0 => &[],
            _ => {
                let n = bytes.number()?;
                bytes.take(n)?
            }
        };
        methods.push(method(id, properties)?);
    }
    let n_bound = n_out.checked_sub(1)?;
    let mut bound = Vec::new();
    for _ in 0..n_bound {
        bytes.number()?;
        bound.push(bytes.number()?);
    }
    let n_parts = n_in.checked_sub(n_bound).filter(|n| *n > 0)?;
    if n_parts > 1 {
        for _ in 0..n_parts {
            bytes.number()?;
        }
    }
    let method = if methods.contains(&Method::Encrypted) {
        Method::Encrypted
    } else if methods.len() > 1 {
        Method::Other("several methods at once".to_owned())
    } else {
        methods.pop()?
    };
    Some(Folder {
        method,
        start: 0,
        n_packed: 0,
        n_unpacked: 0,
        members: Vec::new(),
        crc: None,
        n_parts: usize::try_from(n_parts).ok()?,
        n_streams: usize::try_from(n_out).ok()?,
        last: usize::try_from((0..n_out).find(|out| !bound.contains(out))?).ok()?,
    })
}

/// Returns a method; `None` if its properties are damaged.
fn method(id: &[u8], properties: &[u8]) -> Option<Method> {
    Some(match id {
        [0] => Method::Copy,
        [3, 1, 1] => {
            let [first, dictionary @ ..] = *properties.first_chunk::<5>()?;
            Method::Lzma(first, u32::from_le_bytes(dictionary))
        }
        [0x21] => Method::Lzma2(match *properties.first()? {
            40 => u32::MAX,
            bits @ 0..40 => (2 | u32::from(bits & 1)) << (bits / 2 + 11),
            _ => return None,
        }),
        [4, 2, 2] => Method::Bzip2,
        [4, 1, 8] => Method::Deflate,
        [4, 0xf7, 0x11, 1] => Method::Zstd,
        [4, 1, 9] => Method::Other("Deflate64".to_owned()),
        [3, 4, 1] => Method::Other("PPMd".to_owned()),
        [6, 0xf1, 7, 1] => Method::Encrypted,
        _ => Method::Other(format!("the method {}", hex(id))),
    })
}

fn hex(id: &[u8]) -> String {
    id.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Reads how many members folders have, and their sizes and checksums.
fn sizes(bytes: &mut Bytes<'_>, folders: &mut [Folder]) -> Option<()> {
    let mut kind = bytes.byte()?;
    let mut counts = vec![1; folders.len()];
    if kind == 13 {
        for count in &mut counts {
            *count = bytes.number()?;
        }
        kind = bytes.byte()?;
    }
    for (folder, &count) in folders.iter_mut().zip(&counts) {
        let mut rest = folder.n_unpacked;
        for i in 0..count {
            // The last one has what is left.
            let size = match kind {
                _ if i + 1 == count => rest,
                9 => bytes.number()?,
                _ => return None,
            };
            rest = rest.checked_sub(size)?;
            let crc = folder.crc.filter(|_| count == 1);
            folder.members.push(Packed { size, crc, ..Packed::default() });
        }
    }
    if kind == 9 {
        kind = bytes.byte()?;
    }
    if kind == 10 {
        let members = folders.iter_mut().flat_map(|folder| &mut folder.members);
        let unknown: Vec<_> = members.filter(|member| member.crc.is_none()).collect();
        let digests = bytes.digests(unknown.len() as u64)?;
        unknown.into_iter().zip(digests).for_each(|(member, crc)| member.crc = crc);
        kind = bytes.byte()?;
    }
    (kind == 0).then_some(())
}

/// Reads the names of files. Directories and empty files are none of the members.
fn names(bytes: &mut Bytes<'_>, folders: &mut [Folder]) -> Option<()> {
    let n = bytes.number()?;
    let (mut names, mut is_empty) = (Vec::new(), Vec::new());
    loop {
        let kind = bytes.byte()?;
        if kind == 0 {
            break;
        }
        let size = bytes.number()?;
        let mut facts = Bytes(bytes.take(size)?);
        match kind {
            14 => is_empty = facts.bits(n)?,
            17 => {
                facts.expect(0)?;
                let units =
                    facts.0.chunks_exact(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]]));
                let units: Vec<u16> = units.collect();
                names = units.split(|unit| *unit == 0).map(String::from_utf16_lossy).collect();
            }
            _ => {}
        }
    }
    let is_member = |i: &usize| !is_empty.get(*i).copied().unwrap_or(false);
    let mut names = names.into_iter().take(usize::try_from(n).ok()?).enumerate();
    for member in folders.iter_mut().flat_map(|folder| &mut folder.members) {
        member.name = names.by_ref().find(|(i, _)| is_member(i))?.1;
    }
    Some(())
}

impl Bytes<'_> {
    fn expect(&mut self, byte: u8) -> Option<()> {
        (self.byte()? == byte).then_some(())
    }

    /// Reads a number whose first byte tells its length.
    fn number(&mut self) -> Option<u64> {
        let first = self.byte()?;
        let n = first.leading_ones();
        let low = self.word(n)?;
        let high = u64::from(first) & 0x7f_u64.checked_shr(n).unwrap_or(0);
        Some(low | high.checked_shl(8 * n).unwrap_or(0))
    }

    /// Reads truth values.
    fn bits(&mut self, n: u64) -> Option<Vec<bool>> {
        let bytes = self.take(n.div_ceil(8))?;
        let bits = bytes.iter().flat_map(|byte| (0..8).map(move |i| byte >> (7 - i) & 1 == 1));
        Some(bits.take(usize::try_from(n).ok()?).collect())
    }

    /// Reads the checksums of `n` things, which some of them may lack.
    fn digests(&mut self, n: u64) -> Option<Vec<Option<u32>>> {
        let has = match self.byte()? {
            0 => self.bits(n)?,
            // Each has four bytes.
            _ if n > self.0.len() as u64 / 4 => return None,
            _ => vec![true; usize::try_from(n).ok()?],
        };
        let digest = |has| if has { self.word(4).map(|crc| Some(crc as u32)) } else { Some(None) };
        has.into_iter().map(digest).collect()
    }
}

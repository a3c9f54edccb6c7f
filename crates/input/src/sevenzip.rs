//! Archives of 7-Zip. The list of members is at the end; members that follow each other may be
//! compressed as one stream, a folder, which is read in order.

mod header;

use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::vec::IntoIter;

use flate2::Crc;
use flow::{Cancel, ReadError};
use lzma_rust2::{Lzma2Stream, LzmaReader};

use super::Reading;
use super::blocks::Blocks;
use super::compressed::{Ratio, Unpacked};
use super::decode::{Decompressed, Inflate, Zstd};
use super::error::Error;
use super::file::FileReader;
use super::in_order::{InOrder, Member};
use super::open::OpenResults;
use super::stream::Stream;
use super::tarball;
use header::{Folder, Method, Packed};

/// Number of bytes that a dictionary may take, as with `7z -mx=9`.
const MOST: u64 = 256 << 20;

/// Largest size of the list of members.
const MOST_HEADER: u64 = 64 << 20;

/// Returns the sources in an archive, in its order.
pub(super) fn open(
    name: &str,
    file: FileReader,
    reading: &Reading,
) -> Result<OpenResults, ReadError> {
    let folders = header::read(file.clone())?;
    let archive = SevenZip {
        ratio: Ratio::new(reading.how.unpacked),
        cancel: reading.cancel.clone(),
        file,
        folders: folders.into_iter(),
        folder: None,
        packed: Vec::new().into_iter(),
        stream: None,
        n_before: 0,
        n_left: 0,
        crc: Crc::new(),
        expected: None,
    };
    Ok(tarball::members(name, archive, reading))
}

/// An archive between two reads.
struct SevenZip {
    file: FileReader,
    folders: IntoIter<Folder>,
    /// The current folder, and its members after the current one.
    folder: Option<Folder>,
    packed: IntoIter<Packed>,
    /// Its bytes, once one of its members is read.
    stream: Option<Stream>,
    /// Number of bytes before the current member, and of those of its own that are left.
    n_before: u64,
    n_left: u64,
    crc: Crc,
    /// Checksum of the current member until it is compared.
    expected: Option<u32>,
    ratio: Ratio,
    cancel: Cancel,
}

impl InOrder for SevenZip {
    fn next(&mut self) -> io::Result<Option<Member>> {
        loop {
            if let Some(Packed { name, size, crc }) = self.packed.next() {
                self.n_before += self.n_left;
                self.n_left = size;
                (self.crc, self.expected) = (Crc::new(), crc);
                return Ok(Some(Member { path: name, is_file: true, why: None }));
            }
            let Some(mut folder) = self.folders.next() else {
                return Ok(None);
            };
            self.packed = std::mem::take(&mut folder.members).into_iter();
            self.folder = Some(folder);
            self.stream = None;
            (self.n_before, self.n_left) = (0, 0);
        }
    }

    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.n_left == 0 {
            let expected = self.expected.take();
            return if expected.is_none_or(|expected| expected == self.crc.sum()) {
                Ok(0)
            } else {
                Err(Error::MemberChecksum.into())
            };
        }
        let stream = match &mut self.stream {
            Some(stream) => stream,
            None => {
                let folder = self.folder.as_ref().ok_or(io::ErrorKind::UnexpectedEof)?;
                let n_packed = self.file.size();
                let unpacked = decoder(folder, self.file.clone())?;
                let unpacked = Unpacked { unpacked, ratio: self.ratio.clone(), n_packed };
                self.stream.insert(Stream::new(unpacked, &self.cancel)?)
            }
        };
        // Members that nobody reads are only unpacked if another one follows.
        let skipped = io::copy(&mut stream.take(self.n_before), &mut io::sink())?;
        let is_there = skipped == self.n_before;
        self.n_before = 0;
        let most = buffer.len().min(usize::try_from(self.n_left).unwrap_or(usize::MAX));
        let n = if is_there { stream.read(&mut buffer[..most])? } else { 0 };
        if n == 0 && most > 0 {
            return Err(Error::MemberCutOff.into());
        }
        self.n_left -= n as u64;
        self.crc.update(&buffer[..n]);
        Ok(n)
    }
}

/// Returns a reader of the bytes of a folder.
fn decoder(folder: &Folder, mut file: FileReader) -> io::Result<Box<dyn Read + Send>> {
    file.seek(SeekFrom::Start(folder.start))?;
    let packed = BufReader::new(file).take(folder.n_packed);
    // No part of the text is farther back than its beginning.
    let within = |dictionary: u32| {
        let n = u64::from(dictionary).min(folder.n_unpacked);
        match u32::try_from(n).ok().filter(|_| n <= MOST) {
            Some(n) => Ok(n),
            None => Err(io::Error::new(
                io::ErrorKind::OutOfMemory,
                "its dictionary, more than 256 MiB, takes too much memory",
            )),
        }
    };
    Ok(match &folder.method {
        Method::Copy => Box::new(packed),
        &Method::Lzma(properties, dictionary) => {
            let (n, dictionary) = (folder.n_unpacked, within(dictionary)?);
            let mut reader = LzmaReader::new_with_props(packed, n, properties, dictionary, None)?;
            // The bytes before damage are returned.
            reader.set_defer_errors(true);
            Box::new(reader)
        }
        &Method::Lzma2(dictionary) => {
            Box::new(Decompressed::new(packed, Lzma2Stream::new(within(dictionary)?)))
        }
        Method::Bzip2 => Box::new(Blocks::new(packed)),
        Method::Deflate => Box::new(Decompressed::new(packed, Inflate::raw())),
        Method::Zstd => Box::new(Decompressed::new(packed, Zstd::new()?)),
        Method::Encrypted => return Err(Error::EncryptedMember.into()),
        Method::Other(method) => return Err(Error::UnreadMethod(method.clone()).into()),
    })
}

//! Compressed streams, each decompressed by a thread of its own. The output may be endless, since
//! only a few blocks of it are in memory at a time.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flate2::Crc;
use lzma_rust2::XzStream;

use super::Reading;
use super::blocks::Blocks;
use super::content::Packing;
use super::decode::{Decompressed, Inflate};
use super::error::Error;
use super::frames::Frames;
use super::lz4::Lz4Frames;
use super::stream::Stream;

/// Number of compressed bytes read at once.
const BUFFER: usize = 128 << 10;

/// Returns the bytes of a compressed stream. Several consecutive streams count as one, as usual.
pub(super) fn unpack(
    packing: Packing,
    reader: impl Read + Send + 'static,
    reading: &Reading,
) -> io::Result<Stream> {
    let used = Arc::new(AtomicU64::new(0));
    let reader = Slow { reader, is_paused: false };
    let reader = BufReader::with_capacity(BUFFER, reader);
    let counted = |reader| Counted::new(reader, used.clone());
    let (what, unpacked): (_, Box<dyn Read + Send>) = match packing {
        Packing::Zstd => {
            let frames = Frames::new(reader, used.clone(), &reading.cancel);
            ("zstd", Box::new(frames))
        }
        Packing::Gzip => ("gzip", Box::new(Decompressed::new(counted(reader), Inflate::gzip()))),
        Packing::Bzip2 => ("bzip2", Box::new(Blocks::new(counted(reader)))),
        Packing::Xz => {
            let stream = XzStream::new_mem_limit(true, MOST_XZ);
            ("xz", Box::new(Decompressed::new(counted(reader), stream)))
        }
        Packing::Lz4 => ("LZ4", Box::new(Lz4Frames::new(counted(reader)))),
        Packing::Plain
        | Packing::Zip
        | Packing::Tar
        | Packing::SevenZip
        | Packing::Parquet
        | Packing::ChessBase
        | Packing::Encoded(_)
        | Packing::Json(_) => ("", Box::new(counted(reader))),
    };
    let explained = Explained { unpacked, what, used, ratio: Ratio::new(reading.how.unpacked) };
    Stream::new(explained, &reading.cancel)
}

/// Number of KiB that a dictionary of xz may take, and a megabyte for the decoder. `xz -9` takes 64 MiB.
const MOST_XZ: u32 = (128 + 1) << 10;

/// A reader that can tell whether reading would have to wait.
pub(super) trait Paused: BufRead {
    /// Whether fewer than `n` bytes are available now.
    fn is_paused(&self, n: usize) -> bool;
}

/// Records whether the last read returned fewer bytes than requested.
pub(super) struct Slow<R> {
    reader: R,
    is_paused: bool,
}

impl<R: Read> Read for Slow<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.is_paused = n < buffer.len();
        Ok(n)
    }
}

impl<R: Read> Paused for BufReader<Slow<R>> {
    fn is_paused(&self, n: usize) -> bool {
        self.get_ref().is_paused && self.buffer().len() < n
    }
}

/// Size in bytes to which any file may decompress.
const ALWAYS: u64 = 100_000_000;

/// Limits how much a file may decompress to. The limit protects the user's time rather than memory,
/// since only a few bytes are in memory at a time.
#[derive(Clone)]
pub(super) struct Ratio {
    most: u64,
    n_unpacked: Arc<AtomicU64>,
}

impl Ratio {
    pub(super) fn new(most: u64) -> Ratio {
        Ratio { most, n_unpacked: Arc::default() }
    }

    /// Adds decompressed bytes to the total, which `n_packed` compressed bytes have produced. Fails
    /// if the ratio exceeds the limit.
    pub(super) fn count(&self, n: usize, n_packed: u64) -> io::Result<()> {
        let all = self.n_unpacked.fetch_add(n as u64, Ordering::Relaxed) + n as u64;
        let most = self.most;
        if all > ALWAYS && all / n_packed.max(1) >= most {
            Err(Error::Implausible(most).into())
        } else {
            Ok(())
        }
    }
}

/// Counts the compressed bytes that have been consumed.
pub(super) struct Counted<R> {
    reader: R,
    used: Arc<AtomicU64>,
}

impl<R> Counted<R> {
    pub(super) fn new(reader: R, used: Arc<AtomicU64>) -> Counted<R> {
        Counted { reader, used }
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(buffer)?;
        self.used.fetch_add(n as u64, Ordering::Relaxed);
        Ok(n)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.reader.fill_buf()
    }

    fn consume(&mut self, n: usize) {
        self.used.fetch_add(n as u64, Ordering::Relaxed);
        self.reader.consume(n);
    }
}

/// Adds to an error the offset of the damage, or reports that memory is short.
struct Explained {
    unpacked: Box<dyn Read + Send>,
    what: &'static str,
    used: Arc<AtomicU64>,
    ratio: Ratio,
}

impl Read for Explained {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.unpacked.read(buffer).map_err(|error| {
            let (what, at) = (self.what, self.used.load(Ordering::Relaxed));
            match error.kind() {
                io::ErrorKind::Interrupted => error,
                io::ErrorKind::UnexpectedEof => Error::CutOff { what, at }.into(),
                _ if flow::is_shortage(&error) => io::Error::new(
                    io::ErrorKind::OutOfMemory,
                    format!("the {what} data cannot be decompressed after byte {at}: {error}"),
                ),
                _ => Error::Damaged { what, at, error }.into(),
            }
        })?;
        self.ratio.count(n, self.used.load(Ordering::Relaxed))?;
        Ok(n)
    }
}

/// A member whose checksum is compared at its end.
pub(super) struct Checked<R> {
    pub(super) member: R,
    pub(super) crc: Crc,
    /// `None` if it is not known.
    pub(super) expected: Option<u32>,
}

impl<R: Read> Read for Checked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.member.read(buffer)?;
        self.crc.update(&buffer[..n]);
        let is_end = n == 0 && !buffer.is_empty();
        if is_end && self.expected.is_some_and(|expected| expected != self.crc.sum()) {
            return Err(io::Error::other("its checksum differs"));
        }
        Ok(n)
    }
}

/// Reports errors as errors of the archive.
pub(super) struct Unpacked<R> {
    pub(super) unpacked: R,
    /// Shared by all members, because several members may refer to the same bytes of the archive.
    pub(super) ratio: Ratio,
    pub(super) n_packed: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.unpacked.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ if flow::is_shortage(&error) => error,
            _ => Error::DamagedMember(error).into(),
        })?;
        self.ratio.count(n, self.n_packed)?;
        Ok(n)
    }
}

//! Zip archives: each member that may hold games is a source.

use std::io;
use std::path::Path;

use flow::{GameSource, SourceError};
use zip::ZipArchive;
use zip::result::ZipError;

use super::Reading;
use super::compressed::Ratio;
use super::file::FileReader;
use super::format::{ARCHIVES, COMPRESSED, InputFormat};
use super::list::may_hold_games;
use super::open::{OpenResults, of_stream};
use super::stream::{BlockSink, Stream};

/// Why a member is not read.
pub(super) const NO_MEMBER_TWICE: &str =
    "compressed a second time within the archive: decompress it first";

/// Why nothing of an archive is read.
pub(super) fn no_member() -> String {
    let endings: Vec<&str> = InputFormat::extensions().collect();
    format!("the archive holds no file whose name ends in .{}", endings.join(" or ."))
}

/// Whether a member that may hold games is itself compressed or an archive. Returns `None` for any
/// other member.
pub(super) fn is_packed(member: &Path) -> Option<bool> {
    let extension = member.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mut packed = COMPRESSED.iter().chain(&ARCHIVES);
    let is_packed = packed.any(|packing| *packing == extension);
    (is_packed || may_hold_games(member)).then_some(is_packed)
}

/// Returns the sources in an archive, in its order.
pub(super) fn open(name: &str, file: FileReader, reading: &Reading) -> Result<OpenResults, String> {
    let n_packed = file.size();
    let ratio = Ratio::new(reading.how.unpacked);
    let archive = ZipArchive::new(file).map_err(|error| explain(&error))?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let Some(Ok(member)) = archive.name_for_index(index) else {
            return Err(format!("the name of member {} is damaged", index + 1));
        };
        if member.ends_with('/') {
            continue;
        }
        if let Some(is_packed) = is_packed(Path::new(&*member)) {
            members.push((index, format!("{name}/{member}"), is_packed));
        }
    }
    if members.is_empty() {
        return Err(no_member());
    }
    let reading = reading.clone();
    Ok(Box::new(members.into_iter().map(move |(index, name, is_packed)| {
        let source = if is_packed {
            Err(NO_MEMBER_TWICE.to_owned())
        } else {
            let packed = (ratio.clone(), n_packed);
            member(archive.clone(), index, &name, &reading, packed)
        };
        source.map_err(|message| SourceError { name: name.into(), message })
    })))
}

fn member(
    mut archive: ZipArchive<FileReader>,
    index: usize,
    name: &str,
    reading: &Reading,
    (ratio, n_packed): (Ratio, u64),
) -> Result<GameSource<'static>, String> {
    let read = move |sink: &BlockSink| match archive.by_index(index) {
        Ok(member) => sink.take(Unpacked { unpacked: member, ratio, n_packed }),
        Err(error) => sink.fail(io::Error::other(explain(&error))),
    };
    let stream = Stream::of(read, &reading.cancel);
    let stream = stream.map_err(|error| error.to_string())?;
    of_stream(name, stream, reading)
}

/// Reports errors as errors of the archive.
pub(super) struct Unpacked<R> {
    pub(super) unpacked: R,
    /// Shared by all members, because several members may refer to the same bytes of the archive.
    pub(super) ratio: Ratio,
    pub(super) n_packed: u64,
}

impl<R: io::Read> io::Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n = self.unpacked.read(buffer).map_err(|error| match error.kind() {
            io::ErrorKind::Interrupted => error,
            _ if flow::is_shortage(&error) => error,
            _ => io::Error::other(format!("damaged in the archive: {error}")),
        })?;
        self.ratio.count(n, self.n_packed)?;
        Ok(n)
    }
}

fn explain(error: &ZipError) -> String {
    match error {
        ZipError::Io(error) => error.to_string(),
        ZipError::InvalidArchive(what) => format!("the zip archive is damaged: {what}"),
        ZipError::UnsupportedArchive(what) => format!("the zip archive cannot be read: {what}"),
        ZipError::CompressionMethodNotSupported(method) => {
            format!("compressed by an unknown method ({method}): use deflate")
        }
        other => other.to_string(),
    }
}

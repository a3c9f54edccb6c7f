//! Zip archives: each member that may hold games is a source.

use std::io;
use std::path::Path;

use flow::{GameSource, ReadError, SourceError};
use zip::ZipArchive;

use super::Reading;
use super::compressed::Ratio;
use super::error::Error;
use super::file::FileReader;
use super::format::{ARCHIVES, COMPRESSED};
use super::list::may_hold_games;
use super::open::{OpenResults, of_stream};
use super::stream::{BlockSink, Stream};

/// Whether a member that may hold games is itself compressed or an archive. Returns `None` for any
/// other member.
pub(super) fn is_packed(member: &Path) -> Option<bool> {
    let extension = member.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let mut packed = COMPRESSED.iter().chain(&ARCHIVES);
    let is_packed = packed.any(|packing| *packing == extension);
    (is_packed || may_hold_games(member)).then_some(is_packed)
}

/// Returns the sources in an archive, in its order.
pub(super) fn open(
    name: &str,
    file: FileReader,
    reading: &Reading,
) -> Result<OpenResults, ReadError> {
    let n_packed = file.size();
    let ratio = Ratio::new(reading.how.unpacked);
    let archive = ZipArchive::new(file).map_err(Error::Zip)?;
    let mut members = Vec::new();
    for index in 0..archive.len() {
        let Some(Ok(member)) = archive.name_for_index(index) else {
            return Err(Error::DamagedName(index + 1).into());
        };
        if member.ends_with('/') {
            continue;
        }
        if let Some(is_packed) = is_packed(Path::new(&*member)) {
            members.push((index, format!("{name}/{member}"), is_packed));
        }
    }
    if members.is_empty() {
        return Err(Error::NoMember.into());
    }
    let reading = reading.clone();
    Ok(Box::new(members.into_iter().map(move |(index, name, is_packed)| {
        let source = if is_packed {
            Err(Error::PackedMember.into())
        } else {
            let packed = (ratio.clone(), n_packed);
            member(archive.clone(), index, &name, &reading, packed)
        };
        source.map_err(|error| SourceError { name: name.into(), error })
    })))
}

fn member(
    mut archive: ZipArchive<FileReader>,
    index: usize,
    name: &str,
    reading: &Reading,
    (ratio, n_packed): (Ratio, u64),
) -> Result<GameSource<'static>, ReadError> {
    let read = move |sink: &BlockSink| match archive.by_index(index) {
        Ok(member) => sink.take(Unpacked { unpacked: member, ratio, n_packed }),
        Err(error) => sink.fail(Error::Zip(error).into()),
    };
    of_stream(name, Stream::of(read, &reading.cancel)?, reading)
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
            _ => Error::DamagedMember(error).into(),
        })?;
        self.ratio.count(n, self.n_packed)?;
        Ok(n)
    }
}

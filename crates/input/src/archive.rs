//! Zip archives: each member that may hold games is a source.

use std::io::{self, BufReader};
use std::path::Path;

use flate2::Crc;
use flow::{GameSource, ReadError, SourceError};
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use super::Reading;
use super::compressed::{Checked, Ratio, Unpacked};
use super::decode::{Decompressed, Inflate};
use super::error::Error;
use super::file::FileReader;
use super::format::{ARCHIVES, COMPRESSED};
use super::headers::Headers;
use super::list::may_hold_games;
use super::open::{OpenResults, of_stream};
use super::stream::{BlockSink, Stream};
use super::tarball;

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
    let archive = match ZipArchive::new(file.clone()) {
        Ok(archive) => archive,
        Err(error) => {
            return Ok(tarball::members(name, Headers::new(file, error, ratio), reading));
        }
    };
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
    let read = move |sink: &BlockSink| match decompressed(&mut archive, index) {
        Ok(unpacked) => sink.take(Unpacked { unpacked, ratio, n_packed }),
        Err(error) => sink.fail(Error::Zip(error).into()),
    };
    of_stream(name, Stream::of(read, &reading.cancel)?, reading)
}

/// Returns the bytes of a member. The library's reader of deflate loses bytes before damage.
fn decompressed(
    archive: &mut ZipArchive<FileReader>,
    index: usize,
) -> Result<Box<dyn io::Read + '_>, ZipError> {
    let member = archive.by_index(index)?;
    if member.compression() != CompressionMethod::Deflated {
        drop(member);
        return Ok(Box::new(archive.by_index(index)?));
    }
    let expected = Some(member.crc32());
    drop(member);
    let packed = BufReader::new(archive.by_index_raw(index)?);
    let inflated = Decompressed::new(packed, Inflate::raw());
    Ok(Box::new(Checked { member: inflated, crc: Crc::new(), expected }))
}

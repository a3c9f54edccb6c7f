//! Zip archives: each member that may hold games is a source.

use std::io::{self, BufReader};
use std::path::{Component, Path};

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
use super::headers::{Headers, offsets_in_list, starts_with_header};
use super::list::{is_hidden, may_hold_games};
use super::open::{OpenResults, of_stream};
use super::stream::{BlockSink, Stream};
use super::tarball;

/// Whether a member that may hold games is itself compressed or an archive. Returns `None` for any
/// other member, and for hidden ones, which are skipped as in folders: the Finder of macOS adds a
/// member `__MACOSX/._NAME` for each file.
pub(super) fn is_packed(member: &Path) -> Option<bool> {
    let is_name = |part: &Component<'_>| matches!(part, Component::Normal(name) if is_hidden(name));
    if member.components().any(|part| is_name(&part)) {
        return None;
    }
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
    let ratio = Ratio::new(reading.how.unpacked);
    let archive = match ZipArchive::new(file.clone()) {
        Ok(archive) => archive,
        Err(error) => {
            return Ok(tarball::members(name, Headers::new(file, error, ratio), reading));
        }
    };
    // Archives that were joined to one file: each has a list of its own.
    let n_before = archive.offset();
    let is_joined = n_before > 0 && starts_with_header(&file)?;
    let before = is_joined.then(|| open(name, file.first(n_before), reading)).transpose()?;
    let found = listed(&archive, file, ratio, name, reading)?;
    Ok(Box::new(before.into_iter().flatten().chain(found)))
}

/// Returns the sources in an archive, in the order of its list.
fn listed(
    archive: &ZipArchive<FileReader>,
    file: FileReader,
    ratio: Ratio,
    name: &str,
    reading: &Reading,
) -> Result<OpenResults, ReadError> {
    let n_packed = file.size();
    // The library believes the number of members at the end of the archive, and takes members of the
    // same name for one.
    let offsets = offsets_in_list(&file, archive.central_directory_start(), archive.offset())?;
    if offsets.len() > archive.len() {
        return Ok(tarball::members(name, Headers::listed(file, offsets, ratio), reading));
    }
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
    let (archive, reading) = (archive.clone(), reading.clone());
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

//! Parts of an input: a piece of a file, or a file that continues another.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use flow::{Bytes, Cancel, GameSource, GameStart, Input, ReadError, SourceFormat, SourceRange};

use super::content::{self, HEAD, Packing};
use super::encoded::LineEnds;
use super::error::Error;
use super::file::CountedInput;
use super::format::InputFormat;
use super::open::{OpenResults, of_address, of_path};
use super::{Meter, ReadOptions, Reading};

/// Consecutive games of an input, as PGN. Their numbers, lines and source name are those of the
/// whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilePartition {
    /// Path or address of the file.
    pub path: PathBuf,
    /// Name of the whole.
    pub name: String,
    /// Place of the first game in the whole.
    pub start: GameStart,
    /// If the file contains the whole, uncompressed: the offset before which all games of the part
    /// begin. If `None`, the file contains only the part.
    pub end: Option<u64>,
    /// Number of games before those of the whole.
    pub games_before: u64,
    /// Size of the file in bytes when the part was cut.
    pub bytes: u64,
}

impl FilePartition {
    /// Checks that the file still has the same size.
    ///
    /// # Errors
    /// The size differs, or cannot be determined.
    pub fn check(&self, cancel: &Cancel) -> Result<(), Error> {
        match size_of(&self.path, cancel) {
            Ok(size) if size == self.bytes => Ok(()),
            Ok(_) => Err(Error::Changed(self.path.clone())),
            Err(error) => Err(Error::Unreadable(self.path.clone(), error)),
        }
    }
}

/// Returns the size of a file or of the object at an address.
fn size_of(path: &Path, cancel: &Cancel) -> io::Result<u64> {
    let address = path.to_str().filter(|_| remote::is_address(path));
    let Some(address) = address else {
        return Ok(fs::metadata(path)?.len());
    };
    match remote::open(address, cancel)? {
        remote::RemoteBytes::Anywhere(object) => Ok(object.size()),
        remote::RemoteBytes::InOrder(_) => Err(Error::NoPieces.into()),
    }
}

/// Opens a part.
pub(super) fn open(
    part: &FilePartition,
    reading: &Reading,
    meter: &Meter,
) -> Result<OpenResults, ReadError> {
    let part = part.clone();
    if let Some(end) = part.end {
        let source = piece(&part, end, reading, meter)?;
        return Ok(Box::new(std::iter::once(Ok(source))));
    }
    let reading = Reading {
        how: ReadOptions {
            // The start of a part may look like any format.
            format: Some(InputFormat::Pgn),
            ..reading.how
        },
        ..reading.clone()
    };
    let sources = of_path(&part.name, &part.path, &reading, meter)?;
    Ok(Box::new(sources.map(move |source| {
        source.map(|source| GameSource {
            name: part.name.as_str().into(),
            games_before: Some(part.games_before),
            start: part.start,
            ..source
        })
    })))
}

/// Opens a piece of a file.
fn piece(
    part: &FilePartition,
    end: u64,
    reading: &Reading,
    meter: &Meter,
) -> Result<GameSource<'static>, ReadError> {
    let input = match of_address(&part.path, reading) {
        Some(opened) => match opened? {
            remote::RemoteBytes::Anywhere(object) => CountedInput::new(object, meter),
            remote::RemoteBytes::InOrder(_) => return Err(Error::NoPieces.into()),
        },
        None => {
            let file = File::open(&part.path)?;
            let size = file.metadata()?.len();
            CountedInput::of_file(Arc::new(file), size, meter)
        }
    };
    let head = input.head(HEAD)?;
    let how = ReadOptions { format: Some(InputFormat::Pgn), ..reading.how };
    if content::packing(&part.name, &head, &how)? != Packing::Plain {
        return Err(Error::PackedPart.into());
    }
    if input.size() < end {
        return Err(Error::Shorter.into());
    }
    let piece = SourceRange { start: part.start, end };
    let input = LineEnds::of(input, &head, !how.keeps_old_line_ends);
    let bytes = Bytes::Pieces(Arc::new(input), vec![piece]);
    let source = GameSource::new(part.name.as_str(), bytes, SourceFormat::Pgn);
    Ok(GameSource { games_before: Some(part.games_before), ..source })
}

//! Opening archives.

use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::manifest::Manifest;
use crate::segment::{Segment, SegmentFile};

/// An archive that can be read.
#[derive(Debug, Clone)]
pub struct Archive {
    folder: PathBuf,
    manifest: Manifest,
}

impl Archive {
    /// Opens the archive in a folder. Only its manifest is read.
    ///
    /// # Errors
    /// There is none, or its manifest cannot be read.
    pub fn open(folder: &Path) -> Result<Archive, Error> {
        Ok(Archive {
            folder: folder.to_owned(),
            manifest: Manifest::read(folder)?,
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// What it consists of.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// How many segments there are.
    #[must_use]
    pub fn n_segments(&self) -> usize {
        self.manifest.segments.len()
    }

    /// Opens a segment.
    ///
    /// # Errors
    /// There is none with this number, it cannot be read, or is not the one that was written.
    pub fn segment(&self, number: usize) -> Result<Segment<SegmentFile>, Error> {
        let entry = self.manifest.segments.get(number).ok_or(Error::Missing)?;
        let file = SegmentFile::open(&self.folder.join(&entry.name))?;
        let segment = Segment::open(file, entry.footer()?)?;
        match segment.n_games() as u64 == entry.games {
            true => Ok(segment),
            false => Err(Error::Damaged("it has another number of games".to_owned())),
        }
    }
}

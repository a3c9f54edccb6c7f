//! Opening archives.

use std::path::{Path, PathBuf};

use flow::Cancel;

use crate::error::Error;
use crate::manifest::Manifest;
use crate::segment::{Segment, SegmentFile};

/// An archive that can be read.
#[derive(Debug, Clone)]
pub struct Archive {
    /// It may have an address.
    folder: PathBuf,
    manifest: Manifest,
    /// Nobody waits for what is behind an address once this is cancelled.
    cancel: Cancel,
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
            cancel: Cancel::default(),
        })
    }

    /// Opens the archive in a folder that has an address. Nobody waits for it once that is
    /// cancelled.
    ///
    /// # Errors
    /// As [`Archive::open`].
    pub fn open_remote(folder: &Path, cancel: &Cancel) -> Result<Archive, Error> {
        Ok(Archive {
            folder: folder.to_owned(),
            manifest: Manifest::read_remote(folder, cancel)?,
            cancel: cancel.clone(),
        })
    }

    /// Opens a file in the folder.
    pub(crate) fn file(&self, name: &str) -> Result<SegmentFile, Error> {
        SegmentFile::open(&remote::join(&self.folder, name), &self.cancel)
    }

    /// Where it is; that may be an address.
    #[must_use]
    pub fn folder(&self) -> &Path {
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
        let file = self.file(&entry.name)?;
        let segment = Segment::open(file, entry.footer()?)?;
        match segment.n_games() as u64 == entry.games {
            true => Ok(segment),
            false => Err(Error::Damaged("it has another number of games".to_owned())),
        }
    }
}

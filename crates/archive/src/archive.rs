//! Opens archives and their segments.

use std::path::{Path, PathBuf};

use flow::Cancel;

use crate::error::Error;
use crate::fresh::has_parts;
use crate::manifest::Manifest;
use crate::segment::{Segment, SegmentFile};

/// An archive that can be read.
#[derive(Debug, Clone)]
pub struct Archive {
    /// Path or address of the folder.
    folder: PathBuf,
    manifest: Manifest,
    /// Once cancelled, reads from an address return without waiting for the server.
    cancel: Cancel,
}

impl Archive {
    /// Opens the archive in a folder. Reads only its manifest.
    ///
    /// # Errors
    /// The folder has no archive, or its manifest is missing or cannot be read.
    pub fn open(folder: &Path) -> Result<Archive, Error> {
        match Manifest::read(folder) {
            Err(Error::Missing) if has_parts(folder) => Err(Error::Damaged(
                "manifest.json is missing (`cql index GAMES` makes the archive again)".to_owned(),
            )),
            manifest => Ok(Archive::of(folder, manifest?)),
        }
    }

    /// Returns the archive in a folder with this manifest.
    pub(crate) fn of(folder: &Path, manifest: Manifest) -> Archive {
        Archive { folder: folder.to_owned(), manifest, cancel: Cancel::default() }
    }

    /// Opens the archive at an address. Reads from it stop waiting once `cancel` is cancelled.
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

    /// Path or address of the archive's folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The handle that ends waiting for a server.
    pub(crate) fn cancel(&self) -> &Cancel {
        &self.cancel
    }

    /// The manifest, which lists the archive's files, sources and segments.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Number of segments.
    #[must_use]
    pub fn n_segments(&self) -> usize {
        self.manifest.segments.len()
    }

    /// Opens the segment with this number, from 0.
    ///
    /// # Errors
    /// No segment has this number, or the segment cannot be read or differs from what was written.
    pub fn segment(&self, number: usize) -> Result<Segment<SegmentFile>, Error> {
        let entry = self.manifest.segments.get(number).ok_or(Error::Missing)?;
        let file = self.file(&entry.name)?;
        let segment = Segment::open(file, entry.footer()?)?;
        if segment.n_games() as u64 == entry.games {
            Ok(segment)
        } else {
            Err(Error::Damaged("its number of games differs".to_owned()))
        }
    }
}

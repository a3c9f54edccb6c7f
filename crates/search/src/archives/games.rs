//! Resolves names to games, including archives.

use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use archive::{Archive, Error};
use flow::Cancel;
use input::{Inputs, ReadOptions};

use super::pieces::Sliced;

/// Games that the names of a user refer to.
pub struct Games {
    /// Files, including those of archives.
    pub inputs: Inputs,
    /// Names as given, without archives.
    pub(crate) names: Vec<PathBuf>,
    /// Archives that were named instead of their files.
    pub(crate) archives: Vec<(PathBuf, Archive)>,
    /// Parts of archives that are searched on their own.
    pub(crate) slices: Vec<Sliced>,
}

/// Reason why names cannot be resolved.
#[derive(Debug)]
pub enum NotFound {
    /// The search was cancelled.
    Cancelled,
    /// An archive that was named cannot be used.
    Archive(PathBuf, Error),
}

impl Display for NotFound {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NotFound::Cancelled => f.write_str("the search was ended"),
            NotFound::Archive(name, error) => write!(f, "{}: {error}", remote::shown(name)),
        }
    }
}

impl std::error::Error for NotFound {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            NotFound::Cancelled => None,
            NotFound::Archive(_, error) => Some(error),
        }
    }
}

/// Opens the archive with this name. Returns `None` unless the name ends in `.cqa`. It may be an
/// address only if `cancel` is given, so that waiting for it can be cancelled.
///
/// # Errors
/// The archive is damaged, or has a later version.
pub fn archive(name: &Path, cancel: Option<&Cancel>) -> Result<Option<Archive>, NotFound> {
    if name.extension() != Some(OsStr::new("cqa")) {
        return Ok(None);
    }
    let opened = match cancel {
        Some(cancel) if remote::is_address(name) => Archive::open_remote(name, cancel),
        _ => Archive::open(name),
    };
    match opened {
        Ok(archive) => Ok(Some(archive)),
        Err(Error::Missing) => Ok(None),
        Err(error) => Err(NotFound::Archive(name.to_owned(), error)),
    }
}

impl Games {
    /// Finds the files that names refer to, as [`Inputs::find`] does, including those of archives.
    /// A missing file is replaced by the text that its archive stores.
    ///
    /// # Errors
    /// An archive that was named cannot be used, or the search is cancelled.
    pub fn find<'o>(
        names: &[PathBuf],
        how: ReadOptions,
        outputs: impl IntoIterator<Item = &'o Path>,
        cancel: &Cancel,
    ) -> Result<Games, NotFound> {
        let (mut files, mut archives) = (Vec::new(), Vec::new());
        let mut others = Vec::new();
        for name in names {
            match archive(name, how.remote.then_some(cancel))? {
                Some(archive) => {
                    let archived = &archive.manifest().files;
                    files.extend(archived.iter().map(|file| PathBuf::from(&file.name)));
                    archives.push((name.clone(), archive));
                }
                None => {
                    files.push(name.clone());
                    others.push(name.clone());
                }
            }
        }
        let inputs = Inputs::find(&files, how, outputs, cancel);
        let mut inputs = inputs.ok_or(NotFound::Cancelled)?;
        // An archive of a single file has the name that a search of the file itself would use.
        if let ([_], [(_, archive)]) = (names, archives.as_slice())
            && let [file] = archive.manifest().files.as_slice()
        {
            inputs.rename(&file.given);
        }
        for (name, archive) in &archives {
            inputs.note_archive(name);
            let supplied = supply(&mut inputs, archive);
            supplied.map_err(|error| NotFound::Archive(name.clone(), error))?;
        }
        Ok(Games { inputs, names: others, archives, slices: Vec::new() })
    }
}

/// Wraps inputs that have no archives.
impl From<Inputs> for Games {
    fn from(inputs: Inputs) -> Games {
        Games { inputs, names: Vec::new(), archives: Vec::new(), slices: Vec::new() }
    }
}

/// Replaces missing files by the texts that an archive stores.
fn supply(inputs: &mut Inputs, archive: &Archive) -> Result<(), Error> {
    let manifest = archive.manifest();
    if !manifest.is_self_contained() {
        return Ok(());
    }
    for (number, file) in manifest.files.iter().enumerate() {
        let file_name = Path::new(&file.name);
        if file_name.exists() {
            continue;
        }
        let mut texts = Vec::new();
        for (place, source) in manifest.sources.iter().enumerate() {
            if source.file != number as u64 {
                continue;
            }
            // The path of the file followed by the name of its member.
            let member = source.name.strip_prefix(&file.given).unwrap_or_default();
            let text = archive.text(place)?;
            texts.extend(text.map(|text| (format!("{}{member}", file.name), text)));
        }
        inputs.supply(file_name, texts);
    }
    Ok(())
}

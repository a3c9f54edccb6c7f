//! Resolves names to games, including archives.

use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use archive::{Archive, ArchiveState, ArchivedSource, Error, Refusal, TextAccess};
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
    /// A file is replaced by the text that its archive stores if it is missing, or if it is
    /// compressed and has not changed: the games in the archive can be read one by one.
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
            let supplied = supply(&mut inputs, archive, cancel);
            let there = supplied.and_then(|()| are_there(archive));
            there.map_err(|error| NotFound::Archive(name.clone(), error))?;
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

/// Fails if all files of an archive are gone, and it does not store their text.
fn are_there(archive: &Archive) -> Result<(), Error> {
    let manifest = archive.manifest();
    let mut files = manifest.files.iter().map(|file| Path::new(&file.name));
    match manifest.files.first() {
        Some(first) if !manifest.is_self_contained() && files.all(is_gone) => {
            Err(Error::Unreadable(first.name.clone(), Refusal::Gone.into()))
        }
        _ => Ok(()),
    }
}

/// Whether a local file is not there.
pub(crate) fn is_gone(file: &Path) -> bool {
    !remote::is_address(file) && !file.exists()
}

/// Replaces files that are missing, and compressed ones that have not changed, by the texts that an
/// archive stores.
fn supply(inputs: &mut Inputs, archive: &Archive, cancel: &Cancel) -> Result<(), Error> {
    let manifest = archive.manifest();
    if !manifest.is_self_contained() {
        return Ok(());
    }
    let is_packed = |source: &ArchivedSource| source.form == TextAccess::PackedPgn;
    let is_current = manifest.sources.iter().any(is_packed) && {
        let files: Vec<PathBuf> = manifest.files.iter().map(|file| (&file.name).into()).collect();
        archive.standing(&files, cancel)? == ArchiveState::Current
    };
    for (number, file) in manifest.files.iter().enumerate() {
        let file_name = Path::new(&file.name);
        let of_file = |(_, source): &(usize, &ArchivedSource)| source.file == number as u64;
        let sources = || manifest.sources.iter().enumerate().filter(of_file);
        let is_better = is_current && sources().all(|(_, source)| is_packed(source));
        if file_name.exists() && !is_better {
            continue;
        }
        let mut texts = Vec::new();
        for (place, source) in sources() {
            // The path of the file followed by the name of its member.
            let member = source.name.strip_prefix(&file.given).unwrap_or_default();
            let text = archive.text(place)?;
            texts.extend(text.map(|text| (format!("{}{member}", file.name), text)));
        }
        inputs.supply(file_name, texts);
    }
    Ok(())
}

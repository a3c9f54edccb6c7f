//! The games that names mean, archives among them.

use std::ffi::OsStr;
use std::fmt::{self, Display, Formatter};
use std::path::{Path, PathBuf};

use archive::{Archive, Error};
use flow::Cancel;
use input::{How, Inputs};

use crate::pieces::Sliced;

/// What names mean.
pub struct Games {
    /// The files, those of archives among them.
    pub inputs: Inputs,
    /// The names that were given, but those of archives.
    pub(crate) names: Vec<PathBuf>,
    /// The archives that were named in place of their files.
    pub(crate) archives: Vec<(PathBuf, Archive)>,
    /// Games of archives that are searched as pieces.
    pub(crate) slices: Vec<Sliced>,
}

/// Why it is not known what names mean.
#[derive(Debug)]
pub enum NotFound {
    /// Nobody wants to know any more.
    Cancelled,
    /// An archive of this name is of no use.
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

impl std::error::Error for NotFound {}

/// The archive that a name means, if it ends as those of archives do. The name may be an address if
/// there is something that ends waiting for it.
///
/// # Errors
/// It is damaged, or of a later version.
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
    /// Finds the files that names mean, as [`Inputs::find`] does, those of archives among them. Of
    /// files that are not there any more the texts are taken that their archive has.
    ///
    /// # Errors
    /// An archive that was named is of no use, or the search is cancelled.
    pub fn find<'o>(
        names: &[PathBuf],
        how: How,
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
        // As its sources are named, and as a search of the file itself would name it.
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
        Ok(Games {
            inputs,
            names: others,
            archives,
            slices: Vec::new(),
        })
    }
}

/// Inputs that have no archives.
impl From<Inputs> for Games {
    fn from(inputs: Inputs) -> Games {
        Games {
            inputs,
            names: Vec::new(),
            archives: Vec::new(),
            slices: Vec::new(),
        }
    }
}

/// Puts the texts that an archive has in place of files that are not there any more.
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
            // As the file is called, and the member of it.
            let member = source.name.strip_prefix(&file.given).unwrap_or_default();
            let text = archive.text(place)?;
            texts.extend(text.map(|text| (format!("{}{member}", file.name), text)));
        }
        inputs.supply(file_name, texts);
    }
    Ok(())
}

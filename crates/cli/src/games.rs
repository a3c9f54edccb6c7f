//! The games that a command line names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use archive::Archive;

use crate::failure::{Failure, context};
use crate::interrupt;
use crate::visible::visible_name;
use input::{How, Inputs};

/// The archive that a name means, if it ends as those of archives do.
pub(crate) fn archive(name: &Path) -> Result<Option<Archive>, Failure> {
    if name.extension() != Some(OsStr::new("cqa")) {
        return Ok(None);
    }
    match Archive::open(name) {
        Ok(archive) => Ok(Some(archive)),
        Err(archive::Error::Missing) => Ok(None),
        Err(error) => {
            let name = name.display().to_string();
            let name = visible_name(&name);
            Err(Failure::Message(format!("{name}: {error}")))
        }
    }
}

/// Finds the files that names mean, those of archives among them, and says which of them are the
/// same.
pub(crate) fn find<'o>(
    names: &[PathBuf],
    how: How,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Inputs, Failure> {
    let mut files = Vec::new();
    for name in names {
        match archive(name)? {
            Some(archive) => {
                let archived = &archive.manifest().files;
                files.extend(archived.iter().map(|file| PathBuf::from(&file.name)));
            }
            None => files.push(name.clone()),
        }
    }
    let inputs = Inputs::find(&files, how, outputs, interrupt::cancel());
    let inputs = inputs.ok_or(Failure::Interrupted)?;
    for (name, first) in inputs.repeated() {
        let [name, first] = [name, first].map(|path| path.display().to_string());
        let (name, first) = (visible_name(&name), visible_name(&first));
        match name == first {
            true => tell_line!("{name} is named more than once, and searched once"),
            false => tell_line!("{name} is the same file as {first}, and searched once"),
        }
    }
    Ok(inputs)
}

/// The same, where every name must mean something.
pub(crate) fn find_all(names: &[PathBuf], how: How) -> Result<Inputs, Failure> {
    let inputs = find(names, how, None)?;
    match inputs.missing() {
        Some(missing) => Err(Failure::Message(missing.to_string())),
        None => Ok(inputs),
    }
}

/// Keeps what can be read only once, so that the games can be read again.
pub(crate) fn keep(inputs: &mut Inputs) -> Result<(), Failure> {
    let name = inputs.name().to_owned();
    let kept = inputs.keep();
    kept.map_err(|error| context(format!("cannot read {name}"), &error))
}

//! The games that a command line names.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use archive::Archive;
pub(crate) use archive::beside as archive_beside;

use crate::args::is_query_file;
use crate::failure::{Failure, context};
use crate::interrupt;
use crate::visible::visible_name;
use input::{How, Inputs, Part};

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

/// What a command line means by games.
pub(crate) struct Games {
    pub(crate) inputs: Inputs,
    /// The names that were given, but those of archives.
    pub(crate) names: Vec<PathBuf>,
    /// The archives that were named in place of their files.
    pub(crate) archives: Vec<(PathBuf, Archive)>,
}

/// Finds the files that names mean, those of archives among them, and says which of them are the
/// same.
pub(crate) fn find<'o>(
    names: &[PathBuf],
    how: How,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Inputs, Failure> {
    find_with_archives(names, how, outputs).map(|games| games.inputs)
}

/// The same, with the archives.
pub(crate) fn find_with_archives<'o>(
    names: &[PathBuf],
    how: How,
    outputs: impl IntoIterator<Item = &'o Path>,
) -> Result<Games, Failure> {
    let (mut files, mut archives) = (Vec::new(), Vec::new());
    let mut others = Vec::new();
    for name in names {
        if is_query_file(name.as_os_str()) {
            let name = name.display().to_string();
            let name = visible_name(&name);
            let message = format!("expected games, found the query {name}");
            return Err(Failure::Message(message));
        }
        match archive(name)? {
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
    let inputs = Inputs::find(&files, how, outputs, interrupt::cancel());
    let mut inputs = inputs.ok_or(Failure::Interrupted)?;
    for (name, archive) in &archives {
        supply(&mut inputs, name, archive)?;
    }
    for (name, first) in inputs.repeated() {
        let [name, first] = [name, first].map(|path| path.display().to_string());
        let (name, first) = (visible_name(&name), visible_name(&first));
        match name == first {
            true => tell_line!("{name} is named more than once, and searched once"),
            false => tell_line!("{name} is the same file as {first}, and searched once"),
        }
    }
    Ok(Games {
        inputs,
        names: others,
        archives,
    })
}

/// A part of a whole, which has no archive.
pub(crate) fn part(part: &Part, how: How) -> Games {
    let inputs = Inputs::of_parts(&part.name, [part.clone()], how, interrupt::cancel());
    Games {
        inputs,
        names: Vec::new(),
        archives: Vec::new(),
    }
}

/// The same as [`find`], where every name must mean something.
pub(crate) fn find_all(names: &[PathBuf], how: How) -> Result<Inputs, Failure> {
    find_all_with_archives(names, how).map(|games| games.inputs)
}

/// The same, with the archives.
pub(crate) fn find_all_with_archives(names: &[PathBuf], how: How) -> Result<Games, Failure> {
    let games = find_with_archives(names, how, None)?;
    match games.inputs.missing() {
        Some(missing) => Err(Failure::Message(missing.to_string())),
        None => Ok(games),
    }
}

/// Puts the texts that an archive has in place of files that are not there any more.
fn supply(inputs: &mut Inputs, folder: &Path, archive: &Archive) -> Result<(), Failure> {
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
            let text = archive.text(place).map_err(|error| {
                let name = folder.display().to_string();
                Failure::Message(format!("{}: {error}", visible_name(&name)))
            })?;
            // As the file is called, and the member of it.
            let member = source.name.strip_prefix(&file.given).unwrap_or_default();
            texts.extend(text.map(|text| (format!("{}{member}", file.name), text)));
        }
        inputs.supply(file_name, texts);
    }
    Ok(())
}

/// Keeps what can be read only once, so that the games can be read again.
pub(crate) fn keep(inputs: &mut Inputs) -> Result<(), Failure> {
    let name = inputs.name().to_owned();
    let kept = inputs.keep();
    kept.map_err(|error| context(format!("cannot read {name}"), &error))
}

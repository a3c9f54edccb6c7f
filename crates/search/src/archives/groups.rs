//! Decides which inputs are searched by an archive and which by their text.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use archive::{Archive, ArchiveState, Error, Refusal};
use flow::{Cancel, GameSource, ReadError};
use input::Inputs;

use super::games::{Games, is_gone};
use super::reader::ArchiveReader;
use crate::{UnusedArchive, UnusedReason};

/// Consecutive inputs that are searched the same way.
pub enum InputGroup<'i> {
    /// Inputs that are searched by their text.
    Text(Range<usize>),
    /// Inputs that are searched by their archive.
    Archive(Box<ArchiveReader<'i>>, Range<usize>),
}

impl<'i> InputGroup<'i> {
    /// Returns the source with this name, for reading one of its games.
    pub fn source(&self, inputs: &Inputs, name: &str) -> Option<GameSource<'i>> {
        match self {
            InputGroup::Text(files) => {
                let sources = inputs.sources_from(files.start);
                let mut sources = sources.take_while(|(file, _)| files.contains(file));
                sources.find_map(|(_, source)| source.ok().filter(|found| *found.name == *name))
            }
            InputGroup::Archive(archived, _) => archived.source(name),
        }
    }
}

impl Games {
    /// Divides the inputs into groups: by the archives that were named and, unless `only_named`, by
    /// those found next to the games. `tell` receives the archives that cannot be used. `cancel`
    /// also stops reading archives.
    pub fn groups(
        &self,
        only_named: bool,
        cancel: &Cancel,
        tell: &mut dyn FnMut(&UnusedArchive),
    ) -> Vec<InputGroup<'_>> {
        let inputs = &self.inputs;
        if !self.slices.is_empty() {
            return with_text_between(self.slices(cancel), inputs);
        }
        let mut search = ArchiveLookup {
            inputs,
            cancel,
            tell,
            paths: Vec::new(),
            found: Vec::new(),
            folders: HashSet::new(),
        };
        for (folder, archive) in &self.archives {
            search.take_named(folder, archive);
        }
        if !only_named {
            let named = self.names.iter().map(PathBuf::as_path);
            let all = named.chain(inputs.paths().flatten());
            for name in all {
                search.take_beside(name);
            }
        }
        search.found.sort_by_cached_key(|(_, files)| files.start);
        with_text_between(search.found, inputs)
    }
}

/// Returns the archives as input groups, with the other inputs between them.
fn with_text_between<'i>(
    archives: impl IntoIterator<Item = (Box<ArchiveReader<'i>>, Range<usize>)>,
    inputs: &Inputs,
) -> Vec<InputGroup<'i>> {
    let mut groups = Vec::new();
    let mut next = 0;
    for (archived, files) in archives {
        if next < files.start {
            groups.push(InputGroup::Text(next..files.start));
        }
        next = files.end;
        groups.push(InputGroup::Archive(archived, files));
    }
    let n_inputs = inputs.paths().count();
    if next < n_inputs {
        groups.push(InputGroup::Text(next..n_inputs));
    }
    groups
}

/// State of finding archives for the inputs.
struct ArchiveLookup<'i, 't> {
    inputs: &'i Inputs,
    cancel: &'t Cancel,
    tell: &'t mut dyn FnMut(&UnusedArchive),
    /// Full path of each input that is a file, once they are needed.
    paths: Vec<Option<PathBuf>>,
    found: Vec<(Box<ArchiveReader<'i>>, Range<usize>)>,
    /// Archives that have been examined.
    folders: HashSet<PathBuf>,
}

impl ArchiveLookup<'_, '_> {
    fn tell(&mut self, folder: &Path, reason: ReadError) {
        (self.tell)(&UnusedArchive { archive: remote::shown(folder), reason });
    }

    /// Uses an archive that was named instead of games, or reports why it is not used.
    fn take_named(&mut self, folder: &Path, archive: &Archive) {
        self.folders.insert(folder.to_owned());
        let taken = match self.files_of(archive) {
            Some(files) if self.are_free(&files) => self.take(folder, archive, files, false),
            _ => {
                let known = archive.manifest().files.iter();
                let known: Vec<PathBuf> = known.map(|file| file.name.clone().into()).collect();
                let standing = archive.standing(&known, self.cancel);
                match standing {
                    Ok(_) if known.is_empty() => Ok(()),
                    Ok(_) => Err(UnusedReason::Overlaps.into()),
                    Err(error) => Err(error.into()),
                }
            }
        };
        if let Err(reason) = taken {
            self.tell(folder, reason);
        }
    }

    /// Uses the archive next to some games, if there is one, or reports why it is not used.
    fn take_beside(&mut self, name: &Path) {
        let folder = archive::beside(name);
        if !self.folders.insert(folder.clone()) {
            return;
        }
        let taken = match Archive::open(&folder) {
            Err(Error::Missing) => return,
            Err(error) => Err(error.into()),
            Ok(archive) => match self.files_of(&archive) {
                None if archive.manifest().files.is_empty() => return,
                // The archive may be that of the file that is gone, but has not got its full path.
                None if is_gone(name) && archive.manifest().is_self_contained() => {
                    Err(UnusedReason::HasText.into())
                }
                None if is_gone(name) => return,
                None => Err(UnusedReason::OtherFiles.into()),
                // Another archive is used for them.
                Some(files) if !self.are_free(&files) => return,
                Some(files) => self.take(&folder, &archive, files, true),
            },
        };
        if let Err(reason) = taken {
            self.tell(&folder, reason);
        }
    }

    /// Whether none of some files have an archive already.
    fn are_free(&self, files: &Range<usize>) -> bool {
        let mut others = self.found.iter();
        others.all(|(_, taken)| taken.end <= files.start || files.end <= taken.start)
    }

    /// Returns the range of an archive's files among the inputs, unless some are missing.
    fn files_of(&mut self, archive: &Archive) -> Option<Range<usize>> {
        if self.paths.is_empty() {
            let paths = self.inputs.paths();
            // A missing file may be replaced by a stored text.
            let full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
            self.paths = paths.map(|path| path.map(full)).collect();
        }
        let known = &archive.manifest().files;
        let first = Path::new(&known.first()?.name);
        let start = (self.paths.iter()).position(|path| path.as_deref() == Some(first))?;
        let files = start..start + known.len();
        let paths = self.paths.get(files.clone())?;
        let mut pairs = paths.iter().zip(known);
        let is_same = pairs.all(|(path, known)| path.as_deref() == Some(Path::new(&known.name)));
        is_same.then_some(files)
    }

    /// Uses an archive of these files if it is up to date; otherwise returns the reason.
    fn take(
        &mut self,
        folder: &Path,
        archive: &Archive,
        files: Range<usize>,
        is_beside: bool,
    ) -> Result<(), ReadError> {
        let paths = self.inputs.paths().skip(files.start).take(files.len());
        let paths: Vec<PathBuf> = paths.flatten().map(Path::to_owned).collect();
        match archive.standing(&paths, self.cancel)? {
            ArchiveState::Current => {}
            ArchiveState::Unfinished => return Err(UnusedReason::Unfinished.into()),
            ArchiveState::Outdated => return Err(UnusedReason::Outdated.into()),
        }
        if archive.manifest().is_too_old() {
            return Err(Refusal::Old.into());
        }
        // Sources have the names under which the user gave the games.
        let names = is_beside.then(|| {
            let names = paths.iter().map(|path| path.display().to_string());
            names.collect::<Vec<String>>()
        });
        let start = files.start;
        let archived = ArchiveReader::new(
            folder,
            archive.clone(),
            self.inputs,
            start,
            names.as_deref(),
            self.cancel,
        );
        match archived {
            Some(archived) => self.found.push((Box::new(archived), files)),
            None => {
                let reason = UnusedReason::of(archive.manifest());
                return Err(reason.unwrap_or(UnusedReason::Inseparable).into());
            }
        }
        Ok(())
    }
}

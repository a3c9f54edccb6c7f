//! Which of the inputs are searched by which archive, and which by their text.

use std::collections::HashSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use archive::{Archive, Error, Standing};
use input::Inputs;

use super::{Archived, shown};
use crate::games::{self, Games};
use crate::interrupt;

/// Inputs that follow one another.
pub(crate) enum Stretch<'i> {
    /// They are read as they are.
    Text(Range<usize>),
    /// They are searched by their archive.
    Archive(Box<Archived<'i>>, Range<usize>),
}

/// Cuts the inputs into stretches: by the archives that were named and, unless `only_named`, by
/// those that stand beside their games. Where an archive cannot be used, a line says why.
pub(crate) fn stretches<'i>(games: &'i Games, only_named: bool) -> Vec<Stretch<'i>> {
    let inputs = &games.inputs;
    let n_inputs = inputs.paths().count();
    let mut search = Search {
        inputs,
        paths: Vec::new(),
        found: Vec::new(),
        folders: HashSet::new(),
    };
    for (folder, archive) in &games.archives {
        search.take_named(folder, archive);
    }
    if !only_named {
        let named = games.names.iter().map(PathBuf::as_path);
        let all = inputs.paths().flatten().map(Path::to_owned);
        let all: Vec<PathBuf> = named.map(Path::to_owned).chain(all).collect();
        for name in &all {
            search.take_beside(name);
        }
    }
    search.found.sort_by_key(|(_, files)| files.start);
    let mut stretches = Vec::new();
    let mut next = 0;
    for (archived, files) in search.found {
        if next < files.start {
            stretches.push(Stretch::Text(next..files.start));
        }
        next = files.end;
        stretches.push(Stretch::Archive(archived, files));
    }
    if next < n_inputs {
        stretches.push(Stretch::Text(next..n_inputs));
    }
    stretches
}

/// The search for archives of inputs.
struct Search<'i> {
    inputs: &'i Inputs,
    /// The inputs by the full names of their files, once that is asked for.
    paths: Vec<Option<PathBuf>>,
    found: Vec<(Box<Archived<'i>>, Range<usize>)>,
    /// The archives that were looked at.
    folders: HashSet<PathBuf>,
}

impl<'i> Search<'i> {
    /// An archive that was named in place of games.
    fn take_named(&mut self, folder: &Path, archive: &Archive) {
        self.folders.insert(folder.to_owned());
        let taken = match self.files_of(archive) {
            Some(files) => self.take(folder, archive, files, false),
            None => {
                let known = archive.manifest().files.iter();
                let known: Vec<PathBuf> = known.map(|file| file.name.clone().into()).collect();
                let standing = archive.standing(&known, interrupt::cancel());
                match standing {
                    Ok(_) if known.is_empty() => Ok(()),
                    Ok(_) => Err("another input has games of it".to_owned()),
                    Err(error) => Err(error.to_string()),
                }
            }
        };
        if let Err(reason) = taken {
            tell_line!("{}: {reason}; the text is searched", shown(folder));
        }
    }

    /// The archive beside games, if there is one.
    fn take_beside(&mut self, name: &Path) {
        let folder = games::archive_beside(name);
        if !self.folders.insert(folder.clone()) {
            return;
        }
        let taken = match Archive::open(&folder) {
            Err(Error::Missing) => return,
            Err(error) => Err(error.to_string()),
            Ok(archive) => match self.files_of(&archive) {
                // It is one of other games.
                None => return,
                Some(files) => self.take(&folder, &archive, files, true),
            },
        };
        if let Err(reason) = taken {
            tell_line!("{}: {reason}; the text is searched", shown(&folder));
        }
    }

    /// Where the files of an archive stand among the inputs, if they do, and have none yet.
    fn files_of(&mut self, archive: &Archive) -> Option<Range<usize>> {
        if self.paths.is_empty() {
            let paths = self.inputs.paths();
            // The text of a file that is not there may be.
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
        let mut others = self.found.iter();
        let is_free = others.all(|(_, taken)| taken.end <= files.start || files.end <= taken.start);
        (is_same && is_free).then_some(files)
    }

    /// Takes an archive of these files if it is as they are, or says why not.
    fn take(
        &mut self,
        folder: &Path,
        archive: &Archive,
        files: Range<usize>,
        is_beside: bool,
    ) -> Result<(), String> {
        let paths = self.inputs.paths().skip(files.start).take(files.len());
        let paths: Vec<PathBuf> = paths.flatten().map(Path::to_owned).collect();
        let standing = archive.standing(&paths, interrupt::cancel());
        match standing.map_err(|error| error.to_string())? {
            Standing::Current => {}
            Standing::Unfinished => return Err("it is not finished".to_owned()),
            Standing::Outdated => return Err("its games have changed".to_owned()),
        }
        // Whoever names the games knows them by these names.
        let names = is_beside.then(|| {
            let names = paths.iter().map(|path| path.display().to_string());
            names.collect::<Vec<String>>()
        });
        let start = files.start;
        let archived = Archived::new(
            folder,
            archive.clone(),
            self.inputs,
            start,
            names.as_deref(),
        );
        match archived {
            Some(archived) => self.found.push((Box::new(archived), files)),
            None if is_beside => {}
            None => return Err("its games cannot be read one by one".to_owned()),
        }
        Ok(())
    }
}

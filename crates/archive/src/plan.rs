//! What of an older archive is still true, and where reading begins.
//!
//! The result must be what an archive made anew would be. So a segment is kept if nothing that its
//! games depend on has changed: the files before it, and those that its games are in up to where
//! they end. A file that grew keeps its games up to the place from which a game can reach the old
//! end.

use std::collections::HashMap;
use std::fs::{self, DirEntry, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use flow::Cancel;
use pgn::GAME_LIMIT;
use xxhash_rust::xxh3::Xxh3;

use crate::archive::Archive;
use crate::build::Builder;
use crate::error::Error;
use crate::fresh::Ours;
use crate::lock;
use crate::manifest::{ArchivedFile, ArchivedSource, Form, Manifest, NAME, NEXT, shown};

/// What is kept of an older archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kept {
    /// So many segments, …
    pub segments: usize,
    /// … with so many games.
    pub games: u64,
    /// The file that the game behind them is in, or the number of files …
    pub first_file: usize,
    /// … and how many games the files before it have.
    pub games_before: u64,
}

/// What there is to do.
pub enum Plan {
    /// Nothing: the archive is what it should be.
    Done(Box<Manifest>),
    /// Reading, perhaps behind what is kept.
    Build(Box<Builder>),
}

/// Finds out what there is to do so that a folder becomes the archive of these files. Nothing is
/// written.
///
/// # Errors
/// A file cannot be read, or the folder has something else in it, or an archive that cannot be
/// read.
pub fn plan(folder: &Path, files: &[PathBuf], cancel: &Cancel) -> Result<Plan, Error> {
    let old = match Manifest::read(folder) {
        Ok(manifest) => Some(manifest),
        Err(Error::Missing) if is_free(folder) => None,
        Err(Error::Missing) => {
            let message = format!("{}: it is there, and no archive", folder.display());
            return Err(Error::Unreadable(message));
        }
        Err(error) => return Err(error),
    };
    if let Some(old) = &old {
        refuse_cut_files(folder, old, files, cancel)?;
    }
    let base = Base::of(folder, old);
    let old = base.manifest;
    let known = old.as_ref().map_or(&[][..], |old| &old.files);
    let mut seen = Vec::new();
    // The first file that is not what it was, and how far it still is.
    let mut sound = None;
    let is_gone = |known: &&ArchivedFile| old.as_ref().is_some_and(|old| old.has_only(known));
    let gone = known.iter().find(is_gone);
    for (number, path) in files.iter().enumerate() {
        if let Some(known) = known.get(number).filter(is_gone)
            && path.as_path() == Path::new(&known.name)
        {
            seen.push(known.clone());
            continue;
        }
        let file = ArchivedFile::seen(path)?;
        let (file, sound_to) = hold_against(file, known.get(number), cancel)?;
        if sound_to != Some(u64::MAX) && sound.is_none() {
            sound = Some((number, sound_to.unwrap_or(0)));
        }
        seen.push(file);
    }
    let named = files.iter().map(|path| path.display().to_string());
    let named = named.collect();
    if files.len() < known.len() && sound.is_none() {
        sound = Some((files.len(), 0));
    }
    let is_done = sound.is_none() && old.as_ref().is_some_and(|old| old.complete);
    if let Some(gone) = gone.filter(|_| !is_done) {
        let message = format!(
            "{}: it has the only text of {}, and is not made again",
            folder.display(),
            gone.name
        );
        return Err(Error::Unreadable(message));
    }
    Ok(match old {
        Some(old) if is_done && (gone.is_some() || !old.is_old()) => Plan::Done(Box::new(old)),
        old => {
            let kept = old.as_ref().filter(|old| !old.is_old());
            let kept = kept.map_or(Kept::default(), |old| kept_of(old, sound));
            let builder = Builder::new(folder, base.name, old, named, seen, kept);
            Plan::Build(Box::new(builder))
        }
    })
}

/// Refuses files that were cut since a self-contained archive was made of them: it has their only
/// whole text, which goes when it is made again.
fn refuse_cut_files(
    folder: &Path,
    old: &Manifest,
    files: &[PathBuf],
    cancel: &Cancel,
) -> Result<(), Error> {
    if !old.is_self_contained() {
        return Ok(());
    }
    let known = old.files.iter().enumerate();
    let known: HashMap<&str, (usize, &ArchivedFile)> = known
        .map(|(number, file)| (&file.name[..], (number, file)))
        .collect();
    for path in files {
        // The plan below looks at files that are missing.
        let Ok(ArchivedFile { name, bytes, .. }) = ArchivedFile::seen(path) else {
            continue;
        };
        if let Some(&(number, known)) = known.get(&name[..])
            && bytes < known.bytes
            && is_cut(folder, number, path, bytes, cancel)
        {
            return Err(Error::Unreadable(format!(
                "{}: it has the only whole text of {}, which was cut from {} bytes to {bytes}, and \
                 is not made again: restore the file, or give up the text with `cql index {} \
                 --drop-text`",
                folder.display(),
                known.name,
                known.bytes,
                folder.display()
            )));
        }
    }
    Ok(())
}

/// Whether a file is the beginning of the text that an archive has of it. A packed file counts as
/// one only if it is empty. A text that cannot be read is not worth keeping, and counts as another.
fn is_cut(folder: &Path, file: usize, path: &Path, length: u64, cancel: &Cancel) -> bool {
    if length == 0 {
        return true;
    }
    let is_source =
        |source: &ArchivedSource| source.form == Form::Pgn && source.file == file as u64;
    let compare = || -> Option<bool> {
        let archive = Archive::open(folder).ok()?;
        let source = archive.manifest().sources.iter().position(is_source)?;
        let text = archive.open_text(source).ok()??;
        let mut file = File::open(path).ok()?;
        let (mut at, mut buffer, mut kept) = (0, vec![0; 1 << 16], vec![0; 1 << 16]);
        while at < length {
            let n = file.read(&mut buffer).ok()?;
            // The plan ends there, too.
            if n == 0 || cancel.is_cancelled() {
                break;
            }
            text.read_exactly(at, &mut kept[..n]).ok()?;
            if buffer[..n] != kept[..n] {
                return Some(false);
            }
            at += n as u64;
        }
        Some(at == length)
    };
    compare() == Some(true)
}

/// What is built on, and the name of the manifest of what comes of it.
pub(crate) struct Base {
    pub(crate) manifest: Option<Manifest>,
    pub(crate) name: &'static str,
}

impl Base {
    /// An archive that has the text of its games stays as it is until all of another one is there.
    /// Of that, there may be something already.
    pub(crate) fn of(folder: &Path, old: Option<Manifest>) -> Base {
        let Some(old) = old.as_ref().filter(|old| old.is_self_contained()) else {
            return Base {
                manifest: old,
                name: NAME,
            };
        };
        let has_only_text = old.files.iter().any(|file| old.has_only(file));
        let next = (!has_only_text).then(|| Manifest::read_named(folder, NEXT).ok());
        let next = next.flatten().filter(Manifest::keeps_text);
        Base {
            manifest: Some(next.unwrap_or_else(|| old.clone())),
            name: NEXT,
        }
    }
}

/// How an archive stands to the files that it was made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It has the games of these files as they are.
    Current,
    /// It is being made, or whoever made it was ended.
    Unfinished,
    /// The files are others now.
    Outdated,
}

impl Archive {
    /// How it stands to these files now. Files of the same size but another time are read.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn standing(&self, files: &[PathBuf], cancel: &Cancel) -> Result<Standing, Error> {
        let known = &self.manifest().files;
        let mut is_same = files.len() == known.len();
        for (path, known) in files.iter().zip(known) {
            if path.as_path() == Path::new(&known.name) && self.manifest().has_only(known) {
                continue;
            }
            let file = ArchivedFile::seen(path)?;
            // What has another size need not be read to know that it is another file.
            is_same = is_same && file.name == known.name && file.bytes == known.bytes;
            if is_same {
                let (_, sound_to) = hold_against(file, Some(known), cancel)?;
                is_same = sound_to == Some(u64::MAX);
            }
        }
        Ok(match (is_same, self.manifest().complete) {
            (false, _) => Standing::Outdated,
            (true, false) => Standing::Unfinished,
            (true, true) => Standing::Current,
        })
    }
}

/// Whether a folder can be made, or is empty but for what a run has left that ended before its first
/// manifest.
pub(crate) fn is_free(folder: &Path) -> bool {
    let is_ours = |entry: DirEntry| {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        Ours::of(&entry).is_some() || is_file && entry.file_name() == lock::NAME
    };
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.all(|entry| entry.is_ok_and(is_ours)),
        Err(_) => !folder.exists(),
    }
}

/// Completes what was seen of a file. It is sound up to a byte: all of it if it is the one that is
/// known, the part that is known if it grew, nothing if it is another one.
fn hold_against(
    mut file: ArchivedFile,
    known: Option<&ArchivedFile>,
    cancel: &Cancel,
) -> Result<(ArchivedFile, Option<u64>), Error> {
    let known = known.filter(|known| known.name == file.name);
    if let Some(known) = known
        && (known.bytes, known.modified) == (file.bytes, file.modified)
        && known.modified.is_some()
    {
        file.given.clone_from(&known.given);
        file.checksum.clone_from(&known.checksum);
        return Ok((file, Some(u64::MAX)));
    }
    if let Some(known) = known {
        // Segments that are kept have this name.
        file.given.clone_from(&known.given);
    }
    let part = known.map_or(0, |known| known.bytes);
    let (sum, of_part) = hash_file(Path::new(&file.name), part, cancel)?;
    file.checksum = sum;
    let sound_to = match known {
        Some(known) if known.checksum == of_part && known.bytes == file.bytes => Some(u64::MAX),
        Some(known) if known.checksum == of_part => Some(known.bytes),
        _ => None,
    };
    Ok((file, sound_to))
}

/// The checksums of a file, and of its first bytes.
pub(crate) fn hash_file(
    path: &Path,
    part: u64,
    cancel: &Cancel,
) -> Result<(String, String), Error> {
    let failed = |error| Error::of_file(path, &error);
    let mut file = File::open(path).map_err(failed)?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    let (mut at, mut of_part) = (0, None);
    loop {
        if cancel.is_cancelled() {
            return Err(Error::Unreadable("interrupted".to_owned()));
        }
        if at == part {
            of_part = Some(hash.digest());
        }
        let most = match part.checked_sub(at) {
            Some(left) if left > 0 => left.min(buffer.len() as u64) as usize,
            _ => buffer.len(),
        };
        let n = file.read(&mut buffer[..most]).map_err(failed)?;
        if n == 0 {
            break;
        }
        hash.update(&buffer[..n]);
        at += n as u64;
    }
    let whole = shown(hash.digest());
    // A file that is shorter than its part has none.
    let of_part = of_part.map(shown).unwrap_or_default();
    Ok((whole, of_part))
}

/// The segments that are still what an archive made anew would have, if all is the same up to a
/// byte of a file.
fn kept_of(old: &Manifest, sound: Option<(usize, u64)>) -> Kept {
    let mut kept = Kept::default();
    for (number, segment) in old.segments.iter().enumerate() {
        let is_kept = match (sound, old.segments.get(number + 1)) {
            // Where a run was ended early, all segments are full.
            (None, _) => true,
            // The last one would go on.
            (Some(_), None) => false,
            (Some((file, sound_to)), Some(next)) => {
                let source = old.sources.get(next.source as usize);
                source.is_some_and(|source| match source.file.cmp(&(file as u64)) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Equal => {
                        let reach = 2 * GAME_LIMIT as u64;
                        let is_plain = matches!(source.form, Form::Pgn | Form::Lines);
                        is_plain && next.offset.saturating_add(reach) <= sound_to
                    }
                    std::cmp::Ordering::Greater => false,
                })
            }
        };
        if !is_kept {
            break;
        }
        kept.segments += 1;
        kept.games += segment.games;
    }
    let n_sound = sound.map_or(old.files.len(), |(file, _)| file);
    for file in &old.files[..n_sound] {
        match file.games {
            Some(n) if kept.games_before + n <= kept.games => {
                kept.games_before += n;
                kept.first_file += 1;
            }
            _ => break,
        }
    }
    kept
}

impl ArchivedFile {
    /// Makes sure that it was not changed since it was seen.
    pub(crate) fn is_as_before(&self) -> Result<(), Error> {
        let now = ArchivedFile::seen(Path::new(&self.name))?;
        match (now.bytes, now.modified) == (self.bytes, self.modified) {
            true => Ok(()),
            false => {
                let message = format!("{}: it was changed while it was read", self.name);
                Err(Error::Unreadable(message))
            }
        }
    }

    /// What the system says of a file; it has not been read.
    pub(crate) fn seen(path: &Path) -> Result<ArchivedFile, Error> {
        let failed = |error| Error::of_file(path, &error);
        let full = path.canonicalize().map_err(failed)?;
        let metadata = full.metadata().map_err(failed)?;
        let modified = metadata.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let name = full.to_str().ok_or_else(|| {
            let message = format!("{}: its name is not UTF-8, rename it first", path.display());
            Error::Unreadable(message)
        })?;
        if !metadata.is_file() {
            let message = format!("{name}: it is no ordinary file, and cannot be read again later");
            return Err(Error::Unreadable(message));
        }
        Ok(ArchivedFile {
            name: name.to_owned(),
            given: path.display().to_string(),
            bytes: metadata.len(),
            modified: modified.and_then(|time| u64::try_from(time.as_nanos()).ok()),
            checksum: String::new(),
            games: None,
        })
    }
}

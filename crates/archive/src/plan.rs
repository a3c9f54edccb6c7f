//! Determines which part of an older archive is still valid, and where reading resumes.
//!
//! The result must equal that of a complete build. So a segment is kept if nothing that its games
//! depend on has changed: the files before it, and its own files up to the end of its games. A file
//! that grew keeps its games up to the point from which a game can reach the old end.

use std::collections::HashMap;
use std::fs::{self, DirEntry, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use flow::{Cancel, Interruption};
use pgn::GAME_LIMIT;
use xxhash_rust::xxh3::Xxh3;

use crate::archive::Archive;
use crate::build::Builder;
use crate::error::{Error, Refusal};
use crate::folder_lock::FolderLock;
use crate::fresh::Ours;
use crate::manifest::{ArchivedFile, ArchivedSource, Manifest, NAME, NEXT, TextAccess, shown};
use crate::rows::Rows;

/// Part of an older archive that is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ReusablePrefix {
    /// Number of segments, …
    pub segments: usize,
    /// … and number of games in them.
    pub games: u64,
    /// Index of the file that contains the next game, or the number of files …
    pub first_file: usize,
    /// … and number of games in the files before it.
    pub games_before: u64,
}

/// Work needed to bring an archive up to date.
pub enum BuildPlan {
    /// Nothing: the archive is up to date.
    Done(Box<Manifest>),
    /// Games have to be read, after those that are kept.
    Build(Box<Builder>),
}

/// Determines what has to be done so that a folder becomes the archive of these files. Writes
/// nothing.
///
/// # Errors
/// A file cannot be read, the folder contains something else or an archive that cannot be read, or
/// the run was cancelled.
pub fn plan(folder: &Path, files: &[PathBuf], cancel: &Cancel) -> Result<BuildPlan, Error> {
    let old = match Manifest::read(folder) {
        Ok(manifest) => Some(manifest),
        Err(Error::Missing) if is_free(folder) => None,
        Err(Error::Missing) => {
            return Err(Error::unreadable(folder.display().to_string(), Refusal::NoArchive));
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
    // Index of the first file that changed, and number of its bytes that did not.
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
    let kept = match &old {
        Some(old) if !old.is_old() => kept_of(folder, old, sound, cancel)?,
        // Those of an older version are made again, or are the only copy.
        _ => ReusablePrefix::default(),
    };
    let is_kept = |old: &Manifest| old.is_old() || kept.segments == old.segments.len();
    let is_done = sound.is_none() && old.as_ref().is_some_and(|old| old.complete && is_kept(old));
    if let Some(gone) = gone.filter(|_| !is_done) {
        let refusal = Refusal::OnlyText(gone.name.clone());
        return Err(Error::unreadable(folder.display().to_string(), refusal));
    }
    Ok(match old {
        Some(old) if is_done && (gone.is_some() || !old.is_old()) => BuildPlan::Done(Box::new(old)),
        old => {
            let builder = Builder::new(folder, base.name, old, named, seen, kept);
            BuildPlan::Build(Box::new(builder))
        }
    })
}

/// Fails if a file was cut short after a self-contained archive was built from it. The archive then
/// has the only complete text of that file, and a rebuild would remove it.
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
    let known: HashMap<&str, (usize, &ArchivedFile)> =
        known.map(|(number, file)| (&file.name[..], (number, file))).collect();
    for path in files {
        // The loop in `plan` reports files that are missing.
        let Ok(ArchivedFile { name, bytes, .. }) = ArchivedFile::seen(path) else {
            continue;
        };
        if let Some(&(number, known)) = known.get(&name[..])
            && bytes < known.bytes
            && is_cut(folder, number, path, bytes, cancel)
        {
            let folder = folder.display().to_string();
            let (file, before) = (known.name.clone(), known.bytes);
            let name = folder.clone();
            let refusal = Refusal::OnlyCompleteText { file, before, now: bytes, folder };
            return Err(Error::unreadable(name, refusal));
        }
    }
    Ok(())
}

/// Whether a file is the beginning of the text that an archive stores of it. For a compressed file,
/// only an empty file counts. A stored text that cannot be read is not worth keeping and counts as
/// different.
fn is_cut(folder: &Path, file: usize, path: &Path, length: u64, cancel: &Cancel) -> bool {
    if length == 0 {
        return true;
    }
    let is_source =
        |source: &ArchivedSource| source.form == TextAccess::Pgn && source.file == file as u64;
    let compare = || -> Option<bool> {
        let archive = Archive::open(folder).ok()?;
        let source = archive.manifest().sources.iter().position(is_source)?;
        let text = archive.open_text(source).ok()??;
        let mut file = File::open(path).ok()?;
        let (mut at, mut buffer, mut kept) = (0, vec![0; 1 << 16], vec![0; 1 << 16]);
        while at < length {
            let n = file.read(&mut buffer).ok()?;
            // The rest of the plan stops after a cancellation, too.
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

/// Manifest to build on, and file name of the resulting manifest.
pub(crate) struct Base {
    pub(crate) manifest: Option<Manifest>,
    pub(crate) name: &'static str,
}

impl Base {
    /// Chooses the manifest to build on. A self-contained archive stays unchanged until its
    /// successor is complete; the successor may already have been started.
    pub(crate) fn of(folder: &Path, old: Option<Manifest>) -> Base {
        let Some(old) = old.as_ref().filter(|old| old.is_self_contained()) else {
            return Base { manifest: old, name: NAME };
        };
        let has_only_text = old.files.iter().any(|file| old.has_only(file));
        let next = (!has_only_text).then(|| Manifest::read_named(folder, NEXT).ok());
        let next = next.flatten().filter(Manifest::keeps_text);
        Base { manifest: Some(next.unwrap_or_else(|| old.clone())), name: NEXT }
    }
}

/// State of an archive relative to the files that it was built from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArchiveState {
    /// The archive has exactly the games of these files.
    Current,
    /// The build is running or was interrupted.
    Unfinished,
    /// The files have changed.
    Outdated,
}

impl Archive {
    /// Compares the archive with these files. Reads files whose size is unchanged but whose time
    /// differs.
    ///
    /// # Errors
    /// A file cannot be read.
    pub fn standing(&self, files: &[PathBuf], cancel: &Cancel) -> Result<ArchiveState, Error> {
        let known = &self.manifest().files;
        let mut is_same = files.len() == known.len();
        for (path, known) in files.iter().zip(known) {
            if path.as_path() == Path::new(&known.name) && self.manifest().has_only(known) {
                continue;
            }
            let file = ArchivedFile::seen(path)?;
            // A file whose size differs has changed and need not be read.
            is_same = is_same && file.name == known.name && file.bytes == known.bytes;
            if is_same {
                let (_, sound_to) = hold_against(file, Some(known), cancel)?;
                is_same = sound_to == Some(u64::MAX);
            }
        }
        Ok(match (is_same, self.manifest().complete) {
            (false, _) => ArchiveState::Outdated,
            (true, false) => ArchiveState::Unfinished,
            (true, true) => ArchiveState::Current,
        })
    }
}

/// Whether a folder is missing, or empty except for files of a run that was interrupted before its
/// first manifest.
pub(crate) fn is_free(folder: &Path) -> bool {
    let is_ours = |entry: DirEntry| {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        Ours::of(&entry).is_some() || is_file && entry.file_name() == FolderLock::NAME
    };
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.all(|entry| entry.is_ok_and(is_ours)),
        Err(_) => !folder.exists(),
    }
}

/// Adds the checksum of a file, and returns how many of its first bytes are unchanged: `u64::MAX`
/// if the whole file is, its old size if it grew, `None` if it is another file.
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
        // The segments that are kept contain this name.
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

/// Returns the checksums of a file and of its first `part` bytes.
pub(crate) fn hash_file(
    path: &Path,
    part: u64,
    cancel: &Cancel,
) -> Result<(String, String), Error> {
    let failed = |error| Error::of_file(path, error);
    let mut file = File::open(path).map_err(failed)?;
    let mut hash = Xxh3::new();
    let mut buffer = vec![0; 1 << 18];
    let (mut at, mut of_part) = (0, None);
    loop {
        refuse_cancelled(cancel)?;
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
    // The second checksum is empty if the file is shorter than `part`.
    let of_part = of_part.map(shown).unwrap_or_default();
    Ok((whole, of_part))
}

fn refuse_cancelled(cancel: &Cancel) -> Result<(), Error> {
    if cancel.is_cancelled() { Err(Error::unreadable("", Interruption::Cancelled)) } else { Ok(()) }
}

/// Returns the segments that a complete build would write unchanged, if the files differ only from
/// a byte of a file on. Reads them: a damaged segment and those after it are made again.
fn kept_of(
    folder: &Path,
    old: &Manifest,
    sound: Option<(usize, u64)>,
    cancel: &Cancel,
) -> Result<ReusablePrefix, Error> {
    let archive = Archive::of(folder, old.clone());
    let mut rows = Rows::default();
    let mut kept = ReusablePrefix::default();
    for (number, segment) in old.segments.iter().enumerate() {
        let is_kept = match (sound, old.segments.get(number + 1)) {
            // An interrupted run only leaves full segments.
            (None, _) => true,
            // The last segment is not full and would continue.
            (Some(_), None) => false,
            (Some((file, sound_to)), Some(next)) => {
                let source = old.sources.get(next.source as usize);
                source.is_some_and(|source| match source.file.cmp(&(file as u64)) {
                    std::cmp::Ordering::Less => true,
                    std::cmp::Ordering::Equal => {
                        let reach = 2 * GAME_LIMIT as u64;
                        let is_plain = matches!(source.form, TextAccess::Pgn | TextAccess::Lines);
                        is_plain && next.offset.saturating_add(reach) <= sound_to
                    }
                    std::cmp::Ordering::Greater => false,
                })
            }
        };
        if !is_kept {
            break;
        }
        refuse_cancelled(cancel)?;
        if archive.segment(number).and_then(|mut it| it.read_all(&mut rows)).is_err() {
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
    Ok(kept)
}

impl ArchivedFile {
    /// Fails if the file was changed since [`ArchivedFile::seen`].
    pub(crate) fn is_as_before(&self) -> Result<(), Error> {
        let now = ArchivedFile::seen(Path::new(&self.name))?;
        if (now.bytes, now.modified) == (self.bytes, self.modified) {
            Ok(())
        } else {
            Err(Error::unreadable(&*self.name, Refusal::Changed))
        }
    }

    /// Returns the path, size and time of a file, without reading it.
    pub(crate) fn seen(path: &Path) -> Result<ArchivedFile, Error> {
        let failed = |error| Error::of_file(path, error);
        let full = path.canonicalize().map_err(failed)?;
        let metadata = full.metadata().map_err(failed)?;
        let modified = metadata.modified().ok();
        let modified = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        let unnamed = || Error::unreadable(path.display().to_string(), Refusal::NameNotUtf8);
        let name = full.to_str().ok_or_else(unnamed)?;
        if !metadata.is_file() {
            return Err(Error::unreadable(name, Refusal::NotRegular));
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

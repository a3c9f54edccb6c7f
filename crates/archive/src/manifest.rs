//! The manifest: a list of an archive's segments and of the files they were built from.
//!
//! It is readable JSON and is replaced by rename, so that an archive is always consistent: a
//! segment counts only once the manifest lists it. The manifest stores the checksum of each
//! segment's footer, and ends with a checksum of its own.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flow::Cancel;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::fresh::{self, Fresh, Ours};
use crate::ipc::checksum;
use crate::version::{OLDEST, SEARCHED, VERSION};

/// File name of the manifest in the folder.
pub(crate) const NAME: &str = "manifest.json";

/// File name of the manifest of a new archive that replaces a self-contained one. The old archive,
/// which may have the only text of its games, stays as it is until the new one is complete.
pub(crate) const NEXT: &str = "next.json";

/// Value that identifies a manifest.
const FORMAT: &str = "babson archive";

/// Largest size in bytes of a manifest from an address: enough for a million segments.
pub(crate) const LARGEST: u64 = 1 << 28;

/// Contents of an archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    version: u64,
    /// Number of games, including those that searches skip.
    pub games: u64,
    /// Whether all files have been read to their ends.
    pub complete: bool,
    /// Whether the archive should store the text of its games, even if the text is not there yet.
    #[serde(default, skip_serializing_if = "is_false")]
    keeps_text: bool,
    /// The files, in their order.
    pub files: Vec<ArchivedFile>,
    /// The sources, each a file or a member of a file. No two have equal names.
    pub sources: Vec<ArchivedSource>,
    /// The segments, in the order of the games.
    pub segments: Vec<SegmentEntry>,
    /// Checksum of everything above.
    checksum: String,
}

/// A file whose games were read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedFile {
    /// Full path.
    pub name: String,
    /// Path as the user first gave it; the names of its sources begin with it.
    pub given: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Time of the last change in nanoseconds since 1970, if the system knows it. A file with
    /// unchanged size and time is not read again.
    pub modified: Option<u64>,
    /// Checksum of the file's bytes: XXH3 with 64 bits.
    pub checksum: String,
    /// Number of games, once the file has been read to its end.
    pub games: Option<u64>,
}

/// A source of games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedSource {
    /// Path of the file as given, followed by the name of the member if there is one.
    pub name: String,
    /// Index of the source's file in the list of files.
    pub file: u64,
    /// Access to the text of its games.
    pub form: TextAccess,
    /// Number of games of the source that are in segments.
    pub games: u64,
    /// Whether the text has bytes that are not UTF-8, which are read as Windows-1252.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_not_utf8: bool,
    /// Text of the source, if the archive stores it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<ArchivedText>,
}

/// The text of a source, stored in the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedText {
    /// Name of the text's file in the folder.
    pub name: String,
    /// Size of that file in bytes.
    pub bytes: u64,
    /// Size of the uncompressed text in bytes.
    pub text_bytes: u64,
    /// Checksum of the table that locates the frames of the text.
    pub checksum: String,
}

/// Access to the text of a source's games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TextAccess {
    /// The text is part of the file.
    Pgn,
    /// The text is part of the decompressed file.
    PackedPgn,
    /// The text is made from lines of the file.
    Lines,
    /// The text is made from lines of the decompressed file.
    PackedLines,
}

impl ArchivedSource {
    /// Whether a search can read the games one by one, as it must to use the archive: from the file, or
    /// from the text that the archive stores of a compressed file.
    #[must_use]
    pub fn is_separable(&self) -> bool {
        match self.form {
            TextAccess::Pgn => true,
            TextAccess::PackedPgn => self.text.is_some(),
            TextAccess::Lines | TextAccess::PackedLines => false,
        }
    }
}

/// A segment in the manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentEntry {
    /// Name of the segment's file in the folder.
    pub name: String,
    /// Number of games in the segment.
    pub games: u64,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Checksum of the footer, which contains those of everything else.
    pub checksum: String,
    /// Index of the source of the first game, …
    pub source: u64,
    /// … and byte offset of that game in the source.
    pub offset: u64,
}

/// Fields that all versions have.
#[derive(Deserialize)]
struct ManifestVersion {
    format: String,
    version: u64,
}

impl Manifest {
    /// Creates the manifest of an archive without games.
    pub(crate) fn new(files: Vec<ArchivedFile>) -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            games: 0,
            complete: false,
            keeps_text: false,
            files,
            sources: Vec::new(),
            segments: Vec::new(),
            checksum: String::new(),
        }
    }

    /// Reads the manifest of a folder.
    ///
    /// # Errors
    /// The folder has no manifest, or its manifest cannot be read, is damaged or has an unknown
    /// version.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        Manifest::read_named(folder, NAME)
    }

    /// Reads a manifest with another file name.
    pub(crate) fn read_named(folder: &Path, name: &str) -> Result<Manifest, Error> {
        let path = folder.join(name);
        let text = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::Missing,
            _ => Error::of_file(&path, error),
        })?;
        Manifest::parse(&text).map_err(|error| error.in_file(name))
    }

    /// Reads the manifest of a folder at an address.
    pub(crate) fn read_remote(folder: &Path, cancel: &Cancel) -> Result<Manifest, Error> {
        let path = remote::join(folder, NAME);
        let text = remote::read(&path.to_string_lossy(), LARGEST, cancel);
        let text = text.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::Missing,
            _ => Error::of_file(&path, error),
        })?;
        Manifest::parse(&text).map_err(|error| error.in_file(NAME))
    }

    /// Parses the text of a manifest.
    ///
    /// # Errors
    /// The text is damaged or has an unknown version.
    pub fn parse(text: &[u8]) -> Result<Manifest, Error> {
        let damaged = |what: &str| Error::Damaged(what.to_owned());
        let known: ManifestVersion = serde_json::from_slice(text)
            .map_err(|error| Error::Damaged(format!("it is not a manifest: {error}")))?;
        if known.format != FORMAT {
            return Err(damaged("it is not the manifest of an archive"));
        }
        if !(OLDEST..=VERSION).contains(&known.version) {
            return Err(Error::Version(known.version));
        }
        let manifest: Manifest =
            serde_json::from_slice(text).map_err(|error| Error::Damaged(error.to_string()))?;
        if manifest.text()?.as_bytes() == text && manifest.is_consistent() {
            Ok(manifest)
        } else {
            Err(damaged("its text was changed"))
        }
    }

    /// Returns the source with this name.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&ArchivedSource> {
        self.sources.iter().find(|source| source.name == name)
    }

    /// Identifies this version of the archive: the checksum of the manifest.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.checksum
    }

    /// Whether an older version of the program wrote the manifest. An update builds the archive
    /// again.
    #[must_use]
    pub fn is_old(&self) -> bool {
        self.version < VERSION
    }

    /// Returns what searches gain by an update of an archive that an older version built, if its
    /// columns are used: a clause.
    #[must_use]
    pub fn gain(&self) -> Option<&'static str> {
        let gain = "searches for positions with few legal moves leave out more games";
        (self.is_old() && !self.is_too_old()).then_some(gain)
    }

    /// Whether the archive is so old that its columns are not used.
    #[must_use]
    pub fn is_too_old(&self) -> bool {
        self.version < SEARCHED
    }

    /// Whether the archive should store the text of its games. An update then adds missing text.
    #[must_use]
    pub fn keeps_text(&self) -> bool {
        self.keeps_text || self.texts().next().is_some()
    }

    /// Sets whether the archive should store the text of its games. `false` also removes the stored
    /// texts from the manifest.
    pub(crate) fn set_keeps_text(&mut self, keeps_text: bool) {
        self.keeps_text = keeps_text;
        if !keeps_text {
            for source in &mut self.sources {
                source.text = None;
            }
        }
    }

    /// Whether nothing is left to read or to add.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let lacks_text = || self.sources.iter().any(|source| source.text.is_none());
        self.complete && !(self.keeps_text() && lacks_text())
    }

    /// Whether the archive is complete and stores the text of all of its games.
    #[must_use]
    pub fn is_self_contained(&self) -> bool {
        self.is_done() && self.texts().next().is_some()
    }

    /// Whether the archive is self-contained and the file no longer exists.
    pub(crate) fn has_only(&self, file: &ArchivedFile) -> bool {
        self.is_self_contained() && !Path::new(&file.name).exists()
    }

    /// Iterates over the stored texts.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &ArchivedText> {
        self.sources.iter().filter_map(|source| source.text.as_ref())
    }

    /// Writes the manifest to the folder under this name, atomically.
    pub(crate) fn write(&mut self, folder: &Path, name: &str) -> Result<(), Error> {
        self.version = VERSION;
        self.keeps_text = self.keeps_text();
        let text = self.text()?;
        let failed = |error| Error::of_file(&folder.join(name), error);
        let mut fresh = Fresh::create_with_folder(folder).map_err(failed)?;
        fresh.write_all(text.as_bytes()).map_err(failed)?;
        fresh.put_in(folder, name)
    }

    /// Writes the manifest. If nothing is left to do, it also becomes the manifest of the archive,
    /// whatever its name was before, and files that only older manifests list are removed.
    pub(crate) fn settle(&mut self, folder: &Path, name: &str) -> Result<(), Error> {
        self.write(folder, name)?;
        if self.is_done() { self.take_place(folder, name) } else { Ok(()) }
    }

    fn take_place(&self, folder: &Path, name: &str) -> Result<(), Error> {
        if name != NAME {
            let place = folder.join(NAME);
            fs::rename(folder.join(name), &place).map_err(|e| Error::of_file(&place, e))?;
        }
        self.remove_others(folder)
    }

    /// Completes what an interrupted run had left to do after all games and texts were written. The
    /// caller must hold the lock of the folder.
    pub(crate) fn tidy(folder: &Path) -> Result<(), Error> {
        fresh::remove_left_overs(folder).map_err(|error| Error::of_file(folder, error))?;
        match Manifest::read_named(folder, NEXT) {
            Ok(next) if next.keeps_text() && next.is_done() => next.take_place(folder, NEXT),
            Err(Error::Missing) => match Manifest::read(folder) {
                Ok(manifest) if manifest.is_done() => manifest.remove_others(folder),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Removes from the folder all segments and texts that the manifest does not list, and
    /// incomplete files of earlier runs.
    fn remove_others(&self, folder: &Path) -> Result<(), Error> {
        let failed = |error: io::Error| Error::of_file(folder, error);
        // The renamed manifest must be on disk before the old files are removed. Not all systems
        // can ensure this.
        #[cfg(unix)]
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
        let segments = self.segments.iter().map(|segment| &segment.name);
        let names: Vec<&String> = segments.chain(self.texts().map(|text| &text.name)).collect();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let is_over = match Ours::of(&entry) {
                Some(Ours::Part) => names.iter().all(|known| *name != ***known),
                Some(Ours::LeftOver) => true,
                // The list of these files is another one.
                Some(Ours::Themes) | None => false,
            };
            if is_over {
                fs::remove_file(entry.path()).map_err(failed)?;
            }
        }
        match fs::remove_file(folder.join(NEXT)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            _ => Ok(()),
        }
    }

    /// Returns the JSON text with its checksum.
    pub(crate) fn text(&self) -> Result<String, Error> {
        sealed(self.clone(), |manifest| &mut manifest.checksum)
    }

    fn is_consistent(&self) -> bool {
        let n_games = |sum: u64, n: u64| sum.checked_add(n);
        let in_segments = self.segments.iter().map(|segment| segment.games);
        let in_segments = in_segments.into_iter().try_fold(0, n_games);
        let in_sources = self.sources.iter().map(|source| source.games);
        let in_sources = in_sources.into_iter().try_fold(0, n_games);
        let n_files = self.files.len() as u64;
        in_segments == Some(self.games)
            && in_sources == Some(self.games)
            && self.sources.iter().all(|source| source.file < n_files)
            // The sender of an archive must not be able to make its reader contact a server.
            && self.files.iter().all(|file| !remote::is_address(Path::new(&file.name)))
            && self.segments.iter().all(|segment| is_plain(&segment.name))
            && self.texts().all(|text| is_plain(&text.name))
    }
}

/// Returns the JSON text of a value that contains the checksum of its text without that checksum.
pub(crate) fn sealed<T: Serialize>(
    mut value: T,
    place: impl Fn(&mut T) -> &mut String,
) -> Result<String, Error> {
    let plain = |value: &T| {
        let text = serde_json::to_string_pretty(value);
        text.map_err(|error| Error::unreadable("", error))
    };
    place(&mut value).clear();
    let sum = checksum(plain(&value)?.as_bytes());
    *place(&mut value) = shown(sum);
    Ok(plain(&value)? + "\n")
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Whether a name can only refer to a file directly in the folder.
pub(crate) fn is_plain(name: &str) -> bool {
    let is_ordinary = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_ordinary)
}

impl SegmentEntry {
    /// Returns the checksum of the footer as a number. Fails if it is not hexadecimal.
    pub(crate) fn footer(&self) -> Result<u64, Error> {
        u64::from_str_radix(&self.checksum, 16)
            .map_err(|_| Error::Damaged(format!("{NAME}: one of its checksums is malformed")))
    }
}

/// Formats a checksum in hexadecimal digits.
pub(crate) fn shown(sum: u64) -> String {
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let mut manifest = Manifest::new(vec![ArchivedFile {
            name: "/games/a.pgn".to_owned(),
            given: "a.pgn".to_owned(),
            bytes: 1234,
            modified: Some(5),
            checksum: shown(6),
            games: Some(2),
        }]);
        manifest.sources.push(ArchivedSource {
            name: "a.pgn".to_owned(),
            file: 0,
            form: TextAccess::PackedPgn,
            games: 2,
            is_not_utf8: false,
            text: Some(ArchivedText {
                name: "00000-12345678.zst".to_owned(),
                bytes: 3,
                text_bytes: 4,
                checksum: shown(5),
            }),
        });
        manifest.segments.push(SegmentEntry {
            name: "00000-12345678.arrow".to_owned(),
            games: 2,
            bytes: 7,
            checksum: shown(8),
            source: 0,
            offset: 9,
        });
        manifest.games = 2;
        manifest
    }

    #[test]
    fn what_is_written_is_read() {
        let text = example().text().expect("a text");
        let read = Manifest::parse(text.as_bytes()).expect("a manifest");
        assert_eq!(read.text().as_ref(), Ok(&text));
        assert_eq!(read.segments, example().segments);
        assert!(text.contains("\"form\": \"packed-pgn\""), "{text}");
    }

    #[test]
    fn every_byte_may_be_damaged() {
        let mut bytes = example().text().expect("a text").into_bytes();
        for at in 0..bytes.len() {
            for change in [0xff, 1] {
                bytes[at] ^= change;
                assert!(Manifest::parse(&bytes).is_err(), "byte {at}");
                bytes[at] ^= change;
            }
            assert!(Manifest::parse(&bytes[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn what_does_not_fit_together_is_refused() {
        let check = |change: fn(&mut Manifest)| {
            let mut manifest = example();
            change(&mut manifest);
            let text = manifest.text().expect("a text");
            assert!(Manifest::parse(text.as_bytes()).is_err(), "{text}");
        };
        check(|manifest| manifest.games = 3);
        check(|manifest| manifest.sources[0].games = u64::MAX);
        check(|manifest| manifest.sources[0].file = 1);
        check(|manifest| manifest.files[0].name = "https://a.org/a.pgn".to_owned());
        check(|manifest| manifest.segments[0].name = "../x.arrow".to_owned());
        check(|manifest| manifest.segments[0].name = String::new());
        check(|manifest| {
            let text = manifest.sources[0].text.as_mut();
            text.expect("a text").name = "../x.zst".to_owned();
        });
    }

    #[test]
    fn unknown_versions_are_refused_by_name() {
        let error = |text: &str| Manifest::parse(text.as_bytes()).expect_err(text).to_string();
        let newer = "{\"format\": \"babson archive\", \"version\": 7, \"more\": 1}";
        assert!(error(newer).contains("format version 7 is unknown"), "{}", error(newer));
        let older = "{\"format\": \"babson archive\", \"version\": 1}";
        assert!(error(older).contains("remove it"), "{}", error(older));
        let other = "{\"format\": \"something\", \"version\": 1}";
        assert!(error(other).contains("not the manifest of an archive"), "{}", error(other));
        assert!(error("").contains("it is not a manifest"));
    }
}

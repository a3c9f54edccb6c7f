//! The manifest: which segments an archive has, and which files they were made of.
//!
//! It is a text that people can read, and is replaced by rename, so that an archive is always whole:
//! a segment counts once the manifest names it. It names each segment with the checksum of its
//! footer, and ends with a checksum of its own.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use flow::Cancel;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::fresh::{self, Fresh, Ours};
use crate::ipc::checksum;

/// The name of the manifest in the folder.
pub(crate) const NAME: &str = "manifest.json";

/// The name of the manifest of what an archive is going to be that has the only text of games now:
/// until all of that is there, it stays as it is.
pub(crate) const NEXT: &str = "next.json";

/// What says that a manifest is one.
const FORMAT: &str = "babson archive";

/// The version that is written. It rises where games are read in another way than before, too: what
/// is kept of them would not agree with their text.
pub(crate) const VERSION: u64 = 5;

/// The oldest version whose manifest and text are read. Its columns are not: several comments of a
/// move were read otherwise, and of games that are left out it is not known where they begin.
pub(crate) const OLDEST: u64 = 4;

/// What somebody else sends as a manifest may have so many bytes: those of a million segments.
const LARGEST: u64 = 1 << 28;

/// What an archive consists of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    version: u64,
    /// How many games there are, those that searches leave out among them.
    pub games: u64,
    /// Whether all files have been read to their ends.
    pub complete: bool,
    /// Whether it is to have the text of its games, be it there already or not.
    #[serde(default, skip_serializing_if = "is_false")]
    keeps_text: bool,
    /// The files, in their order.
    pub files: Vec<ArchivedFile>,
    /// What gave games: a file, or a member of it. No two have the same name.
    pub sources: Vec<ArchivedSource>,
    /// The segments, in the order of the games.
    pub segments: Vec<SegmentEntry>,
    /// The checksum of everything before.
    checksum: String,
}

/// A file that games were read from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedFile {
    /// Its full name.
    pub name: String,
    /// As it was named when it was read first: how the names of its sources begin.
    pub given: String,
    /// How many bytes it had.
    pub bytes: u64,
    /// When it was changed last, in nanoseconds since 1970, if the system says so: a file of the
    /// same size and time need not be read to know that it is the same.
    pub modified: Option<u64>,
    /// The checksum of its bytes, by XXH3 with 64 bits.
    pub checksum: String,
    /// How many games it has, once it has been read to its end.
    pub games: Option<u64>,
}

/// Something that gave games.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedSource {
    /// The name that its file was given, and for a member that of the member behind it.
    pub name: String,
    /// The place of its file among the files.
    pub file: u64,
    /// How its text is got at.
    pub form: Form,
    /// How many games of it are in segments.
    pub games: u64,
    /// Its text, if the archive has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<ArchivedText>,
}

/// The text of a source inside of the archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ArchivedText {
    /// The name of its file in the folder.
    pub name: String,
    /// The size of that file.
    pub bytes: u64,
    /// How many bytes the text has.
    pub text_bytes: u64,
    /// The checksum of the table that says where its parts are.
    pub checksum: String,
}

/// How the text of games is got at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// It stands in the file.
    Pgn,
    /// It stands in what the file holds packed.
    PackedPgn,
    /// It is made of lines of the file.
    Lines,
    /// It is made of lines of what the file holds packed.
    PackedLines,
}

/// A segment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SegmentEntry {
    /// The name of its file in the folder.
    pub name: String,
    /// How many games it has.
    pub games: u64,
    /// The size of its file.
    pub bytes: u64,
    /// The checksum of its footer, which has those of everything else.
    pub checksum: String,
    /// The place of the source of its first game, …
    pub source: u64,
    /// … and where that game begins there.
    pub offset: u64,
}

/// What every version has.
#[derive(Deserialize)]
struct Anything {
    format: String,
    version: u64,
}

impl Manifest {
    /// That of an archive without games.
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
    /// There is none, it cannot be read, is damaged or of an unknown version.
    pub fn read(folder: &Path) -> Result<Manifest, Error> {
        Manifest::read_named(folder, NAME)
    }

    /// Reads a manifest that has another name.
    pub(crate) fn read_named(folder: &Path, name: &str) -> Result<Manifest, Error> {
        let path = folder.join(name);
        let text = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Error::Missing,
            _ => Error::of_file(&path, &error),
        })?;
        Manifest::parse(&text).map_err(|error| error.in_file(name))
    }

    /// The same of a folder that has an address.
    pub(crate) fn read_remote(folder: &Path, cancel: &Cancel) -> Result<Manifest, Error> {
        let path = remote::join(folder, NAME);
        let text = remote::read(&path.to_string_lossy(), LARGEST, cancel);
        let text = text.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Error::Missing,
            _ => Error::of_file(&path, &error),
        })?;
        Manifest::parse(&text).map_err(|error| error.in_file(NAME))
    }

    /// Reads the text of a manifest.
    ///
    /// # Errors
    /// It is damaged or of an unknown version.
    pub fn parse(text: &[u8]) -> Result<Manifest, Error> {
        let damaged = |what: &str| Error::Damaged(what.to_owned());
        let known: Anything = serde_json::from_slice(text)
            .map_err(|error| Error::Damaged(format!("it is no manifest: {error}")))?;
        if known.format != FORMAT {
            return Err(damaged("it is the manifest of something else"));
        }
        if !(OLDEST..=VERSION).contains(&known.version) {
            return Err(Error::Version(known.version));
        }
        let manifest: Manifest =
            serde_json::from_slice(text).map_err(|error| Error::Damaged(error.to_string()))?;
        match manifest.text()?.as_bytes() == text && manifest.is_consistent() {
            true => Ok(manifest),
            false => Err(damaged("it is not the text that was written")),
        }
    }

    /// The source of this name.
    #[must_use]
    pub fn source(&self, name: &str) -> Option<&ArchivedSource> {
        self.sources.iter().find(|source| source.name == name)
    }

    /// What tells the archive from any other, and from what it was before.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.checksum
    }

    /// Whether an older program has written it.
    #[must_use]
    pub fn is_old(&self) -> bool {
        self.version < VERSION
    }

    /// Whether it is to have the text of its games: whoever brings it up to date puts that in.
    #[must_use]
    pub fn keeps_text(&self) -> bool {
        self.keeps_text || self.texts().next().is_some()
    }

    /// Says whether it is to have the text of its games.
    pub(crate) fn set_keeps_text(&mut self, keeps_text: bool) {
        self.keeps_text = keeps_text;
        if !keeps_text {
            for source in &mut self.sources {
                source.text = None;
            }
        }
    }

    /// Whether there is nothing left to be read or put into it.
    #[must_use]
    pub fn is_done(&self) -> bool {
        let lacks_text = || self.sources.iter().any(|source| source.text.is_none());
        self.complete && !(self.keeps_text() && lacks_text())
    }

    /// Whether it has the text of all of its games.
    #[must_use]
    pub fn is_self_contained(&self) -> bool {
        self.is_done() && self.texts().next().is_some()
    }

    /// Whether the text of a file is nowhere else.
    pub(crate) fn has_only(&self, file: &ArchivedFile) -> bool {
        self.is_self_contained() && !Path::new(&file.name).exists()
    }

    /// The texts that it has.
    pub(crate) fn texts(&self) -> impl Iterator<Item = &ArchivedText> {
        self.sources
            .iter()
            .filter_map(|source| source.text.as_ref())
    }

    /// Puts it in its place in the folder, at once, as a manifest of this name.
    pub(crate) fn write(&mut self, folder: &Path, name: &str) -> Result<(), Error> {
        self.version = VERSION;
        self.keeps_text = self.keeps_text();
        let text = self.text()?;
        let failed = |error| Error::of_file(&folder.join(name), &error);
        let mut fresh = Fresh::create(folder).map_err(failed)?;
        fresh.write_all(text.as_bytes()).map_err(failed)?;
        fresh.put(folder, name)
    }

    /// Puts it in its place as far as it has come. Once nothing is left to do, it is the manifest of
    /// the archive, whatever name it had till then, and what only older ones have named is removed.
    pub(crate) fn settle(&mut self, folder: &Path, name: &str) -> Result<(), Error> {
        self.write(folder, name)?;
        match self.is_done() {
            true => self.take_place(folder, name),
            false => Ok(()),
        }
    }

    fn take_place(&self, folder: &Path, name: &str) -> Result<(), Error> {
        if name != NAME {
            let place = folder.join(NAME);
            fs::rename(folder.join(name), &place).map_err(|e| Error::of_file(&place, &e))?;
        }
        self.remove_others(folder)
    }

    /// Does what a run had left to do that was ended when all was there. Nobody else may be at work
    /// in the folder.
    pub(crate) fn tidy(folder: &Path) -> Result<(), Error> {
        fresh::remove_left_overs(folder).map_err(|error| Error::of_file(folder, &error))?;
        match Manifest::read_named(folder, NEXT) {
            Ok(next) if next.keeps_text() && next.is_done() => next.take_place(folder, NEXT),
            Err(Error::Missing) => match Manifest::read(folder) {
                Ok(manifest) if manifest.is_done() => manifest.remove_others(folder),
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Removes segments and texts from the folder that are not named any more, and what earlier runs
    /// have not finished.
    fn remove_others(&self, folder: &Path) -> Result<(), Error> {
        let failed = |error: io::Error| Error::of_file(folder, &error);
        // What replaces them has its place on the disk before they lose theirs, where systems tell.
        #[cfg(unix)]
        let _ = fs::File::open(folder).and_then(|folder| folder.sync_all());
        let segments = self.segments.iter().map(|segment| &segment.name);
        let names: Vec<&String> = segments
            .chain(self.texts().map(|text| &text.name))
            .collect();
        for entry in fs::read_dir(folder).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            let name = entry.file_name();
            let is_over = match Ours::of(&entry) {
                Some(Ours::Part) => names.iter().all(|known| *name != ***known),
                Some(Ours::LeftOver) => true,
                None => false,
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

    /// The text, with its checksum.
    pub(crate) fn text(&self) -> Result<String, Error> {
        let plain = |manifest: &Manifest| {
            let text = serde_json::to_string_pretty(manifest);
            text.map_err(|error| Error::Unreadable(error.to_string()))
        };
        let mut manifest = self.clone();
        manifest.checksum = String::new();
        let sum = checksum(plain(&manifest)?.as_bytes());
        manifest.checksum = shown(sum);
        Ok(plain(&manifest)? + "\n")
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
            // Whoever sends an archive does not say whom its reader asks.
            && self.files.iter().all(|file| !remote::is_address(Path::new(&file.name)))
            && self.segments.iter().all(|segment| is_plain(&segment.name))
            && self.texts().all(|text| is_plain(&text.name))
    }
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// Whether a name leads to a file in the folder itself.
fn is_plain(name: &str) -> bool {
    let is_ordinary = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    !name.is_empty() && !name.starts_with('.') && name.chars().all(is_ordinary)
}

impl SegmentEntry {
    /// The checksum of the footer, as a number that nothing has if it is not written like one.
    pub(crate) fn footer(&self) -> Result<u64, Error> {
        u64::from_str_radix(&self.checksum, 16)
            .map_err(|_| Error::Damaged(format!("{NAME}: it has a checksum that is none")))
    }
}

/// A checksum as it is written.
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
            form: Form::PackedPgn,
            games: 2,
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
        let error = |text: &str| {
            Manifest::parse(text.as_bytes())
                .expect_err(text)
                .to_string()
        };
        let newer = "{\"format\": \"babson archive\", \"version\": 6, \"more\": 1}";
        assert!(
            error(newer).contains("version 6 of the format, which is not known here"),
            "{}",
            error(newer)
        );
        let older = "{\"format\": \"babson archive\", \"version\": 1}";
        assert!(error(older).contains("remove it"), "{}", error(older));
        let other = "{\"format\": \"something\", \"version\": 1}";
        assert!(error(other).contains("something else"), "{}", error(other));
        assert!(error("").contains("it is no manifest"));
    }
}

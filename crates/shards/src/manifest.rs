//! The manifest: the list of the shards and the location of their games in the whole.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use archive::{FolderLock, Fresh};
use flow::{Cancel, GameStart, Input, SourceError};
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::{Xxh3, xxh3_64};

use crate::error::Error;

/// Name of the manifest in the folder.
pub(crate) const NAME: &str = "manifest.json";

/// Name of the file that is locked while shards are written.
pub(crate) const LOCK: &str = FolderLock::NAME;

/// Largest manifest that is read from an address, in bytes: enough for about a million shards.
const LARGEST: u64 = 1 << 28;

/// Value of the field `format`; it identifies a manifest of shards.
const FORMAT: &str = "babson shards";

/// Version that is written, and the only one that is read.
pub(crate) const VERSION: u64 = 1;

/// List of the shards of a collection, with their sources.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    format: String,
    version: u64,
    /// Number of games in all shards.
    pub games: u64,
    /// Value of `lastgamenumber` for all games; it is counted by tags, so it may differ from
    /// `games`.
    pub last_game_number: u64,
    /// Sources of the games, in order.
    pub sources: Vec<ShardedSource>,
    /// Shards, in the order of their games.
    pub shards: Vec<Shard>,
    /// Checksum of all other fields.
    checksum: String,
}

/// Source of games: a file, or a member of one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardedSource {
    /// Name of the source, as the user wrote it.
    pub name: String,
    /// Number of games in the source.
    pub games: u64,
}

/// File with consecutive games of a source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shard {
    /// Name of the file, in the folder of the manifest.
    pub name: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Size of the text, uncompressed, in bytes.
    pub text_bytes: u64,
    /// Number of games in the shard.
    pub games: u64,
    /// Number of the first game, counted through all sources from 1.
    pub first_game: u64,
    /// Index of the source in [`Manifest::sources`].
    pub source: u64,
    /// Number of the first game in its source, from 1.
    pub game: u64,
    /// Offset of the first game in its source, in bytes.
    pub offset: u64,
    /// Line of that offset, from 1.
    pub line: u64,
    /// XXH3 checksum of the file (64 bits, hexadecimal).
    pub checksum: String,
}

impl Shard {
    /// Returns the location of the first game in its source.
    #[must_use]
    pub fn start(&self) -> GameStart {
        GameStart { offset: self.offset, game: self.game, line: self.line }
    }

    /// Returns the number of games in the sources before that of this shard.
    #[must_use]
    pub fn games_before_source(&self) -> u64 {
        self.first_game.saturating_sub(self.game)
    }
}

/// Fields that every version of the manifest has.
#[derive(Deserialize)]
struct ShardsVersion {
    format: String,
    version: u64,
}

impl Default for Manifest {
    fn default() -> Manifest {
        Manifest {
            format: FORMAT.to_owned(),
            version: VERSION,
            games: 0,
            last_game_number: 0,
            sources: Vec::new(),
            shards: Vec::new(),
            checksum: String::new(),
        }
    }
}

impl Manifest {
    /// Reads a manifest, given by its path or address or by its folder, and returns it with the
    /// folder. `cancel` ends the wait for an address.
    ///
    /// # Errors
    /// The manifest cannot be read, is damaged or of an unknown version.
    pub fn read(path: &Path, cancel: &Cancel) -> Result<(Manifest, PathBuf), Error> {
        let is_remote = remote::is_address(path);
        let is_folder = if is_remote {
            path.extension().is_none_or(|extension| extension != "json")
        } else {
            path.is_dir()
        };
        let path = if is_folder { remote::join(path, NAME) } else { path.to_owned() };
        let text = if is_remote {
            remote::read(&path.to_string_lossy(), LARGEST, cancel)
        } else {
            fs::read(&path)
        };
        let text = text.map_err(|error| Error::of_file(&path, error))?;
        let manifest = Manifest::parse(&text).map_err(|error| match error {
            Error::Damaged(what) => Error::Damaged(format!("{}: {what}", remote::shown(&path))),
            other => other,
        })?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        Ok((manifest, folder))
    }

    /// Parses the text of a manifest.
    ///
    /// # Errors
    /// The text is damaged or of an unknown version.
    pub fn parse(text: &[u8]) -> Result<Manifest, Error> {
        let damaged = |what: &str| Error::Damaged(what.to_owned());
        let known: ShardsVersion = serde_json::from_slice(text)
            .map_err(|error| Error::Damaged(format!("it is not a manifest of shards: {error}")))?;
        if known.format != FORMAT {
            return Err(damaged("it is not a manifest of shards"));
        }
        if known.version != VERSION {
            return Err(Error::Version(known.version));
        }
        let manifest: Manifest =
            serde_json::from_slice(text).map_err(|error| Error::Damaged(error.to_string()))?;
        let is_whole = manifest.text()?.as_bytes() == text && manifest.sum()? == manifest.checksum;
        if is_whole && manifest.is_consistent() {
            Ok(manifest)
        } else {
            Err(damaged("it is damaged: its text was changed"))
        }
    }

    /// Returns the checksum of the manifest, which identifies the shards.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.checksum
    }

    /// Returns the name of the source of a shard.
    #[must_use]
    pub fn source(&self, shard: &Shard) -> &str {
        let place = usize::try_from(shard.source).unwrap_or(usize::MAX);
        self.sources.get(place).map_or("", |source| source.name.as_str())
    }

    /// Reads the shard with this index and compares its size and checksum with those of the
    /// manifest. For a shard at an address at most the size is compared: its frames have checksums,
    /// which the decoder checks.
    ///
    /// # Errors
    /// The shard is missing, cannot be read, or differs.
    pub fn check(&self, folder: &Path, place: usize) -> Result<(), Error> {
        let Some(shard) = self.shards.get(place) else {
            return Err(Error::NoShard(place + 1));
        };
        let path = remote::join(folder, &shard.name);
        let what = format!("shard {} ({})", place + 1, remote::shown(&path));
        let unreadable = |error: io::Error| match error.kind() {
            io::ErrorKind::NotFound => Error::Missing(what.clone()),
            _ => Error::Source(SourceError { name: what.as_str().into(), error: error.into() }),
        };
        if remote::is_address(&path) {
            let opened = remote::open(&path.to_string_lossy(), &Cancel::default());
            return match opened.map_err(unreadable)? {
                remote::RemoteBytes::Anywhere(object) if object.size() != shard.bytes => {
                    Err(Error::Damaged(format!(
                        "{what} is damaged: its size differs from the manifest"
                    )))
                }
                _ => Ok(()),
            };
        }
        let sum = checksum(&path).map_err(unreadable)?;
        if sum == (shard.bytes, shard.checksum.clone()) {
            Ok(())
        } else {
            Err(Error::Damaged(format!(
                "{what} is damaged: its checksum differs from the manifest"
            )))
        }
    }

    /// Writes the manifest into the folder, at once.
    pub(crate) fn write(&mut self, folder: &Path) -> Result<(), Error> {
        self.checksum = self.sum()?;
        let text = self.text()?;
        let write = || {
            let mut file = Fresh::create(folder)?;
            file.write_all(text.as_bytes())?;
            file.put(&folder.join(NAME))
        };
        write().map_err(|error| Error::of_file(&folder.join(NAME), error))
    }

    fn text(&self) -> Result<String, Error> {
        let text = serde_json::to_string_pretty(self).map_err(Error::Json)?;
        Ok(text + "\n")
    }

    /// Returns the checksum of all fields except `checksum`.
    fn sum(&self) -> Result<String, Error> {
        let plain = Manifest { checksum: String::new(), ..self.clone() };
        Ok(shown(xxh3_64(plain.text()?.as_bytes())))
    }

    /// Whether the shards are consecutive, have plain file names, and refer to existing sources.
    fn is_consistent(&self) -> bool {
        let mut next: u64 = 1;
        for shard in &self.shards {
            let is_plain = shard.name.bytes().all(|b| {
                let is_mark = matches!(b, b'.' | b'-' | b'_');
                b.is_ascii_alphanumeric() || is_mark
            });
            let is_sound = shard.first_game == next
                && shard.source < self.sources.len() as u64
                && 1 <= shard.game
                && shard.game <= shard.first_game
                && shard.line >= 1
                && is_plain
                && !shard.name.starts_with('.');
            match next.checked_add(shard.games) {
                Some(behind) if is_sound => next = behind,
                _ => return false,
            }
        }
        next - 1 == self.games
    }
}

/// Returns the size and the checksum of a file.
fn checksum(path: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(path)?;
    let (mut sum, mut size) = (Xxh3::new(), 0);
    let mut buffer = vec![0; 1 << 18];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => return Ok((size, shown(sum.digest()))),
            Ok(n) => {
                sum.update(&buffer[..n]);
                size += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// Formats a checksum in hexadecimal.
pub(crate) fn shown(sum: u64) -> String {
    format!("{sum:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Manifest {
        let shard = |number: u64| Shard {
            name: format!("{number:05}.pgn.zst"),
            bytes: 100,
            text_bytes: 500,
            games: 10,
            first_game: 10 * number - 9,
            source: 0,
            game: 10 * number - 9,
            offset: 500 * (number - 1),
            line: 50 * number,
            checksum: shown(number),
        };
        Manifest {
            games: 20,
            sources: vec![ShardedSource { name: "a.pgn".to_owned(), games: 20 }],
            shards: vec![shard(1), shard(2)],
            ..Manifest::default()
        }
    }

    fn written(mut manifest: Manifest) -> String {
        manifest.checksum = manifest.sum().expect("a checksum");
        manifest.text().expect("a text")
    }

    #[test]
    fn every_byte_may_be_damaged() {
        let text = written(example()).into_bytes();
        let read = Manifest::parse(&text).expect("read");
        assert_eq!((read.games, &read.shards), (20, &example().shards));
        for at in 0..text.len() {
            let mut damaged = text.clone();
            damaged[at] ^= 1;
            assert!(Manifest::parse(&damaged).is_err(), "byte {at}");
            assert!(Manifest::parse(&text[..at]).is_err(), "cut at {at}");
        }
    }

    #[test]
    fn other_versions_are_refused() {
        let manifest = Manifest { version: 9, ..example() };
        let error = Manifest::parse(written(manifest).as_bytes()).expect_err("refused");
        assert!(matches!(error, Error::Version(9)));
        assert!(error.to_string().contains("version 9"), "{error}");
        let archive = br#"{"format": "babson archive", "version": 2}"#;
        let error = Manifest::parse(archive).expect_err("refused").to_string();
        assert!(error.contains("not a manifest of shards"), "{error}");
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        let check = |change: &dyn Fn(&mut Manifest)| {
            let mut manifest = example();
            change(&mut manifest);
            let text = written(manifest);
            assert!(Manifest::parse(text.as_bytes()).is_err(), "{text}");
        };
        check(&|m| m.games = 21);
        check(&|m| m.shards[1].first_game = 12);
        check(&|m| m.shards[1].games = u64::MAX);
        check(&|m| m.shards[0].source = 1);
        check(&|m| m.shards[0].game = 0);
        check(&|m| m.shards[0].line = 0);
        check(&|m| m.shards[0].name = "../passwd".to_owned());
        check(&|m| m.shards[0].name = ".hidden".to_owned());
    }
}

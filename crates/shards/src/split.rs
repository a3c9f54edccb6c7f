//! Writes shards.
//!
//! Each shard gets its name when it is complete. The manifest is written last: a folder without it
//! holds no shards. A locked file keeps other processes from writing into the folder at the same
//! time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use archive::{FolderLock, Fresh, LockError};
use flow::{Cancel, GameSource};
use xxhash_rust::xxh3::Xxh3;
use zstd::bulk::Compressor;
use zstd::zstd_safe::CParameter;

use crate::cut::{Event, GameRun, Size, cut};
use crate::error::Error;
use crate::manifest::{LOCK, Manifest, NAME, Shard, ShardedSource, shown};

/// Number of bytes of text at which a frame ends. It can be longer, since it ends with a whole game.
const FRAME: usize = 1 << 20;

/// Compression level: most of the possible saving, at some hundred MB a second.
const LEVEL: i32 = 3;

/// Games that are being written into shards.
pub struct Splitting {
    folder: PathBuf,
    manifest: Manifest,
    size: Size,
    lock: FolderLock,
}

impl Splitting {
    /// Starts writing shards into a folder, which is created if it is missing. Earlier shards in it
    /// are removed if `may_replace` allows it; other files are not touched.
    ///
    /// # Errors
    /// The folder holds something else, another process is writing shards into it, or it cannot be
    /// written.
    pub fn begin(folder: &Path, size: Size, may_replace: bool) -> Result<Splitting, Error> {
        let failed = |error| Error::of_file(folder, error);
        fs::create_dir_all(folder).map_err(failed)?;
        // Nobody else changes the folder while it is looked through.
        let lock = FolderLock::take(folder, "is writing shards there");
        let lock = lock.map_err(|error| match error {
            LockError::Failed(error) => Error::of_file(&folder.join(LOCK), error),
            refused => Error::Locked(refused),
        })?;
        let mut earlier = match earlier(folder, may_replace, lock.was_left()) {
            Ok(earlier) => earlier,
            Err(error) => {
                // A refused folder is left as it was.
                if !lock.was_left() {
                    lock.remove();
                }
                return Err(error);
            }
        };
        // The manifest is removed first: without it the other files are no shards.
        earlier.sort_by_key(|name| name != NAME);
        for name in earlier.iter().filter(|name| *name != LOCK) {
            fs::remove_file(folder.join(name)).map_err(failed)?;
        }
        Ok(Splitting { folder: folder.to_owned(), manifest: Manifest::default(), size, lock })
    }

    /// Returns the number of games so far.
    #[must_use]
    pub fn n_games(&self) -> u64 {
        self.manifest.games
    }

    /// Writes the games of a source. `go_on` receives the number of bytes of text that are done and
    /// returns `false` to stop.
    ///
    /// # Errors
    /// The source cannot be read, is not PGN, or a shard cannot be written.
    pub fn add(
        &mut self,
        source: GameSource<'_>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Result<(), Error> {
        let mut entry = ShardedSource { name: source.name.to_string(), games: 0 };
        let place = self.manifest.sources.len() as u64;
        let size = self.size;
        let mut writer: Option<ShardWriter> = None;
        let is_enough = |start, games, end| size.is_reached(start, games, end);
        let failure = cut(source, &is_enough, go_on, &mut |event| match event {
            Event::Text([]) => Ok(()),
            Event::Text(text) => {
                let writer = match &mut writer {
                    Some(writer) => writer,
                    none => none.insert(ShardWriter::new(&self.folder)?),
                };
                writer.text(text)
            }
            Event::End(run) => {
                let Some(writer) = writer.take() else {
                    return Ok(());
                };
                let number = self.manifest.shards.len() + 1;
                let name = format!("{number:05}.pgn.zst");
                let written = writer.finish(&self.folder.join(&name))?;
                self.manifest.last_game_number += written.n_white_tags;
                entry.games += run.games();
                let first_game = self.manifest.games + 1;
                self.manifest.games += run.games();
                let shards = &mut self.manifest.shards;
                shards.push(written.shard(name, first_game, place, run));
                Ok(())
            }
        })?;
        self.manifest.sources.push(entry);
        failure.map_or(Ok(()), Err)
    }

    /// Writes the manifest, which completes the shards.
    ///
    /// # Errors
    /// The manifest cannot be written.
    pub fn finish(mut self) -> Result<Manifest, Error> {
        self.manifest.write(&self.folder)?;
        // The lock is removed last, while it is held: a run that is waiting with the removed file sees
        // that it has another name now. A folder that still holds the file is also complete.
        self.lock.remove();
        Ok(self.manifest)
    }
}

/// Returns the names of the files of earlier shards in a folder: those listed in the manifest and,
/// if a run was interrupted there (`was_ended`), all with names of ours. Any other file is an error.
fn earlier(folder: &Path, may_replace: bool, was_ended: bool) -> Result<Vec<String>, Error> {
    let failed = |error| Error::of_file(folder, error);
    let manifest = if folder.join(NAME).exists() {
        Some(Manifest::read(folder, &Cancel::default())?.0)
    } else {
        None
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy().into_owned();
        let is_ours = [NAME, LOCK].contains(&name.as_str())
            || Fresh::is_left_over(&name)
            || match &manifest {
                Some(manifest) => manifest.shards.iter().any(|shard| shard.name == name),
                None => was_ended && is_shard_name(&name),
            };
        if !is_ours {
            return Err(Error::OtherFiles(folder.to_owned(), name));
        }
        names.push(name);
    }
    if manifest.is_some() && !may_replace {
        Err(Error::HasShards(folder.to_owned()))
    } else {
        Ok(names)
    }
}

fn is_shard_name(name: &str) -> bool {
    let is_number = |text: &str| text.len() >= 5 && text.bytes().all(|b| b.is_ascii_digit());
    name.strip_suffix(".pgn.zst").is_some_and(is_number)
}

/// Shard that is being written.
struct ShardWriter {
    folder: PathBuf,
    out: Fresh,
    compressor: Compressor<'static>,
    frame: Vec<u8>,
    sum: Xxh3,
    written: ShardRecord,
}

/// Sizes, counts and checksum of a written shard.
#[derive(Default)]
struct ShardRecord {
    bytes: u64,
    text_bytes: u64,
    n_white_tags: u64,
    sum: u64,
}

impl ShardRecord {
    fn shard(&self, name: String, first_game: u64, source: u64, run: GameRun) -> Shard {
        Shard {
            name,
            bytes: self.bytes,
            text_bytes: self.text_bytes,
            games: run.games(),
            first_game,
            source,
            game: run.start.game,
            offset: run.start.offset,
            line: run.start.line,
            checksum: shown(self.sum),
        }
    }
}

impl ShardWriter {
    fn new(folder: &Path) -> Result<ShardWriter, Error> {
        let make = || {
            let out = Fresh::create(folder)?;
            let mut compressor = Compressor::new(LEVEL)?;
            compressor.set_parameter(CParameter::ChecksumFlag(true))?;
            Ok((out, compressor))
        };
        let (out, compressor) = make().map_err(|error| Error::of_file(folder, error))?;
        Ok(ShardWriter {
            folder: folder.to_owned(),
            out,
            compressor,
            frame: Vec::new(),
            sum: Xxh3::new(),
            written: ShardRecord::default(),
        })
    }

    fn text(&mut self, text: &[u8]) -> Result<(), Error> {
        self.frame.extend_from_slice(text);
        if self.frame.len() >= FRAME { self.end_frame() } else { Ok(()) }
    }

    fn end_frame(&mut self) -> Result<(), Error> {
        // The games are complete: a frame ends where a game ends.
        self.written.n_white_tags +=
            flow::count_games(GameSource::pgn("", self.frame.as_slice()).alone());
        let packed = self.compressor.compress(&self.frame);
        let packed = packed.and_then(|packed| self.out.write_all(&packed).map(|()| packed));
        let packed = packed.map_err(|error| Error::of_file(&self.folder, error))?;
        self.sum.update(&packed);
        self.written.bytes += packed.len() as u64;
        self.written.text_bytes += self.frame.len() as u64;
        self.frame.clear();
        Ok(())
    }

    /// Completes the shard and gives it its name.
    fn finish(mut self, name: &Path) -> Result<ShardRecord, Error> {
        if !self.frame.is_empty() {
            self.end_frame()?;
        }
        self.out.put(name).map_err(|error| Error::of_file(name, error))?;
        Ok(ShardRecord { sum: self.sum.digest(), ..self.written })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(n: usize) -> String {
        let game = |i| format!("[Event \"{i}\"]\n\n1. e4 e5 *\n\n");
        (0..n).map(game).collect()
    }

    fn split(folder: &Path, texts: &[(&str, &str)], n: u64) -> Result<Manifest, Error> {
        let size = Size { games: n, bytes: u64::MAX };
        let mut splitting = Splitting::begin(folder, size, true)?;
        for (name, text) in texts {
            splitting.add(GameSource::pgn(*name, text.as_bytes()), &mut |_| true)?;
        }
        splitting.finish()
    }

    #[test]
    fn shards_hold_the_text_of_their_sources() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("shards");
        // Long enough for several frames.
        let long = games(120_000);
        let texts = [("a.pgn", games(7)), ("none", String::new()), ("b.pgn", long)];
        let texts: Vec<(&str, &str)> = texts.iter().map(|(n, t)| (*n, t.as_str())).collect();
        let manifest = split(&folder, &texts, 70_000).expect("split");
        let read = Manifest::read(&folder, &Cancel::default()).expect("a manifest");
        assert_eq!(read, (manifest.clone(), folder.clone()));
        let shards = manifest.shards.iter();
        let numbers = |s: &Shard| (s.first_game, s.games, s.source, s.game);
        let expected = [(1, 7, 0, 1), (8, 70_000, 2, 1), (70_008, 50_000, 2, 70_001)];
        assert_eq!(shards.clone().map(numbers).collect::<Vec<_>>(), expected);
        let mut all = String::new();
        for (number, shard) in shards.enumerate() {
            manifest.check(&folder, number).expect("sound");
            let packed = fs::read(folder.join(&shard.name)).expect("read");
            assert_eq!(packed.len() as u64, shard.bytes);
            let text = zstd::decode_all(&packed[..]).expect("unpacked");
            assert_eq!(text.len() as u64, shard.text_bytes);
            all += &String::from_utf8(text).expect("text");
        }
        assert!(all == texts[0].1.to_owned() + texts[2].1);
        // Besides the shards there is only the manifest, and no unfinished file.
        let n_files = fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(n_files, manifest.shards.len() + 1);
    }

    #[test]
    fn what_is_no_shard_is_left_alone() {
        let place = tempfile::tempdir().expect("a folder");
        let check = |name: &str, text: &str, expected: &str| {
            let path = place.path().join(name);
            fs::write(&path, text).expect("written");
            let error = split(place.path(), &[], 1).expect_err("refused");
            assert!(error.to_string().contains(expected), "{error}");
            assert_eq!(fs::read_dir(place.path()).expect("a folder").count(), 1);
            fs::remove_file(path).expect("it is still there");
        };
        check("thesis.txt", "mine", "thesis.txt");
        // Files of games may have such names, too.
        check("00001.pgn.zst", "mine", "00001.pgn.zst");
        let archive = r#"{"format": "babson archive", "version": 2}"#;
        check(NAME, archive, "not a manifest of shards");
        // Another run has created the lock and not yet locked it, which is no interrupted run.
        fs::write(place.path().join(LOCK), "").expect("written");
        check("00001.pgn.zst", "mine", "00001.pgn.zst");
    }

    #[cfg(unix)]
    #[test]
    fn nothing_is_written_through_links() {
        let place = tempfile::tempdir().expect("a folder");
        let (folder, precious) = (place.path().join("s"), place.path().join("precious.txt"));
        let text = games(5);
        split(&folder, &[("a", &text)], 2).expect("split");
        let names = [NAME, LOCK, "00001.pgn.zst", "unfinished.tmp", "unfinished-abc.tmp"];
        for name in names {
            for target in [&precious, &place.path().join("none")] {
                fs::write(&precious, "precious").expect("written");
                let link = folder.join(name);
                let _ = fs::remove_file(&link);
                std::os::unix::fs::symlink(target, &link).expect("a link");
                let made = split(&folder, &[("a", &text)], 2);
                assert_eq!(made.is_ok(), ![LOCK, NAME].contains(&name), "{made:?}");
                assert_eq!(fs::read(&precious).expect("a file"), b"precious", "{name}");
                assert!(!place.path().join("none").exists(), "{name}");
                let _ = fs::remove_file(&link);
                let _ = fs::remove_dir_all(&folder);
                split(&folder, &[("a", &text)], 2).expect("split");
            }
        }
    }

    #[test]
    fn one_run_at_a_time_writes() {
        let place = tempfile::tempdir().expect("a folder");
        let size = Size { games: 1, bytes: 1 };
        let first = Splitting::begin(place.path(), size, false).expect("begun");
        let second = Splitting::begin(place.path(), size, false).err();
        let message = second.expect("refused").to_string();
        assert!(message.contains("another run"), "{message}");
        // Nor is the folder looked through, though it holds another file.
        fs::write(place.path().join("thesis.txt"), "mine").expect("written");
        let message = Splitting::begin(place.path(), size, false).err().expect("refused");
        assert!(message.to_string().contains("another run"), "{message}");
        fs::remove_file(place.path().join("thesis.txt")).expect("removed");
        // The remains of an interrupted run are removed.
        fs::write(place.path().join("00001.pgn.zst"), "half").expect("written");
        drop(first);
        assert!(Splitting::begin(place.path(), size, false).is_ok());
        assert!(!place.path().join("00001.pgn.zst").exists());
    }

    #[test]
    fn shards_are_replaced_only_if_that_is_wanted() {
        let place = tempfile::tempdir().expect("a folder");
        let text = games(5);
        split(place.path(), &[("a", &text)], 1).expect("split");
        let size = Size { games: 1, bytes: 1 };
        let refused = Splitting::begin(place.path(), size, false).err();
        assert!(refused.expect("refused").to_string().contains("--force"));
        split(place.path(), &[("a", &text)], 3).expect("split");
        let mut names: Vec<_> = fs::read_dir(place.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name())
            .collect();
        names.sort();
        assert_eq!(names, ["00001.pgn.zst", "00002.pgn.zst", NAME]);
    }

    #[test]
    fn without_the_manifest_there_are_no_shards() {
        let place = tempfile::tempdir().expect("a folder");
        let size = Size { games: 1, bytes: u64::MAX };
        let mut splitting = Splitting::begin(place.path(), size, false).expect("begun");
        let text = games(3);
        let ended = splitting.add(GameSource::pgn("a", text.as_bytes()), &mut |_| false);
        assert!(matches!(ended, Err(Error::Cancelled)));
        drop(splitting);
        assert!(Manifest::read(place.path(), &Cancel::default()).is_err());
        split(place.path(), &[("a", &text)], 2).expect("the next run begins anew");
    }

    #[test]
    fn positions_are_refused() {
        struct AnyLine;
        impl flow::LineFormat for AnyLine {
            fn is_game(&self, _: &[u8], _: bool) -> bool {
                true
            }
            fn write_pgn(&self, _: &[u8], _: &mut Vec<u8>) -> Result<(), flow::LineError> {
                Ok(())
            }
        }
        let place = tempfile::tempdir().expect("a folder");
        let size = Size { games: 1, bytes: 1 };
        let mut splitting = Splitting::begin(place.path(), size, false).expect("begun");
        let source = GameSource {
            format: flow::SourceFormat::Lines(std::sync::Arc::new(AnyLine)),
            ..GameSource::pgn("a.fen", b"8".as_slice())
        };
        let error = splitting.add(source, &mut |_| true).expect_err("refused");
        assert!(error.to_string().contains("a.fen is not PGN"), "{error}");
    }
}

//! The games to search, as bytes that threads can read anywhere.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use engine::run::Input;

/// A file, or what came from a pipe.
pub(crate) enum Games {
    File(File, u64),
    Memory(Vec<u8>),
}

impl Games {
    /// Opens a file. What cannot be read in any order is read into memory.
    pub(crate) fn open(path: &Path) -> io::Result<Games> {
        let mut file = File::open(path)?;
        let metadata = file.metadata()?;
        if metadata.is_file() {
            return Ok(Games::File(file, metadata.len()));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Games::Memory(bytes))
    }

    /// Reads standard input to its end.
    pub(crate) fn from_stdin() -> io::Result<Games> {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        Ok(Games::Memory(bytes))
    }
}

impl Input for Games {
    fn size(&self) -> u64 {
        match self {
            Games::File(_, size) => *size,
            Games::Memory(bytes) => bytes.as_slice().size(),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            #[cfg(unix)]
            Games::File(file, _) => std::os::unix::fs::FileExt::read_at(file, buffer, offset),
            #[cfg(windows)]
            Games::File(file, _) => std::os::windows::fs::FileExt::seek_read(file, buffer, offset),
            Games::Memory(bytes) => bytes.as_slice().read_at(offset, buffer),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(games: &Games) {
        assert_eq!(games.size(), 10);
        let mut buffer = [0; 4];
        for (offset, expected) in [(0, "0123"), (5, "5678"), (8, "89"), (10, ""), (99, "")] {
            let n = games.read_at(offset, &mut buffer).expect("read");
            assert_eq!(&buffer[..n], expected.as_bytes(), "{offset}");
        }
    }

    #[test]
    fn bytes_can_be_read_anywhere() {
        let dir = tempfile::tempdir().expect("a directory");
        let path = dir.path().join("g.pgn");
        std::fs::write(&path, "0123456789").expect("written");
        let games = Games::open(&path).expect("opened");
        assert!(matches!(games, Games::File(..)));
        check(&games);
        check(&Games::Memory(b"0123456789".to_vec()));
    }

    #[test]
    fn directories_and_missing_files_are_refused() {
        let dir = tempfile::tempdir().expect("a directory");
        assert!(Games::open(dir.path()).is_err());
        assert!(Games::open(&dir.path().join("none.pgn")).is_err());
    }
}

//! The number of games of an input, as `lastgamenumber` counts them.

use std::io;

use memchr::memmem::Finder;
use memchr::memrchr;

use super::{GameSource, SourceFormat, Sources};

/// Text that counts as one game: the reference assumes one White tag per game.
const MARK: &[u8] = b"[White ";

/// Counts the games of all sources. Games of PGN are counted as by the reference: by occurrences of
/// the bytes `[White `, even inside comments. Errors are ignored; what cannot be read has no games.
pub fn count_games(sources: Box<Sources<'_>>) -> u64 {
    sources.flatten().map(count_games_of).sum()
}

fn count_games_of(source: GameSource<'_>) -> u64 {
    let mut buffer = vec![0; 1 << 20];
    let mut counter = GameCounter::new(&source.format);
    let mut kept = 0;
    let mut reader = source.bytes.into_reader();
    loop {
        if kept == buffer.len() {
            buffer.resize(2 * kept, 0);
        }
        match reader.read(&mut buffer[kept..]) {
            Ok(read) if read > 0 => {
                let end = kept + read;
                kept = counter.count(&buffer[..end], false);
                buffer.copy_within(end - kept..end, 0);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            // Searching the games reports the error.
            Ok(_) | Err(_) => {
                counter.count(&buffer[..kept], true);
                return counter.n_games;
            }
        }
    }
}

/// Counts games in consecutive bytes.
struct GameCounter<'a> {
    format: &'a SourceFormat<'a>,
    finder: Finder<'static>,
    is_first: bool,
    n_games: u64,
}

impl<'a> GameCounter<'a> {
    fn new(format: &'a SourceFormat<'a>) -> GameCounter<'a> {
        GameCounter { format, finder: Finder::new(MARK), is_first: true, n_games: 0 }
    }

    /// Counts the complete games. Returns the number of bytes at the end that must be passed again.
    fn count(&mut self, bytes: &[u8], is_last: bool) -> usize {
        match self.format {
            SourceFormat::Pgn => {
                self.n_games += self.finder.find_iter(bytes).count() as u64;
                // A mark may be cut in two. The bytes that are kept are too few for a whole one.
                bytes.len().min(MARK.len() - 1)
            }
            SourceFormat::Lines(format) => {
                let whole = match memrchr(b'\n', bytes) {
                    _ if is_last => bytes.len(),
                    Some(newline) => newline + 1,
                    None => 0,
                };
                for line in bytes[..whole].split_inclusive(|&byte| byte == b'\n') {
                    let line = line.strip_suffix(b"\n").unwrap_or(line);
                    let line = line.strip_suffix(b"\r").unwrap_or(line);
                    self.n_games += u64::from(format.is_game(line, self.is_first));
                    self.is_first = false;
                }
                bytes.len() - whole
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;
    use std::sync::Arc;

    use super::*;
    use crate::{Bytes, Interruption, LineError, LineFormat, SourceError};

    /// Returns one byte at a time.
    struct Drops<'a>(&'a [u8]);

    impl Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let n = buffer.len().min(1);
            self.0.read(&mut buffer[..n])
        }
    }

    /// Every line is a game, except the first and those that begin with `#`.
    struct Plain;

    impl LineFormat for Plain {
        fn is_game(&self, line: &[u8], is_first: bool) -> bool {
            !is_first && !line.starts_with(b"#")
        }
        fn write_pgn(&self, _: &[u8], _: &mut Vec<u8>) -> Result<(), LineError> {
            Ok(())
        }
    }

    fn check(text: &'static [u8], format: SourceFormat<'static>, expected: u64) {
        let anywhere = Bytes::Anywhere(Arc::new(text));
        for bytes in [anywhere, Bytes::InOrder(Box::new(Drops(text)))] {
            let source = GameSource::new("games", bytes, format.clone());
            let missing =
                SourceError { name: "missing".into(), error: Interruption::Cancelled.into() };
            let sources = [Ok(source), Err(missing)];
            assert_eq!(count_games(Box::new(sources.into_iter())), expected);
        }
    }

    #[test]
    fn marks_are_counted_wherever_they_are_cut() {
        let text = b"[White \"A\"]\n[Black \"B\"]\n\n1.e4 {[White } *\n\n[White \"C\"]\n\n*\n";
        check(text, SourceFormat::Pgn, 3);
        check(b"", SourceFormat::Pgn, 0);
    }

    #[test]
    fn lines_are_counted_by_their_format() {
        let lines = || SourceFormat::Lines(Arc::new(Plain));
        check(b"header\none\r\n#two\n\nfour", lines(), 3);
        check(b"header\n", lines(), 0);
        check(b"", lines(), 0);
    }
}

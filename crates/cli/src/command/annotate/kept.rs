//! Keeps the text between games, and games that cannot be read, so that they are copied.
//!
//! The sources of a run are read by one thread, in order. Their bytes are kept until the games in
//! them are known.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::{Arc, Mutex};

use flow::{Bytes, GameSource, SourceFormat, Sources};

use crate::terminal::lock;

/// Bytes of the sources that were read and not yet taken.
#[derive(Clone, Default)]
pub(super) struct KeptTexts(Arc<Mutex<VecDeque<KeptText>>>);

/// Bytes of a source that were read and not yet taken.
#[derive(Clone)]
pub(super) struct KeptText {
    name: Arc<str>,
    buffer: Arc<Mutex<Buffer>>,
}

#[derive(Default)]
struct Buffer {
    /// Offset of the first byte in the source.
    start: u64,
    bytes: VecDeque<u8>,
}

impl KeptTexts {
    /// Returns the sources, of which those in PGN keep what they read.
    pub(super) fn keep<'a>(&self, sources: Box<Sources<'a>>) -> Box<Sources<'a>> {
        let kept = self.clone();
        Box::new(sources.map(move |source| {
            let mut source: GameSource<'a> = source?;
            if let SourceFormat::Pgn = source.format {
                let text = KeptText { name: Arc::clone(&source.name), buffer: Arc::default() };
                let buffer = Arc::clone(&text.buffer);
                lock(&kept.0).push_back(text);
                let reader = source.bytes.into_reader();
                source.bytes = Bytes::InOrder(Box::new(KeepingReader { reader, buffer }));
            }
            Ok(source)
        }))
    }

    /// Returns the text of the next source if it is this one and keeps its text.
    pub(super) fn next(&self, name: &Arc<str>) -> Option<KeptText> {
        let mut kept = lock(&self.0);
        let is_next = kept.front().is_some_and(|next| Arc::ptr_eq(&next.name, name));
        if is_next { kept.pop_front() } else { None }
    }
}

impl KeptText {
    /// Takes the bytes before an offset.
    pub(super) fn take(&self, before: u64) -> Vec<u8> {
        let mut buffer = lock(&self.buffer);
        let n = before.saturating_sub(buffer.start);
        let n = usize::try_from(n).map_or(buffer.bytes.len(), |n| n.min(buffer.bytes.len()));
        buffer.start += n as u64;
        buffer.bytes.drain(..n).collect()
    }

    /// Takes all bytes.
    pub(super) fn take_rest(&self) -> Vec<u8> {
        self.take(u64::MAX)
    }
}

/// Keeps the bytes that are read through it.
struct KeepingReader<'a> {
    reader: Box<dyn Read + Send + 'a>,
    buffer: Arc<Mutex<Buffer>>,
}

impl Read for KeepingReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let n = self.reader.read(to)?;
        lock(&self.buffer).bytes.extend(&to[..n]);
        Ok(n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_read_is_taken_in_parts() {
        let kept = KeptTexts::default();
        let sources = kept.keep(GameSource::pgn("a", b"one two".as_slice()).alone());
        for source in sources {
            let source = source.expect("a source");
            let mut text = String::new();
            source.bytes.into_reader().read_to_string(&mut text).expect("text");
            assert_eq!(text, "one two");
            assert!(kept.next(&"a".into()).is_none());
            let kept = kept.next(&source.name).expect("a text");
            assert_eq!(kept.take(3), b"one");
            assert_eq!(kept.take(2), b"");
            assert_eq!(kept.take_rest(), b" two");
        }
    }
}

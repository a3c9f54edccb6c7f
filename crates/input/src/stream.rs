//! Bytes that come in order, read by a thread of their own, which is a few blocks ahead.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use flow::Cancel;

/// The size of a block.
const BLOCK: usize = 256 << 10;

/// How many blocks wait at most; with their size, the memory that a stream takes.
const BLOCKS_AHEAD: usize = 8;

/// How often somebody who waits looks whether the run is still wanted.
const PATIENCE: Duration = Duration::from_millis(50);

/// What the thread says: bytes, none of them at the end, or why there are no more.
type Message = io::Result<Vec<u8>>;

/// A stream that another thread reads ahead.
pub(super) struct Stream {
    blocks: Receiver<Message>,
    block: Vec<u8>,
    /// How much of the block has been given out.
    at: usize,
    end: End,
    cancel: Cancel,
}

/// Whether and how the stream has come to its end.
enum End {
    Open,
    Ended,
    /// The error that comes behind the current block.
    Failed(Option<io::Error>),
}

impl Stream {
    /// Reads ahead in `reader` until the stream is dropped.
    pub(super) fn new(reader: impl Read + Send + 'static, cancel: &Cancel) -> io::Result<Stream> {
        Stream::of(move |sink| sink.take(reader), cancel)
    }

    /// As [`Stream::new`], at most so many blocks ahead.
    pub(super) fn with_room(
        reader: impl Read + Send + 'static,
        n_blocks: usize,
        cancel: &Cancel,
    ) -> io::Result<Stream> {
        Stream::start(move |sink| sink.take(reader), n_blocks, cancel)
    }

    /// The same for a reader that only the thread can make.
    pub(super) fn of(
        read: impl FnOnce(&BlockSink) + Send + 'static,
        cancel: &Cancel,
    ) -> io::Result<Stream> {
        Stream::start(read, BLOCKS_AHEAD, cancel)
    }

    fn start(
        read: impl FnOnce(&BlockSink) + Send + 'static,
        n_blocks: usize,
        cancel: &Cancel,
    ) -> io::Result<Stream> {
        let (sender, blocks) = sync_channel(n_blocks);
        thread::Builder::new()
            .name("reader".to_owned())
            .spawn(move || read(&BlockSink(sender)))?;
        Ok(Stream {
            blocks,
            block: Vec::new(),
            at: 0,
            end: End::Open,
            cancel: cancel.clone(),
        })
    }

    /// What comes next, at least so many bytes if there are, without reading it.
    pub(super) fn peek(&mut self, n: usize) -> io::Result<&[u8]> {
        while self.block.len() - self.at < n {
            match self.next_block() {
                Ok(block) if block.is_empty() => break,
                Ok(block) => {
                    self.block.drain(..self.at);
                    self.at = 0;
                    self.block.extend_from_slice(&block);
                }
                // It comes again when everything before it has been read.
                Err(error) if self.block.len() > self.at => {
                    self.end = End::Failed(Some(error));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(&self.block[self.at..])
    }

    fn next_block(&mut self) -> io::Result<Vec<u8>> {
        match &mut self.end {
            End::Open => {}
            End::Ended => return Ok(Vec::new()),
            End::Failed(error) => {
                let error = error.take();
                return Err(error.unwrap_or_else(|| io::Error::other("it cannot be read")));
            }
        }
        let message = loop {
            match self.blocks.recv_timeout(PATIENCE) {
                Ok(message) => break message,
                Err(RecvTimeoutError::Timeout) => {
                    if self.cancel.is_cancelled() {
                        break Err(io::Error::other("interrupted"));
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    break Err(io::Error::other("the thread that reads it died"));
                }
            }
        };
        match &message {
            Ok(block) if block.is_empty() => self.end = End::Ended,
            Ok(_) => {}
            Err(_) => self.end = End::Failed(None),
        }
        message
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.at == self.block.len() {
            self.block = self.next_block()?;
            self.at = 0;
        }
        let n = (self.block.len() - self.at).min(buffer.len());
        buffer[..n].copy_from_slice(&self.block[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

/// Where the thread puts what it reads.
pub(super) struct BlockSink(SyncSender<Message>);

impl BlockSink {
    /// Takes everything, or as much as somebody wants to have.
    pub(super) fn take(&self, mut reader: impl Read) {
        loop {
            let mut block = Vec::with_capacity(BLOCK);
            // What came before an error counts.
            let outcome = reader.by_ref().take(BLOCK as u64).read_to_end(&mut block);
            let is_end = block.len() < BLOCK;
            if !block.is_empty() && self.0.send(Ok(block)).is_err() {
                return;
            }
            if let Err(error) = outcome {
                return self.fail(error);
            }
            if is_end {
                let _ = self.0.send(Ok(Vec::new()));
                return;
            }
        }
    }

    /// Ends the stream before its end.
    pub(super) fn fail(&self, error: io::Error) {
        // Nobody is told if nobody listens.
        let _ = self.0.send(Err(error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes, and then an error.
    struct Fails(usize);

    impl Read for Fails {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0 == 0 {
                return Err(io::Error::other("torn"));
            }
            let n = self.0.min(buffer.len()).min(1000);
            buffer[..n].fill(b'x');
            self.0 -= n;
            Ok(n)
        }
    }

    #[test]
    fn everything_comes_in_order() {
        let check = |n: usize, peeked: usize| {
            let bytes: Vec<u8> = (0..n).map(|i| (i / 1000) as u8).collect();
            let mut stream =
                Stream::new(io::Cursor::new(bytes.clone()), &Cancel::default()).expect("a thread");
            let head = stream.peek(peeked).expect("read");
            assert!(head.len() >= peeked.min(n), "{n} {peeked}");
            assert!(bytes.starts_with(head));
            let mut read = Vec::new();
            stream.read_to_end(&mut read).expect("read");
            assert!(read == bytes, "{n} {peeked}");
        };
        for n in [0, 1, 4096, BLOCK, BLOCK + 1, 20 * BLOCK + 7] {
            for peeked in [0, 10, BLOCK + 5] {
                check(n, peeked);
            }
        }
    }

    #[test]
    fn an_error_comes_behind_the_bytes_before_it() {
        for n in [0, 10, BLOCK, BLOCK + 10] {
            for peeked in [0, 5, 2 * BLOCK] {
                let mut stream = Stream::new(Fails(n), &Cancel::default()).expect("a thread");
                let head = stream.peek(peeked).map(<[u8]>::len);
                if n == 0 && peeked > 0 {
                    assert_eq!(head.expect_err("torn").to_string(), "torn");
                    continue;
                }
                assert!(head.expect("read") >= peeked.min(n));
                let mut read = Vec::new();
                let error = stream.read_to_end(&mut read).expect_err("torn");
                assert_eq!((error.to_string().as_str(), read.len()), ("torn", n));
            }
        }
    }

    #[test]
    fn a_stream_that_nobody_reads_ends_its_thread() {
        struct Endless {
            _until_dropped: SyncSender<()>,
        }
        impl Read for Endless {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                buffer.fill(b'x');
                Ok(buffer.len())
            }
        }
        let (sender, ended) = sync_channel(1);
        let endless = Endless {
            _until_dropped: sender,
        };
        drop(Stream::new(endless, &Cancel::default()).expect("a thread"));
        let outcome = ended.recv_timeout(Duration::from_secs(20));
        assert_eq!(outcome, Err(RecvTimeoutError::Disconnected));
    }
}

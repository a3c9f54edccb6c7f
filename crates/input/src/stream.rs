//! Streams, each read by a thread of its own, a few blocks ahead.
//!
//! Bytes are passed on as soon as no more are available, because a pipe may be slow. A read returns
//! fewer bytes than requested only in this case or at the end.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

use flow::{Cancel, Interruption};

use super::error::Error;

/// Largest size of a block in bytes.
const BLOCK: usize = 256 << 10;

/// Largest number of blocks read ahead. With their size it bounds the memory of a stream.
const BLOCKS_AHEAD: usize = 8;

/// Interval at which a waiting reader checks for cancellation.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);

/// Time without new bytes after which the writer counts as paused.
const PAUSE: Duration = Duration::from_millis(20);

/// Message of the reading thread: bytes, which are empty at the end, or an error.
type Message = io::Result<Vec<u8>>;

/// A stream that another thread reads ahead.
pub(super) struct Stream {
    blocks: Receiver<Message>,
    block: Vec<u8>,
    /// Number of bytes of the block already returned.
    at: usize,
    end: StreamEnd,
    cancel: Cancel,
}

/// Whether and how the stream has ended.
enum StreamEnd {
    Open,
    Ended,
    /// The error to return after the current block.
    Failed(Option<io::Error>),
}

impl Stream {
    /// Reads `reader` ahead until the stream is dropped.
    pub(super) fn new(reader: impl Read + Send + 'static, cancel: &Cancel) -> io::Result<Stream> {
        Stream::of(move |sink| sink.take(reader), cancel)
    }

    /// Like [`Stream::new`], but at most `n_blocks` ahead.
    pub(super) fn with_room(
        reader: impl Read + Send + 'static,
        n_blocks: usize,
        cancel: &Cancel,
    ) -> io::Result<Stream> {
        Stream::start(move |sink| sink.take(reader), n_blocks, cancel)
    }

    /// Like [`Stream::new`], but the thread itself creates the reader.
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
            .spawn(move || read(&BlockSink(sender)))
            .map_err(|error| flow::no_thread(&error))?;
        Ok(Stream {
            blocks,
            block: Vec::new(),
            at: 0,
            end: StreamEnd::Open,
            cancel: cancel.clone(),
        })
    }

    /// Returns the next bytes without consuming them: at least `n` unless the stream ends before,
    /// or fewer if `is_enough` accepts them.
    pub(super) fn peek(
        &mut self,
        n: usize,
        is_enough: impl Fn(&[u8]) -> bool,
    ) -> io::Result<&[u8]> {
        while self.block.len() - self.at < n && !is_enough(&self.block[self.at..]) {
            match self.next_block() {
                Ok(block) if block.is_empty() => break,
                Ok(block) => {
                    self.block.drain(..self.at);
                    self.at = 0;
                    self.block.extend_from_slice(&block);
                }
                // Reading returns this error after the bytes before it.
                Err(error) if self.block.len() > self.at => {
                    self.end = StreamEnd::Failed(Some(error));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(&self.block[self.at..])
    }

    /// Waits for the next block, which is empty at the end.
    fn next_block(&mut self) -> io::Result<Vec<u8>> {
        loop {
            if let Some(block) = self.block_within(PATIENCE)? {
                return Ok(block);
            }
            if self.cancel.is_cancelled() {
                self.end = StreamEnd::Failed(None);
                return Err(Interruption::Cancelled.into());
            }
        }
    }

    /// Returns the next block, or `None` if it does not arrive within `time`.
    fn block_within(&mut self, time: Duration) -> io::Result<Option<Vec<u8>>> {
        match &mut self.end {
            StreamEnd::Open => {}
            StreamEnd::Ended => return Ok(Some(Vec::new())),
            StreamEnd::Failed(error) => {
                let error = error.take();
                return Err(error.unwrap_or_else(|| Error::FailedBefore.into()));
            }
        }
        let message = match self.blocks.recv_timeout(time) {
            Ok(message) => message,
            Err(RecvTimeoutError::Timeout) => return Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(Interruption::LostReader.into()),
        };
        match &message {
            Ok(block) if block.is_empty() => self.end = StreamEnd::Ended,
            Ok(_) => {}
            Err(_) => self.end = StreamEnd::Failed(None),
        }
        message.map(Some)
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut n = 0;
        while n < buffer.len() {
            if self.at == self.block.len() {
                let next = match n {
                    0 => self.next_block().map(Some),
                    _ => self.block_within(PAUSE),
                };
                match next {
                    Ok(Some(block)) if !block.is_empty() => (self.block, self.at) = (block, 0),
                    Ok(_) => break,
                    Err(error) if n == 0 => return Err(error),
                    // The next read returns the error.
                    Err(error) => {
                        self.end = StreamEnd::Failed(Some(error));
                        break;
                    }
                }
            }
            let step = (self.block.len() - self.at).min(buffer.len() - n);
            buffer[n..n + step].copy_from_slice(&self.block[self.at..self.at + step]);
            self.at += step;
            n += step;
        }
        Ok(n)
    }
}

/// Receives the blocks that the thread reads.
pub(super) struct BlockSink(SyncSender<Message>);

impl BlockSink {
    /// Reads everything, until the stream is dropped.
    pub(super) fn take(&self, mut reader: impl Read) {
        let mut room = vec![0; BLOCK];
        loop {
            let n = match reader.read(&mut room) {
                Ok(n) => n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return self.fail(error),
            };
            // An empty block marks the end.
            if self.0.send(Ok(room[..n].to_vec())).is_err() || n == 0 {
                return;
            }
        }
    }

    /// Ends the stream with an error.
    pub(super) fn fail(&self, error: io::Error) {
        // Sending fails if the stream has been dropped.
        let _ = self.0.send(Err(error));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns bytes, and then an error.
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
            let head = stream.peek(peeked, |_| false).expect("read");
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

    /// Returns bytes as they are sent to it.
    struct Pipe(Receiver<&'static [u8]>);

    impl Read for Pipe {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            match self.0.recv() {
                Ok(mut bytes) => bytes.read(buffer),
                Err(_) => Ok(0),
            }
        }
    }

    #[test]
    fn what_has_come_is_handed_on_in_a_pause() {
        let (sender, receiver) = sync_channel(10);
        let mut stream = Stream::new(Pipe(receiver), &Cancel::default()).expect("a thread");
        let mut buffer = [0; 100];
        sender.send(b"one ").expect("sent");
        let head = stream.peek(50, |head| head.contains(&b' ')).expect("read");
        assert_eq!(head, b"one ");
        // No more bytes are sent before these have been read.
        assert_eq!(stream.read(&mut buffer).expect("read"), 4);
        sender.send(b"two").expect("sent");
        assert_eq!(stream.read(&mut buffer).expect("read"), 3);
        drop(sender);
        assert_eq!(stream.read(&mut buffer).expect("read"), 0);
    }

    #[test]
    fn an_error_comes_behind_the_bytes_before_it() {
        for n in [0, 10, BLOCK, BLOCK + 10] {
            for peeked in [0, 5, 2 * BLOCK] {
                let mut stream = Stream::new(Fails(n), &Cancel::default()).expect("a thread");
                let head = stream.peek(peeked, |_| false).map(<[u8]>::len);
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
        let endless = Endless { _until_dropped: sender };
        drop(Stream::new(endless, &Cancel::default()).expect("a thread"));
        let outcome = ended.recv_timeout(Duration::from_secs(20));
        assert_eq!(outcome, Err(RecvTimeoutError::Disconnected));
    }
}

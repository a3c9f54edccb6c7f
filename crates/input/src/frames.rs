//! Decompresses Zstandard streams of several frames on several threads.
//!
//! Frames are independent of each other, and the sizes of its blocks determine where a frame ends.
//! So the stream is cut into frames, a few frames are decompressed at the same time, and their
//! contents are returned in order. This ends at the first frame that is too long to be kept, which
//! in most files is the only one: the rest is then decompressed as it is read.

use std::collections::VecDeque;
use std::io::{self, BufRead, Chain, Cursor, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use flow::Cancel;

use super::compressed::{Counted, Paused};
use super::decode::{Decompressed, Zstd};
use super::stream::Stream;

/// Largest compressed size in bytes of a frame that is kept.
const LONGEST: usize = 2 << 20;

/// Number of blocks of a frame that may be decompressed before its turn.
const BLOCKS_AHEAD: usize = 16;

/// Largest number of frames decompressed at the same time. Each takes the memory of these blocks
/// and a window.
const MOST_AT_ONCE: usize = 4;

const MAGIC: [u8; 4] = 0xFD2F_B528_u32.to_le_bytes();

/// Decompressed contents of a stream.
pub(super) struct Frames<R: BufRead> {
    /// Number of compressed bytes before the current position.
    used: Arc<AtomicU64>,
    cancel: Cancel,
    at_once: usize,
    /// The stream, while it is being cut.
    cutter: Option<FrameReader<R>>,
    /// Frames being decompressed, in order.
    ahead: VecDeque<Frame>,
    /// The rest of the stream after these frames, and the number of compressed bytes before it.
    rest: Option<(Rest<R>, u64)>,
}

type Rest<R> = Decompressed<Counted<Chain<Cursor<Vec<u8>>, Failing<R>>>, Zstd>;

/// A frame decompressed by a thread of its own.
struct Frame {
    unpacked: Stream,
    start: u64,
    used: Arc<AtomicU64>,
}

impl<R: Paused> Frames<R> {
    /// Creates a reader that stores in `used` the number of bytes of `reader` decompressed so far.
    pub(super) fn new(reader: R, used: Arc<AtomicU64>, cancel: &Cancel) -> Frames<R> {
        let n_processors = flow::n_threads(0);
        Frames {
            used,
            cancel: cancel.clone(),
            at_once: n_processors.min(MOST_AT_ONCE),
            cutter: Some(FrameReader { reader, offset: 0 }),
            ahead: VecDeque::new(),
            rest: None,
        }
    }

    /// Starts to decompress as many frames as may be decompressed at the same time.
    fn look_ahead(&mut self) -> io::Result<()> {
        while self.ahead.len() < self.at_once
            && let Some(cutter) = &mut self.cutter
        {
            // Frames that are available must not wait for bytes that are not.
            if !self.ahead.is_empty() && cutter.reader.is_paused(MAGIC.len()) {
                break;
            }
            let start = cutter.offset;
            let mut bytes = Vec::new();
            match cutter.cut(&mut bytes) {
                Ok(true) if self.at_once > 1 => {
                    let used = Arc::new(AtomicU64::new(0));
                    let counted = Counted::new(Cursor::new(bytes), used.clone());
                    let frame = Decompressed::new(counted, Zstd::new()?);
                    self.ahead.push_back(Frame {
                        unpacked: Stream::with_room(frame, BLOCKS_AHEAD, &self.cancel)?,
                        start,
                        used,
                    });
                }
                Ok(_) if bytes.is_empty() => self.cutter = None,
                outcome => {
                    let error = outcome.err();
                    if let Some(FrameReader { reader, .. }) = self.cutter.take() {
                        let rest = Cursor::new(bytes).chain(Failing { error, reader });
                        let counted = Counted::new(rest, self.used.clone());
                        self.rest = Some((Decompressed::new(counted, Zstd::new()?), start));
                    }
                }
            }
        }
        Ok(())
    }
}

impl<R: Paused> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            self.look_ahead()?;
            let Some(frame) = self.ahead.front_mut() else {
                break;
            };
            let outcome = frame.unpacked.read(buffer);
            let used = frame.start + frame.used.load(Ordering::Relaxed);
            self.used.store(used, Ordering::Relaxed);
            match outcome {
                Ok(0) if !buffer.is_empty() => self.ahead.pop_front(),
                outcome => return outcome,
            };
        }
        let Some((rest, start)) = &mut self.rest else {
            return Ok(0);
        };
        // The count continues from the start of the rest.
        if let start @ 1.. = std::mem::take(start) {
            self.used.store(start, Ordering::Relaxed);
        }
        rest.read(buffer)
    }
}

/// Cuts a stream into frames.
struct FrameReader<R> {
    reader: R,
    offset: u64,
}

impl<R: Paused> FrameReader<R> {
    /// Reads the next frame, with empty frames before it, into `bytes`. Returns `false` if the
    /// frame is incomplete, too long, or not available yet.
    fn cut(&mut self, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let outcome = self.read_frame(bytes);
        self.offset += bytes.len() as u64;
        outcome.map(|frame| frame.is_some())
    }

    fn read_frame(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<()>> {
        loop {
            let Some(magic) = self.read::<4>(bytes)? else {
                return Ok(None);
            };
            match magic {
                MAGIC => break,
                [0x50..=0x5F, 0x2A, 0x4D, 0x18] => {
                    let Some(length) = self.read::<4>(bytes)? else {
                        return Ok(None);
                    };
                    if !self.take(u32::from_le_bytes(length) as usize, bytes)? {
                        return Ok(None);
                    }
                }
                _ => return Ok(None),
            }
        }
        let Some([descriptor]) = self.read::<1>(bytes)? else {
            return Ok(None);
        };
        if !self.take(header_length(descriptor), bytes)? {
            return Ok(None);
        }
        loop {
            let Some([low, middle, high]) = self.read::<3>(bytes)? else {
                return Ok(None);
            };
            let header = u32::from_le_bytes([low, middle, high, 0]);
            let length = match header >> 1 & 3 {
                // A run of one byte is stored as this byte.
                1 => 1,
                3 => return Ok(None),
                _ => header >> 3,
            };
            if !self.take(length as usize, bytes)? {
                return Ok(None);
            }
            if header & 1 != 0 {
                break;
            }
        }
        let checksum = if descriptor & 4 != 0 { 4 } else { 0 };
        Ok(self.take(checksum, bytes)?.then_some(()))
    }

    /// Reads the next bytes. Returns `None` if the stream ends or the frame gets too long.
    fn read<const N: usize>(&mut self, bytes: &mut Vec<u8>) -> io::Result<Option<[u8; N]>> {
        let is_there = self.take(N, bytes)?;
        Ok(bytes.last_chunk().filter(|_| is_there).copied())
    }

    /// Appends `n` bytes. Returns `false` if the stream ends, if the frame gets too long, or if the
    /// rest of a frame is not available yet.
    fn take(&mut self, n: usize, bytes: &mut Vec<u8>) -> io::Result<bool> {
        let is_slow = !bytes.is_empty() && self.reader.is_paused(n);
        if is_slow || n > LONGEST - bytes.len().min(LONGEST) {
            return Ok(false);
        }
        Ok(self.reader.by_ref().take(n as u64).read_to_end(bytes)? == n)
    }
}

/// Number of bytes of a frame's header after its descriptor: window, dictionary and content size.
fn header_length(descriptor: u8) -> usize {
    let is_one_segment = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content = match descriptor >> 6 {
        0 => usize::from(is_one_segment),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    usize::from(!is_one_segment) + dictionary + content
}

/// A reader that first returns an error, if it has one.
struct Failing<R> {
    error: Option<io::Error>,
    reader: R,
}

impl<R: BufRead> Read for Failing<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.reader.read(buffer),
        }
    }
}

impl<R: BufRead> BufRead for Failing<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self.error.take() {
            Some(error) => Err(error),
            None => self.reader.fill_buf(),
        }
    }

    fn consume(&mut self, n: usize) {
        self.reader.consume(n);
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    impl Paused for &[u8] {
        fn is_paused(&self, _: usize) -> bool {
            false
        }
    }

    const NOTHING: &[u8] = b"\x5a\x2a\x4d\x18\x05\0\0\0hello";

    fn packed(text: &[u8], checksum: bool, size: bool) -> Vec<u8> {
        let mut packed = zstd::Encoder::new(Vec::new(), 3).expect("an encoder");
        packed.include_checksum(checksum).expect("an encoder");
        packed.include_contentsize(size).expect("an encoder");
        if size {
            packed.set_pledged_src_size(Some(text.len() as u64)).expect("an encoder");
        }
        packed.write_all(text).expect("packed");
        packed.finish().expect("packed")
    }

    /// Words that hardly compress.
    fn text(n: usize) -> Vec<u8> {
        let number = |i: usize| (i as u32).wrapping_mul(2_654_435_761) >> 7;
        (0..n).flat_map(|i| format!("{} ", number(i)).into_bytes()).collect()
    }

    #[test]
    fn frames_end_where_their_blocks_do() {
        for text in [Vec::new(), b"x".repeat(300_000), text(5), text(100_000)] {
            for (checksum, size) in [(false, false), (true, false), (false, true), (true, true)] {
                let frame = packed(&text, checksum, size);
                let stream = [NOTHING, &frame, &frame, NOTHING].concat();
                let mut cutter = FrameReader { reader: stream.as_slice(), offset: 0 };
                let mut next = || {
                    let mut bytes = Vec::new();
                    let is_whole = cutter.cut(&mut bytes).expect("read");
                    (is_whole, bytes.len(), cutter.offset as usize)
                };
                let (nothing, n) = (NOTHING.len(), frame.len());
                assert_eq!(next(), (true, nothing + n, nothing + n));
                assert_eq!(next(), (true, n, nothing + 2 * n));
                assert_eq!(next(), (false, nothing, stream.len()));
                assert_eq!(next(), (false, 0, stream.len()));
            }
        }
    }

    /// Decompresses a stream. Returns the contents, the error at the end, and the number of bytes
    /// used.
    fn unpacked(stream: &[u8], at_once: usize) -> (Vec<u8>, Option<String>, u64) {
        let used = Arc::default();
        let mut frames = Frames::new(stream, Arc::clone(&used), &Cancel::default());
        frames.at_once = at_once;
        let mut unpacked = Vec::new();
        let error = frames.read_to_end(&mut unpacked).err();
        let used = used.load(Ordering::Relaxed);
        (unpacked, error.map(|error| error.to_string()), used)
    }

    #[test]
    fn what_frames_hold_comes_in_order() {
        let long = text(400_000);
        let frame = |n: usize| packed(&text(n), n.is_multiple_of(2), n.is_multiple_of(3));
        assert!(packed(&long, true, false).len() > LONGEST / 2);
        let longest = packed(&[&long[..], &long, &long].concat(), true, false);
        for stream in [
            frame(1000),
            NOTHING.to_vec(),
            (0..9).flat_map(frame).collect(),
            [NOTHING, &frame(70_000), NOTHING, &frame(5), NOTHING].concat(),
            [&frame(70_000)[..], &packed(&long, false, true), &frame(3)].concat(),
            [&frame(7)[..], &longest, &frame(3), &frame(4)].concat(),
        ] {
            let mut want = Vec::new();
            let mut one = zstd::Decoder::new(stream.as_slice()).expect("a decoder");
            one.read_to_end(&mut want).expect("unpacked");
            for at_once in [1, 2, 4] {
                let n = stream.len() as u64;
                assert!(unpacked(&stream, at_once) == (want.clone(), None, n), "{at_once} {n}");
            }
        }
    }

    #[test]
    fn several_frames_are_unpacked_at_once() {
        let stream: Vec<u8> = (0..9).flat_map(|n| packed(&text(n + 1), true, true)).collect();
        let mut frames = Frames::new(stream.as_slice(), Arc::default(), &Cancel::default());
        frames.at_once = 3;
        let mut byte = [0];
        frames.read_exact(&mut byte).expect("unpacked");
        assert_eq!((frames.ahead.len(), frames.rest.is_none()), (3, true));
    }

    #[test]
    fn damage_is_found_where_it_is() {
        let (front, back) = (packed(&text(1000), true, true), packed(&text(2000), true, true));
        let mut stream = [&front[..], &back, &front].concat();
        let at = front.len() + back.len() / 2;
        stream[at..at + 50].fill(0x55);
        for at_once in [1, 2, 4] {
            let (got, error, used) = unpacked(&stream, at_once);
            assert!(got.starts_with(&text(1000)) && error.is_some(), "{at_once} {error:?}");
            let is_near = (front.len() as u64..=stream.len() as u64).contains(&used);
            assert!(is_near, "{at_once} {used}");
            let cut = &stream[..front.len() + 10];
            let (got, error, used) = unpacked(cut, at_once);
            assert!(got == text(1000) && error.is_some(), "{at_once} {error:?}");
            assert_eq!(used, cut.len() as u64, "{at_once}");
        }
    }
}

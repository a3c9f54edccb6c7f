//! Cache of an object's bytes, in blocks that are requested as needed.
//!
//! Each request costs a round trip. Sequential reads therefore request more and more blocks ahead,
//! in few requests, and random reads request only the block that they need. If there are too many
//! blocks, the one unused for the longest time is removed.

use std::collections::HashMap;
use std::io;
use std::ops::Range;

/// Size of a block in bytes.
pub(super) const BLOCK: u64 = 128 << 10;

/// Largest number of blocks requested ahead of a sequential read: eight MiB.
const MOST_AHEAD: u64 = 64;

/// Largest number of blocks per request: two MiB, so four requests run at the same time.
const LARGEST_REQUEST: u64 = 16;

/// Largest distance in blocks between reads that belong to one stream. Several threads may read a
/// stream together, each at its own offset.
const NEAR: u64 = 64;

/// Number of streams that are tracked. The columns of an archive are read in turn.
const STREAMS: usize = 32;

/// Number of blocks in memory: 64 MiB.
const KEPT: usize = 512;

/// State of an object.
pub(super) struct Blocks {
    size: u64,
    blocks: HashMap<u64, BlockState>,
    /// Streams, the most recently used last.
    streams: Vec<Stream>,
    clock: u64,
}

/// A sequence of blocks that is read in order.
struct Stream {
    /// Last block that was read, …
    frontier: u64,
    /// … and number of blocks after it that have been requested.
    ahead: u64,
}

enum BlockState {
    Coming,
    Here { bytes: Vec<u8>, used: u64 },
    Failed(io::ErrorKind, String),
}

impl Blocks {
    pub(super) fn new(size: u64) -> Blocks {
        Blocks {
            size,
            blocks: HashMap::new(),
            streams: vec![Stream { frontier: 0, ahead: 0 }],
            clock: 0,
        }
    }

    fn count(&self) -> u64 {
        self.size.div_ceil(BLOCK)
    }

    /// Returns the byte range of blocks.
    pub(super) fn bytes_of(&self, blocks: &Range<u64>) -> Range<u64> {
        blocks.start * BLOCK..(blocks.end * BLOCK).min(self.size)
    }

    /// Copies available bytes from `offset` on. Returns their number, or `None` if they have yet to
    /// arrive.
    pub(super) fn copy(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let mut n = 0;
        self.clock += 1;
        while n < buffer.len() && offset + (n as u64) < self.size {
            let at = offset + n as u64;
            let number = at / BLOCK;
            match self.blocks.get_mut(&number) {
                Some(BlockState::Here { bytes, used }) => {
                    *used = self.clock;
                    let rest = bytes.get((at % BLOCK) as usize..).unwrap_or_default();
                    let step = rest.len().min(buffer.len() - n);
                    if step == 0 {
                        return Err(crate::Error::Short.into());
                    }
                    buffer[n..n + step].copy_from_slice(&rest[..step]);
                    n += step;
                }
                Some(BlockState::Failed(kind, message)) if n == 0 => {
                    let error = io::Error::new(*kind, message.clone());
                    // The error is removed, so that another attempt sends a new request.
                    self.blocks.remove(&number);
                    return Err(error);
                }
                _ if n == 0 => return Ok(None),
                _ => break,
            }
        }
        Ok(Some(n))
    }

    /// Returns the blocks to request for reading `length` bytes at `offset`, and for the reads that
    /// will probably follow. Marks them as requested.
    pub(super) fn ask(&mut self, offset: u64, length: usize) -> Vec<Range<u64>> {
        if length == 0 || offset >= self.size {
            return Vec::new();
        }
        let first = offset / BLOCK;
        let last = (offset + length as u64 - 1).min(self.size - 1) / BLOCK;
        let needs = (first..=last).any(|number| !self.blocks.contains_key(&number));
        let in_order = |stream: &Stream| {
            (stream.frontier.saturating_sub(NEAR)..=stream.frontier + 1).contains(&first)
        };
        let Some(place) = self.streams.iter().rposition(in_order) else {
            if self.streams.len() == STREAMS {
                self.streams.remove(0);
            }
            self.streams.push(Stream { frontier: last, ahead: 0 });
            return self.order(first..last + 1);
        };
        let mut stream = self.streams.remove(place);
        stream.frontier = stream.frontier.max(last);
        let end = |ahead: u64| (last + 1 + ahead).min(self.count());
        let missing = (first..end(stream.ahead)).filter(|number| !self.blocks.contains_key(number));
        // Blocks ahead are requested in groups rather than one by one.
        let is_time = needs || missing.count() as u64 * 2 >= stream.ahead.max(1);
        if is_time {
            stream.ahead = (2 * stream.ahead).clamp(4, MOST_AHEAD);
        }
        let end = end(stream.ahead);
        self.streams.push(stream);
        if is_time { self.order(first..end) } else { Vec::new() }
    }

    /// Returns the blocks of byte ranges that have to be requested, and marks them as requested.
    pub(super) fn ask_for(
        &mut self,
        ranges: &mut dyn Iterator<Item = Range<u64>>,
    ) -> Vec<Range<u64>> {
        let numbers = |bytes: Range<u64>| bytes.start / BLOCK..bytes.end.div_ceil(BLOCK);
        let mut wanted: Vec<u64> = ranges.flat_map(numbers).take(KEPT / 4).collect();
        wanted.retain(|number| *number < self.count());
        wanted.sort_unstable();
        wanted.dedup();
        let runs = wanted.chunk_by(|a, b| a + 1 == *b);
        let runs: Vec<Range<u64>> = runs.map(|run| run[0]..run[run.len() - 1] + 1).collect();
        runs.into_iter().flat_map(|run| self.order(run)).collect()
    }

    fn order(&mut self, blocks: Range<u64>) -> Vec<Range<u64>> {
        let mut runs: Vec<Range<u64>> = Vec::new();
        for number in blocks {
            if self.blocks.contains_key(&number) {
                continue;
            }
            self.blocks.insert(number, BlockState::Coming);
            match runs.last_mut() {
                Some(run) if run.end == number && run.end - run.start < LARGEST_REQUEST => {
                    run.end += 1;
                }
                _ => runs.push(number..number + 1),
            }
        }
        runs
    }

    /// Stores a block that has arrived.
    pub(super) fn put(&mut self, number: u64, bytes: Vec<u8>) {
        let used = self.clock;
        self.blocks.insert(number, BlockState::Here { bytes, used });
        let here = self.blocks.iter().filter_map(|(number, block)| match block {
            BlockState::Here { used, .. } => Some((*used, *number)),
            _ => None,
        });
        let here: Vec<(u64, u64)> = here.collect();
        if here.len() > KEPT
            && let Some((_, oldest)) = here.into_iter().min()
        {
            self.blocks.remove(&oldest);
        }
    }

    /// Records that requested blocks cannot be read.
    pub(super) fn fail(&mut self, blocks: Range<u64>, error: &io::Error) {
        for number in blocks {
            if let Some(block @ BlockState::Coming) = self.blocks.get_mut(&number) {
                *block = BlockState::Failed(error.kind(), error.to_string());
            }
        }
    }
}

#[cfg(test)]
#[expect(clippy::single_range_in_vec_init, reason = "these are runs of blocks")]
mod tests {
    use super::*;

    const MANY: u64 = 1000;

    fn put(blocks: &mut Blocks, runs: &[Range<u64>]) {
        for number in runs.iter().cloned().flatten() {
            let bytes = blocks.bytes_of(&(number..number + 1));
            blocks.put(number, vec![number as u8; (bytes.end - bytes.start) as usize]);
        }
    }

    #[test]
    fn who_reads_in_order_gets_more_and_more_ahead() {
        let mut blocks = Blocks::new(MANY * BLOCK);
        let (mut n_requests, mut offset) = (0, 0);
        let mut buffer = vec![0; 10_000];
        while offset < MANY * BLOCK {
            let runs = blocks.ask(offset, buffer.len());
            assert!(runs.iter().all(|run| run.end - run.start <= LARGEST_REQUEST));
            n_requests += runs.len() as u64;
            put(&mut blocks, &runs);
            let n = blocks.copy(offset, &mut buffer).expect("read").expect("there");
            assert_eq!(buffer[0], (offset / BLOCK) as u8);
            offset += n as u64;
        }
        let few = MANY / LARGEST_REQUEST;
        assert!((few..few + few / 2).contains(&n_requests), "{n_requests}");
        assert!(blocks.blocks.len() <= KEPT);
    }

    #[test]
    fn who_reads_here_and_there_gets_no_more_than_that() {
        let mut blocks = Blocks::new(MANY * BLOCK);
        for number in [900, 3 + NEAR, 500, 700, 200] {
            assert_eq!(blocks.ask(number * BLOCK + 7, 100), [number..number + 1]);
            assert_eq!(blocks.ask(number * BLOCK + 7, 100), []);
        }
        assert_eq!(blocks.ask(300 * BLOCK - 1, 2), [299..301]);
        assert_eq!(blocks.ask(MANY * BLOCK, 1), []);
        assert_eq!(blocks.ask(0, 0), []);
    }

    #[test]
    fn several_may_read_in_order() {
        let mut blocks = Blocks::new(MANY * BLOCK);
        let mut n_requests = 0;
        for step in 0..100 {
            for start in [0, 300, 600] {
                let runs = blocks.ask((start + step) * BLOCK, 10);
                n_requests += runs.len();
                put(&mut blocks, &runs);
            }
        }
        assert!(n_requests < 60, "{n_requests}");
    }

    #[test]
    fn ranges_are_asked_for_together() {
        let mut blocks = Blocks::new(MANY * BLOCK);
        let ranges = [5 * BLOCK..5 * BLOCK + 1, 10..20, BLOCK..2 * BLOCK, 30..40];
        let asked = blocks.ask_for(&mut ranges.into_iter());
        assert_eq!(asked, [0..2, 5..6]);
        assert_eq!(blocks.ask_for(&mut [5..6].into_iter()), []);
        let all = blocks.ask_for(&mut [0..u64::MAX / 2].into_iter());
        assert!(all.iter().map(|run| run.end - run.start).sum::<u64>() < KEPT as u64);
    }

    #[test]
    fn what_has_not_come_is_waited_for() {
        let mut blocks = Blocks::new(2 * BLOCK + 5);
        let mut buffer = vec![0; 10];
        assert_eq!(blocks.copy(0, &mut buffer).expect("no error"), None);
        blocks.ask(0, 1);
        put(&mut blocks, &[0..1]);
        // Bytes that are available are returned at once.
        assert_eq!(blocks.copy(BLOCK - 3, &mut buffer).expect("read"), Some(3));
        assert_eq!(blocks.copy(BLOCK, &mut buffer).expect("no error"), None);
        put(&mut blocks, &[1..3]);
        assert_eq!(blocks.copy(2 * BLOCK, &mut buffer).expect("read"), Some(5));
        assert_eq!(blocks.copy(2 * BLOCK + 5, &mut buffer).expect("read"), Some(0));
        assert_eq!(blocks.copy(u64::MAX - 20, &mut buffer).expect("read"), Some(0));
    }

    #[test]
    fn a_failure_is_said_once_and_may_be_tried_again() {
        let mut blocks = Blocks::new(3 * BLOCK);
        assert_eq!(blocks.ask(0, 1), [0..3]);
        blocks.fail(0..3, &io::Error::other("lost"));
        let error = blocks.copy(0, &mut [0; 4]).expect_err("failed");
        assert_eq!(error.to_string(), "lost");
        assert_eq!(blocks.ask(0, 1), [0..1]);
        assert_eq!(blocks.copy(0, &mut [0; 4]).expect("no error"), None);
    }
}

//! What servers on standard input and output write to their client.
//!
//! A client that reads nothing any more holds up whoever writes to it, for ever. As long as it
//! talks that is its own affair; once it has closed the input nobody needs the server.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

/// A client that has closed the input and reads nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(2);

/// No more bytes are written at once, so that it is seen that some of them are read.
const PIECE: usize = 1 << 14;

/// Goes up when a piece begins to be written, and when it has been: odd in between.
static STEPS: AtomicU64 = AtomicU64::new(0);

/// Returns only with the program: ends it where the client reads nothing of what is written.
pub(super) fn end_unless_read() {
    let mut before = None;
    loop {
        let step = STEPS.load(Ordering::Relaxed);
        let is_writing = !step.is_multiple_of(2);
        if is_writing && before == Some(step) {
            process::exit(0);
        }
        before = Some(step);
        thread::sleep(PATIENCE);
    }
}

/// Standard output, in pieces.
pub(super) struct Pieces;

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = &bytes[..bytes.len().min(PIECE)];
        let mut out = io::stdout().lock();
        STEPS.fetch_add(1, Ordering::Relaxed);
        let written = out.write_all(piece).and_then(|()| out.flush());
        STEPS.fetch_add(1, Ordering::Relaxed);
        written.map(|()| piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

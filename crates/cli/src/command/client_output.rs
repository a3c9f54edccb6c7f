//! Output of servers that talk to a client on standard input and output.
//!
//! A client that stops reading blocks the server. The server waits for it as long as its input is
//! open; once the client has closed that, the server is no longer needed and ends.

use std::io::{self, Write};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::closed::Stdout;
use crate::terminal;

/// Time after which a client counts as gone if it has closed the input and reads nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// Maximum number of bytes per write, so that it can be observed whether the client reads.
const PIECE: usize = 1 << 14;

/// Number of starts and ends of writes: odd during a write.
static STEPS: AtomicU64 = AtomicU64::new(0);

/// Ends the program if the client does not read; otherwise runs as long as the program.
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

/// Standard output, written in pieces.
pub(super) struct ChunkedStdout;

impl Write for ChunkedStdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let piece = &bytes[..bytes.len().min(PIECE)];
        let mut out = Stdout::new();
        STEPS.fetch_add(1, Ordering::Relaxed);
        let written = out.write_all(piece).and_then(|()| out.flush());
        STEPS.fetch_add(1, Ordering::Relaxed);
        written.inspect_err(terminal::lose_output).map(|()| piece.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

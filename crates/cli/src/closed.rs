//! Detects that standard output was closed when the program started (`cql … >&-`), so that results
//! would be lost without an error.

use std::io::{self, StdoutLock, Write};
use std::sync::LazyLock;

/// Standard output. Writes fail if it was closed when the program started, where those of the
/// standard library succeed.
pub(crate) struct Stdout(StdoutLock<'static>);

impl Stdout {
    pub(crate) fn new() -> Stdout {
        Stdout(io::stdout().lock())
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        static IS_CLOSED: LazyLock<bool> = LazyLock::new(stdout_is_closed);
        if *IS_CLOSED { Err(io::Error::other("it is closed")) } else { self.0.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether standard output was closed: `closed.c` has put a stream in its place that cannot be
/// written.
#[cfg(unix)]
pub(crate) fn stdout_is_closed() -> bool {
    use rustix::fs::{OFlags, fcntl_getfl};
    fcntl_getfl(io::stdout()).is_ok_and(|flags| flags & OFlags::ACCMODE == OFlags::RDONLY)
}

/// Returns `false`: other systems do not tell.
#[cfg(not(unix))]
pub(crate) fn stdout_is_closed() -> bool {
    false
}

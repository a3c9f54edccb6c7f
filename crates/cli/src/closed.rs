//! Detects that standard output was closed when the program started (`cql … >&-`).
//!
//! Before `main`, the Rust runtime replaces closed streams by `/dev/null`, and everything written
//! there is lost without an error. The runtime opens it for reading and writing, while a
//! redirection to `/dev/null` opens it for writing only.

/// Whether standard output was closed, so that results would be lost.
#[cfg(target_os = "linux")]
pub(crate) fn stdout_is_closed() -> bool {
    let stands_in =
        [stands_in(std::io::stdin()), stands_in(std::io::stdout()), stands_in(std::io::stderr())];
    // All three streams are `/dev/null` for a service, which has nobody to talk to.
    stands_in[1] && stands_in != [true; 3]
}

/// Whether a stream is the `/dev/null` that replaces a closed one.
#[cfg(target_os = "linux")]
fn stands_in(stream: impl std::os::fd::AsFd) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let (Ok(opened), Ok(null)) = (fstat(&stream), stat("/dev/null")) else {
        return false;
    };
    (opened.st_dev, opened.st_ino) == (null.st_dev, null.st_ino)
        && fcntl_getfl(&stream).is_ok_and(|flags| flags & OFlags::ACCMODE == OFlags::RDWR)
}

/// Returns `false`: other systems do not tell.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stdout_is_closed() -> bool {
    false
}

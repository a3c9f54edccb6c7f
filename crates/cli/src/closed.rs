//! Whether standard output was closed when the program began (`cql … >&-`).
//!
//! Before `main` the runtime puts `/dev/null` in the place of streams that are closed, and what is
//! written there is lost without an error. It opens it for reading and writing, as nobody does who
//! means to write into it.

/// Whether nobody can ever get what is written to standard output.
#[cfg(target_os = "linux")]
pub(crate) fn stdout_is_closed() -> bool {
    let stands_in = [
        stands_in(std::io::stdin()),
        stands_in(std::io::stdout()),
        stands_in(std::io::stderr()),
    ];
    // All of them together are how a service is begun that has nobody to talk to.
    stands_in[1] && stands_in != [true; 3]
}

/// Whether a stream is `/dev/null` in place of a closed one.
#[cfg(target_os = "linux")]
fn stands_in(stream: impl std::os::fd::AsFd) -> bool {
    use rustix::fs::{OFlags, fcntl_getfl, fstat, stat};
    let (Ok(opened), Ok(null)) = (fstat(&stream), stat("/dev/null")) else {
        return false;
    };
    (opened.st_dev, opened.st_ino) == (null.st_dev, null.st_ino)
        && fcntl_getfl(&stream).is_ok_and(|flags| flags & OFlags::ACCMODE == OFlags::RDWR)
}

/// Elsewhere it is not known.
#[cfg(not(target_os = "linux"))]
pub(crate) fn stdout_is_closed() -> bool {
    false
}

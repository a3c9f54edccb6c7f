//! Archives whose members are read in order.

use std::io;

use super::error::Error;

/// An archive between two reads.
pub(super) trait InOrder: Send + 'static {
    /// Goes to the next member. An error concerns the whole archive.
    fn next(&mut self) -> io::Result<Option<Member>>;

    /// Reads bytes of the member; none at its end.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize>;
}

/// A member.
pub(super) struct Member {
    pub(super) path: String,
    pub(super) is_file: bool,
    /// Why it is not read.
    pub(super) why: Option<Error>,
}

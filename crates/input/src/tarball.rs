//! Sources in archives that are read in order, tar and 7z: each member that may hold games. A member
//! passes the archive on when it is dropped.

use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use flow::{GameSource, Interruption, ReadError, SourceError};

use super::Reading;
use super::archive::is_packed;
use super::error::Error;
use super::in_order::{InOrder, Member};
use super::open::{OpenResults, of_stream};
use super::stream::{PATIENCE, Stream};
use super::tar::Tar;

/// Returns the sources in a tar archive, in its order.
pub(super) fn open(name: &str, stream: Stream, reading: &Reading) -> OpenResults {
    members(name, Tar::new(stream), reading)
}

/// Returns the sources in an archive, in its order.
pub(super) fn members(name: &str, archive: impl InOrder, reading: &Reading) -> OpenResults {
    let (sender, returned) = channel();
    // The receiver is below.
    let _ = sender.send(archive);
    let name = name.to_owned();
    Box::new(Members { name, reading: reading.clone(), sender, returned, n: 0, is_over: false })
}

/// Name of a member and its source.
type NamedSource = (String, Result<GameSource<'static>, ReadError>);

/// The members of an archive.
struct Members<A> {
    name: String,
    reading: Reading,
    sender: Sender<A>,
    returned: Receiver<A>,
    /// Number of members that may hold games.
    n: u64,
    is_over: bool,
}

impl<A: InOrder> Members<A> {
    /// Waits until the last member is dropped.
    fn archive(&self) -> Result<A, Interruption> {
        loop {
            match self.returned.recv_timeout(PATIENCE) {
                Ok(archive) => return Ok(archive),
                Err(RecvTimeoutError::Timeout) if !self.reading.cancel.is_cancelled() => {}
                Err(_) => return Err(Interruption::Cancelled),
            }
        }
    }

    /// Opens the next member that may hold games. An error concerns the whole archive.
    fn member(&mut self) -> Result<Option<NamedSource>, ReadError> {
        let mut archive = self.archive()?;
        while let Some(Member { path, is_file, why }) = archive.next()? {
            let path = path.trim_start_matches("./");
            let Some(is_packed) = is_packed(Path::new(path)).filter(|_| is_file) else {
                continue;
            };
            self.n += 1;
            let name = format!("{}/{path}", self.name);
            if let Some(why) = why.or(is_packed.then_some(Error::PackedMember)) {
                let _ = self.sender.send(archive);
                return Ok(Some((name, Err(why.into()))));
            }
            let member = Lent { archive: Some(archive), sender: self.sender.clone() };
            let stream = Stream::new(member, &self.reading.cancel)?;
            let source = of_stream(&name, stream, &self.reading);
            return Ok(Some((name, source)));
        }
        if self.n == 0 { Err(Error::NoMember.into()) } else { Ok(None) }
    }
}

impl<A: InOrder> Iterator for Members<A> {
    type Item = Result<GameSource<'static>, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let member = self.member();
        self.is_over = !matches!(member, Ok(Some(_)));
        let (name, source) = member.unwrap_or_else(|why| Some((self.name.clone(), Err(why))))?;
        Some(source.map_err(|error| SourceError { name: name.into(), error }))
    }
}

/// The archive, of which a member is being read.
struct Lent<A: InOrder> {
    /// `Some` until it is dropped.
    archive: Option<A>,
    sender: Sender<A>,
}

impl<A: InOrder> Read for Lent<A> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.archive.as_mut().map_or(Ok(0), |archive| archive.read(buffer))
    }
}

impl<A: InOrder> Drop for Lent<A> {
    fn drop(&mut self) {
        if let Some(archive) = self.archive.take() {
            // Nobody waits for it if the search is over.
            let _ = self.sender.send(archive);
        }
    }
}

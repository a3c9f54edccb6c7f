//! Sources in tar archives: each member that may hold games. An archive is read in order, so a member
//! passes it on when it is dropped.

use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

use flow::{GameSource, SourceError};

use super::Reading;
use super::archive::{NO_MEMBER_TWICE, is_packed, no_member};
use super::open::{OpenResults, of_stream};
use super::stream::{PATIENCE, Stream};
use super::tar::{CUT, Header, Tar};

/// Returns the sources in an archive, in its order.
pub(super) fn open(name: &str, stream: Stream, reading: &Reading) -> OpenResults {
    let (sender, returned) = channel();
    // The receiver is below.
    let _ = sender.send(Tar::new(stream));
    let name = name.to_owned();
    Box::new(Members { name, reading: reading.clone(), sender, returned, n: 0, is_over: false })
}

/// Name of a member and its source.
type NamedSource = (String, Result<GameSource<'static>, String>);

/// The members of an archive.
struct Members {
    name: String,
    reading: Reading,
    sender: Sender<Tar>,
    returned: Receiver<Tar>,
    /// Number of members that may hold games.
    n: u64,
    is_over: bool,
}

impl Members {
    /// Waits until the last member is dropped.
    fn archive(&self) -> Result<Tar, String> {
        loop {
            match self.returned.recv_timeout(PATIENCE) {
                Ok(tar) => return Ok(tar),
                Err(RecvTimeoutError::Timeout) if !self.reading.cancel.is_cancelled() => {}
                Err(_) => return Err("interrupted".to_owned()),
            }
        }
    }

    /// Opens the next member that may hold games. An error concerns the whole archive.
    fn member(&mut self) -> Result<Option<NamedSource>, String> {
        let mut tar = self.archive()?;
        while let Some(Header { path, kind, size }) = tar.next()? {
            let path = path.trim_start_matches("./");
            // Directories, links and the like have no bytes of their own.
            let is_file = b"\x000S7".contains(&kind);
            let Some(is_packed) = is_packed(Path::new(path)).filter(|_| is_file) else {
                continue;
            };
            self.n += 1;
            let name = format!("{}/{path}", self.name);
            let why = match kind {
                b'S' => Some("it is stored with holes: pack it with `tar` without `--sparse`"),
                _ => is_packed.then_some(NO_MEMBER_TWICE),
            };
            if let Some(why) = why {
                let _ = self.sender.send(tar);
                return Ok(Some((name, Err(why.to_owned()))));
            }
            let member = Member { left: size, tar: Some(tar), sender: self.sender.clone() };
            let stream = Stream::new(member, &self.reading.cancel);
            let stream = stream.map_err(|error| error.to_string())?;
            let source = of_stream(&name, stream, &self.reading);
            return Ok(Some((name, source)));
        }
        if self.n == 0 { Err(no_member()) } else { Ok(None) }
    }
}

impl Iterator for Members {
    type Item = Result<GameSource<'static>, SourceError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_over {
            return None;
        }
        let member = self.member();
        self.is_over = !matches!(member, Ok(Some(_)));
        let (name, source) = member.unwrap_or_else(|why| Some((self.name.clone(), Err(why))))?;
        Some(source.map_err(|message| SourceError { name: name.into(), message }))
    }
}

/// A member being read.
struct Member {
    left: u64,
    /// `Some` until it is dropped.
    tar: Option<Tar>,
    sender: Sender<Tar>,
}

impl Read for Member {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(tar) = &mut self.tar else {
            return Ok(0);
        };
        let most = buffer.len().min(usize::try_from(self.left).unwrap_or(usize::MAX));
        let n = tar.stream.read(&mut buffer[..most])?;
        if n == 0 && most > 0 {
            return Err(io::Error::other(CUT));
        }
        self.left -= n as u64;
        tar.left -= n as u64;
        Ok(n)
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if let Some(tar) = self.tar.take() {
            // Nobody waits for it if the search is over.
            let _ = self.sender.send(tar);
        }
    }
}

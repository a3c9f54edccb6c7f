//! Sources of games that are being written: files, pipes and addresses.

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant, SystemTime};

use remote::Version;

use crate::failure::{Failure, context};
use crate::interrupt;
use crate::place::address;
use crate::visible::visible_name;

/// Largest number of bytes that are taken at once.
const MOST: usize = 8 << 20;

/// Number of bytes before the end of a file by which it is recognized when it has grown.
const TAIL: u64 = 64 << 10;

/// Interval at which a file is examined.
const FILE_INTERVAL: Duration = Duration::from_millis(200);

/// Shortest interval at which an address is read, in seconds.
pub(super) const ADDRESS_SECONDS: u64 = 1;

/// Longest interval after failures.
const LONGEST: Duration = Duration::from_secs(60);

/// Time in which the parts of a write into a pipe are put together.
const PARTS: Duration = Duration::from_millis(50);

/// Interval at which a wait checks for a signal.
const PATIENCE: Duration = Duration::from_millis(20);

/// Something that happened to a source, or nothing.
pub(super) enum Event {
    /// More bytes.
    Bytes(Vec<u8>),
    /// The text begins anew, with these bytes.
    Restart(Vec<u8>),
    /// Nothing for a moment.
    Quiet,
    /// The end of a pipe.
    End,
}

/// A source that is followed.
pub(super) enum Source {
    File(Followed),
    Pipe(Pipe),
    Address(Polled),
}

impl Source {
    /// Opens a source. An address is read every `interval`.
    ///
    /// # Errors
    /// There is no such file, or the thread that reads a pipe cannot be created.
    pub(super) fn open(name: &Path, interval: Duration) -> Result<Source, Failure> {
        if let Some(address) = address(name) {
            if remote::is_of_several(name) {
                let message = "only one address can be watched, and this one means several";
                return Err(Failure::Message(message.to_owned()));
            }
            return Ok(Source::Address(Polled {
                address: address.to_owned(),
                version: Version::default(),
                last: None,
                interval,
                n_failures: 0,
                is_due: Instant::now(),
            }));
        }
        let refuse = |error: &dyn std::fmt::Display| {
            context(format!("cannot read {}", visible_name(&name.display().to_string())), error)
        };
        let is_stdin = name == Path::new("-");
        let kind = if is_stdin { None } else { Some(fs::metadata(name).map_err(|e| refuse(&e))?) };
        match kind {
            Some(kind) if kind.is_dir() => Err(refuse(&"it is a directory: name one file")),
            Some(kind) if kind.is_file() => {
                File::open(name).map_err(|error| refuse(&error))?;
                Ok(Source::File(Followed { name: name.to_owned(), ..Followed::default() }))
            }
            _ => Ok(Source::Pipe(Pipe::open(name.to_owned(), is_stdin).map_err(|e| refuse(&e))?)),
        }
    }

    /// Waits for the next event, but not long.
    ///
    /// # Errors
    /// The source cannot be read.
    pub(super) fn next(&mut self) -> Result<Event, Failure> {
        match self {
            Source::File(file) => file.next().map_err(|error| {
                context(
                    format!("cannot read {}", visible_name(&file.name.to_string_lossy())),
                    &error,
                )
            }),
            Source::Pipe(pipe) => pipe.next(),
            Source::Address(polled) => polled.next(),
        }
    }
}

/// Waits, until a signal arrives.
fn wait(time: Duration) {
    let end = Instant::now() + time;
    while !interrupt::is_requested() {
        let rest = end.saturating_duration_since(Instant::now());
        if rest.is_zero() {
            break;
        }
        thread::sleep(rest.min(PATIENCE));
    }
}

/// A file that grows, or is written anew.
#[derive(Default)]
pub(super) struct Followed {
    name: PathBuf,
    /// Number of bytes read.
    offset: u64,
    /// The last of them.
    tail: Vec<u8>,
    /// Size and time of the last change when the file had been read to its end.
    read: Option<(u64, Option<SystemTime>)>,
    is_gone: bool,
}

impl Followed {
    fn next(&mut self) -> io::Result<Event> {
        let file = match File::open(&self.name) {
            Ok(file) => file,
            // A program that replaces the file may remove it first.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                if !self.is_gone {
                    let name = self.name.to_string_lossy();
                    tell_line!("{} is gone; waiting for it", visible_name(&name));
                }
                self.is_gone = true;
                wait(FILE_INTERVAL);
                return Ok(Event::Quiet);
            }
            Err(error) => return Err(error),
        };
        self.is_gone = false;
        let state = file.metadata()?;
        let state = (state.len(), state.modified().ok());
        if self.read == Some(state) {
            wait(FILE_INTERVAL);
            return Ok(Event::Quiet);
        }
        let is_anew = state.0 < self.offset || !self.continues(&file)?;
        if is_anew {
            (self.offset, self.tail) = (0, Vec::new());
        }
        let bytes = read_at(&file, self.offset, MOST as u64)?;
        self.offset += bytes.len() as u64;
        self.tail.extend_from_slice(&bytes);
        let n_more = self.tail.len().saturating_sub(TAIL as usize);
        self.tail.drain(..n_more);
        self.read = (bytes.len() < MOST).then_some(state);
        Ok(match (is_anew, bytes.is_empty()) {
            (true, _) => Event::Restart(bytes),
            (false, true) => Event::Quiet,
            (false, false) => Event::Bytes(bytes),
        })
    }

    /// Whether the file still has the last bytes that were read.
    fn continues(&self, file: &File) -> io::Result<bool> {
        let length = self.tail.len() as u64;
        Ok(read_at(file, self.offset - length, length)? == self.tail)
    }
}

fn read_at(mut file: &File, offset: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// A pipe, which a thread of its own reads, since a read waits for the writer.
pub(super) struct Pipe {
    parts: Receiver<io::Result<Vec<u8>>>,
    failure: Option<io::Error>,
}

impl Pipe {
    fn open(name: PathBuf, is_stdin: bool) -> io::Result<Pipe> {
        let (sender, parts) = sync_channel(16);
        let read = move || {
            let opened: io::Result<Box<dyn Read>> = if is_stdin {
                Ok(Box::new(io::stdin().lock()))
            } else {
                File::open(&name).map(|file| Box::new(file) as Box<dyn Read>)
            };
            let mut buffer = vec![0; 64 << 10];
            let sent = opened.and_then(|mut pipe| {
                loop {
                    match pipe.read(&mut buffer) {
                        Ok(0) => return Ok(()),
                        // The program has ended if nobody receives the bytes.
                        Ok(n) if sender.send(Ok(buffer[..n].to_vec())).is_err() => return Ok(()),
                        Err(error) if error.kind() != io::ErrorKind::Interrupted => {
                            return Err(error);
                        }
                        _ => {}
                    }
                }
            });
            if let Err(error) = sent {
                let _ = sender.send(Err(error));
            }
        };
        thread::Builder::new().name("pipe".to_owned()).spawn(read)?;
        Ok(Pipe { parts, failure: None })
    }

    /// Returns the next bytes. Parts that arrive together are put together.
    fn next(&mut self) -> Result<Event, Failure> {
        let (mut bytes, mut end) = (Vec::new(), Instant::now() + PATIENCE);
        while bytes.len() < MOST && self.failure.is_none() {
            match self.parts.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Ok(part)) => {
                    if bytes.is_empty() {
                        end = Instant::now() + PARTS;
                    }
                    bytes.extend(part);
                }
                Ok(Err(error)) => self.failure = Some(error),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) if bytes.is_empty() => return Ok(Event::End),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        match self.failure.take_if(|_| bytes.is_empty()) {
            Some(error) => Err(context("cannot read the pipe", &error)),
            None if bytes.is_empty() => Ok(Event::Quiet),
            None => Ok(Event::Bytes(bytes)),
        }
    }
}

/// An address that is read at intervals.
pub(super) struct Polled {
    address: String,
    version: Version,
    /// The text that was read last.
    last: Option<Vec<u8>>,
    interval: Duration,
    /// Number of failures in a row.
    n_failures: u32,
    is_due: Instant,
}

impl Polled {
    fn next(&mut self) -> Result<Event, Failure> {
        // Between two answers the source is quiet, so that the last game is settled.
        let rest = self.is_due.saturating_duration_since(Instant::now());
        wait(rest.min(FILE_INTERVAL));
        if rest > FILE_INTERVAL || interrupt::is_requested() {
            return Ok(Event::Quiet);
        }
        let read = remote::read_changed(&self.address, &mut self.version, interrupt::cancel());
        let name = remote::shown(Path::new(&self.address));
        let name = visible_name(&name);
        let read = match read {
            Err(error) if self.last.is_none() || error.kind() == io::ErrorKind::Unsupported => {
                return Err(context(format!("cannot read {name}"), &error));
            }
            Err(error) => {
                if self.n_failures == 0 && !interrupt::is_requested() {
                    tell_line!("cannot read {name}: {error}; trying again");
                }
                self.n_failures += 1;
                None
            }
            Ok(read) => {
                if self.n_failures > 0 {
                    tell_line!("{name} can be read again");
                }
                self.n_failures = 0;
                read
            }
        };
        // A server that fails now and then still shows a move within seconds.
        let pause = self.interval.saturating_mul(1 + self.n_failures);
        self.is_due = Instant::now() + pause.min(LONGEST.max(self.interval));
        Ok(match read.filter(|read| self.last.as_ref() != Some(read)) {
            None => Event::Quiet,
            Some(text) => match self.last.replace(text.clone()) {
                None => Event::Bytes(text),
                Some(_) => Event::Restart(text),
            },
        })
    }
}

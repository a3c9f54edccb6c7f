//! Reads objects.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use flow::{Cancel, Input};
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::path::Path;
use object_store::{Error, GetOptions, GetRange, GetResult, ObjectStore};
use tokio::runtime::Handle;
use tokio::sync::mpsc;

use super::blocks::{BLOCK, Blocks};
use super::errors::{Explained, lost, refused};
use super::guard::{Everything, MORE_BYTES};
use super::runtime::{PATIENCE, client, interrupted, wait};
use super::store::ObjectLocation;
use crate::RemoteBytes;

/// Number of attempts without much progress after which a lost connection is an error …
const ATTEMPTS: u32 = 5;

/// … with progress in bytes below this limit. A server that sends one byte per connection must not
/// be asked forever.
const LITTLE: u64 = 16 << 10;

/// Pause after a lost connection, multiplied by the number of failed attempts.
const PAUSE: Duration = Duration::from_millis(200);

/// Bytes at an address, with random access. Recently read blocks are cached and shared by all
/// readers of the address.
pub struct Object {
    shared: Arc<Shared>,
    cancel: Cancel,
}

/// State shared by all readers of an address.
pub(super) struct Shared {
    address: String,
    store: Arc<dyn ObjectStore>,
    path: Path,
    size: u64,
    /// ETag recorded when the object was opened, used to detect later changes.
    tag: Option<String>,
    handle: Handle,
    blocks: Mutex<Blocks>,
    came: Condvar,
}

/// Opens an address. Stops waiting for the server once `cancel` is cancelled.
///
/// # Errors
/// The object does not exist, or cannot be read.
pub fn open(address: &str, cancel: &Cancel) -> io::Result<RemoteBytes> {
    let client = client()?;
    let known = {
        let objects = client.objects.lock().unwrap_or_else(PoisonError::into_inner);
        objects.get(address).and_then(std::sync::Weak::upgrade)
    };
    let shared = match known {
        Some(shared) => shared,
        None => {
            let place = ObjectLocation::of(address)?;
            if !place.names_object() {
                // A web server would send a listing of the folder.
                let message = "the address names no object: to use everything below it, end it \
                               with /";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
            }
            let (store, path) = (place.store.clone(), place.path.clone());
            let begun = wait(cancel, async move { begin(&*store, &path).await })?;
            let (result, head) = match begun.map_err(|error| error.explained(address))? {
                Begun::Head(result, head) => (result, head),
                Begun::Whole(stream) => return Ok(RemoteBytes::InOrder(Box::new(stream))),
            };
            let mut blocks = Blocks::new(result.size);
            // If the connection broke, the block is requested again.
            if result.size > 0 && head.len() as u64 == result.size.min(BLOCK) {
                blocks.put(0, head);
            }
            let shared = Arc::new(Shared {
                address: address.to_owned(),
                store: place.store,
                path: place.path,
                size: result.size,
                tag: result.tag,
                handle: client.handle.clone(),
                blocks: Mutex::new(blocks),
                came: Condvar::new(),
            });
            let mut objects = client.objects.lock().unwrap_or_else(PoisonError::into_inner);
            objects.retain(|_, object| object.strong_count() > 0);
            objects.insert(address.to_owned(), Arc::downgrade(&shared));
            shared
        }
    };
    Ok(RemoteBytes::Anywhere(Arc::new(Object { shared, cancel: cancel.clone() })))
}

/// Answer to a request.
type FetchedParts = BoxStream<'static, object_store::Result<Bytes>>;

/// Answer to the first request.
enum Begun {
    /// Size and tag of the object with its first block, as far as it has arrived.
    Head(ObjectInfo, Vec<u8>),
    /// The whole object, in order.
    Whole(Whole),
}

/// Size and ETag of an object.
struct ObjectInfo {
    size: u64,
    tag: Option<String>,
}

fn known(result: &GetResult) -> ObjectInfo {
    ObjectInfo { size: result.meta.size, tag: result.meta.e_tag.clone() }
}

async fn begin(store: &dyn ObjectStore, path: &Path) -> object_store::Result<Begun> {
    let range = GetOptions { range: Some(GetRange::Bounded(0..BLOCK)), ..GetOptions::default() };
    let result = match store.get_opts(path, range).await {
        Ok(result) => {
            let known = known(&result);
            let (mut parts, mut head) = (result.into_stream(), Vec::new());
            while let Some(Ok(part)) = parts.next().await {
                head.extend_from_slice(&part);
            }
            if head.len() as u64 > known.size.min(BLOCK) {
                return Err(refused(MORE_BYTES));
            }
            return Ok(Begun::Head(known, head));
        }
        Err(error) if is_without_ranges(&error) => {
            let mut options = GetOptions::default();
            options.extensions.insert(Everything);
            store.get_opts(path, options).await?
        }
        Err(error) => return Err(error),
    };
    let known = known(&result);
    match known.size {
        0 => Ok(Begun::Head(known, Vec::new())),
        _ => Ok(Begun::Whole(Whole::new(result.into_stream()))),
    }
}

/// Whether the server does not support ranges, or the object is empty and so has none.
fn is_without_ranges(error: &Error) -> bool {
    let Error::Generic { source, .. } = error else {
        return matches!(error, Error::NotSupported { .. });
    };
    let (mut source, mut is_such): (&dyn std::error::Error, bool) = (&**source, false);
    loop {
        let text = source.to_string();
        is_such |= text.contains("status code: 416") || text.contains("non-partial response");
        match source.source() {
            Some(inner) => source = inner,
            None => return is_such,
        }
    }
}

impl Input for Object {
    fn size(&self) -> u64 {
        self.shared.size
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let shared = &self.shared;
        let mut blocks = shared.lock();
        loop {
            for run in blocks.ask(offset, buffer.len()) {
                shared.clone().fetch(run, &blocks);
            }
            if let Some(n) = blocks.copy(offset, buffer)? {
                return Ok(n);
            }
            if self.cancel.is_cancelled() {
                return Err(interrupted());
            }
            let waited = shared.came.wait_timeout(blocks, PATIENCE);
            blocks = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn soon(&self, ranges: &mut dyn Iterator<Item = Range<u64>>) {
        let mut blocks = self.shared.lock();
        for run in blocks.ask_for(ranges) {
            self.shared.clone().fetch(run, &blocks);
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Requests blocks, which arrive later.
    fn fetch(self: Arc<Self>, run: Range<u64>, blocks: &Blocks) {
        let bytes = blocks.bytes_of(&run);
        let handle = self.handle.clone();
        handle.spawn(async move {
            let mut next = run.start;
            let fetched = self.read_blocks(bytes, &mut next).await;
            if let Err(error) = fetched {
                self.lock().fail(next..run.end, &error);
            }
            self.came.notify_all();
        });
    }

    /// Reads bytes and stores each complete block. A lost connection is reopened and continues at
    /// the same offset.
    async fn read_blocks(&self, bytes: Range<u64>, next: &mut u64) -> io::Result<()> {
        let (mut at, mut block, mut failed) = (bytes.start, Vec::new(), 0);
        while at < bytes.end {
            let begun = at;
            let mut stream = self.stream(at..bytes.end).await?;
            let error = loop {
                match stream.next().await {
                    Some(Ok(part)) if part.len() as u64 > bytes.end - at => {
                        return Err(io::Error::new(io::ErrorKind::InvalidData, MORE_BYTES));
                    }
                    Some(Ok(part)) => {
                        at += part.len() as u64;
                        // The last block is only stored after checking that the server sends
                        // nothing more.
                        if at == bytes.end
                            && let Some(Ok(_)) = stream.next().await
                        {
                            return Err(io::Error::new(io::ErrorKind::InvalidData, MORE_BYTES));
                        }
                        self.take(&part, &mut block, next, bytes.end == at);
                    }
                    Some(Err(error)) => break Some(error),
                    None => break None,
                }
            };
            if at >= bytes.end {
                break;
            }
            failed = if at - begun < LITTLE { failed + 1 } else { 1 };
            match error {
                Some(error) if failed > ATTEMPTS => return Err(lost(at, &error, &self.address)),
                None if failed > ATTEMPTS => {
                    return Err(crate::Error::Lost(at).into());
                }
                _ => tokio::time::sleep(PAUSE * failed).await,
            }
        }
        Ok(())
    }

    async fn stream(&self, bytes: Range<u64>) -> io::Result<FetchedParts> {
        let options = GetOptions { range: Some(GetRange::Bounded(bytes)), ..GetOptions::default() };
        let result = self.store.get_opts(&self.path, options).await;
        let result = result.map_err(|error| error.explained(&self.address))?;
        if result.meta.size == self.size && result.meta.e_tag == self.tag {
            Ok(result.into_stream())
        } else {
            Err(crate::Error::Changed.into())
        }
    }

    /// Splits received bytes into blocks. `is_last` marks the end of the requested range.
    fn take(&self, mut part: &[u8], block: &mut Vec<u8>, next: &mut u64, is_last: bool) {
        while !part.is_empty() {
            let n = part.len().min(BLOCK as usize - block.len());
            block.extend_from_slice(&part[..n]);
            part = &part[n..];
            let is_complete = block.len() == BLOCK as usize || is_last && part.is_empty();
            if is_complete {
                self.lock().put(*next, std::mem::take(block));
                self.came.notify_all();
                *next += 1;
            }
        }
    }
}

/// A whole object in order, from a server without support for ranges.
struct Whole {
    parts: mpsc::Receiver<io::Result<Bytes>>,
    part: Bytes,
    at: usize,
}

/// Number of parts of an answer that are read ahead.
const PARTS_AHEAD: usize = 64;

impl Whole {
    /// Must be called from within the runtime.
    fn new(mut stream: FetchedParts) -> Whole {
        let (sender, parts) = mpsc::channel(PARTS_AHEAD);
        tokio::spawn(async move {
            let mut at = 0;
            while let Some(part) = stream.next().await {
                let is_over = part.is_err();
                at += part.as_ref().map_or(0, Bytes::len) as u64;
                let part = part.map_err(|error| lost(at, &error, ""));
                if sender.send(part).await.is_err() || is_over {
                    return;
                }
            }
        });
        Whole { parts, part: Bytes::new(), at: 0 }
    }
}

impl Read for Whole {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.at == self.part.len() {
            match self.parts.blocking_recv() {
                Some(part) => (self.part, self.at) = (part?, 0),
                None => return Ok(0),
            }
        }
        let n = (&self.part[self.at..]).read(buffer)?;
        self.at += n;
        Ok(n)
    }
}

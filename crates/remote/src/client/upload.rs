//! Writes objects. An object becomes visible when it is complete, or not at all.

use std::io::{self, Write};
use std::mem;

use flow::Cancel;
use object_store::path::Path;
use object_store::{
    Error, MultipartUpload, ObjectStore, ObjectStoreExt, PutMode, PutOptions, PutPayload,
};
use tokio::task::JoinHandle;

use super::errors::Explained;
use super::runtime::{client, wait};
use super::store::ObjectLocation;

/// Size of a part in bytes. An object may have ten thousand parts.
const PART: usize = 16 << 20;

/// Number of parts sent at the same time.
const AT_ONCE: usize = 3;

/// An upload to an address. Small objects are sent in one request, larger ones in parts that become
/// visible together with the last one. Dropping an unfinished upload leaves nothing behind.
pub struct Upload {
    address: String,
    place: ObjectLocation,
    part: Vec<u8>,
    parts: Option<UploadParts>,
    cancel: Cancel,
}

struct UploadParts {
    upload: Box<dyn MultipartUpload>,
    on_their_way: Vec<JoinHandle<object_store::Result<()>>>,
}

/// Starts an upload. Stops waiting for the server once `cancel` is cancelled.
///
/// # Errors
/// The address cannot be written.
pub fn upload(address: &str, cancel: &Cancel) -> io::Result<Upload> {
    let place = ObjectLocation::of(address)?;
    let refused = match () {
        () if place.is_of_web => "web servers are read-only: give a file or an object",
        () if !place.names_object() || address.ends_with('/') => "the address names no object",
        () => {
            return Ok(Upload {
                address: address.to_owned(),
                place,
                part: Vec::new(),
                parts: None,
                cancel: cancel.clone(),
            });
        }
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, refused))
}

/// Creates an object that does not exist yet. Returns `false` if it already exists.
///
/// # Errors
/// The object cannot be written.
pub fn create_new(address: &str, bytes: &[u8]) -> io::Result<bool> {
    let upload = upload(address, &Cancel::default())?;
    let (store, path) = (upload.place.store.clone(), upload.place.path.clone());
    let payload = PutPayload::from(bytes.to_vec());
    let put = wait(&Cancel::default(), async move { put_new(&*store, &path, payload).await })?;
    match put {
        Ok(()) => Ok(true),
        Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
        Err(error) => Err(error.explained(address)),
    }
}

async fn put_new(
    store: &dyn ObjectStore,
    path: &Path,
    payload: PutPayload,
) -> object_store::Result<()> {
    let options = PutOptions::from(PutMode::Create);
    store.put_opts(path, payload, options).await.map(drop)
}

impl Upload {
    /// Sends the current part.
    fn send(&mut self) -> io::Result<()> {
        let payload = PutPayload::from(mem::take(&mut self.part));
        let mut parts = match self.parts.take() {
            Some(parts) => parts,
            None => {
                let (store, path) = (self.place.store.clone(), self.place.path.clone());
                let begun = wait(&self.cancel, async move { store.put_multipart(&path).await })?;
                UploadParts {
                    upload: begun.map_err(|error| error.explained(&self.address))?,
                    on_their_way: Vec::new(),
                }
            }
        };
        let handle = client()?.handle.clone();
        let sent = parts.upload.put_part(payload);
        parts.on_their_way.push(handle.spawn(sent));
        let first = if parts.on_their_way.len() > AT_ONCE {
            Some(parts.on_their_way.remove(0))
        } else {
            None
        };
        self.parts = Some(parts);
        first.map_or(Ok(()), |first| self.wait_for(first))
    }

    fn wait_for(&self, part: JoinHandle<object_store::Result<()>>) -> io::Result<()> {
        let sent = wait(&self.cancel, part)?;
        let sent = sent.map_err(io::Error::other)?;
        sent.map_err(|error| error.explained(&self.address))
    }

    /// Completes the upload.
    ///
    /// # Errors
    /// A part could not be written. The object then does not exist, or is unchanged.
    pub fn finish(mut self) -> io::Result<()> {
        if self.parts.is_none() {
            let payload = PutPayload::from(mem::take(&mut self.part));
            let (store, path) = (self.place.store.clone(), self.place.path.clone());
            let put = wait(&self.cancel, async move { store.put(&path, payload).await })?;
            return put.map(drop).map_err(|error| error.explained(&self.address));
        }
        if !self.part.is_empty() {
            self.send()?;
        }
        let on_their_way = self.parts.as_mut().map(|parts| mem::take(&mut parts.on_their_way));
        for part in on_their_way.into_iter().flatten() {
            self.wait_for(part)?;
        }
        let Some(mut parts) = self.parts.take() else {
            return Ok(());
        };
        // If the wait is cancelled, it is unknown whether the object exists.
        let (completed, upload) =
            wait(&self.cancel, async move { (parts.upload.complete().await, parts.upload) })?;
        let Err(error) = completed else {
            return Ok(());
        };
        // An upload that cannot be completed must not leave its parts behind.
        self.parts = Some(UploadParts { upload, on_their_way: Vec::new() });
        Err(error.explained(&self.address))
    }
}

impl Write for Upload {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = bytes.len().min(PART - self.part.len());
        self.part.extend_from_slice(&bytes[..n]);
        if self.part.len() == PART {
            self.send()?;
        }
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Upload {
    fn drop(&mut self) {
        let Some(mut parts) = self.parts.take() else {
            return;
        };
        for part in &parts.on_their_way {
            part.abort();
        }
        // If the client is gone, the store keeps invisible parts. If the wait is cancelled, the
        // request is still sent as long as the process runs.
        let Ok(client) = client() else {
            return;
        };
        let told = client.handle.spawn(async move { parts.upload.abort().await });
        let _ = wait(&self.cancel, told);
    }
}

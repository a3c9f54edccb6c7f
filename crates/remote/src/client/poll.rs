//! Reads an address again and again, and its bytes only if they have changed.

use std::io;

use flow::Cancel;
use futures_util::StreamExt;
use object_store::{Error, GetOptions, ObjectMeta, ObjectStore};

use super::errors::Explained;
use super::runtime::wait;
use super::store::ObjectLocation;

/// Version of an object that was read last.
#[derive(Debug, Clone, Default)]
pub struct Version {
    read: Option<ObjectMeta>,
    /// Whether it was read twice with one time of its last change. Times have whole seconds, so an
    /// object that is read only once may change later within that second.
    is_settled: bool,
}

impl Version {
    /// Returns the conditions under which the server sends the object again.
    fn options(&self) -> GetOptions {
        let tag = self.read.as_ref().and_then(|read| read.e_tag.clone());
        let since = self.read.as_ref().filter(|_| self.is_settled && tag.is_none());
        GetOptions {
            if_modified_since: since.map(|read| read.last_modified),
            if_none_match: tag,
            ..GetOptions::default()
        }
    }

    fn note(&mut self, read: ObjectMeta) {
        // A server that sends no time is taken for one of 1970.
        let is_dated = read.last_modified.timestamp() > 0;
        let is_same = |last: &ObjectMeta| last.last_modified == read.last_modified;
        self.is_settled = is_dated && self.read.as_ref().is_some_and(is_same);
        self.read = Some(read);
    }
}

/// Reads the bytes at an address; `None` if the server reports that they are those of `seen`, which
/// becomes the version read. The [guard](super::guard) bounds their number. Calls must be a second
/// apart.
///
/// # Errors
/// The object cannot be read, or is too large.
pub fn read_changed(
    address: &str,
    seen: &mut Version,
    cancel: &Cancel,
) -> io::Result<Option<Vec<u8>>> {
    let place = ObjectLocation::of(address)?;
    let options = seen.options();
    let read = wait(cancel, async move {
        let result = match place.store.get_opts(&place.path, options).await {
            Err(Error::NotModified { .. }) => return Ok(None),
            result => result?,
        };
        let meta = result.meta.clone();
        let (mut parts, mut bytes) = (result.into_stream(), Vec::new());
        while let Some(part) = parts.next().await {
            bytes.extend_from_slice(&part?);
        }
        Ok(Some((meta, bytes)))
    })?;
    let read = read.map_err(|error: Error| error.explained(address))?;
    Ok(read.map(|(meta, bytes)| {
        seen.note(meta);
        bytes
    }))
}

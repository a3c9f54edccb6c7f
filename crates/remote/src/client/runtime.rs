//! The thread on which futures run.

use std::collections::HashMap;
use std::io;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::thread;
use std::time::Duration;

use flow::{Cancel, Interruption};
use object_store::ObjectStore;
use tokio::runtime::{Builder, Handle};

use super::object::Shared;

/// Interval at which a waiting reader checks for cancellation.
pub(super) const PATIENCE: Duration = Duration::from_millis(50);

/// Connections of a process. They are kept, because opening one takes several round trips.
pub(super) struct Client {
    pub(super) handle: Handle,
    /// Stores by the common beginning of their addresses.
    pub(super) stores: Mutex<HashMap<String, Arc<dyn ObjectStore>>>,
    /// Open objects by address.
    pub(super) objects: Mutex<HashMap<String, Weak<Shared>>>,
}

/// Client of this process. A forked process needs its own, because it has no threads of its parent.
static CLIENT: Mutex<Option<(u32, Arc<Client>)>> = Mutex::new(None);

pub(super) fn client() -> io::Result<Arc<Client>> {
    let mut client = CLIENT.lock().unwrap_or_else(PoisonError::into_inner);
    let process = std::process::id();
    if let Some((owner, client)) = &*client
        && *owner == process
    {
        return Ok(client.clone());
    }
    let made =
        Arc::new(Client { handle: start()?, stores: Mutex::default(), objects: Mutex::default() });
    *client = Some((process, made.clone()));
    Ok(made)
}

fn start() -> io::Result<Handle> {
    static PROVIDER: OnceLock<()> = OnceLock::new();
    PROVIDER.get_or_init(|| {
        // A provider installed by other code serves as well.
        let _ = rustls::crypto::ring::default_provider().install_default();
    });
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let handle = runtime.handle().clone();
    thread::Builder::new()
        .name("remote".to_owned())
        .spawn(move || runtime.block_on(std::future::pending::<()>()))?;
    Ok(handle)
}

/// Waits for the result of a future, until `cancel` is cancelled.
pub(super) fn wait<T: Send + 'static>(
    cancel: &Cancel,
    future: impl Future<Output = T> + Send + 'static,
) -> io::Result<T> {
    let (sender, receiver) = sync_channel(1);
    let task = client()?.handle.spawn(async move {
        // Sending fails if the caller has stopped waiting.
        let _ = sender.try_send(future.await);
    });
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) if cancel.is_cancelled() => {
                task.abort();
                return Err(interrupted());
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(Interruption::LostReader.into());
            }
        }
    }
}

pub(super) fn interrupted() -> io::Error {
    Interruption::Cancelled.into()
}

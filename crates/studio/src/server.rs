//! The server from its start to its end.

use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use flow::Cancel;
use tokio::net::TcpListener;

use crate::analyst::Analyst;
use crate::api;
use crate::app::{App, lock};
use crate::folder::{self, Folder};
use crate::guard::new_secret;
use crate::library::Library;
use crate::workspace::Workspace;

/// Default port. It is fixed, so that links to queries stay valid from start to start.
pub const USUAL_PORT: u16 = 6262;

/// Time between two checks whether the server has been cancelled.
const TICK: Duration = Duration::from_millis(20);

/// Time for which the file exists that leads a browser to the page.
const DOOR_IS_OPEN: Duration = Duration::from_secs(60);

/// Options of the server.
#[derive(Debug, Clone, Default)]
pub struct ServerOptions {
    /// Paths of the games: files, directories, patterns, archives. Each is a collection.
    pub games: Vec<PathBuf>,
    /// Port to listen on; 0 means any free port, and `None` means [`USUAL_PORT`], or any free port
    /// if that is in use.
    pub port: Option<u16>,
    /// Number of threads of a search.
    pub threads: usize,
    /// Folder in which the queries of the page are stored; if `None`, they are kept until the
    /// server ends.
    pub keep_in: Option<PathBuf>,
    /// Whether to create a file that leads a browser to the page.
    pub has_door: bool,
    /// Engine whose lines the page shows below the board; `None` for none.
    pub engine: Option<Arc<dyn Analyst>>,
}

/// Data of a server that is listening.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoundServer {
    /// Address to open, with the token.
    pub link: String,
    /// File that redirects to the link and that only this user can read, if one is wanted. A link
    /// on the command line of another program would be visible to all users of the machine. The
    /// file is removed when the page has been opened, or after a minute.
    pub door: Option<PathBuf>,
    /// Folders of killed servers of this user, which have been removed.
    pub removed: Vec<PathBuf>,
}

/// Serves until `cancel` is triggered. `ready` is called as soon as the server listens.
///
/// # Errors
/// The port is in use, the folder for temporary files cannot be created, or there are no random
/// numbers.
pub fn serve(
    options: ServerOptions,
    cancel: &Cancel,
    ready: impl FnOnce(&BoundServer),
) -> io::Result<()> {
    let folder = Folder::new_in(&std::env::temp_dir())?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let result = runtime.block_on(listen(options, &folder, cancel, ready));
    // Threads that do not end soon are not waited for.
    runtime.shutdown_background();
    result
}

async fn listen(
    options: ServerOptions,
    folder: &Folder,
    cancel: &Cancel,
    ready: impl FnOnce(&BoundServer),
) -> io::Result<()> {
    let listener = match options.port {
        Some(port) => bind(port).await?,
        None => bind_if_free(USUAL_PORT).await?,
    };
    let port = listener.local_addr()?.port();
    let app = Arc::new(App {
        token: new_secret()?,
        port,
        threads: options.threads.max(1),
        engine: options.engine,
        library: Mutex::new(Library::new(options.games)),
        searched: Mutex::default(),
        downloads: Mutex::default(),
        workspace: Mutex::new(Workspace::open(options.keep_in)),
        folder: folder.path().to_owned(),
        door: Mutex::default(),
        running: Mutex::default(),
    });
    let link = format!("http://127.0.0.1:{port}/#token={}", app.token);
    let door = if options.has_door { Some(make_door(folder.path(), &link)?) } else { None };
    *lock(&app.door) = door.clone().map(|door| (door, Instant::now() + DOOR_IS_OPEN));
    let removed = folder.remove_abandoned();
    ready(&BoundServer { link, door, removed });
    let router = api::router(app.clone());
    let wanted = async {
        while !cancel.is_cancelled() {
            app.close_door_in_time();
            tokio::time::sleep(TICK).await;
        }
    };
    let server = async { axum::serve(listener, router).await };
    let result = first(server, wanted).await;
    app.end();
    result.unwrap_or(Ok(()))
}

async fn bind(port: u16) -> io::Result<TcpListener> {
    TcpListener::bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port))).await
}

/// Listens on a port, or on any free port if that one is not available.
async fn bind_if_free(port: u16) -> io::Result<TcpListener> {
    match bind(port).await {
        Ok(listener) => Ok(listener),
        Err(_) => bind(0).await,
    }
}

fn make_door(folder: &Path, link: &str) -> io::Result<PathBuf> {
    let door = folder.join("open.html");
    folder::create(&door)?.write_all(door_page(link).as_bytes())?;
    Ok(door)
}

fn door_page(link: &str) -> String {
    format!(
        "<!doctype html><meta charset=utf-8><title>cql studio</title>\
         <meta http-equiv=refresh content=\"0; url={link}\"><a href=\"{link}\">cql studio</a>\n"
    )
}

/// Returns the result of the first future, or `None` if the second one ends before it.
async fn first<T>(a: impl Future<Output = T>, b: impl Future<Output = ()>) -> Option<T> {
    let (mut a, mut b) = (std::pin::pin!(a), std::pin::pin!(b));
    std::future::poll_fn(|context| {
        use std::task::Poll::{Pending, Ready};
        if let Ready(result) = a.as_mut().poll(context) {
            return Ready(Some(result));
        }
        match b.as_mut().poll(context) {
            Ready(()) => Ready(None),
            Pending => Pending,
        }
    })
    .await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_port_is_taken_if_it_can_be_had() {
        let runtime =
            tokio::runtime::Builder::new_current_thread().enable_io().build().expect("a runtime");
        runtime.block_on(async {
            let port = |listener: &TcpListener| listener.local_addr().expect("an address").port();
            let first = bind(0).await.expect("a port");
            let taken = port(&first);
            let second = bind_if_free(taken).await.expect("another port");
            assert_ne!(port(&second), taken);
            drop(first);
            let third = bind_if_free(taken).await.expect("the port");
            assert_eq!(port(&third), taken);
        });
    }
}

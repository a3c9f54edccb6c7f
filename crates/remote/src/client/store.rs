//! Creates stores for addresses. Credentials and endpoints come from the environment variables that
//! the providers' own programs use.

use std::env;
use std::io;
use std::path::Path as FilePath;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use object_store::azure::{AzureConfigKey, MicrosoftAzureBuilder};
use object_store::gcp::{GoogleCloudStorageBuilder, GoogleConfigKey};
use object_store::http::HttpBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ClientConfigKey, ClientOptions, ObjectStore, RetryConfig};

use super::errors::Explained;
use super::guard::Connector;
use super::runtime::client;
use crate::address::{is_of_web, scheme};

/// Location of an object.
pub(super) struct ObjectLocation {
    pub(super) store: Arc<dyn ObjectStore>,
    pub(super) path: Path,
    /// Common beginning of all addresses of the store.
    pub(super) root: String,
    pub(super) is_of_web: bool,
}

/// Longest time for a request: enough for eight MiB over a slow connection.
const TIMEOUT: &str = "120 seconds";

/// Longest time without new bytes.
const READ_TIMEOUT: &str = "60 seconds";

/// Time limits of all clients.
const TIMEOUTS: [(ClientConfigKey, &str); 2] =
    [(ClientConfigKey::Timeout, TIMEOUT), (ClientConfigKey::ReadTimeout, READ_TIMEOUT)];

impl ObjectLocation {
    pub(super) fn of(address: &str) -> io::Result<ObjectLocation> {
        let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
        let (scheme, rest) = scheme(FilePath::new(address)).ok_or_else(|| wrong("no address"))?;
        let (host, path) = rest.split_once('/').unwrap_or((rest, ""));
        if host.is_empty() {
            return Err(wrong("the address has no name before the first /"));
        }
        let is_of_web = is_of_web(scheme);
        // The part after a question mark belongs to the request.
        let is_request = is_of_web && rest.contains('?');
        let root = if is_request { address.to_owned() } else { format!("{scheme}://{host}") };
        let path = match (is_request, is_of_web) {
            (true, _) => Ok(Path::default()),
            (false, true) => Path::from_url_path(path),
            (false, false) => Path::parse(path),
        };
        let path = path.map_err(|error| wrong(&format!("the address is malformed: {error}")))?;
        let client = client()?;
        let mut stores = client.stores.lock().unwrap_or_else(PoisonError::into_inner);
        let store = match stores.get(&root) {
            Some(store) => store.clone(),
            None => {
                let store = store(scheme, &root).map_err(|error| error.explained(address))?;
                stores.insert(root.clone(), store.clone());
                store
            }
        };
        Ok(ObjectLocation { store, path, root, is_of_web })
    }

    /// Whether the address can name an object, rather than a whole bucket.
    pub(super) fn names_object(&self) -> bool {
        self.is_of_web || !self.path.as_ref().is_empty()
    }
}

fn store(scheme: &str, root: &str) -> object_store::Result<Arc<dyn ObjectStore>> {
    let is_plain = |endpoint: &str| env::var(endpoint).is_ok_and(|url| url.starts_with("http://"));
    let guard = Connector { is_of_web: false };
    Ok(match scheme {
        "s3" => {
            let mut builder = AmazonS3Builder::from_env()
                .with_url(root)
                .with_http_connector(guard)
                .with_retry(retry());
            for (key, time) in TIMEOUTS {
                // An environment variable of the user takes precedence.
                if env::var_os(format!("AWS_{}", key.as_ref().to_uppercase())).is_none() {
                    builder = builder.with_config(AmazonS3ConfigKey::Client(key), time);
                }
            }
            // An endpoint without encryption is the user's explicit choice.
            if is_plain("AWS_ENDPOINT_URL") || is_plain("AWS_ENDPOINT") {
                builder = builder.with_allow_http(true);
            }
            Arc::new(builder.build()?)
        }
        "gs" => {
            let mut builder = GoogleCloudStorageBuilder::from_env()
                .with_url(root)
                .with_http_connector(guard)
                .with_retry(retry());
            for (key, time) in TIMEOUTS {
                builder = builder.with_config(GoogleConfigKey::Client(key), time);
            }
            if is_plain("GOOGLE_BASE_URL") {
                let allow = GoogleConfigKey::Client(ClientConfigKey::AllowHttp);
                builder = builder.with_config(allow, "true");
            }
            Arc::new(builder.build()?)
        }
        "az" => {
            let mut builder = MicrosoftAzureBuilder::from_env()
                .with_url(root)
                .with_http_connector(guard)
                .with_retry(retry());
            for (key, time) in TIMEOUTS {
                builder = builder.with_config(AzureConfigKey::Client(key), time);
            }
            Arc::new(builder.build()?)
        }
        _ => {
            let mut options = ClientOptions::new().with_allow_http(true);
            for (key, time) in TIMEOUTS {
                options = options.with_config(key, time);
            }
            let builder = HttpBuilder::new()
                .with_url(root)
                .with_http_connector(Connector { is_of_web: true })
                .with_client_options(options)
                .with_retry(retry());
            Arc::new(builder.build()?)
        }
    })
}

/// Limits the retries of a failed request: the error is reported after about a quarter of a minute.
fn retry() -> RetryConfig {
    RetryConfig {
        max_retries: 6,
        retry_timeout: Duration::from_secs(60),
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(100),
            max_backoff: Duration::from_secs(5),
            base: 2.0,
        },
    }
}

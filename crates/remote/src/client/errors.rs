//! Translates errors into messages for users. Messages contain nothing that may be secret: no
//! requests and no texts of libraries, only the underlying cause.

use std::error::Error as StdError;
use std::fmt::{self, Display, Formatter};
use std::io;
use std::path::Path;

use object_store::Error;

use crate::address::scheme;

/// Reason for rejecting an answer of a server: lower case, no full stop. Another request would not
/// help.
#[derive(Debug)]
pub(super) struct Refused(pub(super) String);

impl Display for Refused {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl StdError for Refused {}

/// Wraps a [`Refused`] in an error of the library.
pub(super) fn refused(message: impl Into<String>) -> Error {
    Error::Generic { store: "guard", source: Box::new(Refused(message.into())) }
}

/// Converts an error of the library to a message without the address.
pub(super) trait Explained {
    fn explained(&self, address: &str) -> io::Error;
}

impl Explained for Error {
    fn explained(&self, address: &str) -> io::Error {
        let (kind, message) = match self {
            Error::NotFound { .. } => (io::ErrorKind::NotFound, missing(address)),
            Error::PermissionDenied { .. } => (
                io::ErrorKind::PermissionDenied,
                format!("access is denied: {}", credentials(address)),
            ),
            Error::Unauthenticated { .. } => (
                io::ErrorKind::PermissionDenied,
                format!("credentials are missing: {}", credentials(address)),
            ),
            Error::Precondition { .. } => return crate::Error::Changed.into(),
            Error::AlreadyExists { .. } => {
                (io::ErrorKind::AlreadyExists, "it exists already".to_owned())
            }
            other => of_connection(other, address),
        };
        io::Error::new(kind, message)
    }
}

fn missing(address: &str) -> String {
    match scheme(Path::new(address)) {
        Some(("https" | "http", _)) => "there is nothing at this address".to_owned(),
        _ => "there is no such object or bucket; to use everything below an address, end it with /"
            .to_owned(),
    }
}

/// Describes the environment variables for credentials.
fn credentials(address: &str) -> &'static str {
    match scheme(Path::new(address)).map_or("", |(scheme, _)| scheme) {
        "s3" => {
            "set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_SKIP_SIGNATURE=true \
             reads without credentials"
        }
        "gs" => {
            "set GOOGLE_SERVICE_ACCOUNT to the file with the key; GOOGLE_SKIP_SIGNATURE=true \
             reads without credentials"
        }
        "az" => {
            "set AZURE_STORAGE_ACCOUNT_NAME and AZURE_STORAGE_ACCOUNT_KEY; \
             AZURE_SKIP_SIGNATURE=true reads without credentials"
        }
        _ => "the address needs a token or signature that permits reading it",
    }
}

/// Returns the underlying message of an error, which comes from the system or a server.
fn of_connection(error: &Error, address: &str) -> (io::ErrorKind, String) {
    let (mut bottom, mut texts): (&dyn StdError, Vec<String>) = (error, vec![error.to_string()]);
    while let Some(source) = bottom.source() {
        bottom = source;
        texts.push(bottom.to_string());
    }
    if let Some(Refused(message)) = bottom.downcast_ref() {
        return (io::ErrorKind::InvalidData, message.clone());
    }
    let says = |part: &str| texts.iter().any(|text| text.contains(part));
    let status = texts.iter().find_map(|text| status(text));
    match status {
        _ if says("dns error") || says("failed to lookup address") => (
            io::ErrorKind::HostUnreachable,
            "there is no such host: check the address and the network".to_owned(),
        ),
        _ if says("169.254.169.254") || says("metadata.google") => (
            io::ErrorKind::PermissionDenied,
            format!("credentials are missing: {}", credentials(address)),
        ),
        _ if says("Connection refused") => (
            io::ErrorKind::ConnectionRefused,
            "no server answers, after several attempts".to_owned(),
        ),
        Some(status @ 500..) => (
            io::ErrorKind::Other,
            format!("the server fails (status {status}), after several attempts: try again later"),
        ),
        Some(status @ 300..400) => (
            io::ErrorKind::Other,
            format!(
                "the server redirects to another address (status {status}), which does not get \
                 the credentials: check the region and the address of the server"
            ),
        ),
        Some(status) => (
            io::ErrorKind::Other,
            format!("the server refuses the request (status {status}{})", code(&texts)),
        ),
        None => (
            io::ErrorKind::Other,
            format!("after several attempts: {}", harmless(&bottom.to_string(), address)),
        ),
    }
}

/// Returns the HTTP status that a text mentions.
fn status(text: &str) -> Option<u16> {
    let (_, behind) = text.split_once("status code: ")?;
    behind.get(..3)?.parse().ok()
}

/// Returns the error code of object storage that the guard has extracted.
fn code(texts: &[String]) -> String {
    let code = texts.last().and_then(|text| text.rsplit_once(": ")).map_or("", |(_, code)| code);
    if code.is_empty() { String::new() } else { format!(", {code}") }
}

/// Returns the first line of a text, without parts that may be secret.
fn harmless(text: &str, address: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    match address.split_once(['?', '@']) {
        Some(_) if line.contains("://") => "the connection was lost".to_owned(),
        _ => line.chars().take(200).collect(),
    }
}

/// Returns the error for a connection lost after `at` bytes.
pub(super) fn lost(at: u64, error: &Error, address: &str) -> io::Error {
    let explained = error.explained(address);
    let message = format!("the connection was lost after byte {at}: {explained}");
    io::Error::new(explained.kind(), message)
}

//! Faults of a command line.

use std::ffi::OsStr;

/// Result of parsing. The error message is lower case, without a full stop.
pub(super) type Parsed<T> = Result<T, String>;

pub(super) fn fault<T>(message: impl Into<String>) -> Parsed<T> {
    Err(message.into())
}

/// Returns an argument in quotes for a message.
pub(super) fn shown(argument: &OsStr) -> String {
    format!("'{}'", argument.to_string_lossy())
}

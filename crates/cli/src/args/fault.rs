//! Faults of a command line.

use std::ffi::OsStr;

/// Result of parsing. The error message is lower case, without a full stop.
pub(super) type Parsed<T> = Result<T, String>;

pub(super) fn fault<T>(message: impl Into<String>) -> Parsed<T> {
    Err(message.into())
}

/// Lookups of subcommands for error messages: a misspelled argument may be meant for one.
#[derive(Clone, Copy)]
pub(crate) struct Subcommands {
    /// Returns the subcommand whose name is nearest to a word.
    pub(crate) nearest: fn(&str) -> Option<String>,
    /// Returns the subcommand that has an option of this name.
    pub(crate) with_option: fn(&str) -> Option<String>,
}

/// Returns an argument in quotes for a message.
pub(super) fn shown(argument: &OsStr) -> String {
    format!("'{}'", argument.to_string_lossy())
}

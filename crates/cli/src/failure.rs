//! Why a run did not come to its end.

use std::fmt::Display;

/// The end of a run without a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// To be said: lower case, no full stop.
    Message(String),
    /// To be said, but not on standard output, which is what is read: nothing may be written there.
    OutputIsRead(String),
    /// It has been said already.
    Reported,
    /// The same with an exit status of its own.
    ReportedAs(u8),
    /// The arguments of a subcommand are wrong; it has been said already.
    Usage,
    /// Nothing was to be carried out: what was asked for has been shown.
    Shown,
    /// Nobody reads standard output any more, and the results go there.
    Closed,
    /// The user asked for it.
    Interrupted,
}

impl From<shards::Error> for Failure {
    fn from(error: shards::Error) -> Failure {
        match error {
            shards::Error::Cancelled => Failure::Interrupted,
            other => Failure::Message(other.to_string()),
        }
    }
}

/// A failure with what was being done.
pub(crate) fn context(doing: impl Display, error: &dyn Display) -> Failure {
    Failure::Message(format!("{doing}: {error}"))
}

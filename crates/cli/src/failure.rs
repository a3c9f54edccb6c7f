//! Reasons for a run to end without a result.

use std::fmt::Display;

/// End of a run without a result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// A message that has not been printed yet: lower case, no full stop.
    Message(String),
    /// A message that must not be printed to standard output, since that is a file which is read.
    OutputIsRead(String),
    /// The error has been printed.
    Reported,
    /// The error has been printed, and has an exit status of its own.
    ReportedAs(u8),
    /// The arguments of a subcommand are wrong, and the error has been printed.
    Usage,
    /// Not an error: the requested text, such as help, has been printed.
    Shown,
    /// The reader of standard output has gone, and the results go there.
    Closed,
    /// The user stopped the run.
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

/// Returns a failure that says what was being done.
pub(crate) fn context(doing: impl Display, error: &dyn Display) -> Failure {
    Failure::Message(format!("{doing}: {error}"))
}

/// Returns the message of a clap error in one line, without the usage.
pub(crate) fn short(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut parts = Vec::new();
    for paragraph in text.split("\n\n") {
        let words: Vec<&str> = paragraph.split_whitespace().collect();
        let line = words.join(" ");
        let line = line.strip_prefix("error: ").unwrap_or(&line);
        let line = line.strip_prefix("tip: ").unwrap_or(line);
        let is_noise = ["Usage:", "For more information", "to pass "]
            .iter()
            .any(|start| line.starts_with(start));
        if !line.is_empty() && !is_noise {
            parts.push(line.to_owned());
        }
    }
    parts.join("; ")
}

//! Reasons for a run to end without a result.

use std::error::Error;
use std::fmt::Display;
use std::num::ParseIntError;

use clap::error::ContextKind;

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

/// Reports a wrong argument of a subcommand.
pub(crate) fn wrong_argument(message: impl Display) -> Failure {
    tell_line!("error: {message}");
    Failure::Usage
}

/// Returns the message of a clap error in one line, without the usage.
pub(crate) fn short(error: &clap::Error) -> String {
    if let Some(message) = of_number(error).or_else(|| of_range(error)) {
        return message;
    }
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

/// Returns the message about the value of an option that is no whole number.
fn of_number(error: &clap::Error) -> Option<String> {
    error.source()?.downcast_ref::<ParseIntError>()?;
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    let value = error.get(ContextKind::InvalidValue)?.to_string();
    let option = option.split(' ').next()?;
    let is_negative = value.strip_prefix('-').is_some_and(|rest| rest.parse::<u64>().is_ok());
    let what = if is_negative { "a positive whole number" } else { "a whole number" };
    Some(format!("{option} needs {what}, not '{value}'{}", in_digits(&value)))
}

/// Returns the message about the number of an option that is too small or too large.
fn of_range(error: &clap::Error) -> Option<String> {
    let said = error.source()?.to_string();
    let (low, high) = said.split_once(" is not in ")?.1.split_once("..")?;
    let option = error.get(ContextKind::InvalidArg)?.to_string();
    let value = error.get(ContextKind::InvalidValue)?.to_string();
    let option = option.split(' ').next()?;
    let high = high.trim_start_matches('=');
    let range = match high.parse::<u64>() {
        Ok(u64::MAX) | Err(_) => format!("{low} or more"),
        Ok(high) => format!("{low} to {high}"),
    };
    Some(format!("{option} needs a number of {range}, not {value}"))
}

/// Returns what to write for a number with signs between its digits, for the end of a message.
pub(crate) fn in_digits(value: &str) -> String {
    let number = ide::ideas::without_groups(value);
    number.map_or_else(String::new, |number| format!("; write {number}"))
}

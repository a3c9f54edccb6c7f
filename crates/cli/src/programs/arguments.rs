//! Options of the command line about external programs.

use std::path::PathBuf;
use std::time::Duration;

use super::CommandLine;
use crate::output::Originals;

/// Default time limit of a program for one answer.
const PIPE_SECONDS: u64 = 10;

/// Default time limit of an engine for one position.
const ENGINE_SECONDS: u64 = 60;

/// The programs that a query may ask.
#[derive(Debug, Clone, Default, PartialEq, clap::Args)]
#[command(next_help_heading = "External programs")]
pub(crate) struct ProgramArgs {
    /// Set the program for `commandpipe("NAME" …)`
    ///
    /// Can be repeated.
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_command)]
    pub(crate) pipe: Vec<(String, CommandLine)>,
    /// Wait N seconds for the answer of a program [default: 10]
    #[arg(long = "pipetimeout", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) pipe_seconds: Option<u64>,
    /// Set the UCI engine for `engine`
    #[arg(long, value_name = "COMMAND", value_parser = CommandLine::parse)]
    pub(crate) engine: Option<CommandLine>,
    /// Set an option of the engine; can be repeated
    #[arg(long = "engineoption", value_name = "NAME=VALUE", value_parser = named_value)]
    pub(crate) engine_option: Vec<(String, String)>,
    /// Wait N seconds for a position [default: 60]
    #[arg(long = "enginetimeout", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) engine_seconds: Option<u64>,
    /// Store the answers of the engine in FILE and reuse them
    #[arg(long = "enginestore", value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub(crate) engine_store: Option<PathBuf>,
    /// Set the directory of the Syzygy tables for `tablebase`
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) tablebases: Option<PathBuf>,
}

impl ProgramArgs {
    /// Adds a program: `NAME=COMMAND`.
    pub(crate) fn add_pipe(&mut self, value: &str) -> Result<(), String> {
        self.pipe.push(named_command(value)?);
        Ok(())
    }

    pub(crate) fn set_pipe_seconds(&mut self, value: &str) -> Result<(), String> {
        self.pipe_seconds = Some(seconds(value)?);
        Ok(())
    }

    pub(crate) fn set_engine(&mut self, value: &str) -> Result<(), String> {
        self.engine = Some(CommandLine::parse(value)?);
        Ok(())
    }

    /// Adds an option of the engine: `NAME=VALUE`.
    pub(crate) fn add_engine_option(&mut self, value: &str) -> Result<(), String> {
        self.engine_option.push(named_value(value)?);
        Ok(())
    }

    pub(crate) fn set_engine_seconds(&mut self, value: &str) -> Result<(), String> {
        self.engine_seconds = Some(seconds(value)?);
        Ok(())
    }

    pub(crate) fn set_engine_store(&mut self, value: &str) -> Result<(), String> {
        self.engine_store = Some(value.into());
        Ok(())
    }

    pub(crate) fn set_tablebases(&mut self, value: &str) -> Result<(), String> {
        self.tablebases = Some(value.into());
        Ok(())
    }

    /// Adds the store of an engine's answers, if it exists by now, to the files that no output
    /// replaces.
    pub(crate) fn add_store(&self, read: &mut Originals) {
        self.engine_store.iter().for_each(|store| read.add(store));
    }

    /// Returns the last program given with this name.
    pub(super) fn pipe(&self, name: &str) -> Option<&CommandLine> {
        let mut pipes = self.pipe.iter().rev();
        pipes.find(|pipe| pipe.0 == name).map(|pipe| &pipe.1)
    }

    pub(super) fn pipe_timeout(&self) -> Duration {
        Duration::from_secs(self.pipe_seconds.unwrap_or(PIPE_SECONDS))
    }

    pub(crate) fn engine_timeout(&self) -> Duration {
        Duration::from_secs(self.engine_seconds.unwrap_or(ENGINE_SECONDS))
    }
}

fn seconds(text: &str) -> Result<u64, String> {
    let number = text.parse().ok().filter(|number| (1..=86_400).contains(number));
    number.ok_or_else(|| format!("expected a number of seconds from 1 to 86400, not '{text}'"))
}

/// Parses `NAME=COMMAND`.
fn named_command(text: &str) -> Result<(String, CommandLine), String> {
    let (name, command) = named_value(text)?;
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if name.bytes().all(is_part) {
        Ok((name, CommandLine::parse(&command)?))
    } else {
        Err(format!(
            "the name of a program must consist of letters, digits, '_' and '-', not '{name}'"
        ))
    }
}

/// Parses `NAME=VALUE`.
fn named_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        _ if text.contains(['\n', '\r']) => Err("an option must be a single line".to_owned()),
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("expected a name, '=' and a value, not '{text}'")),
    }
}

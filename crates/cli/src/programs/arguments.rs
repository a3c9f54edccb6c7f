//! Options of the command line about external programs.

use std::path::{Path, PathBuf};
use std::time::Duration;

use engine::EngineLimit;

use super::CommandLine;
use crate::failure::Failure;
use crate::output::Originals;

/// Default time limit of a program for one answer.
const PIPE_SECONDS: u64 = 10;

/// Default time limit of an engine for one position.
const ENGINE_SECONDS: u64 = 60;

/// Longest time for a position, in seconds.
const LONGEST: f64 = 86_400.0;

/// Limit of the search of a position, for subcommands that ask an engine without a query.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub(crate) struct EngineLimitArgs {
    /// Search each position to this depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200),
        conflicts_with_all = ["nodes", "time"])]
    depth: Option<u32>,
    /// Search N positions for each position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=2_147_483_647),
        conflicts_with = "time")]
    nodes: Option<u32>,
    /// Search each position for so many seconds
    ///
    /// Unlike with a depth or a number of positions, another run finds other values.
    #[arg(long, value_name = "SECONDS", value_parser = milliseconds)]
    time: Option<u32>,
}

fn milliseconds(text: &str) -> Result<u32, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.001..=LONGEST).contains(&seconds) => Ok((seconds * 1000.0) as u32),
        _ => Err(format!("expected a number of seconds from 0.001 to {LONGEST}, not '{text}'")),
    }
}

impl EngineLimitArgs {
    /// Whether a limit is given.
    pub(crate) fn is_given(self) -> bool {
        self.depth.or(self.nodes).or(self.time).is_some()
    }

    /// Returns the limit.
    ///
    /// # Errors
    /// There is none, or it is longer than an engine may take.
    pub(crate) fn get(self, programs: &ProgramArgs) -> Result<EngineLimit, Failure> {
        let limit = match (self.depth, self.nodes, self.time) {
            (Some(depth), ..) => EngineLimit::Depth(depth),
            (_, Some(nodes), _) => EngineLimit::Nodes(nodes),
            (.., Some(time)) => EngineLimit::Time(time),
            _ => {
                let message = "no limit is given for the search of a position: use --depth N, \
                               --nodes N or --time SECONDS";
                return Err(Failure::Message(message.to_owned()));
            }
        };
        if let EngineLimit::Time(time) = limit
            && u128::from(time) >= programs.engine_timeout().as_millis()
        {
            let message = "--time must be less than --enginetimeout, after which an engine counts \
                           as dead";
            return Err(Failure::Message(message.to_owned()));
        }
        Ok(limit)
    }
}

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

    /// Returns the first of the options about the engine that is given.
    pub(super) fn of_engine(&self) -> Option<&'static str> {
        [
            ("-engine", self.engine.is_some()),
            ("-enginestore", self.engine_store.is_some()),
            ("-engineoption", !self.engine_option.is_empty()),
            ("-enginetimeout", self.engine_seconds.is_some()),
        ]
        .into_iter()
        .find_map(|(option, is_given)| is_given.then_some(option))
    }

    /// Adds the store of an engine's answers, if it exists by now, to the files that no output
    /// replaces.
    pub(crate) fn add_store(&self, read: &mut Originals) {
        self.engine_store.iter().for_each(|store| read.add(store));
    }

    /// Refuses a new file that is the store of the answers, which exists by now.
    ///
    /// # Errors
    /// It is the store.
    pub(crate) fn refuse_store(&self, target: &Path) -> Result<(), Failure> {
        let mut stored = Originals::default();
        self.add_store(&mut stored);
        stored.refuse(target).map_err(|_| {
            let name = target.display();
            Failure::Message(format!(
                "{name} is the store of --enginestore: name another file with -o"
            ))
        })
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
pub(crate) fn named_value(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        _ if text.contains(['\n', '\r']) => Err("an option must be a single line".to_owned()),
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err(format!("expected a name, '=' and a value, not '{text}'")),
    }
}

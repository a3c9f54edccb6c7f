//! `cql studio GAMES…`: shows queries, games and boards in the browser.
//!
//! The server is the crate `studio`, included if the program is built with the feature `studio`.
//! This module has its arguments, finds the folder for its data, and starts the browser.

use std::path::PathBuf;

use crate::failure::Failure;
use crate::programs::{CommandLine, named_value};

/// Write queries and view their matches in the browser
///
/// Starts a server for this machine alone and opens its page in the browser: an editor that knows
/// the language, the matching games as they are found, a board, and the manual. The page can read
/// only the games that are named here and those that you drop on it.
#[derive(clap::Args)]
pub(super) struct StudioArgs {
    /// Games: files, directories, patterns, archives
    ///
    /// More games can be dropped on the page.
    #[arg(value_hint = clap::ValueHint::AnyPath)]
    games: Vec<PathBuf>,
    /// Set the port of the server [default: 6262]
    ///
    /// If another program uses port 6262, any free port is taken by default.
    #[arg(long, value_name = "N")]
    port: Option<u16>,
    /// Print the address without opening the browser
    #[arg(long)]
    no_open: bool,
    /// Show the lines of this UCI engine below the board
    ///
    /// The engine is started with the studio, and thinks only while its lines are in sight.
    #[arg(long, value_name = "COMMAND", value_parser = CommandLine::parse)]
    engine: Option<CommandLine>,
    /// Set an option of the engine; can be repeated
    #[arg(long = "engineoption", value_name = "NAME=VALUE", value_parser = named_value, requires = "engine")]
    engine_option: Vec<(String, String)>,
}

/// Reports that this program has no studio.
#[cfg(not(feature = "studio"))]
pub(super) fn run(_: &StudioArgs) -> Result<(), Failure> {
    Err(Failure::Message(
        "this program was built without the studio: use a program of a release, or build it \
         without `--no-default-features`"
            .to_owned(),
    ))
}

/// Serves until the user interrupts the program.
#[cfg(feature = "studio")]
pub(super) fn run(arguments: &StudioArgs) -> Result<(), Failure> {
    use crate::args::Threads;
    use crate::failure::context;
    use crate::interrupt;
    use crate::search::threads;

    if let Some(missing) = arguments.games.iter().find(|name| is_missing(name)) {
        let message = format!("there are no games at {}", missing.display());
        return Err(Failure::Message(message));
    }
    interrupt::listen();
    let options = ::studio::ServerOptions {
        games: arguments.games.clone(),
        port: arguments.port,
        threads: threads(Threads::Default),
        keep_in: data_folder(),
        has_door: !arguments.no_open,
        engine: arguments.engine()?,
    };
    let ready = |ready: &::studio::BoundServer| {
        crate::terminal::say(&format!("{}\nCtrl-C ends it.\n", ready.link));
        for folder in &ready.removed {
            let folder = folder.display();
            tell_line!("removed {folder}, left behind by a studio that was killed");
        }
        if ready.door.as_deref().is_some_and(|door| !open(door)) {
            tell_line!("cannot start the browser: open the address yourself");
        }
    };
    ::studio::serve(options, interrupt::cancel(), ready)
        .map_err(|error| context("the studio cannot start", &error))
}

/// Number of lines of the engine.
#[cfg(feature = "studio")]
const N_LINES: u32 = 3;

/// Time for which the engine thinks about a position.
#[cfg(feature = "studio")]
const THINKING: std::time::Duration = std::time::Duration::from_secs(20);

/// Engine of the studio, which one position at a time is asked.
#[cfg(feature = "studio")]
struct SharedAnalyst {
    name: String,
    engine: std::sync::Mutex<crate::programs::EngineOfWorker>,
}

#[cfg(feature = "studio")]
impl StudioArgs {
    /// Starts the engine, if one is given.
    fn engine(&self) -> Result<Option<std::sync::Arc<dyn ::studio::Analyst>>, Failure> {
        use crate::programs::{ProgramArgs, SharedEngine};

        if self.engine.is_none() {
            return Ok(None);
        }
        let programs = ProgramArgs {
            engine: self.engine.clone(),
            engine_option: self.engine_option.clone(),
            ..ProgramArgs::default()
        };
        let shared = SharedEngine::start(&programs, None, N_LINES, engine::EngineValue::Pv)?;
        let name = shared.name().to_owned();
        let engine = std::sync::Mutex::new(shared.of_worker());
        Ok(Some(std::sync::Arc::new(SharedAnalyst { name, engine })))
    }
}

#[cfg(feature = "studio")]
impl std::fmt::Debug for SharedAnalyst {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SharedAnalyst").field("name", &self.name).finish_non_exhaustive()
    }
}

#[cfg(feature = "studio")]
impl ::studio::Analyst for SharedAnalyst {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn follow(&self, fen: &str, tell: &mut ::studio::TellLines<'_>) -> Result<(), String> {
        // The position before is given up as soon as the page has left it.
        crate::terminal::lock(&self.engine).follow(fen, N_LINES, THINKING, tell)
    }
}

/// Whether a name is neither an existing path nor a pattern.
#[cfg(feature = "studio")]
fn is_missing(name: &std::path::Path) -> bool {
    !name.exists() && !name.to_string_lossy().contains(['*', '?', '['])
}

/// Returns the folder for data of this program, as usual on the system.
#[cfg(feature = "studio")]
fn data_folder() -> Option<PathBuf> {
    let variable = |name: &str| {
        let value = std::env::var_os(name).filter(|value| !value.is_empty());
        value.map(PathBuf::from)
    };
    let folder = if cfg!(windows) {
        variable("LOCALAPPDATA")?
    } else if cfg!(target_os = "macos") {
        variable("HOME")?.join("Library/Application Support")
    } else {
        let home = || Some(variable("HOME")?.join(".local/share"));
        variable("XDG_DATA_HOME").or_else(home)?
    };
    Some(folder.join("cql"))
}

/// Opens a file in the browser. Returns whether the browser was started.
#[cfg(feature = "studio")]
fn open(file: &std::path::Path) -> bool {
    use std::process::{Command, Stdio};

    let mut command = if cfg!(windows) {
        let mut command = Command::new("explorer");
        command.arg(file);
        command
    } else {
        let name = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let mut command = Command::new(name);
        command.arg(file);
        command
    };
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().is_ok()
}

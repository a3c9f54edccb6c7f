//! The only way from a query to other programs.

use syntax::tree::EngineLimit;

/// What `commandpipe` and `engine` may ask; given by the program that runs the query.
pub trait Programs: Send {
    /// What the program called `name` answers; nothing where it has no answer.
    ///
    /// # Errors
    /// There is no such program.
    fn ask(&mut self, name: &str, question: &PipeQuestion<'_>) -> Result<Option<Vec<u8>>, String>;

    /// What the engine thinks of a position, from the side to move; nothing where it has no
    /// answer.
    ///
    /// # Errors
    /// There is no engine.
    fn analyze(&mut self, fen: &str, limit: EngineLimit) -> Result<Option<EngineAnswer>, String>;
}

/// What a program is told.
#[derive(Debug, Clone, Copy)]
pub struct PipeQuestion<'a> {
    /// The number of the game.
    pub game: u64,
    /// How many moves (of either side) led to the position.
    pub ply: u32,
    /// The position, with all six fields.
    pub fen: &'a str,
    /// What the query adds.
    pub arguments: &'a [Vec<u8>],
}

/// What an engine says about a position.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineAnswer {
    /// In centipawns, unless there is a mate.
    pub score: Option<i32>,
    /// In so many moves, negative against the side whose score it is.
    pub mate: Option<i32>,
    /// As in UCI: `e7e8q`.
    pub best_move: Option<String>,
}

/// Asks nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPrograms;

const NOBODY: &str = "no other program can be asked here";

impl Programs for NoPrograms {
    fn ask(&mut self, _: &str, _: &PipeQuestion<'_>) -> Result<Option<Vec<u8>>, String> {
        Err(NOBODY.to_owned())
    }

    fn analyze(&mut self, _: &str, _: EngineLimit) -> Result<Option<EngineAnswer>, String> {
        Err(NOBODY.to_owned())
    }
}

/// Boxed [`Programs`], none until some are put in.
pub(crate) struct Asked(pub(crate) Box<dyn Programs>);

impl Default for Asked {
    fn default() -> Asked {
        Asked(Box::new(NoPrograms))
    }
}

impl std::fmt::Debug for Asked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Asked")
    }
}

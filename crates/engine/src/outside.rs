//! Access of queries to external programs.

use compiler::program::TableValue;
use syntax::tree::EngineQuestion;

/// Largest number of pieces in a position of a tablebase.
pub const MOST_TABLE_PIECES: u32 = 7;

/// External programs for `commandpipe` and `engine`, and tablebases; provided by the program that
/// runs the query.
pub trait Programs: Send {
    /// Returns the answer of the program `name`, or `None` if it has no answer.
    ///
    /// # Errors
    /// Fails if there is no such program.
    fn ask(&mut self, name: &str, question: &PipeQuestion<'_>) -> Result<Option<Vec<u8>>, String>;

    /// Returns the engine's evaluation of a position for the line that the question names, from the
    /// view of the side to move. `None` if the engine has no answer.
    ///
    /// # Errors
    /// Fails if there is no engine.
    fn analyze(
        &mut self,
        fen: &str,
        question: EngineQuestion,
    ) -> Result<Option<EngineAnswer>, String>;

    /// Returns the tablebases, if there are any.
    fn tablebases(&mut self) -> Option<&mut dyn TablebaseProbe> {
        None
    }
}

/// Probes tablebases, which have the results of positions with few pieces.
pub trait TablebaseProbe {
    /// Returns a value for the side to move, as if the last move had been a capture or a pawn move.
    /// `None` if the tables do not have the position, which has at most [`MOST_TABLE_PIECES`] pieces
    /// and no rights to castle.
    fn probe(&mut self, fen: &str, value: TableValue) -> Option<i32>;
}

/// A question to a program of `commandpipe`.
#[derive(Debug, Clone, Copy)]
pub struct PipeQuestion<'a> {
    /// Number of the game.
    pub game: u64,
    /// Number of half-moves that led to the position.
    pub ply: u32,
    /// The position as FEN, with all six fields.
    pub fen: &'a str,
    /// Arguments that the query adds.
    pub arguments: &'a [Vec<u8>],
}

/// An engine's evaluation of a position, or of one of several lines from there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EngineAnswer {
    /// Score in centipawns, unless there is a mate.
    pub score: Option<i32>,
    /// Number of moves to mate; negative if the side whose score this is gets mated.
    pub mate: Option<i32>,
    /// The best move, or the first one of the line, in UCI notation: `e7e8q`.
    pub best_move: Option<String>,
    /// The moves of the line in UCI notation, separated by blanks.
    pub pv: Option<String>,
    /// Chances to win, draw and lose, in thousandths.
    pub wdl: Option<[u16; 3]>,
}

/// Denies access to all programs.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoPrograms;

const NOBODY: &str = "no other program can be asked here";

impl Programs for NoPrograms {
    fn ask(&mut self, _: &str, _: &PipeQuestion<'_>) -> Result<Option<Vec<u8>>, String> {
        Err(NOBODY.to_owned())
    }

    fn analyze(&mut self, _: &str, _: EngineQuestion) -> Result<Option<EngineAnswer>, String> {
        Err(NOBODY.to_owned())
    }
}

/// Boxed [`Programs`], [`NoPrograms`] by default.
pub(crate) struct BoxedPrograms(pub(crate) Box<dyn Programs>);

impl Default for BoxedPrograms {
    fn default() -> BoxedPrograms {
        BoxedPrograms(Box::new(NoPrograms))
    }
}

impl std::fmt::Debug for BoxedPrograms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("BoxedPrograms")
    }
}

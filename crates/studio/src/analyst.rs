//! The engine below the board, as the caller of the server supplies it.

use std::fmt::Debug;

use engine::EngineAnswer;

/// Receives the depth and the lines so far, or nothing; returns whether more are wanted.
pub type TellLines<'t> = dyn FnMut(Option<(u32, &[EngineAnswer])>) -> bool + 't;

/// Chess engine.
pub trait Analyst: Send + Sync + Debug {
    /// Returns its name.
    fn name(&self) -> String;

    /// Analyzes a position, given as a FEN, and passes the best lines to `tell` while they are
    /// found, the best one first, with their depth. Ends soon after `tell` returns `false`. `tell`
    /// is called now and then even if there is nothing new.
    ///
    /// # Errors
    /// The engine cannot be started, or has ended.
    fn follow(&self, fen: &str, tell: &mut TellLines<'_>) -> Result<(), String>;
}

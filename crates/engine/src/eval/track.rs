//! State that `line`, `consecutivemoves` and `relation` keep from position to position of a game.

use syntax::tree::VariableId;

use super::notes::Note;
use super::related::Related;
use compiler::program::Program;

/// State of one such filter.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tracker {
    /// For `line nestban`: positions of earlier matches.
    pub(crate) banned: Vec<u32>,
    /// For `consecutivemoves`: the longest run of the game.
    pub(crate) longest: Option<TrackRun>,
    /// For `relation`: the pairs found.
    pub(crate) related: Related,
}

/// A run of equal moves in two places of the game.
#[derive(Debug, Clone)]
pub(crate) struct TrackRun {
    /// The positions that the moves lead to, in both places.
    pub(crate) positions: Vec<(u32, u32)>,
    /// The variables whose names appear in the comments.
    pub(crate) source: VariableId,
    pub(crate) target: VariableId,
}

impl Tracker {
    /// Returns the comments that mark the longest run, or the pairs found for a position of
    /// `matched`.
    pub(crate) fn notes(&self, program: &Program, matched: &[u32]) -> Vec<Note> {
        let Some(run) = &self.longest else {
            return self.related.notes(matched);
        };
        let name = |v: VariableId| &program.variables[v.0 as usize].name;
        let mut notes = Vec::new();
        for (i, &(source, target)) in run.positions.iter().enumerate() {
            for (position, variable) in [(source, run.source), (target, run.target)] {
                let text = format!("{}-move[{}]", name(variable), i + 1);
                notes.push(Note { position, text: text.into_bytes().into() });
            }
        }
        notes
    }
}

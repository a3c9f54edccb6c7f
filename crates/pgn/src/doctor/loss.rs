//! Finds the moves of a game that a search does not read, as findings of the doctor.

use super::Examiner;
use super::caution::Caution;
use super::finding::{Finding, Findings};
use super::kind::FindingKind;
use crate::fault::Loss;
use crate::tags::TextTags;
use crate::tree::GameTree;

impl Examiner {
    /// Returns the first place from which on a tree lacks moves, or else the first word that was
    /// skipped. `tree` must have been parsed from `tags`.
    pub fn loss(&mut self, tree: &GameTree, tags: TextTags<'_>) -> Option<Loss> {
        if !tree.may_lack_moves() {
            return None;
        }
        let mut findings = Findings::default();
        let start = (tree.start(), tree.has_fen());
        self.tree.examine(tags, start, Caution::Usual, &mut findings);
        let n_moves = tree.n_lost_moves(tags.text());
        let is_cause = |finding: &&Finding| {
            n_moves > 0 && (finding.kind.loses_moves() || Some(finding.at) == tree.lost.first_move)
        };
        let mut findings = findings.0.into_iter();
        let cause = findings.as_slice().iter().find(is_cause).cloned();
        // A word without a move may hide one, as `O;-O` does.
        let found = cause.or_else(|| {
            let is_word = |finding: &Finding| {
                let is_lost_result = finding.kind == FindingKind::OddResult && tree.lacks_words();
                finding.kind.is_loss() || is_lost_result
            };
            findings.find(is_word)
        })?;
        Some(Loss { at: found.at, what: found.what, n_moves })
    }
}

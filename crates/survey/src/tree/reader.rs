//! Reads games from their text.

use flow::{FaultKind, Output};
use pgn::{GameTree, RawGame, RulesRead, TagIndex, TextTags, VariantNames};

use super::Tally;
use crate::collection::Sum;

/// Reads the games of a thread, reusing its memory from game to game.
pub(crate) struct GameReader<'t> {
    variants: &'t VariantNames,
    index: TagIndex,
    pub(crate) tree: GameTree,
    buffer: Vec<u8>,
}

impl<'t> GameReader<'t> {
    pub(crate) fn new(variants: &'t VariantNames) -> GameReader<'t> {
        GameReader {
            variants,
            index: TagIndex::default(),
            tree: GameTree::default(),
            buffer: Vec::new(),
        }
    }

    /// Returns the tags and the moves of a game. `None` if the game cannot be counted, which is
    /// recorded.
    pub(super) fn read<'r, C: Sum>(
        &'r mut self,
        raw: &'r RawGame<'_>,
        number: u64,
        out: &mut Output<Tally<C>>,
    ) -> Option<(TextTags<'r>, &'r GameTree)> {
        self.read_wanted(raw, number, |_| true, out)
    }

    /// Returns the tags and the moves of a game like [`GameReader::read`]; `None` if its tags are
    /// not wanted, too.
    pub(crate) fn read_wanted<'r, C: Sum>(
        &'r mut self,
        raw: &'r RawGame<'_>,
        number: u64,
        is_wanted: impl FnOnce(TextTags<'_>) -> bool,
        out: &mut Output<Tally<C>>,
    ) -> Option<(TextTags<'r>, &'r GameTree)> {
        let text = raw.clean_text(&mut self.buffer);
        self.index.scan_game(raw, text);
        let tags = self.index.tags(text);
        if !is_wanted(tags) {
            return None;
        }
        let variant = self.variants.variant_of(tags);
        self.tree.parse_as(tags, variant);
        let rules = self.tree.rules_read(tags, variant);
        if !rules.moves_as_chess() {
            out.results.omitted.other_rules += 1;
            return None;
        }
        out.results.omitted.assumed += u64::from(rules == RulesRead::Assumed);
        if let Some(error) = self.tree.impossible_start(tags) {
            out.fault(raw, number, FaultKind::Skipped, error.to_string());
            return None;
        }
        Some((tags, &self.tree))
    }
}

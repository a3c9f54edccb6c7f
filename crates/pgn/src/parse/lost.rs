//! What is passed over: words that are neither moves nor annotations, and moves behind the place up
//! to which a game is read.

use super::{End, Parser};
use crate::tree::{GameTree, Stop, TreeBuilder};

impl<'a> Parser<'a> {
    /// At the start of a text that has no tags.
    fn of(text: &'a [u8], tree: &'a mut GameTree) -> Parser<'a> {
        Parser {
            text,
            at: 0,
            build: TreeBuilder::new(tree),
        }
    }

    /// Notes that the word just read was passed over. One with a square in it was meant as a move.
    #[cold]
    pub(super) fn lose_word(&mut self, start: usize) {
        self.lose_sign();
        let word = &self.text[start..self.at];
        let mut pairs = word.windows(2);
        if pairs.any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8'])) {
            self.lose_move(start);
        }
    }

    /// Notes that a word was passed over that cannot be a move.
    #[cold]
    pub(super) fn lose_sign(&mut self) {
        self.build.tree.lost.n_words += 1;
    }

    /// Notes that a written move is not played.
    #[cold]
    pub(super) fn lose_move(&mut self, start: usize) {
        let lost = &mut self.build.tree.lost;
        lost.n_moves += 1;
        lost.first_move.get_or_insert(start);
    }
}

impl GameTree {
    /// How many written moves are not in the tree, those of variations included. `text` is the text
    /// that was parsed.
    #[must_use]
    pub fn n_lost_moves(&self, text: &[u8]) -> u32 {
        let rest = self.lost.rest.and_then(|rest| text.get(rest..));
        self.lost.n_moves + rest.map_or(0, count_moves)
    }
}

/// The moves that are written in a text, whether they are possible or not.
#[cold]
fn count_moves(text: &[u8]) -> u32 {
    let mut tree = GameTree::default();
    // No move is accepted any more, but all are counted.
    tree.illegal_at = Some(0);
    let mut parser = Parser::of(text, &mut tree);
    while let Some(&byte) = text.get(parser.at) {
        match parser.token(byte) {
            Ok(()) | Err(End::Result(_)) => {}
            Err(End::Stop(Stop::OpenComment)) => break,
            Err(End::Stop(_)) => parser.at += 1,
        }
    }
    tree.lost.n_moves
}

/// Whether a text without tags is one of moves: nothing but comments and numbers stands before the
/// first move, and that is possible.
#[cold]
pub(crate) fn begins_with_a_move(text: &[u8]) -> bool {
    let mut tree = GameTree::default();
    let mut parser = Parser::of(text, &mut tree);
    while let Some(&byte) = text.get(parser.at) {
        if parser.token(byte).is_err() || parser.build.tree.may_lack_moves() {
            return false;
        }
        if parser.build.tree.len() > 1 {
            return true;
        }
    }
    false
}

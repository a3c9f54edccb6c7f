//! Games in a form that tests can compare.

use pgn::{Edits, GameTree, RawGame, Splitter, TagIndex, WriteOptions, write_game};

/// Splits a text into games.
pub fn split(text: &[u8]) -> Vec<RawGame<'_>> {
    Splitter::default().split(text, true).collect()
}

/// A parsed game.
pub struct Game {
    pub tree: GameTree,
    index: TagIndex,
    text: Vec<u8>,
}

impl Game {
    pub fn read(raw: &RawGame<'_>) -> Game {
        let mut game =
            Game { tree: GameTree::default(), index: TagIndex::default(), text: Vec::new() };
        let mut buffer = Vec::new();
        game.text = raw.clean_text(&mut buffer).to_vec();
        assert_eq!(game.text.len(), raw.text.len());
        game.index.scan(&game.text);
        game.tree.parse(game.index.tags(&game.text));
        game
    }

    pub fn tags(&self) -> pgn::TextTags<'_> {
        self.index.tags(&self.text)
    }

    /// Returns the game as it is written with nothing added, and whether it was written completely.
    pub fn written(&self) -> (Vec<u8>, bool) {
        let mut out = Vec::new();
        let (edits, options) = (Edits::default(), WriteOptions::default());
        let written = write_game(&mut out, self.tags(), &self.tree, &edits, &options);
        (out, !written.truncated)
    }

    /// Returns moves, positions, glyphs and variations, node by node.
    pub fn moves(&self) -> Vec<String> {
        let tree = &self.tree;
        let show = |node: usize| {
            format!(
                "{node} < {}: {:?} {:?} {} {:?}",
                tree.parent(node),
                tree.move_to(node),
                tree.nags(node),
                tree.fen(node),
                tree.variations(node).map(|v| tree.variation_start(v)).collect::<Vec<_>>(),
            )
        };
        let mut moves: Vec<String> = (0..tree.len()).map(show).collect();
        moves.push(tree.result().to_string());
        moves
    }

    /// Returns the comments of the nodes and of the starts of variations, as words.
    pub fn comments(&self) -> Vec<Vec<String>> {
        let tree = &self.tree;
        let words = |comment: Option<std::borrow::Cow<'_, [u8]>>| -> Vec<String> {
            let comment = comment.unwrap_or_default();
            let words = comment.split(|b| b.is_ascii_whitespace());
            words
                .filter(|word| !word.is_empty())
                .map(|word| word.escape_ascii().to_string())
                .collect()
        };
        let mut comments = Vec::new();
        for node in 0..tree.len() {
            comments.push(words(tree.comment(&self.text, node)));
            for variation in tree.variations(node) {
                comments.push(words(tree.variation_comment(&self.text, variation)));
            }
        }
        comments
    }
}

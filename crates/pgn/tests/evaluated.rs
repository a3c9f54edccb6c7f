//! Evaluations in the games of all files of the tests: the moves, glyphs and comments stay.

use std::fs;
use std::path::Path;

use pgn::command::Evaluation;
use pgn::{GameTree, RawGame, Splitter, TagIndex, Variant, can_have_evaluations, with_evaluations};

/// A game that has been read.
struct Read {
    text: Vec<u8>,
    tree: GameTree,
}

impl Read {
    fn new(raw: &RawGame<'_>) -> Read {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        let text = raw.clean_text(&mut Vec::new()).to_vec();
        index.scan_game(raw, &text);
        tree.parse_as(index.tags(&text), Variant::Standard);
        Read { text, tree }
    }

    /// Returns the comments of a node without evaluations, as far as comments of any length are read.
    fn comments(&self, node: usize) -> Vec<String> {
        let comments = self.tree.comments_backward(&self.text, node);
        let comments = comments.map(|comment| {
            let text = String::from_utf8_lossy(&comment).into_owned();
            match (text.find("[%eval"), text.find(']')) {
                (Some(start), Some(end)) if start < end => text.replace(&text[start..=end], ""),
                _ => text,
            }
        });
        let words = comments.map(|text| {
            let words: Vec<&str> = text.split_whitespace().take(1000).collect();
            words.join(" ").chars().take(10_000).collect::<String>()
        });
        words.filter(|text| !text.is_empty()).collect()
    }
}

/// Writes an evaluation for each node of a game, and compares the game with the old one. Returns the
/// number of evaluations, or `None` if the game cannot have them.
fn check(name: &str, raw: &RawGame<'_>) -> Option<usize> {
    let old = Read::new(raw);
    let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
    index.scan_game(raw, &old.text);
    let ends = tree.parse_for_evaluations(index.tags(&old.text), Variant::Standard);
    assert_eq!(tree.positions(), old.tree.positions(), "{name}");
    let value = |node: usize| Evaluation::Centipawns(node as i32 - 40);
    let nodes = 0..tree.len();
    let places = nodes.clone().map(|node| Some((ends.place(&old.text, &tree, node)?, node)));
    let places: Vec<_> = places.collect::<Option<_>>()?;
    if !can_have_evaluations(raw, &tree, Variant::Standard, &places) {
        return None;
    }
    let values: Vec<_> = places.into_iter().map(|(place, node)| (place, value(node))).collect();
    let text = with_evaluations(raw.text, &values);
    let new = Read::new(&RawGame::of(&text));
    let shown = String::from_utf8_lossy(&text);
    assert_eq!(new.tree.positions(), old.tree.positions(), "{name}: {shown}");
    for node in nodes {
        assert_eq!(new.tree.evaluation(&new.text, node), Some(value(node)), "{name}: {shown}");
        assert_eq!(new.comments(node), old.comments(node), "{name}: {shown}");
    }
    Some(values.len())
}

#[test]
fn evaluations_change_nothing_else() {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let (mut n, mut without) = (0, Vec::new());
    for folder in ["torture", "data"] {
        for entry in fs::read_dir(tests.join(folder)).expect("the files") {
            let path = entry.expect("a file").path();
            if path.extension().is_none_or(|extension| extension != "pgn") {
                continue;
            }
            let text = fs::read(&path).expect("a readable file");
            let name = path.display().to_string();
            for raw in Splitter::default().split(&text, true) {
                if raw.is_skipped() {
                    continue;
                }
                match check(&name, &raw) {
                    Some(n_values) => n += n_values,
                    None => without.push(format!("{name}: {}", String::from_utf8_lossy(raw.text))),
                }
            }
        }
    }
    let n_without = without.len();
    assert!(n > 1000 && n_without < 30, "{n} evaluations, none in:\n{}", without.join("\n\n"));
}

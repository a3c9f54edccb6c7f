//! What a relation remembers of a game, and the comments for that.

use std::collections::{HashMap, HashSet};

use super::notes::Note;
use compiler::program::id::BoolId;

/// Bytes of the comments of a position that may be about pairs: longer comments are cut when they
/// are written, and the marker must not be lost.
const NOTES_OF_A_POSITION: usize = 2000;

/// What a relation remembers of a game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Related {
    /// Whether a position can be a target, once that has been asked. The images of a relation
    /// under a transform have filters of their own.
    pub(super) targets: HashMap<BoolId, Vec<Option<bool>>>,
    pub(super) pairs: Vec<Pair>,
    /// The longest run of moves that the ways to two positions have in common, each move as the
    /// positions it leads to, and where the query was being evaluated.
    pub(super) longest: Option<(u32, Vec<(u32, u32)>)>,
}

/// A source and a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    /// Where the query was being evaluated.
    pub(super) root: u32,
    pub(super) source: u32,
    pub(super) target: u32,
    /// The last common ancestor, if it was asked for.
    pub(super) ancestor: Option<u32>,
}

impl Related {
    /// The comments for the pairs found for positions of `matched`: who is related to whom, by
    /// numbers, the sources and the targets being numbered in the order in which they came. A
    /// line that begins with a bracket and ends with one looks like a tag: no blank stands before
    /// a bracket, and a full stop behind.
    pub(super) fn notes(&self, matched: &[u32]) -> Vec<Note> {
        let mut seen = HashSet::new();
        let pairs = self
            .pairs
            .iter()
            .filter(|pair| matched.binary_search(&pair.root).is_ok() && seen.insert(**pair));
        let mut sources = Numbered::default();
        let mut targets = Numbered::default();
        let mut related = HashSet::new();
        let mut notes = Vec::new();
        let mut ancestors: Vec<(u32, String)> = Vec::new();
        for pair in pairs {
            let source = sources.number(pair.source);
            let target = targets.number(pair.target);
            if related.insert((source, target)) {
                sources.relate(source, target);
                targets.relate(target, source);
            }
            if let Some(ancestor) = pair.ancestor {
                ancestors.push((ancestor, format!("LCA[{source},{target}].")));
            }
        }
        for (name, numbered) in [("SOURCE", sources), ("TARGET", targets)] {
            for (i, (position, others)) in numbered.positions.into_iter().enumerate() {
                let text = format!("{name} {}[{}].", i + 1, listed(&others));
                notes.push(note(position, text));
            }
        }
        notes.extend(
            ancestors
                .into_iter()
                .map(|(position, text)| note(position, text)),
        );
        if let Some((root, run)) = &self.longest
            && matched.binary_search(root).is_ok()
        {
            for (i, &(source, target)) in run.iter().enumerate() {
                notes.push(note(source, format!("SOURCEPATH: {}", i + 1)));
                notes.push(note(target, format!("TARGETPATH: {}", i + 1)));
            }
        }
        let mut sizes: HashMap<u32, usize> = HashMap::new();
        notes.retain(|note| {
            let size = sizes.entry(note.position).or_default();
            *size += note.text.len();
            *size <= NOTES_OF_A_POSITION
        });
        notes
    }
}

/// Positions in the order of their appearance, each with the numbers of its relatives.
#[derive(Default)]
struct Numbered {
    positions: Vec<(u32, Vec<u32>)>,
    numbers: HashMap<u32, u32>,
}

impl Numbered {
    /// The number of a position, from 1.
    fn number(&mut self, position: u32) -> u32 {
        let next = self.positions.len() as u32 + 1;
        let number = *self.numbers.entry(position).or_insert(next);
        if number == next {
            self.positions.push((position, Vec::new()));
        }
        number
    }

    fn relate(&mut self, number: u32, other: u32) {
        if let Some((_, others)) = self.positions.get_mut(number as usize - 1) {
            others.push(other);
        }
    }
}

/// Numbers with commas between them; of very many the first.
fn listed(numbers: &[u32]) -> String {
    let mut text = String::new();
    for number in numbers {
        if !text.is_empty() {
            text.push(',');
        }
        if text.len() > NOTES_OF_A_POSITION / 3 {
            return text + "...";
        }
        text += &number.to_string();
    }
    text
}

fn note(position: u32, text: String) -> Note {
    Note {
        position,
        text: text.into_bytes().into(),
    }
}

//! The pairs that a relation has found in a game, and the comments on them.

use std::collections::{HashMap, HashSet};

use super::notes::Note;
use compiler::program::id::BoolId;

/// Largest number of bytes of comments on pairs at one position. Longer comments would be cut in
/// the output, and the marker must not be lost.
const NOTES_OF_A_POSITION: usize = 2000;

/// The pairs that a relation has found in a game, with other results kept for it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Related {
    /// For each position, whether it can be a target, if that has been evaluated. The images of a
    /// relation under a transform have separate filters.
    pub(super) targets: HashMap<BoolId, Vec<Option<bool>>>,
    pub(super) pairs: Vec<Pair>,
    /// The longest run of moves that the ways to two positions have in common: the position at
    /// which the query was evaluated, and for each move the two positions that it leads to.
    pub(super) longest: Option<(u32, Vec<(u32, u32)>)>,
}

/// A source and a target that are related.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Pair {
    /// The position at which the query was being evaluated.
    pub(super) root: u32,
    pub(super) source: u32,
    pub(super) target: u32,
    /// The last common ancestor, if the relation measures distances.
    pub(super) ancestor: Option<u32>,
}

impl Related {
    /// Returns the comments on the pairs found for positions of `matched`. They name related
    /// positions by numbers; sources and targets are numbered separately, in order of appearance. A
    /// comment must not look like a tag, that is, a line that begins and ends with a bracket; so no
    /// blank precedes a bracket and a full stop follows it.
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
        notes.extend(ancestors.into_iter().map(|(position, text)| note(position, text)));
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

/// Positions in order of appearance, each with the numbers of the related positions.
#[derive(Default)]
struct Numbered {
    positions: Vec<(u32, Vec<u32>)>,
    numbers: HashMap<u32, u32>,
}

impl Numbered {
    /// Returns the number of a position, from 1.
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

/// Joins numbers with commas, and shortens a long list.
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
    Note { position, text: text.into_bytes().into() }
}

//! Checks that a repair loses nothing.
//!
//! A repaired text is compared with its original, whichever repairs were made: a search must still
//! read every position, and every word must still be there. A repair that loses something is not
//! used, so no rule of the other modules needs to be trusted.

use std::borrow::{Borrow, Cow};
use std::collections::{HashMap, HashSet};
use std::hash::Hash;
use std::ops::Range;

use board::{Extra, Move, Position, Role, Rules};

use super::finding::Edit;
use super::late::{self, lacks_tags};
use super::moves::both_lose;
use crate::encoding::{character, decode};
use crate::fault::LossKind;
use crate::split::Splitter;
use crate::tags::TagIndex;
use crate::tree::GameTree;
use crate::variant::VariantNames;

/// Number of occurrences of each word.
pub(super) type Words = HashMap<String, usize>;

/// A position with all that belongs to it.
type FullPosition = (Position, Extra, Rules);

/// Whether a search reads all positions of a text in its repaired text. A repair may read a
/// move that was not read before; the moves after it were read wrongly, and follow it now.
pub(super) fn keeps_positions(before: &[u8], after: &[u8], variants: &VariantNames) -> bool {
    let [before, after] = [before, after].map(|text| readings(text, variants));
    let original: HashSet<FullPosition> =
        before.iter().flat_map(|game| &game.steps).map(|step| step.place).collect();
    let (mut counts, mut gains, mut others) = (HashMap::new(), HashSet::new(), HashMap::new());
    for GameReading { steps, .. } in &after {
        for step in steps {
            if !original.contains(&step.place) {
                gains.insert(steps[step.parent].place);
                // Targets of the moves that were not read before.
                *others.entry(step.target).or_insert(0_usize) += 1;
            }
            *counts.entry(step.place).or_insert(0_usize) += 1;
        }
    }
    let n_moves =
        |games: &[GameReading]| games.iter().map(|game| game.steps.len() - 1).sum::<usize>();
    let is_more = n_moves(&after) > n_moves(&before);
    let mut keeps = true;
    for GameReading { steps, is_game, n_sure } in &before {
        let mut is_other = vec![false; steps.len()];
        for (node, step) in steps.iter().enumerate() {
            let count = counts.get_mut(&step.place);
            let is_start = node == 0;
            if let Some(count) = count.filter(|count| is_start || **count > 0) {
                *count = count.saturating_sub(1);
                continue;
            }
            // The same word is read as a move after another one.
            is_other[node] = !is_start
                && (is_other[step.parent] || gains.contains(&steps[step.parent].place))
                && take(&mut others, &step.target);
            keeps &= is_other[node] || !is_game || node >= *n_sure && is_more;
        }
    }
    keeps
}

/// A game as a search reads it.
struct GameReading {
    /// Positions in the order of the text, except for that after a `0-0` which is the result.
    steps: Vec<ReachedPosition>,
    /// Whether it has tags or moves: a text that is no game may look like one without them.
    is_game: bool,
    /// Number of positions before a comment with the tags of another game. Those after it may be
    /// lost if more are gained: they are of a third game.
    n_sure: usize,
}

/// A position, and how it was reached.
struct ReachedPosition {
    place: FullPosition,
    /// Index of the position before; 0 for the first one.
    parent: usize,
    target: Option<Target>,
}

/// Piece, file and rank of a move, as they are in a word that either side plays; rank 0 for castling.
type Target = (Role, u8, u8);

fn target(tree: &GameTree, node: usize) -> Option<Target> {
    let mv = tree.move_to(node)?;
    let to = mv.to();
    let rank = if mv.is_castle() { 0 } else { to.rank() };
    Some((mv.role(), to.file(), rank))
}

/// Reads the games of a text, except for those that a search leaves out. Text after a result in a
/// variation, or with move numbers that continue the game before, is no game of its own.
fn readings(text: &[u8], variants: &VariantNames) -> Vec<GameReading> {
    let (mut index, mut tree, mut buffer) = (TagIndex::default(), GameTree::default(), Vec::new());
    let (mut is_open, mut due) = (false, 0);
    let mut all = Vec::new();
    for raw in Splitter::starting_at(0, 1).split(text, true) {
        let text = raw.clean_text(&mut buffer);
        index.scan(text);
        let tags = index.tags(text);
        let variant = variants.variant_of(tags);
        let mut losses = raw.losses.iter();
        let swallowed = losses.find(|loss| loss.kind == LossKind::TagsInComment);
        let n_sure = swallowed.map_or(usize::MAX, |loss| {
            let mut index = TagIndex::default();
            // Without the bytes that a search removes, the text may be shorter.
            let end = loss.offset.saturating_sub(raw.offset) as usize;
            let text = &text[..end.min(text.len())];
            index.scan(text);
            tree.parse_as(index.tags(text), variant);
            tree.len()
        });
        tree.parse_as(tags, variant);
        is_open = is_open && late::closes(&raw);
        if late::goes_on(&raw, due) {
            continue;
        }
        due = late::number_due(&tree);
        let is_left_out = raw.is_skipped()
            || tree.impossible_start(tags).is_some()
            || tree.rules_read(tags, variant).variant().is_none();
        if !is_open && !is_left_out {
            // A search takes this `0-0` for castling, the tags for the result.
            let last = tree.move_to(tree.len() - 1);
            let is_result = last.is_some_and(Move::is_castle) && both_lose(tags);
            let step = |node: usize| ReachedPosition {
                place: (tree.positions()[node], tree.extra(node), tree.rules()),
                parent: tree.parent(node),
                target: target(&tree, node),
            };
            let steps = (0..tree.len() - usize::from(is_result)).map(step).collect();
            all.push(GameReading { steps, is_game: tree.len() > 1 || !lacks_tags(&raw), n_sure });
        }
        is_open |= tree.is_open();
    }
    all
}

/// Whether a repaired text has every word of the original at least as often, except for the words
/// that are spelled in another way there.
pub(super) fn keeps_words(before: &[u8], after: &[u8], mut respelled: Words) -> bool {
    let mut counts: HashMap<Cow<'_, str>, usize> = HashMap::new();
    for (_, word) in words(after) {
        *counts.entry(word).or_default() += 1;
    }
    let mut missing = words(before);
    missing.retain(|(_, word)| !take(&mut counts, &**word) && !take(&mut respelled, &**word));
    // The remaining words may be parts of words that were cut, as `1e4` is.
    missing.iter().all(|(_, word)| takes_parts(&mut counts, word, 2))
}

/// Takes one out of those that are there.
fn take<K: Borrow<Q> + Eq + Hash, Q: Eq + Hash + ?Sized>(
    counts: &mut HashMap<K, usize>,
    one: &Q,
) -> bool {
    let count = counts.get_mut(one).filter(|count| **count > 0);
    count.map(|count| *count -= 1).is_some()
}

/// Removes the parts of a word from the counts, if at most `n_cuts` cuts divide it into words that
/// are there.
fn takes_parts(counts: &mut HashMap<Cow<'_, str>, usize>, word: &str, n_cuts: u32) -> bool {
    const LONGEST: usize = 64;
    if word.len() > LONGEST {
        return false;
    }
    take(counts, word)
        || n_cuts > 0
            && word.char_indices().skip(1).any(|(at, _)| {
                let (head, rest) = word.split_at(at);
                if !take(counts, head) {
                    return false;
                }
                let is_whole = takes_parts(counts, rest, n_cuts - 1);
                if !is_whole && let Some(count) = counts.get_mut(head) {
                    *count += 1;
                }
                is_whole
            })
}

/// Counts the words of a text that edits spell in another way.
pub(super) fn note_respelled(text: &[u8], edits: &[Edit], respelled: &mut Words) {
    let mut edits = edits.iter().filter(|edit| edit.respells).peekable();
    if edits.peek().is_none() {
        return;
    }
    for (range, word) in words(text) {
        while edits.next_if(|edit| edit.range.end <= range.start).is_some() {}
        if edits.peek().is_some_and(|edit| edit.range.start < range.end) {
            *respelled.entry(word.into_owned()).or_default() += 1;
        }
    }
}

/// Returns the words of a text, made of letters and digits, with their ranges.
fn words(text: &[u8]) -> Vec<(Range<usize>, Cow<'_, str>)> {
    let mut all: Vec<Range<usize>> = Vec::new();
    let mut is_in_word = false;
    let mut see = |character: char, range: Range<usize>| {
        if character.is_alphanumeric() {
            match all.last_mut().filter(|_| is_in_word) {
                Some(word) => word.end = range.end,
                None => all.push(range),
            }
        }
        is_in_word = character.is_alphanumeric();
    };
    let mut at = 0;
    for chunk in text.utf8_chunks() {
        for (place, character) in chunk.valid().char_indices() {
            let start = at + place;
            see(character, start..start + character.len_utf8());
        }
        at += chunk.valid().len();
        for &byte in chunk.invalid() {
            see(character(byte), at..at + 1);
            at += 1;
        }
    }
    let words = all.into_iter();
    words.map(|range| (range.clone(), decode(&text[range]))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_that_are_lost() {
        let check = |before: &str, after: &str, keeps: bool| {
            let [before, after] = [before, after].map(|moves| format!("[White \"W\"]\n\n{moves}"));
            let variants = VariantNames::default();
            let kept = keeps_positions(before.as_bytes(), after.as_bytes(), &variants);
            assert_eq!(kept, keeps, "{before} {after}");
        };
        check("1. e4 e5 *", "1. e4 e5 *", true);
        check("1. e4 e5 *", "1. e4 {e5} *", false);
        check("1. e4 x e5 *", "1. e4 {x e5} *", false);
        check("1. e4 (1. d4) e5 *", "1. e4 {(1. d4)} e5 *", false);
        check("1. e4 (1. d4) (1. d4) *", "1. e4 (1. d4) *", false);
        check("1. e4 *", "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *", false);
        // A word has become a move.
        check("1. e4 Sf6 e5 *", "1. e4 Nf6 2. e5 *", true);
        check("1. e4 e5 2. Sf3 Nc3 *", "1. e4 {e5 2. Sf3 Nc3} *", false);
        check("1. e4 a6 *", "{1. e4 a6} 1. d4 d5 *", false);
        // One that ends the game is none.
        check("1. e4 a6 B4. Nf3 Nf6 *", "1. e4 a6 2. b4 {Nf3 Nf6} *", false);
        // Text after a result in a variation is no game.
        check("1. e4 (1. d4 1-0 d5) e5 *", "1. e4 (1. d4 {1-0} d5) e5 *", true);
        check("1. e4 1-0\n\n1. d4 *", "1. e4 {1-0 1. d4} *", false);
        check("1. e4 (1. d4 1-0\n\n1. e4 c5 *", "1. e4 (1. d4 {1-0} 1. e4) {c5} *", false);
        check("1. e4 e5 (1... c5 1-0\n\n) 2. f4 *", "1. e4 e5 (1... c5 {1-0}) 2. f4 *", true);
        // A comment has the tags of another game.
        let swallowed = "1. e4 {x\n\n[Event \"a\"]\n\n1. d4 d5 *\n\n[Event \"b\"]\n\n1. c4 } c5 *";
        let closed = swallowed.replace("{x", "{x} *");
        check(swallowed, &closed, true);
        check(swallowed, "1. e4 {x} *\n\n[Event \"a\"]\n\n*", false);
        check(swallowed, "1. d4 d5 *\n\n[Event \"a\"]\n\n1. c4 c5 *", false);
        // A game without moves has a start, unless it has no tags either.
        check("*", "[FEN \"4k3\"]\n\n*", false);
        check("1. e4 *\n\nx *", "1. e4 {* x} *", true);
        // A search leaves a game of an unknown variant out whose moves it does not understand.
        check("1. e4 Ke6 *", "[Variant \"zz\"]\n\n1. e4 Ke6 *", false);
        check("1. e4 e5 *", "[Variant \"Bughouse\"]\n\n1. e4 e5 *", false);
    }

    #[test]
    fn words_that_are_lost() {
        let check = |before: &str, after: &str, keeps: bool| {
            let kept = keeps_words(before.as_bytes(), after.as_bytes(), Words::new());
            assert_eq!(kept, keeps, "{before} {after}");
        };
        check("e4 M\u{fc}ller", "{M\u{fc}ller} e4", true);
        check("e4 e4", "e4", false);
        check("1e4 $1x", "1.e4 $1 {x}", true);
        check("e4 e5 1e4", "e4 e5 1", false);
        check("e4", "e5", false);
        assert!(keeps_words(b"M\xfcller", "Müller".as_bytes(), Words::new()));
        let (text, mut respelled) = ("Sf6 Sf6", Words::new());
        let mut edit = Edit::replace(0..1, "N");
        note_respelled(text.as_bytes(), std::slice::from_ref(&edit), &mut respelled);
        assert!(respelled.is_empty());
        edit.respells = true;
        note_respelled(text.as_bytes(), &[edit], &mut respelled);
        assert!(keeps_words(text.as_bytes(), b"Nf6 Sf6", respelled.clone()));
        assert!(!keeps_words(text.as_bytes(), b"Nf6 Nf6", respelled));
    }
}

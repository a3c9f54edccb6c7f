//! Copies moves line by line if their text is already in the form in which they are written.
//!
//! Programs agree on how moves are written, except for blanks, line ends and mate, which not all of
//! them distinguish from check: the last move is always composed. Whether a text has its moves in
//! this form is found out by composing them. A caller that stores the answer, as archives do, saves
//! that work each time the game is found.

use board::san_followed;
use memchr::{memchr, memchr_iter, memrchr, memrchr3};

use super::{Phrase, move_number};
use crate::tags::TextTags;
use crate::tree::GameTree;

/// Tests whether a text has its moves in the form in which they are written, with reusable memory.
#[derive(Debug, Default)]
pub struct Verbatim {
    line: Vec<u8>,
}

impl Verbatim {
    /// Whether [`write_game`](super::write_game) writes the words after the tags as the text of a
    /// game has them, including numbers and result, except for the last move. `tree` must be that
    /// of the text.
    #[must_use]
    pub fn is_as_written(&mut self, tags: TextTags<'_>, tree: &GameTree) -> bool {
        let is_bare = tree.is_linear() && !tree.has_notes() && tree.rules().are_of_chess();
        let (moves, result) = split_result(tags.moves());
        if !is_bare || result != tree.result().as_str().as_bytes() {
            return false;
        }
        self.line.clear();
        put_in_one_line(moves, &mut self.line);
        let (mut rest, mut force) = (self.line.as_slice(), true);
        // The last move is not compared.
        let nodes = 1..tree.len() - usize::from(tree.len() > 1);
        for (node, (mv, [before, after])) in (1..).zip(tree.moves_of_line(nodes)) {
            let san = san_followed(before, mv, after, || tree.move_of_line(node + 1)).into();
            let phrase = Phrase::new(move_number(before, force), san);
            match phrase.strip_from(rest) {
                Some(behind) => (rest, force) = (behind, false),
                None => return false,
            }
        }
        // The last move may have a number. A number after it is no move.
        match rest.split_last() {
            None => tree.len() == 1,
            Some((last, word)) => tree.len() > 1 && *last == b' ' && !word.contains(&b' '),
        }
    }
}

/// The words of moves whose text is copied.
pub(super) struct Words {
    line: Vec<u8>,
    /// Offset of the next word.
    at: usize,
}

impl Words {
    pub(super) fn of_text(text: &[u8]) -> Words {
        let (moves, _) = split_result(text);
        let mut line = Vec::with_capacity(moves.len() + 1);
        put_in_one_line(moves, &mut line);
        Words { line, at: 0 }
    }

    /// Returns the next `n_moves` moves with their numbers, each followed by a blank.
    pub(super) fn take(&mut self, n_moves: usize) -> &[u8] {
        let rest = &self.line[self.at..];
        let taken = match n_moves.checked_sub(1) {
            None => &[],
            Some(last) => {
                let last = memchr_iter(b' ', rest).nth(last);
                last.map_or(rest, |last| &rest[..=last])
            }
        };
        self.at += taken.len();
        taken
    }

    /// Returns all remaining moves except the last one.
    pub(super) fn take_but_last(&mut self) -> &[u8] {
        let rest = &self.line[self.at..];
        let last = memrchr(b' ', &rest[..rest.len().saturating_sub(1)]);
        let taken = &rest[..last.map_or(0, |blank| blank + 1)];
        self.at += taken.len();
        taken
    }
}

/// Splits a text into its moves and its last word, which is the result.
fn split_result(text: &[u8]) -> (&[u8], &[u8]) {
    let text = text.trim_ascii_end();
    let start = memrchr3(b' ', b'\n', b'\r', text).map_or(0, |blank| blank + 1);
    text.split_at(start)
}

/// Appends the lines of moves as one line with a blank after each word, without the blanks after
/// the dots of numbers: `1.e4 e5 2.Nf3 `.
fn put_in_one_line(moves: &[u8], line: &mut Vec<u8>) {
    // Nearly always, the first number shows how all numbers are written.
    let dot = memchr(b'.', moves).unwrap_or(moves.len());
    let has_gaps = moves[dot..].iter().find(|&&byte| byte != b'.') == Some(&b' ');
    let mut rest = moves.trim_ascii();
    while !rest.is_empty() {
        let end = memchr(b'\n', rest).unwrap_or(rest.len());
        let mut words = rest[..end].trim_ascii_end();
        rest = rest[end..].trim_ascii_start();
        while has_gaps && let Some(dot) = memchr(b'.', words) {
            line.extend_from_slice(&words[..=dot]);
            words = &words[dot + 1..];
            words = words.strip_prefix(b" ").unwrap_or(words);
        }
        line.extend_from_slice(words);
        // A number may be the last word of a line.
        if !line.ends_with(b".") {
            line.push(b' ');
        }
    }
}

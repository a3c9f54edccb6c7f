//! Writes evaluations into the text of a game, which otherwise stays as it is.
//!
//! An [`EvalPlace`] is where the evaluation of a position belongs: in the comment right after its
//! move, in a new comment there, or in place of an older evaluation.

use std::borrow::Cow;
use std::ops::Range;

use crate::command::{Evaluation, command_range, evaluation};
use crate::comment::Comment;
use crate::split::RawGame;
use crate::tags::{TagIndex, TextTags};
use crate::tree::GameTree;
use crate::variant::Variant;

/// Place of an evaluation in the text of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalPlace {
    /// Bytes of the text that the evaluation replaces.
    range: Range<usize>,
    before: &'static str,
    after: &'static str,
}

/// Ends of the moves in the text of a game, by node.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MoveEnds(Vec<usize>);

impl GameTree {
    /// Reads the moves as [`GameTree::parse_as`] does, and returns where they end in the text.
    pub fn parse_for_evaluations(&mut self, tags: TextTags<'_>, variant: Variant) -> MoveEnds {
        MoveEnds(self.parse_with_ends(tags, variant))
    }

    /// Returns the evaluation in the comments of a node.
    #[must_use]
    pub fn evaluation(&self, text: &[u8], node: usize) -> Option<Evaluation> {
        self.comments_backward(text, node).find_map(|comment| evaluation(&comment))
    }

    /// Returns the ranges of the comments of a node in the text, without their braces.
    fn comment_ranges(&self, node: usize) -> impl DoubleEndedIterator<Item = Range<usize>> {
        self.comments_at(node).filter_map(|comment| match comment {
            Comment::Text { start, len } => Some(start as usize..start as usize + len as usize),
            _ => None,
        })
    }
}

impl MoveEnds {
    /// Returns the place for the evaluation of a node: that of its present evaluation, if it has
    /// one. `text` and `tree` are those that were read. `None` if the game has no movetext.
    #[must_use]
    pub fn place(&self, text: &[u8], tree: &GameTree, node: usize) -> Option<EvalPlace> {
        let inside = |range: Range<usize>| EvalPlace { range, before: "", after: "" };
        for comment in tree.comment_ranges(node).rev() {
            if evaluation(&text[comment.clone()]).is_some()
                && let Some(old) = command_range(&text[comment.clone()], "eval")
            {
                return Some(inside(comment.start + old.start..comment.start + old.end));
            }
        }
        let end = *self.0.get(node)?;
        let mut comments = tree.comment_ranges(node);
        let is_next = |comment: &Range<usize>| {
            let between = text.get(end..comment.start.saturating_sub(1));
            between.is_some_and(|between| between.trim_ascii().is_empty())
        };
        if let Some(comment) = comments.find(is_next) {
            let words = text[comment.clone()].trim_ascii_start();
            let start = comment.end - words.len();
            let after = if words.is_empty() { "" } else { " " };
            return Some(EvalPlace { range: start..start, before: "", after });
        }
        let (before, after) = match text.get(end) {
            // Without a word after the tags, a comment would become part of them.
            None if node == 0 => return None,
            _ if node == 0 => ("{", "} "),
            Some(b' ' | b'\t' | b'\r' | b'\n' | b')') | None => (" {", "}"),
            Some(_) => (" {", "} "),
        };
        Some(EvalPlace { range: end..end, before, after })
    }
}

/// Whether a game is read as before, and with all evaluations, once they are at these places of
/// nodes. `tree` is the game as it is.
///
/// It is not if the game has no tags, since the brackets then make its moves a text before the tags,
/// or if a brace is part of a word.
#[must_use]
pub fn can_have_evaluations(
    raw: &RawGame<'_>,
    tree: &GameTree,
    variant: Variant,
    places: &[(EvalPlace, usize)],
) -> bool {
    let places_of_values = places.iter().map(|(place, _)| (place.clone(), Evaluation::Mate(1)));
    let text = with_evaluations(raw.text, &places_of_values.collect::<Vec<_>>());
    let new = RawGame::of(&text);
    let (mut buffer, mut index, mut new_tree) =
        (Vec::new(), TagIndex::default(), GameTree::default());
    let clean = new.clean_text(&mut buffer);
    index.scan_game(&new, clean);
    new_tree.parse_as(index.tags(clean), variant);
    new.text.len() == text.len()
        && new_tree.positions() == tree.positions()
        && new_tree.result() == tree.result()
        && (0..tree.len()).all(|node| new_tree.nags(node) == tree.nags(node))
        && places.iter().all(|&(_, node)| new_tree.evaluation(clean, node).is_some())
}

/// Returns the text of a game with evaluations, in the form `[%eval 0.17]`.
#[must_use]
pub fn with_evaluations<'t>(
    text: &'t [u8],
    evaluations: &[(EvalPlace, Evaluation)],
) -> Cow<'t, [u8]> {
    if evaluations.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut places: Vec<_> = evaluations.iter().collect();
    places.sort_by_cached_key(|(place, _)| place.range.start);
    let mut out = Vec::with_capacity(text.len() + 20 * places.len());
    let mut at = 0;
    for (EvalPlace { range, before, after }, value) in places {
        out.extend_from_slice(text.get(at..range.start).unwrap_or_default());
        out.extend_from_slice(format!("{before}[%eval {value}]{after}").as_bytes());
        at = range.end;
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the moves of a game in which the node `n` of the main line, or of the whole tree,
    /// has the evaluation `n` / 100.
    fn evaluated(moves: &str, all: bool) -> String {
        let head = "[Event \"e\"]\n\n";
        let text = format!("{head}{moves}");
        let raw = RawGame::of(text.as_bytes());
        let (mut buffer, mut index, mut tree) =
            (Vec::new(), TagIndex::default(), GameTree::default());
        let clean = raw.clean_text(&mut buffer);
        index.scan_game(&raw, clean);
        let tags = index.tags(clean);
        let ends = tree.parse_for_evaluations(tags, Variant::Standard);
        let mut fast = GameTree::default();
        fast.parse_as(tags, Variant::Standard);
        assert_eq!(fast.positions(), tree.positions(), "{moves}");
        assert_eq!(ends.0.len(), tree.len(), "{moves}");
        let line: Vec<usize> = if all {
            (0..tree.len()).collect()
        } else {
            std::iter::successors(Some(0), |&node| tree.next(node)).collect()
        };
        let value = |node: usize| Evaluation::Centipawns(node as i32);
        let notes: Vec<_> = (line.iter())
            .map(|&node| (ends.place(clean, &tree, node).expect("a place"), value(node)))
            .collect();
        let new = with_evaluations(raw.text, &notes).into_owned();
        let raw = RawGame::of(&new);
        let mut buffer = Vec::new();
        let clean = raw.clean_text(&mut buffer);
        index.scan_game(&raw, clean);
        tree.parse_as(index.tags(clean), Variant::Standard);
        assert_eq!(fast.positions(), tree.positions(), "{moves}");
        assert_eq!(fast.result(), tree.result(), "{moves}");
        for node in 0..tree.len() {
            assert_eq!(fast.nags(node), tree.nags(node), "{moves}");
            let is_noted = line.contains(&node);
            assert_eq!(tree.evaluation(clean, node), is_noted.then(|| value(node)), "{moves}");
        }
        String::from_utf8_lossy(&new[head.len()..]).into_owned()
    }

    #[test]
    fn evaluations_are_in_the_comment_right_after_a_move() {
        for (moves, expected) in [
            ("*", "{[%eval 0.00]} *"),
            ("1.e4 e5 *", "{[%eval 0.00]} 1.e4 {[%eval 0.01]} e5 {[%eval 0.02]} *"),
            ("{ a } 1.e4 { b} *", "{ [%eval 0.00] a } 1.e4 { [%eval 0.01] b} *"),
            ("{} 1.e4 { }*", "{[%eval 0.00]} 1.e4 { [%eval 0.01]}*"),
            ("% x\n1.e4 1-0", "% x\n{[%eval 0.00]} 1.e4 {[%eval 0.01]} 1-0"),
            (
                "1.e4!? $13 {a} (1.d4? d5) {b}\n1... e5+- 2.Nf3 1/2-1/2",
                "{[%eval 0.00]} 1.e4!? $13 {[%eval 0.01] a} (1.d4? d5) {b}\n1... e5+- \
                 {[%eval 0.04]} 2.Nf3 {[%eval 0.05]} 1/2-1/2",
            ),
            (
                "1.e4 (1.d4) {b} e5 ; c\n *",
                "{[%eval 0.00]} 1.e4 {[%eval 0.01]} (1.d4) {b} e5 {[%eval 0.03]} ; c\n *",
            ),
            (
                "1.e4 e5 2.Qh5 Ke9 *",
                "{[%eval 0.00]} 1.e4 {[%eval 0.01]} e5 {[%eval 0.02]} 2.Qh5 {[%eval 0.03]} Ke9 *",
            ),
            (
                "1.f3 e5 2.g4 Qh4# 0-1",
                "{[%eval 0.00]} 1.f3 {[%eval 0.01]} e5 {[%eval 0.02]} 2.g4 {[%eval 0.03]} Qh4# {[%eval 0.04]} 0-1",
            ),
        ] {
            assert_eq!(evaluated(moves, false), expected);
        }
        let got = evaluated("1.e4 (1.d4 $1 {x} (1.c4)) e5 *", true);
        let expected = "{[%eval 0.00]} 1.e4 {[%eval 0.01]} (1.d4 $1 {[%eval 0.02] x} (1.c4 \
                        {[%eval 0.03]})) e5 {[%eval 0.04]} *";
        assert_eq!(got, expected);
    }

    #[test]
    fn signs_belong_to_their_move() {
        for moves in [
            "1.e4! e5?! 2.Nf3+ Nc6 # 3.Bb5 += $14 $5 3... a6 = 4.O-O Nf6 D 5.Re1 N *",
            "1.e4 d5 2.e5 f5 3.exf6e.p. e5 4.fxg7 e4 5.gxh8=Q!! 1-0",
            "1. e4 {a {nested} b} e5 {x} {y} 2. Nf3 ( 2. Nc3 ) ( 2. f4 ) 2... Nc6",
            "1.e2-e4 Ng8-f6 2.e4e5 -- 3.Nf3~ Z0 4.d4 *",
            "1.e4\r\ne5\r\n2.Nf3{[%clk 0:03:00]}Nc6 *",
        ] {
            evaluated(moves, false);
            evaluated(moves, true);
        }
    }

    #[test]
    fn an_older_evaluation_is_replaced() {
        let moves = "1.e4 {good [%eval 9.17,12] [%clk 0:01:00]} e5 {[%eval x]} *";
        let expected = "{[%eval 0.00]} 1.e4 {good [%eval 0.01] [%clk 0:01:00]} e5 \
                        {[%eval 0.02] [%eval x]} *";
        assert_eq!(evaluated(moves, false), expected);
    }
}

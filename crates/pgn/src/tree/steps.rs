//! The way through a game in the order of its text, in and out of variations.

use super::GameTree;

/// A step on the way through a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeStep {
    /// A move: the node that it leads to.
    Move(usize),
    /// A variation to the last move of the line begins: its number.
    Open(usize),
    /// The variation that was opened last ends.
    Close,
}

/// An iterator over the steps of a game, made by [`GameTree::steps`].
#[derive(Clone, Debug)]
pub struct Steps<'t> {
    tree: &'t GameTree,
    line: Line,
    /// The lines around it. Variations may be nested as deep as the text is long: no recursion.
    outer: Vec<Line>,
}

/// A line that is being walked along.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// Its next move.
    next: Option<usize>,
    /// The next variation to its last move.
    variation: Option<usize>,
}

impl Line {
    fn starting_at(first: Option<usize>) -> Line {
        Line {
            next: first,
            variation: None,
        }
    }
}

impl GameTree {
    /// All moves and variations, in the order of the text. The start itself is no step.
    pub fn steps(&self) -> Steps<'_> {
        Steps {
            tree: self,
            line: Line::starting_at(self.next(0)),
            outer: Vec::new(),
        }
    }
}

impl Iterator for Steps<'_> {
    type Item = TreeStep;

    fn next(&mut self) -> Option<TreeStep> {
        if let Some(variation) = self.line.variation {
            self.line.variation = self.tree.next_variation(variation);
            self.outer.push(self.line);
            self.line = Line::starting_at(self.tree.variation_start(variation));
            return Some(TreeStep::Open(variation));
        }
        if let Some(node) = self.line.next {
            self.line.next = self.tree.next(node);
            self.line.variation = self.tree.first_variation(node);
            return Some(TreeStep::Move(node));
        }
        self.line = self.outer.pop()?;
        Some(TreeStep::Close)
    }
}

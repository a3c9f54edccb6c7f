//! Iterates over a game in the order of its text, in and out of variations.

use super::GameTree;

/// A step of the iteration over a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TreeStep {
    /// A move, with the node that it leads to.
    Move(usize),
    /// The start of a variation to the last move of the line, with its number.
    Open(usize),
    /// The end of the variation that was opened last.
    Close,
}

/// An iterator over the steps of a game, made by [`GameTree::steps`].
#[derive(Clone, Debug)]
pub struct Steps<'t> {
    tree: &'t GameTree,
    line: Line,
    /// The lines around the current one. Variations may be nested as deep as the text is long: no
    /// recursion.
    outer: Vec<Line>,
}

/// A line with the place reached in it.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The next move of the line.
    next: Option<usize>,
    /// The next variation to the last move of the line.
    variation: Option<usize>,
}

impl Line {
    fn starting_at(first: Option<usize>) -> Line {
        Line { next: first, variation: None }
    }
}

impl GameTree {
    /// Returns all moves and variations, in the order of the text. The start itself is no step.
    pub fn steps(&self) -> Steps<'_> {
        Steps { tree: self, line: Line::starting_at(self.next(0)), outer: Vec::new() }
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

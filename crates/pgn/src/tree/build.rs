//! Builds trees move by move, from any source of moves.
//!
//! A builder has a current node, as a reader does: moves continue from there, and a variation
//! starts before the last move. It knows no text, and does not check its input.

use board::{Move, Position, Rules, Start};

use super::{CommentOwner, GameTree, Link, Node, Notes, POSITION_LIMIT, Stop, Variation};
use crate::comment::Comment;
use crate::values::GameResult;

impl GameTree {
    /// Begins another game in this tree, replacing its contents. `has_fen` is set if a FEN tag
    /// gives the start position, even if that is the normal one.
    ///
    /// ```
    /// use board::{Start, resolve_pawn, Square};
    /// use pgn::{GameResult, GameTree, Stop};
    ///
    /// let mut tree = GameTree::default();
    /// let mut builder = tree.build(Start::normal(false), false);
    /// for name in [b"e4", b"e5"] {
    ///     let to = Square::parse(name).expect("a square");
    ///     let mv = resolve_pawn(builder.position(), Some(to.file()), None, to, None);
    ///     builder.push(mv.expect("a legal move"))?;
    /// }
    /// builder.finish(GameResult::Draw);
    /// assert_eq!(tree.len(), 3);
    /// # Ok::<(), Stop>(())
    /// ```
    #[inline]
    pub fn build(&mut self, start: Start, has_fen: bool) -> TreeBuilder<'_> {
        self.reset(start, has_fen);
        TreeBuilder::new(self)
    }
}

/// A builder of a tree, from [`GameTree::build`].
#[derive(Debug)]
pub struct TreeBuilder<'t> {
    pub(crate) tree: &'t mut GameTree,
    /// The node reached.
    pub(crate) point: u32,
    /// Whether the current line has a move.
    pub(crate) in_line: bool,
}

impl<'t> TreeBuilder<'t> {
    /// Creates a builder at the start of a tree that has no moves.
    pub(crate) fn new(tree: &'t mut GameTree) -> TreeBuilder<'t> {
        TreeBuilder { tree, point: 0, in_line: false }
    }

    /// Returns the position reached.
    #[inline(always)]
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.tree.positions[self.point as usize]
    }

    /// Returns the node reached.
    #[inline]
    #[must_use]
    pub fn node(&self) -> usize {
        self.point as usize
    }

    /// Whether a variation is open.
    #[must_use]
    pub fn is_in_variation(&self) -> bool {
        !self.tree.open.is_empty()
    }

    /// Plays a move without checking it, as [`Position::play`] does.
    ///
    /// # Errors
    /// [`Stop::TooLong`] if there are [`POSITION_LIMIT`] positions.
    #[inline(always)]
    pub fn push(&mut self, mv: Move) -> Result<(), Stop> {
        match self.tree.rules {
            Rules::Chess => self.push_reaching(mv, &self.position().play(mv)),
            _ => self.push_of_variant(mv),
        }
    }

    /// Plays a move as [`TreeBuilder::push`] does, in a game of chess, if the next position is
    /// known.
    #[inline(always)]
    pub(crate) fn push_reaching(&mut self, mv: Move, next: &Position) -> Result<(), Stop> {
        let node = self.tree.nodes.len();
        if node >= POSITION_LIMIT {
            return Err(Stop::TooLong);
        }
        self.tree.nodes.push(Node::new(mv));
        self.arrive(node, *next);
        Ok(())
    }

    /// Plays consecutive moves, as [`TreeBuilder::push`] does each of them.
    pub(crate) fn push_line(
        &mut self,
        moves: impl ExactSizeIterator<Item = Move> + Clone,
    ) -> Result<(), Stop> {
        let tree = &mut *self.tree;
        let is_simple = tree.rules == Rules::Chess && tree.links.is_empty();
        if !is_simple || tree.nodes.len() + moves.len() > POSITION_LIMIT {
            return moves.into_iter().try_for_each(|mv| self.push(mv));
        }
        // The position remains in registers, and the written positions are not read again.
        let mut position = tree.positions[self.point as usize];
        self.in_line |= moves.len() > 0;
        tree.nodes.extend(moves.clone().map(Node::new));
        tree.positions.extend(moves.map(|mv| {
            position = position.play(mv);
            position
        }));
        self.point = tree.nodes.len() as u32 - 1;
        Ok(())
    }

    #[cold]
    fn push_of_variant(&mut self, mv: Move) -> Result<(), Stop> {
        let node = self.tree.nodes.len();
        if node >= POSITION_LIMIT {
            return Err(Stop::TooLong);
        }
        let next = self.tree.situation(self.node()).play(mv);
        self.tree.nodes.push(Node::new(mv));
        if self.tree.rules.have_extra() {
            self.tree.extras.push(next.extra);
        }
        if let Some(setup) = next.setup {
            self.tree.rights.push(setup.rights());
        }
        self.arrive(node, next.position);
        Ok(())
    }

    /// Continues from a new node.
    #[inline(always)]
    fn arrive(&mut self, node: usize, next: Position) {
        self.tree.positions.push(next);
        if !self.tree.links.is_empty() {
            self.link(node as u32);
        }
        self.point = node as u32;
        self.in_line = true;
    }

    fn link(&mut self, node: u32) {
        self.tree.links.push(Link { parent: self.point, ..Link::default() });
        if self.in_line || self.tree.open.is_empty() {
            self.tree.links[self.point as usize].next = node;
        } else if let Some(variation) = self.tree.variations.last_mut() {
            // A line without moves is the variation opened last.
            variation.first = node;
        }
    }

    /// Annotates the last move of the line, if there is one. 0 is no annotation.
    pub fn add_nag(&mut self, nag: u8) {
        self.try_add_nag(nag);
    }

    /// Annotates the last move of the line. Returns `false`, without a change, if there is no move,
    /// or if it has the maximum number of glyphs.
    pub(crate) fn try_add_nag(&mut self, nag: u8) -> bool {
        match nag {
            0 => true,
            _ => self.in_line && self.tree.notes_mut(self.point).add_nag(nag),
        }
    }

    /// Puts a comment after the last move, or at the start of the line.
    pub(crate) fn set_comment(&mut self, comment: Comment) {
        let number = self.tree.variations.len() as u32;
        let (place, old) = match self.tree.variations.last_mut() {
            Some(variation) if !self.in_line && !self.tree.open.is_empty() => {
                (CommentOwner::Variation(number - 1), &mut variation.comment)
            }
            _ => {
                let notes = self.tree.notes_mut(self.point);
                (CommentOwner::Node(self.point), &mut notes.comment)
            }
        };
        let old = std::mem::replace(old, comment);
        if old != Comment::None {
            self.tree.earlier.push((place, old));
        }
    }

    /// Begins a variation to the last move of the line.
    ///
    /// # Errors
    /// [`Stop::EarlyVariation`] if the line has no move.
    pub fn open_variation(&mut self) -> Result<(), Stop> {
        if !self.in_line {
            return Err(Stop::EarlyVariation);
        }
        if self.tree.links.is_empty() {
            self.tree.make_links();
        }
        let replaced = self.point;
        self.tree.add_variation(replaced);
        self.tree.open.push(replaced);
        self.point = self.tree.links[replaced as usize].parent;
        self.in_line = false;
        Ok(())
    }

    /// Ends the variation opened last, and continues after the move that it replaces. Returns
    /// `false`, without a change, if none is open.
    pub fn close_variation(&mut self) -> bool {
        let replaced = self.tree.open.pop();
        if let Some(replaced) = replaced {
            self.point = replaced;
            self.in_line = true;
        }
        replaced.is_some()
    }

    /// Ends the game, with the variations that are open.
    pub fn finish(self, result: GameResult) {
        self.tree.result = result;
        self.tree.stop = Stop::Result;
    }

    /// Returns another builder of this tree at the same node.
    pub(crate) fn fork(&mut self) -> TreeBuilder<'_> {
        TreeBuilder { tree: &mut *self.tree, point: self.point, in_line: self.in_line }
    }
}

impl GameTree {
    /// Returns the notes of a node for additions.
    fn notes_mut(&mut self, node: u32) -> &mut Notes {
        let place = &mut self.nodes[node as usize].notes;
        if *place == 0 {
            self.notes.push(Notes::default());
            *place = self.notes.len() as u32;
        }
        &mut self.notes[*place as usize - 1]
    }

    /// Removes moves that were only tried, down to this number of nodes, and the report of an
    /// illegal one. No variation was opened among them.
    pub(crate) fn forget_trial(&mut self, n_nodes: usize) {
        self.nodes.truncate(n_nodes);
        self.positions.truncate(n_nodes);
        self.links.truncate(n_nodes);
        self.rights.truncate(n_nodes);
        self.extras.truncate(n_nodes);
        self.illegal_at = None;
        self.error.clear();
    }

    /// Creates the links between nodes, each of which has followed the one before so far.
    #[cold]
    fn make_links(&mut self) {
        let count = self.nodes.len() as u32;
        self.links.extend((0..count).map(|node| Link {
            parent: node.saturating_sub(1),
            next: if node + 1 < count { node + 1 } else { 0 },
            ..Link::default()
        }));
    }

    /// Adds an empty variation to the move of a node.
    fn add_variation(&mut self, node: u32) {
        self.variations.push(Variation { first: 0, next: 0, comment: Comment::None });
        let number = self.variations.len() as u32;
        let link = &mut self.links[node as usize];
        let last = std::mem::replace(&mut link.last_variation, number);
        if last == 0 {
            link.first_variation = number;
        } else {
            self.variations[last as usize - 1].next = number;
        }
    }
}

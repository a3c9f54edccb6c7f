//! The positions of the current game that are searched, numbered as `positionid` does.

use board::{CastlingSetup, Move, Position};
use pgn::Searched;

/// The searched part of a game tree in pre-order, with ids as the evaluator stores them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Positions<'a> {
    searched: Searched<'a>,
    /// The positions by id, where they lie side by side.
    line: Option<&'a [Position]>,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(searched: Searched<'a>) -> Positions<'a> {
        Positions {
            searched,
            line: searched.positions(),
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> u32 {
        self.searched.len() as u32
    }

    /// Where castling begins, if the game is one of Chess960.
    #[inline]
    pub(crate) fn castling_setup(&self) -> Option<&'a CastlingSetup> {
        let setup = self.searched.castling_setup();
        setup.filter(|setup| setup.is_declared())
    }

    /// The positions by id, if they lie side by side, as in a game without variations.
    #[inline]
    pub(crate) fn line(&self) -> Option<&'a [Position]> {
        self.line
    }

    /// The board, the side to move and the rest of the state.
    #[inline]
    pub(crate) fn position(&self, id: u32) -> &'a Position {
        match self.line {
            Some(line) => &line[id as usize],
            None => self.searched.position(id as usize),
        }
    }

    /// The move that led there; none to the first position.
    #[inline]
    pub(crate) fn mv(&self, id: u32) -> Option<Move> {
        self.searched.move_to(id as usize)
    }

    /// The position before.
    #[inline]
    pub(crate) fn parent(&self, id: u32) -> Option<u32> {
        self.searched.parent(id as usize).map(|id| id as u32)
    }

    /// The first continuation.
    #[inline]
    pub(crate) fn first_child(&self, id: u32) -> Option<u32> {
        (id + 1 < self.end(id)).then_some(id + 1)
    }

    /// The continuations in their order.
    pub(crate) fn children(&self, id: u32) -> impl Iterator<Item = u32> + use<'a> {
        let positions = *self;
        let end = self.end(id);
        std::iter::successors(self.first_child(id), move |&child| {
            let next = positions.end(child);
            (next < end).then_some(next)
        })
    }

    /// Whether one of the moves that follow in the game is such a one.
    #[inline]
    pub(crate) fn goes_on_by(&self, id: u32, is_it: impl Fn(Move) -> bool) -> bool {
        let is_it = |child| self.mv(child).is_some_and(&is_it);
        match self.line {
            Some(line) => id as usize + 1 < line.len() && is_it(id + 1),
            None => self.children(id).any(is_it),
        }
    }

    /// First id behind the position and all that follow from it.
    #[inline]
    pub(crate) fn end(&self, id: u32) -> u32 {
        self.searched.subtree_end(id as usize) as u32
    }

    /// 0 for the first continuation of its parent.
    #[inline]
    pub(crate) fn sibling_index(&self, id: u32) -> u32 {
        self.searched.sibling(id as usize) as u32
    }

    /// Number of moves since the start.
    #[inline]
    pub(crate) fn ply(&self, id: u32) -> u32 {
        self.searched.ply(id as usize) as u32
    }

    /// Number of moves on the way that are not first continuations.
    #[inline]
    pub(crate) fn depth(&self, id: u32) -> u32 {
        self.searched.depth(id as usize) as u32
    }

    /// The node of the game tree.
    pub(crate) fn node(&self, id: u32) -> usize {
        self.searched.node(id as usize)
    }

    /// Whether `ancestor` comes before `descendant` on its way from the start.
    pub(crate) fn is_ancestor(&self, ancestor: u32, descendant: u32) -> bool {
        ancestor < descendant && descendant < self.end(ancestor)
    }

    /// The last position on the ways to both.
    pub(crate) fn lca(&self, a: u32, b: u32) -> u32 {
        let (mut low, high) = (a.min(b), a.max(b));
        while low != high && !self.is_ancestor(low, high) {
            low = self.parent(low).unwrap_or(0);
        }
        low
    }
}

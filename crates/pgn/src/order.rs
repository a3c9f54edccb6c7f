//! Numbers the part of a game that is searched, in pre-order.
//!
//! Positions have the numbers that queries use: the start is 0, and each position is followed by
//! the whole subtree of its first continuation, then by that of the next. Either the main line is
//! searched, or the main line with the variations. For a game without variations the numbering is
//! arithmetic and no table is made.
//!
//! Not every variation is searched: in the reference implementation, queries do not see a variation
//! to the *first* move of a variation, such as `(1...c6)` in `1.e4 e5 (1...c5 (1...c6))`.

use board::{CastlingSetup, Move, Position};

use crate::tree::GameTree;

/// Numbering of the searched positions of a game. Reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct SearchTree {
    len: usize,
    /// Node of each position; empty if both have the same numbers.
    nodes: Vec<u32>,
    /// Links between the positions; empty if they form a single line.
    places: Vec<OrderEntry>,
    pending: Vec<Pending>,
}

#[derive(Clone, Copy, Debug)]
struct OrderEntry {
    parent: u32,
    end: u32,
    ply: u32,
    depth: u32,
    sibling: u32,
}

#[derive(Clone, Copy, Debug)]
struct Pending {
    node: u32,
    parent: u32,
    sibling: u32,
}

impl SearchTree {
    /// Numbers the positions of a game, with or without its variations.
    pub fn build(&mut self, tree: &GameTree, variations: bool) {
        self.nodes.clear();
        self.places.clear();
        self.len = tree.len();
        if tree.is_linear() {
            return;
        }
        if variations {
            self.number_all(tree);
        } else {
            let line = std::iter::successors(Some(0), |&node| tree.next(node));
            self.nodes.extend(line.map(|node| node as u32));
        }
        self.len = self.nodes.len();
    }

    fn number_all(&mut self, tree: &GameTree) {
        self.pending.clear();
        self.pending.push(Pending { node: 0, parent: 0, sibling: 0 });
        while let Some(Pending { node, parent, sibling }) = self.pending.pop() {
            let id = self.nodes.len() as u32;
            let (ply, depth) = match self.places.get(parent as usize) {
                Some(place) => (place.ply + 1, place.depth + u32::from(sibling > 0)),
                None => (0, 0),
            };
            self.nodes.push(node);
            self.places.push(OrderEntry { parent, end: id + 1, ply, depth, sibling });
            let Some(next) = tree.next(node as usize) else {
                continue;
            };
            // The stack returns the last item first.
            let first_pending = self.pending.len();
            let alternatives = tree.variations(next).filter_map(|v| tree.variation_start(v));
            let children = std::iter::once(next).chain(alternatives).zip(0..);
            self.pending.extend(children.map(|(child, sibling)| Pending {
                node: child as u32,
                parent: id,
                sibling,
            }));
            self.pending[first_pending..].reverse();
        }
        for id in (1..self.places.len()).rev() {
            let OrderEntry { parent, end, .. } = self.places[id];
            let parent = &mut self.places[parent as usize];
            parent.end = parent.end.max(end);
        }
    }

    /// Returns the numbering together with the game it was built for.
    #[inline]
    #[must_use]
    pub fn of<'a>(&'a self, tree: &'a GameTree) -> Searched<'a> {
        Searched { order: self, tree }
    }
}

/// The searched positions of a game, by number.
#[derive(Clone, Copy, Debug)]
pub struct Searched<'a> {
    order: &'a SearchTree,
    tree: &'a GameTree,
}

impl<'a> Searched<'a> {
    /// Returns the castling setup in Chess960.
    #[inline]
    #[must_use]
    pub fn castling_setup(self) -> Option<&'a CastlingSetup> {
        self.tree.castling_setup()
    }

    /// Returns the number of positions.
    #[expect(clippy::len_without_is_empty, reason = "there is always the start")]
    #[inline]
    #[must_use]
    pub fn len(self) -> usize {
        self.order.len
    }

    /// Whether each position directly follows the one before.
    #[inline]
    #[must_use]
    pub fn is_line(self) -> bool {
        self.order.places.is_empty()
    }

    /// Returns the game.
    #[inline]
    #[must_use]
    pub fn tree(self) -> &'a GameTree {
        self.tree
    }

    /// Returns the node of a position in the game tree.
    #[inline]
    #[must_use]
    pub fn node(self, id: usize) -> usize {
        if self.order.nodes.is_empty() { id } else { self.order.nodes[id] as usize }
    }

    /// Returns a position.
    #[inline]
    #[must_use]
    pub fn position(self, id: usize) -> &'a Position {
        &self.tree.positions()[self.node(id)]
    }

    /// Returns all positions in order, if they are consecutive in memory: the fast way through a
    /// game without variations.
    #[inline]
    #[must_use]
    pub fn positions(self) -> Option<&'a [Position]> {
        self.order.nodes.is_empty().then_some(self.tree.positions())
    }

    /// Returns the move that led to a position; `None` for the start.
    #[inline]
    #[must_use]
    pub fn move_to(self, id: usize) -> Option<Move> {
        self.tree.move_to(self.node(id))
    }

    /// Returns the position before; `None` for the start.
    #[inline]
    #[must_use]
    pub fn parent(self, id: usize) -> Option<usize> {
        match self.order.places.get(id) {
            _ if id == 0 => None,
            Some(place) => Some(place.parent as usize),
            None => Some(id - 1),
        }
    }

    /// Returns the number of half-moves from the start.
    #[inline]
    #[must_use]
    pub fn ply(self, id: usize) -> usize {
        self.order.places.get(id).map_or(id, |place| place.ply as usize)
    }

    /// Returns the number of moves from the start to the position that are not first continuations.
    #[inline]
    #[must_use]
    pub fn depth(self, id: usize) -> usize {
        self.order.places.get(id).map_or(0, |place| place.depth as usize)
    }

    /// Returns the index of the position among the continuations of its parent, from 0.
    #[inline]
    #[must_use]
    pub fn sibling(self, id: usize) -> usize {
        self.order.places.get(id).map_or(0, |place| place.sibling as usize)
    }

    /// Returns the number after the last position of the subtree that begins here.
    #[inline]
    #[must_use]
    pub fn subtree_end(self, id: usize) -> usize {
        self.order.places.get(id).map_or(self.order.len, |place| place.end as usize)
    }

    /// Returns the continuations of a position.
    #[inline]
    pub fn children(self, id: usize) -> impl Iterator<Item = usize> {
        let end = self.subtree_end(id);
        let first = (id + 1 < end).then_some(id + 1);
        std::iter::successors(first, move |&child| {
            let next = self.subtree_end(child);
            (next < end).then_some(next)
        })
    }

    /// Returns one continuation of a position, counted from 0.
    #[inline]
    #[must_use]
    pub fn child(self, id: usize, sibling: usize) -> Option<usize> {
        self.children(id).nth(sibling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::TagIndex;

    /// Checks numbers, parents, ends, plies, depths and siblings of the positions of a game.
    fn check(moves: &str, variations: bool, want: &str) {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(moves.as_bytes());
        tree.parse(index.tags(moves.as_bytes()));
        let mut order = SearchTree::default();
        order.build(&tree, variations);
        let searched = order.of(&tree);
        let mut got = Vec::new();
        for id in 0..searched.len() {
            let mv = searched.move_to(id).map_or("start".to_owned(), |mv| mv.to_string());
            let children: Vec<_> = searched.children(id).collect();
            for (sibling, &child) in children.iter().enumerate() {
                assert_eq!(searched.parent(child), Some(id));
                assert_eq!(searched.sibling(child), sibling);
                assert_eq!(searched.child(id, sibling), Some(child));
                assert_eq!(searched.ply(child), searched.ply(id) + 1);
                let played = searched.position(id).play(searched.move_to(child).unwrap());
                assert_eq!(*searched.position(child), played);
            }
            assert_eq!(searched.child(id, children.len()), None);
            let deep = "'".repeat(searched.depth(id));
            got.push(format!("{mv}{deep}-{}", searched.subtree_end(id)));
        }
        assert_eq!(got.join(" "), want, "{moves}");
        assert_eq!(searched.parent(0), None);
    }

    #[test]
    fn lines() {
        check("*", true, "start-1");
        check("1.e4 e5 *", true, "start-3 e2e4-3 e7e5-3");
        check("1.e4 e5 *", false, "start-3 e2e4-3 e7e5-3");
        check("1.e4 (1.d4 d5) e5 *", false, "start-3 e2e4-3 e7e5-3");
        check("1.e4 () e5 *", true, "start-3 e2e4-3 e7e5-3");
    }

    #[test]
    fn trees() {
        check("1.e4 (1.d4 d5) (1.c4) e5 *", true, "start-6 e2e4-3 e7e5-3 d2d4'-5 d7d5'-5 c2c4'-6");
        check(
            "1.e4 e5 (1...c5 2.Nf3 (2.c3 d5 (2...Nf6 3.e5) 3.exd5) d6) (1...e6 2.d4) 2.Nf3 Nc6 *",
            true,
            "start-15 e2e4-15 e7e5-5 g1f3-5 b8c6-5 c7c5'-13 g1f3'-8 d7d6'-8 c2c3''-13 d7d5''-11 \
             e4d5''-11 g8f6'''-13 e4e5'''-13 e7e6'-15 d2d4'-15",
        );
    }

    #[test]
    fn alternatives_to_the_first_move_of_a_variation_are_not_searched() {
        check(
            "1.e4 e5 (1...c5 (1...c6 2.d4) 2.Nf3) 2.Nf3 *",
            true,
            "start-6 e2e4-6 e7e5-4 g1f3-4 c7c5'-6 g1f3'-6",
        );
    }

    #[test]
    fn tables_are_reused() {
        let mut order = SearchTree::default();
        for (moves, length) in [("1.e4 (1.d4) *", 3), ("1.e4 e5 *", 3), ("1.d4 *", 2)] {
            let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
            index.scan(moves.as_bytes());
            tree.parse(index.tags(moves.as_bytes()));
            order.build(&tree, true);
            assert_eq!(order.of(&tree).len(), length, "{moves}");
            assert_eq!(order.of(&tree).is_line(), length == tree.len() && tree.is_linear());
        }
    }
}

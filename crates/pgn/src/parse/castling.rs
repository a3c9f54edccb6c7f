//! Resolves castling, which in Chess960 depends on the moves before it.

use board::{Move, castling};

use super::Parser;
use super::written::Kept;

impl Parser<'_> {
    /// Returns castling of the side to move.
    pub(super) fn castling(&self, king_side: bool) -> Option<Move> {
        if !self.build.tree.rules.are_of_chess() {
            return self.situation().find_castling(king_side);
        }
        let normal = || castling(self.pos(), king_side);
        match self.build.tree.setup {
            None => normal(),
            Some(setup) if setup.is_declared() => self.castling_of_setup(king_side),
            // Normal castling takes precedence if the tags do not declare another game.
            Some(_) => normal().or_else(|| self.castling_of_setup(king_side)),
        }
    }

    /// Returns the move, or if there is none the castling that is written as a king move: onto the
    /// rook, as programs write it in Chess960, or to the square that the king reaches.
    #[inline]
    pub(super) fn or_castling(&self, mv: Option<Move>, written: &Kept) -> Option<Move> {
        if mv.is_some() {
            return mv;
        }
        let setup = self.build.tree.setup?;
        let king = setup.king(self.pos().turn)?;
        let to = written.king_target(king)?;
        self.castling_of_setup(setup.side_of_king_move(self.pos(), to)?)
    }

    /// Returns castling of Chess960, if its right is left.
    fn castling_of_setup(&self, king_side: bool) -> Option<Move> {
        if !self.build.tree.rules.are_of_chess() {
            return self.situation().find_castling(king_side);
        }
        let setup = self.build.tree.setup?;
        let node = self.build.node();
        let rights = self.build.tree.rights_of_setup(&setup, node);
        let has_right = rights.has(self.pos().turn, king_side);
        let mv = has_right.then(|| setup.castling(self.pos(), king_side))??;
        // In a game that may be a normal one, normal castling is one move in all its spellings.
        let normal = Move::castle(self.pos().turn, king_side);
        let is_normal = mv.from() == normal.from() && mv.rook_from_to() == normal.rook_from_to();
        Some(if is_normal && !setup.is_declared() { normal } else { mv })
    }
}

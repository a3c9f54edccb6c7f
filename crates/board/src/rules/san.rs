//! Writes moves of variants: drops as `N@f3`, and `#` after every move that decides the game.

use super::kind::Ending;
use super::situation::Situation;
use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::san::{Letters, San, san};
use crate::set::SquareSet;

impl Situation {
    /// Writes a move that is played here.
    #[must_use]
    pub fn san(&self, mv: Move) -> San {
        if self.rules.are_of_chess() {
            return san(&self.position, mv);
        }
        let mut san = Letters::of(&self.position, mv, || self.rivals(mv));
        let next = self.play(mv);
        if matches!(next.ending(), Some(Ending::Win(_))) || next.is_mate() {
            san.push(b'#');
        } else if next.is_check() {
            san.push(b'+');
        }
        san.finish()
    }

    /// Other pieces of the same role that could move to the same square; none for pawns.
    fn rivals(&self, mv: Move) -> SquareSet {
        if mv.role() == Role::Pawn {
            return SquareSet::EMPTY;
        }
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        let is_rival = |other: &Move| {
            (other.role(), other.to()) == (mv.role(), mv.to())
                && other.from() != mv.from()
                && !other.is_drop()
                && !(other.is_castle() && mv.role() == Role::King)
        };
        moves.iter().filter(|mv| is_rival(mv)).map(|mv| mv.from()).collect()
    }
}

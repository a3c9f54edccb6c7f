//! Applies the rules of variants.
//!
//! The rules hold for the whole game. A filter with a meaning in every variant calls these
//! functions if the normal rules do not apply. A filter that would be wrong in a variant gives up
//! the game with a message.

use board::{Ending, Move, MoveList, Position, Situation, Square};
use compiler::limits::Limit;

use super::evaluator::Evaluator;
use super::legal::Generated;

impl Evaluator<'_> {
    /// Returns the current position with its rules. As in the normal game, no en passant capture is
    /// possible at the start.
    #[cold]
    pub(super) fn situation(&self) -> Situation {
        Situation { position: self.for_moves(), ..self.positions.situation(self.at) }
    }

    /// Returns the ending of the game by a rule of its variant, if it has ended.
    pub(super) fn ending(&self) -> Option<Ending> {
        if self.positions.rules().are_of_chess() { None } else { self.situation().ending() }
    }

    /// Evaluates `variant`.
    pub(super) fn variant(&self) -> String {
        match self.positions.castling_setup() {
            Some(_) if self.positions.rules().are_of_chess() => "Chess960".to_owned(),
            _ => self.positions.rules().to_string(),
        }
    }

    /// Whether pieces move and kings are in check as in chess, as a filter requires. If not, gives
    /// up the game.
    pub(super) fn moves_are_of_chess(&mut self, filter: &'static str) -> bool {
        let is_so = self.positions.rules().move_as_chess();
        if !is_so {
            self.exceed(Limit::Rules(filter));
        }
        is_so
    }

    /// Returns the moves possible in the current position.
    pub(super) fn moves_of_variant(&self, pseudo: bool) -> MoveList {
        let mut moves = MoveList::new();
        if pseudo {
            self.situation().pseudolegal_moves(&mut moves)
        } else {
            self.situation().legal_moves(&mut moves)
        }
        moves
    }

    /// Returns the square on which the side to move can capture en passant.
    pub(super) fn en_passant_of_variant(&self) -> Option<Square> {
        let moves = self.moves_of_variant(false);
        let captures = moves.iter().find(|mv| mv.is_en_passant());
        captures.map(|mv| mv.to())
    }

    /// Returns the moves that a filter is about.
    pub(super) fn moves_wanted(&self, wanted: &Generated) -> impl Iterator<Item = Move> + use<> {
        let Generated {
            left,
            right,
            en_passant,
            only_castling,
            position: Position { board, .. },
            ..
        } = *wanted;
        let moves = self.moves_of_variant(wanted.pseudo).into_iter();
        moves.filter(move |mv| {
            let is_victim = || {
                let victim = mv.captured_square(&board).filter(|_| mv.is_en_passant());
                victim.is_some_and(|sq| en_passant.is_none_or(|victims| victims.contains(sq)))
            };
            left.contains(mv.from())
                && right.contains(mv.to())
                && (en_passant.is_none() || is_victim())
                && (!only_castling || mv.is_castle())
        })
    }
}

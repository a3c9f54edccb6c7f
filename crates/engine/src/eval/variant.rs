//! Games of variants: what the evaluator asks of their rules.
//!
//! The rules are those of the whole game. Filters that have a meaning in every variant ask here
//! wherever it is not that of the normal game; of the others, those that would be wrong give the
//! game up with a message.

use board::{Ending, Move, MoveList, Position, Situation, Square};
use compiler::limits::Limit;

use super::evaluator::Evaluator;
use super::legal::Generated;

impl Evaluator<'_> {
    /// The current position with its rules. As for the normal game, no capture en passant is
    /// possible at the start.
    #[cold]
    pub(super) fn situation(&self) -> Situation {
        Situation {
            position: self.for_moves(),
            ..self.positions.situation(self.at)
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn is_check_in_variant(&self) -> bool {
        self.situation().is_check()
    }

    /// How the game has ended by a rule of its variant.
    pub(super) fn ending(&self) -> Option<Ending> {
        match self.positions.rules().are_of_chess() {
            true => None,
            false => self.situation().ending(),
        }
    }

    /// `variant`
    pub(super) fn variant(&self) -> String {
        match self.positions.castling_setup() {
            Some(_) if self.positions.rules().are_of_chess() => "Chess960".to_owned(),
            _ => self.positions.rules().to_string(),
        }
    }

    /// Whether men move and kings are in check as in chess, which a filter takes for granted; if
    /// not, gives the game up.
    pub(super) fn moves_are_of_chess(&mut self, filter: &'static str) -> bool {
        let is_so = self.positions.rules().move_as_chess();
        if !is_so {
            self.exceed(Limit::Rules(filter));
        }
        is_so
    }

    /// The moves of the current position.
    pub(super) fn moves_of_variant(&self, pseudo: bool) -> MoveList {
        let mut moves = MoveList::new();
        match pseudo {
            true => self.situation().pseudolegal_moves(&mut moves),
            false => self.situation().legal_moves(&mut moves),
        }
        moves
    }

    /// Where the side to move can capture en passant.
    pub(super) fn en_passant_of_variant(&self) -> Option<Square> {
        let moves = self.moves_of_variant(false);
        let captures = moves.iter().find(|mv| mv.is_en_passant());
        captures.map(|mv| mv.to())
    }

    /// Those that a filter asks for.
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

//! Variants of chess: other moves and other ways to end a game, on the same board.
//!
//! A [`Position`] knows the normal game alone, because it is copied for every move of every game.
//! The [`Rules`] belong to a whole game, and the little that some variants need beside a position
//! (pieces in hand, checks still to be given) is stored in an [`Extra`]. The three together are a
//! [`Situation`], which answers for a variant what a position answers for the normal game. Games of
//! variants are few, so their moves are listed and tried one by one instead of computed by masks.
//!
//! Each variant has a file for its own rules; [`shared`] has the moves that several variants share.

use crate::moves::{Move, MoveList};
use crate::piece::Role;
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

mod antichess;
mod atomic;
mod crazyhouse;
mod fen;
mod horde;
mod kind;
mod king_of_the_hill;
mod losers;
mod racing_kings;
mod san;
mod shared;
mod situation;
mod three_check;

pub use kind::{Ending, Extra, Rules};
pub use situation::Situation;

impl Situation {
    /// The start of a game.
    #[must_use]
    pub fn start(rules: Rules) -> Situation {
        let mut position = match rules {
            Rules::Horde => horde::start(),
            Rules::RacingKings => racing_kings::start(),
            _ => Position::START,
        };
        if !rules.have_castling() {
            position.castling = crate::CastlingRights::NONE;
        }
        Situation { rules, position, setup: None, extra: Extra::start(rules) }
    }

    /// The position after a move, which is not checked, as in [`Position::play`].
    #[must_use]
    pub fn play(&self, mv: Move) -> Situation {
        let mut next = Situation { position: self.position.play(mv), ..*self };
        match self.rules {
            Rules::Atomic => atomic::explode(&self.position, mv, &mut next.position),
            Rules::Crazyhouse => crazyhouse::pass_on(self, mv, &mut next),
            Rules::ThreeCheck | Rules::FiveCheck => three_check::count(&mut next),
            _ => {}
        }
        if let Some(setup) = &self.setup {
            let rights = setup.after(setup.rights(), mv);
            next.setup = Some(setup.left(rights, &next.position.board));
        }
        next
    }

    /// Replaces the list by all legal moves; there are none after the end of a game.
    pub fn legal_moves(&self, out: &mut MoveList) {
        match self.goal() {
            Some(_) => out.clear(),
            None => self.moves(out),
        }
    }

    /// As [`Situation::legal_moves`], even after the end of a game.
    pub fn moves(&self, out: &mut MoveList) {
        let pos = &self.position;
        match self.rules {
            Rules::Chess | Rules::KingOfTheHill | Rules::ThreeCheck | Rules::FiveCheck => {
                self.moves_of_chess(out);
            }
            Rules::Giveaway | Rules::Suicide => antichess::moves(pos, out),
            Rules::Atomic => atomic::moves(self, out),
            Rules::Crazyhouse => crazyhouse::moves(self, out),
            Rules::Horde => horde::moves(self, out),
            Rules::Losers => losers::moves(self, out),
            Rules::RacingKings => racing_kings::moves(pos, out),
        }
    }

    /// Replaces the list by all moves that follow the rules of moving; safety of kings and
    /// compulsory captures are not checked.
    pub fn pseudolegal_moves(&self, out: &mut MoveList) {
        match self.rules {
            Rules::Giveaway | Rules::Suicide => antichess::pseudolegal(&self.position, out),
            Rules::Atomic => atomic::pseudolegal(self, out),
            Rules::Crazyhouse => crazyhouse::pseudolegal(self, out),
            Rules::Horde => horde::pseudolegal(self, out),
            Rules::Chess
            | Rules::KingOfTheHill
            | Rules::Losers
            | Rules::RacingKings
            | Rules::ThreeCheck
            | Rules::FiveCheck => self.pseudolegal_moves_of_chess(out),
        }
    }

    /// Whether a move is among the legal moves.
    #[must_use]
    pub fn is_legal(&self, mv: Move) -> bool {
        let mut moves = MoveList::new();
        self.legal_moves(&mut moves);
        moves.contains(&mv)
    }

    /// Whether a king of the side to move is attacked, in a game where that matters.
    #[must_use]
    pub fn is_check(&self) -> bool {
        match self.rules {
            Rules::Giveaway | Rules::Suicide => false,
            Rules::Atomic => atomic::is_attacked(&self.position, self.position.turn),
            _ => self.position.is_check(),
        }
    }

    /// Whether the side to move is in check and has no move.
    #[must_use]
    pub fn is_mate(&self) -> bool {
        self.is_check() && !self.has_move()
    }

    /// Whether the side to move is not in check and has no move, though nothing else has ended the
    /// game.
    #[must_use]
    pub fn is_stalemate(&self) -> bool {
        !self.is_check() && self.goal().is_none() && !self.has_move()
    }

    fn has_move(&self) -> bool {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        !moves.is_empty()
    }

    /// Returns the end of the game, if it has ended by a rule that the normal game does not have.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let goal = self.goal();
        let without_moves = || match self.rules {
            Rules::Giveaway | Rules::Losers => Ending::Win(self.position.turn),
            _ => antichess::fewer_men(&self.position),
        };
        let counts = matches!(self.rules, Rules::Giveaway | Rules::Losers | Rules::Suicide);
        match goal {
            None if counts && !self.has_move() => Some(without_moves()),
            _ => goal,
        }
    }

    /// Returns the end of the game, unless it has ended because a side cannot move.
    fn goal(&self) -> Option<Ending> {
        let pos = &self.position;
        match self.rules {
            Rules::Chess => None,
            Rules::Giveaway | Rules::Suicide => antichess::goal(pos),
            Rules::Atomic => atomic::goal(pos),
            Rules::Crazyhouse => None,
            Rules::Horde => horde::goal(pos),
            Rules::KingOfTheHill => king_of_the_hill::goal(pos),
            Rules::Losers => losers::goal(pos),
            Rules::RacingKings => racing_kings::goal(pos),
            Rules::ThreeCheck | Rules::FiveCheck => three_check::goal(&self.extra),
        }
    }

    /// Finds the only move that fits: the squares that it may come from, the one it goes to, what a
    /// pawn becomes. Moves after the end of a game are found as well. Castling is found only in
    /// games that castle from the normal squares.
    #[must_use]
    pub fn find(
        &self,
        role: Role,
        origins: SquareSet,
        to: Square,
        promotion: Option<Role>,
    ) -> Option<Move> {
        self.only(|mv| {
            mv.role() == role
                && origins.contains(mv.from())
                && mv.to() == to
                && mv.promotion() == promotion
                && !mv.is_drop()
                && (self.setup.is_none() || !mv.is_castle())
        })
    }

    /// Finds castling to a side, if it is possible.
    #[must_use]
    pub fn find_castling(&self, king_side: bool) -> Option<Move> {
        self.only(|mv| mv.is_castle() && (mv.to().file() == 6) == king_side)
    }

    /// Finds the drop of a piece, if it is in hand and may be put there.
    #[must_use]
    pub fn find_drop(&self, role: Role, to: Square) -> Option<Move> {
        self.only(|mv| mv == Move::drop(role, to))
    }

    fn only(&self, is_it: impl Fn(Move) -> bool) -> Option<Move> {
        let mut moves = MoveList::new();
        self.moves(&mut moves);
        let mut fitting = moves.into_iter().filter(|&mv| is_it(mv));
        fitting.next().filter(|_| fitting.next().is_none())
    }
}

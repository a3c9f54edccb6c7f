//! Resolves written moves in variants of chess.
//!
//! The parser looks for the move in a list of legal moves. The search takes longer than the way
//! backward of the normal game, but works in every variant. Moves after the end of a game are read
//! as well.

use board::{Move, Role, Situation, Square, SquareSet};

use super::written::{Kept, PieceText, promotion_role};
use super::{End, Parser, Written};

/// A written drop: `N@f3`, `P@e4`, `@e4`.
pub(super) struct Drop {
    role: Role,
    to: Square,
    len: usize,
}

impl Drop {
    /// Returns the drop at the start of a text.
    pub(super) fn read(text: &[u8]) -> Option<Drop> {
        let (role, len) = match text {
            [b'@', ..] => (Role::Pawn, 0),
            [b'P', b'@', ..] => (Role::Pawn, 1),
            [letter, b'@', ..] => (promotion_role(*letter)?, 1),
            _ => return None,
        };
        let to = Square::parse(text.get(len + 1..len + 3)?)?;
        Some(Drop { role, to, len: len + 3 })
    }
}

impl Parser<'_> {
    /// Returns the position reached, with its rules.
    pub(super) fn situation(&self) -> Situation {
        self.build.tree.situation(self.build.node())
    }

    #[cold]
    pub(super) fn drop_token(&mut self, drop: Drop) -> Result<(), End> {
        let start = self.at;
        self.at += drop.len;
        self.play(Written {
            start,
            mv: self.situation().find_drop(drop.role, drop.to),
            shown: &self.text[start..self.at],
            promotion: None,
        })
    }

    /// Returns the move that a written piece move means.
    pub(super) fn piece_move(&self, kept: &Kept) -> Option<Move> {
        if self.build.tree.rules.are_of_chess() {
            return self.or_castling(kept.piece_move(self.pos()), kept);
        }
        let PieceText { role, from_file, from_rank, to } = kept.as_piece_move()?;
        let file = from_file.map_or(SquareSet::ALL, SquareSet::file);
        let rank = from_rank.map_or(SquareSet::ALL, SquareSet::rank);
        self.or_castling(self.situation().find(role, file & rank, to, None), kept)
    }

    /// Returns the move that a written pawn move, or a move by two squares, means.
    pub(super) fn pawn_move(&self, kept: &Kept, promotion: Option<Role>) -> Option<Move> {
        if self.build.tree.rules.are_of_chess() {
            return self.or_castling(kept.pawn_move(self.pos(), promotion), kept);
        }
        let situation = self.situation();
        let find = |role, origins, to| situation.find(role, origins, to, promotion);
        let file_of = |byte: u8| matches!(byte, b'a'..=b'h').then(|| byte - b'a');
        match *kept.bytes() {
            [from, to @ b'a'..=b'h'] if from != to => {
                let origins = SquareSet::file(file_of(from)?);
                let squares = (0..8).map(|rank| Square::from_coords(to - b'a', rank));
                squares.into_iter().find_map(|to| find(Role::Pawn, origins, to))
            }
            [file, rank] => {
                let to = Square::parse(&[file, rank])?;
                find(Role::Pawn, SquareSet::file(to.file()), to)
            }
            [from, file, rank] => {
                let to = Square::parse(&[file, rank])?;
                find(Role::Pawn, SquareSet::file(file_of(from)?), to)
            }
            [from_file, from_rank, file, rank] => {
                let from = Square::parse(&[from_file, from_rank])?;
                let role = self.pos().board.role_at(from)?;
                let mv = find(role, from.set(), Square::parse(&[file, rank])?);
                self.or_castling(mv, kept)
            }
            _ => None,
        }
    }

    /// Returns the role for the letter of a promotion.
    pub(super) fn promotion_role(&self, letter: u8) -> Option<Role> {
        match letter {
            b'K' if self.build.tree.rules.have_ordinary_kings() => Some(Role::King),
            _ => promotion_role(letter),
        }
    }
}

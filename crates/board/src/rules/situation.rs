//! A position with its rules, its key, and the moves of the normal game in it.

use super::kind::{Extra, Rules};
use crate::castling::CastlingRights;
use crate::moves::MoveList;
use crate::polyglot::polyglot_key;
use crate::position::Position;
use crate::setup::CastlingSetup;

/// A position together with the rules of its game.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Situation {
    /// Rules of the game.
    pub rules: Rules,
    /// Board, turn, rights and clocks.
    pub position: Position,
    /// Squares from which castling starts, if not those of the normal game: only those that can
    /// still castle. The position then has no rights of its own.
    pub setup: Option<CastlingSetup>,
    /// State that the variant needs besides.
    pub extra: Extra,
}

impl Situation {
    /// The rights to castle that are left: those whose king and rook stand at home, or those of the
    /// setup, which refer to the sides.
    #[must_use]
    pub fn rights(&self) -> CastlingRights {
        self.setup.map_or_else(|| self.position.castling_at_home(), |left| left.rights())
    }

    /// The [`polyglot_key`] of the position with these rights, combined with the key of the [`Extra`]
    /// state in variants that have one.
    #[must_use]
    pub fn key(&self) -> u64 {
        let key = polyglot_key(&Position { castling: self.rights(), ..self.position });
        if self.rules.have_extra() { key ^ self.extra.key() } else { key }
    }

    /// The moves of the normal game, with castling from the squares of this game.
    pub(super) fn moves_of_chess(&self, out: &mut MoveList) {
        self.position.legal_moves(out);
        self.push_castling(out);
    }

    /// As [`Situation::moves_of_chess`], whether the king is safe or not.
    pub(super) fn pseudolegal_moves_of_chess(&self, out: &mut MoveList) {
        self.position.pseudolegal_moves(out);
        self.push_castling(out);
    }

    fn push_castling(&self, out: &mut MoveList) {
        if let Some(setup) = &self.setup {
            let sides = [true, false].into_iter();
            out.extend(sides.filter_map(|side| setup.castling(&self.position, side)));
        }
    }
}

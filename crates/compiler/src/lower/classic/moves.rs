//! Lowers conditions on the next move.

use board::{Role, SquareSet};
use syntax::classic::tree::{Designator, Men, NextMove};

use super::Lowerer;
use super::arena::{BoolKey, MoveRequirement};
use crate::program::*;

/// Roles that a pawn can become.
const PROMOTED: u8 = 1 << Role::Knight as u8
    | 1 << Role::Bishop as u8
    | 1 << Role::Rook as u8
    | 1 << Role::Queen as u8;

impl Lowerer {
    /// Whether there is a next move as described.
    pub(super) fn next_move(&mut self, next: &NextMove) -> BoolId {
        let mut wanted = MoveRequirement {
            from: self.all_of(&next.from),
            to: self.all_of(&next.to),
            en_passant: next.en_passant,
            ..MoveRequirement::default()
        };
        let there_is = if next.promote.is_empty() {
            self.a_move(wanted)
        } else {
            self.promotion(&next.promote, &mut wanted)
        };
        if !next.no_en_passant {
            return there_is;
        }
        let en_passant =
            self.a_move(MoveRequirement { en_passant: true, ..MoveRequirement::default() });
        let other = self.nodes.not(en_passant);
        self.nodes.all(vec![there_is, other])
    }

    /// The squares that match all of the designators.
    fn all_of(&mut self, designators: &[Designator]) -> Option<SetId> {
        let mut sets = designators.iter();
        let first = self.men(sets.next()?);
        Some(sets.fold(first, |all, designator| {
            let set = self.men(designator);
            self.nodes.intersect(all, set)
        }))
    }

    fn restrict(&mut self, set: Option<SetId>, to: SetId) -> Option<SetId> {
        Some(match set {
            Some(set) => self.nodes.intersect(set, to),
            None => to,
        })
    }

    /// Whether a pawn becomes a piece as in the designators, on one of their squares. As in CQL 6,
    /// the color of the piece is that of the pawn, whatever the letters say. A tag means that very
    /// piece, which is a pawn before the move.
    fn promotion(&mut self, designators: &[Designator], wanted: &mut MoveRequirement) -> BoolId {
        let mut roles = PROMOTED;
        let mut squares = SquareSet::ALL;
        for designator in designators {
            squares &= self.image_of_squares(designator);
            match designator.men {
                Men::Kinds(kinds) => roles &= kinds.roles(),
                Men::Tag(_) => {
                    let anywhere = Designator { squares: u64::MAX, ..*designator };
                    let man = self.men(&anywhere);
                    wanted.from = self.restrict(wanted.from, man);
                }
            }
        }
        if squares != SquareSet::ALL {
            let squares = self.nodes.squares(squares);
            wanted.to = self.restrict(wanted.to, squares);
        }
        wanted.promote = Some(roles);
        self.a_move(*wanted)
    }

    fn a_move(&mut self, wanted: MoveRequirement) -> BoolId {
        let primary = self.reads_variations && !self.sees_variations;
        let wanted = MoveRequirement { primary, ..wanted };
        let MoveRequirement { from, to, promote, en_passant, .. } = wanted;
        let nowhere = [from, to].into_iter().flatten();
        if promote == Some(0) || nowhere.into_iter().any(|set| self.nodes.is_empty(set)) {
            return self.nodes.constant(false);
        }
        self.nodes.bool(BoolKey::Move(wanted), || {
            BoolFilter::Move(Box::new(MoveFilter {
                from,
                to,
                promote,
                en_passant,
                primary,
                ..MoveFilter::default()
            }))
        })
    }
}

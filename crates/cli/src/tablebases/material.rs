//! The pieces of a position, which determine its table and the tables that are read besides.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use board::{Board, Color, Role};

/// Roles in the order of the names of tables, the king first.
const ROLES: [(Role, char); 5] = [
    (Role::Queen, 'Q'),
    (Role::Rook, 'R'),
    (Role::Bishop, 'B'),
    (Role::Knight, 'N'),
    (Role::Pawn, 'P'),
];

/// Index of the pawns of a side.
const PAWN: usize = 4;

/// Number of pieces of each role for both sides, without the kings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Material([[u8; 5]; 2]);

impl Material {
    /// Returns the material on a board.
    pub(super) fn on(board: &Board) -> Material {
        let count = |color, role| board.pieces(color, role).len() as u8;
        Material(
            [Color::White, Color::Black].map(|color| ROLES.map(|(role, _)| count(color, role))),
        )
    }

    /// Whether only kings are left.
    pub(super) fn is_bare(self) -> bool {
        self.0 == [[0; 5]; 2]
    }

    /// Returns the two names that a table may have, such as `KQvKR` and `KRvKQ`, the usual one first.
    pub(super) fn names(self) -> [String; 2] {
        let mut sides = self.0;
        sides.sort_by_key(|side| Reverse((side.iter().sum::<u8>(), *side)));
        let [white, black] = sides.map(|side| {
            let letters = ROLES.iter().zip(side);
            let letters =
                letters.flat_map(|(&(_, letter), n)| std::iter::repeat_n(letter, n.into()));
            std::iter::once('K').chain(letters).collect::<String>()
        });
        [format!("{white}v{black}"), format!("{black}v{white}")]
    }

    /// Returns the materials whose tables of results may be read for a value of this one: its own,
    /// those after a promotion, and those after captures from there.
    pub(super) fn reached(self) -> BTreeSet<Material> {
        let mut reached = BTreeSet::new();
        let promoted = (0..2).flat_map(|side| self.promoted(side));
        let mut waiting: Vec<Material> = std::iter::once(self).chain(promoted).collect();
        while let Some(material) = waiting.pop() {
            if reached.insert(material) {
                waiting.extend(material.captured());
            }
        }
        reached
    }

    /// Returns the materials after a promotion of one side.
    fn promoted(self, side: usize) -> impl Iterator<Item = Material> {
        let n = if self.0[side][PAWN] > 0 { PAWN } else { 0 };
        (0..n).map(move |role| {
            let mut material = self;
            material.0[side][PAWN] -= 1;
            material.0[side][role] += 1;
            material
        })
    }

    /// Returns the materials after a capture, by which a pawn may promote.
    fn captured(self) -> impl Iterator<Item = Material> {
        let taken =
            (0..10).map(|i| (i / 5, i % 5)).filter(move |&(side, role)| self.0[side][role] > 0);
        taken.flat_map(move |(side, role)| {
            let mut material = self;
            material.0[side][role] -= 1;
            std::iter::once(material).chain(material.promoted(1 - side))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(board: &str) -> Material {
        Material::on(&board::parse_board(board.as_bytes()).expect("a board"))
    }

    fn names(of: impl IntoIterator<Item = Material>) -> Vec<String> {
        of.into_iter().map(|material| material.names()[0].clone()).collect()
    }

    #[test]
    fn tables_are_named_by_their_pieces() {
        let pawns = material("4k3/4p3/8/8/8/8/PP6/RNBQK3");
        assert_eq!(pawns.names(), ["KQRBNPPvKP", "KPvKQRBNPP"]);
        assert_eq!(material("4k2q/8/8/8/8/8/8/4K2R").names(), ["KQvKR", "KRvKQ"]);
        assert_eq!(material("4k3/4p3/8/8/8/8/8/4K3").names()[0], "KPvK");
        assert!(material("4k3/8/8/8/8/8/8/4K3").is_bare());
        assert!(!pawns.is_bare());
    }

    #[test]
    fn captures_and_promotions_lead_to_other_tables() {
        assert_eq!(names(material("4k3/8/8/8/8/8/8/4K2R").reached()), ["KvK", "KRvK"]);
        let pawn = names(material("4k3/8/8/8/8/8/4P3/4K3").reached());
        assert_eq!(pawn, ["KvK", "KPvK", "KNvK", "KBvK", "KRvK", "KQvK"]);
        // The pawn takes the rook and becomes a queen.
        let ours = names(material("4k2r/6P1/8/8/8/8/8/4K3").reached());
        for name in ["KRvKP", "KQvKR", "KQvK", "KPvK", "KRvK"] {
            assert!(ours.contains(&name.to_owned()), "{name} {ours:?}");
        }
        assert!(!ours.contains(&"KQvKQ".to_owned()));
    }
}

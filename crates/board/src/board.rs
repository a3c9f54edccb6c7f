//! Placement of the pieces: eight masks, 64 bytes.
//!
//! Six masks by role and two by color, no square-indexed copy: a board is one cache line, is
//! copied in four 16-byte moves, and every question a query asks is about sets anyway.

use crate::attacks::{
    between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, pawn_attacks_of_set,
    reach, reaching, rook_attacks,
};
use crate::piece::{Color, Piece, Role};
use crate::set::SquareSet;
use crate::square::Square;

/// Placement of the pieces. Any placement is representable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(C)]
pub struct Board {
    pub(crate) roles: [SquareSet; 6],
    pub(crate) colors: [SquareSet; 2],
}

/// For each color and role the masks it belongs to, all bits or none: lets [`Board::relocated`]
/// write all eight masks alike instead of choosing two of them.
static MEMBERSHIP: [[[u64; 8]; 8]; 2] = {
    let mut table = [[[0; 8]; 8]; 2];
    let mut i = 0;
    while i < 12 {
        table[i / 6][i % 6][i % 6] = !0;
        table[i / 6][i % 6][6 + i / 6] = !0;
        i += 1;
    }
    table
};

impl Board {
    /// No pieces at all.
    pub const EMPTY: Board = Board { roles: [SquareSet::EMPTY; 6], colors: [SquareSet::EMPTY; 2] };

    /// The normal start of a game.
    pub const START: Board = Board {
        roles: [
            SquareSet(0x00FF_0000_0000_FF00),
            SquareSet(0x4200_0000_0000_0042),
            SquareSet(0x2400_0000_0000_0024),
            SquareSet(0x8100_0000_0000_0081),
            SquareSet(0x0800_0000_0000_0008),
            SquareSet(0x1000_0000_0000_0010),
        ],
        colors: [SquareSet(0xFFFF), SquareSet(0xFFFF << 48)],
    };

    /// Squares of the pieces of one color and role.
    #[inline]
    #[must_use]
    pub const fn pieces(&self, color: Color, role: Role) -> SquareSet {
        SquareSet(self.roles[role.index()].0 & self.color(color).0)
    }

    /// Squares of the pieces of one role.
    #[inline]
    #[must_use]
    pub const fn role(&self, role: Role) -> SquareSet {
        self.roles[role.index()]
    }

    /// Squares of the pieces of one color.
    #[inline]
    #[must_use]
    pub const fn color(&self, color: Color) -> SquareSet {
        self.colors[color.index()]
    }

    /// Squares of all pieces.
    #[inline]
    #[must_use]
    pub const fn occupied(&self) -> SquareSet {
        SquareSet(self.colors[0].0 | self.colors[1].0)
    }

    /// Squares of one color's kings; there may be none or several.
    #[inline]
    #[must_use]
    pub const fn kings(&self, color: Color) -> SquareSet {
        self.pieces(color, Role::King)
    }

    /// The piece on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, sq: Square) -> Option<Piece> {
        let color = self.color_at(sq)?;
        Some(Piece { color, role: self.role_at_occupied(sq) })
    }

    /// The role of the piece on a square.
    #[inline]
    #[must_use]
    pub fn role_at(&self, sq: Square) -> Option<Role> {
        self.occupied().contains(sq).then(|| self.role_at_occupied(sq))
    }

    /// The color of the piece on a square.
    #[inline]
    #[must_use]
    pub const fn color_at(&self, sq: Square) -> Option<Color> {
        if self.colors[0].contains(sq) {
            Some(Color::White)
        } else if self.colors[1].contains(sq) {
            Some(Color::Black)
        } else {
            None
        }
    }

    /// The role on a square known to be occupied (an empty one gives the pawn).
    #[inline]
    pub(crate) fn role_at_occupied(&self, sq: Square) -> Role {
        let [_, n, b, r, q, k] = self.roles;
        // The index of the role in binary, one digit from each union: no branches.
        let digit = |set: SquareSet| (set.0 >> sq.index() & 1) as u8;
        Role::from_index(digit(n | r | k) | digit(b | r) << 1 | digit(q | k) << 2)
    }

    /// Squares with the same content on both boards; squares that are empty on both are included.
    #[inline]
    #[must_use]
    pub fn same_content(&self, other: &Board) -> SquareSet {
        let mut differences = 0;
        for (here, there) in self.roles.iter().zip(&other.roles) {
            differences |= here.0 ^ there.0;
        }
        for (here, there) in self.colors.iter().zip(&other.colors) {
            differences |= here.0 ^ there.0;
        }
        SquareSet(!differences)
    }

    /// Puts a piece on a square, replacing the piece that is there.
    #[inline]
    pub fn put(&mut self, sq: Square, piece: Piece) {
        *self = self.relocated(piece.color, piece.role.index(), sq.set(), sq.set());
    }

    /// Removes and returns the piece on a square.
    #[inline]
    pub fn take(&mut self, sq: Square) -> Option<Piece> {
        let piece = self.piece_at(sq);
        self.clear(sq.set());
        piece
    }

    /// Removes all pieces from some squares.
    #[inline]
    pub fn clear(&mut self, squares: SquareSet) {
        for mask in self.roles.iter_mut().chain(&mut self.colors) {
            *mask -= squares;
        }
    }

    /// The board after emptying the squares `cleared` and then putting a piece on all squares of
    /// `filled`.
    #[inline(always)]
    pub(crate) fn relocated(
        &self,
        color: Color,
        role_index: usize,
        cleared: SquareSet,
        filled: SquareSet,
    ) -> Board {
        let member = &MEMBERSHIP[color.index()][role_index & 7];
        let mask = |old: SquareSet, i: usize| SquareSet(old.0 & !cleared.0 | member[i] & filled.0);
        let [p, n, b, r, q, k] = self.roles;
        let [white, black] = self.colors;
        // Written out, so that all of it stays in registers.
        Board {
            roles: [mask(p, 0), mask(n, 1), mask(b, 2), mask(r, 3), mask(q, 4), mask(k, 5)],
            colors: [mask(white, 6), mask(black, 7)],
        }
    }

    /// Bishops and queens of both colors.
    #[inline]
    #[must_use]
    pub fn diagonal_sliders(&self) -> SquareSet {
        self.roles[Role::Bishop.index()] | self.roles[Role::Queen.index()]
    }

    /// Rooks and queens of both colors.
    #[inline]
    #[must_use]
    pub fn straight_sliders(&self) -> SquareSet {
        self.roles[Role::Rook.index()] | self.roles[Role::Queen.index()]
    }

    /// Pieces of both colors that attack a square, if `occupied` were the occupied squares.
    #[inline]
    #[must_use]
    pub fn attackers_to(&self, sq: Square, occupied: SquareSet) -> SquareSet {
        let pawns = pawn_attacks(Color::Black, sq) & self.colors[0]
            | pawn_attacks(Color::White, sq) & self.colors[1];
        pawns & self.role(Role::Pawn)
            | knight_attacks(sq) & self.role(Role::Knight)
            | king_attacks(sq) & self.role(Role::King)
            | bishop_attacks(sq, occupied) & self.diagonal_sliders()
            | rook_attacks(sq, occupied) & self.straight_sliders()
    }

    /// Pieces of both colors that alone stand between a square and a slider among `attackers`
    /// which would attack it.
    #[inline]
    pub(crate) fn shields(&self, sq: Square, attackers: SquareSet) -> SquareSet {
        let snipers = (self.diagonal_sliders() & reach(Role::Bishop, sq)
            | self.straight_sliders() & reach(Role::Rook, sq))
            & attackers;
        let mut alone = SquareSet::EMPTY;
        for sniper in snipers {
            let shields = between(sq, sniper) & self.occupied();
            if !shields.is_several() {
                alone |= shields;
            }
        }
        alone
    }

    /// Squares attacked by the piece on a square; empty for an empty square.
    #[inline]
    #[must_use]
    pub fn attacks_from(&self, sq: Square) -> SquareSet {
        let occupied = self.occupied();
        match self.piece_at(sq) {
            Some(piece) => crate::attacks::attacks_of(piece, sq, occupied),
            None => SquareSet::EMPTY,
        }
    }

    /// Squares attacked by at least one piece of a color.
    #[must_use]
    pub fn attacked_by(&self, color: Color) -> SquareSet {
        self.attacked_through(color, self.occupied())
    }

    /// As [`Board::attacked_by`], if `occupied` were the occupied squares.
    pub(crate) fn attacked_through(&self, color: Color, occupied: SquareSet) -> SquareSet {
        let [diagonal, straight] = self.lines_through(color, occupied);
        let us = self.color(color);
        let mut attacked =
            diagonal | straight | pawn_attacks_of_set(color, us & self.role(Role::Pawn));
        for sq in us & self.role(Role::Knight) {
            attacked |= knight_attacks(sq);
        }
        for sq in us & self.role(Role::King) {
            attacked |= king_attacks(sq);
        }
        attacked
    }

    /// Squares that sliders of a color attack along diagonals, and along files and ranks, if
    /// `occupied` were the occupied squares.
    pub(crate) fn lines_through(&self, color: Color, occupied: SquareSet) -> [SquareSet; 2] {
        let us = self.color(color);
        let mut lines = [SquareSet::EMPTY; 2];
        for sq in us & self.diagonal_sliders() {
            lines[0] |= bishop_attacks(sq, occupied);
        }
        for sq in us & self.straight_sliders() {
            lines[1] |= rook_attacks(sq, occupied);
        }
        lines
    }

    /// Whether a color attacks a square, if `occupied` were the occupied squares.
    #[inline]
    #[must_use]
    pub fn is_attacked(&self, sq: Square, by: Color, occupied: SquareSet) -> bool {
        self.is_attacked_by(sq, !by, self.color(by), occupied)
    }

    /// Whether a piece on one of the squares `them` attacks a square of the color `us`.
    ///
    /// The squares of the attackers are given apart from `occupied`, because a piece captured by
    /// the move under test no longer blocks and no longer attacks.
    #[inline]
    pub(crate) fn is_attacked_by(
        &self,
        sq: Square,
        us: Color,
        them: SquareSet,
        occupied: SquareSet,
    ) -> bool {
        // In four of five positions of master games no enemy piece is even on a line with the king,
        // so that one branch decides.
        self.is_in_reach(sq, us, them) && self.is_attacked_closely(sq, us, them, occupied)
    }

    /// Whether a piece on one of the squares `them` would attack a square of the color `us` if
    /// nothing stood between.
    #[inline(always)]
    pub(crate) fn is_in_reach(&self, sq: Square, us: Color, them: SquareSet) -> bool {
        // All eight masks, so that they are looked at four at a time.
        let ([p, n, b, r, q, k], [white, black]) = (self.roles, self.colors);
        let masks = [p, n, b, r, q, k, white, black];
        let seen =
            masks.iter().zip(reaching(us, sq)).fold(0, |seen, (mask, from)| seen | mask.0 & from);
        SquareSet(seen).intersects(them)
    }

    /// As [`Board::is_attacked_by`], for a square that is in reach.
    #[inline(never)]
    pub(crate) fn is_attacked_closely(
        &self,
        sq: Square,
        us: Color,
        them: SquareSet,
        occupied: SquareSet,
    ) -> bool {
        let reaching = reaching(us, sq);
        let seen = |role: Role| self.role(role) & SquareSet(reaching[role.index()]) & them;
        let leapers = seen(Role::Pawn) | seen(Role::Knight) | seen(Role::King);
        let sliders = seen(Role::Bishop) | seen(Role::Rook) | seen(Role::Queen);
        let is_open = |from| !between(sq, from).intersects(occupied);
        !leapers.is_empty() || sliders.into_iter().any(is_open)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::any_board;

    #[test]
    fn a_board_is_one_cache_line() {
        assert_eq!(size_of::<Board>(), 64);
    }

    #[test]
    fn start_position() {
        let board = Board::START;
        assert_eq!(board.occupied().len(), 32);
        let letters: String = (Square::ALL[..8].iter())
            .map(|&sq| char::from(board.piece_at(sq).unwrap().letter()))
            .collect();
        assert_eq!(letters, "RNBQKBNR");
        assert_eq!(board.piece_at(Square::E8), Some(Piece::new(Color::Black, Role::King)));
        assert_eq!(board.attacked_by(Color::White), SquareSet(0x00FF_FF7E) | SquareSet::rank(2));
    }

    proptest! {
        #[test]
        fn same_content_is_that_of_the_squares(a in any_board(), b in any_board()) {
            let same = Square::ALL.into_iter().filter(|&sq| a.piece_at(sq) == b.piece_at(sq));
            prop_assert_eq!(a.same_content(&b), same.collect::<SquareSet>());
        }

        #[test]
        fn put_and_take(board in any_board(), index in 0u8..64, piece in 0usize..12) {
            let (sq, piece) = (Square::new(index), Piece::ALL[piece]);
            let mut changed = board;
            changed.put(sq, piece);
            prop_assert_eq!(changed.piece_at(sq), Some(piece));
            prop_assert_eq!(changed.role_at(sq), Some(piece.role));
            prop_assert_eq!(changed.color_at(sq), Some(piece.color));
            for other in Square::ALL {
                if other != sq {
                    prop_assert_eq!(changed.piece_at(other), board.piece_at(other));
                }
            }
            prop_assert_eq!(changed.take(sq), Some(piece));
            prop_assert_eq!(changed.take(sq), None);
            if let Some(before) = board.piece_at(sq) {
                changed.put(sq, before);
            }
            prop_assert_eq!(changed, board);
        }

        #[test]
        fn attackers_and_attacks_are_converse(board in any_board()) {
            let occupied = board.occupied();
            for to in Square::ALL {
                let attackers: SquareSet =
                    occupied.into_iter().filter(|&from| board.attacks_from(from).contains(to)).collect();
                prop_assert_eq!(board.attackers_to(to, occupied), attackers);
                for color in Color::ALL {
                    let attacked = attackers.intersects(board.color(color));
                    prop_assert_eq!(board.is_attacked(to, color, occupied), attacked);
                    prop_assert_eq!(board.attacked_by(color).contains(to), attacked);
                }
            }
        }
    }
}

//! Finds positions of a game in which the kings and pawns stand as they stood before.
//!
//! Pawns never return, so only positions since their last change matter, and of these the kings
//! decide. A game has few king moves, so nothing is set up.

use board::{Board, Color, Piece, Role, Square};

use crate::code::MoveCode;

/// The pieces that [`recurs`] follows, as bits by [`Piece::index`].
pub const FOLLOWED: u16 = {
    let of_white = 1 << Piece::new(Color::White, Role::Pawn).index()
        | 1 << Piece::new(Color::White, Role::King).index();
    of_white | of_white << 6
};

/// Whether two positions of a game from the normal start have these `pieces` on the same squares, at
/// least `distance` half-moves apart, and `may_be_later` returns `true` for the ply of the later
/// one. Pieces that are not [`FOLLOWED`] are ignored. The game must have no variations.
pub fn recurs(
    codes: &[u16],
    pieces: u16,
    distance: usize,
    mut may_be_later: impl FnMut(usize) -> bool,
) -> bool {
    let follows = |color, role| pieces >> Piece::new(color, role).index() & 1 != 0;
    let follows_pawns = Color::ALL.map(|color| follows(color, Role::Pawn));
    let mut pawns = Color::ALL.map(|color| Board::START.pieces(color, Role::Pawn));
    let mut kings = [Square::E1, Square::E8];
    // The squares of the kings since the last change of the pawns, with their first ply.
    let mut seen = vec![(kings, 0)];
    let mut first = 0_usize;
    let (mut ply, mut rest) = (0, codes);
    loop {
        let followed = pawns[0] | pawns[1] | kings[0].set() | kings[1].set();
        // Most moves neither start nor end at a pawn or a king.
        let is_other = |code: &&u16| !MoveCode(**code).ends().intersects(followed);
        let n_others = rest.iter().take_while(is_other).count();
        let last = ply + n_others;
        let far = first.saturating_add(distance).max(ply + 1);
        if (far..=last).any(&mut may_be_later) {
            return true;
        }
        let Some((&code, after)) = rest[n_others..].split_first() else {
            return false;
        };
        (ply, rest) = (last + 1, after);
        let (code, turn) = (MoveCode(code), Color::ALL[last % 2]);
        let mut have_changed = false;
        if code.ends().intersects(pawns[0] | pawns[1]) {
            let after = code.move_pawns(turn, pawns);
            have_changed = (0..2).any(|color| follows_pawns[color] && after[color] != pawns[color]);
            pawns = after;
        }
        let king = code.king_to().filter(|_| follows(turn, Role::King));
        if let Some(to) = king {
            kings[turn.index()] = to;
        }
        if have_changed {
            seen.clear();
        }
        if have_changed || king.is_some() {
            let known = seen.iter().find(|known| known.0 == kings);
            first = known.map_or(ply, |known| known.1);
            if known.is_none() {
                seen.push((kings, ply));
            }
        }
        if ply - first >= distance && may_be_later(ply) {
            return true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::TagIndex;
    use crate::tree::GameTree;

    /// Compares all pairs of positions.
    fn check(moves: &str) {
        let (mut index, mut tree) = (TagIndex::default(), GameTree::default());
        index.scan(moves.as_bytes());
        tree.parse(index.tags(moves.as_bytes()));
        let mut codes = Vec::new();
        assert!(tree.write_codes(&mut codes));
        let positions = tree.positions();
        let is_same = |pieces: u16, s: usize, t: usize| {
            let all =
                (0..12).filter(|index| pieces >> index & 1 != 0).map(|index| Piece::ALL[index]);
            let at = |id: usize, piece: Piece| positions[id].board.pieces(piece.color, piece.role);
            all.into_iter().all(|piece| at(s, piece) == at(t, piece))
        };
        for pieces in [FOLLOWED, FOLLOWED & 0x3f, 1 << 5, 1 << 11 | 1, 1 << 6] {
            for distance in 1..8 {
                let pair = |t: usize| (0..t).any(|s| t - s >= distance && is_same(pieces, s, t));
                let all = 0..positions.len();
                assert_eq!(recurs(&codes, pieces, distance, |_| true), all.clone().any(pair));
                let is_even = |ply: usize| ply.is_multiple_of(2);
                let expected = all.clone().any(|t| is_even(t) && pair(t));
                assert_eq!(recurs(&codes, pieces, distance, is_even), expected, "{moves}");
            }
        }
    }

    #[test]
    fn kings_and_pawns_stand_as_before() {
        check("*");
        check("1.Nf3 Nf6 2.Ng1 Ng8 3.e4 Nf6 4.Nf3 Ng8 5.Ng1 *");
        check("1.e4 e5 2.Ke2 Ke7 3.Ke1 Ke8 4.Ke2 Ke7 5.Kf3 a5 6.Ke2 a4 7.Kf3 *");
        check("1.e4 e5 2.Nf3 Nf6 3.Be2 Be7 4.O-O O-O 5.Kh1 Kh8 6.Kg1 Kg8 7.Nxe5 Nc6 8.Nf3 *");
        check("1.a4 b5 2.axb5 a6 3.bxa6 Nf6 4.a7 Ng8 5.axb8=Q Rxb8 6.Nf3 Nf6 7.-- Ng8 *");
        check("1.e4 h5 2.e5 d5 3.exd6 Nf6 4.Nf3 Ng8 5.Ng1 Nf6 6.Nc3 Ng8 *");
    }
}

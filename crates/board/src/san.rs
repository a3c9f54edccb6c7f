//! Standard algebraic notation, written.
//!
//! The text is made from the board as the reference implementation does it: only *legal* rivals
//! require disambiguation, and the file is added whenever a rival stands on another file, even if
//! the rank alone would do.

use std::fmt;

use crate::attacks::{between, reach};
use crate::moves::Move;
use crate::piece::Role;
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// A move in SAN: at most seven bytes (`Qa1xb2+`, `exd8=Q#`), without allocation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct San {
    /// The text, padded with zeros.
    bytes: [u8; 8],
    len: u8,
}

impl San {
    /// The text as bytes, all ASCII.
    #[inline]
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }

    /// The text padded with zeros, for callers that copy eight bytes at a time.
    #[inline]
    #[must_use]
    pub fn padded(&self) -> [u8; 8] {
        self.bytes
    }

    /// The text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).unwrap_or_default()
    }
}

/// Letters that are collected in a register.
#[derive(Default)]
pub(crate) struct Letters {
    word: u64,
    n_bits: u32,
}

impl Letters {
    #[inline(always)]
    pub(crate) fn push(&mut self, byte: u8) {
        self.word |= u64::from(byte) << (self.n_bits & 63);
        self.n_bits += 8;
    }

    fn push_all(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.push(byte));
    }

    #[inline(always)]
    pub(crate) fn finish(self) -> San {
        San { bytes: self.word.to_le_bytes(), len: (self.n_bits / 8) as u8 }
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl fmt::Debug for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Writes a move that is played in a position.
#[must_use]
pub fn san(pos: &Position, mv: Move) -> San {
    san_reaching(pos, mv, &pos.play(mv))
}

/// As [`san`], for a caller that knows the position after the move.
#[must_use]
pub fn san_reaching(pos: &Position, mv: Move, next: &Position) -> San {
    san_followed(pos, mv, next, || None)
}

/// As [`san_reaching`], for a caller that knows the move that was played next, which shows that
/// there is a legal one.
// Whole games are written with this function: what nearly every move needs is inline, and looked up.
#[inline(always)]
#[must_use]
pub fn san_followed(
    pos: &Position,
    mv: Move,
    next: &Position,
    following: impl FnOnce() -> Option<Move>,
) -> San {
    let mut san = Letters::of_usual(pos, mv).unwrap_or_else(|| Letters::of_rare(pos, mv));
    if next.is_check() {
        san.push(sign_of_check(next, following()));
    }
    san.finish()
}

/// Returns the sign after a move that gives check: `+`, or `#` for mate.
#[cold]
#[inline(never)]
fn sign_of_check(next: &Position, following: Option<Move>) -> u8 {
    // Castling and passing the turn prove nothing: games contain them even if they are not legal.
    let goes_on = following.is_some_and(|mv| !mv.is_null() && !mv.is_castle());
    if goes_on || next.has_legal_move() { b'+' } else { b'#' }
}

/// The words of moves to each square by each role, first those that capture nothing, padded with
/// zeros: `Nf3`, `Nxf3`, `e4`. The word of a capture by a pawn begins with `a`, for the first file.
/// Moves to the last ranks by pawns, which promote, have none.
static USUAL: [[[u64; 64]; 8]; 2] = {
    let mut words = [[[0; 64]; 8]; 2];
    let mut i = 0;
    while i < 2 * 6 * 64 {
        let (captures, role, to) = (i / 64 / 6, i / 64 % 6, i % 64);
        let letter = b"aNBRQK"[role];
        let square = (b'a' as usize + to % 8) | (b'1' as usize + to / 8) << 8;
        let word = match (captures, role) {
            (0, 0) => square,
            (0, _) => letter as usize | square << 8,
            _ => letter as usize | (b'x' as usize) << 8 | square << 16,
        };
        if role > 0 || (to >= 8 && to < 56) {
            words[captures][role][to] = word as u64;
        }
        i += 1;
    }
    words
};

impl Letters {
    /// Writes a move without the sign of check. `None` if it is irregular, promotes or has rivals.
    #[inline(always)]
    fn of_usual(pos: &Position, mv: Move) -> Option<Letters> {
        let captures = pos.board.occupied().contains(mv.to());
        let by_pawn = captures & (mv.role() == Role::Pawn);
        let word = USUAL[usize::from(captures)][mv.role_index()][mv.to().index()];
        if mv.is_irregular() || word == 0 || !rivals(pos, mv).is_empty() {
            return None;
        }
        let word = word + u64::from(mv.from().file()) * u64::from(by_pawn);
        Some(Letters { word, n_bits: 64 - (word.leading_zeros() & !7) })
    }

    /// Writes a move as [`Letters::of_usual`] does, but any.
    #[cold]
    #[inline(never)]
    fn of_rare(pos: &Position, mv: Move) -> Letters {
        Letters::of(pos, mv, || rivals(pos, mv))
    }

    /// Writes a move without the sign of check; `rivals` returns the other pieces of the role that
    /// could move to the same square, none for a pawn.
    pub(crate) fn of(pos: &Position, mv: Move, rivals: impl FnOnce() -> SquareSet) -> Letters {
        if mv.is_irregular() && !mv.is_en_passant() {
            return Letters::of_irregular(mv);
        }
        let captures = pos.board.occupied().contains(mv.to()) | mv.is_en_passant();
        let mut san = Letters::default();
        match mv.role() {
            // Only a pawn that captures is named, by its file.
            Role::Pawn if captures => san.push(b'a' + mv.from().file()),
            Role::Pawn => {}
            role => san.push(role.letter()),
        }
        let rivals = rivals();
        if !rivals.is_empty() {
            san.distinguish(mv.from(), rivals);
        }
        if captures {
            san.push(b'x');
        }
        san.push_all(&[b'a' + mv.to().file(), b'1' + mv.to().rank()]);
        if let Some(role) = mv.promotion() {
            san.push_all(&[b'=', role.letter()]);
        }
        san
    }

    /// Writes a drop, castling or a null move.
    fn of_irregular(mv: Move) -> Letters {
        let mut san = Letters::default();
        if mv.is_drop() {
            let [file, rank] = [b'a' + mv.to().file(), b'1' + mv.to().rank()];
            san.push_all(&[mv.role().letter(), b'@', file, rank]);
        } else if mv.is_castle() {
            let is_short = mv.to().file() == 6;
            san.push_all(if is_short { b"O-O" } else { b"O-O-O" });
        } else {
            san.push_all(b"--");
        }
        san
    }

    /// Adds the origin, as far as rivals require it.
    fn distinguish(&mut self, from: Square, rivals: SquareSet) {
        let same_file = rivals & SquareSet::file(from.file());
        if same_file != rivals {
            self.push(b'a' + from.file());
        }
        if !same_file.is_empty() {
            self.push(b'1' + from.rank());
        }
    }
}

/// Other pieces of the same role that could legally move to the same square; none for pawns.
#[inline(always)]
fn rivals(pos: &Position, mv: Move) -> SquareSet {
    let role = mv.role();
    // Geometry alone nearly always leaves none.
    let others = (reach(role, mv.to()) & pos.board.pieces(pos.turn, role)) - mv.from().set();
    if others.is_empty() { others } else { rivals_among(others, pos, mv) }
}

#[cold]
#[inline(never)]
fn rivals_among(others: SquareSet, pos: &Position, mv: Move) -> SquareSet {
    let (role, to) = (mv.role(), mv.to());
    others
        .into_iter()
        .filter(|&from| !between(from, to).intersects(pos.board.occupied()))
        .filter(|&from| pos.is_safe(Move::normal(role, from, to)))
        .collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::{any_position, played_position, position};
    use crate::{
        Color, MoveList, Square, castling, null_move, resolve_coordinate, resolve_pawn,
        resolve_piece,
    };

    fn check(fen: &str, from_to: &str, promotion: Option<Role>, want: &str) {
        let pos = position(fen);
        let (from, to) = from_to.as_bytes().split_at(2);
        let (from, to) = (Square::parse(from).unwrap(), Square::parse(to).unwrap());
        let mv = resolve_coordinate(&pos, from, to, promotion).expect("the move is legal");
        assert_eq!(san(&pos, mv).as_str(), want, "{fen} {from_to}");
    }

    #[test]
    fn written() {
        check("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "a1d1", None, "Rd1");
        check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "a1d1", None, "Rad1");
        check("4k3/8/8/8/8/8/4K3/R6R w - - 0 1", "h1h8", None, "Rh8+");
        check("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", None, "R1a3");
        check("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3", None, "R5a3");
        check("7k/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e1", None, "Q4e1+");
        check("7k/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "a4e4", None, "Qae4+");
        // Rivals on another file and on the same one: both coordinates.
        check("7k/8/8/8/Q6Q/8/8/K6Q w - - 0 1", "h4e4", None, "Qh4e4+");
        // The rank alone would do, but a rival on another file always brings the file.
        check("4k3/8/8/R7/8/8/3R4/4K3 w - - 0 1", "a5d5", None, "Rad5");
        // A pinned rival does not count.
        check("4r1k1/8/8/8/8/2N1N3/8/4K3 w - - 0 1", "c3d5", None, "Nd5");
        check("6k1/8/8/8/8/2N1N3/8/4K3 w - - 0 1", "c3d5", None, "Ncd5");
        check("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", None, "O-O");
        check("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", None, "O-O-O");
        check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", None, "O-O+");
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", None, "exd6");
        check("3n1k2/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8", Some(Role::Queen), "exd8=Q+");
        check("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1", "e7e8", Some(Role::Knight), "e8=N+");
        check("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "e1e8", None, "Re8#");
        // Stalemate has no sign.
        check("7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "f6f7", None, "Kf7");
    }

    #[test]
    fn null_moves() {
        let pos = position("4k3/8/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(san(&pos, null_move(&pos)).as_str(), "--");
        let pos = position("4k3/8/8/8/4R3/8/8/4K3 w - - 0 1");
        assert_eq!(san(&pos, null_move(&pos)).as_str(), "--+");
    }

    /// Reads back a move that [`san`] wrote.
    fn resolve(pos: &Position, text: &str) -> Option<Move> {
        let text = text.trim_end_matches(['+', '#']);
        if text.starts_with('O') {
            return castling(pos, text == "O-O");
        }
        let (text, promotion) = match text.split_once('=') {
            Some((text, role)) => (text, Role::from_letter(role.as_bytes()[0])),
            None => (text, None),
        };
        let role = Role::from_letter(text.as_bytes()[0]);
        let squares = text.trim_start_matches(|c: char| c.is_ascii_uppercase()).replace('x', "");
        let (origin, to) = squares.as_bytes().split_at(squares.len() - 2);
        let to = Square::parse(to)?;
        let file = origin.iter().find(|b| b.is_ascii_lowercase()).map(|b| b - b'a');
        let rank = origin.iter().find(|b| b.is_ascii_digit()).map(|b| b - b'1');
        match role {
            Some(role) => resolve_piece(pos, role, to, file, rank),
            None => resolve_pawn(pos, file, rank, to, promotion),
        }
    }

    fn check_round_trip(pos: &Position) -> Result<(), TestCaseError> {
        let mut moves = MoveList::new();
        pos.legal_moves(&mut moves);
        for &mv in &moves {
            let text = san(pos, mv);
            // If the next move is known, `san_followed` does not look for a legal one.
            let next = pos.play(mv);
            let mut replies = MoveList::new();
            next.legal_moves(&mut replies);
            for reply in replies.iter().copied() {
                prop_assert_eq!(san_followed(pos, mv, &next, || Some(reply)), text);
            }
            prop_assert_eq!(resolve(pos, text.as_str()), Some(mv), "{} {}", pos.fen(), text);
            let rare = Letters::of_rare(pos, mv).finish();
            let usual = Letters::of_usual(pos, mv).map_or(rare, Letters::finish);
            prop_assert_eq!(usual, rare, "{}", pos.fen());
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn legal_moves_resolve_to_themselves(pos in played_position()) {
            check_round_trip(&pos)?;
        }

        /// King moves ignore disambiguation, so boards with several own kings are left out.
        #[test]
        fn also_on_impossible_boards(mut pos in any_position()) {
            for color in Color::ALL {
                let kings = pos.board.kings(color);
                pos.board.clear(kings - kings.first().map_or(SquareSet::EMPTY, Square::set));
            }
            // Castling is resolved without the right; legal moves have it.
            check_round_trip(&pos)?;
        }

        #[test]
        fn never_panics(pos in any_position()) {
            let mut moves = MoveList::new();
            pos.pseudolegal_moves(&mut moves);
            for &mv in moves.iter().chain([&null_move(&pos)]) {
                prop_assert!(!san(&pos, mv).as_bytes().is_empty());
            }
        }
    }
}

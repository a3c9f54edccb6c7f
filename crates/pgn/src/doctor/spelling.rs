//! Spells moves as PGN does, and recognizes spellings that a search reads and other programs do
//! not.

use board::Square;

use crate::tree::GameTree;

impl GameTree {
    /// Whether the move to a node is spelled as other programs read it, apart from signs of check:
    /// as `exd5`, `ed5`, `e4d5` or `e4xd5`. A cross is only allowed in a capture.
    pub(super) fn is_usual(&self, node: usize, written: &[u8]) -> bool {
        let Some(mv) = self.move_to(node) else {
            return false;
        };
        if mv.is_castle() {
            return matches!(written, b"O-O" | b"O-O-O");
        }
        if mv.is_null() || mv.is_drop() {
            return written != b"null";
        }
        let rest = match written.split_first() {
            Some((b'K' | b'Q' | b'R' | b'B' | b'N', rest)) => rest,
            _ => written,
        };
        let has_letter = rest.len() < written.len();
        let rest = match (mv.promotion(), rest) {
            (Some(role), [rest @ .., last]) if *last == role.letter() => {
                rest.strip_suffix(b"=").unwrap_or(rest)
            }
            (Some(_), _) => return false,
            (None, rest) => rest,
        };
        let Some((origin, [file, rank])) = rest.split_last_chunk() else {
            return false;
        };
        let (origin, sign) = match origin {
            [origin @ .., sign @ (b'x' | b'-')] => (origin, *sign),
            origin => (origin, 0),
        };
        // A search ignores the origin of a king.
        let from = mv.from();
        let is_origin = match *origin {
            [] => sign == 0 || sign == b'x' && has_letter,
            [file @ b'a'..=b'h'] => sign != b'-' && file - b'a' == from.file(),
            [rank @ b'1'..=b'8'] => sign != b'-' && has_letter && rank - b'1' == from.rank(),
            [file, rank] => Square::parse(&[file, rank]) == Some(from),
            _ => false,
        };
        let captures = || {
            let before = &self.positions()[self.parent(node)];
            mv.captured_square(&before.board).is_some()
        };
        is_origin && Square::parse(&[*file, *rank]).is_some() && (sign != b'x' || captures())
    }

    /// Returns the move to a node in PGN, without signs of check.
    pub(super) fn usual(&self, node: usize) -> Vec<u8> {
        let san = self.san(node);
        let san = san.as_ref().map_or(&b""[..], |san| san.as_bytes());
        let signs = san.iter().rev().take_while(|b| matches!(b, b'+' | b'#'));
        san[..san.len() - signs.count()].to_vec()
    }
}

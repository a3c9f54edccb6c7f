//! Reduces written moves to the bytes that matter, and finds the legal moves that they mean.

use board::{
    Move, Position, Role, Square, resolve_coordinate, resolve_pawn, resolve_pawn_files,
    resolve_piece,
};

/// The bytes of a written move without its signs. A longer text is no move, but is shown in
/// messages.
#[derive(Default)]
pub(super) struct Kept {
    text: Vec<u8>,
}

/// Contents of a written piece move.
pub(super) struct PieceText {
    pub(super) role: Role,
    pub(super) from_file: Option<u8>,
    pub(super) from_rank: Option<u8>,
    pub(super) to: Square,
}

impl Kept {
    pub(super) fn push(&mut self, byte: u8) {
        self.text.push(byte);
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.text
    }

    pub(super) fn ends_with_digit(&self) -> bool {
        self.text.last().is_some_and(u8::is_ascii_digit)
    }

    pub(super) fn ends_with_digit_and_e(&self) -> bool {
        matches!(self.text[..], [.., b'0'..=b'9', b'e'])
    }

    /// Resolves letter, origin file or rank or both, and destination.
    pub(super) fn piece_move(&self, pos: &Position) -> Option<Move> {
        let PieceText { role, from_file, from_rank, to } = self.as_piece_move()?;
        resolve_piece(pos, role, to, from_file, from_rank)
    }

    pub(super) fn as_piece_move(&self) -> Option<PieceText> {
        let [letter, origin @ .., file, rank] = &self.text[..] else {
            return None;
        };
        let to = Square::parse(&[*file, *rank])?;
        let (from_file, from_rank) = match *origin {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file - b'a'), None),
            [rank] => (None, Some(rank - b'1')),
            [file, rank] => {
                let from = Square::parse(&[file, rank])?;
                (Some(from.file()), Some(from.rank()))
            }
            _ => return None,
        };
        let role = match letter {
            b'K' => Role::King,
            letter => promotion_role(*letter)?,
        };
        Some(PieceText { role, from_file, from_rank, to })
    }

    /// Returns the destination of a king move, if this may be one: `Kh1`, or `e1h1` with the king
    /// on `king`.
    pub(super) fn king_target(&self, king: Square) -> Option<Square> {
        match self.text[..] {
            [b'K', file, rank] => Square::parse(&[file, rank]),
            [from_file, from_rank, file, rank] => (Square::parse(&[from_file, from_rank])? == king)
                .then(|| Square::parse(&[file, rank]))?,
            _ => None,
        }
    }

    /// Resolves `e4`, `ed`, `ed5` or `e2e4`.
    pub(super) fn pawn_move(&self, pos: &Position, promotion: Option<Role>) -> Option<Move> {
        let file_of = |byte: u8| matches!(byte, b'a'..=b'h').then(|| byte - b'a');
        match self.text[..] {
            [from, to @ b'a'..=b'h'] => {
                resolve_pawn_files(pos, file_of(from)?, to - b'a', promotion)
            }
            [file, rank] => {
                let to = Square::parse(&[file, rank])?;
                resolve_pawn(pos, Some(to.file()), None, to, promotion)
            }
            [from, file, rank] => {
                let to = Square::parse(&[file, rank])?;
                resolve_pawn(pos, Some(file_of(from)?), None, to, promotion)
            }
            [from_file, from_rank, file, rank] => {
                let from = Square::parse(&[from_file, from_rank])?;
                resolve_coordinate(pos, from, Square::parse(&[file, rank])?, promotion)
            }
            _ => None,
        }
    }
}

pub(super) fn promotion_role(letter: u8) -> Option<Role> {
    match letter {
        b'Q' => Some(Role::Queen),
        b'R' => Some(Role::Rook),
        b'B' => Some(Role::Bishop),
        b'N' => Some(Role::Knight),
        _ => None,
    }
}

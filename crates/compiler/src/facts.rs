//! Small functions on numbers, boards and moves for the optimizer and the evaluator.

use std::iter;

use board::{Board, Color, Move, Piece, Placement, Role, SquareSet, Squares};
pub use syntax::tree::holds;

/// The bit of a piece in a mask of piece types.
#[inline]
pub fn kind(piece: Piece) -> u16 {
    1 << (piece.color as u16 * 6 + piece.role as u16)
}

/// Mask of all white pieces.
pub const ROLES: u16 = 0x3f;

/// Mask of all pieces and empty squares.
pub const ANYTHING: u16 = 0x1fff;

/// Mask of the pawns of both colors.
pub const PAWNS: u16 = 1 | 1 << 6;

/// Mask of the kings of both colors.
pub const KINGS: u16 = 1 << 5 | 1 << 11;

/// The bit of empty squares in a mask of piece types.
pub const EMPTY: u16 = 1 << 12;

/// Mask of all pieces.
pub const ALL_PIECES: u16 = EMPTY - 1;

/// The pieces in a mask, by [`Piece::index`]; the bit of empty squares is ignored.
#[inline]
pub fn pieces_of(kinds: u16) -> impl Iterator<Item = usize> {
    let mut rest = kinds & ALL_PIECES;
    iter::from_fn(move || {
        let piece = rest.trailing_zeros() as usize;
        // Clear the lowest bit.
        rest &= rest.wrapping_sub(1);
        (piece < 12).then_some(piece)
    })
}

/// The squares that hold one of `kinds` (bit 0–5 white pawn … king, 6–11 black, 12 empty).
#[inline]
pub fn squares_of_kinds<P: Placement>(board: &P, kinds: u16) -> P::Set {
    let none = P::Set::of(SquareSet::EMPTY);
    let of_roles = |mut roles: u16| {
        let mut squares = none;
        while roles != 0 {
            squares = squares | board.role(Role::ALL[roles.trailing_zeros() as usize]);
            roles &= roles - 1;
        }
        squares
    };
    let of_color = |color, roles| match roles {
        0 => none,
        ROLES => board.color(color),
        _ => of_roles(roles) & board.color(color),
    };
    let (white, black) = (kinds & ROLES, kinds >> 6 & ROLES);
    let men = match kinds & ALL_PIECES {
        ALL_PIECES => board.occupied(),
        _ if white == black => of_roles(white),
        _ if black == 0 => of_color(Color::White, white),
        _ if white == 0 => of_color(Color::Black, black),
        _ => of_color(Color::White, white) | of_color(Color::Black, black),
    };
    if kinds & EMPTY == 0 { men } else { men | !board.occupied() }
}

/// The values of the left and the right operand of a dash.
pub type Operands = (SquareSet, SquareSet);

/// Whether `mv`, played on `board`, is a move (or, for a capture dash, a capture) from a square
/// of the left operand to a square of the right one. Castling is two such moves.
#[inline]
pub fn is_admissible(mv: Move, board: &Board, capture: bool, (left, right): Operands) -> bool {
    if capture {
        let victim = mv.captured_square(board);
        return left.contains(mv.from()) && victim.is_some_and(|sq| right.contains(sq));
    }
    let by_king = left.contains(mv.from()) && right.contains(mv.to());
    by_king || mv.rook_from_to().is_some_and(|(from, to)| left.contains(from) && right.contains(to))
}

//! Parses the usual tokens on a short way, eight bytes at a time.
//!
//! It accepts only tokens that the exact parser would read in the same way, and leaves everything
//! else to it. Its speed depends on branches that cannot be predicted (which piece, captured or
//! not, number of digits), so lengths and squares are computed rather than searched for.

use board::{Move, Position, Role, Square, SquareSet, find_pawn_move, find_piece_move};

use super::Parser;
use crate::bytes::each;

impl Parser<'_> {
    /// Reads tokens as long as they are ordinary ones: move numbers, moves of the common forms,
    /// signs of check, comments. Stops at the first token that needs the exact parser.
    pub(super) fn read_ordinary(&mut self) {
        let text = self.text;
        let mut at = self.at;
        // The positions of the tree are written, not read.
        let mut position = *self.pos();
        while let Some(word) = next_word(text, at) {
            let byte = word as u8;
            let kind = KINDS[usize::from(byte)];
            if kind >= PAWN {
                let Some((mv, len)) = ordinary_move(&position, word, kind) else {
                    break;
                };
                let Some(next) = position.play_safely(mv) else {
                    break;
                };
                if self.build.push_reaching(mv, &next).is_err() {
                    break;
                }
                position = next;
                at += len as usize;
            } else if kind == DIGIT {
                let digits = leading_digits(word);
                // Eight digits are no number: the byte after them is a digit again, by the count
                // modulo eight.
                let behind = nth_byte(word, digits);
                if behind != b'.' && behind != b' ' {
                    break;
                }
                at += digits as usize + 1;
            } else if kind == SPACE {
                at += 1;
            } else if kind == SIGN && KINDS[usize::from(nth_byte(word, 1))] == SPACE {
                at += 2;
            } else if byte == b'{' {
                self.at = at;
                if self.comment().is_err() {
                    break;
                }
                at = self.at;
            } else {
                break;
            }
        }
        self.at = at;
    }
}

/// Returns the next eight bytes of a text.
#[inline(always)]
fn next_word(text: &[u8], at: usize) -> Option<u64> {
    let bytes = text.get(at..)?.first_chunk()?;
    Some(u64::from_le_bytes(*bytes))
}

/// Returns one of eight bytes; `n` counts modulo eight.
#[inline(always)]
fn nth_byte(word: u64, n: u32) -> u8 {
    (word >> (n.wrapping_mul(8) & 63)) as u8
}

/// Reads a move in one of the common forms from the next eight bytes, which may leave the king
/// attacked. Returns it with the number of bytes to skip, including white space after the move.
// Not inlined: where the board has just been read in parts, the next one is not computed whole.
#[inline(never)]
fn ordinary_move(pos: &Position, word: u64, kind: u8) -> Option<(Move, u32)> {
    let len = length_of_word(word);
    let behind = nth_byte(word, len);
    let file = nth_byte(word, len.wrapping_sub(2)).wrapping_sub(b'a');
    let rank = nth_byte(word, len.wrapping_sub(1)).wrapping_sub(b'1');
    let ends = ENDS_MOVE >> (behind & 63) & u64::from(behind < 64);
    if !(2..8).contains(&len) | (file | rank > 7) | (ends & 1 == 0) {
        return None;
    }
    let to = Square::from_coords(file, rank);
    let second = nth_byte(word, 1);
    let mv = if kind == PAWN {
        // Accepts `e4` and `exd5`.
        if (len != 2) & ((len != 4) | (second != b'x')) {
            return None;
        }
        find_pawn_move(pos, Some(word as u8 - b'a'), None, to, None)
    } else {
        // Accepts `Nd2`, `Nxd2`, `Nbd2`, `N1d2`, `Nbxd2`, `N1xd2`. Other second bytes have no
        // origins.
        if !(3..=5).contains(&len) | (len == 5) & (nth_byte(word, 2) != b'x') {
            return None;
        }
        let hint = if len == 3 { b'x' } else { second };
        let role = Role::ALL[usize::from(kind - PAWN)];
        find_piece_move(pos, role, to, ORIGINS[usize::from(hint & 127)])
    };
    Some((mv?, len + u32::from(behind <= b' ')))
}

/// Squares that a piece may come from if this byte is between its letter and the destination.
const ORIGINS: [SquareSet; 128] = {
    let mut origins = [SquareSet::EMPTY; 128];
    origins[b'x' as usize] = SquareSet::ALL;
    let mut i = 0;
    while i < 8 {
        origins[b'a' as usize + i] = SquareSet::file(i as u8);
        origins[b'1' as usize + i] = SquareSet::rank(i as u8);
        i += 1;
    }
    origins
};

// Kinds of bytes that may begin an ordinary token; the roles of pieces follow that of the pawn.
const SPACE: u8 = 1;
const SIGN: u8 = 2;
const DIGIT: u8 = 3;
const PAWN: u8 = 4;

const KINDS: [u8; 256] = {
    let mut kinds = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b' ' | b'\t'..=b'\r' | b'.' => SPACE,
            b'+' | b'#' => SIGN,
            // A word of zeros may be castling.
            b'1'..=b'9' => DIGIT,
            b'a'..=b'h' => PAWN,
            b'N' => PAWN + Role::Knight as u8,
            b'B' => PAWN + Role::Bishop as u8,
            b'R' => PAWN + Role::Rook as u8,
            b'Q' => PAWN + Role::Queen as u8,
            b'K' => PAWN + Role::King as u8,
            _ => 0,
        };
        byte += 1;
    }
    kinds
};

/// Bytes below `,` that end a move on the short way: ASCII white space and `!#)+`, as bits.
const ENDS_MOVE: u64 = 0x1F << b'\t' | 1 << b' ' | 1 << b'!' | 1 << b'#' | 1 << b')' | 1 << b'+';

/// Returns the number of bytes before the first of eight that is below `,`, as white space and most
/// signs are.
#[inline(always)]
fn length_of_word(word: u64) -> u32 {
    let below = word.wrapping_sub(each(b',')) & !word & each(0x80);
    below.trailing_zeros() / 8
}

/// Returns the number of bytes before the first of eight that is no digit.
#[inline(always)]
fn leading_digits(word: u64) -> u32 {
    let flipped = word ^ each(b'0');
    let others = (((flipped & each(0x7F)) + each(0x80 - 10)) | flipped) & each(0x80);
    others.trailing_zeros() / 8
}

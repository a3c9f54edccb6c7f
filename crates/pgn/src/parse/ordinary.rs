//! The short way: tokens as nearly all are, taken eight bytes at a time.
//!
//! It accepts only what the exact parser would read the same, and leaves everything else to it.
//! What limits it is the branches that nobody can foresee (which piece, captured or not, how many
//! digits), so lengths and squares are computed rather than searched for.

use board::{Move, Role, Square, resolve_pawn, resolve_piece};

use super::Parser;
use crate::bytes::each;
use crate::tree::POSITION_LIMIT;

impl Parser<'_> {
    /// Reads on as long as the tokens are ordinary ones: move numbers, moves of the common forms,
    /// signs of check, comments. Stops at the first token that needs a closer look.
    pub(super) fn read_ordinary(&mut self) {
        while self.tree.nodes.len() < POSITION_LIMIT {
            let Some(word) = self.peek() else { return };
            let byte = word as u8;
            let kind = KINDS[usize::from(byte)];
            if kind >= PAWN {
                let len = match self.ordinary_move(word, kind) {
                    Some((mv, len)) => {
                        self.push(mv);
                        len
                    }
                    None => return,
                };
                self.at += len as usize;
            } else if kind == DIGIT {
                let digits = leading_digits(word);
                // Eight digits have themselves behind them, and so are no number.
                let behind = (word >> ((digits * 8) & 63)) as u8;
                if behind != b'.' && behind != b' ' {
                    return;
                }
                self.at += digits as usize + 1;
            } else if kind == SPACE {
                self.at += 1;
            } else if kind == SIGN && KINDS[usize::from((word >> 8) as u8)] == SPACE {
                self.at += 2;
            } else if byte != b'{' || self.comment().is_err() {
                return;
            }
        }
    }

    /// The next eight bytes.
    #[inline(always)]
    fn peek(&self) -> Option<u64> {
        let bytes = self.text.get(self.at..)?.first_chunk()?;
        Some(u64::from_le_bytes(*bytes))
    }

    /// Reads a move in one of the common forms from the next eight bytes; with it the length to
    /// go on by, which includes white space behind the move.
    #[inline(always)]
    fn ordinary_move(&self, word: u64, kind: u8) -> Option<(Move, u32)> {
        let len = length_of_word(word);
        let byte = |i: u32| (word >> (i.wrapping_mul(8) & 63)) as u8;
        let behind = byte(len);
        let file = byte(len.wrapping_sub(2)).wrapping_sub(b'a');
        let rank = byte(len.wrapping_sub(1)).wrapping_sub(b'1');
        if !(2..8).contains(&len) || file | rank > 7 || ENDS_MOVE >> behind & 1 == 0 {
            return None;
        }
        let to = Square::from_coords(file, rank);
        let mv = if kind == PAWN {
            if len != 2 && !(len == 4 && byte(1) == b'x') {
                return None;
            }
            resolve_pawn(self.pos(), Some(byte(0) - b'a'), None, to, None)
        } else {
            let (mut from_file, mut from_rank) = (None, None);
            if len != 3 {
                // `Nxd2`, `Nbd2`, `N1d2`, `Nbxd2`, `N1xd2`
                let hint = byte(1);
                if !(4..=5).contains(&len) || len == 5 && byte(2) != b'x' {
                    return None;
                }
                match hint {
                    b'x' if len == 4 => {}
                    b'a'..=b'h' => from_file = Some(hint - b'a'),
                    b'1'..=b'8' => from_rank = Some(hint - b'1'),
                    _ => return None,
                }
            }
            let role = Role::ALL[usize::from(kind - PAWN)];
            resolve_piece(self.pos(), role, to, from_file, from_rank)
        };
        Some((mv?, len + u32::from(behind <= b' ')))
    }
}

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
            b'0'..=b'9' => DIGIT,
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

/// How many of eight bytes come before the first below `,`, as white space and most signs are.
#[inline(always)]
fn length_of_word(word: u64) -> u32 {
    let below = word.wrapping_sub(each(b',')) & !word & each(0x80);
    below.trailing_zeros() / 8
}

/// How many of eight bytes come before the first that is no digit.
#[inline(always)]
fn leading_digits(word: u64) -> u32 {
    let flipped = word ^ each(b'0');
    let others = (((flipped & each(0x7F)) + each(0x80 - 10)) | flipped) & each(0x80);
    others.trailing_zeros() / 8
}

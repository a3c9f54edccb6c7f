//! Reads and writes FEN.
//!
//! [`parse_position`] reads the notation and accepts any placement. [`parse_fen`] adds the
//! requirements of the reference implementation (CQL 6.2) for the FEN tag of a game — one king a
//! side, at most sixteen pieces a side — and is otherwise equally generous: slashes may be left
//! out, and so may every field after the side to move.

use std::fmt;

use crate::board::Board;
use crate::castling::{CastlingRights, partners_at_home};
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::square::Square;

/// Reason why a FEN was refused.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum FenError {
    /// A sign in the board that is no piece, digit 1–8 or slash.
    Sign(u8),
    /// A rank with more or fewer than eight squares.
    Rank {
        /// Its number, 1 to 8.
        rank: u8,
        /// Number of its squares.
        squares: usize,
    },
    /// More or fewer than eight ranks, between slashes.
    Ranks(usize),
    /// More or fewer than 64 squares, without slashes.
    Length(usize),
    /// The side to move is not `w` or `b`.
    Turn,
    /// A castling field other than `-` or letters `KQkq` (in Chess960 also `A`–`H` and `a`–`h`).
    Castling,
    /// An en passant field other than `-` or a square of the third or sixth rank.
    EnPassant,
    /// A side has no king or several.
    Kings,
    /// A side has more than sixteen pieces.
    Pieces,
}

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match *self {
            FenError::Sign(sign) => {
                return write!(f, "invalid sign '{}' in the board", sign.escape_ascii());
            }
            FenError::Rank { rank, squares } => {
                return write!(f, "rank {rank} has {}, not 8", counted(squares as u64, "square"));
            }
            FenError::Ranks(ranks) => {
                return write!(f, "the board has {}, not 8", counted(ranks as u64, "rank"));
            }
            FenError::Length(squares) => {
                return write!(f, "the board has {}, not 64", counted(squares as u64, "square"));
            }
            FenError::Turn => "side to move is not 'w' or 'b'",
            FenError::Castling => "invalid castling field",
            FenError::EnPassant => "invalid en passant field",
            FenError::Kings => "a side does not have exactly one king",
            FenError::Pieces => "a side has more than 16 pieces",
        })
    }
}

impl std::error::Error for FenError {}

/// Returns a number with its noun: `1 game`, `2 games`.
#[must_use]
pub fn counted(n: u64, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// Returns what is wrong with a board of the wrong size.
fn wrong_size(text: &[u8]) -> FenError {
    let squares = |rank: &[u8]| {
        let each = rank.iter().map(|&sign| match sign {
            b'1'..=b'8' => usize::from(sign - b'0'),
            _ => 1,
        });
        each.sum::<usize>()
    };
    let ranks: Vec<usize> = text.split(|&sign| sign == b'/').map(squares).collect();
    match ranks.len() {
        1 => FenError::Length(ranks[0]),
        8 => {
            let mut ranks = (1..=8).rev().zip(ranks);
            let (rank, squares) = ranks.find(|&(_, squares)| squares != 8).unwrap_or((8, 8));
            FenError::Rank { rank, squares }
        }
        n => FenError::Ranks(n),
    }
}

/// Reads the first field of a FEN; any placement of pieces is accepted.
pub fn parse_board(text: &[u8]) -> Result<Board, FenError> {
    let mut board = Board::EMPTY;
    // Squares in FEN order, a8 first.
    let mut n = 0u8;
    let mut after_slash = false;
    for &sign in text {
        match sign {
            b'/' => {
                if n == 0 || !n.is_multiple_of(8) || n == 64 || after_slash {
                    return Err(wrong_size(text));
                }
            }
            b'1'..=b'8' => n += sign - b'0',
            _ => {
                let piece = Piece::from_letter(sign).ok_or(FenError::Sign(sign))?;
                if n >= 64 {
                    return Err(wrong_size(text));
                }
                board.put(Square::new(n).flip_rank(), piece);
                n += 1;
            }
        }
        if n > 64 {
            return Err(wrong_size(text));
        }
        after_slash = sign == b'/';
    }
    if n == 64 { Ok(board) } else { Err(wrong_size(text)) }
}

/// Reads a FEN; any placement of pieces is accepted.
///
/// Fields after the side to move may be missing: castling rights are then guessed from kings and
/// rooks at home, the clocks are 0 and 1. Text after the sixth field is ignored.
pub fn parse_position(text: &[u8]) -> Result<Position, FenError> {
    let (mut pos, field) = parse_without_castling(text)?;
    pos.castling = match field {
        Some(field) => parse_castling(field)?,
        None => guess_castling(&pos),
    };
    Ok(pos)
}

/// Reads a FEN except its castling field, which is returned as it is written.
///
/// Blanks between fields may be left out if it is clear where each field ends: a board ends with
/// its last square; `w`, `b` and `-` are one character, a square is two.
pub(crate) fn parse_without_castling(text: &[u8]) -> Result<(Position, Option<&[u8]>), FenError> {
    let (board, mut rest) = text.trim_ascii().split_at(board_len(text.trim_ascii()));
    let board = parse_board(board)?;
    let turn = match field(&mut rest, |_| 1) {
        Some(b"w") => Color::White,
        Some(b"b") => Color::Black,
        _ => return Err(FenError::Turn),
    };
    let mut pos = Position::new(board, turn);
    let castling = field(&mut rest, castling_len);
    pos.en_passant = match field(&mut rest, |rest| 1 + usize::from(rest[0] != b'-')) {
        None | Some(b"-") => None,
        Some(field) => {
            let sq = Square::parse(field).filter(|sq| matches!(sq.rank(), 2 | 5));
            Some(sq.ok_or(FenError::EnPassant)?)
        }
    };
    let mut number = |missing| {
        let number = field(&mut rest, <[u8]>::len).and_then(leading_number);
        number.unwrap_or(missing)
    };
    pos.halfmove_clock = number(0);
    pos.fullmove_number = number(1);
    Ok((pos, castling))
}

/// Takes the next field off a text: as many bytes of the next word as the function returns.
fn field<'a>(text: &mut &'a [u8], len: impl Fn(&[u8]) -> usize) -> Option<&'a [u8]> {
    let rest = text.trim_ascii_start();
    let word = rest.split(u8::is_ascii_whitespace).next()?;
    if word.is_empty() {
        return None;
    }
    let (field, rest) = rest.split_at(len(word).min(word.len()));
    *text = rest;
    Some(field)
}

/// Length of the board in a text: up to its last square if the side to move follows at once,
/// otherwise up to white space.
fn board_len(text: &[u8]) -> usize {
    let mut squares = 0;
    let full = text.iter().position(|&sign| {
        squares += match sign {
            b'1'..=b'8' => usize::from(sign - b'0'),
            sign => usize::from(sign.is_ascii_alphabetic()),
        };
        squares >= 64
    });
    match full {
        Some(last) if matches!(text.get(last + 1), Some(b'w' | b'b')) => last + 1,
        _ => {
            let blank = text.iter().position(u8::is_ascii_whitespace);
            blank.unwrap_or(text.len())
        }
    }
}

/// Length of the castling field in a word: `-`, or the letters, except the file of a square that
/// follows them.
fn castling_len(word: &[u8]) -> usize {
    if word[0] == b'-' {
        return 1;
    }
    let letters = word.iter().take_while(|b| b.is_ascii_alphabetic()).count();
    match word.get(letters) {
        None | Some(b'-') => letters,
        Some(b'3' | b'6') if letters > 1 => letters - 1,
        Some(_) => word.len(),
    }
}

/// Reads a FEN by the rules for the FEN tag of a game: as [`parse_position`], with exactly one king
/// and at most sixteen pieces a side. Whether the position is legal is not checked.
pub fn parse_fen(text: &[u8]) -> Result<Position, FenError> {
    let pos = parse_position(text)?;
    check_pieces(&pos)?;
    Ok(pos)
}

/// Checks the requirements of the FEN tag of a game.
pub(crate) fn check_pieces(pos: &Position) -> Result<(), FenError> {
    for color in Color::ALL {
        if pos.board.kings(color).len() != 1 {
            return Err(FenError::Kings);
        }
        if pos.board.color(color).len() > 16 {
            return Err(FenError::Pieces);
        }
    }
    Ok(())
}

fn parse_castling(field: &[u8]) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    if field == b"-" {
        return Ok(rights);
    }
    for &letter in field {
        match Piece::from_letter(letter) {
            Some(Piece { color, role: Role::King }) => rights.insert(color, true),
            Some(Piece { color, role: Role::Queen }) => rights.insert(color, false),
            _ => return Err(FenError::Castling),
        }
    }
    Ok(rights)
}

fn guess_castling(pos: &Position) -> CastlingRights {
    let mut rights = CastlingRights::NONE;
    for color in Color::ALL {
        for king_side in [true, false] {
            if partners_at_home(pos, color, king_side) {
                rights.insert(color, king_side);
            }
        }
    }
    rights
}

/// The number at the start of a field, at most 65,535.
fn leading_number(field: &[u8]) -> Option<u16> {
    let digits = field.iter().take_while(|byte| byte.is_ascii_digit());
    let add = |n: Option<u16>, digit: &u8| {
        Some(n.unwrap_or(0).saturating_mul(10).saturating_add(u16::from(digit - b'0')))
    };
    digits.fold(None, add)
}

impl Board {
    /// The first field of the FEN.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(72);
        for rank in (0..8).rev() {
            let mut empty = 0u8;
            for file in 0..8 {
                match self.piece_at(Square::from_coords(file, rank)) {
                    None => empty += 1,
                    Some(piece) => {
                        if empty > 0 {
                            text.push(char::from(b'0' + empty));
                            empty = 0;
                        }
                        text.push(char::from(piece.letter()));
                    }
                }
            }
            if empty > 0 {
                text.push(char::from(b'0' + empty));
            }
            if rank > 0 {
                text.push('/');
            }
        }
        text
    }
}

impl Position {
    /// The FEN in six fields; castling is written in the order `KQkq`.
    #[must_use]
    pub fn fen(&self) -> String {
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        let mut text = format!("{} {turn} {} ", self.board.fen(), self.castling);
        match self.en_passant {
            Some(sq) => text.push_str(&sq.to_string()),
            None => text.push('-'),
        }
        text + &format!(" {} {}", self.halfmove_clock, self.fullmove_number)
    }
}

/// The castling field of a FEN: letters in the order `KQkq`, or `-`.
impl fmt::Display for CastlingRights {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        for (bit, letter) in ["K", "Q", "k", "q"].into_iter().enumerate() {
            if self.bits() >> bit & 1 != 0 {
                f.write_str(letter)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::testing::any_position;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn check(text: &str, want: Result<&str, FenError>) {
        let got = parse_fen(text.as_bytes()).map(|pos| pos.fen());
        assert_eq!(got.as_deref(), want.as_deref(), "{text}");
    }

    #[test]
    fn accepted() {
        let full = "r3k2r/8/8/8/8/8/8/R3K2R";
        assert_eq!(Position::START.fen(), format!("{START} w KQkq - 0 1"));
        check(&format!("{START} w KQkq - 0 1"), Ok(&Position::START.fen()));
        check(&format!("  {full}  b  kQ  e3  7  42  "), Ok(&format!("{full} b Qk e3 7 42")));
        check(&format!("{full} w"), Ok(&format!("{full} w KQkq - 0 1")));
        check(&format!("{full} w -"), Ok(&format!("{full} w - - 0 1")));
        check(&format!("{full} w - h6"), Ok(&format!("{full} w - h6 0 1")));
        check(&format!("{full} w - - 99999 3x9 bm e4;"), Ok(&format!("{full} w - - 65535 3")));
        check(&format!("{full} w - - x x"), Ok(&format!("{full} w - - 0 1")));
        check("4k3/8/8/8/8/8/8/4K2R b", Ok("4k3/8/8/8/8/8/8/4K2R b K - 0 1"));
        // Slashes are optional, rights are believed, legality is not checked.
        check("4k38888884K3 w KQ - 0 1", Ok("4k3/8/8/8/8/8/8/4K3 w KQ - 0 1"));
        check("P2Rk2p/8/8/8/8/8/8/4K3 w - -", Ok("P2Rk2p/8/8/8/8/8/8/4K3 w - - 0 1"));
    }

    #[test]
    fn blanks_may_be_left_out() {
        let board = "8/8/8/8/8/7k/8/K6R";
        for (rest, fields) in [
            (" w - -1", "w - - 1 1"),
            (" w - -1 7", "w - - 1 7"),
            (" w --3 4", "w - - 3 4"),
            (" w -e6", "w - e6 0 1"),
            (" w Ke6 3", "w K e6 3 1"),
            (" w K- 3", "w K - 3 1"),
            (" b-", "b - - 0 1"),
            ("b--", "b - - 0 1"),
            ("w", "w - - 0 1"),
            ("wK- 5 6", "w K - 5 6"),
        ] {
            let want = format!("{board} {fields}");
            check(&format!("{board}{rest}"), Ok(&want));
        }
        check(&format!("{board}bb"), Err(FenError::Castling));
        check(&format!("{board}b-b-"), Err(FenError::EnPassant));
    }

    #[test]
    fn refused() {
        check("", Err(FenError::Length(0)));
        check("4k3888888 w", Err(FenError::Length(56)));
        check("8/8/8/8/8/8/8/4K3 w - - 0 1", Err(FenError::Kings));
        check("kk6/8/8/8/8/8/8/4K3 w - - 0 1", Err(FenError::Kings));
        check(START, Err(FenError::Turn));
        check(&format!("{START} W"), Err(FenError::Turn));
        check(&format!("{START} w KX"), Err(FenError::Castling));
        check(&format!("{START} w - e4"), Err(FenError::EnPassant));
        check(&format!("{START} w - i3"), Err(FenError::EnPassant));
        let rank = |rank, squares| Err(FenError::Rank { rank, squares });
        check("4k3/44/8/8/8/8/8/4K2 w", rank(1, 7));
        check("4k3/8/8/8/8/8/8/4K33 w", rank(1, 11));
        check("4k3/8/8/8/8/8/8/4K3P w", rank(1, 9));
        check("4k2/8/8/8/8/8/8/4K3 w", rank(8, 7));
        check("4k3/8/ppp2pppp/8/8/8/8/4K3 w", rank(6, 9));
        check("4k3//8/8/8/8/8/4K3 w", rank(7, 0));
        check("4k3//8/8/8/8/8/8/4K3 w", Err(FenError::Ranks(9)));
        check("/4k3/8/8/8/8/8/8/4K3 w", Err(FenError::Ranks(9)));
        check("4k3/8/8/8/8/8/8/4K3/ w", Err(FenError::Ranks(9)));
        check("4k3/8/8/8/8/8/4K3 w", Err(FenError::Ranks(7)));
        check("4k3/9/8/8/8/8/8/4K3 w", Err(FenError::Sign(b'9')));
        check("4k3/x7/8/8/8/8/8/4K3 w", Err(FenError::Sign(b'x')));
        check("rnbqkbnr/pppppppp/p7/8/8/8/8/4K3 w", Err(FenError::Pieces));
    }

    proptest! {
        #[test]
        fn round_trip(pos in any_position()) {
            prop_assert_eq!(parse_position(pos.fen().as_bytes()), Ok(pos));
            prop_assert_eq!(parse_board(pos.board.fen().as_bytes()), Ok(pos.board));
        }

        #[test]
        fn no_bytes_panic(bytes: Vec<u8>, fen in "[1-8kKpP/ wb-]{0,90}") {
            let _ = parse_position(&bytes);
            let _ = parse_position(fen.as_bytes());
        }
    }
}

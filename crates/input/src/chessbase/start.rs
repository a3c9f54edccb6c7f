//! Starts of games.

use board::{Board, Color, Piece, Role, Square, Start};

use crate::bytes::Bytes;

/// Squares are counted along the files.
pub(super) fn square(number: u8) -> Square {
    Square::from_coords(number >> 3 & 7, number & 7)
}

/// Start of a game that does not begin as usual.
pub(super) struct SetUp {
    pub(super) fen: String,
    /// `None` if the FEN is no position.
    pub(super) start: Option<Start>,
}

impl SetUp {
    /// Reads a position of 28 bytes, to which Chess960 adds 8. Returns `None` if it is damaged.
    pub(super) fn read(bytes: &mut Bytes<'_>, is_chess960: bool) -> Option<SetUp> {
        bytes.byte()?;
        let (turn, rights, number) = (bytes.byte()?, bytes.byte()?, bytes.byte()?);
        let board = bytes.take(24)?;
        // Kings and rooks, those of White and Black by turns.
        let homes = if is_chess960 { Some(bytes.take(8)?) } else { None };
        let mut bits =
            board.iter().flat_map(|byte| (0..8).rev().map(move |i| usize::from(byte >> i & 1)));
        let mut placement = Board::EMPTY;
        for i in 0..64 {
            if bits.next()? == 0 {
                continue;
            }
            let color = if bits.next()? == 0 { Color::White } else { Color::Black };
            let role = match bits.next()? << 2 | bits.next()? << 1 | bits.next()? {
                1 => Role::King,
                2 => Role::Queen,
                3 => Role::Knight,
                4 => Role::Bishop,
                5 => Role::Rook,
                6 => Role::Pawn,
                _ => return None,
            };
            placement.put(square(i), Piece { color, role });
        }
        let castling = castling(&placement, rights, homes);
        let is_black = turn & 0x10 != 0;
        let en_passant = match (turn & 15).checked_sub(1) {
            Some(file @ 0..8) => {
                format!("{}{}", char::from(b'a' + file), if is_black { '3' } else { '6' })
            }
            _ => "-".to_owned(),
        };
        let turn = if is_black { 'b' } else { 'w' };
        let fen = format!("{} {turn} {castling} {en_passant} 0 {}", placement.fen(), number.max(1));
        let start = Start::parse(fen.as_bytes(), is_chess960).ok();
        Some(SetUp { fen, start })
    }
}

/// Castling as in a FEN. A right without its rook is left out. Rooks of Chess960 are named by their
/// files.
fn castling(board: &Board, rights: u8, homes: Option<&[u8]>) -> String {
    let mut field = String::new();
    let sides = [
        (1, Color::White, true, 4),
        (0, Color::White, false, 2),
        (3, Color::Black, true, 5),
        (2, Color::Black, false, 3),
    ];
    for (bit, color, king_side, home) in sides {
        if rights >> bit & 1 == 0 {
            continue;
        }
        let rank = color.home_rank();
        let corner = Square::from_coords(if king_side { 7 } else { 0 }, rank);
        let rook = homes.and_then(|homes| homes.get(home)).map_or(corner, |home| square(*home));
        let is_rook = rook.rank() == rank && board.pieces(color, Role::Rook).contains(rook);
        let is_home = board.kings(color).contains(Square::from_coords(4, rank));
        let letter = match homes {
            Some(_) if is_rook => b'A' + rook.file(),
            None if !is_rook || !is_home => continue,
            // In Chess960, the outermost rook is meant.
            _ => b"QK"[usize::from(king_side)],
        };
        let letter = char::from(letter);
        field.push(if color == Color::White { letter } else { letter.to_ascii_lowercase() });
    }
    if field.is_empty() { "-".to_owned() } else { field }
}

//! FENs of variants: with pieces in hand and checks, in the spellings of the programs that write
//! them.
//!
//! Pieces in hand follow the board, in brackets (`/RNBQKBNR[Qn]`) or as a ninth rank
//! (`/RNBQKBNR/Qn`), and `~` follows a piece that was promoted. Checks are written before the
//! clocks as those still to be given (`3+3`), or at the end as those already given (`+0+0`). Of
//! both, the first spelling is written.

use super::crazyhouse::IN_HAND;
use super::kind::{Extra, Rules};
use super::situation::Situation;
use crate::castling::CastlingRights;
use crate::fen::{FenError, parse_without_castling};
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::setup::CastlingSetup;
use crate::square::Square;

impl Situation {
    /// Reads a FEN; any placement of pieces is accepted.
    ///
    /// # Errors
    /// As [`parse_position`](crate::parse_position).
    pub fn parse(rules: Rules, text: &[u8]) -> Result<Situation, FenError> {
        let fields = text.split(u8::is_ascii_whitespace);
        let mut fields: Vec<&[u8]> = fields.filter(|field| !field.is_empty()).collect();
        let mut extra = Extra::start(rules);
        if rules.count_checks() {
            take_checks(&mut fields, &mut extra);
        }
        let (board, in_hand) = split_hand(fields.first().copied().unwrap_or_default());
        let mut plain = board_without_marks(board, &mut extra);
        read_hand(in_hand, &mut extra)?;
        for field in fields.iter().skip(1) {
            plain.push(b' ');
            plain.extend_from_slice(field);
        }
        let (mut position, castling) = parse_without_castling(&plain)?;
        let castling = castling.filter(|_| rules.have_castling());
        let setup = setup_other_than_normal(&position, castling);
        position.castling = match castling {
            _ if !rules.have_castling() || setup.is_some() => CastlingRights::NONE,
            Some(letters) => read_castling(letters)?,
            None => Position { castling: CastlingRights::ALL, ..position }.castling_at_home(),
        };
        extra.promoted &= position.board.occupied();
        if rules != Rules::Crazyhouse {
            (extra.hands, extra.promoted) = (Extra::START.hands, SquareSet::EMPTY);
        }
        Ok(Situation { rules, position, setup, extra })
    }

    /// The FEN, with the state that the variant has besides.
    #[must_use]
    pub fn fen(&self) -> String {
        let board = &self.position.board;
        let fen = match &self.setup {
            None => self.position.fen(),
            Some(setup) => {
                let field = setup.fen_field(board, setup.rights());
                self.position.fen_with_castling(&field)
            }
        };
        match self.rules {
            Rules::Crazyhouse => {
                let (_, rest) = fen.split_once(' ').unwrap_or_default();
                format!("{}[{}] {rest}", self.marked_board(), self.hands())
            }
            Rules::ThreeCheck | Rules::FiveCheck => {
                let [white, black] = self.extra.checks_left;
                let mut fields: Vec<&str> = fen.split(' ').collect();
                let checks = format!("{white}+{black}");
                fields.insert(4.min(fields.len()), &checks);
                fields.join(" ")
            }
            _ => fen,
        }
    }

    /// The board, with `~` after pieces that were promoted.
    fn marked_board(&self) -> String {
        let mut marked = String::new();
        let (mut file, mut rank) = (0_u8, 7_u8);
        for letter in self.position.board.fen().chars() {
            marked.push(letter);
            match letter {
                '/' => (file, rank) = (0, rank.saturating_sub(1)),
                '1'..='8' => file += letter as u8 - b'0',
                _ => {
                    if self.extra.promoted.contains(Square::from_coords(file & 7, rank)) {
                        marked.push('~');
                    }
                    file += 1;
                }
            }
        }
        marked
    }

    /// The pieces in hand, White's first, queens first.
    fn hands(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for role in IN_HAND.into_iter().rev() {
                let letter = char::from(Piece::new(color, role).letter());
                let n = self.extra.hands[color.index()][role.index()];
                text.extend(std::iter::repeat_n(letter, usize::from(n)));
            }
        }
        text
    }
}

/// Splits a field into the board and the pieces in hand.
fn split_hand(field: &[u8]) -> (&[u8], &[u8]) {
    let at = |byte| field.iter().position(|&b| b == byte);
    if let Some(start) = at(b'[') {
        let hand = &field[start + 1..];
        return (&field[..start], hand.strip_suffix(b"]").unwrap_or(hand));
    }
    let ninth = field.iter().enumerate().filter(|(_, b)| **b == b'/').nth(7);
    match ninth {
        Some((at, _)) => (&field[..at], &field[at + 1..]),
        None => (field, b""),
    }
}

/// Returns the board without `~`, and notes the pieces that they mark.
fn board_without_marks(board: &[u8], extra: &mut Extra) -> Vec<u8> {
    let mut n = 0_u8;
    let mut plain = Vec::with_capacity(board.len());
    for &byte in board {
        match byte {
            b'~' => {
                if let Some(last) = n.checked_sub(1).filter(|&n| n < 64) {
                    extra.promoted.insert(Square::new(last).flip_rank());
                }
                continue;
            }
            b'1'..=b'8' => n = n.saturating_add(byte - b'0'),
            b'/' => {}
            _ => n = n.saturating_add(1),
        }
        plain.push(byte);
    }
    plain
}

fn read_hand(letters: &[u8], extra: &mut Extra) -> Result<(), FenError> {
    for &letter in letters.iter().filter(|&&b| b != b'-') {
        let piece = Piece::from_letter(letter).filter(|piece| piece.role != Role::King);
        let piece = piece.ok_or(FenError::Sign(letter))?;
        let n = &mut extra.hands[piece.color.index()][piece.role.index()];
        *n = n.saturating_add(1);
    }
    Ok(())
}

/// Squares from which castling starts, if the rights of a FEN are not those of the normal squares.
fn setup_other_than_normal(pos: &Position, letters: Option<&[u8]>) -> Option<CastlingSetup> {
    let setup = CastlingSetup::read(&pos.board, Some(letters?)).ok();
    setup.filter(|setup| !setup.is_normal())
}

/// Reads rights of the normal squares: letters `KQkq`, or the files of the corners. Other files are
/// ignored.
fn read_castling(letters: &[u8]) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::NONE;
    for &letter in letters.iter().filter(|&&b| b != b'-') {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        match letter.to_ascii_lowercase() {
            b'k' | b'h' => rights.insert(color, true),
            b'q' | b'a' => rights.insert(color, false),
            b'b'..=b'g' => {}
            _ => return Err(FenError::Castling),
        }
    }
    Ok(rights)
}

/// Removes the field of the checks and stores its numbers.
fn take_checks(fields: &mut Vec<&[u8]>, extra: &mut Extra) {
    let is_checks = |field: &&[u8]| matches!(field, [b'0'..=b'9', b'+', b'0'..=b'9']);
    let is_given = |field: &&[u8]| matches!(field, [b'+', b'0'..=b'9', b'+', b'0'..=b'9']);
    if let Some(at) = fields.iter().position(is_checks) {
        let field = fields.remove(at);
        extra.checks_left = [field[0] - b'0', field[2] - b'0'];
    } else if let Some(at) = fields.iter().position(is_given) {
        let field = fields.remove(at);
        let given = [field[1] - b'0', field[3] - b'0'];
        for (left, n) in extra.checks_left.iter_mut().zip(given) {
            *left = left.saturating_sub(n);
        }
    }
}

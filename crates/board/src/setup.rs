//! Castling from other squares than those of the normal game: Chess960, with the rules of chess or
//! of a variant.
//!
//! A [`Position`] knows the castling of the normal game and nothing else, because it is copied for
//! every move of every game. The other data of Chess960 does not change during a game, so it is
//! stored beside the positions: the squares that kings and rooks castle from ([`CastlingSetup`]).
//! Rights are those squares except the ones that moves have touched ([`CastlingSetup::after`]); the
//! positions of such a game have none of their own.
//!
//! In a FEN the rooks are named as in X-FEN, by `KQkq` for the outermost one on a side, or by their
//! files (Shredder-FEN). A file is written only if the outermost rook is not meant.

use crate::attacks::between;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::fen::FenError;
use crate::moves::Move;
use crate::piece::{Color, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// Squares that the kings and rooks of a game castle from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CastlingSetup {
    kings: [Option<Square>; 2],
    /// By color and side, the king's side first; `None` if there was no right at the start of the
    /// game.
    rooks: [[Option<Square>; 2]; 2],
    is_declared: bool,
}

impl CastlingSetup {
    /// The setup of the normal start.
    pub const NORMAL: CastlingSetup = CastlingSetup {
        kings: [Some(Square::E1), Some(Square::E8)],
        rooks: [[Some(Square::H1), Some(Square::A1)], [Some(Square::H8), Some(Square::A8)]],
        is_declared: true,
    };

    /// Whether the game is one of Chess960 beyond doubt: by its tags, or by the files in its FEN.
    ///
    /// Otherwise the FEN has letters `KQkq` for castling that the normal game does not have,
    /// perhaps by mistake: castling is accepted if it is played, but it is not expected.
    #[must_use]
    pub const fn is_declared(&self) -> bool {
        self.is_declared
    }

    /// The setup of a game that need not be one of Chess960.
    pub(crate) const fn undeclared(self) -> CastlingSetup {
        CastlingSetup { is_declared: false, ..self }
    }

    /// Reads the castling field of a FEN. Without one, the outermost rooks are taken.
    ///
    /// Letters that name no rook beside a king on its home rank are ignored.
    pub(crate) fn read(board: &Board, field: Option<&[u8]>) -> Result<CastlingSetup, FenError> {
        let mut setup =
            CastlingSetup { kings: [None; 2], rooks: [[None; 2]; 2], is_declared: true };
        let letters: &[u8] = match field {
            None => b"KQkq",
            Some(b"-") => b"",
            Some(field) => field,
        };
        for &letter in letters {
            let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
            let found = match letter.to_ascii_lowercase() {
                b'k' => outermost_rook(board, color, true),
                b'q' => outermost_rook(board, color, false),
                file @ b'a'..=b'h' => {
                    let sq = Square::from_coords(file - b'a', color.home_rank());
                    let is_rook = board.pieces(color, Role::Rook).contains(sq);
                    home_king(board, color).filter(|_| is_rook).map(|king| (king, sq))
                }
                _ => return Err(FenError::Castling),
            };
            if let Some((king, rook)) = found {
                setup.kings[color.index()] = Some(king);
                setup.rooks[color.index()][usize::from(rook < king)] = Some(rook);
            }
        }
        Ok(setup)
    }

    /// The square a color's king castles from, if it could castle at the start.
    #[must_use]
    pub const fn king(&self, color: Color) -> Option<Square> {
        self.kings[color.index()]
    }

    /// The square of the rook that a color castles with on a side, if it could at the start.
    #[must_use]
    pub const fn rook(&self, color: Color, king_side: bool) -> Option<Square> {
        self.rooks[color.index()][!king_side as usize]
    }

    /// The rights at the start of the game.
    #[must_use]
    pub fn rights(&self) -> CastlingRights {
        let mut rights = CastlingRights::NONE;
        for (color, king_side) in sides() {
            if self.rook(color, king_side).is_some() {
                rights.insert(color, king_side);
            }
        }
        rights
    }

    /// The setup of a position whose game began with this one: only castling for which there is
    /// still a right and whose king and rook are at home, which an explosion may have changed.
    #[must_use]
    pub fn left(&self, rights: CastlingRights, board: &Board) -> CastlingSetup {
        let mut left = *self;
        for (color, king_side) in sides() {
            if !rights.has(color, king_side) || self.partners(board, color, king_side).is_none() {
                left.rooks[color.index()][usize::from(!king_side)] = None;
            }
        }
        left
    }

    /// The squares of king and rook, if both are there.
    fn partners(&self, board: &Board, color: Color, king_side: bool) -> Option<(Square, Square)> {
        let partners = (self.king(color)?, self.rook(color, king_side)?);
        let (king, rook) = partners;
        let are_there =
            board.kings(color).contains(king) && board.pieces(color, Role::Rook).contains(rook);
        are_there.then_some(partners)
    }

    /// The rights at the start of the game whose king and rook are not on these squares.
    #[must_use]
    pub fn rights_without(&self, squares: SquareSet) -> CastlingRights {
        let mut rights = self.rights();
        for (color, king_side) in sides() {
            let mut partners = [self.king(color), self.rook(color, king_side)].into_iter();
            if partners.any(|sq| sq.is_some_and(|sq| squares.contains(sq))) {
                rights.remove(color, king_side);
            }
        }
        rights
    }

    /// The rights that remain after a move.
    #[must_use]
    pub fn after(&self, rights: CastlingRights, mv: Move) -> CastlingRights {
        if mv.is_null() {
            return rights;
        }
        CastlingRights::from_bits(
            rights.bits() & self.rights_without(mv.from().set() | mv.to().set()).bits(),
        )
    }

    /// Castling of the side to move, if it is possible on the board: king and rook are at home, no
    /// other piece is on the squares that either of them passes or reaches, and the king's way is
    /// not attacked. The right is not checked.
    #[must_use]
    pub fn castling(&self, pos: &Position, king_side: bool) -> Option<Move> {
        let mv = self.free_castling(pos, king_side)?;
        let (king, board) = (mv.from(), &pos.board);
        let way = between(king, mv.to()) | mv.to().set() | king.set();
        let is_attacked = |sq| board.is_attacked(sq, !pos.turn, board.occupied());
        // The rook may have shielded the square that the king reaches.
        (!way.into_iter().any(is_attacked) && pos.is_safe(mv)).then_some(mv)
    }

    /// As [`CastlingSetup::castling`], even if the king's way is attacked.
    pub(crate) fn free_castling(&self, pos: &Position, king_side: bool) -> Option<Move> {
        let (king, rook) = self.partners(&pos.board, pos.turn, king_side)?;
        let mv = Move::castle_from(king, rook);
        let (_, rook_to) = mv.rook_from_to()?;
        let king_way = between(king, mv.to()) | mv.to().set();
        let rook_way = between(rook, rook_to) | rook_to.set();
        let others = pos.board.occupied() - king.set() - rook.set();
        (!others.intersects(king_way | rook_way)).then_some(mv)
    }

    /// The side of the castling that a king's move to a square means: a move onto its own rook, or
    /// a move of two files or more to the g- or c-file. The castling need not be possible.
    #[must_use]
    pub fn side_of_king_move(&self, pos: &Position, to: Square) -> Option<bool> {
        let us = pos.turn;
        let king = self.king(us)?;
        let is_rook = pos.board.pieces(us, Role::Rook).contains(to);
        [true, false].into_iter().find(|&king_side| {
            let Some(rook) = self.rook(us, king_side) else {
                return false;
            };
            let target = Move::castle_from(king, rook).to();
            to == rook && is_rook || to == target && king.file().abs_diff(to.file()) > 1
        })
    }

    /// The castling field of a FEN for rights that are left of this setup, as in X-FEN: a file only
    /// for a rook that is not the outermost one.
    #[must_use]
    pub fn fen_field(&self, board: &Board, rights: CastlingRights) -> String {
        self.field(rights, |color, king_side, rook| {
            let outermost = outermost_rook(board, color, king_side);
            if outermost.is_none_or(|(_, sq)| sq != rook) {
                b'A' + rook.file()
            } else if king_side {
                b'K'
            } else {
                b'Q'
            }
        })
    }

    /// The castling field of the FEN at the start of the game with the file of every rook, which
    /// shows without a tag that the game is one of Chess960.
    #[must_use]
    pub fn fen_field_of_files(&self) -> String {
        self.field(self.rights(), |_, _, rook| b'A' + rook.file())
    }

    /// Writes a castling field; `letter` returns the letter for White.
    fn field(&self, rights: CastlingRights, letter: impl Fn(Color, bool, Square) -> u8) -> String {
        let mut text = String::new();
        for (color, king_side) in sides() {
            let Some(rook) = self.rook(color, king_side) else {
                continue;
            };
            if !rights.has(color, king_side) {
                continue;
            }
            let letter = letter(color, king_side, rook);
            text.push(char::from(match color {
                Color::White => letter,
                Color::Black => letter.to_ascii_lowercase(),
            }));
        }
        if text.is_empty() {
            text.push('-');
        }
        text
    }

    /// Whether this is castling of the normal game, or no castling at all.
    pub(crate) fn is_normal(&self) -> bool {
        sides().all(|(color, king_side)| {
            let rook = self.rook(color, king_side);
            rook.is_none()
                || rook == CastlingSetup::NORMAL.rook(color, king_side)
                    && self.king(color) == CastlingSetup::NORMAL.king(color)
        })
    }
}

/// Colors and sides in the order `KQkq`.
pub(crate) fn sides() -> impl Iterator<Item = (Color, bool)> {
    Color::ALL.into_iter().flat_map(|color| [(color, true), (color, false)])
}

/// The only king of a color, if it is on its home rank.
fn home_king(board: &Board, color: Color) -> Option<Square> {
    let king = board.kings(color).single()?;
    (king.rank() == color.home_rank()).then_some(king)
}

/// The king on its home rank and the rook farthest from it on a side.
pub(crate) fn outermost_rook(
    board: &Board,
    color: Color,
    king_side: bool,
) -> Option<(Square, Square)> {
    let king = home_king(board, color)?;
    let rooks = board.pieces(color, Role::Rook) & SquareSet::rank(color.home_rank());
    let rook = if king_side {
        rooks.into_iter().last().filter(|&rook| rook > king)
    } else {
        rooks.first().filter(|&rook| rook < king)
    };
    Some((king, rook?))
}

impl Position {
    /// The FEN with another castling field, for games with a [`CastlingSetup`].
    #[must_use]
    pub fn fen_with_castling(&self, field: &str) -> String {
        let none = Position { castling: CastlingRights::NONE, ..*self };
        none.fen().replacen(" - ", &format!(" {field} "), 1)
    }
}

//! Racing Kings: the first king on the eighth rank wins. If White's king arrives first, Black still
//! draws by arriving with the next move, because White began. No move may give check.

use super::kind::Ending;
use crate::attacks::king_attacks;
use crate::board::Board;
use crate::castling::CastlingRights;
use crate::moves::MoveList;
use crate::piece::{Color, Piece, Role};
use crate::position::Position;
use crate::set::SquareSet;
use crate::square::Square;

/// The start: all pieces on the first two ranks, Black's on the left.
pub(super) fn start() -> Position {
    let mut board = Board::EMPTY;
    let ranks = [b"qrbnNBRQ", b"krbnNBRK"];
    for (rank, letters) in (0..).zip(ranks) {
        for (file, &letter) in (0..).zip(letters) {
            if let Some(piece) = Piece::from_letter(letter) {
                board.put(Square::from_coords(file, rank), piece);
            }
        }
    }
    Position { board, castling: CastlingRights::NONE, ..Position::START }
}

pub(super) fn moves(pos: &Position, out: &mut MoveList) {
    pos.legal_moves(out);
    out.retain(|&mv| !pos.play(mv).is_check());
}

pub(super) fn goal(pos: &Position) -> Option<Ending> {
    let goal = SquareSet::rank(7);
    let has_arrived = |color| pos.board.kings(color).intersects(goal);
    match (has_arrived(Color::White), has_arrived(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(Ending::Draw),
        (false, true) => Some(Ending::Win(Color::Black)),
        (true, false) if pos.turn == Color::Black && can_follow(pos) => None,
        (true, false) => Some(Ending::Win(Color::White)),
    }
}

/// Whether Black's king can reach the last rank at once.
fn can_follow(pos: &Position) -> bool {
    let kings = pos.board.kings(Color::Black).into_iter();
    let is_near = |king: Square| king_attacks(king).intersects(SquareSet::rank(7));
    if !kings.into_iter().any(is_near) {
        return false;
    }
    let mut list = MoveList::new();
    moves(pos, &mut list);
    let mut arrivals = list.iter();
    arrivals.any(|mv| mv.role() == Role::King && mv.to().rank() == 7)
}

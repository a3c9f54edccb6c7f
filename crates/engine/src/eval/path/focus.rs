//! Decides which moves a path concerns, and follows the pieces in focus.

use board::{Color, Move, SquareSet};

use super::super::evaluator::Evaluator;
use super::super::pieces::Moved;
use compiler::facts::Operands;
use compiler::program::Path;

/// The moves that are constituents of a path; a path skips the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Focus {
    /// All moves.
    All,
    /// The moves of one side.
    Color(Color),
    /// The moves of these pieces, as a bit set of identities, and, if `captures`, the moves that
    /// capture them.
    Pieces { pieces: u64, captures: bool },
}

impl Focus {
    fn has(self, piece: Option<u8>) -> bool {
        match self {
            Focus::Pieces { pieces, .. } => piece.is_some_and(|id| pieces >> id & 1 != 0),
            _ => true,
        }
    }

    /// Whether a move is in focus as far as its pieces decide.
    pub(super) fn is_about(self, moved: Moved) -> bool {
        match self {
            Focus::Pieces { pieces, captures } => {
                let victim = if captures { moved.victim } else { 0 };
                pieces & (moved.movers | victim) != 0
            }
            _ => true,
        }
    }
}

impl Evaluator<'_> {
    /// Returns the focus of a path that starts at the current position.
    pub(super) fn focus_of(&mut self, path: &Path) -> Focus {
        if path.flags.single_color {
            return Focus::Color(self.here().turn);
        }
        let Some(focus) = path.focus else {
            return Focus::All;
        };
        let squares = self.set(focus);
        Focus::Pieces { pieces: self.identities(squares), captures: path.flags.focus_capture }
    }

    fn identities(&mut self, squares: SquareSet) -> u64 {
        let ids = squares.into_iter().filter_map(|sq| self.piece_id_on(sq));
        ids.fold(0, |pieces, id| pieces | 1 << id)
    }

    /// Whether the move that leads to `child` is in focus.
    pub(super) fn in_focus(&mut self, focus: Focus, child: u32) -> bool {
        let Some(parent) = self.positions.parent(child) else {
            return false;
        };
        match focus {
            Focus::All => true,
            Focus::Color(color) => self.positions.position(parent).turn == color,
            Focus::Pieces { .. } => focus.is_about(self.moved_pieces()[child as usize]),
        }
    }

    /// Returns the first position from `from` up to `end` that a move in focus leads to, or `end`.
    pub(super) fn next_in_focus(&mut self, focus: Focus, from: u32, end: u32) -> u32 {
        let moved = self.moved_pieces().get(from as usize..end as usize).unwrap_or_default();
        let found = moved.iter().position(|&moved| focus.is_about(moved));
        found.map_or(end, |n| from + n as u32)
    }

    /// Returns the identities of the piece that moves and, for castling, of the rook.
    fn movers(&mut self, mv: Move) -> (Option<u8>, Option<u8>) {
        let rook = mv.rook_from_to().and_then(|(from, _)| self.piece_id_on(from));
        (self.piece_id_on(mv.from()), rook)
    }

    /// Returns the operands of a dash without the squares of the part of castling that is not in
    /// focus.
    pub(super) fn focused_operands(
        &mut self,
        focus: Focus,
        child: u32,
        (mut left, mut right): Operands,
    ) -> Operands {
        let castling = self.positions.mv(child).filter(|mv| mv.is_castle());
        if let Some(mv) = castling
            && let Some((rook_from, rook_to)) = mv.rook_from_to()
        {
            let (king, rook) = self.movers(mv);
            for (piece, from, to) in [(king, mv.from(), mv.to()), (rook, rook_from, rook_to)] {
                if !focus.has(piece) {
                    left &= !from.set();
                    right &= !to.set();
                }
            }
        }
        (left, right)
    }

    /// Returns the tracks of the pieces in focus on the way from the current position to `end`;
    /// empty if none of them moves.
    pub(super) fn tracks(&mut self, path: &Path, end: u32) -> String {
        let start = self.at;
        let squares = match (path.focus, path.flags.single_color) {
            (Some(focus), _) => self.set(focus),
            (None, true) => self.here().board.color(self.here().turn),
            (None, false) => SquareSet::EMPTY,
        };
        let mut way: Vec<u32> = std::iter::successors(Some(end), |&id| self.positions.parent(id))
            .take_while(|&id| id != start)
            .collect();
        way.reverse();
        let mut tracks = String::new();
        for square in squares {
            let Some(id) = self.piece_id_on(square) else {
                continue;
            };
            // a piece that does not move leaves its blank, except before the first track
            if !tracks.is_empty() {
                tracks.push(' ');
            }
            let piece = self.here().board.piece_at(square);
            let letter = piece.map_or('?', |piece| char::from(piece.letter()));
            let mut track = format!("{letter}{square}");
            let n_unmoved = track.len();
            let mut last = square;
            for &position in &way {
                match self.at(position, |e| e.square_of_piece(id)).single() {
                    Some(here) if here == last => {}
                    Some(here) => {
                        track.push_str(&format!("-{here}"));
                        last = here;
                    }
                    None => {
                        track.push_str(&format!("(x{last})"));
                        break;
                    }
                }
            }
            if track.len() > n_unmoved {
                tracks.push_str(&track);
            }
        }
        tracks
    }
}

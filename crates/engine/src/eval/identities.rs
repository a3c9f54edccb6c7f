//! Follows single pieces: their squares in each position, and the pieces that each move concerns.
//!
//! The pieces of the initial position have numbers. When a filter first needs them, they are
//! followed through the whole tree of the game; later filters read a table. In an imagined position
//! they are followed from the last position of the game each time.

use board::{Board, Move, Role, Rules, Square, SquareSet};

use super::evaluator::Evaluator;
use super::pieces::{Identities, Moved, NOBODY};
use crate::positions::{Origin, Positions};

impl Evaluator<'_> {
    /// Returns the identity of the piece on `square` at the current position.
    pub(super) fn piece_id_on(&mut self, square: Square) -> Option<u8> {
        self.follow_pieces();
        let id = if self.positions.is_imagined(self.at) {
            followed(&self.state.identities, &self.positions, self.at).0[square.index()]
        } else {
            self.state.identities.on[self.at as usize][square.index()]
        };
        (id != NOBODY).then_some(id)
    }

    /// Returns the square of the piece at the current position; empty if it has been captured.
    pub(super) fn square_of_piece(&mut self, piece: u8) -> SquareSet {
        self.follow_pieces();
        let piece = usize::from(piece);
        let square = if self.positions.is_imagined(self.at) {
            let (_, squares) = followed(&self.state.identities, &self.positions, self.at);
            squares.get(piece).copied()
        } else {
            (self.state.identities.squares[self.at as usize].get(piece)).copied()
        };
        match square {
            Some(square) if square != NOBODY => Square::new(square).set(),
            _ => SquareSet::EMPTY,
        }
    }

    /// Returns the squares of pieces that were pawns at the start and are none now.
    #[cold]
    pub(super) fn promoted_pieces(&mut self) -> SquareSet {
        let start = &self.positions.position(0).board;
        let pawns = start.role(Role::Pawn);
        let squares: Vec<Square> = start.occupied().into_iter().collect();
        let here = &self.here().board;
        let mut promoted = SquareSet::EMPTY;
        for square in here.occupied() - here.role(Role::Pawn) {
            let start = self.piece_id_on(square).and_then(|id| squares.get(usize::from(id)));
            if start.is_some_and(|&start| pawns.contains(start)) {
                promoted.insert(square);
            }
        }
        promoted
    }

    /// Returns, for each position, the pieces concerned by the move that leads to it.
    pub(super) fn moved_pieces(&mut self) -> &[Moved] {
        self.follow_pieces();
        &self.state.identities.moved
    }

    /// Follows the pieces of the initial position through the whole tree, once per game.
    fn follow_pieces(&mut self) {
        if self.state.identities.on.is_empty() {
            self.follow_all_pieces();
        }
    }

    #[cold]
    fn follow_all_pieces(&mut self) {
        let Identities { on, squares, moved } = &mut self.state.identities;
        let mut ids = [NOBODY; 64];
        let mut places = [NOBODY; 64];
        let occupied = self.positions.position(0).board.occupied();
        for (id, square) in occupied.into_iter().enumerate() {
            ids[square.index()] = id as u8;
            places[id] = square.index() as u8;
        }
        on.push(ids);
        squares.push(places);
        moved.push(Moved::default());
        let bit = |id: u8| if id == NOBODY { 0 } else { 1 << id };
        for position in 1..self.positions.len() {
            let parent = self.positions.parent(position).unwrap_or(0);
            let mut ids = on[parent as usize];
            let mut places = squares[parent as usize];
            let mut about = Moved::default();
            if let Some(mv) = self.positions.mv(position) {
                let board = &self.positions.position(parent).board;
                let victim = mv.captured_square(board);
                let rook = mv.rook_from_to();
                about.movers = bit(ids[mv.from().index()]);
                about.movers |= rook.map_or(0, |(from, _)| bit(ids[from.index()]));
                about.victim = victim.map_or(0, |square| bit(ids[square.index()]));
                advance(&mut ids, &mut places, mv, victim);
                if self.positions.rules() == Rules::Atomic {
                    blow_up(&mut ids, &mut places, &self.positions.position(position).board);
                }
            }
            on.push(ids);
            squares.push(places);
            moved.push(about);
        }
    }
}

/// Returns the piece on each square of an imagined position, and the square of each piece.
#[cold]
fn followed(known: &Identities, positions: &Positions<'_>, id: u32) -> ([u8; 64], [u8; 64]) {
    let Some((origin, parent)) = positions.origin(id) else {
        return ([NOBODY; 64], [NOBODY; 64]);
    };
    let (mut ids, mut places) = if positions.is_imagined(parent) {
        followed(known, positions, parent)
    } else {
        (known.on[parent as usize], known.squares[parent as usize])
    };
    match origin {
        Origin::Move(mv) => {
            let victim = mv.captured_square(&positions.position(parent).board);
            advance(&mut ids, &mut places, mv, victim);
            if positions.rules() == Rules::Atomic {
                blow_up(&mut ids, &mut places, &positions.position(id).board);
            }
        }
        Origin::Reverse(mv) => retreat(&mut ids, &mut places, mv),
        Origin::Changes(squares) => {
            for square in squares {
                remove(&mut ids, &mut places, square);
            }
        }
    }
    (ids, places)
}

/// Removes the pieces that an explosion has taken off the board.
#[cold]
fn blow_up(ids: &mut [u8; 64], places: &mut [u8; 64], board: &Board) {
    for square in !board.occupied() {
        remove(ids, places, square);
    }
}

/// Takes back a move of the pieces. A captured piece does not come back, since it is unknown.
fn retreat(ids: &mut [u8; 64], places: &mut [u8; 64], mv: Move) {
    let piece = remove(ids, places, mv.to());
    let rook = (mv.rook_from_to()).map(|(from, to)| (remove(ids, places, to), from));
    for (piece, from) in [(piece, mv.from())].into_iter().chain(rook) {
        ids[from.index()] = piece;
        if let Some(place) = places.get_mut(usize::from(piece)) {
            *place = from.index() as u8;
        }
    }
}

/// Makes a move with the pieces.
#[inline]
fn advance(ids: &mut [u8; 64], places: &mut [u8; 64], mv: Move, victim: Option<Square>) {
    if mv.is_null() {
        return;
    }
    if let Some(victim) = victim {
        remove(ids, places, victim);
    }
    let piece = remove(ids, places, mv.from());
    let rook = (mv.rook_from_to()).map(|(from, to)| (remove(ids, places, from), to));
    for (piece, to) in [(piece, mv.to())].into_iter().chain(rook) {
        ids[to.index()] = piece;
        if let Some(place) = places.get_mut(usize::from(piece)) {
            *place = to.index() as u8;
        }
    }
}

/// Removes the piece from the square and returns it.
fn remove(ids: &mut [u8; 64], places: &mut [u8; 64], square: Square) -> u8 {
    let piece = std::mem::replace(&mut ids[square.index()], NOBODY);
    if let Some(place) = places.get_mut(usize::from(piece)) {
        *place = NOBODY;
    }
    piece
}

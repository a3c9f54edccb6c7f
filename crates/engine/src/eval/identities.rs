//! Pieces as individuals: where each stands, and which ones a move is about.
//!
//! The pieces of the initial position have numbers. They are followed through the whole tree once
//! a game, when somebody asks for the first time; every question afterward is a look into a table.

use board::{Square, SquareSet};

use super::evaluator::Evaluator;
use super::pieces::{Identities, Moved, NOBODY};

impl Evaluator<'_> {
    /// Identity of the piece on `square` at the current position.
    pub(super) fn piece_id_on(&mut self, square: Square) -> Option<u8> {
        self.follow_pieces();
        let id = self.state.identities.on[self.at as usize][square.index()];
        (id != NOBODY).then_some(id)
    }

    /// Where the piece stands at the current position; empty where it has been captured.
    pub(super) fn square_of_piece(&mut self, piece: u8) -> SquareSet {
        self.follow_pieces();
        let squares = &self.state.identities.squares[self.at as usize];
        match squares.get(usize::from(piece)) {
            Some(&square) if square != NOBODY => Square::new(square).set(),
            _ => SquareSet::EMPTY,
        }
    }

    /// The pieces that the moves to all positions are about.
    pub(super) fn moved_pieces(&mut self) -> &[Moved] {
        self.follow_pieces();
        &self.state.identities.moved
    }

    /// Follows the pieces of the initial position through the whole tree, once a game.
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
                if !mv.is_null() {
                    if let Some(victim) = victim {
                        remove(&mut ids, &mut places, victim);
                    }
                    let piece = remove(&mut ids, &mut places, mv.from());
                    let rook = rook.map(|(from, to)| (remove(&mut ids, &mut places, from), to));
                    for (piece, to) in [(piece, mv.to())].into_iter().chain(rook) {
                        ids[to.index()] = piece;
                        if let Some(place) = places.get_mut(usize::from(piece)) {
                            *place = to.index() as u8;
                        }
                    }
                }
            }
            on.push(ids);
            squares.push(places);
            moved.push(about);
        }
    }
}

/// Takes the piece off the square and says which it was.
fn remove(ids: &mut [u8; 64], places: &mut [u8; 64], square: Square) -> u8 {
    let piece = std::mem::replace(&mut ids[square.index()], NOBODY);
    if let Some(place) = places.get_mut(usize::from(piece)) {
        *place = NOBODY;
    }
    piece
}

//! Identities of the pieces of a game.

/// Marks a square without a piece, or a piece without a square.
pub(super) const NOBODY: u8 = 255;

/// Squares and moves of each piece of a game.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    /// For each position: the piece on each square.
    pub(super) on: Vec<[u8; 64]>,
    /// For each position: the square of each piece.
    pub(super) squares: Vec<[u8; 64]>,
    /// For each position: the pieces that the move to it concerns.
    pub(super) moved: Vec<Moved>,
}

/// The pieces that a move concerns, as bit sets of identities.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Moved {
    /// The piece that moves and, for castling, the rook.
    pub(super) movers: u64,
    /// The piece that is captured.
    pub(super) victim: u64,
}

impl Identities {
    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        self.on.clear();
        self.squares.clear();
        self.moved.clear();
    }
}

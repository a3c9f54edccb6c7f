//! Pieces as individuals: what is known of them in a game.

/// No piece stands there, or the piece stands nowhere.
pub(super) const NOBODY: u8 = 255;

/// The pieces of a game.
#[derive(Debug, Default)]
pub(crate) struct Identities {
    /// By position: the piece on each square.
    pub(super) on: Vec<[u8; 64]>,
    /// By position: the square of each piece.
    pub(super) squares: Vec<[u8; 64]>,
    /// By position: the pieces that the move to it is about.
    pub(super) moved: Vec<Moved>,
}

/// Sets of pieces, as bits.
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

//! Numbers of pieces, by which databases store moves.

use board::Square;

/// Squares of up to `N` pieces, in the order of their numbers. Further pieces have no number.
#[derive(Clone, Copy)]
pub(crate) struct Numbered<const N: usize> {
    squares: [u8; N],
    n: usize,
}

impl<const N: usize> Default for Numbered<N> {
    fn default() -> Numbered<N> {
        Numbered { squares: [0; N], n: 0 }
    }
}

impl<const N: usize> Numbered<N> {
    /// Returns the square of the piece with this number.
    pub(crate) fn get(&self, number: usize) -> Option<Square> {
        self.squares[..self.n].get(number).map(|square| Square::new(*square))
    }

    /// Returns the number of the piece on a square.
    pub(crate) fn find(&self, square: Square) -> Option<usize> {
        self.squares[..self.n].iter().position(|other| *other == square.as_u8())
    }

    /// Gives the next number to the piece on a square.
    pub(crate) fn push(&mut self, square: Square) {
        if let Some(place) = self.squares.get_mut(self.n) {
            *place = square.as_u8();
            self.n += 1;
        }
    }

    /// Moves the piece with this number.
    pub(crate) fn set(&mut self, number: usize, to: Square) {
        if let Some(place) = self.squares[..self.n].get_mut(number) {
            *place = to.as_u8();
        }
    }

    /// Moves the piece on a square.
    pub(crate) fn replace(&mut self, from: Square, to: Square) {
        if let Some(number) = self.find(from) {
            self.set(number, to);
        }
    }

    /// Removes a piece. Those after it move up.
    pub(crate) fn remove(&mut self, square: Square) {
        if let Some(number) = self.find(square) {
            self.squares.copy_within(number + 1..self.n, number);
            self.n -= 1;
        }
    }

    /// Removes a piece. The last one gets its number.
    pub(crate) fn swap_remove(&mut self, square: Square) {
        if let Some(number) = self.find(square) {
            self.n -= 1;
            self.squares[number] = self.squares[self.n];
        }
    }
}

//! Text of games that are converted to PGN one by one.

use std::io::{self, Read};

/// Writes the games of another format as PGN, one by one.
pub(super) trait GameConverter {
    /// Appends the next game. Returns whether there was one.
    fn write_next(&mut self, pgn: &mut Vec<u8>) -> io::Result<bool>;
}

/// Reads games as PGN.
pub(super) struct AsPgn<G> {
    games: G,
    /// The current game.
    pgn: Vec<u8>,
    /// Number of its bytes already returned.
    given: usize,
    /// Error to return next.
    failed: Option<io::Error>,
}

impl<G> AsPgn<G> {
    pub(super) fn new(games: G) -> AsPgn<G> {
        AsPgn { games, pgn: Vec::new(), given: 0, failed: None }
    }
}

impl<G: GameConverter> Read for AsPgn<G> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let mut n = 0;
        while n < buffer.len() {
            if self.given == self.pgn.len() {
                self.pgn.clear();
                self.given = 0;
                match self.games.write_next(&mut self.pgn) {
                    Ok(true) => {}
                    Ok(false) => break,
                    Err(error) if n > 0 => {
                        self.failed = Some(error);
                        break;
                    }
                    Err(error) => return Err(error),
                }
            }
            let step = (self.pgn.len() - self.given).min(buffer.len() - n);
            buffer[n..n + step].copy_from_slice(&self.pgn[self.given..self.given + step]);
            self.given += step;
            n += step;
        }
        Ok(n)
    }
}

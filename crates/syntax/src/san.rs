//! Reads moves in the notation of games and books, such as `Nbd2` and `exd5`.
//!
//! Outside of `san "…"`, they are only read to propose their CQL form, so piece letters of other
//! languages are known as well: the German `Sf3` becomes `N--f3`.

/// The side that moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    White,
    Black,
}

impl Side {
    /// Returns the sides of consecutive moves.
    pub(crate) fn in_turn(first: Side) -> impl Iterator<Item = Side> {
        [first, first.other()].into_iter().cycle()
    }

    /// Returns the side that moves next.
    pub(crate) fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

/// The parts of a move that its text states.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct San {
    /// `P`, `N` …; `None` if only squares are written that are no move of a pawn (`e2b5`).
    pub(crate) piece: Option<u8>,
    pub(crate) file: Option<u8>,
    pub(crate) rank: Option<u8>,
    pub(crate) capture: bool,
    pub(crate) to: [u8; 2],
    pub(crate) promotion: Option<u8>,
}

/// Returns the piece for a letter in English, German, French, or Spanish.
pub(crate) fn piece(letter: u8) -> Option<u8> {
    Some(match letter {
        b'K' | b'Q' | b'R' | b'B' | b'N' => letter,
        b'D' => b'Q',
        b'T' => b'R',
        b'L' | b'F' => b'B',
        b'S' | b'C' => b'N',
        _ => return None,
    })
}

impl San {
    /// Reads a word as a move.
    pub(crate) fn read(word: &str) -> Option<San> {
        let bytes = word.as_bytes();
        let (named, rest) = match *bytes {
            [first, ref rest @ ..] if piece(first).is_some() => (piece(first), rest),
            _ => (None, bytes),
        };
        let (rest, promotion) = match *rest {
            [ref rest @ .., last] if last.is_ascii_alphabetic() => {
                (rest, Some(piece(last.to_ascii_uppercase())?))
            }
            _ => (rest, None),
        };
        let (rest, to) = rest.split_last_chunk::<2>()?;
        let is_square = matches!(to, [b'a'..=b'h', b'1'..=b'8']);
        if !is_square || promotion.is_some() && (named.is_some() || !b"18".contains(&to[1])) {
            return None;
        }
        let (from, capture) = match *rest {
            [ref from @ .., b'x'] => (from, true),
            _ => (rest, false),
        };
        let (file, rank) = match *from {
            [] => (None, None),
            [file @ b'a'..=b'h'] => (Some(file), None),
            [rank @ b'1'..=b'8'] if named.is_some() => (None, Some(rank)),
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => (Some(file), Some(rank)),
            _ => return None,
        };
        let is_of_pawn = |file: u8, rank: u8| {
            let steps = (file.abs_diff(to[0]), rank.abs_diff(to[1]));
            match (capture, steps) {
                (true, (1, 1)) => true,
                (false, (0, 1)) => b"234567".contains(&rank) || promotion.is_some(),
                (false, (0, 2)) => matches!((rank, to[1]), (b'2', b'4') | (b'7', b'5')),
                _ => false,
            }
        };
        let piece = match (named, file, rank) {
            (Some(piece), ..) => Some(piece),
            (None, Some(file), Some(rank)) if is_of_pawn(file, rank) => Some(b'P'),
            (None, Some(_), Some(_)) => None,
            (None, Some(_), None) if capture => Some(b'P'),
            (None, None, None) if !capture => Some(b'P'),
            _ => return None,
        };
        Some(San { piece, file, rank, capture, to: *to, promotion })
    }

    /// Whether the move is possible in the start position, by its piece and its target.
    pub(crate) fn is_first_move(&self, side: Side) -> bool {
        let ranks = match side {
            Side::White => b"34",
            Side::Black => b"65",
        };
        let is_near = self.to[1] == ranks[0];
        !self.capture
            && match self.piece {
                Some(b'N') => is_near && b"acfh".contains(&self.to[0]),
                Some(b'P') | None => is_near || self.to[1] == ranks[1],
                Some(_) => false,
            }
    }

    /// Returns the move as games are written; `None` if it does not name the piece.
    pub(crate) fn plain(&self) -> Option<String> {
        let piece = self.piece?;
        let is_pawn = piece == b'P';
        let parts = [
            Some(piece).filter(|_| !is_pawn),
            self.file.filter(|_| !is_pawn || self.capture),
            self.rank.filter(|_| !is_pawn),
            self.capture.then_some(b'x'),
            Some(self.to[0]),
            Some(self.to[1]),
            self.promotion.map(|_| b'='),
            self.promotion,
        ];
        Some(parts.into_iter().flatten().map(char::from).collect())
    }

    /// Returns the move in CQL.
    pub(crate) fn cql(&self, side: Side) -> String {
        let mut text = String::new();
        // A capturing pawn comes from the neighboring rank; only one side can reach rank 1 or 8.
        let side = match (self.to[1], self.rank) {
            _ if self.piece != Some(b'P') => side,
            (b'8', _) => Side::White,
            (b'1', _) => Side::Black,
            (to, Some(from)) if from < to => Side::White,
            (_, Some(_)) => Side::Black,
            _ => side,
        };
        if let Some(piece) = self.piece {
            text.push(char::from(match side {
                Side::White => piece,
                Side::Black => piece.to_ascii_lowercase(),
            }));
        }
        match (self.file, self.rank) {
            (Some(file), Some(rank)) => text.extend([file, rank].map(char::from)),
            (Some(file), None) if self.piece == Some(b'P') => {
                let rank = match side {
                    Side::White => self.to[1] - 1,
                    Side::Black => self.to[1] + 1,
                };
                text.extend([file, rank].map(char::from));
            }
            (Some(file), None) => {
                text.push(char::from(file));
                text.push_str("1-8");
            }
            (None, Some(rank)) => {
                text.push_str("a-h");
                text.push(char::from(rank));
            }
            (None, None) => {}
        }
        text.push_str(if self.capture { "[x]" } else { "--" });
        text.extend(self.to.map(char::from));
        if let Some(piece) = self.promotion {
            text.push('=');
            text.push(char::from(piece));
        }
        text
    }
}

/// Whether a piece can go from one square to another on an empty board. Pawns are none: their
/// squares are mostly a structure.
pub(crate) fn is_step(piece: u8, from: &[u8], to: &[u8]) -> bool {
    let steps = |at: usize| from[at].abs_diff(to[at]);
    let (files, ranks) = (steps(0), steps(1));
    let is_straight = (files == 0) != (ranks == 0);
    let is_diagonal = files == ranks && files > 0;
    match piece.to_ascii_uppercase() {
        b'N' => files * ranks == 2,
        b'B' => is_diagonal,
        b'R' => is_straight,
        b'Q' => is_straight || is_diagonal,
        b'K' => files.max(ranks) == 1,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves() {
        let check = |word: &str, white: &str, black: &str| {
            let san = San::read(word).unwrap_or_else(|| panic!("{word}"));
            assert_eq!(san.cql(Side::White), white, "{word}");
            assert_eq!(san.cql(Side::Black), black, "{word}");
            // The square that a pawn leaves is not in the plain form.
            let is_short = san.piece != Some(b'P') || san.rank.is_none();
            let again =
                san.plain().filter(|_| is_short).map(|plain| San::read(&plain.replace('=', "")));
            assert!(again.is_none_or(|again| again.as_ref() == Some(&san)), "{word}");
        };
        check("e4", "P--e4", "p--e4");
        check("Nf3", "N--f3", "n--f3");
        check("Nbd2", "Nb1-8--d2", "nb1-8--d2");
        check("R1e2", "Ra-h1--e2", "ra-h1--e2");
        check("Qh4e1", "Qh4--e1", "qh4--e1");
        check("Nxe5", "N[x]e5", "n[x]e5");
        check("exd5", "Pe4[x]d5", "pe6[x]d5");
        check("exd8Q", "Pe7[x]d8=Q", "Pe7[x]d8=Q");
        check("exd1N", "pe2[x]d1=N", "pe2[x]d1=N");
        check("e8q", "P--e8=Q", "P--e8=Q");
        check("e2e4", "Pe2--e4", "Pe2--e4");
        check("e7e5", "pe7--e5", "pe7--e5");
        check("e4xd5", "Pe4[x]d5", "Pe4[x]d5");
        check("e4xd3", "pe4[x]d3", "pe4[x]d3");
        check("g1f3", "g1--f3", "g1--f3");
        check("e7e8q", "Pe7--e8=Q", "Pe7--e8=Q");
        check("Sf3", "N--f3", "n--f3");
        check("Dxe4", "Q[x]e4", "q[x]e4");
        check("Lb5", "B--b5", "b--b5");
    }

    #[test]
    fn what_is_no_move() {
        for word in [
            "", "e", "e9", "x", "xe4", "xd5e4", "foo", "ed5", "Nf9", "Ke4Q", "e4Q", "N", "Xe4",
            "é4", "Nf33", "d5x", "a1b2c3",
        ] {
            assert_eq!(San::read(word), None, "{word}");
        }
    }
}

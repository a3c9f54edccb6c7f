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
    /// `P`, `N` …; `None` if only squares are written (`e2e4`).
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
        let piece = match (named, file, rank) {
            (Some(piece), ..) => Some(piece),
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
        let parts = [
            Some(piece).filter(|&piece| piece != b'P'),
            self.file,
            self.rank,
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
        let side = match self.to[1] {
            b'8' if self.piece == Some(b'P') => Side::White,
            b'1' if self.piece == Some(b'P') => Side::Black,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves() {
        let check = |word: &str, white: &str, black: &str| {
            let san = San::read(word).unwrap_or_else(|| panic!("{word}"));
            assert_eq!(san.cql(Side::White), white, "{word}");
            assert_eq!(san.cql(Side::Black), black, "{word}");
            let again = san.plain().map(|plain| San::read(&plain.replace('=', "")));
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
        check("e2e4", "e2--e4", "e2--e4");
        check("e7e8q", "e7--e8=Q", "e7--e8=Q");
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

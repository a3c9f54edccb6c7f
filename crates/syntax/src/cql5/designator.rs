//! Piece designators of CQL 5: pieces, squares, and a suffix of variables.
//!
//! `[a1]` is read as squares if possible, and otherwise as pieces, so `[b]` is a black bishop.

use crate::designator::PieceSet;
use crate::lex::designator::Scanner;

/// A designator with unresolved variables.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RawDesignator {
    /// The pieces; `None` if none were written.
    pub(super) pieces: Option<PieceSet>,
    /// The squares; `None` if none were written.
    pub(super) squares: Option<u64>,
    /// The names with their `$`.
    pub(super) variables: Vec<String>,
}

/// Result of reading a word as a designator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Read {
    Designator(RawDesignator),
    /// A range of files or ranks in descending order.
    Descends,
    /// Not a designator.
    Other,
}

/// Reads a whole word as a designator.
pub(super) fn read(word: &[u8]) -> Read {
    let mut descends = false;
    for with_pieces in [false, true] {
        let mut reader = Reader { rest: word, descends: false };
        let pieces = with_pieces.then(|| reader.pieces()).flatten();
        if with_pieces && pieces.is_none() {
            continue;
        }
        let squares = reader.squares();
        let variables = reader.variables();
        if !reader.rest.is_empty() || word.is_empty() {
            continue;
        }
        if reader.descends {
            descends = true;
            continue;
        }
        return Read::Designator(RawDesignator { pieces, squares, variables });
    }
    if descends { Read::Descends } else { Read::Other }
}

struct Reader<'w> {
    rest: &'w [u8],
    descends: bool,
}

impl Reader<'_> {
    fn take(&mut self, byte: u8) -> bool {
        match self.rest.split_first() {
            Some((&first, rest)) if first == byte => {
                self.rest = rest;
                true
            }
            _ => false,
        }
    }

    /// Runs `read`, and undoes its changes if it fails.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let saved = (self.rest, self.descends);
        let result = read(self);
        if result.is_none() {
            (self.rest, self.descends) = saved;
        }
        result
    }

    fn pieces(&mut self) -> Option<PieceSet> {
        self.attempt(|r| {
            if !r.take(b'[') {
                return r.piece();
            }
            let mut pieces = r.piece()?;
            while let Some(piece) = r.piece() {
                pieces = pieces.union(piece);
            }
            r.take(b']').then_some(pieces)
        })
    }

    fn piece(&mut self) -> Option<PieceSet> {
        let (&letter, rest) = self.rest.split_first()?;
        let pieces = match letter {
            b'U' => PieceSet::WHITE.union(PieceSet::BLACK),
            _ => PieceSet::from_letter(letter)?,
        };
        self.rest = rest;
        Some(pieces)
    }

    /// Reads squares, which have the same form as in CQL 6.
    fn squares(&mut self) -> Option<u64> {
        let mut scanner = Scanner::new(self.rest);
        let (squares, end) = scanner.squares(0)?;
        self.descends |= scanner.fault.is_some();
        self.rest = &self.rest[end..];
        Some(squares)
    }

    fn variables(&mut self) -> Vec<String> {
        let mut variables = Vec::new();
        while let Some(variable) = self.variable() {
            variables.push(variable);
        }
        variables
    }

    fn variable(&mut self) -> Option<String> {
        let rest = self.rest.strip_prefix(b"$")?;
        let length = rest.iter().take_while(|letter| letter.is_ascii_alphanumeric()).count();
        if length == 0 {
            return None;
        }
        let (name, rest) = self.rest.split_at(length + 1);
        self.rest = rest;
        Some(String::from_utf8_lossy(name).into_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(word: &str, want: &str) {
        let got = match read(word.as_bytes()) {
            Read::Designator(d) => {
                let pieces = d.pieces.map_or("-".to_owned(), |p| format!("{:x}", p.0));
                let squares = d.squares.map_or("-".to_owned(), |s| s.count_ones().to_string());
                format!("{pieces} {squares} {}", d.variables.join(","))
            }
            Read::Descends => "descends".to_owned(),
            Read::Other => "other".to_owned(),
        };
        assert_eq!(got, want, "{word}");
    }

    #[test]
    fn words_that_are_designators() {
        check("R", "8 - ");
        check("h1-8", "- 8 ");
        check("Rh1-8", "8 8 ");
        check("a-h1-8", "- 64 ");
        check("[RNBQ]", "1e - ");
        check("U", "fff - ");
        check("_", "1000 - ");
        check("[Aa]e4", "fff 1 ");
        check("[a8,h8]", "- 2 ");
        check("P[a2,b2-4]", "1 4 ");
        // squares take precedence over pieces
        check("b1", "- 1 ");
        check("bb1", "100 1 ");
        check("[b]", "100 - ");
        check("[a1]", "- 1 ");
        check("a", "fc0 - ");
    }

    #[test]
    fn variables_are_suffixes() {
        check("$x", "- - $x");
        check("R$x", "8 - $x");
        check("h1-8$x$y2", "- 8 $x,$y2");
        check("$forkingsquare", "- - $forkingsquare");
        check("R$", "other");
        check("$xR", "- - $xR");
    }

    #[test]
    fn other_words() {
        for word in ["", "mate", "Rx", "[]", "[R", "R[a1", "R[a1,]", "i1", "a9", "a1b1", "."] {
            check(word, "other");
        }
        check("Rb-a3", "descends");
        check("a8-1", "descends");
        check("a-", "other");
    }
}

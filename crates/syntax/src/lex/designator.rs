//! Piece designators: `Ra1-8`, `[RN][a1,h1]`, `♖♘`, `h1`.
//!
//! The three forms (squares, pieces with squares, pieces) are tried in this order. A form only
//! counts if the following text does not make it a longer word or an index. Other words are left to
//! later rules, which usually read them as names.

use std::ops::Range;

use crate::designator::{Designator, PieceSet};
use crate::spelling::{self, Sign};

use super::unknown::decode;
use super::{Lexer, abbreviated, is_word, keyword_at, shown, word_length};
use crate::token::TokenKind;

/// A designator found in a text.
#[derive(Debug)]
pub(crate) struct Scanned {
    /// Value of the designator.
    pub(crate) designator: Designator,
    /// Range of the pieces in the text, with their brackets.
    pub(crate) pieces: Range<usize>,
    /// Range of the squares in the text, with their brackets.
    pub(crate) squares: Range<usize>,
}

/// An error that does not depend on the following text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum DesignatorFlaw {
    /// `h-a1`, `a8-1`.
    Backward { range: Range<usize>, files: bool },
    /// `♖♖`, `◭△`.
    Duplicate { range: Range<usize> },
}

impl DesignatorFlaw {
    pub(super) fn range(&self) -> &Range<usize> {
        match self {
            DesignatorFlaw::Backward { range, .. } | DesignatorFlaw::Duplicate { range } => range,
        }
    }
}

/// Finds the parts of a designator in a text.
pub(crate) struct Scanner<'a> {
    text: &'a [u8],
    pub(crate) fault: Option<DesignatorFlaw>,
}

impl<'a> Scanner<'a> {
    pub(crate) fn new(text: &'a [u8]) -> Scanner<'a> {
        Scanner { text, fault: None }
    }

    /// Reads the designator at `at`.
    pub(crate) fn designator(&mut self, at: usize) -> Option<Scanned> {
        if let Some((squares, end)) = self.squares(at)
            && self.may_end(end)
        {
            return Some(scanned(None, at..at, Some(squares), at..end));
        }
        let (pieces, middle) = self.pieces(at)?;
        if let Some((squares, end)) = self.squares(middle)
            && self.may_end(end)
        {
            return Some(scanned(Some(pieces), at..middle, Some(squares), middle..end));
        }
        self.may_end(middle).then(|| scanned(Some(pieces), at..middle, None, middle..middle))
    }

    /// Returns the end of the `[Aa]` or `◭` at `at`, if the name of a piece variable follows
    /// directly.
    pub(super) fn declaration(&mut self, at: usize) -> Option<usize> {
        let rest = &self.text[at..];
        let end = if rest.starts_with(b"[Aa]") {
            at + 4
        } else if let Some((Sign::Pieces("Aa"), length)) = spelling::sign_at(rest) {
            at + length
        } else {
            return None;
        };
        let name = &self.text[end..];
        if word_length(name) == 0 || keyword_at(name).is_some() {
            return None;
        }
        match self.squares(end) {
            Some((_, end)) if self.may_end(end) => None,
            _ if self.fault.take().is_some() => None,
            _ => Some(end),
        }
    }

    fn may_end(&self, end: usize) -> bool {
        match self.text.get(end) {
            Some(b'[') => self.text[end..].starts_with(b"[x]"),
            Some(&byte) => byte != b']' && !is_word(byte),
            None => true,
        }
    }

    fn pieces(&mut self, at: usize) -> Option<(PieceSet, usize)> {
        if let Some(pieces) = self.text.get(at).and_then(|&b| PieceSet::from_letter(b)) {
            return Some((pieces, at + 1));
        }
        if self.text.get(at) != Some(&b'[') {
            return self.glyphs(at);
        }
        let (pieces, end) = self.letters(at + 1).or_else(|| self.glyphs(at + 1))?;
        (self.text.get(end) == Some(&b']')).then_some((pieces, end + 1))
    }

    /// Reads one or more ASCII letters, which may be repeated.
    fn letters(&self, at: usize) -> Option<(PieceSet, usize)> {
        let mut set = PieceSet::NONE;
        let mut end = at;
        while let Some(pieces) = self.text.get(end).and_then(|&b| PieceSet::from_letter(b)) {
            set = set.union(pieces);
            end += 1;
        }
        (end > at).then_some((set, end))
    }

    /// Reads one or more piece signs. A repeated letter is an error, where `◭` counts as both
    /// letters `A` and `a`; `♖△` is correct.
    pub(super) fn glyphs(&mut self, at: usize) -> Option<(PieceSet, usize)> {
        let mut set = PieceSet::NONE;
        let mut seen: Vec<u8> = Vec::new();
        let mut twice = None;
        let mut end = at;
        while let Some((Sign::Pieces(letters), length)) = spelling::sign_at(&self.text[end..]) {
            for letter in letters.bytes() {
                if seen.contains(&letter) {
                    twice.get_or_insert(end);
                } else {
                    seen.push(letter);
                    set = set.union(PieceSet::from_letter(letter).unwrap_or_default());
                }
            }
            end += length;
        }
        if twice.is_some() {
            self.fault.get_or_insert(DesignatorFlaw::Duplicate { range: at..end });
        }
        (end > at).then_some((set, end))
    }

    /// Reads the squares at `at`, as a block or as a list in brackets. Returns them with their end.
    /// A backward range is recorded as an error.
    pub(crate) fn squares(&mut self, at: usize) -> Option<(u64, usize)> {
        if self.text.get(at) != Some(&b'[') {
            return self.range(at);
        }
        let (mut set, mut end) = self.range(at + 1)?;
        while self.text.get(end) == Some(&b',') {
            let (squares, next) = self.range(end + 1)?;
            set |= squares;
            end = next;
        }
        (self.text.get(end) == Some(&b']')).then_some((set, end + 1))
    }

    fn range(&mut self, at: usize) -> Option<(u64, usize)> {
        let (files, middle) = self.bounds(at, b'a'..=b'h')?;
        let ranks = self.bounds(middle, b'1'..=b'8');
        let end = ranks.map_or(middle, |(_, end)| end);
        let backward_files = files.0 > files.1;
        if backward_files || ranks.is_some_and(|(ranks, _)| ranks.0 > ranks.1) {
            self.fault
                .get_or_insert(DesignatorFlaw::Backward { range: at..end, files: backward_files });
        }
        let (ranks, end) = ranks?;
        let mut set = 0;
        for rank in ranks.0.min(ranks.1)..=ranks.0.max(ranks.1) {
            for file in files.0.min(files.1)..=files.0.max(files.1) {
                set |= 1 << (8 * rank + file);
            }
        }
        Some((set, end))
    }

    /// Reads a letter or digit in `among`, or two with a hyphen between them, counted from 0.
    fn bounds(&self, at: usize, among: std::ops::RangeInclusive<u8>) -> Option<((u8, u8), usize)> {
        let get = |at: usize| self.text.get(at).filter(|byte| among.contains(byte));
        let first = get(at)? - among.start();
        if self.text.get(at + 1) == Some(&b'-')
            && let Some(last) = get(at + 2)
        {
            return Some(((first, last - among.start()), at + 3));
        }
        Some(((first, first), at + 1))
    }
}

/// Whether `text` begins with two letters or digits, the second of which cannot continue a
/// designator. This is true of most words.
fn is_plain_word(text: &[u8]) -> bool {
    match text {
        [first, second, ..] => {
            first.is_ascii_alphanumeric()
                && is_word(*second)
                && !matches!(second, b'a'..=b'h' | b'1'..=b'8')
        }
        _ => false,
    }
}

/// Whether `text` on its own is a designator. Directly before `[` or `]` it would be a name, which
/// explains the error if the name is unknown.
pub(crate) fn is_designator(text: &[u8]) -> bool {
    let found = Scanner::new(text).designator(0);
    found.is_some_and(|found| found.pieces.end.max(found.squares.end) == text.len())
}

fn scanned(
    pieces: Option<PieceSet>,
    piece_range: Range<usize>,
    squares: Option<u64>,
    square_range: Range<usize>,
) -> Scanned {
    Scanned {
        designator: Designator {
            pieces: pieces.unwrap_or(PieceSet::ANYTHING),
            squares: squares.unwrap_or(u64::MAX),
            has_pieces: pieces.is_some(),
            has_squares: squares.is_some(),
        },
        pieces: piece_range,
        squares: square_range,
    }
}

impl Lexer<'_> {
    pub(super) fn designator(&mut self) -> bool {
        let start = self.at;
        if is_plain_word(&self.text[start..]) {
            return false;
        }
        let mut scanner = Scanner::new(self.text);
        let found = scanner.designator(start);
        let fault = scanner.fault.take();
        let end = found.as_ref().map_or(start, |found| found.squares.end.max(found.pieces.end));
        let designator = found.map(|found| found.designator);
        if let Some(fault) = fault {
            let end = end.max(fault.range().end);
            self.report_fault(&fault);
            // A designator replaces the faulty text.
            self.push(
                TokenKind::Designator(designator.unwrap_or(Designator {
                    pieces: PieceSet::ANYTHING,
                    squares: u64::MAX,
                    has_pieces: true,
                    has_squares: true,
                })),
                end - start,
            );
            return true;
        }
        if let Some(designator) = designator {
            self.push(TokenKind::Designator(designator), end - start);
            return true;
        }
        // No later rule reads piece signs.
        let Some((pieces, end)) = scanner.glyphs(start) else {
            return false;
        };
        let signs = shown(&self.text[start..end]);
        let (message, help) = match decode(&self.text[end..]) {
            Some((bracket @ ('[' | ']'), _)) => (
                format!(
                    "the designator `{signs}` stands directly before `{bracket}`, which is not allowed"
                ),
                format!("write a blank after it, or `{{{signs}}}`"),
            ),
            Some((next, _)) if PieceSet::from_letter(next as u8).is_some() && next.is_ascii() => (
                format!("piece signs and piece letters are mixed: `{signs}` and `{next}`"),
                "write all pieces as signs or all as letters, or a blank between them".to_owned(),
            ),
            next => (
                format!(
                    "the designator `{signs}` is directly followed by `{}`",
                    next.map_or(' ', |(next, _)| next)
                ),
                format!("write a blank after `{signs}`"),
            ),
        };
        self.error("E0013", start, end, message, &help);
        self.push(
            TokenKind::Designator(Designator {
                pieces,
                squares: u64::MAX,
                has_pieces: true,
                has_squares: false,
            }),
            end - start,
        );
        true
    }

    fn report_fault(&mut self, fault: &DesignatorFlaw) {
        let range = fault.range();
        let written = shown(&self.text[range.clone()]);
        match fault {
            DesignatorFlaw::Backward { files, .. } => {
                let what = if *files { "files" } else { "ranks" };
                self.error(
                    "E0011",
                    range.start,
                    range.end,
                    format!("the {what} of `{written}` run backwards"),
                    if *files {
                        "write the file nearer to a first, or blanks around `-` for a subtraction"
                    } else {
                        "write the lower rank first, or blanks around `-` for a subtraction"
                    },
                );
            }
            DesignatorFlaw::Duplicate { .. } => self.error(
                "E0012",
                range.start,
                range.end,
                format!("`{}` names a piece twice", abbreviated(written.as_bytes())),
                "write each sign once; `◭` holds both `△` and `▲`",
            ),
        }
    }
}

//! The table of ASCII and Unicode spellings.
//!
//! The lexer uses it to recognize signs, the converter to write them. Words and symbols that are
//! not listed have only one spelling.

use crate::builtin::Keyword;
use crate::chains::Chains;
use crate::token::Symbol;

/// Meaning of a Unicode sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// A reserved word.
    Keyword(Keyword),
    /// An operator or other symbol.
    Symbol(Symbol),
    /// Pieces, as the letters that name them in ASCII: `K`, `_`, or `Aa` for any piece.
    Pieces(&'static str),
}

impl Sign {
    /// Returns the ASCII spelling.
    pub fn ascii(self) -> &'static str {
        match self {
            Sign::Keyword(keyword) => keyword.text(),
            Sign::Symbol(symbol) => symbol.text(),
            Sign::Pieces(letters) => letters,
        }
    }
}

/// A sign and its Unicode spelling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelling {
    /// Meaning of the sign.
    pub sign: Sign,
    /// The Unicode spelling.
    pub unicode: &'static str,
}

const fn keyword(keyword: Keyword, unicode: &'static str) -> Spelling {
    Spelling { sign: Sign::Keyword(keyword), unicode }
}

const fn symbol(symbol: Symbol, unicode: &'static str) -> Spelling {
    Spelling { sign: Sign::Symbol(symbol), unicode }
}

const fn pieces(letters: &'static str, unicode: &'static str) -> Spelling {
    Spelling { sign: Sign::Pieces(letters), unicode }
}

/// All signs. If one Unicode spelling is a prefix of another, the longer one comes first.
pub const SPELLINGS: &[Spelling] = &[
    symbol(Symbol::LessEqual, "≤"),
    symbol(Symbol::GreaterEqual, "≥"),
    symbol(Symbol::NotEqual, "≠"),
    symbol(Symbol::Arrow, "→"),
    symbol(Symbol::BackArrow, "←"),
    keyword(Keyword::Path, "⊢"),
    keyword(Keyword::Focus, "◎"),
    keyword(Keyword::CurrentPosition, "∙"),
    keyword(Keyword::Flip, "✵"),
    keyword(Keyword::Flipcolor, "⬓"),
    symbol(Symbol::Dash, "――"),
    symbol(Symbol::CaptureDash, "×"),
    symbol(Symbol::ForAll, "∀"),
    symbol(Symbol::Element, "∊"),
    symbol(Symbol::Dot, "▦"),
    symbol(Symbol::IntersectAssign, "∩="),
    symbol(Symbol::UnionAssign, "∪="),
    symbol(Symbol::Intersect, "∩"),
    symbol(Symbol::Union, "∪"),
    symbol(Symbol::Ancestor, "≺"),
    symbol(Symbol::Descendant, "≻"),
    symbol(Symbol::AncestorEqual, "≼"),
    symbol(Symbol::DescendantEqual, "≽"),
    pieces("_", "□"),
    pieces("A", "△"),
    pieces("a", "▲"),
    pieces("Aa", "◭"),
    pieces("K", "♔"),
    pieces("Q", "♕"),
    pieces("R", "♖"),
    pieces("B", "♗"),
    pieces("N", "♘"),
    pieces("P", "♙"),
    pieces("k", "♚"),
    pieces("q", "♛"),
    pieces("r", "♜"),
    pieces("b", "♝"),
    pieces("n", "♞"),
    pieces("p", "♟"),
];

/// Returns the sign at the start of `text` in its Unicode spelling, and its length in bytes.
pub fn sign_at(text: &[u8]) -> Option<(Sign, usize)> {
    if text.first()?.is_ascii() {
        return None;
    }
    let mut alike = CHAINS.at(slot(text)).map(|at| &SPELLINGS[at]);
    let found = alike.find(|spelling| text.starts_with(spelling.unicode.as_bytes()))?;
    Some((found.sign, found.unicode.len()))
}

/// Returns the byte that most signs differ in: the last byte of the first character.
const fn slot(text: &[u8]) -> usize {
    match text {
        [0xc0..0xe0, last, ..] | [_, _, last, ..] => *last as usize,
        _ => 0,
    }
}

static CHAINS: Chains<256, { SPELLINGS.len() }> = Chains::new({
    let mut slots = [0; SPELLINGS.len()];
    let mut at = 0;
    while at < slots.len() {
        slots[at] = slot(SPELLINGS[at].unicode.as_bytes());
        at += 1;
    }
    slots
});

/// Returns the Unicode spelling of a sign, if it has one. `curpos` has that of `currentposition`.
pub fn unicode(sign: Sign) -> Option<&'static str> {
    let sign = match sign {
        Sign::Keyword(Keyword::Curpos) => Sign::Keyword(Keyword::CurrentPosition),
        sign => sign,
    };
    SPELLINGS.iter().find(|spelling| spelling.sign == sign).map(|spelling| spelling.unicode)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pair_is_found_both_ways() {
        for spelling in SPELLINGS {
            assert_eq!(unicode(spelling.sign), Some(spelling.unicode));
            assert_eq!(
                sign_at(spelling.unicode.as_bytes()),
                Some((spelling.sign, spelling.unicode.len()))
            );
        }
    }

    #[test]
    fn code_points_are_those_of_the_reference() {
        let points: Vec<u32> = SPELLINGS
            .iter()
            .filter_map(|spelling| spelling.unicode.chars().next())
            .map(u32::from)
            .collect();
        let expected = [
            0x2264, 0x2265, 0x2260, 0x2192, 0x2190, 0x22a2, 0x25ce, 0x2219, 0x2735, 0x2b13, 0x2015,
            0xd7, 0x2200, 0x220a, 0x25a6, 0x2229, 0x222a, 0x2229, 0x222a, 0x227a, 0x227b, 0x227c,
            0x227d, 0x25a1, 0x25b3, 0x25b2, 0x25ed, 0x2654, 0x2655, 0x2656, 0x2657, 0x2658, 0x2659,
            0x265a, 0x265b, 0x265c, 0x265d, 0x265e, 0x265f,
        ];
        assert_eq!(points, expected);
    }

    #[test]
    fn ascii_has_no_sign() {
        assert_eq!(sign_at(b"<="), None);
        assert_eq!(sign_at(b""), None);
        assert_eq!(sign_at("―".as_bytes()), None);
        assert_eq!(unicode(Sign::Symbol(Symbol::Equal)), None);
    }
}

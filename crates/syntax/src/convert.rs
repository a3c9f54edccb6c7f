//! Converts a query to the other spelling, or to a web page.
//!
//! The text is converted token by token. Everything that has no entry in the table of spellings
//! (white space, comments, strings, numbers, names) is copied byte for byte. A text that cannot be
//! split into tokens is returned unchanged.

mod html;

pub use html::{PAGE_STYLE, html};

use crate::builtin::Keyword;
use crate::lex::designator::{Scanner, is_designator};
use crate::lex::{Lexed, is_word, lex};
use crate::span::SourceId;
use crate::spelling::{self, Sign};
use crate::token::{Symbol, Token, TokenKind};

/// Characters in which a query is written, outside of comments and strings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Characters {
    /// ASCII.
    Ascii,
    /// Unicode signs, if there are any.
    Unicode,
}

/// Returns the text with a Unicode sign for each word or operator that has one.
pub fn to_unicode(text: &[u8]) -> Vec<u8> {
    respelled(text, &lex(SourceId(0), text), Characters::Unicode).unwrap_or_else(|| text.to_vec())
}

/// Returns the text with ASCII spellings outside of comments and strings.
pub fn to_ascii(text: &[u8]) -> Vec<u8> {
    respelled(text, &lex(SourceId(0), text), Characters::Ascii).unwrap_or_else(|| text.to_vec())
}

/// Converts a text, given its tokens. Returns `None` if it already has this spelling, and if it
/// cannot be converted.
pub fn respelled(text: &[u8], lexed: &Lexed, characters: Characters) -> Option<Vec<u8>> {
    let respell = match characters {
        Characters::Ascii => ascii_spelling,
        Characters::Unicode => unicode_spelling,
    };
    convert(text, lexed, respell).filter(|new| new != text)
}

/// Returns the other spelling of a token that is written `text`; `None` to keep it.
type Respell = fn(&Token, text: &[u8]) -> Option<String>;

/// When to put a blank between two tokens that touched each other.
#[derive(Clone, Copy)]
enum Blanks {
    /// If the two would be read differently without one.
    Needed,
    /// If one of the two has changed.
    Always,
}

fn convert(text: &[u8], lexed: &Lexed, respell: Respell) -> Option<Vec<u8>> {
    if !lexed.is_tokenized() {
        return None;
    }
    // Blanks are chosen for two tokens at a time. Three or more can merge in texts that no parser
    // accepts, such as `▲-h1`; in that case, all of them are separated.
    let is_same = |written: &[u8]| {
        written == text || same_tokens(&lexed.tokens, &lex(SourceId(0), written).tokens)
    };
    [Blanks::Needed, Blanks::Always]
        .into_iter()
        .map(|blanks| write(text, &lexed.tokens, respell, blanks))
        .find(|written| is_same(written))
}

fn write(text: &[u8], tokens: &[Token], respell: Respell, blanks: Blanks) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 4);
    let mut end = 0;
    let mut previous: Option<(&Token, std::ops::Range<usize>, bool)> = None;
    for token in tokens {
        if token.kind == TokenKind::TripleSlashEnd {
            continue;
        }
        let (from, to) = (token.span.start as usize, token.span.end as usize);
        out.extend_from_slice(&text[end..from]);
        let old = &text[from..to];
        let is_glued = end == from;
        // In `R[element]`, `R` is a name only because of the bracket, so the bracket must stay.
        let needs_bracket = previous.as_ref().is_some_and(|(left, range, _)| {
            is_glued && is_name_by_bracket(left, &out[range.clone()])
        });
        let new = respell(token, old).filter(|new| !needs_bracket || new.starts_with('['));
        let changed = new.is_some();
        let new = new.as_ref().map_or(old, |new| new.as_bytes());
        if let Some((left, range, left_changed)) = previous
            && is_glued
            && (changed || left_changed)
        {
            let blank = match blanks {
                Blanks::Always => left.kind != TokenKind::PieceDeclaration,
                Blanks::Needed => would_merge(&left.kind, &out[range], new),
            };
            if blank {
                out.push(b' ');
            }
        }
        previous = Some((token, out.len()..out.len() + new.len(), changed));
        out.extend_from_slice(new);
        end = to;
    }
    out.extend_from_slice(&text[end..]);
    out
}

/// Whether a name would be a designator without the bracket after it.
fn is_name_by_bracket(token: &Token, text: &[u8]) -> bool {
    matches!(token.kind, TokenKind::Name(_)) && is_designator(text)
}

/// Whether the token `left` would have another end or kind if `right` followed without a blank.
fn would_merge(kind: &TokenKind, left: &[u8], right: &[u8]) -> bool {
    let is_word_at = |byte: Option<&u8>| byte.is_some_and(|&byte| is_word(byte));
    if is_word_at(left.last()) && is_word_at(right.first()) {
        return true;
    }
    !stay_apart(kind, left, right) && are_read_otherwise(kind, left, right)
}

/// Whether two tokens certainly stay the same without a blank between them.
fn stay_apart(kind: &TokenKind, left: &[u8], right: &[u8]) -> bool {
    match kind {
        // The backslash is the only symbol that combines ASCII with a sign.
        TokenKind::Symbol(Symbol::Backslash) => false,
        TokenKind::Symbol(_) => left.is_ascii() && right.first().is_some_and(|b| !b.is_ascii()),
        // A file name follows these keywords.
        TokenKind::Keyword(Keyword::Input | Keyword::Output) => false,
        TokenKind::Keyword(_) | TokenKind::Designator(_) => {
            matches!(right, [b'(' | b')' | b'{' | b'}' | b',' | b'&' | b'|'])
        }
        _ => false,
    }
}

/// Whether the token `left` is read differently if `right` follows without a blank.
fn are_read_otherwise(kind: &TokenKind, left: &[u8], right: &[u8]) -> bool {
    let text = [left, right].concat();
    let tokens = lex(SourceId(0), &text).tokens;
    !tokens
        .first()
        .is_some_and(|first| first.span.end as usize == left.len() && same_kind(&first.kind, kind))
}

fn same_tokens(left: &[Token], right: &[Token]) -> bool {
    left.len() == right.len()
        && left.iter().zip(right).all(|(left, right)| same_kind(&left.kind, &right.kind))
}

/// Whether two kinds are equal except for differences that conversion does not preserve: `curpos`
/// has no sign of its own, and some designators are simplified.
fn same_kind(left: &TokenKind, right: &TokenKind) -> bool {
    const CURRENT: [TokenKind; 2] =
        [TokenKind::Keyword(Keyword::Curpos), TokenKind::Keyword(Keyword::CurrentPosition)];
    match (left, right) {
        (TokenKind::Designator(_), TokenKind::Designator(_)) => true,
        _ => left == right || CURRENT.contains(left) && CURRENT.contains(right),
    }
}

fn unicode_spelling(token: &Token, text: &[u8]) -> Option<String> {
    let sign = match &token.kind {
        TokenKind::Keyword(keyword) => Sign::Keyword(*keyword),
        TokenKind::Symbol(symbol) => Sign::Symbol(*symbol),
        TokenKind::PieceDeclaration => Sign::Pieces("Aa"),
        TokenKind::Designator(_) => return unicode_designator(text),
        _ => return None,
    };
    let unicode = spelling::unicode(sign)?;
    (unicode.as_bytes() != text).then(|| unicode.to_owned())
}

fn ascii_spelling(token: &Token, text: &[u8]) -> Option<String> {
    if text.is_ascii() {
        return None;
    }
    Some(match &token.kind {
        TokenKind::Keyword(keyword) => keyword.text().to_owned(),
        TokenKind::Symbol(symbol) => symbol.text().to_owned(),
        TokenKind::PieceDeclaration => "[Aa]".to_owned(),
        TokenKind::Designator(_) => return ascii_designator(text),
        _ => return None,
    })
}

/// Returns the two parts of a designator: the letters of the pieces, each once and in the order of
/// their first occurrence, and the squares as written, without brackets around a single range.
fn parts(text: &[u8]) -> Option<(String, &str)> {
    let found = Scanner::new(text).designator(0)?;
    let pieces = std::str::from_utf8(&text[found.pieces]).ok()?;
    let squares = std::str::from_utf8(&text[found.squares]).ok()?;
    let inside = squares.strip_prefix('[').and_then(|s| s.strip_suffix(']'));
    let squares = inside.filter(|s| !s.contains(',')).unwrap_or(squares);
    let mut letters = String::new();
    for character in pieces.chars().filter(|character| !"[]".contains(*character)) {
        let mut buffer = [0; 4];
        let written = character.encode_utf8(&mut buffer);
        let meant = match spelling::sign_at(written.as_bytes()) {
            Some((Sign::Pieces(letters), _)) => letters,
            _ => written,
        };
        for letter in meant.chars() {
            if !letters.contains(letter) {
                letters.push(letter);
            }
        }
    }
    Some((letters, squares))
}

/// Returns a designator with signs for its pieces, without brackets. As in the reference, `A`
/// together with `a` becomes `◭` whatever other pieces are there; `[Aa_]` is omitted before
/// squares, and becomes `a-h1-8` on its own; `a-h1-8` is omitted after pieces.
fn unicode_designator(text: &[u8]) -> Option<String> {
    let (letters, squares) = parts(text)?;
    let has = |letter| letters.contains(letter);
    let mut out = String::new();
    if has('A') && has('a') {
        match (has('_'), squares.is_empty()) {
            (true, false) => {}
            (true, true) => out += "a-h1-8",
            (false, _) => out.push('◭'),
        }
    } else {
        for spelling in letters.chars().filter_map(piece_sign) {
            out += spelling;
        }
    }
    if out.is_empty() || squares != "a-h1-8" {
        out += squares;
    }
    (out.as_bytes() != text).then_some(out)
}

fn ascii_designator(text: &[u8]) -> Option<String> {
    let (letters, squares) = parts(text)?;
    Some(match letters.len() {
        1 => format!("{letters}{squares}"),
        _ => format!("[{letters}]{squares}"),
    })
}

/// Returns the sign for a single piece letter.
fn piece_sign(letter: char) -> Option<&'static str> {
    spelling::SPELLINGS
        .iter()
        .find(|spelling| match spelling.sign {
            Sign::Pieces(letters) => letters.chars().eq([letter]),
            _ => false,
        })
        .map(|spelling| spelling.unicode)
}

#[cfg(test)]
mod tests;

//! Determines the dialect of a text.
//!
//! A comment before the first word may name the dialect (`; dialect: cql5`). Classic CQL is
//! recognized by its first bracket. CQL 5 and CQL 6 begin alike, so their words decide: each
//! dialect has *markers*, words and forms that the other does not have. A text with markers of CQL
//! 6, or without any markers, is CQL 6.

use crate::cql5::word::Word;
use crate::cql5::{has_variable_suffix, uses_letter_u};
use crate::parse::{ParseOptions, Source};

/// A dialect of the language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    /// CQL 6.0 – 6.2.
    Cql6,
    /// CQL 5.0 – 5.2.
    Cql5,
    /// CQL 1 – 4.
    Classic,
}

impl Dialect {
    /// Returns the dialect with a name: `cql6` or `6`, `cql5` or `5`, `classic`.
    pub fn from_name(name: &str) -> Option<Dialect> {
        match name {
            "cql6" | "6" => Some(Dialect::Cql6),
            "cql5" | "5" => Some(Dialect::Cql5),
            "classic" => Some(Dialect::Classic),
            _ => None,
        }
    }

    /// Returns the primary name.
    pub const fn name(self) -> &'static str {
        match self {
            Dialect::Cql6 => "cql6",
            Dialect::Cql5 => "cql5",
            Dialect::Classic => "classic",
        }
    }
}

/// Evidence for a dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ground {
    /// A comment that names the dialect.
    Pragma,
    /// The form of the text, or words that only this dialect has.
    Form,
    /// Words that only CQL 5 has, but that are plain English, too. If the text is correct in no
    /// dialect, it is read as CQL 6.
    English,
    /// Ranges after words that usually have one in CQL 5 and may have one in CQL 6. If the text is
    /// correct CQL 6, it is read as CQL 6.
    Shared,
    /// No evidence.
    Default,
}

/// Returns the dialect in which a search would read the text.
pub fn dialect_of(text: &[u8]) -> Dialect {
    let is_cql5 = || crate::cql5::is_query(text, crate::cql5::MAX_DEPTH);
    let is_cql6 = |require_header| {
        let source = Source { name: "", text };
        let options = ParseOptions { require_header, ..ParseOptions::default() };
        crate::parse(&source, &[], &options).is_ok()
    };
    let (dialect, ground) = recognize(text);
    let is_older = match (dialect, ground) {
        (Dialect::Cql6, _) => false,
        // as in `(mate or stalemate)`, without a header
        (Dialect::Classic, Ground::Form) => !is_cql6(false),
        (Dialect::Classic, _) | (Dialect::Cql5, Ground::Pragma) => true,
        (Dialect::Cql5, Ground::Form | Ground::English) => is_cql5(),
        (Dialect::Cql5, Ground::Shared | Ground::Default) => !is_cql6(true) && is_cql5(),
    };
    if is_older { dialect } else { Dialect::Cql6 }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Returns the dialect of a text, and the evidence for it.
pub fn recognize(text: &[u8]) -> (Dialect, Ground) {
    let (start, pragma) = leading_comments(text);
    if let Some(dialect) = pragma {
        return (dialect, Ground::Pragma);
    }
    let rest = &text[start..];
    if rest.first() == Some(&b'(') {
        return (Dialect::Classic, Ground::Form);
    }
    let markers = Markers::of(&text[byte_order_mark(text)..]);
    match markers {
        Markers { cql6: true, .. } => (Dialect::Cql6, Ground::Form),
        Markers { comment_line: true, distinct: false, .. } => (Dialect::Cql6, Ground::Form),
        Markers { cql5: true, .. } => (Dialect::Cql5, Ground::Form),
        Markers { english: true, .. } => (Dialect::Cql5, Ground::English),
        Markers { shared: true, .. } => (Dialect::Cql5, Ground::Shared),
        _ => (Dialect::Cql6, Ground::Default),
    }
}

/// Returns the length of the byte order mark at the start of a text; 0 if there is none.
pub(crate) fn byte_order_mark(text: &[u8]) -> usize {
    if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 }
}

/// Returns the length of a comment in the form of CQL 6 at the start of a text; 0 if there is none.
/// Every dialect allows one before the first word, since the dialect is not known there.
pub(crate) fn comment_of_cql6(text: &[u8]) -> usize {
    match text.first() {
        Some(b'/') => comment_length(text),
        _ => 0,
    }
}

/// Whether a comment with two slashes begins at `at` and has its own line. In CQL 5, only comments
/// after other text, such as `mate // x`, are errors.
pub(crate) fn is_comment_line(text: &[u8], at: usize) -> bool {
    let before = text[..at].iter().rev().take_while(|&&b| b != b'\n');
    text[at..].starts_with(b"//") && before.into_iter().all(u8::is_ascii_whitespace)
}

/// Returns the offset of the first word, and the dialect that a comment before it names.
fn leading_comments(text: &[u8]) -> (usize, Option<Dialect>) {
    let mut at = byte_order_mark(text);
    let mut named = None;
    while at < text.len() {
        if text[at].is_ascii_whitespace() {
            at += 1;
            continue;
        }
        let length = comment_length(&text[at..]);
        if length == 0 {
            break;
        }
        let comment = &text[at..at + length];
        named = named.or_else(|| pragma(comment));
        at += length;
    }
    (at, named)
}

/// Returns the length of the comment at the start of a text; 0 if there is none.
fn comment_length(text: &[u8]) -> usize {
    let line = || {
        let end = text.iter().position(|&b| b == b'\n');
        end.unwrap_or(text.len())
    };
    match text {
        [b';', ..] | [b'/', b'/', ..] => line(),
        [b'/', b'*', rest @ ..] => {
            rest.windows(2).position(|pair| pair == b"*/").map_or(text.len(), |end| end + 4)
        }
        _ => 0,
    }
}

fn pragma(comment: &[u8]) -> Option<Dialect> {
    let comment = String::from_utf8_lossy(comment);
    let comment = comment.trim_start_matches([';', '/', '*']).trim_start();
    let name = comment.strip_prefix("dialect")?.trim_start();
    let name = name.strip_prefix(':')?.trim_start();
    let end = name.find(|c: char| !c.is_ascii_alphanumeric());
    Dialect::from_name(&name[..end.unwrap_or(name.len())])
}

/// Evidence that a word gives, alone or before a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// Only CQL 6 has the word.
    Cql6,
    /// Only CQL 5 has the word.
    Cql5,
    /// Only CQL 5 has the word, which is plain English, as in `knight on d5`.
    English,
    /// Only CQL 5 has the word, and nobody writes it by mistake.
    Distinct,
    /// Only CQL 5 has a range after the word.
    Range5,
    /// Both dialects have a range after the word.
    SharedRange,
}

impl Mark {
    fn of(word: &str) -> Option<Mark> {
        Some(match word {
            "line" | "path" | "find" | "echo" | "if" | "then" | "else" | "while" | "loop"
            | "function" | "and" | "try" | "lca" | "distance" | "child" | "parent"
            | "sidetomove" | "positionid" | "attackedby" | "dark" | "light" | "pin" | "xray"
            | "originalcomment" | "settag" | "message" | "persistent" | "countmoves" => Mark::Cql6,
            "powerdifference" | "beginvariation" | "lightsquares" | "darksquares" => Mark::Cql5,
            "on" | "any" | "origin" => Mark::English,
            "relation" | "countsquares" | "next" | "next2" | "previous2" => Mark::Distinct,
            "power" | "movenumber" | "year" | "elo" | "ray" | "square" | "piece" => Mark::Range5,
            "matchcount" | "flip" | "flipdihedral" | "dihedral" | "fliphorizontal"
            | "flipvertical" | "flipcolor" | "rotate90" | "rotate45" | "shift"
            | "shifthorizontal" | "shiftvertical" => Mark::SharedRange,
            _ => return None,
        })
    }
}

#[derive(Debug, Default)]
struct Markers {
    cql6: bool,
    cql5: bool,
    english: bool,
    shared: bool,
    /// Whether a line is a comment in the form of CQL 6; ignored if `distinct` is set.
    comment_line: bool,
    /// Whether one of the markers of CQL 5 is a word that nobody writes by mistake.
    distinct: bool,
}

/// A word or sign of the text, as needed to find markers.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Piece<'t> {
    Word(&'t str),
    Sign(u8),
}

impl Markers {
    /// Finds the markers of a text. The search ends at the first marker of CQL 6.
    fn of(text: &[u8]) -> Markers {
        let mut markers = Markers::default();
        let mut pieces = Pieces::new(text);
        let mut in_body = false;
        let mut before = None;
        let mut next = pieces.next();
        let mut behind_next = pieces.next();
        while let Some(piece) = next.filter(|_| !markers.cql6) {
            let third = pieces.next();
            if let Piece::Word(word) = piece {
                let after = match behind_next {
                    // the color belongs to `elo`, so the word after it is used
                    Some(Piece::Word("white" | "black")) if word == "elo" => third,
                    after => after,
                };
                markers.word(word, before, after, in_body);
            }
            // The header ends at the first closing parenthesis.
            in_body |= piece == Piece::Sign(b')');
            (before, next, behind_next) = (Some(piece), behind_next, third);
        }
        markers.cql6 |= pieces.cql6;
        markers.comment_line = pieces.comment_line;
        markers
    }

    fn word(
        &mut self,
        word: &str,
        before: Option<Piece<'_>>,
        after: Option<Piece<'_>>,
        in_body: bool,
    ) {
        let is_plain = word.bytes().all(|b| b.is_ascii_alphanumeric());
        if !is_plain {
            self.cql6 |= word.contains("--") || word.contains("[]") || word.contains("[x]");
        }
        if let Some(keyword) = word.strip_prefix(':') {
            match Word::from_text(keyword) {
                Some(_) => self.cql5 = true,
                None => self.cql6 = true,
            }
            return;
        }
        self.cql6 |= !is_plain && word.contains(':');
        let number = matches!(after, Some(Piece::Word(next)) if is_integer(next));
        let followed_by = |sign| after == Some(Piece::Sign(sign));
        match Mark::of(word) {
            Some(Mark::Cql6) => self.cql6 = true,
            Some(Mark::Cql5) => self.cql5 = true,
            Some(Mark::English) => self.english = true,
            Some(Mark::Distinct) => (self.cql5, self.distinct) = (true, true),
            Some(Mark::Range5) => self.cql5 |= number,
            Some(Mark::SharedRange) => self.shared |= number,
            None => {}
        }
        match word {
            "attack" | "attacks" if before == Some(Piece::Word("ray")) => {}
            "attack" if followed_by(b'(') && before.is_some_and(may_be_set) => self.shared = true,
            "attack" => self.cql5 |= number || followed_by(b'('),
            "attacks" if number => self.cql5 = true,
            // `R attacks k`, but `mate attacks(R k)`
            "attacks" if before.is_some_and(|piece| may_be_set(piece)) => self.cql6 = true,
            "attacks" => self.cql5 |= followed_by(b'('),
            "previous" if followed_by(b'*') || followed_by(b'(') => {
                (self.cql5, self.distinct) = (true, true);
            }
            "silent" => self.cql5 |= in_body,
            _ => self.cql5 |= has_variable_suffix(word) || uses_letter_u(word),
        }
    }
}

/// Splits a text into words and signs, up to the first sign that only CQL 6 has.
struct Pieces<'t> {
    text: &'t [u8],
    at: usize,
    /// Whether such a sign was found.
    cql6: bool,
    comment_line: bool,
}

impl<'t> Pieces<'t> {
    fn new(text: &'t [u8]) -> Pieces<'t> {
        Pieces { text, at: 0, cql6: false, comment_line: false }
    }
}

impl<'t> Iterator for Pieces<'t> {
    type Item = Piece<'t>;

    fn next(&mut self) -> Option<Piece<'t>> {
        while self.at < self.text.len() && !self.cql6 {
            let rest = &self.text[self.at..];
            let comment = comment_length(rest);
            if comment > 0 {
                if is_comment_line(self.text, self.at) {
                    self.comment_line = true
                } else {
                    self.cql6 |= rest[0] == b'/'
                }
                self.at += comment;
                continue;
            }
            let (piece, length) = match rest[0] {
                b if b.is_ascii_whitespace() => (None, 1),
                b'"' => {
                    let end = rest[1..].iter().position(|&b| b == b'"');
                    let length = end.map_or(rest.len(), |end| end + 2);
                    (Some(Piece::Sign(b'"')), length)
                }
                b @ (b'(' | b')' | b'{' | b'}' | b'*' | b'+' | b'?') => (Some(Piece::Sign(b)), 1),
                b'=' | b'<' | b'>' | b'&' | b'|' | b'~' | b'#' | b'%' | b'!' => {
                    self.cql6 = true;
                    (None, 1)
                }
                _ => {
                    let length = rest.iter().take_while(|&&b| in_word(b)).count().max(1);
                    let word = std::str::from_utf8(&rest[..length]).ok();
                    let word = word.filter(|word| word.is_ascii());
                    self.cql6 |= word.is_none();
                    (word.map(Piece::Word), length)
                }
            };
            self.at += length;
            if piece.is_some() {
                return piece;
            }
        }
        None
    }
}

fn in_word(byte: u8) -> bool {
    const IN_WORD: [bool; 256] = {
        let mut in_word = [true; 256];
        let others = b" \t\n\x0c\r(){}*+?\"=<>&|~#%!;";
        let mut i = 0;
        while i < others.len() {
            in_word[others[i] as usize] = false;
            i += 1;
        }
        in_word
    };
    IN_WORD[usize::from(byte)]
}

fn is_integer(word: &str) -> bool {
    let digits = word.strip_prefix('-').unwrap_or(word);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit())
}

/// Whether a set of squares may end with this piece.
fn may_be_set(piece: Piece<'_>) -> bool {
    match piece {
        Piece::Sign(sign) => sign == b')' || sign == b'}',
        Piece::Word(word) => word == "." || Word::from_text(word).is_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, ground: Ground, texts: &[&str]) {
        for text in texts {
            assert_eq!(recognize(text.as_bytes()), (dialect, ground), "{text}");
        }
    }

    #[test]
    fn a_comment_names_the_dialect() {
        let pragma = Ground::Pragma;
        check(
            Dialect::Cql5,
            pragma,
            &[
                "; dialect: cql5\ncql() mate",
                ";dialect :cql5   data: sample\ncql() R==2",
                "\n; a query\n;; dialect: 5\n(match)",
            ],
        );
        check(Dialect::Cql6, pragma, &["// dialect: cql6\ncql() next*"]);
        check(Dialect::Classic, pragma, &["/* dialect: classic */ x"]);
        check(
            Dialect::Cql6,
            Ground::Default,
            &["; dialects: cql5\ncql() mate", "cql() ; dialect: cql5\nmate"],
        );
    }

    #[test]
    fn lists_are_classic() {
        check(
            Dialect::Classic,
            Ground::Form,
            &[
                "(match (position))",
                " ; x\n( match",
                "(position Ra1)",
                "\u{feff}(match (position))",
            ],
        );
    }

    #[test]
    fn words_and_forms_of_cql_5() {
        check(
            Dialect::Cql5,
            Ground::Form,
            &[
                "cql() relation (mismatch 1)",
                "cql() countsquares 2 R",
                "cql() next* mate",
                "cql() previous* mate",
                "cql() previous (mate check)",
                "cql() mate attack(A k)",
                "cql() attacks 2 (A k)",
                "cql() mate attacks (A k)",
                "cql() square 2 5 $x in R check",
                "cql() square $x in R B$x",
                "cql() :wtm mate",
                "cql() silent mate",
                "cql() [QU]",
                "cql() Uh8",
                "cql() power 3 5 A",
                "cql() movenumber 2 10",
                "cql() elo 2000 2500",
                "cql() elo black 2000 2500",
                "cql() lightsquares ; a = b",
                "cql() comment \"a = b\" lightsquares",
                "// x\ncql()\n  // y\nnext (check*)",
                "cql() R on d5 B$x",
            ],
        );
        check(
            Dialect::Cql5,
            Ground::English,
            &["cql() any ; a = b", "cql() knight on d5", "cql() flip 2 4 any"],
        );
    }

    #[test]
    fn words_and_signs_of_cql_6() {
        check(
            Dialect::Cql6,
            Ground::Form,
            &[
                "cql() R==2",
                "cql() mate // any",
                "cql() /* x */ any",
                "// x\ncql() any",
                "cql() next (check*) // x",
                "cql()\n/* x */\nnext (check*)",
                "cql()\n// x\npower 3 5 A",
                "\u{feff}/* x */ cql() any",
                "cql() ♖ any",
                "cql() parent:any",
                "cql() parent : any",
                "cql() R--k",
                "cql() R attacks k any",
                "cql() find any",
                "cql() next=3",
            ],
        );
    }

    #[test]
    fn what_both_have_is_left_to_the_parser() {
        check(
            Dialect::Cql5,
            Ground::Shared,
            &["cql() flip 2 4 Ka1", "cql(matchcount 2 3) mate", "cql() R attack (k)"],
        );
        check(
            Dialect::Cql6,
            Ground::Default,
            &[
                "",
                "cql() mate",
                "cql(silent) mate",
                "cql() square $x in R $x",
                "cql() flip Ka1",
                "cql() ray attack (B k)",
                "cql() ray attacks(B k)",
                "mate",
            ],
        );
    }
}

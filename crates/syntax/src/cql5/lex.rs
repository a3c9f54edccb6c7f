//! Splits a text into tokens of CQL 5.
//!
//! White space separates words; brackets, braces and the signs of repetition are always words of
//! their own. A `;` begins a comment only at the start of a word, so `initial;x` is an error.

use super::designator::{RawDesignator, Read, read};
use super::word::Word;
use crate::diagnostic::Diagnostic;
use crate::dialect::{byte_order_mark, comment_of_cql6, is_comment_line};
use crate::span::{SourceId, Span};

/// Maximum length of a word; longer ones are errors.
const LONGEST_WORD: usize = 99;
/// Maximum length of a string; longer ones are errors.
const LONGEST_STRING: usize = 500;

/// A token with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    OpenParen,
    CloseParen,
    OpenBrace,
    CloseBrace,
    Star,
    Plus,
    Question,
    Word(Word),
    Integer(i32),
    Designator(RawDesignator),
    String(Vec<u8>),
    /// Letters, digits, `.`, `/`, `-` and `_`: file names, results, directions.
    Name(String),
    /// A word whose error has been reported.
    Faulty,
}

/// The tokens of a text, with diagnostics.
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

/// Splits a text into tokens.
pub(super) fn lex(source: SourceId, text: &[u8]) -> Lexed {
    lex_up_to(usize::MAX, source, text)
}

/// Splits a text into tokens, up to a maximum number of errors.
pub(super) fn lex_up_to(most_faults: usize, source: SourceId, text: &[u8]) -> Lexed {
    let mut lexed = Lexed { tokens: Vec::new(), diagnostics: Vec::new() };
    let mut at = byte_order_mark(text);
    while at < text.len() && lexed.diagnostics.len() < most_faults {
        let byte = text[at];
        if byte.is_ascii_whitespace() || byte == 0x0b {
            at += 1;
            continue;
        }
        if byte == b';' {
            at += line_length(&text[at..]);
            continue;
        }
        if (lexed.tokens.is_empty() || is_comment_line(text, at))
            && comment_of_cql6(&text[at..]) > 0
        {
            at += comment_of_cql6(&text[at..]);
            continue;
        }
        let start = at;
        let kind = match byte {
            b'(' => TokenKind::OpenParen,
            b')' => TokenKind::CloseParen,
            b'{' => TokenKind::OpenBrace,
            b'}' => TokenKind::CloseBrace,
            b'*' => TokenKind::Star,
            b'+' => TokenKind::Plus,
            b'?' => TokenKind::Question,
            b'"' => {
                let (length, kind) = string(source, text, at, &mut lexed.diagnostics);
                at += length;
                let span = Span::new(source, start, at);
                lexed.tokens.push(Token { kind, span });
                continue;
            }
            _ => {
                at += text[at..].iter().take_while(|b| in_word(**b)).count();
                let span = Span::new(source, start, at);
                let kind = word(&text[start..at], span, &mut lexed.diagnostics);
                lexed.tokens.push(Token { kind, span });
                continue;
            }
        };
        at += 1;
        let span = Span::new(source, start, at);
        lexed.tokens.push(Token { kind, span });
    }
    lexed
}

fn line_length(text: &[u8]) -> usize {
    text.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(text.len())
}

fn in_word(byte: u8) -> bool {
    !byte.is_ascii_whitespace() && byte != 0x0b && !b"(){}*+?".contains(&byte)
}

/// Reads the string at `at`. Returns its length with the quotes, and the token.
fn string(
    source: SourceId,
    text: &[u8],
    at: usize,
    diagnostics: &mut Vec<Diagnostic>,
) -> (usize, TokenKind) {
    let rest = &text[at + 1..];
    let end = rest.iter().position(|b| matches!(b, b'"' | b'\n' | b'\r'));
    let line = &rest[..end.unwrap_or(rest.len())];
    let (length, message) = match end.filter(|&end| rest[end] == b'"') {
        None => (line.len() + 1, "this string does not end on its line"),
        Some(0) => (2, "a string must not be empty"),
        Some(n) if n > LONGEST_STRING => (n + 2, "a string has at most 500 characters"),
        Some(n) => {
            if line[..n].is_ascii() {
                return (n + 2, TokenKind::String(line[..n].to_vec()));
            } else {
                (n + 2, "a string holds a character that is not ASCII")
            }
        }
    };
    let span = Span::new(source, at, at + length);
    diagnostics.push(Diagnostic::error("E0602", span, message));
    (length, TokenKind::Faulty)
}

fn word(word: &[u8], span: Span, diagnostics: &mut Vec<Diagnostic>) -> TokenKind {
    let mut faulty = |code, message: String, help: Option<String>| {
        let mut diagnostic = Diagnostic::error(code, span, message);
        diagnostic.help = help;
        diagnostics.push(diagnostic);
        TokenKind::Faulty
    };
    if word.len() > LONGEST_WORD {
        return faulty(
            "E0602",
            format!("a word has at most 99 characters, not {}", word.len()),
            None,
        );
    }
    let text = String::from_utf8_lossy(word).into_owned();
    let keyword = text.strip_prefix(':').unwrap_or(&text);
    if let Some(word) = Word::from_text(keyword) {
        return TokenKind::Word(word);
    }
    let digits = text.strip_prefix('-').unwrap_or(&text);
    if !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) {
        return match text.parse() {
            Ok(number) => TokenKind::Integer(number),
            Err(_) => faulty("E0602", format!("{text} does not fit 32 bits"), None),
        };
    }
    match read(word) {
        Read::Designator(designator) => return TokenKind::Designator(designator),
        Read::Descends => {
            return faulty("E0603", format!("a range of files or ranks in {text} descends"), None);
        }
        Read::Other => {}
    }
    let in_name = |b: u8| b.is_ascii_alphanumeric() || b"./-_".contains(&b);
    let comment = text.starts_with("//") || text.starts_with("/*");
    if !comment && word.iter().all(|&b| in_name(b)) {
        return TokenKind::Name(text);
    }
    let help = if comment {
        Some("in CQL 5 a comment begins with ;".to_owned())
    } else if word.contains(&b';') {
        Some("a comment begins with ; at the beginning of a word".to_owned())
    } else {
        operator_help(&text)
    };
    faulty("E0601", format!("CQL 5 has no word like {}", text.escape_debug()), help)
}

/// Returns a proposal for a word with an operator of CQL 6.
fn operator_help(text: &str) -> Option<String> {
    let operators = ["=", "<", ">", "&", "|", "#", "~", "%", ":", "[]"];
    (!text.is_ascii() || operators.iter().any(|o| text.contains(o)))
        .then(|| "CQL 5 has no operators; if this is CQL 6, say so with -dialect cql6".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> String {
        let lexed = lex(SourceId(0), text.as_bytes());
        lexed
            .tokens
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Word(word) => word.text().to_uppercase(),
                TokenKind::Integer(number) => number.to_string(),
                TokenKind::Designator(_) => "<designator>".to_owned(),
                TokenKind::String(text) => format!("{:?}", String::from_utf8_lossy(text)),
                TokenKind::Name(name) => name.clone(),
                TokenKind::Faulty => "!".to_owned(),
                _ => text[token.span.start as usize..token.span.end as usize].to_owned(),
            })
            .collect::<Vec<_>>()
            .join(" ")
    }

    fn check(text: &str, want: &str) {
        assert_eq!(kinds(text), want, "{text}");
    }

    #[test]
    fn brackets_need_no_space() {
        check("attack(R $x)", "ATTACK ( <designator> <designator> )");
        check("next(check*mate+)", "NEXT ( CHECK * MATE + )");
        check("{2 3}", "{ 2 3 }");
    }

    #[test]
    fn words_are_classified_in_order() {
        check(":wtm wtm ::wtm", "WTM WTM !");
        check("-7 12 1-0 a.pgn", "-7 12 1-0 a.pgn");
        check("a any . U [RQ]", "<designator> ANY . <designator> <designator>");
        check("up maindiagonal echo", "up maindiagonal echo");
        check("2147483648", "!");
    }

    #[test]
    fn comments_begin_where_words_do() {
        check("mate ; x y\nwtm", "MATE WTM");
        check("mate;x wtm", "! WTM");
        check("(;x\n)", "( )");
        check("mate // x", "MATE ! <designator>".replace("<designator>", "x").as_str());
    }

    #[test]
    fn strings() {
        check("\"a b\"", "\"a b\"");
        check("\"\" mate", "! MATE");
        check("\"a\nmate", "! MATE");
        check(&format!("\"{}\"", "a".repeat(501)), "!");
        check("a\"b", "!");
    }

    #[test]
    fn limits() {
        check(&"x".repeat(99), &"x".repeat(99));
        check(&"x".repeat(100), "!");
        check("é", "!");
        check("R==2", "!");
    }
}

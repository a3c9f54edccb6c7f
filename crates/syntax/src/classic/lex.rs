//! Splits a text into parentheses and words.

use super::code;
use crate::diagnostic::Diagnostic;
use crate::dialect::{byte_order_mark, comment_of_cql6};
use crate::span::{SourceId, Span};

/// A token with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TokenKind {
    Open,
    Close,
    /// A run of characters.
    Word(Vec<u8>),
    /// `"…"`: never a keyword or a designator.
    Quoted(Vec<u8>),
}

/// The tokens of a text, with diagnostics.
pub(super) struct Lexed {
    pub(super) tokens: Vec<Token>,
    pub(super) diagnostics: Vec<Diagnostic>,
}

fn is_space(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0x0b
}

fn ends_word(byte: u8) -> bool {
    is_space(byte) || matches!(byte, b'(' | b')' | b';')
}

/// Splits a text into tokens.
pub(super) fn lex(source: SourceId, text: &[u8]) -> Lexed {
    let mut lexed = Lexed { tokens: Vec::new(), diagnostics: Vec::new() };
    if text.len() >= crate::lex::MAX_LENGTH {
        lexed.diagnostics.push(Diagnostic::error(
            code::WORD,
            Span::new(source, 0, 0),
            format!(
                "the text has {} bytes; a query must have less than {}",
                text.len(),
                crate::lex::MAX_LENGTH
            ),
        ));
        return lexed;
    }
    let mut at = byte_order_mark(text);
    while let Some(&byte) = text.get(at) {
        let start = at;
        let rest = &text[at..];
        let (kind, length) = match byte {
            _ if is_space(byte) => {
                at += 1;
                continue;
            }
            b';' => {
                at += length_until(rest, |byte| byte == b'\n');
                continue;
            }
            b'/' if lexed.tokens.is_empty() && comment_of_cql6(rest) > 0 => {
                at += comment_of_cql6(rest);
                continue;
            }
            b'(' => (TokenKind::Open, 1),
            b')' => (TokenKind::Close, 1),
            b'"' => {
                let length = length_until(&rest[1..], |byte| matches!(byte, b'"' | b'\n'));
                let closed = rest.get(1 + length) == Some(&b'"');
                if !closed {
                    lexed.diagnostics.push(Diagnostic::error(
                        code::WORD,
                        Span::new(source, start, start + 1 + length),
                        "this string has no closing quotation mark on its line",
                    ));
                }
                let kind = TokenKind::Quoted(rest[1..1 + length].to_vec());
                (kind, 1 + length + usize::from(closed))
            }
            _ => {
                let length = length_until(rest, ends_word);
                (TokenKind::Word(rest[..length].to_vec()), length)
            }
        };
        at += length;
        lexed.tokens.push(Token { kind, span: Span::new(source, start, at) });
    }
    lexed
}

/// Returns the number of bytes before the first one that `ends` accepts.
fn length_until(text: &[u8], ends: impl Fn(u8) -> bool) -> usize {
    text.iter().position(|&byte| ends(byte)).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, want: &str, n_faults: usize) {
        let lexed = lex(SourceId(0), text.as_bytes());
        let words: Vec<String> = lexed
            .tokens
            .iter()
            .map(|token| match &token.kind {
                TokenKind::Open => "(".to_owned(),
                TokenKind::Close => ")".to_owned(),
                TokenKind::Word(word) => String::from_utf8_lossy(word).into_owned(),
                TokenKind::Quoted(word) => format!("«{}»", String::from_utf8_lossy(word)),
            })
            .collect();
        assert_eq!(words.join(" "), want, "{text}");
        assert_eq!(lexed.diagnostics.len(), n_faults, "{text}");
    }

    #[test]
    fn parentheses_blanks_and_comments_end_words() {
        for (text, want, n_faults) in [
            ("(match(position :mate))", "( match ( position :mate ) )", 0),
            ("; a (comment)\n Ka1;b2\n[KQ]a1", "Ka1 [KQ]a1", 0),
            ("Q[a2,c2] .d4 $rook[a1,d4] 1/2", "Q[a2,c2] .d4 $rook[a1,d4] 1/2", 0),
            (":player \"van der (W)\" x", ":player «van der (W)» x", 0),
            (":player O\"Kelly", ":player O\"Kelly", 0),
            ("\"open\n)", "«open» )", 1),
            ("\u{feff}(", "(", 0),
            ("Réti", "Réti", 0),
            ("", "", 0),
        ] {
            check(text, want, n_faults);
        }
    }
}

//! Comments, which the lexer skips.

use syntax::token::{Token, TokenKind};
use syntax::{SourceId, Span};

/// Returns the comments of a text in CQL 6, given its tokens.
pub(crate) fn comments(text: &str, tokens: &[Token]) -> Vec<Span> {
    let mut found = Vec::new();
    let mut at = 0;
    // The end of a `///` line is a token in the middle of white space.
    let tokens = tokens.iter().filter(|t| t.kind != TokenKind::TripleSlashEnd);
    let starts = tokens.map(|t| (t.span.start as usize, t.span.end as usize));
    for (start, end) in starts.chain([(text.len(), text.len())]) {
        found.extend(comments_between(text, at, start));
        at = at.max(end);
    }
    found
}

/// Returns the comments between two tokens.
pub(crate) fn comments_between(text: &str, start: usize, end: usize) -> impl Iterator<Item = Span> {
    let gap = text.as_bytes().get(start..end).unwrap_or_default();
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < gap.len() {
            let length = comment_length(&gap[at..]);
            let from = at;
            at += length.max(1);
            if length > 0 {
                return Some(Span::new(SourceId(0), start + from, start + at));
            }
        }
        None
    })
}

/// Returns the length of the comment at the start of a text, without its line end; 0 if there is
/// none.
pub(crate) fn comment_length(text: &[u8]) -> usize {
    match text {
        [b';', ..] | [b'/', b'/', ..] => {
            let end = text.iter().position(|&b| b == b'\n');
            let line = &text[..end.unwrap_or(text.len())];
            line.strip_suffix(b"\r").unwrap_or(line).len()
        }
        [b'/', b'*', inside @ ..] => {
            let end = inside.windows(2).position(|pair| pair == b"*/");
            end.map_or(text.len(), |end| end + 4)
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_stand_between_tokens() {
        let check = |text: &str, expected: &[&str]| {
            let tokens = syntax::lex(SourceId(0), text.as_bytes()).tokens;
            let found = comments(text, &tokens);
            let found: Vec<&str> =
                found.iter().map(|span| &text[span.start as usize..span.end as usize]).collect();
            assert_eq!(found, expected, "{text}");
        };
        check("cql() // a\r\nmate // ♔", &["// a", "// ♔"]);
        check("cql() /* a\nb */ mate ; c", &["/* a\nb */", "; c"]);
        check("cql() \"// a\" mate /// \"b\" // c\n R", &["// c"]);
        check("cql() /* open", &["/* open"]);
        check("cql() mate", &[]);
    }
}

//! Writes a query as a web page, colored by the kind of each token.

use crate::builtin::Keyword;
use crate::lex::{Lexed, lex, word_length};
use crate::span::SourceId;
use crate::token::{Symbol, TokenKind};

/// Style sheet of the tokens. It is near the start of the page, and no other page contains it.
pub const PAGE_STYLE: &str = "pre{font-family:monospace;font-size:medium}\
.k{color:#7b1fa2;font-weight:bold}.s{color:#b03a2e}.c{color:#607d63;font-style:italic}\
.i{color:#1a5276}.d{color:#0b6e4f;font-weight:bold}.m{color:#b9770e;font-weight:bold}\
.n{color:#424949}";

/// Returns a page that shows `text`, whether or not it is a correct query. Classes of the tokens:
/// `k` keywords; `s` symbols, strings and words with a sign of their own; `c` white space and
/// comments; `i` names; `d` designators; `m` dashes; `n` numbers.
pub fn html(text: &[u8], title: &str) -> Vec<u8> {
    let lexed = lex(SourceId(0), text);
    let mut out = String::with_capacity(8 * text.len() + PAGE_STYLE.len() + 200);
    out += "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>";
    escape(title, &mut out);
    out += "</title>\n<style>";
    out += PAGE_STYLE;
    out += "</style>\n</head>\n<body>\n<pre>";
    spans(text, &lexed, &mut out);
    out += "</pre>\n</body>\n</html>\n";
    out.into_bytes()
}

fn spans(text: &[u8], lexed: &Lexed, out: &mut String) {
    let mut end = 0;
    while text[end..].starts_with("\u{feff}".as_bytes()) {
        end += '\u{feff}'.len_utf8();
    }
    for token in &lexed.tokens {
        if token.kind == TokenKind::TripleSlashEnd {
            continue;
        }
        let (from, to) = (token.span.start as usize, token.span.end as usize);
        span("c", &text[end..from], out);
        let written = &text[from..to];
        if matches!(token.kind, TokenKind::Input(_) | TokenKind::Output(_)) {
            let (word, rest) = written.split_at(word_length(written));
            let blanks = rest.len() - rest.trim_ascii_start().len();
            span("k", word, out);
            span("c", &rest[..blanks], out);
            span("s", &rest[blanks..], out);
        } else {
            span(class(&token.kind), written, out);
        }
        end = to;
    }
    span("c", &text[end..], out);
}

fn class(kind: &TokenKind) -> &'static str {
    match kind {
        TokenKind::Keyword(
            Keyword::Path | Keyword::Focus | Keyword::CurrentPosition | Keyword::Curpos,
        ) => "s",
        TokenKind::Keyword(_) | TokenKind::Input(_) | TokenKind::Output(_) => "k",
        TokenKind::Symbol(Symbol::Dash | Symbol::CaptureDash) => "m",
        TokenKind::Symbol(_)
        | TokenKind::String(_)
        | TokenKind::TripleSlash
        | TokenKind::TripleSlashEnd => "s",
        TokenKind::Name(_) => "i",
        TokenKind::Designator(_) | TokenKind::PieceDeclaration => "d",
        TokenKind::Integer(_)
        | TokenKind::Repetition { .. }
        | TokenKind::Group(_)
        | TokenKind::GroupIndex(_)
        | TokenKind::Result(_) => "n",
    }
}

fn span(class: &str, text: &[u8], out: &mut String) {
    if text.is_empty() {
        return;
    }
    *out += "<span class=\"";
    *out += class;
    *out += "\">";
    escape(&String::from_utf8_lossy(text), out);
    *out += "</span>";
}

fn escape(text: &str, out: &mut String) {
    for character in text.chars() {
        match character {
            '&' => *out += "&amp;",
            '<' => *out += "&lt;",
            '>' => *out += "&gt;",
            '"' => *out += "&quot;",
            _ => out.push(character),
        }
    }
}

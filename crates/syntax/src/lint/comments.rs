//! Warns of `;`, which separates statements in other languages.

use std::collections::HashSet;

use crate::diagnostic::Diagnostic;
use crate::lex::lex;
use crate::parse::{ParseOptions, Source, parse};
use crate::span::{SourceId, Span};
use crate::token::{Symbol, Token, TokenKind};

/// Maximum length of a line that is checked, in bytes.
const LONGEST: usize = 1000;

/// Warns of a comment after code on the same line that is code itself.
pub(super) fn code(text: &[u8], tokens: &[Token], warnings: &mut Vec<Diagnostic>) {
    // Most texts contain no `;`.
    if !text.contains(&b';') {
        return;
    }
    let names: HashSet<&str> = tokens.iter().filter_map(name).collect();
    for token in tokens {
        let start = token.span.end as usize;
        let blanks =
            text[start.min(text.len())..].iter().take_while(|&&byte| matches!(byte, b' ' | b'\t'));
        let at = start + blanks.count();
        if text.get(at) != Some(&b';') {
            continue;
        }
        let line = text[at + 1..].split(|&byte| byte == b'\n').next();
        let line = line.unwrap_or_default();
        if !is_code(line, &names) {
            continue;
        }
        let sign = Span::new(token.span.source, at, at + 1);
        let whole = Span { end: sign.end + line.trim_ascii_end().len() as u32, ..sign };
        let blank = if at > start || line.starts_with(b" ") { "" } else { " " };
        let message = "`;` begins a comment: the rest of the line is not read";
        warnings.push(
            Diagnostic::warning("W0101", whole, message)
                .with_help("filters stand beside each other without a sign between them")
                .with_edit(sign, blank),
        );
    }
}

/// Whether a comment consists of filters with known names.
fn is_code(line: &[u8], names: &HashSet<&str>) -> bool {
    if line.len() > LONGEST {
        return false;
    }
    let lexed = lex(SourceId(0), line);
    if lexed.tokens.is_empty() || !lexed.diagnostics.is_empty() {
        return false;
    }
    let mut n_names = 0;
    for (i, token) in lexed.tokens.iter().enumerate() {
        if let Some(name) = name(token) {
            let after = lexed.tokens.get(i + 1).map(|token| &token.kind);
            let is_assigned = after == Some(&TokenKind::Symbol(Symbol::Assign));
            if !is_assigned && !names.contains(name) {
                return false;
            }
            n_names += 1;
        }
    }
    let options = ParseOptions { require_header: false, ..ParseOptions::default() };
    let source = Source { name: "", text: line };
    n_names > 0 || parse(&source, &[], &options).is_ok()
}

fn name(token: &Token) -> Option<&str> {
    match &token.kind {
        TokenKind::Name(name) => Some(name),
        _ => None,
    }
}

//! Variables and functions that are defined and never mentioned again.

use std::collections::HashMap;

use crate::diagnostic::Diagnostic;
use crate::keyword::Keyword;
use crate::token::{Symbol, Token, TokenKind};

/// A name that stands once in the whole text, where it is defined.
pub(super) fn unused(tokens: &[Token], warnings: &mut Vec<Diagnostic>) {
    let mut n_uses: HashMap<&[u8], usize> = HashMap::new();
    for token in tokens {
        match &token.kind {
            TokenKind::Name(name) => *n_uses.entry(name.as_bytes()).or_default() += 1,
            // `isbound "x"`
            TokenKind::String(text) => *n_uses.entry(text).or_default() += 1,
            _ => {}
        }
    }
    for (i, token) in tokens.iter().enumerate() {
        let TokenKind::Name(name) = &token.kind else {
            continue;
        };
        if n_uses.get(name.as_bytes()) != Some(&1) {
            continue;
        }
        let mut words = tokens[..i].iter().rev().map(|token| &token.kind);
        // `persistent quiet x = 3`
        let before = words.find(|kind| **kind != TokenKind::Keyword(Keyword::Quiet));
        let is_kept = matches!(
            before,
            Some(TokenKind::Keyword(Keyword::Persistent | Keyword::Atomic))
        );
        let is_assigned = matches!(
            tokens.get(i + 1).map(|next| &next.kind),
            Some(TokenKind::Symbol(Symbol::Assign))
        );
        let is_function = before == Some(&TokenKind::Keyword(Keyword::Function));
        let (what, help) = if is_function {
            ("the function", "call it, or remove it")
        } else if is_assigned && !is_kept {
            ("the variable", "use it, or remove the assignment")
        } else {
            continue;
        };
        let message = format!("{what} `{name}` is never used");
        warnings.push(Diagnostic::warning("W0201", token.span, message).with_help(help));
    }
}

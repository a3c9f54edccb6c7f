//! Whether all `( ) [ ] { }` of a text nest.
//!
//! They must even in functions that are never called, so this is asked of the tokens, not of the
//! parser.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};

/// The closing delimiter that belongs to an opening one.
fn closing(open: Symbol) -> Option<Symbol> {
    Some(match open {
        Symbol::OpenParen => Symbol::CloseParen,
        Symbol::OpenBracket => Symbol::CloseBracket,
        Symbol::OpenBrace => Symbol::CloseBrace,
        _ => return None,
    })
}

/// One error for each delimiter that has no partner.
pub(super) fn check(tokens: &[Token]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    let mut open: Vec<(Symbol, Span)> = Vec::new();
    // Open delimiters of each kind, so that a stray closing one is known without a search.
    let mut n_open = [0usize; 3];
    for token in tokens {
        let TokenKind::Symbol(symbol) = token.kind else {
            continue;
        };
        if let Some(kind) = kind_of(symbol)
            && closing(symbol).is_some()
        {
            n_open[kind] += 1;
            open.push((symbol, token.span));
            continue;
        }
        let Some(kind) = kind_of(symbol) else {
            continue;
        };
        let Some(&(expected, place)) = open.last() else {
            errors.push(stray(symbol, token.span));
            continue;
        };
        if closing(expected) == Some(symbol) {
            n_open[kind] -= 1;
            open.pop();
            continue;
        }
        let wanted = closing(expected).map_or("", Symbol::text);
        errors.push(
            Diagnostic::error(
                "E0017",
                token.span,
                format!(
                    "found `{}` where the `{}` that belongs to `{}` was expected",
                    symbol.text(),
                    wanted,
                    expected.text()
                ),
            )
            .with_help(format!("write `{wanted}` before this `{}`", symbol.text()))
            .with_note(place, format!("this `{}` is still open", expected.text())),
        );
        // Go on behind the delimiter that was probably meant, if there is one.
        if n_open[kind] > 0 {
            while let Some((left, _)) = open.pop() {
                if let Some(kind) = kind_of(left) {
                    n_open[kind] -= 1;
                }
                if closing(left) == Some(symbol) {
                    break;
                }
            }
        }
    }
    errors.extend(
        open.into_iter()
            .map(|(symbol, span)| unclosed(symbol, span, tokens)),
    );
    errors
}

fn kind_of(symbol: Symbol) -> Option<usize> {
    Some(match symbol {
        Symbol::OpenParen | Symbol::CloseParen => 0,
        Symbol::OpenBracket | Symbol::CloseBracket => 1,
        Symbol::OpenBrace | Symbol::CloseBrace => 2,
        _ => return None,
    })
}

fn stray(symbol: Symbol, span: Span) -> Diagnostic {
    let text = symbol.text();
    Diagnostic::error(
        "E0017",
        span,
        format!("`{text}` closes nothing: no delimiter is open here"),
    )
    .with_help(format!("remove this `{text}`"))
}

fn unclosed(symbol: Symbol, span: Span, tokens: &[Token]) -> Diagnostic {
    let wanted = closing(symbol).map_or("", Symbol::text);
    let error = Diagnostic::error(
        "E0017",
        span,
        format!(
            "`{}` is not closed: no `{wanted}` follows before the end of the text",
            symbol.text()
        ),
    )
    .with_help(format!("write `{wanted}` where it ends"));
    match tokens.last() {
        Some(last) if last.span != span => {
            error.with_note(last.span, format!("the text ends here without `{wanted}`"))
        }
        _ => error,
    }
}

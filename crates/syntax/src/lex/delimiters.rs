//! Checks that all `( ) [ ] { }` of a text match.
//!
//! The check works on tokens, not in the parser, since delimiters must match even in functions that
//! are never called. The parser ignores delimiters without a partner.

use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};

/// Code of all errors found here.
pub(crate) const CODE: &str = "E0017";

/// Returns the closing delimiter for an opening one.
fn closing(open: Symbol) -> Option<Symbol> {
    Some(match open {
        Symbol::OpenParen => Symbol::CloseParen,
        Symbol::OpenBracket => Symbol::CloseBracket,
        Symbol::OpenBrace => Symbol::CloseBrace,
        _ => return None,
    })
}

/// An opening delimiter without a partner so far.
struct Open {
    at: usize,
    symbol: Symbol,
    span: Span,
    /// Whether an error about it has been reported.
    is_reported: bool,
}

/// Returns an error for each delimiter without a partner, up to about `limit` errors.
pub(super) fn check(tokens: &[Token], limit: usize) -> Vec<Diagnostic> {
    unmatched(tokens, limit).0
}

/// Returns the errors, and the indices of the tokens to remove so that the others match. The
/// indices are complete if there are fewer errors than `limit`.
pub(crate) fn unmatched(tokens: &[Token], limit: usize) -> (Vec<Diagnostic>, Vec<usize>) {
    let mut errors = Vec::new();
    let mut places = Vec::new();
    let mut open: Vec<Open> = Vec::new();
    // Number of open delimiters of each kind, to detect a stray closing one without a search.
    let mut n_open = [0usize; 3];
    for (at, token) in tokens.iter().enumerate() {
        let TokenKind::Symbol(symbol) = token.kind else {
            continue;
        };
        let Some(kind) = kind_of(symbol) else {
            continue;
        };
        if closing(symbol).is_some() {
            n_open[kind] += 1;
            open.push(Open { at, symbol, span: token.span, is_reported: false });
            continue;
        }
        let Some(last) = open.last_mut() else {
            errors.push(stray(symbol, token.span));
            places.push(at);
            if errors.len() >= limit {
                return (errors, places);
            }
            continue;
        };
        if closing(last.symbol) == Some(symbol) {
            n_open[kind] -= 1;
            open.pop();
            continue;
        }
        errors.push(crossed(symbol, token.span, last, tokens[at - 1].span));
        if errors.len() >= limit {
            return (errors, places);
        }
        last.is_reported = true;
        // Continue after the delimiter that was probably meant, if there is one.
        if n_open[kind] == 0 {
            places.push(at);
            continue;
        }
        while let Some(left) = open.pop() {
            if let Some(kind) = kind_of(left.symbol) {
                n_open[kind] -= 1;
            }
            if closing(left.symbol) == Some(symbol) {
                break;
            }
            places.push(left.at);
        }
    }
    places.extend(open.iter().map(|open| open.at));
    places.sort_by_cached_key(|&place| tokens[place].span.beginning());
    let left = (0..open.len()).filter(|&at| !open[at].is_reported);
    errors.extend(left.map(|at| unclosed(&open[at..], tokens)).take(limit));
    (errors, places)
}

/// Returns the error of a delimiter that closes another one than the last; `before` is the token before it.
fn crossed(symbol: Symbol, span: Span, open: &Open, before: Span) -> Diagnostic {
    let found = symbol.text();
    let opened = open.symbol.text();
    let wanted = closing(open.symbol).map_or("", Symbol::text);
    Diagnostic::error(
        CODE,
        span,
        format!("found `{found}` where the `{wanted}` that belongs to `{opened}` was expected"),
    )
    .with_help(format!("write `{wanted}` before this `{found}`"))
    .with_edit(Span { start: before.end, ..before }, wanted)
    .with_note(open.span, format!("this `{opened}` is still open"))
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
    Diagnostic::error(CODE, span, format!("`{text}` closes nothing: no delimiter is open here"))
        .with_help(format!("remove this `{text}`"))
        .with_edit(span, "")
}

/// Number of delimiters that one edit closes at most.
const MOST_CLOSED: usize = 8;

/// Returns the error of the first of some delimiters, of which each is within the one before it, and none
/// is closed.
fn unclosed(open: &[Open], tokens: &[Token]) -> Diagnostic {
    let Open { at, symbol, span, .. } = open[0];
    let wanted = closing(symbol).map_or("", Symbol::text);
    let opened = symbol.text();
    let message =
        format!("`{opened}` is not closed: no `{wanted}` follows before the end of the text");
    let error = Diagnostic::error(CODE, span, message);
    let help = |wanted: &str| format!("write `{wanted}` where it ends");
    let last = tokens.last().map_or(span, |token| token.span);
    if last == span {
        return error.with_help(help(wanted));
    }
    let error = error.with_note(last, format!("the text ends here without `{wanted}`"));
    // A header ends before the filters, and nothing shows where these begin; empty brackets are an error.
    let is_empty = open.last().is_some_and(|open| open.at + 1 == tokens.len());
    let is_other = |open: &Open| open.is_reported;
    if at == 1 || is_empty || open.len() > MOST_CLOSED || open.iter().any(is_other) {
        return error.with_help(help(wanted));
    }
    // Those within it end before it.
    let all = open.iter().rev().filter_map(|open| closing(open.symbol)).map(Symbol::text);
    let all: String = all.collect();
    error.with_help(help(&all)).with_edit(Span { start: last.end, ..last }, all)
}

//! Warns of variables and functions that are defined and never used.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::builtin::{Keyword, Regular};
use crate::diagnostic::Diagnostic;
use crate::san::{San, Side};
use crate::span::Span;
use crate::token::{Symbol, Token, TokenKind};
use crate::tree::Type;

/// Warns of names that occur once in all texts, in their definition.
pub(super) fn unused(texts: &[Cow<'_, [Token]>], warnings: &mut Vec<Diagnostic>) {
    let mut n_uses: HashMap<&[u8], usize> = HashMap::new();
    for token in texts.iter().flat_map(|tokens| tokens.iter()) {
        match &token.kind {
            TokenKind::Name(name) => *n_uses.entry(name.as_bytes()).or_default() += 1,
            // the name in `isbound "x"`
            TokenKind::String(text) => *n_uses.entry(text).or_default() += 1,
            _ => {}
        }
    }
    for tokens in texts {
        unused_in(tokens, &n_uses, warnings);
    }
}

fn unused_in(tokens: &[Token], n_uses: &HashMap<&[u8], usize>, warnings: &mut Vec<Diagnostic>) {
    for (i, token) in tokens.iter().enumerate() {
        let TokenKind::Name(name) = &token.kind else {
            continue;
        };
        if n_uses.get(name.as_bytes()) != Some(&1) {
            continue;
        }
        let mut words = tokens[..i].iter().rev().map(|token| &token.kind);
        // the words before `x` in `persistent quiet x = 3`
        let before = words.find(|kind| **kind != TokenKind::Keyword(Keyword::Quiet));
        let is_kept =
            matches!(before, Some(TokenKind::Keyword(Keyword::Persistent | Keyword::Atomic)));
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
        let warning = Diagnostic::warning("W0201", token.span, message);
        let meant = if is_function { None } else { compared(&tokens[i..]) };
        warnings.push(match (promotion(&tokens[i..]).filter(|_| !is_function), meant) {
            // `exd8=Q` is read as an assignment.
            (Some(text), _) => warning.with_help(format!("a promotion is written `{text}`")),
            (None, Some((span, text))) => {
                let help = format!(
                    "`=` makes a variable of that name; the word `{name}` is meant by `{name}{text}…`"
                );
                warning.with_help(help).with_edit(span, text)
            }
            (None, None) => match Keyword::from_text(name).filter(|_| is_assigned && !is_function) {
                // as in `hanging = 2`
                Some(word) => {
                    let usage = word.usage().map_or_else(String::new, |usage| format!("; {usage}"));
                    warning.with_help(format!(
                        "`=` makes a variable of that name, and `==` compares{usage}"
                    ))
                }
                None => warning.with_help(help),
            },
        });
    }
}

/// Returns what is meant by the sign in `tablebase = 2` and `material = "KRPKR"`, whose names are
/// words of newer versions as well, and the place of the sign with the blanks around it.
fn compared(tokens: &[Token]) -> Option<(Span, &'static str)> {
    let [name, _, value, ..] = tokens else {
        return None;
    };
    let TokenKind::Name(word) = &name.kind else {
        return None;
    };
    let word = Keyword::from_text(word)?;
    let gap = Span { start: name.span.end, end: value.span.start, ..name.span };
    let is_text = matches!(value.kind, TokenKind::String(_));
    match (word, word.regular()) {
        (
            Keyword::Material
            | Keyword::Endgame
            | Keyword::Phase
            | Keyword::Theme
            | Keyword::Opening
            | Keyword::OpeningCode,
            _,
        ) => is_text.then_some((gap, " ")),
        (_, Some(Regular::Nullary(word))) if word.ty() == Type::String => {
            is_text.then_some((gap, " == "))
        }
        (_, Some(Regular::Nullary(word))) if word.ty() == Type::Numeric => {
            (!is_text).then_some((gap, " == "))
        }
        _ => None,
    }
}

/// Returns the CQL form of a promotion in the notation of books.
fn promotion(tokens: &[Token]) -> Option<String> {
    let [name, _, value, ..] = tokens else {
        return None;
    };
    let (TokenKind::Name(name), TokenKind::Designator(designator)) = (&name.kind, &value.kind)
    else {
        return None;
    };
    let piece = match designator.pieces.roles() {
        0x02 => 'N',
        0x04 => 'B',
        0x08 => 'R',
        0x10 => 'Q',
        _ => return None,
    };
    let san = San::read(&format!("{name}{piece}"))?;
    Some(san.cql(Side::White))
}

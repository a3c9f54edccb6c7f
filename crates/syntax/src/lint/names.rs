//! Warns of variables and functions that are defined and never used.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::builtin::{Keyword, Regular};
use crate::diagnostic::Diagnostic;
use crate::parse::{filter_of_value, is_promotion, men, promoted, synonym};
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
        let meant = if is_function { None } else { meant(&tokens[i..]) };
        warnings.push(match (promotion(&tokens[i..]).filter(|_| !is_function), meant) {
            // `exd8=Q` is read as an assignment.
            (Some(text), _) => warning.with_help(format!("a promotion is written `{text}`")),
            (None, Some((what, span, text))) => {
                let help = format!("`=` makes a variable of that name; {what}");
                warning.with_help(help).with_edit(span, text)
            }
            (None, None) if is_function => warning.with_help(help),
            (None, None) => {
                let makes = "`=` makes a variable of that name";
                warning.with_help(match (Keyword::from_text(name), advice(&tokens[i..])) {
                    // as in `hanging = 2`
                    (Some(word), _) => {
                        let usage = word.usage().map(|usage| format!("; {usage}"));
                        format!("{makes}, and `==` compares{}", usage.unwrap_or_default())
                    }
                    (None, Some(advice)) => format!("{makes}; {advice}"),
                    (None, None) => help.to_owned(),
                })
            }
        });
    }
}

/// Returns what is meant by an assignment that nothing uses, in words, and the edit for it.
fn meant(tokens: &[Token]) -> Option<(String, Span, String)> {
    if let Some((span, text)) = compared(tokens) {
        let TokenKind::Name(name) = &tokens.first()?.kind else {
            return None;
        };
        // The laws of chess count the position itself, too.
        if let (Some(Keyword::Repetition), Some(TokenKind::Integer(n @ (3 | 5)))) =
            (Keyword::from_text(name), tokens.get(2).map(|value| &value.kind))
        {
            let filter = format!("repetition >= {}", n - 1);
            let kind = if *n == 3 { "threefold" } else { "fivefold" };
            let whole = tokens[0].span.to(tokens[2].span);
            return Some((format!("a {kind} repetition is `{filter}`"), whole, filter));
        }
        return Some((format!("the word `{name}` is meant by `{name}{text}…`"), span, text.into()));
    }
    let [name, _, value, rest @ ..] = tokens else {
        return None;
    };
    let TokenKind::Name(word) = &name.kind else {
        return None;
    };
    if let Some((text, last)) = numbers(&tokens[2..])
        && let Some(filter) = filter_of_value(word, &text).filter(|tag| tag.starts_with("tag"))
    {
        return Some((format!("what is meant is `{filter}`"), name.span.to(last), filter));
    }
    // Something more than a value may be assigned: `Year = 2013 - x`.
    if let Some(TokenKind::Symbol(sign)) = rest.first().map(|next| &next.kind)
        && !matches!(sign, Symbol::CloseBrace | Symbol::CloseParen | Symbol::OpenBrace)
    {
        return None;
    }
    let filter = match &value.kind {
        TokenKind::String(text) => filter_of_value(word, std::str::from_utf8(text).ok()?),
        TokenKind::Integer(number) => filter_of_value(word, &number.to_string())
            .or_else(|| number_compared(word, &number.to_string()))
            // as in `queens = 0`
            .or_else(|| Some(format!("{} == {number}", men(word)?))),
        // as in `turn = white`
        TokenKind::Keyword(side @ (Keyword::White | Keyword::Black)) => {
            let plain = word.to_ascii_lowercase().replace('_', "");
            let is_turn = matches!(plain.as_str(), "turn" | "sidetomove" | "tomove" | "side");
            let filter = if *side == Keyword::White { "wtm" } else { "btm" };
            is_turn.then(|| filter.to_owned())
        }
        // as in `promotion = N`
        TokenKind::Designator(piece) if is_promotion(word) => {
            promoted(piece.pieces).map(|letter| format!("--={letter}"))
        }
        _ => None,
    }?;
    Some((format!("what is meant is `{filter}`"), name.span.to(value.span), filter))
}

/// Returns several numbers with signs and no blanks between them, as in `TimeControl = 180+2`, and
/// the place of the last.
fn numbers(tokens: &[Token]) -> Option<(String, Span)> {
    let written = |token: &Token| match &token.kind {
        TokenKind::Integer(number) => Some(number.to_string()),
        TokenKind::Symbol(sign @ (Symbol::Plus | Symbol::Slash)) => Some(sign.text().to_owned()),
        _ => None,
    };
    let mut text = written(tokens.first()?)?;
    let mut whole = tokens[0].span;
    for token in &tokens[1..] {
        let Some(part) = written(token).filter(|_| token.span.start == whole.end) else {
            break;
        };
        text += &part;
        whole = whole.to(token.span);
    }
    let is_as_written = text.len() == (whole.end - whole.start) as usize;
    (whole != tokens[0].span && is_as_written).then_some((text, whole))
}

/// Returns what a word that is none of the language is in it, if a number or a text is assigned to
/// it: as in `round = 1`.
fn advice(tokens: &[Token]) -> Option<&'static str> {
    let [name, _, value, ..] = tokens else {
        return None;
    };
    let TokenKind::Name(word) = &name.kind else {
        return None;
    };
    let is_value = matches!(value.kind, TokenKind::Integer(_) | TokenKind::String(_));
    synonym(word).filter(|_| is_value).map(|(help, _)| help)
}

/// Returns the comparison of a word of the language, in other letters, with a number: `Ply = 3`.
fn number_compared(name: &str, number: &str) -> Option<String> {
    let word = Keyword::from_text(&name.to_ascii_lowercase())?;
    match word.regular() {
        Some(Regular::Nullary(row)) if row.ty() == Type::Numeric => {
            Some(format!("{} == {number}", word.text()))
        }
        _ => None,
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
    let piece = promoted(designator.pieces)?;
    let san = San::read(&format!("{name}{piece}"))?;
    Some(san.cql(Side::White))
}

//! Whether a regular expression is well formed: the grammar of ECMAScript, as far as an error is
//! certain. What the expressions mean is the engine's business.

use super::Parser;
use super::error::{Res, code};
use crate::span::Span;

/// Groups may be nested this deep.
const MAX_DEPTH: usize = 250;

/// Names between `[:` and `:]`.
const CLASSES: &[&[u8]] = &[
    b"alnum", b"alpha", b"blank", b"cntrl", b"d", b"digit", b"graph", b"lower", b"print", b"punct",
    b"s", b"space", b"upper", b"w", b"xdigit",
];

impl Parser<'_> {
    /// Complains about a malformed regular expression.
    pub(super) fn check_regex(&mut self, (text, span): &(Vec<u8>, Span)) -> Res<()> {
        let Err((at, message)) = check(text) else {
            return Ok(());
        };
        let quoted = (span.end - span.start) as usize == text.len() + 2;
        let place = if quoted {
            let start = span.start as usize + 1 + at.min(text.len());
            Span::new(span.source, start, (start + 1).min(span.end as usize))
        } else {
            *span
        };
        let message = format!("in this regular expression, {message}");
        self.fail(code::LITERAL, place, message)
    }
}

type Fault = (usize, &'static str);

/// The offset and nature of the first fault.
fn check(text: &[u8]) -> Result<(), Fault> {
    let mut at = 0;
    let mut open: Vec<usize> = Vec::new();
    let mut n_groups = 0;
    let mut greatest_reference: Option<(usize, usize)> = None;
    // Whether something stands before that a quantifier can apply to.
    let mut repeatable = false;
    while let Some(&byte) = text.get(at) {
        match byte {
            b'(' => {
                open.push(at);
                if open.len() > MAX_DEPTH {
                    return Err((at, "groups are nested too deeply"));
                }
                repeatable = false;
                if text.get(at + 1) == Some(&b'?') {
                    if !matches!(text.get(at + 2), Some(b':' | b'=' | b'!')) {
                        return Err((at, "`(?` must be followed by `:`, `=` or `!`"));
                    }
                    at += 2;
                } else {
                    n_groups += 1;
                }
            }
            b')' => {
                if open.pop().is_none() {
                    return Err((at, "this `)` closes nothing"));
                }
                repeatable = true;
            }
            b'[' => {
                at = class(text, at)?;
                repeatable = true;
            }
            b'|' | b'^' => repeatable = false,
            b'$' => repeatable = false,
            b'*' | b'+' | b'?' | b'{' => {
                if !repeatable {
                    return Err((at, "there is nothing to repeat before this sign"));
                }
                if byte == b'{' {
                    at = interval(text, at)?;
                }
                if text.get(at + 1) == Some(&b'?') {
                    at += 1;
                }
                repeatable = false;
            }
            b'\\' => {
                let (end, reference, asserts) = escape(text, at)?;
                if let Some(reference) = reference
                    && greatest_reference.is_none_or(|(_, greatest)| reference > greatest)
                {
                    greatest_reference = Some((at, reference));
                }
                at = end;
                repeatable = !asserts;
            }
            _ => repeatable = true,
        }
        at += 1;
    }
    if let Some(&at) = open.last() {
        return Err((at, "this `(` is not closed"));
    }
    match greatest_reference {
        Some((at, reference)) if reference > n_groups => {
            Err((at, "there is no group of this number"))
        }
        _ => Ok(()),
    }
}

/// `\…`: its last byte, the group it refers to, and whether it is an assertion.
fn escape(text: &[u8], at: usize) -> Result<(usize, Option<usize>, bool), Fault> {
    let hex = |n_digits: usize| {
        let digits = text.get(at + 2..at + 2 + n_digits);
        match digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) {
            true => Ok((at + 1 + n_digits, None, false)),
            false => Err((at, "expected hexadecimal digits behind this escape")),
        }
    };
    match text.get(at + 1) {
        None => Err((at, "nothing follows the last backslash")),
        Some(b'b' | b'B') => Ok((at + 1, None, true)),
        Some(b'x') => hex(2),
        Some(b'u') => hex(4),
        Some(b'c') => match text.get(at + 2) {
            Some(letter) if letter.is_ascii_alphabetic() => Ok((at + 2, None, false)),
            _ => Err((at, "expected a letter behind `\\c`")),
        },
        Some(b'1'..=b'9') => {
            let digits = text[at + 1..].iter().take_while(|b| b.is_ascii_digit());
            let n_digits = digits.clone().count();
            let number = digits.fold(0usize, |number, digit| {
                number
                    .saturating_mul(10)
                    .saturating_add(usize::from(digit - b'0'))
            });
            Ok((at + n_digits, Some(number), false))
        }
        Some(_) => Ok((at + 1, None, false)),
    }
}

/// `{n}`, `{n,}`, `{n,m}`: its last byte.
fn interval(text: &[u8], at: usize) -> Result<usize, Fault> {
    let Some(length) = text[at..].iter().position(|&b| b == b'}') else {
        return Err((at, "this `{` is not closed"));
    };
    let inside = &text[at + 1..at + length];
    let mut parts = inside.split(|&b| b == b',');
    let number =
        |digits: Option<&[u8]>| -> Option<u32> { std::str::from_utf8(digits?).ok()?.parse().ok() };
    let min = number(parts.next());
    let max = match parts.next() {
        None => min,
        Some(b"") => Some(u32::MAX),
        digits => number(digits),
    };
    match (min, max, parts.next()) {
        (Some(min), Some(max), None) if min <= max => Ok(at + length),
        _ => Err((at, "expected `{n}`, `{n,}` or `{n,m}`")),
    }
}

/// `[…]`: its last byte.
fn class(text: &[u8], open: usize) -> Result<usize, Fault> {
    let mut at = open + 1;
    if text.get(at) == Some(&b'^') {
        at += 1;
    }
    // The character that a range could begin with.
    let mut before: Option<u8> = None;
    while let Some(&byte) = text.get(at) {
        match byte {
            b']' => return Ok(at),
            b'[' if matches!(text.get(at + 1), Some(b':' | b'.' | b'=')) => {
                at = named_class(text, at)?;
                before = None;
            }
            b'\\' => {
                at = escape(text, at)?.0;
                before = None;
            }
            b'-' if before.is_some() && text.get(at + 1).is_some_and(|&b| b != b']') => {
                let end = text[at + 1];
                if end != b'\\' && end != b'[' && before > Some(end) {
                    return Err((at - 1, "this range is reversed"));
                }
                if end == b'\\' {
                    at = escape(text, at + 1)?.0;
                } else {
                    at += 1;
                }
                before = None;
            }
            _ => before = Some(byte),
        }
        at += 1;
    }
    Err((open, "this `[` is not closed"))
}

/// `[:alpha:]`: its last byte.
fn named_class(text: &[u8], at: usize) -> Result<usize, Fault> {
    let kind = text[at + 1];
    let rest = &text[at + 2..];
    let Some(length) = rest.windows(2).position(|pair| pair == [kind, b']']) else {
        return Err((at, "this class of characters is not closed"));
    };
    if kind == b':' && !CLASSES.contains(&&rest[..length]) {
        return Err((at, "there is no class of characters of this name"));
    }
    Ok(at + 2 + length + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn well_formed_expressions_pass() {
        for text in [
            "",
            "a|b",
            "(h)(e)(z)?",
            "^a$",
            "[A-Z][a-z]*",
            "=(.)",
            "(\\d{4})",
            "a{2,}b{1,3}?",
            "(?:a)(?=b)(?!c)",
            "[]",
            "[^]x]",
            "[a\\]-]",
            "[\\w.-]+",
            "(a)\\1",
            "\\x41\\u0041\\cA",
            "[[:alpha:][:digit:]]",
            "}",
            "]",
            "\\bx\\B",
            "^[^/]*/",
            "a||b",
            "()",
            "[+-=]",
            "\\.",
        ] {
            assert_eq!(check(text.as_bytes()), Ok(()), "{text}");
        }
    }

    #[test]
    fn malformed_expressions_are_refused_where_the_fault_is() {
        for (text, at) in [
            ("(", 0),
            ("a)", 1),
            ("[a", 0),
            ("*a", 0),
            ("a|*", 2),
            ("(+)", 1),
            ("a**", 2),
            ("^*", 1),
            ("{2}", 0),
            ("a{", 1),
            ("a{x}", 1),
            ("a{3,2}", 1),
            ("a\\", 1),
            ("[z-a]", 1),
            ("(?<n>a)", 0),
            ("(a)\\2", 3),
            ("[[:alfa:]]", 1),
            ("\\xg0", 0),
            ("\\u12", 0),
        ] {
            assert_eq!(check(text.as_bytes()).map_err(|e| e.0), Err(at), "{text}");
        }
    }
}

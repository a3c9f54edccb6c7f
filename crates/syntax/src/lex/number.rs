//! Lexes numbers, and repetitions such as `{2,5}`.

use super::{Lexer, MAX_REPETITION, abbreviated, shown, word_length};
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::token::{Symbol, TokenKind};

/// Form of a date: `d` stands for a digit.
pub(crate) const DATE_FORM: &[u8] = b"dddd.dd.dd";

/// Length of a date without its day.
const MONTH_LENGTH: usize = 7;

impl Lexer<'_> {
    /// Reads decimal digits. The reference computes in 32 bits and rejects a number that becomes
    /// negative.
    pub(super) fn integer(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return self.bare_fraction();
        }
        if self.date() {
            return true;
        }
        let whole = length + self.fraction(length);
        let value = rest[..length].iter().fold(0u32, |value, &digit| {
            value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        let value = i32::try_from(value).unwrap_or_else(|_| {
            self.error(
                "E0015",
                self.at,
                self.at + length,
                format!(
                    "the number {} does not fit: the greatest number is {}",
                    abbreviated(&rest[..length]),
                    i32::MAX
                ),
                "",
            );
            0
        });
        self.push(TokenKind::Integer(value), whole);
        true
    }

    /// Reads a date without quotes as a text.
    fn date(&mut self) -> bool {
        let digits = self.text[self.at..].iter();
        let n_digits = digits.take_while(|byte| byte.is_ascii_digit() || **byte == b'.').count();
        // as in `date >= 1999.07`
        let is_month = n_digits == MONTH_LENGTH
            && match &self.tokens[..] {
                [.., word, sign] => {
                    is_comparison(&sign.kind)
                        && matches!(
                            word.kind,
                            TokenKind::Keyword(Keyword::Date | Keyword::Eventdate)
                        )
                }
                _ => false,
            };
        let length = if is_month { MONTH_LENGTH } else { DATE_FORM.len() };
        let Some(date) = self.text[self.at..].get(..length) else {
            return false;
        };
        let fits = |(form, byte): (&u8, &u8)| match form {
            b'd' => byte.is_ascii_digit(),
            _ => byte == form,
        };
        if !DATE_FORM.iter().zip(date).all(fits) {
            return false;
        }
        let (date, span) = (shown(date), self.span(self.at, self.at + length));
        let error = Diagnostic::error("E0018", span, "a date is a text, not a number")
            .with_help(format!("write it in double quotes: `\"{date}\"`"))
            .with_edit(span, format!("\"{date}\""));
        self.report(error);
        self.push(TokenKind::String(date.into_bytes()), length);
        true
    }

    /// Reports a fraction directly after the `length` digits of a number, and returns its length.
    /// The point would be the set of all squares, and the digits another number.
    fn fraction(&mut self, length: usize) -> usize {
        let rest = &self.text[self.at..];
        let Some(fraction) = rest[length..].strip_prefix(b".") else {
            return 0;
        };
        let n_digits = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (fraction, number) = (&fraction[..n_digits], length + 1 + n_digits);
        // as in the moves `1.e4`, `1...e5` and `5.0-0`
        let is_castling = fraction == b"0" && rest[number..].starts_with(b"-0");
        if fraction.is_empty() || is_castling {
            return 0;
        }
        let (start, end) = (self.at, self.at + number);
        let whole = if length == 0 { "0" } else { "" };
        let written = format!("{whole}{}", shown(&rest[..number]));
        let mut error = Diagnostic::error(
            "E0018",
            self.span(start, end),
            format!("numbers have no fraction: `{written}`"),
        );
        let is_after_eval = self.tokens.last().is_some_and(|token| is_eval(&token.kind));
        if let Some((help, number)) = self.same_whole(&written, end) {
            // as in `eval > +1.5`
            let from = match &self.tokens[..] {
                [.., sign, plus]
                    if plus.kind == TokenKind::Symbol(Symbol::Plus)
                        && is_comparison(&sign.kind) =>
                {
                    plus.span.start as usize
                }
                _ => start,
            };
            error = error.with_help(help).with_edit(self.span(from, end), number.to_string());
            if from < start {
                self.tokens.pop();
            }
        } else if is_after_eval && let Some(number) = hundredths(&written) {
            let help = "`eval` is in hundredths of a pawn, and is compared";
            error = error.with_help(format!("{help}: `eval > {number}`"));
        } else {
            error = error.with_help(
                "multiply both sides of the comparison, as in `ply * 10 > 205` for `ply > 20.5`",
            );
        }
        self.report(error);
        number - length
    }

    /// Reads a fraction without a whole part after a sign of comparison: `eval < .5`.
    fn bare_fraction(&mut self) -> bool {
        let mut before = self.tokens.iter().rev().map(|token| &token.kind);
        let mut last = before.next();
        if last == Some(&TokenKind::Symbol(Symbol::Minus)) {
            last = before.next();
        }
        // as in `-.5 < eval`
        let rest = self.text[self.at..].strip_prefix(b".").unwrap_or_default();
        let n_digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let is_before_eval = n_digits > 0 && is_left_of_eval(&rest[n_digits..]);
        if !last.is_some_and(is_comparison) && !is_before_eval {
            return false;
        }
        let length = self.fraction(0);
        if length > 0 {
            self.push(TokenKind::Integer(0), length);
        }
        length > 0
    }

    /// Returns the whole number that asks the same as the decimal number before `end`, and a help.
    fn same_whole(&self, written: &str, end: usize) -> Option<(&'static str, u32)> {
        let (whole, fraction) = written.split_once('.')?;
        let mut before = self.tokens.iter().rev().map(|token| &token.kind).peekable();
        let is_sign =
            |kind: &&TokenKind| matches!(kind, TokenKind::Symbol(Symbol::Minus | Symbol::Plus));
        let is_negative = before.next_if(is_sign);
        let sign = before.next().and_then(|kind| match kind {
            TokenKind::Symbol(sign) => Some(*sign).filter(|sign| sign.is_comparison()),
            _ => None,
        });
        let n_signs = n_signs(self.text[end..].trim_ascii_start());
        // as in `abs(eval) < .5`
        let is_close = |kind: &&TokenKind| **kind == TokenKind::Symbol(Symbol::CloseParen);
        let is_right = sign.is_some() && {
            before.next_if(is_close);
            // as in `eval white > .5`
            let is_color = |kind: &&TokenKind| {
                matches!(kind, TokenKind::Keyword(Keyword::White | Keyword::Black))
            };
            before.next_if(is_color);
            before.next().is_some_and(is_eval)
        };
        let is_left = is_left_of_eval(&self.text[end..]);
        if is_left || is_right {
            return Some(("`eval` is in hundredths of a pawn", hundredths(written)?));
        }
        let whole: u32 = whole.parse().ok()?;
        if fraction.bytes().all(|byte| byte == b'0') {
            return Some(("a division drops the rest: `7 / 2` is 3", whole));
        }
        if is_negative.is_some() || n_signs > 0 {
            return None;
        }
        let number = match sign? {
            Symbol::Greater | Symbol::LessEqual => whole,
            Symbol::Less | Symbol::GreaterEqual => whole.checked_add(1)?,
            _ => return None,
        };
        Some(("this whole number asks the same", number))
    }

    /// Reads `{n}`, `{n,}`, `{,m}` or `{n,m}`.
    pub(super) fn repetition(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if rest.first() != Some(&b'{') {
            return false;
        }
        let digits = |from: usize| {
            let count = rest[from..].iter().take_while(|b| b.is_ascii_digit()).count();
            &rest[from..from + count]
        };
        let low = digits(1);
        let comma = 1 + low.len();
        let high = match rest.get(comma) {
            Some(b',') => Some(digits(comma + 1)),
            _ => None,
        };
        let close = comma + high.map_or(0, |high| 1 + high.len());
        if rest.get(close) != Some(&b'}') || (low.is_empty() && high.is_none()) {
            return false;
        }
        let length = close + 1;
        let (min, max) = match high {
            None => (bound(low), bound(low)),
            Some(high) => (
                if low.is_empty() { 0 } else { bound(low) },
                if high.is_empty() { MAX_REPETITION } else { bound(high) },
            ),
        };
        let written = abbreviated(&rest[..length]);
        let end = self.at + length;
        if low.is_empty() && high.is_some_and(<[u8]>::is_empty) {
            let message = format!("the repetition `{written}` has no number");
            let help = "write `{2,}`, `{,5}`, `{2,5}` or, for any number of times, `*`";
            self.error("E0014", self.at, end, message, help);
        } else if min > MAX_REPETITION || max > MAX_REPETITION {
            let message = format!(
                "the repetition `{written}` goes beyond the greatest number of times, {MAX_REPETITION}"
            );
            self.error("E0014", self.at, end, message, "write `{n,}` for no upper end");
        } else if min > max {
            let message =
                format!("the repetition `{written}` runs backwards: {min} is more than {max}");
            let help = format!("write `{{{max},{min}}}`");
            self.error("E0014", self.at, end, message, &help);
        } else {
            self.push(TokenKind::Repetition { min, max }, length);
            return true;
        }
        let max = max.min(MAX_REPETITION);
        self.push(TokenKind::Repetition { min: min.min(max), max }, length);
        true
    }
}

/// Returns the hundredths of a decimal number that has no more.
fn hundredths(written: &str) -> Option<u32> {
    let (whole, fraction) = written.split_once('.')?;
    format!("{whole}{fraction:0<2}").parse().ok().filter(|_| fraction.len() <= 2)
}

fn is_comparison(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Symbol(sign) if sign.is_comparison())
}

fn is_eval(kind: &TokenKind) -> bool {
    matches!(kind, TokenKind::Name(name) if name == Keyword::Eval.text())
}

/// Number of signs of operators at the beginning of a text.
fn n_signs(text: &[u8]) -> usize {
    text.iter().take_while(|byte| b"+-*/%<>=!".contains(byte)).count()
}

/// Whether a text begins with a sign and `eval`, and perhaps a parenthesis between them.
fn is_left_of_eval(text: &[u8]) -> bool {
    let text = text.trim_ascii_start();
    let n_signs = n_signs(text);
    let word = text[n_signs..].trim_ascii_start();
    let word = word.strip_prefix(b"abs(").unwrap_or(word);
    n_signs > 0 && &word[..word_length(word)] == Keyword::Eval.text().as_bytes()
}

/// Returns a bound of a repetition. A number out of range remains out of range.
fn bound(digits: &[u8]) -> u32 {
    digits
        .iter()
        .fold(0, |value, digit| (10 * value + u32::from(digit - b'0')).min(MAX_REPETITION + 1))
}

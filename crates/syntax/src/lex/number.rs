//! Lexes numbers, and repetitions such as `{2,5}`.

use super::{Lexer, MAX_REPETITION, abbreviated, shown, word_length};
use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::token::{GameResult, Symbol, Token, TokenKind};

/// Form of a date: `d` stands for a digit.
pub(crate) const DATE_FORM: &[u8] = b"dddd.dd.dd";

/// The result of a drawn game.
pub(crate) const DRAWN: &str = "1/2-1/2";

/// Other forms of the result of a drawn game. Those that begin so are before shorter ones.
pub(crate) const DRAWS: [&str; 10] =
    [DRAWN, "1/2", "0.5-0.5", "0.5", "0,5-0,5", "0,5", ".5-.5", ".5", "½-½", "½"];

/// Signs that others write between thousands.
const BETWEEN_THOUSANDS: [&str; 3] = [".", "'", "’"];

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
        if self.date() || self.thousands(length) {
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

    /// Reports a drawn game in another form after `result`, such as `0.5-0.5`, and reads it as one.
    pub(super) fn drawn_result(&mut self) -> bool {
        let mut before = self.tokens.iter().rev().peekable();
        let is_equal = |token: &&Token| {
            matches!(token.kind, TokenKind::Symbol(Symbol::Assign | Symbol::Equal))
        };
        let sign = before.next_if(is_equal).is_some();
        let word = before.next().filter(|token| token.kind == TokenKind::Keyword(Keyword::Result));
        let Some(start) = word.map(|word| word.span.end as usize) else {
            return false;
        };
        // The parser proposes the result for the others, whose tokens are valid.
        let mut others = DRAWS.iter().filter(|form| !form.starts_with('1'));
        let rest = &self.text[self.at..];
        let is_next = |form: &&&str| {
            let after = rest.strip_prefix(form.as_bytes());
            after.is_some_and(|after| !after.first().is_some_and(|byte| super::is_word(*byte)))
        };
        let Some(form) = others.find(is_next) else {
            return false;
        };
        let (at, end) = (self.at, self.at + form.len());
        let message = format!("numbers have no fraction: `{form}`");
        let error = Diagnostic::error("E0018", self.span(at, end), message)
            .with_help(format!("a drawn game is `result {DRAWN}`"))
            .with_edit(self.span(start, end), format!(" {DRAWN}"));
        self.report(error);
        if sign {
            self.tokens.pop();
        }
        self.push(TokenKind::Result(GameResult::Draw), form.len());
        true
    }

    /// Reports signs between the thousands of a number that begins with `length` digits, and reads
    /// the number: `2.700`, `2'700`.
    fn thousands(&mut self, length: usize) -> bool {
        let rest = &self.text[self.at..];
        let mut signs = BETWEEN_THOUSANDS.iter();
        let Some(sign) = signs.find(|sign| rest[length..].starts_with(sign.as_bytes())) else {
            return false;
        };
        let mut groups = Vec::new();
        let mut end = length;
        while let Some(group) = rest[end..].strip_prefix(sign.as_bytes()) {
            let n = group.iter().take(4).take_while(|byte| byte.is_ascii_digit()).count();
            // as in the date `1.2.2000`, or more than the greatest number
            if n != 3 || groups.len() == 3 {
                return false;
            }
            groups.push(shown(&group[..n]));
            end += sign.len() + n;
        }
        let whole = shown(&rest[..length]);
        let Some(number) = in_thousands(&whole, groups.iter().map(String::as_str)) else {
            return false;
        };
        let after = self.at + end;
        if *sign == "." && self.is_of_eval(after) {
            return false;
        }
        let (code, message) = match *sign {
            "." => ("E0018", format!("numbers have no fraction: `{}`", shown(&rest[..end]))),
            sign => ("E0003", format!("the character `{sign}` has no meaning here")),
        };
        let span = self.span(self.at, after);
        let error = Diagnostic::error(code, span, message)
            .with_help(format!("a number has no sign between its digits: `{number}`"))
            .with_edit(span, number.clone());
        self.report(error);
        self.push(TokenKind::Integer(number.parse().unwrap_or(0)), end);
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
        let n_signs = n_signs(self.text[end..].trim_ascii_start());
        if self.is_of_eval(end) {
            return Some(("`eval` is in hundredths of a pawn", hundredths(written)?));
        }
        let (is_negative, sign, _) = self.sign_before();
        let whole: u32 = whole.parse().ok()?;
        if fraction.bytes().all(|byte| byte == b'0') {
            return Some(("a division drops the rest: `7 / 2` is 3", whole));
        }
        if is_negative || n_signs > 0 {
            return None;
        }
        let number = match sign? {
            Symbol::Greater | Symbol::LessEqual => whole,
            Symbol::Less | Symbol::GreaterEqual => whole.checked_add(1)?,
            _ => return None,
        };
        Some(("this whole number asks the same", number))
    }

    /// Returns whether a minus or a plus is before the next token, the sign of comparison before it,
    /// and the tokens before those, the last first.
    fn sign_before(&self) -> (bool, Option<Symbol>, impl Iterator<Item = &TokenKind>) {
        let mut before = self.tokens.iter().rev().map(|token| &token.kind).peekable();
        let is_sign =
            |kind: &&TokenKind| matches!(kind, TokenKind::Symbol(Symbol::Minus | Symbol::Plus));
        let is_negative = before.next_if(is_sign).is_some();
        let sign = before.next().and_then(|kind| match kind {
            TokenKind::Symbol(sign) => Some(*sign).filter(|sign| sign.is_comparison()),
            _ => None,
        });
        (is_negative, sign, before)
    }

    /// Whether the number before `end` is compared with an evaluation.
    fn is_of_eval(&self, end: usize) -> bool {
        let (_, sign, before) = self.sign_before();
        // as in `abs(eval) < .5` and `eval white > .5`
        let mut before = before.skip_while(|kind| {
            matches!(
                kind,
                TokenKind::Symbol(Symbol::CloseParen)
                    | TokenKind::Keyword(Keyword::White | Keyword::Black)
            )
        });
        sign.is_some() && before.next().is_some_and(is_eval) || is_left_of_eval(&self.text[end..])
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

/// Returns a number whose digits stand in groups: up to three, and then three each.
pub(crate) fn in_thousands<'g>(
    first: &str,
    mut others: impl Iterator<Item = &'g str>,
) -> Option<String> {
    let are_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let is_first = (1..=3).contains(&first.len()) && are_digits(first) && !first.starts_with('0');
    let mut number = first.to_owned();
    let are_groups = others.all(|group| {
        number += group;
        group.len() == 3 && are_digits(group)
    });
    (is_first && are_groups && number.len() > first.len()).then_some(number)
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

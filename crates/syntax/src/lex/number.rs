//! Lexes numbers, and repetitions such as `{2,5}`.

use super::{Lexer, MAX_REPETITION, abbreviated};
use crate::token::TokenKind;

impl Lexer<'_> {
    /// Reads decimal digits. The reference computes in 32 bits and rejects a number that becomes
    /// negative.
    pub(super) fn integer(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return false;
        }
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
        self.push(TokenKind::Integer(value), length);
        true
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

/// Returns a bound of a repetition. A number out of range remains out of range.
fn bound(digits: &[u8]) -> u32 {
    digits
        .iter()
        .fold(0, |value, digit| (10 * value + u32::from(digit - b'0')).min(MAX_REPETITION + 1))
}

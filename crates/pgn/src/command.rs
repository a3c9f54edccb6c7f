//! Reads comment commands, which programs write for other programs: `[%clk 0:01:23]`,
//! `[%eval -0.35]`, `[%csl Ge4]`.
//!
//! A command may be anywhere in a comment; the first of its name counts. A command that cannot be
//! understood is treated as missing.

use std::fmt::{self, Display, Formatter};
use std::ops::Range;

use board::{Square, SquareSet};
use memchr::memmem;

/// Returns the value of the first command of a name: the text between the name and the bracket.
fn command<'a>(comment: &'a [u8], name: &str) -> Option<&'a [u8]> {
    let range = command_range(comment, name)?;
    Some(comment[range.start + 2 + name.len()..range.end - 1].trim_ascii())
}

/// Returns the place of the first command of a name, with its brackets.
pub(crate) fn command_range(comment: &[u8], name: &str) -> Option<Range<usize>> {
    let mut at = 0;
    while let Some(found) = memmem::find(&comment[at..], b"[%") {
        let start = at + found;
        at = start + 2;
        let Some(value) = comment[at..].strip_prefix(name.as_bytes()) else {
            continue;
        };
        if value.first().is_some_and(u8::is_ascii_whitespace) {
            let end = memchr::memchr(b']', value)?;
            return Some(start..at + name.len() + end + 1);
        }
    }
    None
}

/// Returns the seconds of `[%clk H:MM:SS]`, without fractions: the time left to the side that
/// moved.
#[must_use]
pub fn clock(comment: &[u8]) -> Option<i32> {
    seconds(command(comment, "clk")?)
}

/// Returns the seconds of `[%emt H:MM:SS]`, without fractions: the time that the move took.
#[must_use]
pub fn elapsed(comment: &[u8]) -> Option<i32> {
    seconds(command(comment, "emt")?)
}

/// Parses a time such as `1:02:03`, `02:03`, `3` or `3.5` into seconds.
fn seconds(text: &[u8]) -> Option<i32> {
    let whole = text.split(|&b| b == b'.').next()?;
    let mut sum = 0i32;
    for part in whole.split(|&b| b == b':') {
        sum = sum.checked_mul(60)?.checked_add(number(part)?)?;
    }
    Some(sum)
}

fn number(digits: &[u8]) -> Option<i32> {
    let is_number = !digits.is_empty() && digits.len() < 9 && digits.iter().all(u8::is_ascii_digit);
    is_number.then(|| {
        let digits = digits.iter();
        digits.fold(0, |value, digit| value * 10 + i32::from(digit - b'0'))
    })
}

/// Value of `[%eval …]`, from White's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evaluation {
    /// In hundredths of a pawn.
    Centipawns(i32),
    /// Number of moves until White mates, or is mated if it is negative.
    Mate(i32),
}

impl Display for Evaluation {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match *self {
            Evaluation::Centipawns(value) => {
                let sign = if value < 0 { "-" } else { "" };
                let size = value.unsigned_abs();
                write!(f, "{sign}{}.{:02}", size / 100, size % 100)
            }
            Evaluation::Mate(moves) => write!(f, "#{moves}"),
        }
    }
}

/// Parses `[%eval 0.35]`, `[%eval -1.2,18]` (the depth after the comma is ignored) or
/// `[%eval #-3]`.
#[must_use]
pub fn evaluation(comment: &[u8]) -> Option<Evaluation> {
    let value = command(comment, "eval")?.split(|&b| b == b',').next()?;
    let value = value.trim_ascii();
    let (is_mate, value) = match value.strip_prefix(b"#") {
        Some(value) => (true, value),
        None => (false, value),
    };
    let (sign, value) = match value {
        [b'-', value @ ..] => (-1, value),
        [b'+', value @ ..] => (1, value),
        value => (1, value),
    };
    if is_mate {
        return Some(Evaluation::Mate(sign * number(value)?));
    }
    let mut parts = value.splitn(2, |&b| b == b'.');
    let pawns = number(parts.next()?)?.checked_mul(100)?;
    let hundredths = match parts.next() {
        None => 0,
        Some(digits) => {
            number(digits)?;
            let digit = |i: usize| digits.get(i).map_or(0, |digit| i32::from(digit - b'0'));
            digit(0) * 10 + digit(1)
        }
    };
    Some(Evaluation::Centipawns(sign * (pawns + hundredths)))
}

/// Returns the squares of `[%csl Ga4,Re5]`.
#[must_use]
pub fn colored_squares(comment: &[u8]) -> SquareSet {
    let marks = marks(command(comment, "csl"));
    marks.filter_map(|mark| Square::parse(mark.get(1..3)?)).collect()
}

/// Returns the squares where the arrows of `[%cal Ge2e4,Rd8h4]` begin, and those where they end.
#[must_use]
pub fn arrows(comment: &[u8]) -> (SquareSet, SquareSet) {
    let mut ends = (SquareSet::EMPTY, SquareSet::EMPTY);
    for mark in marks(command(comment, "cal")) {
        let square = |at: usize| Square::parse(mark.get(at..at + 2)?);
        if let (Some(from), Some(to)) = (square(1), square(3)) {
            ends.0.insert(from);
            ends.1.insert(to);
        }
    }
    ends
}

fn marks(value: Option<&[u8]>) -> impl Iterator<Item = &[u8]> {
    let value = value.unwrap_or_default();
    value.split(|&b| b == b',').map(<[u8]>::trim_ascii)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        for (comment, want) in [
            ("[%clk 1:02:03]", Some(3723)),
            ("book [%eval 0.1] [%clk 0:00:09.8] end", Some(9)),
            ("[%clk 05:00]", Some(300)),
            ("[%clk 17]", Some(17)),
            ("[%clk  0:00:01 ]", Some(1)),
            ("[%clk 0:00:01] [%clk 0:00:02]", Some(1)),
            ("[%clock 0:00:01]", None),
            ("[%clk 0:0x:01]", None),
            ("[%clk -1]", None),
            ("[%clk 99999999:00:00]", None),
            ("[%clk 0:01", None),
            ("%clk 0:01]", None),
            ("", None),
        ] {
            assert_eq!(clock(comment.as_bytes()), want, "{comment}");
        }
        assert_eq!(elapsed(b"[%emt 0:00:12][%clk 0:10:00]"), Some(12));
        assert_eq!(elapsed(b"[%clk 0:10:00]"), None);
    }

    #[test]
    fn evaluations() {
        use Evaluation::{Centipawns, Mate};
        for (comment, want) in [
            ("[%eval 0.35]", Some(Centipawns(35))),
            ("[%eval -1.2,18]", Some(Centipawns(-120))),
            ("[%eval +3]", Some(Centipawns(300))),
            ("[%eval -0.05]", Some(Centipawns(-5))),
            ("[%eval 0.357]", Some(Centipawns(35))),
            ("[%eval #3]", Some(Mate(3))),
            ("[%eval #-12]", Some(Mate(-12))),
            ("[%eval ]", None),
            ("[%eval x]", None),
            ("[%eval 1.x]", None),
            ("[%eval #]", None),
            ("[%eval 99999999]", None),
        ] {
            assert_eq!(evaluation(comment.as_bytes()), want, "{comment}");
        }
        for value in [Centipawns(0), Centipawns(17), Centipawns(-5), Centipawns(-1234), Mate(-3)] {
            let comment = format!("[%eval {value}]");
            assert_eq!(evaluation(comment.as_bytes()), Some(value), "{comment}");
        }
        assert_eq!(format!("{} {}", Centipawns(-5), Mate(-3)), "-0.05 #-3");
    }

    #[test]
    fn squares_and_arrows() {
        let set = |names: &str| -> SquareSet {
            let names = names.split_whitespace();
            names.filter_map(|name| Square::parse(name.as_bytes())).collect()
        };
        assert_eq!(colored_squares(b"[%csl Ga4,Re5, Yh8]"), set("a4 e5 h8"));
        assert_eq!(colored_squares(b"[%csl G,Rz9,R]"), SquareSet::EMPTY);
        assert_eq!(arrows(b"[%cal Ge2e4,Rd8h4,Bx]"), (set("e2 d8"), set("e4 h4")));
        assert_eq!(arrows(b"no arrows"), (SquareSet::EMPTY, SquareSet::EMPTY));
    }
}

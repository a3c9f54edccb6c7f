//! Decoded values of tags: results, dates, ECO codes, ratings.
//!
//! All are read leniently, as the reference reads them: numbers by their leading digits, and values
//! that do not fit as unknown.

use std::fmt;
use std::ops::Range;

use board::Color;

use crate::bytes::{is_blank, leading_number};
use crate::tags::take_rating;

/// Result of a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum GameResult {
    /// `*`
    #[default]
    Unknown,
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
}

impl GameResult {
    /// Returns the result as a PGN token.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// Parses the value of a Result tag, of which the beginning counts.
    pub(crate) fn of_tag(value: &[u8]) -> GameResult {
        match value {
            // Half a point for one or both players is no result.
            [b'1', b'-', b'0', b'/' | b'.' | b',', ..] | [b'0', b'-', b'1', b'/', ..] => {
                GameResult::Unknown
            }
            [b'1', b'-', b'0', ..] => GameResult::WhiteWins,
            [b'0', b'-', b'1', ..] => GameResult::BlackWins,
            [b'1', b'/', b'2', b'-', rest @ ..] if !rest.starts_with(b"1/2") => GameResult::Unknown,
            [b'1', b'/', b'2', ..] => GameResult::Draw,
            _ => GameResult::Unknown,
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A date, with 0 for unknown parts. Dates are in the order of time; one with an unknown part comes
/// before those that have it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Date {
    /// The year, up to 2047.
    pub year: u16,
    /// The month, up to 12.
    pub month: u8,
    /// The day, up to 31.
    pub day: u8,
}

impl Date {
    /// Reads three numbers with dots between them; a number that is too large is unknown.
    #[must_use]
    pub fn parse(text: &[u8]) -> Date {
        Date::parse_usual(text).unwrap_or_else(|| Date::parse_any(text))
    }

    /// Reads a date in the usual form: digits or question marks, two for month and day.
    #[inline]
    fn parse_usual(text: &[u8]) -> Option<Date> {
        let &[m, c, x, i, b'.', m1, m2, b'.', d1, d2] = text else {
            return None;
        };
        let two =
            |first: u8, second: u8| match (first.wrapping_sub(b'0'), second.wrapping_sub(b'0')) {
                (ten @ 0..10, one @ 0..10) => Some(10 * ten + one),
                _ if first == b'?' && second == b'?' => Some(0),
                _ => None,
            };
        // In a year that is partly known, the digits before the first question mark count.
        let year = if (m == b'?') == (c == b'?') && (c == b'?') == (x == b'?') {
            100 * u16::from(two(m, c)?) + u16::from(two(x, i)?)
        } else {
            return None;
        };
        let (month, day) = (two(m1, m2)?, two(d1, d2)?);
        let is_usual = year <= 2047 && month <= 12 && day <= 31;
        is_usual.then_some(Date { year, month, day })
    }

    fn parse_any(text: &[u8]) -> Date {
        // a sign is no digit: such a field is unknown
        let has_sign = |field: &[u8]| {
            let first = field.iter().find(|&&b| !is_blank(b));
            matches!(first, Some(b'+' | b'-'))
        };
        let number = |field| {
            if has_sign(field) { 0 } else { leading_number(field) }
        };
        let mut fields = text.split(|&b| b == b'.').map(number);
        let mut next = || fields.next().unwrap_or(0);
        let (year, month, day) = (next(), next(), next());
        let within = |number: i64, limit: i64| (0..=limit).contains(&number);
        let month_known = within(month, 12);
        Date {
            year: if within(year, 2047) { year as u16 } else { 0 },
            month: if month_known { month as u8 } else { 0 },
            day: if month_known && within(day, 31) { day as u8 } else { 0 },
        }
    }

    /// Whether all parts are unknown.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self == Date::default()
    }

    /// Returns the date as `yyyy.mm.dd`, with question marks for unknown parts.
    #[must_use]
    pub fn text(self) -> [u8; 10] {
        let mut text = *b"????.??.??";
        let mut put = |at: Range<usize>, mut number: u16| {
            if number > 0 {
                for digit in text[at].iter_mut().rev() {
                    *digit = b'0' + (number % 10) as u8;
                    number /= 10;
                }
            }
        };
        put(0..4, self.year);
        put(5..7, self.month.into());
        put(8..10, self.day.into());
        text
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(str::from_utf8(&self.text()).unwrap_or_default())
    }
}

/// An ECO code: a letter, two digits, and an optional extension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Eco {
    bytes: [u8; 5],
    len: u8,
}

impl Eco {
    /// Reads a code; missing digits are 0, further text is ignored.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Eco> {
        let letter = text.first()?.to_ascii_uppercase();
        if !(b'A'..=b'E').contains(&letter) {
            return None;
        }
        let mut eco = Eco { bytes: [letter, b'0', b'0', 0, 0], len: 3 };
        for at in 1..3 {
            match text.get(at) {
                Some(digit @ b'0'..=b'9') => eco.bytes[at] = *digit,
                Some(_) => return None,
                None => return Some(eco),
            }
        }
        if let Some(extension @ b'a'..=b'z') = text.get(3) {
            eco.bytes[3] = *extension;
            eco.len = 4;
            if let Some(digit @ b'1'..=b'4') = text.get(4) {
                eco.bytes[4] = *digit;
                eco.len = 5;
            }
        }
        Some(eco)
    }

    /// Returns the code.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Kinds of ratings: the tag names after `White` and `Black`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[expect(missing_docs, reason = "the names are their meaning")]
pub enum RatingKind {
    #[default]
    Elo,
    Rating,
    Rapid,
    Iccf,
    Uscf,
    Dwz,
    Bcf,
}

impl RatingKind {
    pub(crate) const ALL: [RatingKind; 7] = [
        RatingKind::Elo,
        RatingKind::Rating,
        RatingKind::Rapid,
        RatingKind::Iccf,
        RatingKind::Uscf,
        RatingKind::Dwz,
        RatingKind::Bcf,
    ];

    /// Returns the part of the tag name after the color.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.tag(Color::White).split_at("White".len()).1
    }

    /// Returns the name of the tag.
    pub(crate) const fn tag(self, color: Color) -> &'static str {
        let [white, black] = match self {
            RatingKind::Elo => ["WhiteElo", "BlackElo"],
            RatingKind::Rating => ["WhiteRating", "BlackRating"],
            RatingKind::Rapid => ["WhiteRapid", "BlackRapid"],
            RatingKind::Iccf => ["WhiteICCF", "BlackICCF"],
            RatingKind::Uscf => ["WhiteUSCF", "BlackUSCF"],
            RatingKind::Dwz => ["WhiteDWZ", "BlackDWZ"],
            RatingKind::Bcf => ["WhiteBCF", "BlackBCF"],
        };
        match color {
            Color::White => white,
            Color::Black => black,
        }
    }
}

/// A player's rating, 0 if unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rating {
    /// Rating list of the value.
    pub kind: RatingKind,
    /// The rating, at most 4000.
    pub value: u16,
}

impl Rating {
    /// Returns a player's rating by names and values of tags: the one in parentheses after the name,
    /// else the first one in a tag; 0 without one.
    #[must_use]
    pub fn of_tags<'t>(
        color: Color,
        tags: impl IntoIterator<Item = (&'t [u8], &'t [u8])>,
    ) -> Rating {
        let mut rating = Rating::default();
        for (name, value) in tags {
            take_rating(color, &mut rating, name, value);
        }
        rating
    }

    pub(crate) fn parse(kind: RatingKind, text: &[u8]) -> Rating {
        let number = leading_number(text);
        let value = if (0..4000).contains(&number) { number as u16 } else { 4000 };
        Rating { kind, value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates() {
        for (text, want) in [
            ("", "????.??.??"),
            ("1999.12.31", "1999.12.31"),
            ("1999.13.05", "1999.??.??"),
            ("2050.05.32", "????.05.??"),
            ("12.3.1", "0012.03.01"),
            ("2001", "2001.??.??"),
            ("2024.02.31", "2024.02.31"),
            ("1999/05/02", "1999.??.??"),
            ("19x9.05.02", "0019.05.02"),
            (" 1999. 5.6.7", "1999.05.06"),
            ("????.??.??", "????.??.??"),
            ("1999.??.15", "1999.??.15"),
            ("2047.1.1", "2047.01.01"),
            ("2048.1.1", "????.01.01"),
            ("1999.-1.05", "1999.??.05"),
            ("+1999.+05. +5", "????.??.??"),
        ] {
            assert_eq!(Date::parse(text.as_bytes()).to_string(), want, "{text:?}");
        }
    }

    #[test]
    fn usual_dates_are_read_as_all_others() {
        let years =
            ["1999", "2047", "2048", "????", "19??", "??99", "1?99", "199?", "?999", "+199"];
        let parts = ["00", "01", "12", "13", "31", "32", "??", "1?", "?1", "-1", " 5", "x1"];
        let mut n_usual = 0;
        for year in years {
            for month in parts {
                for day in parts {
                    let text = format!("{year}.{month}.{day}");
                    let any = Date::parse_any(text.as_bytes());
                    assert_eq!(Date::parse(text.as_bytes()), any, "{text}");
                    n_usual += u32::from(Date::parse_usual(text.as_bytes()).is_some());
                }
            }
        }
        assert_eq!(n_usual, 3 * 4 * 6);
    }

    #[test]
    fn eco_codes() {
        for (text, want) in [
            ("", None),
            ("B12", Some("B12")),
            ("b9", Some("B90")),
            ("C", Some("C00")),
            ("C42a1", Some("C42a1")),
            ("C42a5", Some("C42a")),
            ("C42a1x", Some("C42a1")),
            ("C421", Some("C42")),
            ("C42A1", Some("C42")),
            ("C42zz", Some("C42z")),
            ("F12", None),
            ("Cx", None),
            ("C4a", None),
        ] {
            let got = Eco::parse(text.as_bytes());
            assert_eq!(got.as_ref().map(Eco::as_bytes), want.map(str::as_bytes), "{text:?}");
        }
    }

    #[test]
    fn names_of_ratings() {
        for kind in RatingKind::ALL {
            for color in [Color::White, Color::Black] {
                assert_eq!(kind.tag(color), format!("{color:?}{}", kind.name()));
            }
        }
    }

    #[test]
    fn results() {
        use GameResult::{BlackWins, Draw, Unknown, WhiteWins};
        for (text, want) in [
            ("", Unknown),
            ("*", Unknown),
            ("bogus", Unknown),
            ("1-0 (forfeit)", WhiteWins),
            ("0-1", BlackWins),
            ("1/2", Draw),
            ("1:0", Unknown),
        ] {
            assert_eq!(GameResult::of_tag(text.as_bytes()), want, "{text:?}");
        }
    }
}

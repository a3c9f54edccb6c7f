//! The tag section of a game, indexed once and decoded only where asked.
//!
//! [`TagIndex::scan`] notes where names and values are, a few nanoseconds a line. [`Tags`] answers
//! from that: a query about one player decodes one name. Values come out as the reference
//! normalizes them (names, dates, ratings, ECO codes), everything else verbatim.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use board::{Color, Position, parse_fen};
use memchr::{memchr, memrchr};

use crate::bytes::{is_blank, is_space, leading_number};
use crate::names::{rating_in_name, standard_name};

/// How a game ended.
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
    /// The result as a PGN token.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            GameResult::Unknown => "*",
            GameResult::WhiteWins => "1-0",
            GameResult::BlackWins => "0-1",
            GameResult::Draw => "1/2-1/2",
        }
    }

    /// What a Result tag says: its beginning counts.
    fn of_tag(value: &[u8]) -> GameResult {
        match value {
            [b'1', b'-', b'0', ..] => GameResult::WhiteWins,
            [b'0', b'-', b'1', ..] => GameResult::BlackWins,
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

/// A date with unknown parts as 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Date {
    /// Up to 2047.
    pub year: u16,
    /// Up to 12.
    pub month: u8,
    /// Up to 31.
    pub day: u8,
}

impl Date {
    /// Reads three numbers with dots between them; what is too large is unknown.
    #[must_use]
    pub fn parse(text: &[u8]) -> Date {
        let mut fields = text.split(|&b| b == b'.').map(leading_number);
        let mut next = || fields.next().unwrap_or(0);
        let (year, month, day) = (next(), next(), next());
        let within = |number: i64, limit: i64| (0..=limit).contains(&number);
        let month_known = within(month, 12);
        Date {
            year: if within(year, 2047) { year as u16 } else { 0 },
            month: if month_known { month as u8 } else { 0 },
            day: if month_known && within(day, 31) {
                day as u8
            } else {
                0
            },
        }
    }

    /// Whether nothing is known of it.
    #[must_use]
    pub fn is_unknown(self) -> bool {
        self == Date::default()
    }

    /// `yyyy.mm.dd`, question marks for what is unknown.
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

/// An ECO code: letter, two digits, perhaps an extension.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Eco {
    bytes: [u8; 5],
    len: u8,
}

impl Eco {
    /// Reads a code; what is missing of the digits is 0, what follows is ignored.
    #[must_use]
    pub fn parse(text: &[u8]) -> Option<Eco> {
        let letter = text.first()?.to_ascii_uppercase();
        if !(b'A'..=b'E').contains(&letter) {
            return None;
        }
        let mut eco = Eco {
            bytes: [letter, b'0', b'0', 0, 0],
            len: 3,
        };
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

    /// The code.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

/// Kinds of ratings: the tag names behind `White` and `Black`.
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
    const ALL: [RatingKind; 7] = [
        RatingKind::Elo,
        RatingKind::Rating,
        RatingKind::Rapid,
        RatingKind::Iccf,
        RatingKind::Uscf,
        RatingKind::Dwz,
        RatingKind::Bcf,
    ];

    /// The name in the tag.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RatingKind::Elo => "Elo",
            RatingKind::Rating => "Rating",
            RatingKind::Rapid => "Rapid",
            RatingKind::Iccf => "ICCF",
            RatingKind::Uscf => "USCF",
            RatingKind::Dwz => "DWZ",
            RatingKind::Bcf => "BCF",
        }
    }
}

/// A player's rating, 0 if unknown.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Rating {
    /// Whose rating list.
    pub kind: RatingKind,
    /// At most 4000.
    pub value: u16,
}

impl Rating {
    fn parse(kind: RatingKind, text: &[u8]) -> Rating {
        let number = leading_number(text);
        let value = if (0..4000).contains(&number) {
            number as u16
        } else {
            4000
        };
        Rating { kind, value }
    }
}

/// Where the tags of a game are. Reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct TagIndex {
    /// Begin and end of the lines that look like tags.
    lines: Vec<(u32, u32)>,
    preface: u32,
    moves: u32,
}

impl TagIndex {
    /// Finds the tags of a game text.
    pub fn scan(&mut self, text: &[u8]) {
        self.lines.clear();
        let mut at = if text.first() == Some(&b'[') {
            0
        } else {
            tags_start(text)
        };
        self.preface = at as u32;
        loop {
            // Adjacent tag lines, the ordinary case, need none of the skipping below.
            while let Some(b'[') = text.get(at) {
                let end = memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
                self.lines.push((at as u32, end as u32));
                at = (end + 1).min(text.len());
            }
            match text.get(at) {
                Some(b'%' | b';') => {
                    at = memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
                }
                Some(&byte) if is_space(byte) || byte == b'.' => at += 1,
                _ => break,
            }
        }
        self.moves = at as u32;
    }

    /// The tags of the text that was scanned last.
    #[must_use]
    pub fn tags<'a>(&'a self, text: &'a [u8]) -> Tags<'a> {
        Tags { text, index: self }
    }
}

/// Where the tags begin: at the first line whose first byte that is not blank is `[`. A text with
/// a bracket but no such line is all preface; one without any bracket has no preface.
fn tags_start(text: &[u8]) -> usize {
    let mut line = 0;
    while line < text.len() {
        let end = memchr(b'\n', &text[line..]).map_or(text.len(), |newline| line + newline + 1);
        let first = text[line..end].iter().position(|&b| !is_blank(b));
        if first.is_some_and(|first| text[line + first] == b'[') {
            return line;
        }
        line = end;
    }
    if memchr(b'[', text).is_some() {
        text.len()
    } else {
        0
    }
}

/// Splits a tag line into name and value; `None` if it is none. Name and value are below 255 bytes
/// long, or the reference drops the tag.
#[inline]
fn read_tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let name = 1 + line[1..].iter().position(|&b| !is_blank(b))?;
    let name_end = name + line[name..].iter().position(|&b| is_blank(b))?;
    let open = match line.get(name_end + 1) {
        Some(b'"') => name_end + 1,
        _ => name_end + memchr(b'"', &line[name_end..])?,
    };
    let close = match line {
        [.., b'"', b']'] => line.len() - 2,
        _ => memrchr(b'"', line)?,
    };
    if close <= open || name_end - name >= 255 || line.len() - open > 255 {
        return None;
    }
    Some((&line[name..name_end], &line[open + 1..close]))
}

/// The tags of one game.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    text: &'a [u8],
    index: &'a TagIndex,
}

impl<'a> Tags<'a> {
    fn lines(self) -> impl DoubleEndedIterator<Item = &'a [u8]> {
        let lines = self.index.lines.iter();
        lines.map(move |&(start, end)| &self.text[start as usize..end as usize])
    }

    /// All tags as they stand in the text: name and value.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a [u8])> {
        self.lines().filter_map(read_tag)
    }

    /// The value of a tag as it stands in the text; the last one counts.
    #[inline]
    #[must_use]
    pub fn raw(self, name: &[u8]) -> Option<&'a [u8]> {
        let first = *name.first()?;
        self.lines().rev().find_map(|line| {
            // Most lines are told by one byte.
            match line.get(1) {
                Some(&byte) if byte == first || is_blank(byte) => {}
                _ => return None,
            }
            read_tag(line).and_then(|tag| (tag.0 == name).then_some(tag.1))
        })
    }

    fn text_or_unknown(self, name: &[u8]) -> &'a [u8] {
        self.raw(name).unwrap_or(b"?")
    }

    /// The Event tag, `?` if missing.
    #[must_use]
    pub fn event(self) -> &'a [u8] {
        self.text_or_unknown(b"Event")
    }

    /// The Site tag, `?` if missing.
    #[must_use]
    pub fn site(self) -> &'a [u8] {
        self.text_or_unknown(b"Site")
    }

    /// The Round tag, `?` if missing.
    #[must_use]
    pub fn round(self) -> &'a [u8] {
        self.text_or_unknown(b"Round")
    }

    /// A player's name, normalized; `?` if missing.
    #[must_use]
    pub fn player(self, color: Color) -> Cow<'a, [u8]> {
        let name: &[u8] = match color {
            Color::White => b"White",
            Color::Black => b"Black",
        };
        standard_name(self.text_or_unknown(name))
    }

    /// The Date tag.
    #[must_use]
    pub fn date(self) -> Date {
        self.raw(b"Date").map_or(Date::default(), Date::parse)
    }

    /// The EventDate tag.
    #[must_use]
    pub fn event_date(self) -> Date {
        self.raw(b"EventDate").map_or(Date::default(), Date::parse)
    }

    /// The ECO tag, if it is a code.
    #[must_use]
    pub fn eco(self) -> Option<Eco> {
        self.raw(b"ECO").and_then(Eco::parse)
    }

    /// The Result tag. The game's own result, at the end of the moves, goes before it.
    #[must_use]
    pub fn result(self) -> GameResult {
        self.raw(b"Result")
            .map_or(GameResult::Unknown, GameResult::of_tag)
    }

    /// The last valid FEN tag.
    #[must_use]
    pub fn fen(self) -> Option<Position> {
        let mut tags = self.iter().rev();
        tags.find_map(|(name, value)| {
            if name == b"FEN" {
                parse_fen(value).ok()
            } else {
                None
            }
        })
    }

    /// A player's rating: one in parentheses behind the name, else the first in a tag.
    #[must_use]
    pub fn rating(self, color: Color) -> Rating {
        let mut rating = Rating::default();
        for (name, value) in self.iter() {
            take_rating(color, &mut rating, name, value);
        }
        rating
    }

    /// All tags without a meaning of their own, in the order of their first occurrence, with their
    /// last values.
    #[must_use]
    pub fn extra(self) -> Vec<(&'a [u8], &'a [u8])> {
        let mut ratings = [Rating::default(); 2];
        let mut extra: Vec<(&[u8], &[u8])> = Vec::new();
        for (name, value) in self.iter() {
            let mut is_rating = false;
            for color in [Color::White, Color::Black] {
                is_rating |= take_rating(color, &mut ratings[color as usize], name, value);
            }
            if is_rating || is_known(name) {
                continue;
            }
            match extra.iter_mut().find(|tag| tag.0 == name) {
                Some(tag) => tag.1 = value,
                None => extra.push((name, value)),
            }
        }
        extra
    }

    /// The value of a tag without a meaning of its own.
    #[must_use]
    pub fn extra_value(self, name: &[u8]) -> Option<&'a [u8]> {
        let is_plain = !is_known(name) && rating_kind(name).is_none();
        if is_plain {
            return self.raw(name);
        }
        self.extra()
            .iter()
            .find(|tag| tag.0 == name)
            .map(|tag| tag.1)
    }

    /// The text before the tags, its lines as they stand.
    #[must_use]
    pub fn preface(self) -> &'a [u8] {
        &self.text[..self.index.preface as usize]
    }

    /// Where the moves begin in the text.
    #[must_use]
    pub fn moves_start(self) -> usize {
        self.index.moves as usize
    }

    /// The text of the game.
    #[must_use]
    pub fn text(self) -> &'a [u8] {
        self.text
    }
}

/// Tags with a meaning of their own, ratings apart. ScidFlags is dropped.
fn is_known(name: &[u8]) -> bool {
    matches!(
        name,
        b"Event"
            | b"Site"
            | b"Date"
            | b"Round"
            | b"White"
            | b"Black"
            | b"Result"
            | b"ECO"
            | b"EventDate"
            | b"FEN"
            | b"ScidFlags"
    )
}

/// `WhiteElo` and the like.
fn rating_kind(name: &[u8]) -> Option<(Color, RatingKind)> {
    let (color, kind) = if let Some(kind) = name.strip_prefix(b"White") {
        (Color::White, kind)
    } else {
        (Color::Black, name.strip_prefix(b"Black")?)
    };
    let mut kinds = RatingKind::ALL.into_iter();
    Some((color, kinds.find(|k| k.name().as_bytes() == kind)?))
}

/// Lets a tag contribute to a player's rating. True if that is all it does: the rating tags up to
/// the first with a number are used up, later ones are ordinary tags.
fn take_rating(color: Color, rating: &mut Rating, name: &[u8], value: &[u8]) -> bool {
    let [first, ..] = name else { return false };
    if !matches!(first, b'W' | b'B') {
        return false;
    }
    if name.len() == 5 {
        let own: &[u8] = if color == Color::White {
            b"White"
        } else {
            b"Black"
        };
        if name == own
            && let Some(number) = rating_in_name(value)
        {
            *rating = Rating::parse(RatingKind::Elo, number);
        }
        return false;
    }
    match rating_kind(name) {
        Some((whose, kind)) if whose == color && rating.value == 0 => {
            *rating = Rating::parse(kind, value);
            true
        }
        _ => false,
    }
}

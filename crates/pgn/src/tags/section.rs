//! Sorts the tags of a game: tags with a meaning of their own, ratings, and the rest.

use std::collections::BTreeMap;

use board::Color;

use crate::names::rating_in_name;
use crate::values::{Rating, RatingKind};

/// Tags with a meaning of their own, except for ratings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Known {
    Event,
    Site,
    Date,
    Round,
    White,
    Black,
    Result,
    Eco,
    EventDate,
    Fen,
    /// This tag is dropped.
    ScidFlags,
}

impl Known {
    const COUNT: usize = Known::ScidFlags as usize + 1;

    /// Returns the tag of this name.
    #[inline]
    pub(crate) fn of(name: &[u8]) -> Option<Known> {
        Some(match name {
            b"Event" => Known::Event,
            b"Site" => Known::Site,
            b"Date" => Known::Date,
            b"Round" => Known::Round,
            b"White" => Known::White,
            b"Black" => Known::Black,
            b"Result" => Known::Result,
            b"ECO" => Known::Eco,
            b"EventDate" => Known::EventDate,
            b"FEN" => Known::Fen,
            b"ScidFlags" => Known::ScidFlags,
            _ => return None,
        })
    }
}

/// All tags of a game. Of several tags with the same name the last one counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Section<'a> {
    known: [Option<&'a [u8]>; Known::COUNT],
    pub(crate) ratings: Ratings,
    /// Tags without a meaning of their own, in the order of their first occurrence.
    pub(crate) extra: Vec<(&'a [u8], &'a [u8])>,
    /// Whether a line may have text that is not read.
    pub(crate) may_lose: bool,
    /// Indexes of these tags by name, if there are many.
    places: BTreeMap<&'a [u8], usize>,
}

/// Number of tags up to which they are searched one by one.
const FEW: usize = 32;

impl<'a> Section<'a> {
    /// Returns the value of a tag as written.
    pub(crate) fn raw(&self, tag: Known) -> Option<&'a [u8]> {
        self.known[tag as usize]
    }

    /// Adds a tag after the others.
    pub(super) fn add(&mut self, name: &'a [u8], value: &'a [u8]) {
        if self.ratings.see(name, value) {
            return;
        }
        if let Some(known) = Known::of(name) {
            let before = self.known[known as usize].replace(value);
            self.may_lose |= before.is_some_and(|before| before != value);
            return;
        }
        match self.place(name) {
            Some(place) => {
                let before = std::mem::replace(&mut self.extra[place].1, value);
                self.may_lose |= before != value;
            }
            None => self.extra.push((name, value)),
        }
    }

    /// Returns the index of a tag without a meaning of its own, if it is there.
    fn place(&mut self, name: &[u8]) -> Option<usize> {
        if self.extra.len() <= FEW {
            return self.extra.iter().position(|tag| tag.0 == name);
        }
        for (place, tag) in self.extra.iter().enumerate().skip(self.places.len()) {
            self.places.insert(tag.0, place);
        }
        self.places.get(name).copied()
    }
}

/// The ratings of both players: for each the one in parentheses after the name, else the first one
/// in a tag.
#[derive(Clone, Copy, Debug, Default)]
pub struct Ratings([Rating; 2]);

impl Ratings {
    /// Lets the next tag contribute a rating. Returns `true` if the tag has no other use.
    #[inline]
    pub fn see(&mut self, name: &[u8], value: &[u8]) -> bool {
        let color = match name {
            [b'W', ..] => Color::White,
            [b'B', ..] => Color::Black,
            _ => return false,
        };
        take_rating(color, &mut self.0[color.index()], name, value)
    }

    /// Returns the rating of a player from the tags so far.
    #[must_use]
    pub fn of(&self, color: Color) -> Rating {
        self.0[color.index()]
    }
}

/// Returns color and kind for a tag name such as `WhiteElo`.
pub(crate) fn rating_kind(name: &[u8]) -> Option<(Color, RatingKind)> {
    let (color, kind) = if let Some(kind) = name.strip_prefix(b"White") {
        (Color::White, kind)
    } else {
        (Color::Black, name.strip_prefix(b"Black")?)
    };
    let mut kinds = RatingKind::ALL.into_iter();
    Some((color, kinds.find(|k| k.name().as_bytes() == kind)?))
}

/// Lets a tag contribute to a player's rating. Returns `true` if the tag has no other use: the
/// rating tags up to the first one with a number are used up, later ones are ordinary tags.
pub(crate) fn take_rating(color: Color, rating: &mut Rating, name: &[u8], value: &[u8]) -> bool {
    let [first, ..] = name else { return false };
    if !matches!(first, b'W' | b'B') {
        return false;
    }
    if name.len() == 5 {
        let own: &[u8] = if color == Color::White { b"White" } else { b"Black" };
        if name == own
            && let Some(number) = rating_in_name(value)
            && number != *b"0000"
        {
            *rating = Rating::parse(RatingKind::Elo, &number);
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

//! What a game says about itself: tags, result, comments of the file.
//!
//! Nothing is decoded before it is asked for.

use std::borrow::Cow;

use board::Color;
use memchr::memmem;
use pgn::Tags;
use syntax::token::GameResult;

use crate::worker::KnownGame;
use compiler::program::GameText;

/// The record of the current game.
pub(crate) struct Record<'a> {
    /// Its number in the input, from 1.
    pub(crate) number: u64,
    pub(crate) tags: RecordTags<'a>,
    /// Absent while only tags are needed.
    pub(crate) tree: Option<&'a pgn::GameTree>,
    /// What the tree was parsed of, if the program asks for what is annotated.
    pub(crate) text: &'a [u8],
    /// The bytes of the game, if the program asks for them.
    pub(crate) raw_text: &'a [u8],
}

/// Where the tags of a game are.
#[derive(Clone, Copy)]
pub(crate) enum RecordTags<'a> {
    Here(Tags<'a>),
    /// With somebody who has kept them.
    Kept(&'a dyn KnownGame),
}

impl<'a> Record<'a> {
    #[inline]
    fn tags(&self) -> Tags<'a> {
        match self.tags {
            RecordTags::Here(tags) => tags,
            RecordTags::Kept(game) => game.tags(),
        }
    }

    /// How many tags are looked through for one.
    pub(crate) fn n_tags(&self) -> u64 {
        self.tags().n_lines() as u64
    }

    /// A fact of the record; `None` where it is missing or, except for other tags, empty. Its bytes
    /// are those of the file.
    pub(crate) fn text(&self, source: &GameText) -> Option<Cow<'a, [u8]>> {
        let text: Cow<'a, [u8]> = match source {
            GameText::Player(color) => self.tags().player(*color),
            GameText::Event => self.tags().event().into(),
            GameText::Site => self.tags().site().into(),
            GameText::Date => self.tags().date().text().to_vec().into(),
            GameText::EventDate => self.tags().event_date().text().to_vec().into(),
            GameText::Eco => self.tags().eco()?.as_bytes().to_vec().into(),
            GameText::Tag(name) => return self.tags().extra_value(name).map(Cow::Borrowed),
            GameText::TagFen => self.tags().fen()?.fen().into_bytes().into(),
        };
        (!text.is_empty()).then_some(text)
    }

    /// Whether a fact of the record is there and contains a text.
    pub(crate) fn contains(&self, source: &GameText, needle: &[u8]) -> bool {
        if let GameText::Player(color) = source
            && !self.tags().player_may_contain(*color, needle)
        {
            return false;
        }
        let text = self.text(source);
        text.is_some_and(|text| contains_text(&text, needle, as_text))
    }

    /// Whether the names of the players may contain a text, see
    /// [`Tags::players_may_contain`](pgn::Tags::players_may_contain).
    pub(crate) fn players_may_contain(&self, needle: &[u8]) -> bool {
        self.tags().players_may_contain(needle)
    }

    /// Both players' names.
    pub(crate) fn players(&self) -> [Cow<'a, [u8]>; 2] {
        [Color::White, Color::Black].map(|color| self.tags().player(color))
    }

    /// The year of the Date tag.
    pub(crate) fn year(&self) -> Option<i32> {
        match self.tags().date().year {
            0 => None,
            year => Some(i32::from(year)),
        }
    }

    /// A player's rating, or the greater one.
    pub(crate) fn elo(&self, color: Option<Color>) -> Option<i32> {
        let elo = |color| i32::from(self.tags().rating(color).value);
        let value = match color {
            Some(color) => elo(color),
            None => elo(Color::White).max(elo(Color::Black)),
        };
        (value > 0).then_some(value)
    }

    /// How the game ended, if that is known.
    pub(crate) fn result(&self) -> Option<GameResult> {
        match self.tree?.result() {
            pgn::GameResult::WhiteWins => Some(GameResult::WhiteWins),
            pgn::GameResult::BlackWins => Some(GameResult::BlackWins),
            pgn::GameResult::Draw => Some(GameResult::Draw),
            pgn::GameResult::Unknown => None,
        }
    }

    /// The comment of the file behind a move (at the start: before the first).
    pub(crate) fn comment(&self, node: usize) -> Option<Vec<u8>> {
        self.tree?.comment(self.text, node).map(Cow::into_owned)
    }

    /// All comments of the file behind a move, the last one first: what programs have written for
    /// other programs may stand in any of them.
    pub(crate) fn comments_backward(&self, node: usize) -> impl Iterator<Item = Cow<'a, [u8]>> {
        let text = self.text;
        let trees = self.tree.into_iter();
        trees.flat_map(move |tree| tree.comments_backward(text, node))
    }

    /// The numeric annotation glyphs of a move.
    pub(crate) fn nags(&self, node: usize) -> &'a [u8] {
        self.tree.map_or(&[], |tree| tree.nags(node))
    }

    /// Whether a move carries a numeric annotation glyph.
    pub(crate) fn has_nag(&self, node: usize, nag: u8) -> bool {
        self.nags(node).contains(&nag)
    }
}

/// Bytes of a game or a query as the text that they stand for, as tables show it: where they are not
/// UTF-8 they are Windows-1252. What is written keeps its bytes, but texts are compared as text.
#[inline]
pub(crate) fn as_text(bytes: &[u8]) -> Cow<'_, [u8]> {
    match bytes.is_ascii() {
        true => Cow::Borrowed(bytes),
        false => decoded(bytes),
    }
}

#[cold]
fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    match pgn::decode(bytes) {
        Cow::Borrowed(_) => Cow::Borrowed(bytes),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Whether a text is in another, be it by its bytes or by what they stand for, as `decode` says.
#[inline]
pub(crate) fn contains_text(
    text: &[u8],
    part: &[u8],
    mut decode: impl for<'t> FnMut(&'t [u8]) -> Cow<'t, [u8]>,
) -> bool {
    memmem::find(text, part).is_some()
        || !part.is_ascii() && memmem::find(&decode(text), &decode(part)).is_some()
}

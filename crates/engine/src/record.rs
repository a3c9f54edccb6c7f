//! Tags, result and comments of a game, whether from its text or from a game that was read before.
//!
//! They are decoded only when a filter needs them.

use std::borrow::Cow;
use std::fmt::{self, Display, Formatter};

use board::Color;
use flow::ReadError;
use memchr::memmem;
use pgn::{CodedLine, GameTree, Tags};
use syntax::library::Theme;
use syntax::token::GameResult;

use compiler::program::GameText;

/// Tags, result and comments of the current game.
pub(crate) struct Record<'a> {
    /// Number of the game in the input, from 1.
    pub(crate) number: u64,
    pub(crate) tags: RecordTags<'a>,
    /// The moves; `None` while only tags are needed.
    pub(crate) tree: Option<&'a GameTree>,
    /// The text that the tree was parsed from, if the program needs annotations.
    pub(crate) text: &'a [u8],
    /// The bytes of the game, if the program needs them.
    pub(crate) raw_text: &'a [u8],
}

/// Location of the tags of a game.
#[derive(Clone, Copy)]
pub(crate) enum RecordTags<'a> {
    Here(Tags<'a>),
    /// In a game that was read before.
    Kept(&'a dyn KnownGame),
}

/// A game whose tags and moves are available, and whose text can be read on demand.
///
/// Its results equal those of its text, provided that the text has no faults and the rules are
/// supported. If one of these methods fails, the search ends with the error.
pub trait KnownGame {
    /// Returns the tags for event, site, date, round, players, ratings, result, opening and start
    /// position; other tags only if all tags are available.
    fn tags(&self) -> Tags<'_>;

    /// Whether the tags are all those of the text, in order. If not, the text is read when other
    /// tags are needed.
    fn has_all_tags(&self) -> bool;

    /// Whether the game has comments or NAGs among its moves, or text before its tags.
    fn is_annotated(&self) -> bool;

    /// Returns the number of positions with a theme, with or without variations, if it is known.
    fn theme_positions(&self, theme: Theme, variations: bool) -> Option<u64> {
        let _ = (theme, variations);
        None
    }

    /// Whether [`visit_tags`](Self::visit_tags) is known to have the values of the text.
    fn has_exact(&self, wanted: UsualTags) -> bool {
        let _ = wanted;
        self.has_all_tags()
    }

    /// Calls `visit` with the names and values of those tags of the game that are in `wanted`.
    fn visit_tags(&self, wanted: UsualTags, visit: &mut dyn FnMut(&str, &[u8])) {
        for (name, value) in self.tags().iter() {
            let name = str::from_utf8(name).unwrap_or_default();
            if UsualTags::of([name]).is_some_and(|tag| wanted.has(tag)) {
                visit(name, value);
            }
        }
    }

    /// Returns the result, if it is known without the moves.
    fn result(&self) -> Option<pgn::GameResult> {
        None
    }

    /// Returns the number of positions, with or without variations, if it is known without
    /// replaying the moves.
    fn n_positions(&self, variations: bool) -> Option<u32> {
        let _ = variations;
        None
    }

    /// Returns the moves, if they are those of a game of chess without variations.
    fn line(&self) -> Option<CodedLine<'_>> {
        None
    }

    /// Returns the number of positions at which the query with this index matches, if it is known
    /// without evaluating the query.
    fn n_matching(&self, query: usize) -> Option<u32> {
        let _ = query;
        None
    }

    /// Returns a bit for each position, in the order of the game, if it is known that the query with
    /// this index does nothing at the positions whose bits are not set.
    fn candidates(&self, query: usize) -> Option<&[u64]> {
        let _ = query;
        None
    }

    /// Builds the tree that parsing the text yields, without annotations.
    fn build(&self, tree: &mut GameTree) -> Result<(), ReadError>;

    /// Returns the byte offset of the text in its source.
    fn offset(&self) -> u64;

    /// Appends the text as it is in its source.
    fn read_text(&self, text: &mut Vec<u8>) -> Result<(), ReadError>;
}

/// A set of the tags that are available of every game that was read before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct UsualTags(pub u16);

impl UsualTags {
    /// The names of these tags, a bit each.
    pub const NAMES: [&str; 11] = [
        "Event", "Site", "Date", "Round", "White", "Black", "Result", "WhiteElo", "BlackElo",
        "ECO", "FEN",
    ];

    /// Returns the set of the tags with these names, or `None` if one of them is another tag.
    pub fn of<'n>(names: impl IntoIterator<Item = &'n str>) -> Option<UsualTags> {
        let bit = |name| UsualTags::NAMES.iter().position(|known| *known == name);
        let mut names = names.into_iter();
        names.try_fold(UsualTags(0), |tags, name| Some(UsualTags(tags.0 | 1 << bit(name)?)))
    }

    /// Returns the union of two sets.
    #[must_use]
    pub fn with(self, others: UsualTags) -> UsualTags {
        UsualTags(self.0 | others.0)
    }

    /// Whether one of the tags is in the set.
    pub fn has(self, others: UsualTags) -> bool {
        self.0 & others.0 != 0
    }
}

/// The text of a game that was read before is not the one that it had then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TextError {
    /// It has other moves.
    OtherMoves,
    /// It is not one game.
    NoGame,
}

impl Display for TextError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextError::OtherMoves => "a game has other moves than before",
            TextError::NoGame => "where a game was stands something else now",
        })
    }
}

impl std::error::Error for TextError {}

impl<'a> Record<'a> {
    #[inline]
    fn tags(&self) -> Tags<'a> {
        match self.tags {
            RecordTags::Here(tags) => tags,
            RecordTags::Kept(game) => game.tags(),
        }
    }

    /// Returns the number of tags that a search for one tag may compare.
    pub(crate) fn n_tags(&self) -> u64 {
        self.tags().n_lines() as u64
    }

    /// Returns a text from the tags, as bytes of the file. `None` if it is missing or, except for
    /// other tags, empty.
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

    /// Whether a text from the tags exists and contains `needle`.
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

    /// Returns the names of both players.
    pub(crate) fn players(&self) -> [Cow<'a, [u8]>; 2] {
        [Color::White, Color::Black].map(|color| self.tags().player(color))
    }

    /// Returns the year of the Date tag.
    pub(crate) fn year(&self) -> Option<i32> {
        match self.tags().date().year {
            0 => None,
            year => Some(i32::from(year)),
        }
    }

    /// Returns the rating of a player, or the greater rating of both.
    pub(crate) fn elo(&self, color: Option<Color>) -> Option<i32> {
        let elo = |color| i32::from(self.tags().rating(color).value);
        let value = match color {
            Some(color) => elo(color),
            None => elo(Color::White).max(elo(Color::Black)),
        };
        (value > 0).then_some(value)
    }

    /// Returns the result of the game, if it is known.
    pub(crate) fn result(&self) -> Option<GameResult> {
        result_of(self.tree?.result())
    }

    /// Returns the comment of the file after a move; for the start, the comment before the first
    /// move.
    pub(crate) fn comment(&self, node: usize) -> Option<Vec<u8>> {
        self.tree?.comment(self.text, node).map(Cow::into_owned)
    }

    /// Iterates over all comments of the file after a move, last one first. Comment commands may be
    /// in any of them.
    pub(crate) fn comments_backward(&self, node: usize) -> impl Iterator<Item = Cow<'a, [u8]>> {
        let text = self.text;
        let trees = self.tree.into_iter();
        trees.flat_map(move |tree| tree.comments_backward(text, node))
    }

    /// Returns the NAGs of a move.
    pub(crate) fn nags(&self, node: usize) -> &'a [u8] {
        self.tree.map_or(&[], |tree| tree.nags(node))
    }

    /// Whether a move has a NAG.
    pub(crate) fn has_nag(&self, node: usize, nag: u8) -> bool {
        self.nags(node).contains(&nag)
    }
}

/// Returns a result as a word of the language, if it is known.
pub(crate) fn result_of(result: pgn::GameResult) -> Option<GameResult> {
    match result {
        pgn::GameResult::WhiteWins => Some(GameResult::WhiteWins),
        pgn::GameResult::BlackWins => Some(GameResult::BlackWins),
        pgn::GameResult::Draw => Some(GameResult::Draw),
        pgn::GameResult::Unknown => None,
    }
}

/// Decodes bytes of a game or a query as text, as tables show it: UTF-8 or else Windows-1252.
/// Output keeps the original bytes, but texts are compared as decoded text.
#[inline]
pub(crate) fn as_text(bytes: &[u8]) -> Cow<'_, [u8]> {
    if bytes.is_ascii() { Cow::Borrowed(bytes) } else { decoded(bytes) }
}

#[cold]
fn decoded(bytes: &[u8]) -> Cow<'_, [u8]> {
    match pgn::decode(bytes) {
        Cow::Borrowed(_) => Cow::Borrowed(bytes),
        Cow::Owned(text) => Cow::Owned(text.into_bytes()),
    }
}

/// Whether `text` contains `part`, as bytes or as text decoded by `decode`.
#[inline]
pub(crate) fn contains_text(
    text: &[u8],
    part: &[u8],
    mut decode: impl for<'t> FnMut(&'t [u8]) -> Cow<'t, [u8]>,
) -> bool {
    memmem::find(text, part).is_some()
        || !part.is_ascii() && memmem::find(&decode(text), &decode(part)).is_some()
}

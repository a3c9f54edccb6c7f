//! The tag section of a game, indexed once and decoded on request.
//!
//! [`TagIndex::scan`] records where names and values are, in a few nanoseconds per line. [`Tags`]
//! answers from that: a query about one player decodes one name. Values are returned as the
//! reference normalizes them (names, dates, ratings, ECO codes), everything else verbatim.
//!
//! Tags that do not come from the text of a game ([`TagTable`]) are put into lines, too, so that
//! their values cannot differ from those of a text.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Deref;

use board::{Color, FenError, Start};
use memchr::{memchr, memchr2, memmem, memrchr};

use crate::bytes::{each, is_blank, is_space, trim};
use crate::fault::LossKind;
use crate::names::{kept_byte, standard_name};
use crate::split::raw::RawGame;
use crate::values::{Date, Eco, GameResult, Rating};
use crate::variant::{OtherVariant, Variant, VariantNames};

mod section;

pub use section::Ratings;
pub(crate) use section::take_rating;
pub(crate) use section::{Known, Section, rating_kind};

/// Names of tags that many programs write, in alphabetical order.
pub const FREQUENT_TAGS: [&str; 34] = [
    "Annotator",
    "Black",
    "BlackElo",
    "BlackFideId",
    "BlackRatingDiff",
    "BlackTeam",
    "BlackTitle",
    "Date",
    "ECO",
    "Event",
    "EventDate",
    "EventType",
    "FEN",
    "Mode",
    "Opening",
    "PlyCount",
    "Result",
    "Round",
    "SetUp",
    "Site",
    "Source",
    "SourceTitle",
    "Termination",
    "TimeControl",
    "UTCDate",
    "UTCTime",
    "Variant",
    "Variation",
    "White",
    "WhiteElo",
    "WhiteFideId",
    "WhiteRatingDiff",
    "WhiteTeam",
    "WhiteTitle",
];

/// Index of the tag lines of a game. Reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct TagIndex {
    /// Start and end of each line that looks like a tag.
    lines: Vec<(u32, u32)>,
    preface: u32,
    moves: u32,
    /// Number of remarks after `;` between the first tag and the moves.
    n_remarks: u32,
    /// Whether there may be a FEN or Variant tag. In most games the first letters of the tags
    /// exclude that.
    may_set_up: bool,
}

/// Whether a tag line or name with this first letter may be a FEN or Variant tag.
fn may_set_up(first: u8) -> bool {
    matches!(first, b'F' | b'V') || is_blank(first)
}

impl TagIndex {
    /// Finds the tags of a game text.
    pub fn scan(&mut self, text: &[u8]) {
        self.scan_behind(text, &[]);
    }

    /// Finds the tags of the [clean text](RawGame::clean_text) of a game.
    pub fn scan_game(&mut self, game: &RawGame<'_>, text: &[u8]) {
        self.scan_behind(text, game.tag_lines.ends());
    }

    /// Finds the tags of a text that begins with tag lines. `ends` are the known ends of its first
    /// lines.
    fn scan_behind(&mut self, text: &[u8], ends: &[u16]) {
        self.lines.clear();
        let mut at = if text.first() == Some(&b'[') { 0 } else { tags_start(text) };
        self.preface = at as u32;
        self.n_remarks = 0;
        self.may_set_up = false;
        for &end in ends {
            // The blanks at the end of the text have been cut off.
            let end = usize::from(end).min(text.len());
            self.add_line(text, at, end);
            at = (end + 1).min(text.len());
        }
        loop {
            // Adjacent tag lines, the usual case, need none of the skipping below.
            while let Some(b'[') = text.get(at) {
                let end = memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
                self.add_line(text, at, end);
                at = (end + 1).min(text.len());
            }
            match text.get(at) {
                Some(&sign @ (b'%' | b';')) => {
                    self.n_remarks += u32::from(sign == b';');
                    at = memchr(b'\n', &text[at..]).map_or(text.len(), |newline| at + newline);
                }
                Some(&byte) if is_space(byte) || byte == b'.' => at += 1,
                _ => break,
            }
        }
        self.moves = at as u32;
    }

    #[inline]
    fn add_line(&mut self, text: &[u8], start: usize, end: usize) {
        self.may_set_up |= text.get(start + 1).is_some_and(|&first| may_set_up(first));
        self.lines.push((start as u32, end as u32));
    }

    /// Returns the tags of the text that was scanned last.
    #[must_use]
    pub fn tags<'a>(&'a self, text: &'a [u8]) -> TextTags<'a> {
        let tags = Tags { text, lines: &self.lines, may_set_up: self.may_set_up };
        let TagIndex { preface, moves, n_remarks, .. } = *self;
        TextTags { tags, preface, moves, n_remarks }
    }
}

/// Whether a FEN tag is empty, as programs write it that have no position.
pub(crate) fn is_empty_fen(value: &[u8]) -> bool {
    matches!(value.trim_ascii(), b"" | b"?" | b"-" | b"*")
}

/// Start of a game according to its tags.
pub(crate) struct Opening {
    pub(crate) start: Start,
    /// Whether a FEN tag gives the start.
    pub(crate) has_fen: bool,
    /// Error of the FEN tag that would give the start if it were valid.
    pub(crate) error: Option<FenError>,
}

impl Opening {
    fn of(start: Start) -> Opening {
        Opening { start, has_fen: false, error: None }
    }
}

/// Tags without the text of their game. Reused from game to game.
#[derive(Clone, Debug, Default)]
pub struct TagTable {
    text: Vec<u8>,
    lines: Vec<(u32, u32)>,
    /// As in a [`TagIndex`].
    may_set_up: bool,
}

impl TagTable {
    /// Removes all tags.
    pub fn clear(&mut self) {
        self.text.clear();
        self.lines.clear();
        self.may_set_up = false;
    }

    /// Adds a tag with its value as written, as [`Tags::iter`] returns it.
    pub fn push(&mut self, name: &[u8], value: &[u8]) {
        let start = self.text.len() as u32;
        for part in [b"[", name, b" \"", value, b"\"]"] {
            self.text.extend_from_slice(part);
        }
        self.may_set_up |= name.first().is_none_or(|&first| may_set_up(first));
        self.lines.push((start, self.text.len() as u32));
    }

    /// Returns the tags, in the order in which they were added.
    #[must_use]
    pub fn tags(&self) -> Tags<'_> {
        Tags { text: &self.text, lines: &self.lines, may_set_up: self.may_set_up }
    }
}

/// Returns the offset of the first tag: the first line whose first byte that is not blank is `[`. A
/// text with a bracket but no such line is all preface; one without any bracket has no preface.
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
    if memchr(b'[', text).is_some() { text.len() } else { 0 }
}

/// Splits a tag line into name and value; `None` if it is no tag. Name and value are shorter than
/// 255 bytes, since the reference drops longer tags.
#[inline]
pub(crate) fn read_tag(line: &[u8]) -> Option<(&[u8], &[u8])> {
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

/// Whether only a blank and a quote are between the name and the value of a line.
fn is_apart_by_quote(name: &[u8], value: &[u8]) -> bool {
    value.as_ptr().addr() == name.as_ptr_range().end.addr() + 2
}

/// Whether a line begins with `[Name "`, where the name has no white space and no sign at its ends.
/// In nearly every line it does, and the scanner asks this of each line of each game: one comparison
/// recognizes the tags that every game should have.
#[inline]
pub(crate) fn begins_plainly(line: &[u8]) -> bool {
    let is_usual = match line.get(1) {
        Some(b'E') => line.starts_with(b"[Event \""),
        Some(b'S') => line.starts_with(b"[Site \""),
        Some(b'D') => line.starts_with(b"[Date \""),
        Some(b'R') => line.starts_with(b"[Round \"") || line.starts_with(b"[Result \""),
        Some(b'W') => line.starts_with(b"[White \""),
        Some(b'B') => line.starts_with(b"[Black \""),
        _ => false,
    };
    is_usual || has_plain_name(line)
}

fn has_plain_name(line: &[u8]) -> bool {
    // The lowest mark is that of the first byte up to a blank; those above may be wrong.
    let blanks = |word: &[u8; 8]| {
        let word = u64::from_le_bytes(*word);
        word.wrapping_sub(each(b' ' + 1)) & !word & each(0x80)
    };
    let first_blank = |from: usize| {
        let marks = blanks(line.get(from..)?.first_chunk()?);
        (marks != 0).then(|| from + (marks.trailing_zeros() / 8) as usize)
    };
    let blank = first_blank(1).or_else(|| first_blank(9));
    let blank = blank.or_else(|| line.iter().position(|&b| b <= b' '));
    blank.is_some_and(|blank| {
        line.get(blank + 1) == Some(&b'"')
            && line[1].is_ascii_alphabetic()
            && line[blank - 1].is_ascii_alphanumeric()
    })
}

/// Returns a name without the signs around it, if it has any: those in it remain.
pub(crate) fn without_signs(name: &[u8]) -> Option<&[u8]> {
    let start = name.iter().position(u8::is_ascii_alphanumeric)?;
    let end = name.iter().rposition(u8::is_ascii_alphanumeric)? + 1;
    (end - start < name.len()).then(|| &name[start..end])
}

/// Whether many programs know a tag of this name.
pub(crate) fn is_known(name: &[u8]) -> bool {
    let is_frequent = || FREQUENT_TAGS.iter().any(|tag| tag.as_bytes() == name);
    Known::of(name).is_some() || rating_kind(name).is_some() || is_frequent()
}

/// Whether signs around a name make another name of it than the one that was meant, as in
/// `[[White "…"]` and `[White: "…"]`.
pub(crate) fn has_signs(name: &[u8]) -> bool {
    let has_bracket = || name.iter().any(|b| matches!(b, b'[' | b']'));
    without_signs(name).is_some_and(|inner| is_known(inner) || has_bracket())
}

/// Length of a line in which no tag can be too long.
const SHORT_LINE: usize = 255;

/// Returns the kind of the text in a tag line that is not read, if there is any.
pub(crate) fn loss_in_line(line: &[u8]) -> Option<LossKind> {
    let Some(quote) = memchr(b'"', line) else {
        return Some(LossKind::UnreadTag);
    };
    let mut at = quote + 1;
    let mut is_closed = false;
    while let Some(quote) = memchr(b'"', &line[at..]) {
        let escapes = line[..at + quote].iter().rev();
        let is_escaped = escapes.take_while(|&&b| b == b'\\').count() % 2 == 1;
        at += quote + 1;
        let Some(behind) = line[at..].trim_ascii_start().strip_prefix(b"]") else {
            continue;
        };
        match behind.trim_ascii().first() {
            _ if is_escaped => {}
            None | Some(b';' | b'%') => {
                is_closed = true;
                break;
            }
            Some(_) => return Some(LossKind::TextBehindTag),
        }
    }
    let Some((name, _)) = read_tag(line) else {
        return Some(if line.len() > SHORT_LINE { LossKind::LongTag } else { LossKind::UnreadTag });
    };
    let before = trim(&line[1..quote]).len();
    let after = trim(&line[at..]);
    let has_words = before > name.len() || !is_closed && !after.is_empty() && after != b"]";
    let kind = if has_words { LossKind::WordsInTag } else { LossKind::SignsInName };
    (has_words || has_signs(name)).then_some(kind)
}

/// Returns the number of games that begin in a line after its first tag: this tag again, after text that is
/// no tag.
pub(crate) fn games_behind(line: &[u8]) -> u32 {
    let Some(quote) = memchr(b'"', line) else {
        return 0;
    };
    let (first, rest) = line.split_at(quote + 1);
    let games = memmem::find_iter(rest, first).filter(|&at| {
        let before = rest[..at].trim_ascii_end();
        !before.is_empty() && !before.ends_with(b"]")
    });
    games.count() as u32
}

/// Returns the place of the first tag line with the name of an earlier one and another value.
pub(crate) fn repeated_tag<'a>(lines: impl Iterator<Item = (usize, &'a [u8])>) -> Option<usize> {
    let mut values = BTreeMap::new();
    let mut tags = lines.filter_map(|(at, line)| Some((at, read_tag(line)?)));
    let repeated = tags.find(|&(_, (name, value))| *values.entry(name).or_insert(value) != value);
    repeated.map(|(at, _)| at)
}

/// Returns the name of a tag with the blank after it, if its line is as programs write it.
fn plain_name(line: &[u8]) -> Option<&[u8]> {
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    let (name, value) = read_tag(line)?;
    let is_whole = line.starts_with(b"[")
        && line.ends_with(b"\"]")
        && line.len() == name.len() + value.len() + b"[ \"\"]".len();
    let is_plain = is_whole
        && line[1 + name.len()] == b' '
        && name.iter().all(u8::is_ascii_alphanumeric)
        && memchr2(b'"', b'\\', value).is_none();
    is_plain.then(|| &line[1..name.len() + 2])
}

/// Maximum number of tags in a plain section.
const MOST_PLAIN: usize = 200;

/// The tags of one game.
#[derive(Clone, Copy, Debug)]
pub struct Tags<'a> {
    /// The text that the lines refer to.
    text: &'a [u8],
    /// Start and end of each line that looks like a tag.
    lines: &'a [(u32, u32)],
    /// As in a [`TagIndex`].
    may_set_up: bool,
}

/// The tags of a game together with its text.
#[derive(Clone, Copy, Debug)]
pub struct TextTags<'a> {
    tags: Tags<'a>,
    preface: u32,
    moves: u32,
    n_remarks: u32,
}

impl<'a> Deref for TextTags<'a> {
    type Target = Tags<'a>;

    fn deref(&self) -> &Tags<'a> {
        &self.tags
    }
}

impl<'a> TextTags<'a> {
    /// Returns the text before the tags, with its lines unchanged.
    #[must_use]
    pub fn preface(self) -> &'a [u8] {
        &self.text()[..self.preface as usize]
    }

    /// Returns the offset of the moves in the text.
    #[must_use]
    pub fn moves_start(self) -> usize {
        self.moves as usize
    }

    /// Returns the text after the tags.
    #[must_use]
    pub fn moves(self) -> &'a [u8] {
        &self.tags.text[self.moves as usize..]
    }

    /// Returns the text of the game.
    #[must_use]
    pub fn text(self) -> &'a [u8] {
        self.tags.text
    }

    /// Returns the offset and kind of the first text in the tag lines that is not read. The splitter
    /// finds such text only where that is cheap.
    #[must_use]
    pub fn loss(self) -> Option<(usize, LossKind)> {
        let loss = self.tags.lines.iter().find_map(|&(start, end)| {
            let line = &self.text()[start as usize..end as usize];
            match read_tag(line) {
                Some(_) if begins_plainly(line) => None,
                _ => Some((start as usize, loss_in_line(line)?)),
            }
        });
        let lines = self.tags.lines.iter();
        let lines =
            lines.map(|&(start, end)| (start as usize, &self.text()[start as usize..end as usize]));
        loss.or_else(|| Some((repeated_tag(lines)?, LossKind::RepeatedTag)))
    }

    /// Returns the number of remarks after `;` between the first tag and the moves.
    pub(crate) fn n_remarks(self) -> usize {
        self.n_remarks as usize
    }

    /// Whether the text before the moves is only tags as programs write them, each on a line of its
    /// own and with a different name, and a blank line.
    pub(crate) fn is_plain_section(self) -> bool {
        let (text, lines) = (self.text(), self.tags.lines);
        // no program writes so many tags, and each is compared with all before it
        if lines.len() > MOST_PLAIN {
            return false;
        }
        let mut next = 0;
        for (place, &(start, end)) in lines.iter().enumerate() {
            let line = &text[start as usize..end as usize];
            let Some(name) = plain_name(line).filter(|_| start as usize == next) else {
                return false;
            };
            let mut before = lines[..place].iter();
            if before.any(|&(start, _)| text[start as usize + 1..].starts_with(name)) {
                return false;
            }
            next = end as usize + 1;
        }
        let behind = text.get(next..self.moves_start()).unwrap_or_default();
        let is_blank_line = matches!(behind, b"\n" | b"\r\n");
        !lines.is_empty() && is_blank_line
    }
}

impl<'a> Tags<'a> {
    fn lines(self) -> impl DoubleEndedIterator<Item = &'a [u8]> {
        let lines = self.lines.iter();
        lines.map(move |&(start, end)| &self.text[start as usize..end as usize])
    }

    /// Returns the number of lines that look like tags.
    #[must_use]
    pub fn n_lines(self) -> usize {
        self.lines.len()
    }

    /// Returns the names and values of all tags as written.
    pub fn iter(self) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a [u8])> {
        self.lines().filter_map(read_tag)
    }

    /// Returns the values of all tags of a name as written, the last one first.
    #[inline]
    fn values(self, name: &[u8]) -> impl Iterator<Item = &'a [u8]> {
        self.lines().rev().filter_map(move |line| {
            // The first bytes exclude most lines. Blanks are at most a space.
            let first = *line.get(1)?;
            if first > b' ' {
                let differs = name.first() != Some(&first);
                if differs || !is_blank(*line.get(1 + name.len())?) {
                    return None;
                }
            }
            read_tag(line).and_then(|tag| (tag.0 == name).then_some(tag.1))
        })
    }

    /// Returns the value of a tag as written; the last one counts.
    #[inline]
    #[must_use]
    pub fn raw(self, name: &[u8]) -> Option<&'a [u8]> {
        self.values(name).next()
    }

    fn text_or_unknown(self, name: &[u8]) -> &'a [u8] {
        self.raw(name).unwrap_or(b"?")
    }

    /// Returns the Event tag, `?` if it is missing.
    #[must_use]
    pub fn event(self) -> &'a [u8] {
        self.text_or_unknown(b"Event")
    }

    /// Returns the Site tag, `?` if it is missing.
    #[must_use]
    pub fn site(self) -> &'a [u8] {
        self.text_or_unknown(b"Site")
    }

    /// Returns the Round tag, `?` if it is missing.
    #[must_use]
    pub fn round(self) -> &'a [u8] {
        self.text_or_unknown(b"Round")
    }

    /// Returns a player's normalized name; `?` if it is missing.
    #[must_use]
    pub fn player(self, color: Color) -> Cow<'a, [u8]> {
        standard_name(self.raw_player(color))
    }

    fn raw_player(self, color: Color) -> &'a [u8] {
        self.text_or_unknown(match color {
            Color::White => b"White",
            Color::Black => b"Black",
        })
    }

    /// Returns `false` only if a player's normalized name cannot contain a text. For most names
    /// that is decided without normalizing them.
    #[inline]
    #[must_use]
    pub fn player_may_contain(self, color: Color, text: &[u8]) -> bool {
        kept_byte(text).is_none_or(|byte| memchr(byte, self.raw_player(color)).is_some())
    }

    /// Returns `false` only if neither player's normalized name can share a byte with a text that
    /// may also contain the separator `\\n` between two names.
    #[inline]
    #[must_use]
    pub fn players_may_contain(self, text: &[u8]) -> bool {
        let byte = kept_byte(text).filter(|byte| !matches!(byte, b'\\' | b'n'));
        byte.is_none_or(|byte| {
            let colors = [Color::White, Color::Black];
            let mut names = colors.into_iter().map(|color| self.raw_player(color));
            names.any(|name| memchr(byte, name).is_some())
        })
    }

    /// Returns the Date tag.
    #[must_use]
    pub fn date(self) -> Date {
        self.raw(b"Date").map_or(Date::default(), Date::parse)
    }

    /// Returns the EventDate tag.
    #[must_use]
    pub fn event_date(self) -> Date {
        self.raw(b"EventDate").map_or(Date::default(), Date::parse)
    }

    /// Returns the ECO tag, if it is a code.
    #[must_use]
    pub fn eco(self) -> Option<Eco> {
        self.raw(b"ECO").and_then(Eco::parse)
    }

    /// Returns the Result tag. The game's own result, at the end of the moves, takes precedence.
    #[must_use]
    pub fn result(self) -> GameResult {
        self.raw(b"Result").map_or(GameResult::Unknown, GameResult::of_tag)
    }

    /// Returns the position of the last valid FEN tag.
    #[must_use]
    pub fn fen(self) -> Option<Start> {
        self.fen_for(self.variant())
    }

    fn fen_for(self, variant: Variant) -> Option<Start> {
        self.values(b"FEN").find_map(|value| variant.parse_fen(value).ok())
    }

    /// Returns the start of the game according to its tags.
    #[inline]
    pub(crate) fn opening(self) -> Opening {
        if self.may_set_up {
            self.opening_of(self.variant())
        } else {
            Opening::of(Start::normal(false))
        }
    }

    /// Returns the start of the game according to its tags, if the game is of this variant.
    pub(crate) fn opening_of(self, variant: Variant) -> Opening {
        if !self.may_set_up {
            return Opening::of(variant.start());
        }
        let mut error = None;
        for value in self.values(b"FEN") {
            match variant.parse_fen(value) {
                Ok(start) => {
                    return Opening { start, has_fen: true, error };
                }
                Err(_) if is_empty_fen(value) && !self.is_set_up() => {}
                Err(found) => error = error.or(Some(found)),
            }
        }
        Opening { error, ..Opening::of(variant.start()) }
    }

    /// Whether the SetUp tag says that the game has a start position of its own.
    pub(crate) fn is_set_up(self) -> bool {
        let value = self.raw(b"SetUp");
        value.is_some_and(|value| !matches!(value.trim_ascii(), b"" | b"?" | b"-" | b"0"))
    }

    /// Returns the start of the game, and whether a FEN tag gives it.
    #[must_use]
    pub fn start(self) -> (Start, bool) {
        if !self.may_set_up {
            return (Start::normal(false), false);
        }
        self.start_of(self.variant())
    }

    /// Returns the result of [`start`](Self::start), if the game is of this variant.
    #[must_use]
    pub fn start_of(self, variant: Variant) -> (Start, bool) {
        match self.fen_for(variant) {
            Some(start) => (start, true),
            None => (variant.start(), false),
        }
    }

    /// Returns the rules of the game, according to the Variant tag.
    #[inline]
    #[must_use]
    pub fn variant(self) -> Variant {
        if !self.may_set_up {
            return Variant::Standard;
        }
        self.raw(b"Variant").map_or(Variant::Standard, Variant::parse)
    }

    /// Returns a player's rating, as [`Rating::of_tags`].
    #[must_use]
    pub fn rating(self, color: Color) -> Rating {
        let initial = match color {
            Color::White => b'W',
            Color::Black => b'B',
        };
        let lines = self.lines().filter(|line| {
            let first = line.get(1);
            first.is_some_and(|&byte| byte == initial || is_blank(byte))
        });
        Rating::of_tags(color, lines.filter_map(read_tag))
    }

    /// Returns all tags without a meaning of their own, in the order of their first occurrence,
    /// with their last values.
    #[must_use]
    pub fn extra(self) -> Vec<(&'a [u8], &'a [u8])> {
        self.section().extra
    }

    /// Returns all tags, sorted into their fields.
    pub(crate) fn section(self) -> Section<'a> {
        let mut section = Section::default();
        let mut n_plain = 0;
        self.iter().for_each(|(name, value)| {
            n_plain += usize::from(is_apart_by_quote(name, value) && !has_signs(name));
            section.add(name, value);
        });
        section.may_lose |= n_plain < self.n_lines();
        section
    }

    /// Returns the value of a tag without a meaning of its own.
    #[must_use]
    pub fn extra_value(self, name: &[u8]) -> Option<&'a [u8]> {
        let is_plain = Known::of(name).is_none() && rating_kind(name).is_none();
        if is_plain {
            return self.raw(name);
        }
        self.extra().iter().find(|tag| tag.0 == name).map(|tag| tag.1)
    }
}

impl VariantNames {
    /// Returns the variant of a game with these tags.
    #[must_use]
    pub fn variant_of(&self, tags: TextTags<'_>) -> Variant {
        match tags.variant() {
            variant @ Variant::Other(OtherVariant::Unknown) => {
                self.added(tags.raw(b"Variant").unwrap_or_default()).unwrap_or(variant)
            }
            variant => variant,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::RatingKind;

    /// Calls `test` with the tags of a section.
    fn with(section: &str, test: impl FnOnce(TextTags<'_>)) {
        let mut index = TagIndex::default();
        index.scan(section.as_bytes());
        test(index.tags(section.as_bytes()));
    }

    fn bytes(text: &str) -> &[u8] {
        text.as_bytes()
    }

    #[test]
    fn lines() {
        let check = |line: &str, want: Option<(&str, &str)>| {
            with(line, |tags| {
                let got: Vec<_> = tags.iter().collect();
                let want: Vec<_> = want.into_iter().map(|(n, v)| (bytes(n), bytes(v))).collect();
                assert_eq!(got, want, "{line:?}");
            });
        };
        check("[A \"b\"]", Some(("A", "b")));
        check("  [ \t A   \"b\" ] x\r\n", Some(("A", "b")));
        check("[A x \"b\"]", Some(("A", "b")));
        check("[A \"b\\\"c\" d \"e\"", Some(("A", "b\\\"c\" d \"e")));
        check("[A \"x\"][B \"y\"]", Some(("A", "x\"][B \"y")));
        check("[A \"\"]", Some(("A", "")));
        check("[A\"b\"]", None);
        check("[A]", None);
        check("[A \"]", None);
        check("[A b]", None);
        check("[", None);
        check("[ ", None);
        check("", None);
        let value = |length| "v".repeat(length);
        check(&format!("[A \"{}\"]", value(252)), Some(("A", &value(252))));
        check(&format!("[A \"{}\"]", value(253)), None);
        check(&format!("[{} \"b\"]", value(254)), Some((&value(254), "b")));
        check(&format!("[{} \"b\"]", value(255)), None);
    }

    #[test]
    fn sections() {
        let check = |text: &str, preface: &str, moves: &str| {
            with(text, |tags| {
                assert_eq!(tags.preface(), bytes(preface), "{text:?}");
                assert_eq!(&tags.text()[tags.moves_start()..], bytes(moves), "{text:?}");
            });
        };
        check("[A \"b\"]\n\n1.e4", "", "1.e4");
        check("[A \"b\"]\n..e4", "", "e4");
        check("[A \"b\"]\n%x\n ;y\n\n [B \"c\"]\ne4 [", "", "e4 [");
        check("[A \"b\"]\n{c}\n[B \"c\"]", "", "{c}\n[B \"c\"]");
        check("[A \"b\"]", "", "");
        check("One\n\n two [\n [A \"b\"]\n*", "One\n\n two [\n", "*");
        check("e4 [x", "e4 [x", "");
        check("e4 *", "", "e4 *");
    }

    #[test]
    fn text_that_is_not_read() {
        for (text, at, kind) in [
            ("[A \"b\"]\n[ECO\"A46\"]", 8, LossKind::UnreadTag),
            ("[A \"b\"]\n[Time Control \"5\"]", 8, LossKind::WordsInTag),
            ("[A b]\n[ECO\"A46\"]", 0, LossKind::UnreadTag),
            ("[Event \"b\"]\n[Event \"c\"]", 12, LossKind::RepeatedTag),
            ("[A \"b\"]\n[A \"c\"]", 8, LossKind::RepeatedTag),
        ] {
            with(text, |tags| {
                assert!(tags.section().may_lose, "{text}");
                assert_eq!(tags.loss(), Some((at, kind)), "{text}");
            });
        }
        with("[A \"b\"]\n[ C  \"d\"]", |tags| assert_eq!(tags.loss(), None));
        for text in ["[A \"b\"]\n[C \"d\"]", "[Event \"b\"]\n[Event \"b\"]\n[A \"b\"]\n[A \"b\"]"] {
            with(text, |tags| assert!(!tags.section().may_lose, "{text}"));
        }
    }

    #[test]
    fn remarks_before_the_moves() {
        for (text, count) in [
            ("[A \";\"]\n\n1. e4 ; x\n*", 0),
            ("; x\n[A \"b\"]\n\n1. e4", 0),
            ("[A \"b\"]\n; x\n%\n  ;\n[B \"c\"]\n\n;y\n1. e4 ; z\n*", 3),
            ("; x\n1. e4", 1),
            ("[A \"b\"]\n..;x\n%;y\n1. e4", 1),
        ] {
            with(text, |tags| assert_eq!(tags.n_remarks(), count, "{text:?}"));
        }
    }

    #[test]
    fn values() {
        let section = "[Site \"s\"]\n[Date \"2001.02.03\"]\n[Site \"t\"]\n[ECO \"b9\"]\n\
                       [Black \"B,b\"]\n[Result \"1/2\"]\n[site \"u\"]\n";
        with(section, |tags| {
            assert_eq!(
                (tags.event(), tags.site(), tags.round()),
                (bytes("?"), bytes("t"), bytes("?"))
            );
            assert_eq!(tags.player(Color::White), bytes("?"));
            assert_eq!(tags.player(Color::Black), bytes("B, b"));
            assert_eq!(tags.date().to_string(), "2001.02.03");
            assert!(tags.event_date().is_unknown());
            assert_eq!(tags.eco().unwrap().as_bytes(), b"B90");
            assert_eq!(tags.result(), GameResult::Draw);
            assert_eq!(tags.extra(), [(bytes("site"), bytes("u"))]);
        });
        with("", |tags| {
            assert_eq!(tags.result(), GameResult::Unknown);
            assert_eq!(tags.eco(), None);
            assert_eq!(tags.raw(b"A"), None);
        });
    }

    #[test]
    fn extra_tags() {
        let section =
            "[B \"1\"]\n[A \"2\"]\n[B \"3\"]\n[ScidFlags \"D\"]\n[SetUp \"1\"]\n[Event \"e\"]\n";
        with(section, |tags| {
            let want = [("B", "3"), ("A", "2"), ("SetUp", "1")].map(|(n, v)| (bytes(n), bytes(v)));
            assert_eq!(tags.extra(), want);
            assert_eq!(tags.extra_value(b"B"), Some(bytes("3")));
            assert_eq!(tags.extra_value(b"ScidFlags"), None);
            assert_eq!(tags.extra_value(b"Event"), None);
        });
    }

    #[test]
    fn ratings() {
        let check = |section: &str, kind: RatingKind, value: u16, extra: &[(&str, &str)]| {
            with(section, |tags| {
                assert_eq!(tags.rating(Color::White), Rating { kind, value }, "{section:?}");
                let want: Vec<_> = extra.iter().map(|(n, v)| (bytes(n), bytes(v))).collect();
                assert_eq!(tags.extra(), want, "{section:?}");
                for (name, value) in want {
                    assert_eq!(tags.extra_value(name), Some(value));
                }
            });
        };
        use RatingKind::{Elo, Uscf};
        check("", Elo, 0, &[]);
        check("[WhiteElo \"2500x\"]", Elo, 2500, &[]);
        check("[WhiteElo \"9999\"]", Elo, 4000, &[]);
        check("[WhiteElo \"-5\"]", Elo, 4000, &[]);
        check("[WhiteElo \"?\"]", Elo, 0, &[]);
        check("[WhiteElo \"0\"]\n[WhiteUSCF \"2211\"]", Uscf, 2211, &[]);
        check(
            "[WhiteUSCF \"2211\"]\n[WhiteElo \"2500\"]\n[WhiteFoo \"1\"]",
            Uscf,
            2211,
            &[("WhiteElo", "2500"), ("WhiteFoo", "1")],
        );
        // A rating after the name takes precedence over all others.
        check("[WhiteUSCF \"2211\"]\n[White \"A (2345)\"]", Elo, 2345, &[]);
        check("[White \"A (2345)\"]\n[WhiteElo \"2500\"]", Elo, 2345, &[("WhiteElo", "2500")]);
        check("[White \"A (9999)\"]", Elo, 4000, &[]);
        check("[White \"A,(2345).\"]", Elo, 2345, &[]);
        check("[White \" (2345)\"]", Elo, 0, &[]);
        check("[WhiteElo \"2500\"]\n[White \"A (0000)\"]", Elo, 2500, &[]);
        check("[BlackElo \"2500\"]\n[Black \"A (2345)\"]", Elo, 0, &[]);
    }

    #[test]
    fn tags_of_a_table_are_read_as_if_they_stood_in_a_text() {
        let mut table = TagTable::default();
        table.push(b"Zz", b"of the game before");
        table.clear();
        assert_eq!(table.tags().iter().count(), 0);
        let tags: [(&[u8], &[u8]); 4] = [
            (b"White", b"B,b (2345)"),
            (b"White\"Elo", b"a \"b\" [c]"),
            (b"A", b""),
            (b"White", b"d"),
        ];
        for (name, value) in tags {
            table.push(name, value);
        }
        let read = table.tags();
        assert!(read.iter().eq(tags));
        assert_eq!(read.raw(b"White"), Some(bytes("d")));
        assert_eq!(read.rating(Color::White).value, 2345);
        assert_eq!(read.player(Color::Black), bytes("?"));
        assert_eq!(read.extra_value(b"A"), Some(bytes("")));
    }

    #[test]
    fn what_nearly_all_games_lack() {
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 20";
        for (section, may_set_up, has_fen, variant) in [
            ("", false, false, "Standard"),
            ("[A \"x\"]\n[Elo \"x\"]", false, false, "Standard"),
            ("[Fen \"x\"]\n[Variation \"x\"]", true, false, "Standard"),
            (&format!("[A \"x\"]\n[FEN \"{fen}\"]"), true, true, "Standard"),
            (&format!("text\n  [ \tFEN \"{fen}\"]\n[A \"x\"]"), true, true, "Standard"),
            ("[ Variant \"Chess960\"]", true, false, "Chess960"),
            ("[\tVariant \"Chess960\"]", true, false, "Chess960"),
        ] {
            with(section, |tags| {
                assert_eq!(tags.may_set_up, may_set_up, "{section:?}");
                assert_eq!(tags.start().1, has_fen, "{section:?}");
                assert_eq!(format!("{:?}", tags.variant()), variant, "{section:?}");
            });
        }
    }

    #[test]
    fn fens() {
        let check = |section: &str, want: Option<&str>| {
            with(section, |tags| assert_eq!(tags.fen().map(|start| start.fen()).as_deref(), want));
        };
        let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 5 20";
        check("", None);
        check("[FEN \"8/8/8/8/8/8/8/4K3 w - - 0 1\"]", None);
        check(&format!("[FEN \"{fen}\"]"), Some(fen));
        check(&format!("[FEN \"{fen}\"]\n[FEN \"x\"]"), Some(fen));
        check("[FEN \"r3k2r/8/8/8/8/8/8/R3K2R w\"]", Some("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"));
    }
}

//! Matching games as plain data, the basis of every output format except PGN.
//!
//! A [`GameRow`] owns its data, so it can be passed to a table, another thread or another language.
//! It is created only for matching games, by the thread that evaluated the game. A [`RowWriter`]
//! turns it into bytes.

use std::fmt::Debug;
use std::sync::Arc;

use board::{Color, Move, Rules, San, SquareSet, san_reaching};
use pgn::{GameResult, GameTree, Searched, Tags, unescape};

use crate::found::SortKey;
use crate::movetext::{MovetextItem, MovetextMove};
use crate::record::UsualTags;

/// A game that matches.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameRow {
    /// Name of the input, as in messages; empty if it has no name.
    pub input: Arc<str>,
    /// Number of the game, counted through all inputs from 1, as by the filter `gamenumber`.
    pub number: u64,
    /// Number of the game in its input, from 1.
    pub number_in_input: u64,
    /// Byte offset of the game's text in its input.
    pub offset: u64,
    /// Names and values of the tags in the order of the text, then those that the query sets. Of
    /// several tags with one name, the last one counts.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// Ratings of White and Black, as the filter `elo` reads them; 0 if there is none, or if the
    /// writer does not want them.
    pub ratings: [u16; 2],
    /// The rules that the moves were read by; those of chess if the writer wants no moves.
    pub rules: Rules,
    /// Result of the game: the termination marker after the moves, or else the Result tag.
    pub result: GameResult,
    /// Number of matching positions; 0 if the game matches for another reason, or if the query
    /// selects games that do not match.
    pub n_positions: u64,
    /// The matching positions, in the order of their ids; empty if the writer does not want them.
    pub positions: Vec<PositionRow>,
    /// Comments that the query wrote anywhere in the game, in the order of the positions.
    pub comments: Vec<PositionComment>,
    /// The values of the `sort` filters.
    pub sort_values: Vec<SortedValue>,
    /// Values of the named expressions at the position that stands for the game
    /// ([`shown`](GameRow::shown)), or at the start of the game if no position matches.
    pub values: Vec<RowValue>,
    /// The moves of the main line; empty if the writer does not want them.
    pub moves: Vec<MoveRow>,
    /// The moves with variations and comments; empty if the writer does not want them.
    pub movetext: Vec<MovetextItem>,
}

impl GameRow {
    /// Returns the value of a tag. Names are case-sensitive.
    pub fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        let mut tags = self.tags.iter();
        tags.find(|tag| tag.0 == name).map(|tag| &*tag.1)
    }

    /// Returns the matching position that stands for the game: that of the first value of `sort`,
    /// or else the first one.
    pub fn shown(&self) -> Option<&PositionRow> {
        let best = self.sort_values.first().and_then(|sorted| sorted.at);
        let found = best.and_then(|id| self.positions.iter().find(|position| position.id == id));
        found.or(self.positions.first())
    }

    /// Iterates over the start of the game and the moves of its main line, with what the movetext
    /// says of them; empty if the writer does not want the movetext.
    pub fn main_line(&self) -> impl Iterator<Item = &MovetextMove> {
        let mut depth = 0_usize;
        self.movetext.iter().filter_map(move |item| match item {
            MovetextItem::Move(mv) => (depth == 0).then_some(mv),
            MovetextItem::Open { .. } => {
                depth += 1;
                None
            }
            MovetextItem::Close => {
                depth = depth.saturating_sub(1);
                None
            }
        })
    }

    /// Number of variations in the movetext.
    pub fn n_variations(&self) -> usize {
        self.movetext.iter().filter(|item| matches!(item, MovetextItem::Open { .. })).count()
    }
}

/// A position that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionRow {
    /// The id: index in the searched part of the game tree, in pre-order.
    pub id: u32,
    /// Number of moves since the start of the game.
    pub ply: u32,
    /// Number of the next move.
    pub move_number: u32,
    /// The side to move.
    pub side: Color,
    /// The move that led to the position; `None` at the start.
    pub last_move: Option<MoveRow>,
    /// The next move in the same line; `None` at its end.
    pub next_move: Option<MoveRow>,
    /// Whether the query also searches other moves from here, in variations.
    pub has_variations: bool,
    /// The position as FEN.
    pub fen: String,
    /// The key of the position, as the filter `zobristkey` has it; 0 if the writer does not want it.
    pub key: u64,
    /// Comments that the query wrote at this position, in order.
    pub comments: Vec<Vec<u8>>,
    /// Values of the named expressions at this position.
    pub values: Vec<RowValue>,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveRow {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation: origin, destination and promotion.
    pub uci: String,
}

/// A comment written by the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionComment {
    /// The id of the position.
    pub id: u32,
    /// Number of moves from the start of the game to the position.
    pub ply: u32,
    /// Text of the comment.
    pub text: Vec<u8>,
}

/// The value of a `sort` filter in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedValue {
    /// Label of the value.
    pub label: String,
    /// The best value in the game.
    pub value: SortKey,
    /// The id of the position at which it was found first; `None` for the number of matches.
    pub at: Option<u32>,
}

/// The value of a named expression.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RowValue {
    /// The expression does not match, so it has no value.
    None,
    /// Whether a filter without a value matches.
    Boolean(bool),
    /// A number.
    Number(i64),
    /// A string of bytes.
    Text(Vec<u8>),
    /// A set of squares.
    Squares(SquareSet),
    /// A position of the game, by its id.
    Position(u32),
}

impl RowValue {
    /// Returns the number of bytes of its text, or 0 if it is no text.
    pub(crate) fn text_len(&self) -> usize {
        match self {
            RowValue::Text(text) => text.len(),
            _ => 0,
        }
    }
}

impl RowValue {
    /// Returns the value as text, or `None` if there is no value.
    pub fn to_text(&self) -> Option<Vec<u8>> {
        Some(match self {
            RowValue::None => return None,
            RowValue::Boolean(value) => value.to_string().into_bytes(),
            RowValue::Number(value) => value.to_string().into_bytes(),
            RowValue::Text(text) => text.clone(),
            RowValue::Squares(squares) => {
                let mut text = Vec::new();
                print_set(*squares, &mut text);
                text
            }
            RowValue::Position(id) => id.to_string().into_bytes(),
        })
    }
}

/// Appends one square as `e4`, and any other set as a list such as `[a1,h8]` or `[]`.
pub(crate) fn print_set(set: SquareSet, out: &mut Vec<u8>) {
    if let Some(square) = set.single() {
        out.extend(square.to_string().bytes());
        return;
    }
    out.push(b'[');
    for (i, square) in set.into_iter().enumerate() {
        if i > 0 {
            out.push(b',');
        }
        out.extend(square.to_string().bytes());
    }
    out.push(b']');
}

/// Turns games into bytes. Each thread has its own writer.
///
/// The bytes written for a game must depend on that game alone. The sink of the run receives them
/// as the text of the [`Match`](crate::Match).
pub trait RowWriter: Send + Debug {
    /// Appends the output for a game.
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>);

    /// Appends the output for a game of which only the number of matching positions is needed, and
    /// returns `true`; `false` if the writer needs its row.
    fn count(&mut self, n_positions: u64, out: &mut Vec<u8>) -> bool {
        let _ = (n_positions, out);
        false
    }

    /// Whether rows need their positions, which are costly to describe.
    fn wants_positions(&self) -> bool {
        true
    }

    /// Whether rows need other tags than those for event, site, date, round, players, ratings,
    /// result, ECO code and start position. If so, the texts of archived games are read to find
    /// them.
    fn wants_all_tags(&self) -> bool {
        true
    }

    /// The tags that rows need, if `UsualTags` has all of them. Rows may have no others.
    fn usual_tags(&self) -> Option<UsualTags> {
        None
    }

    /// Whether rows need the ratings. If so, the usual tags have those of both players.
    fn wants_ratings(&self) -> bool {
        false
    }

    /// Whether rows need the moves of the main line of their games.
    fn wants_moves(&self) -> bool {
        false
    }

    /// Whether positions need their keys.
    fn wants_keys(&self) -> bool {
        false
    }

    /// Whether rows need the moves of their games with variations and comments.
    fn wants_movetext(&self) -> bool {
        false
    }
}

/// Returns the tags of a game, combined with the tags `set` by the query, without the `removed`
/// ones.
pub(crate) fn tags(
    tags: Tags<'_>,
    set: &[(Vec<u8>, Vec<u8>)],
    removed: &[Vec<u8>],
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut all: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let written = tags.iter().filter(|(name, _)| !removed.iter().any(|removed| removed == name));
    let written = written.map(|(name, value)| (name, unescape(value)));
    let set = set.iter().map(|(name, value)| (&**name, value.clone()));
    for (name, value) in written.chain(set) {
        match all.iter_mut().find(|tag| tag.0 == name) {
            Some(tag) => tag.1 = value,
            None => all.push((name.to_vec(), value)),
        }
    }
    all
}

/// Returns the ratings of White and Black.
pub(crate) fn ratings(tags: Tags<'_>) -> [u16; 2] {
    Color::ALL.map(|color| tags.rating(color).value)
}

/// Makes a tag the one at `place`, in the memory of the tag that was there. All before it must be
/// there.
pub(crate) fn put_tag(
    tags: &mut Vec<(Vec<u8>, Vec<u8>)>,
    place: usize,
    name: &[u8],
    written: &[u8],
) {
    if tags.len() == place {
        tags.push(Default::default());
    }
    let (own_name, value) = &mut tags[place];
    own_name.clear();
    own_name.extend_from_slice(name);
    value.clear();
    if written.contains(&b'\\') {
        value.extend(unescape(written));
    } else {
        value.extend_from_slice(written);
    }
}

/// Returns the position `id`, without comments and values.
pub(crate) fn position(searched: Searched<'_>, id: u32) -> PositionRow {
    let index = id as usize;
    let here = searched.position(index);
    let last_move = searched.parent(index).and_then(|parent| move_row(searched, parent, index));
    let next_move =
        searched.children(index).next().and_then(|next| move_row(searched, index, next));
    PositionRow {
        id,
        ply: searched.ply(index) as u32,
        move_number: u32::from(here.fullmove_number),
        side: here.turn,
        last_move,
        next_move,
        has_variations: searched.children(index).nth(1).is_some(),
        fen: searched.tree().fen(searched.node(index)),
        key: 0,
        comments: Vec::new(),
        values: Vec::new(),
    }
}

/// Returns the move from one position to the next.
fn move_row(searched: Searched<'_>, from: usize, to: usize) -> Option<MoveRow> {
    let mv: Move = searched.move_to(to)?;
    let san = match searched.tree().rules() {
        Rules::Chess => san_reaching(searched.position(from), mv, searched.position(to)),
        _ => searched.tree().san(searched.node(to))?,
    };
    Some(made_row(&san, mv))
}

fn made_row(san: &San, mv: Move) -> MoveRow {
    MoveRow {
        san: san.as_str().to_owned(),
        uci: if mv.is_null() { "0000".to_owned() } else { mv.to_string() },
    }
}

/// Returns the moves of the main line.
pub(crate) fn main_line(tree: &GameTree) -> Vec<MoveRow> {
    let line = std::iter::successors(tree.next(0), |&node| tree.next(node));
    line.filter_map(|node| Some(made_row(&tree.san(node)?, tree.move_to(node)?))).collect()
}

/// Returns the key of a position, as the filter `zobristkey` has it.
pub(crate) fn key(searched: Searched<'_>, id: u32) -> u64 {
    searched.tree().situation(searched.node(id as usize)).key()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_equal_tags_the_last_one_counts() {
        let text = b"[White \"a\"]\n[Black \"b\"]\n[White \"c\"]\n\n*";
        let mut index = pgn::TagIndex::default();
        index.scan(text);
        let set = [(b"Mark".to_vec(), b"x".to_vec()), (b"Black".to_vec(), b"y".to_vec())];
        let all = tags(*index.tags(text), &set, &[]);
        let all: Vec<String> = all
            .iter()
            .map(|(name, value)| {
                format!("{}={}", String::from_utf8_lossy(name), String::from_utf8_lossy(value))
            })
            .collect();
        assert_eq!(all, ["White=c", "Black=y", "Mark=x"]);
    }
}

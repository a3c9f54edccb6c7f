//! Games that match as plain data: the seam for every output but PGN.
//!
//! A [`GameRow`] owns what it holds, so that it can go anywhere: into a table, to another thread,
//! to another language. It is made for games that match only, by the thread that evaluated the
//! game; what becomes of it there is up to a [`RowWriter`].

use std::fmt::Debug;
use std::sync::Arc;

use board::{Color, Move, Rules, SquareSet, san_reaching};
use pgn::{GameResult, Searched, Tags};

use crate::found::SortKey;
use crate::movetext::MovetextItem;

/// A game that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRow {
    /// The input that it stands in, as messages call it; empty if it has no name.
    pub input: Arc<str>,
    /// Its number, counted through all inputs from 1, as the filter `gamenumber` does.
    pub number: u64,
    /// Its number in the input that it stands in, from 1.
    pub number_in_input: u64,
    /// Where its text begins in the input, in bytes.
    pub offset: u64,
    /// Names and values of its tags in the order of the text, those that the query sets behind
    /// them. Of several tags of one name the last one counts.
    pub tags: Vec<(Vec<u8>, Vec<u8>)>,
    /// How it ended: what stands behind the moves, else in the tag.
    pub result: GameResult,
    /// How many positions match. None where the game matches for another reason, or where games
    /// are asked for that do not match.
    pub n_positions: u64,
    /// The positions that match, in the order of their ids; empty if the writer wants none.
    pub positions: Vec<PositionRow>,
    /// What the query wrote anywhere in the game, in the order of the positions.
    pub comments: Vec<PositionComment>,
    /// The values of the `sort` filters.
    pub sort_values: Vec<SortedValue>,
    /// The values of the named expressions at the first position that matches, or at the start of
    /// the game if none does.
    pub values: Vec<RowValue>,
    /// The moves with variations and comments; empty if the writer wants none.
    pub movetext: Vec<MovetextItem>,
}

impl GameRow {
    /// The value of a tag; names are told apart by case.
    pub fn tag(&self, name: &[u8]) -> Option<&[u8]> {
        let mut tags = self.tags.iter();
        tags.find(|tag| tag.0 == name).map(|tag| &*tag.1)
    }
}

/// A position that matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionRow {
    /// Its id: the place in the searched part of the game tree, in pre-order.
    pub id: u32,
    /// Number of moves since the start of the game.
    pub ply: u32,
    /// The number of the move that comes next.
    pub move_number: u32,
    /// The side to move.
    pub side: Color,
    /// The move that led here; none at the start.
    pub last_move: Option<MoveRow>,
    /// The move that follows in the same line; none at its end.
    pub next_move: Option<MoveRow>,
    /// Board, side to move and the rest.
    pub fen: String,
    /// What the query wrote at this position, in order.
    pub comments: Vec<Vec<u8>>,
    /// The values of the named expressions here.
    pub values: Vec<RowValue>,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveRow {
    /// In standard algebraic notation.
    pub san: String,
    /// In the notation of the Universal Chess Interface: squares, promotion.
    pub uci: String,
}

/// A comment of the query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PositionComment {
    /// The id of the position.
    pub id: u32,
    /// Its number of moves since the start of the game.
    pub ply: u32,
    /// What it says.
    pub text: Vec<u8>,
}

/// The value of a `sort` filter in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortedValue {
    /// The label.
    pub label: String,
    /// The best value in the game.
    pub value: SortKey,
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
    /// Bytes of its text, if it is one.
    pub(crate) fn text_len(&self) -> usize {
        match self {
            RowValue::Text(text) => text.len(),
            _ => 0,
        }
    }
}

impl RowValue {
    /// As text; none where there is no value.
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

/// One square as `e4`, otherwise `[a1,h8]`; empty `[]`.
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

/// Turns games into bytes; one for each thread.
///
/// What it writes for a game must depend on that game alone, and is handed to the sink of the run
/// as the text of the [`Match`](crate::Match).
pub trait RowWriter: Send + Debug {
    /// Appends what is to be written of a game.
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>);

    /// Whether rows need their positions, which are costly to describe.
    fn wants_positions(&self) -> bool {
        true
    }

    /// Whether rows need other tags than those that tell the event, the site, the date, the round,
    /// the players with their ratings, the result, the opening by its code and the start. To find
    /// them, the texts of games are read that were read before.
    fn wants_all_tags(&self) -> bool {
        true
    }

    /// Whether rows need the moves of their games.
    fn wants_movetext(&self) -> bool {
        false
    }
}

/// The tags of a game; `set` are those of the query.
pub(crate) fn tags(
    tags: Tags<'_>,
    set: &[(Vec<u8>, Vec<u8>)],
    removed: &[Vec<u8>],
) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut all: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
    let written = tags
        .iter()
        .filter(|(name, _)| !removed.iter().any(|removed| removed == name));
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

/// A value without the backslashes in front of quotes and backslashes.
fn unescape(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut rest = value.iter().copied().peekable();
    while let Some(byte) = rest.next() {
        match (byte, rest.peek()) {
            (b'\\', Some(&next @ (b'"' | b'\\'))) => {
                out.push(next);
                rest.next();
            }
            _ => out.push(byte),
        }
    }
    out
}

/// The position `id` without comments and values.
pub(crate) fn position(searched: Searched<'_>, id: u32) -> PositionRow {
    let index = id as usize;
    let here = searched.position(index);
    let last_move = searched
        .parent(index)
        .and_then(|parent| move_row(searched, parent, index));
    let next_move = searched
        .children(index)
        .next()
        .and_then(|next| move_row(searched, index, next));
    PositionRow {
        id,
        ply: searched.ply(index) as u32,
        move_number: u32::from(here.fullmove_number),
        side: here.turn,
        last_move,
        next_move,
        fen: searched.tree().fen(searched.node(index)),
        comments: Vec::new(),
        values: Vec::new(),
    }
}

/// The move from one position to the next.
fn move_row(searched: Searched<'_>, from: usize, to: usize) -> Option<MoveRow> {
    let mv: Move = searched.move_to(to)?;
    let san = match searched.tree().rules() {
        Rules::Chess => san_reaching(searched.position(from), mv, searched.position(to)),
        _ => searched.tree().san(searched.node(to))?,
    };
    Some(MoveRow {
        san: san.as_str().to_owned(),
        uci: match mv.is_null() {
            true => "0000".to_owned(),
            false => mv.to_string(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backslashes_of_tags_are_taken_off() {
        let check = |value: &str, expected: &str| {
            assert_eq!(unescape(value.as_bytes()), expected.as_bytes(), "{value}");
        };
        check("plain", "plain");
        check(r#"the \"Immortal\""#, r#"the "Immortal""#);
        check(r"a\\b", r"a\b");
        check(r"a\b\", r"a\b\");
    }

    #[test]
    fn of_equal_tags_the_last_one_counts() {
        let text = b"[White \"a\"]\n[Black \"b\"]\n[White \"c\"]\n\n*";
        let mut index = pgn::TagIndex::default();
        index.scan(text);
        let set = [
            (b"Mark".to_vec(), b"x".to_vec()),
            (b"Black".to_vec(), b"y".to_vec()),
        ];
        let all = tags(*index.tags(text), &set, &[]);
        let all: Vec<String> = all
            .iter()
            .map(|(name, value)| {
                format!(
                    "{}={}",
                    String::from_utf8_lossy(name),
                    String::from_utf8_lossy(value)
                )
            })
            .collect();
        assert_eq!(all, ["White=c", "Black=y", "Mark=x"]);
    }
}

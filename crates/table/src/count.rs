//! Writes counts in place of games: the number of matching games and positions, their results and
//! scores, in all or in groups.

mod figure;
mod groups;
mod shape;

use std::collections::BTreeMap;

use engine::{Color, GameRow, RowWriter, UsualTags};
use pgn::decode;

use crate::cell::Cell;
use crate::column::{Column, ColumnSource, usual_tags};
use crate::layout::Layout;
use crate::score::{Points, side_of};
pub(crate) use figure::Figure;
pub(crate) use groups::Outcome;
use groups::{Group, Groups};
pub use shape::CountOptions;
pub(crate) use shape::Shape;

/// Stores the groups of a game with the number of its positions in each.
#[derive(Debug, Clone, Default)]
pub(crate) struct CountWriter {
    pub(crate) keys: Vec<Column>,
    /// Selection and order of the counts that are shown.
    pub(crate) shape: Shape,
}

impl CountWriter {
    fn key(&self, game: &GameRow, position: &engine::PositionRow) -> Vec<Cell> {
        let keys = self.keys.iter();
        keys.map(|column| column.cell(game, Some(position))).collect()
    }

    fn depends_on_position(&self) -> bool {
        self.keys.iter().any(|column| {
            matches!(
                column.source,
                ColumnSource::Position(_) | ColumnSource::Value(_) | ColumnSource::Values(_)
            )
        })
    }
}

/// Returns the outcome of a game for the player whose name contains a text in lower case, or for
/// White. Without a result if there is none, or if the player does not take part.
pub(crate) fn outcome(game: &GameRow, score_of: Option<&str>) -> Outcome {
    let side = match score_of {
        None => Some(Color::White),
        Some(text) => side_of(text, |color| {
            let tag: &[u8] = if color == Color::White { b"White" } else { b"Black" };
            game.tag(tag).map(decode).unwrap_or_default().into_owned()
        }),
    };
    let points = side.and_then(|side| Points::of(game.result, side));
    let elo = |side: Option<Color>| side.map_or(0, |side| game.ratings[side.index()]);
    (points, elo(side), elo(side.map(|side| !side)))
}

/// Appends an outcome in a form that [`read_outcome`] reads back.
pub(crate) fn store_outcome((points, own, other): Outcome, out: &mut Vec<u8>) {
    points.map_or(Cell::Null, |points| Cell::Number(points as i64)).store(out);
    for elo in [own, other] {
        Cell::Number(elo.into()).store(out);
    }
}

impl RowWriter for CountWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        if self.shape.has_scores {
            store_outcome(outcome(row, self.shape.score_of.as_deref()), out);
        }
        if row.positions.is_empty() {
            self.keys.iter().for_each(|column| column.store(row, out));
            Cell::Number(i64::try_from(row.n_positions).unwrap_or(i64::MAX)).store(out);
            return;
        }
        let mut groups: BTreeMap<Vec<Cell>, Group> = BTreeMap::new();
        for position in &row.positions {
            groups.entry(self.key(row, position)).or_default().positions += 1;
        }
        for (key, group) in groups {
            key.iter().for_each(|cell| cell.store(out));
            Cell::Number(group.positions).store(out);
        }
    }

    fn count(&mut self, n_positions: u64, out: &mut Vec<u8>) -> bool {
        let is_enough = self.keys.is_empty() && !self.shape.has_scores;
        if is_enough {
            Cell::Number(i64::try_from(n_positions).unwrap_or(i64::MAX)).store(out);
        }
        is_enough
    }

    fn wants_positions(&self) -> bool {
        self.depends_on_position()
    }

    fn usual_tags(&self) -> Option<UsualTags> {
        let keys = usual_tags(&self.keys)?;
        let names = ["WhiteElo", "BlackElo", "White", "Black"];
        let n_names = if self.shape.score_of.is_some() { 4 } else { 2 };
        let of_outcome = UsualTags::of(names.into_iter().take(n_names));
        let of_outcome = of_outcome.filter(|_| self.shape.has_scores);
        Some(keys.with(of_outcome.unwrap_or_default()))
    }

    fn wants_ratings(&self) -> bool {
        self.shape.has_scores
    }

    fn wants_moves(&self) -> bool {
        self.keys.iter().any(|column| column.source.needs_moves())
    }

    fn wants_keys(&self) -> bool {
        self.keys.iter().any(|column| column.source.needs_keys())
    }
}

/// Counts of a run.
#[derive(Debug)]
pub(crate) struct Tally {
    names: Vec<String>,
    /// For each column to group by, whether it is a tag that no game has had so far.
    misses: Vec<bool>,
    /// Maximum width of lines for reading.
    width: Option<usize>,
    shape: Shape,
    /// Groups, without the column whose values become columns.
    rows: BTreeMap<Vec<Cell>, Group>,
    /// Groups of the column whose values become columns; each key is one cell.
    columns: BTreeMap<Vec<Cell>, Group>,
    /// Groups of both.
    cells: BTreeMap<Vec<Cell>, Group>,
    total: Group,
    /// Groups by the stored cells of their key. Those that may be shown become `rows` at the end.
    stored: Groups,
    /// The only group, if there are no columns to group by and a game has been counted.
    whole: Option<Group>,
}

/// Layout of counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountLayout {
    /// Columns of constant width, with the total below them.
    Text,
    /// Rows like those of other tables.
    Rows(Layout),
}

impl Tally {
    /// Creates empty counts.
    pub(crate) fn new(writer: &CountWriter) -> Tally {
        Tally {
            names: writer.keys.iter().map(|column| column.name.clone()).collect(),
            misses: writer.keys.iter().map(Column::is_tag).collect(),
            width: None,
            shape: writer.shape.clone(),
            rows: BTreeMap::new(),
            columns: BTreeMap::new(),
            cells: BTreeMap::new(),
            total: Group::default(),
            stored: Groups::new(writer.shape.n_by_games()),
            whole: None,
        }
    }

    pub(crate) fn fit(&mut self, width: usize) {
        self.width = Some(width);
    }

    /// Returns the tags to group by that no counted game has; none if no game is counted.
    pub(crate) fn missing_tags(&self) -> Vec<String> {
        let missing = self.names.iter().zip(&self.misses).filter(|(_, misses)| **misses);
        missing.filter(|_| self.total.games > 0).map(|(name, _)| name.clone()).collect()
    }

    /// Counts a game from the bytes that [`CountWriter`] stored for it.
    pub(crate) fn add(&mut self, mut stored: &[u8]) {
        let outcome = if self.shape.has_scores { read_outcome(&mut stored) } else { (None, 0, 0) };
        // A game counts once in each row and column, though in several of their cells.
        let (mut rows, mut columns) = (Vec::new(), Vec::new());
        self.total.add(0, Some(outcome));
        while !stored.is_empty() {
            let start = stored;
            let is_whole = self.misses.iter_mut().all(|misses| {
                *misses &= stored.first() == Some(&Cell::STORED_NULL);
                Cell::skip(&mut stored).is_some()
            });
            let key = &start[..start.len() - stored.len()];
            let (true, Some(Cell::Number(n))) = (is_whole, Cell::read(&mut stored)) else {
                debug_assert!(false, "what was stored comes back");
                return;
            };
            self.total.add(n, None);
            if self.shape.is_crossed {
                self.cross(&read_key(key), (n, outcome), &mut rows, &mut columns);
            } else if key.is_empty() {
                self.whole.get_or_insert_default().add(n, Some(outcome));
            } else {
                self.stored.add(key, n, outcome);
            }
        }
    }

    /// Counts a game in a cell, its row and its column, if these are not among those where it has
    /// been counted.
    fn cross(
        &mut self,
        key: &[Cell],
        (n, outcome): (i64, Outcome),
        rows: &mut Vec<Vec<Cell>>,
        columns: &mut Vec<Cell>,
    ) {
        self.cells.entry(key.to_vec()).or_default().add(n, Some(outcome));
        let Some((column, row)) = key.split_last() else {
            return;
        };
        let first = Some(outcome).filter(|_| !columns.contains(column));
        self.columns.entry(vec![column.clone()]).or_default().add(n, first);
        columns.push(column.clone());
        let first = Some(outcome).filter(|_| !rows.iter().any(|counted| counted == row));
        self.rows.entry(row.to_vec()).or_default().add(n, first);
        rows.push(row.to_vec());
    }

    /// Makes rows of the groups.
    fn finish(&mut self) {
        self.rows.extend(self.whole.take().map(|group| (Vec::new(), group)));
        let stored = std::mem::take(&mut self.stored);
        stored.finish(|key, group| {
            self.rows.insert(read_key(key), group);
        });
    }
}

/// Reads the cells of a key.
fn read_key(mut stored: &[u8]) -> Vec<Cell> {
    std::iter::from_fn(|| Cell::read(&mut stored)).collect()
}

/// Reads the outcome of a game.
pub(crate) fn read_outcome(stored: &mut &[u8]) -> Outcome {
    let mut number = || match Cell::read(stored) {
        Some(Cell::Number(n)) => u16::try_from(n).ok(),
        _ => None,
    };
    let points = number().map(|points| match points {
        0 => Points::Loss,
        1 => Points::Draw,
        _ => Points::Win,
    });
    (points, number().unwrap_or(0), number().unwrap_or(0))
}

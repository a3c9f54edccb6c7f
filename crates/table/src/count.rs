//! Writes counts in place of games: the number of matching games and positions, in all or in
//! groups.

use std::collections::BTreeMap;

use engine::{GameRow, RowWriter};

use crate::cell::Cell;
use crate::column::{Column, ColumnSource};
use crate::layout::{Layout, header, write_row};

/// Stores the groups of a game with the number of its positions in each.
#[derive(Debug, Clone)]
pub(crate) struct CountWriter {
    pub(crate) keys: Vec<Column>,
}

impl CountWriter {
    fn key(&self, game: &GameRow, position: Option<&engine::PositionRow>) -> Vec<Cell> {
        let keys = self.keys.iter();
        keys.map(|column| column.cell(game, position)).collect()
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

impl RowWriter for CountWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let mut groups: BTreeMap<Vec<Cell>, i64> = BTreeMap::new();
        if row.positions.is_empty() {
            let n = i64::try_from(row.n_positions).unwrap_or(i64::MAX);
            groups.insert(self.key(row, None), n);
        }
        for position in &row.positions {
            *groups.entry(self.key(row, Some(position))).or_default() += 1;
        }
        for (key, n_positions) in groups {
            key.iter().for_each(|cell| cell.store(out));
            Cell::Number(n_positions).store(out);
        }
    }

    fn wants_positions(&self) -> bool {
        self.depends_on_position()
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
    /// Number of games and of positions of each group.
    groups: BTreeMap<Vec<Cell>, [i64; 2]>,
    n_games: i64,
    n_positions: i64,
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
    /// Creates empty counts for groups by these keys.
    pub(crate) fn new(keys: &[Column]) -> Tally {
        Tally {
            names: keys.iter().map(|column| column.name.clone()).collect(),
            groups: BTreeMap::new(),
            n_games: 0,
            n_positions: 0,
        }
    }

    /// Counts a game from the bytes that [`CountWriter`] stored for it.
    pub(crate) fn add(&mut self, mut stored: &[u8]) {
        self.n_games += 1;
        while !stored.is_empty() {
            let cells: Option<Vec<Cell>> =
                (0..self.names.len()).map(|_| Cell::read(&mut stored)).collect();
            let (Some(key), Some(Cell::Number(n))) = (cells, Cell::read(&mut stored)) else {
                debug_assert!(false, "what was stored comes back");
                return;
            };
            let counts = self.groups.entry(key).or_default();
            counts[0] += 1;
            counts[1] += n;
            self.n_positions += n;
        }
    }

    /// Returns the table of counts, with the groups in ascending order.
    pub(crate) fn write(&self, layout: CountLayout) -> Vec<u8> {
        let names = || {
            let names = self.names.iter().map(String::as_str);
            names.chain(["games", "positions"])
        };
        let numbers = |[games, positions]: [i64; 2]| [Cell::Number(games), Cell::Number(positions)];
        let total = [self.n_games, self.n_positions];
        let mut rows: Vec<Vec<Cell>> = self
            .groups
            .iter()
            .map(|(key, &counts)| key.iter().cloned().chain(numbers(counts)).collect())
            .collect();
        if self.names.is_empty() {
            rows = vec![numbers(total).to_vec()];
        }
        match layout {
            CountLayout::Text => {
                if !self.names.is_empty() {
                    let mut last = vec![Cell::text(Some("total"))];
                    last.resize(self.names.len(), Cell::text(Some("")));
                    last.extend(numbers(total));
                    rows.push(last);
                }
                aligned(names().collect(), &rows).into_bytes()
            }
            CountLayout::Rows(layout) => {
                let mut out = Vec::new();
                if let Layout::Table(separator) = layout {
                    out.extend(header(names(), separator).bytes());
                }
                for row in &rows {
                    write_row(names(), row, layout, &mut out);
                }
                out
            }
        }
    }
}

/// Returns a table for reading: texts aligned to the left, numbers to the right.
fn aligned(names: Vec<&str>, rows: &[Vec<Cell>]) -> String {
    let text = |cell: &Cell| match cell {
        Cell::Null => "(none)".to_owned(),
        cell => cell.to_plain().replace(char::is_control, " "),
    };
    let lines: Vec<Vec<String>> = std::iter::once(names.into_iter().map(str::to_owned).collect())
        .chain(rows.iter().map(|row| row.iter().map(text).collect()))
        .collect();
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    // without the total, whose cells are no numbers in the columns of the groups
    let groups = rows.split_last().map_or(rows, |(_, groups)| groups);
    let to_right = |column: usize| {
        let mut cells = groups.iter().map(|row| &row[column]);
        column + 2 >= lines[0].len()
            || (!groups.is_empty()
                && cells.all(|cell| matches!(cell, Cell::Number(_) | Cell::Null)))
    };
    let columns: Vec<(usize, bool)> =
        (0..lines[0].len()).map(|column| (width(column), to_right(column))).collect();
    let mut out = String::new();
    for line in &lines {
        let cells = line.iter().zip(&columns);
        let cells: Vec<String> = cells
            .map(
                |(cell, &(width, to_right))| {
                    if to_right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
                },
            )
            .collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}

//! Writes rows that consist of columns.

use engine::{GameRow, PositionRow, RowWriter, UsualTags};

use crate::cell::Cell;
use crate::column::{Column, usual_tags};
use crate::format::Per;
use crate::layout::{Layout, write_row};

/// Writes rows that consist of columns.
#[derive(Debug, Clone)]
pub(crate) struct ColumnWriter {
    pub(crate) columns: Vec<Column>,
    pub(crate) per: Per,
    pub(crate) layout: Layout,
}

impl ColumnWriter {
    fn row(&self, game: &GameRow, position: Option<&PositionRow>, out: &mut Vec<u8>) {
        let cells: Vec<Cell> =
            self.columns.iter().map(|column| column.cell(game, position)).collect();
        let names = self.columns.iter().map(|column| column.name.as_str());
        write_row(names, &cells, self.layout, out);
    }
}

impl RowWriter for ColumnWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        match self.per {
            Per::Game => self.row(row, None, out),
            Per::Position => {
                row.positions.iter().for_each(|position| self.row(row, Some(position), out))
            }
        }
    }

    fn wants_positions(&self) -> bool {
        self.per == Per::Position
    }

    fn usual_tags(&self) -> Option<UsualTags> {
        usual_tags(&self.columns)
    }

    fn wants_moves(&self) -> bool {
        self.columns.iter().any(|column| column.source.needs_moves())
    }

    fn wants_keys(&self) -> bool {
        self.columns.iter().any(|column| column.source.needs_keys())
    }
}

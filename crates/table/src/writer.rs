//! Writes a table.

use std::fmt::{self, Debug, Formatter};
use std::io::{self, Write};

use engine::{GameRow, QueryResults, RowWriter};

use crate::count::{CountLayout, Tally};
use crate::html::{HtmlWriter, Totals};
use crate::parquet::ParquetFile;

/// Writes a table, game by game; made by [`Table::begin`](crate::Table::begin).
pub struct TableWriter<W: Write> {
    body: Body<W>,
    /// Turns rows into bytes; `None` for games as PGN.
    rows: Option<Box<dyn RowWriter>>,
    buffer: Vec<u8>,
}

/// Use of the bytes of a game.
pub(crate) enum Body<W: Write> {
    /// The bytes are copied.
    Copy(W),
    /// The bytes are copied into a page.
    Page(Box<HtmlWriter>, W),
    /// The bytes are counts, which are written at the end.
    Counts(Box<Tally>, CountLayout, W),
    /// The bytes are cells.
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write> Debug for TableWriter<W> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableWriter").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl<W: Write> TableWriter<W> {
    pub(crate) fn new(body: Body<W>, rows: Option<Box<dyn RowWriter>>) -> TableWriter<W> {
        TableWriter { body, rows, buffer: Vec::new() }
    }

    /// Adds the results of a chunk, written by a row writer of the same table.
    ///
    /// # Errors
    /// Those of the output.
    pub fn chunk(&mut self, found: &QueryResults) -> io::Result<()> {
        match &mut self.body {
            Body::Copy(to) | Body::Page(_, to) => to.write_all(&found.text),
            Body::Counts(..) | Body::Parquet(_) => {
                let mut games = found.matches.iter();
                games.try_for_each(|game| self.game(&found.text[game.text.clone()]))
            }
        }
    }

    /// Adds the bytes that a row writer of the same table has written for a game.
    ///
    /// # Errors
    /// Those of the output.
    pub fn game(&mut self, text: &[u8]) -> io::Result<()> {
        match &mut self.body {
            Body::Copy(to) | Body::Page(_, to) => to.write_all(text),
            Body::Counts(tally, ..) => {
                tally.add(text);
                Ok(())
            }
            Body::Parquet(file) => file.add(text),
        }
    }

    /// Adds a game. A report shows its board and moves, and an object has its moves, only if the
    /// row has them ([`GameRow::movetext`]). For games as PGN nothing is added: they have no rows, use
    /// [`TableWriter::game`].
    ///
    /// # Errors
    /// Those of the output.
    pub fn row(&mut self, row: &GameRow) -> io::Result<()> {
        let Some(rows) = &mut self.rows else {
            return Ok(());
        };
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.clear();
        rows.game(row, &mut buffer);
        let result = self.game(&buffer);
        self.buffer = buffer;
        result
    }

    /// Shortens the names of groups in counts for reading, and leaves out the last figures, so that
    /// no line is longer than this, if possible.
    pub fn fit(&mut self, width: usize) {
        if let Body::Counts(tally, ..) = &mut self.body {
            tally.fit(width);
        }
    }

    /// Returns the tags that counts are grouped by and no counted game has.
    pub fn missing_tags(&self) -> Vec<String> {
        match &self.body {
            Body::Counts(tally, ..) => tally.missing_tags(),
            Body::Copy(_) | Body::Page(..) | Body::Parquet(_) => Vec::new(),
        }
    }

    /// Returns the output.
    pub fn get_mut(&mut self) -> &mut W {
        match &mut self.body {
            Body::Copy(to) | Body::Page(_, to) | Body::Counts(_, _, to) => to,
            Body::Parquet(file) => file.get_mut(),
        }
    }

    /// Writes the rest and returns the output. `totals` are the counts shown in a report.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self, totals: &Totals) -> io::Result<W> {
        match self.body {
            Body::Copy(to) => Ok(to),
            Body::Page(page, mut to) => {
                to.write_all(page.foot(totals).as_bytes())?;
                Ok(to)
            }
            Body::Counts(tally, layout, mut to) => {
                to.write_all(&tally.write(layout))?;
                Ok(to)
            }
            Body::Parquet(file) => file.finish(),
        }
    }
}

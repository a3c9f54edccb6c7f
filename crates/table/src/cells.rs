//! Tables of cells made by the caller, for results that are not those of a search.

use std::io::{self, Write};

use crate::cell::Cell;
use crate::column::CellType;
use crate::format::{Family, OutputFormat};
use crate::layout::{Layout, header, write_row};
use crate::parquet::ParquetFile;

/// Writes rows of cells as CSV, TSV, JSON Lines or Parquet.
pub struct CellWriter<W: Write> {
    names: Vec<&'static str>,
    layout: Layout,
    body: Body<W>,
    buffer: Vec<u8>,
}

enum Body<W: Write> {
    Text(W),
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write> CellWriter<W> {
    /// Starts a table with these columns; `None` if the format has no columns.
    ///
    /// # Errors
    /// Those of the output.
    pub fn begin(
        mut to: W,
        format: OutputFormat,
        columns: &[(&'static str, CellType)],
    ) -> io::Result<Option<CellWriter<W>>> {
        let Family::Rows(layout) = format.family() else {
            return Ok(None);
        };
        let names: Vec<&str> = columns.iter().map(|column| column.0).collect();
        let body = match layout {
            Layout::Stored => {
                Body::Parquet(Box::new(ParquetFile::new(to, columns.iter().copied())?))
            }
            Layout::Table(separator) => {
                to.write_all(header(names.iter().copied(), separator).as_bytes())?;
                Body::Text(to)
            }
            Layout::Json => Body::Text(to),
        };
        Ok(Some(CellWriter { names, layout, body, buffer: Vec::new() }))
    }

    /// Adds a row with a cell for each column, of the column's type or [`Cell::Null`].
    ///
    /// # Errors
    /// Those of the output.
    pub fn row(&mut self, cells: &[Cell]) -> io::Result<()> {
        self.buffer.clear();
        let names = self.names.iter().copied();
        write_row(names, cells, self.layout, &mut self.buffer);
        match &mut self.body {
            Body::Text(to) => to.write_all(&self.buffer),
            Body::Parquet(file) => file.add(&self.buffer),
        }
    }

    /// Writes the rest and returns the output.
    ///
    /// # Errors
    /// Those of the output.
    pub fn finish(self) -> io::Result<W> {
        match self.body {
            Body::Text(to) => Ok(to),
            Body::Parquet(file) => file.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(format: OutputFormat) -> Option<Vec<u8>> {
        let columns = [("a", CellType::Number), ("b", CellType::List)];
        let mut table = CellWriter::begin(Vec::new(), format, &columns).expect("begun")?;
        let text = |text: &str| Cell::Text(text.to_owned());
        for cells in
            [[Cell::Number(1), Cell::List(vec![text("x"), text("y")])], [Cell::Null, Cell::Null]]
        {
            table.row(&cells).expect("written");
        }
        Some(table.finish().expect("finished"))
    }

    #[test]
    fn cells_stand_in_columns() {
        let check = |format, expected: &str| {
            let written = written(format).expect("a table");
            assert_eq!(String::from_utf8_lossy(&written), expected);
        };
        check(OutputFormat::Csv, "a,b\n1,x; y\n,\n");
        check(OutputFormat::Tsv, "a\tb\n1\tx; y\n\t\n");
        check(OutputFormat::Jsonl, "{\"a\":1,\"b\":[\"x\",\"y\"]}\n{\"a\":null,\"b\":null}\n");
        assert!(written(OutputFormat::Parquet).is_some_and(|file| file.ends_with(b"PAR1")));
        assert_eq!(written(OutputFormat::Html), None);
    }
}

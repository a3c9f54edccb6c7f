//! Rows as a table in Apache Parquet.
//!
//! Rows are gathered column by column and written as a row group whenever there are many, so that
//! memory does not depend on their number.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::cell::Cell;
use super::column::CellType;

/// Most rows of a row group.
const GROUP_ROWS: usize = 100_000;

/// A row group ends behind this many bytes of text.
const GROUP_BYTES: usize = 32 << 20;

/// A file of rows.
pub(super) struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Gathered>,
    n_rows: usize,
    n_bytes: usize,
}

/// The cells of a column that are not written yet.
struct Gathered {
    values: Values,
    /// For each row whether there is a value: 1, else 0.
    levels: Vec<i16>,
}

enum Values {
    Bool(Vec<bool>),
    Number(Vec<i64>),
    Text(Vec<ByteArray>),
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file with these columns.
    pub(super) fn new<'n>(
        to: W,
        columns: impl Iterator<Item = (&'n str, CellType)>,
    ) -> io::Result<ParquetFile<W>> {
        let mut fields = Vec::new();
        let mut gathered = Vec::new();
        for (name, cell_type) in columns {
            let (physical, logical, values) = match cell_type {
                CellType::Bool => (PhysicalType::BOOLEAN, None, Values::Bool(Vec::new())),
                CellType::Number => (PhysicalType::INT64, None, Values::Number(Vec::new())),
                CellType::Text => {
                    let logical = Some(LogicalType::String);
                    (PhysicalType::BYTE_ARRAY, logical, Values::Text(Vec::new()))
                }
            };
            let field = Type::primitive_type_builder(name, physical)
                .with_logical_type(logical)
                .with_repetition(Repetition::OPTIONAL)
                .build()
                .map_err(failed)?;
            fields.push(Arc::new(field));
            gathered.push(Gathered {
                values,
                levels: Vec::new(),
            });
        }
        let schema = Type::group_type_builder("rows")
            .with_fields(fields)
            .build()
            .map_err(failed)?;
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("Babson cql ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let writer = SerializedFileWriter::new(to, Arc::new(schema), Arc::new(properties))
            .map_err(failed)?;
        Ok(ParquetFile {
            writer,
            columns: gathered,
            n_rows: 0,
            n_bytes: 0,
        })
    }

    /// Adds rows that were stored cell by cell.
    pub(super) fn add(&mut self, mut stored: &[u8]) -> io::Result<()> {
        self.n_bytes += stored.len();
        while !stored.is_empty() {
            for column in &mut self.columns {
                let cell = Cell::read(&mut stored)
                    .ok_or_else(|| io::Error::other("a row came back without all its columns"))?;
                column.push(cell);
            }
            self.n_rows += 1;
            if self.n_rows >= GROUP_ROWS {
                self.write_group()?;
            }
        }
        match self.n_bytes >= GROUP_BYTES {
            true => self.write_group(),
            false => Ok(()),
        }
    }

    fn write_group(&mut self) -> io::Result<()> {
        if self.n_rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group().map_err(failed)?;
        for column in &mut self.columns {
            let writer = group.next_column().map_err(failed)?;
            let writer = writer.ok_or_else(|| io::Error::other("a column is missing"))?;
            column.write(writer).map_err(failed)?;
        }
        group.close().map_err(failed)?;
        (self.n_rows, self.n_bytes) = (0, 0);
        Ok(())
    }

    /// Writes what is left; the result is what was written to.
    pub(super) fn finish(mut self) -> io::Result<W> {
        self.write_group()?;
        self.writer.into_inner().map_err(failed)
    }
}

impl Gathered {
    fn push(&mut self, cell: Cell) {
        let has_value = match (&mut self.values, cell) {
            (Values::Bool(values), Cell::Bool(value)) => {
                values.push(value);
                true
            }
            (Values::Number(values), Cell::Number(value)) => {
                values.push(value);
                true
            }
            (Values::Text(values), Cell::Text(text)) => {
                values.push(text.into_bytes().into());
                true
            }
            (_, cell) => {
                debug_assert_eq!(cell, Cell::Null, "a column has cells of one type");
                false
            }
        };
        self.levels.push(i16::from(has_value));
    }

    fn write(&mut self, mut writer: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&*self.levels);
        match &mut self.values {
            Values::Bool(values) => {
                writer
                    .typed::<BoolType>()
                    .write_batch(values, levels, None)?;
                values.clear();
            }
            Values::Number(values) => {
                writer
                    .typed::<Int64Type>()
                    .write_batch(values, levels, None)?;
                values.clear();
            }
            Values::Text(values) => {
                writer
                    .typed::<ByteArrayType>()
                    .write_batch(values, levels, None)?;
                values.clear();
            }
        }
        self.levels.clear();
        writer.close()
    }
}

/// The error of the system, if it is one.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

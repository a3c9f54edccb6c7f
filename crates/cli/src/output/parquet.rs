//! Rows as a table in Apache Parquet.
//!
//! Rows are gathered column by column and written as a row group whenever there are many, so that
//! memory does not depend on their number.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{
    SerializedColumnWriter, SerializedFileWriter, SerializedRowGroupWriter,
};
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
enum Gathered {
    Plain(Leaf<Values>),
    /// Texts in a row.
    List(Leaf<Vec<ByteArray>>),
    /// Texts with names.
    Map {
        keys: Leaf<Vec<ByteArray>>,
        values: Leaf<Vec<ByteArray>>,
    },
}

/// What is written as one column of primitive values: the values that there are, and how they are
/// spread over the rows (definition and repetition levels as in the Dremel paper of Melnik et al.).
#[derive(Default)]
struct Leaf<V> {
    values: V,
    /// For each entry how much of its path is there.
    definitions: Vec<i16>,
    /// For each entry 0 where a row begins; empty in columns without lists.
    repetitions: Vec<i16>,
}

enum Values {
    Bool(Vec<bool>),
    Number(Vec<i64>),
    Text(Vec<ByteArray>),
    /// Days since 1970-01-01.
    Date(Vec<i32>),
}

/// The levels of what is within a row: no list, an empty one, an item without and with a value.
mod level {
    pub(super) const NO_LIST: i16 = 0;
    pub(super) const EMPTY: i16 = 1;
    /// Of items that always have a value, this is the level of the value.
    pub(super) const ITEM: i16 = 2;
    pub(super) const VALUE: i16 = 3;
}

/// The schema of a column and a place for its cells.
fn column(name: &str, cell_type: CellType) -> Result<(Type, Gathered), ParquetError> {
    let plain = |physical, logical, values| {
        let field = Type::primitive_type_builder(name, physical)
            .with_logical_type(logical)
            .with_repetition(Repetition::OPTIONAL)
            .build()?;
        let leaf = Leaf {
            values,
            definitions: Vec::new(),
            repetitions: Vec::new(),
        };
        Ok((field, Gathered::Plain(leaf)))
    };
    match cell_type {
        CellType::Bool => plain(PhysicalType::BOOLEAN, None, Values::Bool(Vec::new())),
        CellType::Number => plain(PhysicalType::INT64, None, Values::Number(Vec::new())),
        CellType::Text => {
            let values = Values::Text(Vec::new());
            plain(PhysicalType::BYTE_ARRAY, Some(LogicalType::String), values)
        }
        CellType::Date => {
            let values = Values::Date(Vec::new());
            plain(PhysicalType::INT32, Some(LogicalType::Date), values)
        }
        CellType::List => {
            let item = text("element", Repetition::REQUIRED)?;
            let field = repeated(name, LogicalType::List, "list", vec![item])?;
            Ok((field, Gathered::List(Leaf::default())))
        }
        CellType::Map => {
            let key = text("key", Repetition::REQUIRED)?;
            let value = text("value", Repetition::OPTIONAL)?;
            let field = repeated(name, LogicalType::Map, "key_value", vec![key, value])?;
            let gathered = Gathered::Map {
                keys: Leaf::default(),
                values: Leaf::default(),
            };
            Ok((field, gathered))
        }
    }
}

fn text(name: &str, repetition: Repetition) -> Result<Type, ParquetError> {
    Type::primitive_type_builder(name, PhysicalType::BYTE_ARRAY)
        .with_logical_type(Some(LogicalType::String))
        .with_repetition(repetition)
        .build()
}

/// A column with any number of items in each row, in the layout that the format prescribes.
fn repeated(
    name: &str,
    logical: LogicalType,
    group: &str,
    items: Vec<Type>,
) -> Result<Type, ParquetError> {
    let items = Type::group_type_builder(group)
        .with_repetition(Repetition::REPEATED)
        .with_fields(items.into_iter().map(Arc::new).collect())
        .build()?;
    Type::group_type_builder(name)
        .with_logical_type(Some(logical))
        .with_repetition(Repetition::OPTIONAL)
        .with_fields(vec![Arc::new(items)])
        .build()
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
            let (field, cells) = column(name, cell_type).map_err(failed)?;
            fields.push(Arc::new(field));
            gathered.push(cells);
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
            column.write(&mut group).map_err(failed)?;
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
        match self {
            Gathered::Plain(leaf) => leaf.push(cell),
            Gathered::List(leaf) => {
                let items = match cell {
                    Cell::List(items) => Some(items.into_iter().map(Some).collect()),
                    _ => None,
                };
                leaf.push_items(items, level::ITEM);
            }
            Gathered::Map { keys, values } => {
                let (names, cells) = match cell {
                    Cell::Object(fields) => {
                        let (names, cells): (Vec<String>, Vec<Cell>) = fields.into_iter().unzip();
                        let names = names.into_iter().map(|name| Some(Cell::Text(name)));
                        let cells = cells.into_iter().map(|cell| match cell {
                            Cell::Null => None,
                            cell => Some(cell),
                        });
                        (Some(names.collect()), Some(cells.collect()))
                    }
                    _ => (None, None),
                };
                keys.push_items(names, level::ITEM);
                values.push_items(cells, level::VALUE);
            }
        }
    }

    fn write<W: Write + Send>(
        &mut self,
        group: &mut SerializedRowGroupWriter<'_, W>,
    ) -> Result<(), ParquetError> {
        match self {
            Gathered::Plain(leaf) => leaf.write(next_column(group)?),
            Gathered::List(leaf) => leaf.write(next_column(group)?),
            Gathered::Map { keys, values } => {
                keys.write(next_column(group)?)?;
                values.write(next_column(group)?)
            }
        }
    }
}

fn next_column<'g, W: Write + Send>(
    group: &'g mut SerializedRowGroupWriter<'_, W>,
) -> Result<SerializedColumnWriter<'g>, ParquetError> {
    let missing = || ParquetError::General("a column is missing".to_owned());
    group.next_column()?.ok_or_else(missing)
}

impl Leaf<Values> {
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
            (Values::Date(values), Cell::Date(date)) => {
                values.push(date.to_epoch_days());
                true
            }
            (_, cell) => {
                debug_assert_eq!(cell, Cell::Null, "a column has cells of one type");
                false
            }
        };
        self.definitions.push(i16::from(has_value));
    }

    fn write(&mut self, writer: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let definitions = std::mem::take(&mut self.definitions);
        match &mut self.values {
            Values::Bool(values) => write::<BoolType>(writer, values, &definitions, None),
            Values::Number(values) => write::<Int64Type>(writer, values, &definitions, None),
            Values::Text(values) => write::<ByteArrayType>(writer, values, &definitions, None),
            Values::Date(values) => write::<Int32Type>(writer, values, &definitions, None),
        }
    }
}

impl Leaf<Vec<ByteArray>> {
    /// Adds the items of a row, some without a value; `present` is the level of a value.
    fn push_items(&mut self, items: Option<Vec<Option<Cell>>>, present: i16) {
        let is_null = items.is_none();
        let items = items.unwrap_or_default();
        if items.is_empty() {
            let level = if is_null {
                level::NO_LIST
            } else {
                level::EMPTY
            };
            self.definitions.push(level);
            self.repetitions.push(0);
        }
        for (i, item) in items.into_iter().enumerate() {
            self.definitions.push(match item {
                Some(_) => present,
                None => level::ITEM,
            });
            self.repetitions.push(i16::from(i > 0));
            let text = item.map(|item| item.to_plain().into_bytes().into());
            self.values.extend(text);
        }
    }

    fn write(&mut self, writer: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let definitions = std::mem::take(&mut self.definitions);
        let repetitions = std::mem::take(&mut self.repetitions);
        write::<ByteArrayType>(writer, &mut self.values, &definitions, Some(&repetitions))
    }
}

/// Writes values and levels of a column and forgets the values.
fn write<T: DataType>(
    mut writer: SerializedColumnWriter<'_>,
    values: &mut Vec<T::T>,
    definitions: &[i16],
    repetitions: Option<&[i16]>,
) -> Result<(), ParquetError> {
    let typed = writer.typed::<T>();
    typed.write_batch(values, Some(definitions), repetitions)?;
    values.clear();
    writer.close()
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

//! Tables: output formats and columns for the rows of a program.

use std::collections::HashSet;
use std::io::{self, Write};

use engine::{Program, RowWriter};

use crate::column::{CellType, Column, ColumnSource, QUERY};
use crate::count::{CountLayout, CountOptions, CountWriter, Shape, Tally};
use crate::error::TableError;
use crate::format::{Family, OutputFormat, Per};
use crate::html::{HtmlWriter, ReportOptions};
use crate::layout::{Layout, header};
use crate::objects::{self, GameObjects};
use crate::parquet::ParquetFile;
use crate::positions::PositionLine;
use crate::rows::ColumnWriter;
use crate::writer::{Body, TableWriter};

/// Options of a table.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// Output format.
    pub format: OutputFormat,
    /// Subject of a row, for formats with columns.
    pub per: Per,
    /// Names of the columns; if empty, the default columns of the format.
    pub columns: Vec<String>,
    /// Columns to group by, if counts of games and positions replace the rows. The format is
    /// one that [holds counts](OutputFormat::holds_counts).
    pub counts: Option<Vec<String>>,
    /// Form of the counts.
    pub count_options: CountOptions,
    /// Form of a report.
    pub report: ReportOptions,
    /// Query as shown in a report: texts with their names. A name with a dash is that of an option.
    pub query: Vec<(String, Vec<u8>)>,
}

/// Conversion of matching games to columns, positions, pages or counts, or no conversion (PGN).
/// Several threads may use it at once.
#[derive(Debug, Clone, Default)]
pub struct Table(FormatWriter);

#[derive(Debug, Clone, Default)]
enum FormatWriter {
    #[default]
    Pgn,
    Columns(ColumnWriter),
    Objects,
    Positions(PositionLine),
    Html(HtmlWriter),
    Counts(CountWriter, CountLayout),
}

impl Table {
    /// Creates the table of a program.
    ///
    /// # Errors
    /// A column does not exist, or not in rows of this kind.
    pub fn new(program: &Program, options: &TableOptions) -> Result<Table, TableError> {
        if let Some(keys) = &options.counts {
            return Table::of_counts(keys, options, program);
        }
        let layout = match options.format.family() {
            Family::Games => return Ok(Table(FormatWriter::Pgn)),
            Family::GameObjects => return Ok(Table(FormatWriter::Objects)),
            Family::Positions(line) => return Ok(Table(FormatWriter::Positions(line))),
            Family::Report => {
                let columns = options.columns.iter().map(|name| name.trim());
                let columns = columns_of(columns, Per::Position, program)?;
                let page = HtmlWriter::new(program, &options.query, columns, &options.report);
                return Ok(Table(FormatWriter::Html(page)));
            }
            Family::Counts => return Table::of_counts(&[], options, program),
            Family::Rows(layout) => layout,
        };
        let per = options.per;
        let columns = if !options.columns.is_empty() {
            columns_of(options.columns.iter().map(|name| name.trim()), per, program)?
        } else if layout == Layout::Json {
            Column::of_object(per, program)
        } else {
            Column::of_table(per, program)
        };
        Ok(Table(FormatWriter::Columns(ColumnWriter { columns, per, layout })))
    }

    fn of_counts(
        keys: &[String],
        options: &TableOptions,
        program: &Program,
    ) -> Result<Table, TableError> {
        let layout = options.format.counts().unwrap_or(CountLayout::Text);
        let count_options = &options.count_options;
        let shape = Shape::new(count_options, keys, layout)?;
        let names = keys.iter().chain(&count_options.by);
        let keys = columns_of(names.map(String::as_str), Per::Position, program)?;
        Ok(Table(FormatWriter::Counts(CountWriter { keys, shape }, layout)))
    }

    /// Creates the table of one of several queries that share a table. It has a column with the
    /// name of the query, the first one unless the options place it. All queries have the same
    /// columns.
    ///
    /// # Errors
    /// Those of [`Table::new`], and if the format has no columns.
    pub fn of_query(
        program: &Program,
        name: &str,
        options: &TableOptions,
    ) -> Result<Table, TableError> {
        let mut options = options.clone();
        let mut names = options.columns.iter();
        let place = names.position(|column| column.trim() == QUERY);
        if let Some(place) = place {
            options.columns.remove(place);
        }
        let FormatWriter::Columns(mut writer) = Table::new(program, &options)?.0 else {
            return Err(TableError::NoColumns);
        };
        if place.is_some() && options.columns.is_empty() {
            writer.columns.clear();
        } else if options.columns.is_empty() && writer.layout != Layout::Json {
            // other queries may have other sort keys, or none
            let columns = &mut writer.columns;
            columns.retain(|column| !matches!(column.source, ColumnSource::Sort(_)));
        }
        let place = place.unwrap_or(0);
        writer.columns.insert(place, Column::of_query(name));
        Ok(Table(FormatWriter::Columns(writer)))
    }

    /// Creates a table for games that are only counted; it stores as little as possible.
    pub fn nothing() -> Table {
        Table(FormatWriter::Counts(CountWriter::default(), CountLayout::Text))
    }

    /// Checks whether the rows of these tables fit into one typed table: each column has one type.
    ///
    /// # Errors
    /// [`TableError::MixedTypes`] if they do not.
    pub fn check_types<'t>(tables: impl IntoIterator<Item = &'t Table>) -> Result<(), TableError> {
        let mut first: Option<Vec<CellType>> = None;
        for table in tables {
            let FormatWriter::Columns(writer) = &table.0 else {
                continue;
            };
            if writer.layout != Layout::Stored {
                return Ok(());
            }
            let columns = writer.columns.iter();
            let types: Vec<CellType> = columns.map(|column| column.cell_type).collect();
            let first = first.get_or_insert_with(|| types.clone());
            let differs = first.iter().zip(&types).position(|(a, b)| a != b);
            if let Some(column) = differs.and_then(|place| writer.columns.get(place)) {
                return Err(TableError::MixedTypes(column.name.clone()));
            }
        }
        Ok(())
    }

    /// Returns the columns of the rows, or those that counts are grouped by.
    pub fn columns(&self) -> &[Column] {
        match &self.0 {
            FormatWriter::Columns(writer) => &writer.columns,
            FormatWriter::Counts(writer, _) => &writer.keys,
            FormatWriter::Pgn
            | FormatWriter::Objects
            | FormatWriter::Positions(_)
            | FormatWriter::Html(_) => &[],
        }
    }

    /// Returns the writer that turns rows into bytes, for a thread that evaluates games; `None` if
    /// the games themselves are written.
    pub fn row_writer(&self) -> Option<Box<dyn RowWriter>> {
        Some(match &self.0 {
            FormatWriter::Pgn => return None,
            FormatWriter::Columns(writer) => Box::new(writer.clone()),
            FormatWriter::Objects => Box::new(GameObjects),
            FormatWriter::Positions(line) => Box::new(*line),
            FormatWriter::Html(writer) => Box::new(writer.clone()),
            FormatWriter::Counts(writer, _) => Box::new(writer.clone()),
        })
    }

    /// Starts writing the table.
    ///
    /// # Errors
    /// Those of the output.
    pub fn begin<W: Write>(&self, mut to: W) -> io::Result<TableWriter<W>> {
        let body = match &self.0 {
            FormatWriter::Counts(writer, layout) => {
                Body::Counts(Box::new(Tally::new(writer)), *layout, to)
            }
            FormatWriter::Columns(writer) if writer.layout == Layout::Stored => {
                let columns = writer.columns.iter();
                let columns = columns.map(|column| (column.name.as_str(), column.cell_type));
                Body::Parquet(Box::new(ParquetFile::new(to, columns)?))
            }
            FormatWriter::Columns(writer) => {
                if let Layout::Table(separator) = writer.layout {
                    let names = writer.columns.iter().map(|column| column.name.as_str());
                    to.write_all(header(names, separator).as_bytes())?;
                }
                Body::Copy(to)
            }
            FormatWriter::Html(page) => {
                to.write_all(page.head().as_bytes())?;
                Body::Page(Box::new(page.clone()), to)
            }
            FormatWriter::Pgn | FormatWriter::Objects | FormatWriter::Positions(_) => {
                Body::Copy(to)
            }
        };
        Ok(TableWriter::new(body, self.row_writer()))
    }

    /// Returns the start of the output as far as the columns determine it: the first line of a
    /// table, or the first field of an object. It serves to recognize an earlier result.
    pub fn first_line(&self) -> Option<String> {
        let (layout, counts) = match &self.0 {
            FormatWriter::Columns(writer) => (writer.layout, Vec::new()),
            FormatWriter::Counts(writer, CountLayout::Rows(layout)) => {
                (*layout, writer.shape.figures()?)
            }
            FormatWriter::Objects => return Some(objects::FIRST.to_owned()),
            _ => return None,
        };
        let mut names = self.columns().iter().map(|column| column.name.as_str());
        match layout {
            Layout::Json => names.next().map(|name| format!("{{\"{name}\":")),
            Layout::Table(separator) => Some(header(names.chain(counts), separator)),
            Layout::Stored => None,
        }
    }
}

/// Returns the columns of these names.
fn columns_of<'n>(
    names: impl Iterator<Item = &'n str>,
    per: Per,
    program: &Program,
) -> Result<Vec<Column>, TableError> {
    let columns = names.map(|name| Column::named(name, per, program));
    let columns = columns.collect::<Result<Vec<Column>, TableError>>()?;
    let mut named = HashSet::new();
    match columns.iter().find(|column| !named.insert(&column.name)) {
        Some(twice) => Err(TableError::Twice(twice.name.clone())),
        None => Ok(columns),
    }
}

//! Rows as text: JSON Lines, tables parted by commas or tabs, EPD and FEN.
//!
//! These writers run in the threads that evaluate games; what they append is copied to the output
//! as it is.

use std::fmt::Write as _;

use engine::{GameRow, PositionRow, Program, RowWriter};
use pgn::decode;

use super::arguments::{Format, OutputArgs};
use super::cell::Cell;
use super::column::{CellType, Column, ColumnSource, Per, QUERY};
use super::count::CountWriter;
use super::html::HtmlWriter;
use super::layout::{Layout, header, write_row};
use crate::report::SourceText;

/// Writes rows that consist of columns.
#[derive(Debug, Clone)]
pub(crate) struct ColumnWriter {
    pub(crate) columns: Vec<Column>,
    pub(crate) per: Per,
    pub(crate) layout: Layout,
}

impl ColumnWriter {
    fn row(&self, game: &GameRow, position: Option<&PositionRow>, out: &mut Vec<u8>) {
        let cells: Vec<Cell> = self
            .columns
            .iter()
            .map(|column| column.cell(game, position))
            .collect();
        let names = self.columns.iter().map(|column| column.name.as_str());
        write_row(names, &cells, self.layout, out);
    }
}

impl RowWriter for ColumnWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        match self.per {
            Per::Game => self.row(row, None, out),
            Per::Position => row
                .positions
                .iter()
                .for_each(|position| self.row(row, Some(position), out)),
        }
    }

    fn wants_positions(&self) -> bool {
        self.per == Per::Position
    }
}

/// Writes the FEN of each position.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FenWriter;

impl RowWriter for FenWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        for position in &row.positions {
            out.extend_from_slice(position.fen.as_bytes());
            out.push(b'\n');
        }
    }
}

/// Writes each position with the game it stands in as Extended Position Description.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EpdWriter;

/// The standard has names for so many comments.
const EPD_COMMENTS: usize = 9;

impl RowWriter for EpdWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        for position in &row.positions {
            out.extend_from_slice(epd(row, position).as_bytes());
        }
    }
}

fn epd(game: &GameRow, position: &PositionRow) -> String {
    let mut fields = position.fen.split(' ');
    let board: Vec<&str> = fields.by_ref().take(4).collect();
    let mut line = board.join(" ");
    for (name, value) in ["hmvc", "fmvn"].iter().zip(fields) {
        let _ = write!(line, " {name} {value};");
    }
    let id = format!("{} game {} ply {}", game.input, game.number, position.ply);
    operation("id", id.trim_start(), &mut line);
    if let Some(next) = &position.next_move {
        let _ = write!(line, " sm {};", next.san);
    }
    let tag = |name: &str| game.tag(name.as_bytes()).map_or("?".into(), decode);
    let game_line = format!(
        "{} - {}, {} {}",
        tag("White"),
        tag("Black"),
        tag("Event"),
        tag("Date")
    );
    operation("c0", &game_line, &mut line);
    for (i, comment) in position.comments.iter().take(EPD_COMMENTS).enumerate() {
        operation(&format!("c{}", i + 1), &decode(comment), &mut line);
    }
    line.push('\n');
    line
}

/// An operation with a string, which cannot hold quotes or line ends.
fn operation(name: &str, text: &str, line: &mut String) {
    let text: String = text
        .chars()
        .map(|c| match c {
            '"' => '\'',
            c if c.is_control() => ' ',
            c => c,
        })
        .collect();
    let _ = write!(line, " {name} \"{text}\";");
}

/// The outputs that are made of rows.
#[derive(Debug, Clone)]
pub(crate) enum RowFormat {
    Columns(ColumnWriter),
    Epd,
    Fen,
    Html(HtmlWriter),
    Count(CountWriter),
}

impl RowFormat {
    /// What an output begins with, as far as its columns tell: the first line of a table, the
    /// first field of an object.
    pub(crate) fn first_line(&self, arguments: &OutputArgs) -> Option<String> {
        let (columns, layout) = match self {
            RowFormat::Columns(rows) => (&rows.columns, rows.layout),
            RowFormat::Count(counts) => match arguments.format() {
                Format::Jsonl => (&counts.keys, Layout::Json),
                Format::Csv => (&counts.keys, Layout::Table(',')),
                Format::Tsv => (&counts.keys, Layout::Table('\t')),
                _ => return None,
            },
            RowFormat::Epd | RowFormat::Fen | RowFormat::Html(_) => return None,
        };
        let mut names = columns.iter().map(|column| column.name.as_str());
        match (layout, self) {
            (Layout::Json, _) => names.next().map(|name| format!("{{\"{name}\":")),
            (Layout::Table(separator), RowFormat::Count(_)) => {
                Some(header(names.chain(["games", "positions"]), separator))
            }
            (Layout::Table(separator), _) => Some(header(names, separator)),
            (Layout::Stored, _) => None,
        }
    }

    /// What the command line asks for; nothing for PGN. `query` is what a report shows as such.
    pub(crate) fn new(
        arguments: &OutputArgs,
        program: &Program,
        query: &[SourceText],
    ) -> Result<Option<RowFormat>, String> {
        let per = arguments.per();
        if arguments.counts() {
            let keys = arguments.count_by.iter();
            let keys: Result<Vec<Column>, String> = keys
                .map(|name| Column::named(name, Per::Position, program))
                .collect();
            return Ok(Some(RowFormat::Count(CountWriter { keys: keys? })));
        }
        let format = arguments.format();
        let layout = match format {
            Format::Pgn | Format::Count => return Ok(None),
            Format::Epd => return Ok(Some(RowFormat::Epd)),
            Format::Fen => return Ok(Some(RowFormat::Fen)),
            Format::Html => return Ok(Some(RowFormat::Html(HtmlWriter::new(program, query)))),
            Format::Jsonl => Layout::Json,
            Format::Csv => Layout::Table(','),
            Format::Tsv => Layout::Table('\t'),
            Format::Parquet => Layout::Stored,
        };
        let columns = if arguments.columns.is_empty() {
            match layout {
                Layout::Json => Column::of_object(per, program),
                _ => Column::of_table(per, program),
            }
        } else {
            let names = arguments.columns.iter();
            let columns = names.map(|name| Column::named(name.trim(), per, program));
            columns.collect::<Result<Vec<Column>, String>>()?
        };
        Ok(Some(RowFormat::Columns(ColumnWriter {
            columns,
            per,
            layout,
        })))
    }

    /// The same for one of several queries whose rows stand in one table: with a column for the
    /// name of the query, the first one unless the command line places it. All queries have the
    /// same columns.
    pub(crate) fn of_query(
        arguments: &OutputArgs,
        program: &Program,
        name: &str,
    ) -> Result<RowFormat, String> {
        let mut arguments = arguments.clone();
        let mut names = arguments.columns.iter();
        let place = names.position(|column| column.trim() == QUERY);
        if let Some(place) = place {
            arguments.columns.remove(place);
        }
        let format = RowFormat::new(&arguments, program, &[])?;
        let Some(RowFormat::Columns(mut writer)) = format else {
            return Err("the results of several queries in one file are a table".to_owned());
        };
        if place.is_some() && arguments.columns.is_empty() {
            writer.columns.clear();
        } else if arguments.columns.is_empty() && writer.layout != Layout::Json {
            // other queries sort by something else, or not at all
            let columns = &mut writer.columns;
            columns.retain(|column| !matches!(column.source, ColumnSource::Sort(_)));
        }
        let place = place.unwrap_or(0);
        writer.columns.insert(place, Column::of_query(name));
        Ok(RowFormat::Columns(writer))
    }

    /// Rows of nothing, for searches whose games are only counted.
    pub(crate) fn nothing() -> RowFormat {
        RowFormat::Count(CountWriter { keys: Vec::new() })
    }

    /// A writer for a thread.
    pub(crate) fn writer(&self) -> Box<dyn RowWriter> {
        match self {
            RowFormat::Columns(writer) => Box::new(writer.clone()),
            RowFormat::Epd => Box::new(EpdWriter),
            RowFormat::Fen => Box::new(FenWriter),
            RowFormat::Html(writer) => Box::new(writer.clone()),
            RowFormat::Count(writer) => Box::new(writer.clone()),
        }
    }
}

/// Whether the rows of several programs fit into one table with types: each column has one.
pub(crate) fn check_types<'a>(
    formats: impl Iterator<Item = (Option<&'a RowFormat>, &'a Program)>,
) -> Result<(), String> {
    let mut first: Option<Vec<CellType>> = None;
    for (format, program) in formats {
        let Some(RowFormat::Columns(writer)) = format else {
            continue;
        };
        if writer.layout != Layout::Stored {
            return Ok(());
        }
        let columns = writer.columns.iter();
        let types: Vec<CellType> = columns.map(|column| column.cell_type(program)).collect();
        let first = first.get_or_insert_with(|| types.clone());
        let differs = first.iter().zip(&types).position(|(a, b)| a != b);
        if let Some(column) = differs.and_then(|place| writer.columns.get(place)) {
            return Err(format!(
                "the column '{}' is of one type in one query and of another in another, which \
                 parquet has no place for; choose other columns, or csv",
                column.name
            ));
        }
    }
    Ok(())
}

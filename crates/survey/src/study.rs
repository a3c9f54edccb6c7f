//! Studies: texts in Markdown whose queries are run, with tables, boards and counts filled in.
//!
//! A block ```` ```cql ```` holds a query. Words after `cql` say what is shown of its result. The
//! caller compiles and runs the queries, and [`Study`] writes the text with the results as Markdown,
//! as a page, or as source for Typst. Markdown that was written before can be filled in again: the
//! old results are left out.

mod html;
mod typst;

use std::fmt::Write as _;
use std::ops::Range;

use crate::tags::known_tag;
use board::Color;
use engine::{GameRow, Program};
use pgn::isolated;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};
use table::{MAKER, OutputFormat, Table, TableOptions, counted, diagram};

/// First line of a result in Markdown.
const BEGIN: &str = "<!-- cql: result -->";

/// Last line of a result.
const END: &str = "<!-- cql: end -->";

/// Start and end of the mark with the version of the program that filled a study in.
const MADE_BY: &str = "<!-- made by Babson cql ";
const MADE_END: &str = " -->";

/// Columns of a table for which none are chosen.
const COLUMNS: &str = "White,Black,Date,Result";

/// Number of rows of a table, if no other is given.
const ROWS: usize = 20;

/// Header that a query without one gets. It takes the place of the end of the line before the query.
const HEADER: &[u8] = b"cql()";

/// Text in Markdown with queries.
#[derive(Debug)]
pub struct Study<'m> {
    text: &'m str,
    /// Title in the front matter.
    pub title: Option<String>,
    /// Games in the front matter, for blocks that name no others.
    pub games: Vec<String>,
    /// Blocks with queries.
    pub blocks: Vec<Block>,
    /// Errors of other blocks: an option is unknown or malformed, or there is no query.
    pub errors: Vec<StudyError>,
    /// Ranges of old results.
    old: Vec<Range<usize>>,
}

/// Query in a study, and what is shown of its result.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// Range of the block in the text, with its fences.
    range: Range<usize>,
    /// Ranges of the lines of the query.
    lines: Vec<Range<usize>>,
    /// Games that the block names.
    pub games: Vec<String>,
    /// Number of boards.
    boards: usize,
    /// Columns of the table; empty for no table.
    columns: Vec<String>,
    /// Number of rows of the table.
    rows: usize,
    /// Whether the query is not shown.
    is_hidden: bool,
}

/// Error of a study, with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudyError {
    /// Offset of the place in bytes.
    pub offset: usize,
    /// Description of the error.
    pub message: String,
}

/// Result of a query.
#[derive(Debug, Clone, Default)]
pub struct Findings {
    /// Number of games that were searched.
    pub searched: u64,
    /// Number of matching games.
    pub matching: u64,
    /// Number of matching positions.
    pub positions: u64,
    /// Names of the columns of the table.
    head: Vec<String>,
    rows: Vec<Vec<String>>,
    boards: Vec<Shown>,
    /// Names of the games, their checksum and the date, as shown.
    pub source: String,
}

/// Board with a caption.
#[derive(Debug, Clone)]
struct Shown {
    position: board::Position,
    caption: String,
}

impl<'m> Study<'m> {
    /// Finds the queries of a text.
    #[must_use]
    pub fn parse(text: &'m str) -> Study<'m> {
        let mut study = Study {
            text,
            title: None,
            games: Vec::new(),
            blocks: Vec::new(),
            errors: Vec::new(),
            old: old_results(text),
        };
        let (mut open, mut is_front_matter): (Option<Block>, bool) = (None, false);
        let events = Parser::new_ext(text, options()).into_offset_iter();
        for (event, range) in events {
            match event {
                Event::Start(Tag::MetadataBlock(_)) => is_front_matter = true,
                Event::End(TagEnd::MetadataBlock(_)) => is_front_matter = false,
                Event::Text(text) if is_front_matter => study.read_front_matter(&text),
                Event::Start(Tag::CodeBlock(CodeBlockKind::Fenced(info))) => {
                    let is_query = info.split([' ', ',']).next() == Some("cql");
                    if is_query && !study.is_old(range.start) {
                        match Block::new(text, &info, range) {
                            Ok(block) => open = Some(block),
                            Err(error) => study.errors.push(error),
                        }
                    }
                }
                Event::Text(_) => {
                    if let Some(block) = &mut open {
                        block.lines.push(range);
                    }
                }
                Event::End(TagEnd::CodeBlock) => {
                    let Some(block) = open.take() else {
                        continue;
                    };
                    if block.lines.iter().all(|line| text[line.clone()].trim().is_empty()) {
                        let message = "the block has no query".to_owned();
                        study.errors.push(StudyError { offset: block.range.start, message });
                    } else {
                        study.blocks.push(block);
                    }
                }
                _ => {}
            }
        }
        study
    }

    fn read_front_matter(&mut self, text: &str) {
        for line in text.lines() {
            let Some((name, value)) = line.split_once(':') else {
                continue;
            };
            let value = value.trim().trim_matches(['"', '\'']);
            match name.trim() {
                "title" => self.title = Some(value.to_owned()),
                "games" => self.games = names(value),
                _ => {}
            }
        }
    }

    /// Returns a query as a text in which each byte has its place in the study, so that errors point
    /// into the study. Everything else is blank.
    #[must_use]
    pub fn query(&self, block: &Block) -> Vec<u8> {
        let blank = |byte: u8| if byte == b'\n' { b'\n' } else { b' ' };
        let end = block.lines.last().map_or(0, |line| line.end);
        let mut query: Vec<u8> = self.text.bytes().take(end).map(blank).collect();
        for line in &block.lines {
            query[line.clone()].copy_from_slice(&self.text.as_bytes()[line.clone()]);
        }
        let text: String = block.lines.iter().map(|line| &self.text[line.clone()]).collect();
        let has_header = text.contains("cql(") || text.contains("cql (") || text.contains("(match");
        let first = block.lines.first().map_or(0, |line| line.start);
        let end_of_fence = query[..first].iter().rposition(|&byte| byte == b'\n').unwrap_or(0);
        if !has_header && let Some(start) = end_of_fence.checked_sub(HEADER.len()) {
            query[start..end_of_fence].copy_from_slice(HEADER);
        }
        query
    }

    fn is_old(&self, offset: usize) -> bool {
        self.old.iter().any(|range| range.contains(&offset))
    }

    /// Returns the study with results in Markdown, one for each block.
    #[must_use]
    pub fn markdown(&self, results: &[Findings]) -> String {
        let mut out = String::new();
        let mut at = 0;
        let olds = self.old.iter().map(|range| (range.clone(), None));
        let found = self.blocks.iter().zip(results);
        let news = found.map(|(block, result)| (block.range.clone(), Some(result)));
        let mut places: Vec<_> = olds.chain(news).collect();
        places.sort_by_key(|place| place.0.start);
        for (range, result) in places {
            out += &self.text[at..range.start];
            at = range.end;
            let Some(findings) = result else {
                // The line with the end, and the one before the start, belong to the result.
                out.truncate(out.trim_end_matches('\n').len());
                out.push('\n');
                continue;
            };
            // A block that is not shown elsewhere is needed to fill in the text again.
            out += self.text[range].trim_end_matches('\n');
            out.push('\n');
            at +=
                usize::from(self.text[at..].starts_with('\n') && !self.text[..at].ends_with('\n'));
            let _ = write!(out, "\n{BEGIN}\n\n{}\n{END}\n", findings.markdown());
        }
        out += &self.text[at..];
        let made = format!("<!-- made by {MAKER}{MADE_END}");
        // The mark of an earlier version is replaced.
        let old = out.rfind(MADE_BY).and_then(|start| {
            let length = out[start..].find(MADE_END)? + MADE_END.len();
            Some(start..start + length)
        });
        match old {
            Some(old) => out.replace_range(old, &made),
            None => {
                let _ = write!(out, "{}\n{made}\n", if out.ends_with('\n') { "" } else { "\n" });
            }
        }
        out
    }

    /// Passes the text to `see`, without old results, and each result after its block.
    fn each<'r>(&self, results: &'r [Findings], see: &mut dyn FnMut(StudyPart<'m, 'r>)) {
        let events = Parser::new_ext(self.text, options()).into_offset_iter();
        let (mut next, mut is_hidden) = (0, false);
        for (event, range) in events {
            if self.is_old(range.start) {
                continue;
            }
            let block = self.blocks.get(next).filter(|block| block.range == range);
            is_hidden |= block.is_some_and(|block| block.is_hidden);
            let is_end = matches!(event, Event::End(TagEnd::CodeBlock)) && block.is_some();
            if !is_hidden {
                see(StudyPart::Text(event));
            }
            if is_end {
                if let Some(result) = results.get(next) {
                    see(StudyPart::Result(result));
                }
                next += 1;
                is_hidden = false;
            }
        }
    }
}

/// Part of a study with results.
enum StudyPart<'m, 'r> {
    Text(Event<'m>),
    Result(&'r Findings),
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_YAML_STYLE_METADATA_BLOCKS
}

/// Returns names that are separated by commas.
fn names(text: &str) -> Vec<String> {
    let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
    names.map(str::to_owned).collect()
}

/// Returns the ranges of old results, each with the line breaks around it.
fn old_results(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(BEGIN).map(|start| at + start) {
        let Some(end) = text[start..].find(END).map(|end| start + end + END.len()) else {
            break;
        };
        let is_line = start == 0 || text[..start].ends_with('\n');
        if is_line {
            found.push(start..end + usize::from(text[end..].starts_with('\n')));
        }
        at = end;
    }
    found
}

impl Block {
    /// Reads the words after a fence.
    fn new(text: &str, info: &str, range: Range<usize>) -> Result<Block, StudyError> {
        let mut block = Block { rows: ROWS, range: range.clone(), ..Block::default() };
        for word in info.split_whitespace().skip(1) {
            let error = |message: String| {
                let line = text[range.clone()].lines().next().unwrap_or_default();
                let offset = range.start + line.find(word).unwrap_or(0);
                StudyError { offset, message }
            };
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let number = || {
                let number = value.parse::<u16>().ok().filter(|&n| n > 0);
                number.map(usize::from).ok_or_else(|| {
                    error(format!("'{name}' needs a number from 1 to 65535, as in {name}=3"))
                })
            };
            match name {
                "boards" => block.boards = number()?,
                "rows" => block.rows = number()?,
                "table" if value.is_empty() => block.columns = names(COLUMNS),
                "table" => block.columns = names(value),
                "games" if !value.is_empty() => block.games = names(value),
                "count" => {}
                "hide" => block.is_hidden = true,
                _ => {
                    return Err(error(format!(
                        "unknown option '{word}': expected games=FILE, boards=N, \
                         table=COLUMN,COLUMN, rows=N, count or hide"
                    )));
                }
            }
        }
        Ok(block)
    }

    /// Number of games whose rows are needed.
    #[must_use]
    pub fn wanted(&self) -> usize {
        self.boards.max(if self.columns.is_empty() { 0 } else { self.rows })
    }

    /// Offset of the query in the text.
    #[must_use]
    pub fn offset(&self) -> usize {
        self.range.start
    }

    /// Returns what is shown of the first matching games.
    ///
    /// # Errors
    /// A column does not exist.
    pub fn findings(&self, program: &Program, rows: &[GameRow]) -> Result<Findings, StudyError> {
        let mut findings = Findings::default();
        if !self.columns.is_empty() {
            let options = TableOptions {
                format: OutputFormat::Csv,
                columns: self.columns.clone(),
                ..TableOptions::default()
            };
            let table = Table::new(program, &options).map_err(|error| StudyError {
                offset: self.offset(),
                message: error.to_string(),
            })?;
            let columns = table.columns();
            findings.head = columns.iter().map(|column| column.name.clone()).collect();
            let cells = |row: &GameRow| {
                let cells = columns.iter().map(|column| column.cell(row, row.positions.first()));
                cells.map(|cell| cell.to_plain()).collect()
            };
            findings.rows = rows.iter().take(self.rows).map(cells).collect();
        }
        findings.boards = rows.iter().take(self.boards).filter_map(Shown::of).collect();
        Ok(findings)
    }
}

impl Shown {
    /// Returns the first matching position of a game.
    fn of(row: &GameRow) -> Option<Shown> {
        let first = row.positions.first()?;
        let position = board::parse_fen(first.fen.as_bytes()).ok()?;
        let tag = |name: &str| known_tag(row, name);
        let mut caption = format!(
            "{} – {}",
            isolated(&tag("White").unwrap_or_else(|| "?".to_owned())),
            isolated(&tag("Black").unwrap_or_else(|| "?".to_owned()))
        );
        if let Some(year) = tag("Date").and_then(|date| date.get(..4).map(str::to_owned)) {
            let _ = write!(caption, ", {year}");
        }
        if let Some(last) = &first.last_move {
            let (number, dots) = match first.side {
                Color::Black => (first.move_number, "."),
                Color::White => (first.move_number.saturating_sub(1), "..."),
            };
            let _ = write!(caption, ", after {number}{dots}{}", last.san);
        }
        Some(Shown { position, caption })
    }
}

impl Findings {
    /// Returns the counts as a sentence.
    fn counts(&self) -> String {
        format!(
            "{} of {}: {}",
            self.matching,
            counted(self.searched, "game"),
            counted(self.positions, "matching position")
        )
    }

    fn markdown(&self) -> String {
        let mut out = format!("**{}**\n", self.counts());
        if !self.head.is_empty() && !self.rows.is_empty() {
            let line = |cells: &[String]| {
                let cells: Vec<String> = cells.iter().map(|cell| cell_text(cell)).collect();
                format!("| {} |\n", cells.join(" | "))
            };
            let rule = vec!["---"; self.head.len()].join(" | ");
            let _ = write!(out, "\n{}| {rule} |\n", line(&self.head));
            self.rows.iter().for_each(|row| out += &line(row));
        }
        for Shown { position, caption } in &self.boards {
            let picture = diagram(&position.board, &[], false);
            let _ = write!(out, "\n{picture}\n*{}*\n", cell_text(caption));
        }
        let _ = write!(out, "\n{}\n", cell_text(&self.source));
        out
    }
}

/// Returns a text for a cell of a table in Markdown.
fn cell_text(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '|' | '\\' | '*' | '_' | '`' | '<' | '[' | ']' | '#' | '~' => out.extend(['\\', c]),
            c if c.is_control() => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests;

//! Output formats.

use std::path::Path;

/// Output format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// Matching games, with the comments of the query.
    #[default]
    Pgn,
    /// JSON Lines: one object per line.
    Jsonl,
    /// Table separated by commas.
    Csv,
    /// Table separated by tabs.
    Tsv,
    /// Positions with their games, one per line.
    Epd,
    /// Positions, one per line.
    Fen,
    /// HTML report with boards to step through.
    Html,
    /// Table in Apache Parquet.
    Parquet,
    /// Number of matching games and positions.
    Count,
}

impl Format {
    /// Returns the format of files with this name.
    pub fn of_name(file: &Path) -> Option<Format> {
        let extension = file.extension()?.to_str()?;
        // no mixed case, since PGN files never had such names
        let is_upper = extension == extension.to_ascii_uppercase();
        let extension = match is_upper {
            true => extension.to_ascii_lowercase(),
            false => extension.to_owned(),
        };
        Some(match extension.as_str() {
            "pgn" => Format::Pgn,
            "jsonl" | "ndjson" => Format::Jsonl,
            "csv" => Format::Csv,
            "tsv" => Format::Tsv,
            "epd" => Format::Epd,
            "fen" => Format::Fen,
            "html" | "htm" => Format::Html,
            "parquet" => Format::Parquet,
            _ => return None,
        })
    }

    /// Returns the extension of files of this format.
    pub fn extension(self) -> &'static str {
        match self {
            Format::Pgn => "pgn",
            Format::Jsonl => "jsonl",
            Format::Csv => "csv",
            Format::Tsv => "tsv",
            Format::Epd => "epd",
            Format::Fen => "fen",
            Format::Html => "html",
            Format::Parquet => "parquet",
            Format::Count => "txt",
        }
    }
}

/// Subject of a row: a game or a position of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Per {
    /// One row per matching position.
    #[default]
    Position,
    /// One row per game.
    Game,
}

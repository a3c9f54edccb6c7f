//! What there is to write.

use std::path::Path;

/// What is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Format {
    /// The games that match, with the comments of the query.
    #[default]
    Pgn,
    /// JSON Lines: an object in each line.
    Jsonl,
    /// A table with commas.
    Csv,
    /// A table with tabs.
    Tsv,
    /// Positions with their games, a line each.
    Epd,
    /// Positions, a line each.
    Fen,
    /// A report for the browser, with boards to step through.
    Html,
    /// A table in Apache Parquet.
    Parquet,
    /// How many games and positions match.
    Count,
}

impl Format {
    /// The format of files with this name.
    pub fn of_name(file: &Path) -> Option<Format> {
        let extension = file.extension()?.to_str()?;
        // no mixture, for such a name was never that of a PGN file
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

    /// The extension of files of this format.
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

/// Whether a row is a game or a position of one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Per {
    /// A row for each matching position.
    #[default]
    Position,
    /// A row for each game.
    Game,
}

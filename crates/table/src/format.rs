//! Output formats.

use std::path::Path;

use crate::count::CountLayout;
use crate::layout::Layout;
use crate::positions::PositionLine;

/// Defines [`OutputFormat`] with a row for each format.
macro_rules! formats {
    ($(
        $(#[$attribute:meta])*
        $format:ident $name:literal [$($extension:literal),+] $family:expr, $help:literal;
    )*) => {
        /// Output format.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
        pub enum OutputFormat {
            $(#[doc = $help] $(#[$attribute])* $format,)*
        }

        impl OutputFormat {
            /// All formats, in the order in which messages list them.
            pub const ALL: &'static [OutputFormat] = &[$(OutputFormat::$format,)*];

            const fn row(self) -> &'static Row {
                match self {
                    $(OutputFormat::$format => {
                        const ROW: Row = Row {
                            name: $name,
                            extensions: &[$($extension),+],
                            family: $family,
                            help: $help,
                        };
                        &ROW
                    })*
                }
            }
        }
    };
}

/// Properties of a format.
struct Row {
    /// Value of `--format`.
    name: &'static str,
    /// Extensions of files; the first one is that of new files.
    extensions: &'static [&'static str],
    family: Family,
    /// Description in the help, without a full stop.
    help: &'static str,
}

formats! {
    #[default]
    Pgn "pgn" ["pgn"] Family::Games, "Matching games, with the comments of the query";
    Jsonl "jsonl" ["jsonl", "ndjson"] Family::Rows(Layout::Json), "JSON Lines: an object per line";
    JsonGames "json-games" ["games.jsonl", "games.ndjson"] Family::GameObjects,
        "Matching games as JSON, one object per line";
    Csv "csv" ["csv"] Family::Rows(Layout::Table(',')), "A table with commas as separators";
    Tsv "tsv" ["tsv"] Family::Rows(Layout::Table('\t')), "A table with tabs as separators";
    Epd "epd" ["epd"] Family::Positions(PositionLine::Epd),
        "Positions with their games, one per line";
    Fen "fen" ["fen"] Family::Positions(PositionLine::Fen), "Positions, one per line";
    Html "html" ["html", "htm"] Family::Report,
        "A report for the browser, with boards to step through";
    Parquet "parquet" ["parquet"] Family::Rows(Layout::Stored), "A table in Apache Parquet";
    Count "count" ["txt"] Family::Counts, "Number of matching games and positions";
}

/// Contents of a format, which determine the options that apply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// The games themselves.
    Games,
    /// The games themselves, as JSON.
    GameObjects,
    /// Rows of columns.
    Rows(Layout),
    /// Positions, one per line.
    Positions(PositionLine),
    /// A page with all games.
    Report,
    /// Numbers of games and positions.
    Counts,
}

impl OutputFormat {
    /// Returns the format of files with this name.
    pub fn of_name(file: &Path) -> Option<OutputFormat> {
        let extension = file.extension()?.to_str()?;
        // The extension of some formats consists of two.
        let first = file.file_stem().and_then(|stem| Path::new(stem).extension()?.to_str());
        let both =
            first.and_then(|first| OutputFormat::of_extension(&format!("{first}.{extension}")));
        both.or_else(|| OutputFormat::of_extension(extension))
    }

    /// Returns the format of files with this extension. Counts have none that is theirs alone.
    pub fn of_extension(extension: &str) -> Option<OutputFormat> {
        // no mixed case, since PGN files never had such names
        let is_upper = extension == extension.to_ascii_uppercase();
        let extension =
            if is_upper { extension.to_ascii_lowercase() } else { extension.to_owned() };
        let mut formats = OutputFormat::ALL.iter().copied().filter(|format| format.has_files());
        formats.find(|format| format.row().extensions.contains(&extension.as_str()))
    }

    /// Returns the name, a value of `--format`.
    pub const fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the extension of new files of this format.
    pub const fn extension(self) -> &'static str {
        self.row().extensions[0]
    }

    /// Returns the contents.
    pub const fn family(self) -> Family {
        self.row().family
    }

    /// Returns a short description, without a full stop.
    pub const fn help(self) -> &'static str {
        self.row().help
    }

    /// Whether the extension of a file determines this format.
    pub fn has_files(self) -> bool {
        self.family() != Family::Counts
    }

    /// Whether rows of columns are written.
    pub const fn has_columns(self) -> bool {
        matches!(self.family(), Family::Rows(_))
    }

    /// Returns the character between the fields of a line, if the first line has the names of the
    /// columns.
    pub const fn separator(self) -> Option<char> {
        match self.family() {
            Family::Rows(Layout::Table(separator)) => Some(separator),
            Family::Rows(Layout::Json | Layout::Stored)
            | Family::Games
            | Family::GameObjects
            | Family::Positions(_)
            | Family::Report
            | Family::Counts => None,
        }
    }

    /// Whether counts can be written in this format.
    pub const fn holds_counts(self) -> bool {
        self.counts().is_some()
    }

    /// Returns the form of counts; `None` if the format cannot hold them.
    pub(crate) const fn counts(self) -> Option<CountLayout> {
        match self.family() {
            Family::Counts => Some(CountLayout::Text),
            Family::Rows(layout @ (Layout::Json | Layout::Table(_))) => {
                Some(CountLayout::Rows(layout))
            }
            Family::Rows(Layout::Stored)
            | Family::Games
            | Family::GameObjects
            | Family::Positions(_)
            | Family::Report => None,
        }
    }

    /// Lists the names of formats for a message: `csv, tsv`.
    pub fn names(wanted: impl Fn(OutputFormat) -> bool) -> String {
        let formats = OutputFormat::ALL.iter().filter(|format| wanted(**format));
        formats.map(|format| format.name()).collect::<Vec<_>>().join(", ")
    }

    /// Lists the extensions of formats for a message: `.csv, .tsv`.
    pub fn extensions(wanted: impl Fn(OutputFormat) -> bool) -> String {
        let formats = OutputFormat::ALL.iter().filter(|format| wanted(**format));
        formats.map(|format| format!(".{}", format.extension())).collect::<Vec<_>>().join(", ")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_differ_in_what_they_hold() {
        for (i, format) in OutputFormat::ALL.iter().enumerate() {
            let alike =
                OutputFormat::ALL[..i].iter().find(|other| other.family() == format.family());
            assert_eq!(alike, None, "{format:?}");
        }
    }

    #[test]
    fn names_and_extensions_are_found() {
        let mut extensions: Vec<&str> = Vec::new();
        for &format in OutputFormat::ALL {
            assert!(!format.help().ends_with('.'), "{format:?}");
            let found = OutputFormat::of_extension(format.extension());
            assert_eq!(found, format.has_files().then_some(format));
            extensions.extend(format.row().extensions);
        }
        extensions.sort_unstable();
        assert!(extensions.windows(2).all(|pair| pair[0] != pair[1]), "{extensions:?}");
        let check = |file: &str, expected: Option<OutputFormat>| {
            assert_eq!(OutputFormat::of_name(Path::new(file)), expected, "{file}");
        };
        check("a.PGN", Some(OutputFormat::Pgn));
        check("a.Pgn", None);
        check("a.ndjson", Some(OutputFormat::Jsonl));
        check("a.games.ndjson", Some(OutputFormat::JsonGames));
        check("A.GAMES.JSONL", Some(OutputFormat::JsonGames));
        check("games.jsonl", Some(OutputFormat::Jsonl));
        check("a.txt", None);
        check("pgn", None);
        assert_eq!(OutputFormat::names(OutputFormat::holds_counts), "jsonl, csv, tsv, count");
        assert_eq!(
            OutputFormat::extensions(OutputFormat::has_columns),
            ".jsonl, .csv, .tsv, .parquet"
        );
    }
}

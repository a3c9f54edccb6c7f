//! Formats of inputs.

use std::sync::Arc;

use flow::SourceFormat;

use super::error::Error;
use super::json::{self, JsonGames};
use super::mark::without_mark;
use super::positions::{self, Positions};
use super::puzzles::{self, Puzzles};

/// Endings of compressed files, after that of the format.
pub const COMPRESSED: [&str; 5] = ["zst", "gz", "bz2", "xz", "lz4"];

/// Endings of files with games that are not text.
pub const DATABASES: [&str; 5] = ["cbh", "cbv", "si4", "si5", "parquet"];

/// Endings of files with any number of members.
pub const ARCHIVES: [&str; 4] = ["zip", "tar", "tgz", "7z"];

/// Defines [`InputFormat`] with a row for each format.
macro_rules! formats {
    ($($(#[$doc:meta])* $format:ident { $($field:ident: $value:expr,)* })*) => {
        /// Format of a text, if the user specifies it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum InputFormat { $($(#[$doc])* $format,)* }

        impl InputFormat {
            /// All formats.
            pub const ALL: &'static [InputFormat] = &[$(InputFormat::$format,)*];

            const fn row(self) -> &'static Row {
                match self {
                    $(InputFormat::$format => {
                        const ROW: Row = Row { $($field: $value,)* };
                        &ROW
                    })*
                }
            }
        }
    };
}

/// Properties of a format.
struct Row {
    /// Value of `--input-format`.
    name: &'static str,
    /// Name in messages.
    title: &'static str,
    /// Endings of files that are searched in directories.
    extensions: &'static [&'static str],
    /// Whether a text with this beginning has the format. PGN is the format of all other texts.
    is_like: fn(&Beginning<'_>) -> bool,
    /// Returns the way to read a text with this first line.
    read: fn(&[u8]) -> Result<SourceFormat<'static>, Error>,
}

formats! {
    /// PGN.
    Pgn {
        name: "pgn",
        title: "PGN",
        extensions: &["pgn"],
        is_like: |_| false,
        read: |_| Ok(SourceFormat::Pgn),
    }
    /// The Lichess puzzles, as CSV.
    Puzzles {
        name: "puzzles",
        title: "the puzzle CSV of Lichess",
        extensions: &["csv"],
        is_like: |beginning| puzzles::is_header(beginning.first_line()) || beginning.is_table(),
        read: |first_line| Ok(SourceFormat::Lines(Arc::new(Puzzles::new(first_line)?))),
    }
    /// One position per line.
    Epd {
        name: "epd",
        title: "EPD, FEN",
        extensions: &["epd", "fen"],
        is_like: |beginning| beginning.lines().find_map(positions::is_position) == Some(true),
        read: |_| Ok(SourceFormat::Lines(Arc::new(Positions))),
    }
    /// Games of Lichess and Chess.com in JSON.
    Json {
        name: "json",
        title: "the JSON of Lichess and Chess.com",
        extensions: &["ndjson"],
        is_like: |beginning| {
            let mut lines = beginning.lines().map(<[u8]>::trim_ascii);
            lines.find(|line| !line.is_empty()).is_some_and(json::is_object)
        },
        read: |first_line| {
            if json::is_object(first_line.trim_ascii_start()) && !json::is_game(first_line) {
                return Err(Error::ForeignJson);
            }
            Ok(SourceFormat::Lines(Arc::new(JsonGames)))
        },
    }
}

impl InputFormat {
    /// Parses the value of a command-line option, ignoring case.
    ///
    /// # Errors
    /// There is no such format; the message lists all.
    pub fn from_option(name: &str) -> Result<InputFormat, Error> {
        let mut formats = InputFormat::ALL.iter().copied();
        formats
            .find(|format| format.row().name.eq_ignore_ascii_case(name))
            .ok_or_else(|| Error::UnknownFormat(name.to_owned()))
    }

    /// Lists the names of all formats.
    pub fn names(separator: &str) -> String {
        let names = InputFormat::ALL.iter().map(|format| format.row().name);
        names.collect::<Vec<_>>().join(separator)
    }

    /// Lists the formats for messages.
    pub(super) fn titles() -> String {
        let titles = InputFormat::ALL.iter().map(|format| format.row().title);
        titles.collect::<Vec<_>>().join(", ")
    }

    /// Returns the endings of files with games, without those of compressed ones.
    pub fn extensions() -> impl Iterator<Item = &'static str> {
        InputFormat::ALL.iter().flat_map(|format| format.row().extensions).copied()
    }

    /// Returns the format of a text with this beginning.
    fn of(beginning: &Beginning<'_>) -> InputFormat {
        let mut formats = InputFormat::ALL.iter().copied();
        formats.find(|format| (format.row().is_like)(beginning)).unwrap_or(InputFormat::Pgn)
    }
}

/// Returns the endings of files that are searched in directories, without [`COMPRESSED`].
pub(super) fn searched_extensions() -> impl Iterator<Item = &'static str> {
    InputFormat::extensions().chain(DATABASES).chain(ARCHIVES)
}

/// Returns the format of a text with this beginning. Only the endings of `name` are considered.
pub(super) fn format(
    head: &[u8],
    name: &str,
    wanted: Option<InputFormat>,
) -> Result<SourceFormat<'static>, Error> {
    let beginning = Beginning { text: without_mark(head), name };
    let format = wanted.unwrap_or_else(|| InputFormat::of(&beginning));
    (format.row().read)(beginning.first_line())
}

/// Beginning of a text.
struct Beginning<'a> {
    text: &'a [u8],
    /// Name of the file.
    name: &'a str,
}

impl<'a> Beginning<'a> {
    /// Splits the text into lines, which may end with LF, CR or both.
    fn lines(&self) -> impl Iterator<Item = &'a [u8]> + use<'a> {
        self.text.split(|byte: &u8| matches!(byte, b'\n' | b'\r'))
    }

    fn first_line(&self) -> &'a [u8] {
        self.lines().next().unwrap_or_default()
    }

    /// Whether a file with the name of a table looks like one.
    fn is_table(&self) -> bool {
        let name = self.name.to_ascii_lowercase();
        let packed =
            COMPRESSED.iter().find_map(|packing| name.strip_suffix(packing)?.strip_suffix('.'));
        let is_called = packed.unwrap_or(&name).ends_with(".csv");
        is_called
            && !self.text.trim_ascii_start().starts_with(b"[")
            && self.first_line().contains(&b',')
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_format(head: &str, name: &str, expected: Result<&str, &str>) {
        let found = format(head.as_bytes(), name, None);
        let found = found.map(|format| match format {
            SourceFormat::Pgn => "pgn",
            SourceFormat::Lines(lines) if lines.is_game(b"x", true) => "epd",
            SourceFormat::Lines(_) => "puzzles",
        });
        match (found.map_err(|error| error.to_string()), expected) {
            (Err(found), Err(part)) => assert!(found.contains(part), "{head}: {found}"),
            (found, expected) => assert_eq!(found, expected.map_err(str::to_owned), "{head}"),
        }
    }

    #[test]
    fn formats_are_told_from_the_first_lines() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        check_format("", "a", Ok("pgn"));
        check_format("[Event \"a, b, c\"]\n", "a", Ok("pgn"));
        check_format("\u{feff}[Event \"a\"]\n", "a.csv", Ok("pgn"));
        check_format("1. e4, they say, wins *", "a.pgn", Ok("pgn"));
        check_format(&format!("{START} w KQkq - 0 1\n"), "a", Ok("epd"));
        check_format(&format!("\n# e.g.\n{START} b - -"), "a", Ok("epd"));
        check_format(&format!("\u{feff}{START} w"), "a", Ok("epd"));
        check_format(&format!("% by hand\r\n\r\n{START} w ;D1 20"), "a", Ok("epd"));
        check_format("% by hand\n[Event \"a\"]\n", "a", Ok("pgn"));
        check_format(&format!("{START} x"), "a", Ok("pgn"));
        check_format("PuzzleId,FEN,Moves,Rating\n", "a", Ok("puzzles"));
        check_format("Moves,PuzzleId,FEN", "a", Ok("puzzles"));
        check_format("PuzzleId,Rating\n", "a", Err("FEN, Moves"));
        check_format("a,b,c\n", "a.CSV", Err("PuzzleId, FEN, Moves"));
        check_format("a,b,c\n", "a.csv.zst", Err("PuzzleId, FEN, Moves"));
        check_format("a,b,c\n", "a.csv.xz", Err("PuzzleId, FEN, Moves"));
        check_format("a,b,c\n", "a.csvzst", Ok("pgn"));
        check_format("a,b,c\n", "a.txt", Ok("pgn"));
        check_format("{\"id\":\"x\",\"players\":{}}\n", "a", Ok("epd"));
        check_format("{\"version\": 3}\n", "a", Err("it is JSON, but not as Lichess"));
        check_format("{\"Immortal\" game} 1. e4 *", "a", Ok("pgn"));
    }

    #[test]
    fn formats_have_names() {
        for &format in InputFormat::ALL {
            let found = InputFormat::from_option(&format.row().name.to_uppercase());
            assert_eq!(found.expect("a format"), format);
        }
        let error = InputFormat::from_option("csv").expect_err("no format").to_string();
        assert!(error.ends_with(&InputFormat::names(", ")), "{error}");
    }

    #[test]
    fn the_book_names_each_format() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/inputs.md");
        let page = std::fs::read_to_string(page).expect("the page");
        let text = page.split("## Choosing the format yourself").nth(1).expect("the section");
        let sentence = text.split(" sets ").next().unwrap_or_default();
        for format in InputFormat::ALL {
            let name = format.row().name;
            assert!(sentence.contains(&format!("{name}`")), "{name}: {sentence}");
        }
    }
}

//! Writes the report: a self-contained HTML file.
//!
//! The threads write an article for each game: a diagram of the first match and the moves, all that
//! is visible without JavaScript. The report can therefore be written while games arrive. With the
//! script, boards can be stepped through. It knows no rules of chess: each move lists the squares
//! it changes, see [`game`].

mod game;
mod pgn;

pub use game::analysis_board;

use std::fmt::Write as _;

use ::pgn::decode;
use engine::{GameRow, Program, RowWriter};

pub(crate) use self::pgn::{notes, pgn_text};
use crate::column::Column;
use crate::{MAKER, counted};

/// Number of lines up to which a query is shown open.
const SHORT_QUERY: usize = 25;

const BODY: &str = include_str!("html/body.html");
/// Style of boards and pieces, in pages and pictures.
pub(crate) const BOARD_STYLE: &str = include_str!("html/board.css");
/// Style of the page, and of its boards in dark mode and in print.
const STYLE: &str = include_str!("html/style.css");
const SCRIPT: &str = include_str!("html/script.js");
/// Shapes of boards and pieces, each on its own line.
pub(crate) const PIECES: &str = include_str!("html/pieces.svg");

/// End of a page.
pub const PAGE_END: &str = "</body>\n</html>\n";

/// Placeholder of the games in the page.
const GAMES: &str = "{{games}}";

/// Form of a report.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReportOptions {
    /// Title of the page; `None` for the name of the query.
    pub title: Option<String>,
    /// Number of matches of a game that have a board; 0 stands for 1.
    pub boards: usize,
}

/// Writes the article of each game.
#[derive(Debug, Clone)]
pub(crate) struct HtmlWriter {
    /// Names of the values (`--value`).
    values: Vec<String>,
    /// Columns that are shown of each game; empty for the facts that a report usually has.
    columns: Vec<Column>,
    options: ReportOptions,
    /// Texts of the query, each with its name.
    query: Vec<(String, Vec<u8>)>,
}

impl HtmlWriter {
    /// Creates a writer; `query` is the query as shown on the page.
    pub(crate) fn new(
        program: &Program,
        query: &[(String, Vec<u8>)],
        columns: Vec<Column>,
        options: &ReportOptions,
    ) -> HtmlWriter {
        let values = program.values().into_iter();
        HtmlWriter {
            values: values.map(|(name, _)| name.to_owned()).collect(),
            columns,
            options: options.clone(),
            query: query.to_vec(),
        }
    }

    /// Returns the page up to the first game.
    pub(crate) fn head(&self) -> String {
        let named = self.query.iter().find(|text| !text.0.starts_with('-'));
        let title = named.map_or("Matching games", |text| &text.0);
        let title = self.options.title.as_deref().unwrap_or(title);
        let texts = self.query.iter();
        let query: String = texts.map(|(name, text)| query_text(name, text)).collect();
        let before = BODY.split(GAMES).next().unwrap_or_default();
        let title = escaped(title);
        page_start(&title, STYLE, &["script-src 'unsafe-inline'"])
            + &fill(before, &[("title", &title), ("query", &query)])
    }

    /// Returns the page after the last game.
    pub(crate) fn foot(&self, totals: &Totals) -> String {
        let after = BODY.split(GAMES).nth(1).unwrap_or_default();
        fill(after, &[("totals", &totals.text()), ("script", SCRIPT)]) + PAGE_END
    }
}

impl RowWriter for HtmlWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        out.extend_from_slice(game::article(row, self).as_bytes());
    }

    fn wants_movetext(&self) -> bool {
        true
    }

    fn wants_moves(&self) -> bool {
        self.columns.iter().any(|column| column.source.needs_moves())
    }

    fn wants_keys(&self) -> bool {
        self.columns.iter().any(|column| column.source.needs_keys())
    }
}

/// Counts of a search, for the foot of a report.
#[derive(Debug, Clone, Copy, Default)]
pub struct Totals {
    /// Number of games searched.
    pub n_games: u64,
    /// Number of matching games.
    pub n_matches: u64,
    /// Number of matching positions in those games.
    pub n_positions: u64,
    /// Number of games written.
    pub n_written: u64,
}

impl Totals {
    fn text(&self) -> String {
        let Totals { n_games, n_matches, n_positions, n_written } = *self;
        let mut text = counted(n_written, "game");
        if n_written != n_matches {
            let _ = write!(text, " chosen from {n_matches} matching games");
        }
        let _ = write!(
            text,
            ", {}, {} searched",
            counted(n_positions, "matching position"),
            counted(n_games, "game")
        );
        text
    }
}

/// Formats a text of the query, collapsed if it is long.
fn query_text(name: &str, text: &[u8]) -> String {
    let text = decode(text);
    // filters of the command line are wrapped in braces
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix("\n}"));
    let text = inner.filter(|_| name.starts_with('-')).unwrap_or(&text);
    let open = if text.lines().count() <= SHORT_QUERY { " open" } else { "" };
    format!(
        "<details class=\"query\"{open}><summary>{}</summary><pre>{}</pre></details>\n",
        escaped(name),
        escaped(text.trim_end())
    )
}

/// Returns the start of a page without other files: its head, with the style of boards and with
/// `style`, and the shapes of pieces. `title` is [`escaped`]. Browsers run and load only what the
/// directives in `permitted` allow, such as `img-src data:`.
pub fn page_start(title: &str, style: &str, permitted: &[&str]) -> String {
    let policy =
        [&["default-src 'none'", "style-src 'unsafe-inline'"], permitted].concat().join("; ");
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{MAKER}\">\n<title>{title}</title>\n\
         <style>\n{BOARD_STYLE}{style}</style>\n</head>\n<body>\n{PIECES}"
    )
}

/// Fills the placeholders of a template. Text that is filled in is not searched for placeholders.
fn fill(template: &str, places: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut parts = template.split("{{");
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").unwrap_or((part, ""));
        let text = places.iter().find(|place| place.0 == name);
        debug_assert!(text.is_some(), "nothing for {name}");
        out.push_str(text.map_or("", |place| place.1));
        out.push_str(rest);
    }
    out
}

/// Appends text, escaped for elements and quoted attributes.
fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            '\r' => {}
            // not allowed in HTML
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

/// Returns a text for elements and quoted attributes of a page.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    escape(text, &mut out);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_stays_text() {
        let check = |text: &str, expected: &str| assert_eq!(escaped(text), expected);
        check("a & b", "a &amp; b");
        check("<script>", "&lt;script&gt;");
        check("\"'", "&quot;&#39;");
        check("a\0\u{1b}\u{85}b\r\n", "a\u{fffd}\u{fffd}\u{fffd}b\n");
        check("Müller", "Müller");
    }

    #[test]
    fn places_are_filled_once() {
        let check = |template: &str, expected: &str| {
            assert_eq!(fill(template, &[("a", "{{b}}"), ("b", "B")]), expected);
        };
        check("x{{a}}y{{b}}z", "x{{b}}yBz");
        check("none", "none");
    }

    #[test]
    fn totals_say_what_was_left_out() {
        let check = |totals: [u64; 4], expected: &str| {
            let [n_games, n_matches, n_positions, n_written] = totals;
            let totals = Totals { n_games, n_matches, n_positions, n_written };
            assert_eq!(totals.text(), expected);
        };
        check([9, 2, 3, 2], "2 games, 3 matching positions, 9 games searched");
        check([1, 1, 1, 1], "1 game, 1 matching position, 1 game searched");
        check(
            [9, 5, 6, 2],
            "2 games chosen from 5 matching games, 6 matching positions, 9 games searched",
        );
    }
}

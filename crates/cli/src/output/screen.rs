//! Shows the matching games on the screen: a line for each, in columns as wide as the terminal.

use std::io::{self, Write};

use board::Color;
use engine::{GameRow, PositionRow, QueryResults, RowWriter, SortKey};
use pgn::decode;
use table::cut;

use crate::terminal;
use crate::visible::visible_name;

/// Maximum number of games that are shown unless an option sets the number.
const MOST: usize = 100;

/// Minimum width of the columns for players and event.
const LEAST: usize = 10;

/// End of a cell; no cell contains it.
const END: u8 = b'\t';

/// Writes a game as cells: number, players, event, year, move, values, and board.
#[derive(Debug)]
pub(crate) struct ScreenWriter {
    /// Whether the position of the game that is shown is drawn.
    pub(crate) has_board: bool,
    /// Whether the query looks for a move from the position, which then stands for it.
    pub(crate) looks_for_moves: bool,
}

impl RowWriter for ScreenWriter {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        let shown = row.shown();
        let values = row.sort_values.iter().filter_map(|sorted| match &sorted.value {
            SortKey::None => None,
            SortKey::Number(n) => Some(format!("{}: {n}", sorted.label)),
            SortKey::Text(text) => Some(format!("{}: {}", sorted.label, decode(text))),
        });
        let values: Vec<String> = values.collect();
        let cells = [
            row.number.to_string(),
            players(row),
            known(row, b"Event"),
            year(row),
            shown.map_or_else(String::new, |position| self.move_of(position)),
            values.join(", "),
            shown.filter(|_| self.has_board).map_or_else(String::new, |one| one.fen.clone()),
        ];
        for cell in cells {
            out.extend_from_slice(visible_name(&cell).as_bytes());
            out.push(END);
        }
    }

    fn wants_all_tags(&self) -> bool {
        false
    }
}

impl ScreenWriter {
    /// Returns the move by which a person finds the match: the first one of a path, and otherwise the
    /// one that led to the position.
    fn move_of(&self, position: &PositionRow) -> String {
        let next = position.next_move.as_ref();
        match next.filter(|_| self.looks_for_moves && !position.has_variations) {
            Some(next) if position.side == Color::White => {
                format!("{}.{}", position.move_number, next.san)
            }
            Some(next) => format!("{}...{}", position.move_number, next.san),
            None => last_move(position),
        }
    }
}

/// Returns the value of a tag, if it is known.
pub(crate) fn known(row: &GameRow, tag: &[u8]) -> String {
    let value = row.tag(tag).map(|value| decode(value).into_owned());
    value.filter(|value| !value.starts_with('?')).unwrap_or_default()
}

/// Returns the year of the date, if it is known.
pub(crate) fn year(row: &GameRow) -> String {
    known(row, b"Date").chars().take(4).collect()
}

/// Returns the names of both players.
pub(crate) fn players(row: &GameRow) -> String {
    format!("{} – {}", player(row, b"White"), player(row, b"Black"))
}

/// Returns the name of a player without what follows a comma.
fn player(row: &GameRow, tag: &[u8]) -> String {
    let name = known(row, tag);
    match name.split(',').next().map(str::trim) {
        None | Some("") => "?".to_owned(),
        Some(name) => name.to_owned(),
    }
}

/// Returns the move that led to a position, with its number.
pub(crate) fn last_move(position: &PositionRow) -> String {
    let Some(last) = &position.last_move else {
        return "start".to_owned();
    };
    match position.side {
        Color::Black => format!("{}.{}", position.move_number, last.san),
        Color::White => format!("{}...{}", position.move_number.saturating_sub(1), last.san),
    }
}

/// The games to be shown.
pub(super) struct Screen {
    games: Vec<Vec<String>>,
    n_games: u64,
    most: usize,
}

impl Screen {
    /// Shows at most `limit` games, if there is a limit.
    pub(super) fn new(limit: Option<u64>) -> Screen {
        let most = limit.map_or(MOST, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
        Screen { games: Vec::new(), n_games: 0, most }
    }

    pub(super) fn chunk(&mut self, found: &QueryResults) {
        for game in &found.matches {
            self.game(&found.text[game.text.clone()]);
        }
    }

    pub(super) fn game(&mut self, text: &[u8]) {
        self.n_games += 1;
        if self.games.len() < self.most {
            let text = String::from_utf8_lossy(text);
            self.games.push(text.split(char::from(END)).map(str::to_owned).collect());
        }
    }

    /// Writes the games as lines as wide as the terminal.
    pub(super) fn finish(self, out: &mut impl Write) -> io::Result<()> {
        out.write_all(self.lines(terminal::screen_width()).as_bytes())
    }

    fn lines(&self, width: usize) -> String {
        let cell = |game: &Vec<String>, column: usize| -> String {
            game.get(column).cloned().unwrap_or_default()
        };
        let widest = |column: usize| {
            let widths = self.games.iter().map(|game| cell(game, column).chars().count());
            widths.max().unwrap_or(0)
        };
        let mut widths: Vec<usize> = (0..6).map(widest).collect();
        let fixed: usize = [0, 3, 4, 5].iter().map(|&column| widths[column]).sum();
        let gaps = 2 * widths.iter().filter(|width| **width > 0).count();
        let room = width.saturating_sub(fixed + gaps).max(2 * LEAST);
        // Long cells are cut: that of the event first.
        widths[1] = widths[1].min(room - widths[2].min(room / 3));
        widths[2] = widths[2].min(room - widths[1]);
        let mut text = String::new();
        for game in &self.games {
            text += &aligned(game, &widths, &[0]);
            text += &drawn(&cell(game, 6));
        }
        let n_more = self.n_games - self.games.len() as u64;
        if n_more > 0 {
            text += &format!("… and {n_more} more (--limit sets how many are shown)\n");
        }
        text
    }
}

/// Returns cells as a line of a table. Columns without width are left out; those of `right` are
/// aligned to the right.
pub(crate) fn aligned(cells: &[String], widths: &[usize], right: &[usize]) -> String {
    let mut line = String::new();
    let columns = cells.iter().zip(widths).enumerate().filter(|(_, (_, width))| **width > 0);
    for (column, (cell, &width)) in columns {
        let cell = cut(cell, width);
        line += &if right.contains(&column) {
            format!("{cell:>width$}  ")
        } else {
            format!("{cell:width$}  ")
        };
    }
    line.trim_end().to_owned() + "\n"
}

/// Returns a board for a FEN: capital letters are White's pieces, as in queries.
pub(crate) fn drawn(fen: &str) -> String {
    let placement = fen.split([' ', '[']).next().unwrap_or_default();
    if placement.is_empty() {
        return String::new();
    }
    let ranks: Vec<&str> = placement.split('/').take(8).collect();
    let mut text = String::from("\n");
    for (index, rank) in ranks.iter().enumerate() {
        text += &format!("      {} ", ranks.len() - index);
        for man in rank.chars() {
            match man.to_digit(10) {
                Some(n_empty) => text += &" .".repeat(n_empty as usize),
                None if man.is_alphabetic() => text += &format!(" {man}"),
                None => {}
            }
        }
        text.push('\n');
    }
    text + "         a b c d e f g h\n\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen(games: &[[&str; 7]], limit: Option<u64>) -> Screen {
        let mut screen = Screen::new(limit);
        for game in games {
            screen.game(game.join("\t").as_bytes());
        }
        screen
    }

    #[test]
    fn lines_fit_the_screen() {
        let long = "A tournament with a name that is much longer than a line of any screen";
        let games = [
            ["7", "Morphy – Duke Karl / Count Isouard", "The Opera", "1858", "17.Rd8#", "", ""],
            ["12345", "? – ?", long, "", "3...Qh4#", "checks: 5", ""],
        ];
        for width in [80, 120, 40] {
            let text = screen(&games, None).lines(width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width.max(66)), "{width}: {text}");
            assert_eq!(text.lines().count(), 2, "{text}");
        }
        let wide = screen(&games, None).lines(160);
        assert!(wide.contains(long) && wide.contains("Count Isouard  The Opera"), "{wide}");
    }

    #[test]
    fn games_beyond_the_limit_are_counted() {
        let game = ["1", "a – b", "", "", "", "", ""];
        let text = screen(&[game; 3], Some(2)).lines(80);
        assert_eq!(text, "1  a – b\n1  a – b\n… and 1 more (--limit sets how many are shown)\n");
    }

    #[test]
    fn boards_have_the_letters_of_queries() {
        let board = drawn("6k1/8/8/8/8/8/PPPPPPPP/4K2R w K - 0 1");
        assert!(board.contains("8  . . . . . . k .\n"), "{board}");
        assert!(board.contains("1  . . . . K . . R\n"), "{board}");
        assert_eq!(drawn(""), "");
    }
}

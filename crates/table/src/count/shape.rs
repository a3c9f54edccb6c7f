//! Form of a table of counts: its columns, its order, and how many groups it has.

use std::cmp::Reverse;

use super::figure::{COUNTS, SCORES, interval};
use super::{CountLayout, Figure, Group, Tally};
use crate::cell::Cell;
use crate::error::TableError;
use crate::layout::{Layout, header, write_row};
use crate::words::cut;

/// Options of counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CountOptions {
    /// Whether tables and objects have results and scores. Groups in a table for reading always
    /// have them.
    pub scores: bool,
    /// Part of the name of the player whose scores are counted; `None` for White.
    pub score_of: Option<String>,
    /// Column whose values become columns.
    pub by: Option<String>,
    /// Figure in these columns; `None` for the number of games.
    pub cell: Option<String>,
    /// Column by which the groups are ordered: figures with the greatest first, columns of the
    /// groups in ascending order. `None` for the groups themselves or, if only some are shown, for
    /// the number of games.
    pub order: Option<String>,
    /// Number of groups that are shown; `None` for all.
    pub top: Option<usize>,
}

/// Form of a table of counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Shape {
    /// Whether results are counted.
    pub(crate) has_scores: bool,
    /// Whether tables and objects show them.
    shows_scores: bool,
    /// Part of the name of the player whose scores are counted, in lower case.
    pub(crate) score_of: Option<String>,
    /// Whether the values of the last column become columns.
    pub(crate) is_crossed: bool,
    cell: Option<Figure>,
    order: Option<GroupOrder>,
    top: Option<usize>,
}

/// Column by which groups are ordered.
#[derive(Debug, Clone, Copy)]
enum GroupOrder {
    /// A column of the groups, by its index.
    Key(usize),
    Figure(Figure),
}

impl Shape {
    /// Returns the form of counts in groups of these columns.
    ///
    /// # Errors
    /// There is no such column or figure.
    pub(crate) fn new(
        options: &CountOptions,
        keys: &[String],
        layout: CountLayout,
    ) -> Result<Shape, TableError> {
        let CountOptions { scores, score_of, by, cell, order, top } = options;
        let unknown = |name: &str, keys: &[String]| {
            let figures = Figure::names(score_of.is_some()).map(str::to_owned);
            TableError::UnknownFigure {
                name: name.to_owned(),
                known: keys.iter().cloned().chain(figures).collect(),
            }
        };
        let order = match order {
            None => top.map(|_| GroupOrder::Figure(Figure::Games)),
            Some(name) => {
                let key = keys.iter().position(|key| key == name).map(GroupOrder::Key);
                let place = key.or_else(|| Figure::named(name).map(GroupOrder::Figure));
                Some(place.ok_or_else(|| unknown(name, keys))?)
            }
        };
        let cell = match cell {
            None => None,
            Some(name) => Some(Figure::named(name).ok_or_else(|| unknown(name, &[]))?),
        };
        let shows_scores = *scores || score_of.is_some();
        let is_score = |figure: Option<Figure>| figure.is_some_and(Figure::is_score);
        let of_order = match order {
            Some(GroupOrder::Figure(figure)) => Some(figure),
            Some(GroupOrder::Key(_)) | None => None,
        };
        let is_read = layout == CountLayout::Text && !keys.is_empty();
        Ok(Shape {
            has_scores: shows_scores || is_read || is_score(cell) || is_score(of_order),
            shows_scores,
            score_of: score_of.as_ref().map(|name| name.to_lowercase()),
            is_crossed: by.is_some(),
            cell,
            order,
            top: *top,
        })
    }

    /// Returns the names of the columns after those of the groups, in tables and objects; `None` if
    /// they depend on the games.
    pub(crate) fn figures(&self) -> Option<Vec<&'static str>> {
        let figures = self.columns().into_iter();
        let is_of_player = self.score_of.is_some();
        (!self.is_crossed).then(|| figures.map(|figure| figure.name(is_of_player)).collect())
    }

    /// Returns how many groups are shown, if they are those with the most games.
    pub(super) fn n_by_games(&self) -> Option<usize> {
        let is_by_games = matches!(self.order, Some(GroupOrder::Figure(Figure::Games)));
        self.top.filter(|_| is_by_games)
    }

    /// Returns the columns after those of the groups, in tables and objects.
    fn columns(&self) -> Vec<Figure> {
        let scores = if self.shows_scores { &SCORES[..] } else { &[] };
        COUNTS.iter().chain(scores).copied().collect()
    }
}

/// Table of counts as it is written.
struct Written {
    names: Vec<String>,
    rows: Vec<Vec<Cell>>,
    /// Number of columns of the groups.
    n_keys: usize,
}

impl Tally {
    /// Returns the table of counts, with the groups in their order.
    pub(crate) fn write(mut self, layout: CountLayout) -> Vec<u8> {
        self.finish();
        let is_text = layout == CountLayout::Text;
        let table = if self.shape.is_crossed { self.crossed(is_text) } else { self.plain(is_text) };
        match layout {
            CountLayout::Text => aligned(&table, !self.names.is_empty(), self.width).into_bytes(),
            CountLayout::Rows(layout) => {
                let names = || table.names.iter().map(String::as_str);
                let mut out = Vec::new();
                if let Layout::Table(separator) = layout {
                    out.extend(header(names(), separator).bytes());
                }
                for row in &table.rows {
                    write_row(names(), row, layout, &mut out);
                }
                out
            }
        }
    }

    /// Returns the groups that are shown, in their order.
    fn shown(&self) -> Vec<(&Vec<Cell>, &Group)> {
        let mut rows: Vec<(&Vec<Cell>, &Group)> = self.rows.iter().collect();
        rows.sort_by_cached_key(|(keys, group)| match self.shape.order {
            None => (None, false, Reverse(Cell::Null)),
            Some(GroupOrder::Key(at)) => (keys.get(at), false, Reverse(Cell::Null)),
            Some(GroupOrder::Figure(figure)) => {
                let cell = figure.cell(group, self.total.games);
                // The greatest value comes first, and groups without one come last.
                (None, cell == Cell::Null, Reverse(cell))
            }
        });
        rows.truncate(self.shape.top.unwrap_or(usize::MAX));
        rows
    }

    /// Returns the groups with their figures.
    fn plain(&self, is_text: bool) -> Written {
        let all = self.total.games;
        let has_results = self.total.score.decided() > 0;
        let is_of_player = self.shape.score_of.is_some();
        let shows_scores = is_text && self.shape.has_scores && has_results;
        let columns = self.shape.columns();
        let figures = |group: &Group| -> Vec<Cell> {
            if is_text {
                texts(group, all, shows_scores)
            } else {
                columns.iter().map(|figure| figure.cell(group, all)).collect()
            }
        };
        let mut names = self.names.clone();
        if is_text {
            names.extend(headings(shows_scores, is_of_player).map(str::to_owned));
        } else {
            names.extend(columns.iter().map(|one| one.name(is_of_player).to_owned()));
        }
        let row = |(key, group): (&Vec<Cell>, &Group)| {
            key.iter().cloned().chain(figures(group)).collect::<Vec<Cell>>()
        };
        let mut rows: Vec<Vec<Cell>> = self.shown().into_iter().map(row).collect();
        if self.names.is_empty() {
            rows = vec![figures(&self.total)];
        } else if is_text {
            rows.push(with_total(self.names.len(), figures(&self.total)));
        }
        Written { names, rows, n_keys: self.names.len() }
    }

    /// Returns the groups with a column for each value of the last one, and a column for all.
    fn crossed(&self, is_text: bool) -> Written {
        let all = self.total.games;
        let figure = self.shape.cell.unwrap_or(Figure::Games);
        let none = Group::default();
        let cell = |group: Option<&Group>| match (group, is_text) {
            (None, true) => Cell::text(Some("-")),
            (group, true) => Cell::Text(figure.shown(group.unwrap_or(&none), all)),
            (group, false) => figure.cell(group.unwrap_or(&none), all),
        };
        let n_keys = self.names.len().saturating_sub(1);
        let of_others = |name: &String| {
            let mut keys = self.names.iter().take(n_keys);
            matches!(&**name, "all" | "(none)") || keys.any(|key| key == name)
        };
        let value = |value: &Cell| match (value, value.to_plain()) {
            (Cell::Null, _) => "(none)".to_owned(),
            // Two columns of one name would be one member of an object.
            (_, name) if of_others(&name) || name.starts_with('"') => format!("\"{name}\""),
            (_, name) => name,
        };
        let of_groups = self.names.iter().take(n_keys).cloned();
        let names =
            of_groups.chain(self.columns.keys().flatten().map(value)).chain(["all".to_owned()]);
        let row = |(key, group): (&Vec<Cell>, &Group)| {
            let cells = self.columns.keys().flatten().map(|column| {
                let key: Vec<Cell> = key.iter().chain([column]).cloned().collect();
                cell(self.cells.get(&key))
            });
            key.iter().cloned().chain(cells).chain([cell(Some(group))]).collect::<Vec<Cell>>()
        };
        let mut rows: Vec<Vec<Cell>> = self.shown().into_iter().map(row).collect();
        if is_text {
            let groups = self.columns.values().chain([&self.total]);
            rows.push(with_total(n_keys, groups.map(|group| cell(Some(group))).collect()));
        }
        Written { names: names.collect(), rows, n_keys }
    }
}

/// Returns the row of totals.
fn with_total(n_keys: usize, figures: Vec<Cell>) -> Vec<Cell> {
    let mut row = vec![Cell::text(Some("total"))];
    row.resize(n_keys, Cell::text(Some("")));
    row.extend(figures);
    row
}

/// Returns the headings of figures for reading.
fn headings(has_scores: bool, is_of_player: bool) -> impl Iterator<Item = &'static str> {
    let results = if is_of_player {
        ["share", "won", "drawn", "lost"]
    } else {
        ["share", "white", "draw", "black"]
    };
    let scores = results.into_iter().chain(["score", "95%", "exp", "elo", "perf", "rated"]);
    ["games", "positions"].into_iter().chain(scores.filter(move |_| has_scores))
}

/// Returns the figures for reading, in the order of the [`headings`].
fn texts(group: &Group, all: i64, has_scores: bool) -> Vec<Cell> {
    let mut cells: Vec<Cell> = COUNTS.iter().map(|figure| figure.cell(group, all)).collect();
    for figure in SCORES.iter().filter(|_| has_scores) {
        match figure {
            Figure::Low => cells.push(Cell::Text(interval(group))),
            Figure::High => {}
            figure => cells.push(Cell::Text(figure.shown(group, all))),
        }
    }
    cells
}

/// Minimum width of a column of names that is shortened.
const LEAST: usize = 12;

/// Width to which the names of groups are shortened, all together, while there are columns of
/// numbers that can be left out: names that begin alike differ there.
const OF_NAMES: usize = 28;

/// Returns a table for reading: texts aligned to the left, numbers to the right. If its lines would
/// be longer than `most`, long names are cut, and the last columns are left out; a line below says
/// which.
fn aligned(table: &Written, has_total: bool, most: Option<usize>) -> String {
    let Written { names, rows, n_keys } = table;
    let text = |cell: &Cell| match cell {
        Cell::Null => "(none)".to_owned(),
        cell => cell.to_plain().replace(char::is_control, " "),
    };
    let names = names.iter().map(|name| name.replace(char::is_control, " "));
    let lines: Vec<Vec<String>> = std::iter::once(names.collect())
        .chain(rows.iter().map(|row| row.iter().map(text).collect()))
        .collect();
    let width = |column: usize| {
        let cells = lines.iter().map(|line| line[column].chars().count());
        cells.max().unwrap_or(0)
    };
    // without the total, whose cells are no numbers in the columns of the groups
    let groups = &rows[..rows.len().saturating_sub(usize::from(has_total))];
    let to_right = |column: usize| {
        let mut cells = groups.iter().map(|row| &row[column]);
        column >= *n_keys
            || (!groups.is_empty()
                && cells.all(|cell| matches!(cell, Cell::Number(_) | Cell::Null)))
    };
    let mut columns: Vec<(usize, bool)> =
        (0..lines[0].len()).map(|column| (width(column), to_right(column))).collect();
    let n_left_out = most.map_or(0, |most| narrow(&mut columns, *n_keys, most));
    let mut out = String::new();
    for line in &lines {
        let cells = line.iter().zip(&columns);
        let mut cells: Vec<String> = cells
            .map(|(cell, &(width, to_right))| {
                let cell = cut(cell, width);
                if to_right { format!("{cell:>width$}") } else { format!("{cell:<width$}") }
            })
            .collect();
        if n_left_out > 0 {
            cells.push("…".to_owned());
        }
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    if n_left_out > 0 {
        let left_out = &lines[0][lines[0].len() - n_left_out..];
        let left_out = format!("not shown: {}", left_out.join(", "));
        let width = most.unwrap_or(usize::MAX);
        out += &format!("{}\n", cut(&left_out, width));
        out += &format!("{}\n", cut("a wider terminal or -o FILE.csv shows them", width));
    }
    out
}

/// Makes the columns, their widths and whether they are aligned to the right, no wider than `most`.
/// Returns the number of columns that are left out.
fn narrow(columns: &mut Vec<(usize, bool)>, n_keys: usize, most: usize) -> usize {
    let whole = |columns: &[(usize, bool)]| {
        columns.iter().map(|column| column.0 + 2).sum::<usize>().saturating_sub(2)
    };
    let n_columns = columns.len();
    let names =
        |columns: &[(usize, bool)]| columns.iter().take(n_keys).filter(|one| !one.1).count();
    let of_name = (OF_NAMES / names(columns).max(1)).max(LEAST);
    // A sign at the end of each line says that columns are left out.
    let mut sign = 0;
    let least = |columns: &[(usize, bool)]| {
        let width = |(at, &(width, right)): (usize, &(usize, bool))| {
            if at < n_keys && !right { width.min(of_name) } else { width }
        };
        columns.iter().enumerate().map(|column| width(column) + 2).sum::<usize>().saturating_sub(2)
    };
    while columns.len() > n_keys + 1 && least(columns) + sign > most {
        columns.pop();
        sign = "  …".chars().count();
    }
    let most = most.saturating_sub(sign);
    loop {
        let n_over = whole(columns).saturating_sub(most);
        let names =
            columns.iter_mut().take(n_keys).filter(|(width, right)| !right && *width > LEAST);
        let Some((width, _)) = names.max_by_key(|column| column.0).filter(|_| n_over > 0) else {
            break;
        };
        *width = width.saturating_sub(n_over).max(LEAST);
    }
    n_columns - columns.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_for_reading_fit_a_width() {
        let text = |text: &str| Cell::Text(text.to_owned());
        let row = |name: &str, n| vec![text(name), Cell::Number(n), text("50%")];
        let table = Written {
            names: ["opening", "games", "share"].map(str::to_owned).to_vec(),
            rows: vec![row("English Opening: Symmetrical Variation", 12345), row("total", 12345)],
            n_keys: 1,
        };
        let lines = |most| {
            let text = aligned(&table, true, most);
            text.lines().map(str::to_owned).collect::<Vec<_>>()
        };
        let whole = lines(None);
        assert!(whole[1].starts_with("English Opening: Symmetrical Variation  12345"), "{whole:?}");
        assert_eq!(lines(Some(80)), whole);
        for most in 42..52 {
            assert!(lines(Some(most)).iter().all(|line| line.chars().count() <= most), "{most}");
            assert!(lines(Some(most))[1].contains("…  12345    50%"), "{:?}", lines(Some(most)));
        }
        let kept = lines(Some(41));
        assert!(kept[1].starts_with("English Opening: Symmetrical"), "{kept:?}");
        assert!(kept[1].ends_with("…  12345  …"), "{kept:?}");
        assert_eq!(kept[3..], ["not shown: share", "a wider terminal or -o FILE.csv shows th…"]);
        let short = lines(Some(24));
        assert_eq!(
            short[..4],
            [
                "opening         games  …",
                "English Openi…  12345  …",
                "total           12345  …",
                "not shown: share"
            ]
        );
    }
}

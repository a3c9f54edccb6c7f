//! Prints a tree as a table and as CSV.

use board::Position;
use ide::wrap::wrapped;
use survey::tree::{Example, Figures, Line, TreeMove, TreeReport, tenths};
use table::field;

/// Maximum number of games with which a move gets an example.
const FEW: u64 = 3;

/// Columns of the figures in CSV.
const FIGURES: &str = "games,white,draws,black,elo,performance,last_year,example_input,\
                       example_game,example_white,example_black,example_date,example_result,\
                       opening,score,score_low,score_high,expected_score,new_since,rated";

/// Columns of a table with their widths.
const SHOWN: [(&str, usize); 12] = [
    ("games", 8),
    ("share", 6),
    ("white", 5),
    ("draw", 5),
    ("black", 5),
    ("score", 6),
    ("95%", 7),
    ("exp", 4),
    ("elo", 5),
    ("perf", 5),
    ("rated", 5),
    ("last", 5),
];

/// Columns that a terminal without room for all does not show, the first one first.
const SPARED: [&str; 8] = ["rated", "exp", "95%", "perf", "elo", "last", "share", "score"];

/// A report for a terminal or a file.
pub(super) struct Shown {
    /// The sentence above the table.
    pub(super) head: String,
    pub(super) rows: String,
    /// Names the columns without room on the terminal; empty if there are none.
    pub(super) note: String,
}

/// A row of the table: its name, its cells in the order of [`SHOWN`], and what stands after them.
struct Row {
    name: String,
    cells: Vec<String>,
    end: String,
}

/// Formats the report as a table, for a terminal of this width.
pub(super) fn table(report: &TreeReport, width: Option<usize>) -> Shown {
    let mut rows = Vec::new();
    for line in &report.moves {
        add_rows(line, 0, said(report, width), &mut rows);
    }
    if report.ends > 0 {
        let share = tenths(report.ends, report.figures.games);
        let cells = vec![report.ends.to_string(), percent_of_tenths(share)];
        rows.push(Row { name: "(end)".to_owned(), cells, end: String::new() });
    }
    with_head(report, "move", rows, width)
}

/// Formats whole continuations as a table, for a terminal of this width.
pub(super) fn table_of_lines(report: &TreeReport, lines: &[Line], width: Option<usize>) -> Shown {
    let rows = lines.iter().map(|line| {
        let is_few = line.figures.games <= FEW;
        let opening = named(line.opening.as_deref(), said(report, width));
        row(line.text.clone(), &line.figures, is_few, &opening)
    });
    with_head(report, "line", rows.collect(), width)
}

/// Returns rows with the position above them and all its games below.
fn with_head(report: &TreeReport, first: &str, mut rows: Vec<Row>, width: Option<usize>) -> Shown {
    let place = match (&report.line[..], report.fen.as_str()) {
        (_, fen) if fen == Position::START.fen() => "the normal start".to_owned(),
        ([], fen) => fen.to_owned(),
        (line, _) => format!("the position after {}", line.join(" ")),
    };
    let name = report.opening.as_ref().map_or(String::new(), |name| format!(", {name}"));
    let games = match report.figures.games {
        1 => "1 game has".to_owned(),
        n => format!("{n} games have"),
    };
    let head = format!("{games} {place}{name}\n");
    if report.figures.games == 0 {
        return Shown { head, rows: String::new(), note: String::new() };
    }
    let is_few = report.figures.games <= FEW;
    rows.push(row("all".to_owned(), &report.figures, is_few, ""));
    let (text, spared) = in_columns(first, &rows, width);
    let note = match spared.as_slice() {
        [] => String::new(),
        names => format!(
            "not shown, since the terminal is narrow: {}; --csv has all columns\n",
            names.join(", ")
        ),
    };
    Shown { head, rows: format!("\n{text}"), note }
}

/// Returns rows in columns, and the names of the columns for which the terminal has no room.
fn in_columns(first: &str, rows: &[Row], width: Option<usize>) -> (String, Vec<&'static str>) {
    /// Columns before the end of a row that has a line of its own.
    const INDENT: usize = 6;
    let width = width.unwrap_or(usize::MAX);
    let of_names = rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max(4);
    let is_spared = |spared: &[&str], name| spared.contains(&name);
    let needed = |spared: &[&str]| {
        let kept = SHOWN.iter().filter(|(name, _)| !is_spared(spared, *name));
        of_names + kept.map(|(_, width)| width + 1).sum::<usize>()
    };
    let n_spared = (0..SPARED.len()).find(|&n| needed(&SPARED[..n]) <= width);
    let spared = &SPARED[..n_spared.unwrap_or(SPARED.len())];
    let line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
        let mut text = format!("{name:<of_names$}");
        for (&(name, width), cell) in SHOWN.iter().zip(cells) {
            if !is_spared(spared, name) {
                text += &format!(" {cell:>width$}");
            }
        }
        text
    };
    let mut text = line(first, &mut SHOWN.iter().map(|column| column.0)) + "\n";
    for row in rows {
        let cells = line(&row.name, &mut row.cells.iter().map(String::as_str));
        text += cells.trim_end();
        if cells.chars().count() + row.end.chars().count() <= width {
            text += &row.end;
            text.push('\n');
        } else {
            text.push('\n');
            let front = " ".repeat(INDENT);
            wrapped(&mut text, &front, INDENT, width, row.end.split_whitespace());
        }
    }
    let names = SHOWN.iter().map(|column| column.0).filter(|&name| is_spared(spared, name));
    (text, names.collect())
}

/// Formats the report as CSV.
pub(super) fn csv(report: &TreeReport) -> String {
    let mut text = format!("line,move,uci,{FIGURES}\n");
    for line in &report.moves {
        add_csv(line, "", &mut text);
    }
    text
}

/// Formats whole continuations as CSV.
pub(super) fn csv_of_lines(lines: &[Line]) -> String {
    let mut text = format!("line,{FIGURES}\n");
    for line in lines {
        let fields = fields(&line.figures, line.opening.as_deref()).join(",");
        text += &format!("{},{fields}\n", line.text);
    }
    text
}

/// Returns the name that the head says, without which the names of rows are shorter on a screen.
fn said(report: &TreeReport, width: Option<usize>) -> &str {
    let name = width.and(report.opening.as_deref());
    name.unwrap_or_default()
}

/// Returns the name of an opening as the end of a row: without its first parts that the head says,
/// so that a narrow screen shows what differs.
fn named(opening: Option<&str>, said: &str) -> String {
    let Some(name) = opening else { return String::new() };
    let is_said = |end: &usize| {
        let rest = said.strip_prefix(&name[..*end]);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with([':', ',']))
    };
    let ends = name.match_indices([':', ',']).map(|(end, _)| end);
    match ends.take_while(is_said).last() {
        Some(end) => format!("  … {}", name[end + 1..].trim_start()),
        None => format!("  {name}"),
    }
}

/// Formats a game: its players, year and result.
fn game(example: &Example) -> String {
    let year = match example.date.get(..4).unwrap_or_default() {
        "????" => String::new(),
        year => format!(" {year}"),
    };
    format!("{} - {}{year}, {}", example.white, example.black, example.result)
}

fn percent_of_tenths(tenths: u64) -> String {
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// Formats a score in percent.
fn share(share: Option<f64>) -> String {
    share.map_or("-".to_owned(), |share| format!("{}%", (100.0 * share).round()))
}

/// Formats the ends of the interval of the score in percent.
fn interval(figures: &Figures) -> String {
    let ends = figures.score_low.zip(figures.score_high);
    ends.map_or("-".to_owned(), |(low, high)| {
        format!("{}-{}%", (100.0 * low).round(), (100.0 * high).round())
    })
}

/// Returns a row of the table.
fn row(name: String, figures: &Figures, with_example: bool, opening: &str) -> Row {
    let number = |number: Option<i64>| number.map_or("-".to_owned(), |n| n.to_string());
    let percent = |at: usize| match figures.percent {
        Some(percent) => format!("{}%", percent[at]),
        None => "-".to_owned(),
    };
    let example = match (&figures.novelty, &figures.example) {
        (Some(first), _) => format!("  new: {}", game(first)),
        (None, Some(example)) if with_example => format!("  {}", game(example)),
        _ => String::new(),
    };
    let cells = vec![
        figures.games.to_string(),
        percent_of_tenths(figures.share),
        percent(0),
        percent(1),
        percent(2),
        share(figures.score),
        interval(figures),
        share(figures.expected_score),
        number(figures.elo.map(|elo| elo as i64)),
        number(figures.performance),
        figures.rated.to_string(),
        number(figures.last_year.map(i64::from)),
    ];
    Row { name, cells, end: example + opening }
}

fn add_rows(line: &TreeMove, depth: usize, said: &str, rows: &mut Vec<Row>) {
    let name = format!("{}{}", "  ".repeat(depth), line.numbered);
    // Games are shown only with the last moves.
    let is_few = line.figures.games <= FEW && line.moves.is_empty();
    rows.push(row(name, &line.figures, is_few, &named(line.opening.as_deref(), said)));
    for next in &line.moves {
        add_rows(next, depth + 1, said, rows);
    }
}

fn add_csv(played: &TreeMove, before: &str, text: &mut String) {
    let line = match before {
        "" => played.san.clone(),
        before => format!("{before} {}", played.san),
    };
    let fields = fields(&played.figures, played.opening.as_deref()).join(",");
    *text += &format!("{line},{},{},{fields}\n", played.san, played.uci);
    for next in &played.moves {
        add_csv(next, &line, text);
    }
}

/// Returns the figures as fields of CSV, in the order of [`FIGURES`].
fn fields(figures: &Figures, opening: Option<&str>) -> Vec<String> {
    let Figures { games, white, draws, black, elo, performance, last_year, .. } = *figures;
    let number = |number: Option<i64>| number.map_or(String::new(), |n| n.to_string());
    let example = match &figures.example {
        None => [const { String::new() }; 6],
        Some(named) => [
            &named.input,
            &named.game.to_string(),
            &named.white,
            &named.black,
            &named.date,
            named.result,
        ]
        .map(|text| field(text, ',')),
    };
    let counts = [
        games.to_string(),
        white.to_string(),
        draws.to_string(),
        black.to_string(),
        number(elo.map(|elo| elo as i64)),
        number(performance),
        number(last_year.map(i64::from)),
    ];
    let Figures { score, score_low, score_high, expected_score, .. } = *figures;
    let scores = [score, score_low, score_high, expected_score];
    let scores = scores.map(|score| score.map_or(String::new(), |score| score.to_string()));
    let opening = opening.map_or(String::new(), |name| field(name, ','));
    let new_since = figures.novelty.as_ref().map_or(String::new(), |first| first.date.clone());
    let last = scores.into_iter().chain([new_since, figures.rated.to_string()]);
    counts.into_iter().chain(example).chain([opening]).chain(last).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_terminal_has_fewer_columns_and_the_ends_in_lines_of_their_own() {
        let row = |name: &str, end: &str| Row {
            name: name.to_owned(),
            cells: SHOWN.iter().map(|(name, _)| name.to_uppercase()).collect(),
            end: end.to_owned(),
        };
        let rows = [row("6.Be3", "  … English Attack with a long name"), row("all", "")];
        let check = |width: Option<usize>, n_lines: usize, expected: &[&str]| {
            let (text, spared) = in_columns("move", &rows, width);
            assert_eq!(spared, expected, "{width:?}");
            assert_eq!(text.lines().count(), n_lines, "{text}");
            for line in text.lines() {
                assert!(line.chars().count() <= width.unwrap_or(usize::MAX), "{text}");
            }
            assert!(text.contains("English Attack"), "{text}");
            for (name, _) in SHOWN {
                let is_there = text.contains(&format!(" {name}"));
                assert_eq!(is_there, !expected.contains(&name), "{name}");
                assert_eq!(is_there, text.contains(&name.to_uppercase()), "{name}");
            }
        };
        check(None, 3, &[]);
        check(Some(120), 3, &[]);
        check(Some(83), 4, &[]);
        check(Some(80), 4, &["rated"]);
        check(Some(60), 4, &["95%", "exp", "perf", "rated"]);
        let most = ["share", "score", "95%", "exp", "elo", "perf", "rated", "last"];
        check(Some(34), 5, &most);
    }

    #[test]
    fn names_of_rows_begin_where_they_differ() {
        let najdorf = "Sicilian Defense: Najdorf Variation";
        let of = |name, said| named(Some(name), said);
        let english = "Sicilian Defense: Najdorf Variation, English Attack";
        assert_eq!(of(english, najdorf), "  … English Attack");
        assert_eq!(of(najdorf, najdorf), "  … Najdorf Variation");
        assert_eq!(of("Sicilian Defense", najdorf), "  Sicilian Defense");
        assert_eq!(of(english, ""), format!("  {english}"));
        assert_eq!(of("Sicilian Defense: Dragon", "Sicilian"), "  Sicilian Defense: Dragon");
        assert_eq!(named(None, najdorf), "");
    }
}

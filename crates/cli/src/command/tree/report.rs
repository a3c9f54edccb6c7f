//! Prints a tree as a table and as CSV.

use board::Position;
use survey::tree::{Example, Figures, Line, TreeMove, TreeReport, tenths};
use table::field;

use crate::terminal;

/// Maximum number of games with which a move gets an example.
const FEW: u64 = 3;

/// Columns of the figures in CSV.
const FIGURES: &str = "games,white,draws,black,elo,performance,last_year,example_input,\
                       example_game,example_white,example_black,example_date,example_result,\
                       opening,score,score_low,score_high,expected_score,new_since,rated";

/// Formats the report as a table.
pub(super) fn table(report: &TreeReport) -> String {
    let mut rows = Vec::new();
    for line in &report.moves {
        add_rows(line, 0, said(report), &mut rows);
    }
    if report.ends > 0 {
        let share = tenths(report.ends, report.figures.games);
        let ends = format!("{:>8} {:>6}", report.ends, percent_of_tenths(share));
        rows.push(("(end)".to_owned(), ends));
    }
    with_head(report, "move", rows)
}

/// Formats whole continuations as a table.
pub(super) fn table_of_lines(report: &TreeReport, lines: &[Line]) -> String {
    let rows = lines.iter().map(|line| {
        let is_few = line.figures.games <= FEW;
        (
            line.text.clone(),
            row(&line.figures, is_few) + &named(line.opening.as_deref(), said(report)),
        )
    });
    with_head(report, "line", rows.collect())
}

/// Returns rows with the position above them and all its games below.
fn with_head(report: &TreeReport, first: &str, mut rows: Vec<(String, String)>) -> String {
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
    let mut text = format!("{games} {place}{name}\n");
    if report.figures.games == 0 {
        return text;
    }
    rows.push(("all".to_owned(), row(&report.figures, report.figures.games <= FEW)));
    let width = rows.iter().map(|row| row.0.chars().count()).max();
    let width = width.unwrap_or(0).max(4);
    let heads = "games  share white  draw black  score     95%  exp   elo  perf rated  last";
    text += &format!("\n{first:<width$}    {heads}\n");
    for (name, row) in rows {
        let row = format!("{name:<width$} {row}");
        text += row.trim_end();
        text.push('\n');
    }
    text
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
fn said(report: &TreeReport) -> &str {
    let name = terminal::width().and(report.opening.as_deref());
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

/// Formats a row of the table, without its first column.
fn row(figures: &Figures, with_example: bool) -> String {
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
    format!(
        "{:>8} {:>6} {:>5} {:>5} {:>5} {:>6} {:>7} {:>4} {:>5} {:>5} {:>5} {:>5}{example}",
        figures.games,
        percent_of_tenths(figures.share),
        percent(0),
        percent(1),
        percent(2),
        share(figures.score),
        interval(figures),
        share(figures.expected_score),
        number(figures.elo.map(|elo| elo as i64)),
        number(figures.performance),
        figures.rated,
        number(figures.last_year.map(i64::from)),
    )
}

fn add_rows(line: &TreeMove, depth: usize, said: &str, rows: &mut Vec<(String, String)>) {
    let name = format!("{}{}", "  ".repeat(depth), line.numbered);
    // Games are shown only with the last moves.
    let is_few = line.figures.games <= FEW && line.moves.is_empty();
    rows.push((name, row(&line.figures, is_few) + &named(line.opening.as_deref(), said)));
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

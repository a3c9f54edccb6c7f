//! Prints a tree as a table and as CSV.

use board::Position;
use survey::tree::{Figures, Report, TreeMove, tenths};
use table::field;

/// Maximum number of games with which a move gets an example.
const FEW: u64 = 3;

/// Formats the report as a table.
pub(super) fn table(report: &Report) -> String {
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
    let mut rows = Vec::new();
    for line in &report.moves {
        add_rows(line, 0, &mut rows);
    }
    if report.ends > 0 {
        let share = tenths(report.ends, report.figures.games);
        let ends = format!("{:>8} {:>6}", report.ends, percent_of_tenths(share));
        rows.push(("(end)".to_owned(), ends));
    }
    rows.push(("all".to_owned(), row(&report.figures, report.figures.games <= FEW)));
    let width = rows.iter().map(|row| row.0.chars().count()).max();
    let width = width.unwrap_or(0).max(4);
    let heads = "games  share white  draw black   elo  perf  last";
    text += &format!("\n{:<width$}    {heads}\n", "move");
    for (name, row) in rows {
        let row = format!("{name:<width$} {row}");
        text += row.trim_end();
        text.push('\n');
    }
    text
}

/// Formats the report as CSV.
pub(super) fn csv(report: &Report) -> String {
    let mut text = "line,move,uci,games,white,draws,black,elo,performance,last_year,\
                    example_input,example_game,example_white,example_black,example_date,\
                    example_result,opening\n"
        .to_owned();
    for line in &report.moves {
        add_csv(line, "", &mut text);
    }
    text
}

fn percent_of_tenths(tenths: u64) -> String {
    format!("{}.{}%", tenths / 10, tenths % 10)
}

/// Formats a row of the table, without its first column.
fn row(figures: &Figures, with_example: bool) -> String {
    let number = |number: Option<i64>| number.map_or("-".to_owned(), |n| n.to_string());
    let percent = |at: usize| match figures.percent {
        Some(percent) => format!("{}%", percent[at]),
        None => "-".to_owned(),
    };
    let example = match &figures.example {
        Some(example) if with_example => {
            let year = example.date.get(..4).unwrap_or_default();
            let year = match year {
                "????" => String::new(),
                year => format!(" {year}"),
            };
            let (white, black) = (&example.white, &example.black);
            format!("  {white} - {black}{year}, {}", example.result)
        }
        _ => String::new(),
    };
    format!(
        "{:>8} {:>6} {:>5} {:>5} {:>5} {:>5} {:>5} {:>5}{example}",
        figures.games,
        percent_of_tenths(figures.share),
        percent(0),
        percent(1),
        percent(2),
        number(figures.elo.map(|elo| elo as i64)),
        number(figures.performance),
        number(figures.last_year.map(i64::from)),
    )
}

fn add_rows(line: &TreeMove, depth: usize, rows: &mut Vec<(String, String)>) {
    let name = format!("{}{}", "  ".repeat(depth), line.numbered);
    // Games are shown only with the last moves.
    let is_few = line.figures.games <= FEW && line.moves.is_empty();
    let opening = line.opening.as_ref().map_or(String::new(), |name| format!("  {name}"));
    rows.push((name, row(&line.figures, is_few) + &opening));
    for next in &line.moves {
        add_rows(next, depth + 1, rows);
    }
}

fn add_csv(played: &TreeMove, before: &str, text: &mut String) {
    let line = match before {
        "" => played.san.clone(),
        before => format!("{before} {}", played.san),
    };
    let Figures { games, white, draws, black, elo, performance, last_year, .. } = played.figures;
    let number = |number: Option<i64>| number.map_or(String::new(), |n| n.to_string());
    let example = match &played.figures.example {
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
    let fields = [line.clone(), played.san.clone(), played.uci.clone()].into_iter();
    let opening = played.opening.as_deref().map_or(String::new(), |name| field(name, ','));
    let fields: Vec<String> = fields.chain(counts).chain(example).chain([opening]).collect();
    *text += &fields.join(",");
    text.push('\n');
    for next in &played.moves {
        add_csv(next, &line, text);
    }
}

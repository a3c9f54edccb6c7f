//! Prints the counts as a table, as JSON and as CSV.

use board::{Move, Position, san};
use pgn::GameResult;
use serde::Serialize;
use table::field;

use super::node::{Example, Node};
use super::target::Target;

/// Maximum number of games with which a move gets an example.
const FEW: u64 = 3;

/// Report as written in JSON.
#[derive(Serialize)]
pub(super) struct Report {
    fen: String,
    /// Moves that lead to the position, if it was given by moves.
    line: Vec<String>,
    #[serde(flatten)]
    figures: Figures,
    /// Number of games that end in the position.
    ends: u64,
    moves: Vec<Line>,
    #[serde(skip)]
    few_in_all: bool,
}

/// Move, with those that follow it.
#[derive(Serialize)]
struct Line {
    /// Move as in the table, with its number.
    #[serde(skip)]
    numbered: String,
    #[serde(rename = "move")]
    san: String,
    uci: String,
    #[serde(flatten)]
    figures: Figures,
    moves: Vec<Line>,
}

#[derive(Serialize)]
struct Figures {
    games: u64,
    /// Share in the games of the position before, in tenths of a percent.
    #[serde(skip)]
    share: u64,
    white: u64,
    draws: u64,
    black: u64,
    /// Shares of the results in percent of the games with a result.
    #[serde(skip)]
    percent: Option<[u64; 3]>,
    elo: Option<u64>,
    performance: Option<i64>,
    last_year: Option<u16>,
    example: Option<Named>,
}

#[derive(Serialize)]
struct Named {
    input: String,
    game: u64,
    white: String,
    black: String,
    date: String,
    result: String,
}

impl Report {
    /// Creates the report, with moves played in at least `min_games` games.
    pub(super) fn new(root: &Node, target: &Target, min_games: u64) -> Report {
        let lines = Lines { target, min_games };
        Report {
            fen: target.position.fen(),
            line: target.moves.clone(),
            figures: figures(root, root.games),
            ends: root.ends,
            moves: lines.behind(root, &target.position, 0),
            few_in_all: root.games <= FEW,
        }
    }

    pub(super) fn table(&self) -> String {
        let place = match (&self.line[..], self.fen.as_str()) {
            (_, fen) if fen == Position::START.fen() => "the normal start".to_owned(),
            ([], fen) => fen.to_owned(),
            (line, _) => format!("the position after {}", line.join(" ")),
        };
        let games = match self.figures.games {
            1 => "1 game has".to_owned(),
            n => format!("{n} games have"),
        };
        let mut text = format!("{games} {place}\n");
        if self.figures.games == 0 {
            return text;
        }
        let mut rows = Vec::new();
        for line in &self.moves {
            line.add_rows(0, &mut rows);
        }
        if self.ends > 0 {
            let share = tenths(self.ends, self.figures.games);
            let ends = format!("{:>8} {:>6}", self.ends, percent_of_tenths(share));
            rows.push(("(end)".to_owned(), ends));
        }
        rows.push(("all".to_owned(), self.figures.row(self.few_in_all)));
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

    pub(super) fn csv(&self) -> String {
        let mut text = "line,move,uci,games,white,draws,black,elo,performance,last_year,\
                        example_input,example_game,example_white,example_black,example_date,\
                        example_result\n"
            .to_owned();
        for line in &self.moves {
            line.add_csv("", &mut text);
        }
        text
    }
}

struct Lines<'t> {
    target: &'t Target,
    min_games: u64,
}

impl Lines<'_> {
    /// Returns the moves after a position, the most frequent ones first.
    fn behind(&self, node: &Node, position: &Position, behind: usize) -> Vec<Line> {
        let frequent = node.moves.iter();
        let mut named: Vec<(String, &(Move, Node))> = frequent
            .filter(|(_, next)| next.games >= self.min_games)
            .map(|next| (san(position, next.0).to_string(), next))
            .collect();
        named.sort_by(|a, b| (b.1.1.games, &a.0).cmp(&(a.1.1.games, &b.0)));
        let line = |(san, (mv, next)): (String, &(Move, Node))| Line {
            numbered: self.target.move_number(behind) + &san,
            san,
            uci: mv.to_string(),
            figures: figures(next, node.games),
            moves: self.behind(next, &position.play(*mv), behind + 1),
        };
        named.into_iter().map(line).collect()
    }
}

fn tenths(n: u64, of: u64) -> u64 {
    (1000 * n + of / 2).checked_div(of).unwrap_or(0)
}

fn percent_of_tenths(tenths: u64) -> String {
    format!("{}.{}%", tenths / 10, tenths % 10)
}

fn figures(node: &Node, of: u64) -> Figures {
    use GameResult::{BlackWins, Draw, WhiteWins};
    let results = [WhiteWins, Draw, BlackWins];
    let percent = results.map(|result| node.percent(result));
    let [white, draws, black] = results.map(|result| node.results[result as usize]);
    Figures {
        games: node.games,
        share: tenths(node.games, of),
        white,
        draws,
        black,
        percent: match percent {
            [Some(white), Some(draws), Some(black)] => Some([white, draws, black]),
            _ => None,
        },
        elo: node.elo(),
        performance: node.performance(),
        last_year: Some(node.last_year).filter(|&year| year > 0),
        example: node.example.as_deref().map(Named::new),
    }
}

impl Named {
    fn new(example: &Example) -> Named {
        Named {
            input: example.input.to_string(),
            game: example.number_in_input,
            white: example.white.clone(),
            black: example.black.clone(),
            date: example.date.to_string(),
            result: example.result.to_string(),
        }
    }
}

impl Figures {
    /// Formats a row of the table, without its first column.
    fn row(&self, with_example: bool) -> String {
        let number = |number: Option<i64>| number.map_or("-".to_owned(), |n| n.to_string());
        let percent = |at: usize| match self.percent {
            Some(percent) => format!("{}%", percent[at]),
            None => "-".to_owned(),
        };
        let example = match &self.example {
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
            self.games,
            percent_of_tenths(self.share),
            percent(0),
            percent(1),
            percent(2),
            number(self.elo.map(|elo| elo as i64)),
            number(self.performance),
            number(self.last_year.map(i64::from)),
        )
    }
}

impl Line {
    fn add_rows(&self, depth: usize, rows: &mut Vec<(String, String)>) {
        let name = format!("{}{}", "  ".repeat(depth), self.numbered);
        // Games are shown only with the last moves.
        let is_few = self.figures.games <= FEW && self.moves.is_empty();
        rows.push((name, self.figures.row(is_few)));
        for line in &self.moves {
            line.add_rows(depth + 1, rows);
        }
    }

    fn add_csv(&self, before: &str, text: &mut String) {
        let line = match before {
            "" => self.san.clone(),
            before => format!("{before} {}", self.san),
        };
        let Figures { games, white, draws, black, elo, performance, last_year, .. } = self.figures;
        let number = |number: Option<i64>| number.map_or(String::new(), |n| n.to_string());
        let example = match &self.figures.example {
            None => [const { String::new() }; 6],
            Some(named) => [
                &named.input,
                &named.game.to_string(),
                &named.white,
                &named.black,
                &named.date,
                &named.result,
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
        let fields = [line.clone(), self.san.clone(), self.uci.clone()].into_iter();
        let fields: Vec<String> = fields.chain(counts).chain(example).collect();
        *text += &fields.join(",");
        text.push('\n');
        for next in &self.moves {
            next.add_csv(&line, text);
        }
    }
}

//! Report of a tree: its moves with their figures.

use board::{Move, Position, san};
use openings::Openings;
use pgn::{Date, GameResult};
use serde::Serialize;
use table::rounded;

use super::Tree;
use super::node::{Example, TreeNode};
use crate::target::Target;

/// Report as written in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct TreeReport {
    /// The position.
    pub fen: String,
    /// Moves that lead to the position, if it was given by moves.
    pub line: Vec<String>,
    /// Name of the opening with the position.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Figures of the position.
    #[serde(flatten)]
    pub figures: Figures,
    /// Number of games that end in the position.
    pub ends: u64,
    /// Moves played in the position, the most frequent ones first.
    pub moves: Vec<TreeMove>,
}

/// Move, with those that follow it.
#[derive(Clone, Debug, Serialize)]
pub struct TreeMove {
    /// Move with its number.
    #[serde(skip)]
    pub numbered: String,
    /// Move in SAN.
    #[serde(rename = "move")]
    pub san: String,
    /// Move as two squares.
    pub uci: String,
    /// Name of the opening with the position after the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Figures of the move.
    #[serde(flatten)]
    pub figures: Figures,
    /// Moves that follow, the most frequent ones first.
    pub moves: Vec<TreeMove>,
}

/// Figures of the games with a position or a move.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Number of games.
    pub games: u64,
    /// Share in the games of the position before, in tenths of a percent.
    #[serde(skip)]
    pub share: u64,
    /// Number of games that White won.
    pub white: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of games that Black won.
    pub black: u64,
    /// Shares of the results in percent of the games with a result: White, draws, Black.
    #[serde(skip)]
    pub percent: Option<[u64; 3]>,
    /// Average rating of the player who makes the move; in the position, of the player to move.
    pub elo: Option<u64>,
    /// Performance of this player.
    pub performance: Option<i64>,
    /// Number of games of the performance: those with a result and a rated opponent.
    pub rated: u64,
    /// Score of this player, from 0 to 1, in games with a result.
    pub score: Option<f64>,
    /// Lower end of the 95 % interval of the score.
    pub score_low: Option<f64>,
    /// Upper end of the interval.
    pub score_high: Option<f64>,
    /// Score that the Elo formula expects of this player.
    pub expected_score: Option<f64>,
    /// Year of the last game.
    pub last_year: Option<u16>,
    /// Game of the strongest players.
    pub example: Option<Example>,
    /// First game, if the move is new in a position that is not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub novelty: Option<Example>,
}

/// Moves that follow the position, with the figures of the last one.
#[derive(Clone, Debug, Serialize)]
pub struct Line {
    /// The moves with their numbers.
    #[serde(rename = "line")]
    pub text: String,
    /// Name of the opening with the last position that has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Figures of the games with all these moves; the share is that in all games.
    #[serde(flatten)]
    pub figures: Figures,
}

impl Tree {
    /// Returns the report, with moves played in at least `min_games` games.
    #[must_use]
    pub fn report(&self, target: &Target, min_games: u64) -> TreeReport {
        let root = &self.tally.counts;
        let openings = &Openings::default();
        let lines = MoveTable { target, min_games, openings, since: self.since };
        let is_new = self.since.is_some_and(|since| root.first_since(since).is_some());
        TreeReport {
            fen: target.position.fen(),
            line: target.moves.clone(),
            opening: name(openings, &target.position),
            figures: figures(root, root.games),
            ends: root.ends,
            moves: lines.behind(root, &target.position, 0, is_new),
        }
    }
}

impl TreeReport {
    /// Returns the whole continuations: all moves from the position to the last one that is
    /// counted, the most frequent ones first.
    #[must_use]
    pub fn lines(&self) -> Vec<Line> {
        let mut lines = Vec::new();
        for next in &self.moves {
            self.add_lines(next, "", None, &mut lines);
        }
        lines.sort_by(|a: &Line, b: &Line| {
            b.figures.games.cmp(&a.figures.games).then_with(|| a.text.cmp(&b.text))
        });
        lines
    }

    fn add_lines(
        &self,
        played: &TreeMove,
        before: &str,
        opening: Option<&String>,
        lines: &mut Vec<Line>,
    ) {
        let text = joined(before, played);
        let opening = played.opening.as_ref().or(opening);
        if played.moves.is_empty() {
            let share = tenths(played.figures.games, self.figures.games);
            let figures = Figures { share, ..played.figures.clone() };
            lines.push(Line { text: text.clone(), opening: opening.cloned(), figures });
        }
        for next in &played.moves {
            self.add_lines(next, &text, opening, lines);
        }
    }
}

/// Returns a line with another move. Only the first of Black's moves has a number.
pub(crate) fn joined(before: &str, played: &TreeMove) -> String {
    match before {
        "" => played.numbered.clone(),
        before if played.numbered.contains("...") => format!("{before} {}", played.san),
        before => format!("{before} {}", played.numbered),
    }
}

struct MoveTable<'t> {
    target: &'t Target,
    min_games: u64,
    openings: &'t Openings,
    /// Date from which moves may be new.
    since: Option<Date>,
}

impl MoveTable<'_> {
    /// Returns the moves after a position, the most frequent ones first.
    fn behind(
        &self,
        node: &TreeNode,
        position: &Position,
        behind: usize,
        is_new: bool,
    ) -> Vec<TreeMove> {
        let frequent = node.moves.iter();
        let mut named: Vec<(String, &(Move, TreeNode))> = frequent
            .filter(|(_, next)| next.games >= self.min_games)
            .map(|next| (san(position, next.0).to_string(), next))
            .collect();
        named.sort_by(|a, b| (b.1.1.games, &a.0).cmp(&(a.1.1.games, &b.0)));
        let line = |(san, (mv, next)): (String, &(Move, TreeNode))| {
            let after = position.play(*mv);
            let novelty = self.since.filter(|_| !is_new).and_then(|since| next.first_since(since));
            let is_new = is_new || novelty.is_some();
            let figures = Figures { novelty: novelty.cloned(), ..figures(next, node.games) };
            TreeMove {
                numbered: self.target.move_number(behind) + &san,
                san,
                uci: mv.to_string(),
                opening: name(self.openings, &after),
                figures,
                moves: self.behind(next, &after, behind + 1, is_new),
            }
        };
        named.into_iter().map(line).collect()
    }
}

fn name(openings: &Openings, position: &Position) -> Option<String> {
    openings.at(position).map(|opening| opening.name().to_owned())
}

/// Returns the share of a number in another one, in tenths of a percent.
#[must_use]
pub fn tenths(n: u64, of: u64) -> u64 {
    (1000 * n + of / 2).checked_div(of).unwrap_or(0)
}

fn figures(node: &TreeNode, of: u64) -> Figures {
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
        elo: node.score.elo(),
        performance: node.score.performance(),
        rated: node.score.rated(),
        score: node.score.share().map(rounded),
        score_low: node.score.interval().map(|[low, _]| rounded(low)),
        score_high: node.score.interval().map(|[_, high]| rounded(high)),
        expected_score: node.score.expected().map(rounded),
        last_year: Some(node.last_year).filter(|&year| year > 0),
        example: node.best.as_deref().map(|best| best.example.clone()),
        novelty: None,
    }
}

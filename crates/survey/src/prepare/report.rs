//! Facts for preparation, as written in JSON. The page shows the same ones.

use std::collections::BTreeMap;

use board::{Color, san};
use pgn::Date;
use serde::Serialize;
use table::{Points, Score, difference, rounded};

use super::Question;
use super::annotations::{Clocks, Evaluations, MOVES, Moves, Phase};
use super::features::Feature;
use super::profile::{Exit, FullGame, Group, Profile};
use crate::Count;
use crate::target::numbered;
use crate::tree::{self, Example, TreeMove, joined};

/// Number of names that are listed.
const NAMES: usize = 10;

/// Number of openings that are listed.
const OPENINGS: usize = 20;

/// Number of positions that are listed at which games leave the named openings.
const EXITS: usize = 20;

/// Number of next moves that are listed with each of them.
const NEXT: usize = 3;

/// Facts about the games of a player with one color, or with a position.
#[derive(Clone, Debug, Serialize)]
pub struct PrepareReport {
    /// Parts of the name of the player, separated by ` / `; `None` for all players.
    pub player: Option<String>,
    /// Color of the player: `white` or `black`.
    pub side: &'static str,
    /// Name of the opening with the position, if it has one.
    pub opening: Option<String>,
    /// Names of the players that are meant, the most frequent ones first.
    pub players: Vec<Count>,
    /// Parts of the name of the player that no counted game has.
    pub absent: Vec<String>,
    /// Names of this color that may be other spellings of the player, whose games are not counted.
    pub other_spellings: Vec<Count>,
    /// The most frequent opponents.
    pub opponents: Vec<Count>,
    /// First date of the games.
    pub first_date: Option<String>,
    /// Last date of the games.
    pub last_date: Option<String>,
    /// Figures of all games.
    #[serde(flatten)]
    pub figures: Figures,
    /// Games that are not counted.
    pub omitted: Omissions,
    /// Number of games that a move of the tree has at least.
    pub min_games: u64,
    /// Opening tree.
    pub tree: tree::TreeReport,
    /// Figures by year.
    pub years: Vec<Year>,
    /// Figures by the rating of the opponent.
    pub ratings: Vec<Rating>,
    /// Figures by opening, the most frequent ones first.
    pub openings: Vec<Opening>,
    /// Number of openings, with those that are not listed.
    pub distinct_openings: u64,
    /// Positions at which the games leave the named openings.
    pub theory: Theory,
    /// Pawn structures that occurred.
    pub structures: Vec<FeatureFigures>,
    /// Endings that occurred.
    pub endings: Vec<FeatureFigures>,
    /// Time trouble; `None` if no game has clocks.
    pub time: Option<Time>,
    /// Mistakes; `None` if no game has evaluations.
    pub mistakes: Option<Mistakes>,
    /// Model games.
    pub model_games: Vec<ModelGame>,
    /// Games and moves since a date; `None` if no date was given.
    pub new: Option<New>,
}

/// Number of games that are not counted, by the reason, and of those counted by an assumption.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Omissions {
    /// Games of unknown variants that were read by the rules of chess.
    pub assumed: u64,
    /// Games of variants with other rules.
    pub other_rules: u64,
    /// Games that cannot be read.
    pub skipped: u64,
    /// Games of the player that do not have the position.
    pub elsewhere: u64,
}

/// Results of games from the side of the player.
#[derive(Clone, Debug, Serialize)]
pub struct Figures {
    /// Number of games.
    pub games: u64,
    /// Number of games that the player won.
    pub wins: u64,
    /// Number of draws.
    pub draws: u64,
    /// Number of games that the player lost.
    pub losses: u64,
    /// Score of the player, from 0 to 1, in games with a result.
    pub score: Option<f64>,
    /// Lower end of its 95 % interval.
    pub score_low: Option<f64>,
    /// Upper end of the interval.
    pub score_high: Option<f64>,
    /// Score that the Elo formula expects of the player.
    pub expected_score: Option<f64>,
    /// Average rating of the player.
    pub elo: Option<u64>,
    /// Performance of the player.
    pub performance: Option<i64>,
    /// Number of games of the performance: those with a result and a rated opponent.
    pub rated: u64,
}

/// Games of a year.
#[derive(Clone, Debug, Serialize)]
pub struct Year {
    /// The year; `None` if it is unknown.
    pub year: Option<u16>,
    /// Figures of its games.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Games against opponents of like ratings.
#[derive(Clone, Debug, Serialize)]
pub struct Rating {
    /// Lowest rating of a hundred; `None` for opponents without a rating.
    pub rating: Option<u16>,
    /// Figures of the games.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Games with an opening.
#[derive(Clone, Debug, Serialize)]
pub struct Opening {
    /// Name of the opening, or of its family; `None` for games without one.
    pub opening: Option<String>,
    /// Figures of the games.
    #[serde(flatten)]
    pub figures: Figures,
    /// Number of games by year.
    pub years: BTreeMap<u16, u64>,
}

/// Positions at which the games leave the named openings.
#[derive(Clone, Debug, Serialize)]
pub struct Theory {
    /// Median of the number of the last move with a name.
    pub median_move: Option<u16>,
    /// Number of games in which the player made the first move without a name.
    pub left_by_player: u64,
    /// Number of games in which the opponent did.
    pub left_by_opponent: u64,
    /// Number of games that end with a name.
    pub not_left: u64,
    /// The positions by their names, the most frequent ones first.
    pub positions: Vec<LastNamed>,
    /// Number of names, with those that are not listed.
    pub distinct_positions: u64,
}

/// Last position of games with the name of an opening.
#[derive(Clone, Debug, Serialize)]
pub struct LastNamed {
    /// ECO code of the opening.
    pub eco: Option<String>,
    /// Name of the opening; `None` for games without one.
    pub opening: Option<String>,
    /// Figures of the games.
    #[serde(flatten)]
    pub figures: Figures,
    /// Median of the number of the last move with a name.
    pub median_move: Option<u16>,
    /// Number of games in which the player made the next move.
    pub left_by_player: u64,
    /// Number of games in which the opponent did.
    pub left_by_opponent: u64,
    /// The most frequent next moves.
    pub next: Vec<Count>,
}

/// Games with a pawn structure or an ending.
#[derive(Clone, Debug, Serialize)]
pub struct FeatureFigures {
    /// Name of the structure or ending.
    pub name: &'static str,
    /// Player who has it: `player`, `opponent` or `both`.
    pub owner: &'static str,
    /// Query that finds the games.
    pub query: String,
    /// Figures of the games.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Time trouble in games with clocks.
#[derive(Clone, Debug, Serialize)]
pub struct Time {
    /// Number of games with clocks of both players.
    pub games: u64,
    /// Time that was left after some moves.
    pub left: Vec<TimeLeft>,
    /// Figures by who was in time trouble: `nobody`, `player`, `opponent` or `both`.
    pub trouble: Vec<TimeTrouble>,
}

/// Average share of the first clock that was left after a move.
#[derive(Clone, Debug, Serialize)]
pub struct TimeLeft {
    /// Number of the move.
    #[serde(rename = "move")]
    pub number: u16,
    /// Share of the player.
    pub player: Option<f64>,
    /// Share of the opponent.
    pub opponent: Option<f64>,
    /// Number of games in which the player has a clock at this move.
    pub games: u64,
}

/// Games by who was in time trouble.
#[derive(Clone, Debug, Serialize)]
pub struct TimeTrouble {
    /// Side in time trouble.
    pub who: &'static str,
    /// Figures of the games.
    #[serde(flatten)]
    pub figures: Figures,
}

/// Mistakes in games with evaluations.
#[derive(Clone, Debug, Serialize)]
pub struct Mistakes {
    /// Number of games with evaluated moves.
    pub games: u64,
    /// Moves by phase, and those in time trouble, of both players.
    pub phases: Vec<MoveFigures>,
}

/// Evaluated moves of a player.
#[derive(Clone, Debug, Serialize)]
pub struct MoveFigures {
    /// `opening`, `middlegame`, `endgame` or `time trouble`.
    pub phase: &'static str,
    /// Whose moves: `player` or `opponent`.
    pub who: &'static str,
    /// Number of moves with an evaluation before and after them.
    pub moves: u64,
    /// Average loss in centipawns.
    pub average_loss: Option<f64>,
    /// Number of inaccuracies.
    pub inaccuracies: u64,
    /// Number of mistakes.
    pub mistakes: u64,
    /// Number of blunders.
    pub blunders: u64,
}

/// Model game.
#[derive(Clone, Debug, Serialize)]
pub struct ModelGame {
    /// Input that contains the game.
    pub input: String,
    /// Number of the game in its input.
    pub game: u64,
    /// Tags of the game, as far as they are known.
    pub tags: BTreeMap<&'static str, String>,
    /// Result of the game.
    pub result: &'static str,
    /// The moves.
    pub moves: String,
    /// Positions that are shown.
    pub boards: Vec<ModelBoard>,
}

/// Position of a model game.
#[derive(Clone, Debug, Serialize)]
pub struct ModelBoard {
    /// The position.
    pub fen: String,
    /// Move that led to the position, with its number.
    pub after: String,
    /// Reason why the position is shown.
    pub why: &'static str,
}

/// Games and moves since a date.
#[derive(Clone, Debug, Serialize)]
pub struct New {
    /// The date.
    pub since: String,
    /// Figures of the games since then.
    #[serde(flatten)]
    pub figures: Figures,
    /// Figures of the games before, or without a date.
    pub before: Figures,
    /// Difference of the scores.
    pub difference: Option<f64>,
    /// Lower end of its 95 % interval.
    pub difference_low: Option<f64>,
    /// Upper end of the interval.
    pub difference_high: Option<f64>,
    /// Moves of the tree that were not played before, the most frequent ones first.
    pub moves: Vec<NewMove>,
}

/// Move that was not played before a date.
#[derive(Clone, Debug, Serialize)]
pub struct NewMove {
    /// The moves from the position on.
    pub line: String,
    /// Number of games with it.
    pub games: u64,
    /// Score of the player.
    pub score: Option<f64>,
    /// Game in which the move was played first.
    pub first: Example,
}

impl Figures {
    fn of(group: &Group) -> Figures {
        Figures::new(group.games, &group.score)
    }

    /// Returns the figures of a number of games and their score.
    #[must_use]
    pub fn new(games: u64, score: &Score) -> Figures {
        Figures {
            games,
            wins: score.n_of(Points::Win),
            draws: score.n_of(Points::Draw),
            losses: score.n_of(Points::Loss),
            score: score.share().map(rounded),
            score_low: score.interval().map(|[low, _]| rounded(low)),
            score_high: score.interval().map(|[_, high]| rounded(high)),
            expected_score: score.expected().map(rounded),
            elo: score.elo(),
            performance: score.performance(),
            rated: score.rated(),
        }
    }
}

/// Returns the least key that at least half of the games have or stay below.
fn median(counts: &BTreeMap<u16, u64>) -> Option<u16> {
    let all: u64 = counts.values().sum();
    let mut so_far = 0;
    let reaches_half = |&(_, n): &(&u16, &u64)| {
        so_far += n;
        2 * so_far >= all
    };
    counts.iter().find(reaches_half).map(|(&key, _)| key)
}

/// Returns a text unless it is empty.
fn named(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn known<N: Default + PartialEq>(number: N) -> Option<N> {
    (number != N::default()).then_some(number)
}

impl PrepareReport {
    /// Beginning of a report in JSON, by which an earlier one is recognized.
    pub const BEGINNING: &str = "{\n  \"player\": ";

    pub(super) fn new(
        question: &Question<'_>,
        profile: &Profile,
        tree: tree::TreeReport,
        min_games: u64,
        features: &[Feature],
        models: &[FullGame],
        omitted: Omissions,
    ) -> PrepareReport {
        let of_kind = |is_ending: bool| {
            let found = features.iter();
            let found = found.filter(|one| one.is_ending == is_ending && one.group.games > 0);
            let mut found: Vec<FeatureFigures> = found.map(FeatureFigures::of).collect();
            found.sort_by_key(|feature| std::cmp::Reverse(feature.figures.games));
            found
        };
        let mut openings: Vec<Opening> = profile.openings.iter().map(Opening::of).collect();
        openings.sort_by_key(|opening| std::cmp::Reverse(opening.figures.games));
        openings.truncate(OPENINGS);
        let date = |date: Date| date.to_string();
        PrepareReport {
            player: (!question.players.is_empty()).then(|| question.players.join(" / ")),
            side: if question.side == Color::White { "white" } else { "black" },
            opening: tree.opening.clone(),
            players: profile.names[0].top(NAMES),
            absent: profile.absent(question.players),
            other_spellings: profile.other_spellings(),
            opponents: profile.names[1].top(NAMES),
            first_date: profile.dates.map(|(first, _)| date(first)),
            last_date: profile.dates.map(|(_, last)| date(last)),
            figures: Figures::of(&profile.all),
            omitted,
            min_games,
            years: of_groups(&profile.years, |year, figures| Year { year, figures }),
            ratings: of_groups(&profile.ratings, |rating, figures| Rating { rating, figures }),
            openings,
            distinct_openings: profile.openings.len() as u64,
            theory: Theory::of(profile),
            structures: of_kind(false),
            endings: of_kind(true),
            time: Time::of(&profile.clocks),
            mistakes: Mistakes::of(&profile.evaluations),
            model_games: models.iter().map(ModelGame::of).collect(),
            new: question.since.map(|since| New::of(since, profile, &tree)),
            tree,
        }
    }
}

/// Returns the groups in their order, the unknown one last.
fn of_groups<T>(groups: &BTreeMap<u16, Group>, of: impl Fn(Option<u16>, Figures) -> T) -> Vec<T> {
    let mut keys: Vec<(&u16, &Group)> = groups.iter().collect();
    keys.sort_by_key(|(key, _)| (**key == 0, **key));
    keys.into_iter().map(|(&key, group)| of(known(key), Figures::of(group))).collect()
}

impl Opening {
    fn of((name, (group, years)): (&String, &(Group, BTreeMap<u16, u64>))) -> Opening {
        let years = years.iter().filter(|(year, _)| **year > 0);
        Opening {
            opening: named(name),
            figures: Figures::of(group),
            years: years.map(|(&year, &n)| (year, n)).collect(),
        }
    }
}

impl FeatureFigures {
    fn of(feature: &Feature) -> FeatureFigures {
        FeatureFigures {
            name: feature.name,
            owner: feature.owner.as_str(),
            query: feature.query.clone(),
            figures: Figures::of(&feature.group),
        }
    }
}

impl Theory {
    fn of(profile: &Profile) -> Theory {
        let mut all = Exit::default();
        for exit in profile.exits.values() {
            super::profile::add_counts(&mut all.moves, exit.moves.clone());
            for (n, more) in all.left_by.iter_mut().zip(exit.left_by) {
                *n += more;
            }
        }
        let mut positions: Vec<LastNamed> = profile.exits.iter().map(LastNamed::of).collect();
        positions.sort_by_key(|position| std::cmp::Reverse(position.figures.games));
        positions.truncate(EXITS);
        let [left_by_player, left_by_opponent, not_left] = all.left_by;
        Theory {
            median_move: median(&all.moves),
            left_by_player,
            left_by_opponent,
            not_left,
            positions,
            distinct_positions: profile.exits.len() as u64,
        }
    }
}

impl LastNamed {
    fn of(((eco, name), exit): (&(String, String), &Exit)) -> LastNamed {
        let next = exit.next.iter().map(|(name, &count)| Count { name: name.clone(), count });
        let mut next: Vec<Count> = next.collect();
        next.sort_by_key(|next| std::cmp::Reverse(next.count));
        next.truncate(NEXT);
        LastNamed {
            eco: named(eco),
            opening: named(name),
            figures: Figures::of(&exit.group),
            median_move: median(&exit.moves),
            left_by_player: exit.left_by[0],
            left_by_opponent: exit.left_by[1],
            next,
        }
    }
}

impl Time {
    fn of(clocks: &Clocks) -> Option<Time> {
        let share = |(sum, n): (u64, u64)| (n > 0).then(|| rounded(sum as f64 / n as f64 / 1e4));
        let left = MOVES.iter().zip(&clocks.left).map(|(&number, &[own, other])| TimeLeft {
            number,
            player: share(own),
            opponent: share(other),
            games: own.1,
        });
        let left = left.filter(|left| left.player.is_some() || left.opponent.is_some());
        let [[nobody, opponent], [player, both]] = &clocks.trouble;
        let groups =
            [("nobody", nobody), ("player", player), ("opponent", opponent), ("both", both)];
        let trouble =
            groups.map(|(who, group)| TimeTrouble { who, figures: Figures::of(group) }).to_vec();
        let games = clocks.games;
        (games > 0).then(|| Time { games, left: left.collect(), trouble })
    }
}

impl Mistakes {
    fn of(evaluations: &Evaluations) -> Option<Mistakes> {
        let phases = Phase::NAMES.into_iter().zip(evaluations.phases);
        let all = phases.chain([("time trouble", evaluations.in_trouble)]);
        let phases = all.flat_map(|(phase, [own, other])| {
            [("player", own), ("opponent", other)]
                .map(|(who, moves)| MoveFigures::of(phase, who, moves))
        });
        let phases = phases.filter(|figures| figures.moves > 0).collect();
        let games = evaluations.games;
        (games > 0).then_some(Mistakes { games, phases })
    }
}

impl MoveFigures {
    fn of(phase: &'static str, who: &'static str, moves: Moves) -> MoveFigures {
        let Moves { moves, loss, faults: [inaccuracies, mistakes, blunders] } = moves;
        let average = (moves > 0).then(|| (loss as f64 * 10.0 / moves as f64).round() / 10.0);
        MoveFigures { phase, who, moves, average_loss: average, inaccuracies, mistakes, blunders }
    }
}

impl ModelGame {
    fn of(game: &FullGame) -> ModelGame {
        let n = game.moves.len();
        let middle = game.named + (n - game.named.min(n)) / 2;
        let wanted =
            [(game.named, "the opening ends"), (middle, "in between"), (n, "the game ends")];
        let (mut position, mut text, mut boards) = (game.start, String::new(), Vec::new());
        let mut after = String::new();
        for at in 0..=n {
            if let Some((_, why)) = wanted.iter().find(|(shown, _)| *shown == at && at > 0) {
                boards.push(ModelBoard { fen: position.fen(), after: after.clone(), why });
            }
            let Some(&mv) = game.moves.get(at) else {
                break;
            };
            let san = san(&position, mv);
            after = format!("{}{san}", numbered(&position, 0));
            if !text.is_empty() {
                text.push(' ');
            }
            let is_first = text.is_empty() || position.turn == Color::White;
            text += &if is_first { after.clone() } else { san.to_string() };
            position.play_mut(mv);
        }
        ModelGame {
            input: game.input.clone(),
            game: game.game,
            tags: game.tags.iter().cloned().collect(),
            result: game.result,
            moves: text,
            boards,
        }
    }
}

impl New {
    fn of(since: Date, profile: &Profile, tree: &tree::TreeReport) -> New {
        let [new, old] = &profile.since;
        let difference = difference(&new.score, &old.score);
        let mut moves = Vec::new();
        for next in &tree.moves {
            add_new(next, "", &mut moves);
        }
        moves.sort_by_key(|new: &NewMove| std::cmp::Reverse(new.games));
        New {
            since: since.to_string(),
            figures: Figures::of(new),
            before: Figures::of(old),
            difference: difference.map(|(middle, _)| rounded(middle)),
            difference_low: difference.map(|(_, [low, _])| rounded(low)),
            difference_high: difference.map(|(_, [_, high])| rounded(high)),
            moves,
        }
    }
}

/// Adds the new moves from a move on.
fn add_new(played: &TreeMove, before: &str, moves: &mut Vec<NewMove>) {
    let line = joined(before, played);
    if let Some(first) = &played.figures.novelty {
        let (games, score) = (played.figures.games, played.figures.score);
        moves.push(NewMove { line: line.clone(), games, score, first: first.clone() });
    }
    for next in &played.moves {
        add_new(next, &line, moves);
    }
}

/// Formats a median.
pub(super) fn median_text(median: Option<u16>) -> String {
    median.map_or_else(|| "–".to_owned(), |median| median.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_games_are_at_the_median_or_below() {
        let check = |counts: &[(u16, u64)], expected: Option<u16>| {
            assert_eq!(median(&counts.iter().copied().collect()), expected, "{counts:?}");
        };
        check(&[], None);
        check(&[(3, 1)], Some(3));
        check(&[(3, 1), (5, 1), (9, 1)], Some(5));
        check(&[(3, 2), (5, 2)], Some(3));
        check(&[(3, 1), (5, 9)], Some(5));
    }
}

//! Report of the counts.

use pgn::GameResult;
use serde::Serialize;

use super::{Stats, TagCounts};
use crate::Count;

impl Stats {
    /// Returns the report, with the `top` most frequent names of each kind.
    #[must_use]
    pub fn report(&self, top: usize) -> StatsReport {
        let TagCounts { results, players, events, openings, years, .. } = &self.tags;
        let results =
            [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw, GameResult::Unknown]
                .map(|result| Count { name: result.to_string(), count: results[result as usize] });
        let faults =
            self.faults.iter().map(|(kind, count)| Count { name: kind.to_string(), count: *count });
        let lines = Count {
            name: "line without a puzzle or position".to_owned(),
            count: self.left_out - self.n_skipped,
        };
        let faults = faults.chain((lines.count > 0).then_some(lines));
        StatsReport {
            files: self.files,
            bytes: self.bytes,
            games: self.games,
            games_left_out: self.left_out,
            positions: self.positions,
            plies: self.plies,
            games_of_unknown_rules: self.n_unknown_rules,
            average_plies: match self.n_read - self.n_unknown_rules {
                0 => 0.0,
                read => (self.plies as f64 / read as f64 * 10.0).round() / 10.0,
            },
            longest_game_plies: self.longest,
            variations: self.variations,
            games_with_variations: self.games_with_variations,
            comments: self.comments,
            annotation_glyphs: self.annotations,
            games_from_fen: self.fens,
            games_with_date: years.values().sum(),
            first_date: self.dates.map(|dates| dates.0.to_string()),
            last_date: self.dates.map(|dates| dates.1.to_string()),
            results: results.into(),
            distinct_players: players.n_distinct(),
            players: players.top(top),
            distinct_events: events.n_distinct(),
            events: events.top(top),
            openings: openings.top(top),
            variants: self.variants.top(top),
            tags: self.tag_names.top(top.max(20)),
            faulty_games: self.faulty,
            faults: faults.collect(),
        }
    }
}

/// Report as written in JSON.
#[derive(Clone, Debug, Serialize)]
pub struct StatsReport {
    /// Number of files that could be read, at least in part.
    pub files: u64,
    /// Number of bytes of the games.
    pub bytes: u64,
    /// Number of games.
    pub games: u64,
    /// Number of games that cannot be read.
    pub games_left_out: u64,
    /// Number of positions, those of variations included.
    pub positions: u64,
    /// Number of half-moves of main lines.
    pub plies: u64,
    /// Number of games whose moves follow no known rules.
    pub games_of_unknown_rules: u64,
    /// Average number of half-moves.
    pub average_plies: f64,
    /// Number of half-moves of the longest game.
    pub longest_game_plies: u64,
    /// Number of variations.
    pub variations: u64,
    /// Number of games with variations.
    pub games_with_variations: u64,
    /// Number of comments.
    pub comments: u64,
    /// Number of annotation glyphs.
    pub annotation_glyphs: u64,
    /// Number of games that start from a FEN.
    pub games_from_fen: u64,
    /// Number of games whose year is known.
    pub games_with_date: u64,
    /// First date of a game.
    pub first_date: Option<String>,
    /// Last date of a game.
    pub last_date: Option<String>,
    /// Number of games of each result.
    pub results: Vec<Count>,
    /// Number of players.
    pub distinct_players: u64,
    /// The most frequent players.
    pub players: Vec<Count>,
    /// Number of events.
    pub distinct_events: u64,
    /// The most frequent events.
    pub events: Vec<Count>,
    /// The most frequent ECO codes.
    pub openings: Vec<Count>,
    /// The most frequent variants.
    pub variants: Vec<Count>,
    /// The most frequent tags.
    pub tags: Vec<Count>,
    /// Number of games with faults.
    pub faulty_games: u64,
    /// Number of faults of each kind.
    pub faults: Vec<Count>,
}

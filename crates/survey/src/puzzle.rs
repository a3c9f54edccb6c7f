//! Exercises: positions of games with one solution.
//!
//! A [`PuzzleFinder`] looks at the positions of a game. A mate is proved by trying all moves; a
//! move is the only good one if an engine says so ([`Analyst`]); and without an engine, the
//! evaluations in the comments of a game show mistakes that the next move punishes. Every position
//! that looked like an exercise and is none is counted with its [`Rejection`]. Each exercise has
//! its solution, the themes of the library, and a [`Difficulty`].

#[cfg(feature = "files")]
mod collect;
mod difficulty;
mod find;
mod handout;
#[cfg(feature = "files")]
mod labels;
mod line;
mod mate;
mod score;
mod start;
mod themes;
mod write;

use std::collections::BTreeMap;

use pgn::isolated;
use serde::{Deserialize, Serialize};

#[cfg(feature = "files")]
pub use collect::{Collector, Counts, ExerciseFormat, FoundWriter};
pub use difficulty::Difficulty;
pub use find::{Analyst, PuzzleFinder, PuzzleOptions};
pub use handout::{Handout, Handouts, Matched};
#[cfg(feature = "files")]
pub use labels::{LabelError, Labels};
pub use start::ExerciseStart;
pub use themes::{ExerciseThemeError, ThemeFinder, exercise_theme, exercise_themes, longest_mate};
pub use write::{ANKI_HEAD, LICHESS_HEAD, anki, epd, lichess, movetext, pgn};

/// Most moves of a mate that is proved.
pub const LONGEST_MATE: u8 = 4;

/// A position with its solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Puzzle {
    /// Name that is made of the position alone.
    pub id: String,
    /// The position. The side to move is to find the solution.
    pub fen: String,
    /// The position one move earlier and the move that was played there; `None` at the start of a
    /// game.
    pub before: Option<MoveBefore>,
    /// Moves of both sides, which begin and end with the side that solves.
    pub solution: Vec<SolutionMove>,
    /// Other moves, in standard notation, that mate in place of the last one.
    pub others: Vec<String>,
    /// Reason why there is no other solution.
    pub proof: Proof,
    /// Estimate of the difficulty.
    pub difficulty: Difficulty,
    /// Names of the themes, in the order of the library.
    pub themes: Vec<String>,
    /// The game that the position comes from.
    pub game: PuzzleGame,
}

/// The move that led to the position of an exercise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveBefore {
    /// The position before the move.
    pub fen: String,
    /// The move.
    pub mv: SolutionMove,
}

/// A move in two notations.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SolutionMove {
    /// The move in standard algebraic notation.
    pub san: String,
    /// The move in UCI notation.
    pub uci: String,
}

/// The game that an exercise comes from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct PuzzleGame {
    /// Name of the input.
    pub input: String,
    /// Number of the game in all inputs, from 1.
    pub number: u64,
    /// Number of half-moves before the position.
    pub ply: u32,
    /// Names and values of the tags.
    pub tags: Vec<(String, String)>,
}

impl PuzzleGame {
    /// Returns the value of a tag; `None` if it is missing, empty or unknown.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let value = self.tags.iter().find(|tag| tag.0 == name).map(|tag| &*tag.1)?;
        (!value.is_empty() && !value.starts_with('?')).then_some(value)
    }

    /// Returns the players, the event and the year, as far as they are known.
    #[must_use]
    pub fn title(&self) -> String {
        let shown = |name| self.tag(name).map(isolated);
        let players: Vec<_> = ["White", "Black"].into_iter().filter_map(shown).collect();
        let event = self.tag("Event");
        let is_in_event = |year: &&str| {
            let mut words = event.into_iter().flat_map(|event| event.split(' '));
            words.any(|word| word == *year)
        };
        let year = self.tag("Date").and_then(|date| date.split('.').next());
        let year = year.filter(|year| !is_in_event(year));
        let parts = [Some(players.join(" – ")), event.map(|event| isolated(event).into_owned())];
        let parts = parts.into_iter().chain([year.map(str::to_owned)]).flatten();
        let parts: Vec<String> = parts.filter(|part| !part.is_empty()).collect();
        parts.join(", ")
    }
}

/// Reason why there is no other solution.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Proof {
    /// No other first move mates in this number of moves: all were tried.
    Mate(u8),
    /// An engine prefers the move, with its score and that of the second best move.
    Engine(String, String),
    /// The comments of the game have these evaluations before and after the mistake, which the
    /// move of the game punishes. Other moves were not examined.
    Evaluations(String, String),
}

impl std::fmt::Display for Proof {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Proof::Mate(n) => write!(f, "mate in {n}"),
            Proof::Engine(best, second) => write!(f, "engine {best}, second best {second}"),
            Proof::Evaluations(before, after) => {
                write!(f, "evaluation {after} after a mistake, {before} before")
            }
        }
    }
}

/// Reason why a position that looked like an exercise is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Rejection {
    /// Several first moves mate as fast.
    SeveralKeys,
    /// After each reply, a later move is not the only one that mates as fast.
    SeveralLater,
    /// There is only one legal move.
    Forced,
    /// The move takes back what the move before it has taken.
    TakesBack,
    /// The next move of the game does not keep what the mistake gave.
    Unpunished,
    /// An engine has a second move that is nearly as good.
    SeveralGood,
    /// Even the best move does not hold the game.
    Lost,
    /// The engine has no answer.
    Unanswered,
    /// The position is part of the solution before it in the same game.
    Repeated,
    /// The search for a mate needs too many steps.
    TooLong,
    /// No game can reach the position.
    Unsound,
    /// The rules of the game are not those of chess.
    OtherRules,
    /// An earlier exercise has the same position.
    Duplicate,
    /// The exercise does not show a theme that is wanted.
    WithoutTheme,
}

impl Rejection {
    /// Returns the reason as the end of a line that begins with a number.
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Rejection::SeveralKeys => "several first moves mate as fast",
            Rejection::SeveralLater => "a later move is not the only mate",
            Rejection::Forced => "only one legal move",
            Rejection::TakesBack => "the move only takes back",
            Rejection::Unpunished => "the next move of the game does not punish the mistake",
            Rejection::SeveralGood => "the second best move is nearly as good",
            Rejection::Lost => "the best move does not hold the game",
            Rejection::Unanswered => "the engine has no answer",
            Rejection::Repeated => "part of an earlier solution in the same game",
            Rejection::TooLong => "the search for a mate takes too long",
            Rejection::Unsound => "no game can reach the position",
            Rejection::OtherRules => "the game has other rules than chess",
            Rejection::Duplicate => "the position of an earlier exercise",
            Rejection::WithoutTheme => "none of the wanted themes",
        }
    }
}

/// Exercises of a game, and the number of positions that were refused.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GamePuzzles {
    /// Exercises, in the order of the game.
    pub puzzles: Vec<Puzzle>,
    /// Number of refused positions by reason.
    pub refused: BTreeMap<Rejection, u64>,
    /// Number of positions that were examined.
    pub n_positions: u64,
}

impl GamePuzzles {
    /// Counts a refused position.
    pub fn refuse(&mut self, why: Rejection) {
        *self.refused.entry(why).or_default() += 1;
    }
}

#[cfg(test)]
mod tests;

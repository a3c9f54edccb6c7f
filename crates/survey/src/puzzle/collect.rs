//! Collects the exercises of many games: each position once, with the themes that are wanted, as
//! text in a format.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use board::{Color, parse_fen, polyglot_key};
use engine::{GameRow, RowWriter};
use serde::Serialize;
use table::Exercise;

use super::write::{ANKI_HEAD, LICHESS_HEAD, anki, epd, lichess, pgn};
use super::{GamePuzzles, Handout, Proof, Puzzle, Rejection};

/// Format of exercises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExerciseFormat {
    /// Games that begin with the position, with the solution as moves.
    Pgn,
    /// Positions with their best moves.
    Epd,
    /// The table of puzzles of Lichess.
    Csv,
    /// Cards for Anki: a picture, and the solution on the back.
    Anki,
}

impl ExerciseFormat {
    /// All formats, each with its name and a description without a full stop.
    pub const ALL: [(&'static str, ExerciseFormat, &'static str); 4] = [
        (
            "pgn",
            ExerciseFormat::Pgn,
            "Games that begin with the position, with the solution as moves",
        ),
        ("epd", ExerciseFormat::Epd, "Positions with their best moves"),
        ("csv", ExerciseFormat::Csv, "The table of puzzles of Lichess"),
        ("anki", ExerciseFormat::Anki, "Cards for Anki: a picture, and the solution on the back"),
    ];

    /// Returns the lines before the first exercise.
    #[must_use]
    pub fn head(self) -> &'static str {
        match self {
            ExerciseFormat::Pgn | ExerciseFormat::Epd => "",
            ExerciseFormat::Csv => LICHESS_HEAD,
            ExerciseFormat::Anki => ANKI_HEAD,
        }
    }

    /// Returns the text of an exercise; `None` if the format cannot have it.
    #[must_use]
    pub fn text(self, exercise: &Puzzle) -> Option<String> {
        Some(match self {
            ExerciseFormat::Pgn => pgn(exercise),
            ExerciseFormat::Epd => epd(exercise),
            ExerciseFormat::Csv => return lichess(exercise),
            ExerciseFormat::Anki => {
                let position = parse_fen(exercise.fen.as_bytes()).ok()?;
                let is_black = position.turn == Color::Black;
                anki(exercise, &table::diagram(&position.board, &[], is_black))
            }
        })
    }
}

/// Counts of the exercises and of the positions that were refused.
#[derive(Debug, Default, Serialize)]
pub struct Counts {
    /// Number of exercises.
    pub exercises: u64,
    /// Number of exercises that are proved as mate.
    pub mates: u64,
    /// Number of exercises by the engine.
    pub by_engine: u64,
    /// Number of exercises by the evaluations of the games.
    pub by_evaluations: u64,
    /// Number of positions that were examined.
    pub positions: u64,
    /// Number of exercises that the format cannot have.
    pub not_in_format: u64,
    /// Number of refused positions by reason.
    pub refused: BTreeMap<&'static str, u64>,
}

/// Chooses the exercises of a collection among those of its games.
#[derive(Debug)]
pub struct Collector {
    format: ExerciseFormat,
    /// Themes of which an exercise must show one; empty for any.
    themes: Vec<String>,
    limit: Option<u64>,
    /// Keys of the positions of the exercises so far.
    seen: HashSet<u64>,
    counts: Counts,
}

impl Collector {
    /// Creates a collector of at most `limit` exercises.
    #[must_use]
    pub fn new(format: ExerciseFormat, themes: Vec<String>, limit: Option<u64>) -> Collector {
        Collector { format, themes, limit, seen: HashSet::new(), counts: Counts::default() }
    }

    /// Adds the exercises of a game, as [`FoundWriter`] writes them. Passes those that are taken to
    /// `take`, with their text. `Break` says that there are enough.
    ///
    /// # Errors
    /// The text is not that of [`GamePuzzles`], an exercise has no valid position, or `take` fails.
    pub fn add(
        &mut self,
        found: &[u8],
        take: &mut dyn FnMut(&Puzzle, &str) -> std::io::Result<()>,
    ) -> std::io::Result<ControlFlow<()>> {
        let found: GamePuzzles = serde_json::from_slice(found).map_err(std::io::Error::other)?;
        self.counts.positions += found.n_positions;
        for (why, n) in found.refused {
            *self.counts.refused.entry(why.reason()).or_default() += n;
        }
        for exercise in found.puzzles {
            let Some(text) = self.text(&exercise)? else {
                continue;
            };
            take(&exercise, &text)?;
            self.counts.exercises += 1;
            match exercise.proof {
                Proof::Mate(_) => self.counts.mates += 1,
                Proof::Engine(..) => self.counts.by_engine += 1,
                Proof::Evaluations(..) => self.counts.by_evaluations += 1,
            }
            if self.limit == Some(self.counts.exercises) {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the text of an exercise if it is taken.
    fn text(&mut self, exercise: &Puzzle) -> std::io::Result<Option<String>> {
        let wanted = &self.themes;
        if !wanted.is_empty() && !exercise.labels().iter().any(|theme| wanted.contains(theme)) {
            self.refuse(Rejection::WithoutTheme);
            return Ok(None);
        }
        // An en passant square that no pawn can use is no part of a position.
        let position = parse_fen(exercise.fen.as_bytes()).map_err(std::io::Error::other)?;
        if !self.seen.insert(polyglot_key(&position)) {
            self.refuse(Rejection::Duplicate);
            return Ok(None);
        }
        let text = self.format.text(exercise);
        self.counts.not_in_format += u64::from(text.is_none());
        Ok(text)
    }

    fn refuse(&mut self, why: Rejection) {
        *self.counts.refused.entry(why.reason()).or_default() += 1;
    }

    /// Returns the counts.
    #[must_use]
    pub fn finish(self) -> Counts {
        self.counts
    }
}

/// Writes what a function finds in each game as JSON.
pub struct FoundWriter<F>(pub F);

impl<F> fmt::Debug for FoundWriter<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FoundWriter")
    }
}

impl<T: Serialize, F: FnMut(&GameRow) -> T + Send> RowWriter for FoundWriter<F> {
    fn game(&mut self, row: &GameRow, out: &mut Vec<u8>) {
        // Nothing in it can fail to be written to memory.
        let _ = serde_json::to_writer(out, &(self.0)(row));
    }

    fn wants_moves(&self) -> bool {
        true
    }

    fn wants_movetext(&self) -> bool {
        true
    }
}

impl Handout {
    /// Returns the exercise for a sheet, with its hint or without; `None` if the text of the
    /// position was changed.
    #[must_use]
    pub fn exercise(self, has_hint: bool) -> Option<Exercise> {
        let position = self.position()?;
        Some(Exercise {
            board: position.board,
            turn: position.turn,
            task: self.task,
            hint: if has_hint { self.hint } else { String::new() },
            solution: self.solution,
            source: self.source,
        })
    }
}

impl Puzzle {
    /// Returns the exercise for a sheet; `None` if the text of the position was changed.
    #[must_use]
    pub fn exercise(&self) -> Option<Exercise> {
        let position = parse_fen(self.fen.as_bytes()).ok()?;
        Some(Exercise {
            board: position.board,
            turn: position.turn,
            task: self.task(),
            hint: String::new(),
            solution: self.solution_text(),
            source: self.game.title(),
        })
    }
}

//! Reads exercises back: from games that begin with a position, and from the matches of a query.

use board::{Color, Move, Position, parse_fen, san};
use engine::{GameRow, MovetextItem};

use crate::tags::known_tag;
use serde::{Deserialize, Serialize};

use super::PuzzleGame;
use super::line::{Node, main_line};
use super::start::{ExerciseStart, Place};
use super::write::movetext;

/// Most half-moves of a solution that is the rest of a game with a position of its own.
const LONGEST: usize = 40;

/// Number of themes that a hint names, since it has a line below a diagram.
const HINTED: usize = 2;

/// An exercise as it is printed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handout {
    /// The position.
    pub fen: String,
    /// Task, such as `White mates in 2`.
    pub task: String,
    /// The difficulty and the first themes, as far as they are known.
    pub hint: String,
    /// The moves of the solution with their numbers; empty if they are not known.
    pub solution: String,
    /// Players, event and year.
    pub source: String,
}

/// Exercises at the matches of a query.
#[derive(Debug, Clone, Default)]
pub struct Matched {
    /// Number of moves of the game that are the solution.
    pub moves: u8,
    /// Position in which they begin.
    pub start: ExerciseStart,
}

/// Exercises of a game, and positions that are none.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Handouts {
    /// The exercises.
    pub exercises: Vec<Handout>,
    /// Number of games that begin at the normal start.
    pub n_without_position: u64,
    /// Number of games with other rules than chess.
    pub n_other_rules: u64,
    /// Number of matching positions outside the main line.
    pub n_in_variations: u64,
    /// Number of exercises that begin before their match.
    pub n_before: u64,
}

impl Handouts {
    /// Returns the exercises of a game. If `matched` is given, these are at its matches, with the
    /// moves of the game as solution; otherwise, the position that the game begins with.
    #[must_use]
    pub fn new(row: &GameRow, matched: Option<&Matched>) -> Handouts {
        let mut handouts = Handouts::default();
        if !row.rules.are_of_chess() {
            handouts.n_other_rules = 1;
            return handouts;
        }
        let line = main_line(row);
        if let Some(Matched { moves, start }) = matched {
            for place in start.places(row, &line) {
                let Some(Place { at, start }) = place else {
                    handouts.n_in_variations += 1;
                    continue;
                };
                let most = (2 * usize::from(*moves) - 1).max(at - start);
                let moves = moves_from(&line, start, most);
                let handout = handout(row, &line[start].position, &moves, String::new());
                handouts.exercises.push(handout);
                handouts.n_before += u64::from(start < at);
            }
            return handouts;
        }
        if row.tag(b"FEN").is_none() || line.is_empty() {
            handouts.n_without_position = 1;
            return handouts;
        }
        // In the table of Lichess, the other side moves first.
        let is_lichess =
            row.tag(b"Event").is_some_and(|event| event.starts_with(b"Lichess puzzle "));
        let at = usize::from(is_lichess && line.len() > 1);
        let moves = moves_from(&line, at, LONGEST);
        let others = others(row);
        handouts.exercises.push(handout(row, &line[at].position, &moves, others));
        handouts
    }
}

fn moves_from(line: &[Node], at: usize, most: usize) -> Vec<Move> {
    line[at..].iter().map_while(|node| node.next).take(most).collect()
}

/// Returns the first moves of the variations after the last move.
fn others(row: &GameRow) -> String {
    let mut sans = Vec::new();
    let (mut depth, mut is_first) = (0_usize, false);
    for item in &row.movetext {
        match item {
            MovetextItem::Open { .. } => (depth, is_first) = (depth + 1, true),
            MovetextItem::Close => depth = depth.saturating_sub(1),
            MovetextItem::Move(_) if depth == 0 => sans.clear(),
            MovetextItem::Move(mv) => {
                sans.extend(mv.san.as_deref().filter(|_| depth == 1 && is_first));
                is_first = false;
            }
        }
    }
    if sans.is_empty() { String::new() } else { format!(" (or {})", sans.join(", ")) }
}

fn handout(row: &GameRow, position: &Position, moves: &[Move], others: String) -> Handout {
    let tag = |name: &str| known_tag(row, name);
    let fen = position.fen();
    let mut sans = Vec::new();
    let mut here = *position;
    for mv in moves {
        sans.push(san(&here, *mv).as_str().to_owned());
        here = here.play(*mv);
    }
    if sans.is_empty() {
        // Positions in EPD have their best move, and the line after it.
        let line = tag("pv").or_else(|| tag("bm")).unwrap_or_default();
        sans.extend(line.split_whitespace().map(str::to_owned));
    }
    let side = if position.turn == Color::White { "White" } else { "Black" };
    let themes = tag("Themes").or_else(|| tag("c1")).unwrap_or_default();
    let in_themes = themes.split(' ').find_map(|theme| theme.strip_prefix("mateIn"));
    let mate = in_themes.map(str::to_owned).or_else(|| tag("dm"));
    let mate = mate.filter(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
    let task = mate.map_or(format!("{side} to move"), |n| format!("{side} mates in {n}"));
    let is_shown = |theme: &&str| !theme.is_empty() && !theme.starts_with("mate");
    let themes: Vec<&str> = themes.split(' ').filter(is_shown).take(HINTED).collect();
    let level = tag("Difficulty").and_then(|text| {
        let level = text.split_once('(')?.1.strip_suffix(')')?;
        Some(level.to_owned())
    });
    let hints = level.into_iter().chain((!themes.is_empty()).then(|| themes.join(", ")));
    let game = PuzzleGame {
        tags: ["White", "Black", "Event", "Date"]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), tag(name)?)))
            .collect(),
        ..PuzzleGame::default()
    };
    let sans: Vec<&str> = sans.iter().map(String::as_str).collect();
    Handout {
        solution: movetext(&fen, &sans) + &others,
        fen,
        task,
        hint: hints.collect::<Vec<String>>().join(": "),
        // The source of an exercise in EPD is a comment.
        source: tag("c0").unwrap_or_else(|| game.title()),
    }
}

impl Handout {
    /// Returns the position; `None` if the text was changed.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        parse_fen(self.fen.as_bytes()).ok()
    }
}

//! Reads exercises back: from games that begin with a position, and from the matches of a query.

use board::{Color, Position, parse_fen};
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

/// Themes in words, where that is more than their name.
const TITLES: &str = "absolute pin, relative pin, discovered check, double check, cross-check, \
    hanging piece, advanced pawn, attack on f7, quiet move, defensive move, discovered attack, \
    capturing defender, X-ray attack, trapped piece, Greek gift, exposed king, kingside attack, \
    queenside attack, passed pawn, pawn endgame, knight endgame, bishop endgame, rook endgame, \
    queen endgame, queen-rook endgame, back-rank mate, smothered mate, Anastasia's mate, Arabian mate, \
    hook mate, opera mate, Boden's mate, double bishop mate, dovetail mate, swallow's tail mate, \
    Pillsbury's mate, Morphy's mate, corner mate, triangle mate, blind swine mate, kill box mate, \
    Vukovic mate, Lolli's mate, Max Lange's mate, Greco's mate, suffocation mate, Balestra mate, \
    ladder mate";

/// Returns a theme in words; its name may have capital letters, as those of Lichess have.
pub(super) fn theme_in_words(theme: &str) -> String {
    let plain = |title: &str| title.replace([' ', '-', '\''], "").to_lowercase();
    let name = plain(theme);
    let title = TITLES.split(", ").find(|title| {
        // `bodenmate`, but `morphysmate`
        plain(title) == name || plain(&title.replace("'s ", "")) == name
    });
    title.map_or_else(|| theme.to_owned(), str::to_owned)
}

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
    /// Number of exercises whose solution lacks the variations of the game.
    pub n_without_variations: u64,
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
                let n_moves = n_moves_from(&line, start, most);
                let moves = row.main_line().skip(start + 1).take(n_moves);
                let sans: Vec<&str> = moves.filter_map(|mv| mv.san.as_deref()).collect();
                let solution = movetext(&line[start].fen, &sans);
                handouts.exercises.push(handout(row, &line[start].position, solution));
                let has_variations = passage(row, start, n_moves).iter().any(is_open);
                handouts.n_without_variations += u64::from(has_variations);
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
        let n_moves = n_moves_from(&line, at, LONGEST);
        let mut solution = solution(passage(row, at, n_moves), line[at].position.turn);
        if line.get(at + n_moves).is_some_and(|node| node.next.is_some()) {
            solution += " …";
        }
        handouts.exercises.push(handout(row, &line[at].position, solution));
        handouts
    }
}

/// Returns the number of half-moves from a position of the main line on, at most `most`.
fn n_moves_from(line: &[Node], at: usize, most: usize) -> usize {
    line[at..].iter().take_while(|node| node.next.is_some()).take(most).count()
}

/// Returns the movetext of some moves of the main line with their variations.
fn passage(row: &GameRow, at: usize, n_moves: usize) -> &[MovetextItem] {
    let mut depth = 0_usize;
    let mut starts = Vec::new();
    for (index, item) in row.movetext.iter().enumerate() {
        match item {
            MovetextItem::Open { .. } => depth += 1,
            MovetextItem::Close => depth = depth.saturating_sub(1),
            MovetextItem::Move(_) if depth == 0 => starts.push(index),
            MovetextItem::Move(_) => {}
        }
    }
    // The first one is the start of the game.
    let start = |number: usize| starts.get(number).copied().unwrap_or(row.movetext.len());
    &row.movetext[start(at + 1)..start(at + 1 + n_moves)]
}

fn is_open(item: &MovetextItem) -> bool {
    matches!(item, MovetextItem::Open { .. })
}

/// Returns a solution with its variations in parentheses. Other last moves of the side that solves
/// follow in short.
fn solution(passage: &[MovetextItem], solver: Color) -> String {
    let first = passage.iter().position(is_open);
    let (line, variations) = passage.split_at(first.unwrap_or(passage.len()));
    let is_one_move = |variation: &[MovetextItem]| {
        matches!(variation, [MovetextItem::Open { .. }, MovetextItem::Move(_), MovetextItem::Close])
    };
    let is_choice = matches!(line.last(), Some(MovetextItem::Move(last)) if last.side == solver)
        && variations.chunks(3).all(is_one_move);
    if !variations.is_empty() && is_choice {
        let sans = variations.iter().filter_map(|item| match item {
            MovetextItem::Move(mv) => mv.san.as_deref(),
            _ => None,
        });
        return format!("{} (or {})", with_brackets(line), sans.collect::<Vec<_>>().join(", "));
    }
    with_brackets(passage)
}

/// Returns a part of the movetext, without comments.
fn with_brackets(items: &[MovetextItem]) -> String {
    let mut text = String::new();
    let mut is_numbered = true;
    for item in items {
        match item {
            MovetextItem::Open { .. } => text += " (",
            // A variation without moves.
            MovetextItem::Close if text.ends_with('(') => text.truncate(text.len() - 2),
            MovetextItem::Close => text.push(')'),
            MovetextItem::Move(mv) => {
                if !text.is_empty() && !text.ends_with('(') {
                    text.push(' ');
                }
                text += &match mv.side {
                    Color::White => format!("{}.", mv.number),
                    Color::Black if is_numbered => format!("{}...", mv.number),
                    Color::Black => String::new(),
                };
                text += mv.san.as_deref().unwrap_or_default();
            }
        }
        is_numbered = !matches!(item, MovetextItem::Move(_));
    }
    text
}

fn handout(row: &GameRow, position: &Position, mut solution: String) -> Handout {
    let tag = |name: &str| known_tag(row, name);
    let fen = position.fen();
    if solution.is_empty() {
        // Positions in EPD have their best move, and the line after it.
        let line = tag("pv").or_else(|| tag("bm")).unwrap_or_default();
        solution = movetext(&fen, &line.split_whitespace().collect::<Vec<&str>>());
    }
    let side = if position.turn == Color::White { "White" } else { "Black" };
    let themes = tag("Themes").or_else(|| tag("c1")).unwrap_or_default();
    let in_themes = themes.split(' ').find_map(|theme| theme.strip_prefix("mateIn"));
    let mate = in_themes.map(str::to_owned).or_else(|| tag("dm"));
    let mate = mate.filter(|n| n.bytes().all(|byte| byte.is_ascii_digit()));
    let task = mate.map_or(format!("{side} to move"), |n| format!("{side} mates in {n}"));
    let is_shown = |theme: &&str| !theme.is_empty() && !theme.starts_with("mate");
    let themes = themes.split(' ').filter(is_shown).take(HINTED).map(theme_in_words);
    let themes: Vec<String> = themes.collect();
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
    Handout {
        solution,
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

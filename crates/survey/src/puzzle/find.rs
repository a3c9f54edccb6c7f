//! Looks for exercises in a game.

use std::collections::HashSet;
use std::fmt::Debug;

use board::{Color, Move, MoveList, Position, polyglot_key, san};
use engine::{EngineAnswer, GameRow};
use pgn::command::Evaluation;
use pgn::decode;

use super::line::{Node, main_line};
use super::mate::{Keys, MateSearch, OutOfSteps};
use super::score::{Uniqueness, of_answer, uniqueness, value};
use super::start::ExerciseStart;
use super::themes::ThemeFinder;
use super::write::movetext;
use super::{
    Difficulty, GamePuzzles, MoveBefore, Proof, Puzzle, PuzzleGame, Rejection, SolutionMove,
};

/// Number of positions that the search for mates from one position may visit.
const STEPS: u64 = 3_000_000;

/// Loss in centipawns with which a move still keeps what a mistake gave.
const KEEPS: i32 = 50;

/// Most moves of the side that solves.
const LONGEST: usize = 8;

/// Letters of the names of exercises.
const LETTERS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Tags that an exercise takes over from its game.
const TAGS: [&str; 10] =
    ["Event", "Site", "Date", "Round", "White", "Black", "WhiteElo", "BlackElo", "ECO", "Opening"];

/// Conditions for an exercise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PuzzleOptions {
    /// Longest mate that is looked for, in moves.
    pub mate: u8,
    /// Least difference between the best move and the second one, and least size of a mistake, in
    /// centipawns.
    pub margin: i32,
    /// Whether only positions after a mistake are examined, by the evaluations of the game.
    pub only_mistakes: bool,
}

/// Engine that compares the moves of a position.
pub trait Analyst: Send + Debug {
    /// Returns the best two lines, the better one first, from the view of the side to move; `None`
    /// if there is no answer.
    fn lines(&mut self, fen: &str) -> Option<Vec<EngineAnswer>>;
}

/// Finds the exercises of games.
#[derive(Debug)]
pub struct PuzzleFinder {
    options: PuzzleOptions,
    themes: ThemeFinder,
    start: ExerciseStart,
    analyst: Option<Box<dyn Analyst>>,
}

/// Solution of a position.
struct Solution {
    moves: Vec<Move>,
    others: Vec<Move>,
    proof: Proof,
}

/// Mistake that led to a position: the evaluations before and after it, from the other side.
#[derive(Clone, Copy)]
struct Mistake {
    before: Evaluation,
    after: Evaluation,
}

type Considered = Result<Option<Solution>, Rejection>;

impl From<OutOfSteps> for Rejection {
    fn from(_: OutOfSteps) -> Rejection {
        Rejection::TooLong
    }
}

impl PuzzleFinder {
    /// Creates a finder. Without an engine, moves other than mates are judged by the evaluations of
    /// the games.
    #[must_use]
    pub fn new(
        options: PuzzleOptions,
        themes: ThemeFinder,
        analyst: Option<Box<dyn Analyst>>,
    ) -> PuzzleFinder {
        PuzzleFinder { options, themes, start: ExerciseStart::default(), analyst }
    }

    /// Sets where the exercises begin.
    #[must_use]
    pub fn starting(self, start: ExerciseStart) -> PuzzleFinder {
        PuzzleFinder { start, ..self }
    }

    /// Returns the exercises that begin at the matches in the main line of a game. The row has the
    /// positions, the moves and the movetext.
    #[must_use]
    pub fn find(&mut self, row: &GameRow) -> GamePuzzles {
        let mut found = GamePuzzles::default();
        if !row.rules.are_of_chess() {
            found.refuse(Rejection::OtherRules);
            return found;
        }
        let line = main_line(row);
        let places = self.start.places(row, &line).into_iter().flatten();
        let starts: HashSet<usize> = places.map(|place| place.start).collect();
        // Positions within solutions, with the same side to move.
        let mut solved: HashSet<u64> = HashSet::new();
        for (at, node) in line.iter().enumerate() {
            if !starts.contains(&at) {
                continue;
            }
            found.n_positions += 1;
            let solution = match self.consider(&line, at) {
                Ok(None) => continue,
                Ok(Some(solution)) => solution,
                Err(why) => {
                    found.refuse(why);
                    continue;
                }
            };
            if solved.contains(&polyglot_key(&node.position)) {
                found.refuse(Rejection::Repeated);
                continue;
            }
            let mut position = node.position;
            for (at, mv) in solution.moves.iter().enumerate() {
                if at % 2 == 0 {
                    solved.insert(polyglot_key(&position));
                }
                position = position.play(*mv);
            }
            found.puzzles.push(self.puzzle(row, &line, at, &solution));
        }
        found
    }

    /// Returns the solution of a position; `None` if nothing looks like one.
    fn consider(&mut self, line: &[Node], at: usize) -> Considered {
        let node = &line[at];
        let position = &node.position;
        let mistake = self.mistake(line, at);
        if self.options.only_mistakes && mistake.is_none() {
            return Ok(None);
        }
        let mut moves = MoveList::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return Ok(None);
        }
        let mut search = MateSearch::new(STEPS);
        let keys = self.mate(&mut search, line, at)?;
        let has_one_move = moves.len() == 1;
        if keys.is_none() && mistake.is_none() && (self.analyst.is_none() || has_one_move) {
            return Ok(None);
        }
        if has_one_move {
            return Err(Rejection::Forced);
        }
        if !position.is_legal_position() {
            return Err(Rejection::Unsound);
        }
        if let Some(keys) = keys {
            return solve_mate(&mut search, line, at, &keys).map(Some);
        }
        let last = at.checked_sub(1).and_then(|before| Some((&line[before], line[before].next?)));
        let solution = match (&mut self.analyst, mistake) {
            (Some(analyst), _) => solve_with(analyst.as_mut(), position, self.options.margin),
            (None, Some(mistake)) => punish(line, at, mistake),
            (None, None) => return Ok(None),
        }?;
        if let (Some((before, last)), Some(key)) = (last, solution.moves.first())
            && let Some(taken) = last.captured_square(&before.position.board)
            && taken == key.to()
        {
            return Err(Rejection::TakesBack);
        }
        Ok(Some(solution))
    }

    /// Returns the mistake that led to a position, by the evaluations of the game.
    fn mistake(&self, line: &[Node], at: usize) -> Option<Mistake> {
        let node = &line[at];
        let color = node.position.turn;
        let before = line.get(at.checked_sub(1)?)?.evaluation(color)?;
        let after = node.evaluation(color)?;
        let uniqueness = uniqueness(value(after), value(before), self.options.margin);
        (uniqueness == Uniqueness::Only).then_some(Mistake { before, after })
    }

    /// Looks for a mate. Every mate in one or two moves is found, and one in more moves if checks
    /// alone lead to it, the game ends with it, or the game has it as an evaluation.
    fn mate(
        &self,
        search: &mut MateSearch,
        line: &[Node],
        at: usize,
    ) -> Result<Option<Keys>, Rejection> {
        let position = &line[at].position;
        // Without two kings, there is no mate.
        if Color::ALL.iter().any(|color| position.board.kings(*color).single().is_none()) {
            return Ok(None);
        }
        let mut n = self.options.mate.min(2);
        for longer in n + 1..=self.options.mate {
            let known = line[at].evaluation(position.turn);
            let is_known = known == Some(Evaluation::Mate(i32::from(longer)));
            let end = &line[line.len() - 1].position;
            let ends = line.len() - 1 - at == 2 * usize::from(longer) - 1 && end.is_mate();
            if is_known || ends || search.is_mate_by_checks(position, longer)? {
                n = longer;
                break;
            }
        }
        Ok(search.keys(position, n)?)
    }

    fn puzzle(&self, row: &GameRow, line: &[Node], at: usize, solution: &Solution) -> Puzzle {
        let node = &line[at];
        let end = solution.moves.len().saturating_sub(1);
        let last = solution.moves[..end].iter().fold(node.position, |pos, mv| pos.play(*mv));
        let before = at.checked_sub(1).and_then(|before| {
            let before = &line[before];
            let mv = written(&before.position, before.next?);
            Some(MoveBefore { fen: before.fen.clone(), mv })
        });
        let mut position = node.position;
        let mut moves = Vec::new();
        for mv in &solution.moves {
            moves.push(written(&position, *mv));
            position = position.play(*mv);
        }
        let tag = |name: &str| Some((name.to_owned(), decode(row.tag(name.as_bytes())?).into()));
        let mut puzzle = Puzzle {
            id: name_of(polyglot_key(&node.position)),
            fen: node.fen.clone(),
            before,
            solution: moves,
            others: solution.others.iter().map(|mv| written(&last, *mv).san).collect(),
            proof: solution.proof.clone(),
            difficulty: Difficulty::new(&node.position, &solution.moves),
            themes: Vec::new(),
            game: PuzzleGame {
                input: row.input.to_string(),
                number: row.number,
                ply: at as u32,
                tags: TAGS.into_iter().filter_map(tag).collect(),
            },
        };
        puzzle.themes = self.themes.of(themed(&puzzle).as_bytes());
        puzzle
    }
}

/// Returns an exercise as a game that begins before the move of the other side.
fn themed(puzzle: &Puzzle) -> String {
    let (fen, first) = match &puzzle.before {
        Some(before) => (&before.fen, Some(&before.mv.san)),
        None => (&puzzle.fen, None),
    };
    let sans: Vec<&str> = first
        .into_iter()
        .chain(puzzle.solution.iter().map(|mv| &mv.san))
        .map(String::as_str)
        .collect();
    format!("[Event \"?\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{} *\n", movetext(fen, &sans))
}

fn written(position: &Position, mv: Move) -> SolutionMove {
    SolutionMove { san: san(position, mv).as_str().to_owned(), uci: mv.to_string() }
}

/// Returns the name of an exercise for the key of its position.
fn name_of(mut key: u64) -> String {
    let mut name = String::new();
    for _ in 0..8 {
        name.push(char::from(LETTERS[(key % 62) as usize]));
        key /= 62;
    }
    name
}

/// Returns the main line of a mate.
fn solve_mate(
    search: &mut MateSearch,
    line: &[Node],
    at: usize,
    keys: &Keys,
) -> Result<Solution, Rejection> {
    let [key] = keys.moves[..] else {
        return Err(Rejection::SeveralKeys);
    };
    // The defence of the game, if it is one of the longest.
    let mut plays = |position: &Position, mv: Move| {
        let rest = line.get(at..).unwrap_or_default();
        rest.iter().any(|node| node.position == *position && node.next == Some(mv))
    };
    let position = &line[at].position;
    match search.line(position, key, keys.n_moves, &mut plays)? {
        Some(mate) => Ok(Solution {
            moves: mate.moves,
            others: mate.others,
            proof: Proof::Mate(keys.n_moves),
        }),
        None => Err(Rejection::SeveralLater),
    }
}

/// Returns the line in which each move is the only good one, according to an engine.
fn solve_with(
    analyst: &mut dyn Analyst,
    start: &Position,
    margin: i32,
) -> Result<Solution, Rejection> {
    let (key, [best, second]) = only_move(analyst, start, margin)?;
    let mut moves = vec![key];
    // Number of moves up to the last one that had to be found.
    let mut n_needed = 1;
    let mut position = start.play(key);
    while moves.len() < 2 * LONGEST - 1 && position.has_legal_move() {
        let Some(reply) = best_move(analyst, &position) else {
            break;
        };
        let after = position.play(reply);
        let mut legal = MoveList::new();
        after.legal_moves(&mut legal);
        let next = match legal[..] {
            [] => break,
            [only] => only,
            _ => match only_move(analyst, &after, margin) {
                Ok((next, _)) => {
                    n_needed = moves.len() + 2;
                    next
                }
                Err(_) => break,
            },
        };
        moves.extend([reply, next]);
        position = after.play(next);
    }
    moves.truncate(n_needed);
    let proof = Proof::Engine(best.to_string(), second.to_string());
    Ok(Solution { moves, others: Vec::new(), proof })
}

fn best_move(analyst: &mut dyn Analyst, position: &Position) -> Option<Move> {
    let lines = analyst.lines(&position.fen())?;
    position.move_of_uci(lines.first()?.best_move.as_deref()?)
}

/// Returns the only good move of a position, with its evaluation and that of the next one.
fn only_move(
    analyst: &mut dyn Analyst,
    position: &Position,
    margin: i32,
) -> Result<(Move, [Evaluation; 2]), Rejection> {
    let lines = analyst.lines(&position.fen()).ok_or(Rejection::Unanswered)?;
    let [best, second, ..] = &lines[..] else {
        return Err(Rejection::Unanswered);
    };
    let scores = of_answer(best).zip(of_answer(second)).ok_or(Rejection::Unanswered)?;
    let mv = best.best_move.as_deref().and_then(|uci| position.move_of_uci(uci));
    match uniqueness(value(scores.0), value(scores.1), margin) {
        Uniqueness::Only => Ok((mv.ok_or(Rejection::Unanswered)?, [scores.0, scores.1])),
        Uniqueness::Several => Err(Rejection::SeveralGood),
        Uniqueness::Lost => Err(Rejection::Lost),
    }
}

/// Returns the moves of the game after a mistake, as far as they are checks, captures and
/// promotions that keep what it gave.
fn punish(line: &[Node], at: usize, mistake: Mistake) -> Result<Solution, Rejection> {
    let color = line[at].position.turn;
    let mut moves = Vec::new();
    let mut best = value(mistake.after);
    for at in (at..line.len()).step_by(2) {
        let Some((mv, after)) = line[at].next.zip(line.get(at + 1)) else {
            break;
        };
        // A game that ends with the move needs no evaluation.
        let is_over = !after.position.has_legal_move() && after.position.is_check();
        let kept = after.evaluation(color).map(value);
        if !is_over && kept.is_none_or(|kept| kept < best - KEEPS) {
            break;
        }
        best = kept.map_or(best, |kept| best.max(kept));
        let is_forcing = mv.captured_square(&line[at].position.board).is_some()
            || mv.promotion().is_some()
            || after.position.is_check();
        if !moves.is_empty() && !is_forcing {
            break;
        }
        if let Some(reply) = at.checked_sub(1).filter(|_| !moves.is_empty()) {
            moves.extend(line[reply].next);
        }
        moves.push(mv);
        if !is_forcing || moves.len() >= 2 * LONGEST - 1 {
            break;
        }
    }
    if moves.is_empty() {
        return Err(Rejection::Unpunished);
    }
    let proof = Proof::Evaluations(mistake.before.to_string(), mistake.after.to_string());
    Ok(Solution { moves, others: Vec::new(), proof })
}

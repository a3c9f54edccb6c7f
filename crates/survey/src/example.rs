//! Query by example: a passage of a game becomes a query, and then looser ones.
//!
//! The queries are a grid: some moves are left out, the least important ones first, and all others
//! are loosened to the same [`Stage`]. A move left out costs as much as two stages, so that the
//! order of the cost ends at a query that still resembles the passage. Each of them finds the
//! passage.

mod error;
mod range;
mod text;

use board::{Move, MoveList, Piece, Position, Square, SquareSet};
use pgn::GameTree;

pub use error::PassageError;
pub use range::PassageRange;
use text::{At, text};

/// Maximum number of half-moves of a passage.
pub const LONGEST: usize = 40;

/// Fewest moves that are kept when others are left out.
const FEWEST: usize = 2;

/// Freedom of the moves of a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// As in the game: the pieces on their squares, then the moves without others between them.
    Exact,
    /// With up to two more half-moves between moves, except before an answer to a capture or check.
    Gaps,
    /// From any square.
    FromAnywhere,
    /// To neighboring squares, with up to four more half-moves between moves.
    Near,
    /// By pieces of the same kind: knight or bishop, rook or queen.
    Kinds,
}

impl Stage {
    /// All stages, each looser than the one before.
    pub const ALL: [Stage; 5] =
        [Stage::Exact, Stage::Gaps, Stage::FromAnywhere, Stage::Near, Stage::Kinds];

    /// Returns the description for a list of steps.
    #[must_use]
    pub fn description(self) -> &'static str {
        match self {
            Stage::Exact => "as it was played",
            Stage::Gaps => "other moves between",
            Stage::FromAnywhere => "from any square",
            Stage::Near => "to squares nearby",
            Stage::Kinds => "by similar pieces",
        }
    }
}

/// A query made of a passage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// Number of moves of the passage that are left out.
    pub left_out: usize,
    /// Freedom of the other moves.
    pub stage: Stage,
    /// Text of the query.
    pub query: String,
}

impl Example {
    /// Returns the distance from the passage: the queries are tried in its order.
    #[must_use]
    pub fn cost(&self) -> usize {
        2 * self.left_out + self.stage as usize
    }
}

/// Returns the queries for a passage of the main line, in the order of their cost; the first has
/// all moves as they were played. Queries of the same cost keep more moves first.
///
/// The pieces on the squares `pieces` at the start of the passage are those that matter; if there
/// are none, those that move or are captured, and kings that are in check.
///
/// # Errors
/// The passage is not in the game, is too long, or has no piece on one of the squares.
pub fn examples(
    tree: &GameTree,
    range: PassageRange,
    pieces: SquareSet,
) -> Result<Vec<Example>, PassageError> {
    let passage = Passage::new(tree, range, pieces)?;
    let n = passage.steps.len();
    let order = passage.removal_order();
    let mut examples: Vec<Example> = Vec::new();
    for left_out in 0..=n.saturating_sub(FEWEST) {
        let is_kept = |step: &usize| !order[..left_out].contains(step);
        let kept: Vec<usize> = (0..n).filter(is_kept).collect();
        for stage in Stage::ALL {
            // Few moves that are exact find what has little to do with the passage.
            if 2 * left_out > n && stage < Stage::Near {
                continue;
            }
            let query = passage.query(&kept, stage);
            if examples.iter().all(|other| other.query != query) {
                examples.push(Example { left_out, stage, query });
            }
        }
    }
    examples.sort_by_cached_key(Example::cost);
    Ok(examples)
}

/// Half-move of a passage.
struct Step<'t> {
    before: &'t Position,
    mv: Move,
    /// The captured piece and its square.
    victim: Option<(Piece, Square)>,
    /// Square of the king that the move attacks.
    checked: Option<Square>,
    is_mate: bool,
    /// Whether the move answers the one before it: it takes back, or ends a check.
    is_answer: bool,
    importance: u8,
}

impl<'t> Step<'t> {
    fn new(before: &'t Position, after: &Position, mv: Move) -> Step<'t> {
        let piece_at = |sq| Some((before.board.piece_at(sq)?, sq));
        let is_check = !mv.is_null() && after.is_check();
        let mut replies = MoveList::new();
        if is_check {
            after.legal_moves(&mut replies);
        }
        Step {
            before,
            mv,
            victim: mv.captured_square(&before.board).and_then(piece_at),
            checked: after.board.kings(after.turn).first().filter(|_| is_check),
            is_mate: is_check && replies.is_empty(),
            is_answer: false,
            importance: 0,
        }
    }

    /// Returns the squares that the move leaves or captures on.
    fn left(&self) -> SquareSet {
        self.mv.from().set() | self.victim.map_or(SquareSet::EMPTY, |(_, sq)| sq.set())
    }

    fn answers(&self, last: &Step<'_>) -> bool {
        let takes_back =
            self.victim.is_some_and(|(_, sq)| last.victim.is_some() && sq == last.mv.to());
        takes_back || last.checked.is_some()
    }
}

/// Half-moves of a game, one after the other.
struct Passage<'t> {
    steps: Vec<Step<'t>>,
    /// Squares of the pieces that matter at the start, if they were named.
    pieces: SquareSet,
}

impl<'t> Passage<'t> {
    fn new(
        tree: &'t GameTree,
        range: PassageRange,
        pieces: SquareSet,
    ) -> Result<Passage<'t>, PassageError> {
        let line: Vec<usize> = std::iter::successors(tree.next(0), |&at| tree.next(at)).collect();
        let of_game = range.in_game(tree, &line)?;
        let positions = tree.positions();
        let step = |&node: &usize| {
            let before = &positions[tree.parent(node)];
            Some(Step::new(before, &positions[node], tree.move_to(node)?))
        };
        let steps: Vec<Step<'_>> = line[of_game].iter().filter_map(step).collect();
        if steps.len() > LONGEST {
            return Err(PassageError::TooLong(steps.len()));
        }
        let occupied = steps.first().map_or(SquareSet::EMPTY, |step| step.before.board.occupied());
        if let Some(empty) = (pieces - occupied).first() {
            return Err(PassageError::NoPiece(empty));
        }
        let mut passage = Passage { steps, pieces };
        passage.weigh();
        Ok(passage)
    }

    /// Determines the importance of the moves, and which of them are answers.
    fn weigh(&mut self) {
        let mut origins = Origins::new();
        for at in 0..self.steps.len() {
            let step = &self.steps[at];
            let others = self.steps.iter().enumerate().filter(|&(other, _)| other != at);
            let left = others.fold(SquareSet::EMPTY, |all, (_, other)| all | other.left());
            let touches = (step.mv.from().set() | step.mv.to().set()).intersects(left);
            let forces = [step.victim.is_some(), step.checked.is_some()];
            let importance = if origins.touched(step, false).intersects(self.pieces) {
                5
            } else if forces == [true; 2] {
                4
            } else if forces.contains(&true) || step.mv.promotion().is_some() {
                3
            } else if touches || at + 1 == self.steps.len() {
                2
            } else {
                0
            };
            let is_answer = at > 0 && step.answers(&self.steps[at - 1]);
            origins.play(step);
            let step = &mut self.steps[at];
            (step.importance, step.is_answer) = (importance, is_answer);
        }
    }

    /// Returns the indices of the moves, those first that a looser query omits first.
    fn removal_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.steps.len()).collect();
        let last = order.len().saturating_sub(1);
        order.sort_by_cached_key(|&at| (self.steps[at].importance, at.min(last - at)));
        order
    }

    /// Returns the query with some of the moves, which are not empty.
    fn query(&self, kept: &[usize], stage: Stage) -> String {
        let Some(&first) = kept.first() else {
            return String::new();
        };
        let men = if self.pieces.is_empty() {
            if stage < Stage::FromAnywhere { self.touched(kept, first) } else { SquareSet::EMPTY }
        } else {
            self.named(first)
        };
        let pairs = std::iter::once(None).chain(kept.iter().map(|&at| Some(at))).zip(kept);
        let moves = pairs.map(|(last, &at)| At {
            step: &self.steps[at],
            gap: last.map(|last: usize| at - last - 1),
        });
        text(&self.steps[first].before.board, men, moves, stage)
    }

    /// Returns the squares, before a move, of the pieces that some moves touch.
    fn touched(&self, kept: &[usize], first: usize) -> SquareSet {
        let (mut origins, mut touched) = (Origins::new(), SquareSet::EMPTY);
        for (at, step) in self.steps.iter().enumerate().skip(first) {
            if kept.contains(&at) {
                touched |= origins.touched(step, true);
            }
            origins.play(step);
        }
        touched
    }

    /// Returns the squares of the named pieces before a move.
    fn named(&self, first: usize) -> SquareSet {
        let mut origins = Origins::new();
        self.steps[..first].iter().for_each(|step| origins.play(step));
        let is_named = |sq: &Square| origins.of(*sq).intersects(self.pieces);
        let board = &self.steps[first].before.board;
        board.occupied().into_iter().filter(is_named).collect()
    }
}

/// Square from which the piece on each square came, while moves are made.
struct Origins([Option<Square>; 64]);

impl Origins {
    fn new() -> Origins {
        Origins(std::array::from_fn(|at| Some(Square::new(at as u8))))
    }

    fn of(&self, sq: Square) -> SquareSet {
        self.0[sq.index()].map_or(SquareSet::EMPTY, Square::set)
    }

    /// Returns the origins of the pieces that a move moves, captures or, if kings count, checks.
    fn touched(&self, step: &Step<'_>, with_kings: bool) -> SquareSet {
        if step.mv.is_null() {
            return SquareSet::EMPTY;
        }
        let rook = step.mv.rook_from_to().map(|(from, _)| from);
        let victim = step.victim.map(|(_, sq)| sq);
        let king = step.checked.filter(|_| with_kings);
        let others = [rook, victim, king].into_iter().flatten();
        others.fold(self.of(step.mv.from()), |all, sq| all | self.of(sq))
    }

    fn play(&mut self, step: &Step<'_>) {
        if step.mv.is_null() {
            return;
        }
        if let Some((_, sq)) = step.victim {
            self.0[sq.index()] = None;
        }
        let king = (step.mv.from(), step.mv.to());
        let moved = [Some(king), step.mv.rook_from_to()];
        // In Chess960, the rook may stand where the king goes.
        let moved = moved.map(|pair| pair.map(|(from, to)| (self.0[from.index()].take(), to)));
        for (origin, to) in moved.into_iter().flatten() {
            self.0[to.index()] = origin;
        }
    }
}

#[cfg(test)]
mod tests;

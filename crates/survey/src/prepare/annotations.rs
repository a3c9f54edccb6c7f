//! Clocks and evaluations that programs wrote into comments: time trouble, and mistakes by phase.

use board::{Board, Color, Position, Role};
use pgn::GameTree;
use pgn::command::{Evaluation, clock};

use super::profile::{Group, Outcome};

/// Numbers of the moves at which the clocks are compared.
pub(super) const MOVES: [u16; 4] = [10, 20, 30, 40];

/// Part of the first clock below which a player is in time trouble.
const TROUBLE: i32 = 10;

/// Largest evaluation in centipawns: greater ones and mates count as this.
const LARGEST: i32 = 1000;

/// Losses of winning chances, in percent, from which a move is an inaccuracy, a mistake or a
/// blunder.
const LOSSES: [f64; 3] = [5.0, 10.0, 15.0];

/// Phase of a game, as the filter `phase` has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    Opening,
    Middlegame,
    Endgame,
}

impl Phase {
    pub(super) const NAMES: [&'static str; 3] = ["opening", "middlegame", "endgame"];

    pub(super) fn of(position: &Position) -> Phase {
        let [white, black] = Color::ALL.map(|color| power(&position.board, color));
        if white <= 13 && black <= 13 {
            Phase::Endgame
        } else if position.fullmove_number <= 12 && white + black >= 50 {
            Phase::Opening
        } else {
            Phase::Middlegame
        }
    }
}

/// Returns the value of the pieces of a side, without pawns.
fn power(board: &Board, color: Color) -> u32 {
    let values = [(Role::Queen, 9), (Role::Rook, 5), (Role::Bishop, 3), (Role::Knight, 3)];
    values.iter().map(|&(role, value)| value * board.pieces(color, role).len()).sum()
}

/// Clocks of games: those of the player come first, then those of the opponent.
#[derive(Debug, Default)]
pub(super) struct Clocks {
    /// Number of games with clocks of both players.
    pub(super) games: u64,
    /// Shares of the first clock that were left after some moves: sum, in ten thousandths, and
    /// number of games.
    pub(super) left: [[(u64, u64); 2]; MOVES.len()],
    /// Games by whether the player, and whether the opponent, was in time trouble.
    pub(super) trouble: [[Group; 2]; 2],
}

/// Nodes at which the player, and the opponent, had just moved in time trouble.
#[derive(Debug, Default)]
pub(super) struct Trouble([Option<usize>; 2]);

impl Trouble {
    /// Whether a side was in time trouble before its move to the half-move `at`.
    fn before(&self, who: usize, at: usize) -> bool {
        self.0[who].is_some_and(|first| first < at)
    }
}

impl Clocks {
    /// Counts a game. Returns when the players came into time trouble.
    pub(super) fn add(
        &mut self,
        tree: &GameTree,
        text: &[u8],
        line: &[usize],
        side: Color,
        outcome: Outcome,
    ) -> Trouble {
        let mut first = [None; 2];
        let mut left = [[None; 2]; MOVES.len()];
        let mut trouble = Trouble::default();
        for (at, &node) in line.iter().enumerate().skip(1) {
            let clock = tree.comments_backward(text, node).find_map(|text| clock(&text));
            let Some(clock) = clock else {
                continue;
            };
            let position = &tree.positions()[node];
            let who = usize::from(position.turn == side);
            let base = *first[who].get_or_insert(clock);
            if base == 0 {
                continue;
            }
            let black_moved = position.turn == Color::White;
            let number = position.fullmove_number.saturating_sub(u16::from(black_moved));
            if let Some(index) = MOVES.iter().position(|&other| other == number) {
                let share = 10_000 * i64::from(clock) / i64::from(base);
                left[index][who] = u64::try_from(share).ok();
            }
            if i64::from(clock) * i64::from(TROUBLE) < i64::from(base) {
                trouble.0[who].get_or_insert(at);
            }
        }
        if first.contains(&None) {
            return trouble;
        }
        self.games += 1;
        for (sums, left) in self.left.iter_mut().zip(left) {
            for (sum, share) in sums.iter_mut().zip(left) {
                if let Some(share) = share {
                    *sum = (sum.0 + share, sum.1 + 1);
                }
            }
        }
        let [own, other] = trouble.0.map(|at| usize::from(at.is_some()));
        self.trouble[own][other].add(outcome);
        trouble
    }

    pub(super) fn merge(&mut self, other: &Clocks) {
        self.games += other.games;
        for (sums, more) in self.left.iter_mut().zip(other.left) {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum = (sum.0 + more.0, sum.1 + more.1);
            }
        }
        for (groups, more) in self.trouble.iter_mut().zip(&other.trouble) {
            for (group, more) in groups.iter_mut().zip(more) {
                group.merge(more);
            }
        }
    }
}

/// Moves between two evaluations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Moves {
    pub(super) moves: u64,
    /// Sum of the losses in centipawns.
    pub(super) loss: u64,
    /// Number of inaccuracies, mistakes and blunders.
    pub(super) faults: [u64; 3],
}

impl Moves {
    /// Counts a move with the evaluations before and after it, from the side of the player.
    fn add(&mut self, before: i32, after: i32) {
        self.moves += 1;
        self.loss += u64::from(before.saturating_sub(after).max(0).unsigned_abs());
        let loss = chances(before) - chances(after);
        if let Some(kind) = LOSSES.iter().rposition(|&least| loss >= least) {
            self.faults[kind] += 1;
        }
    }

    fn merge(&mut self, other: &Moves) {
        self.moves += other.moves;
        self.loss += other.loss;
        for (n, more) in self.faults.iter_mut().zip(other.faults) {
            *n += more;
        }
    }
}

/// Evaluated moves: of the player and of the opponent.
#[derive(Debug, Default)]
pub(super) struct Evaluations {
    /// Number of games with evaluated moves.
    pub(super) games: u64,
    /// Moves by phase.
    pub(super) phases: [[Moves; 2]; 3],
    /// Moves in time trouble.
    pub(super) in_trouble: [Moves; 2],
}

impl Evaluations {
    /// Counts the moves of a game that have an evaluation before and after them.
    pub(super) fn add(
        &mut self,
        tree: &GameTree,
        text: &[u8],
        line: &[usize],
        side: Color,
        trouble: &Trouble,
    ) {
        let mut before = None;
        let mut is_evaluated = false;
        for (at, pair) in line.windows(2).enumerate() {
            let after = tree.evaluation(text, pair[1]).map(centipawns);
            if let (Some(before), Some(after)) = (before, after) {
                let position = &tree.positions()[pair[0]];
                let who = usize::from(position.turn != side);
                let sign = if position.turn == Color::White { 1 } else { -1 };
                let phase = Phase::of(position) as usize;
                self.phases[phase][who].add(sign * before, sign * after);
                if trouble.before(who, at + 1) {
                    self.in_trouble[who].add(sign * before, sign * after);
                }
                is_evaluated = true;
            }
            before = after;
        }
        self.games += u64::from(is_evaluated);
    }

    pub(super) fn merge(&mut self, other: &Evaluations) {
        self.games += other.games;
        let more = other.phases.iter().flatten().chain(&other.in_trouble);
        let all = self.phases.iter_mut().flatten().chain(&mut self.in_trouble);
        all.zip(more).for_each(|(moves, more)| moves.merge(more));
    }
}

/// Returns an evaluation from White's side in centipawns.
fn centipawns(evaluation: Evaluation) -> i32 {
    match evaluation {
        Evaluation::Centipawns(value) => value.clamp(-LARGEST, LARGEST),
        Evaluation::Mate(moves) if moves > 0 => LARGEST,
        Evaluation::Mate(_) => -LARGEST,
    }
}

/// Returns the winning chances in percent that Lichess derives of an evaluation.
fn chances(centipawns: i32) -> f64 {
    100.0 / (1.0 + (-0.003_682_08 * f64::from(centipawns)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_those_of_the_filter() {
        let check = |fen: &str, expected: Phase| {
            let position = board::parse_fen(fen.as_bytes()).expect(fen);
            assert_eq!(Phase::of(&position), expected, "{fen}");
        };
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12", Phase::Opening);
        check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 13", Phase::Middlegame);
        // 47 of 62 points are no opening, and 13 on both sides an ending.
        check("rnb1kbnr/8/8/8/8/8/8/RN1QKB1R w - - 0 9", Phase::Middlegame);
        check("r3kb1r/8/8/8/8/8/8/R3KB1R w - - 0 5", Phase::Endgame);
        check("r2qk2r/8/8/8/8/8/8/4K3 w - - 0 40", Phase::Middlegame);
    }

    #[test]
    fn faults_are_those_of_lichess() {
        let check = |before: i32, after: i32, faults: [u64; 3], loss: u64| {
            let mut moves = Moves::default();
            moves.add(before, after);
            assert_eq!((moves.faults, moves.loss), (faults, loss), "{before} {after}");
        };
        check(0, -50, [0, 0, 0], 50);
        check(0, -60, [1, 0, 0], 60);
        check(0, -111, [0, 1, 0], 111);
        check(0, -170, [0, 0, 1], 170);
        check(1000, 700, [0, 0, 0], 300);
        check(-20, 60, [0, 0, 0], 0);
        assert_eq!(centipawns(Evaluation::Mate(-1)), -1000);
        assert_eq!(centipawns(Evaluation::Mate(3)), 1000);
        assert_eq!(centipawns(Evaluation::Centipawns(1200)), 1000);
    }
}

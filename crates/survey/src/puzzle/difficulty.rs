//! Estimates how difficult an exercise is, from the moves of its solution.
//!
//! The estimate is a sum that a reader can check: see [`Difficulty::points`].

use board::{Move, MoveList, Position};
use serde::{Deserialize, Serialize};

/// Number of legal moves that are worth a point.
const CHOICES: u16 = 15;

/// Most points for legal moves.
const MOST_FOR_CHOICES: u16 = 3;

/// Material in pawns that a move must offer to be a sacrifice.
const OFFERED: i32 = 2;

/// Properties of a solution that make it difficult.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Difficulty {
    /// Number of moves of the side that solves.
    pub moves: u8,
    /// Number of legal moves in the position.
    pub choices: u16,
    /// Whether the first move is quiet: no capture, check or promotion.
    pub quiet_key: bool,
    /// Number of later moves that are quiet.
    pub quiet_later: u8,
    /// Whether a move offers two pawns or more.
    pub sacrifice: bool,
    /// Whether the first move takes something that is worth at least as much as what takes it.
    pub plain_capture: bool,
}

impl Difficulty {
    /// Examines a solution from a position.
    #[must_use]
    pub fn new(start: &Position, solution: &[Move]) -> Difficulty {
        let mut moves = MoveList::new();
        start.legal_moves(&mut moves);
        let mut difficulty = Difficulty {
            choices: moves.len().try_into().unwrap_or(u16::MAX),
            ..Difficulty::default()
        };
        let mut position = *start;
        for (at, &mv) in solution.iter().enumerate() {
            let next = position.play(mv);
            if at % 2 == 0 {
                difficulty.moves = difficulty.moves.saturating_add(1);
                difficulty.add(&position, mv, &next, at == 0);
            }
            position = next;
        }
        difficulty
    }

    fn add(&mut self, position: &Position, mv: Move, next: &Position, is_key: bool) {
        let captured = mv.captured_square(&position.board);
        let taken = captured.and_then(|sq| position.board.role_at(sq)).map_or(0, |man| man.worth());
        let is_quiet = captured.is_none() && mv.promotion().is_none() && !next.is_check();
        let offered = next.exchange(mv.to()).unwrap_or(0) - taken;
        self.sacrifice |= offered >= OFFERED && next.has_legal_move();
        if is_key {
            self.quiet_key = is_quiet;
            self.plain_capture = captured.is_some() && taken >= mv.role().worth() && offered < 0;
        } else {
            self.quiet_later += u8::from(is_quiet);
        }
    }

    /// Returns the points: two for each move after the first, one for every 15 legal moves (at most
    /// three), three for a quiet first move and one for each later one, two for a sacrifice, and one
    /// less if the first move takes something that is worth at least as much.
    #[must_use]
    pub fn points(self) -> u8 {
        let choices = (self.choices / CHOICES).min(MOST_FOR_CHOICES) as u8;
        let quiet = 3 * u8::from(self.quiet_key) + self.quiet_later;
        let moves = self.moves.saturating_sub(1).saturating_mul(2);
        let sum = moves.saturating_add(choices + 2 * u8::from(self.sacrifice));
        sum.saturating_add(quiet).saturating_sub(u8::from(self.plain_capture))
    }

    /// Returns a word for the points.
    #[must_use]
    pub fn level(self) -> &'static str {
        match self.points() {
            0..=2 => "easy",
            3..=5 => "medium",
            6..=8 => "hard",
            _ => "very hard",
        }
    }
}

#[cfg(test)]
mod tests {
    use board::parse_fen;

    use super::*;

    fn difficulty(fen: &str, moves: &[&str]) -> Difficulty {
        let start = parse_fen(fen.as_bytes()).expect("a position");
        let (mut position, mut solution) = (start, Vec::new());
        for uci in moves {
            let mv = position.move_of_uci(uci).expect("a legal move");
            solution.push(mv);
            position = position.play(mv);
        }
        Difficulty::new(&start, &solution)
    }

    #[test]
    fn the_points_are_a_sum() {
        let back_rank = difficulty("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", &["e1e8"]);
        assert_eq!((back_rank.choices, back_rank.points(), back_rank.level()), (17, 1, "easy"));
        let smothered =
            difficulty("5r1k/6pp/7N/8/8/1Q6/8/6K1 w - - 0 1", &["b3g8", "f8g8", "h6f7"]);
        assert!(smothered.sacrifice && !smothered.quiet_key && !smothered.plain_capture);
        // Two moves, 30 legal moves at least, a sacrifice.
        assert_eq!((smothered.moves, smothered.points()), (2, 4 + smothered.choices as u8 / 15));
        let quiet = difficulty("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", &["f6f7", "h8h7", "g1h1"]);
        assert_eq!((quiet.quiet_key, quiet.quiet_later, quiet.points()), (true, 0, 6));
        let capture = difficulty("4k3/8/8/3q4/8/2N5/8/4K3 w - - 0 1", &["c3d5"]);
        assert!(capture.plain_capture && !capture.sacrifice);
        assert_eq!(capture.points(), 0);
    }
}

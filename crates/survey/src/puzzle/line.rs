//! The main line of a game as positions, moves and evaluations.

use board::{Color, Move, Position, parse_fen};
use engine::{GameRow, MovetextMove};
use pgn::command::{Evaluation, evaluation};

/// A position of the main line.
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) fen: String,
    /// The id of the position in the row.
    pub(super) id: Option<u32>,
    /// The evaluation in the comment, from White's side.
    evaluation: Option<Evaluation>,
    /// The move that was played in the position; `None` at the end of the line.
    pub(super) next: Option<Move>,
}

impl Node {
    /// Returns the evaluation from the side of a color.
    pub(super) fn evaluation(&self, color: Color) -> Option<Evaluation> {
        let sign = if color == Color::White { 1 } else { -1 };
        Some(match self.evaluation? {
            Evaluation::Centipawns(score) => Evaluation::Centipawns(sign * score),
            Evaluation::Mate(n) => Evaluation::Mate(sign * n),
        })
    }
}

/// Returns the main line of a game up to the first position that is none of chess.
pub(super) fn main_line(row: &GameRow) -> Vec<Node> {
    let moves = row.moves.iter().map(|mv| mv.uci.as_str()).map(Some).chain(std::iter::repeat(None));
    row.main_line().zip(moves).map_while(|(at, uci)| node(at, uci)).collect()
}

fn node(at: &MovetextMove, uci: Option<&str>) -> Option<Node> {
    let position = parse_fen(at.fen.as_bytes()).ok()?;
    Some(Node {
        next: uci.and_then(|uci| position.move_of_uci(uci)),
        position,
        fen: at.fen.clone(),
        id: at.id,
        evaluation: at.comments.iter().rev().find_map(|comment| evaluation(comment)),
    })
}

//! The chess board: squares, sets of squares, attacks, positions, moves, FEN, SAN.
//!
//! Everything here is plain chess with one difference from an engine's board: **any placement is
//! a position**. A board may have no king or several, pawns on the first and last rank, or the
//! side not to move in check; nothing panics, and the rules extend in the evident way (a side
//! without a king cannot leave it attacked, a side with several must leave none of them attacked).
//!
//! The crate has no dependencies, does no input or output, and needs no initialization: the tables
//! are constants of a few kilobytes, because a query over millions of games is bound by the cache.
//!
//! ```
//! use board::{Color, MoveList, Role, parse_fen, san};
//!
//! let position = parse_fen(b"6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1").expect("a FEN");
//! assert_eq!(position.board.pieces(Color::Black, Role::Pawn).len(), 3);
//! let mut moves = MoveList::new();
//! position.legal_moves(&mut moves);
//! let texts = moves.iter().map(|&mv| san(&position, mv).to_string());
//! let mates: Vec<String> = texts.filter(|text| text.ends_with('#')).collect();
//! assert_eq!(mates, ["Rd8#"]);
//! ```

mod attack_sets;
pub mod attacks;
mod before;
mod board;
mod castling;
mod checks;
mod count;
mod exchange;
mod fen;
mod lanes;
mod legal;
mod likeness;
mod lines;
mod mates;
mod moves;
mod piece;
mod placement;
mod polyglot;
mod position;
mod possible;
mod resolve;
mod rules;
mod san;
mod series;
mod set;
mod setup;
mod square;
mod start;
pub mod symmetry;
#[cfg(test)]
mod testing;

pub use attacks::{
    Direction, attacks_of, between, bishop_attacks, king_attacks, knight_attacks, line,
    pawn_attacks, queen_attacks, ray, reach, rook_attacks,
};
pub use board::Board;
pub use castling::{CastlingRights, castling_path_clear};
pub use checks::Checks;
pub use fen::{FenError, counted, parse_board, parse_fen, parse_position};
pub use lanes::{LANES, LaneBoards, LaneEnds, LaneMoves, LanePositions, LaneSet};
pub use likeness::{Likeness, LikenessMemo, LikenessRun, LikenessWeights};
pub use lines::RayKind;
pub use mates::KingSteps;
pub use moves::{Move, MoveKind, MoveList};
pub use piece::{ByColor, ByRole, Color, Piece, Role};
pub use placement::{Placement, Squares};
pub use polyglot::polyglot_key;
pub use position::Position;
pub use resolve::{
    castling, find_pawn_move, find_piece_move, null_move, resolve_coordinate, resolve_pawn,
    resolve_pawn_files, resolve_piece,
};
pub use rules::{Ending, Extra, Rules, Situation};
pub use san::{San, san, san_followed, san_reaching};
pub use series::MateInTwo;
pub use set::SquareSet;
pub use setup::CastlingSetup;
pub use square::Square;
pub use start::Start;
pub use symmetry::{Symmetry, shift_set, step_set};

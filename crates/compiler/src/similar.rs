//! Index of the positions of a file that `similarposition` compares with.
//!
//! Positions are compared by their board and the side to move. Without pawns a position is similar
//! to its eight images under the symmetries of the board; with pawns it is similar to its images
//! under maps that keep the ranks: shifts along the ranks and their mirror images.

use std::collections::HashMap;

use board::{Board, Color, SquareSet, Symmetry, shift_set};
use pgn::{GameTree, Splitter, TagIndex};

use crate::transform::{TransformStep, plain_name};

/// Locations of positions in a file, by board and side to move.
#[derive(Debug, Default)]
pub struct SimilarIndex {
    places: HashMap<(Board, Color), Vec<MainlinePly>>,
}

/// A position in the main line of a game.
#[derive(Debug, Clone, Copy)]
struct MainlinePly {
    game: u32,
    move_number: u32,
}

/// A stored position that is similar to the one searched for.
#[derive(Debug, PartialEq, Eq)]
pub struct Hit {
    /// Number of the game in the file, from 1.
    pub game: u32,
    /// Number of the move about to be played; the game's first move is 1.
    pub move_number: u32,
    /// The transform that takes the stored position to the one searched for; empty for the
    /// identity.
    pub transform: String,
}

impl SimilarIndex {
    /// Indexes the main lines of all games of a PGN text.
    pub fn new(pgn: &[u8]) -> SimilarIndex {
        let mut index = SimilarIndex::default();
        let mut tags = TagIndex::default();
        let mut tree = GameTree::default();
        let mut buffer = Vec::new();
        let mut splitter = Splitter::default();
        for (raw, game) in splitter.split(pgn, true).zip(1..) {
            if raw.is_skipped() {
                continue;
            }
            let text = raw.clean_text(&mut buffer);
            tags.scan(text);
            tree.parse(tags.tags(text));
            let black_began = u32::from(tree.positions()[0].turn == Color::Black);
            let line = std::iter::successors(Some(0), |&node| tree.next(node));
            for (node, ply) in line.zip(0..) {
                let position = &tree.positions()[node];
                let places = index.places.entry((position.board, position.turn));
                places
                    .or_default()
                    .push(MainlinePly { game, move_number: (ply + black_began) / 2 + 1 });
            }
        }
        index
    }

    /// Returns the stored positions that are similar to a position; without `transforms` only equal
    /// ones.
    pub fn hits(&self, board: &Board, turn: Color, transforms: bool) -> Vec<Hit> {
        let mut hits = Vec::new();
        let mut seen: Vec<Board> = Vec::new();
        for steps in transforms_of(board, transforms) {
            let Some(image) = inverse_image(board, &steps) else {
                continue;
            };
            if seen.contains(&image) {
                continue;
            }
            seen.push(image);
            for place in self.places.get(&(image, turn)).into_iter().flatten() {
                hits.push(Hit {
                    game: place.game,
                    move_number: place.move_number,
                    transform: plain_name(&steps),
                });
            }
        }
        hits
    }
}

/// The transforms under which positions with or without pawns are similar, the identity first.
fn transforms_of(board: &Board, transforms: bool) -> Vec<Vec<TransformStep>> {
    if !transforms {
        return vec![vec![TransformStep::Identity]];
    }
    if board.role(board::Role::Pawn).is_empty() {
        return crate::transform::members(syntax::tree::TransformFamily::Flip)
            .into_iter()
            .map(|step| vec![step])
            .collect();
    }
    let shifts = crate::transform::members(syntax::tree::TransformFamily::ShiftHorizontal);
    let mirror = TransformStep::Dihedral(Symmetry::REFLECT_V);
    let plain = shifts.iter().map(|&shift| vec![shift]);
    let mirrored = shifts.iter().map(|&shift| vec![shift, mirror]);
    plain.chain(mirrored).collect()
}

/// The board that the steps take to `board`; `None` if pieces would leave the board.
fn inverse_image(board: &Board, steps: &[TransformStep]) -> Option<Board> {
    steps.iter().rev().try_fold(*board, |board, &step| {
        map_board(&board, |set| match step {
            TransformStep::Dihedral(symmetry) => symmetry.inverse().apply_set(set),
            TransformStep::Shift(dx, dy) => shift_set(set, -dx, -dy, false),
            TransformStep::Identity | TransformStep::Rotate45(_) | TransformStep::InvertColor => {
                set
            }
        })
    })
}

fn map_board(board: &Board, map: impl Fn(SquareSet) -> SquareSet) -> Option<Board> {
    let mut image = Board::EMPTY;
    for color in [Color::White, Color::Black] {
        for role in board::Role::ALL {
            let set = board.pieces(color, role);
            let mapped = map(set);
            if mapped.len() != set.len() {
                return None;
            }
            for square in mapped {
                image.put(square, board::Piece { color, role });
            }
        }
    }
    Some(image)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(stored: &str, asked: &str, transforms: bool, want: &[&str]) {
        let pgn = format!("[Event \"?\"]\n[FEN \"{stored}\"]\n\n*\n");
        let index = SimilarIndex::new(pgn.as_bytes());
        let position = board::parse_fen(asked.as_bytes()).expect("a FEN");
        let hits: Vec<String> = index
            .hits(&position.board, position.turn, transforms)
            .into_iter()
            .map(|hit| hit.transform)
            .collect();
        assert_eq!(hits, want, "{stored} and {asked}");
    }

    #[test]
    fn positions_without_pawns_turn_in_all_ways() {
        let stored = "k7/8/8/8/8/8/1Q6/K7 w - - 0 1";
        check(stored, stored, true, &[""]);
        check(stored, "7k/8/8/8/8/8/6Q1/7K w - - 0 1", true, &["reflect_v"]);
        check(stored, "7k/8/8/8/8/8/6Q1/7K w - - 0 1", false, &[]);
        check(stored, "k7/8/8/8/8/8/1Q6/K7 b - - 0 1", true, &[]);
    }

    #[test]
    fn pawns_keep_their_ranks() {
        let stored = "8/8/k7/8/8/8/P7/K7 w - - 0 1";
        check(stored, "8/8/2k5/8/8/8/2P5/2K5 w - - 0 1", true, &["right^2"]);
        check(stored, "8/8/8/k7/8/8/P7/K7 w - - 0 1", true, &[]);
    }
}

//! Summarizes a game whose moves have been read.

use std::cell::{Cell, OnceCell};

use board::{Color, Piece, Position, Role, SquareSet};

use super::{Kinds, PieceCounts, Summary, SummaryTag, counts};
use crate::tags::Tags;
use crate::tree::GameTree;
use crate::values::{Date, GameResult};

/// Summary of a game of chess whose moves have been read, computed on request.
///
/// It knows whether there are promotions, but no other happenings, and of the material only the
/// pieces at the start.
pub struct TreeSummary<'a> {
    tree: &'a GameTree,
    tags: Tags<'a>,
    /// Squares by color and role.
    squares: OnceCell<[[u64; 6]; 2]>,
    memory: Cell<Vec<u16>>,
    /// Codes of the moves, once requested, if all moves have one.
    codes: OnceCell<Option<Vec<u16>>>,
}

/// Returns the squares that each piece is on in some of the positions.
fn squares_in(positions: &[Position]) -> [[u64; 6]; 2] {
    let mut squares = [[0; 6]; 2];
    let [white, black] = &mut squares;
    for Position { board, .. } in positions {
        let [of_white, of_black] = Color::ALL.map(|color| board.color(color).0);
        for (role, (white, black)) in Role::ALL.into_iter().zip(white.iter_mut().zip(&mut *black)) {
            *white |= board.role(role).0 & of_white;
            *black |= board.role(role).0 & of_black;
        }
    }
    squares
}

impl<'a> TreeSummary<'a> {
    /// Creates the summary of a game. `memory` will hold the codes of its moves, if they are
    /// requested.
    #[must_use]
    pub fn new(tree: &'a GameTree, tags: Tags<'a>, memory: Vec<u16>) -> TreeSummary<'a> {
        TreeSummary {
            tree,
            tags,
            squares: OnceCell::new(),
            memory: Cell::new(memory),
            codes: OnceCell::new(),
        }
    }

    /// Returns the memory.
    #[must_use]
    pub fn into_memory(self) -> Vec<u16> {
        let codes = self.codes.into_inner().flatten();
        codes.unwrap_or_else(|| self.memory.take())
    }

    fn read_codes(&self) -> Option<Vec<u16>> {
        let mut codes = self.memory.take();
        codes.clear();
        let has_codes = self.tree.setup.is_none() && self.tree.write_codes(&mut codes);
        has_codes.then_some(codes)
    }
}

impl Summary for TreeSummary<'_> {
    fn text(&self, tag: SummaryTag) -> Option<Option<&[u8]>> {
        Some(self.tags.raw(match tag {
            SummaryTag::Event => b"Event",
            SummaryTag::Site => b"Site",
            SummaryTag::White => b"White",
            SummaryTag::Black => b"Black",
            SummaryTag::Eco => b"ECO",
        }))
    }

    fn date(&self) -> Date {
        self.tags.date()
    }

    fn ratings(&self) -> [u16; 2] {
        Color::ALL.map(|color| self.tags.rating(color).value)
    }

    fn result(&self) -> GameResult {
        self.tree.result
    }

    fn has_fen(&self) -> bool {
        self.tree.has_fen()
    }

    fn has_variations(&self) -> bool {
        !self.tree.is_linear()
    }

    fn has_annotations(&self) -> bool {
        self.tree.has_annotations()
    }

    fn start(&self) -> Option<PieceCounts> {
        Some(counts(&self.tree.positions()[0].board))
    }

    fn kinds(&self, _: bool) -> Kinds {
        let all = (1 << Kinds::BITS) - 1;
        let mut moves = self.tree.moves_from(1);
        Kinds(if moves.any(|mv| mv.promotion().is_some()) {
            all
        } else {
            all & !Kinds::PROMOTION.0
        })
    }

    fn squares(&self, piece: usize, _: bool) -> SquareSet {
        let Piece { color, role } = Piece::ALL[piece];
        let squares = self.squares.get_or_init(|| squares_in(self.tree.positions()));
        SquareSet(squares[color.index()][role.index()])
    }

    fn plies(&self, _: bool) -> Option<u16> {
        let n_moves = self.tree.len() - 1;
        self.tree.is_linear().then_some(n_moves as u16)
    }

    fn material(&self) -> Option<&[u16]> {
        None
    }

    fn moves(&self) -> Option<&[u16]> {
        self.codes.get_or_init(|| self.read_codes()).as_deref()
    }
}

//! The images of an orbit of piece patterns, as a table of anchors.

use board::{Board, Piece, Role, SquareSet};

use crate::facts::squares_of_kinds;

/// The images of an orbit of conjunctions of designators.
#[derive(Debug, Clone)]
pub struct Patterns {
    anchors: Vec<Anchor>,
    images: Vec<Image>,
}

/// A piece, and the squares on which it is the anchor of images.
#[derive(Debug, Clone)]
struct Anchor {
    piece: Piece,
    squares: SquareSet,
    /// For each square, a range of `images`.
    first_image: [u16; 65],
}

/// Requirements of an image besides its anchor.
type Image = Box<[Requirement]>;

/// A piece that must be on one of the squares.
#[derive(Debug, Clone, Copy)]
pub enum Requirement {
    /// A piece of this color and role.
    Piece(Piece, SquareSet),
    /// A piece of one of these types, as in `SetFilter::Pieces`.
    Kinds(u16, SquareSet),
}

impl Requirement {
    #[inline]
    fn holds(&self, board: &Board) -> bool {
        match *self {
            Requirement::Piece(piece, squares) => {
                !(board.pieces(piece.color, piece.role) & squares).is_empty()
            }
            Requirement::Kinds(kinds, squares) => {
                !(squares_of_kinds(board, kinds) & squares).is_empty()
            }
        }
    }

    /// Approximate number of such pieces in a position; the anchor should be rare.
    fn frequency(&self) -> u32 {
        match self {
            Requirement::Piece(piece, squares) if squares.single().is_some() => match piece.role {
                Role::King => 1,
                Role::Queen => 2,
                Role::Rook | Role::Bishop | Role::Knight => 3,
                Role::Pawn => 8,
            },
            _ => u32::MAX,
        }
    }
}

impl Patterns {
    /// The number of images.
    pub fn n_images(&self) -> usize {
        self.images.len()
    }

    /// The requirements of each image.
    pub fn images(&self) -> impl Iterator<Item = Vec<Requirement>> {
        self.anchors.iter().flat_map(move |anchor| {
            anchor.squares.into_iter().flat_map(move |square| {
                let first = anchor.first_image[square.index()] as usize;
                let end = anchor.first_image[square.index() + 1] as usize;
                let images = self.images[first..end].iter();
                images.map(move |image| {
                    let anchored = Requirement::Piece(anchor.piece, square.set());
                    std::iter::once(anchored).chain(image.iter().copied()).collect()
                })
            })
        })
    }

    /// Whether an image matches.
    #[inline]
    pub fn matches(&self, board: &Board) -> bool {
        self.anchors.iter().any(|anchor| {
            let pieces = board.pieces(anchor.piece.color, anchor.piece.role) & anchor.squares;
            pieces.into_iter().any(|square| {
                let first = anchor.first_image[square.index()] as usize;
                let end = anchor.first_image[square.index() + 1] as usize;
                self.images[first..end].iter().any(|image| image.iter().all(|r| r.holds(board)))
            })
        })
    }

    /// Makes a table of the images, each a conjunction; `None` if one requires no piece on a single
    /// square.
    pub fn new(images: Vec<Vec<Requirement>>) -> Option<Patterns> {
        let mut anchored: Vec<(Piece, usize, Image)> = Vec::new();
        for mut image in images {
            let anchor = (0..image.len()).min_by_key(|&i| image[i].frequency())?;
            let Requirement::Piece(piece, squares) = image.remove(anchor) else {
                return None;
            };
            let square = squares.single()?;
            image.sort_by_cached_key(Requirement::frequency);
            anchored.push((piece, square.index(), image.into()));
        }
        let kind = |piece: &Piece| (piece.color as u8, piece.role as u8);
        anchored.sort_by_cached_key(|(piece, square, _)| {
            let (color, role) = kind(piece);
            u32::from_be_bytes([0, color, role, *square as u8])
        });
        u16::try_from(anchored.len()).ok()?;
        let mut patterns = Patterns { anchors: Vec::new(), images: Vec::new() };
        for chunk in anchored.chunk_by(|a, b| kind(&a.0) == kind(&b.0)) {
            let base = patterns.images.len();
            let mut first_image = [0; 65];
            for (square, first) in first_image.iter_mut().enumerate() {
                let before = chunk.iter().filter(|(_, s, _)| *s < square).count();
                *first = (base + before) as u16;
            }
            patterns.anchors.push(Anchor {
                piece: chunk[0].0,
                squares: chunk
                    .iter()
                    .map(|(_, square, _)| board::Square::new(*square as u8))
                    .collect(),
                first_image,
            });
            patterns.images.extend(chunk.iter().map(|(_, _, image)| image.clone()));
        }
        Some(patterns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::{Color, Square};

    fn white(role: Role, square: &str) -> Requirement {
        let square = Square::parse(square.as_bytes()).expect("a square");
        let color = Color::White;
        Requirement::Piece(Piece { color, role }, square.set())
    }

    #[test]
    fn anchors_lead_to_the_images_that_match() {
        let board = board::parse_fen(b"4k3/8/8/8/8/8/4P3/3NK3 w - - 0 1").expect("a FEN").board;
        let check = |images: Vec<Vec<Requirement>>, want: bool| {
            let patterns = Patterns::new(images).expect("anchors");
            assert_eq!(patterns.matches(&board), want);
        };
        let knight = |square, pawn| vec![white(Role::Pawn, pawn), white(Role::Knight, square)];
        check(vec![knight("d1", "e2")], true);
        check(vec![knight("d1", "d2"), knight("d1", "e2")], true);
        check(vec![knight("d1", "d2"), knight("e1", "e2")], false);
        check(vec![vec![white(Role::King, "e1")]], true);
    }

    #[test]
    fn images_without_a_single_square_have_no_anchor() {
        let anywhere = Requirement::Kinds(1, SquareSet::ALL);
        assert!(Patterns::new(vec![vec![anywhere]]).is_none());
    }
}

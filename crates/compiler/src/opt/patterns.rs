//! Turns orbits of piece patterns into tables of anchors.
//!
//! `flipcolor flip {Kc1 Rd1 Qd7 kb8}` and `shift {Pd4 Nd6 pe6}` lower to orbits whose images are
//! conjunctions of designators. Designators have no effects, so any image that matches decides, in
//! any order. Instead of testing every image, one designator of each image is made its *anchor*: a
//! piece on a single square. A position has at most a few such pieces, and each leads directly to
//! the images that require it on its square.
//!
//! An `or` of as many such conjunctions is the same thing, written by hand.

use crate::program::plan::{Patterns, Requirement};
use crate::program::{BoolFilter, BoolId, Program, SetFilter};

/// Least number of alternatives for which a table pays: a few are soon tested one by one.
const MANY: usize = 16;

/// Replaces all orbits and all long alternatives of piece patterns.
pub(super) fn collect(program: &mut Program) {
    for index in 0..program.bools.len() {
        let images = match &program.bools[index] {
            BoolFilter::Orbit(images) => images,
            BoolFilter::Any(items) if items.len() >= MANY => items,
            _ => continue,
        };
        let requirements: Option<Vec<Vec<Requirement>>> = images
            .iter()
            .map(|&image| {
                let mut list = Vec::new();
                requirements(program, image, &mut list).then_some(list)
            })
            .collect();
        if let Some(patterns) = requirements.and_then(Patterns::new) {
            program.bools[index] = BoolFilter::Patterns(Box::new(patterns));
        }
    }
}

/// Collects the requirements of an image; `false` if it is more than designators.
fn requirements(program: &Program, id: BoolId, list: &mut Vec<Requirement>) -> bool {
    match &program.bools[id.0 as usize] {
        BoolFilter::All(items) => items.iter().all(|&item| requirements(program, item, list)),
        BoolFilter::NonEmpty(set) => {
            list.push(match program.sets[set.0 as usize] {
                SetFilter::Piece(piece, squares) => Requirement::Piece(piece, squares),
                SetFilter::Color(board::Color::White, squares) => Requirement::Kinds(0x3f, squares),
                SetFilter::Color(board::Color::Black, squares) => {
                    Requirement::Kinds(0x3f << 6, squares)
                }
                SetFilter::Pieces { kinds, squares } => Requirement::Kinds(kinds, squares),
                _ => return false,
            });
            true
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::compiled;
    use crate::program::BoolFilter;

    #[test]
    fn long_alternatives_of_pieces_are_tables() {
        let n_images = |query: &str| {
            let program = compiled(query);
            program.bools.iter().find_map(|filter| match filter {
                BoolFilter::Patterns(patterns) => Some(patterns.n_images()),
                _ => None,
            })
        };
        let squares = (b'a'..=b'h').flat_map(|file| [3, 4].map(|rank| (char::from(file), rank)));
        let all: Vec<String> = squares.map(|(file, rank)| format!("{{Q N{file}{rank}}}")).collect();
        assert_eq!(n_images(&all.join(" or ")), Some(16));
        assert_eq!(n_images(&all[1..].join(" or ")), None);
        assert_eq!(n_images(&format!("{} or check", all.join(" or "))), None);
        assert_eq!(n_images(&format!("{} or Q", all.join(" or "))), None);
    }
}

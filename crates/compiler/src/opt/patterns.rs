//! Turns orbits of piece patterns into tables of anchors.
//!
//! `flipcolor flip {Kc1 Rd1 Qd7 kb8}` and `shift {Pd4 Nd6 pe6}` lower to orbits whose images are
//! conjunctions of designators. Designators have no effects, so any image that matches decides, in
//! any order. Instead of testing every image, one designator of each image is made its *anchor*: a
//! piece on a single square. A position has at most a few such pieces, and each leads directly to
//! the images that require it on its square.

use crate::program::plan::{Patterns, Requirement};
use crate::program::{BoolFilter, BoolId, Program, SetFilter};

/// Replaces all orbits of piece patterns.
pub(super) fn collect(program: &mut Program) {
    for index in 0..program.bools.len() {
        let BoolFilter::Orbit(images) = &program.bools[index] else {
            continue;
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

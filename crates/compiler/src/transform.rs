//! Transforms as data: the members of a family, and the effect of each on squares, pieces,
//! directions and colors.
//!
//! A transform of a filter is a list of elementary steps, innermost (applied first) in front.
//! Steps are applied one after the other, never multiplied out: a shift that loses squares at the
//! edge does not commute with the rest.

use board::{Square, SquareSet, Symmetry, shift_set};
use syntax::designator::PieceSet;
use syntax::tree::TransformFamily;

/// One step of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TransformStep {
    /// Nothing changes.
    Identity,
    /// A symmetry of the board.
    Dihedral(Symmetry),
    /// A shift by files to the right and ranks up.
    Shift(i8, i8),
    /// Rotates directions only, by t·45° counterclockwise.
    Rotate45(u8),
    /// Swaps the colors and mirrors the ranks.
    InvertColor,
}

/// A rotation by 45 degrees met a square or a square color.
#[derive(Debug)]
pub struct NotRotatable;

impl TransformStep {
    /// The image of a designator.
    pub fn pieces_and_squares(
        self,
        pieces: PieceSet,
        squares: SquareSet,
    ) -> Result<(PieceSet, SquareSet), NotRotatable> {
        Ok(match self {
            TransformStep::Identity => (pieces, squares),
            TransformStep::Dihedral(symmetry) => (pieces, symmetry.apply_set(squares)),
            TransformStep::Shift(dx, dy) => (pieces, shift_set(squares, dx, dy, true)),
            TransformStep::Rotate45(_) if squares == SquareSet::ALL || squares.is_empty() => {
                (pieces, squares)
            }
            TransformStep::Rotate45(_) => return Err(NotRotatable),
            TransformStep::InvertColor => {
                (pieces.swap_colors(), Symmetry::REFLECT_H.apply_set(squares))
            }
        })
    }

    /// The image of a direction.
    pub fn direction(self, (dx, dy): (i8, i8)) -> (i8, i8) {
        match self {
            TransformStep::Identity | TransformStep::Shift(..) => (dx, dy),
            TransformStep::Dihedral(symmetry) => {
                let start = Square::from_coords(3, 3);
                let image = symmetry.apply(start);
                match start.offset(dx, dy).map(|end| symmetry.apply(end)) {
                    Some(end) => (
                        end.file() as i8 - image.file() as i8,
                        end.rank() as i8 - image.rank() as i8,
                    ),
                    None => (dx, dy),
                }
            }
            TransformStep::InvertColor => (dx, -dy),
            TransformStep::Rotate45(t) => {
                const RING: [(i8, i8); 8] =
                    [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)];
                let index = RING.iter().position(|&d| d == (dx, dy)).unwrap_or(0);
                RING[(index + t as usize) % 8]
            }
        }
    }

    /// Whether White and Black are exchanged.
    pub fn swaps_colors(self) -> bool {
        self == TransformStep::InvertColor
    }

    /// Whether light squares become dark.
    pub fn swaps_square_colors(self) -> Result<bool, NotRotatable> {
        match self {
            TransformStep::Identity => Ok(false),
            TransformStep::Dihedral(symmetry) => Ok(symmetry.swaps_light_and_dark()),
            TransformStep::Shift(dx, dy) => Ok((dx + dy) % 2 != 0),
            TransformStep::InvertColor => Ok(true),
            TransformStep::Rotate45(_) => Err(NotRotatable),
        }
    }

    fn name(self) -> String {
        fn shift(n: i8, positive: &str, negative: &str) -> Option<String> {
            (n != 0).then(|| {
                format!("{}^{}", if n > 0 { positive } else { negative }, n.unsigned_abs())
            })
        }
        match self {
            TransformStep::Identity => String::new(),
            TransformStep::Dihedral(symmetry) => symmetry.name().to_owned(),
            TransformStep::Shift(dx, dy) => shift(dx, "right", "left")
                .into_iter()
                .chain(shift(dy, "up", "down"))
                .collect::<Vec<_>>()
                .join(" "),
            TransformStep::Rotate45(t) => format!("rotate45^{t}"),
            TransformStep::InvertColor => "invertcolor reflect_h".to_owned(),
        }
    }
}

/// The value of `currenttransform` under these steps.
pub(crate) fn name(steps: &[TransformStep]) -> Vec<u8> {
    format!("<{}>", plain_name(steps)).into_bytes()
}

/// The names of these steps, outermost first; empty for the identity.
pub(crate) fn plain_name(steps: &[TransformStep]) -> String {
    let parts: Vec<String> = steps.iter().rev().map(|step| step.name()).collect();
    parts.join(" ").trim().to_owned()
}

/// The members of a family in their order; the identity first, if it is a member.
pub(crate) fn members(family: TransformFamily) -> Vec<TransformStep> {
    use Symmetry as S;
    let dihedral = |list: &[Symmetry]| {
        let mut steps = vec![TransformStep::Identity];
        steps.extend(list.iter().map(|&s| TransformStep::Dihedral(s)));
        steps
    };
    match family {
        TransformFamily::Flip => dihedral(&[
            S::REFLECT_A1H8,
            S::REFLECT_H,
            S::COUNTERCLOCKWISE90,
            S::REFLECT_V,
            S::CLOCKWISE90,
            S::ROTATE180,
            S::REFLECT_A8H1,
        ]),
        TransformFamily::Rotate90 => {
            dihedral(&[S::COUNTERCLOCKWISE90, S::ROTATE180, S::CLOCKWISE90])
        }
        TransformFamily::FlipHorizontal => dihedral(&[S::REFLECT_H]),
        TransformFamily::FlipVertical => dihedral(&[S::REFLECT_V]),
        TransformFamily::FlipColor => vec![TransformStep::Identity, TransformStep::InvertColor],
        TransformFamily::ReverseColor => vec![TransformStep::InvertColor],
        TransformFamily::Rotate45 => std::iter::once(TransformStep::Identity)
            .chain((1..8).map(TransformStep::Rotate45))
            .collect(),
        TransformFamily::Shift => std::iter::once(TransformStep::Identity)
            .chain((-7..=7).flat_map(|dx| {
                (-7..=7)
                    .filter(move |&dy| (dx, dy) != (0, 0))
                    .map(move |dy| TransformStep::Shift(dx, dy))
            }))
            .collect(),
        TransformFamily::ShiftHorizontal => std::iter::once(TransformStep::Identity)
            .chain((-7..=7).filter(|&d| d != 0).map(|d| TransformStep::Shift(d, 0)))
            .collect(),
        TransformFamily::ShiftVertical => std::iter::once(TransformStep::Identity)
            .chain((-7..=7).filter(|&d| d != 0).map(|d| TransformStep::Shift(0, d)))
            .collect(),
    }
}

/// A part of the key by which two images of a filter are compared: the data that transforms can
/// change, in the order of the tree. All images of one filter have the same shape.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Atom {
    /// A value that is compared as a number.
    Number(u64),
    /// A sorted list of pairs of files and ranks.
    List(Vec<(i8, i8)>),
    /// A nested orbit: the atoms of its images, sorted.
    Orbit(Vec<Vec<Atom>>),
}

/// The atoms of a designator: squares, whether `A` and `a` are in it, then the other piece types.
pub(crate) fn designator_atoms(pieces: PieceSet, squares: SquareSet, out: &mut Vec<Atom>) {
    let white = pieces.contains(PieceSet::WHITE);
    let black = pieces.contains(PieceSet::BLACK);
    out.push(Atom::Number(squares.0));
    out.push(Atom::Number(u64::from(white)));
    out.push(Atom::Number(u64::from(black)));
    // K Q R B N P _ k q r b n p, each with its code; kinds covered by A or a are not listed
    const CODES: [(u16, u64); 13] = [
        (5, 1),
        (4, 2),
        (3, 3),
        (2, 4),
        (1, 5),
        (0, 6),
        (12, 7),
        (11, 9),
        (10, 10),
        (9, 11),
        (8, 12),
        (7, 13),
        (6, 14),
    ];
    // A digit for each, from the left: so numbers are ordered like lists of codes.
    let others = CODES
        .iter()
        .filter(|&&(bit, _)| pieces.0 & 1 << bit != 0)
        .filter(|&&(bit, _)| !(white && bit < 6 || black && (6..12).contains(&bit)))
        .zip(1..)
        .fold(0, |all, (&(_, code), place)| all | code << (64 - 4 * place));
    out.push(Atom::Number(others));
}

/// The members of a family, each as the only step of an image.
pub(crate) fn single_steps(family: TransformFamily) -> Vec<Vec<TransformStep>> {
    members(family).into_iter().map(|step| vec![step]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_their_sizes_and_start_with_the_identity() {
        for &family in TransformFamily::ALL {
            let members = members(family);
            assert_eq!(members.len(), family.size() as usize, "{family:?}");
            let is_identity = members[0] == TransformStep::Identity;
            assert_eq!(is_identity, family != TransformFamily::ReverseColor, "{family:?}");
        }
    }

    #[test]
    fn names_are_written_outermost_first() {
        for (steps, want) in [
            (vec![], "<>"),
            (vec![TransformStep::Identity], "<>"),
            (vec![TransformStep::Shift(2, -1)], "<right^2 down^1>"),
            (
                vec![TransformStep::InvertColor, TransformStep::Dihedral(Symmetry::REFLECT_V)],
                "<reflect_v invertcolor reflect_h>",
            ),
            (
                vec![
                    TransformStep::InvertColor,
                    TransformStep::Identity,
                    TransformStep::Rotate45(3),
                ],
                "<rotate45^3  invertcolor reflect_h>",
            ),
        ] {
            assert_eq!(String::from_utf8_lossy(&name(&steps)), want);
        }
    }

    #[test]
    fn rotation_by_45_degrees_turns_right_to_northeast() {
        assert_eq!(TransformStep::Rotate45(1).direction((1, 0)), (1, 1));
        assert_eq!(TransformStep::Rotate45(1).direction((0, 1)), (-1, 1));
    }
}

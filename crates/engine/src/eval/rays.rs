//! Evaluates rays and pins.

use board::{Board, Piece, RayKind, Role, Square, SquareSet};
use syntax::tree::PinPart;

use compiler::program::Ray;

/// Whether the piece on `square` moves along lines in the direction `step`.
fn moves_along(board: &Board, square: Square, (dx, dy): (i8, i8)) -> bool {
    let diagonal = dx != 0 && dy != 0;
    match board.role_at(square) {
        Some(Role::Queen) => true,
        Some(Role::Rook) => !diagonal,
        Some(Role::Bishop) => diagonal,
        _ => false,
    }
}

/// Returns the first or the last squares of all rays through `operands`.
pub(super) fn rays(board: &Board, ray: &Ray, operands: &[SquareSet]) -> SquareSet {
    if let [_, between @ .., _] = operands
        && between.iter().all(|point| point.is_subset(board.occupied()))
    {
        return RayKind::new(&ray.steps, ray.attack, ray.first).find(board, operands);
    }
    walked(board, ray, operands)
}

/// Does the same as [`rays`], one ray at a time: points between may be empty squares, too.
fn walked(board: &Board, ray: &Ray, operands: &[SquareSet]) -> SquareSet {
    let mut result = SquareSet::EMPTY;
    for_each_ray(board, ray, operands, |start, reached| {
        if ray.first {
            result.insert(start);
        } else {
            result |= reached;
        }
    });
    result
}

/// Returns the number of pairs of a first square and a direction that have a ray through
/// `operands`.
pub(super) fn count_rays(board: &Board, ray: &Ray, operands: &[SquareSet]) -> i32 {
    let mut count = 0;
    for_each_ray(board, ray, operands, |_, _| count += 1);
    count
}

/// Calls `visit` with the first square of each ray and the squares that may be its last.
fn for_each_ray(
    board: &Board,
    ray: &Ray,
    operands: &[SquareSet],
    mut visit: impl FnMut(Square, SquareSet),
) {
    let [first, rest @ ..] = operands else {
        return;
    };
    if operands.iter().any(|set| set.is_empty()) {
        return;
    }
    let starts = if ray.attack {
        let sliders = board.role(Role::Queen) | board.role(Role::Rook) | board.role(Role::Bishop);
        *first & sliders
    } else {
        *first
    };
    for start in starts {
        for &step in &ray.steps {
            if ray.attack && !moves_along(board, start, step) {
                continue;
            }
            let reached = walk(board, start, step, rest);
            if !reached.is_empty() {
                visit(start, reached);
            }
        }
    }
}

/// Returns the last squares of the rays from `start` along `step` with the further points `points`.
///
/// Occupied squares on the way must be points; empty ones may be points or be skipped. So the state
/// of the walk is the set of possible numbers of used points.
fn walk(board: &Board, start: Square, (dx, dy): (i8, i8), points: &[SquareSet]) -> SquareSet {
    let last = points.len() - 1;
    // bit i: i points may have been used
    let mut used = 1u64;
    let mut result = SquareSet::EMPTY;
    let mut square = start;
    while let Some(next) = square.offset(dx, dy) {
        square = next;
        let occupied = board.occupied().contains(square);
        if used >> last & 1 == 1 && points[last].contains(square) {
            result.insert(square);
        }
        let mut advanced = 0;
        for (i, point) in points[..last].iter().enumerate() {
            if used >> i & 1 == 1 && point.contains(square) {
                advanced |= 1 << (i + 1);
            }
        }
        used = if occupied { advanced } else { used | advanced };
        if used == 0 {
            break;
        }
    }
    result
}

/// Returns the squares in the part `value` of all pins of `through` by `from` against `to`.
pub(super) fn pins(
    board: &Board,
    from: SquareSet,
    through: SquareSet,
    to: SquareSet,
    value: PinPart,
) -> SquareSet {
    let occupied = board.occupied();
    let mut result = SquareSet::EMPTY;
    // Most pieces share no line with the targets.
    let mut lined_up = SquareSet::EMPTY;
    for target in to {
        lined_up |= board::reach(Role::Bishop, target) & board.diagonal_sliders()
            | board::reach(Role::Rook, target) & board.straight_sliders();
    }
    for pinner in from & lined_up {
        let Some(Piece { color, role }) = board.piece_at(pinner) else {
            continue;
        };
        let lines = board::attacks_of(Piece { color, role }, pinner, SquareSet::EMPTY);
        let targets = to & lines & !board.color(color);
        let pinnable = through & board.color(!color);
        for target in targets {
            let between = board::between(pinner, target) & occupied;
            if let Some(pinned) = between.single()
                && pinnable.contains(pinned)
            {
                result.insert(match value {
                    PinPart::From => pinner,
                    PinPart::Through => pinned,
                    PinPart::To => target,
                });
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;
    use board::Color;
    use compiler::facts::squares_of_kinds;

    fn board(text: &str) -> Board {
        board::parse_fen(text.as_bytes()).expect("a FEN").board
    }

    #[test]
    fn rays_consume_what_stands_between() {
        let board = board("r1b1k2r/pp3ppp/2n2n2/3p4/1b1P4/2N2N2/PP3PPP/R1B1KB1R w - - 0 1");
        let kinds = |letters: &[u8]| {
            let kinds = letters
                .iter()
                .filter_map(|&l| syntax::designator::PieceSet::from_letter(l))
                .fold(0, |all, p| all | p.0);
            squares_of_kinds(&board, kinds)
        };
        let check = |attack: bool, first: bool, operands: &[&[u8]], want: &str| {
            let ray = Ray {
                attack,
                steps: syntax::tree::DirectionName::AnyDirection.steps().into(),
                operands: Vec::new(),
                first,
            };
            let sets: Vec<SquareSet> = operands.iter().map(|l| kinds(l)).collect();
            let squares: Vec<String> =
                rays(&board, &ray, &sets).into_iter().map(|s| s.to_string()).collect();
            assert_eq!(squares.join(" "), want, "{operands:?}");
        };
        check(true, false, &[b"b", b"N", b"K"], "e1");
        check(true, true, &[b"b", b"N", b"K"], "b4");
        check(true, false, &[b"R", b"_", b"B"], "c1 f1");
    }

    #[test]
    fn rays_moved_together_are_those_walked_one_by_one() {
        let of_name = |name: syntax::tree::DirectionName| name.steps().to_vec();
        let all = of_name(syntax::tree::DirectionName::AnyDirection);
        for fen in [
            "r1b1k2r/pp3ppp/2n2n2/3p4/1b1P4/2N2N2/PP3PPP/R1BQKB1R w - - 0 1",
            "3rr1k1/5p1p/R2Q2p1/2b5/8/q1P2R2/1B3PPP/3RR1K1 b - - 0 1",
            "QqQ1k2b/QnQ3r1/QQQ5/1N1N4/N2rR1Rr/2Pb4/N3N3/1N1NK2r w - - 0 1",
        ] {
            let board = board::parse_position(fen.as_bytes()).expect("a FEN").board;
            let [white, black] = Color::ALL.map(|color| board.color(color));
            let ends = [white, black, SquareSet::ALL, !board.occupied(), SquareSet::rank(3)];
            let between = [board.occupied(), board.kings(Color::Black), black, SquareSet::EMPTY];
            for steps in [&all[..], &all[..1], &all[3..6]] {
                for (attack, first) in [(true, true), (true, false), (false, true), (false, false)]
                {
                    let (steps, operands) = (steps.into(), Vec::new());
                    let ray = Ray { attack, steps, operands, first };
                    for start in ends {
                        for end in ends {
                            for points in [&[][..], &between[..1], &between[1..2], &between[..3]] {
                                let sets = [&[start], points, &[end]].concat();
                                let got = rays(&board, &ray, &sets);
                                assert_eq!(got, walked(&board, &ray, &sets), "{fen} {sets:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}

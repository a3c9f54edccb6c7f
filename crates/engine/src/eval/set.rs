//! Sets of squares: pieces, attacks, rays, pins, directions, pawn structure, loops.

use board::{Board, Piece, Role, Square, SquareSet};
use syntax::Span;
use syntax::tree::PinPart;

use super::aesthetics::Demand;
use super::{Evaluator, Slot};
use crate::facts::squares_of_kinds;
use crate::pawns::Pawns;
use crate::program::plan::MoveEnd;
use crate::program::*;

impl Evaluator<'_> {
    /// The squares of the filter; empty where it fails.
    #[inline]
    pub(super) fn set(&mut self, id: SetId) -> SquareSet {
        let program = self.program;
        match &program.sets[id.0 as usize] {
            SetFilter::Piece(piece, squares) => {
                self.here().board.pieces(piece.color, piece.role) & *squares
            }
            filter => self.other_set(filter),
        }
    }

    /// All but the commonest filter.
    fn other_set(&mut self, filter: &SetFilter) -> SquareSet {
        match filter {
            SetFilter::Constant(set) => *set,
            SetFilter::Color(color, squares) => self.here().board.color(*color) & *squares,
            SetFilter::Pieces { kinds, squares } => {
                squares_of_kinds(&self.here().board, *kinds) & *squares
            }
            SetFilter::Variable(variable, span) => match self.slot(*variable) {
                Slot::Set(set) => *set,
                _ => {
                    self.unbound(*variable, *span);
                    SquareSet::EMPTY
                }
            },
            SetFilter::Union(left, right) => {
                let left = self.set(*left);
                left | self.set(*right)
            }
            SetFilter::Intersect(left, right) => {
                let left = self.set(*left);
                left & self.set(*right)
            }
            SetFilter::Complement(operand) => !self.set(*operand),
            SetFilter::Attacks(left, right) => {
                let left = self.set(*left);
                let right = self.set(*right);
                attackers(&self.here().board, left, right)
            }
            filter => self.rare_set(filter),
        }
    }

    /// The filters that are asked less often, out of the way of the others.
    #[inline(never)]
    fn rare_set(&mut self, filter: &SetFilter) -> SquareSet {
        match filter {
            SetFilter::Constant(_)
            | SetFilter::Piece(..)
            | SetFilter::Color(..)
            | SetFilter::Pieces { .. }
            | SetFilter::Variable(..)
            | SetFilter::Union(..)
            | SetFilter::Intersect(..)
            | SetFilter::Complement(_)
            | SetFilter::Attacks(..) => SquareSet::EMPTY,
            SetFilter::PieceVariable(variable, span) => match *self.slot(*variable) {
                Slot::Piece(piece) => self.square_of_piece(piece),
                _ => {
                    self.unbound(*variable, *span);
                    SquareSet::EMPTY
                }
            },
            SetFilter::AttackedBy(left, right) => {
                let right = self.set(*right);
                let left = self.set(*left);
                attacked(&self.here().board, left, right)
            }
            SetFilter::Ray(ray) => {
                let mut operands = [SquareSet::EMPTY; 8];
                if ray.operands.len() <= operands.len() {
                    for (set, &id) in operands.iter_mut().zip(&ray.operands) {
                        *set = self.set(id);
                    }
                    rays(&self.here().board, ray, &operands[..ray.operands.len()])
                } else {
                    let operands: Vec<SquareSet> =
                        ray.operands.iter().map(|&id| self.set(id)).collect();
                    rays(&self.here().board, ray, &operands)
                }
            }
            SetFilter::Between(left, right) => {
                let left = self.set(*left);
                let right = self.set(*right);
                let mut result = SquareSet::EMPTY;
                for a in left {
                    for b in right {
                        result |= board::between(a, b);
                    }
                }
                result
            }
            SetFilter::Pin(pin) => {
                let from = pin.from.map_or(SquareSet::ALL, |id| self.set(id));
                let through = pin.through.map_or(SquareSet::ALL, |id| self.set(id));
                let to = pin.to.map(|id| self.set(id));
                let board = &self.here().board;
                let to = to.unwrap_or_else(|| board.role(Role::King));
                pins(board, from, through, to, pin.value)
            }
            SetFilter::Direction(steps, range, operand, span) => {
                self.direction(steps, range, *operand, *span)
            }
            SetFilter::MakeSquare(file, rank) => {
                let Some(file) = self.number(*file) else {
                    return SquareSet::EMPTY;
                };
                // evaluated whatever the file
                match (file, self.number(*rank)) {
                    (1..=8, Some(rank @ 1..=8)) => {
                        Square::from_coords(file as u8 - 1, rank as u8 - 1).set()
                    }
                    _ => SquareSet::EMPTY,
                }
            }
            SetFilter::MakeSquareFromText(text) => self
                .text(*text)
                .and_then(|text| Square::parse(&text))
                .map_or(SquareSet::EMPTY, Square::set),
            SetFilter::From { scoped } => self.origins_of_current_move(*scoped),
            SetFilter::To { scoped } => self.destinations_of_current_move(*scoped),
            SetFilter::EnPassantSquare => self.en_passant_victim(),
            SetFilter::PawnStructure(structure) => structure.of(Pawns::of(&self.here().board)),
            SetFilter::PureMate => self.beautiful_mate(Demand::Pure),
            SetFilter::ModelMate => self.beautiful_mate(Demand::Model),
            SetFilter::IdealMate => self.beautiful_mate(Demand::Ideal),
            SetFilter::PureStalemate => self.beautiful_stalemate(Demand::Pure),
            SetFilter::ModelStalemate => self.beautiful_stalemate(Demand::Model),
            SetFilter::IdealStalemate => self.beautiful_stalemate(Demand::Ideal),
            SetFilter::Loop(square_loop) => self.squares_that_match(square_loop),
            SetFilter::Orbit(images) => images
                .iter()
                .fold(SquareSet::EMPTY, |all, &id| all | self.set(id)),
            SetFilter::SameContent(p, q) => match (self.position(*p), self.position(*q)) {
                (Some(p), Some(q)) => {
                    let p = &self.positions.position(p).board;
                    let q = &self.positions.position(q).board;
                    p.same_content(q)
                }
                _ => SquareSet::EMPTY,
            },
            SetFilter::Legal(dash) => self.legal_destinations(dash),
            SetFilter::Move(filter) => self.move_squares(filter),
            SetFilter::Flow(flow) => self.flow(flow).unwrap_or(SquareSet::EMPTY),
        }
    }

    fn direction(
        &mut self,
        steps: &[(i8, i8)],
        range: &Range,
        operand: SetId,
        span: Span,
    ) -> SquareSet {
        let Some((min, max)) = self.range(range) else {
            return SquareSet::EMPTY;
        };
        if min < -7 || max > 7 || min > max {
            self.fault(
                span,
                format!("the range {min} to {max} of a direction is not within -7 to 7"),
            );
            return SquareSet::EMPTY;
        }
        let operand = self.set(operand);
        let mut result = SquareSet::EMPTY;
        for &(dx, dy) in steps {
            for n in min as i8..=max as i8 {
                result |= board::shift_set(operand, dx * n, dy * n, false);
            }
        }
        result
    }

    /// Starts a loop over `square_loop`'s domain; `None` where its variable is already bound.
    fn domain(&mut self, square_loop: &SquareLoop) -> Option<SquareSet> {
        let domain = self.set(square_loop.domain);
        if *self.slot(square_loop.variable) != Slot::Unbound {
            self.loop_variable_bound(square_loop.variable, square_loop.span);
            return None;
        }
        Some(match square_loop.piece {
            true => domain & self.here().board.occupied(),
            false => domain,
        })
    }

    fn bind_loop(&mut self, square_loop: &SquareLoop, square: Square) -> bool {
        let slot = if square_loop.piece {
            match self.piece_id_on(square) {
                Some(piece) => Slot::Piece(piece),
                None => return false,
            }
        } else {
            Slot::Set(square.set())
        };
        self.bind(square_loop.variable, slot);
        true
    }

    fn squares_that_match(&mut self, square_loop: &SquareLoop) -> SquareSet {
        let Some(domain) = self.domain(square_loop) else {
            return SquareSet::EMPTY;
        };
        if let Some(condition) = &square_loop.condition {
            return self.select(condition, domain);
        }
        let domain = match square_loop.by_move {
            Some(end) => domain & self.squares_of_moves(end),
            None => domain,
        };
        let mut result = SquareSet::EMPTY;
        for square in domain {
            if !self.step() {
                break;
            }
            if !self.bind_loop(square_loop, square) {
                continue;
            }
            let mark = self.mark();
            if self.matches(square_loop.body) {
                result.insert(square);
            } else {
                self.drop_comments(mark);
            }
        }
        self.limit_at(|| square_loop.span);
        self.bind(square_loop.variable, Slot::Unbound);
        result
    }

    /// These squares of all moves that follow, both of castling.
    fn squares_of_moves(&self, end: MoveEnd) -> SquareSet {
        let mut squares = SquareSet::EMPTY;
        for child in self.positions.children(self.at) {
            let Some(mv) = self.positions.mv(child) else {
                continue;
            };
            let (from, to) = super::moves::squares_of(mv, (SquareSet::ALL, SquareSet::ALL));
            squares |= match end {
                MoveEnd::From => from,
                MoveEnd::To => to,
                MoveEnd::Captured => mv
                    .captured_square(&self.here().board)
                    .map_or(SquareSet::EMPTY, Square::set),
            };
        }
        squares
    }

    /// `square all`, `piece all`: stops at the first failure, which drops everything, that of the
    /// domain included.
    pub(super) fn for_all(&mut self, square_loop: &SquareLoop) -> bool {
        let mark = self.mark();
        let Some(domain) = self.domain(square_loop) else {
            return false;
        };
        let result = domain.into_iter().all(|square| {
            self.step() && self.bind_loop(square_loop, square) && self.matches(square_loop.body)
        });
        self.bind(square_loop.variable, Slot::Unbound);
        if !result {
            self.drop_comments(mark);
        }
        result
    }
}

/// The squares of `left` that attack a square of `right`.
pub(super) fn attackers(board: &Board, left: SquareSet, right: SquareSet) -> SquareSet {
    let left = left & board.occupied();
    if left.is_empty() || right.is_empty() {
        return SquareSet::EMPTY;
    }
    if right.len() < left.len() {
        let mut result = SquareSet::EMPTY;
        for square in right {
            result |= board.attackers_to(square, board.occupied());
        }
        return result & left;
    }
    left.into_iter()
        .filter(|&square| !(board.attacks_from(square) & right).is_empty())
        .collect()
}

/// The squares of `left` that a square of `right` attacks.
pub(super) fn attacked(board: &Board, left: SquareSet, right: SquareSet) -> SquareSet {
    let right = right & board.occupied();
    if left.is_empty() || right.is_empty() {
        return SquareSet::EMPTY;
    }
    if left.len() < right.len() {
        return left
            .into_iter()
            .filter(|&square| !(board.attackers_to(square, board.occupied()) & right).is_empty())
            .collect();
    }
    let mut result = SquareSet::EMPTY;
    for square in right {
        result |= board.attacks_from(square);
    }
    result & left
}

/// Whether a line piece on `square` moves along `step`.
fn moves_along(board: &Board, square: Square, (dx, dy): (i8, i8)) -> bool {
    let diagonal = dx != 0 && dy != 0;
    match board.role_at(square) {
        Some(Role::Queen) => true,
        Some(Role::Rook) => !diagonal,
        Some(Role::Bishop) => diagonal,
        _ => false,
    }
}

/// The first or last squares of all rays through `operands`.
pub(super) fn rays(board: &Board, ray: &Ray, operands: &[SquareSet]) -> SquareSet {
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

/// How many pairs of a first square and a direction have a ray through `operands`.
pub(super) fn count_rays(board: &Board, ray: &Ray, operands: &[SquareSet]) -> i32 {
    let mut count = 0;
    for_each_ray(board, ray, operands, |_, _| count += 1);
    count
}

/// Visits the first square of each ray with the squares that may be its last.
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

/// The last squares of the rays from `start` along `step` whose further points are `points`.
///
/// Occupied squares on the way must be points; empty ones may be points or be skipped. So the
/// state of the walk is the set of how many points may have been used up.
fn walk(board: &Board, start: Square, (dx, dy): (i8, i8), points: &[SquareSet]) -> SquareSet {
    let last = points.len() - 1;
    // bit i: i points are behind us
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

/// The squares in the part `value` of all pins of `through` by `from` against `to`.
pub(super) fn pins(
    board: &Board,
    from: SquareSet,
    through: SquareSet,
    to: SquareSet,
    value: PinPart,
) -> SquareSet {
    let occupied = board.occupied();
    let mut result = SquareSet::EMPTY;
    // Most men are on no line with the targets.
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
                operands: Box::default(),
                first,
            };
            let sets: Vec<SquareSet> = operands.iter().map(|l| kinds(l)).collect();
            let squares: Vec<String> = rays(&board, &ray, &sets)
                .into_iter()
                .map(|s| s.to_string())
                .collect();
            assert_eq!(squares.join(" "), want, "{operands:?}");
        };
        check(true, false, &[b"b", b"N", b"K"], "e1");
        check(true, true, &[b"b", b"N", b"K"], "b4");
        check(true, false, &[b"R", b"_", b"B"], "c1 f1");
    }
}

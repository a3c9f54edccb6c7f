//! Evaluates filters whose value is a set of squares: pieces, attacks, rays, pins, directions, pawn
//! structure, loops over squares.

use board::{Role, Square, SquareSet};
use syntax::Span;

use super::attacks::{attacked, attacked_so_often, attackers};
use super::boards::{back, shifted};
use super::evaluator::Evaluator;
use super::rays::{pins, rays};
use super::slot::Slot;
use crate::pawns::Pawns;
use compiler::facts::squares_of_kinds;
use compiler::program::plan::{Between, MoveEnd, OtherSquares, SquareCondition};
use compiler::program::*;

impl Evaluator<'_> {
    /// Returns the squares of the filter; empty if it fails.
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

    /// Evaluates all filters except the most frequent one.
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
                self.charge(1);
                let left = self.set(*left);
                left | self.set(*right)
            }
            SetFilter::Intersect(left, right) => {
                self.charge(1);
                let left = self.set(*left);
                left & self.set(*right)
            }
            SetFilter::Complement(operand) => !self.set(*operand),
            SetFilter::Attacks(left, right) => {
                self.charge(1);
                let left = self.set(*left);
                let right = self.set(*right);
                attackers(&self.here().board, left, right)
            }
            filter => self.rare_set(filter),
        }
    }

    /// Evaluates the less frequent filters, kept apart so that the frequent ones stay fast.
    #[inline(never)]
    fn rare_set(&mut self, filter: &SetFilter) -> SquareSet {
        self.charge(1);
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
                    let operands = &operands[..ray.operands.len()];
                    self.charge_rays(ray, operands);
                    rays(&self.here().board, ray, operands)
                } else {
                    let operands: Vec<SquareSet> =
                        ray.operands.iter().map(|&id| self.set(id)).collect();
                    self.charge_rays(ray, &operands);
                    rays(&self.here().board, ray, &operands)
                }
            }
            SetFilter::OfSet(word, set) => self.set_of_set(*word, *set),
            SetFilter::OfSets(word, left, right) => self.set_of_sets(*word, *left, *right),
            SetFilter::Engine(question, span) => self.engine_squares(*question, *span),
            SetFilter::Pin(pin) => {
                self.charge(4);
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
                // the rank is evaluated whether or not the file has a value in range
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
            SetFilter::PawnStructure(structure) => {
                crate::pawns::structure(*structure, Pawns::of(&self.here().board))
            }
            SetFilter::Source(source) => self.set_source(*source),
            SetFilter::Drawn(word) => self.drawn(*word),
            SetFilter::Loop(square_loop) => self.squares_that_match(square_loop),
            SetFilter::Orbit(images) => {
                images.iter().fold(SquareSet::EMPTY, |all, &id| all | self.set(id))
            }
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

    /// Charges the walks from all first squares.
    pub(super) fn charge_rays(&mut self, ray: &Ray, operands: &[SquareSet]) {
        let n_starts = operands.first().map_or(0, |first| first.len() as usize);
        self.charge((n_starts * ray.steps.len() * operands.len()) as u64);
    }

    fn direction(
        &mut self,
        steps: &[(i8, i8)],
        range: &Range,
        operand: SetId,
        span: Span,
    ) -> SquareSet {
        let Some((min, max)) = self.range(range, span) else {
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
                result |= board::step_set(operand, dx * n, dy * n);
            }
        }
        result
    }

    /// Starts a loop over squares and returns its domain, or `None` if its variable is already
    /// bound.
    fn domain(&mut self, square_loop: &SquareLoop) -> Option<SquareSet> {
        let domain = self.set(square_loop.domain);
        if *self.slot(square_loop.variable) != Slot::Unbound {
            self.loop_variable_bound(square_loop.variable, square_loop.span);
            return None;
        }
        Some(if square_loop.piece { domain & self.here().board.occupied() } else { domain })
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
        let domain = match &square_loop.least {
            Some(condition) => self.select(condition, domain),
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

    /// Returns the squares at one end of all moves that follow; for castling, those of king and
    /// rook.
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
                MoveEnd::Captured => {
                    mv.captured_square(&self.here().board).map_or(SquareSet::EMPTY, Square::set)
                }
            };
        }
        squares
    }

    /// Evaluates `square all` and `piece all`. The first failure ends the loop and drops all
    /// comments, including those of the domain.
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

    /// Returns the squares of `candidates` for which the condition holds.
    pub(super) fn select(
        &mut self,
        condition: &SquareCondition,
        candidates: SquareSet,
    ) -> SquareSet {
        if candidates.is_empty() {
            return SquareSet::EMPTY;
        }
        match condition {
            SquareCondition::Fixed(id) if self.matches(*id) => candidates,
            SquareCondition::Fixed(_) => SquareSet::EMPTY,
            SquareCondition::In(set) => candidates & self.set(*set),
            SquareCondition::AttackedBy(men) => {
                let men = self.set(*men);
                attacked(&self.here().board, candidates, men)
            }
            SquareCondition::Attacks(squares) => {
                let squares = self.set(*squares);
                attackers(&self.here().board, candidates, squares)
            }
            SquareCondition::AttackedSoOften(men, relation, n) => {
                let men = self.set(*men);
                attacked_so_often(&self.here().board, candidates, men, *relation, *n)
            }
            SquareCondition::Is(set) => {
                let set = self.set(*set);
                if set.is_several() { SquareSet::EMPTY } else { candidates & set }
            }
            SquareCondition::AttackersAre(men, set) => {
                let (men, set) = (self.set(*men), self.set(*set));
                let board = &self.here().board;
                let attackers = |square| board.attackers_to(square, board.occupied()) & men;
                candidates.into_iter().filter(|&square| attackers(square) == set).collect()
            }
            SquareCondition::Between(between) => self.select_between(*between, candidates),
            SquareCondition::At(position, condition) => match self.position(*position) {
                Some(position) => self.at(position, |e| e.select(condition, candidates)),
                None => SquareSet::EMPTY,
            },
            SquareCondition::Shifted(steps, condition) => {
                let shifted = shifted(candidates, steps.iter().copied());
                let found = self.select(condition, shifted);
                candidates & back(found, steps)
            }
            SquareCondition::Others(others) => self.select_related(others, candidates),
            SquareCondition::All(conditions) => {
                (conditions.iter()).fold(candidates, |left, condition| self.select(condition, left))
            }
            SquareCondition::Any(conditions) => {
                let left = (conditions.iter())
                    .fold(candidates, |left, condition| left - self.select(condition, left));
                candidates - left
            }
            SquareCondition::Not(condition) => candidates - self.select(condition, candidates),
        }
    }

    fn select_between(&mut self, between: Between, candidates: SquareSet) -> SquareSet {
        let (end, squares) = (self.set(between.end), self.set(between.squares));
        self.charge(u64::from(candidates.len() * end.len()) / 4);
        let lies_between = |&square: &Square| {
            let all = end.into_iter().map(|end| board::between(square, end));
            let all = all.fold(SquareSet::EMPTY, |all, squares| all | squares);
            if between.all { squares.is_subset(all) } else { squares.intersects(all) }
        };
        candidates.into_iter().filter(lies_between).collect()
    }

    /// Returns the squares of `candidates` that are related to enough others.
    fn select_related(&mut self, others: &OtherSquares, candidates: SquareSet) -> SquareSet {
        let domain = self.set(others.domain);
        let squares = self.select(&others.other, domain);
        if (squares.len() as usize) < others.least {
            return SquareSet::EMPTY;
        }
        let Some(related) = &others.related else {
            return candidates;
        };
        let mut numbers = [0; 64];
        let mut enough = SquareSet::EMPTY;
        for square in squares {
            if !self.step() {
                break;
            }
            self.bind(others.variable, Slot::Set(square.set()));
            for square in self.select(related, candidates - enough) {
                numbers[square.index()] += 1;
                if numbers[square.index()] >= others.least {
                    enough.insert(square);
                }
            }
        }
        self.bind(others.variable, Slot::Unbound);
        enough
    }
}

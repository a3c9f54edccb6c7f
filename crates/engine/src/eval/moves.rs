//! Evaluates filters on moves of the game: dashes, the `move` filter, `from` and `to`.
//!
//! A dash evaluates its operands once, at the current position, and then tests the moves of the
//! game from there one by one: first the squares of the move, then the promotion, then the target,
//! at the position after the move. The operands are kept while a target is evaluated, because
//! `from` and `to` in it show only the part of castling that the dash matches.

use board::{Board, Move, Role, SquareSet};
use syntax::tree::{MoveMode, MoveValue};

use super::evaluator::{Evaluator, Valued};
use compiler::facts::{Operands, is_admissible};
use compiler::program::*;

/// Returns the squares that `mv` leaves and those that it reaches. Of castling, only the moves of
/// king and rook that fit the operands count.
pub(super) fn squares_of(mv: Move, (left, right): Operands) -> Operands {
    let king = (mv.from(), mv.to());
    let Some(rook) = mv.rook_from_to() else {
        return (king.0.set(), king.1.set());
    };
    let mut squares = (SquareSet::EMPTY, SquareSet::EMPTY);
    for (from, to) in [king, rook] {
        if left.contains(from) && right.contains(to) {
            squares.0.insert(from);
            squares.1.insert(to);
        }
    }
    squares
}

/// The operands of a `move` filter.
struct MoveOperands {
    from: SquareSet,
    to: SquareSet,
    capture: Option<SquareSet>,
    en_passant: Option<SquareSet>,
}

impl<'a> Evaluator<'a> {
    /// Returns the squares of an operand, or all squares if it is missing.
    pub(super) fn operand(&mut self, operand: Option<SetId>) -> SquareSet {
        operand.map_or(SquareSet::ALL, |id| self.set(id))
    }

    /// Returns the operands of a dash at the current position.
    pub(super) fn operands(&mut self, dash: &Dash) -> Operands {
        let left = self.operand(dash.left);
        (left, self.operand(dash.right))
    }

    /// Returns the positions after the moves from here: after all of them, or only the position
    /// `only`.
    fn successors(&self, only: Option<u32>) -> impl Iterator<Item = u32> + use<'a> {
        let positions = self.positions;
        let first = only.unwrap_or(self.at + 1);
        let end = positions.end(only.unwrap_or(self.at));
        std::iter::successors((first < end).then_some(first), move |&child| {
            let next = positions.end(child);
            (next < end).then_some(next)
        })
    }

    /// Whether the move to `child` fits the operands of a dash.
    pub(super) fn admits(&self, dash: &Dash, child: u32, operands: Operands) -> bool {
        self.positions
            .mv(child)
            .is_some_and(|mv| is_admissible(mv, &self.here().board, dash.capture, operands))
    }

    /// Evaluates a part of the target of a dash at the position `child`, after the move.
    pub(super) fn behind<R>(
        &mut self,
        child: u32,
        operands: Operands,
        body: impl FnOnce(&mut Self) -> R,
    ) -> R {
        let saved = std::mem::replace(&mut self.dash_operands, operands);
        let result = self.at(child, body);
        self.dash_operands = saved;
        result
    }

    /// Whether the promotion of a dash matches, tested before the move to `child`, and its target,
    /// tested after that move. A target of several filters drops its comments if one of them fails;
    /// a single filter follows its own rules.
    pub(super) fn leads_on(&mut self, dash: &Dash, child: u32, operands: Operands) -> bool {
        dash.promotion.is_none_or(|p| self.promotes_by(p, child))
            && (dash.target).is_none_or(|id| self.behind(child, operands, |e| e.matches(id)))
    }

    fn promotes_by(&mut self, promotion: Promotion, child: u32) -> bool {
        let role = self.positions.mv(child).and_then(Move::promotion);
        self.promotes(promotion, role)
    }

    /// Whether a promotion operand matches a promotion to `role`; `None` is a move without
    /// promotion.
    pub(super) fn promotes(&mut self, promotion: Promotion, role: Option<Role>) -> bool {
        match promotion {
            Promotion::Any => role.is_some(),
            Promotion::Roles(roles) => role.is_some_and(|role| roles & bit(role) != 0),
            Promotion::Text(id) => match &self.program.texts[id.0 as usize] {
                TextFilter::Constant(text) => names(text, role),
                _ => self.text(id).is_some_and(|text| names(&text, role)),
            },
        }
    }

    /// Whether a move of the game matches the dash.
    pub(super) fn dash_matches(&mut self, dash: DashId) -> bool {
        self.dash_matches_among(dash, None)
    }

    fn dash_matches_among(&mut self, dash: DashId, only: Option<u32>) -> bool {
        if only.is_none() && self.positions.first_child(self.at).is_none() {
            return false;
        }
        let dash = &self.program.dashes[dash.0 as usize];
        let mark = self.mark();
        let operands = self.operands(dash);
        for child in self.successors(only) {
            if self.admits(dash, child, operands) && self.leads_on(dash, child, operands) {
                return true;
            }
        }
        self.drop_comments(mark);
        false
    }

    /// Returns the value of the target after the first admissible move for which it has one. A set
    /// always has a value, so only the first admissible move counts. If `only` is given, no other
    /// move is tested.
    pub(super) fn dash_value<V: Valued>(
        &mut self,
        dash: DashId,
        only: Option<u32>,
        value: V,
    ) -> Option<V::Output> {
        if only.is_none() && self.positions.first_child(self.at).is_none() {
            return None;
        }
        let dash = &self.program.dashes[dash.0 as usize];
        let start = self.mark();
        let operands = self.operands(dash);
        for child in self.successors(only) {
            if !self.admits(dash, child, operands) {
                continue;
            }
            let mark = self.mark();
            let leads_on = if V::ALWAYS {
                // a set never drops comments, so a failing promotion does not either
                dash.promotion.is_none_or(|p| self.promotes_by(p, child))
            } else {
                self.leads_on(dash, child, operands)
            };
            let result =
                if leads_on { self.behind(child, operands, |e| value.evaluate(e)) } else { None };
            if result.is_some() || V::ALWAYS {
                return result;
            }
            self.drop_comments(mark);
        }
        self.drop_comments(start);
        None
    }

    /// Evaluates `currentmove D` as a condition.
    pub(super) fn current_move_matches(&mut self, dash: DashId) -> bool {
        let current = self.at;
        self.positions
            .parent(current)
            .is_some_and(|parent| self.at(parent, |e| e.dash_matches_among(dash, Some(current))))
    }

    /// Evaluates `currentmove D` for the value of its target.
    pub(super) fn current_move_value<V: Valued>(
        &mut self,
        dash: DashId,
        value: V,
    ) -> Option<V::Output> {
        let current = self.at;
        let parent = self.positions.parent(current)?;
        self.at(parent, |e| e.dash_value(dash, Some(current), value))
    }

    /// Evaluates `countmoves D`.
    pub(super) fn count_moves(&mut self, countable: &Countable) -> Option<i32> {
        match countable {
            Countable::Played(dash) => Some(self.count_played(*dash)),
            Countable::PlayedFromParent(dash) => {
                let parent = self.positions.parent(self.at)?;
                Some(self.at(parent, |e| e.count_played(*dash)))
            }
            Countable::Legal(dash) => Some(self.count_legal(dash)),
            Countable::Tried(tried) => Some(self.count_tried(tried)),
        }
    }

    fn count_played(&mut self, dash: DashId) -> i32 {
        if self.positions.first_child(self.at).is_none() {
            return 0;
        }
        let dash = &self.program.dashes[dash.0 as usize];
        let operands = self.operands(dash);
        let mut count = 0;
        for child in self.successors(None) {
            if self.admits(dash, child, operands) && self.leads_on(dash, child, operands) {
                count += 1;
            }
        }
        count
    }

    /// Evaluates `from`.
    pub(super) fn origins_of_current_move(&self, scoped: bool) -> SquareSet {
        self.current_squares(scoped).0
    }

    /// Evaluates `to`.
    pub(super) fn destinations_of_current_move(&self, scoped: bool) -> SquareSet {
        self.current_squares(scoped).1
    }

    fn current_squares(&self, scoped: bool) -> Operands {
        let operands = if scoped { self.dash_operands } else { (SquareSet::ALL, SquareSet::ALL) };
        self.current_move()
            .map_or((SquareSet::EMPTY, SquareSet::EMPTY), |mv| squares_of(mv, operands))
    }

    /// Evaluates `enpassantsquare`: the square of the pawn that the current move captured en
    /// passant.
    pub(super) fn en_passant_victim(&self) -> SquareSet {
        self.current_move().map_or(SquareSet::EMPTY, victim_of)
    }

    /// Returns the squares that a `move` filter yields.
    pub(super) fn move_squares(&mut self, filter: &MoveFilter) -> SquareSet {
        match filter.mode {
            MoveMode::Next | MoveMode::Previous => self.played_moves(filter).1,
            MoveMode::Legal | MoveMode::Pseudolegal => {
                let moves = self.generated_moves(filter);
                match filter.value {
                    MoveValue::From => self.origins_of(&moves),
                    _ => self.destinations_of(&moves),
                }
            }
        }
    }

    /// Whether a move matches a `move` filter.
    pub(super) fn move_matches(&mut self, filter: &MoveFilter) -> bool {
        match filter.mode {
            MoveMode::Next | MoveMode::Previous => self.played_moves(filter).0,
            MoveMode::Legal | MoveMode::Pseudolegal => {
                let moves = self.generated_moves(filter);
                !self.destinations_of(&moves).is_empty()
            }
        }
    }

    /// Evaluates `move legal count`.
    pub(super) fn count_move(&mut self, filter: &MoveFilter) -> Option<i32> {
        let moves = self.generated_moves(filter);
        Some(self.count_of(&moves, u32::MAX))
    }

    fn generated_moves(&mut self, filter: &MoveFilter) -> super::legal::Generated {
        self.charge(4);
        let operands = self.move_operands(filter);
        let mut moves = super::legal::Generated {
            left: operands.from,
            right: operands.to,
            en_passant: operands.en_passant,
            ..self.generated(filter.mode == MoveMode::Pseudolegal)
        };
        if let Some(target) = filter.castle {
            self.restrict(&mut moves, target);
        }
        moves
    }

    fn move_operands(&mut self, filter: &MoveFilter) -> MoveOperands {
        MoveOperands {
            from: self.operand(filter.from),
            to: self.operand(filter.to),
            capture: filter.capture.map(|id| self.set(id)),
            en_passant: match filter.en_passant_square {
                Some(id) => Some(self.set(id)),
                None => filter.en_passant.then_some(SquareSet::ALL),
            },
        }
    }

    /// Returns whether a move of the game matches, and the squares of all matching moves.
    fn played_moves(&mut self, filter: &MoveFilter) -> (bool, SquareSet) {
        let nothing = (false, SquareSet::EMPTY);
        if filter.mode == MoveMode::Previous {
            let current = self.at;
            return match self.positions.parent(current) {
                Some(parent) => self.at(parent, |e| e.moves_among(filter, Some(current))),
                None => nothing,
            };
        }
        if self.positions.first_child(self.at).is_none() {
            return nothing;
        }
        let parent_of = |&child: &u32| self.positions.parent(child) == Some(self.at);
        let only = self.linearized.filter(parent_of);
        self.moves_among(filter, only)
    }

    fn moves_among(&mut self, filter: &MoveFilter, only: Option<u32>) -> (bool, SquareSet) {
        let mut operands = self.move_operands(filter);
        if let Some(target) = filter.castle {
            let (kings, destinations) = self.castling_squares_here(target);
            operands.from &= kings;
            operands.to &= destinations;
        }
        // In Chess960 an ordinary king move may have the squares of castling.
        let only_castling = filter.castle.is_some() && self.positions.castling_setup().is_some();
        let mut result = (false, SquareSet::EMPTY);
        for child in self.successors(only) {
            let Some(mv) = self.positions.mv(child) else {
                continue;
            };
            let captured = mv
                .captured_square(&self.here().board)
                .map_or(SquareSet::EMPTY, |square| square.set());
            let sibling_index = self.positions.sibling_index(child);
            let meant = operands.from.contains(mv.from())
                && operands.to.contains(mv.to())
                && (operands.capture).is_none_or(|set| set.intersects(captured))
                && (operands.en_passant).is_none_or(|set| set.intersects(victim_of(mv)))
                && (filter.promote)
                    .is_none_or(|roles| mv.promotion().is_some_and(|r| roles & bit(r) != 0))
                && (!filter.null || mv.is_null())
                && (!only_castling || mv.is_castle())
                && (!filter.primary || sibling_index == 0)
                && (!filter.secondary || sibling_index > 0);
            if !meant {
                continue;
            }
            result.0 = true;
            result.1 |= match filter.value {
                MoveValue::From => mv.from().set(),
                MoveValue::Capture => captured,
                MoveValue::To | MoveValue::Match | MoveValue::Count => mv.to().set(),
            };
            if let Some(comment) = filter.comment {
                self.at(child, |e| e.matches(comment));
            }
        }
        result
    }
}

/// Returns the square of the pawn that `mv` captures en passant.
fn victim_of(mv: Move) -> SquareSet {
    if !mv.is_en_passant() {
        return SquareSet::EMPTY;
    }
    // for an en passant capture the board does not matter
    mv.captured_square(&Board::EMPTY).map_or(SquareSet::EMPTY, |square| square.set())
}

/// The bit of a role in a set of roles.
fn bit(role: Role) -> u8 {
    1 << role.index()
}

/// Whether the text of a promotion operand names the piece type that a move promotes to.
fn names(text: &[u8], role: Option<Role>) -> bool {
    role.is_some_and(|role| {
        text.is_empty()
            || text == b"."
            || text.iter().any(|c| c.to_ascii_uppercase() == role.letter())
    })
}

#[cfg(test)]
mod tests;

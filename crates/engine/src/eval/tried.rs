//! Moves that are tried: the target behind `legal --(T)` and `pseudolegal --(T)`, and the one before
//! `reverse --(T)`.
//!
//! Each move that the dash admits is made on a copy of the board, and the target is evaluated
//! there as behind a played move: `from` and `to` are seen in it, its comments go to the position
//! of the game that the moves were tried in. The copy is an [imagined](crate::positions) position;
//! it lies on the stack, and an evaluator of its own sees it, so that one that follows the game
//! pays nothing for this.
//!
//! Moves come by the kind of man (pawns first, kings last), then by origin and destination from a1
//! to h8; promotions to queen, rook, bishop, knight; in Chess960 castling comes last.

use std::ops::ControlFlow::{self, Break, Continue};

use board::{CastlingRights, CastlingSetup, Checks, Move, Position, Rules, SquareSet};
use syntax::tree::{Unplayed, VariableId};

use super::evaluator::{Evaluator, Valued};
use super::screen::admits_unplayed;
use super::slot::{Key, Slot};
use crate::positions::{Imagined, Origin};
use compiler::facts::{Operands, is_admissible};
use compiler::limits::Limit;
use compiler::program::plan::{Glance, KingState};
use compiler::program::*;

impl Evaluator<'_> {
    /// `legal D(T)`, `legal all D(T)`
    pub(super) fn tried_matches(&mut self, tried: &Tried) -> bool {
        let mark = self.mark();
        let mut result = tried.all;
        self.for_each_tried(tried, |e, step, operands| {
            result = e.target_matches(tried, step, operands);
            match result == tried.all {
                true => Continue(()),
                false => Break(()),
            }
        });
        if !result {
            self.drop_comments(mark);
        }
        result
    }

    /// `countmoves legal D(T)`
    pub(super) fn count_tried(&mut self, tried: &Tried) -> i32 {
        let mut count: u32 = 0;
        if tried.limit == 0 {
            return 0;
        }
        self.for_each_tried(tried, |e, step, operands| {
            count += u32::from(e.target_matches(tried, step, operands));
            match count < tried.limit {
                true => Continue(()),
                false => Break(()),
            }
        });
        count as i32
    }

    /// The value of the target behind the first move that it has one for; of sets, all together.
    pub(super) fn tried_value<V: Valued>(&mut self, tried: &Tried, value: V) -> Option<V::Output> {
        let start = self.mark();
        let mut result = None;
        self.for_each_tried(tried, |e, step, operands| {
            let mark = e.mark();
            let dash = &e.program.dashes[tried.dash.0 as usize];
            let found = e.beyond(step, dash).and_then(|there| {
                e.seeing_beyond(step, there, operands, |e| {
                    let matches = dash.target.is_none_or(|id| e.matches(id));
                    matches.then(|| value.evaluate(e)).flatten()
                })
            });
            match found {
                Some(found) => V::gather(&mut result, found),
                None => {
                    e.drop_comments(mark);
                    Continue(())
                }
            }
        });
        if result.is_none() {
            self.drop_comments(start);
        }
        result
    }

    /// Whether the target matches behind a move. Drops its comments where it does not.
    fn target_matches(&mut self, tried: &Tried, step: Step<'_>, operands: Operands) -> bool {
        let dash = &self.program.dashes[tried.dash.0 as usize];
        let Some(target) = dash.target else {
            return true;
        };
        let Some(there) = self.beyond(step, dash) else {
            return false;
        };
        let knows = self.positions.rules().are_of_chess();
        if knows && dash.glance.as_ref().is_some_and(|glance| glance.is_exact) {
            return true;
        }
        let mark = self.mark();
        let matches = self.seeing_beyond(step, there, operands, |e| e.matches(target));
        if !matches {
            self.drop_comments(mark);
        }
        matches
    }

    /// Visits the moves that could be played from here and that the dash admits.
    fn for_each_tried(
        &mut self,
        tried: &Tried,
        mut visit: impl FnMut(&mut Self, Step<'_>, Operands) -> ControlFlow<()>,
    ) {
        if tried.moves == Unplayed::Reverse {
            if self.moves_are_of_chess("reverse") {
                self.for_each_reversed(tried, &mut visit);
            }
            self.limit_at(|| tried.span);
            return;
        }
        if !self.positions.rules().are_of_chess() {
            self.for_each_tried_of_variant(tried, &mut visit);
            return;
        }
        let is_pseudo = tried.moves == Unplayed::Pseudolegal;
        let program = self.program;
        let dash = &program.dashes[tried.dash.0 as usize];
        let operands = self.operands(dash);
        let glance = dash.glance.as_deref().filter(|_| !tried.all);
        if glance.is_some_and(|glance| glance.excludes_turn(!self.here().turn)) {
            return;
        }
        let mut position = Position {
            castling: CastlingRights::NONE,
            ..*self.here()
        };
        let asks_for_check = glance.is_some_and(Glance::asks_for_check);
        let checks = asks_for_check.then(|| Checks::new(&position)).flatten();
        let castlings = match self.positions.castling_setup() {
            Some(setup) => Some(self.castlings_of_setup(&position, setup)),
            None => {
                let turn = position.turn;
                if (checks.as_ref()).is_none_or(|checks| checks.may_come_by_castling(turn)) {
                    position.castling = self.castling_by_score();
                }
                None
            }
        };
        // the rook stands for a castling king
        let origins = operands.0 | position.board.kings(position.turn);
        // of the few moves that may give check each is looked at, whether it is legal
        let unsafe_ones_come = checks.is_some() && !is_pseudo;
        let mut consider = |mv: Move| {
            if !is_admissible(mv, &position.board, dash.capture, operands)
                || unsafe_ones_come && !position.is_safe(mv)
                || !self.promotes_to(dash.promotion, mv)
            {
                return Continue(());
            }
            if !self.step() {
                return Break(());
            }
            visit(self, Step::Forward(mv), operands)
        };
        let consider_all = |role, from, targets| {
            position
                .moves_to(role, from, targets)
                .try_for_each(&mut consider)
        };
        let end = match &checks {
            Some(checks) => position.visit_checks_from(checks, origins, consider_all),
            None if is_pseudo => position.visit_pseudolegal_from(origins, consider_all),
            None => position.visit_legal_from(origins, consider_all),
        };
        if end.is_continue() {
            let _ = (castlings.into_iter().flatten().flatten()).try_for_each(consider);
        }
        self.limit_at(|| tried.span);
    }

    /// As [`Self::for_each_tried`] by other rules. Drops come last, by kind and square.
    #[cold]
    fn for_each_tried_of_variant(
        &mut self,
        tried: &Tried,
        visit: &mut impl FnMut(&mut Self, Step<'_>, Operands) -> ControlFlow<()>,
    ) {
        let program = self.program;
        let dash = &program.dashes[tried.dash.0 as usize];
        let operands = self.operands(dash);
        let board = self.here().board;
        for mv in self.moves_of_variant(tried.moves == Unplayed::Pseudolegal) {
            if !is_admissible(mv, &board, dash.capture, operands)
                || !self.promotes_to(dash.promotion, mv)
            {
                continue;
            }
            if !self.step() || visit(self, Step::Forward(mv), operands).is_break() {
                break;
            }
        }
        self.limit_at(|| tried.span);
    }

    /// Castling in a game of Chess960.
    #[cold]
    fn castlings_of_setup(&self, position: &Position, setup: &CastlingSetup) -> [Option<Move>; 2] {
        let rights = self.rights_of_setup();
        [true, false].map(|king_side| {
            let has_right = rights.has(position.turn, king_side);
            setup.castling(position, king_side).filter(|_| has_right)
        })
    }

    /// Whether the move is a promotion that a dash asks for, if it does.
    fn promotes_to(&mut self, promotion: Option<Promotion>, mv: Move) -> bool {
        let Some(promotion) = promotion else {
            return true;
        };
        let mark = self.mark();
        let result = self.promotes(promotion, mv.promotion());
        if !result {
            self.drop_comments(mark);
        }
        result
    }

    /// Visits the moves that can have led here and that the dash admits. Its operands are squares
    /// of the position before, as those of a played move are.
    #[cold]
    fn for_each_reversed(
        &mut self,
        tried: &Tried,
        visit: &mut impl FnMut(&mut Self, Step<'_>, Operands) -> ControlFlow<()>,
    ) {
        let program = self.program;
        let dash = &program.dashes[tried.dash.0 as usize];
        let is_free = dash.left.is_none() && dash.right.is_none();
        // of a game of Chess960 the position does not know how it castles
        let castles = self.positions.castling_setup().is_none();
        let _ = self.here().visit_predecessors(|mv, before| {
            if !self.step() {
                return Break(());
            }
            if mv.is_castle() && !castles {
                return Continue(());
            }
            let step = Step::Backward(mv, before);
            let operands = match is_free {
                true => Some((SquareSet::ALL, SquareSet::ALL)),
                false => self.next_imagined().map(|id| {
                    let all = (SquareSet::ALL, SquareSet::ALL);
                    self.seeing_beyond(step, (id, *before), all, |e| e.operands(dash))
                }),
            };
            match operands {
                None => Break(()),
                Some(operands)
                    if is_admissible(mv, &before.board, dash.capture, operands)
                        && self.promotes_to(dash.promotion, mv) =>
                {
                    visit(self, step, operands)
                }
                Some(_) => Continue(()),
            }
        });
        self.limit_at(|| tried.span);
    }

    /// The number of the position behind a move that is tried here, or before one that led here,
    /// and the position; `None` where too many have been, or one sees at a glance that the target
    /// of the dash does not match there.
    #[inline]
    fn beyond(&mut self, step: Step<'_>, dash: &Dash) -> Option<(u32, Position)> {
        let id = self.next_imagined()?;
        let position = match (step, self.positions.rules()) {
            (Step::Backward(_, before), _) => *before,
            (Step::Forward(mv), Rules::Chess) => self.here().play(mv),
            (Step::Forward(mv), _) => {
                return Some((id, self.positions.situation(self.at).play(mv).position));
            }
        };
        let is_possible = |glance: &Glance| {
            admits_unplayed(&glance.screen, &position)
                && match glance.king {
                    None => true,
                    Some(KingState::Check) => position.is_check(),
                    Some(KingState::Mate) => position.is_mate(),
                    Some(KingState::Stalemate) => position.is_stalemate(),
                }
        };
        let glance = (dash.glance.as_deref()).filter(|_| self.positions.rules().are_of_chess());
        glance.is_none_or(is_possible).then_some((id, position))
    }

    /// Evaluates something in the position that is [beyond](Evaluator::beyond) a step.
    fn seeing_beyond<R>(
        &mut self,
        step: Step<'_>,
        (id, position): (u32, Position),
        operands: Operands,
        body: impl FnOnce(&mut Evaluator<'_>) -> R,
    ) -> R {
        let place = (id, self.at);
        let imagined = match step {
            Step::Forward(mv) => self.positions.imagine(place, position, mv),
            Step::Backward(mv, _) => {
                (self.positions).imagine_from(place, position, Origin::Reverse(mv), true)
            }
        };
        self.seeing(&imagined, id, operands, body)
    }

    /// Evaluates something in an imagined position.
    #[inline]
    pub(super) fn seeing<R>(
        &mut self,
        imagined: &Imagined<'_>,
        id: u32,
        operands: Operands,
        body: impl FnOnce(&mut Evaluator<'_>) -> R,
    ) -> R {
        let mut there = Evaluator {
            program: self.program,
            positions: self.positions.with(imagined),
            record: self.record,
            state: &mut *self.state,
            root: self.root,
            at: id,
            here: imagined.position(),
            dash_operands: operands,
            path: self.path.clone(),
            linearized: None,
        };
        let result = body(&mut there);
        if self.state.imagined_is_kept {
            self.forget_imagined(id);
        }
        result
    }

    /// The number of another imagined position.
    pub(super) fn next_imagined(&mut self) -> Option<u32> {
        let n = self.state.n_imagined;
        let id = self.positions.len().checked_add(n);
        if id.is_none() || u64::from(n) >= self.program.settings.limits.imagined {
            self.exceed(Limit::Imagined);
            return None;
        }
        self.state.n_imagined += 1;
        id
    }

    /// Variables and entries of dictionaries lose the imagined positions from `id` on: nothing may
    /// name one that is gone. (The last path that matched never does, it has a move of the game.)
    #[cold]
    fn forget_imagined(&mut self, id: u32) {
        let positions = self.positions;
        let is_gone = |position: u32| position >= id && !positions.is_saved(position);
        let is_lost = |slot: &Slot| matches!(slot, Slot::Position(position) if is_gone(*position));
        for variable in (0..self.program.variables.len() as u32).map(VariableId) {
            if is_lost(self.slot(variable)) {
                self.bind(variable, Slot::Unbound);
            }
        }
        for dictionary in 0..self.state.dictionaries.len() {
            let entries = &mut self.state.dictionaries[dictionary];
            let before = entries.n_bytes();
            entries.retain(|key, value| {
                let key_is_lost = matches!(key, Key::Position(position) if is_gone(*position));
                !key_is_lost && !is_lost(value)
            });
            let after = entries.n_bytes();
            self.hold(before, after);
        }
        self.state.imagined_is_kept = !self.positions.are_played();
    }

    /// Takes note of a position that is put into a variable or a dictionary.
    #[inline]
    pub(super) fn keeps(&mut self, slot: &Slot) {
        if let Slot::Position(position) = *slot
            && self.positions.is_imagined(position)
        {
            self.state.imagined_is_kept = true;
        }
    }
}

/// A move that is tried.
#[derive(Clone, Copy)]
pub(super) enum Step<'b> {
    Forward(Move),
    /// With the position before it.
    Backward(Move, &'b Position),
}

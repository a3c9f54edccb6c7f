//! Tries moves: evaluates the target after the moves of `legal --(T)` and `pseudolegal --(T)`, and
//! before those of `reverse --(T)`.
//!
//! Each move that the dash admits is made on a copy of the board, and the target is evaluated there
//! as after a played move: `from` and `to` work in it, and its comments go to the position of the
//! game from which the moves are tried. The copy is an [imagined](crate::positions) position. It is
//! on the stack, and a separate evaluator uses it, so evaluators that follow the game pay nothing
//! for this.
//!
//! Moves are ordered by piece type (pawns first, kings last), then by origin and destination from
//! a1 to h8, then by promotion: queen, rook, bishop, knight. In Chess960, castling comes last.

use std::ops::ControlFlow::{self, Break, Continue};

use board::{
    CastlingRights, CastlingSetup, Checks, KingSteps, MateInTwo, Move, Position, Rules, SquareSet,
};
use syntax::tree::{Unplayed, VariableId};

use super::evaluator::{Evaluator, Valued};
use super::screen::admits_unplayed;
use super::slot::{Key, Slot};
use crate::positions::{Imagined, Origin};
use compiler::facts::{Operands, is_admissible};
use compiler::limits::Limit;
use compiler::program::plan::{BareCondition, KingState, TrialPrefilter};
use compiler::program::*;

/// Work after each tried move. It is no type parameter, so that the loop over the
/// moves is compiled only once, since it is long.
type Visit<'v> = &'v mut dyn FnMut(&mut Evaluator<'_>, TrialMove<'_>, Operands) -> ControlFlow<()>;

impl Evaluator<'_> {
    /// Evaluates `legal D(T)` and `legal all D(T)` as conditions.
    pub(super) fn tried_matches(&mut self, tried: &TrialFilter) -> bool {
        if let Some(target) = self.bare_target(self.program, tried) {
            return (self.count_bare(tried, target, !tried.all, 1) == 0) == tried.all;
        }
        let mark = self.mark();
        let mut result = tried.all;
        self.for_each_tried(tried, &mut |e, step, operands| {
            result = e.target_matches(tried, step, operands);
            if result == tried.all { Continue(()) } else { Break(()) }
        });
        if !result {
            self.drop_comments(mark);
        }
        result
    }

    /// Evaluates `countmoves legal D(T)`.
    pub(super) fn count_tried(&mut self, tried: &TrialFilter) -> i32 {
        let mut count: u32 = 0;
        if tried.limit == 0 {
            return 0;
        }
        if let Some(target) = self.bare_target(self.program, tried) {
            return self.count_bare(tried, target, true, tried.limit) as i32;
        }
        self.for_each_tried(tried, &mut |e, step, operands| {
            count += u32::from(e.target_matches(tried, step, operands));
            if count < tried.limit { Continue(()) } else { Break(()) }
        });
        count as i32
    }

    /// The target of a dash that admits every legal move, if bare positions decide it.
    fn bare_target<'p>(
        &self,
        program: &'p Program,
        tried: &TrialFilter,
    ) -> Option<&'p BareCondition> {
        let glance = program.dashes[tried.dash.0 as usize].glance.as_ref();
        let bare = glance?.bare.as_ref().filter(|_| tried.moves == Unplayed::Legal)?;
        let positions = &self.positions;
        let is_chess = positions.rules().are_of_chess() && positions.castling_setup().is_none();
        is_chess.then_some(bare)
    }

    /// Returns the number of legal moves after which a condition holds, or does not hold if it is
    /// not `wanted`. Ends at `limit`.
    fn count_bare(
        &mut self,
        tried: &TrialFilter,
        target: &BareCondition,
        wanted: bool,
        limit: u32,
    ) -> u32 {
        let position = Position { castling: self.rights_of_both(), ..*self.here() };
        let count = self.count_after(&position, target, wanted, limit);
        self.limit_at(|| tried.span);
        count
    }

    /// Does the same in any position, of which the castling rights are known.
    fn count_after(
        &mut self,
        position: &Position,
        target: &BareCondition,
        wanted: bool,
        limit: u32,
    ) -> u32 {
        let mut count = 0;
        let mut consider = |next: Position| {
            if !self.step() {
                return Break(());
            }
            count += u32::from(self.holds(&next, target) == wanted);
            if count < limit { Continue(()) } else { Break(()) }
        };
        let asks_for_check = wanted && target.asks_for_check();
        let _ = match asks_for_check.then(|| Checks::new(position)).flatten() {
            Some(checks) if target.asks_for_mate() => {
                position.visit_possible_mates(&checks, consider)
            }
            Some(checks) => {
                position.visit_checks_from(&checks, SquareSet::ALL, |role, from, targets| {
                    let mut moves = position.moves_to(role, from, targets);
                    moves.try_for_each(|mv| match position.play_safely(mv) {
                        Some(next) => consider(next),
                        None => Continue(()),
                    })
                })
            }
            None => {
                let asks_for_mate = wanted && target.asks_for_mate_against_all();
                let screen = asks_for_mate.then(|| MateInTwo::new(position)).flatten();
                position.visit_legal(|role, from, targets| {
                    let among = |screen: &MateInTwo| screen.among(role, from, targets);
                    let targets = screen.as_ref().map_or(targets, among);
                    let mut moves = position.moves_to(role, from, targets);
                    moves.try_for_each(|mv| {
                        let next = position.play(mv);
                        match &screen {
                            Some(screen) if screen.is_answered(&next) => Continue(()),
                            _ => consider(next),
                        }
                    })
                })
            }
        };
        count
    }

    /// Whether a condition holds in a position.
    fn holds(&mut self, position: &Position, condition: &BareCondition) -> bool {
        match condition {
            BareCondition::King(KingState::Check) => position.is_check(),
            BareCondition::King(KingState::Mate) => position.is_mate(),
            BareCondition::King(KingState::Stalemate) => position.is_stalemate(),
            BareCondition::Turn(color) => position.turn == *color,
            BareCondition::Not(item) => !self.holds(position, item),
            BareCondition::All(items) => items.iter().all(|item| self.holds(position, item)),
            BareCondition::Any(items) => items.iter().any(|item| self.holds(position, item)),
            BareCondition::AfterOne(target) => self.count_after(position, target, true, 1) > 0,
            BareCondition::AfterAll(target) => self.count_after(position, target, false, 1) == 0,
        }
    }

    /// Returns the value of the target after the first move for which it has one. For sets, returns
    /// the union over all moves.
    pub(super) fn tried_value<V: Valued>(
        &mut self,
        tried: &TrialFilter,
        value: V,
    ) -> Option<V::Output> {
        let start = self.mark();
        let mut result = None;
        self.for_each_tried(tried, &mut |e, step, operands| {
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

    /// Whether the target matches after a move. If not, its comments are dropped.
    fn target_matches(
        &mut self,
        tried: &TrialFilter,
        step: TrialMove<'_>,
        operands: Operands,
    ) -> bool {
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

    /// Calls `visit` with the moves that are possible here and that the dash admits.
    fn for_each_tried(&mut self, tried: &TrialFilter, visit: Visit<'_>) {
        if tried.moves == Unplayed::Reverse {
            if self.moves_are_of_chess("reverse") {
                self.for_each_reversed(tried, visit);
            }
            self.limit_at(|| tried.span);
            return;
        }
        if !self.positions.rules().are_of_chess() {
            self.for_each_tried_of_variant(tried, visit);
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
        let mut position = Position { castling: CastlingRights::NONE, ..*self.here() };
        let asks_for_check = glance.is_some_and(TrialPrefilter::asks_for_check);
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
        // the move of the rook may stand for that of a castling king
        let origins = operands.0 | position.board.kings(position.turn);
        // the few moves that may give check are tested one by one for legality
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
            visit(self, TrialMove::Forward(mv), operands)
        };
        let asks_for_mate = glance.is_some_and(TrialPrefilter::asks_for_mate);
        let mut steps = None;
        let consider_all = |role, from, targets| {
            if let Some(checks) = checks.as_ref().filter(|_| asks_for_mate) {
                steps.get_or_insert_with(|| KingSteps::new(&position, checks));
            }
            let may_match =
                |mv: &Move| steps.as_ref().is_none_or(|steps| steps.after(*mv).is_empty());
            let mut moves = position.moves_to(role, from, targets).filter(may_match);
            moves.try_for_each(&mut consider)
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

    /// Does the same as [`Self::for_each_tried`] in a variant. Drops come last, by piece type and
    /// square.
    #[cold]
    fn for_each_tried_of_variant(&mut self, tried: &TrialFilter, visit: Visit<'_>) {
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
            if !self.step() || visit(self, TrialMove::Forward(mv), operands).is_break() {
                break;
            }
        }
        self.limit_at(|| tried.span);
    }

    /// Returns the castling moves possible in a game of Chess960.
    #[cold]
    fn castlings_of_setup(&self, position: &Position, setup: &CastlingSetup) -> [Option<Move>; 2] {
        let rights = self.rights_of_setup();
        [true, false].map(|king_side| {
            let has_right = rights.has(position.turn, king_side);
            setup.castling(position, king_side).filter(|_| has_right)
        })
    }

    /// Whether the move is a promotion that the operand admits. Without an operand, every move is
    /// admitted.
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

    /// Calls `visit` with the moves that may have led here and that the dash admits. As for a
    /// played move, its operands are squares of the position before the move.
    #[cold]
    fn for_each_reversed(&mut self, tried: &TrialFilter, visit: Visit<'_>) {
        let program = self.program;
        let dash = &program.dashes[tried.dash.0 as usize];
        let is_free = dash.left.is_none() && dash.right.is_none();
        // in Chess960 a position does not know its castling squares
        let castles = self.positions.castling_setup().is_none();
        let _ = self.here().visit_predecessors(|mv, before| {
            if !self.step() {
                return Break(());
            }
            if mv.is_castle() && !castles {
                return Continue(());
            }
            let step = TrialMove::Backward(mv, before);
            let operands = if is_free {
                Some((SquareSet::ALL, SquareSet::ALL))
            } else {
                self.next_imagined().map(|id| {
                    let all = (SquareSet::ALL, SquareSet::ALL);
                    self.seeing_beyond(step, (id, *before), all, |e| e.operands(dash))
                })
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

    /// Returns the position after a move that is tried here, or before a move that led here, with
    /// its id. `None` if too many positions have been imagined, or if the prefilter of the dash
    /// rules the position out.
    #[inline]
    fn beyond(&mut self, step: TrialMove<'_>, dash: &Dash) -> Option<(u32, Position)> {
        let id = self.next_imagined()?;
        let position = match (step, self.positions.rules()) {
            (TrialMove::Backward(_, before), _) => *before,
            (TrialMove::Forward(mv), Rules::Chess) => self.here().play(mv),
            (TrialMove::Forward(mv), _) => {
                return Some((id, self.positions.situation(self.at).play(mv).position));
            }
        };
        let is_possible = |glance: &TrialPrefilter| {
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

    /// Evaluates a filter in the position on the other side of a step, see [`Evaluator::beyond`].
    fn seeing_beyond<R>(
        &mut self,
        step: TrialMove<'_>,
        (id, position): (u32, Position),
        operands: Operands,
        body: impl FnOnce(&mut Evaluator<'_>) -> R,
    ) -> R {
        let place = (id, self.at);
        let imagined = match step {
            TrialMove::Forward(mv) => self.positions.imagine(place, position, mv),
            TrialMove::Backward(mv, _) => {
                (self.positions).imagine_from(place, position, Origin::Reverse(mv), true)
            }
        };
        self.seeing(&imagined, id, operands, body)
    }

    /// Evaluates a filter in an imagined position.
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

    /// Returns the id of a new imagined position, or `None` if the limit is exceeded.
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

    /// Removes the imagined positions from `id` on from variables and dictionaries, since they no
    /// longer exist. The last matching path never refers to one: it contains a move of the game.
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

    /// Records that an imagined position is put into a variable or a dictionary.
    #[inline]
    pub(super) fn keeps(&mut self, slot: &Slot) {
        if let Slot::Position(position) = *slot
            && self.positions.is_imagined(position)
        {
            self.state.imagined_is_kept = true;
        }
    }
}

/// A tried move.
#[derive(Clone, Copy)]
pub(super) enum TrialMove<'b> {
    Forward(Move),
    /// A move that may have led here, with the position before it.
    Backward(Move, &'b Position),
}

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

use board::attacks::pawn_attacks_of_set;
use board::{
    CastlingRights, CastlingSetup, Color, Move, Position, Role, Square, SquareSet, between,
    bishop_attacks, king_attacks, knight_attacks, pawn_attacks, reach, rook_attacks,
};
use syntax::tree::{Unplayed, VariableId};

use super::evaluator::{Evaluator, Valued};
use super::slot::{Key, Slot};
use crate::positions::{Imagined, Origin};
use compiler::facts::{Operands, is_admissible};
use compiler::limits::Limit;
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
            let target = e.program.dashes[tried.dash.0 as usize].target;
            let found = e.trying(step, operands, |e| {
                let matches = target.is_none_or(|id| e.matches(id));
                matches.then(|| value.evaluate(e)).flatten()
            });
            match found.flatten() {
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
        let Some(target) = self.program.dashes[tried.dash.0 as usize].target else {
            return true;
        };
        let mark = self.mark();
        let matches = self.trying(step, operands, |e| e.matches(target));
        if matches != Some(true) {
            self.drop_comments(mark);
        }
        matches == Some(true)
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
        let position = self.for_tries();
        let castlings = (self.positions.castling_setup())
            .map(|setup| self.castlings_of_setup(&position, setup));
        let checks = (dash.asks_for_check && !tried.all).then(|| Checks::new(&position));
        let checks = checks.flatten();
        // the rook stands for a castling king
        let mut origins = operands.0 | position.board.kings(position.turn);
        // of the few moves that may give check each is looked at, whether it is legal
        let unsafe_ones_come = checks.is_some() && !is_pseudo;
        if let Some(checks) = &checks {
            origins &= checks.origins;
        }
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
        let mut consider_all = |role, from, targets| {
            let targets = match &checks {
                None => targets,
                Some(checks) => checks.among(role, from, targets),
            };
            if targets.is_empty() {
                return Continue(());
            }
            position
                .moves_to(role, from, targets)
                .try_for_each(&mut consider)
        };
        let end = match is_pseudo || unsafe_ones_come {
            true => position.visit_pseudolegal_from(origins, &mut consider_all),
            false => position.visit_legal_from(origins, &mut consider_all),
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

    /// The position with the rights that the score leaves, but for those of Chess960.
    fn for_tries(&self) -> Position {
        Position {
            castling: match self.positions.castling_setup() {
                None => self.castling_by_score(),
                Some(_) => CastlingRights::NONE,
            },
            ..self.for_moves()
        }
    }

    /// Castling in a game of Chess960.
    #[cold]
    fn castlings_of_setup(&self, position: &Position, setup: &CastlingSetup) -> [Option<Move>; 2] {
        let rights = self.rights_of_setup(setup);
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
        let _ = self.for_moves().visit_predecessors(|mv, before| {
            if !self.step() {
                return Break(());
            }
            if mv.is_castle() && !castles {
                return Continue(());
            }
            let step = Step::Backward(mv, before);
            let operands = match is_free {
                true => Some((SquareSet::ALL, SquareSet::ALL)),
                false => self.trying(step, (SquareSet::ALL, SquareSet::ALL), |e| e.operands(dash)),
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

    /// Evaluates something behind a move that is tried here, or before one that led here; `None`
    /// where too many have been.
    fn trying<R>(
        &mut self,
        step: Step<'_>,
        operands: Operands,
        body: impl FnOnce(&mut Evaluator<'_>) -> R,
    ) -> Option<R> {
        let id = self.next_imagined()?;
        let imagined = match step {
            Step::Forward(mv) => self.positions.imagine(id, self.at, mv),
            Step::Backward(mv, before) => {
                let origin = Origin::Reverse(mv);
                (self.positions).imagine_from((id, self.at), *before, origin, true)
            }
        };
        Some(self.seeing(&imagined, id, operands, body))
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

/// Which moves may give check, so that others need not be tried where the target asks for one.
struct Checks {
    /// Men that may give check, as far as that can be told at a glance.
    origins: SquareSet,
    /// By role: where a man attacks the king of the other side.
    direct: [SquareSet; 6],
    /// Men that stand between the king and a man that would attack it.
    shields: SquareSet,
    /// Where a pawn captures in passing or is promoted: as good as always a check.
    passing: SquareSet,
}

impl Checks {
    /// `None` where the squares do not tell: the other side has not one king, or is in check.
    fn new(position: &Position) -> Option<Checks> {
        let (board, us) = (&position.board, position.turn);
        let king = board.kings(!us).single()?;
        let (men, occupied) = (position.us(), board.occupied());
        let diagonal = bishop_attacks(king, occupied);
        let straight = rook_attacks(king, occupied);
        let (knights, pawns) = (knight_attacks(king), pawn_attacks(!us, king));
        let attackers = diagonal & board.diagonal_sliders()
            | straight & board.straight_sliders()
            | knights & board.role(Role::Knight)
            | pawns & board.role(Role::Pawn)
            | king_attacks(king) & board.role(Role::King);
        if attackers.intersects(men) {
            return None;
        }
        let snipers = (board.diagonal_sliders() & reach(Role::Bishop, king)
            | board.straight_sliders() & reach(Role::Rook, king))
            & men;
        let mut shields = SquareSet::EMPTY;
        for sniper in snipers {
            let between = between(king, sniper) & occupied;
            if !between.is_several() {
                shields |= between;
            }
        }
        let last = SquareSet::rank(us.promotion_rank());
        let passing = last | position.en_passant.map_or(SquareSet::EMPTY, Square::set);
        let shade = match SquareSet::LIGHT.contains(king) {
            true => SquareSet::LIGHT,
            false => SquareSet::DARK,
        };
        let pieces =
            board.role(Role::Knight) | board.straight_sliders() | board.role(Role::Bishop) & shade;
        let castling_king = match position.castling.is_empty() {
            true => SquareSet::EMPTY,
            false => board.kings(us),
        };
        let pawns_that_reach = pawns_reaching(us, pawns | passing) & board.role(Role::Pawn);
        Some(Checks {
            origins: shields | pieces | castling_king | pawns_that_reach,
            direct: [
                pawns,
                knights,
                diagonal,
                straight,
                diagonal | straight,
                SquareSet::EMPTY,
            ],
            shields,
            passing,
        })
    }

    /// The destinations that may give check.
    #[inline]
    fn among(&self, role: Role, from: Square, targets: SquareSet) -> SquareSet {
        if self.shields.contains(from) {
            return targets;
        }
        let direct = targets & self.direct[role.index()];
        match role {
            Role::Pawn => direct | targets & self.passing,
            // castling brings a rook into play
            Role::King => targets - king_attacks(from),
            _ => direct,
        }
    }
}

/// The squares from which a pawn might get to one of `targets` if nothing stood in its way.
fn pawns_reaching(color: Color, targets: SquareSet) -> SquareSet {
    let back = |set: SquareSet| match color {
        Color::White => set.shift_down(),
        Color::Black => set.shift_up(),
    };
    let behind = back(targets);
    behind | back(behind) | pawn_attacks_of_set(!color, targets)
}

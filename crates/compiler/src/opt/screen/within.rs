//! Collects the conditions that alternatives, loops over squares and paths imply.

use syntax::tree::VariableId;

use super::{Chosen, Collector};
use crate::automaton::{Automaton, Instr};
use crate::effects::Flags;
use crate::opt::choices::assignment;
use crate::program::plan::{MoveEnd, MoveLink, MoveTest, PieceMask, Test};
use crate::program::*;

/// With more alternatives, testing may take longer than evaluating the first few.
const MAX_ALTERNATIVES: usize = 16;

/// Number of moves of a path that are looked at in advance.
const MAX_LATER: u32 = 4;

impl<'p> Collector<'_, 'p> {
    /// Returns the conditions that `take` adds, apart from those found so far, and whether they say
    /// all.
    fn apart(&mut self, take: impl FnOnce(&mut Self)) -> (Vec<Test>, bool) {
        let outside = std::mem::take(&mut self.tests);
        let was_exact = std::mem::replace(&mut self.is_exact, true);
        take(self);
        let mut tests = std::mem::replace(&mut self.tests, outside);
        tests.sort_by_cached_key(Test::cost);
        (tests, std::mem::replace(&mut self.is_exact, was_exact))
    }

    /// Adds the condition that one of the filters passes its conditions, and returns whether that
    /// says all.
    pub(super) fn any<T>(&mut self, items: &[T], take: impl Fn(&mut Self, &T)) -> bool {
        if items.len() > MAX_ALTERNATIVES {
            return false;
        }
        let all = items.iter().map(|item| self.apart(|this| take(this, item)));
        let (mut alternatives, exact): (Vec<Vec<Test>>, Vec<bool>) = all.unzip();
        let is_exact = exact.into_iter().all(|is_exact| is_exact);
        if !is_exact && self.widener.is_none() {
            // The others would cost the computation of pawn structures and of attacks twice.
            let is_cheap = |test: &Test| test.cost() < Test::DEAR;
            alternatives.iter_mut().for_each(|tests| tests.retain(is_cheap));
        }
        // The conditions of all alternatives are tested once, and may bound the positions.
        if let Some((first, others)) = alternatives.split_first() {
            let in_all = |test: &Test| {
                others.iter().all(|tests| tests.iter().any(|other| is_same_simply(test, other)))
            };
            let common: Vec<Test> = first.iter().filter(|test| in_all(test)).cloned().collect();
            for tests in &mut alternatives {
                tests.retain(|test| !common.iter().any(|other| is_same_simply(test, other)));
            }
            self.tests.extend(common);
        }
        // Without an empty alternative, which always holds.
        if alternatives.iter().all(|tests| !tests.is_empty()) {
            self.take(Test::Any(alternatives.into_iter().map(Vec::into).collect()));
        }
        is_exact
    }

    /// Adds the condition that the filter does not match, and returns whether it is one.
    pub(super) fn not(&mut self, item: BoolId) -> bool {
        let (tests, is_exact) = self.apart(|this| {
            this.filter(item);
        });
        is_exact && self.take(Test::Not(tests.into()))
    }

    /// Adds the conditions under which a set has a square, if that depends on more than the squares
    /// of pieces.
    pub(super) fn square(&mut self, set: SetId) {
        let program = self.program;
        match &program.sets[set.0 as usize] {
            SetFilter::Loop(square_loop) => self.chosen_square(square_loop),
            SetFilter::Orbit(images) => {
                self.any(images, |this, &image| {
                    this.square(image);
                    this.is_exact = false;
                });
            }
            SetFilter::Flow(Flow::Block(conditions, value)) => {
                // a block whose value is used keeps comments when it fails
                let mut conditions = conditions.iter();
                let comments =
                    |this: &mut Self, id| this.analysis.bool(id).flags.has(Flags::COMMENTS);
                if conditions.all(|&id| !comments(self, id) && self.filter(id)) {
                    self.square(*value);
                }
            }
            _ => {}
        }
    }

    /// Adds the conditions under which a loop has a square that matches.
    fn chosen_square(&mut self, square_loop: &SquareLoop) {
        let domain = self.analysis.set(square_loop.domain);
        let is_certain = self.bound.is_silent(&domain) && !domain.flags.has(Flags::COMMENTS);
        if !is_certain || !self.bound.has(square_loop.variable) {
            return;
        }
        self.not_empty(square_loop.domain);
        self.chosen
            .push(Chosen { variable: square_loop.variable, men: self.men(square_loop.domain) });
        if let Some(widener) = &mut self.widener {
            let condition = widener.loop_condition(square_loop);
            self.tests.extend(condition.map(|condition| Test::Board(Box::new(condition))));
            widener.enter(square_loop.variable, square_loop.domain);
        }
        self.filter(square_loop.body);
        if let Some(widener) = &mut self.widener {
            widener.leave();
        }
        self.chosen.pop();
    }

    /// The pieces that include those of the set, if evaluating the set goes unnoticed.
    fn among(&mut self, set: Option<SetId>) -> Option<PieceMask> {
        let Some(set) = set else {
            return Some(PieceMask::ANYTHING);
        };
        if let SetFilter::Variable(id, _) | SetFilter::PieceVariable(id, _) =
            &self.program.sets[set.0 as usize]
        {
            let chosen = self.chosen.iter().find(|chosen| chosen.variable == *id);
            if let Some(men) = chosen.and_then(|chosen| chosen.men) {
                return Some(men);
            }
        }
        let effects = self.analysis.set(set);
        if !self.bound.is_silent(&effects) {
            return None;
        }
        Some(self.men(set).unwrap_or(PieceMask::ANYTHING))
    }

    /// Adds the first move of a path, and a promotion on its way.
    pub(super) fn path(&mut self, id: PathId) {
        let program = self.program;
        let path = &program.paths[id.0 as usize];
        // the focus is evaluated before the first move is tested
        if let Some(set) = path.focus {
            let effects = self.analysis.set(set);
            if !self.bound.is_silent(&effects) || effects.flags.has(Flags::COMMENTS) {
                return;
            }
        }
        self.promotion(path);
        let Some(opening) = path.automaton.opening else {
            return;
        };
        let dash = &program.dashes[opening.0 as usize];
        let (Some(left), Some(right)) = (self.among(dash.left), self.among(dash.right)) else {
            return;
        };
        let focus = if path.flags.focus_capture {
            PieceMask::ANYTHING
        } else {
            self.among(path.focus).unwrap_or(PieceMask::ANYTHING)
        };
        let left = left.and(focus);
        for color in board::Color::ALL {
            if left.kinds & !(0x3f << (6 * color as u16)) == 0 {
                self.take(Test::Turn(color));
            }
        }
        if !(left.is_anything() && right.is_anything() && !dash.capture) {
            self.take(Test::Move(Box::new(MoveTest { capture: dash.capture, left, right })));
        }
        self.later(path);
    }

    /// Adds what a path without variations requires of the moves after the first, and of the
    /// positions on its way, up to its first repetition or alternative.
    fn later(&mut self, path: &Path) {
        if !self.is_played || path.focus.is_some() {
            return;
        }
        // The squares and pieces that are known of the position itself are not those of later ones.
        let chosen = std::mem::take(&mut self.chosen);
        let (widener, here) = (self.widener.take(), self.here.take());
        let mut found = Vec::new();
        self.way(path, &mut found);
        (self.chosen, self.widener, self.here) = (chosen, widener, here);
        self.tests.extend(found);
    }

    /// Adds to `found` what a path requires after its first move.
    fn way(&mut self, path: &Path, found: &mut Vec<Test>) {
        let program = self.program;
        let (mut state, mut n_before, mut n_moves) = (Automaton::START, 0, 0);
        let mut assigned: Vec<(VariableId, Option<(u32, MoveEnd)>)> = Vec::new();
        while n_moves <= MAX_LATER {
            let (target, next) = match path.automaton.step(state, u32::MAX) {
                Instr::Test(filter, next) => (Some(filter), next),
                Instr::Move(id, next) => {
                    let dash = &program.dashes[id.0 as usize];
                    if n_moves > 0 {
                        n_before += u32::from(path.flags.single_color);
                        let mut among = |set: Option<SetId>| match set {
                            Some(set) if self.assigned_end(set, &assigned).is_some() => {
                                Some(PieceMask::ANYTHING)
                            }
                            set => self.among(set),
                        };
                        let (Some(left), Some(right)) = (among(dash.left), among(dash.right))
                        else {
                            return;
                        };
                        let is_any = left.is_anything() && right.is_anything() && !dash.capture;
                        if !is_any {
                            let test = MoveTest { capture: dash.capture, left, right };
                            found.push(Test::Later(n_before, [Test::Move(Box::new(test))].into()));
                        }
                        let end = |set: Option<SetId>| self.assigned_end(set?, &assigned).flatten();
                        let (from, to) = (end(dash.left), end(dash.right));
                        if from.or(to).is_some() {
                            found.push(Test::Link(Box::new(MoveLink {
                                later: n_before,
                                from,
                                to,
                            })));
                        }
                    }
                    if matches!(dash.promotion, Some(Promotion::Text(_))) {
                        return;
                    }
                    (n_before, n_moves) = (n_before + 1, n_moves + 1);
                    (dash.target, next)
                }
                _ => return,
            };
            state = next;
            let Some(filter) = target else {
                continue;
            };
            let mut goes_on = true;
            let (tests, _) = self.apart(|this| {
                for &item in program.conjuncts(&filter) {
                    // A path that fails restores the variable.
                    let variable = assignment(this.analysis, this.bound, item);
                    if let Some(variable) = variable.filter(|one| path.atomic.contains(one)) {
                        assigned.retain(|(known, _)| *known != variable);
                        assigned.push((variable, assigned_end(program, item, n_before)));
                    } else if !this.filter(item) {
                        goes_on = false;
                        break;
                    }
                }
            });
            if !tests.is_empty() && n_before > 0 {
                found.push(Test::Later(n_before, tests.into()));
            }
            if !goes_on {
                return;
            }
        }
    }

    /// If the set is the value of one of the variables, the end of a move that it is, if it is one.
    fn assigned_end(
        &self,
        set: SetId,
        assigned: &[(VariableId, Option<(u32, MoveEnd)>)],
    ) -> Option<Option<(u32, MoveEnd)>> {
        let SetFilter::Variable(variable, _) = self.program.sets[set.0 as usize] else {
            return None;
        };
        let known = assigned.iter().find(|(known, _)| *known == variable);
        known.map(|(_, end)| *end)
    }

    /// Adds the condition that a pawn must still promote, if a path leaves no trace and every way
    /// through it contains a promotion.
    fn promotion(&mut self, path: &Path) {
        let inside = self.analysis.inside_path(path);
        if !self.bound.is_silent(&inside) {
            return;
        }
        let mut roles = 0;
        let is_required = path.automaton.requires(|dash| {
            match self.program.dashes[dash.0 as usize].promotion {
                Some(Promotion::Any) => roles = u8::MAX,
                Some(Promotion::Roles(some)) => roles |= some,
                _ => return false,
            }
            true
        });
        if is_required {
            self.take(Test::Promotion(roles));
        }
    }
}

/// Whether two tests of a simple kind are the same.
fn is_same_simply(one: &Test, other: &Test) -> bool {
    match (one, other) {
        (Test::Check, Test::Check) | (Test::MayBeOver, Test::MayBeOver) => true,
        (Test::Turn(one), Test::Turn(other)) => one == other,
        (Test::Sum(one), Test::Sum(other)) => one == other,
        (Test::Time(counter, relation, n), Test::Time(other, of_other, bound)) => {
            (counter, relation, n) == (other, of_other, bound)
        }
        (Test::Piece(piece, squares), Test::Piece(other, of_other)) => {
            (piece, squares) == (other, of_other)
        }
        (Test::Kinds(kinds, squares), Test::Kinds(other, of_other)) => {
            (kinds, squares) == (other, of_other)
        }
        _ => false,
    }
}

/// The end of the last of `n` moves that a filter after it assigns to a variable.
fn assigned_end(program: &Program, filter: BoolId, n: u32) -> Option<(u32, MoveEnd)> {
    let set = match program.bools[filter.0 as usize] {
        BoolFilter::Assign(_, Value::Set(set)) | BoolFilter::AssignNonEmpty(_, set) => set,
        _ => return None,
    };
    let end = match program.sets[set.0 as usize] {
        SetFilter::From { scoped: true } => MoveEnd::From,
        SetFilter::To { scoped: true } => MoveEnd::To,
        _ => return None,
    };
    Some((n.checked_sub(1)?, end))
}

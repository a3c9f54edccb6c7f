//! Evaluates `echo` and `consecutivemoves`, which compare two positions.

use std::ops::Range;

use board::{Color, Role};
use syntax::Span;
use syntax::tree::{CommentLevel, Consecutive, VariableId};

use super::evaluator::Evaluator;
use super::screen::Scan;
use super::slot::Slot;
use super::state::EchoCandidates;
use super::track::TrackRun;
use compiler::program::plan::{EchoKey, EchoPlan};
use compiler::program::{BoolFilter, BoolId, Echo, NumId};

/// The position of the pair whose keys are computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Source,
    Target,
}

impl EchoCandidates {
    /// Returns the sources from which a candidate is at least `distance` away on the side that the
    /// plan requires, if it requires one.
    fn sources(&self, plan: &EchoPlan, distance: u32) -> Range<u32> {
        let Some((least, greatest)) = self.ends else {
            return 0..0;
        };
        let start = if plan.descending { least + distance } else { 0 };
        let end = if plan.ascending { (greatest + 1).saturating_sub(distance) } else { u32::MAX };
        start..end
    }
}

/// Returns those of the targets, in ascending order, that are as far away from the source as
/// `distance` on the side that the plan requires, if it requires one.
fn far_enough<'t>(
    plan: &EchoPlan,
    source: u32,
    distance: u32,
    targets: &'t [(u64, u32)],
) -> &'t [(u64, u32)] {
    let first = if plan.ascending {
        targets.partition_point(|&(_, target)| target < source + distance)
    } else {
        0
    };
    let end = if plan.descending {
        targets.partition_point(|&(_, target)| target + distance <= source)
    } else {
        targets.len()
    };
    targets.get(first..end).unwrap_or_default()
}

/// Returns the candidates that have this hash.
fn with_hash(candidates: &[(u64, u32)], hash: u64) -> &[(u64, u32)] {
    let first = candidates.partition_point(|&(other, _)| other < hash);
    let rest = candidates.get(first..).unwrap_or_default();
    let n = rest.partition_point(|&(other, _)| other == hash);
    rest.get(..n).unwrap_or_default()
}

/// Mixes another value into a hash. Different values may collide; the body decides.
fn mix(hash: u64, value: u64) -> u64 {
    (hash.rotate_left(29) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl Evaluator<'_> {
    /// Evaluates `echo` with a Boolean body: whether it matches for a target. Below a `sort`,
    /// comments made for the targets are dropped, since there is no value to choose the best one
    /// by.
    pub(super) fn echo_matches(&mut self, echo: &Echo<BoolId>) -> bool {
        let mark = self.mark();
        let plan = echo.plan.map(|plan| &self.program.echo_plans[plan as usize]);
        let leaves_no_comment = echo.under_sort || !self.annotates(echo);
        let first_decides = leaves_no_comment && plan.is_some_and(|plan| plan.is_traceless);
        let mut matched = false;
        self.for_each_target(echo, |e, target| {
            if e.at(target, |e| e.matches(echo.body)) {
                matched = true;
                if !echo.under_sort {
                    e.annotate_pair(echo, target);
                }
            }
            if echo.under_sort {
                e.drop_comments(mark);
            }
            !(matched && first_decides)
        });
        matched
    }

    /// Evaluates `echo` with a numeric body: the greatest value.
    pub(super) fn echo_value(&mut self, echo: &Echo<NumId>) -> Option<i32> {
        let start = self.mark();
        let mut best: Option<i32> = None;
        self.for_each_target(echo, |e, target| {
            let mark = e.mark();
            let value = e.at(target, |e| e.number(echo.body));
            let Some(value) = value else {
                return true;
            };
            let better = best.is_none_or(|best| value > best);
            if echo.under_sort {
                if better {
                    e.drop_comments_between(start, mark);
                } else {
                    e.drop_comments(mark);
                    return true;
                }
            }
            if better {
                best = Some(value);
            }
            e.annotate_pair(echo, target);
            true
        });
        best
    }

    /// If the query begins with an echo, finds the positions from which the echo has a target that it
    /// may match, a bit each. At the others, the query does not match and leaves no trace.
    pub(super) fn sources_of_first_echo(&mut self) -> Option<Vec<u64>> {
        let program = self.program;
        let first = match &program.bools[program.root.0 as usize] {
            BoolFilter::All(items) => *items.first()?,
            _ => program.root,
        };
        let BoolFilter::Echo(echo) = &program.bools[first.0 as usize] else {
            return None;
        };
        let index = echo.plan?;
        let plan = &program.echo_plans[index as usize];
        let is_bound = |variable| *self.slot(variable) != Slot::Unbound;
        if plan.keys_read_source || is_bound(echo.source) || is_bound(echo.target) {
            return None;
        }
        let candidates = self.echo_candidates(echo, plan);
        let mut found = std::mem::take(&mut self.state.echo_sources);
        found.clear();
        found.resize(self.positions.len() as usize / 64 + 1, 0);
        let distance = self.least_difference(plan);
        let Range { start, end } = candidates.sources(plan, distance);
        for source in start..end.min(self.positions.len()) {
            self.go_to(source);
            self.root = source;
            let hash = self.echo_hash(plan, Side::Source);
            let targets = hash.map_or(&[][..], |hash| with_hash(&candidates.positions, hash));
            if !far_enough(plan, source, distance, targets).is_empty() {
                found[source as usize / 64] |= 1 << (source % 64);
            }
            self.look_if_due();
            if self.state.fault.is_some() {
                break;
            }
        }
        self.limit_at(|| echo.span);
        self.state.echo_candidates[index as usize] = Some(candidates);
        Some(found)
    }

    /// Calls `visit` for each target that the body may match, until it returns `false`.
    fn for_each_target<B>(
        &mut self,
        echo: &Echo<B>,
        mut visit: impl FnMut(&mut Self, u32) -> bool,
    ) {
        for variable in [echo.source, echo.target] {
            if *self.slot(variable) != Slot::Unbound {
                let name = &self.program.variables[variable.0 as usize].name;
                let message = format!("the variable '{name}' is already bound when echo starts");
                self.fault(echo.span, message);
                return;
            }
        }
        match echo.plan {
            Some(plan) => self.for_each_candidate(echo, plan, &mut visit),
            None => {
                self.bind(echo.source, Slot::Position(self.at));
                for target in 0..self.positions.len() {
                    if !self.visit_target(echo, target, &mut visit) {
                        break;
                    }
                }
                self.unbind_pair(echo);
            }
        }
        self.limit_at(|| echo.span);
    }

    fn unbind_pair<B>(&mut self, echo: &Echo<B>) {
        self.bind(echo.source, Slot::Unbound);
        self.bind(echo.target, Slot::Unbound);
    }

    /// Evaluates the body for one target. Returns `false` if no others are needed, or the game must
    /// be given up.
    fn visit_target<B>(
        &mut self,
        echo: &Echo<B>,
        target: u32,
        visit: &mut impl FnMut(&mut Self, u32) -> bool,
    ) -> bool {
        if target == self.at && !echo.all {
            return true;
        }
        self.step() && {
            self.bind(echo.target, Slot::Position(target));
            visit(self, target)
        }
    }

    fn for_each_candidate<B>(
        &mut self,
        echo: &Echo<B>,
        index: u32,
        visit: &mut impl FnMut(&mut Self, u32) -> bool,
    ) {
        let program = self.program;
        let plan = &program.echo_plans[index as usize];
        if !plan.source.iter().all(|&id| self.matches(id)) {
            return;
        }
        // The candidates are taken out while in use: the body may contain other echoes, but not
        // this one.
        let candidates = match self.state.echo_candidates[index as usize].take() {
            Some(candidates) => candidates,
            None => self.echo_candidates(echo, plan),
        };
        let distance = self.least_difference(plan);
        if candidates.sources(plan, distance).contains(&self.at) {
            let source = Slot::Position(self.at);
            if plan.keys_read_source {
                self.bind(echo.source, source.clone());
            }
            let targets = match self.echo_hash(plan, Side::Source) {
                Some(hash) => with_hash(&candidates.positions, hash),
                None => &[],
            };
            // Most positions have no candidates, and need not be bound.
            if !targets.is_empty() {
                self.bind(echo.source, source);
                let targets = far_enough(plan, self.at, distance, targets);
                self.visit_candidates(echo, distance, targets, visit);
            }
            if plan.keys_read_source || !targets.is_empty() {
                self.unbind_pair(echo);
            }
        }
        self.state.echo_candidates[index as usize] = Some(candidates);
    }

    /// Returns the least difference between the ids of the two positions.
    fn least_difference(&self, plan: &EchoPlan) -> u32 {
        // In a game without variations, ids count moves.
        let distance = match self.positions.line() {
            Some(_) => plan.distance,
            None => 0,
        };
        distance.max(u32::from(plan.ascending || plan.descending))
    }

    /// Evaluates the body for those of the targets that are so far away.
    fn visit_candidates<B>(
        &mut self,
        echo: &Echo<B>,
        distance: u32,
        targets: &[(u64, u32)],
        visit: &mut impl FnMut(&mut Self, u32) -> bool,
    ) {
        let source = self.at;
        for &(_, target) in targets {
            let is_near = target.abs_diff(source) < distance;
            if !is_near && !self.visit_target(echo, target, visit) {
                break;
            }
        }
    }

    fn echo_candidates<B>(&mut self, echo: &Echo<B>, plan: &EchoPlan) -> EchoCandidates {
        let mut candidates = EchoCandidates::default();
        let mut scan = Scan::new(&plan.screen);
        let (mut from, end) = (0, self.positions.len());
        while let Some(target) = scan.next(&self.positions, from, end) {
            from = target + 1;
            self.bind(echo.target, Slot::Position(target));
            let hash = self.at(target, |e| {
                let may_match = plan.screen.is_exact || plan.target.iter().all(|&id| e.matches(id));
                may_match.then(|| e.echo_hash(plan, Side::Target)).flatten()
            });
            candidates.positions.extend(hash.map(|hash| (hash, target)));
        }
        self.bind(echo.target, Slot::Unbound);
        let ids = || candidates.positions.iter().map(|&(_, target)| target);
        candidates.ends = ids().min().zip(ids().max());
        if !plan.keys.is_empty() {
            candidates.positions.sort_unstable();
        }
        candidates
    }

    /// Returns a hash of the keys at the current position, or `None` if a key has no value and
    /// therefore equals nothing.
    fn echo_hash(&mut self, plan: &EchoPlan, side: Side) -> Option<u64> {
        let mut hash = 0;
        for &key in &plan.keys {
            match key {
                EchoKey::Sets(target, source) => {
                    let set = match side {
                        Side::Target => self.set(target),
                        Side::Source => self.set(source),
                    };
                    hash = mix(hash, set.0);
                }
                EchoKey::Numbers(target, source) => {
                    let number = match side {
                        Side::Target => self.number(target),
                        Side::Source => self.number(source),
                    };
                    hash = mix(hash, number? as u64);
                }
                EchoKey::OtherTurn => {
                    let is_white = self.here().turn == Color::White;
                    hash = mix(hash, u64::from(is_white == (side == Side::Target)));
                }
                EchoKey::Board => {
                    let board = &self.here().board;
                    for role in Role::ALL {
                        hash = mix(hash, board.role(role).0);
                    }
                    hash = mix(hash, board.color(Color::White).0);
                }
            }
        }
        Some(hash)
    }

    /// Whether the echo adds comments of its own.
    fn annotates<B>(&self, echo: &Echo<B>) -> bool {
        !echo.quiet && self.level() == CommentLevel::Normal
    }

    fn annotate_pair<B>(&mut self, echo: &Echo<B>, target: u32) {
        if !self.annotates(echo) {
            return;
        }
        let source = self.at;
        let ancestor = self.positions.lca(source, target);
        if ancestor != source && ancestor != target {
            self.automatic_comment(ancestor, b"LCA".to_vec());
        }
        let name = |v: VariableId| self.program.variables[v.0 as usize].name.clone();
        let (source_name, target_name) = (name(echo.source), name(echo.target));
        self.automatic_comment(source, source_name.into_bytes());
        self.automatic_comment(target, target_name.into_bytes());
        let mut text = b"-->".to_vec();
        text.extend(self.position_text(source));
        self.automatic_comment(target, text);
        let mut text = b"<--".to_vec();
        text.extend(self.position_text(target));
        self.automatic_comment(source, text);
    }

    /// Returns the length of the longest common run of moves on the ways from the last common
    /// ancestor to the two positions.
    pub(super) fn consecutive_moves(
        &mut self,
        consecutive: &Consecutive,
        span: Span,
    ) -> Option<i32> {
        let mut ends = [0; 2];
        for (end, variable) in ends.iter_mut().zip([consecutive.source, consecutive.target]) {
            match *self.slot(variable) {
                Slot::Position(position) => *end = position,
                _ => {
                    self.unbound(variable, span);
                    return None;
                }
            }
        }
        let [source, target] = ends;
        let ancestor = self.positions.lca(source, target);
        if source == target || ancestor == source || ancestor == target {
            return None;
        }
        let best = self.longest_common_run(source, target);
        let length = best.len() as i32;
        if length == 0 || !self.in_range(length, consecutive.range.as_ref(), span) {
            return None;
        }
        let annotated = !consecutive.quiet && self.level() == CommentLevel::Normal;
        let longest = &mut self.state.trackers[consecutive.index as usize].longest;
        if annotated && longest.as_ref().is_none_or(|run| best.len() > run.positions.len()) {
            let played = |id| self.positions.played(id);
            let positions = best.into_iter().map(|(a, b)| (played(a), played(b)));
            *longest = Some(TrackRun {
                positions: positions.collect(),
                source: consecutive.source,
                target: consecutive.target,
            });
        }
        Some(length)
    }
}

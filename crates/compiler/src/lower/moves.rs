//! Lowers dashes, generated moves, the `move` filter, paths and lines.
//!
//! In the target of a dash, `from` and `to` respect the dash's operands (contextual castling); in a
//! path that scope is the run of filters directly after a dash.

use board::{CastlingRights, Piece};
use syntax::Span;
use syntax::designator::PieceSet;
use syntax::tree::{self, Filter, FilterKind};

use super::Lowerer;
use crate::automaton::Automaton;
use crate::automaton::build::{self, TooDeep};
use crate::program::*;
use crate::transform::Atom;

impl Lowerer<'_> {
    /// Lowers a dash whose target must match, with the filters that follow it in a path.
    pub(super) fn dash(&mut self, dash: &tree::Dash, behind: Option<&[Filter]>) -> DashId {
        let operands = self.dash_operands(dash);
        let target = self.with_scope(true, |l| {
            let filters = dash.target.iter().chain(behind.unwrap_or_default());
            let items: Vec<BoolId> = filters.map(|f| l.condition(f)).collect();
            (!items.is_empty()).then(|| l.all(items))
        });
        self.new_dash(Dash { target, ..operands })
    }

    /// Lowers a dash whose value is that of the last filter of its target.
    pub(super) fn valued_dash<V>(
        &mut self,
        dash: &tree::Dash,
        lower: fn(&mut Self, &Filter) -> V,
    ) -> Option<(DashId, V)> {
        let (last, conditions) = dash.target.split_last()?;
        let operands = self.dash_operands(dash);
        let (target, value) = self.with_scope(true, |l| {
            let items: Vec<BoolId> = conditions.iter().map(|f| l.condition(f)).collect();
            let target = (!items.is_empty()).then(|| l.all(items));
            (target, lower(l, last))
        });
        Some((self.new_dash(Dash { target, ..operands }), value))
    }

    /// Lowers a dash whose value is that of its target, a set. The target is evaluated like filters
    /// in braces whose value is used: a filter that fails drops no comments.
    pub(super) fn dash_of_squares(&mut self, dash: &tree::Dash) -> Option<(DashId, SetId)> {
        let (last, conditions) = dash.target.split_last()?;
        if conditions.is_empty() {
            return self.valued_dash(dash, Self::set);
        }
        let operands = self.dash_operands(dash);
        let value = self.with_scope(true, |l| {
            let conditions = conditions.iter().map(|f| l.condition(f)).collect();
            let last = l.set(last);
            l.new_set(SetFilter::Flow(Flow::Block(conditions, last)))
        });
        Some((self.new_dash(operands), value))
    }

    fn dash_operands(&mut self, dash: &tree::Dash) -> Dash {
        // operands describe the move that led to the position where the dash is evaluated
        let (left, right, promotion) = self.unscoped(|l| {
            let left = dash.left.as_ref().map(|f| l.set(f));
            let right = dash.right.as_ref().map(|f| l.set(f));
            let promotion = dash.promotion.as_ref().map(|promotion| match promotion {
                tree::Promotion::Any => Promotion::Any,
                tree::Promotion::Roles(roles) => Promotion::Roles(*roles),
                tree::Promotion::Text(text) => Promotion::Text(l.text(text)),
            });
            (left, right, promotion)
        });
        Dash {
            capture: dash.capture,
            left,
            right,
            promotion,
            target: None,
            is_tried: false,
            glance: None,
        }
    }

    pub(super) fn legal(&mut self, dash: &tree::LegalDash) -> LegalDash {
        LegalDash {
            pseudo: dash.pseudo,
            left: dash.left.as_ref().map(|f| self.set(f)),
            right: dash.right.as_ref().map(|f| self.set(f)),
            target: dash.target,
            limit: u32::MAX,
        }
    }

    /// Makes a filter on moves that could be played, with the target of `dash`.
    pub(super) fn tried(
        &mut self,
        tried: &tree::TriedDash,
        dash: DashId,
        span: Span,
    ) -> TrialFilter {
        self.arenas.dashes[dash.0 as usize].is_tried = true;
        TrialFilter { moves: tried.moves, all: tried.all, dash, span, limit: u32::MAX }
    }

    /// Lowers the changes of `imagine`.
    pub(super) fn imagine(&mut self, imagine: &tree::Imagine, span: Span) -> Imagine {
        let changes = imagine.changes.iter();
        Imagine { changes: changes.map(|change| self.change(change, span)).collect(), span }
    }

    fn change(&mut self, change: &tree::Change, span: Span) -> Change {
        match change {
            tree::Change::Place(man, on) => {
                let (man, _) = self.transformed_designator(*man, u64::MAX, span);
                Change::Place(man_of(man), self.unscoped(|l| l.set(on)))
            }
            tree::Change::Remove(squares) => Change::Remove(self.unscoped(|l| l.set(squares))),
            tree::Change::Turn(color) => {
                let color = color.map(|color| self.color(color));
                let atom = color.map_or(2, |color| color as u64);
                self.atoms.push(Atom::Number(atom));
                Change::Turn(color)
            }
            tree::Change::Castling(bits) => {
                let bits = if self.swaps_colors() { bits << 2 & 12 | bits >> 2 & 3 } else { *bits };
                self.atoms.push(Atom::Number(u64::from(bits)));
                Change::Castling(CastlingRights::from_bits(bits))
            }
            tree::Change::EnPassant(squares) => {
                Change::EnPassant(self.unscoped(|l| l.set(squares)))
            }
        }
    }

    pub(super) fn countable(&mut self, countable: &tree::Countable, span: Span) -> Countable {
        match countable {
            tree::Countable::Played(dash) => Countable::Played(self.dash(dash, None)),
            tree::Countable::PlayedFromParent(dash) => {
                Countable::PlayedFromParent(self.dash(dash, None))
            }
            tree::Countable::Legal(dash) => Countable::Legal(Box::new(self.legal(dash))),
            tree::Countable::Tried(tried) => {
                let dash = self.dash(&tried.dash, None);
                Countable::Tried(self.tried(tried, dash, span))
            }
        }
    }

    pub(super) fn move_filter(&mut self, filter: &tree::MoveFilter) -> MoveFilter {
        MoveFilter {
            mode: filter.mode,
            value: filter.value,
            from: filter.from.as_ref().map(|f| self.set(f)),
            to: filter.to.as_ref().map(|f| self.set(f)),
            capture: filter.capture.as_ref().map(|f| self.set(f)),
            promote: filter.promote,
            en_passant: filter.en_passant,
            en_passant_square: filter.en_passant_square.as_ref().map(|f| self.set(f)),
            castle: filter.castle,
            null: filter.null,
            primary: filter.primary,
            secondary: filter.secondary,
            comment: filter.comment.as_ref().map(|f| self.unscoped(|l| l.condition(f))),
        }
    }

    pub(super) fn path(&mut self, path: &tree::Path, span: Span) -> PathId {
        let focus = path.focus.as_ref();
        let n_atoms = self.atoms.len();
        let focus = focus.map(|f| self.focus(|l| l.unscoped(|l| l.set(f))));
        // Images are compared by their focus last.
        let atoms_of_focus = self.atoms.split_off(n_atoms);
        let inside_path = std::mem::replace(&mut self.inside_path, true);
        let max = path.max.as_ref().map(|f| self.unscoped(|l| l.number(f)));
        let constituents = self.unscoped(|l| l.constituents(&path.constituents));
        self.inside_path = inside_path;
        self.atoms.extend(atoms_of_focus);
        let automaton = self.pattern(build::of_path(&constituents), span);
        // every image has bans of its own
        let index = if path.flags.nestban && !self.steps.is_empty() {
            next_index(&mut self.n_paths)
        } else {
            path.index
        };
        self.new_path(Path {
            index,
            flags: path.flags,
            focus,
            max,
            title: path.title.as_deref().map(Into::into),
            range: path.range,
            automaton,
            atomic: path.atomic.as_slice().into(),
            span,
        })
    }

    fn constituents(&mut self, constituents: &[tree::Constituent]) -> Box<[Constituent]> {
        constituents
            .iter()
            .map(|constituent| match constituent {
                tree::Constituent::Filter(filter) => Constituent::Filter(self.condition(filter)),
                tree::Constituent::Dash { dash, filters, repeat } => {
                    Constituent::Dash(self.dash(dash, Some(filters)), *repeat)
                }
                tree::Constituent::Group { members, repeat } => {
                    Constituent::Group(self.constituents(members), *repeat)
                }
            })
            .collect()
    }

    pub(super) fn line(&mut self, line: &tree::Line, span: Span) -> LineFilter {
        let constituents: Vec<LineConstituent> = self.unscoped(|l| {
            let mut taken = |filter: &Filter| Taken {
                linearize: holds_plain_move(filter),
                filter: l.condition(filter),
            };
            let constituents = line.constituents.iter();
            constituents.map(|part| part.map(&mut taken)).collect()
        });
        let automaton = self.pattern(build::of_line(&constituents), span);
        let index = if line.flags.nestban && !self.steps.is_empty() {
            next_index(&mut self.n_trackers)
        } else {
            line.index
        };
        LineFilter {
            index,
            flags: line.flags,
            range: line.range,
            may_be_empty: false,
            automaton,
            span,
        }
    }

    pub(super) fn pattern(
        &mut self,
        automaton: Result<Automaton, TooDeep>,
        span: Span,
    ) -> Automaton {
        automaton.unwrap_or_else(|TooDeep| {
            let message = "too many repetitions are nested, or their bounds are too great";
            self.error("E0430", span, message);
            Automaton::default()
        })
    }
}

/// The piece in a set of exactly one.
fn man_of(men: PieceSet) -> Piece {
    Piece::ALL[men.0.trailing_zeros().min(11) as usize]
}

/// Returns the next index.
fn next_index(n: &mut u32) -> u32 {
    *n += 1;
    *n - 1
}

/// Whether `filter` contains a plain `move` filter (over the moves of the game from here) that is
/// evaluated at the position of `filter` itself.
fn holds_plain_move(filter: &Filter) -> bool {
    match &filter.kind {
        FilterKind::Move(filter) => filter.mode == tree::MoveMode::Next,
        FilterKind::Find(_)
        | FilterKind::Line(_)
        | FilterKind::Path(_)
        | FilterKind::Echo(_)
        | FilterKind::At(..)
        | FilterKind::Imagine(_) => false,
        _ => {
            let mut found = false;
            filter.for_each_child(&mut |child| found = found || holds_plain_move(child));
            found
        }
    }
}

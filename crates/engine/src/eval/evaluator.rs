//! Evaluates a program on one game: the current position, the state, and the functions that all
//! families of filters use.

use std::borrow::Cow;
use std::ops::ControlFlow;

use board::{Position, SquareSet};
use ecma_regex::Captures;
use syntax::Span;
use syntax::tree::VariableId;

use super::fault::EvalError;
use super::notes::Note;
use super::path::progress::PathProgress;
use super::screen::Scan;
use super::slot::{Computed, Slot};
use super::sorted::SortValue;
use super::state::{STEPS_BETWEEN_LOOKS, State};
use crate::positions::Positions;
use crate::record::Record;
use crate::record::{as_text, contains_text};
use crate::row::RowValue;
use compiler::limits::Limit;
use compiler::program::*;

/// Number of bytes of text that cost as much time as one step.
const BYTES_PER_STEP: usize = 32;

/// A program being evaluated on one game.
pub(crate) struct Evaluator<'a> {
    pub(crate) program: &'a Program,
    pub(crate) positions: Positions<'a>,
    pub(crate) record: &'a Record<'a>,
    pub(crate) state: &'a mut State,
    /// The position at which the query as a whole is being evaluated.
    pub(super) root: u32,
    /// The current position; set by [`Evaluator::go_to`].
    pub(super) at: u32,
    /// Board and state of the current position.
    pub(super) here: &'a Position,
    /// Operands of the innermost dash whose target is being evaluated.
    pub(super) dash_operands: (SquareSet, SquareSet),
    /// Progress of the innermost path that is being searched.
    pub(super) path: Option<PathProgress>,
    /// The only child that plain `move` filters may see (`line` tries children one at a time).
    pub(super) linearized: Option<u32>,
}

/// An id of a filter with a value, so that flow of control ([`Flow`]) is evaluated once for all
/// types.
pub(super) trait Valued: Copy {
    type Output;
    /// Whether a failing block drops the comments made in it.
    const DROPS_COMMENTS: bool = true;
    /// Whether there is always a value, even if a part of the filter fails.
    const ALWAYS: bool = false;
    fn evaluate(self, evaluator: &mut Evaluator<'_>) -> Option<Self::Output>;
    fn from_slot(slot: &Slot) -> Option<Self::Output>;
    fn sort_value(value: &Self::Output) -> SortValue;
    /// Returns the value as a position if it is one.
    fn as_position(_value: &Self::Output) -> Option<u32> {
        None
    }
    /// Adds the value found after a tried move, and tells whether to go on with other moves.
    fn gather(result: &mut Option<Self::Output>, value: Self::Output) -> ControlFlow<()> {
        *result = Some(value);
        ControlFlow::Break(())
    }
}

impl Valued for SetId {
    type Output = SquareSet;
    const DROPS_COMMENTS: bool = false;
    const ALWAYS: bool = true;
    fn evaluate(self, evaluator: &mut Evaluator<'_>) -> Option<SquareSet> {
        Some(evaluator.set(self))
    }
    fn from_slot(slot: &Slot) -> Option<SquareSet> {
        match slot {
            Slot::Set(set) => Some(*set),
            _ => None,
        }
    }
    fn sort_value(value: &SquareSet) -> SortValue {
        SortValue::Number(value.len() as i32)
    }
    fn gather(result: &mut Option<SquareSet>, value: SquareSet) -> ControlFlow<()> {
        *result = Some(result.unwrap_or(SquareSet::EMPTY) | value);
        ControlFlow::Continue(())
    }
}

impl Valued for NumId {
    type Output = i32;
    fn evaluate(self, evaluator: &mut Evaluator<'_>) -> Option<i32> {
        evaluator.number(self)
    }
    fn from_slot(slot: &Slot) -> Option<i32> {
        match slot {
            Slot::Number(number) => Some(*number),
            _ => None,
        }
    }
    fn sort_value(value: &i32) -> SortValue {
        SortValue::Number(*value)
    }
}

impl Valued for TextId {
    type Output = Vec<u8>;
    fn evaluate(self, evaluator: &mut Evaluator<'_>) -> Option<Vec<u8>> {
        evaluator.text(self)
    }
    fn from_slot(slot: &Slot) -> Option<Vec<u8>> {
        match slot {
            Slot::Text(text) => Some(text.clone()),
            _ => None,
        }
    }
    fn sort_value(value: &Vec<u8>) -> SortValue {
        SortValue::Text(value.clone())
    }
}

impl Valued for PosId {
    type Output = u32;
    fn evaluate(self, evaluator: &mut Evaluator<'_>) -> Option<u32> {
        evaluator.position(self)
    }
    fn from_slot(slot: &Slot) -> Option<u32> {
        match slot {
            Slot::Position(position) => Some(*position),
            _ => None,
        }
    }
    fn sort_value(value: &u32) -> SortValue {
        SortValue::Number(*value as i32)
    }
    fn as_position(value: &u32) -> Option<u32> {
        Some(*value)
    }
}

impl<'a> Evaluator<'a> {
    pub(crate) fn new(
        program: &'a Program,
        positions: Positions<'a>,
        record: &'a Record<'a>,
        state: &'a mut State,
    ) -> Evaluator<'a> {
        state.take_up();
        Evaluator::at_start(program, positions, record, state)
    }

    /// Whether the tags of a game decide, besides its date, whether the query evaluates it.
    pub(crate) fn asks_for_tags(program: &Program) -> bool {
        program.settings.player.is_some() || !program.guard.is_empty()
    }

    /// Whether the record has the player that the query requires, and whether the conditions that
    /// do not depend on the position hold. Only tags are needed. [`State::start_game`] forgets
    /// everything of this game that stays in the state.
    pub(crate) fn passes_tags(
        program: &'a Program,
        positions: Positions<'a>,
        record: &'a Record<'a>,
        state: &'a mut State,
    ) -> bool {
        if !Self::asks_for_tags(program) {
            return true;
        }
        let mut evaluator = Evaluator::at_start(program, positions, record, state);
        if !evaluator.passes_player() {
            return false;
        }
        // The guard is no part of the evaluation: the query must see the capture groups of the
        // player.
        let captures = evaluator.state.captures.clone();
        let holds = evaluator.guard_holds();
        evaluator.state.captures = captures;
        holds
    }

    fn at_start(
        program: &'a Program,
        positions: Positions<'a>,
        record: &'a Record<'a>,
        state: &'a mut State,
    ) -> Evaluator<'a> {
        Evaluator {
            program,
            positions,
            record,
            state,
            root: 0,
            at: 0,
            here: positions.position(0),
            dash_operands: (SquareSet::ALL, SquareSet::ALL),
            path: None,
            linearized: None,
        }
    }

    /// Makes a position the current one.
    #[inline]
    pub(super) fn go_to(&mut self, id: u32) {
        self.at = id;
        self.here = self.positions.position(id);
    }

    /// Returns the board and state of the current position.
    #[inline]
    pub(super) fn here(&self) -> &'a Position {
        self.here
    }

    /// Whether the query matches at `position`. Comments made there are kept only if it does.
    pub(super) fn matches_at(&mut self, position: u32) -> bool {
        self.root = position;
        self.go_to(position);
        let mark = self.mark();
        let matched = self.matches(self.program.root) && self.state.fault.is_none();
        if !matched {
            self.drop_comments(mark);
        }
        matched
    }

    /// Evaluates the query at every position, or at those of the main line among `candidates`, and
    /// records the matching ones.
    pub(crate) fn search(&mut self, candidates: Option<&[u64]>) {
        let program = self.program;
        let marker = &program.settings.matchstring;
        let marks = self.level() == syntax::tree::CommentLevel::Normal
            && !marker.is_empty()
            && !self.state.unmarked;
        let sources = if candidates.is_none() { self.sources_of_first_echo() } else { None };
        let candidates = candidates.or(sources.as_deref());
        let mut scan = Scan::new(&program.screen).among(candidates);
        let (mut from, end) = (0, self.positions.len());
        while let Some(position) = scan.next(&self.positions, from, end) {
            from = position + 1;
            let mark = self.mark();
            if program.screen.is_exact || self.matches_at(position) {
                self.state.keep_distinct(program, mark);
                self.state.matched.push(position);
                if marks && self.is_marked(position) {
                    let notes = if program.settings.writing.always_comment {
                        &mut self.state.kept_notes
                    } else {
                        &mut self.state.notes
                    };
                    notes.push(Note { position, text: marker.clone() });
                }
                // Those of the whole game are the same at all positions.
                if !program.values.is_empty()
                    && (self.state.values.is_empty() || !program.has_values_of_game())
                {
                    let values = self.values_at(position);
                    let texts = values.iter().map(RowValue::text_len);
                    self.write(texts.sum());
                    self.state.values.push(values);
                }
            }
            self.look_if_due();
            if self.state.fault.is_some() {
                self.place_limit(&program.places.bools, program.root.0);
                break;
            }
        }
        self.state.echo_sources = sources.unwrap_or_default();
    }

    /// Whether a player has the name that the query requires. The capture groups of the match are
    /// kept for the query.
    fn passes_player(&mut self) -> bool {
        let program = self.program;
        let Some(player) = &program.settings.player else {
            return true;
        };
        let names = self.record.players();
        names.iter().any(|name| {
            let mut is_found = |name: &[u8]| {
                let Some(groups) = self.groups_at(player, name, 0) else {
                    return false;
                };
                self.state.captures = Captures::new(player, name.into(), groups);
                true
            };
            is_found(name) || !name.is_ascii() && is_found(&as_text(name))
        })
    }

    /// Whether the conditions that do not depend on the position hold for this game.
    fn guard_holds(&mut self) -> bool {
        self.go_to(0);
        let program = self.program;
        program.guard.iter().all(|&id| self.matches(id))
    }

    /// Records a fault unless there is one already.
    pub(super) fn fault(&mut self, span: Span, message: impl Into<String>) {
        if self.state.fault.is_none() {
            self.state.fault = Some(EvalError {
                span,
                message: syntax::diagnostic::shortened(message.into()),
                position: self.positions.played(self.at),
                limit: None,
            });
        }
    }

    /// Gives up the game because it exceeds a limit.
    #[cold]
    pub(super) fn exceed(&mut self, limit: Limit) {
        if self.state.fault.is_none() {
            self.state.fault = Some(EvalError {
                span: Span::default(),
                message: self.program.settings.limits.message(limit),
                position: self.positions.played(self.at),
                limit: Some(limit),
            });
        }
    }

    /// Records the filter that was being evaluated when a limit was exceeded. Filters call this
    /// from the inside out; the innermost one with a location counts.
    #[inline]
    pub(super) fn limit_at(&mut self, place: impl FnOnce() -> Span) {
        if let Some(fault) = &mut self.state.fault
            && fault.limit.is_some()
            && fault.span.end == 0
        {
            fault.span = place();
        }
    }

    /// Does the same as [`Self::limit_at`] for the filter with this index.
    #[inline]
    pub(super) fn place_limit(&mut self, places: &[Span], index: u32) {
        self.limit_at(|| places.get(index as usize).copied().unwrap_or_default());
    }

    /// Counts a step of a loop or search. Returns `false` if the game must be given up.
    #[inline]
    pub(super) fn step(&mut self) -> bool {
        if self.state.fault.is_some() {
            return false;
        }
        if self.state.spent >= self.state.next_look {
            self.look(1);
            if self.state.fault.is_some() {
                return false;
            }
        }
        self.state.spent += 1;
        true
    }

    /// Gives up the game if `n` further steps exceed the limit, or if the run is cancelled: the
    /// worker then forgets the game and its fault.
    #[cold]
    fn look(&mut self, n: u64) {
        let state = &mut *self.state;
        if state.spent + n > state.steps || state.cancel.is_cancelled() {
            self.exceed(Limit::Steps);
        } else {
            state.next_look = state.steps.min(state.spent + STEPS_BETWEEN_LOOKS);
        }
    }

    /// Does the same for steps that have been charged.
    #[inline]
    pub(super) fn look_if_due(&mut self) {
        if self.state.spent > self.state.next_look {
            self.look(0);
        }
    }

    /// Charges the time of `n` steps. If the steps are used up, the next [`Self::step`] of a loop
    /// or search gives up the game, or else the next position does. Between two such points a
    /// filter does no more than the size of the query allows.
    #[inline]
    pub(super) fn charge(&mut self, n: u64) {
        self.state.spent += n;
    }

    /// Charges the time that it takes to make a text.
    #[inline]
    pub(super) fn count_text(&mut self, n_bytes: usize) {
        self.charge((n_bytes / BYTES_PER_STEP) as u64);
        self.look_if_due();
    }

    /// Charges the time that it takes to search a text for a part of it: the part is prepared byte
    /// by byte, and the text may be compared byte by byte.
    #[inline]
    pub(super) fn count_search(&mut self, text: &[u8], part: &[u8]) {
        self.count_text(4 * text.len() + 16 * part.len());
    }

    /// Whether a text contains another one, see [`contains_text`].
    #[inline]
    pub(super) fn is_within(&mut self, part: &[u8], text: &[u8]) -> bool {
        self.count_search(text, part);
        contains_text(text, part, |bytes| self.decoded(bytes))
    }

    /// Decodes bytes as text, see [`as_text`].
    pub(super) fn decoded<'t>(&mut self, bytes: &'t [u8]) -> Cow<'t, [u8]> {
        let text = as_text(bytes);
        if matches!(text, Cow::Owned(_)) {
            self.count_decoding(bytes.len());
        }
        text
    }

    /// Charges the time that it takes to decode a text letter by letter.
    pub(super) fn count_decoding(&mut self, n_bytes: usize) {
        self.count_text(BYTES_PER_STEP * n_bytes);
    }

    /// Evaluates `body` with another current position.
    #[inline]
    pub(super) fn at<R>(&mut self, position: u32, body: impl FnOnce(&mut Self) -> R) -> R {
        let saved = (self.at, self.here);
        self.go_to(position);
        let result = body(self);
        (self.at, self.here) = saved;
        result
    }

    pub(super) fn value(&mut self, value: Value) -> Option<Computed> {
        Some(match value {
            Value::Bool(id) => Computed::Bool(self.matches(id)),
            Value::Set(id) => Computed::Set(self.set(id)),
            Value::Num(id) => Computed::Num(self.number(id)?),
            Value::Text(id) => Computed::Text(self.text(id)?),
            Value::Pos(id) => Computed::Pos(self.position(id)?),
        })
    }

    pub(super) fn slot(&self, variable: VariableId) -> &Slot {
        &self.state.slots[variable.0 as usize]
    }

    pub(super) fn bind(&mut self, variable: VariableId, slot: Slot) {
        let old = self.slot(variable).text_len();
        let new = slot.text_len();
        if old != new && !self.hold(old, new) {
            return;
        }
        self.state.slots[variable.0 as usize] = slot;
    }

    /// Records that a value of `old` bytes is replaced by one of `new` bytes. Returns `false` if
    /// that exceeds the limit on memory.
    pub(super) fn hold(&mut self, old: usize, new: usize) -> bool {
        let held = (self.state.held + new).saturating_sub(old);
        if new > old && held as u64 > self.program.settings.limits.memory {
            self.exceed(Limit::Memory);
            return false;
        }
        self.state.held = held;
        true
    }

    pub(super) fn unbound(&mut self, variable: VariableId, span: Span) {
        let name = &self.program.variables[variable.0 as usize].name;
        self.fault(span, format!("the variable '{name}' is not bound here"));
    }

    /// Binds the hidden variables of a call. Returns `false` if an argument fails.
    pub(super) fn bind_arguments(&mut self, arguments: &[(VariableId, Value)]) -> bool {
        for &(variable, value) in arguments {
            match self.value(value) {
                Some(value) => {
                    let slot = Slot::from(value);
                    self.keeps(&slot);
                    self.bind(variable, slot);
                }
                None => return false,
            }
        }
        true
    }

    pub(super) fn flow<V: Valued>(&mut self, flow: &Flow<V>) -> Option<V::Output> {
        match flow {
            Flow::Block(conditions, value) => {
                let mark = self.mark();
                let result = self.all_match(conditions).then(|| value.evaluate(self)).flatten();
                if result.is_none() && V::DROPS_COMMENTS {
                    self.drop_comments(mark);
                }
                result
            }
            Flow::If(test, then, otherwise) => {
                if self.matches(*test) {
                    then.evaluate(self)
                } else {
                    otherwise.evaluate(self)
                }
            }
            Flow::At(position, value) => {
                let position = self.position(*position)?;
                self.at(position, |e| value.evaluate(e))
            }
            Flow::Call(arguments, value) => {
                self.bind_arguments(arguments).then(|| value.evaluate(self)).flatten()
            }
            Flow::Lookup(dictionary, key) => {
                let key = self.key(*key)?;
                self.state.dictionaries[dictionary.0 as usize].get(&key).and_then(V::from_slot)
            }
            Flow::Dash(dash, value) => self.dash_value(*dash, None, *value),
            Flow::Tried(tried, value) => self.tried_value(tried, *value),
            Flow::Imagine(imagine, value) => self.imagined_value(imagine, *value),
            Flow::CurrentMove(dash, value) => self.current_move_value(*dash, *value),
            Flow::Sort(variable, filter) => self.sort(*variable, filter),
        }
    }

    /// Returns the bounds of a range of the filter at `span`. If a variable is unbound, records a
    /// fault and returns `None`.
    pub(super) fn range(&mut self, range: &Range, span: Span) -> Option<(i32, i32)> {
        Some((self.bound(range.min, span)?, self.bound(range.max, span)?))
    }

    fn bound(&mut self, bound: Bound, span: Span) -> Option<i32> {
        match bound {
            Bound::Constant(n) => Some(n),
            Bound::Variable { id, negated } => match self.slot(id) {
                Slot::Number(n) if negated => Some(n.wrapping_neg()),
                Slot::Number(n) => Some(*n),
                _ => {
                    self.unbound(id, span);
                    None
                }
            },
        }
    }

    /// Whether a value of the filter at `span` is in its range. Without a range, every value is.
    pub(super) fn in_range(&mut self, value: i32, range: Option<&Range>, span: Span) -> bool {
        let Some(range) = range else {
            return true;
        };
        self.range(range, span).is_some_and(|(min, max)| min <= value && value <= max)
    }
}

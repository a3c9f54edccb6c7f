//! Evaluates filters as conditions.

use std::sync::Arc;

use ecma_regex::Captures;
use syntax::tree::{Arithmetic, DictionaryId, Relation};

use super::entries::Entries;
use super::evaluator::Evaluator;
use super::slot::{Computed, Key, Slot};
use compiler::facts::{holds, squares_of_kinds};
use compiler::program::*;

/// Length in bytes of the longest tag that is read.
const LONGEST_TAG: usize = 255;

impl Evaluator<'_> {
    /// Whether the filter matches at the current position.
    pub(super) fn matches(&mut self, id: BoolId) -> bool {
        let program = self.program;
        match &program.bools[id.0 as usize] {
            BoolFilter::Constant(value) => *value,
            BoolFilter::NonEmpty(set) => !self.set(*set).is_empty(),
            BoolFilter::HasNumber(number) => self.number(*number).is_some(),
            BoolFilter::HasText(text) => self.text(*text).is_some(),
            BoolFilter::HasPosition(position) => self.position(*position).is_some(),
            BoolFilter::All(items) => {
                let mark = self.mark();
                let result = self.all_match(items);
                if !result {
                    self.drop_comments(mark);
                }
                result
            }
            BoolFilter::Any(items) => {
                let mark = self.mark();
                for (i, &id) in items.iter().enumerate() {
                    if self.matches(id) {
                        self.charge(i as u64 + 1);
                        return true;
                    }
                    // `a or b or c` is `(a or b) or c`: when b fails, its `or` fails
                    if i > 0 {
                        self.drop_comments(mark);
                    }
                }
                self.charge(items.len() as u64);
                self.drop_comments(mark);
                false
            }
            BoolFilter::Not(operand) => {
                let mark = self.mark();
                let result = !self.matches(*operand);
                self.drop_comments(mark);
                result
            }
            BoolFilter::CompareNumbers(op, left, right) => {
                self.compare_numbers(*op, *left, *right).is_some()
            }
            BoolFilter::CompareCount(op, set, number) => {
                let mark = self.mark();
                let count = self.set(*set).len() as i32;
                let result = holds(*op, &count, number);
                if !result {
                    self.drop_comments(mark);
                }
                result
            }
            BoolFilter::Turn(color) => self.here().turn == *color,
            BoolFilter::Patterns(patterns) => {
                self.charge(patterns.n_images() as u64 / 32);
                patterns.matches(&self.here().board)
            }
            filter => {
                let result = self.rare_match(filter);
                self.place_limit(&program.places.bools, id.0);
                result
            }
        }
    }

    /// Whether all the filters match, in order. Each evaluated filter counts as a step, since
    /// their number grows with the length of the query.
    #[inline]
    pub(super) fn all_match(&mut self, items: &[BoolId]) -> bool {
        let failed = items.iter().position(|&id| !self.matches(id));
        self.charge(failed.map_or(items.len(), |index| index + 1) as u64);
        failed.is_none()
    }

    /// Evaluates the less frequent filters, kept apart so that the frequent ones stay fast.
    #[inline(never)]
    fn rare_match(&mut self, filter: &BoolFilter) -> bool {
        self.charge(1);
        match filter {
            BoolFilter::Constant(_)
            | BoolFilter::NonEmpty(_)
            | BoolFilter::HasNumber(_)
            | BoolFilter::HasText(_)
            | BoolFilter::HasPosition(_)
            | BoolFilter::All(_)
            | BoolFilter::Any(_)
            | BoolFilter::Not(_)
            | BoolFilter::CompareNumbers(..)
            | BoolFilter::CompareCount(..)
            | BoolFilter::Turn(_)
            | BoolFilter::Patterns(_) => false,
            BoolFilter::Misuse(span, message) => {
                self.fault(*span, *message);
                false
            }
            BoolFilter::Never(text) => {
                let mark = self.mark();
                self.text(*text);
                self.drop_comments(mark);
                false
            }

            BoolFilter::If(test, then, otherwise) => {
                if self.matches(*test) {
                    self.matches(*then)
                } else {
                    otherwise.is_none_or(|id| self.matches(id))
                }
            }
            BoolFilter::At(position, body) => match self.position(*position) {
                Some(position) => self.at(position, |e| e.matches(*body)),
                None => false,
            },
            BoolFilter::Theme(_, body) => self.matches(*body),
            BoolFilter::Call(arguments, body) => {
                self.bind_arguments(arguments) && self.matches(*body)
            }
            BoolFilter::Orbit(images) => {
                let mark = self.mark();
                let mut result = false;
                self.charge(images.len() as u64);
                for &image in images {
                    result |= self.matches(image);
                }
                if !result {
                    self.drop_comments(mark);
                }
                result
            }
            BoolFilter::While(test, body) => {
                while self.step() && self.matches(*test) {
                    self.matches(*body);
                }
                true
            }
            BoolFilter::WhileMatch(subject, pattern, body) => {
                let Some(subject) = self.text(*subject) else {
                    return false;
                };
                let Some(regex) = self.regex(pattern) else {
                    return false;
                };
                let subject: Arc<[u8]> = subject.into();
                let mut start = 0;
                while self.step() {
                    let Some(groups) = self.groups_at(&regex, &subject, start) else {
                        break;
                    };
                    let captures = Captures::new(&regex, subject.clone(), groups);
                    start = captures.next_start();
                    self.state.captures = captures;
                    self.matches(*body);
                }
                true
            }
            BoolFilter::Loop(body) => {
                let mut matched = false;
                while self.step() && self.matches(*body) {
                    matched = true;
                }
                matched
            }
            BoolFilter::Assert(body, span) => {
                let result = self.matches(*body);
                if !result && self.state.fault.is_none() {
                    let message = format!(
                        "assertion failed in game {} at position {}",
                        self.record.number,
                        self.positions.played(self.at)
                    );
                    self.fault(*span, message);
                }
                result
            }
            BoolFilter::ForAll(square_loop) => self.for_all(square_loop),
            BoolFilter::DictionaryLoop(variable, dictionary, body, span) => {
                if *self.slot(*variable) != Slot::Unbound {
                    self.loop_variable_bound(*variable, *span);
                    return false;
                }
                let entries = &self.state.dictionaries[dictionary.0 as usize];
                let (n_entries, n_bytes) = (entries.len(), entries.n_bytes());
                self.charge(n_entries as u64);
                self.count_text(n_bytes);
                let entries = &self.state.dictionaries[dictionary.0 as usize];
                let keys: Vec<Key> = entries.iter().map(|(key, _)| key.clone()).collect();
                // Nested loops have a copy of the keys each.
                let n_bytes = keys.iter().map(Key::size).sum();
                if self.hold(0, n_bytes) {
                    for key in keys {
                        if !self.step() {
                            break;
                        }
                        self.bind(*variable, Slot::from(key));
                        self.matches(*body);
                    }
                    self.bind(*variable, Slot::Unbound);
                    self.hold(n_bytes, 0);
                }
                true
            }
            BoolFilter::ConsumeDash(dash) => self.dash_matches(*dash),
            BoolFilter::Tried(tried) => self.tried_matches(tried),
            BoolFilter::Imagine(imagine, body) => {
                let mark = self.mark();
                let result = self.imagining(imagine, |e| e.matches(*body)) == Some(true);
                if !result {
                    self.drop_comments(mark);
                }
                result
            }

            BoolFilter::CompareTexts(op, left, right) => {
                self.compare_texts(*op, *left, *right).is_some()
            }
            BoolFilter::SetsEqual(left, right) => {
                let mark = self.mark();
                let left = self.set(*left);
                let result = left == self.set(*right);
                if !result {
                    self.drop_comments(mark);
                }
                result
            }
            BoolFilter::SetsDiffer(left, right) => {
                let mark = self.mark();
                let left = self.set(*left);
                let result = left != self.set(*right);
                self.drop_comments(mark);
                result
            }
            BoolFilter::NumbersDiffer(left, right) => {
                let mark = self.mark();
                let equal = self.compare_numbers(Relation::Equal, *left, *right);
                self.drop_comments(mark);
                equal.is_none()
            }
            BoolFilter::TextsDiffer(left, right) => {
                let mark = self.mark();
                let equal = self.compare_texts(Relation::Equal, *left, *right);
                self.drop_comments(mark);
                equal.is_none()
            }
            BoolFilter::Same(left, right) => {
                let left = self.value(*left).unwrap_or(Computed::Bool(false));
                let right = self.value(*right).unwrap_or(Computed::Bool(false));
                left == right
            }
            BoolFilter::Subset(left, right) => {
                let left = self.set(*left);
                left.is_subset(self.set(*right))
            }
            BoolFilter::Substring(needle, haystack) => {
                if self.is_no_player(*needle, *haystack) {
                    return false;
                }
                let Some(needle) = self.text(*needle) else {
                    return false;
                };
                let Some(haystack) = self.text(*haystack) else {
                    return false;
                };
                self.is_within(&needle, &haystack)
            }
            BoolFilter::GameTextContains(needle, source) => {
                self.charge(4 + self.record.n_tags() / 8);
                if !needle.is_ascii() {
                    self.count_decoding(LONGEST_TAG);
                }
                self.record.contains(source, needle)
            }
            BoolFilter::IsAncestor(ancestor, descendant) => {
                // The descendant is evaluated first, whichever word the query uses.
                let Some(descendant) = self.position(*descendant) else {
                    return false;
                };
                self.position(*ancestor)
                    .is_some_and(|ancestor| self.positions.is_ancestor(ancestor, descendant))
            }

            BoolFilter::Predicate(predicate) => self.predicate(*predicate),
            BoolFilter::Fen(requirements) => {
                let board = &self.here().board;
                requirements
                    .iter()
                    .all(|&(squares, kinds)| squares.is_subset(squares_of_kinds(board, kinds)))
            }

            BoolFilter::Result(result) => self.record.result() == Some(*result),
            BoolFilter::HasNag(nag) => {
                (self.positions.node(self.at)).is_some_and(|node| self.record.has_nag(node, *nag))
            }
            BoolFilter::Hhdb(flag) => self.hhdb_flag(flag),
            BoolFilter::HhdbAward(award) => self.award_matches(award),

            BoolFilter::Assign(variable, value) => match self.value(*value) {
                Some(value) => {
                    let slot = Slot::from(value);
                    self.keeps(&slot);
                    self.bind(*variable, slot);
                    true
                }
                None => false,
            },
            BoolFilter::AssignNonEmpty(variable, set) => {
                let set = self.set(*set);
                if !set.is_empty() {
                    self.bind(*variable, Slot::Set(set));
                }
                !set.is_empty()
            }
            BoolFilter::Update(variable, update, span) => {
                self.update(*variable, update, *span).is_some()
            }
            BoolFilter::AssignPiece(variable, set) => {
                let set = self.set(*set);
                let piece = set.single().and_then(|square| self.piece_id_on(square));
                match piece {
                    Some(piece) => {
                        self.bind(*variable, Slot::Piece(piece));
                        true
                    }
                    None => false,
                }
            }
            BoolFilter::AssignSlice(variable, slice, value, span) => {
                let mark = self.mark();
                let result = self.assign_slice(*variable, slice, *value, *span);
                if result.is_none() {
                    self.drop_comments(mark);
                }
                result.is_some()
            }
            BoolFilter::Unbind(variable) => {
                self.bind(*variable, Slot::Unbound);
                true
            }
            BoolFilter::UnbindDictionary(dictionary) => {
                let entries = &mut self.state.dictionaries[dictionary.0 as usize];
                let n_bytes = entries.n_bytes();
                entries.clear();
                self.hold(n_bytes, 0);
                true
            }
            BoolFilter::UnbindEntry(dictionary, key) => {
                let Some(key) = self.key(*key) else {
                    return false;
                };
                let entries = &mut self.state.dictionaries[dictionary.0 as usize];
                let before = entries.n_bytes();
                entries.remove(&key);
                let after = entries.n_bytes();
                self.hold(before, after);
                true
            }
            BoolFilter::IsBound(variable) => *self.slot(*variable) != Slot::Unbound,
            BoolFilter::AssignEntry(dictionary, key, value) => {
                let Some(key) = self.key(*key) else {
                    return false;
                };
                match self.value(*value) {
                    Some(value) => self.insert(*dictionary, key, Slot::from(value)),
                    None => false,
                }
            }
            BoolFilter::HasEntry(dictionary, key) => match self.key(*key) {
                Some(key) => {
                    let entries = &self.state.dictionaries[dictionary.0 as usize];
                    entries.get(&key).is_some()
                }
                None => false,
            },
            BoolFilter::Comment(items) => {
                let text = self.print(items);
                self.comment(text);
                true
            }
            BoolFilter::Message { quiet, items } => {
                self.message(*quiet, items);
                true
            }
            BoolFilter::RemoveComment => {
                self.remove_comment();
                true
            }
            BoolFilter::RemoveTag(name) => {
                self.remove_tag(name);
                true
            }
            BoolFilter::SetTag(name, value) => match self.text(*value) {
                Some(value) => {
                    self.set_tag(name, value);
                    true
                }
                None => false,
            },
            BoolFilter::WriteFile(name, text, span) => self.write_file(*name, *text, *span),

            BoolFilter::CurrentMove(dash) => self.current_move_matches(*dash),
            BoolFilter::Move(filter) => self.move_matches(filter),
            BoolFilter::Path(path) => {
                let mark = self.mark();
                let found = self.run_path(*path).is_some();
                if !found {
                    // Drop the comments on the moves of the focus.
                    self.drop_comments(mark);
                }
                found
            }
            BoolFilter::Line(line) => self.run_line(line).is_some(),
            BoolFilter::Find(find) => self.find_matches(find),
            BoolFilter::Echo(echo) => self.echo_matches(echo),
            BoolFilter::SimilarPosition(similar) => self.similar_position(similar),
            BoolFilter::Relation(relation) => self.is_related(relation),
            BoolFilter::LaterPosition(later) => self.has_later_position(later),
            BoolFilter::WholeGame(whole_game) => self.whole_game_matches(whole_game),
        }
    }

    /// Adds or replaces an entry of a dictionary. Returns `false` if a limit is exceeded.
    fn insert(&mut self, dictionary: DictionaryId, key: Key, value: Slot) -> bool {
        self.keeps(&value);
        if let Key::Position(position) = key {
            self.keeps(&Slot::Position(position));
        }
        let entries = &self.state.dictionaries[dictionary.0 as usize];
        let old = entries.get(&key).map(|old| Entries::size(&key, old));
        if !self.hold(old.unwrap_or(0), Entries::size(&key, &value)) {
            return false;
        }
        self.state.dictionaries[dictionary.0 as usize].insert(key, value);
        true
    }

    /// Returns the value of the left operand if the relation holds.
    pub(super) fn compare_numbers(
        &mut self,
        op: Relation,
        left: NumId,
        right: NumId,
    ) -> Option<i32> {
        let mark = self.mark();
        let result = self.number(left).and_then(|left| {
            let right = self.number(right)?;
            holds(op, &left, &right).then_some(left)
        });
        if result.is_none() {
            self.drop_comments(mark);
        }
        result
    }

    /// Returns the value of the left operand if the relation holds.
    pub(super) fn compare_texts(
        &mut self,
        op: Relation,
        left: TextId,
        right: TextId,
    ) -> Option<Vec<u8>> {
        let mark = self.mark();
        let result = self.text(left).and_then(|left| {
            let right = self.text(right)?;
            let is_so = holds(op, &*self.decoded(&left), &*self.decoded(&right));
            is_so.then_some(left)
        });
        if result.is_none() {
            self.drop_comments(mark);
        }
        result
    }

    fn update(
        &mut self,
        variable: syntax::tree::VariableId,
        update: &Update,
        span: syntax::Span,
    ) -> Option<()> {
        let slot = match *update {
            Update::Arithmetic(op, value) => {
                let value = self.number(value);
                let Slot::Number(old) = *self.slot(variable) else {
                    self.unbound(variable, span);
                    return None;
                };
                Slot::Number(arithmetic(op, old, value?)?)
            }
            Update::Append(value) => {
                let value = self.text(value)?;
                let Slot::Text(old) = self.slot(variable) else {
                    self.unbound(variable, span);
                    return None;
                };
                let old = old.clone();
                Slot::Text(self.joined(old, &value)?)
            }
            Update::Union(value) | Update::Intersect(value) => {
                let value = self.set(value);
                let Slot::Set(old) = *self.slot(variable) else {
                    self.unbound(variable, span);
                    return None;
                };
                Slot::Set(match update {
                    Update::Union(_) => old | value,
                    _ => old & value,
                })
            }
        };
        self.bind(variable, slot);
        Some(())
    }

    pub(super) fn loop_variable_bound(
        &mut self,
        variable: syntax::tree::VariableId,
        span: syntax::Span,
    ) {
        let name = &self.program.variables[variable.0 as usize].name;
        self.fault(
            span,
            format!("the loop variable '{name}' is already bound when the loop starts"),
        );
    }

    /// Returns the position as CQL 6.2 sees it in filters on moves that are not played: the start
    /// of a game has no last move, so there is no en passant capture, whatever the FEN says.
    pub(super) fn for_moves(&self) -> board::Position {
        let mut position = *self.here();
        if self.at == 0 {
            position.en_passant = None;
        }
        position
    }

    #[inline(always)]
    pub(super) fn is_check(&self) -> bool {
        self.positions.is_check(self.at, self.here())
    }

    pub(super) fn is_mate(&self) -> bool {
        if !self.positions.rules().are_of_chess() {
            return self.situation().is_mate();
        }
        self.here().is_check() && !self.for_moves().has_answer_to_check()
    }

    pub(super) fn is_stalemate(&self) -> bool {
        if !self.positions.rules().are_of_chess() {
            return self.situation().is_stalemate();
        }
        !self.here().is_check()
            && self.positions.first_child(self.at).is_none()
            && !self.for_moves().has_legal_move()
    }

    pub(super) fn is_forced(&self) -> bool {
        if !self.positions.rules().are_of_chess() {
            return self.moves_of_variant(false).len() == 1;
        }
        self.for_moves().is_forced()
    }
}

/// Computes with wrapping 32-bit numbers. Division truncates; division by zero has no value.
pub(super) fn arithmetic(op: Arithmetic, left: i32, right: i32) -> Option<i32> {
    match op {
        Arithmetic::Add => Some(left.wrapping_add(right)),
        Arithmetic::Subtract => Some(left.wrapping_sub(right)),
        Arithmetic::Multiply => Some(left.wrapping_mul(right)),
        Arithmetic::Divide => (right != 0).then(|| left.wrapping_div(right)),
        Arithmetic::Modulo => (right != 0).then(|| left.wrapping_rem(right)),
    }
}

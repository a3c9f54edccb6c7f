//! Evaluates filters with effects: comments, messages, tags and files.
//!
//! Comments are transactional: a filter that undoes them on failure takes a [`Evaluator::mark`] and
//! drops the comments made since. Variables, tags, messages and removed comments are never undone.

use board::{Color, SquareSet};
use syntax::Span;
use syntax::tree::{CommentLevel, DictionaryId, VariableKind};

use super::evaluator::Evaluator;
use super::notes::Note;
use super::slot::{Computed, Key, Slot};
use crate::row::print_set;
use compiler::limits::Limit;
use compiler::program::*;

impl Evaluator<'_> {
    /// Returns the number of comments, as a mark up to which later ones can be dropped.
    #[inline]
    pub(super) fn mark(&self) -> usize {
        self.state.notes.len()
    }

    /// Drops the comments made since `mark`.
    #[inline]
    pub(super) fn drop_comments(&mut self, mark: usize) {
        self.state.notes.truncate(mark);
    }

    /// Drops the comments made between two marks.
    pub(super) fn drop_comments_between(&mut self, start: usize, end: usize) {
        self.state.notes.drain(start..end);
    }

    /// Returns the comment level of the run.
    pub(super) fn level(&self) -> CommentLevel {
        self.program.settings.level
    }

    /// Adds a comment written by the query to the current position.
    pub(super) fn comment(&mut self, text: Vec<u8>) {
        self.comment_at(self.at, text);
    }

    /// Adds a comment written by the query to a position. A comment on an imagined position goes to
    /// the position of the game that it was imagined from.
    pub(super) fn comment_at(&mut self, position: u32, text: Vec<u8>) {
        if text.is_empty() || self.level() == CommentLevel::Silent {
            return;
        }
        self.charge(8);
        let note = Note { position: self.positions.played(position), text: text.into() };
        if self.program.settings.writing.always_comment {
            self.state.kept_notes.push(note);
        } else {
            self.state.notes.push(note);
        }
        self.bound_comments();
    }

    /// Gives up the game if its comments exceed a limit.
    pub(super) fn bound_comments(&mut self) {
        let state = &*self.state;
        let limits = &self.program.settings.limits;
        let (n_bytes, n) = state.sort_notes_size;
        let n = n + state.notes.len() + state.kept_notes.len();
        let n_bytes = n_bytes + state.notes.n_bytes() + state.kept_notes.n_bytes();
        if n as u64 > limits.comments {
            self.exceed(Limit::Comments);
        } else if n_bytes as u64 > limits.comment_bytes {
            self.exceed(Limit::CommentBytes);
        }
    }

    /// Counts bytes written for this game. Returns `false` if they exceed the limit on output.
    pub(super) fn write(&mut self, n_bytes: usize) -> bool {
        self.state.written = self.state.written.saturating_add(n_bytes as u64);
        let fits = self.state.written <= self.program.settings.limits.output;
        if !fits {
            self.exceed(Limit::Output);
        }
        fits
    }

    /// Adds a comment that a filter makes automatically.
    pub(super) fn automatic_comment(&mut self, position: u32, text: Vec<u8>) {
        if self.level() == CommentLevel::Normal {
            self.comment_at(position, text);
        }
    }

    pub(super) fn remove_comment(&mut self) {
        let is_written = !self.positions.is_imagined(self.at);
        if is_written && !self.program.settings.writing.no_removecomment {
            let removed = &mut self.state.removed;
            removed.push(self.at);
            // a loop may remove the same comments many times
            if removed.len() > 2 * self.positions.len() as usize {
                removed.sort_by_cached_key(|&node| node);
                removed.dedup();
            }
        }
    }

    pub(super) fn set_tag(&mut self, name: &[u8], value: Vec<u8>) {
        if self.program.settings.writing.no_settag || !self.write(value.len()) {
            return;
        }
        self.state.removed_tags.retain(|removed| removed != name);
        let tags = &mut self.state.tags;
        match tags.iter_mut().find(|(n, _)| n == name) {
            Some((_, old)) => *old = value,
            None => tags.push((name.to_vec(), value)),
        }
    }

    pub(super) fn remove_tag(&mut self, name: &[u8]) {
        if self.program.settings.writing.no_settag {
            return;
        }
        self.state.tags.retain(|tag| tag.0 != name);
        let removed = &mut self.state.removed_tags;
        if !removed.iter().any(|removed| removed == name) {
            removed.push(name.to_vec());
        }
    }

    pub(super) fn message(&mut self, quiet: bool, items: &[PrintItem]) {
        let text = self.print(items);
        if self.state.fault.is_some() {
            return;
        }
        let mut prefix = Vec::new();
        if !quiet {
            prefix.extend(format!("Game: {} ", self.record.number).bytes());
            prefix.extend(self.position_text(self.at));
            prefix.extend(b": ");
        }
        // The counted bytes include the end of the line.
        if self.write(prefix.len() + text.len() + 1) {
            self.state.messages.extend(prefix);
            self.state.messages.extend(text);
            self.state.messages.push(b'\n');
        }
    }

    /// Returns the printed forms of the items, joined.
    pub(super) fn print(&mut self, items: &[PrintItem]) -> Vec<u8> {
        let mut out = Vec::new();
        for item in items {
            self.print_item(item, &mut out);
            if !self.bound_string(out.len()) {
                break;
            }
        }
        out
    }

    fn print_item(&mut self, item: &PrintItem, out: &mut Vec<u8>) {
        const FAILED: &[u8] = b"<false>";
        self.charge(8);
        match item {
            PrintItem::Literal(text) => out.extend_from_slice(text),
            PrintItem::Bool(id) => {
                let text: &[u8] = if self.matches(*id) { b"<true>" } else { FAILED };
                out.extend_from_slice(text);
            }
            PrintItem::Set(id) => {
                let set = self.set(*id);
                self.charge(8 * u64::from(set.len()));
                print_set(set, out);
            }
            PrintItem::Num(id) => match self.number(*id) {
                Some(number) => out.extend(number.to_string().bytes()),
                None => out.extend_from_slice(FAILED),
            },
            PrintItem::Text(id) => match self.text(*id) {
                Some(text) => out.extend(text),
                None => out.extend_from_slice(FAILED),
            },
            PrintItem::Pos(id) => match self.position(*id) {
                Some(position) => out.extend(self.position_text(position)),
                None => out.extend_from_slice(FAILED),
            },
            PrintItem::Variable(variable) => match self.slot(*variable).clone() {
                Slot::Unbound => {
                    let name = &self.program.variables[variable.0 as usize].name;
                    out.extend(format!("<unbound: {name}>").bytes());
                }
                Slot::Set(set) => {
                    self.charge(8 * u64::from(set.len()));
                    print_set(set, out);
                }
                Slot::Number(number) => out.extend(number.to_string().bytes()),
                Slot::Text(text) => {
                    self.count_text(text.len());
                    out.extend(text);
                }
                Slot::Position(position) => out.extend(self.position_text(position)),
                Slot::Piece(piece) => {
                    if let Some(square) = self.square_of_piece(piece).single()
                        && let Some(piece) = self.here().board.piece_at(square)
                    {
                        out.push(piece.letter());
                        out.extend(square.to_string().bytes());
                    }
                }
            },
            PrintItem::Dictionary(id) => self.print_dictionary(*id, out),
        }
    }

    fn print_dictionary(&mut self, id: DictionaryId, out: &mut Vec<u8>) {
        let name = &self.program.dictionaries[id.0 as usize].name;
        let entries: Vec<(Key, Slot)> = self.state.dictionaries[id.0 as usize]
            .iter()
            .map(|(key, value)| (key.clone(), value.clone()))
            .collect();
        let n = entries.len();
        self.charge(40 * n as u64);
        self.count_text(self.state.dictionaries[id.0 as usize].n_bytes());
        out.extend(format!("Dictionary {name} with {n} entries: \n").bytes());
        for (key, value) in entries {
            self.print_tagged(&Slot::from(key), out);
            out.extend_from_slice(b": ");
            self.print_tagged(&value, out);
            out.push(b'\n');
            if !self.bound_string(out.len()) {
                break;
            }
        }
    }

    fn print_tagged(&mut self, slot: &Slot, out: &mut Vec<u8>) {
        match slot {
            Slot::Text(text) => {
                out.extend_from_slice(b"<string>");
                out.extend_from_slice(text);
            }
            Slot::Number(number) => out.extend(format!("<NumValue>{number}").bytes()),
            Slot::Set(set) => {
                out.extend_from_slice(b"<SquareMask>");
                print_set(*set, out);
            }
            Slot::Position(position) => {
                let text = self.position_text(*position);
                out.extend(text);
            }
            Slot::Piece(_) | Slot::Unbound => {}
        }
    }

    /// Returns the name of a position in texts. In a variation, the name includes the id of the
    /// position, and a comment with that id is added to the position.
    pub(super) fn position_text(&mut self, position: u32) -> Vec<u8> {
        self.charge(40);
        let side = match self.positions.position(position).turn {
            Color::White => "wtm",
            Color::Black => "btm",
        };
        let mut text = format!("move {}({side})", self.positions.move_number(position));
        if self.positions.depth(position) > 0 && !self.positions.is_imagined(position) {
            text.push_str(&format!("[{position}]"));
            self.comment_at(position, format!("id:{position}").into_bytes());
        }
        text.into_bytes()
    }

    /// Returns the value of a filter as a key of a dictionary.
    pub(super) fn key(&mut self, value: Value) -> Option<Key> {
        use Computed as C;
        Some(match self.value(value)? {
            C::Bool(_) => return None,
            C::Set(set) => Key::Set(set.0),
            C::Num(number) => Key::Number(number),
            C::Text(text) => Key::Text(text),
            C::Pos(position) => Key::Position(position),
        })
    }

    pub(super) fn read_file(&mut self, name: TextId, span: Span) -> Option<Vec<u8>> {
        let name = self.text(name)?;
        let name = String::from_utf8_lossy(&name).into_owned();
        if ![".cql", ".cqo", ".pgn"].iter().any(|e| name.ends_with(e)) {
            self.fault(span, format!("readfile: the name '{name}' must end in .cql, .cqo or .pgn"));
            return None;
        }
        match self.state.files.0.read(&name, self.program.settings.limits.string) {
            Ok(text) => self.bound_string(text.len()).then_some(text),
            Err(error) => {
                self.fault(span, format!("readfile: cannot read '{name}': {error}"));
                None
            }
        }
    }

    pub(super) fn write_file(&mut self, name: TextId, text: TextId, span: Span) -> bool {
        let Some(name) = self.text(name) else {
            return false;
        };
        let name = String::from_utf8_lossy(&name).into_owned();
        if ![".cql", ".cqo"].iter().any(|e| name.ends_with(e)) {
            self.fault(span, format!("writefile: the name '{name}' must end in .cqo or .cql"));
            return false;
        }
        let Some(text) = self.text(text) else {
            return false;
        };
        if self.state.fault.is_some() || !self.write(text.len()) {
            return false;
        }
        match self.state.files.0.append(&name, &text) {
            Ok(()) => true,
            Err(error) => {
                self.fault(span, format!("writefile: cannot write '{name}': {error}"));
                false
            }
        }
    }
}

impl From<Key> for Slot {
    fn from(key: Key) -> Slot {
        match key {
            Key::Number(number) => Slot::Number(number),
            Key::Text(text) => Slot::Text(text),
            Key::Set(set) => Slot::Set(SquareSet(set)),
            Key::Position(position) => Slot::Position(position),
        }
    }
}

/// Returns `NAME: VALUE` for a persistent variable after the run.
pub(crate) fn print_persistent(name: &str, kind: VariableKind, slot: &Slot) -> Vec<u8> {
    let mut out = format!("{name}: ").into_bytes();
    match slot {
        Slot::Set(set) => print_set(*set, &mut out),
        Slot::Number(number) => out.extend(number.to_string().bytes()),
        Slot::Text(text) => {
            out.push(b'"');
            out.extend_from_slice(text);
            out.push(b'"');
        }
        Slot::Unbound => out.extend_from_slice(b"<unbound>"),
        Slot::Position(_) | Slot::Piece(_) => {
            debug_assert!(false, "a persistent {kind:?}");
        }
    }
    out
}

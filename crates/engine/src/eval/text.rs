//! Evaluates filters whose value is a string: bytes of any length.

use std::borrow::Cow;
use std::ops::Range as ByteRange;

use board::Color;
use ecma_regex::{Captures, Groups, OutOfSteps, Regex};
use syntax::Span;
use syntax::token::Group;
use syntax::tree::VariableId;

use super::evaluator::Evaluator;
use super::slot::Slot;
use super::state::{STEPS_BETWEEN_LOOKS, State};
use compiler::limits::Limit;
use compiler::program::*;

/// Largest number of regular expressions made by the query that are kept.
const MOST_KEPT: usize = 64;

impl Evaluator<'_> {
    /// Returns the value of the filter at the current position, if it has one.
    pub(super) fn text(&mut self, id: TextId) -> Option<Vec<u8>> {
        let text = self.uncounted_text(id);
        if let Some(text) = &text {
            self.count_text(text.len());
        }
        self.place_limit(&self.program.places.texts, id.0);
        text
    }

    /// Whether a constant text is searched for in the names of the players and cannot be there. For
    /// most games the tags decide this before the names are normalized.
    pub(super) fn is_no_player(&mut self, part: TextId, text: TextId) -> bool {
        let texts = &self.program.texts;
        let (TextFilter::Constant(part), TextFilter::Players) =
            (&texts[part.0 as usize], &texts[text.0 as usize])
        else {
            return false;
        };
        self.charge(4 + self.record.n_tags() / 8);
        !self.record.players_may_contain(part)
    }

    fn uncounted_text(&mut self, id: TextId) -> Option<Vec<u8>> {
        // for an allocation
        self.charge(4);
        let program = self.program;
        match &program.texts[id.0 as usize] {
            TextFilter::Constant(text) => Some(text.to_vec()),
            TextFilter::Variable(variable, span) => match self.slot(*variable) {
                Slot::Text(text) => Some(text.clone()),
                _ => {
                    self.unbound(*variable, *span);
                    None
                }
            },
            TextFilter::Game(source) => {
                self.charge(self.record.n_tags() / 8);
                self.record.text(source).map(|text| text.into_owned())
            }
            TextFilter::Players => {
                let white = self.record.text(&GameText::Player(Color::White))?;
                let black = self.record.text(&GameText::Player(Color::Black))?;
                Some([&white, b"\\n".as_slice(), &black].concat())
            }
            TextFilter::Fen => {
                // castling rights are looked up in all earlier positions
                self.charge(80 + 4 * u64::from(self.positions.ply(self.at)));
                Some(self.fen().into_bytes())
            }
            TextFilter::OfPosition(word) => self.position_as_text(*word),
            TextFilter::OriginalComment => {
                let node = self.positions.node(self.at)?;
                self.record.comment(node).filter(|text| !text.is_empty())
            }
            TextFilter::Hhdb(key) => self.hhdb_text(*key),
            TextFilter::Concatenate(left, right) => {
                let text = self.text(*left)?;
                let right = self.text(*right)?;
                self.joined(text, &right)
            }
            TextFilter::Substring(text, slice) => {
                let mark = self.mark();
                let result = self.substring(*text, slice);
                if result.is_none() {
                    self.drop_comments(mark);
                }
                result
            }
            TextFilter::Match(subject, pattern) => {
                let mut subject = self.text(*subject)?;
                let regex = self.regex(pattern)?;
                let mut groups = self.groups_at(&regex, &subject, 0);
                // The pattern may refer to the letters that the bytes encode.
                if groups.is_none()
                    && let Cow::Owned(text) = self.decoded(&subject)
                {
                    groups = self.groups_at(&regex, &text, 0);
                    subject = text;
                }
                match groups {
                    Some(groups) => {
                        let captures = Captures::new(&regex, subject.into(), groups);
                        let found = captures.subject()[captures.whole()].to_vec();
                        self.state.captures = captures;
                        Some(found)
                    }
                    None => {
                        self.state.captures = Default::default();
                        None
                    }
                }
            }
            TextFilter::Replace(subject, pattern, with) => {
                let subject = self.text(*subject)?;
                let regex = self.regex(pattern)?;
                let with = self.text(*with)?;
                self.replaced(&subject, &regex, &with)
            }
            TextFilter::Group(group, span) => {
                let range = self.group(group, *span)?;
                Some(self.state.captures.subject()[range].to_vec())
            }
            TextFilter::Str(items) => Some(self.print(items)),
            TextFilter::OfText(word, text) => self.text_of_text(*word, *text),
            TextFilter::OfSet(word, set) => self.text_of_set(*word, *set),
            TextFilter::AsciiCharacter(number) => match self.number(*number)? {
                code @ 1..=255 => Some(vec![code as u8]),
                _ => None,
            },
            TextFilter::CommandPipe(name, items, span) => self.command_pipe(name, items, *span),
            TextFilter::Engine(question, span) => self.engine_text(*question, *span),
            TextFilter::ReadFile(name, span) => self.read_file(*name, *span),
            TextFilter::Relation(op, left, right) => self.compare_texts(*op, *left, *right),
            TextFilter::Extremum { max, items } => self.best(
                items.len(),
                |e, i| e.text(items[i]),
                |new, best| if *max { new.cmp(best) } else { best.cmp(new) },
            ),
            TextFilter::Flow(flow) => self.flow(flow),
        }
    }

    /// Joins two strings. Returns `None` if the result would exceed the limit on strings.
    pub(super) fn joined(&mut self, mut left: Vec<u8>, right: &[u8]) -> Option<Vec<u8>> {
        self.bound_string(left.len() + right.len()).then(|| {
            left.extend_from_slice(right);
            left
        })
    }

    /// Whether a string may have this length. Without a limit, doubling a string in a loop would
    /// use up all memory.
    pub(super) fn bound_string(&mut self, len: usize) -> bool {
        let fits = len as u64 <= self.program.settings.limits.string;
        if !fits {
            self.exceed(Limit::String);
        }
        fits
    }

    /// Returns the regular expression of a pattern. Expressions made by the query are cached, since
    /// it usually makes few different ones.
    pub(super) fn regex<'p>(&mut self, pattern: &'p Pattern) -> Option<Cow<'p, Regex>> {
        let (text, span) = match pattern {
            Pattern::Fixed(regex) => return Some(Cow::Borrowed(regex)),
            Pattern::Computed(text, span) => (self.text(*text)?, *span),
        };
        if let Some(regex) = self.state.regexes.get(&text) {
            return Some(Cow::Owned(regex.clone()));
        }
        let most = self.program.settings.limits.regex;
        let made = if text.len() as u64 > most {
            Err(format!("it is longer than {most} bytes (limit regex)"))
        } else {
            Regex::new(&text).map_err(|fault| fault.to_string())
        };
        match made {
            Ok(regex) => {
                if self.state.regexes.len() >= MOST_KEPT {
                    self.state.regexes.clear();
                }
                self.state.regexes.insert(text, regex.clone());
                Some(Cow::Owned(regex))
            }
            Err(message) => {
                self.fault(span, format!("malformed regular expression: {message}"));
                None
            }
        }
    }

    /// Searches a string from `start` on and charges the steps that this takes.
    pub(super) fn groups_at(
        &mut self,
        regex: &Regex,
        subject: &[u8],
        start: usize,
    ) -> Option<Groups> {
        let State { steps, spent, cancel, .. } = &mut *self.state;
        // Number of steps up to the next look at the cancellation.
        let portion = |spent: u64| steps.saturating_sub(spent).min(STEPS_BETWEEN_LOOKS);
        let mut rest = portion(*spent);
        let mut given = *spent + rest;
        let mut more = || {
            let more = if cancel.is_cancelled() { 0 } else { portion(given) };
            given += more;
            more
        };
        let groups = regex.groups_at(subject, start, &mut rest, &mut more);
        *spent = given - rest;
        groups.unwrap_or_else(|OutOfSteps| {
            self.exceed(Limit::Steps);
            None
        })
    }

    /// Replaces every match in a string by another text. At an empty match, the text is inserted.
    fn replaced(&mut self, subject: &[u8], regex: &Regex, with: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::new();
        let (mut copied, mut start) = (0, 0);
        while start <= subject.len() {
            let Some(groups) = self.groups_at(regex, subject, start) else {
                break;
            };
            let found = groups.first().cloned().flatten().unwrap_or(0..0);
            out.extend_from_slice(&subject[copied..found.start]);
            if !self.bound_string(out.len() + with.len()) || !self.step() {
                return None;
            }
            out.extend_from_slice(with);
            copied = found.end;
            start = found.end + usize::from(found.is_empty());
        }
        if self.state.fault.is_some() {
            return None;
        }
        self.joined(out, &subject[copied..])
    }

    fn substring(&mut self, text: TextId, slice: &Slice) -> Option<Vec<u8>> {
        let text = self.text(text)?;
        let range = self.slice(slice, text.len())?;
        Some(text[range].to_vec())
    }

    /// Returns the range of bytes that `slice` selects in a string of `len` bytes. Negative numbers
    /// count from the end. A single index must exist; the ends of a slice are clamped.
    fn slice(&mut self, slice: &Slice, len: usize) -> Option<ByteRange<usize>> {
        let len = len as i64;
        let from_end = |i: i32| {
            if i < 0 { i64::from(i) + len } else { i64::from(i) }
        };
        match *slice {
            Slice::Index(index) => {
                let index = from_end(self.number(index)?);
                (0..len).contains(&index).then(|| index as usize..index as usize + 1)
            }
            Slice::Range(left, right) => {
                let left = match left {
                    Some(left) => from_end(self.number(left)?).clamp(0, len),
                    None => 0,
                };
                let right = match right {
                    Some(right) => from_end(self.number(right)?).clamp(left, len),
                    None => len,
                };
                Some(left as usize..right.max(left) as usize)
            }
        }
    }

    pub(super) fn assign_slice(
        &mut self,
        variable: VariableId,
        slice: &Slice,
        value: TextId,
        span: Span,
    ) -> Option<()> {
        let Slot::Text(mut text) = self.slot(variable).clone() else {
            self.unbound(variable, span);
            return None;
        };
        self.count_text(2 * text.len());
        let range = self.slice(slice, text.len())?;
        let value = self.text(value)?;
        if !self.bound_string(text.len() - range.len() + value.len()) {
            return None;
        }
        text.splice(range, value);
        self.bind(variable, Slot::Text(text));
        Some(())
    }

    /// Returns the range of capture group `group` of the last match in its subject, or `None` if
    /// the group did not take part in the match.
    pub(super) fn group(&mut self, group: &Group, span: Span) -> Option<ByteRange<usize>> {
        let captures = &self.state.captures;
        let found = match group {
            Group::Number(number) => captures.group(usize::from(*number)),
            Group::Name(name) => captures.named(name.as_bytes()),
        };
        match found {
            Some(range) => range,
            None => {
                self.fault(
                    span,
                    format!("there is no group {group} in the last match of a regular expression"),
                );
                None
            }
        }
    }

    /// Returns the current position as FEN. A castling right requires that king and rook have been
    /// on their squares in all positions since the start of the game.
    pub(super) fn fen(&self) -> String {
        if !self.positions.rules().are_of_chess() {
            return self.positions.situation(self.at).fen();
        }
        let position = self.here();
        let mut fen = position.fen();
        // keep board and side, replace the rest
        let end = fen.match_indices(' ').nth(1).map_or(fen.len(), |(i, _)| i);
        fen.truncate(end);
        let setup = self.positions.castling_setup();
        let mut castling = setup.map_or(String::new(), |setup| {
            setup.fen_field(&position.board, self.rights_of_setup())
        });
        let declared = !self.positions.are_played() && self.positions.has_rights(self.at);
        if declared && setup.is_none() && !position.castling.is_empty() {
            castling = position.castling.to_string();
        }
        for (letter, color, king, rook) in [
            ('K', Color::White, "e1", "h1"),
            ('Q', Color::White, "e1", "a1"),
            ('k', Color::Black, "e8", "h8"),
            ('q', Color::Black, "e8", "a8"),
        ] {
            let (Some(king), Some(rook)) =
                (board::Square::parse(king.as_bytes()), board::Square::parse(rook.as_bytes()))
            else {
                continue;
            };
            let at_home = self.ancestry().all(|id| {
                let board = &self.positions.position(id).board;
                board.pieces(color, board::Role::King).contains(king)
                    && board.pieces(color, board::Role::Rook).contains(rook)
            });
            if at_home && setup.is_none() && !declared {
                castling.push(letter);
            }
        }
        if castling.is_empty() {
            castling.push('-');
        }
        let en_passant = match position.en_passant {
            Some(square) if self.at != 0 => square.to_string(),
            _ => "-".to_owned(),
        };
        format!("{fen} {castling} {en_passant} 0 1")
    }
}

//! Updates the tokens of a text after a change.
//!
//! Tokens before the change are kept, and those after it are kept with adjusted spans. Lexing
//! starts at a line before the change, where no earlier token depends on the change. It ends at the
//! first line after the change where both texts are in the same state: at the same token, outside
//! of a `///`. The rest of the tokens depends on nothing else.
//!
//! No token depends on text after the next line that is not empty (`input` and the name after it),
//! or on text before the previous byte that is not white space. Only errors depend on more: whether
//! an unclosed string waits for its end, and the number of errors.

use std::ops::Range;

use super::delimiters;
use super::space::is_space;
use super::{Lexed, Lexer, MAX_ERRORS, MAX_LENGTH, lex};
use crate::diagnostic::Diagnostic;
use crate::span::{SourceId, Span};
use crate::token::{Token, TokenKind};

/// Codes of errors about unclosed strings.
const OPEN_STRING: [&str; 2] = ["E0007", "E0008"];

/// Returns what [`lex`] returns, given the result for the text before a part of it was replaced.
/// The new part begins where the old one did, and ends at `new_end`.
pub fn relex(
    source: SourceId,
    text: &[u8],
    mut old: Lexed,
    replaced: Range<usize>,
    new_end: usize,
) -> Lexed {
    old.diagnostics.retain(|error| error.code != delimiters::CODE);
    let first = if text.len() < MAX_LENGTH && old.diagnostics.len() < MAX_ERRORS {
        safe_start(source, text, &old.tokens, replaced.start)
    } else {
        None
    };
    let Some(first) = first else {
        return lex(source, text);
    };
    let mut change =
        Changed { old: &old, first, old_end: replaced.end, new_end, next: first, n_refused: 0 };
    let start = &old.tokens[first];
    let mut lexer = Lexer::new(source, text);
    lexer.at = start.span.start as usize;
    lexer.space_before = start.space_before;
    lexer.blank_line_before = start.blank_line_before;
    (lexer.diagnostics, lexer.open_string) = faults_before(&old.diagnostics, lexer.at);
    lexer.swallowed = lexer.diagnostics.iter().any(has_swallowed);
    let mut rest = None;
    lexer.run_until(|lexer, gap| {
        rest = change.in_step(lexer, gap);
        rest.is_some()
    });
    finish(lexer, old, first, rest, [replaced.end, new_end])
}

/// Returns the last token that begins a line before the line of `place`, such that no token before
/// it depends on later text.
fn safe_start(source: SourceId, text: &[u8], tokens: &[Token], place: usize) -> Option<usize> {
    let line = 1 + text[..place].iter().rposition(|&byte| byte == b'\n')?;
    let end = tokens.partition_point(|token| (token.span.start as usize) < line);
    let mut lexer = Lexer::new(source, text);
    (1..end).rev().find(|&index| {
        let mut before = tokens[..index].iter().rev();
        let last = before.find(|token| token.kind != TokenKind::TripleSlashEnd);
        lexer.at = last.map_or(0, |token| token.span.end as usize);
        // A `///` has ended there, and only white space and comments separate the two tokens.
        let has_newline = lexer.skip_space().is_some_and(|space| space.newline.is_some());
        let is_token = tokens[index].kind != TokenKind::TripleSlashEnd;
        last.is_some() && has_newline && is_token && lexer.at == tokens[index].span.start as usize
    })
}

/// Returns the errors before an offset, and the index of the one about an unclosed string that
/// still waits for its end.
fn faults_before(faults: &[Diagnostic], place: usize) -> (Vec<Diagnostic>, Option<usize>) {
    let is_before = |span: Span| (span.start as usize) < place;
    let before = faults.iter().filter(|fault| is_before(fault.span));
    let mut before: Vec<Diagnostic> = before.cloned().collect();
    let open = before.iter().rposition(is_open_string);
    let open = open.filter(|&index| {
        before[index].notes.retain(|(other, _)| is_before(*other));
        before[index].notes.is_empty()
    });
    (before, open)
}

fn is_open_string(fault: &Diagnostic) -> bool {
    OPEN_STRING.contains(&fault.code)
}

/// Whether the error means that delimiters may be hidden in a string or comment.
fn has_swallowed(fault: &Diagnostic) -> bool {
    is_open_string(fault) || fault.code == "E0006"
}

/// State for comparing the new tokens with the old ones.
struct Changed<'a> {
    old: &'a Lexed,
    /// Index of the token at which lexing started.
    first: usize,
    /// End of the change in the old text.
    old_end: usize,
    /// End of the change in the new text.
    new_end: usize,
    /// Index of the first old token that the lexer has not passed.
    next: usize,
    /// Number of equal tokens after which the rest of the text was not certainly equal.
    n_refused: u32,
}

/// Maximum number of failed comparisons. After that, the rest of the text is lexed, which takes
/// less time than further comparisons.
const MOST_REFUSED: u32 = 100;

impl Changed<'_> {
    /// Returns the old token at the offset of the lexer, which is at the start of a line, if
    /// everything from there on is unchanged.
    fn in_step(&mut self, lexer: &Lexer<'_>, gap: usize) -> Option<usize> {
        let behind = lexer.text.get(self.new_end..gap)?;
        if self.n_refused > MOST_REFUSED || behind.iter().rev().all(|&byte| is_space(byte)) {
            return None;
        }
        let place = lexer.at - self.new_end + self.old_end;
        let tokens = &self.old.tokens;
        while tokens.get(self.next)?.span.start < place as u32 {
            self.next += 1;
        }
        let token = &tokens[self.next];
        let is_alike = token.span.start as usize == place
            && token.kind != TokenKind::TripleSlashEnd
            && token.blank_line_before == lexer.blank_line_before;
        if !is_alike {
            return None;
        }
        let is_same = !self.was_in_triple_slash() && self.have_equal_faults(lexer, place);
        self.n_refused += u32::from(!is_same);
        is_same.then_some(self.next)
    }

    /// Whether a `///` was open in the old text before the next token.
    fn was_in_triple_slash(&self) -> bool {
        let mut passed = self.old.tokens[self.first..self.next].iter().rev();
        let last = passed.find_map(|token| match token.kind {
            TokenKind::TripleSlash => Some(true),
            TokenKind::TripleSlashEnd => Some(false),
            _ => None,
        });
        last == Some(true)
    }

    /// Whether the errors after an offset of the old text are unchanged.
    fn have_equal_faults(&self, lexer: &Lexer<'_>, place: usize) -> bool {
        let faults = &self.old.diagnostics;
        let is_behind = |span: Span| span.start as usize >= place;
        let n_behind = faults.iter().filter(|fault| is_behind(fault.span)).count();
        if lexer.diagnostics.len() + n_behind >= MAX_ERRORS {
            return false;
        }
        let mut strings = faults.iter().filter(|fault| is_open_string(fault));
        let (_, was_open) = faults_before(faults, place);
        let is_no_string_behind = strings.all(|fault| {
            let mut notes = fault.notes.iter();
            !is_behind(fault.span) && !notes.any(|(other, _)| is_behind(*other))
        });
        is_no_string_behind || was_open.is_none() && lexer.open_string.is_none()
    }
}

/// Combines the kept tokens, the new ones, and those from the token `rest` on, whose spans are
/// moved by the distance of the ends of the change.
fn finish(
    mut lexer: Lexer<'_>,
    old: Lexed,
    first: usize,
    rest: Option<usize>,
    [old_end, new_end]: [usize; 2],
) -> Lexed {
    let source = lexer.source;
    let moved = |span: Span| {
        let place = |place: u32| place as usize - old_end + new_end;
        Span::new(source, place(span.start), place(span.end))
    };
    let Lexed { mut tokens, diagnostics, bom } = old;
    let rest = rest.unwrap_or(tokens.len());
    if let Some(token) = tokens.get(rest) {
        let behind = diagnostics.into_iter();
        for mut fault in behind.filter(|fault| fault.span.start >= token.span.start) {
            fault.span = moved(fault.span);
            if let Some(edit) = &mut fault.edit {
                edit.span = moved(edit.span);
            }
            for (span, _) in &mut fault.notes {
                *span = moved(*span);
            }
            lexer.swallowed |= has_swallowed(&fault);
            lexer.diagnostics.push(fault);
        }
    }
    if old_end != new_end {
        for token in &mut tokens[rest..] {
            token.span = moved(token.span);
        }
    }
    tokens.splice(first..rest, std::mem::take(&mut lexer.tokens));
    lexer.tokens = tokens;
    lexer.finish(bom)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Text far from a change is not read, even if tokens there are no longer right.
    #[test]
    fn what_is_far_from_a_change_is_not_read() {
        let lines = "mate\nx = R /// \"b\"\n".repeat(3);
        let text = format!("cql()\n{lines}check\n{lines}");
        let old = lex(SourceId(0), text.as_bytes());
        let change = text.find("check").expect("the word");
        let new = text.replace("check", "\"open\npin");
        let expected = lex(SourceId(0), new.as_bytes());
        let unseen = new.replacen("mate", "????", 2);
        let end = unseen.rfind("mate").expect("the last of them");
        let unseen = format!("{}????{}", &unseen[..end], &unseen[end + 4..]);
        let found = relex(
            SourceId(0),
            unseen.as_bytes(),
            old,
            change..change + "check".len(),
            change + "\"open\npin".len(),
        );
        assert_eq!(found, expected);
        assert_ne!(found, lex(SourceId(0), unseen.as_bytes()));
    }
}

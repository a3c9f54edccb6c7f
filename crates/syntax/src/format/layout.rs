//! Writes pieces on lines.
//!
//! Every decision depends only on the column, the following pieces, and line breaks that the result
//! contains again. So formatting the result changes nothing.

use super::pieces::{LexemeKind, Piece};

/// Maximum width of a line.
const WIDTH: usize = 80;
/// Number of blanks of a level.
const LEVEL: usize = 2;
/// Maximum indentation; deeper levels are indented like this, so that the result does not grow out
/// of proportion.
const DEEPEST: usize = 30 * LEVEL;

/// Returns the text of the pieces.
pub(super) fn lay_out(pieces: &[Piece<'_>]) -> Vec<u8> {
    let mut layout = Layout { pieces, out: Vec::new(), column: 0, indent: 0, must_break: false };
    layout.list(0, pieces.len(), 0, List::Filters);
    layout.out.push(b'\n');
    layout.out
}

/// Content of delimiters, or of the top level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum List {
    /// Filters with known starts.
    Filters,
    /// The body of a function that is never called. The starts of its filters are unknown, so every
    /// line break counts as one.
    Unread,
    /// Arguments in parentheses.
    Arguments,
}

struct Layout<'a> {
    pieces: &'a [Piece<'a>],
    out: Vec<u8>,
    column: usize,
    /// Indentation of the current line.
    indent: usize,
    /// Whether a line break must precede the next piece.
    must_break: bool,
}

impl Layout<'_> {
    /// Writes the pieces from `at` to `end`. The first one continues the current line.
    fn list(&mut self, mut at: usize, end: usize, indent: usize, list: List) {
        let first = at;
        while at < end {
            if at > first {
                self.separate(at, end, indent, list);
            }
            at = self.element(at);
        }
    }

    /// Writes the white space between a piece of a list and the piece before it.
    fn separate(&mut self, at: usize, end: usize, indent: usize, list: List) {
        let piece = &self.pieces[at];
        let deeper = (indent + LEVEL).min(DEEPEST);
        let begins = piece.space
            && match list {
                List::Filters => piece.begins_filter,
                List::Unread => piece.newline,
                List::Arguments => false,
            };
        // A comment after a filter stays on its line.
        let is_new_line =
            if piece.is_comment() { piece.newline } else { begins || piece.newline && piece.space };
        let target = if begins || list != List::Filters { indent } else { deeper };
        if is_new_line || self.must_break {
            if piece.blank_line {
                self.out.push(b'\n');
            }
            self.new_line(target);
        } else if !piece.space {
        } else if list != List::Unread
            && !piece.is_comment()
            && self.column + 1 + self.unit_width(at, end, target) > WIDTH
            && self.column > target
        {
            self.new_line(target);
        } else {
            self.out.push(b' ');
            self.column += 1;
        }
    }

    /// Writes a piece, or a pair of delimiters with its content. Returns the index of the next
    /// piece.
    fn element(&mut self, at: usize) -> usize {
        let piece = &self.pieces[at];
        let Some(close) = piece.close else {
            self.write(at);
            return at + 1;
        };
        let room = WIDTH.saturating_sub(self.column);
        if self.flat_width(at, room).is_some() {
            for inner in at..=close {
                if inner > at && self.pieces[inner].space {
                    self.out.push(b' ');
                    self.column += 1;
                }
                self.write(inner);
            }
            return close + 1;
        }
        let list = match piece.kind {
            LexemeKind::Brace if self.pieces[at + 1].begins_filter => List::Filters,
            LexemeKind::Brace => List::Unread,
            _ => List::Arguments,
        };
        let outer = self.indent;
        let inner = (outer + LEVEL).min(DEEPEST);
        self.write(at);
        let mut from = at + 1;
        // A comment after the delimiter stays there.
        if self.pieces[from].kind == LexemeKind::LineComment && !self.pieces[from].newline {
            self.out.push(b' ');
            self.write(from);
            from += 1;
        }
        if from < close {
            self.new_line(inner);
            self.list(from, close, inner, list);
        }
        self.new_line(outer);
        self.write(close);
        close + 1
    }

    fn write(&mut self, at: usize) {
        let piece = &self.pieces[at];
        self.out.extend_from_slice(&piece.text);
        self.column += piece.width();
        self.must_break = piece.ends_line();
    }

    fn new_line(&mut self, indent: usize) {
        self.out.push(b'\n');
        self.out.resize(self.out.len() + indent, b' ');
        self.indent = indent;
        self.column = indent;
        self.must_break = false;
    }

    /// Returns the width of a pair of delimiters with its content on one line; `None` if that
    /// exceeds `room`, or if the text requires several lines.
    fn flat_width(&self, open: usize, room: usize) -> Option<usize> {
        let close = self.pieces[open].close?;
        if self.pieces[open + 1].newline && open + 1 < close {
            return None;
        }
        let mut width = 0;
        for (at, piece) in self.pieces.iter().enumerate().take(close + 1).skip(open) {
            width += usize::from(at > open && piece.space) + piece.width();
            let is_multiline = piece.text.contains(&b'\n');
            // The content requires several lines if a pair of delimiters in it does.
            let opens_lines =
                piece.close.is_some_and(|close| at + 1 < close && self.pieces[at + 1].newline);
            // A blank line may end a path, except next to a delimiter.
            let is_parted = piece.blank_line
                && at > open
                && piece.kind != LexemeKind::Close
                && self.pieces[at - 1].close.is_none();
            if piece.ends_line() || is_multiline || opens_lines || is_parted || width > room {
                return None;
            }
        }
        Some(width)
    }

    /// Returns the width of the pieces that must stay together from `at` on, at the start of a line
    /// at `indent`. Delimiters that do not fit on the line may be separated from their content
    /// after the first one.
    fn unit_width(&self, at: usize, end: usize, indent: usize) -> usize {
        // Delimiters are opened on the current line rather than moved to a new one.
        if self.pieces[at].close.is_some() {
            return 1;
        }
        let mut width = 0;
        let mut next = at;
        while next < end && width <= WIDTH && (next == at || !self.pieces[next].space) {
            let piece = &self.pieces[next];
            let Some(close) = piece.close else {
                width += piece.width();
                next += 1;
                continue;
            };
            let room = WIDTH.saturating_sub(indent + width);
            match self.flat_width(next, room) {
                Some(flat) => width += flat,
                None => return width + 1,
            }
            next = close + 1;
        }
        width
    }
}

//! Pieces of a layout: tokens and comments, with the white space before them.

use std::borrow::Cow;

use super::{is_closing, is_comparison, is_dash, is_opening};
use crate::lex::is_space;
use crate::token::{Symbol, Token, TokenKind};

/// A token, a comment, or a line that begins with `///`.
#[derive(Debug, Clone)]
pub(super) struct Piece<'a> {
    pub(super) kind: LexemeKind,
    pub(super) text: Cow<'a, [u8]>,
    /// Whether a line break precedes the piece.
    pub(super) newline: bool,
    /// Whether a blank line precedes the piece.
    pub(super) blank_line: bool,
    /// Whether the piece must be separated from the one before by a blank or a line break.
    pub(super) space: bool,
    /// Whether the piece begins a filter of the query or of a pair of braces, directly or after
    /// comments.
    pub(super) begins_filter: bool,
    /// Index of the closing delimiter, for an opening one.
    pub(super) close: Option<usize>,
}

/// Kind of a piece: a token, a comment, or a line that begins with `///`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LexemeKind {
    Token,
    /// `(`
    Paren,
    /// `{`
    Brace,
    /// `)` or `}`
    Close,
    /// `/* … */`
    Comment,
    /// A comment that ends with its line.
    LineComment,
    /// A line that begins with `///`.
    Slashes,
}

impl Piece<'_> {
    pub(super) fn is_comment(&self) -> bool {
        matches!(self.kind, LexemeKind::Comment | LexemeKind::LineComment)
    }

    /// Whether a line break must follow.
    pub(super) fn ends_line(&self) -> bool {
        matches!(self.kind, LexemeKind::LineComment | LexemeKind::Slashes)
    }

    /// Returns the width in characters.
    pub(super) fn width(&self) -> usize {
        // Continuation bytes of UTF-8 are not counted; other bytes are one character each.
        self.text.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
    }
}

/// Splits a text into pieces. `starts` are the offsets of the filters of lists, in order.
pub(super) fn cut<'a>(text: &'a [u8], tokens: &[Token], starts: &[u32]) -> Vec<Piece<'a>> {
    let mut starts = starts.iter().peekable();
    let mut pieces = Vec::with_capacity(tokens.len());
    let mut end = 0;
    // The previous token, unless a comment or a `///` line is between.
    let mut previous: Option<&Token> = None;
    let mut open = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let start = token.span.start as usize;
        let n_before = pieces.len();
        let (newlines, is_spaced) = comments(&text[end..start], end == 0, &mut pieces);
        let after_comment = pieces.len() > n_before;
        let mut kind = LexemeKind::Token;
        let mut to = token.span.end as usize;
        if token.kind == TokenKind::TripleSlash {
            let last =
                tokens[at..].iter().position(|token| token.kind == TokenKind::TripleSlashEnd);
            at += last.unwrap_or(0);
            to = tokens[at].span.start as usize;
            kind = LexemeKind::Slashes;
        }
        while starts.next_if(|&&start| start < token.span.start).is_some() {}
        let begins_filter = at == 0 || starts.peek() == Some(&&token.span.start);
        let mut space = is_spaced || after_comment;
        if let (Some(left), false) = (previous, after_comment) {
            space = match (&left.kind, &token.kind) {
                (TokenKind::Symbol(Symbol::OpenBrace), _)
                | (_, TokenKind::Symbol(Symbol::CloseBrace)) => true,
                (left, right) if is_opening(left) || is_closing(right) => false,
                (left, right) if is_dash(left) || is_dash(right) => space,
                (left, right) => {
                    let parts_filters = begins_filter && is_closing(left);
                    let opens_block = matches!(right, TokenKind::Symbol(Symbol::OpenBrace))
                        && (is_closing(left) || !matches!(left, TokenKind::Symbol(_)));
                    space
                        || parts_filters
                        || opens_block
                        || is_comparison(left)
                        || is_comparison(right)
                }
            };
        }
        match token.kind {
            TokenKind::Symbol(Symbol::OpenParen) => kind = LexemeKind::Paren,
            TokenKind::Symbol(Symbol::OpenBrace) => kind = LexemeKind::Brace,
            _ if is_closing(&token.kind) => kind = LexemeKind::Close,
            _ => {}
        }
        match kind {
            LexemeKind::Paren | LexemeKind::Brace => open.push(pieces.len()),
            LexemeKind::Close => {
                let close = pieces.len();
                if let Some(partner) = open.pop().and_then(|open: usize| pieces.get_mut(open)) {
                    partner.close = Some(close);
                }
            }
            _ => {}
        }
        let written = trimmed(&text[start..to]);
        pieces.push(Piece {
            kind,
            text: match token.kind {
                TokenKind::Input(_) | TokenKind::Output(_) => Cow::Owned(file(written)),
                _ => Cow::Borrowed(written),
            },
            newline: newlines > 0,
            blank_line: newlines > 1,
            space,
            begins_filter,
            close: None,
        });
        // The newline after a `///` line is not part of the piece.
        end = to;
        previous = (kind != LexemeKind::Slashes).then_some(token);
        at += 1;
    }
    comments(&text[end..], end == 0, &mut pieces);
    let mut begins_filter = true;
    for piece in pieces.iter_mut().rev() {
        if piece.is_comment() {
            piece.begins_filter = begins_filter;
        }
        // A comment after the last filter of a list is placed like the start of another filter.
        begins_filter = piece.begins_filter || piece.kind == LexemeKind::Close;
    }
    pieces
}

/// Returns the nesting depth of the delimiters.
pub(super) fn depth(pieces: &[Piece<'_>]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for piece in pieces {
        match piece.kind {
            LexemeKind::Paren | LexemeKind::Brace => depth += 1,
            LexemeKind::Close => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}

/// Adds the comments between two tokens as pieces. Returns the number of newlines after the last
/// comment, including the one that ends a line comment, and whether there is white space or a
/// comment.
fn comments<'a>(gap: &'a [u8], is_start: bool, pieces: &mut Vec<Piece<'a>>) -> (usize, bool) {
    let mut newlines = 0;
    let mut at = 0;
    if is_start {
        while gap[at..].starts_with(b"\xef\xbb\xbf") {
            at += 3;
        }
    }
    let start = at;
    while let Some(&byte) = gap.get(at) {
        if is_space(byte) {
            newlines += usize::from(byte == b'\n');
            at += 1;
            continue;
        }
        let rest = &gap[at..];
        let is_block = rest.starts_with(b"/*");
        let length = if is_block {
            let close = rest[2..].windows(2).position(|pair| pair == b"*/");
            close.map_or(rest.len(), |length| length + 4)
        } else {
            let newline = rest.iter().position(|&byte| byte == b'\n');
            newline.unwrap_or(rest.len())
        };
        pieces.push(Piece {
            kind: if is_block { LexemeKind::Comment } else { LexemeKind::LineComment },
            text: Cow::Borrowed(trimmed(&rest[..length])),
            newline: newlines > 0,
            blank_line: newlines > 1,
            space: true,
            begins_filter: false,
            close: None,
        });
        newlines = 0;
        at += length.max(1);
    }
    (newlines, at > start)
}

/// Returns a text without white space at its end.
fn trimmed(text: &[u8]) -> &[u8] {
    let end = text.iter().rposition(|&byte| !is_space(byte));
    &text[..end.map_or(0, |end| end + 1)]
}

/// Returns `input FILE` or `output FILE` with a single blank.
fn file(text: &[u8]) -> Vec<u8> {
    let word = if text.starts_with(b"input") { 5 } else { 6 };
    let (word, name) = text.split_at(word);
    [word, b" ", name.trim_ascii_start()].concat()
}

//! The arguments of keywords: designators, ranges, results, words.

use super::code;
use super::designator;
use super::keyword::ListKind;
use super::lex::TokenKind;
use super::parse::{Parser, Res};
use super::tree::{Designator, Range};
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use crate::token::GameResult;

impl Parser {
    pub(super) fn designator(&mut self, word: &str) -> Res<Designator> {
        let span = self.here();
        let text = match self.peek() {
            Some(TokenKind::Word(text)) if !text.starts_with(b":") => text.clone(),
            _ => {
                let found = self.found();
                let message = format!("`:{word}` takes a piece designator, found {found}");
                return Err(self.error(code::DESIGNATOR, span, message));
            }
        };
        match designator::read(&text, |name| self.tag(name)) {
            Ok(designator::Parts { men, squares }) => {
                self.advance();
                Ok(Designator { men, squares, span })
            }
            Err(fault) => {
                let name = String::from_utf8_lossy(&text);
                let diagnostic = Diagnostic::error(fault.code, span, fault.message);
                self.advance();
                let diagnostic = if ListKind::Position.knows(&name) {
                    let text = format!(":{name}");
                    diagnostic
                        .with_help(format!("keywords have a colon: `{text}`"))
                        .with_edit(span, text)
                } else if let Some(text) = fault.text {
                    Diagnostic { help: fault.help, ..diagnostic.with_edit(span, text) }
                } else {
                    Diagnostic { help: fault.help, ..diagnostic }
                };
                Err(self.report(diagnostic))
            }
        }
    }

    pub(super) fn range(&mut self, word: &str) -> Res<Range> {
        let span = self.here();
        let text = match self.peek() {
            Some(TokenKind::Word(text)) => text.clone(),
            _ => Vec::new(),
        };
        let Some(min) = read_number(&text) else {
            let found = self.found();
            let diagnostic = if text.starts_with(b"<")
                || text.starts_with(b">")
                || text.starts_with(b"=")
                || text.ends_with(b"%")
            {
                let message = format!("{found} is a CQL-S extension and not supported");
                Diagnostic::error(code::EXTENSION, span, message)
            } else {
                let message = format!("`:{word}` takes a number or two, found {found}");
                Diagnostic::error(code::RANGE, span, message)
            };
            return Err(self.report(diagnostic.with_help("write `3` or `3 5`")));
        };
        self.advance();
        let max = match self.peek() {
            Some(TokenKind::Word(text)) if text == b"unlimited" => Some(i32::MAX),
            Some(TokenKind::Word(text)) => read_number(text),
            _ => None,
        };
        let Some(max) = max else {
            return Ok(Range { min, max: min });
        };
        let end = self.advance();
        if max < min {
            let diagnostic = Diagnostic::error(
                code::REVERSED,
                span.to(end),
                format!("the range ends at {max} before it begins at {min}"),
            )
            .with_help(format!("write `{max} {min}`"))
            .with_edit(span.to(end), format!("{max} {min}"));
            return Err(self.report(diagnostic));
        }
        Ok(Range { min, max })
    }

    pub(super) fn result(&mut self, word: &str) -> Res<GameResult> {
        let result = match self.peek() {
            Some(TokenKind::Word(text) | TokenKind::Quoted(text)) => match text.as_slice() {
                b"1-0" => Some(GameResult::WhiteWins),
                b"0-1" => Some(GameResult::BlackWins),
                b"1/2-1/2" | b"1/2" => Some(GameResult::Draw),
                _ => None,
            },
            _ => None,
        };
        let span = self.here();
        match result {
            Some(result) => {
                self.advance();
                Ok(result)
            }
            None => {
                let found = self.found();
                Err(self.error_help(
                    code::ARGUMENT,
                    span,
                    format!("`:{word}` takes the result of a game, found {found}"),
                    "`1-0`, `0-1` or `1/2-1/2`",
                ))
            }
        }
    }

    /// Reads a word that is not a keyword.
    pub(super) fn word(&mut self, keyword: &str, what: &str) -> Res<(Vec<u8>, Span)> {
        match self.peek() {
            Some(TokenKind::Word(text)) if !text.starts_with(b":") => {
                let text = text.clone();
                Ok((text, self.advance()))
            }
            Some(TokenKind::Quoted(text)) => {
                let text = text.clone();
                Ok((text, self.advance()))
            }
            _ => {
                let found = self.found();
                let span = self.here();
                let message = format!("`:{keyword}` takes {what}, found {found}");
                Err(self.error(code::ARGUMENT, span, message))
            }
        }
    }

    pub(super) fn file_name(&mut self, keyword: &str) -> Res<(String, Span)> {
        let (name, span) = self.word(keyword, "a file name")?;
        Ok((String::from_utf8_lossy(&name).into_owned(), span))
    }
}

/// Reads a number with or without a sign. A number out of range becomes the greatest or least
/// `i32`.
pub(super) fn read_number(text: &[u8]) -> Option<i32> {
    let (sign, digits) = match text {
        [b'-', digits @ ..] => (-1, digits),
        [b'+', digits @ ..] => (1, digits),
        digits => (1, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0i64, |value, digit| {
        (value * 10 + i64::from(digit - b'0')).min(i64::from(i32::MAX) + 1)
    });
    let value = (sign * value).clamp(i64::from(i32::MIN), i64::from(i32::MAX));
    i32::try_from(value).ok()
}

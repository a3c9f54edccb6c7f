//! Splits a text into tokens.
//!
//! At each offset, the first rule that applies wins, not the longest match. So the order of the
//! rules in `Lexer::token` defines the language. The lexer never stops early: each error becomes a
//! [`Diagnostic`], a token is inserted if the parser would stumble without it, and lexing resumes
//! after the error. Every byte is read a bounded number of times.

pub(crate) mod designator;

pub(crate) mod delimiters;
mod number;
mod space;
#[cfg(test)]
mod tests;
mod text;
mod unknown;

use crate::builtin::Keyword;
use crate::diagnostic::Diagnostic;
use crate::span::{SourceId, Span};
use crate::spelling::{self, Sign};
use crate::token::{GameResult, Symbol, Token, TokenKind};
use designator::Scanner;
pub(crate) use number::{DATE_FORM, DRAWN, DRAWS, in_thousands};
pub(crate) use space::is_space;
use space::is_triple_slash;

/// Texts with this many bytes or more are errors.
pub const MAX_LENGTH: usize = 10_000_000;

/// The greatest number in a repetition, and the upper bound of an open one.
pub const MAX_REPETITION: u32 = 100_000;

/// Typical number of bytes of a token with the space before it.
const BYTES_OF_TOKEN: usize = 5;

/// Maximum number of errors that are kept; a text with more is hardly a query.
const MAX_ERRORS: usize = 100;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The result of [`lex`].
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexed {
    /// The tokens, in order.
    pub tokens: Vec<Token>,
    /// Errors, in the order of their spans. The text is correct if there is none.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether byte-order marks were skipped at the start.
    pub bom: bool,
}

/// Splits a text into tokens.
pub fn lex(source: SourceId, text: &[u8]) -> Lexed {
    let mut lexer = Lexer::new(source, text);
    lexer.tokens = Vec::with_capacity(text.len().min(MAX_LENGTH) / BYTES_OF_TOKEN);
    if text.len() >= MAX_LENGTH {
        lexer.report(Diagnostic::error(
            "E0002",
            lexer.span(0, 0),
            format!("the text has {} bytes; a query must have less than {MAX_LENGTH}", text.len()),
        ));
        return lexer.finish(false);
    }
    while text[lexer.at..].starts_with(BYTE_ORDER_MARK) {
        lexer.at += BYTE_ORDER_MARK.len();
    }
    let bom = lexer.at > 0;
    if text[lexer.at..].iter().all(|&byte| is_space(byte)) {
        lexer.report(
            Diagnostic::error(
                "E0001",
                lexer.span(lexer.at, text.len()),
                "the text is empty; a query was expected",
            )
            .with_help("write a filter, such as `mate`; in a file, the header `cql(input games.pgn)` stands before it"),
        );
        return lexer.finish(bom);
    }
    lexer.run();
    lexer.finish(bom)
}

/// Whether a byte is a letter, a digit, `_` or `$`.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// Returns the length of the word (a name or keyword) at the start of `text`; 0 if there is none.
pub(crate) fn word_length(text: &[u8]) -> usize {
    match text.first() {
        Some(first) if is_word(*first) && !first.is_ascii_digit() => {
            text.iter().take_while(|&&byte| is_word(byte)).count()
        }
        _ => 0,
    }
}

/// Returns the keyword at the start of `text`, if it is a whole word.
fn keyword_at(text: &[u8]) -> Option<(Keyword, usize)> {
    if let Some(castling) = castling_at(text) {
        return Some(castling);
    }
    let length = word_length(text);
    let word = std::str::from_utf8(&text[..length]).ok()?;
    let keyword = Keyword::from_text(word).filter(|keyword| keyword.is_reserved())?;
    Some((keyword, length))
}

/// Returns `o-o-o` or `o-o` at the start of `text`. Before a letter it is a subtraction: `o-ox`.
fn castling_at(text: &[u8]) -> Option<(Keyword, usize)> {
    if text.first() != Some(&b'o') {
        return None;
    }
    [Keyword::LongCastle, Keyword::ShortCastle].into_iter().find_map(|keyword| {
        let rest = text.strip_prefix(keyword.text().as_bytes())?;
        let glued = rest.first().is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit());
        (!glued).then_some((keyword, keyword.text().len()))
    })
}

/// Returns the result at the start of `text`. Within a longer word it is a subtraction: `10-0`,
/// `1-0-0`.
fn result_at(text: &[u8]) -> Option<GameResult> {
    if !text.first()?.is_ascii_digit() {
        return None;
    }
    GameResult::ALL.into_iter().find(|result| {
        text.strip_prefix(result.text().as_bytes()).is_some_and(|rest| {
            !rest.first().is_some_and(|&byte| is_word(byte) || byte == b'/' || byte == b'-')
        })
    })
}

/// Converts bytes to text for a message.
fn shown(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

struct Lexer<'a> {
    source: SourceId,
    text: &'a [u8],
    at: usize,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    space_before: bool,
    blank_line_before: bool,
    /// Span of a `///` whose line has not ended yet.
    triple_slash: Option<Span>,
    /// Whether an unterminated string or comment may contain delimiters.
    swallowed: bool,
    /// Index of the error about a string that has no end on its line; the next such quote may end
    /// it.
    open_string: Option<usize>,
}

impl Lexed {
    /// Whether the text could be split into tokens, whether or not its delimiters match.
    pub fn is_tokenized(&self) -> bool {
        self.diagnostics.iter().all(|error| error.code == delimiters::CODE)
    }
}

impl<'a> Lexer<'a> {
    /// Creates a lexer at the start of a text.
    fn new(source: SourceId, text: &'a [u8]) -> Lexer<'a> {
        Lexer {
            source,
            text,
            at: 0,
            tokens: Vec::new(),
            diagnostics: Vec::new(),
            space_before: true,
            blank_line_before: false,
            triple_slash: None,
            swallowed: false,
            open_string: None,
        }
    }
}

impl Lexer<'_> {
    /// Reads tokens to the end of the text.
    fn run(&mut self) {
        while self.at < self.text.len() {
            if let Some(space) = self.skip_space() {
                self.space_before = true;
                self.blank_line_before |= space.blank_line;
                if let Some(newline) = space.newline {
                    self.close_triple_slash(newline, newline + 1);
                }
            } else {
                self.token();
            }
        }
        self.close_triple_slash(self.text.len(), self.text.len());
    }

    fn finish(mut self, bom: bool) -> Lexed {
        if !self.swallowed {
            for error in delimiters::check(&self.tokens, MAX_ERRORS) {
                self.report(error);
            }
        }
        self.diagnostics.sort_by_cached_key(|error| error.span.beginning());
        Lexed { tokens: self.tokens, diagnostics: self.diagnostics, bom }
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start, end)
    }

    fn report(&mut self, error: Diagnostic) {
        if self.diagnostics.len() < MAX_ERRORS {
            self.diagnostics.push(error);
        }
    }

    fn error(&mut self, code: &'static str, start: usize, end: usize, message: String, help: &str) {
        let error = Diagnostic::error(code, self.span(start, end), message);
        self.report(if help.is_empty() { error } else { error.with_help(help) });
    }

    /// Adds a token with the next `length` bytes.
    fn push(&mut self, kind: TokenKind, length: usize) {
        let span = self.span(self.at, self.at + length);
        self.tokens.push(Token {
            kind,
            span,
            space_before: self.space_before,
            blank_line_before: self.blank_line_before,
        });
        self.at += length;
        self.space_before = false;
        self.blank_line_before = false;
    }

    /// Ends the list of an open `///` at a newline. White space and a blank line there also count
    /// for the next token.
    fn close_triple_slash(&mut self, start: usize, end: usize) {
        if self.triple_slash.take().is_some() {
            self.tokens.push(Token {
                kind: TokenKind::TripleSlashEnd,
                span: self.span(start, end),
                space_before: self.space_before,
                blank_line_before: false,
            });
        }
    }

    /// Reads a token, or reports an error and skips it. The order of the rules matters.
    fn token(&mut self) {
        let _ = self.declaration()
            || self.open_triple_slash()
            || self.result()
            || self.drawn_result()
            || self.integer()
            || self.repetition()
            || self.castling()
            || self.sign()
            || self.backslash()
            || self.designator()
            || self.symbol()
            || self.file_name()
            || self.keyword()
            || self.string()
            || self.name()
            || self.unknown();
    }

    fn declaration(&mut self) -> bool {
        let Some(end) = Scanner::new(self.text).declaration(self.at) else {
            return false;
        };
        self.push(TokenKind::PieceDeclaration, end - self.at);
        true
    }

    fn result(&mut self) -> bool {
        let Some(result) = result_at(&self.text[self.at..]) else {
            return false;
        };
        self.push(TokenKind::Result(result), result.text().len());
        true
    }

    fn castling(&mut self) -> bool {
        let Some((keyword, length)) = castling_at(&self.text[self.at..]) else {
            return false;
        };
        self.push(TokenKind::Keyword(keyword), length);
        true
    }

    fn symbol(&mut self) -> bool {
        let Some(symbol) = symbol_at(&self.text[self.at..]) else {
            return false;
        };
        self.push(TokenKind::Symbol(symbol), symbol.text().len());
        true
    }

    fn keyword(&mut self) -> bool {
        let Some((keyword, length)) = keyword_at(&self.text[self.at..]) else {
            return false;
        };
        self.push(TokenKind::Keyword(keyword), length);
        true
    }

    fn name(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let length = word_length(rest);
        if length == 0 {
            return false;
        }
        self.push(TokenKind::Name(shown(&rest[..length])), length);
        true
    }

    fn open_triple_slash(&mut self) -> bool {
        if !is_triple_slash(&self.text[self.at..]) {
            return false;
        }
        let span = self.span(self.at, self.at + 3);
        if let Some(first) = self.triple_slash {
            self.report(
                Diagnostic::error(
                    "E0016",
                    span,
                    "found a second `///` before the first one has ended",
                )
                .with_help("begin a new line before this `///`")
                .with_note(first, "the first `///` of this line"),
            );
            self.close_triple_slash(self.at, self.at);
        }
        self.push(TokenKind::TripleSlash, 3);
        self.triple_slash = Some(span);
        true
    }

    /// Reads a symbol or keyword in its Unicode spelling.
    fn sign(&mut self) -> bool {
        let Some((sign, length)) = spelling::sign_at(&self.text[self.at..]) else {
            return false;
        };
        match sign {
            Sign::Keyword(keyword) => self.push(TokenKind::Keyword(keyword), length),
            Sign::Symbol(symbol) => self.push(TokenKind::Symbol(symbol), length),
            Sign::Pieces(_) => return false,
        }
        true
    }
}

/// Shortens a long text for a message.
pub(crate) fn abbreviated(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = shown(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// Returns the symbol at the start of `text`; the first of several in the order of the table.
fn symbol_at(text: &[u8]) -> Option<Symbol> {
    let first = text.first()?;
    if !first.is_ascii_punctuation() {
        return None;
    }
    let candidates = &Symbol::ALL[usize::from(FIRST_SYMBOL[usize::from(*first)])..];
    candidates.iter().copied().find(|symbol| text.starts_with(symbol.text().as_bytes()))
}

/// For each ASCII byte, the index of the first symbol that begins with it. Most symbols are at the
/// end of the table.
const FIRST_SYMBOL: [u8; 128] = {
    let mut first = [Symbol::ALL.len() as u8; 128];
    let mut n = Symbol::ALL.len();
    while n > 0 {
        n -= 1;
        first[Symbol::ALL[n].text().as_bytes()[0] as usize] = n as u8;
    }
    first
};

//! Text into tokens.
//!
//! At each place the first rule that applies wins, not the longest match, so the order of the
//! rules in `Lexer::token` is the definition of the language. The lexer never gives up: each
//! fault becomes a [`Diagnostic`], a token is put in its place where that keeps the parser from
//! stumbling, and reading goes on behind it. Every byte is looked at a bounded number of times.

pub(crate) mod designator;

mod again;
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
pub use again::relex;
use designator::Scanner;
pub(crate) use space::is_space;
use space::is_triple_slash;

/// A text of this many bytes or more is refused.
pub const MAX_LENGTH: usize = 10_000_000;

/// The greatest number in a repetition, and the upper end of an open one.
pub const MAX_REPETITION: u32 = 100_000;

/// A token with the space before it has about this many bytes.
const BYTES_OF_TOKEN: usize = 5;

/// More errors than this are not kept: the text is hardly a query.
const MAX_ERRORS: usize = 100;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What [`lex`] made of a text.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lexed {
    /// The tokens, in order.
    pub tokens: Vec<Token>,
    /// All that is wrong, in order of place. The text is in order if there is no error.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether byte-order marks were skipped at the start.
    pub bom: bool,
}

/// Cuts a text into tokens.
pub fn lex(source: SourceId, text: &[u8]) -> Lexed {
    let mut lexer = Lexer::new(source, text);
    lexer.tokens = Vec::with_capacity(text.len().min(MAX_LENGTH) / BYTES_OF_TOKEN);
    if text.len() >= MAX_LENGTH {
        lexer.report(Diagnostic::error(
            "E0002",
            lexer.span(0, 0),
            format!(
                "the text has {} bytes; a query must have less than {MAX_LENGTH}",
                text.len()
            ),
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
            .with_help("begin with `cql(input games.pgn)` and write filters behind it"),
        );
        return lexer.finish(bom);
    }
    lexer.run_until(|_, _| false);
    lexer.finish(bom)
}

/// Letters, digits, `_` and `$`.
pub(crate) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

/// Length of the word (a name or keyword) that `text` begins with.
pub(crate) fn word_length(text: &[u8]) -> usize {
    match text.first() {
        Some(first) if is_word(*first) && !first.is_ascii_digit() => {
            text.iter().take_while(|&&byte| is_word(byte)).count()
        }
        _ => 0,
    }
}

/// The keyword that `text` begins with, as a whole word.
fn keyword_at(text: &[u8]) -> Option<(Keyword, usize)> {
    if let Some(castling) = castling_at(text) {
        return Some(castling);
    }
    let length = word_length(text);
    let word = std::str::from_utf8(&text[..length]).ok()?;
    let keyword = Keyword::from_text(word).filter(|keyword| keyword.is_reserved())?;
    Some((keyword, length))
}

/// `o-o-o` and `o-o`, unless letters follow: `o-ox` is a subtraction.
fn castling_at(text: &[u8]) -> Option<(Keyword, usize)> {
    if text.first() != Some(&b'o') {
        return None;
    }
    [Keyword::LongCastle, Keyword::ShortCastle]
        .into_iter()
        .find_map(|keyword| {
            let rest = text.strip_prefix(keyword.text().as_bytes())?;
            let glued = rest
                .first()
                .is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit());
            (!glued).then_some((keyword, keyword.text().len()))
        })
}

/// A result, unless it is only a part of a longer word: `10-0` and `1-0-0` are subtractions.
fn result_at(text: &[u8]) -> Option<GameResult> {
    if !text.first()?.is_ascii_digit() {
        return None;
    }
    GameResult::ALL.into_iter().find(|result| {
        text.strip_prefix(result.text().as_bytes())
            .is_some_and(|rest| {
                !rest
                    .first()
                    .is_some_and(|&byte| is_word(byte) || byte == b'/' || byte == b'-')
            })
    })
}

/// The bytes as text for a message.
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
    /// Where the `///` stands whose line has not ended yet.
    triple_slash: Option<Span>,
    /// An unterminated string or comment may have swallowed delimiters.
    swallowed: bool,
    /// The error on a string that its line did not end; the next such quote may be its other end.
    open_string: Option<usize>,
}

impl Lexed {
    /// Whether the text could be cut into tokens, be their delimiters in order or not.
    pub fn is_tokenized(&self) -> bool {
        self.diagnostics
            .iter()
            .all(|error| error.code == delimiters::CODE)
    }
}

impl<'a> Lexer<'a> {
    /// At the beginning of a text.
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
    /// Reads on. Where a line has begun, it is asked whether this is enough, and told where the
    /// white space before it began.
    fn run_until(&mut self, mut is_enough: impl FnMut(&Self, usize) -> bool) {
        while self.at < self.text.len() {
            let gap = self.at;
            if let Some(space) = self.skip_space() {
                self.space_before = true;
                self.blank_line_before |= space.blank_line;
                if let Some(newline) = space.newline {
                    self.close_triple_slash(newline, newline + 1);
                    if is_enough(self, gap) {
                        return;
                    }
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
        self.diagnostics.sort_by_key(|error| error.span.start);
        Lexed {
            tokens: self.tokens,
            diagnostics: self.diagnostics,
            bom,
        }
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
        self.report(if help.is_empty() {
            error
        } else {
            error.with_help(help)
        });
    }

    /// Makes a token of the next `length` bytes.
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

    /// Ends the list that `///` began, if one is open, at the newline that ends it. White space
    /// and a blank line count for the next token, too.
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

    /// Reads one token, or reports a fault and skips it. The order of the rules matters.
    fn token(&mut self) {
        let _ = self.declaration()
            || self.open_triple_slash()
            || self.result()
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

    /// Symbols and keywords in their Unicode spelling.
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

/// Long texts shortened for a message.
fn abbreviated(text: &[u8]) -> String {
    const SHOWN: usize = 40;
    let text = shown(text);
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The first symbol, in the order of the table, that `text` begins with.
fn symbol_at(text: &[u8]) -> Option<Symbol> {
    let first = text.first()?;
    if !first.is_ascii_punctuation() {
        return None;
    }
    let candidates = &Symbol::ALL[usize::from(FIRST_SYMBOL[usize::from(*first)])..];
    candidates
        .iter()
        .copied()
        .find(|symbol| text.starts_with(symbol.text().as_bytes()))
}

/// For each byte of ASCII the index of the first symbol that begins with it: most signs are at the
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

//! Text into tokens.
//!
//! At each place the first rule that applies wins, not the longest match, so the order of the
//! rules in [`Lexer::token`] is the definition of the language. The lexer never gives up: each
//! fault becomes a [`Diagnostic`], a token is put in its place where that keeps the parser from
//! stumbling, and reading goes on behind it. Every byte is looked at a bounded number of times.

pub(crate) mod designator;

mod delimiters;
mod space;
#[cfg(test)]
mod tests;
mod unknown;

use crate::designator::{Designator, PieceSet};
use crate::diagnostic::Diagnostic;
use crate::keyword::Keyword;
use crate::span::{SourceId, Span};
use crate::spelling::{self, Sign};
use crate::token::{GameResult, Symbol, Token, TokenKind};
use designator::{Fault, Scanner};
use space::{is_space, is_triple_slash};

/// A text of this many bytes or more is refused.
pub const MAX_LENGTH: usize = 10_000_000;

/// The greatest number in a repetition, and the upper end of an open one.
pub const MAX_REPETITION: u32 = 100_000;

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
    let mut lexer = Lexer {
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
    };
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
    lexer.run();
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
    Some((Keyword::from_text(word)?, length))
}

/// `o-o-o` and `o-o`, unless letters follow: `o-ox` is a subtraction.
fn castling_at(text: &[u8]) -> Option<(Keyword, usize)> {
    [Keyword::OOO, Keyword::OO].into_iter().find_map(|keyword| {
        let rest = text.strip_prefix(keyword.text().as_bytes())?;
        let glued = rest
            .first()
            .is_some_and(|&byte| is_word(byte) && !byte.is_ascii_digit());
        (!glued).then_some((keyword, keyword.text().len()))
    })
}

/// A result, unless it is only a part of a longer word: `10-0` and `1-0-0` are subtractions.
fn result_at(text: &[u8]) -> Option<GameResult> {
    [
        GameResult::WhiteWins,
        GameResult::BlackWins,
        GameResult::Draw,
    ]
    .into_iter()
    .find(|result| {
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

impl Lexer<'_> {
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

    /// Decimal digits. The reference computes in 32 bits and refuses what becomes negative.
    fn integer(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if length == 0 {
            return false;
        }
        let value = rest[..length].iter().fold(0u32, |value, &digit| {
            value.wrapping_mul(10).wrapping_add(u32::from(digit - b'0'))
        });
        let value = i32::try_from(value).unwrap_or_else(|_| {
            self.error(
                "E0015",
                self.at,
                self.at + length,
                format!(
                    "the number {} does not fit: the greatest number is {}",
                    abbreviated(&rest[..length]),
                    i32::MAX
                ),
                "",
            );
            0
        });
        self.push(TokenKind::Integer(value), length);
        true
    }

    /// `{n}` `{n,}` `{,m}` `{n,m}`.
    fn repetition(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if rest.first() != Some(&b'{') {
            return false;
        }
        let digits = |from: usize| {
            let count = rest[from..]
                .iter()
                .take_while(|b| b.is_ascii_digit())
                .count();
            &rest[from..from + count]
        };
        let low = digits(1);
        let comma = 1 + low.len();
        let high = match rest.get(comma) {
            Some(b',') => Some(digits(comma + 1)),
            _ => None,
        };
        let close = comma + high.map_or(0, |high| 1 + high.len());
        if rest.get(close) != Some(&b'}') || (low.is_empty() && high.is_none()) {
            return false;
        }
        let length = close + 1;
        let (min, max) = match high {
            None => (bound(low), bound(low)),
            Some(high) => (
                if low.is_empty() { 0 } else { bound(low) },
                if high.is_empty() {
                    MAX_REPETITION
                } else {
                    bound(high)
                },
            ),
        };
        let written = abbreviated(&rest[..length]);
        let end = self.at + length;
        if low.is_empty() && high.is_some_and(<[u8]>::is_empty) {
            let message = format!("the repetition `{written}` has no number");
            let help = "write `{2,}`, `{,5}`, `{2,5}` or, for any number of times, `*`";
            self.error("E0014", self.at, end, message, help);
        } else if min > MAX_REPETITION || max > MAX_REPETITION {
            let message = format!(
                "the repetition `{written}` goes beyond the greatest number of times, {MAX_REPETITION}"
            );
            self.error(
                "E0014",
                self.at,
                end,
                message,
                "write `{n,}` for no upper end",
            );
        } else if min > max {
            let message =
                format!("the repetition `{written}` runs backwards: {min} is more than {max}");
            let help = format!("write `{{{max},{min}}}`");
            self.error("E0014", self.at, end, message, &help);
        } else {
            self.push(TokenKind::Repetition { min, max }, length);
            return true;
        }
        let max = max.min(MAX_REPETITION);
        self.push(
            TokenKind::Repetition {
                min: min.min(max),
                max,
            },
            length,
        );
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

    /// `\n`, `\"` and their like; `\3`, `\-3`.
    fn backslash(&mut self) -> bool {
        let rest = &self.text[self.at..];
        if rest.first() != Some(&b'\\') {
            return false;
        }
        let minus = rest.get(1) == Some(&b'-');
        let digits_at = if minus { 2 } else { 1 };
        let n_digits = rest[digits_at..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        if n_digits > 0 {
            self.group(minus, digits_at, n_digits);
            return true;
        }
        let n_letters = word_length(&rest[1..]);
        let character = match (rest.get(1), n_letters) {
            (Some(byte @ (b'"' | b'\\')), _) => *byte,
            (Some(b'n'), 1) => b'\n',
            (Some(b'r'), 1) => b'\r',
            (Some(b't'), 1) => b'\t',
            // Anything else that is no word is a lone backslash, which no filter admits.
            (_, 0) if !minus => return false,
            _ => {
                let length = if minus { 2 } else { 1 + n_letters };
                self.error(
                    "E0009",
                    self.at,
                    self.at + length,
                    format!(
                        "`{}` is unknown; outside of quotes there are `\\n`, `\\r`, `\\t`, `\\\"`, `\\\\`, and groups such as `\\1` and `\\-1`",
                        abbreviated(&rest[..length])
                    ),
                    match rest.get(1) {
                        Some(b'n' | b'r' | b't') => "write a blank behind the letter",
                        Some(b'-') => "write the number of a group behind `\\-`",
                        _ => "write text between double quotes, where a backslash is an ordinary character",
                    },
                );
                self.push(TokenKind::String(Vec::new()), length);
                return true;
            }
        };
        self.push(TokenKind::String(vec![character]), 2);
        true
    }

    fn group(&mut self, minus: bool, digits_at: usize, n_digits: usize) {
        let length = digits_at + n_digits;
        let written = &self.text[self.at..self.at + length];
        let digits = &written[digits_at..];
        let number = if n_digits > 2 {
            self.error(
                "E0010",
                self.at,
                self.at + length,
                format!(
                    "the group number `{}` has more than two digits",
                    abbreviated(written)
                ),
                "write a blank behind the number of the group if another number follows",
            );
            0
        } else {
            digits
                .iter()
                .fold(0, |number, digit| 10 * number + (digit - b'0'))
        };
        let kind = if minus {
            TokenKind::GroupIndex(number)
        } else {
            TokenKind::Group(number)
        };
        self.push(kind, length);
    }

    fn designator(&mut self) -> bool {
        let start = self.at;
        let mut scanner = Scanner::new(self.text);
        let found = scanner.designator(start);
        let fault = scanner.fault.take();
        let end = found
            .as_ref()
            .map_or(start, |found| found.squares.end.max(found.pieces.end));
        let designator = found.map(|found| found.designator);
        if let Some(fault) = fault {
            let end = end.max(fault.range().end);
            self.report_fault(&fault);
            // A designator stands in for what was meant.
            self.push(
                TokenKind::Designator(designator.unwrap_or(Designator {
                    pieces: PieceSet::ANYTHING,
                    squares: u64::MAX,
                    has_pieces: true,
                    has_squares: true,
                })),
                end - start,
            );
            return true;
        }
        if let Some(designator) = designator {
            self.push(TokenKind::Designator(designator), end - start);
            return true;
        }
        // Piece signs are nothing else, so there is no later rule for them.
        let Some((pieces, end)) = scanner.glyphs(start) else {
            return false;
        };
        let signs = shown(&self.text[start..end]);
        let (message, help) = match unknown::decode(&self.text[end..]) {
            Some((bracket @ ('[' | ']'), _)) => (
                format!(
                    "the designator `{signs}` stands directly before `{bracket}`, which is not allowed"
                ),
                format!("write a blank behind it, or `{{{signs}}}`"),
            ),
            Some((next, _)) if PieceSet::from_letter(next as u8).is_some() && next.is_ascii() => (
                format!("piece signs and piece letters are mixed: `{signs}` and `{next}`"),
                "write all pieces as signs or all as letters, or a blank between them".to_owned(),
            ),
            next => (
                format!(
                    "the designator `{signs}` is directly followed by `{}`",
                    next.map_or(' ', |(next, _)| next)
                ),
                format!("write a blank behind `{signs}`"),
            ),
        };
        self.error("E0013", start, end, message, &help);
        self.push(
            TokenKind::Designator(Designator {
                pieces,
                squares: u64::MAX,
                has_pieces: true,
                has_squares: false,
            }),
            end - start,
        );
        true
    }

    fn report_fault(&mut self, fault: &Fault) {
        let range = fault.range();
        let written = shown(&self.text[range.clone()]);
        match fault {
            Fault::Backward { files, .. } => {
                let what = if *files { "files" } else { "ranks" };
                self.error(
                    "E0011",
                    range.start,
                    range.end,
                    format!("the {what} of `{written}` run backwards"),
                    if *files {
                        "write the file nearer to a first, or blanks around `-` for a subtraction"
                    } else {
                        "write the lower rank first, or blanks around `-` for a subtraction"
                    },
                );
            }
            Fault::Duplicate { .. } => self.error(
                "E0012",
                range.start,
                range.end,
                format!("`{}` names a piece twice", abbreviated(written.as_bytes())),
                "write each sign once; `◭` holds both `△` and `▲`",
            ),
        }
    }

    /// `input FILE`, `output FILE`.
    fn file_name(&mut self) -> bool {
        let rest = &self.text[self.at..];
        let word = word_length(rest);
        let input = match &rest[..word] {
            b"input" => true,
            b"output" => false,
            _ => return false,
        };
        let blank = rest[word..].iter().take_while(|&&b| is_space(b)).count();
        let name = &rest[word + blank..];
        let (name, length) = if name.first() == Some(&b'"') {
            let line = &name[1..];
            match line.iter().position(|&byte| byte == b'"' || byte == b'\n') {
                Some(length) if line[length] == b'"' => (&line[..length], length + 2),
                // An ordinary unterminated string, to be reported as such.
                _ => return false,
            }
        } else {
            let length = name
                .iter()
                .take_while(|&&byte| !is_space(byte) && !b"()<>\"".contains(&byte))
                .count();
            (&name[..length], length)
        };
        if length == 0 {
            return false;
        }
        let name = shown(name);
        let kind = if input {
            TokenKind::Input(name)
        } else {
            TokenKind::Output(name)
        };
        self.push(kind, word + blank + length);
        true
    }

    /// From `"` to the next `"` of the line; no escapes.
    fn string(&mut self) -> bool {
        let start = self.at;
        if self.text[start] != b'"' {
            return false;
        }
        let inside = &self.text[start + 1..];
        let end = inside
            .iter()
            .position(|&byte| byte == b'"' || byte == b'\n');
        match end {
            Some(length) if inside[length] == b'"' => {
                self.push(TokenKind::String(inside[..length].to_vec()), length + 2);
            }
            _ => {
                let length = end.unwrap_or(inside.len());
                self.report_open_string(start, end.is_some());
                self.push(TokenKind::String(inside[..length].to_vec()), length + 1);
            }
        }
        true
    }

    /// Of two quotes that are not closed on their lines the second is taken for the end of a
    /// string over several lines: that is one fault, not two.
    fn report_open_string(&mut self, start: usize, has_line_end: bool) {
        self.swallowed = true;
        let quote = self.span(start, start + 1);
        if let Some(first) = self.open_string.take()
            && let Some(error) = self.diagnostics.get_mut(first)
        {
            error.notes.push((
                quote,
                "if this is its end: a string may not go over several lines".to_owned(),
            ));
            return;
        }
        let (code, end) = if has_line_end {
            ("E0008", "line")
        } else {
            ("E0007", "text")
        };
        self.open_string = Some(self.diagnostics.len());
        self.report(
            Diagnostic::error(
                code,
                quote,
                format!("this string is not closed before the end of the {end}"),
            )
            .with_help(
                "write `\"` at its end; inside a string neither newlines nor `\"` can stand, \
                 put `\\n` or `\\\"` between two strings for these",
            ),
        );
    }

    /// Characters that no token begins with. A run of the same kind is one error.
    fn unknown(&mut self) -> bool {
        let start = self.at;
        let rest = &self.text[start..];
        let Some((character, length)) = unknown::decode(rest) else {
            let length = rest
                .iter()
                .take_while(|byte| !byte.is_ascii())
                .scan(0, |skip, _| {
                    *skip += 1;
                    Some(*skip)
                })
                .take_while(|&count| unknown::decode(&rest[count - 1..]).is_none())
                .count()
                .max(1);
            self.at += length;
            self.error(
                "E0004",
                start,
                self.at,
                format!("the byte 0x{:02X} is no UTF-8 text", rest[0]),
                "save the query as UTF-8",
            );
            return true;
        };
        self.at += length;
        while self.text[self.at..].starts_with(&rest[..length]) {
            self.at += length;
        }
        let point = u32::from(character);
        let (code, message) = if character == '\u{2015}' {
            ("E0005", "found a single `―` (U+2015)".to_owned())
        } else if character.is_ascii_graphic() {
            (
                "E0003",
                format!("the character `{character}` has no meaning here"),
            )
        } else if character.is_control() || unknown::is_invisible(character) {
            ("E0004", format!("unknown character U+{point:04X}"))
        } else {
            (
                "E0004",
                format!("unknown character `{character}` (U+{point:04X})"),
            )
        };
        let help = unknown::help_for(character).unwrap_or("");
        self.error(code, start, self.at, message, help);
        true
    }
}

/// A bound of a repetition; what is out of range stays out of range.
fn bound(digits: &[u8]) -> u32 {
    digits.iter().fold(0, |value, digit| {
        (10 * value + u32::from(digit - b'0')).min(MAX_REPETITION + 1)
    })
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
    Symbol::ALL
        .iter()
        .copied()
        .find(|symbol| text.starts_with(symbol.text().as_bytes()))
}

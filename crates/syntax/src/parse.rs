//! Builds a typed tree from tokens.
//!
//! CQL's grammar depends on types: an operator is only accepted if the type of its left operand
//! allows it. So a single recursive descent determines types, resolves names and expands functions.
//! `expression` contains the operators and their levels, `primary` finds the filter that a word
//! begins, and each family of filters has its own module.
//!
//! Parsing always returns a tree. An error is reported once (`Failed` means that this has been
//! done), the rest of its filter is skipped, and parsing resumes with the next filter at the start
//! of a line.

mod amounts;
mod assign;
mod board;
mod book;
mod control;
mod dictionary;
mod error;
mod expression;
mod function;
mod game_data;
mod header;
mod hhdb;
mod imagine;
mod line;
mod listed;
mod material;
mod mend;
mod moves;
mod names;
mod outside;
mod path;
mod primary;
mod regex;
mod relations;
mod renamed;
mod score;
mod stream;
#[cfg(test)]
mod tests;
mod text;
mod torn;
mod transform;
mod trial;
mod usage;
mod words;

use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;

use crate::builtin::Keyword;
use crate::diagnostic::{Diagnostic, Severity, has_errors};
use crate::level;
use crate::lex::{Lexed, delimiters, lex};
use crate::library::Library;
use crate::span::{SourceId, Span};
use crate::token::{Symbol, TokenKind};
use crate::tree::{Filter, FilterKind, Query, SortId, Type};
pub use error::nearest;
use error::{Failed, Res, code};
use names::Names;
use stream::Stream;
use torn::Torn;
pub use trial::take_back;
pub use words::{Answer, plain_title, terms};

/// A query text with its name for diagnostics.
#[derive(Debug, Clone, Copy)]
pub struct Source<'a> {
    /// A file name, or the option that the text was given with.
    pub name: &'a str,
    /// The text.
    pub text: &'a [u8],
}

/// Settings of the caller that are not part of the text.
#[derive(Debug, Clone, Copy)]
pub struct ParseOptions {
    /// Whether variations are searched; `None` to use the header.
    pub variations: Option<bool>,
    /// Whether the query must begin with `cql( … )`.
    pub require_header: bool,
    /// Maximum nesting depth of filters, at most 400; each operand counts as a level.
    pub max_depth: u32,
}

impl Default for ParseOptions {
    fn default() -> ParseOptions {
        ParseOptions { variations: None, require_header: true, max_depth: MAX_DEPTH }
    }
}

/// A tree with the diagnostics of its text. A query with errors must not be run, since placeholders
/// may replace filters that could not be parsed.
#[derive(Debug, Clone, Default)]
pub struct Parsed {
    /// The tree.
    pub query: Query,
    /// Errors and warnings, in the order of their spans.
    pub diagnostics: Vec<Diagnostic>,
    /// The first tokens of the filters of the query, of blocks and of functions that are called.
    pub filter_starts: Vec<Span>,
    /// The query after the edit proposed for its only error.
    pub mended: Option<Arc<Parsed>>,
}

impl Parsed {
    /// Whether the query can run.
    pub fn is_ok(&self) -> bool {
        !has_errors(&self.diagnostics)
    }

    /// Returns the starts of the filters of the query, of its blocks and of functions that are
    /// called, in order.
    pub fn places_of_filters(&self) -> Vec<u32> {
        let own = self.filter_starts.iter();
        let own = own.filter(|span| span.source == SourceId(0));
        let mut places: Vec<u32> = own.map(|span| span.start).collect();
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Parses a query. `preamble` contains filters given on the command line, in order. They are parsed
/// with the same names after the header, and form one block before the filters of the query. In
/// spans, the query is source 0, and `preamble[i]` is source `i + 1`.
pub fn parse(query: &Source, preamble: &[Source], options: &ParseOptions) -> Parsed {
    parse_with_values(query, preamble, &[], options)
}

/// Parses a query with expressions that are evaluated where the query matches. They are parsed
/// after it, so that they can use its names; their sources are numbered after those of the
/// preamble.
pub fn parse_with_values(
    query: &Source,
    preamble: &[Source],
    values: &[Source],
    options: &ParseOptions,
) -> Parsed {
    let texts: Vec<&[u8]> =
        std::iter::once(query).chain(preamble).chain(values).map(|source| source.text).collect();
    let mut attempt = attempt(&texts, preamble.len(), options);
    trial::keep_what_helps(&mut attempt, &texts, preamble.len(), options);
    attempt.parsed
}

/// Parses a query without a preamble, given its tokens.
pub fn parse_lexed(query: &Source, lexed: &Lexed, options: &ParseOptions) -> Parsed {
    let texts = [query.text];
    let mut attempt = attempt_lexed(&texts, std::slice::from_ref(lexed), 0, options);
    trial::keep_what_helps(&mut attempt, &texts, 0, options);
    attempt.parsed
}

/// Result of parsing the texts once.
struct Attempt {
    parsed: Parsed,
    /// Approximate number of bytes and tokens that were read.
    work: usize,
}

/// Parses the query, the filters before it, and the values after it.
fn attempt(texts: &[&[u8]], n_in_front: usize, options: &ParseOptions) -> Attempt {
    let lexed = texts.iter().enumerate();
    let lexed = lexed.map(|(index, text)| lex(SourceId(index as u16), text));
    attempt_lexed(texts, &lexed.collect::<Vec<Lexed>>(), n_in_front, options)
}

/// Parses texts, given their tokens.
fn attempt_lexed(
    texts: &[&[u8]],
    lexed: &[Lexed],
    n_in_front: usize,
    options: &ParseOptions,
) -> Attempt {
    let mut diagnostics = Vec::new();
    let mut streams = Vec::new();
    let n_texts = texts.len();
    let mut later_dictionaries = HashSet::new();
    // The imported libraries, without duplicates.
    let mut libraries: Vec<&Library> = Vec::new();
    let mut lex_faults = Vec::new();
    let mut torn = Torn::default();
    for (index, (text, lexed)) in texts.iter().zip(lexed).enumerate() {
        let source = SourceId(index as u16);
        let faults = lexed.diagnostics.iter();
        lex_faults.extend(
            faults
                // Errors with an edit are omitted: their tokens are those of the corrected text.
                .filter(|d| d.severity == Severity::Error)
                .filter(|d| d.edit.is_none() || matches!(d.code, "E0007" | "E0008"))
                .filter(|d| d.code != delimiters::CODE)
                .map(|d| d.span),
        );
        diagnostics.extend_from_slice(&lexed.diagnostics);
        for (at, token) in lexed.tokens.iter().enumerate() {
            let next = || lexed.tokens.get(at + 1).map(|token| &token.kind);
            match &token.kind {
                TokenKind::Keyword(Keyword::Dictionary) => {
                    if let Some(TokenKind::Name(name)) = next() {
                        later_dictionaries.insert(name.clone());
                    }
                }
                TokenKind::Name(name) if name == "import" => {
                    if let Some(TokenKind::String(name)) = next()
                        && let Some(library) = Library::named(name)
                        && !libraries.contains(&library)
                    {
                        libraries.push(library);
                    }
                }
                _ => {}
            }
        }
        let end = match lexed.tokens.last() {
            Some(token) => Span::new(source, token.span.end as usize, token.span.end as usize),
            None => Span::new(source, text.len(), text.len()),
        };
        let stream = Stream::new(&lexed.tokens[..], end);
        streams.push(Rc::new(if stream.balanced { stream } else { torn.mended(stream) }));
    }
    // The sources of libraries come after all others.
    let mut texts = texts.to_vec();
    texts.extend(libraries.iter().map(|library| library.text.as_bytes()));
    let mut parser = Parser::new(&texts, options, diagnostics);
    parser.later_dictionaries = later_dictionaries;
    parser.lex_faults = lex_faults;
    parser.torn = torn;
    for stream in streams.iter().filter(|stream| stream.is_torn) {
        parser.names.poison(torn::defined(&stream.tokens));
    }
    for (index, text) in texts.iter().enumerate().skip(streams.len()) {
        let lexed = lex(SourceId(index as u16), text);
        parser.define(Rc::new(Stream::new(lexed.tokens, Span::default())));
    }
    let values = streams.split_off(n_in_front + 1);
    let mut streams = streams.into_iter();
    if let Some(main) = streams.next() {
        parser.run(main, streams, options);
    }
    for stream in values {
        parser.named_value(stream);
    }
    let work =
        texts.iter().take(n_texts).map(|text| text.len()).sum::<usize>() + 10 * parser.n_expanded;
    Attempt { parsed: parser.finish(), work }
}

/// Maximum nesting depth of filters, limited by the size of the stack.
const MAX_DEPTH: u32 = 400;
/// Maximum number of errors that are kept.
const MAX_ERRORS: usize = 100;
/// Maximum height of the tree; long chains of operators count, too.
const MAX_HEIGHT: u32 = 1000;

struct Parser<'a> {
    texts: &'a [&'a [u8]],
    stream: Rc<Stream<'a>>,
    /// Index of the next token.
    pos: usize,
    /// First token that may not be read: the end of the text or of the innermost `path`.
    limit: usize,
    query: Query,
    names: Names,
    diagnostics: Vec<Diagnostic>,
    filter_starts: Vec<Span>,
    seen: HashSet<(&'static str, Span)>,
    variations: bool,

    /// Current nesting of [`Parser::expression`].
    depth: u32,
    max_depth: u32,
    /// Height of the highest tree built since this was last reset.
    tallest: u32,
    /// Whether parsing has ended because of a limit.
    exhausted: bool,
    /// Whether syntax errors are suppressed as noise. This is the case after an error in a list,
    /// until parsing has resynchronized.
    hush_syntax: bool,
    /// Kind of the last reported error.
    fault: Fault,

    /// Whether tokens are in a `path`, outside of braces and brackets, where `+` and `*` are
    /// repetitions.
    path_top: bool,
    /// Whether a variable has been declared atomic, even if the text with the declaration was
    /// parsed again.
    may_have_atomic: bool,
    /// Whether tokens are in a `line`.
    in_line: bool,
    /// Token at which a direct item of `comment( … )` or a similar list begins.
    direct_item: Option<usize>,
    /// Parenthesis of the `replace` whose string is being read. A text directly in it is the
    /// pattern.
    replaced: Option<usize>,
    /// Named groups and their uses.
    groups: regex::NamedGroups,
    /// A filter that was parsed for an operand that did not accept it.
    put_back: Option<PutBack>,
    /// The last complete filter, for messages about the operator after it.
    last: Option<Last>,

    /// Spans of removed brackets.
    torn: Torn,
    /// Spans of errors of the lexer; further errors on these lines are noise.
    lex_faults: Vec<Span>,
    /// Names that are declared as dictionaries anywhere in the texts.
    later_dictionaries: HashSet<String>,
    /// Spans of designators with squares and other filters that `rotate45` cannot rotate.
    fixed_squares: Vec<Span>,
    n_echoes: u32,
    n_similar: u32,
    n_default_sorts: u32,
    /// Sort variables by label.
    sorts: HashMap<Vec<u8>, SortId>,
    /// Number of tokens copied by calls of functions.
    n_expanded: usize,
    calls: Vec<function::ActiveCall>,
}

struct PutBack {
    at: usize,
    end: usize,
    height: u32,
    filter: Filter,
}

/// Properties of the last complete filter.
#[derive(Clone, Copy)]
struct Last {
    end: usize,
    ty: Type,
    span: Span,
    form: LastForm,
}

/// Extent of the text that an error affects.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Fault {
    /// The end of the filter is unknown.
    #[default]
    Structure,
    /// A single word or filter; operators after it are skipped with their operands.
    Operand,
    /// An operator that is not allowed; its right operand is a filter.
    Operator,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LastForm {
    Other,
    Assignment,
    Dash,
    Designator,
    Dictionary,
    Lookup,
    Path,
}

impl<'a> Parser<'a> {
    fn new(
        texts: &'a [&'a [u8]],
        options: &ParseOptions,
        diagnostics: Vec<Diagnostic>,
    ) -> Parser<'a> {
        Parser {
            texts,
            stream: Rc::new(Stream::new(Vec::new(), Span::default())),
            pos: 0,
            limit: 0,
            query: Query::default(),
            names: Names::default(),
            diagnostics,
            filter_starts: Vec::new(),
            seen: HashSet::new(),
            variations: options.variations.unwrap_or(false),
            depth: 0,
            max_depth: options.max_depth.min(MAX_DEPTH),
            tallest: 0,
            exhausted: false,
            hush_syntax: false,
            fault: Fault::Structure,
            path_top: false,
            may_have_atomic: false,
            in_line: false,
            direct_item: None,
            replaced: None,
            groups: regex::NamedGroups::default(),
            put_back: None,
            last: None,
            torn: Torn::default(),
            lex_faults: Vec::new(),
            later_dictionaries: HashSet::new(),
            fixed_squares: Vec::new(),
            n_echoes: 0,
            n_similar: 0,
            n_default_sorts: 0,
            sorts: HashMap::new(),
            n_expanded: 0,
            calls: Vec::new(),
        }
    }

    fn run(
        &mut self,
        main: Rc<Stream<'a>>,
        preamble: impl Iterator<Item = Rc<Stream<'a>>>,
        options: &ParseOptions,
    ) {
        self.open_stream(main.clone());
        self.header(options.require_header);
        if let Some(variations) = options.variations {
            self.variations = variations;
        } else {
            self.variations = self.query.header.variations;
        }
        let body = self.pos;
        let hush = self.hush_syntax || main.is_torn;

        let mut first = Vec::new();
        for stream in preamble {
            self.open_stream(stream.clone());
            self.hush_syntax = stream.is_torn;
            first.extend(self.text_in_front(&stream));
        }
        if !first.is_empty() {
            let span = first[0].span;
            let block = finish_block(first, span);
            self.query.filters.push(block);
        }

        self.open_stream(main.clone());
        self.hush_syntax = hush;
        self.pos = body;
        if !main.balanced {
            return;
        }
        if self.pos >= self.limit {
            // With filters before it, the header may stand alone.
            if self.lex_faults.is_empty() && self.query.filters.is_empty() {
                self.report(
                    Diagnostic::error(
                        code::EXPECTED_FILTER,
                        main.end,
                        "expected at least one filter, found the end of the query",
                    )
                    .with_help("write `.` after the header to match every position"),
                );
            }
            return;
        }
        let (filters, _) = self.filters_until(self.limit);
        if main.is_torn {
            // The text was only parsed to find errors.
            self.filter_starts.clear();
        } else {
            self.query.filters.extend(filters);
        }
    }

    /// Parses the filters of a text before the query, as one block.
    fn text_in_front(&mut self, stream: &Stream<'_>) -> Option<Filter> {
        if !stream.balanced {
            return None;
        }
        if self.limit == 0 {
            let message = "expected at least one filter, found none";
            self.report(
                Diagnostic::error(code::EMPTY, stream.end, message)
                    .with_help("write a filter, such as `mate` or `#Q > 1`"),
            );
            return None;
        }
        let filters = self.filters_until(self.limit).0;
        let span = filters.first()?.span;
        Some(finish_block(filters, span))
    }

    /// Parses an expression that is evaluated where the query matches.
    fn named_value(&mut self, stream: Rc<Stream<'a>>) {
        self.open_stream(stream.clone());
        self.hush_syntax = stream.is_torn;
        if !stream.balanced {
            return;
        }
        if self.limit == 0 {
            self.report(
                Diagnostic::error(
                    code::EXPECTED_FILTER,
                    stream.end,
                    "expected an expression, found nothing",
                )
                .with_help("write a filter with a value, such as `ply` or `power A - power a`"),
            );
            return;
        }
        let filters = self.filters_until(self.limit).0;
        if let Some(first) = filters.first() {
            let span = first.span;
            self.query.values.push(finish_block(filters, span));
        }
    }

    fn finish(mut self) -> Parsed {
        self.check_groups();
        self.query.fixed_squares = self.fixed_squares.first().copied();
        let mut diagnostics = self.diagnostics;
        diagnostics.sort_by_key(|d| (d.span.source, d.span.start));
        Parsed { query: self.query, diagnostics, filter_starts: self.filter_starts, mended: None }
    }

    fn open_stream(&mut self, stream: Rc<Stream<'a>>) {
        self.pos = 0;
        self.limit = stream.tokens.len();
        self.stream = stream;
        self.put_back = None;
        self.last = None;
        self.direct_item = None;
        self.replaced = None;
    }

    /// Parses a whole filter, with operators up to `or`.
    fn filter(&mut self) -> Res<Filter> {
        self.expression(level::OR)
    }

    /// Parses filters up to the token `end`. Returns whether the last one is correct, too.
    fn filters_until(&mut self, end: usize) -> (Vec<Filter>, bool) {
        let hush = self.hush_syntax;
        let mut items = Vec::new();
        let mut sound = true;
        let mut in_step = true;
        while self.pos < end {
            let start = self.pos;
            if self.moves_of_a_book(end, false) {
                sound = false;
                // The parts that an operator joins to the moves have been reported with them.
                if self.is_operator(self.pos) {
                    self.recover(start, end);
                }
                continue;
            }
            self.filter_starts.push(self.here());
            match self.filter() {
                Ok(filter) => {
                    items.push(filter);
                    // A filter that has its lines to itself resynchronizes parsing.
                    in_step |= self.is_first_on_line(start) && self.is_first_on_line(self.pos);
                    if in_step {
                        self.hush_syntax = hush;
                    }
                    sound = true;
                }
                Err(Failed) => {
                    sound = false;
                    in_step = self.recover(start, end);
                    self.hush_syntax = true;
                }
            }
        }
        self.hush_syntax = hush;
        (items, sound)
    }

    /// Skips the rest of a filter that began at `start`, up to a token that can begin a filter and
    /// is the first on its line, or up to `end`. If the error concerns a single word or operator,
    /// parsing may resume after it on the same line; then the result is `true`. A path is skipped
    /// as a whole.
    fn recover(&mut self, start: usize, end: usize) -> bool {
        let failed_at = self.pos;
        let fault = std::mem::take(&mut self.fault);
        let mut at = start;
        let mut in_step = fault != Fault::Structure;
        let failed = failed_at.min(end);
        let tokens = &self.stream.tokens;
        let mut behind = tokens.iter().take(failed).skip(start);
        let mut goes_on_at = failed_at;
        if behind.any(|token| token.kind == TokenKind::Keyword(Keyword::Path)) {
            let mut rest = tokens.iter().take(end).skip(failed);
            let blank = rest.position(|token| token.blank_line_before);
            goes_on_at = blank.map_or(end, |blank| failed + blank);
            in_step = false;
        }
        while at < end && !self.exhausted {
            if at > start && at >= goes_on_at && self.may_start(at) {
                if self.is_first_on_line(at) || in_step {
                    break;
                }
            } else if at > start && at >= failed_at && in_step {
                match fault {
                    // The right operand belongs to the faulty filter.
                    Fault::Operand if self.is_operator(at) => at += 1,
                    Fault::Operator if self.is_operator(at) => {}
                    _ => in_step = false,
                }
            }
            if at >= end {
                break;
            }
            at = match self.stream.partner(at) {
                Some(close) if close > at => close + 1,
                _ => at + 1,
            };
        }
        self.pos = if self.exhausted { end } else { at.min(end) };
        self.names.poison(&self.stream.tokens[start..self.pos]);
        in_step
    }

    /// Whether the token is an operator between two filters.
    fn is_operator(&self, at: usize) -> bool {
        match self.kind_at(at) {
            Some(TokenKind::Symbol(symbol)) => matches!(
                symbol,
                Symbol::Assign
                    | Symbol::Equal
                    | Symbol::NotEqual
                    | Symbol::Less
                    | Symbol::LessEqual
                    | Symbol::Greater
                    | Symbol::GreaterEqual
                    | Symbol::Intersect
                    | Symbol::Union
                    | Symbol::Arrow
                    | Symbol::BackArrow
                    | Symbol::Match
                    | Symbol::Plus
                    | Symbol::Slash
                    | Symbol::Percent
                    | Symbol::Comma
            ),
            Some(TokenKind::Keyword(keyword)) => matches!(
                keyword,
                Keyword::And | Keyword::Or | Keyword::In | Keyword::Attacks | Keyword::Attackedby
            ),
            _ => false,
        }
    }

    /// Parses `{ F… }` as one filter.
    fn block(&mut self) -> Res<Filter> {
        let start = self.pos;
        let help = "write `true` to match always, `[]` for the empty set";
        let close = self.opened("braces", help)?;
        let (items, sound) = self.enclosed(|p| p.filters_until(close));
        self.pos = close + 1;
        if !sound {
            return Err(Failed);
        }
        Ok(finish_block(items, self.span_from(start)))
    }

    /// Reads the next `{` or `(`. Returns the index of the token that closes it, if there is a
    /// filter between them.
    fn opened(&mut self, what: &str, help: &str) -> Res<usize> {
        let start = self.pos;
        let Some(close) = self.stream.partner(start) else {
            let message = format!("this {} is never closed", self.found());
            return self.fail(code::EXPECTED_SYMBOL, self.here(), message);
        };
        self.pos += 1;
        if self.pos == close {
            self.pos += 1;
            let message = format!("expected a filter between the {what}");
            return self.fail_help(code::EMPTY, self.span_from(start), message, help);
        }
        Ok(close)
    }

    /// Runs `body` within brackets, where `+` and `*` are not repetitions.
    fn enclosed<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        let outer = (self.path_top, self.in_line);
        (self.path_top, self.in_line) = (false, false);
        let result = body(self);
        (self.path_top, self.in_line) = outer;
        result
    }

    /// Parses `[`, the content, and `]`.
    fn bracketed<T>(&mut self, what: &str, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let Some(close) = self.stream.partner(self.pos) else {
            return self.expected_filter();
        };
        self.pos += 1;
        let value = self.enclosed(inside)?;
        if self.pos != close {
            self.leftover()?;
            return self.expected(format_args!("`]` after the {what}"), "");
        }
        self.pos += 1;
        Ok(value)
    }

    /// Parses `( F )`.
    fn parenthesized(&mut self) -> Res<Filter> {
        let start = self.pos;
        let close = self.opened("parentheses", "")?;
        let filter = self.filter()?;
        self.close_parentheses(close)?;
        Ok(wrap_lone_variable(filter, self.span_from(start)))
    }

    /// Reads the `)` after a filter, at the token `close`.
    fn close_parentheses(&mut self, close: usize) -> Res<()> {
        if self.pos == close {
            self.pos += 1;
            return Ok(());
        }
        self.leftover()?;
        let help = match self.symbol() {
            Some(Symbol::Plus | Symbol::Star) if self.path_top => error::REPEATS_IN_PATH.into(),
            Some(Symbol::Comma) => self.mend_of_comma(self.pos),
            _ => "put several filters into braces: `{…}`".into(),
        };
        self.expected_as(code::TOO_MANY, "`)` after the only filter of the parentheses", help)
    }

    fn exhaust<T>(&mut self, code: &'static str, message: &str) -> Res<T> {
        if !self.exhausted {
            let help = "use a variable or a simpler filter";
            self.report(Diagnostic::error(code, self.here(), message).with_help(help));
        }
        self.exhausted = true;
        Err(Failed)
    }
}

/// Returns `{F}` as `F`, except for a single variable, whose block means that it is passed by
/// value.
fn finish_block(mut items: Vec<Filter>, span: Span) -> Filter {
    if items.len() == 1 {
        let only = items.remove(0);
        return wrap_lone_variable(only, span);
    }
    let ty = items.last().map_or(Type::Boolean, |f| f.ty);
    Filter { kind: FilterKind::Block(items), ty, span }
}

fn wrap_lone_variable(filter: Filter, span: Span) -> Filter {
    if matches!(filter.kind, FilterKind::Variable(_)) {
        return Filter { ty: filter.ty, kind: FilterKind::Block(vec![filter]), span };
    }
    filter
}

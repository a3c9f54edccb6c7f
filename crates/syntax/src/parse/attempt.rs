//! Parses all texts once: the header, the filters before the query, the query, and the values after
//! it.

use std::collections::HashSet;
use std::rc::Rc;

use super::brackets::{self, Torn};
use super::error::code;
use super::filters::finish_block;
use super::parsed::{ParseOptions, Parsed};
use super::parser::Parser;
use super::stream::Stream;
use crate::builtin::Keyword;
use crate::diagnostic::{Diagnostic, Severity};
use crate::lex::{Lexed, delimiters, lex};
use crate::library::{self, Library};
use crate::span::{SourceId, Span};
use crate::token::TokenKind;
use crate::tree::Filter;

/// Result of parsing the texts once.
pub(super) struct Attempt {
    pub(super) parsed: Parsed,
    /// Approximate number of bytes and tokens that were read.
    pub(super) work: usize,
}

/// Parses the query, the filters before it, and the values after it.
pub(super) fn attempt(texts: &[&[u8]], n_in_front: usize, options: &ParseOptions) -> Attempt {
    let lexed = texts.iter().enumerate();
    let lexed = lexed.map(|(index, text)| lex(SourceId(index as u16), text));
    attempt_lexed(texts, &lexed.collect::<Vec<Lexed>>(), n_in_front, options)
}

/// Parses texts, given their tokens.
pub(super) fn attempt_lexed(
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
    let mut has_themes = false;
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
                TokenKind::Name(name) => has_themes |= name == Keyword::Theme.text(),
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
    let n_imported = texts.len();
    if has_themes {
        texts.push(library::THEMES.text.as_bytes());
    }
    let mut parser = Parser::new(&texts, options, diagnostics);
    parser.later_dictionaries = later_dictionaries;
    parser.lex_faults = lex_faults;
    parser.torn = torn;
    for stream in streams.iter().filter(|stream| stream.is_torn) {
        parser.names.poison(brackets::defined(&stream.tokens));
    }
    for (index, text) in texts.iter().enumerate().skip(streams.len()) {
        let lexed = lex(SourceId(index as u16), text);
        let library = Rc::new(Stream::new(lexed.tokens, Span::default()));
        if index < n_imported {
            parser.define(library);
        } else {
            parser.apart(|parser| parser.define(library));
        }
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

impl<'a> Parser<'a> {
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
        diagnostics.sort_by_cached_key(|d| d.span.beginning());
        Parsed { query: self.query, diagnostics, filter_starts: self.filter_starts, mended: None }
    }
}

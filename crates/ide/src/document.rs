//! A text with its cached analysis.

use std::cell::OnceCell;
use std::ops::Range;

use compiler::{CompileOptions, QueryReading};
use syntax::dialect::dialect_of;
use syntax::{Diagnostic, Dialect, Lexed, ParseOptions, Parsed, Source, SourceId, Span};

use crate::meaning::Meaning;
use crate::names::NameIndex;
use crate::position::{LineIndex, boundary};

/// Settings for the analysis of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// The dialect; `None` to detect it from the text.
    pub dialect: Option<Dialect>,
    /// Whether to warn of forms of older versions of CQL 6 as well.
    pub warn_deprecated: bool,
    /// Whether a query of CQL 6 may lack its header, as after `-cql`.
    pub header_is_optional: bool,
}

/// The text of a query while it is edited.
#[derive(Debug)]
pub struct Document {
    text: String,
    settings: Settings,
    lines: LineIndex,
    pub(crate) found: LazyAnalysis,
}

/// Analysis of the current text, each part computed on demand.
#[derive(Debug, Default)]
pub(crate) struct LazyAnalysis {
    dialect: OnceCell<Dialect>,
    lexed: OnceCell<Lexed>,
    parsed: OnceCell<Parsed>,
    names: OnceCell<NameIndex>,
    pub(crate) meaning: OnceCell<Meaning>,
    diagnostics: OnceCell<Vec<Diagnostic>>,
}

impl Document {
    /// Creates a document with the text of an editor.
    pub fn new(text: impl Into<String>, settings: Settings) -> Document {
        let text = text.into();
        Document { lines: LineIndex::new(&text), text, settings, found: LazyAnalysis::default() }
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the lines of the text.
    pub fn lines(&self) -> &LineIndex {
        &self.lines
    }

    /// Replaces a part of the text. An offset inside a character is moved to the start of the
    /// character.
    pub fn replace(&mut self, range: Range<usize>, new: &str) {
        let start = boundary(&self.text, range.start);
        let end = boundary(&self.text, range.end).max(start);
        self.text.replace_range(start..end, new);
        self.lines = LineIndex::new(&self.text);
        self.found = LazyAnalysis::default();
    }

    /// Returns the dialect of the text.
    pub fn dialect(&self) -> Dialect {
        *self.found.dialect.get_or_init(|| {
            self.settings.dialect.unwrap_or_else(|| dialect_of(self.text.as_bytes()))
        })
    }

    /// Returns errors and warnings, in the order of their spans.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.found.diagnostics.get_or_init(|| {
            let Settings { dialect, warn_deprecated, header_is_optional } = self.settings;
            let options = CompileOptions {
                dialect,
                warn_deprecated,
                require_header: !header_is_optional,
                ..CompileOptions::default()
            };
            let reading = || QueryReading { lexed: Some(self.lexed()), parsed: self.parsed() };
            let reading = (self.dialect() == Dialect::Cql6).then(reading);
            let mut found = compiler::diagnose(&self.source(), reading, &options);
            found.sort_by_cached_key(|d| d.span);
            found
        })
    }

    /// Returns all functions, variables and dictionaries with their occurrences.
    pub fn names(&self) -> &NameIndex {
        let text = self.text.as_bytes();
        self.found.names.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => NameIndex::of(&self.lexed().tokens),
            Dialect::Cql5 => NameIndex::of_cql5(text),
            Dialect::Classic => NameIndex::default(),
        })
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source { name: "query", text: self.text.as_bytes() }
    }

    /// Returns the tokens of a query in CQL 6; none for older dialects.
    pub(crate) fn lexed(&self) -> &Lexed {
        let text = self.text.as_bytes();
        self.found.lexed.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => syntax::lex(SourceId(0), text),
            _ => Lexed::default(),
        })
    }

    /// Returns the tree of a query in CQL 6; an empty one for older dialects.
    pub(crate) fn parsed(&self) -> &Parsed {
        self.found.parsed.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => {
                let require_header = !self.settings.header_is_optional;
                let options = ParseOptions { require_header, ..ParseOptions::default() };
                syntax::parse_lexed(&self.source(), self.lexed(), &options)
            }
            _ => Parsed::default(),
        })
    }

    /// Returns the text of a span.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns the token that contains an offset or ends at it; of two tokens that touch there, the
    /// second.
    pub(crate) fn token_at(&self, offset: usize) -> Option<usize> {
        let tokens = &self.lexed().tokens;
        let next = tokens.partition_point(|token| (token.span.start as usize) <= offset);
        let index = next.checked_sub(1)?;
        (offset <= tokens[index].span.end as usize).then_some(index)
    }
}

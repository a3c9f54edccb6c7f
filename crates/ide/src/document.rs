//! A text and what has been found out about it.

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use compiler::Reading;
use syntax::dialect::older_dialect;
use syntax::{Diagnostic, Dialect, Lexed, ParseOptions, Parsed, Source, SourceId, Span};

use crate::meaning::{Change, Earlier, LARGE, Meaning};
use crate::names::Names;
use crate::position::{Lines, boundary};

/// What a text is taken for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Settings {
    /// The generation of the language; told from the text where nothing is said.
    pub dialect: Option<Dialect>,
    /// Warns of forms of older versions of CQL 6 as well.
    pub warn_deprecated: bool,
}

/// A query while it is written.
#[derive(Debug)]
pub struct Document {
    text: String,
    settings: Settings,
    lines: Lines,
    pub(crate) found: Found,
    /// Of a large text.
    pub(crate) earlier: Option<Earlier>,
    /// The tokens of an earlier text, and what has become another one since.
    outdated: RefCell<Option<(Lexed, Change)>>,
}

/// What is found out where it is asked for.
#[derive(Debug, Default)]
pub(crate) struct Found {
    dialect: OnceCell<Dialect>,
    lexed: OnceCell<Lexed>,
    pub(crate) parsed: OnceCell<Parsed>,
    names: OnceCell<Names>,
    pub(crate) meaning: OnceCell<Meaning>,
    diagnostics: OnceCell<Vec<Diagnostic>>,
}

impl Document {
    /// The text of an editor.
    pub fn new(text: impl Into<String>, settings: Settings) -> Document {
        let text = text.into();
        Document {
            lines: Lines::new(&text),
            text,
            settings,
            found: Found::default(),
            earlier: None,
            outdated: RefCell::default(),
        }
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The lines of the text.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// Replaces a part of the text. What lies inside a character begins with it.
    pub fn replace(&mut self, range: Range<usize>, new: &str) {
        let start = boundary(&self.text, range.start);
        let end = boundary(&self.text, range.end).max(start);
        self.settle();
        self.text.replace_range(start..end, new);
        self.lines = Lines::new(&self.text);
        let found = std::mem::take(&mut self.found);
        if let Some(meaning) = found.meaning.into_inner() {
            self.earlier = (self.text.len() > LARGE).then(|| Earlier::new(meaning));
        }
        let change = Change {
            start,
            old_end: end,
            new_end: start + new.len(),
        };
        let outdated = match found.lexed.into_inner() {
            Some(lexed) => Some((lexed, change)),
            // Nobody has asked for tokens between two changes.
            None => self
                .outdated
                .take()
                .map(|(lexed, before)| (lexed, before.and_then(change))),
        };
        self.outdated = RefCell::new(outdated);
        if self
            .earlier
            .as_mut()
            .is_some_and(|earlier| !earlier.note(change))
        {
            self.earlier = None;
        }
    }

    /// Lets go of the tree of a large text and keeps what it says. The next change would have to:
    /// for whoever has told the faults and has time before that.
    pub fn settle(&mut self) {
        if self.text.len() > LARGE && self.found.parsed.get().is_some() {
            self.meaning();
            self.found.parsed.take();
        }
    }

    /// The generation of the language that the text is written in.
    pub fn dialect(&self) -> Dialect {
        *self.found.dialect.get_or_init(|| {
            let text = self.text.as_bytes();
            let found = || older_dialect(text).unwrap_or(Dialect::Cql6);
            self.settings.dialect.unwrap_or_else(found)
        })
    }

    /// Errors and warnings, in the order of their places. Whoever asks for them has time: what else
    /// is asked of a large text is up to date then.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.found.diagnostics.get_or_init(|| {
            let Settings {
                dialect,
                warn_deprecated,
            } = self.settings;
            let reading = || Reading {
                lexed: Some(self.lexed()),
                parsed: self.parsed(),
            };
            let reading = (self.dialect() == Dialect::Cql6).then(reading);
            let mut found = compiler::diagnose(&self.source(), reading, dialect, warn_deprecated);
            found.sort_by_key(|d| (d.span.start, d.span.end));
            found
        })
    }

    /// All functions, variables and dictionaries, and where they stand.
    pub fn names(&self) -> &Names {
        let text = self.text.as_bytes();
        self.found.names.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => Names::of(&self.lexed().tokens),
            Dialect::Cql5 => Names::of_cql5(text),
            Dialect::Classic => Names::default(),
        })
    }

    pub(crate) fn source(&self) -> Source<'_> {
        Source {
            name: "query",
            text: self.text.as_bytes(),
        }
    }

    /// The tokens of a query in CQL 6; none of an older one.
    pub(crate) fn lexed(&self) -> &Lexed {
        let text = self.text.as_bytes();
        self.found.lexed.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => match self.outdated.take() {
                Some((lexed, change)) => {
                    let replaced = change.start..change.old_end;
                    syntax::relex(SourceId(0), text, lexed, replaced, change.new_end)
                }
                None => syntax::lex(SourceId(0), text),
            },
            _ => Lexed::default(),
        })
    }

    /// The tree of a query in CQL 6; that of an older one is empty.
    pub(crate) fn parsed(&self) -> &Parsed {
        self.found.parsed.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => {
                syntax::parse_lexed(&self.source(), self.lexed(), &ParseOptions::default())
            }
            _ => Parsed::default(),
        })
    }

    /// The text of a place.
    pub(crate) fn slice(&self, span: Span) -> &str {
        self.text
            .get(span.start as usize..span.end as usize)
            .unwrap_or_default()
    }

    /// The token that an offset lies in or behind, the one behind it where two touch.
    pub(crate) fn token_at(&self, offset: usize) -> Option<usize> {
        let tokens = &self.lexed().tokens;
        let next = tokens.partition_point(|token| (token.span.start as usize) <= offset);
        let index = next.checked_sub(1)?;
        (offset <= tokens[index].span.end as usize).then_some(index)
    }
}

//! A text and what has been found out about it.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::ops::Range;

use engine::CompileOptions;
use syntax::dialect::older_dialect;
use syntax::tree::{Filter, FilterKind, Type, VariableKind};
use syntax::{Diagnostic, Dialect, Lexed, ParseOptions, Parsed, Source, SourceId, Span};

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
    found: Found,
}

/// What is found out where it is asked for.
#[derive(Debug, Default)]
struct Found {
    dialect: OnceCell<Dialect>,
    lexed: OnceCell<Lexed>,
    parsed: OnceCell<Parsed>,
    names: OnceCell<Names>,
    filter_starts: OnceCell<Vec<u32>>,
    types: OnceCell<HashMap<u32, Type>>,
    kinds: OnceCell<HashMap<String, VariableKind>>,
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
        self.text.replace_range(start..end, new);
        self.lines = Lines::new(&self.text);
        self.found = Found::default();
    }

    /// The generation of the language that the text is written in.
    pub fn dialect(&self) -> Dialect {
        *self.found.dialect.get_or_init(|| {
            let text = self.text.as_bytes();
            let found = || older_dialect(text).unwrap_or(Dialect::Cql6);
            self.settings.dialect.unwrap_or_else(found)
        })
    }

    /// Errors and warnings, in the order of their places.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.found.diagnostics.get_or_init(|| {
            let options = CompileOptions {
                dialect: self.settings.dialect,
                warn_deprecated: self.settings.warn_deprecated,
                ..CompileOptions::default()
            };
            let mut found = engine::compile(&self.source(), &[], &options).diagnostics;
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
        self.found.lexed.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => syntax::lex(SourceId(0), self.text.as_bytes()),
            _ => Lexed::default(),
        })
    }

    /// The tree of a query in CQL 6; that of an older one is empty.
    pub(crate) fn parsed(&self) -> &Parsed {
        self.found.parsed.get_or_init(|| match self.dialect() {
            Dialect::Cql6 => syntax::parse(&self.source(), &[], &ParseOptions::default()),
            _ => Parsed::default(),
        })
    }

    /// Where the filters begin that are in no brackets.
    pub(crate) fn filter_starts(&self) -> &[u32] {
        let starts = &self.found.filter_starts;
        starts.get_or_init(|| self.find_filter_starts())
    }

    /// The kind of the variable with a name, if the parser knows one.
    pub(crate) fn kind_of_variable(&self, name: &str) -> Option<VariableKind> {
        let kinds = self.found.kinds.get_or_init(|| {
            let variables = self.parsed().query.variables.iter();
            variables
                .map(|variable| (variable.name.clone(), variable.kind))
                .collect()
        });
        kinds.get(name).copied()
    }

    /// The type of the variable that is read or assigned at a place of the text.
    pub(crate) fn type_at(&self, start: u32) -> Option<Type> {
        let types = self.found.types.get_or_init(|| {
            let mut types = HashMap::new();
            for filter in &self.parsed().query.filters {
                self.collect_types(filter, &mut types);
            }
            types
        });
        types.get(&start).copied()
    }

    fn collect_types(&self, filter: &Filter, types: &mut HashMap<u32, Type>) {
        let start = filter.span.start;
        match &filter.kind {
            FilterKind::Variable(_) | FilterKind::Call { .. } => {
                types.insert(start, filter.ty);
            }
            FilterKind::Assign { variable, .. } => {
                if let Some(variable) = self.parsed().query.variables.get(variable.0 as usize) {
                    types.insert(start, variable.kind.ty());
                }
            }
            _ => {}
        }
        filter.for_each_child(&mut |child| self.collect_types(child, types));
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

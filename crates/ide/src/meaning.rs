//! Facts from the parser about a text: where its filters begin, and the types of its names.

use std::collections::HashMap;

use syntax::Dialect;
use syntax::tree::{Filter, FilterKind, Query, Type, VariableKind};

use crate::Document;

/// Facts from a tree.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// Starts of the filters outside of brackets.
    filter_starts: Vec<u32>,
    /// Types of the names that are read, called or assigned, in the order of their offsets. A
    /// function that is called more than once has several at one offset; the last one counts.
    types: Vec<(u32, Type)>,
    /// Kinds of variables, by name.
    kinds: HashMap<String, VariableKind>,
}

impl Document {
    /// Returns the facts about the text.
    fn meaning(&self) -> &Meaning {
        self.found.meaning.get_or_init(|| {
            let query = &self.parsed().query;
            let mut types = Vec::new();
            for filter in &query.filters {
                collect_types(query, filter, &mut types);
            }
            types.sort_by_cached_key(|(place, _)| *place);
            let variables = query.variables.iter();
            let kinds = variables.map(|variable| (variable.name.clone(), variable.kind));
            Meaning { filter_starts: self.find_filter_starts(), types, kinds: kinds.collect() }
        })
    }

    /// Returns the starts of all filters of a query in CQL 6; `None` if it has errors.
    pub(crate) fn all_filters(&self) -> Option<Vec<u32>> {
        let is_read = self.dialect() == Dialect::Cql6 && self.parsed().is_ok();
        is_read.then(|| self.parsed().places_of_filters())
    }

    /// Returns the start of the outermost filter that an offset belongs to; `None` within the
    /// header.
    pub(crate) fn filter_start(&self, at: usize) -> Option<usize> {
        let starts = &self.meaning().filter_starts;
        let next = starts.partition_point(|&start| start as usize <= at);
        Some(*starts.get(next.checked_sub(1)?)? as usize)
    }

    /// Returns the kind of a variable, if the parser knows it.
    pub(crate) fn kind_of_variable(&self, name: &str) -> Option<VariableKind> {
        self.meaning().kinds.get(name).copied()
    }

    /// Returns the type of the variable that is read or assigned at an offset.
    pub(crate) fn type_at(&self, start: u32) -> Option<Type> {
        let types = &self.meaning().types;
        let next = types.partition_point(|(other, _)| *other <= start);
        let (last, ty) = types.get(next.checked_sub(1)?)?;
        (*last == start).then_some(*ty)
    }
}

fn collect_types(query: &Query, filter: &Filter, types: &mut Vec<(u32, Type)>) {
    let start = filter.span.start;
    match &filter.kind {
        FilterKind::Variable(_) | FilterKind::Call { .. } => {
            types.push((start, filter.ty));
        }
        FilterKind::Assign { variable, .. } => {
            if let Some(variable) = query.variables.get(variable.0 as usize) {
                types.push((start, variable.kind.ty()));
            }
        }
        _ => {}
    }
    filter.for_each_child(&mut |child| collect_types(query, child, types));
}

#[cfg(test)]
mod tests {
    use syntax::{SourceId, Span};

    use super::*;
    use crate::Settings;

    /// Returns the answers about a text that depend on its tokens, its tree and its facts.
    fn answers(document: &Document) -> String {
        let all = Span::new(SourceId(0), 0, document.text().len());
        let starts: Vec<Option<usize>> =
            (0..document.text().len()).map(|at| document.filter_start(at)).collect();
        let (symbols, hints) = (document.symbols(), document.hints(all));
        let tokens = document.semantic_tokens();
        format!("{:?} {symbols:?} {hints:?} {tokens:?} {starts:?}", document.diagnostics())
    }

    #[test]
    fn nothing_is_kept_of_the_text_before() {
        let text = "cql()\nfunction f(a) { a > 2 }\nx = 3\ny = R & x\nf(x)\nsort \"k\" x\n";
        let mut document = Document::new(text, Settings::default());
        let edits = [
            (36, 1, "R"),
            (6, 0, "mate "),
            (0, 3, "\""),
            (0, 1, "cql"),
            (20, 0, "/* "),
            (30, 0, "*/\u{2654}"),
            (0, 5, "cql(classic)"),
            (0, 100, "(match :pgn a.pgn)"),
            (0, 100, text),
        ];
        let first = answers(&document);
        for (at, length, new) in edits {
            document.replace(at..(at + length).min(document.text().len()), new);
            let fresh = Document::new(document.text(), Settings::default());
            assert_eq!(answers(&document), answers(&fresh), "{}", document.text());
        }
        assert_eq!(answers(&document), first);
    }
}

//! Facts from the parser about a text: where its filters begin, and the types of its names.
//!
//! Parsing a megabyte takes longer than a person wants to wait. So the facts about a large text
//! survive changes: while it is edited, answers are those for the text at the last complete
//! analysis ([`Document::diagnostics`]), with offsets adjusted to the current text.

use std::collections::HashMap;

use syntax::Dialect;
use syntax::tree::{Filter, FilterKind, Query, Type, VariableKind};

use crate::Document;

/// Size in bytes from which facts are kept; a smaller text is parsed in a moment.
pub(crate) const LARGE: usize = 50_000;

/// Maximum number of changes after which facts are still used.
const MOST_CHANGES: usize = 1000;

/// Facts from a tree, kept without the tree.
#[derive(Debug)]
pub(crate) struct Meaning {
    /// Starts of the filters outside of brackets.
    filter_starts: Vec<u32>,
    /// Starts of all filters; `None` if the query has errors.
    all_filters: Option<Vec<u32>>,
    /// Types of the names that are read, called or assigned, in the order of their offsets. A
    /// function that is called more than once has several at one offset; the last one counts.
    types: Vec<(u32, Type)>,
    /// Kinds of variables, by name.
    kinds: HashMap<String, VariableKind>,
}

/// Facts about an earlier version of the text.
#[derive(Debug)]
pub(crate) struct Earlier {
    meaning: Meaning,
    changes: Vec<Change>,
}

/// A part of the text that was replaced by another one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change {
    /// Start of both parts.
    pub(crate) start: usize,
    /// End of the old part.
    pub(crate) old_end: usize,
    /// End of the new part.
    pub(crate) new_end: usize,
}

impl Change {
    /// Returns this change and a later one as a single change.
    pub(crate) fn and_then(self, next: Change) -> Change {
        // End of the changed part in the text between the two changes.
        let end = self.new_end.max(next.old_end);
        Change {
            start: self.start.min(next.start),
            old_end: end - self.new_end + self.old_end,
            new_end: end - next.old_end + next.new_end,
        }
    }

    /// Maps an offset of the new text to the old one; `None` within the new part.
    fn back(&self, place: usize) -> Option<usize> {
        match place {
            _ if place < self.start => Some(place),
            _ if place >= self.new_end => Some(place - self.new_end + self.old_end),
            _ => None,
        }
    }

    /// Maps an offset of the old text to the new one; `None` within the part that is gone. The
    /// start of a replaced part maps to the start of the new part.
    fn forth(&self, place: usize) -> Option<usize> {
        match place {
            _ if place < self.start || place == self.start && self.old_end > place => Some(place),
            _ if place >= self.old_end => Some(place - self.old_end + self.new_end),
            _ => None,
        }
    }
}

impl Meaning {
    fn type_at(&self, place: u32) -> Option<Type> {
        let behind = self.types.partition_point(|(other, _)| *other <= place);
        let (last, ty) = self.types.get(behind.checked_sub(1)?)?;
        (*last == place).then_some(*ty)
    }
}

impl Earlier {
    pub(crate) fn new(meaning: Meaning) -> Earlier {
        Earlier { meaning, changes: Vec::new() }
    }

    /// Records a change. Returns `false` if there have been too many.
    pub(crate) fn note(&mut self, change: Change) -> bool {
        self.changes.push(change);
        self.changes.len() <= MOST_CHANGES
    }

    fn type_at(&self, place: u32) -> Option<Type> {
        let mut changes = self.changes.iter().rev();
        let old = changes.try_fold(place as usize, |place, change| change.back(place))?;
        self.meaning.type_at(u32::try_from(old).ok()?)
    }

    fn filter_start(&self, at: usize) -> Option<usize> {
        let changes = self.changes.iter().rev();
        let old = changes.fold(at, |place, change| change.back(place).unwrap_or(change.start));
        let starts = &self.meaning.filter_starts;
        let next = starts.partition_point(|&start| start as usize <= old);
        let is_now = |start: &u32| {
            let mut changes = self.changes.iter();
            changes.try_fold(*start as usize, |place, change| change.forth(place))
        };
        let mut starts = starts[..next].iter().rev().filter_map(is_now);
        starts.find(|start| *start <= at)
    }
}

impl Document {
    /// Returns the facts about the current text.
    pub(crate) fn meaning(&self) -> &Meaning {
        self.found.meaning.get_or_init(|| {
            let parsed = self.parsed();
            let query = &parsed.query;
            let mut types = Vec::new();
            for filter in &query.filters {
                collect_types(query, filter, &mut types);
            }
            types.sort_by_key(|(place, _)| *place);
            let variables = query.variables.iter();
            let kinds = variables.map(|variable| (variable.name.clone(), variable.kind));
            Meaning {
                filter_starts: self.find_filter_starts(),
                all_filters: parsed.is_ok().then(|| parsed.places_of_filters()),
                types,
                kinds: kinds.collect(),
            }
        })
    }

    /// Returns the starts of all filters of a query in CQL 6; `None` if it has errors.
    pub(crate) fn all_filters(&self) -> Option<&[u32]> {
        let is_read = self.dialect() == Dialect::Cql6;
        is_read.then(|| self.meaning().all_filters.as_deref()).flatten()
    }

    /// Returns the facts about an earlier text, unless the current one has been parsed.
    fn earlier(&self) -> Option<&Earlier> {
        let is_known = self.found.parsed.get().is_some() || self.found.meaning.get().is_some();
        self.earlier.as_ref().filter(|_| !is_known)
    }

    /// Returns the start of the outermost filter that an offset belongs to; `None` within the
    /// header.
    pub(crate) fn filter_start(&self, at: usize) -> Option<usize> {
        if let Some(earlier) = self.earlier() {
            return earlier.filter_start(at);
        }
        let starts = &self.meaning().filter_starts;
        let next = starts.partition_point(|&start| start as usize <= at);
        Some(*starts.get(next.checked_sub(1)?)? as usize)
    }

    /// Returns the kind of a variable, if the parser knows it.
    pub(crate) fn kind_of_variable(&self, name: &str) -> Option<VariableKind> {
        let meaning = match self.earlier() {
            Some(earlier) => &earlier.meaning,
            None => self.meaning(),
        };
        meaning.kinds.get(name).copied()
    }

    /// Returns the type of the variable that is read or assigned at an offset.
    pub(crate) fn type_at(&self, start: u32) -> Option<Type> {
        match self.earlier() {
            Some(earlier) => earlier.type_at(start),
            None => self.meaning().type_at(start),
        }
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

    /// Returns all answers that depend on the parser.
    fn answers(document: &Document) -> String {
        let all = Span::new(SourceId(0), 0, document.text().len());
        let starts: Vec<Option<usize>> =
            (0..document.text().len()).step_by(97).map(|at| document.filter_start(at)).collect();
        format!("{:?} {:?} {starts:?}", document.symbols(), document.hints(all))
    }

    fn large() -> Document {
        let mut text = String::from("cql()\nfunction f(value) { value > 2 }\n");
        let mut n = 0;
        while text.len() <= LARGE {
            text += &format!("number{n} = ply + {n}\nf(number{n}) R attacks k\n");
            n += 1;
        }
        Document::new(text, Settings::default())
    }

    #[test]
    fn what_is_known_moves_with_the_text() {
        let mut document = large();
        let before = answers(&document);
        let middle = document.text().find("number500 ").expect("a name");
        // As long as the line before it: only the name is new.
        document.replace(middle..middle, "set0 = R & a1\n");
        assert!(document.earlier().is_some());
        let hint = |name: &str| {
            let at = document.text().find(name).expect("a name");
            let hints = document.hints(Span::new(SourceId(0), at, at + 1));
            hints.first().map(|hint| hint.label)
        };
        assert_eq!(hint("number499 "), Some(": number"));
        assert_eq!(hint("number500 "), Some(": number"));
        assert_eq!(hint("value) {"), Some(": number"));
        assert_eq!(hint("set0"), None);
        let place = document.text().find("R attacks k\nnumber510 ").expect("a filter");
        assert_eq!(document.filter_start(place + 3), Some(place));
        // The new filter is not known yet, the neighboring ones are.
        let last = document.text().find("R attacks k\nset0").expect("a filter");
        assert_eq!(document.filter_start(middle + 3), Some(last));

        document.diagnostics();
        assert!(document.earlier().is_none());
        let known = answers(&document);
        document.settle();
        assert!(document.found.parsed.get().is_none());
        assert_eq!(answers(&document), known);
        assert!(document.found.parsed.get().is_none());
        document.replace(middle..middle + "set0 = R & a1\n".len(), "");
        assert_eq!(answers(&document), before);
    }

    #[test]
    fn a_look_at_the_whole_text_makes_everything_new() {
        let mut document = large();
        document.diagnostics();
        let edits = [(700, 3, "mate"), (20_000, 0, "x = A "), (9_000, 500, "}"), (9_000, 1, "")];
        for (at, length, new) in edits {
            document.replace(at..at + length, new);
            let _ = answers(&document);
        }
        document.diagnostics();
        let again = Document::new(document.text(), Settings::default());
        assert_eq!(answers(&document), answers(&again));
        assert_eq!(document.diagnostics(), again.diagnostics());
    }

    #[test]
    fn tokens_are_those_of_the_text_as_it_is() {
        let mut document = large();
        let names: Vec<usize> = (0..400)
            .map(|n| document.text().find(&format!("number{n} ")).expect("a name"))
            .collect();
        let edits = [
            (names[300], 6, "other"),
            (names[100], 0, "/* "),
            (names[200], 0, "mate\n\n"),
            (names[20], 0, "\""),
            (names[10] + 3, names[15] - names[10], "♔\r\n"),
            (names[5], 0, ""),
            (names[100] - 40, 100, "*/ x"),
            (names[101], 1, "\"\n"),
        ];
        for n_between in 1..4 {
            for (n, (at, length, new)) in edits.iter().enumerate() {
                document.replace(*at..at + length, new);
                // Several changes between two questions are combined into one.
                if n % n_between == 0 {
                    let again = Document::new(document.text(), Settings::default());
                    assert_eq!(document.lexed(), again.lexed());
                }
            }
        }
    }

    #[test]
    fn nothing_is_kept_of_a_small_text() {
        let mut document = Document::new("cql() x = 3", Settings::default());
        document.diagnostics();
        document.replace(10..11, "R");
        assert_eq!(document.kind_of_variable("x"), Some(VariableKind::Set));
    }

    #[test]
    fn a_text_that_changes_is_told_as_a_new_one() {
        let parts = [
            "",
            "\n",
            "{",
            "}",
            "(",
            "\"",
            "3\n",
            "mate ",
            "x = R",
            "value",
            " > ",
            "/* ",
            "flip ",
            "function f(a) {a}\n",
            "number7 = 3\n",
            "path ",
            "// ",
            "--",
            "sort ",
            "cql() ",
        ];
        let mut document = large();
        let mut state = 1_u64;
        let mut next = |most: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
            (state >> 33) as usize % most
        };
        for step in 0..60 {
            let start = next(document.text().len());
            let end = start + next(12);
            let before = document.text().to_owned();
            document.replace(start..end.min(before.len()), parts[next(parts.len())]);
            let fresh = Document::new(document.text(), Settings::default());
            assert_eq!(document.diagnostics(), fresh.diagnostics(), "{step}");
            if step % 2 == 0 {
                document.settle();
            }
            assert_eq!(answers(&document), answers(&fresh), "{step}");
            // Otherwise, all errors but the first have no effect.
            if next(3) > 0 {
                document.replace(0..document.text().len(), &before);
            }
        }
    }
}

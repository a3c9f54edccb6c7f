//! Explains a query in English.
//!
//! Every filter becomes a sentence: a claim if it is used as a condition, a noun if its value is
//! used. Short operands are part of the sentence; longer ones are listed below it, with a number
//! that the sentence refers to.

mod filter;
mod moves;
mod names;
mod phrase;
mod relation;
#[cfg(test)]
mod tests;

pub use names::designator;
pub use relation::relations;

use std::borrow::Cow;

use crate::span::Span;
use crate::tree::{Bound, Filter, Header, Query, Range, Type, VariableId};

/// Maximum length of an operand within a sentence, in characters; longer ones are listed below.
const SHORT: usize = 90;

/// The explanation of a filter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sentence {
    /// The name that the sentence above uses for this one: `(1)`, `then`; may be empty.
    pub label: String,
    /// The explanation, without a capital at the beginning and without a full stop.
    pub text: String,
    /// The type of the filter; `None` for parts of paths and lines, which are not filters.
    pub ty: Option<Type>,
    /// Span of the filter; `None` for a move without operands.
    pub span: Option<Span>,
    /// Explanations of the parts that the sentence refers to.
    pub below: Vec<Sentence>,
}

/// Explains the header, with one line for each parameter.
pub fn header(header: &Header) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some((file, _)) = &header.input {
        lines.push(format!("the games of {file} are searched"));
    }
    if let Some((file, _)) = &header.output {
        lines.push(format!("games that match are written to {file}"));
    }
    if header.variations {
        lines.push("variations are searched, too".to_owned());
    }
    if let Some((first, last)) = header.gamenumber {
        lines.push(format!("only the games {first} to {last}"));
    }
    for result in &header.results {
        lines.push(format!("only games that ended {}", result.text()));
    }
    if let Some((least, most)) = header.matchcount {
        lines.push(format!("a game matches if {} of its positions do", range(least, most)));
    }
    if header.sort_matchcount {
        lines.push("games are sorted by the number of positions that match".to_owned());
    }
    if let Some(text) = &header.matchstring {
        let text = String::from_utf8_lossy(text);
        lines.push(match &*text {
            "" => "positions that match are not marked".to_owned(),
            text => format!("positions that match are marked with \"{text}\""),
        });
    }
    match header.level {
        Some(crate::tree::CommentLevel::Quiet) => {
            lines.push("nothing is marked, no comment comes by itself".to_owned());
        }
        Some(crate::tree::CommentLevel::Silent) => {
            lines.push("no comments are written".to_owned());
        }
        _ => {}
    }
    lines
}

/// Explains the filters of a query; a position matches if all of them do.
pub fn filters(query: &Query) -> Vec<Sentence> {
    let filters = query.filters.iter();
    filters.map(|filter| sentence_of(query, filter)).collect()
}

/// Explains a filter that is used as a condition.
pub fn sentence_of(query: &Query, filter: &Filter) -> Sentence {
    let words = Explainer::new(query).words_of(filter, Use::Condition);
    let (text, below) = words.said(Use::Condition);
    Sentence { label: String::new(), text, ty: Some(filter.ty), span: Some(filter.span), below }
}

/// Returns the label of a `sort`, if the query has one for it.
pub fn label_of_sort(label: &[u8]) -> Option<Cow<'_, str>> {
    (!label.starts_with(b"<sort-id-")).then(|| String::from_utf8_lossy(label))
}

/// Returns the words for a number between two.
pub fn range<N: PartialEq + std::fmt::Display>(least: N, most: N) -> String {
    if least == most { format!("exactly {least}") } else { format!("{least} to {most}") }
}

/// Use of a filter within another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Use {
    /// As a condition: whether it matches.
    Condition,
    /// As a value.
    Value,
}

/// The text for a filter, for both uses.
struct Words {
    ty: Type,
    /// The noun for its value; `None` if the value is whether the claim holds.
    noun: Option<String>,
    /// The claim if it is used as a condition; `None` to derive it from the noun.
    claim: Option<String>,
    /// Whether the noun needs no parentheses within another noun.
    is_simple: bool,
    below: Vec<Sentence>,
}

impl Words {
    /// Creates the text of a filter without a value.
    fn condition(claim: impl Into<String>) -> Words {
        Words {
            ty: Type::Boolean,
            noun: None,
            claim: Some(claim.into()),
            is_simple: false,
            below: Vec::new(),
        }
    }

    /// Creates the text of a filter with a value that needs no parentheses: a noun, perhaps with
    /// `of`.
    fn simple(ty: Type, noun: impl Into<String>) -> Words {
        Words { is_simple: true, ..Words::value(ty, noun) }
    }

    /// Creates the text of a filter with a value.
    fn value(ty: Type, noun: impl Into<String>) -> Words {
        Words { ty, noun: Some(noun.into()), claim: None, is_simple: false, below: Vec::new() }
    }

    /// Returns the text for one of the uses, and the sentences below it.
    fn said(self, used: Use) -> (String, Vec<Sentence>) {
        let text = match (used, self.noun, self.claim) {
            (Use::Value, Some(noun), _) => noun,
            (Use::Value, None, claim) => format!("whether {}", claim.unwrap_or_default()),
            (Use::Condition, _, Some(claim)) => claim,
            (Use::Condition, noun, None) => claim_of(self.ty, noun.unwrap_or_default()),
        };
        (text, self.below)
    }

    fn saying(self, claim: impl Into<String>) -> Words {
        Words { claim: Some(claim.into()), ..self }
    }

    /// Creates the text of a filter with a value, or of a condition, depending on `ty`.
    fn either(ty: Type, noun: impl Into<String>, claim: impl Into<String>) -> Words {
        match ty {
            Type::Boolean => Words::condition(claim),
            _ => Words::value(ty, noun).saying(claim),
        }
    }

    /// Creates the text of a sentence that ends with a colon; its parts are listed below.
    fn heading(ty: Type, text: &str) -> Words {
        Words::either(ty, text, text)
    }
}

/// Returns the claim of a filter, given the noun for its value.
fn claim_of(ty: Type, noun: String) -> String {
    match ty {
        Type::Boolean => noun,
        Type::Set => format!("there are {noun}"),
        Type::Numeric | Type::String => format!("{noun} has a value"),
        Type::Position => format!("there is {noun}"),
    }
}

/// Whether a text is short enough to be part of another sentence.
fn is_short(text: &str, below: &[Sentence]) -> bool {
    below.is_empty() && text.chars().count() <= SHORT
}

/// Explains a filter, and collects the sentences below its own.
struct Explainer<'q> {
    query: &'q Query,
    below: Vec<Sentence>,
    /// Number of sentences that have a number.
    n: usize,
}

impl<'q> Explainer<'q> {
    fn new(query: &'q Query) -> Explainer<'q> {
        Explainer { query, below: Vec::new(), n: 0 }
    }

    /// Explains another filter with its own list of sentences.
    fn words_of(&self, filter: &Filter, used: Use) -> Words {
        let mut inner = Explainer::new(self.query);
        let words = inner.words(filter, used);
        Words { below: inner.below, ..words }
    }

    /// Returns the noun for an operand, or a reference to its sentence below.
    fn value(&mut self, filter: &Filter) -> String {
        let (noun, below) = self.words_of(filter, Use::Value).said(Use::Value);
        self.noun_of(noun, below, filter)
    }

    /// Returns the given noun of an operand if it is short, or a reference to its sentence below.
    fn noun_of(&mut self, noun: String, below: Vec<Sentence>, filter: &Filter) -> String {
        if is_short(&noun, &below) {
            return noun;
        }
        let kind = match filter.ty {
            Type::Boolean => "the condition",
            Type::Set => "the squares",
            Type::Numeric => "the number",
            Type::String => "the text",
            Type::Position => "the position",
        };
        let label = self.number();
        let name = format!("{kind} {label}");
        self.add(label, noun, filter, below);
        name
    }

    /// Returns the noun for an operand, in parentheses if they are needed within another value.
    fn operand(&mut self, filter: &Filter) -> String {
        let words = self.words_of(filter, Use::Value);
        let is_simple = words.is_simple;
        let (noun, below) = words.said(Use::Value);
        if !is_simple && is_short(&noun, &below) {
            format!("({noun})")
        } else {
            // The noun is not computed twice: nested operands would take exponential time.
            self.noun_of(noun, below, filter)
        }
    }

    /// Returns the claim of an operand, or a reference to its sentence below.
    fn claim(&mut self, filter: &Filter) -> String {
        let (claim, below) = self.words_of(filter, Use::Condition).said(Use::Condition);
        if is_short(&claim, &below) {
            return claim;
        }
        let label = self.number();
        let name = format!("condition {label} holds");
        self.add(label, claim, filter, below);
        name
    }

    /// Adds a condition below.
    fn condition(&mut self, label: &str, filter: &Filter) {
        let (claim, below) = self.words_of(filter, Use::Condition).said(Use::Condition);
        self.add(label.to_owned(), claim, filter, below);
    }

    /// Adds a filter below whose value is the value of the whole.
    fn either(&mut self, label: &str, filter: &Filter, used: Use) {
        match (used, filter.ty) {
            (Use::Condition, _) | (_, Type::Boolean) => self.condition(label, filter),
            (Use::Value, _) => self.noun(label, filter),
        }
    }

    /// Adds a value below.
    fn noun(&mut self, label: &str, filter: &Filter) {
        let (noun, below) = self.words_of(filter, Use::Value).said(Use::Value);
        self.add(label.to_owned(), noun, filter, below);
    }

    fn add(&mut self, label: String, text: String, filter: &Filter, below: Vec<Sentence>) {
        self.below.push(Sentence {
            label,
            text,
            ty: Some(filter.ty),
            span: Some(filter.span),
            below,
        });
    }

    fn number(&mut self) -> String {
        self.n += 1;
        format!("({})", self.n)
    }

    fn variable(&self, id: VariableId) -> String {
        let variable = self.query.variables.get(id.0 as usize);
        let name = variable.map_or("", |variable| variable.name.as_str());
        // The parameters of functions have names such as `x<3>`.
        name.split('<').next().unwrap_or(name).to_owned()
    }

    fn bound(&self, bound: Bound) -> String {
        match bound {
            Bound::Constant(n) => n.to_string(),
            Bound::Variable { id, negated: false } => self.variable(id),
            Bound::Variable { id, negated: true } => format!("-{}", self.variable(id)),
        }
    }

    /// Returns a range in words: `3`, `2 to 5`.
    fn range(&self, range: Range) -> String {
        if range == Range::COUNT {
            return "any number".to_owned();
        }
        let (min, max) = (self.bound(range.min), self.bound(range.max));
        if min == max { min } else { format!("{min} to {max}") }
    }
}

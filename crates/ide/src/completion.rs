//! Completions: the words and names that can be written at an offset.

use std::collections::HashSet;

use syntax::builtin::Keyword;
use syntax::token::{Token, TokenKind};
use syntax::tree::Type;
use syntax::{Dialect, SourceId, Span};

use crate::Document;
use crate::expected::Trial;
use crate::hints::{kind_name, type_name};
use crate::names::NameKind;
use crate::position::boundary;
use crate::space::comments_between;
use crate::words::{Word, keyword_of, word_of, words};

/// Kind of a completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CompletionKind {
    /// A word that a filter begins with.
    Filter,
    /// A word within filters.
    Keyword,
    /// A function of the query.
    Function,
    /// A variable or a parameter.
    Variable,
    /// A dictionary.
    Dictionary,
}

/// A proposed word or name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// The proposed word.
    pub label: String,
    /// Kind of the word.
    pub kind: CompletionKind,
    /// The type of its value, such as `a number`; empty if it has none.
    pub detail: &'static str,
    /// A sentence that explains it.
    pub sentence: String,
    /// Text that replaces [`Completion::span`], with placeholders: `power ${1:A}`.
    pub template: String,
    /// The part of the word that is already written.
    pub span: Span,
    /// Rank of the proposal; lower ranks come first.
    pub rank: u8,
}

/// Operators between filters. No page of the manual lists them with all filters that they may
/// follow.
const OPERATORS: [Keyword; 8] = [
    Keyword::And,
    Keyword::Or,
    Keyword::In,
    Keyword::Attacks,
    Keyword::Attackedby,
    Keyword::Then,
    Keyword::Else,
    Keyword::By,
];

/// Number of tokens before an offset that are searched for the construct around it.
const AROUND: usize = 40;

/// Returns the text that is tried for a keyword within filters. Two of them need a file name, or
/// the lexer fails.
fn sample(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Input => "input a.pgn",
        Keyword::Output => "output a.pgn",
        keyword => keyword.text(),
    }
}

impl Document {
    /// Returns the completions at an offset: names of the query, and the words of the language that
    /// the types around it allow.
    pub fn completions(&self, offset: usize) -> Vec<Completion> {
        let offset = boundary(self.text(), offset);
        match self.dialect() {
            Dialect::Cql6 => self.completions_of_cql6(offset),
            Dialect::Cql5 => self.completions_of_older(self.word_before(offset)),
            Dialect::Classic => {
                let word = self.word_before(offset);
                let colon = u32::from(self.text()[..word.start as usize].ends_with(':'));
                self.completions_of_older(Span { start: word.start - colon, ..word })
            }
        }
    }

    /// Returns the part of a word that ends at an offset.
    fn word_before(&self, offset: usize) -> Span {
        let before = self.text()[..offset].bytes().rev();
        let is_letter = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'$');
        Span::new(SourceId(0), offset - before.take_while(is_letter).count(), offset)
    }

    fn completions_of_cql6(&self, offset: usize) -> Vec<Completion> {
        let result = self.result_before(offset);
        let span = result.unwrap_or_else(|| self.word_before(offset));
        let is_number = self.slice(span).starts_with(|c: char| c.is_ascii_digit());
        if result.is_none() && (self.is_literal(offset) || is_number) {
            return Vec::new();
        }
        let asked = self.proposals_after_word(span);
        if result.is_some() || self.is_in_header(span.start) {
            return asked;
        }
        let context = self.context(span.start as usize);
        let trial = Trial::behind(&context);
        let types = trial.types();
        let mut found = asked;
        found.extend(self.names_of(span, &types));
        let around = self.words_around(span.start);
        let known: HashSet<String> = found.iter().map(|one| one.label.clone()).collect();
        for word in words().iter().filter(|word| !known.contains(word.keyword.text())) {
            let rank = match word.value {
                Some(ty) if types.contains(&ty) => 2,
                None if self.is_near(word, &around) && trial.admits(sample(word.keyword)) => 0,
                _ => continue,
            };
            found.push(Completion {
                label: word.keyword.text().to_owned(),
                kind: match word.value {
                    Some(_) => CompletionKind::Filter,
                    None => CompletionKind::Keyword,
                },
                detail: word.value.map_or("", type_name),
                sentence: word.sentence.clone(),
                template: word.template.clone(),
                span,
                rank,
            });
        }
        found
    }

    /// Whether an offset is within a comment or a string.
    fn is_literal(&self, offset: usize) -> bool {
        let tokens = &self.lexed().tokens;
        let is_inside = |span: Span| {
            let is_open =
                self.slice(span).lines().count() < 2 && !self.slice(span).starts_with("/*");
            let end = span.end as usize;
            (span.start as usize) < offset && (offset < end || is_open && offset == end)
        };
        let next = tokens.partition_point(|token| (token.span.start as usize) < offset);
        let last = next.checked_sub(1).map(|index| &tokens[index]);
        let is_string = last.is_some_and(|token| {
            let end = token.span.end as usize;
            let is_closed =
                self.slice(token.span).ends_with('"') && token.span.end - token.span.start > 1;
            matches!(token.kind, TokenKind::String(_) | TokenKind::Input(_) | TokenKind::Output(_))
                && (offset < end || offset == end && !is_closed)
        });
        let (before, behind) = tokens.split_at(next);
        let is_there = |token: &&Token| token.kind != TokenKind::TripleSlashEnd;
        let start = before.iter().rev().find(is_there);
        let start = start.map_or(0, |token| token.span.end as usize);
        let end = behind.iter().find(is_there);
        let end = end.map_or(self.text().len(), |token| token.span.start as usize);
        is_string || comments_between(self.text(), start, end).any(is_inside)
    }

    /// Returns the names that are allowed at an offset.
    fn names_of(&self, word: Span, types: &[Type]) -> Vec<Completion> {
        let mut found = Vec::new();
        let mut labels = HashSet::new();
        for (index, name) in self.names().all.iter().enumerate() {
            let is_parameter = name.kind == NameKind::Parameter;
            let is_out = word.end < name.scope.start || name.scope.end < word.start;
            // The word that is being written is not proposed.
            if name.definition == word || is_parameter && is_out {
                continue;
            }
            let kind = self.kind_of(index);
            let admitted = match kind {
                Some(kind) => types.contains(&kind.ty()),
                None => !types.is_empty(),
            };
            if !admitted || !labels.insert(name.text.as_str()) {
                continue;
            }
            let mut sentence = format!("the {} {}", name.kind.name(), name.text);
            let (kind_of_name, template) = match name.kind {
                NameKind::Function => {
                    sentence += &self.parameters(index);
                    (CompletionKind::Function, self.call_of(index))
                }
                NameKind::Dictionary => (CompletionKind::Dictionary, name.text.clone()),
                NameKind::Variable | NameKind::Parameter => {
                    (CompletionKind::Variable, name.text.clone())
                }
            };
            found.push(Completion {
                label: name.text.clone(),
                kind: kind_of_name,
                detail: kind.map_or("", kind_name),
                sentence,
                template: template.replace('$', "\\$").replace("\\${", "${"),
                span: word,
                rank: 1,
            });
        }
        found
    }

    /// Returns a call of a function with a placeholder for each argument.
    fn call_of(&self, function: usize) -> String {
        let names = &self.names().all;
        let places = names[function].parameters.iter().enumerate();
        let places: Vec<String> = places
            .map(|(n, &parameter)| format!("${{{}:{}}}", n + 1, names[parameter].text))
            .collect();
        format!("{}({})", names[function].text, places.join(" "))
    }

    /// Returns the pages of the manual that explain the words before an offset.
    fn words_around(&self, start: u32) -> Vec<&'static str> {
        let tokens = &self.lexed().tokens;
        let end = tokens.partition_point(|token| token.span.end <= start);
        let near = &tokens[end.saturating_sub(AROUND)..end];
        let pages = near.iter().filter_map(|token| {
            let keyword = keyword_of(&token.kind)?;
            word_of(keyword).map(|word| word.page)
        });
        pages.collect()
    }

    /// Whether a keyword within filters is worth trying.
    fn is_near(&self, word: &Word, pages: &[&str]) -> bool {
        match word.keyword {
            Keyword::Cql => !self.text().contains("cql"),
            keyword => OPERATORS.contains(&keyword) || pages.contains(&word.page),
        }
    }
}

//! Describes each reserved word for editors: its template, the type of its value, and a sentence.
//!
//! The row of a regular word contains all of that. The row of any other word has a template and a
//! sentence; its type is determined by parsing the template.

use std::sync::OnceLock;

use syntax::builtin::{Entry, Keyword, Regular};
use syntax::token::TokenKind;
use syntax::tree::Type;

use crate::sample::parse_sample;

/// Description of a reserved word.
#[derive(Debug, Clone)]
pub(crate) struct Word {
    /// The word.
    pub(crate) keyword: Keyword,
    /// The word with its operands, in the notation of snippets: `power ${1:A}`.
    pub(crate) template: String,
    /// The type of the filter that the word begins; `None` for words within filters.
    pub(crate) value: Option<Type>,
    /// A short explanation.
    pub(crate) sentence: String,
    /// The page of the reference that explains it.
    pub(crate) page: &'static str,
}

impl Word {
    /// Returns the template with its placeholders as plain text.
    pub(crate) fn usage(&self) -> String {
        filled(&self.template)
    }
}

/// Returns the descriptions of all words, in alphabetical order.
pub(crate) fn words() -> &'static [Word] {
    static WORDS: OnceLock<Vec<Word>> = OnceLock::new();
    WORDS.get_or_init(|| Keyword::ALL.iter().copied().map(word).collect())
}

/// Returns the description of a word.
pub(crate) fn word_of(keyword: Keyword) -> Option<&'static Word> {
    let at = words().binary_search_by(|word| word.keyword.text().cmp(keyword.text()));
    Some(&words()[at.ok()?])
}

/// Returns the keyword that a token spells, assuming that no name in the query is spelled like it.
pub(crate) fn keyword_of(kind: &TokenKind) -> Option<Keyword> {
    match kind {
        TokenKind::Keyword(keyword) => Some(*keyword),
        TokenKind::Name(name) => Keyword::from_text(name),
        _ => None,
    }
}

fn word(keyword: Keyword) -> Word {
    let template = template_of(keyword);
    let value = match keyword.entry() {
        Entry::Regular(Regular::Nullary(word)) => Some(word.ty()),
        Entry::Regular(Regular::Unary(word)) => Some(word.signature().value),
        Entry::Regular(Regular::Binary(word)) => Some(word.signature().value),
        Entry::Node { .. } => type_of(&filled(&template)),
        Entry::Parameter { .. } => None,
    };
    let (page, _) = keyword.manual().split_once('#').unwrap_or_default();
    Word { keyword, sentence: sentence_of(keyword), template, value, page }
}

fn template_of(keyword: Keyword) -> String {
    let word = keyword.text();
    match keyword.entry() {
        Entry::Regular(Regular::Nullary(_)) => word.to_owned(),
        Entry::Regular(Regular::Unary(unary)) => {
            format!("{word} ${{1:{}}}", example(unary.signature().operand))
        }
        Entry::Regular(Regular::Binary(binary)) => {
            let operand = example(binary.signature().operand);
            format!("{word}(${{1:{operand}}} ${{2:{operand}}})")
        }
        Entry::Node { template, .. } | Entry::Parameter { template, .. } => match template {
            "" => word.to_owned(),
            template => template.to_owned(),
        },
    }
}

/// Returns the shortest filter of a type.
pub(crate) fn example(ty: Type) -> &'static str {
    match ty {
        Type::Boolean => "check",
        Type::Set => "A",
        Type::Numeric => "ply",
        Type::String => "\"a\"",
        Type::Position => "currentposition",
    }
}

/// Replaces the placeholders of a template by their default texts.
pub(crate) fn filled(template: &str) -> String {
    filled_in(template).0
}

/// Replaces the placeholders of a template by their default texts, and returns the place of each.
pub(crate) fn filled_in(template: &str) -> (String, Vec<(usize, usize)>) {
    let mut parts = template.split("${");
    let mut out = parts.next().unwrap_or_default().to_owned();
    let mut places = Vec::new();
    for part in parts {
        let (place, rest) = part.split_once('}').unwrap_or((part, ""));
        let start = out.len();
        out += place.split_once(':').map_or("", |(_, example)| example);
        places.push((start, out.len()));
        out += rest;
    }
    (out, places)
}

/// Definitions of the names that templates use.
const BEFORE: &str =
    "cql() here = currentposition there = currentposition dictionary D D[\"a\"] = 1 ";

/// Returns the type of a filter.
fn type_of(filter: &str) -> Option<Type> {
    let parsed = parse_sample(&format!("{BEFORE}{filter}"));
    let last = parsed.query.filters.last();
    let last = last.filter(|last| parsed.is_ok() && last.span.start as usize >= BEFORE.len())?;
    Some(last.ty)
}

/// Returns a short explanation of a word.
fn sentence_of(keyword: Keyword) -> String {
    let regular = match keyword.entry() {
        Entry::Regular(regular) => regular,
        Entry::Node { says, .. } | Entry::Parameter { says, .. } => return says.to_owned(),
    };
    let says = regular.row().says;
    let says = says.replacen("{}", "S", 1).replacen("{}", "T", 1);
    match regular {
        Regular::Unary(_) => format!("{says} S"),
        Regular::Nullary(_) | Regular::Binary(_) => says,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_filled() {
        assert_eq!(filled("a ${1:b} (${2:c})"), "a b (c)");
        assert_eq!(filled("a"), "a");
        assert_eq!(filled("a {${1:b}}"), "a {b}");
    }

    #[test]
    fn every_word_that_begins_a_filter_has_a_template_that_is_one() {
        let missing: Vec<&str> = words()
            .iter()
            .filter(|word| word.keyword.begins_filter() && word.value.is_none())
            .map(|word| word.keyword.text())
            .collect();
        assert_eq!(missing, [""; 0]);
        for word in words().iter().filter(|word| word.keyword.regular().is_some()) {
            assert_eq!(type_of(&word.usage()), word.value, "{}", word.usage());
        }
    }

    #[test]
    fn every_word_has_a_sentence() {
        for word in words() {
            let (sentence, text) = (&word.sentence, word.keyword.text());
            assert!(sentence.len() > 5, "{text}: {sentence:?}");
            assert!(!sentence.ends_with('.'), "{text}: {sentence:?}");
            assert!(word.template.starts_with(text), "{}", word.template);
        }
        let check = |word: Keyword, expected: &str| {
            let found = word_of(word).map(|word| word.sentence.as_str());
            assert_eq!(found, Some(expected));
        };
        check(Keyword::Power, "the value in pawns of S");
        check(Keyword::Distance, "the number of moves between S and T");
        check(Keyword::Flip, "the eight turns and mirrorings of the board");
    }
}

//! Answers about queries in older dialects: their words are explained by a page of the book, their
//! filters by the translation into CQL 6.2.

use syntax::builtin::Keyword;
use syntax::classic::{self, ListKind};
use syntax::cql5::word::Word;
use syntax::explain::{self, Sentence, filters};
use syntax::migrate::{Translation, migrate};
use syntax::older::{tokens, translate};
use syntax::steps::label;
use syntax::token::{Token, TokenKind};
use syntax::tree::{DirectionName, Type};
use syntax::{Dialect, ParseOptions, Source, SourceId, Span, lex, parse};

use crate::Document;
use crate::completion::{Completion, CompletionKind};
use crate::explain::smallest_at;
use crate::hover::{Hover, of_word};
use crate::manual::OLDER;
use crate::space::comments_between;
use crate::words::word_of;

/// A form of a word, with its meaning.
struct WordForm {
    word: &'static str,
    form: &'static str,
    says: &'static str,
}

impl WordForm {
    fn sentence(&self) -> String {
        format!("{}: {}", self.form, self.says)
    }
}

/// Parts of a query that have words of their own. Each has a table of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum WordTable {
    Cql5,
    List(ListKind),
}

impl WordTable {
    /// Returns the first cell of the table.
    fn title(self) -> &'static str {
        match self {
            WordTable::Cql5 => "word",
            WordTable::List(kind) => kind.name(),
        }
    }

    /// Returns the forms of the words, in the order of the page.
    fn forms(self) -> impl Iterator<Item = WordForm> {
        let rows = OLDER.text.lines().map(|line| {
            let cells = line.strip_prefix("| ").and_then(|line| line.strip_suffix(" |"));
            let mut cells = cells.unwrap_or_default().splitn(3, " | ");
            let mut cell = || cells.next().unwrap_or_default();
            [cell(), cell(), cell()]
        });
        let table = rows.skip_while(move |row| row[0] != self.title()).skip(2);
        table.take_while(|row| !row[0].is_empty()).map(|[word, form, says]| WordForm {
            word: word.trim_matches('`'),
            form,
            says,
        })
    }

    /// Returns the forms of a word as lines.
    fn explained(self, word: &str) -> Option<String> {
        let forms = self.forms().filter(|form| form.word == word);
        let lines: Vec<String> = forms.map(|form| form.sentence()).collect();
        (!lines.is_empty()).then(|| lines.join("\n\n"))
    }
}

impl Document {
    /// Returns the part of an older query at an offset; `None` outside of lists.
    fn place_at(&self, offset: usize) -> Option<WordTable> {
        match self.dialect() {
            Dialect::Cql5 => Some(WordTable::Cql5),
            _ => classic::list_at(self.text().as_bytes(), offset).map(WordTable::List),
        }
    }

    /// Whether an offset of an older query is within a comment or a string.
    fn is_apart(&self, offset: usize) -> bool {
        let tokens = tokens(self.text().as_bytes(), self.dialect());
        let next = tokens.partition_point(|token| (token.start as usize) < offset);
        let last = tokens[..next].last().copied().unwrap_or_default();
        if offset <= last.end as usize {
            return self.slice(last).starts_with('"') && offset < last.end as usize;
        }
        let end = tokens.get(next).map_or(self.text().len(), |token| token.start as usize);
        comments_between(self.text(), last.end as usize, end)
            .any(|comment| (comment.start as usize) < offset && offset <= comment.end as usize)
    }

    /// Returns the words of an older dialect that fit at an offset, and the variables of the query.
    pub(crate) fn completions_of_older(&self, word: Span) -> Vec<Completion> {
        let place = self.place_at(word.start as usize);
        let Some(place) = place.filter(|_| !self.is_apart(word.start as usize)) else {
            return Vec::new();
        };
        let proposal = |label: &str, kind, sentence: String, rank| Completion {
            label: label.to_owned(),
            kind,
            detail: "",
            sentence,
            template: label.replace('$', "\\$"),
            span: word,
            rank,
        };
        let names = self.names().all.iter().filter(|name| name.definition != word);
        let names = names.map(|name| {
            let sentence = format!("the variable {}", name.text);
            proposal(&name.text, CompletionKind::Variable, sentence, 1)
        });
        let filter = |label: &str, sentence| proposal(label, CompletionKind::Filter, sentence, 2);
        let words: Vec<Completion> = match place {
            WordTable::Cql5 => {
                let words = Word::ALL.iter().map(|word| word.text());
                words.map(|word| filter(word, sentence_of(word))).collect()
            }
            place => place.forms().map(|form| filter(form.word, form.sentence())).collect(),
        };
        names.chain(words).collect()
    }

    /// Returns the explanation of the word at an offset of an older query.
    pub(crate) fn hover_of_older(&self, offset: usize) -> Option<Hover> {
        let text = self.text().as_bytes();
        let at = |span: &Span| (span.start as usize..=span.end as usize).contains(&offset);
        let signs = ["(", ")", "{", "}", "*", "+", "?"];
        let is_word = |span: &Span| !signs.contains(&self.slice(*span));
        let mut tokens = tokens(text, self.dialect()).into_iter();
        let span = tokens.find(|span| at(span) && is_word(span))?;
        let word = self.slice(span);
        let place = self.place_at(span.start as usize)?;
        let general = match place {
            WordTable::Cql5 => {
                let word = word.trim_start_matches(':');
                let mut directions = DirectionName::ALL.iter();
                let is_known =
                    Word::from_text(word).is_some() || directions.any(|name| name.word() == word);
                let same = Keyword::from_text(word).filter(|_| is_known);
                place.explained(word).or_else(|| same.map(of_word))
            }
            list => list.explained(word),
        };
        let general = general.or_else(|| designator(text, span, self.dialect()));
        let translated = translate(text, self.dialect());
        let sentences =
            translated.map(|(translation, dropped)| translated_sentences(&translation, &dropped));
        let here = smallest_at(&sentences.unwrap_or_default(), span.start);
        Hover::of(span, here, general)
    }
}

/// Returns a short explanation of a word of CQL 5.
fn sentence_of(word: &str) -> String {
    match WordTable::Cql5.forms().find(|form| form.word == word) {
        Some(form) => form.sentence(),
        None => {
            let same = Keyword::from_text(word).and_then(word_of);
            same.map_or(String::new(), |word| word.sentence.clone())
        }
    }
}

/// Explains the conditions of a query that has no translation as a whole, and names those that have
/// none alone; empty if none can be explained.
pub(crate) fn conditions(text: &[u8], dialect: Dialect) -> Vec<Sentence> {
    if dialect == Dialect::Classic {
        return lists(text);
    }
    let Some((translation, dropped)) = translate(text, dialect) else {
        return Vec::new();
    };
    let mut sentences = translated_sentences(&translation, &dropped);
    if !sentences.is_empty() {
        sentences.extend(dropped.iter().map(|span| untranslated(text, *span)));
        sentences.sort_by_cached_key(|sentence| sentence.span.map_or(0, |span| span.start + 1));
    }
    sentences
}

/// Explains the lists of a classic query; their transforms are shown as written. Relations are
/// explained elsewhere.
fn lists(text: &[u8]) -> Vec<Sentence> {
    let query = classic::parse(SourceId(0), text, classic::MAX_DEPTH).query;
    let lists = query.lists.iter().map(|list| {
        let relation = list.relation.as_ref().map(|relation| relation.span.start);
        let parts = list.parts.iter().filter(|part| Some(part.start) != relation);
        Sentence {
            label: String::new(),
            text: format!("a position of the game matches `{}`:", written(text, list.span)),
            ty: Some(Type::Boolean),
            span: Some(list.span),
            below: parts.flat_map(|part| alone(text, *part)).collect(),
        }
    });
    lists.collect()
}

/// Explains a condition of a list, without the transforms of the list.
fn alone(text: &[u8], part: Span) -> Vec<Sentence> {
    match lone(text, part, Dialect::Classic) {
        Some(translation) => translated_sentences(&translation, &[]),
        None => vec![untranslated(text, part)],
    }
}

fn untranslated(text: &[u8], span: Span) -> Sentence {
    let text = format!("`{}`, which has no translation", written(text, span));
    Sentence { label: String::new(), text, ty: None, span: Some(span), below: Vec::new() }
}

/// Returns a part of the query on one line.
fn written(text: &[u8], span: Span) -> String {
    let text = text.get(span.start as usize..span.end as usize).unwrap_or_default();
    label(&String::from_utf8_lossy(text))
}

/// Explains the filters of a translation, at their places in the original, except those in the
/// places that are `dropped`.
pub(crate) fn translated_sentences(translation: &Translation, dropped: &[Span]) -> Vec<Sentence> {
    fn place(sentence: &mut Sentence, translation: &Translation) {
        sentence.span = sentence.span.and_then(|span| translation.original(span));
        sentence.below.iter_mut().for_each(|below| place(below, translation));
    }
    let source = Source { name: "", text: &translation.text };
    let query = parse(&source, &[], &ParseOptions::default()).query;
    let mut sentences = filters(&query);
    sentences.iter_mut().for_each(|sentence| place(sentence, translation));
    let is_dropped = |span: Span| dropped.iter().any(|dropped| dropped.contains(span));
    sentences.retain(|sentence| !sentence.span.is_some_and(is_dropped));
    sentences
}

/// Translates a condition alone, at its place.
fn lone(text: &[u8], part: Span, dialect: Dialect) -> Option<Translation> {
    let (head, end) = match dialect {
        Dialect::Classic => ("(position", ")"),
        _ => ("cql()", ""),
    };
    let mut query = head.as_bytes().to_vec();
    query.resize(part.start as usize, b' ');
    query.extend(text.get(part.start as usize..part.end as usize)?);
    query.extend(end.bytes());
    migrate(&query, dialect).ok()
}

/// Explains a piece designator.
fn designator(text: &[u8], span: Span, dialect: Dialect) -> Option<String> {
    let translation = lone(text, span, dialect)?;
    let place = translation.translated(span)?;
    let text = translation.text.get(place.start as usize..place.end as usize)?;
    match lex(SourceId(0), text).tokens.as_slice() {
        [Token { kind: TokenKind::Designator(designator), .. }] => {
            Some(explain::designator(*designator))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words with the same meaning in CQL 6, which the page names before its table, and words that
    /// have no effect.
    const OTHERS: [&str; 24] = [
        "black",
        "btm",
        "check",
        "cql",
        "echodihedral",
        "echoflipdihedral",
        "echorotate45",
        "echoshifthorizontal",
        "echoshiftvertical",
        "extension",
        "flipdihedral",
        "initial",
        "legal",
        "mainline",
        "mate",
        "max",
        "min",
        "number",
        "pgn",
        "stalemate",
        "terminal",
        "variation",
        "white",
        "wtm",
    ];

    #[test]
    fn the_page_has_all_words() {
        let missing = Word::ALL.iter().map(|word| word.text());
        let missing: Vec<&str> =
            missing.filter(|word| WordTable::Cql5.explained(word).is_none()).collect();
        assert_eq!(missing, OTHERS);
        for kind in [ListKind::Match, ListKind::Position, ListKind::Relation] {
            let mut found: Vec<&str> =
                WordTable::List(kind).forms().map(|form| &form.word[1..]).collect();
            let mut known = kind.words();
            found.sort_unstable();
            known.sort_unstable();
            assert_eq!(found, known);
        }
    }
}

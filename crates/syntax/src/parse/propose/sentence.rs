//! Finds texts that are no query but a sentence, SQL or JSON, whose words would be reported one by
//! one.

use super::foreign::of_conditions;
use super::words::{is_little, is_of_sentences};
use crate::diagnostic::{Diagnostic, Severity};
use crate::help::{advised, finds, finds_queries};
use crate::parse::error::code;
use crate::parse::mend::{UNASSIGNED, is_designator, is_square};
use crate::parse::parsed::Parsed;
use crate::span::{SourceId, Span};

/// Maximum length of such a text.
const LONGEST: usize = 1000;

/// Replaces the errors of each text that is no query by one.
pub(in crate::parse) fn report_sentences(texts: &[&[u8]], parsed: &mut Parsed) {
    if parsed.mended.is_some() {
        return;
    }
    for (source, text) in texts.iter().enumerate() {
        let is_own = |d: &Diagnostic| {
            d.severity == Severity::Error
                && usize::from(d.span.source.0) == source
                && d.code != code::NO_HEADER
        };
        let Some(first) = parsed.diagnostics.iter().position(is_own) else {
            continue;
        };
        let Some(text) = std::str::from_utf8(text).ok().filter(|text| text.len() <= LONGEST) else {
            continue;
        };
        let (body, span) = body_of(text, SourceId(source as u16));
        let unknown = parsed.diagnostics.iter().filter(|d| is_own(d) && is_unknown(d));
        let words = unknown.filter_map(|d| text.get(d.span.start as usize..d.span.end as usize));
        let n_unknown = words.filter(|word| word.len() > 2 && !is_little(word)).count();
        // as in `mate by queen`, where a reserved word is one of English
        let is_by = |d: &&Diagnostic| {
            let place = d.span.start as usize..d.span.end as usize;
            let is_it = text.get(place.clone()) == Some("by") && body.len() > place.len();
            d.code == code::EXPECTED_FILTER && is_own(d) && is_it
        };
        let n_unknown = n_unknown + parsed.diagnostics.iter().filter(is_by).count();
        let Some(error) = of_conditions(body, span).or_else(|| of_words(body, span, n_unknown))
        else {
            continue;
        };
        parsed.diagnostics.retain(|d| !is_own(d));
        parsed.diagnostics.insert(first.min(parsed.diagnostics.len()), error);
    }
}

/// Returns the text of a query without an empty header, and its place.
#[must_use]
pub fn body_of(text: &str, source: SourceId) -> (&str, Span) {
    let body = text.trim_start().strip_prefix("cql()").unwrap_or(text).trim();
    let start = body.as_ptr() as usize - text.as_ptr() as usize;
    (body, Span::new(source, start, start + body.len()))
}

/// Whether nothing is known about a name.
fn is_unknown(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == code::UNKNOWN_NAME
        && diagnostic.help.as_deref().is_none_or(|help| help == UNASSIGNED)
}

/// Returns the words of a text.
fn words_of(body: &str) -> impl Iterator<Item = &str> {
    body.split([' ', ',', '.', '?', '!']).filter(|word| !word.is_empty())
}

/// Returns the error for a sentence: it has two words that say little, or one that does and an
/// unknown one, or begins with *please*.
fn of_words(body: &str, span: Span, n_unknown: usize) -> Option<Diagnostic> {
    // as in `N on e5 or N on d5`, each part of which has a proposal of its own
    let is_of_places =
        |word: &str| is_designator(word) || matches!(word, "on" | "at" | "is" | "or" | "and");
    if words_of(body).all(is_of_places) {
        return None;
    }
    let is_of_word = |c: char| c.is_alphanumeric() || " -'’,.?!".contains(c);
    let words = || words_of(body);
    let n_little = words().filter(|word| is_little(word)).count();
    let is_request = words().next().is_some_and(|word| word.eq_ignore_ascii_case("please"));
    let is_sentence = n_little >= 2
        || n_little == 1 && n_unknown > 0 && words().count() <= 4
        || is_request && words().count() > 1;
    if !is_sentence || body.contains("--") || !body.chars().all(is_of_word) {
        return None;
    }
    let message = "these words are a sentence, not a query";
    let error = Diagnostic::error(code::SENTENCE, span, message);
    if let Some(error) = advised(error.clone(), body) {
        return Some(error);
    }
    let is_said = |word: &&str| {
        // The words for what a query leaves out say so: `without queens`.
        (!is_little(word) || *word == "without") && !matches!(*word, "a" | "all" | "and" | "find")
    };
    let mut said: Vec<&str> = words().filter(is_said).collect();
    // `cql help` leaves out a word that it does not find, but not most of them.
    if said.len() <= 3 {
        // Queries that are found by words rarely have squares.
        said.retain(|word| !is_square(word));
    }
    let is_empty = said.iter().all(|word| is_little(word) || is_of_sentences(word));
    let said = said.join(" ").replace(['\'', '’'], "");
    let said = if is_empty { "queries".to_owned() } else { said };
    let help = if finds(&said, false) == Some(false) {
        "a query is made of filters, such as `mate`; `cql cookbook` lists queries to begin with"
            .to_owned()
    } else {
        finds_queries(&said)
    };
    Some(error.with_help(help))
}

#[cfg(test)]
mod tests {
    use crate::parse::tests::dump::parse_body;

    /// Returns the only error of a text, and its help.
    fn error(text: &str) -> Option<(String, String)> {
        let (_, parsed) = parse_body(text);
        match &parsed.diagnostics[..] {
            [one] => Some((one.message.clone(), one.help.clone()?)),
            _ => None,
        }
    }

    #[test]
    fn a_sentence_is_one_error() {
        for (text, words) in [
            ("show me all games where a knight checkmates", "knight checkmates"),
            ("Which games did Kasparov lose?", "Kasparov lose"),
            ("white wins with a bishop sacrifice on h7", "white wins bishop sacrifice h7"),
            ("all games by Morphy", "Morphy"),
            ("longest game", "longest"),
            ("player is Carlsen", "player Carlsen"),
            ("what is this", "queries"),
            ("where are the games", "queries"),
            ("list of games", "queries"),
            ("games without queens", "without queens"),
            ("games of Tal and Fischer", "Tal Fischer"),
            ("please find mates", "mates"),
            ("white has a rook on e1", "white rook"),
            ("black queen on the board", "black queen board"),
            ("all games with castling queenside", "castling queenside"),
        ] {
            let (message, help) = error(text).expect(text);
            assert!(message.contains("sentence"), "{text}: {message}");
            assert!(help.starts_with(&format!("`cql help {words}` ")), "{text}: {help}");
        }
        for text in ["mate foo", "x y", "the", "stalmate", "foo == 3 bar", "knight fork", "is --"] {
            let (_, parsed) = parse_body(text);
            assert!(parsed.diagnostics.iter().all(|d| d.code != "E0115"), "{text}");
        }
    }
}

//! Proposes other names: for reserved words in place of new names, and for misspelled names.

use crate::builtin::{Keyword, Regular};
use crate::parse::error::{MAX_ERRORS, are_swapped};
use crate::parse::mend::{Mend, is_designator};
use crate::parse::parser::Parser;
use crate::span::Span;
use crate::token::{Symbol, TokenKind};
use crate::tree::DirectionName;

/// Maximum length of words that resemble each other although both may be meant.
const SHORT: usize = 5;

/// Whether a word is probably a misspelled keyword, not another word: letters are swapped or
/// missing, or one is doubled. Another letter makes another word of a short one: `side`, `more`; but
/// no word lacks a vowel: `wtn`.
fn is_misspelled(word: &str, keyword: &str) -> bool {
    let word = word.to_ascii_lowercase();
    let has_double = || {
        let bytes = word.as_bytes();
        let mut places = (1..bytes.len()).filter(|&at| bytes[at - 1] == bytes[at]);
        places.any(|at| [&bytes[..at], &bytes[at + 1..]].concat() == keyword.as_bytes())
    };
    let has_vowel = word.contains(['a', 'e', 'i', 'o', 'u', 'y']);
    !has_vowel
        || word.len() > SHORT
        || keyword.len() > word.len()
        || are_swapped(&word, keyword)
        || has_double()
}

impl Parser<'_> {
    /// Returns a proposal for a reserved word in place of a new name.
    pub(in crate::parse) fn mend_of_taken_name(&self, word: &str) -> Mend {
        let text = self.text_of(self.here());
        if !text.bytes().all(|b| b.is_ascii_alphanumeric()) {
            return Mend::advice("use another name");
        }
        let example = if word.bytes().all(|b| b.is_ascii_alphabetic()) {
            format!("{word} ${text}")
        } else {
            format!("${text}")
        };
        let help = format!("names may begin with `$`: `{example}`");
        match self.renamed(&text) {
            Some((whole, text)) => Mend::edit(help, whole, text),
            None => Mend::advice(format!("{help}, and likewise where the name is used")),
        }
    }

    /// Returns the text from the next token, which declares `name`, to its last use, with `$`
    /// before the name; `None` if it is not certain where the name is used.
    fn renamed(&self, name: &str) -> Option<(Span, String)> {
        if self.diagnostics.len() >= MAX_ERRORS {
            return None;
        }
        let declared = self.pos;
        let is_use = |at: &usize| self.text_at(*at) == name;
        let mut uses: Vec<usize> = (declared + 1..self.limit).filter(is_use).collect();
        if let Some(&first) = uses.first() {
            let is_open = |at: &usize| self.symbol_at(*at) == Some(Symbol::OpenBrace);
            let mut open = (declared + 1..self.limit).find(is_open)?;
            let mut close = self.stream.partner(open)?;
            // as in `square p in {R r} {p -> k}`
            while is_open(&(close + 1)) {
                open = close + 1;
                close = self.stream.partner(open)?;
            }
            let is_assigned = self.symbol_at(declared + 1) == Some(Symbol::Assign);
            let is_after = uses.last().is_some_and(|last| *last > close);
            if is_assigned || first < open || is_after && !self.is_first_on_line(close + 1) {
                return None;
            }
            uses.retain(|at| *at < close);
        }
        let whole = self.tokens(declared, uses.last().copied().unwrap_or(declared));
        let mut text = self.whole_text_of(whole);
        for at in uses.into_iter().rev().chain([declared]) {
            // Arguments of functions are elsewhere, and text that is not UTF-8 has other offsets.
            let place = self.span_at(at).start.checked_sub(whole.start)? as usize;
            text.get(place..).filter(|rest| rest.starts_with(name))?;
            text.insert(place, '$');
        }
        Some((whole, text))
    }

    /// Returns a proposal for a keyword with its operand directly after it: `child1`, `powerA`.
    pub(super) fn mend_of_glued(&self, name: &str, span: Span) -> Option<Mend> {
        let mut places = (1..name.len()).rev().filter(|at| name.is_char_boundary(*at));
        let (keyword, rest) = places.find_map(|at| {
            let (word, rest) = name.split_at(at);
            Some((Keyword::from_text(word)?, rest))
        })?;
        let word = keyword.text();
        if rest.bytes().all(|b| b.is_ascii_digit()) {
            let takes_number = word == "position";
            let text = match keyword {
                Keyword::Child => format!("child({rest})"),
                _ if takes_number || DirectionName::from_word(word).is_some() => {
                    format!("{word} {rest}")
                }
                _ => {
                    let help = format!("a number stands apart from the word `{word}`");
                    return Some(Mend::advice(help));
                }
            };
            return Some(Mend::edit(format!("write `{text}`"), span, text));
        }
        if !is_designator(rest) {
            return None;
        }
        let text = match keyword.regular() {
            Some(Regular::Unary(_)) => format!("{word} {rest}"),
            Some(Regular::Binary(_)) => format!("{word}({rest}"),
            _ => return None,
        };
        Some(Mend::edit(format!("a set stands apart from the word: `{text}`"), span, text))
    }

    /// Returns a proposal for a name that resembles another.
    pub(super) fn mend_of_near(&self, name: &str, span: Span, near: &str) -> Mend {
        let help = format!("did you mean `{near}`?");
        if Keyword::from_text(near).is_some() {
            return if is_misspelled(name, near) {
                Mend::edit(help, span, near)
            } else {
                Mend::advice(help)
            };
        }
        // The other name may be the misspelled one, if it is only declared.
        let is_near = |kind: &TokenKind| matches!(kind, TokenKind::Name(name) if name == near);
        let tokens = self.stream.tokens.iter();
        let mut places = tokens.filter(|token| is_near(&token.kind)).map(|token| token.span);
        match (places.next(), places.next()) {
            (Some(declared), None) => {
                let help = format!("did you mean `{name}` where `{near}` is declared?");
                Mend::edit(help, declared, name)
            }
            _ => Mend::edit(help, span, near),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{ParseOptions, Source, parse};

    #[test]
    fn uses_are_renamed_where_they_are_certain() {
        let check = |text: &[u8], expected: Option<&str>| {
            let source = Source { name: "", text };
            let parsed = parse(&source, &[], &ParseOptions::default());
            let edit = parsed.diagnostics.iter().find_map(|d| d.edit.as_ref());
            assert_eq!(edit.map(|edit| &*edit.text), expected, "{}", text.escape_ascii());
        };
        check(b"cql() square p in R {p->k}", Some("$p in R {$p"));
        check(b"cql() square p in R {p->k}\np", Some("$p in R {$p"));
        check(b"cql() square p in R {p->k} or p", None);
        check(b"cql() square p in p {p->k}", None);
        check(b"cql() square p in R {comment(\"\xff\") p->k}", None);
        let text = "cql() square p in R {comment(\"ä\") p->k}";
        check(text.as_bytes(), Some("$p in R {comment(\"ä\") $p"));
        check(b"cql() function f(x){square p in x {p->x}} f(p)", Some("$p in x {$p"));
    }

    #[test]
    fn other_words_are_no_misspelled_ones() {
        let check = |word: &str, keyword: &str, expected: bool| {
            assert_eq!(is_misspelled(word, keyword), expected, "{word}");
        };
        check("filp", "flip", true);
        check("chek", "check", true);
        check("matte", "mate", true);
        check("Mate", "mate", true);
        check("stalmate", "stalemate", true);
        check("wtn", "wtm", true);
        check("side", "site", false);
        check("nor", "or", false);
        check("moved", "move", false);
    }
}

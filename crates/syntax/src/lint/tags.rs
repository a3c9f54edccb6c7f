//! Warns of texts that do not occur in tags: other forms of dates, names in lower case.

use super::Linter;
use super::conditions::mirrored;
use super::place::FilterContext;
use crate::builtin::{Nullary, NumberSource, PositionText, TextToText, Unary};
use crate::diagnostic::Diagnostic;
use crate::lex::DATE_FORM;
use crate::parse::matching;
use crate::seen::{
    TagComparison, filter_of_codes, is_date, is_eco, reordered, seen_eco, seen_name,
};
use crate::span::Span;
use crate::tree::{Filter, FilterKind, Pattern, Query, Relation, TextSource, holds};

/// No game has this year.
const LAST_YEAR: &str = "2100";

/// Words within names that begin with a lower-case letter.
const PARTICLES: [&str; 17] = [
    "van", "der", "den", "von", "zur", "ter", "ten", "del", "dos", "das", "bin", "ibn", "abu",
    "los", "las", "dal", "zum",
];

/// A text that a query searches in a tag, or compares with the whole tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagText {
    /// The tag.
    pub source: TextSource,
    /// The text.
    pub text: Vec<u8>,
    /// The filter.
    pub span: Span,
    /// Whether the text may be a part of the value.
    pub is_part: bool,
    /// Whether it is compared with the small letters of the value.
    pub is_lowercase: bool,
    /// Whether it is a regular expression, in which a dot is any character.
    pub is_pattern: bool,
}

/// Returns the names of players, events and sites that a query contains.
pub fn texts_of_tags(query: &Query) -> Vec<TagText> {
    fn visit(filter: &Filter, found: &mut Vec<TagText>) {
        let constant = constant_in_text(filter).map(|(text, source, part)| match &source.kind {
            FilterKind::Unary(Unary::TextToText(TextToText::Lowercase), source) => {
                (text, &**source, part, true)
            }
            _ => (text, source, part, false),
        });
        let is_pattern = constant.is_none();
        let constant = constant.or_else(|| in_pattern(filter));
        // Texts are written the other way around, too: `"karpov" in lowercase player`.
        if let Some((text, source, part, is_lowercase)) = constant
            && (matches!(part, TagComparison::Any | TagComparison::Whole)
                || is_lowercase && part == TagComparison::Inside)
            && let FilterKind::TextSource(
                source @ (TextSource::Player(_)
                | TextSource::Players
                | TextSource::Event
                | TextSource::Site),
            ) = &source.kind
        {
            found.push(TagText {
                source: source.clone(),
                text: text.to_vec(),
                span: filter.span,
                is_part: part != TagComparison::Whole,
                is_lowercase,
                is_pattern,
            });
        }
        filter.for_each_child(&mut |child| visit(child, found));
    }
    let mut found = Vec::new();
    query.filters.iter().for_each(|filter| visit(filter, &mut found));
    found
}

/// Returns the text of a regular expression that is one, apart from `^` and `$` at its ends, and from dots,
/// which are any character, but stand after initials in names: `Fischer, Robert J.`
pub fn plain_text(pattern: &[u8]) -> Option<&[u8]> {
    let text = pattern.strip_prefix(b"^").unwrap_or(pattern);
    let text = text.strip_suffix(b"$").unwrap_or(text);
    let is_plain = |byte: &u8| !b"\\^$|?*+()[]{}".contains(byte);
    (!text.is_empty() && text.iter().all(is_plain)).then_some(text)
}

/// Returns the text that a match looks for, if its regular expression is one.
fn in_pattern(filter: &Filter) -> Option<(&[u8], &Filter, TagComparison, bool)> {
    match &filter.kind {
        FilterKind::Match { subject, pattern } => match &**pattern {
            Pattern::Literal(pattern, _) => {
                Some((plain_text(pattern)?, &**subject, TagComparison::Any, false))
            }
            Pattern::Computed(_) => None,
        },
        _ => None,
    }
}

/// Returns the names of tags that a query reads by `tag`, without those that have filters of their
/// own.
pub fn other_tags(query: &Query) -> Vec<Vec<u8>> {
    fn visit(filter: &Filter, found: &mut Vec<Vec<u8>>) {
        if let FilterKind::TextSource(TextSource::Tag(name)) = &filter.kind
            && !found.contains(name)
        {
            found.push(name.clone());
        }
        filter.for_each_child(&mut |child| visit(child, found));
    }
    let mut found = Vec::new();
    query.filters.iter().for_each(|filter| visit(filter, &mut found));
    found
}

/// Returns the filters of a query whose values are in comments: clocks, times and evaluations.
pub fn numbers_of_comments(query: &Query) -> Vec<NumberSource> {
    fn visit(filter: &Filter, found: &mut Vec<NumberSource>) {
        if let FilterKind::Nullary(Nullary::NumberSource(
            word @ (NumberSource::Clock | NumberSource::Elapsed | NumberSource::Eval),
        )) = filter.kind
        {
            found.push(word);
        }
        filter.for_each_child(&mut |child| visit(child, found));
    }
    let mut found = Vec::new();
    query.filters.iter().for_each(|filter| visit(filter, &mut found));
    found
}

impl Linter<'_> {
    /// Checks the form of a constant text that is compared with a tag.
    pub(super) fn form_of_tags(&mut self, filter: &Filter) {
        let Some((text, source, part)) = constant_in_text(filter) else {
            return;
        };
        let (FilterKind::TextSource(source), Ok(text)) = (&source.kind, std::str::from_utf8(text))
        else {
            return;
        };
        if self.choice_in_text(filter, text) {
            return;
        }
        match source {
            TextSource::Date | TextSource::EventDate => {
                self.date(filter.span, text, part);
                self.date_after_a_part(filter, source, text);
            }
            TextSource::Player(_) | TextSource::Players
                if matches!(part, TagComparison::Any | TagComparison::Whole) =>
            {
                self.player(filter.span, text);
                self.seen_otherwise(filter.span, text, &seen_name(text, part), "names");
            }
            TextSource::Eco if !is_eco(text, part) => match several_codes(filter, text) {
                Some(range) => self.warnings.push(
                    Diagnostic::warning(
                        "W0417",
                        filter.span,
                        format!("no game has the code \"{text}\""),
                    )
                    .with_help(format!("codes are compared one by one: `{range}`"))
                    .with_edit(filter.span, range),
                ),
                None if is_eco(text, TagComparison::Start)
                    && !text.is_empty()
                    && matches!(filter.kind, FilterKind::Relation { op: Relation::Equal, .. }) =>
                {
                    let message = format!("no code is exactly \"{text}\"");
                    let part = format!("eco \"{text}\"");
                    let help = format!("`{part}` finds a part of a code; `==` compares all of it");
                    let warning = Diagnostic::warning("W0402", filter.span, message)
                        .with_help(help)
                        .with_edit(filter.span, part);
                    self.warnings.push(warning);
                }
                None => {
                    let seen = seen_eco(text);
                    self.seen_otherwise(filter.span, text, &seen, "codes of openings");
                }
            },
            _ => {}
        }
    }

    /// Warns of a choice, or the sign of a beginning, after a word that searches a text as it is, as in
    /// `player "Carlsen|Anand"` and `player "^Carlsen"`. Other signs of regular expressions are errors.
    fn choice_in_text(&mut self, filter: &Filter, text: &str) -> bool {
        let FilterKind::Contains(_, source) = &filter.kind else {
            return false;
        };
        let is_of_names = |c: char| c.is_alphanumeric() || " ,-'|".contains(c);
        let (start, plain) = match text.strip_prefix('^') {
            Some(plain) => ("^", plain),
            None => ("", text),
        };
        let parts: Vec<&str> = plain.split('|').map(str::trim).collect();
        let has_sign = !start.is_empty() || parts.len() > 1;
        let is_whole = parts.iter().all(|part| !part.is_empty());
        if !has_sign || !is_whole || !plain.chars().all(is_of_names) {
            return false;
        }
        let word = self.text(source.span);
        let sign = if start.is_empty() { "|" } else { start };
        let message =
            format!("`{sign}` is searched as it is: the text after `{word}` is no pattern");
        let pattern = format!("\"{start}{}\"", parts.join("|"));
        let matched = matching(word, &pattern);
        let warning = Diagnostic::warning("W0417", filter.span, message)
            .with_help(format!("`~~` looks for a pattern: `{matched}`"))
            .with_edit(filter.span, matched);
        self.warnings.push(warning);
        true
    }

    /// Warns of a constant text that is compared with the same text in all images of a transform.
    pub(super) fn text_in_images(&mut self, filter: &Filter, place: FilterContext) {
        let Some((_, source, _)) = constant_in_text(filter).filter(|_| place.has_images) else {
            return;
        };
        let is_of_position = match &source.kind {
            FilterKind::Nullary(Nullary::PositionText(word)) => !matches!(
                word,
                PositionText::Variant | PositionText::Opening | PositionText::OpeningCode
            ),
            FilterKind::Engine(_) => true,
            _ => false,
        };
        if is_of_position {
            let text = self.text(source.span);
            let message = format!("`{text}` is the same text in all images of the transform");
            let warning = Diagnostic::warning("W0418", filter.span, message)
                .with_help("name pieces and squares by designators, which have images");
            self.warnings.push(warning);
        }
    }

    fn date(&mut self, span: Span, text: &str, part: TagComparison) {
        if is_date(text, part) {
            return;
        }
        let help =
            "dates are written yyyy.mm.dd, such as \"1992.07.30\"; what is not known is `??`";
        let message = format!("no date of a game has the form \"{text}\"");
        let warning = Diagnostic::warning("W0409", span, message);
        self.warnings.push(match (reordered(text), self.literal(span, text)) {
            (Some(date), Some(place)) => warning
                .with_help(format!("{help}: write \"{date}\""))
                .with_edit(place, format!("\"{date}\"")),
            _ => warning.with_help(help),
        });
    }

    /// Warns of `date > "1995"`: all dates of 1995 begin with it, and come after it.
    fn date_after_a_part(&mut self, filter: &Filter, source: &TextSource, text: &str) {
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return;
        };
        let is_left = matches!(left.kind, FilterKind::TextSource(_));
        let op = if is_left { *op } else { mirrored(*op) };
        // One comparison of a chain cannot be replaced alone.
        let is_chain = matches!(right.kind, FilterKind::Relation { .. });
        let is_after = matches!(op, Relation::Greater | Relation::LessEqual);
        let is_part = text.len() >= 4 && text.len() < DATE_FORM.len();
        // `date > "2999"` finds the unknown ones.
        let is_year = text.get(..4).is_some_and(|year| year < LAST_YEAR);
        if !is_after || !is_part || !is_year || !is_date(text, TagComparison::Start) {
            return;
        }
        let message = format!("every date that begins with \"{text}\" is greater than that");
        let warning = Diagnostic::warning("W0409", filter.span, message);
        let by_year = format!("year {} {text}", op.text());
        self.warnings.push(match source {
            TextSource::Date if text.len() == 4 && !text.contains('?') && !is_chain => warning
                .with_help(format!("`{by_year}` compares the years"))
                .with_edit(filter.span, by_year),
            _ => warning.with_help("`>=` and `<` compare with the beginning of a year or month"),
        });
    }

    /// Warns of `year > 90`, which is true of all games.
    pub(super) fn year_without_its_century(&mut self, filter: &Filter) {
        const YEAR: Nullary = Nullary::NumberSource(NumberSource::Year);
        let FilterKind::Relation { op, left, right } = &filter.kind else {
            return;
        };
        for (value, number, op) in [(left, right, *op), (right, left, mirrored(*op))] {
            let FilterKind::Number(year @ 1..=99) = number.kind else {
                continue;
            };
            if !matches!(&value.kind, FilterKind::Nullary(word) if *word == YEAR) {
                continue;
            }
            let (code, what) = if holds(op, &1000, &year) {
                ("W0403", "every game is after the year")
            } else {
                ("W0402", "no game is of the year")
            };
            let century = if year < 30 { 2000 } else { 1900 };
            let whole = (century + year).to_string();
            let warning = Diagnostic::warning(code, filter.span, format!("{what} {year}"))
                .with_help(format!("a year has four digits, such as {whole}"))
                .with_edit(number.span, whole);
            self.warnings.push(warning);
        }
    }

    pub(super) fn player(&mut self, span: Span, text: &str) {
        let is_name = |c: char| c.is_lowercase() || matches!(c, ' ' | ',' | '.' | '-' | '\'');
        let words: Vec<&str> = text.split([' ', ',', '.']).collect();
        let is_word = |word: &&str| word.len() > 2 && !PARTICLES.contains(word);
        if !text.chars().all(is_name) || !words.iter().any(is_word) {
            return;
        }
        let message = "names of players are written with capital letters";
        let warning = Diagnostic::warning("W0410", span, message);
        let mut letters = text.chars();
        self.warnings.push(match (letters.next(), self.literal(span, text)) {
            (Some(first), Some(place)) if first.is_lowercase() && words.len() == 1 => {
                let name = format!("{}{}", first.to_uppercase(), letters.as_str());
                warning
                    .with_help(format!("write \"{name}\""))
                    .with_edit(place, format!("\"{name}\""))
            }
            _ => warning.with_help("write it as in the games: \"Carlsen, Magnus\""),
        });
    }

    /// Warns of a text in a form that may be in files, but that filters never see.
    pub(super) fn seen_otherwise(&mut self, span: Span, text: &str, seen: &str, what: &str) {
        if text == seen {
            return;
        }
        let message = format!("no filter sees `{text}`: {what} are compared in one form");
        let warning = Diagnostic::warning("W0417", span, message);
        let quoted = format!("\"{seen}\"");
        let help = format!("write {quoted}, which finds every form");
        self.warnings.push(match self.literal(span, text) {
            Some(place) if !seen.is_empty() => warning.with_help(help).with_edit(place, quoted),
            _ => warning,
        });
    }
}

/// Returns the condition that is meant by a comparison with several codes of openings: `B90-B99`,
/// `B20-99`, `B90/B91`.
fn several_codes(filter: &Filter, text: &str) -> Option<String> {
    let codes = filter_of_codes(text).filter(|codes| !codes.starts_with("eco"))?;
    match filter.kind {
        FilterKind::Relation { op: Relation::NotEqual, .. } => Some(format!("not {codes}")),
        FilterKind::Relation { op, .. } if op != Relation::Equal => None,
        _ => Some(codes),
    }
}

/// Returns a constant text, the filter that it is compared with, and the kind of comparison.
fn constant_in_text(filter: &Filter) -> Option<(&[u8], &Filter, TagComparison)> {
    match &filter.kind {
        FilterKind::Contains(text, source) => Some((text, source, TagComparison::Any)),
        FilterKind::In(text, source) => match &text.kind {
            FilterKind::Text(text) => Some((text, source, TagComparison::Inside)),
            _ => None,
        },
        FilterKind::Relation { op, left, right } => {
            let part = match op {
                Relation::Equal | Relation::NotEqual => TagComparison::Whole,
                _ => TagComparison::Start,
            };
            match (&left.kind, &right.kind) {
                (_, FilterKind::Text(text)) => Some((text, left, part)),
                (FilterKind::Text(text), _) => Some((text, first_of_chain(right), part)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns the value that a chain of comparisons begins with: the date of `"1990" <= date <= "1999"`, whose
/// second comparison is the right side of the first.
fn first_of_chain(filter: &Filter) -> &Filter {
    match &filter.kind {
        FilterKind::Relation { left, .. } => left,
        _ => filter,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_as_filters_see_them() {
        for (text, part, expected) in [
            ("Carlsen,M", TagComparison::Any, "Carlsen, M"),
            ("Carlsen,  M", TagComparison::Any, "Carlsen, M"),
            ("Carlsen, M", TagComparison::Any, "Carlsen, M"),
            ("Carlsen,", TagComparison::Any, "Carlsen,"),
            ("Carlsen, ", TagComparison::Any, "Carlsen, "),
            ("Carlsen, M.", TagComparison::Any, "Carlsen, M."),
            ("Carlsen, M.", TagComparison::Whole, "Carlsen, M"),
            ("Carlsen (2850)", TagComparison::Any, "Carlsen"),
            ("a,b,c", TagComparison::Any, "a, b, c"),
        ] {
            assert_eq!(seen_name(text, part), expected, "{text}");
        }
    }

    #[test]
    fn codes_as_filters_see_them() {
        for (text, part, expected) in [
            ("B90", TagComparison::Any, true),
            ("B90e1", TagComparison::Whole, true),
            ("B9", TagComparison::Start, true),
            ("B9", TagComparison::Whole, false),
            ("90", TagComparison::Any, true),
            ("e1", TagComparison::Any, true),
            ("", TagComparison::Any, true),
            ("b90", TagComparison::Any, false),
            ("B90/04", TagComparison::Any, false),
            ("F10", TagComparison::Any, false),
        ] {
            assert_eq!(is_eco(text, part), expected, "{text}");
        }
        assert_eq!(seen_eco("b90"), "B90");
        assert_eq!(seen_eco("B90/04"), "B90");
        assert_eq!(seen_eco("Sicilian"), "");
    }
}

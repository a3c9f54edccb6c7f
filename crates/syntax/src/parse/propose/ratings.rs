//! Proposes what English words beside ratings, years and dates mean: `elo difference > 200`,
//! `elo white over 2700`, `date before 2010-01-01`.

use super::amounts::{SIGNS, SIGNS_OF_VALUES};
use super::foreign::with_date;
use super::properties::{Property, dated, property};
use super::words::{has, tag};
use crate::parse::mend::{Mend, Proposal};
use crate::parse::parser::Parser;
use crate::token::Symbol;

impl Parser<'_> {
    /// Returns a proposal for the difference or the mean of the ratings, whose last word is at `at`, and
    /// the token after it: `elo difference > 200`, `avgelo >= 2600`.
    pub(super) fn mend_of_both_ratings(&self, at: usize) -> Option<Proposal> {
        let word = |at: usize| self.lower_at(at).replace('_', "");
        let is_rating = |at: &usize| has("elo rating ratings", &word(*at));
        // as in `rating difference`
        let at = if is_rating(&at) { at + 1 } else { at };
        let (mut first, mut last, mut words) = (at, at, word(at));
        if let Some(before) = at.checked_sub(1).filter(is_rating) {
            (first, words) = (before, format!("elo{words}"));
        } else if is_rating(&(at + 1)) {
            (last, words) = (at + 1, format!("{words}elo"));
        }
        let words = words.replace("ratings", "elo").replace("rating", "elo");
        let is_difference = has("elodifference elodiff differenceelo diffelo", &words);
        let is_mean = has("averageelo eloaverage avgelo eloavg meanelo elomean", &words);
        if !is_difference && !is_mean {
            return None;
        }
        let sign = self.symbol_at(last + 1).filter(|sign| sign.is_comparison());
        let number = self.digits_at(last + 2).filter(|_| sign.is_some());
        let (sign, example) = match (sign, &number) {
            (Some(sign), Some(number)) => (sign.text(), number.as_str()),
            _ => (">", if is_mean { "2600" } else { "200" }),
        };
        let (help, text) = if is_mean {
            let sum = example.parse::<u32>().ok()?.checked_mul(2)?;
            let text = format!("elo white + elo black {sign} {sum}");
            (format!("the sum of the ratings is twice their average: `{text}`"), text)
        } else {
            let text = format!("abs (elo white - elo black) {sign} {example}");
            let help = format!(
                "`elo white - elo black` is the difference of the ratings, `{text}` is for either color"
            );
            (help, text)
        };
        if number.is_none() {
            return Some((Mend::advice(help), last + 1));
        }
        self.propose(help, first, last + 2, text)
    }

    /// Returns a proposal for a word at `at` that compares or joins numbers, and the token after it:
    /// `elo white over 2700`, `year at least 1990`, `elo white minus elo black`.
    pub(super) fn mend_of_word_for_sign(&self, at: usize) -> Option<Proposal> {
        let before = at.checked_sub(1)?;
        let word = |at: usize| self.lower_at(at);
        let first = self.first_of_word(before);
        let name = self.whole_text(first, before);
        let property = property(&name).filter(|_| self.name_at(before).is_none())?;
        let is_date = matches!(property, Property::Date);
        if !is_date && !matches!(property, Property::Number(_)) {
            return None;
        }
        let sum = [("minus", "-"), ("plus", "+")].into_iter().find(|(of, _)| *of == word(at));
        if let Some((_, sign)) = sum.filter(|_| self.keyword_at(at + 1).is_some()) {
            let help = format!("the sign is `{sign}`");
            return Some((Mend::edit(help, self.span_at(at), sign), at + 1));
        }
        let (one, two) = (word(at), format!("{} {}", word(at), word(at + 1)));
        let mut signs = SIGNS.iter().chain(SIGNS_OF_VALUES).chain(&[("is", "==")]);
        let (words, sign) = signs.find(|(words, _)| *words == one || *words == two)?;
        let (value, end) = self.number_or_date(at + words.split(' ').count())?;
        let text = match is_date {
            true if !value.contains('.') => format!("year {sign} {value}"),
            true => {
                let filter = format!("date {sign} \"{value}\"");
                if sign.starts_with('>') { with_date(&filter) + " " + &filter } else { filter }
            }
            false => format!("{name} {sign} {value}"),
        };
        let help = format!("a comparison has a sign: `{text}`");
        self.propose_filters(help, first, end - 1, text)
    }

    /// Returns the number or date at `at`, with or without quotes, and the token after it.
    fn number_or_date(&self, at: usize) -> Option<(String, usize)> {
        if let Some(text) = self.string_at(at) {
            let is_date = text.bytes().all(|b| b.is_ascii_digit() || b".-/".contains(&b));
            return is_date.then(|| (dated(text), at + 1));
        }
        let mut text = self.digits_at(at)?;
        let mut end = at + 1;
        while matches!(self.symbol_at(end), Some(Symbol::Minus | Symbol::Slash))
            && !self.space_at(end)
            && let Some(part) = self.digits_at(end + 1)
        {
            text += &format!("-{part}");
            end += 2;
        }
        Some((dated(&text), end))
    }

    /// Returns a proposal for a tag at `at` with numbers, and the token after them: `TimeControl 180+2`.
    pub(super) fn mend_of_numbers_of_tag(&self, at: usize) -> Option<Proposal> {
        let tag = tag(self.name_at(at)?)?;
        let number = || self.is_integer_at(at + 1).then_some(at + 1);
        let last = self.numbers_from(at + 1).or_else(number)?;
        let text = format!("tag \"{tag}\" == \"{}\"", self.whole_text(at + 1, last));
        self.propose(format!("the value of a tag is a text: `{text}`"), at, last, text)
    }
}

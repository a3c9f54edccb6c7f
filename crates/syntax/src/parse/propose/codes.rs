//! Proposes filters for codes of openings: `B90`, `B90-B99`, `eco B20 to B99`, `B90, B91`.

use super::words::has;
use crate::builtin::Keyword;
use crate::parse::mend::Proposal;
use crate::parse::parser::Parser;
use crate::seen::{TagComparison, filter_of_codes, is_eco, seen_eco};
use crate::token::Symbol;

impl Parser<'_> {
    /// Returns a proposal for codes of openings at `at`, also after `eco`, and the token after them: `B90`,
    /// `eco B20 to B99`, `eco not B90`, `B90, B91`.
    pub(super) fn mend_of_codes(&self, at: usize) -> Option<Proposal> {
        let before = |at: usize, words: &str| {
            at.checked_sub(1).filter(|&before| has(words, &self.lower_at(before)))
        };
        let lead = before(at, "from between");
        let not = before(lead.unwrap_or(at), "not");
        let eco = before(not.or(lead).unwrap_or(at), "eco");
        let last = self.last_of_codes(at, eco.is_some())?;
        // as in `opening B90` and `x == B90`
        let is_part = |before: usize| {
            let is_sign = |sign: Symbol| sign.is_comparison() || sign == Symbol::Assign;
            self.symbol_at(before).is_some_and(is_sign)
                || self.keyword_at(before).or(self.newer_word(before)) == Some(Keyword::Opening)
        };
        let first = lead.filter(|_| last > at).unwrap_or(at);
        if eco.is_none() && first.checked_sub(1).is_some_and(is_part)
            || eco.is_some() && not.is_none() && last == at
        {
            return None;
        }
        let codes = filter_of_codes(&self.whole_text(first, last))?;
        let (first, text) = match eco {
            Some(eco) if not.is_some() => {
                (eco, self.as_one(eco, last, format!("eco ~~ \".\" not {codes}")))
            }
            Some(eco) => (eco, codes),
            None => (first, codes),
        };
        let help = if last > at || eco.is_some() {
            format!("codes are texts, each with its filter: `{text}`")
        } else {
            format!("a code of openings is looked for in the tag of the game: `{text}`")
        };
        self.propose(help, first, last, text)
    }

    /// Returns the last token of codes of openings that begin at `at`, with signs or words between them:
    /// `B90, B91`, `B90 to B99`, `B90 or eco B91`. Small letters need `eco` before them.
    pub(super) fn last_of_codes(&self, at: usize, is_after_eco: bool) -> Option<usize> {
        let is_word = |at: usize, words: &str| has(words, &self.lower_at(at));
        let is_code = |at: usize| {
            let name = self.name_at(at).filter(|name| name.len() == 3 && !self.is_known(name));
            let may_be =
                |name: &&str| is_after_eco || name.starts_with(|c: char| c.is_ascii_uppercase());
            name.filter(may_be).is_some_and(|name| is_eco(&seen_eco(name), TagComparison::Whole))
        };
        let next = |last: &usize| {
            let mut next = last + 1;
            while is_word(next, ". , / - -- – — to through until till or and eco") {
                next += 1;
            }
            // as in `B20-99`
            let is_range = next > last + 1 && is_word(next - 1, ". - -- – — to through until till");
            let is_digits = is_range && self.digits_at(next).is_some();
            (is_code(next) || is_digits).then_some(next)
        };
        is_code(at).then(|| std::iter::successors(Some(at), next).last())?
    }
}

//! Proposes filters for codes of openings: `B90`, `B90-B99`, `eco B20 to B99`, `eco B90/B91`.

use crate::builtin::Keyword;
use crate::parse::mend::Proposal;
use crate::parse::parser::Parser;
use crate::seen::{TagComparison, between_codes, is_eco, seen_eco};
use crate::token::Symbol;

impl Parser<'_> {
    /// Returns the code of openings at `at`, as filters see it.
    fn code_at(&self, at: usize) -> Option<String> {
        let name = self.name_at(at).filter(|name| name.len() == 3 && !self.is_known(name))?;
        Some(seen_eco(name)).filter(|code| is_eco(code, TagComparison::Whole))
    }

    /// Returns a proposal for codes at `at` after `eco` with a word or sign between them, and the token after
    /// them: `eco B20 to B99`, `eco not B90`, `eco B90/B91`.
    pub(super) fn mend_of_codes(&self, at: usize) -> Option<Proposal> {
        let not = self.just_after(at, Keyword::Not);
        let eco = self.just_after(not.unwrap_or(at), Keyword::Eco)?;
        let first = self.code_at(at)?;
        let is_or = |at: usize| {
            self.symbol_at(at) == Some(Symbol::Slash) || self.keyword_at(at) == Some(Keyword::Or)
        };
        let (text, last) = if matches!(&*self.lower_at(at + 1), "to" | "through" | "until" | "-") {
            let digits = || Some(format!("{}{}", &first[..1], self.digits_at(at + 2)?));
            let end = self.code_at(at + 2).or_else(digits)?;
            (format!("({})", between_codes(&first, &end)?), at + 2)
        } else {
            let (mut text, mut last) = (format!("eco \"{first}\""), at);
            while is_or(last + 1)
                && let Some(other) = self.code_at(last + 2)
            {
                text += &format!(" or eco \"{other}\"");
                last += 2;
            }
            (if last > at { format!("{{{text}}}") } else { text }, last)
        };
        let text = match not {
            Some(_) => format!("eco ~~ \".\" not {text}"),
            None if last == at => return None,
            None => text,
        };
        self.propose_filters(
            format!("codes are texts, each with its filter: `{text}`"),
            eco,
            last,
            text,
        )
    }

    /// Returns a proposal for `B90` and `B90-B99`, whose first code is at `at`, and the token after it.
    pub(super) fn mend_of_code(&self, at: usize) -> Option<Proposal> {
        let code = |at: usize| {
            let is_capital = self.name_at(at)?.starts_with(|c: char| c.is_ascii_uppercase());
            self.code_at(at).filter(|_| is_capital)
        };
        let first = code(at)?;
        // as in `opening B90` and `x == B90`
        let is_part = at.checked_sub(1).is_some_and(|before| {
            let is_text = |word| matches!(word, Keyword::Eco | Keyword::Opening);
            let is_sign = |sign: Symbol| sign.is_comparison() || sign == Symbol::Assign;
            self.symbol_at(before).is_some_and(is_sign)
                || self.keyword_at(before).or(self.newer_word(before)).is_some_and(is_text)
        });
        let is_range = self.symbol_at(at + 1) == Some(Symbol::Minus);
        let last = Some(at + 2).filter(|_| is_range).and_then(code);
        let (last, text) = match last.and_then(|last| between_codes(&first, &last)) {
            Some(range) => (at + 2, format!("({range})")),
            None => (at, format!("eco \"{first}\"")),
        };
        let help = format!("a code of openings is looked for in the tag of the game: `{text}`");
        self.propose(help, at, last, text).filter(|_| !is_part)
    }
}

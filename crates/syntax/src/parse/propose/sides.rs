//! Proposes `material` for the pieces of both sides: `QQ v QRR`, `R+2P v R`.

use super::words::is_against;
use crate::builtin::Keyword;
use crate::designator::PieceSet;
use crate::parse::material::sides;
use crate::parse::mend::{Mend, Proposal};
use crate::parse::parser::Parser;
use crate::token::{Symbol, TokenKind};

impl Parser<'_> {
    /// Returns a proposal for pieces of both sides around the name or sign at `at`, as in `QQ v QRR`,
    /// `R+2P v R` and `krpkr`, and the token after them.
    pub(in crate::parse) fn mend_of_sides(&self, at: usize) -> Option<Proposal> {
        let word = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Name(_) | TokenKind::Designator(_)) => self.text_at(at),
            _ => String::new(),
        };
        let are_men = |at: usize| {
            let is_man = |c| PieceSet::from_letter(c).is_some() && !b"Aa_".contains(&c);
            let text = word(at);
            !text.is_empty() && text.bytes().all(is_man)
        };
        let is_joint = |at: usize| {
            matches!(self.symbol_at(at), Some(Symbol::Colon | Symbol::Minus))
                || self.name_at(at).is_some_and(is_against)
        };
        // A number or a sum of pieces, as in `R+2P`
        let is_sum = |at: usize| {
            let kind = self.kind_at(at);
            matches!(kind, Some(TokenKind::Integer(_) | TokenKind::Symbol(Symbol::Plus)))
        };
        let is_part = |at: usize| are_men(at) || is_sum(at);
        let is_and = |at: usize| {
            self.is_one_of(at, "with plus") || self.keyword_at(at) == Some(Keyword::And)
        };
        // as in `R and P` and `R with P`
        let are_two = |left: usize| are_men(left) && is_and(left + 1) && are_men(left + 2);
        let around = |joint: usize| {
            let mut first = joint.checked_sub(1).filter(|&at| is_joint(joint) && is_part(at))?;
            let is_side = |at: &usize| is_part(*at) || self.is_one_of(*at, "nothing");
            let mut last = Some(joint + 1).filter(is_side)?;
            let is_sign = |at: usize| self.symbol_at(at) == Some(Symbol::Plus);
            let goes_on = |left: usize| {
                is_part(left)
                    && is_part(left + 1)
                    && (!self.space_at(left + 1) || is_sign(left) || is_sign(left + 1))
            };
            loop {
                first -= match first {
                    _ if first > 0 && goes_on(first - 1) => 1,
                    _ if first > 1 && are_two(first - 2) => 2,
                    _ => break,
                };
            }
            while goes_on(last) {
                last += 1;
            }
            // In `R v R and P > 1` the pawns are counted.
            if are_two(last) && self.kind_at(last + 3).is_none() {
                last += 2;
            }
            Some(first..=last)
        };
        let is_named = |range: &std::ops::RangeInclusive<usize>| {
            let mut named = range.clone().filter(|&at| are_men(at) && self.name_at(at).is_some());
            // In `R vs r`, the second is a black rook.
            let is_between = (is_joint(at) || is_and(at))
                && self.name_at(at).is_some()
                && !range.clone().any(|at| are_men(at) && word(at).contains(char::is_lowercase));
            let is_certain = named.next().is_some() || range.clone().any(is_sum) || is_between;
            range.contains(&at) && is_certain
        };
        // The sign or word between both sides is near.
        const FAR: usize = 8;
        let joined = (at.saturating_sub(1)..=at + FAR).filter_map(around);
        let beside = [Some(at), at.checked_sub(1)].into_iter().flatten();
        let beside = beside
            .filter(|&first| are_men(first) && are_men(first + 1))
            .map(|first| first..=first + 1);
        let mut ranges = joined.chain(beside).chain([at..=at]);
        ranges.find_map(|range| {
            let is_name = is_named(&range) || range.clone().count() == 1;
            let whole = self.tokens(*range.start(), *range.end());
            let men = sides(&self.whole_text_of(whole)).filter(|_| is_name)?;
            let word = range.start().checked_sub(1);
            let word = word.filter(|&at| self.newer_word(at) == Some(Keyword::Material));
            let whole = self.tokens(word.unwrap_or(*range.start()), *range.end());
            let text = format!("material \"{men}\"");
            let mut help = format!("the pieces of both sides are a condition: `{text}`");
            let (white, black) = men.split_at(men.len() / 2);
            if men.starts_with('K') && white != black {
                help += &format!(", White's first; `flipcolor {{{text}}}` is for either color");
            }
            Some((Mend::edit(help, whole, text), range.end() + 1))
        })
    }
}

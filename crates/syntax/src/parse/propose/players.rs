//! Proposes filters for players that stand without them: `Karpov vs Kasparov`, `white Carlsen`.

use super::properties::filter_of_value;
use super::words;
use crate::builtin::Keyword;
use crate::parse::mend::Mend;
use crate::parse::parser::Parser;
use crate::token::{Symbol, TokenKind};

impl Parser<'_> {
    /// Returns a proposal for two players with a word for *against* at or after `at`, and the token
    /// after them: `Karpov vs Kasparov`, `player "Tal" v "Euwe"`.
    pub(super) fn mend_of_opponents(&self, at: usize) -> Option<(Mend, usize)> {
        let is_name = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Name(name)) => {
                // `KRP` are pieces.
                name.starts_with(char::is_uppercase)
                    && name.contains(char::is_lowercase)
                    && !self.is_known(name)
            }
            Some(TokenKind::String(_)) => true,
            _ => false,
        };
        /// Maximum number of words of a name.
        const LONGEST: usize = 4;
        let joint = (at..=at + LONGEST).find(|&at| !is_name(at))?;
        let is_minus = self.symbol_at(joint) == Some(Symbol::Minus);
        let is_win = self.name_at(joint).is_some_and(is_winning);
        // `Caro-Kann` is one name.
        let is_hyphen = is_minus && !self.space_at(joint) && !self.space_at(joint + 1);
        let is_joint = is_minus || is_win || self.name_at(joint).is_some_and(is_versus);
        if !is_joint || is_hyphen {
            return None;
        }
        // as in `vs.`
        let is_point = self.symbol_at(joint + 1) == Some(Symbol::Dot) && !self.space_at(joint + 1);
        let second = joint + 1 + usize::from(is_point);
        let mut first = joint;
        while let Some(before) = first.checked_sub(1)
            && is_name(before)
            && joint - before <= LONGEST
        {
            first = before;
        }
        let end = (second..=second + LONGEST).find(|&at| !is_name(at))?;
        // as in `Least - Most > 3`
        let is_difference =
            is_minus && self.kind_at(end).is_some_and(|kind| matches!(kind, TokenKind::Symbol(_)));
        if first == joint || end == second || is_difference {
            return None;
        }
        // Files have the last name first or alone.
        let quoted = |last: usize| match self.kind_at(last) {
            Some(TokenKind::String(_)) => self.whole_text_of(self.span_at(last)),
            _ => format!("\"{}\"", self.whole_text_of(self.span_at(last))),
        };
        let word = |at: Option<usize>| at.and_then(|at| self.keyword_at(at));
        let before = first.checked_sub(1);
        let (sides, before) = match word(before) {
            Some(Keyword::White) => (["player white", "player black"], before),
            Some(Keyword::Black) => (["player black", "player white"], before),
            Some(Keyword::Player) => (["player"; 2], before),
            _ => (["player"; 2], None),
        };
        let player = before.and_then(|at| at.checked_sub(1));
        let player = player.filter(|&at| word(Some(at)) == Some(Keyword::Player));
        let first = player.or(before).unwrap_or(first);
        let [one, other] = [quoted(joint - 1), quoted(end - 1)];
        if is_win {
            let text = format!(
                "{{player white {one} player black {other} result 1-0}} or \
                 {{player white {other} player black {one} result 0-1}}"
            );
            let help = format!("who won shows in the result and the color: `{text}`");
            let text = self.as_one(first, end - 1, text);
            return Some((Mend::edit(help, self.tokens(first, end - 1), text), end));
        }
        let mut text = format!("{} {one} {} {other}", sides[0], sides[1]);
        // as in `Karpov versus Kasparov 1984`
        let year = self.digits_at(end).filter(|digits| {
            digits.len() == 4 && !self.symbol_at(end + 1).is_some_and(Symbol::is_comparison)
        });
        let end = if let Some(year) = year {
            text += &format!(" year == {year}");
            end + 1
        } else {
            end
        };
        let help = if sides[0] == sides[1] {
            format!("the games of two players, with either color, are `{text}`")
        } else {
            format!("each name has its filter: `{text}`")
        };
        let text = self.as_one(first, end - 1, text);
        Some((Mend::edit(help, self.tokens(first, end - 1), text), end))
    }

    /// Returns a proposal for a word at `at` that is meant as the name of a player, after
    /// `player white` or after another name and `or`.
    pub(super) fn mend_of_player(&self, at: usize, name: &str) -> Option<Mend> {
        let filter_before = |at: usize| {
            let of_side =
                |at: usize| matches!(self.keyword_at(at), Some(Keyword::White | Keyword::Black));
            let last = at.checked_sub(1)?;
            let first = if of_side(last) { last.checked_sub(1)? } else { last };
            let is_player = self.keyword_at(first) == Some(Keyword::Player);
            is_player.then(|| self.whole_text_of(self.tokens(first, last)))
        };
        // as in `player is Carlsen`
        if words::is_comparing(name) {
            return None;
        }
        let quoted = |filter: &str, name: &str| format!("{filter} \"{name}\"");
        let help = |filter: &str| {
            let example = quoted(filter, name);
            format!("a name stands in double quotes, and each has its filter: `{example}`")
        };
        let Some(filter) = filter_before(at) else {
            let or = at.checked_sub(1)?;
            let is_or = self.keyword_at(or) == Some(Keyword::Or);
            let filter = filter_before(or.checked_sub(1).filter(|_| is_or)?)?;
            let text = quoted(&filter, name);
            return Some(Mend::edit(help(&filter), self.span_at(at), text));
        };
        let (mut text, mut last) = (quoted("", name).trim_start().to_owned(), at);
        while self.keyword_at(last + 1) == Some(Keyword::Or)
            && let Some(other) = self.name_at(last + 2).filter(|name| !self.is_known(name))
        {
            text += &format!(" or {}", quoted(&filter, other));
            last += 2;
        }
        Some(Mend::edit(help(&filter), self.tokens(at, last), text))
    }

    /// Returns a proposal for `white Carlsen`, whose name is at `at`.
    pub(super) fn mend_of_side(&self, at: usize, name: &str) -> Option<Mend> {
        let side = at.checked_sub(1)?;
        let is_side = matches!(self.keyword_at(side)?, Keyword::White | Keyword::Black);
        let is_name = name.starts_with(|c: char| c.is_uppercase());
        let text = filter_of_value(&self.text_of(self.span_at(side)), name)?;
        // as in `player white or black Carlsen`
        let sides = side.checked_sub(2).map(|at| self.first_of_word(at));
        if let Some(player) = sides.filter(|&at| self.keyword_at(at) == Some(Keyword::Player))
            && self.keyword_at(side - 1) == Some(Keyword::Or)
            && player < side - 2
        {
            let text = format!("player \"{name}\"");
            let help = format!("`player` is either of the players: `{text}`");
            return Some(Mend::edit(help, self.tokens(player, at), text));
        }
        let help = format!("the player is found by `{text}`");
        (is_side && is_name).then(|| Mend::edit(help, self.tokens(side, at), text))
    }
}

/// Words between two players or their names.
fn is_versus(word: &str) -> bool {
    matches!(word.to_ascii_lowercase().as_str(), "vs" | "v" | "versus" | "against")
}

/// Words between the winner of a game and the loser.
fn is_winning(word: &str) -> bool {
    matches!(word, "beats" | "beat" | "defeats" | "defeated")
}

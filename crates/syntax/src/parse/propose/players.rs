//! Proposes filters for players that stand without them: `Karpov vs Kasparov`, `white Carlsen`.

use super::properties::{filter_of_value, month};
use super::words::{self, is_against};
use crate::builtin::Keyword;
use crate::parse::mend::{Mend, Proposal};
use crate::parse::parser::Parser;
use crate::seen::{is_title, without_titles};
use crate::token::{Symbol, TokenKind};

impl Parser<'_> {
    /// Returns a proposal for two players with a word for *against* at or after `at`, and the token
    /// after them: `Karpov vs Kasparov`, `player "Tal" v "Euwe"`.
    pub(super) fn mend_of_opponents(&self, at: usize) -> Option<Proposal> {
        let is_name = |at: usize| match self.kind_at(at) {
            Some(TokenKind::Name(name)) => {
                // `KRP` are pieces.
                name.starts_with(char::is_uppercase)
                    && (name.contains(char::is_lowercase) || is_title(name))
                    && !["Who", "They", "We", "He", "She", "Everyone", "Nobody"].contains(&&**name)
                    && !self.is_known(name)
            }
            Some(TokenKind::String(_)) => true,
            _ => false,
        };
        /// Maximum number of words of a name.
        const LONGEST: usize = 4;
        let joint = (at..=at + LONGEST).find(|&at| !is_name(at))?;
        // A dash of typography is a dash of moves for the lexer.
        let is_dash = self.symbol_at(joint) == Some(Symbol::Dash)
            && self.space_at(joint)
            && self.space_at(joint + 1);
        let is_minus = is_dash || self.symbol_at(joint) == Some(Symbol::Minus);
        let is_win = self.name_at(joint).is_some_and(is_winning);
        // `Caro-Kann` is one name.
        let is_hyphen = is_minus && self.is_glued_at(joint);
        let is_joint = is_minus || is_win || self.name_at(joint).is_some_and(is_against);
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
        let mut end = (second..=second + LONGEST).find(|&at| !is_name(at))?;
        // as in `Least - Most > 3`
        let is_difference = is_minus && self.symbol_at(end).is_some();
        if first == joint || end == second || is_difference {
            return None;
        }
        // as in `March - May`
        let is_month = |at: usize| self.name_at(at).is_some_and(|name| month(name).is_some());
        if is_minus && is_month(joint - 1) && is_month(second) {
            return None;
        }
        let name = |first: usize, last: usize| match self.kind_at(last) {
            Some(TokenKind::String(_)) => self.whole_text_at(last),
            _ => self.whole_text(first, last),
        };
        let [one, other] = [name(first, joint - 1), name(second, end - 1)];
        let (sides, before) = match first.checked_sub(1).and_then(|at| self.keyword_at(at)) {
            Some(Keyword::White) => (["white", "black"], first - 1),
            Some(Keyword::Black) => (["black", "white"], first - 1),
            _ => ([""; 2], first),
        };
        let first = self.just_after(before, Keyword::Player).unwrap_or(before);
        if is_win {
            let game = |white: &str, black: &str, result: &str| {
                let [white, black] = [of_player("white", white), of_player("black", black)];
                format!("{{{white} {black} result {result}}}")
            };
            let text = format!("{} or {}", game(&one, &other, "1-0"), game(&other, &one, "0-1"));
            let help = format!("who won shows in the result and the color: `{text}`");
            return self.propose_filters(help, first, end - 1, text);
        }
        let mut text = if sides[0].is_empty() {
            of_opponents(&one, &other)
        } else {
            format!("{} {}", of_player(sides[0], &one), of_player(sides[1], &other))
        };
        // as in `Karpov versus Kasparov 1984`
        if let Some(year) = self.digits_at(end).filter(|digits| digits.len() == 4)
            && !self.symbol_at(end + 1).is_some_and(Symbol::is_comparison)
        {
            text += &format!(" year == {year}");
            end += 1;
        }
        let help = if sides[0].is_empty() {
            format!("the games of two players, with either color, are `{text}`")
        } else {
            format!("each name has its filter: `{text}`")
        };
        self.propose_filters(help, first, end - 1, text)
    }

    /// Returns a proposal for a word at `at` that is meant as the name of a player, after
    /// `player white` or after another name and `or`.
    pub(super) fn mend_of_player(&self, at: usize, name: &str) -> Option<Mend> {
        let filter_before = |at: usize| {
            let last = at.checked_sub(1)?;
            let first = if self.is_color_at(last) { last.checked_sub(1)? } else { last };
            let is_player = self.keyword_at(first) == Some(Keyword::Player);
            is_player.then(|| self.whole_text(first, last))
        };
        // as in `player is Carlsen` and `player GM Carlsen`
        if words::is_comparing(name) || is_title(name) && self.name_at(at + 1).is_some() {
            return None;
        }
        let quoted = |filter: &str, name: &str| format!("{filter} \"{name}\"");
        let help = |filter: &str| {
            let example = quoted(filter, name);
            format!("a name stands in double quotes, and each has its filter: `{example}`")
        };
        let Some(filter) = filter_before(at) else {
            let or = self.just_after(at, Keyword::Or)?;
            let filter = filter_before(or.checked_sub(1)?)?;
            let text = quoted(&filter, name);
            return Some(Mend::edit(help(&filter), self.span_at(at), text));
        };
        let (mut text, mut last) = (format!("\"{name}\""), at);
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
        let is_side = self.is_color_at(side);
        let is_name = name.starts_with(|c: char| c.is_uppercase());
        let text = filter_of_value(&self.text_at(side), name)?;
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

/// Returns the filter for a player with a color, or with either. Files write the last name first, and
/// often an initial; of `Ding Liren`, the first name is the last one. A text in quotes is searched as it is.
#[must_use]
pub fn of_player(color: &str, name: &str) -> String {
    let player = format!("player {color}");
    let player = player.trim_end();
    if name.starts_with('"') {
        return format!("{player} {name}");
    }
    let name = without_titles(name);
    let split = name.split_once(", ").map(|(last, given)| (given, last));
    match split.or_else(|| name.rsplit_once(' ')) {
        Some((initial, _)) if name.contains(", ") && initial.chars().count() == 1 => {
            format!("{player} \"{name}\"")
        }
        Some((given, last)) => {
            let initial: String = given.chars().take(1).collect();
            format!("{player} ~~ \"{last}, {initial}|{given},? {last}\"")
        }
        None => format!("{player} \"{name}\""),
    }
}

/// Returns the filter for the games of two players against each other, with either color. If both have one
/// last name, each needs a color, since one player would be both.
fn of_opponents(one: &str, other: &str) -> String {
    if have_one_name(one, other) {
        let [white, black] = [of_player("white", one), of_player("black", other)];
        return format!("flipcolor {{{white} {black}}}");
    }
    format!("{} {}", of_player("", one), of_player("", other))
}

/// Whether two players have the same last name.
#[must_use]
pub fn have_one_name(one: &str, other: &str) -> bool {
    fn last(name: &str) -> &str {
        let name = name.trim_matches('"');
        let last = name.split_once(',').map(|(last, _)| last);
        last.or_else(|| name.rsplit(' ').next()).unwrap_or(name)
    }
    last(one) == last(other)
}

/// Words between the winner of a game and the loser.
fn is_winning(word: &str) -> bool {
    matches!(word, "beats" | "beat" | "defeats" | "defeated")
}

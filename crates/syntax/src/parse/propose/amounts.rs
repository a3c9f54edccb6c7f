//! Proposes what English words before pieces mean: `no queens`, `at least 2 P`, `number of R`.

use super::words;
use crate::builtin::Keyword;
use crate::parse::mend::{Mend, Proposal, is_square};
use crate::parse::parser::Parser;
use crate::token::TokenKind;

/// Words of an amount, and the filter that they mean.
const AMOUNTS: [(&str, &str); 3] = [("no", "not"), ("without", "not"), ("number of", "#")];

/// Words that compare, and the sign that they mean.
pub const SIGNS: [(&str, &str); 6] = [
    ("at least", ">="),
    ("at most", "<="),
    ("more than", ">"),
    ("less than", "<"),
    ("fewer than", "<"),
    ("exactly", "=="),
];

/// Other words that compare a value, and not a number of pieces.
pub const SIGNS_OF_VALUES: &[(&str, &str)] = crate::rows! {
    "just", "=="; "only", "=="; "equals", "=="; "before", "<"; "under", "<"; "below", "<";
    "shorter than", "<"; "lower than", "<"; "earlier than", "<"; "smaller than", "<"; "over", ">";
    "above", ">"; "after", ">"; "exceeds", ">"; "longer than", ">"; "higher than", ">";
    "later than", ">"; "greater than", ">"; "since", ">="; "minimum", ">="; "until", "<=";
    "till", "<="; "up to", "<="; "within", "<="; "maximum", "<=";
};

/// Returns the number from 0 to 10 that an English word means.
#[must_use]
pub fn number_in_words(word: &str) -> Option<usize> {
    const NUMBERS: [&str; 11] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    NUMBERS.iter().position(|number| *number == word)
}

impl Parser<'_> {
    /// Returns a proposal for words of an amount that begin at `at`, and the token after them.
    pub(super) fn mend_of_amount(&self, at: usize) -> Option<Proposal> {
        if let Some(found) = self.mend_of_place(at) {
            return Some(found);
        }
        if let Some(number) = self.amount_at(at) {
            let (men, last) = self.men_at(at + 1)?;
            let help = format!(
                "`{men} == {number}` is true where there are so many, `{men} >= {number}` where \
                 there are at least so many"
            );
            return Some((Mend::advice(help), last + 1));
        }
        let are_at =
            |words: &str| words.split(' ').zip(at..).all(|(word, at)| self.is_one_of(at, word));
        let (words, sign) = AMOUNTS.iter().chain(&SIGNS).find(|(words, _)| are_at(words))?;
        let next = at + words.split(' ').count();
        let (text, last) = match *sign {
            "not" => return self.mend_of_absence(at, next),
            "#" => {
                let (men, last) = self.men_at(next)?;
                (format!("#{men}"), last)
            }
            sign => {
                let number = self.amount_at(next)?;
                let (men, last) = self.men_at(next + 1)?;
                (format!("{men} {sign} {number}"), last)
            }
        };
        self.propose(format!("write `{text}`"), at, last, text)
    }

    /// Returns a proposal for `no queens`, whose word is at `at` and whose pieces are at `men`, and the token
    /// after them: `no Q or q`, `no mate`.
    fn mend_of_absence(&self, at: usize, men: usize) -> Option<Proposal> {
        let (text, last) = match self.men_at(men) {
            Some((men, last)) => match self.other_men(&men, last) {
                Some((Some(joint), other, last)) => {
                    let either = format!("not {{{men} or {other}}}");
                    let help = format!(
                        "`{either}` asks for neither, `not {{{men} {other}}}` for not both"
                    );
                    return match joint {
                        Keyword::Or => self.propose(help, at, last, either),
                        _ => Some((Mend::advice(help), last + 1)),
                    };
                }
                Some((None, other, last)) => (format!("not {men} not {other}"), last),
                None => (format!("not {men}"), last),
            },
            None => {
                self.keyword_at(men).filter(|word| word.begins_filter())?;
                ("not".to_owned(), at)
            }
        };
        self.propose(format!("write `{text}`"), at, last, text)
    }

    /// Returns a proposal for pieces at `at` and squares, with words between them, and the token after
    /// them: `knight on e5`, `K is on e1`, `pawns on d4 and e4`.
    pub(in crate::parse) fn mend_of_place(&self, at: usize) -> Option<Proposal> {
        let (men, last) = self.men_at(at)?;
        let has_square = men.ends_with(|c: char| c.is_ascii_digit());
        let (square, mut end) = self.place_after(last + 1).filter(|_| !has_square)?;
        // as in `white knight on e5`, where the color is known and the piece is not
        let of_side = at.checked_sub(1).and_then(|before| Some((before, self.men_at(before)?)));
        let of_side = of_side.filter(|(_, (_, end))| *end == last);
        let (at, men) = of_side.map_or((at, men), |(before, (men, _))| (before, men));
        let mut text = format!("{men}{square}");
        while let Some(joint @ (Keyword::And | Keyword::Or)) = self.keyword_at(end + 1)
            && let Some(square) = self.square_at(end + 2)
        {
            text += &format!(" {} {men}{square}", joint.text());
            end += 2;
        }
        self.propose_filters(format!("write `{text}`"), at, end, text)
    }

    /// Returns the square after a word for a place at `at`, and its token: `on e5`, `is at f5`.
    pub(super) fn place_after(&self, at: usize) -> Option<(String, usize)> {
        let at = at + usize::from(self.is_one_of(at, "is are stands stand"));
        let square = self.is_one_of(at, "on at").then(|| self.square_at(at + 1))??;
        Some((square, at + 1))
    }

    /// Returns the text of a single square at `at`.
    pub(super) fn square_at(&self, at: usize) -> Option<String> {
        let text = self.is_designator_at(at).then(|| self.whole_text_at(at))?;
        is_square(&text).then_some(text)
    }

    /// Returns the pieces of the other color after pieces whose last token is at `at`, with the word
    /// between them, and the last of their tokens: `Q or q`.
    fn other_men(&self, men: &str, at: usize) -> Option<(Option<Keyword>, String, usize)> {
        let joint = self.keyword_at(at + 1);
        let joint = joint.filter(|word| matches!(word, Keyword::Or | Keyword::And));
        let (other, last) = self.men_at(at + 1 + usize::from(joint.is_some()))?;
        let is_other = men != other && men.eq_ignore_ascii_case(&other);
        (is_other || joint == Some(Keyword::Or)).then_some((joint, other, last))
    }

    /// Returns the number at `at`, in digits or as a word.
    pub(super) fn amount_at(&self, at: usize) -> Option<usize> {
        match self.kind_at(at)? {
            TokenKind::Integer(number) => usize::try_from(*number).ok(),
            TokenKind::Name(name) => number_in_words(&name.to_ascii_lowercase()),
            _ => None,
        }
    }

    /// Returns the set of the pieces at `at`, and the last of their tokens: `Q`, `queens`,
    /// `white queens`.
    fn men_at(&self, at: usize) -> Option<(String, usize)> {
        let side =
            self.keyword_at(at).filter(|word| matches!(word, Keyword::White | Keyword::Black));
        match (self.kind_at(at)?, side) {
            (TokenKind::Designator(_), _) => Some((self.whole_text_at(at), at)),
            (TokenKind::Name(name), _) => Some((words::men(name)?.to_owned(), at)),
            (_, Some(side)) => {
                let both = words::men(self.name_at(at + 1)?)?;
                let place = if side == Keyword::White { 1 } else { 2 };
                Some((both.get(place..=place)?.to_owned(), at + 1))
            }
            _ => None,
        }
    }
}

//! Proposes what English words before pieces mean: `no queens`, `at least 2 P`, `number of R`.

use super::words;
use crate::builtin::Keyword;
use crate::parse::mend::Mend;
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

/// Returns the number from 0 to 10 that an English word means.
#[must_use]
pub fn number_in_words(word: &str) -> Option<usize> {
    const NUMBERS: [&str; 11] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    NUMBERS.iter().position(|number| *number == word)
}

impl Parser<'_> {
    /// Returns a proposal for words of an amount that begin at `at`, and the token after them.
    pub(super) fn mend_of_amount(&self, at: usize) -> Option<(Mend, usize)> {
        let is_word = |at: usize, word: &str| {
            self.name_at(at).is_some_and(|name| name.eq_ignore_ascii_case(word))
        };
        if let Some(found) = self.mend_of_place(at) {
            return Some(found);
        }
        let matches =
            |words: &str| words.split(' ').enumerate().all(|(i, word)| is_word(at + i, word));
        if let Some(number) = self.amount_at(at) {
            let (men, last) = self.men_at(at + 1)?;
            let help = format!(
                "`{men} == {number}` is true where there are so many, `{men} >= {number}` where \
                 there are at least so many"
            );
            return Some((Mend::advice(help), last + 1));
        }
        let (words, sign) = AMOUNTS.iter().chain(&SIGNS).find(|(words, _)| matches(words))?;
        let next = at + words.split(' ').count();
        let (text, last) = match *sign {
            "not" => match self.men_at(next) {
                Some((men, last)) => match self.other_men(&men, last) {
                    Some((Some(joint), other, last)) => {
                        let either = format!("not {{{men} or {other}}}");
                        let both = format!("not {{{men} {other}}}");
                        let help = format!("`{either}` asks for neither, `{both}` for not both");
                        let mend = match joint {
                            Keyword::Or => Mend::edit(help, self.tokens(at, last), either),
                            _ => Mend::advice(help),
                        };
                        return Some((mend, last + 1));
                    }
                    Some((None, other, last)) => (format!("not {men} not {other}"), last),
                    None => (format!("not {men}"), last),
                },
                None => {
                    self.keyword_at(next).filter(|word| word.begins_filter())?;
                    ("not".to_owned(), at)
                }
            },
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
        let help = format!("write `{text}`");
        Some((Mend::edit(help, self.tokens(at, last), text), last + 1))
    }

    /// Returns a proposal for pieces at `at` and squares, with words between them, and the token after
    /// them: `knight on e5`, `K is on e1`, `pawns on d4 and e4`.
    pub(in crate::parse) fn mend_of_place(&self, at: usize) -> Option<(Mend, usize)> {
        let (men, last) = self.men_at(at)?;
        let has_square = men.ends_with(|c: char| c.is_ascii_digit());
        let (square, mut end) = self.place_after(last + 1).filter(|_| !has_square)?;
        // as in `white knight on e5`, where the color is known and the piece is not
        let of_side = at.checked_sub(1).and_then(|before| Some((before, self.men_at(before)?)));
        let of_side = of_side.filter(|(_, (_, end))| *end == last);
        let (at, men) = of_side.map_or((at, men), |(before, (men, _))| (before, men));
        let mut text = format!("{men}{square}");
        let mut is_several = false;
        while let Some(joint @ (Keyword::And | Keyword::Or)) = self.keyword_at(end + 1)
            && let Some(square) = self.square_at(end + 2)
        {
            text += &format!(" {} {men}{square}", joint.text());
            (end, is_several) = (end + 2, true);
        }
        let help = format!("write `{text}`");
        let text = if is_several { self.as_one(at, end, text) } else { text };
        Some((Mend::edit(help, self.tokens(at, end), text), end + 1))
    }

    /// Returns the square after a word for a place at `at`, and its token: `on e5`, `is at f5`.
    pub(super) fn place_after(&self, at: usize) -> Option<(String, usize)> {
        let is_word = |at: usize, words: &[&str]| {
            let name = self.name_at(at);
            name.is_some_and(|name| words.iter().any(|word| name.eq_ignore_ascii_case(word)))
        };
        let at = if is_word(at, &["is", "are", "stands", "stand"]) { at + 1 } else { at };
        let square = is_word(at, &["on", "at"]).then(|| self.square_at(at + 1))??;
        Some((square, at + 1))
    }

    /// Returns the text of a single square at `at`.
    pub(super) fn square_at(&self, at: usize) -> Option<String> {
        let TokenKind::Designator(_) = self.kind_at(at)? else {
            return None;
        };
        let text = self.whole_text_of(self.span_at(at));
        matches!(text.as_bytes(), [b'a'..=b'h', b'1'..=b'8']).then_some(text)
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
    fn amount_at(&self, at: usize) -> Option<usize> {
        match self.kind_at(at)? {
            TokenKind::Integer(number) => usize::try_from(*number).ok(),
            TokenKind::Name(name) => number_in_words(name),
            _ => None,
        }
    }

    /// Returns the set of the pieces at `at`, and the last of their tokens: `Q`, `queens`,
    /// `white queens`.
    fn men_at(&self, at: usize) -> Option<(String, usize)> {
        let side =
            self.keyword_at(at).filter(|word| matches!(word, Keyword::White | Keyword::Black));
        match (self.kind_at(at)?, side) {
            (TokenKind::Designator(_), _) => Some((self.whole_text_of(self.span_at(at)), at)),
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

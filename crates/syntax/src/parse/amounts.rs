//! Proposes what English words before pieces mean: `no queens`, `at least 2 P`, `number of R`.

use super::mend::Mend;
use super::parser::Parser;
use super::words;
use crate::builtin::Keyword;
use crate::token::TokenKind;

/// Words, and the sign that they mean.
const AMOUNTS: &[(&[&str], &str)] = &[
    (&["no"], "not"),
    (&["without"], "not"),
    (&["number", "of"], "#"),
    (&["at", "least"], ">="),
    (&["at", "most"], "<="),
    (&["more", "than"], ">"),
    (&["less", "than"], "<"),
    (&["fewer", "than"], "<"),
    (&["exactly"], "=="),
];

/// Returns the number from 0 to 8 that an English word means.
#[must_use]
pub fn number_in_words(word: &str) -> Option<usize> {
    const NUMBERS: [&str; 9] =
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight"];
    NUMBERS.iter().position(|number| *number == word)
}

impl Parser<'_> {
    /// Returns a proposal for words of an amount that begin at `at`, and the last of their tokens.
    pub(super) fn mend_of_amount(&self, at: usize) -> Option<(Mend, usize)> {
        let is_word = |at: usize, word: &str| {
            self.name_at(at).is_some_and(|name| name.eq_ignore_ascii_case(word))
        };
        if let Some((men, last)) = self.men_at(at)
            && is_word(last + 1, "on")
            && let Some(TokenKind::Designator(_)) = self.kind_at(last + 2)
            && let square = self.whole_text_of(self.span_at(last + 2))
            && let [b'a'..=b'h', b'1'..=b'8'] = square.as_bytes()
        {
            let text = format!("{men}{square}");
            let help = format!("write `{text}`");
            return Some((Mend::edit(help, self.tokens(at, last + 2), text), last + 2));
        }
        let matches =
            |words: &[&str]| words.iter().enumerate().all(|(i, word)| is_word(at + i, word));
        if let Some(number) = self.amount_at(at) {
            let (men, last) = self.men_at(at + 1)?;
            let help = format!(
                "`{men} == {number}` is true where there are so many, `{men} >= {number}` where \
                 there are at least so many"
            );
            return Some((Mend::advice(help), last));
        }
        let (words, sign) = AMOUNTS.iter().find(|(words, _)| matches(words))?;
        let next = at + words.len();
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
                        return Some((mend, last));
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
        Some((Mend::edit(help, self.tokens(at, last), text), last))
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

//! The words of a question that are still to be understood: its clauses take them from the front.

use std::ops::RangeInclusive;

use super::amounts::month_of;
use super::codes::code;
use super::question_words::{is_number, parts, plain_letters};
use super::vocabulary::{compared, is_white};

/// Last names of players, by which a question without other words for one is understood.
const PLAYERS: &str = "\
    anand andersson aronian botvinnik bronstein capablanca carlsen caruana euwe firouzja \
    fischer geller gelfand giri gukesh huebner hubner ivanchuk karjakin karpov kasparov keres korchnoi \
    kosteniuk kramnik lasker leko mamedyarov morozevich morphy nakamura \
    nepomniachtchi petrosian polgar ponomariov portisch praggnanandhaa radjabov rubinstein \
    shirov smyslov spassky steinitz svidler tal timman topalov \
    vidmar wojtaszek yifan";

/// Given names of players, by which a name in small letters is understood.
const GIVEN: &str = "\
    alexander anatoly anish bobby boris emanuel fabiano garry garri hikaru ian ivan jan jose judit \
    levon magnus max mikhail paul peter raul robert susan tigran vasily vassily veselin viktor \
    viswanathan vishy vladimir wilhelm yifan zsuzsa";

/// Words with a capital letter at the beginning of a question that are no names.
const NO_NAMES: [&str; 24] = [
    "all",
    "any",
    "anybody",
    "anyone",
    "everybody",
    "everyone",
    "he",
    "how",
    "it",
    "my",
    "nobody",
    "one",
    "our",
    "she",
    "somebody",
    "someone",
    "the",
    "they",
    "we",
    "what",
    "when",
    "which",
    "who",
    "whoever",
];

/// The word in place of the name of the player who asks: `games that I lost`.
pub(super) const ASKER: &str = "NAME";

/// The words of a question that are still to be understood.
pub(super) struct Rest<'q> {
    pub(super) words: Vec<&'q str>,
    pub(super) plain: Vec<String>,
    /// Whether a comma follows each word, as in `Carlsen, M`.
    commas: Vec<bool>,
    pub(super) at: usize,
}

impl<'q> Rest<'q> {
    pub(super) fn new(question: &'q str) -> Rest<'q> {
        let mut rest = Rest { words: Vec::new(), plain: Vec::new(), commas: Vec::new(), at: 0 };
        for whole in question.split_inclusive([' ', ',']).map(str::trim) {
            let bare = whole.trim_matches(|c: char| !c.is_alphanumeric() && !"'’".contains(c));
            let own: Vec<&str> = parts(bare).collect();
            match own[..] {
                // as in `2010-2015`
                [first, last] if is_number(first) && is_number(last) => {
                    for (word, plain) in [(first, first), ("-", "to"), (last, last)] {
                        rest.push(word, plain.to_owned());
                    }
                }
                // as in `Vachier-Lagrave`
                [_, _, ..]
                    if own.iter().all(|word| word.starts_with(char::is_uppercase))
                        && !bare.contains('|')
                        && !own.iter().all(|word| is_player(word)) =>
                {
                    rest.push(bare, plain_letters(bare));
                }
                _ => own.iter().for_each(|word| rest.push(word, one_word(word))),
            }
            if whole.ends_with('+') && own.last().is_some_and(|word| is_number(word)) {
                rest.push("or", "or".to_owned());
                rest.push("more", "more".to_owned());
            }
            if let Some(last) = rest.commas.last_mut() {
                *last |= whole.ends_with(',');
            }
        }
        rest
    }

    fn push(&mut self, word: &'q str, plain: String) {
        self.words.push(word);
        self.plain.push(plain);
        self.commas.push(false);
    }

    pub(super) fn word(&self, ahead: usize) -> &str {
        self.plain.get(self.at + ahead).map_or("", String::as_str)
    }

    /// Goes on after these words, if they come next.
    pub(super) fn takes(&mut self, words: &str) -> bool {
        let n = words.split(' ').count();
        let are_next = words.split(' ').enumerate().all(|(at, word)| self.word(at) == word);
        self.at += if are_next { n } else { 0 };
        are_next
    }

    /// Goes on after one of these, if one comes next.
    pub(super) fn takes_any(&mut self, all: &[&str]) -> Option<()> {
        all.iter().any(|words| self.takes(words)).then_some(())
    }

    pub(super) fn takes_one<T: Copy>(&mut self, rows: &[(&str, T)]) -> Option<T> {
        rows.iter().find(|(words, _)| self.takes(words)).map(|(_, meaning)| *meaning)
    }

    /// Goes on after a color, if one comes next; returns whether it is White's.
    pub(super) fn color(&mut self) -> Option<bool> {
        let color = is_white(self.word(0))?;
        self.at += 1;
        Some(color)
    }

    /// Goes on after words that compare a number; returns their sign.
    pub(super) fn sign(&mut self) -> Option<&'static str> {
        let (sign, n) = compared(&self.plain[self.at..])?;
        self.at += n;
        Some(sign)
    }

    /// Returns the number that comes next, if it is in a range.
    pub(super) fn number(&mut self, range: RangeInclusive<u32>) -> Option<u32> {
        let number = self.word(0).parse().ok().filter(|n| range.contains(n))?;
        self.at += 1;
        Some(number)
    }

    /// Reads a clause; if it is none, goes back to its beginning.
    pub(super) fn tries<T>(&mut self, clause: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let at = self.at;
        let found = clause(self);
        if found.is_none() {
            self.at = at;
        }
        found
    }

    fn is_capital(&self, at: usize) -> bool {
        let is_other = |word: &String| is_white(word).is_some() || NO_NAMES.contains(&&**word);
        !self.plain.get(at).is_some_and(is_other)
            && self.words.get(at).is_some_and(|word| word.starts_with(char::is_uppercase))
    }

    fn is_known(&self, at: usize) -> bool {
        self.words.get(at).is_some_and(|word| is_player(bare(word)))
    }

    fn is_given_name(&self, at: usize) -> bool {
        self.plain.get(at).is_some_and(|word| GIVEN.split(' ').any(|of| of == word))
    }

    /// Returns the next words if they are a name: with a known last name, or in any case.
    pub(super) fn name(&mut self, is_said: bool) -> Option<String> {
        // as in `B90 won by black` and `between March and May`
        if month_of(self.word(0)).is_some() || code(self.words.get(self.at)?).is_some() {
            return None;
        }
        if let Some(name) = self.last_name_first() {
            return Some(name);
        }
        if ["i", "me", "my", "we", "us", "our"].contains(&self.word(0)) {
            self.at += 1;
            return Some(ASKER.to_owned());
        }
        // Two names follow each other in `Kasparov Topalov`, and in `Carlsen, Anand`.
        let mut end = self.at;
        let is_given = |at: usize| self.is_known(at + 1) && self.is_given_name(at);
        let goes_on =
            |at: usize| self.is_capital(at) || is_given(at) || at > self.at && is_given(at - 1);
        let ends = |at: usize| self.is_known(at) || self.commas[at];
        while goes_on(end) && !(end > self.at && ends(end - 1)) {
            end += 1;
        }
        if !is_said || end == self.at {
            let last = (self.at..end.max(self.at + 1)).rev().find(|at| self.is_known(*at))?;
            end = last + 1;
        }
        let name: Vec<String> = self.words[self.at..end].iter().map(|word| capital(word)).collect();
        self.at = end;
        Some(name.join(" "))
    }

    /// Returns a name as files write it: `Carlsen, M` and `Carlsen, Magnus`.
    fn last_name_first(&mut self) -> Option<String> {
        let at = self.at;
        let is_last = self.is_capital(at) || self.is_known(at);
        let is_given = self.is_given_name(at + 1)
            || self.is_capital(at + 1) && !self.is_known(at + 1) && !is_verb(self.word(1));
        let is_name = is_last && is_given && self.commas.get(at) == Some(&true);
        is_name.then(|| {
            self.at += 2;
            format!("{}, {}", capital(self.words[at]), capital(self.words[at + 1]))
        })
    }
}

/// Whether a word says what a player did, which no given name does.
pub(super) fn is_verb(word: &str) -> bool {
    super::compose::SCORES.iter().any(|(verb, _)| *verb == word)
        || ["plays", "played", "rated"].contains(&word)
}

/// Returns a word in small letters; words for endings are one.
fn one_word(word: &str) -> String {
    match plain_letters(word).as_str() {
        "endgames" | "ending" | "endings" => "endgame".to_owned(),
        word => word.to_owned(),
    }
}

/// Returns a part of a name with a capital letter: a name in small letters is one of those above.
fn capital(word: &str) -> String {
    let mut letters = bare(word).chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    first.chain(letters).collect()
}

/// Returns a name without the ending of what belongs to it: `Carlsen` for `Carlsen's`.
fn bare(word: &str) -> &str {
    ["'s", "’s"].iter().find_map(|end| word.strip_suffix(end)).unwrap_or(word)
}

/// Whether a word is the last name of a player who is known without other words.
pub fn is_player(word: &str) -> bool {
    let plain = plain_letters(word);
    PLAYERS.split(' ').any(|of| of == plain)
}

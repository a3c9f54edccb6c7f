//! The table of all words, and the code that is common to the regular ones.
//!
//! A *regular* word is a filter with no operands, one or two, each of a fixed type. Its row in
//! `builtin/table.rs` contains everything else: the spelling, the operands, the type of the value,
//! the data that the value depends on, and an English description. The parser, `explain`, the lints
//! and the optimizer use the row; only the evaluator has a match arm for each word, which the
//! compiler enforces. Filters with a grammar of their own (`path`, `sort`, …) are nodes of the
//! [tree](crate::tree).

mod table;

pub use table::*;

use crate::chains::Chains;
use crate::types::Type;

/// Properties of a regular word.
#[derive(Debug)]
pub struct WordRow {
    /// The spelling.
    pub word: &'static str,
    /// Data that the value depends on, besides the operands.
    pub reads: Reads,
    /// English description. For a Boolean, the claim; for a filter with a value, a noun that ends
    /// with `of` or a similar word if an operand follows. `{}` stands for each operand of a pair.
    pub says: &'static str,
    /// The claim of a filter with a value that is used as a condition, if it says more than that
    /// there is a value.
    pub holds: Option<&'static str>,
    /// Effect of using a filter with a value as a condition.
    pub bare: Bare,
    /// Whether the filter has a value in every position.
    pub always: bool,
    /// Help for a missing operand.
    pub usage: Option<&'static str>,
    /// Whether the word is unknown to CQL 6.2, so that queries may use it as a name.
    pub newer: bool,
}

impl WordRow {
    /// The properties of most words.
    const NEW: WordRow = WordRow {
        word: "",
        reads: Reads::Nothing,
        says: "",
        holds: None,
        bare: Bare::Matches,
        always: false,
        usage: None,
        newer: false,
    };
}

/// Data that the value of a filter depends on, besides its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// Tags and number of the game, known before its moves are read.
    Game,
    /// The games before this one.
    Run,
    /// The current position, its ply, or the moves around it.
    Position,
    /// The path or move around the filter, if there is one.
    Context,
}

/// Effect of using a filter with a value as a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bare {
    /// The filter matches if it has a value; a set must not be empty.
    Matches,
    /// The filter is evaluated but never matches.
    Never,
    /// The run ends with an error when the filter is evaluated.
    Misuse,
}

/// A regular word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Regular {
    /// Without operands.
    Nullary(Nullary),
    /// With one operand.
    Unary(Unary),
    /// With two operands in parentheses.
    Binary(Binary),
}

impl Regular {
    /// Returns the row of the word.
    pub const fn row(self) -> &'static WordRow {
        match self {
            Regular::Nullary(word) => word.row(),
            Regular::Unary(word) => word.row(),
            Regular::Binary(word) => word.row(),
        }
    }
}

/// Class of a word, with what its row has besides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Entry {
    /// A regular word.
    Regular(Regular),
    /// A word that begins a filter with a grammar of its own.
    Node {
        /// The word with its operands, in the notation of snippets: `find ${1:check}`.
        template: &'static str,
        /// A short explanation.
        says: &'static str,
    },
    /// A word within other filters, or without meaning.
    Parameter {
        /// Like that of a node; empty if the word is all of it.
        template: &'static str,
        /// A short explanation.
        says: &'static str,
    },
}

/// Types of the operands and of the value of a class of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// The type of each operand.
    pub operand: Type,
    /// Loosest operator level allowed within an operand.
    pub(crate) level: u8,
    /// The type of the value.
    pub value: Type,
}

impl Keyword {
    /// Returns the regular filter of the word, if it is one.
    pub const fn regular(self) -> Option<Regular> {
        match self.entry() {
            Entry::Regular(regular) => Some(regular),
            Entry::Node { .. } | Entry::Parameter { .. } => None,
        }
    }

    /// Whether a filter can begin with the word.
    pub const fn begins_filter(self) -> bool {
        match self.entry() {
            Entry::Regular(_) | Entry::Node { .. } => true,
            Entry::Parameter { .. } => false,
        }
    }

    /// Whether the word cannot be used as a name. Words that CQL 6.2 does not have give way to
    /// variables and functions of the same name.
    pub const fn is_reserved(self) -> bool {
        match self.regular() {
            Some(regular) => !regular.row().newer,
            None => !matches!(
                self,
                Keyword::Commandpipe
                    | Keyword::Endgame
                    | Keyword::Engine
                    | Keyword::Fenset
                    | Keyword::Imagine
                    | Keyword::Import
                    | Keyword::Likeness
                    | Keyword::Material
                    | Keyword::Phase
                    | Keyword::Removetag
                    | Keyword::Replace
                    | Keyword::Reverse
                    | Keyword::San
                    | Keyword::Theme
            ),
        }
    }

    /// Returns the word with this ASCII spelling. CQL is case-sensitive.
    pub fn from_text(text: &str) -> Option<Keyword> {
        let alike = CHAINS.at(slot(text.as_bytes()));
        let mut alike = alike.map(|at| Keyword::ALL[at]);
        alike.find(|keyword| keyword.text() == text)
    }
}

const N_SLOTS: usize = 1024;

/// Hash table of the keywords, since every word of a text is looked up.
static CHAINS: Chains<N_SLOTS, { Keyword::ALL.len() }> = Chains::new({
    let mut slots = [0; Keyword::ALL.len()];
    let mut at = 0;
    while at < slots.len() {
        slots[at] = slot(Keyword::ALL[at].text().as_bytes());
        at += 1;
    }
    slots
});

/// Returns the slot of a word, computed from its length and three of its letters.
const fn slot(word: &[u8]) -> usize {
    let n = word.len();
    if n == 0 {
        return 0;
    }
    let (first, middle, last) = (word[0] as usize, word[n / 2] as usize, word[n - 1] as usize);
    (first * 31 + middle * 7 + last * 3 + n) % N_SLOTS
}

/// Returns the keywords in alphabetical order of their spelling.
const fn sorted<const N: usize>(mut keywords: [Keyword; N]) -> [Keyword; N] {
    let mut end = 1;
    while end < N {
        let mut at = end;
        while at > 0 && is_before(keywords[at].text(), keywords[at - 1].text()) {
            (keywords[at], keywords[at - 1]) = (keywords[at - 1], keywords[at]);
            at -= 1;
        }
        end += 1;
    }
    keywords
}

const fn is_before(left: &str, right: &str) -> bool {
    let (left, right) = (left.as_bytes(), right.as_bytes());
    let mut at = 0;
    while at < left.len() && at < right.len() {
        if left[at] != right[at] {
            return left[at] < right[at];
        }
        at += 1;
    }
    left.len() < right.len()
}

impl TextToText {
    /// Returns the text with capital or small letters of any alphabet; one that is no UTF-8 has those
    /// from a to z changed.
    #[must_use]
    pub fn of(self, text: &[u8]) -> Vec<u8> {
        match (self, str::from_utf8(text)) {
            (TextToText::Uppercase, Ok(text)) if !text.is_ascii() => text.to_uppercase().into(),
            (TextToText::Lowercase, Ok(text)) if !text.is_ascii() => text.to_lowercase().into(),
            (TextToText::Uppercase, _) => text.to_ascii_uppercase(),
            (TextToText::Lowercase, _) => text.to_ascii_lowercase(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_sorted_and_found() {
        assert!(Keyword::ALL.is_sorted_by(|a, b| a.text() < b.text()));
        for &keyword in Keyword::ALL {
            assert_eq!(Keyword::from_text(keyword.text()), Some(keyword));
        }
        assert_eq!(Keyword::from_text("Check"), None);
        assert_eq!(Keyword::from_text(""), None);
    }

    #[test]
    fn rows_say_something() {
        for &keyword in Keyword::ALL {
            let Some(regular) = keyword.regular() else {
                continue;
            };
            let row = regular.row();
            let n_operands = match regular {
                Regular::Nullary(_) => 0,
                Regular::Unary(_) => 1,
                Regular::Binary(_) => 2,
            };
            assert_eq!(row.word, keyword.text());
            assert!(keyword.begins_filter(), "{}", row.word);
            assert!(!row.says.is_empty(), "{}", row.word);
            let n_places = row.says.matches("{}").count();
            assert_eq!(n_places, if n_operands == 2 { 2 } else { 0 }, "{}", row.word);
            assert_eq!(row.usage.is_some(), n_operands > 0, "{}", row.word);
        }
    }
}

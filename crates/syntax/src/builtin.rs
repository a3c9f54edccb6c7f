//! The table of all words, and what is the same for all regular ones.
//!
//! A *regular* word is a filter whose operands, none, one or two, have fixed types. What is to be
//! known of it stands in its row (`builtin/table.rs`): the spelling, the operands, the type of the
//! value, on what the value depends, and a few words of English. The parser, `explain`, the lints
//! and the optimizer ask the row; only the evaluator has an arm for each word, which the compiler
//! demands. Filters with a grammar of their own (`path`, `sort`, …) are nodes of the
//! [tree](crate::tree).

mod table;

pub use table::*;

use crate::chains::Chains;
use crate::tree::Type;

/// What is known of a regular word.
#[derive(Debug)]
pub struct Row {
    /// The spelling.
    pub word: &'static str,
    /// On what the value depends, beside the operands.
    pub reads: Reads,
    /// What it is, in English. Of a Boolean: the claim. Of a filter with a value: a noun, with
    /// `of` or its like at the end where an operand follows. The two operands of a pair
    /// are written as `{}`.
    pub says: &'static str,
    /// The claim that a filter with a value makes where it is used as a condition, if it is more
    /// than that there is a value.
    pub holds: Option<&'static str>,
    /// What becomes of a filter with a value that is used as a condition.
    pub bare: Bare,
    /// Is known to have a value whatever the position.
    pub always: bool,
    /// What to write, for those who have left out an operand.
    pub usage: Option<&'static str>,
    /// CQL 6.2 does not have the word, so that queries may use it as a name.
    pub newer: bool,
}

impl Row {
    /// What most words have in common.
    const NEW: Row = Row {
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

/// On what the value of a filter depends, beside its operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Reads {
    /// Nothing.
    Nothing,
    /// Tags and number of the game, which are known before its moves are read.
    Game,
    /// The games before this one.
    Run,
    /// The current position, its place in the game, or the moves around it.
    Position,
    /// The path or the move that the filter stands in, where it stands in one.
    Context,
}

/// What becomes of a filter with a value that is used as a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bare {
    /// It matches if it has a value, a Set if it is not empty.
    Matches,
    /// It is evaluated but never matches.
    Never,
    /// It ends the run when it is reached.
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
    /// What is known of the word.
    pub const fn row(self) -> &'static Row {
        match self {
            Regular::Nullary(word) => word.row(),
            Regular::Unary(word) => word.row(),
            Regular::Binary(word) => word.row(),
        }
    }
}

/// How the words of a class are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Signature {
    /// The type of each operand.
    pub operand: Type,
    /// How loosely operators may bind within an operand.
    pub(crate) level: u8,
    /// The type of the value.
    pub value: Type,
}

impl Keyword {
    /// Whether the word cannot be a name. Words that CQL 6.2 does not have give way to variables
    /// and functions of the same name.
    pub const fn is_reserved(self) -> bool {
        match self.regular() {
            Some(regular) => !regular.row().newer,
            None => !matches!(
                self,
                Keyword::Commandpipe
                    | Keyword::Engine
                    | Keyword::Imagine
                    | Keyword::Import
                    | Keyword::Removetag
                    | Keyword::Replace
                    | Keyword::Reverse
            ),
        }
    }

    /// The word spelled `text` in ASCII. CQL is case-sensitive.
    pub fn from_text(text: &str) -> Option<Keyword> {
        let alike = CHAINS.at(slot(text.as_bytes()));
        let mut alike = alike.map(|at| Keyword::ALL[at]);
        alike.find(|keyword| keyword.text() == text)
    }
}

const N_SLOTS: usize = 1024;

/// Every word of a text is looked up.
static CHAINS: Chains<N_SLOTS, { Keyword::ALL.len() }> = Chains::new({
    let mut slots = [0; Keyword::ALL.len()];
    let mut at = 0;
    while at < slots.len() {
        slots[at] = slot(Keyword::ALL[at].text().as_bytes());
        at += 1;
    }
    slots
});

/// The slot of a word, by its length and three of its letters.
const fn slot(word: &[u8]) -> usize {
    let n = word.len();
    if n == 0 {
        return 0;
    }
    let (first, middle, last) = (word[0] as usize, word[n / 2] as usize, word[n - 1] as usize);
    (first * 31 + middle * 7 + last * 3 + n) % N_SLOTS
}

/// The keywords in alphabetical order of their spelling.
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
            assert_eq!(
                n_places,
                if n_operands == 2 { 2 } else { 0 },
                "{}",
                row.word
            );
            assert_eq!(row.usage.is_some(), n_operands > 0, "{}", row.word);
        }
    }
}

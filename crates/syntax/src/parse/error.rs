//! Errors of the parser: their codes, words for messages, and the most similar of some words.

use crate::tree::Type;

/// Maximum number of errors that are kept.
pub(super) const MAX_ERRORS: usize = 100;

/// An error that has been reported.
#[derive(Debug, Clone, Copy)]
pub(super) struct Failed;

/// Result of a parsing function.
pub(super) type Res<T> = Result<T, Failed>;

/// Extent of the text that an error affects.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum ErrorExtent {
    /// The end of the filter is unknown.
    #[default]
    Structure,
    /// A single word or filter; operators after it are skipped with their operands.
    Operand,
    /// An operator that is not allowed; its right operand is a filter.
    Operator,
}

/// Codes of the parser's diagnostics.
pub(super) mod code {
    /// A filter was expected.
    pub(crate) const EXPECTED_FILTER: &str = "E0101";
    /// An operator that is not allowed after the filter before it.
    pub(crate) const LEFTOVER: &str = "E0102";
    /// A missing symbol or word.
    pub(crate) const EXPECTED_SYMBOL: &str = "E0103";
    /// Empty delimiters.
    pub(crate) const EMPTY: &str = "E0104";
    /// Too many filters between parentheses.
    pub(crate) const TOO_MANY: &str = "E0105";
    /// Too few or too many arguments of a filter.
    pub(crate) const ARGUMENTS: &str = "E0106";
    /// A wrong operand, promotion or target of a move.
    pub(crate) const MOVE: &str = "E0108";
    /// A wrong part of a path.
    pub(crate) const PATH: &str = "E0109";
    /// A wrong part of a line.
    pub(crate) const LINE: &str = "E0110";
    /// A repeated parameter, or two that exclude each other.
    pub(crate) const PARAMETER: &str = "E0111";
    /// Wrong content of a string literal.
    pub(crate) const LITERAL: &str = "E0113";
    /// A move in the notation of games.
    pub(crate) const BOOK_MOVE: &str = "E0114";
    /// A sentence in place of a query.
    pub(crate) const SENTENCE: &str = "E0115";
    /// An unknown name.
    pub(crate) const UNKNOWN_NAME: &str = "E0201";
    /// A word that cannot be a name.
    pub(crate) const NOT_A_NAME: &str = "E0202";
    /// A name that already has another meaning.
    pub(crate) const NAME_TAKEN: &str = "E0203";
    /// A function without a call, or a call of something else.
    pub(crate) const FUNCTION: &str = "E0204";
    /// A function that calls itself.
    pub(crate) const RECURSION: &str = "E0205";
    /// An unknown key of `hhdb`.
    pub(crate) const HHDB: &str = "E0206";
    /// The operand of a filter has the wrong type.
    pub(crate) const OPERAND_TYPE: &str = "E0301";
    /// An operand of an operator has the wrong type.
    pub(crate) const OPERATOR_TYPE: &str = "E0302";
    /// A variable of another type.
    pub(crate) const VARIABLE_TYPE: &str = "E0303";
    /// Values that cannot be compared.
    pub(crate) const COMPARISON: &str = "E0304";
    /// A wrong type of keys or values of a dictionary.
    pub(crate) const DICTIONARY_TYPE: &str = "E0305";
    /// A filter that is not allowed here.
    pub(crate) const CONTEXT: &str = "E0401";
    /// Squares under `rotate45`.
    pub(crate) const ROTATE: &str = "E0402";
    /// A filter that needs variations.
    pub(crate) const VARIATIONS: &str = "E0404";
    /// Wrong use of `persistent` or `atomic`.
    pub(crate) const PERSISTENCE: &str = "E0405";
    /// A missing header.
    pub(crate) const NO_HEADER: &str = "E0501";
    /// An unknown word in the header.
    pub(crate) const HEADER_WORD: &str = "E0502";
    /// A wrong or repeated parameter of the header.
    pub(crate) const HEADER_VALUE: &str = "E0503";
    /// Filters nested too deeply.
    pub(crate) const TOO_DEEP: &str = "E0901";
    /// Functions that expand to too many tokens.
    pub(crate) const TOO_LONG: &str = "E0902";
}

/// Returns the description of a type for messages.
pub(super) fn type_name(ty: Type) -> &'static str {
    match ty {
        Type::Boolean => "a condition without a value",
        Type::Set => "a set of squares",
        Type::Numeric => "a number",
        Type::String => "a string",
        Type::Position => "a position",
    }
}

/// Returns a number with its noun: `1 filter`, `2 filters`.
pub(super) fn plural(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        _ => format!("{number} {noun}s"),
    }
}

/// Help for an unexpected `+` or `*` in a path.
pub(super) const REPEATS_IN_PATH: &str =
    "in a path, outside of braces, `+` and `*` repeat moves and groups: write `{…}`";

/// Maximum length of a name that is compared with others, in bytes. Comparing takes quadratic time,
/// and longer names are not typing errors.
const LONGEST_NAME: usize = 200;

/// Returns the candidate most similar to `word`, if any is similar. A candidate that only differs
/// in letter case is the most similar.
pub fn nearest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    if word.len() > LONGEST_NAME {
        return None;
    }
    let allowed = match word.chars().count() {
        0..=2 => 0,
        3..=5 => 1,
        _ => 2,
    };
    let lower = word.to_ascii_lowercase();
    candidates
        .into_iter()
        .map(|candidate| (distance(&lower, &candidate.to_ascii_lowercase()), candidate))
        .filter(|&(distance, candidate)| distance <= allowed && candidate != word)
        // The opposite is not what is meant: `protected` for `unprotected`.
        .filter(|&(_, candidate)| lower.strip_prefix("un") != Some(candidate))
        .min_by_key(|&(distance_of_lower, candidate)| {
            // Swapped letters and missing ends are more common than other mistakes.
            let is_no_swap = !are_swapped(word, candidate);
            let is_other = !candidate.starts_with(word);
            let distance = distance(word, candidate);
            (distance_of_lower, distance, is_no_swap, is_other, candidate.len(), candidate)
        })
        .map(|(_, candidate)| candidate)
}

/// Whether two words have the same letters, whatever their order and case.
pub(super) fn are_swapped(a: &str, b: &str) -> bool {
    let letters = |word: &str| {
        let mut counts = [0_usize; 256];
        word.bytes().for_each(|letter| counts[usize::from(letter.to_ascii_lowercase())] += 1);
        counts
    };
    a.len() == b.len() && letters(a) == letters(b)
}

/// Whether a word has at most one mistake: a wrong, missing or additional letter, or two that are
/// exchanged. Long words may have more. `meant` is in lower case.
pub fn is_slip(word: &str, meant: &str) -> bool {
    /// Length of a word that may have several mistakes.
    const LONG: usize = 10;
    word.chars().count() >= LONG || distance(&word.to_lowercase(), meant) <= 1
}

/// Returns the number of insertions, deletions, replacements and swaps of neighbors between `a` and
/// `b`; the maximum if the lengths alone show that there are more than [`nearest`] allows.
pub(super) fn distance(a: &str, b: &str) -> usize {
    if a.chars().count().abs_diff(b.chars().count()) > 2 {
        usize::MAX
    } else {
        strsim::osa_distance(a, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_names_are_proposed() {
        let check = |word: &str, expected: Option<&str>| {
            let names =
                ["pawns", "passedpawns", "sidetomove", "wtm", "btm", "date", "mate", "Rtrail"];
            assert_eq!(nearest(word, names), expected, "{word}");
        };
        check("passedpawn", Some("passedpawns"));
        check("pasedpwans", Some("passedpawns"));
        check("sideToMove", Some("sidetomove"));
        check("wmt", Some("wtm"));
        check("Wtm", Some("wtm"));
        check("MATE", Some("mate"));
        check("Mate", Some("mate"));
        check("Stime", None);
        check("rtrail", Some("Rtrail"));
        check("pwans", Some("pawns"));
        check("zork", None);
        check("w", None);
        check("unmate", None);
        let check = |word: &str, names: &[&str], expected: &str| {
            assert_eq!(nearest(word, names.iter().copied()), Some(expected), "{word}");
        };
        check("filp", &["file", "flip"], "flip");
        check("nto", &["to", "not"], "not");
    }

    #[test]
    fn a_slip_is_one_mistake_in_a_short_word() {
        for (word, meant, expected) in [
            ("zugswang", "zugzwang", true),
            ("mtae", "mate", true),
            ("exelsior", "excelsior", true),
            ("mate", "mate", true),
            ("theory", "they", false),
            ("scouting", "sorting", false),
        ] {
            assert_eq!(is_slip(word, meant), expected, "{word} {meant}");
        }
    }
}

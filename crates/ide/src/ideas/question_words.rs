//! The words of a question: which say little, which change what others mean, and their stems.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Words of a search.
pub(super) struct Asked {
    pub(super) joined: String,
    pub(super) stems: Vec<String>,
    /// Stems of the words with a capital letter: names, which examples have by chance.
    pub(super) names: Vec<String>,
}

impl Asked {
    pub(super) fn new(words: &str) -> Asked {
        let names = parts(words).filter(|word| word.starts_with(char::is_uppercase));
        let names = names.flat_map(stems).collect();
        Asked { joined: joined(words), stems: stems(words), names }
    }
}

/// Returns the words of a text; hyphens and commas are blanks.
pub(super) fn parts(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '’');
    text.split(move |c: char| !is_part(c)).filter(|part| !part.is_empty())
}

/// Returns the words of a text without some that say nothing there, which have blanks between.
pub(super) fn without<'t>(aside: &str, text: &'t str) -> Vec<&'t str> {
    parts(text).filter(|word| !aside.split(' ').any(|other| other == *word)).collect()
}

/// Returns the words of a question before the first *without* or *not*, and those from there.
pub(super) fn left_out(words: &str) -> Option<(&str, &str)> {
    let not = parts(words).find(|word| stem(&plain_letters(word)) == "not")?;
    let at = not.as_ptr() as usize - words.as_ptr() as usize;
    let (wanted, left_out) = words.split_at(at);
    let are_both = !stems(wanted).is_empty() && left_out.len() > not.len();
    are_both.then(|| (wanted.trim_end(), left_out))
}

/// Returns what a question for games or positions asks them to have: `IQP` of `positions with an IQP`.
pub(super) fn without_games(question: &str) -> Option<&str> {
    let mut rest = question;
    let all =
        ["games ", "positions ", "in which ", "where ", "that have ", "with ", "of ", "there is "];
    for words in all.into_iter().chain(["a ", "an ", "the "]) {
        rest = rest.strip_prefix(words).unwrap_or(rest);
    }
    (rest.len() < question.len()).then_some(rest)
}

/// Returns a question with `N` in place of each number.
pub(super) fn with_n(question: &str) -> String {
    let words = question
        .split(' ')
        .map(|word| if is_number(word) && !word.is_empty() { "N" } else { word });
    words.collect::<Vec<_>>().join(" ")
}

/// Returns the letters and digits of a text, in lower case and without accents and articles.
pub(super) fn joined(text: &str) -> String {
    let plain = plain_letters(text);
    without_articles(&plain).concat().replace(['\'', '’'], "")
}

/// Returns the words of a text in small letters without articles. The *a* of `the a-file` is none.
pub(super) fn without_articles(plain: &str) -> Vec<&str> {
    let mut words: Vec<&str> = parts(plain).collect();
    let said = |at: usize| match words[at] {
        "a" if words.get(at + 1).is_some_and(|next| *next == "file") => {
            plain.contains("a-file") || plain.contains("the a file")
        }
        "a" => at + 1 == words.len(),
        word => !matches!(word, "an" | "the"),
    };
    let kept: Vec<bool> = (0..words.len()).map(said).collect();
    let mut kept = kept.into_iter();
    words.retain(|_| kept.next() == Some(true));
    words
}

/// Letters with accents, and the letter without.
const ACCENTS: &[(&str, char)] = syntax::rows! {
    "áàâäãå", 'a'; "çćč", 'c'; "éèêë", 'e'; "íìîï", 'i'; "ñń", 'n'; "óòôöõøő", 'o'; "śš", 's';
    "úùûüű", 'u'; "ý", 'y'; "źžż", 'z';
};

/// Returns a text in lower case, without accents.
pub(super) fn plain_letters(text: &str) -> String {
    let plain = |letter: char| {
        let row = ACCENTS.iter().find(|(letters, _)| letters.contains(letter));
        row.map_or(letter, |(_, plain)| *plain)
    };
    if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        text.to_lowercase().chars().map(plain).collect()
    }
}

/// Words that say little.
const LITTLE: &[&str] = &[
    "a", "about", "an", "and", "are", "at", "by", "can", "do", "does", "for", "from", "how", "i",
    "in", "is", "it", "me", "my", "of", "on", "that", "the", "to", "what", "when", "where",
    "which", "with", "all", "any", "as", "be", "have", "has", "his", "her", "its", "than", "then",
    "there", "this", "was", "were", "but", "yet", "who", "whose", "did",
];

/// Stems of words that do not say on their own what is meant.
pub(super) const GENERAL: &[&str] = &[
    "best", "cql", "first", "good", "many", "most", "often", "one", "only", "chess", "find",
    "game", "get", "leav", "move", "play", "player", "position", "query", "result", "task", "them",
    "up",
];

/// Words with which a question begins, and which are no part of what is asked.
pub(super) const ASKING: &str = "show me, show, find me, find, give me, list, search for, look for, i want, \
    i need, how do i find, how can i find, how to find, where are";

/// Stems of words that change what all others mean: an idea has them only if it is about them.
pub(super) const DECISIVE: &[&str] =
    &["not", "or", "both", "whit", "black", "two", "thre", "four", "five", "six", "seven", "eight"];

/// Words that compare a number.
pub(super) const COMPARING: &[&str] = &[
    "above", "after", "before", "below", "fewer", "least", "less", "more", "over", "since",
    "under", "until",
];

/// Whether a stem changes what all other words mean.
pub(super) fn decides(stem: &str) -> bool {
    DECISIVE.contains(&stem) || is_number(stem) || is_square(stem)
}

pub(super) fn is_square(word: &str) -> bool {
    matches!(word.as_bytes(), [b'a'..=b'h', b'1'..=b'8'])
}

pub(super) fn is_number(word: &str) -> bool {
    word.bytes().all(|b| b.is_ascii_digit())
}

/// Words with the same meaning for a player; the first represents the others.
const SAME: &str = "exchange trade swap, endgame ending, walk march, color colour, colored coloured, sacrifice \
    sac, draw drawn, lost loss lose forfeit, won win, two 2, three 3, four 4, mate mating \
    checkmate mated, seventh 7th, above over after, below under before, against versus vs, not \
    never no without, blunder mistake, mutual reciprocal, series sequence";

/// Minimum length of a stem, and of the beginning of a word.
pub(super) const SHORTEST: usize = 4;

/// Returns the stems of the words of a text, without those that say little.
pub(super) fn stems(text: &str) -> Vec<String> {
    let mut text = plain_letters(text);
    text.retain(|c| !matches!(c, '\'' | '’'));
    let words = text.split(|c: char| !c.is_alphanumeric());
    let words = words.filter(|word| !word.is_empty() && !LITTLE.contains(word));
    let mut stems: Vec<String> = words.map(|word| stem(word).to_owned()).collect();
    stems.dedup();
    stems
}

/// Returns a word without its ending: the same for *sacrifices* and *sacrificed*.
pub(super) fn stem(word: &str) -> &str {
    /// Stems of words, each with the one that represents it.
    static SAME_STEMS: LazyLock<HashMap<&str, &str>> = LazyLock::new(|| {
        let rows = SAME.rsplit(", ");
        let of_row = |row: &'static str| {
            row.split(' ').map(|one| (cut(one), cut(row.split(' ').next().unwrap_or(one))))
        };
        rows.flat_map(of_row).collect()
    });
    let stem = cut(word);
    SAME_STEMS.get(stem).copied().unwrap_or(stem)
}

/// Cuts the longest ending off a word.
fn cut(word: &str) -> &str {
    let endings = ["ions", "ion", "ing", "ed", "es", "s", "e"];
    let cut = endings.iter().filter_map(|ending| word.strip_suffix(ending));
    cut.filter(|rest| rest.len() >= SHORTEST).min_by_key(|rest| rest.len()).unwrap_or(word)
}

//! The commands `cql help WORDS` that messages name.
//!
//! Only the program knows what its help finds. It says so before it reads a query, so that no message
//! names a command that finds nothing.

use std::cell::Cell;
use std::sync::OnceLock;

use crate::diagnostic::Diagnostic;

/// Kind of thing that the help must find for words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Something that is called so.
    Name,
    /// Something that has some of the words.
    Part,
    /// Something that has all of them.
    Whole,
}

/// Something that the help finds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Found {
    /// The query that is the meaning of the words, if it is known.
    pub query: Option<String>,
}

/// Says what the help finds for words.
pub type Finder = fn(words: &str, extent: Extent) -> Option<Found>;

static FINDER: OnceLock<Finder> = OnceLock::new();

/// Sets what says whether the help finds something. Only the first call counts.
pub fn set_finder(finder: Finder) {
    let _ = FINDER.set(finder);
}

thread_local! {
    /// Whether the finder works on this thread. It reads queries, too.
    static IS_ASKED: Cell<bool> = const { Cell::new(false) };
}

/// Number of bytes of the longest words that are looked for. A query may be one word of megabytes.
const LONGEST: usize = 200;

/// Returns whether the help finds something for words; `None` where there is no help. If `is_name`,
/// they must be what it is called.
#[must_use]
pub fn finds(words: &str, is_name: bool) -> Option<bool> {
    let extent = if is_name { Extent::Name } else { Extent::Part };
    ask(words, extent).map(|found| found.is_some())
}

/// Names the command that finds queries for words.
#[must_use]
pub fn finds_queries(words: &str) -> String {
    let is_one = words.chars().all(|c| c.is_alphanumeric() || c == '_');
    let what = if is_one { "this word" } else { "these words" };
    format!("`cql help {words}` finds queries for {what}")
}

/// Names the command that finds queries for words, if it finds something for all of them.
#[must_use]
pub fn finds_all(words: &str) -> Option<String> {
    ask(words, Extent::Whole)??;
    Some(finds_queries(words))
}

/// Adds the help to the error of a text, and the query that its words mean if it is known. Returns `None`
/// if the help does not find all of the words.
#[must_use]
pub fn advised(error: Diagnostic, text: &str) -> Option<Diagnostic> {
    let is_of_words = |c: char| c.is_alphanumeric() || " -'’,.?!|/\n".contains(c);
    if !text.contains(char::is_alphabetic) || !text.chars().all(is_of_words) {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    let words = words.join(" ");
    let found = ask(&words, Extent::Whole)??;
    let is_plain = |c: char| c.is_alphanumeric() || " -.,".contains(c);
    let words = words.replace(['\'', '’'], "");
    let words = if words.chars().all(is_plain) { words } else { format!("'{words}'") };
    Some(match found.query {
        Some(query) => {
            let is_one = text.chars().all(char::is_alphanumeric);
            let mean = if is_one { "this word means" } else { "these words mean" };
            let help = format!("{mean} `{query}`; `cql help {words}` says more");
            let place = error.span;
            error.with_help(help).with_edit(place, query)
        }
        None => error.with_help(finds_queries(&words)),
    })
}

/// Asks the help; `None` where there is none.
fn ask(words: &str, extent: Extent) -> Option<Option<Found>> {
    let finder = FINDER.get()?;
    if words.len() > LONGEST {
        return Some(None);
    }
    if IS_ASKED.get() {
        return None;
    }
    Some(unasked(|| finder(words, extent)))
}

/// Does something without asking the help, as the help itself has to.
pub fn unasked<T>(work: impl FnOnce() -> T) -> T {
    let was_asked = IS_ASKED.replace(true);
    let done = work();
    IS_ASKED.set(was_asked);
    done
}

//! `cql help WORD`: explains a subcommand, an option, a word of the language or the code of a
//! diagnostic.

use syntax::diagnostic::table;

use super::{Program, has_subcommand, text, words};
use crate::args::help as options;
use crate::failure::Failure;
use crate::report;

/// Prints the help for a word, or the usage of the program without one.
pub(super) fn run(word: Option<&str>) -> Result<(), Failure> {
    let Some(word) = word else {
        return text::print(super::help().as_bytes());
    };
    if has_subcommand(word) {
        super::help_of(word)?;
        if words::entry(word).is_some() {
            let text = format!("\n`{word}` is also a word of the language: cql explain {word}\n");
            text::print(text.as_bytes())?;
        }
        return Ok(());
    }
    let found = words::entry(word)
        .or_else(|| options::entry(word))
        .or_else(|| table::is_code(word).then(|| report::explain(word).ok())?);
    match found {
        Some(entry) => text::print(entry.as_bytes()),
        None => Err(Failure::Message(unknown(word))),
    }
}

/// Returns the message for an unknown word, with the nearest known one.
fn unknown(word: &str) -> String {
    let near = words::nearest(word).map(str::to_owned);
    let near = super::nearest(word).or(near).or_else(|| {
        let name = word.trim_start_matches('-').to_ascii_lowercase();
        options::nearest(&name).map(|name| format!("-{name}"))
    });
    let near = match near {
        Some(near) => format!("did you mean `cql help {near}`?"),
        None => "the page reference/words.md of the book lists all words, `cql help` all options \
                 and subcommands"
            .to_owned(),
    };
    format!("there is no word, option or subcommand '{word}'; {near}")
}

/// Returns the words to complete: names of subcommands and words of the language.
pub(super) fn topics() -> Vec<String> {
    let program = <Program as clap::CommandFactory>::command();
    let subcommands = program.get_subcommands();
    let mut topics: Vec<String> =
        subcommands.map(|command| command.get_name().to_owned()).collect();
    let words = syntax::builtin::Keyword::ALL.iter();
    topics.extend(words.map(|keyword| keyword.text().to_owned()));
    topics.sort();
    topics.dedup();
    topics
}

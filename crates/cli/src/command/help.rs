//! `cql help WORDS`: explains a subcommand, an option, a word of the language or the code of a
//! diagnostic, shows a section of the manual, or finds ideas.

use ide::ideas::Kind;
use syntax::diagnostic::table;

use super::{Program, has_subcommand, ideas, text, words};
use crate::args::help as options;
use crate::failure::Failure;
use crate::report;

/// Number of ideas after the explanation of a word.
const FEW: usize = 3;

/// Prints the help for words, or the usage of the program without any.
pub(super) fn run(words: &[String]) -> Result<(), Failure> {
    if words.is_empty() {
        return text::print(super::help().as_bytes());
    }
    let asked = words.join(" ");
    match of_word(&asked)? {
        Some(text) if text.is_empty() => Ok(()),
        Some(text) => text::print(text.as_bytes()),
        None => Err(Failure::Message(unknown(&asked))),
    }
}

/// Returns the help; `None` if there is none, and an empty text if it is printed already.
fn of_word(asked: &str) -> Result<Option<String>, Failure> {
    if has_subcommand(asked) {
        super::help_of(asked)?;
        let and = words::entry(asked)
            .map(|_| format!("\n`{asked}` is also a word of the language: cql explain {asked}\n"));
        return Ok(Some(and.unwrap_or_default()));
    }
    if let Some(entry) = words::entry(asked) {
        return Ok(Some(entry + &ideas_with(asked)));
    }
    let found = options::entry(asked)
        .or_else(|| table::is_code(asked).then(|| report::explain(asked).ok())?)
        .or_else(|| ideas::section(asked));
    if found.is_some() || asked.starts_with('-') {
        return Ok(found);
    }
    let list = ideas::list(ideas::index().find(asked), None);
    Ok(Some(list).filter(|list| !list.is_empty()))
}

/// Returns queries for a word of the language.
fn ideas_with(word: &str) -> String {
    let index = ideas::index();
    let found = index.find(word).into_iter();
    let found = found.filter(|idea| matches!(idea.kind, Kind::Recipe(_) | Kind::Theme));
    match ideas::list(found, Some(FEW)) {
        list if list.is_empty() => list,
        list => format!("\n{list}"),
    }
}

/// Returns the message for unknown words, with the nearest known one.
fn unknown(asked: &str) -> String {
    let near = words::nearest(asked).map(str::to_owned);
    let near = super::nearest(asked).or(near).or_else(|| {
        let name = asked.trim_start_matches('-').to_ascii_lowercase();
        options::nearest(&name).map(|name| format!("-{name}"))
    });
    let near = match near {
        Some(near) => format!("did you mean `cql help {near}`?"),
        None => {
            "`cql --help` lists all options and subcommands, `cql cookbook` all recipes".to_owned()
        }
    };
    format!("there is no help about '{asked}'; {near}")
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

//! `cql help WORDS`: explains a subcommand, an option, a word of the language or the code of a
//! diagnostic, shows a section of the manual, or finds ideas.

use ide::ideas::Index;
use ide::wrap;
use syntax::diagnostic::table;
use syntax::parse::is_slip;

use super::{ideas, text, words};
use crate::args::help as options;
use crate::failure::Failure;
use crate::subcommands::Subcommands;
use crate::{report, terminal};

/// Signs that only queries have.
const SIGNS: [char; 14] = ['{', '}', '(', ')', '[', ']', '<', '>', '=', '#', '&', '|', '~', '"'];

/// Number of ideas after the explanation of a word.
const FEW: usize = 3;

/// Prints the help for words, or the usage of the program without any.
pub(super) fn run(words: &[String], subcommands: Subcommands) -> Result<(), Failure> {
    if words.is_empty() {
        return text::print(options::text(subcommands).as_bytes());
    }
    let asked = words.join(" ");
    if subcommands.has(&asked) {
        return of_subcommand(&asked, subcommands);
    }
    match of_word(&asked, subcommands) {
        Some(text) => text::print(text.as_bytes()),
        None => Err(Failure::Message(unknown(&asked, subcommands))),
    }
}

/// Prints the help of a subcommand.
fn of_subcommand(name: &str, subcommands: Subcommands) -> Result<(), Failure> {
    // Asking the subcommand itself makes its usage line complete.
    if let Err(help) = subcommands.program().try_get_matches_from(["cql", name, "--help"]) {
        terminal::say_help(&help);
    }
    if words::entry(name).is_none() {
        return Ok(());
    }
    let and = format!("\n`{name}` is also a word of the language: cql explain {name}\n");
    text::print(and.as_bytes())
}

/// Returns the help on anything but a subcommand.
fn of_word(asked: &str, subcommands: Subcommands) -> Option<String> {
    if let Some(entry) = words::entry(asked) {
        return Some(entry + &ideas_with(asked));
    }
    let option = options::entry(asked);
    if asked.starts_with('-') {
        return option.or_else(|| of_option(asked, subcommands));
    }
    let found = match (option, ideas::section(asked)) {
        (Some(option), Some(section)) => Some(format!("{option}\n{section}")),
        (option, section) => option
            .or_else(|| table::is_code(asked).then(|| report::explain(asked).ok())?)
            .or(section),
    };
    if found.is_some() {
        return found;
    }
    let moves = ideas::moves(asked);
    if !moves.is_empty() {
        return Some(ideas::list(&moves, None));
    }
    let mut index = ideas::index(subcommands);
    index.fill(asked);
    let mut found = index.find_whole(asked);
    if (found.is_empty() || asked.contains(SIGNS))
        && let Some(meaning) = ideas::query(asked)
    {
        return Some(meaning);
    }
    let mut openings = ideas::openings(asked);
    let (mut said, mut names_some) = (String::new(), false);
    if found.is_empty() {
        // as in `smotherd mate`
        let near = index.nearest(asked).filter(|_| asked.contains(' '));
        found = near.as_deref().map_or_else(Vec::new, |near| index.find_whole(near));
        match near.filter(|_| !found.is_empty()) {
            Some(near) => said = format!("For '{near}':\n\n"),
            None if openings.is_empty() => {
                let mut lacking;
                (found, lacking) = index.find_in_part(asked);
                // as in `Najdorf by year`
                let mut names = lacking.iter().map(|name| ideas::openings_of_word(name));
                if let Some(named) = names.find(|openings| !openings.is_empty()) {
                    (openings, names_some) = (named, true);
                    lacking.retain(|word| ideas::openings_of_word(word).is_empty());
                }
                said = ideas::without(&lacking);
            }
            None => {}
        }
    }
    // Names are written with capital letters; other words may be those of a name by chance.
    let place = match asked.starts_with(char::is_uppercase) {
        _ if names_some => 1,
        true => 0,
        false if index.is_named(asked) => 2,
        false => usize::from(index.is_titled(asked)),
    };
    let place = place.min(found.len());
    found.splice(place..place, &openings);
    // as in `bishop on h6`
    let meant = ideas::meant(asked).filter(|_| !index.is_named(asked));
    if meant.is_some() && !said.is_empty() {
        // The query has all of the words, and the rest only some.
        (said, found) = (String::new(), Vec::new());
    }
    found.splice(0..0, &meant);
    let list = ideas::list(found, None);
    (!list.is_empty()).then(|| said + &list)
}

/// Returns the help on an option of subcommands.
fn of_option(option: &str, subcommands: Subcommands) -> Option<String> {
    let name = option.trim_start_matches('-').to_ascii_lowercase();
    let mut text = String::new();
    for (subcommand, help) in subcommands.about_option(&name) {
        let line = format!("cql {subcommand} --{name}: {help}");
        wrap::wrapped(&mut text, "", 4, ideas::WIDTH, line.split_whitespace());
        text += &format!("    cql help {subcommand}\n");
    }
    (!text.is_empty()).then_some(text)
}

/// Returns queries for a word of the language.
fn ideas_with(word: &str) -> String {
    match ideas::list(Index::of_queries().find(word), Some(FEW)) {
        list if list.is_empty() => list,
        list => format!("\n{list}"),
    }
}

/// Returns the message for unknown words, with the nearest known one.
fn unknown(asked: &str, subcommands: Subcommands) -> String {
    let near = words::nearest(asked).map(str::to_owned);
    let near = subcommands.nearest(asked).or(near).filter(|near| is_slip(asked, near));
    let near = near.or_else(|| {
        let index = ideas::index(subcommands);
        index.nearest(asked).filter(|near| !index.find_whole(near).is_empty())
    });
    let near = near.or_else(|| {
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
pub(super) fn topics(subcommands: Subcommands) -> Vec<String> {
    let mut topics: Vec<String> = subcommands.all().into_iter().map(|(name, _)| name).collect();
    let words = syntax::builtin::Keyword::ALL.iter();
    topics.extend(words.map(|keyword| keyword.text().to_owned()));
    topics.sort();
    topics.dedup();
    topics
}

#[cfg(test)]
mod tests {
    use ide::ideas::IdeaKind;
    use syntax::builtin::Keyword;

    use super::*;
    use crate::command::SUBCOMMANDS;

    #[test]
    fn queries_for_a_word_are_those_of_the_whole_index() {
        let whole = ideas::index(SUBCOMMANDS);
        let mut n = 0;
        for word in Keyword::ALL.iter().map(|keyword| keyword.text()).chain(["[x]", "->", "&"]) {
            let found = whole.find(word).into_iter();
            let found =
                found.filter(|idea| matches!(idea.kind, IdeaKind::Recipe(_) | IdeaKind::Theme(_)));
            let expected = ideas::list(found, Some(FEW));
            assert_eq!(ideas_with(word).trim_start_matches('\n'), expected, "{word}");
            n += usize::from(!expected.is_empty());
        }
        assert!(n > 50, "{n}");
    }
}

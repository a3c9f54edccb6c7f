//! `cql help WORDS`: explains a subcommand, an option, a word of the language or the code of a
//! diagnostic, shows a section of the manual, or finds ideas.

use std::sync::LazyLock;

use ide::ideas::{Idea, IdeaKind, Index, beside, of_notation};
use ide::wrap;
use syntax::diagnostic::table;
use syntax::help::{Extent, Found};
use syntax::parse::is_slip;

use super::ideas::Answers;
use super::{SUBCOMMANDS, ideas, text, words};
use crate::args::help as options;
use crate::failure::Failure;
use crate::subcommands::Subcommands;
use crate::{report, terminal};

/// Signs that only queries have.
const SIGNS: [char; 14] = ['{', '}', '(', ')', '[', ']', '<', '>', '=', '#', '&', '|', '~', '"'];

/// Least length of a word that a question may be about, although no answer has it with the others.
const MIN_TOPIC: usize = 7;

/// Number of ideas after the explanation of a word.
const FEW: usize = 3;

/// Prints the help for words, or the usage of the program without any.
pub(super) fn run(words: &[String], subcommands: Subcommands) -> Result<(), Failure> {
    if words.is_empty() {
        return text::print(options::text(subcommands, terminal::width()).as_bytes());
    }
    let (words, extent) = match words {
        [all, words @ ..] | [words @ .., all] if all == "--all" && !words.is_empty() => {
            (words, Answers::All)
        }
        _ => (words, Answers::Best),
    };
    let asked = words.join(" ");
    if subcommands.has(&asked) {
        return of_subcommand(&asked, subcommands);
    }
    if ["options", "commands", "subcommands"].contains(&asked.to_lowercase().as_str()) {
        return text::print(options::text(subcommands, terminal::width()).as_bytes());
    }
    match of_word(&asked, subcommands, extent) {
        Some(text) => text::print(text.as_bytes()),
        None => Err(Failure::Message(unknown(&asked, subcommands))),
    }
}

/// Returns what the help finds for words in a query.
pub(crate) fn found(words: &str, extent: Extent) -> Option<Found> {
    static INDEX: LazyLock<Index> = LazyLock::new(|| ideas::index(SUBCOMMANDS));
    let english = || INDEX.in_english(words);
    let is_found = match extent {
        Extent::Part => {
            SUBCOMMANDS.has(words) || of_word(words, SUBCOMMANDS, Answers::Best).is_some()
        }
        Extent::Name => {
            let is_whole = |words: String| !INDEX.find_whole(&words).is_empty();
            INDEX.is_named(words) || english().is_some_and(is_whole)
        }
        Extent::Whole => return whole(words, &INDEX),
    };
    is_found.then(Found::default)
}

/// Returns what the help finds for all of the words, if it is a query or leads to one.
fn whole(words: &str, index: &Index) -> Option<Found> {
    let asked = &*index.asked(words);
    if let Some(english) = index.in_english(asked) {
        let is_found = !index.find_whole(&english).is_empty() || !index.meant(&english).is_empty();
        return is_found.then(Found::default);
    }
    let openings = ideas::openings(asked);
    let meant = index.meant(asked);
    if let Some(idea) = meant.first().or(openings.first()) {
        return Some(Found { query: idea.query() });
    }
    let mut index = index.clone();
    index.fill(asked);
    let is_query =
        |kind: IdeaKind| matches!(kind, IdeaKind::Recipe(_) | IdeaKind::Theme(_) | IdeaKind::Query);
    let mut first = index.find_whole(asked).into_iter().take(FEW);
    first.any(|idea| is_query(idea.kind)).then(Found::default)
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
fn of_word(asked: &str, subcommands: Subcommands, extent: Answers) -> Option<String> {
    if let Some(entry) = words::entry(asked) {
        return Some(entry + &ideas_with(asked));
    }
    if ["keywords", "keyword", "all words"].contains(&asked.to_lowercase().as_str()) {
        return Some(all_words());
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
    let mut moves = ideas::moves(asked);
    let alone = of_notation(asked);
    if !alone.is_empty() {
        moves = ideas::moves(&format!("1.{asked}"));
        moves.splice(0..0, alone);
    }
    if !moves.is_empty() {
        return Some(ideas::list(&moves, asked, None));
    }
    let mut index = ideas::index(subcommands);
    let question = asked;
    let asked = &*index.asked(asked);
    index.fill(asked);
    if let Some(english) = index.in_english(asked) {
        let help = of_word(&english, subcommands, extent)?;
        return Some(format!("For '{english}':\n\n{help}"));
    }
    of_ideas(&index, asked, question, extent)
}

/// Returns the ideas that have the words, or what comes nearest. `question` are the words as they were
/// written.
fn of_ideas(index: &Index, asked: &str, question: &str, extent: Answers) -> Option<String> {
    let mut found = index.find_whole(asked);
    let meant = index.meant(asked);
    if (found.is_empty() || asked.contains(SIGNS))
        && let Some(meaning) = ideas::theme(asked).or_else(|| ideas::query(asked))
    {
        return Some(meaning);
    }
    let is_only_in_texts = index.is_only_in_texts(asked);
    if !meant.is_empty() && is_only_in_texts {
        found.clear();
    }
    let mut openings = ideas::openings(asked);
    let (mut said, mut names_some) = (String::new(), false);
    if found.is_empty()
        && meant.is_empty()
        && openings.is_empty()
        && let Some((queries, left_out)) = index.understood_in_part(asked)
    {
        let left_out = left_out.join("', '");
        let said = ideas::said(&format!("Not understood: '{left_out}'. The rest of the words:"));
        return Some(said + &ideas::list(&queries, asked, None));
    }
    if found.is_empty() {
        // as in `smotherd mate`
        let near = index.nearest(asked).filter(|_| asked.contains(' '));
        found = near.as_deref().map_or_else(Vec::new, |near| index.find_whole(near));
        match near.filter(|_| !found.is_empty()) {
            Some(near) => {
                let known: Vec<&str> = near.split(' ').collect();
                let unknown = asked.split_whitespace().filter(|word| !known.contains(word));
                let unknown = unknown.collect::<Vec<_>>().join("', '");
                said = ideas::said(&format!("Nothing has '{unknown}'. For '{near}':"));
            }
            None if openings.is_empty() => {
                (found, openings, said) = with_some(index, asked);
                names_some = !openings.is_empty();
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
    // The openings of a player are fewer than the games.
    let is_player = meant.iter().any(|idea| idea.title.contains("player "));
    let place = if is_player { FEW } else { place }.min(found.len());
    found.splice(place..place, &openings);
    if !meant.is_empty() && !said.is_empty() {
        // The queries have all of the words, and the rest only some.
        (said, found) = (String::new(), openings.iter().filter(|_| names_some).collect());
    }
    found.retain(|idea| beside(&meant, idea, asked));
    found.splice(0..0, &meant);
    if found.is_empty() && asked.contains(' ') {
        found = index.find_nearest(asked);
        found.truncate(FEW);
        said = ideas::said("Nothing has all of these words; nearest:");
    } else if said.is_empty() && meant.is_empty() && openings.is_empty() && is_only_in_texts {
        said = ideas::said("Nothing is about all of these words; they stand in the text of:");
    }
    let n_first = meant.len() + if place == 0 { openings.len() } else { 0 };
    let list = ideas::list_for(&found, n_first, question, extent);
    (!list.is_empty()).then(|| said + &list)
}

/// Finds what has some of the words of a question: returns it, what to do with the opening that one of
/// the others names, and what to say about those that are left out.
fn with_some<'i>(index: &'i Index, asked: &str) -> (Vec<&'i Idea>, Vec<Idea>, String) {
    let (mut found, mut lacking) = index.find_in_part(asked);
    // A word that is left out may be what the question is about: `opponent`.
    let is_topic =
        |word: &&str| !word.contains(' ') && word.len() >= MIN_TOPIC && index.is_named(word);
    if let Some(topic) = lacking.iter().copied().find(is_topic) {
        found = index.find_whole(topic);
        lacking = found.first().map_or(lacking, |idea| idea.lacks(asked));
    }
    // as in `Najdorf by year`
    let is_opening = |word: &&str| !ideas::openings_of_word(word).is_empty();
    let openings = lacking.iter().copied().find(is_opening).map(ideas::openings_of_word);
    if openings.is_some() && !found.is_empty() {
        let others = asked.split_whitespace().filter(|word| !is_opening(word));
        let said = ideas::lack_either(&lacking, &others.collect::<Vec<_>>());
        return (found, openings.unwrap_or_default(), said);
    }
    lacking.retain(|word| !is_opening(word));
    let said = ideas::without(&lacking);
    (found, openings.unwrap_or_default(), said)
}

/// Returns all words of the language.
fn all_words() -> String {
    let words = syntax::builtin::Keyword::ALL.iter().map(|keyword| keyword.text());
    let mut text = "The words of the language; `cql help WORD` explains one:\n\n".to_owned();
    wrap::wrapped(&mut text, "  ", 2, terminal::help_width(), words);
    text
}

/// Returns the help on an option of subcommands.
fn of_option(option: &str, subcommands: Subcommands) -> Option<String> {
    let name = option.trim_start_matches('-').to_ascii_lowercase();
    let mut text = String::new();
    for (subcommand, help) in subcommands.about_option(&name) {
        let line = format!("cql {subcommand} --{name}: {help}");
        wrap::wrapped(&mut text, "", 4, crate::terminal::help_width(), line.split_whitespace());
        text += &format!("    cql help {subcommand}\n");
    }
    (!text.is_empty()).then_some(text)
}

/// Returns queries for a word of the language.
fn ideas_with(word: &str) -> String {
    match ideas::list(Index::of_queries().find(word), word, Some(FEW)) {
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
        None if is_name(asked) => {
            format!("`cql games.pgn -player '{asked}' -cql initial` finds a player of this name")
        }
        None => {
            "`cql --help` lists all options and subcommands, `cql cookbook` all recipes".to_owned()
        }
    };
    format!("there is no help about '{asked}'; {near}")
}

/// Whether words may be the name of a player.
fn is_name(words: &str) -> bool {
    let is_of_name = |word: &str| {
        word.starts_with(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase)
    };
    words.split(' ').all(is_of_name)
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
    use syntax::builtin::Keyword;

    use super::*;

    #[test]
    fn queries_for_a_word_are_those_of_the_whole_index() {
        let whole = ideas::index(SUBCOMMANDS);
        let mut n = 0;
        for word in Keyword::ALL.iter().map(|keyword| keyword.text()).chain(["[x]", "->", "&"]) {
            let found = whole.find(word).into_iter();
            let found =
                found.filter(|idea| matches!(idea.kind, IdeaKind::Recipe(_) | IdeaKind::Theme(_)));
            let expected = ideas::list(found, word, Some(FEW));
            assert_eq!(ideas_with(word).trim_start_matches('\n'), expected, "{word}");
            n += usize::from(!expected.is_empty());
        }
        assert!(n > 50, "{n}");
    }
}

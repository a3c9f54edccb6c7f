//! An idea: something that words can find, with the query or the command that tries it.

use std::cmp::Reverse;
use std::fmt::{self, Display, Formatter};

use syntax::parse::{Answer, plain_title, terms};

use super::question_words::{joined, stems};
use super::wishes::OF_RECIPES;
use crate::cookbook::Recipe;
use crate::manual::{self, plain};
use crate::sample::is_query;

/// Kind of an idea. Of ideas that answer equally well, those of an earlier kind come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IdeaKind {
    /// A recipe of the cookbook.
    Recipe(Recipe),
    /// A function of a library of themes, which has this name.
    Theme(&'static str),
    /// A query for a term of chess.
    Query,
    /// A word of the language.
    Word,
    /// A subcommand of the program.
    Subcommand,
    /// An option of the program.
    Option,
    /// A section of the manual: the title of its page, and its heading.
    Section(&'static str, Option<&'static str>),
}

/// Names of the kinds, by their ranks.
const NAMES: [&str; 7] = ["recipe", "theme", "query", "word", "subcommand", "option", "section"];

impl IdeaKind {
    /// Returns the name of the kind.
    pub fn name(self) -> &'static str {
        NAMES[self.rank()]
    }

    pub(super) fn rank(self) -> usize {
        match self {
            IdeaKind::Recipe(_) => 0,
            IdeaKind::Theme(_) => 1,
            IdeaKind::Query => 2,
            IdeaKind::Word => 3,
            IdeaKind::Subcommand => 4,
            IdeaKind::Option => 5,
            IdeaKind::Section(..) => 6,
        }
    }
}

impl Display for IdeaKind {
    /// Writes the name of the kind, with what a section is part of.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            IdeaKind::Section(page, Some(_)) => write!(f, "section of {}", plain(page)),
            IdeaKind::Section(_, None) => f.write_str("page"),
            kind => f.write_str(kind.name()),
        }
    }
}

/// Something that words can find.
#[derive(Debug, Clone)]
pub struct Idea {
    /// Its kind.
    pub kind: IdeaKind,
    /// Its title.
    pub title: String,
    /// Its purpose, in a sentence.
    pub line: String,
    /// The command that tries or shows it.
    pub command: String,
    /// The text of a section.
    pub(super) text: String,
    /// Names by which it is found: in lower case, without blanks.
    pub(super) names: Vec<String>,
    /// Stems of the words of the title, of the sentence, and of the text.
    pub(super) stems: [Vec<String>; 3],
}

impl Idea {
    /// Returns an idea; `text` is searched, too, and not shown.
    pub fn new(kind: IdeaKind, title: &str, line: &str, text: &str, command: String) -> Idea {
        let stems = [stems(title), stems(line), stems(text)];
        let (title, line) = (title.to_owned(), line.to_owned());
        Idea { kind, title, line, command, text: String::new(), names: Vec::new(), stems }
    }

    /// Returns the sentence that answers a question: of a section, the one with most of the words.
    pub fn line_for(&self, question: &str) -> &str {
        let asked = stems(question);
        let n_words = |text: &str| {
            let own = stems(text);
            asked.iter().filter(|stem| own.contains(stem)).count()
        };
        let sentences = self.text.split(". ").map(|sentence| sentence.trim_end_matches(['.', ':']));
        // The first one of several that have as many of the words.
        let best = sentences.min_by_key(|sentence| Reverse(n_words(sentence)));
        best.filter(|best| n_words(best) > n_words(&self.line)).unwrap_or(&self.line)
    }

    /// Writes all texts anew.
    pub(super) fn rewrite(&mut self, new: impl Fn(&str) -> String) {
        let texts = [&mut self.title, &mut self.line, &mut self.command].into_iter();
        let stems = self.stems.iter_mut().flatten();
        texts.chain(&mut self.names).chain(stems).for_each(|text| *text = new(text));
    }

    /// Returns a query to try it with; `None` if it is part of queries, or of none.
    pub fn query(&self) -> Option<String> {
        match self.kind {
            IdeaKind::Recipe(recipe) => Some(manual::installed(recipe.query)),
            IdeaKind::Theme(_) => Some(of_theme(&self.title)),
            IdeaKind::Query | IdeaKind::Word => is_query(&self.title).then(|| self.title.clone()),
            IdeaKind::Subcommand | IdeaKind::Option | IdeaKind::Section(..) => None,
        }
    }

    /// Returns the title of the page of the book about it, and the heading there.
    pub fn place(&self) -> Option<(&'static str, Option<&'static str>)> {
        match self.kind {
            IdeaKind::Recipe(recipe) => Some((recipe.theme, Some(recipe.title))),
            IdeaKind::Query | IdeaKind::Word => {
                manual::entry(&self.title).map(|entry| (entry.title, entry.section))
            }
            IdeaKind::Section(page, heading) => Some((page, heading)),
            IdeaKind::Theme(_) | IdeaKind::Subcommand | IdeaKind::Option => None,
        }
    }

    pub(super) fn named(mut self, names: impl IntoIterator<Item = &'static str>) -> Idea {
        self.names.extend(names.into_iter().map(str::to_owned));
        self
    }

    /// Adds other words for the idea: phrases separated by commas, each of which finds it.
    pub(super) fn also(&mut self, phrases: &str) {
        self.names.extend(phrases.split(',').map(joined));
        self.stems[1].extend(stems(phrases));
    }
}

/// Returns the idea of a short query.
pub fn of_query(query: &str, line: &str) -> Idea {
    Idea::new(IdeaKind::Query, query, line, "", search(query))
}

pub(super) fn of_recipe(recipe: Recipe) -> Idea {
    let text = plain(&recipe.text.replace('\n', " "));
    let command = format!("cql cookbook {} | cql - games.pgn", plain_title(recipe.title));
    let is_answer = |answer| answer == Answer::Recipe(recipe.title);
    let names = terms().filter(|(_, answer)| is_answer(*answer));
    let names = names.flat_map(|(names, _)| names.split(' '));
    let kind = IdeaKind::Recipe(recipe);
    let mut idea =
        Idea::new(kind, recipe.title, first_sentence(&text), &text, command).named(names);
    let phrases = OF_RECIPES.iter().filter(|(title, _)| *title == recipe.title);
    phrases.for_each(|(_, phrases)| idea.also(phrases));
    idea
}

/// Returns the query for a theme.
pub(super) fn of_theme(name: &str) -> String {
    format!("theme(\"{name}\")")
}

/// Returns the command that searches with a short query.
pub(super) fn search(query: &str) -> String {
    format!("cql games.pgn -cql {}", quoted(query))
}

/// Returns a text in quotes of the shell.
pub fn quoted(text: &str) -> String {
    if text.contains('\'') {
        format!("\"{}\"", text.replace('"', "\\\""))
    } else {
        format!("'{text}'")
    }
}

pub(super) fn first_sentence(text: &str) -> &str {
    let end = text.find(". ").or_else(|| text.find(": ")).unwrap_or(text.len());
    text[..end].trim_end_matches(['.', ':'])
}

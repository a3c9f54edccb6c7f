//! `cql cookbook WORDS`: prints a recipe as a query, or lists recipes.

use std::io::{self, IsTerminal};

use ide::cookbook::{Recipe, recipe, recipes};
use ide::ideas::{Idea, IdeaKind, Index};
use ide::manual::{self, plain};

use syntax::parse::plain_title;

use super::{ideas, text};
use crate::failure::Failure;
use crate::visible::visible_text;
use ide::wrap;

/// Show a query of the cookbook, or list them
///
/// Prints the recipe with this title as a query, with its explanation in comments, so that it can
/// be searched with or kept: cql cookbook knight fork | cql - games.pgn
///
/// Other words find recipes and themes: if they find one, it is printed, otherwise the titles are
/// listed. A pipe never gets a list, only a query. Without words, all titles are listed.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Title of a recipe, or words
    words: Vec<String>,
}

/// Prints a recipe, or a list.
pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let words = arguments.words.join(" ");
    if words.is_empty() {
        return text::print(titles(recipes()).as_bytes());
    }
    if let Some(recipe) = recipe(&words) {
        return text::print(as_query(&recipe).as_bytes());
    }
    let theme = plain_title(&words);
    let of_theme = titles(recipes().filter(|recipe| plain_title(recipe.theme) == theme));
    if !of_theme.is_empty() {
        return list(&of_theme);
    }
    let index = Index::of_queries();
    let words = index.in_english(&words).unwrap_or(words);
    let whole = index.find_whole(&words);
    if let [Idea { kind: IdeaKind::Recipe(recipe), .. }] = whole.as_slice() {
        return text::print(as_query(recipe).as_bytes());
    }
    if let [idea] = whole.as_slice()
        && let Some(query) = idea.query()
    {
        return text::print(format!("// {}\ncql()\n{query}\n", idea.line).as_bytes());
    }
    let (found, lacking) = index.find_in_part(&words);
    match ideas::list(found, &words, None) {
        found if found.is_empty() => Err(Failure::Message(nothing(&words, &index))),
        found => list(&(ideas::lacks(&lacking) + &found)),
    }
}

/// Prints a list on a terminal. A pipe or a file wants a query, so that there a list is a failure.
fn list(list: &str) -> Result<(), Failure> {
    if io::stdout().is_terminal() {
        return text::print(list.as_bytes());
    }
    tell!("{}", visible_text(list));
    Err(Failure::Reported)
}

/// Returns the message for words that nothing has.
fn nothing(words: &str, index: &Index) -> String {
    let near = match index.nearest(words) {
        Some(near) => format!("did you mean `cql cookbook {near}`?"),
        None => {
            format!("`cql cookbook` lists all recipes, `cql help {words}` looks elsewhere")
        }
    };
    format!("the cookbook has nothing with '{words}'; {near}")
}

/// Returns the titles of recipes, by their themes.
pub(super) fn titles(recipes: impl Iterator<Item = Recipe>) -> String {
    let recipes: Vec<Recipe> = recipes.collect();
    let mut text = String::new();
    for theme in recipes.chunk_by(|a, b| a.theme == b.theme) {
        let titles: Vec<&str> = theme.iter().map(|recipe| recipe.title).collect();
        let front = format!("{}: ", theme.first().map_or("", |first| first.theme));
        wrap::wrapped(
            &mut text,
            &front,
            2,
            crate::terminal::help_width(),
            titles.join("; ").split(' '),
        );
    }
    text
}

/// Returns a recipe as the text of a query file.
fn as_query(recipe: &Recipe) -> String {
    let mut text = format!("// {} ({})\n//\n", recipe.title, recipe.theme);
    for paragraph in recipe.text.split("\n\n") {
        let words = plain(&paragraph.replace('\n', " "));
        let mut lines = String::new();
        wrap::wrapped(&mut lines, "", 0, 77, words.split_whitespace());
        lines.lines().for_each(|line| text += &format!("// {line}\n"));
    }
    if !recipe.query.contains("cql(") {
        text += "cql()\n";
    }
    text + &manual::installed(recipe.query)
}

#[cfg(test)]
mod tests {
    use engine::CompileOptions;

    use super::*;
    use crate::report::SourceText;

    #[test]
    fn every_recipe_is_a_query() {
        for recipe in recipes() {
            let text = as_query(&recipe);
            let source = SourceText::new(recipe.title, text);
            let compiled = engine::compile(&source.as_source(), &[], &CompileOptions::default());
            assert!(compiled.program.is_some(), "{source:?}\n{:?}", compiled.diagnostics);
        }
    }
}

//! `cql cookbook WORDS`: prints a recipe as a query, or lists recipes.

use ide::cookbook::{Recipe, recipe, recipes};
use ide::ideas::Kind;
use ide::manual::{self, plain};

use super::{ideas, text};
use crate::failure::Failure;
use crate::subcommands::Subcommands;
use ide::wrap;

/// Show a query of the cookbook, or list them
///
/// Prints the recipe with this title as a query, with its explanation in comments, so that it can
/// be searched with or kept: cql cookbook knight fork | cql - games.pgn
///
/// Other words find recipes and themes. Without words, all titles are listed.
#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Title of a recipe, or words
    words: Vec<String>,
}

/// Prints a recipe, or a list.
pub(super) fn run(arguments: &Arguments, subcommands: Subcommands) -> Result<(), Failure> {
    let words = arguments.words.join(" ");
    if words.is_empty() {
        return text::print(titles(recipes()).as_bytes());
    }
    if let Some(recipe) = recipe(&words) {
        return text::print(as_query(&recipe).as_bytes());
    }
    let index = ideas::index(subcommands);
    let found = index.find(&words).into_iter();
    let found = found.filter(|idea| matches!(idea.kind, Kind::Recipe(_) | Kind::Theme(_)));
    let list = ideas::list(found, None);
    if list.is_empty() {
        Err(Failure::Message(format!(
            "the cookbook has nothing with '{words}'; `cql cookbook` lists all recipes, `cql help \
             {words}` looks elsewhere"
        )))
    } else {
        text::print(list.as_bytes())
    }
}

/// Returns the titles of recipes, by their themes.
pub(super) fn titles(recipes: impl Iterator<Item = Recipe>) -> String {
    let recipes: Vec<Recipe> = recipes.collect();
    let mut text = String::new();
    for theme in recipes.chunk_by(|a, b| a.theme == b.theme) {
        let titles: Vec<&str> = theme.iter().map(|recipe| recipe.title).collect();
        let front = format!("{}: ", theme.first().map_or("", |first| first.theme));
        wrap::wrapped(&mut text, &front, 2, 80, titles.join("; ").split(' '));
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
            let source = SourceText { name: recipe.title.to_owned(), text: text.into_bytes() };
            let compiled = engine::compile(&source.as_source(), &[], &CompileOptions::default());
            assert!(compiled.program.is_some(), "{source:?}\n{:?}", compiled.diagnostics);
        }
    }
}

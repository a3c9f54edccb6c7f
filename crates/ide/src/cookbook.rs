//! The queries of the cookbook, whose pages are part of the program.

use syntax::parse::plain_title;

macro_rules! pages {
    ($($name:literal,)*) => {
        const PAGES: &[&str] = &[
            $(include_str!(concat!("../../../docs/src/cookbook/", $name)),)*
        ];
        #[cfg(test)]
        const NAMES: &[&str] = &[$($name),*];
    };
}

pages! {
    "openings.md",
    "tactics.md",
    "themes.md",
    "mates.md",
    "endgames.md",
    "structures.md",
    "studies.md",
    "metadata.md",
    "statistics.md",
}

/// A query of the cookbook.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Recipe {
    /// The title of the page.
    pub theme: &'static str,
    /// A short description of what the query finds.
    pub title: &'static str,
    /// The text before the query, in Markdown.
    pub text: &'static str,
    /// The query.
    pub query: &'static str,
}

/// Returns all queries, in the order of the book.
pub fn recipes() -> impl Iterator<Item = Recipe> {
    PAGES.iter().flat_map(|page| {
        let mut parts = page.split("\n## ");
        let head = parts.next().unwrap_or_default();
        let theme = head.lines().next().unwrap_or_default();
        let theme = theme.trim_start_matches("# ");
        parts.filter_map(move |part| {
            let (title, rest) = part.split_once('\n')?;
            let (text, rest) = rest.split_once("```cql")?;
            let (_, rest) = rest.split_once('\n')?;
            let (query, _) = rest.split_once("```")?;
            Some(Recipe { theme, title, text: text.trim(), query })
        })
    })
}

/// Returns the query whose title consists of these words.
pub fn recipe(words: &str) -> Option<Recipe> {
    let wanted = plain_title(words);
    recipes().find(|recipe| plain_title(recipe.title) == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_of_the_cookbook_is_there() {
        let summary = include_str!("../../../docs/src/SUMMARY.md");
        let pages = summary.split("(cookbook/").skip(1);
        let pages: Vec<&str> = pages.filter_map(|rest| rest.split(')').next()).collect();
        assert!(pages.contains(&"tactics.md"), "{pages:?}");
        for page in pages {
            assert!(page == "index.md" || NAMES.contains(&page), "{page}");
        }
        let all: Vec<Recipe> = recipes().collect();
        let fork = all.iter().find(|one| one.title == "Knight fork");
        let fork = fork.expect("a recipe");
        assert_eq!(fork.theme, "Tactics");
        assert_eq!(recipe("knight FORK").as_ref(), Some(fork));
        assert_eq!(recipe("knight"), None);
        assert!(fork.query.starts_with("flipcolor {\n"), "{}", fork.query);
        assert!(fork.text.starts_with("A knight that"), "{}", fork.text);
        let queries: usize = PAGES.iter().map(|page| page.matches("\n## ").count()).sum();
        assert!(all.len() > 60 && all.len() * 10 > queries * 9, "{}", all.len());
    }
}

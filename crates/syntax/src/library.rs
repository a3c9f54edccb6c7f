//! Libraries of CQL functions for `import "NAME"`, and the themes for `theme("NAME")`.

use std::sync::LazyLock;

/// A text with functions to import.
#[derive(Debug, PartialEq, Eq)]
pub struct Library {
    /// The name in `import`.
    pub name: &'static str,
    /// Definitions of functions only.
    pub text: &'static str,
}

/// All libraries.
pub static LIBRARIES: [Library; 1] =
    [Library { name: "themes", text: include_str!("library/themes.cql") }];

/// The library of themes.
pub static THEMES: &Library = &LIBRARIES[0];

impl Library {
    /// Returns the library with a name.
    pub fn named(name: &[u8]) -> Option<&'static Library> {
        let mut all = LIBRARIES.iter();
        all.find(|library| library.name.as_bytes() == name)
    }

    /// Returns the functions without parameters, each with the comment before it.
    pub fn functions(&self) -> impl Iterator<Item = (&'static str, String)> {
        let mut comment = Vec::new();
        self.text.lines().filter_map(move |line| {
            if let Some(text) = line.strip_prefix("; ") {
                comment.push(text);
                return None;
            }
            let says = std::mem::take(&mut comment).join(" ");
            let name = line.strip_prefix("function ")?.strip_suffix("() {")?;
            Some((name, says))
        })
    }

    /// Returns the function that a function is only another name of.
    pub fn alias_of(&self, name: &str) -> Option<&'static str> {
        let body = self.body(name)?.trim().strip_suffix("()")?;
        self.functions().map(|(function, _)| function).find(|function| *function == body)
    }

    /// Whether a function holds only if its side has won something in the end.
    pub fn must_pay(&self, name: &str) -> bool {
        let name = self.alias_of(name).unwrap_or(name);
        self.body(name).is_some_and(|body| body.contains("theme_won("))
    }

    /// Returns what is between the braces of a function without parameters.
    fn body(&self, name: &str) -> Option<&'static str> {
        let (_, rest) = self.text.split_once(&format!("function {name}() {{"))?;
        Some(rest.split_once("\n}")?.0)
    }
}

/// A theme: a function of the library of themes, by its place there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Theme(u8);

/// The name of each theme and the sentence about it.
static ALL_THEMES: LazyLock<Vec<(&'static str, String)>> =
    LazyLock::new(|| THEMES.functions().take(Theme::MOST).collect());

/// The themes that are no other names of others.
static DISTINCT_THEMES: LazyLock<Vec<Theme>> = LazyLock::new(|| {
    Theme::all().filter(|theme| THEMES.alias_of(theme.name()).is_none()).collect()
});

impl Theme {
    /// Largest number of themes.
    pub const MOST: usize = 128;

    /// Iterates over all themes in the order of the library.
    pub fn all() -> impl Iterator<Item = Theme> + Clone {
        (0..ALL_THEMES.len()).map(|number| Theme(number as u8))
    }

    /// Iterates over the themes without those that are other names of others.
    pub fn distinct() -> impl Iterator<Item = Theme> + Clone {
        DISTINCT_THEMES.iter().copied()
    }

    /// Returns the theme with a name.
    pub fn named(name: &str) -> Option<Theme> {
        Theme::all().find(|theme| theme.name() == name)
    }

    /// The place of the theme in the library, from 0.
    pub fn number(self) -> usize {
        self.0.into()
    }

    /// The name of the theme.
    pub fn name(self) -> &'static str {
        ALL_THEMES[self.number()].0
    }

    /// Returns what the theme says as a clause, in lower case and without a full stop.
    pub fn claim(self) -> String {
        let says = ALL_THEMES[self.number()].1.trim_end_matches('.');
        let mut letters = says.chars();
        let first = letters.next().map(|first| first.to_ascii_lowercase());
        first.into_iter().chain(letters).collect()
    }
}

/// A set of themes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ThemeSet(u128);

const _: () = assert!(Theme::MOST <= u128::BITS as usize, "a bit for each");

impl ThemeSet {
    /// Returns the union of two sets.
    #[must_use]
    pub fn with(self, others: ThemeSet) -> ThemeSet {
        ThemeSet(self.0 | others.0)
    }

    /// Whether the set has no themes.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Adds a theme.
    pub fn insert(&mut self, theme: Theme) {
        self.0 |= 1 << theme.0;
    }

    /// Iterates over the themes in the order of the library.
    pub fn iter(self) -> impl Iterator<Item = Theme> {
        Theme::all().filter(move |theme| self.0 >> theme.0 & 1 != 0)
    }
}

impl FromIterator<Theme> for ThemeSet {
    fn from_iter<T: IntoIterator<Item = Theme>>(themes: T) -> ThemeSet {
        let mut set = ThemeSet::default();
        themes.into_iter().for_each(|theme| set.insert(theme));
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_need_not_pay() {
        for (name, expected) in [("fork", true), ("decoy", true), ("doublecheck", false)] {
            assert_eq!(THEMES.must_pay(name), expected, "{name}");
        }
        assert_eq!(THEMES.alias_of("decoy"), Some("attraction"));
    }

    #[test]
    fn functions_have_a_sentence() {
        for library in &LIBRARIES {
            assert_eq!(Library::named(library.name.as_bytes()), Some(library));
            assert!(library.functions().count() <= Theme::MOST);
            let functions: Vec<_> = library.functions().collect();
            assert!(functions.len() > 10);
            for (name, says) in functions {
                assert!(says.ends_with('.') && !says.contains("----"), "{name}: {says}");
            }
        }
        assert_eq!(Library::named(b"theme"), None);
    }

    #[test]
    fn some_functions_are_other_names() {
        let alias_of = |name| THEMES.alias_of(name);
        assert_eq!(
            (alias_of("hanging"), alias_of("backrank")),
            (Some("hangingpiece"), Some("backrankmate"))
        );
        assert_eq!(
            (alias_of("fork"), alias_of("hangingpiece"), alias_of("nosuch")),
            (None, None, None)
        );
        let named = |theme: &Theme| theme.claim().starts_with("another name of");
        assert!(Theme::all().any(|theme| named(&theme)) && !Theme::distinct().any(|t| named(&t)));
    }

    #[test]
    fn the_cookbook_has_every_theme() {
        let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/src/cookbook/themes.md");
        let page = std::fs::read_to_string(page).expect("a page");
        let themes = Library::named(b"themes").expect("the library");
        for (name, says) in themes.functions() {
            let mut says = says.trim_end_matches('.').to_owned();
            says[..1].make_ascii_lowercase();
            let row = format!("| `{name}()` | {says} |");
            assert!(page.contains(&row), "{row}");
        }
    }
}

//! Parses `theme("fork")`: the body of a function of the library of themes in place of the filter.
//!
//! The names of the library, and those of its variables, stay apart from the names of the query.

use std::fmt::{self, Display, Formatter};
use std::mem;

use super::error::{Failed, Res, code, nearest};
use super::mend::Mend;
use super::names::Entity;
use super::parser::Parser;
use crate::builtin::Keyword;
use crate::library::{Theme, ThemeSet};
use crate::token::Symbol;
use crate::tree::{Filter, FilterKind, Type};

impl Parser<'_> {
    /// Parses `theme("fork")` or `theme "fork"`.
    pub(super) fn theme(&mut self) -> Res<Filter> {
        let start = self.eat();
        let word = Keyword::Theme.text();
        let in_parentheses = self.eat_symbol(Symbol::OpenParen);
        let Some((text, place)) = self.eat_literal() else {
            let message = format!("expected the name of a theme in quotes, found {}", self.found());
            let name = self.text_of(self.here());
            let named = Theme::named(&name).filter(|_| self.is_word_at(self.pos));
            let Some(theme) = named else {
                return self.fail_usage(code::LITERAL, self.here(), message, word);
            };
            let text = format!("\"{}\"", theme.name());
            let help = format!("a theme is a condition: `theme {text}`");
            let mend = Mend::edit(help, self.here(), text);
            let failed = self.fail_help(code::LITERAL, self.here(), message, mend);
            self.pos += 1;
            return failed;
        };
        if in_parentheses && !self.eat_symbol(Symbol::CloseParen) {
            return self.expected("`)` after the name of the theme", "");
        }
        let name = String::from_utf8_lossy(&text);
        let Some(theme) = Theme::named(&name) else {
            let mend = match &themes_like(&name)[..] {
                [near] => {
                    Mend::edit(format!("did you mean \"{near}\"?"), place, format!("\"{near}\""))
                }
                [] => Mend::advice("`cql help a library of themes` lists all of them"),
                near => Mend::advice(format!("did you mean \"{}\"?", near.join("\" or \""))),
            };
            let message = format!("there is no theme \"{name}\"");
            return self.fail_help(code::LITERAL, place, message, mend);
        };
        let span = self.span_from(start);
        let n_fixed = self.fixed_squares.len();
        let body = self.apart(|parser| match parser.names.get(theme.name()).cloned() {
            Some(Entity::Function(function)) => parser.expanded(&function, &[], span),
            _ => Err(Failed),
        })?;
        // Squares in the library have no place in the query.
        if self.fixed_squares.len() > n_fixed {
            self.fixed_squares.truncate(n_fixed);
            self.fixed_squares.push(span);
        }
        let kind =
            FilterKind::Classed { says: theme.claim(), theme: Some(theme), means: Box::new(body) };
        Ok(self.make(start, Type::Boolean, kind))
    }

    /// Parses with the names of the library of themes in place of those of the query.
    pub(super) fn apart<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let names = mem::replace(&mut self.names, mem::take(&mut self.themes));
        let parsed = parse(self);
        self.themes = mem::replace(&mut self.names, names);
        parsed
    }
}

/// Words of players for themes with other names, in lower case, mostly in German.
const OTHER_WORDS: &[(&[&str], &[&str])] = &[
    (&["pin", "pins", "fesselung", "fesselungen"], &["absolutepin", "relativepin"]),
    (&["gabel", "gabeln", "springergabel", "doppelangriff"], &["fork"]),
    (&["spieß", "spieße", "spiess"], &["skewer"]),
    (&["abzug", "abzugsangriff"], &["discoveredattack"]),
    (&["abzugsschach"], &["discoveredcheck"]),
    (&["doppelschach"], &["doublecheck"]),
    (&["kreuzschach", "gegenschach"], &["crosscheck"]),
    (&["opfer"], &["sacrifice"]),
    (&["ablenkung"], &["deflection"]),
    (&["hinlenkung"], &["attraction"]),
    (&["überlastung", "überlastet"], &["overloaded"]),
    (&["unterbrechung", "verstellung"], &["interference"]),
    (&["räumung", "räumungsopfer"], &["clearance"]),
    (&["zwickmühle", "windmühle"], &["windmill"]),
    (&["batterie"], &["battery"]),
    (&["umwandlung"], &["promotion"]),
    (&["unterverwandlung"], &["underpromotion"]),
    (&["freibauer", "freibauern"], &["passedpawn"]),
    (&["grundreihenmatt"], &["backrankmate"]),
    (&["ersticktes matt"], &["smotheredmate"]),
    (&["bauernendspiel"], &["pawnendgame"]),
    (&["springerendspiel"], &["knightendgame"]),
    (&["läuferendspiel"], &["bishopendgame"]),
    (&["turmendspiel"], &["rookendgame"]),
    (&["damenendspiel"], &["queenendgame"]),
];

/// Returns the words of players for a theme, other than its name.
pub fn words_for_theme(name: &str) -> impl Iterator<Item = &'static str> {
    let found = OTHER_WORDS.iter().filter(move |(_, themes)| themes.contains(&name));
    found.flat_map(|(words, _)| *words).copied()
}

/// Returns the names of themes like another name: the most similar one, those for which a word like
/// it stands, or else those that contain it.
pub fn themes_like(name: &str) -> Vec<&'static str> {
    let lower = name.to_lowercase();
    let meant = |word: &str| OTHER_WORDS.iter().find(|(words, _)| words.contains(&word));
    let names = || Theme::all().map(Theme::name);
    let words = OTHER_WORDS.iter().flat_map(|(words, _)| *words).copied();
    let near = meant(&lower).is_none().then(|| nearest(name, names().chain(words))).flatten();
    match (meant(near.unwrap_or(&lower)), near) {
        (Some((_, themes)), _) => themes.to_vec(),
        (None, Some(near)) => vec![near],
        (None, None) if name.is_empty() => Vec::new(),
        (None, None) => names().filter(|known| known.contains(name)).collect(),
    }
}

/// Name that no theme has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownTheme {
    /// The name.
    pub name: String,
    /// Names of themes like it.
    pub near: Vec<&'static str>,
}

impl Display for UnknownTheme {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "there is no theme '{}'", self.name)?;
        match &self.near[..] {
            [] => Ok(()),
            near => write!(f, "; did you mean {}?", near.join(" or ")),
        }
    }
}

impl std::error::Error for UnknownTheme {}

/// Returns the theme with a name, in any case of letters.
///
/// # Errors
/// If there is no theme with the name.
pub fn theme_named(name: &str) -> Result<Theme, UnknownTheme> {
    let name = name.trim();
    let unknown = || UnknownTheme { name: name.to_owned(), near: themes_like(name) };
    Theme::named(&name.to_lowercase()).ok_or_else(unknown)
}

/// Returns the themes with these names, between which are commas, or all themes for `*`.
///
/// # Errors
/// Those of [`theme_named`].
pub fn theme_set(names: &str) -> Result<ThemeSet, UnknownTheme> {
    if names == "*" {
        return Ok(Theme::all().collect());
    }
    names.split(',').map(theme_named).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::dump::{parse_body, refuse};
    use super::OTHER_WORDS;
    use crate::library::Theme;
    use crate::tree::FilterKind;

    #[test]
    fn each_theme_is_a_condition() {
        for theme in Theme::all() {
            for text in
                [format!("theme(\"{}\")", theme.name()), format!("theme \"{}\"", theme.name())]
            {
                let (_, parsed) = parse_body(&text);
                assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
                let FilterKind::Classed { theme: found, .. } = parsed.query.filters[0].kind else {
                    panic!("{text}");
                };
                assert_eq!(found, Some(theme));
            }
        }
    }

    #[test]
    fn words_of_players_stand_for_themes() {
        for (words, themes) in OTHER_WORDS {
            for theme in *themes {
                assert!(Theme::named(theme).is_some(), "{theme}");
            }
            for word in *words {
                assert!(Theme::named(word).is_none(), "{word}");
                assert_eq!(*word, word.to_lowercase());
            }
        }
    }

    #[test]
    fn names_of_the_query_and_of_the_library_are_apart() {
        for text in [
            "function fork(x){x} theme(\"fork\") fork(3)",
            "theme_ply=\"a\" theme(\"sacrifice\") theme_ply[0]==\"a\"",
            "import \"themes\" fork() theme(\"fork\") theme(\"fork\")",
            "theme=3 theme==3",
        ] {
            let (_, parsed) = parse_body(text);
            assert!(parsed.diagnostics.is_empty(), "{text}: {:?}", parsed.diagnostics);
        }
        refuse("theme(\"fork\") fork()", "E0201", "fork");
        refuse("theme(\"sacrifice\") theme_ply==3", "E0201", "theme_ply");
    }

    #[test]
    fn wrong_names_are_refused() {
        for (text, code, place) in [
            ("theme(\"forks\")", "E0113", "\"forks\""),
            ("theme(\"\")", "E0113", "\"\""),
            ("theme \"theme_won\"", "E0113", "\"theme_won\""),
            ("theme(fork)", "E0113", "fork"),
            ("theme()", "E0113", ")"),
            ("theme(\"fork\" \"pin\")", "E0103", "\"pin\""),
            ("rotate45 theme(\"greekgift\")", "E0402", "theme(\"greekgift\")"),
        ] {
            refuse(text, code, place);
        }
        for (name, help) in [
            ("forks", "did you mean \"fork\"?"),
            ("Fork", "did you mean \"fork\"?"),
            ("pin", "did you mean \"absolutepin\" or \"relativepin\"?"),
            ("pins", "did you mean \"absolutepin\" or \"relativepin\"?"),
            ("Gabel", "did you mean \"fork\"?"),
            ("gabeln", "did you mean \"fork\"?"),
            ("Überlastung", "did you mean \"overloaded\"?"),
            ("Turmendspiele", "did you mean \"rookendgame\"?"),
            ("sofa", "`cql help a library of themes` lists all of them"),
        ] {
            let (_, parsed) = parse_body(&format!("theme(\"{name}\")"));
            assert_eq!(parsed.diagnostics[0].help.as_deref(), Some(help));
        }
    }
}

//! The themes of a solution.

use std::fmt::{self, Display, Formatter};
use std::sync::Arc;

use engine::{CompileOptions, NamedExpression, Program, RowValue, Source, compile, search};
use syntax::library::{THEMES, Theme};
use syntax::parse::{UnknownTheme, nearest, theme_named};

use super::LONGEST_MATE;

/// Returns the names of the themes that an exercise can have: of mates, and of the library.
pub fn exercise_themes() -> impl Iterator<Item = String> {
    mates().chain(Theme::distinct().map(|theme| theme.name().to_owned()))
}

fn mates() -> impl Iterator<Item = String> {
    let in_moves = (1..=LONGEST_MATE).map(|n| format!("mateIn{n}"));
    std::iter::once("mate".to_owned()).chain(in_moves)
}

/// Reason why a name is not that of a theme of exercises.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExerciseThemeError {
    /// The name is like that of a mate.
    Mate(String),
    /// The library has no such theme.
    Unknown(UnknownTheme),
}

impl Display for ExerciseThemeError {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            ExerciseThemeError::Mate(name) => write!(
                f,
                "there is no theme '{name}'; mates are mate and mateIn1 to mateIn{LONGEST_MATE}"
            ),
            ExerciseThemeError::Unknown(unknown) => unknown.fmt(f),
        }
    }
}

impl std::error::Error for ExerciseThemeError {}

/// Returns the theme of exercises that a name means, in any case of letters: a theme of the library
/// under the name that exercises have, or a mate (`mate`, `mateIn2`).
///
/// # Errors
/// If there is no such theme.
pub fn exercise_theme(name: &str) -> Result<String, ExerciseThemeError> {
    let name = name.trim();
    if let Some(mate) = mates().find(|mate| mate.eq_ignore_ascii_case(name)) {
        return Ok(mate);
    }
    match theme_named(name) {
        Ok(theme) => Ok(THEMES.alias_of(theme.name()).unwrap_or(theme.name()).to_owned()),
        Err(unknown) => Err(match nearest(name, ["mate", "mateIn"]) {
            Some(_) => ExerciseThemeError::Mate(unknown.name),
            None => ExerciseThemeError::Unknown(unknown),
        }),
    }
}

/// Returns the length of the longest mate that themes of exercises name; 0 if they name none.
pub fn longest_mate(themes: &[String]) -> u8 {
    let in_moves = themes.iter().filter_map(|theme| theme.strip_prefix("mateIn"));
    in_moves.filter_map(|n| n.parse().ok()).max().unwrap_or_default()
}

/// Finds the themes of solutions, as `cql run --tag-puzzles` does: those of the library that hold
/// at a position after the first move, which is that of the other side.
#[derive(Debug, Clone)]
pub struct ThemeFinder(Option<Arc<Program>>);

impl Default for ThemeFinder {
    fn default() -> ThemeFinder {
        ThemeFinder::new()
    }
}

impl ThemeFinder {
    /// Compiles the functions of the library.
    #[must_use]
    pub fn new() -> ThemeFinder {
        let value = |theme: Theme| {
            let name = theme.name().to_owned();
            let text = format!("theme(\"{name}\")").into_bytes();
            NamedExpression { source: name.clone(), name, text }
        };
        let options = CompileOptions {
            values: Theme::distinct().map(value).collect(),
            ..CompileOptions::default()
        };
        let query = Source { name: "themes", text: b"cql() ply > 0" };
        ThemeFinder(compile(&query, &[], &options).program)
    }

    /// Returns the names of the themes that hold in a game after its first move.
    #[must_use]
    pub fn of(&self, pgn: &[u8]) -> Vec<String> {
        let Some(program) = &self.0 else {
            return Vec::new();
        };
        let positions = search(program, pgn).flatten().flat_map(|game| game.row.positions);
        let values: Vec<Vec<RowValue>> = positions.map(|position| position.values).collect();
        let holds = |at: usize| {
            let mut values = values.iter().filter_map(|values| values.get(at));
            values.any(|value| !matches!(value, RowValue::None | RowValue::Boolean(false)))
        };
        let themes = Theme::distinct().enumerate();
        themes.filter(|(at, _)| holds(*at)).map(|(_, theme)| theme.name().to_owned()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_themes_of_a_line_are_found() {
        let finder = ThemeFinder::new();
        assert!(finder.0.is_some());
        let fork =
            b"[FEN \"q3k3/8/8/3N4/8/8/7p/4K3 b - - 0 1\"]\n\n1... h1=N 2. Nc7+ Kd7 3. Nxa8 *\n";
        assert!(finder.of(fork).contains(&"fork".to_owned()), "{:?}", finder.of(fork));
        assert_eq!(finder.of(b"[Event \"x\"]\n\n1. e4 *\n"), Vec::<String>::new());
    }

    #[test]
    fn names_of_themes_are_those_of_exercises() {
        for (name, expected) in [
            ("fork", Ok("fork")),
            (" Fork", Ok("fork")),
            ("hanging", Ok("hangingpiece")),
            ("Decoy", Ok("attraction")),
            ("matein2", Ok("mateIn2")),
            ("MATE", Ok("mate")),
            ("pin", Err("there is no theme 'pin'; did you mean absolutepin or relativepin?")),
            ("forks", Err("there is no theme 'forks'; did you mean fork?")),
            ("mateIn5", Err("there is no theme 'mateIn5'; mates are mate and mateIn1 to mateIn4")),
            ("xyzzy", Err("there is no theme 'xyzzy'")),
        ] {
            let found = exercise_theme(name).map_err(|error| error.to_string());
            assert_eq!(found.as_deref().map_err(String::as_str), expected);
        }
        for name in exercise_themes() {
            assert_eq!(exercise_theme(&name).as_ref(), Ok(&name));
        }
        let themes = ["fork", "mateIn2", "mateIn4", "mate"].map(str::to_owned);
        assert_eq!((longest_mate(&themes), longest_mate(&[])), (4, 0));
    }
}

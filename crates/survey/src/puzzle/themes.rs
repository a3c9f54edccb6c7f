//! The themes of a solution.

use std::sync::Arc;

use engine::{CompileOptions, NamedExpression, Program, RowValue, Source, compile, search};
use syntax::library::Theme;

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

    /// Whether a theme of the library has this name, and it is no other name of another.
    #[must_use]
    pub fn knows(name: &str) -> bool {
        Theme::distinct().any(|theme| theme.name() == name)
    }

    /// Returns the names of all themes.
    #[must_use]
    pub fn names() -> Vec<&'static str> {
        Theme::distinct().map(Theme::name).collect()
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
        let names = ThemeFinder::names().into_iter().enumerate();
        names.filter(|(at, _)| holds(*at)).map(|(_, name)| name.to_owned()).collect()
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
        assert!(ThemeFinder::knows("fork") && !ThemeFinder::knows("decoy"));
    }
}

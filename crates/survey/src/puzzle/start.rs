//! The positions in which the exercises of a query begin.
//!
//! A theme holds after its last move, and the position to solve is that before its first one. The
//! values of the themes that a query names tell which of them hold at a match.

use engine::{GameRow, PositionRow, RowValue};
use syntax::library::{THEMES, Theme};

use super::line::Node;

/// Beginning of exercises at the matches of a query.
#[derive(Debug, Clone, Default)]
pub struct ExerciseStart {
    /// Number of half-moves before a match; `None` for those of its themes.
    before: Option<u8>,
    themes: Vec<Theme>,
}

/// A match in the main line.
pub(super) struct Place {
    /// Index of the position that matches.
    pub(super) at: usize,
    /// Index of the position in which the exercise begins.
    pub(super) start: usize,
}

impl ExerciseStart {
    /// Creates the start for the themes that the texts of a query name, as in `theme("fork")` and
    /// `fork()`.
    #[must_use]
    pub fn of(texts: &[&str]) -> ExerciseStart {
        let is_named = |theme: &Theme| texts.iter().any(|text| names(text, theme.name()));
        ExerciseStart { before: None, themes: Theme::all().filter(is_named).collect() }
    }

    /// Sets the number of half-moves before a match; `None` for those of its themes.
    #[must_use]
    pub fn before(self, before: Option<u8>) -> ExerciseStart {
        ExerciseStart { before, ..self }
    }

    /// Returns the expressions that the query needs as its last values.
    pub fn values(&self) -> impl Iterator<Item = String> {
        self.themes.iter().map(|theme| format!("theme(\"{}\")", theme.name()))
    }

    /// Returns the matches of a game; `None` for one outside the main line.
    pub(super) fn places(&self, row: &GameRow, line: &[Node]) -> Vec<Option<Place>> {
        let place = |position: &PositionRow| {
            let at = line.iter().position(|node| node.id == Some(position.id))?;
            let before = self.before.map_or_else(|| self.plies(position), usize::from);
            // In a game that is too short, the same side is to move.
            let start = at.checked_sub(before).unwrap_or((before - at.min(before)) % 2);
            Some(Place { at, start: start.min(at) })
        };
        row.positions.iter().map(place).collect()
    }

    /// Returns the number of half-moves of the longest theme that holds at a match.
    fn plies(&self, position: &PositionRow) -> usize {
        let values = &position.values[position.values.len().saturating_sub(self.themes.len())..];
        let found = self.themes.iter().zip(values);
        let found =
            found.filter(|(_, value)| !matches!(value, RowValue::None | RowValue::Boolean(false)));
        found.map(|(theme, _)| plies_of(*theme)).max().unwrap_or_default()
    }
}

/// Whether a text names a theme.
fn names(text: &str, theme: &str) -> bool {
    text.match_indices(theme).any(|(at, _)| {
        let (before, after) = (&text[..at], &text[at + theme.len()..]);
        let is_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_called = !is_word && after.trim_start().starts_with('(');
        let said = before.strip_suffix('"').filter(|_| after.starts_with('"'));
        is_called || said.is_some_and(|said| said.trim_end_matches([' ', '(']).ends_with("theme"))
    })
}

/// Returns the number of half-moves from the position before the first move of a theme to that in
/// which it holds. If there are several, it is the usual one.
fn plies_of(theme: Theme) -> usize {
    let name = THEMES.alias_of(theme.name()).unwrap_or(theme.name());
    match name {
        // Most are discovered checks.
        "discoveredattack" => 1,
        "desperado" => 2,
        "exposedking" => 5,
        "windmill" => 7,
        _ => match part_of(name) {
            "one move" | "mates" => 1,
            "two moves and the reply between them" | "longer lines" => 3,
            _ => 0,
        },
    }
}

/// Returns the heading of the part of the library in which a function is.
fn part_of(name: &str) -> &'static str {
    let end = THEMES.text.find(&format!("function {name}()")).unwrap_or_default();
    let (_, heading) = THEMES.text[..end].rsplit_once("; ---- ").unwrap_or_default();
    heading.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_named_in_quotes_or_called() {
        let of = |text| ExerciseStart::of(&[text]).values().collect::<Vec<String>>().join(" ");
        assert_eq!(of("cql() theme(\"fork\") or theme \"pin\""), "theme(\"fork\")");
        assert_eq!(
            of("import \"themes\" skewer() hanging ()"),
            "theme(\"hanging\") theme(\"skewer\")"
        );
        assert_eq!(of("event \"fork\" promotion // fork"), "");
        assert_eq!(of("my_fork() check"), "");
    }

    #[test]
    fn each_theme_has_a_length() {
        let check = |name: &str, expected: usize| {
            assert_eq!(plies_of(Theme::named(name).expect("a theme")), expected, "{name}");
        };
        for (name, expected) in [
            ("fork", 1),
            ("hanging", 1),
            ("skewer", 3),
            ("decoy", 3),
            ("sacrifice", 3),
            ("windmill", 7),
            ("battery", 0),
            ("rookendgame", 0),
            ("backrank", 1),
            ("hookmate", 1),
        ] {
            check(name, expected);
        }
        assert!(Theme::all().all(|theme| !part_of(theme.name()).is_empty()));
    }
}

//! The games that a request is about.

use std::sync::Arc;

use flow::GameSet;
use serde::Deserialize;

/// Greatest number of a game. A set of games has a bit for each number.
const LAST: u64 = 1 << 29;

/// Collections, and the games chosen among theirs.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Selection {
    /// Ids of the collections.
    pub collections: Vec<u32>,
    /// The chosen games, such as those that the list shows; `None` for all.
    #[serde(default)]
    pub games: Option<ChosenGames>,
    /// State of the files when their games were numbered; `None` if the files cannot change. Once
    /// it differs, the numbers mean other games.
    #[serde(default)]
    pub stamp: Option<String>,
}

impl Selection {
    /// Returns the chosen games; `None` for all.
    #[must_use]
    pub fn chosen(&self) -> Option<Arc<GameSet>> {
        self.games.as_ref().map(|games| games.0.clone())
    }
}

/// Games by their numbers through all collections. A request has the first number, and then the
/// difference from each number to the next.
#[derive(Debug, Clone, Deserialize)]
#[serde(try_from = "Vec<u64>")]
pub struct ChosenGames(Arc<GameSet>);

impl TryFrom<Vec<u64>> for ChosenGames {
    type Error = String;

    fn try_from(steps: Vec<u64>) -> Result<ChosenGames, String> {
        let mut numbers = Vec::with_capacity(steps.len());
        let mut number = 0_u64;
        for step in steps {
            number = number.saturating_add(step);
            if step == 0 || number > LAST {
                return Err("the numbers of the games are not in order, or too great".to_owned());
            }
            numbers.push(number);
        }
        Ok(ChosenGames(Arc::new(numbers.into_iter().collect())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_read_from_their_differences() {
        let read = |text: &str| {
            let selection: Result<Selection, _> = serde_json::from_str(text);
            selection.ok().map(|selection| {
                let chosen = selection.chosen();
                (1..100).filter(|&number| chosen.as_ref().is_none_or(|set| set.has(number))).count()
            })
        };
        assert_eq!(read(r#"{"collections":[1]}"#), Some(99));
        assert_eq!(read(r#"{"collections":[1],"games":[]}"#), Some(0));
        assert_eq!(read(r#"{"collections":[1],"games":[3,1,60]}"#), Some(3));
        for games in ["[0]", "[3,0]", "[18446744073709551615,1]", "[99999999999]", "[-1]", "7"] {
            assert_eq!(read(&format!(r#"{{"collections":[1],"games":{games}}}"#)), None, "{games}");
        }
    }
}

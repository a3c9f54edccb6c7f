//! Queries that are answered for a game that was read before without replaying its moves.
//!
//! A query may ask for nothing but tags, the result, and the first or the last position of a game,
//! or for a theme. Then the number of its matching positions follows from the columns of the game. Of
//! other queries, the search counts it while it replays the games side by side. If the output needs
//! nothing else of the positions, as counts do, no game is replayed alone.

use compiler::limits::Limits;
use compiler::program::{BoolFilter, BoolId, Program, SetFilter};
use syntax::builtin::Predicate;
use syntax::library::Theme;
use syntax::token::GameResult;

use crate::eval::LaneScreen;
use crate::record::{KnownGame, result_of};

/// The positions of a game that match, if its tags and its result meet all conditions.
#[derive(Debug, Clone, Copy)]
enum Matching {
    Everywhere,
    /// At the start or at the end of the main line.
    Once,
    Theme(Theme),
    /// At every position that passes the screen of the query ([`LaneScreen`]).
    Screened,
}

/// A query about tags, the result, and one thing besides.
#[derive(Debug)]
pub(super) struct ColumnQuery {
    results: Vec<GameResult>,
    matching: Matching,
}

impl ColumnQuery {
    /// Returns the program as such a query, if it is one. The conditions on tags are those of the
    /// guard.
    pub(super) fn of(program: &Program) -> Option<ColumnQuery> {
        let settings = &program.settings;
        let is_plain = program.has_values_of_game()
            && program.sort_labels().is_empty()
            && settings.limits == Limits::default()
            && program.sequential_reason().is_none();
        if !is_plain {
            return None;
        }
        let of = |matching| ColumnQuery { results: settings.results.clone(), matching };
        let mut query = of(Matching::Everywhere);
        if query.take(program, program.root) {
            return Some(query);
        }
        if !program.screen.is_exact {
            return None;
        }
        let screen = LaneScreen::of(program);
        screen.is_some_and(|screen| screen.is_exact()).then(|| of(Matching::Screened))
    }

    /// Whether the matching positions are counted by a [`LaneScreen`].
    pub(super) fn is_screened(&self) -> bool {
        matches!(self.matching, Matching::Screened)
    }

    fn take(&mut self, program: &Program, id: BoolId) -> bool {
        let matching = match &program.bools[id.0 as usize] {
            BoolFilter::All(items) => return items.iter().all(|&item| self.take(program, item)),
            _ if program.guard.contains(&id) => return true,
            BoolFilter::Constant(true) => return true,
            BoolFilter::NonEmpty(set) => {
                let set = &program.sets[set.0 as usize];
                return matches!(set, SetFilter::Constant(squares) if !squares.is_empty());
            }
            BoolFilter::Result(result) => {
                self.results.push(*result);
                return true;
            }
            BoolFilter::Predicate(Predicate::Initial | Predicate::Terminal) => Matching::Once,
            BoolFilter::Theme(theme, _) => Matching::Theme(*theme),
            _ => return false,
        };
        let is_first = matches!(self.matching, Matching::Everywhere);
        self.matching = matching;
        is_first
    }

    /// Returns the number of positions of a game whose tags meet the conditions, and of those among
    /// them that match, if both are known. `index` is that of the query.
    pub(super) fn count(
        &self,
        game: &dyn KnownGame,
        variations: bool,
        index: usize,
    ) -> Option<(u32, u32)> {
        let n_positions = game.n_positions(variations)?;
        if !self.results.is_empty() {
            let result = result_of(game.result()?);
            if self.results.iter().any(|wanted| result != Some(*wanted)) {
                return Some((n_positions, 0));
            }
        }
        let n_matching = match self.matching {
            Matching::Everywhere => n_positions,
            Matching::Once => 1,
            Matching::Theme(theme) => game.theme_positions(theme, variations)?.try_into().ok()?,
            Matching::Screened => game.n_matching(index)?,
        };
        Some((n_positions, n_matching))
    }
}

#[cfg(test)]
mod tests {
    use super::ColumnQuery;
    use crate::{CompileOptions, NamedExpression, Source, compile};

    fn check_with(text: &str, options: &CompileOptions, expected: bool) {
        let source = Source { name: "test.cql", text: text.as_bytes() };
        let compiled = compile(&source, &[], options);
        let program = compiled.program.unwrap_or_else(|| panic!("{text}"));
        let query = ColumnQuery::of(&program).filter(|query| !query.is_screened());
        assert_eq!(query.is_some(), expected, "{text}");
    }

    #[test]
    fn values_are_those_of_the_game() {
        for (value, expected) in [("opening", true), ("openingcode", true), ("ply", false)] {
            let (name, source, text) = ("v".to_owned(), value.to_owned(), value.into());
            let values = vec![NamedExpression { name, source, text }];
            let options = CompileOptions { values, ..CompileOptions::default() };
            check_with("cql() initial", &options, expected);
        }
    }

    #[test]
    fn queries_about_columns_are_recognized() {
        let check = |text: &str, expected| check_with(text, &CompileOptions::default(), expected);
        check("cql() player white \"a\"", true);
        check("cql() true", true);
        check("cql() .", true);
        check("cql() []", false);
        check("cql() Q", false);
        check("cql() initial", true);
        check("cql() result 1-0 year > 1990 player white \"A\" terminal elo > 2000", true);
        check("cql() result 1-0 initial (eco \"B\" or year < 1950)", true);
        check("cql() player white \"A\" theme(\"fork\")", true);
        check("cql() initial terminal", false);
        check("cql() initial theme(\"fork\")", false);
        check("cql() initial or terminal", false);
        check("cql() not initial", false);
        check("cql() initial wtm", false);
        check("cql(sort matchcount 1 9) initial", false);
        check("cql() initial comment(\"x\")", false);
        check("cql() initial persistent x += 1", false);
    }
}

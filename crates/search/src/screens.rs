//! Game screens of all queries of a search, which select the games of an archive to evaluate.

use engine::{GameScreen, Program};

/// Game screens of the queries of a search.
pub struct Prefilter {
    screens: Vec<GameScreen>,
    is_sequential: bool,
}

impl Prefilter {
    /// Creates the screens of programs.
    pub fn of<'p>(programs: impl Clone + IntoIterator<Item = &'p Program>) -> Prefilter {
        let screens = programs.clone().into_iter().map(GameScreen::of);
        Prefilter::new(screens.collect(), programs)
    }

    /// Creates a screen that every game passes, for searches that also use games without a match.
    pub fn open<'p>(programs: impl IntoIterator<Item = &'p Program>) -> Prefilter {
        Prefilter::new(vec![GameScreen::default()], programs)
    }

    fn new<'p>(
        screens: Vec<GameScreen>,
        programs: impl IntoIterator<Item = &'p Program>,
    ) -> Prefilter {
        let mut programs = programs.into_iter();
        Prefilter {
            screens,
            is_sequential: programs.any(|program| program.sequential_reason().is_some()),
        }
    }

    /// Returns the screens. A game that fails all of them is not evaluated.
    pub fn screens(&self) -> &[GameScreen] {
        &self.screens
    }

    /// Whether a query has no conditions, so that every game passes.
    pub fn is_open(&self) -> bool {
        self.screens.iter().any(GameScreen::is_open)
    }

    /// Whether a program keeps values from game to game. The order of games then matters, even if
    /// an archive turns out to be damaged.
    pub fn is_sequential(&self) -> bool {
        self.is_sequential
    }
}

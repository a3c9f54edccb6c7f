//! Game screens of all queries of a search, which select the games of an archive to evaluate.

use engine::{GameScreen, LaneScreen, Program};

/// Game screens of the queries of a search.
pub struct Prefilter {
    screens: Vec<(GameScreen, Option<LaneScreen>)>,
    is_sequential: bool,
}

impl Prefilter {
    /// Creates the screens of programs.
    pub fn of<'p>(programs: impl Clone + IntoIterator<Item = &'p Program>) -> Prefilter {
        let screens = programs.clone().into_iter();
        let screens = screens.map(|program| (GameScreen::of(program), LaneScreen::of(program)));
        Prefilter::new(screens.collect(), programs)
    }

    /// Creates a screen that every game passes, for searches that also use games without a match.
    pub fn open<'p>(programs: impl IntoIterator<Item = &'p Program>) -> Prefilter {
        Prefilter::new(vec![Default::default()], programs)
    }

    fn new<'p>(
        screens: Vec<(GameScreen, Option<LaneScreen>)>,
        programs: impl IntoIterator<Item = &'p Program>,
    ) -> Prefilter {
        let mut programs = programs.into_iter();
        Prefilter {
            screens,
            is_sequential: programs.any(|program| program.sequential_reason().is_some()),
        }
    }

    /// Returns the screens of each query: that of the columns, and that of replayed positions. A
    /// game that fails one of them for every query is not evaluated.
    pub fn screens(&self) -> &[(GameScreen, Option<LaneScreen>)] {
        &self.screens
    }

    /// Whether a query has no conditions, so that every game passes.
    pub fn is_open(&self) -> bool {
        self.screens.iter().any(|(screen, lanes)| screen.is_open() && lanes.is_none())
    }

    /// Whether a program keeps values from game to game. The order of games then matters, even if
    /// an archive turns out to be damaged.
    pub fn is_sequential(&self) -> bool {
        self.is_sequential
    }
}

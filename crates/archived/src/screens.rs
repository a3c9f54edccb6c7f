//! Selects the games of a block that may match, reading as few columns as possible.

use archive::{BLOCK_ROWS, Columns, Rows};
use engine::{GameScreen, Program, ScreenStep, SummaryParts};

/// Game screens of the queries of a search.
pub struct Screens {
    /// A game that fails all of these screens is not evaluated.
    screens: Vec<GameScreen>,
    /// Whether a program keeps values from game to game. The order of games then matters, even if
    /// an archive turns out to be damaged.
    pub(crate) is_sequential: bool,
}

/// Columns that are needed for every game.
fn flags() -> Columns {
    Columns::of(|name| name == "flags")
}

/// Returns the columns with these parts of summaries.
pub(crate) fn columns_of(parts: &SummaryParts) -> Columns {
    let of_squares = Columns::of_squares(parts.squares, parts.variations);
    flags().with(of_squares).with(Columns::of(|name| match name {
        "event" => parts.event,
        "site" => parts.site,
        "white" | "black" => parts.players,
        "eco" => parts.eco,
        "date" => parts.date,
        "white_elo" | "black_elo" => parts.ratings,
        "result" => parts.result,
        "material" | "fen" => parts.material,
        "moves" => parts.moves,
        _ => false,
    }))
}

impl Screens {
    /// Creates the screens of programs.
    pub fn of<'p>(programs: impl Clone + IntoIterator<Item = &'p Program>) -> Screens {
        let screens = programs.clone().into_iter().map(GameScreen::of);
        Screens::new(screens.collect(), programs)
    }

    /// Creates a screen that every game passes, for searches that also use games without a match.
    pub fn open<'p>(programs: impl IntoIterator<Item = &'p Program>) -> Screens {
        Screens::new(vec![GameScreen::default()], programs)
    }

    fn new<'p>(
        screens: Vec<GameScreen>,
        programs: impl IntoIterator<Item = &'p Program>,
    ) -> Screens {
        let mut programs = programs.into_iter();
        Screens {
            screens,
            is_sequential: programs.any(|program| program.sequential_reason().is_some()),
        }
    }

    /// Prepares the screens for testing blocks.
    pub(crate) fn chooser(&self) -> Chooser<'_> {
        let is_open = self.screens.iter().any(GameScreen::is_open);
        let screens = self.screens.iter().filter(|_| !is_open);
        let steps = screens.map(|screen| {
            let steps = screen.steps().into_iter();
            steps.map(|step| (columns_of(&step.parts()), step)).collect()
        });
        Chooser { steps: steps.collect(), is_open }
    }
}

/// Tests the screens on the games of blocks.
pub(crate) struct Chooser<'s> {
    /// For each query, the steps of its screen with the columns that they read.
    steps: Vec<Vec<(Columns, ScreenStep<'s>)>>,
    /// Whether a query has no conditions, so that every game passes.
    is_open: bool,
}

impl Chooser<'_> {
    /// Returns those games among some rows of a block that may match. `load` reads columns for the
    /// given rows.
    pub(crate) fn choose<E>(
        &self,
        games: Vec<usize>,
        rows: &mut Rows,
        mut load: impl FnMut(&mut Rows, Columns, &[usize]) -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        load(rows, flags(), &games)?;
        match &self.steps[..] {
            _ if self.is_open => Ok(games),
            [steps] => left_by(steps, games, rows, &mut load),
            several => {
                let mut is_wanted = [false; BLOCK_ROWS];
                for steps in several {
                    for row in left_by(steps, games.clone(), rows, &mut load)? {
                        is_wanted[row] = true;
                    }
                }
                Ok(games.into_iter().filter(|&row| is_wanted[row]).collect())
            }
        }
    }
}

/// Returns the games that pass all steps of a query.
fn left_by<E>(
    steps: &[(Columns, ScreenStep<'_>)],
    mut games: Vec<usize>,
    rows: &mut Rows,
    load: &mut impl FnMut(&mut Rows, Columns, &[usize]) -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    for (columns, step) in steps {
        if games.is_empty() {
            break;
        }
        load(rows, *columns, &games)?;
        step.retain(&mut games, |row| rows.game(row).summary());
    }
    Ok(games)
}

//! Selects the games of a block that may match, reading as few columns as possible.

use archive::{BLOCK_ROWS, Columns, Rows};
use engine::{ScreenStep, SummaryParts};
use syntax::library::ThemeSet;

use crate::Prefilter;

/// Columns to read: those of segments and those of themes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) columns: Columns,
    pub(crate) themes: ThemeSet,
}

/// Columns that are needed for every game.
fn flags() -> Wanted {
    Wanted { columns: Columns::of(|name| name == "flags"), themes: ThemeSet::default() }
}

/// Returns the columns with these parts of summaries.
pub(crate) fn columns_of(parts: &SummaryParts) -> Wanted {
    let of_squares = Columns::of_squares(parts.squares, parts.variations);
    let columns = flags().columns.with(of_squares).with(Columns::of(|name| match name {
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
    }));
    Wanted { columns, themes: parts.themes }
}

/// Tests the screens on the games of blocks.
pub(crate) struct BlockFilter<'s> {
    /// For each query, the steps of its screen with the columns that they read.
    steps: Vec<Vec<(Wanted, ScreenStep<'s>)>>,
    /// Whether a query has no conditions, so that every game passes.
    is_open: bool,
}

impl<'s> BlockFilter<'s> {
    /// Prepares screens for testing blocks.
    pub(crate) fn new(screens: &'s Prefilter) -> BlockFilter<'s> {
        let is_open = screens.is_open();
        let screens = screens.screens().iter().filter(|_| !is_open);
        let steps = screens.map(|screen| {
            let steps = screen.steps().into_iter();
            steps.map(|step| (columns_of(&step.parts()), step)).collect()
        });
        BlockFilter { steps: steps.collect(), is_open }
    }

    /// Returns those games among some rows of a block that may match. `load` reads columns for the
    /// given rows.
    pub(crate) fn choose<E>(
        &self,
        games: Vec<usize>,
        rows: &mut Rows,
        mut load: impl FnMut(&mut Rows, Wanted, &[usize]) -> Result<(), E>,
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
    steps: &[(Wanted, ScreenStep<'_>)],
    mut games: Vec<usize>,
    rows: &mut Rows,
    load: &mut impl FnMut(&mut Rows, Wanted, &[usize]) -> Result<(), E>,
) -> Result<Vec<usize>, E> {
    for (wanted, step) in steps {
        if games.is_empty() {
            break;
        }
        load(rows, *wanted, &games)?;
        step.retain(&mut games, |row| rows.game(row).summary());
    }
    Ok(games)
}

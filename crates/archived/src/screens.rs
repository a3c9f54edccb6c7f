//! Which games of a block may match, told from as few of its columns as that takes.

use archive::{BLOCK_ROWS, Columns, Rows};
use engine::{GameScreen, Program, ScreenStep, SummaryParts};

/// What queries ask of games as a whole.
pub struct Screens {
    /// A game that meets none of them need not be looked at.
    screens: Vec<GameScreen>,
    /// One of the programs carries something over from game to game: the order of the games matters,
    /// even if an archive turns out to be damaged.
    pub(crate) is_sequential: bool,
}

/// What every game must have.
fn flags() -> Columns {
    Columns::of(|name| name == "flags")
}

/// The columns that have these parts of summaries.
pub(crate) fn columns_of(parts: &SummaryParts) -> Columns {
    let of_squares = Columns::of_squares(parts.squares, parts.variations);
    flags()
        .with(of_squares)
        .with(Columns::of(|name| match name {
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
    /// What programs ask of games.
    pub fn of<'p>(programs: impl Clone + IntoIterator<Item = &'p Program>) -> Screens {
        let screens = programs.clone().into_iter().map(GameScreen::of);
        Screens::new(screens.collect(), programs)
    }

    /// Lets every game pass to the programs, for those who have a use for games in which they do not
    /// match.
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

    /// Makes ready to ask the games of blocks.
    pub(crate) fn chooser(&self) -> Chooser<'_> {
        let is_open = self.screens.iter().any(GameScreen::is_open);
        let screens = self.screens.iter().filter(|_| !is_open);
        let steps = screens.map(|screen| {
            let steps = screen.steps().into_iter();
            steps
                .map(|step| (columns_of(&step.parts()), step))
                .collect()
        });
        Chooser {
            steps: steps.collect(),
            is_open,
        }
    }
}

/// Asks the games of blocks what queries ask of them.
pub(crate) struct Chooser<'s> {
    /// Of each query the steps, and the columns that they look at.
    steps: Vec<Vec<(Columns, ScreenStep<'s>)>>,
    /// A query asks for nothing.
    is_open: bool,
}

impl Chooser<'_> {
    /// Those of some rows of a block that may match. `load` makes sure that rows have columns, for
    /// those that it is given.
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

/// Those of the games that are left by all steps of a query.
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

//! Which games of a block may match, told from as few of its columns as that takes.

use archive::{Columns, Rows};
use engine::{GameScreen, Program, SummaryParts};

/// What queries ask of games as a whole, and what it takes to answer it.
pub struct Screens {
    /// A game that meets none of them need not be looked at.
    screens: Vec<GameScreen>,
    /// Columns that are asked one after the other, as long as there are games left. None where a
    /// query asks for nothing.
    stages: Vec<Columns>,
    /// One of the programs carries something over from game to game: the order of the games matters,
    /// even if an archive turns out to be damaged.
    pub(crate) is_sequential: bool,
}

/// What every game must have.
pub(crate) fn flags() -> Columns {
    Columns::of(|name| name == "flags")
}

impl Screens {
    /// What programs ask of games.
    pub fn of<'p>(programs: impl Clone + IntoIterator<Item = &'p Program>) -> Screens {
        let screens = programs.clone().into_iter().map(GameScreen::of);
        Screens::new(screens.collect()).with(programs)
    }

    /// Lets every game pass to the programs, for those who have a use for games in which they do not
    /// match.
    pub fn open<'p>(programs: impl IntoIterator<Item = &'p Program>) -> Screens {
        Screens::new(vec![GameScreen::default()]).with(programs)
    }

    fn with<'p>(self, programs: impl IntoIterator<Item = &'p Program>) -> Screens {
        let mut programs = programs.into_iter();
        Screens {
            is_sequential: programs.any(|program| program.sequential_reason().is_some()),
            ..self
        }
    }

    /// What these screens ask of games.
    pub(crate) fn new(screens: Vec<GameScreen>) -> Screens {
        let mut stages = Vec::new();
        if !screens.iter().any(GameScreen::is_open) {
            let parts: Vec<SummaryParts> = screens.iter().map(GameScreen::parts).collect();
            let any = |part: fn(&SummaryParts) -> bool| parts.iter().any(part);
            stages.push(flags().with(Columns::of(|name| match name {
                "event" => any(|parts| parts.event),
                "site" => any(|parts| parts.site),
                "white" | "black" => any(|parts| parts.players),
                "eco" => any(|parts| parts.eco),
                "date" => any(|parts| parts.date),
                "white_elo" | "black_elo" => any(|parts| parts.ratings),
                "result" => any(|parts| parts.result),
                _ => false,
            })));
            let later: [fn(&SummaryParts, &str) -> bool; 2] = [
                |parts, name| match name {
                    "reach" => parts.reach,
                    "material" | "fen" => parts.material,
                    _ => false,
                },
                |parts, name| name == "moves" && parts.moves,
            ];
            for stage in later {
                let columns = Columns::of(|name| parts.iter().any(|parts| stage(parts, name)));
                if !columns.is_empty() {
                    stages.push(columns);
                }
            }
        }
        Screens {
            screens,
            stages,
            is_sequential: false,
        }
    }

    /// The columns that are asked one after the other.
    pub(crate) fn stages(&self) -> impl Iterator<Item = Columns> {
        self.stages.iter().copied()
    }

    /// Whether a query may match in a game, for all that is known by now.
    pub(crate) fn may_match(&self, rows: &Rows, row: usize) -> bool {
        let Some(summary) = rows.game(row).summary() else {
            return true;
        };
        self.screens.iter().any(|screen| screen.may_match(&summary))
    }
}

//! Selects the games of a block that may match, reading as few columns as possible.

use std::ops::Range;

use archive::{BLOCK_ROWS, Columns, Rows};
use engine::{LaneScreen, ScreenStep, SummaryParts};
use pgn::CodedLine;
use syntax::library::ThemeSet;

use crate::Prefilter;

/// Columns to read: those of segments and those of themes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    pub(crate) columns: Columns,
    pub(crate) themes: ThemeSet,
}

/// Returns the columns that are needed for every game.
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
    queries: Vec<QueryFilter<'s>>,
    /// Whether a query has no conditions, so that every game passes.
    is_open: bool,
}

/// Tests the screens of a query.
struct QueryFilter<'s> {
    /// The steps of its screen with the columns that they read.
    steps: Vec<(Wanted, ScreenStep<'s>)>,
    /// The screen for games that are replayed side by side.
    lanes: Option<&'s LaneScreen>,
    /// For each row of the current block, the number of matching positions, if it is known. Empty
    /// if these numbers are of no use.
    counts: Vec<Option<u32>>,
    /// For each row of the current block, the range of its words in `positions`; empty if the game
    /// was not tested with the lanes.
    places: Vec<Range<usize>>,
    /// A bit for each position of the tested games: whether it passed the lanes.
    positions: Vec<u64>,
    /// Number of blocks in a row in which the lanes did not pay. It starts at 1, so that the first
    /// block tries them on a few games only.
    n_in_vain: u32,
    /// Number of blocks that go without lanes before they are tried again.
    n_without: u32,
}

impl<'s> BlockFilter<'s> {
    /// Prepares screens for testing blocks. `needs_only_count` tells whether a query needs only the
    /// number of matching positions.
    pub(crate) fn new(
        screens: &'s Prefilter,
        needs_only_count: impl Fn(usize) -> bool,
    ) -> BlockFilter<'s> {
        let is_open = screens.is_open();
        let queries = screens.screens().iter().enumerate().filter(|_| !is_open);
        let queries = queries.map(|(query, (screen, lanes))| {
            let steps = screen.steps().into_iter();
            let lanes = lanes.as_ref();
            let is_counted = lanes.is_some_and(LaneScreen::is_exact) && needs_only_count(query);
            QueryFilter {
                steps: steps.map(|step| (columns_of(&step.parts()), step)).collect(),
                lanes,
                counts: if is_counted { vec![None; BLOCK_ROWS] } else { Vec::new() },
                places: vec![0..0; BLOCK_ROWS],
                positions: Vec::new(),
                n_in_vain: 1,
                n_without: 0,
            }
        });
        BlockFilter { queries: queries.collect(), is_open }
    }

    /// Returns those games among some rows of a block that may match. `load` reads columns for the
    /// given rows.
    pub(crate) fn choose<E>(
        &mut self,
        games: Vec<usize>,
        rows: &mut Rows,
        mut load: impl FnMut(&mut Rows, Wanted, &[usize]) -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        load(rows, flags(), &games)?;
        match &mut self.queries[..] {
            _ if self.is_open => Ok(games),
            [query] => query.choose(games, rows, &mut load),
            several => {
                let mut is_wanted = [false; BLOCK_ROWS];
                for query in several {
                    for row in query.choose(games.clone(), rows, &mut load)? {
                        is_wanted[row] = true;
                    }
                }
                Ok(games.into_iter().filter(|&row| is_wanted[row]).collect())
            }
        }
    }

    /// Returns the number of positions at which a query matches in the game of a row of the current
    /// block, if it is known.
    pub(crate) fn n_matching(&self, query: usize, row: usize) -> Option<u32> {
        *self.queries.get(query)?.counts.get(row)?
    }

    /// Returns a bit for each position of the game in a row of the current block: whether a query
    /// may match there. Returns `None` if that is not known.
    pub(crate) fn candidates(&self, query: usize, row: usize) -> Option<&[u64]> {
        let query = self.queries.get(query)?;
        let positions = query.positions.get(query.places.get(row)?.clone())?;
        (!positions.is_empty()).then_some(positions)
    }
}

/// Number of games of a block that decide whether the lanes test the others, if they did not pay in
/// the block before.
const N_TRIED: usize = 128;
/// The lanes pay if they exclude one in this number of the tested games …
const ENOUGH_GAMES: usize = 4;
/// … or if at most one in this number of the positions passes them.
const ENOUGH_POSITIONS: usize = 16;
/// Largest number of blocks that go without lanes, as a power of 2.
const LONGEST_PAUSE: u32 = 4;

impl QueryFilter<'_> {
    /// Returns the games that pass the steps and the lanes.
    fn choose<E>(
        &mut self,
        mut games: Vec<usize>,
        rows: &mut Rows,
        load: &mut impl FnMut(&mut Rows, Wanted, &[usize]) -> Result<(), E>,
    ) -> Result<Vec<usize>, E> {
        for (wanted, step) in &self.steps {
            if games.is_empty() {
                break;
            }
            load(rows, *wanted, &games)?;
            step.retain(&mut games, |row| rows.game(row).summary());
        }
        self.counts.fill(None);
        self.places.fill(0..0);
        self.positions.clear();
        let Some(lanes) = self.lanes.filter(|_| !games.is_empty()) else {
            return Ok(games);
        };
        if self.counts.is_empty() && self.n_without > 0 {
            self.n_without -= 1;
            return Ok(games);
        }
        let columns = Columns::of(|name| ["flags", "moves", "fen"].contains(&name));
        load(rows, Wanted { columns, ..Wanted::default() }, &games)?;
        let lines = games.iter().filter_map(|&row| Some((row, rows.game(row).line()?)));
        let (in_lanes, lines): (Vec<usize>, Vec<CodedLine<'_>>) = lines.unzip();
        if !self.counts.is_empty() {
            let counts = lanes.count(&lines);
            for (&row, &n_matching) in in_lanes.iter().zip(&counts) {
                self.counts[row] = Some(n_matching);
            }
        } else {
            let n_first = if self.n_in_vain > 0 { lines.len().min(N_TRIED) } else { lines.len() };
            let (first, others) = lines.split_at(n_first);
            let mut places = lanes.find(first, &mut self.positions);
            let n_left = places.iter().filter(|place| self.is_left(place)).count();
            let n_positions: usize = first.iter().map(|line| line.codes.len() + 1).sum();
            let n_found: u32 = self.positions.iter().map(|bits| bits.count_ones()).sum();
            let pays = (n_first - n_left) * ENOUGH_GAMES >= n_first
                || n_found as usize * ENOUGH_POSITIONS <= n_positions;
            if pays {
                self.n_in_vain = 0;
                places.extend(lanes.find(others, &mut self.positions));
            } else {
                self.n_in_vain += 1;
                self.n_without = (1 << self.n_in_vain.min(LONGEST_PAUSE)) - 1;
            }
            for (&row, place) in in_lanes.iter().zip(places) {
                self.places[row] = place;
            }
        }
        games.retain(|&row| {
            let n_matching = self.counts.get(row).copied().flatten();
            let place = &self.places[row];
            n_matching != Some(0) && (place.is_empty() || self.is_left(place))
        });
        Ok(games)
    }

    /// Whether a position passed the lanes in the game with these words of `positions`.
    fn is_left(&self, place: &Range<usize>) -> bool {
        self.positions[place.clone()].iter().any(|bits| *bits != 0)
    }
}

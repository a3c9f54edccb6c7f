//! Tests the conditions of game screens on summaries of games.
//!
//! A [`GameScreen`] is made of the conditions that the compiler has noted in a program
//! ([`GameConditions`]). A game that fails one of them is skipped.
//!
//! Conditions on material that must hold in the same position are tested together, for each state
//! of the material in the game. Conditions on pawn structure are tested together as well, by
//! following the pawn moves alone. Every other condition is tested separately.

mod boards;
mod chain;
mod material;
mod parts;
mod steps;
mod tags;

use board::{Color, SquareSet};
use pgn::summary::{
    Kinds, NORMAL_COUNTS, PieceCounts, Reach, Summary, any_material, any_pawns, least_counts,
    recurs,
};
use syntax::library::Theme;

use crate::pawns::PawnsTogether;
use chain::Chain;
use compiler::facts::{ALL_PIECES, pieces_of};
use compiler::program::Program;
use compiler::program::plan::{
    self, GameConditions, GameFact, Image, MaterialSum, PawnCondition, PieceMask, Recurrence,
};
use material::MaterialScan;
pub use parts::SummaryParts;
pub use steps::ScreenStep;

/// Necessary conditions for a program to match in a game, created by [`GameScreen::of`].
///
/// ```
/// use engine::{CompileOptions, GameScreen, Source, compile};
/// use pgn::{GameTree, Summarizer, TagIndex};
///
/// let query = Source { name: "mate.cql", text: b"cql() Qh4 mate" };
/// let compiled = compile(&query, &[], &CompileOptions::default());
/// let screen = GameScreen::of(&compiled.program.expect("a correct query"));
/// let may_match = |moves: &[u8]| {
///     let (mut tags, mut tree) = (TagIndex::default(), GameTree::default());
///     tags.scan(moves);
///     tree.parse(tags.tags(moves));
///     let mut summarizer = Summarizer::default();
///     let summary = summarizer.summarize(&tree, *tags.tags(moves));
///     summary.is_none_or(|summary| screen.may_match(&summary))
/// };
/// assert!(!may_match(b"1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0"));
/// assert!(!may_match(b"1. f3 e5 2. g4 Qh4# 0-1"));
/// assert!(may_match(b"1. e4 g5 2. Qh5 a6 3. Qh4 f6 4. a3 b6 5. Qh5# 1-0"));
/// ```
#[derive(Debug, Clone, Default)]
pub struct GameScreen {
    conditions: Conditions,
    variations: bool,
}

/// Conditions that must all hold at one position of a game, with what is the same for every game.
#[derive(Debug, Clone, Default)]
struct Conditions {
    /// Tests other than those on material, cheapest first.
    tests: Vec<GameTest>,
    /// Number of tests at the start of `tests` that are cheaper than the material.
    n_cheap: usize,
    /// Comparisons of piece counts.
    material: Vec<MaterialSum>,
    /// Bit set of the pieces whose squares matter for `material`.
    material_squares: u16,
    /// Whether `material` can hold in a game that starts normally and has no promotion.
    comes_normally: bool,
    /// `material` in a form that is faster to test, if no other test concerns pieces.
    together: Option<MaterialScan>,
}

/// A condition that a summary may disprove, as in [`plan::GameTest`].
#[derive(Debug, Clone)]
enum GameTest {
    Fact(GameFact),
    Any(Box<[Conditions]>),
    Moves(Box<Chain>),
    Elsewhere(Box<Conditions>),
}

/// Whether each piece of an image may stand on one of its squares at some time.
#[inline]
fn image_stands(image: &Image, reach: &Reach) -> bool {
    // There may be dozens of images, and this test rejects most of them.
    if let Some((piece, squares)) = image.rare
        && !SquareSet(reach[piece]).intersects(squares)
    {
        return false;
    }
    image.men.iter().all(|&men| stands(men, reach))
}

/// The summary of a game being tested, with or without its variations.
#[derive(Debug)]
struct ScreenedGame<'a, S> {
    summary: &'a S,
    variations: bool,
}

impl<S> Clone for ScreenedGame<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for ScreenedGame<'_, S> {}

impl<'a, S: Summary> ScreenedGame<'a, S> {
    fn kinds(self) -> Kinds {
        self.summary.kinds(self.variations)
    }

    /// Returns the squares that each piece in `kinds` occupies at any time. Other pieces count as
    /// being on every square.
    #[inline]
    fn reach(self, kinds: u16) -> Reach {
        let mut reach = ANYWHERE;
        for piece in pieces_of(kinds) {
            reach[piece] = self.summary.squares(piece, self.variations).0;
        }
        reach
    }

    /// Whether one of these events occurs in the game.
    #[inline]
    fn has_any(self, kinds: Kinds) -> bool {
        self.kinds().0 & kinds.0 != 0
    }

    /// Whether the game may show a theme. A summary knows only the themes of the main line.
    #[inline]
    fn may_show(self, theme: Theme) -> bool {
        let is_known = !(self.variations && self.summary.has_variations());
        !is_known || self.summary.theme_positions(theme.number()) != Some(0)
    }

    /// Whether one of the pieces may stand on one of the squares at some time.
    #[inline]
    fn may_have(self, men: PieceMask) -> bool {
        let squares = |piece| self.summary.squares(piece, self.variations);
        pieces_of(men.kinds).any(|piece| squares(piece).intersects(men.squares))
    }
}

impl GameScreen {
    /// Creates the screen of a program.
    ///
    /// Do not use a screen when the games that do *not* match are wanted
    /// ([`QueryWorker::with_complement`](crate::QueryWorker::with_complement)).
    pub fn of(program: &Program) -> GameScreen {
        GameScreen::new(program, &program.game_conditions)
    }

    /// Creates the screen of a program with the conditions that pay when the positions of the game
    /// are available ([`GameConditions::for_texts`]).
    pub(crate) fn for_texts(program: &Program) -> GameScreen {
        GameScreen::new(program, &program.game_conditions.clone().for_texts())
    }

    fn new(program: &Program, conditions: &GameConditions) -> GameScreen {
        let variations = program.settings.variations;
        GameScreen { conditions: Conditions::new(conditions), variations }
    }

    /// Returns `false` only if the program matches nowhere in the game, has no effect there, and
    /// cannot fail except by exceeding the step limit. Facts that the summary does not know are
    /// assumed to be favorable.
    pub fn may_match(&self, summary: &impl Summary) -> bool {
        self.conditions.may_hold(self.game(summary))
    }

    fn game<'a, S>(&self, summary: &'a S) -> ScreenedGame<'a, S> {
        ScreenedGame { summary, variations: self.variations }
    }

    /// Returns the index, in the order of [`GameConditions::words`], of the first condition that the
    /// game fails, or `None` if it passes.
    pub fn denied_by(&self, summary: &impl Summary) -> Option<usize> {
        self.conditions.denied_by(self.game(summary))
    }

    /// Whether the screen has no conditions, so that every game passes.
    pub fn is_open(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Returns the number of conditions.
    pub fn n_conditions(&self) -> usize {
        self.conditions.tests.len() + usize::from(!self.conditions.material.is_empty())
    }

    /// Returns the parts of a summary that the screen reads. All other parts are ignored.
    pub fn parts(&self) -> SummaryParts {
        self.conditions.parts().of_lines(self.variations)
    }
}

impl Conditions {
    fn new(conditions: &GameConditions) -> Conditions {
        let GameConditions { tests, n_cheap, material } = conditions;
        let kinds = material.iter().map(material::kinds_somewhere);
        let mut new = Conditions {
            tests: tests.iter().map(GameTest::new).collect(),
            n_cheap: *n_cheap,
            material: material.clone(),
            material_squares: kinds.fold(0, |all, kinds| all | kinds),
            comes_normally: false,
            together: None,
        };
        new.comes_normally = new.material_may_come(&[0; 12], &NORMAL_COUNTS);
        if !new.tests.iter().any(GameTest::is_about_men) {
            new.together = MaterialScan::new(material);
        }
        new
    }

    fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.material.is_empty()
    }

    /// Splits the tests into those before and those after the material.
    fn around_material(&self) -> (&[GameTest], &[GameTest]) {
        self.tests.split_at(self.n_cheap)
    }

    fn may_hold(&self, game: ScreenedGame<'_, impl Summary>) -> bool {
        let (cheap, dear) = self.around_material();
        cheap.iter().all(|test| test.may_hold(game))
            && self.material_may_hold(game)
            && dear.iter().all(|test| test.may_hold(game))
    }

    fn denied_by(&self, game: ScreenedGame<'_, impl Summary>) -> Option<usize> {
        let (cheap, dear) = self.around_material();
        let denies = |test: &GameTest| !test.may_hold(game);
        let of_dear = || {
            let before = cheap.len() + usize::from(!self.material.is_empty());
            Some(before + dear.iter().position(denies)?)
        };
        let denied = cheap.iter().position(denies);
        denied.or_else(|| if self.material_may_hold(game) { of_dear() } else { Some(cheap.len()) })
    }

    fn material_may_hold(&self, game: ScreenedGame<'_, impl Summary>) -> bool {
        if self.material.is_empty() {
            return true;
        }
        let Some(start) = game.summary.start() else {
            return true;
        };
        // Without promotions, no piece count exceeds that of the start or falls below what remains
        // after all captures of any line.
        let is_bounded = !game.kinds().contains(Kinds::PROMOTION);
        let comes = !is_bounded
            || if game.summary.has_fen() {
                self.material_may_come(&[0; 12], &start)
            } else {
                self.comes_normally
            };
        if !comes {
            return false;
        }
        let Some(events) = game.summary.material() else {
            return true;
        };
        if !game.summary.has_variations()
            && let Some(together) = &self.together
        {
            return together.occurs(&start, events);
        }
        if is_bounded && !self.material_may_come(&least_counts(start, events), &start) {
            return false;
        }
        let reach = game.reach(self.material_squares);
        any_material(start, events, game.variations, |counts, _| {
            let sums = self.material.iter();
            let mut sums = sums.map(|sum| material::may_hold(sum, counts, &reach));
            sums.all(|may_hold| may_hold) && self.tests.iter().all(|test| test.has_men(counts))
        })
    }

    /// Whether each comparison can hold for some piece counts between `fewest` and `most`.
    fn material_may_come(&self, fewest: &PieceCounts, most: &PieceCounts) -> bool {
        let mut sums = self.material.iter();
        sums.all(|sum| material::may_come(sum, fewest, most))
    }
}

impl GameTest {
    fn new(test: &plan::GameTest) -> GameTest {
        match test {
            plan::GameTest::Fact(fact) => GameTest::Fact(fact.clone()),
            plan::GameTest::Any(alternatives) => {
                GameTest::Any(alternatives.iter().map(Conditions::new).collect())
            }
            plan::GameTest::Moves(moves) => GameTest::Moves(Box::new(Chain::new(moves))),
            plan::GameTest::Elsewhere(conditions) => {
                GameTest::Elsewhere(Box::new(Conditions::new(conditions)))
            }
        }
    }

    /// Whether the test requires pieces to be present.
    fn is_about_men(&self) -> bool {
        matches!(self, GameTest::Fact(GameFact::Stands(_)))
    }

    /// Whether the piece counts allow the test to hold.
    fn has_men(&self, counts: &PieceCounts) -> bool {
        match self {
            GameTest::Fact(GameFact::Stands(men)) => {
                pieces_of(men.kinds).any(|piece| counts[piece] > 0)
            }
            _ => true,
        }
    }

    fn may_hold(&self, game: ScreenedGame<'_, impl Summary>) -> bool {
        match self {
            GameTest::Fact(fact) => fact_may_hold(fact, game),
            GameTest::Any(alternatives) => alternatives.iter().any(|all| all.may_hold(game)),
            GameTest::Moves(chain) => chain.occurs(game.summary, game.variations),
            GameTest::Elsewhere(conditions) => conditions.may_hold(game),
        }
    }
}

fn fact_may_hold(fact: &GameFact, game: ScreenedGame<'_, impl Summary>) -> bool {
    match fact {
        GameFact::Never => false,
        GameFact::Happens(kinds) => game.has_any(*kinds),
        GameFact::HasVariations => game.summary.has_variations(),
        GameFact::IsAnnotated => game.summary.has_annotations(),
        GameFact::Plies(plies) => {
            let found = game.summary.plies(game.variations);
            found.is_none_or(|found| found >= *plies)
        }
        GameFact::Tags(condition) => tags::condition_holds(condition, game.summary) != Some(false),
        GameFact::Theme(theme) => game.may_show(*theme),
        GameFact::Stands(men) => game.may_have(*men),
        GameFact::Images(images) => {
            let reach = game.reach(images.kinds);
            images.each.iter().any(|image| image_stands(image, &reach))
        }
        GameFact::Board(condition) => boards::may_hold(condition, &game.reach(ALL_PIECES)),
        GameFact::Pawns(conditions) => pawns_stand(conditions, game),
        GameFact::Recurs(same) => may_recur(same, game),
    }
}

/// Whether the pawns may meet all conditions at one time.
fn pawns_stand(conditions: &[PawnCondition], game: ScreenedGame<'_, impl Summary>) -> bool {
    // Pawns are followed from the normal start, so games with a FEN tag are not tested.
    let moves = game.summary.moves().filter(|_| !game.summary.has_fen());
    moves.is_none_or(|moves| {
        let mut together = PawnsTogether::default();
        let is_asked = Color::ALL.map(|color| conditions.iter().any(|c| c.depends_on(color)));
        let mut last = None;
        any_pawns(moves, game.variations, |[white, black]| {
            let none = SquareSet::EMPTY;
            let asked =
                [if is_asked[0] { white } else { none }, if is_asked[1] { black } else { none }];
            last.replace(asked) != Some(asked) && together.add(asked, conditions)
        }) || together.meet(conditions)
    })
}

/// Whether pieces may stand twice on the same squares.
fn may_recur(same: &Recurrence, game: ScreenedGame<'_, impl Summary>) -> bool {
    // Pieces are followed from the normal start and along one line.
    let summary = game.summary;
    let moves = summary.moves().filter(|_| !summary.has_fen() && !summary.has_variations());
    let events = match &same.material[..] {
        [] => Some(&[][..]),
        _ => summary.material(),
    };
    let (Some(moves), Some(start), Some(events)) = (moves, summary.start(), events) else {
        return true;
    };
    // The first plies of the states of the material, and whether the later position may be there.
    let mut states: Vec<(usize, bool)> = Vec::new();
    any_material(start, events, false, |counts, ply| {
        let mut sums = same.material.iter();
        let may_hold = sums.all(|sum| material::may_hold(sum, counts, &ANYWHERE));
        // The states of late plies are not told apart.
        let may_be_before = ply >= LATE && states.last().is_some_and(|before| before.1);
        states.push((ply.into(), may_hold || may_be_before));
        false
    });
    if states.iter().all(|state| !state.1) {
        return false;
    }
    let mut at = 0;
    recurs(moves, same.pieces, same.distance, |ply| {
        while states.get(at + 1).is_some_and(|next| next.0 <= ply) {
            at += 1;
        }
        states.get(at).is_none_or(|state| state.1)
    })
}

/// Least ply of which captures and promotions are not told apart from later ones.
const LATE: u16 = 255;

/// Reach of pieces about which nothing is known: every square.
const ANYWHERE: Reach = [u64::MAX; 12];

/// Whether one of the pieces may stand on one of the squares at some time.
#[inline]
fn stands(men: PieceMask, reach: &Reach) -> bool {
    pieces_of(men.kinds).any(|piece| SquareSet(reach[piece]).intersects(men.squares))
}

//! Game screens: necessary conditions for a match that can be tested without replaying the game.
//!
//! A query can only match in a game that contains what the query requires: a mate, a queen on h7, a
//! rook ending, certain moves in a row. A [`GameScreen`] collects such conditions in terms of a
//! [`Summary`] of the game. A game that fails one of them is skipped.
//!
//! Skipping must not be observable. Conditions are therefore collected in evaluation order, and
//! only up to the first filter that has an effect or may fail ([`collect`]), as for position
//! screens. A filter under `not` contributes no condition, nor does an alternative (`or`) if one of
//! its branches requires nothing that a summary can disprove.
//!
//! Conditions on material that must hold in the same position are tested together, for each state
//! of the material in the game. Conditions on pawn structure are tested together as well, by
//! following the pawn moves alone. Every other condition is tested separately.

mod boards;
mod chain;
mod collect;
mod material;
mod parts;
mod steps;
mod tags;
mod words;

use std::iter;

use board::{Piece, SquareSet, Start};
use pgn::summary::{
    Kinds, NORMAL_COUNTS, PieceCounts, Reach, Summary, least_counts, visit_material, visit_pawns,
};
use syntax::Span;

use crate::pawns::{Pawns, condition_holds};
use chain::Chain;
use compiler::program::Program;
use compiler::program::plan::{BoardCondition, PawnCondition, PieceMask, Sum};
use material::{MaterialScan, MaterialSum};
pub use parts::SummaryParts;
pub use steps::ScreenStep;
use tags::TagCondition;

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
    unscreened: Vec<Unscreened>,
}

/// A part of a query that a game screen cannot test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unscreened {
    /// Location of the part in the query; `None` if the reason concerns the whole query.
    pub span: Option<Span>,
    /// Reason the part is not tested.
    pub reason: UnscreenedReason,
}

/// Reason that a part of a query contributes nothing to the game screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UnscreenedReason {
    /// The part depends on attacked squares, which are unknown without replaying.
    Attacks,
    /// The part depends on pins, which are unknown without replaying.
    Pins,
    /// The part depends on the pieces along a ray, which are unknown without replaying.
    Rays,
    /// The part depends on the pawn structure, which is unknown without replaying.
    PawnStructure,
    /// The part depends on legal moves, which are unknown without replaying.
    LegalMoves,
    /// The part is negated: a feature that is absent in one position may be present in another.
    Complement,
    /// One of the alternatives requires nothing that a summary can disprove.
    Alternatives,
    /// Nearly every game meets the condition.
    Everywhere,
    /// The part has an effect or may fail. Later filters are not tested either, since skipping the
    /// game would lose the effect.
    Effect,
    /// The part depends on data that a summary does not have.
    Other,
    /// The query keeps values from game to game (persistent variables).
    Sequential,
    /// The query also selects games without a matching position (`matchcount 0`).
    MatchCount,
}

/// Conditions that must all hold at one position of a game.
#[derive(Debug, Clone, Default, PartialEq)]
struct Conditions {
    /// Tests other than those on material, cheapest first after [`Conditions::finish`].
    tests: Vec<GameTest>,
    /// Number of tests at the start of `tests` that are cheaper than the material. Set by `finish`.
    n_cheap: usize,
    /// Comparisons of piece counts.
    material: Vec<MaterialSum>,
    /// Bit set of the pieces whose squares matter for `material`. Set by `finish`.
    material_squares: u16,
    /// Whether `material` can hold in a game that starts normally and has no promotion. Set by
    /// `finish`.
    comes_normally: bool,
    /// `material` in a form that is faster to test, if no other test concerns pieces. Set by
    /// `finish`.
    together: Option<MaterialScan>,
}

/// A condition that a summary may disprove.
#[derive(Debug, Clone, PartialEq)]
enum GameTest {
    /// Holds in no game.
    Never,
    /// One of these events occurs, such as a check or a promotion.
    Happens(Kinds),
    /// The game has a variation.
    HasVariations,
    /// The game has a comment or a NAG.
    IsAnnotated,
    /// A line of the game has at least this many half-moves.
    Plies(u16),
    /// The tags meet a condition.
    Tags(TagCondition),
    /// One of the pieces stands on one of the squares at some time. Empty squares are not tested.
    Stands(PieceMask),
    /// For at least one image of a transform, each piece stands on one of its squares at some time.
    Images(Images),
    /// At least one of these alternatives holds.
    Any(Box<[Conditions]>),
    /// Pieces attack or pin each other in this way.
    Board(Box<BoardCondition>),
    /// These moves occur in succession.
    Moves(Box<Chain>),
    /// The pawns meet all of these conditions at one time.
    Pawns(Vec<PawnCondition>),
    /// The conditions hold at some other position of the game.
    Elsewhere(Box<Conditions>),
}

/// All images of a set of placed pieces under a transform.
#[derive(Debug, Clone, PartialEq)]
struct Images {
    /// Bit set of the pieces that occur in the images.
    kinds: u16,
    each: Box<[Image]>,
}

impl Images {
    fn new(each: impl Iterator<Item = Image>) -> Images {
        let each: Box<[Image]> = each.collect();
        let men = each.iter().flat_map(|image| &image.men);
        let kinds = men.fold(0, |kinds, men| kinds | men.kinds & ALL_PIECES);
        Images { kinds, each }
    }
}

/// One image: pieces that stand in the same position.
#[derive(Debug, Clone, PartialEq)]
struct Image {
    /// The piece least often found on its squares, and these squares; tested first.
    rare: Option<(usize, SquareSet)>,
    /// All pieces, rarest first.
    men: Box<[PieceMask]>,
}

impl Image {
    fn new(mut men: Vec<PieceMask>) -> Image {
        men.sort_by_key(|men| commonness(*men));
        let mut rare = men.iter().filter(|men| men.kinds.is_power_of_two());
        let rare = rare.next();
        Image {
            rare: rare.map(|men| (men.kinds.trailing_zeros() as usize, men.squares)),
            men: men.into(),
        }
    }

    /// Whether each piece may stand on one of its squares at some time.
    #[inline]
    fn stands(&self, reach: &Reach) -> bool {
        // There may be dozens of images, and this test rejects most of them.
        if let Some((piece, squares)) = self.rare
            && !SquareSet(reach[piece]).intersects(squares)
        {
            return false;
        }
        self.men.iter().all(|&men| stands(men, reach))
    }
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

    /// Whether one of the pieces may stand on one of the squares at some time.
    #[inline]
    fn may_have(self, men: PieceMask) -> bool {
        let squares = |piece| self.summary.squares(piece, self.variations);
        pieces_of(men.kinds).any(|piece| squares(piece).intersects(men.squares))
    }
}

impl GameScreen {
    /// Collects the conditions of a program.
    ///
    /// Do not use a screen when the games that do *not* match are wanted
    /// ([`QueryWorker::with_complement`](crate::QueryWorker::with_complement)).
    pub fn of(program: &Program) -> GameScreen {
        collect::screen(program)
    }

    /// Returns `false` only if the program matches nowhere in the game, has no effect there, and
    /// cannot fail except by exceeding the step limit. Facts that the summary does not know are
    /// assumed to be favorable.
    pub fn may_match(&self, summary: &impl Summary) -> bool {
        self.conditions.may_hold(self.game(summary))
    }

    /// Removes the conditions on pawn structure. When the positions of the game are available
    /// anyway, testing these conditions costs as much as looking at the positions.
    pub(crate) fn without_pawns(mut self) -> GameScreen {
        self.conditions.leave_out_pawns();
        self
    }

    fn game<'a, S>(&self, summary: &'a S) -> ScreenedGame<'a, S> {
        ScreenedGame { summary, variations: self.variations }
    }

    /// Returns the index, in the order of [`GameScreen::words`], of the first condition that the
    /// game fails, or `None` if it passes.
    pub fn denied_by(&self, summary: &impl Summary) -> Option<usize> {
        self.conditions.denied_by(self.game(summary))
    }

    /// Whether the screen has no conditions, so that every game passes.
    pub fn is_open(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Describes the conditions in English, one clause each, in the order in which they are tested.
    pub fn words(&self) -> Vec<String> {
        self.conditions.words()
    }

    /// Returns the parts of a summary that the screen reads. All other parts are ignored.
    pub fn parts(&self) -> SummaryParts {
        self.conditions.parts().of_lines(self.variations)
    }

    /// Returns the parts of the query that are not tested, in evaluation order.
    pub fn unscreened(&self) -> &[Unscreened] {
        &self.unscreened
    }
}

impl Conditions {
    fn is_empty(&self) -> bool {
        self.tests.is_empty() && self.material.is_empty()
    }

    fn take(&mut self, test: GameTest) {
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
    }

    fn take_pawns(&mut self, condition: &PawnCondition) {
        let known = self.tests.iter_mut().find_map(|test| match test {
            GameTest::Pawns(conditions) => Some(conditions),
            _ => None,
        });
        match known {
            Some(conditions) if conditions.contains(condition) => {}
            Some(conditions) => conditions.push(condition.clone()),
            None => self.tests.push(GameTest::Pawns(vec![condition.clone()])),
        }
    }

    fn take_sum(&mut self, sum: &Sum) {
        let sum = MaterialSum::new(sum);
        match sum.is_always() {
            Some(true) => {}
            Some(false) => self.take(GameTest::Never),
            None if self.material.contains(&sum) => {}
            None => self.material.push(sum),
        }
    }

    fn leave_out_pawns(&mut self) {
        self.tests.retain_mut(|test| match test {
            GameTest::Pawns(_) => false,
            GameTest::Any(alternatives) => {
                alternatives.iter_mut().for_each(Conditions::leave_out_pawns);
                !alternatives.iter().any(Conditions::is_empty)
            }
            GameTest::Elsewhere(conditions) => {
                conditions.leave_out_pawns();
                !conditions.is_empty()
            }
            _ => true,
        });
        self.finish();
    }

    /// Sorts the tests by cost and then by rarity, removes redundant ones, and precomputes what is
    /// the same for every game. Call this after the last condition has been added.
    fn finish(&mut self) {
        self.tests.sort_by_key(|test| (test.cost(), test.commonness()));
        let is_cheap = |test: &GameTest| test.cost() < MATERIAL_COST;
        self.n_cheap = self.tests.partition_point(is_cheap);
        // Drop a condition that another one implies: `#Q >= 2` makes `#Q >= 1` redundant.
        for at in (0..self.material.len()).rev() {
            let sum = &self.material[at];
            let mut others = self.material.iter().enumerate();
            if others.any(|(other, stronger)| other != at && stronger.implies_presence(sum)) {
                self.material.remove(at);
            }
        }
        let kinds = self.material.iter().map(MaterialSum::kinds_somewhere);
        self.material_squares = kinds.fold(0, |all, kinds| all | kinds);
        self.comes_normally = self.material_may_come(&[0; 12], &NORMAL_COUNTS);
        self.together = if self.tests.iter().any(GameTest::is_about_men) {
            None
        } else {
            MaterialScan::new(&self.material)
        };
    }

    /// Whether all conditions can be tested with a few comparisons.
    fn are_cheap(&self) -> bool {
        self.material.is_empty() && self.n_cheap == self.tests.len()
    }

    /// Splits the tests into those before and those after the material. Going through the states of
    /// the material costs more than looking at square sets and less than following moves.
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
        visit_material(start, events, game.variations, |counts, _| {
            let sums = self.material.iter();
            let mut sums = sums.map(|sum| sum.may_hold(counts, &reach));
            sums.all(|may_hold| may_hold) && self.tests.iter().all(|test| test.has_men(counts))
        })
    }

    /// Whether each comparison can hold for some piece counts between `fewest` and `most`.
    fn material_may_come(&self, fewest: &PieceCounts, most: &PieceCounts) -> bool {
        let mut sums = self.material.iter();
        sums.all(|sum| sum.may_come(fewest, most))
    }
}

/// Cost of testing the material, on the scale of [`GameTest::cost`].
const MATERIAL_COST: u32 = 10;

impl GameTest {
    /// Returns the relative cost of the test; only the order of the numbers matters.
    fn cost(&self) -> u32 {
        match self {
            GameTest::Never => 0,
            GameTest::Happens(_) | GameTest::HasVariations | GameTest::IsAnnotated => 1,
            GameTest::Plies(_) => 2,
            GameTest::Tags(condition) => 3 + condition.cost(),
            GameTest::Stands(_) => 4 + TagCondition::MOST_COST,
            GameTest::Images(_) => MATERIAL_COST + 1,
            GameTest::Any(_) => MATERIAL_COST + 2,
            GameTest::Elsewhere(all) if all.are_cheap() => MATERIAL_COST - 1,
            GameTest::Elsewhere(_) => MATERIAL_COST + 3,
            GameTest::Board(_) => MATERIAL_COST + 4,
            GameTest::Moves(_) => MATERIAL_COST + 5,
            GameTest::Pawns(_) => MATERIAL_COST + 6,
        }
    }

    /// Returns a sort key that puts rare placements first; equal for tests other than placements.
    fn commonness(&self) -> (bool, u32) {
        match self {
            GameTest::Stands(men) => commonness(*men),
            _ => (false, 0),
        }
    }

    /// Whether the test requires pieces to be present.
    fn is_about_men(&self) -> bool {
        matches!(self, GameTest::Stands(_))
    }

    /// Whether the piece counts allow the test to hold.
    fn has_men(&self, counts: &PieceCounts) -> bool {
        match self {
            GameTest::Stands(men) => pieces_of(men.kinds).any(|piece| counts[piece] > 0),
            _ => true,
        }
    }

    fn may_hold(&self, game: ScreenedGame<'_, impl Summary>) -> bool {
        match self {
            GameTest::Never => false,
            GameTest::Happens(kinds) => game.has_any(*kinds),
            GameTest::HasVariations => game.summary.has_variations(),
            GameTest::IsAnnotated => game.summary.has_annotations(),
            GameTest::Plies(plies) => {
                let found = game.summary.plies(game.variations);
                found.is_none_or(|found| found >= *plies)
            }
            GameTest::Tags(condition) => condition.holds(game.summary) != Some(false),
            GameTest::Stands(men) => game.may_have(*men),
            GameTest::Images(images) => {
                let reach = game.reach(images.kinds);
                images.each.iter().any(|image| image.stands(&reach))
            }
            GameTest::Any(alternatives) => alternatives.iter().any(|all| all.may_hold(game)),
            GameTest::Board(condition) => boards::may_hold(condition, &game.reach(ALL_PIECES)),
            GameTest::Elsewhere(conditions) => conditions.may_hold(game),
            GameTest::Moves(chain) => chain.occurs(game.summary, game.variations),
            GameTest::Pawns(conditions) => pawns_stand(conditions, game),
        }
    }
}

/// Whether the pawns may meet all conditions at one time.
fn pawns_stand(conditions: &[PawnCondition], game: ScreenedGame<'_, impl Summary>) -> bool {
    // Pawns are followed from the normal start, so games with a FEN tag are not tested.
    let moves = game.summary.moves().filter(|_| !game.summary.has_fen());
    moves.is_none_or(|moves| {
        visit_pawns(moves, game.variations, |pawns| {
            let pawns = Pawns::from(pawns);
            conditions.iter().all(|condition| condition_holds(condition, pawns))
        })
    })
}

/// Returns a sort key for placements, rare ones first: placements of the normal start are the most
/// common, then those with many possible piece-square pairs.
fn commonness(men: PieceMask) -> (bool, u32) {
    let board = Start::normal(false).position.board;
    let is_at_start = pieces_of(men.kinds).any(|piece| {
        let Piece { color, role } = Piece::ALL[piece];
        board.pieces(color, role).intersects(men.squares)
    });
    let n_placements = men.kinds.count_ones() * men.squares.len();
    (is_at_start, n_placements)
}

/// Iterates over the pieces in a bit set, by [`board::Piece::index`]; the bit for empty squares is
/// ignored.
fn pieces_of(kinds: u16) -> impl Iterator<Item = usize> {
    let mut rest = kinds & ALL_PIECES;
    iter::from_fn(move || {
        let piece = rest.trailing_zeros() as usize;
        // Clear the lowest bit.
        rest &= rest.wrapping_sub(1);
        (piece < 12).then_some(piece)
    })
}

/// Bit for empty squares in a set of pieces.
const EMPTY: u16 = 1 << 12;

/// Bits of all twelve pieces.
const ALL_PIECES: u16 = EMPTY - 1;

/// Reach of pieces about which nothing is known: every square.
const ANYWHERE: Reach = [u64::MAX; 12];

/// Whether one of the pieces may stand on one of the squares at some time.
#[inline]
fn stands(men: PieceMask, reach: &Reach) -> bool {
    pieces_of(men.kinds).any(|piece| SquareSet(reach[piece]).intersects(men.squares))
}

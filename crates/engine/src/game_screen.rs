//! What a whole game must have for a query to match in it, told without replaying the game.
//!
//! A position can only match where what the query asks for is there: a mate, a queen on h7, a rook
//! ending, certain moves in a row. A [`GameScreen`] holds such conditions for the game as a whole,
//! in terms of its [`Summary`]; a game that does not meet them need not be looked at. Like the
//! screens of positions they are collected, in the order of evaluation, only up to the first filter
//! that does something or that may fault ([`collect`]), so that nobody can tell that a game was
//! left out. Nothing is collected under `not`, or of alternatives of which one asks for nothing
//! that a summary tells.
//!
//! All conditions on numbers of men that must hold in one position are tested together, in each
//! state of the material that the game goes through, and so are those on pawns, which are followed
//! along the moves without the other men; everything else by itself.

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
use compiler::program::plan::{BoardCondition, Men, PawnCondition, Sum};
use material::{MaterialSum, Together};
pub use parts::SummaryParts;
pub use steps::ScreenStep;
use tags::TagCondition;

/// What a game must have for a program to match in it; made by [`GameScreen::of`].
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

/// A part of a query that no summary decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unscreened {
    /// Where it stands; none if it is about the query as a whole.
    pub span: Option<Span>,
    /// Why it is not asked of games.
    pub reason: Reason,
}

/// Why something is not asked of games as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// Which squares are attacked is not known without replaying.
    Attacks,
    /// Which men are pinned is not known without replaying.
    Pins,
    /// What stands on lines of squares is not known without replaying.
    Rays,
    /// How pawns stand to each other is not known without replaying.
    PawnStructure,
    /// Which moves there might be is not known without replaying.
    LegalMoves,
    /// A game without something may be one that has it elsewhere.
    Complement,
    /// One of the alternatives asks for nothing that is known.
    Alternatives,
    /// Nearly every game has it.
    Everywhere,
    /// Something is done, or may go wrong, and who does not get there would miss it.
    Effect,
    /// It depends on more than is kept of a game.
    Other,
    /// Something is carried over from game to game.
    Sequential,
    /// Games without a matching position are wanted.
    MatchCount,
}

/// What must be at one position of a game. All must hold.
#[derive(Debug, Clone, Default, PartialEq)]
struct Conditions {
    /// The cheap ones first.
    tests: Vec<GameTest>,
    /// How many of them are cheaper than the material, once everything is there.
    n_cheap: usize,
    /// Sums of numbers of men.
    material: Vec<MaterialSum>,
    /// The kinds of pieces of which they ask where they stand, once everything is there.
    material_squares: u16,
    /// Their comparisons may hold behind the normal start if nothing is promoted, once everything is
    /// there.
    comes_normally: bool,
    /// The same where they are all that is asked of men, once everything is there.
    together: Option<Together>,
}

/// Something that a summary may deny.
#[derive(Debug, Clone, PartialEq)]
enum GameTest {
    /// No game has it.
    Never,
    /// One of these things happens.
    Happens(Kinds),
    /// There is a variation.
    HasVariations,
    /// There is a comment or a glyph.
    IsAnnotated,
    /// There is a line of so many half-moves.
    Plies(u16),
    Tags(TagCondition),
    /// One of the men stands on one of the squares at some time. That a square is empty is not
    /// asked.
    Stands(Men),
    /// All men of one of the images stand at some time.
    Images(Images),
    /// All that is asked for in one of them.
    Any(Box<[Conditions]>),
    /// Men attack or pin each other so.
    Board(Box<BoardCondition>),
    /// Certain moves follow one another.
    Moves(Box<Chain>),
    /// The pawns stand at some time so that all of these hold.
    Pawns(Vec<PawnCondition>),
    /// At some other position.
    Elsewhere(Box<Conditions>),
}

/// What a transform makes of men that stand together.
#[derive(Debug, Clone, PartialEq)]
struct Images {
    /// The kinds of pieces among them.
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

/// Men that stand together.
#[derive(Debug, Clone, PartialEq)]
struct Image {
    /// A piece of one kind that is rare there, and its squares.
    rare: Option<(usize, SquareSet)>,
    /// All men.
    men: Box<[Men]>,
}

impl Image {
    fn new(mut men: Vec<Men>) -> Image {
        men.sort_by_key(|men| commonness(*men));
        let mut rare = men.iter().filter(|men| men.kinds.is_power_of_two());
        let rare = rare.next();
        Image {
            rare: rare.map(|men| (men.kinds.trailing_zeros() as usize, men.squares)),
            men: men.into(),
        }
    }

    /// Whether each of the men may stand so at some time.
    #[inline]
    fn stands(&self, reach: &Reach) -> bool {
        // There may be dozens of images, and most of them are denied by this.
        if let Some((piece, squares)) = self.rare
            && !SquareSet(reach[piece]).intersects(squares)
        {
            return false;
        }
        self.men.iter().all(|&men| stands(men, reach))
    }
}

/// A game that is asked, with or without its variations.
#[derive(Debug)]
struct Game<'a, S> {
    summary: &'a S,
    variations: bool,
}

impl<S> Clone for Game<'_, S> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S> Copy for Game<'_, S> {}

impl<'a, S: Summary> Game<'a, S> {
    fn kinds(self) -> Kinds {
        self.summary.kinds(self.variations)
    }

    /// Where pieces of some kinds stand at any time; the others may stand anywhere.
    #[inline]
    fn reach(self, kinds: u16) -> Reach {
        let mut reach = ANYWHERE;
        for piece in pieces_of(kinds) {
            reach[piece] = self.summary.squares(piece, self.variations).0;
        }
        reach
    }

    /// Whether one of these things happens.
    #[inline]
    fn has_any(self, kinds: Kinds) -> bool {
        self.kinds().0 & kinds.0 != 0
    }

    /// Whether one of the men may stand on one of the squares at some time.
    #[inline]
    fn may_have(self, men: Men) -> bool {
        let squares = |piece| self.summary.squares(piece, self.variations);
        pieces_of(men.kinds).any(|piece| squares(piece).intersects(men.squares))
    }
}

impl GameScreen {
    /// What games must have for a program to match in them. Who writes the games that do not
    /// match ([`QueryWorker::with_complement`](crate::QueryWorker::with_complement)) has no use
    /// for it.
    pub fn of(program: &Program) -> GameScreen {
        collect::screen(program)
    }

    /// False only if the program matches nowhere in the game, does nothing in it, and meets no
    /// fault but that it takes too long. What the summary does not know may be anything.
    pub fn may_match(&self, summary: &impl Summary) -> bool {
        self.conditions.may_hold(self.game(summary))
    }

    /// The same without the structure of pawns, which is not told sooner than by looking at the
    /// positions where those are at hand.
    pub(crate) fn without_pawns(mut self) -> GameScreen {
        self.conditions.leave_out_pawns();
        self
    }

    fn game<'a, S>(&self, summary: &'a S) -> Game<'a, S> {
        Game {
            summary,
            variations: self.variations,
        }
    }

    /// Which of its conditions, in the order of [`GameScreen::words`], is the first that denies
    /// the game, if one does.
    pub fn denied_by(&self, summary: &impl Summary) -> Option<usize> {
        self.conditions.denied_by(self.game(summary))
    }

    /// Whether it lets every game pass.
    pub fn is_open(&self) -> bool {
        self.conditions.is_empty()
    }

    /// What it asks for, a clause for each condition, in the order in which they are asked.
    pub fn words(&self) -> Vec<String> {
        self.conditions.words()
    }

    /// What it looks at: everything else of a summary may be anything.
    pub fn parts(&self) -> SummaryParts {
        self.conditions.parts().of_lines(self.variations)
    }

    /// What it does not ask for, in the order of evaluation.
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
                alternatives
                    .iter_mut()
                    .for_each(Conditions::leave_out_pawns);
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

    /// Puts the cheap tests first, and among those what is rare, and looks up beforehand what is asked
    /// of every game.
    fn finish(&mut self) {
        self.tests
            .sort_by_key(|test| (test.cost(), test.commonness()));
        let is_cheap = |test: &GameTest| test.cost() < MATERIAL_COST;
        self.n_cheap = self.tests.partition_point(is_cheap);
        // Where there are two of them, there is one.
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
        self.together = match self.tests.iter().any(GameTest::is_about_men) {
            true => None,
            false => Together::new(&self.material),
        };
    }

    /// Whether a look at a few numbers tells them.
    fn are_cheap(&self) -> bool {
        self.material.is_empty() && self.n_cheap == self.tests.len()
    }

    /// The tests before those of the material and those behind: the states of the material cost
    /// more than a look at the board, less than other positions.
    fn around_material(&self) -> (&[GameTest], &[GameTest]) {
        self.tests.split_at(self.n_cheap)
    }

    fn may_hold(&self, game: Game<'_, impl Summary>) -> bool {
        let (cheap, dear) = self.around_material();
        cheap.iter().all(|test| test.may_hold(game))
            && self.material_may_hold(game)
            && dear.iter().all(|test| test.may_hold(game))
    }

    fn denied_by(&self, game: Game<'_, impl Summary>) -> Option<usize> {
        let (cheap, dear) = self.around_material();
        let denies = |test: &GameTest| !test.may_hold(game);
        let of_dear = || {
            let before = cheap.len() + usize::from(!self.material.is_empty());
            Some(before + dear.iter().position(denies)?)
        };
        let denied = cheap.iter().position(denies);
        denied.or_else(|| match self.material_may_hold(game) {
            true => of_dear(),
            false => Some(cheap.len()),
        })
    }

    fn material_may_hold(&self, game: Game<'_, impl Summary>) -> bool {
        if self.material.is_empty() {
            return true;
        }
        let Some(start) = game.summary.start() else {
            return true;
        };
        // Without promotions, there is never more of anything than at the start, nor less than
        // what is captured in any line leaves.
        let is_bounded = !game.kinds().contains(Kinds::PROMOTION);
        let comes = !is_bounded
            || match game.summary.has_fen() {
                true => self.material_may_come(&[0; 12], &start),
                false => self.comes_normally,
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

    /// Whether each comparison may hold while there are between so many and so many men of each kind.
    fn material_may_come(&self, fewest: &PieceCounts, most: &PieceCounts) -> bool {
        let mut sums = self.material.iter();
        sums.all(|sum| sum.may_come(fewest, most))
    }
}

/// What [`GameTest::cost`] says of the material, were it a test.
const MATERIAL_COST: u32 = 10;

impl GameTest {
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

    /// How common it is, where that is known.
    fn commonness(&self) -> (bool, u32) {
        match self {
            GameTest::Stands(men) => commonness(*men),
            _ => (false, 0),
        }
    }

    /// Whether it asks for men that must be there.
    fn is_about_men(&self) -> bool {
        matches!(self, GameTest::Stands(_))
    }

    /// Whether there are men enough for it.
    fn has_men(&self, counts: &PieceCounts) -> bool {
        match self {
            GameTest::Stands(men) => pieces_of(men.kinds).any(|piece| counts[piece] > 0),
            _ => true,
        }
    }

    fn may_hold(&self, game: Game<'_, impl Summary>) -> bool {
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

/// Whether the pawns may stand so at some time.
fn pawns_stand(conditions: &[PawnCondition], game: Game<'_, impl Summary>) -> bool {
    // Where they begin is known only where everybody begins so.
    let moves = game.summary.moves().filter(|_| !game.summary.has_fen());
    moves.is_none_or(|moves| {
        visit_pawns(moves, game.variations, |pawns| {
            let pawns = Pawns::from(pawns);
            conditions
                .iter()
                .all(|condition| condition_holds(condition, pawns))
        })
    })
}

/// Men that nearly every game begins with are common, and then those that can stand so in many ways.
fn commonness(men: Men) -> (bool, u32) {
    let board = Start::normal(false).position.board;
    let is_at_start = pieces_of(men.kinds).any(|piece| {
        let Piece { color, role } = Piece::ALL[piece];
        board.pieces(color, role).intersects(men.squares)
    });
    let n_placements = men.kinds.count_ones() * men.squares.len();
    (is_at_start, n_placements)
}

/// The kinds of pieces among kinds of men, by [`board::Piece::index`].
fn pieces_of(kinds: u16) -> impl Iterator<Item = usize> {
    let mut rest = kinds & ALL_PIECES;
    iter::from_fn(move || {
        let piece = rest.trailing_zeros() as usize;
        // Without the lowest bit.
        rest &= rest.wrapping_sub(1);
        (piece < 12).then_some(piece)
    })
}

/// Empty squares, among kinds of men.
const EMPTY: u16 = 1 << 12;

/// All kinds of pieces.
const ALL_PIECES: u16 = EMPTY - 1;

/// What is known of where pieces stand if nothing is.
const ANYWHERE: Reach = [u64::MAX; 12];

/// Whether one of the men may stand on one of the squares at some time.
#[inline]
fn stands(men: Men, reach: &Reach) -> bool {
    pieces_of(men.kinds).any(|piece| SquareSet(reach[piece]).intersects(men.squares))
}

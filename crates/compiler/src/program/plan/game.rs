//! Game screens: conditions that are tested on a summary of a game, before its moves are replayed.
//! The evaluator decides how to test them.

use board::SquareSet;
use pgn::summary::Kinds;
use syntax::Span;
use syntax::library::Theme;

use super::board::BoardCondition;
use super::material::MaterialSum;
use super::pawns::PawnCondition;
use super::screen::PieceMask;
use super::tags::TagCondition;
use crate::facts::ALL_PIECES;

/// Conditions that must all hold at one position of a game.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GameConditions {
    /// Tests other than those on material, cheapest first.
    pub tests: Vec<GameTest>,
    /// Number of tests at the start of `tests` that are cheaper than the material.
    pub n_cheap: usize,
    /// Comparisons of piece counts.
    pub material: Vec<MaterialSum>,
}

/// A condition that a summary may disprove.
#[derive(Debug, Clone, PartialEq)]
pub enum GameTest {
    /// A fact about the game.
    Fact(GameFact),
    /// At least one of these alternatives holds.
    Any(Box<[GameConditions]>),
    /// These moves occur in succession.
    Moves(MoveChain),
    /// The conditions hold at some other position of the game.
    Elsewhere(Box<GameConditions>),
}

/// A condition that is tested as it stands.
#[derive(Debug, Clone, PartialEq)]
pub enum GameFact {
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
    /// The game shows a theme.
    Theme(Theme),
    /// One of the pieces stands on one of the squares at some time. Empty squares are not tested.
    Stands(PieceMask),
    /// For at least one image of a transform, each piece stands on one of its squares at some time.
    Images(Images),
    /// Pieces attack or pin each other in this way.
    Board(Box<BoardCondition>),
    /// The pawns meet all of these conditions at one time.
    Pawns(Vec<PawnCondition>),
    /// Kings and pawns stand twice on the same squares.
    Recurs(Recurrence),
}

/// Two positions of a game with some pieces on the same squares.
#[derive(Debug, Clone, PartialEq)]
pub struct Recurrence {
    /// The pieces, as bits by [`Piece::index`](board::Piece::index): kings and pawns.
    pub pieces: u16,
    /// Least number of half-moves between the two positions.
    pub distance: usize,
    /// Comparisons of piece counts at the later one.
    pub material: Vec<MaterialSum>,
}

/// All images of a set of placed pieces under a transform.
#[derive(Debug, Clone, PartialEq)]
pub struct Images {
    /// Bit set of the pieces that occur in the images.
    pub kinds: u16,
    /// The images.
    pub each: Box<[Image]>,
}

impl Images {
    pub(crate) fn new(each: impl Iterator<Item = Image>) -> Images {
        let each: Box<[Image]> = each.collect();
        let men = each.iter().flat_map(|image| &image.men);
        let kinds = men.fold(0, |kinds, men| kinds | men.kinds & ALL_PIECES);
        Images { kinds, each }
    }
}

/// One image: pieces that stand in the same position.
#[derive(Debug, Clone, PartialEq)]
pub struct Image {
    /// The piece least often found on its squares, and these squares; tested first.
    pub rare: Option<(usize, SquareSet)>,
    /// All pieces, rarest first.
    pub men: Box<[PieceMask]>,
}

impl Image {
    /// Creates an image of pieces in the order in which they are tested.
    pub(crate) fn new(men: Vec<PieceMask>) -> Image {
        let mut rare = men.iter().filter(|men| men.kinds.is_power_of_two());
        let rare = rare.next();
        Image {
            rare: rare.map(|men| (men.kinds.trailing_zeros() as usize, men.squares)),
            men: men.into(),
        }
    }
}

/// Moves that must follow one another: an automaton whose states are the moves that may come next,
/// one bit each.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MoveChain {
    /// The moves, by their bit.
    pub moves: Vec<ChainMove>,
    /// Moves that a match may begin with.
    pub first: u64,
    /// Moves that a match may end with.
    pub last: u64,
    /// Whether other moves may come in between.
    pub has_gaps: bool,
}

/// A move of a [`MoveChain`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainMove {
    /// Whether it is a capture.
    pub capture: bool,
    /// Bit set of the pieces that may make the move.
    pub movers: u16,
    /// Squares that the move may leave.
    pub from: SquareSet,
    /// Squares that the move may go to; for a capture, those of the captured piece.
    pub to: SquareSet,
    /// Roles to which a pawn must promote, if it must: bit 0 is the pawn, bit 5 the king.
    pub promotion: Option<u8>,
    /// Moves that may follow.
    pub next: u64,
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

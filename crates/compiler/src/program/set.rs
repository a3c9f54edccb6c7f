//! Filters with a set of squares as their value.

use board::{Color, Piece, SquareSet};
use syntax::Span;
use syntax::builtin::{Drawn, PawnStructure, SetSource, SetToSet, SetsToSet};
use syntax::tree::{EngineQuestion, Range, VariableId};

use super::flow::Flow;
use super::id::{BoolId, NumId, PosId, SetId, TextId};
use super::moves::{LegalDash, MoveFilter};
use super::plan::{MoveEnd, SquareCondition};

/// A set of squares of the position, or a computed one. Never fails; may be empty.
#[derive(Debug, Clone)]
pub enum SetFilter {
    /// A constant.
    Constant(SquareSet),
    /// A designator with several piece types: bit 0–5 white pawn … king, 6–11 black, 12 empty.
    Pieces {
        /// Mask of the piece types and of empty squares.
        kinds: u16,
        /// Squares that the designator covers.
        squares: SquareSet,
    },
    /// A designator with a single piece, the commonest case.
    Piece(Piece, SquareSet),
    /// A designator `A…` or `a…`.
    Color(Color, SquareSet),
    /// The value of a variable; an evaluation error if it has none.
    Variable(VariableId, Span),
    /// The square of the piece that a variable holds.
    PieceVariable(VariableId, Span),
    /// `|`
    Union(SetId, SetId),
    /// `&`
    Intersect(SetId, SetId),
    /// `~`
    Complement(SetId),
    /// The squares of the first set from which the second is attacked.
    Attacks(SetId, SetId),
    /// The squares of the second set that the first attacks.
    AttackedBy(SetId, SetId),
    /// `ray` and its like.
    Ray(Box<Ray>),
    /// A word followed by a set.
    OfSet(SetToSet, SetId),
    /// A word followed by two sets.
    OfSets(SetsToSet, SetId, SetId),
    /// `pin`
    Pin(Box<Pin>),
    /// An end of the best move.
    Engine(EngineQuestion, Span),
    /// `up`, `left` and similar words: directions, number of steps, start squares.
    Direction(Vec<(i8, i8)>, Range, SetId, Span),
    /// `makesquare` of file and rank.
    MakeSquare(NumId, NumId),
    /// `makesquare` of a text.
    MakeSquareFromText(TextId),
    /// The square where the move starts.
    From {
        /// Whether the filter is in the scope of a dash (contextual castling).
        scoped: bool,
    },
    /// The square where the move ends.
    To {
        /// Whether the filter is in the scope of a dash (contextual castling).
        scoped: bool,
    },
    /// Pawns of a structure.
    PawnStructure(PawnStructure),
    /// A word without operands.
    Source(SetSource),
    /// Squares that the file marks, or where its arrows begin or end.
    Drawn(Drawn),
    /// `square x in S F`, `piece x in S F`
    Loop(SquareLoop),
    /// Union of the images.
    Orbit(Box<[SetId]>),
    /// Squares with the same content in two positions.
    SameContent(PosId, PosId),
    /// Squares of moves that could be played.
    Legal(Box<LegalDash>),
    /// Squares of moves of the game.
    Move(Box<MoveFilter>),
    /// Blocks and their like.
    Flow(Flow<SetId>),
}

/// `square x in S F`, `piece x in S F`.
#[derive(Debug, Clone)]
pub struct SquareLoop {
    /// Variable that holds the square or the piece.
    pub variable: VariableId,
    /// Whether the variable holds a piece, which it follows.
    pub piece: bool,
    /// Squares or pieces that the loop goes through.
    pub domain: SetId,
    /// Condition that must match.
    pub body: BoolId,
    /// The body as a condition on all squares at once, if it is one.
    pub condition: Option<Box<SquareCondition>>,
    /// A condition without which the body fails and leaves nothing behind; only if `condition` is
    /// `None`.
    pub least: Option<Box<SquareCondition>>,
    /// End of the next moves at which the square must be: for all other squares the body fails
    /// unnoticed.
    pub by_move: Option<MoveEnd>,
    /// Span for messages.
    pub span: Span,
}

/// `ray`, `xray`, chains of arrows.
pub type Ray = syntax::tree::Ray<SetId>;

/// `pin`.
pub type Pin = syntax::tree::Pin<SetId>;

//! Filters with a set of squares as their value.

use board::{Color, Piece, SquareSet};
use syntax::Span;
use syntax::builtin::{Drawn, PawnStructure, SetSource, SetsToSet};
use syntax::tree::{EngineQuestion, Range, VariableId};

use super::flow::Flow;
use super::id::{BoolId, NumId, PosId, SetId, TextId};
use super::moves::{LegalDash, MoveFilter};
use super::plan::{MoveEnd, SquareCondition};

/// Squares of the position, or computed ones. Never fails; may be empty.
#[derive(Debug, Clone)]
pub enum SetFilter {
    /// The same everywhere.
    Constant(SquareSet),
    /// A designator with several kinds: bit 0–5 white pawn … king, 6–11 black, 12 empty.
    Pieces {
        /// Which men, and empty squares.
        kinds: u16,
        /// Where they stand.
        squares: SquareSet,
    },
    /// A designator with one kind of piece, the commonest case.
    Piece(Piece, SquareSet),
    /// A designator `A…` or `a…`.
    Color(Color, SquareSet),
    /// The value of a variable; a fault where it has none.
    Variable(VariableId, Span),
    /// The square of the man that a variable holds.
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
    /// A word with two sets behind it.
    OfSets(SetsToSet, SetId, SetId),
    /// `pin`
    Pin(Box<Pin>),
    /// An end of the best move.
    Engine(EngineQuestion, Span),
    /// `up`, `left` and their like: directions, how far, from where.
    Direction(Vec<(i8, i8)>, Range, SetId, Span),
    /// `makesquare` of file and rank.
    MakeSquare(NumId, NumId),
    /// `makesquare` of a text.
    MakeSquareFromText(TextId),
    /// Where the move starts.
    From {
        /// In the scope of a dash (contextual castling).
        scoped: bool,
    },
    /// Where the move ends.
    To {
        /// In the scope of a dash (contextual castling).
        scoped: bool,
    },
    /// Pawns of a structure.
    PawnStructure(PawnStructure),
    /// A word without operands.
    Source(SetSource),
    /// What the file draws on the board.
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
    /// Holds the square or the man.
    pub variable: VariableId,
    /// It holds a man, whom it follows.
    pub piece: bool,
    /// What it goes through.
    pub domain: SetId,
    /// What must match.
    pub body: BoolId,
    /// The body as a condition on all squares at once, if it is one.
    pub condition: Option<Box<SquareCondition>>,
    /// If there is none: a condition without which the body fails and leaves nothing behind.
    pub least: Option<Box<SquareCondition>>,
    /// The body fails, unnoticed, for all squares but these of the moves that follow.
    pub by_move: Option<MoveEnd>,
    /// For messages.
    pub span: Span,
}

/// `ray`, `xray`, chains of arrows.
pub type Ray = syntax::tree::Ray<SetId>;

/// `pin`.
pub type Pin = syntax::tree::Pin<SetId>;

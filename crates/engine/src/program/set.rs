//! Filters with a set of squares as their value.

use board::{Color, Piece, SquareSet};
use syntax::Span;
use syntax::builtin::{Drawn, PawnStructure, SetSource, SetsToSet};
use syntax::tree::{Range, VariableId};

use super::flow::Flow;
use super::id::{BoolId, NumId, PosId, SetId, TextId};
use super::moves::{LegalDash, MoveFilter};
use super::plan::{MoveEnd, SquareCondition};

/// Squares of the position, or computed ones. Never fails; may be empty.
#[derive(Debug, Clone)]
pub(crate) enum SetFilter {
    Constant(SquareSet),
    /// A designator with several kinds: bit 0–5 white pawn … king, 6–11 black, 12 empty.
    Pieces {
        kinds: u16,
        squares: SquareSet,
    },
    /// A designator with one kind of piece, the commonest case.
    Piece(Piece, SquareSet),
    /// A designator `A…` or `a…`.
    Color(Color, SquareSet),
    Variable(VariableId, Span),
    PieceVariable(VariableId, Span),
    Union(SetId, SetId),
    Intersect(SetId, SetId),
    Complement(SetId),
    Attacks(SetId, SetId),
    AttackedBy(SetId, SetId),
    Ray(Box<Ray>),
    OfSets(SetsToSet, SetId, SetId),
    Pin(Box<Pin>),
    Direction(Vec<(i8, i8)>, Range, SetId, Span),
    MakeSquare(NumId, NumId),
    MakeSquareFromText(TextId),
    From {
        /// In the scope of a dash (contextual castling).
        scoped: bool,
    },
    To {
        scoped: bool,
    },
    PawnStructure(PawnStructure),
    Source(SetSource),
    /// What the file draws on the board.
    Drawn(Drawn),
    Loop(SquareLoop),
    /// Union of the images.
    Orbit(Box<[SetId]>),
    SameContent(PosId, PosId),
    Legal(Box<LegalDash>),
    Move(Box<MoveFilter>),
    Flow(Flow<SetId>),
}

/// `square x in S F`, `piece x in S F`.
#[derive(Debug, Clone)]
pub(crate) struct SquareLoop {
    pub(crate) variable: VariableId,
    pub(crate) piece: bool,
    pub(crate) domain: SetId,
    pub(crate) body: BoolId,
    /// The body as a condition on all squares at once, if it is one.
    pub(crate) condition: Option<Box<SquareCondition>>,
    /// The body fails, unnoticed, for all squares but these of the moves that follow.
    pub(crate) by_move: Option<MoveEnd>,
    pub(crate) span: Span,
}

/// `ray`, `xray`, chains of arrows.
pub(crate) type Ray = syntax::tree::Ray<SetId>;

/// `pin`.
pub(crate) type Pin = syntax::tree::Pin<SetId>;

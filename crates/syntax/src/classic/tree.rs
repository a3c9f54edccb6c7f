//! The tree of a classic query.

use crate::builtin::{Predicate, Turn};
pub use crate::cql5::tree::Range;
use crate::designator::PieceSet;
use crate::span::Span;
use crate::token::GameResult;

/// `(match … )`
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// `:pgn FILE`
    pub pgn: Option<(String, Span)>,
    /// `:output FILE`
    pub output: Option<(String, Span)>,
    /// `:year RANGE`
    pub year: Option<Range>,
    /// `:result RESULT`
    pub result: Option<GameResult>,
    /// `:gamenumber RANGE`
    pub game_number: Option<Range>,
    /// `:player NAME`, as written.
    pub player: Option<Vec<u8>>,
    /// `:forany NAME DESIGNATOR`, by [`TagId`]; at most two.
    pub tags: Vec<Tag>,
    /// `(position … )`, each of which must match somewhere in the game.
    pub lists: Vec<List>,
}

/// A tag, as an index into [`Query::tags`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TagId(pub u8);

/// A piece to look for, declared by `:forany`.
#[derive(Debug, Clone)]
pub struct Tag {
    /// The name without `$`.
    pub name: String,
    /// The types that the piece may have.
    pub kinds: PieceSet,
    /// Span of the name.
    pub span: Span,
}

/// A piece designator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Designator {
    /// The pieces.
    pub men: Men,
    /// The squares, with bit 0 for a1; all 64 if none are written.
    pub squares: u64,
    /// Span of the designator.
    pub span: Span,
}

/// The piece part of a designator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Men {
    /// Any of these pieces; may include the empty square.
    Kinds(PieceSet),
    /// The piece of a tag.
    Tag(TagId),
}

/// `(position … )`. The meaning does not depend on the order of the items, so each kind of item has
/// a field.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// The whole list.
    pub span: Span,
    /// Designators at the top level, all of which must match.
    pub designators: Vec<Designator>,
    /// Conditions on the next move, all for the same move.
    pub next_move: NextMove,
    /// All other conditions.
    pub conditions: Vec<Condition>,
    /// `:sequence`, `:gappedsequence`
    pub sequence: Option<Sequence>,
    /// `:relation`
    pub relation: Option<Relation>,
    /// The transforms, each once.
    pub transforms: Vec<Transform>,
    /// `:not`
    pub negated: bool,
    /// `:variations`
    pub variations: bool,
    /// `:variationsonly`
    pub variations_only: bool,
    /// `:markall`
    pub mark_all: bool,
    /// `:noannotate`
    pub no_annotate: bool,
    /// `:matchcount`
    pub match_count: Option<Range>,
    /// `:pretransformmatchcount`
    pub transform_match_count: Option<Range>,
    /// `:accumulate NAME`
    pub counters: Vec<String>,
    /// `:sumrange NAME RANGE`
    pub sums: Vec<(String, Range, Span)>,
    /// Spans of [`List::conditions`].
    pub spans: Vec<Span>,
    /// Spans of all items that are conditions, in the order of the text.
    pub parts: Vec<Span>,
}

/// Conditions of `:movefrom`, `:moveto`, `:promote`, `:enpassant` and `:noenpassant`.
#[derive(Debug, Clone, Default)]
pub struct NextMove {
    /// `:movefrom`: the piece that moves.
    pub from: Vec<Designator>,
    /// `:moveto`: the content of the destination before the move.
    pub to: Vec<Designator>,
    /// `:promote`: the piece on the destination after the move.
    pub promote: Vec<Designator>,
    /// `:enpassant`
    pub en_passant: bool,
    /// `:noenpassant`
    pub no_en_passant: bool,
}

impl NextMove {
    /// Whether there is no condition on the move.
    pub fn is_empty(&self) -> bool {
        let NextMove { from, to, promote, en_passant, no_en_passant } = self;
        from.is_empty() && to.is_empty() && promote.is_empty() && !en_passant && !no_en_passant
    }
}

/// A condition of a position.
#[derive(Debug, Clone)]
pub enum Condition {
    /// `:mate`, `:stalemate`, `:check`, `:initial`, `:terminal`
    Predicate(Predicate),
    /// `:wtm`, `:btm`
    Turn(Turn),
    /// `:nocheck`
    NoCheck,
    /// `:movenumber R`
    MoveNumber(Range),
    /// `:piececount D R`
    PieceCount(Designator, Range),
    /// `:attackcount D E R`
    AttackCount(Designator, Designator, Range),
    /// `:power D R`
    Power(Designator, Range),
    /// `:powerdifference D R`
    PowerDifference(Designator, Range),
    /// `:ray (D D …) R`
    Ray(Ray),
    /// `:elo R`: either player.
    Elo(Range),
    /// `:whiteelo R`
    WhiteElo(Range),
    /// `:blackelo R`
    BlackElo(Range),
    /// `:result X`
    Result(GameResult),
    /// `:and (L …)`
    And(Vec<List>),
    /// `:or (L …)`
    Or(Vec<List>),
    /// `:tagmatch T D`
    TagMatch(TagId, Designator),
}

/// `:ray` and its relatives.
#[derive(Debug, Clone)]
pub struct Ray {
    /// The directions of the ray.
    pub kind: RayKind,
    /// The pieces that the ray meets, two or more.
    pub designators: Vec<Designator>,
    /// Number of such rays; at least one if `None`.
    pub range: Option<Range>,
}

/// The directions of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RayKind {
    /// `:ray`
    Any,
    /// `:rayattack`: directions in which the first piece moves.
    Attack,
    /// `:rayorthogonal`
    Orthogonal,
    /// `:raydiagonal`
    Diagonal,
    /// `:rayhorizontal`
    Horizontal,
    /// `:rayvertical`
    Vertical,
}

/// `:sequence`, `:gappedsequence`
#[derive(Debug, Clone)]
pub struct Sequence {
    /// Whether any number of positions may precede each element.
    pub gapped: bool,
    /// Lists that the positions must match, in order; not empty.
    pub elements: Vec<List>,
}

/// `:relation ( … )`: required similarity of a later position to the current one.
#[derive(Debug, Clone, Default)]
pub struct Relation {
    /// Whether only squares that match a top-level designator are compared.
    pub pattern: bool,
    /// Whether the later position may be shifted.
    pub shift: bool,
    /// Whether the later position may be flipped.
    pub flip: bool,
    /// `:variations`: whether the later position may be in a variation.
    pub variations: bool,
    /// `:variationsonly`: whether the later position must be in a variation.
    pub variations_only: bool,
    /// The side to move in the later position.
    pub side: SideToMove,
    /// `:originaldifferentcount`
    pub different: Option<Range>,
    /// `:originalsamecount`
    pub same: Option<Range>,
    /// `:missingpiececount`
    pub missing: Option<(Designator, Range)>,
    /// `:newpiececount`
    pub new: Option<(Designator, Range)>,
    /// The keyword with its list.
    pub span: Span,
}

/// Side to move in the later position of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SideToMove {
    /// The same side as in the current position.
    #[default]
    Same,
    /// The other side.
    Other,
    /// Either side.
    Any,
}

/// A transform: a set of maps of the board that includes the identity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transform {
    /// `:flip`, `:flipdihedral`
    Flip,
    /// `:fliphorizontal`: exchanges ranks 1 and 8.
    FlipHorizontal,
    /// `:flipvertical`: exchanges files a and h.
    FlipVertical,
    /// `:flipdiagonal`: about the diagonal a1–h8.
    FlipDiagonal,
    /// `:flipoffdiagonal`: about the diagonal a8–h1.
    FlipOffDiagonal,
    /// `:flipcolor`
    FlipColor,
    /// `:shift`
    Shift,
    /// `:shifthorizontal`
    ShiftHorizontal,
    /// `:shiftvertical`
    ShiftVertical,
    /// `:shiftdiagonal`: along both diagonals.
    ShiftDiagonal,
    /// `:shiftmaindiagonal`: along a1–h8.
    ShiftMainDiagonal,
    /// `:shiftoffdiagonal`: along a8–h1.
    ShiftOffDiagonal,
}

impl List {
    /// Whether the list, a list in it or a relation uses variations.
    pub fn mentions_variations(&self) -> bool {
        let relation = self.relation.as_ref();
        self.variations
            || self.variations_only
            || relation.is_some_and(|r| r.variations || r.variations_only)
            || self.children().any(List::mentions_variations)
    }

    /// Returns the lists directly in this one: those of `:and` and `:or`, and the elements of its
    /// sequence.
    pub fn children(&self) -> impl Iterator<Item = &List> {
        let of_conditions = self.conditions.iter().flat_map(|condition| match condition {
            Condition::And(lists) | Condition::Or(lists) => lists.as_slice(),
            _ => &[],
        });
        of_conditions.chain(self.sequence.iter().flat_map(|s| &s.elements))
    }

    /// Returns all designators of this list, without those of the lists in it.
    pub fn designators(&self) -> impl Iterator<Item = &Designator> {
        let NextMove { from, to, promote, .. } = &self.next_move;
        let of_conditions = self.conditions.iter().flat_map(|condition| {
            let (pair, ray): ([Option<&Designator>; 2], &[Designator]) = match condition {
                Condition::PieceCount(d, _)
                | Condition::Power(d, _)
                | Condition::PowerDifference(d, _)
                | Condition::TagMatch(_, d) => ([Some(d), None], &[]),
                Condition::AttackCount(d, e, _) => ([Some(d), Some(e)], &[]),
                Condition::Ray(ray) => ([None, None], &ray.designators),
                _ => ([None, None], &[]),
            };
            pair.into_iter().flatten().chain(ray)
        });
        let relation = self.relation.iter();
        let of_relation = relation.flat_map(|r| [&r.missing, &r.new].into_iter().flatten());
        self.designators
            .iter()
            .chain(from)
            .chain(to)
            .chain(promote)
            .chain(of_conditions)
            .chain(of_relation.map(|(designator, _)| designator))
    }
}

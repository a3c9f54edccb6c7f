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

/// The name of a man who is looked for: index into [`Query::tags`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TagId(pub u8);

/// `:forany`
#[derive(Debug, Clone)]
pub struct Tag {
    /// Without `$`.
    pub name: String,
    /// What kind of man it is at some time in the game.
    pub kinds: PieceSet,
    /// Where the name stands.
    pub span: Span,
}

/// A piece designator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Designator {
    /// Who.
    pub men: Men,
    /// On which squares, bit 0 = a1; all where none are written.
    pub squares: u64,
    /// Where it stands in the text.
    pub span: Span,
}

/// The piece part of a designator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Men {
    /// Any of these kinds, the empty square among them.
    Kinds(PieceSet),
    /// One certain man.
    Tag(TagId),
}

/// `(position … )`. What is written does not depend on the order of the items, so each kind of
/// item has a place of its own.
#[derive(Debug, Clone, Default)]
pub struct List {
    /// The whole list.
    pub span: Span,
    /// Designators at the top level: each must be met.
    pub designators: Vec<Designator>,
    /// Conditions of one and the same next move.
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
}

/// What `:movefrom`, `:moveto`, `:promote`, `:enpassant` and `:noenpassant` say.
#[derive(Debug, Clone, Default)]
pub struct NextMove {
    /// `:movefrom`: the man who moves.
    pub from: Vec<Designator>,
    /// `:moveto`: what is on the destination before the move.
    pub to: Vec<Designator>,
    /// `:promote`: the man who is there after the move.
    pub promote: Vec<Designator>,
    /// `:enpassant`
    pub en_passant: bool,
    /// `:noenpassant`
    pub no_en_passant: bool,
}

impl NextMove {
    /// Whether anything is said about a move.
    pub fn is_empty(&self) -> bool {
        let NextMove {
            from,
            to,
            promote,
            en_passant,
            no_en_passant,
        } = self;
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
    /// In which directions.
    pub kind: RayKind,
    /// The men it meets, two or more.
    pub designators: Vec<Designator>,
    /// How many; at least one where nothing is said.
    pub range: Option<Range>,
}

/// The directions of rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RayKind {
    /// `:ray`
    Any,
    /// `:rayattack`: those in which the first man moves.
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
    /// Any number of positions may stand before each element.
    pub gapped: bool,
    /// What the positions must match, in order; not empty.
    pub elements: Vec<List>,
}

/// `:relation ( … )`: how a later position must resemble the one at hand.
#[derive(Debug, Clone, Default)]
pub struct Relation {
    /// Only squares that match a top-level designator are compared.
    pub pattern: bool,
    /// The later position may be shifted.
    pub shift: bool,
    /// The later position may be flipped.
    pub flip: bool,
    /// `:variations`: the later position may stand in a variation.
    pub variations: bool,
    /// `:variationsonly`: it must.
    pub variations_only: bool,
    /// Who is to move there.
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

/// Who is to move in the later position of a relation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SideToMove {
    /// The same side.
    #[default]
    Same,
    /// The other side.
    Other,
    /// Either.
    Any,
}

/// A transform word: a set of maps of the board, the identity among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Transform {
    /// `:flip`, `:flipdihedral`
    Flip,
    /// `:fliphorizontal`: ranks 1 and 8 exchanged.
    FlipHorizontal,
    /// `:flipvertical`: files a and h exchanged.
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
    /// Whether the list, a list in it or a relation looks at variations.
    pub fn mentions_variations(&self) -> bool {
        let relation = self.relation.as_ref();
        self.variations
            || self.variations_only
            || relation.is_some_and(|r| r.variations || r.variations_only)
            || self.children().any(List::mentions_variations)
    }

    /// The lists directly in this one: those of `:and` and `:or`, and of its sequence.
    pub fn children(&self) -> impl Iterator<Item = &List> {
        let of_conditions = self
            .conditions
            .iter()
            .flat_map(|condition| match condition {
                Condition::And(lists) | Condition::Or(lists) => lists.as_slice(),
                _ => &[],
            });
        of_conditions.chain(self.sequence.iter().flat_map(|s| &s.elements))
    }

    /// All designators of this list, but not of the lists in it.
    pub fn designators(&self) -> impl Iterator<Item = &Designator> {
        let NextMove {
            from, to, promote, ..
        } = &self.next_move;
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

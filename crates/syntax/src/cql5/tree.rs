//! The tree of a CQL 5 query.
//!
//! The tree is untyped, except for two questions that the grammar asks: whether the value of a
//! filter is a set of squares ([`Filter::is_set`]), and whether a filter can be counted
//! ([`Filter::is_countable`]). Names are resolved; everything else is as written, except that
//! braces around a single filter are not kept.

use crate::builtin::Nullary;
use crate::designator::PieceSet;
use crate::span::Span;
use crate::token::GameResult;
use crate::tree::{
    Color, DirectionName, Measure, SortId, TransformFamily, VariableId, VariableKind,
};

/// A whole query.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// The parameters of `cql( … )`.
    pub header: Header,
    /// The filters; a position matches if all of them do.
    pub filters: Vec<Filter>,
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// The fields of `sort`, in order of first appearance, by [`SortId`].
    pub sorts: Vec<SortField>,
    /// Number of sequences and relations; each has an index.
    pub n_trackers: u32,
}

/// The parameters of `cql( … )`.
#[derive(Debug, Clone, Default)]
pub struct Header {
    /// `input FILE`, `pgn FILE`.
    pub input: Option<(String, Span)>,
    /// `output FILE`.
    pub output: Option<(String, Span)>,
    /// `variations`.
    pub variations: bool,
    /// `silent`: whether only comments that the query requests are written.
    pub silent: bool,
    /// `gamenumber RANGE`.
    pub game_number: Option<Range>,
    /// `matchcount RANGE`.
    pub match_count: Option<Range>,
    /// `sort matchcount RANGE`.
    pub sort_match_count: bool,
    /// `result`, `player`, `elo`, `year`, `site` and `event`: filters on the whole game.
    pub game: Vec<Filter>,
}

/// A range of numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// The least number.
    pub min: i32,
    /// The greatest number.
    pub max: i32,
}

/// A square or piece variable, or the hidden variable of an `origin`.
#[derive(Debug, Clone)]
pub struct Variable {
    /// The name with its `$`.
    pub name: String,
    /// [`VariableKind::Set`] or [`VariableKind::Piece`].
    pub kind: VariableKind,
}

/// A field by which games are sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortField {
    /// The name as written, or `CQL ID-n`.
    pub name: Vec<u8>,
    /// `min`: whether the least value comes first.
    pub ascending: bool,
}

/// A filter with its span.
#[derive(Debug, Clone)]
pub struct Filter {
    /// Kind of the filter.
    pub kind: FilterKind,
    /// Span of the filter.
    pub span: Span,
}

/// A boxed filter.
pub type Child = Box<Filter>;

/// Every filter of CQL 5.2.
#[derive(Debug, Clone)]
pub enum FilterKind {
    /// A piece designator: squares with one of the pieces that are also in every variable.
    Designator {
        /// The pieces; [`PieceSet::ANYTHING`] if none were written.
        pieces: PieceSet,
        /// The squares; all 64 if none were written.
        squares: u64,
        /// The variables after the squares.
        variables: Vec<VariableId>,
    },
    /// `.`, `any`
    All,
    /// `lightsquares`, `darksquares`
    SquareColor {
        /// `lightsquares`
        light: bool,
    },
    /// A word with the same meaning in CQL 6; `beginvariation` becomes `secondary`.
    Nullary(Nullary),
    /// `{ F F … }`, two or more.
    Block(Vec<Filter>),
    /// `F or G or …`
    Or(Vec<Filter>),
    /// `F on G on …`
    On(Vec<Filter>),
    /// `not F`
    Not(Child),
    /// `attack [r] (A B)`; counts pairs if there is a range.
    Attack {
        /// Required number of pairs.
        range: Option<Range>,
        /// Attackers.
        from: Child,
        /// Attacked squares.
        to: Child,
    },
    /// `between (A B)`
    Between(Child, Child),
    /// `ray [r] … (A B …)`
    Ray {
        /// Required number of pairs of a first square and a direction.
        range: Option<Range>,
        /// Whether the first square must hold a line piece that moves in the direction.
        attack: bool,
        /// The (file, rank) steps.
        steps: Vec<(i8, i8)>,
        /// The operands, two or more.
        operands: Vec<Filter>,
    },
    /// `up [r] S` or another direction
    Direction {
        /// The direction.
        direction: DirectionName,
        /// Number of steps.
        range: Range,
        /// The squares to start from.
        operand: Child,
    },
    /// `countsquares r S`
    CountSquares(Range, Child),
    /// `power r S`
    Power(Range, Child),
    /// `powerdifference r (S T)`
    PowerDifference(Range, Child, Child),
    /// `movenumber r`
    MoveNumber(Range),
    /// `year r`
    Year(Range),
    /// `elo [color] r`
    Elo(Option<Color>, Range),
    /// `player [color] "s"`
    Player(Option<Color>, Vec<u8>),
    /// `site "s"`
    Site(Vec<u8>),
    /// `event "s"`
    Event(Vec<u8>),
    /// `result r`
    Result(GameResult),
    /// `hascomment "s"`
    HasComment(Vec<u8>),
    /// `square …`, `piece …`
    Loop(SquareLoop),
    /// `origin $x`: the hidden variable that stores the square.
    Origin(VariableId),
    /// `move …`
    Move(Box<MoveFilter>),
    /// `flip [r] F` or another transform
    Transform {
        /// The kind of transform.
        family: TransformFamily,
        /// Required number of matching images.
        range: Option<Range>,
        /// The filter to transform.
        body: Child,
    },
    /// `next ( … )`, `previous ( … )`
    Sequence(Box<Sequence>),
    /// `next* F`, `previous* F`
    Search(Search),
    /// `relation …`
    Relation(Box<Relation>),
    /// `sort …`
    Sort {
        /// The field.
        field: SortId,
        /// The filter whose number is stored in the field.
        body: Child,
    },
    /// `comment "s"`
    Comment(Vec<u8>),
    /// `comment S`
    CommentSet(Child),
}

/// `square $x in S F…`, `piece $x in S F…`.
#[derive(Debug, Clone)]
pub struct SquareLoop {
    /// The variable.
    pub variable: VariableId,
    /// `piece`
    pub piece: bool,
    /// `square all`
    pub all: bool,
    /// Required number of matches.
    pub range: Option<Range>,
    /// The squares to iterate over; `None` only in `square all`, for all squares.
    pub domain: Option<Child>,
    /// The filters that must match; may be empty only in `square all`.
    pub body: Vec<Filter>,
    /// The hidden variable that stores the square of the piece when it is bound, if `origin` uses
    /// it.
    pub origin: Option<VariableId>,
}

/// `move …`.
#[derive(Debug, Clone, Default)]
pub struct MoveFilter {
    /// Whether the move is the one that led to the position rather than a following one.
    pub previous: bool,
    /// `from S`
    pub from: Option<Child>,
    /// `to S`
    pub to: Option<Child>,
    /// `promote P`, where colors matter.
    pub promote: Option<PieceSet>,
    /// `enpassant`
    pub en_passant: bool,
    /// `enpassantsquare S`
    pub en_passant_square: Option<Child>,
    /// `null`
    pub null: bool,
    /// `primary`
    pub primary: bool,
    /// `secondary`
    pub secondary: bool,
}

/// `next ( … )`, `next2 ( … )`, `previous ( … )`, `previous2 ( … )`.
#[derive(Debug, Clone)]
pub struct Sequence {
    /// Index among the filters with state.
    pub index: u32,
    /// `next`
    pub forward: bool,
    /// `next2`, `previous2`
    pub single_color: bool,
    /// Required number of positions.
    pub range: Option<Range>,
    /// `nestban`
    pub nestban: bool,
    /// `silent`
    pub silent: bool,
    /// The constituents that must match the positions, at least one.
    pub constituents: Vec<Constituent>,
}

/// A part of a sequence.
pub type Constituent = crate::tree::LineConstituent<Filter>;

/// A filter or a group of a sequence.
pub type Item = crate::tree::LineItem<Filter>;

/// `next* …`, `previous* …`.
#[derive(Debug, Clone)]
pub struct Search {
    /// `next*`
    pub forward: bool,
    /// Required number of matching positions.
    pub range: Option<Range>,
    /// Maximum number of moves from here.
    pub depth: Option<u32>,
    /// `silent`
    pub silent: bool,
    /// The filter that must match.
    pub body: Child,
}

/// `relation F… P…`.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Index among the filters with state.
    pub index: u32,
    /// `silent`
    pub silent: bool,
    /// The filters that the target must match.
    pub filters: Vec<Filter>,
    /// The parameters, at least one.
    pub parameters: Vec<Parameter>,
}

/// A parameter of `relation`.
#[derive(Debug, Clone)]
pub enum Parameter {
    /// `(sourcesquares S targetsquares T match r mismatch r)`
    Squares(Box<SquareParameter>),
    /// `(tomove match)`: `true`, `(tomove mismatch)`: `false`
    SameTurn(bool),
    /// `(ancestor)`
    Ancestor,
    /// `(descendant)`
    Descendant,
    /// `([sort …] lcamax r)` or another distance
    Distance {
        /// The measured distance.
        measure: Measure,
        /// The required value.
        range: Range,
        /// The sort field that stores the distance.
        sort: Option<SortId>,
        /// Span of the parameter.
        span: Span,
    },
}

/// A comparison of the squares of two positions.
#[derive(Debug, Clone)]
pub struct SquareParameter {
    /// The echo transforms, such as `echoflip`, outermost first.
    pub echoes: Vec<TransformFamily>,
    /// `sourcesquares S`
    pub source: Option<Filter>,
    /// `targetsquares S`
    pub target: Option<Filter>,
    /// `match r`
    pub matches: Range,
    /// `mismatch r`
    pub mismatches: Range,
    /// Span of the parameter, including its transforms.
    pub span: Span,
}

impl Filter {
    /// Whether the value is a set of squares.
    pub fn is_set(&self) -> bool {
        use FilterKind as K;
        match &self.kind {
            K::Designator { .. }
            | K::All
            | K::SquareColor { .. }
            | K::On(_)
            | K::Between(..)
            | K::Direction { .. }
            | K::Origin(_)
            | K::Move(_) => true,
            K::Attack { range, .. } | K::Ray { range, .. } => range.is_none(),
            K::Loop(square_loop) => square_loop.range.is_none() && !square_loop.all,
            K::Or(items) => items.iter().all(Filter::is_set),
            K::Not(operand) => operand.is_set(),
            K::Transform { range, body, .. } => range.is_none() && body.is_set(),
            _ => false,
        }
    }

    /// Whether the filter has a number that `sort` can use.
    pub fn is_countable(&self) -> bool {
        use FilterKind as K;
        match &self.kind {
            K::CountSquares(..)
            | K::Power(..)
            | K::PowerDifference(..)
            | K::MoveNumber(_)
            | K::Year(_)
            | K::Elo(..)
            | K::Sequence(_) => true,
            K::Attack { range, .. } | K::Ray { range, .. } | K::Transform { range, .. } => {
                range.is_some()
            }
            K::Loop(square_loop) => square_loop.range.is_some(),
            K::Search(search) => search.range.is_some(),
            _ => false,
        }
    }

    /// Visits the filters directly below this one, in the order of the text.
    pub fn for_each_child<'a>(&'a self, visit: &mut dyn FnMut(&'a Filter)) {
        use FilterKind as K;
        match &self.kind {
            K::Designator { .. }
            | K::All
            | K::SquareColor { .. }
            | K::Nullary(_)
            | K::MoveNumber(_)
            | K::Year(_)
            | K::Elo(..)
            | K::Player(..)
            | K::Site(_)
            | K::Event(_)
            | K::Result(_)
            | K::HasComment(_)
            | K::Origin(_)
            | K::Comment(_) => {}
            K::Block(items) | K::Or(items) | K::On(items) | K::Ray { operands: items, .. } => {
                items.iter().for_each(visit)
            }
            K::Not(a)
            | K::Direction { operand: a, .. }
            | K::CountSquares(_, a)
            | K::Power(_, a)
            | K::Transform { body: a, .. }
            | K::Search(Search { body: a, .. })
            | K::Sort { body: a, .. }
            | K::CommentSet(a) => visit(a),
            K::Attack { from: a, to: b, .. } | K::Between(a, b) | K::PowerDifference(_, a, b) => {
                visit(a);
                visit(b);
            }
            K::Loop(square_loop) => {
                square_loop.domain.iter().for_each(|f| visit(f));
                square_loop.body.iter().for_each(visit);
            }
            K::Move(filter) => [&filter.from, &filter.to, &filter.en_passant_square]
                .into_iter()
                .flatten()
                .for_each(|f| visit(f)),
            K::Sequence(sequence) => sequence.constituents.iter().for_each(|c| c.for_each(visit)),
            K::Relation(relation) => {
                relation.filters.iter().for_each(&mut *visit);
                for parameter in &relation.parameters {
                    if let Parameter::Squares(squares) = parameter {
                        let sets = [&squares.source, &squares.target];
                        sets.into_iter().flatten().for_each(&mut *visit);
                    }
                }
            }
        }
    }
}

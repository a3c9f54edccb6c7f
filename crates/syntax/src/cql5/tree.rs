//! The tree of a CQL 5 query.
//!
//! It is untyped but for two questions that the grammar asks: whether a filter has a set of
//! squares as its value ([`Filter::is_set`]) and whether it counts something
//! ([`Filter::is_countable`]). Names are resolved; everything else is as written, except that
//! braces around one filter leave no trace.

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
    /// What `cql( … )` says.
    pub header: Header,
    /// The filters, all of which must match.
    pub filters: Vec<Filter>,
    /// All variables, by [`VariableId`].
    pub variables: Vec<Variable>,
    /// The fields of `sort`, in order of first appearance, by [`SortId`].
    pub sorts: Vec<SortField>,
    /// Number of sequences and relations, each of which has an index of its own.
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
    /// `silent`: no comments but those that the query asks for.
    pub silent: bool,
    /// `gamenumber RANGE`.
    pub game_number: Option<Range>,
    /// `matchcount RANGE`.
    pub match_count: Option<Range>,
    /// `sort matchcount RANGE`.
    pub sort_match_count: bool,
    /// `result`, `player`, `elo`, `year`, `site` and `event`: filters that hold for the game.
    pub game: Vec<Filter>,
}

/// A range of numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    /// Least.
    pub min: i32,
    /// Greatest.
    pub max: i32,
}

/// A square or piece variable, or the hidden variable of an `origin`.
#[derive(Debug, Clone)]
pub struct Variable {
    /// With its `$`.
    pub name: String,
    /// [`VariableKind::Set`] or [`VariableKind::Piece`].
    pub kind: VariableKind,
}

/// A field by which games are sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SortField {
    /// As written, or `CQL ID-n`.
    pub name: Vec<u8>,
    /// `min`.
    pub ascending: bool,
}

/// A filter and where it stands.
#[derive(Debug, Clone)]
pub struct Filter {
    /// What it is.
    pub kind: FilterKind,
    /// Where it stands.
    pub span: Span,
}

/// A boxed filter.
pub type Child = Box<Filter>;

/// Every filter of CQL 5.2.
#[derive(Debug, Clone)]
pub enum FilterKind {
    /// A piece designator: squares with one of the pieces that are also in every variable.
    Designator {
        /// [`PieceSet::ANYTHING`] where none was written.
        pieces: PieceSet,
        /// All 64 where none was written.
        squares: u64,
        /// The suffixes.
        variables: Vec<VariableId>,
    },
    /// `.`, `any`
    All,
    /// `lightsquares`, `darksquares`
    SquareColor {
        /// `lightsquares`
        light: bool,
    },
    /// A word that CQL 6 has with the same meaning; `beginvariation` is `secondary`.
    Nullary(Nullary),
    /// `{ F F … }`, two or more.
    Block(Vec<Filter>),
    /// `F or G or …`
    Or(Vec<Filter>),
    /// `F on G on …`
    On(Vec<Filter>),
    /// `not F`
    Not(Child),
    /// `attack [r] (A B)`; with a range it counts pairs.
    Attack {
        /// Number of pairs.
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
        /// Number of pairs of a first square and a direction.
        range: Option<Range>,
        /// The first square holds a line piece that moves that way.
        attack: bool,
        /// The (file, rank) steps.
        steps: Vec<(i8, i8)>,
        /// At least two.
        operands: Vec<Filter>,
    },
    /// `up [r] S` and its like
    Direction {
        /// Where to.
        direction: DirectionName,
        /// How many steps.
        range: Range,
        /// From where.
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
    /// `origin $x`: the hidden variable that keeps it.
    Origin(VariableId),
    /// `move …`
    Move(Box<MoveFilter>),
    /// `flip [r] F` and its like
    Transform {
        /// Which.
        family: TransformFamily,
        /// How many of the images match.
        range: Option<Range>,
        /// What is transformed.
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
        /// What it is filled with.
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
    /// How many.
    pub range: Option<Range>,
    /// What is iterated over; absent only in `square all`: all squares.
    pub domain: Option<Child>,
    /// What must match; may be empty only in `square all`.
    pub body: Vec<Filter>,
    /// The hidden variable that keeps the square of the man at binding, if it is asked for.
    pub origin: Option<VariableId>,
}

/// `move …`.
#[derive(Debug, Clone, Default)]
pub struct MoveFilter {
    /// The move that led here rather than those that follow.
    pub previous: bool,
    /// `from S`
    pub from: Option<Child>,
    /// `to S`
    pub to: Option<Child>,
    /// `promote P`; colors count.
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
    /// Index among the filters that keep state.
    pub index: u32,
    /// `next`
    pub forward: bool,
    /// `next2`, `previous2`
    pub single_color: bool,
    /// How many positions.
    pub range: Option<Range>,
    /// `nestban`
    pub nestban: bool,
    /// `silent`
    pub silent: bool,
    /// What must match the positions, at least one.
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
    /// How many positions must match.
    pub range: Option<Range>,
    /// Greatest number of moves from here.
    pub depth: Option<u32>,
    /// `silent`
    pub silent: bool,
    /// What must match.
    pub body: Child,
}

/// `relation F… P…`.
#[derive(Debug, Clone)]
pub struct Relation {
    /// Index among the filters that keep state.
    pub index: u32,
    /// `silent`
    pub silent: bool,
    /// What must match the target.
    pub filters: Vec<Filter>,
    /// At least one.
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
    /// `([sort …] lcamax r)` and its like
    Distance {
        /// What is measured.
        measure: Measure,
        /// How much.
        range: Range,
        /// The field that it is put into.
        sort: Option<SortId>,
        /// Where the parameter stands.
        span: Span,
    },
}

/// A comparison of the squares of two positions.
#[derive(Debug, Clone)]
pub struct SquareParameter {
    /// `echoflip` and its like, outermost first.
    pub echoes: Vec<TransformFamily>,
    /// `sourcesquares S`
    pub source: Option<Filter>,
    /// `targetsquares S`
    pub target: Option<Filter>,
    /// `match r`
    pub matches: Range,
    /// `mismatch r`
    pub mismatches: Range,
    /// Where the parameter stands, with its transforms.
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

    /// Whether it has a number that `sort` can use.
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
            K::Block(items)
            | K::Or(items)
            | K::On(items)
            | K::Ray {
                operands: items, ..
            } => items.iter().for_each(visit),
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

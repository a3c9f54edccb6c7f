//! Lowers trees to programs.
//!
//! Lowering applies transforms (the argument of a transform is lowered once for every member of its
//! family, and equal images are kept once), decides what a filter means as a condition or as a
//! value, and resolves what depends on the location in the text: whether `from` and `to` are in the
//! scope of a dash, whether `pathcount` is inside a path.

mod boolean;
pub(crate) mod classic;
pub(crate) mod cql5;
mod kinds;
mod moves;
mod orbit;
mod value;

use syntax::tree::{
    self, Dictionary, Filter, FilterKind, Query, SortVariable, Type, Variable, VariableKind,
};
use syntax::{Diagnostic, Span};

use crate::certain::Misuses;
use crate::limits::Limits;
use crate::program::*;
use crate::transform::{Atom, TransformStep};

/// Result of lowering.
pub(crate) struct Lowered {
    pub(crate) parts: LoweredParts,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Purpose of lowering a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To make the program.
    Program,
    /// To find errors only: each filter of the query is dropped when the next one comes, so that a
    /// large query does not fill the memory with a program that is never run.
    Check,
}

/// A program before settings are added.
pub(crate) struct LoweredParts {
    pub(crate) arenas: Arenas,
    pub(crate) root: BoolId,
    /// The expressions of the query that are evaluated where it matches.
    pub(crate) values: Vec<Value>,
    pub(crate) variables: Vec<Variable>,
    pub(crate) dictionaries: Vec<Dictionary>,
    /// The sort variables of the query, and those that filters add.
    pub(crate) sorts: Vec<SortVariable>,
    pub(crate) n_sort_filters: u32,
    pub(crate) n_paths: u32,
    pub(crate) n_trackers: u32,
    pub(crate) uses_files: bool,
    pub(crate) shared: Option<Span>,
    pub(crate) sorted: Option<Span>,
    pub(crate) saves_positions: bool,
    /// The file that `similarposition` needs.
    pub(crate) similar_file: Option<(Vec<u8>, Span)>,
    /// Misuses found in dropped filters, see [`Purpose::Check`].
    pub(crate) checked: Option<Misuses>,
}

/// The arenas of a program under construction.
#[derive(Debug, Default)]
pub(crate) struct Arenas {
    pub(crate) bools: Vec<BoolFilter>,
    pub(crate) sets: Vec<SetFilter>,
    pub(crate) nums: Vec<NumFilter>,
    pub(crate) texts: Vec<TextFilter>,
    pub(crate) positions: Vec<PosFilter>,
    pub(crate) dashes: Vec<Dash>,
    pub(crate) paths: Vec<Path>,
    pub(crate) places: Places,
    /// Number of filters that were dropped.
    n_gone: usize,
}

impl Arenas {
    /// Number of filters, dropped ones included.
    fn n_filters(&self) -> usize {
        let conditions = self.bools.len() + self.sets.len() + self.nums.len();
        let values = self.texts.len() + self.positions.len() + self.dashes.len();
        self.n_gone + conditions + values
    }

    /// Drops the filters, to make room for the next one of a query that is only checked.
    fn clear(&mut self) {
        self.n_gone = self.n_filters();
        self.bools.clear();
        self.sets.clear();
        self.nums.clear();
        self.texts.clear();
        self.positions.clear();
        self.dashes.clear();
        self.paths.clear();
        self.places.bools.clear();
        self.places.texts.clear();
    }

    fn new_bool(&mut self, filter: BoolFilter, place: Span) -> BoolId {
        self.bools.push(filter);
        self.places.bools.push(place);
        BoolId((self.bools.len() - 1) as u32)
    }

    fn new_text(&mut self, filter: TextFilter, place: Span) -> TextId {
        self.texts.push(filter);
        self.places.texts.push(place);
        TextId((self.texts.len() - 1) as u32)
    }
}

/// Lowers a query whose parse had no errors, wrapped in `transforms` (the first is outermost).
pub(crate) fn lower(
    query: &Query,
    transforms: &[tree::TransformFamily],
    limits: &Limits,
    purpose: Purpose,
) -> Lowered {
    if let ([filter], [_, ..]) = (&query.filters[..], transforms)
        && matches!(filter.kind, FilterKind::Transform(_))
    {
        // transforms that are nested directly are one
        let whole = transforms.iter().rev().fold(filter.clone(), |body, &family| Filter {
            ty: body.ty,
            span: body.span,
            kind: FilterKind::Transform(tree::Transform {
                family,
                range: None,
                body: Box::new(body),
            }),
        });
        return lower_with(query, &[], limits, |lowerer| lowerer.condition(&whole));
    }
    lower_with(query, transforms, limits, |lowerer| {
        let first = query.filters.first().map_or(Span::default(), |f| f.span);
        lowerer.standing_at(first, |l| match purpose {
            // Images are compared with each other as a whole.
            Purpose::Check if transforms.is_empty() => l.checked_conjunction(&query.filters),
            _ => l.conjunction(&query.filters),
        })
    })
}

/// Lowers a tree of any dialect: `body` makes its root, `query` knows the variables and sort
/// variables.
fn lower_with(
    query: &Query,
    transforms: &[tree::TransformFamily],
    limits: &Limits,
    mut body: impl FnMut(&mut Lowerer<'_>) -> BoolId,
) -> Lowered {
    let mut lowerer = Lowerer {
        query,
        limits,
        arenas: Arenas::default(),
        steps: Vec::new(),
        makings: Some(vec![Vec::new()]),
        n_passes: 1,
        is_image: false,
        atoms: Vec::new(),
        n_images: 0,
        here: Span::default(),
        transformed: Span::default(),
        discard: false,
        scoped: false,
        inside_path: false,
        under_sort: false,
        piece_squares: Vec::new(),
        n_sort_filters: 0,
        n_paths: query.n_paths,
        n_trackers: query.n_trackers,
        sorts: query.sorts.clone(),
        saves_positions: false,
        similar_file: None,
        checked: None,
        diagnostics: Vec::new(),
    };
    let root =
        if transforms.is_empty() { body(&mut lowerer) } else { lowerer.wrapped(transforms, body) };
    // no transform of the command line applies to the values: they are evaluated on the game as it
    // is
    let values = query.values.iter().map(|f| lowerer.value(f)).collect();
    if let Some(checked) = &mut lowerer.checked {
        checked.note_possible(&lowerer.arenas);
    }
    Lowered {
        parts: LoweredParts {
            arenas: lowerer.arenas,
            root,
            values,
            variables: query.variables.clone(),
            dictionaries: query.dictionaries.clone(),
            sorts: lowerer.sorts,
            n_sort_filters: lowerer.n_sort_filters,
            n_paths: lowerer.n_paths,
            n_trackers: lowerer.n_trackers,
            uses_files: query.uses_files,
            shared: query.shared,
            sorted: query.sorted,
            saves_positions: lowerer.saves_positions,
            similar_file: lowerer.similar_file,
            checked: lowerer.checked,
        },
        diagnostics: lowerer.diagnostics,
    }
}

struct Lowerer<'q> {
    query: &'q Query,
    limits: &'q Limits,
    arenas: Arenas,
    saves_positions: bool,
    /// The transforms that apply here, innermost first.
    steps: Vec<TransformStep>,
    /// The transforms of every image of this filter that is made, see [`Lowerer::shared`]; `None`
    /// if images keep arguments of their own.
    makings: Option<Vec<Vec<TransformStep>>>,
    /// Number of times that the images of the next transform are made.
    n_passes: usize,
    /// Whether the lowered filter is in an image of a transform.
    is_image: bool,
    /// Atoms by which the current image of an orbit is compared.
    atoms: Vec<Atom>,
    /// Number of images that have been made.
    n_images: u64,
    /// Span of the lowered filter.
    here: Span,
    /// Span of the argument of the last transform.
    transformed: Span,
    /// Whether the current image has lost all squares of a designator.
    discard: bool,
    /// Whether the filter is in the scope of a dash: `from` and `to` respect its operands.
    scoped: bool,
    /// Whether the filter is lexically inside a path.
    inside_path: bool,
    /// Whether the filter is below a `sort`.
    under_sort: bool,
    /// Piece variables of the enclosing loops that hold a square instead.
    piece_squares: Vec<tree::VariableId>,
    n_sort_filters: u32,
    /// Number of paths of the query, and of images that remember positions of their own.
    n_paths: u32,
    /// Number of lines and other filters that keep state, in the query and its images.
    n_trackers: u32,
    sorts: Vec<SortVariable>,
    similar_file: Option<(Vec<u8>, Span)>,
    checked: Option<Misuses>,
    diagnostics: Vec<Diagnostic>,
}

macro_rules! allocate {
    ($($function:ident $arena:ident $filter:ident $id:ident,)*) => {
        $(fn $function(&mut self, filter: $filter) -> $id {
            self.arenas.$arena.push(filter);
            $id((self.arenas.$arena.len() - 1) as u32)
        })*
    };
}

impl Lowerer<'_> {
    allocate! {
        new_set sets SetFilter SetId,
        new_num nums NumFilter NumId,
        new_pos positions PosFilter PosId,
        new_dash dashes Dash DashId,
        new_path paths Path PathId,
    }

    fn new_bool(&mut self, filter: BoolFilter) -> BoolId {
        self.arenas.new_bool(filter, self.here)
    }

    fn new_text(&mut self, filter: TextFilter) -> TextId {
        self.arenas.new_text(filter, self.here)
    }

    /// Runs `body`, which lowers the filter at `span`.
    fn standing_at<R>(&mut self, span: Span, body: impl FnOnce(&mut Self) -> R) -> R {
        let saved = std::mem::replace(&mut self.here, span);
        let result = body(self);
        self.here = saved;
        result
    }

    /// Lowers the filters of a query and keeps only the errors in them.
    fn checked_conjunction(&mut self, filters: &[Filter]) -> BoolId {
        let mut found = Misuses::default();
        for filter in filters {
            let condition = self.condition(filter);
            found.note(&self.arenas, condition);
            self.arenas.clear();
        }
        self.checked = Some(found);
        self.new_bool(BoolFilter::Constant(true))
    }

    /// Makes one condition of all `items`, in order.
    fn all(&mut self, mut items: Vec<BoolId>) -> BoolId {
        match items.len() {
            1 => items.remove(0),
            _ => self.new_bool(BoolFilter::All(items.into())),
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.report(Diagnostic::error(code, span, message));
    }

    /// Reports a filter that the parser should not have accepted in its place.
    fn misplaced(&mut self, span: Span) {
        self.error("E0990", span, "this filter is not implemented yet");
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        // an orbit lowers the same text many times
        let known = |d: &Diagnostic| d.code == diagnostic.code && d.span == diagnostic.span;
        if !self.diagnostics.iter().any(known) && self.diagnostics.len() < 100 {
            self.diagnostics.push(diagnostic);
        }
    }

    /// Runs `body` outside of the scope of any dash, because the current position may change in it.
    fn unscoped<R>(&mut self, body: impl FnOnce(&mut Self) -> R) -> R {
        self.with_scope(false, body)
    }

    fn with_scope<R>(&mut self, scoped: bool, body: impl FnOnce(&mut Self) -> R) -> R {
        let saved = std::mem::replace(&mut self.scoped, scoped);
        let result = body(self);
        self.scoped = saved;
        result
    }

    fn kind_of(&self, variable: tree::VariableId) -> VariableKind {
        self.query.variables[variable.0 as usize].kind
    }

    /// Lowers the filter for its value, whatever its type; a Boolean becomes a condition.
    fn value(&mut self, filter: &Filter) -> Value {
        match filter.ty {
            Type::Boolean => Value::Bool(self.condition(filter)),
            Type::Set => Value::Set(self.set(filter)),
            Type::Numeric => Value::Num(self.number(filter)),
            Type::String => Value::Text(self.text(filter)),
            Type::Position => Value::Pos(self.position(filter)),
        }
    }

    /// Lowers the items of `comment`, `message`, `str`.
    fn items(&mut self, filters: &[Filter]) -> Box<[PrintItem]> {
        filters
            .iter()
            .map(|filter| match &filter.kind {
                FilterKind::Text(text) => PrintItem::Literal(text.as_slice().into()),
                FilterKind::Variable(id) => PrintItem::Variable(*id),
                FilterKind::Dictionary(id) => PrintItem::Dictionary(*id),
                _ => match self.value(filter) {
                    Value::Bool(id) => PrintItem::Bool(id),
                    Value::Set(id) => PrintItem::Set(id),
                    Value::Num(id) => PrintItem::Num(id),
                    Value::Text(id) => PrintItem::Text(id),
                    Value::Pos(id) => PrintItem::Pos(id),
                },
            })
            .collect()
    }

    fn call_arguments(
        &mut self,
        arguments: &[(tree::VariableId, Filter)],
    ) -> Box<[(tree::VariableId, Value)]> {
        arguments.iter().map(|(id, filter)| (*id, self.value(filter))).collect()
    }

    fn square_loop(&mut self, square_loop: &tree::SquareLoop, span: Span) -> SquareLoop {
        // if the position stays the same, so does the square of a piece, and its identity, which is
        // costly to follow, does not matter
        let variable = square_loop.variable;
        let by_square = square_loop.piece && stays_here(&square_loop.body, variable);
        if by_square {
            self.piece_squares.push(variable);
        }
        // images are compared body first
        let body = self.condition(&square_loop.body);
        let mut domain = self.set(&square_loop.domain);
        if by_square {
            self.piece_squares.pop();
            const OCCUPIED: u16 = 0x0fff;
            let occupied =
                self.new_set(SetFilter::Pieces { kinds: OCCUPIED, squares: board::SquareSet::ALL });
            domain = self.new_set(SetFilter::Intersect(domain, occupied));
        }
        SquareLoop {
            variable,
            piece: square_loop.piece && !by_square,
            domain,
            body,
            condition: None,
            least: None,
            by_move: None,
            span,
        }
    }

    fn slice(&mut self, slice: &tree::Slice) -> Slice {
        match slice {
            tree::Slice::Index(i) => Slice::Index(self.number(i)),
            tree::Slice::Range(i, j) => {
                Slice::Range(i.as_ref().map(|i| self.number(i)), j.as_ref().map(|j| self.number(j)))
            }
        }
    }

    fn swaps_colors(&self) -> bool {
        self.steps.iter().filter(|s| s.swaps_colors()).count() % 2 == 1
    }

    /// The color that `color` stands for under the current transforms.
    fn color(&self, color: tree::Color) -> board::Color {
        let white = (color == tree::Color::White) != self.swaps_colors();
        if white { board::Color::White } else { board::Color::Black }
    }
}

/// Whether `filter` uses the piece variable only as the square of the piece at the current
/// position, and never changes that position.
fn stays_here(filter: &Filter, variable: tree::VariableId) -> bool {
    use FilterKind as K;
    let moves_on = match &filter.kind {
        K::At(..)
        | K::Imagine(_)
        | K::Find(_)
        | K::Echo(_)
        | K::Dash(_)
        | K::CurrentMove(_)
        | K::CountMoves(_)
        | K::Tried(_)
        | K::Move(_)
        | K::Path(_)
        | K::Line(_)
        | K::Call { .. } => true,
        K::PieceIdOf(id) | K::AssignPiece(id, _) | K::Unbind(id) | K::IsBound(Some(id)) => {
            *id == variable
        }
        // prints the piece itself
        K::Comment(items) | K::Str(items) | K::Message { items, .. } => {
            items.iter().any(|item| matches!(item.kind, K::Variable(id) if id == variable))
        }
        K::SquareLoop(inner) => inner.variable == variable,
        _ => false,
    };
    let mut stays = !moves_on;
    if stays {
        filter.for_each_child(&mut |child| stays = stays && stays_here(child, variable));
    }
    stays
}

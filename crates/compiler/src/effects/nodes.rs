//! The effects of each kind of node.

use syntax::builtin::PositionSource;
use syntax::tree::{Award, MoveMode, VariableId};

use super::{Analysis, Effects, Flags};
use crate::automaton::{Automaton, PatternNode};
use crate::program::*;

/// Combines the effects of the arguments, each a node or a list of nodes.
macro_rules! all {
    ($self:ident; $($part:expr),* $(,)?) => {{
        let mut effects = Effects::default();
        $(effects.add(&$self.of($part));)*
        effects
    }};
}

/// Effects of asking an external program, which takes long: it is done where the query says so and
/// nowhere else.
const ASKS: Flags = Flags::STATE.with(Flags::FAULTS);

/// An id of any arena.
trait HasEffects {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects;
}

impl HasEffects for Pattern {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        match self {
            Pattern::Fixed(_) => Effects::default(),
            Pattern::Computed(text, _) => with(analysis.text(*text), Flags::FAULTS),
        }
    }
}

macro_rules! parts {
    ($($id:ident $function:ident,)*) => {
        $(impl HasEffects for $id {
            fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
                analysis.$function(*self)
            }
        })*
    };
}

parts! {
    BoolId bool,
    SetId set,
    NumId num,
    TextId text,
    PosId pos,
    DashId dash,
    PathId path,
}

impl<T: HasEffects> HasEffects for Option<T> {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        self.as_ref().map_or_else(Effects::default, |part| part.effects(analysis))
    }
}

impl<T: HasEffects> HasEffects for &[T] {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        let mut effects = Effects::default();
        for part in *self {
            effects.add(&part.effects(analysis));
        }
        effects
    }
}

impl<T: HasEffects> HasEffects for Box<[T]> {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        (&**self).effects(analysis)
    }
}

impl HasEffects for Value {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        analysis.value(*self)
    }
}

impl HasEffects for Range {
    fn effects(&self, _: &mut Analysis<'_>) -> Effects {
        let mut effects = Effects::default();
        for bound in [self.min, self.max] {
            if let Bound::Variable { id, .. } = bound {
                effects.reads(id);
                effects.flag(Flags::UNBOUND);
            }
        }
        effects
    }
}

impl HasEffects for Slice {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        match *self {
            Slice::Index(i) => analysis.num(i),
            Slice::Range(i, j) => all!(analysis; &i, &j),
        }
    }
}

impl HasEffects for PrintItem {
    fn effects(&self, analysis: &mut Analysis<'_>) -> Effects {
        // the text of a position in a variation leaves its id there
        let naming = analysis.commenting();
        match self {
            PrintItem::Literal(_) => Effects::default(),
            PrintItem::Bool(id) => analysis.bool(*id),
            PrintItem::Set(id) => analysis.set(*id),
            PrintItem::Num(id) => analysis.num(*id),
            PrintItem::Text(id) => analysis.text(*id),
            PrintItem::Pos(id) => with(analysis.pos(*id), naming),
            PrintItem::Variable(id) => with(variable(*id), naming),
            PrintItem::Dictionary(_) => flagged(naming | Flags::STATE),
        }
    }
}

/// Whether a range of steps is constant and possible on the board.
fn is_on_the_board(range: &Range) -> bool {
    match (range.min, range.max) {
        (Bound::Constant(min), Bound::Constant(max)) => -7 <= min && min <= max && max <= 7,
        _ => false,
    }
}

fn flagged(flags: Flags) -> Effects {
    Effects { flags, ..Effects::default() }
}

fn with(mut effects: Effects, flags: Flags) -> Effects {
    effects.flag(flags);
    effects
}

fn variable(id: VariableId) -> Effects {
    let mut effects = Effects::default();
    effects.reads(id);
    effects
}

fn writing(mut effects: Effects, id: VariableId) -> Effects {
    effects.writes(id);
    effects
}

/// Effects of a variable that must be bound.
fn required(id: VariableId) -> Effects {
    with(variable(id), Flags::UNBOUND)
}

impl Analysis<'_> {
    /// The effects of a filter of any type.
    pub(crate) fn value(&mut self, value: Value) -> Effects {
        match value {
            Value::Bool(id) => self.bool(id),
            Value::Set(id) => self.set(id),
            Value::Num(id) => self.num(id),
            Value::Text(id) => self.text(id),
            Value::Pos(id) => self.pos(id),
        }
    }

    fn of(&mut self, part: &dyn HasEffects) -> Effects {
        part.effects(self)
    }

    pub(super) fn bool_filter(&mut self, filter: &BoolFilter) -> Effects {
        use BoolFilter as B;
        match filter {
            B::Constant(_)
            | B::Result(_)
            | B::GameTextContains(..)
            | B::Hhdb(_)
            | B::Patterns(_)
            | B::Turn(_)
            | B::Fen(_)
            | B::HasNag(_)
            | B::Predicate(_) => Effects::default(),
            B::Misuse(..) => flagged(Flags::FAULTS),
            B::NonEmpty(a) | B::CompareCount(_, a, _) => self.set(*a),
            B::HasNumber(a) => self.num(*a),
            B::HasText(a) | B::Never(a) => self.text(*a),
            B::HasPosition(a) => self.pos(*a),
            B::All(items) | B::Any(items) | B::Orbit(items) => self.of(items),
            B::Not(a) => self.bool(*a),
            B::If(a, b, c) => all!(self; a, b, c),
            B::At(a, b) => all!(self; a, b),
            B::Theme(_, body) => self.bool(*body),
            B::Call(arguments, body) => {
                let body = self.bool(*body);
                self.call(arguments, body)
            }
            B::While(a, b) => with(all!(self; a, b), Flags::FAULTS),
            B::WhileMatch(a, pattern, b) => {
                let flags = self.matching() | Flags::FAULTS;
                with(all!(self; a, pattern, b), flags)
            }
            B::Loop(a) | B::Assert(a, _) => with(self.bool(*a), Flags::FAULTS),
            B::ForAll(square_loop) => self.square_loop(square_loop),
            B::DictionaryLoop(variable, _, body, _) => {
                let mut effects = self.bool(*body);
                effects.binds(*variable);
                with(effects, Flags::STATE | Flags::FAULTS)
            }
            B::Tried(tried) => self.tried(tried),
            B::Imagine(imagine, body) => {
                let mut effects = self.imagine(imagine);
                effects.add(&self.bool(*body));
                effects
            }
            B::CompareNumbers(_, a, b) | B::NumbersDiffer(a, b) => all!(self; a, b),
            B::CompareTexts(_, a, b) | B::TextsDiffer(a, b) | B::Substring(a, b) => {
                all!(self; a, b)
            }
            B::SetsEqual(a, b) | B::SetsDiffer(a, b) | B::Subset(a, b) => all!(self; a, b),
            B::Same(a, b) => all!(self; a, b),
            B::IsAncestor(a, b) => all!(self; a, b),
            B::HhdbAward(award) => Self::award(award),
            B::Assign(id, a) => writing(self.of(a), *id),
            B::AssignNonEmpty(id, a) | B::AssignPiece(id, a) => writing(self.set(*a), *id),
            B::Update(id, update, _) => {
                let mut effects = match update {
                    Update::Arithmetic(_, a) => self.num(*a),
                    Update::Append(a) => self.text(*a),
                    Update::Union(a) | Update::Intersect(a) => self.set(*a),
                };
                effects.add(&required(*id));
                writing(effects, *id)
            }
            B::AssignSlice(id, slice, a, _) => {
                let mut effects = all!(self; slice, a);
                effects.add(&required(*id));
                writing(effects, *id)
            }
            B::Unbind(id) => writing(Effects::default(), *id),
            B::UnbindDictionary(_) => flagged(Flags::ACTS),
            B::UnbindEntry(_, a) => with(self.of(a), Flags::ACTS),
            B::IsBound(id) => variable(*id),
            B::AssignEntry(_, a, b) => with(all!(self; a, b), Flags::ACTS),
            B::HasEntry(_, a) => with(self.of(a), Flags::STATE),
            B::Comment(items) => {
                // a comment matches whatever its items are
                let flags = self.commenting();
                with(self.of(items).without(Flags::PROGRESS), flags)
            }
            B::Message { items, .. } => with(self.of(items), Flags::ACTS),
            B::RemoveComment => flagged(Flags::ACTS),
            B::RemoveTag(_) => flagged(Flags::ACTS),
            B::SetTag(_, a) => with(self.text(*a), Flags::ACTS),
            B::WriteFile(a, b, _) => with(all!(self; a, b), Flags::ACTS | Flags::FAULTS),
            B::ConsumeDash(a) | B::CurrentMove(a) => self.dash(*a),
            B::Move(filter) => self.move_filter(filter),
            B::Path(path) => self.path(*path),
            B::Line(line) => self.line_filter(line),
            B::Find(find) => self.find(find),
            B::Echo(echo) => self.echo(echo),
            B::SimilarPosition(_) => flagged(Flags::ACTS),
            B::Relation(relation) => self.relation(relation),
            B::LaterPosition(later) => with(self.of(&later.squares), Flags::FAULTS),
            B::WholeGame(whole_game) => {
                let mut effects = Effects::default();
                for somewhere in &whole_game.conditions {
                    effects.add(&self.bool(somewhere.condition));
                    if let Some(counted) = &somewhere.images {
                        effects.add(&self.of(&counted.images));
                    }
                }
                for man in &whole_game.men {
                    effects.binds(man.variable);
                }
                with(effects, Flags::ACTS | Flags::STATE | Flags::FAULTS)
            }
        }
    }

    pub(super) fn set_filter(&mut self, filter: &SetFilter) -> Effects {
        use SetFilter as S;
        match filter {
            S::Constant(_)
            | S::Pieces { .. }
            | S::Piece(..)
            | S::Color(..)
            | S::PawnStructure(_)
            | S::Drawn(_)
            | S::Source(_) => Effects::default(),
            S::Variable(id, _) | S::PieceVariable(id, _) => required(*id),
            S::OfSets(_, a, b)
            | S::Union(a, b)
            | S::Intersect(a, b)
            | S::Attacks(a, b)
            | S::AttackedBy(a, b) => all!(self; a, b),
            S::OfSet(_, a) | S::Complement(a) => self.set(*a),
            S::Ray(ray) => self.of(&ray.operands.as_slice()),
            S::Engine(..) => flagged(ASKS),
            S::Pin(pin) => all!(self; &pin.from, &pin.through, &pin.to),
            S::Direction(_, range, a, _) => {
                let faults = Flags::FAULTS.when(!is_on_the_board(range));
                with(all!(self; range, a), faults)
            }
            S::MakeSquare(a, b) => all!(self; a, b),
            S::MakeSquareFromText(a) => self.text(*a),
            S::From { scoped } | S::To { scoped } => flagged(Flags::SCOPED.when(*scoped)),
            S::Loop(square_loop) => self.square_loop(square_loop),
            S::Orbit(images) => self.of(images),
            S::SameContent(a, b) => all!(self; a, b),
            S::Legal(dash) => self.legal(dash),
            S::Move(filter) => self.move_filter(filter),
            S::Flow(flow) => self.flow(flow),
        }
    }

    pub(super) fn num_filter(&mut self, filter: &NumFilter) -> Effects {
        use NumFilter as N;
        match filter {
            N::Constant(_) | N::Elo(_) | N::HhdbEgDiagram | N::Likeness(_) | N::Source(_) => {
                Effects::default()
            }
            N::OfNumber(_, a) => self.num(*a),
            N::OfTexts(_, a, b) => all!(self; a, b),
            N::OfPositions(_, a, b) => all!(self; a, b),
            N::Variable(id, _) | N::PieceIdOf(id, _) => required(*id),
            N::Arithmetic(_, a, b) | N::Relation(_, a, b) => all!(self; a, b),
            N::OfSet(_, a) | N::Cardinality(a) => self.set(*a),
            N::AttackPairs(a, b) => all!(self; a, b),
            N::RayCount(ray) => self.of(&ray.operands.as_slice()),
            N::OfText(_, a) | N::Length(a) | N::AsciiCode(a) => self.text(*a),
            N::DictionarySize(_) => flagged(Flags::STATE),
            N::Extremum { items, .. } | N::OrbitMax(items) => self.of(items),
            N::Engine(..) | N::Tablebase(..) => flagged(ASKS),
            N::GroupIndex(..) => flagged(Flags::STATE | Flags::FAULTS),
            N::PathCount { inside } | N::PathCountUnfocused { inside } => {
                Self::path_progress(*inside)
            }
            N::HhdbAward(award) => Self::award(award),
            N::OrbitCount(images, range, _) => all!(self; images, range),
            N::CountMoves(countable) => match countable {
                Countable::Played(a) | Countable::PlayedFromParent(a) => self.dash(*a),
                Countable::Legal(dash) => self.legal(dash),
                Countable::Tried(tried) => self.tried(tried),
            },
            N::CountMove(filter) => self.move_filter(filter),
            N::Path(path) => self.path(*path),
            N::Line(line) => self.line_filter(line),
            N::Find(find) => self.find(find),
            N::Echo(echo) => self.echo(echo),
            N::ConsecutiveMoves(consecutive, _) => {
                let mut effects = all!(self; &consecutive.range);
                effects.add(&required(consecutive.source));
                effects.add(&required(consecutive.target));
                with(effects, Flags::ACTS)
            }
            N::Flow(flow) => self.flow(flow),
        }
    }

    pub(super) fn text_filter(&mut self, filter: &TextFilter) -> Effects {
        use TextFilter as T;
        match filter {
            T::Constant(_)
            | T::Game(_)
            | T::Players
            | T::Hhdb(_)
            | T::Fen
            | T::OfPosition(_)
            | T::OriginalComment => Effects::default(),
            T::Variable(id, _) => required(*id),
            T::Concatenate(a, b) | T::Relation(_, a, b) => all!(self; a, b),
            T::Substring(a, slice) => all!(self; a, slice),
            T::Replace(a, pattern, b) => with(all!(self; a, pattern, b), Flags::FAULTS),
            T::Match(a, pattern) => with(all!(self; a, pattern), self.matching()),
            T::Group(..) => flagged(Flags::STATE | Flags::FAULTS),
            T::Str(items) => self.of(items),
            T::OfText(_, a) => self.text(*a),
            T::OfSet(_, a) => self.set(*a),
            T::AsciiCharacter(a) => self.num(*a),
            T::CommandPipe(_, items, _) => with(self.of(items), ASKS),
            T::Engine(..) => flagged(ASKS),
            T::ReadFile(a, _) => with(self.text(*a), Flags::STATE | Flags::FAULTS),
            T::Extremum { items, .. } => self.of(items),
            T::Flow(flow) => self.flow(flow),
        }
    }

    pub(super) fn pos_filter(&mut self, filter: &PosFilter) -> Effects {
        use PosFilter as P;
        match filter {
            P::Source(PositionSource::SavePosition) => flagged(Flags::ACTS | Flags::FAULTS),
            P::Source(_) => Effects::default(),
            P::OfNumber(_, a) | P::Child(a) => self.num(*a),
            P::PathStart { inside } => Self::path_progress(*inside),
            P::PathLastPosition { inside: true } => flagged(Flags::BEST),
            P::PathLastPosition { inside: false } => flagged(Flags::STATE),
            P::Variable(id, _) => required(*id),
            P::OfPositions(_, a, b) | P::Relation(_, a, b) => all!(self; a, b),
            P::Find(find) => self.find(find),
            P::Path(path) => self.path(*path),
            P::Line(line) => self.line_filter(line),
            P::Flow(flow) => self.flow(flow),
        }
    }

    /// Effects of a dash; its operands are visible in its target only.
    pub(super) fn dash_filter(&mut self, dash: &Dash) -> Effects {
        let mut effects = self.of(&dash.target).without(Flags::SCOPED);
        effects.add(&all!(self; &dash.left, &dash.right));
        if let Some(Promotion::Text(text)) = dash.promotion {
            effects.add(&self.text(text));
        }
        effects
    }

    pub(super) fn path_filter(&mut self, path: &Path) -> Effects {
        let mut effects = self.inside_path(path).without(Flags::PROGRESS | Flags::BEST);
        effects.add(&all!(self; &path.focus, &path.range));
        effects.flag(Flags::FAULTS);
        effects.flag((Flags::ACTS | Flags::STATE).when(path.flags.nestban));
        effects.flag(Flags::ACTS.when(self.status_is_read));
        let texts = path.title.is_some() || path.flags.piecepath || path.flags.verbose;
        let annotating = if texts {
            self.commenting()
        } else {
            self.annotating(path.flags.quiet && !path.flags.keepallbest)
        };
        with(effects, annotating)
    }

    fn line_filter(&mut self, line: &LineFilter) -> Effects {
        let mut effects = self.inside_line(line);
        effects.add(&self.of(&line.range));
        effects.flag(Flags::FAULTS);
        effects.flag((Flags::ACTS | Flags::STATE).when(line.flags.nestban));
        let annotating = self.annotating(line.flags.quiet);
        with(effects, annotating)
    }

    pub(super) fn pattern(&mut self, automaton: &Automaton) -> Effects {
        let mut effects = Effects::default();
        for node in automaton.nodes() {
            match node {
                PatternNode::Test(filter) | PatternNode::Take { filter, .. } => {
                    effects.add(&self.bool(*filter));
                }
                PatternNode::Move(dash) => effects.add(&self.dash(*dash)),
                PatternNode::Fork(_)
                | PatternNode::Jump(_)
                | PatternNode::Head(_)
                | PatternNode::Tail(_)
                | PatternNode::End => {}
            }
        }
        effects
    }

    fn move_filter(&mut self, filter: &MoveFilter) -> Effects {
        let effects = all!(
            self;
            &filter.from,
            &filter.to,
            &filter.capture,
            &filter.en_passant_square,
            &filter.comment,
        );
        let linearized = Flags::LINEARIZED.when(filter.mode == MoveMode::Next);
        with(effects, Flags::FAULTS | linearized)
    }

    fn legal(&mut self, dash: &LegalDash) -> Effects {
        let effects = all!(self; &dash.left, &dash.right);
        with(effects, Flags::FAULTS)
    }

    fn tried(&mut self, tried: &TrialFilter) -> Effects {
        with(self.dash(tried.dash), Flags::FAULTS)
    }

    fn imagine(&mut self, imagine: &Imagine) -> Effects {
        let mut effects = flagged(Flags::FAULTS);
        for change in &imagine.changes {
            if let Change::Place(_, set) | Change::Remove(set) | Change::EnPassant(set) = change {
                effects.add(&self.set(*set));
            }
        }
        effects
    }

    fn find(&mut self, find: &Find) -> Effects {
        let effects = all!(self; &find.body, &find.range);
        let annotating = self.annotating(find.quiet);
        // Errors that come from variables are those of the body and the range.
        with(effects, annotating | Flags::HARD_FAULTS)
    }

    fn echo<B: HasEffects>(&mut self, echo: &Echo<B>) -> Effects {
        let mut body = self.of(&echo.body);
        body.binds(echo.source);
        body.binds(echo.target);
        let annotating = self.annotating(echo.quiet);
        with(body, annotating | Flags::FAULTS)
    }

    fn relation(&mut self, relation: &PositionRelation) -> Effects {
        let mut effects = self.bool(relation.target);
        for parameter in &relation.parameters {
            match parameter {
                RelationParameter::Squares(squares) => {
                    effects.add(&all!(self; &squares.source, &squares.target));
                }
                RelationParameter::Distance { sort, .. } => {
                    effects.flag(Flags::ACTS.when(sort.is_some()));
                }
                RelationParameter::SameTurn(_)
                | RelationParameter::Ancestor
                | RelationParameter::Descendant => {}
            }
        }
        // pairs are noted down for the comments of the game
        let noting = self.annotating(relation.quiet) != Flags::NONE;
        effects.flag(Flags::ACTS.when(noting));
        with(effects, Flags::FAULTS)
    }

    fn square_loop(&mut self, square_loop: &SquareLoop) -> Effects {
        let mut effects = self.bool(square_loop.body);
        effects.loops_over(square_loop.variable);
        effects.add(&self.set(square_loop.domain));
        with(effects, Flags::REBOUND)
    }

    fn call(&mut self, arguments: &[(VariableId, Value)], mut body: Effects) -> Effects {
        for &(variable, _) in arguments {
            body.binds(variable);
        }
        for (_, value) in arguments {
            body.add(&self.of(value));
        }
        body
    }

    fn flow<V: HasEffects>(&mut self, flow: &Flow<V>) -> Effects {
        match flow {
            Flow::Block(conditions, value) => all!(self; conditions, value),
            Flow::If(test, then, otherwise) => all!(self; test, then, otherwise),
            Flow::At(place, value) => all!(self; place, value),
            Flow::Call(arguments, value) => {
                let body = self.of(value);
                self.call(arguments, body)
            }
            Flow::Lookup(_, key) => with(self.of(key), Flags::STATE),
            Flow::Dash(dash, value) | Flow::CurrentMove(dash, value) => {
                let mut effects = self.of(value).without(Flags::SCOPED);
                effects.add(&self.dash(*dash));
                effects
            }
            Flow::Tried(tried, value) => {
                let mut effects = self.of(value).without(Flags::SCOPED);
                effects.add(&self.tried(tried));
                effects
            }
            Flow::Imagine(imagine, value) => {
                let mut effects = self.imagine(imagine);
                effects.add(&self.of(value));
                effects
            }
            Flow::Sort(_, filter) => with(self.of(&filter.body), Flags::ACTS),
        }
    }

    fn path_progress(inside: bool) -> Effects {
        flagged(if inside { Flags::PROGRESS } else { Flags::STATE })
    }

    fn award(award: &Award) -> Effects {
        flagged(Flags::ACTS.when(award.sort.is_some()))
    }

    /// Flags of trying a regular expression, which sets the groups.
    fn matching(&self) -> Flags {
        Flags::ACTS.when(self.groups_are_read)
    }
}

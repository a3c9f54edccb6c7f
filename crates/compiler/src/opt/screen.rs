//! Collects necessary conditions that are tested on the board by a few instructions.
//!
//! A glance shows that nearly all positions do not match: a piece is not on its square, there are
//! too few of a type, the other side is to move, another move follows. A [`PositionScreen`]
//! holds the conditions of this sort that a filter implies. If a position does not pass the screen,
//! the filter is not evaluated at all.
//!
//! Leaving it out goes unnoticed because conditions are collected, in the order of evaluation, only
//! up to the first filter that has an effect or may end in an error. Conditions that follow from
//! the operands of that filter are still collected, because the operands come before its effect.
//! Comments of a filter that does not match are dropped anyway.

mod within;

use std::cmp::Ordering;

use board::{Color, Piece, Role, SquareSet};
use syntax::builtin::{NumberSource, Predicate, SetSource, SetToNumber};
use syntax::tree::{Arithmetic, Relation, VariableId};

use super::boards::Widener;
use super::choices::LoopVariables;
use super::counts::most_moves;
use super::peephole::designator;
use crate::effects::{Analysis, Flags};
use crate::facts::{ANYTHING, PAWNS};
use crate::program::plan::{
    BoardCondition, FindPlan, MoveCounter, PawnCondition, PieceMask, PositionScreen, Sum, Test,
};
use crate::program::*;

impl PositionScreen {
    /// The conditions of a filter that is evaluated at a position of the game.
    pub(super) fn new<'p>(
        program: &'p Program,
        analysis: &mut Analysis<'p>,
        bound: &LoopVariables,
        filter: BoolId,
    ) -> PositionScreen {
        let collector = Collector::new(program, analysis, bound);
        Collector { is_played: true, ..collector }.screen(filter)
    }

    /// The conditions of a filter that is evaluated after a move that is only tried.
    pub(super) fn of_tried<'p>(
        program: &'p Program,
        analysis: &mut Analysis<'p>,
        bound: &LoopVariables,
        filter: BoolId,
    ) -> PositionScreen {
        Collector::new(program, analysis, bound).screen(filter)
    }
}

/// The conditions of the query that are tested at several positions at once.
fn wide_screen<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
) -> PositionScreen {
    let collector = Collector::new(program, analysis, bound);
    let widener = Some(Widener::new(program));
    Collector { is_played: true, widener, ..collector }.screen(program.root)
}

/// Returns the conditions of a filter that is evaluated at a position of the game, and whether
/// those of later filters may be added.
pub(super) fn tests_of<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
    filter: BoolId,
) -> (Vec<Test>, bool) {
    let mut collector = Collector::new(program, analysis, bound);
    let goes_on = collector.filter(filter);
    (collector.tests, goes_on)
}

/// Returns the conditions of a comparison of two numbers; none if one of them is not silent.
pub(super) fn tests_of_comparison<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
    (relation, left, right): (Relation, NumId, NumId),
) -> Vec<Test> {
    let mut collector = Collector::new(program, analysis, bound);
    for number in [left, right] {
        let effects = collector.analysis.num(number);
        if !bound.is_silent(&effects) {
            return Vec::new();
        }
    }
    collector.compare(relation, left, right);
    collector.tests
}

/// The variable of an enclosing loop, and the pieces that the loop goes through, if they are known.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    variable: VariableId,
    men: Option<PieceMask>,
}

/// The greatest number of legal moves that most positions are soon seen to exceed.
const FEW_MOVES: u32 = 8;

struct Collector<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    bound: &'a LoopVariables,
    tests: Vec<Test>,
    /// The variables of the enclosing loops.
    chosen: Vec<Chosen>,
    /// The variable that holds the position, if one does.
    here: Option<VariableId>,
    /// Whether the position is one of the game, so that the moves before it are counted.
    is_played: bool,
    /// Finds more conditions, if they are wanted.
    widener: Option<Widener<'p>>,
    is_exact: bool,
}

impl<'a, 'p> Collector<'a, 'p> {
    fn new(
        program: &'p Program,
        analysis: &'a mut Analysis<'p>,
        bound: &'a LoopVariables,
    ) -> Collector<'a, 'p> {
        Collector {
            program,
            analysis,
            bound,
            tests: Vec::new(),
            chosen: Vec::new(),
            here: None,
            is_played: false,
            widener: None,
            is_exact: true,
        }
    }

    /// Returns the screen of a filter.
    fn screen(mut self, filter: BoolId) -> PositionScreen {
        self.filter(filter);
        PositionScreen::of(self.tests, self.is_exact)
    }

    /// Adds the conditions that the filter implies; `false` if those of later filters may not be
    /// added.
    fn filter(&mut self, id: BoolId) -> bool {
        let program = self.program;
        match &program.bools[id.0 as usize] {
            BoolFilter::All(items) => {
                let all = items.iter().all(|&item| self.filter(item));
                self.is_exact &= all;
                all
            }
            filter => {
                if self.bound.is_local_assignment(self.analysis, id) {
                    self.is_exact = false;
                    return true;
                }
                let effects = self.analysis.bool(id);
                let silent = self.bound.is_silent(&effects) || self.is_silent_loop(filter);
                let mut exact = !effects.flags.has(Flags::COMMENTS) && silent;
                // Eight positions side by side do not know the square of such a variable.
                let reads_local = self.bound.reads_local(&effects);
                let widener = if reads_local { self.widener.take() } else { None };
                exact &= self.condition(filter, silent);
                self.widener = self.widener.take().or(widener);
                self.is_exact &= exact;
                silent
            }
        }
    }

    /// Whether the filter is about squares that a loop with a condition chooses, and nothing else
    /// binds the variable of the loop: so the loop never finds it bound.
    fn is_silent_loop(&mut self, filter: &BoolFilter) -> bool {
        let BoolFilter::NonEmpty(set) = filter else {
            return false;
        };
        let SetFilter::Loop(square_loop) = &self.program.sets[set.0 as usize] else {
            return false;
        };
        let body = self.analysis.bool(square_loop.body);
        square_loop.condition.is_some()
            && body.reads == [square_loop.variable.0]
            && self.has_silent_domain(square_loop)
            && self.bound.has(square_loop.variable)
    }

    fn has_silent_domain(&mut self, square_loop: &SquareLoop) -> bool {
        let effects = self.analysis.set(square_loop.domain);
        self.bound.is_silent(&effects)
    }

    /// Adds the conditions that one filter implies, and returns whether the filter says no more.
    fn condition(&mut self, filter: &'p BoolFilter, silent: bool) -> bool {
        if silent && let Some(condition) = PawnCondition::of(self.program, filter) {
            // Pawns that must stand on certain squares are found faster than their structure.
            self.implied(filter, silent);
            return self.take(Test::Pawns(Box::new(condition)));
        }
        if silent && let Some(condition) = BoardCondition::of(self.program, filter) {
            if self.widener.is_none() {
                // The test of pieces is faster, and mostly enough for one position.
                self.implied(filter, silent);
            }
            return self.take(Test::Board(Box::new(condition)));
        }
        if silent && let Some(widener) = &mut self.widener {
            let condition = widener.condition(filter);
            self.tests.extend(condition.map(|condition| Test::Board(Box::new(condition))));
        }
        self.implied(filter, silent)
    }

    /// As [`Self::condition`], without the tests of pawns and attacks.
    fn implied(&mut self, filter: &'p BoolFilter, silent: bool) -> bool {
        match filter {
            BoolFilter::At(position, body) if self.is_here(*position) => self.filter(*body),
            BoolFilter::Theme(_, body) => {
                self.filter(*body);
                false
            }
            BoolFilter::Constant(true) => true,
            BoolFilter::Constant(false) => self.take(Test::Never),
            BoolFilter::Turn(color) => self.take(Test::Turn(*color)),
            BoolFilter::Predicate(Predicate::Initial) => self.take(Test::Initial),
            BoolFilter::Predicate(Predicate::Check) => self.take(Test::Check),
            BoolFilter::Patterns(patterns) => self.take(Test::Patterns(patterns.clone())),
            BoolFilter::Predicate(Predicate::Terminal | Predicate::Mate | Predicate::Stalemate) => {
                self.take(Test::MayBeOver);
                false
            }
            BoolFilter::Predicate(Predicate::Forced) => self.few_moves(Some(1)),
            BoolFilter::NonEmpty(set) if silent => self.not_empty(*set),
            BoolFilter::NonEmpty(set) => {
                self.square(*set);
                false
            }
            BoolFilter::Any(items) | BoolFilter::Orbit(items) => self.any(items, |this, &item| {
                this.filter(item);
            }),
            BoolFilter::Not(item) if silent => self.not(*item),
            BoolFilter::CompareCount(relation, set, n) if silent => self.count(*relation, *set, *n),
            BoolFilter::CompareNumbers(relation, left, right) if silent => {
                self.compare(*relation, *left, *right)
            }
            BoolFilter::CompareNumbers(relation, left, right) => {
                self.few_moves(most_moves(self.program, *relation, *left, *right));
                self.number(*left);
                false
            }
            BoolFilter::HasNumber(number) => self.number(*number),
            BoolFilter::Path(path) => {
                self.path(*path);
                false
            }
            BoolFilter::CurrentMove(dash) if silent => {
                if let Some(widener) = &self.widener {
                    let played = widener.played(&self.program.dashes[dash.0 as usize]);
                    self.tests.extend(played.into_iter().map(|c| Test::Board(Box::new(c))));
                }
                false
            }
            _ => false,
        }
    }

    fn take(&mut self, test: Test) -> bool {
        self.tests.push(test);
        true
    }

    /// Adds the conditions under which a number has a value, and returns whether they suffice.
    fn number(&mut self, id: NumId) -> bool {
        match &self.program.nums[id.0 as usize] {
            NumFilter::Constant(_) => true,
            // The operands come before the value is offered.
            NumFilter::Flow(Flow::Sort(_, sort)) => {
                self.number(sort.body);
                false
            }
            NumFilter::Relation(relation, left, right) => {
                let effects = self.analysis.num(id);
                if self.bound.is_silent(&effects) {
                    return self.compare(*relation, *left, *right);
                }
                self.few_moves(most_moves(self.program, *relation, *left, *right));
                self.number(*left);
                false
            }
            NumFilter::Path(path) => {
                self.path(*path);
                false
            }
            _ => false,
        }
    }

    fn compare(&mut self, relation: Relation, left: NumId, right: NumId) -> bool {
        match (self.constant_count(left), self.constant(right)) {
            (Some(set), Some(n)) => return self.count(relation, set, n),
            (None, Some(n))
                if let Some(counter) = self.counter(left)
                    && orders(relation) =>
            {
                return self.take(Test::Time(counter, relation, n));
            }
            _ => {
                let mut sum = Linear::default();
                if self.linear(left, 1, &mut sum) && self.linear(right, -1, &mut sum) {
                    return self.sum(sum, relation);
                }
            }
        }
        false
    }

    /// Adds the condition that there are at most so many legal moves, if that is soon seen.
    fn few_moves(&mut self, n: Option<u32>) -> bool {
        let few = n.filter(|n| self.is_played && *n <= FEW_MOVES);
        self.tests.extend(few.map(Test::FewMoves));
        false
    }

    fn sum(&mut self, sum: Linear, relation: Relation) -> bool {
        // No weight is so great that a sum could wrap around.
        let weight: u64 = sum.terms.iter().map(|t| u64::from(t.1.unsigned_abs())).sum();
        if weight > 1 << 20 || sum.constant.unsigned_abs() > 1 << 20 {
            return false;
        }
        orders(relation)
            && self.take(Test::Sum(Box::new(Sum {
                terms: sum.terms,
                relation,
                bound: -sum.constant,
            })))
    }

    /// The counter of moves that a number is.
    fn counter(&self, id: NumId) -> Option<MoveCounter> {
        match self.program.nums[id.0 as usize] {
            NumFilter::Source(NumberSource::Ply) if self.is_played => Some(MoveCounter::Ply),
            NumFilter::Source(NumberSource::MoveNumber) if self.is_played => {
                Some(MoveCounter::MoveNumber)
            }
            _ => None,
        }
    }

    fn constant(&self, id: NumId) -> Option<i32> {
        match self.program.nums[id.0 as usize] {
            NumFilter::Constant(n) => Some(n),
            _ => None,
        }
    }

    fn constant_count(&self, id: NumId) -> Option<SetId> {
        match self.program.nums[id.0 as usize] {
            NumFilter::Cardinality(set) => Some(set),
            _ => None,
        }
    }

    /// Adds a number to a sum; `false` if it is not made of numbers of pieces.
    fn linear(&self, id: NumId, weight: i32, sum: &mut Linear) -> bool {
        match self.program.nums[id.0 as usize] {
            NumFilter::Constant(n) => {
                let product = n.checked_mul(weight);
                let total = product.and_then(|n| sum.constant.checked_add(n));
                sum.constant = total.unwrap_or(i32::MAX);
                total.is_some()
            }
            NumFilter::Cardinality(set) => match self.men(set) {
                Some(men) => sum.add(men, weight),
                None => false,
            },
            NumFilter::Flow(Flow::At(position, body)) if self.is_here(position) => {
                self.linear(body, weight, sum)
            }
            NumFilter::OfSet(SetToNumber::Power, set) => match self.men(set) {
                Some(men) => Role::ALL
                    .into_iter()
                    .zip([1, 3, 3, 5, 9, 0])
                    .filter(|(role, value)| *value != 0 && men.of_role(*role).kinds != 0)
                    .all(|(role, value)| {
                        (weight.checked_mul(value)).is_some_and(|w| sum.add(men.of_role(role), w))
                    }),
                None => false,
            },
            NumFilter::Arithmetic(Arithmetic::Add, left, right) => {
                self.linear(left, weight, sum) && self.linear(right, weight, sum)
            }
            NumFilter::Arithmetic(Arithmetic::Subtract, left, right) => {
                self.linear(left, weight, sum) && self.linear(right, -weight, sum)
            }
            _ => false,
        }
    }

    /// Whether this is the current position itself.
    fn is_here(&self, position: PosId) -> bool {
        match self.program.positions[position.0 as usize] {
            PosFilter::Variable(variable, _) => self.here == Some(variable),
            _ => false,
        }
    }

    /// The pieces that a set selects, if it is a designator.
    fn men(&self, set: SetId) -> Option<PieceMask> {
        let mut filter = &self.program.sets[set.0 as usize];
        if let SetFilter::Flow(Flow::At(position, body)) = filter
            && self.is_here(*position)
        {
            filter = &self.program.sets[body.0 as usize];
        }
        let (kinds, squares) = designator(filter)?;
        Some(PieceMask { kinds, squares })
    }

    fn not_empty(&mut self, set: SetId) -> bool {
        if let Some(men) = self.men(set) {
            let PieceMask { kinds, squares } = men;
            if kinds == 0 || squares.is_empty() {
                return self.take(Test::Never);
            }
            if kinds == ANYTHING {
                return true;
            }
            return self.take(if kinds.is_power_of_two() && kinds < 1 << 12 {
                let index = kinds.trailing_zeros() as usize;
                let color = Color::ALL[index / 6];
                let role = Role::ALL[index % 6];
                Test::Piece(Piece { color, role }, squares)
            } else {
                Test::Kinds(kinds, squares)
            });
        }
        match &self.program.sets[set.0 as usize] {
            SetFilter::Intersect(left, right)
            | SetFilter::Attacks(left, right)
            | SetFilter::AttackedBy(left, right) => {
                self.not_empty(*left);
                self.not_empty(*right);
            }
            SetFilter::Ray(ray) => ray.operands.iter().for_each(|&operand| {
                self.not_empty(operand);
            }),
            SetFilter::Pin(pin) => {
                for operand in [pin.from, pin.through, pin.to].into_iter().flatten() {
                    self.not_empty(operand);
                }
            }
            SetFilter::Direction(_, _, operand, _) => {
                self.not_empty(*operand);
            }
            SetFilter::Loop(square_loop) => {
                self.not_empty(square_loop.domain);
            }
            SetFilter::PawnStructure(_) => {
                self.take(Test::Kinds(PAWNS, SquareSet::ALL));
            }
            SetFilter::Source(
                SetSource::PureMate
                | SetSource::ModelMate
                | SetSource::IdealMate
                | SetSource::PureStalemate
                | SetSource::ModelStalemate
                | SetSource::IdealStalemate,
            ) => {
                self.take(Test::MayBeOver);
            }
            _ => {}
        }
        false
    }

    fn count(&mut self, relation: Relation, set: SetId, n: i32) -> bool {
        if let Some(men) = self.men(set) {
            let mut sum = Linear::default();
            sum.add(men, 1);
            sum.constant = n.saturating_neg();
            return self.sum(sum, relation);
        }
        let least = match relation {
            Relation::Equal | Relation::GreaterEqual => n,
            Relation::Greater => n.saturating_add(1),
            _ => 0,
        };
        if least > 0 {
            self.at_least(set, least);
        }
        false
    }

    /// Adds the conditions under which a set has at least `n` squares.
    fn at_least(&mut self, set: SetId, n: i32) {
        self.not_empty(set);
        if n <= 1 {
            return;
        }
        let at_least = |men, this: &mut Self| {
            let mut sum = Linear::default();
            sum.add(men, 1);
            sum.constant = -n;
            this.sum(sum, Relation::GreaterEqual);
        };
        if let Some(men) = self.men(set) {
            match (men.squares.len() as i32).cmp(&n) {
                Ordering::Less => self.tests.push(Test::Never),
                Ordering::Equal => {
                    let each = men.squares.into_iter().map(|sq| Test::Kinds(men.kinds, sq.set()));
                    self.tests.extend(each);
                }
                Ordering::Greater => at_least(men, self),
            }
            return;
        }
        match &self.program.sets[set.0 as usize] {
            SetFilter::Intersect(left, right) => {
                self.at_least(*left, n);
                self.at_least(*right, n);
            }
            SetFilter::Attacks(left, _) => self.at_least(*left, n),
            SetFilter::AttackedBy(left, right) => {
                self.at_least(*left, n);
                if let Some(men) = self.men(*right) {
                    let mut sum = Linear::default();
                    // No piece attacks more squares than these.
                    for (role, most) in Role::ALL.into_iter().zip([2, 8, 13, 14, 27, 8]) {
                        let men = men.of_role(role);
                        if men.kinds != 0 {
                            sum.add(men, most);
                        }
                    }
                    sum.constant = -n;
                    self.sum(sum, Relation::GreaterEqual);
                }
            }
            SetFilter::Loop(square_loop) => self.at_least(square_loop.domain, n),
            SetFilter::PawnStructure(_) => {
                at_least(PieceMask { kinds: PAWNS, squares: SquareSet::ALL }, self)
            }
            _ => {}
        }
    }
}

/// Whether two numbers are in this relation if the first is less, equal or greater.
fn orders(relation: Relation) -> bool {
    matches!(
        relation,
        Relation::Less
            | Relation::LessEqual
            | Relation::Greater
            | Relation::GreaterEqual
            | Relation::Equal
    )
}

/// A sum under construction.
#[derive(Default)]
struct Linear {
    terms: Vec<(PieceMask, i32)>,
    constant: i32,
}

impl Linear {
    fn add(&mut self, men: PieceMask, weight: i32) -> bool {
        self.terms.push((men, weight));
        true
    }
}

/// The variables that determine the result of a `find`, if it may remember its result: its body has
/// no effect, and matches at a position or not, wherever the search started. After an
/// error of the body, the evaluation of the game ends and asks for no other result.
fn remembers(find: &Find, analysis: &mut Analysis<'_>) -> Option<Box<[VariableId]>> {
    let effects = analysis.bool(find.body);
    let unknown = Flags::COMMENTS | Flags::SCOPED | Flags::REBOUND;
    if effects.is_pure() && !effects.flags.has(unknown) {
        effects.key(analysis.program())
    } else {
        None
    }
}

/// Makes the screens of the query as a whole, of the bodies of forward `find` filters, and of the
/// second positions of echoes.
pub(super) fn make(program: &mut Program) {
    let mut finds: Vec<Find> = Vec::new();
    for_each_find(program, |find| finds.push(*find));
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let bound = bound.with_local(program, &mut analysis);
    let root = PositionScreen::new(program, &mut analysis, &bound, program.root);
    let wide = wide_screen(program, &mut analysis, &bound);
    let mut finders = Vec::new();
    let mut screens = Vec::new();
    for find in &finds {
        let mut finder = None;
        if !find.backward && find.depth.is_none() {
            let screen = PositionScreen::new(program, &mut analysis, &bound, find.body);
            let variables = remembers(find, &mut analysis);
            finder = Some(screens.len() as u32);
            screens.push(FindPlan {
                screen,
                remembers: variables.is_some(),
                variables: variables.unwrap_or_default(),
            });
        }
        finders.push(finder);
    }
    let screens_of_echoes = screens_of_echoes(program, &mut analysis, &bound);
    for (plan, screen) in program.echo_plans.iter_mut().zip(screens_of_echoes) {
        plan.screen = screen;
    }
    let mut finders = finders.into_iter();
    for_each_find(program, |find| find.finder = finders.next().flatten());
    program.screen = root;
    program.wide_screen = wide;
    program.finders = screens;
}

/// For each plan, the screen of the conditions on the second position.
fn screens_of_echoes<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    bound: &LoopVariables,
) -> Vec<PositionScreen> {
    let of_bools = program.bools.iter().filter_map(|filter| match filter {
        BoolFilter::Echo(echo) => Some((echo.plan?, echo.target)),
        _ => None,
    });
    let of_nums = program.nums.iter().filter_map(|filter| match filter {
        NumFilter::Echo(echo) => Some((echo.plan?, echo.target)),
        _ => None,
    });
    let mut screens = vec![PositionScreen::default(); program.echo_plans.len()];
    for (plan, target) in of_bools.chain(of_nums) {
        let bound = bound.with(target);
        let mut collector = Collector::new(program, analysis, &bound);
        collector.here = Some(target);
        let conditions = &program.echo_plans[plan as usize].target;
        let all = conditions.iter().all(|&id| collector.filter(id));
        let is_exact = all && collector.is_exact;
        screens[plan as usize] = PositionScreen::of(collector.tests, is_exact);
    }
    screens
}

fn for_each_find(program: &mut Program, visit: impl FnMut(&mut Find)) {
    let bools = program.bools.iter_mut().filter_map(|filter| match filter {
        BoolFilter::Find(find) => Some(find),
        _ => None,
    });
    let nums = program.nums.iter_mut().filter_map(|filter| match filter {
        NumFilter::Find(find) => Some(find),
        _ => None,
    });
    let positions = program.positions.iter_mut().filter_map(|filter| match filter {
        PosFilter::Find(find) => Some(find),
        _ => None,
    });
    bools.chain(nums).chain(positions).for_each(visit);
}

//! Collects the necessary conditions of a program on a game as a whole.

use board::{Color, SquareSet};
use pgn::summary::{FOLLOWED, Kinds};
use syntax::builtin::{NumberSource, Predicate, SetSource};
use syntax::tree::{MoveMode, Relation, VariableId};

use super::commonness;
use super::moves::{MovePattern, required};
use crate::automaton::{Automaton, PatternNode};
use crate::effects::{Analysis, Effects, Flags};
use crate::facts::{EMPTY, KINGS, kind};
use crate::limits::Limits;
use crate::opt::choices::LoopVariables;
use crate::opt::counts::most_moves;
use crate::opt::peephole::designator;
use crate::opt::screen::{tests_of, tests_of_comparison};
use crate::program::plan::{
    EchoKey, GameConditions, GameFact, GameTest, Image, Images, MoveChain, PieceMask, Recurrence,
    Requirement, Sum, TagCondition, Test, Unscreened, UnscreenedReason,
};
use crate::program::*;

/// Largest number of alternatives that are examined.
const MAX_ALTERNATIVES: usize = 256;

/// Returns the conditions of a program on a game, and the parts of the query that have none.
pub(super) fn conditions(program: &Program) -> (GameConditions, Vec<Unscreened>) {
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let bound = bound.with_local(program, &mut analysis);
    let mut collector = Collector {
        program,
        analysis: &mut analysis,
        bound: &bound,
        found: GameConditions::default(),
        n_taken: 0,
        unscreened: Vec::new(),
        positions: Vec::new(),
        n_around: 0,
        here: Here::default(),
    };
    collector.settings();
    collector.filter(program.root);
    collector.found.finish();
    (collector.found, collector.unscreened)
}

struct Collector<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    bound: &'a LoopVariables,
    /// Conditions that must hold at the current position.
    found: GameConditions,
    /// Number of conditions taken, including those that were known already.
    n_taken: usize,
    unscreened: Vec<Unscreened>,
    /// Variables that hold positions of the game.
    positions: Vec<VariableId>,
    /// Number of enclosing alternatives and conditions on other positions.
    n_around: usize,
    here: Here,
}

/// Facts about the current position that follow from the conditions taken so far.
#[derive(Clone, Copy, Default)]
struct Here {
    /// The variable that holds it.
    variable: Option<VariableId>,
    turn: Option<Color>,
    /// Whether the side to move is not in check.
    is_quiet: bool,
}

impl<'p> Collector<'_, 'p> {
    /// Takes the conditions of the header, which concern only tags.
    fn settings(&mut self) {
        let settings = &self.program.settings;
        for result in &settings.results {
            self.fact(GameFact::Tags(TagCondition::Result(*result)));
        }
        if let Some((first, last)) = settings.year {
            self.fact(GameFact::Tags(TagCondition::Year(first, last)));
        }
        if settings.player.is_some() {
            let (span, reason) = (None, UnscreenedReason::Other);
            self.unscreened.push(Unscreened { span, reason });
        }
    }

    fn take(&mut self, test: GameTest) {
        self.n_taken += 1;
        self.found.take(test);
    }

    fn fact(&mut self, fact: GameFact) {
        self.take(GameTest::Fact(fact));
    }

    fn is_silent(&self, effects: &Effects) -> bool {
        self.bound.is_silent(effects)
    }

    /// Takes the conditions of a filter. Returns `false` if nothing after the filter may be taken.
    fn filter(&mut self, id: BoolId) -> bool {
        let program = self.program;
        match &program.bools[id.0 as usize] {
            BoolFilter::All(items) => items.iter().all(|&item| self.filter(item)),
            BoolFilter::Any(items) | BoolFilter::Orbit(items) => {
                if !self.any(items) {
                    self.skip(id, UnscreenedReason::Alternatives);
                }
                let (_, goes_on) = tests_of(program, self.analysis, self.bound, id);
                self.goes_on(id, goes_on)
            }
            BoolFilter::Theme(theme, body) => {
                // With another limit, games may fail that had not failed before.
                if self.program.settings.limits == Limits::default() {
                    self.fact(GameFact::Theme(*theme));
                }
                self.n_around += 1;
                self.filter(*body);
                self.n_around -= 1;
                // The variables that a theme writes are apart from those of the query.
                let effects = self.analysis.bool(*body).flags;
                self.goes_on(id, !effects.has(Flags::ACTS | Flags::OTHER_FAULTS))
            }
            _ if self.bound.is_local_assignment(self.analysis, id) => true,
            filter => {
                let (tests, goes_on) = tests_of(program, self.analysis, self.bound, id);
                let n_before = self.n_taken;
                tests.iter().for_each(|test| self.test(test));
                self.condition(id, filter);
                if n_before == self.n_taken {
                    let reason = self.reason(filter);
                    self.skip(id, reason);
                }
                self.goes_on(id, goes_on)
            }
        }
    }

    /// Returns whether conditions after the filter may be taken. If not, records that they are not
    /// tested.
    fn goes_on(&mut self, id: BoolId, goes_on: bool) -> bool {
        if !goes_on {
            self.skip(id, UnscreenedReason::Effect);
        }
        goes_on
    }

    /// Records a filter that is not tested, with the reason.
    fn skip(&mut self, id: BoolId, reason: UnscreenedReason) {
        if self.n_around > 0 {
            return;
        }
        let span = self.program.places.bools.get(id.0 as usize).copied();
        let span = span.filter(|span| span.start < span.end);
        self.unscreened.push(Unscreened { span, reason });
    }

    /// Returns the conditions that `collect` takes, separately from those found so far.
    fn apart(&mut self, collect: impl FnOnce(&mut Self)) -> GameConditions {
        let around = std::mem::take(&mut self.found);
        let here = std::mem::take(&mut self.here);
        self.n_around += 1;
        collect(self);
        self.n_around -= 1;
        self.here = here;
        let mut found = std::mem::replace(&mut self.found, around);
        found.finish();
        found
    }

    /// Takes the condition that one of the filters matches. Returns `false` if one of them has no
    /// conditions.
    fn any(&mut self, items: &[BoolId]) -> bool {
        if items.len() > MAX_ALTERNATIVES {
            return false;
        }
        let mut alternatives: Vec<GameConditions> = Vec::new();
        for &item in items {
            let found = self.apart(|this| {
                this.filter(item);
            });
            if found.is_empty() {
                return false;
            }
            if !alternatives.contains(&found) {
                alternatives.push(found);
            }
        }
        // The conditions of all alternatives are tested once, before them.
        if let Some((first, others)) = alternatives.split_first() {
            for sum in &first.material {
                if others.iter().all(|other| other.material.contains(sum)) {
                    self.found.take_material(sum.clone());
                }
            }
            for test in &first.tests {
                if others.iter().all(|other| other.tests.contains(test)) {
                    self.take(test.clone());
                }
            }
        }
        self.take(GameTest::Any(alternatives.into()));
        true
    }

    /// Takes the condition that the filters match at some position of the game. All filters but the
    /// last one must have no effects.
    fn elsewhere(&mut self, filters: &[BoolId]) {
        let found = self.apart(|this| {
            for &filter in filters {
                this.filter(filter);
            }
        });
        self.take_elsewhere(found);
    }

    fn take_elsewhere(&mut self, found: GameConditions) {
        let is_elsewhere = |test: &GameTest| matches!(test, GameTest::Elsewhere(_));
        if found.material.is_empty() && found.tests.iter().all(is_elsewhere) {
            found.tests.into_iter().for_each(|test| self.take(test));
        } else {
            self.take(GameTest::Elsewhere(Box::new(found)));
        }
    }

    /// Takes the conditions on the game that follow from a test of the board.
    fn test(&mut self, test: &Test) {
        match test {
            Test::Never => self.fact(GameFact::Never),
            Test::Piece(piece, squares) => self.stands(kind(*piece), *squares),
            Test::Kinds(kinds, squares) => self.stands(*kinds, *squares),
            Test::Sum(sum) => {
                self.n_taken += 1;
                self.found.take_sum(sum);
            }
            Test::Patterns(patterns) => {
                let images = Images::new(patterns.images().map(men_of_image));
                if images.each.iter().all(|image| !image.men.is_empty()) {
                    self.fact(GameFact::Images(images));
                }
            }
            Test::Promotion(_) => self.fact(GameFact::Happens(Kinds::PROMOTION)),
            Test::Any(alternatives) => {
                let all: Vec<GameConditions> = alternatives
                    .iter()
                    .map(|tests| self.apart(|this| tests.iter().for_each(|test| this.test(test))))
                    .collect();
                if all.iter().all(|conditions| !conditions.is_empty()) {
                    self.take(GameTest::Any(all.into()));
                }
            }
            Test::Pawns(condition) => {
                self.n_taken += 1;
                self.found.take_pawns(condition);
            }
            Test::Board(condition) => self.fact(GameFact::Board(condition.clone())),
            Test::Check => self.fact(GameFact::Happens(Kinds::CHECK)),
            // Nearly every game has these, or they are taken from the filter itself.
            Test::Not(_)
            | Test::Initial
            | Test::Time(..)
            | Test::Later(..)
            | Test::Link(_)
            | Test::Turn(_)
            | Test::MayBeOver
            | Test::FewMoves(_)
            | Test::Move(_) => {}
        }
    }

    fn stands(&mut self, kinds: u16, squares: SquareSet) {
        let men = PieceMask { kinds, squares };
        if kinds & EMPTY != 0 {
            return;
        }
        if squares != SquareSet::ALL {
            return self.fact(GameFact::Stands(men));
        }
        // Only presence matters, not the squares.
        self.n_taken += 1;
        self.found.take_sum(&Sum::is_there(men));
    }

    /// Takes the conditions of one filter on the game, other than those on the board.
    fn condition(&mut self, id: BoolId, filter: &'p BoolFilter) {
        if let Some(condition) = TagCondition::of(self.program, id) {
            if condition.says_something() {
                self.fact(GameFact::Tags(condition));
            }
            return;
        }
        match filter {
            BoolFilter::Predicate(predicate) => self.predicate(*predicate),
            BoolFilter::Turn(color) => self.here.turn = Some(*color),
            BoolFilter::Not(condition) => {
                let condition = &self.program.bools[condition.0 as usize];
                self.here.is_quiet |= matches!(condition, BoolFilter::Predicate(Predicate::Check));
            }
            BoolFilter::HasNag(_) => self.fact(GameFact::IsAnnotated),
            BoolFilter::HasText(text) | BoolFilter::Substring(_, text)
                if matches!(self.program.texts[text.0 as usize], TextFilter::OriginalComment) =>
            {
                self.fact(GameFact::IsAnnotated);
            }
            BoolFilter::Fen(requirements) => {
                for (squares, kinds) in requirements {
                    for square in *squares {
                        self.stands(*kinds, square.set());
                    }
                }
            }
            BoolFilter::NonEmpty(set) => self.set(*set),
            BoolFilter::HasNumber(number) => self.number(*number),
            BoolFilter::CompareNumbers(relation, left, right) => {
                self.compare(*relation, *left, *right);
            }
            BoolFilter::HasPosition(position) => self.position(*position),
            BoolFilter::Find(find) => self.find(find),
            BoolFilter::Echo(echo) => self.echo(echo),
            BoolFilter::Path(path) => self.path(*path),
            BoolFilter::Line(line) => self.line(line),
            BoolFilter::Call(arguments, body) => {
                let all = self.analysis.bool(id);
                let mut values = arguments.iter().map(|argument| argument.1);
                // Arguments come first. If the body has no effects, neither do the arguments.
                if self.is_silent(&all) || values.all(|value| self.is_silent_value(value)) {
                    self.filter(*body);
                }
            }
            BoolFilter::At(position, body) if self.is_here(*position) => {
                self.filter(*body);
            }
            BoolFilter::At(position, body) if self.is_in_game(*position) => {
                self.elsewhere(&[*body]);
            }
            BoolFilter::CurrentMove(dash) | BoolFilter::ConsumeDash(dash) => self.dash(*dash),
            BoolFilter::Move(filter) => self.played_move(filter),
            _ => {}
        }
    }

    /// Takes the condition that there is a position with at most `n` legal moves. It is known only of
    /// positions without check.
    fn few_moves(&mut self, n: u32) {
        let Here { turn, is_quiet, .. } = self.here;
        let colors = Color::ALL.into_iter().filter(|color| turn.is_none_or(|turn| turn == *color));
        let kinds: Option<Vec<Kinds>> = colors.map(|color| Kinds::of_few_moves(color, n)).collect();
        if let Some(kinds) = kinds.filter(|_| is_quiet) {
            let kinds = kinds.iter().fold(0, |all, kind| all | kind.0);
            self.fact(GameFact::Happens(Kinds(kinds)));
        }
    }

    fn is_silent_value(&mut self, value: Value) -> bool {
        let effects = match value {
            Value::Bool(id) => self.analysis.bool(id),
            Value::Set(id) => self.analysis.set(id),
            Value::Num(id) => self.analysis.num(id),
            Value::Text(id) => self.analysis.text(id),
            Value::Pos(id) => self.analysis.pos(id),
        };
        self.is_silent(&effects)
    }

    fn predicate(&mut self, predicate: Predicate) {
        const CASTLES_SHORT: u16 = Kinds::WHITE_CASTLES_SHORT.0 | Kinds::BLACK_CASTLES_SHORT.0;
        const CASTLES_LONG: u16 = Kinds::WHITE_CASTLES_LONG.0 | Kinds::BLACK_CASTLES_LONG.0;
        let kinds = match predicate {
            Predicate::Check => Kinds::CHECK,
            Predicate::Mate => Kinds::MATE,
            Predicate::Stalemate => Kinds::STALEMATE,
            Predicate::NullMove => Kinds::NULL_MOVE,
            Predicate::EnPassant => Kinds::EN_PASSANT,
            Predicate::Castle => Kinds(CASTLES_SHORT | CASTLES_LONG),
            Predicate::ShortCastle => Kinds(CASTLES_SHORT),
            Predicate::LongCastle => Kinds(CASTLES_LONG),
            Predicate::Forced => return self.few_moves(1),
            Predicate::Variation | Predicate::Secondary => {
                return self.fact(GameFact::HasVariations);
            }
            Predicate::Initial
            | Predicate::Terminal
            | Predicate::Mainline
            | Predicate::VirtualMainline
            | Predicate::Primary
            | Predicate::Quiescent
            | Predicate::LegalPosition
            | Predicate::ReachablePosition
            | Predicate::VariantEnd
            | Predicate::VariantWin
            | Predicate::VariantLoss
            | Predicate::VariantDraw => return,
        };
        self.fact(GameFact::Happens(kinds));
    }

    /// Takes the conditions for a set to have a square, other than those on the board.
    fn set(&mut self, id: SetId) {
        match &self.program.sets[id.0 as usize] {
            SetFilter::Source(
                SetSource::PureMate | SetSource::ModelMate | SetSource::IdealMate,
            ) => self.fact(GameFact::Happens(Kinds::MATE)),
            SetFilter::Source(
                SetSource::PureStalemate | SetSource::ModelStalemate | SetSource::IdealStalemate,
            ) => self.fact(GameFact::Happens(Kinds::STALEMATE)),
            _ => {}
        }
    }

    /// Takes the conditions for a number to have a value.
    fn number(&mut self, id: NumId) {
        let program = self.program;
        match &program.nums[id.0 as usize] {
            NumFilter::Flow(Flow::Sort(_, sort)) => self.number(sort.body),
            NumFilter::Relation(relation, left, right) => self.compare(*relation, *left, *right),
            NumFilter::Path(path) => self.path(*path),
            NumFilter::Line(line) => self.line(line),
            NumFilter::Find(find) => self.find(find),
            NumFilter::Echo(echo) => self.echo(echo),
            NumFilter::Source(NumberSource::Try) => self.fact(GameFact::HasVariations),
            NumFilter::Source(
                NumberSource::Clock
                | NumberSource::Elapsed
                | NumberSource::Eval
                | NumberSource::EvalMate,
            ) => self.fact(GameFact::IsAnnotated),
            NumFilter::OfNumber(_, operand) | NumFilter::Arithmetic(_, operand, _) => {
                self.number(*operand);
            }
            NumFilter::Flow(Flow::At(position, number)) if self.is_in_game(*position) => {
                let found = self.apart(|this| this.number(*number));
                if !found.is_empty() {
                    self.take_elsewhere(found);
                }
            }
            _ => {}
        }
    }

    fn compare(&mut self, relation: Relation, left: NumId, right: NumId) {
        let program = self.program;
        if let Some(n) = most_moves(program, relation, left, right) {
            return self.few_moves(n);
        }
        let [of_left, of_right] = [left, right].map(|id| &program.nums[id.0 as usize]);
        if let (
            NumFilter::Source(counter @ (NumberSource::Ply | NumberSource::MoveNumber)),
            NumFilter::Constant(n),
        ) = (of_left, of_right)
        {
            let mut least = match relation {
                Relation::Greater => n.saturating_add(1),
                Relation::GreaterEqual | Relation::Equal => *n,
                _ => 0,
            };
            if *counter == NumberSource::MoveNumber {
                // Black may have moved first.
                least = least.saturating_sub(1).saturating_mul(2).saturating_sub(1);
            }
            if least > 0 {
                let plies = u16::try_from(least).unwrap_or(u16::MAX);
                self.fact(GameFact::Plies(plies));
            }
            return;
        }
        if let (NumFilter::Flow(Flow::At(position, number)), NumFilter::Constant(_)) =
            (of_left, of_right)
        {
            return self.compare_at(relation, (*position, *number), right);
        }
        self.number(left);
    }

    /// Takes the condition that a number at another position compares with a constant as required.
    fn compare_at(&mut self, relation: Relation, at: (PosId, NumId), right: NumId) {
        let (position, left) = at;
        let is_here = self.is_here(position);
        if !is_here && !self.is_in_game(position) {
            return;
        }
        let tests =
            tests_of_comparison(self.program, self.analysis, self.bound, (relation, left, right));
        if is_here {
            tests.iter().for_each(|test| self.test(test));
            return;
        }
        let found = self.apart(|this| tests.iter().for_each(|test| this.test(test)));
        self.take_elsewhere(found);
    }

    /// Takes the conditions for a position filter to have a value.
    fn position(&mut self, id: PosId) {
        let program = self.program;
        match &program.positions[id.0 as usize] {
            PosFilter::Find(find) => self.find(find),
            PosFilter::Path(path) => self.path(*path),
            PosFilter::Line(line) => self.line(line),
            _ => {}
        }
    }

    /// Whether a position filter is the variable that holds the current position.
    fn is_here(&self, id: PosId) -> bool {
        match self.program.positions[id.0 as usize] {
            PosFilter::Variable(variable, _) => self.here.variable == Some(variable),
            _ => false,
        }
    }

    /// Whether a position filter has no effects and yields a position of the game.
    fn is_in_game(&mut self, id: PosId) -> bool {
        match self.program.positions[id.0 as usize] {
            PosFilter::Variable(variable, _) => self.positions.contains(&variable),
            PosFilter::Source(_) | PosFilter::Child(_) => {
                let effects = self.analysis.pos(id);
                self.is_silent(&effects)
            }
            _ => false,
        }
    }

    fn find(&mut self, find: &Find) {
        let finds_one = match find.range {
            None => true,
            Some(range) => matches!(range.min, Bound::Constant(least) if least > 0),
        };
        if finds_one {
            self.elsewhere(&[find.body]);
        }
    }

    /// Takes the conditions of an echo on each of its positions, which have no effects.
    fn echo<B>(&mut self, echo: &Echo<B>) {
        let program = self.program;
        let plan = echo.plan.and_then(|plan| program.echo_plans.get(plan as usize));
        if let Some(plan) = plan {
            self.positions.extend([echo.source, echo.target]);
            let target = self.apart(|this| {
                this.here.variable = Some(echo.target);
                for &filter in &plan.target {
                    this.filter(filter);
                }
            });
            let pieces = plan.keys.iter().fold(0, |all, key| all | self.followed(key));
            if pieces & KINGS != 0 && plan.ascending && plan.distance > 1 {
                let (distance, material) = (plan.distance as usize, target.material.clone());
                self.fact(GameFact::Recurs(Recurrence { pieces, distance, material }));
            }
            self.take_elsewhere(target);
            self.elsewhere(&plan.source);
            self.positions.truncate(self.positions.len() - 2);
        }
    }

    /// Returns the kings and pawns that two positions must have on the same squares, as bits.
    fn followed(&self, key: &EchoKey) -> u16 {
        let EchoKey::Sets(target, source) = key else {
            return 0;
        };
        let [target, source] =
            [target, source].map(|set| designator(&self.program.sets[set.0 as usize]));
        match target.filter(|_| target == source) {
            Some((kinds, SquareSet::ALL)) if kinds.is_power_of_two() => kinds & FOLLOWED,
            _ => 0,
        }
    }

    fn path(&mut self, id: PathId) {
        let program = self.program;
        let path = &program.paths[id.0 as usize];
        let focus = path.focus.map(|focus| self.analysis.set(focus));
        let inside = self.analysis.inside_path(path);
        if !self.is_silent(&inside) || focus.is_some_and(|effects| !self.is_silent(&effects)) {
            return;
        }
        let has_gaps = path.focus.is_some() || path.flags.single_color;
        let chain = MoveChain::of_path(&path.automaton, has_gaps, |dash| self.wanted(dash));
        if let Some(chain) = chain {
            self.take(GameTest::Moves(chain));
        }
        self.required_moves(&path.automaton);
        self.required(&path.automaton);
    }

    /// Takes the conditions of every way through a path on the squares of pieces before and after
    /// its moves. They are faster to test than sequences of moves.
    fn required_moves(&mut self, automaton: &Automaton) {
        // Most moves of a long path want no squares.
        let wants_squares = |men: &PieceMask| men.squares != SquareSet::ALL;
        let is_wanted = |dash| {
            let wanted = self.wanted(dash);
            wanted.promotion.is_some() || wanted.places().iter().any(wants_squares)
        };
        for dash in automaton.required_moves(is_wanted) {
            self.promotion(self.wanted(dash));
            self.wanted(dash).places().into_iter().for_each(|men| self.stands_elsewhere(men));
        }
    }

    /// Takes the condition that a pawn promotes, if that is wanted of a move.
    fn promotion(&mut self, wanted: MovePattern) {
        if wanted.promotion.is_some() {
            self.fact(GameFact::Happens(Kinds::PROMOTION));
        }
    }

    /// Takes the condition that one of the pieces stands on one of the squares at some position.
    fn stands_elsewhere(&mut self, men: PieceMask) {
        if men.squares != SquareSet::ALL {
            let found = self.apart(|this| this.stands(men.kinds, men.squares));
            if !found.is_empty() {
                self.take_elsewhere(found);
            }
        }
    }

    fn line(&mut self, line: &LineFilter) {
        let inside = self.analysis.inside_line(line);
        if !line.may_be_empty && self.is_silent(&inside) {
            self.required(&line.automaton);
        }
    }

    /// Takes the filters that every match of a pattern evaluates, as conditions on some position.
    fn required(&mut self, automaton: &Automaton) {
        let program = self.program;
        let target = |dash: DashId| program.dashes[dash.0 as usize].target;
        let mut candidates: Vec<BoolId> = Vec::new();
        for node in automaton.nodes() {
            let filter = match node {
                PatternNode::Test(filter) | PatternNode::Take { filter, .. } => Some(*filter),
                PatternNode::Move(dash) => target(*dash),
                PatternNode::Fork(_)
                | PatternNode::Jump(_)
                | PatternNode::Head(_)
                | PatternNode::Tail(_)
                | PatternNode::End => None,
            };
            candidates.extend(filter.filter(|filter| !candidates.contains(filter)));
        }
        for filter in required(automaton, &candidates, target) {
            self.elsewhere(&[filter]);
        }
    }

    /// Returns the properties that a dash requires of a move at any position.
    fn wanted(&self, id: DashId) -> MovePattern {
        let dash = &self.program.dashes[id.0 as usize];
        let men = |set: Option<SetId>| {
            let designator = set.and_then(|set| designator(&self.program.sets[set.0 as usize]));
            designator.map_or(PieceMask::ANYTHING, |(kinds, squares)| PieceMask { kinds, squares })
        };
        MovePattern {
            capture: dash.capture,
            left: men(dash.left),
            right: men(dash.right),
            promotion: match dash.promotion {
                None => None,
                Some(Promotion::Roles(roles)) => Some(roles),
                Some(Promotion::Any | Promotion::Text(_)) => Some(u8::MAX),
            },
        }
    }

    fn dash(&mut self, id: DashId) {
        // The operands come first, and the target only after a move that is wanted.
        let dash = &self.program.dashes[id.0 as usize];
        let text = match dash.promotion {
            Some(Promotion::Text(text)) => Some(Value::Text(text)),
            _ => None,
        };
        let sets = [dash.left, dash.right].map(|set| set.map(Value::Set));
        let mut operands = sets.into_iter().chain([text]).flatten();
        if !operands.all(|operand| self.is_silent_value(operand)) {
            return;
        }
        let wanted = self.wanted(id);
        self.promotion(wanted);
        self.take(GameTest::Moves(MoveChain::of_move(wanted)));
        self.elsewhere(dash.target.as_slice());
    }

    fn played_move(&mut self, filter: &MoveFilter) {
        if !matches!(filter.mode, MoveMode::Next | MoveMode::Previous) {
            return;
        }
        for (is_asked, kinds) in [
            (filter.capture.is_some(), Kinds::CAPTURE),
            (filter.promote.is_some(), Kinds::PROMOTION),
            (filter.en_passant, Kinds::EN_PASSANT),
            (filter.null, Kinds::NULL_MOVE),
        ] {
            if is_asked {
                self.fact(GameFact::Happens(kinds));
            }
        }
    }

    /// Returns the reason that a filter has no conditions.
    fn reason(&self, filter: &BoolFilter) -> UnscreenedReason {
        match filter {
            BoolFilter::Not(_)
            | BoolFilter::SetsDiffer(..)
            | BoolFilter::NumbersDiffer(..)
            | BoolFilter::TextsDiffer(..) => UnscreenedReason::Complement,
            BoolFilter::NonEmpty(set) | BoolFilter::CompareCount(_, set, _) => self.of_set(*set),
            BoolFilter::HasNumber(number) | BoolFilter::CompareNumbers(_, number, _) => {
                self.of_number(*number)
            }
            BoolFilter::Constant(true) | BoolFilter::Turn(_) | BoolFilter::Predicate(_) => {
                UnscreenedReason::Everywhere
            }
            _ => UnscreenedReason::Other,
        }
    }

    fn of_set(&self, id: SetId) -> UnscreenedReason {
        match &self.program.sets[id.0 as usize] {
            SetFilter::Attacks(..) | SetFilter::AttackedBy(..) => UnscreenedReason::Attacks,
            SetFilter::Pin(_) => UnscreenedReason::Pins,
            SetFilter::Ray(_) => UnscreenedReason::Rays,
            SetFilter::PawnStructure(_) => UnscreenedReason::PawnStructure,
            SetFilter::Legal(_) => UnscreenedReason::LegalMoves,
            SetFilter::Complement(_) => UnscreenedReason::Complement,
            SetFilter::Intersect(left, right) | SetFilter::Union(left, right) => {
                match self.of_set(*left) {
                    UnscreenedReason::Other => self.of_set(*right),
                    reason => reason,
                }
            }
            SetFilter::Loop(square_loop) => self.reason_of(square_loop.body),
            _ => UnscreenedReason::Other,
        }
    }

    fn of_number(&self, id: NumId) -> UnscreenedReason {
        match &self.program.nums[id.0 as usize] {
            NumFilter::CountMoves(Countable::Legal(_)) => UnscreenedReason::LegalMoves,
            NumFilter::AttackPairs(..) => UnscreenedReason::Attacks,
            NumFilter::RayCount(_) => UnscreenedReason::Rays,
            NumFilter::Cardinality(set) => self.of_set(*set),
            NumFilter::Relation(_, left, _) => self.of_number(*left),
            _ => UnscreenedReason::Other,
        }
    }

    /// Returns the reason that the first filter of a body has no conditions.
    fn reason_of(&self, id: BoolId) -> UnscreenedReason {
        match &self.program.bools[id.0 as usize] {
            BoolFilter::All(items) => match items.first() {
                Some(first) => self.reason_of(*first),
                None => UnscreenedReason::Other,
            },
            filter => self.reason(filter),
        }
    }
}

/// Returns the pieces of an image, without requirements that an empty square may meet.
fn men_of_image(image: Vec<Requirement>) -> Image {
    let men = image.into_iter().map(|requirement| match requirement {
        Requirement::Piece(piece, squares) => PieceMask { kinds: kind(piece), squares },
        Requirement::Kinds(kinds, squares) => PieceMask { kinds, squares },
    });
    let mut men: Vec<PieceMask> = men.filter(|men| men.kinds & EMPTY == 0).collect();
    men.sort_by_cached_key(|men| commonness(*men));
    Image::new(men)
}

//! Finds repetitions of any move, which a search can skip at once.
//!
//! `first-- (--)* second--` leaves a gap of any length between two moves. The search as it is
//! defined goes through the gap move by move, and at each position tries the rest of the pattern
//! before it goes on. In effect it tries the rest of the pattern at the position of the gap and at
//! all that follow from it, in their order; so a search may go there directly (`eval`,
//! `path::gap`). It leaves out only the moves of the gap: a dash without operands and target
//! matches whatever the move, and taking such a move back has nothing to restore, because the
//! filters that are evaluated at its position without a move of their own may not make comments or
//! change variables.
//!
//! Moreover, a move that must follow the gap is known in part: `second--{to in between(a b)}`
//! begins on the squares of `second` and ends between `a` and `b`. At positions that no such move
//! follows, the rest of the pattern cannot match. If everything that would be evaluated there
//! before the failure leaves no trace, it is not evaluated at all. Whether the variables that it
//! reads are bound is checked when the gap is reached.
//!
//! In the same way, moves are known that every match makes after the first one: a path that ends
//! with `--home` needs a move to `home`. If none follows, the search is left out, provided that a
//! search that finds nothing leaves no trace: it gives its old values back to each variable that it
//! writes, and a variable that it reads is bound before it begins, or assigned on every way to
//! where it is read.

use board::SquareSet;
use syntax::builtin::{SetToNumber, SetsToSet};
use syntax::tree::{PathFlags, Relation, VariableId};

use super::choices::LoopVariables;
use super::peephole::designator;
use crate::automaton::{Automaton, Instr, PatternNode, Strategy};
use crate::effects::{Analysis, Effects, Flags};
use crate::facts::ANYTHING;
use crate::program::plan::{Gap, MAX_WAYS, MoveSquares, Needs, SoughtMove, Squares};
use crate::program::*;

/// Finds the gaps of all paths, and the moves that they need.
pub(super) fn find(program: &mut Program) {
    let mut analysis = Analysis::new(program);
    let bound = LoopVariables::of(program, &mut analysis);
    let found: Vec<(Box<[Gap]>, Option<Needs>)> = (program.paths.iter())
        .map(|path| {
            let mut finder = GapFinder::new(program, &mut analysis, path);
            (finder.gaps(), finder.needs(&bound))
        })
        .collect();
    let any_moves: Vec<_> = program.paths.iter().map(|path| any_moves(program, path)).collect();
    for (path, any_moves) in program.paths.iter_mut().zip(any_moves) {
        path.automaton.any_moves = any_moves;
    }
    for (path, (gaps, needs)) in program.paths.iter_mut().zip(found) {
        path.automaton.gaps = gaps;
        path.automaton.needs = needs.map(Box::new);
    }
}

/// Least and greatest number of moves of a path that is any moves, of which most are best.
fn any_moves(program: &Program, path: &Path) -> Option<(u32, u32)> {
    let PathFlags { firstmatch, keepallbest, primary, .. } = path.flags;
    let (dash, least, most) = path.automaton.only_dash()?;
    let is_plain = path.max.is_none() && !firstmatch && !keepallbest && !primary;
    (is_plain && is_any_move(&program.dashes[dash.0 as usize])).then_some((least, most))
}

struct GapFinder<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    path: &'p Path,
}

impl<'a, 'p> GapFinder<'a, 'p> {
    fn new(program: &'p Program, analysis: &'a mut Analysis<'p>, path: &'p Path) -> Self {
        GapFinder { program, analysis, path }
    }

    fn gaps(&mut self) -> Box<[Gap]> {
        let path = self.path;
        let is_tabled = path.automaton.strategy != Strategy::Plain;
        if is_tabled || path.focus.is_some() || path.flags.single_color || path.flags.primary {
            return Box::default();
        }
        let repeated = path.automaton.repeated_dashes();
        let gaps = repeated.filter_map(|repeated| {
            let dash = &self.program.dashes[repeated.dash.0 as usize];
            let asked = path.automaton.before_taking(repeated.exit);
            (is_any_move(dash) && self.can_be_passed_over(&asked)).then(|| Gap {
                node: repeated.node,
                sought: self.sought(&asked, repeated.exit).map(Box::new),
            })
        });
        gaps.collect()
    }

    /// Whether the filters that are evaluated at each position of a gap change nothing that taking
    /// back its moves would restore: tests, the operands of dashes, and `max` if the pattern may
    /// end.
    fn can_be_passed_over(&mut self, asked: &[PatternNode]) -> bool {
        asked.iter().all(|node| match *node {
            PatternNode::Test(filter) => leaves_nothing(&self.analysis.bool(filter)),
            PatternNode::Move(dash) => {
                let dash = &self.program.dashes[dash.0 as usize];
                let mut operands = [dash.left, dash.right].into_iter().flatten();
                operands.all(|set| leaves_nothing(&self.analysis.set(set)))
            }
            PatternNode::End => {
                let max = self.path.max;
                max.is_none_or(|max| leaves_nothing(&self.analysis.num(max)))
            }
            _ => true,
        })
    }

    /// The move that must come first after a gap, if everything evaluated before it leaves no
    /// trace.
    fn sought(&mut self, asked: &[PatternNode], exit: u32) -> Option<SoughtMove> {
        let mut required = Vec::new();
        let mut dash = None;
        for node in asked {
            match node {
                PatternNode::Test(filter) => {
                    let effects = self.analysis.bool(*filter);
                    if !is_silent(&effects, &mut required) {
                        return None;
                    }
                }
                PatternNode::Move(id) if dash.is_none() => dash = Some(*id),
                _ => return None,
            }
        }
        let dash = &self.program.dashes[dash?.0 as usize];
        for set in [dash.left, dash.right].into_iter().flatten() {
            let effects = self.analysis.set(set);
            if !is_silent(&effects, &mut required) {
                return None;
            }
        }
        let target = dash.target.filter(|_| !matches!(dash.promotion, Some(Promotion::Text(_))));
        let mut sought = self.known(dash, target, &mut required)?;
        required.sort_by_cached_key(|&variable| variable);
        required.dedup();
        sought.changes = required.iter().any(|variable| self.changes(*variable, exit));
        sought.required = required.into_iter().map(VariableId).collect();
        Some(sought)
    }

    /// Returns the facts about a move that a dash with this target admits; `None` if it may be any. The
    /// variables that must be bound for the target are added to `required`.
    fn known(
        &mut self,
        dash: &Dash,
        target: Option<BoolId>,
        required: &mut Vec<u32>,
    ) -> Option<SoughtMove> {
        let mut sought = SoughtMove {
            kinds: ANYTHING,
            captures: dash.capture,
            piece: None,
            ways: Box::default(),
            required: Box::default(),
            changes: false,
        };
        let mut way = MoveSquares::ANY;
        if let Some(left) = dash.left {
            let program = self.program;
            match &program.sets[left.0 as usize] {
                SetFilter::PieceVariable(variable, _) => sought.piece = Some(*variable),
                filter => sought.kinds = designator(filter).map_or(ANYTHING, |(kinds, _)| kinds),
            }
            way.from = self.squares(left);
        }
        if let Some(right) = dash.right {
            way.to = self.squares(right);
        }
        let mut ways = vec![way];
        if let Some(target) = target {
            ways = both(ways, &self.ways(target, required).0);
        }
        let is_any = sought.kinds == ANYTHING && !sought.captures && sought.piece.is_none();
        sought.ways = ways.into();
        (!is_any || !sought.ways.contains(&MoveSquares::ANY)).then_some(sought)
    }

    /// Returns the moves that a match needs, if a search that finds nothing leaves no trace.
    fn needs(&mut self, bound: &LoopVariables) -> Option<Needs> {
        let (program, path) = (self.program, self.path);
        let inside = self.analysis.inside_path(path);
        let leaves_traces = inside.flags.has(Flags::ACTS | Flags::HARD_FAULTS)
            || !bound.may_enter(&inside)
            || inside.writes.iter().any(|&v| !path.atomic.contains(&VariableId(v)));
        if leaves_traces || program.bools.iter().any(|b| matches!(b, BoolFilter::Unbind(_))) {
            return None;
        }
        let mut required = self.read_before_assigned(&inside);
        required.retain(|&variable| !bound.has(VariableId(variable)));
        let mut sought = |id: DashId| {
            let dash = &program.dashes[id.0 as usize];
            let operands = [dash.left, dash.right].into_iter().flatten();
            let changes = |set| {
                let reads = self.analysis.set(set).reads;
                reads.iter().any(|variable| inside.writes.contains(variable))
            };
            if path.automaton.opening == Some(id) || operands.into_iter().any(changes) {
                return None;
            }
            let sought = self.known(dash, None, &mut Vec::new())?;
            (path.focus.is_some() || sought.depends()).then_some(sought)
        };
        let required_moves = path.automaton.required_moves(|dash| sought(dash).is_some());
        let moves: Vec<SoughtMove> = required_moves.into_iter().filter_map(sought).collect();
        let needs = Needs {
            n_moves: path.automaton.least(),
            moves: moves.into(),
            required: required.into_iter().map(VariableId).collect(),
        };
        (needs.n_moves > 1 || !needs.moves.is_empty()).then_some(needs)
    }

    /// The variables that may be read before the path assigns them.
    fn read_before_assigned(&mut self, inside: &Effects) -> Vec<u32> {
        let (program, path) = (self.program, self.path);
        let (mut assigned, mut read) = (Vec::new(), Vec::new());
        let mut note = |effects: &Effects, assigned: &[u32]| {
            read.extend(effects.reads.iter().filter(|variable| !assigned.contains(variable)));
        };
        let mut state = Automaton::START;
        let mut seen = 0;
        while seen < path.automaton.nodes().len() {
            seen += 1;
            let (filter, next) = match path.automaton.step(state, u32::MAX) {
                Instr::Test(filter, next) => (Some(filter), next),
                Instr::Move(id, next) => {
                    let dash = &program.dashes[id.0 as usize];
                    if matches!(dash.promotion, Some(Promotion::Text(_))) {
                        break;
                    }
                    for set in [dash.left, dash.right].into_iter().flatten() {
                        note(&self.analysis.set(set), &assigned);
                    }
                    (dash.target, next)
                }
                _ => break,
            };
            state = next;
            for item in filter.iter().flat_map(|filter| program.conjuncts(filter)) {
                note(&self.analysis.bool(*item), &assigned);
                if let BoolFilter::Assign(variable, _)
                | BoolFilter::AssignNonEmpty(variable, _)
                | BoolFilter::AssignPiece(variable, _) = program.bools[item.0 as usize]
                {
                    assigned.push(variable.0);
                }
            }
        }
        note(inside, &assigned);
        read.sort_by_cached_key(|&variable| variable);
        read.dedup();
        read
    }

    /// Whether the search of the rest of the pattern may change a variable.
    fn changes(&mut self, variable: u32, exit: u32) -> bool {
        let path = self.path;
        let mut evaluated = Vec::new();
        for node in path.automaton.behind(exit) {
            match node {
                PatternNode::Test(filter) => evaluated.push(self.analysis.bool(filter)),
                PatternNode::Move(dash) => evaluated.push(self.analysis.dash(dash)),
                _ => {}
            }
        }
        evaluated.extend(path.max.map(|max| self.analysis.num(max)));
        let mut evaluated = evaluated.iter();
        evaluated.any(|it| it.writes.contains(&variable) || it.loops.contains(&variable))
    }

    /// The squares of a set, or a larger set of squares.
    fn squares(&self, set: SetId) -> Squares {
        let filter = &self.program.sets[set.0 as usize];
        if let Some((_, squares)) = designator(filter) {
            return Squares::These(squares);
        }
        match filter {
            _ if self.is_the_same_everywhere(set) => Squares::Set(set),
            SetFilter::Intersect(left, right) => {
                Squares::all(vec![self.squares(*left), self.squares(*right)])
            }
            SetFilter::Union(left, right) => {
                Squares::any(vec![self.squares(*left), self.squares(*right)])
            }
            _ => Squares::EVERY,
        }
    }

    /// Whether the value of a set depends on nothing but variables.
    fn is_the_same_everywhere(&self, set: SetId) -> bool {
        match &self.program.sets[set.0 as usize] {
            SetFilter::Constant(_) | SetFilter::Variable(..) => true,
            SetFilter::Complement(operand) => self.is_the_same_everywhere(*operand),
            SetFilter::Union(left, right)
            | SetFilter::Intersect(left, right)
            | SetFilter::OfSets(SetsToSet::Between, left, right) => {
                self.is_the_same_everywhere(*left) && self.is_the_same_everywhere(*right)
            }
            SetFilter::Direction(_, range, operand, _) => {
                let is_constant =
                    |bound: &Bound| matches!(bound, Bound::Constant(n) if (-7..=7).contains(n));
                is_constant(&range.min)
                    && is_constant(&range.max)
                    && self.is_the_same_everywhere(*operand)
            }
            _ => false,
        }
    }

    /// The ways of a move that a filter after it permits, and whether the filter leaves no trace.
    fn ways(&mut self, filter: BoolId, required: &mut Vec<u32>) -> (Vec<MoveSquares>, bool) {
        let program = self.program;
        let anything = vec![MoveSquares::ANY];
        let node = &program.bools[filter.0 as usize];
        if let BoolFilter::All(items) = node {
            let mut ways = anything;
            for &item in items {
                let (more, silent) = self.ways(item, required);
                ways = both(ways, &more);
                if !silent {
                    return (ways, false);
                }
            }
            return (ways, true);
        }
        let effects = self.analysis.bool(filter);
        // a filter that reads an unbound variable may be evaluated only after the filters before it
        let mut read = Vec::new();
        if !is_silent(&effects, &mut read) {
            return (anything, false);
        }
        required.extend(read);
        let ways = match node {
            BoolFilter::Any(items) => {
                let ways = items.iter().flat_map(|&item| self.ways(item, required).0);
                let ways: Vec<MoveSquares> = ways.collect();
                if ways.len() <= MAX_WAYS { ways } else { anything }
            }
            BoolFilter::NonEmpty(set) => match program.sets[set.0 as usize] {
                SetFilter::Intersect(left, right) => {
                    let left_known = self.one_in(left, right);
                    vec![left_known.and(&self.one_in(right, left))]
                }
                _ => anything,
            },
            BoolFilter::Subset(left, right) => vec![self.all_in(*left, *right)],
            BoolFilter::SetsEqual(left, right) => {
                let left_known = self.all_in(*left, *right);
                vec![left_known.and(&self.all_in(*right, *left))]
            }
            BoolFilter::CompareNumbers(Relation::Equal, left, right) => {
                vec![self.coordinate(*left, *right)]
            }
            _ => anything,
        };
        (ways, true)
    }

    /// The way of a move if one of `squares` is in a set; any way unless `squares` belong to the
    /// move.
    fn one_in(&self, squares: SetId, set: SetId) -> MoveSquares {
        match self.program.sets[squares.0 as usize] {
            SetFilter::OfSets(SetsToSet::Between, a, b) if self.are_ends(a, b) => {
                MoveSquares { over: self.squares(set), ..MoveSquares::ANY }
            }
            _ => self.end_in(squares, self.squares(set)),
        }
    }

    /// The way of a move if all of `squares` are in a set; any way unless one of the two belongs to
    /// the move.
    fn all_in(&self, squares: SetId, set: SetId) -> MoveSquares {
        match self.program.sets[set.0 as usize] {
            // the empty set is a subset of the squares between any others
            SetFilter::OfSets(SetsToSet::Between, a, b)
                if self.are_ends(a, b) && self.is_the_same_everywhere(squares) =>
            {
                MoveSquares { over: Squares::SetUnlessEmpty(squares), ..MoveSquares::ANY }
            }
            _ => self.end_in(squares, self.squares(set)),
        }
    }

    /// The way of a move whose end, if `end` is one, is among the squares.
    fn end_in(&self, end: SetId, squares: Squares) -> MoveSquares {
        match self.program.sets[end.0 as usize] {
            SetFilter::From { .. } => MoveSquares { from: squares, ..MoveSquares::ANY },
            SetFilter::To { .. } => MoveSquares { to: squares, ..MoveSquares::ANY },
            _ => MoveSquares::ANY,
        }
    }

    /// Whether these are both ends of the move.
    fn are_ends(&self, a: SetId, b: SetId) -> bool {
        let set = |id: SetId| &self.program.sets[id.0 as usize];
        matches!(
            (set(a), set(b)),
            (SetFilter::From { .. }, SetFilter::To { .. })
                | (SetFilter::To { .. }, SetFilter::From { .. })
        )
    }

    /// The way of a move if `rank from == 2` or a similar comparison holds.
    fn coordinate(&self, left: NumId, right: NumId) -> MoveSquares {
        let number = |id: NumId| &self.program.nums[id.0 as usize];
        let &NumFilter::Constant(n @ 1..=8) = number(right) else {
            return MoveSquares::ANY;
        };
        match number(left) {
            NumFilter::OfSet(SetToNumber::Rank, end) => {
                self.end_in(*end, Squares::These(SquareSet::rank(n as u8 - 1)))
            }
            NumFilter::OfSet(SetToNumber::File, end) => {
                self.end_in(*end, Squares::These(SquareSet::file(n as u8 - 1)))
            }
            _ => MoveSquares::ANY,
        }
    }
}

/// The ways that both lists permit; the first list if these would be too many.
fn both(ways: Vec<MoveSquares>, others: &[MoveSquares]) -> Vec<MoveSquares> {
    if ways.len() * others.len() > MAX_WAYS {
        return ways;
    }
    let pairs = (ways.iter()).flat_map(|way| others.iter().map(|other| way.and(other)));
    pairs.collect()
}

/// Whether taking a move back has nothing to restore.
fn leaves_nothing(effects: &Effects) -> bool {
    effects.is_pure() && !effects.flags.has(Flags::COMMENTS)
}

/// Whether evaluating leaves no trace if all the variables that are added to `required` are bound.
fn is_silent(effects: &Effects, required: &mut Vec<u32>) -> bool {
    required.extend(&effects.reads);
    effects.is_pure() && !effects.flags.has(Flags::COMMENTS | Flags::OTHER_FAULTS)
}

/// Whether a dash matches all moves.
fn is_any_move(dash: &Dash) -> bool {
    !dash.capture
        && dash.left.is_none()
        && dash.right.is_none()
        && dash.promotion.is_none()
        && dash.target.is_none()
}

#[cfg(test)]
mod tests {
    use super::super::testing;
    use super::*;

    /// The gaps of the last path of a query.
    fn gaps(query: &str) -> Box<[Gap]> {
        let program = testing::compiled(query);
        program.paths.last().expect("a path").automaton.gaps.clone()
    }

    #[test]
    fn gaps_are_recognized() {
        let check = |query: &str, n_gaps, n_sought| {
            let gaps = gaps(query);
            let sought = gaps.iter().filter(|gap| gap.sought.is_some());
            let found = (gaps.len(), sought.count());
            assert_eq!(found, (n_gaps, n_sought), "{query}");
        };
        // a table does as well if nothing is assigned
        check("path R-- (--)* Q--", 0, 0);
        check("path R-- {$x=to} (--)* Q--", 1, 1);
        check("path R-- {$x=to} --* Q--", 1, 1);
        check("path R-- {$x=to} --{2,5} Q--", 1, 1);
        check("path R-- {$x=to} --? Q--", 0, 0);
        check("path R-- {$x=to} --* -- check", 1, 0);
        check("path R-- {$x=to} --* [x]", 1, 1);
        check("path R-- {$x=to} --* --* Q--", 2, 1);
        check("path R-- {$x=to} --* wtm Q--", 1, 1);
        check("path R-- {$x=to} --*", 1, 0);
        // moves of a gap must be of any kind
        check("path R-- {$x=to} P--* Q--", 0, 0);
        check("path R-- {$x=to} --{1} (-- check)* Q--", 0, 0);
        // the rest of the pattern must leave no trace before its move
        check("path R-- {$x=to} --* comment(\"c\") Q--", 0, 0);
        check("path R-- {$x=to} --* $y=K Q--", 0, 0);
        check("path R-- {$x=to} --* {comment(\"c\") Q}--", 0, 0);
        check("path max ply R-- {$x=to} --*", 1, 0);
        check("path max {comment(\"c\") ply} R-- {$x=to} --*", 0, 0);
        check("path max {$y=ply $y} R-- {$x=to} --*", 0, 0);
        check("path max {$y=ply $y} R-- {$x=to} --* Q--", 1, 1);
        check("path focus R -- {$x=to} --* Q--", 0, 0);
        check("path primary R-- {$x=to} --* Q--", 0, 0);
    }

    #[test]
    fn moves_that_a_match_needs_are_recognized() {
        let check = |query: &str, want| {
            let program = testing::compiled(query);
            let needs = &program.paths.last().expect("a path").automaton.needs;
            let found = needs.as_ref().map(|n| (n.n_moves, n.moves.len(), n.required.len()));
            assert_eq!(found, want, "{query}");
        };
        check("path --", None);
        check("path -- --", Some((2, 0, 0)));
        check("piece x in P {path focus x --{8,}}", Some((8, 0, 0)));
        check("home=Ke1 path K-- --* K--home", Some((2, 1, 1)));
        check("path focus K -- --a-h4 --?", Some((2, 1, 0)));
        // without a focus, other tests know such a move
        check("path K-- --a-h4", Some((2, 0, 0)));
        check("home=Ke1 path K-- (K--home)*", None);
        // a variable that the path changes is not known before
        check("path K-- {atomic x=to} -- --x", Some((3, 0, 0)));
        check("y=Ke1 path K-- {atomic x=y|to} -- --y", Some((3, 1, 1)));
        // its old value does not come back
        check("path K-- {x=to} -- --x", None);
        check("path K-- {message(\"x\") true} -- --", None);
    }

    #[test]
    fn repetitions_of_any_move_are_recognized() {
        let check = |query: &str, want| {
            let program = testing::compiled(query);
            assert_eq!(program.paths[0].automaton.any_moves, want, "{query}");
        };
        check("path --{8,}", Some((8, u32::MAX)));
        check("path focus K --{2,5}", Some((2, 5)));
        check("path --*", Some((0, u32::MAX)));
        check("path --+", Some((1, u32::MAX)));
        check("path firstmatch --+", None);
        check("path --+ check", None);
        check("path K--+", None);
        check("path max ply --+", None);
    }

    #[test]
    fn a_move_is_known_by_its_ends() {
        let known = |target: &str| {
            let gaps = gaps(&format!("path -- {{$x=to}} --* -- {{{target}}}"));
            gaps[0].sought.as_ref().map(|sought| {
                let all = |end: fn(&MoveSquares) -> &Squares| {
                    let mut ways = sought.ways.iter();
                    ways.all(|way| *end(way) != Squares::EVERY)
                };
                (all(|way| &way.from), all(|way| &way.to), all(|way| &way.over))
            })
        };
        let check = |target: &str, knows_from, knows_to| {
            let want = (knows_from || knows_to).then_some((knows_from, knows_to, false));
            assert_eq!(known(target), want, "{target}");
        };
        check("to==$x", false, true);
        check("$x==to", false, true);
        check("from in $x", true, false);
        check("$x in to", false, false);
        check("to & $x", false, true);
        check("from & between($x a1)", true, false);
        check("to in between($x a1) or to==$x", false, true);
        check("to==$x from==a1", true, true);
        check("not check to==$x", false, true);
        check("rank to==8", false, true);
        check("file from==9", false, false);
        check("not to==$x", false, false);
        // the position may determine the squares that a piece attacks
        check("to & (K attacks $x)", false, false);
        // later filters are not considered if this one has an effect
        check("to==$x comment(\"c\")", false, true);
        check("comment(\"c\") to==$x", false, false);
        check("$y=K to==$x", false, false);
        // squares between the ends are known, and there may be several ways
        assert_eq!(known("$x in between(from to)"), Some((false, false, true)));
        assert_eq!(known("between(to from) & $x"), Some((false, false, true)));
        assert_eq!(known("R in between(from to)"), None);
        assert_eq!(known("Ra-h4 & between(from to)"), Some((false, false, true)));
        assert_eq!(known("to==$x or from==$x"), Some((false, false, false)));
        assert_eq!(known("to==$x or check"), None);
    }

    #[test]
    fn what_is_known_may_change_behind_the_gap() {
        let check = |rest: &str, want: bool| {
            let gaps = gaps(&format!("path -- {{$x=to}} --* -- {{to==$x}} {rest}"));
            let sought = gaps[0].sought.as_ref().expect("a move");
            assert_eq!(sought.changes, want, "{rest}");
        };
        check("", false);
        check("-- {$y=to}", false);
        check("-- {$x=to}", true);
        check("--? $x=K", true);
    }
}

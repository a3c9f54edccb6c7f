//! Finds conditions on the board that a filter implies, even if it is about more.
//!
//! A part that is not about the board (`parent:{…}`, a variable, a path) is left out of a condition,
//! or rather replaced by all squares: what is then found includes what the filter finds. Under `not`
//! it is replaced by no squares. Of `square s in [BRQ] { s attacks q parent:{not s attacks q} }`, an
//! attack on a queen is left. Such conditions often hold, and then only add to the work. They pay
//! if several positions are [tested at once](Program::wide_screen).

use board::{Color, Piece, Role, SquareSet};
use syntax::tree::{Relation, VariableId};

use super::super::peephole::{designator, steps};
use super::{BoardChoice, BoardCondition, BoardSet, Compared};
use crate::facts::{ALL_PIECES, kind};
use crate::program::plan::{MoveEnd, OtherSquares, PieceMask, SquareCondition};
use crate::program::{BoolFilter, Dash, Flow, Program, SetFilter, SetId, SquareLoop};

const NOTHING: BoardSet = BoardSet::Constant(SquareSet::EMPTY);
const EVERYTHING: BoardSet = BoardSet::Constant(SquareSet::ALL);

/// Finds sets that include others, or that others include.
pub(in crate::opt) struct Widener<'p> {
    program: &'p Program,
    /// For some variables, a set that includes the squares that they hold.
    known: Vec<(VariableId, BoardSet)>,
}

/// The side of a set on which another one is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    /// It includes the set.
    Around,
    /// The set includes it.
    Inside,
}

impl Side {
    fn other(self) -> Side {
        match self {
            Side::Around => Side::Inside,
            Side::Inside => Side::Around,
        }
    }

    /// The side of the pieces if a comparison of the number of their attacks is on this side; `None`
    /// if the pieces must be known.
    fn of_counted(self, relation: Relation) -> Option<Side> {
        match relation {
            Relation::Greater | Relation::GreaterEqual => Some(self),
            Relation::Less | Relation::LessEqual => Some(self.other()),
            _ => None,
        }
    }

    /// The set in place of one of which nothing is known.
    fn unknown(self) -> BoardSet {
        match self {
            Side::Around => EVERYTHING,
            Side::Inside => NOTHING,
        }
    }

    /// The condition in place of one of which nothing is known.
    fn unknown_choice(self) -> BoardChoice {
        match self {
            Side::Around => always(),
            Side::Inside => BoardChoice::Any(Box::default()),
        }
    }
}

fn always() -> BoardChoice {
    BoardChoice::All(Box::default())
}

impl<'p> Widener<'p> {
    pub(in crate::opt) fn new(program: &'p Program) -> Widener<'p> {
        Widener { program, known: Vec::new() }
    }

    /// Returns a condition that holds wherever the filter matches, if there is one that is about
    /// more than pieces on squares.
    pub(in crate::opt) fn condition(&mut self, filter: &BoolFilter) -> Option<BoardCondition> {
        if let BoolFilter::NonEmpty(set) = filter {
            return self.not_empty(*set);
        }
        match Compared::of(self.program, filter)? {
            Compared::Count(relation, set, n) => {
                let relation = without_equality(relation, n);
                let set = self.set(set, Side::Around.of_counted(relation)?);
                set.asks_for_more().then_some(BoardCondition::Count(relation, set, n))
            }
            Compared::Pairs(relation, sets, n) => {
                let relation = without_equality(relation, n);
                let side = Side::Around.of_counted(relation)?;
                let sets = sets.map(|set| self.set(set, side));
                let says_something = !sets.contains(&NOTHING);
                says_something.then(|| BoardCondition::Pairs(relation, Box::new(sets), n))
            }
        }
    }

    /// Returns a condition that holds wherever a loop finds a square or may have an effect.
    pub(in crate::opt) fn loop_condition(
        &mut self,
        square_loop: &SquareLoop,
    ) -> Option<BoardCondition> {
        let set = self.loop_squares(square_loop, Side::Around);
        set.asks_for_more().then_some(BoardCondition::NotEmpty(set))
    }

    fn not_empty(&mut self, set: SetId) -> Option<BoardCondition> {
        let set = self.set(set, Side::Around);
        set.asks_for_more().then_some(BoardCondition::NotEmpty(set))
    }

    /// Returns conditions that hold after each move of a dash.
    pub(in crate::opt) fn played(&self, dash: &Dash) -> Vec<BoardCondition> {
        let men = |set: Option<SetId>| {
            let designator = set.and_then(|set| designator(&self.program.sets[set.0 as usize]));
            designator.map_or(PieceMask::ANYTHING, |(kinds, squares)| PieceMask { kinds, squares })
        };
        let (left, right) = (men(dash.left), men(dash.right));
        let is_on = |set: BoardSet, end: MoveEnd| {
            BoardCondition::NotEmpty(intersection(set, BoardSet::Played(end)))
        };
        let mut conditions = Vec::new();
        if left.kinds & ALL_PIECES != ALL_PIECES {
            let mut movers = vec![BoardSet::Kinds(left.kinds & ALL_PIECES, SquareSet::ALL)];
            // A pawn may have become another piece.
            for (color, rank) in Color::ALL.into_iter().zip([7, 0]) {
                let kind = |role| kind(Piece { color, role });
                if left.kinds & kind(Role::Pawn) != 0 {
                    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
                    let kinds = roles.into_iter().fold(0, |all, role| all | kind(role));
                    movers.push(BoardSet::Kinds(kinds, SquareSet::rank(rank)));
                }
            }
            conditions.push(is_on(BoardSet::Union(movers.into()), MoveEnd::To));
        }
        for (squares, end) in [(left.squares, MoveEnd::From), (right.squares, MoveEnd::To)] {
            if squares != SquareSet::ALL {
                conditions.push(is_on(BoardSet::Constant(squares), end));
            }
        }
        conditions
    }

    /// Notes that a variable holds squares of a set only, until [`Widener::leave`] is called.
    pub(in crate::opt) fn enter(&mut self, variable: VariableId, domain: SetId) {
        let domain = self.set(domain, Side::Around);
        self.known.push((variable, domain));
    }

    /// Forgets what was noted last.
    pub(in crate::opt) fn leave(&mut self) {
        self.known.pop();
    }

    fn set(&mut self, id: SetId, side: Side) -> BoardSet {
        let program = self.program;
        if let Some(set) = BoardSet::of(program, id) {
            return set;
        }
        match &program.sets[id.0 as usize] {
            SetFilter::Union(left, right) => {
                union([*left, *right].map(|id| self.set(id, side)).into())
            }
            SetFilter::Intersect(left, right) => {
                intersection(self.set(*left, side), self.set(*right, side))
            }
            SetFilter::Complement(operand) => match self.set(*operand, side.other()) {
                BoardSet::Constant(squares) => BoardSet::Constant(!squares),
                set => BoardSet::Complement(Box::new(set)),
            },
            SetFilter::Attacks(left, right) => {
                self.pair([*left, *right], side, BoardSet::Attackers)
            }
            SetFilter::AttackedBy(left, right) => {
                self.pair([*left, *right], side, BoardSet::Attacked)
            }
            SetFilter::Direction(directions, range, operand, _) => {
                let operand = self.set(*operand, side);
                match steps(directions, *range) {
                    _ if operand == NOTHING => NOTHING,
                    Some(steps) => BoardSet::Shifted(steps, Box::new(operand)),
                    None => side.unknown(),
                }
            }
            SetFilter::Orbit(images) => {
                union(images.iter().map(|&image| self.set(image, side)).collect())
            }
            SetFilter::Ray(ray) => {
                let rays = BoardSet::rays(program, ray, |id| Some(self.set(id, side)));
                rays.unwrap_or_else(|| side.unknown())
            }
            SetFilter::Loop(square_loop) => self.loop_squares(square_loop, side),
            SetFilter::Variable(variable, _) | SetFilter::PieceVariable(variable, _)
                if side == Side::Around =>
            {
                let known = self.known.iter().rev().find(|(known, _)| known == variable);
                known.map_or(EVERYTHING, |(_, set)| set.clone())
            }
            SetFilter::From { .. } if side == Side::Around => BoardSet::Played(MoveEnd::From),
            SetFilter::To { .. } if side == Side::Around => BoardSet::Played(MoveEnd::To),
            SetFilter::Flow(Flow::Block(_, value)) if side == Side::Around => {
                self.set(*value, side)
            }
            _ => side.unknown(),
        }
    }

    fn loop_squares(&mut self, square_loop: &SquareLoop, side: Side) -> BoardSet {
        let mut condition = square_loop.condition.as_deref();
        if side == Side::Around {
            condition = condition.or(square_loop.least.as_deref());
        }
        self.enter(square_loop.variable, square_loop.domain);
        let choice = match condition {
            Some(condition) => self.choice(condition, side),
            None => side.unknown_choice(),
        };
        self.leave();
        chosen(self.set(square_loop.domain, side), choice)
    }

    fn pair(
        &mut self,
        sets: [SetId; 2],
        side: Side,
        make: fn(Box<[BoardSet; 2]>) -> BoardSet,
    ) -> BoardSet {
        let sets = sets.map(|id| self.set(id, side));
        if sets.contains(&NOTHING) { NOTHING } else { make(Box::new(sets)) }
    }

    fn choice(&mut self, condition: &SquareCondition, side: Side) -> BoardChoice {
        let is_in = |set| if set == EVERYTHING { always() } else { BoardChoice::In(set) };
        match condition {
            SquareCondition::In(set) => is_in(self.set(*set, side)),
            SquareCondition::Is(set) if side == Side::Around => is_in(self.set(*set, side)),
            SquareCondition::AttackedBy(set) => BoardChoice::AttackedBy(self.set(*set, side)),
            SquareCondition::Attacks(set) => BoardChoice::Attacks(self.set(*set, side)),
            SquareCondition::AttackedSoOften(set, relation, n) => {
                let men = BoardSet::of(self.program, *set);
                let men = men.or_else(|| Some(self.set(*set, side.of_counted(*relation)?)));
                match men {
                    Some(men) => BoardChoice::AttackedSoOften(men, *relation, *n),
                    None => side.unknown_choice(),
                }
            }
            SquareCondition::All(conditions) => {
                let all = conditions.iter().map(|condition| self.choice(condition, side));
                BoardChoice::All(all.filter(|choice| *choice != always()).collect())
            }
            SquareCondition::Any(conditions) => {
                let any = conditions.iter().map(|condition| self.choice(condition, side));
                let any: Box<[BoardChoice]> = any.collect();
                if any.contains(&always()) { always() } else { BoardChoice::Any(any) }
            }
            SquareCondition::Not(condition) => match self.choice(condition, side.other()) {
                BoardChoice::Any(none) if none.is_empty() => always(),
                choice => BoardChoice::Not(Box::new(choice)),
            },
            SquareCondition::Shifted(steps, condition) => {
                let choice = self.choice(condition, side);
                BoardChoice::Shifted(steps.clone(), Box::new(choice))
            }
            SquareCondition::Others(others) if side == Side::Around => self.others(others),
            SquareCondition::Fixed(_)
            | SquareCondition::Is(_)
            | SquareCondition::AttackersAre(..)
            | SquareCondition::Between(_)
            | SquareCondition::At(..)
            | SquareCondition::Others(_) => side.unknown_choice(),
        }
    }

    /// Returns the condition on an outer square for all squares of the inner loop together.
    fn others(&mut self, others: &OtherSquares) -> BoardChoice {
        let Some(related) = &others.related else {
            return always();
        };
        self.enter(others.variable, others.domain);
        let other = self.choice(&others.other, Side::Around);
        if let Some((variable, domain)) = self.known.pop() {
            self.known.push((variable, chosen(domain, other)));
        }
        let related = self.choice(related, Side::Around);
        self.leave();
        related
    }
}

/// Returns the relation that holds wherever a number that is not negative is in this relation to
/// `n`, and that says on which side of `n` it is.
fn without_equality(relation: Relation, n: i32) -> Relation {
    match relation {
        Relation::Equal if n <= 0 => Relation::LessEqual,
        Relation::Equal => Relation::GreaterEqual,
        relation => relation,
    }
}

fn union(sets: Vec<BoardSet>) -> BoardSet {
    if sets.contains(&EVERYTHING) { EVERYTHING } else { BoardSet::Union(sets.into()) }
}

fn intersection(left: BoardSet, right: BoardSet) -> BoardSet {
    if left == NOTHING || right == NOTHING {
        NOTHING
    } else if left == EVERYTHING {
        right
    } else if right == EVERYTHING {
        left
    } else {
        BoardSet::Intersect(Box::new([left, right]))
    }
}

/// Returns the squares of a set for which a choice holds.
fn chosen(domain: BoardSet, choice: BoardChoice) -> BoardSet {
    match choice {
        BoardChoice::All(none) if none.is_empty() => domain,
        BoardChoice::Any(none) if none.is_empty() => NOTHING,
        _ if domain == NOTHING => NOTHING,
        choice => BoardSet::Chosen(Box::new(domain), Box::new(choice)),
    }
}

//! Tests conditions on attacks and pins with the squares that each piece occupies at any time.
//!
//! A condition is tested on a board on which every piece is on all the squares that it ever
//! occupies, and on which nothing blocks a line. If the condition holds at some position of the
//! game, it holds on that board, too.

use board::{Color, Piece, Role, Square, SquareSet, between, reach};
use pgn::summary::Reach;

use compiler::facts::{EMPTY, PAWNS, holds, kind, pieces_of};
use compiler::program::plan::{BoardChoice, BoardCondition, BoardSet};

/// Whether a condition may hold at some time.
pub(super) fn may_hold(condition: &BoardCondition, reached: &Reach) -> bool {
    match condition {
        BoardCondition::NotEmpty(set) => !widened(set, reached).is_empty(),
        BoardCondition::Count(relation, set, n) => {
            let most = widened(set, reached).squares().len() as i32;
            (0..=most).any(|count| holds(*relation, &count, n))
        }
        BoardCondition::Pairs(relation, sets, n) => {
            let [men, squares] = &**sets;
            let men = widened(men, reached);
            let may_attack = !widened(squares, reached).attacked(&men).is_empty();
            holds(*relation, &0, n) || may_attack
        }
    }
}

/// Squares that a set may contain at some time, separately for each piece that may be on them.
#[derive(Clone, Copy)]
struct Widened {
    pieces: [SquareSet; 12],
    empty: SquareSet,
}

impl Widened {
    const NOTHING: Widened = Widened { pieces: [SquareSet::EMPTY; 12], empty: SquareSet::EMPTY };

    fn of_kinds(kinds: u16, squares: SquareSet, reached: &Reach) -> Widened {
        let mut set = Widened::NOTHING;
        for piece in pieces_of(kinds) {
            set.pieces[piece] = SquareSet(reached[piece]) & squares;
        }
        if kinds & EMPTY != 0 {
            set.empty = squares;
        }
        set
    }

    fn is_empty(&self) -> bool {
        self.squares().is_empty()
    }

    fn men(&self) -> SquareSet {
        let squares = self.pieces.iter();
        squares.fold(SquareSet::EMPTY, |all, squares| all | *squares)
    }

    fn squares(&self) -> SquareSet {
        self.men() | self.empty
    }

    /// Returns the intersection. A square is in both sets only with the same piece on it.
    fn and(&self, other: &Widened) -> Widened {
        let mut set = *self;
        for (own, other) in set.pieces.iter_mut().zip(other.pieces) {
            *own &= other;
        }
        set.empty &= other.empty;
        set
    }

    fn or(&self, other: &Widened) -> Widened {
        let mut set = *self;
        for (own, other) in set.pieces.iter_mut().zip(other.pieces) {
            *own |= other;
        }
        set.empty |= other.empty;
        set
    }

    /// Iterates over the pieces of the set, with their squares.
    fn kinds(&self) -> impl Iterator<Item = (Piece, SquareSet)> {
        let kinds = Piece::ALL.into_iter().zip(self.pieces);
        kinds.filter(|(_, squares)| !squares.is_empty())
    }

    /// Returns the pieces of the set that may attack one of the squares.
    fn attackers(&self, targets: SquareSet) -> Widened {
        let mut set = Widened::NOTHING;
        if targets.is_empty() {
            return set;
        }
        for (piece, squares) in self.kinds() {
            let attacks = |square: &Square| attacks(piece, *square).intersects(targets);
            set.pieces[piece.index()] = squares.into_iter().filter(attacks).collect();
        }
        set
    }

    /// Returns the squares of the set that one of the pieces may attack.
    fn attacked(&self, men: &Widened) -> Widened {
        let of_kind = |(piece, squares): (Piece, SquareSet)| {
            let attacked = squares.into_iter().map(move |square| attacks(piece, square));
            attacked.fold(SquareSet::EMPTY, |all, squares| all | squares)
        };
        let attacked = men.kinds().map(of_kind);
        let attacked = attacked.fold(SquareSet::EMPTY, |all, squares| all | squares);
        self.on(attacked)
    }

    fn on(&self, squares: SquareSet) -> Widened {
        Widened { pieces: self.pieces.map(|own| own & squares), empty: self.empty & squares }
    }
}

/// Returns the squares that a piece attacks on an empty board.
fn attacks(piece: Piece, square: Square) -> SquareSet {
    match piece.role {
        Role::Pawn => board::attacks_of(piece, square, SquareSet::EMPTY),
        role => reach(role, square),
    }
}

fn widened(set: &BoardSet, reached: &Reach) -> Widened {
    let of = |set: &BoardSet| widened(set, reached);
    match set {
        BoardSet::Constant(squares) => Widened::of_kinds(u16::MAX, *squares, reached),
        BoardSet::Piece(piece, squares) => Widened::of_kinds(kind(*piece), *squares, reached),
        BoardSet::Kinds(kinds, squares) => Widened::of_kinds(*kinds, *squares, reached),
        BoardSet::Union(sets) => {
            let sets = sets.iter().map(of);
            sets.fold(Widened::NOTHING, |all, set| all.or(&set))
        }
        BoardSet::Intersect(sets) => {
            let [left, right] = &**sets;
            of(left).and(&of(right))
        }
        // Squares that are outside of the set at some time are not known.
        BoardSet::Complement(_) => Widened::of_kinds(u16::MAX, SquareSet::ALL, reached),
        BoardSet::Attackers(sets) => {
            let [left, right] = &**sets;
            of(left).attackers(of(right).squares())
        }
        BoardSet::Attacked(sets) => {
            let [left, right] = &**sets;
            of(left).attacked(&of(right))
        }
        BoardSet::Chosen(domain, choice) => chosen(choice, of(domain), reached),
        BoardSet::Pins(sets, _) => {
            let [from, through, to] = &**sets;
            if may_pin(&of(from), &of(through), &of(to)) {
                // The part of the pin that the filter yields makes no difference.
                Widened::of_kinds(u16::MAX, SquareSet::ALL, reached)
            } else {
                Widened::NOTHING
            }
        }
        BoardSet::Rays(_, points) if points.iter().any(|point| of(point).is_empty()) => {
            Widened::NOTHING
        }
        BoardSet::Structure(_) => Widened::of_kinds(PAWNS, SquareSet::ALL, reached),
        // The contents of these squares make no difference.
        BoardSet::Shifted(_, set) if of(set).is_empty() => Widened::NOTHING,
        BoardSet::Rays(..) | BoardSet::Shifted(..) | BoardSet::Played(_) => {
            Widened::of_kinds(u16::MAX, SquareSet::ALL, reached)
        }
    }
}

/// Returns the candidates for which a choice may hold.
fn chosen(choice: &BoardChoice, candidates: Widened, reached: &Reach) -> Widened {
    match choice {
        BoardChoice::In(set) => candidates.and(&widened(set, reached)),
        BoardChoice::AttackedBy(men) => candidates.attacked(&widened(men, reached)),
        BoardChoice::Attacks(set) => candidates.attackers(widened(set, reached).squares()),
        BoardChoice::AttackedSoOften(men, relation, n) => {
            if holds(*relation, &0, n) {
                candidates
            } else {
                candidates.attacked(&widened(men, reached))
            }
        }
        BoardChoice::All(choices) => {
            let choices = choices.iter();
            choices.fold(candidates, |left, choice| chosen(choice, left, reached))
        }
        BoardChoice::Any(choices) => {
            let choices = choices.iter();
            let chosen = choices.map(|choice| chosen(choice, candidates, reached));
            chosen.fold(Widened::NOTHING, |all, set| all.or(&set))
        }
        BoardChoice::Not(_) | BoardChoice::Shifted(..) => candidates,
    }
}

/// Whether a piece of `from` may pin one of `through` to a square of `to`.
fn may_pin(from: &Widened, through: &Widened, to: &Widened) -> bool {
    let of_color = |set: &Widened, color: Color| {
        let kinds = set.kinds().filter(|(piece, _)| piece.color == color);
        kinds.fold(SquareSet::EMPTY, |all, (_, squares)| all | squares)
    };
    let sides = Color::ALL.map(|color| {
        let targets = of_color(to, !color) | to.empty;
        (targets, of_color(through, !color))
    });
    from.kinds().any(|(piece, pinners)| {
        let is_slider = matches!(piece.role, Role::Bishop | Role::Rook | Role::Queen);
        let (targets, pinned) = sides[piece.color.index()];
        is_slider
            && targets.into_iter().any(|target| {
                let pinners = pinners & reach(piece.role, target);
                let mut lines = pinners.into_iter().map(|pinner| between(pinner, target));
                lines.any(|line| line.intersects(pinned))
            })
    })
}

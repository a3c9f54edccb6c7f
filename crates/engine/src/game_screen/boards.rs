//! Attacks and pins, told from where men stand at any time in a game.
//!
//! A condition on the board is asked of a board on which every man stands on all the squares that it
//! ever stands on, and that nothing blocks: what holds at one position of the game holds there, too.

use board::{Color, Piece, Role, Square, SquareSet, between, reach};
use pgn::summary::Reach;

use super::{EMPTY, pieces_of};
use compiler::facts::holds;
use compiler::program::plan::{BoardChoice, BoardCondition, BoardSet};

/// Whether a condition may hold at some time.
pub(super) fn may_hold(condition: &BoardCondition, reached: &Reach) -> bool {
    match condition {
        BoardCondition::NotEmpty(set) => !widened(set, reached).is_empty(),
        BoardCondition::Count(relation, set, n) => {
            let most = widened(set, reached).squares().len() as i32;
            (0..=most).any(|count| holds(*relation, &count, n))
        }
    }
}

/// Squares that a set may have at some time, by what may stand on them.
#[derive(Clone, Copy)]
struct Widened {
    pieces: [SquareSet; 12],
    empty: SquareSet,
}

impl Widened {
    const NOTHING: Widened = Widened {
        pieces: [SquareSet::EMPTY; 12],
        empty: SquareSet::EMPTY,
    };

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

    /// What is in both: what stands on a square of both is the same for both.
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

    /// The kinds of pieces that are in it, with their squares.
    fn kinds(&self) -> impl Iterator<Item = (Piece, SquareSet)> {
        let kinds = Piece::ALL.into_iter().zip(self.pieces);
        kinds.filter(|(_, squares)| !squares.is_empty())
    }

    /// The men that may attack one of the squares.
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

    /// The squares that one of the men may attack.
    fn attacked(&self, men: &Widened) -> Widened {
        let of_kind = |(piece, squares): (Piece, SquareSet)| {
            let attacked = squares
                .into_iter()
                .map(move |square| attacks(piece, square));
            attacked.fold(SquareSet::EMPTY, |all, squares| all | squares)
        };
        let attacked = men.kinds().map(of_kind);
        let attacked = attacked.fold(SquareSet::EMPTY, |all, squares| all | squares);
        self.on(attacked)
    }

    fn on(&self, squares: SquareSet) -> Widened {
        Widened {
            pieces: self.pieces.map(|own| own & squares),
            empty: self.empty & squares,
        }
    }
}

/// What a piece attacks on an empty board.
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
        BoardSet::Piece(piece, squares) => {
            Widened::of_kinds(compiler::facts::kind(*piece), *squares, reached)
        }
        BoardSet::Kinds(kinds, squares) => Widened::of_kinds(*kinds, *squares, reached),
        BoardSet::Union(sets) => {
            let sets = sets.iter().map(of);
            sets.fold(Widened::NOTHING, |all, set| all.or(&set))
        }
        BoardSet::Intersect(sets) => {
            let [left, right] = &**sets;
            of(left).and(&of(right))
        }
        // What is not in the set at some time need not be known.
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
            match may_pin(&of(from), &of(through), &of(to)) {
                // Which part of them is asked for makes no difference.
                true => Widened::of_kinds(u16::MAX, SquareSet::ALL, reached),
                false => Widened::NOTHING,
            }
        }
    }
}

/// The squares of the candidates for which something may hold.
fn chosen(choice: &BoardChoice, candidates: Widened, reached: &Reach) -> Widened {
    match choice {
        BoardChoice::In(set) => candidates.and(&widened(set, reached)),
        BoardChoice::AttackedBy(men) => candidates.attacked(&widened(men, reached)),
        BoardChoice::Attacks(set) => candidates.attackers(widened(set, reached).squares()),
        BoardChoice::AttackedSoOften(men, relation, n) => match holds(*relation, &0, n) {
            true => candidates,
            false => candidates.attacked(&widened(men, reached)),
        },
        BoardChoice::All(choices) => {
            let choices = choices.iter();
            choices.fold(candidates, |left, choice| chosen(choice, left, reached))
        }
        BoardChoice::Any(choices) => {
            let choices = choices.iter();
            let chosen = choices.map(|choice| chosen(choice, candidates, reached));
            chosen.fold(Widened::NOTHING, |all, set| all.or(&set))
        }
        BoardChoice::Not(_) => candidates,
    }
}

/// Whether one of the first men may pin one of the second to one of the third squares.
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

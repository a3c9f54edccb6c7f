//! Moves that must follow one another somewhere in a game.
//!
//! The moves that a path describes make an automaton, whose states are the moves that may come
//! next, a bit for each. It is walked along the codes of a game's moves, which say who moves from
//! where to where, but not what stood there: so what a dash asks for is widened to that.

use std::collections::HashSet;

use board::{Color, Move, Role, Square, SquareSet};
use pgn::summary::Summary;
use pgn::{MoveCode, Step as CodeStep};

use compiler::automaton::{Automaton, State, Step};
use compiler::facts::kind;
use compiler::program::plan::Men;
use compiler::program::{BoolId, DashId};

/// So many different moves of a pattern are told apart: a bit for each.
const MAX_MOVES: usize = 64;

/// So many places of a pattern are looked at.
const MAX_PLACES: usize = 1024;

/// So many moves are passed over at once at most.
const LONGEST_SKIP: usize = 32;

/// A path is taken to be no longer than this: what it says of longer ones does not count.
const ROOM: u32 = 1024;

/// How many bits of a code are squares.
const SQUARES: u32 = 12;

/// Moves of a pattern, as bits.
type Moves = u64;

/// Moves that must follow one another.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chain {
    /// Which moves of the pattern a man of this color and role may make …
    movers: [[Moves; 6]; 2],
    /// … from this square …
    from: [Moves; 64],
    /// … to this square; of captures, where what they capture stands.
    to: [Moves; 64],
    /// Those that capture.
    captures: Moves,
    /// Those that may be without a promotion, and those that may be with one, by the new role.
    without_promotion: Moves,
    promotions: [Moves; 6],
    /// By color, and by what a code says of a move besides its squares, the moves that it may be.
    plain: [[Moves; 16]; 2],
    /// The codes, a bit for each, of which that does not say enough.
    odd: u16,
    /// As `plain`, and all moves for the codes of which that does not say enough.
    possible: [[Moves; 16]; 2],
    /// Those that a match may begin with.
    first: Moves,
    /// So many moves a match has at least, or as many as are told apart. One where others may stand
    /// in between.
    shortest: usize,
    /// By the color and the code of a move, before how many of the next places no match begins that
    /// is so long and has the move as its last one: none if one may begin at the first of them.
    skips: [[u8; 16]; 2],
    /// Those that it may end with.
    last: Moves,
    /// Those that may come next, by the bit of the one before.
    next: Vec<Moves>,
    /// Other moves may stand in between.
    has_gaps: bool,
}

/// What is asked of a move.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Wanted {
    pub(super) capture: bool,
    pub(super) left: Men,
    pub(super) right: Men,
    /// The roles that a pawn must become, if it must; bit 0 pawn … bit 5 king.
    pub(super) promotion: Option<u8>,
}

impl Wanted {
    /// Men that stand on squares before such a move, or behind it.
    pub(super) fn places(self) -> [Men; 3] {
        let mut arriving = self.left;
        arriving.squares = self.right.squares;
        for color in Color::ALL {
            let of = |role| kind(board::Piece { color, role });
            if self.left.kinds & of(Role::Pawn) == 0 {
                continue;
            }
            // It may become something else, and who captures en passant goes elsewhere.
            for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                arriving.kinds |= of(role);
            }
            if self.capture {
                arriving.squares = SquareSet::ALL;
            }
        }
        [self.left, self.right, arriving]
    }
}

impl Chain {
    fn empty(has_gaps: bool) -> Chain {
        Chain {
            movers: [[0; 6]; 2],
            from: [0; 64],
            to: [0; 64],
            captures: 0,
            without_promotion: 0,
            promotions: [0; 6],
            plain: [[0; 16]; 2],
            odd: 0,
            possible: [[0; 16]; 2],
            first: 0,
            shortest: 1,
            skips: [[0; 16]; 2],
            last: 0,
            next: Vec::new(),
            has_gaps,
        }
    }

    /// One move.
    pub(super) fn of_move(wanted: Wanted) -> Chain {
        let mut chain = Chain::empty(false);
        chain.add(wanted);
        (chain.first, chain.last) = (1, 1);
        chain.finish()
    }

    /// The moves of a path; none if there are too many of them. `wanted` says what is asked of the
    /// move of a dash.
    pub(super) fn of_path(
        automaton: &Automaton,
        has_gaps: bool,
        mut wanted: impl FnMut(DashId) -> Wanted,
    ) -> Option<Chain> {
        let mut chain = Chain::empty(has_gaps);
        // The moves that were numbered, each with where it leads.
        let mut moves: Vec<(DashId, State)> = Vec::new();
        let start = followers(automaton, Automaton::START, &mut moves)?;
        chain.first = start.moves;
        while let Some(&(dash, behind)) = moves.get(chain.next.len()) {
            chain.add(wanted(dash));
            let bit = 1 << (chain.next.len() - 1);
            let followers = followers(automaton, behind, &mut moves)?;
            if followers.may_end {
                chain.last |= bit;
            }
            if let Some(next) = chain.next.last_mut() {
                *next = followers.moves;
            }
        }
        Some(chain.finish())
    }

    /// Looks up beforehand what can be.
    fn finish(mut self) -> Chain {
        for code in 0..16 {
            let CodeStep::Move(mv) = MoveCode(code << SQUARES).step() else {
                continue;
            };
            if !is_plain(mv) {
                self.odd |= 1 << code;
                for of_color in &mut self.possible {
                    of_color[usize::from(code)] = Moves::MAX;
                }
                continue;
            }
            for color in Color::ALL {
                let of_man = self.movers[color.index()][mv.role().index()];
                let may_be = of_man & self.promoted(mv);
                self.plain[color.index()][usize::from(code)] = may_be;
                self.possible[color.index()][usize::from(code)] = may_be;
            }
        }
        // The moves that a match may have at each place, up to the first that may be its last.
        let mut places = vec![self.first];
        while !self.has_gaps && places.len() < LONGEST_SKIP {
            let moves = places[places.len() - 1];
            if moves & self.last != 0 {
                break;
            }
            places.push(self.behind(moves));
        }
        self.shortest = places.len();
        for (skips, possible) in self.skips.iter_mut().zip(&self.possible) {
            for (skip, possible) in skips.iter_mut().zip(possible) {
                let before_end = places
                    .iter()
                    .rev()
                    .take_while(|moves| *moves & possible == 0);
                *skip = before_end.count() as u8;
            }
        }
        self
    }

    /// Adds a move of the pattern.
    fn add(&mut self, wanted: Wanted) {
        let bit = 1 << self.next.len();
        self.next.push(0);
        for color in Color::ALL {
            for role in Role::ALL {
                if wanted.left.kinds & kind(board::Piece { color, role }) != 0 {
                    self.movers[color.index()][role.index()] |= bit;
                }
            }
        }
        let enter = |squares: SquareSet, table: &mut [Moves; 64]| {
            squares
                .into_iter()
                .for_each(|square| table[square.index()] |= bit);
        };
        enter(wanted.left.squares, &mut self.from);
        enter(wanted.right.squares, &mut self.to);
        if wanted.capture {
            self.captures |= bit;
        }
        if wanted.promotion.is_none() {
            self.without_promotion |= bit;
        }
        let roles = wanted.promotion.unwrap_or(u8::MAX);
        for role in Role::ALL {
            if roles >> role.index() & 1 != 0 {
                self.promotions[role.index()] |= bit;
            }
        }
    }

    /// Whether the moves may follow one another in the game.
    pub(super) fn occurs(&self, game: &impl Summary, variations: bool) -> bool {
        let Some(moves) = game.moves() else {
            return true;
        };
        if !game.has_fen() && !game.has_variations() {
            return self.occurs_in_line(moves);
        }
        let mut now = Place {
            expected: 0,
            before: 0,
            // Who begins is known only where everybody does so.
            turn: (!game.has_fen()).then_some(Color::White),
        };
        let mut open: Vec<Place> = Vec::new();
        let mut left_out = 0_usize;
        for &code in moves {
            if code < MoveCode::OPEN.0 {
                if left_out > 0 {
                    continue;
                }
                let matched = (now.expected | self.first) & self.admitted(code, now.turn);
                if matched & self.last != 0 {
                    return true;
                }
                now.before = now.expected;
                now.expected = self.behind(matched);
                if self.has_gaps {
                    now.expected |= now.before;
                }
                now.turn = now.turn.map(|turn| !turn);
                continue;
            }
            match (variations, MoveCode(code).step() == CodeStep::Open) {
                (true, true) => {
                    open.push(now);
                    now.expected = now.before;
                    now.turn = now.turn.map(|turn| !turn);
                }
                (true, false) => now = open.pop().unwrap_or(now),
                (false, true) => left_out += 1,
                (false, false) => left_out = left_out.saturating_sub(1),
            }
        }
        false
    }

    /// Whether the moves may follow one another in a game of one line from the usual start, as most
    /// games are.
    ///
    /// As in the search for words of Boyer, Moore and Horspool, what moves at the end of the shortest
    /// match says where none begins, and most moves are not looked at.
    fn occurs_in_line(&self, moves: &[u16]) -> bool {
        let turn = |ply: usize| match ply % 2 {
            0 => Color::White,
            _ => Color::Black,
        };
        let mut start = 0;
        while let Some(&code) = moves.get(start + self.shortest - 1) {
            let color = turn(start + self.shortest - 1);
            let skip = self.skips[color.index()][usize::from(code >> SQUARES)];
            if skip > 0 {
                start += usize::from(skip);
                continue;
            }
            let mut expected = 0;
            loop {
                let Some(&code) = moves.get(start) else {
                    return false;
                };
                let color = turn(start);
                start += 1;
                let wanted = expected | self.first;
                let matched =
                    match wanted & self.possible[color.index()][usize::from(code >> SQUARES)] {
                        0 => 0,
                        _ => wanted & self.admitted(code, Some(color)),
                    };
                if matched & self.last != 0 {
                    return true;
                }
                if !self.has_gaps {
                    expected = 0;
                }
                expected |= self.behind(matched);
                // Nothing has begun.
                if expected == 0 {
                    break;
                }
            }
        }
        false
    }

    /// What may come behind one of these moves.
    fn behind(&self, mut matched: Moves) -> Moves {
        let mut expected = 0;
        while matched != 0 {
            expected |= self.next[matched.trailing_zeros() as usize];
            matched &= matched - 1;
        }
        expected
    }

    /// The moves of the pattern that the one of a code may be.
    #[inline]
    fn admitted(&self, code: u16, turn: Option<Color>) -> Moves {
        let kind = usize::from(code >> SQUARES);
        if self.odd >> kind & 1 != 0 {
            return match MoveCode(code).step() {
                CodeStep::Move(mv) => self.admitted_oddly(mv, turn),
                CodeStep::Open | CodeStep::Close => 0,
            };
        }
        let plain = match turn {
            Some(color) => self.plain[color.index()][kind],
            None => self.plain[0][kind] | self.plain[1][kind],
        };
        let (from, to) = (usize::from(code & 63), usize::from(code >> 6 & 63));
        plain & self.from[from] & self.to[to]
    }

    /// The moves of the pattern that castling, an en passant capture or a null move may be.
    #[inline(never)]
    fn admitted_oddly(&self, mv: Move, turn: Option<Color>) -> Moves {
        let of_role = |role: Role| match turn {
            Some(color) => self.movers[color.index()][role.index()],
            None => self.movers[0][role.index()] | self.movers[1][role.index()],
        };
        let squares = |from: Square, to: Square| self.from[from.index()] & self.to[to.index()];
        if mv.is_null() {
            return squares(mv.from(), mv.to());
        }
        if let Some((from, to)) = mv.rook_from_to() {
            let king = of_role(Role::King) & squares(mv.from(), mv.to());
            return king | of_role(Role::Rook) & squares(from, to);
        }
        // The pawn that is taken en passant stands elsewhere.
        let to = self.to[mv.to().index()] | self.captures;
        of_role(mv.role()) & self.from[mv.from().index()] & to & self.promoted(mv)
    }

    /// The moves of the pattern that may become what a pawn becomes.
    fn promoted(&self, mv: Move) -> Moves {
        match mv.promotion() {
            Some(role) => self.promotions[role.index()],
            None => self.without_promotion,
        }
    }
}

/// Whether a move is one man's, to a square where he captures what stands there.
fn is_plain(mv: Move) -> bool {
    !mv.is_null() && !mv.is_castle() && !mv.is_en_passant()
}

/// Where a walk along a game is.
#[derive(Debug, Clone, Copy)]
struct Place {
    /// The moves that may come next in a match that has begun.
    expected: Moves,
    /// What that was before the last move, to which a variation may begin.
    before: Moves,
    turn: Option<Color>,
}

/// What may follow somewhere in a pattern.
struct Followers {
    moves: Moves,
    may_end: bool,
}

/// What may follow in a state. Moves without a number get one.
fn followers(
    automaton: &Automaton,
    from: State,
    moves: &mut Vec<(DashId, State)>,
) -> Option<Followers> {
    let mut found = Followers {
        moves: 0,
        may_end: false,
    };
    walk(automaton, from, |step| {
        match step {
            Step::Move(dash, behind) => {
                let known = moves.iter().position(|mv| *mv == (dash, behind));
                let number = known.unwrap_or(moves.len());
                if number >= MAX_MOVES {
                    return None;
                }
                if known.is_none() {
                    moves.push((dash, behind));
                }
                found.moves |= 1 << number;
            }
            Step::End => found.may_end = true,
            // Not of a path.
            Step::Take(_) => return None,
            Step::Test(_, next) => return Some(Some(next)),
            Step::Fork(..) | Step::Fail => {}
        }
        Some(None)
    })?;
    Some(found)
}

/// Calls `each` with what is asked for in a state and, from there on, in those that it answers, or
/// that a fork leads to. None if it answers that, or if there are too many.
fn walk(
    automaton: &Automaton,
    from: State,
    mut each: impl FnMut(Step) -> Option<Option<State>>,
) -> Option<()> {
    let mut seen: HashSet<State> = HashSet::new();
    let mut pending = vec![from];
    while let Some(state) = pending.pop() {
        if !seen.insert(state) {
            continue;
        }
        if seen.len() > MAX_PLACES {
            return None;
        }
        let step = automaton.step(state, ROOM);
        if let Step::Fork(one, other) = step {
            pending.extend([one, other]);
        }
        pending.extend(each(step)?);
    }
    Some(())
}

/// The filters that are asked in every match of a pattern; none known where it is too large.
pub(super) fn required(
    automaton: &Automaton,
    candidates: &[BoolId],
    target: impl Fn(DashId) -> Option<BoolId>,
) -> Vec<BoolId> {
    let is_required = |filter: &&BoolId| ends_without(automaton, **filter, &target) == Some(false);
    candidates.iter().filter(is_required).copied().collect()
}

/// Whether a pattern can be matched without asking a filter.
fn ends_without(
    automaton: &Automaton,
    filter: BoolId,
    target: &impl Fn(DashId) -> Option<BoolId>,
) -> Option<bool> {
    let mut ends = false;
    walk(automaton, Automaton::START, |step| {
        Some(match step {
            Step::End => {
                ends = true;
                None
            }
            Step::Move(dash, behind) => (target(dash) != Some(filter)).then_some(behind),
            Step::Take(take) => (take.filter != filter).then_some(take.next),
            Step::Test(test, next) => (test != filter).then_some(next),
            Step::Fork(..) | Step::Fail => None,
        })
    })?;
    Some(ends)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::Rng;
    use proptest::test_runner::{TestRng, TestRunner};

    use super::*;

    fn below(n: u64, rng: &mut TestRng) -> u64 {
        rng.next_u64() % n
    }

    /// Some moves that must follow one another, of few kinds.
    fn chain(rng: &mut TestRng) -> Chain {
        let n_moves = 1 + below(6, rng) as usize;
        let mut chain = Chain::empty(below(4, rng) == 0);
        for _ in 0..n_moves {
            let men = |kinds| Men {
                kinds,
                squares: SquareSet::ALL,
            };
            let wanted = Wanted {
                capture: below(2, rng) == 0,
                left: men(1 << below(12, rng) | 1 << below(12, rng)),
                right: men(u16::MAX),
                promotion: None,
            };
            chain.add(wanted);
        }
        for (i, next) in chain.next.iter_mut().enumerate() {
            // Mostly the next one, as in a path, and sometimes others.
            *next = 1 << ((i + 1) % n_moves);
            if below(3, rng) == 0 {
                *next |= 1 << below(n_moves as u64, rng);
            }
        }
        chain.first = 1;
        chain.last = 1 << (n_moves - 1);
        if below(4, rng) == 0 {
            chain.last |= 1 << below(n_moves as u64, rng);
        }
        chain.finish()
    }

    /// The same, at each move of the game.
    fn occurs_slowly(chain: &Chain, moves: &[u16]) -> bool {
        let mut expected = 0;
        moves
            .iter()
            .zip([Color::White, Color::Black].into_iter().cycle())
            .any(|(&code, turn)| {
                let matched = (expected | chain.first) & chain.admitted(code, Some(turn));
                expected = chain.behind(matched) | if chain.has_gaps { expected } else { 0 };
                matched & chain.last != 0
            })
    }

    #[test]
    fn no_match_is_skipped() {
        let mut runner = TestRunner::deterministic();
        let rng = runner.rng();
        let mut n_found = 0;
        for _ in 0..20_000 {
            let chain = chain(rng);
            let moves: Vec<u16> = (0..below(40, rng))
                // Of few kinds, so that many follow one another.
                .map(|_| ((below(9, rng) << SQUARES) | below(1 << SQUARES, rng)) as u16)
                .collect();
            let want = occurs_slowly(&chain, &moves);
            assert_eq!(chain.occurs_in_line(&moves), want, "{chain:?} {moves:?}");
            n_found += usize::from(want);
        }
        assert!(
            (2_000..18_000).contains(&n_found),
            "{n_found} of them occur"
        );
    }
}
